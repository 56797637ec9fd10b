"""`maxnreg` with blocks in clusters, and with warps that have registers of their own
(`setmaxnreg`): the kernels are ours, and ask the GPU for what Triton's own do."""

import collections
import re
import warnings

import pytest
from kernels import KERNELS, compile_kernel
from machine import registers
from test_failures import script
from test_kernels import header
from triton.compiler.compiler import make_backend
from triton.runtime.errors import PTXASError

import warpalloc.triton

CLUSTER, SPECIALIZED = "matmul-cluster", "specialized"
PAIR = {"num_ctas": 2}
# Triton itself does not compile these, in none of the versions that are tested: its pass that
# specializes warps for Hopper knows no clusters (an assertion in WSLowerToken.cpp).
REFUSED = pytest.mark.skip(reason="Triton specializes no warps of clusters for sm_90")
CASES = [
    *[(CLUSTER, sm, {}, limit) for sm in (90, 100) for limit in (None, 64, 128)],
    # Below 90 registers ptxas refuses its wgmma.
    *[(SPECIALIZED, 90, {}, limit) for limit in (None, 96, 128)],
    *[(SPECIALIZED, 100, {}, limit) for limit in (None, 64, 128)],
    pytest.param(SPECIALIZED, 90, PAIR, 128, marks=REFUSED),
    *[(SPECIALIZED, 100, PAIR, limit) for limit in (None, 128)],
]


def given(name, options, limit):
    return {**KERNELS[name].options, **options, **({"maxnreg": limit} if limit else {})}


def register_counts(ptx):
    """How often the PTX gives or takes registers, by what it asks for."""
    return collections.Counter(re.findall(r"setmaxnreg\.(\w+)\S*\s+(\d+);", ptx))


def clusters(ptx):
    """What the PTX has of clusters: how often blocks of one do something with each other, and
    what is read of the place in it, perhaps more than once."""
    done = r"\bbarrier\.cluster\.\w+|\bmapa\b|\bshared::cluster\b|\.multicast\S*|cta_group::\d"
    places = set(re.findall(r"%n?cluster\w+(?:\.\w)?", ptx))
    return collections.Counter(re.findall(done, ptx)), places


def remarks(log):
    """What ptxas warns of, and what it says that costs time, without places in the file."""
    lines = re.findall(r"^ptxas\S* +(?:warning *:.*|info *: *\(C\d+\).*)", log, re.MULTILINE)
    return collections.Counter(re.sub(r"\bline \d+", "", line) for line in lines)


class Own:
    """What Triton's own stages make of the LLVM IR of a kernel: compiled once more it may be
    other IR, as some of Triton's passes go by addresses."""

    def __init__(self, kernel, options):
        target = kernel.metadata.target
        self.backend = make_backend(target)
        self.metadata = {}
        self.rest = (self.backend.parse_options(options), target.arch)
        self.ptx = self.backend.make_ptx(kernel.asm["llir"], self.metadata, *self.rest)

    def assemble(self):
        return self.backend.make_cubin(self.ptx, self.metadata, *self.rest)


@pytest.mark.parametrize("name, sm, options, limit", CASES)
def test_it_asks_for_what_tritons_own_does(
    name, sm, options, limit, command, cache, monkeypatch, capsys
):
    monkeypatch.setenv("TRITON_DUMP_PTXAS_LOG", "1")
    options = given(name, options, limit)

    def logged(made):
        log = capsys.readouterr().out
        assert re.search(r"Used \d+ registers", log)
        return made, remarks(log)

    warpalloc.triton.enable(command)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        ours, our_remarks = logged(compile_kernel(name, sm, **options, warpalloc=True))
        chosen, _remarks = logged(compile_kernel(name, sm, **options))
    own = Own(ours, options)
    _cubin, own_remarks = logged(own.assemble())
    ptx = ours.asm["ptx"]
    assert ours.metadata.warpalloc_used
    assert header(ptx) == header(own.ptx)
    assert register_counts(ptx) == register_counts(own.ptx)
    assert bool(register_counts(ptx)) == (name == SPECIALIZED)
    assert clusters(ptx) == clusters(own.ptx)
    assert bool(clusters(ptx)[1]) == (options.get("num_ctas", 1) > 1)
    assert ours.metadata.num_ctas == options.get("num_ctas", 1)
    if limit:
        assert f".maxnreg {limit}" in ptx
        assert registers(ours, cache.parent) <= limit
    assert not our_remarks - own_remarks
    # By default it is either. (Of the same LLVM both may be the same.)
    assert chosen.metadata.warpalloc_used or chosen.asm["ptx"] == Own(chosen, options).ptx


@pytest.mark.parametrize("name, sm", [(CLUSTER, 90), (SPECIALIZED, 90), (SPECIALIZED, 100)])
def test_what_fails_is_tritons_own(name, sm, tmp_path, command, cache):
    options = given(name, {}, 128)
    warpalloc.triton.enable(script(tmp_path, "exit 3"))
    with pytest.warns(RuntimeWarning) as caught:
        kernel = compile_kernel(name, sm, **options, warpalloc=True)
    [said] = caught
    assert str(said.message).startswith(f"warpalloc leaves {kernel.metadata.name} to Triton: ")
    assert not kernel.metadata.warpalloc_used
    assert kernel.asm["ptx"] == Own(kernel, options).ptx


def test_too_few_registers_for_an_instruction(command, cache, capfd):
    """ptxas refuses it from Triton, and says so of ours before."""
    warpalloc.triton.enable(command)
    few = r"Insufficient registers \(64\)"
    with (
        pytest.warns(RuntimeWarning, match=rf"(?s)leaves specialized to Triton: .*{few}") as caught,
        pytest.raises(PTXASError, match=few),
    ):
        compile_kernel(SPECIALIZED, 90, maxnreg=64, warpalloc=True)
    assert len(caught) == 1
