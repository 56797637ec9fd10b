//! Random statements.

use super::place::{Array, Element, Place};
use super::{Generator, MOST_COST, WRITTEN};

impl Generator {
    /// A statement, or nothing where enough is executed already.
    pub(super) fn statement(&mut self) {
        if self.cost + self.rounds > MOST_COST {
            return;
        }
        self.cost += self.rounds;
        match self.below(16) {
            0 => self.array(),
            1 => {
                let structure = self.below(self.structures.len() as u64) as usize;
                self.structure_variable(structure);
            }
            2 | 3 => self.change_number(),
            4 | 5 => self.change_element(),
            6 => self.change_float(),
            7 | 8 => self.sweep(),
            9 => self.rows(),
            10 => self.lambda(),
            11 => self.repeat(),
            12 => self.switch(),
            13 => self.branch(),
            14 => self.choice(),
            _ => {
                let callee = self.below(self.callees.len().max(1) as u64) as usize;
                self.call(callee);
            }
        }
    }

    pub(super) fn numbers(&mut self, count: u32) {
        for _ in 0..count {
            let (name, value) = (self.name("v"), self.number(2));
            self.line(&format!("u32 {name} = {value};"));
            self.scope.numbers.push(name);
        }
    }

    /// A new array: filled in a loop, or from a list.
    pub(super) fn array(&mut self) {
        let (element, length, name) = (self.element(), 2 + self.below(7), self.name("a"));
        let array = Array {
            name: name.clone(),
            element,
            length,
        };
        if self.once_in(2) {
            self.line(&format!("{} {name}[{length}];", element.name()));
            let (counter, value) = (self.name("i"), self.number(1));
            let place = array.at(&counter).text;
            let value = match element {
                Element::Float => format!("(float)(({value} + {counter}) & 255u)"),
                _ => format!("{value} + {counter} * {}", self.below(50)),
            };
            self.line(&format!(
                "for (u32 {counter} = 0; {counter} < {length}; ++{counter}) {place} = {value};"
            ));
        } else {
            // Not all of them are constants, which would be a global variable of its own.
            let number = self.pick(&self.scope.numbers.clone()).unwrap_or_default();
            let mut values = vec![match element {
                Element::Float => format!("(float)({number} & 255u)"),
                _ => format!("({})({number})", element.name()),
            }];
            for _ in 1..length {
                values.push(match element {
                    Element::Float => self.float(1),
                    _ => format!("({})({})", element.name(), self.number(1)),
                });
            }
            let values = values.join(", ");
            self.line(&format!(
                "{} {name}[{length}] = {{{values}}};",
                element.name()
            ));
        }
        self.cost += self.rounds * length;
        self.scope.arrays.push(array);
    }

    /// A new structure: constants, or a copy of another.
    pub(super) fn structure_variable(&mut self, number: usize) {
        let name = self.name("s");
        let alike = self.alike(number);
        let from = match self.pick(&alike) {
            Some(other) if !self.once_in(3) => other,
            _ => format!("known_{number}[{}]", self.index(2)),
        };
        self.line(&format!("S{number} {name} = {from};"));
        let structures = self.structures.clone();
        self.scope.fields(&structures, number, &format!("{name}."));
        self.scope.structures.push((name, number));
    }

    /// The names of structures of that type.
    fn alike(&self, number: usize) -> Vec<String> {
        let structures = self.scope.structures.iter();
        let alike = structures.filter(|(_, other)| *other == number);
        alike.map(|(name, _)| name.clone()).collect()
    }

    fn change_number(&mut self) {
        let value = self.number(2);
        if self.is_kernel && self.once_in(4) {
            let index = self.index(WRITTEN);
            self.line(&format!("out[{index}] = {value};"));
        } else if let Some(name) = self.pick(&self.scope.numbers.clone()) {
            let operator = self.pick(&["=", "+=", "^=", "*="]).unwrap_or("=");
            self.line(&format!("{name} {operator} {value};"));
        }
    }

    fn change_float(&mut self) {
        if let Some(name) = self.pick(&self.scope.floats.clone()) {
            let value = self.float(2);
            self.line(&format!("{name} = {value};"));
        }
    }

    /// An assignment to an element.
    fn assignment(&mut self, place: &Place) -> String {
        let text = &place.text;
        if place.element == Element::Float {
            let value = self.float(1);
            return format!("{text} = {value};");
        }
        let value = self.number(2);
        match self.below(3) {
            0 => format!("{text} = {value};"),
            1 => format!("{text} = {} * 3 + {value};", place.number()),
            _ => format!("{text} ^= {value};"),
        }
    }

    /// An element at an index that depends on data.
    fn change_element(&mut self) {
        if let Some(array) = self.pick(&self.scope.arrays.clone()) {
            let index = self.index(array.length);
            let assignment = self.assignment(&array.at(&index));
            self.line(&assignment);
        }
    }

    /// A loop over an array: up, down, every second, or from somewhere on.
    fn sweep(&mut self) {
        let Some(array) = self.pick(&self.scope.arrays.clone()) else {
            return;
        };
        if self.loops == 2 || self.cost + self.rounds * array.length > MOST_COST {
            return self.change_element();
        }
        let (i, length) = (self.name("i"), array.length);
        let mut at = i.clone();
        let head = match self.below(5) {
            0 => format!("for (u32 {i} = {length}; {i}-- > 0;)"),
            1 => format!("for (u32 {i} = 0; {i} < {length}; {i} += 2)"),
            2 => {
                let start = self.name("start");
                let value = self.number(1);
                self.line(&format!("u32 {start} = {value};"));
                at = format!("{i} - {start}");
                format!("for (u32 {i} = {start}; {i} != {start} + {length}; ++{i})")
            }
            _ => format!("for (u32 {i} = 0; {i} < {length}; ++{i})"),
        };
        self.in_loop(&head, length, |body| {
            body.scope.counters.push(i.clone());
            let assignment = body.assignment(&array.at(&at));
            body.line(&assignment);
            for _ in 0..body.below(3) {
                body.statement();
            }
            if body.once_in(6) {
                let condition = body.condition();
                body.line(&format!("if ({condition}) break;"));
            }
        });
    }

    fn in_loop(&mut self, head: &str, trips: u64, body: impl FnOnce(&mut Self)) {
        let rounds = self.rounds;
        self.rounds *= trips;
        self.loops += 1;
        self.block(head, body);
        self.loops -= 1;
        self.rounds = rounds;
    }

    /// An array of rows, and two loops over it.
    fn rows(&mut self) {
        let (rows, columns) = (2 + self.below(3), 2 + self.below(4));
        if self.loops > 0 || self.cost + self.rounds * rows * columns > MOST_COST {
            return self.change_element();
        }
        let (name, i, j) = (self.name("a"), self.name("i"), self.name("j"));
        let value = self.number(1);
        self.line(&format!("u32 {name}[{rows}][{columns}] = {{}};"));
        let head = format!("for (u32 {i} = 0; {i} < {rows}; ++{i})");
        self.in_loop(&head, rows, |body| {
            let head = format!("for (u32 {j} = 0; {j} < {columns}; ++{j})");
            body.in_loop(&head, columns, |body| {
                body.line(&format!("{name}[{i}][{j}] = {value} + {i} * {j};"));
                body.scope.counters.extend([i.clone(), j.clone()]);
                body.statement();
                let (row, column) = (body.index(rows), body.index(columns));
                body.line(&format!("{name}[{i}][{j}] ^= {name}[{row}][{column}];"));
            });
        });
        // Later statements see the rows.
        for row in 0..rows {
            self.scope.arrays.push(Array {
                name: format!("{name}[{row}]"),
                element: Element::U32,
                length: columns,
            });
        }
    }

    /// A lambda that captures all by reference, to be called later.
    fn lambda(&mut self) {
        if self.is_lambda {
            return self.change_element();
        }
        self.is_lambda = true;
        let name = self.name("f");
        let (cost, rounds) = (self.cost, self.rounds);
        self.rounds = 1;
        self.line(&format!("auto {name} = [&](u32 x_{name}) {{"));
        let scope = self.scope.clone();
        self.indent += 1;
        self.scope.counters.push(format!("x_{name}"));
        for _ in 0..1 + self.below(3) {
            self.statement();
        }
        self.change_element();
        self.indent -= 1;
        self.scope = scope;
        self.line("};");
        self.is_lambda = false;
        let own = self.cost - cost + 1;
        (self.cost, self.rounds) = (cost, rounds);
        self.scope.lambdas.push((name.clone(), own));
        self.cost += self.rounds * own;
        let argument = self.number(1);
        self.line(&format!("{name}({argument});"));
    }

    /// A lambda called again and again by another function.
    fn repeat(&mut self) {
        let times = 2 + self.below(4);
        let Some((name, own)) = self.pick(&self.scope.lambdas.clone()) else {
            return self.lambda();
        };
        if self.cost + self.rounds * own * times <= MOST_COST {
            self.cost += self.rounds * own * times;
            let call = match self.below(2) {
                0 => format!("repeat<{times}>({name});"),
                _ => format!("Chain<{times}>::run({name});"),
            };
            self.line(&call);
        }
    }

    fn switch(&mut self) {
        let (value, cases) = (self.number(2), 2 + self.below(3));
        self.block(&format!("switch ({value} % {}u)", cases + 1), |body| {
            for case in 0..cases {
                body.block(&format!("case {case}:"), |body| {
                    body.statement();
                    body.change_element();
                    if !body.once_in(4) {
                        body.line("break;");
                    }
                });
            }
            body.block("default:", |body| body.change_number());
        });
    }

    fn branch(&mut self) {
        let condition = self.condition();
        self.block(&format!("if ({condition})"), |body| {
            body.statement();
            body.statement();
        });
        if self.once_in(2) {
            self.block("else", |body| body.statement());
        }
    }

    /// One of two addresses: of structures to copy, or of arrays to index.
    fn choice(&mut self) {
        let condition = self.condition();
        if self.once_in(2)
            && let Some((name, number)) = self.pick(&self.scope.structures.clone())
        {
            let alike = self.alike(number);
            let other = self.pick(&alike).unwrap_or_else(|| name.clone());
            let (index, pointer) = (self.index(2), self.name("p"));
            let copy = match self.below(3) {
                0 => format!("{name} = {condition} ? known_{number}[{index}] : {other};"),
                1 => format!("{name} = {condition} ? {name} : {other};"),
                _ => format!(
                    "const S{number} *{pointer} = {condition} ? &{other} : \
                     &known_{number}[{index}]; {name} = *{pointer};"
                ),
            };
            self.line(&copy);
            return;
        }
        let arrays = self.scope.arrays.clone();
        let Some(one) = self.pick(&arrays) else {
            return;
        };
        let alike: Vec<_> = arrays
            .into_iter()
            .filter(|other| other.element == one.element)
            .collect();
        let other = self.pick(&alike).unwrap_or_else(|| one.clone());
        let (name, element) = (self.name("p"), one.element.name());
        self.line(&format!(
            "{element} *{name} = {condition} ? &{}[0] : &{}[0];",
            one.name, other.name
        ));
        self.scope.arrays.push(Array {
            name,
            element: one.element,
            length: one.length.min(other.length),
        });
        self.change_element();
    }

    /// A call with a structure and an array by pointer, if there are such.
    pub(super) fn call(&mut self, callee: usize) {
        let Some(callee) = self.callees.get(callee).cloned() else {
            return self.change_number();
        };
        let structures = self.alike(callee.structure);
        let arrays = self.scope.arrays.iter().cloned();
        let arrays: Vec<_> = arrays
            .filter(|array| array.element == Element::U32 && array.length >= callee.length)
            .collect();
        let (structure, array) = (self.pick(&structures), self.pick(&arrays));
        let cost = self.cost + self.rounds * callee.cost;
        let (Some(structure), Some(array)) = (structure, array) else {
            return self.change_number();
        };
        if cost > 2 * MOST_COST {
            return;
        }
        self.cost = cost;
        let argument = self.number(1);
        let call = format!(
            "{}(&{structure}, &{}[0], {argument})",
            callee.name, array.name
        );
        let statement = match self.pick(&self.scope.numbers.clone()) {
            _ if callee.gives_structure => {
                let to = self.pick(&structures).unwrap_or(structure);
                format!("{to} = {call};")
            }
            Some(number) => format!("{number} += {call};"),
            None => format!("{call};"),
        };
        self.line(&statement);
    }
}
