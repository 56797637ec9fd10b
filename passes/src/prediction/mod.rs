//! Prediction: how many registers ptxas will report for a kernel, without running it.
//!
//! ptxas allocates anew. What it finds to do is less than PTX names: values are read from
//! what they are computed of ([`combining`]), constants, parameters and what is uniform
//! take no register ([`folding`]), and it orders the instructions of a block as it likes
//! ([`order`], [`pressure`]), some of them in another block ([`sinking`]); where nothing is
//! done that can be seen it does nothing ([`effects`]). How many registers must be live then,
//! and some other figures, are the [`Measures`] of a function; the registers are a sum of
//! them, weighted by [`parameters`], one where all warps can run with them, another one above.
//! Loops that are unrolled ([`unrolling`]) and the launch bounds come last, and what is called
//! ([`calls`], [`callees`]), which is known when that has been compiled.
//!
//! Source: what ptxas 13.0 makes of public kernels for sm_80 to sm_100a; see
//! `docs/prediction.md` for how well it fits. Time: that of two list schedules of the
//! function.

pub mod callees;
pub mod calls;
mod combining;
mod def_use_chains;
mod effects;
pub mod expansion;
mod folding;

mod loads;
pub mod meaning;
mod measures;
mod order;
mod parameters;
mod pressure;
mod sinking;
mod unrolling;

pub use measures::{Live, live, rest};

use crate::function::Function;
use crate::machine::{Machine, gpu};
use calls::Calls;
use meaning::Texts;
use measures::Measures;
use parameters::{
    ALL_WARPS, BESIDE_COPIES, EMPTY, EVEN_BELOW, FITS, LARGE, PLENTY, REACH, SMALL, UNIFORM_SINCE,
};

/// What ptxas is expected to make of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The registers of a thread that it needs itself.
    pub own: u32,
    /// No more, whatever it calls.
    pub most: u32,
    /// Nobody calls it from where registers have to be saved.
    pub is_kernel: bool,
    /// What it calls.
    pub calls: Calls,
}

/// What the prediction goes by, beside the function.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// What the texts of the instructions say.
    pub texts: &'a Texts,
    /// The most registers with which as many blocks are resident as the kernel asks for, if
    /// it does.
    pub asked: Option<u32>,
    /// The most with which one of its blocks is resident, if its size is known.
    pub most: Option<u32>,
    /// The version of the SM.
    pub sm: u32,
    /// Warps are given registers or give some away, from what the block begins with.
    pub moves_registers: bool,
    /// What is called counts: knob 649.
    pub counts_calls: bool,
}

/// What ptxas is expected to make of a function; none for a machine without a file that
/// is limited.
pub fn expected(function: &Function, machine: &Machine, setting: &Setting) -> Option<Expected> {
    let file = machine.limited_file()?;
    let there = machine.files[file].size;
    let most = setting.most.unwrap_or(gpu::R_SIZE);
    let measures = Measures::new(function, machine, file, setting.texts);
    let acts = measures.named > 0 && effects::acts(function, &setting.texts.expansions);
    let found = match acts {
        true => taken(&measures, setting),
        false => EMPTY,
    };
    let calls = match setting.counts_calls {
        true => Calls::new(function, &setting.texts.calls, &measures.pressures.in_order),
        false => Calls::default(),
    };
    let (own, most) = match (setting.moves_registers, setting.most) {
        // The block begins with all that it may have.
        (true, Some(_)) => (most, most),
        // ptxas spills for the blocks that are asked for.
        _ => {
            let most = most.min(setting.asked.unwrap_or(most));
            (found.min(most), most)
        }
    };
    tracing::debug!(
        function = function.name,
        sm = setting.sm,
        most,
        asked = setting.asked.unwrap_or(0),
        moves = setting.moves_registers,
        calls = !calls.is_empty(),
        acts,
        registers = own,
        %measures,
        "predicted"
    );
    Some(Expected {
        own: own.min(there),
        most: most.min(there),
        is_kernel: function.kernel,
        calls,
    })
}

/// What a kernel with these measures takes.
fn taken(measures: &Measures, setting: &Setting) -> u32 {
    let large = large(measures, setting);
    let registers = match large > f64::from(ALL_WARPS) + REACH && measures.least > FITS {
        true => large,
        false => small(measures, setting).min(f64::from(ALL_WARPS)),
    };
    let unit = match registers < EVEN_BELOW {
        true => 2.0,
        false => 1.0,
    };
    let registers = ((registers / unit).round() * unit).max(f64::from(EMPTY)) as u32;
    match (measures.unrolled, setting.asked) {
        (Some(unrolled), Some(asked)) if asked > ALL_WARPS => {
            registers.max((unrolled + BESIDE_COPIES).min(asked))
        }
        _ => registers,
    }
}

/// With as many registers as cost no warp.
fn small(measures: &Measures, setting: &Setting) -> f64 {
    let of = |is_there: bool, weight: f64| match is_there {
        true => weight,
        false => 0.0,
    };
    let there = &measures.expanded;
    let below = SMALL.subroutine.saturating_sub(measures.least);
    let copies = match (measures.unrolled, setting.asked) {
        (Some(unrolled), None) => unrolled.saturating_sub(measures.least),
        _ => 0,
    };
    let division_double = SMALL.division_double + SMALL.below_subroutine * f64::from(below);
    SMALL.constant
        + SMALL.least * f64::from(measures.least.min(SMALL.most_least))
        + SMALL.named * f64::from(measures.named.min(SMALL.most_named))
        + SMALL.loads * f64::from(measures.loads.min(SMALL.most_loads))
        + SMALL.copies * f64::from(copies.min(SMALL.most_copies))
        + SMALL.doubling * f64::from(measures.instructions + 1).log2()
        + of(there.shuffle, SMALL.shuffle)
        + of(there.division_integer, SMALL.division_integer)
        + of(there.rounded_single, SMALL.rounded_single)
        + of(there.division_double, division_double)
        + of(there.local, SMALL.local)
}

/// With more.
fn large(measures: &Measures, setting: &Setting) -> f64 {
    let uniform = match setting.sm >= UNIFORM_SINCE {
        true => LARGE.uniform,
        false => 0.0,
    };
    let loads = match setting.asked.is_some_and(|asked| asked > PLENTY) {
        true => LARGE.loads * f64::from(measures.loads),
        false => 0.0,
    };
    let least = LARGE.least * f64::from(measures.least);
    LARGE.constant + least + LARGE.mean * measures.mean + loads + uniform
}

#[cfg(test)]
mod tests;
