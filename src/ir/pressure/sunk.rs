//! What the back end computes where it is used, later than IR does: parameters of kernels and
//! cheap results that one other block alone uses, which is in no loop that they are not in.
//!
//! Source: LLVM's MachineSinking, by its main rule.

use super::block::{Block, Place};
use super::values::Values;
use crate::ir::Unit;
use crate::ir::loops::Loops;
use crate::ir::value::Value;
use fixedbitset::FixedBitSet;
use inkwell::values::FunctionValue;
use rustc_hash::FxHashMap;

/// Where a piece is used.
#[derive(Clone, Copy)]
enum Use {
    /// Nowhere yet.
    None,
    /// In that place's block alone, there first.
    At(Place),
    /// In several, or at a block's end.
    Many,
}

/// A piece, and where its value stands; none for a parameter.
type Sunken = (usize, Option<Place>);

/// What is computed elsewhere than it stands.
pub struct Sunk {
    /// For the instructions before which something is computed, that.
    before: FxHashMap<Place, Vec<Sunken>>,
    is_sunk: FixedBitSet,
}

impl Sunk {
    /// Finds it.
    pub fn new(unit: &Unit, function: FunctionValue, values: &Values, blocks: &[Block]) -> Self {
        let before = sunk(unit, function, values, blocks);
        let mut is_sunk = FixedBitSet::with_capacity(values.pieces.len());
        for &(piece, _) in before.values().flatten() {
            is_sunk.set(piece, true);
        }
        Self { before, is_sunk }
    }

    /// What is computed just before an instruction.
    pub fn before(&self, place: Place) -> &[Sunken] {
        self.before.get(&place).map_or(&[], Vec::as_slice)
    }

    /// Whether a piece is computed elsewhere than it stands. What is cheap has one.
    pub fn is_sunk(&self, piece: usize) -> bool {
        self.is_sunk[piece]
    }
}

fn sunk(
    unit: &Unit,
    function: FunctionValue,
    values: &Values,
    blocks: &[Block],
) -> FxHashMap<Place, Vec<Sunken>> {
    let mut uses = vec![Use::None; values.pieces.len()];
    let mut locations = vec![None; values.pieces.len()];
    for (number, block) in blocks.iter().enumerate() {
        for position in 0..block.instructions.len() {
            let place = (number, position);
            for &piece in block.own(position) {
                if values.pieces[piece].owner == block.instructions[position] {
                    locations[piece] = Some(place);
                }
            }
            for &piece in block.used(position) {
                uses[piece] = match uses[piece] {
                    _ if block.is_phi(position) => Use::Many,
                    Use::None => Use::At(place),
                    Use::At(first) if first.0 == number => Use::At(first),
                    Use::At(_) | Use::Many => Use::Many,
                };
            }
        }
    }
    let loops = Loops::new(unit, function);
    let mut result: FxHashMap<Place, Vec<Sunken>> = FxHashMap::default();
    for (piece, data) in values.pieces.iter().enumerate() {
        let Use::At(first) = uses[piece] else {
            continue;
        };
        // Parameters are there where the function begins.
        let own = locations[piece].map_or(0, |(block, _)| block);
        if own == first.0 || !is_cheap(data.owner) {
            continue;
        }
        let own_loop = data.owner.opcode().and_then(|_| loops.around(data.owner));
        let into = loops.around(blocks[first.0].instructions[first.1]);
        let is_outside = into.is_none() || loops.chain(own_loop).any(|one| Some(one) == into);
        let is_whole = data.owner.opcode().is_none() || values.of(data.owner).count() == 1;
        if is_whole && is_outside {
            let sunken = (piece, locations[piece]);
            result.entry(first).or_default().push(sunken);
        }
    }
    result
}

/// Whether it is computed of little: a parameter, or integers and addresses.
fn is_cheap(value: Value) -> bool {
    value.opcode().is_none() || value.is_integer_or_address_arithmetic()
}
