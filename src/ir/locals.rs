//! Local memory of a function: what is on its stack, and who accesses it how.

use super::unit::instructions_of;
use super::value::Value;
use inkwell::llvm_sys::LLVMOpcode::*;
use inkwell::values::FunctionValue;
use std::collections::BTreeSet;

/// How an instruction uses an address that is derived from a stack variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Loads from there, or stores there.
    Access,
    /// Copies or fills memory, by an intrinsic.
    Copy,
    /// A call gets the address.
    Argument,
    /// Anything else: the address escapes, or the access is volatile or atomic.
    Other,
}

/// A use of an address that is derived from a stack variable.
#[derive(Clone, Debug)]
pub struct Use {
    /// What uses it.
    pub instruction: Value,
    /// How.
    pub kind: Kind,
    /// The address there.
    pub address: Value,
    /// What the address depends on beside the variable: indices that are not constants,
    /// and choices between addresses.
    pub depends_on: Vec<Value>,
}

impl Use {
    /// Whether it fills memory with one byte.
    pub fn is_fill(&self) -> bool {
        self.instruction.calls("llvm.memset.")
    }

    /// Where the address is stored, if that is what is done with it.
    pub fn stored_at(&self) -> Option<Value> {
        let user = self.instruction;
        (user.is(LLVMStore) && user.operand(0) == self.address).then(|| user.operand(1))
    }

    /// Which arguments of a call the address is.
    pub fn argument_numbers(&self) -> impl Iterator<Item = usize> {
        let arguments = self.instruction.arguments().enumerate();
        arguments
            .filter(|(_, argument)| *argument == self.address)
            .map(|(number, _)| number)
    }
}

/// A stack variable.
pub struct Local {
    /// Its `alloca`.
    pub alloca: Value,
    /// All that is done with its address.
    pub uses: Vec<Use>,
}

impl Local {
    /// Whether all uses are of a kind that leaves it to the function alone.
    pub fn is_private(&self) -> bool {
        let private = |one: &Use| matches!(one.kind, Kind::Access | Kind::Copy);
        self.uses.iter().all(private)
    }
}

/// The stack variables of a function, in the order of its entry block.
pub fn locals(function: FunctionValue) -> Vec<Local> {
    let Some(entry) = function.get_first_basic_block() else {
        return Vec::new();
    };
    instructions_of(entry)
        .filter(|value| value.is(LLVMAlloca))
        .map(|alloca| Local {
            alloca,
            uses: uses(alloca),
        })
        .collect()
}

/// Follows an address through all that is computed from it.
///
/// An address that is reached on two ways is followed on the first; what the second adds
/// are the choices between them, which the first names as well.
pub fn uses(base: Value) -> Vec<Use> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::from([base.as_ref()]);
    let mut work = vec![(base, Vec::new())];
    while let Some((address, depends_on)) = work.pop() {
        for user in address.users() {
            match user.opcode() {
                Some(LLVMGetElementPtr) if user.operand(0) == address => {
                    let indices = user.operands().skip(1).filter(|one| !one.is_constant());
                    let all = depends_on.iter().copied().chain(indices).collect();
                    if seen.insert(user.as_ref()) {
                        work.push((user, all));
                    }
                }
                Some(LLVMPHI | LLVMSelect) => {
                    let all = depends_on.iter().copied().chain([user]).collect();
                    if seen.insert(user.as_ref()) {
                        work.push((user, all));
                    }
                }
                Some(LLVMAddrSpaceCast | LLVMBitCast) => {
                    if seen.insert(user.as_ref()) {
                        work.push((user, depends_on.clone()));
                    }
                }
                _ => found.extend(kind(user, address).map(|kind| Use {
                    instruction: user,
                    kind,
                    address,
                    depends_on: depends_on.clone(),
                })),
            }
        }
    }
    found
}

/// How `user` uses `address`; `None` if that says nothing.
fn kind(user: Value, address: Value) -> Option<Kind> {
    let quiet = || !user.is_volatile_or_atomic();
    let kind = match user.opcode() {
        Some(LLVMLoad) if quiet() => Kind::Access,
        Some(LLVMStore) if quiet() && user.operand(0) != address => Kind::Access,
        Some(LLVMCall) => match user.callee() {
            Some(callee) => {
                let name = callee.get_name().to_bytes();
                if name.starts_with(b"llvm.lifetime.") {
                    return None;
                }
                let copies = name.starts_with(b"llvm.memcpy.")
                    || name.starts_with(b"llvm.memmove.")
                    || name.starts_with(b"llvm.memset.");
                match () {
                    () if copies && quiet() => Kind::Copy,
                    () if name.starts_with(b"llvm.") => Kind::Other,
                    () => Kind::Argument,
                }
            }
            None => Kind::Other,
        },
        _ => Kind::Other,
    };
    Some(kind)
}
