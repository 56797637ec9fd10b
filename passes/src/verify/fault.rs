//! What can be wrong with an allocation.

use crate::allocation::Location;
use crate::function::{Block, Instruction, Slot, VirtualRegister};
use std::fmt;
use thiserror::Error;

/// Where in the finished code a fault was found. Numbers are those of the
/// original function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The instruction, or the one that the inserted code stands next to.
    pub instruction: Instruction,
    /// Its block.
    pub block: Block,
    /// What about the instruction.
    pub spot: Spot,
}

/// What a [`Site`] means at its instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// The instruction itself.
    Whole,
    /// One of its operands, counted from 0.
    Operand(u32),
    /// Code inserted before it.
    Before,
    /// Code inserted after it.
    After,
}

impl fmt::Display for Site {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.spot {
            Spot::Whole => {}
            Spot::Operand(number) => write!(formatter, "operand {number} of ")?,
            Spot::Before => formatter.write_str("the code inserted before ")?,
            Spot::After => formatter.write_str("the code inserted after ")?,
        }
        write!(
            formatter,
            "instruction {} (block {})",
            self.instruction, self.block
        )
    }
}

/// A reason why an allocation is wrong.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum Fault {
    /// A use does not find its value.
    #[error("{site} reads {value} from ${register}, which holds {holds}")]
    WrongValue {
        /// The operand.
        site: Site,
        /// What it should find.
        value: VirtualRegister,
        /// Where it looks.
        register: String,
        /// What is there instead.
        holds: String,
    },
    /// A use that accesses memory does not find its value there.
    #[error("{site} reads {value} from {slot}, which holds {holds}")]
    WrongSlot {
        /// The operand.
        site: Site,
        /// What it should find.
        value: VirtualRegister,
        /// Where it looks.
        slot: Slot,
        /// What is there instead.
        holds: String,
    },
    /// An operand accesses memory, and its instruction cannot do that.
    #[error("{site} is to access memory, which its instruction cannot")]
    NotFoldable {
        /// The operand.
        site: Site,
    },
    /// An operand is to be loaded from where another value is.
    #[error(
        "{site} is to load {value} as {from} does, which is not its only definition or reads something"
    )]
    WrongLoad {
        /// The operand.
        site: Site,
        /// What it should find.
        value: VirtualRegister,
        /// The instruction named.
        from: Instruction,
    },
    /// An instruction accesses two slots, or one value both there and in a register.
    #[error("{site} is apart from an operand of the instruction that accesses memory")]
    FoldedApart {
        /// The operand.
        site: Site,
    },
    /// A use finds its value in the form made for storing it.
    #[error("{site} reads {value} from ${register}, which holds it widened for storing")]
    WidenedOperand {
        /// The operand.
        site: Site,
        /// What it should find.
        value: VirtualRegister,
        /// Where it looks.
        register: String,
    },
    /// A fixed register was overwritten between its definition and its use.
    #[error("{site} reads the fixed register ${register}, which was overwritten and holds {holds}")]
    FixedOverwritten {
        /// The operand.
        site: Site,
        /// The register.
        register: String,
        /// What is there instead.
        holds: String,
    },
    /// A register is accessed while an operation still reads or writes it.
    #[error("{site} {} ${register}, in which {value} is in flight",
        if *.writes { "writes" } else { "reads" })]
    InFlight {
        /// The operand or the inserted code.
        site: Site,
        /// What is in flight.
        value: VirtualRegister,
        /// Its register.
        register: String,
        /// Whether it is written.
        writes: bool,
    },
    /// A register that a matrix multiplication takes is written behind the fence.
    #[error("{site} takes {value} from ${register}, which something else wrote behind the fence")]
    WrittenBehindFence {
        /// The operand.
        site: Site,
        /// What is multiplied.
        value: VirtualRegister,
        /// Its register.
        register: String,
    },
    /// A virtual register with operands has no location.
    #[error("{value} has operands but no location")]
    MissingLocation {
        /// The virtual register.
        value: VirtualRegister,
    },
    /// Code names a virtual register that does not live in a register.
    #[error("{site} names {value}, which lives {}", describe_location(*location))]
    NotInRegister {
        /// The code.
        site: Site,
        /// The virtual register.
        value: VirtualRegister,
        /// Where it lives.
        location: Location,
    },
    /// What is to be rematerialised is not computed out of nothing, or not by this
    /// instruction alone.
    #[error("{site} repeats {from}, which cannot be rematerialised there")]
    NotRematerialisable {
        /// The code.
        site: Site,
        /// The instruction named.
        from: Instruction,
    },
    /// What is deleted as a definition does more than compute a value.
    #[error("{site} is deleted, but it is no definition that could be")]
    NotADefinition {
        /// The instruction.
        site: Site,
    },
    /// A virtual register lives in a register that its class does not have.
    #[error("{value} lives in ${register}, which class {class} does not have")]
    OutsideClass {
        /// The virtual register.
        value: VirtualRegister,
        /// Its register.
        register: String,
        /// Its class.
        class: String,
    },
    /// A value that threads may differ in lives in a register that they share.
    #[error("{value} lives in the uniform register ${register}, but threads may differ in it")]
    NotUniform {
        /// The virtual register.
        value: VirtualRegister,
        /// Its register.
        register: String,
    },
    /// An instruction has an operand in a uniform register and cannot have it there.
    #[error("{site} is in the uniform register ${register}, which its instruction cannot {}",
        if *.written { "write" } else { "read" })]
    UniformOperand {
        /// The operand.
        site: Site,
        /// Its register.
        register: String,
        /// Whether it is a definition.
        written: bool,
    },
    /// An instruction that is executed for each thread reads two uniform registers.
    #[error("{site} is in the uniform register ${register}, as is another source: ${other}")]
    UniformSources {
        /// The second source.
        site: Site,
        /// Its register.
        register: String,
        /// The first one's.
        other: String,
    },
    /// Spill code moves a uniform register.
    #[error("{site} moves {value}, which lives in the uniform register ${register}")]
    UniformSpilled {
        /// The code.
        site: Site,
        /// The virtual register.
        value: VirtualRegister,
        /// Its register.
        register: String,
    },
    /// An operand names a part that its register does not have.
    #[error("{site} names part {part} of {value}, but ${register} has no such part")]
    NoSuchPart {
        /// The operand.
        site: Site,
        /// The virtual register.
        value: VirtualRegister,
        /// Its register.
        register: String,
        /// The number of the sub-register index.
        part: u16,
    },
    /// A use and the definition it is tied to got different registers.
    #[error("{site} reads ${used}, but is tied to a definition of ${defined}")]
    TiedApart {
        /// The use.
        site: Site,
        /// Its register.
        used: String,
        /// The definition's register.
        defined: String,
    },
    /// A use is in a register that its instruction clobbers, and needed behind that.
    #[error("{site} needs {value} in ${register} behind the call, which clobbers it")]
    NotThrough {
        /// The use.
        site: Site,
        /// What it reads.
        value: VirtualRegister,
        /// Its register.
        register: String,
    },
    /// An early definition destroys what the same instruction still reads.
    #[error("{site} reads ${used}, which an early definition of ${defined} destroys")]
    EarlyClobber {
        /// The use.
        site: Site,
        /// Its register.
        used: String,
        /// The definition's register.
        defined: String,
    },
    /// Two definitions of one instruction overlap.
    #[error("{site} writes ${register}, which overlaps ${other}, written by the same instruction")]
    DefinitionsOverlap {
        /// The later definition.
        site: Site,
        /// Its register.
        register: String,
        /// The earlier definition's register.
        other: String,
    },
    /// Two definitions of parts of one value got registers of their own.
    #[error("{site} writes a part of {value} to ${register}, but another part goes to ${other}")]
    DefinitionsApart {
        /// The later definition.
        site: Site,
        /// The value.
        value: VirtualRegister,
        /// The whole register that the later definition is part of.
        register: String,
        /// The one that the earlier definition is part of.
        other: String,
    },
    /// A created virtual register is not numbered after all others, or its
    /// origin is not the function's own.
    #[error("{value} was created with a number or an origin that cannot be")]
    BadCreated {
        /// The created virtual register.
        value: VirtualRegister,
    },
    /// A virtual register has another class than what it stands for.
    #[error("{value} of class {class} cannot stand for {original} of class {wanted}")]
    ClassMismatch {
        /// The virtual register.
        value: VirtualRegister,
        /// Its class.
        class: String,
        /// What it stands for.
        original: VirtualRegister,
        /// The class of that.
        wanted: String,
    },
    /// An edit names a virtual register that there is none of.
    #[error("{site} names {value}, which does not exist")]
    UnknownRegister {
        /// The edit.
        site: Site,
        /// The number.
        value: VirtualRegister,
    },
    /// An edit names a slot that there is none of.
    #[error("{site} names {slot}, which does not exist")]
    UnknownSlot {
        /// The edit.
        site: Site,
        /// The number.
        slot: Slot,
    },
    /// A slot is too small, or not aligned enough, for what goes through it.
    #[error(
        "{site} moves {value}, of {size} bytes aligned to {alignment}, through {slot}, which is too small"
    )]
    SlotTooSmall {
        /// The edit.
        site: Site,
        /// What is stored or loaded.
        value: VirtualRegister,
        /// The slot.
        slot: Slot,
        /// The bytes needed.
        size: u32,
        /// The alignment needed.
        alignment: u32,
    },
    /// Slots side by side are not of one size, are no power of two of them, or are larger
    /// than what one instruction moves.
    #[error("{slot} cannot be the first of {lanes} slots side by side")]
    BadLanes {
        /// The first slot.
        slot: Slot,
        /// How many there are to be.
        lanes: u32,
    },
    /// A slot in shared memory is not aligned, lies beyond what is declared, is narrower
    /// than what is stored, or lies elsewhere than its neighbour says.
    #[error("{slot} cannot lie where it does in shared memory")]
    BadColumn {
        /// The slot.
        slot: Slot,
    },
    /// Two slots in shared memory have bytes in common.
    #[error("{slot} and {other} overlap in shared memory")]
    ColumnsOverlap {
        /// The first one.
        slot: Slot,
        /// The other one.
        other: Slot,
    },
    /// Edits that one instruction is to do are not all stores or all reloads of
    /// neighbouring slots at one place, in the order of the slots, each of a whole slot,
    /// and with a register of its own.
    #[error("edits {first} to {last} cannot be one instruction")]
    BadVector {
        /// The first edit.
        first: u32,
        /// The last edit.
        last: u32,
    },
    /// A store or reload of a class that memory cannot hold.
    #[error("{site} moves {value} to or from {slot}, but class {class} has to be widened first")]
    NotStorable {
        /// The edit.
        site: Site,
        /// What is stored or loaded.
        value: VirtualRegister,
        /// The slot.
        slot: Slot,
        /// Its class.
        class: String,
    },
    /// A widening or narrowing between classes that do not go together.
    #[error("{site} cannot turn {from}, of class {from_class}, into {to}, of class {to_class}")]
    BadConversion {
        /// The edit.
        site: Site,
        /// The source.
        from: VirtualRegister,
        /// Its class.
        from_class: String,
        /// The destination.
        to: VirtualRegister,
        /// Its class.
        to_class: String,
    },
    /// An edit stands at an instruction that does not exist.
    #[error("an edit stands at instruction {instruction}, which does not exist")]
    EditOutsideFunction {
        /// The number.
        instruction: Instruction,
    },
    /// An edit stands after one that comes later in the program.
    #[error("{site} comes after an edit of later code")]
    EditOutOfOrder {
        /// The edit.
        site: Site,
    },
    /// Code was inserted after a terminator.
    #[error("{site} follows a terminator")]
    EditAfterTerminator {
        /// The edit.
        site: Site,
    },
    /// An edit renames an operand of another instruction, or a fixed one.
    #[error("{site} renames what is not a virtual operand of that instruction")]
    MisplacedRename {
        /// The edit.
        site: Site,
    },
    /// A deleted instruction is not a copy.
    #[error("{site} is deleted but is not a copy")]
    NotACopy {
        /// The instruction.
        site: Site,
    },
    /// A deleted copy does something.
    #[error("{site} is deleted but copies ${source_register} to ${destination}")]
    DeletedCopyApart {
        /// The copy.
        site: Site,
        /// Where the value is.
        source_register: String,
        /// Where it should go.
        destination: String,
    },
}

fn describe_location(location: Location) -> String {
    match location {
        Location::None => "nowhere".to_owned(),
        Location::Register(register) => format!("in {register}"),
        Location::Slot(slot) => format!("in {slot}"),
    }
}
