//! Takes away the marks that the passes of the pipeline leave for one another.

use super::{Unit, changed};

/// Whether there were any.
pub fn run(unit: &Unit) -> bool {
    unit.definitions()
        .fold(false, |any, function| changed::unmark(function) | any)
}
