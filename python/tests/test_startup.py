"""`WARPALLOC_TRITON=1` enables it without a line of code, and `enable` for child processes."""

import os
import pathlib
import subprocess
import sys

import pytest

import warpalloc.triton

PACKAGE = pathlib.Path(__file__).parents[1]
STATE = (
    "import sys; before = 'triton' in sys.modules; import triton;"
    "import triton.backends;"
    "w = sys.modules.get('warpalloc.triton'); print(before, bool(w and w.is_enabled()))"
)


def start(**variables):
    """What a new Python says of itself, with the `.pth` of this package in a site folder."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("WARPALLOC")}
    environment |= {"PYTHONPATH": str(PACKAGE / "src"), **variables}
    code = f"import site; site.addsitedir({str(PACKAGE)!r}); {STATE}"
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )


@pytest.mark.parametrize("value", ["", "0", None])
def test_nothing_happens_without_the_variable(value, command):
    done = start(**({} if value is None else {"WARPALLOC_TRITON": value}))
    assert done.stdout == "False False\n" and "warpalloc" not in done.stderr


def test_the_variable_enables_it_when_triton_is_imported(command):
    done = start(WARPALLOC_TRITON="1", WARPALLOC_COMMAND=command)
    assert done.stdout == "False True\n", done.stderr


def test_a_failure_is_a_warning(command):
    done = start(WARPALLOC_TRITON="1", WARPALLOC_COMMAND="/nowhere/llc")
    assert done.stdout == "False False\n"
    assert "warpalloc is not enabled: /nowhere/llc is no program" in done.stderr
    wrong = start(WARPALLOC_TRITON="1", WARPALLOC_COMMAND=command, WARPALLOC_TRITON_OPTIONS="'-O")
    assert 'WARPALLOC_TRITON_OPTIONS is "\'-O": No closing quotation' in wrong.stderr


def test_children_have_the_settings(command, cache):
    code = (
        "import os; import warpalloc.triton as w; w.enable();"
        "from triton.backends.compiler import GPUTarget;"
        "from triton.compiler.compiler import make_backend;"
        "print(make_backend(GPUTarget('cuda', 90, 32)).hash())"
    )
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import make_backend

    options = ["-warpalloc-spills=here", "-warpalloc-disable=remat,split"]
    warpalloc.triton.enable(command, options)
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE / "src")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == make_backend(GPUTarget("cuda", 90, 32)).hash().strip()
    assert os.environ["WARPALLOC_TRITON"] == "1"
