//! Numbers of virtual registers: the shim's, which are LLVM's, and ours, which leave out those
//! that nothing names.
//!
//! Of the virtual registers that LLVM has made by the time registers are allocated, two in three
//! have gone again. What is kept for each of them, in every round, would be as large as for the
//! others. Ensures that ours are in the shim's order. Linear in the virtual registers, and in what
//! is handed back.

use crate::abi::{
    WARPALLOC_LOCATION_NONE, WARPALLOC_NONE, WarpallocEdit, WarpallocEditKind, WarpallocLocation,
    WarpallocVirtualRegister,
};
use crate::apply::Tables;
use passes::function::VirtualRegister;

/// The numbers of a function's virtual registers on both sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    /// For each of the shim's ours, or `WARPALLOC_NONE`.
    ours: Vec<u32>,
    /// For each of ours the shim's.
    shims: Vec<u32>,
}

impl Numbers {
    /// Leaves out those without a class.
    pub fn new(registers: &[WarpallocVirtualRegister]) -> Self {
        let mut numbers = Self {
            ours: Vec::with_capacity(registers.len()),
            shims: Vec::new(),
        };
        for (shims, register) in (0..).zip(registers) {
            let is_named = register.class_index != WARPALLOC_NONE;
            let ours = numbers.shims.len() as u32;
            numbers
                .ours
                .push(if is_named { ours } else { WARPALLOC_NONE });
            numbers.shims.extend(is_named.then_some(shims));
        }
        numbers
    }

    /// How many of ours there are.
    pub fn count(&self) -> usize {
        self.shims.len()
    }

    /// Our number for one of the shim's, if it has one.
    pub fn ours(&self, shims: u32) -> Option<VirtualRegister> {
        let ours = *self.ours.get(shims as usize)?;
        (ours != WARPALLOC_NONE).then(|| VirtualRegister::from_u32(ours))
    }

    /// The shim's number for one of ours; created ones follow on both sides.
    pub fn shims(&self, ours: u32) -> u32 {
        match self.shims.get(ours as usize) {
            Some(&shims) => shims,
            None => ours - self.shims.len() as u32 + self.ours.len() as u32,
        }
    }

    /// Of what there is for each of the shim's, what there is for each of ours.
    pub fn keep<'a, T>(&'a self, of_shims: &'a [T]) -> impl Iterator<Item = &'a T> {
        let shims = self.shims.iter();
        shims.filter_map(|&one| of_shims.get(one as usize))
    }

    /// Makes the shim's numbers of ours in the tables that it gets.
    pub fn hand_back(&self, tables: &mut Tables) {
        for created in &mut tables.created {
            created.origin = self.shims(created.origin);
        }
        for edit in &mut tables.edits {
            self.renumber(edit);
        }
        if tables.is_left {
            return;
        }
        let nowhere = WarpallocLocation {
            kind: WARPALLOC_LOCATION_NONE,
            index: WARPALLOC_NONE,
        };
        let mut locations = vec![nowhere; self.ours.len()];
        let (own, created) = tables.locations.split_at(self.shims.len());
        for (&shims, &location) in self.shims.iter().zip(own) {
            locations[shims as usize] = location;
        }
        locations.extend_from_slice(created);
        tables.locations = locations;
    }

    fn renumber(&self, edit: &mut WarpallocEdit) {
        match edit.kind {
            WarpallocEditKind::Rename => edit.b = self.shims(edit.b),
            WarpallocEditKind::Store
            | WarpallocEditKind::Reload
            | WarpallocEditKind::Rematerialise => edit.a = self.shims(edit.a),
            WarpallocEditKind::Widen | WarpallocEditKind::Narrow | WarpallocEditKind::Move => {
                (edit.a, edit.b) = (self.shims(edit.a), self.shims(edit.b));
            }
            WarpallocEditKind::Fold
            | WarpallocEditKind::FoldLoad
            | WarpallocEditKind::DeleteDefinition
            | WarpallocEditKind::DeleteCopy => {}
        }
        for source in edit
            .sources
            .iter_mut()
            .filter(|one| **one != WARPALLOC_NONE)
        {
            *source = self.shims(*source);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::{WARPALLOC_MOST_SOURCES, WarpallocCreated};

    /// The first and the third of four are named by nothing.
    fn numbers() -> Numbers {
        let register = |class_index| WarpallocVirtualRegister {
            class_index,
            super_class_index: WARPALLOC_NONE,
            flags: 0,
            hint_begin: 0,
            hint_end: 0,
        };
        Numbers::new(&[WARPALLOC_NONE, 0, WARPALLOC_NONE, 1].map(register))
    }

    #[test]
    fn there_and_back() {
        let numbers = numbers();
        let ours = (0..5).map(|shims| numbers.ours(shims).map(VirtualRegister::as_u32));
        let ours: Vec<_> = ours.collect();
        assert_eq!(ours, [None, Some(0), None, Some(1), None]);
        let shims: Vec<_> = (0..4).map(|ours| numbers.shims(ours)).collect();
        assert_eq!(shims, [1, 3, 4, 5]);
        let kept: Vec<_> = numbers.keep(&["a", "b", "c", "d"]).copied().collect();
        assert_eq!(kept, ["b", "d"]);
    }

    #[test]
    fn what_is_handed_back_has_the_shims_numbers() {
        let at = |index| WarpallocLocation { kind: 1, index };
        let edit = |kind, a, b| WarpallocEdit {
            instruction: 0,
            after: false,
            kind,
            a,
            b,
            lanes: 1,
            sources: [WARPALLOC_NONE; WARPALLOC_MOST_SOURCES],
        };
        let mut tables = Tables {
            locations: vec![at(10), at(11), at(12)],
            created: vec![WarpallocCreated {
                origin: 1,
                class_index: 0,
            }],
            edits: vec![
                edit(WarpallocEditKind::Rename, 1, 2),
                edit(WarpallocEditKind::Reload, 2, 1),
                edit(WarpallocEditKind::Move, 2, 1),
                edit(WarpallocEditKind::Fold, 1, 1),
            ],
            ..Tables::default()
        };
        tables.edits[1].sources[0] = 0;
        numbers().hand_back(&mut tables);
        let places: Vec<_> = tables.locations.iter().map(|one| one.index).collect();
        assert_eq!(places, [WARPALLOC_NONE, 10, WARPALLOC_NONE, 11, 12]);
        assert_eq!(tables.created[0].origin, 3);
        let numbers: Vec<_> = tables.edits.iter().map(|one| (one.a, one.b)).collect();
        assert_eq!(numbers, [(1, 4), (4, 1), (4, 3), (1, 1)]);
        assert_eq!(tables.edits[1].sources[0], 1);
    }
}
