//! What calls cost: registers, because only some survive one, and accesses to memory, as
//! a function saves those that its caller relies on.
//!
//! Knob 649. A kernel without calls has none of it. What a function that is called needs
//! itself is not known here. One pass over the instructions.

use super::parameters::BEYOND_LAST;
use super::pressure::Pressure;
use crate::function::{Function, InstructionFlags};
use crate::machine::calling_convention::OBSERVED;

/// What the calling convention asks of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Convention {
    /// Registers that it takes at least.
    pub registers: u32,
    /// Registers that it saves at its begin and restores at its end: none if it is a
    /// kernel, to which nobody returns.
    pub saved: u32,
}

/// What the convention asks of a function with this pressure, if it calls; `most` are the
/// registers of the file. Arguments and results are in memory around a call in PTX, so
/// what is live at one survives it.
pub fn convention(function: &Function, pressure: &Pressure, most: u32) -> Option<Convention> {
    let instructions = function.instructions.iter();
    let calls = instructions.filter(|(_, data)| data.flags.contains(InstructionFlags::CALL));
    let live = calls.map(|(one, _)| pressure[one]).max()?;
    let registers = OBSERVED.registers(live, most);
    let surviving = OBSERVED.surviving(most).count() as u32;
    Some(Convention {
        registers: (registers + BEYOND_LAST).min(most),
        saved: match function.kernel {
            true => 0,
            false => live.min(surviving),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::Instruction;
    use crate::function::examples::live_across;
    use crate::machine::gpu;

    fn asked(live: u32, most: u32, kernel: bool) -> Option<Convention> {
        let mut function = live_across(live, 1);
        function.kernel = kernel;
        let call = Instruction::from_u32(live);
        function.instructions[call].flags |= InstructionFlags::CALL;
        let machine = gpu::machine(gpu::R_SIZE);
        let file = machine.limited_file().expect("R");
        let pressures = super::super::pressure::pressures(&function, &machine, file, None);
        convention(&function, &pressures.in_order, most)
    }

    /// What `ptxas -v` reports of such kernels for sm_90.
    #[test]
    fn half_of_the_registers_survive() {
        for (live, reported) in [(0, 24), (12, 31), (24, 55), (40, 87), (60, 127)] {
            let found = asked(live, 255, true).expect("it calls");
            assert_eq!((found.registers, found.saved), (reported, 0), "{live}");
        }
    }

    #[test]
    fn only_functions_that_return_save() {
        assert_eq!(asked(24, 255, false).expect("it calls").saved, 24);
        // R2, R16 to R19, R22 to R31 and R36 to R39.
        let narrow = asked(60, 40, false).expect("it calls");
        assert_eq!((narrow.registers, narrow.saved), (40, 19));
    }

    #[test]
    fn without_calls_nothing_is_asked() {
        let function = live_across(30, 1);
        assert_eq!(convention(&function, &Pressure::new(), 255), None);
    }
}
