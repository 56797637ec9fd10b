//! What is in uniform registers may be there, and whoever names it can.
//!
//! This is about values that could as well be in registers of the threads; those of
//! which the function says that they are uniform are its own business. Which values may
//! differ, `divergence` finds for itself. Apart from that, linear in operands.

use super::divergence::Divergence;
use super::fault::{Fault, Site, Spot};
use super::plan::{OperandLocation, Plan};
use crate::function::{Block, Instruction, InstructionFlags};
use crate::machine::Register;

/// Checks every place.
pub(super) fn check(plan: &Plan, blocks: &[Block]) -> Result<(), Fault> {
    let is_there = |place: &OperandLocation| {
        let value = place.value.expand();
        value.is_some_and(|value| plan.is_shared(value, place.location))
    };
    if !plan.places.values().any(is_there) {
        return Ok(());
    }
    let name = |register: Register| plan.machine.register_name(register).to_owned();
    let divergence = Divergence::new(plan.function);
    for place in plan.places.values().filter(|place| is_there(place)) {
        if let Some(value) = place.value.expand()
            && divergence.may_differ(value)
        {
            let register = name(place.location);
            return Err(Fault::NotUniform { value, register });
        }
    }
    for instruction in plan.function.instructions.keys() {
        check_operands(plan, instruction, blocks, is_there)?;
    }
    Ok(())
}

/// An instruction has all its operands there and can be executed there; or what it loads is moved
/// there, or it reads one and can do that.
fn check_operands(
    plan: &Plan,
    instruction: Instruction,
    blocks: &[Block],
    is_there: impl Fn(&OperandLocation) -> bool,
) -> Result<(), Fault> {
    let operands = plan.function.instruction_operands(instruction);
    let places = plan.places(instruction);
    let flags = plan.function.instructions[instruction].flags;
    let has_result = operands.iter().any(|operand| operand.is_definition());
    let for_the_warp = flags.contains(InstructionFlags::UNIFORM_PATH) && has_result;
    if for_the_warp && places.iter().all(&is_there) {
        return Ok(());
    }
    let mut source: Option<Register> = None;
    for (number, (operand, place)) in operands.iter().zip(places).enumerate() {
        if !is_there(place) {
            continue;
        }
        let site = Site {
            instruction,
            block: blocks[instruction.as_u32() as usize],
            spot: Spot::Operand(number as u32),
        };
        let register = plan.machine.register_name(place.location).to_owned();
        let written = operand.is_definition();
        let wanted = match written {
            true => InstructionFlags::UNIFORM_LOAD,
            false => InstructionFlags::UNIFORM_SOURCE,
        };
        if !flags.contains(wanted) {
            return Err(Fault::UniformOperand {
                site,
                register,
                written,
            });
        }
        if !written
            && let Some(first) = source.replace(place.location)
            && first != place.location
        {
            let other = plan.machine.register_name(first).to_owned();
            return Err(Fault::UniformSources {
                site,
                register,
                other,
            });
        }
    }
    Ok(())
}
