//! What is kept of the functions of a module on a GPU: the registers that ptxas is expected to
//! give each, which those that call it need as well.
//!
//! Functions are compiled in the module's order, where a kernel often comes before what it calls.
//! So `-print-regalloc-stats` prints the line of a function as soon as all that it reaches is
//! known, and what is still waiting at the module's end then: what it calls belongs to another
//! module, or could not be allocated. Time: a search of what is reached, for each waiting line
//! and each function that is added.

use passes::launch::occupancy::Prediction;
use passes::pipeline::{Figures, Predicted};
use passes::prediction::callees::Functions;
use passes::statistics::Statistics;
use std::fmt::Display;
use std::io::Write;

/// The functions of one module.
#[derive(Default)]
pub struct Module {
    functions: Functions,
    waiting: Vec<Line>,
}

/// A line that cannot be printed yet.
struct Line {
    function: String,
    statistics: Statistics,
    predicted: Predicted,
}

impl Module {
    /// Adds a function, and prints what has waited for it.
    pub fn add(&mut self, function: &str, figures: &Figures) {
        let Some(predicted) = &figures.within_budget else {
            return;
        };
        self.functions.add(function, predicted.expected.clone());
        let (known, waiting) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|line| !self.has_missing(&line.predicted));
        self.waiting = waiting;
        self.print(known);
    }

    /// What is predicted of a function, as far as what it calls is known.
    pub fn prediction(&self, predicted: &Predicted) -> Prediction {
        predicted.with_callees(&self.functions)
    }

    fn has_missing(&self, predicted: &Predicted) -> bool {
        self.functions.reached(&predicted.expected).has_missing
    }

    /// Prints the figures of a function, now or as soon as what it calls is known.
    pub fn report(&mut self, function: &str, statistics: &Statistics, figures: &Figures) {
        let statistics = statistics.clone();
        let Some(predicted) = figures.within_budget.clone() else {
            return print_line(function, &statistics);
        };
        let has_missing = self.has_missing(&predicted);
        let line = Line {
            function: function.to_owned(),
            statistics,
            predicted,
        };
        match has_missing {
            true => self.waiting.push(line),
            false => self.print(vec![line]),
        }
    }

    /// Prints what is still waiting, and forgets the module.
    pub fn end(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        self.print(waiting);
        *self = Self::default();
    }

    fn print(&self, lines: Vec<Line>) {
        for line in lines {
            let Line {
                function,
                mut statistics,
                predicted,
            } = line;
            let prediction = self.prediction(&predicted);
            if !predicted.expected.calls.is_empty() {
                tracing::debug!(
                    function,
                    registers = prediction.registers,
                    "predicted with what is called"
                );
            }
            statistics.prediction = Some(prediction);
            print_line(&function, &statistics);
        }
    }
}

/// One line, in one write: several threads may share stderr.
pub fn print_line(function: &str, what: &impl Display) {
    let line = format!("warpalloc: function={function} {what}\n");
    // Nobody can be told when stderr is closed.
    let _ = std::io::stderr().write_all(line.as_bytes());
}
