//! Random kernels in CUDA C++, for comparing what they compute before and after passes over
//! LLVM IR.
//!
//! They are full of what keeps memory on the stack: arrays indexed by counters of loops and
//! by data, structures passed by pointer and by value, lambdas that capture by reference,
//! choices between addresses. No header is needed.
//!
//! Nothing in a kernel is undefined: all integers are unsigned and at least 32 bits wide
//! where they are computed with, indices are taken modulo the length, all variables are
//! initialised, floating-point numbers stay small. A thread reads its inputs first, writes
//! its own part of global memory, and accesses both as volatile: how often it does is part
//! of what is compared.
//!
//! The parameters are those of [`crate::random_kernel`], and so is the name.

mod expression;
mod place;
mod statement;

use crate::random::Random;
use crate::random_kernel::{IN_BYTES, OUT_BYTES, PREFIX};
use place::{Array, Element, Field, Scope};

/// About so many statements are executed by a thread, at most.
const MOST_COST: u64 = 2000;
/// The words of a thread's part of global memory that statements may write; the others are
/// for what the variables hold in the end.
const WRITTEN: u64 = 16;

const HEAD: &str = "\
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long long u64;

template <u32 N, typename F> static __device__ void repeat(F &f) {
  for (u32 i = 0; i < N; ++i)
    f(i);
}

template <u32 N> struct Chain {
  template <typename F> static __device__ void run(F &f) {
    Chain<N - 1>::run(f);
    f(N - 1);
  }
};
template <> struct Chain<0> {
  template <typename F> static __device__ void run(F &) {}
};
";

/// A file with one kernel, `random_kernel_SEED`.
pub fn random_source(seed: u64) -> String {
    let mut generator = Generator {
        random: Random::new(seed ^ 0x0073_6f75_7263_6573),
        text: format!("// Random kernel {seed}\n{HEAD}"),
        indent: 0,
        structures: Vec::new(),
        callees: Vec::new(),
        scope: Scope::default(),
        is_kernel: false,
        is_lambda: false,
        names: 0,
        cost: 0,
        rounds: 1,
        loops: 0,
    };
    for _ in 0..1 + generator.below(3) {
        generator.structure();
    }
    for _ in 0..1 + generator.below(4) {
        generator.function();
    }
    generator.kernel(seed);
    generator.text
}

/// A device function that gets a structure and an array by pointer, and gives a number or a
/// structure like the first.
#[derive(Clone)]
struct Callee {
    name: String,
    structure: usize,
    length: u64,
    gives_structure: bool,
    /// Statements that it executes.
    cost: u64,
}

struct Generator {
    random: Random,
    text: String,
    indent: usize,
    /// The fields of each structure, `S0`, `S1` and so on.
    structures: Vec<Vec<Field>>,
    callees: Vec<Callee>,
    scope: Scope,
    /// Whether the body is the kernel's, which has `out`.
    is_kernel: bool,
    /// Whether the statements are a lambda's.
    is_lambda: bool,
    /// How many names have been given.
    names: u32,
    /// Statements that the function executes as far as it is written.
    cost: u64,
    /// How often a statement written now is executed.
    rounds: u64,
    /// How many loops it is in.
    loops: u32,
}

impl Generator {
    fn below(&mut self, end: u64) -> u64 {
        self.random.below(end)
    }

    fn once_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        let index = self.below(items.len().max(1) as u64);
        items.get(index as usize).cloned()
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        self.text += &"  ".repeat(self.indent);
        self.text += text;
        self.text.push('\n');
    }

    /// A block after `head`; what is declared in it ends with it.
    fn block(&mut self, head: &str, body: impl FnOnce(&mut Self)) {
        self.line(&format!("{head} {{"));
        let scope = self.scope.clone();
        self.indent += 1;
        body(self);
        self.indent -= 1;
        self.scope = scope;
        self.line("}");
    }

    /// A structure that may have earlier ones in it, and constants of its type.
    fn structure(&mut self) {
        let mut fields = Vec::new();
        for _ in 0..2 + self.below(3) {
            fields.push(match self.below(6) {
                0 if !self.structures.is_empty() => {
                    Field::Structure(self.below(self.structures.len() as u64) as usize)
                }
                0 | 1 => Field::Float,
                2 => Field::Number,
                _ => Field::Array(self.element(), 2 + self.below(5)),
            });
        }
        fields.push(Field::Number);
        let number = self.structures.len();
        self.structures.push(fields);
        let declarations = place::declarations(&self.structures[number]);
        self.text += &format!("\nstruct S{number} {{\n{declarations}}};\n");
        let constants: Vec<_> = (0..2).map(|_| self.initialiser(number)).collect();
        let constants = constants.join(", ");
        self.text +=
            &format!("static __constant__ S{number} known_{number}[2] = {{{constants}}};\n");
    }

    /// Constants for all fields.
    fn initialiser(&mut self, structure: usize) -> String {
        let mut values = Vec::new();
        for field in self.structures[structure].clone() {
            values.push(match field {
                Field::Number => self.below(1000).to_string(),
                Field::Float => format!("{}.5f", self.below(100)),
                Field::Array(_, length) => {
                    let values: Vec<_> = (0..length).map(|_| self.below(200).to_string()).collect();
                    format!("{{{}}}", values.join(", "))
                }
                Field::Structure(inner) => self.initialiser(inner),
            });
        }
        format!("{{{}}}", values.join(", "))
    }

    fn element(&mut self) -> Element {
        self.pick(&Element::ALL).expect("there are elements")
    }

    fn start(&mut self, is_kernel: bool) {
        self.scope = Scope::default();
        self.is_kernel = is_kernel;
        (self.cost, self.rounds, self.loops) = (0, 1, 0);
    }

    /// A function for the kernel and for those after it.
    fn function(&mut self) {
        self.start(false);
        let structure = self.below(self.structures.len() as u64) as usize;
        let length = 2 + self.below(7);
        let name = format!("device_{}", self.callees.len());
        let gives_structure = self.once_in(3);
        self.scope.numbers.push("x".into());
        self.scope.fields(&self.structures, structure, "s->");
        self.scope.structures.push(("(*s)".into(), structure));
        self.scope.arrays.push(Array {
            name: "values".into(),
            element: Element::U32,
            length,
        });
        let result = match gives_structure {
            true => format!("S{structure}"),
            false => "u32".into(),
        };
        let head =
            format!("static __device__ {result} {name}(S{structure} *s, u32 *values, u32 x)");
        self.text.push('\n');
        self.block(&head, |body| {
            body.numbers(2);
            for _ in 0..2 + body.below(4) {
                body.statement();
            }
            let result = match gives_structure {
                true => "*s".into(),
                false => body.number(2),
            };
            body.line(&format!("return {result};"));
        });
        self.callees.push(Callee {
            name,
            structure,
            length,
            gives_structure,
            cost: self.cost,
        });
    }

    fn kernel(&mut self, seed: u64) {
        self.start(true);
        let head = format!(
            "\nextern \"C\" __global__ void {PREFIX}{seed}(const volatile u32 *in, \
             volatile u32 *to, u32 n, u64 m, float x, double y)"
        );
        self.block(&head, |body| {
            body.line(
                "u32 thread = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + \
                 __nvvm_read_ptx_sreg_tid_x();",
            );
            let (words, own) = (IN_BYTES / 4, OUT_BYTES / 4);
            body.line(&format!("volatile u32 *out = to + {own} * thread;"));
            body.line("u32 low = (u32)m, high = (u32)(m >> 32);");
            body.line("float z = (float)y;");
            for name in ["n", "low", "high", "thread"] {
                body.scope.numbers.push(name.into());
            }
            for name in ["x", "z"] {
                body.scope.floats.push(name.into());
            }
            for _ in 0..2 + body.below(3) {
                let (name, factor, by) = (body.name("v"), body.below(60), body.below(1000));
                body.line(&format!(
                    "u32 {name} = in[(thread * {factor} + {by}) % {words}];"
                ));
                body.scope.numbers.push(name);
            }
            for structure in 0..body.structures.len() {
                body.structure_variable(structure);
            }
            for _ in 0..1 + body.below(3) {
                body.array();
            }
            for _ in 0..5 + body.below(8) {
                body.statement();
            }
            for callee in 0..body.callees.len() {
                body.call(callee);
            }
            body.store_all(u64::from(own));
        });
    }

    /// What all variables hold in the end.
    fn store_all(&mut self, words: u64) {
        let mut at = WRITTEN;
        let floats = self.scope.floats.clone().into_iter();
        let numbers = self.scope.numbers.clone().into_iter();
        for value in numbers.chain(floats.map(|name| format!("(u32)(int){name}"))) {
            if at < words / 2 {
                self.line(&format!("out[{at}] = {value};"));
                at += 1;
            }
        }
        for array in self.scope.arrays.clone() {
            if at < words {
                let sum = self.name("sum");
                self.line(&format!("u32 {sum} = 0;"));
                let (length, value) = (array.length, array.at("i").number());
                self.line(&format!(
                    "for (u32 i = 0; i < {length}; ++i) {sum} = {sum} * 31 + {value};"
                ));
                self.line(&format!("out[{at}] = {sum};"));
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_source() {
        assert_eq!(random_source(7), random_source(7));
        assert_ne!(random_source(7), random_source(8));
    }

    /// All that the generator is for occurs, and brackets match.
    #[test]
    fn sources_have_what_keeps_memory_on_the_stack() {
        let all: Vec<_> = (1..60).map(random_source).collect();
        for part in [
            "for (",
            "switch (",
            "[&](",
            "repeat<",
            "Chain<",
            "? &",
            "*s, u32 *values",
            "? known_",
            "float ",
            "u16 ",
            "u8 ",
            "u64 ",
            "% 5u]",
        ] {
            assert!(all.iter().any(|text| text.contains(part)), "{part}");
        }
        for text in &all {
            for (open, close) in [('{', '}'), ('(', ')'), ('[', ']')] {
                let count = |one| text.chars().filter(|&c| c == one).count();
                assert_eq!(count(open), count(close));
            }
        }
    }
}
