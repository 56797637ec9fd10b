//! The code as it will be once the edits are made, as a function of its own.
//! Linear.

use crate::allocation::{Allocation, EditKind, Position};
use crate::function::{
    Function, FunctionBuilder, InstructionFlags, InstructionKind, Operand, OperandIndex,
    VirtualRegisterData,
};
use cranelift_entity::PrimaryMap;
use smallvec::SmallVec;

/// The operands after renaming.
pub(super) fn renamed(
    function: &Function,
    allocation: &Allocation,
) -> PrimaryMap<OperandIndex, Operand> {
    let mut operands = function.operands.clone();
    for edit in &allocation.edits {
        if let Some((operand, register)) = edit.kind.naming() {
            operands[operand].register = register;
        }
    }
    operands
}

/// The function with these operands and all spill code. Deleted copies stay: they
/// say that their ends may share a register.
pub(super) fn finished(
    function: &Function,
    allocation: &Allocation,
    operands: &PrimaryMap<OperandIndex, Operand>,
) -> Function {
    let mut builder = FunctionBuilder::new(function.name.clone());
    for data in function.virtual_registers.values() {
        builder.add_virtual_register(data.clone());
    }
    for created in &allocation.created {
        builder.add_virtual_register(VirtualRegisterData {
            class: created.class,
            super_class: None,
            spillable: false,
            hints: SmallVec::new(),
        });
    }
    let mut edits = allocation.edits.iter().peekable();
    let mut insert = |builder: &mut FunctionBuilder, at: Position| {
        while let Some(edit) = edits.next_if(|edit| edit.at == at) {
            if let Some((kind, operands)) = code(edit.kind) {
                builder.push(kind, InstructionFlags::empty(), &operands, None);
            }
        }
    };
    for (block, data) in &function.blocks {
        builder.start_block(data.frequency, data.loop_depth, &data.live_in);
        if data.landing {
            builder.landing();
        }
        builder.clobber_on_entry(data.clobbers);
        for instruction in function.block_instructions(block) {
            insert(&mut builder, Position::Before(instruction));
            let data = &function.instructions[instruction];
            let range = data.operands.start as usize..data.operands.end as usize;
            let operands = &operands.as_values_slice()[range];
            builder.push(data.kind, data.flags, operands, data.clobbers);
            insert(&mut builder, Position::After(instruction));
        }
    }
    for (block, data) in &function.blocks {
        for &successor in &data.successors {
            builder.edge(block, successor);
        }
    }
    builder.finish()
}

/// What an edit inserts.
fn code(kind: EditKind) -> Option<(InstructionKind, SmallVec<[Operand; 2]>)> {
    let (write, read) = (Operand::write, Operand::read);
    Some(match kind {
        EditKind::Store { value, slot } => (
            InstructionKind::Store(slot),
            [read(value)].into_iter().collect(),
        ),
        EditKind::Reload { value, slot } => (
            InstructionKind::Reload(slot),
            [write(value)].into_iter().collect(),
        ),
        EditKind::Rematerialise {
            value,
            from,
            sources,
        } => (
            InstructionKind::Rematerialise(from),
            [write(value)]
                .into_iter()
                .chain(sources.iter().map(read))
                .collect(),
        ),
        EditKind::Widen { to, from } => (
            InstructionKind::Widen,
            [write(to), read(from)].into_iter().collect(),
        ),
        EditKind::Narrow { to, from } => (
            InstructionKind::Narrow,
            [write(to), read(from)].into_iter().collect(),
        ),
        EditKind::Move { to, from } => (
            InstructionKind::Move,
            [write(to), read(from)].into_iter().collect(),
        ),
        EditKind::Rename { .. }
        | EditKind::Fold { .. }
        | EditKind::FoldLoad { .. }
        | EditKind::DeleteCopy
        | EditKind::DeleteDefinition => return None,
    })
}
