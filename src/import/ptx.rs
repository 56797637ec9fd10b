//! Reads the text of a PTX instruction: its brace groups, and what it is. How much it reads
//! of 64-bit sources says [`super::halves`], what it means to ptxas [`super::meaning`].
//!
//! `ld.global.v2.b32 {%r1, %r2}, [%r3];` names a vector of two registers in braces, and
//! so do the fragments of a tensor-core instruction. Braces at the beginning of a
//! statement open a scope instead. The same reader serves inline assembly, where
//! operands are called `$1` or `${1:x}`, and what LLVM prints for an instruction, where
//! they are called `%r1`. Linear in the text. Source: NVIDIA's PTX ISA.

use super::asynchronous::InFlight;
use super::halves::Sources;
use super::meaning::{Meant, expansion};
use super::scales;
use passes::prediction::expansion::Expansion;
use std::iter::Peekable;
use std::str::CharIndices;

/// What operands are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Style {
    /// `$1`, as in inline assembly.
    Assembly,
    /// `%r1`.
    Printed,
}

/// A brace group with two places or more, or operands that belong together like one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The number of the operand in each place; none for anything else.
    pub places: Vec<Option<u16>>,
    /// Whether these are accumulators of the tensor cores.
    pub accumulator: bool,
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'a> {
    /// An operand, by its number.
    Operand(u16),
    /// A mnemonic, a name or a number.
    Word(&'a str),
    /// Anything else.
    Other(char),
}

/// What a text says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Its vectors of registers, in order: brace groups, and addresses of scale factors.
    pub groups: Vec<Group>,
    /// A statement in it is one of those whose operands may be given registers first:
    /// a multiply-accumulate, an atomic, a texture access or a selection.
    pub priority: bool,
    /// A surface access or a comparison.
    pub wide_priority: bool,
    /// The first statement in it that ptxas expands.
    pub expansion: Option<Expansion>,
    /// How much it reads of 64-bit sources.
    pub halves: Sources,
    /// What goes on behind it.
    pub in_flight: InFlight,
    /// What it means to ptxas.
    pub meant: Meant,
    /// How many statements it has, declarations included.
    statements: usize,
    /// The operands, each with the number of a statement that names it.
    named: Vec<(u16, usize)>,
    /// Statements are not executed one after the other: there are labels to jump to, or one
    /// goes on while the next are executed.
    out_of_order: bool,
}

impl Reading {
    /// Whether all operands have been read when one of the `results` is first written: by
    /// the last statement that reads one, or later. PTX defines that an instruction reads
    /// before it writes.
    pub fn reads_first(&self, is_result: impl Fn(u16) -> bool) -> bool {
        let statements = |result: bool| {
            let named = self.named.iter();
            let named = named.filter(|&&(operand, _)| is_result(operand) == result);
            named.map(|&(_, statement)| statement).collect::<Vec<_>>()
        };
        let written = statements(true).into_iter().min();
        let read = statements(false).into_iter().max();
        !self.out_of_order && written >= read
    }
}

/// Reads a text.
pub fn read(text: &str, style: Style) -> Reading {
    let tokens = tokens(text, style);
    let mut found = Reading {
        halves: match style {
            Style::Printed => Sources::read(&tokens),
            // Several statements, and names of their own.
            Style::Assembly => Sources::default(),
        },
        in_flight: InFlight::read(&tokens),
        meant: Meant::read(&tokens, style),
        ..Reading::default()
    };
    let mut statement = Statement::default();
    let mut at = 0;
    while let Some(&token) = tokens.get(at) {
        at += 1;
        match token {
            Token::Other(';' | '}') => statement = Statement::default(),
            Token::Other('{') => {
                let inside = &tokens[at..];
                let vector = statement.mnemonic.and_then(|_| vector(inside));
                let Some((places, length)) = vector else {
                    statement = Statement::default();
                    continue;
                };
                let operands = tokens[at..at + length].iter();
                let number = found.statements - 1;
                found.named.extend(operands.filter_map(|token| match token {
                    Token::Operand(operand) => Some((*operand, number)),
                    _ => None,
                }));
                at += length;
                if places.len() > 1 && !statement.is_loose() {
                    found.groups.push(Group {
                        places,
                        accumulator: statement.is_accumulator(),
                    });
                }
                statement.groups += 1;
            }
            // `.kind::mxf4.block_scale` goes on with the mnemonic.
            Token::Other(':') if tokens.get(at) == Some(&Token::Other(':')) => {
                at += 1;
                if let Some(&Token::Word(rest)) = tokens.get(at) {
                    at += 1;
                    if !statement.scaled && scales::is_scaled(rest) {
                        statement.scaled = true;
                        let mnemonic = statement.mnemonic.unwrap_or_default();
                        let addresses = scales::addresses(mnemonic, &tokens[at..]);
                        found.groups.extend(addresses);
                    }
                }
            }
            // `label: instruction`
            Token::Other(':') => {
                statement = Statement::default();
                found.out_of_order = true;
            }
            // `@p instruction`, `@!p instruction`
            Token::Other('@') => {
                at += usize::from(tokens.get(at) == Some(&Token::Other('!')));
                if let Some(&Token::Operand(guard)) = tokens.get(at) {
                    found.named.push((guard, found.statements));
                }
                at += 1;
            }
            Token::Word(word) => {
                if statement
                    .mnemonic
                    .replace(statement.mnemonic.unwrap_or(word))
                    .is_none()
                {
                    let family = word.split('.').next().unwrap_or_default();
                    found.statements += 1;
                    found.out_of_order |= word.contains("async") || family == "tcgen05";
                    found.priority |= PRIORITY.contains(&family);
                    found.wide_priority |= WIDE_PRIORITY.contains(&family);
                    found.expansion = found.expansion.or(expansion(word));
                }
            }
            Token::Operand(operand) => {
                let statement = found.statements.saturating_sub(1);
                found.named.push((operand, statement));
            }
            Token::Other(_) => {}
        }
    }
    found
}

/// The PTX of the opcodes that the ptxas document lists as eligible for pre-allocation,
/// beside multiply-accumulate itself: ATOM, TEX, SEL; then SULD, SUST, SUATOM, UISETP.
const PRIORITY: [&str; 14] = [
    "fma", "mad", "mad24", "madc", "dp2a", "dp4a", "mma", "wmma", "wgmma", "atom", "red", "tex",
    "tld4", "selp",
];
const WIDE_PRIORITY: [&str; 5] = ["suld", "sust", "sured", "setp", "set"];

/// What has been read of a statement.
#[derive(Default)]
struct Statement<'a> {
    /// As far as the first pair of colons.
    mnemonic: Option<&'a str>,
    /// Brace groups so far.
    groups: usize,
    /// It multiplies with scale factors for blocks.
    scaled: bool,
}

impl Statement<'_> {
    /// Whether the registers of the next group may lie anywhere: `mov.b64 {a, b}, c` takes
    /// a register to pieces, and what selects scale factors is no run.
    fn is_loose(&self) -> bool {
        let mnemonic = self.mnemonic.unwrap_or_default();
        let family = mnemonic.split('.').next();
        family == Some("mov") || self.scaled && scales::is_selector(mnemonic, self.groups)
    }

    /// Whether the next group is what a multiply-accumulate of the tensor cores adds to
    /// or its result, or is loaded or stored as such.
    fn is_accumulator(&self) -> bool {
        let mut words = self.mnemonic.unwrap_or_default().split('.');
        let words = [(); 3].map(|()| words.next().unwrap_or_default());
        match words {
            // D, A, B, C.
            ["mma", ..] | ["wmma", "mma", _] => matches!(self.groups, 0 | 3),
            // D, which is C as well, then maybe A.
            ["wgmma", "mma_async", _] => self.groups == 0,
            ["wmma", "load", "c"] | ["wmma", "store", "d"] => self.groups == 0,
            // Between tensor memory and registers.
            ["tcgen05", "ld" | "st", _] => self.groups == 0,
            _ => false,
        }
    }
}

/// The places of a group, and the number of its tokens with the closing brace; none for
/// a scope, which has statements in it.
fn vector(inside: &[Token]) -> Option<(Vec<Option<u16>>, usize)> {
    let is_end = |token: &Token| matches!(token, Token::Other('{' | '}' | ';'));
    let end = inside.iter().position(is_end)?;
    if inside[end] != Token::Other('}') {
        return None;
    }
    let places = inside[..end].split(|&token| token == Token::Other(','));
    let places = places.map(|place| match place {
        [Token::Operand(number)] => Some(*number),
        _ => None,
    });
    Some((places.collect(), end + 1))
}

fn is_word(one: char) -> bool {
    one.is_ascii_alphanumeric() || matches!(one, '_' | '.' | '%' | '$')
}

/// Takes a text to its parts, without its comments.
pub fn tokens(text: &str, style: Style) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((at, one)) = rest.next() {
        match one {
            '/' if next_is(&mut rest, '/') => _ = rest.find(|&(_, one)| one == '\n'),
            '/' if next_is(&mut rest, '*') => {
                let end = text[at + 2..]
                    .find("*/")
                    .map_or(text.len(), |end| at + end + 4);
                while rest.next_if(|&(at, _)| at < end).is_some() {}
            }
            '"' => _ = rest.find(|&(_, one)| one == '"'),
            '$' if style == Style::Assembly => tokens.extend(operand(&mut rest)),
            _ if is_word(one) => {
                while rest.next_if(|&(_, one)| is_word(one)).is_some() {}
                let end = rest.peek().map_or(text.len(), |&(end, _)| end);
                let word = &text[at..end];
                let number = word
                    .strip_prefix("%r")
                    .and_then(|digits| digits.parse().ok());
                tokens.push(match number.filter(|_| style == Style::Printed) {
                    Some(number) => Token::Operand(number),
                    None => Token::Word(word),
                });
            }
            _ if one.is_whitespace() => {}
            _ => tokens.push(Token::Other(one)),
        }
    }
    tokens
}

fn next_is(rest: &mut Peekable<CharIndices>, wanted: char) -> bool {
    rest.peek().is_some_and(|&(_, one)| one == wanted)
}

/// What follows a dollar: `1`, `{1:x}`; nothing for `$$` and the like.
fn operand(rest: &mut Peekable<CharIndices>) -> Option<Token<'static>> {
    let in_braces = rest.next_if(|&(_, one)| one == '{').is_some();
    let mut digits = String::new();
    while let Some((_, digit)) = rest.next_if(|(_, one)| one.is_ascii_digit()) {
        digits.push(digit);
    }
    if in_braces {
        rest.find(|&(_, one)| one == '}');
    } else if digits.is_empty() {
        rest.next();
    }
    digits.parse().ok().map(Token::Operand)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The groups as text; accumulators have a star.
    fn found(text: &str, style: Style) -> String {
        let groups = read(text, style).groups;
        let groups = groups.iter().map(|group| {
            let places = group.places.iter();
            let places = places.map(|one| one.map_or("_".into(), |number| number.to_string()));
            let star = if group.accumulator { "*" } else { "" };
            format!("{}{star}", places.collect::<Vec<_>>().join(","))
        });
        groups.collect::<Vec<_>>().join(" ")
    }

    fn assembly(text: &str) -> String {
        found(text, Style::Assembly)
    }

    #[test]
    fn vectors_are_brace_groups() {
        assert_eq!(assembly("ld.global.v4.u32 {$0,$1,$2,$3}, [$4];"), "0,1,2,3");
        assert_eq!(assembly("ld.v2.u32\t{ $0 , $1 },\n [$2]"), "0,1");
        assert_eq!(assembly("st.v2.f32 [$0], {$1, ${2:x}};"), "1,2");
        let printed = "ld.global.v2.b32 \t{%r0, %r1}, [%r2+0];";
        assert_eq!(found(printed, Style::Printed), "0,1");
    }

    #[test]
    fn multiply_accumulates_have_priority() {
        for (text, priority, wide) in [
            ("fma.rn.f32 $0, $1, $2, $3;", true, false),
            ("@$4 mad.lo.s32 $0, $1, $2, $3;", true, false),
            ("{ .reg .b32 t; atom.add.u32 t, [$0], $1; }", true, false),
            ("add.s32 $0, $1, $2; setp.eq.s32 p, $0, 0;", false, true),
            ("add.s32 fma, $1, $2;", false, false),
        ] {
            let reading = read(text, Style::Assembly);
            assert_eq!(
                (reading.priority, reading.wide_priority),
                (priority, wide),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_expanded_is_named() {
        for (text, expansion) in [
            (
                "shfl.sync.down.b32 $0, $1, 16, 31, -1;",
                Some(Expansion::Shuffle),
            ),
            ("div.rn.f32 $0, $1, $2;", Some(Expansion::RoundedSingle)),
            ("ld.global.nc.u32 $0, [$1];", Some(Expansion::Load)),
            ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0}, [$1];", None),
            ("div.full.f32 $0, $1, $2;", None),
            ("sqrt.approx.ftz.f32 $0, $1;", None),
            ("rcp.rn.f64 $0, $1;", Some(Expansion::ReciprocalDouble)),
            ("sqrt.rn.f64 $0, $1;", Some(Expansion::RootDouble)),
            ("div.rn.f64 $0, $1, $2;", Some(Expansion::DivisionDouble)),
            ("rem.u64 $0, $1, $2;", Some(Expansion::DivisionLong)),
            ("div.s32 $0, $1, $2;", Some(Expansion::DivisionInteger)),
            (
                "mov.b32 $0, $1; ex2.approx.f32 $0, $0;",
                Some(Expansion::Transcendental),
            ),
            ("red.global.add.u32 [$0], $1;", None),
            ("fma.rn.f64 $0, $1, $2, $3;", None),
        ] {
            let found = read(text, Style::Assembly).expansion;
            assert_eq!(found, expansion, "{text}");
        }
    }

    #[test]
    fn operands_are_read_before_the_last_statement_writes() {
        for (text, reads_first) in [
            ("shfl.sync.down.b32 $0, $1, $2, $3, $4;", true),
            ("// moves\n{ @$2 mov.b32 $0, $1; }", true),
            ("mma.sync.aligned.x {$0,$0}, {$2}, {$3}, {$0,$0};", true),
            ("add.s32 $0, $1, $2; add.s32 $0, $0, $3;", false),
            ("add.s32 $0, $1, $2; @$3 mov.b32 $0, 1;", false),
            ("mov.b32 $0, 1; st.v2.b32 [a], {$1, $2};", false),
            ("add.s32 $0, $1, $2; add.s32 $0, $0, 1;", true),
            (
                "{ .reg .b32 r; shfl.sync.up.b32 r|p, $1, $2; mov.b32 $0, r; }",
                true,
            ),
            ("again: add.s32 $0, $1, $2;", false),
            (
                "wgmma.mma_async.sync.aligned.x {$0,$0}, {$2,$3}, $4;",
                false,
            ),
        ] {
            let reading = read(text, Style::Assembly);
            assert_eq!(
                reading.reads_first(|operand| operand == 0),
                reads_first,
                "{text}"
            );
        }
    }

    #[test]
    fn one_register_is_no_vector() {
        assert_eq!(assembly("mma.x {$0}, {$1, $2}, {$3}, {$4};"), "1,2");
    }

    #[test]
    fn other_things_keep_their_places() {
        assert_eq!(assembly("st.v4.b32 [$0], {$1, 0, _, $2};"), "1,_,_,2");
        assert_eq!(assembly("st.v2.b32 [$0], {%r7, -$1};"), "_,_");
        let text = "st.v2.b32 [%r0], {$1, %rd2};";
        assert_eq!(found(text, Style::Printed), "_,_");
    }

    #[test]
    fn scopes_are_no_vectors() {
        let text = "{ .reg .pred p; setp.ne.b32 p, $1, 0; \
                    @!p st.v2.b32 [$2], {$3, $4}; }";
        assert_eq!(assembly(text), "3,4");
        assert_eq!(assembly("{ $0, $1 }"), "");
        assert_eq!(assembly("bar.sync 0; { add.s32 $0, $1, $2; }"), "");
        assert_eq!(assembly("{ { ld.v2.b32 {$0, $1}, [$2]; } }"), "0,1");
    }

    #[test]
    fn labels_and_guards_come_before_the_mnemonic() {
        assert_eq!(assembly("again: ld.v2.b32 {$0, $1}, [$2];"), "0,1");
        assert_eq!(assembly("@$3 ld.v2.b32 {$0, $1}, [$2];"), "0,1");
        // Without a mnemonic the brace opens a scope.
        assert_eq!(assembly("again: {$0, $1}"), "");
        assert_eq!(assembly("@!$3 {$0, $1}"), "");
    }

    #[test]
    fn comments_and_strings_are_skipped() {
        let text = "// {$0, $1}; ld\nst.v2.b32 /* {$4, $5} */ [$0], {$2, $3};";
        assert_eq!(assembly(text), "2,3");
        let text = ".pragma \"used {%r8, %r9};\";\n\tld.v2.b32 {%r0, %r1}, [%r2];";
        assert_eq!(found(text, Style::Printed), "0,1");
        assert_eq!(assembly("mov.u32 a, $$; ld.v2.b32 {$0, $1}, [a];"), "0,1");
    }

    #[test]
    fn unfinished_texts_have_no_groups() {
        for text in [
            "ld {$0, $1",
            "ld {$0, ${1:",
            "ld {$0, $",
            "ld /* {",
            "{",
            "ld \"{",
        ] {
            assert_eq!(assembly(text), "");
        }
    }

    #[test]
    fn moves_take_registers_to_pieces() {
        assert_eq!(assembly("mov.b64 {$0, $1}, $2;"), "");
        assert_eq!(assembly("mov.b64 $0, {$1, $2}; movmatrix {$3, $4};"), "3,4");
    }

    #[test]
    fn accumulators_are_the_first_and_the_fourth() {
        let text = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 \
                    {$0,$1,$2,$3}, {$4,$5,$6,$7}, {$8,$9}, {$10,$11,$12,$13};";
        assert_eq!(assembly(text), "0,1,2,3* 4,5,6,7 8,9 10,11,12,13*");
        let text = "mma.sync.aligned.m8n8k4.row.col.f64 {$0,$1}, {$2}, {$3}, {$4,$5};";
        assert_eq!(assembly(text), "0,1* 4,5*");
        let text = "wgmma.mma_async.sync.aligned.m64n8k16 {$0,$1}, {$2,$3}, $4, p, 1, 1;";
        assert_eq!(assembly(text), "0,1* 2,3");
        let text = "wmma.mma.sync.x {$0,$1}, {$2,$3}, {$4,$5}, {$6,$7};";
        assert_eq!(assembly(text), "0,1* 2,3 4,5 6,7*");
        assert_eq!(assembly("wmma.load.c.sync.x {$0,$1}, [$2];"), "0,1*");
        assert_eq!(assembly("wmma.load.a.sync.x {$0,$1}, [$2];"), "0,1");
        assert_eq!(assembly("wmma.store.d.sync.x [$2], {$0,$1};"), "0,1*");
        assert_eq!(assembly("tcgen05.ld.sync.x {$0,$1}, [$2];"), "0,1*");
        assert_eq!(assembly("ldmatrix.sync.x2 {$0,$1}, [$2];"), "0,1");
    }
}
