//! The module with all that was chosen, compiled as people will compile it.
//!
//! What was measured with all kernels alike must hold when each has its own. It need not:
//! kernels share device functions, and ptxas may know better. So it is measured once more,
//! and a kernel that came out worse than stock gets stock, until nothing changes; all do if
//! what was chosen cannot be compiled together. That ends, as stock is the last choice of each.

use crate::error::TuneError;
use crate::figures::Kernels;
use crate::measure::{Definition, Measured, Measurer};
use crate::rule::is_admissible;
use crate::variants::stock;
use passes::choices::{Choice, Choices, VERSION, Values};
use std::collections::BTreeMap;

/// Options of each kernel, by name.
pub type Chosen = BTreeMap<String, Values>;

/// A mixture that holds what it promises.
#[derive(Debug)]
pub struct Mixture {
    /// The file's choices, without reasons.
    pub choices: Choices,
    /// What its kernels cost.
    pub kernels: Kernels,
    /// Those that got stock in the end.
    pub given_up: Vec<String>,
}

/// The choices file: kernels have what was chosen; device functions what all kernels have,
/// or stock where these differ.
pub fn choices(definitions: &[Definition], chosen: &Chosen, made_of: Option<String>) -> Choices {
    let mut options = chosen.values();
    let common = options
        .next()
        .filter(|&first| options.all(|one| one == first));
    let stock = stock().options;
    let of_others = common.unwrap_or(&stock);
    let choice = |one: &Definition| Choice {
        function: one.name.clone(),
        sm: Some(one.processor.clone()),
        hash: Some(one.hash.clone()),
        options: chosen.get(&one.name).unwrap_or(of_others).clone(),
        reason: None,
        alternatives: Vec::new(),
    };
    Choices {
        version: VERSION,
        made_of,
        choices: definitions.iter().map(choice).collect(),
    }
}

/// Compiles the mixture, and gives up what does not hold: nothing where time has decided.
/// `number` is for its files.
///
/// # Errors
/// If not even stock can be compiled once more.
pub fn verify(
    measurer: &Measurer,
    definitions: &[Definition],
    baseline: &Kernels,
    mut chosen: Chosen,
    is_timed: bool,
    number: usize,
) -> Result<Mixture, TuneError> {
    let made_of = measurer.compilation().input.file_name();
    let made_of = made_of.map(|name| name.to_string_lossy().into_owned());
    let mut given_up = Vec::new();
    loop {
        let choices = choices(definitions, &chosen, made_of.clone());
        let measured = measurer.measure(number, &choices, false)?;
        let stock = stock().options;
        let holds = |name: &String| {
            let Measured::Kernels(kernels) = &measured else {
                return false;
            };
            let (before, now) = (baseline.get(name), kernels.get(name));
            before.zip(now).is_some_and(|(before, now)| {
                is_timed || before == now || is_admissible(before, now)
            })
        };
        let worse: Vec<String> = chosen
            .iter()
            .filter(|(name, options)| **options != stock && !holds(name))
            .map(|(name, _)| name.clone())
            .collect();
        if worse.is_empty() {
            return match measured {
                Measured::Kernels(kernels) => Ok(Mixture {
                    choices,
                    kernels,
                    given_up,
                }),
                Measured::Failed(message) => Err(TuneError::Output {
                    program: "llc",
                    message: format!("with all choices together: {message}"),
                }),
            };
        }
        for name in &worse {
            chosen.insert(name.clone(), stock.clone());
        }
        given_up.extend(worse);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(name: &str) -> Definition {
        Definition {
            name: name.into(),
            processor: "sm_90".into(),
            hash: "1".into(),
        }
    }

    #[test]
    fn device_functions_have_what_all_kernels_have_or_stock() {
        let definitions = [definition("a"), definition("b"), definition("f")];
        let here = Values::from([("spills".to_owned(), "here".into())]);
        let of_f = |a: &Values, b: &Values| {
            let chosen = Chosen::from([("a".into(), a.clone()), ("b".into(), b.clone())]);
            let all = choices(&definitions, &chosen, None).choices;
            assert_eq!(&all[0].options, a);
            assert_eq!(&all[1].options, b);
            all[2].options.clone()
        };
        let stock = stock().options;
        assert_eq!(of_f(&here, &here), here);
        assert_eq!(of_f(&here, &stock), stock);
    }
}
