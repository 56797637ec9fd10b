//! Random work of tensor cores, which goes on while other statements are executed.

use super::code::Coder;
use passes::function::asynchronous::Asynchronous;
use passes::function::{InstructionFlags, Operand, OperandFlags, VirtualRegister};
use passes::machine::gpu;

/// The most values that one operation has in flight.
const MOST: usize = 4;

impl Coder<'_, '_> {
    /// A load from tensor memory, a store to it or matrix multiplications, other statements,
    /// and a wait. Nothing else names the values between these: the program keeps
    /// the rules.
    pub(super) fn asynchronous(&mut self) {
        match self.choices.below(3) {
            0 => self.tensor_load(),
            1 => self.tensor_store(),
            _ => self.multiplications(),
        }
    }

    fn statements(&mut self) {
        for _ in 0..self.choices.below(3) {
            self.statement();
        }
    }

    /// Values of one unit that nothing else knows of.
    fn private(&mut self) -> Vec<VirtualRegister> {
        let count = 1 + self.choices.below(MOST);
        (0..count)
            .map(|_| self.new_value_of(gpu::SINGLE32))
            .collect()
    }

    fn defined(&mut self) -> Vec<VirtualRegister> {
        let values = self.private();
        for &value in &values {
            self.builder.plain(&[Operand::write(value)]);
        }
        values
    }

    fn start(&mut self, does: Asynchronous, operands: &[Operand]) {
        let flags = does.flags() | InstructionFlags::INLINE_ASSEMBLY;
        self.push(flags, operands, None);
    }

    fn does(&mut self, does: Asynchronous) {
        self.start(does, &[]);
    }

    /// Waits; what was in flight is known from then on.
    fn wait(&mut self, does: Asynchronous, values: &[VirtualRegister]) {
        self.does(does);
        self.available.extend(values);
    }

    fn tensor_load(&mut self) {
        let address = self.uses(1);
        let values = self.private();
        let definitions = values.iter().map(|&value| in_flight(Operand::write(value)));
        let addresses = address.into_iter().map(Operand::read);
        let operands: Vec<_> = definitions.chain(addresses).collect();
        let (loads, waits_load) = (true, true);
        let rest = Asynchronous::default();
        self.start(Asynchronous { loads, ..rest }, &operands);
        self.statements();
        self.wait(Asynchronous { waits_load, ..rest }, &values);
    }

    fn tensor_store(&mut self) {
        let values = self.defined();
        let reads = values.iter().map(|&value| in_flight(Operand::read(value)));
        let operands: Vec<_> = reads.collect();
        let (stores, waits_store) = (true, true);
        let rest = Asynchronous::default();
        self.start(Asynchronous { stores, ..rest }, &operands);
        self.statements();
        self.wait(
            Asynchronous {
                waits_store,
                ..rest
            },
            &values,
        );
    }

    /// One or two groups of multiplications; of two the first may be waited for alone.
    fn multiplications(&mut self) {
        let two = self.choices.once_in(2);
        let [accumulators, fragments] = [(); 2].map(|()| self.defined());
        let others = if two { self.defined() } else { Vec::new() };
        self.statements();
        self.does(Asynchronous {
            fences: true,
            ..Asynchronous::default()
        });
        self.statements();
        self.multiply(&accumulators, &fragments);
        if two {
            self.multiply(&others, &fragments);
        }
        self.statements();
        let wait = |left| Asynchronous {
            waits_multiply: Some(left),
            ..Asynchronous::default()
        };
        if two && self.choices.once_in(2) {
            self.wait(wait(1), &accumulators);
            self.statements();
            self.wait(wait(0), &[others, fragments].concat());
        } else {
            self.wait(wait(0), &[accumulators, others, fragments].concat());
        }
    }

    /// Adds to accumulators, once or twice, and closes the group.
    fn multiply(&mut self, accumulators: &[VirtualRegister], fragments: &[VirtualRegister]) {
        let mut operands: Vec<_> = accumulators
            .iter()
            .map(|&value| in_flight(Operand::write(value)))
            .collect();
        for operand in &mut operands {
            operand.flags |= OperandFlags::EARLY_CLOBBER;
        }
        operands.extend((0..).zip(accumulators).map(|(number, &value)| Operand {
            tied_to: Some(number),
            ..in_flight(Operand::read(value))
        }));
        let fragments = fragments.iter();
        operands.extend(fragments.map(|&value| in_flight(Operand::read(value))));
        let mut does = Asynchronous {
            multiplies: true,
            ..Asynchronous::default()
        };
        if self.choices.once_in(2) {
            self.start(does, &operands);
        }
        does.commits = true;
        self.start(does, &operands);
    }
}

fn in_flight(mut operand: Operand) -> Operand {
    operand.flags |= OperandFlags::IN_FLIGHT;
    operand
}
