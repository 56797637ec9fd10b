//! `-warpalloc-choices`: what a choices file says of the functions of a module.
//!
//! It is read once for each module, before anything is done to its functions: they are
//! known by their names, their processors and a hash of their code. What is chosen goes
//! along with each function as an attribute, so that all that comes later looks nowhere
//! else. Linear in the file and the module.

pub mod entry;

use crate::options::own;
use passes::choices::{Choice, Choices};
use std::path::Path;

/// A function of the module.
pub struct Definition {
    /// Its name.
    pub name: String,
    /// What it is compiled for.
    pub processor: String,
    /// Its code.
    pub hash: u64,
}

/// What the file says of a module.
#[derive(Debug, Default, PartialEq)]
pub struct Chosen {
    /// For each definition the value of the attribute, if anything is chosen.
    pub values: Vec<Option<String>>,
    /// What is not done as the file says.
    pub remarks: Vec<Remark>,
}

/// What is not done as the file says.
#[derive(Debug, PartialEq)]
pub struct Remark {
    /// The definition that it is about, if it is there.
    pub definition: Option<usize>,
    /// A name for tools.
    pub name: &'static str,
    /// For people.
    pub text: String,
}

/// A hash as files have it.
pub fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}

/// Reads what a file says of a module of this name.
///
/// # Errors
/// If the file cannot be read, has options or values that do not exist, or was made of this
/// very module and names functions that it does not define.
pub fn choose(file: &Path, module: &str, definitions: &[Definition]) -> Result<Chosen, String> {
    let choices = Choices::read(file).map_err(|error| error.to_string())?;
    for one in &choices.choices {
        let level = own::of_file(&one.options);
        level.map_err(|error| {
            let function = &one.function;
            format!("{}: the choice for '{function}': {error}", file.display())
        })?;
    }
    chosen(&choices, file, module, definitions)
}

fn chosen(
    choices: &Choices,
    file: &Path,
    module: &str,
    definitions: &[Definition],
) -> Result<Chosen, String> {
    let mut chosen = Chosen::default();
    for (number, definition) in definitions.iter().enumerate() {
        let choice = choices.find(&definition.name, &definition.processor);
        let stale = choice.filter(|choice| is_stale(choice, definition));
        if stale.is_some() {
            let Definition { name, hash, .. } = definition;
            let (file, hash) = (file.display(), hash_text(*hash));
            chosen.remarks.push(Remark {
                definition: Some(number),
                name: "StaleChoice",
                text: format!(
                    "{file} has a choice for '{name}' that was made for other code, and is not \
                     followed; the hash of this code is {hash}"
                ),
            });
        }
        let value = choice.filter(|_| stale.is_none());
        let value = value.map(|choice| serde_json::to_string(&choice.options));
        let value = value.transpose().map_err(|error| error.to_string())?;
        chosen.values.push(value);
    }
    let is_own = choices.made_of.as_deref().is_some_and(|made_of| {
        let name = Path::new(module).file_name();
        name.is_some_and(|name| name == made_of)
    });
    for one in &choices.choices {
        let function = &one.function;
        if definitions.iter().any(|known| known.name == *function) {
            continue;
        }
        let file = file.display();
        if is_own {
            return Err(format!(
                "{file} was made of '{module}' and has a choice for '{function}', which is not \
                 defined there"
            ));
        }
        chosen.remarks.push(Remark {
            definition: None,
            name: "NoSuchFunction",
            text: format!(
                "{file} has a choice for '{function}', which this module does not define"
            ),
        });
    }
    Ok(chosen)
}

/// Whether a choice was made for other code of this name.
fn is_stale(choice: &Choice, definition: &Definition) -> bool {
    let hash = choice.hash.as_deref();
    hash.is_some_and(|hash| hash != hash_text(definition.hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(name: &str, hash: u64) -> Definition {
        Definition {
            name: name.into(),
            processor: "sm_90".into(),
            hash,
        }
    }

    fn of(json: &str, definitions: &[Definition]) -> Result<Chosen, String> {
        let file = Path::new("c.json");
        let choices = Choices::parse(json, file).unwrap();
        chosen(&choices, file, "folder/m.ll", definitions)
    }

    const ONE: &str = r#"{"version": 1, "choices":
        [{"function": "k", "hash": "00000000000000ab", "options": {"order": "lists"}}]}"#;

    #[test]
    fn each_function_gets_its_own() {
        let chosen = of(ONE, &[definition("l", 1), definition("k", 0xab)]).unwrap();
        let expected = [None, Some(r#"{"order":"lists"}"#.to_owned())];
        assert_eq!(chosen.values, expected);
        assert!(chosen.remarks.is_empty());
    }

    #[test]
    fn what_was_made_for_other_code_is_not_followed() {
        let chosen = of(ONE, &[definition("k", 0xac)]).unwrap();
        assert_eq!(chosen.values, [None]);
        let [remark] = &chosen.remarks[..] else {
            panic!("one remark")
        };
        assert_eq!((remark.definition, remark.name), (Some(0), "StaleChoice"));
    }

    #[test]
    fn a_function_that_is_missing_is_an_error_in_its_own_module_alone() {
        let chosen = of(ONE, &[definition("l", 1)]).unwrap();
        assert_eq!(chosen.remarks[0].name, "NoSuchFunction");
        let own = |name: &str| ONE.replacen('{', &format!(r#"{{"made_of": "{name}","#), 1);
        assert!(of(&own("other.ll"), &[]).is_ok());
        let error = of(&own("m.ll"), &[]).unwrap_err();
        assert!(error.contains("'k', which is not defined there"), "{error}");
    }
}
