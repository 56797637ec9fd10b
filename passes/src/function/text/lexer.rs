//! Splits a line into tokens, and writes names so that they can be read again.

use super::{Mark, ParseError};
use std::fmt;
use winnow::Result;
use winnow::ascii::{digit1, space0};
use winnow::combinator::{alt, delimited, opt, preceded, repeat};
use winnow::prelude::*;
use winnow::token::{none_of, one_of, take_while};

/// A token's content.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// A letter or `_`, then letters, digits and `_`.
    Word(&'a str),
    /// A number without sign, as it stands.
    Number(&'a str),
    /// `"..."`, unescaped.
    Quoted(String),
    /// `$name` or `$"..."`.
    Register(String),
    /// One character.
    Punctuation(char),
    /// Nothing is left.
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(text) | Self::Number(text) => write!(formatter, "'{text}'"),
            Self::Quoted(text) => write!(formatter, "{}", quoted(text)),
            Self::Register(name) => write!(formatter, "'{}'", register(name)),
            Self::Punctuation(one) => write!(formatter, "'{one}'"),
            Self::End => formatter.write_str("the end of the line"),
        }
    }
}

/// The tokens of a line with their places, and last the end.
pub(super) fn tokens(line: u32, text: &str) -> Result<Vec<(Mark, Token<'_>)>, ParseError> {
    let mut rest = text;
    let mut found = Vec::new();
    let mut at = Mark { line, column: 1 };
    loop {
        at.column += spaces(&mut rest);
        if rest.is_empty() || rest.starts_with('#') {
            found.push((at, Token::End));
            return Ok(found);
        }
        let (token, width) = token
            .with_taken()
            .parse_next(&mut rest)
            .map(|(token, taken)| (token, taken.chars().count() as u32))
            .map_err(|_| ParseError::new(at, unexpected(rest)))?;
        found.push((at, token));
        at.column += width;
    }
}

fn unexpected(text: &str) -> String {
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some('"'), _) | (Some('$'), Some('"')) => {
            "this quoted name has no end, or a faulty escape".into()
        }
        (Some('$'), _) => "expected a register's name after '$'".into(),
        (one, _) => format!("unexpected character {:?}", one.unwrap_or(' ')),
    }
}

fn spaces(input: &mut &str) -> u32 {
    let parsed: Result<&str> = space0.parse_next(input);
    parsed.map_or(0, |taken| taken.len() as u32)
}

fn token<'a>(input: &mut &'a str) -> Result<Token<'a>> {
    alt((
        word.map(Token::Word),
        number.map(Token::Number),
        string.map(Token::Quoted),
        preceded('$', alt((name_characters.map(str::to_owned), string))).map(Token::Register),
        one_of([',', '=', '(', ')', '.', '+', '-', ':']).map(Token::Punctuation),
    ))
    .parse_next(input)
}

fn is_name_character(one: char) -> bool {
    one.is_ascii_alphanumeric() || one == '_'
}

fn name_characters<'a>(input: &mut &'a str) -> Result<&'a str> {
    take_while(1.., is_name_character).parse_next(input)
}

fn word<'a>(input: &mut &'a str) -> Result<&'a str> {
    (
        one_of(|one: char| is_name_character(one) && !one.is_ascii_digit()),
        take_while(0.., is_name_character),
    )
        .take()
        .parse_next(input)
}

fn number<'a>(input: &mut &'a str) -> Result<&'a str> {
    let exponent = (one_of(['e', 'E']), opt(one_of(['+', '-'])), digit1);
    (digit1, opt(('.', digit1)), opt(exponent))
        .take()
        .parse_next(input)
}

fn string(input: &mut &str) -> Result<String> {
    delimited(
        '"',
        repeat(0.., alt((none_of(['"', '\\']), preceded('\\', escaped)))),
        '"',
    )
    .parse_next(input)
}

fn escaped(input: &mut &str) -> Result<char> {
    let code = take_while(1..=6, |one: char| one.is_ascii_hexdigit())
        .verify_map(|digits| char::from_u32(u32::from_str_radix(digits, 16).ok()?));
    alt((one_of(['"', '\\']), delimited("u{", code, '}'))).parse_next(input)
}

/// A name that stands where a word may: as it is, or quoted.
pub(super) fn name(text: &str) -> String {
    match word.parse(text) {
        Ok(word) => word.to_owned(),
        Err(_) => quoted(text),
    }
}

/// A register's name with its `$`.
pub(super) fn register(name: &str) -> String {
    match name_characters.parse(name) {
        Ok(name) => format!("${name}"),
        Err(_) => format!("${}", quoted(name)),
    }
}

fn quoted(text: &str) -> String {
    let mut result = String::from("\"");
    for one in text.chars() {
        match one {
            '"' | '\\' => result.extend(['\\', one]),
            _ if one.is_control() => result += &format!("\\u{{{:x}}}", u32::from(one)),
            _ => result.push(one),
        }
    }
    result + "\""
}
