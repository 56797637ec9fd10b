"""Common kernels in Triton, to be compiled without a GPU.

`KERNELS` has for each name a function and how it is specialised: `compile_kernel` compiles one
with whatever is enabled at the time.
"""

import dataclasses

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, inside) + tl.load(y + at, inside), inside)


@triton.jit
def softmax(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + row * stride + at, inside, other=-float("inf")).to(tl.float32)
    powers = tl.exp(values - tl.max(values, 0))
    tl.store(out + row * stride + at, powers / tl.sum(powers, 0), inside)


@triton.jit
def layer_norm(x, weight, bias, out, stride, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    squares = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        values = tl.load(x + row * stride + at, at < columns, other=0.0).to(tl.float32)
        total += values
        squares += values * values
    mean = tl.sum(total, 0) / columns
    scale = 1 / tl.sqrt(tl.sum(squares, 0) / columns - mean * mean + epsilon)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < columns
        values = tl.load(x + row * stride + at, inside, other=0.0).to(tl.float32)
        scaled = (values - mean) * scale * tl.load(weight + at, inside) + tl.load(bias + at, inside)
        tl.store(out + row * stride + at, scaled, inside)


@triton.jit
def gelu(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, at < n, other=0.0).to(tl.float32)
    curved = 0.5 * values * (1 + tl.erf(values * 0.7071067811865476))
    tl.store(out + at, curved, at < n)


@triton.jit
def dropout(x, out, n, seed, p, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, at < n, other=0.0)
    kept = tl.rand(seed, at) > p
    tl.store(out + at, tl.where(kept, values / (1 - p), 0.0), at < n)


@triton.jit
def sums(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, at < n, other=0.0)
    tl.atomic_add(out, tl.sum(values, 0))
    tl.store(out + 1 + at, tl.cumsum(values, 0), at < n)


@triton.jit
def double_sum(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, at < n, other=0.0).to(tl.float64)
    tl.store(out + at, values * 0.1 + 1.0e-300, at < n)


@triton.jit
def transpose(x, out, rows, columns, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = (i[:, None] < rows) & (j[None, :] < columns)
    tile = tl.load(x + i[:, None] * columns + j[None, :], inside)
    tl.store(out + j[:, None] * rows + i[None, :], tl.trans(tile), tl.trans(inside))


@triton.jit
def matmul(a, b, c, M, N, K, am, ak, bk, bn, cm, cn, ACTIVATION: tl.constexpr,
           BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):  # fmt: skip
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    left = a + rows[:, None] * am + k[None, :] * ak
    right = b + k[:, None] * bk + columns[None, :] * bn
    total = tl.zeros([BM, BN], tl.float32)
    for start in range(0, K, BK):
        x = tl.load(left, (start + k)[None, :] < K, other=0.0)
        y = tl.load(right, (start + k)[:, None] < K, other=0.0)
        total = tl.dot(x, y, total)
        left += BK * ak
        right += BK * bk
    if ACTIVATION:
        total = tl.where(total > 0, total, 0.01 * total)
    inside = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c + rows[:, None] * cm + columns[None, :] * cn, total.to(tl.float16), inside)


@triton.jit
def attention(q, k, v, out, scale, stride, context, CAUSAL: tl.constexpr,
              BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):  # fmt: skip
    first = tl.program_id(0) * BM
    base = tl.program_id(1).to(tl.int64) * context * stride
    rows = first + tl.arange(0, BM)
    d = tl.arange(0, D)
    queries = tl.load(q + base + rows[:, None] * stride + d[None, :])
    top = tl.full([BM], -float("inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    result = tl.zeros([BM, D], tl.float32)
    end = first + BM if CAUSAL else context
    for start in range(0, end, BN):
        at = start + tl.arange(0, BN)
        keys = tl.load(k + base + at[None, :] * stride + d[:, None])
        scores = tl.dot(queries, keys) * scale
        if CAUSAL:
            scores = tl.where(rows[:, None] >= at[None, :], scores, -float("inf"))
        higher = tl.maximum(top, tl.max(scores, 1))
        powers = tl.exp2(scores - higher[:, None])
        shrink = tl.exp2(top - higher)
        total = total * shrink + tl.sum(powers, 1)
        values = tl.load(v + base + at[:, None] * stride + d[None, :])
        result = tl.dot(powers.to(tl.float16), values, result * shrink[:, None])
        top = higher
    tl.store(
        out + base + rows[:, None] * stride + d[None, :], (result / total[:, None]).to(tl.float16)
    )


@triton.jit(noinline=True)
def share(n, seed):
    return (n % 7) * (seed % 11) + 1


@triton.jit
def shared(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    factor = share(n, tl.program_id(0))
    tl.store(out + at, tl.load(x + at, at < n, other=0.0) * factor, at < n)


@triton.jit
def specialized(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    right = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    result = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    total = tl.zeros([BM, BN], tl.float32)
    for k in tl.range(0, K, BK, warp_specialize=True):
        total = tl.dot(left.load([row, k]), right.load([column, k]).T, total)
    result.store([row, column], total.to(tl.float16))


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A function, the types of its arguments in order, its constants, and Triton's options."""

    function: object
    types: str
    constants: dict
    options: dict = dataclasses.field(default_factory=dict)
    least_sm: int = 75


TILES = {"BM": 128, "BN": 128, "BK": 32}
SMALL = {"BM": 64, "BN": 64, "BK": 32}
GEMM = "*fp16 *fp16 *fp16" + " i32" * 9
HALVES = "*fp16 *fp16 *fp16 *fp16 fp32 i32 i32"
KERNELS = {
    "add": Kernel(add, "*fp32 *fp32 *fp32 i32", {"BLOCK": 1024}),
    "softmax": Kernel(softmax, "*fp32 *fp32 i32 i32", {"BLOCK": 1024}),
    "softmax-wide": Kernel(softmax, "*bf16 *bf16 i32 i32", {"BLOCK": 16384}, {"num_warps": 8}),
    "layer-norm": Kernel(layer_norm, "*fp16 *fp32 *fp32 *fp16 i32 i32 fp32", {"BLOCK": 1024}),
    "gelu": Kernel(gelu, "*fp32 *fp32 i32", {"BLOCK": 1024}),
    "dropout": Kernel(dropout, "*fp32 *fp32 i32 i32 fp32", {"BLOCK": 1024}),
    "sums": Kernel(sums, "*fp32 *fp32 i32", {"BLOCK": 1024}),
    "double-sum": Kernel(double_sum, "*fp32 *fp64 i32", {"BLOCK": 256}),
    "transpose": Kernel(transpose, "*fp32 *fp32 i32 i32", {"BLOCK": 64}),
    "function-call": Kernel(shared, "*fp32 *fp32 i32", {"BLOCK": 256}),
    "matmul": Kernel(matmul, GEMM, {**TILES, "ACTIVATION": True}, {"num_stages": 3}),
    "matmul-small": Kernel(matmul, GEMM, {**SMALL, "ACTIVATION": False}, {"num_stages": 1}),
    "matmul-unfused": Kernel(
        matmul, GEMM, {**SMALL, "ACTIVATION": True}, {"enable_fp_fusion": False}
    ),
    "matmul-f32": Kernel(
        matmul, "*fp32 *fp32 *fp16" + " i32" * 9, {**SMALL, "ACTIVATION": False}, {"num_stages": 4}
    ),
    "matmul-cluster": Kernel(
        matmul, GEMM, {**TILES, "ACTIVATION": False}, {"num_ctas": 2, "num_warps": 8}, 90
    ),
    "attention": Kernel(attention, HALVES, {"CAUSAL": False, "BM": 128, "BN": 64, "D": 64}),
    "attention-causal": Kernel(attention, HALVES, {"CAUSAL": True, "BM": 64, "BN": 64, "D": 128}),
    "specialized": Kernel(
        specialized, "*fp16 *fp16 *fp16 i32 i32 i32", {"BM": 128, "BN": 128, "BK": 64}, {}, 100
    ),
}


def compile_kernel(name, sm, **options):
    """What `triton.compile` makes of a kernel of `KERNELS` for an SM."""
    kernel = KERNELS[name]
    names = (n for n in kernel.function.arg_names if n not in kernel.constants)
    types = dict(zip(names, kernel.types.split(), strict=True))
    return compile_function(
        kernel.function, types, kernel.constants, sm, {**kernel.options, **options}
    )


def compile_function(function, types, constants, sm, options, unaligned=()):
    """What `triton.compile` makes of a function for an SM, its arguments of these types.

    Pointers and sizes are multiples of 16, as they mostly are, but for the unaligned ones.
    """
    signature = {name: types.get(name, "constexpr") for name in function.arg_names}
    aligned = {
        (at,): [["tt.divisibility", 16]]
        for at, (name, kind) in enumerate(signature.items())
        if (kind == "i32" or kind.startswith("*")) and name not in unaligned
    }
    source = ASTSource(function, signature, constants, aligned)
    return triton.compile(source, target=GPUTarget("cuda", sm, 32), options=options)
