"""Compiles attention in Triton for sm_80, without a GPU, within some numbers of registers a
thread, and prints whose code each has and how many of its instructions go to local memory."""

import re

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def attention(q, k, v, out, scale, context, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    width: tl.constexpr = 64
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    columns = tl.arange(0, width)
    queries = tl.load(q + rows[:, None] * width + columns[None, :])
    top = tl.full([ROWS], -float("inf"), tl.float32)
    total = tl.zeros([ROWS], tl.float32)
    result = tl.zeros([ROWS, width], tl.float32)
    for start in range(0, context, BLOCK):
        at = start + tl.arange(0, BLOCK)
        keys = tl.load(k + at[None, :] * width + columns[:, None])
        scores = tl.dot(queries, keys) * scale
        higher = tl.maximum(top, tl.max(scores, 1))
        powers = tl.exp2(scores - higher[:, None])
        shrink = tl.exp2(top - higher)
        total = total * shrink + tl.sum(powers, 1)
        values = tl.load(v + at[:, None] * width + columns[None, :])
        result = tl.dot(powers.to(tl.float16), values, result * shrink[:, None])
        top = higher
    tl.store(
        out + rows[:, None] * width + columns[None, :], (result / total[:, None]).to(tl.float16)
    )


def main():
    types = ["*fp16"] * 4 + ["fp32", "i32"]
    constants = {"ROWS": 128, "BLOCK": 64}
    signature = dict(zip(attention.arg_names, types + ["constexpr"] * 2))
    # Pointers and the length are multiples of 16.
    aligned = {(at,): [["tt.divisibility", 16]] for at in (0, 1, 2, 3, 5)}
    source = ASTSource(attention, signature, constants, aligned)
    for registers in (255, 128, 96):
        compiled = triton.compile(
            source, target=GPUTarget("cuda", 80, 32), options={"maxnreg": registers}
        )
        ours = getattr(compiled.metadata, "warpalloc_used", False)
        local = len(re.findall(r"\b(?:LDL|STL)\b", compiled.asm["sass"]))
        owner = "warpalloc's" if ours else "Triton's"
        print(f"at most {registers} registers: {owner} code, {local} accesses to local memory")


if __name__ == "__main__":
    main()
