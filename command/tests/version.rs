//! `warpalloc --version` names the LLVM that llvm-config is of.

use std::process::Command;

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_version_names_llvm() {
    let llvm = option_env!("LLVM_CONFIG").unwrap_or("llvm-config-22");
    let llvm = output(Command::new(llvm).arg("--version"));
    let said = output(Command::new(env!("CARGO_BIN_EXE_warpalloc")).arg("--version"));
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!("warpalloc {version} (built for LLVM {})\n", llvm.trim());
    assert_eq!(said, expected);
}
