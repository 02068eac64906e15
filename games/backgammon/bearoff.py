"""How many throws a side needs to bear off: a table of all positions with everything at home.

Each of the 54,264 ways to have up to fifteen checkers on six points has the distribution of the
number of throws until the last is off, played for the fewest throws on average, and, with all
fifteen there, of those until the first is off. Made by `games.backgammon.training.bear_off`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from carromsim.core.errors import MissingResource
from carromsim.core.resources import resource

__all__ = ["SIZE", "BearOff", "bear_off_table", "number_of_counts"]

Rows = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

SIZE: Final = comb(21, 6)
_RANK: Final = np.array([[comb(a, k) for a in range(22)] for k in range(1, 7)], np.int32)
_SHIFT: Final = np.arange(6)


def number_of_counts(counts: npt.NDArray[np.integer]) -> npt.NDArray[np.int32]:
    """(n,) the place in the table of (n, 6) counts on points 1 to 6 (combinatorial numbers)."""
    sums = np.cumsum(counts, axis=1, dtype=np.int32) + _SHIFT
    numbers: npt.NDArray[np.int32] = _RANK[_SHIFT, sums].sum(1, dtype=np.int32)
    return numbers


@dataclass(frozen=True, slots=True)
class BearOff:
    """The distributions of the table.

    Args:
        last: (SIZE, n) chance that the last checker is off with throw 1, 2 ... n; a row whose
            side has nothing left is all zero.
        first: (SIZE, m) the same for the first of fifteen; zero rows with fewer than fifteen.
    """

    last: Floats
    first: Floats

    def chances(self, table: Rows) -> Floats:
        """(n, 5) the chances of the side on roll, all checkers of both sides at home.

        In the order of `Network.forward`; neither side has borne off everything.
        """
        mine = number_of_counts(table[:, 1:7])
        theirs = number_of_counts(table[:, 27:33])
        my_last, their_last = self.last[mine], self.last[theirs]
        # I win with throw n if the other side has not finished in n - 1 throws
        their_left = 1 - np.cumsum(their_last, 1) + their_last
        out = np.zeros((len(table), 5), np.float32)
        out[:, 0] = (my_last * their_left).sum(1)
        steps = self.first.shape[1]
        if (whole := table[:, 26] == 0).any():
            first = self.first[theirs[whole]]
            none_off = 1 - np.cumsum(first, 1) + first
            out[whole, 1] = (my_last[whole, :steps] * none_off).sum(1)
        if (whole := table[:, 0] == 0).any():
            none_off = 1 - np.cumsum(self.first[mine[whole]], 1)
            out[whole, 3] = (their_last[whole, :steps] * none_off).sum(1)
        return out

    def mean(self, counts: npt.NDArray[np.integer]) -> Floats:
        """(n,) throws needed on average for (n, 6) counts on points 1 to 6."""
        rows = self.last[number_of_counts(counts)]
        throws = np.arange(1, rows.shape[1] + 1, dtype=np.float32)
        return np.asarray(rows @ throws, np.float32)

    def save(self, path: Path) -> None:
        """Writes the table: chances in steps of 1/65535, packed."""
        packed = {
            "last": np.rint(self.last * 65535).astype(np.uint16).T,
            "first": np.rint(self.first * 65535).astype(np.uint16).T,
        }
        with Path(path).open("wb") as stream:
            np.savez_compressed(stream, **packed)  # type: ignore[arg-type]

    @classmethod
    def load(cls, path: Path) -> BearOff:
        """Reads a table.

        Raises:
            MissingResource: The file is not what it should be.
        """
        try:
            with np.load(path, allow_pickle=False) as data:
                last, first = (data[name].T.astype(np.float32) for name in ("last", "first"))
        except (OSError, ValueError, KeyError) as error:
            raise MissingResource(f"{path} holds no table: install carromsim again") from error
        for table in (last, first):
            sums = table.sum(1, keepdims=True)
            np.divide(table, sums, out=table, where=sums > 0)
        return cls(last, first)


@cache
def bear_off_table() -> BearOff:
    """The table that is shipped."""
    return BearOff.load(resource("backgammon/bear_off.npz"))
