//! The order of last uses: what is live to the latest place is coloured first.
//!
//! From the last use to the first, as a scan against the program's order would find them,
//! each value meets only those registers taken that values live at its last use have, as
//! long as live ranges have no holes; then no register more is needed than values are live
//! at once. Simplify's order knows degrees only, and leaves values of loops without
//! registers where this one does not; but it knows costs, and spills better where something
//! has to be spilled. Time: operands, what is live between blocks, and sorting. Source:
//! Poletto and Sarkar 1999, against the order of the program.

use crate::analysis::liveness::{Liveness, Variable};
use crate::analysis::program_point::ProgramPoint;
use crate::assign::problem::Problem;
use crate::function::VirtualRegister;
use cranelift_entity::SecondaryMap;

/// The assignment stack: the first to be coloured last.
pub fn by_last_use(
    problem: &Problem,
    liveness: &Liveness,
    nodes: &[VirtualRegister],
) -> Vec<VirtualRegister> {
    let function = problem.function;
    let mut last: SecondaryMap<VirtualRegister, u32> = SecondaryMap::new();
    let mut extend = |value: VirtualRegister, point: ProgramPoint| {
        let last = &mut last[problem.groups.find(value).0];
        *last = point.number().max(*last);
    };
    for (block, data) in &function.blocks {
        for variable in liveness.live_out(block) {
            if let Variable::Virtual(value) = variable {
                extend(value, ProgramPoint::end_of(data));
            }
        }
        for instruction in function.block_instructions(block) {
            for operand in function.instruction_operands(instruction) {
                let point = match operand.is_definition() {
                    true => ProgramPoint::behind(instruction),
                    false => ProgramPoint::late(instruction),
                };
                if let Some(value) = operand.virtual_register() {
                    extend(value, point);
                }
            }
        }
    }
    let mut stack = nodes.to_vec();
    stack.sort_by_key(|&node| last[node]);
    stack
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assign::problem::Target;
    use crate::function::{Block, FunctionBuilder, Operand};
    use crate::machine::gpu;

    /// `kept` is read first in the loop, but lives through all of it; `early` is read behind
    /// that, `late` behind the loop, and nothing reads `unread`, which comes last.
    #[test]
    fn what_lives_to_the_latest_place_is_on_top() {
        let mut builder = FunctionBuilder::new("f");
        let [late, kept, early, unread] = [(); 4].map(|()| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(late)]);
        builder.plain(&[Operand::write(kept)]);
        let body = builder.start_block(8.0, 1, &[]);
        builder.plain(&[Operand::read(kept)]);
        builder.plain(&[Operand::write(early)]);
        builder.plain(&[Operand::read(early)]);
        builder.plain(&[]);
        let end = builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::read(late)]);
        builder.plain(&[Operand::write(unread)]);
        builder.edge(Block::from_u32(0), body);
        builder.edge(body, body);
        builder.edge(body, end);
        let function = builder.finish();
        let machine = gpu::machine(8);
        let target = Target::new(&machine);
        let liveness = Liveness::new(&function, &machine);
        let costs = function.virtual_registers.values().map(|_| 1.0).collect();
        let problem = Problem::new(&function, &target, &liveness, costs);
        let stack = by_last_use(&problem, &liveness, &problem.nodes());
        assert_eq!(stack, [early, kept, late, unread]);
    }
}
