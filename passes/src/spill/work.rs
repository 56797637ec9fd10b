//! The function that rounds of colouring work on: the caller's, with the spill code made
//! so far, and what is needed to tell the two apart.

use super::cost::{COMPUTATION, FOLDED, MOVE, PACKING, RematerialisationCost};
use super::fold::{can_fold, fold_flag};
use super::gaps::{Code, GapFinder, Gaps};
use super::landing::{arrivals, can_be_stored};
use super::pieces::Pieces;
use super::provenance::Provenance;
use super::rematerialisation::{Rematerialisation, Rematerialisations};
use super::rematerialisation_table::RematerialisationTable;
use super::rewrite::rewrite;
use super::state::{ReloadSource, SpillState};
use crate::allocation::{Created, SlotData};
use crate::analysis::in_flight::values_in_flight;
use crate::analysis::liveness::Liveness;
use crate::analysis::loops::LoopNest;
use crate::function::{
    Function, Instruction, InstructionKind, Operand, VirtualRegister, VirtualRegisterData,
};
use crate::machine::{Class, Machine};
use crate::settings::ReloadCost;
use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The function with the spill code made so far.
#[derive(Clone, Debug)]
pub struct Work {
    /// The caller's virtual registers, then the created ones.
    pub function: Function,
    /// What of it the caller knows.
    pub provenance: Provenance,
    /// What is spilled.
    pub state: SpillState,
    /// How values can be rematerialised.
    pub rematerialisations: RematerialisationTable,
    /// By which of the caller's values a GPU's warp finds its way.
    pub steers: Rc<SecondaryMap<VirtualRegister, bool>>,
    /// What a reload costs.
    pub reload_cost: ReloadCost,
    /// The classes of what is never in memory.
    bits: Vec<Class>,
    /// The function's loops.
    pub loops: Loops,
}

/// The loops of a function, found when somebody asks first. Spilling leaves its blocks as
/// they are, so all that comes of one function shares them.
pub type Loops = Rc<OnceCell<LoopNest>>;

/// A value to spill.
#[derive(Clone, Debug, PartialEq)]
pub struct Spilled {
    /// Which.
    pub value: VirtualRegister,
    /// What of it stays in registers; without, it has one at each access only.
    pub pieces: Option<Pieces>,
}

impl Spilled {
    /// A value that is to be in memory all the time.
    pub fn everywhere(value: VirtualRegister) -> Self {
        let pieces = None;
        Self { value, pieces }
    }

    /// Whether the value only moves from register to register.
    fn is_moved(&self) -> bool {
        self.pieces.as_ref().is_some_and(Pieces::are_in_registers)
    }
}

/// What an instruction of spill code does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accessed {
    /// The register that it gets or puts away.
    pub value: VirtualRegister,
    /// Where from, or where to.
    pub source: ReloadSource,
    /// Which of the two.
    pub code: Code,
}

impl Accessed {
    /// What an instruction does, if it is spill code.
    pub fn new(function: &Function, instruction: Instruction) -> Option<Self> {
        let operands = function.instruction_operands(instruction);
        let register = |index: usize| operands.get(index).and_then(Operand::virtual_register);
        let (value, source, code) = match function.instructions[instruction].kind {
            InstructionKind::Store(slot) => (register(0)?, ReloadSource::Slot(slot), Code::Store),
            InstructionKind::Reload(slot) => (register(0)?, ReloadSource::Slot(slot), Code::Load),
            InstructionKind::Rematerialise(from) => (
                register(0)?,
                ReloadSource::Rematerialisation(from),
                Code::Load,
            ),
            InstructionKind::Widen => (
                register(1)?,
                ReloadSource::Register(register(0)?),
                Code::Store,
            ),
            InstructionKind::Narrow => (
                register(0)?,
                ReloadSource::Register(register(1)?),
                Code::Load,
            ),
            InstructionKind::Plain | InstructionKind::Copy | InstructionKind::Move => return None,
        };
        Some(Self {
            value,
            source,
            code,
        })
    }
}

impl Work {
    /// The caller's function, before any spilling. `rematerialisations` says how values can
    /// be rematerialised, `computation_scale` by how much that counts more than by default.
    pub fn new(
        function: &Function,
        machine: &Machine,
        rematerialisations: Rematerialisations,
        computation_scale: f64,
    ) -> Self {
        let mut function = function.clone();
        pin_terminator_definitions(&mut function);
        for arrival in arrivals(&function, machine) {
            if !can_be_stored(&function, &arrival) {
                function.virtual_registers[arrival.value].spillable = false;
            }
        }
        let classes = machine.classes.iter();
        let bits = classes.filter(|(_, data)| data.spill_size == 0);
        Self {
            provenance: Provenance::new(&function),
            state: SpillState::default(),
            rematerialisations: RematerialisationTable::new(
                &function,
                machine,
                rematerialisations,
                computation_scale,
            ),
            steers: Rc::default(),
            reload_cost: ReloadCost::ACCESS,
            bits: bits.map(|(class, _)| class).collect(),
            loops: Loops::default(),
            function,
        }
    }

    /// The function's loops.
    pub fn loops(&self) -> &LoopNest {
        self.loops.get_or_init(|| LoopNest::new(&self.function))
    }

    /// What it costs to rematerialise a value, if it can be.
    pub fn rematerialisation_cost(&self, value: VirtualRegister) -> Option<RematerialisationCost> {
        let rematerialisation = self.future_rematerialisation(value)?;
        Some(self.rematerialisations.cost(rematerialisation))
    }

    /// Whether a warp would not find its way together if the value came from memory.
    pub fn steers(&self, value: VirtualRegister) -> bool {
        self.steers[self.provenance.origin(value)] && self.rematerialisation_cost(value).is_none()
    }

    /// Whether an instruction can access a value in memory, once that is spilled.
    pub fn can_fold(&self, instruction: Instruction, value: VirtualRegister) -> bool {
        let rematerialisation = self.future_rematerialisation(value);
        let flag = fold_flag(rematerialisation.is_some());
        can_fold(&self.function, instruction, value, flag)
            && !rematerialisation.is_some_and(|one| one.has_sources())
    }

    /// How a value is rematerialised once it is spilled, if it is: what comes from
    /// somewhere already goes on to.
    fn future_rematerialisation(&self, value: VirtualRegister) -> Option<&Rc<Rematerialisation>> {
        match self.known_source(value) {
            Some(ReloadSource::Rematerialisation(_)) | None => self.rematerialisation(value),
            Some(ReloadSource::Slot(_) | ReloadSource::Register(_)) => None,
        }
    }

    /// How a value is rematerialised, if that is possible now.
    fn rematerialisation(&self, value: VirtualRegister) -> Option<&Rc<Rematerialisation>> {
        let table = &self.rematerialisations;
        table.possible(&self.function, &self.state, value)
    }

    /// Number of values that live in memory.
    pub fn spilled(&self) -> u32 {
        self.state.slots.len() as u32
    }

    /// Whether all values have kept their registers.
    pub fn is_unspilled(&self) -> bool {
        self.state.is_empty()
    }

    /// What the stores and reloads and what is computed cost, for each execution of
    /// the function: an access to memory counts one.
    pub fn accesses(&self) -> f64 {
        let mut sum = 0.0;
        for (block, data) in &self.function.blocks {
            let instructions = self.function.block_instructions(block);
            let costs = instructions.map(|one| match self.function.instructions[one].kind {
                InstructionKind::Store(_) | InstructionKind::Reload(_) => 1.0,
                InstructionKind::Rematerialise(from) => self.rematerialisations.cost_of_step(from),
                InstructionKind::Widen if self.is_packed(one) => {
                    self.rematerialisations.scaled(PACKING)
                }
                InstructionKind::Widen | InstructionKind::Narrow => {
                    self.rematerialisations.scaled(COMPUTATION)
                }
                // As a copy, which costs nothing here either, it is there to be joined.
                InstructionKind::Move if self.function.is_moved_to_class(one) => 0.0,
                InstructionKind::Move => MOVE,
                InstructionKind::Plain | InstructionKind::Copy => {
                    FOLDED * self.accesses_in_memory(one)
                }
            });
            sum += data.frequency * costs.sum::<f64>();
        }
        sum
    }

    /// What the accesses of an instruction to memory would cost as code of their own: each
    /// operand in a slot, and a load once.
    fn accesses_in_memory(&self, instruction: Instruction) -> f64 {
        let operands = self.function.instruction_operands(instruction);
        let slots = operands.iter().filter(|one| one.slot().is_some()).count();
        let load = operands.iter().find_map(Operand::load);
        let load = load.map(|from| self.rematerialisations.cost_of_step(from));
        slots as f64 + load.unwrap_or(0.0)
    }

    /// Whether an instruction puts a predicate into a bit.
    fn is_packed(&self, widening: Instruction) -> bool {
        let operands = self.function.instruction_operands(widening);
        let to = operands.first().and_then(Operand::virtual_register);
        to.is_some_and(|to| {
            self.bits
                .contains(&self.function.virtual_registers[to].class)
        })
    }

    /// Spills some values: gives each a slot, or a spill register, and the function its code.
    /// Of what others among them are rematerialised stays in its register; says whether
    /// there was none of that.
    pub fn spill(&mut self, machine: &Machine, mut spilled: Vec<Spilled>) -> bool {
        let partly = self.keep_in_flight(machine, &mut spilled);
        let before = spilled.len();
        let needed = self.needed(&spilled);
        spilled.retain(|one| !needed.contains(&one.value));
        self.limit_splits(&mut spilled);
        let is_carried = |function: &Function, value| {
            let class = function.virtual_registers[value].class;
            machine.classes[class].spill_through.is_some()
        };
        let known: Vec<_> = spilled
            .iter()
            .map(|one| self.known_source(one.value))
            .collect();
        // Spill registers first: what is spilled together with its spill register needs
        // another, which does not hold what pieces of the value expect to find.
        for carried in [false, true] {
            for (one, known) in spilled.iter_mut().zip(&known) {
                if is_carried(&self.function, one.value) != carried {
                    continue;
                }
                if one.is_moved() {
                    self.state.is_moved[one.value] = true;
                    continue;
                }
                let Spilled { value, pieces } = one;
                let source = self.source(machine, *value);
                self.state.source_of[*value] = Some(source);
                if known.is_some_and(|known| known != source) {
                    *pieces = None;
                }
                if let (None, Some(gaps)) = (&pieces, partly.get(value)) {
                    let in_memory = gaps.held.values().map(|held| !held).collect();
                    let rematerialisation = matches!(source, ReloadSource::Rematerialisation(_));
                    let mut last = Pieces::new(gaps, &in_memory, rematerialisation);
                    last.last = true;
                    *pieces = Some(last);
                }
                if let (ReloadSource::Slot(slot), Some(pieces)) = (source, pieces) {
                    self.state.slots[slot].outdated |= pieces.stale;
                }
            }
        }
        for piece in rewrite(self, machine, &spilled) {
            self.function.virtual_registers[piece].spillable = false;
        }
        spilled.len() == before
    }

    /// The gaps of values that are in flight somewhere: these can be in memory where they
    /// are not. One that cannot leave its register at all is never spilled again, and
    /// taken out.
    fn keep_in_flight(
        &mut self,
        machine: &Machine,
        spilled: &mut Vec<Spilled>,
    ) -> BTreeMap<VirtualRegister, Gaps> {
        let in_flight = values_in_flight(&self.function);
        let mut wanted = SecondaryMap::new();
        for one in spilled.iter().filter(|one| in_flight[one.value]) {
            wanted[one.value] = true;
        }
        let mut partly = BTreeMap::new();
        if !spilled.iter().any(|one| wanted[one.value]) {
            return partly;
        }
        let liveness = Liveness::new(&self.function, machine);
        let mut finder = GapFinder::new(self, &liveness, &wanted);
        for one in spilled.iter().filter(|one| wanted[one.value]) {
            let gaps = finder.gaps(one.value);
            if let Some(gaps) = gaps.filter(|gaps| gaps.held.values().any(|held| !held)) {
                partly.insert(one.value, gaps);
            }
        }
        spilled.retain(|one| {
            let stays = wanted[one.value] && !partly.contains_key(&one.value);
            if stays {
                self.function.virtual_registers[one.value].spillable = false;
            }
            !stays
        });
        partly
    }

    /// What is in pieces beyond the limit is spilled everywhere.
    fn limit_splits(&mut self, spilled: &mut [Spilled]) {
        for one in spilled.iter_mut().filter(|one| one.pieces.is_some()) {
            if !self.state.take_split() {
                one.pieces = None;
            }
        }
    }

    /// Values that are too many to keep what they could be computed of in registers: they
    /// go to memory like any other.
    pub fn forget_chains(&mut self, values: &[VirtualRegister]) {
        for &value in values {
            for one in [value, self.provenance.whole(value)] {
                self.rematerialisations.forget_chain(one);
            }
        }
    }

    /// Of what values to be spilled will be computed.
    fn needed(&self, spilled: &[Spilled]) -> BTreeSet<VirtualRegister> {
        let rematerialisations = spilled
            .iter()
            .filter(|one| !one.is_moved())
            .filter_map(|one| self.future_rematerialisation(one.value));
        rematerialisations
            .flat_map(|rematerialisation| rematerialisation.sources())
            .collect()
    }

    /// What an instruction does to a value, if it is spill code of that value itself.
    pub fn spill_code(&self, instruction: Instruction, value: VirtualRegister) -> Option<Code> {
        let accessed = Accessed::new(&self.function, instruction)?;
        let own = self.known_source(value) == Some(accessed.source);
        (own && accessed.value == value).then_some(accessed.code)
    }

    /// Where the value comes from of which this is a piece, if that is spilled and still can
    /// come from there: nobody knows where a spilled spill register is, or what a
    /// rematerialisation takes, once that is spilled.
    fn known_source(&self, value: VirtualRegister) -> Option<ReloadSource> {
        let whole = self.provenance.whole(value);
        self.state.source_of[whole].filter(|source| match *source {
            ReloadSource::Slot(_) => true,
            ReloadSource::Register(spill_register) => self.state.is_in_place(spill_register),
            ReloadSource::Rematerialisation(_) => self.rematerialisation(whole).is_some(),
        })
    }

    /// Where a value to be spilled will come from: a piece of a value from where the
    /// others come.
    fn source(&mut self, machine: &Machine, value: VirtualRegister) -> ReloadSource {
        if let Some(source) = self.known_source(value) {
            return source;
        }
        self.provenance.part_from_whole(value);
        if let Some(rematerialisation) = self.rematerialisation(value).cloned() {
            let definition = rematerialisation.definition();
            for source in rematerialisation.sources() {
                self.rematerialisations.add_source(source);
            }
            return ReloadSource::Rematerialisation(definition);
        }
        let data = &machine.classes[self.function.virtual_registers[value].class];
        if let Some(class) = data.spill_through {
            return ReloadSource::Register(self.spill_register(value, class));
        }
        ReloadSource::Slot(self.state.slots.push(SlotData {
            size: data.spill_size,
            alignment: data.spill_alignment,
            outdated: false,
            lanes: 1,
            column: None,
        }))
    }

    /// A register that carries a value of a class that has no place in memory.
    fn spill_register(&mut self, value: VirtualRegister, class: Class) -> VirtualRegister {
        let origin = self.provenance.origin(value);
        let data = VirtualRegisterData {
            class,
            super_class: None,
            spillable: !self.bits.contains(&class),
            hints: SmallVec::new(),
        };
        let register = self.function.virtual_registers.push(data);
        self.provenance.created.push(Created {
            register,
            class,
            origin,
        });
        register
    }
}

/// No code can follow a terminator, so what it defines cannot be stored.
fn pin_terminator_definitions(function: &mut Function) {
    for data in function.blocks.values() {
        for index in data.first_terminator..data.instructions.end {
            let range = function.instructions[Instruction::from_u32(index)]
                .operands
                .clone();
            let operands = &function.operands.as_values_slice();
            for operand in &operands[range.start as usize..range.end as usize] {
                if operand.is_definition()
                    && let Some(value) = operand.virtual_register()
                {
                    function.virtual_registers[value].spillable = false;
                }
            }
        }
    }
}
