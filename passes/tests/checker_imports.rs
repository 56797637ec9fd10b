//! The checker stands on data alone: were it to ask an analysis of the allocator, it would
//! believe that analysis, and accept what the allocator got wrong by it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What the checker may name: the function, the machine and the result.
const DATA: [&str; 3] = ["allocation", "function", "machine"];

/// The source files below a folder but for tests, which may compare with anything.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the checker's sources") {
        let path = entry.expect("an entry of a folder").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.file_name().is_some_and(|name| name != "tests.rs") {
            found.push(path);
        }
    }
    found
}

/// The rooms of this crate that a text names outside of comments, those of the checker not
/// counted.
fn rooms(text: &str) -> BTreeSet<&str> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let lines = text.lines().filter(is_code);
    let after = lines.flat_map(|line| line.split("crate::").skip(1));
    let names = after.map(|rest| {
        let end = rest.find(|one: char| !one.is_alphanumeric() && one != '_');
        &rest[..end.unwrap_or(rest.len())]
    });
    names.filter(|&name| name != "verify").collect()
}

#[test]
fn the_checker_imports_nothing_but_data() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/verify");
    let mut all = BTreeSet::new();
    for path in sources(&folder) {
        let text = std::fs::read_to_string(&path).expect("a source file");
        for room in rooms(&text) {
            assert!(DATA.contains(&room), "{} uses {room}", path.display());
            all.insert(room.to_owned());
        }
        // Paths from the crate's root have one form, so that none is overlooked.
        assert!(!text.contains("super::super"), "{}", path.display());
        assert!(!text.contains("crate::{"), "{}", path.display());
        assert!(!text.contains("passes::"), "{}", path.display());
    }
    assert_eq!(Vec::from_iter(&all), DATA, "rooms that are not found");
}

#[test]
fn rooms_are_found_wherever_they_are_named() {
    let text = "
        //! As crate::order does.
        use crate::analysis::liveness::Liveness;
        use crate::verify::fault::Fault;
        fn of(slot: crate::function::Slot, all: &[crate::problem::Problem]) {}
    ";
    assert_eq!(
        Vec::from_iter(rooms(text)),
        ["analysis", "function", "problem"]
    );
}
