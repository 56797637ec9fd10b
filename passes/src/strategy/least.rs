//! How many accesses to memory are executed at least for what does not fit.
//!
//! Each block begins with what it uses first in its registers; what is not there is loaded
//! where it is used, in place of what is used last of all. What was ever pushed out is stored
//! once, where it is computed. That is less than any allocator needs: no block pays for what
//! the blocks before it end with.
//!
//! Requires a validated function. Time: for each use the logarithm of what is live. Source:
//! Belady, A Study of Replacement Algorithms for a Virtual-Storage Computer, 1966, as in Braun
//! and Hack, Register Spilling and Live-Range Splitting for SSA-Form Programs, 2009, without
//! the edges.

use crate::analysis::demand::widths;
use crate::analysis::liveness::{Liveness, Variable};
use crate::function::{Block, Function, Instruction, VirtualRegister};
use crate::machine::{File, Machine};
use cranelift_entity::SecondaryMap;
use std::collections::BTreeSet;

/// Values in registers, by the places of their next uses.
#[derive(Default)]
struct Registers {
    values: BTreeSet<(usize, VirtualRegister)>,
    count: u32,
}

/// What is known while blocks are looked at.
struct Count<'a> {
    function: &'a Function,
    /// How many registers each value takes; none if it is of another file.
    widths: SecondaryMap<VirtualRegister, u32>,
    /// How often each value is computed.
    computed: SecondaryMap<VirtualRegister, f64>,
    /// Of each value, where in the block it is still to be used, the last place first; empty
    /// between blocks.
    uses: SecondaryMap<VirtualRegister, Vec<usize>>,
    is_stored: SecondaryMap<VirtualRegister, bool>,
    limit: u32,
    accesses: f64,
}

/// Loads and stores, by how often blocks are executed, with so many registers of a file.
pub fn accesses(function: &Function, machine: &Machine, file: File, limit: u32) -> f64 {
    let widths_of_classes = widths(machine);
    let liveness = Liveness::new(function, machine);
    let mut widths = SecondaryMap::new();
    for (value, data) in &function.virtual_registers {
        widths[value] = widths_of_classes[data.class][file];
    }
    let mut computed = SecondaryMap::new();
    for block in function.blocks.keys() {
        for instruction in function.block_instructions(block) {
            for operand in function.instruction_operands(instruction) {
                if let Some(value) = operand.virtual_register()
                    && operand.is_definition()
                {
                    computed[value] += function.blocks[block].frequency;
                }
            }
        }
    }
    let mut count = Count {
        function,
        widths,
        computed,
        uses: SecondaryMap::new(),
        is_stored: SecondaryMap::new(),
        limit,
        accesses: 0.0,
    };
    for block in function.blocks.keys() {
        count.walk(block, &liveness);
    }
    count.accesses
}

impl Count<'_> {
    fn walk(&mut self, block: Block, liveness: &Liveness) {
        let values = |live: Variable| match live {
            Variable::Virtual(value) => Some(value),
            Variable::Unit(_) => None,
        };
        let function = self.function;
        let frequency = function.blocks[block].frequency;
        let instructions: Vec<_> = function.block_instructions(block).collect();
        let end = instructions.len();
        for value in liveness.live_out(block).filter_map(values) {
            self.uses[value].push(end);
        }
        for (place, &instruction) in instructions.iter().enumerate().rev() {
            let used: Vec<_> = self.named(instruction, false).collect();
            for value in used {
                self.uses[value].push(place);
            }
        }
        let mut registers = Registers::default();
        let mut live: Vec<_> = liveness.live_in(block).filter_map(values).collect();
        live.retain(|&value| self.widths[value] > 0);
        for &value in &live {
            self.keep(&mut registers, value);
        }
        self.push_out(&mut registers);
        for (place, &instruction) in instructions.iter().enumerate() {
            let used: BTreeSet<_> = self.named(instruction, false).collect();
            for &value in &used {
                while self.uses[value].last() == Some(&place) {
                    self.uses[value].pop();
                }
                if !registers.remove(place, value, self.widths[value]) {
                    self.accesses += frequency;
                }
            }
            let computed: BTreeSet<_> = self.named(instruction, true).collect();
            for &value in used.union(&computed) {
                self.keep(&mut registers, value);
            }
            self.push_out(&mut registers);
        }
        for value in liveness.live_out(block).filter_map(values) {
            self.uses[value].clear();
        }
    }

    /// The values of the file that an instruction reads or computes.
    fn named(
        &self,
        instruction: Instruction,
        computes: bool,
    ) -> impl Iterator<Item = VirtualRegister> {
        let operands = self.function.instruction_operands(instruction).iter();
        operands
            .filter(move |operand| match computes {
                true => operand.is_definition(),
                false => operand.reads(),
            })
            .filter_map(|operand| operand.virtual_register())
            .filter(|&value| self.widths[value] > 0)
    }

    /// Keeps a value in a register if it is still used.
    fn keep(&self, registers: &mut Registers, value: VirtualRegister) {
        if let Some(&next) = self.uses[value].last()
            && registers.values.insert((next, value))
        {
            registers.count += self.widths[value];
        }
    }

    /// Leaves what is used last out of the registers until the rest fits.
    fn push_out(&mut self, registers: &mut Registers) {
        while registers.count > self.limit
            && let Some((_, value)) = registers.values.pop_last()
        {
            registers.count -= self.widths[value];
            if !std::mem::replace(&mut self.is_stored[value], true) {
                self.accesses += self.computed[value];
            }
        }
    }
}

impl Registers {
    /// Whether it was there.
    fn remove(&mut self, next: usize, value: VirtualRegister, width: u32) -> bool {
        let was_there = self.values.remove(&(next, value));
        if was_there {
            self.count -= width;
        }
        was_there
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::examples::live_across;
    use crate::function::{FunctionBuilder, Operand};
    use crate::machine::gpu;

    fn least(function: &Function, limit: u32) -> f64 {
        let machine = gpu::machine(gpu::R_SIZE);
        let file = machine.limited_file().expect("R");
        accesses(function, &machine, file, limit)
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
