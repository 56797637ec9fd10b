//! What a text has to do with registers in flight, and what no code may cross.
//!
//! Reads the statements of a text in order and keeps what is true of all of it:
//! [`Asynchronous`] knows one order only, in which a text fences, starts, closes a group
//! and waits. What a text does in another order, under a guard, or beside a branch of its
//! own is left out where leaving it out keeps registers in flight for longer. Linear in
//! the text. Source: PTX ISA, each instruction.

use super::ptx::{Style, Token, tokens};
use passes::function::asynchronous::{Asynchronous, Operation};

/// The family of the multiplications in the background.
const MULTIPLY: &str = "wgmma";
/// The family of the accesses to tensor memory.
const TENSOR_MEMORY: &str = "tcgen05";

/// What one text says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InFlight {
    /// What it does.
    pub does: Asynchronous,
    /// The operands, by number, that its operations still read or write behind it.
    operands: Vec<(u16, Operation)>,
    /// Nothing may come before it that stood behind it, or the other way round.
    pub is_barrier: bool,
}

impl InFlight {
    /// Reads a text.
    pub fn read(tokens: &[Token]) -> Self {
        let mut found = Self::default();
        let statements = tokens.split(|token| *token == Token::Other(';'));
        let statements: Vec<Statement> = statements.filter_map(Statement::new).collect();
        let is_straight = !statements.iter().any(|one| one.family() == "bra");
        for statement in &statements {
            let always = is_straight && !statement.guarded;
            found.is_barrier |= is_barrier(statement.mnemonic);
            found.add(statement, always);
        }
        found.finish();
        found
    }

    /// Whether an operation still has to do with an operand behind the text.
    pub fn names(&self, operand: u16, is_definition: bool) -> bool {
        self.operands.iter().any(|&(number, operation)| {
            number == operand
                && match operation {
                    Operation::Multiply => true,
                    Operation::Load => is_definition,
                    Operation::Store => !is_definition,
                }
        })
    }

    fn add(&mut self, statement: &Statement, always: bool) {
        let does = &mut self.does;
        let mut words = statement.mnemonic.split('.');
        let family = words.next().unwrap_or_default();
        let form = words.next().unwrap_or_default();
        match (family, form) {
            (MULTIPLY, "fence") => does.fences |= always && !does.multiplies,
            (MULTIPLY, "mma_async") => {
                does.multiplies = true;
                does.commits = false;
                does.waits_multiply = None;
                self.start(statement.in_braces(), Operation::Multiply);
            }
            (MULTIPLY, "commit_group") => {
                does.commits |= always;
                does.waits_multiply = None;
            }
            (MULTIPLY, "wait_group") => {
                does.waits_multiply = statement.number().filter(|_| always);
            }
            (TENSOR_MEMORY, "ld") => {
                does.loads = true;
                does.waits_load = false;
                self.start(statement.outside_brackets(), Operation::Load);
            }
            (TENSOR_MEMORY, "st") => {
                does.stores = true;
                does.waits_store = false;
                self.start(statement.outside_brackets(), Operation::Store);
            }
            (TENSOR_MEMORY, "wait") => match statement.family_behind_colons() {
                Some("ld") => does.waits_load |= always,
                Some("st") => does.waits_store |= always,
                _ => {}
            },
            _ => {}
        }
    }

    fn start(&mut self, operands: impl Iterator<Item = u16>, operation: Operation) {
        self.operands.extend(operands.map(|one| (one, operation)));
    }

    /// What the text itself waits for is not in flight behind it.
    fn finish(&mut self) {
        let does = &mut self.does;
        does.multiplies &= !(does.commits && does.waits_multiply == Some(0));
        does.loads &= !does.waits_load;
        does.stores &= !does.waits_store;
        let does = *does;
        self.operands.retain(|&(_, operation)| match operation {
            Operation::Multiply => does.multiplies,
            Operation::Load => does.loads,
            Operation::Store => does.stores,
        });
    }
}

/// Whether the text of inline assembly has registers in flight behind it.
pub fn leaves_in_flight(text: &str) -> bool {
    // Most assembly is not read for it.
    [MULTIPLY, TENSOR_MEMORY]
        .iter()
        .any(|family| text.contains(family))
        && InFlight::read(&tokens(text, Style::Assembly)).does.starts()
}

/// The warp's registers change, other blocks are waited for, or another kernel goes on or
/// comes to an end.
fn is_barrier(mnemonic: &str) -> bool {
    ["setmaxnreg", "griddepcontrol", "barrier.cluster"]
        .iter()
        .any(|one| {
            let rest = mnemonic.strip_prefix(one);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
}

/// A statement with a mnemonic.
struct Statement<'a> {
    guarded: bool,
    mnemonic: &'a str,
    operands: &'a [Token<'a>],
}

impl<'a> Statement<'a> {
    /// Reads `{ label: @!p mnemonic operands`, as far as that is there.
    fn new(tokens: &'a [Token<'a>]) -> Option<Self> {
        let mut rest = tokens;
        let mut guarded = false;
        loop {
            rest = match rest {
                [Token::Other('{' | '}'), rest @ ..] => rest,
                [Token::Word(_), Token::Other(':'), rest @ ..]
                    if rest.first() != Some(&Token::Other(':')) =>
                {
                    rest
                }
                [Token::Other('@'), Token::Other('!'), _, rest @ ..]
                | [Token::Other('@'), _, rest @ ..] => {
                    guarded = true;
                    rest
                }
                [Token::Word(mnemonic), operands @ ..] => {
                    return Some(Self {
                        guarded,
                        mnemonic,
                        operands,
                    });
                }
                _ => return None,
            };
        }
    }

    fn family(&self) -> &'a str {
        self.mnemonic.split('.').next().unwrap_or_default()
    }

    /// `ld` of `tcgen05.wait::ld.sync.aligned`: to the reader of tokens, colons end a word.
    fn family_behind_colons(&self) -> Option<&'a str> {
        match self.operands {
            [Token::Other(':'), Token::Other(':'), Token::Word(word), ..] => word.split('.').next(),
            _ => None,
        }
    }

    fn in_braces(&self) -> impl Iterator<Item = u16> {
        between(self.operands, '{', '}', true)
    }

    fn outside_brackets(&self) -> impl Iterator<Item = u16> {
        between(self.operands, '[', ']', false)
    }

    /// The number that is its only operand.
    fn number(&self) -> Option<u8> {
        match self.operands {
            [Token::Word(number)] => number.parse().ok(),
            _ => None,
        }
    }
}

/// The operands that stand between these characters, or do not.
fn between(tokens: &[Token], open: char, close: char, wanted: bool) -> impl Iterator<Item = u16> {
    let mut is_inside = false;
    tokens.iter().filter_map(move |&token| {
        match token {
            Token::Other(one) if one == open => is_inside = true,
            Token::Other(one) if one == close => is_inside = false,
            Token::Operand(number) if is_inside == wanted => return Some(number),
            Token::Operand(_) | Token::Word(_) | Token::Other(_) => {}
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assembly(text: &str) -> InFlight {
        InFlight::read(&tokens(text, Style::Assembly))
    }

    /// The operands in flight as definitions, then as uses.
    fn operands(text: &str) -> [Vec<u16>; 2] {
        let found = assembly(text);
        let numbers = |is_definition| {
            let numbers = 0..10;
            numbers
                .filter(|&one| found.names(one, is_definition))
                .collect()
        };
        [numbers(true), numbers(false)]
    }

    const MULTIPLY: &str = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16";

    #[test]
    fn accumulators_and_fragments_are_in_flight() {
        let text = format!("{MULTIPLY} {{$0,$1}}, {{$2,$3}}, $4, p, 1, 1;");
        assert!(assembly(&text).does.multiplies);
        assert_eq!(operands(&text), [vec![0, 1, 2, 3], vec![0, 1, 2, 3]]);
        let text = format!(
            "{{ .reg .pred p; setp.ne.b32 p, $6, 0;\n {MULTIPLY} {{$0, $1}}, $4, $5, p, 1; }}"
        );
        assert_eq!(operands(&text), [vec![0, 1], vec![0, 1]]);
    }

    #[test]
    fn tensor_memory_is_loaded_to_and_stored_from_registers_in_flight() {
        let text = "tcgen05.ld.sync.aligned.32x32b.x2.b32 {$0, $1}, [$2 + 4];";
        assert_eq!(operands(text), [vec![0, 1], vec![]]);
        let text = "@$0 tcgen05.st.sync.aligned.16x32bx2.x2.b32 [$1 + 0], 2, {$2, $3};";
        assert!(assembly(text).does.stores);
        assert_eq!(operands(text), [vec![], vec![2, 3]]);
        let text = "tcgen05.ld.sync.aligned.16x64b.x1.b32 \t{%r0}, [%r1];";
        let found = InFlight::read(&tokens(text, Style::Printed));
        assert!(found.names(0, true) && !found.names(1, false));
    }

    #[test]
    fn waits_and_groups() {
        let wait = |text: &str| assembly(text).does.waits_multiply;
        assert_eq!(
            wait("// wait for regs: $0,$1\n\twgmma.wait_group.sync.aligned 3;"),
            Some(3)
        );
        assert_eq!(wait("wgmma.wait_group.sync.aligned 0;"), Some(0));
        assert_eq!(wait("@$0 wgmma.wait_group.sync.aligned 0;"), None);
        assert!(assembly("wgmma.fence.sync.aligned;").does.fences);
        assert!(assembly("wgmma.commit_group.sync.aligned;").does.commits);
        assert!(
            !assembly("@$0 wgmma.commit_group.sync.aligned;")
                .does
                .commits
        );
        assert!(assembly("tcgen05.wait::ld.sync.aligned;").does.waits_load);
        assert!(assembly("tcgen05.wait::st.sync.aligned;").does.waits_store);
        assert_eq!(
            assembly("tcgen05.mma.cta_group::1.kind::f16 [$0], $1, $2, $3, p;"),
            InFlight::default()
        );
        assert_eq!(
            assembly("tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [$1];"),
            InFlight::default()
        );
    }

    #[test]
    fn a_text_may_wait_for_what_it_starts() {
        let text =
            "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1];\n tcgen05.wait::ld.sync.aligned;";
        assert_eq!(operands(text), [Vec::<u16>::new(), Vec::new()]);
        let does = assembly(text).does;
        assert!(does.waits_load && !does.loads);
        let all = format!(
            "wgmma.fence.sync.aligned; {MULTIPLY} {{$0}}, $1, $2, 1; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"
        );
        assert_eq!(operands(&all), [Vec::<u16>::new(), Vec::new()]);
        assert!(assembly(&all).does.fences);
        let pending = all.replace("aligned 0", "aligned 1");
        assert_eq!(operands(&pending)[0], [0]);
    }

    #[test]
    fn what_stands_in_another_order_covers_nothing() {
        let text =
            "tcgen05.wait::ld.sync.aligned; tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1];";
        let does = assembly(text).does;
        assert!(does.loads && !does.waits_load);
        let text = format!(
            "wgmma.commit_group.sync.aligned; {MULTIPLY} {{$0}}, $1, $2, 1; wgmma.fence.sync.aligned;"
        );
        let does = assembly(&text).does;
        assert!(does.multiplies && !does.commits && !does.fences);
        let text =
            "again: mbarrier.try_wait.b64 p, [$0]; @p bra again; tcgen05.wait::ld.sync.aligned;";
        assert!(!assembly(text).does.waits_load);
    }

    #[test]
    fn nothing_crosses_what_changes_the_registers_or_waits_for_others() {
        for (text, is_barrier) in [
            ("setmaxnreg.inc.sync.aligned.u32 232;", true),
            ("griddepcontrol.wait;", true),
            ("barrier.cluster.arrive.aligned;", true),
            ("barrier.sync 0;", false),
            ("elect.sync _|p, -1;", false),
        ] {
            assert_eq!(assembly(text).is_barrier, is_barrier, "{text}");
        }
    }
}
