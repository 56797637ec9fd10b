//! `--time`: a command that knows how to run the kernels decides.
//!
//! It gets the PTX, the cubin and the name of a kernel, and prints how long that takes, the
//! last word of what it prints being a number: the less the better, in any unit. It runs
//! alone. Timed are stock, the best of what may be chosen by figures, and codes of whose loops
//! some correspond to none of stock's, of which figures know the worst alone.

use crate::error::TuneError;
use crate::figures::Figures;
use crate::rule::ranked;
use crate::tools::stdout;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// So many codes of a kernel are timed at most that may be chosen, and so many others.
const MOST_TIMED: usize = 4;

/// The codes of a kernel worth their time, each once; stock, the first, is one of them.
pub fn worth_timing(codes: &[Option<&Figures>]) -> Vec<usize> {
    let Some(stock) = codes.first().copied().flatten() else {
        return Vec::new();
    };
    let mut seen = BTreeSet::from([(&stock.code, stock.registers)]);
    let mut chosen = vec![0];
    let others = (0..codes.len())
        .filter(|&number| codes[number].is_some_and(|code| !code.beside(stock).is_complete));
    for group in [ranked(codes), others.collect()] {
        let known = chosen.len();
        for number in group {
            let Some(code) = codes[number] else {
                continue;
            };
            if chosen.len() < known + MOST_TIMED && seen.insert((&code.code, code.registers)) {
                chosen.push(number);
            }
        }
    }
    chosen
}

/// How long a kernel takes.
///
/// # Errors
/// If the command fails or prints no number.
pub fn time(command: &str, ptx: &Path, cubin: &Path, kernel: &str) -> Result<f64, TuneError> {
    let mut timing = Command::new("sh");
    // The shell splits the command; what we add stays in one piece each.
    timing.arg("-c").arg(format!("{command} \"$@\""));
    timing.arg(command).arg(ptx).arg(cubin).arg(kernel);
    let output = stdout(&mut timing)?;
    let number = output.split_whitespace().next_back();
    let number = number.and_then(|word| word.parse::<f64>().ok());
    number
        .filter(|time| time.is_finite())
        .ok_or_else(|| TuneError::Time {
            kernel: kernel.to_owned(),
            output: output.trim().to_owned(),
        })
}

/// The number of the shortest time; of equal ones the first.
pub fn shortest(times: &[(usize, f64)]) -> Option<usize> {
    let shortest = times.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    shortest.map(|(number, _)| *number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use machine_code::work::LoopWork;

    #[test]
    fn the_last_word_is_the_time() {
        let time = |command| time(command, Path::new("a b.ptx"), Path::new("c"), "k");
        assert_eq!(time("echo took 2.5 #").unwrap(), 2.5);
        assert_eq!(
            time("printf '%s\\n' 1 >/dev/null; printf '%.0s7'").unwrap(),
            777.0
        );
        let error = time("echo").unwrap_err().to_string();
        assert_eq!(
            error,
            "the timing command printed no number for 'k', but: a b.ptx c k"
        );
        assert!(time("exit 4 #").is_err());
    }

    #[test]
    fn codes_are_timed_once() {
        let code = |name: &str, local, loops: usize| {
            let one = LoopWork {
                instructions: 10,
                issue: 10,
                local,
                ..LoopWork::default()
            };
            Figures::new(vec![one; 1 + loops], 64, 16, name.into())
        };
        let stock = code("s", 4, 0);
        let (better, worse) = (code("b", 1, 0), code("w", 9, 0));
        let unrolled = code("u", 9, 1);
        let codes = [&stock, &better, &worse, &better, &unrolled].map(Some);
        assert_eq!(worth_timing(&codes), [0, 1, 4]);
    }

    #[test]
    fn of_equal_times_the_first() {
        assert_eq!(shortest(&[(0, 2.0), (3, 1.0), (5, 1.0)]), Some(3));
        assert_eq!(shortest(&[]), None);
    }
}
