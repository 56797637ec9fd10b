"""What fails is Triton's own, with one warning."""

import re
import stat
import warnings

import pytest
from kernels import compile_kernel

import warpalloc.triton
from warpalloc import stages
from warpalloc.command import CommandError


def script(folder, text):
    """A warpalloc-llc that knows its version and does `text` for the rest."""
    path = folder / "warpalloc-llc"
    path.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exit 0\n{text}\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


FAILING = {
    "error": ("echo 'error: no registers' >&2; exit 1", "error: no registers"),
    "silent": ("exit 3", "exit status 3"),
    "empty": ("exit 0", "prints no kernel"),
    "killed": ("kill -9 $$", "exit status -9"),
    "processor": ("echo \"'sm_90a' is not a recognized processor\" >&2", "not a recognized"),
    "unknown": ("echo '.extern .func  (.param .b32 r) llvm_$_nvvm_$_new'", "does not know llvm"),
}


@pytest.mark.parametrize("name", FAILING)
@pytest.mark.parametrize("choice", [True, None])
def test_a_failing_command(name, choice, tmp_path, command, cache):
    text, message = FAILING[name]
    own = compile_kernel("attention", 90, maxnreg=64)
    warpalloc.triton.enable(script(tmp_path, text))
    # For a comparison what is measured comes first, from `warpalloc` beside the command.
    (tmp_path / "warpalloc").symlink_to(command.removesuffix("-llc"))
    with pytest.warns(RuntimeWarning) as caught:
        kernel = compile_kernel("attention", 90, maxnreg=64, warpalloc=choice)
    assert len(caught) == 1
    said = str(caught[0].message)
    assert said.startswith("warpalloc leaves attention to Triton: ") and message in said
    assert kernel.asm["cubin"] == own.asm["cubin"] and not kernel.metadata.warpalloc_used


def test_a_tool_that_is_missing(tmp_path, command, cache):
    own = compile_kernel("add", 90)
    warpalloc.triton.enable(script(tmp_path, "exit 1"))
    with pytest.warns(RuntimeWarning, match="leaves add to Triton: cannot run .*/warpalloc: "):
        kernel = compile_kernel("add", 90)
    assert kernel.asm["cubin"] == own.asm["cubin"]


def test_ptx_that_ptxas_refuses(tmp_path, command, cache, capfd):
    own = compile_kernel("add", 90)
    wrong = f"{command} \"$@\" | sed 's/ld\\.param\\.b64/ld.param.wrong/'"
    warpalloc.triton.enable(script(tmp_path, wrong))
    with pytest.warns(RuntimeWarning, match="leaves add to Triton: PTXAS error"):
        kernel = compile_kernel("add", 90, warpalloc=True)
    assert kernel.asm["cubin"] == own.asm["cubin"] and not kernel.metadata.warpalloc_used


def test_an_allocation_that_fails(command, cache):
    own = compile_kernel("attention", 80, maxnreg=64)
    warpalloc.triton.enable(command, ["-warpalloc-spills=here", "-spill-limit=1"])
    with pytest.warns(RuntimeWarning, match="leaves attention to Triton: warpalloc-llc failed: "):
        kernel = compile_kernel("attention", 80, maxnreg=64)
    assert kernel.asm["cubin"] == own.asm["cubin"]


def test_what_triton_changes_on_the_way(command, cache, monkeypatch):
    settings = stages.Settings(command, (), "")
    translate = stages.translation(settings)
    target = ["nvptx64-nvidia-cuda", "sm_90a", "+ptx86", [], True]
    ir = "define ptx_kernel void @k() {\n  ret void\n}\n"
    assert ".entry k(" in translate(ir, *target, False)
    for more, named in [((True,), {}), ((False, True), {}), ((False,), {"sched4reg": True})]:
        with pytest.raises(stages.DeclinedError, match="changed by Triton"):
            translate(ir, *target, *more, **named)
    monkeypatch.setenv("DISABLE_LLVM_OPT", "1")
    with pytest.raises(stages.DeclinedError, match="DISABLE_LLVM_OPT is set"):
        translate(ir, *target, False)
    monkeypatch.delenv("DISABLE_LLVM_OPT")
    called = "define internal i32 @f(i32 %x) #0 {\n  ret i32 %x\n}\nattributes #0 = { nounwind }\n"
    with pytest.raises(stages.DeclinedError, match="would inline f"):
        translate(ir + called, *target, False)
    kept = called.replace("nounwind", "noinline nounwind")
    assert ".entry k(" in translate(ir + kept, *target, False)
    with pytest.raises(CommandError, match="not a recognized processor"):
        translate(ir, target[0], "sm_999", *target[2:], False)
    with pytest.raises(CommandError, match="not a recognized feature"):
        translate(ir, *target[:2], "+ptx999", *target[3:], False)


def test_another_make_ptx_is_not_taken_for_the_known_one():
    with pytest.raises(stages.DeclinedError, match="does not translate"):
        stages.with_translation(lambda self: re.sub("", "", ""), None)


def test_a_better_kernel_is_no_worse_in_both_measures():
    better = stages.is_better
    assert better((1, 10), (2, 10))
    for ours, own in [((2, 1), (2, 10)), ((1, 11), (2, 10)), ((3, 1), (2, 9))]:
        assert not better(ours, own)


def test_no_warning_where_nothing_fails(command, cache):
    warpalloc.triton.enable(command)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        compile_kernel("add", 90)
        compile_kernel("attention", 90, maxnreg=64)
