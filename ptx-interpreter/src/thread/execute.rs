//! The execution of one instruction, as far as it needs no other thread.

use super::{Result, State, Thread, World};
use crate::arithmetic::{binary, compare, insert, ternary, unary, with_carry};
use crate::atomic::updated;
use crate::convert::convert;
use crate::error::Trouble;
use crate::memory::{from_generic, resolve, to_generic};
use crate::module::Module;
use crate::operation::{Binary, Operation, Register};
use crate::types::{Space, Type, sign_extend, truncate};

impl Thread {
    pub(super) fn execute(&mut self, world: &mut World<'_>, operation: &Operation) -> Result<()> {
        let undefined = Trouble::Undefined("an operation that its type lacks");
        match operation {
            Operation::Move(kind, to, from) => {
                let value = self.get(world, *from);
                self.set(world, *to, truncate(value, kind.bits()));
            }
            Operation::Pack(bits, to, parts) => {
                let mut value = 0;
                for (i, part) in parts.iter().enumerate() {
                    value |= truncate(self.get(world, *part), *bits) << (i as u32 * bits);
                }
                self.set(world, *to, value);
            }
            Operation::Unpack(bits, parts, from) => {
                let value = self.get(world, *from);
                for (i, part) in parts.iter().enumerate() {
                    if let Some(part) = part {
                        self.set(world, *part, truncate(value >> (i as u32 * bits), *bits));
                    }
                }
            }
            Operation::Unary(op, kind, flushes, to, a) => {
                let a = self.get(world, *a);
                self.set(world, *to, unary(*op, *kind, *flushes, a).ok_or(undefined)?);
            }
            Operation::Binary(op, kind, flushes, to, a, b) => {
                let (a, b) = (self.get(world, *a), self.get(world, *b));
                self.set(
                    world,
                    *to,
                    binary(*op, *kind, *flushes, a, b).ok_or(undefined)?,
                );
            }
            Operation::Ternary(op, kind, flushes, to, operands) => {
                let values = operands.map(|o| self.get(world, o));
                self.set(
                    world,
                    *to,
                    ternary(*op, *kind, *flushes, values).ok_or(undefined)?,
                );
            }
            Operation::InsertBits(kind, to, operands) => {
                let values = operands.map(|o| self.get(world, o));
                self.set(world, *to, insert(*kind, values).ok_or(undefined)?);
            }
            Operation::Carry {
                high,
                takes,
                gives,
                to,
                operands,
            } => {
                let values = operands.map(|o| self.get(world, o));
                let (value, carry) = with_carry(*high, values, *takes && self.carry);
                if *gives {
                    self.carry = carry;
                }
                self.set(world, *to, value);
            }
            Operation::Select(_, to, a, b, choose) => {
                let chosen = if self.get(world, *choose) & 1 == 1 {
                    *a
                } else {
                    *b
                };
                let value = self.get(world, chosen);
                self.set(world, *to, value);
            }
            Operation::Compare {
                how,
                kind,
                to,
                complement,
                left,
                right,
                combine,
            } => {
                let (a, b) = (self.get(world, *left), self.get(world, *right));
                let result = compare(*how, *kind, a, b).ok_or(undefined)?;
                let mut results = [result, !result];
                if let Some(c) = combine {
                    let other = (self.get(world, c.predicate) & 1 == 1) != c.negated;
                    results = results.map(|r| match c.with {
                        Binary::And => r & other,
                        Binary::Or => r | other,
                        _ => r ^ other,
                    });
                }
                self.set(world, *to, u64::from(results[0]));
                if let Some(complement) = complement {
                    self.set(world, *complement, u64::from(results[1]));
                }
            }
            Operation::Convert(how, to, from) => {
                let from = self.get(world, *from);
                let value = convert(*how, from).ok_or(undefined)?;
                self.set_wide(world, *to, how.to, value);
            }
            Operation::ConvertPair(how, to, high, low) => {
                let (high, low) = (self.get(world, *high), self.get(world, *low));
                let high = convert(*how, high).ok_or(undefined.clone())?;
                let low = convert(*how, low).ok_or(undefined)?;
                self.set(world, *to, high << how.to.bits() | low);
            }
            Operation::Load(space, kind, to, address) => {
                let address = self.address(world, *address);
                let size = kind.bytes();
                let bytes = self.memory(world, *space, address, size * to.len(), false)?;
                let mut loaded = [0; 4];
                for (value, bytes) in loaded.iter_mut().zip(bytes.chunks(size)) {
                    *value = from_bytes(bytes);
                }
                for (to, value) in to.iter().zip(loaded) {
                    if let Some(to) = to {
                        self.set_wide(world, *to, *kind, value);
                    }
                }
            }
            Operation::Store(space, kind, address, from) => {
                let address = self.address(world, *address);
                let mut values = [0; 4];
                for (value, from) in values.iter_mut().zip(from) {
                    *value = self.get(world, *from);
                }
                let size = kind.bytes();
                let bytes = self.memory(world, *space, address, size * from.len(), true)?;
                for (bytes, value) in bytes.chunks_mut(size).zip(values) {
                    bytes.copy_from_slice(&value.to_le_bytes()[..size]);
                }
                if self.visible {
                    for (i, value) in values.into_iter().enumerate().take(from.len()) {
                        let place = address.wrapping_add((i * size) as u64);
                        let value = truncate(value, kind.bits());
                        world.report.store(own_address(*space, place), value);
                    }
                }
            }
            Operation::Atomic(op, space, kind, to, address, [b, c]) => {
                let address = self.address(world, *address);
                let (b, c) = (self.get(world, *b), self.get(world, *c));
                if resolve(address).0 == Space::Local && *space == Space::Generic {
                    return Err(Trouble::Undefined("an atomic operation on local memory"));
                }
                let bytes = self.memory(world, *space, address, kind.bytes(), true)?;
                let old = from_bytes(bytes);
                let new = updated(*op, *kind, old, b, c).ok_or(undefined)?;
                bytes.copy_from_slice(&new.to_le_bytes()[..kind.bytes()]);
                if let Some(to) = to {
                    self.set(world, *to, old);
                }
            }
            Operation::ToGeneric(space, to, from) => {
                if *space == Space::Param && self.frames.len() > 1 {
                    return Err(Trouble::Undefined(
                        "a generic address of a device function's parameter",
                    ));
                }
                let from = self.get(world, *from);
                self.set(world, *to, to_generic(*space, from));
            }
            Operation::FromGeneric(space, to, from) => {
                let from = self.get(world, *from);
                self.set(world, *to, from_generic(*space, from)?);
            }
            Operation::Branch(label) => self.jump(world.module, *label),
            Operation::BranchTable(index, table) => {
                let index = self.get(world, *index) as usize;
                let tables = &world.module.functions[self.frame().function].tables;
                match tables[*table as usize].get(index) {
                    Some(&label) => self.jump(world.module, label),
                    None => return Err(Trouble::Undefined("the index is beyond the table")),
                }
            }
            Operation::Call {
                name, arguments, ..
            } => {
                self.call(world.module, name, arguments)?;
            }
            Operation::Return => {
                if self.frames.len() == 1 {
                    self.finish(world)?;
                }
                self.leave(world.module)?;
            }
            Operation::Exit => {
                self.finish(world)?;
                self.state = State::Done;
            }
            Operation::Asynchronous(operation) => self.start(world, operation)?,
            Operation::Unknown(error) => return Err(Trouble::Unknown((**error).clone())),
            Operation::Trap => return Err(Trouble::Undefined("trap")),
            Operation::Fence => {}
            // How long does not matter; that the turn ends does.
            Operation::Sleep(time) => {
                self.get(world, *time);
            }
            Operation::Barrier { id, count, .. } => {
                let id = self.get(world, *id) as u32;
                let count = count.map(|c| self.get(world, c) as u32);
                if id >= 16 || count.is_some_and(|c| c == 0 || c % 32 != 0) {
                    return Err(Trouble::Undefined("a barrier that does not exist"));
                }
                self.state = State::Barrier { id, count };
            }
            Operation::Warp(_, mask) => {
                let mask = self.get(world, *mask) as u32;
                if mask >> (self.index % 32) & 1 == 0 {
                    return Err(Trouble::Undefined("the membermask leaves out the thread"));
                }
                self.state = State::Warp { mask };
            }
        }
        Ok(())
    }

    fn jump(&mut self, module: &Module, label: u32) {
        let frame = self.frame();
        frame.next = module.functions[frame.function].labels[label as usize] as usize;
    }

    /// Extends a value to its register as its type demands.
    fn set_wide(&mut self, world: &mut World<'_>, to: Register, kind: Type, value: u64) {
        let bits = world.module.functions[self.frame().function].registers[to as usize].bits();
        let wide = if kind.is_signed() {
            sign_extend(value, kind.bits()) as u64
        } else {
            value
        };
        self.set(world, to, truncate(wide, bits));
    }
}

/// The address in its own space.
fn own_address(space: Space, address: u64) -> u64 {
    match space {
        Space::Generic => resolve(address).1,
        _ => address,
    }
}

pub(crate) fn from_bytes(bytes: &[u8]) -> u64 {
    let mut out = [0; 8];
    out[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(out)
}
