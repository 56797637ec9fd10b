//! Splits PTX into words, numbers and punctuation.
//!
//! An opcode with its modifiers is one word, as are a directive with its dot and a
//! register with its percent sign.

use crate::error::ParseError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Number,
    Text,
    Mark,
    End,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub line: u32,
    /// First byte in the source.
    pub start: usize,
}

fn in_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'_' | b'$' | b'%' | b'.')
}

/// All tokens of `source`, closed by one of kind [`Kind::End`].
pub(crate) fn tokens(source: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let bytes = source.as_bytes();
    let mut out = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            b'\n' => {
                line += 1;
                at += 1;
                continue;
            }
            c if c.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
                continue;
            }
            b'"' => {
                at += 1;
                while at < bytes.len() && !matches!(bytes[at], b'"' | b'\n') {
                    at += 1;
                }
                if bytes.get(at) != Some(&b'"') {
                    return Err(refuse(source, line, "a string without an end"));
                }
                at += 1;
                Kind::Text
            }
            c if c.is_ascii_digit()
                || (c == b'-' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)) =>
            {
                at += 1;
                while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'.') {
                    at += 1;
                }
                Kind::Number
            }
            // Inside a word only: "abc::def" is a modifier of two words.
            c if in_word(c) => {
                while at < bytes.len() && (in_word(bytes[at]) || bytes[at..].starts_with(b"::")) {
                    at += if bytes[at] == b':' { 2 } else { 1 };
                }
                Kind::Word
            }
            b'{' | b'}' | b'(' | b')' | b'[' | b']' | b'<' | b'>' | b',' | b';' | b':' | b'@'
            | b'!' | b'+' | b'=' | b'|' => {
                at += 1;
                Kind::Mark
            }
            _ => return Err(refuse(source, line, "an unknown character")),
        };
        let text = &source[start..at];
        out.push(Token {
            kind,
            text,
            line,
            start,
        });
    }
    out.push(Token {
        kind: Kind::End,
        text: "",
        line,
        start: at,
    });
    Ok(out)
}

/// An error that quotes the line.
pub(crate) fn refuse(source: &str, line: u32, reason: impl Into<String>) -> ParseError {
    let text = source.lines().nth(line as usize - 1).unwrap_or_default();
    ParseError {
        line,
        text: text.trim().to_owned(),
        reason: reason.into(),
    }
}

/// The bits of a numeric literal; floating-point ones are written in hexadecimal.
pub(crate) fn number(text: &str) -> Option<u64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let value = if let Some(bits) = digits.strip_prefix("0f").or(digits.strip_prefix("0F")) {
        (bits.len() == 8 && !negative).then_some(())?;
        return u32::from_str_radix(bits, 16).ok().map(u64::from);
    } else if let Some(bits) = digits.strip_prefix("0d").or(digits.strip_prefix("0D")) {
        (bits.len() == 16 && !negative).then_some(())?;
        return u64::from_str_radix(bits, 16).ok();
    } else if let Some(hex) = digits.strip_prefix("0x") {
        u64::from_str_radix(hex.strip_suffix('U').unwrap_or(hex), 16).ok()?
    } else {
        digits.strip_suffix('U').unwrap_or(digits).parse().ok()?
    };
    Some(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}
