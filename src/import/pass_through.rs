//! Inline assembly without the operands that none of its statements names.
//!
//! `"// wait for regs: $0, $1"` with values that go in and come out again is a place in
//! the order of things, not an instruction: ptxas sees a comment. Such a value passes
//! through, in whatever place it has, so an operand that goes in and the result tied to it
//! are left out where no statement names either. The comments go as well, since they name
//! them; the others get new numbers. A result that nothing goes into needs a register, and
//! what only goes in is to be in one: both stay. Linear in the text and operands.

use super::ptx::{Style, Token, tokens};

/// An operand of inline assembly, by its number in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssemblyOperand {
    /// A register that goes in where the result of this number comes out.
    Tied(usize),
    /// Anything else: a result, what only goes in, or a register whose value does not
    /// matter.
    Other,
}

/// The text with fewer operands, and which of them stay; none if all do.
pub fn shorten(text: &str, operands: &[AssemblyOperand]) -> Option<(String, Vec<bool>)> {
    let is_tied = |operand: &AssemblyOperand| matches!(operand, AssemblyOperand::Tied(_));
    if !operands.iter().any(is_tied) {
        return None;
    }
    let mut named = vec![false; operands.len()];
    for token in tokens(text, Style::Assembly) {
        if let Token::Operand(number) = token {
            *named.get_mut(usize::from(number))? = true;
        }
    }
    let mut stays = vec![true; operands.len()];
    for (number, &operand) in operands.iter().enumerate() {
        match operand {
            AssemblyOperand::Tied(result) if !named[number] && !*named.get(result)? => {
                stays[number] = false;
                stays[result] = false;
            }
            AssemblyOperand::Tied(_) | AssemblyOperand::Other => {}
        }
    }
    match stays.contains(&false) {
        true => Some((renumbered(text, &stays)?, stays)),
        false => None,
    }
}

/// The text without comments, with the numbers that operands have when some are gone;
/// none if it names one of these, or something that is no operand.
fn renumbered(text: &str, stays: &[bool]) -> Option<String> {
    let number_of = |digits: &str| {
        let number: usize = digits.parse().ok()?;
        let stays = stays.get(..=number)?;
        stays[number].then(|| stays.iter().filter(|&&one| one).count() - 1)
    };
    let mut short = String::new();
    let mut rest = text;
    while let Some(one) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
        } else if rest.starts_with("$$") {
            short += "$$";
            rest = &rest[2..];
        } else if let Some(behind) = rest.strip_prefix('$') {
            let inside = behind.strip_prefix('{');
            let name = inside.unwrap_or(behind);
            let end = name.find(|one: char| !one.is_ascii_digit());
            let (digits, behind) = name.split_at(end.unwrap_or(name.len()));
            let number = number_of(digits)?;
            short += if inside.is_some() { "${" } else { "$" };
            short += &number.to_string();
            rest = behind;
        } else {
            short.push(one);
            rest = &rest[one.len_utf8()..];
        }
    }
    Some(short)
}

#[cfg(test)]
mod tests {
    use super::AssemblyOperand::{Other, Tied};
    use super::*;

    #[test]
    fn what_only_a_comment_names_passes_through() {
        let text = "// wait for regs: $0,$1\n\twgmma.wait_group.sync.aligned 0;";
        let operands = [Other, Other, Tied(0), Tied(1)];
        let (short, stays) = shorten(text, &operands).expect("a shorter text");
        assert_eq!(short, "\n\twgmma.wait_group.sync.aligned 0;");
        assert_eq!(stays, [false; 4]);
        let (short, stays) = shorten("", &[Other, Tied(0), Other]).expect("a shorter text");
        assert_eq!((short.as_str(), stays), ("", vec![false, false, true]));
    }

    #[test]
    fn others_get_new_numbers() {
        let text = "/* $0 */ add.s32 $1, ${3:x}, $$5; // $2";
        let operands = [Other, Other, Tied(0), Other];
        let (short, stays) = shorten(text, &operands).expect("a shorter text");
        assert_eq!(short, " add.s32 $0, ${1:x}, $$5; ");
        assert_eq!(stays, [false, true, false, true]);
    }

    #[test]
    fn what_a_statement_names_stays() {
        assert_eq!(shorten("add.s32 $0, $1, 1;", &[Other, Tied(0)]), None);
        // The tied operand is named by the result's number.
        assert_eq!(shorten("add.s32 $0, $0, 1;", &[Other, Tied(0)]), None);
        assert_eq!(shorten("add.s32 $1, $1, 1;", &[Other, Tied(0)]), None);
        assert_eq!(shorten("// $0", &[Other]), None);
        assert_eq!(shorten("", &[Other]), None);
    }

    #[test]
    fn what_is_not_understood_stays() {
        for text in [".pragma \"$0\";", "l${:uid}: bra l;", "mov.b32 $9, 0;"] {
            assert_eq!(shorten(text, &[Other, Tied(0)]), None, "{text}");
        }
    }
}
