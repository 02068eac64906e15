"""Draughts as numbers, for the environments."""

from __future__ import annotations

from carromsim.core.encoding import DiscreteEncoding
from games.draughts.board import WHITE, geometry
from games.draughts.rules import legal
from games.draughts.state import Action, Draw, Move, NextGame, RuleSet, State

__all__ = ["DraughtsEncoding"]

WAYS = 4
"""Captures with the same ends but other victims that are told apart."""


class DraughtsEncoding(DiscreteEncoding[State, Action]):
    """Actions: from square, to square, which of up to four captures between them, all as the mover
    sees the board (his own first row first); then accept and decline a draw, and the next game.

    Observation, as the seat sees the board: for each dark square own man, own king, other man,
    other king; then quiet moves over the limit, and whether the seat is to move.

    Args:
        rules: The rule set.
    """

    low, high = 0.0, 1.0

    def __init__(self, rules: RuleSet) -> None:
        names = geometry(rules.kind.size).names
        self._place = {name: number for number, name in enumerate(names)}
        self._bits = [geometry(rules.kind.size).bit[name] for name in names]
        self._count = len(names)
        self._moves = self._count * self._count * WAYS
        self.actions = self._moves + 3
        self.size = 4 * self._count + 2

    def features(self, state: State, seat: int) -> list[float]:
        """See the class."""
        side = state.setting.side(seat)
        own = state.own(side)
        other = state.own(1 - side)
        found: list[float] = []
        for bit in self._bits if side == WHITE else reversed(self._bits):
            king = bool(state.kings & bit)
            mine, theirs = bool(own & bit), bool(other & bit)
            found += [
                float(mine and not king),
                float(mine and king),
                float(theirs and not king),
                float(theirs and king),
            ]
        limit = 2 * state.rules.kings_only_moves
        found += [min(1.0, state.progress.quiet / limit), float(state.side == side)]
        return found

    def numbered(self, state: State) -> dict[int, Action]:
        """See the class."""
        actions: dict[int, Action] = {}
        for action in legal(state):
            if isinstance(action, Move):
                ends = [self._place[action.frm], self._place[action.to]]
                if state.side != WHITE:
                    ends = [self._count - 1 - place for place in ends]
                number = (ends[0] * self._count + ends[1]) * WAYS
                while number in actions and (number + 1) % WAYS:
                    number += 1
                actions.setdefault(number, action)
            elif isinstance(action, Draw):
                actions[self._moves + (action.word == "decline")] = action
            elif isinstance(action, NextGame):
                actions[self._moves + 2] = action
        return actions
