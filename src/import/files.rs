//! Which registers can take each other's place: the register files.

use cranelift_entity::{EntityRef, PrimaryMap};
use passes::machine::{Class, ClassData, File, FileData, Register, RegisterTable, UnitSet};

/// Classes that share a unit, directly or through others, form a file.
///
/// Its pressure is counted in the registers of its base class, the one that
/// covers the most units with registers that do not overlap; of equals the one
/// with more registers, then the first. Registers of the file that the base
/// class leaves out are counted as well.
pub fn of_classes(
    table: &RegisterTable,
    classes: &PrimaryMap<Class, ClassData>,
) -> PrimaryMap<File, FileData> {
    let mut files = PrimaryMap::new();
    for members in components(table, classes) {
        let base = base(table, classes, &members);
        let mut columns = Columns::new(table);
        columns.add(&classes[base].order);
        for &class in &members {
            columns.add(&classes[class].order);
        }
        files.push(FileData {
            name: classes[base].name.clone(),
            size: columns.count.into(),
            column_of_unit: columns.of_unit,
            bank_count: 1,
        });
    }
    files
}

/// Numbers registers that do not overlap.
struct Columns<'a> {
    table: &'a RegisterTable,
    of_unit: Vec<Option<u16>>,
    count: u16,
}

impl<'a> Columns<'a> {
    fn new(table: &'a RegisterTable) -> Self {
        Self {
            table,
            of_unit: vec![None; table.unit_count as usize],
            count: 0,
        }
    }

    fn add(&mut self, registers: &[Register]) {
        for &register in registers {
            let units = &self.table.registers[register].units;
            let taken = |of_unit: &[Option<u16>]| {
                units
                    .iter()
                    .any(|unit| of_unit[unit.as_u32() as usize].is_some())
            };
            if units.is_empty() || taken(&self.of_unit) {
                continue;
            }
            for unit in units {
                self.of_unit[unit.as_u32() as usize] = Some(self.count);
            }
            self.count += 1;
        }
    }

    fn units(&self) -> usize {
        self.of_unit
            .iter()
            .filter(|column| column.is_some())
            .count()
    }
}

/// The class to count in.
fn base(table: &RegisterTable, classes: &PrimaryMap<Class, ClassData>, members: &[Class]) -> Class {
    let mut best = (members[0], (0, 0));
    for &class in members {
        let mut columns = Columns::new(table);
        columns.add(&classes[class].order);
        let merit = (columns.units(), columns.count);
        if merit > best.1 {
            best = (class, merit);
        }
    }
    best.0
}

/// The classes with registers, grouped by shared units; the groups and the
/// classes in them ascend.
fn components(table: &RegisterTable, classes: &PrimaryMap<Class, ClassData>) -> Vec<Vec<Class>> {
    let mut groups: Vec<(Vec<Class>, UnitSet)> = Vec::new();
    for (class, data) in classes {
        let mut units = UnitSet::new(table.unit_count);
        for &register in &data.order {
            for &unit in &table.registers[register].units {
                units.insert(unit);
            }
        }
        if units.is_empty() {
            continue;
        }
        let mut members = vec![class];
        groups.retain(|(others, other_units)| {
            let joined = other_units.iter().any(|unit| units.contains(unit));
            if joined {
                members.extend_from_slice(others);
                units.union(other_units);
            }
            !joined
        });
        members.sort_unstable();
        groups.push((members, units));
    }
    let mut groups: Vec<_> = groups.into_iter().map(|(members, _)| members).collect();
    groups.sort_unstable_by_key(|members| members[0].index());
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use passes::machine::{RegisterData, Unit};

    /// Two registers of two halves each, one flag.
    fn table() -> RegisterTable {
        let units: [&[u32]; 8] = [&[], &[0, 1], &[2, 3], &[0], &[1], &[2], &[3], &[4]];
        let registers = units.iter().map(|units| RegisterData {
            name: String::new(),
            units: units.iter().map(|&unit| Unit::from_u32(unit)).collect(),
            parts: Default::default(),
        });
        RegisterTable::new(5, registers.collect())
    }

    fn class(name: &str, order: &[u32]) -> ClassData {
        ClassData {
            name: name.into(),
            order: order.iter().map(|&r| Register::from_u32(r)).collect(),
            spill_size: 8,
            spill_alignment: 8,
            spill_through: None,
            uniform: None,
        }
    }

    #[test]
    fn wholes_and_halves_are_one_file_counted_in_wholes() {
        let classes: PrimaryMap<Class, ClassData> = [
            class("low", &[3, 5]),
            class("whole", &[2, 1]),
            class("flag", &[7]),
        ]
        .into_iter()
        .collect();
        let files = of_classes(&table(), &classes);
        let names: Vec<_> = files.values().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["whole", "flag"]);
        let whole = files.values().next().unwrap();
        assert_eq!(whole.size, 2);
        let columns = [Some(1), Some(1), Some(0), Some(0), None];
        assert_eq!(whole.column_of_unit, columns);
    }

    #[test]
    fn what_the_base_class_leaves_out_counts_too() {
        let classes: PrimaryMap<Class, ClassData> =
            [class("narrow", &[3, 5]), class("first", &[1])]
                .into_iter()
                .collect();
        let files = of_classes(&table(), &classes);
        let file = files.values().next().unwrap();
        assert_eq!((file.size, file.name.as_str()), (2, "narrow"));
    }
}
