//! Plants faults in correct allocations: the checker has to accept each
//! allocation as it is, and to name the fault once it is planted.

#[path = "planted_faults/case.rs"]
mod case;
mod executor;
#[path = "planted_faults/machines.rs"]
mod machines;

/// Faults that the replay finds: values that are not where they should be.
#[path = "planted_faults/values.rs"]
mod values;

/// Copies: what else is equal once they are done.
#[path = "planted_faults/copies.rs"]
mod copies;

/// Faults over several blocks.
#[path = "planted_faults/paths.rs"]
mod paths;

/// Faults among the operands of one instruction, and in locations.
#[path = "planted_faults/operands.rs"]
mod operands;

/// Operands in memory.
#[path = "planted_faults/folds.rs"]
mod folds;

/// Reloads that are left out or stand earlier.
#[path = "planted_faults/reloads.rs"]
mod reloads;

/// What is rematerialised.
#[path = "planted_faults/rematerialisations.rs"]
mod rematerialisations;

/// Edits that make no sense by themselves.
#[path = "planted_faults/edits.rs"]
mod edits;

/// Predicates that are bits of a register.
#[path = "planted_faults/packed.rs"]
mod packed;

/// Accesses to several slots by one instruction.
#[path = "planted_faults/vectors.rs"]
mod vectors;

/// Slots in shared memory.
#[path = "planted_faults/columns.rs"]
mod columns;

/// Uniform registers of a GPU.
#[path = "planted_faults/uniform.rs"]
mod uniform;

/// Registers in flight.
#[path = "planted_faults/in_flight.rs"]
mod in_flight;

/// Random allocations, run.
#[path = "planted_faults/execution.rs"]
mod execution;
