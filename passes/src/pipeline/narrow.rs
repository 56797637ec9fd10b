//! 64-bit values of a GPU of which only the low half is read.
//!
//! LLVM addresses shared memory by 64 bits, the hardware by 32. ptxas takes 64-bit
//! operations to pieces and drops those whose results nobody needs, so such an address,
//! and what it is computed of, takes one register and not a pair. Here these values get
//! the class [`gpu::LOW_HALF`]. In PTX they stay what they are.
//!
//! Runs once, before the budget is chosen. The upper half of a value is needed if an
//! instruction needs all of it, or the upper half of a result that is made of it: demand
//! goes from results to sources until nothing changes. Time: linear in the operands.

use crate::function::{
    Function, Instruction, InstructionFlags, InstructionKind, Operand, OperandIndex,
    VirtualRegister,
};
use crate::machine::gpu;
use cranelift_entity::SecondaryMap;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// How much an instruction reads of a 64-bit source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Half {
    /// All of it.
    #[default]
    Both,
    /// The low half.
    Low,
    /// The low half for the low half of its result, and all of it for all of that.
    ByResult,
}

/// For each operand how much is read of it, if it is a use.
pub type Halves = SecondaryMap<OperandIndex, Half>;

/// Gives the values of which only the low half is read a class of their own.
pub fn narrow(function: &mut Function, halves: &Halves) {
    let mut demand = Demand::new(function);
    for instruction in function.instructions.keys() {
        demand.look_at(function, halves, instruction);
    }
    for tuple in &function.tuples {
        let operands = function.instruction_operands(tuple.instruction);
        for &place in tuple.places.iter().flatten() {
            demand.need(function, &operands[usize::from(place)]);
        }
    }
    while let Some(value) = demand.unfinished.pop() {
        for instruction in std::mem::take(&mut demand.definitions[value]) {
            demand.look_at(function, halves, instruction);
        }
    }
    for (value, data) in &mut function.virtual_registers {
        if data.class == gpu::PAIR && !demand.whole[value] {
            data.class = gpu::LOW_HALF;
        }
    }
}

struct Demand {
    /// 64-bit values of which both halves are needed.
    whole: SecondaryMap<VirtualRegister, bool>,
    /// Those of them whose sources have not been looked at since.
    unfinished: Vec<VirtualRegister>,
    definitions: SecondaryMap<VirtualRegister, SmallVec<[Instruction; 2]>>,
}

impl Demand {
    fn new(function: &Function) -> Self {
        let mut definitions: SecondaryMap<_, SmallVec<[Instruction; 2]>> = SecondaryMap::new();
        for instruction in function.instructions.keys() {
            let operands = function.instruction_operands(instruction).iter();
            for operand in operands.filter(|operand| operand.is_definition()) {
                if let Some(value) = operand.virtual_register() {
                    definitions[value].push(instruction);
                }
            }
        }
        Self {
            whole: SecondaryMap::new(),
            unfinished: Vec::new(),
            definitions,
        }
    }

    fn need(&mut self, function: &Function, operand: &Operand) {
        if let Some(value) = operand.virtual_register()
            && function.virtual_registers[value].class == gpu::PAIR
            && !std::mem::replace(&mut self.whole[value], true)
        {
            self.unfinished.push(value);
        }
    }

    /// Notes what the instruction needs, as far as is known of its results.
    fn look_at(&mut self, function: &Function, halves: &Halves, instruction: Instruction) {
        let data = &function.instructions[instruction];
        let operands = function.instruction_operands(instruction);
        let is_whole = |operand: &Operand| {
            let value = operand.virtual_register();
            operand.is_definition() && value.is_some_and(|value| self.whole[value])
        };
        let has_whole_result = operands.iter().any(is_whole);
        let assembly = data.flags.contains(InstructionFlags::INLINE_ASSEMBLY);
        for (number, operand) in data.operands.clone().zip(operands) {
            let half = match data.kind {
                InstructionKind::Copy => Half::ByResult,
                _ => halves[OperandIndex::from_u32(number)],
            };
            let reads_all = match half {
                Half::Both => !operand.is_definition(),
                Half::Low => false,
                Half::ByResult => has_whole_result,
            };
            // What assembly writes may be tied to what it reads.
            if assembly || reads_all {
                self.need(function, operand);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{Access, FunctionBuilder, OperandRegister};
    use crate::machine::Class;

    /// An instruction: its result, and its sources with how much is read of each.
    type Code<'a> = (Option<u32>, &'a [(u32, Half)]);

    /// A function of one block with instructions of one result and some sources, each
    /// with how much is read of it; the classes of its values after narrowing.
    fn narrowed(values: usize, code: &[Code]) -> Vec<Class> {
        let mut builder = FunctionBuilder::new("f");
        for _ in 0..values {
            builder.virtual_register(gpu::PAIR);
        }
        builder.start_block(1.0, 0, &[]);
        let mut all = Vec::new();
        for (result, sources) in code {
            let operand = |value: u32, access| {
                let value = VirtualRegister::from_u32(value);
                Operand::new(OperandRegister::Virtual(value), access)
            };
            let result = result.map(|value| operand(value, Access::Definition));
            let sources = sources.iter();
            all.extend(result.map(|_| Half::Both));
            all.extend(sources.clone().map(|&(_, half)| half));
            let sources = sources.map(|&(value, _)| operand(value, Access::Use));
            let operands: Vec<_> = result.into_iter().chain(sources).collect();
            builder.plain(&operands);
        }
        let mut function = builder.finish();
        let numbers = (0..).map(OperandIndex::from_u32);
        let mut halves = Halves::new();
        for (number, half) in numbers.zip(all) {
            halves[number] = half;
        }
        narrow(&mut function, &halves);
        let values = function.virtual_registers.values();
        values.map(|data| data.class).collect()
    }

    #[test]
    fn an_address_and_what_it_is_made_of() {
        use Half::{ByResult, Low};
        let classes = narrowed(
            3,
            &[
                (Some(0), &[]),
                (Some(1), &[]),
                (Some(2), &[(0, ByResult), (1, ByResult)]),
                (None, &[(2, Low)]),
            ],
        );
        assert_eq!(classes, [gpu::LOW_HALF; 3]);
    }

    #[test]
    fn what_is_read_whole_needs_its_sources_whole() {
        use Half::{Both, ByResult, Low};
        // v0 goes into v1 and v2; only v2 is read whole, and only later.
        let classes = narrowed(
            4,
            &[
                (Some(0), &[]),
                (Some(1), &[(0, ByResult)]),
                (None, &[(1, Low)]),
                (Some(2), &[(0, ByResult), (3, Low)]),
                (None, &[(2, Both)]),
            ],
        );
        let expected = [gpu::PAIR, gpu::LOW_HALF, gpu::PAIR, gpu::LOW_HALF];
        assert_eq!(classes, expected);
    }

    #[test]
    fn every_definition_counts() {
        use Half::{Both, ByResult};
        let classes = narrowed(
            2,
            &[
                (Some(1), &[]),
                (Some(0), &[]),
                (Some(0), &[(1, ByResult)]),
                (None, &[(0, Both)]),
            ],
        );
        assert_eq!(classes, [gpu::PAIR; 2]);
    }

    #[test]
    fn a_narrow_result_asks_for_no_upper_half() {
        let mut builder = FunctionBuilder::new("f");
        let wide = builder.virtual_register(gpu::PAIR);
        let narrow = builder.virtual_register(gpu::SINGLE32);
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(wide)]);
        builder.plain(&[Operand::write(narrow), Operand::read(wide)]);
        builder.plain(&[Operand::read(narrow)]);
        let mut function = builder.finish();
        let mut halves = Halves::new();
        halves[OperandIndex::from_u32(2)] = Half::ByResult;
        super::narrow(&mut function, &halves);
        assert_eq!(function.virtual_registers[wide].class, gpu::LOW_HALF);
    }

    #[test]
    fn copies_hand_demand_on_and_assembly_demands_all() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b, c, d, e] = [(); 5].map(|()| builder.virtual_register(gpu::PAIR));
        builder.start_block(1.0, 0, &[]);
        builder.copy(b, a);
        builder.copy(d, c);
        let operands = [Operand::write(e), Operand::read(b)];
        let flags = InstructionFlags::INLINE_ASSEMBLY;
        builder.push(InstructionKind::Plain, flags, &operands, None);
        let mut function = builder.finish();
        narrow(&mut function, &Halves::new());
        let classes = [a, b, c, d, e].map(|one| function.virtual_registers[one].class);
        let (low, pair) = (gpu::LOW_HALF, gpu::PAIR);
        assert_eq!(classes, [pair, pair, low, low, pair]);
    }
}
