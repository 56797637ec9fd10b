//! The part of the rewriter that gives values the registers of their super-classes.

use super::{Rewriter, rewritten};
use crate::function::{Function, Instruction, VirtualRegister, VirtualRegisterData};
use crate::machine::{Class, Machine};
use crate::spill::pieces::Served;
use crate::spill::work::Work;

/// A value that gets the registers of its super-class, but for some accesses.
pub struct Inflated {
    /// Which.
    pub value: VirtualRegister,
    /// Its super-class.
    pub class: Class,
    /// Its accesses, ascending, and what they name; the first of a block's terminators stands for
    /// all.
    pub accesses: Vec<(Instruction, Named)>,
}

/// What an access to an inflated value names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A register of the super-class.
    Inflated,
    /// One of the value's own class, into which it is moved before: the access only reads.
    Moved,
    /// One of the value's own class, of which nothing matters.
    Undefined,
}

/// Gives values registers of their super-classes, from which they are moved before each
/// constrained access. None of them is spilled.
pub fn inflate(work: &mut Work, machine: &Machine, inflated: &[Inflated]) {
    let prepare = |rewriter: &mut Rewriter, old: &Function| {
        for one in inflated {
            let own = &old.virtual_registers[one.value];
            let data = VirtualRegisterData {
                class: one.class,
                super_class: None,
                ..own.clone()
            };
            let inflated = rewriter.add(one.value, data);
            let mut served = Vec::with_capacity(one.accesses.len());
            for &(instruction, named) in &one.accesses {
                if named == Named::Moved {
                    let access = (one.value, instruction);
                    rewriter.arriving_pieces.insert(access, inflated);
                }
                let register = match named {
                    Named::Inflated => inflated,
                    Named::Moved | Named::Undefined => rewriter.create(one.value, own.class),
                };
                served.push((Served::in_register(instruction), register));
            }
            rewriter.in_pieces[one.value] = served;
        }
    };
    rewritten(work, machine, prepare);
}
