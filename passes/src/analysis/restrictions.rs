//! Which registers a value may not have at all.
//!
//! Physical operands and calls leave on each value that is live across them a set
//! of forbidden units and a list of clobber masks: the documents' constraints
//! "exclude one" and "below point", gathered for the whole of a live range. Both
//! selects read them. Time: for each physical definition and each call, the values
//! that are live there.

use super::live_set::{LiveSet, RegisterPools};
use super::live_units::LiveUnits;
use super::liveness::{Liveness, Variable};
use crate::function::{
    Block, Function, Instruction, InstructionFlags, Operand, OperandRegister, VirtualRegister,
};
use crate::machine::{ClobberMask, Machine, Register, UnitSet};
use cranelift_entity::PrimaryMap;
use smallvec::SmallVec;

/// Whether something about an instruction restricts values: in most kernels nothing does.
fn may_restrict(function: &Function, instruction: Instruction) -> bool {
    let data = &function.instructions[instruction];
    let mut operands = function.instruction_operands(instruction).iter();
    data.clobbers.is_some()
        || data.flags.contains(InstructionFlags::CALL)
        || operands.any(|operand| operand.physical_register().is_some())
}

/// The restrictions on the values of one function.
pub struct Restrictions {
    forbidden: PrimaryMap<VirtualRegister, Option<Box<UnitSet>>>,
    crossed: PrimaryMap<VirtualRegister, SmallVec<[ClobberMask; 1]>>,
    /// Live across a call that keeps all registers of the function's own.
    across_calls: PrimaryMap<VirtualRegister, bool>,
}

impl Restrictions {
    /// Finds the restrictions.
    pub fn new(
        function: &Function,
        machine: &Machine,
        pools: &RegisterPools,
        liveness: &Liveness,
    ) -> Self {
        let values = || function.virtual_registers.keys();
        let mut restrictions = Self {
            forbidden: values().map(|_| None).collect(),
            crossed: values().map(|_| SmallVec::new()).collect(),
            across_calls: values().map(|_| false).collect(),
        };
        let mut instructions = function.instructions.keys();
        if instructions.any(|one| may_restrict(function, one)) {
            restrictions.walk(function, machine, pools, liveness);
        }
        for block in function.blocks.keys() {
            restrictions.add_live_ins(function, machine, block, liveness);
        }
        restrictions
    }

    fn walk(
        &mut self,
        function: &Function,
        machine: &Machine,
        pools: &RegisterPools,
        liveness: &Liveness,
    ) {
        let mut live = LiveSet::new(function, pools);
        let mut units = LiveUnits::new(function, machine);
        for block in function.blocks.keys() {
            live.start(block, liveness);
            units.start(block, liveness);
            for instruction in function.block_instructions(block).rev() {
                self.add_clobbers(function, instruction, &live);
                self.add_physical(function, machine, pools, instruction, &live, units.units());
                live.step(instruction);
                units.step(instruction);
            }
        }
    }

    /// A call destroys what is live across it, what it defines itself, and what it reads and
    /// needs behind that.
    fn add_clobbers(&mut self, function: &Function, instruction: Instruction, live: &LiveSet) {
        let data = &function.instructions[instruction];
        let operands = function.instruction_operands(instruction);
        let definitions = operands.iter().filter(|operand| operand.is_definition());
        let defined = definitions.filter_map(Operand::virtual_register);
        let Some(mask) = data.clobbers else {
            if data.flags.contains(InstructionFlags::CALL) {
                let defined: SmallVec<[_; 4]> = defined.collect();
                for register in live.iter().filter(|one| !defined.contains(one)) {
                    self.across_calls[register] = true;
                }
            }
            return;
        };
        let named = operands.iter();
        let named = named.filter(|one| one.is_definition() || one.is_live_through());
        for register in live
            .iter()
            .chain(named.filter_map(Operand::virtual_register))
        {
            self.add_crossed(register, mask);
        }
    }

    fn add_crossed(&mut self, value: VirtualRegister, mask: ClobberMask) {
        let crossed = &mut self.crossed[value];
        if !crossed.contains(&mask) {
            crossed.push(mask);
        }
    }

    /// Physical definitions destroy what is live across them; early ones what
    /// the instruction reads, too. Virtual definitions keep clear of live units. What no
    /// value of a pool can have anyway restricts none: most instructions write flags.
    fn add_physical(
        &mut self,
        function: &Function,
        machine: &Machine,
        pools: &RegisterPools,
        instruction: Instruction,
        live: &LiveSet,
        units: &UnitSet,
    ) {
        let operands = function.instruction_operands(instruction);
        for operand in operands.iter().filter(|operand| operand.is_definition()) {
            match operand.register {
                OperandRegister::Physical(register) => {
                    let defined = operands.iter().filter(|o| o.is_definition());
                    let read = operands
                        .iter()
                        .filter(|o| operand.is_early_clobber() && !o.is_definition());
                    let named = defined.chain(read).filter_map(Operand::virtual_register);
                    for pool in pools.with(machine, register) {
                        let class = |value| function.virtual_registers[value].class;
                        let named = named.clone();
                        let named = named.filter(|&value| pools.pool(class(value)) == pool);
                        for value in live.in_pool(pool).iter().copied().chain(named) {
                            self.forbid_register(value, machine, register);
                        }
                    }
                }
                OperandRegister::Virtual(value) => {
                    if units.intersects(pools.units()) {
                        self.forbidden_set(value, machine).union(units);
                    }
                    if operand.is_early_clobber() {
                        for read in operands.iter().filter(|o| !o.is_definition()) {
                            if let Some(register) = read.physical_register() {
                                self.forbid_register(value, machine, register);
                            }
                        }
                    }
                }
                OperandRegister::Slot(_) | OperandRegister::Loaded(_) => {}
            }
        }
    }

    /// What an unwinder or a caller leaves in registers at a block's entry, and
    /// what it destroys there.
    fn add_live_ins(
        &mut self,
        function: &Function,
        machine: &Machine,
        block: Block,
        liveness: &Liveness,
    ) {
        let data = &function.blocks[block];
        if data.live_in.is_empty() && data.clobbers.is_none() {
            return;
        }
        let live = liveness.live_in(block);
        for value in live.filter_map(Variable::virtual_register) {
            for &register in &data.live_in {
                self.forbid_register(value, machine, register);
            }
            if let Some(mask) = data.clobbers {
                self.add_crossed(value, mask);
            }
        }
    }

    fn forbidden_set(&mut self, value: VirtualRegister, machine: &Machine) -> &mut UnitSet {
        self.forbidden[value]
            .get_or_insert_with(|| Box::new(UnitSet::new(machine.table.unit_count)))
    }

    fn forbid_register(&mut self, value: VirtualRegister, machine: &Machine, register: Register) {
        let set = self.forbidden_set(value, machine);
        set.add(machine.unit_words(register));
    }

    /// Whether there are registers that a value may not have.
    pub fn restrict(&self, value: VirtualRegister) -> bool {
        self.forbidden(value).is_some() || !self.crossed(value).is_empty()
    }

    /// Whether a value may have a register.
    pub fn allow(&self, machine: &Machine, value: VirtualRegister, register: Register) -> bool {
        let units = machine.unit_words(register);
        let mut crossed = self.crossed(value).iter();
        !self.forbidden(value).is_some_and(|set| set.has_any(units))
            && crossed.all(|&mask| machine.preserves(mask, register))
    }

    /// Units that a value may not occupy, whatever its neighbours do.
    pub fn forbidden(&self, value: VirtualRegister) -> Option<&UnitSet> {
        self.forbidden[value].as_deref()
    }

    /// The calls' masks that a value is live across.
    pub fn crossed(&self, value: VirtualRegister) -> &[ClobberMask] {
        &self.crossed[value]
    }

    /// Whether a value is live across a call, even one that restricts it to nothing.
    pub fn crosses_call(&self, value: VirtualRegister) -> bool {
        self.across_calls[value] || !self.crossed[value].is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{Access, FunctionBuilder, InstructionKind, OperandFlags};
    use crate::machine::gpu;
    use fixedbitset::FixedBitSet;

    /// A function under construction, on a GPU of eight registers with one mask.
    struct Case {
        machine: Machine,
        builder: FunctionBuilder,
        mask: ClobberMask,
    }

    impl Case {
        fn new() -> Self {
            let mut machine = gpu::machine(8);
            let nothing = FixedBitSet::with_capacity(machine.table.registers.len());
            let mask = machine.clobber_masks.push(nothing);
            let mut builder = FunctionBuilder::new("f");
            builder.start_block(1.0, 0, &[]);
            Self {
                machine,
                builder,
                mask,
            }
        }

        fn values<const N: usize>(&mut self) -> [VirtualRegister; N] {
            std::array::from_fn(|_| self.builder.virtual_register(gpu::SINGLE32))
        }

        fn register(&self, number: usize) -> Register {
            self.machine.classes[gpu::SINGLE32].order[number]
        }

        fn physical(&self, number: usize, access: Access) -> Operand {
            Operand::new(OperandRegister::Physical(self.register(number)), access)
        }

        fn finish(self) -> Found {
            let function = self.builder.finish();
            let liveness = Liveness::new(&function, &self.machine);
            let pools = RegisterPools::new(&self.machine);
            let restrictions = Restrictions::new(&function, &self.machine, &pools, &liveness);
            Found {
                machine: self.machine,
                restrictions,
            }
        }
    }

    struct Found {
        machine: Machine,
        restrictions: Restrictions,
    }

    impl Found {
        /// The numbers of the 32-bit registers that a value may not have.
        fn forbidden(&self, value: VirtualRegister) -> Vec<usize> {
            let order = self.machine.classes[gpu::SINGLE32].order.iter();
            let set = self.restrictions.forbidden(value);
            let numbered = order.enumerate().filter(|(_, register)| {
                set.is_some_and(|set| set.has_any(self.machine.unit_words(**register)))
            });
            numbered.map(|(number, _)| number).collect()
        }
    }

    fn early(operand: Operand) -> Operand {
        Operand {
            flags: OperandFlags::EARLY_CLOBBER,
            ..operand
        }
    }

    #[test]
    fn calls_restrict_what_is_live_across_them_and_what_they_define() {
        let mut case = Case::new();
        let [across, read, defined, later] = case.values();
        case.builder.plain(&[across, read].map(Operand::write));
        let operands = [Operand::write(defined), Operand::read(read)];
        let (kind, flags) = (InstructionKind::Plain, InstructionFlags::CALL);
        let mask = case.mask;
        for _ in 0..2 {
            case.builder.push(kind, flags, &operands, Some(mask));
        }
        case.builder.plain(&[across, defined].map(Operand::read));
        case.builder.plain(&[Operand::write(later)]);
        let found = case.finish();
        let crossed = |value| found.restrictions.crossed(value).to_vec();
        assert_eq!(crossed(across), [mask]);
        assert_eq!(crossed(defined), [mask]);
        // The second call reads it, too.
        assert_eq!(crossed(read), [mask]);
        assert!(crossed(later).is_empty());
        assert!(found.forbidden(across).is_empty());
    }

    #[test]
    fn the_last_reader_does_not_restrict() {
        let mut case = Case::new();
        let [read] = case.values();
        case.builder.plain(&[Operand::write(read)]);
        let (kind, flags) = (InstructionKind::Plain, InstructionFlags::CALL);
        let written = case.physical(0, Access::Definition);
        let operands = [written, Operand::read(read)];
        case.builder.push(kind, flags, &operands, Some(case.mask));
        let found = case.finish();
        assert!(found.restrictions.crossed(read).is_empty());
        assert!(found.forbidden(read).is_empty());
    }

    #[test]
    fn physical_definitions_keep_off_what_is_live() {
        let mut case = Case::new();
        let [across, beside, read] = case.values();
        case.builder.plain(&[across, read].map(Operand::write));
        let late = case.physical(1, Access::Definition);
        let soon = early(case.physical(2, Access::Definition));
        let operands = [Operand::write(beside), late, soon, Operand::read(read)];
        case.builder.plain(&operands);
        case.builder.plain(&[across, beside].map(Operand::read));
        let found = case.finish();
        assert_eq!(found.forbidden(across), [1, 2]);
        assert_eq!(found.forbidden(beside), [1, 2]);
        assert_eq!(found.forbidden(read), [2]);
    }

    #[test]
    fn virtual_definitions_keep_off_live_physical_registers() {
        let mut case = Case::new();
        let [inside, soon, late, before] = case.values();
        case.builder.plain(&[Operand::write(before)]);
        case.builder
            .plain(&[case.physical(3, Access::Definition), Operand::read(before)]);
        case.builder.plain(&[Operand::write(inside)]);
        let operands = [
            early(Operand::write(soon)),
            Operand::write(late),
            case.physical(3, Access::Use),
        ];
        case.builder.plain(&operands);
        let found = case.finish();
        assert_eq!(found.forbidden(inside), [3]);
        assert_eq!(found.forbidden(soon), [3]);
        assert!(found.forbidden(late).is_empty());
        assert!(found.forbidden(before).is_empty());
    }

    #[test]
    fn block_entries_keep_off_what_is_live_into_the_block() {
        let mut case = Case::new();
        let [through, inside] = case.values();
        case.builder.plain(&[Operand::write(through)]);
        let entry = Block::from_u32(0);
        let live_in = [case.register(4)];
        let with_register = case.builder.start_block(1.0, 0, &live_in);
        case.builder.plain(&[Operand::write(inside)]);
        case.builder.plain(&[Operand::read(inside)]);
        let with_mask = case.builder.start_block(1.0, 0, &[]);
        case.builder.clobber_on_entry(Some(case.mask));
        case.builder.plain(&[Operand::read(through)]);
        case.builder.edge(entry, with_register);
        case.builder.edge(with_register, with_mask);
        let mask = case.mask;
        let found = case.finish();
        assert_eq!(found.forbidden(through), [4]);
        assert!(found.forbidden(inside).is_empty());
        assert_eq!(found.restrictions.crossed(through), [mask]);
        assert!(found.restrictions.crossed(inside).is_empty());
    }
}
