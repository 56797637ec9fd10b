//! How many registers of each class are live where.
//!
//! Counted is behind each instruction, its result being there whether it is used or not, as
//! the allocator counts, and where a block begins.

use super::class::{CLASSES, Class};
use super::lines::{Line, line};
use super::live::Liveness;
use super::uniform::Uniform;
use super::values::{Piece, Values};
use crate::ir::value::Value;
use crate::ir::{Unit, limit};
use fixedbitset::FixedBitSet;
use inkwell::llvm_sys::core::{LLVMDisposeMessage, LLVMPrintValueToString};
use inkwell::values::FunctionValue;
use std::collections::BTreeMap;
use std::ffi::CStr;

/// Registers of each class, in the order of [`CLASSES`]. R and P count all values, as PTX
/// does, which has no registers of warps; UR and UP those of them that could lie there. The
/// last is what is left for R then.
pub type Counts = [u32; CLASSES.len() + 1];

/// The place in [`Counts`] of what is left for R.
pub const BESIDE_UNIFORM: usize = CLASSES.len();

/// What is known of a function.
pub struct Measures {
    /// Its name.
    pub name: String,
    /// Threads of a block, if it says so.
    pub threads: Option<u32>,
    /// The most of each class.
    pub most: Counts,
    /// The most in each block.
    pub blocks: Vec<(String, Counts)>,
    /// The most at each line.
    pub lines: BTreeMap<Line, Counts>,
    /// The first place at which the most registers of R are live.
    pub peak: Option<Peak>,
    /// Values in registers that are the same in all threads of a warp, and others.
    pub values: [usize; 2],
}

/// A place, and what is live there.
pub struct Peak {
    /// Its block.
    pub block: String,
    /// The instruction, or that of the block's beginning.
    pub instruction: String,
    /// Its line.
    pub line: Option<Line>,
    /// The values that are live in R, those with most registers first.
    pub live: Vec<LiveValue>,
}

/// A value and what it takes.
pub struct LiveValue {
    /// Its name.
    pub name: String,
    /// Registers of R.
    pub registers: u32,
    /// Whether they could be a warp's.
    pub is_uniform: bool,
    /// Where it is computed.
    pub line: Option<Line>,
}

/// Measures a function as it would be on an SM.
pub fn measure(unit: &Unit, function: FunctionValue, sm: Option<u32>) -> Measures {
    let uniform = Uniform::new(unit, function, sm);
    let values = Values::new(unit, function, &uniform);
    let liveness = Liveness::new(unit, function, &values);
    let mut measures = Measures {
        name: function.get_name().to_string_lossy().into_owned(),
        threads: limit::bounds(function).known_threads(),
        most: Counts::default(),
        blocks: Vec::new(),
        lines: BTreeMap::new(),
        peak: None,
        values: [0, 0],
    };
    for &owner in &values.owners {
        measures.values[usize::from(uniform.is_divergent(owner))] += 1;
    }
    let mut peak: Option<(usize, Value, FixedBitSet)> = None;
    for (index, block) in liveness.blocks.iter().enumerate() {
        let mut most = Counts::default();
        let mut live = liveness.at_end[index].clone();
        // The first of equal places in the order of the function.
        let mut best: Option<(Value, FixedBitSet)> = None;
        for (position, &instruction) in block.instructions.iter().enumerate().rev() {
            let place = (index, position);
            if !block.is_computed(position) {
                continue;
            }
            if liveness.is_in_place(place) && !block.is_phi(position) {
                let own = block.own(position).iter();
                own.for_each(|&piece| live.set(piece, true));
            }
            let counts = counts(&values, &live);
            if counts[0] >= most[0] && counts[0] > 0 {
                best = Some((instruction, live.clone()));
            }
            raise(&mut most, &counts);
            if let Some(line) = line(instruction) {
                raise(measures.lines.entry(line).or_default(), &counts);
            }
            if !block.is_phi(position) {
                liveness.step(place, &mut live);
            }
        }
        if most[0] > measures.most[0]
            && let Some((instruction, live)) = best
        {
            peak = Some((index, instruction, live));
        }
        raise(&mut measures.most, &most);
        measures.blocks.push((block.name.clone(), most));
    }
    measures.peak = peak.map(|(block, instruction, live)| Peak {
        block: liveness.blocks[block].name.clone(),
        instruction: name(instruction),
        line: line(instruction),
        live: live_values(&values, &live),
    });
    measures
}

fn raise(most: &mut Counts, counts: &Counts) {
    for (most, &count) in most.iter_mut().zip(counts) {
        *most = count.max(*most);
    }
}

fn counts(values: &Values, live: &FixedBitSet) -> Counts {
    let mut counts = Counts::default();
    for index in live.ones() {
        let piece = &values.pieces[index];
        match piece.class {
            Class::R => counts[BESIDE_UNIFORM] += piece.count,
            Class::P => {}
            warps => counts[warps as usize] += piece.count,
        }
        counts[piece.class.of_threads() as usize] += piece.count;
    }
    counts
}

fn live_values(values: &Values, live: &FixedBitSet) -> Vec<LiveValue> {
    let mut owners: Vec<(Piece, u32)> = Vec::new();
    let pieces = live.ones().map(|index| &values.pieces[index]);
    for piece in pieces.filter(|piece| piece.class.of_threads() == Class::R) {
        match owners.last_mut() {
            Some((last, count)) if last.owner == piece.owner => *count += piece.count,
            _ => owners.push((*piece, piece.count)),
        }
    }
    owners.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let live = owners.into_iter().map(|(piece, registers)| LiveValue {
        name: name(piece.owner),
        registers,
        is_uniform: piece.class == Class::UR,
        line: line(piece.owner),
    });
    live.collect()
}

/// A value's name as LLVM prints it; of an instruction without a result its operation.
fn name(value: Value) -> String {
    // SAFETY: a living value; LLVM's text is given back once.
    let text = unsafe {
        let text = LLVMPrintValueToString(value.as_ref());
        let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeMessage(text);
        copy
    };
    let text = text.trim();
    match text.split_once(" = ") {
        Some((name, _)) => name.to_owned(),
        // A parameter: its type comes first.
        None if value.opcode().is_none() => text.rsplit(' ').next().unwrap_or(text).to_owned(),
        None => text.split(' ').next().unwrap_or(text).to_owned(),
    }
}
