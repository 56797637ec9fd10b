//! The shim's tables become what the pipeline reads.
//!
//! Nothing in the tables is believed: a range outside its array, an unknown
//! register or a broken tie is an error, never undefined behaviour.

pub mod asynchronous;
pub mod computation;
mod fewest;
mod files;
mod function;
mod fusion;
mod halves;
mod machine;
mod meaning;
pub mod pass_through;
mod ptx;
pub mod raw;
mod scales;
mod source;
#[cfg(test)]
pub(crate) mod tests;
mod texts;

use crate::abi::{
    WarpallocAttribute, WarpallocDependence, WarpallocFunction, WarpallocLaunch, WarpallocOptions,
    WarpallocTarget,
};
use crate::numbers::Numbers;
use crate::options::{Options, own::Attribute};
use crate::remarks::source::DebugInformation;
pub use meaning::is_system;
use passes::error::Error;
use passes::function::{Function, Instruction, InstructionFlags, Malformed};
use passes::launch::LaunchBounds;
use passes::launch::call_graph::{CallGraph, Caller, Node};
use passes::machine::streaming_multiprocessor::StreamingMultiprocessor;
use passes::machine::{Class, RegisterTable, gpu};
use passes::pipeline::{Gpu, Input};
use passes::prediction::expansion::Expansion;
use passes::prediction::meaning::Texts;
use passes::schedule::{Dependences, shuffles_in_order};
use std::borrow::Cow;
use std::sync::Arc;
use texts::Said;

/// A target's registers, imported once for all functions.
pub struct Target {
    kind: TargetKind,
}

enum TargetKind {
    /// LLVM's registers, and the number of registers it counts.
    Registers(Arc<RegisterTable>),
    /// An NVIDIA GPU, of which LLVM knows no registers.
    Gpu {
        /// The version of its SM as the caller has it, such as 90.
        version: u32,
        /// What it has, or what the nearest older one that we know has.
        sm: &'static StreamingMultiprocessor,
    },
}

/// How the function's class numbers relate to the machine's.
#[derive(Clone, Debug, PartialEq)]
pub enum ClassNumbers {
    /// They are the same.
    Same,
    /// For each of the function's classes, the GPU's.
    Gpu(Vec<Class>),
}

/// A function of LLVM's.
pub struct Imported {
    /// What the pipeline reads.
    pub input: Input,
    /// How to name classes to the shim.
    pub classes: ClassNumbers,
    /// How to number virtual registers to the shim.
    pub numbers: Numbers,
    /// What debug information says, if somebody wants remarks.
    pub source: Option<DebugInformation>,
}

impl Target {
    /// Imports a target's register table.
    ///
    /// # Safety
    /// The pointers of the table must be null or point to as many elements as
    /// its counts say, and live until the call returns.
    pub unsafe fn new(target: &WarpallocTarget) -> Result<Self, Error> {
        let kind = if target.is_nvptx {
            TargetKind::Gpu {
                version: target.sm_version,
                sm: StreamingMultiprocessor::nearest(target.sm_version),
            }
        } else {
            // SAFETY: passed on to the caller.
            let tables = unsafe { raw::TargetTables::new(target)? };
            TargetKind::Registers(Arc::new(machine::register_table(&tables)?))
        };
        Ok(Self { kind })
    }

    /// The SM, if this is a GPU.
    pub fn gpu(&self) -> Option<&'static StreamingMultiprocessor> {
        match self.kind {
            TargetKind::Registers(_) => None,
            TargetKind::Gpu { sm, .. } => Some(sm),
        }
    }

    /// What the user should know about the target.
    pub fn remark(&self) -> Option<String> {
        match self.kind {
            TargetKind::Gpu { version, sm } if version != sm.version => Some(match version {
                0 => format!(
                    "the SM is not known; taking the resources of sm_{}",
                    sm.version
                ),
                _ => format!(
                    "the resources of sm_{version} are not known; taking those of sm_{}",
                    sm.version
                ),
            }),
            _ => None,
        }
    }

    /// Imports a function.
    ///
    /// # Safety
    /// As for [`Target::new`].
    pub unsafe fn import(&self, function: &WarpallocFunction) -> Result<Imported, Error> {
        // SAFETY: passed on to the caller.
        let tables = unsafe { raw::FunctionTables::new(function, self.mask_words())? };
        let (machine, classes) = match &self.kind {
            TargetKind::Registers(table) => {
                (machine::of_function(table, &tables)?, ClassNumbers::Same)
            }
            TargetKind::Gpu { .. } => machine::gpu_of_function(&tables)?,
        };
        let is_profiled = function.is_profiled;
        let taken_if_equal = function::taken_if_equal(&tables)?;
        let numbers = Numbers::new(tables.virtual_registers);
        let mut function = function::import(&tables, &machine, &classes, &numbers)?;
        let Said {
            texts,
            moves_registers,
            halves,
            barriers,
            products,
        } = match self.kind {
            TargetKind::Gpu { sm, .. } => texts::read_texts(&tables, &mut function, sm),
            TargetKind::Registers(_) => Said::default(),
        };
        let dependences = match tables.dependences {
            Some(pairs) => {
                let found = dependences(&function, pairs, &barriers, &texts)?;
                Some(found.with_products(products))
            }
            None => None,
        };
        let source = source::import(&tables, &function, &numbers)?;
        let mut launch = launch(&tables.launch);
        launch.fewest_registers = texts::most_of_texts(&tables, fewest::fewest_registers);
        launch.hidden_shared_memory = texts::any_in_assembly(&tables, &[".shared", "call"]);
        let is_kernel = function.kernel;
        let gpu = self.gpu().map(|sm| Gpu {
            sm,
            launch,
            callers: match tables.call_graph {
                Some(graph) if !is_kernel => callers(graph),
                _ => Vec::new(),
            },
            halves,
            texts,
            moves_registers: moves_registers || tables.launch.moves_registers,
        });
        Ok(Imported {
            input: Input {
                function,
                machine,
                is_profiled,
                taken_if_equal,
                dependences,
                gpu,
            },
            classes,
            numbers,
            source,
        })
    }

    /// Whether a function may have registers in flight: cheaper than importing it.
    ///
    /// # Safety
    /// As for [`Target::new`].
    pub unsafe fn may_be_asynchronous(&self, function: &WarpallocFunction) -> Result<bool, Error> {
        // SAFETY: passed on to the caller.
        let tables = unsafe { raw::FunctionTables::new(function, self.mask_words())? };
        Ok(texts::may_be_asynchronous(&tables))
    }

    /// 32-bit words of a clobber mask.
    fn mask_words(&self) -> usize {
        match &self.kind {
            TargetKind::Registers(table) => table.registers.len().div_ceil(32),
            TargetKind::Gpu { .. } => 0,
        }
    }
}

fn launch(table: &WarpallocLaunch) -> LaunchBounds {
    let given = |value: i64| u32::try_from(value).ok();
    LaunchBounds {
        registers: given(table.registers),
        // A block has at least one thread.
        most_threads: given(table.most_threads).filter(|&threads| threads > 0),
        threads: given(table.threads).filter(|&threads| threads > 0),
        dimensions: Some(table.dimensions).filter(|sizes| sizes.iter().all(|&size| size > 0)),
        blocks: given(table.blocks),
        shared_memory: u32::try_from(table.shared_memory).unwrap_or(u32::MAX),
        dynamic_shared_memory: table.has_dynamic_shared_memory,
        hidden_shared_memory: false,
        linked_calls: table.has_linked_calls,
        fewest_registers: 0,
    }
}

/// The kernels that reach the function of the tables.
fn callers(tables: raw::CallTables) -> Vec<Caller> {
    let nodes = tables.nodes.iter().map(|(name, node)| Node {
        name: name.to_string(),
        kernel: node.is_kernel.then(|| launch(&node.launch)),
        has_address_taken: node.has_address_taken,
        calls_indirectly: node.calls_indirectly,
    });
    let calls = tables.calls.iter().map(|one| (one.caller, one.callee));
    let graph = CallGraph {
        nodes: nodes.collect(),
        calls: calls.collect(),
    };
    graph.kernels_reaching(tables.function)
}

/// What the shim says, that everything else stays on its side of a barrier, and which shuffles
/// do not pass each other.
fn dependences(
    function: &Function,
    pairs: &[WarpallocDependence],
    barriers: &[Instruction],
    texts: &Texts,
) -> Result<Dependences, Error> {
    let number = Instruction::from_u32;
    let pairs = pairs.iter();
    let pairs = pairs.map(|pair| (number(pair.first), number(pair.second)));
    let blocks = match barriers.is_empty() {
        true => Vec::new(),
        false => function.instruction_blocks(),
    };
    let around = barriers.iter().flat_map(|&barrier| {
        let block = blocks[barrier.as_u32() as usize];
        let others = function.block_instructions(block);
        let others = others.filter(move |&other| other != barrier);
        others.map(move |other| (other.min(barrier), other.max(barrier)))
    });
    let is_shuffle = |one| {
        let flags = function.instructions[one].flags;
        let is_assembly = flags.contains(InstructionFlags::INLINE_ASSEMBLY);
        !is_assembly && texts.expansions[one] == Some(Expansion::Shuffle)
    };
    let pairs = pairs
        .chain(around)
        .chain(shuffles_in_order(function, is_shuffle));
    Dependences::new(function, pairs.collect()).map_err(|(first, second)| {
        malformed(format!(
            "{first} and {second} do not follow each other in one block"
        ))
    })
}

impl ClassNumbers {
    /// The machine's class for a number of the shim's.
    pub fn class(&self, number: u32) -> Option<Class> {
        match self {
            Self::Same => Some(Class::from_u32(number)),
            Self::Gpu(classes) => classes.get(number as usize).copied(),
        }
    }

    /// The shim's number for a class. A GPU function may have no 32-bit
    /// registers until predicates are spilled through them: no number then.
    pub fn number_of(&self, class: Class) -> u32 {
        match self {
            Self::Same => class.as_u32(),
            Self::Gpu(classes) => classes
                .iter()
                .position(|&known| known == gpu::ptx_class(class))
                .map_or(crate::abi::WARPALLOC_NONE, |index| index as u32),
        }
    }
}

/// The name of a function, for messages.
///
/// # Safety
/// The name must be null or NUL-terminated, and live as long as the table.
pub unsafe fn name(function: &WarpallocFunction) -> Cow<'_, str> {
    // SAFETY: passed on to the caller.
    unsafe { raw::any_text(function.name) }
}

/// String attributes, whose values may be any bytes.
///
/// # Safety
/// There must be so many, whose strings are null or NUL-terminated; all must live for 'a.
pub unsafe fn attributes<'a>(
    attributes: *const WarpallocAttribute,
    count: u32,
) -> Result<Vec<Attribute<'a>>, Error> {
    // SAFETY: passed on to the caller.
    let tables = unsafe { raw::slice(attributes, count as usize) }?;
    // SAFETY: passed on to the caller.
    let read =
        |one: &WarpallocAttribute| unsafe { (raw::any_text(one.name), raw::any_text(one.value)) };
    Ok(tables.iter().map(read).collect())
}

/// The options, out of their C types.
///
/// # Safety
/// The strings must be null or NUL-terminated, and live as long as the table.
pub unsafe fn options(options: &WarpallocOptions) -> Result<Options<'_>, Error> {
    let given = |value: i64| u32::try_from(value).ok();
    // SAFETY: passed on to the caller.
    let [
        occupancy_target,
        dump_directory,
        profile,
        select,
        order,
        enable,
        disable,
        knobs,
        spill_space,
        spills,
        panic_at,
        plant_function,
    ] = unsafe {
        [
            raw::text(options.occupancy_target)?,
            raw::text(options.dump_directory)?,
            raw::text(options.profile)?,
            raw::text(options.select)?,
            raw::text(options.order)?,
            raw::text(options.enable)?,
            raw::text(options.disable)?,
            raw::text(options.knobs)?,
            raw::text(options.spill_space)?,
            raw::text(options.spills)?,
            raw::text(options.panic_at)?,
            raw::text(options.plant_function)?,
        ]
    };
    Ok(Options {
        prepare: u8::try_from(options.prepare).ok().map(|given| given != 0),
        is_selected: options.is_selected,
        pressure_limit: given(options.pressure_limit),
        occupancy_target: (!options.occupancy_target.is_null()).then_some(occupancy_target),
        coalescing_factor: options
            .coalescing_factor_given
            .then_some(options.coalescing_factor),
        spill_limit: given(options.spill_limit),
        class_limit: given(options.class_limit),
        verify: options.verify,
        print_statistics: options.print_statistics,
        hand_off: options.hand_off,
        dump_directory,
        profile,
        select,
        order,
        enable,
        disable,
        knobs,
        spill_space,
        spills,
        panic_at,
        plant_fault: given(options.plant_fault),
        plant_function,
    })
}

fn malformed(message: impl Into<String>) -> Error {
    Error::Malformed(Malformed(message.into()))
}
