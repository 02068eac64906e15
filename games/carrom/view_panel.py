"""What the side panel says beside the carrom board: seats, score sheet, buttons by phase."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from carromsim.app.panel import Badge, Button, Facts, Gauge, Mark, Panel, SeatRow, Section, Sheet
from carromsim.app.view import Situation
from carromsim.i18n import _, ngettext
from games.carrom.state import CarromState, Stroke, Toss
from games.carrom.view_aim import Aim
from games.carrom.view_hand import Hand
from games.carrom.view_paint import angle_text

__all__ = ["aim_sections", "resting_panel", "score_sheet", "seat_rows", "showing_panel"]


def seat_rows(state: CarromState) -> tuple[SeatRow, ...]:
    """One row a seat: score, colour, men left, queen and dues."""
    if state.options.practice:
        return (_practice_row(state),)
    rows = []
    known = state.breaker is not None and state.phase != "toss"
    for seat in range(state.options.seats):
        side = seat % 2
        details: list[str] = []
        badges: list[Badge] = []
        mark = None
        if known:
            colour = state.colour(side)
            mark = Mark("ring", "carrom.white") if colour == "white" else None
            mark = mark or Mark("disc", "carrom.black")
            count = state.count(colour)
            details.append(
                _("White, {count} left").format(count=count)
                if colour == "white"
                else _("Black, {count} left").format(count=count)
            )
            badges += _badges(state, side)
        won = state.games_won[side]
        if won:
            text = ngettext("{count} game won", "{count} games won", won).format(count=won)
            badges.append(Badge(text, "good"))
        rows.append(SeatRow(seat, str(state.scores[side]), tuple(details), tuple(badges), mark))
    return tuple(rows)


def _practice_row(state: CarromState) -> SeatRow:
    words = _("{white} white, {black} black on the board").format(
        white=state.count("white"), black=state.count("black")
    )
    gone = () if state.count("queen") else (Badge(_("Queen down"), "muted"),)
    return SeatRow(0, details=(words,), badges=gone)


def _badges(state: CarromState, side: int) -> list[Badge]:
    badges = []
    if state.queen == "covered" and state.queen_side == side:
        badges.append(Badge(_("Queen"), "good", _("This side has covered the queen.")))
    elif state.queen == "pending" and state.side == side:
        badges.append(
            Badge(_("Queen to cover"), "warning", _("The next stroke must pocket an own man."))
        )
    due = state.dues[side]
    if due:
        text = ngettext("{count} man due", "{count} men due", due).format(count=due)
        badges.append(Badge(text, "warning", _("Men this side owes to the board.")))
    return badges


def score_sheet(state: CarromState, names: Sequence[str]) -> Sheet | None:
    """The boards played: who broke, who covered the queen, men left, points; at last the total."""
    if state.options.practice or not state.sheet:
        return None
    sides = [_short(names, side) for side in (0, 1)]
    several = state.options.rule.best_of > 1
    rows = []
    for row in state.sheet:
        if several and row.game != state.game_number:
            continue
        rows.append(
            (
                str(row.board),
                _short(names, row.breaker),
                "–" if row.queen is None else sides[row.queen],
                f"{row.men_left[0]} : {row.men_left[1]}",
                f"{row.points[0]}",
                f"{row.points[1]}",
            )
        )
    if not rows:
        return None
    return Sheet(
        (_("Board"), _("Break"), _("Queen"), _("Left"), *sides),
        tuple(rows),
        title=_("Score sheet"),
        total=(_("Total"), "", "", "", str(state.scores[0]), str(state.scores[1])),
    )


def _short(names: Sequence[str], seat: int) -> str:
    name = names[seat] if seat < len(names) else str(seat + 1)
    return name if len(name) <= 7 else name[:6].rstrip() + "…"


def status_of(situation: Situation[CarromState, Any], state: CarromState, yours: bool) -> str:
    """What is expected now; empty where the shell says whose turn it is."""
    if state.phase == "toss":
        return _("The toss decides who has white and breaks.")
    if state.options.practice:
        return _("Shoot, or drag men to where you want them.") if yours else ""
    names = situation.names
    if state.phase == "place":
        seat = state.to_place[0].seat
        return _("{name} places a man inside the outer circle.").format(name=names[seat])
    if state.phase != "stroke":
        return ""
    name, tries = names[state.turn], state.options.rule.break_tries
    if state.break_try is not None:
        return _("{name} breaks: try {number} of {tries}.").format(
            name=name, number=state.break_try, tries=tries
        )
    if state.stroke_try > 1:
        return _("{name} strikes again: try {number} of {tries}.").format(
            name=name, number=state.stroke_try, tries=tries
        )
    if state.queen == "pending":
        return _("{name} has to cover the queen.").format(name=name)
    return ""


def aim_sections(aim: Aim) -> tuple[Section, ...]:
    """The shot in numbers."""
    speed = _("{percent:.0f} %, {speed:.2f} m/s").format(
        percent=aim.strength * 100, speed=aim.speed
    )
    return (
        Gauge(_("Strength"), aim.strength, speed),
        Facts(((_("Angle"), angle_text(aim.angle)), (_("Striker"), place_text(aim.offset)))),
    )


def place_text(offset: float) -> str:
    """Where the striker lies on the base line, in words: "12 mm left"."""
    distance = round(abs(offset) * 1000)
    if not distance:
        return _("in the middle")
    if offset < 0:
        return _("{distance} mm left").format(distance=distance)
    return _("{distance} mm right").format(distance=distance)


def clock_section(left: float, limit: float) -> Gauge:
    """The time left for a stroke."""
    seconds = math.ceil(left)
    text = ngettext("{count} second", "{count} seconds", seconds).format(count=seconds)
    return Gauge(
        _("Time left"),
        min(1.0, seconds / limit),
        text,
        "warning" if left < 5 else "plain",
    )


def turn_buttons(
    *,
    armed: bool,
    fits: bool,
    practice: bool,
    undoable: bool,
    repeatable: bool,
    takes_back: bool,
) -> tuple[Button, ...]:
    """The buttons while a person prepares a shot."""
    shoot = Button(
        "shoot",
        _("Shoot") if armed else _("Aim"),
        primary=True,
        enabled=fits,
        key="Enter",
        tip=_("Lets the prepared shot go.")
        if armed and fits
        else _("Shows the aim: arrows for strength, Q and E for the angle.")
        if fits
        else _("The striker may not lie there."),
    )
    again = Button(
        "again",
        _("Show again"),
        enabled=repeatable,
        key="R",
        tip=_("Shows the last shot once more."),
    )
    undo = Button("shell.undo", _("Take back"), enabled=undoable, key="Ctrl+Z")
    if practice:
        return (
            shoot,
            Button(
                "same",
                _("Same again"),
                enabled=repeatable,
                key="B",
                tip=_("Sets the men up as before the last shot, and prepares the same shot."),
            ),
            again,
            undo,
            Button("side", _("Other side"), key="S", tip=_("Shoot from the next side.")),
            Button("reset", _("Fresh rack"), key="N", tip=_("All men back to the middle.")),
        )
    buttons = [shoot, Button("shell.hint", _("Hint"), key="H"), again]
    if takes_back:
        buttons.append(undo)
    buttons.append(Button("reset", _("Reset board"), tip=_("Sets up the men again.")))
    return tuple(buttons)


# the whole panel ---------------------------------------------------------------------------


def showing_panel(situation: Situation[CarromState, Any]) -> Panel:
    """The panel while something is shown: score and turn as they were before it.

    The score is told when the men lie still, not while they still roll.
    """
    state = situation.before if situation.before is not None else situation.state
    status = " "
    if isinstance(situation.action, Stroke):
        status = _("{name} shoots.").format(name=situation.names[state.turn])
    elif isinstance(situation.action, Toss):
        status = _("The toss decides who has white and breaks.")
    sheet = score_sheet(state, situation.names)
    return Panel(
        seats=seat_rows(state),
        status=status,
        buttons=(Button("shell.skip", _("Skip"), key="Enter"),),
        sections=() if sheet is None else (sheet,),
    )


def resting_panel(
    situation: Situation[CarromState, Any],
    words: Sequence[str],
    aim: Aim | None,
    hand: Hand,
    clock: tuple[float, float] | None,
    *,
    yours: bool,
) -> Panel:
    """The panel while nothing moves.

    Args:
        situation: Where the game stands.
        words: What happened last.
        aim: The shot being prepared.
        hand: The man in hand.
        clock: Seconds left for the stroke, and in all.
        yours: A person acts now.
    """
    state = situation.state
    shots = any(isinstance(action, Stroke) for action in situation.history.actions)
    said = list(words)
    if aim is not None and not shots:
        said.append(_("Slide the striker sideways, pull it back and let go; or flick it."))
    sections: list[Section] = []
    if clock is not None:
        sections.append(clock_section(*clock))
    if aim is not None:
        sections += aim_sections(aim)
    sheet = score_sheet(state, situation.names)
    if sheet is not None:
        sections.append(sheet)
    again = Button("again", _("Show again"), enabled=shots, key="R")
    if aim is not None:
        buttons = turn_buttons(
            armed=aim.armed,
            fits=aim.fits,
            practice=state.options.practice,
            undoable=situation.undoable,
            repeatable=shots,
            takes_back=any(seat.kind == "bot" for seat in situation.seats),
        )
    elif hand.disc is not None:
        fits = hand.fits(state)
        buttons = (
            Button("put", _("Place here"), primary=True, enabled=fits, key="Enter"),
            again,
        )
    else:
        buttons = (again,)
    return Panel(
        seats=seat_rows(state),
        message=" ".join(said),
        status=status_of(situation, state, yours),
        buttons=buttons,
        sections=tuple(sections),
    )
