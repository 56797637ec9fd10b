//! Barriers in shared memory that threads arrive at and asynchronous operations complete
//! at.
//!
//! A phase ends when all expected arrivals are in and as many bytes have come as were
//! announced. What is underway to a barrier comes as late as can be: when a thread asks
//! for the phase a second time. Until then the destination of a copy holds garbage and a
//! product of matrices is not computed.
//!
//! Source: the PTX ISA manual, "Parallel synchronization and communication instructions:
//! mbarrier".

use std::collections::BTreeMap;

use crate::error::Trouble;
use crate::thread::tensor_product::TensorProduct;

/// What completes at a barrier.
#[derive(Debug)]
pub(crate) enum Event {
    /// Addresses in shared memory and what is to be there, and how many bytes the barrier
    /// counts for it.
    Bytes(Vec<(u64, Vec<u8>)>, u64),
    /// Products of matrices, which count as one arrival.
    Products(Vec<TensorProduct>),
}

#[derive(Debug)]
struct Barrier {
    expected: i64,
    /// Arrivals that the phase still lacks.
    pending: i64,
    /// Bytes that it still lacks.
    bytes: i64,
    phase: u64,
}

impl Barrier {
    fn advance(&mut self) {
        if self.pending == 0 && self.bytes == 0 {
            self.phase += 1;
            self.pending = self.expected;
        }
    }
}

/// The barriers of a block, by address, and what is underway to them, in order.
#[derive(Debug, Default)]
pub(crate) struct Barriers {
    barriers: BTreeMap<u64, Barrier>,
    underway: Vec<(u64, Event)>,
}

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
        };
        // By the manual the one before must have been invalidated; compilers rely on that
        // nothing happens if nobody uses it.
        if self.underway.iter().any(|(to, _)| *to == address) {
            return Err(Trouble::Undefined(
                "a barrier in place of one that something is underway to",
            ));
        }
        self.barriers.insert(address, barrier);
        Ok(())
    }

    /// Ends a barrier's life.
    pub fn invalidate(&mut self, address: u64) -> Result<(), Trouble> {
        let found = self.barriers.remove(&address);
        found.map(|_| ()).ok_or(NO_BARRIER)
    }

    fn at(&mut self, address: u64) -> Result<&mut Barrier, Trouble> {
        self.barriers.get_mut(&address).ok_or(NO_BARRIER)
    }

    /// Announces bytes.
    pub fn expect(&mut self, address: u64, bytes: u64) -> Result<(), Trouble> {
        self.at(address)?.bytes += bytes as i64;
        Ok(())
    }

    /// Arrives so often; gives the phase that this is in.
    pub fn arrive(&mut self, address: u64, count: u64) -> Result<u64, Trouble> {
        let barrier = self.at(address)?;
        let phase = barrier.phase;
        barrier.pending -= count as i64;
        if count == 0 || barrier.pending < 0 {
            return Err(Trouble::Undefined("more arrivals than the barrier expects"));
        }
        barrier.advance();
        Ok(phase)
    }

    /// Whether the phase has all its arrivals and lacks bytes.
    pub fn lacks_bytes(&mut self, address: u64) -> Result<bool, Trouble> {
        self.at(address).map(|barrier| barrier.pending == 0)
    }

    /// Announced bytes have come.
    pub fn receive(&mut self, address: u64, bytes: u64) -> Result<(), Trouble> {
        let barrier = self.at(address)?;
        barrier.bytes -= bytes as i64;
        barrier.advance();
        Ok(())
    }

    /// One arrival that was not expected before.
    pub fn arrive_besides(&mut self, address: u64) -> Result<(), Trouble> {
        // What raises the count and lowers it again leaves it as it is.
        self.at(address).map(|_| ())
    }

    /// Adds what will complete at a barrier.
    pub fn send(&mut self, address: u64, event: Event) -> Result<(), Trouble> {
        self.at(address)?;
        self.underway.push((address, event));
        Ok(())
    }

    /// The next of what must happen for everything that is underway to a barrier: products
    /// are computed in order, whichever barrier they complete at.
    pub fn next_event(&mut self, address: u64) -> Option<(u64, Event)> {
        let is_product = |event: &Event| matches!(event, Event::Products(_));
        let last = self
            .underway
            .iter()
            .rposition(|(to, event)| *to == address && is_product(event));
        let next = self
            .underway
            .iter()
            .enumerate()
            .position(|(i, (to, event))| {
                *to == address || is_product(event) && last.is_some_and(|last| i < last)
            });
        next.map(|next| self.underway.remove(next))
    }

    /// How many phases are complete.
    pub fn phase(&mut self, address: u64) -> Result<u64, Trouble> {
        self.at(address).map(|barrier| barrier.phase)
    }
}

const NO_BARRIER: Trouble = Trouble::Undefined("no barrier has been initialised there");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_needs_arrivals_and_bytes() {
        let mut barriers = Barriers::default();
        barriers.initialize(8, 2).unwrap();
        assert_eq!(barriers.arrive(8, 1), Ok(0));
        assert_eq!(barriers.phase(8), Ok(0));
        barriers.expect(8, 4).unwrap();
        assert_eq!(barriers.lacks_bytes(8), Ok(false));
        assert_eq!(barriers.arrive(8, 1), Ok(0));
        assert_eq!(barriers.phase(8), Ok(0));
        assert_eq!(barriers.lacks_bytes(8), Ok(true));
        barriers.receive(8, 4).unwrap();
        assert_eq!(barriers.phase(8), Ok(1));
        assert_eq!(barriers.arrive(8, 2), Ok(1));
        assert_eq!(barriers.phase(8), Ok(2));
        assert!(barriers.arrive(8, 3).is_err());
    }

    #[test]
    fn products_stay_in_order() {
        let mut barriers = Barriers::default();
        let products = || Event::Products(Vec::new());
        let bytes = |count| Event::Bytes(Vec::new(), count);
        for address in [8, 16, 24] {
            barriers.initialize(address, 1).unwrap();
        }
        for (address, event) in [
            (8, products()),
            (24, bytes(1)),
            (16, bytes(2)),
            (16, products()),
            (8, products()),
        ] {
            barriers.send(address, event).unwrap();
        }
        assert!(matches!(
            barriers.next_event(16),
            Some((8, Event::Products(_)))
        ));
        assert!(matches!(
            barriers.next_event(16),
            Some((16, Event::Bytes(_, 2)))
        ));
        assert!(matches!(
            barriers.next_event(16),
            Some((16, Event::Products(_)))
        ));
        assert!(barriers.next_event(16).is_none());
        assert!(matches!(
            barriers.next_event(8),
            Some((8, Event::Products(_)))
        ));
        assert!(matches!(
            barriers.next_event(24),
            Some((24, Event::Bytes(_, 1)))
        ));
    }

    #[test]
    fn barriers_must_be_there() {
        let mut barriers = Barriers::default();
        assert!(barriers.initialize(8, 0).is_err());
        assert!(barriers.expect(8, 4).is_err());
        assert!(barriers.send(8, Event::Products(Vec::new())).is_err());
        barriers.initialize(8, 1).unwrap();
        barriers.send(8, Event::Products(Vec::new())).unwrap();
        assert!(barriers.initialize(8, 1).is_err());
        barriers.next_event(8).unwrap();
        assert!(barriers.initialize(8, 1).is_ok());
        barriers.invalidate(8).unwrap();
        assert!(barriers.phase(8).is_err());
    }
}
