//! Reads `NAME=VALUE`.

use super::{ALLOCATOR_NUMBERS, KNOBS, Knob, Knobs};
use thiserror::Error;

/// A setting that makes no sense.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum KnobError {
    /// It names no value.
    #[error("'{0}' is not NAME=VALUE")]
    NoValue(String),
    /// There is no such knob.
    #[error("unknown knob '{name}'{}", .nearest.map_or(String::new(), |known| format!("; did you mean '{known}'?")))]
    Unknown {
        /// What was asked for.
        name: String,
        /// A knob with a similar name.
        nearest: Option<&'static str>,
    },
    /// There is one of this number, but nobody knows what it does.
    #[error(
        "knob {0} belongs to ptxas' register allocation, but the documents do not say what it does"
    )]
    Undescribed(u16),
    /// The value is not one that the knob takes.
    #[error("knob {name} takes {expected}, not '{value}'")]
    Value {
        /// The knob.
        name: String,
        /// What it takes.
        expected: String,
        /// What was given.
        value: String,
    },
}

impl Knobs {
    /// Sets the knob that the text `NAME=VALUE` names, by its name or its number.
    pub fn set(&mut self, setting: &str) -> Result<(), KnobError> {
        let (name, value) = setting
            .split_once('=')
            .map(|(name, value)| (name.trim(), value.trim()))
            .ok_or_else(|| KnobError::NoValue(setting.trim().into()))?;
        let knob = find(name)?;
        match knob.kind.set(self, value) {
            true => Ok(()),
            false => Err(KnobError::Value {
                name: knob.label(),
                expected: knob.kind.to_string(),
                value: value.into(),
            }),
        }
    }
}

fn find(name: &str) -> Result<&'static Knob, KnobError> {
    let number = name.parse().ok();
    let named = |knob: &&Knob| match number {
        Some(_) => knob.number == number,
        None => knob.name == Some(name),
    };
    KNOBS.iter().find(named).ok_or_else(|| match number {
        Some(number) if ALLOCATOR_NUMBERS.contains(&number) => KnobError::Undescribed(number),
        _ => KnobError::Unknown {
            name: name.into(),
            nearest: nearest(name),
        },
    })
}

/// The knob whose name differs least, if at most a third of the letters differ; case
/// does not count.
fn nearest(name: &str) -> Option<&'static str> {
    let wanted = name.to_lowercase();
    let distance = |known: &str| strsim::damerau_levenshtein(&wanted, &known.to_lowercase());
    let (distance, nearest) = KNOBS
        .iter()
        .filter_map(|knob| knob.name)
        .map(|known| (distance(known), known))
        .min_by_key(|&(distance, _)| distance)?;
    (distance <= name.chars().count() / 3).then_some(nearest)
}
