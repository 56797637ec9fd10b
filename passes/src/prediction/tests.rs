use super::expansion::Expansion;
use super::*;
use crate::function::examples::{definitions_first, live_across};
use crate::function::{
    FunctionBuilder, InstructionFlags, InstructionKind, Operand, VirtualRegister,
};
use crate::machine::gpu;

/// A function that defines values and then reads all of them at once, the instruction
/// that reads them, and what ptxas is predicted to report for it.
fn predicted(values: usize, expansion: Option<Expansion>) -> u32 {
    let mut builder = FunctionBuilder::new("f");
    builder.start_block(1.0, 0, &[]);
    let values: Vec<VirtualRegister> = (0..values)
        .map(|_| builder.virtual_register(gpu::SINGLE32))
        .collect();
    for &value in &values {
        builder.plain(&[Operand::write(value)]);
    }
    let reads: Vec<Operand> = values.iter().map(|&value| Operand::read(value)).collect();
    let reader = builder.plain(&reads);
    let mut expansions = Expansions::new();
    expansions[reader] = expansion;
    let machine = gpu::machine(gpu::R_SIZE);
    let found = expected(&builder.finish(), &machine, None, &expansions, None, true);
    found.expect("a GPU").registers
}

#[test]
fn nothing_lives_in_an_empty_kernel() {
    assert_eq!(predicted(0, None), PARAMETERS.empty);
}

#[test]
fn what_lives_at_once_and_the_reserve() {
    assert_eq!(predicted(10, None), 10 + PARAMETERS.reserve);
}

#[test]
fn an_expansion_adds_its_registers_where_it_is() {
    let more = temporaries(Expansion::Shuffle);
    assert!(more > 0);
    let with = predicted(10, Some(Expansion::Shuffle));
    assert_eq!(with, 10 + more + PARAMETERS.reserve);
}

#[test]
fn more_than_cost_no_warp_are_avoided() {
    let Parameters {
        enough,
        all_warps,
        reserve,
        ..
    } = PARAMETERS;
    let at = |needed: u32| predicted((needed - reserve) as usize, None);
    assert_eq!(at(enough), enough);
    assert_eq!(at(all_warps + 2), all_warps);
    let much = at(all_warps + 40);
    assert!(all_warps < much && much < all_warps + 40);
    assert!(predicted(250, Some(Expansion::DivisionLong)) <= gpu::R_SIZE);
}

#[test]
fn there_are_only_so_many() {
    let mut builder = FunctionBuilder::new("f");
    builder.start_block(1.0, 0, &[]);
    let value = builder.virtual_register(gpu::SINGLE32);
    builder.plain(&[Operand::write(value)]);
    let function = builder.finish();
    let limited = gpu::machine(3);
    let found = expected(&function, &limited, None, &Expansions::new(), None, true);
    assert_eq!(found.map(|one| one.registers), Some(3));
}

#[test]
fn a_callee_is_unknown() {
    let mut builder = FunctionBuilder::new("f");
    builder.start_block(1.0, 0, &[]);
    let value = builder.virtual_register(gpu::SINGLE32);
    builder.plain(&[Operand::write(value)]);
    let (kind, operands) = (InstructionKind::Plain, [Operand::read(value)]);
    builder.push(kind, InstructionFlags::CALL, &operands, None);
    let machine = gpu::machine(gpu::R_SIZE);
    let found = expected(
        &builder.finish(),
        &machine,
        None,
        &Expansions::new(),
        None,
        true,
    );
    assert_eq!(found.map(|one| one.registers), Some(PARAMETERS.callee));
}

#[test]
fn what_lives_across_a_call_needs_registers_that_survive_it() {
    let live = 60;
    let mut function = live_across(live, 1);
    let found = |function: &Function, keeps_convention| {
        let machine = gpu::machine(gpu::R_SIZE);
        let expansions = Expansions::new();
        expected(
            function,
            &machine,
            None,
            &expansions,
            None,
            keeps_convention,
        )
        .expect("a GPU")
    };
    assert_eq!(found(&function, true), found(&function, false));
    let call = Instruction::from_u32(live);
    function.instructions[call].flags |= InstructionFlags::CALL;
    let (with, without) = (found(&function, true), found(&function, false));
    assert_eq!((with.registers, with.saved), (127, live));
    assert_eq!((without.registers, without.saved), (PARAMETERS.callee, 0));
}

#[test]
fn the_order_stays_where_registers_are_free() {
    let found = |count, asked| {
        let machine = gpu::machine(gpu::R_SIZE);
        let (expansions, any) = (Expansions::new(), Dependences::default());
        let function = definitions_first(count);
        let found = expected(&function, &machine, Some(&any), &expansions, asked, true);
        found.expect("a GPU").registers
    };
    // In another order one register would do.
    assert_eq!(found(10, None), 10 + PARAMETERS.reserve);
    assert_eq!(found(60, None), PARAMETERS.all_warps);
    assert_eq!(found(60, Some(255)), 60 + PARAMETERS.reserve);
    assert_eq!(found(60, Some(40)), 40);
    assert_eq!(found(60, Some(24)), PARAMETERS.all_warps);
}

#[test]
fn only_who_asks_for_blocks_has_loops_unrolled() {
    let wanted = Wanted {
        in_order: 20,
        unrolled: 70,
    };
    assert_eq!(taken(wanted, None), 20 + PARAMETERS.reserve);
    assert_eq!(taken(wanted, Some(255)), 70 + PARAMETERS.reserve);
    assert_eq!(taken(wanted, Some(64)), 64);
}

#[test]
fn a_load_may_read_a_folded_pair() {
    let mut builder = FunctionBuilder::new("f");
    let base = builder.virtual_register(gpu::PAIR);
    let value = builder.virtual_register(gpu::SINGLE32);
    builder.start_block(1.0, 0, &[]);
    let kind = InstructionKind::Plain;
    builder.push(
        kind,
        InstructionFlags::UNIFORM_PATH,
        &[Operand::write(base)],
        None,
    );
    let load = builder.plain(&[Operand::write(value), Operand::read(base)]);
    let function = builder.finish();
    let mut expansions = Expansions::new();
    let folding = Folding::new(&function);
    for expansion in [None, Some(Expansion::Load)] {
        expansions[load] = expansion;
        assert_eq!(extra(&folding, &expansions, load), PARAMETERS.folded_pair);
    }
}
