//! `print<warpalloc-pressure>`: how many registers a function needs, before any is given.
//!
//! Requires: IR as it goes to code generation, for NVPTX. What is measured is a copy
//! ([`Lowered`]). Ensures: changes nothing; the same text for the same module.
//! An estimate: the back end orders and folds anew, and what it makes of values here is in
//! [`values`] and [`sunk`]. docs/pressure.md has figures.
//! Complexity: that of liveness, block by block until nothing changes.

pub mod block;
pub mod class;
mod lines;
pub mod live;
mod measure;
pub mod peaks;
mod report;
mod sunk;
pub mod uniform;
pub mod values;

use super::Unit;
use super::lowered::Lowered;
use inkwell::attributes::AttributeLoc;
use inkwell::values::FunctionValue;

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
    let lowered = Lowered::new(unit, unit.definitions());
    for function in lowered.unit().definitions() {
        let sm = request.sm.or_else(|| own_sm(unit, function));
        let report = report::Report::new(&measure::measure(lowered.unit(), function, sm), sm);
        text += &match request.json {
            true => report.json(),
            false => report.text(),
        };
    }
    text
}

/// The most registers of a thread that are live at once in a function, beside those of its
/// warp.
pub fn registers(unit: &Unit, function: FunctionValue) -> u32 {
    let uniform = uniform::Uniform::new(unit, function, own_sm(unit, function));
    let values = values::Values::new(unit, function, &uniform);
    let liveness = live::Liveness::new(unit, function, &values);
    peaks::most(&values, &liveness)
}

/// The SM that is asked for, or that a function is compiled for.
pub fn own_sm(unit: &Unit, function: FunctionValue) -> Option<u32> {
    if unit.settings().sm.is_some() {
        return unit.settings().sm;
    }
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
