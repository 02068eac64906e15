"""Trajectories as NPZ: for each shot the states between which the motion is known exactly.

`numpy.load(path)` gives, for shot 12, `000000000012` of shape (k, 9): disc, t, x, y, vx, vy, spin,
angle, carried (s, m, rad; carried is 0 over a pocket). Between two states of a disc friction alone
acts, so that `Trajectory` and a few lines of numpy give every place in between. `columns` names
the columns, `plan` holds the plan as JSON.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from carromsim._version import __version__
from carromsim.batch.journal import Entry, sync
from carromsim.batch.plan import Plan
from carromsim.batch.rows import Row
from carromsim.batch.sinks import FileSink
from carromsim.core.errors import InvalidValue

__all__ = ["COLUMNS", "NpzSink", "states_of"]

COLUMNS = ("disc", "t", "x", "y", "vx", "vy", "spin", "angle", "carried")


def states_of(row: Row) -> NDArray[np.float64]:
    """The states of all discs of a row, shape (k, 9): by disc, then in time order."""
    if row.trajectory is None:
        raise InvalidValue("the plan keeps no trajectories", field="trajectories")
    states = [
        (disc, *stretch)
        for disc, stretches in enumerate(row.trajectory.stretches)
        for stretch in stretches
    ]
    return np.array(states, dtype=np.float64).reshape(-1, len(COLUMNS))


def _bytes(array: NDArray[np.float64] | NDArray[np.str_]) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asanyarray(array), allow_pickle=False)
    return stream.getvalue()


class NpzSink(FileSink):
    """A file of trajectories; the plan has to keep them."""

    def __init__(self, path: Path, plan: Plan, *, resume: bool = False) -> None:
        if not plan.trajectories:
            raise InvalidValue("the plan keeps no trajectories", field="trajectories")
        super().__init__(path, plan, resume=resume)

    def arrays_of(self, row: Row) -> bytes:
        """The states of all discs."""
        return _bytes(states_of(row))

    def make(self, path: Path, rows: Iterator[Entry]) -> None:
        """See `FileSink.make`."""
        with path.open("wb") as stream:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
                plan = json.dumps(self.plan.to_json(), sort_keys=True)
                for name, text in (
                    ("columns", list(COLUMNS)),
                    ("plan", [plan]),
                    ("version", [__version__]),
                ):
                    _add(archive, name, _bytes(np.array(text)))
                for data, arrays in rows:
                    _add(archive, f"{data['shot']:012d}", arrays)
            sync(stream)


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    # a fixed date: equal plans give equal bytes
    info = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, content)
