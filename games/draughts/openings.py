"""The openings that are drawn by lot: three moves, after which neither side has won anything.

Every line of three quiet moves is one, if the position after it is not reached by an earlier line
and no capture hangs in it.
"""

from __future__ import annotations

from functools import cache

from games.draughts.movegen import Move
from games.draughts.rules import initial, legal_moves, play
from games.draughts.state import Position, RuleSet, Setting, State

__all__ = ["openings"]


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
    return tuple(found.values())
