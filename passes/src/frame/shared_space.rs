//! How much shared memory spill slots may have.
//!
//! Slots of all threads of a block lie in one array that is declared with a fixed size, so
//! the block size has to be known, and all that the kernel has in shared memory besides.
//! The array may be as large as what is declared may be in all, and as costs no resident
//! block at the registers of the budget. Time: that of some thousand occupancies.

use crate::function::Function;
use crate::launch::{LaunchBounds, SHARED_ALIGNMENT};
use crate::machine::occupancy::BlockResources;
use crate::machine::streaming_multiprocessor::StreamingMultiprocessor;
use thiserror::Error;

/// The least bytes of a slot.
const NARROWEST: u32 = 4;
/// From this SM on an access to shared memory cannot multiply the number of a thread by
/// the size of its slot.
const UNSCALED_FROM: u32 = 90;

/// Shared memory that spill slots may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedSpace {
    /// The most threads of a block.
    pub threads: u32,
    /// Bytes for all of them together.
    pub bytes: u32,
    /// One register with the number of the thread addresses slots of all sizes.
    pub is_scaled: bool,
}

/// Why a function's spill slots have to stay in local memory.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum NoSharedSpace {
    /// A device function does not know what its callers have there.
    #[error("it is no kernel")]
    NotAKernel,
    /// What a callee has in shared memory is not known.
    #[error("it calls functions")]
    Calls,
    /// There may be any number of threads.
    #[error("its block size is not known; __launch_bounds__ would tell")]
    UnknownBlockSize,
    /// The launch adds to what is declared.
    #[error("the launch decides how much shared memory it has")]
    Dynamic,
    /// An assembly text declares something.
    #[error("its inline assembly may use shared memory, too")]
    Hidden,
    /// Not even one slot fits.
    #[error(
        "{threads} threads of a block would have {bytes} bytes without losing a resident block"
    )]
    NoRoom {
        /// The threads.
        threads: u32,
        /// What there is for all of them together.
        bytes: u32,
    },
}

/// The shared memory that the spill slots of a function may have if each thread has so
/// many registers.
///
/// # Errors
/// The reason why they may have none.
pub fn shared_space(
    function: &Function,
    sm: &StreamingMultiprocessor,
    launch: &LaunchBounds,
    registers: u32,
) -> Result<SharedSpace, NoSharedSpace> {
    if !function.kernel {
        return Err(NoSharedSpace::NotAKernel);
    }
    if function.calls() {
        return Err(NoSharedSpace::Calls);
    }
    let Some(threads) = launch.known_threads() else {
        return Err(NoSharedSpace::UnknownBlockSize);
    };
    if launch.dynamic_shared_memory {
        return Err(NoSharedSpace::Dynamic);
    }
    if launch.hidden_shared_memory {
        return Err(NoSharedSpace::Hidden);
    }
    let bytes = room(sm, launch, registers);
    match bytes < threads.saturating_mul(NARROWEST) {
        true => Err(NoSharedSpace::NoRoom { threads, bytes }),
        false => Ok(SharedSpace {
            threads,
            bytes,
            is_scaled: sm.version < UNSCALED_FROM,
        }),
    }
}

/// The most bytes that can be declared besides what there is, with as many resident
/// blocks.
fn room(sm: &StreamingMultiprocessor, launch: &LaunchBounds, registers: u32) -> u32 {
    let blocks = |shared_memory| {
        let block = BlockResources {
            registers,
            shared_memory,
            ..launch.block()
        };
        sm.occupancy(&block).blocks
    };
    let now = blocks(launch.shared_memory);
    let begin = launch.free_shared_memory();
    let most = sm.shared_memory_per_block_by_default.checked_sub(begin);
    let (Some(most), 1..) = (most, now) else {
        return 0;
    };
    let units = (1..=most / SHARED_ALIGNMENT).rev();
    let mut sizes = units.map(|units| units * SHARED_ALIGNMENT);
    sizes
        .find(|bytes| blocks(begin + bytes) >= now)
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{FunctionBuilder, InstructionFlags, InstructionKind};

    fn kernel(is_kernel: bool, flags: InstructionFlags) -> Function {
        let mut builder = FunctionBuilder::new("k");
        builder.kernel(is_kernel);
        builder.start_block(1.0, 0, &[]);
        builder.push(InstructionKind::Plain, flags, &[], None);
        builder.finish()
    }

    fn bounds(threads: u32, shared_memory: u32) -> LaunchBounds {
        LaunchBounds {
            most_threads: Some(threads),
            shared_memory,
            ..LaunchBounds::default()
        }
    }

    fn space(version: u32, launch: &LaunchBounds, registers: u32) -> Result<u32, NoSharedSpace> {
        let sm = StreamingMultiprocessor::nearest(version);
        let kernel = kernel(true, InstructionFlags::empty());
        shared_space(&kernel, sm, launch, registers).map(|space| space.bytes)
    }

    #[test]
    fn a_byte_more_would_cost_a_resident_block() {
        for version in [75, 80, 86, 90] {
            let sm = StreamingMultiprocessor::nearest(version);
            for (threads, registers, own) in [
                (32, 255, 0),
                (128, 32, 100),
                (256, 32, 0),
                (256, 64, 16000),
                (96, 40, 5000),
                (1024, 64, 0),
            ] {
                let launch = bounds(threads, own);
                let blocks = |shared_memory| {
                    let block = BlockResources {
                        threads,
                        registers,
                        shared_memory,
                    };
                    sm.occupancy(&block).blocks
                };
                let bytes = room(sm, &launch, registers);
                let all = own.next_multiple_of(16) + bytes;
                assert!(all <= 48 * 1024);
                assert_eq!(blocks(all), blocks(own), "{version} {threads} {registers}");
                let next = all + 16;
                assert!(next > 48 * 1024 || blocks(next) < blocks(own));
            }
        }
    }

    #[test]
    fn what_is_declared_has_a_limit() {
        // One block of 1024 threads could have far more.
        assert_eq!(space(90, &bounds(1024, 0), 64), Ok(48 * 1024));
        assert_eq!(space(90, &bounds(1024, 8), 64), Ok(48 * 1024 - 16));
        let nothing = NoSharedSpace::NoRoom {
            threads: 1024,
            bytes: 1024,
        };
        assert_eq!(space(90, &bounds(1024, 47 * 1024), 64), Err(nothing));
        assert!(space(90, &bounds(1024, 100 * 1024), 64).is_err());
    }

    #[test]
    fn reasons_against_it() {
        let sm = StreamingMultiprocessor::nearest(90);
        let plain = InstructionFlags::empty();
        let good = bounds(256, 0);
        let of = |function: &Function, launch: &LaunchBounds| {
            shared_space(function, sm, launch, 32).map(|_| ())
        };
        assert_eq!(of(&kernel(true, plain), &good), Ok(()));
        let device = kernel(false, plain);
        assert_eq!(of(&device, &good), Err(NoSharedSpace::NotAKernel));
        let caller = kernel(true, InstructionFlags::CALL);
        assert_eq!(of(&caller, &good), Err(NoSharedSpace::Calls));
        for (launch, reason) in [
            (LaunchBounds::default(), NoSharedSpace::UnknownBlockSize),
            (
                LaunchBounds {
                    dynamic_shared_memory: true,
                    ..good
                },
                NoSharedSpace::Dynamic,
            ),
            (
                LaunchBounds {
                    hidden_shared_memory: true,
                    ..good
                },
                NoSharedSpace::Hidden,
            ),
        ] {
            assert_eq!(of(&kernel(true, plain), &launch), Err(reason));
        }
    }

    #[test]
    fn newer_ones_take_an_address_for_each_size() {
        let of = |version| {
            let sm = StreamingMultiprocessor::nearest(version);
            let kernel = kernel(true, InstructionFlags::empty());
            shared_space(&kernel, sm, &bounds(128, 0), 64).map(|space| space.is_scaled)
        };
        assert_eq!(
            [75, 89, 90, 120].map(of),
            [Ok(true), Ok(true), Ok(false), Ok(false)]
        );
    }
}
