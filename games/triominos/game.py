"""Triominos as a `Game`: options, states, chance, JSON, the `fits` request and the bots."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Fields, Json
from carromsim.core.game import Event, Game, Mover, Option, Request
from carromsim.core.outcome import Outcome
from carromsim.i18n import N_
from games.triominos import notation, rules
from games.triominos.encoding import TriominosEncoding
from games.triominos.state import (
    DEAL,
    DRAWING,
    EXTRA,
    OVER,
    TILES,
    Action,
    Deal,
    Draw,
    Drawn,
    Extra,
    State,
)

if TYPE_CHECKING:
    from carromsim.bots.player import Player
    from carromsim.core.session import Session

__all__ = ["Triominos"]


def _fits(session: Session[Any, Any] | None, fields: Fields) -> Mapping[str, Json]:
    """Answers `fits`: may this tile lie there, and what does it score?

    The options of `options` apply; without them the rulebook's.
    """
    options = Triominos().resolve(fields.mapping("options", {}))
    board = notation.board_from_json(fields.raw("placed"), "placed")
    place = notation.place_from_json(fields.raw("move"), "move", exists=False)
    for name in ("cmd", "id"):
        fields.raw(name, None)
    fields.done()
    reason = rules.misfit(board, place)
    if reason is not None:
        return {"legal": False, "reason": reason}
    earned = rules.score(board, place, notation.rules_from_options(options))
    answer: dict[str, Json] = {
        "legal": True,
        "tile": earned.tile,
        "bonus": earned.bonus,
        "figure": earned.figure,
        "total": earned.total,
    }
    return answer | ({"start": earned.start} if earned.start else {})


_TILE_SCHEMA: Mapping[str, Json] = {
    "type": "array",
    "items": {"type": "integer"},
    "minItems": 3,
    "maxItems": 3,
}
_PLACE_SCHEMA: Mapping[str, Json] = {
    "type": "array",
    "prefixItems": [
        {**_TILE_SCHEMA, "description": "cell: x, y, 0 (points up) or 1 (points down)"},
        {**_TILE_SCHEMA, "description": "tile: three numbers clockwise, lowest first"},
        {"enum": [0, 1, 2], "description": "rotation: the corner of the tile's first number"},
    ],
    "minItems": 3,
    "maxItems": 3,
}
_FITS_SCHEMA: Mapping[str, Json] = {
    "properties": {
        "placed": {"type": "array", "items": _PLACE_SCHEMA, "maxItems": len(TILES)},
        "move": _PLACE_SCHEMA,
        "options": {"type": "object"},
    },
    "required": ["placed", "move"],
}


class Triominos(Game[State, Action]):
    """Triangular tiles, matched corner by corner; bridges and hexagons bring the points."""

    name: ClassVar[str] = "triominos"
    title: ClassVar[str] = N_("Triominos")
    seat_counts: ClassVar[tuple[int, ...]] = (2, 3, 4, 5, 6)
    side_names: ClassVar[tuple[str, ...]] = (
        N_("South"),
        N_("West"),
        N_("North"),
        N_("East"),
        N_("North-west"),
        N_("North-east"),
        N_("South-west"),
        N_("South-east"),
    )
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "play_to",
            400,
            N_("Rounds go on until somebody has this many points; none: one round."),
            low=1,
            high=100_000,
            optional=True,
        ),
        Option(
            "start",
            "draw",
            N_("Who begins: extra tiles are drawn, or the highest triple is laid."),
            choices=("draw", "triple"),
        ),
        Option("figures", True, N_("Bridges and hexagons earn a bonus.")),
        Option(
            "two_sides", False, N_("Two or three shared sides without a hexagon earn 40 as well.")
        ),
        Option(
            "stuck",
            "subtract",
            N_("When nobody can go on: all lose their own tiles, or the lowest rack gains."),
            choices=("subtract", "lowest"),
        ),
    )
    rule_sets: ClassVar[Mapping[str, Mapping[str, Json]]] = MappingProxyType(
        {
            "alga": {},
            "beginners": {"figures": False, "play_to": None},
            "classic": {"start": "triple", "stuck": "lowest"},
        }
    )
    view: ClassVar[str | None] = "games.triominos.view:TriominosView"
    bot_levels: ClassVar[tuple[int, ...]] = (1, 2, 3)
    requests: ClassVar[tuple[Request, ...]] = (Request("fits", _fits, _FITS_SCHEMA),)

    def initial(self, options: Mapping[str, Json], seed: int) -> State:
        """A game whose first round is still to be dealt; the seed matters to chance only."""
        return rules.initial(int(options["seats"]), notation.rules_from_options(options))

    def to_move(self, state: State) -> Mover:
        """The seat to act; chance while tiles are dealt or drawn."""
        return rules.to_move(state)

    def legal(self, state: State) -> Sequence[Action]:
        """The mover's actions, or the tiles that may be drawn; deals are not listed."""
        return rules.legal(state)

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        """The state after the action, and what happened."""
        return rules.apply(state, action)

    def outcome(self, state: State) -> Outcome | None:
        """Highest total wins, equal totals share."""
        return rules.outcome(state)

    def observe(self, state: State, seat: int) -> State:
        """The state without the other racks' tiles and the pool's; open after a round's end."""
        if not 0 <= seat < state.seats:
            raise InvalidValue(f"must be 0 to {state.seats - 1}, not {seat}", field="seat")
        if state.phase in (DEAL, OVER):
            return state
        racks = tuple(
            rack if i == seat else (None,) * len(rack) for i, rack in enumerate(state.racks)
        )
        return replace(state, racks=racks, pool=(None,) * len(state.pool))

    def names_of_sides(self, seats: int) -> tuple[str, ...]:
        """Where the seats sit round the table, clockwise from south."""
        round_the_table = {
            2: (0, 2),
            3: (0, 4, 5),
            4: (0, 1, 2, 3),
            5: (0, 1, 4, 5, 3),
            6: (0, 6, 4, 2, 5, 7),
        }
        return tuple(self.side_names[place] for place in round_the_table[seats])

    def options_in(self, state: State) -> Mapping[str, Json]:
        """The options that a state brings along when it is loaded alone."""
        return {"seats": state.seats, **notation.rules_to_json(state.rules)}

    def draw(self, state: State, rng: random.Random) -> Action:
        """Deals, draws extra tiles or a tile from the pool, every tile equally likely."""
        if state.phase == DEAL:
            size = rules.RACK_SIZES[state.seats]
            tiles = rng.sample(TILES, size * state.seats)
            return Deal(tuple(tuple(tiles[i * size : (i + 1) * size]) for i in range(state.seats)))
        if state.phase == EXTRA:
            return Extra(tuple(rng.sample(rules.extras_left(state), len(state.contenders))))
        if state.phase != DRAWING:
            raise InvalidValue("chance is not to move")
        pool = rules.known(state.pool)
        if len(pool) != len(state.pool):
            raise InvalidValue("the pool is hidden in this state, nothing can be drawn from it")
        return Drawn(rng.choice(pool))

    def encoding(self, options: Mapping[str, Json]) -> TriominosEncoding:
        """See `TriominosEncoding`."""
        return TriominosEncoding()

    def to_json(self, state: State) -> dict[str, Json]:
        """The state as JSON; hidden tiles are null."""
        return notation.state_to_json(state)

    def from_json(self, data: Json) -> State:
        """The state from JSON; one that cannot be is refused."""
        return notation.state_from_json(data, self.resolve)

    def action_to_json(self, action: Action) -> dict[str, Json]:
        """An action as JSON: `{"place": [cell, tile, rotation]}`, `{"draw": true}` ..."""
        return notation.action_to_json(action)

    def action_from_json(self, data: Json) -> Action:
        """An action from JSON."""
        return notation.action_from_json(data)

    def undo_limit(self, actions: Sequence[Action]) -> int:
        """One action at most, and never a draw.

        Whatever lies further back has shown somebody a tile: a draw its own, a placement one of
        another's rack, a pass that nothing there fits.
        """
        return int(bool(actions) and not isinstance(actions[-1], (Deal, Extra, Drawn, Draw)))

    def bot(self, level: int) -> Player[State, Action]:
        """1 random, 2 greedy, 3 counts the unseen tiles and looks ahead."""
        from games.triominos.bots import make_bot

        return make_bot(level)
