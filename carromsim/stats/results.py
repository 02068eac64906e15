"""Results of a batch as columns: one numpy array for each, and where everything came to rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from carromsim.core.fields import Json
from carromsim.physics import Table, strength_of

__all__ = ["OFF_BOARD", "ON_BOARD", "STRIKER", "Floats", "Ints", "Rests", "Results"]

ON_BOARD, OFF_BOARD = -1, -2
"""Places of a disc that lies in no pocket, as in a Parquet file's `rest_pocket`."""
STRIKER = "striker"
"""The kind that is shot; all others count as men."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Rests:
    """Where discs came to rest: n discs of all shots, in flat arrays of length n.

    Attributes:
        kinds: The kinds of disc.
        row: Which row of the results a disc belongs to.
        kind: Its kind's place in `kinds`.
        x, y: Its centre at the end, m (meaningless for a disc that left the board).
        pocket: The pocket's number, or ON_BOARD or OFF_BOARD.
    """

    kinds: tuple[str, ...]
    row: Ints
    kind: NDArray[np.int16]
    x: Floats
    y: Floats
    pocket: NDArray[np.int16]

    def lying(self, kind: str) -> tuple[Floats, Floats]:
        """x and y in m of all discs of a kind that lie on the board."""
        if kind not in self.kinds:
            return np.empty(0), np.empty(0)
        chosen = (self.kind == self.kinds.index(kind)) & (self.pocket == ON_BOARD)
        return self.x[chosen], self.y[chosen]


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """Results of a batch: n shots, every array of length n.

    Attributes:
        source: What they were read from.
        index: Number of the shot in its plan.
        side: Who shot.
        offset: m.
        angle: rad, positive to the left.
        speed: m/s.
        pocketed: By kind, how many fell.
        off_board: How many discs left the board.
        touched: The striker touched another disc.
        foul: One of `carromsim.batch.rows.FOULS`, or "".
        contacts, frame_hits: How many collisions.
        time: Until everything lay still, s.
        truncated: The shot was cut at `max_time`.
        rests: Where everything lay at the end, where the file says so.
        plan: What was planned, where the file says so.
        table: The table it was played on, where the file says so.
    """

    source: str
    index: Ints
    side: NDArray[np.str_]
    offset: Floats
    angle: Floats
    speed: Floats
    pocketed: Mapping[str, Ints]
    off_board: Ints
    touched: Flags
    foul: NDArray[np.str_]
    contacts: Ints
    frame_hits: Ints
    time: Floats
    truncated: Flags
    rests: Rests | None = None
    plan: Mapping[str, Json] = field(default_factory=dict)
    table: Table | None = None

    def __len__(self) -> int:
        return len(self.index)

    def __repr__(self) -> str:
        return f"<Results of {len(self):,} shots from {self.source}>"

    @property
    def strength(self) -> Floats:
        """Strength of each shot: 0 to 1 for 0.3 to 6.0 m/s."""
        return np.asarray(strength_of(self.speed))  # type: ignore[arg-type]

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of disc in the order of the file."""
        return tuple(self.pocketed)

    @property
    def men(self) -> tuple[str, ...]:
        """All kinds but the striker."""
        return tuple(kind for kind in self.pocketed if kind != STRIKER)

    @property
    def men_pocketed(self) -> Ints:
        """How many discs other than the striker fell in each shot."""
        total = np.zeros(len(self), dtype=np.int64)
        for kind in self.men:
            total += self.pocketed[kind]
        return total

    def choose(self, rows: Flags | Ints) -> Results:
        """Only these rows, given as a mask or as numbers; rests follow them."""
        numbers = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows.astype(np.int64)
        rests = self.rests
        if rests is not None:
            place = np.full(len(self), -1, dtype=np.int64)
            place[numbers] = np.arange(len(numbers))
            row = place[rests.row]
            kept = row >= 0
            rests = Rests(
                rests.kinds,
                row[kept],
                rests.kind[kept],
                rests.x[kept],
                rests.y[kept],
                rests.pocket[kept],
            )
        return replace(
            self,
            index=self.index[numbers],
            side=self.side[numbers],
            offset=self.offset[numbers],
            angle=self.angle[numbers],
            speed=self.speed[numbers],
            pocketed={kind: fell[numbers] for kind, fell in self.pocketed.items()},
            off_board=self.off_board[numbers],
            touched=self.touched[numbers],
            foul=self.foul[numbers],
            contacts=self.contacts[numbers],
            frame_hits=self.frame_hits[numbers],
            time=self.time[numbers],
            truncated=self.truncated[numbers],
            rests=rests,
        )
