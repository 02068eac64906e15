"""The exact chance to conquer a card: a dynamic programme over open lines and dice.

With the open lines S and n dice in the bowl, just before a roll,

    V(∅, n) = 1,  V(S, 0) = 0,
    V(S, n) = Σ P(roll) · max( V(S∖{l}, n−k) for each line l filled with k dice ; V(S, n−1) ),

where V(S, n−1) gives up one die (in strict play only when no line can be filled). Only the number
of dice put on a line matters, as all the others are rolled again, and V never falls with n, so a
line is filled with the fewest dice that do. V(S, n)·6^(n(n+1)/2) is a whole number: the tables are
whole numbers, exact and quick. They fill as they are asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache

from games.risk_express.dice import Faces, Line, distinct, fills, rolls

__all__ = ["Option", "chance", "open_lines", "options"]

Open = tuple[Line, ...]
"""Open lines, sorted, equal lines as often as they stand open."""

Option = tuple[int | None, int, Fraction]
"""(line index or None to give up a die, dice used, chance afterwards)."""


def open_lines(lines: Iterable[Line]) -> Open:
    """Open lines in the order in which the tables know them."""
    return tuple(sorted(lines, key=lambda line: (line.soldiers, line.symbols)))


def _power(dice: int) -> int:
    return int(6 ** (dice * (dice + 1) // 2))


@cache
def _fill_sizes(line: Line, dice: int) -> tuple[int, ...]:
    """For each roll of so many dice: the fewest dice that fill the line, 0 where none do."""
    sizes = []
    for faces, _ways in rolls(dice):
        found = fills(line, faces)
        sizes.append(len(found[0]) if found else 0)
    return tuple(sizes)


@cache
def _ways(dice: int) -> tuple[int, ...]:
    return tuple(ways for _faces, ways in rolls(dice))


@cache
def _whole(lines: Open, dice: int, strict: bool) -> int:
    """V(lines, dice) · 6^(dice(dice+1)/2)."""
    if not lines:
        return _power(dice)
    if dice == 0 or sum(line.fewest for line in lines) > dice:
        return 0
    # every branch is brought to the denominator of n-1 dice: 6^((n-1)n/2)
    base = _power(dice - 1)
    choices = []
    for index, line in distinct(dict(enumerate(lines))):
        rest = lines[:index] + lines[index + 1 :]
        after = [0] * (dice + 1)
        for used in range(1, dice + 1):
            after[used] = _whole(rest, dice - used, strict) * (base // _power(dice - used))
        choices.append((_fill_sizes(line, dice), after))
    given_up = _whole(lines, dice - 1, strict)
    total = 0
    for number, ways in enumerate(_ways(dice)):
        best = -1 if strict else given_up
        for sizes, after in choices:
            used = sizes[number]
            if used and after[used] > best:
                best = after[used]
        total += ways * (given_up if best < 0 else best)
    return total


def chance(lines: Iterable[Line], dice: int, *, strict: bool = False) -> Fraction:
    """The chance to fill all these lines, played best, just before a roll of so many dice."""
    return Fraction(_whole(open_lines(lines), dice, strict), _power(dice))


def options(lines: Mapping[int, Line], roll: Faces, *, strict: bool = False) -> list[Option]:
    """What can be done with a roll, best first: each line with each number of dice, or none.

    Args:
        lines: The open lines by index; equal lines are named once.
        roll: The dice in the bowl.
        strict: A die may be given up only if no line can be filled.
    """
    dice = len(roll)
    found: list[Option] = []
    for index, line in distinct(lines):
        rest = [other for at, other in lines.items() if at != index]
        for used in sorted({len(faces) for faces in fills(line, roll)}):
            found.append((index, used, chance(rest, dice - used, strict=strict)))
    if not found or not strict:
        found.append((None, 1, chance(lines.values(), dice - 1, strict=strict)))
    return sorted(found, key=lambda option: -option[2])
