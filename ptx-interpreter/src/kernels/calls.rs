//! Programs for the stack machine of `examples/calls.cu`. Its functions are long rows of
//! special cases; a value that is wrong in one of them shows only if the case is met.

use super::{Argument, SHAPES, Scenario, buffer, float, garbage, int, line, real};
use crate::random::Random;

/// Operations of the stack machine.
mod operation {
    pub const PUSH: i32 = 0;
    pub const VAR: i32 = 1;
    pub const ADD: i32 = 2;
    pub const SUB: i32 = 3;
    pub const MUL: i32 = 4;
    pub const DIV: i32 = 5;
    pub const NEG: i32 = 6;
    pub const SIN: i32 = 7;
    pub const EXP: i32 = 8;
    pub const POW: i32 = 9;
    pub const SELECT: i32 = 10;
}

/// Bases and exponents for the special cases of `powf`. The results are moderate: the
/// integral must not lose the other terms, and it ends only if it is a number.
const POWERS: [(f32, f32); 21] = [
    (0.0, 2.0),
    (0.0, 0.0),
    (0.0, f32::INFINITY),
    (1.0, -7.5),
    (1.0, f32::NAN),
    (f32::NAN, 0.0),
    (1e-40, 0.25),
    (3e-39, -0.03),
    (1e-40, 2.0),
    (f32::INFINITY, -1.0),
    (0.5, f32::INFINITY),
    (2.0, f32::NEG_INFINITY),
    (f32::INFINITY, f32::NEG_INFINITY),
    (-2.5, 3.0),
    (-0.75, -2.0),
    (1.75, 0.5),
    (3e38, 0.02),
    (0.999_999_9, 1e5),
    (2.0, -145.0),
    (2.0, -200.0),
    (1e-20, 30.0),
];

/// Bases and exponents whose power is not a number; its zeroth power is one.
const NOT_NUMBERS: [(f32, f32); 3] = [(f32::NAN, 1.5), (0.3, f32::NAN), (1e30, -f32::NAN)];

/// Angles in all quadrants, small ones, and ones that need the long reduction.
const ANGLES: [f32; 12] = [
    0.0, -0.0, 1e-39, 0.7, 2.3, 4.0, 5.5, -1.1, 105_000.0, 7e7, -4e12, 1e38,
];

/// Exponents for `expf`, at the ends of its range among them.
const EXPONENTS: [f32; 6] = [-104.0, -88.0, -0.3, 0.0, 1.2, -1e30];

/// Programs, a shape for each: those that the host repeats, one that is integrated in many
/// steps, and one with many angles that need the long reduction.
pub(super) const PROGRAMS: usize = SHAPES + 2;

/// One program for each shape, every operation among them.
pub(super) fn integrate(shape: usize, r: &mut Random) -> Scenario {
    use operation::{ADD, DIV, EXP, MUL, NEG, POW, PUSH, SELECT, SIN, SUB, VAR};
    let programs: [&[(i32, f32)]; PROGRAMS] = [
        // sin(x/2) + exp(-x), through select
        &[
            (VAR, 0.0),
            (PUSH, 0.5),
            (MUL, 0.0),
            (SIN, 0.3),
            (VAR, 0.0),
            (NEG, 0.0),
            (EXP, 0.0),
            (ADD, 0.0),
            (SELECT, 0.9),
        ],
        // |x|^1.5 / (x - 9)
        &[
            (VAR, 0.0),
            (PUSH, 1.5),
            (POW, 0.0),
            (VAR, 0.0),
            (PUSH, 9.0),
            (SUB, 0.0),
            (DIV, 0.0),
        ],
        // sin(150000 + x), for the long reduction of the argument
        &[
            (PUSH, 150_000.0),
            (VAR, 0.0),
            (ADD, 0.0),
            (SIN, 0.1),
            (VAR, 0.0),
            (MUL, 0.0),
        ],
        // sin(7x) + exp(x)
        &[
            (VAR, 0.0),
            (PUSH, 7.0),
            (MUL, 0.0),
            (SIN, 0.2),
            (VAR, 0.0),
            (EXP, 0.0),
            (ADD, 0.0),
        ],
        // sin(10^7 x)
        &[(VAR, 0.0), (PUSH, 1e7), (MUL, 0.0), (SIN, 0.2)],
    ];
    if shape == SHAPES {
        return launch(programs[shape], 20, 3.0, 1e-4, r);
    } else if shape > SHAPES {
        return launch(programs[shape], 256, 0.3, 10.0, r);
    }
    let mut program = programs[shape].to_vec();
    // Each shape adds a third of the special cases.
    for &(base, exponent) in POWERS.iter().skip(shape).step_by(SHAPES) {
        program.extend([(PUSH, base), (PUSH, exponent), (POW, 0.0), (ADD, 0.0)]);
    }
    let (base, exponent) = NOT_NUMBERS[shape];
    program.extend([(PUSH, base), (PUSH, exponent), (POW, 0.0)]);
    program.extend([(PUSH, 0.0), (POW, 0.0), (ADD, 0.0)]);
    program.extend([(PUSH, f32::INFINITY), (SIN, 0.5)]);
    program.extend([(PUSH, 0.0), (POW, 0.0), (ADD, 0.0)]);
    for &angle in ANGLES.iter().skip(shape).step_by(SHAPES) {
        program.extend([(PUSH, angle), (SIN, 0.5), (SELECT, 1.3), (ADD, 0.0)]);
    }
    for &exponent in EXPONENTS.iter().skip(shape).step_by(SHAPES) {
        program.extend([(PUSH, exponent), (EXP, 0.0), (NEG, 0.0), (ADD, 0.0)]);
    }
    launch(&program, [20, 64, 33][shape], 0.3, 1e-3, r)
}

/// Integrates a program between `count` pairs of ends.
fn launch(
    program: &[(i32, f32)],
    count: u32,
    length: f32,
    tolerance: f32,
    r: &mut Random,
) -> Scenario {
    let code = program
        .iter()
        .flat_map(|(op, x)| [op.to_le_bytes(), x.to_le_bytes()]);
    let code = Argument::Buffer(code.flatten().collect());
    let mut ends = Vec::new();
    for _ in 0..count {
        let from = real(r);
        ends.extend([from, from + length + 0.2 * (real(r) + 2.0)]);
    }
    let n = int(program.len() as u32);
    let result = garbage(r, count * 4);
    line(
        count.div_ceil(32),
        32,
        vec![code, n, buffer(ends), result, int(count), float(tolerance)],
    )
}
