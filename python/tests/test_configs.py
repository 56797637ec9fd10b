"""`configs` gives an autotuner both kinds of code."""

import pytest
import triton
from kernels import matmul

import warpalloc.triton

GIVEN = [
    triton.Config({"BM": 64, "BN": 64, "BK": 32}, num_warps=4),
    triton.Config({"BM": 128, "BN": 64, "BK": 32}, num_warps=8, maxnreg=128),
]


def test_each_configuration_twice(command, cache):
    assert warpalloc.triton.configs(GIVEN) == GIVEN
    warpalloc.triton.enable(command)
    found = warpalloc.triton.configs(GIVEN)
    choices = [config.kwargs.pop("warpalloc") for config in found]
    assert choices == [False, True, False, True]
    assert [str(config) for config in found] == [str(c) for c in GIVEN for _ in range(2)]
    # What was given is not changed.
    assert all("warpalloc" not in config.kwargs for config in GIVEN)


@pytest.mark.parametrize("faster", [True, False])
def test_the_autotuner_decides_by_time(faster, command, cache, monkeypatch):
    """With a driver and a clock of ours: whatever is said to be faster is what is launched."""
    from test_cache import Driver
    from triton.runtime.driver import driver

    warpalloc.triton.enable(command)
    found = warpalloc.triton.configs(GIVEN)
    monkeypatch.setattr(driver, "_active", Driver())
    tuner = triton.autotune(configs=found, key=["M"])(matmul)
    timed = []

    def bench(*arguments, config, **meta):
        timed.append(config.all_kwargs())
        return [1.0 if config.kwargs["warpalloc"] is faster else 2.0] * 3

    launched = []
    tuner._bench = bench
    monkeypatch.setattr(tuner, "fn", Launched(matmul, launched))
    tuner[(1,)](None, None, None, 256, *range(9))
    assert len(timed) == 4
    assert launched[0]["warpalloc"] is faster


class Launched:
    """A kernel that notes how it would be launched."""

    def __init__(self, kernel, launched):
        self.kernel, self.launched = kernel, launched

    def run(self, *arguments, **options):
        self.launched.append(options)

    def __getattr__(self, name):
        return getattr(self.kernel, name)
