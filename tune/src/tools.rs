//! The programs that judge: llc with the plugin, ptxas, nvdisasm, and the user's timing.

use crate::error::TuneError;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where the programs are.
#[derive(Clone, Debug)]
pub struct Tools {
    /// LLVM 22's llc.
    pub llc: PathBuf,
    /// The plugin.
    pub plugin: PathBuf,
    /// NVIDIA's assembler.
    pub ptxas: PathBuf,
    /// Its disassembler.
    pub nvdisasm: PathBuf,
}

impl Tools {
    /// What stands for the tools in the cache: two that say the same do the same.
    ///
    /// # Errors
    /// If one of them cannot be run, or the plugin cannot be read.
    pub fn versions(&self) -> Result<Vec<String>, TuneError> {
        let mut versions = vec![hash_of_file(&self.plugin)?];
        for program in [&self.llc, &self.ptxas, &self.nvdisasm] {
            versions.push(stdout(Command::new(program).arg("--version"))?);
        }
        Ok(versions)
    }
}

/// A hash of bytes, as text.
pub fn hash(parts: &[&[u8]]) -> String {
    use sha2::{Digest, Sha256};
    let mut hash = Sha256::new();
    for part in parts {
        // So that no two lists of parts look alike.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A hash of what a file holds.
///
/// # Errors
/// If it cannot be read.
pub fn hash_of_file(file: &Path) -> Result<String, TuneError> {
    let bytes = std::fs::read(file).map_err(|error| TuneError::File {
        file: file.to_owned(),
        error,
    })?;
    Ok(hash(&[&bytes]))
}

/// Runs a program that must succeed.
///
/// # Errors
/// If it cannot be started or fails.
pub fn run(command: &mut Command) -> Result<Output, TuneError> {
    let program = PathBuf::from(command.get_program());
    let output = command.output().map_err(|error| TuneError::Start {
        program: program.clone(),
        error,
    })?;
    match output.status.success() {
        true => Ok(output),
        false => Err(TuneError::Failed {
            message: complaint(&output),
            program,
        }),
    }
}

/// What a program that must succeed prints.
///
/// # Errors
/// As for [`run`].
pub fn stdout(command: &mut Command) -> Result<String, TuneError> {
    let output = run(command)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The first line that names an error, or the first one.
fn complaint(output: &Output) -> String {
    let text = [&output.stderr[..], &output.stdout[..]].concat();
    let text = String::from_utf8_lossy(&text);
    let named = text
        .lines()
        .find(|line| line.to_ascii_lowercase().contains("error"));
    let first = text.lines().find(|line| !line.trim().is_empty());
    match named.or(first) {
        Some(line) => line.trim().to_owned(),
        None => output.status.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_keep_parts_apart() {
        assert_ne!(hash(&[b"ab", b"c"]), hash(&[b"a", b"bc"]));
        assert_eq!(hash(&[b"ab"]), hash(&[b"ab"]));
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = run(&mut Command::new("/nowhere/ptxas")).unwrap_err();
        assert!(error.to_string().starts_with("cannot run /nowhere/ptxas: "));
    }

    #[test]
    fn a_program_that_fails_is_quoted() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo warning; echo 'error: this one'; exit 3"]);
        let error = run(&mut shell).unwrap_err();
        assert_eq!(error.to_string(), "sh failed: error: this one");
    }
}
