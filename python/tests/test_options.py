"""What Triton sets in LLVM is what llc is told: both translate one function that shows each
option, to the same instructions."""

import collections
import re

import pytest
import triton
from triton._C.libtriton import llvm, nvidia

from warpalloc import stages

LAYOUT = 'target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128"\n'
IR = """\
@tile = internal addrspace(3) global [64 x i32] undef

define ptx_kernel void @k(ptr addrspace(1) %p, i32 %i, i32 %j, float %x, float %y, i64 %w) {
  %slot = getelementptr i32, ptr addrspace(3) @tile, i32 %i
  store volatile i32 %j, ptr addrspace(3) %slot
  %product = fmul float %x, %y
  %sum = fadd float %product, 2.0
  store volatile float %sum, ptr addrspace(1) %p
  %less = fcmp ult float %x, %sum
  %chosen = select i1 %less, float %x, float %sum
  store volatile float %chosen, ptr addrspace(1) %p
  %wide = sext i32 %i to i64
  %other = sext i32 %j to i64
  %multiplied = mul nsw i64 %wide, %other
  %added = add i64 %multiplied, %w
  store volatile i64 %added, ptr addrspace(1) %p
  %positive = icmp sgt i32 %i, 0
  br i1 %positive, label %there, label %never

there:
  ret void

never:
  unreachable
}
"""


def instructions(ptx):
    """How often a PTX has each instruction, with the widths of the registers it names."""
    body = re.search(r"^\{(.*)^\}", ptx, re.MULTILINE | re.DOTALL)[1]
    lines = (re.sub(r"//.*", "", line).strip() for line in body.splitlines())
    named = (re.sub(r"(%[a-z]+)\d+|\$\w+|\b\d+\b", r"\1", line) for line in lines)
    return collections.Counter(line for line in named if line and not line.startswith("."))


def of_triton(ir, flags, fuses):
    llvm.init_targets()
    # Beyond two of them, and those with a default, newer versions ask for more that is false.
    declared = llvm.translate_to_asm.__doc__
    more = [False] * (declared.count("bool") - declared.count("bool =") - 2)
    return llvm.translate_to_asm(ir, *TARGET, flags, fuses, False, *more)


TARGET = ("nvptx64-nvidia-cuda", "sm_90a", "+ptx86")


@pytest.mark.parametrize("fuses", [True, False])
def test_the_same_instructions(fuses, command):
    # The flags of make_ptx; LLVM in 3.5.1 does not know it.
    flags = ["nvptx-mad-wide-opt"] if triton.__version__ != "3.5.1" else []
    if hasattr(nvidia, "set_short_ptr"):
        nvidia.set_short_ptr()
    else:
        flags.append("nvptx-short-ptr")
    translate = stages.translation(stages.Settings(command, (), ""))
    ours = instructions(translate(LAYOUT + IR, *TARGET, flags, fuses, False))
    assert ours == instructions(of_triton(LAYOUT + IR, flags, fuses))
    # They show what they are meant to show.
    text = "\n".join(ours)
    assert "trap;" in text and "mad.wide.s32" in text
    # Nobody says that there is no NaN: the comparison is true of one.
    assert "setp.ltu.f32" in text
    assert ("fma.rn.f32" in text) == fuses
    # A slot in shared memory is known by a pointer of 32 bits.
    assert re.search(r"st\.volatile\.shared\.b32\s+\[%r\], %r;", text)
