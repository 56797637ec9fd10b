//! The order of last uses: what is live to the latest place is coloured first.
//!
//! From the last use to the first, as a scan against the program's order would find them,
//! each value meets only those registers taken that values live at its last use have, as
//! long as live ranges have no holes; then no register more is needed than values are live
//! at once. Simplify's order knows degrees only, and leaves values of loops without
//! registers where this one does not; but it knows costs, and spills better where something
//! has to be spilled. Time: that of live ranges, and sorting. Source: Poletto and Sarkar
//! 1999, against the order of the program.

use crate::analysis::live_range::LiveRanges;
use crate::analysis::liveness::Liveness;
use crate::assign::problem::Problem;
use crate::function::VirtualRegister;

/// The assignment stack: the first to be coloured last.
pub fn by_last_use(
    problem: &Problem,
    liveness: &Liveness,
    nodes: &[VirtualRegister],
) -> Vec<VirtualRegister> {
    let ranges = LiveRanges::new(problem.function, liveness);
    let last = |root: VirtualRegister| {
        let members = problem.groups.members(root).iter();
        let ends = members.filter_map(|&(value, _)| Some(ranges.segments(value).last()?.end));
        ends.max()
    };
    let mut stack = nodes.to_vec();
    stack.sort_by_cached_key(|&node| last(node));
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
