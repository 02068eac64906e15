"""A move as it is seen: the piece runs along its path, what it takes lies dimmed to the end."""

from __future__ import annotations

from itertools import pairwise
from math import hypot

from carromsim.app.view import Sound
from games.draughts.board import BLACK, geometry
from games.draughts.routes import jumped
from games.draughts.state import State
from games.draughts.view_paint import Piece, centre_of, pieces_of

__all__ = ["Motion"]

HOP = 0.16
"""Seconds for the shortest hop."""
LONG_HOP = 0.24
PAUSE = 0.05
"""Seconds between two hops of a capture."""
VANISH = 0.15
CROWN = 0.22
DIM = 0.4


class Motion:
    """One move on its way.

    Args:
        state: The state before it.
        path: Squares of its path.
        crowned: The man becomes a king at the end.
        begin: When it begins, on the view's clock.
        done: How many squares of the path the hand has already carried it along (1: none).
    """

    def __init__(
        self, state: State, path: tuple[str, ...], crowned: bool, *, begin: float, done: int = 1
    ) -> None:
        self.state, self.path, self.crowned = state, path, crowned
        self._black = state.side == BLACK
        geo = geometry(state.rules.kind.size)
        kings = frozenset(geo.squares(state.kings))
        self._king = path[0] in kings
        self._others = [
            piece
            for piece in pieces_of(geo.squares(state.white), geo.squares(state.black), kings)
            if (piece.x, piece.y) != centre_of(path[0])
        ]
        self._victims = jumped(state, path)
        self._hops: list[tuple[float, float]] = []
        at = begin
        for index, (start, stop) in enumerate(pairwise(path)):
            if index + 1 < done:
                self._hops.append((begin, begin))
                continue
            (x1, y1), (x2, y2) = centre_of(start), centre_of(stop)
            length = min(LONG_HOP, HOP + 0.02 * (hypot(x2 - x1, y2 - y1) - 1))
            self._hops.append((at, at + length))
            at += length + (PAUSE if index + 2 < len(path) else 0.0)
        self.landed = self._hops[-1][1] if self._hops else begin
        end = self.landed
        if any(self._victims):
            end += VANISH
        if crowned:
            end = max(end, self.landed + CROWN)
        self.end = end

    def over(self, now: float) -> bool:
        """It has ended."""
        return now >= self.end

    def pieces(self, now: float) -> list[Piece]:
        """All pieces at a time, the moving one last."""
        gone = max(0.0, min(1.0, (now - self.landed) / VANISH))
        dimmed = {}
        for victim, (start, stop) in zip(self._victims, self._hops, strict=True):
            if victim is not None and now >= (start + stop) / 2:
                dimmed[centre_of(victim)] = DIM * (1 - gone)
        found = []
        for piece in self._others:
            alpha = dimmed.get((piece.x, piece.y))
            if alpha is None:
                found.append(piece)
            elif alpha > 0:
                found.append(Piece(piece.x, piece.y, piece.black, piece.king, alpha=alpha))
        x, y = self._place(now)
        crown = 1.0
        king = self._king
        if self.crowned and now >= self.landed:
            king = True
            crown = max(0.0, min(1.0, (now - self.landed) / CROWN))
            crown = crown * crown * (3 - 2 * crown)
        found.append(Piece(x, y, self._black, king, raised=now < self.landed, crown=crown))
        return found

    def _place(self, now: float) -> tuple[float, float]:
        for (start, stop), (first, second) in zip(self._hops, pairwise(self.path), strict=True):
            if now < stop:
                share = max(0.0, min(1.0, (now - start) / (stop - start)))
                share = share * share * (3 - 2 * share)
                (x1, y1), (x2, y2) = centre_of(first), centre_of(second)
                return x1 + (x2 - x1) * share, y1 + (y2 - y1) * share
        return centre_of(self.path[-1])

    def sounds(self) -> list[tuple[float, Sound]]:
        """When something is heard."""
        found: list[tuple[float, Sound]] = []
        for index, (victim, (_start, stop)) in enumerate(
            zip(self._victims, self._hops, strict=True)
        ):
            pan = (centre_of(self.path[index + 1])[0] - 4) / 6
            found.append((stop, Sound("capture" if victim else "place", 0.8, pan)))
        if self.crowned:
            found.append((self.landed + CROWN * 0.8, Sound("crown", 0.8)))
        return found
