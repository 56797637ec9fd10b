//! The state spaces and the addresses in them.
//!
//! No space begins at zero, so that a null pointer and a forgotten base are caught.
//! Variables and buffers lie apart, so that running off the end of one never hits the
//! next. Generic addresses of shared, local and parameter memory are offsets in windows; those of
//! global and constant memory are the addresses themselves.

use crate::error::Trouble;
use crate::module::Module;
use crate::random::Random;
use crate::types::Space;

/// First address of global memory.
pub const GLOBAL_BASE: u64 = 0x7f40_0000_0000;
/// First address of what lies far apart in global memory.
pub const FAR_BASE: u64 = 0x1000_0000_0000;
/// Addresses for each buffer of which only parts are there.
const FAR_ROOM: u64 = 1 << 40;
/// First address of constant memory.
pub const CONST_BASE: u64 = 0x0600_0000_0000;
/// First address of a block's shared memory.
pub const SHARED_BASE: u64 = 0x400;
/// Size of an array in shared memory whose size the launch decides: what a block of a
/// large GPU may have.
pub const DYNAMIC_SHARED_SIZE: u64 = 227 << 10;
/// Its alignment: that of the largest pattern in which tensors are swizzled.
pub const DYNAMIC_SHARED_ALIGNMENT: u64 = 1024;
/// The array that Warpalloc adds for spill slots in shared memory.
pub const SPILL_SPACE: &str = "warpalloc_spill_space";
/// Its first address, apart from all that a kernel has of its own: whether it is there
/// moves nothing else.
pub const SPILL_BASE: u64 = 0x10_0000;
/// First address of a thread's local memory.
pub const LOCAL_BASE: u64 = 0xff_1000;
/// First address of a function's parameter frame.
pub const PARAM_BASE: u64 = 0x21_0000;
/// Generic address of shared address zero.
pub const SHARED_WINDOW: u64 = 0x0100_0000_0000;
/// Generic address of local address zero.
pub const LOCAL_WINDOW: u64 = 0x0200_0000_0000;
/// Generic address of a kernel's parameter address zero.
pub const PARAM_WINDOW: u64 = 0x0300_0000_0000;
const WINDOW_SIZE: u64 = 1 << 32;
/// Bytes left free between variables.
pub(crate) const GAP: u64 = 256;

/// Checks that `address` is a multiple of the access's size, which is a power of two.
pub fn aligned(address: u64, bytes: usize) -> Result<(), Trouble> {
    match address % bytes as u64 {
        0 => Ok(()),
        _ => Err(Trouble::Misaligned { address, bytes }),
    }
}

/// An address in a space as far as the space goes: shared and local memory have addresses
/// of 32 bits, and of a wider register the rest is cut off.
pub fn within(space: Space, address: u64) -> u64 {
    match space {
        Space::Shared | Space::Local => address % WINDOW_SIZE,
        _ => address,
    }
}

/// The space behind a generic address, and the address there.
pub fn resolve(address: u64) -> (Space, u64) {
    if (SHARED_WINDOW..SHARED_WINDOW + WINDOW_SIZE).contains(&address) {
        (Space::Shared, address - SHARED_WINDOW)
    } else if (LOCAL_WINDOW..LOCAL_WINDOW + WINDOW_SIZE).contains(&address) {
        (Space::Local, address - LOCAL_WINDOW)
    } else if (PARAM_WINDOW..PARAM_WINDOW + WINDOW_SIZE).contains(&address) {
        (Space::Param, address - PARAM_WINDOW)
    } else if (CONST_BASE..CONST_BASE + WINDOW_SIZE).contains(&address) {
        (Space::Const, address)
    } else {
        (Space::Global, address)
    }
}

/// `cvta`: the generic address of an address in `space`.
pub fn to_generic(space: Space, address: u64) -> u64 {
    match space {
        Space::Shared => address.wrapping_add(SHARED_WINDOW),
        Space::Local => address.wrapping_add(LOCAL_WINDOW),
        Space::Param => address.wrapping_add(PARAM_WINDOW),
        _ => address,
    }
}

/// `cvta.to`: the address in `space` of a generic address. Pointers that are merely
/// passed along may be invalid, so only a pointer into another space is an error.
pub fn from_generic(space: Space, address: u64) -> Result<u64, Trouble> {
    let (actual, inner) = resolve(address);
    if actual == space || (actual == Space::Global && space == Space::Const) {
        return Ok(inner);
    }
    Err(Trouble::WrongSpace {
        space: space.name(),
        address,
    })
}

/// A piece of memory with an address.
#[derive(Debug, Clone)]
pub struct Region {
    /// What it is called in reports.
    pub name: String,
    /// Address of the first byte.
    pub address: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// In [`SPILL_SPACE`]: the thread that each byte belongs to, which is the first that
    /// writes it.
    owners: Vec<u32>,
}

/// Nobody has written it yet.
const NOBODY: u32 = u32::MAX;

impl Region {
    fn range(&self, address: u64, bytes: usize) -> Option<std::ops::Range<usize>> {
        let start = usize::try_from(address.checked_sub(self.address)?).ok()?;
        let end = start.checked_add(bytes)?;
        (end <= self.bytes.len()).then_some(start..end)
    }
}

/// Regions of one space, sorted by address.
#[derive(Debug, Clone, Default)]
pub struct Regions(Vec<Region>);

impl Regions {
    /// All regions.
    pub fn all(&self) -> &[Region] {
        &self.0
    }

    /// The bytes of an access.
    pub fn bytes(
        &mut self,
        space: Space,
        address: u64,
        bytes: usize,
    ) -> Result<&mut [u8], Trouble> {
        let after = self.0.partition_point(|r| r.address <= address);
        let region = self.0[..after].last_mut();
        region
            .and_then(|r| r.range(address, bytes).map(|range| &mut r.bytes[range]))
            .ok_or(Trouble::OutOfBounds {
                space: space.name(),
                address,
                bytes,
            })
    }

    /// Checks that the bytes of an access to [`SPILL_SPACE`] are the thread's own, which
    /// they become where it writes them first. Whether they have all been written.
    pub fn own(
        &mut self,
        thread: u32,
        address: u64,
        bytes: usize,
        write: bool,
    ) -> Result<bool, Trouble> {
        let found = self.0.iter_mut().rfind(|r| r.address <= address);
        let found = found.and_then(|r| Some((r.range(address, bytes)?, r)));
        let Some((range, region)) = found else {
            return Err(Trouble::OutOfBounds {
                space: Space::Shared.name(),
                address,
                bytes,
            });
        };
        let owners = &mut region.owners[range];
        if owners.iter().any(|&one| one != NOBODY && one != thread) {
            return Err(Trouble::NotItsOwn { address });
        }
        if write {
            owners.fill(thread);
        }
        Ok(!owners.contains(&NOBODY))
    }

    fn push(&mut self, region: Region) {
        let at = self.0.partition_point(|r| r.address < region.address);
        self.0.insert(at, region);
    }
}

/// Global and constant memory: the module's variables and the caller's buffers.
#[derive(Debug, Clone)]
pub struct GlobalMemory {
    /// What kernels may write.
    pub global: Regions,
    /// What they may not.
    pub constant: Regions,
    next: u64,
    /// Buffers far apart so far.
    far: u64,
}

impl GlobalMemory {
    /// The module's variables with their initial contents.
    pub fn new(module: &Module) -> Self {
        let mut memory = Self {
            global: Regions::default(),
            constant: Regions::default(),
            next: GLOBAL_BASE,
            far: 0,
        };
        for v in &module.variables {
            let region = Region {
                name: v.name.clone(),
                address: v.address,
                bytes: v.contents.clone(),
                owners: Vec::new(),
            };
            match v.space {
                Space::Global => {
                    memory.next = memory.next.max(v.address + v.size as u64);
                    memory.global.push(region);
                }
                Space::Const => memory.constant.push(region),
                _ => {}
            }
        }
        memory
    }

    /// Adds a buffer and gives its address, a multiple of 256.
    pub fn allocate(&mut self, name: &str, bytes: Vec<u8>) -> u64 {
        let address = (self.next + GAP).next_multiple_of(GAP);
        self.next = address + bytes.len() as u64;
        self.global.push(Region {
            name: name.to_owned(),
            address,
            bytes,
            owners: Vec::new(),
        });
        address
    }

    /// Adds parts of a buffer, given by their distances from where it begins, and gives the
    /// address of the beginning. Distances are multiples of the elements' size; parts do
    /// not overlap and lie less than 2^39 away.
    pub fn allocate_parts(&mut self, name: &str, parts: &[(i64, Vec<u8>)]) -> u64 {
        let address = FAR_BASE + self.far * FAR_ROOM + FAR_ROOM / 2;
        self.far += 1;
        for (distance, bytes) in parts {
            self.global.push(Region {
                name: format!("{name} at {distance:#x}"),
                address: address.wrapping_add_signed(*distance),
                bytes: bytes.clone(),
                owners: Vec::new(),
            });
        }
        address
    }
}

/// The shared memory of one block: the module's variables, garbage at first.
pub fn shared(module: &Module, random: &mut Random) -> Regions {
    let mut regions = Regions::default();
    for v in module.variables.iter().filter(|v| v.space == Space::Shared) {
        let mut bytes = vec![0; v.size];
        random.fill(&mut bytes);
        let is_spill_space = v.name == SPILL_SPACE;
        regions.push(Region {
            name: v.name.clone(),
            address: v.address,
            bytes,
            owners: vec![NOBODY; if is_spill_space { v.size } else { 0 }],
        });
    }
    regions
}
