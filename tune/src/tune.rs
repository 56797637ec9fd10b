//! The whole: from a module to its choices file.

use crate::cache::Cache;
use crate::error::TuneError;
use crate::figures::{Figures, Kernels};
use crate::measure::{Compilation, Measured, Measurer, USUAL_THREADS, for_all};
use crate::mixture::{Chosen, verify};
use crate::rule::{ranked, reason};
use crate::time::{shortest, time, worth_timing};
use crate::tools::Tools;
use crate::variants::{Variant, stock, variants};
use indicatif::{ProgressBar, ProgressStyle};
use passes::choices::Choices;
use passes::machine::occupancy::BlockResources;
use rayon::prelude::*;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// So many more steps of resident warps are tried for each kernel.
const MORE_STEPS: u32 = 2;
/// So many budgets are tried at most, those first that serve most kernels.
const MOST_BUDGETS: usize = 4;
/// The same below a cap.
const MOST_BUDGETS_BELOW_CAP: usize = 2;
/// ptxas gives no thread fewer.
const FEWEST_REGISTERS: u32 = 24;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The programs.
    pub tools: Tools,
    /// The module, and how it is compiled.
    pub compilation: Compilation,
    /// What is known already.
    pub cache: Cache,
    /// A command that says how long a kernel takes.
    pub time: Option<String>,
}

/// What came of it.
#[derive(Debug)]
pub struct Outcome {
    /// The file.
    pub choices: Choices,
    /// Stock's kernels.
    pub stock: Kernels,
    /// The same with what was chosen.
    pub chosen: Kernels,
}

/// Tunes a module, on the threads of the current pool of rayon.
///
/// # Errors
/// If a tool is missing or refuses the module, or there are no kernels.
pub fn tune(request: Request) -> Result<Outcome, TuneError> {
    let input = request.compilation.input.clone();
    let cap = request.compilation.cap;
    let measurer = Measurer::new(request.tools, request.compilation, request.cache)?;
    let keeps_code = request.time.is_some();
    let (stock_kernels, sizes) = measurer.stock(keeps_code)?;
    if stock_kernels.is_empty() {
        return Err(TuneError::NoKernels(input));
    }
    let definitions = measurer.definitions()?;
    let budgets = budgets(&measurer, cap, &stock_kernels, &sizes);
    let mut all = vec![stock()];
    all.extend(variants(cap, &budgets));
    let bar = progress_bar(all.len());
    let measured: Result<Vec<Measured>, TuneError> = all
        .par_iter()
        .enumerate()
        .map(|(number, variant)| {
            let measured = match number {
                0 => Ok(Measured::Kernels(stock_kernels.clone())),
                _ => {
                    let choices = for_all(&definitions, &variant.options);
                    measurer.measure(number, &choices, keeps_code)
                }
            };
            bar.inc(1);
            measured
        })
        .collect();
    bar.finish_and_clear();
    let measured = measured?;
    let mut chosen = Chosen::new();
    let mut reasons = BTreeMap::new();
    for (name, before) in &stock_kernels {
        let codes: Vec<_> = measured.iter().map(|one| figures_of(one, name)).collect();
        let mut times = Vec::new();
        if let Some(command) = &request.time {
            for number in worth_timing(&codes) {
                let (ptx, cubin) = (measurer.file(number, "ptx"), measurer.file(number, "cubin"));
                times.push((number, time(command, &ptx, &cubin, name)?));
            }
        }
        let best = match shortest(&times) {
            Some(best) => best,
            None => ranked(&codes).first().copied().unwrap_or(0),
        };
        let why = match codes[best] {
            Some(code) if times.is_empty() => reason(before, code),
            Some(code) => format!("it takes least time; {}", reason(before, code)),
            None => String::new(),
        };
        let alternatives = alternatives(&all, &measured, name, &times);
        reasons.insert(name.clone(), (why, alternatives));
        chosen.insert(name.clone(), all[best].options.clone());
    }
    let mixture = verify(
        &measurer,
        &definitions,
        &stock_kernels,
        chosen,
        keeps_code,
        all.len(),
    )?;
    let mut choices = mixture.choices;
    for one in &mut choices.choices {
        match reasons.remove(&one.function) {
            Some((why, alternatives)) => {
                one.reason = Some(match mixture.given_up.contains(&one.function) {
                    true => {
                        format!("together with the others it is worse than stock, or fails: {why}")
                    }
                    false => why,
                });
                one.alternatives = alternatives;
            }
            None => one.reason = Some("no kernel".into()),
        }
    }
    Ok(Outcome {
        choices,
        stock: stock_kernels,
        chosen: mixture.kernels,
    })
}

fn figures_of<'a>(measured: &'a Measured, kernel: &str) -> Option<&'a Figures> {
    match measured {
        Measured::Kernels(kernels) => kernels.get(kernel),
        Measured::Failed(_) => None,
    }
}

/// What each variant costs a kernel, for the file.
fn alternatives(
    all: &[Variant],
    measured: &[Measured],
    kernel: &str,
    times: &[(usize, f64)],
) -> Vec<Json> {
    let stock = measured.first().and_then(|one| figures_of(one, kernel));
    let one = |(number, (variant, measured)): (usize, (&Variant, &Measured))| {
        let mut entry = match (figures_of(measured, kernel), measured) {
            (Some(code), _) => {
                let beside = code.beside(stock.unwrap_or(code));
                json!({
                    "registers": code.registers,
                    "warps": code.warps,
                    "local": beside.local.by_loops_of_stock(),
                    "local_static": code.local_static,
                    "issue": beside.issue.by_loops_of_stock(),
                    "loops_correspond": beside.is_complete,
                })
            }
            (None, Measured::Failed(message)) => json!({ "failed": message }),
            (None, _) => json!({ "failed": "there is no code of it" }),
        };
        entry["options"] = Json::String(variant.text());
        if let Some((_, time)) = times.iter().find(|(timed, _)| *timed == number) {
            entry["time"] = json!(time);
        }
        entry
    };
    all.iter().zip(measured).enumerate().map(one).collect()
}

/// The most registers with which more blocks are resident than with stock's, for each
/// kernel; and, without a cap, all that there are, if a kernel has local accesses with them or
/// within its own launch bounds.
fn budgets(
    measurer: &Measurer,
    cap: Option<u32>,
    stock: &Kernels,
    sizes: &BTreeMap<String, u32>,
) -> Vec<u32> {
    let sm = measurer.sm();
    let mut served: BTreeMap<u32, usize> = BTreeMap::new();
    for (name, figures) in stock {
        let block = BlockResources {
            threads: sizes.get(name).copied().unwrap_or(USUAL_THREADS),
            registers: figures.registers,
            shared_memory: 0,
        };
        let resident = sm.occupancy(&block).blocks;
        let mut steps = 0;
        for blocks in resident + 1.. {
            let fitting = sm.most_registers(&block, blocks);
            let Some(registers) = fitting.filter(|&one| one >= FEWEST_REGISTERS) else {
                break;
            };
            *served.entry(registers).or_default() += 1;
            steps += 1;
            if steps == MORE_STEPS {
                break;
            }
        }
    }
    let mut budgets: Vec<_> = served.into_iter().collect();
    budgets.sort_by_key(|&(registers, kernels)| (std::cmp::Reverse(kernels), registers));
    budgets.truncate(match cap {
        Some(_) => MOST_BUDGETS_BELOW_CAP,
        None => MOST_BUDGETS,
    });
    let mut budgets: Vec<_> = budgets.into_iter().map(|(one, _)| one).collect();
    if cap.is_none() && stock.values().any(|figures| figures.local > 0) {
        budgets.push(sm.registers_per_thread);
    }
    budgets
}

/// On a terminal alone: elsewhere nothing is drawn.
fn progress_bar(steps: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} variants, {elapsed}");
    let bar = ProgressBar::new(steps as u64);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
