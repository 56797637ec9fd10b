//! The outermost grammar: variables, functions and their headers.

use rustc_hash::FxHashMap;

use crate::body::Body;
use crate::error::ParseError;
use crate::lexer::{Kind, Token, number, refuse, tokens};
use crate::memory::{
    CONST_BASE, DYNAMIC_SHARED_ALIGNMENT, DYNAMIC_SHARED_SIZE, GAP, GLOBAL_BASE, SHARED_BASE,
    SPILL_BASE, SPILL_SPACE,
};
use crate::module::{Function, Module, Parameter, Variable};
use crate::operation::{Instruction, Operation};
use crate::types::{Space, Type};

/// A place in the tokens of a file.
pub(crate) struct Cursor<'a> {
    source: &'a str,
    tokens: Vec<Token<'a>>,
    at: usize,
    /// Whether instructions that are not known are kept, to fail when they are executed.
    lenient: bool,
}

impl<'a> Cursor<'a> {
    pub fn peek(&self) -> Token<'a> {
        self.tokens[self.at]
    }

    pub fn next(&mut self) -> Token<'a> {
        let token = self.peek();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    /// Leaves an instruction that is not understood for whoever executes it, if that is how
    /// the file is read. It must have an end.
    pub fn postpone(&mut self, error: ParseError) -> Result<Operation, ParseError> {
        while self.lenient && self.peek().text != ";" {
            if self.next().kind == Kind::End {
                return Err(error);
            }
        }
        match self.lenient && self.peek().text == ";" {
            true => Ok(Operation::Unknown(Box::new(error))),
            false => Err(error),
        }
    }

    pub fn eat(&mut self, text: &str) -> bool {
        let found = self.peek().kind != Kind::Text && self.peek().text == text;
        if found {
            self.next();
        }
        found
    }

    pub fn expect(&mut self, text: &str) -> Result<(), ParseError> {
        if self.eat(text) {
            Ok(())
        } else {
            Err(self.error(format!("expected {text:?}")))
        }
    }

    /// Skips what is left of a line: what debuggers read.
    pub fn skip_line(&mut self, line: u32) {
        while self.peek().kind != Kind::End && self.peek().line == line {
            self.next();
        }
    }

    pub fn word(&mut self) -> Result<&'a str, ParseError> {
        match self.peek().kind {
            Kind::Word => Ok(self.next().text),
            _ => Err(self.error("expected a name")),
        }
    }

    pub fn number(&mut self) -> Result<u64, ParseError> {
        match number(self.peek().text) {
            Some(value) if self.peek().kind == Kind::Number => {
                self.next();
                Ok(value)
            }
            _ => Err(self.error("expected a number")),
        }
    }

    /// An error at the next token.
    pub fn error(&self, reason: impl Into<String>) -> ParseError {
        self.error_at(self.peek().line, reason)
    }

    pub fn error_at(&self, line: u32, reason: impl Into<String>) -> ParseError {
        refuse(self.source, line, reason)
    }

    pub fn scalar(&mut self) -> Result<Type, ParseError> {
        let kind = self.peek().text.strip_prefix('.').and_then(Type::named);
        match kind {
            Some(kind) => {
                self.next();
                Ok(kind)
            }
            None => Err(self.error("unknown type")),
        }
    }

    /// `[.align N] .type [.ptr ...] name[N]`, without what follows.
    pub fn declaration(&mut self) -> Result<Declaration<'a>, ParseError> {
        match self.any_declaration()? {
            d if d.is_sized => Ok(d),
            _ => Err(self.error("an array without a size")),
        }
    }

    /// The same; an array may lack its size.
    fn any_declaration(&mut self) -> Result<Declaration<'a>, ParseError> {
        let mut align = if self.eat(".align") {
            self.number()?
        } else {
            1
        };
        let kind = self.scalar()?;
        let pointer = self.eat(".ptr");
        if pointer {
            for space in [".global", ".shared", ".local", ".const"] {
                self.eat(space);
            }
            if self.eat(".align") {
                self.number()?;
            }
        }
        let name = self.word()?;
        let mut size = kind.bytes() as u64;
        let mut scalar = Some(kind);
        let mut is_sized = true;
        while self.eat("[") {
            if self.eat("]") {
                is_sized = false;
                scalar = None;
                break;
            }
            size = size
                .checked_mul(self.number()?)
                .filter(|&size| size < 1 << 30)
                .ok_or_else(|| self.error("too large"))?;
            scalar = None;
            self.expect("]")?;
        }
        align = align.max(kind.bytes() as u64);
        if !align.is_power_of_two() {
            return Err(self.error("an alignment that is no power of two"));
        }
        Ok(Declaration {
            name,
            align,
            kind,
            size,
            scalar,
            pointer,
            is_sized,
        })
    }

    /// `= value` or `= {values}`, as bytes.
    fn initial(&mut self, d: &Declaration) -> Result<Vec<u8>, ParseError> {
        let mut bytes = Vec::new();
        if self.eat("=") {
            let list = self.eat("{");
            loop {
                let value = self.number()?.to_le_bytes();
                bytes.extend_from_slice(&value[..d.kind.bytes()]);
                if !(list && self.eat(",")) {
                    break;
                }
            }
            if list {
                self.expect("}")?;
            }
        }
        if bytes.len() as u64 > d.size {
            return Err(self.error("more values than the variable holds"));
        }
        bytes.resize(d.size as usize, 0);
        Ok(bytes)
    }
}

pub(crate) struct Declaration<'a> {
    pub name: &'a str,
    pub align: u64,
    pub kind: Type,
    pub size: u64,
    pub scalar: Option<Type>,
    pub pointer: bool,
    /// Whether each dimension has a number of elements.
    pub is_sized: bool,
}

/// Where the variables of the module go.
pub(crate) struct Layout {
    pub variables: Vec<Variable>,
    /// Addresses of all variables by name.
    pub symbols: FxHashMap<String, u64>,
    next: [u64; 4],
}

impl Layout {
    pub fn place(&mut self, space: Space, d: &Declaration, contents: Vec<u8>) {
        let next = match space {
            Space::Global => &mut self.next[0],
            Space::Const => &mut self.next[1],
            Space::Shared if d.name == SPILL_SPACE => &mut self.next[3],
            _ => &mut self.next[2],
        };
        let address = next.next_multiple_of(d.align);
        *next = address + d.size + GAP;
        self.symbols.insert(d.name.to_owned(), address);
        let (name, size) = (d.name.to_owned(), d.size as usize);
        self.variables.push(Variable {
            name,
            space,
            address,
            size,
            contents,
        });
    }
}

pub(crate) fn module(source: &str, lenient: bool) -> Result<Module, ParseError> {
    let mut cursor = Cursor {
        source,
        tokens: tokens(source)?,
        at: 0,
        lenient,
    };
    let next = [GLOBAL_BASE, CONST_BASE, SHARED_BASE, SPILL_BASE];
    let mut layout = Layout {
        variables: Vec::new(),
        symbols: FxHashMap::default(),
        next,
    };
    let mut module = Module::default();
    while cursor.peek().kind != Kind::End {
        if cursor.eat(".version") {
            cursor.next();
        } else if cursor.eat(".target") {
            cursor.word()?;
        } else if cursor.eat(".pragma") {
            // It tells ptxas not to unroll loops; nothing else is known here.
            if cursor.next().text != "\"nounroll\"" {
                return Err(cursor.error("unknown pragma"));
            }
            cursor.expect(";")?;
        } else if cursor.eat(".address_size") {
            if cursor.number()? != 64 {
                return Err(cursor.error("addresses must have 64 bits"));
            }
        } else if cursor.peek().text == ".file" {
            let line = cursor.peek().line;
            cursor.skip_line(line);
        } else if cursor.eat(".section") {
            section(&mut cursor)?;
        } else {
            let external = cursor.eat(".extern");
            let _ = cursor.eat(".visible") || cursor.eat(".weak");
            match cursor.word()? {
                ".entry" => function(&mut cursor, &mut layout, &mut module, true)?,
                ".func" => function(&mut cursor, &mut layout, &mut module, false)?,
                ".global" if !external => variable(&mut cursor, &mut layout, Space::Global)?,
                ".const" if !external => variable(&mut cursor, &mut layout, Space::Const)?,
                ".shared" if external => dynamic(&mut cursor, &mut layout)?,
                ".shared" => variable(&mut cursor, &mut layout, Space::Shared)?,
                _ => {
                    cursor.at -= 1;
                    return Err(cursor.error("unknown directive"));
                }
            }
        }
    }
    module.variables = layout.variables;
    module.shared_size = layout.next[2] - SHARED_BASE;
    check_calls(&mut module, &cursor)?;
    Ok(module)
}

fn variable<'a>(
    cursor: &mut Cursor<'a>,
    layout: &mut Layout,
    space: Space,
) -> Result<(), ParseError> {
    let d = cursor.declaration()?;
    let contents = cursor.initial(&d)?;
    cursor.expect(";")?;
    layout.place(space, &d, contents);
    Ok(())
}

/// An array in shared memory that is as large as the launch wants it.
fn dynamic<'a>(cursor: &mut Cursor<'a>, layout: &mut Layout) -> Result<(), ParseError> {
    let mut d = cursor.any_declaration()?;
    if d.is_sized {
        return Err(cursor.error("an external array of a certain size"));
    }
    cursor.expect(";")?;
    // Programs assume what is so on a GPU where nothing else is in shared memory.
    (d.size, d.align) = (DYNAMIC_SHARED_SIZE, DYNAMIC_SHARED_ALIGNMENT);
    let zeros = vec![0; d.size as usize];
    layout.place(Space::Shared, &d, zeros);
    Ok(())
}

/// `.section name { ... }`: what debuggers read.
fn section(cursor: &mut Cursor<'_>) -> Result<(), ParseError> {
    cursor.word()?;
    cursor.expect("{")?;
    while !cursor.eat("}") {
        if cursor.next().kind == Kind::End {
            return Err(cursor.error("a section without an end"));
        }
    }
    Ok(())
}

fn parameters(cursor: &mut Cursor<'_>, frame: &mut u64) -> Result<Vec<Parameter>, ParseError> {
    let mut out = Vec::new();
    if !cursor.eat("(") || cursor.eat(")") {
        return Ok(out);
    }
    loop {
        cursor.expect(".param")?;
        let d = cursor.declaration()?;
        let offset = frame.next_multiple_of(d.align);
        *frame = offset + d.size;
        let (name, size) = (d.name.to_owned(), d.size as usize);
        out.push(Parameter {
            name,
            offset,
            size,
            scalar: d.scalar,
            pointer: d.pointer,
        });
        if !cursor.eat(",") {
            break;
        }
    }
    cursor.expect(")")?;
    Ok(out)
}

fn function(
    cursor: &mut Cursor<'_>,
    layout: &mut Layout,
    module: &mut Module,
    kernel: bool,
) -> Result<(), ParseError> {
    let mut f = Function {
        kernel,
        ..Function::default()
    };
    if !kernel {
        f.results = parameters(cursor, &mut f.param_frame)?;
    }
    f.name = cursor.word()?.to_owned();
    f.parameters = parameters(cursor, &mut f.param_frame)?;
    loop {
        if cursor.eat(";") {
            return Ok(()); // a declaration; its definition, if any, says the same
        } else if cursor.eat(".maxntid") || cursor.eat(".reqntid") {
            let mut threads = cursor.number()?;
            while cursor.eat(",") {
                threads *= cursor.number()?;
            }
            f.most_threads = Some(threads);
        } else if cursor.eat(".minnctapersm") || cursor.eat(".maxnreg") {
            cursor.number()?;
        } else if !cursor.eat(".noreturn") {
            break;
        }
    }
    cursor.expect("{")?;
    if module
        .by_name
        .insert(f.name.clone(), module.functions.len())
        .is_some()
    {
        return Err(cursor.error("a second function of that name"));
    }
    module.functions.push(Body::parse(cursor, layout, f)?);
    Ok(())
}

/// Every callee must have a body, and as many parameters as are passed.
fn check_calls(module: &mut Module, cursor: &Cursor<'_>) -> Result<(), ParseError> {
    for f in 0..module.functions.len() {
        for at in 0..module.functions[f].instructions.len() {
            let instruction = &module.functions[f].instructions[at];
            let Some(error) = wrong_call(module, cursor, instruction) else {
                continue;
            };
            match cursor.lenient {
                true => {
                    let operation = Operation::Unknown(Box::new(error));
                    module.functions[f].instructions[at].operation = operation;
                }
                false => return Err(error),
            }
        }
    }
    Ok(())
}

fn wrong_call(
    module: &Module,
    cursor: &Cursor<'_>,
    instruction: &Instruction,
) -> Option<ParseError> {
    let Operation::Call {
        name,
        arguments,
        results,
    } = &instruction.operation
    else {
        return None;
    };
    let callee = module.by_name.get(name).map(|&i| &module.functions[i]);
    let fits = callee
        .is_some_and(|c| c.parameters.len() == arguments.len() && c.results.len() == results.len());
    let reason = || format!("no function {name} with these parameters is defined");
    (!fits).then(|| cursor.error_at(instruction.line, reason()))
}
