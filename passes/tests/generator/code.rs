//! Random code for random control flow.

use super::Choices;
use super::control_flow::ControlFlow;
use super::cpu::{self, FLOAT, FULL, HALF, LOW};
use passes::function::{
    Access, Block, Function, FunctionBuilder, InstructionFlags, InstructionKind, Operand,
    OperandFlags, OperandRegister, Tuple, VirtualRegister, VirtualRegisterData,
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
        repeatable: Vec::new(),
        closed: Vec::new(),
        landing: Vec::new(),
        clobbering: Vec::new(),
        pinned: false,
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
    add_tuples(&mut function, machine, choices);
    if matches!(target, Target::Cpu) {
        make_foldable(&mut function, choices);
        make_inflatable(&mut function, choices);
    }
    function
}

/// Lets instructions access values in memory: none, all, or some of their operands.
fn make_foldable(function: &mut Function, choices: &mut Choices) {
    // There may be no decisions left.
    let how = (choices.below(4) + function.operands.len()) % 4;
    for (index, operand) in function.operands.iter_mut() {
        let number = index.as_u32() as usize;
        let is_value = operand.virtual_register().is_some();
        if is_value && how > 0 && number.is_multiple_of(how) {
            operand.flags |= OperandFlags::FOLDABLE;
        }
        if is_value && how > 1 && number.is_multiple_of(how - 1) && !operand.is_definition() {
            operand.flags |= OperandFlags::LOADABLE;
        }
    }
}

/// Lets values of the small class have any register but where some operands name them: none of
/// these, all, or some, writing ones seldom, as those keep a value in its class.
fn make_inflatable(function: &mut Function, choices: &mut Choices) {
    let how = (choices.below(4) + function.operands.len()) % 4;
    for data in function.virtual_registers.values_mut() {
        let is_low = data.class == Class::from_u32(LOW);
        data.super_class = is_low.then_some(Class::from_u32(FULL));
    }
    for (index, operand) in function.operands.iter_mut() {
        let number = index.as_u32() as usize;
        let value = operand.virtual_register();
        let data = value.map(|value| &function.virtual_registers[value]);
        let is_inflatable = data.is_some_and(|data| data.super_class.is_some());
        let is_chosen = how > 0 && number.is_multiple_of(how);
        if is_inflatable && is_chosen && (!operand.is_definition() || number.is_multiple_of(11)) {
            operand.flags |= OperandFlags::CONSTRAINED;
        }
    }
}

/// Makes tuples of some operands, in any order, of instructions that have none yet.
fn add_tuples(function: &mut Function, machine: &Machine, choices: &mut Choices) {
    let mut tuples = Vec::new();
    for instruction in function.instructions.keys() {
        tuples.extend_from_slice(function.instruction_tuples(instruction));
        if !choices.once_in(8) || !function.instruction_tuples(instruction).is_empty() {
            continue;
        }
        let operands = function.instruction_operands(instruction);
        let width = |number: &u16| {
            let operand = &operands[usize::from(*number)];
            let value = operand.virtual_register()?;
            let class = function.virtual_registers[value].class;
            let first = machine.classes[class].order.first()?;
            let is_whole = operand.sub_register.is_whole();
            is_whole.then(|| machine.width(*first))
        };
        let count = operands.len().min(8) as u16;
        let whole: Vec<u16> = (0..count).filter(|one| width(one).is_some()).collect();
        let Some(&first) = whole.first() else {
            continue;
        };
        let same: Vec<u16> = whole
            .into_iter()
            .filter(|one| width(one) == width(&first))
            .collect();
        let mut places: SmallVec<[Option<u16>; 8]> = SmallVec::new();
        places.push(Some(choices.pick(&same)));
        for _ in 0..1 + choices.below(4) {
            places.push((!choices.once_in(4)).then(|| choices.pick(&same)));
        }
        tuples.push(Tuple {
            instruction,
            places,
            alignment: 1 << choices.below(4),
            accumulator: choices.once_in(2),
        });
    }
    function.tuples = tuples;
}

pub(super) struct Coder<'a, 'c> {
    pub(super) machine: &'a Machine,
    pub(super) target: &'a Target,
    pub(super) choices: &'a mut Choices<'c>,
    pub(super) builder: FunctionBuilder,
    /// Values that are defined on all paths to here.
    pub(super) available: Vec<VirtualRegister>,
    /// What was computed by an instruction that can be repeated.
    pub(super) repeatable: Vec<VirtualRegister>,
    /// Blocks that take no more code some way before the first terminator, and
    /// the instruction from which on.
    pub(super) closed: Vec<(Block, u32)>,
    /// The blocks that are entered from the middle of others.
    pub(super) landing: Vec<bool>,
    /// Which of these destroy registers on entry.
    pub(super) clobbering: Vec<bool>,
    /// Whether a terminator has defined a value, which then cannot be spilled.
    pub(super) pinned: bool,
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

    /// Classes in which values are made, the more frequent ones several times.
    pub(super) fn classes(&self) -> Vec<Class> {
        let mut classes = match self.target {
            Target::Cpu => [FULL, HALF, FULL, LOW, FLOAT].map(Class::from_u32).to_vec(),
            Target::Gpu { .. } => vec![
                gpu::SINGLE32,
                gpu::PAIR,
                gpu::LOW_HALF,
                gpu::SINGLE16,
                gpu::PREDICATE,
                gpu::QUAD,
            ],
        };
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
    pub(super) fn uses(&mut self, count: usize) -> Vec<VirtualRegister> {
        let classes = self.classes();
        (0..count)
            .map(|_| {
                let class = self.choices.pick(&classes);
                self.value_of(class)
            })
            .collect()
    }

    /// An available value of the class, if there is one.
    pub(super) fn available_of(&mut self, class: Class) -> Option<VirtualRegister> {
        let of_class = self.available.iter().copied();
        let of_class: Vec<_> = of_class
            .filter(|&one| self.class_of(one) == class)
            .collect();
        (!of_class.is_empty()).then(|| self.choices.pick(&of_class))
    }

    /// An available value of the class; one is defined if there is none.
    pub(super) fn value_of(&mut self, class: Class) -> VirtualRegister {
        if let Some(value) = self.available_of(class) {
            return value;
        }
        let value = self.new_value_of(class);
        self.builder.plain(&[Operand::write(value)]);
        self.available.push(value);
        value
    }

    pub(super) fn new_value(&mut self) -> VirtualRegister {
        let class = self.choices.pick(&self.classes());
        self.new_value_of(class)
    }

    pub(super) fn new_value_of(&mut self, class: Class) -> VirtualRegister {
        let order = &self.machine.classes[class].order;
        let hints = match self.choices.once_in(6) {
            true => [self.choices.pick(order)].into_iter().collect(),
            false => SmallVec::new(),
        };
        self.builder.add_virtual_register(VirtualRegisterData {
            class,
            super_class: None,
            spillable: true,
            hints,
        })
    }

    pub(super) fn registers(&self, names: &[&str]) -> Vec<Register> {
        let names = names.iter();
        names
            .map(|name| cpu::register(self.machine, name))
            .collect()
    }

    pub(super) fn copy(&mut self, to: Operand, from: Operand) {
        let none = InstructionFlags::empty();
        self.builder
            .push(InstructionKind::Copy, none, &[to, from], None);
    }

    pub(super) fn push(
        &mut self,
        flags: InstructionFlags,
        operands: &[Operand],
        mask: Option<ClobberMask>,
    ) {
        self.builder
            .push(InstructionKind::Plain, flags, operands, mask);
    }
}

pub(super) fn physical(register: Register, access: Access) -> Operand {
    Operand::new(OperandRegister::Physical(register), access)
}

pub(super) fn part(mut operand: Operand, index: SubRegisterIndex) -> Operand {
    operand.sub_register = index;
    operand
}
