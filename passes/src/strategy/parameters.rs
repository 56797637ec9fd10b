//! The numbers by which a strategy is chosen, found by measurement (docs/spills.md).

/// See the fields.
pub struct Parameters {
    /// Registers that `ptxas` takes for itself.
    pub beside: u32,
    /// Registers that are live on average, as percent of the others, from which on values
    /// are spilled here.
    pub crowded_percent: u32,
    /// So many more than there are always suffice for that.
    pub crowded_more: u32,
}

impl Parameters {
    /// The registers that are live on average from which on values are spilled here, where
    /// a thread may have so many.
    pub fn crowded(&self, registers: u32) -> f64 {
        let free = registers.saturating_sub(self.beside);
        let share = f64::from(free * self.crowded_percent) / 100.0;
        share.min(f64::from(registers + self.crowded_more))
    }
}

/// Those in use.
pub const PARAMETERS: Parameters = Parameters {
    beside: 8,
    crowded_percent: 155,
    crowded_more: 20,
};
