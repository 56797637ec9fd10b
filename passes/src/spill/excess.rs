//! Values that are spilled before anything is coloured: where far more are live
//! than there are registers, most must go, and an interference graph of them all
//! would grow with their square.
//!
//! Walks every block backward and, where a pool of registers has more than a few
//! live values to each register, gives up the cheapest. Blocks that cannot have
//! so many are skipped, which is nearly all. In very large functions the bound is
//! lower, so that the graph stays within a few gigabytes. Time: operands and values
//! live at block ends, times the logarithm of the bound.

use crate::analysis::live_set::{LiveSet, RegisterPools};
use crate::analysis::liveness::Liveness;
use crate::function::{Block, Function, Operand, VirtualRegister};
use crate::machine::Machine;
use cranelift_entity::PrimaryMap;
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;

/// Live values to each register that the graph takes in.
const TO_EACH_REGISTER: usize = 4;
/// Whatever the number of registers, this many live values are welcome.
const ALWAYS: usize = 64;
/// Edges that the graph may have. Once most values are spilled each operand is a
/// value, and each of them meets all that is live.
const EDGES: usize = 100_000_000;

/// The values to spill at once, in the order in which they were found.
pub fn excess(
    function: &Function,
    machine: &Machine,
    pools: &RegisterPools,
    liveness: &Liveness,
    costs: &PrimaryMap<VirtualRegister, f64>,
) -> Vec<VirtualRegister> {
    let mut walk = Walk {
        function,
        pools,
        costs,
        bounds: bounds(machine, pools, function.operands.len()),
        present: Vec::new(),
        given_up: FixedBitSet::with_capacity(function.virtual_registers.len()),
        found: Vec::new(),
    };
    let least = walk.bounds.iter().min().copied().unwrap_or(ALWAYS);
    let mut live = LiveSet::new(function, pools);
    for block in function.blocks.keys() {
        if most_live(function, liveness, block) > least {
            live.start(block, liveness);
            walk.block(block, &mut live);
        }
    }
    walk.found
}

/// For each pool, the live values that it takes in.
fn bounds(machine: &Machine, pools: &RegisterPools, operands: usize) -> Vec<usize> {
    let mut bounds = vec![ALWAYS; pools.count()];
    let most = EDGES / operands.max(1);
    for (class, data) in &machine.classes {
        let bound = &mut bounds[pools.pool(class) as usize];
        *bound = (*bound).max(most.min(data.order.len() * TO_EACH_REGISTER));
    }
    bounds
}

/// No more values than this are live anywhere in the block.
fn most_live(function: &Function, liveness: &Liveness, block: Block) -> usize {
    let operands = function.block_instructions(block).map(|instruction| {
        let range = &function.instructions[instruction].operands;
        (range.end - range.start) as usize
    });
    liveness.live_out(block).len() + operands.sum::<usize>()
}

struct Walk<'a> {
    function: &'a Function,
    pools: &'a RegisterPools,
    costs: &'a PrimaryMap<VirtualRegister, f64>,
    bounds: Vec<usize>,
    /// The live values of each pool that are not given up, the cheapest first.
    /// Costs are not negative, so their bits are in their order.
    present: Vec<BTreeSet<(u64, VirtualRegister)>>,
    given_up: FixedBitSet,
    found: Vec<VirtualRegister>,
}

impl Walk<'_> {
    fn block(&mut self, block: Block, live: &mut LiveSet) {
        self.present = vec![BTreeSet::new(); self.bounds.len()];
        for value in live.iter() {
            self.enter(value);
        }
        for instruction in self.function.block_instructions(block).rev() {
            live.step(instruction);
            let operands = self.function.instruction_operands(instruction).iter();
            for value in operands.filter_map(Operand::virtual_register) {
                match live.contains(value) {
                    true => self.enter(value),
                    false => self.leave(value),
                }
            }
        }
    }

    fn pool(&self, value: VirtualRegister) -> usize {
        let class = self.function.virtual_registers[value].class;
        self.pools.pool(class) as usize
    }

    fn enter(&mut self, value: VirtualRegister) {
        let cost = self.costs[value];
        if self.given_up[value.as_u32() as usize] || !cost.is_finite() {
            return;
        }
        let pool = self.pool(value);
        self.present[pool].insert((cost.to_bits(), value));
        if self.present[pool].len() > self.bounds[pool]
            && let Some((_, cheapest)) = self.present[pool].pop_first()
        {
            self.given_up.set(cheapest.as_u32() as usize, true);
            self.found.push(cheapest);
        }
    }

    fn leave(&mut self, value: VirtualRegister) {
        let pool = self.pool(value);
        self.present[pool].remove(&(self.costs[value].to_bits(), value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::FunctionBuilder;
    use crate::machine::{Class, gpu};

    #[test]
    fn bounds_fall_with_the_size_of_the_function() {
        let machine = gpu::machine(255);
        let pools = RegisterPools::new(&machine);
        let registers = pools.pool(gpu::SINGLE32) as usize;
        let predicates = pools.pool(gpu::PREDICATE) as usize;
        let bound = |operands| bounds(&machine, &pools, operands)[registers];
        assert_eq!(bound(0), 4 * 255);
        assert_eq!(bound(60_000), 4 * 255);
        assert_eq!(bound(600_000), 166);
        assert_eq!(bound(100_000_000), ALWAYS);
        assert_eq!(bounds(&machine, &pools, 0)[predicates], ALWAYS);
    }

    /// A block that defines all values, then reads them in the same order.
    fn overlapping(classes: impl IntoIterator<Item = Class>) -> FunctionBuilder {
        let mut builder = FunctionBuilder::new("f");
        let values: Vec<_> = classes
            .into_iter()
            .map(|class| builder.virtual_register(class))
            .collect();
        builder.start_block(1.0, 0, &[]);
        add_wave(&mut builder, &values);
        builder
    }

    fn add_wave(builder: &mut FunctionBuilder, values: &[VirtualRegister]) {
        for &value in values {
            builder.plain(&[Operand::write(value)]);
        }
        for &value in values {
            builder.plain(&[Operand::read(value)]);
        }
    }

    /// What is spilled at once where a pool takes in [`ALWAYS`] live values.
    fn spilled(builder: FunctionBuilder, cost: impl Fn(u32) -> f64) -> Vec<u32> {
        let machine = gpu::machine(8);
        let function = builder.finish();
        let liveness = Liveness::new(&function, &machine);
        let registers = function.virtual_registers.keys();
        let costs = registers.map(|value| cost(value.as_u32())).collect();
        let found = excess(
            &function,
            &machine,
            &RegisterPools::new(&machine),
            &liveness,
            &costs,
        );
        found.into_iter().map(VirtualRegister::as_u32).collect()
    }

    #[test]
    fn the_cheapest_go_until_the_rest_fits() {
        let values = || overlapping([gpu::SINGLE32; ALWAYS + 3]);
        assert_eq!(
            spilled(values(), |value| f64::from(100 - value)),
            [66, 65, 64]
        );
        assert_eq!(spilled(values(), |value| f64::from(1 + value)), [2, 1, 0]);
        let exact = overlapping([gpu::SINGLE32; ALWAYS]);
        assert!(spilled(exact, f64::from).is_empty());
    }

    #[test]
    fn values_that_cannot_be_spilled_do_not_count() {
        let values = overlapping([gpu::SINGLE32; ALWAYS + 3]);
        let cost = |value| if value < 3 { f64::INFINITY } else { 1.0 };
        assert!(spilled(values, cost).is_empty());
    }

    #[test]
    fn values_that_are_not_live_together_do_not_count() {
        let mut values = overlapping([gpu::SINGLE32; ALWAYS]);
        let later: Vec<_> = (0..ALWAYS)
            .map(|_| values.virtual_register(gpu::SINGLE32))
            .collect();
        add_wave(&mut values, &later);
        assert!(spilled(values, f64::from).is_empty());
    }

    #[test]
    fn each_pool_is_counted_by_itself() {
        let classes = [[gpu::SINGLE32; 40], [gpu::PREDICATE; 40]];
        assert!(spilled(overlapping(classes.concat()), f64::from).is_empty());
    }
}
