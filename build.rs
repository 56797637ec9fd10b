//! Finds LLVM 22, generates the C header of the boundary and compiles the shim.
//!
//! libLLVM is linked dynamically, never statically: the plugin must share the
//! registries of the tool that loads it.
//!
//! `WARPALLOC_SANITIZE=address,undefined` or `=thread` instruments the shim, with
//! clang; the tool that loads the plugin must then preload the sanitizer's runtime
//! (see scripts/build_sanitized.sh).

mod llvm_config;

use llvm_config::{LLVM_MAJOR, query};
use std::env;
use std::path::{Path, PathBuf};
use std::process::exit;

const SHIM: &str = "src/shim";
/// Faults planted on purpose, to see that a sanitizer reports them.
const PLANTS: &str = "src/shim/plants";
const ABI: [&str; 7] = [
    "src/abi.rs",
    "src/abi/choices.rs",
    "src/abi/source.rs",
    "src/abi/ir.rs",
    "src/entry.rs",
    "src/choices/entry.rs",
    "src/ir/entry.rs",
];

fn main() {
    println!("cargo:rerun-if-env-changed=LLVM_CONFIG");
    println!("cargo:rerun-if-changed=llvm_config.rs");
    let llvm = Llvm::find().unwrap_or_else(|message| fail(&message));
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_else(|| fail("OUT_DIR is not set")));
    generate_header(&out);
    if env::var_os("CARGO_CFG_MIRI").is_some() {
        // Miri runs Rust only.
        return;
    }
    compile_shim(&llvm, &out);
    println!("cargo:rustc-link-search=native={}", llvm.library_folder);
    for library in &llvm.libraries {
        println!("cargo:rustc-link-lib=dylib={library}");
    }
    println!("cargo:rustc-link-lib=dylib=stdc++");
}

/// What the shim needs to know about the installed LLVM.
struct Llvm {
    include_folder: String,
    library_folder: String,
    /// Names for the linker, such as `LLVM-22`.
    libraries: Vec<String>,
    has_rtti: bool,
    /// Some of its classes have more members then.
    has_assertions: bool,
}

impl Llvm {
    fn find() -> Result<Self, String> {
        let config = llvm_config::find()?;
        llvm_config::version(&config)?;
        let libraries: Vec<_> = query(&config, &["--link-shared", "--libs"])?
            .split_whitespace()
            .filter_map(|word| word.strip_prefix("-l").map(String::from))
            .collect();
        if libraries.is_empty() {
            return Err("this LLVM has no shared library libLLVM".into());
        }
        let include_folder = query(&config, &["--includedir"])?;
        let header = "llvm/CodeGen/MachineFunction.h";
        if !Path::new(&include_folder).join(header).exists() {
            return Err(format!(
                "LLVM's headers are missing from {include_folder}; on Debian install llvm-{LLVM_MAJOR}-dev"
            ));
        }
        Ok(Self {
            include_folder,
            library_folder: query(&config, &["--libdir"])?,
            libraries,
            has_rtti: query(&config, &["--has-rtti"])? == "YES",
            has_assertions: query(&config, &["--assertion-mode"])? == "ON",
        })
    }
}

fn generate_header(out: &Path) {
    let mut builder = cbindgen::Builder::new()
        .with_language(cbindgen::Language::Cxx)
        .with_no_includes()
        .with_sys_include("cstdint")
        .with_pragma_once(true)
        .with_documentation(true)
        .exclude_item("llvmGetPassPluginInfo")
        .exclude_item("PassPluginLibraryInfo")
        // Only functions of the shim have them.
        .include_item("WarpallocIrLoops")
        .include_item("WarpallocIrCopy")
        .include_item("WarpallocIrAddress")
        .include_item("WarpallocIrIngredients")
        .exclude_item("PLUGIN_API_VERSION");
    for file in ABI {
        println!("cargo:rerun-if-changed={file}");
        builder = builder.with_src(file);
    }
    match builder.generate() {
        Ok(bindings) => bindings.write_to_file(out.join("warpalloc_abi.h")),
        Err(error) => fail(&format!("cannot generate the C header: {error}")),
    };
}

fn compile_shim(llvm: &Llvm, out: &Path) {
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .flag("-fno-exceptions")
        .flag("-fvisibility=hidden")
        .flag("-isystem")
        .flag(&llvm.include_folder)
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_FORMAT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        .include(out)
        .warnings(true)
        .extra_warnings(true)
        // The registrations are static objects that nothing refers to.
        .link_lib_modifier("+whole-archive")
        .cpp_link_stdlib(None);
    if !llvm.has_rtti {
        build.flag("-fno-rtti");
    }
    if !llvm.has_assertions {
        build.define("NDEBUG", None);
    }
    add_files(&mut build, out, SHIM);
    println!("cargo:rerun-if-env-changed=WARPALLOC_SANITIZE");
    if let Ok(sanitizers) = env::var("WARPALLOC_SANITIZE") {
        sanitize(&mut build, &sanitizers);
        add_files(&mut build, out, PLANTS);
    }
    if let Err(error) = build.try_compile("warpalloc_shim") {
        fail(&format!("cannot compile the shim: {error}"));
    }
}

/// Instruments the shim. The runtime comes with the process, not with the plugin.
fn sanitize(build: &mut cc::Build, sanitizers: &str) {
    build
        .compiler(format!("clang++-{LLVM_MAJOR}"))
        .flag(format!("-fsanitize={sanitizers}"))
        .flag("-fno-sanitize-recover=all")
        .flag("-fno-omit-frame-pointer")
        .flag("-g1")
        .opt_level(1);
}

/// Adds a folder's C++ in two parts, which two processors compile at once. Of the time that
/// a file of its own would take nearly all goes into LLVM's headers.
fn add_files(build: &mut cc::Build, out: &Path, folder: &str) {
    println!("cargo:rerun-if-changed={folder}");
    let root = env::current_dir().unwrap_or_else(|error| fail(&format!("no folder: {error}")));
    let mut parts = [String::new(), String::new()];
    let mut next = 0;
    for file in files_in(folder) {
        println!("cargo:rerun-if-changed={}", file.display());
        if file.extension().is_some_and(|extension| extension == "cpp") {
            parts[next] += &format!("#include \"{}\"\n", root.join(file).display());
            next = 1 - next;
        }
    }
    for (number, text) in parts
        .iter()
        .enumerate()
        .filter(|(_, text)| !text.is_empty())
    {
        let part = out.join(format!("{}_{number}.cpp", folder.replace('/', "_")));
        // A file that stays as it is keeps its time.
        if std::fs::read_to_string(&part).ok().as_ref() != Some(text)
            && let Err(error) = std::fs::write(&part, text)
        {
            fail(&format!("{}: {error}", part.display()));
        }
        build.file(part);
    }
}

fn files_in(folder: &str) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| fail(&format!("{folder}: {error}")));
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

fn fail(message: &str) -> ! {
    eprintln!("warpalloc: {message}");
    exit(1)
}
