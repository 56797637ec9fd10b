//! Rematerialisation: which values can be computed again instead of being reloaded.
//!
//! A value whose only definition reads nothing (a constant, an address, a parameter, a
//! special register) is the same wherever it is computed. On a GPU so is one that a chain
//! of cheap instructions computes of others which are in registers wherever the value
//! itself is live: `pointer + index` where both are needed later as well. Spilled, such a
//! value needs no slot: the instructions are repeated where it would be reloaded, and the
//! definition itself goes if nothing reads its register.
//!
//! Why that is right: no value read may be another one by then. A value with a single
//! definition which it cannot be read before is computed no second time between a
//! definition that reads it and what that definition reaches, as the latter dominates
//! what it reaches; a value with several definitions must have none where what was
//! computed of it is live. The checker takes none of this for granted.
//!
//! Time: for each value the instructions of its chain, and for each source the segments
//! of the value's live range times the logarithm of those of the source's, and of its
//! definitions.
//! Source: Briggs, Cooper and Torczon, "Rematerialization" (1992), without their
//! splitting where paths meet; Punjani, "Register Rematerialization in GCC" (2004), for
//! sources that have to be live; the documents name the pass only.

use crate::analysis::live_range::{LiveRanges, Segment};
use crate::analysis::liveness::Liveness;
use crate::function::{
    Function, Instruction, InstructionFlags, InstructionKind, MOST_SOURCES, Operand, OperandFlags,
    VirtualRegister,
};
use crate::machine::Class;
use crate::machine::Machine;
use crate::settings::{Pass, Settings};
use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// The most instructions of a chain that read something. With fewer, more is stored.
const LONGEST: usize = 6;

/// One instruction of a rematerialisation.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The caller's instruction.
    pub instruction: Instruction,
    /// What it computes there.
    pub value: VirtualRegister,
    /// The class of that.
    pub class: Class,
    /// What it reads, in order: results of earlier steps, or sources of the rematerialisation.
    pub reads: SmallVec<[VirtualRegister; MOST_SOURCES]>,
    /// It can read one of them from a uniform register.
    pub reads_uniform: bool,
}

/// How a value is rematerialised.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rematerialisation {
    /// The instructions in order; the last one computes the value.
    pub steps: SmallVec<[Step; 1]>,
}

impl Rematerialisation {
    /// The instruction that defines the value.
    pub fn definition(&self) -> Instruction {
        self.steps
            .last()
            .expect("a rematerialisation has a step")
            .instruction
    }

    /// Whether a step computes the value.
    pub fn computes(&self, value: VirtualRegister) -> bool {
        self.steps.iter().any(|step| step.value == value)
    }

    /// What has to be in registers.
    pub fn sources(&self) -> impl Iterator<Item = VirtualRegister> {
        let reads = self.steps.iter().flat_map(|step| step.reads.iter());
        reads.copied().filter(|&read| !self.computes(read))
    }

    /// Whether it is computed of something.
    pub fn has_sources(&self) -> bool {
        self.sources().next().is_some()
    }
}

/// The rematerialisation of each value that has one.
pub type Rematerialisations = SecondaryMap<VirtualRegister, Option<Rc<Rematerialisation>>>;

/// How each value can be rematerialised, as far as that is wanted.
pub fn wanted(settings: &Settings, function: &Function, machine: &Machine) -> Rematerialisations {
    if !settings.runs(Pass::Rematerialise) {
        return Rematerialisations::new();
    }
    let with_sources = settings.runs(Pass::RematerialiseChains) && machine.limited_file().is_some();
    let ranges = with_sources.then(|| {
        let liveness = Liveness::new(function, machine);
        LiveRanges::new(function, &liveness)
    });
    let mut found = rematerialisations(function, ranges.as_ref());
    if let Some(most) = settings.knobs.rematerialisation_threshold {
        let is_excluded = |rematerialisation: &Rc<Rematerialisation>| {
            rematerialisation.steps.len() > most as usize
        };
        for rematerialisation in found.values_mut() {
            rematerialisation.take_if(|rematerialisation| is_excluded(rematerialisation));
        }
    }
    found
}

/// Finds the rematerialisations of a function; those with sources by the live ranges.
pub fn rematerialisations(function: &Function, ranges: Option<&LiveRanges>) -> Rematerialisations {
    let mut finder = Finder::new(function, ranges);
    for value in function.virtual_registers.keys() {
        if finder.definition[value].is_some() {
            let mut steps = SmallVec::new();
            if finder.add(&mut vec![value], &mut steps) {
                finder.rematerialisations[value] = Some(Rc::new(Rematerialisation { steps }));
            }
        }
    }
    let mut found = finder.rematerialisations;
    forget_recorded(function, &mut found);
    found
}

/// What an instruction records may be more values than there are registers to compute them in:
/// those that it could have in a slot go there, unless it can load them from where they are. LLVM's
/// spiller computes nothing again for such instructions either.
fn forget_recorded(function: &Function, found: &mut Rematerialisations) {
    for (instruction, data) in &function.instructions {
        if !data.flags.contains(InstructionFlags::RECORDS) {
            continue;
        }
        for operand in function.instruction_operands(instruction) {
            let goes_to_slot = operand.flags.contains(OperandFlags::FOLDABLE)
                && !operand.flags.contains(OperandFlags::LOADABLE);
            if let Some(value) = operand.virtual_register().filter(|_| goes_to_slot) {
                found[value] = None;
            }
        }
    }
}

/// The value that an instruction computes out of nothing, if it does nothing else.
pub fn computed(function: &Function, instruction: Instruction) -> Option<VirtualRegister> {
    let is_alone = function.instruction_operands(instruction).len() == 1;
    repeatable(function, instruction).filter(|_| is_alone)
}

/// The value that an instruction computes of other ones or out of nothing, if it does
/// nothing else: it could stand wherever these values are.
pub fn repeatable(function: &Function, instruction: Instruction) -> Option<VirtualRegister> {
    const OBSTACLES: InstructionFlags = InstructionFlags::CALL
        .union(InstructionFlags::TERMINATOR)
        .union(InstructionFlags::CONVERGENT)
        .union(InstructionFlags::INLINE_ASSEMBLY)
        .union(InstructionFlags::LEAVES)
        .union(InstructionFlags::LABEL);
    let data = &function.instructions[instruction];
    let [first, sources @ ..] = function.instruction_operands(instruction) else {
        return None;
    };
    let value = first.virtual_register()?;
    let suits = data.flags.contains(InstructionFlags::REMATERIALISABLE)
        && data.kind == InstructionKind::Plain
        && !data.flags.intersects(OBSTACLES)
        && data.clobbers.is_none()
        && first.is_definition()
        && !first.reads()
        && !first.is_early_clobber()
        && sources.len() <= MOST_SOURCES;
    let is_source = |operand: &Operand| {
        !operand.is_definition()
            && operand.reads()
            && operand.tied_to.is_none()
            && operand.sub_register.is_whole()
            && !operand.flags.contains(OperandFlags::CONSTRAINED)
            && operand.virtual_register().is_some_and(|one| one != value)
    };
    (suits && sources.iter().all(is_source)).then_some(value)
}

struct Finder<'a> {
    function: &'a Function,
    ranges: Option<&'a LiveRanges<'a>>,
    /// How many instructions define each value.
    definitions: SecondaryMap<VirtualRegister, u32>,
    /// The definition of each value that could be repeated.
    definition: SecondaryMap<VirtualRegister, Option<Instruction>>,
    /// What is in flight somewhere, and can then not be read.
    in_flight: SecondaryMap<VirtualRegister, bool>,
    rematerialisations: Rematerialisations,
}

impl<'a> Finder<'a> {
    fn new(function: &'a Function, ranges: Option<&'a LiveRanges>) -> Self {
        let mut finder = Self {
            function,
            ranges,
            definitions: SecondaryMap::new(),
            definition: SecondaryMap::new(),
            in_flight: SecondaryMap::new(),
            rematerialisations: Rematerialisations::new(),
        };
        for operand in function.operands.values() {
            if let Some(value) = operand.virtual_register() {
                finder.definitions[value] += u32::from(operand.is_definition());
                if operand.flags.contains(OperandFlags::IN_FLIGHT) {
                    finder.in_flight[value] = true;
                }
            }
        }
        for instruction in function.instructions.keys() {
            if let Some(value) = repeatable(function, instruction)
                && finder.definitions[value] == 1
                && finder.is_wanted(instruction, value)
            {
                finder.definition[value] = Some(instruction);
            }
        }
        finder
    }

    /// What reads something is repeated if that is cheap, which the instructions of a
    /// GPU's uniform data path are, and if the value is always defined before it is read.
    fn is_wanted(&self, instruction: Instruction, value: VirtualRegister) -> bool {
        let flags = self.function.instructions[instruction].flags;
        self.function.instruction_operands(instruction).len() == 1
            || flags.contains(InstructionFlags::UNIFORM_PATH) && self.is_strict(value)
    }

    /// Whether a value is defined on every path to what reads it.
    fn is_strict(&self, value: VirtualRegister) -> bool {
        let first = self.ranges.map(|ranges| ranges.segments(value).first());
        first.is_some_and(|first| first.is_none_or(|segment| segment.start.index() > 0))
    }

    /// Adds the steps that compute the last value of a path, which began with the one
    /// that has the rematerialisation.
    fn add(&self, path: &mut Vec<VirtualRegister>, steps: &mut SmallVec<[Step; 1]>) -> bool {
        let value = path[path.len() - 1];
        let Some(instruction) = self.definition[value] else {
            return false;
        };
        let operands = self.function.instruction_operands(instruction);
        let reads = operands.iter().skip(1);
        let reads: SmallVec<_> = reads.filter_map(|one| one.virtual_register()).collect();
        if !reads.is_empty() && path.len() > LONGEST {
            return false;
        }
        for &read in &reads {
            let is_free = self.is_constant(read);
            if steps.iter().any(|step| step.value == read) || !is_free && self.is_source(path, read)
            {
                continue;
            }
            path.push(read);
            let found = self.add(path, steps);
            path.pop();
            if !found {
                return false;
            }
        }
        let flags = self.function.instructions[instruction].flags;
        steps.push(Step {
            instruction,
            value,
            class: self.function.virtual_registers[value].class,
            reads,
            reads_uniform: flags.contains(InstructionFlags::UNIFORM_SOURCE),
        });
        steps.iter().filter(|step| !step.reads.is_empty()).count() <= LONGEST
    }

    /// Whether a value is computed out of nothing.
    fn is_constant(&self, value: VirtualRegister) -> bool {
        let definition = self.definition[value];
        definition.is_some_and(|one| computed(self.function, one).is_some())
    }

    /// Whether a value is in a register wherever the first one of the path is live, and
    /// the same as when the last one was computed of it.
    fn is_source(&self, path: &[VirtualRegister], source: VirtualRegister) -> bool {
        let Some(ranges) = self.ranges else {
            return false;
        };
        let own = ranges.segments(source);
        let is_live = |segment: &Segment| {
            let at = own.partition_point(|one| one.end <= segment.start);
            let one = own.get(at);
            one.is_some_and(|one| one.start <= segment.start && segment.end <= one.end)
        };
        let definitions = ranges.definitions(source);
        let is_once = definitions.len() == 1;
        let is_written_in = |segment: &Segment| {
            let at = definitions.partition_point(|one| one.point < segment.start);
            definitions
                .get(at)
                .is_some_and(|one| one.point <= segment.end)
        };
        let is_in_the_way =
            |value: &VirtualRegister| ranges.segments(*value).iter().any(is_written_in);
        self.is_strict(source)
            && !self.in_flight[source]
            && ranges.segments(path[0]).iter().all(is_live)
            && (is_once || !path.iter().any(is_in_the_way))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::liveness::Liveness;
    use crate::function::FunctionBuilder;
    use crate::machine::gpu;

    const CONSTANT: InstructionFlags = InstructionFlags::REMATERIALISABLE;
    const CHEAP: InstructionFlags = CONSTANT.union(InstructionFlags::UNIFORM_PATH);

    fn values<const N: usize>(builder: &mut FunctionBuilder) -> [VirtualRegister; N] {
        std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32))
    }

    /// Appends an instruction that computes the first value of the others.
    fn compute(
        builder: &mut FunctionBuilder,
        flags: InstructionFlags,
        value: VirtualRegister,
        sources: &[VirtualRegister],
    ) -> Instruction {
        let sources = sources.iter().map(|&source| Operand::read(source));
        let operands: Vec<_> = [Operand::write(value)].into_iter().chain(sources).collect();
        builder.push(InstructionKind::Plain, flags, &operands, None)
    }

    fn read(builder: &mut FunctionBuilder, values: &[VirtualRegister]) {
        let operands: Vec<_> = values.iter().map(|&value| Operand::read(value)).collect();
        builder.plain(&operands);
    }

    /// The steps by which each of these values is computed.
    fn steps(builder: FunctionBuilder, values: &[VirtualRegister]) -> Vec<Vec<Instruction>> {
        let function = builder.finish();
        let liveness = Liveness::new(&function, &gpu::machine(16));
        let ranges = LiveRanges::new(&function, &liveness);
        let rematerialisations = rematerialisations(&function, Some(&ranges));
        let steps = values
            .iter()
            .map(|&value| match &rematerialisations[value] {
                Some(rematerialisation) => rematerialisation
                    .steps
                    .iter()
                    .map(|step| step.instruction)
                    .collect(),
                None => Vec::new(),
            });
        steps.collect()
    }

    #[test]
    fn only_what_reads_nothing_and_is_defined_once_has_a_rematerialisation() {
        let mut builder = FunctionBuilder::new("f");
        let [once, twice, derived, plain, convergent] = values(&mut builder);
        builder.start_block(1.0, 0, &[]);
        let first = compute(&mut builder, CONSTANT, once, &[]);
        compute(&mut builder, CONSTANT, twice, &[]);
        compute(&mut builder, CONSTANT, twice, &[]);
        compute(&mut builder, CONSTANT, derived, &[once]);
        compute(&mut builder, InstructionFlags::empty(), plain, &[]);
        let flags = CONSTANT | InstructionFlags::CONVERGENT;
        compute(&mut builder, flags, convergent, &[]);
        let all = [once, twice, derived, plain, convergent];
        assert_eq!(
            steps(builder, &all),
            [vec![first], vec![], vec![], vec![], vec![]]
        );
    }

    #[test]
    fn what_is_recorded_and_could_be_in_a_slot_has_none() {
        let has = |record, flags| {
            let mut builder = FunctionBuilder::new("f");
            let [value] = values(&mut builder);
            builder.start_block(1.0, 0, &[]);
            compute(&mut builder, CONSTANT, value, &[]);
            let read = Operand {
                flags,
                ..Operand::read(value)
            };
            builder.push(InstructionKind::Plain, record, &[read], None);
            !steps(builder, &[value])[0].is_empty()
        };
        let (records, none) = (InstructionFlags::RECORDS, InstructionFlags::empty());
        assert!(!has(records, OperandFlags::FOLDABLE));
        assert!(has(none, OperandFlags::FOLDABLE));
        assert!(has(
            records,
            OperandFlags::FOLDABLE | OperandFlags::LOADABLE
        ));
        assert!(has(records, OperandFlags::empty()));
    }

    #[test]
    fn sources_have_to_be_live_as_long_as_the_value() {
        let mut builder = FunctionBuilder::new("f");
        let [long, short, kept, lost, chained] = values(&mut builder);
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(long), Operand::write(short)]);
        let of_kept = compute(&mut builder, CHEAP, kept, &[long]);
        compute(&mut builder, CHEAP, lost, &[long, short]);
        let of_chained = compute(&mut builder, CHEAP, chained, &[long, kept]);
        read(&mut builder, &[chained]);
        read(&mut builder, &[kept, lost]);
        read(&mut builder, &[long]);
        assert_eq!(
            steps(builder, &[kept, lost, chained]),
            [vec![of_kept], vec![], vec![of_chained]]
        );
    }

    #[test]
    fn what_is_not_live_any_more_is_a_step() {
        let mut builder = FunctionBuilder::new("f");
        let [source, constant, between, last] = values(&mut builder);
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(source)]);
        let first = compute(&mut builder, CONSTANT, constant, &[]);
        let second = compute(&mut builder, CHEAP, between, &[source, constant]);
        let third = compute(&mut builder, CHEAP, last, &[between, source]);
        read(&mut builder, &[last]);
        // A constant is computed although it is there.
        read(&mut builder, &[constant, source]);
        assert_eq!(steps(builder, &[last]), [[first, second, third]]);
    }

    /// A source that is written again, at different places: before the value is computed
    /// anew of it, or of a step that was computed of it.
    fn written_again(behind: usize) -> bool {
        let mut builder = FunctionBuilder::new("f");
        let [source, step, value] = values(&mut builder);
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(source)]);
        let again = |builder: &mut FunctionBuilder, at: usize| {
            if at == behind {
                builder.plain(&[Operand::write(source), Operand::read(source)]);
            }
        };
        again(&mut builder, 0);
        compute(&mut builder, CHEAP, step, &[source]);
        again(&mut builder, 1);
        compute(&mut builder, CHEAP, value, &[step]);
        again(&mut builder, 2);
        read(&mut builder, &[value]);
        again(&mut builder, 3);
        read(&mut builder, &[source]);
        !steps(builder, &[value])[0].is_empty()
    }

    #[test]
    fn a_source_may_not_be_written_while_what_is_computed_of_it_is_live() {
        assert_eq!([0, 1, 2, 3].map(written_again), [true, false, false, true]);
    }

    #[test]
    fn what_may_be_read_before_it_is_defined_has_no_rematerialisation() {
        for is_defined in [true, false] {
            let mut builder = FunctionBuilder::new("f");
            let [source, value] = values(&mut builder);
            let entry = builder.start_block(1.0, 0, &[]);
            builder.plain(&[Operand::write(source)]);
            let side = builder.start_block(1.0, 0, &[]);
            compute(&mut builder, CHEAP, value, &[source]);
            let exit = builder.start_block(1.0, 0, &[]);
            read(&mut builder, &[value, source]);
            builder.edge(entry, side);
            builder.edge(side, exit);
            if !is_defined {
                builder.edge(entry, exit);
            }
            assert_eq!(steps(builder, &[value])[0].is_empty(), !is_defined);
        }
    }

    #[test]
    fn long_chains_are_not_repeated() {
        for (length, expected) in [(LONGEST, LONGEST), (LONGEST + 1, 0)] {
            let mut builder = FunctionBuilder::new("f");
            let [source, mut last] = values(&mut builder);
            builder.start_block(1.0, 0, &[]);
            builder.plain(&[Operand::write(source)]);
            compute(&mut builder, CHEAP, last, &[source]);
            for _ in 1..length {
                let [next] = values(&mut builder);
                compute(&mut builder, CHEAP, next, &[last]);
                last = next;
            }
            read(&mut builder, &[last]);
            read(&mut builder, &[source]);
            assert_eq!(steps(builder, &[last])[0].len(), expected);
        }
    }
}
