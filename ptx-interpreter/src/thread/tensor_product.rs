//! `tcgen05.mma`: products of matrices that one thread starts. They are computed when
//! somebody waits at a barrier that they, or later ones, are committed to. Factors must be
//! there when a product is started, D must be stored where it is added, and factors must
//! be the same when it is computed: else its result is garbage.
//!
//! Complexity: rows times columns times k for each product.
//! Source: the PTX ISA manual, "Instruction descriptor", "Data path layout organization"
//! (layouts D and F) and `tcgen05.mma`.

use super::{Result, Thread, World, from_bytes};
use crate::arithmetic::{from_f32, to_f32, to_half};
use crate::convert::widened;
use crate::error::Trouble;
use crate::matrix_descriptor::MatrixDescriptor;
use crate::matrix_element::Element;
use crate::operation::{Address, Operand, Sum, TensorFactor, TensorKind};
use crate::tensor_memory::Cell;
use crate::types::{Space, Type, truncate};

/// Bytes of a row of A, or of a column of B, that one instruction takes.
const ROW_BYTES: usize = 32;

#[derive(Debug)]
enum Factor {
    Tensor(Cell),
    Shared(MatrixDescriptor),
}

/// What the instruction descriptor says.
#[derive(Debug)]
struct Form {
    sum: Sum,
    elements: [Element; 2],
    negated: bool,
    transposed: [bool; 2],
    rows: usize,
    columns: usize,
    saturates: bool,
}

/// A product that has not been computed.
#[derive(Debug)]
pub(crate) struct TensorProduct {
    form: Form,
    d: Cell,
    factors: [Factor; 2],
    /// What the factors were when it was started.
    numbers: [Vec<f64>; 2],
    /// Whether cells of D were still being stored then.
    is_early: bool,
    adds: bool,
}

fn element(kind: TensorKind, number: u64) -> Option<Element> {
    Some(match (kind, number) {
        (TensorKind::F16, 0) => Element::F16,
        (TensorKind::F16, 1) => Element::Bf16,
        (TensorKind::Tf32, 2) => Element::Tf32,
        (TensorKind::F8f6f4, 0) => Element::E4m3,
        (TensorKind::F8f6f4, 1) => Element::E5m2,
        (TensorKind::I8, 0) => Element::U8,
        (TensorKind::I8, 1) => Element::S8,
        _ => return None,
    })
}

impl Form {
    fn read(kind: TensorKind, bits: u64) -> Result<Self> {
        let field = |at: u32, length: u32| truncate(bits >> at, length);
        let sum = match (field(4, 2), kind) {
            (0, TensorKind::F16 | TensorKind::F8f6f4) => Some(Sum::F16),
            (1, TensorKind::F16 | TensorKind::Tf32 | TensorKind::F8f6f4) => Some(Sum::F32),
            (2, TensorKind::I8) => Some(Sum::S32),
            _ => None,
        };
        let elements = (element(kind, field(7, 3)), element(kind, field(10, 3)));
        let (rows, columns) = (field(24, 5) as usize * 16, field(17, 6) as usize * 8);
        let shape = match rows {
            64 => columns % 8 == 0,
            128 => columns % 16 == 0,
            _ => false,
        };
        let others = field(0, 3) | field(6, 1) | field(23, 1) | field(29, 3);
        match (sum, elements) {
            (Some(sum), (Some(a), Some(b)))
                if others == 0 && shape && (8..=256).contains(&columns) =>
            {
                Ok(Self {
                    sum,
                    elements: [a, b],
                    negated: field(13, 1) != field(14, 1),
                    transposed: [field(15, 1) == 1, field(16, 1) == 1],
                    rows,
                    columns,
                    saturates: field(3, 1) == 1,
                })
            }
            _ => Err(Trouble::Undefined("an unknown instruction descriptor")),
        }
    }

    /// All rows and columns of D.
    fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (rows, columns) = (self.rows, self.columns);
        (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
    }

    /// Where a row of D or A lies: 64 rows fill half of each warp's.
    fn row(&self, row: usize) -> usize {
        match self.rows {
            64 => row / 16 * 32 + row % 16,
            _ => row,
        }
    }
}

/// The operands of a product.
pub(super) struct Operands {
    pub kind: TensorKind,
    pub d: Address,
    pub a: TensorFactor,
    pub b: Operand,
    pub descriptor: Operand,
    pub adds: (Operand, bool),
}

impl Thread {
    pub(super) fn start_tensor_product(
        &mut self,
        world: &mut World<'_>,
        operands: &Operands,
    ) -> Result<()> {
        let descriptor = self.get(world, operands.descriptor);
        let form = Form::read(operands.kind, descriptor)?;
        let d = self.address(world, operands.d);
        let a = match operands.a {
            TensorFactor::Tensor(address) => {
                let address = self.address(world, address);
                world.report.access(address, 1, false);
                Factor::Tensor(Cell::at(address))
            }
            TensorFactor::Descriptor(bits) => {
                let bits = self.get(world, bits);
                world.report.access(bits, 2, false);
                Factor::Shared(MatrixDescriptor::of_tensor_core(bits)?)
            }
        };
        let b = self.get(world, operands.b);
        world.report.access(b, 3, false);
        world.report.access(d, 4, true);
        self.visible = true;
        let factors = [a, Factor::Shared(MatrixDescriptor::of_tensor_core(b)?)];
        let numbers = numbers(world, &form, &factors)?;
        let d = Cell::at(d);
        let adds = (self.get(world, operands.adds.0) & 1 == 1) != operands.adds.1;
        let mut is_early = false;
        for (row, column) in form.cells() {
            let cell = d.beyond(form.row(row), column);
            is_early |= adds && world.state.tensor.is_being_stored(cell)?;
        }
        let product = TensorProduct {
            form,
            d,
            factors,
            numbers,
            is_early,
            adds,
        };
        self.outstanding.tensor_products.push(product);
        Ok(())
    }
}

/// The numbers of both factors.
fn numbers(world: &mut World<'_>, form: &Form, factors: &[Factor; 2]) -> Result<[Vec<f64>; 2]> {
    let (elements, transposed) = (form.elements, form.transposed);
    let a = read(
        world,
        form,
        &factors[0],
        elements[0],
        form.rows,
        transposed[0],
    )?;
    let b = read(
        world,
        form,
        &factors[1],
        elements[1],
        form.columns,
        transposed[1],
    )?;
    Ok([a, b])
}

/// Whether numbers are the same, bit by bit.
fn are_same(one: &[Vec<f64>; 2], other: &[Vec<f64>; 2]) -> bool {
    let bits =
        |all: &[Vec<f64>; 2]| -> Vec<u64> { all.iter().flatten().map(|x| x.to_bits()).collect() };
    bits(one) == bits(other)
}

/// The numbers of a factor, row by row of A, column by column of B.
fn read(
    world: &mut World<'_>,
    form: &Form,
    factor: &Factor,
    element: Element,
    rows: usize,
    transposed: bool,
) -> Result<Vec<f64>> {
    let bytes = element.bytes();
    let mut out = Vec::with_capacity(rows * ROW_BYTES / bytes);
    for row in 0..rows {
        for k in 0..ROW_BYTES / bytes {
            let bits = match factor {
                Factor::Shared(descriptor) => {
                    let address = descriptor.address(row, k, bytes, transposed);
                    from_bytes(world.shared.bytes(Space::Shared, address, bytes)?)
                }
                Factor::Tensor(first) => {
                    let cell = first.beyond(form.row(row), k * bytes / 4);
                    let cell = u64::from(*world.state.tensor.cell(cell)?);
                    truncate(cell >> (k * bytes % 4 * 8), 8 * bytes as u32)
                }
            };
            out.push(element.value(bits));
        }
    }
    Ok(out)
}

/// Computes a product.
pub(super) fn multiply(world: &mut World<'_>, product: &TensorProduct) -> Result<()> {
    let form = &product.form;
    let now = numbers(world, form, &product.factors)?;
    let is_spoilt = product.is_early || !are_same(&now, &product.numbers);
    let [a, b] = &product.numbers;
    let k = ROW_BYTES / form.elements[0].bytes();
    for (row, column) in form.cells() {
        let factors = a[row * k..][..k].iter().zip(&b[column * k..][..k]);
        let sum: f64 = factors.map(|(x, y)| x * y).sum();
        let sum = if form.negated { -sum } else { sum };
        let cell = product.d.beyond(form.row(row), column);
        let cell = world.state.tensor.cell(cell)?;
        let old = if product.adds { u64::from(*cell) } else { 0 };
        *cell = match form.sum {
            _ if is_spoilt => world.state.garbage.bits() as u32,
            Sum::F32 => from_f32((f64::from(to_f32(old)) + sum) as f32) as u32,
            Sum::F16 => {
                let old = widened(Type::F16, old).map_or(0.0, f64::from);
                to_half(Type::F16, old + sum) as u32
            }
            Sum::S32 => {
                let sum = f64::from(old as i32) + sum;
                if form.saturates {
                    sum as i32 as u32
                } else {
                    sum as i64 as u32
                }
            }
        };
    }
    Ok(())
}
