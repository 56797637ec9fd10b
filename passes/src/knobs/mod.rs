//! The knobs: settings of ptxas' register allocator that have a number there and
//! mostly a name.
//!
//! One table declares all that the documents describe, with what each takes, its
//! default, what it does here, and who reads it. From it come the fields of
//! [`Knobs`], the reading of `NAME=VALUE` and the list for `help`. A pass reads plain
//! fields, as in `settings.knobs.coalescing`. Setting a knob looks through the table:
//! O(knobs).
//!
//! Source: the document *ptxas allocator*. It gives some knobs a number but no
//! name, and the coefficients of the budget model neither: those are named after the
//! fields that hold them.

mod help;
mod kind;
mod set;

pub use help::help;
pub use kind::Kind;
pub use set::KnobError;

use Origin::{Documented, Own};
use Standing::{Ignored, Used};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The numbers of ptxas' knobs for register allocation. The documents describe only
/// some of these 87.
pub const ALLOCATOR_NUMBERS: RangeInclusive<u16> = 613..=699;

/// The highest threshold below which conflicts may be discarded: what a counter of the
/// fat-point histograms can hold.
pub const HIGHEST_DISCARD_THRESHOLD: u32 = 63;

/// What is known of a knob.
pub struct Knob {
    /// Its number, where the documents give one.
    pub number: Option<u16>,
    /// Its name, where it has one. Every knob has a name or a number.
    pub name: Option<&'static str>,
    /// What it takes.
    pub kind: Kind,
    /// What it does, in lines.
    pub effect: &'static [&'static str],
    /// Whose choice the default is.
    pub origin: Origin,
    /// Who reads it.
    pub standing: Standing,
}

impl Knob {
    /// The name, or the number of a knob without one.
    pub fn label(&self) -> String {
        match (self.name, self.number) {
            (Some(name), _) => name.into(),
            (None, Some(number)) => number.to_string(),
            (None, None) => String::new(),
        }
    }
}

/// Whose choice a default is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The documents give it.
    Documented,
    /// They do not; ours, and why.
    Own(&'static str),
}

/// Who reads a knob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A pass does.
    Used,
    /// Nothing does or will, and why.
    Ignored(&'static str),
}

/// Declares the knobs. An entry is
///
/// ```text
/// /// What it does.
/// field: type = default, origin, number, name, kind(limits), standing;
/// ```
macro_rules! knobs {
    ($(
        $(#[doc = $effect:literal])+
        $field:ident: $type:ty = $default:expr, $origin:expr,
        $number:expr, $name:expr, $kind:ident $(($limits:expr))?, $standing:expr;
    )+) => {
        /// The value of every knob.
        #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Knobs {
            $($(#[doc = $effect])+ pub $field: $type,)+
        }

        impl Default for Knobs {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }

        /// Every knob that the documents describe, by number; those without one last.
        pub static KNOBS: &[Knob] = &[$(
            Knob {
                number: $number,
                name: $name,
                kind: Kind::$kind(|knobs: &mut Knobs| &mut knobs.$field $(, $limits)?),
                effect: &[$($effect),+],
                origin: $origin,
                standing: $standing,
            },
        )+];
    };
}

/// The most registers that a thread can address.
const REGISTERS: u32 = crate::machine::gpu::R_SIZE;
/// The most rounds of splitting: a series has to end.
const SPLIT_ITERATIONS: u32 = 100;
/// The most that a use counts for a loop around it: the product over all loops stays finite.
const LOOP_BASE: f64 = 100.0;
/// The most threads of a block.
const THREADS: u32 = 1024;

knobs! {
    /// Where loop invariants are hoisted before allocation: 0 from every loop, 1 from
    /// inner loops, 3 from none.
    hoist_invariants: u32 = 0, Own("the pass runs only where it is asked for"),
        Some(381), None, OneOf(&[0, 1, 3]), Used;

    /// Whether the preference of RegAllocPrefMacOperands is followed. There it can
    /// differ between instructions; here it holds for all of them.
    mac_operands_followed: bool = true, Own("646 alone would have no effect otherwise"),
        Some(443), None, Bool, Used;

    /// How many times stack variables may be promoted to registers; each function
    /// counts once.
    promotion_budget: Option<u32> = None, Own("a limit is for finding faults"),
        Some(487), Some("NumOptPhasesBudget"), Optional(0..=u32::MAX), Used;

    /// Known by name only; read as how deep merges may be nested in a group of values, as
    /// deep as a chain of copies is long.
    coalesce_depth: Option<u32> = None, Own("our merging needs no limit"),
        Some(529), Some("RegAllocCoalesceMaxDepth"), Optional(0..=u32::MAX), Used;

    /// Known by name only; read as the most 32-bit registers of a group of values.
    coalesce_width: Option<u32> = None, Own("our merging needs no limit"),
        Some(530), Some("RegAllocCoalesceMaxWidth"), Optional(0..=u32::MAX), Used;

    /// Known by name only; read as the most copies from one value that are merged.
    coalesce_fan_out: Option<u32> = None, Own("our merging needs no limit"),
        Some(531), Some("RegAllocCoalesceMaxFanout"), Optional(0..=u32::MAX), Used;

    /// Copy-related values are merged; 0 leaves this out, like
    /// -warpalloc-disable=coalesce.
    coalescing: bool = true, Own("merging pays; only a start value of 0 is documented"),
        Some(618), Some("RegAllocCoalescing"), Bool, Used;

    /// Spill slots of kernels may lie in shared memory, as with
    /// -warpalloc-spill-space=shared. The ptxas profile switches this on for functions of
    /// more than one block, unless knob 649 says that the ABI holds.
    shared_memory_spilling: bool = false, Documented,
        Some(619), None, Bool, Used;

    /// Iterations of a loop to assume: in place of its frequency a block counts this to
    /// the power of its loop depth, in spill costs and wherever blocks are weighed. A
    /// string there, a number here.
    estimated_loop_iterations: Option<u32> = None, Own("LLVM's block frequencies know more"),
        Some(623), Some("RegAllocEstimatedLoopIterations"), Optional(1..=u32::MAX), Used;

    /// Of registers that are equally good, one is taken whose bank differs from those of
    /// the values that an instruction with three sources reads beside it.
    bank_aware: bool = true, Own("the wish comes last, so it costs nothing; 0 there"),
        Some(627), None, Bool, Used;

    /// Operands of multiply-accumulate and the like get their registers first, whatever
    /// RegAllocPrefMacOperands says.
    mac_force: bool = false, Documented,
        Some(628), Some("RegAllocMacForce"), Bool, Used;

    /// The order in which pre-allocation takes the values; 0 leaves it out.
    mac_order: u32 = 0, Documented,
        Some(629), Some("RegAllocMacVregAllocOrder"), Integer(0..=255), Used;

    /// A third limit on registers, 0 for none; the document says no more.
    tertiary_budget: u32 = 0, Documented,
        Some(632), None, Integer(0..=REGISTERS), Used;

    /// A second limit on registers, 0 for none; the document says no more.
    secondary_budget: u32 = 0, Documented,
        Some(633), None, Integer(0..=REGISTERS), Used;

    /// A number of spill instructions; the document says no more.
    spill_instruction_count: u32 = 44, Documented,
        Some(635), None, Integer(0..=u32::MAX),
        Ignored("a field starts with it there, and nothing shown reads it");

    /// The registers of pre-coloured values, those of tuples, are used again where they
    /// are free. 0 keeps them from all other values, as far as there are enough.
    precolour_reuse: bool = true, Documented,
        Some(636), None, Bool, Used;

    /// A copy-related value is neither given nor moved to its partner's register for that
    /// (fat-point select).
    no_retarget_preferences: bool = false, Own("the name says that the preferences are the rule"),
        Some(638), Some("RegAllocNoRetargetPrefs"), Bool, Used;

    /// Attempts without spilling. Those after the first that succeeds look for a result
    /// in fewer registers; where spilling is needed there is one. In the ptxas profile 0
    /// leaves them out.
    non_spill_trials: u32 = 4, Own("the driver shown makes one"),
        Some(639), Some("RegAllocNumNonSpillTrials"), Integer(0..=u32::MAX), Used;

    /// Which operands of multiply-accumulate and the like get their registers first:
    /// 0 none, 1 those read, 2 those written, 3 both.
    mac_operands: u32 = 0, Own("the code shown does nothing without the knob"),
        Some(646), Some("RegAllocPrefMacOperands"), Integer(0..=3), Used;

    /// The prediction keeps what lives across calls in registers that survive one. In the
    /// ptxas profile spills stay out of shared memory.
    abi_compatibility: bool = true, Documented,
        Some(649), None, Bool, Used;

    /// Weight of spill costs: how many instructions that rematerialise a value cost as
    /// much as one that stores or reloads it.
    spill_cost_multiplier: f64 = 4.0, Documented,
        Some(680), None, Number(0.0..=f64::MAX), Used;

    /// Allocation by epochs, read as the blocks: of registers that are equally good, one
    /// is taken that the blocks of the value's live range have used already (fat-point
    /// select). The ptxas profile switches this on for functions of more than one block.
    epoch_aware: bool = false, Documented,
        Some(682), None, Bool, Used;

    /// Allocation of paired registers: among the columns of free registers those of a
    /// broken pair are taken first (fat-point select). The ptxas profile switches this on
    /// for functions of more than one block only; in the others it is always on.
    paired: bool = false, Documented,
        Some(683), None, Bool, Used;

    /// Registers that are occupied at more places of a value's live range than this are
    /// not tried (fat-point select).
    discard_threshold: u32 = 50, Documented,
        Some(684), Some("RegAllocThresholdForDiscardConflicts"),
        Integer(0..=HIGHEST_DISCARD_THRESHOLD), Used;

    /// Another routine hoists loop invariants.
    new_hoisting_routine: bool = false, Own("nothing reads it"),
        Some(934), Some("UseNewLoopInvariantRoutineForHoisting"), Bool,
        Ignored("there is one such routine here");

    /// First breakpoint of the budget model. The document calls it threads a block, but
    /// compares it with registers.
    budget_max_threads: u32 = 119, Documented,
        None, Some("MaxThreadsPerBlock"), Integer(0..=THREADS), Used;

    /// Second breakpoint of the budget model, in registers.
    budget_pressure_threshold: u32 = 160, Documented,
        None, Some("PressureThreshold"), Integer(0..=REGISTERS), Used;

    /// Fraction of the registers up to the second breakpoint of the budget model.
    budget_coefficient_a: f64 = 0.2, Documented,
        None, Some("InterpolationCoefficientA"), Number(0.0..=1.0), Used;

    /// Fraction of the registers at the upper end of the budget model.
    budget_coefficient_b: f64 = 1.0, Documented,
        None, Some("InterpolationCoefficientB"), Number(0.0..=1.0), Used;

    /// Fraction at the lower end of the linear form of the budget model.
    budget_coefficient_c: f64 = 0.3, Documented,
        None, Some("InterpolationCoefficientC"), Number(0.0..=1.0), Used;

    /// Which functions' stack variables may become registers: 0 all, 1 those that
    /// PromotionBudget lets through, others none.
    promotion_mode: u32 = 0, Own("promotion pays"),
        None, Some("PromotionMode"), Integer(0..=255), Used;

    /// What PromotionMode=1 asks: 0 lets no function through, 1 and 2 none that is to be
    /// small, 1 none where shared memory takes spills.
    promotion_mode_budget: u32 = 3, Own("the first that refuses nothing"),
        None, Some("PromotionBudget"), Integer(0..=u32::MAX), Used;

    /// The linear form of the budget model instead of the piecewise one.
    budget_linear: bool = false, Own("the piecewise form decides there"),
        None, Some("LinearBudgetModel"), Bool, Used;

    /// What takes more instructions than this to compute is not rematerialised: the set
    /// of values that rematerialisation excludes.
    rematerialisation_threshold: Option<u32> = None, Own("costs decide; its field starts as 0, without a set"),
        None, Some("RematExclusionThreshold"), Optional(0..=u32::MAX), Used;

    /// In so many rounds of a series what finds no register is split; behind them it is
    /// spilled everywhere.
    split_iterations: u32 = 6, Own("the code shown does not say"),
        None, Some("SplitMaxIterations"), Integer(0..=SPLIT_ITERATIONS), Used;

    /// So many times a value is split in a series at most. The document counts rounds by
    /// the splits that they make.
    split_rounds: Option<u32> = None, Own("the code shown does not say"),
        None, Some("SplitMaxRounds"), Optional(0..=u32::MAX), Used;

    /// A value, or a group that shares a register, is split if that saves at least so many
    /// executions of accesses to memory, compared with spilling it everywhere.
    split_threshold: f64 = 0.0, Own("the code shown does not say"),
        None, Some("SplitThreshold"), Number(0.0..=f64::MAX), Used;

    /// Values that take several registers may be split.
    split_pairs: bool = true, Own("a flag of the function there"),
        None, Some("SplitPairs"), Bool, Used;

    /// Values in uniform registers may be split.
    split_uniform: bool = false, Own("a flag of the function there"),
        None, Some("SplitUniform"), Bool,
        Ignored("what leaves uniform registers is split in the threads' own");

    /// From this degree on a value is a candidate for spilling, whatever registers it has
    /// to choose from (graph select): K = 15 in the cicc profile.
    significant_degree: Option<u32> = None, Own("the profile's: 15 in cicc, none in others"),
        None, Some("SignificantDegree"), Optional(1..=u32::MAX), Used;

    /// What the spill cost of a value counts that others have been merged with (graph
    /// select): 2 in the cicc profile.
    coalesced_weight: Option<f64> = None, Own("the profile's: 2 in cicc, 1 in others"),
        None, Some("CoalescedWeight"), OptionalNumber(0.0..=f64::MAX), Used;

    /// By how much a use counts more for each loop around it, in the documented spill
    /// cost: 1.5, or 1.8 in another place of the documents.
    loop_base: f64 = 1.5, Documented,
        None, Some("LoopBase"), Number(1.0..=LOOP_BASE), Used;

    /// By how much a value with more than ten uses counts more, in the documented spill
    /// cost.
    many_uses_factor: f64 = 1.2, Documented,
        None, Some("ManyUsesFactor"), Number(0.0..=f64::MAX), Used;

    /// Cycles of a reload in the documented spill cost and with ReloadCostInCycles: 4 from
    /// the first-level cache, 10 from the second, 40 from the third, 100 from memory.
    reload_latency: Option<f64> = None, Own("the table of SMs: 6 to 10"),
        None, Some("ReloadLatency"), OptionalNumber(0.0..=f64::MAX), Used;

    /// What spilling costs is counted in cycles: the latency of a reload, half as much
    /// again where registers are full; not in accesses.
    reload_cost_in_cycles: bool = false, Own("accesses to memory predict better"),
        None, Some("ReloadCostInCycles"), Bool, Used;

    /// Guidance prefers what is used again farthest on, times its size, for its cost; not
    /// what relieves most of the registers that are missing.
    next_use_distance: bool = false, Own("relief costs less"),
        None, Some("NextUseDistance"), Bool, Used;

    /// Percent of the registers of a thread that the cicc profile fills before it spills.
    spill_threshold: Option<u32> = None, Own("the table of SMs: 70, and 80 from sm_90 on"),
        None, Some("SpillThreshold"), Optional(1..=100), Used;

    /// Spill cost above which a value is on the list High, with the six lists: 15 in the
    /// ptxas profile, 3 where its spills lie in shared memory.
    default_spill_cost: Option<f64> = None,
        Own("the profile's, none in others than ptxas"),
        None, Some("DefaultSpillCost"), OptionalNumber(0.0..=f64::MAX), Used;

    /// How freely optimisations may use registers, from sparing to free.
    register_usage_level: u32 = 5, Own("that of ptxas' own --register-usage-level"),
        None, Some("RegUsageLevel"), Integer(0..=10),
        Ignored("the documents only name it; -nvptx-regalloc-* limit registers");
}

#[cfg(test)]
mod tests;
