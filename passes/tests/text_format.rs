//! The text format: what is printed, what is read, and what is said about
//! mistakes.

use passes::function::{
    Access, FunctionBuilder, InstructionFlags, InstructionKind, Operand, OperandFlags,
    OperandRegister, Tuple, VirtualRegisterData, text,
};
use passes::machine::{Register, gpu};
use std::fs;
use std::path::Path;

const DATA: [&str; 4] = [
    "calls.warp",
    "dot_product.warp",
    "landing.warp",
    "pressure.warp",
];

fn path(file: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(file)
}

fn read(file: &str) -> String {
    fs::read_to_string(path(file)).unwrap()
}

/// The text without comments.
fn without_comments(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap().trim_end());
    let mut lines: Vec<&str> = lines.collect();
    lines.dedup_by(|a, b| a.is_empty() && b.is_empty());
    lines.join("\n").trim().to_owned() + "\n"
}

#[test]
fn examples_are_in_standard_form() {
    for file in ["calls.warp", "landing.warp", "pressure.warp"] {
        let text = read(file);
        let (machine, function) = text::parse(&text).unwrap();
        assert_eq!(text::print(&machine, &function), without_comments(&text));
    }
}

#[test]
fn examples_read_back_equal() {
    for file in DATA {
        let problem = text::parse(&read(file)).unwrap();
        let again = text::parse(&text::print(&problem.0, &problem.1));
        assert_eq!(again, Ok(problem), "{file}");
    }
}

#[test]
fn every_feature_of_a_function_is_printed() {
    let mut builder = FunctionBuilder::new("odd name");
    builder.kernel(true);
    let r4 = Register::from_u32(4);
    let value = builder.virtual_register(gpu::SINGLE32);
    let short = builder.add_virtual_register(VirtualRegisterData {
        class: gpu::SINGLE32,
        super_class: None,
        spillable: false,
        hints: [r4, Register::from_u32(5)].into_iter().collect(),
    });
    let entry = builder.start_block(1.0, 0, &[r4]);
    let mut early = Operand::write(value);
    early.flags = OperandFlags::EARLY_CLOBBER | OperandFlags::DEAD | OperandFlags::UNDEFINED;
    let mut tied = Operand::read(value);
    tied.tied_to = Some(0);
    let mut implicit = Operand::new(OperandRegister::Physical(r4), Access::Definition);
    implicit.flags = OperandFlags::IMPLICIT;
    let mut undefined = Operand::read(short);
    undefined.flags = OperandFlags::UNDEFINED;
    let instruction = builder.push(
        InstructionKind::Plain,
        InstructionFlags::all(),
        &[early, tied, implicit, undefined],
        None,
    );
    builder.tuple(Tuple {
        instruction,
        places: [Some(0), None, Some(3)].into_iter().collect(),
        alignment: 2,
        accumulator: true,
    });
    builder.push(
        InstructionKind::Copy,
        InstructionFlags::REMATERIALISABLE,
        &[Operand::write(short), Operand::read(value)],
        None,
    );
    let tail = builder.start_block(0.1 + 0.2, 3, &[]);
    let last = builder.start_block(1e300, 0, &[]);
    builder.landing();
    builder.edge(tail, last);
    builder.edge(entry, last);
    builder.edge(entry, tail);
    let mut function = builder.finish();
    function.blocks[tail].first_terminator = 2;
    function.blocks[entry].first_terminator = 1;
    let machine = gpu::machine(40);
    let printed = text::print(&machine, &function);
    insta::assert_snapshot!(printed, @r#"
    machine gpu limit=40

    function "odd name" kernel
    values v0:B32, v1:B32 unspillable hints=$R4+$R5

    block b0 frequency=1.0 depth=0 live_in=$R4 to=b2,b1
      early dead undef v0 = call.terminator.convergent.remat.asm.implicit_def.leaves.label.divergent.uniform.uniform_source.uniform_load.priority.wide_priority.fences.multiplies.loads_tensor.stores_tensor.commits.waits_multiply.waits_load.waits_store.pending_1.pending_2.pending_4.argument.records v0(tied 0), implicit def $R4, undef v1
        tuple 0,_,3 align=2 accumulator
    terminators
      v1 = copy.remat v0
    block b1 frequency=0.30000000000000004 depth=3 to=b2
    block b2 frequency=1e300 depth=0 landing from=b1,b0
    "#);
    assert_eq!(text::parse(&printed), Ok((machine, function)));
}

/// The message about a text.
fn error(text: &str) -> String {
    text::parse(text).unwrap_err().to_string()
}

/// The message about a function for the GPU, whose text starts in line 2.
fn gpu_error(function: &str) -> String {
    error(&format!("machine gpu limit=8\n{function}"))
}

/// The message about the lines of one block, the first of which is line 5.
fn block_error(lines: &str) -> String {
    gpu_error(&format!(
        "function f\nvalues v0:B32, v1:B64, v2:B32\nblock b0\n{lines}"
    ))
}

#[test]
fn mistakes_in_lines() {
    insta::assert_snapshot!(error("# nothing\n"), @"2:1: expected 'machine', found the end of the text");
    insta::assert_snapshot!(error("function f"), @"1:1: expected 'machine', found 'function'");
    insta::assert_snapshot!(error("machine gpu limit=256"), @"1:19: expected a limit of 1 to 255, found '256'");
    insta::assert_snapshot!(error("machine gpu\n"), @"1:12: expected 'limit=', found the end of the line");
    insta::assert_snapshot!(gpu_error("values v0:B32"), @"2:1: expected 'function', found 'values'");
    insta::assert_snapshot!(gpu_error("function f\n  v0 = op"), @"3:3: expected 'values' or 'block', found 'v0'");
    insta::assert_snapshot!(gpu_error("function \"f\n"), @"2:10: this quoted name has no end, or a faulty escape");
    insta::assert_snapshot!(gpu_error("function f ;"), @"2:12: unexpected character ';'");
    insta::assert_snapshot!(gpu_error("function f\nvalues v0:B32, v2:B32"), @"3:16: expected 'v1', found 'v2'");
    insta::assert_snapshot!(gpu_error("function f\nvalues v0:GR65"), @"3:11: unknown class 'GR65'; known: B1, B16, B32, B64, B128, U32, U64, U1, B64L");
    insta::assert_snapshot!(gpu_error("function f\nvalues v0:B32 hints=$R0+$R300"), @"3:25: unknown register $R300; known: $R0, $R1, $R2, $R3, $R4, $R5, $R6, $R7, $R8, $R9, $R10, $R11 and 597 more");
    insta::assert_snapshot!(gpu_error("function f\nvalues v0:B32 spillable"), @"3:15: expected ',' or the end of the line, found 'spillable'");
}

#[test]
fn mistakes_in_blocks() {
    insta::assert_snapshot!(gpu_error("function f"), @"2:1: there are no blocks");
    insta::assert_snapshot!(gpu_error("function f\nblock b0\nblock b0"), @"4:7: block b0 is there already, in line 3");
    insta::assert_snapshot!(gpu_error("function f\nblock b1"), @"3:7: expected 'b0', found 'b1'");
    insta::assert_snapshot!(gpu_error("function f\nblock b0 depth=0 frequency=1"), @"3:18: expected 'frequency=', 'depth=', 'landing', 'clobbers=', 'live_in=', 'from=', 'to=', in this order, or the end of the line, found 'frequency'");
    insta::assert_snapshot!(gpu_error("function f\nblock b0 frequency=-1"), @"3:20: expected a frequency, found '-'");
    insta::assert_snapshot!(gpu_error("function f\nblock b0 frequency=1e999"), @"3:7: its frequency inf is not a finite number of at least 0");
    insta::assert_snapshot!(gpu_error("function f\nblock b0 to=b0,b7"), @"3:16: there is no block b7");
    insta::assert_snapshot!(gpu_error("function f\nblock b0 to=b1,b1\nblock b1"), @"3:16: b1 is there twice among the successors of b0");
    insta::assert_snapshot!(gpu_error("function f\nblock b0 to=b1\nblock b1 from=b1"), @"3:7: the edge from b0 to b1 is not among the predecessors of the second");
    insta::assert_snapshot!(gpu_error("function f\nblock b0\nvalues v0:B32"), @"4:1: 'values' lines come before the first block");
    insta::assert_snapshot!(block_error("terminators\n op\nterminators"), @"7:1: 'terminators' is there twice in b0");
}

#[test]
fn mistakes_in_tuples() {
    let error = |line: &str| block_error(&format!("  v0 = op v0, implicit $R4\n{line}"));
    insta::assert_snapshot!(error("tuple 0,1"), @"6:10: expected 'align=', found the end of the line");
    insta::assert_snapshot!(error("tuple 0,x align=2"), @"6:9: expected an operand's number or '_', found 'x'");
    insta::assert_snapshot!(error("tuple 0,1 align=3"), @"5:3: a tuple's alignment is a power of two up to 256, not 3");
    insta::assert_snapshot!(error("tuple 0,1 align=512"), @"5:3: a tuple's alignment is a power of two up to 256, not 512");
    insta::assert_snapshot!(error("tuple 0,3 align=2"), @"5:3: operand 3 of its tuple is not a whole value");
    insta::assert_snapshot!(error("tuple 0,2 align=2"), @"5:3: operand 2 of its tuple is not a whole value");
    insta::assert_snapshot!(error("tuple 0 align=2"), @"5:3: a tuple has two places or more and names a value");
    insta::assert_snapshot!(error("tuple _,_ align=2"), @"5:3: a tuple has two places or more and names a value");
    insta::assert_snapshot!(error("tuple 0,1 align=2 sum"), @"6:19: expected the end of the line, found 'sum'");
    insta::assert_snapshot!(block_error("tuple 0,1 align=2"), @"5:1: a 'tuple' line follows its instruction");
}

#[test]
fn mistakes_in_instructions() {
    insta::assert_snapshot!(block_error("  v0 = swap v0"), @"5:8: unknown mnemonic 'swap'; known: op, copy, store, reload, again, widen, narrow, move, call, terminator, convergent, remat, asm, implicit_def, leaves, label, divergent, uniform, uniform_source, uniform_load, priority, wide_priority, fences, multiplies, loads_tensor, stores_tensor, commits, waits_multiply, waits_load, waits_store, pending_1, pending_2, pending_4, argument, records");
    insta::assert_snapshot!(block_error("  v0 = call.copy v0"), @"5:13: 'copy' must come first");
    insta::assert_snapshot!(block_error("  v0 = copy v2, v2"), @"5:3: a copy has a definition and a use; found 1 definitions and 2 uses");
    insta::assert_snapshot!(block_error("  copy v0"), @"5:3: a copy has a definition and a use; found 0 definitions and 1 uses");
    insta::assert_snapshot!(block_error("  v0 = op v9"), @"5:11: unknown value 'v9'; declare it: 'values v9:CLASS'");
    insta::assert_snapshot!(block_error("  v0 = op $eax"), @"5:11: unknown register $eax; known: $R0, $R1, $R2, $R3, $R4, $R5, $R6, $R7, $R8, $R9, $R10, $R11 and 597 more");
    insta::assert_snapshot!(block_error("  v0 = op v0 v1"), @"5:14: expected the end of the line, found 'v1'");
    insta::assert_snapshot!(block_error("  v0 = op v0,"), @"5:14: expected a value such as v0 or a register such as $r0, found the end of the line");
    insta::assert_snapshot!(block_error("  v0 = op v0(tied 4)"), @"5:11: tied to operand 4 of 2");
    insta::assert_snapshot!(block_error("  v0 = op v2, v0(tied 1)"), @"5:15: tied to operand 1, which is not a definition");
    insta::assert_snapshot!(block_error("  v0 = op v2(tied 0)"), @"5:11: tied to operand 0, which names another register");
    insta::assert_snapshot!(block_error("  v0(tied 0) = op"), @"5:3: only a use can be tied");
    insta::assert_snapshot!(block_error("  v0 = op v1.3"), @"5:11: $RD0 of class B64 has no part 3");
    insta::assert_snapshot!(block_error("  v0 = op dead v0"), @"5:11: only a definition can be early or dead");
    insta::assert_snapshot!(block_error("  live_through v0 = op v0"), @"5:3: only a use can be live_through");
    insta::assert_snapshot!(block_error("  store v0"), @"5:3: a store or reload needs a slot: '(slot0)'");
    insta::assert_snapshot!(block_error("  v0 = op(slot1)"), @"5:11: only a store or reload has a slot");
    insta::assert_snapshot!(block_error("  call(mask0) v0"), @"5:8: unknown mask 'mask0'; there are 0");
    insta::assert_snapshot!(block_error("  call(v0)"), @"5:8: expected a slot such as 'slot0' or a clobber mask such as 'mask0', found 'v0'");
    insta::assert_snapshot!(error("machine gpu limit=2\nfunction f\nvalues v0:B128\nblock b0\n op v0"), @"5:5: class B128 of v0 has no registers");
}

#[test]
fn mistakes_in_machines() {
    insta::assert_snapshot!(error("machine x86"), @"1:9: expected 'gpu' or the end of the line, found 'x86'");
    insta::assert_snapshot!(error("machine\nregisters $a"), @"2:1: expected 'register', 'class', 'mask', 'file' or 'function', found 'registers'");
    insta::assert_snapshot!(error("machine\nregister $a units=0\nregister $a units=1"), @"3:10: register $a is there twice");
    insta::assert_snapshot!(error("machine\nregister $a units=2-1"), @"2:19: units must be in ascending order");
    insta::assert_snapshot!(error("machine\nregister $a units=0-99999999"), @"2:19: expected a unit below 65536, found 99999999");
    insta::assert_snapshot!(error("machine\nregister $a units=0 parts=1:$b"), @"2:29: unknown register $b; known: $a");
    insta::assert_snapshot!(error("machine\nregister $a units=0 parts=0:$a"), @"2:27: parts are numbered from 1; 0 is the whole register");
    insta::assert_snapshot!(error("machine\nclass A size=4 order=$a"), @"2:16: expected 'alignment=', found 'order'");
    insta::assert_snapshot!(error("machine\nclass A size=4 alignment=4 order=$a"), @"2:34: unknown register $a; known: none");
    insta::assert_snapshot!(error("machine\nclass A size=4 alignment=4 through=B order=none"), @"2:36: unknown class 'B'; known: A");
    insta::assert_snapshot!(error("machine\nclass A size=4 alignment=4 uniform=B order=none"), @"2:36: unknown class 'B'; known: A");
    insta::assert_snapshot!(error("machine\nmask mask0 preserves=none\nregister $a units=0"), @"3:1: 'register' lines come before 'mask' lines");
    insta::assert_snapshot!(error("machine\nmask mask1 preserves=none"), @"2:6: expected 'mask0', found 'mask1'");
    insta::assert_snapshot!(error("machine\nregister $a units=0\nfile R size=1 columns=0,0"), @"3:25: unit 0 is in column 0 as well");
    insta::assert_snapshot!(error("machine\nfile R size=1 columns=7"), @"2:23: unit 7 belongs to no register");
    insta::assert_snapshot!(error("machine\nfile R size=1 columns=none\n"), @"3:1: expected 'function', found the end of the text");
}

/// A GPU whose predicates are not all there is printed with its tables.
#[test]
fn classes_name_their_uniform_counterparts() {
    let mut machine = gpu::machine(8);
    machine.classes[gpu::PREDICATE].order.truncate(2);
    let mut builder = FunctionBuilder::new("f");
    builder.start_block(1.0, 0, &[]);
    let printed = text::print(&machine, &builder.finish());
    let line = "class B1 size=4 alignment=4 through=B32 uniform=U1 order=$P0,$P1\n";
    assert!(printed.contains(line), "{printed}");
    let (read, function) = text::parse(&printed).unwrap();
    assert_eq!(text::print(&read, &function), printed);
    let uniform = machine.classes.values().map(|data| data.uniform);
    assert!(read.classes.values().map(|data| data.uniform).eq(uniform));
}
