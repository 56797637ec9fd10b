"""A GPU as far as torch and Triton need one to compile: it has properties, and notes which
machine code would be loaded. Nothing is launched, and all kernels take the same time.

`STAND_IN_SM` is its compute capability, as 80 or 90. `STAND_IN_LOADED` names the file in which
each cubin that would be loaded gets a line, its SHA-256 and, where it is known, its path.
"""

import functools
import hashlib
import os
import pathlib
import re
import sys
import types

import wrapt

SM = int(os.environ["STAND_IN_SM"])
PROPERTIES = types.SimpleNamespace(
    name=f"stand-in for sm_{SM}",
    major=SM // 10,
    minor=SM % 10,
    multi_processor_count=108,
    regs_per_multiprocessor=65536,
    max_threads_per_multi_processor=2048,
    max_threads_per_block=1024,
    warp_size=32,
    total_memory=40 << 30,
    shared_memory_per_block=48 << 10,
    shared_memory_per_block_optin=163 << 10,
    shared_memory_per_multiprocessor=164 << 10,
    L2_cache_size=40 << 20,
)


def install():
    """Puts the stand-in into torch and Triton as soon as they are imported."""
    hooks = {
        "torch.cuda": _cuda,
        "torch.accelerator": _accelerator,
        "torch._subclasses.fake_tensor": _fake_tensor,
        "torch._inductor.pattern_matcher": _pattern_matcher,
        "torch._inductor.runtime.benchmarking": _benchmarking,
        "torch._inductor.select_algorithm": _select_algorithm,
        "triton.backends.nvidia.driver": _driver,
    }
    for module, hook in hooks.items():
        wrapt.register_post_import_hook(hook, module)


def state():
    """Of this process: whether warpalloc is enabled, and how Triton's back end is known."""
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import make_backend

    ours = sys.modules.get("warpalloc.triton")
    backend = make_backend(GPUTarget("cuda", SM, 32))
    return {"enabled": bool(ours and ours.is_enabled()), "hash": backend.hash().strip()}


def loaded(cubin, *_):
    """Notes a cubin, its bytes or its file. Gives what a driver says: a module, a function, its
    registers, its spills, and how many threads it may have."""
    path = "" if isinstance(cubin, bytes) else cubin
    data = pathlib.Path(path).read_bytes() if path else cubin
    with open(os.environ["STAND_IN_LOADED"], "a", encoding="utf-8") as file:
        print(hashlib.sha256(data).hexdigest(), path, file=file)
    return 1, 1, 32, 0, 1024


def _loaded_by_torch(path, *_):
    found = loaded(path)
    # Newer versions keep the module.
    newer = "torch._inductor.runtime.static_triton_launcher" in sys.modules
    return found[:4] if newer else found[1:4]


def _cuda(cuda):
    # torch tells some of these functions from others: each is one of its own.
    cuda.is_available = lambda: True
    cuda.device_count = lambda: 1
    cuda.current_device = lambda: 0
    cuda.get_device_capability = lambda device=None: (PROPERTIES.major, PROPERTIES.minor)
    cuda.get_device_properties = lambda device=None: PROPERTIES
    cuda.get_device_name = lambda device=None: PROPERTIES.name
    cuda.is_bf16_supported = lambda including_emulation=True: True
    cuda.is_current_stream_capturing = lambda: False
    cuda.synchronize = lambda device=None: None
    cuda.set_device = lambda device: None
    cuda._exchange_device = lambda device: 0
    cuda._maybe_exchange_device = lambda device: 0
    cuda._lazy_init = lambda: None
    import torch

    cuda.get_rng_state = lambda device="cuda": torch.zeros(16, dtype=torch.uint8)
    cuda.set_rng_state = lambda state, device="cuda": None
    torch._C._StaticCudaLauncher = types.SimpleNamespace(
        _load_kernel=_loaded_by_torch,
        _launch_kernel=lambda *_: None,
        _unload_kernel=lambda *_: None,
    )
    torch._C._cuda_getCurrentRawStream = lambda device: 0
    # What generated code computes into lies in the host's memory, and nobody does.
    torch._C._dynamo.guards._empty_strided_cuda = lambda size, stride, dtype: torch.empty_strided(
        size, stride, dtype=dtype
    )


def _accelerator(accelerator):
    # Dynamo asks by it for streams, of which there are none.
    accelerator.is_available = lambda: False


def _fake_tensor(module):
    module.init_gpu_context = lambda device: None


def _pattern_matcher(module):
    # Patterns are traced with a constant on the GPU, if there is one, which even a fake mode
    # makes there. They match the same when they are traced without.
    import torch

    once = module.init_once_fakemode

    def without_gpu(function):
        @functools.wraps(function)
        def run(*arguments, **named):
            available, torch.cuda.is_available = torch.cuda.is_available, lambda: False
            if "input_device" in named:
                named["input_device"] = torch.device("cpu")
            try:
                return function(*arguments, **named)
            finally:
                torch.cuda.is_available = available

        return run

    module.init_once_fakemode = lambda function: once(without_gpu(function))


def _benchmarking(module):
    module.benchmarker.benchmark = module.benchmarker.benchmark_gpu = lambda *_, **__: 1.0


def _select_algorithm(module):
    # Of the templates' configurations the one with the largest tiles for a warp is the fastest.
    def time(choice):
        words = dict(re.findall(r"(BLOCK_[MN]|num_warps)=(\d+)", choice.description))
        tile = int(words["BLOCK_M"]) * int(words["BLOCK_N"])
        return int(words["num_warps"]) / tile

    module.AlgorithmSelectorCache.make_benchmark_fn = classmethod(
        lambda cls, *_, **__: lambda choices: {choice: time(choice) for choice in choices}
    )


def _driver(module):
    class Utilities:
        load_binary = staticmethod(lambda name, cubin, *_: loaded(cubin))
        get_device_properties = staticmethod(lambda device: {"max_shared_mem": 163 << 10})

    class Launcher:
        def __init__(self, *_):
            pass

        def __call__(self, *_):
            pass

    module.CudaUtils = Utilities
    module.CudaLauncher = Launcher
