//! The names that `-passes=` knows, and what they stand for, in the order of the work.

/// The pipeline of a name, or why it has none; `None` if the name is not ours.
pub fn text(name: &str) -> Option<Result<String, String>> {
    let text = match name {
        "warpalloc-inline" => INLINE.into(),
        "warpalloc" => whole(),
        _ => {
            let processor = name.strip_prefix("warpalloc<")?.strip_suffix('>')?;
            return Some(processor_number(processor).map(|_| whole()));
        }
    };
    Some(Ok(text))
}

const INLINE: &str = "warpalloc-choose-calls,always-inline";

/// All of it: what stands before code generation.
fn whole() -> String {
    format!("{INLINE},warpalloc-finish")
}

/// 90 for `sm_90a`.
fn processor_number(name: &str) -> Result<u32, String> {
    let digits = name.strip_prefix("sm_").unwrap_or_default();
    let digits = digits.strip_suffix(['a', 'f']).unwrap_or(digits);
    digits
        .parse()
        .map_err(|_| format!("'{name}' is no processor: give one such as sm_90"))
}
