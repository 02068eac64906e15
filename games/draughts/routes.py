"""The ways in which a capture can be made: for notation, for hands and for pictures."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from games.draughts.board import geometry
from games.draughts.movegen import Move
from games.draughts.state import State

__all__ = ["jumped", "routes"]


def routes(state: State, move: Move) -> list[tuple[str, ...]]:
    """All routes of a legal move: the squares on which the piece lands, both ends included."""
    if not move.captured:
        return [(move.frm, move.to)]
    geo = geometry(state.rules.kind.size)
    name, kind = geo.name, state.rules.kind
    frm, to = geo.bit[move.frm], geo.bit[move.to]
    occupied = (state.white | state.black) & ~frm
    last = state.rules.generator.promotion[state.side]
    found: list[tuple[str, ...]] = []

    def walk(at: int, left: int, flies: bool, path: tuple[str, ...]) -> None:
        if not left:
            if at == to:
                found.append(path)
            return
        if at & last and kind.crown_passing and kind.flying:
            flies = True
        for ray in geo.rays[at]:
            victim = 0
            for low in ray:
                if victim:
                    if low & occupied:
                        break
                    walk(low, left ^ victim, flies, (*path, name[low]))
                    if not flies:
                        break
                elif low & occupied:
                    if not low & left:
                        break
                    victim = low
                elif not flies:
                    break

    walk(frm, geo.bits(move.captured), bool(frm & state.kings) and kind.flying, (move.frm,))
    return found


def jumped(state: State, path: Sequence[str]) -> list[str | None]:
    """For each hop of a path the square of the piece jumped over, or None."""
    geo = geometry(state.rules.kind.size)
    enemies = state.own(1 - state.side)
    victims: list[str | None] = []
    for start, stop in itertools.pairwise(path):
        goal = geo.bit[stop]
        ray = next(ray for ray in geo.rays[geo.bit[start]] if goal in ray)
        between = ray[: ray.index(goal)]
        victims.append(next((geo.name[low] for low in between if low & enemies), None))
    return victims
