//! Groups of asynchronous operations: opened by the first, closed by a commit, waited for
//! by how many may be left.

use std::collections::VecDeque;

/// Operations underway, the oldest group first.
#[derive(Debug)]
pub(crate) struct Groups<T> {
    open: Vec<T>,
    closed: VecDeque<Vec<T>>,
}

impl<T> Default for Groups<T> {
    fn default() -> Self {
        Self {
            open: Vec::new(),
            closed: VecDeque::new(),
        }
    }
}

impl<T> Groups<T> {
    /// Adds an operation to the group that is open.
    pub fn push(&mut self, operation: T) {
        self.open.push(operation);
    }

    /// Closes the group, which may be empty.
    pub fn commit(&mut self) {
        self.closed.push_back(std::mem::take(&mut self.open));
    }

    /// The operations of all closed groups but the latest `left`, in order.
    pub fn finished(&mut self, left: usize) -> Vec<T> {
        let count = self.closed.len().saturating_sub(left);
        self.closed.drain(..count).flatten().collect()
    }

    /// All operations, in closed groups or not, in order.
    pub fn all(&mut self) -> Vec<T> {
        let mut all = self.finished(0);
        all.append(&mut self.open);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::Groups;

    #[test]
    fn waits_take_the_oldest_groups() {
        let mut groups = Groups::default();
        for i in 0..3 {
            groups.push(i);
            groups.push(10 + i);
            groups.commit();
        }
        groups.push(20);
        assert_eq!(groups.finished(2), [0, 10]);
        assert_eq!(groups.finished(2), []);
        assert_eq!(groups.finished(0), [1, 11, 2, 12]);
        assert_eq!(groups.all(), [20]);
    }
}
