"""Warpalloc in Triton's compiler, for NVIDIA's GPUs.

    import warpalloc.triton
    warpalloc.triton.enable()

From then on a kernel of which ptxas leaves something in local memory is compiled once more,
from Triton's LLVM IR by `warpalloc-llc`, within its `maxnreg`. Of both the one is taken whose
machine code goes to local memory less. Everything else stays as Triton has it. A launch, or a
configuration, can decide by itself: `warpalloc=True` takes ours without a comparison, and
`warpalloc=False` Triton's own. `configs` gives an autotuner both.

`WARPALLOC_TRITON=1` in the environment enables it without a line of code; `enable` sets it for
the processes that this one starts, as torch's Inductor does to compile.

What is changed in Triton, and put back by `disable`:

- from 3.6.0 on `knobs.runtime.add_stages_inspection_hook`, which still calls the one that was
  there; in 3.5.1, which has no hook, `CUDABackend.add_stages`;
- `CUDABackend.hash`, which is part of each of Triton's cache keys: no cached kernel of another
  setting comes back;
- `CUDAOptions`, which has one more field, `warpalloc`.

In torch, if it is imported, the keys of Inductor's caches are extended: see `inductor`.
"""

import copy
import dataclasses
import os
import shlex

import triton
from triton import knobs
from triton.backends.nvidia import compiler

from . import command as commands
from . import inductor
from .stages import Settings, add_stages

# The version whose back end is changed without a hook. Older ones have other stages.
WITHOUT_HOOK = (3, 5, 1)
FIRST_WITH_HOOK = (3, 6, 0)
HOOK = "add_stages_inspection_hook"
ENABLE_VARIABLE = "WARPALLOC_TRITON"
OPTIONS_VARIABLE = "WARPALLOC_TRITON_OPTIONS"


class UnsupportedTritonError(RuntimeError):
    """This version of Triton cannot be changed as is meant here."""


# What brings everything back as it was, while enabled.
_undo = []


def enable(command=None, options=None):
    """Puts warpalloc into Triton, from the next kernel that is compiled on.

    `command` is the path of `warpalloc-llc` (else `WARPALLOC_COMMAND`, the one of this package,
    the one on the path). `options` are more options of it, a list of words, for all kernels
    (else those of `WARPALLOC_TRITON_OPTIONS`, as a shell would split them).

    Raises UnsupportedTritonError, or CommandError if there is no command that runs; nothing is
    changed then. To be called again is to change the settings.
    """
    hooked = _has_hook()
    if options is None:
        options = _variable_options()
    path = commands.find(command)
    options = tuple(options)
    settings = Settings(path, options, commands.fingerprint(path, options))
    disable()
    _undo.append(_change(compiler.CUDABackend, "hash", _hash(settings)))
    _undo.append(_change(compiler, "CUDAOptions", _options_with_field()))
    if hooked:
        _undo.append(_change(knobs.runtime, HOOK, _hook(settings)))
    else:
        _undo.append(_change(compiler.CUDABackend, "add_stages", _stages_of_3_5_1(settings)))
    variables = {
        ENABLE_VARIABLE: "1",
        commands.VARIABLE: path,
        OPTIONS_VARIABLE: shlex.join(options),
    }
    for name, value in variables.items():
        _undo.append(_set_variable(name, value))
    inductor.set_fingerprint(settings.fingerprint)
    _undo.append(lambda: inductor.set_fingerprint(None))


def disable():
    """Makes Triton what it was before `enable`; nothing if it is not enabled."""
    while _undo:
        _undo.pop()()


def is_enabled():
    """Whether warpalloc is in Triton."""
    return bool(_undo)


def configs(given):
    """Each `triton.Config` twice, with Triton's own code and with ours, so that what an
    autotuner measures decides. Unchanged while warpalloc is not enabled."""
    if not is_enabled():
        return list(given)
    return [_with_field(config, choice) for config in given for choice in (False, True)]


def _with_field(config, choice):
    config = copy.copy(config)
    config.kwargs = {**config.kwargs, "warpalloc": choice}
    return config


def _has_hook():
    """Whether this version of Triton has the hook. Raises if it is too old for both ways."""
    numbers = triton.__version__.split("+")[0].split(".")
    version = tuple(int(number) for number in numbers[:3] if number.isdigit())
    if version == WITHOUT_HOOK:
        return False
    if version < FIRST_WITH_HOOK:
        raise UnsupportedTritonError(
            f"warpalloc knows Triton 3.5.1 and, from 3.6.0 on, those with a hook for stages;"
            f" this is {triton.__version__}"
        )
    if not hasattr(type(knobs.runtime), HOOK):
        raise UnsupportedTritonError(f"Triton {triton.__version__} has no knobs.runtime.{HOOK}")
    return True


def _variable_options():
    value = os.environ.get(OPTIONS_VARIABLE, "")
    try:
        return shlex.split(value)
    except ValueError as error:
        raise commands.CommandError(f"{OPTIONS_VARIABLE} is {value!r}: {error}") from error


def _hash(settings):
    triton_hash = compiler.CUDABackend.hash

    def backend_hash(self):
        return f"{triton_hash(self)}-warpalloc-{settings.fingerprint}"

    return backend_hash


def _options_with_field():
    # Each value is part of the key of what is cached, as all fields are.
    field = ("warpalloc", bool | None, None)
    base = compiler.CUDAOptions
    return dataclasses.make_dataclass(
        base.__name__, [field], bases=(base,), frozen=True, namespace={"__module__": __name__}
    )


def _hook(settings):
    earlier = getattr(knobs.runtime, HOOK)

    def hook(backend=None, stages=None, options=None, language=None, capability=None):
        if stages is not None:
            if earlier is not None:
                earlier(backend, stages, options, language, capability)
            return _add_stages(settings, backend, stages, options)
        # Triton asks for what distinguishes kernels: a part of the key on disk, and of the one
        # in this process.
        key, digest = earlier() if earlier is not None else ("", "")
        return f"{key}-warpalloc-{settings.fingerprint}", f"{digest}{settings.fingerprint}"

    return hook


def _stages_of_3_5_1(settings):
    triton_stages = compiler.CUDABackend.add_stages

    def stages_with_ours(self, stages, options, language):
        triton_stages(self, stages, options, language)
        _add_stages(settings, self, stages, options)

    return stages_with_ours


def _add_stages(settings, backend, stages, options):
    # The hook is called for other GPUs as well.
    if isinstance(backend, compiler.CUDABackend):
        add_stages(settings, backend, stages, options)


def _change(owner, name, value):
    """Sets an attribute; how to set it back."""
    before = getattr(owner, name)
    setattr(owner, name, value)
    return lambda: setattr(owner, name, before)


def _set_variable(name, value):
    before = os.environ.get(name)
    os.environ[name] = value

    def undo():
        if before is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = before

    return undo
