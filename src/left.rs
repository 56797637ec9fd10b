//! A function for a GPU that is left to ptxas: it keeps its virtual registers, perhaps in
//! another order, and ptxas is told what it has to keep to.
//!
//! Statistics and remarks say what is live and what is expected, as they do of what is
//! allocated here; `used` is what is live at once. Time: that of liveness where somebody
//! wants to know, and of the orders tried where one is asked for.

use crate::allocate::print_line;
use crate::apply::Tables;
use crate::import::Imported;
use crate::options::Options;
use crate::predict;
use crate::remarks::remark::{self, Kind, Remark};
use crate::remarks::{Facts, GpuFacts, remarks};
use passes::allocation::Allocation;
use passes::budget::{self, Budget};
use passes::config::Config;
use passes::error::Error;
use passes::machine::streaming_multiprocessor::StreamingMultiprocessor;
use passes::schedule::roomier_order;
use passes::statistics::{FileStatistics, Statistics};

/// Why a function is left.
pub enum Reason {
    /// Nobody asked for fewer registers, it is expected to fit, or ptxas to spill it better.
    Better,
    /// The command line says that ptxas spills.
    Asked,
    /// It could not be allocated here, for this reason.
    NotAllocated(String),
}

/// A function that is left, and what ptxas is to keep to.
pub struct Left {
    config: Config,
    /// None if none could be chosen.
    budget: Option<Budget>,
    reason: Reason,
}

/// The tables of a function that was not even imported.
pub fn unseen(name: &str, error: &Error, wants_remarks: bool) -> Tables {
    let said = wants_remarks.then(|| not_allocated(name, &error.to_string()));
    Tables {
        is_left: true,
        remarks: remark::Tables::new(said.as_slice()),
        ..Tables::default()
    }
}

impl Left {
    /// A function that is left for some reason, whose budget the settings are cut to.
    pub fn new(config: Config, budget: Option<Budget>, reason: Reason) -> Self {
        Self {
            config,
            budget,
            reason,
        }
    }

    /// What the shim does with it.
    pub fn tables(
        self,
        name: &str,
        mut imported: Imported,
        sm: &StreamingMultiprocessor,
        options: &Options,
    ) -> Tables {
        let mut tables = Tables {
            is_left: true,
            ..Tables::default()
        };
        let machine = budget::restrict(&imported.machine, &self.config).into_owned();
        let mut source = imported.source.take();
        if let (Reason::Asked, Some(dependences)) = (&self.reason, &imported.dependences)
            && let Some((order, function)) =
                roomier_order(&imported.function, &machine, &self.config, dependences)
        {
            let instructions = order.instructions().iter();
            tables.order = instructions.map(|one| one.as_u32()).collect();
            if let Some(source) = &mut source {
                source.reorder(&order);
            }
            imported.function = function;
            // They are about the order that was.
            imported.dependences = None;
        }
        let function = &imported.function;
        if let Some(budget) = &self.budget
            && options.hand_off
            && function.kernel
        {
            let handed_off = budget.handed_off(sm, &imported.launch);
            tables.max_registers = handed_off.unwrap_or(0);
        }
        // Nobody else pays for liveness.
        if !options.print_statistics && source.is_none() {
            return tables;
        }
        let predict = |machine| predict::occupancy(&imported, function, machine, &self.config, sm);
        let prediction = predict(&machine);
        let allocation = Allocation {
            statistics: Statistics {
                files: FileStatistics::unallocated(function, &machine),
                prediction,
                is_left: true,
                ..Statistics::default()
            },
            ..Allocation::default()
        };
        if options.print_statistics {
            print_line(name, &allocation.statistics);
        }
        if let Some(mut source) = source {
            source.name_copies(function);
            let without_budget = predict(&imported.machine);
            let gpu = self.budget.as_ref().zip(prediction.zip(without_budget));
            let mut said = remarks(&Facts {
                function,
                machine: &machine,
                allocation: &allocation,
                source: &source,
                gpu: gpu.map(|(budget, (prediction, without_budget))| GpuFacts {
                    sm,
                    launch: &imported.launch,
                    shared_space: None,
                    budget,
                    prediction,
                    without_budget: without_budget.registers,
                }),
            });
            if let Reason::NotAllocated(error) = &self.reason {
                said.insert(0, not_allocated(name, error));
            }
            tables.remarks = remark::Tables::new(&said);
        }
        tables
    }
}

/// Says that a function could not be allocated, and that ptxas has it as it was.
fn not_allocated(name: &str, error: &str) -> Remark {
    let mut remark = Remark::new(Kind::Missed, "LeftToPtxas", None);
    remark
        .text(format!("'{name}' is left to ptxas as it is: "))
        .value("Reason", error);
    remark
}
