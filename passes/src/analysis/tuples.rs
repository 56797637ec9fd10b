//! Where the values of tuples should lie, and what it costs that they do not.
//!
//! The run of a tuple is as many consecutive registers of one file as it has places;
//! its base, the first of them, is aligned. Every value of the tuple that already lies
//! in a register votes for the base that would put it into its place. The base with
//! most votes is the run that ptxas would build the tuple in; each value outside its
//! place there is a move that it has to insert. Time: places of the tuples. Source:
//! cicc documents, "Tensor Core Alignment"; ptxas document, pre-colouring.

use crate::function::{Function, Tuple, VirtualRegister};
use crate::machine::{Class, File, Machine, Register};
use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The first register of a run: its file and its number there.
pub type Base = (File, u32);

/// For each value the registers of the widest tuple that it belongs to.
pub fn vector_widths(function: &Function, machine: &Machine) -> SecondaryMap<VirtualRegister, u32> {
    let mut widths = SecondaryMap::new();
    for tuple in &function.tuples {
        let width_of = |value: VirtualRegister| {
            let class = function.virtual_registers[value].class;
            let register = machine.classes[class].order.first();
            register.map_or(0, |&register| machine.width(register))
        };
        let values = || function.tuple_values(tuple).map(|(_, value)| value);
        let width: u32 = values().map(width_of).sum();
        for value in values() {
            widths[value] = width.max(widths[value]);
        }
    }
    widths
}

/// A value's place in a tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The tuple's number in [`Function::tuples`].
    pub tuple: u32,
    /// The place.
    pub place: u32,
}

/// The tuples of a function, by value, and the registers of its classes by position.
#[derive(Default)]
pub struct TupleMap {
    mentions: SecondaryMap<VirtualRegister, SmallVec<[Mention; 1]>>,
    weights: Vec<f64>,
    /// How many registers of its file each value of a tuple takes.
    widths: Vec<u32>,
    register_at: BTreeMap<(Class, Base), Register>,
}

impl TupleMap {
    /// Collects the tuples; a tuple weighs as much as its block runs.
    pub fn new(function: &Function, machine: &Machine) -> Self {
        let mut map = Self {
            weights: weights(function),
            ..Self::default()
        };
        for (tuple, data) in (0..).zip(&function.tuples) {
            let mut width = 0;
            for (place, value) in function.tuple_values(data) {
                map.mentions[value].push(Mention { tuple, place });
                let class = function.virtual_registers[value].class;
                let register = machine.classes[class].order.first();
                width = register.map_or(0, |&register| machine.width(register));
            }
            map.widths.push(width);
        }
        if map.is_empty() {
            return map;
        }
        for (class, data) in &machine.classes {
            for &register in &data.order {
                if let Some((base, _)) = position(machine, register) {
                    map.register_at.insert((class, base), register);
                }
            }
        }
        map
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// The places of a value.
    pub fn mentions(&self, value: VirtualRegister) -> &[Mention] {
        &self.mentions[value]
    }

    /// The register of a class in a place of the run with this base.
    pub fn register(&self, class: Class, mention: Mention, base: Base) -> Option<Register> {
        let width = self.widths[mention.tuple as usize];
        self.register_at(class, (base.0, base.1 + mention.place * width))
    }

    /// The register of a class that begins at a position.
    pub fn register_at(&self, class: Class, position: Base) -> Option<Register> {
        self.register_at.get(&(class, position)).copied()
    }

    /// How often a tuple is executed.
    pub fn weight(&self, tuple: u32) -> f64 {
        self.weights[tuple as usize]
    }

    /// The numbers of the tuples in the order in which they get their registers: what
    /// runs most often first, then what needs most registers, then accumulators.
    pub fn order(&self, function: &Function) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.weights.len() as u32).collect();
        order.sort_by(|&a, &b| {
            let key = |number: u32| {
                let tuple = &function.tuples[number as usize];
                (Reverse(tuple.places.len()), !tuple.accumulator)
            };
            let weight = self.weight(b).total_cmp(&self.weight(a));
            weight.then_with(|| key(a).cmp(&key(b)))
        });
        order
    }
}

/// Where a register lies, if its columns are consecutive, and how many they are.
pub fn position(machine: &Machine, register: Register) -> Option<(Base, u32)> {
    machine.files.keys().find_map(|file| {
        let columns = machine.columns(file, register);
        let (&(first, _), &(last, _)) = (columns.first()?, columns.last()?);
        let width = columns.len() as u32;
        (u32::from(last - first) + 1 == width).then_some(((file, u32::from(first)), width))
    })
}

/// The base of a run that has this register in this place, if there is such a run.
pub fn base_of(machine: &Machine, tuple: &Tuple, place: u32, register: Register) -> Option<Base> {
    let ((file, first), width) = position(machine, register)?;
    let base = first.checked_sub(place * width)?;
    let end = base + tuple.places.len() as u32 * width;
    let fits = end <= machine.files[file].size && base % tuple.alignment == 0;
    fits.then_some((file, base))
}

/// The bases for which the values vote, with their votes; the most wanted first, then
/// the lowest.
pub fn votes(
    function: &Function,
    machine: &Machine,
    tuple: &Tuple,
    register_of: impl Fn(VirtualRegister) -> Option<Register>,
) -> SmallVec<[(Base, u32); 4]> {
    let mut votes: SmallVec<[(Base, u32); 4]> = SmallVec::new();
    for (place, value) in function.tuple_values(tuple) {
        let register = register_of(value);
        let base = register.and_then(|register| base_of(machine, tuple, place, register));
        let Some(base) = base else { continue };
        match votes.iter_mut().find(|(known, _)| *known == base) {
            Some((_, count)) => *count += 1,
            None => votes.push((base, 1)),
        }
    }
    votes.sort_unstable_by_key(|&(base, count)| (Reverse(count), base));
    votes
}

/// The values of a tuple that are not in their places of its best run.
pub fn moves(
    function: &Function,
    machine: &Machine,
    tuple: &Tuple,
    register_of: impl Fn(VirtualRegister) -> Option<Register>,
) -> u32 {
    let best = votes(function, machine, tuple, register_of);
    let in_place = best.first().map_or(0, |&(_, count)| count);
    function.tuple_values(tuple).count() as u32 - in_place
}

/// The moves of all tuples, and their executions.
pub fn all_moves(
    function: &Function,
    machine: &Machine,
    register_of: impl Fn(VirtualRegister) -> Option<Register>,
) -> (u32, f64) {
    let tuples = function.tuples.iter().zip(weights(function));
    tuples.fold((0, 0.0), |(sum, executed), (tuple, weight)| {
        let moves = moves(function, machine, tuple, &register_of);
        (sum + moves, executed + f64::from(moves) * weight)
    })
}

/// How often each tuple is executed.
fn weights(function: &Function) -> Vec<f64> {
    let mut blocks = function.blocks.values();
    let mut block = blocks.next();
    let tuples = function.tuples.iter();
    tuples
        .map(|tuple| {
            // Both are in layout order.
            while block.is_some_and(|one| one.instructions.end <= tuple.instruction.as_u32()) {
                block = blocks.next();
            }
            block.map_or(0.0, |block| block.frequency)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{FunctionBuilder, Operand};
    use crate::machine::gpu;

    /// The moves of one tuple of values of a class, in these of its registers.
    fn moves_of(class: Class, alignment: u32, registers: &[usize]) -> u32 {
        let machine = gpu::machine(16);
        let mut builder = FunctionBuilder::new("f");
        let values: Vec<_> = registers
            .iter()
            .map(|_| builder.virtual_register(class))
            .collect();
        builder.start_block(1.0, 0, &[]);
        let operands: Vec<_> = values.iter().copied().map(Operand::write).collect();
        let instruction = builder.plain(&operands);
        builder.tuple(Tuple {
            instruction,
            places: (0..registers.len()).map(|one| Some(one as u16)).collect(),
            alignment,
            accumulator: false,
        });
        let function = builder.finish();
        assert_eq!(function.validate(&machine), Ok(()));
        let order = &machine.classes[class].order;
        let register_of = |value: VirtualRegister| {
            let number = registers[value.as_u32() as usize];
            order.get(number).copied()
        };
        all_moves(&function, &machine, register_of).0
    }

    #[test]
    fn a_run_in_its_place_needs_no_move() {
        assert_eq!(moves_of(gpu::SINGLE32, 4, &[4, 5, 6, 7]), 0);
        assert_eq!(moves_of(gpu::SINGLE32, 8, &[8, 9, 10, 11]), 0);
        assert_eq!(moves_of(gpu::PAIR, 4, &[2, 3]), 0);
    }

    #[test]
    fn what_is_not_aligned_moves() {
        assert_eq!(moves_of(gpu::SINGLE32, 8, &[4, 5, 6, 7]), 4);
        assert_eq!(moves_of(gpu::SINGLE32, 2, &[5, 6]), 2);
        // Pairs: R2:R3 and R4:R5.
        assert_eq!(moves_of(gpu::PAIR, 4, &[1, 2]), 2);
    }

    #[test]
    fn the_best_run_counts() {
        assert_eq!(moves_of(gpu::SINGLE32, 4, &[4, 5, 10, 7]), 1);
        assert_eq!(moves_of(gpu::SINGLE32, 4, &[4, 9, 10, 11]), 1);
        assert_eq!(moves_of(gpu::SINGLE32, 2, &[3, 2]), 2);
    }

    #[test]
    fn a_run_ends_within_the_file() {
        assert_eq!(moves_of(gpu::SINGLE32, 4, &[12, 13, 14, 15]), 0);
        // The fifth register would be R16.
        assert_eq!(moves_of(gpu::SINGLE32, 4, &[12, 13, 14, 15, 3]), 5);
    }

    #[test]
    fn without_a_register_a_value_is_not_in_place() {
        assert_eq!(moves_of(gpu::SINGLE32, 2, &[4, 99]), 1);
    }

    #[test]
    fn the_order_is_by_executions_then_size() {
        let machine = gpu::machine(16);
        let mut builder = FunctionBuilder::new("f");
        let values: Vec<_> = (0..4)
            .map(|_| builder.virtual_register(gpu::SINGLE32))
            .collect();
        let reads: Vec<_> = values.iter().copied().map(Operand::read).collect();
        for (frequency, sizes) in [(1.0, [4, 4]), (8.0, [2, 4])] {
            builder.start_block(frequency, 0, &[]);
            for size in sizes {
                let instruction = builder.plain(&reads);
                builder.tuple(Tuple {
                    instruction,
                    places: (0..size).map(Some).collect(),
                    alignment: 1,
                    accumulator: instruction.as_u32() == 1,
                });
            }
        }
        let function = builder.finish();
        let map = TupleMap::new(&function, &machine);
        assert_eq!(map.order(&function), [3, 2, 1, 0]);
        assert_eq!(map.mentions(values[3]).len(), 3);
    }
}
