//! The names that `-passes=` knows, and what they stand for, in the order of the work.

/// The pipeline of a name, or why it has none; `None` if the name is not ours.
pub fn text(name: &str) -> Option<Result<String, String>> {
    let (name, parameter) = match name.split_once('<') {
        Some((name, rest)) => (name, Some(rest.strip_suffix('>')?)),
        None => (name, None),
    };
    let pipeline: fn(&str) -> String = match name {
        "warpalloc-inline" if parameter.is_none() => |_| inline(),
        "warpalloc-promote" => promote,
        "warpalloc" => whole,
        _ => return None,
    };
    let sm = match parameter {
        None => String::new(),
        Some(processor) => match processor_number(processor) {
            Ok(_) => format!("<{processor}>"),
            Err(message) => return Some(Err(message)),
        },
    };
    Some(Ok(pipeline(&sm) + ",warpalloc-finish"))
}

const INLINE_ROUND: &str = "warpalloc-choose-calls,always-inline,\
    function(warpalloc-on-newly-changed(sroa<modify-cfg>,early-cse,simplifycfg,\
    instcombine<no-verify-fixpoint>))";

const PROMOTE_ROUND: &str = "warpalloc-split-copies,warpalloc-choose-loops,\
    function(warpalloc-on-newly-changed(loop-simplify,lcssa,loop(loop-unroll-full),\
    sroa<modify-cfg>,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,sccp))";

const SELECT_ROUND: &str = "warpalloc-select-elements,\
    function(warpalloc-on-newly-changed(sroa<modify-cfg>,early-cse<memssa>,\
    instcombine<no-verify-fixpoint>,simplifycfg))";

/// Addresses that differ by constants get one base. Whoever unrolls or inlines leaves many
/// that do, each with a register of its own around loops, and `llc` does this once only.
const SHARE_BASES: &str = "function(warpalloc-on-changed(separate-const-offset-from-gep,\
    early-cse)),warpalloc-sink-addresses,function(warpalloc-on-changed(dce))";

fn inline() -> String {
    [INLINE_ROUND, INLINE_ROUND, INLINE_ROUND, "globaldce"].join(",")
}

/// What is changed is compared with what it was, and stays if it is better. `sm` is empty,
/// or a processor between < and >, for the passes that count registers.
fn promote(sm: &str) -> String {
    [
        "warpalloc-eligibility",
        "warpalloc-keep-originals",
        PROMOTE_ROUND,
        PROMOTE_ROUND,
        SELECT_ROUND,
        "warpalloc-narrow-compares",
        "warpalloc-tables",
        SHARE_BASES,
        &format!("warpalloc-weigh{sm}"),
        // Marked are those that are as they were.
        SHARE_BASES,
        "warpalloc-grid-constants",
        // Tables of kernels that are as they were.
        "globaldce",
    ]
    .join(",")
}

/// All of it: what stands before code generation.
fn whole(sm: &str) -> String {
    let exclude = "warpalloc-exclude".to_owned();
    let convert = format!("warpalloc-if-convert{sm},function(warpalloc-on-changed(simplifycfg))");
    let sink = format!("warpalloc-sink{sm},function(warpalloc-on-changed(dce))");
    [exclude, inline(), promote(sm), convert, sink].join(",")
}

/// 90 for `sm_90a`.
pub fn processor_number(name: &str) -> Result<u32, String> {
    let digits = name.strip_prefix("sm_").unwrap_or_default();
    let digits = digits.strip_suffix(['a', 'f']).unwrap_or(digits);
    digits
        .parse()
        .map_err(|_| format!("'{name}' is no processor: give one such as sm_90"))
}
