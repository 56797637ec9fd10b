//! Instructions whose effects come later, and what belongs to them.

use super::{Address, Operand, Register};
use crate::matrix_element::Element;
use crate::types::Space;

/// What a product of matrices adds up in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Sum {
    F32,
    F16,
    S32,
}

/// Where the first factor of a warpgroup's product lies.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FirstFactor {
    Registers([Operand; 4]),
    Descriptor(Operand),
}

/// `wgmma.mma_async`: D = A B + D of a warpgroup, 64 rows.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct WarpgroupProduct {
    pub columns: usize,
    pub sum: Sum,
    pub elements: [Element; 2],
    /// The accumulators, `f16` ones two to a register.
    pub d: Box<[Register]>,
    pub a: FirstFactor,
    pub b: Operand,
    /// Whether D is added; a predicate.
    pub adds: Operand,
    pub negated: [bool; 2],
    /// Whether elements follow each other along the other dimension than k.
    pub transposed: [bool; 2],
    pub saturates: bool,
}

/// Which cells of tensor memory the registers of a warp stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TensorShape {
    /// A lane's registers are cells of its row.
    Rows32,
    /// The upper 16 lanes have the rows of the lower ones, so many columns further.
    Rows16Twice(u32),
    /// Sixteen rows; groups of so many 32-bit columns, repeated: 2, 4 or 8.
    Rows16(u32),
}

/// `tcgen05.ld` and `tcgen05.st`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct TensorAccess {
    pub shape: TensorShape,
    pub address: Address,
    /// Each register holds the lower halves of two columns' cells.
    pub packed: bool,
    /// Only registers for a load.
    pub registers: Box<[Operand]>,
}

/// What the threads of a warp do together to tensor memory and to registers in flight.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TensorOperation {
    /// `wgmma.fence`
    FenceRegisters,
    Multiply(Box<WarpgroupProduct>),
    CommitProducts,
    /// Until at most so many groups are underway.
    WaitForProducts(u32),
    Load(TensorAccess),
    Store(TensorAccess),
    WaitForLoads,
    WaitForStores,
    /// Writes the address to shared memory.
    Allocate(Space, Address, Operand),
    Deallocate(Operand, Operand),
    Relinquish,
}

/// The first factor of a product in tensor memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TensorFactor {
    Tensor(Address),
    Descriptor(Operand),
}

/// The kinds of `tcgen05.mma`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TensorKind {
    F16,
    Tf32,
    F8f6f4,
    I8,
}

/// A field of a tensor map, as `tensormap.replace` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TensorMapField {
    GlobalAddress,
    Rank,
    BoxDimension(usize),
    GlobalDimension(usize),
    GlobalStride(usize),
    ElementStride(usize),
    ElementType,
    Interleave,
    Swizzle,
    Fill,
}

/// How a thread asks whether a phase of a barrier is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Phase {
    Parity(Operand),
    State(Operand),
}

/// What one thread starts or waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AsynchronousOperation {
    /// `cp.async`: so many bytes, of which the source has some and zeros are the rest.
    Copy {
        to: Address,
        from: Address,
        bytes: usize,
        present: Option<Operand>,
        /// Nothing of the source is read if it holds.
        ignored: Option<(Operand, bool)>,
    },
    CommitCopies,
    /// Until at most so many groups are underway.
    WaitForCopies(u32),
    /// Until nothing is underway, committed or not.
    WaitForAllCopies,
    /// Arrives once all copies so far are done. The flag: the arrival is counted besides
    /// those that are expected.
    ArriveAfterCopies(Space, Address, bool),
    BarrierInitialize(Space, Address, Operand),
    BarrierInvalidate(Space, Address),
    /// Expects bytes, then arrives so often.
    BarrierArrive {
        space: Space,
        state: Option<Register>,
        barrier: Address,
        count: Operand,
        expected_bytes: Option<Operand>,
    },
    BarrierExpect(Space, Address, Operand),
    BarrierTest {
        space: Space,
        to: Register,
        barrier: Address,
        phase: Phase,
    },
    /// `cp.async.bulk` into shared memory.
    BulkLoad {
        to: Address,
        from: Address,
        bytes: Operand,
        barrier: Address,
    },
    /// `cp.async.bulk` from shared memory.
    BulkStore {
        to: Address,
        from: Address,
        bytes: Operand,
    },
    /// `cp.async.bulk.tensor` into shared memory.
    TensorLoad {
        to: Address,
        map: Address,
        coordinates: Box<[Operand]>,
        barrier: Address,
    },
    /// `cp.async.bulk.tensor` from shared memory.
    TensorStore {
        map: Address,
        coordinates: Box<[Operand]>,
        from: Address,
    },
    CommitBulk,
    /// Until at most so many groups are underway.
    WaitForBulk(u32),
    ReplaceInTensorMap(Space, TensorMapField, Address, Operand),
    /// `tcgen05.mma`
    Multiply {
        kind: TensorKind,
        d: Address,
        a: TensorFactor,
        b: Operand,
        descriptor: Operand,
        adds: (Operand, bool),
    },
    /// `tcgen05.commit`: a barrier's arrival once all products so far are done.
    ArriveAfterProducts(Space, Address),
    /// `mapa`, `%cluster_ctarank` and the like need none here; `barrier.cluster` does.
    ClusterArrive,
    ClusterWait,
}
