//! Function bodies: scopes, declarations, labels and the operands of instructions.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::decode::decode;
use crate::error::ParseError;
use crate::lexer::{Kind, number};
use crate::module::Function;
use crate::operation::{Address, Instruction, Operand, Operation, Register, Special};
use crate::parse::{Cursor, Layout};
use crate::types::{Space, Type};

/// An operand as written.
#[derive(Debug, Clone)]
pub(crate) enum Syntax<'a> {
    /// With the register's type; immediates and addresses have none.
    Value(Operand, Option<Type>),
    /// `!%p`
    Not(Operand, Option<Type>),
    Address(Address),
    /// `[%rd, {%r, %r}]`: a tensor map and coordinates, the innermost first.
    Tensor(Address, Vec<Syntax<'a>>),
    Vector(Vec<Syntax<'a>>),
    /// `_`
    Sink,
    /// `%r|%p`
    Pair(Box<[Syntax<'a>; 2]>),
    Name(&'a str),
}

/// What names mean between a pair of braces.
#[derive(Default)]
struct Scope<'a> {
    single: FxHashMap<&'a str, Name>,
    /// `%r<10>`: a stem, how many, and the first.
    ranges: Vec<(&'a str, u32, Register)>,
    /// Labels that are defined or named here.
    labels: BTreeMap<&'a str, u32>,
}

#[derive(Clone, Copy)]
enum Name {
    Register(Register),
    Operand(Operand),
}

pub(crate) struct Body<'a, 'c> {
    cursor: &'c mut Cursor<'a>,
    layout: &'c mut Layout,
    function: Function,
    scopes: Vec<Scope<'a>>,
    /// Labels that are another one of the scope around theirs.
    same: Vec<(u32, u32)>,
    tables: FxHashMap<&'a str, u32>,
}

const UNPLACED: u32 = u32::MAX;

impl<'a, 'c> Body<'a, 'c> {
    /// Parses up to the brace that closes the function.
    pub fn parse(
        cursor: &'c mut Cursor<'a>,
        layout: &'c mut Layout,
        function: Function,
    ) -> Result<Function, ParseError> {
        let scopes = vec![Scope::default()];
        let (same, tables) = Default::default();
        let mut body = Self {
            cursor,
            layout,
            function,
            scopes,
            same,
            tables,
        };
        while !body.scopes.is_empty() {
            body.statement()?;
        }
        // Outer labels come last: their places are known first.
        for &(inner, outer) in body.same.iter().rev() {
            body.function.labels[inner as usize] = body.function.labels[outer as usize];
        }
        Ok(body.function)
    }

    fn statement(&mut self) -> Result<(), ParseError> {
        let start = self.cursor.peek();
        if self.cursor.eat("{") {
            self.scopes.push(Scope::default());
        } else if self.cursor.eat("}") {
            self.leave()?;
        } else if self.cursor.eat(";") {
        } else if self.cursor.eat(".reg") {
            self.registers()?;
        } else if self.cursor.eat(".local") {
            self.variable(Space::Local)?;
        } else if self.cursor.eat(".param") {
            self.variable(Space::Param)?;
        } else if self.cursor.eat(".shared") {
            self.variable(Space::Shared)?;
        } else if self.cursor.eat(".loc") {
            self.cursor.skip_line(start.line);
        } else if self.cursor.eat(".pragma") {
            // Both tell ptxas what it may do; neither changes what is computed.
            let text = self.cursor.next().text.trim_matches('"');
            if text != "nounroll" && !text.starts_with("used_bytes_mask ") {
                return Err(self.cursor.error_at(start.line, "unknown pragma"));
            }
            self.cursor.expect(";")?;
        } else if start.kind == Kind::Mark && start.text == "@" || start.kind == Kind::Word {
            self.instruction()?;
        } else {
            return Err(self.cursor.error("expected a statement"));
        }
        Ok(())
    }

    /// Leaves a scope. A label that it only names is one of the scope around it.
    fn leave(&mut self) -> Result<(), ParseError> {
        let Some(scope) = self.scopes.pop() else {
            return Ok(());
        };
        for (name, id) in scope.labels {
            if self.function.labels[id as usize] != UNPLACED {
                continue;
            }
            if self.scopes.is_empty() {
                let reason = format!("no label {name} in this function");
                return Err(self.cursor.error(reason));
            }
            let outer = self.label(name);
            self.same.push((id, outer));
        }
        Ok(())
    }

    fn scope(&mut self) -> &mut Scope<'a> {
        self.scopes.last_mut().expect("inside of a function")
    }

    fn registers(&mut self) -> Result<(), ParseError> {
        let kind = self.cursor.scalar()?;
        loop {
            let name = self.cursor.word()?;
            let first = self.function.registers.len() as Register;
            if self.cursor.eat("<") {
                let count = self.cursor.number()?.min(1 << 20) as u32;
                self.cursor.expect(">")?;
                self.scope().ranges.push((name, count, first));
                self.function.registers.extend((0..count).map(|_| kind));
            } else {
                self.scope().single.insert(name, Name::Register(first));
                self.function.registers.push(kind);
            }
            if !self.cursor.eat(",") {
                break;
            }
        }
        self.cursor.expect(";")
    }

    fn variable(&mut self, space: Space) -> Result<(), ParseError> {
        let d = self.cursor.declaration()?;
        self.cursor.expect(";")?;
        if space == Space::Shared {
            let zeros = vec![0; d.size as usize];
            self.layout.place(space, &d, zeros);
            return Ok(());
        }
        let frame = match space {
            Space::Local => &mut self.function.local_frame,
            _ => &mut self.function.param_frame,
        };
        let offset = frame.next_multiple_of(d.align);
        *frame = offset + d.size;
        let operand = if space == Space::Local {
            Operand::Local(offset)
        } else {
            Operand::Param(offset)
        };
        self.scope().single.insert(d.name, Name::Operand(operand));
        Ok(())
    }

    fn label(&mut self, name: &'a str) -> u32 {
        let next = self.function.labels.len() as u32;
        let id = *self.scope().labels.entry(name).or_insert(next);
        if id == next {
            self.function.labels.push(UNPLACED);
        }
        id
    }

    fn instruction(&mut self) -> Result<(), ParseError> {
        let mut guard = None;
        let start = self.cursor.peek().start;
        if self.cursor.eat("@") {
            let negated = self.cursor.eat("!");
            let name = self.cursor.word()?;
            match self.lookup(name) {
                Some(Syntax::Value(Operand::Register(r), Some(Type::Pred))) => {
                    guard = Some((r, negated));
                }
                _ => return Err(self.cursor.error("the guard is no predicate")),
            }
        }
        let line = self.cursor.peek().line;
        let word = self.cursor.word()?;
        if guard.is_none() && self.cursor.eat(":") {
            return self.label_or_table(word);
        }
        let operation = match self.operation(word, line) {
            Ok(operation) => operation,
            Err(error) => self.cursor.postpone(error)?,
        };
        self.cursor.expect(";")?;
        self.function.instructions.push(Instruction {
            guard,
            operation,
            line,
            start,
        });
        Ok(())
    }

    fn operation(&mut self, word: &'a str, line: u32) -> Result<Operation, ParseError> {
        if word == "call" || word == "call.uni" {
            return self.call();
        }
        if word == "bra" || word == "bra.uni" {
            let name = self.cursor.word()?;
            return Ok(Operation::Branch(self.label(name)));
        }
        let operands = self.operands()?;
        decode(word, operands, &self.tables).map_err(|e| self.cursor.error_at(line, e))
    }

    fn label_or_table(&mut self, name: &'a str) -> Result<(), ParseError> {
        if self.cursor.eat(".branchtargets") {
            let mut targets = Vec::new();
            loop {
                let target = self.cursor.word()?;
                targets.push(self.label(target));
                if !self.cursor.eat(",") {
                    break;
                }
            }
            self.tables.insert(name, self.function.tables.len() as u32);
            self.function.tables.push(targets);
            return self.cursor.expect(";");
        }
        let id = self.label(name) as usize;
        if self.function.labels[id] != UNPLACED {
            return Err(self.cursor.error("a second label of that name"));
        }
        self.function.labels[id] = self.function.instructions.len() as u32;
        Ok(())
    }

    /// `call (results), name, (arguments)`, of which the lists may be missing.
    fn call(&mut self) -> Result<Operation, ParseError> {
        let mut results = Vec::new();
        if self.cursor.eat("(") {
            results = self.param_list()?;
            self.cursor.expect(",")?;
        }
        let name = self.cursor.word()?.to_owned();
        let mut arguments = Vec::new();
        if self.cursor.eat(",") {
            self.cursor.expect("(")?;
            arguments = self.param_list()?;
        }
        Ok(Operation::Call {
            name,
            arguments: arguments.into(),
            results: results.into(),
        })
    }

    fn param_list(&mut self) -> Result<Vec<u64>, ParseError> {
        let mut out = Vec::new();
        while !self.cursor.eat(")") {
            let name = self.cursor.word()?;
            match self.lookup(name) {
                Some(Syntax::Value(Operand::Param(offset), _)) => out.push(offset),
                _ => return Err(self.cursor.error("not a variable in parameter space")),
            }
            self.cursor.eat(",");
        }
        Ok(out)
    }

    fn operands(&mut self) -> Result<Vec<Syntax<'a>>, ParseError> {
        let mut out = Vec::new();
        while self.cursor.peek().text != ";" {
            let mut operand = self.operand()?;
            if self.cursor.eat("|") {
                operand = Syntax::Pair(Box::new([operand, self.operand()?]));
            }
            out.push(operand);
            if !self.cursor.eat(",") {
                break;
            }
        }
        Ok(out)
    }

    fn operand(&mut self) -> Result<Syntax<'a>, ParseError> {
        if self.cursor.eat("{") {
            let mut parts = Vec::new();
            loop {
                parts.push(self.operand()?);
                if !self.cursor.eat(",") {
                    break;
                }
            }
            self.cursor.expect("}")?;
            return Ok(Syntax::Vector(parts));
        }
        if self.cursor.eat("[") {
            let Syntax::Value(base, kind) = self.operand()? else {
                return Err(self.cursor.error("unknown name in an address"));
            };
            if kind.is_some_and(|k| k.bits() < 32) {
                return Err(self
                    .cursor
                    .error("the register is too narrow for an address"));
            }
            let offset = if self.cursor.eat("+") {
                self.cursor.number()? as i64
            } else {
                0
            };
            let address = Address { base, offset };
            if self.cursor.eat(",") {
                let Syntax::Vector(coordinates) = self.operand()? else {
                    return Err(self.cursor.error("expected coordinates"));
                };
                self.cursor.expect("]")?;
                return Ok(Syntax::Tensor(address, coordinates));
            }
            self.cursor.expect("]")?;
            return Ok(Syntax::Address(address));
        }
        if self.cursor.eat("!") {
            return match self.operand()? {
                Syntax::Value(operand, kind) => Ok(Syntax::Not(operand, kind)),
                _ => Err(self.cursor.error("expected a predicate")),
            };
        }
        let token = self.cursor.next();
        match token.kind {
            Kind::Number => number(token.text)
                .map(|value| Syntax::Value(Operand::Immediate(value), None))
                .ok_or_else(|| self.cursor.error_at(token.line, "unknown number")),
            Kind::Word if token.text == "_" => Ok(Syntax::Sink),
            Kind::Word => match self.lookup(token.text) {
                Some(found) => Ok(found),
                None if token.text.starts_with('%') => {
                    Err(self.cursor.error_at(token.line, "undeclared register"))
                }
                None => Ok(Syntax::Name(token.text)),
            },
            _ => Err(self.cursor.error_at(token.line, "expected an operand")),
        }
    }

    /// A register, variable or special register of that name; the innermost wins.
    fn lookup(&self, name: &str) -> Option<Syntax<'a>> {
        let register = |r: Register| {
            let kind = self.function.registers[r as usize];
            Syntax::Value(Operand::Register(r), Some(kind))
        };
        let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let (stem, index) = name.split_at(name.len() - digits);
        let index: Option<u32> = index.parse().ok();
        for scope in self.scopes.iter().rev() {
            match scope.single.get(name) {
                Some(Name::Register(r)) => return Some(register(*r)),
                Some(Name::Operand(operand)) => return Some(Syntax::Value(*operand, None)),
                None => {}
            }
            for &(range, count, first) in &scope.ranges {
                if let Some(i) = index.filter(|&i| stem == range && i < count) {
                    return Some(register(first + i));
                }
            }
        }
        let f = &self.function;
        if let Some(p) = f
            .parameters
            .iter()
            .chain(&f.results)
            .find(|p| p.name == name)
        {
            return Some(Syntax::Value(Operand::Param(p.offset), None));
        }
        if let Some(&address) = self.layout.symbols.get(name) {
            return Some(Syntax::Value(Operand::Immediate(address), None));
        }
        special(name)
            .map(Operand::Special)
            .or_else(|| of_cluster(name))
            .map(|operand| Syntax::Value(operand, Some(Type::B32)))
    }
}

/// Registers that describe clusters: each has one block.
fn of_cluster(name: &str) -> Option<Operand> {
    match name {
        "%cluster_ctarank" => return Some(Operand::Immediate(0)),
        "%cluster_nctarank" => return Some(Operand::Immediate(1)),
        _ => {}
    }
    let (stem, axis) = name.rsplit_once('.')?;
    let axis = ["x", "y", "z"].iter().position(|a| *a == axis)? as u8;
    Some(match stem {
        "%cluster_ctaid" => Operand::Immediate(0),
        "%cluster_nctaid" => Operand::Immediate(1),
        "%clusterid" => Operand::Special(Special::Block(axis)),
        "%nclusterid" => Operand::Special(Special::Blocks(axis)),
        _ => return None,
    })
}

fn special(name: &str) -> Option<Special> {
    let plain = match name {
        "%laneid" => Some(Special::Lane),
        "%warpid" => Some(Special::Warp),
        "%lanemask_eq" => Some(Special::LaneBit),
        "%lanemask_lt" => Some(Special::LanesBelow),
        "%lanemask_le" => Some(Special::LanesUpTo),
        "%lanemask_ge" => Some(Special::LanesFrom),
        "%lanemask_gt" => Some(Special::LanesAbove),
        _ => None,
    };
    plain.or_else(|| {
        let (stem, axis) = name.rsplit_once('.')?;
        let axis = ["x", "y", "z"].iter().position(|a| *a == axis)? as u8;
        match stem {
            "%tid" => Some(Special::Thread(axis)),
            "%ntid" => Some(Special::Threads(axis)),
            "%ctaid" => Some(Special::Block(axis)),
            "%nctaid" => Some(Special::Blocks(axis)),
            _ => None,
        }
    })
}
