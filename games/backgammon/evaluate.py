"""What positions are worth: networks, bear-off table and the end of the game, many at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from carromsim.core.resources import resource
from games.backgammon.bearoff import BearOff, bear_off_table
from games.backgammon.features import contact_features, in_contact, race_features
from games.backgammon.network import Network
from games.backgammon.rules import legal_results
from games.backgammon.state import CHECKERS, Position

__all__ = ["THROWS", "Evaluator", "evaluator", "flipped", "rows"]

Rows = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

THROWS: Final = tuple((a, b, 1 if a == b else 2) for a in range(1, 7) for b in range(1, a + 1))
"""The 21 throws with their weights out of 36."""


def rows(positions: list[Position], side: int) -> Rows:
    """(n, 52) counts of positions in which `side` is on roll: its 26, then the other's 26."""
    if side:
        data = [p.black.to_bytes(26, "little") + p.white.to_bytes(26, "little") for p in positions]
    else:
        data = [p.white.to_bytes(26, "little") + p.black.to_bytes(26, "little") for p in positions]
    return np.frombuffer(b"".join(data), np.uint8).reshape(-1, 52)


def flipped(chances: Floats) -> Floats:
    """(n, 5) the same chances as the other side sees them."""
    out = chances[:, (0, 3, 4, 1, 2)]
    np.subtract(1, out[:, 0], out=out[:, 0])
    return out


@dataclass(frozen=True, slots=True)
class Evaluator:
    """The chances of the side on roll.

    Args:
        contact: Network for positions in which the sides have still to pass each other.
        race: Network for the others.
        bear_off: Table for positions with everything at home.
    """

    contact: Network
    race: Network
    bear_off: BearOff

    def chances(self, table: Rows) -> Floats:
        """(n, 5) win, win a gammon or more, a backgammon, lose a gammon or more, a backgammon.

        Args:
            table: (n, 52) as `rows` gives it. The side not on roll may have borne off everything.
        """
        out = np.empty((len(table), 5), np.float32)
        mine, theirs = table[:, :26], table[:, 26:]
        touching = in_contact(table)
        if touching.all():
            out[:] = self.contact.forward(contact_features(table))
        else:
            if touching.any():
                out[touching] = self.contact.forward(contact_features(table[touching]))
            apart = ~touching
            over = apart & (theirs[:, 0] == CHECKERS)
            home = apart & ~over & ~mine[:, 7:].any(1) & ~theirs[:, 7:].any(1)
            running = apart & ~over & ~home
            if over.any():
                out[over] = _lost(mine[over])
            if home.any():
                out[home] = self.bear_off.chances(table[home])
            if running.any():
                out[running] = self.race.forward(race_features(table[running]))
        # nobody who has borne off a checker can lose a gammon, and no part exceeds its whole
        out[theirs[:, 0] > 0, 1:3] = 0
        out[mine[:, 0] > 0, 3:5] = 0
        np.minimum(out[:, 1], out[:, 0], out=out[:, 1])
        np.minimum(out[:, 3], 1 - out[:, 0], out=out[:, 3])
        np.minimum(out[:, 2], out[:, 1], out=out[:, 2])
        np.minimum(out[:, 4], out[:, 3], out=out[:, 4])
        return out

    def after(self, results: list[Position], side: int) -> Floats:
        """(n, 5) the chances of `side` after it has played to each of these positions."""
        return flipped(self.chances(rows(results, 1 - side)))

    def one_ahead(self, position: Position, side: int, weights: Floats) -> Floats:
        """(5,) the chances of `side`, which has just moved, one opposing roll ahead.

        For each of the 21 throws the other side plays to what is best by the static evaluation;
        the chances are averaged (Tesauro's 2-ply, GNU Backgammon's 1-ply).
        """
        chances: Floats = self.all_ahead([position], side, weights)[0]
        return chances

    def all_ahead(self, positions: list[Position], side: int, weights: Floats) -> Floats:
        """(n, 5) the same for several positions in one pass.

        Args:
            weights: (5,) what `side`'s chances are worth, for the choice of the replies.
        """
        other = 1 - side
        replies: list[Position] = []
        starts: list[int] = []
        for position in positions:
            over = position.plane(side) & 255 == CHECKERS
            for first, second, _ in THROWS:
                starts.append(len(replies))
                found = [] if over else legal_results(position, other, (first, second))
                replies += found or [position]
        table = rows(replies, side)
        chances = np.empty((len(replies), 5), np.float32)
        ended = np.array([p.plane(side) & 255 == CHECKERS for p in replies])
        if ended.any():
            theirs = rows([p for p, end in zip(replies, ended, strict=True) if end], other)
            chances[ended] = flipped(_lost(theirs[:, :26]))
        going = ~ended
        if going.any():
            chances[going] = self.chances(table[going])
        worth = chances @ weights
        ends = [*starts[1:], len(replies)]
        spans = zip(starts, ends, strict=True)
        best = np.array([start + int(worth[start:end].argmin()) for start, end in spans])
        share = np.array([weight for *_, weight in THROWS], np.float32) / 36
        chosen = chances[best].reshape(len(positions), len(THROWS), 5)
        return np.asarray(np.einsum("npk,p->nk", chosen, share), np.float32)


def _lost(mine: Rows) -> Floats:
    """(n, 5) chances of sides whose opponent has borne off everything."""
    out = np.zeros((len(mine), 5), np.float32)
    out[:, 3] = mine[:, 0] == 0
    out[:, 4] = (mine[:, 0] == 0) & mine[:, 19:].any(1)
    return out


@cache
def evaluator() -> Evaluator:
    """The evaluator with the weights that are shipped."""
    return Evaluator(
        Network.load(resource("backgammon/contact.npz")),
        Network.load(resource("backgammon/race.npz")),
        bear_off_table(),
    )
