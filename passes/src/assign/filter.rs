//! Which copies are no candidates.
//!
//! ptxas sets a byte of bits for each copy and rejects it by some of them. Of these a
//! copy that LLVM exports can have three; the others say nothing here. Every candidate
//! has bit 1, "has a copy instruction". Bit 2, a target in a callee-saved class, is what
//! crossing a call comes to, as LLVM has no such classes. Bit 3, a predicated source,
//! cannot be: a copy always copies. Bit 5, webs of PHIs, is the rule: PHIs are copies by
//! now. Constant time a copy. Source: ptxas document, "Coalescing Candidate Filter Bits".

use super::problem::{Copy, End, Problem};
use crate::function::OperandRegister;
use crate::settings::Filter;

impl Filter {
    /// The bits of a copy.
    pub fn of(problem: &Problem, copy: &Copy) -> Self {
        Self::of_end(problem, &copy.to) | Self::of_end(problem, &copy.from)
    }

    fn of_end(problem: &Problem, end: &End) -> Self {
        let OperandRegister::Virtual(value) = end.register else {
            return Self::PHYSICAL;
        };
        let class = problem.function.virtual_registers[value].class;
        let mut filter = Self::empty();
        let crosses = !problem.restrictions.crossed(value).is_empty();
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
    use bitvec::vec::BitVec;

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
        let preserved = BitVec::repeat(true, machine.table.registers.len());
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
        let bits: Vec<_> = problem
            .copies
            .iter()
            .map(|copy| Filter::of(&problem, copy))
            .collect();
        let expected = [
            Filter::empty(),
            Filter::CROSSES_CALL,
            Filter::CROSSES_CALL | Filter::PINNED,
            Filter::PINNED | Filter::PHYSICAL,
        ];
        assert_eq!(bits, expected);

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
            assert_eq!(groups.merged(), expected, "{rejected:?}");
        }
    }
}
