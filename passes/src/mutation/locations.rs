//! Mutations of locations.

use super::{Mutator, pick};
use crate::allocation::{Allocation, EditKind, Location, Position};
use crate::function::{OperandIndex, OperandRegister, VirtualRegister};
use crate::machine::Register;
use fastrand::Rng;

impl Mutator<'_> {
    pub(super) fn drop_edge(&self, random: &mut Rng, into: &mut Allocation) -> Option<String> {
        let same = |value: VirtualRegister, neighbour: VirtualRegister| {
            let register = self.register(neighbour)?;
            let fits = self.class(value) == self.class(neighbour)
                && self.register(value) != Some(register);
            fits.then_some(register)
        };
        self.move_onto_neighbour(random, into, |_, value, neighbour| same(value, neighbour))
    }

    pub(super) fn overlap(&self, random: &mut Rng, into: &mut Allocation) -> Option<String> {
        self.move_onto_neighbour(random, into, |random, value, neighbour| {
            let (own, taken) = (self.register(value)?, self.register(neighbour)?);
            let order = self.order(value).iter().copied();
            let overlapping =
                order.filter(|&register| register != own && self.machine.alias(register, taken));
            pick(random, overlapping)
        })
    }

    /// Moves a value to a register that `target` finds for it and a neighbour.
    fn move_onto_neighbour(
        &self,
        random: &mut Rng,
        into: &mut Allocation,
        target: impl Fn(&mut Rng, VirtualRegister, VirtualRegister) -> Option<Register>,
    ) -> Option<String> {
        let mut values = self.named.clone();
        random.shuffle(&mut values);
        values.into_iter().find_map(|value| {
            let mut neighbours = self.graph.neighbours(value).to_vec();
            random.shuffle(&mut neighbours);
            neighbours.into_iter().find_map(|neighbour| {
                let register = target(random, value, neighbour)?;
                let moved = self.put(into, value, register)?;
                Some(format!("{moved}, next to {neighbour}"))
            })
        })
    }

    pub(super) fn move_value(&self, random: &mut Rng, into: &mut Allocation) -> Option<String> {
        let value = pick(random, self.named.iter().copied())?;
        let own = self.register(value)?;
        let others = self.order(value).iter().copied();
        let register = pick(random, others.filter(|&register| register != own))?;
        self.put(into, value, register)
    }

    pub(super) fn swap_values(&self, random: &mut Rng, into: &mut Allocation) -> Option<String> {
        let value = pick(random, self.named.iter().copied())?;
        let other = self.other_of_class(random, value)?;
        let (first, second) = (self.register(value)?, self.register(other)?);
        if first == second {
            return None;
        }
        let moved = self.put(into, value, second)?;
        Some(format!("{moved}; {}", self.put(into, other, first)?))
    }

    pub(super) fn change_location(
        &self,
        random: &mut Rng,
        into: &mut Allocation,
    ) -> Option<String> {
        let values = self.finished.virtual_registers.keys();
        let without_location = |value: &VirtualRegister| into.locations[*value] != Location::None;
        let value = pick(random, values.filter(without_location))?;
        let old = into.locations[value];
        into.locations[value] = match old {
            Location::Slot(_) => {
                Location::Register(pick(random, self.order(value).iter().copied())?)
            }
            _ => Location::Slot(pick(random, into.slots.keys())?),
        };
        Some(format!(
            "{value} from {old:?} to {:?}",
            into.locations[value]
        ))
    }

    /// Gives a value another register. A copy that only did nothing because of
    /// the old one is made again, as the allocator would have done.
    fn put(
        &self,
        into: &mut Allocation,
        value: VirtualRegister,
        register: Register,
    ) -> Option<String> {
        let old = self.register(value)?;
        into.locations[value] = Location::Register(register);
        let locations = &into.locations;
        let place = |number: u32| {
            let operand = self.operands[OperandIndex::from_u32(number)];
            let location = match operand.register {
                OperandRegister::Physical(register) => register,
                OperandRegister::Slot(_) | OperandRegister::Loaded(_) => return None,
                OperandRegister::Virtual(value) => match locations[value] {
                    Location::Register(register) => register,
                    Location::Slot(_) | Location::None => return None,
                },
            };
            self.machine.part(location, operand.sub_register)
        };
        into.edits.retain(|edit| {
            let (Position::Before(at) | Position::After(at)) = edit.at;
            let first = self.function.instructions[at].operands.start;
            edit.kind != EditKind::DeleteCopy || place(first) == place(first + 1)
        });
        let (old, new) = (self.name(old), self.name(register));
        Some(format!("{value} from ${old} to ${new}"))
    }
}
