//! Which values an instruction reads at the same time, where registers lie in banks.
//!
//! An instruction with three sources reads them at once; if all of them lie in one bank, that
//! takes a cycle longer. Select takes this as its last wish: of registers that are equally
//! good, one whose bank differs from those of the values read beside it. Time: for each
//! instruction its sources times its sources. Source: cicc documents, bank-conflict edges of
//! weight 2.0, and Jia, Maggioni, Staiger and Scarpazza 2018 for the two banks of sm_70.

use crate::function::{Function, Instruction, OperandRegister, VirtualRegister};
use crate::machine::{Machine, Register};
use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;

/// Sources from which on an instruction may suffer.
const SOURCES: usize = 3;
/// The documents' weight of a bank conflict.
pub const CONFLICT: u32 = 2;

/// For each value those that are read beside it.
#[derive(Default)]
pub struct ReadTogether {
    partners: SecondaryMap<VirtualRegister, SmallVec<[VirtualRegister; 2]>>,
}

impl ReadTogether {
    /// Looks at every instruction with three sources or more in a file with banks.
    pub fn new(function: &Function, machine: &Machine) -> Self {
        let mut together = Self::default();
        if machine.files.values().all(|file| file.bank_count <= 1) {
            return together;
        }
        for instruction in function.instructions.keys() {
            let sources = sources(function, instruction);
            let values = sources.iter().filter_map(|register| match register {
                OperandRegister::Virtual(value) => Some(*value),
                OperandRegister::Physical(_)
                | OperandRegister::Slot(_)
                | OperandRegister::Loaded(_) => None,
            });
            let values: SmallVec<[VirtualRegister; 4]> = values
                .filter(|&value| is_banked(function, machine, value))
                .collect();
            if values.len() < SOURCES {
                continue;
            }
            for &value in &values {
                let others = values.iter().copied().filter(|&other| other != value);
                together.partners[value].extend(others);
            }
        }
        together
    }

    /// The conflicts that a value would have in a register: 2 for each value that is
    /// read beside it and lies in the same bank.
    pub fn conflicts(
        &self,
        machine: &Machine,
        value: VirtualRegister,
        register: Register,
        register_of: impl Fn(VirtualRegister) -> Option<Register>,
    ) -> u32 {
        let partners = &self.partners[value];
        if partners.is_empty() {
            return 0;
        }
        let Some(bank) = machine.bank(register) else {
            return 0;
        };
        let same = partners.iter().filter(|&&partner| {
            register_of(partner).and_then(|one| machine.bank(one)) == Some(bank)
        });
        same.count() as u32 * CONFLICT
    }

    /// Whether nothing is read beside the value.
    pub fn is_alone(&self, value: VirtualRegister) -> bool {
        self.partners[value].is_empty()
    }
}

/// Instructions all of whose three or more sources lie in one bank.
pub fn bank_conflicts(
    function: &Function,
    machine: &Machine,
    register_of: impl Fn(VirtualRegister) -> Option<Register>,
) -> u32 {
    let conflicts = |&instruction: &Instruction| {
        let sources = sources(function, instruction);
        let registers = sources.iter().filter_map(|register| match register {
            OperandRegister::Virtual(value) => register_of(*value),
            OperandRegister::Physical(register) => Some(*register),
            OperandRegister::Slot(_) | OperandRegister::Loaded(_) => None,
        });
        let mut registers: SmallVec<[Register; 4]> = registers.collect();
        registers.sort_unstable();
        registers.dedup();
        let mut banks = registers.iter().filter_map(|&one| machine.bank(one));
        let first = banks.next();
        let same = banks.clone().filter(|&bank| Some(bank) == first).count();
        first.is_some() && same == banks.count() && same + 1 >= SOURCES
    };
    function.instructions.keys().filter(conflicts).count() as u32
}

/// The registers that an instruction reads, each once.
fn sources(function: &Function, instruction: Instruction) -> SmallVec<[OperandRegister; 4]> {
    let mut sources: SmallVec<[OperandRegister; 4]> = SmallVec::new();
    for operand in function.instruction_operands(instruction) {
        if operand.reads() && !operand.is_definition() && !sources.contains(&operand.register) {
            sources.push(operand.register);
        }
    }
    sources
}

/// Whether the registers of a value's class lie in banks.
fn is_banked(function: &Function, machine: &Machine, value: VirtualRegister) -> bool {
    let class = function.virtual_registers[value].class;
    let first = machine.classes[class].order.first();
    first.is_some_and(|&register| machine.bank(register).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{FunctionBuilder, Operand};
    use crate::machine::gpu;

    /// `d = a * b + c`, and the registers that were asked for.
    fn conflicts_of(registers: [usize; 3]) -> (u32, u32) {
        let machine = gpu::machine(16);
        let mut builder = FunctionBuilder::new("f");
        let [a, b, c, d] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        let sources = [a, b, c];
        for value in sources {
            builder.plain(&[Operand::write(value)]);
        }
        let [x, y, z] = sources.map(Operand::read);
        builder.plain(&[Operand::write(d), x, y, z]);
        let function = builder.finish();
        let order = &machine.classes[gpu::SINGLE32].order;
        let register_of = |value| {
            let at = sources.iter().position(|&one| one == value)?;
            Some(order[registers[at]])
        };
        let together = ReadTogether::new(&function, &machine);
        let of_a = together.conflicts(&machine, a, order[registers[0]], register_of);
        (of_a, bank_conflicts(&function, &machine, register_of))
    }

    #[test]
    fn three_sources_of_one_bank_conflict() {
        assert_eq!(conflicts_of([0, 2, 4]), (4, 1));
        assert_eq!(conflicts_of([1, 3, 7]), (4, 1));
    }

    #[test]
    fn two_of_one_bank_are_only_disliked() {
        assert_eq!(conflicts_of([0, 2, 5]), (2, 0));
        assert_eq!(conflicts_of([1, 2, 4]), (0, 0));
    }
}
