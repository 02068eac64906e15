"""What the backgammon network sees of a position, for many positions at once.

Source: the encoding of Tesauro's TD-Gammon (1992), widened by counts that a player makes: pips,
points made, checkers back, blots in reach. A position is a row of 52 counts, 26 of the side on
roll and 26 of the other, each by its own numbers (0 off, 1 to 24, 25 bar).
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from games.backgammon.state import PLANE_BYTES

__all__ = ["CONTACT_SIZE", "RACE_SIZE", "contact_features", "in_contact", "race_features"]

Rows = npt.NDArray[np.uint8]
Features = npt.NDArray[np.float32]

_POINT: Final = np.zeros((16, 5), np.float32)
"""One row for each number of checkers on a point: one, two, three, four or more, the rest."""
for _count in range(16):
    _POINT[_count] = (
        _count == 1,
        _count == 2,
        _count == 3,
        _count >= 4,
        max(_count - 3, 0) / 4,
    )
_BAR: Final = np.array(
    [(min(n, 1), min(max(n - 1, 0), 1), max(n - 2, 0) / 3) for n in range(16)], np.float32
)
_EXTRA: Final = 20
CONTACT_SIZE: Final = 2 * (24 * 5 + 3 + 2) + _EXTRA
RACE_SIZE: Final = 2 * (24 * 5 + 15 + 1)
_NUMBERS: Final = np.arange(PLANE_BYTES, dtype=np.float32)


def _rearmost(planes: Rows) -> npt.NDArray[np.intp]:
    """(n,) the number of the rearmost checker, 0 when all are off."""
    back = planes[:, :0:-1] > 0
    return np.where(back.any(1), 25 - back.argmax(1), 0)


def in_contact(table: Rows) -> npt.NDArray[np.bool_]:
    """(n,) whether checkers of the two sides have still to pass each other."""
    return _rearmost(table[:, :26]) + _rearmost(table[:, 26:]) > 25


def _reach_table() -> Features:
    """(25, 24) the chance that a checker on my number h (0: bar) hits a blot on number b = h + d.

    The share of the 36 throws that have d in them, with nothing in between.
    """
    table = np.zeros((25, 24), np.float32)
    for first in range(1, 7):
        for second in range(1, 7):
            sums = {first, second, first + second}
            if first == second:
                sums |= {3 * first, 4 * first}
            for distance in sums:
                for hitter in range(25 - distance):
                    table[hitter, hitter + distance - 1] += 1 / 36
    return table


_REACH: Final = _reach_table()


def _shots(mine: Rows, theirs: Rows) -> Features:
    """(n, 2) how exposed the blots are: the sum of the chances, and the greatest of them."""
    hitters = (theirs[:, 25:0:-1] > 0).astype(np.float32)  # by my numbers, from their bar at 0
    danger = np.minimum(hitters @ _REACH, 1.0) * (mine[:, 1:25] == 1)
    return np.stack([danger.sum(1), danger.max(1)], 1)


def contact_features(table: Rows) -> Features:
    """(n, CONTACT_SIZE) what the contact network sees."""
    count = len(table)
    out = np.empty((count, CONTACT_SIZE), np.float32)
    column = 0
    sides = (table[:, :26], table[:, 26:])
    for plane in sides:
        out[:, column : column + 120] = _POINT[plane[:, 1:25]].reshape(count, 120)
        column += 120
        out[:, column : column + 3] = _BAR[plane[:, 25]]
        column += 3
        off = plane[:, 0]
        out[:, column] = off / 15
        out[:, column + 1] = off > 0
        column += 2
    for mine, theirs in (sides, sides[::-1]):
        made = mine > 1
        out[:, column] = mine @ _NUMBERS / 167
        out[:, column + 1] = _rearmost(mine) / 25
        out[:, column + 2] = made[:, 1:7].sum(1) / 6
        out[:, column + 3] = made[:, 4:10].sum(1) / 6
        out[:, column + 4] = made[:, 18:25].sum(1) / 4
        out[:, column + 5] = mine[:, 19:26].sum(1) / 6
        out[:, column + 6] = mine[:, 1:7].sum(1) / 15
        out[:, column + 7 : column + 9] = _shots(mine, theirs)
        ahead = np.arange(26)[None, :] > 25 - _rearmost(theirs)[:, None]
        out[:, column + 9] = (mine * ahead).sum(1) / 15
        column += 10
    return out


def race_features(table: Rows) -> Features:
    """(n, RACE_SIZE) what the race network sees."""
    count = len(table)
    out = np.empty((count, RACE_SIZE), np.float32)
    column = 0
    for plane in (table[:, :26], table[:, 26:]):
        out[:, column : column + 120] = _POINT[plane[:, 1:25]].reshape(count, 120)
        column += 120
        out[:, column : column + 15] = plane[:, 0, None] >= np.arange(1, 16)
        column += 15
        out[:, column] = plane @ _NUMBERS / 120
        column += 1
    return out
