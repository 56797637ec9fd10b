//! Random code for random control flow.

use super::Choices;
use super::control_flow::ControlFlow;
use super::cpu::{self, FLOAT, FULL, HALF, LOW, LOWER, UPPER};
use passes::function::{
    Access, Block, Function, FunctionBuilder, InstructionFlags, InstructionKind, Operand,
    OperandFlags, OperandRegister, VirtualRegister, VirtualRegisterData,
};
use passes::machine::{Class, ClobberMask, Machine, Register, SubRegisterIndex, gpu};
use smallvec::SmallVec;

/// What the code is for.
pub enum Target {
    /// [`cpu::cpu_machine`].
    Cpu,
    /// [`gpu::machine`].
    Gpu {
        /// The most units that a class's registers have.
        widest: u32,
    },
}

/// A random function.
pub fn function(machine: &Machine, target: &Target, choices: &mut Choices) -> Function {
    let control_flow = ControlFlow::new(choices);
    let count = control_flow.successors.len();
    let mut coder = Coder {
        machine,
        target,
        choices,
        builder: FunctionBuilder::new("random"),
        available: Vec::new(),
        closed: Vec::new(),
        landing: Vec::new(),
        clobbering: Vec::new(),
    };
    coder.landing = (0..count).map(|block| coder.is_landing(block)).collect();
    coder.clobbering = (0..count).map(|_| coder.choices.once_in(4)).collect();
    let merged = coder.merged_values(&control_flow);
    let mut defined: Vec<Vec<VirtualRegister>> = Vec::new();
    for block in 0..count {
        // Dominators have lower numbers, so their code is there already.
        coder.available = (0..block)
            .filter(|&other| control_flow.dominators[block][other])
            .flat_map(|other| &defined[other])
            .chain(&merged[block])
            .copied()
            .collect();
        let inherited = coder.available.len() - merged[block].len();
        coder.start_block(block);
        for _ in 0..coder.choices.below(12) {
            coder.statement();
        }
        for &successor in &control_flow.successors[block] {
            coder.define_merged(&merged[successor]);
        }
        coder.terminate(block, &control_flow);
        defined.push(coder.available.split_off(inherited));
    }
    for (from, successors) in control_flow.successors.iter().enumerate() {
        for &to in successors {
            let block = |number| Block::from_u32(number as u32);
            coder.builder.edge(block(from), block(to));
        }
    }
    let mut function = coder.builder.finish();
    for (block, first) in coder.closed {
        function.blocks[block].first_terminator = first;
    }
    function
}

struct Coder<'a, 'c> {
    machine: &'a Machine,
    target: &'a Target,
    choices: &'a mut Choices<'c>,
    builder: FunctionBuilder,
    /// Values that are defined on all paths to here.
    available: Vec<VirtualRegister>,
    /// Blocks that take no more code some way before the first terminator, and
    /// the instruction from which on.
    closed: Vec<(Block, u32)>,
    /// The blocks that are entered from the middle of others.
    landing: Vec<bool>,
    /// Which of these destroy registers on entry.
    clobbering: Vec<bool>,
}

impl Coder<'_, '_> {
    /// For each block with several predecessors, values that all of these will
    /// define, as after PHI elimination.
    fn merged_values(&mut self, control_flow: &ControlFlow) -> Vec<Vec<VirtualRegister>> {
        let predecessors = control_flow.predecessors.iter();
        predecessors
            .map(|predecessors| match predecessors.len() {
                0 | 1 => Vec::new(),
                _ => (0..self.choices.below(3))
                    .map(|_| self.new_value())
                    .collect(),
            })
            .collect()
    }

    fn define_merged(&mut self, merged: &[VirtualRegister]) {
        for &value in merged {
            let class = self.class_of(value);
            match self.available_of(class) {
                Some(from) if from != value => {
                    self.builder.copy(value, from);
                }
                _ => {
                    self.builder.plain(&[Operand::write(value)]);
                }
            }
        }
    }

    fn start_block(&mut self, block: usize) {
        let depth = self.choices.below(4) as u32;
        let frequency = match block {
            0 => 1.0,
            _ => 8f64.powi(depth as i32) * (1.0 + self.choices.below(1000) as f64) / 1000.0,
        };
        let arguments = match (self.target, block) {
            (Target::Cpu, 0) => self.registers(&["x0", "x1", "f0"]),
            // As the exception in a landing pad.
            (Target::Cpu, _) if self.landing[block] => self.registers(&["x0"]),
            _ => Vec::new(),
        };
        self.builder.start_block(frequency, depth, &arguments);
        if self.landing[block] {
            self.builder.landing();
            if self.clobbering[block] {
                self.builder
                    .clobber_on_entry(Some(ClobberMask::from_u32(0)));
            }
            for _ in 0..self.choices.below(3) {
                self.push(InstructionFlags::LABEL, &[], None);
            }
        }
        for register in arguments {
            let class = match self.machine.register_name(register).starts_with('f') {
                true => FLOAT,
                false => FULL,
            };
            let value = self.builder.virtual_register(Class::from_u32(class));
            self.copy(Operand::write(value), physical(register, Access::Use));
            self.available.push(value);
        }
    }

    fn is_landing(&mut self, block: usize) -> bool {
        matches!(self.target, Target::Cpu) && block != 0 && self.choices.once_in(8)
    }

    /// Leaves the block, maybe with a value that is new in the landing block.
    /// Such a value cannot be spilled if the block has other predecessors.
    fn leave(&mut self, block: usize, control_flow: &ControlFlow) {
        let landing = control_flow.successors[block].iter();
        let mut landing = landing
            .filter(|&&successor| self.landing[successor])
            .peekable();
        if landing.peek().is_none() {
            return;
        }
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

    fn terminate(&mut self, block: usize, control_flow: &ControlFlow) {
        let successors = control_flow.successors[block].len();
        let operand = match self.choices.below(3) {
            0 => None,
            _ => Some(self.choices.pick(&self.classes())).map(|class| self.value_of(class)),
        };
        let closing = self.choices.once_in(6).then(|| self.uses(1));
        self.leave(block, control_flow);
        if let Some(uses) = closing {
            // As at a call that may unwind: only uses follow.
            let uses: Vec<Operand> = uses.into_iter().map(Operand::read).collect();
            let instruction = self.builder.plain(&uses);
            let mut blocks = self.builder.function().blocks.keys();
            let block = blocks.next_back().expect("a block has been started");
            self.closed.push((block, instruction.as_u32()));
        }
        if successors == 1 && operand.is_none() {
            // Falls through.
            return;
        }
        let operands: Vec<Operand> = operand.map(Operand::read).into_iter().collect();
        self.push(InstructionFlags::TERMINATOR, &operands, None);
        if successors > 2 {
            self.push(InstructionFlags::TERMINATOR, &[], None);
        }
    }

    fn statement(&mut self) {
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
        let value = self.new_value();
        let flags = InstructionFlags::REMATERIALISABLE;
        self.push(flags, &[Operand::write(value)], None);
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
        let mask = Some(ClobberMask::from_u32(0));
        self.push(InstructionFlags::CALL, &operands, mask);
        if used {
            let value = self.builder.virtual_register(full);
            self.copy(Operand::write(value), physical(result, Access::Use));
            self.available.push(value);
        }
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

    /// Classes in which values are made, the more frequent ones several times.
    fn classes(&self) -> Vec<Class> {
        let classes: &[Class] = &match self.target {
            Target::Cpu => [FULL, HALF, FULL, LOW, FLOAT].map(Class::from_u32),
            Target::Gpu { .. } => [
                gpu::SINGLE32,
                gpu::PAIR,
                gpu::SINGLE16,
                gpu::PREDICATE,
                gpu::QUAD,
            ],
        };
        let mut classes = classes.to_vec();
        if let Target::Gpu { widest } = self.target {
            classes.retain(|&class| match class {
                gpu::QUAD => *widest >= 4,
                gpu::PAIR => *widest >= 2,
                _ => true,
            });
        }
        classes
    }

    fn class_of(&self, value: VirtualRegister) -> Class {
        self.builder.function().virtual_registers[value].class
    }

    /// Values of random classes.
    fn uses(&mut self, count: usize) -> Vec<VirtualRegister> {
        let classes = self.classes();
        (0..count)
            .map(|_| {
                let class = self.choices.pick(&classes);
                self.value_of(class)
            })
            .collect()
    }

    /// An available value of the class, if there is one.
    fn available_of(&mut self, class: Class) -> Option<VirtualRegister> {
        let of_class = self.available.iter().copied();
        let of_class: Vec<_> = of_class
            .filter(|&one| self.class_of(one) == class)
            .collect();
        (!of_class.is_empty()).then(|| self.choices.pick(&of_class))
    }

    /// An available value of the class; one is defined if there is none.
    fn value_of(&mut self, class: Class) -> VirtualRegister {
        if let Some(value) = self.available_of(class) {
            return value;
        }
        let value = self.new_value_of(class);
        self.builder.plain(&[Operand::write(value)]);
        self.available.push(value);
        value
    }

    fn new_value(&mut self) -> VirtualRegister {
        let class = self.choices.pick(&self.classes());
        self.new_value_of(class)
    }

    fn new_value_of(&mut self, class: Class) -> VirtualRegister {
        let order = &self.machine.classes[class].order;
        let hints = match self.choices.once_in(6) {
            true => [self.choices.pick(order)].into_iter().collect(),
            false => SmallVec::new(),
        };
        self.builder.add_virtual_register(VirtualRegisterData {
            class,
            spillable: true,
            hints,
        })
    }

    fn registers(&self, names: &[&str]) -> Vec<Register> {
        let names = names.iter();
        names
            .map(|name| cpu::register(self.machine, name))
            .collect()
    }

    fn copy(&mut self, to: Operand, from: Operand) {
        let none = InstructionFlags::empty();
        self.builder
            .push(InstructionKind::Copy, none, &[to, from], None);
    }

    fn push(&mut self, flags: InstructionFlags, operands: &[Operand], mask: Option<ClobberMask>) {
        self.builder
            .push(InstructionKind::Plain, flags, operands, mask);
    }
}

fn physical(register: Register, access: Access) -> Operand {
    Operand::new(OperandRegister::Physical(register), access)
}

fn part(mut operand: Operand, index: SubRegisterIndex) -> Operand {
    operand.sub_register = index;
    operand
}
