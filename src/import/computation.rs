//! Inline assembly that only computes.
//!
//! LLVM keeps what is marked `volatile` in order with every access to memory and with other
//! such assembly, and libraries mark so each conversion that they write by hand. ptxas reads
//! the text: what computes its results of its operands alone it moves as any other
//! computation. Only what is known to do so is told; what passes condition codes on, reads a
//! special register, calls, branches or has no statement at all, as a place in the order of
//! things, is not. Linear in the text. Source: NVIDIA's PTX ISA.

use super::meaning::unguarded;
use super::ptx::{Style, Token, tokens};

/// The families of PTX instructions that compute what they write of what they read.
const COMPUTE: [&str; 52] = [
    "abs", "add", "and", "bfe", "bfi", "bfind", "bmsk", "brev", "clz", "cnot", "copysign", "cos",
    "cvt", "div", "dp2a", "dp4a", "ex2", "fma", "fns", "lg2", "lop3", "mad", "mad24", "max", "min",
    "mov", "mul", "mul24", "neg", "not", "or", "popc", "prmt", "rcp", "rem", "rsqrt", "sad",
    "selp", "set", "setp", "shf", "shl", "shr", "sin", "slct", "sqrt", "sub", "szext", "tanh",
    "testp", "vadd", "xor",
];

/// Whether a text has statements, and each computes what it writes of what it reads.
pub fn computes(text: &str) -> bool {
    let tokens = tokens(text, Style::Assembly);
    let is_special = |token: &Token| matches!(token, Token::Word(word) if word.starts_with('%'));
    if tokens.iter().any(is_special) {
        return false;
    }
    let mut any = false;
    for statement in tokens.split(|&token| token == Token::Other(';')) {
        let Some(mnemonic) = mnemonic(statement) else {
            continue;
        };
        if mnemonic == ".reg" {
            continue;
        }
        let mut words = mnemonic.split('.');
        let family = words.next().unwrap_or_default();
        if COMPUTE.binary_search(&family).is_err() || words.any(|word| word == "cc") {
            return false;
        }
        any = true;
    }
    any
}

/// The first word of a statement, behind where scopes begin and end, and its guard. A brace
/// behind that word belongs to a vector.
fn mnemonic<'a>(statement: &'a [Token<'a>]) -> Option<&'a str> {
    let is_brace = |token: &Token| matches!(token, Token::Other('{' | '}'));
    let begin = statement.iter().position(|token| !is_brace(token))?;
    match unguarded(&statement[begin..]) {
        [] => None,
        [Token::Word(word), ..] => Some(word),
        // No statement of PTX: nothing is known of it.
        [Token::Operand(_) | Token::Other(_), ..] => Some(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_and_sums_compute() {
        assert!(COMPUTE.is_sorted());
        assert!(computes("cvt.f32.f16 $0, $1;"));
        assert!(computes("{cvt.rn.f16x2.e5m2x2 $0, $1;}\n"));
        assert!(computes(
            "{.reg .f16 a, b;\n mov.b32 {a, b}, $1;\n add.f16 $0, a, b;}"
        ));
        assert!(computes(
            "{.reg .pred p; setp.ne.b32 p, $1, 0; @p add.u32 $0, $1, 1;}"
        ));
        assert!(computes("// a comment\nlop3.b32 $0, $1, $2, $3, 0x96;"));
    }

    #[test]
    fn what_does_more_is_not_told() {
        for text in [
            "",
            "// wait for regs: $0",
            "ld.global.b32 $0, [$1];",
            "cvt.f32.f16 $0, $1; bar.sync 0;",
            "mov.u32 $0, %clock;",
            "mov.u64 $0, %globaltimer;",
            "add.cc.u32 $0, $1, $2;",
            "addc.u32 $0, $1, $2;",
            "madc.hi.u32 $0, $1, $2, $3;",
            "mad.lo.cc.u32 $0, $1, $2, $3;",
            "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {$0}, {$1}, {$2}, {$3};",
            "shfl.sync.bfly.b32 $0, $1, 1, 31, -1;",
            "vote.sync.any.pred $0, $1, -1;",
            "{L: add.u32 $0, $1, 1; bra L;}",
            "call (r), f, (p);",
            "activemask.b32 $0;",
        ] {
            assert!(!computes(text), "{text}");
        }
    }
}
