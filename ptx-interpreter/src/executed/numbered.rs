//! Gives every instruction of a PTX file a line of its own: a `.loc` whose line is the
//! number of the instruction, which ptxas carries into the machine code.
//!
//! Ensures: the two texts differ by the `.loc` and one `.file` alone. Debug information of
//! the file itself is taken out of both, `, debug` of `.target` with it, which would keep
//! ptxas from optimising. Both begin with `.pragma "nounroll"`: a loop that ptxas unrolls
//! has several machine instructions for each of PTX that run a part of its times each.
//! Linear in the length of the file.

use crate::error::ParseError;
use crate::lexer::{Kind, Token, tokens};
use crate::module::Module;

/// A file before and after its instructions are numbered.
#[derive(Debug)]
pub struct Numbered {
    /// Without numbers.
    pub plain: String,
    /// With them.
    pub numbered: String,
    /// What both compute.
    pub module: Module,
    /// Where the numbers of a function begin: one more than those before it have.
    first: Vec<u32>,
}

impl Numbered {
    /// Reads and numbers a file.
    pub fn new(source: &str) -> Result<Self, ParseError> {
        let plain = without_debug(source)?;
        let module = Module::parse_lenient(&plain)?;
        let mut numbered = String::with_capacity(3 * plain.len());
        let header = end_of_header(&plain)?;
        numbered.push_str(&plain[..header]);
        numbered.push_str("\n.file 1 \"instructions\"\n");
        let (mut copied, mut number) = (header, 0);
        let mut first = Vec::new();
        for function in &module.functions {
            first.push(number + 1);
            for instruction in &function.instructions {
                number += 1;
                numbered.push_str(&plain[copied..instruction.start]);
                numbered.push_str(&format!("\n.loc 1 {number} 0\n"));
                copied = instruction.start;
            }
        }
        numbered.push_str(&plain[copied..]);
        Ok(Self {
            plain,
            numbered,
            module,
            first,
        })
    }

    /// The function and the place in it of the instruction with that number.
    pub fn place(&self, number: u32) -> Option<(usize, usize)> {
        let function = self
            .first
            .partition_point(|&first| first <= number)
            .checked_sub(1)?;
        let at = (number - self.first[function]) as usize;
        (at < self.module.functions[function].instructions.len()).then_some((function, at))
    }
}

/// The file with blanks for all that debuggers read, and with the pragma.
fn without_debug(source: &str) -> Result<String, ParseError> {
    let tokens = tokens(source)?;
    let mut bytes = source.as_bytes().to_vec();
    let mut at = 0;
    while tokens[at].kind != Kind::End {
        let start = at;
        let range = match tokens[at].text {
            ".loc" | ".file" => {
                let line = tokens[at].line;
                while tokens[at].kind != Kind::End && tokens[at].line == line {
                    at += 1;
                }
                start..at
            }
            ".section" => {
                while tokens[at].kind != Kind::End && tokens[at].text != "}" {
                    at += 1;
                }
                at += usize::from(tokens[at].kind != Kind::End);
                start..at
            }
            "," if tokens[at + 1].text == "debug" => {
                at += 2;
                start..at
            }
            _ => {
                at += 1;
                continue;
            }
        };
        let last = &tokens[range.end - 1];
        for byte in &mut bytes[tokens[range.start].start..last.start + last.text.len()] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    let mut plain = String::from_utf8_lossy(&bytes).into_owned();
    let header = end_of_header(&plain)?;
    plain.insert_str(header, "\n.pragma \"nounroll\";\n");
    Ok(plain)
}

/// Where statements may begin: behind the version, the target and the size of addresses.
fn end_of_header(source: &str) -> Result<usize, ParseError> {
    let tokens = tokens(source)?;
    let end = |token: &Token<'_>| token.start + token.text.len();
    let mut header = 0;
    for pair in tokens.windows(2) {
        if matches!(pair[0].text, ".version" | ".target" | ".address_size") {
            header = end(&pair[1]);
        }
    }
    Ok(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
.version 8.8\n.target sm_90, debug\n.address_size 64\n.file 1 \"a.cu\"\n\
.visible .entry k(.param .u64 out)\n{\n.reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %rd<2>;\n\
.loc 1 7 3\nld.param.b64 %rd1, [out]; mov.b32 %r1, 0;\n\
$L: { .reg .b32 t; add.s32 t, %r1, 1; mov.b32 %r1, t; }\nsetp.lt.s32 %p1, %r1, 5;\n\
@%p1 bra $L;\nst.global.b32 [%rd1], %r1;\nret;\n}\n.section .debug_abbrev\n{\n.b8 1\n}\n";

    #[test]
    fn each_instruction_has_a_number_and_debug_information_is_gone() {
        let numbered = Numbered::new(SOURCE).unwrap();
        for gone in ["debug", "a.cu", ".loc 1 7", ".section"] {
            assert!(!numbered.plain.contains(gone), "{gone}");
        }
        let text = &numbered.numbered;
        let places: Vec<_> = (1..=8)
            .map(|n| text.find(&format!("\n.loc 1 {n} 0\n")).unwrap())
            .collect();
        assert!(places.is_sorted());
        assert!(!text.contains(".loc 1 9"));
        assert!(text.contains(".loc 1 6 0\n@%p1 bra"));
        assert!(text.contains(".loc 1 4 0\nmov.b32 %r1, t"));
        assert_eq!(numbered.place(0), None);
        assert_eq!(numbered.place(1), Some((0, 0)));
        assert_eq!(numbered.place(8), Some((0, 7)));
        assert_eq!(numbered.place(9), None);
        // The numbers are all that the second text adds.
        let lines = text.lines();
        let without: String = lines
            .filter(|l| !l.starts_with(".loc") && !l.starts_with(".file"))
            .flat_map(str::split_whitespace)
            .collect();
        let plain: String = numbered.plain.split_whitespace().collect();
        assert_eq!(without, plain);
        // And it still is the same program.
        let again = Module::parse(text).unwrap();
        assert_eq!(again.functions[0].instructions.len(), 8);
    }
}
