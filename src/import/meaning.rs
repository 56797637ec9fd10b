//! What PTX statements mean to ptxas: how a result is computed, which memory is accessed.
//!
//! Printed instructions are one statement; of inline assembly, which may be several, only
//! the accesses are read. Linear in the tokens. Source: NVIDIA's PTX ISA.

use super::fusion::Product;
use super::ptx::{Style, Token};
use passes::prediction::calls::Callee;
use passes::prediction::expansion::Expansion;
use passes::prediction::meaning::{Access, Form, Meaning, Space};

/// What a text says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meant {
    /// What the instruction means.
    pub meaning: Meaning,
    /// The operands that are addresses.
    pub addresses: Vec<u16>,
    /// How many registers a thread of the warp has behind it, if a statement changes that.
    pub thread_registers: Option<u16>,
    /// What it calls by name.
    pub called: Option<Callee>,
    /// What it says of a product, half of which may be its result.
    pub product: Option<Product>,
}

/// The functions of CUDA's system that PTX calls by name.
const SYSTEM: [&str; 4] = ["vprintf", "__assertfail", "malloc", "free"];

/// Whether a function is one of CUDA's system, which ptxas knows.
pub fn is_system(name: &str) -> bool {
    SYSTEM.contains(&name)
}

impl Meant {
    /// Reads a text.
    pub fn read(tokens: &[Token], style: Style) -> Self {
        let mut found = Self {
            addresses: addresses(tokens),
            ..Self::default()
        };
        for (mnemonic, operands) in statements(tokens) {
            found.meaning.access = both(found.meaning.access, access(mnemonic));
            if mnemonic.starts_with("setmaxnreg.") {
                found.thread_registers = number(operands);
            }
            if let ("call", [Token::Word(name)]) = (mnemonic, operands) {
                found.called = Some(match is_system(name) {
                    true => Callee::System,
                    false => Callee::Named((*name).to_owned()),
                });
            }
        }
        match tokens {
            _ if style != Style::Printed => {}
            [Token::Word(mnemonic), operands @ ..] => {
                found.meaning.adds = ["add.s", "add.u", "mad.lo.s64", "mad.wide"]
                    .iter()
                    .any(|one| mnemonic.starts_with(one));
                found.meaning.form = form(mnemonic, operands);
                found.product = Product::read(mnemonic, operands);
            }
            _ if is_half(tokens) => found.meaning.form = Some(Form::Halves64),
            _ => {}
        }
        found
    }
}

/// The operands in brackets.
fn addresses(tokens: &[Token]) -> Vec<u16> {
    let mut depth = 0;
    let mut found = Vec::new();
    for token in tokens {
        match *token {
            Token::Other('[') => depth += 1,
            Token::Other(']') => depth -= 1,
            Token::Operand(number) if depth > 0 => found.push(number),
            Token::Operand(_) | Token::Word(_) | Token::Other(_) => {}
        }
    }
    found
}

/// The number that is a statement's only operand.
fn number(operands: &[Token]) -> Option<u16> {
    match operands {
        [Token::Word(number)] => number.parse().ok(),
        _ => None,
    }
}

/// The first word of each statement, without its guard, and what follows.
fn statements<'a>(tokens: &'a [Token<'a>]) -> impl Iterator<Item = (&'a str, &'a [Token<'a>])> {
    let statements = tokens.split(|token| matches!(token, Token::Other(';' | '{' | '}' | ':')));
    statements.filter_map(|statement| match unguarded(statement) {
        [Token::Word(mnemonic), operands @ ..] => Some((*mnemonic, operands)),
        _ => None,
    })
}

/// A statement without its guard.
pub fn unguarded<'a>(statement: &'a [Token<'a>]) -> &'a [Token<'a>] {
    match statement {
        [Token::Other('@'), Token::Other('!'), _, rest @ ..] => rest,
        [Token::Other('@'), _, rest @ ..] => rest,
        [Token::Other('@')] => &[],
        _ => statement,
    }
}

/// What a statement does to memory.
fn access(mnemonic: &str) -> Access {
    let mut words = mnemonic.split('.');
    let family = words.next().unwrap_or_default();
    let has = |word: &str| mnemonic.split('.').any(|one| one == word);
    let named = words.find_map(|word| match word.split("::").next() {
        Some("shared") => Some(Space::Shared),
        Some("global") => Some(Space::Global),
        Some("local") => Some(Space::Local),
        Some("const" | "param") => Some(Space::Constant),
        _ => None,
    });
    let space = named.unwrap_or(Space::Global);
    match family {
        "ld" | "ldu" => Access::Load(space),
        "ldmatrix" => Access::Load(Space::Shared),
        "tex" | "tld4" | "suld" => Access::Load(Space::Global),
        "st" | "atom" | "red" => Access::Store(space),
        "stmatrix" => Access::Store(Space::Shared),
        "sust" => Access::Store(Space::Global),
        "cp" if has("bulk") || has("wait_group") || has("wait_all") => Access::Everything,
        // Copies, and the end of a group of them, follow each other.
        "cp" => Access::Store(Space::Shared),
        "bar" | "barrier" | "membar" | "fence" | "mbarrier" | "griddepcontrol" | "setmaxnreg"
        | "call" | "prefetch" | "elect" | "tcgen05" | "wgmma" | "nanosleep" | "discard" => {
            Access::Everything
        }
        _ => Access::None,
    }
}

/// What stays in order with either of two statements.
fn both(one: Access, other: Access) -> Access {
    match (one, other) {
        (Access::None, access) | (access, Access::None) => access,
        (Access::Load(one), Access::Load(other)) if one == other => Access::Load(one),
        (Access::Load(one) | Access::Store(one), Access::Load(other) | Access::Store(other))
            if one == other =>
        {
            Access::Store(one)
        }
        _ => Access::Everything,
    }
}

/// How the result of a statement is computed, if of one register and constants.
fn form(mnemonic: &str, operands: &[Token]) -> Option<Form> {
    let names = operands
        .iter()
        .filter(|token| !matches!(token, Token::Other(_)));
    let registers = names
        .clone()
        .filter(|token| matches!(token, Token::Operand(_)))
        .count();
    let ends_in_constant =
        names.clone().count() == 3 && matches!(names.clone().next_back(), Some(Token::Word(_)));
    let is_binary = registers == 2 && ends_in_constant;
    let mut words = mnemonic.split('.');
    let family = words.next().unwrap_or_default();
    let is_integer = words.all(|word| !["f16", "f16x2", "bf16", "f32", "f64"].contains(&word));
    match mnemonic {
        "add.s32" | "add.s64" | "add.u32" | "add.u64" if is_binary => Some(Form::Sum),
        "cvt.u64.u32" | "cvt.u64.u16" => Some(Form::ZeroExtension),
        "cvt.s64.s32" => Some(Form::SignExtension),
        "mul.wide.s32" | "mul.wide.u32" | "shl.b64" if is_binary => Some(Form::Multiple),
        "mov.b32" if operands.first() == Some(&Token::Other('{')) => Some(Form::Halves32),
        "mov.b64" if operands.first() == Some(&Token::Other('{')) => Some(Form::Halves64),
        "cvt.u32.u64" => Some(Form::Halves64),
        _ if registers == 2 && is_integer && CHEAP.contains(&family) => Some(Form::Cheap),
        _ => None,
    }
}

/// Whether a text takes one half of a 64-bit register and leaves the other one, as LLVM prints
/// that: in a block with a register of its own for what is left.
fn is_half(tokens: &[Token]) -> bool {
    let mut parts = tokens.split(|&token| token == Token::Other(';'));
    let [declaration, half, end] = [(); 3].map(|()| parts.next().unwrap_or_default());
    matches!(declaration, [Token::Other('{'), Token::Word(".reg"), ..])
        && matches!(half, [Token::Word("mov.b64"), ..])
        && matches!(end, [Token::Other('}')])
}

/// Operations on integers that cost no more than a move.
const CHEAP: [&str; 11] = [
    "add", "sub", "and", "or", "xor", "shl", "shr", "not", "neg", "bfe", "mul",
];

/// What ptxas makes of a mnemonic, if that is more than one instruction.
pub fn expansion(mnemonic: &str) -> Option<Expansion> {
    let mut words = mnemonic.split('.');
    let family = words.next()?;
    let form = words.next().unwrap_or_default();
    let ty = words.next_back().unwrap_or(form);
    let expansion = match (family, form, ty) {
        ("shfl", ..) => Expansion::Shuffle,
        ("ld", ..) => Expansion::Load,
        ("atom", ..) => Expansion::Atomic,
        ("ex2" | "lg2" | "sin" | "cos" | "tanh", ..) => Expansion::Transcendental,
        ("div", "approx" | "full", _) => return None,
        ("rcp" | "sqrt" | "rsqrt", "approx", _) => return None,
        ("div" | "rcp" | "sqrt", _, "f32") => Expansion::RoundedSingle,
        ("div", _, "f64") => Expansion::DivisionDouble,
        ("sqrt", _, "f64") => Expansion::RootDouble,
        ("rcp", _, "f64") => Expansion::ReciprocalDouble,
        ("div" | "rem", _, "s64" | "u64") => Expansion::DivisionLong,
        ("div" | "rem", ..) => Expansion::DivisionInteger,
        _ => return None,
    };
    Some(expansion)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::ptx::read;

    #[test]
    fn forms_need_one_register_and_constants() {
        for (text, form) in [
            ("add.s32 \t%r0, %r1, 16;", Some(Form::Sum)),
            ("add.s32 %r0, %r1, %r2;", None),
            ("add.s64 %r0, %r1, -8;", Some(Form::Sum)),
            ("cvt.u64.u32 %r0, %r1;", Some(Form::ZeroExtension)),
            ("cvt.s64.s32 %r0, %r1;", Some(Form::SignExtension)),
            ("cvt.u32.u64 %r0, %r1;", Some(Form::Halves64)),
            ("mul.wide.s32 %r0, %r1, 4;", Some(Form::Multiple)),
            ("mul.wide.s32 %r0, %r1, %r2;", None),
            ("mov.b32 {%r0, %r1}, %r2;", Some(Form::Halves32)),
            ("mov.b64 {%r0, %r1}, %r2;", Some(Form::Halves64)),
            (
                "{ .reg .b32 tmp; mov.b64 {%r0, tmp}, %r1; }",
                Some(Form::Halves64),
            ),
            (
                "{ .reg .b32 tmp; mov.b64 {tmp, %r0}, %r1; }",
                Some(Form::Halves64),
            ),
            ("mov.b64 %r0, {%r1, %r2};", None),
            ("mov.b32 %r0, {%r1, %r2};", None),
            ("and.b32 %r0, %r1, 7;", Some(Form::Cheap)),
            ("and.b32 %r0, %r1, %r2;", None),
            ("neg.s32 %r0, %r1;", Some(Form::Cheap)),
            ("neg.f32 %r0, %r1;", None),
            ("mul.rn.f32 %r0, %r1, 0f3F000000;", None),
        ] {
            assert_eq!(
                read(text, Style::Printed).meant.meaning.form,
                form,
                "{text}"
            );
        }
        let text = "add.s32 $0, $1, 16;";
        assert_eq!(read(text, Style::Assembly).meant.meaning.form, None);
    }

    #[test]
    fn accesses_are_those_of_all_statements() {
        use Access::{Everything, Load, None, Store};
        for (text, expected) in [
            ("add.s32 $0, $1, 16;", None),
            (
                "mma.sync.aligned.m16n8k16.x {$0, $1}, {$2, $3}, {$4}, {$0, $1};",
                None,
            ),
            (
                "ldmatrix.sync.x4.shared.b16 {$0, $1}, [$2];",
                Load(Space::Shared),
            ),
            ("@$2 ld.global.b32 {$0}, [$1];", Load(Space::Global)),
            ("@!$2 st.b32 [$1], $0;", Store(Space::Global)),
            ("ld.param.b64 $0, [x];", Load(Space::Constant)),
            (
                "{ .reg .pred p; setp.ne.b32 p, $0, 0; @p atom.shared.add.u32 $0, [$1], 1; }",
                Store(Space::Shared),
            ),
            (
                "cp.async.cg.shared.global [$0], [$1], 16;",
                Store(Space::Shared),
            ),
            ("cp.async.wait_group 1;", Everything),
            (
                "cp.async.bulk.shared::cluster.global [$0], [$1], $2, [$3];",
                Everything,
            ),
            (
                "ld.shared.b32 $0, [$1]; st.global.b32 [$2], $0;",
                Everything,
            ),
            ("again: bar.sync 0;", Everything),
            ("// wait for regs", None),
        ] {
            let meant = read(text, Style::Assembly).meant;
            assert_eq!(meant.meaning.access, expected, "{text}");
        }
    }

    #[test]
    fn addresses_stand_in_brackets() {
        let meant = read("st.global.v2.b32 [%r0+8], {%r1, %r2};", Style::Printed).meant;
        assert_eq!(meant.addresses, [0]);
        let meant = read("atom.add.u32 $0, [ $1 + 0 ], $2;", Style::Assembly).meant;
        assert_eq!(meant.addresses, [1]);
    }

    #[test]
    fn what_is_called_by_name_is_known() {
        let named = |name: &str| Some(Callee::Named(name.to_owned()));
        for (text, called) in [
            ("call vprintf", Some(Callee::System)),
            ("call __assertfail", Some(Callee::System)),
            ("call vprintf_of_ours", named("vprintf_of_ours")),
            ("call _ZN3cub4sortEv", named("_ZN3cub4sortEv")),
            ("call %r0", None),
            ("trap; exit;", None),
        ] {
            let meant = read(text, Style::Printed).meant;
            assert_eq!(meant.called, called, "{text}");
        }
    }

    #[test]
    fn a_warp_may_give_registers_away() {
        let registers = |text| read(text, Style::Assembly).meant.thread_registers;
        assert_eq!(registers("setmaxnreg.dec.sync.aligned.u32 24;"), Some(24));
        assert_eq!(registers("mov.u32 $0, setmaxnreg;"), None);
        let printed = read("setmaxnreg.inc.sync.aligned.u32 \t232;", Style::Printed);
        assert_eq!(printed.meant.thread_registers, Some(232));
    }
}
