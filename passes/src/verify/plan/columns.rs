//! Slots in shared memory, where every thread of a block has its own.

use super::Layout;
use crate::allocation::{SharedColumn, SlotData};
use crate::function::Slot;
use crate::verify::fault::Fault;

/// The strides of which accesses are aligned and free of bank conflicts.
const STRIDES: [u32; 3] = [4, 8, 16];

impl Layout<'_> {
    /// Checks that each thread has a place of its own for each slot in shared memory, that
    /// the places are aligned and lie within what is declared, and that slots side by side
    /// are so there as well. Afterwards a slot there is like any other: no thread can see
    /// another one's.
    pub(super) fn check_columns(&self) -> Result<(), Fault> {
        let mut taken: Vec<(u64, u64, Slot)> = Vec::new();
        let mut first: Option<(Slot, SlotData)> = None;
        for (slot, &data) in &self.allocation.slots {
            if data.lanes > 0 {
                first = Some((slot, data));
            }
            let Some((begin, head)) = first else {
                continue;
            };
            let lane = slot.as_u32() - begin.as_u32();
            let expected = head.column.map(|column| SharedColumn {
                offset: column.offset.saturating_add(lane * data.size),
                ..column
            });
            if data.column != expected {
                return Err(Fault::BadColumn { slot });
            }
            if lane == 0
                && let Some(column) = data.column
            {
                let range = self.column_range(slot, &data, column)?;
                taken.push(range);
            }
        }
        taken.sort_unstable();
        for pair in taken.windows(2) {
            let ((_, end, slot), (begin, _, other)) = (pair[0], pair[1]);
            if begin < end {
                return Err(Fault::ColumnsOverlap { slot, other });
            }
        }
        Ok(())
    }

    /// The bytes that the slots of all threads take: first, one past the last.
    fn column_range(
        &self,
        slot: Slot,
        data: &SlotData,
        column: SharedColumn,
    ) -> Result<(u64, u64, Slot), Fault> {
        let SharedColumn { offset, stride } = column;
        let frame = self.allocation.shared.filter(|_| STRIDES.contains(&stride));
        let Some(frame) = frame else {
            return Err(Fault::BadColumn { slot });
        };
        let begin = u64::from(offset);
        let end = begin + u64::from(stride) * u64::from(frame.threads);
        let bytes = data.size.saturating_mul(data.lanes);
        let is_aligned = offset.is_multiple_of(stride)
            && stride.is_multiple_of(bytes)
            && stride.is_multiple_of(data.alignment);
        match is_aligned && frame.threads > 0 && end <= u64::from(frame.bytes) {
            true => Ok((begin, end, slot)),
            false => Err(Fault::BadColumn { slot }),
        }
    }
}
