//! How many registers of each file a finished allocation occupies at once.
//!
//! Counted in columns: a register of the file's own width is one, a pair is two,
//! a half is one. One backward walk, linear in operands and live values.

use super::live_set::{LiveSet, RegisterPools};
use super::liveness::Liveness;
use crate::function::{Function, Instruction, Operand, VirtualRegister};
use crate::machine::{File, Machine, Register};
use cranelift_entity::SecondaryMap;

/// Registers used and most registers occupied at once, for one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileUsage {
    /// Registers that something is assigned to.
    pub used: u32,
    /// Most registers occupied at one point.
    pub most: u32,
}

/// Measures the use of every file.
pub fn file_usage(
    function: &Function,
    machine: &Machine,
    register_of: impl Fn(VirtualRegister) -> Option<Register>,
) -> SecondaryMap<File, FileUsage> {
    let mut locations = SecondaryMap::new();
    for value in function.virtual_registers.keys() {
        locations[value] = register_of(value);
    }
    let pools = RegisterPools::new(machine);
    let liveness = Liveness::new(function, machine);
    let mut live = LiveSet::new(function, &pools);
    let mut result: SecondaryMap<File, FileUsage> = SecondaryMap::new();
    let mut counters: Vec<_> = machine
        .files
        .keys()
        .map(|file| Columns::new(machine, file))
        .collect();
    for block in function.blocks.keys() {
        live.start(block, &liveness);
        for counter in &mut counters {
            counter.restart();
            for value in live.iter() {
                counter.occupy(locations[value]);
            }
        }
        for instruction in function.block_instructions(block).rev() {
            count_instruction(function, instruction, &locations, &mut live, &mut counters);
        }
    }
    for (file, counter) in machine.files.keys().zip(&counters) {
        result[file] = FileUsage {
            used: counter.count_used(),
            most: counter.most,
        };
    }
    result
}

/// Registers of a file that something is assigned to: [`FileUsage::used`]. Linear in operands.
pub fn registers_used(
    function: &Function,
    machine: &Machine,
    file: File,
    register_of: impl Fn(VirtualRegister) -> Option<Register>,
) -> u32 {
    let mut columns = Columns::new(machine, file);
    let operands = function.operands.values();
    let operands = operands.filter(|operand| operand.reads() || operand.is_definition());
    let named = operands.filter_map(Operand::virtual_register);
    named.for_each(|value| columns.use_all(register_of(value)));
    columns.count_used()
}

/// Definitions occupy their registers even if nothing reads them.
fn count_instruction(
    function: &Function,
    instruction: Instruction,
    locations: &SecondaryMap<VirtualRegister, Option<Register>>,
    live: &mut LiveSet,
    counters: &mut [Columns],
) {
    let operands = function.instruction_operands(instruction);
    let named = || operands.iter().filter_map(Operand::virtual_register);
    // Twice the same register counts twice in both directions, so it cancels.
    let definitions = || {
        let definitions = operands.iter().filter(|operand| operand.is_definition());
        definitions.filter_map(Operand::virtual_register)
    };
    let dead: Vec<_> = definitions().filter(|&d| !live.contains(d)).collect();
    for counter in counters.iter_mut() {
        counter.occupy_briefly(&dead, locations);
    }
    let before: Vec<_> = named().filter(|&value| live.contains(value)).collect();
    live.step(instruction);
    let mut seen: Vec<VirtualRegister> = Vec::new();
    for value in named() {
        if seen.contains(&value) {
            continue;
        }
        seen.push(value);
        match (before.contains(&value), live.contains(value)) {
            (true, false) => counters.iter_mut().for_each(|c| c.vacate(locations[value])),
            (false, true) => counters.iter_mut().for_each(|c| c.occupy(locations[value])),
            _ => {}
        }
    }
    // What is written early is there beside all that the instruction reads.
    let early: Vec<_> = operands
        .iter()
        .filter(|operand| operand.is_definition() && operand.is_early_clobber())
        .filter_map(Operand::virtual_register)
        .filter(|&value| !live.contains(value))
        .collect();
    for counter in counters {
        counter.most = counter.most.max(counter.now);
        counter.occupy_briefly(&early, locations);
    }
}

/// How often each column of a file is occupied.
struct Columns<'a> {
    machine: &'a Machine,
    file: File,
    occupants: Vec<u32>,
    used: Vec<bool>,
    now: u32,
    most: u32,
}

impl<'a> Columns<'a> {
    fn new(machine: &'a Machine, file: File) -> Self {
        let columns = machine.files[file].column_of_unit.iter().flatten();
        let count = columns.max().map_or(0, |&last| usize::from(last) + 1);
        Self {
            machine,
            file,
            occupants: vec![0; count],
            used: vec![false; count],
            now: 0,
            most: 0,
        }
    }

    fn restart(&mut self) {
        self.occupants.fill(0);
        self.now = 0;
    }

    /// The columns of a register in this file, each once.
    fn columns(&self, register: Option<Register>) -> impl Iterator<Item = usize> + use<> {
        let columns = register.map(|register| self.machine.columns(self.file, register));
        let columns = columns.into_iter().flatten();
        columns.map(|(column, _)| usize::from(column))
    }

    fn use_all(&mut self, register: Option<Register>) {
        for column in self.columns(register) {
            self.used[column] = true;
        }
    }

    fn count_used(&self) -> u32 {
        self.used.iter().filter(|&&used| used).count() as u32
    }

    fn occupy(&mut self, register: Option<Register>) {
        for column in self.columns(register) {
            self.used[column] = true;
            self.occupants[column] += 1;
            self.now += u32::from(self.occupants[column] == 1);
        }
        self.most = self.most.max(self.now);
    }

    /// Counts values that are there together with what is there already, and then
    /// are gone.
    fn occupy_briefly(
        &mut self,
        values: &[VirtualRegister],
        locations: &SecondaryMap<VirtualRegister, Option<Register>>,
    ) {
        for &value in values {
            self.occupy(locations[value]);
        }
        for &value in values {
            self.vacate(locations[value]);
        }
    }

    fn vacate(&mut self, register: Option<Register>) {
        for column in self.columns(register) {
            self.occupants[column] -= 1;
            self.now -= u32::from(self.occupants[column] == 0);
        }
    }
}
