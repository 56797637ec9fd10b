//! What it costs to keep a value in memory.
//!
//! Two models. [`CostModel::Accesses`], the default, counts what spilling adds: a store
//! for each instruction that writes the value, a reload for each that reads it, as often
//! as LLVM says that the instruction runs; or, where the value can be rematerialised, the
//! computations less the one that goes. [`CostModel::Documented`] is the cicc
//! document's formula, kept under the profiles:
//!
//! ```text
//! cost = sum over definitions (frequency x base^depth)
//!      x sum over uses        (frequency x base^depth) x latency [x 1.2]
//! ```
//!
//! Where a value can be rematerialised in fewer cycles than a reload takes, those count
//! in place of the latency: that is what it decides.
//!
//! The product of two frequencies makes a value of a loop dearer than anything outside
//! it, by the square; on real programs that costs memory accesses. `docs/fidelity.md`, A28.
//! Linear in operands.

use super::fold::{can_fold, fold_flag};
use super::work::Work;
use crate::function::{
    Function, Instruction, InstructionFlags, Operand, OperandFlags, VirtualRegister,
};
use crate::settings::{CostModel, DocumentedCost, Settings};
use cranelift_entity::PrimaryMap;

/// Values with more uses than this cost more (cicc algorithms document).
const MANY_USES: u32 = 10;
/// Cycles of an instruction that computes.
const COMPUTATION_CYCLES: f64 = 4.0;

/// By how much a value by which a warp finds its way costs more than another: it goes to
/// memory if nothing else can.
const STEERING_FACTOR: f64 = 1000.0;
/// What rematerialising a value costs, where a store or a reload costs one.
pub const COMPUTATION: f64 = 0.25;
/// What it costs to put a predicate into a bit: two instructions.
pub const PACKING: f64 = 2.0 * COMPUTATION;
/// The most and the least that knob 680 makes of these.
const SCALES: std::ops::RangeInclusive<f64> = 1e-6..=1e6;
/// The same for what a GPU's uniform data path computes out of nothing: ptxas makes a
/// constant or a parameter an operand of the instructions that read it, and computes the
/// number of a block once in a register that the warp shares. It only has to be more than
/// nothing.
pub const OPERAND: f64 = 0.02;
/// What an access to memory costs that is part of an instruction there is anyway.
pub const FOLDED: f64 = 0.5;

/// What a move from one register to another counts.
pub const MOVE: f64 = 0.5;

/// By how much computing counts more than by default, where a store or a reload costs as
/// much as this many instructions: knob 680, 4 by default.
pub fn computation_scale(multiplier: f64) -> f64 {
    (1.0 / (multiplier * COMPUTATION)).clamp(*SCALES.start(), *SCALES.end())
}

/// What it costs to repeat an instruction.
pub fn computation(function: &Function, repeated: Instruction) -> f64 {
    let flags = function.instructions[repeated].flags;
    let reads = function.instruction_operands(repeated).len() > 1;
    match flags.contains(InstructionFlags::UNIFORM_PATH) && !reads {
        true => OPERAND,
        false => COMPUTATION,
    }
}

/// What it costs to rematerialise a value, where a store or a reload costs one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RematerialisationCost {
    /// All that has to be repeated.
    pub all: f64,
    /// The definition, which goes.
    pub definition: f64,
}

/// What it costs to spill each value of the function that rounds work on.
pub fn spill_costs(work: &Work, settings: &Settings) -> PrimaryMap<VirtualRegister, f64> {
    let model = settings.spill_cost.with(&settings.knobs);
    let reload = work.reload_cost.reload;
    let again = |value| work.rematerialisation_cost(value);
    let mut costs = model.costs_with(&work.function, reload, again);
    for (value, cost) in costs.iter_mut() {
        if work.steers(value) {
            *cost *= STEERING_FACTOR;
        }
    }
    costs
}

impl CostModel {
    /// The cost of spilling each value, where a reload costs as much as a store; infinite for
    /// one that cannot be spilled.
    pub fn costs(
        self,
        function: &Function,
        rematerialisation: impl Fn(VirtualRegister) -> Option<RematerialisationCost>,
    ) -> PrimaryMap<VirtualRegister, f64> {
        self.costs_with(function, 1.0, rematerialisation)
    }

    /// The same, where a reload costs so many stores.
    pub fn costs_with(
        self,
        function: &Function,
        reload: f64,
        rematerialisation: impl Fn(VirtualRegister) -> Option<RematerialisationCost>,
    ) -> PrimaryMap<VirtualRegister, f64> {
        let mut costs = match self {
            Self::Accesses => accesses(function, reload, rematerialisation),
            Self::Documented(model) => documented(function, model, rematerialisation),
        };
        for (value, data) in &function.virtual_registers {
            if !data.spillable {
                costs[value] = f64::INFINITY;
            }
        }
        costs
    }
}

fn accesses(
    function: &Function,
    reload: f64,
    rematerialisation: impl Fn(VirtualRegister) -> Option<RematerialisationCost>,
) -> PrimaryMap<VirtualRegister, f64> {
    let executions = executions(function);
    let cost = |(value, sums): (VirtualRegister, &Executions)| match rematerialisation(value) {
        Some(RematerialisationCost { all, definition }) => {
            let reads = sums.reads - (1.0 - FOLDED) * sums.loaded;
            (all * reads - definition * sums.writes).max(0.0)
        }
        None => sums.writes + reload * sums.reads - (1.0 - FOLDED) * sums.folded,
    };
    executions.iter().map(cost).collect()
}

/// How often instructions run that do something with a value.
#[derive(Clone, Copy, Default)]
struct Executions {
    writes: f64,
    reads: f64,
    /// What can take place in a slot, reads and writes.
    folded: f64,
    /// Reads that can load what is rematerialised.
    loaded: f64,
}

fn executions(function: &Function) -> PrimaryMap<VirtualRegister, Executions> {
    let values = function.virtual_registers.keys();
    let in_memory = OperandFlags::FOLDABLE | OperandFlags::LOADABLE;
    let mut sums: PrimaryMap<VirtualRegister, Executions> =
        values.map(|_| Executions::default()).collect();
    for (block, data) in &function.blocks {
        for instruction in function.block_instructions(block) {
            let operands = function.instruction_operands(instruction);
            for (number, operand) in operands.iter().enumerate() {
                let Some(value) = operand.virtual_register() else {
                    continue;
                };
                // Operands before this one that name the same value.
                let before = operands[..number].iter();
                let mut own = before.filter(|other| other.register == operand.register);
                let is_first = |does: fn(&Operand) -> bool| !own.clone().any(does);
                let sums = &mut sums[value];
                if operand.is_definition() && is_first(Operand::is_definition) {
                    sums.writes += data.frequency;
                }
                if operand.reads() && is_first(Operand::reads) {
                    sums.reads += data.frequency;
                }
                if !operand.flags.intersects(in_memory)
                    || own.any(|other| other.access == operand.access)
                {
                    continue;
                }
                if can_fold(function, instruction, value, fold_flag(false)) {
                    sums.folded += data.frequency;
                }
                if can_fold(function, instruction, value, fold_flag(true)) {
                    sums.loaded += data.frequency;
                }
            }
        }
    }
    sums
}

fn documented(
    function: &Function,
    model: DocumentedCost,
    rematerialisation: impl Fn(VirtualRegister) -> Option<RematerialisationCost>,
) -> PrimaryMap<VirtualRegister, f64> {
    #[derive(Clone, Copy, Default)]
    struct Weights {
        definitions: f64,
        uses: f64,
        use_count: u32,
    }
    let values = function.virtual_registers.keys();
    let mut weights: PrimaryMap<VirtualRegister, Weights> =
        values.map(|_| Weights::default()).collect();
    for (block, data) in &function.blocks {
        let weight = data.frequency * model.loop_base.powi(data.loop_depth.min(32) as i32);
        for instruction in function.block_instructions(block) {
            for operand in function.instruction_operands(instruction) {
                let Some(register) = operand.virtual_register() else {
                    continue;
                };
                let entry = &mut weights[register];
                if operand.is_definition() {
                    entry.definitions += weight;
                }
                if operand.reads() {
                    entry.uses += weight;
                    entry.use_count += 1;
                }
            }
        }
    }
    let cost = |(value, weights): (VirtualRegister, &Weights)| {
        let many = weights.use_count > MANY_USES;
        let factor = if many { model.many_uses_factor } else { 1.0 };
        let cycles = |cost: RematerialisationCost| cost.all / COMPUTATION * COMPUTATION_CYCLES;
        let again = rematerialisation(value).map_or(f64::INFINITY, cycles);
        weights.definitions * weights.uses * model.latency.min(again) * factor
    };
    weights.iter().map(cost).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{FunctionBuilder, InstructionKind};
    use crate::machine::gpu;

    #[test]
    fn what_becomes_an_operand_costs_next_to_nothing() {
        let mut builder = FunctionBuilder::new("f");
        let value = builder.virtual_register(gpu::SINGLE32);
        builder.start_block(1.0, 0, &[]);
        let shared = InstructionFlags::UNIFORM_PATH;
        for flags in [InstructionFlags::empty(), shared] {
            builder.push(
                InstructionKind::Plain,
                flags,
                &[Operand::write(value)],
                None,
            );
        }
        let function = builder.finish();
        let costs = function
            .instructions
            .keys()
            .map(|one| computation(&function, one));
        assert_eq!(costs.collect::<Vec<_>>(), [COMPUTATION, OPERAND]);
    }

    #[test]
    fn accesses_count_once_an_instruction() {
        let mut builder = FunctionBuilder::new("f");
        let [value, fixed] = [0, 1].map(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(value), Operand::write(fixed)]);
        builder.start_block(8.0, 1, &[]);
        builder.plain(&[Operand::read(value), Operand::read(value)]);
        builder.plain(&[Operand::write(value), Operand::read(value)]);
        let mut function = builder.finish();
        function.virtual_registers[fixed].spillable = false;
        let costs = CostModel::Accesses.costs(&function, |_| None);
        assert_eq!(costs[value], 1.0 + 8.0 + 16.0);
        assert_eq!(costs[fixed], f64::INFINITY);
        let cost = RematerialisationCost {
            all: 3.0,
            definition: 1.0,
        };
        let costs = CostModel::Accesses.costs(&function, |_| Some(cost));
        assert_eq!(costs[value], 3.0 * 16.0 - 9.0);
    }

    #[test]
    fn what_instructions_do_in_memory_costs_less() {
        let mut builder = FunctionBuilder::new("f");
        let value = builder.virtual_register(gpu::SINGLE32);
        builder.start_block(2.0, 0, &[]);
        let foldable = |operand| Operand {
            flags: OperandFlags::FOLDABLE,
            ..operand
        };
        let (write, read) = (Operand::write(value), Operand::read(value));
        builder.plain(&[write]);
        builder.plain(&[foldable(write), foldable(read), foldable(read)]);
        builder.plain(&[foldable(read), read]);
        let costs = CostModel::Accesses.costs(&builder.finish(), |_| None);
        assert_eq!(costs[value], 2.0 * (1.0 + 2.0 * FOLDED + 1.0));
    }

    #[test]
    fn what_instructions_load_themselves_costs_less() {
        let mut builder = FunctionBuilder::new("f");
        let value = builder.virtual_register(gpu::SINGLE32);
        builder.start_block(2.0, 0, &[]);
        let loadable = Operand {
            flags: OperandFlags::LOADABLE,
            ..Operand::read(value)
        };
        builder.plain(&[Operand::write(value)]);
        builder.plain(&[loadable, loadable]);
        builder.plain(&[Operand::read(value)]);
        let cost = RematerialisationCost {
            all: 3.0,
            definition: 1.0,
        };
        let costs = CostModel::Accesses.costs(&builder.finish(), |_| Some(cost));
        assert_eq!(costs[value], 2.0 * (3.0 * FOLDED + 3.0 - 1.0));
    }

    #[test]
    fn an_access_costs_the_multiple_of_a_computation() {
        assert_eq!(computation_scale(4.0), 1.0);
        assert_eq!(computation_scale(0.5) * COMPUTATION, 2.0);
        assert_eq!(computation_scale(0.0), *SCALES.end());
        assert_eq!(computation_scale(f64::MAX), *SCALES.start());
    }

    #[test]
    fn the_documented_product() {
        let mut builder = FunctionBuilder::new("f");
        let value = builder.virtual_register(gpu::SINGLE32);
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(value)]);
        builder.start_block(8.0, 1, &[]);
        builder.plain(&[Operand::read(value), Operand::read(value)]);
        let costs =
            CostModel::Documented(DocumentedCost::default()).costs(&builder.finish(), |_| None);
        assert_eq!(costs[value], 1.0 * (2.0 * 8.0 * 1.5) * 10.0);
    }

    #[test]
    fn many_uses_cost_more() {
        let mut builder = FunctionBuilder::new("f");
        let [ten, eleven] = [0, 1].map(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(ten), Operand::write(eleven)]);
        for _ in 0..10 {
            builder.plain(&[Operand::read(ten), Operand::read(eleven)]);
        }
        builder.plain(&[Operand::read(eleven)]);
        let costs =
            CostModel::Documented(DocumentedCost::default()).costs(&builder.finish(), |_| None);
        assert_eq!(costs[ten], 100.0);
        assert_eq!(costs[eleven], 110.0 * 1.2);
    }
}
