//! How crowded it is along a live range: about how many other values it meets.
//!
//! Without an interference graph, ordering has this instead of a degree. Values
//! are counted by the registers that they take from others of their pool: a pair
//! is two. A value meets what is live where a segment of it starts, and what starts
//! inside; one that comes and goes is counted more than once, so the sum is an
//! upper bound of the degree, never less. Time: linear in points and segments.

use crate::analysis::live_range::{LiveRanges, Segment};
use crate::analysis::live_set::RegisterPools;
use crate::function::{Function, VirtualRegister};
use crate::machine::{Class, ClassTable, Machine};
use cranelift_entity::SecondaryMap;

/// The pressure of every pool at every point.
pub struct InterferenceEstimate {
    pool_of: SecondaryMap<Class, u32>,
    weight: SecondaryMap<Class, u32>,
    pools: Vec<Pool>,
}

/// One pool's pressure; nothing is kept of a pool without values.
#[derive(Default)]
struct Pool {
    /// Registers occupied at each point.
    live: Vec<u32>,
    /// Registers of all segments that start before each point.
    started: Vec<u32>,
}

impl InterferenceEstimate {
    /// Counts.
    pub fn new(
        function: &Function,
        machine: &Machine,
        classes: &ClassTable,
        pools: &RegisterPools,
        ranges: &LiveRanges,
    ) -> Self {
        let mut map = Self {
            pool_of: SecondaryMap::new(),
            weight: SecondaryMap::new(),
            pools: (0..pools.count()).map(|_| Pool::default()).collect(),
        };
        for class in machine.classes.keys() {
            map.pool_of[class] = pools.pool(class);
            let taken = machine.classes.keys();
            let taken = taken.map(|other| classes.blocked(other, class)).max();
            map.weight[class] = taken.unwrap_or(1);
        }
        let points = ranges.points() as usize + 1;
        for (value, data) in &function.virtual_registers {
            let weight = map.weight[data.class];
            let pool = &mut map.pools[map.pool_of[data.class] as usize];
            for segment in ranges.segments(value) {
                pool.live.resize(points, 0);
                pool.started.resize(points + 1, 0);
                // Differences first; summed up below.
                let (start, end) = (segment.start.index(), segment.end.index());
                pool.live[start] = pool.live[start].wrapping_add(weight);
                pool.live[end] = pool.live[end].wrapping_sub(weight);
                pool.started[start + 1] += weight;
            }
        }
        for pool in &mut map.pools {
            sum_up(&mut pool.live);
            sum_up(&mut pool.started);
        }
        map
    }

    /// Registers' worth of other values that a value meets: an upper bound of its
    /// weighted degree.
    pub fn degree(&self, function: &Function, ranges: &LiveRanges, value: VirtualRegister) -> u32 {
        let class = function.virtual_registers[value].class;
        let own = self.weight[class];
        let pool = &self.pools[self.pool_of[class] as usize];
        let met = |segment: &Segment| {
            let (start, end) = (segment.start.index(), segment.end.index());
            let there = pool.live[start] - own;
            let later = pool.started[end] - pool.started[start + 1];
            there + later
        };
        ranges.segments(value).iter().map(met).sum()
    }
}

fn sum_up(values: &mut [u32]) {
    let mut sum = 0u32;
    for value in values {
        sum = sum.wrapping_add(*value);
        *value = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::liveness::Liveness;
    use crate::function::{FunctionBuilder, Operand};
    use crate::machine::gpu;

    #[test]
    fn a_value_meets_what_is_live_at_its_start_and_what_starts_inside() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b, c] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        let pair = builder.virtual_register(gpu::PAIR);
        let predicate = builder.virtual_register(gpu::PREDICATE);
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a), Operand::write(predicate)]);
        builder.plain(&[Operand::write(pair)]);
        builder.plain(&[Operand::write(b), Operand::read(pair)]);
        builder.plain(&[Operand::read(a), Operand::read(predicate)]);
        builder.plain(&[Operand::write(c), Operand::read(b)]);
        builder.plain(&[Operand::read(c)]);
        let function = builder.finish();
        let machine = gpu::machine(8);
        let liveness = Liveness::new(&function, &machine);
        let ranges = LiveRanges::new(&function, &liveness);
        let (classes, pools) = (ClassTable::new(&machine), RegisterPools::new(&machine));
        let interference =
            InterferenceEstimate::new(&function, &machine, &classes, &pools, &ranges);
        let degree = |value| interference.degree(&function, &ranges, value);
        assert_eq!(degree(a), 2 + 1);
        assert_eq!(degree(b), 1);
        assert_eq!(degree(c), 0);
        assert_eq!(degree(pair), 1);
        assert_eq!(degree(predicate), 0);
    }
}
