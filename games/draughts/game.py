"""Draughts as a `Game`: what shell, command line, protocol and bots need of it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from carromsim.bots.player import Player
from carromsim.core.errors import IllegalAction, InvalidValue
from carromsim.core.fields import Json
from carromsim.core.game import Event, Format, Game, Legal, Mover, Option, Request
from carromsim.core.outcome import Outcome
from carromsim.i18n import N_
from games.draughts import codec, rules
from games.draughts.bots import LEVELS, Bot
from games.draughts.encoding import DraughtsEncoding
from games.draughts.movegen import Move
from games.draughts.openings import openings
from games.draughts.pdn import read_fen, read_pdn, write_fen, write_pdn
from games.draughts.requests import REQUESTS
from games.draughts.state import RULE_SETS, Action, Opening, Phase, State

__all__ = ["Draughts"]


class Draughts(Game[State, Action]):
    """Draughts on 8×8 squares with flying kings: Brazilian, or Russian.

    Examples:
        >>> game = Draughts()
        >>> state = game.initial(game.resolve(), seed=0)
        >>> [str(move) for move in game.legal(state)][:3]
        ['c3-b4', 'e3-d4', 'g3-f4']
        >>> state, events = game.apply(state, game.legal(state)[0])
        >>> game.to_move(state)
        1
    """

    name = "draughts"
    title = N_("Draughts")
    side_names = (N_("White"), N_("Black"))
    view = "games.draughts.view:DraughtsView"
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "five_move_endings",
            False,
            N_("Five-move endings: two kings against one, or three on the long diagonal"),
        ),
        Option("drawn_openings", False, N_("The first three moves are drawn by lot")),
        Option(
            "games", 1, N_("Games of a match, with colours swapped"), low=1, high=codec.MOST_GAMES
        ),
    )
    rule_sets: ClassVar[Mapping[str, Mapping[str, Json]]] = MappingProxyType(
        {name: {} for name in RULE_SETS}
    )
    requests: ClassVar[tuple[Request, ...]] = REQUESTS
    formats: ClassVar[tuple[Format, ...]] = (
        Format("pdn", (".pdn",), read_pdn, write_pdn, parameters=("numbering", "rules")),
        Format("fen", (".fen",), read_fen, write_fen, parameters=("numbering", "rules")),
    )
    bot_levels = tuple(LEVELS)

    def initial(self, options: Mapping[str, Json], seed: int) -> State:
        """The men on their rows, or an opening to be drawn."""
        return rules.initial(codec.given_setting(options))

    def to_move(self, state: State) -> Mover:
        """The seat to act, CHANCE while the opening is to be drawn, None at the end."""
        return rules.to_move(state)

    def legal(self, state: State) -> Legal[Action]:
        """The legal moves, in a fixed order; while a draw is offered, the answers to it.

        An offer of a draw and resignation are possible besides, and not listed.
        """
        if state.progress.phase == Phase.MOVE:
            moves = state.moves
            if moves is None:
                moves = rules.legal_moves(state)
            if moves:
                return moves
        return rules.legal(state)

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        """The state after an action, and what happened: `move`, `draw_offered`,
        `draw_agreed`, `draw_declined`, `resigned`, `timeout`, `opening` or `next_game`."""
        if type(action) is Move:
            return rules.play(state, action)
        return rules.apply(state, action)

    def outcome(self, state: State) -> Outcome | None:
        """How the game, or the match, ended: 1 for a win, ½ for a draw."""
        if not rules.match_over(state):
            return None
        end = rules.ending(state)
        assert end is not None
        zero, one = rules.points(state)
        winners = () if zero == one else ((0,) if zero > one else (1,))
        detail: dict[str, Json] = {}
        if state.setting.games > 1:
            detail["games"] = state.setting.games
        return Outcome(winners, (zero / 2, one / 2), end.reason, detail)

    def draw(self, state: State, rng: random.Random) -> Action:
        """An opening, each as likely as any other."""
        if state.progress.phase != Phase.OPENING:
            raise IllegalAction("no opening is to be drawn")
        return Opening(rng.choice(openings(state.rules)))

    def bot(self, level: int) -> Player[State, Action]:
        """A bot of level 1 (a beginner) to 8."""
        if level not in LEVELS:
            raise InvalidValue(f"must be from 1 to {max(LEVELS)}, not {level}", field="level")
        return Bot(level)

    def encoding(self, options: Mapping[str, Json]) -> DraughtsEncoding:
        """See `DraughtsEncoding`."""
        return DraughtsEncoding(self.initial(options, 0).rules)

    def to_json(self, state: State) -> dict[str, Json]:
        """See `games.draughts.codec`."""
        return codec.state_to_json(state)

    def from_json(self, data: Json) -> State:
        """See `games.draughts.codec`."""
        return codec.state_from_json(data)

    def action_to_json(self, action: Action) -> dict[str, Json]:
        """See `games.draughts.codec`."""
        return codec.action_to_json(action)

    def action_from_json(self, data: Json) -> Action:
        """See `games.draughts.codec`."""
        return codec.action_from_json(data)

    def options_in(self, state: State) -> Mapping[str, Json]:
        """Rule set and options, which a state carries."""
        return {
            "rules": state.rules.name,
            "five_move_endings": state.setting.five_moves,
            "drawn_openings": state.setting.drawn_openings,
            "games": state.setting.games,
        }
