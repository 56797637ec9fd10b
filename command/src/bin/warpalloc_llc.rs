//! `warpalloc-llc`: LLVM's llc with the plugin loaded and its allocator chosen.
//!
//! It takes llc's arguments, puts those of `WARPALLOC_OPTIONS` before them, and becomes llc:
//! output, errors and the exit status are llc's own.

use command::find;
use std::env;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// Options for every call, as a shell would split them.
const OPTIONS: &str = "WARPALLOC_OPTIONS";

fn main() -> ExitCode {
    let error = match llc() {
        // It comes back only if it fails.
        Ok(mut llc) => {
            let error = llc.exec();
            format!("cannot run {}: {error}", llc.get_program().display())
        }
        Err(error) => error,
    };
    eprintln!("warpalloc-llc: error: {error}");
    ExitCode::FAILURE
}

fn llc() -> Result<Command, String> {
    let options = match env::var(OPTIONS) {
        Ok(options) => shlex::split(&options)
            .ok_or_else(|| format!("{OPTIONS} has a quote without an end: {options}"))?,
        Err(env::VarError::NotPresent) => Vec::new(),
        Err(error) => return Err(format!("{OPTIONS}: {error}")),
    };
    let plugin = find::plugin().map_err(|error| error.to_string())?;
    let mut llc = Command::new(find::llc().map_err(|error| error.to_string())?);
    let mut load = std::ffi::OsString::from("-load=");
    load.push(plugin);
    // Options of the plugin are known behind it alone.
    llc.arg(load).arg("-regalloc=warpalloc");
    llc.args(options).args(env::args_os().skip(1));
    Ok(llc)
}
