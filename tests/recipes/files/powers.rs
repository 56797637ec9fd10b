//! Sums of powers.
#![no_std]

#[unsafe(no_mangle)]
pub extern "C" fn sum_of_powers(count: i32, exponent: i32) -> i64 {
    (1..=i64::from(count))
        .map(|base| (0..exponent).fold(1, |power: i64, _| power.wrapping_mul(base)))
        .sum()
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
