"""What a `.pth` file runs when Python starts with `WARPALLOC_TRITON` set: warpalloc is put into
Triton as soon as somebody imports Triton, and nothing is imported before.

A failure is a warning: it must not end programs that would run without warpalloc.
"""

import os
import warnings

import wrapt

from . import inductor


def when_imported(_module):
    """Enables warpalloc, as Triton's back end is there now."""
    try:
        from . import triton

        triton.enable()
    except Exception as error:  # noqa: BLE001, whatever it is: Triton works without us
        warnings.warn(f"warpalloc is not enabled: {error}", RuntimeWarning, stacklevel=2)


def install():
    """Waits for Triton's back end if the variable says so."""
    if os.environ.get("WARPALLOC_TRITON", "") not in ("", "0"):
        wrapt.register_post_import_hook(when_imported, "triton.backends.nvidia.compiler")
        # Inductor's caches import Triton on their way: afterwards it would be too late.
        inductor.install()
