//! The interference graph: which values may not share a register.
//!
//! Chaitin's construction: a definition interferes with everything live after
//! it. Adjacency is a list for each value, with an [`EdgeSet`] beside it, to keep
//! the lists free of duplicates. Physical registers and calls do not become nodes;
//! what they forbid is in [`super::restrictions`].
//! Time: for each definition, the values of its pool that are live there.

use super::edge_set::EdgeSet;
use crate::analysis::live_set::{LiveSet, RegisterPools};
use crate::analysis::liveness::Liveness;
use crate::function::{Function, Instruction, OperandFlags, VirtualRegister};
use cranelift_entity::PrimaryMap;

/// Neighbours that each list has room for at first: most have more.
const ROOM: usize = 16;

/// The interference graph of one function.
pub struct InterferenceGraph {
    neighbours: PrimaryMap<VirtualRegister, Vec<VirtualRegister>>,
    edges: EdgeSet,
}

impl InterferenceGraph {
    /// Builds the graph. With `join_equal_values` the ends of a joinable copy do
    /// not interfere by virtue of the copy itself.
    pub fn new(
        function: &Function,
        pools: &RegisterPools,
        liveness: &Liveness,
        join_equal_values: bool,
    ) -> Self {
        let count = function.virtual_registers.len();
        let mut graph = Self {
            neighbours: (0..count).map(|_| Vec::with_capacity(ROOM)).collect(),
            edges: EdgeSet::new(function),
        };
        let mut live = LiveSet::new(function, pools);
        for block in function.blocks.keys() {
            live.start(block, liveness);
            for instruction in function.block_instructions(block).rev() {
                graph.add_definitions(function, instruction, &live, join_equal_values);
                live.step(instruction);
            }
        }
        graph
    }

    fn add_definitions(
        &mut self,
        function: &Function,
        instruction: Instruction,
        live: &LiveSet,
        join_equal_values: bool,
    ) {
        let operands = function.instruction_operands(instruction);
        let equal = function.joinable_copy(instruction).map(|(_, from)| from);
        let equal = equal.filter(|_| join_equal_values);
        for (index, operand) in operands.iter().enumerate() {
            let Some(value) = operand.virtual_register() else {
                continue;
            };
            if operand.flags.contains(OperandFlags::IN_FLIGHT) && !operand.is_definition() {
                // No equal value may be read from the register while it is in flight.
                self.edges.start(&self.neighbours[value]);
                for &other in live.in_pool_of(value) {
                    self.add_edge(value, other);
                }
            }
            if !operand.is_definition() {
                continue;
            }
            self.edges.start(&self.neighbours[value]);
            for &other in live.in_pool_of(value) {
                if Some(other) != equal {
                    self.add_edge(value, other);
                }
            }
            for (other_index, other) in operands.iter().enumerate() {
                // A tied use is the same virtual register, which add_edge skips.
                let conflicts = other.is_definition() && other_index < index
                    || !other.is_definition() && operand.is_early_clobber();
                if let Some(other) = other.virtual_register().filter(|_| conflicts)
                    && live.same_pool(value, other)
                {
                    self.add_edge(value, other);
                }
            }
        }
    }

    /// Adds an edge, of the value that is being defined or, once the graph stands,
    /// of one that a copy names; false if it was there, or joins a value to itself.
    pub fn add_edge(&mut self, a: VirtualRegister, b: VirtualRegister) -> bool {
        let new = a != b && self.edges.insert(a, b);
        if new {
            self.neighbours[a].push(b);
            self.neighbours[b].push(a);
        }
        new
    }

    /// Whether two values interfere.
    pub fn interfere(&self, a: VirtualRegister, b: VirtualRegister) -> bool {
        a != b && self.edges.contains(a, b)
    }

    /// The values that interfere with one.
    pub fn neighbours(&self, value: VirtualRegister) -> &[VirtualRegister] {
        &self.neighbours[value]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{FunctionBuilder, Operand};
    use crate::machine::gpu;

    fn graph(function: &Function, join_equal_values: bool) -> InterferenceGraph {
        let machine = gpu::machine(255);
        let pools = RegisterPools::new(&machine);
        let liveness = Liveness::new(function, &machine);
        InterferenceGraph::new(function, &pools, &liveness, join_equal_values)
    }

    #[test]
    fn a_use_that_ends_leaves_its_register_to_the_definition() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.plain(&[Operand::write(b), Operand::read(a)]);
        assert!(!graph(&builder.finish(), false).interfere(a, b));
    }

    #[test]
    fn an_early_clobber_conflicts_with_the_uses() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        let early = Operand {
            flags: OperandFlags::EARLY_CLOBBER,
            ..Operand::write(b)
        };
        builder.plain(&[early, Operand::read(a)]);
        assert!(graph(&builder.finish(), false).interfere(a, b));
    }

    #[test]
    fn two_definitions_of_one_instruction_conflict() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a), Operand::write(b)]);
        assert!(graph(&builder.finish(), false).interfere(a, b));
    }

    #[test]
    fn a_copy_joins_equal_values_only_where_that_is_allowed() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.copy(b, a);
        builder.plain(&[Operand::read(a), Operand::read(b)]);
        let function = builder.finish();
        assert!(!graph(&function, true).interfere(a, b));
        assert!(graph(&function, false).interfere(a, b));
    }

    #[test]
    fn equal_values_keep_apart_from_what_is_in_flight() {
        let mut builder = FunctionBuilder::new("f");
        let [a, b] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.copy(b, a);
        let in_flight = Operand {
            flags: OperandFlags::IN_FLIGHT,
            ..Operand::read(a)
        };
        builder.plain(&[in_flight]);
        builder.plain(&[Operand::read(a), Operand::read(b)]);
        assert!(graph(&builder.finish(), true).interfere(a, b));
    }

    #[test]
    fn files_that_share_nothing_do_not_interfere() {
        let mut builder = FunctionBuilder::new("f");
        let a = builder.virtual_register(gpu::SINGLE32);
        let p = builder.virtual_register(gpu::PREDICATE);
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a), Operand::write(p)]);
        builder.plain(&[Operand::read(a), Operand::read(p)]);
        assert!(!graph(&builder.finish(), false).interfere(a, p));
    }
}
