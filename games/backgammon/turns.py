"""How a game goes on: turns, throws, steps, the end of a game, the cube and the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from carromsim.core.errors import IllegalAction
from carromsim.core.game import Event
from games.backgammon.rules import apply_step, dice_playable, legal_steps, win_level
from games.backgammon.state import (
    BLACK,
    CHECKERS,
    LARGEST_CUBE,
    WHITE,
    GameResult,
    Place,
    State,
    Step,
    number_of,
)

__all__ = [
    "begin_turn",
    "end_game",
    "may_double",
    "points_for",
    "refusal",
    "side_name",
    "take_step",
    "throw",
    "thrown",
]


def may_double(state: State, side: int) -> bool:
    """Whether the cube is this side's to turn: in play, within reach, and not dead.

    It is dead for a side that would win the match with it as it is.
    """
    settings = state.settings
    if not settings.cube or state.crawford or state.cube >= LARGEST_CUBE:
        return False
    if state.owner not in (None, side):
        return False
    return not settings.match or state.score[side] + state.cube < settings.match


def points_for(state: State, level: int) -> int:
    """What a win of a level (1 plain, 2 gammon, 3 backgammon) counts now, the cube included."""
    settings = state.settings
    if not settings.gammons:
        return state.cube
    if settings.jacoby and settings.cube and not settings.match and state.owner is None:
        return state.cube
    return level * state.cube


def thrown(dice: Sequence[int]) -> tuple[int, ...]:
    """The dice to be played: two, or four of a double."""
    first, second = dice
    return (first,) * 4 if first == second else (first, second)


def begin_turn(state: State, side: int) -> State:
    """The turn passes to a side: the cube if it may turn it, else the throw."""
    state = replace(
        state, turn=side, dice=None, left=(), required=0, steps=(), start=state.position
    )
    return replace(state, phase="cube" if may_double(state, side) else "roll")


def throw(state: State, side: int, dice: tuple[int, int]) -> State:
    """The dice lie on the board, for that side to play."""
    left = thrown(dice)
    return replace(
        state,
        phase="play",
        turn=side,
        dice=dice,
        left=left,
        required=dice_playable(state.position, side, left),
        steps=(),
        start=state.position,
    )


def end_game(state: State, winner: int, level: int, reason: str) -> tuple[State, list[Event]]:
    """The state after a game: the end, or the opening of the match's next game."""
    points = state.cube if reason == "dropped" else points_for(state, level)
    result = GameResult(winner, level, points, reason)
    settings = state.settings
    score = list(state.score)
    score[winner] += points
    total = (score[WHITE], score[BLACK])
    events = [
        Event(
            "game_won",
            winner,
            {"level": level, "points": points, "reason": reason, "score": list(total)},
        )
    ]
    over = replace(
        state,
        phase="over",
        score=total,
        last=result,
        start=state.position,
        steps=(),
        left=(),
        required=0,
        offer=0,
        offered_by=WHITE,
        resume="roll",
    )
    if not settings.match or max(total) >= settings.match:
        if settings.match:
            events.append(Event("match_won", winner, {"score": list(total)}))
        return over, events
    crawford_over = state.crawford_over or state.crawford
    crawford = settings.crawford and not crawford_over and settings.match - 1 in total
    events.append(Event("new_game", None, {"game": state.game + 1, "crawford": crawford}))
    return (
        State(
            settings=settings,
            score=total,
            crawford=crawford,
            crawford_over=crawford_over,
            game=state.game + 1,
            last=result,
        ),
        events,
    )


def take_step(state: State, step: Step) -> tuple[State, tuple[Event, ...]]:
    """Plays one step of the turn; the last checker off ends the game at once.

    Raises:
        IllegalAction: It does not belong to a complete legal play; the message says why.
    """
    steps = (
        legal_steps(state.position, state.turn, state.left, state.required)
        if state.phase == "play"
        else ()
    )
    if step not in steps:
        raise IllegalAction(_step_refusal(state, step), field="action")
    side = state.turn
    position, hit = apply_step(state.position, side, step)
    index = state.left.index(step.die)
    after = replace(
        state,
        position=position,
        left=state.left[:index] + state.left[index + 1 :],
        required=state.required - 1,
        steps=(*state.steps, step),
    )
    event = Event(
        "stepped",
        side,
        {"from": step.source, "to": step.target, "die": step.die, "hit": hit},
    )
    if position.off[side] < CHECKERS:
        return after, (event,)
    over, events = end_game(after, side, win_level(position, side), "borne_off")
    return over, (event, *events)


def side_name(side: int) -> str:
    """White or Black, for messages."""
    return "Black" if side else "White"


def refusal(state: State, name: str) -> str:
    """Why an action of that name is not possible now."""
    if name == "done" and state.phase == "play":
        return f"{state.required} more of the dice must be played"
    if name == "double" and state.phase in ("opening", "roll"):
        return "the cube cannot be turned now"
    waits = {
        "opening": "the opening throw is to come",
        "roll": "the dice are to be thrown",
        "cube": f"{side_name(state.turn)} doubles or throws",
        "doubled": f"{side_name(1 - state.turn)} takes or drops the cube",
        "resigned": f"{side_name(1 - state.offered_by)} accepts or rejects the resignation",
        "play": f"{side_name(state.turn)} plays the dice",
        "over": "the game is over",
    }
    return f"{name} is not possible: {waits[state.phase]}"


def _step_refusal(state: State, step: Step) -> str:
    if state.phase != "play":
        return refusal(state, "a step")
    if step.die not in state.left:
        left = ", ".join(map(str, state.left)) or "none"
        return f"there is no {step.die} left to play (left: {left})"
    if not state.required:
        return "nothing more can be played; the turn is complete"
    side = state.turn
    own = state.position.counts(side)
    number = number_of(side, step.source)
    if not own[number]:
        return f"{side_name(side)} has no checker on {step.source}"
    if own[25] and number != 25:
        return "the checkers on the bar have to enter first"
    distance = number - step.die
    target: Place = "off" if distance <= 0 else 25 - distance if side else distance
    if step.target != target:
        return f"a {step.die} leads from {step.source} to {target}, not to {step.target}"
    if distance > 0 and state.position.counts(1 - side)[25 - distance] > 1:
        return f"point {target} is blocked"
    if distance <= 0 and any(own[7:]):
        return "all checkers have to be in the home board before one is borne off"
    if distance < 0 and any(own[number + 1 : 7]):
        return "a larger die bears off the rearmost checker only"
    return "that step leaves a die unplayed that could be played, or the larger one"
