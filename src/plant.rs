//! Plants a fault in a correct allocation, to see whether tests find it.

use cranelift_entity::{EntityRef, PrimaryMap};
use passes::allocation::{Allocation, Home};
use passes::function::Function;
use passes::machine::{Class, Machine, Register, RegisterData, RegisterTable, Unit};
use passes::mutation::{Kind, Mutator};
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
    *allocation = mutation.allocation.clone();
    let apart = ClassesApart::new(machine);
    let seen = verify(function, machine, allocation);
    let homes_apart = apart.homes(function, machine, allocation);
    let seen_apart = verify(function, &apart.machine, &homes_apart);
    let opinion = match (seen, seen_apart) {
        (Ok(()), _) => "accepted".into(),
        (Err(_), Err(fault)) => format!("rejected: {fault}"),
        (Err(fault), Ok(())) => format!("rejected across classes: {fault}"),
    };
    format!("planted {mutation} (checker: {opinion})")
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
            table: Arc::new(RegisterTable {
                unit_count,
                registers,
            }),
            classes,
            // A GPU's calls clobber nothing, and files are for statistics.
            clobber_masks: PrimaryMap::new(),
            files: PrimaryMap::new(),
        };
        Self { machine, count }
    }

    fn homes(&self, function: &Function, machine: &Machine, allocation: &Allocation) -> Allocation {
        let mut allocation = allocation.clone();
        let own = function.virtual_registers.iter();
        let created = allocation.created.iter();
        let classes: Vec<_> = own
            .map(|(value, data)| (value, data.class))
            .chain(created.map(|created| (created.register, created.class)))
            .collect();
        for (value, class) in classes {
            if let Home::Register(register) = &mut allocation.homes[value] {
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
