//! How many accesses to memory a function needs at least for what does not fit:
//! [`LeastAccesses`] of its values in one file; and which part of that ptxas would forward if it
//! were spilled so.
//!
//! Requires a validated function. Time: that of liveness, and for each use the logarithm of
//! what is live.

use super::forwarded::Forwarding;
use crate::analysis::demand::widths;
use crate::analysis::least_accesses::{LeastAccesses, Step, Value};
use crate::analysis::liveness::{Liveness, Variable};
use crate::function::{Function, Instruction, InstructionFlags, Operand, VirtualRegister};
use crate::machine::{File, Machine};
use smallvec::SmallVec;

/// What a function needs at least.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Least {
    /// Loads and stores, by how often blocks are executed.
    pub accesses: f64,
    /// The part of the loads that ptxas would forward: from 0 to 1.
    pub forwarded: f64,
}

/// What a function needs with so many registers of a file.
pub fn least(function: &Function, machine: &Machine, file: File, limit: u32) -> Least {
    let widths = widths(machine);
    let mut values: Vec<_> = function
        .virtual_registers
        .values()
        .map(|data| Value {
            registers: widths[data.class][file],
            access: 1.0,
            computed: 0.0,
        })
        .collect();
    for block in function.blocks.keys() {
        let definitions = function
            .block_instructions(block)
            .flat_map(|one| function.instruction_operands(one))
            .filter(|operand| operand.is_definition());
        for value in definitions.filter_map(Operand::virtual_register) {
            values[value.as_u32() as usize].computed += function.blocks[block].frequency;
        }
    }
    let is_counted: Vec<bool> = values.iter().map(|value| value.registers > 0).collect();
    let number = |value: VirtualRegister| {
        let number = value.as_u32() as usize;
        is_counted[number].then_some(number)
    };
    let numbers = |live: Variable| live.virtual_register().and_then(number);
    let named = |instruction: Instruction, of: fn(&Operand) -> bool| {
        let operands = function.instruction_operands(instruction).iter();
        let values = operands.filter(|operand| of(operand));
        let values = values.filter_map(Operand::virtual_register);
        let mut named: SmallVec<[usize; 4]> = values.filter_map(number).collect();
        // Each once, whichever operands name it.
        named.sort_unstable();
        named.dedup();
        named
    };
    let is_call = |instruction: Instruction| {
        let flags = function.instructions[instruction].flags;
        flags.contains(InstructionFlags::CALL)
    };
    let liveness = Liveness::new(function, machine);
    let mut least = LeastAccesses::new(values, limit);
    let mut forwarding = Forwarding::new(function);
    for (block, data) in &function.blocks {
        let at_start: Vec<_> = liveness.live_in(block).filter_map(numbers).collect();
        let at_end: Vec<_> = liveness.live_out(block).filter_map(numbers).collect();
        let step = |instruction| Step {
            used: named(instruction, Operand::reads),
            computed: named(instruction, Operand::is_definition),
        };
        let steps: Vec<_> = function.block_instructions(block).map(step).collect();
        if function.block_instructions(block).any(is_call) {
            forwarding.call();
        }
        let reload = |value| forwarding.reload(value, block);
        least.walk(&at_start, &steps, &at_end, data.frequency, reload);
        // If at all, values are stored where they are computed.
        for &value in steps.iter().flat_map(|step| &step.computed) {
            forwarding.store(value, block);
        }
    }
    Least {
        accesses: least.sum(),
        forwarded: forwarding.part(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::examples::live_across;
    use crate::function::{FunctionBuilder, Operand};
    use crate::machine::gpu;

    fn least(function: &Function, limit: u32) -> f64 {
        both(function, limit).accesses
    }

    fn both(function: &Function, limit: u32) -> Least {
        let machine = gpu::machine(gpu::R_SIZE);
        let file = machine.limited_file().expect("R");
        super::least(function, &machine, file, limit)
    }

    /// Values that the first block computes and the second one reads.
    #[test]
    fn what_another_block_has_computed_is_forwarded_but_into_a_loop() {
        let forwarded = |depth| {
            let mut builder = FunctionBuilder::new("f");
            let values = [(); 3].map(|()| builder.virtual_register(gpu::SINGLE32));
            let first = builder.start_block(1.0, 0, &[]);
            for value in values {
                builder.plain(&[Operand::write(value)]);
            }
            let second = builder.start_block(1.0, depth, &[]);
            builder.edge(first, second);
            if depth > 0 {
                builder.edge(second, second);
            }
            for value in values {
                builder.plain(&[Operand::read(value)]);
            }
            both(&builder.finish(), 2).forwarded
        };
        assert_eq!([0, 1].map(forwarded), [1.0, 0.0]);
    }

    #[test]
    fn what_fits_is_not_accessed() {
        assert_eq!(least(&live_across(8, 10), 8), 0.0);
    }

    #[test]
    fn each_value_too_many_is_stored_and_loaded_once() {
        assert_eq!(least(&live_across(8, 10), 5), 6.0);
    }

    #[test]
    fn what_a_loop_reads_is_loaded_as_often_as_it_runs() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b, c] = [(); 3].map(|()| builder.virtual_register(gpu::SINGLE32));
        let entry = builder.start_block(1.0, 0, &[]);
        for value in [a, b, c] {
            builder.plain(&[Operand::write(value)]);
        }
        let body = builder.start_block(10.0, 1, &[]);
        builder.edge(entry, body);
        for value in [a, b, c] {
            builder.plain(&[Operand::read(value)]);
        }
        let function = builder.finish();
        assert_eq!(least(&function, 3), 0.0);
        // The last of three is not there in each iteration, and one of them is stored.
        assert_eq!(least(&function, 2), 11.0);
    }

    #[test]
    fn a_pair_takes_two_registers() {
        let mut builder = FunctionBuilder::new("f");
        let wide = builder.virtual_register(gpu::PAIR);
        let single = builder.virtual_register(gpu::SINGLE32);
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(wide)]);
        builder.plain(&[Operand::write(single)]);
        builder.plain(&[Operand::read(single)]);
        builder.plain(&[Operand::read(wide)]);
        let function = builder.finish();
        assert_eq!(least(&function, 3), 0.0);
        assert_eq!(least(&function, 2), 2.0);
    }
}
