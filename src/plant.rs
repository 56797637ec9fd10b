//! Plants a fault in a correct allocation, to see whether tests find it.

use cranelift_entity::{EntityRef, PrimaryMap};
use passes::allocation::{Allocation, Location};
use passes::function::{Access, Function, InstructionFlags, OperandFlags, OperandIndex};
use passes::machine::{Class, Machine, Register, RegisterData, RegisterTable, Unit};
use passes::mutation::{Kind, Mutator, only_reordered};
use passes::verify::verify;
use std::sync::Arc;

/// What shows in executed code, if it is executed: see [`Kind`].
const KINDS: [Kind; 2] = [Kind::DropEdge, Kind::MoveSpill];

/// Changes the allocation, and says what was done and whether the checker sees
/// a fault.
pub fn plant(
    function: &Function,
    machine: &Machine,
    allocation: &mut Allocation,
    seed: u64,
) -> String {
    let mutation = Mutator::new(function, machine, allocation).mutate(&KINDS, seed);
    let Some(mutation) = mutation else {
        return "planted nothing".into();
    };
    let correct = std::mem::replace(allocation, mutation.allocation.clone());
    let apart = ClassesApart::new(machine);
    let kept = undefined_kept(function);
    let check = |machine: &Machine, allocation: &Allocation| {
        verify(function, machine, allocation)
            .or_else(|fault| verify(&kept, machine, allocation).map_err(|_| fault))
    };
    let seen = check(machine, allocation);
    let locations_apart = apart.locations(function, machine, allocation);
    let seen_apart = check(&apart.machine, &locations_apart);
    let opinion = match (seen, seen_apart) {
        (Ok(()), _) => "accepted".into(),
        _ if only_reordered(function, machine, &correct, allocation) => {
            "accepted: only the order differs".into()
        }
        (Err(_), Err(fault)) => format!("rejected: {fault}"),
        (Err(fault), Ok(())) => format!("rejected across classes: {fault}"),
    };
    format!("planted {mutation} (checker: {opinion})")
}

/// The function where what defines an undefined value does nothing: the value stays what
/// it was, which is as good. An allocation that is right for this one is right, even if
/// the checker misses the undefined value somewhere.
fn undefined_kept(function: &Function) -> Function {
    let mut kept = function.clone();
    for data in kept.instructions.values_mut() {
        if data.flags.contains(InstructionFlags::IMPLICIT_DEFINITION) {
            data.flags.remove(InstructionFlags::IMPLICIT_DEFINITION);
            for number in data.operands.clone() {
                let operand = &mut kept.operands[OperandIndex::from_u32(number)];
                operand.access = Access::Use;
                operand.flags = OperandFlags::UNDEFINED;
            }
        }
    }
    kept
}

/// The machine with registers of its own for each class, as PTX has them: there
/// `%r4` and `%rd2` are different registers, whatever becomes of them later, and every
/// thread has its own. A conflict between classes does not show when PTX is executed,
/// nor does a uniform register in which threads differ.
struct ClassesApart {
    machine: Machine,
    /// Registers of a class.
    count: usize,
}

impl ClassesApart {
    fn new(machine: &Machine) -> Self {
        let table = &machine.table;
        let count = table.registers.len();
        let mut registers = PrimaryMap::new();
        let mut classes = machine.classes.clone();
        for (class, data) in &mut classes {
            let first = class.index() as u32 * table.unit_count;
            for register in table.registers.values() {
                let units = register.units.iter();
                registers.push(RegisterData {
                    name: register.name.clone(),
                    units: units
                        .map(|unit| Unit::from_u32(first + unit.as_u32()))
                        .collect(),
                    parts: Default::default(),
                });
            }
            let classes = [Some(class), data.uniform.take()].into_iter().flatten();
            data.order = classes
                .flat_map(|class| {
                    let order = machine.classes[class].order.iter();
                    order.map(move |&register| moved(register, class, count))
                })
                .collect();
        }
        let unit_count = classes.len() as u32 * table.unit_count;
        let machine = Machine {
            table: Arc::new(RegisterTable::new(unit_count, registers)),
            classes,
            // A GPU's calls clobber nothing, and files are for statistics.
            clobber_masks: PrimaryMap::new(),
            files: PrimaryMap::new(),
        };
        Self { machine, count }
    }

    fn locations(
        &self,
        function: &Function,
        machine: &Machine,
        allocation: &Allocation,
    ) -> Allocation {
        let mut allocation = allocation.clone();
        let own = function.virtual_registers.iter();
        let created = allocation.created.iter();
        let classes: Vec<_> = own
            .map(|(value, data)| (value, data.class))
            .chain(created.map(|created| (created.register, created.class)))
            .collect();
        for (value, class) in classes {
            if let Location::Register(register) = &mut allocation.locations[value] {
                let uniform = machine.classes[class].uniform;
                let there = |class: &Class| machine.classes[*class].order.contains(register);
                let class = uniform.filter(there).unwrap_or(class);
                *register = moved(*register, class, self.count);
            }
        }
        allocation
    }
}

fn moved(register: Register, class: Class, count: usize) -> Register {
    Register::new(class.index() * count + register.index())
}

#[cfg(test)]
mod tests {
    use super::*;
    use passes::function::{FunctionBuilder, InstructionKind, Operand};
    use passes::machine::gpu;
    use passes::settings::Settings;

    /// An undefined value, or a defined one, in the register of another.
    #[test]
    fn any_register_will_do_for_an_undefined_value() {
        for flags in [
            InstructionFlags::IMPLICIT_DEFINITION,
            InstructionFlags::empty(),
        ] {
            let mut builder = FunctionBuilder::new("f");
            let [value, other] = [0, 1].map(|_| builder.virtual_register(gpu::SINGLE32));
            builder.start_block(1.0, 0, &[]);
            builder.push(
                InstructionKind::Plain,
                flags,
                &[Operand::write(value)],
                None,
            );
            builder.plain(&[Operand::write(other)]);
            builder.plain(&[Operand::read(value), Operand::read(other)]);
            let (function, machine) = (builder.finish(), gpu::machine(8));
            let allocation = passes::allocate(&function, &machine, &Settings::default());
            let mut allocation = allocation.expect("an allocation");
            allocation.locations[value] = allocation.locations[other];
            assert!(verify(&function, &machine, &allocation).is_err());
            let kept = undefined_kept(&function);
            let is_undefined = !flags.is_empty();
            assert_eq!(verify(&kept, &machine, &allocation).is_ok(), is_undefined);
        }
    }
}
