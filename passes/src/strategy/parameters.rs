//! The numbers by which a strategy is chosen, found by measurement (docs/spills.md).

/// See the fields.
pub struct Parameters {
    /// From so many percent of the registers on that there are, what is needed is far more
    /// than that.
    pub far_percent: u32,
}

/// Those in use.
pub const PARAMETERS: Parameters = Parameters { far_percent: 190 };
