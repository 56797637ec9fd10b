//! Whether a resident block more is worth spilling for.
//!
//! A kernel that needs just more registers than a block more would leave it can be made
//! to fit, and what that costs is known beforehand: what spill guidance advises. The
//! warps that it gains hide latency, in the best case in proportion to their number; the
//! accesses that it costs run as often as their blocks. The trade is made where the
//! accesses are a small part of all that the kernel executes, see [`WORTH`]. It is offered
//! only where ptxas is expected to take more registers than there would be: MaxLive knows
//! nothing of what it folds into operands, and a bound above its own wish ptxas takes for
//! an invitation to use more. Time: that of guidance, for a kernel near a
//! cliff. The documents name the cliffs; the weights are ours.

use crate::config::Config;
use crate::driver::predicted_accesses;
use crate::function::Function;
use crate::machine::Machine;
use crate::machine::occupancy::BlockResources;
use crate::machine::streaming_multiprocessor::StreamingMultiprocessor;

/// Executions of stores and reloads, of 100 of instructions, that twice the warps are
/// worth. What ptxas adds of its own to keep such a budget is not known beforehand, and
/// the warps are worth nothing where latency is hidden already: so it is little.
pub const WORTH: f64 = 1.0;

/// Registers above the cliff, of 100 below it, up to which the trade is looked at. Beyond
/// that it is never cheap, and ptxas would have to go the same way.
pub const NEAR: u32 = 15;

/// What a kernel needs, and how it comes to its registers.
pub struct Trade<'a> {
    /// The kernel, and the registers at hand.
    pub function: &'a Function,
    /// See `function`.
    pub machine: &'a Machine,
    /// The settings it will be allocated with.
    pub config: &'a Config,
    /// Where it runs.
    pub sm: &'a StreamingMultiprocessor,
}

impl Trade<'_> {
    /// The registers that leave one block more resident than `needed` does, if that is
    /// worth what it costs; `expected` are the registers that ptxas would take by itself.
    pub fn registers(
        &self,
        needed: &BlockResources,
        expected: impl FnOnce() -> Option<u32>,
    ) -> Option<u32> {
        let now = self.sm.occupancy(needed);
        let registers = self.sm.most_registers(needed, now.blocks + 1)?;
        let near = needed.registers * 100 <= registers * (100 + NEAR);
        if !near || registers < self.sm.least_registers_per_thread || self.function.calls() {
            return None;
        }
        // Without a prediction MaxLive is all that is known.
        if expected().unwrap_or(needed.registers) <= registers {
            return None;
        }
        let then = self.sm.occupancy(&BlockResources {
            registers,
            ..*needed
        });
        let gained = f64::from(then.warps - now.warps) / f64::from(now.warps.max(1));
        let cost = predicted_accesses(self.function, self.machine, self.config, registers)?;
        let affordable = WORTH / 100.0 * gained * executed(self.function);
        tracing::debug!(registers, cost, affordable, "weighed a block more");
        (cost <= affordable).then_some(registers)
    }
}

/// Instructions for each execution of the function.
fn executed(function: &Function) -> f64 {
    let blocks = function.blocks.iter();
    let counts = blocks
        .map(|(block, data)| data.frequency * function.block_instructions(block).count() as f64);
    counts.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::examples::live_across;
    use crate::function::{Instruction, InstructionFlags};
    use crate::machine::gpu;

    /// What is offered to a kernel in blocks of 512 threads on sm_90, of which 64 registers
    /// leave two and 40 leave three.
    fn offered(live: u32, instructions: u32, expected: Option<u32>) -> Option<u32> {
        offered_to(&live_across(live, instructions), live, expected)
    }

    fn offered_to(function: &Function, live: u32, expected: Option<u32>) -> Option<u32> {
        let machine = gpu::machine(gpu::R_SIZE);
        let trade = Trade {
            function,
            machine: &machine,
            config: &Config::default(),
            sm: StreamingMultiprocessor::nearest(90),
        };
        let needed = BlockResources {
            threads: 512,
            registers: live,
            shared_memory: 0,
        };
        trade.registers(&needed, || expected)
    }

    /// Two values more than the cliff has room for: four accesses, which may be one in a
    /// hundred for twice the warps, one in two hundred for half as many more.
    #[test]
    fn a_few_accesses_are_worth_a_block() {
        assert_eq!(offered(66, 300, None), Some(64));
        assert_eq!(offered(66, 200, None), None);
        assert_eq!(offered(42, 800, None), Some(40));
        assert_eq!(offered(42, 600, None), None);
    }

    #[test]
    fn what_is_far_from_a_cliff_stays() {
        assert_eq!(offered(73, 100_000, None), Some(64));
        assert_eq!(offered(74, 100_000, None), None);
    }

    #[test]
    fn what_ptxas_gains_by_itself_costs_nothing() {
        assert_eq!(offered(66, 300, Some(65)), Some(64));
        assert_eq!(offered(66, 300, Some(64)), None);
    }

    #[test]
    fn what_is_called_is_not_known() {
        let mut function = live_across(66, 300);
        let call = Instruction::from_u32(100);
        function.instructions[call].flags |= InstructionFlags::CALL;
        assert_eq!(offered_to(&function, 66, None), None);
    }

    /// Below 24 registers ptxas does not go, and all warps are resident already.
    #[test]
    fn there_is_no_block_more_than_all() {
        assert_eq!(offered(30, 100_000, None), None);
    }
}
