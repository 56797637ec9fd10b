//! Reloads that are left out, or stand earlier, than is right.

use crate::case::{Case, is_reload};
use crate::machines::cpu;
use passes::allocation::{Edit, EditKind, Position};
use passes::function::{Block, Instruction, Slot, VirtualRegister};

/// A value that is stored behind its definition and read twice behind other instructions.
struct Read {
    case: Case,
    value: VirtualRegister,
    other: VirtualRegister,
    slot: Slot,
    created: VirtualRegister,
    /// Both of these read the value.
    reads: [Instruction; 2],
}

/// One reload serves both reads; the other value is in a register of its own.
fn read_twice() -> Read {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let (value, slot) = case.spilled(cpu.wide);
    let other = case.value(cpu.wide, cpu.whole[1]);
    let created = case.create(value, cpu.wide, cpu.whole[0]);
    let first = case.plain(&[value], &[]);
    case.rename(first, 0, created);
    case.store(first, created, slot);
    let before = case.plain(&[], &[value]);
    case.reload(before, created, slot);
    case.rename(before, 0, created);
    case.plain(&[other], &[]);
    let after = case.plain(&[], &[value, other]);
    case.rename(after, 0, created);
    case.accept();
    Read {
        case,
        value,
        other,
        slot,
        created,
        reads: [before, after],
    }
}

#[test]
fn left_out_although_the_register_was_overwritten() {
    let cpu = cpu();
    let mut read = read_twice();
    read.case.drop_edits(is_reload);
    // The register holds what was stored.
    read.case.accept();
    read.case.place(read.other, cpu.whole[0]);
    read.case.reject_value(read.reads[1], 0, read.value);
}

#[test]
fn left_out_although_the_slot_was_stored_anew() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let (value, slot) = case.spilled(cpu.wide);
    let [old, new] = [0, 1].map(|number| case.create(value, cpu.wide, cpu.whole[number]));
    for written in [old, new] {
        let definition = case.plain(&[value], &[]);
        case.rename(definition, 0, written);
        case.store(definition, written, slot);
    }
    let read = case.plain(&[], &[value]);
    case.reload(read, old, slot);
    case.rename(read, 0, old);
    case.accept();
    case.drop_edits(is_reload);
    case.reject_value(read, 0, value);
}

#[test]
fn left_out_although_one_path_overwrites_the_register() {
    let cpu = cpu();
    for side in 0..2 {
        let mut case = Case::new(&cpu.machine);
        let entry = Block::from_u32(0);
        let (value, slot) = case.spilled(cpu.wide);
        let others = [2, 3].map(|number| case.value(cpu.wide, cpu.whole[number]));
        let created = case.create(value, cpu.wide, cpu.whole[0]);
        let first = case.plain(&[value], &[]);
        case.rename(first, 0, created);
        case.store(first, created, slot);
        let ends = others.map(|other| {
            let end = case.block(&[entry], &[]);
            case.plain(&[other], &[]);
            end
        });
        case.block(&ends, &[]);
        let last = case.plain(&[], &[value]);
        case.reload(last, created, slot);
        case.rename(last, 0, created);
        case.accept();
        case.drop_edits(is_reload);
        case.accept();
        case.place(others[side], cpu.whole[0]);
        case.reject_value(last, 0, value);
    }
}

#[test]
fn moved_above_the_store_of_its_slot() {
    let mut read = read_twice();
    let definition = Instruction::from_u32(0);
    let value = read.value;
    // Nothing is in the slot yet, and what is stored is what was loaded.
    read.case.drop_edits(is_reload);
    let (at, slot) = (Position::After(definition), read.slot);
    let kind = EditKind::Reload {
        value: read.created,
        slot,
    };
    read.case.allocation.edits.insert(1, Edit { at, kind });
    read.case.reject_value(read.reads[0], 0, value);
}

#[test]
fn moved_over_a_write_of_its_register() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let (value, slot) = case.spilled(cpu.wide);
    let other = case.value(cpu.wide, cpu.whole[1]);
    let stored = case.create(value, cpu.wide, cpu.whole[2]);
    let loaded = case.create(value, cpu.wide, cpu.whole[0]);
    let first = case.plain(&[value], &[]);
    case.rename(first, 0, stored);
    case.store(first, stored, slot);
    let between = case.plain(&[other], &[]);
    let read = case.plain(&[], &[value]);
    case.reload(between, loaded, slot);
    case.rename(read, 0, loaded);
    case.accept();
    case.place(other, cpu.whole[0]);
    case.reject_value(read, 0, value);
}

#[test]
fn moved_over_a_read_of_its_register() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let (value, slot) = case.spilled(cpu.wide);
    let other = case.value(cpu.wide, cpu.whole[1]);
    let stored = case.create(value, cpu.wide, cpu.whole[2]);
    let loaded = case.create(value, cpu.wide, cpu.whole[0]);
    let first = case.plain(&[value, other], &[]);
    case.rename(first, 0, stored);
    case.store(first, stored, slot);
    let between = case.plain(&[], &[other]);
    let read = case.plain(&[], &[value]);
    case.reload(between, loaded, slot);
    case.rename(read, 0, loaded);
    case.accept();
    case.place(other, cpu.whole[0]);
    case.reject_value(between, 0, other);
}

/// The reload stands before the branch, from where it was behind one of its ways.
#[test]
fn moved_to_a_dominator_over_a_way_that_still_reads_the_register() {
    let cpu = cpu();
    let mut case = Case::new(&cpu.machine);
    let entry = Block::from_u32(0);
    let (value, slot) = case.spilled(cpu.wide);
    let other = case.value(cpu.wide, cpu.whole[1]);
    let stored = case.create(value, cpu.wide, cpu.whole[2]);
    let loaded = case.create(value, cpu.wide, cpu.whole[0]);
    let first = case.plain(&[value, other], &[]);
    case.rename(first, 0, stored);
    case.store(first, stored, slot);
    let branch = case.terminator(&[]);
    case.reload(branch, loaded, slot);
    case.block(&[entry], &[]);
    let read = case.plain(&[], &[value]);
    case.rename(read, 0, loaded);
    case.block(&[entry], &[]);
    let last = case.plain(&[], &[other]);
    case.accept();
    case.place(other, cpu.whole[0]);
    case.reject_value(last, 0, other);
}
