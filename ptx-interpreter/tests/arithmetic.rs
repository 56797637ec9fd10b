//! Edge cases of arithmetic and conversions.

use ptx_interpreter::arithmetic::{binary, compare, insert, ternary, unary, with_carry};
use ptx_interpreter::convert::convert;
use ptx_interpreter::operation::*;
use ptx_interpreter::types::Type;

fn f(x: f32) -> u64 {
    u64::from(x.to_bits())
}

fn two(op: Binary, kind: Type, a: u64, b: u64) -> u64 {
    binary(op, kind, false, a, b).unwrap()
}

#[test]
fn integers_wrap_and_keep_their_signs() {
    assert_eq!(two(Binary::Add, Type::S32, 0x7fff_ffff, 1), 0x8000_0000);
    assert_eq!(two(Binary::Multiply, Type::U64, u64::MAX, u64::MAX), 1);
    assert_eq!(
        two(Binary::MultiplyHigh, Type::U64, u64::MAX, u64::MAX),
        u64::MAX - 1
    );
    assert_eq!(
        two(Binary::MultiplyHigh, Type::S32, 0xffff_ffff, 5),
        0xffff_ffff
    );
    assert_eq!(
        two(Binary::MultiplyWide, Type::S32, 0xffff_ffff, 2),
        -2i64 as u64
    );
    assert_eq!(
        two(Binary::MultiplyWide, Type::U32, 0xffff_ffff, 2),
        0x1_ffff_fffe
    );
    assert_eq!(two(Binary::Divide, Type::S32, 0xffff_fff9, 2), 0xffff_fffd);
    assert_eq!(
        two(Binary::Remainder, Type::S32, 0xffff_fff9, 2),
        0xffff_ffff
    );
    assert_eq!(two(Binary::Minimum, Type::S32, 0xffff_ffff, 1), 0xffff_ffff);
    assert_eq!(two(Binary::Minimum, Type::U32, 0xffff_ffff, 1), 1);
}

#[test]
fn the_sign_is_that_of_the_first() {
    assert_eq!(two(Binary::CopySign, Type::F32, f(-0.0), f(2.5)), f(-2.5));
    assert_eq!(two(Binary::CopySign, Type::F32, f(7.0), f(-2.5)), f(2.5));
    assert_eq!(binary(Binary::CopySign, Type::U32, false, 1, 1), None);
}

#[test]
fn bytes_are_multiplied_as_each_side_has_them() {
    let dot = |signed, values| ternary(Ternary::DotBytes { signed }, Type::B32, false, values);
    let bytes = [0xff02_0380, 0x0201_0402, 10];
    let sums = [[true, true], [false, false], [true, false], [false, true]];
    let sums = sums.map(|signed| dot(signed, bytes).unwrap() as u32 as i32);
    let (unsigned, signed) = (2 * 128 + 12 + 2 + 2 * 255, -2 * 128 + 12 + 2 - 2);
    assert_eq!(
        sums,
        [signed + 10, unsigned + 10, signed + 10, unsigned + 10]
    );
    let wraps = dot([true, true], [0xff, 1, 0]).unwrap();
    assert_eq!(wraps, 0xffff_ffff);
}

#[test]
fn shifts_are_clamped() {
    assert_eq!(two(Binary::ShiftLeft, Type::B32, 1, 32), 0);
    assert_eq!(two(Binary::ShiftLeft, Type::B32, 1, 31), 0x8000_0000);
    assert_eq!(two(Binary::ShiftRight, Type::U32, 0x8000_0000, 40), 0);
    assert_eq!(
        two(Binary::ShiftRight, Type::S32, 0x8000_0000, 40),
        0xffff_ffff
    );
    assert_eq!(two(Binary::ShiftLeft, Type::B64, 1, 63), 1 << 63);
}

#[test]
fn bits_are_extracted_inserted_and_permuted() {
    let three = |op, kind, v| ternary(op, kind, false, v).unwrap();
    assert_eq!(three(Ternary::ExtractBits, Type::U32, [0xabcd, 4, 8]), 0xbc);
    assert_eq!(
        three(Ternary::ExtractBits, Type::S32, [0x80, 4, 4]),
        0xffff_fff8
    );
    assert_eq!(
        three(Ternary::ExtractBits, Type::S32, [0x8000_0000, 28, 8]),
        0xffff_fff8
    );
    assert_eq!(
        three(Ternary::ExtractBits, Type::U32, [0xffff_ffff, 40, 8]),
        0
    );
    assert_eq!(insert(Type::B32, [0xff, 0, 4, 4]), Some(0xf0));
    assert_eq!(
        three(Ternary::PermuteBytes, Type::B32, [0x1122_3344, 0, 0x0123]),
        0x4433_2211
    );
    assert_eq!(
        three(Ternary::PermuteBytes, Type::B32, [0x80, 0, 0x8888]),
        0xffff_ffff
    );
    let right = Ternary::FunnelRight { clamp: false };
    assert_eq!(
        three(right, Type::B32, [0x8000_0001, 0x8000_0001, 1]),
        0xc000_0000
    );
    let left = Ternary::FunnelLeft { clamp: true };
    assert_eq!(three(left, Type::B32, [7, 9, 32]), 7);
    assert_eq!(unary(Unary::FindBit(true), Type::U32, false, 1), Some(31));
    assert_eq!(unary(Unary::LeadingZeros, Type::B32, false, 0), Some(32));
    assert_eq!(
        unary(Unary::ReverseBits, Type::B32, false, 1),
        Some(0x8000_0000)
    );
}

#[test]
fn carries_go_from_one_half_to_the_other() {
    let (low, carry) = with_carry(Some(false), [0xffff_ffff, 0xffff_ffff, 0xffff_ffff], false);
    assert_eq!((low, carry), (0, true));
    let (high, carry) = with_carry(Some(true), [0xffff_ffff, 0xffff_ffff, 0], carry);
    assert_eq!((high, carry), (0xffff_ffff, false));
}

#[test]
fn floats_compare_and_round_as_ieee_says() {
    let nan = f(f32::NAN);
    assert_eq!(
        compare(Comparison::NotEqual, Type::F32, nan, nan),
        Some(false)
    );
    assert_eq!(
        compare(Comparison::NotEqualOrNan, Type::F32, nan, nan),
        Some(true)
    );
    assert_eq!(compare(Comparison::Less, Type::B32, 1, 2), None);
    assert_eq!(two(Binary::Maximum, Type::F32, nan, f(1.0)), f(1.0));
    assert_eq!(two(Binary::Minimum, Type::F32, f(0.0), f(-0.0)), f(-0.0));
    assert_eq!(
        two(
            Binary::Subtract,
            Type::F32,
            f(f32::INFINITY),
            f(f32::INFINITY)
        ),
        0x7fff_ffff
    );
    let fused = |r, c| {
        ternary(
            Ternary::FusedMultiplyAdd(r),
            Type::F32,
            false,
            [f(1.0), f(1.0), c],
        )
    };
    let tiny = f(1e-20);
    assert_eq!(fused(Rounding::Nearest, tiny), Some(f(1.0)));
    assert_eq!(fused(Rounding::Up, tiny), Some(f(1.0f32.next_up())));
    assert_eq!(
        fused(Rounding::Down, f(-1e-20)),
        Some(f(1.0f32.next_down()))
    );
    assert_eq!(fused(Rounding::Down, tiny), Some(f(1.0)));
}

#[test]
fn conversions_round_and_saturate() {
    let how = |to, from, rounding, saturate| Conversion {
        to,
        from,
        rounding,
        saturate,
        flush: false,
    };
    let integer = ConvertRounding::Integer;
    let to_int = how(Type::S32, Type::F32, integer(Rounding::Zero), false);
    assert_eq!(convert(to_int, f(-1.9)), Some(0xffff_ffff));
    assert_eq!(convert(to_int, f(1e20)), Some(0x7fff_ffff));
    assert_eq!(convert(to_int, f(f32::NAN)), Some(0));
    let nearest = how(Type::S32, Type::F32, integer(Rounding::Nearest), false);
    assert_eq!(convert(nearest, f(2.5)), Some(2));
    let clamp = how(Type::F32, Type::F32, ConvertRounding::None, true);
    assert_eq!(convert(clamp, f(-3.0)), Some(0));
    assert_eq!(convert(clamp, f(3.0)), Some(f(1.0)));
    assert_eq!(convert(clamp, f(f32::NAN)), Some(0));
    let narrow = how(Type::U8, Type::S32, ConvertRounding::None, true);
    assert_eq!(convert(narrow, 0xffff_ffff), Some(0));
    let unrounded = how(Type::F32, Type::S32, ConvertRounding::None, false);
    assert_eq!(convert(unrounded, 1), None);
}
