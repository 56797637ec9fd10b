"""What `figures.py` says of the kernels of a file that somebody has written."""

import json

import figures
import pytest

FILE = """\
import triton
import triton.language as tl


@triton.jit
def scaled(x, out, n, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + seed + at, tl.load(x + at, at < n) * 2, at < n)


@triton.jit
def wide(x, out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    values = tl.load(x + at, at < n, other=0.0)
    powers = tl.exp(values - tl.max(values, 0))
    tl.store(out + at, powers / tl.sum(powers, 0), at < n)


TYPES = {"x": "*fp32", "out": "*fp32", "n": "i32"}
KERNELS = [
    ("scaled", scaled, {**TYPES, "seed": "i32"}, {"BLOCK": 1024}, {"num_warps": 2}),
    ("wide", wide, TYPES, {"BLOCK": 16384}, {"num_warps": 4}),
    ("no kernel", wide, TYPES, {"BLOCK": 1000}, {}),
]
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "some kernels.py"
    path.write_text(FILE)
    return path


def test_each_kernel_has_a_line(file, command, cache, tmp_path):
    out = tmp_path / "lines"
    figures.main([command, str(out), "--sms=80,90", "--limits=0,64", f"--kernels={file}"])
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(line["limit"], line["kernel"], line["sm"]) for line in lines] == [
        (limit, name, sm)
        for limit in (0, 64)
        for name in ("scaled", "wide", "no kernel")
        for sm in (80, 90)
    ]
    for line in lines:
        if line["kernel"] == "no kernel":
            assert line["refused"]
            continue
        own, chosen = line["own"], line["chosen"]
        assert all(registers <= (line["limit"] or 255) for registers in (own[0], chosen[0]))
        assert chosen[1] <= own[1] and chosen[2] <= own[2]
        assert line["ours"] or chosen == own
        # 128 values a thread are more than 64 registers hold.
        assert (own[1] > 0) == (line["kernel"] == "wide" and line["limit"] == 64)


def test_what_is_unaligned_is_not_loaded_as_if_it_were(file, cache):
    """The store goes to an address with the argument in it: in words, not in vectors."""
    vectors = []
    for unaligned in ((), ("seed",)):
        compiled, _least_sm = figures.kernels_of(file, unaligned)["scaled"]
        vectors.append("st.global.v4" in compiled(90).asm["ptx"])
    assert vectors == [True, False]


def test_two_kernels_of_one_name_are_refused(file):
    file.write_text(FILE.replace('"no kernel"', '"wide"'))
    with pytest.raises(ValueError, match="same name"):
        figures.kernels_of(file)
