//! How crowded it is along a live range: the pressure at its fullest point, and
//! about how many other values it meets.
//!
//! Without an interference graph, ordering has these instead of a degree. Values
//! are counted by the registers that they take from others of their bank: a pair
//! is two. A value meets what is live where a segment of it starts, and what starts
//! inside; one that comes and goes is counted more than once, so the sum is an
//! upper bound of the degree, never less. Time: linear in points and segments, and
//! for the fullest point a sixty-fourth of the range.

use super::live_range::LiveRanges;
use super::live_set::Banks;
use crate::function::{Function, VirtualRegister};
use crate::machine::{Class, ClassTable, Machine};
use cranelift_entity::SecondaryMap;

const CHUNK: usize = 64;

/// Pressure along one value's range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crowding {
    /// Registers that are occupied at the fullest point, the value's own with them.
    pub peak: u32,
    /// Registers' worth of other values that are met; an upper bound of the
    /// weighted degree.
    pub degree: u32,
}

/// The pressure of every bank at every point.
pub struct CrowdingMap {
    bank_of: SecondaryMap<Class, u32>,
    weight: SecondaryMap<Class, u32>,
    banks: Vec<Bank>,
}

/// One bank's pressure; nothing is kept of a bank without values.
#[derive(Default)]
struct Bank {
    /// Registers occupied at each point.
    live: Vec<u32>,
    /// Registers of all segments that start before each point.
    started: Vec<u32>,
    /// The most of `live` in each chunk.
    most: Vec<u32>,
}

impl CrowdingMap {
    /// Counts.
    pub fn new(
        function: &Function,
        machine: &Machine,
        classes: &ClassTable,
        banks: &Banks,
        ranges: &LiveRanges,
    ) -> Self {
        let mut map = Self {
            bank_of: SecondaryMap::new(),
            weight: SecondaryMap::new(),
            banks: (0..banks.count()).map(|_| Bank::default()).collect(),
        };
        for class in machine.classes.keys() {
            map.bank_of[class] = banks.bank(class);
            let taken = machine.classes.keys();
            let taken = taken.map(|other| classes.blocked(other, class)).max();
            map.weight[class] = taken.unwrap_or(1);
        }
        let points = ranges.points() as usize + 1;
        for (value, data) in &function.virtual_registers {
            let weight = map.weight[data.class];
            let bank = &mut map.banks[map.bank_of[data.class] as usize];
            for segment in ranges.segments(value) {
                bank.live.resize(points, 0);
                bank.started.resize(points + 1, 0);
                // Differences first; summed up below.
                let (start, end) = (segment.start as usize, segment.end as usize);
                bank.live[start] = bank.live[start].wrapping_add(weight);
                bank.live[end] = bank.live[end].wrapping_sub(weight);
                bank.started[start + 1] += weight;
            }
        }
        for bank in &mut map.banks {
            sum_up(&mut bank.live);
            sum_up(&mut bank.started);
            let chunks = bank.live.chunks(CHUNK);
            bank.most = chunks.filter_map(|c| c.iter().max().copied()).collect();
        }
        map
    }

    /// What is around a value.
    pub fn around(
        &self,
        function: &Function,
        ranges: &LiveRanges,
        value: VirtualRegister,
    ) -> Crowding {
        let class = function.virtual_registers[value].class;
        let own = self.weight[class];
        let bank = &self.banks[self.bank_of[class] as usize];
        let mut crowding = Crowding::default();
        for segment in ranges.segments(value) {
            let (start, end) = (segment.start as usize, segment.end as usize);
            crowding.peak = crowding.peak.max(bank.most_live(start, end));
            crowding.degree += bank.live[start] - own;
            crowding.degree += bank.started[end] - bank.started[start + 1];
        }
        crowding
    }
}

impl Bank {
    fn most_live(&self, start: usize, end: usize) -> u32 {
        let (first, last) = (start.div_ceil(CHUNK), end / CHUNK);
        let most = |values: &[u32]| values.iter().max().copied().unwrap_or(0);
        if first >= last {
            return most(&self.live[start..end]);
        }
        let ends = most(&self.live[start..first * CHUNK]).max(most(&self.live[last * CHUNK..end]));
        ends.max(most(&self.most[first..last]))
    }
}

fn sum_up(values: &mut [u32]) {
    let mut sum = 0u32;
    for value in values {
        sum = sum.wrapping_add(*value);
        *value = sum;
    }
}
