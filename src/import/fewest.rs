//! The fewest registers a thread with which ptxas compiles an instruction.
//!
//! An instruction of the tensor cores takes its matrices in runs of registers, which have to
//! lie beside what ptxas keeps for itself. Of a bound that leaves no room for them it says
//! "Insufficient registers", names the least that would do, and gives up. Everything else
//! compiles with the fewest that ptxas keeps at all. Linear in the text. Source: ours, what
//! ptxas 13.0.88 says of each shape for sm_80, sm_90a and sm_100a.

use super::ptx::{Style, Token, tokens};

/// What ptxas keeps for itself beside the matrices.
const OWN: u32 = 18;
/// The accumulators of a warpgroup begin at a multiple of eight behind that.
const OWN_BESIDE_WARPGROUP: u32 = OWN + 8;
/// It takes the shapes of WMMA to pieces, the largest of which has ten registers.
const PIECES: u32 = OWN + 10;
/// "... cannot be compiled with specified register target constraints" says ptxas below it of
/// matrices of doubles with sixteen rows.
const SIXTEEN_ROWS_OF_DOUBLES: u32 = 63;

/// The fewest registers for all instructions of a text; 0 if there is none that counts.
pub fn fewest_registers(text: &str, style: Style) -> u32 {
    if !["mma", "tcgen05"].iter().any(|one| text.contains(one)) {
        return 0;
    }
    let tokens = tokens(text, style);
    let statements = tokens.split(|token| *token == Token::Other(';'));
    statements.map(of_statement).max().unwrap_or(0)
}

fn of_statement(statement: &[Token]) -> u32 {
    let mut parts = statement.iter().enumerate();
    let found = parts.find_map(|(at, token)| match token {
        Token::Word(word) => Some((at, Matrices::of_mnemonic(word)?)),
        _ => None,
    });
    found.map_or(0, |(at, matrices)| matrices.registers(&statement[at + 1..]))
}

/// Where an instruction has its matrices.
enum Matrices {
    /// In all of its brace groups, beside so many registers.
    InGroups(u32),
    /// In all of its brace groups but the first, which is the last, in so many registers a
    /// place.
    Accumulated(u32),
    /// In so many registers, whatever the shape.
    Fixed(u32),
}

impl Matrices {
    fn of_mnemonic(mnemonic: &str) -> Option<Self> {
        let words: Vec<_> = mnemonic.split('.').collect();
        let is_double = words.contains(&"f64");
        Some(match words[..] {
            ["wgmma", "mma_async", ..] => Self::InGroups(OWN_BESIDE_WARPGROUP),
            ["tcgen05", "ld" | "st", ..] => Self::InGroups(OWN),
            ["wmma", "mma", ..] => Self::Fixed(PIECES),
            ["mma", ..] if is_double && mnemonic.contains(".m16") => {
                Self::Fixed(SIXTEEN_ROWS_OF_DOUBLES)
            }
            ["mma", ..] => Self::Accumulated(if is_double { 2 } else { 1 }),
            _ => return None,
        })
    }

    fn registers(&self, operands: &[Token]) -> u32 {
        let groups = places(operands);
        match *self {
            Self::InGroups(own) => own + groups.iter().sum::<u32>(),
            // The result lies where that lay which it is added to.
            Self::Accumulated(width) => OWN + groups.iter().skip(1).sum::<u32>() * width,
            Self::Fixed(registers) => registers,
        }
    }
}

/// How many places each brace group has.
fn places(operands: &[Token]) -> Vec<u32> {
    let mut groups = Vec::new();
    let mut open = false;
    for token in operands {
        match token {
            Token::Other('{') => {
                open = true;
                groups.push(1);
            }
            Token::Other('}') => open = false,
            Token::Other(',') if open => {
                if let Some(places) = groups.last_mut() {
                    *places += 1;
                }
            }
            _ => {}
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many places in braces.
    fn group(places: usize) -> String {
        format!("{{{}}}", vec!["$1"; places].join(", "))
    }

    /// As ptxas says: "Try to compile with register target of ... or higher".
    #[test]
    fn shapes_need_what_ptxas_says() {
        let multiply = |shape: &str, sizes: [usize; 4]| {
            let groups = sizes.map(group);
            format!("mma.sync.aligned.{shape} {};", groups.join(", "))
        };
        let sparse = [4, 4, 4, 4].map(group).join(", ");
        let warpgroup = |accumulators, fragments: &str| {
            let accumulators = group(accumulators);
            format!(
                "{{ .reg .pred p; setp.ne.b32 p, $9, 0; \
                 wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {accumulators}, {fragments}, \
                 $3, p, 1, 1; }}"
            )
        };
        for (text, expected) in [
            (
                multiply("m16n8k16.row.col.f32.f16.f16.f32", [4, 4, 2, 4]),
                28,
            ),
            (
                multiply("m16n8k16.row.col.f16.f16.f16.f16", [2, 4, 2, 2]),
                26,
            ),
            (
                multiply("m16n8k8.row.col.f32.f16.f16.f32", [4, 2, 1, 4]),
                25,
            ),
            (multiply("m8n8k4.row.col.f64.f64.f64.f64", [2, 1, 1, 2]), 26),
            (
                multiply("m16n8k4.row.col.f64.f64.f64.f64", [4, 2, 1, 4]),
                63,
            ),
            (
                format!(
                    "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {sparse}, $7, 0;"
                ),
                30,
            ),
            (warpgroup(4, "$2"), 30),
            (warpgroup(64, "$2"), 90),
            (warpgroup(128, "$2"), 154),
            (warpgroup(128, &group(4)), 158),
            (
                format!(
                    "tcgen05.ld.sync.aligned.32x32b.x64.b32 {}, [$65];",
                    group(64)
                ),
                82,
            ),
            (
                format!(
                    "@$0 tcgen05.st.sync.aligned.32x32b.x32.b32 [$1], {};",
                    group(32)
                ),
                50,
            ),
            ("// wait for regs: wgmma".into(), 0),
            ("wgmma.wait_group.sync.aligned 0;".into(), 0),
            (format!("ld.global.v4.b32 {}, [$5];", group(4)), 0),
        ] {
            assert_eq!(fewest_registers(&text, Style::Assembly), expected, "{text}");
        }
    }
}
