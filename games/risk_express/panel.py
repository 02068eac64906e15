"""The side panel of Risk Express: seats, what happened, what is to do, the odds and the story."""

from __future__ import annotations

from dataclasses import dataclass

from carromsim.app.panel import Badge, Button, Facts, Gauge, Lines, Mark, Panel, SeatRow, Section
from carromsim.app.panel import Sheet as Table
from carromsim.app.view import Situation
from carromsim.core.game import CHANCE
from carromsim.i18n import _, ngettext
from games.risk_express.drawing import SEAT_SHAPES
from games.risk_express.rules import Action, count_points, lose_allowed
from games.risk_express.state import State
from games.risk_express.words import card_name, continent_name, event_text, faces_text, line_text

__all__ = ["Shown", "choice_text", "panel_of"]


@dataclass(frozen=True, slots=True)
class Shown:
    """What the panel depends on.

    Args:
        situation: As the view was shown it.
        choice: The selected action, or None.
        chance: The chance to conquer after it, once it is known.
        throws: A person is to throw.
        acts: A person is to choose.
        manual: Real dice are typed in.
    """

    situation: Situation[State, Action]
    choice: Action | None
    chance: float | None
    throws: bool
    acts: bool
    manual: bool


def panel_of(shown: Shown) -> Panel:
    """The panel: seats, what happened, what is to do, the odds and the log."""
    situation, state = shown.situation, shown.situation.state
    rows = []
    for seat, count in enumerate(count_points(state)):
        details = ngettext("{count} card", "{count} cards", count.cards).format(count=count.cards)
        badges = tuple(
            Badge(continent_name(state.deck, one), "good", _("Held whole: safe from invasion"))
            for one in count.continents
        )
        rows.append(
            SeatRow(
                seat,
                str(count.points),
                (details,),
                badges,
                Mark(SEAT_SHAPES[seat], f"seat.{seat}"),  # type: ignore[arg-type]
            )
        )
    said = [event_text(event, state.deck, situation.names) for event in situation.events]
    message = " ".join(text for text in said if text)
    return Panel(
        seats=tuple(rows),
        message=message,
        status=_status(shown),
        buttons=_buttons(shown),
        sections=_sections(shown),
    )


def _status(shown: Shown) -> str:
    situation, state = shown.situation, shown.situation.state
    if situation.acting is None:
        return ""
    name = situation.names[state.current]
    if situation.mover == CHANCE:
        if state.phase == "start":
            return _("{name}, throw for the start.").format(name=name)
        count = ngettext("{count} die", "{count} dice", state.dice).format(count=state.dice)
        return _("{name}, throw {count}.").format(name=name, count=count)
    return {
        "choose": _("Fill a line, or give up a die."),
        "doubt": _("Too few dice are left for what is missing."),
        "offer": _("Carry on with the attack, or begin anew?"),
    }.get(state.phase, "")


def choice_text(state: State, choice: Action | None) -> str:
    """The selected choice in words, or ""."""
    if choice is None:
        return ""
    if choice.kind == "lose":
        return _("Give up: {face}").format(face=faces_text(choice.faces))
    assert choice.card is not None
    assert choice.line is not None
    return _("{card}: {line}").format(
        card=card_name(state.deck, choice.card),
        line=line_text(state.lines_of(choice.card)[choice.line]),
    )


def _buttons(shown: Shown) -> tuple[Button, ...]:
    situation, state = shown.situation, shown.situation.state
    if situation.outcome is not None:
        return ()
    if shown.throws:
        label = _("Type in the dice") if shown.manual else _("Throw")
        return (Button("act", label, primary=True, key="Space"),)
    if not shown.acts:
        return ()
    undo = Button("shell.undo", _("Undo"), enabled=situation.undoable)
    hint = Button("shell.hint", _("Hint"))
    if state.phase == "doubt":
        return (
            Button("give_up", _("Stop here"), primary=True),
            Button("roll_on", _("Throw on")),
            undo,
        )
    if state.phase == "offer":
        return (
            Button("go_on", _("Carry on"), primary=True),
            Button("clear", _("Begin anew")),
            hint,
        )
    choice = shown.choice
    filling = choice is not None and choice.kind == "fill"
    losing = choice is not None and choice.kind == "lose"
    allowed = lose_allowed(state)
    return (
        Button(
            "fill",
            _("Fill the line"),
            primary=not losing,
            enabled=filling,
            tip="" if filling else _("Choose one of the lit lines first."),
        ),
        Button(
            "give_up_die",
            _("Give up a die"),
            primary=losing,
            enabled=allowed,
            tip="" if allowed else _("A line can be filled, and the strict rule is on."),
            key="G",
        ),
        hint,
        undo,
    )


def _sections(shown: Shown) -> tuple[Section, ...]:
    situation, state = shown.situation, shown.situation.state
    sections: list[Section] = []
    if situation.outcome is not None:
        sections.append(_final_sheet(shown))
    chance = shown.chance
    if chance is not None:
        sections.append(
            Gauge(
                _("Chance to conquer"),
                chance,
                _("{percent} %").format(percent=f"{100 * chance:.0f}"),
            )
        )
    if state.phase == "start" or (state.start_rolls and not state.turns):
        rolls = tuple(
            (situation.names[seat], str(faces.count("G"))) for seat, faces in state.start_rolls
        )
        if rolls:
            sections.append(Facts(rolls, _("Generals for the start")))
    log = [
        text
        for events in situation.history.events[: situation.place]
        for event in events
        if event.kind != "next_player" and (text := event_text(event, state.deck, situation.names))
    ]
    if log:
        sections.append(Lines(tuple(log), _("The story so far")))
    return tuple(sections)


def _final_sheet(shown: Shown) -> Table:
    situation, state = shown.situation, shown.situation.state
    rows = []
    for seat, count in enumerate(count_points(state)):
        for identity in count.singles:
            points = state.deck.card(identity).points
            rows.append((card_name(state.deck, identity), situation.names[seat], str(points)))
        for identity in count.continents:
            value = next(one.points for one in state.deck.continents if one.id == identity)
            text = _("All of {continent}").format(continent=continent_name(state.deck, identity))
            rows.append((text, situation.names[seat], str(value)))
    return Table((_("Card"), _("Player"), _("Points")), tuple(rows), _("The final count"))
