//! The choices file: options of single functions, by name and processor.
//!
//! A JSON file of version [`VERSION`]. Here is its form alone: which options there are, and
//! what their values mean, says whoever carries them out. Source: ours (docs/choices.md).

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The version that is read and written.
pub const VERSION: u32 = 1;

/// A choices file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choices {
    /// [`VERSION`].
    pub version: u32,
    /// The name of the module's file, without folders, if it was made of a single one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_of: Option<String>,
    /// For each function what is chosen.
    pub choices: Vec<Choice>,
}

/// What is chosen for a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// Its name in the module.
    pub function: String,
    /// The processor, such as `sm_90a`; any if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sm: Option<String>,
    /// Of the code that it was made for; any if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The options.
    pub options: Values,
    /// For people: why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// For people: what else was tried, and what it cost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<serde_json::Value>,
}

/// Options by name.
pub type Values = BTreeMap<String, Value>;

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// On or off.
    Flag(bool),
    /// A number.
    Number(serde_json::Number),
    /// A name, or a list with commas.
    Text(String),
    /// A list.
    List(Vec<String>),
}

impl Value {
    /// As the command line would have it.
    pub fn text(&self) -> String {
        match self {
            Self::Flag(flag) => flag.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.clone(),
            Self::List(parts) => parts.join(","),
        }
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// What is wrong with a choices file.
#[derive(Debug, Error)]
pub enum ChoicesError {
    /// It cannot be read.
    #[error("cannot read the choices file {}: {error}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It is not of this form.
    #[error("{}: {error}", file.display())]
    Form {
        /// The file.
        file: PathBuf,
        /// What and where.
        error: serde_json::Error,
    },
    /// It is of another version.
    #[error("{}: version {found} of choices files is not known; this one reads version {VERSION}", file.display())]
    Version {
        /// The file.
        file: PathBuf,
        /// The file's version.
        found: u32,
    },
    /// Two choices for the same code.
    #[error("{}: two choices for '{function}'{}", file.display(), on(sm))]
    Twice {
        /// The file.
        file: PathBuf,
        /// The function.
        function: String,
        /// The processor.
        sm: Option<String>,
    },
}

fn on(sm: &Option<String>) -> String {
    sm.as_ref().map_or(String::new(), |sm| format!(" on {sm}"))
}

/// What every version has.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

impl Choices {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is no such file.
    pub fn read(file: &Path) -> Result<Self, ChoicesError> {
        let text = fs::read_to_string(file).map_err(|error| ChoicesError::Read {
            file: file.to_owned(),
            error,
        })?;
        Self::parse(&text, file)
    }

    /// Reads a file's text; the file is for messages.
    ///
    /// # Errors
    /// If it is no such file.
    pub fn parse(text: &str, file: &Path) -> Result<Self, ChoicesError> {
        let form = |error| ChoicesError::Form {
            file: file.to_owned(),
            error,
        };
        let Versioned { version } = serde_json::from_str(text).map_err(form)?;
        if version != VERSION {
            return Err(ChoicesError::Version {
                file: file.to_owned(),
                found: version,
            });
        }
        let choices: Self = serde_json::from_str(text).map_err(form)?;
        let mut seen = BTreeSet::new();
        for one in &choices.choices {
            if !seen.insert((&one.function, &one.sm)) {
                return Err(ChoicesError::Twice {
                    file: file.to_owned(),
                    function: one.function.clone(),
                    sm: one.sm.clone(),
                });
            }
        }
        Ok(choices)
    }

    /// The choice for a function on a processor: one for that processor before one for any.
    pub fn find(&self, function: &str, processor: &str) -> Option<&Choice> {
        let of_function = || self.choices.iter().filter(|one| one.function == function);
        of_function()
            .find(|one| one.sm.as_deref() == Some(processor))
            .or_else(|| of_function().find(|one| one.sm.is_none()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Choices, String> {
        Choices::parse(text, Path::new("c.json")).map_err(|error| error.to_string())
    }

    #[test]
    fn the_processor_counts() {
        let choices = parse(
            r#"{"version": 1, "choices": [
                {"function": "k", "options": {"order": "lists"}},
                {"function": "k", "sm": "sm_90a", "options": {"pressure-limit": 64}}]}"#,
        )
        .unwrap();
        let options = |function, sm| {
            let found = choices.find(function, sm)?;
            let texts = found.options.iter();
            Some(texts.map(|(n, v)| format!("{n}={}", v.text())).collect())
        };
        let expected = |text: &str| Some(vec![text.to_owned()]);
        assert_eq!(options("k", "sm_90a"), expected("pressure-limit=64"));
        assert_eq!(options("k", "sm_90"), expected("order=lists"));
        assert_eq!(options("l", "sm_90a"), None);
    }

    #[test]
    fn values_are_texts() {
        let text = |json| serde_json::from_str::<Value>(json).map(|value| value.text());
        assert_eq!(text("true").unwrap(), "true");
        assert_eq!(text("0.5").unwrap(), "0.5");
        assert_eq!(text(r#""here""#).unwrap(), "here");
        assert_eq!(text(r#"["split", "remat"]"#).unwrap(), "split,remat");
        assert!(text("[1]").is_err() && text("null").is_err());
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text| parse(text).unwrap_err();
        assert!(error("{").starts_with("c.json: EOF"));
        let unknown = error("{\"version\": 1,\n\"choice\": []}");
        assert!(
            unknown.starts_with("c.json: unknown field `choice`") && unknown.contains("line 2"),
            "{unknown}"
        );
        assert_eq!(
            error(r#"{"version": 2, "anything": 1}"#),
            "c.json: version 2 of choices files is not known; this one reads version 1"
        );
        let one = r#"{"function": "k", "sm": "sm_90", "options": {}}"#;
        assert_eq!(
            error(&format!(r#"{{"version": 1, "choices": [{one}, {one}]}}"#)),
            "c.json: two choices for 'k' on sm_90"
        );
    }
}
