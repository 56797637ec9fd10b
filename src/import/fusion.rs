//! Which instructions ptxas makes one of: the halves of a product of 32-bit numbers, `mul.lo`
//! and `mul.hi` of the same factors.
//!
//! A factor is a register or a constant, written as such or in a register that is written once.
//! Halves count as those of one product in a block where no factor is written between them. Which
//! constant it is texts do not say, as one stands for all of its form; two halves of products of
//! one register by different constants are rare, and lose nothing by being together.
//!
//! Linear, but for each half the logarithm of their number. Source: measured (docs/spills.md).

use super::ptx::Token;
use cranelift_entity::SecondaryMap;
use passes::function::{Function, Instruction, Operand, VirtualRegister};
use std::collections::BTreeMap;

/// A factor as a text says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// The operand of that number in the text.
    Operand(u16),
    /// A number.
    Constant,
}

/// What the text of an instruction says of products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// Its result is the half of one.
    Half {
        /// The upper one.
        is_high: bool,
        /// What is multiplied.
        factors: [Factor; 2],
    },
    /// It multiplies two numbers, of any kind, to which it adds one.
    Sum,
    /// Its result is a constant, which may be a factor.
    Constant,
}

impl Product {
    /// Reads a printed instruction.
    pub fn read(mnemonic: &str, operands: &[Token]) -> Option<Self> {
        let mut operands = operands.split(|&token| matches!(token, Token::Other(',' | ';')));
        let (_, one) = (operands.next(), factor(operands.next()?)?);
        let mut half = |is_high| {
            let factors = [one, factor(operands.next()?)?];
            Some(Self::Half { is_high, factors })
        };
        match (mnemonic, one) {
            ("mul.lo.s32" | "mul.lo.u32", _) => half(false),
            ("mul.hi.s32" | "mul.hi.u32", _) => half(true),
            ("mad.wide.s32" | "mad.wide.u32", _) => Some(Self::Sum),
            ("mov.b32" | "mov.u32", Factor::Constant) => Some(Self::Constant),
            _ => None,
        }
    }
}

/// A register or a number.
fn factor(tokens: &[Token]) -> Option<Factor> {
    match tokens {
        [Token::Operand(number)] => Some(Factor::Operand(*number)),
        [Token::Word(number)] | [Token::Other('-'), Token::Word(number)] => {
            let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then_some(Factor::Constant)
        }
        _ => None,
    }
}

/// The products that a function's texts name.
#[derive(Default)]
pub struct Products {
    /// What multiplies, in order; none if it adds besides.
    multiplications: Vec<(Instruction, Option<Half>)>,
    /// Whether a constant is written to a register.
    is_constant: SecondaryMap<VirtualRegister, bool>,
}

/// Half of a product.
struct Half {
    is_high: bool,
    /// Registers; none for a constant.
    factors: [Option<VirtualRegister>; 2],
}

/// A register, and how often it has been written before; none for a constant.
type Written = Option<(VirtualRegister, u32)>;

impl Products {
    /// Notes what the next instruction says, whose operands have these numbers in its text.
    pub fn note(
        &mut self,
        function: &Function,
        instruction: Instruction,
        product: Product,
        names: &[u16],
    ) {
        let operands = function.instruction_operands(instruction);
        let register = |factor| match factor {
            Factor::Constant => Some(None),
            Factor::Operand(name) => {
                let place = names.iter().position(|&one| one == name)?;
                operands[place].virtual_register().map(Some)
            }
        };
        match product {
            Product::Sum => self.multiplications.push((instruction, None)),
            Product::Constant => {
                let result = operands.iter().find(|operand| operand.is_definition());
                if let Some(value) = result.and_then(Operand::virtual_register) {
                    self.is_constant[value] = true;
                }
            }
            Product::Half { is_high, factors } => {
                if let [Some(one), Some(other)] = factors.map(register) {
                    let factors = [one, other];
                    let half = Half { is_high, factors };
                    self.multiplications.push((instruction, Some(half)));
                }
            }
        }
    }

    /// What multiplies, in order, with a number that the two halves of a product share; empty if
    /// there is no product of two halves.
    pub fn numbered(&self, function: &Function) -> Vec<(Instruction, u32)> {
        let mut numbered = Vec::new();
        let mut halves = self
            .multiplications
            .iter()
            .filter_map(|(_, half)| half.as_ref());
        if !halves.any(|half| half.is_high) {
            return numbered;
        }
        let mut multiplications = self.multiplications.iter().peekable();
        let mut next = 0;
        let mut has_whole = false;
        let mut definitions: SecondaryMap<VirtualRegister, u32> = SecondaryMap::new();
        let written = |instruction| {
            let operands = function.instruction_operands(instruction).iter();
            let written = operands.filter(|operand| operand.is_definition());
            written.filter_map(Operand::virtual_register)
        };
        for instruction in function.instructions.keys() {
            for value in written(instruction) {
                definitions[value] += 1;
            }
        }
        let mut times: SecondaryMap<VirtualRegister, u32> = SecondaryMap::new();
        // The number of each product, and whether the half that was seen is the upper one.
        let mut open: BTreeMap<[Written; 2], (u32, bool)> = BTreeMap::new();
        for block in function.blocks.keys() {
            open.clear();
            for instruction in function.block_instructions(block) {
                let mut new = || {
                    next += 1;
                    next - 1
                };
                match multiplications.next_if(|(one, _)| *one == instruction) {
                    Some((_, Some(half))) => {
                        let is_register = |value: &VirtualRegister| {
                            !self.is_constant[*value] || definitions[*value] != 1
                        };
                        let mut factors = half.factors.map(|factor| {
                            let register = factor.filter(is_register);
                            register.map(|value| (value, times[value]))
                        });
                        factors.sort_unstable();
                        match open.get(&factors) {
                            Some(&(product, is_high)) if is_high != half.is_high => {
                                has_whole = true;
                                numbered.push((instruction, product));
                                open.remove(&factors);
                            }
                            _ => {
                                let product = new();
                                numbered.push((instruction, product));
                                open.insert(factors, (product, half.is_high));
                            }
                        }
                    }
                    Some((_, None)) => numbered.push((instruction, new())),
                    None => {}
                }
                for value in written(instruction) {
                    times[value] += 1;
                }
            }
        }
        if !has_whole {
            numbered.clear();
        }
        numbered
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::ptx::{Style, read};

    #[test]
    fn halves_and_constants_are_read() {
        use Factor::{Constant, Operand};
        let half = |is_high, factors| Some(Product::Half { is_high, factors });
        for (text, expected) in [
            (
                "mul.hi.u32 \t%r0, %r1, %r2;",
                half(true, [Operand(1), Operand(2)]),
            ),
            (
                "mul.hi.s32 \t%r0, %r1, 7;",
                half(true, [Operand(1), Constant]),
            ),
            (
                "mul.lo.s32 \t%r0, %r1, -8;",
                half(false, [Operand(1), Constant]),
            ),
            ("mad.wide.u32 \t%r0, %r1, 4, %r2;", Some(Product::Sum)),
            ("mov.b32 \t%r0, -7;", Some(Product::Constant)),
            ("mov.b32 \t%r0, %r1;", None),
            ("mov.b32 \t%r0, symbol;", None),
            ("mov.b32 \t{%r0, %r1}, %r2;", None),
            ("mul.lo.s64 \t%r0, %r1, %r2;", None),
            ("mad.lo.s32 \t%r0, %r1, %r2, %r3;", None),
        ] {
            assert_eq!(read(text, Style::Printed).meant.product, expected, "{text}");
        }
        let text = "mul.lo.s32 $0, $1, $2;";
        assert_eq!(read(text, Style::Assembly).meant.product, None);
    }

    /// The numbers of the products that five instructions say.
    fn numbers(block: &str, said: [Option<Product>; 5]) -> Vec<(u32, u32)> {
        let values = "values v0:B32, v1:B32, v2:B32, v3:B32";
        let text = format!("machine gpu limit=8\nfunction f kernel\n{values}\nblock b0\n{block}");
        let (_, function) = passes::function::text::parse(&text).expect("a function");
        let mut products = Products::default();
        for (instruction, said) in function.instructions.keys().zip(said) {
            if let Some(product) = said {
                products.note(&function, instruction, product, &[0, 1, 2]);
            }
        }
        let numbers = products.numbered(&function).into_iter();
        numbers
            .map(|(one, product)| (one.as_u32(), product))
            .collect()
    }

    #[test]
    fn halves_of_the_same_factors_are_of_one_product() {
        use Factor::{Constant, Operand};
        let half = |is_high, factors| Some(Product::Half { is_high, factors });
        let high = half(true, [Operand(1), Operand(2)]);
        let low = half(false, [Operand(1), Operand(2)]);
        let by_constant = half(false, [Operand(1), Constant]);
        let block = "v0 = op\nv1 = op\nv2 = op v0, v1\nv3 = op v1, v0\nop";
        let expected = [(2, 0), (3, 0)];
        assert_eq!(numbers(block, [None, None, high, low, None]), expected);
        // One half alone, and one half twice.
        assert_eq!(numbers(block, [None, None, high, None, None]), []);
        assert_eq!(numbers(block, [None, None, high, high, None]), []);
        // A constant in a register is one.
        let block = "v0 = op\nv1 = op\nv2 = op v1, v0\nv3 = op v1\nop";
        let said = [Some(Product::Constant), None, high, by_constant, None];
        assert_eq!(numbers(block, said), expected);
        assert_eq!(numbers(block, [None, None, high, by_constant, None]), []);
        // Another multiplication has a number of its own.
        let said = [Some(Product::Sum), None, high, low, None];
        let block = "v0 = op\nv1 = op\nv2 = op v0, v1\nv3 = op v0, v1\nop";
        assert_eq!(numbers(block, said), [(0, 0), (2, 1), (3, 1)]);
    }

    #[test]
    fn nothing_is_a_product_of_what_is_written_in_between() {
        use Factor::Operand;
        let half = |is_high| {
            let factors = [Operand(1), Operand(2)];
            Some(Product::Half { is_high, factors })
        };
        let block = "v0, v1 = op\nv2 = op v0, v1\nv0 = op\nv3 = op v0, v1\nop";
        assert_eq!(
            numbers(block, [None, half(true), None, half(false), None]),
            []
        );
    }
}
