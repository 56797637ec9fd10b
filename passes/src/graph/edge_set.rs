//! Which edges an interference graph has.
//!
//! A triangular bit matrix for most functions. It grows with the square of the
//! values; beyond a limit a hash set holds the edges of values that copies name,
//! which are all that coalescing asks for. Whether another edge is new is only
//! asked while the graph is built, by definitions: the neighbours of the value
//! that is being defined are marked (time: its neighbours, a definition).

use crate::bits;
use crate::function::{Function, OperandRegister, VirtualRegister};
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashSet;

/// Up to this number of values there is a matrix (n^2/2 bits, here 16 MiB).
const MATRIX_LIMIT: usize = 16 * 1024;

/// The edges of a graph, symmetric.
pub enum EdgeSet {
    /// All of them.
    Matrix(Vec<u64>),
    /// Those of values that copies name.
    Sparse(SparseEdges),
}

/// What takes the matrix's place in large functions.
pub struct SparseEdges {
    edges: FxHashSet<u64>,
    /// Values that copies name.
    copied: PrimaryMap<VirtualRegister, bool>,
    /// Holds `stamp` for the neighbours of the value that is being defined.
    marks: PrimaryMap<VirtualRegister, u32>,
    stamp: u32,
}

impl EdgeSet {
    /// An empty set for the values of a function.
    pub fn new(function: &Function) -> Self {
        let values = function.virtual_registers.len();
        if values <= MATRIX_LIMIT {
            Self::Matrix(vec![0; bits::words(values * values.saturating_sub(1) / 2)])
        } else {
            Self::Sparse(SparseEdges::new(function))
        }
    }

    /// Prepares for new edges of a value that has these already.
    pub fn start(&mut self, neighbours: &[VirtualRegister]) {
        if let Self::Sparse(sparse) = self {
            sparse.stamp += 1;
            for &neighbour in neighbours {
                sparse.marks[neighbour] = sparse.stamp;
            }
        }
    }

    /// Adds an edge of the value that was started with, or of one that a copy
    /// names; true if it is new.
    pub fn insert(&mut self, a: VirtualRegister, b: VirtualRegister) -> bool {
        match self {
            Self::Matrix(edges) => {
                let (index, edge) = bits::place(place(a, b));
                let word = &mut edges[index];
                let old = *word;
                *word |= edge;
                old != *word
            }
            Self::Sparse(sparse) if sparse.copied[a] || sparse.copied[b] => {
                sparse.edges.insert(pack(a, b))
            }
            Self::Sparse(sparse) => {
                std::mem::replace(&mut sparse.marks[b], sparse.stamp) != sparse.stamp
            }
        }
    }

    /// Whether there is an edge; a copy must name one of the values.
    pub fn contains(&self, a: VirtualRegister, b: VirtualRegister) -> bool {
        match self {
            Self::Matrix(edges) => bits::contains(edges, place(a, b)),
            Self::Sparse(sparse) => {
                debug_assert!(sparse.copied[a] || sparse.copied[b]);
                sparse.edges.contains(&pack(a, b))
            }
        }
    }
}

impl SparseEdges {
    fn new(function: &Function) -> Self {
        let registers = &function.virtual_registers;
        let mut copied: PrimaryMap<VirtualRegister, bool> =
            registers.keys().map(|_| false).collect();
        let copies = function.instructions.keys();
        for (to, from) in copies.filter_map(|instruction| function.coalescible(instruction)) {
            for register in [to.register, from.register] {
                if let OperandRegister::Virtual(value) = register {
                    copied[value] = true;
                }
            }
        }
        Self {
            edges: FxHashSet::default(),
            copied,
            marks: registers.keys().map(|_| 0).collect(),
            stamp: 0,
        }
    }
}

fn place(a: VirtualRegister, b: VirtualRegister) -> usize {
    let (low, high) = ordered(a, b);
    (high * (high - 1) / 2 + low) as usize
}

fn pack(a: VirtualRegister, b: VirtualRegister) -> u64 {
    let (low, high) = ordered(a, b);
    high << 32 | low
}

fn ordered(a: VirtualRegister, b: VirtualRegister) -> (u64, u64) {
    let (a, b) = (u64::from(a.as_u32()), u64::from(b.as_u32()));
    (a.min(b), a.max(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{FunctionBuilder, Operand};
    use crate::machine::gpu;

    /// Values 0 and 1 are the ends of a copy, the others are not.
    fn sparse() -> (EdgeSet, [VirtualRegister; 5]) {
        let mut builder = FunctionBuilder::new("f");
        let values = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
        builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(values[1])]);
        builder.copy(values[0], values[1]);
        let edges = SparseEdges::new(&builder.finish());
        (EdgeSet::Sparse(edges), values)
    }

    #[test]
    fn edges_of_copied_values_are_remembered() {
        let (mut edges, [a, b, c, d, _]) = sparse();
        edges.start(&[]);
        assert!(edges.insert(c, a));
        assert!(edges.insert(c, d));
        edges.start(&[c]);
        assert!(!edges.insert(a, c));
        assert!(edges.contains(a, c) && edges.contains(c, a));
        assert!(!edges.contains(b, c));
    }

    #[test]
    fn other_edges_are_new_once() {
        let (mut edges, [_, _, c, d, e]) = sparse();
        edges.start(&[]);
        assert!(edges.insert(c, d));
        assert!(!edges.insert(c, d));
        edges.start(&[c]);
        assert!(!edges.insert(d, c));
        assert!(edges.insert(d, e));
        edges.start(&[d]);
        assert!(!edges.insert(c, d));
        assert!(edges.insert(c, e));
    }
}
