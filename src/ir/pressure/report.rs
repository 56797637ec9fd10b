//! The measures of a function as text and as JSON.

use super::class::{CLASSES, Class};
use super::lines::Line;
use super::measure::{BESIDE_UNIFORM, Counts, Measures};
use passes::machine::occupancy::BlockResources;
use passes::machine::streaming_multiprocessor::StreamingMultiprocessor;
use serde::Serialize;
use std::fmt::Write;

/// Threads of a block that does not say how many it has.
const THREADS: u32 = 256;
/// Lines that the text has, those with most registers.
const MOST_LINES: usize = 10;

/// All that is said of a function, in the order of the text.
#[derive(Serialize)]
pub struct Report {
    function: String,
    sm: Option<u32>,
    registers: Registers,
    uniform_values: usize,
    divergent_values: usize,
    occupancy: Option<WarpsByPressure>,
    blocks: Vec<Place>,
    lines: Vec<Place>,
    peak: Option<Peak>,
}

/// Registers by class.
#[derive(Serialize)]
#[allow(non_snake_case)]
struct Registers {
    R: u32,
    P: u32,
    UR: u32,
    UP: u32,
    beside_uniform: u32,
}

#[derive(Serialize)]
struct WarpsByPressure {
    registers: u32,
    threads: u32,
    blocks: u32,
    warps: u32,
    percent: u32,
}

#[derive(Serialize)]
struct Place {
    name: String,
    registers: Registers,
}

#[derive(Serialize)]
struct Peak {
    block: String,
    instruction: String,
    line: Option<String>,
    live: Vec<Live>,
}

#[derive(Serialize)]
struct Live {
    name: String,
    registers: u32,
    uniform: bool,
    line: Option<String>,
}

impl Report {
    /// Puts it together.
    pub fn new(measures: &Measures, sm: Option<u32>) -> Self {
        let place = |name: String, counts: &Counts| Place {
            name,
            registers: registers(counts),
        };
        let mut lines: Vec<_> = measures.lines.iter().collect();
        // Those with most registers first, else as in the source.
        lines.sort_by_key(|(_, counts)| std::cmp::Reverse(counts[0]));
        let blocks = measures.blocks.iter();
        let peak = measures.peak.as_ref().map(|peak| Peak {
            block: peak.block.clone(),
            instruction: peak.instruction.clone(),
            line: peak.line.as_ref().map(place_of),
            live: peak
                .live
                .iter()
                .map(|value| Live {
                    name: value.name.clone(),
                    registers: value.registers,
                    uniform: value.is_uniform,
                    line: value.line.as_ref().map(place_of),
                })
                .collect(),
        });
        Self {
            function: measures.name.clone(),
            sm,
            registers: registers(&measures.most),
            uniform_values: measures.values[0],
            divergent_values: measures.values[1],
            occupancy: sm.map(|sm| occupancy(measures, sm)),
            blocks: blocks
                .map(|(name, counts)| place(name.clone(), counts))
                .collect(),
            lines: lines
                .into_iter()
                .map(|(line, counts)| place(place_of(line), counts))
                .collect(),
            peak,
        }
    }

    /// One line of JSON.
    pub fn json(&self) -> String {
        match serde_json::to_string(self) {
            Ok(text) => text + "\n",
            Err(error) => format!("{{\"error\":{:?}}}\n", error.to_string()),
        }
    }

    /// The text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        write!(out, "Register pressure of '{}'", self.function)?;
        if let Some(sm) = self.sm {
            write!(out, " for sm_{sm}")?;
        }
        writeln!(out, ": {}", self.registers.text())?;
        writeln!(
            out,
            "  values: {} uniform, {} divergent",
            self.uniform_values, self.divergent_values
        )?;
        if let Some(one) = &self.occupancy {
            writeln!(
                out,
                "  with {} registers a thread: {} blocks of {} threads, {} warps on an SM ({} percent)",
                one.registers, one.blocks, one.threads, one.warps, one.percent
            )?;
        }
        for block in &self.blocks {
            writeln!(out, "  block {}: {}", block.name, block.registers.text())?;
        }
        for line in self.lines.iter().take(MOST_LINES) {
            writeln!(out, "  line {}: {}", line.name, line.registers.text())?;
        }
        if let Some(peak) = &self.peak {
            write!(out, "  peak at {} in {}", peak.instruction, peak.block)?;
            writeln!(out, "{}, where are live:", at(&peak.line))?;
            for value in &peak.live {
                let uniform = if value.uniform { ", uniform" } else { "" };
                let (registers, name) = (value.registers, &value.name);
                writeln!(out, "    {registers} {name}{uniform}{}", at(&value.line))?;
            }
        }
        Ok(())
    }
}

impl Registers {
    fn text(&self) -> String {
        let counts = [self.R, self.P, self.UR, self.UP];
        let named = CLASSES.iter().zip(counts);
        let named = named.map(|(class, count)| format!("{} {count}", class.name()));
        let text = named.collect::<Vec<_>>().join(", ");
        match self.UR {
            0 => text,
            _ => format!("{text}; R {} beside UR", self.beside_uniform),
        }
    }
}

fn registers(counts: &Counts) -> Registers {
    let of = |class: Class| counts[class as usize];
    Registers {
        R: of(Class::R),
        P: of(Class::P),
        UR: of(Class::UR),
        UP: of(Class::UP),
        beside_uniform: counts[BESIDE_UNIFORM],
    }
}

fn place_of(line: &Line) -> String {
    format!("{}:{}", line.file, line.number)
}

fn at(line: &Option<String>) -> String {
    line.as_ref()
        .map_or_else(String::new, |line| format!(", {line}"))
}

/// What an SM holds if each thread has as many registers as are live at once, beside those
/// of warps.
fn occupancy(measures: &Measures, sm: u32) -> WarpsByPressure {
    let block = BlockResources {
        threads: measures.threads.unwrap_or(THREADS),
        registers: measures.most[BESIDE_UNIFORM].max(1),
        shared_memory: 0,
    };
    let found = StreamingMultiprocessor::nearest(sm).occupancy(&block);
    WarpsByPressure {
        registers: block.registers,
        threads: block.threads,
        blocks: found.blocks,
        warps: found.warps,
        percent: found.percent,
    }
}
