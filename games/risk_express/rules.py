"""The rules of a turn: what may be filled, what happens then, who has won.

Source: the leaflet of Risk Express (2006), and where it is silent the later edition of the same
game; every such point is an option or is named where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from carromsim.core.errors import IllegalAction
from carromsim.core.frozen import FrozenMap
from carromsim.core.game import Event
from carromsim.core.outcome import Outcome
from games.risk_express.dice import DICE, Faces, Line, fewest_dice, fills
from games.risk_express.state import Attempt, State, closed

__all__ = [
    "Action",
    "Count",
    "attackable",
    "can_continue",
    "count_points",
    "fills_of_roll",
    "hopeless",
    "legal_choices",
    "lose_allowed",
    "outcome",
    "play",
]

Events = tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Action:
    """An action: `roll`, `fill`, `lose`, `give_up`, `roll_on`, `go_on` or `clear`.

    Args:
        kind: What is done.
        faces: roll: all the dice as they lie; fill: the dice put on the line; lose: the die.
        card: fill: the card.
        line: fill: the index of its line.
    """

    kind: str
    faces: Faces = ()
    card: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """The final count of one seat.

    Args:
        points: In all.
        cards: Cards held.
        continents: Ids of the continents held whole.
        singles: Ids of the cards that count by themselves.
    """

    points: int
    cards: int
    continents: tuple[str, ...]
    singles: tuple[str, ...]


def attackable(state: State) -> Iterator[str]:
    """The cards that the current player may attack now: one, once a line is filled."""
    if state.attempt.card is not None:
        yield state.attempt.card
        return
    first_round = state.turns < state.seats
    for card in state.deck.cards:
        holder = state.owner.get(card.id)
        if holder is not None:
            if holder == state.current or closed(state, card.continent):
                continue
            if first_round and not state.rules.first_round_steals:
                continue
        yield card.id


def _open(state: State, identity: str) -> dict[int, Line]:
    if identity == state.attempt.card:
        return state.open_lines()
    return state.lines_of(identity)


def fills_of_roll(state: State, roll: Faces | None = None) -> list[Action]:
    """All fills that the roll allows: cards in the deck's order, lines, fewest dice first."""
    faces = state.roll if roll is None else roll
    return [
        Action("fill", dice, identity, index)
        for identity in attackable(state)
        for index, line in _open(state, identity).items()
        for dice in fills(line, faces)
    ]


def lose_allowed(state: State, roll: Faces | None = None) -> bool:
    """A die may be given up: always, or in strict play only when no line can be filled."""
    return not state.rules.strict or not fills_of_roll(state, roll)


def hopeless(state: State) -> bool:
    """Too few dice are left for what is missing."""
    return all(
        fewest_dice(_open(state, identity).values()) > state.dice for identity in attackable(state)
    )


def legal_choices(state: State) -> list[Action]:
    """The actions of the player to move."""
    if state.phase == "choose":
        actions = fills_of_roll(state)
        if not state.rules.strict or not actions:
            actions = actions + [Action("lose", (face,)) for face in sorted(set(state.roll))]
        return actions
    if state.phase == "doubt":
        return [Action("give_up"), Action("roll_on")]
    if state.phase == "offer":
        return [Action("go_on"), Action("clear")]
    return []


def can_continue(state: State, attempt: Attempt, seat: int) -> bool:
    """The attempt may be offered to that seat: not his card, and dice enough for what is open."""
    if attempt.card is None or state.owner.get(attempt.card) == seat:
        return False
    missing = fewest_dice(state.open_lines(attempt).values())
    return missing <= DICE - attempt.dice


# what an action does ---------------------------------------------------------------------------


def play(state: State, action: Action) -> tuple[State, Events]:
    """The state after an action, and what happened.

    Raises:
        IllegalAction: It is not allowed; the message says why.
    """
    if state.phase == "over":
        raise IllegalAction("the game is over", field="action")
    if state.phase == "start":
        return _start_roll(state, action)
    if state.phase == "roll":
        _expect(action, "roll")
        _expect_dice(action, state.dice)
        event = Event("rolled", state.current, {"roll": list(action.faces)})
        return replace(state, phase="choose", roll=action.faces), (event,)
    if state.phase == "offer":
        return _answer_offer(state, action)
    if state.phase == "doubt":
        return _answer_doubt(state, action)
    if action.kind == "lose":
        return _lose(state, action)
    _expect(action, "fill", "lose")
    return _fill(state, action)


def _expect(action: Action, *kinds: str) -> None:
    if action.kind not in kinds:
        raise IllegalAction(
            f"must be {' or '.join(kinds)} now, not {action.kind}", field="action.kind"
        )


def _expect_dice(action: Action, dice: int) -> None:
    if len(action.faces) != dice:
        raise IllegalAction(f"must be {dice} dice, not {len(action.faces)}", field="action.roll")


def _start_roll(state: State, action: Action) -> tuple[State, Events]:
    _expect(action, "roll")
    _expect_dice(action, DICE)
    thrown = (*state.start_rolls, (state.current, action.faces))
    event = Event("start_rolled", state.current, {"roll": list(action.faces)})
    place = state.contenders.index(state.current) + 1
    if place < len(state.contenders):
        return replace(state, start_rolls=thrown, current=state.contenders[place]), (event,)
    generals = {
        seat: faces.count("G") for seat, faces in thrown[len(thrown) - len(state.contenders) :]
    }
    most = max(generals.values())
    tied = tuple(seat for seat in state.contenders if generals[seat] == most)
    if len(tied) > 1:
        again = Event("start_tied", None, {"seats": list(tied), "generals": most})
        state = replace(state, start_rolls=thrown, contenders=tied, current=tied[0])
        return state, (event, again)
    begins = Event("begins", tied[0], {"generals": most})
    state = replace(state, start_rolls=thrown, contenders=(), current=tied[0], phase="roll")
    return state, (event, begins)


def _answer_offer(state: State, action: Action) -> tuple[State, Events]:
    _expect(action, "go_on", "clear")
    assert state.carry is not None
    if action.kind == "clear":
        event = Event("attempt_cleared", state.current, {"card": state.carry.card})
        return replace(state, carry=None, phase="roll"), (event,)
    event = Event("attempt_continued", state.current, {"card": state.carry.card})
    state = replace(
        state, carry=None, attempt=state.carry, dice=DICE - state.carry.dice, phase="roll"
    )
    return state, (event,)


def _answer_doubt(state: State, action: Action) -> tuple[State, Events]:
    _expect(action, "give_up", "roll_on")
    if action.kind == "roll_on":
        return replace(state, phase="roll"), (Event("rolls_on", state.current),)
    return _failed(state, (Event("gave_up", state.current, {"card": state.attempt.card}),))


def _lose(state: State, action: Action) -> tuple[State, Events]:
    if len(action.faces) != 1 or action.faces[0] not in state.roll:
        raise IllegalAction("must be one die of the roll", field="action.die")
    if not lose_allowed(state):
        raise IllegalAction(
            "a line can be filled, and the strict rule is on: fill it", field="action.kind"
        )
    face = action.faces[0]
    events: Events = (Event("die_lost", state.current, {"die": face}),)
    state = replace(
        state, lost=tuple(sorted((*state.lost, face))), dice=state.dice - 1, roll=(), phase="roll"
    )
    if state.dice == 0:
        return _failed(state, events)
    return _doubt(state), events


def _doubt(state: State) -> State:
    return replace(state, phase="doubt") if hopeless(state) else state


def _fill(state: State, action: Action) -> tuple[State, Events]:
    if action.card not in tuple(attackable(state)):
        raise IllegalAction(_why_not(state, action.card), field="action.card")
    assert action.card is not None
    lines = _open(state, action.card)
    if action.line not in lines:
        raise IllegalAction("is filled already, or the card has no such line", field="action.line")
    if action.faces not in fills(lines[action.line], state.roll):
        raise IllegalAction(
            f"{' '.join(action.faces) or 'nothing'} does not fill this line exactly with dice of "
            "this roll",
            field="action.dice",
        )
    assert action.line is not None
    on_lines = FrozenMap(sorted({**state.attempt.on_lines, action.line: action.faces}.items()))
    event = Event(
        "line_filled",
        state.current,
        {"card": action.card, "line": action.line, "dice": list(action.faces)},
    )
    state = replace(
        state,
        attempt=Attempt(action.card, on_lines),
        dice=state.dice - len(action.faces),
        roll=(),
        phase="roll",
    )
    if not state.open_lines():
        return _conquer(state, action.card, (event,))
    if state.dice == 0:
        return _failed(state, (event,))
    return _doubt(state), (event,)


def _why_not(state: State, card: str | None) -> str:
    if card is None or all(one.id != card for one in state.deck.cards):
        return f"there is no card {card!r}"
    if state.attempt.card is not None:
        return f"only {state.attempt.card} can be attacked this turn: its line is filled"
    if state.owner.get(card) == state.current:
        return f"{card} is the player's own"
    if closed(state, state.deck.card(card).continent):
        return f"{card} lies in a continent that is held whole: nobody can invade it"
    return f"{card} cannot be taken in the first round"


def _conquer(state: State, identity: str, events: Events) -> tuple[State, Events]:
    seat = state.current
    loser = state.owner.get(identity)
    data = {"card": identity}
    event = (
        Event("conquered", seat, data)
        if loser is None
        else Event("taken", seat, data | {"from": loser})
    )
    owner = FrozenMap(
        (card.id, seat if card.id == identity else state.owner[card.id])
        for card in state.deck.cards
        if card.id == identity or card.id in state.owner
    )
    state = replace(state, owner=owner)
    events = (*events, event)
    continent = state.deck.card(identity).continent
    if closed(state, continent):
        events = (*events, Event("continent_closed", seat, {"continent": continent}))
    if len(owner) == len(state.deck.cards):
        state = replace(_cleared(state), phase="over", turns=state.turns + 1, current=state.current)
        return state, (*events, Event("game_over"))
    return _next(state, None, events)


def _failed(state: State, events: Events) -> tuple[State, Events]:
    data = {} if state.attempt.card is None else {"card": state.attempt.card}
    events = (*events, Event("failed", state.current, data))
    keep = state.attempt if state.rules.carry and state.attempt.card is not None else None
    return _next(state, keep, events)


def _cleared(state: State) -> State:
    return replace(state, attempt=Attempt(), dice=DICE, lost=(), roll=(), carry=None, phase="roll")


def _next(state: State, keep: Attempt | None, events: Events) -> tuple[State, Events]:
    seat = (state.current + 1) % state.seats
    state = replace(_cleared(state), current=seat, turns=state.turns + 1)
    events = (*events, Event("next_player", seat))
    if keep is not None and can_continue(state, keep, seat):
        offer = Event("attempt_offered", seat, {"card": keep.card, "dice": DICE - keep.dice})
        return replace(state, carry=keep, phase="offer"), (*events, offer)
    return state, events


# the count -------------------------------------------------------------------------------------


def count_points(state: State) -> tuple[Count, ...]:
    """The count as it stands: whole continents replace their single cards."""
    counts = []
    for seat in range(state.seats):
        continents = tuple(
            one.id
            for one in state.deck.continents
            if all(state.owner.get(card.id) == seat for card in state.deck.members(one.id))
        )
        held = [card for card in state.deck.cards if state.owner.get(card.id) == seat]
        singles = [card for card in held if card.continent not in continents]
        points = sum(card.points for card in singles) + sum(
            one.points for one in state.deck.continents if one.id in continents
        )
        counts.append(Count(points, len(held), continents, tuple(card.id for card in singles)))
    return tuple(counts)


def leaders(state: State) -> tuple[int, ...]:
    """The seats ahead: most points, then most cards, then most continents, then shared."""
    ranks = [(one.points, one.cards, len(one.continents)) for one in count_points(state)]
    return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))


def outcome(state: State) -> Outcome | None:
    """How it ended, or None."""
    if state.phase != "over":
        return None
    counts = count_points(state)
    return Outcome(
        leaders(state),
        tuple(float(one.points) for one in counts),
        "all_conquered",
        {
            "cards": [one.cards for one in counts],
            "continents": [list(one.continents) for one in counts],
        },
    )
