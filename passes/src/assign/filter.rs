//! What is known of a copy before it is tried.
//!
//! ptxas sets a byte of bits for each copy and rejects it by some of them, in an order of
//! its own. Against merging are, in that order: bit 0, an end that is live across a call,
//! and bit 4, a physical register, which the document has for one; bit 7, an end that can
//! have one register only; bit 3, a predicated copy, which no copy of LLVM's is, as only
//! branches have predicates before ptxas makes them of others. Which of these reject is for
//! the settings to say. The others describe: bit 1, that there is a copy, each candidate
//! has; bit 2, a target that a call has to keep, rejects selects alone, which are no copies;
//! bit 5, the web of a PHI, is what a copy to a value with several definitions has, as PHIs
//! are copies by now. PTX's own calls keep every register, but ptxas' do not: what is live
//! across one crosses it on a GPU, too. Constant time a copy. Source: ptxas document,
//! "Coalescing Candidate Filter Bits".

use super::merge::Refusal;
use super::problem::{Copy, End, Problem};
use crate::function::{Function, Operand, OperandRegister, VirtualRegister};
use crate::settings::Filter;
use cranelift_entity::SecondaryMap;
use tracing::trace;

/// How often each value is defined. Linear in operands.
pub struct Webs {
    definitions: SecondaryMap<VirtualRegister, u32>,
}

impl Webs {
    /// Counts.
    pub fn new(function: &Function) -> Self {
        let mut definitions = SecondaryMap::new();
        let operands = function.operands.values();
        for value in operands
            .filter(|operand| operand.is_definition())
            .filter_map(Operand::virtual_register)
        {
            definitions[value] += 1;
        }
        Self { definitions }
    }
}

impl Filter {
    /// The bits of a copy.
    pub fn of(problem: &Problem, webs: &Webs, copy: &Copy) -> Self {
        let mut filter = Self::HAS_COPY | Self::of_end(problem, &copy.to);
        filter |= Self::of_end(problem, &copy.from);
        if let OperandRegister::Virtual(value) = copy.to.register {
            let crosses = problem.restrictions.crosses_call(value);
            filter.set(Self::CALLEE_SAVED, crosses);
            filter.set(Self::PHI_WEB, webs.definitions[value] > 1);
        }
        trace!(copy = %copy.instruction, bits = format_args!("{:#04x}", filter.bits()), "filter");
        filter
    }

    /// The first of these bits, in the document's order, that is against a copy.
    pub fn rejection(self, rejected: Self) -> Option<Refusal> {
        let order = [
            (Self::CROSSES_CALL, Refusal::CrossesCall),
            (Self::PHYSICAL, Refusal::Physical),
            (Self::PINNED, Refusal::Pinned),
            (Self::PREDICATED, Refusal::Predicated),
        ];
        let against = self & rejected;
        let first = order.iter().find(|(bit, _)| against.contains(*bit));
        first.map(|&(_, why)| why)
    }

    fn of_end(problem: &Problem, end: &End) -> Self {
        let OperandRegister::Virtual(value) = end.register else {
            return Self::PHYSICAL;
        };
        let class = problem.function.virtual_registers[value].class;
        let mut filter = Self::empty();
        let crosses = problem.restrictions.crosses_call(value);
        filter.set(Self::CROSSES_CALL, crosses);
        let registers = problem.machine.classes[class].order.len();
        filter.set(Self::PINNED, registers == 1);
        filter
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::live_range::LiveRanges;
    use crate::analysis::liveness::Liveness;
    use crate::assign::merge::Options;
    use crate::assign::problem::Target;
    use crate::fatpoint::coalesce::GroupRanges;
    use crate::function::{Access, FunctionBuilder, InstructionFlags, InstructionKind, Operand};
    use crate::machine::{Class, ClassData, Machine, gpu};
    use fixedbitset::FixedBitSet;

    /// A GPU with a class of one register.
    fn machine() -> (Machine, Class) {
        let mut machine = gpu::machine(8);
        let mut data: ClassData = machine.classes[gpu::SINGLE32].clone();
        data.order.truncate(1);
        let one = machine.classes.push(data);
        (machine, one)
    }

    #[test]
    fn bits_reject_what_they_say() {
        let (mut machine, one) = machine();
        let mut preserved = FixedBitSet::with_capacity(machine.table.registers.len());
        preserved.insert_range(..);
        let mask = machine.clobber_masks.push(preserved);
        let physical = OperandRegister::Physical(machine.classes[gpu::SINGLE32].order[1]);
        let mut builder = FunctionBuilder::new("f");
        let [a, b, c, d] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        let pinned = builder.virtual_register(one);
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.copy(b, a);
        builder.copy(c, b);
        let (kind, flags) = (InstructionKind::Plain, InstructionFlags::CALL);
        builder.push(kind, flags, &[], Some(mask));
        builder.copy(pinned, c);
        let copy = [
            Operand::new(physical, Access::Definition),
            Operand::read(pinned),
        ];
        builder.push(
            InstructionKind::Copy,
            InstructionFlags::empty(),
            &copy,
            None,
        );
        builder.plain(&[Operand::write(d)]);
        let function = builder.finish();

        let target = Target::new(&machine);
        let liveness = Liveness::new(&function, &machine);
        let costs = function.virtual_registers.keys().map(|_| 1.0).collect();
        let ranges = LiveRanges::new(&function, &liveness);
        let mut problem = Problem::new(&function, &target, &liveness, costs);
        let webs = Webs::new(&function);
        let bits: Vec<_> = problem
            .copies
            .iter()
            .map(|copy| Filter::of(&problem, &webs, copy))
            .collect();
        let expected = [
            Filter::empty(),
            Filter::CROSSES_CALL | Filter::CALLEE_SAVED,
            Filter::CROSSES_CALL | Filter::PINNED,
            Filter::PINNED | Filter::PHYSICAL,
        ];
        assert_eq!(bits, expected.map(|bits| bits | Filter::HAS_COPY));

        for (rejected, expected) in [
            (Filter::PHYSICAL, 3),
            (Filter::PINNED, 2),
            (Filter::CROSSES_CALL, 1),
            (Filter::all(), 1),
        ] {
            problem.groups = crate::assign::groups::Groups::new(&function);
            let options = Options {
                rejected,
                ..Options::default()
            };
            let groups = GroupRanges::coalesce(&mut problem, &ranges, &options);
            assert_eq!(groups.report().merged, expected, "{rejected:?}");
        }
    }
    #[test]
    fn the_first_of_the_documents_order_rejects() {
        let all = Filter::all();
        for (bits, why) in [
            (all, Some(Refusal::CrossesCall)),
            (all - Filter::CROSSES_CALL, Some(Refusal::Physical)),
            (Filter::PINNED | Filter::PREDICATED, Some(Refusal::Pinned)),
            (Filter::PREDICATED, Some(Refusal::Predicated)),
            (
                Filter::HAS_COPY | Filter::CALLEE_SAVED | Filter::PHI_WEB,
                None,
            ),
        ] {
            assert_eq!(bits.rejection(all), why);
            assert_eq!(bits.rejection(Filter::empty()), None);
        }
    }

    /// A call that keeps every register, as PTX has them: what it reads or makes itself
    /// does not cross it.
    #[test]
    fn a_call_without_a_mask_is_crossed() {
        let machine = gpu::machine(8);
        let mut builder = FunctionBuilder::new("f");
        let [a, b, c, d] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(a)]);
        builder.copy(b, a);
        let operands = [Operand::write(c), Operand::read(a)];
        builder.push(
            InstructionKind::Plain,
            InstructionFlags::CALL,
            &operands,
            None,
        );
        builder.copy(d, c);
        builder.plain(&[Operand::read(b), Operand::write(d)]);
        let function = builder.finish();
        let target = Target::new(&machine);
        let liveness = Liveness::new(&function, &machine);
        let costs = function.virtual_registers.keys().map(|_| 1.0).collect();
        let problem = Problem::new(&function, &target, &liveness, costs);
        let webs = Webs::new(&function);
        let copies = problem.copies.iter();
        let bits: Vec<_> = copies
            .map(|copy| Filter::of(&problem, &webs, copy))
            .collect();
        let crossing = Filter::CROSSES_CALL | Filter::CALLEE_SAVED;
        let expected = [crossing, Filter::PHI_WEB];
        assert_eq!(bits, expected.map(|bits| bits | Filter::HAS_COPY));
    }
}
