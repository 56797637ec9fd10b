"""Literals of newer LLVM, as LLVM 22 reads them. No Triton is needed but for the last test."""

import pathlib
import random
import re
import struct
import subprocess
from fractions import Fraction

import pytest

from warpalloc.literals import UnreadableError, for_llvm_22, nearest

LLC = "llc-22"
# The first from IR that Triton 3.9 prints, with what LLVM 22 makes of it; then each form.
TRANSLATED = [
    ("fmul <8 x float> %65, splat (float f0x3FB8AA3B)", "splat (float 0x3FF7154760000000)"),
    ("phi float [ -inf, %.lr.ph ], [ %1, %2 ]", "phi float [ 0xFFF0000000000000, %.lr.ph ]"),
    ("fmul nnan float %955, f0x2FFFFFFF, !dbg !34", "%955, 0x3DFFFFFFE0000000, !dbg !34"),
    ("store half f0x3C00, ptr %p", "half 0xH3C00"),
    ("store bfloat f0x3F80, ptr %p", "bfloat 0xR3F80"),
    ("store double f0x3FB999999999999A, ptr %p", "double 0x3FB999999999999A"),
    ("store float f0x00000001, ptr %p", "float 0x36A0000000000000"),
    ("store half +inf, ptr %p", "half 0xH7C00"),
    ("store bfloat -qnan, ptr %p", "bfloat 0xRFFC0"),
    ("store float +snan(0x1), ptr %p", "float 0x7FF0000020000000"),
    ("store double +nan(0x1), ptr %p", "double 0x7FF8000000000001"),
    ("store float 0.1, ptr %p", "float 0x3FB99999A0000000"),
    ("store half 0.1, ptr %p", "half 0xH2E66"),
]
KEPT = [
    "store float 1.5, ptr %p",
    "store double 0.1, ptr %p",
    "store float 0x3FF7154760000000, ptr %p",
    'call void asm "mov.f32 $0, f0x3F800000; -inf, float 0.1", "=f"(float %x)',
    "store float %f0x3F800000, ptr @f0x3F800000",
    "  store float %x, ptr %p ; float 0.1, -inf",
    '@c = constant [9 x i8] c"float 0.1"',
    "-inf.loop:",
]


@pytest.mark.parametrize("line, part", TRANSLATED)
def test_forms_of_newer_llvm(line, part):
    assert part in for_llvm_22(line)
    # What LLVM 22 reads stays.
    assert for_llvm_22(for_llvm_22(line)) == for_llvm_22(line)


@pytest.mark.parametrize("line", KEPT)
def test_everything_else_stays(line):
    assert for_llvm_22(line) == line


@pytest.mark.parametrize(
    "line, message",
    [
        ("ret i32 f0x3F800000", "f0x3F800000 without a type"),
        ("store fp128 +inf, ptr %p", r"\+inf of type fp128"),
        ("store half f0x3F800000, ptr %p", "not as many bits as half"),
        ("store half +snan(0x400), ptr %p", "none of half"),
        ("store float +inf(0x1), ptr %p", "none of float"),
    ],
)
def test_what_has_no_form_is_an_error(line, message):
    with pytest.raises(UnreadableError, match=message):
        for_llvm_22(f"define void @k() {{\n  {line}\n}}")


@pytest.mark.parametrize(
    "kind, code, bits", [("half", "eH", 16), ("float", "fI", 32), ("double", "dQ", 64)]
)
def test_rounding_is_that_of_the_processor(kind, code, bits):
    chosen = random.Random(1)
    for _ in range(5000):
        value = chosen.choice((-1, 1)) * chosen.random() * 10.0 ** chosen.randint(-50, 40)
        try:
            expected = struct.unpack(code[1], struct.pack(code[0], value))[0]
        except OverflowError:
            # Python has no infinity for it.
            expected = int(value < 0) << bits - 1 | nearest(Fraction(10) ** 400, False, kind)[0]
        assert nearest(Fraction(value), value < 0, kind)[0] == expected, value


def stored(ptx):
    """The bits that the only store of a kernel has, without their sign as a number."""
    value = re.search(r"st\.global\.b(\d+)\s+\[%rd\d+\], (\S+);", ptx)
    return int(value[2], 0) % (1 << int(value[1]))


def kernel(kind, literal):
    return (
        "define ptx_kernel void @k(ptr addrspace(1) %p) {\n"
        f"  store {kind} {literal}, ptr addrspace(1) %p\n  ret void\n}}\n"
    )


def by_llvm_22(ir):
    options = ["-mtriple=nvptx64-nvidia-cuda", "-mcpu=sm_90a", "-mattr=+ptx86", "-o", "-"]
    return subprocess.run([LLC, *options], input=ir, capture_output=True, text=True)


def test_floats_keep_their_bits():
    chosen = random.Random(2)
    special = [0, 1, 0x80000000, 0x807FFFFF, 0x7F7FFFFF, 0x7F800001, 0xFFC01234]
    expected = special + [chosen.getrandbits(32) for _ in range(300)]
    stores = [f"  store volatile float f0x{bits:08X}, ptr addrspace(1) %p" for bits in expected]
    body = "\n".join(stores)
    ir = f"define ptx_kernel void @k(ptr addrspace(1) %p) {{\n{body}\n  ret void\n}}\n"
    done = by_llvm_22(for_llvm_22(ir))
    assert done.returncode == 0, done.stderr
    found = re.findall(r"st\.volatile\.global\.b32\s+\[%rd\d+\], (\S+);", done.stdout)
    assert [int(value, 0) % (1 << 32) for value in found] == expected


def test_ir_of_triton_3_9_is_read():
    ir = (pathlib.Path(__file__).parent / "softmax_3_9.ll").read_text()
    assert "expected value token" in by_llvm_22(ir).stderr
    done = by_llvm_22(for_llvm_22(ir))
    assert done.returncode == 0, done.stderr
    assert ".visible .entry softmax(" in done.stdout


FORMS = [
    "+inf",
    "-inf",
    "+qnan",
    "-qnan",
    "+nan(0x1)",
    "+snan(0x1)",
    "-snan(0x3)",
    "0.1",
    "-3.3e-5",
]
BITS = {
    "half": "f0x83FF",
    "bfloat": "f0x0001",
    "float": "f0x7F812345",
    "double": "f0x0000000000000001",
}


@pytest.mark.parametrize("kind", BITS)
def test_each_form_is_what_llvm_in_triton_takes_it_for(kind):
    llvm = pytest.importorskip("triton._C.libtriton").llvm
    declared = llvm.translate_to_asm.__doc__
    more = declared.count("bool") - declared.count("bool =") - 2
    if more == 0:
        pytest.skip("the LLVM in this Triton reads no newer forms")
    llvm.init_targets()
    for literal in [*FORMS, BITS[kind]]:
        ir = kernel(kind, literal)
        target = ["nvptx64-nvidia-cuda", "sm_90a", "+ptx86"]
        expected = stored(llvm.translate_to_asm(ir, *target, [], True, False, *[False] * more))
        assert stored(by_llvm_22(for_llvm_22(ir)).stdout) == expected, literal
