"""Keeps what the system's own libraries print off the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["libraries_silent"]


@contextmanager
def libraries_silent() -> Iterator[None]:
    """Throws away what is written to standard error below Python.

    ALSA prints a dozen lines about a sound device that is not there, and Wayland one about a
    missing folder; the program says the same in one line of its own.
    """
    with suppress(AttributeError, ValueError, OSError):
        sys.stderr.flush()
    try:
        kept = os.dup(2)
    except OSError:  # standard error is closed: nothing can be printed
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
