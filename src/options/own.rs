//! What a function says itself, and what the choices file says of it: both come as string
//! attributes.

use super::level::{Level, ValueError};
use super::name::{Name, is_ours};
use crate::marks::MARKS;
use passes::choices::Values;
use std::borrow::Cow;
use thiserror::Error;

/// The attribute that holds what the choices file says, as JSON: [`crate::choices`] writes
/// it.
pub const CHOSEN: &str = "warpalloc-chosen";

/// A string attribute: its name and its value.
pub type Attribute<'a> = (Cow<'a, str>, Cow<'a, str>);

/// An attribute or a choice that makes no sense.
#[derive(Debug, Error, PartialEq)]
pub enum OwnError {
    /// No attribute of ours is called so.
    #[error("unknown attribute \"{0}\"; it can be one of: {known}", known = Name::attributes().join(", "))]
    Attribute(String),
    /// It cannot have this value.
    #[error("{}", .1.about(&format!("attribute \"{}\"", .0.attribute())))]
    Value(Name, ValueError),
    /// No option of a choices file is called so.
    #[error("unknown option '{0}'; it can be one of: {known}", known = Name::in_file().join(", "))]
    Option(String),
    /// It cannot have this value.
    #[error("{}", .1.about(&format!("option '{}'", .0)))]
    Chosen(String, ValueError),
    /// The attribute of the choices file is not of its form.
    #[error("attribute \"{CHOSEN}\": {0}")]
    Form(String),
}

/// What the choices file and the attributes of a function say together.
///
/// # Errors
/// If an attribute or a choice makes no sense.
pub fn level(attributes: &[Attribute]) -> Result<Level, OwnError> {
    let mut chosen = Level::default();
    let mut own = Level::default();
    for (attribute, value) in attributes {
        if attribute == CHOSEN {
            let values = serde_json::from_str(value);
            let values = values.map_err(|error| OwnError::Form(error.to_string()))?;
            chosen = of_file(&values)?;
        } else if is_ours(attribute) && !MARKS.contains(&attribute.as_ref()) {
            let name = Name::of_attribute(attribute);
            let name = name.ok_or_else(|| OwnError::Attribute(attribute.to_string()))?;
            let set = own.set(name, value);
            set.map_err(|error| OwnError::Value(name, error))?;
        }
    }
    Ok(chosen.under(own))
}

/// What the options of a choice say.
///
/// # Errors
/// If there is no such option, or it cannot have its value.
pub fn of_file(values: &Values) -> Result<Level, OwnError> {
    let mut level = Level::default();
    for (key, value) in values {
        let name = Name::of_file(key).ok_or_else(|| OwnError::Option(key.clone()))?;
        let set = level.set(name, &value.text());
        set.map_err(|error| OwnError::Chosen(key.clone(), error))?;
    }
    Ok(level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use passes::settings::Spills;

    fn of(attributes: &[(&'static str, &'static str)]) -> Result<Level, String> {
        let attributes: Vec<Attribute> = attributes
            .iter()
            .map(|(name, value)| ((*name).into(), (*value).into()))
            .collect();
        level(&attributes).map_err(|error| error.to_string())
    }

    #[test]
    fn attributes_come_before_the_file() {
        let chosen = (CHOSEN, r#"{"pressure-limit": 64, "spills": "here"}"#);
        let both = of(&[
            ("warpalloc-spills", "ptxas"),
            chosen,
            ("nvvm.maxnreg", "32"),
        ])
        .unwrap();
        assert_eq!(both.pressure_limit, Some(64));
        assert_eq!(both.spills, Some(Spills::Ptxas));
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let error = |name, value| of(&[(name, value)]).unwrap_err();
        assert_eq!(
            error("nvptx-regalloc-pressure-limit", "0"),
            "attribute \"nvptx-regalloc-pressure-limit\"=0 is not between 1 and 255"
        );
        assert!(
            error("warpalloc-spill", "here").starts_with("unknown attribute \"warpalloc-spill\"")
        );
        assert_eq!(
            error(CHOSEN, r#"{"order": "nonsense"}"#),
            "option 'order': unknown order 'nonsense'; it can be one of: lists, degrees"
        );
        assert!(error(CHOSEN, r#"{"budget": 1}"#).starts_with("unknown option 'budget'"));
        assert!(error(CHOSEN, "{").starts_with("attribute \"warpalloc-chosen\": EOF"));
    }
}
