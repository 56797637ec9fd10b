//! What one thread starts and waits for: copies, barriers in shared memory, products.

use super::copy::in_shared;
use super::{Result, State, Thread, World, bulk, copy, tensor_product};
use crate::error::Trouble;
use crate::mbarrier::Event;
use crate::memory::aligned;
use crate::operation::{Address, AsynchronousOperation, Phase};
use crate::tensor_map::{BYTES, TensorMap};
use crate::types::Space;

impl World<'_> {
    /// Lets what is underway to a barrier happen, until a phase ends.
    fn complete(&mut self, barrier: u64) -> Result<()> {
        let phase = self.state.barriers.phase(barrier)?;
        while self.state.barriers.phase(barrier)? == phase
            && let Some((to, event)) = self.state.barriers.next_event(barrier)
        {
            match event {
                Event::Bytes(pieces, count) => {
                    for (address, bytes) in pieces {
                        let place = self.shared.bytes(Space::Shared, address, bytes.len())?;
                        place.copy_from_slice(&bytes);
                    }
                    self.state.barriers.receive(to, count)?;
                }
                Event::Products(products) => {
                    for product in &products {
                        tensor_product::multiply(self, product)?;
                    }
                    self.state.barriers.arrive(to, 1)?;
                }
            }
        }
        Ok(())
    }
}

/// Size of a barrier.
const BARRIER: usize = 8;

impl Thread {
    pub(super) fn start(
        &mut self,
        world: &mut World<'_>,
        operation: &AsynchronousOperation,
    ) -> Result<()> {
        use AsynchronousOperation as A;
        match operation {
            A::Copy {
                to,
                from,
                bytes,
                present,
                ignored,
            } => {
                let operands = copy::Operands {
                    to: *to,
                    from: *from,
                    bytes: *bytes,
                    present: *present,
                    ignored: *ignored,
                };
                self.start_copy(world, &operands)?;
            }
            A::CommitCopies => self.outstanding.copies.commit(),
            A::WaitForCopies(left) => {
                let copies = self.outstanding.copies.finished(*left as usize);
                self.finish_copies(world, copies)?;
            }
            A::WaitForAllCopies => {
                let copies = self.outstanding.copies.all();
                self.finish_copies(world, copies)?;
            }
            A::ArriveAfterCopies(space, barrier, besides) => {
                let copies = self.outstanding.copies.all();
                self.finish_copies(world, copies)?;
                let barrier = self.barrier(world, *space, *barrier)?;
                match besides {
                    true => world.state.barriers.arrive_besides(barrier)?,
                    false => self.arrive(world, barrier, 1).map(|_| ())?,
                }
            }
            A::BarrierInitialize(space, barrier, count) => {
                let barrier = self.barrier(world, *space, *barrier)?;
                let count = self.get(world, *count);
                world.report.store(barrier, count);
                world.state.barriers.initialize(barrier, count)?;
            }
            A::BarrierInvalidate(space, barrier) => {
                let barrier = self.barrier(world, *space, *barrier)?;
                world.state.barriers.invalidate(barrier)?;
            }
            A::BarrierExpect(space, barrier, bytes) => {
                let barrier = self.barrier(world, *space, *barrier)?;
                let bytes = self.get(world, *bytes);
                world.state.barriers.expect(barrier, bytes)?;
            }
            A::BarrierArrive {
                space,
                state,
                barrier,
                count,
                expected_bytes,
            } => {
                let barrier = self.barrier(world, *space, *barrier)?;
                if let Some(bytes) = expected_bytes {
                    let bytes = self.get(world, *bytes);
                    world.state.barriers.expect(barrier, bytes)?;
                }
                let count = self.get(world, *count);
                let phase = self.arrive(world, barrier, count)?;
                if let Some(state) = state {
                    self.set(world, *state, phase);
                }
            }
            A::BarrierTest {
                space,
                to,
                barrier,
                phase,
            } => {
                let barrier = self.barrier_place(world, *space, *barrier)?;
                let mut current = world.state.barriers.phase(barrier)?;
                let expected = match *phase {
                    Phase::Parity(parity) => self.get(world, parity) & 1,
                    Phase::State(state) => self.get(world, state),
                };
                let is_over = |current: u64| match *phase {
                    Phase::Parity(_) => expected != current & 1,
                    Phase::State(_) => expected != current,
                };
                // What comes late comes when a thread asks again.
                let question = Some((barrier, current));
                if !is_over(current) && self.question == question {
                    world.complete(barrier)?;
                    current = world.state.barriers.phase(barrier)?;
                }
                let is_over = is_over(current);
                self.question = if is_over { None } else { question };
                self.set(world, *to, u64::from(is_over));
                // Others may be what it waits for. How often it asks in vain depends on
                // what else the schedule holds.
                self.turn_ends |= !is_over;
                if is_over {
                    self.plain_bytes(world, Space::Shared, barrier, BARRIER, false)?;
                }
            }
            A::BulkLoad {
                to,
                from,
                bytes,
                barrier,
            } => self.load_bulk(world, [*to, *from, *barrier], *bytes)?,
            A::BulkStore { to, from, bytes } => self.store_bulk(world, [*to, *from], *bytes)?,
            A::TensorLoad {
                to,
                map,
                coordinates,
                barrier,
            } => self.load_tensor(world, [*to, *map, *barrier], coordinates)?,
            A::TensorStore {
                map,
                coordinates,
                from,
            } => self.store_tensor(world, [*map, *from], coordinates)?,
            A::CommitBulk => self.outstanding.bulk.commit(),
            A::WaitForBulk(left) => {
                let stores: Vec<bulk::BulkStore> = self.outstanding.bulk.finished(*left as usize);
                self.finish_bulk(world, stores)?;
            }
            A::ReplaceInTensorMap(space, field, map, value) => {
                let map = self.address(world, *map);
                let value = self.get(world, *value);
                let bytes = self.memory(world, *space, map, BYTES, true)?;
                let mut copy = [0; BYTES];
                copy.copy_from_slice(bytes);
                let mut changed = TensorMap::read(&copy);
                changed.replace(*field, value);
                bytes.copy_from_slice(&changed.bytes());
                world.report.store(map, value);
            }
            A::Multiply {
                kind,
                d,
                a,
                b,
                descriptor,
                adds,
            } => {
                let operands = tensor_product::Operands {
                    kind: *kind,
                    d: *d,
                    a: *a,
                    b: *b,
                    descriptor: *descriptor,
                    adds: *adds,
                };
                self.start_tensor_product(world, &operands)?;
            }
            A::ArriveAfterProducts(space, barrier) => {
                let barrier = self.barrier(world, *space, *barrier)?;
                let products = std::mem::take(&mut self.outstanding.tensor_products);
                let barriers = &mut world.state.barriers;
                barriers.send(barrier, Event::Products(products))?;
            }
            A::ClusterArrive => self.cluster_arrivals += 1,
            A::ClusterWait => {
                if self.cluster_arrivals == 0 {
                    return Err(Trouble::Undefined("a wait for a barrier without arriving"));
                }
                self.state = State::Cluster {
                    arrivals: self.cluster_arrivals,
                };
            }
        }
        Ok(())
    }

    /// The address of a barrier in shared memory, which is accessed.
    fn barrier(&mut self, world: &mut World<'_>, space: Space, barrier: Address) -> Result<u64> {
        let address = self.barrier_place(world, space, barrier)?;
        self.plain_bytes(world, Space::Shared, address, BARRIER, true)?;
        Ok(address)
    }

    /// The address of a barrier in shared memory.
    fn barrier_place(
        &mut self,
        world: &mut World<'_>,
        space: Space,
        barrier: Address,
    ) -> Result<u64> {
        let address = self.address(world, barrier);
        let address = in_shared(space, address)?;
        aligned(address, BARRIER)?;
        Ok(address)
    }

    fn arrive(&mut self, world: &mut World<'_>, barrier: u64, count: u64) -> Result<u64> {
        if world.state.barriers.lacks_bytes(barrier)? {
            world.complete(barrier)?;
        }
        world.state.barriers.arrive(barrier, count)
    }

    /// Before it ends, a thread's copies to global memory are done.
    pub(super) fn finish(&mut self, world: &mut World<'_>) -> Result<()> {
        let stores = self.outstanding.bulk.all();
        self.finish_bulk(world, stores)
    }
}
