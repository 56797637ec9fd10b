use super::*;
use crate::function::{
    Block, FunctionBuilder, Instruction, InstructionFlags, InstructionKind, Operand,
};
use crate::machine::{Class, gpu};
use crate::verify::verify;

/// A function under construction, all of whose values are kept in registers and stored
/// and reloaded by hand.
pub(super) struct Code {
    builder: FunctionBuilder,
    edges: Vec<(Block, Block)>,
    allocation: Allocation,
}

impl Code {
    pub(super) fn new() -> Self {
        Self {
            builder: FunctionBuilder::new("f"),
            edges: Vec::new(),
            allocation: Allocation::default(),
        }
    }

    /// Values in registers of their own, each with a slot.
    pub(super) fn values<const N: usize>(&mut self, class: Class) -> [(VirtualRegister, Slot); N] {
        let machine = gpu::machine(gpu::R_SIZE);
        [(); N].map(|()| {
            let value = self.builder.virtual_register(class);
            let register = machine.classes[class].order[value.as_u32() as usize];
            self.allocation.locations[value] = Location::Register(register);
            let size = machine.classes[class].spill_size;
            let slot = self.allocation.slots.push(SlotData {
                size,
                alignment: size,
                outdated: false,
                lanes: 1,
                column: None,
            });
            (value, slot)
        })
    }

    pub(super) fn block(&mut self, successors: &[u32]) {
        self.block_often(1.0, successors);
    }

    /// A block that is executed so often.
    pub(super) fn block_often(&mut self, frequency: f64, successors: &[u32]) {
        let block = self.builder.start_block(frequency, 0, &[]);
        let targets = successors.iter().copied().map(Block::from_u32);
        self.edges.extend(targets.map(|target| (block, target)));
    }

    /// An instruction that defines values, which are stored behind it.
    pub(super) fn define(&mut self, values: &[(VirtualRegister, Slot)]) {
        let operands: Vec<_> = values.iter().map(|one| Operand::write(one.0)).collect();
        let instruction = self.builder.plain(&operands);
        for &(value, slot) in values {
            let kind = EditKind::Store { value, slot };
            self.edit(Position::After(instruction), kind);
        }
    }

    /// An instruction that reads values, which are reloaded in front of it.
    pub(super) fn read(&mut self, values: &[(VirtualRegister, Slot)]) {
        let next = self.builder.function().instructions.len();
        for &(value, slot) in values {
            let at = Position::Before(Instruction::from_u32(next as u32));
            self.edit(at, EditKind::Reload { value, slot });
        }
        let operands: Vec<_> = values.iter().map(|one| Operand::read(one.0)).collect();
        self.builder.plain(&operands);
    }

    pub(super) fn edit(&mut self, at: Position, kind: EditKind) {
        self.allocation.edits.push(Edit { at, kind });
    }

    /// Lays out the slots, and checks the result.
    pub(super) fn laid_out(self, disabled: &[Pass]) -> Allocation {
        self.finished(disabled).1
    }

    /// The same, with the function.
    pub(super) fn finished(mut self, disabled: &[Pass]) -> (Function, Allocation) {
        let terminator = InstructionFlags::TERMINATOR;
        self.builder
            .push(InstructionKind::Plain, terminator, &[], None);
        for (from, to) in self.edges {
            self.builder.edge(from, to);
        }
        let function = self.builder.finish();
        let settings = Settings {
            disabled: disabled.iter().copied().collect(),
            ..Settings::default()
        };
        let machine = gpu::machine(gpu::R_SIZE);
        lay_out(&function, &machine, &settings, &mut self.allocation);
        verify(&function, &machine, &self.allocation).expect("a right allocation");
        (function, self.allocation)
    }
}

/// How many edits each vector stands for.
fn widths(allocation: &Allocation) -> Vec<u32> {
    let vectors = allocation.vectors.iter();
    vectors.map(|one| one.end - one.start).collect()
}

#[test]
fn what_is_accessed_together_becomes_one_instruction() {
    for (class, count, expected) in [
        (gpu::SINGLE32, 2, vec![2, 2]),
        (gpu::SINGLE32, 4, vec![4, 4]),
        // A pair each: two are 16 bytes.
        (gpu::PAIR, 4, vec![2, 2, 2, 2]),
        (gpu::SINGLE32, 3, vec![2, 2]),
        (gpu::SINGLE16, 4, vec![]),
        (gpu::QUAD, 2, vec![]),
    ] {
        let mut code = Code::new();
        let values = code.values::<4>(class);
        code.block(&[]);
        code.define(&values[..count]);
        code.read(&values[..count]);
        let allocation = code.laid_out(&[]);
        assert_eq!(widths(&allocation), expected, "{class} {count}");
        assert_eq!(allocation.edits.len(), 2 * count);
    }
}

#[test]
fn half_of_four_lanes_can_be_accessed_alone() {
    let mut code = Code::new();
    let values = code.values::<4>(gpu::SINGLE32);
    code.block(&[]);
    code.define(&values);
    code.read(&values[2..]);
    code.read(&values[..1]);
    let allocation = code.laid_out(&[]);
    assert_eq!(widths(&allocation), [4, 2]);
}

#[test]
fn an_instruction_between_keeps_accesses_apart() {
    let mut code = Code::new();
    let [one, other] = code.values(gpu::SINGLE32);
    code.block(&[]);
    code.define(&[one]);
    code.define(&[other]);
    code.read(&[one]);
    code.read(&[other]);
    assert!(widths(&code.laid_out(&[])).is_empty());
}

#[test]
fn one_register_for_both_lanes_would_take_a_copy() {
    let mut code = Code::new();
    let [(value, slot), (_, other)] = code.values(gpu::SINGLE32);
    code.block(&[]);
    code.define(&[(value, slot)]);
    let kind = EditKind::Store { value, slot: other };
    code.edit(Position::After(Instruction::from_u32(0)), kind);
    assert!(widths(&code.laid_out(&[])).is_empty());
}

#[test]
fn slots_of_values_that_are_never_needed_together_share_a_place() {
    let slots = |disabled: &[Pass]| {
        let mut code = Code::new();
        let [one, other, both] = code.values(gpu::SINGLE32);
        code.block(&[1]);
        code.define(&[both]);
        code.define(&[one]);
        code.read(&[one]);
        code.block(&[]);
        code.define(&[other]);
        code.read(&[other]);
        code.read(&[both]);
        code.laid_out(disabled).slots
    };
    assert_eq!(slots(&[Pass::ShareSlots]).len(), 3);
    let shared = slots(&[]);
    assert_eq!(shared.len(), 2);
    // A debugger would find another value there.
    let outdated: Vec<_> = shared.values().map(|data| data.outdated).collect();
    assert_eq!(outdated, [true, false]);
}

#[test]
fn nothing_is_shared_where_control_leaves_blocks_in_their_middle() {
    let mut code = Code::new();
    let [one, other] = code.values(gpu::SINGLE32);
    code.block(&[]);
    code.define(&[one]);
    code.read(&[one]);
    code.define(&[other]);
    code.read(&[other]);
    code.block(&[]);
    code.builder.landing();
    assert_eq!(code.laid_out(&[]).slots.len(), 2);
}

#[test]
fn a_value_needed_around_a_loop_keeps_its_place() {
    let mut code = Code::new();
    let [around, inside] = code.values(gpu::SINGLE32);
    code.block(&[1]);
    code.define(&[around]);
    code.block(&[1, 2]);
    code.read(&[around]);
    code.define(&[inside]);
    code.read(&[inside]);
    code.block(&[]);
    assert_eq!(code.laid_out(&[]).slots.len(), 2);
}

#[test]
fn groups_share_as_a_whole() {
    let mut code = Code::new();
    let values = code.values::<4>(gpu::SINGLE32);
    code.block(&[]);
    code.define(&values[..2]);
    code.read(&values[..2]);
    code.define(&values[2..]);
    code.read(&values[2..]);
    let allocation = code.laid_out(&[]);
    assert_eq!(widths(&allocation), [2; 4]);
    let lanes: Vec<_> = allocation.slots.values().map(|data| data.lanes).collect();
    assert_eq!(lanes, [2, 0]);
}

#[test]
fn accesses_to_one_place_stay_in_order() {
    let mut code = Code::new();
    let [one, other, third] = code.values(gpu::SINGLE32);
    code.block(&[]);
    // Nobody reads what is stored first.
    code.define(&[one, other, (third.0, one.1)]);
    code.read(&[(third.0, one.1), other]);
    let allocation = code.laid_out(&[]);
    assert_eq!(widths(&allocation), [2]);
}

/// A reload that nothing needs, into the register of one that is needed, stays before it
/// whatever else its slot is accessed with.
#[test]
fn two_reloads_into_one_register_stay_in_order() {
    let mut code = Code::new();
    let [needless, needed, other] = code.values(gpu::SINGLE32);
    code.allocation.locations[needless.0] = code.allocation.locations[needed.0];
    code.block(&[]);
    code.define(&[needless]);
    code.define(&[needed, other]);
    code.read(&[needed, other]);
    let reads = [needed, other].map(|one| Operand::read(one.0));
    let at = Position::Before(code.builder.plain(&reads));
    for (value, slot) in [other, needless, needed] {
        code.edit(at, EditKind::Reload { value, slot });
    }
    code.laid_out(&[]);
}
