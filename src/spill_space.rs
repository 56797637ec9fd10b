//! PTX for spill slots in shared memory: the array, and the thread's addresses in it.
//!
//! The shim puts the text in front of a kernel as inline assembly. What it declares is
//! known between its braces only, so that no name can be in the way; the addresses come
//! out in registers of 32 bits, one for each stride. The number of a thread counts through
//! all dimensions of its block. `.reqntid` holds for each of them; `.maxntid` promises
//! nothing but their product, so there they are read at run time.

use passes::allocation::{SharedColumn, SharedFrame};
use passes::launch::{LaunchBounds, SHARED_ALIGNMENT};
use std::ffi::CString;
use std::fmt::Write;

/// The name of the array, by which those who execute PTX know it.
const NAME: &str = "warpalloc_spill_space";

/// The text that makes an address for each stride.
pub fn assembly(frame: &SharedFrame, strides: &[u32], launch: &LaunchBounds) -> Option<CString> {
    CString::new(text(frame, strides, launch.dimensions)).ok()
}

/// Which of these addresses a slot is at.
pub fn address_number(strides: &[u32], column: SharedColumn) -> u32 {
    strides.partition_point(|&stride| stride < column.stride) as u32
}

fn text(frame: &SharedFrame, strides: &[u32], dimensions: Option<[u32; 3]>) -> String {
    let bytes = frame.bytes;
    let mut text = format!(
        "{{\n\t.shared .align {SHARED_ALIGNMENT} .b8 {NAME}[{bytes}];\n\t\
         .reg .b32 space, thread, place, extent;\n\t\
         mov.b32 space, {NAME};"
    );
    let line = |text: &mut String, code: &str| {
        // Writing to a string does not fail.
        let _ = write!(text, "\n\t{code};");
    };
    // The outermost dimension that has more than one place.
    let [_, y, z] = dimensions.unwrap_or([u32::MAX; 3]);
    let outermost = match (y, z) {
        (1, 1) => 0,
        (_, 1) => 1,
        _ => 2,
    };
    let axes = ["x", "y", "z"];
    line(
        &mut text,
        &format!("mov.u32 thread, %tid.{}", axes[outermost]),
    );
    for axis in (0..outermost).rev() {
        let name = axes[axis];
        line(&mut text, &format!("mov.u32 place, %tid.{name}"));
        let extent = match dimensions {
            Some(sizes) => sizes[axis].to_string(),
            None => {
                line(&mut text, &format!("mov.u32 extent, %ntid.{name}"));
                "extent".into()
            }
        };
        line(
            &mut text,
            &format!("mad.lo.u32 thread, thread, {extent}, place"),
        );
    }
    for (number, stride) in strides.iter().enumerate() {
        line(
            &mut text,
            &format!("mad.lo.u32 ${number}, thread, {stride}, space"),
        );
    }
    text.push_str("\n\t}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: SharedFrame = SharedFrame {
        bytes: 2048,
        threads: 128,
    };

    fn instructions(strides: &[u32], dimensions: Option<[u32; 3]>) -> Vec<String> {
        let text = text(&FRAME, strides, dimensions);
        let lines = text.lines().map(str::trim);
        let code = lines.filter(|line| line.starts_with("mov.u32") || line.starts_with("mad"));
        code.map(String::from).collect()
    }

    #[test]
    fn one_dimension_takes_one_number() {
        assert_eq!(
            instructions(&[4, 16], Some([128, 1, 1])),
            [
                "mov.u32 thread, %tid.x;",
                "mad.lo.u32 $0, thread, 4, space;",
                "mad.lo.u32 $1, thread, 16, space;",
            ]
        );
    }

    #[test]
    fn known_extents_are_constants() {
        assert_eq!(
            instructions(&[8], Some([32, 4, 1])),
            [
                "mov.u32 thread, %tid.y;",
                "mov.u32 place, %tid.x;",
                "mad.lo.u32 thread, thread, 32, place;",
                "mad.lo.u32 $0, thread, 8, space;",
            ]
        );
        let deep = instructions(&[8], Some([32, 1, 4]));
        assert_eq!(deep[0], "mov.u32 thread, %tid.z;");
        assert_eq!(deep[2], "mad.lo.u32 thread, thread, 1, place;");
        assert_eq!(deep.len(), 6);
    }

    #[test]
    fn a_mere_bound_says_nothing_of_extents() {
        assert_eq!(
            instructions(&[4], None),
            [
                "mov.u32 thread, %tid.z;",
                "mov.u32 place, %tid.y;",
                "mov.u32 extent, %ntid.y;",
                "mad.lo.u32 thread, thread, extent, place;",
                "mov.u32 place, %tid.x;",
                "mov.u32 extent, %ntid.x;",
                "mad.lo.u32 thread, thread, extent, place;",
                "mad.lo.u32 $0, thread, 4, space;",
            ]
        );
    }
}
