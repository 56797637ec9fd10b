//! The numbers by which a strategy is chosen, found by measurement (docs/spills.md).

use crate::settings::SPILL_RESERVE;

/// See the fields.
pub struct Parameters {
    /// Registers that are live on average, as percent of those that `ptxas` does not take for
    /// itself, from which on values are spilled here.
    pub crowded_percent: u32,
    /// So many more than there are always suffice for that.
    pub crowded_more: u32,
    /// Live on average, as percent of the registers of a thread, from which on it is asked whether
    /// spilling here is worth it.
    pub asked_percent: u32,
    /// With more registers than that, or fewer, more have to be live for it.
    pub asked_registers: u32,
    /// So many more for each, in percent of a register.
    pub asked_each: u32,
    /// So many more than there are: live on average, it is not asked how well that is done,
    /// as `ptxas` does worse in most such functions.
    pub very_crowded_more: u32,
    /// Executed accesses to memory, as percent of the fewest that `ptxas` needs, up to which
    /// values are spilled here where it is crowded.
    pub most_percent: u32,
    /// The same where that is only asked about.
    pub most_percent_asked: u32,
    /// Registers of a thread from which on it is asked what `ptxas` forwards: with few it has
    /// none to forward values in.
    pub forwarded_registers: u32,
    /// The part of the executed reloads that `ptxas` forwards from which on values are spilled
    /// here only if that is even better.
    pub forwarded: f64,
    /// Executed accesses to memory then, as percent of the fewest that `ptxas` needs.
    pub most_percent_forwarded: u32,
    /// The part of them from which on nothing is spilled here.
    pub mostly_forwarded: f64,
    /// The same part of the fewest loads that are needed, by which nothing is spilled here before
    /// it is known what would be.
    pub forwarded_at_best: f64,
    /// Instructions that access the thread's own memory, as percent of all, beyond which
    /// nothing is spilled here.
    pub local_percent: u32,
    /// The fewest accesses that spilling needs in another order, as percent of those in the
    /// program's own, up to which ptxas gets the other one at most.
    pub reordered_percent: u32,
    /// Registers of a thread from which on ptxas gets the program's own order.
    pub reordered_registers: u32,
    /// Percent for each register below that: the more registers there are, the more ptxas makes
    /// of any order itself, and the more another one has to save.
    pub reordered_each: f64,
}

impl Parameters {
    /// The registers that are live on average from which on values are spilled here, where
    /// a thread may have so many.
    pub fn crowded(&self, registers: u32) -> f64 {
        let free = registers.saturating_sub(SPILL_RESERVE);
        let share = f64::from(free * self.crowded_percent) / 100.0;
        share.min(f64::from(registers + self.crowded_more))
    }

    /// The registers that are live on average from which on values are spilled here if that is no
    /// dearer than what `ptxas` needs.
    pub fn asked(&self, registers: u32) -> f64 {
        let share = registers * self.asked_percent;
        let more = self.asked_registers.abs_diff(registers) * self.asked_each;
        let asked = f64::from(share + more) / 100.0;
        asked.min(self.crowded(registers))
    }

    /// The executed accesses to memory up to which it is worth it to spill where so many registers
    /// are live on average, which is not very crowded: not many more than the fewest that `ptxas`
    /// needs, which has all registers for it.
    pub fn most_accesses(&self, least: f64, live: f64, registers: u32) -> f64 {
        let percent = match live >= self.crowded(registers) {
            true => self.most_percent,
            false => self.most_percent_asked,
        };
        least * f64::from(percent) / 100.0
    }

    /// The registers that are live on average from which on it is not asked how well spilling
    /// is done.
    pub fn very_crowded(&self, registers: u32) -> f64 {
        f64::from(registers + self.very_crowded_more)
    }

    /// The fewest accesses that spilling needs in another order, as a part of those in the
    /// program's own, up to which ptxas gets the other one where a thread may have so many
    /// registers; 0 if it never does.
    pub fn reordered(&self, registers: u32) -> f64 {
        let below = self.reordered_registers.saturating_sub(registers);
        let percent = f64::from(below) * self.reordered_each;
        percent.min(f64::from(self.reordered_percent)) / 100.0
    }
}

/// Those in use.
pub const PARAMETERS: Parameters = Parameters {
    crowded_percent: 155,
    crowded_more: 20,
    asked_percent: 97,
    asked_registers: 64,
    asked_each: 50,
    very_crowded_more: 44,
    most_percent: 135,
    most_percent_asked: 100,
    forwarded_registers: 64,
    forwarded: 0.6,
    most_percent_forwarded: 50,
    mostly_forwarded: 0.9,
    forwarded_at_best: 0.7,
    local_percent: 3,
    reordered_percent: 70,
    reordered_registers: 88,
    reordered_each: 1.25,
};
