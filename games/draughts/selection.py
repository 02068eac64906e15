"""Choosing a move on the board square by square: what a hand has picked up, and where it may go.

No screen is needed: the desktop's view asks this, with whatever device it was clicked.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from games.draughts.board import geometry
from games.draughts.movegen import Move
from games.draughts.routes import jumped, routes
from games.draughts.rules import Refusal, legal_moves, refusal
from games.draughts.state import Phase, State

__all__ = ["Selection", "neighbour"]


@dataclass(frozen=True, slots=True)
class _Way:
    """A legal move by one of its routes."""

    move: Move
    path: tuple[str, ...]


@dataclass
class Selection:
    """A piece that is picked up, and the squares that its capture has passed so far.

    Args:
        state: The state in which a move is to be chosen.
    """

    state: State
    path: tuple[str, ...] = ()
    """The square of the piece picked up, then those on which it has landed; () for none."""
    _ways: list[_Way] = field(default_factory=list)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves of the state."""
        return legal_moves(self.state) if self.state.progress.phase == Phase.MOVE else ()

    @property
    def movable(self) -> frozenset[str]:
        """Squares of the pieces that may move."""
        return frozenset(move.frm for move in self.moves)

    @property
    def picked(self) -> str | None:
        """The square from which a piece is picked up."""
        return self.path[0] if self.path else None

    @property
    def partial(self) -> bool:
        """A capture is begun and not ended."""
        return len(self.path) > 1

    @property
    def targets(self) -> frozenset[str]:
        """Squares where a move of the piece picked up can end."""
        return frozenset(way.path[-1] for way in self._open())

    @property
    def steps(self) -> frozenset[str]:
        """Squares on the way where the piece can be put down next, and not yet at the end."""
        place = len(self.path)
        return frozenset(way.path[place] for way in self._open() if len(way.path) > place + 1)

    @property
    def taken(self) -> tuple[str, ...]:
        """Squares of the pieces jumped so far."""
        return tuple(name for name in jumped(self.state, self.path) if name)

    def pick(self, square: str) -> Refusal | None:
        """Picks up the piece of a square, or says why not."""
        self.drop()
        if square not in self.movable:
            return refusal(self.state, square)
        self.path = (square,)
        self._ways = [
            _Way(move, path)
            for move in self.moves
            if move.frm == square
            for path in routes(self.state, move)
        ]
        return None

    def drop(self) -> None:
        """Puts the piece back to where it stood."""
        self.path, self._ways = (), []

    def back(self) -> None:
        """Takes back the last step of a capture that is begun."""
        self.path = self.path[:-1]
        if not self.path:
            self._ways = []

    def go(self, square: str) -> Move | Refusal | None:
        """Puts the piece down on a square.

        Returns:
            The move, once it is clear; None when a capture goes on from there or is ambiguous
            (`partial` and `steps` tell); or why the piece cannot go there.
        """
        assert self.path
        ways = self._open()
        ends = {way.move for way in ways if way.path[-1] == square}
        if len(ends) == 1:
            (move,) = ends
            way = next(way for way in ways if way.move == move and way.path[-1] == square)
            return Move(move.frm, move.to, move.captured, way.path, move.bits)
        place = len(self.path)
        if any(len(way.path) > place and way.path[place] == square for way in ways):
            self.path = (*self.path, square)
            done = {way.move for way in self._open() if len(way.path) == len(self.path)}
            if len(done) == 1 and len(self._open()) == 1:
                way = self._open()[0]
                return Move(way.move.frm, way.move.to, way.move.captured, way.path, way.move.bits)
            return None
        if ends:
            return Refusal("several_ways", 0, tuple(sorted(self.steps)))
        if self.partial:
            return Refusal("goes_on", 0, tuple(sorted(self.targets | self.steps)))
        return refusal(self.state, self.path[0], square)

    def look(self, square: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Path and captured pieces of the move that would end on a square, if it is one."""
        ways = [way for way in self._open() if way.path[-1] == square]
        if not ways or len({way.move for way in ways}) > 1:
            return None
        return ways[0].path, ways[0].move.captured

    def _open(self) -> list[_Way]:
        """The ways that begin as the piece has gone so far."""
        place = len(self.path)
        return [way for way in self._ways if way.path[:place] == self.path and len(way.path) > 1]


def neighbour(square: str, dx: int, dy: int, size: int = 8) -> str:
    """The dark square one step of the keyboard's cursor away; the edge holds it."""
    geo = geometry(size)
    x, y = "abcdefghijkl".index(square[0]), int(square[1:]) - 1
    column = min(max(x // 2 + dx, 0), size // 2 - 1)
    row = min(max(y + dy, 0), size - 1)
    name = f"{'abcdefghijkl'[2 * column + row % 2]}{row + 1}"
    assert name in geo.bit
    return name
