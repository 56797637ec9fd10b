//! Adds up what a kernel executes: every machine instruction as often as its block runs.
//!
//! What an instruction tells of its block is the count of the PTX instruction that it comes
//! from. Most weight has what is neither moved nor doubled: conditional branches, stores that
//! others can see, barriers, exchange among the threads of a warp. Least has what comes from
//! one PTX instruction as other blocks do, which then share its count in a way that is not
//! known, and what has a predicate. The way through a function that ptxas brings along is not
//! known at all, nor whether the part of an instruction that calls such a function for rare
//! operands is needed: it counts as not run where there is a way around it.
//!
//! A function runs as often as it is called. Complexity: that of
//! [`inference`](super::inference).

use std::collections::BTreeMap;

use serde::Serialize;

use super::inference::{Evidence, Node, runs};
use super::numbered::Numbered;
use crate::module::{Function, Module};
use crate::operation::Operation;
use crate::types::Space;
use machine_code::listing::{Block, MachineFunction, MachineKernel};

/// Of what stands where its PTX instruction does.
const FIXED: u64 = 100;
/// Of any other instruction.
const MOVABLE: u64 = 10;
/// Of what may belong elsewhere or not take place.
const DOUBTFUL: u64 = 1;

/// How often PTX instructions run.
#[derive(Debug, Clone)]
pub struct Counts {
    /// By function and place.
    executions: Vec<Vec<u64>>,
    threads: u64,
}

impl Counts {
    /// Nothing has run.
    pub fn none(module: &Module) -> Self {
        let zeros = |f: &Function| vec![0; f.instructions.len()];
        Self {
            executions: module.functions.iter().map(zeros).collect(),
            threads: 0,
        }
    }

    /// Adds a launch with that many threads.
    pub fn add(&mut self, executions: &[Vec<u64>], threads: u64) {
        for (sum, more) in self.executions.iter_mut().zip(executions) {
            for (sum, more) in sum.iter_mut().zip(more) {
                *sum += more;
            }
        }
        self.threads += threads;
    }

    fn local(&self, module: &Module) -> u64 {
        let functions = module.functions.iter().zip(&self.executions);
        let instructions = functions.flat_map(|(f, counts)| f.instructions.iter().zip(counts));
        let is_local = |operation: &Operation| {
            let space = match operation {
                Operation::Load(space, ..) | Operation::Store(space, ..) => Some(*space),
                _ => None,
            };
            space == Some(Space::Local)
        };
        let local = instructions.filter(|(instruction, _)| is_local(&instruction.operation));
        local.map(|(_, count)| count).sum()
    }

    fn of(&self, file: &Numbered, number: Option<u32>) -> Option<u64> {
        let (function, at) = file.place(number?)?;
        Some(self.executions[function][at])
    }
}

/// What all threads of a kernel execute.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Executed {
    /// PTX instructions, as the interpreter counts them.
    pub ptx: u64,
    /// Those of them that access local memory: what `local` is where ptxas neither adds any
    /// nor does without.
    pub ptx_local: u64,
    /// Machine instructions.
    pub instructions: u64,
    /// Cycles in which a warp issues nothing else, were it alone.
    pub stall_cycles: u64,
    /// Accesses to local memory: spills and the program's own arrays.
    pub local: u64,
    /// Those of the instructions whose PTX instruction runs exactly as often as they do.
    pub exact: u64,
}

/// What a kernel executes. Padding is no instruction.
pub fn weigh(kernel: &MachineKernel, file: &Numbered, counts: &Counts) -> Executed {
    let mut executed = Executed {
        ptx: counts.executions.iter().flatten().sum(),
        ptx_local: counts.local(&file.module),
        ..Executed::default()
    };
    let mut entered = vec![0; kernel.functions.len()];
    entered[0] = counts.threads;
    for index in call_order(kernel) {
        let function = &kernel.functions[index];
        let nodes = nodes(function, file, counts);
        let runs = runs(&nodes, entered[index]);
        for &(block, callee) in &function.calls {
            entered[callee] += runs[block];
        }
        for (block, &runs) in function.blocks.iter().zip(&runs) {
            for instruction in block.instructions.iter().filter(|i| i.operation != "NOP") {
                executed.instructions += runs;
                executed.stall_cycles += runs * instruction.stall;
                executed.local += if instruction.is_local() { runs } else { 0 };
                let own = counts.of(file, instruction.number);
                executed.exact += if own == Some(runs) { runs } else { 0 };
            }
        }
    }
    executed
}

/// Callers before what they call, as far as that is possible.
fn call_order(kernel: &MachineKernel) -> Vec<usize> {
    fn visit(kernel: &MachineKernel, index: usize, seen: &mut [bool], order: &mut Vec<usize>) {
        if std::mem::replace(&mut seen[index], true) {
            return;
        }
        for &(_, callee) in &kernel.functions[index].calls {
            visit(kernel, callee, seen, order);
        }
        order.push(index);
    }
    let mut order = Vec::new();
    let mut seen = vec![false; kernel.functions.len()];
    visit(kernel, 0, &mut seen, &mut order);
    order.reverse();
    order
}

fn nodes(function: &MachineFunction, file: &Numbered, counts: &Counts) -> Vec<Node> {
    // The first two blocks in which each PTX instruction has machine instructions.
    let mut homes: BTreeMap<u32, (usize, bool)> = BTreeMap::new();
    for (index, block) in function.blocks.iter().enumerate() {
        for number in block.instructions.iter().filter_map(|i| i.number) {
            let home = homes.entry(number).or_insert((index, true));
            home.1 &= home.0 == index;
        }
    }
    let node = |(index, block): (usize, &Block)| {
        let is_rare = function.calls.iter().any(|&(caller, _)| caller == index);
        let mut evidence = Vec::new();
        for instruction in &block.instructions {
            let Some(count) = counts.of(file, instruction.number) else {
                continue;
            };
            let single = instruction.number.is_some_and(|number| homes[&number].1);
            let weight = match () {
                () if !single && is_rare => continue,
                () if !single || instruction.predicated => DOUBTFUL,
                () if instruction.is_fixed() => FIXED,
                () => MOVABLE,
            };
            evidence.push(Evidence { count, weight });
        }
        Node {
            evidence,
            successors: block.successors.clone(),
            exits: block.exits,
            length: block.instructions.len() as u64,
        }
    };
    function.blocks.iter().enumerate().map(node).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GlobalMemory, Launch, Options, launch};
    use machine_code::listing::kernels;

    /// Instructions 1 and 2, a loop of 3 to 6 that runs ten times, and 7 and 8.
    const LOOP: &str = "\
.version 8.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 .ptr out)\n{\n\
.reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %rd<2>;\nld.param.b64 %rd1, [out];\n\
mov.b32 %r1, 0;\n$L: add.s32 %r1, %r1, 1;\nmul.lo.s32 %r2, %r1, 3;\n\
setp.lt.s32 %p1, %r1, 10;\n@%p1 bra $L;\nst.global.b32 [%rd1], %r2;\nret;\n}\n";

    /// A listing: labels, and numbers with what comes of them and its stall cycles.
    fn listing(lines: &[&str]) -> String {
        let mut out = String::from("//------ .text.k ------\n.text.k:\n");
        for line in lines {
            match line.split_once(' ') {
                None => out.push_str(&format!("{line}\n")),
                Some((number, rest)) => {
                    let (stall, text) = rest.split_once(' ').unwrap();
                    let high = stall.parse::<u64>().unwrap() << 41;
                    let text = format!("  /*0000*/ {text} ; /* 0x0 */\n  /* {high:#x} */\n");
                    out.push_str(&format!("\t//## File \"i\", line {number}\n{text}"));
                }
            }
        }
        out
    }

    fn weighed(lines: &[&str], threads: u32) -> Executed {
        let file = Numbered::new(LOOP).unwrap();
        let mut memory = GlobalMemory::new(&file.module);
        let out = memory.allocate("out", vec![0; 4]);
        let what = Launch {
            kernel: "k".into(),
            blocks: [1; 3],
            threads: [threads, 1, 1],
            executed: None,
            arguments: vec![out.to_le_bytes().into()],
        };
        let report = launch(&file.module, &mut memory, &what, &Options::default()).unwrap();
        let mut counts = Counts::none(&file.module);
        counts.add(&report.executions, threads.into());
        weigh(&kernels(&listing(lines)).unwrap()[0], &file, &counts)
    }

    const CODE: [&str; 8] = [
        "1 2 LDC.64 R2, c[0x0][0x210]",
        "2 1 MOV R0, RZ",
        ".L_x_0:",
        "3 4 VIADD R0, R0, 0x1",
        "5 5 ISETP.GE.AND P0, PT, R0, 0xa, PT",
        "6 6 @!P0 BRA `(.L_x_0)",
        "7 1 STG.E desc[UR4][R2.64], R5",
        "8 5 EXIT",
    ];

    #[test]
    fn a_loop_counts_as_often_as_it_runs() {
        let expected = Executed {
            ptx: 32 * (2 + 4 * 10 + 2),
            ptx_local: 0,
            instructions: 32 * (2 + 3 * 10 + 2),
            stall_cycles: 32 * (3 + 15 * 10 + 6),
            local: 0,
            exact: 32 * (2 + 3 * 10 + 2),
        };
        assert_eq!(weighed(&CODE, 32), expected);
    }

    #[test]
    fn an_access_to_local_memory_in_the_loop_shows_once_a_round() {
        let mut code = CODE.to_vec();
        // Where it comes from does not matter: a spill may have the number of anything.
        code.insert(4, "8 1 STL [R1], R0");
        assert_eq!(weighed(&code, 32).local, 320);
        code.insert(2, "4 1 LDL R6, [R1]");
        assert_eq!(weighed(&code, 32).local, 320 + 32);
    }

    #[test]
    fn what_is_hoisted_out_of_the_loop_runs_once() {
        let mut code = CODE.to_vec();
        code.insert(2, "4 1 IMAD R5, R4, 0x3, RZ");
        code.insert(2, "4 1 IMAD R6, R4, 0x3, RZ");
        code.insert(2, "4 1 IMAD R7, R4, 0x3, RZ");
        let more = weighed(&code, 1).instructions - weighed(&CODE, 1).instructions;
        assert_eq!(more, 3);
    }

    #[test]
    fn padding_and_the_rare_part_of_an_instruction_do_not_run() {
        let rest = [
            "4 1 @P1 BRA `(.L_x_3)",
            "4 1 MOV R8, 0x70",
            "4 1 CALL.REL.NOINC `($__internal_0)",
            ".L_x_3:",
            "5 5 ISETP.GE.AND P0, PT, R0, 0xa, PT",
            "6 6 @!P0 BRA `(.L_x_0)",
            "7 1 STG.E desc[UR4][R2.64], R5",
            "8 5 EXIT",
            "$__internal_0:",
            "9 1 RET.REL.NODEC R8 `(k)",
            ".L_x_4:",
            "8 1 BRA `(.L_x_4)",
            "8 1 NOP",
        ];
        let code: Vec<_> = CODE[..4].iter().chain(&rest).copied().collect();
        assert_eq!(weighed(&code, 1).instructions, 2 + 4 * 10 + 2);
    }

    #[test]
    fn a_function_runs_as_often_as_it_is_called() {
        let rest = [
            "4 1 CALL.REL.NOINC `($f)",
            "5 5 ISETP.GE.AND P0, PT, R0, 0xa, PT",
            "6 6 @!P0 BRA `(.L_x_0)",
            "7 1 STG.E desc[UR4][R2.64], R5",
            "8 5 EXIT",
            "$f:",
            "9 1 LDL R8, [R1]",
            "9 1 RET.REL.NODEC R8 `(k)",
        ];
        let code: Vec<_> = CODE[..4].iter().chain(&rest).copied().collect();
        assert_eq!(weighed(&code, 1).local, 10);
    }
}
