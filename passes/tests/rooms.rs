//! Which room of the crate may use which.
//!
//! The checker stands on data alone: were it to ask an analysis of the allocator, it would
//! believe that analysis, and accept what the allocator got wrong by it. And no room uses,
//! over however many others, one that uses it: each can be read after those that it needs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What the checker may name: the function, the machine and the result.
const DATA: [&str; 3] = ["allocation", "function", "machine"];

/// A source file's text as far as it is not compiled for tests only.
fn without_tests(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("a source file");
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    text[..end].to_owned()
}

/// The source files below a folder but for tests, which may compare with anything.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry of a folder").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.file_name().is_some_and(|name| name != "tests.rs") {
            found.push(path);
        }
    }
    found
}

/// What a text names of this crate's root, outside of comments.
fn rooms(text: &str) -> BTreeSet<&str> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let lines = text.lines().filter(is_code);
    let after = lines.flat_map(|line| line.split("crate::").skip(1));
    let names = after.map(|rest| {
        let end = rest.find(|one: char| !one.is_alphanumeric() && one != '_');
        &rest[..end.unwrap_or(rest.len())]
    });
    names.collect()
}

#[test]
fn the_checker_imports_nothing_but_data() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/verify");
    let mut all = BTreeSet::new();
    for path in sources(&folder) {
        let text = std::fs::read_to_string(&path).expect("a source file");
        for room in rooms(&text).into_iter().filter(|&room| room != "verify") {
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
        ["analysis", "function", "problem", "verify"]
    );
}

/// Takes out what uses nothing that is left, until only circles are left.
fn circles(mut uses: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    loop {
        let Some(room) = uses.iter().find(|(_, used)| used.is_empty()) else {
            return uses;
        };
        let room = room.0.clone();
        uses.remove(&room);
        for used in uses.values_mut() {
            used.remove(&room);
        }
    }
}

#[test]
fn no_rooms_use_each_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in sources(&root) {
        let inside = path.strip_prefix(&root).expect("below the root");
        let first = inside.components().next().expect("a name").as_os_str();
        let room = Path::new(first)
            .file_stem()
            .expect("a name")
            .to_string_lossy();
        if room == "lib" || room == "bin" {
            continue;
        }
        let text = without_tests(&path);
        assert!(!text.contains("crate::{"), "{}", path.display());
        let used = uses.entry(room.to_string()).or_default();
        used.extend(rooms(&text).into_iter().map(str::to_owned));
        used.remove(&*room);
    }
    let all: BTreeSet<String> = uses.keys().cloned().collect();
    for used in uses.values_mut() {
        used.retain(|room| all.contains(room));
    }
    assert!(uses["rounds"].contains("graph"), "{uses:?}");
    let circles = circles(uses);
    assert!(circles.is_empty(), "{circles:?}");
}

#[test]
fn circles_are_found() {
    let used = |rooms: &[&str]| rooms.iter().map(|&room| room.to_owned()).collect();
    let uses = [
        ("a".to_owned(), used(&["b"])),
        ("b".to_owned(), used(&["c"])),
        ("c".to_owned(), used(&["b", "d"])),
        ("d".to_owned(), used(&[])),
    ];
    let left = circles(BTreeMap::from(uses));
    assert_eq!(Vec::from_iter(left.keys()), ["a", "b", "c"]);
}
