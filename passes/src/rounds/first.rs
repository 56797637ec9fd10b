//! What the first round of colouring may do, and whether it can succeed.
//!
//! Fat-point select first tries without spilling where the order of values depends on it.
//! ptxas' budget model, where it is asked, expects that values are spilled or not. Where more
//! is live than there are registers every colouring fails: that takes liveness to see, and no
//! graph. Time: that of liveness. Source: ptxas document, "needs spill".

use crate::analysis::demand::{Demand, most_live};
use crate::analysis::live_range::{LiveRanges, Segment, union};
use crate::analysis::liveness::Liveness;
use crate::assign::attempt::Attempt;
use crate::assign::groups::Groups;
use crate::assign::problem::Target;
use crate::budget::model::Wanted;
use crate::function::{Function, VirtualRegister};
use crate::machine::{File, SubRegisterIndex, gpu};
use crate::settings::{Select, Settings};
use crate::spill::fast_path::fast_path;
use cranelift_entity::SecondaryMap;
use tracing::debug;

/// The first attempt of a driver that lets select spill.
pub fn first_attempt(target: &Target, settings: &Settings) -> Attempt {
    match settings.select {
        Select::FatPoint if settings.wide_first && target.classes.has_wider() => Attempt::NoSpill,
        _ => Attempt::Spill { retry: false },
    }
}

/// Whether ptxas' model expects that values are spilled, if it is asked.
pub fn expects_spills(function: &Function, target: &Target, settings: &Settings) -> Option<bool> {
    let machine = target.machine;
    let (model, file) = (settings.budget_model()?, machine.limited_file()?);
    let wanted = Wanted {
        pair_penalty: u32::from(target.classes.has_wider()),
        demanded: most_live(function, machine, file),
        live: 0,
    };
    let registers = machine.files[file].size;
    let expects = model.needs_spill(&settings.knobs, wanted, registers, gpu::R_SIZE);
    debug!(?wanted, registers, expects, "budget model");
    Some(expects)
}

/// Whether somewhere more is live than a file has registers, values that copies make equal
/// counted once. What uniform registers have too few of does not count: it may leave them.
pub fn exceeds(function: &Function, target: &Target) -> bool {
    let machine = target.machine;
    let is_fast = fast_path(function, machine);
    let limited = machine.limited_file();
    let counts = |file: &File| !is_fast[*file] && limited.is_none_or(|limited| limited == *file);
    let files: Vec<File> = machine.files.keys().filter(counts).collect();
    if files.is_empty() {
        return false;
    }
    let liveness = Liveness::new(function, machine);
    let ranges = LiveRanges::new(function, &liveness);
    let equal = equal_values(function);
    let mut joined: SecondaryMap<VirtualRegister, Vec<Segment>> = SecondaryMap::new();
    let roots = || {
        function
            .virtual_registers
            .keys()
            .filter(|&one| equal.is_root(one))
    };
    for root in roots().filter(|&root| equal.members(root).len() > 1) {
        let members = equal.members(root).iter();
        let segments = members.flat_map(|&(value, _)| ranges.segments(value));
        joined[root] = union(segments.copied().collect());
    }
    let groups = roots().map(|root| {
        let segments = match equal.members(root).len() {
            1 => ranges.segments(root),
            _ => &joined[root],
        };
        (function.virtual_registers[root].class, segments)
    });
    let demand = Demand::new(function, machine, &liveness, groups);
    let mut most = files
        .iter()
        .filter_map(|&file| demand.most_excess(function, file));
    most.any(|excess| excess > 0)
}

/// The values that copies join, whatever else they hold at other times.
fn equal_values(function: &Function) -> Groups {
    let mut groups = Groups::new(function);
    for instruction in function.instructions.keys() {
        if let Some((to, from)) = function.joinable_copy(instruction) {
            let ((a, _), (b, _)) = (groups.find(to), groups.find(from));
            if a != b {
                groups.join(a, b, SubRegisterIndex::WHOLE);
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::examples::live_across;
    use crate::function::{FunctionBuilder, Operand};

    #[test]
    fn more_values_than_registers_fail() {
        let machine = gpu::machine(4);
        let target = Target::new(&machine);
        assert!(!exceeds(&live_across(4, 0), &target));
        assert!(exceeds(&live_across(5, 0), &target));
    }

    #[test]
    fn equal_values_take_one_register() {
        let exceeds = |copied: bool| {
            let machine = gpu::machine(4);
            let mut builder = FunctionBuilder::new("f");
            let values: [_; 5] = std::array::from_fn(|_| builder.virtual_register(gpu::SINGLE32));
            builder.start_block(1.0, 0, &[]);
            for &value in &values[..4] {
                builder.plain(&[Operand::write(value)]);
            }
            match copied {
                true => _ = builder.copy(values[4], values[3]),
                false => _ = builder.plain(&[Operand::write(values[4])]),
            }
            builder.plain(&values.map(Operand::read));
            exceeds(&builder.finish(), &Target::new(&machine))
        };
        assert!(exceeds(false));
        assert!(!exceeds(true));
    }
}
