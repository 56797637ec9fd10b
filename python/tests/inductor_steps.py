"""Compiles models with torch.compile for the stand-in of a GPU (`gpu/stand_in.py`), in one
process, and prints what came of it.

usage: inductor_steps.py STEP...

A step is `enable` or `disable` (warpalloc), `enable=OPTIONS`, the name of a model, or
`every-model`. Each model gets one line of JSON: hits and misses of the caches of FX graphs, how many kernels were compiled
in this process, what would have been loaded, and the state of this process and of one of
Inductor's workers.
"""

import collections
import json
import os
import pathlib
import sys

import kernels
import stand_in
import torch
import torch._inductor.config as config
import triton
from torch._dynamo.utils import counters
from torch._inductor.async_compile import AsyncCompile


def empty(*shape, dtype=torch.float32):
    return torch.empty(*shape, device="cuda", dtype=dtype)


def pointwise():
    return torch.nn.functional.gelu(empty(4096, 1000)) * torch.sin(empty(4096, 1000))


def layer_norm():
    normed = torch.nn.functional.layer_norm(empty(4096, 1000), (1000,), empty(1000), empty(1000))
    return torch.softmax(normed, -1)


def group_norm():
    normed = torch.nn.functional.group_norm(empty(8, 64, 128, 128), 32)
    return torch.nn.functional.silu(normed)


def sort():
    return torch.sort(empty(4096, 256), -1)[0]


def bessel():
    x = empty(1 << 20, dtype=torch.float64)
    return torch.special.bessel_j0(x) + torch.lgamma(x) + torch.sin(x)


def matmul():
    halves = empty(4096, 4096, dtype=torch.float16), empty(4096, 4096, dtype=torch.float16)
    return torch.nn.functional.gelu(halves[0] @ halves[1])


def matmul_f32():
    return torch.nn.functional.gelu(empty(4096, 4096) @ empty(4096, 4096))


def written_by_hand():
    q = empty(1, 4096, 8, 128, dtype=torch.float16)
    out = torch.empty_like(q)
    kernels.attention[(32, 8)](
        q, q, q, out, 0.1, 128, 4096, CAUSAL=True, BM=128, BN=64, D=128, num_warps=4
    )
    return out


MODELS = (
    pointwise, layer_norm, group_norm, sort, bessel, matmul, matmul_f32, written_by_hand
)  # fmt: skip


def compiled(model):
    """Compiles a model as if it were the first one, and says what came of it."""
    torch._dynamo.reset()
    counters.clear()
    noted = pathlib.Path(os.environ["STAND_IN_LOADED"])
    before = len(noted.read_text().splitlines()) if noted.exists() else 0
    here = collections.Counter()
    triton_compile = triton.compile

    def count(*arguments, **named):
        here["kernels"] += 1
        return triton_compile(*arguments, **named)

    # Until the workers are there Inductor compiles in this process.
    AsyncCompile.wait_pool_ready()
    triton.compile = count
    torch.compile(model)()
    triton.compile = triton_compile
    return {
        "model": model.__name__,
        "hits": counters["inductor"]["fxgraph_cache_hit"],
        "misses": counters["inductor"]["fxgraph_cache_miss"],
        "here": here["kernels"],
        "loaded": [line.split(" ", 1) for line in noted.read_text().splitlines()[before:]],
        "state": stand_in.state(),
        "worker": AsyncCompile.process_pool().submit(stand_in.state).result(timeout=300),
    }


def main(*steps):
    config.compile_threads = 2
    config.max_autotune_gemm = True
    config.max_autotune_gemm_backends = "TRITON"
    # What would be tried on the GPU. Newer versions have another name for it.
    for name in ("benchmark_template_fusion", "benchmark_epilogue_fusion"):
        if hasattr(config, name):
            setattr(config, name, False)
            break
    models = {model.__name__: model for model in MODELS}
    for step in steps:
        name, _, options = step.partition("=")
        if name == "enable":
            import warpalloc.triton

            warpalloc.triton.enable(options=options.split() or None)
        elif name == "disable":
            warpalloc.triton.disable()
        else:
            for model in MODELS if name == "every-model" else [models[name]]:
                print(json.dumps(compiled(model)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
