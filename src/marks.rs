//! The attributes that passes over LLVM IR leave to one another, and take away at the end.

/// The function was changed: LLVM's passes run over it. The shim looks for it, too.
pub const CHANGED: &str = "warpalloc-changed";
/// It was, since LLVM's passes last ran over what is new. The shim looks for it, and takes it away.
pub const NEWLY_CHANGED: &str = "warpalloc-newly-changed";
/// Its stack variables stay.
pub const REFUSED: &str = "warpalloc-not-promoted";
/// It is a copy of what a function was.
pub const ORIGINAL: &str = "warpalloc-original";
/// It is left as it is.
pub const UNPREPARED: &str = "warpalloc-unprepared";

/// All of them.
pub const MARKS: [&str; 5] = [CHANGED, NEWLY_CHANGED, REFUSED, ORIGINAL, UNPREPARED];
