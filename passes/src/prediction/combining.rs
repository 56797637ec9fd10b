//! Values that ptxas has no register for, as their uses can do with what they are
//! computed of.
//!
//! An access adds a constant to its address, an addition multiplies one of its sources, an
//! instruction reads half a register or takes zeros for the upper half. And where a value
//! is only used far away, and what it is computed of is needed there anyway, ptxas
//! computes it there. Such a value is replaced by its source, in every use. Triton's
//! address arithmetic, done once before a loop in PTX, disappears in this way.
//!
//! Ensures that instructions keep their numbers; operands do not. Time: linear in the
//! operands and in what is live between blocks.

use super::def_use_chains::DefUseChains;
use super::meaning::{Form, Texts};
use crate::analysis::liveness::{Liveness, Variable};
use crate::function::{
    Block, Function, Instruction, InstructionKind, Operand, OperandRegister, VirtualRegister,
};
use crate::machine::Machine;
use cranelift_entity::{PrimaryMap, SecondaryMap};

/// The most uses at which a value is computed again.
const MOST_REPEATED: usize = 2;
/// The longest chain of values each of which is computed of the next.
const LONGEST_CHAIN: usize = 32;

/// The function without the values that are read from their sources.
pub fn combined(function: &Function, machine: &Machine, texts: &Texts) -> Function {
    let combining = Combining::new(function, machine, texts);
    let mut sources = Sources::new();
    for instruction in function.instructions.keys() {
        let Some(form) = texts.meanings[instruction].form else {
            continue;
        };
        let Some(source) = only_source(function, instruction) else {
            continue;
        };
        for result in results(function, instruction) {
            if combining.can_read(instruction, form, result, source) {
                sources[result] = Some(source);
            }
        }
    }
    replaced(function, &sources)
}

/// For each value that is read from another one, that one.
type Sources = SecondaryMap<VirtualRegister, Option<VirtualRegister>>;

fn only_source(function: &Function, instruction: Instruction) -> Option<VirtualRegister> {
    let operands = function.instruction_operands(instruction).iter();
    let mut read = operands.filter(|operand| operand.access == crate::function::Access::Use);
    let source = read.next()?.virtual_register()?;
    read.next().is_none().then_some(source)
}

/// What an instruction defines.
pub fn results(
    function: &Function,
    instruction: Instruction,
) -> impl Iterator<Item = VirtualRegister> {
    let operands = function.instruction_operands(instruction).iter();
    let definitions = operands.filter(|operand| operand.is_definition());
    definitions.filter_map(Operand::virtual_register)
}

/// What the function is known by.
struct Combining<'a> {
    texts: &'a Texts,
    chains: DefUseChains,
    /// Sorted.
    live_out: PrimaryMap<Block, Vec<VirtualRegister>>,
}

impl<'a> Combining<'a> {
    fn new(function: &Function, machine: &Machine, texts: &'a Texts) -> Self {
        let liveness = Liveness::new(function, machine);
        let live_out = function.blocks.keys().map(|block| {
            let live = liveness.live_out(block);
            let mut values: Vec<_> = live.filter_map(Variable::virtual_register).collect();
            values.sort_unstable();
            values
        });
        Self {
            texts,
            chains: DefUseChains::new(function),
            live_out: live_out.collect(),
        }
    }

    /// Whether all that use a result can read what it is computed of instead.
    fn can_read(
        &self,
        instruction: Instruction,
        form: Form,
        result: VirtualRegister,
        source: VirtualRegister,
    ) -> bool {
        let texts = self.texts;
        let uses = self.chains.uses(result);
        if !self.chains.is_constant(result)
            || uses.is_empty()
            || result == source
            || !self.stays(instruction, result, source)
        {
            return false;
        }
        let is_constant = self.chains.is_constant(source);
        let is_free = match form {
            Form::Sum => uses.iter().all(|&(_, operand)| texts.addresses[operand]),
            Form::Multiple => uses.iter().all(|&(user, _)| texts.meanings[user].adds),
            Form::ZeroExtension | Form::SignExtension | Form::Halves32 => true,
            Form::Halves64 => is_constant && self.chains.uses(source).len() > 1,
            Form::Cheap => false,
        };
        let is_repeatable = matches!(form, Form::Sum | Form::Multiple | Form::Cheap);
        is_free || is_repeatable && is_constant && self.is_repeated(instruction, result, source)
    }

    /// Whether the source is the same at all uses: it has one definition, or none between.
    fn stays(
        &self,
        instruction: Instruction,
        result: VirtualRegister,
        source: VirtualRegister,
    ) -> bool {
        let chains = &self.chains;
        if chains.is_constant(source) {
            return true;
        }
        let block = chains.block(instruction);
        let users = || chains.uses(result).iter().map(|&(user, _)| user);
        let last = users().max().unwrap_or(instruction);
        let mut between = chains.definitions(source).iter();
        users().all(|user| user > instruction && chains.block(user) == block)
            && !between.any(|definition| (instruction..last).contains(definition))
    }

    /// Whether a result is computed again at its uses, which are few and elsewhere, because
    /// the source is live there anyway.
    fn is_repeated(
        &self,
        instruction: Instruction,
        result: VirtualRegister,
        source: VirtualRegister,
    ) -> bool {
        let uses = self.chains.uses(result);
        let block = self.chains.block(instruction);
        uses.len() <= MOST_REPEATED
            && uses.iter().all(|&(user, _)| {
                let there = self.chains.block(user);
                there != block && self.live_out[there].binary_search(&source).is_ok()
            })
    }
}

/// The function in which uses name the sources, and what is left without a result reads
/// nothing.
fn replaced(function: &Function, sources: &Sources) -> Function {
    let end = |mut value: VirtualRegister| {
        for _ in 0..LONGEST_CHAIN {
            match sources[value] {
                Some(source) => value = source,
                None => break,
            }
        }
        value
    };
    let mut rest = function.clone();
    rest.tuples.clear();
    rest.operands.clear();
    for (instruction, data) in &mut rest.instructions {
        let begin = rest.operands.len() as u32;
        let mut all = results(function, instruction).peekable();
        let is_gone = all.peek().is_some() && all.all(|value| sources[value].is_some());
        for &operand in function.instruction_operands(instruction) {
            let register = match operand.virtual_register() {
                Some(_) if is_gone => continue,
                Some(value) if operand.is_definition() && sources[value].is_some() => continue,
                Some(value) if !operand.is_definition() => OperandRegister::Virtual(end(value)),
                _ => operand.register,
            };
            rest.operands.push(Operand {
                register,
                tied_to: None,
                ..operand
            });
        }
        data.operands = begin..rest.operands.len() as u32;
        if rest.operands.len() as u32 - begin
            < function.instruction_operands(instruction).len() as u32
        {
            data.kind = InstructionKind::Plain;
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::super::meaning::Meaning;
    use super::*;
    use crate::function::{FunctionBuilder, OperandIndex};
    use crate::machine::gpu;

    /// A base and a sum of it and a constant; what is done with the sum, in another block
    /// if `away`, at whose end the base is live if `needed`. Whether the sum is left.
    fn is_left(form: Form, address: bool, away: bool, needed: bool) -> bool {
        let mut builder = FunctionBuilder::new("f");
        let [base, sum] = [(); 2].map(|()| builder.virtual_register(gpu::SINGLE32));
        let mut block = builder.start_block(1.0, 0, &[]);
        builder.plain(&[Operand::write(base)]);
        let adds = builder.plain(&[Operand::write(sum), Operand::read(base)]);
        let mut next = |builder: &mut FunctionBuilder| {
            let before = std::mem::replace(&mut block, builder.start_block(1.0, 0, &[]));
            builder.edge(before, block);
        };
        if away {
            next(&mut builder);
        }
        let user = builder.plain(&[Operand::read(sum)]);
        if needed {
            next(&mut builder);
            builder.plain(&[Operand::read(base)]);
        }
        let function = builder.finish();
        let mut texts = Texts::default();
        texts.meanings[adds] = Meaning {
            form: Some(form),
            ..Meaning::default()
        };
        let number = function.instructions[user].operands.start;
        texts.addresses[OperandIndex::from_u32(number)] = address;
        let rest = combined(&function, &gpu::machine(gpu::R_SIZE), &texts);
        let mut operands = rest.operands.values();
        operands.any(|operand| operand.virtual_register() == Some(sum))
    }

    #[test]
    fn an_access_adds_a_constant_to_its_address() {
        assert!(!is_left(Form::Sum, true, false, false));
        assert!(is_left(Form::Sum, false, false, false));
        assert!(is_left(Form::Cheap, true, false, false));
    }

    #[test]
    fn what_is_used_far_away_is_computed_there() {
        assert!(!is_left(Form::Cheap, false, true, true));
        assert!(is_left(Form::Cheap, false, true, false));
        assert!(is_left(Form::Cheap, false, false, true));
    }

    #[test]
    fn halves_of_what_is_needed_whole_are_read_there() {
        assert!(!is_left(Form::Halves64, false, false, true));
        assert!(is_left(Form::Halves64, false, false, false));
    }

    #[test]
    fn a_source_that_changes_is_not_read_later() {
        for (changes, left) in [(false, false), (true, true)] {
            let mut builder = FunctionBuilder::new("f");
            let [base, sum] = [(); 2].map(|()| builder.virtual_register(gpu::SINGLE32));
            builder.start_block(1.0, 0, &[]);
            builder.plain(&[Operand::write(base)]);
            let adds = builder.plain(&[Operand::write(sum), Operand::read(base)]);
            if changes {
                builder.plain(&[Operand::write(base)]);
            }
            builder.plain(&[Operand::read(sum)]);
            builder.plain(&[Operand::write(base)]);
            builder.plain(&[Operand::read(base)]);
            let mut texts = Texts::default();
            texts.meanings[adds].form = Some(Form::ZeroExtension);
            let rest = combined(&builder.finish(), &gpu::machine(gpu::R_SIZE), &texts);
            let mut operands = rest.operands.values();
            let found = operands.any(|operand| operand.virtual_register() == Some(sum));
            assert_eq!(found, left);
        }
    }
}
