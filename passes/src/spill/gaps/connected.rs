//! Gaps that belong together: a value in memory in one of them and not in the next is loaded or
//! stored at the access between them.
//!
//! Linear in accesses, nearly.

use super::{Gap, Gaps};
use petgraph::unionfind::UnionFind;
use std::collections::BTreeMap;

impl Gaps {
    /// The gaps that accesses connect, where those are more than one; each ascending.
    pub fn connected(&self) -> Vec<Vec<Gap>> {
        let mut joined = UnionFind::<u32>::new(self.count());
        for &around in self.around.values() {
            if let (Some(before), Some(behind)) = around {
                joined.union(before.0, behind.0);
            }
        }
        let mut groups: BTreeMap<u32, Vec<Gap>> = BTreeMap::new();
        for gap in self.keys() {
            groups.entry(joined.find(gap.0)).or_default().push(gap);
        }
        let groups = groups.into_values();
        groups.filter(|group| group.len() > 1).collect()
    }
}
