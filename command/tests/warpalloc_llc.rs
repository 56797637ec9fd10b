//! `warpalloc-llc` with a program in llc's place that prints its arguments.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One test at a time: a program cannot be run while another test's child has it open for
/// writing, as it has between its fork and its exec.
static ALONE: Mutex<()> = Mutex::new(());

/// A folder with the command in `bin`, as it is installed.
struct Installed {
    folder: tempfile::TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Installed {
    /// The plugin is in this folder, if any.
    fn new(plugin: Option<&str>) -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        for name in ["bin", "lib"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let installed = Self {
            folder,
            _alone: alone,
        };
        fs::copy(env!("CARGO_BIN_EXE_warpalloc-llc"), installed.command()).unwrap();
        if let Some(place) = plugin {
            fs::write(installed.path(place).join("libwarpalloc.so"), "").unwrap();
        }
        installed
    }

    fn path(&self, name: &str) -> PathBuf {
        // Temporary folders may be links.
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn command(&self) -> PathBuf {
        self.path("bin").join("warpalloc-llc")
    }

    /// A program that prints its arguments, one for each line, and ends with status 7.
    fn llc(&self, place: &str) -> PathBuf {
        let llc = self.path(place);
        fs::write(&llc, "#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 7\n").unwrap();
        fs::set_permissions(&llc, fs::Permissions::from_mode(0o755)).unwrap();
        llc
    }

    fn run(&self, variables: &[(&str, &Path)], arguments: &[&str]) -> Output {
        let mut command = Command::new(self.command());
        command
            .env_remove("WARPALLOC_LLC")
            .env_remove("WARPALLOC_OPTIONS");
        command.envs(variables.iter().copied()).args(arguments);
        command.output().unwrap()
    }
}

fn lines(output: &Output) -> Vec<String> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn error(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn it_is_llc_with_the_plugin_and_the_users_arguments_last() {
    for place in ["bin", "lib"] {
        let installed = Installed::new(Some(place));
        let llc = installed.llc("llc");
        let options = Path::new("-verify-regalloc '-mattr=+ptx88,+a b'");
        let variables = [
            ("WARPALLOC_LLC", llc.as_path()),
            ("WARPALLOC_OPTIONS", options),
        ];
        let output = installed.run(&variables, &["k e.ll", "-o", ""]);
        let plugin = installed.path(place).join("libwarpalloc.so");
        let load = format!("-load={}", plugin.display());
        let expected = [
            &load,
            "-regalloc=warpalloc",
            "-verify-regalloc",
            "-mattr=+ptx88,+a b",
            "k e.ll",
            "-o",
            "",
        ];
        assert_eq!(lines(&output), expected);
        assert_eq!(output.status.code(), Some(7));
    }
}

#[test]
fn llc_is_found_on_the_path() {
    let installed = Installed::new(Some("lib"));
    installed.llc("llc-22");
    let path = installed.path("");
    let output = installed.run(&[("PATH", path.as_path())], &["k.ll"]);
    assert_eq!(lines(&output).last().map(String::as_str), Some("k.ll"));
    // An empty variable names nothing.
    let variables = [("PATH", path.as_path()), ("WARPALLOC_LLC", Path::new(""))];
    assert_eq!(installed.run(&variables, &[]).status.code(), Some(7));
}

#[test]
fn what_is_missing_is_named() {
    let without = Installed::new(None);
    let said = error(&without.run(&[], &["k.ll"]));
    let (bin, lib) = (without.path("bin"), without.path("lib"));
    let expected = format!(
        "warpalloc-llc: error: libwarpalloc.so is neither in {} nor in {}\n",
        bin.display(),
        lib.display()
    );
    assert_eq!(said, expected);
    drop(without);
    let installed = Installed::new(Some("lib"));
    let gone = installed.path("gone");
    let said = error(&installed.run(&[("WARPALLOC_LLC", &gone)], &[]));
    assert!(said.contains("gone, which is no file"), "{said}");
    let file = installed.path("file");
    fs::write(&file, "").unwrap();
    let said = error(&installed.run(&[("WARPALLOC_LLC", &file)], &[]));
    assert!(said.contains("cannot run"), "{said}");
    let options = Path::new("'-O2");
    let said = error(&installed.run(&[("WARPALLOC_OPTIONS", options)], &[]));
    assert!(said.contains("a quote without an end: '-O2"), "{said}");
}
