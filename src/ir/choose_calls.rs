//! Chooses the calls that are inlined.

use super::Unit;

/// Whether any call was chosen.
pub fn run(_unit: &Unit) -> bool {
    false
}
