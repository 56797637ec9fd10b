"""torch's Inductor: what it keeps of compiled kernels, and the processes that compile them.

The cache of FX graphs brings kernels with it, which Inductor loads without asking Triton again.
Its key, as that of AOTAutograd's cache, knows Triton by its version, not by its back end: so
what is enabled is put into `CacheBase.get_system`, which is part of both. The code that Inductor
generates has the hash of the back end in it; its autotuner's caches are keyed by that code.

The processes that compile have the setting with which they were started. Inductor starts others
when those are shut down.

Nothing of torch is imported here: most programs with Triton in them do without Inductor, and a
program without Triton must not get it.
"""

import functools
import hashlib
import sys
import warnings

import wrapt

CODE_CACHE = "torch._inductor.codecache"
# What remembers the hash of the back end, and what Inductor calls to end its processes.
BACKEND_HASH = ("torch.utils._triton", "triton_hash_with_backend")
END_WORKERS = ("torch._inductor.async_compile", "shutdown_compile_workers")

_hooked = False
_fingerprint = None


def install():
    """Waits for Inductor's caches, if it does not do so yet.

    To be called before anything imports them, or when they are there: not on the way.
    """
    global _hooked
    if not _hooked:
        _hooked = True
        wrapt.register_post_import_hook(_key_caches, CODE_CACHE)


def set_fingerprint(fingerprint):
    """Says what code is made from now on: a text that differs where code does, or None for
    Triton's own."""
    global _fingerprint
    _fingerprint = fingerprint
    install()
    backend_hash = _imported(*BACKEND_HASH)
    if backend_hash is not None:
        backend_hash.cache_clear()
    codecache = sys.modules.get(CODE_CACHE)
    path = getattr(getattr(codecache, "CacheBase", None), "get_local_cache_path", None)
    if path is not None:
        path.cache_clear()
    end_workers = _imported(*END_WORKERS)
    if end_workers is not None:
        end_workers()


def _imported(module, name):
    """An attribute of a module, or None where the module is not imported as far as that."""
    return getattr(sys.modules.get(module), name, None)


def _key_caches(codecache):
    try:
        of_torch = codecache.CacheBase.get_system
    except AttributeError:
        # An exception would end the import of torch.
        codecache.config.force_disable_caches = True
        said = "warpalloc does not know how this torch keys its caches: Inductor does without"
        warnings.warn(said, RuntimeWarning, stacklevel=2)
        return

    @functools.wraps(of_torch)
    def get_system():
        system = of_torch()
        if _fingerprint is None:
            return system
        digest = hashlib.sha256(f"{system['hash']}-{_fingerprint}".encode()).hexdigest()
        return {**system, "warpalloc": _fingerprint, "hash": digest}

    get_system.cache_clear = of_torch.cache_clear
    codecache.CacheBase.get_system = staticmethod(get_system)
