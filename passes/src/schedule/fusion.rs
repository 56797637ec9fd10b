//! Halves of products next to each other, so that ptxas makes one instruction of them.
//!
//! The two halves of a product of 32-bit numbers, `mul.lo` and `mul.hi`, are one multiplication
//! for ptxas if no other one stands between them. Random numbers by Philox's counter are made of
//! such products, as is what hashes. So the first half moves down to the second where nothing
//! between waits for it, else the second up to the first, which has read the same registers
//! already: more is hardly ever live for it. What goes to ptxas is fused so, in whichever order;
//! what our allocator spills is not, as ptxas needs two neighbouring registers for it, and spills
//! more.
//!
//! Requires an order of a block that keeps its dependences. Ensures that it keeps them still.
//! Time: for each pair the instructions between, up to [`FARTHEST`]. Source: LLVM's macro fusion;
//! what ptxas fuses is measured (docs/spills.md).

use super::dependences::{BlockDependences, Dependences};
use super::order::Order;
use crate::analysis::in_flight::held_in_registers;
use crate::function::Function;
use rustc_hash::FxHashMap;

/// Instructions from one half to the other at most: what is further apart stays there.
const FARTHEST: usize = 512;

/// An order, the caller's if none is given, with halves next to each other; none if they are.
pub fn fused(
    function: &Function,
    dependences: &Dependences,
    given: Option<&Order>,
) -> Option<Order> {
    let mut fused: Option<Order> = None;
    let mut held = None;
    for (block, data) in &function.blocks {
        let products = dependences.products_of_block(function, block);
        if products.is_empty() {
            continue;
        }
        let (start, end) = (data.instructions.start, data.first_terminator);
        let mut numbers: Vec<u32> = match given {
            None => (0..end - start).collect(),
            Some(order) => {
                let instructions = &order.instructions()[start as usize..end as usize];
                instructions
                    .iter()
                    .map(|one| one.as_u32() - start)
                    .collect()
            }
        };
        let mut places = vec![0; numbers.len()];
        for (place, &number) in numbers.iter().enumerate() {
            places[number as usize] = place;
        }
        let pairs = separated(&products, &places);
        if pairs.is_empty() {
            continue;
        }
        let held = held.get_or_insert_with(|| held_in_registers(function));
        let graph = BlockDependences::new(function, block, dependences, held);
        join(&graph, &pairs, &mut places, &mut numbers);
        let unchanged = || given.map_or_else(|| Order::unchanged(function), Order::clone);
        let order = fused.get_or_insert_with(unchanged);
        order.set(function, block, &numbers);
    }
    fused
}

/// The halves of products with another multiplication between them, in an order in which each
/// instruction has this place.
fn separated(products: &[(u32, u32)], places: &[usize]) -> Vec<(u32, u32)> {
    let mut halves: FxHashMap<u32, u32> = FxHashMap::default();
    let mut pairs = Vec::new();
    for &(number, product) in products {
        if let Some(other) = halves.insert(product, number) {
            pairs.push((other, number));
        }
    }
    if pairs.is_empty() {
        return pairs;
    }
    let place = |number: u32| places.get(number as usize).copied();
    let mut multiplies = vec![false; places.len()];
    for place in products.iter().filter_map(|&(number, _)| place(number)) {
        multiplies[place] = true;
    }
    pairs.retain(|&(one, other)| {
        let (Some(one), Some(other)) = (place(one), place(other)) else {
            return false;
        };
        let (first, second) = (one.min(other), one.max(other));
        second - first <= FARTHEST && multiplies[first + 1..second].contains(&true)
    });
    pairs
}

/// Moves both instructions of each pair together in an order of a block's first instructions,
/// where dependences let one of them pass what is between.
fn join(graph: &BlockDependences, pairs: &[(u32, u32)], places: &mut [usize], order: &mut [u32]) {
    for &(one, other) in pairs {
        let (one, other) = (places[one as usize], places[other as usize]);
        let (first, second) = (one.min(other), one.max(other));
        let between = &order[first + 1..second];
        let waits = |later: u32, earlier: u32| graph.before[later as usize].contains(&earlier);
        if !between.iter().any(|&one| waits(one, order[first])) {
            order[first..second].rotate_left(1);
        } else if !between.iter().any(|&one| waits(order[second], one)) {
            order[first + 1..=second].rotate_right(1);
        }
        for place in first..=second {
            places[order[place] as usize] = place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::Instruction;
    use crate::function::text::parse;

    /// Two halves, with another product between them.
    const PRODUCTS: [(u32, u32); 3] = [(1, 7), (2, 8), (3, 7)];

    /// The order of a block's instructions in which its products, given by instruction and
    /// number, are fused; none if it stays.
    fn order(products: &[(u32, u32)], block: &str) -> Option<Vec<u32>> {
        let values = "values v0:B32, v1:B32, v2:B32, v3:B32, v4:B32";
        let text = format!("machine gpu limit=8\nfunction f kernel\n{values}\nblock b0\n{block}");
        let (_, function) = parse(&text).expect("a function");
        let products = products.iter();
        let products = products.map(|&(one, product)| (Instruction::from_u32(one), product));
        let dependences = Dependences::default().with_products(products.collect());
        let order = fused(&function, &dependences, None)?;
        let numbers = order.instructions().iter().map(|one| one.as_u32());
        Some(numbers.collect())
    }

    #[test]
    fn the_first_half_moves_down_where_nothing_waits_for_it() {
        let block = "v0 = op\nv1 = op v0\nv2 = op v0\nv3 = op v0\nop v1, v2, v3";
        assert_eq!(order(&PRODUCTS, block), Some(vec![0, 2, 1, 3, 4]));
    }

    #[test]
    fn the_second_half_moves_up_where_the_first_is_read_between() {
        let block = "v0 = op\nv1 = op v0\nv2 = op v1\nv3 = op v0\nop v2, v3";
        assert_eq!(order(&PRODUCTS, block), Some(vec![0, 1, 3, 2, 4]));
    }

    #[test]
    fn halves_that_cannot_pass_what_is_between_stay() {
        let block = "v0 = op\nv1 = op v0\nv2 = op v1\nv3 = op v0, v2\nop v3";
        assert_eq!(order(&PRODUCTS, block), Some(vec![0, 1, 2, 3, 4]));
    }

    #[test]
    fn nothing_moves_without_a_multiplication_between_halves() {
        let block = "v0 = op\nv1 = op v0\nv2 = op v0\nv3 = op v0\nop v1, v2, v3";
        assert_eq!(order(&[(1, 7), (3, 7)], block), None);
        assert_eq!(order(&[(1, 7), (2, 8), (3, 9)], block), None);
    }
}
