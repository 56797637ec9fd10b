//! Time and memory of an allocation against the number of virtual registers, by
//! both selects, and what the parts of fat-point select and the distribution over
//! register files cost.
//!
//! `cargo bench -p passes --bench scaling` gives times; with `-- --memory` it
//! prints the peak memory and the processor time of one allocation of each kind instead,
//! and by what power of the values the time grows up to the largest.

mod shapes;

use criterion::{BenchmarkId, Criterion, Throughput};
use passes::allocate;
use passes::analysis::uniformity::Uniformity;
use passes::distribute::{Distribution, moves_loads};
use passes::fatpoint::columns::Columns;
use passes::fatpoint::histogram::Histogram;
use passes::function::{Function, InstructionFlags};
use passes::machine::gpu;
use passes::settings::{Select, Settings};
use passes::spill::cost::spill_costs;
use passes::spill::rematerialisation;
use passes::spill::work::Work;
use shapes::Shape;
use std::hint::black_box;
use std::time::Duration;

const SELECTS: [(&str, Select); 2] = [("graph", Select::Graph), ("fatpoint", Select::FatPoint)];
const SIZES: [usize; 4] = [100, 1_000, 10_000, 100_000];

fn settings(select: Select) -> Settings {
    Settings {
        select,
        ..Settings::default()
    }
}

fn scaling(criterion: &mut Criterion) {
    let machine = gpu::machine(255);
    for shape in Shape::ALL {
        let mut group = criterion.benchmark_group(format!("{shape:?}"));
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(300));
        group.measurement_time(Duration::from_secs(2));
        for size in SIZES {
            let function = shape.function(size);
            group.throughput(Throughput::Elements(function.virtual_registers.len() as u64));
            for (name, select) in SELECTS {
                let settings = settings(select);
                group.bench_function(BenchmarkId::new(name, size), |bencher| {
                    bencher
                        .iter(|| allocate(&function, &machine, &settings).expect("an allocation"));
                });
            }
        }
        group.finish();
    }
}

/// Which values are uniform and go to uniform registers: where nearly all are, and where
/// divergence spreads to nearly all.
fn distribution(criterion: &mut Criterion) {
    let machine = gpu::machine(255);
    let settings = Settings::default();
    let mut group = criterion.benchmark_group("Distribution");
    group.sample_size(10);
    for shape in Shape::ALL {
        for (name, divergent) in [("uniform", usize::MAX), ("divergent", 16)] {
            let function = kernel(shape.function(200_000), divergent);
            group.throughput(Throughput::Elements(function.instructions.len() as u64));
            group.bench_function(BenchmarkId::new(name, format!("{shape:?}")), |bencher| {
                let rematerialisations = rematerialisation::wanted(&settings, &function, &machine);
                let work = Work::new(&function, &machine, rematerialisations, 1.0);
                bencher.iter(|| {
                    let costs = spill_costs(&work, &settings);
                    let uniformity = Uniformity::new(black_box(&function));
                    Distribution::new(
                        &function,
                        &machine,
                        &uniformity,
                        costs,
                        moves_loads(&settings),
                    )
                });
            });
        }
    }
    group.finish();
}

/// A kernel of which one instruction in so many is a source of divergence.
fn kernel(mut function: Function, divergent: usize) -> Function {
    function.kernel = true;
    for (number, data) in function.instructions.values_mut().enumerate() {
        data.flags |= match number % divergent {
            1 if divergent != usize::MAX => InstructionFlags::DIVERGENT,
            _ => InstructionFlags::UNIFORM_PATH | InstructionFlags::UNIFORM_SOURCE,
        };
    }
    function
}

/// The minimum scan beside the same loop forced to look at one slot at a time.
fn scan(criterion: &mut Criterion) {
    let machine = gpu::machine(255);
    let columns = Columns::new(&machine);
    let mut histogram = Histogram::new(1);
    let rows: Vec<[[u64; 8]; 1]> = (0..50u64).map(|row| [[row << 57 | row; 8]]).collect();
    let mut group = criterion.benchmark_group("Histogram");
    group.bench_function("count 50 rows", |bencher| {
        bencher.iter(|| {
            histogram.clear();
            for row in &rows {
                histogram.count_row(black_box(row));
            }
            histogram.finish();
        });
    });
    let slots = columns.slots(gpu::SINGLE32);
    histogram.gather(slots);
    histogram.start_secondary(slots, &[1; 512]);
    group.bench_function("minimum of 255 slots", |bencher| {
        bencher.iter(|| black_box(&histogram).minimum(50));
    });
    group.bench_function("minimum of 255 slots, one by one", |bencher| {
        bencher.iter(|| one_by_one(black_box(&histogram), 50));
    });
}

fn one_by_one(histogram: &Histogram, threshold: u32) -> Option<usize> {
    let mut best: Option<(u32, u32, usize)> = None;
    for slot in 0..histogram.primary.len() {
        let primary = black_box(histogram.primary[slot]);
        let secondary = histogram.secondary[slot];
        if primary <= threshold && best.is_none_or(|(p, s, _)| (primary, secondary) < (p, s)) {
            best = Some((primary, secondary, slot));
        }
    }
    best.map(|(_, _, slot)| slot)
}

/// Peak memory counts from the start of a process, so each run has its own. It prints
/// seconds and megabytes.
fn memory() {
    let machine = gpu::machine(255);
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, flag, shape, select, size] = &arguments[..]
        && flag == "--memory"
    {
        let number = |text: &String| text.parse::<usize>().expect("a number");
        let function = Shape::ALL[number(shape)].function(number(size));
        let settings = settings(select.parse().expect("a select"));
        let before = processor_time();
        allocate(&function, &machine, &settings).expect("an allocation");
        println!("{} {}", processor_time() - before, peak() >> 10);
        return;
    }
    println!("shape       select       values  seconds    MB  power");
    for (number, shape) in Shape::ALL.iter().enumerate() {
        for (name, _) in SELECTS {
            let mut last: Option<(f64, f64)> = None;
            for size in &SIZES[1..] {
                let output = std::process::Command::new(std::env::current_exe().expect("a name"))
                    .args(["--memory", &number.to_string(), name, &size.to_string()])
                    .output()
                    .expect("a process");
                let output = String::from_utf8(output.stdout).expect("two numbers");
                let (seconds, megabytes) = output.trim().split_once(' ').expect("two numbers");
                let seconds: f64 = seconds.parse().expect("a number");
                let values = *size as f64;
                let power = last.map_or(String::new(), |(before, time)| {
                    let power = (seconds / time).log(values / before);
                    format!("{power:.2}")
                });
                let shape = format!("{shape:?}");
                println!("{shape:11} {name:9} {size:>9} {seconds:>8.3} {megabytes:>5}  {power}");
                last = Some((values, seconds));
            }
        }
    }
}

/// The time that this thread has run, in seconds.
fn processor_time() -> f64 {
    let times = std::fs::read_to_string("/proc/self/schedstat").expect("Linux");
    let nanoseconds = times.split(' ').next().and_then(|time| time.parse().ok());
    nanoseconds.map_or(f64::NAN, |time: f64| time / 1e9)
}

/// The most memory that this process has had, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.trim().split(' ').next());
    number.and_then(|n| n.parse().ok()).expect("a number")
}

fn main() {
    if std::env::args().any(|argument| argument == "--memory") {
        return memory();
    }
    let mut criterion = Criterion::default().configure_from_args();
    scaling(&mut criterion);
    scan(&mut criterion);
    distribution(&mut criterion);
    criterion.final_summary();
}
