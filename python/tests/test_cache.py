"""What is cached under which key: a stale kernel comes back without a word."""

import os

import pytest
import triton
from driver import Driver
from kernels import compile_kernel
from triton import knobs
from triton.backends.compiler import GPUTarget
from triton.backends.nvidia import compiler
from triton.compiler.compiler import make_backend

import warpalloc.triton
from warpalloc.command import CommandError

HOOK = "add_stages_inspection_hook"
HAS_HOOK = hasattr(type(knobs.runtime), HOOK)
VERSION = tuple(int(number) for number in triton.__version__.split(".")[:2])
with_hook = pytest.mark.skipif(not HAS_HOOK, reason="this Triton has no hook")
asks_for_key = pytest.mark.skipif(VERSION < (3, 7), reason="this Triton asks for no key")


def state():
    """All that may be changed in Triton."""
    backend = compiler.CUDABackend
    hook = getattr(knobs.runtime, HOOK, None)
    variables = {k: v for k, v in os.environ.items() if k.startswith("WARPALLOC")}
    methods = (backend.hash, backend.add_stages, backend.make_ptx, backend.make_cubin)
    return (*methods, compiler.CUDAOptions, compiler.llvm, hook, variables)


def test_a_cached_kernel_of_triton_is_not_ours(command, cache):
    options = {"maxnreg": 64}
    own = compile_kernel("attention", 80, **options)
    warpalloc.triton.enable(command)
    ours = compile_kernel("attention", 80, **options)
    assert ours.hash != own.hash
    assert hasattr(ours.metadata, "warpalloc_used")
    forced = compile_kernel("attention", 80, **options, warpalloc=True)
    assert len({own.hash, ours.hash, forced.hash}) == 3
    assert forced.asm["ptx"] != own.asm["ptx"]
    # Other options of ours are another key, and code.
    warpalloc.triton.enable(command, ["-warpalloc-spills=here"])
    other = compile_kernel("attention", 80, **options, warpalloc=True)
    assert other.hash != forced.hash
    warpalloc.triton.disable()
    again = compile_kernel("attention", 80, **options)
    assert again.hash == own.hash and again.asm["ptx"] == own.asm["ptx"]


def test_the_same_setting_finds_what_it_has_cached(command, cache, monkeypatch):
    warpalloc.triton.enable(command)
    first = compile_kernel("add", 90, warpalloc=True)
    warpalloc.triton.disable()
    warpalloc.triton.enable(command)
    monkeypatch.setattr("warpalloc.command.run", None)
    again = compile_kernel("add", 90, warpalloc=True)
    assert again.hash == first.hash and again.metadata.warpalloc_used


def test_the_back_ends_hash_is_another(command, cache):
    """Inductor and the autotuner's cache on disk know a back end by it."""
    backend = make_backend(GPUTarget("cuda", 90, 32))
    before = backend.hash()
    warpalloc.triton.enable(command)
    enabled = backend.hash()
    warpalloc.triton.enable(command, ["-verify-regalloc"])
    assert len({before, enabled, backend.hash()}) == 3
    warpalloc.triton.disable()
    assert backend.hash() == before


def test_disable_leaves_nothing(command, cache):
    before = state()
    warpalloc.triton.enable(command)
    assert state() != before and warpalloc.triton.is_enabled()
    # Only what the module says is changed: not how PTX and cubins are made.
    assert state()[2:4] == before[2:4] and state()[5] is before[5]
    warpalloc.triton.enable(command, ["-verify-regalloc"])
    warpalloc.triton.disable()
    assert state() == before and not warpalloc.triton.is_enabled()
    warpalloc.triton.disable()
    assert state() == before


def test_a_failure_to_enable_changes_nothing(command, cache, monkeypatch):
    before = state()
    with pytest.raises(CommandError, match="/nowhere/llc is no program"):
        warpalloc.triton.enable("/nowhere/llc")
    monkeypatch.setattr(triton, "__version__", "3.5.0")
    with pytest.raises(warpalloc.triton.UnsupportedTritonError, match=r"this is 3\.5\.0"):
        warpalloc.triton.enable(command)
    assert state() == before


@with_hook
def test_a_hook_that_was_there_is_called_and_comes_back(command, cache):
    called = []

    def earlier(*arguments):
        called.append(len(arguments))
        return None if arguments else ("-earlier", "-digest")

    setattr(knobs.runtime, HOOK, earlier)
    try:
        warpalloc.triton.enable(command)
        compile_kernel("add", 90)
        assert 5 in called
        key, digest = getattr(knobs.runtime, HOOK)()
        assert key.startswith("-earlier-warpalloc-") and digest.startswith("-digest")
        warpalloc.triton.disable()
        assert getattr(knobs.runtime, HOOK) is earlier
    finally:
        setattr(knobs.runtime, HOOK, None)


@asks_for_key
def test_a_kernel_in_this_process_is_compiled_anew(command, cache):
    from kernels import add
    from triton.runtime.driver import driver

    before = driver._active
    driver.set_active(Driver())
    add.device_caches.clear()
    try:

        def warm(**options):
            pointers = [triton.runtime.jit.MockTensor(triton.language.float32)] * 3
            return add.warmup(*pointers, 100, BLOCK=128, grid=(1,), **options)

        own = warm()
        warpalloc.triton.enable(command)
        enabled, forced = warm(), warm(warpalloc=True)
        assert len({own.hash, enabled.hash, forced.hash}) == 3
        assert forced.metadata.warpalloc_used and not enabled.metadata.warpalloc_used
        warpalloc.triton.disable()
        assert warm() is own
        with pytest.raises(KeyError, match="warpalloc"):
            warm(warpalloc=True)
    finally:
        driver._active = before
        add.device_caches.clear()
