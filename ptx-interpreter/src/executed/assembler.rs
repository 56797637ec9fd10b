//! Runs ptxas and nvdisasm on a numbered file.
//!
//! Ensures: the machine code is that of the file without numbers, bit by bit, or there is
//! an error. Files lie in a folder of their own, which is gone afterwards.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::numbered::Numbered;
use machine_code::listing::{MachineKernel, kernels};

/// The programs, and what to tell ptxas.
#[derive(Debug, Clone)]
pub struct Assembler {
    /// ptxas.
    pub ptxas: PathBuf,
    /// nvdisasm.
    pub nvdisasm: PathBuf,
    /// The most registers that a thread may have, whatever the file says.
    pub register_limit: Option<u32>,
}

impl Assembler {
    /// The kernels of a file as machine code, with the numbers of its instructions.
    pub fn assemble(&self, file: &Numbered, target: &str) -> Result<Vec<MachineKernel>, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let code = |name: &str, text: &str, lines: bool| {
            let listing = self.listing(&folder.path().join(name), text, target, lines)?;
            kernels(&listing)
        };
        let plain = code("plain", &file.plain, false)?;
        let numbered = code("numbered", &file.numbered, true)?;
        match same_code(&plain, &numbered) {
            true => Ok(numbered),
            false => Err("the machine code is another one with line numbers".to_owned()),
        }
    }

    fn listing(
        &self,
        base: &Path,
        text: &str,
        target: &str,
        lines: bool,
    ) -> Result<String, String> {
        let (ptx, cubin) = (base.with_extension("ptx"), base.with_extension("cubin"));
        std::fs::write(&ptx, text).map_err(|e| e.to_string())?;
        let mut ptxas = Command::new(&self.ptxas);
        ptxas.arg(format!("-arch={target}")).arg("-o").arg(&cubin);
        if lines {
            ptxas.arg("-lineinfo");
        }
        if let Some(limit) = self.register_limit {
            ptxas.arg(format!("-maxrregcount={limit}"));
            ptxas.arg("--override-directive-values");
        }
        output(ptxas.arg(&ptx))?;
        output(
            Command::new(&self.nvdisasm)
                .args(["-c", "-g", "-hex"])
                .arg(&cubin),
        )
    }
}

fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let done = command.output().map_err(|e| format!("{program}: {e}"))?;
    match done.status.success() {
        true => Ok(String::from_utf8_lossy(&done.stdout).into_owned()),
        false => {
            let message = [done.stdout, done.stderr].concat();
            let message = String::from_utf8_lossy(&message);
            // The last line only says that there were errors.
            let error = message.lines().find(|l| l.contains("error  "));
            let first = error.or(message.lines().next()).unwrap_or_default();
            Err(format!("{program}: {first}"))
        }
    }
}

/// Whether the instructions of both are equal, bit by bit.
fn same_code(a: &[MachineKernel], b: &[MachineKernel]) -> bool {
    let encodings = |kernels: &[MachineKernel]| {
        let mut all: Vec<(String, Vec<[u64; 2]>)> = Vec::new();
        for kernel in kernels {
            let blocks = kernel.functions.iter().flat_map(|f| &f.blocks);
            let instructions = blocks.flat_map(|b| &b.instructions);
            let bits = instructions.map(|i| i.encoding).collect();
            all.push((kernel.name.clone(), bits));
        }
        all
    };
    encodings(a) == encodings(b)
}
