//! Distribution of values over register files: on a GPU, what the uniform data path can
//! compute and keep goes to its registers, and leaves those of the threads to others.
//!
//! A value gets the uniform counterpart of its class if it is uniform
//! ([`crate::analysis::uniformity`]), every instruction that defines it can be executed
//! on the uniform path, all its operands being there as well, or loads it from memory, and
//! every instruction that reads it is executed there, too, or can read a uniform register.
//! What is loaded is in a thread's register first, and moved, as ptxas does where those are
//! few: that is counted on where it is left open who spills, not where the budget has to hold
//! whatever ptxas does. An instruction that is executed for each thread reads one uniform value
//! at most: of several those that cost less in memory stay outside. A value that is only copied
//! to a thread's register gains nothing.
//!
//! Nothing is spilled from a uniform register: a value that finds none returns to its
//! own class, and with it whatever depends on its being there. From then on it is
//! spilled as any other.
//!
//! The values are found by taking out what violates a rule until nothing does. Source:
//! the ptxas document's register classes, R and UR, P and UP; which instructions are
//! meant is the machine's business and comes with the function. Time: near-linear; an
//! instruction is looked at again once for each operand of it that is taken out.

use crate::analysis::mentions::Mentions;
use crate::analysis::uniformity::Uniformity;
use crate::function::{Function, Instruction, InstructionFlags, Operand, VirtualRegister};
use crate::machine::{Class, Machine};
use crate::settings::{CostModel, Pass, Settings, Spills};
use cranelift_entity::PrimaryMap;
use fixedbitset::FixedBitSet;
use smallvec::SmallVec;

/// The values of one function that live in uniform registers.
#[derive(Clone)]
pub struct Distribution<'a> {
    function: &'a Function,
    /// Whether ptxas is counted on to move what is loaded.
    moves_loads: bool,
    mentions: Mentions,
    costs: PrimaryMap<VirtualRegister, f64>,
    /// The uniform class of each value that is there.
    class: PrimaryMap<VirtualRegister, Option<Class>>,
    /// Readers of each value that are no copies to a thread's register.
    uses: PrimaryMap<VirtualRegister, u32>,
    /// Instructions that may not be as they should any more.
    waiting: Vec<Instruction>,
    /// Whether each instruction is among them.
    is_waiting: FixedBitSet,
    /// What has been taken out since it was last asked for.
    taken: Vec<VirtualRegister>,
}

impl<'a> Distribution<'a> {
    /// Whether the function may have values for uniform registers, and they are wanted.
    pub fn is_wanted(function: &Function, settings: &Settings) -> bool {
        let mut instructions = function.instructions.values();
        let mut defines = InstructionFlags::UNIFORM_PATH;
        defines.set(InstructionFlags::UNIFORM_LOAD, moves_loads(settings));
        function.kernel
            && settings.runs(Pass::Uniform)
            && instructions.any(|data| data.flags.intersects(defines))
    }

    /// Decides; `None` if all values stay where they are.
    /// `costs`: what it costs to spill each value; `moves_loads`: whether what is loaded may be
    /// there.
    pub fn new(
        function: &'a Function,
        machine: &Machine,
        uniformity: &Uniformity,
        costs: PrimaryMap<VirtualRegister, f64>,
        moves_loads: bool,
    ) -> Option<Self> {
        let values = function.virtual_registers.iter();
        let class = values
            .map(|(value, data)| {
                let uniform = machine.classes[data.class].uniform;
                uniform.filter(|_| uniformity.is_uniform(value))
            })
            .collect();
        let mut distribution = Self {
            function,
            moves_loads,
            mentions: Mentions::new(function, |_| true),
            costs,
            class,
            uses: function.virtual_registers.keys().map(|_| 0).collect(),
            waiting: Vec::new(),
            is_waiting: FixedBitSet::with_capacity(function.instructions.len()),
            taken: Vec::new(),
        };
        distribution.count_uses();
        distribution.wait_for_all();
        distribution.settle(false);
        // Who reads too many is only asked when it is clear what could be there at all.
        distribution.wait_for_all();
        distribution.settle(true);
        distribution.taken.clear();
        distribution
            .class
            .values()
            .any(Option::is_some)
            .then_some(distribution)
    }

    /// With what is loaded, where nobody has looked at how else values can be had than from memory.
    pub fn by_accesses(function: &'a Function, machine: &Machine) -> Option<Self> {
        let uniformity = Uniformity::new(function);
        let costs = CostModel::Accesses.costs(function, |_| None);
        Self::new(function, machine, &uniformity, costs, true)
    }

    /// The values that are loaded, not computed there, with their uniform classes.
    pub fn loaded(&self) -> impl Iterator<Item = (VirtualRegister, Class)> {
        let is_load = |flags: InstructionFlags| flags.contains(InstructionFlags::UNIFORM_LOAD);
        let instructions = self.function.instructions.iter();
        let loads = instructions.filter(move |(_, data)| is_load(data.flags));
        let operands = loads.flat_map(|(load, _)| self.function.instruction_operands(load));
        let definitions = operands.filter(|operand| operand.is_definition());
        let values = definitions.filter_map(Operand::virtual_register);
        values.filter_map(|value| Some((value, self.class[value]?)))
    }

    /// Gives the values their uniform classes in a function with the same values.
    pub fn apply(&self, function: &mut Function) {
        for (value, class) in &self.class {
            if let Some(class) = *class {
                function.virtual_registers[value].class = class;
            }
        }
    }

    /// Takes values back that found no uniform register, and what depends on them.
    /// False if none of them was in one.
    pub fn take_back(&mut self, work: &mut Function, values: &[VirtualRegister]) -> bool {
        for &value in values {
            if self.class.get(value).is_some_and(Option::is_some) {
                self.take_out(value);
            }
        }
        self.settle(true);
        for &value in &self.taken {
            let own = self.function.virtual_registers[value].class;
            work.virtual_registers[value].class = own;
        }
        !std::mem::take(&mut self.taken).is_empty()
    }

    /// Takes all values back. False if there are none.
    pub fn take_back_all(&mut self, work: &mut Function) -> bool {
        let values: Vec<_> = self.class.keys().collect();
        self.take_back(work, &values)
    }

    fn is_uniform(&self, value: VirtualRegister) -> bool {
        self.class[value].is_some()
    }

    fn count_uses(&mut self) {
        let reads = self.function.operands.values().filter(|one| one.reads());
        for value in reads.filter_map(Operand::virtual_register) {
            self.uses[value] += 1;
        }
        for instruction in self.function.instructions.keys() {
            if let Some((to, from)) = self.copied(instruction)
                && !to.is_some_and(|to| self.is_uniform(to))
            {
                self.uses[from] -= 1;
            }
        }
        for value in self.function.virtual_registers.keys() {
            if self.uses[value] == 0 {
                self.take_out(value);
            }
        }
    }

    /// Where a copy goes to, if that is a value, and what it reads.
    fn copied(
        &self,
        instruction: Instruction,
    ) -> Option<(Option<VirtualRegister>, VirtualRegister)> {
        let (to, from) = self.function.copy_operands(instruction)?;
        let from = from.virtual_register().filter(|_| from.reads())?;
        Some((to.virtual_register(), from))
    }

    fn wait_for_all(&mut self) {
        self.waiting = self.function.instructions.keys().rev().collect();
        self.is_waiting.insert_range(..);
    }

    /// Looks at instructions until nothing changes.
    fn settle(&mut self, one_source: bool) {
        while let Some(instruction) = self.waiting.pop() {
            self.is_waiting.set(instruction.as_u32() as usize, false);
            if !self.is_on_path(instruction) {
                self.check(instruction);
                if one_source {
                    self.keep_one_source(instruction);
                }
            }
        }
    }

    /// Takes a value out, and what has only been copied to it.
    fn take_out(&mut self, value: VirtualRegister) {
        let mut leaving: SmallVec<[VirtualRegister; 4]> = SmallVec::from_slice(&[value]);
        while let Some(value) = leaving.pop() {
            if self.class[value].take().is_none() {
                continue;
            }
            self.taken.push(value);
            for number in self.mentions.numbers(value) {
                let instruction = self.mentions.instruction(number);
                if !self.is_waiting.put(instruction.as_u32() as usize) {
                    self.waiting.push(instruction);
                }
                if let Some((Some(to), from)) = self.copied(instruction)
                    && to == value
                    && from != value
                {
                    self.uses[from] -= 1;
                    if self.uses[from] == 0 {
                        leaving.push(from);
                    }
                }
            }
        }
    }

    /// Takes out of an instruction that is executed for each thread what cannot be there,
    /// however few it is.
    fn check(&mut self, instruction: Instruction) {
        let flags = self.function.instructions[instruction].flags;
        for operand in self.function.instruction_operands(instruction) {
            if let Some(value) = operand.virtual_register()
                && self.is_uniform(value)
                && !self.may_be_there(operand, flags)
            {
                self.take_out(value);
            }
        }
    }

    /// Whether an operand of an instruction with these flags, which is executed for each thread,
    /// can be there.
    fn may_be_there(&self, operand: &Operand, flags: InstructionFlags) -> bool {
        match operand.is_definition() {
            true => self.moves_loads && flags.contains(InstructionFlags::UNIFORM_LOAD),
            false => flags.contains(InstructionFlags::UNIFORM_SOURCE),
        }
    }

    /// Leaves an instruction that is executed for each thread one uniform source.
    fn keep_one_source(&mut self, instruction: Instruction) {
        let operands = self.function.instruction_operands(instruction).iter();
        let sources = operands.filter(|operand| !operand.is_definition());
        let values = sources.filter_map(Operand::virtual_register);
        let mut sources: SmallVec<[VirtualRegister; 4]> =
            values.filter(|&value| self.is_uniform(value)).collect();
        if sources.len() < 2 {
            return;
        }
        sources.sort_by(|&a, &b| self.costs[b].total_cmp(&self.costs[a]).then(a.cmp(&b)));
        sources.dedup();
        for &value in sources.iter().skip(1) {
            self.take_out(value);
        }
    }

    /// Whether the instruction is executed once for the whole warp.
    fn is_on_path(&self, instruction: Instruction) -> bool {
        runs_on_uniform_path(self.function, instruction, |operand| {
            let value = operand.virtual_register();
            value.is_some_and(|value| self.is_uniform(value))
        })
    }
}

/// Whether ptxas is counted on to move what is loaded.
pub fn moves_loads(settings: &Settings) -> bool {
    settings.spills == Spills::Auto
}

/// Whether an instruction is executed on the uniform data path: it can be, has a result,
/// and all its operands are there.
pub fn runs_on_uniform_path(
    function: &Function,
    instruction: Instruction,
    is_there: impl Fn(&Operand) -> bool,
) -> bool {
    let flags = function.instructions[instruction].flags;
    let operands = function.instruction_operands(instruction);
    flags.contains(InstructionFlags::UNIFORM_PATH)
        && operands.iter().any(Operand::is_definition)
        && operands.iter().all(is_there)
}

#[cfg(test)]
mod tests {
    use super::Distribution;
    use crate::allocation::{Allocation, Location};
    use crate::analysis::uniformity::Uniformity;
    use crate::function::{VirtualRegister, text};
    use crate::machine::Machine;
    use crate::settings::{Pass, Select, Settings, Spills};

    /// Allocates a kernel that is given in the text format, under all checks.
    fn allocate(code: &str, settings: &Settings) -> (Machine, Allocation) {
        let (machine, function) = text::parse(code).unwrap();
        let settings = Settings {
            verify: true,
            ..settings.clone()
        };
        let allocation = crate::allocate(&function, &machine, &settings).unwrap();
        (machine, allocation)
    }

    /// The files in which the first values live.
    fn locations(code: &str, settings: &Settings, count: u32) -> Vec<String> {
        let (machine, allocation) = allocate(code, settings);
        let location = |number| match allocation.locations[VirtualRegister::from_u32(number)] {
            Location::Register(register) => {
                let name = machine.register_name(register);
                name.trim_end_matches(char::is_numeric).to_owned()
            }
            Location::Slot(_) => "slot".to_owned(),
            Location::None => "none".to_owned(),
        };
        (0..count).map(location).collect()
    }

    fn kernel(values: &str, code: &str) -> String {
        format!("machine gpu limit=255\nfunction f kernel\nvalues {values}\nblock b0\n{code}\n")
    }

    /// A parameter, its double, and their sums with a thread's index.
    const SUMS: &str = "v0 = op.uniform
        v1 = op.uniform.uniform_source v0, v0
        v2 = op.divergent
        v3 = op.uniform.uniform_source v0, v2
        v4 = op.uniform.uniform_source v1, v3
        op v4";

    #[test]
    fn what_is_uniform_is_shared() {
        let code = kernel("v0:B32, v1:B32, v2:B32, v3:B32, v4:B32", SUMS);
        let found = locations(&code, &Settings::default(), 5);
        assert_eq!(found, ["UR", "UR", "R", "R", "R"].map(String::from));
    }

    #[test]
    fn predicates_and_pairs_have_their_own_and_the_short_have_none() {
        let code = "v0 = op.uniform
            v1 = op.uniform
            v2 = op.uniform
            op.uniform_source v0
            op.uniform_source v1
            op.uniform_source v2";
        let code = kernel("v0:B1, v1:B64, v2:B16", code);
        let found = locations(&code, &Settings::default(), 3);
        assert_eq!(found, ["UP", "URD", "R"].map(String::from));
    }

    #[test]
    fn it_can_be_left_out_and_needs_a_kernel_and_the_path() {
        let values = "v0:B32, v1:B32, v2:B32, v3:B32, v4:B32";
        let code = kernel(values, SUMS);
        let disabled = Settings {
            disabled: [Pass::Uniform].into(),
            ..Settings::default()
        };
        for (code, settings) in [
            (code.clone(), disabled),
            (code.replace(" kernel", ""), Settings::default()),
            (code.replace(".uniform ", " "), Settings::default()),
        ] {
            let found = locations(&code.replace(".uniform\n", "\n"), &settings, 5);
            assert!(
                !found.iter().any(|location| location.starts_with('U')),
                "{found:?}"
            );
        }
    }

    #[test]
    fn of_two_sources_the_dearer_is_shared() {
        let code = "v0 = op.uniform
            v1 = op.uniform
            v2 = op.uniform_source v0, v1
            v2 = op.uniform_source v1, v2
            op v2";
        let code = kernel("v0:B32, v1:B32, v2:B32", code);
        let found = locations(&code, &Settings::default(), 2);
        assert_eq!(found, ["R", "UR"].map(String::from));
    }

    #[test]
    fn what_a_store_reads_stays_outside_and_its_operand_does_not() {
        let code = "v0 = op.uniform
            v1 = op.uniform.uniform_source v0
            op v1";
        let code = kernel("v0:B32, v1:B32", code);
        let found = locations(&code, &Settings::default(), 2);
        assert_eq!(found, ["UR", "R"].map(String::from));
    }

    #[test]
    fn what_is_loaded_from_one_address_is_moved_there() {
        let load = |address, load, spills| {
            let code = format!(
                "v0 = op.{address}
                v1 = {load} v0
                v2 = op.divergent
                v2 = op.uniform_source v1, v2
                op v2"
            );
            let code = kernel("v0:B32, v1:B32, v2:B32", &code);
            let settings = Settings {
                spills,
                ..Settings::default()
            };
            locations(&code, &settings, 2)
        };
        let in_uniform = ["R", "UR"].map(String::from);
        let in_own = ["R", "R"].map(String::from);
        assert_eq!(load("uniform", "op.uniform_load", Spills::Auto), in_uniform);
        assert_eq!(load("divergent", "op.uniform_load", Spills::Auto), in_own);
        assert_eq!(load("uniform", "op", Spills::Auto), in_own);
        assert_eq!(load("uniform", "op.uniform_load", Spills::Here), in_own);
    }

    #[test]
    fn what_is_only_copied_to_a_thread_stays_outside() {
        let copied = "v0 = op.uniform
            v1 = copy.uniform.uniform_source v0
            v2 = op.divergent
            v1 = op v1, v2
            op v1";
        let code = kernel("v0:B32, v1:B32, v2:B32", copied);
        assert_eq!(locations(&code, &Settings::default(), 1), ["R"]);
        let read = format!("{copied}\nop.uniform_source v0");
        let code = kernel("v0:B32, v1:B32, v2:B32", &read);
        assert_eq!(locations(&code, &Settings::default(), 1), ["UR"]);
    }

    /// Copies in a row do not deepen the stack.
    #[test]
    fn a_row_of_copies_leaves_with_its_last() {
        let count = 100_000;
        let values: Vec<_> = (0..count).map(|n| format!("v{n}:B32")).collect();
        let mut code = "v0 = op.uniform\n".to_owned();
        for number in 1..count {
            code += &format!("v{number} = copy.uniform.uniform_source v{}\n", number - 1);
        }
        code += &format!("op v{}", count - 1);
        let code = kernel(&values.join(", "), &code);
        let (machine, function) = text::parse(&code).unwrap();
        let costs = function.virtual_registers.keys().map(|_| 1.0).collect();
        let uniformity = Uniformity::new(&function);
        assert!(Distribution::is_wanted(&function, &Settings::default()));
        assert!(Distribution::new(&function, &machine, &uniformity, costs, false).is_none());
    }

    /// Nine uniform predicates at once, of which two are in the other file in the end,
    /// and the one that a result of theirs depends on.
    #[test]
    fn what_finds_no_uniform_register_returns_and_is_not_spilled() {
        for select in [Select::Graph, Select::FatPoint] {
            let mut code = String::new();
            for number in 0..9 {
                code += &format!("v{number} = op.uniform\n");
            }
            for number in 0..9 {
                code += &format!("op.uniform_source v{number}\n");
            }
            let values: Vec<_> = (0..9).map(|n| format!("v{n}:B1")).collect();
            let code = kernel(&values.join(", "), &code);
            let settings = Settings {
                select,
                ..Settings::default()
            };
            let found = locations(&code, &settings, 9);
            let shared = found.iter().filter(|&location| location == "UP");
            let own = found.iter().filter(|&location| location == "P");
            assert_eq!((shared.count(), own.count()), (7, 2), "{found:?}");
        }
    }

    /// Far more uniform values than both files have registers: what is spilled has been
    /// taken back first.
    #[test]
    fn spilling_comes_after_returning() {
        for select in [Select::Graph, Select::FatPoint] {
            let count = 120;
            let mut code = String::new();
            for number in 0..count {
                code += &format!("v{number} = op.uniform\n");
            }
            for number in 0..count {
                code += &format!("op.uniform_source v{number}\n");
            }
            let values: Vec<_> = (0..count).map(|n| format!("v{n}:B32")).collect();
            let code = kernel(&values.join(", "), &code).replace("limit=255", "limit=16");
            let settings = Settings {
                select,
                ..Settings::default()
            };
            let found = locations(&code, &settings, count);
            let shared = found.iter().filter(|&location| location == "UR").count();
            let spilled = found.iter().filter(|&location| location == "slot").count();
            assert!(shared > 50, "{found:?}");
            assert!(
                spilled > 40 && spilled <= count as usize - shared,
                "{found:?}"
            );
        }
    }
}
