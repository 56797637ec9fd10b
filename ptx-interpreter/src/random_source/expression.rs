//! Random expressions.

use super::Generator;
use super::place::{Array, Element, Place};

impl Generator {
    /// A number below `end`.
    pub(super) fn index(&mut self, end: u64) -> String {
        match self.below(3) {
            0 => self.below(end).to_string(),
            _ => format!("({}) % {end}u", self.number(1)),
        }
    }

    /// An element of an array at an index that may be anything within it.
    fn element_of(&mut self, array: &Array) -> Place {
        let index = self.index(array.length);
        array.at(&index)
    }

    /// An expression of type `u32`, of so many operations within one another at most.
    pub(super) fn number(&mut self, depth: u32) -> String {
        if depth == 0 || self.once_in(4) {
            return self.leaf(depth);
        }
        let (a, b) = (self.number(depth - 1), self.number(depth - 1));
        match self.below(9) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {b})"),
            3 => format!("({a} ^ {b})"),
            4 => format!("({a} & {b})"),
            5 => format!("({a} << ({b} & 31))"),
            6 => format!("({a} >> ({b} & 31))"),
            7 => {
                let c = self.number(depth - 1);
                format!("({a} < {b} ? {c} : {b})")
            }
            _ => format!("({a} / ({b} | 1))"),
        }
    }

    fn leaf(&mut self, depth: u32) -> String {
        let kind = self.below(8);
        if kind < 3
            && let Some(name) = self.pick(&self.scope.numbers.clone())
        {
            return name;
        }
        if kind < 5
            && let Some(name) = self.pick(&self.scope.counters.clone())
        {
            return name;
        }
        if kind < 7
            && let Some(array) = self.pick(&self.scope.arrays.clone())
        {
            let place = match depth {
                0 => array.at(&self.below(array.length).to_string()),
                _ => self.element_of(&array),
            };
            return place.number();
        }
        if kind == 7
            && depth > 0
            && let Some(name) = self.pick(&self.scope.floats.clone())
        {
            return format!("(u32)(int){name}");
        }
        format!("{}u", self.below(1 << 20))
    }

    /// An expression of type `float`, not larger than what it is made of, or 256.
    pub(super) fn float(&mut self, depth: u32) -> String {
        if depth == 0 || self.once_in(4) {
            let floats = self.scope.floats.clone();
            let arrays = self.scope.arrays.clone();
            let arrays: Vec<_> = arrays
                .into_iter()
                .filter(|array| array.element == Element::Float)
                .collect();
            return match self.below(3) {
                0 if !floats.is_empty() => self.pick(&floats).unwrap_or_default(),
                1 if !arrays.is_empty() => {
                    let array = self.pick(&arrays).expect("there are arrays");
                    self.element_of(&array).text
                }
                _ => format!("(float)({} & 255u)", self.number(1)),
            };
        }
        let (a, b) = (self.float(depth - 1), self.float(depth - 1));
        match self.below(3) {
            0 => format!("({a} * 0.5f + {b} * 0.25f)"),
            1 => format!("({a} - {b}) * 0.5f"),
            _ => format!("({a} < {b} ? {a} : {b} * 0.75f)"),
        }
    }

    /// A condition.
    pub(super) fn condition(&mut self) -> String {
        if self.once_in(4) {
            let (a, b) = (self.float(1), self.float(1));
            return format!("{a} < {b}");
        }
        let number = self.number(1);
        format!("({number} & {}u) != 0", 1 + self.below(7))
    }
}
