"""What the tests share: the command that is tested, and a cache for each test."""

import importlib.util
import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("WARPALLOC_COMMAND", str(ROOT / "target/release/warpalloc-llc"))
# What the environment may have of ours, which would be tested instead.
VARIABLES = ("WARPALLOC_COMMAND", "WARPALLOC_LLC", "WARPALLOC_OPTIONS", "WARPALLOC_TRITON")
collect_ignore = []

try:
    import triton
except ImportError:
    # What knows nothing of Triton is tested without it.
    triton = None
    collect_ignore += ["test_cache.py", "test_failures.py", "test_kernels.py", "test_startup.py"]
    collect_ignore += ["kernels.py", "machine.py", "test_configs.py", "test_options.py"]
    collect_ignore += ["driver.py", "figures.py", "test_figures.py", "test_warps.py"]

# Inductor is tested where there is torch, which is not imported: it is not made for this process.
if triton is None or importlib.util.find_spec("torch") is None:
    collect_ignore.append("test_inductor.py")


def pytest_report_header():
    version = triton.__version__ if triton else "none"
    return f"Triton {version}, warpalloc-llc {COMMAND}"


@pytest.fixture
def command(monkeypatch):
    """The path of warpalloc-llc."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return COMMAND


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache of Triton's, and Triton without warpalloc before and after."""
    import warpalloc.triton

    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TRITON_DEFAULT_FP_FUSION", "1")
    yield tmp_path / "cache"
    warpalloc.triton.disable()
