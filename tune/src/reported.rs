//! What `ptxas -v` reports of each kernel.

use std::collections::BTreeMap;

/// What a kernel takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reported {
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of shared memory of a block.
    pub shared_memory: u32,
}

/// The kernels of a report by name.
pub fn reported(text: &str) -> BTreeMap<String, Reported> {
    let mut kernels = BTreeMap::new();
    let mut kernel = None;
    for line in text.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            kernel = rest.split('\'').next();
        } else if let Some(registers) = number_before(line, " registers")
            && let Some(kernel) = kernel.take()
        {
            let shared_memory = number_before(line, " bytes smem").unwrap_or(0);
            let found = Reported {
                registers,
                shared_memory,
            };
            kernels.insert(kernel.to_owned(), found);
        }
    }
    kernels
}

/// The number that stands before some words.
fn number_before(line: &str, words: &str) -> Option<u32> {
    let (before, _) = line.split_once(words)?;
    before.rsplit([' ', ',']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_have_registers_and_perhaps_shared_memory() {
        let text = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'first' for 'sm_90'
ptxas info    : Function properties for first
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 24 registers, used 1 barriers, 1024 bytes smem
ptxas info    : Compile time = 1.2 ms
ptxas info    : Compiling entry function 'second' for 'sm_90'
ptxas info    : Used 8 registers
";
        let found = reported(text);
        let expected = |registers, shared_memory| Reported {
            registers,
            shared_memory,
        };
        assert_eq!(found["first"], expected(24, 1024));
        assert_eq!(found["second"], expected(8, 0));
        assert_eq!(found.len(), 2);
    }
}
