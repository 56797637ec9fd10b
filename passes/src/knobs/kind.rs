//! What a knob takes, and the field that holds it.

use super::Knobs;
use std::fmt;
use std::ops::RangeInclusive;

/// A knob's field in [`Knobs`].
type Field<T> = fn(&mut Knobs) -> &mut T;

/// What a knob takes, and the field that holds it.
pub enum Kind {
    /// Off or on.
    Bool(Field<bool>),
    /// An integer of a range.
    Integer(Field<u32>, RangeInclusive<u32>),
    /// One of a few integers.
    OneOf(Field<u32>, &'static [u32]),
    /// An integer of a range, or `none`.
    Optional(Field<Option<u32>>, RangeInclusive<u32>),
    /// A number of a range.
    Number(Field<f64>, RangeInclusive<f64>),
    /// A number of a range, or `none`.
    OptionalNumber(Field<Option<f64>>, RangeInclusive<f64>),
}

/// How a knob without a value is written.
const NONE: &str = "none";

impl Kind {
    /// Sets the field if the text is a value of this kind; says whether it is.
    pub(super) fn set(&self, knobs: &mut Knobs, text: &str) -> bool {
        match self {
            Self::Bool(field) => store(field(knobs), bool(text)),
            Self::Integer(field, range) => store(field(knobs), integer(text, range)),
            Self::OneOf(field, values) => {
                let value = text.parse().ok().filter(|value| values.contains(value));
                store(field(knobs), value)
            }
            Self::Optional(field, _) if text == NONE => store(field(knobs), Some(None)),
            Self::Optional(field, range) => store(field(knobs), integer(text, range).map(Some)),
            Self::Number(field, range) => store(field(knobs), number(text, range)),
            Self::OptionalNumber(field, _) if text == NONE => store(field(knobs), Some(None)),
            Self::OptionalNumber(field, range) => {
                store(field(knobs), number(text, range).map(Some))
            }
        }
    }

    /// The field's value, in a form that can be set.
    pub fn value(&self, mut knobs: Knobs) -> String {
        let knobs = &mut knobs;
        match self {
            Self::Bool(field) => u32::from(*field(knobs)).to_string(),
            Self::Integer(field, _) | Self::OneOf(field, _) => field(knobs).to_string(),
            Self::Optional(field, _) => field(knobs).map_or(NONE.into(), |value| value.to_string()),
            Self::Number(field, _) => format!("{:?}", field(knobs)),
            Self::OptionalNumber(field, _) => {
                field(knobs).map_or(NONE.into(), |value| format!("{value:?}"))
            }
        }
    }
}

fn store<T>(field: &mut T, value: Option<T>) -> bool {
    value.map(|value| *field = value).is_some()
}

fn bool(text: &str) -> Option<bool> {
    match text {
        "0" | "false" => Some(false),
        "1" | "true" => Some(true),
        _ => None,
    }
}

fn integer(text: &str, range: &RangeInclusive<u32>) -> Option<u32> {
    text.parse().ok().filter(|value| range.contains(value))
}

fn number(text: &str, range: &RangeInclusive<f64>) -> Option<f64> {
    text.parse().ok().filter(|value| range.contains(value))
}

/// For messages: "takes ...".
impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(_) => formatter.write_str("a bool, 0 or 1"),
            Self::Integer(_, range) => write!(formatter, "an integer {}", limits(range, u32::MAX)),
            Self::OneOf(_, values) => {
                let values: Vec<_> = values.iter().map(u32::to_string).collect();
                write!(formatter, "one of {}", values.join(", "))
            }
            Self::Optional(_, range) => {
                let limits = limits(range, u32::MAX);
                write!(formatter, "an integer {limits}, or {NONE}")
            }
            Self::Number(_, range) => write!(formatter, "a number {}", limits(range, f64::MAX)),
            Self::OptionalNumber(_, range) => {
                let limits = limits(range, f64::MAX);
                write!(formatter, "a number {limits}, or {NONE}")
            }
        }
    }
}

/// A range whose end says nothing if it is all that the type holds.
fn limits<T: PartialEq + fmt::Display>(range: &RangeInclusive<T>, largest: T) -> String {
    match *range.end() == largest {
        true => format!("from {}", range.start()),
        false => format!("from {} to {}", range.start(), range.end()),
    }
}
