//! `warpalloc replay` and `warpalloc check` on files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where the passes' own tests have their files.
fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../passes/tests/data")
}

fn warpalloc(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpalloc"));
    command
        .current_dir(data())
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn the_command_checks_files() {
    let output = warpalloc(&["check", "calls.warp"]);
    assert!(output.status.success());
    let stdout = String::from_utf8(output.stdout).unwrap();
    // It is in the standard form but for what people say to people.
    let text = fs::read_to_string(data().join("calls.warp")).unwrap();
    let code = text.lines().filter_map(|line| line.split('#').next());
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let expected: Vec<_> = code.flat_map(words).collect();
    assert_eq!(words(&stdout), expected);
}

#[test]
fn the_command_replays_files() {
    let output = warpalloc(&["replay", "--print", "calls.warp", "pressure.warp"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{stderr}");
    let stdout = String::from_utf8(output.stdout).unwrap();
    let statistics: Vec<&str> = stdout
        .lines()
        .filter(|line| line.starts_with("warpalloc: "))
        .collect();
    assert!(statistics[0].starts_with("warpalloc: function=calls used.Full="));
    assert!(statistics[1].starts_with("warpalloc: function=pressure used.R="));
    assert!(stdout.contains("\nb1\n"), "{stdout}");
}

#[test]
fn the_command_names_the_place_of_a_mistake() {
    let file = std::env::temp_dir().join(format!("warpalloc-mistake-{}.warp", std::process::id()));
    fs::write(&file, "machine gpu limit=8\nfunction f\nblock b1\n").unwrap();
    let name = file.to_str().unwrap();
    let output = warpalloc(&["replay", name, "no-such-file.warp"]);
    fs::remove_file(&file).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    let (first, second) = stderr.split_once('\n').unwrap();
    assert_eq!(
        first,
        format!("{name}:3:7: error: expected 'b0', found 'b1'")
    );
    assert!(second.starts_with("no-such-file.warp: error: "), "{second}");
}
