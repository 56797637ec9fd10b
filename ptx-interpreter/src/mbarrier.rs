//! Barriers in shared memory that threads arrive at and transfers complete at.
//!
//! A phase ends when all expected arrivals are in and as many bytes have come as were
//! announced. A transfer comes as late as can be: when somebody asks for the phase. Until
//! then its destination holds garbage.
//!
//! Source: the PTX ISA manual, "Parallel synchronization and communication instructions:
//! mbarrier".

use std::collections::BTreeMap;

use crate::error::Trouble;
use crate::memory::Regions;
use crate::types::Space;

/// Bytes on their way to shared memory.
#[derive(Debug)]
pub(crate) struct Transfer {
    /// Addresses, and what is to be there.
    pub pieces: Vec<(u64, Vec<u8>)>,
    /// How many bytes the barrier counts for it.
    pub bytes: u64,
}

#[derive(Debug)]
struct Barrier {
    expected: i64,
    /// Arrivals that the phase still lacks.
    pending: i64,
    /// Bytes that it still lacks.
    bytes: i64,
    phase: u64,
    transfers: Vec<Transfer>,
}

impl Barrier {
    fn advance(&mut self) {
        if self.pending == 0 && self.bytes == 0 {
            self.phase += 1;
            self.pending = self.expected;
        }
    }

    /// Lets all transfers come.
    fn receive(&mut self, shared: &mut Regions) -> Result<(), Trouble> {
        for transfer in std::mem::take(&mut self.transfers) {
            for (address, bytes) in transfer.pieces {
                let to = shared.bytes(Space::Shared, address, bytes.len())?;
                to.copy_from_slice(&bytes);
            }
            self.bytes -= transfer.bytes as i64;
        }
        self.advance();
        Ok(())
    }
}

/// The barriers of a block, by address.
#[derive(Debug, Default)]
pub(crate) struct Barriers(BTreeMap<u64, Barrier>);

/// The most arrivals that a barrier counts.
const MOST: u64 = (1 << 20) - 1;

impl Barriers {
    /// Makes a barrier for so many arrivals.
    pub fn initialize(&mut self, address: u64, arrivals: u64) -> Result<(), Trouble> {
        if !(1..=MOST).contains(&arrivals) {
            return Err(Trouble::Undefined("a barrier for that many arrivals"));
        }
        let barrier = Barrier {
            expected: arrivals as i64,
            pending: arrivals as i64,
            bytes: 0,
            phase: 0,
            transfers: Vec::new(),
        };
        // By the manual the one before must have been invalidated; compilers rely on that
        // nothing happens if nobody uses it.
        match self.0.insert(address, barrier) {
            Some(before) if !before.transfers.is_empty() => Err(Trouble::Undefined(
                "a barrier in place of one that bytes are on their way to",
            )),
            _ => Ok(()),
        }
    }

    /// Ends a barrier's life.
    pub fn invalidate(&mut self, address: u64) -> Result<(), Trouble> {
        let found = self.0.remove(&address);
        found.map(|_| ()).ok_or(NO_BARRIER)
    }

    fn at(&mut self, address: u64) -> Result<&mut Barrier, Trouble> {
        self.0.get_mut(&address).ok_or(NO_BARRIER)
    }

    /// Announces bytes.
    pub fn expect(&mut self, address: u64, bytes: u64) -> Result<(), Trouble> {
        self.at(address)?.bytes += bytes as i64;
        Ok(())
    }

    /// Arrives so often; gives the phase that this is in.
    pub fn arrive(
        &mut self,
        address: u64,
        count: u64,
        shared: &mut Regions,
    ) -> Result<u64, Trouble> {
        let barrier = self.at(address)?;
        if barrier.pending == 0 {
            barrier.receive(shared)?;
        }
        let phase = barrier.phase;
        barrier.pending -= count as i64;
        if count == 0 || barrier.pending < 0 {
            return Err(Trouble::Undefined("more arrivals than the barrier expects"));
        }
        barrier.advance();
        Ok(phase)
    }

    /// One arrival that was not expected before.
    pub fn arrive_besides(&mut self, address: u64) -> Result<(), Trouble> {
        // What raises the count and lowers it again leaves it as it is.
        self.at(address).map(|_| ())
    }

    /// Adds a transfer that completes here.
    pub fn transfer(&mut self, address: u64, transfer: Transfer) -> Result<(), Trouble> {
        self.at(address)?.transfers.push(transfer);
        Ok(())
    }

    /// How many phases are complete, once what is underway has come.
    pub fn phase(&mut self, address: u64, shared: &mut Regions) -> Result<u64, Trouble> {
        let barrier = self.at(address)?;
        barrier.receive(shared)?;
        Ok(barrier.phase)
    }
}

const NO_BARRIER: Trouble = Trouble::Undefined("no barrier has been initialised there");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_needs_arrivals_and_bytes() {
        let (mut barriers, mut shared) = (Barriers::default(), Regions::default());
        barriers.initialize(8, 2).unwrap();
        assert_eq!(barriers.arrive(8, 1, &mut shared), Ok(0));
        assert_eq!(barriers.phase(8, &mut shared), Ok(0));
        barriers.expect(8, 4).unwrap();
        assert_eq!(barriers.arrive(8, 1, &mut shared), Ok(0));
        assert_eq!(barriers.phase(8, &mut shared), Ok(0));
        let pieces = Vec::new();
        let transfer = Transfer { pieces, bytes: 4 };
        barriers.transfer(8, transfer).unwrap();
        assert_eq!(barriers.phase(8, &mut shared), Ok(1));
        assert_eq!(barriers.arrive(8, 2, &mut shared), Ok(1));
        assert_eq!(barriers.phase(8, &mut shared), Ok(2));
        assert!(barriers.arrive(8, 3, &mut shared).is_err());
    }

    #[test]
    fn barriers_must_be_there() {
        let (mut barriers, mut shared) = (Barriers::default(), Regions::default());
        assert!(barriers.initialize(8, 0).is_err());
        assert!(barriers.expect(8, 4).is_err());
        barriers.initialize(8, 1).unwrap();
        let (pieces, bytes) = (Vec::new(), 16);
        barriers.transfer(8, Transfer { pieces, bytes }).unwrap();
        assert!(barriers.initialize(8, 1).is_err());
        assert!(barriers.initialize(8, 1).is_ok());
        barriers.invalidate(8).unwrap();
        assert!(barriers.phase(8, &mut shared).is_err());
    }
}
