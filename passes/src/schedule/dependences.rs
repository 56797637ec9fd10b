//! What has to stay in order within a block.

use crate::function::{Block, Function, Instruction, VirtualRegister};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// An earlier instruction of a block, and a later one.
type Pair = (Instruction, Instruction);

/// Pairs of instructions of one block that have to stay in order for other reasons than
/// the registers they name: memory, barriers, calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependences {
    /// Sorted.
    pairs: Vec<Pair>,
    /// Sorted as well: what multiplies, and the number of the product that it is a half of.
    products: Vec<(Instruction, u32)>,
}

impl Dependences {
    /// The pairs in any order.
    ///
    /// # Errors
    /// The first pair whose instructions do not follow each other in one block.
    pub fn new(function: &Function, mut pairs: Vec<Pair>) -> Result<Self, Pair> {
        pairs.sort_unstable();
        pairs.dedup();
        let blocks = function.instruction_blocks();
        let block = |instruction: Instruction| blocks.get(instruction.as_u32() as usize);
        let wrong = |&&(first, second): &&Pair| {
            first >= second || block(second).is_none() || block(first) != block(second)
        };
        match pairs.iter().find(wrong) {
            Some(&wrong) => Err(wrong),
            None => Ok(Self {
                pairs,
                products: Vec::new(),
            }),
        }
    }

    /// The same, with the instructions that multiply, in order, each with the number of the
    /// product that it is a half of ([`fused`](super::fused)).
    pub fn with_products(self, products: Vec<(Instruction, u32)>) -> Self {
        Self { products, ..self }
    }

    /// All pairs, sorted.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The instructions that multiply.
    pub fn products(&self) -> &[(Instruction, u32)] {
        &self.products
    }

    /// Those of one block, numbered from its start.
    pub fn products_of_block(&self, function: &Function, block: Block) -> Vec<(u32, u32)> {
        let start = function.blocks[block].instructions.start;
        let products = of_block(&self.products, function, block).iter();
        products
            .map(|&(one, product)| (one.as_u32() - start, product))
            .collect()
    }

    /// The pairs of one block.
    fn of_block(&self, function: &Function, block: Block) -> &[Pair] {
        of_block(&self.pairs, function, block)
    }
}

/// Of what is sorted by instructions that of one block.
fn of_block<'a, T>(
    all: &'a [(Instruction, T)],
    function: &Function,
    block: Block,
) -> &'a [(Instruction, T)] {
    let range = &function.blocks[block].instructions;
    let at = |number: u32| all.partition_point(|one| one.0.as_u32() < number);
    &all[at(range.start)..at(range.end)]
}

/// The dependences of a block's instructions but its terminators, numbered from its
/// start.
pub struct BlockDependences {
    /// For each instruction those that have to stand before it, some repeatedly.
    pub before: Vec<SmallVec<[u32; 4]>>,
    /// For each instruction those whose results it reads.
    pub operands: Vec<SmallVec<[u32; 4]>>,
    /// For each instruction how many entries of `before` name it.
    pub behind: Vec<u32>,
}

impl BlockDependences {
    /// Collects those of registers, and adds the others. `held`: the fences and waits of
    /// the function, with the values that have to be in their registers there.
    pub fn new(
        function: &Function,
        block: Block,
        others: &Dependences,
        held: &[(Instruction, Vec<VirtualRegister>)],
    ) -> Self {
        let data = &function.blocks[block];
        let start = data.instructions.start;
        let count = (data.first_terminator - start) as usize;
        let mut found = Self {
            before: vec![SmallVec::new(); count],
            operands: vec![SmallVec::new(); count],
            behind: vec![0; count],
        };
        found.add_registers(function, start, held);
        for &(first, second) in others.of_block(function, block) {
            let second = (second.as_u32() - start) as usize;
            if second < count {
                found.before[second].push(first.as_u32() - start);
            }
        }
        for &one in found.before.iter().flatten() {
            found.behind[one as usize] += 1;
        }
        found
    }

    fn add_registers(
        &mut self,
        function: &Function,
        start: u32,
        held: &[(Instruction, Vec<VirtualRegister>)],
    ) {
        // A block names few of the function's values.
        let mut written: FxHashMap<VirtualRegister, u32> = FxHashMap::default();
        let mut read: FxHashMap<VirtualRegister, SmallVec<[u32; 4]>> = FxHashMap::default();
        let first = Instruction::from_u32(start);
        let mut held = held[held.partition_point(|(at, _)| *at < first)..]
            .iter()
            .peekable();
        for number in 0..self.before.len() {
            let instruction = Instruction::from_u32(start + number as u32);
            let operands = function.instruction_operands(instruction);
            let values = || {
                operands
                    .iter()
                    .filter_map(|one| Some((one, one.virtual_register()?)))
            };
            // No access to what is in flight passes the fence or the wait.
            let held = held.next_if(|(at, _)| *at == instruction);
            let held = || held.iter().flat_map(|(_, values)| values.iter().copied());
            for (operand, value) in values() {
                if let Some(&definition) = written.get(&value) {
                    self.before[number].push(definition);
                    if operand.reads() {
                        self.operands[number].push(definition);
                    }
                }
                if operand.is_definition() {
                    let readers = read.get(&value).into_iter().flatten();
                    self.before[number].extend(readers.copied());
                }
            }
            for value in held() {
                let earlier = read.get(&value).into_iter().flatten();
                let earlier = earlier.chain(written.get(&value));
                self.before[number].extend(earlier.copied());
            }
            let definitions = values().filter(|(operand, _)| operand.is_definition());
            for value in definitions.map(|(_, value)| value).chain(held()) {
                written.insert(value, number as u32);
                read.remove(&value);
            }
            for (operand, value) in values() {
                if !operand.is_definition() {
                    read.entry(value).or_default().push(number as u32);
                }
            }
            self.before[number].retain(|one| *one != number as u32);
        }
    }
}
