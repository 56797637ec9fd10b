//! The numbers by which a strategy is chosen, found by measurement (docs/spills.md).

/// See the fields.
pub struct Parameters {
    /// Registers that are live on average, as percent of those that there are, from which on
    /// values are spilled here.
    pub crowded_percent: u32,
}

/// Those in use.
pub const PARAMETERS: Parameters = Parameters {
    crowded_percent: 115,
};
