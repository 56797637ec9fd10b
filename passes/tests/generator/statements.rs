//! The kinds of statements that random code is made of.

use super::code::{Coder, Target, part, physical};
use super::cpu::{self, FULL, HALF, LOW, LOWER, UPPER};
use passes::function::{
    Access, InstructionFlags, MOST_SOURCES, Operand, OperandFlags, Tuple, VirtualRegisterData,
};
use passes::machine::{Class, ClobberMask, gpu};
use smallvec::SmallVec;

impl Coder<'_, '_> {
    pub(super) fn statement(&mut self) {
        match self.choices.below(18) {
            0..4 => self.operation(),
            16 => self.several(),
            17 => self.many_operands(),
            4 => self.redefinition(),
            5 => self.tied(),
            6 => self.early(),
            7 => self.copy_value(),
            8 => self.dead(),
            9 => self.rematerialisable(),
            10 => self.undefined(),
            11 => self.short(),
            12 => self.barrier(),
            which => match (self.target, which) {
                (Target::Gpu { .. }, 13) => self.vector(),
                (Target::Gpu { .. }, 14) => self.asynchronous(),
                (Target::Gpu { .. }, _) => self.operation(),
                (Target::Cpu, 13) => self.parts(),
                (Target::Cpu, 14) => self.call(),
                (Target::Cpu, _) => self.fixed(),
            },
        }
    }

    fn operation(&mut self) {
        let count = self.choices.below(4);
        let uses = self.uses(count);
        let value = self.new_value();
        let mut operands = vec![Operand::write(value)];
        operands.extend(uses.into_iter().map(Operand::read));
        self.builder.plain(&operands);
        self.available.push(value);
    }

    /// A vector that is loaded or stored, or accumulators: two to eight values of one
    /// class side by side.
    fn vector(&mut self) {
        let mut classes = self.classes();
        classes.retain(|&class| class != gpu::PREDICATE);
        let class = self.choices.pick(&classes);
        let width = self.machine.width(self.machine.classes[class].order[0]);
        let count = 2 + self.choices.below((8 / width as usize).max(2) - 1);
        let values: Vec<_> = match self.choices.once_in(2) {
            true => (0..count).map(|_| self.new_value_of(class)).collect(),
            false => (0..count).map(|_| self.value_of(class)).collect(),
        };
        let is_known = |value| self.available.contains(&value);
        let operands: Vec<Operand> = values
            .iter()
            .map(|&value| match is_known(value) {
                true => Operand::read(value),
                false => Operand::write(value),
            })
            .collect();
        let instruction = self.builder.plain(&operands);
        for value in values {
            if !self.available.contains(&value) {
                self.available.push(value);
            }
        }
        let accumulator = self.choices.once_in(2);
        let alignment = 1 << self.choices.below(4);
        self.builder.tuple(Tuple {
            instruction,
            places: (0..count as u16).map(Some).collect(),
            alignment,
            accumulator,
        });
    }

    /// Two or three definitions, of which some may be dead.
    fn several(&mut self) {
        let uses = self.uses(1);
        let count = 2 + self.choices.below(2);
        let mut operands = Vec::new();
        for _ in 0..count {
            let value = self.new_value();
            let mut operand = Operand::write(value);
            if self.choices.once_in(3) {
                operand.flags |= OperandFlags::DEAD;
            } else {
                self.available.push(value);
            }
            operands.push(operand);
        }
        operands.extend(uses.into_iter().map(Operand::read));
        self.builder.plain(&operands);
    }

    /// Up to a thousand uses of few values, as a call's record of what is live.
    fn many_operands(&mut self) {
        let values = self.uses(2);
        let count = 4 * self.choices.below(256);
        let operands: Vec<Operand> = (0..count)
            .map(|position| Operand::read(values[position % values.len()]))
            .collect();
        self.builder.plain(&operands);
    }

    fn redefinition(&mut self) {
        let uses = self.uses(2);
        let class = self.choices.pick(&self.classes());
        let value = self.value_of(class);
        let mut operands = vec![Operand::write(value)];
        operands.extend(uses.into_iter().map(Operand::read));
        self.builder.plain(&operands);
    }

    fn tied(&mut self) {
        let uses = self.uses(1);
        let class = self.choices.pick(&self.classes());
        let value = self.value_of(class);
        let mut read = Operand::read(value);
        read.tied_to = Some(0);
        let mut operands = vec![Operand::write(value), read];
        operands.extend(uses.into_iter().map(Operand::read));
        self.builder.plain(&operands);
    }

    fn early(&mut self) {
        let count = self.choices.below(3);
        let uses = self.uses(count);
        let value = self.new_value();
        let mut operands = vec![Operand::write(value)];
        operands[0].flags |= OperandFlags::EARLY_CLOBBER;
        operands.extend(uses.into_iter().map(Operand::read));
        self.push(InstructionFlags::INLINE_ASSEMBLY, &operands, None);
        self.available.push(value);
    }

    fn copy_value(&mut self) {
        let class = self.choices.pick(&self.classes());
        let from = self.value_of(class);
        // Between a class and one that is part of it, the other way as well.
        let to_class = match (self.target, class.as_u32()) {
            (Target::Cpu, FULL | LOW) => Class::from_u32(self.choices.pick(&[FULL, LOW])),
            _ => class,
        };
        let to = match self.available_of(to_class) {
            Some(value) if value != from && self.choices.once_in(2) => value,
            _ => self.builder.virtual_register(to_class),
        };
        self.builder.copy(to, from);
        self.available.push(to);
    }

    fn dead(&mut self) {
        let uses = self.uses(1);
        let value = self.new_value();
        let mut operands = vec![Operand::write(value)];
        operands[0].flags |= OperandFlags::DEAD;
        operands.extend(uses.into_iter().map(Operand::read));
        if let Target::Cpu = self.target {
            let mut flags = physical(cpu::register(self.machine, "flags"), Access::Definition);
            flags.flags |= OperandFlags::DEAD | OperandFlags::IMPLICIT;
            operands.push(flags);
        }
        self.builder.plain(&operands);
    }

    fn rematerialisable(&mut self) {
        let mut flags = InstructionFlags::REMATERIALISABLE;
        let mut uses = Vec::new();
        if let Target::Gpu { .. } = self.target
            && self.choices.once_in(2)
        {
            flags |= InstructionFlags::UNIFORM_PATH | InstructionFlags::UNIFORM_SOURCE;
            let count = 1 + self.choices.below(MOST_SOURCES);
            // Chains are rare unless they are made on purpose.
            let known = self.repeatable.iter().copied();
            let known: Vec<_> = known.filter(|one| self.available.contains(one)).collect();
            uses = match known.is_empty() || self.choices.once_in(4) {
                true => self.uses(count),
                false => (0..count).map(|_| self.choices.pick(&known)).collect(),
            };
        }
        let value = self.new_value();
        let mut operands = vec![Operand::write(value)];
        operands.extend(uses.into_iter().map(Operand::read));
        self.push(flags, &operands, None);
        self.repeatable.push(value);
        self.available.push(value);
    }

    /// A use that does not matter, or an undefined value.
    fn undefined(&mut self) {
        let value = self.new_value();
        if self.choices.once_in(2) {
            let flags = InstructionFlags::IMPLICIT_DEFINITION;
            self.push(flags, &[Operand::write(value)], None);
        } else {
            let mut read = Operand::read(self.new_value());
            read.flags |= OperandFlags::UNDEFINED;
            self.builder.plain(&[Operand::write(value), read]);
        }
        self.available.push(value);
    }

    /// A value that cannot be spilled, and its only use.
    fn short(&mut self) {
        let class = self.choices.pick(&self.classes());
        let value = self.builder.add_virtual_register(VirtualRegisterData {
            class,
            super_class: None,
            spillable: false,
            hints: SmallVec::new(),
        });
        self.builder.plain(&[Operand::write(value)]);
        self.builder.plain(&[Operand::read(value)]);
    }

    fn barrier(&mut self) {
        let uses: Vec<Operand> = self.uses(1).into_iter().map(Operand::read).collect();
        self.push(InstructionFlags::CONVERGENT, &uses, None);
    }

    /// A value written half by half, and uses of its halves.
    fn parts(&mut self) {
        let half = self.value_of(Class::from_u32(HALF));
        let whole = self.builder.virtual_register(Class::from_u32(FULL));
        let mut lower = part(Operand::write(whole), LOWER);
        lower.flags |= OperandFlags::UNDEFINED;
        self.builder.plain(&[lower]);
        self.copy(part(Operand::write(whole), UPPER), Operand::read(half));
        self.available.push(whole);
        let other = self.value_of(Class::from_u32(FULL));
        let result = self.builder.virtual_register(Class::from_u32(HALF));
        self.copy(Operand::write(result), part(Operand::read(other), LOWER));
        self.available.push(result);
        // Changes one half of it and keeps the other.
        let changed = part(Operand::write(other), UPPER);
        self.builder.plain(&[changed, Operand::read(result)]);
    }

    /// Copies of the arguments, a call that leaves its result in `x0`, a copy
    /// of the result.
    fn call(&mut self) {
        let count = self.choices.below(3);
        let arguments = self.registers(&["x0", "x1"][..count]);
        let full = Class::from_u32(FULL);
        let values: Vec<_> = arguments.iter().map(|_| self.value_of(full)).collect();
        let target = self.choices.once_in(3).then(|| self.value_of(full));
        let recorded = self.recorded();
        for (&register, value) in arguments.iter().zip(values) {
            self.copy(physical(register, Access::Definition), Operand::read(value));
        }
        let result = cpu::register(self.machine, "x0");
        let used = self.choices.once_in(2);
        let mut returned = physical(result, Access::Definition);
        returned.flags |= OperandFlags::IMPLICIT;
        returned.flags.set(OperandFlags::DEAD, !used);
        let mut operands: Vec<Operand> = target.map(Operand::read).into_iter().collect();
        operands.extend(arguments.into_iter().map(|register| {
            let mut operand = physical(register, Access::Use);
            operand.flags |= OperandFlags::IMPLICIT;
            operand
        }));
        operands.push(returned);
        operands.extend(recorded);
        let mask = Some(ClobberMask::from_u32(0));
        self.push(InstructionFlags::CALL, &operands, mask);
        if used {
            let value = self.builder.virtual_register(full);
            self.copy(Operand::write(value), physical(result, Access::Use));
            self.available.push(value);
        }
    }

    /// What one in four calls records for whoever returns in another way: of the class of which
    /// calls preserve registers that nothing else takes.
    fn recorded(&mut self) -> Option<Operand> {
        let is_recorded = self.choices.once_in(4);
        is_recorded.then(|| {
            let mut operand = Operand::read(self.value_of(Class::from_u32(FULL)));
            operand.flags |= OperandFlags::LIVE_THROUGH;
            operand
        })
    }

    /// A division as on x86: the dividend and the quotient in `x0`, the
    /// remainder in `x1`, and flags for the next instruction.
    fn fixed(&mut self) {
        let [x0, x1, flags] = ["x0", "x1", "flags"].map(|name| cpu::register(self.machine, name));
        let dividend = self.value_of(Class::from_u32(FULL));
        let divisor = self.value_of(Class::from_u32(FULL));
        self.copy(physical(x0, Access::Definition), Operand::read(dividend));
        let mut tied = physical(x0, Access::Use);
        tied.tied_to = Some(0);
        let mut remainder = physical(x1, Access::Definition);
        remainder.flags |= OperandFlags::DEAD;
        let mut set_flags = physical(flags, Access::Definition);
        set_flags.flags |= OperandFlags::IMPLICIT;
        self.builder.plain(&[
            physical(x0, Access::Definition),
            remainder,
            tied,
            Operand::read(divisor),
            set_flags,
        ]);
        let quotient = self.new_value_of(Class::from_u32(FULL));
        self.copy(Operand::write(quotient), physical(x0, Access::Use));
        let mut read_flags = physical(flags, Access::Use);
        read_flags.flags |= OperandFlags::IMPLICIT;
        let result = self.new_value();
        self.builder.plain(&[Operand::write(result), read_flags]);
        self.available.extend([quotient, result]);
    }
}
