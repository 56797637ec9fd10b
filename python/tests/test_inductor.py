"""torch.compile with warpalloc, without a GPU: Inductor's workers have it, and its caches do not
mistake code of one setting for another's. Each test starts processes of its own, as what is
tested is what they begin with; `gpu/stand_in.py` stands in for the GPU."""

import types

import pytest
from inductor_cache import ON, Cache

from warpalloc import inductor

# A kernel of Inductor's that needs more registers than there are, where ours is taken.
PRESSED, SM = "matmul_f32", 90


@pytest.fixture
def inductor_cache(command, tmp_path):
    return Cache(tmp_path, command)


def check_workers(cache, line, enabled):
    """All was compiled in workers, whose setting is this process's."""
    assert line["misses"] == 1 and line["here"] == 0
    assert line["worker"] == line["state"] and line["state"]["enabled"] == enabled
    for _, metadata in cache.kernels(line):
        assert ("warpalloc_used" in metadata) == enabled


def test_workers_have_it_by_the_variable(inductor_cache):
    check_workers(inductor_cache, *inductor_cache.run(SM, "layer_norm", **ON), True)


def test_workers_have_it_by_enable(inductor_cache):
    options = "enable=-warpalloc-spills=here -warpalloc-disable=remat,split"
    lines = inductor_cache.run(SM, "layer_norm", "enable", "layer_norm", options, "layer_norm")
    for line, enabled in zip(lines, (False, True, True), strict=True):
        check_workers(inductor_cache, line, enabled)
    assert len({line["state"]["hash"] for line in lines}) == 3


def test_workers_do_not_have_it_after_disable(inductor_cache):
    lines = inductor_cache.run(SM, "enable", "pointwise", "disable", "pointwise")
    for line, enabled in zip(lines, (True, False), strict=True):
        check_workers(inductor_cache, line, enabled)


def test_a_cached_graph_is_of_the_same_setting(inductor_cache):
    """In new processes, all with one cache."""
    other = {**ON, "WARPALLOC_TRITON_OPTIONS": "-warpalloc-spills=here"}
    lines = [inductor_cache.run(SM, PRESSED, **way)[0] for way in ({}, ON, other, {}, ON, other)]
    assert [line["misses"] for line in lines] == [1, 1, 1, 0, 0, 0]
    assert [line["hits"] for line in lines] == [0, 0, 0, 1, 1, 1]
    for first, again in zip(lines[:3], lines[3:], strict=True):
        assert first["loaded"] == again["loaded"] and again["here"] == 0
    [(own, _)], [(ours, metadata)], _ = map(inductor_cache.kernels, lines[:3])
    assert metadata["warpalloc_used"]
    assert own.with_suffix(".ptx").read_text() != ours.with_suffix(".ptx").read_text()


def test_a_cached_graph_is_of_the_same_setting_in_one_process(inductor_cache):
    own, ours, again = inductor_cache.run(SM, PRESSED, "enable", PRESSED, "disable", PRESSED)
    assert [line["misses"] for line in (own, ours, again)] == [1, 1, 0]
    assert own["loaded"] == again["loaded"] != ours["loaded"]
    [(_, metadata)] = inductor_cache.kernels(ours)
    assert metadata["warpalloc_used"]


def test_the_autotuners_choices_are_of_one_setting(inductor_cache):
    inductor_cache.run(SM, "group_norm")
    own = set(inductor_cache.folder.rglob("*.best_config"))
    inductor_cache.run(SM, "group_norm", **ON)
    assert own and len(set(inductor_cache.folder.rglob("*.best_config"))) == 2 * len(own)


@pytest.mark.parametrize("sm", [80, 90])
def test_no_kernel_is_worse(sm, inductor_cache):
    """Registers, local accesses and stall cycles of what would be loaded."""
    lines = list(inductor_cache.figures(sm))
    assert lines
    for line in lines:
        print(line)
        own, chosen = line["own"], line["chosen"]
        assert chosen[0] <= max(own[0] * 1.1, own[0] + 2)
        assert chosen[1:] == own[1:] or line["ours"]
        assert chosen[1] <= own[1] and chosen[2] <= own[2]


def test_an_unknown_torch_goes_without_caches():
    config = types.SimpleNamespace(force_disable_caches=False)
    with pytest.warns(RuntimeWarning, match="does not know how this torch keys its caches"):
        inductor._key_caches(types.SimpleNamespace(CacheBase=object(), config=config))
    assert config.force_disable_caches
