//! The numbers that the prediction rests on.
//!
//! Those of [`SMALL`] and [`LARGE`] come out of `python3 tools prediction --fit`: each
//! minimises the sum of relative errors, each source of kernels having the weight of the square
//! root of their number. That they hold for kernels which they were not fitted to is tested
//! there by leaving out one source after the other.

/// Registers that ptxas reports for a kernel in which nothing lives.
pub const EMPTY: u32 = 4;
/// Registers that ptxas reports beyond the last one that stands in the machine code.
pub const BEYOND_LAST: u32 = 2;
/// Registers of CUDA's system, beside those that are live across its call.
pub const SYSTEM: u32 = 20;
/// With this many registers as many warps run as can.
pub const ALL_WARPS: u32 = 32;
/// What would be above that by no more than this stays at it.
pub const REACH: f64 = 3.0;
/// With fewer than this many live at once, ptxas stays within [`ALL_WARPS`].
pub const FITS: u32 = 26;
/// Below this the registers that ptxas reports are even.
pub const EVEN_BELOW: f64 = 24.0;
/// Copies that ptxas makes of the body of a loop which it unrolls.
pub const COPIES: u32 = 4;
/// The most instructions of a loop that it unrolls.
pub const LARGEST_UNROLLED: u32 = 44;
/// Registers beyond those of the copies.
pub const BESIDE_COPIES: u32 = 5;
/// A kernel that asks for no more warps than can run with more registers than this has plenty:
/// ptxas issues all loads of a block at once.
pub const PLENTY: u32 = 128;
/// From this SM on fewer values of a large kernel are in registers of the threads.
pub const UNIFORM_SINCE: u32 = 90;

/// What a kernel takes that fits into [`ALL_WARPS`]. There ptxas is free: the more there
/// is to do, the more it does at once, and it does not fill holes.
pub struct Small {
    /// For any kernel.
    pub constant: f64,
    /// For each register that must be live at once, up to `most_least`.
    pub least: f64,
    /// See there.
    pub most_least: u32,
    /// For each that is live at once in PTX, up to `most_named`.
    pub named: f64,
    /// See there.
    pub most_named: u32,
    /// For each register that the loads of one block write, up to `most_loads`.
    pub loads: f64,
    /// See there.
    pub most_loads: u32,
    /// For each register by which the copies of a loop that is unrolled want more than
    /// must be live at once, up to `most_copies`, in a kernel that asks for no number of
    /// warps.
    pub copies: f64,
    /// See there.
    pub most_copies: u32,
    /// For each doubling of the number of instructions.
    pub doubling: f64,
    /// With a shuffle.
    pub shuffle: f64,
    /// With an integer division of up to 32 bits.
    pub division_integer: f64,
    /// With a 32-bit floating-point division, root or reciprocal, correctly rounded.
    pub rounded_single: f64,
    /// With a 64-bit floating-point division.
    pub division_double: f64,
    /// With one, for each register by which fewer than `subroutine` must be live at once: what
    /// computes it has registers of its own.
    pub below_subroutine: f64,
    /// See there.
    pub subroutine: u32,
    /// With an access to the thread's own memory.
    pub local: f64,
}

/// See there.
pub const SMALL: Small = Small {
    constant: 2.33,
    least: 0.47,
    most_least: 27,
    named: 0.25,
    most_named: 40,
    loads: 0.27,
    most_loads: 16,
    copies: 0.22,
    most_copies: 16,
    doubling: 0.95,
    shuffle: 1.03,
    division_integer: 1.49,
    rounded_single: 2.37,
    division_double: 2.49,
    below_subroutine: 1.3,
    subroutine: 14,
    local: 1.36,
};

/// What a kernel takes that does not.
pub struct Large {
    /// For any kernel.
    pub constant: f64,
    /// For each register that must be live at once.
    pub least: f64,
    /// For each that is live in PTX's order, on average over the instructions: where much
    /// is live everywhere, there is little to choose.
    pub mean: f64,
    /// For each register that the loads of one block write, where the kernel has
    /// [`PLENTY`].
    pub loads: f64,
    /// From [`UNIFORM_SINCE`] on.
    pub uniform: f64,
}

/// See there.
pub const LARGE: Large = Large {
    constant: 8.24,
    least: 0.89,
    mean: 0.19,
    loads: 0.73,
    uniform: -3.75,
};
