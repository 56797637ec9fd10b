//! `-warpalloc-dump`: writes each function as the allocator sees it.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The files written by this process: two functions must not share one.
static WRITTEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Writes `text` to a file in `folder` named after the function.
pub fn write(folder: &str, function: &str, text: &str) -> Result<(), String> {
    let folder = Path::new(folder);
    let path = reserve(folder, &sanitise(function));
    create_and_write(folder, &path, text)
        .map_err(|error| format!("cannot write the dump {}: {error}", path.display()))
}

fn create_and_write(folder: &Path, path: &Path, text: &str) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(path, text)
}

/// A path that this process has not written to yet.
fn reserve(folder: &Path, stem: &str) -> PathBuf {
    let mut written = WRITTEN
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    let mut path = folder.join(format!("{stem}.warp"));
    let mut number = 2;
    while !written.insert(path.clone()) {
        path = folder.join(format!("{stem}.{number}.warp"));
        number += 1;
    }
    path
}

/// Letters, digits and a little punctuation, no longer than file systems allow.
fn sanitise(name: &str) -> String {
    const LONGEST: usize = 200;
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_-.$".contains(c);
    let stem: String = name
        .chars()
        .take(LONGEST)
        .map(|c| if allowed(c) { c } else { '_' })
        .collect();
    match stem.trim_start_matches('.') {
        "" => "function".into(),
        stem => stem.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_file_names() {
        assert_eq!(sanitise("_Z3addii"), "_Z3addii");
        assert_eq!(sanitise("../../a b\u{1}c"), "_.._a_b_c");
        assert_eq!(sanitise(""), "function");
        assert_eq!(sanitise(&"x".repeat(300)).len(), 200);
    }

    #[test]
    fn equal_names_get_numbers() {
        let folder = Path::new("equal_names_get_numbers");
        assert_eq!(reserve(folder, "f"), folder.join("f.warp"));
        assert_eq!(reserve(folder, "f"), folder.join("f.2.warp"));
    }
}
