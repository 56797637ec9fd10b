//! Finds and asks llvm-config. Shared by the build scripts of the plugin and the commands.

use std::env;
use std::ffi::OsString;
use std::process::Command;

pub const LLVM_MAJOR: &str = "22";

/// `$LLVM_CONFIG`, or the first of the usual names that can be run.
pub fn find() -> Result<OsString, String> {
    if let Some(config) = env::var_os("LLVM_CONFIG") {
        return Ok(config);
    }
    let names = [
        format!("llvm-config-{LLVM_MAJOR}"),
        format!("/usr/lib/llvm-{LLVM_MAJOR}/bin/llvm-config"),
    ];
    let found = names
        .iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok());
    found.map(OsString::from).ok_or_else(|| {
        format!(
            "llvm-config-{LLVM_MAJOR} is not installed; on Debian install llvm-{LLVM_MAJOR}-dev, or set LLVM_CONFIG"
        )
    })
}

/// What it answers.
pub fn query(config: &OsString, arguments: &[&str]) -> Result<String, String> {
    let name = config.to_string_lossy();
    let output = Command::new(config)
        .args(arguments)
        .output()
        .map_err(|error| format!("cannot run {name}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{name} {} failed", arguments.join(" ")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().into())
}

/// The version of LLVM, for instance 22.1.8.
pub fn version(config: &OsString) -> Result<String, String> {
    let version = query(config, &["--version"])?;
    if version.split('.').next() != Some(LLVM_MAJOR) {
        return Err(format!(
            "{} is of LLVM {version}, but LLVM {LLVM_MAJOR} is needed; set LLVM_CONFIG to its llvm-config",
            config.to_string_lossy()
        ));
    }
    Ok(version)
}
