//! Early reloads that leave their blocks.

use super::*;

/// The spilled value is read where two paths meet again. The first block writes it, and an
/// instruction that names nothing follows; `sides` say what each path does.
fn diamond(sides: [&dyn Fn(&mut Code); 2]) -> Code {
    let mut code = Code::new();
    code.write(code.spilled);
    code.builder.plain(&[]);
    for side in sides {
        code.block(&[0]);
        side(&mut code);
    }
    code.block(&[1, 2]);
    code.read(code.spilled);
    code
}

fn nothing(code: &mut Code) {
    code.builder.plain(&[]);
}

/// Before the last instruction of the first block, behind the store.
const MOVED: [&str; 6] = [
    "plain v1",
    "store v1",
    "reload v2",
    "plain",
    "plain",
    "plain",
];

#[test]
fn a_reload_moves_up_to_the_dominator() {
    let lines = diamond([&nothing, &nothing]).early(&[0, 1]);
    assert_eq!(lines, [&MOVED[..], &["plain v2"]].concat());
    let lines = diamond([&|_| (), &nothing]).early(&[0, 1]);
    assert_eq!(lines, [&MOVED[..5], &["plain v2"]].concat());
}

#[test]
fn a_reload_stays_where_a_path_takes_its_register() {
    let side = |code: &mut Code| {
        let other = code.value();
        code.write(other);
        code.read(other);
    };
    // v1 is other, in the register of v3, the reload. It finds another that is in use, if
    // there is one.
    let lines = diamond([&nothing, &side]).early(&[0, 1, 0]);
    assert_eq!(lines[..3], ["plain v2", "store v2", "reload v3"]);
    let stays = ["plain v1", "plain v1", "reload v3", "plain v3"];
    let lines = diamond([&nothing, &side]).early(&[0, 0, 0]);
    assert_eq!(lines[4..], stays);
}

#[test]
fn a_reload_stays_where_a_path_ends_in_what_it_cannot_pass() {
    let stays = |side: &dyn Fn(&mut Code), registers: &[usize]| {
        let lines = diamond([&nothing, side]).early(registers);
        assert_eq!(lines[lines.len() - 2][..6], *"reload", "{lines:?}");
    };
    stays(
        &|code| {
            let call = InstructionFlags::CALL;
            code.builder.push(InstructionKind::Plain, call, &[], None);
        },
        &[0, 1],
    );
    stays(&|code| code.write(code.spilled), &[0, 1, 2]);
    stays(
        &|code| {
            for _ in 0..50 {
                code.builder.plain(&[]);
            }
        },
        &[0, 1],
    );
}

#[test]
fn a_reload_does_not_move_to_where_it_would_run_more_often() {
    let with = |frequency| {
        let mut code = Code::new();
        code.write(code.spilled);
        code.builder.plain(&[]);
        let block = code.builder.start_block(frequency, 0, &[]);
        code.builder.edge(Block::from_u32(0), block);
        code.read(code.spilled);
        code.early(&[0, 1])
    };
    let moved = ["plain v1", "store v1", "reload v2", "plain", "plain v2"];
    let stays = ["plain v1", "store v1", "plain", "reload v2", "plain v2"];
    assert_eq!(with(1.0), moved);
    assert_eq!(with(0.5), stays);
}

#[test]
fn a_reload_stays_in_its_loop() {
    let mut code = Code::new();
    code.write(code.spilled);
    code.builder.plain(&[]);
    code.block(&[0]);
    code.read(code.spilled);
    let block = Block::from_u32(1);
    code.builder.edge(block, block);
    let stays = ["plain v1", "store v1", "plain", "reload v2", "plain v2"];
    assert_eq!(code.early(&[0, 1]), stays);
}

#[test]
fn a_reload_moves_on_from_dominator_to_dominator() {
    let mut code = Code::new();
    code.write(code.spilled);
    for above in 0..3 {
        code.builder.plain(&[]);
        code.block(&[above]);
    }
    code.read(code.spilled);
    let moved = [
        "plain v1",
        "store v1",
        "reload v2",
        "plain",
        "plain",
        "plain",
        "plain v2",
    ];
    assert_eq!(code.early(&[0, 1]), moved);
}

#[test]
fn a_reload_passes_terminators_that_leave_its_register_alone() {
    let with = |read: bool| {
        let mut code = Code::new();
        let other = code.value();
        code.write(code.spilled);
        code.write(other);
        let operands = [Operand::read(other)];
        let flags = InstructionFlags::TERMINATOR;
        let operands = &operands[..usize::from(read)];
        code.builder
            .push(InstructionKind::Plain, flags, operands, None);
        code.block(&[0]);
        code.read(code.spilled);
        // v1 is other, and in the register that v3 is loaded into; v2 is what is stored.
        code.early(&[0, 0, 0])
    };
    let written = ["plain v2", "store v2", "plain v1"];
    let passes = ["reload v3", "plain", "plain v3"];
    assert_eq!(with(false), [&written[..], &passes].concat());
    let stays = ["plain v1", "reload v3", "plain v3"];
    assert_eq!(with(true), [&written[..], &stays].concat());
}

/// Blocks need not stand in the order in which they run: what a block further up reads keeps
/// its register as well.
#[test]
fn a_reload_that_another_block_reads_stays_in_its_register() {
    let lines = |is_read: bool| {
        let mut code = Code::new();
        let (value, other, busy) = (code.spilled, code.value(), code.value());
        code.write(busy);
        code.read(busy);
        code.block(&[]);
        code.write(busy);
        if is_read {
            code.read(value);
        }
        code.read(busy);
        code.block(&[0]);
        code.write(other);
        code.read(other);
        let kind = InstructionKind::Reload(Slot::from_u32(0));
        let flags = InstructionFlags::empty();
        let builder = &mut code.builder;
        builder.push(kind, flags, &[Operand::write(value)], None);
        builder.plain(&[Operand::read(value)]);
        builder.edge(Block::from_u32(2), Block::from_u32(1));
        let function = code.builder.finish();
        let mut work = Work::new(&function, &code.machine, Default::default(), 1.0);
        let mut colouring = Colouring::new(&function);
        let order = &code.machine.classes[gpu::SINGLE32].order;
        for (value, register) in [(value, 0), (other, 0), (busy, 1)] {
            colouring.set(value, Some(order[register]));
        }
        move_up(&mut work, &code.machine, &mut colouring);
        lines(&work.function)
    };
    // Read by its own block alone it moves into the register that is busy elsewhere.
    assert_eq!(
        lines(false)[4..],
        ["reload v0", "plain v1", "plain v1", "plain v0"]
    );
    assert_eq!(
        lines(true)[5..],
        ["plain v1", "plain v1", "reload v0", "plain v0"]
    );
}
