//! What it costs to keep a value in memory.
//!
//! The cicc document's formula, with frequencies from LLVM:
//!
//! ```text
//! cost = sum over definitions (frequency x base^depth)
//!      x sum over uses        (frequency x base^depth) x latency [x 1.2]
//! ```
//!
//! LLVM's block frequencies already grow with loop depth, so the base counts
//! only where a function comes with flat frequencies; see `docs/fidelity.md`.
//! Linear in operands.

use crate::function::{Function, VirtualRegister};
use cranelift_entity::PrimaryMap;

/// Cycles of a reload that hits the second-level cache: the cicc document's
/// default, and its value for sm_70 and sm_75.
pub const LATENCY_DEFAULT: f64 = 10.0;
/// Cycles of a reload by SM version (cicc document, "SM-specific adjustments").
const LATENCY_BY_SM: [(u32, f64); 6] = [
    (70, LATENCY_DEFAULT),
    (75, LATENCY_DEFAULT),
    (80, 8.0),
    (86, 8.0),
    (89, 7.0),
    (90, 6.0),
];
/// Growth with loop depth (cicc "exact parameters" document).
const LOOP_BASE: f64 = 1.5;
/// Values with more uses than this cost more (cicc algorithms document).
const MANY_USES: u32 = 10;
/// How much more.
const MANY_USES_FACTOR: f64 = 1.2;

/// The latency of a reload on an SM, or on a CPU.
pub fn memory_latency(sm: Option<u32>) -> f64 {
    LATENCY_BY_SM
        .iter()
        .find(|(known, _)| Some(*known) == sm)
        .map_or(LATENCY_DEFAULT, |(_, latency)| *latency)
}

/// The cost of spilling each value; infinite for one that cannot be spilled.
pub fn spill_costs(function: &Function, latency: f64) -> PrimaryMap<VirtualRegister, f64> {
    #[derive(Clone, Copy, Default)]
    struct Weights {
        definitions: f64,
        uses: f64,
        use_count: u32,
    }
    let registers = &function.virtual_registers;
    let mut weights: PrimaryMap<VirtualRegister, Weights> =
        registers.keys().map(|_| Weights::default()).collect();
    for (block, data) in &function.blocks {
        let weight = data.frequency * LOOP_BASE.powi(data.loop_depth.min(32) as i32);
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
    let cost = |(register, weights): (VirtualRegister, &Weights)| {
        if !registers[register].spillable {
            return f64::INFINITY;
        }
        let many = weights.use_count > MANY_USES;
        let factor = if many { MANY_USES_FACTOR } else { 1.0 };
        weights.definitions * weights.uses * latency * factor
    };
    weights.iter().map(cost).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{FunctionBuilder, Operand};
    use crate::machine::gpu;

    #[test]
    fn the_documented_product() {
        let mut builder = FunctionBuilder::new("f");
        let value = builder.virtual_register(gpu::SINGLE32);
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(value)]);
        builder.start_block(8.0, 1, &[]);
        builder.plain(&[Operand::read(value), Operand::read(value)]);
        let costs = spill_costs(&builder.finish(), 10.0);
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
        let costs = spill_costs(&builder.finish(), 10.0);
        assert_eq!(costs[ten], 100.0);
        assert_eq!(costs[eleven], 110.0 * 1.2);
    }

    #[test]
    fn latency_by_architecture() {
        assert_eq!(memory_latency(Some(90)), 6.0);
        assert_eq!(memory_latency(Some(120)), 10.0);
        assert_eq!(memory_latency(None), 10.0);
    }
}
