//! The function before anything is spilled, and what the first round needs to know of it.
//!
//! Every candidate of the search, and every retry, begins with the same function: what is
//! found out about it is kept. Requires that it is asked with machines and settings that
//! differ in the number of registers and in whether chains are wanted alone. Time: that of
//! each analysis, once.

use super::before_calls::before_calls;
use super::constants_apart::constants_apart;
use super::retries::Foreseen;
use crate::analysis::steering::steering;
use crate::analysis::uniformity::Uniformity;
use crate::function::{Function, VirtualRegister};
use crate::machine::Machine;
use crate::settings::{Pass, Settings};
use crate::spill::rematerialisation::{Rematerialisations, wanted};
use crate::spill::rewrite::Moved;
use crate::spill::work::Loops;
use cranelift_entity::SecondaryMap;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// A function of which nothing is spilled yet.
pub struct Unspilled<'a> {
    /// The function.
    pub function: &'a Function,
    uniformity: OnceCell<Uniformity>,
    before_calls: OnceCell<Vec<Moved>>,
    constants_apart: OnceCell<Vec<Moved>>,
    steering: OnceCell<Rc<SecondaryMap<VirtualRegister, bool>>>,
    /// Its loops, once somebody asks.
    pub loops: Loops,
    /// What guidance was asked last, before anybody knew whether it would be followed.
    pub(super) foreseen: RefCell<Option<Foreseen<'a>>>,
    with_chains: OnceCell<Rematerialisations>,
    without_chains: OnceCell<Rematerialisations>,
}

impl<'a> Unspilled<'a> {
    /// Nothing is known yet.
    pub fn new(function: &'a Function) -> Self {
        Self {
            function,
            uniformity: OnceCell::new(),
            before_calls: OnceCell::new(),
            constants_apart: OnceCell::new(),
            steering: OnceCell::new(),
            loops: Loops::default(),
            foreseen: RefCell::new(None),
            with_chains: OnceCell::new(),
            without_chains: OnceCell::new(),
        }
    }

    /// Whether something is true of what guidance was asked last: the function with what it
    /// spills, and what that costs.
    pub fn is_foreseen(&self, is_true: impl FnOnce(&Function, f64) -> bool) -> bool {
        let foreseen = self.foreseen.borrow();
        foreseen.as_ref().is_some_and(|one| {
            let work = one.work();
            is_true(&work.function, work.accesses())
        })
    }

    /// Which values a warp shares.
    pub fn uniformity(&self) -> &Uniformity {
        let find = || Uniformity::new(self.function);
        self.uniformity.get_or_init(find)
    }

    /// Which values are moved before calls.
    pub fn before_calls(&self, machine: &Machine) -> &[Moved] {
        let find = || before_calls(self.function, machine);
        self.before_calls.get_or_init(find)
    }

    /// Which constants have another register than the values that they are at times.
    pub fn constants_apart(&self) -> &[Moved] {
        let find = || constants_apart(self.function);
        self.constants_apart.get_or_init(find)
    }

    /// By which values a warp finds its way.
    pub fn steering(&self) -> Rc<SecondaryMap<VirtualRegister, bool>> {
        let find = || Rc::new(steering(self.function, self.uniformity()));
        Rc::clone(self.steering.get_or_init(find))
    }

    /// How values can be rematerialised.
    pub fn rematerialisations(&self, settings: &Settings, machine: &Machine) -> Rematerialisations {
        let kept = match settings.runs(Pass::RematerialiseChains) {
            true => &self.with_chains,
            false => &self.without_chains,
        };
        let find = || wanted(settings, self.function, machine);
        kept.get_or_init(find).clone()
    }
}
