"""The openings that are drawn by lot: three moves, after which neither side has won anything.

Every line of three quiet moves is one, if the position after it is not reached by an earlier line
and no man is lost by force in it.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from games.draughts.movegen import Move
from games.draughts.rules import initial, legal_moves, play
from games.draughts.state import Position, RuleSet, Setting, State

__all__ = ["openings"]


LOSING: Final = frozenset(
    {
        "a3-b4 b6-a5 e3-f4",
        "a3-b4 d6-e5 e3-f4",
        "a3-b4 f6-e5 e3-d4",
        "a3-b4 f6-g5 c3-d4",
        "a3-b4 f6-g5 g3-h4",
        "a3-b4 h6-g5 c3-d4",
        "e3-d4 f6-g5 a3-b4",
        "e3-d4 h6-g5 a3-b4",
        "g3-f4 b6-a5 a3-b4",
        "g3-f4 f6-g5 a3-b4",
        "g3-h4 f6-e5 h2-g3",
    }
)
"""Lines that lose a man, under either rule set: found by searching all 118 with 6,000 positions
each; these stand 1.0 to 1.2 men down, the others within 0.25."""


@cache
def openings(rules: RuleSet) -> tuple[tuple[str, ...], ...]:
    """The openings of a rule set, each as its moves (`c3-d4`), always in the same order."""
    found: dict[Position, tuple[str, ...]] = {}

    def walk(state: State, line: tuple[Move, ...]) -> None:
        moves = legal_moves(state)
        if any(move.captured for move in moves):
            return
        if len(line) == 3:
            found.setdefault(state.position, tuple(str(move) for move in line))
            return
        for move in moves:
            walk(play(state, move)[0], (*line, move))

    walk(initial(Setting(rules)), ())
    return tuple(line for line in found.values() if " ".join(line) not in LOSING)
