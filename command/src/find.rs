//! Where the plugin and LLVM's and NVIDIA's programs are.

use std::env;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The plugin's file.
pub const PLUGIN: &str = "libwarpalloc.so";
/// The variable that names llc.
pub const LLC_VARIABLE: &str = "WARPALLOC_LLC";
/// llc on the path.
const LLC: &str = "llc-22";
/// Where Debian has it.
const DEBIAN_LLC: &str = "/usr/lib/llvm-22/bin/llc";

/// What is not there.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum NotFound {
    /// The plugin.
    #[error("{PLUGIN} is neither in {} nor in {}", .0.display(), .1.display())]
    Plugin(PathBuf, PathBuf),
    /// Nobody knows where we are.
    #[error("cannot tell where this program is: {0}")]
    Myself(String),
    /// LLVM 22's llc.
    #[error(
        "no llc of LLVM 22: {LLC} is not on the path, and there is no {DEBIAN_LLC}; set {LLC_VARIABLE}"
    )]
    Llc,
    /// The llc of the variable.
    #[error("{LLC_VARIABLE} is {}, which is no file", .0.display())]
    NamedLlc(PathBuf),
    /// Another program.
    #[error("{0} is not on the path; name it with --{0}")]
    Program(&'static str),
}

/// The plugin: beside this program, or in `lib` beside its folder.
///
/// # Errors
/// If it is in neither place.
pub fn plugin() -> Result<PathBuf, NotFound> {
    let myself = env::current_exe().and_then(|path| path.canonicalize());
    let myself = myself.map_err(|error| NotFound::Myself(error.to_string()))?;
    let beside = myself.parent().unwrap_or(&myself).to_owned();
    let library = beside.parent().unwrap_or(&beside).join("lib");
    let places = [&beside, &library].map(|folder| folder.join(PLUGIN));
    let found = places.into_iter().find(|path| path.is_file());
    found.ok_or(NotFound::Plugin(beside, library))
}

/// llc: what the variable names, the one on the path, Debian's.
///
/// # Errors
/// If there is none.
pub fn llc() -> Result<PathBuf, NotFound> {
    if let Some(named) = env::var_os(LLC_VARIABLE).filter(|named| !named.is_empty()) {
        let named = PathBuf::from(named);
        return match named.is_file() {
            true => Ok(named),
            false => Err(NotFound::NamedLlc(named)),
        };
    }
    let debian = || Some(PathBuf::from(DEBIAN_LLC)).filter(|path| path.is_file());
    on_path(LLC).or_else(debian).ok_or(NotFound::Llc)
}

/// One of NVIDIA's programs: beside another one, or on the path.
///
/// # Errors
/// If it is in neither place.
pub fn program(name: &'static str, beside: Option<&Path>) -> Result<PathBuf, NotFound> {
    let beside = beside.and_then(Path::parent);
    let beside = beside.map(|folder| folder.join(name));
    let found = beside.filter(|path| path.is_file());
    found
        .or_else(|| on_path(name))
        .ok_or(NotFound::Program(name))
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut places = env::split_paths(&path).map(|folder| folder.join(name));
    places.find(|path| path.is_file())
}
