"""Risk Express as a Game: what shell, command line, protocol and environments use."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Fields, Json
from carromsim.core.game import CHANCE, Event, Game, Mover, Option, Request
from carromsim.core.outcome import Outcome
from carromsim.i18n import N_
from games.risk_express import rules
from games.risk_express.cards import check_deck, deck_of
from games.risk_express.dice import DICE, FACES
from games.risk_express.encoding import RiskExpressEncoding
from games.risk_express.requests import REQUESTS
from games.risk_express.rules import Action
from games.risk_express.state import Rules, State, check_faces, state_from_json, state_to_json

if TYPE_CHECKING:
    from carromsim.bots.player import Player

__all__ = ["RiskExpress"]


class RiskExpress(Game[State, Action]):
    """The dice game of conquest: 14 countries, 7 dice, 2 to 6 players."""

    name: ClassVar[str] = "risk_express"
    title: ClassVar[str] = N_("Risk Express")
    seat_counts: ClassVar[tuple[int, ...]] = (2, 3, 4, 5, 6)
    side_names: ClassVar[tuple[str, ...]] = (
        N_("Player 1"),
        N_("Player 2"),
        N_("Player 3"),
        N_("Player 4"),
        N_("Player 5"),
        N_("Player 6"),
    )
    options: ClassVar[tuple[Option, ...]] = (
        Option("strict", False, N_("A die may be given up only when no line can be filled")),
        Option("carry", False, N_("A failed attempt is offered to the next player")),
        Option("first_round_steals", True, N_("Cards of others may be invaded in the first round")),
        Option(
            "cards", "standard", N_("The deck: standard, or cards of your own"), parse=check_deck
        ),
    )
    view: ClassVar[str | None] = "games.risk_express.view:RiskExpressView"
    bot_levels: ClassVar[tuple[int, ...]] = (1, 2, 3)
    requests: ClassVar[tuple[Request, ...]] = REQUESTS

    def initial(self, options: Mapping[str, Json], seed: int) -> State:
        """All cards free, everyone about to throw for the start."""
        chosen = Rules(
            strict=options["strict"],
            carry=options["carry"],
            first_round_steals=options["first_round_steals"],
        )
        seats = int(options["seats"])
        return State(seats, chosen, deck_of(options), contenders=tuple(range(seats)))

    def to_move(self, state: State) -> Mover:
        """Chance throws; the current player chooses."""
        if state.phase == "over":
            return None
        return CHANCE if state.phase in ("start", "roll") else state.current

    def legal(self, state: State) -> Sequence[Action]:
        """The choices of the current player; for chance nothing (any throw of the dice is)."""
        return rules.legal_choices(state)

    def options_in(self, state: State) -> Mapping[str, Json]:
        """Seats and rules, as the state carries them."""
        return {
            "seats": state.seats,
            "strict": state.rules.strict,
            "carry": state.rules.carry,
            "first_round_steals": state.rules.first_round_steals,
            "cards": state.deck_option(),
        }

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        """See `rules.play`."""
        return rules.play(state, action)

    def outcome(self, state: State) -> Outcome | None:
        """See `rules.outcome`."""
        return rules.outcome(state)

    def draw(self, state: State, rng: random.Random) -> Action:
        """A throw of the dice in the bowl, every face equally likely."""
        dice = DICE if state.phase == "start" else state.dice
        return Action("roll", tuple(sorted(rng.choice(FACES) for _ in range(dice))))

    def undo_limit(self, actions: Sequence[Action]) -> int:
        """Choices since the last throw; a throw is never taken back."""
        count = 0
        for action in reversed(actions):
            if action.kind == "roll":
                break
            count += 1
        return count

    def to_json(self, state: State) -> dict[str, Json]:
        """See `state_to_json`."""
        return state_to_json(state)

    def from_json(self, data: Json) -> State:
        """See `state_from_json`."""
        return state_from_json(data)

    def action_to_json(self, action: Action) -> dict[str, Json]:
        """`{"roll": [...]}`, `{"fill": card, "line": i, "dice": [...]}`, `{"lose": face}`, or
        `{"choice": "give_up" | "roll_on" | "go_on" | "clear"}`."""
        if action.kind == "roll":
            return {"roll": list(action.faces)}
        if action.kind == "fill":
            return {"fill": action.card, "line": action.line, "dice": list(action.faces)}
        if action.kind == "lose":
            return {"lose": action.faces[0]}
        return {"choice": action.kind}

    def action_from_json(self, data: Json) -> Action:
        """An action from its JSON form."""
        fields = Fields(data, "action")
        if "roll" in fields:
            action = Action("roll", check_faces(fields.raw("roll"), fields.name("roll")))
        elif "fill" in fields:
            action = Action(
                "fill",
                check_faces(fields.raw("dice"), fields.name("dice")),
                fields.string("fill", longest=40),
                fields.integer("line", low=0, high=99),
            )
        elif "lose" in fields:
            action = Action("lose", (fields.string("lose", choices=FACES),))
        elif "choice" in fields:
            action = Action(
                fields.string("choice", choices=("give_up", "roll_on", "go_on", "clear"))
            )
        else:
            raise InvalidValue("must have roll, fill, lose or choice", field="action")
        fields.done()
        return action

    def encoding(self, options: Mapping[str, Json]) -> RiskExpressEncoding:
        """See `RiskExpressEncoding`."""
        return RiskExpressEncoding(len(deck_of(options).cards), int(options["seats"]))

    def bot(self, level: int) -> Player[State, Action]:
        """Level 1 plays by habit, 2 by the odds of single cards, 3 for the whole game."""
        from games.risk_express.bots import make_bot

        return make_bot(level)
