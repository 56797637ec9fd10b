//! The loops of a function, as LLVM's analyses know them.

use super::Unit;
use super::value::Value;
use crate::abi::{WARPALLOC_NONE, WarpallocIrIngredients, WarpallocIrLoop, WarpallocIrLoops};
use inkwell::llvm_sys::core::LLVMGetBasicBlockTerminator;
use inkwell::values::{AsValueRef, FunctionValue};
use std::ffi::{CStr, c_char, c_void};
use std::mem::MaybeUninit;
use std::{ptr, slice};

unsafe extern "C" {
    /// Fills `out`, which lasts as long as the table that is returned.
    fn warpalloc_ir_loops_new(
        analyses: *mut c_void,
        function: *mut c_void,
        measured: bool,
        out: *mut WarpallocIrLoops,
    ) -> *mut c_void;
    fn warpalloc_ir_loops_free(table: *mut c_void);
    /// What `out` points to lasts until this is called again.
    fn warpalloc_ir_ingredients(
        table: *mut c_void,
        value: *mut c_void,
        out: *mut WarpallocIrIngredients,
    );
    /// The innermost loop that a block is in.
    fn warpalloc_ir_loop_of(table: *const c_void, block: *mut c_void) -> u32;
    /// Writes an attribute without a value into a loop's metadata.
    fn warpalloc_ir_loop_unroll(table: *mut c_void, number: u32, attribute: *const c_char);
}

/// How often a loop runs, where nothing is known.
const TRIPS: f64 = 8.0;

/// The loops of a function. Nothing may change its blocks while this lives.
pub struct Loops {
    table: *mut c_void,
    rows: WarpallocIrLoops,
}

impl Loops {
    /// Asks LLVM.
    pub fn new(unit: &Unit, function: FunctionValue) -> Self {
        Self::ask(unit, function, false)
    }

    /// The same with the sizes of loops, and whether they can be unrolled: LLVM looks at each
    /// of their instructions.
    pub fn measured(unit: &Unit, function: FunctionValue) -> Self {
        Self::ask(unit, function, true)
    }

    fn ask(unit: &Unit, function: FunctionValue, measured: bool) -> Self {
        let mut rows = WarpallocIrLoops {
            loops: ptr::null(),
            count: 0,
        };
        // SAFETY: the unit's analyses are those of the function's module.
        let table = unsafe {
            warpalloc_ir_loops_new(
                unit.analyses(),
                function.as_value_ref().cast(),
                measured,
                &mut rows,
            )
        };
        Self { table, rows }
    }

    /// Outer loops before those in them.
    pub fn rows(&self) -> &[WarpallocIrLoop] {
        if self.rows.count == 0 {
            return &[];
        }
        // SAFETY: the shim has filled them, and they live as long as the table.
        unsafe { slice::from_raw_parts(self.rows.loops, self.rows.count as usize) }
    }

    /// The loop whose header a phi stands in.
    pub fn headed_by(&self, phi: Value) -> Option<usize> {
        let block = phi.block().cast::<c_void>();
        self.rows().iter().position(|row| row.header == block)
    }

    /// The end of the block in front of a loop, if there is one that leads nowhere else.
    pub fn place_before(&self, number: usize) -> Option<Value> {
        let block = self.rows()[number].preheader;
        // SAFETY: null, or a block of finished code, which has a terminator.
        (!block.is_null()).then(|| unsafe { Value::new(LLVMGetBasicBlockTerminator(block.cast())) })
    }

    /// What a value is computed from: loops whose iterations it depends on, and values
    /// that LLVM's scalar evolution does not see through, maybe itself.
    pub fn ingredients(&self, value: Value) -> (Vec<usize>, Vec<Value>) {
        let mut out = MaybeUninit::<WarpallocIrIngredients>::uninit();
        // SAFETY: the table lives, the value is one of the function's; `out` is written.
        let out = unsafe {
            warpalloc_ir_ingredients(self.table, value.as_ref().cast(), out.as_mut_ptr());
            out.assume_init()
        };
        let counters = (0..out.counter_count as usize)
            // SAFETY: below the count, and not asked again so far.
            .map(|number| unsafe { *out.counters.add(number) } as usize);
        let unknown = (0..out.unknown_count as usize)
            // SAFETY: as before; they are values of the function.
            .map(|number| unsafe { Value::new((*out.unknown.add(number)).cast()) });
        (counters.collect(), unknown.collect())
    }

    /// The innermost loop that an instruction is in.
    pub fn around(&self, instruction: Value) -> Option<usize> {
        // SAFETY: the table lives, and the block is one of the function's.
        let number = unsafe { warpalloc_ir_loop_of(self.table, instruction.block().cast()) };
        (number != WARPALLOC_NONE).then_some(number as usize)
    }

    /// The loop `number`, the one around it, and so on.
    pub fn chain(&self, number: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(number, |&one| self.parent(one))
    }

    /// How often an instruction runs, by the loops around it alone.
    pub fn frequency(&self, instruction: Value) -> f64 {
        let depth = self.chain(self.around(instruction)).count();
        TRIPS.powi(depth as i32)
    }

    /// How often an instruction runs, by the loops around it, where they say how often they do.
    pub fn iterations(&self, instruction: Value) -> f64 {
        let loops = self.chain(self.around(instruction));
        let trips = loops.map(|number| match self.rows()[number].trip_count {
            0 => TRIPS,
            known => f64::from(known),
        });
        trips.product()
    }

    fn parent(&self, number: usize) -> Option<usize> {
        let parent = self.rows()[number].parent;
        (parent != WARPALLOC_NONE).then_some(parent as usize)
    }

    /// Has LLVM's unrolling do as `attribute` says.
    pub fn annotate(&self, number: usize, attribute: &CStr) {
        // SAFETY: the number is that of a row.
        unsafe { warpalloc_ir_loop_unroll(self.table, number as u32, attribute.as_ptr()) }
    }
}

impl Drop for Loops {
    fn drop(&mut self) {
        // SAFETY: made above, and given back once.
        unsafe { warpalloc_ir_loops_free(self.table) }
    }
}
