//! Which registers a value may not have at all.
//!
//! Physical operands and calls leave on each value that is live across them a set
//! of forbidden units and a list of clobber masks: the documents' constraints
//! "exclude one" and "below point", gathered for the whole of a live range. Both
//! selects read them. Time: for each physical definition and each call, the values
//! that are live there.

use super::live_set::{Banks, LiveSet};
use super::liveness::{Liveness, Variable};
use crate::function::{Block, Function, Instruction, Operand, OperandRegister, VirtualRegister};
use crate::machine::{ClobberMask, Machine, Register, UnitSet};
use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;

/// The restrictions on the values of one function.
#[derive(Default)]
pub struct Restrictions {
    forbidden: SecondaryMap<VirtualRegister, Option<Box<UnitSet>>>,
    crossed: SecondaryMap<VirtualRegister, SmallVec<[ClobberMask; 1]>>,
}

impl Restrictions {
    /// Finds the restrictions.
    pub fn new(function: &Function, machine: &Machine, banks: &Banks, liveness: &Liveness) -> Self {
        let mut restrictions = Self::default();
        let mut live = LiveSet::new(function, machine, banks);
        for block in function.blocks.keys() {
            live.start(block, liveness);
            for instruction in function.block_instructions(block).rev() {
                restrictions.add_clobbers(function, instruction, &live);
                restrictions.add_physical(function, machine, instruction, &live);
                live.step(instruction);
            }
            restrictions.add_live_ins(function, machine, block, liveness);
        }
        restrictions
    }

    /// A call destroys what is live across it and what it defines itself.
    fn add_clobbers(&mut self, function: &Function, instruction: Instruction, live: &LiveSet) {
        let Some(mask) = function.instructions[instruction].clobbers else {
            return;
        };
        let operands = function.instruction_operands(instruction);
        let definitions = operands.iter().filter(|operand| operand.is_definition());
        let defined = definitions.filter_map(Operand::virtual_register);
        for register in live.iter().chain(defined) {
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
    /// the instruction reads, too. Virtual definitions keep clear of live units.
    fn add_physical(
        &mut self,
        function: &Function,
        machine: &Machine,
        instruction: Instruction,
        live: &LiveSet,
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
                    for value in live.iter().chain(named) {
                        self.forbid_register(value, machine, register);
                    }
                }
                OperandRegister::Virtual(value) => {
                    if !live.units.is_empty() {
                        self.forbidden_set(value, machine).union(&live.units);
                    }
                    if operand.is_early_clobber() {
                        for read in operands.iter().filter(|o| !o.is_definition()) {
                            if let Some(register) = read.physical_register() {
                                self.forbid_register(value, machine, register);
                            }
                        }
                    }
                }
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
        for variable in liveness.live_in(block) {
            let Variable::Virtual(value) = variable else {
                continue;
            };
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
        for &unit in machine.units(register) {
            set.insert(unit);
        }
    }

    /// Units that a value may not occupy, whatever its neighbours do.
    pub fn forbidden(&self, value: VirtualRegister) -> Option<&UnitSet> {
        self.forbidden[value].as_deref()
    }

    /// The calls' masks that a value is live across.
    pub fn crossed(&self, value: VirtualRegister) -> &[ClobberMask] {
        &self.crossed[value]
    }
}
