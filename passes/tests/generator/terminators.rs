//! How blocks end.
//!
//! As in LLVM a block may have several terminators, and each may read values and
//! registers, and write some: branches on a register, hardware loops, `asm goto`. No
//! code can be inserted from the first on, so what they read has to be in registers at
//! the same time, and what they define cannot be stored. So that there is a solution,
//! the terminators of a block read two values at most, and one terminator of the
//! function may define one.

use super::code::{Coder, Target, physical};
use super::control_flow::ControlFlow;
use super::cpu::{self, FLOAT, FULL, HALF};
use passes::function::{Access, InstructionFlags, Operand, OperandFlags, VirtualRegister};
use passes::machine::{Class, Register};

impl Coder<'_, '_> {
    pub(super) fn terminate(&mut self, block: usize, control_flow: &ControlFlow) {
        let leaves = control_flow.successors[block]
            .iter()
            .any(|&successor| self.landing[successor]);
        let leaves_last = leaves && self.choices.once_in(2);
        let count = match control_flow.successors[block].len() {
            0 => 1,
            // None: falls through.
            1 => self.choices.below(3).max(usize::from(leaves_last)),
            _ => 1 + self.choices.below(3),
        };
        let count_of_values = self.choices.below(3);
        let values = self.uses(count_of_values);
        let closing = self.choices.once_in(6).then(|| self.uses(1));
        let mut fixed = self.choices.once_in(4).then(|| self.argument()).flatten();
        if leaves && !leaves_last {
            self.leave(block, control_flow);
        }
        if let Some((register, value)) = fixed {
            self.copy(physical(register, Access::Definition), Operand::read(value));
        }
        if let Some(uses) = closing {
            self.close(uses);
        }
        for number in 0..count {
            let mut flags = InstructionFlags::TERMINATOR;
            if leaves_last && number == 0 {
                flags |= InstructionFlags::LEAVES | InstructionFlags::INLINE_ASSEMBLY;
            }
            // What control that has left does not pass is not defined where it goes.
            let reached = !leaves || leaves_last && number == 0;
            let mut operands = self.terminator_definition(reached);
            for &value in &values {
                if self.choices.once_in(2) {
                    operands.push(Operand::read(value));
                }
            }
            if let Some((register, _)) = fixed
                && self.choices.once_in(2)
            {
                operands.push(implicit(register, Access::Use));
            }
            if let Some(register) = self.clobbered() {
                let mut clobbered = implicit(register, Access::Definition);
                clobbered.flags |= OperandFlags::DEAD;
                let early = self.choices.once_in(2);
                clobbered.flags.set(OperandFlags::EARLY_CLOBBER, early);
                operands.push(clobbered);
                fixed = fixed.filter(|&(one, _)| one != register);
            }
            self.push(flags, &operands, None);
        }
    }

    /// A register that terminators may read, as a function's result, and what goes there.
    fn argument(&mut self) -> Option<(Register, VirtualRegister)> {
        let Target::Cpu = self.target else {
            return None;
        };
        let value = self.value_of(Class::from_u32(FULL));
        Some((cpu::register(self.machine, "x0"), value))
    }

    /// A register that a terminator destroys.
    fn clobbered(&mut self) -> Option<Register> {
        let Target::Cpu = self.target else {
            return None;
        };
        let is_there = self.choices.once_in(4);
        is_there.then(|| {
            let name = self.choices.pick(&["x0", "x1", "flags"]);
            cpu::register(self.machine, name)
        })
    }

    /// A new value if there may be one, or one that is counted down.
    fn terminator_definition(&mut self, may_be_new: bool) -> Vec<Operand> {
        if self.pinned || !self.choices.once_in(8) {
            return Vec::new();
        }
        let classes = match self.target {
            // A call destroys all registers of the other class.
            Target::Cpu => [FULL, HALF, FLOAT].map(Class::from_u32).to_vec(),
            Target::Gpu { .. } => self.classes(),
        };
        let class = self.choices.pick(&classes);
        let old = self.available_of(class);
        let old = old.filter(|_| self.choices.once_in(2) || !may_be_new);
        self.pinned = may_be_new || old.is_some();
        if let Some(value) = old {
            let mut read = Operand::read(value);
            read.tied_to = Some(0);
            return vec![Operand::write(value), read];
        }
        if !may_be_new {
            return Vec::new();
        }
        let value = self.new_value_of(class);
        self.available.push(value);
        let mut write = Operand::write(value);
        let early = self.choices.once_in(2);
        write.flags.set(OperandFlags::EARLY_CLOBBER, early);
        vec![write]
    }

    /// Leaves the block before its end, maybe with a value that is new in the landing
    /// block. Such a value cannot be spilled if the block has other predecessors.
    fn leave(&mut self, block: usize, control_flow: &ControlFlow) {
        let landing = control_flow.successors[block].iter();
        let mut landing = landing.filter(|&&successor| self.landing[successor]);
        let single = landing.all(|&successor| {
            control_flow.predecessors[successor].len() == 1 && !self.clobbering[successor]
        });
        let mut operands: Vec<Operand> = self.uses(1).into_iter().map(Operand::read).collect();
        if single {
            let value = self.new_value();
            operands.insert(0, Operand::write(value));
            self.available.push(value);
        }
        self.push(InstructionFlags::LEAVES, &operands, None);
    }

    /// Takes no more code, as at a call that may unwind: only uses follow.
    fn close(&mut self, uses: Vec<VirtualRegister>) {
        let uses: Vec<Operand> = uses.into_iter().map(Operand::read).collect();
        let instruction = self.builder.plain(&uses);
        let mut blocks = self.builder.function().blocks.keys();
        let block = blocks.next_back().expect("a block has been started");
        self.closed.push((block, instruction.as_u32()));
    }
}

fn implicit(register: Register, access: Access) -> Operand {
    let mut operand = physical(register, access);
    operand.flags |= OperandFlags::IMPLICIT;
    operand
}
