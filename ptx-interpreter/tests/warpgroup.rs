//! `wgmma`: products against a plain triple loop, and what must not happen to registers
//! in flight.

mod common;

use common::{output, registers, shows, sound, with_shared, words};
use half::{bf16, f16};
use ptx_interpreter::compare::{Verdict, compare};
use ptx_interpreter::kernels::{Argument, Scenario};
use ptx_interpreter::matrix_element::Element;
use ptx_interpreter::random::Random;
use ptx_interpreter::{Module, Options, Trouble};

/// One product to try.
#[derive(Debug, Clone, Copy)]
struct Try {
    /// The types as in the opcode: of D, A and B.
    types: [&'static str; 3],
    columns: usize,
    /// Bytes of a swizzled row, or 16.
    width: usize,
    in_registers: bool,
    transposed: [bool; 2],
    negated: [bool; 2],
    adds: bool,
}

const PLAIN: Try = Try {
    types: ["f32", "f16", "f16"],
    columns: 16,
    width: 128,
    in_registers: false,
    transposed: [false; 2],
    negated: [false; 2],
    adds: true,
};

/// Where B begins in shared memory, and D's first contents.
const B: usize = 16384;
const D: usize = 65536;

impl Try {
    fn element(&self, side: usize) -> Element {
        Element::named(self.types[1 + side]).unwrap()
    }

    fn k(&self) -> usize {
        32 / self.element(0).bytes()
    }

    /// Where an element lies from its matrix' beginning: cut into rows of `width` bytes,
    /// eight of them, and all of that repeated, first along what is continuous.
    fn place(&self, side: usize, row: usize, k: usize) -> usize {
        let bytes = self.element(side).bytes();
        let (along, across) = match self.transposed[side] {
            true => (row * bytes, k),
            false => (k * bytes, row),
        };
        // Pieces of 16 bytes change places in a pattern of eight rows of 128 bytes.
        let (piece, rest) = (along % self.width / 16, along % 16);
        let piece = match self.width {
            128 => piece ^ (across % 8),
            64 => piece ^ (across / 2 % 4),
            32 => piece ^ (across / 4 % 2),
            _ => piece,
        };
        let block = 8 * self.width;
        along / self.width * self.further(side)
            + across / 8 * (block * self.blocks(side))
            + across % 8 * self.width
            + piece * 16
            + rest
    }

    /// How many blocks of eight rows stand side by side.
    fn blocks(&self, side: usize) -> usize {
        let rows = if side == 0 { 64 } else { self.columns };
        let long = if self.transposed[side] {
            rows * self.element(side).bytes()
        } else {
            32
        };
        long.div_ceil(self.width)
    }

    fn further(&self, _side: usize) -> usize {
        8 * self.width
    }

    fn descriptor(&self, side: usize, start: usize) -> u64 {
        let (along, across) = (self.further(side), 8 * self.width * self.blocks(side));
        // Without a swizzle the two change their names with the direction.
        let [leading, stride] = match (self.width, self.transposed[side]) {
            (16, true) => [across, along],
            _ => [along, across],
        };
        let mode = [128, 64, 32]
            .iter()
            .position(|&w| w == self.width)
            .map_or(0, |m| m + 1);
        let field = |value: usize| (value as u64) >> 4;
        field(start) | field(leading) << 16 | field(stride) << 32 | (mode as u64) << 62
    }

    fn sums(&self) -> usize {
        self.columns / if self.types[0] == "f16" { 4 } else { 2 }
    }

    fn instruction(&self) -> String {
        let [d, a, b] = self.types;
        let first = match self.in_registers {
            true => format!("{{{}}}", registers(300, 4)),
            false => "%rd4".to_owned(),
        };
        let mut tail = format!(", {}", u8::from(self.adds));
        if d != "s32" {
            let sign = |negated| if negated { -1 } else { 1 };
            tail += &format!(", {}, {}", sign(self.negated[0]), sign(self.negated[1]));
        }
        if self.element(0).bytes() == 2 {
            let first = usize::from(self.in_registers);
            for transposed in &self.transposed[first..] {
                tail += &format!(", {}", u8::from(*transposed));
            }
        }
        format!(
            "wgmma.mma_async.sync.aligned.m64n{}k{}.{d}.{a}.{b} {{{}}}, {first}, %rd5{tail};",
            self.columns,
            self.k(),
            registers(100, self.sums() as u32)
        )
    }

    /// A kernel that loads descriptors, fragments and accumulators, runs `code`, in which
    /// MMA is the instruction, and stores the accumulators.
    fn kernel(&self, code: &str) -> String {
        let base = 1024; // of the array in shared memory
        let mut body = format!(
            "mov.b64 %rd4, {}; mov.b64 %rd5, {};\nmul.wide.u32 %rd6, %r1, {};\nadd.s64 %rd7, %rd1, %rd6; add.s64 %rd8, %rd2, %rd6;\n",
            self.descriptor(0, base),
            self.descriptor(1, base + B),
            4 * self.sums()
        );
        for i in 0..self.sums() {
            body += &format!("ld.global.b32 %r{}, [%rd7+{}];\n", 100 + i, D + 4 * i);
        }
        body += "shl.b32 %r10, %r1, 4; add.s32 %r10, %r10, %r2;\n";
        if self.in_registers {
            body += "ld.shared.v4.b32 {%r300, %r301, %r302, %r303}, [%r10];\n";
        }
        body += &code.replace("MMA", &self.instruction());
        for i in 0..self.sums() {
            body += &format!("\nst.global.b32 [%rd8+{}], %r{};", 4 * i, 100 + i);
        }
        with_shared(&body, D)
    }

    fn bytes(&self) -> usize {
        128 * 4 * self.sums()
    }

    /// Random matrices as the kernel's input, and what it must write.
    fn case(&self) -> (Vec<u8>, Vec<u8>) {
        let random = &mut Random::new(self.columns as u64 + self.width as u64);
        let mut input = vec![0; D + self.bytes()];
        let mut matrices = [vec![], vec![]];
        for (side, rows) in [(0, 64), (1, self.columns)] {
            for row in 0..rows {
                for k in 0..self.k() {
                    let bits = small(self.types[1 + side], random);
                    let element = self.element(side);
                    matrices[side].push(element.value(bits));
                    let at = match (side, self.in_registers) {
                        // Warp and lane of the row, register of the column.
                        (0, true) => {
                            let byte = k * element.bytes();
                            let thread = row / 16 * 32 + row % 8 * 4 + byte % 16 / 4;
                            let register = row / 8 % 2 + byte / 16 * 2;
                            thread * 16 + register * 4 + byte % 4
                        }
                        _ => side * B + self.place(side, row, k),
                    };
                    let bytes = &bits.to_le_bytes()[..element.bytes()];
                    input[at..at + element.bytes()].copy_from_slice(bytes);
                }
            }
        }
        let [a, b] = matrices;
        let mut expected = vec![0; self.bytes()];
        let sign = if self.negated[0] != self.negated[1] {
            -1.0
        } else {
            1.0
        };
        for row in 0..64 {
            for column in 0..self.columns {
                let thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
                let half = self.types[0] == "f16";
                let at = match half {
                    true => {
                        (thread * self.sums() + column / 8 * 2 + row / 8 % 2) * 4 + column % 2 * 2
                    }
                    false => {
                        (thread * self.sums() + column / 8 * 4 + row / 8 % 2 * 2 + column % 2) * 4
                    }
                };
                let start = (random.below(65) as f64) - 32.0;
                let (k, mut sum) = (self.k(), 0.0);
                for i in 0..k {
                    sum += a[row * k + i] * b[column * k + i];
                }
                let sum = sign * sum + if self.adds { start } else { 0.0 };
                let size = if half { 2 } else { 4 };
                let write = |place: &mut [u8], x: f64| match self.types[0] {
                    "f16" => place.copy_from_slice(&f16::from_f64(x).to_le_bytes()),
                    "f32" => place.copy_from_slice(&(x as f32).to_le_bytes()),
                    _ => place.copy_from_slice(&(x as i32).to_le_bytes()),
                };
                write(&mut input[D + at..][..size], start);
                write(&mut expected[at..][..size], sum);
            }
        }
        (input, expected)
    }
}

/// The bits of a small number that no rounding changes in sums and products.
fn small(kind: &str, random: &mut Random) -> u64 {
    let x = random.below(9) as f32 - 4.0;
    match kind {
        "f16" => f16::from_f32(x).to_bits().into(),
        "bf16" => bf16::from_f32(x).to_bits().into(),
        "tf32" => x.to_bits().into(),
        // 1, 1.5, 2, 3 and so on, and their negatives.
        "e4m3" => 0x38 + random.below(4) * 4 + random.below(2) * 0x80,
        "e5m2" => 0x3c + random.below(4) * 2 + random.below(2) * 0x80,
        _ => random.below(256),
    }
}

const ORDERLY: &str = "wgmma.fence.sync.aligned; MMA wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;";

fn check(one: Try) {
    let (input, expected) = one.case();
    let result = sound(&one.kernel(ORDERLY), 128, &input, one.bytes());
    assert!(result == expected, "{one:?}");
}

#[test]
fn all_types_are_multiplied() {
    for types in [
        ["f32", "f16", "f16"],
        ["f16", "f16", "f16"],
        ["f32", "bf16", "bf16"],
        ["f32", "tf32", "tf32"],
        ["f32", "e4m3", "e4m3"],
        ["f32", "e5m2", "e4m3"],
        ["s32", "s8", "s8"],
        ["s32", "u8", "s8"],
    ] {
        for in_registers in [false, true] {
            check(Try {
                types,
                in_registers,
                ..PLAIN
            });
        }
    }
}

#[test]
fn all_layouts_in_shared_memory_are_known() {
    for width in [16, 32, 64, 128] {
        for transposed in [[false, false], [true, false], [false, true], [true, true]] {
            for columns in [64, 128] {
                check(Try {
                    width,
                    transposed,
                    columns,
                    ..PLAIN
                });
            }
        }
    }
}

#[test]
fn sizes_signs_and_the_first_product() {
    for columns in [8, 24, 256] {
        check(Try {
            columns,
            width: 32,
            ..PLAIN
        });
    }
    check(Try {
        negated: [true, false],
        ..PLAIN
    });
    check(Try {
        negated: [true, true],
        ..PLAIN
    });
    check(Try {
        adds: false,
        ..PLAIN
    });
}

#[test]
fn products_follow_each_other_without_a_fence() {
    let code = ORDERLY.replace("MMA", "MMA MMA");
    let (input, once) = PLAIN.case();
    let twice = sound(&PLAIN.kernel(&code), 128, &input, PLAIN.bytes());
    let first = words(&input[D..]);
    for ((start, once), twice) in first.into_iter().zip(words(&once)).zip(words(&twice)) {
        let [start, once, twice] = [start, once, twice].map(f32::from_bits);
        assert_eq!(twice - once, once - start);
    }
}

/// Each of these touches a register that a product still needs, or one that no fence has
/// ordered before it.
#[test]
fn registers_in_flight_must_not_be_touched() {
    let [fence, commit, wait] =
        ["fence", "commit_group", "wait_group"].map(|part| format!("wgmma.{part}.sync.aligned"));
    let (accumulators, fragments) = (
        PLAIN,
        Try {
            in_registers: true,
            ..PLAIN
        },
    );
    let faults = [
        (
            accumulators,
            format!("{fence}; MMA {commit}; mov.b32 %r100, %r101; {wait} 0;"),
        ),
        (
            accumulators,
            format!("{fence}; MMA {commit}; mov.b32 %r104, 0; {wait} 0;"),
        ),
        (
            accumulators,
            format!("{fence}; mov.b32 %r104, %r105; MMA {commit}; {wait} 0;"),
        ),
        (accumulators, format!("MMA {commit}; {wait} 0;")),
        (accumulators, format!("{fence}; MMA {commit}; {wait} 1;")),
        (accumulators, format!("{fence}; MMA {wait} 0;")),
        (
            fragments,
            format!("{fence}; MMA {commit}; mov.b32 %r301, 0; {wait} 0;"),
        ),
        (
            fragments,
            format!("{fence}; mov.b32 %r301, %r302; MMA {commit}; {wait} 0;"),
        ),
        (
            fragments,
            format!("mov.b32 %r301, %r302; MMA {commit}; {wait} 0;"),
        ),
    ];
    for (one, code) in faults {
        let (input, _) = one.case();
        shows(&one.kernel(&code), 128, &input, one.bytes(), true);
    }
}

#[test]
fn reading_a_fragment_in_flight_is_noted() {
    let one = Try {
        in_registers: true,
        ..PLAIN
    };
    let code = ORDERLY.replace("MMA", "MMA mov.b32 %r11, %r301;");
    let (input, expected) = one.case();
    let (bytes, report) = output(
        &one.kernel(&code),
        128,
        &input,
        one.bytes(),
        &Options::default(),
    )
    .unwrap();
    assert_eq!(bytes, expected);
    assert_eq!(report.in_flight.values().sum::<u64>(), 128);
}

/// A wait for all groups but one delivers what was committed before.
#[test]
fn a_wait_may_leave_groups() {
    let other = Try {
        adds: false,
        ..PLAIN
    }
    .instruction()
    .replace("%r1", "%r2");
    let code = format!(
        "wgmma.fence.sync.aligned; MMA wgmma.commit_group.sync.aligned; {other}\n\
         wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1;"
    );
    let (input, expected) = PLAIN.case();
    let result = sound(&PLAIN.kernel(&code), 128, &input, PLAIN.bytes());
    assert_eq!(result, expected);
}

/// What comparing two files says of them.
fn verdict(first: &str, second: &str) -> Verdict {
    let one = Try {
        in_registers: true,
        ..PLAIN
    };
    let parse = |code: &str| Module::parse(&one.kernel(code)).unwrap_or_else(|e| panic!("{e}"));
    let files = [parse(first), parse(second)];
    let scenario = Scenario {
        blocks: [1; 3],
        threads: [128, 1, 1],
        executed: None,
        arguments: vec![
            Argument::Buffer(one.case().0),
            Argument::Buffer(vec![0; one.bytes()]),
        ],
    };
    compare([&files[0], &files[1]], "k", &scenario, &Options::default())
}

#[test]
fn comparing_sees_registers_in_flight() {
    let is_different =
        |v: &Verdict| matches!(v, Verdict::Different(why) if why.contains("in flight"));
    let is_equal = |v: &Verdict| matches!(v, Verdict::Equal { .. });
    let copied = ORDERLY.replace("MMA", "MMA mov.b32 %r11, %r100;");
    let late = ORDERLY.replace("MMA", "mov.b32 %r104, %r105; MMA");
    // As Triton has it: the next fragment is computed while this one is multiplied.
    let overwritten = ORDERLY.replace("MMA", "MMA mov.b32 %r301, %r1;");
    let twice = ORDERLY.replace("MMA", "MMA mov.b32 %r301, %r1; mov.b32 %r302, %r1;");
    for (first, second, is_expected) in [
        (ORDERLY, ORDERLY, &is_equal as &dyn Fn(&Verdict) -> bool),
        (ORDERLY, &copied, &is_different),
        (ORDERLY, &late, &is_different),
        (ORDERLY, &overwritten, &is_different),
        (&overwritten, &overwritten, &is_equal),
        (&overwritten, &twice, &is_different),
        (&overwritten, &late, &|v| matches!(v, Verdict::Different(_))),
    ] {
        let verdict = verdict(first, second);
        assert!(is_expected(&verdict), "{first} {second}: {verdict:?}");
    }
}

#[test]
fn what_no_warpgroup_can_do_is_refused() {
    let (input, _) = PLAIN.case();
    let trouble = |code: &str| {
        let text = PLAIN.kernel(code);
        let done = output(&text, 128, &input, PLAIN.bytes(), &Options::default());
        done.unwrap_err().trouble
    };
    let differs = format!("cvt.u64.u32 %rd5, %r1; {ORDERLY}");
    assert!(matches!(trouble(&differs), Trouble::Undefined(_)));
    let outside = format!("mov.b64 %rd5, 0x3fff; {ORDERLY}");
    assert!(matches!(trouble(&outside), Trouble::OutOfBounds { .. }));
    let apart = format!("setp.eq.s32 %p1, %r1, 7; @%p1 bra $E; {ORDERLY} $E:");
    assert!(matches!(
        trouble(&apart),
        Trouble::Undefined(_) | Trouble::Deadlock
    ));
}
