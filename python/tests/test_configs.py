"""`configs` gives an autotuner both kinds of code, and what it measures decides.

Triton's own autotuner, benchmark and caches run, on kernels that are really compiled. What a
launch takes is said by the machine code that is loaded: see `driver`.
"""

import collections

import pytest
import triton
import triton.language as tl
from conftest import COMMAND, VARIABLES
from driver import Clocked
from kernels import matmul
from machine import registers_of
from test_cache import asks_for_key
from triton.runtime.driver import driver
from triton.runtime.jit import MockTensor

import warpalloc.triton

LIMITS = (40, 64)
GIVEN = [
    triton.Config({"BM": 64, "BN": 64, "BK": 32}, num_warps=4, maxnreg=limit) for limit in LIMITS
]
# The configurations of `configs(GIVEN)`, in order: the limit, and whether it is our code.
KINDS = [(limit, ours) for limit in LIMITS for ours in (False, True)]
# Other code of ours, whoever spills by default.
OTHER_OPTIONS = ["-warpalloc-spills=here", "-warpalloc-disable=split,remat"]
SIZE, OTHER_SIZE = 256, 512


class Machine:
    """A GPU of the test, and what the autotuner does on it."""

    def __init__(self):
        self.times = {}
        self.driver = Clocked(self.times)

    def fastest(self, codes, kind):
        """One kind takes a millisecond from now on, all others two."""
        self.times.update(dict.fromkeys(codes.values(), 2.0))
        self.times[codes[kind]] = 1.0

    def tuner(self, configs, **options):
        """A kernel that is tuned anew, as in a new process."""
        matmul.device_caches.clear()
        return triton.autotune(configs=configs, key=["M"], **options)(matmul)

    def launch(self, tuner, size=SIZE):
        """The machine code of the launch that is asked for, and how often each has been measured
        for it."""
        self.driver.launched.clear()
        kernel = tuner[(1,)](*arguments(size))
        *measured, last = self.driver.launched
        assert kernel.asm["cubin"] == last
        return last, collections.Counter(measured)


def arguments(size):
    pointers = [MockTensor(tl.float16) for _ in range(3)]
    return [*pointers, size, 256, 256, 256, 1, 256, 1, 256, 1, False]


def of_all_kinds(options):
    """The machine code of each of `KINDS`: Triton's by Triton alone, and ours with options."""
    found = {}
    for limit, ours in KINDS:
        if ours:
            warpalloc.triton.enable(COMMAND, options)
        matmul.device_caches.clear()
        constants = {**GIVEN[0].kwargs, "maxnreg": limit, **({"warpalloc": True} if ours else {})}
        kernel = matmul.warmup(*arguments(SIZE), grid=(1,), **constants)
        assert getattr(kernel.metadata, "warpalloc_used", False) == ours
        warpalloc.triton.disable()
        found[limit, ours] = kernel.asm["cubin"]
    matmul.device_caches.clear()
    assert len(set(found.values())) == len(KINDS)
    return found


@pytest.fixture(scope="module")
def both_codes(tmp_path_factory):
    """The machine code of all kinds, by default settings and by other options of ours. They are
    made with another cache, so that each test compiles anew."""
    with pytest.MonkeyPatch.context() as context:
        context.setenv("TRITON_CACHE_DIR", str(tmp_path_factory.mktemp("before")))
        context.setenv("TRITON_DEFAULT_FP_FUSION", "1")
        for name in VARIABLES:
            context.delenv(name, raising=False)
        context.setattr(driver, "_active", Clocked({}))
        return of_all_kinds([]), of_all_kinds(OTHER_OPTIONS)


@pytest.fixture
def codes(both_codes):
    return both_codes[0]


@pytest.fixture
def others(both_codes):
    return both_codes[1]


@pytest.fixture
def machine(cache, monkeypatch):
    made = Machine()
    monkeypatch.setattr(driver, "_active", made.driver)
    yield made
    matmul.device_caches.clear()


def test_each_configuration_twice(command, cache):
    assert warpalloc.triton.configs(GIVEN) == GIVEN
    warpalloc.triton.enable(command)
    found = warpalloc.triton.configs(GIVEN)
    choices = [config.kwargs.pop("warpalloc") for config in found]
    assert choices == [False, True, False, True]
    assert [str(config) for config in found] == [str(c) for c in GIVEN for _ in range(2)]
    # What was given is not changed.
    assert all("warpalloc" not in config.kwargs for config in GIVEN)


@pytest.mark.parametrize("kind", KINDS)
def test_the_fastest_code_is_launched(kind, machine, codes, command, tmp_path):
    """All four are compiled and measured, and whichever is said to be the fastest is taken."""
    machine.fastest(codes, kind)
    warpalloc.triton.enable(command)
    tuner = machine.tuner(warpalloc.triton.configs(GIVEN))
    launched, measured = machine.launch(tuner)
    assert set(measured) == set(codes.values()) and min(measured.values()) > 10
    assert launched == codes[kind]
    assert (tuner.best_config.maxnreg, tuner.best_config.kwargs["warpalloc"]) == kind
    cubin = tmp_path / "kernel.cubin"
    cubin.write_bytes(launched)
    assert registers_of(cubin, "matmul") <= kind[0]


def test_a_tuned_kernel_is_not_measured_again(machine, codes, command):
    """The choice of each key is its own, whatever has been chosen for another since."""
    own, ours = KINDS[:2]
    warpalloc.triton.enable(command)
    tuner = machine.tuner(warpalloc.triton.configs(GIVEN))
    machine.fastest(codes, ours)
    assert machine.launch(tuner)[0] == codes[ours]
    machine.fastest(codes, own)
    launched, measured = machine.launch(tuner, OTHER_SIZE)
    assert launched == codes[own] and len(measured) == len(KINDS)
    for size, kind in [(SIZE, ours), (OTHER_SIZE, own)] * 2:
        assert machine.launch(tuner, size) == (codes[kind], {})


@pytest.mark.parametrize("kind", KINDS[:2])
def test_the_cache_on_disk_has_the_fastest_code(kind, machine, codes, command):
    """What is tuned once is launched by the next process, by whichever code it was."""
    warpalloc.triton.enable(command)
    machine.fastest(codes, kind)
    tuner = machine.tuner(warpalloc.triton.configs(GIVEN), cache_results=True)
    assert len(machine.launch(tuner)[1]) == len(KINDS)
    # It is not measured again: then the other one would be taken.
    machine.fastest(codes, next(other for other in KINDS[:2] if other != kind))
    tuner = machine.tuner(warpalloc.triton.configs(GIVEN), cache_results=True)
    assert machine.launch(tuner) == (codes[kind], {})


def test_the_cache_on_disk_is_of_one_setting(machine, codes, others, command):
    """A time measured of other code, ours or Triton's, decides nothing."""
    own, ours = KINDS[:2]

    def launched(configs):
        tuner = machine.tuner(configs, cache_results=True)
        code, measured = machine.launch(tuner)
        return code, len(measured)

    warpalloc.triton.enable(command)
    machine.fastest(codes, ours)
    assert launched(warpalloc.triton.configs(GIVEN)) == (codes[ours], 4)
    # By other options it is other code, which is slower here than Triton's own.
    assert others[ours] != codes[ours] and others[own] == codes[own]
    machine.fastest(others, own)
    warpalloc.triton.enable(command, OTHER_OPTIONS)
    assert launched(warpalloc.triton.configs(GIVEN)) == (codes[own], 4)
    machine.fastest(others, ours)
    assert launched(warpalloc.triton.configs(GIVEN)) == (codes[own], 0)
    # Without warpalloc, and with it again.
    warpalloc.triton.disable()
    assert launched(warpalloc.triton.configs(GIVEN)) == (codes[own], 2)
    warpalloc.triton.enable(command)
    assert launched(warpalloc.triton.configs(GIVEN)) == (codes[ours], 0)


def test_the_cache_on_disk_knows_plain_configurations_apart(machine, codes, command):
    """Nothing in these says whether warpalloc is enabled: the hash of the back end does."""
    for kind in KINDS:
        machine.times[codes[kind]] = 1.0
    machine.times[codes[LIMITS[0], False]] = 2.0
    tuner = machine.tuner(GIVEN, cache_results=True)
    assert machine.launch(tuner)[0] == codes[LIMITS[1], False]
    warpalloc.triton.enable(command)
    # What is chosen between the two codes of each is one of them.
    tuner = machine.tuner(GIVEN, cache_results=True)
    launched, measured = machine.launch(tuner)
    assert len(measured) == 2 and set(measured) <= set(codes.values())
    warpalloc.triton.disable()
    tuner = machine.tuner(GIVEN, cache_results=True)
    assert machine.launch(tuner) == (codes[LIMITS[1], False], {})


@asks_for_key
def test_a_choice_outlives_its_setting_but_not_its_code(machine, codes, others, command):
    """A tuner in this process keeps its configuration; what is compiled of it is of the setting
    at the time."""
    ours = KINDS[1]
    machine.fastest({**codes, "other": others[ours]}, ours)
    warpalloc.triton.enable(command)
    tuner = machine.tuner(warpalloc.triton.configs(GIVEN))
    assert machine.launch(tuner)[0] == codes[ours]
    warpalloc.triton.enable(command, OTHER_OPTIONS)
    assert machine.launch(tuner) == (others[ours], {})
    # Triton without warpalloc does not know the configuration.
    warpalloc.triton.disable()
    with pytest.raises(KeyError, match="warpalloc"):
        machine.launch(tuner)
