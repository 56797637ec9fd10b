//! Where a function needs most registers: one place a block.

use super::block::Place;
use super::class::Class;
use super::live::Liveness;
use super::values::Values;
use fixedbitset::FixedBitSet;

/// The place in a block at which most registers are live, the last of equal ones.
pub struct Peak {
    /// The block's number.
    pub block: usize,
    /// The number of the instruction in it behind which that is.
    pub position: usize,
    /// Registers of a thread.
    pub registers: u32,
    /// The pieces that are live there.
    pub live: FixedBitSet,
}

/// The peaks of the blocks that need more than `limit` registers, in the blocks' order.
pub fn peaks(values: &Values, liveness: &Liveness, limit: u32) -> Vec<Peak> {
    let mut peaks = Vec::new();
    for block in 0..liveness.blocks.len() {
        let mut best: Option<Peak> = None;
        walk(values, liveness, block, |position, counted| {
            let registers = counted.registers;
            match &mut best {
                Some(best) if registers > best.registers => {
                    (best.position, best.registers) = (position, registers);
                    best.live.clone_from(&counted.live);
                }
                None if registers > limit => {
                    best = Some(Peak {
                        block,
                        position,
                        registers,
                        live: counted.live.clone(),
                    });
                }
                _ => {}
            }
        });
        peaks.extend(best);
    }
    peaks
}

/// The most registers of a thread that are live at once.
pub fn most(values: &Values, liveness: &Liveness) -> u32 {
    let mut most = 0;
    live_registers(values, liveness, |_, registers| most = most.max(registers));
    most
}

/// Shows how many registers of a thread are live behind each instruction that computes
/// something, in the blocks' order and in each from its end.
pub fn live_registers(values: &Values, liveness: &Liveness, mut show: impl FnMut(Place, u32)) {
    for block in 0..liveness.blocks.len() {
        walk(values, liveness, block, |position, counted| {
            show((block, position), counted.registers);
        });
    }
}

/// Shows what is live behind each instruction of a block that computes something, with its
/// number, last first.
fn walk(
    values: &Values,
    liveness: &Liveness,
    number: usize,
    mut show: impl FnMut(usize, &Counted),
) {
    let block = &liveness.blocks[number];
    let mut counted = Counted::new(values, &liveness.at_end[number]);
    for position in (0..block.instructions.len()).rev() {
        let place = (number, position);
        if !block.is_computed(position) {
            continue;
        }
        if liveness.is_in_place(place) && !block.is_phi(position) {
            let own = block.own(position).iter();
            own.for_each(|&piece| counted.set(piece, true));
        }
        show(position, &counted);
        if !block.is_phi(position) {
            liveness.changes(place, |piece, is_live| {
                counted.set(piece, is_live);
            });
        }
    }
}

/// Live pieces, and the registers of a thread that they take.
struct Counted<'a> {
    values: &'a Values<'a>,
    live: FixedBitSet,
    registers: u32,
}

impl<'a> Counted<'a> {
    fn new(values: &'a Values<'a>, live: &FixedBitSet) -> Self {
        let pieces = live.ones().map(|piece| &values.pieces[piece]);
        let threads = pieces.filter(|piece| piece.class == Class::R);
        Self {
            values,
            live: live.clone(),
            registers: threads.map(|piece| piece.count).sum(),
        }
    }

    fn set(&mut self, piece: usize, is_live: bool) {
        let data = &self.values.pieces[piece];
        if self.live[piece] == is_live {
            return;
        }
        self.live.set(piece, is_live);
        if data.class != Class::R {
            return;
        }
        match is_live {
            true => self.registers += data.count,
            false => self.registers -= data.count,
        }
    }
}
