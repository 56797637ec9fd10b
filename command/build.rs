//! Tells `warpalloc --version` the LLVM that the plugin is built for.

#[path = "../llvm_config.rs"]
mod llvm_config;

fn main() -> Result<(), String> {
    println!("cargo:rerun-if-env-changed=LLVM_CONFIG");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../llvm_config.rs");
    let version = llvm_config::version(&llvm_config::find()?)?;
    println!("cargo:rustc-env=WARPALLOC_LLVM_VERSION={version}");
    Ok(())
}
