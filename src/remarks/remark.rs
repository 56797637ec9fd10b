//! A remark: a sentence for people whose numbers and names have keys for tools.

use crate::abi::{WARPALLOC_NONE, WarpallocArgument, WarpallocRemark};
use passes::function::Instruction;
use std::ffi::CString;
use std::fmt::{self, Display};

/// Which of LLVM's options shows a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `-pass-remarks-analysis=warpalloc`.
    Analysis,
    /// `-pass-remarks-missed=warpalloc`.
    Missed,
}

/// A part of the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// What it is, empty for mere text.
    pub key: &'static str,
    /// What people read.
    pub value: String,
}

/// A remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Who sees it.
    pub kind: Kind,
    /// Its name, for tools.
    pub name: &'static str,
    /// Where; none for the function as a whole.
    pub at: Option<Instruction>,
    /// The sentence.
    pub arguments: Vec<Argument>,
}

impl Remark {
    /// A remark that says nothing yet.
    pub fn new(kind: Kind, name: &'static str, at: Option<Instruction>) -> Self {
        Self {
            kind,
            name,
            at,
            arguments: Vec::new(),
        }
    }

    /// Adds text.
    pub fn text(&mut self, text: impl Display) -> &mut Self {
        self.value("", text)
    }

    /// Adds something that tools read, too.
    pub fn value(&mut self, key: &'static str, value: impl Display) -> &mut Self {
        let value = value.to_string();
        self.arguments.push(Argument { key, value });
        self
    }

    /// Adds a number with a noun behind it that has a regular plural.
    pub fn count(&mut self, key: &'static str, number: u32, noun: &str) -> &mut Self {
        let plural = if number == 1 { "" } else { "s" };
        self.value(key, number).text(format!(" {noun}{plural}"))
    }
}

impl Display for Remark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = self.arguments.iter();
        parts.try_for_each(|part| formatter.write_str(&part.value))
    }
}

/// A text for C, in which a NUL would end it.
pub fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}

/// Remarks as C++ reads them.
#[derive(Debug, Default)]
pub struct Tables {
    /// The remarks.
    pub remarks: Vec<WarpallocRemark>,
    /// Their parts.
    pub arguments: Vec<WarpallocArgument>,
    /// What the pointers of both point to.
    texts: Vec<CString>,
}

impl Tables {
    /// The tables of some remarks.
    pub fn new(remarks: &[Remark]) -> Self {
        let mut tables = Self::default();
        for remark in remarks {
            let argument_begin = tables.arguments.len() as u32;
            for Argument { key, value } in &remark.arguments {
                let [key, value] = [key, value.as_str()].map(|text| tables.text(text));
                tables.arguments.push(WarpallocArgument { key, value });
            }
            let name = tables.text(remark.name);
            tables.remarks.push(WarpallocRemark {
                is_missed: remark.kind == Kind::Missed,
                name,
                instruction: remark.at.map_or(WARPALLOC_NONE, Instruction::as_u32),
                argument_begin,
                argument_end: tables.arguments.len() as u32,
            });
        }
        tables
    }

    fn text(&mut self, text: &str) -> *const std::ffi::c_char {
        // The text itself stays where it is when the list of texts grows.
        self.texts.push(c_string(text));
        self.texts
            .last()
            .map_or(std::ptr::null(), |text| text.as_ptr())
    }
}
