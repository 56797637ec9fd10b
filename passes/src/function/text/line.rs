//! One line of text and the position within it.

use super::lexer::{Token, tokens};
use super::{Mark, ParseError};
use std::str::FromStr;

/// A line that is being read from left to right.
pub(super) struct Line<'a> {
    tokens: Vec<(Mark, Token<'a>)>,
    next: usize,
}

impl<'a> Line<'a> {
    pub(super) fn new(number: u32, text: &'a str) -> Result<Self, ParseError> {
        Ok(Self {
            tokens: tokens(number, text)?,
            next: 0,
        })
    }

    /// Where the next token stands.
    pub(super) fn at(&self) -> Mark {
        self.tokens[self.next].0
    }

    /// The next token.
    pub(super) fn peek(&self) -> &Token<'a> {
        &self.tokens[self.next].1
    }

    /// Whether nothing is left.
    pub(super) fn is_at_end(&self) -> bool {
        *self.peek() == Token::End
    }

    /// Whether any token of the line is this character.
    pub(super) fn contains(&self, punctuation: char) -> bool {
        let wanted = Token::Punctuation(punctuation);
        self.tokens.iter().any(|(_, token)| *token == wanted)
    }

    fn advance(&mut self) -> (Mark, Token<'a>) {
        let current = self.tokens[self.next].clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        current
    }

    /// An error that names the next token.
    pub(super) fn expected(&self, what: &str) -> ParseError {
        ParseError::new(self.at(), format!("expected {what}, found {}", self.peek()))
    }

    pub(super) fn end(&self) -> Result<(), ParseError> {
        if self.is_at_end() {
            return Ok(());
        }
        Err(self.expected("the end of the line"))
    }

    /// Takes the character if it is next.
    pub(super) fn take(&mut self, punctuation: char) -> bool {
        let found = *self.peek() == Token::Punctuation(punctuation);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn require(&mut self, punctuation: char) -> Result<(), ParseError> {
        if self.take(punctuation) {
            return Ok(());
        }
        Err(self.expected(&format!("'{punctuation}'")))
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        *self.peek() == Token::Word(word)
    }

    /// Takes the word if it is next.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    /// Takes `key=` if the key is next.
    pub(super) fn take_key(&mut self, key: &str) -> Result<bool, ParseError> {
        let found = self.take_word(key);
        if found {
            self.require('=')?;
        }
        Ok(found)
    }

    pub(super) fn require_key(&mut self, key: &str) -> Result<(), ParseError> {
        if self.take_key(key)? {
            return Ok(());
        }
        Err(self.expected(&format!("'{key}='")))
    }

    pub(super) fn word(&mut self, what: &str) -> Result<(Mark, &'a str), ParseError> {
        match self.peek() {
            Token::Word(word) => {
                let word = *word;
                Ok((self.advance().0, word))
            }
            _ => Err(self.expected(what)),
        }
    }

    /// A word or a quoted name.
    pub(super) fn name(&mut self, what: &str) -> Result<(Mark, String), ParseError> {
        match self.peek() {
            Token::Word(_) | Token::Quoted(_) => match self.advance() {
                (at, Token::Quoted(name)) => Ok((at, name)),
                (at, Token::Word(word)) => Ok((at, word.to_owned())),
                (at, _) => Err(ParseError::new(at, what)),
            },
            _ => Err(self.expected(what)),
        }
    }

    /// A register's name, without the `$`.
    pub(super) fn register(&mut self) -> Result<(Mark, String), ParseError> {
        match self.peek() {
            Token::Register(name) => {
                let name = name.clone();
                Ok((self.advance().0, name))
            }
            _ => Err(self.expected("a register such as $r0")),
        }
    }

    /// A number that the type can hold.
    pub(super) fn number<N: FromStr>(&mut self, what: &str) -> Result<(Mark, N), ParseError> {
        if let Token::Number(text) = self.peek()
            && let Ok(number) = text.parse()
        {
            return Ok((self.advance().0, number));
        }
        Err(self.expected(what))
    }

    /// A word that is a letter or more and a number, such as `v12`; the number.
    pub(super) fn numbered(&mut self, prefix: &str, what: &str) -> Result<(Mark, u32), ParseError> {
        let number = match self.peek() {
            Token::Word(word) => word.strip_prefix(prefix).and_then(plain_number),
            _ => None,
        };
        match number {
            Some(number) => Ok((self.advance().0, number)),
            None => Err(self.expected(what)),
        }
    }

    /// Items with `separator` between them.
    pub(super) fn list<T>(
        &mut self,
        separator: char,
        mut item: impl FnMut(&mut Self) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        let mut items = vec![item(self)?];
        while self.take(separator) {
            items.push(item(self)?);
        }
        Ok(items)
    }
}

/// A decimal number as we would write it: no sign, no leading zeros, and not so
/// big that it could be taken for the reserved number of an entity.
fn plain_number(text: &str) -> Option<u32> {
    let number: u32 = text.parse().ok()?;
    (number < u32::MAX / 2 && number.to_string() == text).then_some(number)
}
