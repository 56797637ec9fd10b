//! The scale factors of block-scaled matrix multiplications, of FP4, FP6 and FP8.
//!
//! `tcgen05.mma` finds them in tensor memory. Where there, its last two operands in brackets
//! say; the machine instruction names one register for both, so these addresses belong side
//! by side: a tuple of two. `mma` takes them in a register each, wherever these are; what
//! follows each in braces selects a byte and threads, and is no run of registers: ptxas puts
//! all four numbers into one uniform register.
//!
//! Linear in the statement. Source: NVIDIA's PTX ISA; the registers, of what ptxas 13 makes
//! for sm_100a (UTCOMMA, UTCQMMA) and sm_120a (OMMA.SF, QMMA.SF); cicc documents, scale
//! operands of FP4 and FP8.

use super::ptx::{Group, Token};

/// Whether a part of a mnemonic says that there are scale factors for blocks.
pub fn is_scaled(part: &str) -> bool {
    part.split('.').any(|word| word == "block_scale")
}

fn is_of(mnemonic: &str, family: &str) -> bool {
    mnemonic.split('.').next() == Some(family)
}

/// The addresses of the scale factors as a group, if the scaled multiplication whose mnemonic
/// goes on with these tokens has some in tensor memory.
pub fn addresses(mnemonic: &str, rest: &[Token]) -> Option<Group> {
    if !is_of(mnemonic, "tcgen05") {
        return None;
    }
    let end = rest.iter().position(|&token| token == Token::Other(';'));
    let statement = &rest[..end.unwrap_or(rest.len())];
    let opened = statement.split(|&token| token == Token::Other('[')).skip(1);
    let mut places: Vec<Option<u16>> = opened
        .map(|inside| match inside {
            [Token::Operand(number), Token::Other(']'), ..] => Some(*number),
            _ => None,
        })
        .collect();
    // Before them there is D, and A or what says which elements are there.
    let first = places.len().checked_sub(2).filter(|&first| first > 0)?;
    Some(Group {
        places: places.split_off(first),
        accumulator: false,
    })
}

/// Whether a brace group of a scaled multiplication, behind so many others, selects scale
/// factors.
pub fn is_selector(mnemonic: &str, groups: usize) -> bool {
    // D, A, B, C.
    groups >= 4 && is_of(mnemonic, "mma")
}

#[cfg(test)]
mod tests {
    use super::super::ptx::{Style, read};

    /// The places of the groups; accumulators have a star.
    fn groups(text: &str, style: Style) -> Vec<String> {
        let groups = read(text, style).groups;
        let text = |group: &super::Group| {
            let numbers = group.places.iter().flatten().map(u16::to_string);
            let star = if group.accumulator { "*" } else { "" };
            numbers.collect::<Vec<_>>().join(",") + star
        };
        groups.iter().map(text).collect()
    }

    #[test]
    fn addresses_of_scale_factors_are_a_group() {
        let scaled = "tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::2X";
        let dense = format!("{{ {scaled} [$0], $1, $2, $3, [$4], [$5], p; }} ld.b32 $6, [$7];");
        assert_eq!(groups(&dense, Style::Assembly), ["4,5"]);
        let sparse = format!("{scaled} [%r0], [%r1], %r2, [%r3], %r4, [%r5], [%r6], %r7;");
        assert_eq!(groups(&sparse, Style::Printed), ["5,6"]);
        let plain = "tcgen05.mma.cta_group::1.kind::f16 [$0], [$1], $2, $3, p;";
        assert!(groups(plain, Style::Assembly).is_empty());
    }

    #[test]
    fn what_selects_scale_factors_is_no_group() {
        let of = |name| {
            let fragments = "{$0,$1}, {$2,$3}, {$4}, {$5,$6}";
            let text = format!("{name} {fragments}, {{$7}}, {{$8,$9}}, $10, {{$11,$12}};");
            groups(&text, Style::Assembly)
        };
        let scaled = "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32";
        assert_eq!(of(scaled), ["0,1*", "2,3", "5,6*"]);
        assert_eq!(of("mma.x"), ["0,1*", "2,3", "5,6*", "8,9", "11,12"]);
    }
}
