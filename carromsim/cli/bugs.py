"""What happens to a bug of ours: the traceback goes to a file, the user gets one line."""

from __future__ import annotations

import platform
import sys
import tempfile
import traceback
from datetime import UTC, datetime
from pathlib import Path

from carromsim._version import __version__
from carromsim.core.errors import CarromsimError
from carromsim.core.folders import log_folder
from carromsim.core.record import write_whole

__all__ = ["report_bug"]


def report_bug(error: Exception) -> str:
    """Writes the traceback to a file and says where."""
    now = datetime.now(UTC)
    name = f"bug-{now:%Y%m%d-%H%M%S}.log"
    text = (
        f"carromsim {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        f"{now:%Y-%m-%d %H:%M:%S} UTC\n{' '.join(sys.argv)}\n\n"
        + "".join(traceback.format_exception(error))
    )
    what = f"this is a bug of carromsim, not of yours ({type(error).__name__})"
    for folder in (log_folder(), Path(tempfile.gettempdir())):
        path = folder / name
        try:
            write_whole(path, text)
        except CarromsimError:
            continue
        return f"{what}; please send us {path}"
    return f"{what}: {error}"
