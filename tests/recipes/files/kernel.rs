//! A kernel that does without `core`, which rustup need not have for the target then.
#![feature(no_core, lang_items, abi_ptx, link_llvm_intrinsics, intrinsics)]
#![allow(internal_features)]
#![no_core]

#[lang = "pointee_sized"]
pub trait PointeeSized {}
#[lang = "meta_sized"]
pub trait MetaSized: PointeeSized {}
#[lang = "sized"]
pub trait Sized: MetaSized {}
#[lang = "copy"]
pub trait Copy {}
impl Copy for f32 {}

#[lang = "mul"]
pub trait Mul<Right = Self> {
    type Output;
    fn mul(self, right: Right) -> Self::Output;
}
impl Mul for f32 {
    type Output = f32;
    fn mul(self, right: f32) -> f32 {
        self * right
    }
}

#[rustc_intrinsic]
pub unsafe fn arith_offset<T>(from: *const T, count: isize) -> *const T;

unsafe extern "C" {
    #[link_name = "llvm.nvvm.read.ptx.sreg.tid.x"]
    fn thread() -> i32;
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn scale(data: *mut f32) {
    unsafe {
        let mine = arith_offset(data as *const f32, thread() as isize) as *mut f32;
        *mine = *mine * 3.0;
    }
}
