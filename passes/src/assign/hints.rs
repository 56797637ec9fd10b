//! Preferred registers: those that turn a copy into nothing, those that spare ptxas
//! one because the values of a tuple lie side by side, and those that an operand leaves to a
//! result ([`crate::analysis::in_place`]).
//!
//! Biased colouring (Briggs): a node asks for the register its copies' other ends
//! have; if such an end has none yet, for what that end's own fixed copies ask.
//! Afterwards [`mend_copies`] moves one end of a remaining copy, or both, where
//! that saves more copies than it costs. Time: copies x registers of a class.

use super::colouring::{Assignments, Colouring};
use super::groups::Member;
use super::problem::{End, Problem};
use crate::analysis::tuples::{moves, votes};
use crate::function::{OperandRegister, VirtualRegister};
use crate::machine::{Register, SubRegisterIndex};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use smallvec::SmallVec;

/// Weight of a hint that the target gives, in executions.
const TARGET_HINT: f64 = 1e-3;
/// Weight of the register that an operand leaves to a result, in executions: less than all
/// that saves a move.
const IN_PLACE: f64 = 1e-6;
/// A wish passed on through an uncoloured partner counts half.
const SECOND_HAND: f64 = 0.5;
/// Sweeps over the copies that remain.
const SWEEPS: u32 = 3;

/// A copy seen from one of its ends.
#[derive(Clone, Copy)]
struct Wish {
    /// The part of this value that the copy touches.
    part: SubRegisterIndex,
    /// The other end.
    other: End,
    weight: f64,
}

/// All wishes, by value.
pub struct Hints {
    wishes: PrimaryMap<VirtualRegister, SmallVec<[Wish; 1]>>,
    /// The fixed registers that each value's copies ask for, with their weights.
    fixed: PrimaryMap<VirtualRegister, SmallVec<[(Register, f64); 1]>>,
    /// Any does.
    has_fixed: bool,
}

impl Hints {
    /// Collects the wishes of all copies, of results and operands, and the target's own hints.
    pub fn new(problem: &Problem) -> Self {
        let registers = &problem.function.virtual_registers;
        let mut wishes: PrimaryMap<VirtualRegister, SmallVec<[Wish; 1]>> =
            registers.keys().map(|_| SmallVec::new()).collect();
        let mut wish = |ends: [End; 2], weight| {
            for (end, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                if let OperandRegister::Virtual(value) = end.register {
                    wishes[value].push(Wish {
                        part: end.part,
                        other,
                        weight,
                    });
                }
            }
        };
        for copy in &problem.copies {
            wish([copy.to, copy.from], copy.weight);
        }
        for (value, data) in registers {
            for &register in &data.hints {
                let hinted = OperandRegister::Physical(register);
                wish(
                    [OperandRegister::Virtual(value), hinted].map(whole_end),
                    TARGET_HINT,
                );
            }
        }
        for &(operand, result) in &problem.in_place {
            let values = [operand, result].map(OperandRegister::Virtual);
            wish(values.map(whole_end), IN_PLACE);
        }
        let fixed = wishes.values().map(|wishes| fixed_registers(wishes));
        let fixed: PrimaryMap<VirtualRegister, SmallVec<_>> = fixed.collect();
        Self {
            has_fixed: fixed.values().any(|registers| !registers.is_empty()),
            fixed,
            wishes,
        }
    }

    /// Whether any value's copies ask for fixed registers.
    pub fn has_fixed(&self) -> bool {
        self.has_fixed
    }

    /// The fixed registers that a value's copies ask for, with their weights.
    pub fn fixed(&self, value: VirtualRegister) -> &[(Register, f64)] {
        &self.fixed[value]
    }

    /// The registers that the group would like, the most wanted first.
    pub fn wanted(
        &self,
        problem: &Problem,
        colouring: &Colouring,
        root: VirtualRegister,
        members: &[Member],
    ) -> SmallVec<[Register; 4]> {
        let mut scores: SmallVec<[(Register, f64); 4]> = SmallVec::new();
        let mut add = |register: Option<Register>, weight: f64| {
            let Some(register) = register else { return };
            match scores.iter_mut().find(|(known, _)| *known == register) {
                Some((_, score)) => *score += weight,
                None => scores.push((register, weight)),
            }
        };
        for &(value, own) in members {
            for wish in &self.wishes[value] {
                let Some(part) = combine(own, wish.part) else {
                    continue;
                };
                match place(problem, colouring, wish.other) {
                    Some(target) => add(whole(problem, root, target, part), wish.weight),
                    None => {
                        for (target, weight) in self.second_hand(problem, wish.other) {
                            let weight = weight.min(wish.weight) * SECOND_HAND;
                            add(whole(problem, root, target, part), weight);
                        }
                    }
                }
            }
        }
        for (register, weight) in in_tuples(problem, colouring, root, members) {
            add(Some(register), weight);
        }
        scores.sort_by(|a, b| b.1.total_cmp(&a.1));
        scores.into_iter().map(|(register, _)| register).collect()
    }

    /// The fixed registers that an uncoloured value's copies ask for.
    fn second_hand<'a>(
        &'a self,
        problem: &'a Problem,
        end: End,
    ) -> impl Iterator<Item = (Register, f64)> + use<'a> {
        let value = match end.register {
            OperandRegister::Virtual(value) if end.part.is_whole() => Some(value),
            _ => None,
        };
        let members = value.map(|value| problem.groups.members(problem.groups.find(value).0));
        let members = members.unwrap_or_default().iter();
        members.flat_map(|&(value, _)| self.fixed[value].iter().copied())
    }

    /// The weight of a value's copies that remain in these registers.
    pub fn kept(
        &self,
        problem: &Problem,
        value: VirtualRegister,
        register_of: impl Fn(VirtualRegister) -> Option<Register>,
    ) -> f64 {
        let part = |end: End| {
            let register = match end.register {
                OperandRegister::Physical(register) => Some(register),
                OperandRegister::Virtual(value) => register_of(value),
                OperandRegister::Slot(_) | OperandRegister::Loaded(_) => None,
            };
            problem.machine.part(register?, end.part)
        };
        let register = OperandRegister::Virtual(value);
        let kept = self.wishes[value].iter().filter(|wish| {
            let own = End {
                register,
                part: wish.part,
            };
            part(own) != part(wish.other)
        });
        kept.map(|wish| wish.weight).sum()
    }

    /// The weight of the group's copies that `register` would turn into nothing.
    fn saved(
        &self,
        problem: &Problem,
        colouring: &Colouring,
        members: &[Member],
        register: Register,
    ) -> f64 {
        let machine = problem.machine;
        let mut saved = 0.0;
        for &(value, own) in members {
            for wish in &self.wishes[value] {
                if let Some(part) = combine(own, wish.part)
                    && let Some(target) = place(problem, colouring, wish.other)
                    && machine.part(register, part) == Some(target)
                {
                    saved += wish.weight;
                }
            }
        }
        saved - tuple_moves(problem, colouring, members, register)
    }
}

/// All of a register as an end.
fn whole_end(register: OperandRegister) -> End {
    End {
        register,
        part: SubRegisterIndex::WHOLE,
    }
}

/// The registers in which members of a group lie beside the other values of their
/// tuples, as far as these have registers.
fn in_tuples(
    problem: &Problem,
    colouring: &Colouring,
    root: VirtualRegister,
    members: &[Member],
) -> SmallVec<[(Register, f64); 4]> {
    let mut found = SmallVec::new();
    let tuples = &problem.tuples;
    let register_of = |value| {
        let is_other = problem.groups.find(value).0 != root;
        colouring.register(value).filter(|_| is_other)
    };
    for &(value, part) in members.iter().filter(|_| !tuples.is_empty()) {
        for &mention in tuples.mentions(value).iter().filter(|_| part.is_whole()) {
            let tuple = &problem.function.tuples[mention.tuple as usize];
            let votes = votes(problem.function, problem.machine, tuple, register_of);
            let best = votes.first();
            let register = best.and_then(|&(base, _)| {
                let class = problem.class[root];
                tuples.register(class, mention, base)
            });
            found.extend(register.map(|register| (register, tuples.weight(mention.tuple))));
        }
    }
    found
}

/// The executions of the moves that the tuples of a group's members need, if the group
/// has this register.
fn tuple_moves(
    problem: &Problem,
    colouring: &Colouring,
    members: &[Member],
    register: Register,
) -> f64 {
    let tuples = &problem.tuples;
    let mut sum = 0.0;
    let register_of = |value| match members.iter().find(|(member, _)| *member == value) {
        Some(&(_, part)) => problem.machine.part(register, part),
        None => colouring.register(value),
    };
    for &(value, _) in members.iter().filter(|_| !tuples.is_empty()) {
        for mention in tuples.mentions(value) {
            let tuple = &problem.function.tuples[mention.tuple as usize];
            let moves = moves(problem.function, problem.machine, tuple, register_of);
            sum += f64::from(moves) * tuples.weight(mention.tuple);
        }
    }
    sum
}

/// What copies of a whole value to or from physical registers ask for.
fn fixed_registers(wishes: &[Wish]) -> SmallVec<[(Register, f64); 1]> {
    let fixed = wishes.iter().filter(|wish| wish.part.is_whole());
    fixed
        .filter_map(|wish| match wish.other.register {
            OperandRegister::Physical(register) => Some((register, wish.weight)),
            OperandRegister::Virtual(_) | OperandRegister::Slot(_) | OperandRegister::Loaded(_) => {
                None
            }
        })
        .collect()
}

/// The part of a part; None if both are proper parts.
fn combine(outer: SubRegisterIndex, inner: SubRegisterIndex) -> Option<SubRegisterIndex> {
    match (outer.is_whole(), inner.is_whole()) {
        (_, true) => Some(outer),
        (true, false) => Some(inner),
        (false, false) => None,
    }
}

/// The register at one end of a copy, as far as it is known.
fn place(problem: &Problem, colouring: &Colouring, end: End) -> Option<Register> {
    let register = match end.register {
        OperandRegister::Physical(register) => register,
        OperandRegister::Virtual(value) => colouring.register(value)?,
        OperandRegister::Slot(_) | OperandRegister::Loaded(_) => return None,
    };
    problem.machine.part(register, end.part)
}

/// The register of the root's class whose part is the target.
fn whole(
    problem: &Problem,
    root: VirtualRegister,
    target: Register,
    part: SubRegisterIndex,
) -> Option<Register> {
    if part.is_whole() {
        return Some(target);
    }
    let order = &problem.machine.classes[problem.class[root]].order;
    let has_part = |&register: &Register| problem.machine.part(register, part) == Some(target);
    order.iter().copied().find(has_part)
}

/// Moves the ends of copies that select left between different registers.
pub fn mend_copies(problem: &Problem, state: &mut impl Assignments, hints: &Hints) {
    // How many ends had been moved when a group was last looked at in vain: until there
    // are more it is no use to look again.
    let mut in_vain: SecondaryMap<VirtualRegister, Option<u32>> = SecondaryMap::new();
    let mut moved = 0;
    for _ in 0..SWEEPS {
        let before = moved;
        for copy in &problem.copies {
            let (to, from) = (
                place(problem, state.colouring(), copy.to),
                place(problem, state.colouring(), copy.from),
            );
            if to == from || to.is_none() || from.is_none() {
                continue;
            }
            for end in [copy.to, copy.from] {
                let OperandRegister::Virtual(value) = end.register else {
                    continue;
                };
                let (root, _) = problem.groups.find(value);
                if in_vain[root] == Some(moved) {
                    continue;
                }
                if move_group(problem, state, hints, root) {
                    moved += 1;
                    break;
                }
                in_vain[root] = Some(moved);
            }
        }
        if moved == before {
            return;
        }
    }
}

/// Moves a group to the register that saves most; false if it has that.
fn move_group(
    problem: &Problem,
    state: &mut impl Assignments,
    hints: &Hints,
    root: VirtualRegister,
) -> bool {
    let members = problem.groups.members(root);
    let colouring = state.colouring();
    let Some(current) = colouring.register(root) else {
        return false;
    };
    let together = members
        .iter()
        .all(|&(member, part)| colouring.register(member) == problem.machine.part(current, part));
    if !together {
        return false;
    }
    let mut best = (hints.saved(problem, colouring, members, current), current);
    let wanted = hints.wanted(problem, colouring, root, members);
    let surroundings = state.surroundings(members);
    for register in wanted {
        if register != current && state.is_free(register, &surroundings) {
            let colouring = state.colouring();
            let saved = hints.saved(problem, colouring, members, register);
            if saved > best.0 {
                best = (saved, register);
            }
        }
    }
    if best.1 != current {
        state.assign_group(members, best.1, problem.machine);
    }
    best.1 != current
}
