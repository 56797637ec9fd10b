//! Takes away the marks that the passes of the pipeline leave for one another.

use super::{Unit, changed, exclude, originals};

/// Whether there were any.
pub fn run(unit: &Unit) -> bool {
    let marks = unit.definitions();
    let any = marks.fold(false, |any, function| {
        changed::unmark(function) | exclude::unmark(function) | any
    });
    originals::remove(unit) | any
}
