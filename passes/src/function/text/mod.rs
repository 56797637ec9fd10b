//! The text format: one allocation problem, a machine and a function, to be
//! written by hand, dumped from LLVM, read by people and replayed.
//!
//! ```text
//! # Everything after a '#' is a comment.
//! machine gpu limit=24               # or 'machine' and its tables, see below
//!
//! function saxpy kernel              # "quoted" if it is not a plain word; 'kernel' or not
//! values v0:B32, v1:B32 unspillable, v2:B64 hints=$RD0+$RD4
//!
//! block b0 frequency=1.0 depth=0 live_in=$R4,$R5 to=b1
//!   v0 = copy $R4
//!   v1 = op v0, v0
//! block b1 frequency=8.5 depth=1 to=b1,b2
//!   v0 = op.convergent v0(tied 0), undef v1, implicit def dead $P0
//!   terminator v0
//! block b2 frequency=1.0 depth=0
//!   early v2.1, undef v2.2 = op v1
//!   call(mask0) v0, implicit $R4
//! ```
//!
//! Values and blocks are numbered from 0 in the order in which they stand. `super=CLASS`, behind a
//! value's class, is the class it may have but for its operands that are `constrained`.
//! A block's `from=` gives its predecessors where their order matters and is not
//! that of the blocks. Frequency and depth may be left out: 1.0 and 0.
//! `landing`, behind the depth, says that control comes from the instructions of
//! its predecessors that have the flag `leaves`, not from their ends; `clobbers=`
//! names the mask of what is destroyed on entry.
//!
//! An instruction is `DEFINITIONS = MNEMONIC OPERANDS`. Operands right of the `=` are uses
//! unless they say `def`. An operand is words (`implicit`, `def`, `early`, `dead`, `undef`,
//! `foldable`, `loadable`, `constrained`, `live_through`, `in_flight`, `awaited`), then a value
//! `v3`, a part of it `v3.1`, or a register `$eax`, and for a use tied to the instruction's
//! operand 0: `(tied 0)`. The mnemonic is a kind (`op`, `copy`, `store`, `reload`, `widen`,
//! `narrow`, `move`) and flags (`call`, `terminator`, `convergent`, `remat`, `asm`,
//! `implicit_def`, `leaves`, `label`, `divergent`, `uniform`, `uniform_source`, `uniform_load`,
//! `priority`, `wide_priority`, `argument`, `records`, and those of [`super::asynchronous`]:
//! `fences`, `multiplies`, `loads_tensor`, `stores_tensor`, `commits`, `waits_multiply`,
//! `waits_load`, `waits_store`, `pending_1`, `pending_2`, `pending_4`), joined by dots; `op` can
//! be left out before flags. After it stands, in parentheses, the slot or the clobber mask, if
//! there is one, and `registers232` where threads have so many registers from there on. A line
//! `tuple 2,3,_,4 align=4 accumulator` behind an instruction says which of its operands should
//! lie side by side ([`super::Tuple`]); `_` is the place of a constant. A line `terminators`
//! stands where no more code may be inserted, if that is not before the first terminator.
//!
//! A machine that is not the GPU's has these lines, masks after registers and
//! files last:
//!
//! ```text
//! machine
//! register $al units=0
//! register $eax units=0-1+4 parts=1:$al
//! class GR32 size=4 alignment=4 through=GR64 uniform=U32 order=$eax,$ecx
//! mask mask0 preserves=$ebx,$ebp     # or destroys=...; 'none' is the empty list
//! file GR32 size=2 columns=0-1+4,_   # the units of each column
//! ```

mod lexer;
mod line;
mod parse;
mod parse_machine;
mod print;
mod reduce;

pub use parse::parse;
pub(crate) use print::Printer;
pub use print::print;
pub(crate) use reduce::Reduced;

use thiserror::Error;

/// What is wrong with a text, and where. Lines and columns count from 1.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// The line.
    pub line: usize,
    /// The character within the line.
    pub column: usize,
    /// What was expected and what was found.
    pub message: String,
}

impl ParseError {
    fn new(at: Mark, message: impl Into<String>) -> Self {
        Self {
            line: at.line as usize,
            column: at.column as usize,
            message: message.into(),
        }
    }
}

/// A place in the text.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    line: u32,
    column: u32,
}
