//! What a thread has started and not waited for, and what its block keeps for it.

use crate::groups::Groups;
use crate::mbarrier::Barriers;
use crate::random::Random;
use crate::tensor_memory::TensorMemory;
use crate::thread::bulk::BulkStore;
use crate::thread::copy::Copy;
use crate::thread::tensor_product::TensorProduct;
use crate::warp::{Stored, Underway};

/// Operations that wait for their wait.
#[derive(Debug, Default)]
pub(crate) struct Outstanding {
    /// `tcgen05.ld`: where its results go.
    pub loads: Vec<usize>,
    /// `tcgen05.st`.
    pub stores: Vec<Stored>,
    /// `wgmma.mma_async`, in the first lane of a warp.
    pub products: Groups<Underway>,
    /// `cp.async`.
    pub copies: Groups<Copy>,
    /// `cp.async.bulk` from shared memory.
    pub bulk: Groups<BulkStore>,
    /// `tcgen05.mma`.
    pub tensor_products: Vec<TensorProduct>,
}

/// What a block has besides its shared memory.
#[derive(Debug)]
pub(crate) struct BlockState {
    pub barriers: Barriers,
    pub tensor: TensorMemory,
    /// For what is not there yet.
    pub garbage: Random,
}

impl BlockState {
    pub fn new(garbage: u64) -> Self {
        Self {
            barriers: Barriers::default(),
            tensor: TensorMemory::default(),
            garbage: Random::new(garbage),
        }
    }
}
