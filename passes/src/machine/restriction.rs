//! A machine with fewer registers than it has.

use super::{File, Machine, Register, gpu};
use std::borrow::Cow;

impl Machine {
    /// The file that a budget is about: R, on a GPU.
    pub fn limited_file(&self) -> Option<File> {
        let mut files = self.files.iter();
        files
            .find(|(_, data)| data.name == gpu::R_NAME)
            .map(|(file, _)| file)
    }

    /// The machine with only so many registers of one file: every class keeps those that
    /// lie below.
    pub fn restricted_to(&self, file: File, limit: u32) -> Self {
        let is_above = |register: Register| {
            let columns = self.columns(file, register);
            columns
                .iter()
                .any(|&(column, _)| u32::from(column) >= limit)
        };
        let mut restricted = self.clone();
        for class in restricted.classes.values_mut() {
            class.order.retain(|&register| !is_above(register));
        }
        restricted.files[file].size = restricted.files[file].size.min(limit);
        restricted
    }

    /// The machine where predicates are spilled to bits of so many registers of the R file,
    /// at most of those that it has. No other machine than a GPU has them.
    pub fn with_packed_predicates(&self, words: u32) -> Cow<'_, Self> {
        let file = self.limited_file().filter(|_| gpu::is_gpu(self));
        let Some(file) = file.filter(|_| words > 0) else {
            return Cow::Borrowed(self);
        };
        let size = self.files[file].size;
        let words = words.min(gpu::MOST_WORDS).min(size);
        let mut packed = self.restricted_to(file, size - words);
        gpu::add_packed_predicates(&mut packed, words);
        Cow::Owned(packed)
    }
}
