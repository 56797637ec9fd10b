"""How commands are found, known and run. No Triton is needed."""

import stat

import pytest

from warpalloc.command import CommandError, find, fingerprint, run


def program(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_whatever_changes_code_is_in_the_fingerprint(command, tmp_path, monkeypatch):
    script = tmp_path / "bin" / "warpalloc-llc"
    (tmp_path / "lib").mkdir()
    plugin = tmp_path / "lib" / "libwarpalloc.so"
    choices = tmp_path / "choices.json"
    version = tmp_path / "version"

    def write():
        program(script, f"cat {version}")
        plugin.write_text("a")
        choices.write_text("{}")
        version.write_text("22.1")

    def print_of(*options):
        return fingerprint(str(script), options)

    write()
    option = f"-warpalloc-choices={choices}"
    seen = {print_of(), print_of("-x"), print_of("-x", "-y"), print_of("-x-y"), print_of(option)}
    assert print_of() in seen
    for path in (script, plugin, choices, version):
        write()
        path.write_text(path.read_text() + "# more")
        seen.add(print_of(option))
    write()
    monkeypatch.setenv("WARPALLOC_OPTIONS", option)
    seen.add(print_of())
    choices.write_text("{ }")
    seen.add(print_of())
    monkeypatch.setenv("WARPALLOC_LLC", "/usr/bin/llc-22")
    seen.add(print_of())
    assert len(seen) == 12


def test_a_command_is_found_where_it_is_said(command, tmp_path, monkeypatch):
    there = program(tmp_path / "bin" / "warpalloc-llc", "exit 0")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert find() == there
    other = program(tmp_path / "other" / "llc", "exit 0")
    monkeypatch.setenv("WARPALLOC_COMMAND", other)
    assert find() == other and find(there) == there
    monkeypatch.setenv("WARPALLOC_COMMAND", "/nowhere/llc")
    with pytest.raises(CommandError, match="/nowhere/llc is no program"):
        find()
    monkeypatch.delenv("WARPALLOC_COMMAND")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CommandError, match="warpalloc-llc is not on the path"):
        find()


def test_run_says_what_a_command_says(tmp_path, monkeypatch):
    with pytest.raises(CommandError, match="cannot run /nowhere: "):
        run(["/nowhere"])
    with pytest.raises(CommandError, match="^p failed: of no use$"):
        run([program(tmp_path / "p", "echo of no use >&2; exit 1")])
    with pytest.raises(CommandError, match="p failed: exit status 4"):
        run([program(tmp_path / "p", "exit 4")])
    with pytest.raises(CommandError, match="p: 'x' is not a recognized processor"):
        run([program(tmp_path / "p", "echo \"'x' is not a recognized processor\" >&2")])
    assert run([program(tmp_path / "p", "cat")], "in \u00e9\udcff") == "in \u00e9\udcff"
    monkeypatch.setattr("warpalloc.command.SECONDS", 0.1)
    with pytest.raises(CommandError, match="ended after 0.1 seconds"):
        run([program(tmp_path / "p", "exec sleep 9")])


def test_options_that_no_shell_could_split_are_named(command, monkeypatch):
    monkeypatch.setenv("WARPALLOC_OPTIONS", "'-O2")
    with pytest.raises(CommandError, match='WARPALLOC_OPTIONS is "\'-O2": No closing quotation'):
        fingerprint(command, [])
