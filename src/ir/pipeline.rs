//! The names that `-passes=` knows, and what they stand for, in the order of the work.

/// The pipeline of a name, or why it has none; `None` if the name is not ours.
pub fn text(name: &str) -> Option<Result<String, String>> {
    let text = match name {
        "warpalloc-inline" => inline() + ",warpalloc-finish",
        "warpalloc-promote" => promote() + ",warpalloc-finish",
        "warpalloc" => whole(),
        _ => {
            let processor = name.strip_prefix("warpalloc<")?.strip_suffix('>')?;
            return Some(processor_number(processor).map(|_| whole()));
        }
    };
    Some(Ok(text))
}

const INLINE_ROUND: &str = "warpalloc-choose-calls,always-inline,\
    function(warpalloc-on-changed(sroa<modify-cfg>,early-cse,simplifycfg,\
    instcombine<no-verify-fixpoint>))";

const PROMOTE_ROUND: &str = "warpalloc-split-copies,warpalloc-choose-loops,\
    function(warpalloc-on-changed(loop-simplify,lcssa,loop(loop-unroll-full),\
    sroa<modify-cfg>,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,sccp))";

const SELECT_ROUND: &str = "warpalloc-select-elements,\
    function(warpalloc-on-changed(sroa<modify-cfg>,early-cse<memssa>,\
    instcombine<no-verify-fixpoint>,simplifycfg))";

/// Addresses that differ by constants get one base. Whoever unrolls or inlines leaves many
/// that do, each with a register of its own around loops, and `llc` does this once only.
const SHARE_BASES: &str = "function(warpalloc-on-changed(separate-const-offset-from-gep,\
    early-cse)),warpalloc-sink-addresses,function(warpalloc-on-changed(dce))";

fn inline() -> String {
    [INLINE_ROUND, INLINE_ROUND, INLINE_ROUND, "globaldce"].join(",")
}

/// What is changed is compared with what it was, and stays if it is better.
fn promote() -> String {
    [
        "warpalloc-eligibility",
        "warpalloc-keep-originals",
        PROMOTE_ROUND,
        PROMOTE_ROUND,
        SELECT_ROUND,
        "warpalloc-tables",
        SHARE_BASES,
        "warpalloc-weigh",
        // Marked are those that are as they were.
        SHARE_BASES,
        "warpalloc-grid-constants",
    ]
    .join(",")
}

/// All of it: what stands before code generation.
fn whole() -> String {
    [&inline(), &promote(), "warpalloc-sink", "warpalloc-finish"].join(",")
}

/// 90 for `sm_90a`.
pub fn processor_number(name: &str) -> Result<u32, String> {
    let digits = name.strip_prefix("sm_").unwrap_or_default();
    let digits = digits.strip_suffix(['a', 'f']).unwrap_or(digits);
    digits
        .parse()
        .map_err(|_| format!("'{name}' is no processor: give one such as sm_90"))
}
