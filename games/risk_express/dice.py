"""Dice and battle lines: which dice of a roll fill a line.

Six faces: general G, cavalry C, cannon K, and one, two or three soldiers. A line asks either for
exact symbols or for a number of soldiers, which may be overfilled, but by no die that could have
been left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import factorial

__all__ = ["DICE", "FACES", "SOLDIERS", "Faces", "Line", "fewest_dice", "fills", "rolls"]

FACES = ("G", "C", "K", "1", "2", "3")
SOLDIERS = {"1": 1, "2": 2, "3": 3}
DICE = 7
"""Dice in the bowl at the start of a turn."""

Faces = tuple[str, ...]
"""Faces in alphabetical order: digits, then C, G, K."""


@dataclass(frozen=True, slots=True)
class Line:
    """A battle line: exact symbols (`symbols`), or at least `soldiers` soldiers."""

    symbols: Faces = ()
    soldiers: int = 0

    @property
    def fewest(self) -> int:
        """The fewest dice that can fill it."""
        return len(self.symbols) or -(-self.soldiers // 3)


GENERAL = Line(symbols=("G",))
"""The extra line of a card that lies before another player."""


def fewest_dice(lines: Iterable[Line]) -> int:
    """The fewest dice that can fill all these lines."""
    return sum(line.fewest for line in lines)


def _counts(faces: Faces) -> tuple[int, ...]:
    count = Counter(faces)
    return tuple(count[face] for face in FACES)


@cache
def _soldier_fills(need: int, ones: int, twos: int, threes: int) -> tuple[Faces, ...]:
    found = []
    for a in range(ones + 1):
        for b in range(twos + 1):
            for c in range(threes + 1):
                total = a + 2 * b + 3 * c
                if total < need:
                    continue
                smallest = 1 if a else 2 if b else 3
                if total - smallest < need:
                    found.append(("1",) * a + ("2",) * b + ("3",) * c)
    return tuple(sorted(found, key=lambda faces: (len(faces), faces)))


def fills(line: Line, roll: Faces) -> tuple[Faces, ...]:
    """The minimal sets of dice of the roll that fill the line, fewest dice first.

    A set is minimal if no die of it can be left out (spec: lines are filled with dice of this
    roll; soldiers may be more than asked).
    """
    if line.symbols:
        have = Counter(roll)
        need = Counter(line.symbols)
        if all(have[face] >= count for face, count in need.items()):
            return (tuple(sorted(line.symbols)),)
        return ()
    have = Counter(roll)
    return _soldier_fills(line.soldiers, have["1"], have["2"], have["3"])


@cache
def rolls(dice: int) -> tuple[tuple[Faces, int], ...]:
    """All distinct rolls of so many dice, each with its number of equally likely ways.

    The ways add up to 6**dice.
    """
    found = []
    for faces in combinations_with_replacement(sorted(FACES), dice):
        ways = factorial(dice)
        for count in _counts(faces):
            ways //= factorial(count)
        found.append((faces, ways))
    return tuple(found)


def distinct(lines: Mapping[int, Line]) -> Iterator[tuple[int, Line]]:
    """Lines by index, equal ones once, at their lowest index."""
    seen = set()
    for index in sorted(lines):
        line = lines[index]
        if line not in seen:
            seen.add(line)
            yield index, line
