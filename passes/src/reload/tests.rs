use super::{move_up, remove_redundant};
use crate::assign::colouring::Colouring;
use crate::function::{
    Block, Function, FunctionBuilder, InstructionFlags, InstructionKind, Operand, OperandFlags,
    Slot, VirtualRegister,
};
use crate::machine::{Machine, gpu};
use crate::spill::rematerialisation::rematerialisations;
use crate::spill::work::{Spilled, Work};

mod crossing;
mod take_back;

/// A value that is spilled, others that are not, and the number of each register.
struct Code {
    builder: FunctionBuilder,
    machine: Machine,
    spilled: VirtualRegister,
}

impl Code {
    fn new() -> Self {
        let mut builder = FunctionBuilder::new("f");
        let spilled = builder.virtual_register(gpu::SINGLE32);
        builder.start_block(1.0, 0, &[]);
        Self {
            builder,
            machine: gpu::machine(8),
            spilled,
        }
    }

    fn value(&mut self) -> VirtualRegister {
        self.builder.virtual_register(gpu::SINGLE32)
    }

    fn write(&mut self, value: VirtualRegister) {
        self.builder.plain(&[Operand::write(value)]);
    }

    fn read(&mut self, value: VirtualRegister) {
        self.builder.plain(&[Operand::read(value)]);
    }

    fn block(&mut self, predecessors: &[u32]) {
        let block = self.builder.start_block(1.0, 0, &[]);
        for &predecessor in predecessors {
            self.builder.edge(Block::from_u32(predecessor), block);
        }
    }

    /// Spills the value, gives registers to all but it, in their order, and takes out what
    /// is redundant; the work function with its registers.
    fn without_redundant(self, registers: &[usize]) -> (Work, Colouring) {
        let machine = self.machine.clone();
        let (mut work, mut colouring) = self.coloured(registers);
        remove_redundant(&mut work, &machine, &mut colouring);
        (work, colouring)
    }

    /// The same, but reloads move up.
    fn early(self, registers: &[usize]) -> Vec<String> {
        let machine = self.machine.clone();
        let (mut work, mut colouring) = self.coloured(registers);
        move_up(&mut work, &machine, &mut colouring);
        lines(&work.function)
    }

    /// Spills the value and gives registers to the others.
    fn coloured(self, registers: &[usize]) -> (Work, Colouring) {
        let function = self.builder.finish();
        let computed = rematerialisations(&function, None);
        let mut work = Work::new(&function, &self.machine, computed, 1.0);
        work.spill(&self.machine, vec![Spilled::everywhere(self.spilled)]);
        let mut colouring = Colouring::new(&work.function);
        let order = &self.machine.classes[gpu::SINGLE32].order;
        let values = work.function.virtual_registers.keys().skip(1);
        assert_eq!(values.len(), registers.len());
        for (value, &register) in values.zip(registers) {
            colouring.set(value, Some(order[register]));
        }
        (work, colouring)
    }

    fn lines(self, registers: &[usize]) -> Vec<String> {
        lines(&self.without_redundant(registers).0.function)
    }
}

/// The instructions with the virtual registers that they name.
fn lines(function: &Function) -> Vec<String> {
    let line = |one| {
        let operands = function.instruction_operands(one).iter();
        let names = operands.filter_map(Operand::virtual_register);
        let names: Vec<_> = names.map(|name| name.to_string()).collect();
        let kind = match function.instructions[one].kind {
            InstructionKind::Rematerialise(_) => "again",
            InstructionKind::Store(_) => "store",
            InstructionKind::Reload(_) => "reload",
            _ => "plain",
        };
        format!("{kind} {}", names.join(" ")).trim().to_owned()
    };
    function.instructions.keys().map(line).collect()
}

/// A definition and two reads, which spilling serves by v1, v2 and v3.
fn read_twice() -> Code {
    let mut code = Code::new();
    let value = code.spilled;
    code.write(value);
    code.read(value);
    code.read(value);
    code
}

#[test]
fn what_is_still_there_is_not_reloaded() {
    let expected = ["plain v1", "store v1", "plain v1", "plain v1"];
    // Into the same register, and read from another one instead.
    assert_eq!(read_twice().lines(&[0, 0, 0]), expected);
    assert_eq!(read_twice().lines(&[0, 1, 2]), expected);
    assert_eq!(read_twice().lines(&[0, 1, 0]), expected);
}

#[test]
fn what_was_overwritten_is_reloaded() {
    let mut code = Code::new();
    let (value, other) = (code.spilled, code.value());
    code.write(value);
    code.write(other);
    code.read(value);
    code.read(value);
    let expected = ["plain v2", "store v2", "plain v1", "reload v3"];
    let rest = ["plain v3", "plain v3"];
    // v1 is other, v2 what is stored; the last read finds what the first one loaded.
    assert_eq!(code.lines(&[0, 0, 1, 2]), [&expected[..], &rest].concat());
}

#[test]
fn what_is_written_again_is_another_value() {
    let mut code = Code::new();
    let value = code.spilled;
    code.write(value);
    code.write(value);
    code.read(value);
    // v1 is stored first; what was stored last is in v2's register.
    let (work, colouring) = code.without_redundant(&[0, 1, 0]);
    let read = work
        .function
        .instructions
        .keys()
        .next_back()
        .expect("a read");
    let name = work.function.instruction_operands(read)[0].virtual_register();
    let name = name.expect("a value");
    let order = &gpu::machine(8).classes[gpu::SINGLE32].order;
    assert_eq!(colouring.register(name), Some(order[1]));
    let kinds = work.function.instructions.values().map(|data| data.kind);
    assert!(
        !kinds
            .into_iter()
            .any(|kind| matches!(kind, InstructionKind::Reload(_)))
    );
}

/// Both sides of a branch write something else, and the value is read behind them.
fn overwritten_on_sides(registers: [usize; 2]) -> Vec<String> {
    let mut code = Code::new();
    let (value, left, right) = (code.spilled, code.value(), code.value());
    code.write(value);
    code.block(&[0]);
    code.write(left);
    code.block(&[0]);
    code.write(right);
    code.block(&[1, 2]);
    code.read(value);
    code.lines(&[registers[0], registers[1], 0, 1])
}

#[test]
fn it_has_to_be_there_on_all_paths() {
    let has_reload = |lines: &[String]| lines.iter().any(|line| line.starts_with("reload"));
    assert!(!has_reload(&overwritten_on_sides([2, 2])));
    assert!(has_reload(&overwritten_on_sides([0, 2])));
    assert!(has_reload(&overwritten_on_sides([2, 0])));
}

#[test]
fn what_each_path_loads_has_one_name_behind_them() {
    let mut code = Code::new();
    let (value, other) = (code.spilled, code.value());
    code.write(value);
    code.write(other);
    for _ in 0..2 {
        code.block(&[0]);
        code.read(value);
    }
    code.block(&[1, 2]);
    code.read(value);
    // v1 is other and takes the register of v2, which is stored; all reloads are into one.
    let lines = code.lines(&[0, 0, 3, 3, 3]);
    let expected = [
        "plain v2",
        "store v2",
        "plain v1",
        "reload v3",
        "plain v3",
        "reload v3",
        "plain v3",
        "plain v3",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn nothing_is_known_behind_calls_and_of_what_is_in_flight() {
    let mut code = read_twice();
    let value = code.spilled;
    let (kind, call) = (InstructionKind::Plain, InstructionFlags::CALL);
    code.builder.push(kind, call, &[], None);
    code.read(value);
    let lines = code.lines(&[0, 0, 0, 0]);
    assert_eq!(lines[4..], ["plain", "reload v4", "plain v4"]);

    let mut code = Code::new();
    let (value, other) = (code.spilled, code.value());
    code.write(value);
    let mut operand = Operand::read(other);
    operand.flags |= OperandFlags::IN_FLIGHT;
    code.builder.plain(&[operand]);
    code.read(value);
    let lines = code.lines(&[0, 0, 1]);
    assert_eq!(lines[3..], ["reload v3", "plain v3"]);
}

#[test]
fn what_is_computed_again_may_be_there_as_well() {
    let mut code = Code::new();
    let value = code.spilled;
    let (kind, again) = (InstructionKind::Plain, InstructionFlags::REMATERIALISABLE);
    let write = [Operand::write(value)];
    code.builder.push(kind, again, &write, None);
    for _ in 0..3 {
        code.read(value);
    }
    let expected = ["plain", "again v1", "plain v1", "plain v1", "plain v1"];
    assert_eq!(code.lines(&[0, 1, 0]), expected);
}

#[test]
fn a_tied_operand_stays_in_its_register() {
    let mut code = Code::new();
    let (value, result) = (code.spilled, code.value());
    code.write(value);
    let mut tied = Operand::read(value);
    tied.tied_to = Some(0);
    code.builder.plain(&[Operand::write(result), tied]);
    let expected = ["plain v2", "store v2", "reload v3", "plain v1 v3"];
    assert_eq!(code.lines(&[1, 0, 1]), expected);
}

/// The value is read behind the first of two others, which an instruction writes together
/// with it, and before the second.
fn read_between() -> Code {
    let mut code = Code::new();
    let (value, first, second) = (code.spilled, code.value(), code.value());
    let writes = [first, second, value].map(Operand::write);
    code.builder.plain(&writes);
    code.read(first);
    code.read(value);
    code.read(second);
    code
}

#[test]
fn a_reload_moves_up_to_the_store_of_its_slot() {
    let expected = [
        "plain v1 v2 v3",
        "store v3",
        "reload v4",
        "plain v1",
        "plain v4",
        "plain v2",
    ];
    assert_eq!(read_between().early(&[0, 1, 2, 2]), expected);
}

#[test]
fn a_reload_moves_into_another_register_that_is_in_use() {
    let moved = [
        "plain v1 v2 v3",
        "store v3",
        "reload v4",
        "plain v1",
        "plain v4",
        "plain v2",
    ];
    let stays = [
        "plain v1 v2 v3",
        "store v3",
        "plain v1",
        "reload v4",
        "plain v4",
        "plain v2",
    ];
    // Register 0 is read before the reload, register 1 behind it.
    assert_eq!(read_between().early(&[0, 1, 2, 0]), moved);
    // Nothing uses register 3, and of those in use none is free.
    assert_eq!(read_between().early(&[0, 1, 0, 0]), stays);
}

/// What stands between a definition and a read of the value, which is reloaded for it.
fn passed(between: impl FnOnce(&mut Code)) -> Vec<String> {
    let mut code = Code::new();
    let value = code.spilled;
    code.write(value);
    between(&mut code);
    code.read(value);
    code.early(&[0, 1])
}

#[test]
fn a_reload_does_not_pass_calls_nor_what_synchronises() {
    let moved = ["plain v1", "store v1", "reload v2", "plain", "plain v2"];
    let stays = ["plain v1", "store v1", "plain", "reload v2", "plain v2"];
    let with = |flags| {
        passed(|code| {
            code.builder.push(InstructionKind::Plain, flags, &[], None);
        })
    };
    assert_eq!(with(InstructionFlags::empty()), moved);
    for flags in [
        InstructionFlags::CALL,
        InstructionFlags::CONVERGENT,
        InstructionFlags::INLINE_ASSEMBLY,
        InstructionFlags::FENCES,
        InstructionFlags::WAITS_LOAD,
        InstructionFlags::LABEL,
    ] {
        assert_eq!(with(flags), stays, "{flags:?}");
    }
}

#[test]
fn a_reload_moves_no_farther_than_its_latency() {
    let lines = passed(|code| {
        for _ in 0..50 {
            code.builder.plain(&[]);
        }
    });
    let at = lines.iter().position(|line| line == "reload v2");
    assert_eq!(at, Some(2 + 50 - 40));
}

#[test]
fn a_reload_stays_behind_the_store_of_another_value_of_its_slot() {
    let mut code = Code::new();
    let value = code.spilled;
    code.write(value);
    code.write(value);
    code.builder.plain(&[]);
    code.read(value);
    let expected = [
        "plain v1",
        "store v1",
        "plain v2",
        "store v2",
        "reload v3",
        "plain",
        "plain v3",
    ];
    assert_eq!(code.early(&[0, 1, 2]), expected);
}

#[test]
fn reloads_of_one_place_move_together() {
    let mut code = Code::new();
    let (value, other) = (code.spilled, code.value());
    code.builder.plain(&[Operand::write(value)]);
    code.builder.plain(&[Operand::write(other)]);
    code.builder.plain(&[]);
    code.builder
        .plain(&[Operand::read(value), Operand::read(other)]);
    let machine = code.machine.clone();
    let function = code.builder.finish();
    let mut work = Work::new(&function, &machine, Default::default(), 1.0);
    let both = [value, other].map(Spilled::everywhere);
    work.spill(&machine, both.to_vec());
    let mut colouring = Colouring::new(&work.function);
    let order = &machine.classes[gpu::SINGLE32].order;
    for (number, value) in work.function.virtual_registers.keys().skip(2).enumerate() {
        colouring.set(value, Some(order[number]));
    }
    move_up(&mut work, &machine, &mut colouring);
    let expected = [
        "plain v2",
        "store v2",
        "plain v3",
        "store v3",
        "reload v4",
        "reload v5",
        "plain",
        "plain v4 v5",
    ];
    assert_eq!(lines(&work.function), expected);
}
