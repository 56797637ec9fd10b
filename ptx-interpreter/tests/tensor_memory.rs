//! `tcgen05`: tensor memory, what it takes from registers and gives to them, and products.

mod common;

use common::{output, registers, shows, sound, with_shared, words};
use half::f16;
use ptx_interpreter::random::Random;
use ptx_interpreter::{Options, Trouble};

/// Allocates all columns; the address is then in %r10, of the warp's own rows in %r11.
const ALLOCATE: &str = "setp.lt.u32 %p1, %r1, 32;\n\
    @%p1 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r2], 512;\n\
    @%p1 tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; bar.sync 0;\n\
    ld.shared.b32 %r10, [%r2]; shr.u32 %r11, %r1, 5; shl.b32 %r11, %r11, 21; add.s32 %r11, %r11, %r10;\n";
const FREE: &str = "\nbar.sync 0; @%p1 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r10, 512;";

/// Each thread's registers from %r100 on are random; `code` runs, and the registers from
/// %r200 on are stored.
fn kernel(code: &str, count: u32) -> String {
    let mut body = ALLOCATE.to_owned();
    body += &format!(
        "mul.wide.u32 %rd3, %r1, {}; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n",
        4 * count
    );
    for i in 0..count {
        body += &format!("ld.global.b32 %r{}, [%rd4+{}];\n", 100 + i, 4 * i);
    }
    body += code;
    for i in 0..count {
        body += &format!("\nst.global.b32 [%rd5+{}], %r{};", 4 * i, 200 + i);
    }
    with_shared(&(body + FREE), 16)
}

fn random_words(count: u32) -> Vec<u8> {
    let random = &mut Random::new(5);
    (0..count)
        .flat_map(|_| (random.bits() as u32).to_le_bytes())
        .collect()
}

/// Stores `count` registers as `to` says and loads them as `from` says.
fn through(to: &str, from: &str, split: &str, count: u32) -> (Vec<u32>, Vec<u32>) {
    let code = format!(
        "tcgen05.st.sync.aligned.{to}.b32 [%r11 + 4]{split}, {{{}}}; tcgen05.wait::st.sync.aligned;\n\
         tcgen05.ld.sync.aligned.{from}.b32 {{{}}}, [%r11 + 4]{split}; tcgen05.wait::ld.sync.aligned;",
        registers(100, count),
        registers(200, count)
    );
    let input = random_words(128 * count);
    let result = sound(&kernel(&code, count), 128, &input, input.len());
    (words(&input), words(&result))
}

#[test]
fn what_is_stored_is_loaded_again() {
    for (shape, split, count) in [
        ("32x32b.x8", "", 8),
        ("32x32b.x64", "", 64),
        ("16x32bx2.x8", ", 16", 8),
        ("16x64b.x8", "", 8),
        ("16x128b.x4", "", 8),
        ("16x256b.x2", "", 8),
    ] {
        let (before, after) = through(shape, shape, split, count);
        assert!(before == after, "{shape}");
    }
    for shape in ["32x32b.x8", "16x64b.x8", "16x128b.x4", "16x256b.x2"] {
        let packed = (format!("{shape}.unpack::16b"), format!("{shape}.pack::16b"));
        let (before, after) = through(&packed.0, &packed.1, "", 8);
        assert!(before == after, "{shape}");
    }
}

/// A product of matrices holds rows and columns: the row of a register in one shape must
/// be the row in another.
#[test]
fn shapes_agree_on_rows_and_columns() {
    // Cells as 32x32b has them: lane and register are row and column.
    let rows = |shape: &str, split: &str, count: u32| {
        let code = format!(
            "tcgen05.st.sync.aligned.32x32b.x8.b32 [%r11], {{{}}}; tcgen05.wait::st.sync.aligned;\n\
             tcgen05.ld.sync.aligned.{shape}.b32 {{{}}}, [%r11]{split}; tcgen05.wait::ld.sync.aligned;",
            registers(100, 8),
            registers(200, count)
        ) + &(count..8)
            .map(|i| format!(" mov.b32 %r{}, 0;", 200 + i))
            .collect::<String>();
        let cells = (0..128u32).flat_map(|row| (0..8).map(move |column| row * 8 + column));
        let input: Vec<u8> = cells.flat_map(u32::to_le_bytes).collect();
        words(&sound(&kernel(&code, 8), 128, &input, input.len()))
    };
    let thread = 37; // lane 5 of the second warp, whose rows begin at 32
    let of = |all: Vec<u32>, count: usize| -> Vec<(u32, u32)> {
        let own = &all[thread * 8..][..count];
        own.iter().map(|cell| (cell / 8 - 32, cell % 8)).collect()
    };
    assert_eq!(
        of(rows("16x256b.x1", "", 4), 4),
        [(1, 2), (1, 3), (9, 2), (9, 3)]
    );
    assert_eq!(
        of(rows("16x128b.x2", "", 4), 4),
        [(1, 1), (9, 1), (1, 5), (9, 5)]
    );
    assert_eq!(
        of(rows("16x64b.x4", "", 4), 4),
        [(9, 0), (9, 2), (9, 4), (9, 6)]
    );
    assert_eq!(
        of(rows("16x32bx2.x4", ", 4", 4), 4),
        [(5, 0), (5, 1), (5, 2), (5, 3)]
    );
    let upper = rows("16x32bx2.x4", ", 4", 4);
    assert_eq!(
        &upper[20 * 8..][..4],
        [4 * 8 + 4, 4 * 8 + 5, 4 * 8 + 6, 4 * 8 + 7]
    );
    assert_eq!(upper[21 * 8], 5 * 8 + 4);
}

#[test]
fn registers_in_flight_must_not_be_touched() {
    let (sources, results) = (registers(100, 4), registers(200, 4));
    let store = format!("tcgen05.st.sync.aligned.32x32b.x4.b32 [%r11], {{{sources}}};");
    let load = format!("tcgen05.ld.sync.aligned.32x32b.x4.b32 {{{results}}}, [%r11];");
    let [ld, st] = ["ld", "st"].map(|what| format!("tcgen05.wait::{what}.sync.aligned;"));
    let input = random_words(128 * 4);
    for code in [
        format!("{store} {st} {load} mov.b32 %r200, %r201; {ld}"),
        format!("{store} {st} {load} mov.b32 %r201, 0; {ld}"),
        format!("{store} {st} {load} add.s32 %r9, %r203, 1; {ld} mov.b32 %r203, %r9;"),
        format!("{store} {st} {load}"),
        format!("{store} {st} {load} {load} {ld}"),
        format!("{store} mov.b32 %r102, 0; {st} {load} {ld}"),
    ] {
        shows(&kernel(&code, 4), 128, &input, input.len(), true);
    }
    // Without its wait nothing is stored; no register is to blame for that.
    let code = format!("{store} {load} {ld} {st}");
    shows(&kernel(&code, 4), 128, &input, input.len(), false);
    // Reading what is stored is allowed, and storing it twice.
    let code = format!("{store} mov.b32 %r9, %r100; {store} {st} {load} {ld}");
    let result = sound(&kernel(&code, 4), 128, &input, input.len());
    assert_eq!(result, input);
}

#[test]
fn a_result_used_before_the_wait_may_be_meant() {
    let code = "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r11], %r100; tcgen05.wait::st.sync.aligned;\n\
         tcgen05.ld.sync.aligned.32x32b.x1.b32 %r201, [%r11]; mov.b32 %r200, %r201; tcgen05.wait::ld.sync.aligned;";
    let input = random_words(128);
    shows(&kernel(code, 1), 128, &input, input.len(), true);
    let mut options = Options::default();
    options.early.loads = true;
    let (bytes, report) = output(&kernel(code, 1), 128, &input, input.len(), &options).unwrap();
    assert_eq!(bytes, input);
    assert!(report.in_flight.is_empty());
}

/// A of `rows` by 16 lies at byte 1024 of shared memory, B of 32 columns at 32768, both in
/// swizzled rows of 32 bytes.
fn product_input(rows: usize) -> (Vec<u8>, Vec<f32>) {
    let random = &mut Random::new(9);
    let mut bytes = vec![0; 40960];
    let mut factors = [vec![], vec![]];
    for (side, (start, count)) in [(1024, rows), (32768, 32)].into_iter().enumerate() {
        for row in 0..count {
            for k in 0..16 {
                let x = random.below(9) as f32 - 4.0;
                factors[side].push(x);
                let piece = (k / 8) ^ (row / 4 % 2);
                let at = start + row * 32 + piece * 16 + k % 8 * 2;
                bytes[at..at + 2].copy_from_slice(&f16::from_f32(x).to_le_bytes());
            }
        }
    }
    let [a, b] = factors;
    let cell = |row: usize, column: usize| -> f32 {
        (0..16).map(|k| a[row * 16 + k] * b[column * 16 + k]).sum()
    };
    let cells = (0..rows).flat_map(|r| (0..32).map(move |c| (r, c)));
    (bytes, cells.map(|(r, c)| cell(r, c)).collect())
}

/// Thread 0 multiplies and commits; all wait for the barrier and load 32 columns. TWICE is
/// before the commit, AFTER behind it, and STORE before everything.
fn product_kernel(rows: u32, a: &str, [store, twice, after]: [&str; 3]) -> String {
    let descriptor = |address: u32| {
        // The array in shared memory begins at 1024.
        let start = u64::from(1024 + address) >> 4;
        start | 1 << 16 | (256 >> 4) << 32 | 1 << 46 | 6 << 61
    };
    let form = 1 << 4 | 4 << 17 | (rows / 16) << 24;
    let mma = |adds: u32| {
        format!(
            "@%p2 tcgen05.mma.cta_group::1.kind::f16 [%r10 + 64], {a}, %rd5, {form}, %p{adds};\n"
        )
    };
    let body = format!(
        "{ALLOCATE} setp.eq.s32 %p2, %r1, 0; setp.ne.s32 %p3, %r1, %r1; setp.eq.s32 %p4, %r1, %r1;\n\
         @%p2 mbarrier.init.shared::cta.b64 [%r2 + 512], 1; {store} bar.sync 0;\n\
         mov.b64 %rd4, {}; mov.b64 %rd5, {}; {}{}\n\
         @%p2 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r2 + 512]; {after}\n\
         $WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p5, [%r2 + 512], 0; @!%p5 bra $WAIT;\n\
         tcgen05.ld.sync.aligned.32x32b.x32.b32 {{{}}}, [%r11 + 64]; tcgen05.wait::ld.sync.aligned;\n\
         mul.wide.u32 %rd3, %r1, 128; add.s64 %rd6, %rd2, %rd3;\n",
        descriptor(1024),
        descriptor(32768),
        mma(3),
        twice.replace("MMA", &mma(4)),
        registers(200, 32),
    );
    let stores = (0..32).map(|i| format!("st.global.b32 [%rd6+{}], %r{};\n", 4 * i, 200 + i));
    with_shared(&(body + &stores.collect::<String>() + FREE), 40960)
}

/// The cells that a product of so many rows has.
fn cells(bytes: &[u8], rows: usize) -> Vec<f32> {
    let all: Vec<_> = words(bytes).into_iter().map(f32::from_bits).collect();
    let lane = |row: usize| {
        if rows == 64 {
            row / 16 * 32 + row % 16
        } else {
            row
        }
    };
    (0..rows)
        .flat_map(|row| all[lane(row) * 32..][..32].to_vec())
        .collect()
}

#[test]
fn factors_in_shared_memory_are_multiplied() {
    for rows in [128, 64] {
        let (input, expected) = product_input(rows);
        let run = |twice| {
            let text = product_kernel(rows as u32, "%rd4", ["", twice, ""]);
            // Cells of no row hold garbage.
            let (bytes, _) = output(&text, 128, &input, 16384, &Options::default()).unwrap();
            cells(&bytes, rows)
        };
        assert!(run("") == expected);
        let twice: Vec<_> = expected.iter().map(|x| 2.0 * x).collect();
        assert!(run("MMA") == twice);
    }
}

/// Each thread stores its row of A to columns 0 to 7, as the product has it.
#[test]
fn a_factor_in_tensor_memory_is_multiplied() {
    for rows in [128, 64] {
        let (mut input, expected) = product_input(rows);
        // Row by row, 16 bytes after the other; the kernel reads it without a swizzle.
        let plain: Vec<u8> = (0..rows * 32)
            .map(|i| {
                let (row, piece) = (i / 32, i % 32 / 16);
                input[1024 + row * 32 + (piece ^ (row / 4 % 2)) * 16 + i % 16]
            })
            .collect();
        input[8192..8192 + plain.len()].copy_from_slice(&plain);
        let row = match rows {
            64 => {
                "shr.u32 %r12, %r1, 5; shl.b32 %r12, %r12, 4; and.b32 %r13, %r1, 15; add.s32 %r12, %r12, %r13;"
            }
            _ => "mov.b32 %r12, %r1;",
        };
        let store = format!(
            "{row} shl.b32 %r12, %r12, 5; add.s32 %r12, %r12, %r2;\n\
             ld.shared.v4.b32 {{%r100, %r101, %r102, %r103}}, [%r12+8192];\n\
             ld.shared.v4.b32 {{%r104, %r105, %r106, %r107}}, [%r12+8208];\n\
             tcgen05.st.sync.aligned.32x32b.x8.b32 [%r11], {{{}}};\n",
            registers(100, 8)
        );
        let wait = "tcgen05.wait::st.sync.aligned;";
        let text = product_kernel(rows as u32, "[%r10]", [&(store.clone() + wait), "", ""]);
        let (bytes, _) = output(&text, 128, &input, 16384, &Options::default()).unwrap();
        assert!(cells(&bytes, rows) == expected);
        let text = product_kernel(rows as u32, "[%r10]", [&store, "", wait]);
        let late = output(&text, 128, &input, 16384, &Options::default())
            .unwrap()
            .0;
        assert!(cells(&late, rows) != expected);
    }
}

#[test]
fn products_are_not_there_before_their_barrier() {
    let (input, expected) = product_input(128);
    let text = product_kernel(128, "%rd4", ["", "", ""]);
    let commit =
        "@%p2 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r2 + 512];";
    assert!(text.contains(commit));
    let overwrite = "@%p2 st.shared.b32 [%r2+1024], 0; bar.sync 0;";
    for fault in [
        text.replace(commit, "").replace("@!%p5 bra $WAIT;", ""),
        text.replace("@!%p5 bra $WAIT;", ""),
        text.replace("$WAIT:", &format!("{overwrite} $WAIT:")),
    ] {
        let (bytes, _) = output(&fault, 128, &input, 16384, &Options::default()).unwrap();
        assert!(cells(&bytes, 128) != expected);
    }
    let overwritten = text.replace("@!%p5 bra $WAIT;", &format!("@!%p5 bra $WAIT; {overwrite}"));
    let (bytes, _) = output(&overwritten, 128, &input, 16384, &Options::default()).unwrap();
    assert!(cells(&bytes, 128) == expected);
}

#[test]
fn what_tensor_memory_lacks_is_refused() {
    let trouble = |code: &str| {
        let done = output(
            &kernel(code, 1),
            128,
            &random_words(128),
            512,
            &Options::default(),
        );
        done.unwrap_err().trouble
    };
    let wait = "tcgen05.wait::ld.sync.aligned;";
    let beyond = format!("tcgen05.ld.sync.aligned.32x32b.x1.b32 %r200, [%r11+512]; {wait}");
    assert!(matches!(
        trouble(&beyond),
        Trouble::OutOfBounds {
            space: "tensor",
            ..
        }
    ));
    let other_rows = format!("tcgen05.ld.sync.aligned.32x32b.x1.b32 %r200, [%r10]; {wait}");
    assert!(matches!(trouble(&other_rows), Trouble::Undefined(_)));
    let again = "@%p1 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r2], 32;";
    assert!(matches!(trouble(again), Trouble::Undefined(_)));
    let form = "mov.b64 %rd6, 70368744177664; tcgen05.mma.cta_group::1.kind::f16 [%r10], %rd6, %rd6, 0, %p1;";
    assert!(matches!(trouble(form), Trouble::Undefined(_)));
}
