//! Machine code as `nvdisasm -c -hex` prints it: instructions, and the functions and blocks
//! that they are in. With `-g` they have the numbers of their lines.
//!
//! Ensures: a block begins at its first instruction alone and ends at its last. Blocks that
//! nothing leads to, such as the padding behind a kernel, are not there.
//! Source: the encoding of instructions of 128 bits, of which bits 105 to 108 say for how
//! many cycles the warp issues nothing after it.

use std::collections::BTreeMap;

/// One instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineInstruction {
    /// The operation without modifiers, as `STL`.
    pub operation: String,
    /// Cycles until the warp may issue the next one, at least one.
    pub stall: u64,
    /// The number of the line that it comes from, if there are lines.
    pub number: Option<u32>,
    /// Whether a predicate decides if it has an effect. A branch always has one.
    pub predicated: bool,
    /// Registers of what it accesses, by its name: four for `STG.E.128`.
    pub registers: u64,
    /// The bits.
    pub encoding: [u64; 2],
    /// Labels in the operands.
    targets: Vec<String>,
    /// Whether it may be followed by the next one.
    falls_through: bool,
    /// The function that it calls.
    callee: Option<String>,
}

impl MachineInstruction {
    /// Whether it accesses local memory.
    pub fn is_local(&self) -> bool {
        matches!(&self.operation[..], "LDL" | "STL")
    }

    /// Whether it stands where its PTX instruction does: what others can see is neither
    /// moved nor done where the program would not do it.
    pub fn is_fixed(&self) -> bool {
        const FIXED: [&str; 14] = [
            "ATOM", "ATOMG", "ATOMS", "BAR", "BRA", "BRX", "MATCH", "MEMBAR", "RED", "SHFL", "ST",
            "STG", "STS", "VOTE",
        ];
        let name = &self.operation[..];
        FIXED.contains(&name) && !self.predicated && (name != "BRA" || self.falls_through)
    }

    fn ends_block(&self) -> bool {
        const ENDS: [&str; 9] = [
            "BRA", "BRX", "BRXU", "EXIT", "JMP", "JMX", "JMXU", "KILL", "RET",
        ];
        ENDS.contains(&&self.operation[..]) || self.jumps_by_call()
    }

    /// ptxas leaves some loops by a call that never returns, to a label instead of a function.
    fn jumps_by_call(&self) -> bool {
        self.operation == "CALL" && !self.targets.is_empty()
    }
}

/// Instructions that run one after the other.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// Its instructions.
    pub instructions: Vec<MachineInstruction>,
    /// Blocks of the function that may come next.
    pub successors: Vec<usize>,
    /// Whether the function may end here.
    pub exits: bool,
}

/// A function: a kernel, or what it calls.
#[derive(Debug, Clone, Default)]
pub struct MachineFunction {
    /// Its blocks; it begins with the first.
    pub blocks: Vec<Block>,
    /// Blocks that call functions, and these: places in the kernel's list.
    pub calls: Vec<(usize, usize)>,
}

/// A kernel with all that it calls: the kernel itself comes first.
#[derive(Debug, Clone, Default)]
pub struct MachineKernel {
    /// Its name.
    pub name: String,
    /// Its functions.
    pub functions: Vec<MachineFunction>,
}

/// What stands in a section of code.
struct Section {
    name: String,
    code: Vec<MachineInstruction>,
    labels: BTreeMap<String, usize>,
}

/// The kernels of a file, in its order.
pub fn kernels(disassembly: &str) -> Result<Vec<MachineKernel>, String> {
    sections(disassembly)?.iter().map(kernel).collect()
}

fn sections(disassembly: &str) -> Result<Vec<Section>, String> {
    let mut sections: Vec<Section> = Vec::new();
    let mut inside = false;
    let (mut number, mut low) = (None, None);
    for line in disassembly.lines() {
        if let Some(title) = line.strip_prefix("//-") {
            let name = title.trim_matches([' ', '-']).strip_prefix(".text.");
            inside = name.is_some();
            sections.extend(name.map(|name| Section {
                name: name.to_owned(),
                code: Vec::new(),
                labels: BTreeMap::new(),
            }));
            number = None;
            continue;
        }
        let Some(section) = sections.last_mut().filter(|_| inside) else {
            continue;
        };
        let text = line.trim();
        if let Some(label) = line
            .strip_suffix(':')
            .filter(|l| !l.starts_with([' ', '\t']))
        {
            section.labels.insert(label.to_owned(), section.code.len());
            // What ptxas brings along has no lines, and must not seem to have those of
            // what stands before it.
            if !label.starts_with(".L_") {
                number = None;
            }
        } else if let Some(location) = text.strip_prefix("//## File") {
            let digits = location.split("line ").nth(1).unwrap_or_default();
            let digits = digits.split(|c: char| !c.is_ascii_digit()).next();
            number = digits.and_then(|digits| digits.parse().ok());
        } else if let Some(rest) = text.strip_prefix("/* 0x") {
            let high = hexadecimal(rest)?;
            let (text, low) = low.take().ok_or("an encoding without an instruction")?;
            section.code.push(instruction(text, [low, high], number));
        } else if let Some(rest) = text.strip_prefix("/*") {
            let (_, rest) = rest.split_once("*/").ok_or("an address without an end")?;
            let (text, rest) = rest.rsplit_once("/* 0x").ok_or("no encoding")?;
            if low.replace((text.trim(), hexadecimal(rest)?)).is_some() {
                return Err(format!("half an encoding before {text}"));
            }
        }
    }
    Ok(sections)
}

/// The number before ` */`.
fn hexadecimal(text: &str) -> Result<u64, String> {
    let digits = text.split_whitespace().next().unwrap_or_default();
    u64::from_str_radix(digits, 16).map_err(|e| format!("{text}: {e}"))
}

fn instruction(text: &str, encoding: [u64; 2], number: Option<u32>) -> MachineInstruction {
    let text = text.trim_end_matches([';', ' ']);
    let (guard, text) = match text.strip_prefix('@') {
        Some(rest) => match rest.split_once(char::is_whitespace) {
            Some((guard, rest)) => (Some(guard), rest.trim_start()),
            None => (Some(rest), ""),
        },
        None => (None, text),
    };
    let (name, operands) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let operation = name.split('.').next().unwrap_or(name).to_owned();
    let guarded = guard.is_some_and(|guard| !matches!(guard, "PT" | "UPT"));
    let decides = |operand: &str| {
        let name = operand.trim_start_matches('!').trim_start_matches('U');
        name.strip_prefix('P')
            .is_some_and(|n| n.parse::<u32>().is_ok())
    };
    let branches = matches!(&operation[..], "BRA" | "EXIT" | "RET" | "JMP");
    let mut words = operands.split([' ', ',', '(', ')', '`', '"', '*']);
    let conditional = guarded || branches && words.clone().any(decides) || is_divergence(name);
    let mut targets: Vec<_> = words
        .by_ref()
        .filter(|word| word.starts_with(".L_") || word.starts_with('$'))
        .map(str::to_owned)
        .collect();
    // The threads of a warp come together to an operation of the warp: the program says so.
    if is_divergence(name) {
        targets.clear();
    }
    let calls = operation == "CALL" && !targets.iter().any(|label| label.starts_with(".L_"));
    let callee = calls.then(|| targets.pop()).flatten();
    let mut instruction = MachineInstruction {
        stall: (encoding[1] >> 41 & 15).max(1),
        number,
        registers: registers(name),
        predicated: guarded && operation != "BRA",
        encoding,
        targets,
        falls_through: true,
        callee,
        operation,
    };
    instruction.falls_through = !instruction.ends_block() || conditional;
    instruction
}

fn registers(name: &str) -> u64 {
    let modifiers = name.split('.').skip(1);
    let widths = modifiers.filter_map(|one| match one {
        "64" => Some(2),
        "128" => Some(4),
        _ => None,
    });
    widths.max().unwrap_or(1)
}

/// A branch that is taken where the threads of a warp are not together.
fn is_divergence(name: &str) -> bool {
    matches!(name, "BRA.DIV" | "BRA.DIV.U")
}

/// Cuts a section into the functions that begin at its start and at what is called.
fn kernel(section: &Section) -> Result<MachineKernel, String> {
    let mut functions = Vec::new();
    let mut starts = vec![0];
    while let Some(&start) = starts.get(functions.len()) {
        functions.push(function(section, start, &mut starts)?);
    }
    let name = section.name.clone();
    Ok(MachineKernel { name, functions })
}

/// The blocks that can be reached from an instruction on without a call. Adds what is
/// called to `starts`.
fn function(
    section: &Section,
    start: usize,
    starts: &mut Vec<usize>,
) -> Result<MachineFunction, String> {
    let code = &section.code;
    let mut begins: Vec<_> = section.labels.values().copied().collect();
    begins.extend((1..code.len()).filter(|&i| code[i - 1].ends_block()));
    begins.extend([0, start]);
    begins.sort_unstable();
    begins.dedup();
    begins.retain(|&i| i < code.len());
    let place = |label: &String| {
        let place = section.labels.get(label).copied();
        place
            .filter(|&i| i < code.len())
            .ok_or_else(|| format!("no label {label}"))
    };
    let mut result = MachineFunction::default();
    // From the beginning of a block to its number.
    let mut known = BTreeMap::from([(start, 0)]);
    let mut order = vec![start];
    while let Some(&begin) = order.get(result.blocks.len()) {
        let next = begins.partition_point(|&b| b <= begin);
        let end = begins.get(next).copied().unwrap_or(code.len());
        let instructions = code[begin..end].to_vec();
        let last = &instructions[instructions.len() - 1];
        let mut successors = Vec::new();
        if last.falls_through && end < code.len() {
            successors.push(end);
        }
        if last.ends_block() && !matches!(&last.operation[..], "RET" | "EXIT") {
            for label in &last.targets {
                successors.push(place(label)?);
            }
        }
        successors.sort_unstable();
        successors.dedup();
        let exits = matches!(&last.operation[..], "RET" | "EXIT") || successors.is_empty();
        for callee in instructions.iter().filter_map(|i| i.callee.as_ref()) {
            let start = place(callee)?;
            let index = starts.iter().position(|&s| s == start);
            let index = index.unwrap_or_else(|| {
                starts.push(start);
                starts.len() - 1
            });
            result.calls.push((result.blocks.len(), index));
        }
        let number = |begin| {
            *known.entry(begin).or_insert_with(|| {
                order.push(begin);
                order.len() - 1
            })
        };
        result.blocks.push(Block {
            instructions,
            successors: successors.into_iter().map(number).collect(),
            exits,
        });
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTING: &str = "
//--------------------- .text.k                   --------------------------
\t.section\t.text.k,\"ax\",@progbits
k:
.text.k:
\t//## File \"instructions\", line 3
        /*0000*/                   LDC R1, c[0x0][0x28] ;      /* 0x00000a00ff017b82 */
                                                               /* 0x000fe20000000800 */
.L_x_1:
\t//## File \"instructions\", line 4
        /*0010*/              @!P0 STL [R1], R2 ;              /* 0x0000000000117919 */
                                                               /* 0x000e2e0000002100 */
        /*0020*/               @P0 BRA `(.L_x_1) ;             /* 0x00000000000479c3 */
                                                               /* 0x000e300000002500 */
        /*0030*/                   CALL.REL.NOINC `($f) ;      /* 0x0000000000047900 */
                                                               /* 0x000fc00000000000 */
        /*0040*/                   EXIT ;                      /* 0x000000000000794d */
                                                               /* 0x000fea0003800000 */
$f:
        /*0050*/                   RET.REL.NODEC R2 `(k) ;     /* 0x000000000000794d */
                                                               /* 0x000fea0003800000 */
.L_x_2:
        /*0060*/                   BRA `(.L_x_2);              /* 0x000000000000794d */
                                                               /* 0x000fea0003800000 */
";

    #[test]
    fn functions_blocks_numbers_and_stalls() {
        let kernels = kernels(LISTING).unwrap();
        let [kernel] = &kernels[..] else {
            panic!("one kernel")
        };
        assert_eq!(kernel.name, "k");
        let [main, callee] = &kernel.functions[..] else {
            panic!("two functions")
        };
        let successors: Vec<_> = main.blocks.iter().map(|b| &b.successors[..]).collect();
        assert_eq!(successors, [&[1][..], &[1, 2], &[]]);
        let exits: Vec<_> = main.blocks.iter().map(|b| b.exits).collect();
        assert_eq!(exits, [false, false, true]);
        assert_eq!(main.calls, [(2, 1)]);
        // Its padding belongs to nobody.
        assert_eq!(callee.blocks.len(), 1);
        assert_eq!(callee.blocks[0].instructions[0].number, None);
        let store = &main.blocks[1].instructions[0];
        assert!(store.is_local() && store.predicated && store.number == Some(4));
        assert_eq!(main.blocks[0].instructions[0].stall, 1);
        assert_eq!(store.stall, 7);
        let branch = &main.blocks[1].instructions[1];
        assert!(branch.is_fixed() && !branch.predicated);
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        let half = "/* 0x000e2e0000002100 */";
        assert!(kernels(&LISTING.replace(half, "")).is_err());
        let torn = LISTING.replace("/* 0x0000000000117919 */", "");
        assert!(kernels(&torn).is_err());
    }
}
