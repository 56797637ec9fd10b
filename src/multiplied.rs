//! Registers of matrix multiplications get names of their own in PTX.
//!
//! In PTX a name is not a register: ptxas allocates anew. But it looks at names to find
//! out what defines the accumulators of `wgmma` while one is in flight, and where another
//! value has the same name it may serialize the multiplications, though that value lives
//! elsewhere at another time. So what a multiplication takes, and what deleted copies make
//! the same as that, is named apart from all else in its register. Linear in the operands
//! and edits. Source: ptxas' advisory on such code.

use crate::abi::{WARPALLOC_LOCATION_MULTIPLIED, WARPALLOC_LOCATION_REGISTER, WarpallocLocation};
use passes::allocation::{Allocation, EditKind, Position};
use passes::function::asynchronous::{Asynchronous, Operation};
use passes::function::{Function, OperandIndex, VirtualRegister};
use std::collections::BTreeMap;

/// Marks the locations of what multiplications take.
pub fn name_apart(
    function: &Function,
    allocation: &Allocation,
    locations: &mut [WarpallocLocation],
) {
    let mut renamed: BTreeMap<OperandIndex, VirtualRegister> = BTreeMap::new();
    let mut copies = Vec::new();
    for edit in &allocation.edits {
        match edit.kind {
            EditKind::Rename { operand, to } => _ = renamed.insert(operand, to),
            EditKind::DeleteCopy => {
                let (Position::Before(instruction) | Position::After(instruction)) = edit.at;
                copies.push(instruction);
            }
            _ => {}
        }
    }
    let named = |index: OperandIndex| {
        let own = function.operands[index].virtual_register();
        renamed.get(&index).copied().or(own)
    };
    let mut taken = vec![false; locations.len()];
    for (instruction, data) in &function.instructions {
        let does = Asynchronous::new(data.flags);
        if !does.multiplies {
            continue;
        }
        for (index, operand) in function.numbered_operands(instruction) {
            if let Some(value) = named(index)
                && does.operation(operand) == Some(Operation::Multiply)
            {
                taken[value.as_u32() as usize] = true;
            }
        }
    }
    if !taken.contains(&true) {
        return;
    }
    let mut ends = Vec::new();
    for copy in copies {
        let values = function.numbered_operands(copy).take(2);
        let values: Vec<_> = values.filter_map(|(index, _)| named(index)).collect();
        if let [to, from] = values[..] {
            ends.push((to.as_u32() as usize, from.as_u32() as usize));
        }
    }
    // A chain of copies is as long as there are copies, at most.
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for &(to, from) in &ends {
            changed |= taken[to] != taken[from];
            let either = taken[to] || taken[from];
            (taken[to], taken[from]) = (either, either);
        }
    }
    for (location, taken) in locations.iter_mut().zip(taken) {
        if taken && location.kind == WARPALLOC_LOCATION_REGISTER {
            location.kind = WARPALLOC_LOCATION_MULTIPLIED;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use passes::allocation::Edit;
    use passes::function::text::parse;

    #[test]
    fn what_is_multiplied_and_what_is_the_same_by_copies_is_named_apart() {
        let text = "machine gpu limit=64
            function f kernel
            values v0:B32, v1:B32, v2:B32, v3:B32
            block b0
              v0 = op
              v1 = copy v0
              in_flight v1 = op.multiplies in_flight v1(tied 0)
              v2 = copy v1
              v3 = op v2";
        let (_, function) = parse(text).expect("a function");
        let mut allocation = Allocation::default();
        let at = passes::function::Instruction::from_u32(1);
        allocation.edits.push(Edit {
            at: Position::Before(at),
            kind: EditKind::DeleteCopy,
        });
        let register = WarpallocLocation {
            kind: WARPALLOC_LOCATION_REGISTER,
            index: 0,
        };
        let mut locations = vec![register; 4];
        name_apart(&function, &allocation, &mut locations);
        let apart: Vec<bool> = locations
            .iter()
            .map(|location| location.kind == WARPALLOC_LOCATION_MULTIPLIED)
            .collect();
        assert_eq!(apart, [true, true, false, false]);
    }
}
