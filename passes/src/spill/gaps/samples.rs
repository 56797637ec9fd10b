//! Gaps made by hand, for tests of what looks at gaps.

use super::{Access, Around, Boundary, Gap, Gaps, InsertionPoint};
use crate::function::Instruction;

pub fn gap(number: u32) -> Gap {
    Gap::from_u32(number)
}

pub fn around(before: Option<u32>, behind: Option<u32>) -> Around {
    (before.map(gap), behind.map(gap))
}

pub fn access(number: u32, reads: bool, writes: bool, frequency: f64) -> Access {
    Access {
        instruction: Instruction::from_u32(number),
        reads,
        writes,
        code: None,
        folds: false,
        leaves_in_flight: false,
        is_fenced: false,
        frequency,
    }
}

pub fn boundary(from: u32, to: u32, place: InsertionPoint, frequency: f64) -> Boundary {
    Boundary {
        from: gap(from),
        to: gap(to),
        place,
        frequency,
    }
}

/// The numbers of the gaps before and behind an access.
type Numbers = (Option<u32>, Option<u32>);

/// So many gaps, between these accesses; each has the numbers of the gaps around it.
pub fn gaps<const N: usize>(
    count: u32,
    accesses: [(Access, Numbers); N],
    boundaries: Vec<Boundary>,
) -> Gaps {
    let places = accesses.iter().map(|(_, place)| around(place.0, place.1));
    Gaps {
        around: places.collect(),
        accesses: accesses.iter().map(|(access, _)| *access).collect(),
        held: (0..count).map(|_| false).collect(),
        boundaries,
        ..Gaps::default()
    }
}
