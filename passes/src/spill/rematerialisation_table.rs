//! Which values can be rematerialised now, and at what cost.
//!
//! [`super::rematerialisation`] says what the function allows; what spilling has done since
//! takes some of it away: a source that has left its register, or a chain that would
//! need another. Time: the steps of a rematerialisation.

use super::cost::{RematerialisationCost, computation};
use super::rematerialisation::{Rematerialisation, Rematerialisations};
use super::state::SpillState;
use crate::function::{Function, Instruction, VirtualRegister};
use crate::machine::{Class, Machine};
use cranelift_entity::SecondaryMap;
use std::rc::Rc;

/// The rematerialisations that are possible.
#[derive(Clone, Debug)]
pub struct RematerialisationTable {
    of_value: Rematerialisations,
    /// What repeating each of their instructions costs.
    computations: SecondaryMap<Instruction, f64>,
    /// By how much they count more than by default.
    scale: f64,
    /// What spilled values are computed of.
    feeds: SecondaryMap<VirtualRegister, bool>,
    /// The classes of what a warp shares.
    uniform: Vec<Class>,
}

impl RematerialisationTable {
    /// Those of a function of which nothing is spilled.
    pub fn new(
        function: &Function,
        machine: &Machine,
        of_value: Rematerialisations,
        scale: f64,
    ) -> Self {
        let mut computations = SecondaryMap::new();
        for step in of_value
            .values()
            .flatten()
            .flat_map(|rematerialisation| &rematerialisation.steps)
        {
            computations[step.instruction] = computation(function, step.instruction);
        }
        let classes = machine.classes.values();
        Self {
            of_value,
            computations,
            scale,
            feeds: SecondaryMap::new(),
            uniform: classes.filter_map(|one| one.uniform).collect(),
        }
    }

    /// How a value could be rematerialised before anything was spilled.
    pub fn get(&self, value: VirtualRegister) -> Option<&Rc<Rematerialisation>> {
        self.of_value[value].as_ref()
    }

    /// How a value is rematerialised, if that is possible now: all that it takes is in
    /// registers, and each step reads no more uniform ones than it can. Of what is itself
    /// computed of others nothing is computed any more: chains of chains would not end.
    pub fn possible(
        &self,
        function: &Function,
        state: &SpillState,
        value: VirtualRegister,
    ) -> Option<&Rc<Rematerialisation>> {
        let class = |one: VirtualRegister| function.virtual_registers[one].class;
        self.get(value).filter(|rematerialisation| {
            let is_there = |one| state.is_in_place(one);
            let is_uniform = |one: &&VirtualRegister| {
                !rematerialisation.computes(**one) && self.uniform.contains(&class(**one))
            };
            (!rematerialisation.has_sources() || !self.feeds[value])
                && rematerialisation.sources().all(is_there)
                && rematerialisation.steps.iter().all(|step| {
                    let uniform = step.reads.iter().filter(is_uniform).count();
                    uniform <= usize::from(step.reads_uniform)
                })
        })
    }

    /// What it costs to repeat one of the instructions.
    pub fn cost_of_step(&self, instruction: Instruction) -> f64 {
        self.scale * self.computations[instruction]
    }

    /// What another computation costs, beside these.
    pub fn scaled(&self, computation: f64) -> f64 {
        self.scale * computation
    }

    /// What a rematerialisation costs.
    pub fn cost(&self, rematerialisation: &Rematerialisation) -> RematerialisationCost {
        let steps = rematerialisation.steps.iter();
        let costs = steps.map(|step| self.cost_of_step(step.instruction));
        RematerialisationCost {
            all: costs.sum(),
            definition: self.cost_of_step(rematerialisation.definition()),
        }
    }

    /// Another value of the function can be rematerialised.
    pub fn add(
        &mut self,
        function: &Function,
        value: VirtualRegister,
        rematerialisation: &Rc<Rematerialisation>,
    ) {
        for step in &rematerialisation.steps {
            self.computations[step.instruction] = computation(function, step.instruction);
        }
        self.of_value[value] = Some(Rc::clone(rematerialisation));
    }

    /// A piece is rematerialised as its value is.
    pub fn add_piece(&mut self, piece: VirtualRegister, value: VirtualRegister) {
        self.of_value[piece] = self.of_value[value].clone();
    }

    /// A value that is spilled is computed of this one.
    pub fn add_source(&mut self, source: VirtualRegister) {
        self.feeds[source] = true;
    }

    /// A value is not computed of others any more.
    pub fn forget_chain(&mut self, value: VirtualRegister) {
        let chain = &mut self.of_value[value];
        chain.take_if(|rematerialisation| rematerialisation.has_sources());
    }
}
