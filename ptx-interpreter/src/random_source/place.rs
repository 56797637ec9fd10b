//! What a statement can read and write: numbers, floating-point numbers and arrays, whether
//! variables or fields of structures.

/// The type of an array's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    U8,
    U16,
    U32,
    U64,
    Float,
}

impl Element {
    pub const ALL: [Self; 6] = [
        Self::U32,
        Self::U32,
        Self::U8,
        Self::U16,
        Self::U64,
        Self::Float,
    ];

    /// What it is called in the source.
    pub fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::Float => "float",
        }
    }
}

/// A field of a structure.
#[derive(Clone, Copy, Debug)]
pub enum Field {
    /// A `u32`.
    Number,
    Float,
    Array(Element, u64),
    /// The structure of that number.
    Structure(usize),
}

/// The fields as a structure declares them: the n-th is called `fN`.
pub fn declarations(fields: &[Field]) -> String {
    let one = |(index, field): (usize, &Field)| match field {
        Field::Number => format!("  u32 f{index};\n"),
        Field::Float => format!("  float f{index};\n"),
        Field::Array(element, length) => format!("  {} f{index}[{length}];\n", element.name()),
        Field::Structure(number) => format!("  S{number} f{index};\n"),
    };
    fields.iter().enumerate().map(one).collect()
}

/// An array, or a pointer to the first of so many elements.
#[derive(Clone, Debug)]
pub struct Array {
    pub name: String,
    pub element: Element,
    pub length: u64,
}

/// An element of an array.
pub struct Place {
    pub text: String,
    pub element: Element,
}

impl Array {
    /// The element at an index in the source, which must be within the array.
    pub fn at(&self, index: &str) -> Place {
        Place {
            text: format!("{}[{index}]", self.name),
            element: self.element,
        }
    }
}

impl Place {
    /// Its value as a `u32`.
    pub fn number(&self) -> String {
        match self.element {
            Element::U32 => self.text.clone(),
            Element::Float => format!("(u32)(int){}", self.text),
            _ => format!("(u32){}", self.text),
        }
    }
}

/// What is in scope.
#[derive(Clone, Default)]
pub struct Scope {
    /// Of type `u32`, to read and write.
    pub numbers: Vec<String>,
    /// Counters, to read.
    pub counters: Vec<String>,
    pub floats: Vec<String>,
    pub arrays: Vec<Array>,
    /// Structures: what names them, and the number of their type.
    pub structures: Vec<(String, usize)>,
    /// Lambdas of one number, and the statements that they execute.
    pub lambdas: Vec<(String, u64)>,
}

impl Scope {
    /// Adds the fields of a structure; `prefix` is what stands before a field's name.
    pub fn fields(&mut self, structures: &[Vec<Field>], number: usize, prefix: &str) {
        for (index, &field) in structures[number].iter().enumerate() {
            let name = format!("{prefix}f{index}");
            match field {
                Field::Number => self.numbers.push(name),
                Field::Float => self.floats.push(name),
                Field::Array(element, length) => self.arrays.push(Array {
                    name,
                    element,
                    length,
                }),
                Field::Structure(inner) => {
                    self.fields(structures, inner, &format!("{name}."));
                }
            }
        }
    }
}
