"""The state of a game of Risk Express, and its JSON form."""

from __future__ import annotations

from dataclasses import dataclass

from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Fields, Json
from carromsim.core.frozen import FrozenMap
from games.risk_express.cards import Deck, check_deck, deck_of, standard_deck
from games.risk_express.dice import DICE, FACES, Faces, Line, fills

__all__ = ["PHASES", "Attempt", "Rules", "State", "check_faces", "state_from_json", "state_to_json"]

PHASES = ("start", "offer", "roll", "choose", "doubt", "over")
"""start: rolls for who begins. offer: go on with the last player's attempt? roll: chance is to
throw. choose: fill a line or give up a die. doubt: too few dice are left. over."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The options in force."""

    strict: bool = False
    carry: bool = False
    first_round_steals: bool = True


@dataclass(frozen=True, slots=True)
class Attempt:
    """Dice on a card's lines: which card, and for each filled line the faces on it."""

    card: str | None = None
    on_lines: FrozenMap[int, Faces] = FrozenMap()

    @property
    def filled(self) -> tuple[int, ...]:
        """Indices of the filled lines, in order."""
        return tuple(sorted(self.on_lines))

    @property
    def dice(self) -> int:
        """Dice that lie on the lines."""
        return sum(len(faces) for faces in self.on_lines.values())


@dataclass(frozen=True, slots=True)
class State:
    """Everything that is on the table.

    Args:
        seats: How many play.
        rules: The options in force.
        deck: The cards.
        phase: One of PHASES.
        current: The seat whose turn it is (in `start`: who throws next).
        attempt: The card under attack this turn, and the dice on it.
        dice: Dice left in the bowl.
        lost: Dice given up this turn, by their faces.
        roll: The dice in the bowl as they lie, or empty before the throw.
        owner: Seat by card id; free cards are missing.
        carry: In `offer`: the attempt that may be gone on with.
        turns: Turns finished.
        contenders: In `start`: seats still in question, in order.
        start_rolls: Every throw for the start so far: (seat, faces).
    """

    seats: int
    rules: Rules
    deck: Deck
    phase: str = "start"
    current: int = 0
    attempt: Attempt = Attempt()
    dice: int = DICE
    lost: Faces = ()
    roll: Faces = ()
    owner: FrozenMap[str, int] = FrozenMap()
    carry: Attempt | None = None
    turns: int = 0
    contenders: tuple[int, ...] = ()
    start_rolls: tuple[tuple[int, Faces], ...] = ()

    def deck_option(self) -> Json:
        """The option `cards` that gives this deck."""
        return "standard" if self.deck == standard_deck() else self.deck.to_json()

    def lines_of(self, identity: str) -> dict[int, Line]:
        """All lines of a card by index; the extra general of an owned card comes last."""
        card = self.deck.card(identity)
        lines = self.deck.lines(card, owned=identity in self.owner)
        return dict(enumerate(lines))

    def open_lines(self, attempt: Attempt | None = None) -> dict[int, Line]:
        """The lines of the card under attack that are still open."""
        attempt = self.attempt if attempt is None else attempt
        if attempt.card is None:
            return {}
        return {
            index: line
            for index, line in self.lines_of(attempt.card).items()
            if index not in attempt.on_lines
        }


def check_faces(value: object, field_name: str, *, count: int | None = None) -> Faces:
    """Faces as a sorted tuple, from a list of letters.

    Raises:
        CarromsimError: A face is unknown, or there are not `count`.
    """
    items = (
        Fields({"faces": value}, "").sequence("faces", longest=DICE)
        if isinstance(value, (list, tuple))
        else None
    )
    if items is None:
        raise InvalidValue(f"must be a list of faces, not {value!r}"[:100], field=field_name)
    for index, face in enumerate(items):
        if face not in FACES:
            raise InvalidValue(
                f"must be one of {', '.join(FACES)}, not {face!r}", field=f"{field_name}[{index}]"
            )
    if count is not None and len(items) != count:
        raise InvalidValue(f"must be {count} dice, not {len(items)}", field=field_name)
    return tuple(sorted(items))


def _attempt_to_json(attempt: Attempt) -> Json:
    return {
        "card": attempt.card,
        "on_lines": {str(i): list(attempt.on_lines[i]) for i in attempt.filled},
    }


def state_to_json(state: State) -> dict[str, Json]:
    """The state as JSON; `state_from_json` gives an equal one."""
    return {
        "seats": state.seats,
        "strict": state.rules.strict,
        "carry": state.rules.carry,
        "first_round_steals": state.rules.first_round_steals,
        "cards": state.deck_option(),
        "phase": state.phase,
        "current": state.current,
        "attempt": _attempt_to_json(state.attempt),
        "dice": state.dice,
        "lost": list(state.lost),
        "roll": list(state.roll),
        "owner": dict(state.owner),
        "offered": None if state.carry is None else _attempt_to_json(state.carry),
        "turns": state.turns,
        "contenders": list(state.contenders),
        "start_rolls": [{"seat": seat, "roll": list(faces)} for seat, faces in state.start_rolls],
    }


def _attempt_from_fields(fields: Fields, state: State) -> Attempt:
    identity = fields.string("card", None)
    on_lines: dict[int, Faces] = {}
    raw = fields.mapping("on_lines")
    where = fields.name("on_lines")
    fields.done()
    if identity is None:
        if raw:
            raise InvalidValue("must be empty while no card is under attack", field=where)
        return Attempt()
    state.deck.card(identity, fields.name("card"))
    lines = state.lines_of(identity)
    for key, value in raw.items():
        if not (isinstance(key, str) and key.isdecimal() and int(key) in lines):
            raise InvalidValue(f"there is no line {key!r} on {identity}", field=where)
        faces = check_faces(value, f"{where}.{key}")
        on_lines[int(key)] = check_fill(lines[int(key)], faces, f"{where}.{key}")
    if not on_lines:
        raise InvalidValue("must hold a filled line: the first fixes the card", field=where)
    return Attempt(identity, FrozenMap(sorted(on_lines.items())))


def check_fill(line: Line, faces: Faces, field_name: str) -> Faces:
    """The faces, if they fill the line with no die too many.

    Raises:
        InvalidValue: They do not.
    """
    if faces not in fills(line, faces):
        raise InvalidValue(f"{' '.join(faces)} does not fill this line exactly", field=field_name)
    return faces


def state_from_json(data: Json) -> State:
    """A state from JSON, checked: one that cannot be is refused.

    Raises:
        CarromsimError: It names the field.
    """
    fields = Fields(data)
    seats = fields.integer("seats", low=2, high=6)
    rules = Rules(
        strict=fields.boolean("strict", False),
        carry=fields.boolean("carry", False),
        first_round_steals=fields.boolean("first_round_steals", True),
    )
    deck = deck_of({"cards": check_deck(fields.raw("cards", "standard"), "cards")})
    owner: dict[str, int] = {}
    for identity, seat in fields.mapping("owner", {}).items():
        deck.card(str(identity), "owner")
        owner[str(identity)] = Fields({identity: seat}, "owner").integer(
            identity, low=0, high=seats - 1
        )
    held = FrozenMap((card.id, owner[card.id]) for card in deck.cards if card.id in owner)
    state = State(seats, rules, deck, owner=held)
    phase = fields.string("phase", choices=PHASES)
    attempt = (
        _attempt_from_fields(fields.object("attempt"), state) if "attempt" in fields else Attempt()
    )
    offered = fields.raw("offered", None)
    carry = None if offered is None else _attempt_from_fields(Fields(offered, "offered"), state)
    roll = check_faces(fields.raw("roll", []), "roll")
    start_rolls = []
    for item in fields.objects("start_rolls", []):
        seat = item.integer("seat", low=0, high=seats - 1)
        start_rolls.append((seat, check_faces(item.raw("roll"), item.name("roll"), count=DICE)))
        item.done()
    contenders = tuple(
        Fields({"seat": seat}, f"contenders[{index}]").integer("seat", low=0, high=seats - 1)
        for index, seat in enumerate(fields.sequence("contenders", [], longest=6))
    )
    state = State(
        seats,
        rules,
        deck,
        phase=phase,
        current=fields.integer("current", low=0, high=seats - 1),
        attempt=attempt,
        dice=fields.integer("dice", low=0, high=DICE),
        lost=check_faces(fields.raw("lost", []), "lost"),
        roll=roll,
        owner=held,
        carry=carry,
        turns=fields.integer("turns", 0, low=0, high=10**6),
        contenders=contenders,
        start_rolls=tuple(start_rolls),
    )
    fields.done()
    _check_whole(state)
    return state


def _check_whole(state: State) -> None:
    if state.dice + len(state.lost) + state.attempt.dice != DICE:
        raise InvalidValue(
            f"the dice in the bowl, given up and on lines must be {DICE} together", field="dice"
        )
    if state.phase == "choose" and len(state.roll) != state.dice:
        raise InvalidValue(f"must be the {state.dice} dice in the bowl", field="roll")
    if state.phase != "choose" and state.roll:
        raise InvalidValue("must be empty when nothing has been thrown", field="roll")
    if (state.carry is None) == (state.phase == "offer"):
        raise InvalidValue("is given in the phase offer and only there", field="offered")
    free = [card.id for card in state.deck.cards if card.id not in state.owner]
    if (state.phase == "over") == bool(free):
        raise InvalidValue("must be over exactly when no card is free", field="phase")
    if state.phase == "start":
        if not state.contenders or state.current not in state.contenders:
            raise InvalidValue("must hold the seat that throws next", field="contenders")
        if state.owner or state.attempt.card or state.turns:
            raise InvalidValue("is before the first turn: nothing is conquered yet", field="phase")
    elif state.contenders:
        raise InvalidValue("must be empty once the game has begun", field="contenders")
    if state.phase in ("roll", "choose", "doubt") and not state.dice:
        raise InvalidValue("must be at least 1 in this phase", field="dice")
    card = state.attempt.card
    if card is not None:
        if state.owner.get(card) == state.current:
            raise InvalidValue("must not be the player's own card", field="attempt.card")
        if not state.open_lines():
            raise InvalidValue("has all its lines filled: it is conquered", field="attempt.card")
        if closed(state, state.deck.card(card).continent):
            raise InvalidValue("lies in a closed continent", field="attempt.card")


def closed(state: State, continent: str) -> bool:
    """One player holds all cards of the continent: they lie face down."""
    owners = {state.owner.get(card.id) for card in state.deck.members(continent)}
    return len(owners) == 1 and None not in owners
