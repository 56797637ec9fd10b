//! Sentences and their keys, for small functions.

use super::source::{DebugInformation, SourceLine, Variable};
use super::*;
use passes::budget::{self, BudgetSource};
use passes::function::{FunctionBuilder, Operand, VirtualRegister};
use passes::machine::{File, gpu};
use passes::search::{Found, Search, Worth};
use passes::settings::Settings;

/// Four values, written on lines 1 to 4 and read in the same order on lines 5 to 8; the
/// second and the third are parts of one variable, the fourth has no name.
fn function() -> (Function, DebugInformation) {
    let mut builder = FunctionBuilder::new("k");
    builder.kernel(true);
    let values = [(); 4].map(|()| builder.virtual_register(gpu::SINGLE32));
    builder.start_block(1.0, 0, &[]);
    for value in values {
        builder.plain(&[Operand::write(value)]);
    }
    for value in values {
        builder.plain(&[Operand::read(value)]);
    }
    let location = |line, inlined_at| SourceLine {
        file: "k.cu".into(),
        line,
        inlined_at,
    };
    let variable = |name: &str, fragment| {
        let name = name.into();
        Some(Variable { name, fragment })
    };
    let source = DebugInformation {
        locations: (1..=8).map(|line| location(line, None)).collect(),
        of_instruction: (0..8).map(Some).collect(),
        variables: vec![
            variable("a", None),
            variable("both", Some((0, 32))),
            variable("both", Some((32, 32))),
            None,
        ],
        ..DebugInformation::default()
    };
    (builder.finish(), source)
}

fn at_most(threads: Option<u32>) -> LaunchBounds {
    LaunchBounds {
        most_threads: threads,
        ..LaunchBounds::default()
    }
}

/// The remarks about a function with so many registers, of which ptxas takes `taken`.
fn said(function: &Function, source: &DebugInformation, limit: u32, taken: u32) -> Vec<Remark> {
    let machine = gpu::machine(gpu::R_SIZE);
    let settings = Settings {
        pressure_limit: Some(limit),
        ..Settings::default()
    };
    let allocation = passes::allocate(function, &machine, &settings).expect("fits");
    let sm = StreamingMultiprocessor::nearest(90);
    let launch = at_most(Some(512));
    remarks(&Facts {
        function,
        machine: &budget::restrict_to_asked(&machine, &settings),
        allocation: &allocation,
        source,
        gpu: Some(GpuFacts {
            sm,
            launch: &launch,
            shared_space: None,
            budget: &Budget {
                file: File::from_u32(0),
                reserved: 0,
                registers: limit,
                source: BudgetSource::PressureLimit,
                reason: "the test".into(),
            },
            prediction: Prediction::new(taken, sm, &launch),
            without_budget: 70,
        }),
    })
}

fn texts(remarks: &[Remark], name: &str) -> Vec<String> {
    let named = remarks.iter().filter(|remark| remark.name == name);
    named.map(ToString::to_string).collect()
}

fn values<'a>(remarks: &'a [Remark], name: &str, key: &str) -> Vec<&'a str> {
    let named = remarks.iter().filter(|remark| remark.name == name);
    let arguments = named.flat_map(|remark| &remark.arguments);
    let found = arguments.filter(|argument| argument.key == key);
    found.map(|argument| argument.value.as_str()).collect()
}

#[test]
fn registers_and_occupancy() {
    let (function, source) = function();
    let found = said(&function, &source, 255, 70);
    assert_eq!(
        texts(&found, "Registers"),
        ["'k' takes about 70 registers a thread; its budget is 255, from the test"]
    );
    assert_eq!(
        texts(&found, "Occupancy"),
        [
            "with 'k', 16 of the 64 warps of an SM are resident (25 percent): 1 block of 512 threads, \
             limited by registers; with 6 registers fewer, 64, it would be 2 blocks and 32 \
             warps (50 percent); there is room for 58 more registers"
        ]
    );
    let found = said(&function, &source, 32, 31);
    assert_eq!(
        texts(&found, "Registers"),
        [
            "'k' takes about 31 registers a thread, and would take about 70 without a budget; \
         its budget is 32, from the test"
        ]
    );
    assert_eq!(
        texts(&found, "Occupancy"),
        [
            "with 'k', 64 of the 64 warps of an SM are resident (100 percent): 4 blocks of 512 threads, \
             limited by the warps an SM can hold and registers; fewer registers would not make \
             it more; there is room for 1 more register"
        ]
    );
}

#[test]
fn device_functions_have_no_occupancy() {
    let (mut function, source) = function();
    function.kernel = false;
    let found = said(&function, &source, 255, 40);
    assert_eq!(texts(&found, "Registers").len(), 1);
    assert_eq!(texts(&found, "Occupancy").len(), 0);
}

#[test]
fn an_unknown_block_size_is_a_guess() {
    let sm = StreamingMultiprocessor::nearest(90);
    let gpu = |launch: LaunchBounds| {
        let remark = occupancy(
            &function().0,
            &GpuFacts {
                sm,
                launch: &launch,
                shared_space: None,
                budget: &Budget {
                    file: File::from_u32(0),
                    reserved: 0,
                    registers: 255,
                    source: BudgetSource::RegisterFile,
                    reason: String::new(),
                },
                prediction: Prediction::new(40, sm, &launch),
                without_budget: 40,
            },
        );
        remark.to_string()
    };
    assert!(gpu(at_most(None)).contains("6 blocks of 256 threads, which is a guess,"));
    assert!(gpu(at_most(Some(256))).contains("6 blocks of 256 threads, limited"));
    let shared = LaunchBounds {
        shared_memory: 100 * 1024,
        ..at_most(Some(256))
    };
    assert!(gpu(shared).contains("limited by shared memory; fewer registers would not"));
}

#[test]
fn spilled_values_and_where_they_come_from() {
    let (function, source) = function();
    assert_eq!(texts(&said(&function, &source, 4, 4), "Spills").len(), 0);
    let found = said(&function, &source, 1, 4);
    assert_eq!(
        texts(&found, "Spills"),
        [
            "4 values of 'k' are spilled: 4 stores and 4 reloads, executed about 8.0 times when \
         the function runs once"
        ]
    );
    let spilled = texts(&found, "Spilled");
    let rest = ", is spilled: 1 store and 1 reload, executed about 2.0 times when the function \
                runs once";
    let expected = [
        "'a' (4 bytes), defined at line 1 of k.cu",
        "a part of 'both' (4 bytes from byte 0 on), defined at line 2 of k.cu",
        "a part of 'both' (4 bytes from byte 4 on), defined at line 3 of k.cu",
        "a value without a name (%3, 4 bytes), defined at line 4 of k.cu",
    ];
    assert_eq!(spilled, expected.map(|text| format!("{text}{rest}")));
    let mut missed = found.iter().filter(|remark| remark.kind == Kind::Missed);
    assert!(missed.all(|remark| remark.name == "Spilled"));
    let at: Vec<_> = found.iter().filter(|one| one.name == "Spilled").collect();
    let at: Vec<_> = at
        .iter()
        .map(|one| one.at.map(Instruction::as_u32))
        .collect();
    assert_eq!(at, [0, 1, 2, 3].map(Some));
    assert_eq!(
        values(&found, "Spilled", "Value"),
        ["a", "both", "both", "%3"]
    );
    assert_eq!(values(&found, "Spilled", "FirstByte"), ["0", "4"]);
}

#[test]
fn without_a_line_of_its_definition_a_value_has_that_of_a_use() {
    let (function, mut source) = function();
    source.of_instruction[0] = None;
    source.locations[4].inlined_at = Some(1);
    let found = said(&function, &source, 1, 4);
    let first = &texts(&found, "Spilled")[0];
    let start = "'a' (4 bytes), first used at line 5 of k.cu (inlined at line 2), is spilled";
    assert!(first.starts_with(start), "{first}");
    assert_eq!(values(&found, "Spilled", "InlinedAtLine"), ["2"]);
}

#[test]
fn lines_with_high_pressure() {
    let (function, source) = function();
    let found = said(&function, &source, 3, 4);
    let expected = [
        "line 4 of k.cu has the highest register pressure: 4 registers of R are live where 3 \
         can be had: 2 for 'both', 1 for 'a', 1 for others",
        "line 5 of k.cu has the second highest register pressure: 4 registers of R are live \
         where 3 can be had: 2 for 'both', 1 for 'a', 1 for others",
        "line 3 of k.cu has the third highest register pressure: 3 registers of R are live \
         where 3 can be had: 2 for 'both', 1 for 'a'",
    ];
    assert_eq!(texts(&found, "HighPressure"), expected);
    assert_eq!(values(&found, "HighPressure", "Line"), ["4", "5", "3"]);
    assert_eq!(values(&found, "HighPressure", "Live"), ["4", "4", "3"]);
}

#[test]
fn one_line_counts_once_wherever_it_is_inlined() {
    let (function, mut source) = function();
    for location in &mut source.locations[3..] {
        location.line = 4;
    }
    source.locations[4].inlined_at = Some(0);
    let found = said(&function, &source, 255, 4);
    assert_eq!(values(&found, "HighPressure", "Line"), ["4", "3", "2"]);
}

#[test]
fn what_has_no_line_counts_to_what_stands_before() {
    let (function, mut source) = function();
    for number in 1..8 {
        source.of_instruction[number] = None;
    }
    let found = said(&function, &source, 255, 4);
    assert_eq!(values(&found, "HighPressure", "Line"), ["1"]);
    assert_eq!(values(&found, "HighPressure", "Live"), ["4"]);
    let remark = found.iter().find(|one| one.name == "HighPressure");
    let at = remark.and_then(|one| one.at);
    assert_eq!(at.map(Instruction::as_u32), Some(0));
}

#[test]
fn without_debug_information_remarks_say_how_to_get_it() {
    let (function, mut source) = function();
    source.variables.clear();
    let found = texts(&said(&function, &source, 255, 4), "HighPressure");
    assert_eq!(found.len(), 3);
    assert!(found[0].ends_with("-debug-info-kind=constructor to have variables named"));
    assert!(found[1].ends_with("can be had"));
    let found = said(&function, &DebugInformation::default(), 3, 4);
    assert_eq!(
        texts(&found, "HighPressure"),
        [
            "where the register pressure of 'k' is highest, 4 registers of R are live where 3 can be \
         had; compile with -g to have lines named"
        ]
    );
    let spilled = &texts(&found, "Spilled")[0];
    assert!(
        spilled.starts_with("a value without a name (%"),
        "{spilled}"
    );
}

#[test]
fn another_round_has_no_pressure_of_its_own() {
    let (function, mut source) = function();
    source.is_again = true;
    let found = said(&function, &source, 3, 4);
    assert_eq!(texts(&found, "HighPressure").len(), 0);
    assert_eq!(texts(&found, "Spilled").len(), 1);
}

#[test]
fn names_follow_copies_unless_they_disagree() {
    let mut builder = FunctionBuilder::new("f");
    let values = [(); 6].map(|()| builder.virtual_register(gpu::SINGLE32));
    let [named, copy, copied_again, other, source_of_both, alone] = values;
    builder.start_block(1.0, 0, &[]);
    builder.plain(&[Operand::write(source_of_both), Operand::write(alone)]);
    builder.copy(named, source_of_both);
    builder.copy(other, source_of_both);
    builder.copy(copy, named);
    builder.copy(copied_again, copy);
    let function = builder.finish();
    let mut source = DebugInformation {
        variables: vec![None; 6],
        ..DebugInformation::default()
    };
    let variable = |name: &str| Variable {
        name: name.into(),
        fragment: None,
    };
    source.variables[0] = Some(variable("n"));
    source.variables[3] = Some(variable("o"));
    source.name_copies(&function);
    let name = |value: VirtualRegister| source.variable(value).map(|one| one.name.as_str());
    let found = values.map(name);
    assert_eq!(
        found,
        [Some("n"), Some("n"), Some("n"), Some("o"), None, None]
    );
}

#[test]
fn tables_hold_what_is_said() {
    let (function, source) = function();
    let found = said(&function, &source, 1, 4);
    let tables = remark::Tables::new(&found);
    assert_eq!(tables.remarks.len(), found.len());
    let read = |pointer| {
        // SAFETY: a text of the tables, which are still there.
        unsafe { std::ffi::CStr::from_ptr(pointer) }
            .to_string_lossy()
            .into_owned()
    };
    for (data, remark) in tables.remarks.iter().zip(&found) {
        let range = data.argument_begin as usize..data.argument_end as usize;
        let arguments = &tables.arguments[range];
        let text: String = arguments.iter().map(|one| read(one.value)).collect();
        assert_eq!(text, remark.to_string());
        let keys: Vec<_> = arguments.iter().map(|one| read(one.key)).collect();
        assert!(keys.iter().eq(remark.arguments.iter().map(|one| one.key)));
        assert_eq!(read(data.name), remark.name);
        assert_eq!(data.is_missed, remark.kind == Kind::Missed);
    }
}

#[test]
fn where_slots_are_that_are_wanted_in_shared_memory() {
    let (function, source) = function();
    let machine = gpu::machine(gpu::R_SIZE);
    let space = SharedSpace {
        threads: 128,
        bytes: 4096,
        is_scaled: true,
    };
    let said = |asked: Option<Result<SharedSpace, NoSharedSpace>>, limit| {
        let settings = Settings {
            pressure_limit: Some(limit),
            ..Settings::default()
        };
        let budget = budget::asked(&machine, &settings);
        let search = Search {
            function: &function,
            machine: &machine,
            settings: &settings,
            budget: budget.as_ref(),
            shared_space: asked.and_then(Result::ok),
            orders: None,
            worth: Worth::default(),
        };
        let Found { allocation, .. } = search.run().expect("fits");
        let sm = StreamingMultiprocessor::nearest(80);
        let launch = at_most(Some(128));
        remarks(&Facts {
            function: &function,
            machine: &budget::restrict_to_asked(&machine, &settings),
            allocation: &allocation,
            source: &source,
            gpu: Some(GpuFacts {
                sm,
                launch: &launch,
                shared_space: asked,
                budget: &Budget {
                    file: File::from_u32(0),
                    reserved: 0,
                    registers: limit,
                    source: BudgetSource::PressureLimit,
                    reason: "the test".into(),
                },
                prediction: Prediction::new(limit, sm, &launch),
                without_budget: 70,
            }),
        })
    };
    let about = |remarks: &[Remark]| {
        [
            texts(remarks, "LocalSpills"),
            texts(remarks, "SharedSpills"),
        ]
        .concat()
    };
    let reason = Some(Err(NoSharedSpace::Calls));
    let stays = "the spill slots of 'k' stay in local memory: ";
    assert_eq!(
        about(&said(reason, 2)),
        [format!("{stays}it calls functions")]
    );
    assert_eq!(
        about(&said(Some(Ok(space)), 2)),
        [format!("{stays}shared memory would not be cheaper")]
    );
    // Nobody asked, or nothing is spilled.
    assert!(about(&said(None, 2)).is_empty());
    assert!(about(&said(reason, 255)).is_empty());
}
