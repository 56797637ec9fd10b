//! Pre-allocation: the operands of some instructions get their registers first.
//!
//! Knob 629 switches it on. With knob 628 both what multiply-accumulates, atomics,
//! textures and selections read and what they write is first; otherwise knob 646 says
//! which of the two, unless knob 443 forbids it, and surfaces and comparisons count as
//! well. What is first is coloured in the order in which it would have been. Linear.
//! Source: ptxas document, "Pre-Allocation Pass".

use crate::assign::problem::Problem;
use crate::function::{InstructionFlags, VirtualRegister};
use crate::knobs::Knobs;
use cranelift_entity::SecondaryMap;

/// Bits of knob 646.
const READ: u32 = 1;
const WRITTEN: u32 = 2;

/// Moves the nodes that are first to the top of the assignment stack.
pub fn prioritise(problem: &Problem, knobs: &Knobs, stack: &mut [VirtualRegister]) {
    let (flags, level) = if knobs.mac_force {
        (InstructionFlags::PRIORITY, READ | WRITTEN)
    } else {
        let wide = InstructionFlags::PRIORITY | InstructionFlags::WIDE_PRIORITY;
        (wide, knobs.mac_operands)
    };
    let is_followed = knobs.mac_force || knobs.mac_operands_followed;
    if knobs.mac_order == 0 || level == 0 || !is_followed {
        return;
    }
    let mut is_first: SecondaryMap<VirtualRegister, bool> = SecondaryMap::new();
    for (instruction, data) in &problem.function.instructions {
        if !data.flags.intersects(flags) {
            continue;
        }
        for operand in problem.function.instruction_operands(instruction) {
            let bit = if operand.is_definition() {
                WRITTEN
            } else {
                READ
            };
            if let Some(value) = operand.virtual_register().filter(|_| level & bit != 0) {
                is_first[problem.groups.find(value).0] = true;
            }
        }
    }
    stack.sort_by_key(|&node| is_first[node]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::liveness::Liveness;
    use crate::assign::problem::Target;
    use crate::function::{FunctionBuilder, InstructionKind, Operand};
    use crate::machine::gpu;

    /// The stack of `v1 = priority v0`, `v3 = wide_priority v2` and `v5 = op v4`.
    fn stack(knobs: &[&str]) -> Vec<u32> {
        let mut builder = FunctionBuilder::new("f");
        let values: [_; 6] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        for (pair, flags) in values.chunks(2).zip([
            InstructionFlags::PRIORITY,
            InstructionFlags::WIDE_PRIORITY,
            InstructionFlags::empty(),
        ]) {
            let operands = [Operand::write(pair[1]), Operand::read(pair[0])];
            builder.push(InstructionKind::Plain, flags, &operands, None);
        }
        let function = builder.finish();
        let machine = gpu::machine(8);
        let target = Target::new(&machine);
        let liveness = Liveness::new(&function, &machine);
        let costs = values.iter().map(|_| 1.0).collect();
        let problem = Problem::new(&function, &target, &liveness, costs);
        let mut settings = Knobs::default();
        for knob in knobs {
            settings.set(knob).unwrap();
        }
        let mut stack = values.to_vec();
        prioritise(&problem, &settings, &mut stack);
        stack.iter().map(|value| value.as_u32()).collect()
    }

    #[test]
    fn nothing_is_first_without_an_order() {
        let unchanged = [0, 1, 2, 3, 4, 5];
        assert_eq!(stack(&[]), unchanged);
        assert_eq!(stack(&["628=1", "646=3"]), unchanged);
        assert_eq!(stack(&["629=1"]), unchanged);
    }

    #[test]
    fn the_levels_are_read_written_and_both() {
        assert_eq!(stack(&["629=1", "646=1"]), [1, 3, 4, 5, 0, 2]);
        assert_eq!(stack(&["629=1", "646=2"]), [0, 2, 4, 5, 1, 3]);
        assert_eq!(stack(&["629=1", "646=3"]), [4, 5, 0, 1, 2, 3]);
    }

    #[test]
    fn the_gate_is_for_the_levels_only() {
        assert_eq!(stack(&["629=1", "646=3", "443=0"]), [0, 1, 2, 3, 4, 5]);
        assert_eq!(stack(&["629=1", "628=1", "443=0"]), [2, 3, 4, 5, 0, 1]);
    }
}
