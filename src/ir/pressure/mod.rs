//! `print<warpalloc-pressure>`: how many registers a function needs, before any is given.
//!
//! Requires: IR as it goes to code generation, for NVPTX; the shim hands over a copy that
//! [`LOWERING`] has run over. Ensures: changes nothing; the same text for the same module.
//! An estimate: the back end orders and folds anew, and what it makes of values here is in
//! [`values`] and [`sunk`]. docs/pressure.md has figures.
//! Complexity: that of liveness, block by block until nothing changes.

mod class;
mod lines;
mod live;
mod measure;
mod report;
mod sunk;
pub mod uniform;
mod values;

use super::Unit;
use inkwell::attributes::AttributeLoc;
use inkwell::values::FunctionValue;

/// What is done to a copy first: what the back end does to IR that changes how much is live.
/// Addresses with a base in common are computed from it.
pub const LOWERING: &str = "function(separate-const-offset-from-gep,slsr,early-cse,\
    nary-reassociate,early-cse,loop(loop-reduce))";

/// What the name in `-passes=` asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The SM, if not the one that a function is compiled for.
    sm: Option<u32>,
    /// JSON, not text.
    json: bool,
}

/// What `print<warpalloc-pressure>` or the same with `<PARAMETERS>` asks for, or why it is
/// wrong; `None` for other names.
pub fn request(name: &str) -> Option<Result<Request, String>> {
    let rest = name.strip_prefix("print<warpalloc-pressure>")?;
    let parameters = match rest {
        "" => "",
        _ => rest.strip_prefix('<')?.strip_suffix('>')?,
    };
    let mut request = Request::default();
    for parameter in parameters.split(';').filter(|text| !text.is_empty()) {
        if parameter == "json" {
            request.json = true;
            continue;
        }
        match super::pipeline::processor_number(parameter) {
            Ok(sm) => request.sm = Some(sm),
            Err(message) => return Some(Err(message)),
        }
    }
    Some(Ok(request))
}

/// What there is to say of all functions with a body.
pub fn print(unit: &Unit, request: Request) -> String {
    let mut text = String::new();
    for function in unit.definitions() {
        let sm = request.sm.or_else(|| own_sm(function));
        let report = report::Report::new(&measure::measure(unit, function, sm), sm);
        text += &match request.json {
            true => report.json(),
            false => report.text(),
        };
    }
    text
}

/// The SM that a function is compiled for.
fn own_sm(function: FunctionValue) -> Option<u32> {
    let attribute = function.get_string_attribute(AttributeLoc::Function, "target-cpu")?;
    let name = attribute.get_string_value().to_string_lossy().into_owned();
    super::pipeline::processor_number(&name).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_their_parameters() {
        let with = |sm, json| Some(Ok(Request { sm, json }));
        assert_eq!(request("print<warpalloc-pressure>"), with(None, false));
        assert_eq!(request("print<warpalloc-pressure><json>"), with(None, true));
        let both = request("print<warpalloc-pressure><sm_90a;json>");
        assert_eq!(both, with(Some(90), true));
        assert_eq!(request("print<warpalloc>"), None);
        let wrong = request("print<warpalloc-pressure><yaml>");
        assert!(wrong.is_some_and(|result| result.is_err()));
    }
}
