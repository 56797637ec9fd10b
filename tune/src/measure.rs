//! Measures a variant: llc, ptxas and nvdisasm, one after the other, on the whole module.
//!
//! Requires tools that work: what a variant cannot do (registers for one instruction that
//! are not there) is an answer like any other. Time: that of the tools; equal PTX is
//! assembled once.

use crate::cache::{Cache, Key};
use crate::error::TuneError;
use crate::figures::{Figures, Kernels};
use crate::ptx::block_sizes;
use crate::reported::reported;
use crate::tools::{Tools, hash, hash_of_file, run, stdout};
use machine_code::listing::{MachineKernel, kernels};
use machine_code::work::work;
use passes::choices::{Choice, Choices, VERSION};
use passes::machine::occupancy::BlockResources;
use passes::machine::streaming_multiprocessor::StreamingMultiprocessor;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Threads of a block where nobody says it.
pub const USUAL_THREADS: u32 = 256;

/// What came of a variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Measured {
    /// Its kernels.
    Kernels(Kernels),
    /// Why there are none.
    Failed(String),
}

/// A function that the module defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// The processor that it is compiled for.
    pub processor: String,
    /// The hash of its code.
    pub hash: String,
}

/// How the module is compiled.
#[derive(Clone, Debug)]
pub struct Compilation {
    /// LLVM IR, as text or bitcode.
    pub input: PathBuf,
    /// The processor, such as `sm_90a`.
    pub processor: String,
    /// The version of PTX, such as 88.
    pub ptx_version: u32,
    /// What else llc is told.
    pub arguments: Vec<String>,
    /// The most registers that ptxas may give.
    pub cap: Option<u32>,
}

/// Asks the tools.
pub struct Measurer {
    tools: Tools,
    compilation: Compilation,
    sm: &'static StreamingMultiprocessor,
    /// Where files lie that somebody may want to time.
    folder: tempfile::TempDir,
    cache: Cache,
    /// What all answers depend on.
    basis: Vec<String>,
    /// Answers by what was assembled.
    assembled: Mutex<BTreeMap<String, Arc<OnceLock<Measured>>>>,
}

/// 90 for `sm_90a`.
fn processor_number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix("sm_")?;
    digits.trim_end_matches(['a', 'f']).parse().ok()
}

impl Measurer {
    /// Looks at the tools.
    ///
    /// # Errors
    /// If one of them cannot be run, or the input cannot be read.
    pub fn new(tools: Tools, compilation: Compilation, cache: Cache) -> Result<Self, TuneError> {
        let processor = &compilation.processor;
        let number = processor_number(processor);
        let number = number.ok_or_else(|| TuneError::Processor(processor.clone()))?;
        let mut basis = tools.versions()?;
        basis.push(hash_of_file(&compilation.input)?);
        basis.push(env!("CARGO_PKG_VERSION").to_owned());
        let Compilation {
            processor,
            ptx_version,
            arguments,
            cap,
            ..
        } = &compilation;
        basis.push(format!("{processor} {ptx_version} {arguments:?} {cap:?}"));
        let folder = tempfile::tempdir().map_err(|error| TuneError::File {
            file: std::env::temp_dir(),
            error,
        })?;
        Ok(Self {
            sm: StreamingMultiprocessor::nearest(number),
            tools,
            compilation,
            folder,
            cache,
            basis,
            assembled: Mutex::default(),
        })
    }

    /// The SM that code is for.
    pub fn sm(&self) -> &'static StreamingMultiprocessor {
        self.sm
    }

    /// How the module is compiled.
    pub fn compilation(&self) -> &Compilation {
        &self.compilation
    }

    /// A file of this run that ends like this, by a number.
    pub fn file(&self, number: usize, ending: &str) -> PathBuf {
        self.folder.path().join(format!("{number}.{ending}"))
    }

    /// The functions that the module defines.
    ///
    /// # Errors
    /// If llc cannot compile it.
    pub fn definitions(&self) -> Result<Vec<Definition>, TuneError> {
        let mut llc = self.llc(true);
        llc.arg("-warpalloc-print-hashes").arg("-o").arg("-");
        let output = run(&mut llc)?;
        let text = String::from_utf8_lossy(&output.stderr);
        let lines = text
            .lines()
            .filter_map(|line| line.strip_prefix("warpalloc: function="));
        let read = |line: &str| {
            // The name may hold anything.
            let (rest, hash) = line.rsplit_once(" hash=")?;
            let (name, processor) = rest.rsplit_once(" processor=")?;
            Some(Definition {
                name: name.to_owned(),
                processor: processor.to_owned(),
                hash: hash.to_owned(),
            })
        };
        let found: Option<Vec<_>> = lines.map(read).collect();
        found.ok_or_else(|| TuneError::Output {
            program: "llc",
            message: "a line about a hash".to_owned(),
        })
    }

    /// Stock's code: the plugin is not even loaded. Threads of blocks come with it.
    ///
    /// # Errors
    /// If the tools refuse the module.
    pub fn stock(&self, keeps_code: bool) -> Result<(Kernels, BTreeMap<String, u32>), TuneError> {
        let ptx = self.file(0, "ptx");
        run(self.llc(false).arg("-o").arg(&ptx))?;
        let sizes = block_sizes(&read(&ptx)?);
        let key = self.key("stock");
        match self.cache.get(&key) {
            Some(Measured::Kernels(kernels)) if !keeps_code => Ok((kernels, sizes)),
            _ => {
                let kernels = self.assemble(0)?;
                self.cache.put(&key, &Measured::Kernels(kernels.clone()));
                Ok((kernels, sizes))
            }
        }
    }

    /// What comes of a choices file; its number names the files of this run. The code is
    /// kept if it is to be timed, and compiled anew then.
    ///
    /// # Errors
    /// If a tool cannot be run.
    pub fn measure(
        &self,
        number: usize,
        choices: &Choices,
        keeps_code: bool,
    ) -> Result<Measured, TuneError> {
        let key = self.key(&json(choices));
        if !keeps_code && let Some(known) = self.cache.get(&key) {
            return Ok(known);
        }
        let measured = match self.compile(number, choices, keeps_code) {
            Err(TuneError::Failed { message, .. }) => Measured::Failed(message),
            other => other?,
        };
        // A program may have failed for reasons that are no part of the question.
        if let Measured::Kernels(_) = measured {
            self.cache.put(&key, &measured);
        }
        Ok(measured)
    }

    fn compile(
        &self,
        number: usize,
        choices: &Choices,
        keeps_code: bool,
    ) -> Result<Measured, TuneError> {
        let (file, ptx) = (self.file(number, "json"), self.file(number, "ptx"));
        write(&file, &json(choices))?;
        let mut llc = self.llc(true);
        llc.arg(format!("-warpalloc-choices={}", file.display()));
        run(llc.arg("-o").arg(&ptx))?;
        if keeps_code {
            return self.assemble(number).map(Measured::Kernels);
        }
        let text = hash(&[read(&ptx)?.as_bytes()]);
        let answer = {
            let assembled = self.assembled.lock();
            let mut assembled = assembled.unwrap_or_else(PoisonError::into_inner);
            Arc::clone(assembled.entry(text).or_default())
        };
        if let Some(known) = answer.get() {
            return Ok(known.clone());
        }
        let measured = match self.assemble(number) {
            Err(TuneError::Failed { message, .. }) => Measured::Failed(message),
            other => Measured::Kernels(other?),
        };
        Ok(answer.get_or_init(|| measured).clone())
    }

    /// llc with all that it is always told, with the plugin or without.
    fn llc(&self, with_plugin: bool) -> Command {
        let mut llc = Command::new(&self.tools.llc);
        let Compilation {
            input,
            processor,
            ptx_version,
            arguments,
            ..
        } = &self.compilation;
        if with_plugin {
            llc.arg(format!("-load={}", self.tools.plugin.display()));
            llc.arg("-regalloc=warpalloc");
        }
        llc.arg(format!("-mcpu={processor}"));
        llc.arg(format!("-mattr=+ptx{ptx_version}"));
        llc.args(arguments).arg(input);
        llc
    }

    /// Assembles the PTX of this number.
    fn assemble(&self, number: usize) -> Result<Kernels, TuneError> {
        let (ptx, cubin) = (self.file(number, "ptx"), self.file(number, "cubin"));
        let mut ptxas = Command::new(&self.tools.ptxas);
        ptxas.arg("-v");
        ptxas.arg(format!("-arch={}", self.compilation.processor));
        if let Some(cap) = self.compilation.cap {
            // Without the second one it is ignored for kernels with launch bounds.
            ptxas.arg(format!("-maxrregcount={cap}"));
            ptxas.arg("--override-directive-values");
        }
        let said = run(ptxas.arg(&ptx).arg("-o").arg(&cubin))?;
        let report = reported(&String::from_utf8_lossy(
            &[said.stdout, said.stderr].concat(),
        ));
        let mut nvdisasm = Command::new(&self.tools.nvdisasm);
        let listing = stdout(nvdisasm.args(["-c", "-hex"]).arg(&cubin))?;
        let found = kernels(&listing).map_err(|message| TuneError::Output {
            program: "nvdisasm",
            message,
        })?;
        let sizes = block_sizes(&read(&ptx)?);
        let mut figures = Kernels::new();
        for kernel in &found {
            let Some(reported) = report.get(&kernel.name) else {
                continue;
            };
            let block = BlockResources {
                threads: sizes.get(&kernel.name).copied().unwrap_or(USUAL_THREADS),
                registers: reported.registers,
                shared_memory: reported.shared_memory,
            };
            let warps = self.sm.occupancy(&block).warps;
            let one = Figures::new(work(kernel), reported.registers, warps, code(kernel));
            figures.insert(kernel.name.clone(), one);
        }
        match report.keys().find(|name| !figures.contains_key(*name)) {
            None => Ok(figures),
            Some(missing) => Err(TuneError::Output {
                program: "nvdisasm",
                message: format!("no code of '{missing}'"),
            }),
        }
    }

    fn key(&self, what: &str) -> Key {
        let mut parts: Vec<_> = self.basis.iter().map(String::as_str).collect();
        parts.push(what);
        Key::new(&parts)
    }
}

/// The choices file that gives all functions of a module the same options.
pub fn for_all(definitions: &[Definition], options: &passes::choices::Values) -> Choices {
    let choice = |one: &Definition| Choice {
        function: one.name.clone(),
        sm: None,
        hash: None,
        options: options.clone(),
        reason: None,
        alternatives: Vec::new(),
    };
    Choices {
        version: VERSION,
        made_of: None,
        choices: definitions.iter().map(choice).collect(),
    }
}

/// A hash of the instructions' bits.
fn code(kernel: &MachineKernel) -> String {
    let blocks = kernel.functions.iter().flat_map(|one| &one.blocks);
    let instructions = blocks.flat_map(|block| &block.instructions);
    let bits = instructions.flat_map(|one| one.encoding);
    let bytes: Vec<u8> = bits.flat_map(u64::to_le_bytes).collect();
    hash(&[&bytes])[..16].to_owned()
}

/// A choices file's text.
pub fn json(choices: &Choices) -> String {
    // Texts, numbers and lists always become JSON.
    serde_json::to_string_pretty(choices).unwrap_or_default() + "\n"
}

fn read(file: &Path) -> Result<String, TuneError> {
    fs::read_to_string(file).map_err(|error| TuneError::File {
        file: file.to_owned(),
        error,
    })
}

fn write(file: &Path, text: &str) -> Result<(), TuneError> {
    fs::write(file, text).map_err(|error| TuneError::File {
        file: file.to_owned(),
        error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_have_numbers() {
        assert_eq!(processor_number("sm_90a"), Some(90));
        assert_eq!(processor_number("sm_120"), Some(120));
        assert_eq!(processor_number("gfx90"), None);
        assert_eq!(processor_number("sm_"), None);
    }
}
