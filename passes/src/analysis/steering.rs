//! The values by which a whole warp finds its way: those that a branch depends on that all
//! its threads take together, and what these are computed of.
//!
//! ptxas knows nothing of what a thread reads from its own memory. A branch that depends on
//! such a value may part the warp, as far as it can tell: the shuffles, votes and barriers
//! behind it become sequences that collect the threads first, and uniform registers serve
//! no more there. Requires that divergence is marked, as [`super::uniformity`] does. Source:
//! ours, by looking at what ptxas makes of it. Linear in operands.

use super::mentions::Mentions;
use super::uniformity::Uniformity;
use crate::function::{Function, InstructionFlags, Operand, VirtualRegister};
use cranelift_entity::SecondaryMap;

/// Finds them.
pub fn steering(
    function: &Function,
    uniformity: &Uniformity,
) -> SecondaryMap<VirtualRegister, bool> {
    let mut steers = SecondaryMap::new();
    if !function.kernel {
        return steers;
    }
    let definitions = Mentions::new(function, Operand::is_definition);
    let branches = InstructionFlags::TERMINATOR | InstructionFlags::LEAVES;
    let mut waiting = Vec::new();
    let mut read_by = |instruction, waiting: &mut Vec<VirtualRegister>| {
        let operands = function.instruction_operands(instruction).iter();
        for value in operands
            .filter(|operand| operand.reads())
            .filter_map(Operand::virtual_register)
        {
            if uniformity.is_uniform(value) && !std::mem::replace(&mut steers[value], true) {
                waiting.push(value);
            }
        }
    };
    for (instruction, data) in &function.instructions {
        if data.flags.intersects(branches) {
            read_by(instruction, &mut waiting);
        }
    }
    while let Some(value) = waiting.pop() {
        for number in definitions.numbers(value) {
            read_by(definitions.instruction(number), &mut waiting);
        }
    }
    steers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::text::parse;

    fn steers(kind: &str, body: &str) -> Vec<bool> {
        let values = "values v0:B32, v1:B32, v2:B32, v3:B1";
        let text = format!(
            "machine gpu limit=24\nfunction f {kind}\n{values}\nblock b0 to=b1\n{body}\n  terminator v3\nblock b1\n  op v2\n"
        );
        let (_, function) = parse(&text).expect("it is well-formed");
        let found = steering(&function, &Uniformity::new(&function));
        let values = function.virtual_registers.keys();
        values.map(|value| found[value]).collect()
    }

    #[test]
    fn what_uniform_branches_are_computed_of_steers() {
        let body = "  v0 = op\n  v1 = op v0\n  v2 = op v0\n  v3 = op v1";
        assert_eq!(steers("kernel", body), [true, true, false, true]);
        // Nobody knows who calls it.
        assert_eq!(steers("", body), [false; 4]);
    }

    #[test]
    fn branches_that_part_the_warp_do_not_count() {
        let body = "  v0 = op\n  v1 = op.divergent\n  v2 = op v0\n  v3 = op v0, v1";
        assert_eq!(steers("kernel", body), [false; 4]);
    }
}
