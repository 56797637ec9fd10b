//! How much a PTX instruction reads of its 64-bit sources.
//!
//! An address in the shared or the local space has 32 bits: of a wider register the rest
//! is cut off. A store of 32 bits or fewer takes them from a register of any width. What a
//! sum, a product or a bitwise operation has in its low half depends on the low halves of
//! what it is made of, and a conversion to fewer bits drops the rest. Source: NVIDIA's PTX
//! ISA, "Addresses as Operands" and each instruction.

use super::ptx::Token;
use passes::pipeline::narrow::Half;

/// What one instruction reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// The low half of the result takes the low halves of the sources.
    by_result: bool,
    /// The operands that are addresses of 32 bits, or of which no more is stored.
    short: Vec<u16>,
}

impl Sources {
    /// Reads one statement: `mnemonic operand, operand, ...;`.
    pub fn read(tokens: &[Token]) -> Self {
        let statement = tokens.strip_suffix(&[Token::Other(';')]).unwrap_or(tokens);
        let [Token::Word(mnemonic), operands @ ..] = statement else {
            return Self::default();
        };
        // Guards, labels, scopes and further statements.
        let is_other = |token: &Token| match token {
            Token::Other(one) => !",[]+-{}".contains(*one),
            Token::Operand(_) | Token::Word(_) => false,
        };
        if operands.iter().any(is_other) {
            return Self::default();
        }
        let (short_addresses, short_values) =
            (has_short_addresses(mnemonic), has_short_values(mnemonic));
        let mut in_brackets = false;
        let mut short = Vec::new();
        for token in operands {
            let is_short = match in_brackets {
                true => short_addresses,
                false => short_values,
            };
            match *token {
                Token::Other('[') => in_brackets = true,
                Token::Other(']') => in_brackets = false,
                Token::Operand(number) if is_short => short.push(number),
                Token::Operand(_) | Token::Word(_) | Token::Other(_) => {}
            }
        }
        Self {
            // `mov.b64 {_, %r0}, %r1` takes the upper half out.
            by_result: BY_RESULT.contains(mnemonic) && !operands.contains(&Token::Other('{')),
            short,
        }
    }

    /// How much is read of an operand.
    pub fn of(&self, operand: u16) -> Half {
        match (self.short.contains(&operand), self.by_result) {
            (true, _) => Half::Low,
            (false, true) => Half::ByResult,
            (false, false) => Half::Both,
        }
    }
}

fn has_short_addresses(mnemonic: &str) -> bool {
    let mut words = mnemonic.split('.');
    let family = words.next().unwrap_or_default();
    ["ld", "st", "atom", "red"].contains(&family)
        && words.any(|word| word == "shared" || word == "local")
}

/// Whether it stores up to 32 bits of a register, which may be wider.
fn has_short_values(mnemonic: &str) -> bool {
    let mut words = mnemonic.split('.');
    let bits = words.next_back().unwrap_or_default();
    words.next() == Some("st") && ["b8", "b16", "b32"].contains(&bits)
}

/// Instructions with a result of which the low half takes but the low halves of their
/// 64-bit sources. The windows of the spaces in the generic one are added as constants.
const BY_RESULT: [&str; 31] = [
    "add.s64",
    "add.u64",
    "sub.s64",
    "sub.u64",
    "mul.lo.s64",
    "mul.lo.u64",
    "mad.lo.s64",
    "mad.lo.u64",
    "mad.wide.s32",
    "mad.wide.u32",
    "and.b64",
    "or.b64",
    "xor.b64",
    "not.b64",
    "neg.s64",
    "shl.b64",
    "selp.b64",
    "selp.s64",
    "selp.u64",
    "mov.b64",
    "mov.u64",
    "cvt.u8.u64",
    "cvt.u16.u64",
    "cvt.u32.u64",
    "cvt.s8.s64",
    "cvt.s16.s64",
    "cvt.s32.s64",
    "cvta.shared.u64",
    "cvta.local.u64",
    "cvta.global.u64",
    "cvta.const.u64",
];

#[cfg(test)]
mod tests {
    use crate::import::ptx::{Style, read};
    use passes::pipeline::narrow::Half::{self, Both, ByResult, Low};

    fn halves(text: &str) -> [Half; 3] {
        let reading = read(text, Style::Printed);
        [0, 1, 2].map(|number| reading.halves.of(number))
    }

    #[test]
    fn addresses_and_values_may_be_short() {
        for (text, expected) in [
            ("ld.shared.b64 \t%r0, [%r1+8];", [Both, Low, Both]),
            ("st.shared.v2.b64 [%r2], {%r0, %r1};", [Both, Both, Low]),
            ("st.local.b64 [%r1+-4], %r0;", [Both, Low, Both]),
            ("st.global.b32 [%r1], %r0;", [Low, Both, Both]),
            ("st.b8 [%r1], %r0;", [Low, Both, Both]),
            ("st.global.v2.b64 [%r1], {%r0, %r2};", [Both; 3]),
            ("atom.shared.add.u64 %r0, [%r1], %r2;", [Both, Low, Both]),
            ("ld.volatile.shared.b32 %r0, [%r1];", [Both, Low, Both]),
            ("ld.global.b64 %r0, [%r1];", [Both; 3]),
            ("ld.b64 %r0, [%r1];", [Both; 3]),
            ("ld.param.b64 %r0, [shared];", [Both; 3]),
            ("st.async.shared::cluster.b64 [%r0], %r1, [%r2];", [Both; 3]),
        ] {
            assert_eq!(halves(text), expected, "{text}");
        }
    }

    #[test]
    fn low_halves_come_of_low_halves() {
        for (text, expected) in [
            ("add.s64 \t%r0, %r1, %r2;", [ByResult; 3]),
            ("mad.wide.s32 %r0, %r1, 4, %r2;", [ByResult; 3]),
            ("cvt.u32.u64 %r0, %r1;", [ByResult; 3]),
            ("add.cc.s64 %r0, %r1, %r2;", [Both; 3]),
            ("mov.b64 %r0, %r1;", [ByResult; 3]),
            ("mov.b64 {_, %r0}, %r1;", [Both; 3]),
            ("shr.u64 %r0, %r1, %r2;", [Both; 3]),
            ("mul.hi.s64 %r0, %r1, %r2;", [Both; 3]),
            ("setp.eq.s64 %r0, %r1, %r2;", [Both; 3]),
            ("cvt.rn.f32.s64 %r0, %r1;", [Both; 3]),
            ("@%r2 add.s64 %r0, %r1, %r1;", [Both; 3]),
            ("{ add.s64 %r0, %r1, %r2; }", [Both; 3]),
            ("add.s64 %r0, %r1, %r2; not.b64 %r0, %r0;", [Both; 3]),
        ] {
            assert_eq!(halves(text), expected, "{text}");
        }
    }

    #[test]
    fn inline_assembly_reads_all() {
        let reading = read("add.s64 $0, $1, $2;", Style::Assembly);
        assert_eq!(reading.halves.of(1), Both);
    }
}
