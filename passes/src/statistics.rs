//! Figures about one allocation, for `-print-regalloc-stats`.

use crate::analysis::demand::most_live;
use crate::function::Function;
use crate::launch::occupancy::Prediction;
use crate::machine::Machine;
use std::fmt;

/// What one allocation did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Figures of each register file in use; `T` are the accumulators of the tensor cores,
    /// which lie in R and count there as well; `PB` are bits that spilled predicates have,
    /// 32 to a register of R, which counts there.
    pub files: Vec<FileStatistics>,
    /// Values that live in memory.
    pub spilled: u32,
    /// Of the function's values, how many were allocated how.
    pub values: Option<ValueCounts>,
    /// Store instructions added.
    pub stores: u32,
    /// Reload instructions added.
    pub reloads: u32,
    /// Instructions that do several of these stores or reloads at once.
    pub vectors: u32,
    /// Bytes of shared memory that the slots of a block's threads take.
    pub shared_bytes: u32,
    /// Slots there.
    pub shared_slots: u32,
    /// Operands that access memory themselves instead of a register.
    pub folded: u32,
    /// Executions of these stores and reloads for each execution of the function, and of
    /// what is rematerialised, which counts a quarter; those to shared memory count half.
    pub spill_cost: f64,
    /// Instructions added that rematerialise a value instead of reloading it.
    pub remats: u32,
    /// Copies that coalescing removed.
    pub coalesced: u32,
    /// Copies between different registers that remain.
    pub copies_left: u32,
    /// Rounds of colouring.
    pub rounds: u32,
    /// Instructions whose three or more sources lie in one bank of registers, where
    /// there are banks.
    pub bank_conflicts: Option<u32>,
    /// Values that do not lie in their place of the best run of a tuple: moves that ptxas
    /// has to add. Counted where there are banks, on a GPU.
    pub tuple_moves: Option<u32>,
    /// On a GPU: the function keeps its virtual registers, and ptxas allocates. What is used
    /// is what is live at once.
    pub is_left: bool,
    /// On a GPU: what ptxas is expected to make of it.
    pub prediction: Option<Prediction>,
}

/// How the values that a function names were allocated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValueCounts {
    /// All of them.
    pub all: u32,
    /// Those that are in memory somewhere along their live ranges.
    pub in_memory: u32,
    /// Those that one register holds all along: neither in memory, nor computed again, nor
    /// put away in a register of another class.
    pub whole: u32,
}

impl ValueCounts {
    /// The part that is in memory somewhere, in percent.
    fn spill_rate(self) -> f64 {
        100.0 * f64::from(self.in_memory) / f64::from(self.all.max(1))
    }

    /// The part that was coloured without spill code of any kind, in percent.
    fn coloured(self) -> f64 {
        match self.all {
            0 => 100.0,
            all => 100.0 * f64::from(self.whole) / f64::from(all),
        }
    }
}

/// Use of one register file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileStatistics {
    /// The file's name.
    pub name: String,
    /// Registers assigned to something.
    pub used: u32,
    /// Most registers occupied at once.
    pub maxlive: u32,
    /// Registers that could have been used.
    pub budget: u32,
}

impl FileStatistics {
    /// What is live at once of each register file, before anything is allocated.
    pub fn unallocated(function: &Function, machine: &Machine) -> Vec<Self> {
        let files = machine.files.iter().map(|(file, data)| {
            let maxlive = most_live(function, machine, file);
            Self {
                name: data.name.clone(),
                used: maxlive,
                maxlive,
                budget: data.size,
            }
        });
        files.filter(|one| one.maxlive > 0).collect()
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for file in &self.files {
            let FileStatistics {
                name,
                used,
                maxlive,
                budget,
            } = file;
            write!(
                formatter,
                "used.{name}={used} maxlive.{name}={maxlive} budget.{name}={budget} "
            )?;
        }
        write!(
            formatter,
            "spilled={} stores={} reloads={} remats={} coalesced={} copies_left={} rounds={} spill_cost={:.2}",
            self.spilled,
            self.stores,
            self.reloads,
            self.remats,
            self.coalesced,
            self.copies_left,
            self.rounds,
            self.spill_cost
        )?;
        if let Some(values) = self.values.filter(|_| !self.is_left) {
            let (rate, coloured) = (values.spill_rate(), values.coloured());
            let all = values.all;
            write!(
                formatter,
                " values={all} spill_rate={rate:.2} coloured={coloured:.2}"
            )?;
        }
        if self.is_left {
            write!(formatter, " spills=ptxas")?;
        }
        if self.vectors > 0 {
            write!(formatter, " vectors={}", self.vectors)?;
        }
        if self.shared_slots > 0 {
            let (slots, bytes) = (self.shared_slots, self.shared_bytes);
            write!(formatter, " shared_slots={slots} shared_bytes={bytes}")?;
        }
        if self.folded > 0 {
            write!(formatter, " folded={}", self.folded)?;
        }
        if let Some(conflicts) = self.bank_conflicts {
            write!(formatter, " bank_conflicts={conflicts}")?;
        }
        if let Some(moves) = self.tuple_moves {
            write!(formatter, " tuple_moves={moves}")?;
        }
        if let Some(prediction) = &self.prediction {
            let Prediction {
                registers,
                saved,
                occupancy,
            } = prediction;
            let (warps, percent) = (occupancy.warps, occupancy.percent);
            write!(
                formatter,
                " regs={registers} warps={warps} occupancy={percent}"
            )?;
            if *saved > 0 {
                write!(formatter, " saved={saved}")?;
            }
        }
        Ok(())
    }
}
