//! Whether a mutation has only moved code past what has nothing to do with it. Linear in
//! the code.
//!
//! The checker follows values by their names. A store that has moved before the copy that
//! gives its value a name is a fault to it, though the register has held the value before:
//! such copies are deleted. Here only registers and slots count.

use super::finished::{finished, renamed};
use crate::allocation::{Allocation, Location};
use crate::function::{
    Block, Function, InstructionData, InstructionFlags, InstructionKind, Operand, OperandRegister,
    Slot,
};
use crate::machine::{Machine, Register};

/// An instruction with its operands.
type Item<'a> = (&'a InstructionData, &'a [Operand]);

/// Whether the second allocation does what the first one does: its locations are the same, and
/// in each block at most one store or reload stands elsewhere, with nothing in between that
/// accesses its register or its slot.
pub fn only_reordered(
    function: &Function,
    machine: &Machine,
    first: &Allocation,
    second: &Allocation,
) -> bool {
    if first.locations != second.locations {
        return false;
    }
    let [a, b] = [first, second]
        .map(|allocation| finished(function, allocation, &renamed(function, allocation)));
    let place = Comparison {
        machine,
        locations: first,
    };
    function.blocks.keys().all(|block| {
        let [a, b] = [&a, &b].map(|code| items(code, block));
        place.same(&a, &b)
    })
}

fn items(code: &Function, block: Block) -> Vec<Item<'_>> {
    let instructions = code.block_instructions(block);
    instructions
        .map(|one| (&code.instructions[one], code.instruction_operands(one)))
        .collect()
}

fn equal(a: Item, b: Item) -> bool {
    let parts = |one: Item| (one.0.kind, one.0.flags, one.0.clobbers);
    parts(a) == parts(b) && a.1 == b.1
}

fn all_equal(a: &[Item], b: &[Item]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| equal(a, b))
}

/// Where values are.
struct Comparison<'a> {
    machine: &'a Machine,
    locations: &'a Allocation,
}

impl Comparison<'_> {
    fn same(&self, a: &[Item], b: &[Item]) -> bool {
        if a.len() != b.len() {
            return false;
        }
        let differs = |&at: &usize| !equal(a[at], b[at]);
        let Some(first) = (0..a.len()).find(differs) else {
            return true;
        };
        let last = (0..a.len()).rfind(differs).unwrap_or(first);
        let (a, b) = (&a[first..=last], &b[first..=last]);
        // One of them has what has moved at its begin, the other one at its end.
        self.moved_down(a, b) || self.moved_down(b, a)
    }

    fn moved_down(&self, from: &[Item], to: &[Item]) -> bool {
        let ((&moved, rest), (&end, others)) = match (from.split_first(), to.split_last()) {
            (Some(from), Some(to)) => (from, to),
            _ => return false,
        };
        equal(moved, end)
            && all_equal(rest, others)
            && rest.iter().all(|&other| self.are_apart(moved, other))
    }

    fn location(&self, operand: &Operand) -> Location {
        match operand.register {
            OperandRegister::Virtual(value) => self.locations.locations[value],
            OperandRegister::Physical(register) => Location::Register(register),
            OperandRegister::Slot(slot) => Location::Slot(slot),
            OperandRegister::Loaded(_) => Location::None,
        }
    }

    fn register(&self, operand: &Operand) -> Option<Register> {
        match self.location(operand) {
            Location::Register(register) => Some(register),
            Location::Slot(_) | Location::None => None,
        }
    }

    /// Whether a store or reload may change places with another instruction.
    fn are_apart(&self, moved: Item, other: Item) -> bool {
        let (slot, loads) = match moved.0.kind {
            InstructionKind::Store(slot) => (slot, false),
            InstructionKind::Reload(slot) => (slot, true),
            _ => return false,
        };
        let Some(register) = moved.1.first().and_then(|operand| self.register(operand)) else {
            return false;
        };
        let (data, operands) = other;
        if let (InstructionKind::Copy, [to, from, ..]) = (data.kind, operands)
            && to.sub_register.is_whole()
            && from.sub_register.is_whole()
            && self.register(to).is_some()
            && self.register(to) == self.register(from)
        {
            return true;
        }
        let (InstructionKind::Store(own) | InstructionKind::Reload(own)) = data.kind else {
            return data.clobbers.is_none()
                && !data.flags.contains(InstructionFlags::LEAVES)
                && self.leaves_alone(operands, register, slot, loads);
        };
        own != slot && self.leaves_alone(operands, register, slot, loads)
    }

    /// Whether none of the operands writes the register, reads it if that matters, or is
    /// in the slot.
    fn leaves_alone(
        &self,
        operands: &[Operand],
        register: Register,
        slot: Slot,
        reads_matter: bool,
    ) -> bool {
        operands.iter().all(|operand| {
            let matters = reads_matter || operand.is_definition();
            let own = self.register(operand);
            let hits = own.is_some_and(|own| self.machine.alias(own, register));
            !(matters && hits) && self.location(operand) != Location::Slot(slot)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allocation::{Edit, EditKind, Position, SlotData};
    use crate::function::FunctionBuilder;
    use crate::machine::gpu;
    use crate::settings::Settings;
    use cranelift_entity::EntityRef;

    /// `v1 = v0` in one register, then what reads and what writes another register and that
    /// one: a store may move past all but the last.
    #[test]
    fn a_store_passes_what_leaves_its_register_alone() {
        let mut builder = FunctionBuilder::new("f");
        let [value, copy, other] = [0, 1, 2].map(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        let defined = builder.plain(&[Operand::write(value)]);
        let copied = builder.copy(copy, value);
        let read = builder.plain(&[Operand::write(other), Operand::read(copy)]);
        let written = builder.plain(&[Operand::write(value)]);
        builder.plain(&[Operand::read(value), Operand::read(other)]);
        let (function, machine) = (builder.finish(), gpu::machine(8));
        let mut allocation = crate::allocate(&function, &machine, &Settings::default()).unwrap();
        let order = &machine.classes[gpu::SINGLE32].order;
        allocation.locations[value] = Location::Register(order[0]);
        allocation.locations[copy] = Location::Register(order[0]);
        allocation.locations[other] = Location::Register(order[1]);
        let slot = Slot::new(0);
        allocation.slots.push(SlotData {
            size: 4,
            alignment: 4,
            outdated: false,
            lanes: 1,
            column: None,
        });
        let with_store = |after| {
            let mut allocation = allocation.clone();
            allocation.edits = vec![Edit {
                at: Position::After(after),
                kind: EditKind::Store { value: copy, slot },
            }];
            allocation
        };
        for (to, is_same) in [(defined, true), (read, true), (written, false)] {
            let [from, to] = [copied, to].map(with_store);
            assert_eq!(only_reordered(&function, &machine, &from, &to), is_same);
            assert_eq!(only_reordered(&function, &machine, &to, &from), is_same);
        }
    }
}
