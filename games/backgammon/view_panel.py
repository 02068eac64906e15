"""The side panel of backgammon: pips, cube, score, plays so far, dice, hint, buttons by phase."""

from __future__ import annotations

from collections.abc import Sequence

from carromsim.app.panel import (
    Badge,
    Bars,
    Button,
    Facts,
    Lines,
    Mark,
    Panel,
    SeatRow,
    Section,
)
from carromsim.app.view import History, Situation
from carromsim.i18n import _
from games.backgammon.notation import play_text
from games.backgammon.state import BLACK, WHITE, Action, Dice, Done, State, Step
from games.backgammon.turns import may_double
from games.backgammon.view_advice import Advice
from games.backgammon.words import event_text, points_text, status_text

__all__ = ["PanelExtras", "last_steps", "last_turn", "message_of", "panel_of", "plays_so_far"]


class PanelExtras:
    """What the view knows beside the situation.

    Args:
        advice: A hint that is shown, or None.
        statistics: Dice histogram and seed are asked for.
        typing: Dice that have been typed in so far, or None: they are not typed.
        waits_for_throw: The player throws by a button.
        next_game: A game of the match has ended; the next waits for a word.
        forced: A key plays what is left.
        racing: A key bears off as well as it goes.
        finished: The board of the match's game that has just ended, while it is still shown.
        moving: Actions whose picture has not come to its end; nothing is told of them yet.
    """

    def __init__(self) -> None:
        self.advice: Advice | None = None
        self.statistics = False
        self.typing: tuple[int, ...] | None = None
        self.waits_for_throw = False
        self.next_game = False
        self.forced = False
        self.racing = False
        self.moving = 0
        self.finished: State | None = None


def panel_of(situation: Situation[State, Action], extras: PanelExtras) -> Panel:
    """The panel for a situation."""
    state = situation.state
    mine = situation.acting is not None and situation.acting == situation.mover
    mine = mine and not extras.moving
    place = max(situation.place - extras.moving, 0)
    status = "" if extras.moving else status_text(state, situation.names, mine)
    if situation.outcome is not None:
        status = ""
    elif extras.moving:
        status = _doing(situation, place)
    elif extras.next_game:
        status = _("The next game begins when you are ready.")
    elif extras.typing is not None:
        status = _type_text(situation, extras.typing)
    return Panel(
        seats=tuple(_seat_row(situation, seat, extras.finished) for seat in (WHITE, BLACK)),
        message=message_of(situation, place),
        status=status,
        buttons=_buttons(situation, extras, mine),
        sections=_sections(situation, extras, place),
    )


def _type_text(situation: Situation[State, Action], typed: tuple[int, ...]) -> str:
    state = situation.state
    if state.phase == "opening":
        name = situation.names[len(typed)]
        return _("Type {name}'s die of the opening throw (1 to 6).").format(name=name)
    name = situation.names[state.turn]
    if typed:
        return _("{name} throws {die} and …").format(name=name, die=typed[0])
    return _("Type the dice that {name} throws (1 to 6).").format(name=name)


def _doing(situation: Situation[State, Action], place: int) -> str:
    """What is being shown, without its result."""
    action = situation.history.actions[place]
    state: State = situation.history.states[place]
    if isinstance(action, Dice):
        if state.phase == "opening":
            return _("Each side throws one die …")
        return _("{name} throws …").format(name=situation.names[state.turn])
    return _("{name} plays …").format(name=situation.names[state.turn])


def _seat_row(situation: Situation[State, Action], seat: int, finished: State | None) -> SeatRow:
    state = situation.state
    settings = state.settings
    position = (finished or state).position
    details = [_("{count} pips").format(count=position.pips(seat))]
    off = position.off[seat]
    if off:
        details[0] += ", " + _("{count} off").format(count=off)
    badges = []
    if settings.cube and state.owner == seat:
        badges.append(Badge(_("Cube {value}").format(value=state.cube), "accent"))
    score = ""
    if settings.match:
        score = str(state.score[seat])
        away = settings.match - state.score[seat]
        if away > 0:
            details.append(_("{count} away").format(count=away))
        if state.crawford and settings.cube and away > 1:
            badges.append(Badge(_("Crawford"), "warning", _("This game has no cube.")))
    side = _("White") if seat == WHITE else _("Black")
    if situation.names[seat] != side:
        badges.append(Badge(side))
    token = "backgammon.black" if seat == BLACK else "backgammon.white"
    return SeatRow(
        seat,
        score=score,
        details=tuple(details),
        badges=tuple(badges),
        mark=Mark("diamond" if seat == BLACK else "disc", token),
    )


# words -------------------------------------------------------------------------------------


def message_of(situation: Situation[State, Action], place: int) -> str:
    """What happened last; with a throw, what the other side has just played as well."""
    history = situation.history
    if not place:
        return ""
    names, settings = situation.names, situation.state.settings
    events = history.events[place - 1]
    words = [event_text(event, names, settings) for event in events]
    action = history.actions[place - 1]
    if isinstance(action, Step | Done):
        played = last_turn(history, place)
        if played is not None:
            side, text = played
            words.insert(0, _("{name}: {play}.").format(name=names[side], play=text))
    elif isinstance(action, Dice):
        before = place - 1
        if before and isinstance(history.actions[before - 1], Done):
            played = last_turn(history, before)
            if played is not None:
                side, text = played
                words.insert(0, _("{name}: {play}.").format(name=names[side], play=text))
    return " ".join(word for word in words if word)


def last_turn(history: History, place: int) -> tuple[int, str] | None:
    """(Side, play in notation) of the turn to which the action before `place` belongs."""
    index = place - 1
    steps: list[Step] = []
    while index >= 0:
        action = history.actions[index]
        if isinstance(action, Step):
            steps.insert(0, action)
        elif isinstance(action, Dice) or not isinstance(action, Done) or index < place - 1:
            break
        index -= 1
    if not steps:
        return None
    first = history.states[index + 1]
    return first.turn, play_text(first.position, first.turn, steps)


def last_steps(history: History, place: int) -> tuple[int, tuple[Step, ...]] | None:
    """(Side, steps) of the last turn in which anything was played, in this game."""
    steps: list[Step] = []
    for index in range(place - 1, -1, -1):
        action = history.actions[index]
        if isinstance(action, Step):
            steps.insert(0, action)
            if any(event.kind == "new_game" for event in history.events[index]):
                return None
        elif steps:
            return history.states[index + 1].turn, tuple(steps)
    return None


def plays_so_far(
    history: History, place: int, untold: int = 0
) -> tuple[list[str], list[int], int | None]:
    """The current game's plays, a line each, with the letter of the side.

    Returns:
        Lines, for each the number of actions after which it stands, and the index of the one at
        which `place` is.
    """
    begin = 0
    for index in range(min(place, len(history)) - 1, -1, -1):
        if any(event.kind == "new_game" for event in history.events[index]):
            begin = index + 1
            break
    end = len(history) - untold
    cells: list[tuple[int, str, int]] = []
    open_dice: str | None = None
    steps: list[Step] = []
    first: State | None = None
    for index in range(begin, end):
        action, events = history.actions[index], history.events[index]
        state: State = history.states[index + 1]
        ended = any(event.kind in ("game_won", "new_game") for event in events)
        if isinstance(action, Dice):
            if state.phase == "play" and state.dice:
                open_dice = f"{state.dice[0]}{state.dice[1]}:"
                first, steps = state, []
                cells.append((state.turn, open_dice, index + 1))
        elif isinstance(action, Step) and first is not None:
            steps.append(action)
            text = play_text(first.start, first.turn, [*first.steps, *steps])
            cells[-1] = (first.turn, f"{open_dice} {text}", index + 1)
        elif isinstance(action, Done) and cells:
            side, text, _at = cells[-1]
            cells[-1] = (side, text if steps else f"{text} –", index + 1)
        else:
            for event in events:
                text = _cube_cell(event.kind, event.data.get("value"))
                if text and event.seat is not None:
                    cells.append((event.seat, text, index + 1))
        if ended:
            break
    letters = (_("W"), _("B"))
    lines = [f"{letters[side]} {text}" for side, text, _at in cells]
    places = [at for _side, _text, at in cells]
    selected = None
    for index, at in enumerate(places):
        if at <= place:
            selected = index
    return lines, places, selected


def _cube_cell(kind: str, value: object) -> str:
    if kind == "doubled":
        return _("doubles to {value}").format(value=value)
    if kind == "taken":
        return _("takes")
    if kind == "dropped":
        return _("drops")
    if kind == "resigned":
        return _("resigns")
    return ""


# sections and buttons ----------------------------------------------------------------------


def _sections(
    situation: Situation[State, Action], extras: PanelExtras, place: int
) -> tuple[Section, ...]:
    state = situation.state
    sections: list[Section] = []
    if extras.advice is not None:
        sections.append(_hint(extras.advice, state))
    if extras.statistics:
        sections += _statistics(situation, place)
    lines, places, selected = plays_so_far(situation.history, place, extras.moving)
    if lines:
        title = _("Plays")
        if state.settings.match:
            title = _("Game {number} of a match to {points}").format(
                number=state.game, points=state.settings.match
            )
        sections.append(Lines(tuple(lines), title, selected, "shell.step", tuple(places)))
    return tuple(sections)


def _hint(advice: Advice, state: State) -> Facts:
    if advice.cube is not None:
        cube = advice.cube
        rows: tuple[tuple[str, str], ...] = (
            (_("No double"), f"{cube.no_double:+.3f}"),
            (_("Double, take"), f"{cube.take:+.3f}"),
            (_("Double, drop"), f"{cube.drop:+.3f}"),
            (_("Chance to win"), f"{100 * advice.win:.1f} %"),
        )
        if state.phase == "doubled":
            title = _("Hint: take") if cube.should_take else _("Hint: drop")
        else:
            title = _("Hint: double") if cube.double else _("Hint: throw the dice")
        return Facts(rows, title)
    rows = tuple(
        (f"{number}. {line.text}", f"{line.equity:+.3f}")
        for number, line in enumerate(advice.plays, 1)
    )
    if advice.plays:
        best = advice.plays[0]
        rows += (
            (
                _("Best play wins"),
                _("{win:.0f} %, gammon {gammon:.0f} %").format(
                    win=100 * best.win, gammon=100 * best.gammon
                ),
            ),
        )
    return Facts(rows, _("Hint: plays by equity"))


def _statistics(situation: Situation[State, Action], place: int) -> list[Section]:
    faces = [0] * 6
    throws = doubles = 0
    for action in situation.history.actions[:place]:
        if isinstance(action, Dice):
            throws += 1
            doubles += action.first == action.second
            faces[action.first - 1] += 1
            faces[action.second - 1] += 1
    labels = tuple(str(face) for face in range(1, 7))
    return [
        Bars(labels, tuple(float(count) for count in faces), _("Dice thrown")),
        Facts(
            (
                (_("Throws"), str(throws)),
                (_("Doubles"), str(doubles)),
                (_("Seed"), str(situation.seed)),
            )
        ),
    ]


def _buttons(
    situation: Situation[State, Action], extras: PanelExtras, mine: bool
) -> tuple[Button, ...]:
    state = situation.state
    undo = Button("shell.undo", _("Undo"), enabled=situation.undoable)
    hint = Button("shell.hint", _("Hint"), tip=_("The best plays with their equities."))
    if situation.outcome is not None:
        return (undo,)
    if extras.next_game:
        return (Button("throw", _("Next game"), primary=True, key="Space"),)
    if extras.typing is not None:
        return tuple(Button(f"die {face}", str(face)) for face in range(1, 7))
    if extras.waits_for_throw:
        return (Button("throw", _("Throw"), primary=True, key="Space"), undo)
    if not mine:
        return (undo,)
    match state.phase:
        case "cube":
            double = Button(
                "double",
                _("Double"),
                key="D",
                tip=_("Offer the cube at {value}.").format(value=2 * state.cube),
                enabled=may_double(state, state.turn),
            )
            return (Button("go", _("Throw"), primary=True, key="Space"), double, hint, undo)
        case "doubled":
            lose = points_text(state.cube)
            return (
                Button("take", _("Take"), primary=True, key="Y"),
                Button("drop", _("Drop"), key="N", tip=_("You lose {points}.").format(points=lose)),
                hint,
            )
        case "resigned":
            return (
                Button("accept", _("Accept"), primary=True, key="Y"),
                Button("reject", _("Decline"), key="N", tip=_("The game goes on.")),
            )
        case "play" if not state.required:
            return (Button("done", _("Done"), primary=True, key="Space"), undo)
        case "play":
            buttons: Sequence[Button] = (
                Button(
                    "swap",
                    _("Swap dice"),
                    key="S",
                    enabled=len(set(state.left)) > 1,
                    tip=_("Taps move by the marked die."),
                ),
                hint,
                undo,
            )
            if extras.forced:
                only = Button("go", _("Play forced"), primary=True, key="Space")
                return (only, *buttons)
            if extras.racing:
                off = Button("go", _("Bear off"), primary=True, key="Space")
                return (off, *buttons)
            return tuple(buttons)
    return (undo,)
