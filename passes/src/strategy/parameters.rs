//! The numbers by which a strategy is chosen, found by measurement (docs/spills.md).

/// See the fields.
pub struct Parameters {
    /// Registers that `ptxas` takes for itself.
    pub beside: u32,
    /// Registers that are live on average, as percent of the others, from which on values
    /// are spilled here.
    pub crowded_percent: u32,
}

/// Those in use.
pub const PARAMETERS: Parameters = Parameters {
    beside: 8,
    crowded_percent: 155,
};
