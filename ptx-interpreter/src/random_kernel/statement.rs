//! Statements: assignments, control flow, memory, and what threads do together.

use super::text::{Body, Kind, Variable};
use super::{Callee, Generator, IN_BYTES, LOCAL_WORDS, MOST_COST, OUT_BYTES, SHARED_WORDS};

/// How often a loop goes round, on average and rounded up.
const ROUNDS: u64 = 4;
/// Branches and loops stand at most so deep in each other.
const DEEPEST: u32 = 3;

impl Generator {
    /// A statement. `together` says that all threads of the block come here.
    pub(super) fn statement(&mut self, body: &mut Body, depth: u32, together: bool) {
        self.cost += self.rounds;
        let room = MOST_COST.saturating_sub(self.cost) / self.rounds;
        match self.below(20) {
            0 | 1 if depth < DEEPEST => self.branch(body, depth),
            2 | 3 if depth < DEEPEST && room > 4 * ROUNDS => self.repeat(body, depth, together),
            4 if depth < DEEPEST => self.switch(body, depth),
            5 | 6 if !self.callees.is_empty() => {
                let callee = self.below(self.callees.len() as u64) as usize;
                match self.callees[callee].cost < room {
                    true => self.call(body, callee),
                    false => self.assignment(body),
                }
            }
            7 | 8 if body.array => self.local_access(body),
            9 if together => self.exchange(body),
            10 | 11 if together => self.warp(body),
            12 if self.kernel => self.load_again(body),
            13 if depth < DEEPEST => self.low_halves(body, depth),
            14 if depth < DEEPEST => self.conditions(body, depth),
            _ => (0..1 + self.below(4)).for_each(|_| self.assignment(body)),
        }
    }

    fn statements(&mut self, body: &mut Body, depth: u32, together: bool) {
        for _ in 0..1 + self.below(4) {
            self.statement(body, depth, together);
        }
    }

    fn assignment(&mut self, body: &mut Body) {
        if let Some(at) = self.open_variable(body, None) {
            let Variable { kind, value, .. } = body.variables[at].clone();
            body.variables[at].value = self.changed(body, kind, &value);
        }
    }

    /// The number of a variable that may be changed, of the type if one is given.
    fn open_variable(&mut self, body: &Body, kind: Option<Kind>) -> Option<usize> {
        let open = body.variables.iter().enumerate();
        let open = open.filter(|(_, v)| v.open && kind.is_none_or(|kind| v.kind == kind));
        let open: Vec<_> = open.map(|(at, _)| at).collect();
        (!open.is_empty()).then(|| self.pick(&open))
    }

    /// Mixes a value into a variable of its type.
    fn mix_in(&mut self, body: &mut Body, kind: Kind, value: &str) {
        if let Some(at) = self.open_variable(body, Some(kind)) {
            let old = body.variables[at].value.clone();
            body.variables[at].value = match kind.is_float() {
                true => {
                    let sum = body.value(format_args!("fadd {kind} {old}, {value}"));
                    body.value(format_args!("fmul {kind} {sum}, 0.5"))
                }
                false => {
                    let op = match kind {
                        Kind::I1 => "xor",
                        _ => self.pick(&["add", "xor", "sub"]),
                    };
                    body.value(format_args!("{op} {kind} {old}, {value}"))
                }
            };
        }
    }

    /// 64-bit values of which only the low halves matter in the end, or also a part of
    /// the upper ones.
    fn low_halves(&mut self, body: &mut Body, depth: u32) {
        let wide = [(); 4].map(|()| {
            let value = self.operand(body, Kind::I64);
            self.changed(body, Kind::I64, &value)
        });
        self.branch(body, depth);
        for value in wide {
            let value = match self.once_in(3) {
                true => {
                    let by = self.below(32);
                    body.value(format_args!("lshr i64 {value}, {by}"))
                }
                false => self.changed(body, Kind::I64, &value),
            };
            let low = body.value(format_args!("trunc i64 {value} to i32"));
            match self.kernel && self.once_in(2) {
                // What all variables are stored to in the end.
                true => body.line(format_args!("store i32 {low}, ptr %own, align 4")),
                false => self.mix_in(body, Kind::I32, &low),
            }
        }
    }

    /// More conditions than there are predicates, read behind a branch.
    fn conditions(&mut self, body: &mut Body, depth: u32) {
        let count = 7 + self.below(7);
        let conditions: Vec<String> = (0..count)
            .map(|_| {
                // Of two, so that LLVM does not compare where the result is read.
                let (one, other) = (self.comparison(body), self.comparison(body));
                body.value(format_args!("xor i1 {one}, {other}"))
            })
            .collect();
        self.branch(body, depth);
        for condition in conditions {
            let [one, other] = [(); 2].map(|()| self.operand(body, Kind::I32));
            let chosen = body.value(format_args!(
                "select i1 {condition}, i32 {one}, i32 {other}"
            ));
            self.mix_in(body, Kind::I32, &chosen);
        }
    }

    fn branch(&mut self, body: &mut Body, depth: u32) {
        let condition = match self.once_in(3) {
            true => self.operand(body, Kind::I1),
            false => self.comparison(body),
        };
        let number = body.number();
        body.line(format_args!(
            "br i1 {condition}, label %then{number}, label %else{number}"
        ));
        let labels = [format!("then{number}"), format!("else{number}")];
        self.alternatives(body, depth, &labels, &format!("join{number}"));
    }

    fn switch(&mut self, body: &mut Body, depth: u32) {
        let chooser = self.operand(body, Kind::I32);
        let number = body.number();
        let cases = 4 + self.below(4);
        let chooser = body.value(format_args!("and i32 {chooser}, 7"));
        let labels: Vec<_> = (0..cases).map(|n| format!("case{number}.{n}")).collect();
        let targets: String = labels[1..]
            .iter()
            .enumerate()
            .map(|(n, label)| format!(" i32 {}, label %{label}", n + 1))
            .collect();
        body.line(format_args!(
            "switch i32 {chooser}, label %{} [{targets} ]",
            labels[0]
        ));
        self.alternatives(body, depth + 1, &labels, &format!("join{number}"));
    }

    /// The blocks of a branch and the one where they meet again.
    fn alternatives(&mut self, body: &mut Body, depth: u32, labels: &[String], join: &str) {
        let before = body.variables.clone();
        let mut ends = Vec::new();
        for label in labels {
            body.start(label);
            self.statements(body, depth + 1, false);
            body.line(format_args!("br label %{join}"));
            let after = std::mem::replace(&mut body.variables, before.clone());
            ends.push((body.block.clone(), after));
        }
        body.start(join);
        for (at, variable) in before.iter().enumerate() {
            let mut changed = ends.iter().map(|(_, after)| &after[at].value);
            if changed.any(|value| *value != variable.value) {
                let incoming = ends.iter();
                let incoming: Vec<_> = incoming
                    .map(|(block, after)| format!("[ {}, %{block} ]", after[at].value))
                    .collect();
                let kind = variable.kind;
                body.variables[at].value =
                    body.value(format_args!("phi {kind} {}", incoming.join(", ")));
            }
        }
    }

    /// A loop of a few rounds, in which only some variables change.
    fn repeat(&mut self, body: &mut Body, depth: u32, together: bool) {
        // How often may depend on the thread; then its threads part.
        let together = together && !self.once_in(3);
        let count = match (together, self.kernel) {
            (true, true) => "%n".to_owned(),
            _ => self.operand(body, Kind::I32),
        };
        let shift = self.below(29);
        let count = body.value(format_args!("lshr i32 {count}, {shift}"));
        let count = body.value(format_args!("and i32 {count}, 3"));
        let count = body.value(format_args!("add i32 {count}, 2"));
        let number = body.number();
        let before = body.variables.clone();
        // One of each type stays open, for results that have to go somewhere.
        let mut seen = Vec::new();
        for variable in &mut body.variables {
            let first = !seen.contains(&variable.kind);
            seen.push(variable.kind);
            variable.open = variable.open && (first || !self.once_in(3));
        }
        let carried: Vec<_> = (0..before.len())
            .filter(|&at| body.variables[at].open)
            .collect();
        let (from, label) = (body.block.clone(), format!("loop{number}"));
        body.line(format_args!("br label %{label}"));
        let outside = std::mem::take(&mut body.text);
        for &at in &carried {
            body.variables[at].value = format!("%phi{number}.{at}");
        }
        body.block = label.clone();
        self.rounds *= ROUNDS;
        self.statements(body, depth + 1, together);
        self.rounds /= ROUNDS;
        let inside = std::mem::replace(&mut body.text, outside);
        let latch = std::mem::take(&mut body.block);
        body.start(&label);
        body.line(format_args!(
            "%round{number} = phi i32 [ 0, %{from} ], [ %next{number}, %{latch} ]"
        ));
        for &at in &carried {
            let Variable { kind, value, .. } = &before[at];
            body.line(format_args!(
                "%phi{number}.{at} = phi {kind} [ {value}, %{from} ], [ {}, %{latch} ]",
                body.variables[at].value.clone()
            ));
        }
        body.text += &inside;
        body.line(format_args!("%next{number} = add i32 %round{number}, 1"));
        body.line(format_args!(
            "%more{number} = icmp ult i32 %next{number}, {count}"
        ));
        body.line(format_args!(
            "br i1 %more{number}, label %{label}, label %done{number}"
        ));
        body.start(&format!("done{number}"));
        for (variable, before) in body.variables.iter_mut().zip(&before) {
            variable.open = before.open;
        }
    }

    pub(super) fn call(&mut self, body: &mut Body, callee: usize) {
        let Callee {
            name,
            parameters: kinds,
            result,
            cost,
        } = self.callees[callee].clone();
        self.cost += self.rounds * cost;
        let arguments: Vec<_> = kinds
            .into_iter()
            .map(|kind| format!("{kind} {}", self.operand(body, kind)))
            .collect();
        let value = body.value(format_args!(
            "call {result} @{name}({})",
            arguments.join(", ")
        ));
        self.mix_in(body, result, &value);
    }

    /// An array in local memory, filled.
    pub(super) fn local_array(&mut self, body: &mut Body) {
        body.array = true;
        body.line(format_args!(
            "%array = alloca [{LOCAL_WORDS} x i32], align 16"
        ));
        for word in 0..LOCAL_WORDS {
            let value = self.operand(body, Kind::I32);
            let value = body.value(format_args!("add i32 {value}, {}", word * 0x9e37));
            let at = body.value(format_args!("getelementptr i32, ptr %array, i64 {word}"));
            body.line(format_args!("store i32 {value}, ptr {at}, align 4"));
        }
    }

    fn local_element(&mut self, body: &mut Body) -> String {
        let index = self.operand(body, Kind::I32);
        let index = body.value(format_args!("and i32 {index}, {}", LOCAL_WORDS - 1));
        let index = body.value(format_args!("zext i32 {index} to i64"));
        body.value(format_args!("getelementptr i32, ptr %array, i64 {index}"))
    }

    fn local_access(&mut self, body: &mut Body) {
        let at = self.local_element(body);
        if self.once_in(2) {
            let value = self.operand(body, Kind::I32);
            body.line(format_args!("store i32 {value}, ptr {at}, align 4"));
        }
        let at = self.local_element(body);
        let value = body.value(format_args!("load i32, ptr {at}, align 4"));
        self.mix_in(body, Kind::I32, &value);
    }

    /// Every thread writes its own words of shared memory and reads another's.
    fn exchange(&mut self, body: &mut Body) {
        let value = self.operand(body, Kind::I32);
        let (word, distance) = (self.below(SHARED_WORDS.into()), 1 + self.below(31));
        let barrier = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)";
        let own = self.shared_element(body, "%tid", word);
        body.line(format_args!(
            "store i32 {value}, ptr addrspace(3) {own}, align 4"
        ));
        body.line(format_args!("{barrier}"));
        let other = body.value(format_args!("add i32 %tid, {distance}"));
        let other = body.value(format_args!("urem i32 {other}, %threads"));
        let other = self.shared_element(body, &other, word);
        let value = body.value(format_args!("load i32, ptr addrspace(3) {other}, align 4"));
        body.line(format_args!("{barrier}"));
        self.mix_in(body, Kind::I32, &value);
    }

    fn shared_element(&mut self, body: &mut Body, thread: &str, word: u64) -> String {
        let index = body.value(format_args!("mul i32 {thread}, {SHARED_WORDS}"));
        let index = body.value(format_args!("add i32 {index}, {word}"));
        body.value(format_args!(
            "getelementptr i32, ptr addrspace(3) @shared, i32 {index}"
        ))
    }

    /// A shuffle or a vote of the whole warp.
    fn warp(&mut self, body: &mut Body) {
        if self.once_in(2) {
            let (mode, clamp) = self.pick(&[("bfly", 31), ("idx", 31), ("up", 0), ("down", 31)]);
            let value = self.operand(body, Kind::I32);
            let lane = self.operand(body, Kind::I32);
            let lane = body.value(format_args!("and i32 {lane}, 31"));
            let lane = match self.once_in(2) {
                true => lane,
                false => (1 + self.below(31)).to_string(),
            };
            let value = body.value(format_args!(
                "call i32 @llvm.nvvm.shfl.sync.{mode}.i32(i32 -1, i32 {value}, i32 {lane}, i32 {clamp})"
            ));
            self.mix_in(body, Kind::I32, &value);
        } else {
            let asked = self.operand(body, Kind::I1);
            let (mode, kind) = self.pick(&[
                ("ballot", Kind::I32),
                ("ballot", Kind::I32),
                ("any", Kind::I1),
                ("all", Kind::I1),
            ]);
            let value = body.value(format_args!(
                "call {kind} @llvm.nvvm.vote.{mode}.sync(i32 -1, i1 {asked})"
            ));
            self.mix_in(body, kind, &value);
        }
    }

    /// Four new variables from the input.
    pub(super) fn load_vector(&mut self, body: &mut Body) {
        for word in self.vector(body) {
            body.variables.push(Variable::new(Kind::I32, word));
        }
    }

    fn load_again(&mut self, body: &mut Body) {
        for word in self.vector(body) {
            self.mix_in(body, Kind::I32, &word);
        }
    }

    /// Four words of the input, from a place that depends on the thread.
    fn vector(&mut self, body: &mut Body) -> [String; 4] {
        let index = self.operand(body, Kind::I32);
        let factor = self.below(1 << 20) | 1;
        let index = body.value(format_args!("mul i32 {index}, {factor}"));
        let index = body.value(format_args!("add i32 {index}, %global"));
        let index = body.value(format_args!("and i32 {index}, {}", IN_BYTES / 16 - 1));
        let index = body.value(format_args!("zext i32 {index} to i64"));
        let index = body.value(format_args!("shl i64 {index}, 4"));
        let at = body.value(format_args!("getelementptr i8, ptr %in, i64 {index}"));
        let vector = body.value(format_args!("load <4 x i32>, ptr {at}, align 16"));
        [0, 1, 2, 3].map(|n| body.value(format_args!("extractelement <4 x i32> {vector}, i32 {n}")))
    }

    /// Stores all variables to the thread's part of the output, integers by fours.
    pub(super) fn store_all(&mut self, body: &mut Body) {
        let variables = body.variables.clone();
        let mut offset = 0;
        let mut store = |body: &mut Body, kind: &str, bytes: u32, value: &str| {
            let at = body.value(format_args!("getelementptr i8, ptr %own, i64 {offset}"));
            body.line(format_args!(
                "store {kind} {value}, ptr {at}, align {bytes}"
            ));
            offset += bytes;
            assert!(offset <= OUT_BYTES, "the output is too small");
        };
        let of_kind = |kind: Kind| {
            let values = variables.iter().filter(move |v| v.kind == kind);
            values.map(|v| v.value.as_str()).collect::<Vec<_>>()
        };
        let words = of_kind(Kind::I32);
        for four in words.chunks_exact(4) {
            let mut vector = "poison".to_owned();
            for (n, word) in four.iter().enumerate() {
                vector = body.value(format_args!(
                    "insertelement <4 x i32> {vector}, i32 {word}, i32 {n}"
                ));
            }
            store(body, "<4 x i32>", 16, &vector);
        }
        for kind in [Kind::I64, Kind::F64] {
            for value in of_kind(kind) {
                store(body, &kind.to_string(), 8, value);
            }
        }
        for word in words.chunks_exact(4).remainder() {
            store(body, "i32", 4, word);
        }
        for value in of_kind(Kind::F32) {
            store(body, "float", 4, value);
        }
        for value in of_kind(Kind::I16) {
            store(body, "i16", 2, value);
        }
        for value in of_kind(Kind::I1) {
            let byte = body.value(format_args!("zext i1 {value} to i8"));
            store(body, "i8", 1, &byte);
        }
    }
}
