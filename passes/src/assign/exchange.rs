//! Mending tuples: two registers change places along a chain of values.
//!
//! Where registers are scarce a tuple finds no run that is free. Then a value of it may
//! still get the register it wants, if what is there takes the value's own, what is in
//! the way of that takes the first again, and so on: a Kempe chain. Such an exchange
//! leaves the colouring a colouring and needs no register more. Registers of different
//! widths change places in blocks as wide as the widest of them. An exchange stays if
//! fewer moves are executed after it, copies included. Conflicts of banks do not count: on
//! the examples as many exchanges mend some as make some. Time: for each tuple that is not
//! in place some chains, each of bounded length.

use super::colouring::Assignments;
use super::hints::Hints;
use super::problem::Problem;
use crate::analysis::tuples::{Base, Mention, moves, position, votes};
use crate::function::VirtualRegister;
use crate::machine::Register;
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// Sweeps over the tuples.
const SWEEPS: u32 = 3;
/// Runs that are tried for a tuple.
const BASES: usize = 8;
/// Values of a chain.
const LONGEST: usize = 200;
/// Registers of a block.
const WIDEST: u32 = 4;

/// The registers of the values that changed, before.
type Before = BTreeMap<VirtualRegister, Register>;

/// Exchanges registers until no tuple gains by it.
pub fn mend_tuples<A: Assignments>(problem: &Problem, state: &mut A, hints: &Hints) {
    let order = problem.tuples.order(problem.function);
    for _ in 0..SWEEPS {
        let mut changed = false;
        for &number in &order {
            changed |= mend(problem, state, hints, number);
        }
        if !changed {
            return;
        }
    }
}

/// Tries the runs of a tuple; whether one was better than what it had.
fn mend<A: Assignments>(problem: &Problem, state: &mut A, hints: &Hints, number: u32) -> bool {
    let tuple = &problem.function.tuples[number as usize];
    let register_of = |value| state.colouring().register(value);
    if moves(problem.function, problem.machine, tuple, register_of) == 0 {
        return false;
    }
    for base in bases(problem, state, number) {
        let mut before = Before::new();
        for (place, value) in problem.function.tuple_values(tuple) {
            let class = problem.function.virtual_registers[value].class;
            let mention = Mention {
                tuple: number,
                place,
            };
            if let Some(to) = problem.tuples.register(class, mention, base) {
                exchange(problem, state, value, to, &mut before);
            }
        }
        if saves(problem, state, hints, &before) {
            return true;
        }
        let changes: Vec<_> = before.into_iter().collect();
        apply(state, &changes);
    }
    false
}

/// Runs that are worth trying: those that values vote for, then those next to where
/// values are.
fn bases<A: Assignments>(problem: &Problem, state: &A, number: u32) -> SmallVec<[Base; BASES]> {
    let tuple = &problem.function.tuples[number as usize];
    let register_of = |value| state.colouring().register(value);
    let voted = votes(problem.function, problem.machine, tuple, register_of);
    let near = problem
        .function
        .tuple_values(tuple)
        .filter_map(|(place, value)| {
            let ((file, first), width) = position(problem.machine, register_of(value)?)?;
            let base = first.saturating_sub(place * width);
            let base = base - base % tuple.alignment;
            let end = base + tuple.places.len() as u32 * width;
            (end <= problem.machine.files[file].size).then_some((file, base))
        });
    let mut bases = SmallVec::new();
    for base in voted.iter().map(|&(base, _)| base).chain(near) {
        if bases.len() < BASES && !bases.contains(&base) {
            bases.push(base);
        }
    }
    bases
}

/// Whether the changes leave fewer executions of moves and copies.
fn saves<A: Assignments>(problem: &Problem, state: &A, hints: &Hints, before: &Before) -> bool {
    let tuples = &problem.tuples;
    let mentions = before.keys().flat_map(|&value| tuples.mentions(value));
    let touched: BTreeSet<u32> = mentions.map(|mention| mention.tuple).collect();
    let cost = |register_of: &dyn Fn(VirtualRegister) -> Option<Register>| {
        let moves = touched.iter().map(|&number| {
            let tuple = &problem.function.tuples[number as usize];
            let moves = moves(problem.function, problem.machine, tuple, register_of);
            f64::from(moves) * tuples.weight(number)
        });
        let copies = before
            .keys()
            .map(|&value| hints.kept(problem, value, register_of));
        moves.chain(copies).sum::<f64>()
    };
    let now = |value| state.colouring().register(value);
    let then = |value| before.get(&value).copied().or_else(|| now(value));
    cost(&now) < cost(&then)
}

/// Gives a value the register at the price of an exchange; notes what changed.
fn exchange<A: Assignments>(
    problem: &Problem,
    state: &mut A,
    value: VirtualRegister,
    to: Register,
    before: &mut Before,
) {
    let Some(from) = state.colouring().register(value) else {
        return;
    };
    let (Some((from, width)), Some((to, _))) = (
        position(problem.machine, from),
        position(problem.machine, to),
    ) else {
        return;
    };
    if from == to || from.0 != to.0 {
        return;
    }
    let mut width = width.next_power_of_two();
    while width <= WIDEST {
        let first = |(file, column): Base| (file, column - column % width);
        let blocks = [first(from), first(to)];
        if from.1 - blocks[0].1 != to.1 - blocks[1].1 || blocks[0] == blocks[1] {
            return;
        }
        match chain(problem, state, value, blocks, width) {
            Chain::Closed(changes) => {
                for &(one, _) in &changes {
                    let register = state.colouring().register(one);
                    let register = register.expect("what is in a chain has a register");
                    before.entry(one).or_insert(register);
                }
                apply(state, &changes);
                return;
            }
            Chain::TooNarrow => width *= 2,
            Chain::Broken => return,
        }
    }
}

/// What came of following a chain.
enum Chain {
    /// The new register of every value of it.
    Closed(Vec<(VirtualRegister, Register)>),
    /// A wider register is in the way.
    TooNarrow,
    /// A value cannot go where it would have to.
    Broken,
}

/// Follows the values that have to change sides when one of them does.
fn chain<A: Assignments>(
    problem: &Problem,
    state: &A,
    value: VirtualRegister,
    blocks: [Base; 2],
    width: u32,
) -> Chain {
    let mut known = BTreeSet::from([value]);
    let mut waiting = vec![value];
    let mut changes = Vec::new();
    while let Some(value) = waiting.pop() {
        let Some(register) = state.colouring().register(value) else {
            return Chain::Broken;
        };
        let Some(((file, column), own)) = position(problem.machine, register) else {
            return Chain::Broken;
        };
        let inside =
            |block: Base| file == block.0 && block.1 <= column && column + own <= block.1 + width;
        let Some(side) = blocks.iter().position(|&block| inside(block)) else {
            return Chain::TooNarrow;
        };
        let target = (file, blocks[1 - side].1 + column - blocks[side].1);
        let class = problem.function.virtual_registers[value].class;
        let new = problem.tuples.register_at(class, target);
        let Some(new) = new.filter(|&new| problem.suits_value(new, value)) else {
            return Chain::Broken;
        };
        changes.push((value, new));
        if changes.len() > LONGEST {
            return Chain::Broken;
        }
        // What is in the way, and what shares the register because it is equal.
        let (root, _) = problem.groups.find(value);
        let group = problem
            .groups
            .members(root)
            .iter()
            .map(|&(member, _)| member);
        let together = group.filter(|&one| state.colouring().register(one) == Some(register));
        for other in state.occupants(value, new).into_iter().chain(together) {
            if known.insert(other) {
                waiting.push(other);
            }
        }
    }
    Chain::Closed(changes)
}

/// Gives all of these values their registers; none is in another's way in between.
fn apply<A: Assignments>(state: &mut A, changes: &[(VirtualRegister, Register)]) {
    for &(value, _) in changes {
        state.set(value, None);
    }
    for &(value, register) in changes {
        state.set(value, Some(register));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::liveness::Liveness;
    use crate::analysis::tuples::TupleMap;
    use crate::assign::colouring::Colouring;
    use crate::assign::problem::Target;
    use crate::function::{Block, FunctionBuilder, Operand, Tuple};
    use crate::graph::interference::InterferenceGraph;
    use crate::graph::{Graph, select};
    use crate::machine::{Class, gpu};

    /// Values that are all live together, of these classes and in these registers of
    /// theirs, and a tuple of the first of them, aligned to four; where they are after
    /// mending, on a GPU with eight registers. `copy_of` adds a copy of one of them, in the
    /// same register, that is executed more often than the tuple.
    fn mended(values: &[(Class, usize)], tuple: &[u16], copy_of: Option<usize>) -> Vec<usize> {
        let machine = gpu::machine(8);
        let mut builder = FunctionBuilder::new("f");
        let registers: Vec<_> = values
            .iter()
            .map(|&(class, _)| builder.virtual_register(class))
            .collect();
        builder.start_block(1.0, 0, &[]);
        for &value in &registers {
            builder.plain(&[Operand::write(value)]);
        }
        let reads: Vec<_> = registers.iter().copied().map(Operand::read).collect();
        let instruction = builder.plain(&reads);
        builder.tuple(Tuple {
            instruction,
            places: tuple.iter().copied().map(Some).collect(),
            alignment: 4,
            accumulator: false,
        });
        let mut values = values.to_vec();
        let mut registers = registers;
        if let Some(from) = copy_of {
            let copy = builder.virtual_register(values[from].0);
            let next = builder.start_block(100.0, 1, &[]);
            builder.copy(copy, registers[from]);
            builder.plain(&[Operand::read(copy)]);
            builder.edge(Block::from_u32(0), next);
            values.push(values[from]);
            registers.push(copy);
        }
        let function = builder.finish();
        let target = Target::new(&machine);
        let liveness = Liveness::new(&function, &machine);
        let costs = registers.iter().map(|_| 1.0).collect();
        let mut problem = Problem::new(&function, &target, &liveness, costs);
        problem.tuples = TupleMap::new(&function, &machine);
        let edges = InterferenceGraph::new(&function, &target.pools, &liveness, true);
        let graph = Graph::new(&problem, edges);
        let mut colouring = Colouring::new(&function);
        for (&value, &(class, number)) in registers.iter().zip(&values) {
            colouring.set(value, Some(machine.classes[class].order[number]));
        }
        let mended = select::mend(&problem, &graph, &colouring);
        let number = |(&value, &(class, _)): (&VirtualRegister, &(Class, usize))| {
            let order = &machine.classes[class].order;
            let register = mended.register(value);
            order.iter().position(|&one| Some(one) == register).unwrap()
        };
        registers.iter().zip(&values).map(number).collect()
    }

    fn singles(registers: &[usize]) -> Vec<(Class, usize)> {
        registers.iter().map(|&one| (gpu::SINGLE32, one)).collect()
    }

    #[test]
    fn two_values_change_places() {
        let values = singles(&[4, 5, 0, 7, 6, 1, 2, 3]);
        assert_eq!(
            mended(&values, &[0, 1, 2, 3], None),
            [4, 5, 6, 7, 0, 1, 2, 3]
        );
    }

    #[test]
    fn a_value_goes_to_a_free_register() {
        let values = singles(&[0, 1, 5, 3]);
        assert_eq!(mended(&values, &[0, 1, 2, 3], None), [0, 1, 2, 3]);
    }

    #[test]
    fn a_pair_changes_places_with_two_values() {
        let mut values = singles(&[4, 5, 0, 1]);
        values.extend([(gpu::PAIR, 3), (gpu::PAIR, 1)]);
        assert_eq!(mended(&values, &[0, 1, 2, 3], None), [4, 5, 6, 7, 0, 1]);
    }

    #[test]
    fn a_whole_tuple_moves_to_where_it_is_aligned() {
        let values = singles(&[2, 3, 4, 5]);
        let found = mended(&values, &[0, 1, 2, 3], None);
        assert!([[0, 1, 2, 3], [4, 5, 6, 7]].contains(&found[..].try_into().unwrap()));
    }

    #[test]
    fn what_costs_a_dearer_copy_stays() {
        let values = singles(&[0, 1, 2, 5]);
        assert_eq!(mended(&values, &[0, 1, 2, 3], None), [0, 1, 2, 3]);
        assert_eq!(mended(&values, &[0, 1, 2, 3], Some(3)), [0, 1, 2, 5, 5]);
    }
}
