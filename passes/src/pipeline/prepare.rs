//! What happens to a function before anything is decided about it.
//!
//! Linear in the function.

use super::Input;
use super::narrow::narrow;
use crate::analysis::frequency::{damp, expect_unequal};
use crate::analysis::loops::natural_loops;
use crate::function::Function;
use crate::settings::{Pass, Settings};

/// Narrows values; takes guesses for less. What comes back is the function with its frequencies as
/// they were, if they are others now and somebody wants explanations.
pub fn prepare(input: &mut Input, settings: &Settings) -> Option<Function> {
    if let Some(gpu) = &input.gpu
        && settings.runs(Pass::LowHalves)
    {
        narrow(&mut input.function, &gpu.halves);
    }
    if !settings.damp_guesses || input.is_profiled {
        return None;
    }
    let undamped = settings.explain.then(|| input.function.clone());
    let loops = natural_loops(&input.function);
    expect_unequal(&mut input.function, &loops, &input.taken_if_equal);
    damp(&mut input.function, &loops);
    undamped
}
