//! What happens to one function between the shim's tables and its result.
//!
//! It is imported, compiled by [`passes::pipeline`], and handed back; people are told what
//! they want to know. [`crate::entry`] only crosses the boundary. Time: that of the pipeline.

use crate::abi::{WarpallocFunction, WarpallocOptions};
use crate::apply::Tables;
use crate::dump;
use crate::import::{self, ClassNumbers, Target};
use crate::module::{Module, print_line};
use crate::multiplied::name_apart;
use crate::options::{self, own};
use crate::plant::plant;
use crate::remarks::remark::{self, Kind, Remark};
use crate::remarks::source::DebugInformation;
use crate::remarks::{Facts, GpuFacts, remarks};
use passes::error::Error;
use passes::launch::occupancy::Prediction;
use passes::machine::streaming_multiprocessor::StreamingMultiprocessor;
use passes::pipeline::{Figures, Left, Outcome, compile, dump::print};
use passes::settings::{Settings, Spills};

/// On NVPTX, where ptxas allocates all that we leave, the shim does not even come here.
const NO_STOCK: &str = "'stock' is for NVPTX: there is nobody else who gives this function \
                        its registers";

/// Allocates a function.
///
/// # Errors
/// What the user is told: bad options, malformed tables, an impossible budget.
///
/// # Safety
/// The tables' pointers must point to as many elements as their counts say.
pub unsafe fn allocate(
    target: &Target,
    function: &WarpallocFunction,
    options: &WarpallocOptions,
    module: &mut Module,
) -> Result<Tables, String> {
    // SAFETY: passed on to the caller.
    let (name, options) = unsafe {
        (
            import::name(function),
            import::options(options).map_err(|error| error.to_string())?,
        )
    };
    if !name.is_empty() && name == options.panic_at {
        panic!("planted panic");
    }
    // SAFETY: passed on to the caller.
    let attributes = unsafe { import::attributes(function.attributes, function.attribute_count) };
    let attributes = attributes.map_err(|error| error.to_string())?;
    let own = own::level(&attributes).map_err(|error| error.to_string())?;
    let level = options
        .level()
        .map_err(|error| error.to_string())?
        .under(own);
    if level.stock == Some(true) && target.gpu().is_none() {
        return Err(NO_STOCK.to_owned());
    }
    let settings = Settings {
        explain: !function.source.is_null(),
        ..options::settings(&options, &level, target.gpu())
    };
    // SAFETY: passed on to the caller.
    let imported = match unsafe { target.import(function) } {
        Ok(imported) => imported,
        Err(error) if target.gpu().is_some() && settings.spills != Spills::Here => {
            return Ok(unseen(&name, &error, settings.explain));
        }
        Err(error) => return Err(error.to_string()),
    };
    if !options.dump_directory.is_empty() {
        let text = print(&imported.input, &settings);
        dump::write(options.dump_directory, &name, &text)?;
    }
    let mut outcome = compile(imported.input, &settings).map_err(|error| error.to_string())?;
    module.add(&name, &outcome.figures);
    if options.print_statistics {
        module.report(&name, &outcome.allocation.statistics, &outcome.figures);
    }
    let remarks = match imported.source {
        Some(source) => {
            let predictions = predictions(&outcome.figures, module);
            explain(&name, &outcome, &settings, predictions, source)
        }
        None => Vec::new(),
    };
    if let Some(seed) = options.plant_fault
        && outcome.left.is_none()
        && (options.plant_function.is_empty() || options.plant_function == name)
    {
        let machine = outcome.restricted(&settings);
        let machine = outcome.allocation.machine(&machine).into_owned();
        let allocation = &mut outcome.allocation;
        let planted = plant(&outcome.function, &machine, allocation, u64::from(seed));
        print_line(&name, &planted);
    }
    let mut tables = Tables {
        remarks: remark::Tables::new(&remarks),
        ..tables(&outcome, &imported.classes, target.gpu().is_some())
    };
    imported.numbers.hand_back(&mut tables);
    Ok(tables)
}

/// What the shim follows.
fn tables(outcome: &Outcome, classes: &ClassNumbers, is_gpu: bool) -> Tables {
    let Outcome {
        function,
        allocation,
        launch,
        ..
    } = outcome;
    let mut tables = match outcome.left {
        Some(_) => Tables {
            is_left: true,
            ..Tables::default()
        },
        None => {
            let count = function.virtual_registers.len();
            Tables::new(allocation, count, classes, launch)
        }
    };
    if is_gpu && outcome.left.is_none() {
        name_apart(function, allocation, &mut tables.locations);
    }
    if let Some(order) = &outcome.order {
        let instructions = order.instructions().iter();
        tables.order = instructions.map(|one| one.as_u32()).collect();
    }
    tables.max_registers = outcome.max_registers.unwrap_or(0);
    tables
}

/// What is predicted of a function on a GPU, as far as what it calls is known.
struct Predictions {
    sm: &'static StreamingMultiprocessor,
    within_budget: Prediction,
    without_budget: Prediction,
}

fn predictions(figures: &Figures, module: &Module) -> Option<Predictions> {
    let within_budget = figures.within_budget.as_ref()?;
    let without_budget = figures.without_budget.as_ref()?;
    Some(Predictions {
        sm: within_budget.sm,
        within_budget: module.prediction(within_budget),
        without_budget: module.prediction(without_budget),
    })
}

/// What people are told of a function.
fn explain(
    name: &str,
    outcome: &Outcome,
    settings: &Settings,
    predictions: Option<Predictions>,
    mut source: DebugInformation,
) -> Vec<Remark> {
    if let Some(order) = &outcome.order {
        source.reorder(order);
    }
    source.name_copies(&outcome.function);
    let gpu = outcome.budget.as_ref().zip(predictions);
    let mut said = remarks(&Facts {
        // What is damped, on a CPU, is never reordered.
        function: outcome.undamped.as_ref().unwrap_or(&outcome.function),
        machine: &outcome.restricted(settings),
        allocation: &outcome.allocation,
        source: &source,
        gpu: gpu.map(|(budget, predictions)| GpuFacts {
            sm: predictions.sm,
            launch: &outcome.launch,
            shared_space: outcome.shared_space,
            budget,
            prediction: predictions.within_budget,
            without_budget: predictions.without_budget.registers,
        }),
    });
    if let Some(Left::NotAllocated(error)) = &outcome.left {
        said.insert(0, not_allocated(name, error));
    }
    said
}

/// The tables of a function for a GPU that could not even be imported: ptxas has it.
fn unseen(name: &str, error: &Error, explain: bool) -> Tables {
    let said = explain.then(|| not_allocated(name, error));
    Tables {
        is_left: true,
        remarks: remark::Tables::new(said.as_slice()),
        ..Tables::default()
    }
}

/// Says that a function could not be allocated, and that ptxas has it as it was.
fn not_allocated(name: &str, error: &Error) -> Remark {
    let mut remark = Remark::new(Kind::Missed, "LeftToPtxas", None);
    remark
        .text(format!("'{name}' is left to ptxas as it is: "))
        .value("Reason", error.to_string());
    remark
}
