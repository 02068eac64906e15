"""What the side panel says in a game of triominos: scores, buttons by phase, the sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from carromsim.app.panel import (
    Badge,
    Button,
    Facts,
    Lines,
    Mark,
    Panel,
    SeatRow,
    Section,
    Shape,
)
from carromsim.app.view import Situation
from carromsim.i18n import _, ngettext
from games.triominos import rules
from games.triominos.notation import tile_text
from games.triominos.sheet import Line
from games.triominos.state import PLAY, TILES, Action, Draw, End, State, Tile
from games.triominos.words import events_text, line_text, points_text, tiles_text

__all__ = ["Facing", "compose"]

MARKS: Final[tuple[Shape, ...]] = ("disc", "square", "diamond", "triangle", "hexagon", "star")


@dataclass(frozen=True, slots=True)
class Facing:
    """What the panel is made from.

    Args:
        situation: Where the game stands.
        rack: The tiles of the seat at the bottom, in its order.
        newest: The tile it took last.
        mine: A person is to act.
        between: A word is waited for before the next round.
        pending: A placement waits to be confirmed.
        turns: It fits in more than one rotation.
        lines: The score sheet.
        unseen: The tiles not seen yet are wanted.
    """

    situation: Situation[State, Action]
    rack: tuple[Tile, ...]
    newest: Tile | None
    mine: bool
    between: bool
    pending: bool
    turns: bool
    lines: tuple[Line, ...]
    unseen: bool


def compose(facing: Facing) -> Panel:
    """The panel."""
    situation = facing.situation
    figure = any(event.data.get("bonus") for event in situation.events if event.kind == "placed")
    return Panel(
        seats=_seat_rows(situation.state),
        message=_message(facing),
        tone="good" if figure else "plain",
        status=_status(facing),
        buttons=_buttons(facing),
        sections=_sections(facing),
    )


def _seat_rows(state: State) -> tuple[SeatRow, ...]:
    rows = []
    for seat in range(state.seats):
        badges = []
        if state.phase == PLAY and seat == state.turn and state.draws:
            badges.append(Badge(_("drew {n} of 3").format(n=state.draws)))
        details: tuple[str, ...] = (tiles_text(len(state.racks[seat])),)
        if state.ending is not None:
            if state.ending.seat == seat:
                badges.append(Badge(_("out"), "good"))
            left = rules.points(rules.known(state.racks[seat]))
            details = (_("{n} left over").format(n=left),) if left else ()
        rows.append(
            SeatRow(
                seat,
                points_text(state.scores[seat]),
                details,
                tuple(badges),
                Mark(MARKS[seat], f"seat.{seat}"),
            )
        )
    return tuple(rows)


def _message(facing: Facing) -> str:
    situation = facing.situation
    drawn = [event for event in situation.events if event.kind == "drawn"]
    mine = drawn and drawn[0].seat == situation.perspective
    if mine and situation.state.phase == PLAY and facing.newest is not None:
        return _("You drew {tile}: −5.").format(tile=tile_text(facing.newest))
    return events_text(situation.events, situation.names)


def _status(facing: Facing) -> str:
    state = facing.situation.state
    if facing.between:
        return _("The round is over.")
    if not facing.mine:
        return ""
    if facing.pending:
        return _("Place it here? Click it again, or press Enter.")
    if state.first is not None:
        return _("Open the round with {tile}.").format(tile=tile_text(state.first))
    fits = rules.can_place(state.board, facing.rack)
    if state.pool and state.draws < rules.MAX_DRAWS:
        left = rules.MAX_DRAWS - state.draws
        if not fits:
            return _("Nothing fits: draw a tile.")
        return ngettext(
            "Place a tile, or draw once more.", "Place a tile, or draw up to {n}.", left
        ).format(n=left)
    if fits and state.draws == rules.MAX_DRAWS:
        return _("Place a tile, or end the turn for −10.")
    return _("Place a tile.") if fits else _("Nothing fits: end the turn.")


def _buttons(facing: Facing) -> tuple[Button, ...]:
    state = facing.situation.state
    save = Button("csv", _("Save sheet"), tip=_("The score sheet as CSV"))
    if facing.between:
        return (Button("next", _("Next round"), primary=True, key="Space"), save)
    if facing.situation.outcome is not None:
        return (save,)
    if not facing.mine:
        return ()
    if facing.pending:
        return (
            Button("act", _("Place"), primary=True, key="Space"),
            Button("put_back", _("Put back"), tip=_("Esc does it too")),
            Button("turn", _("Turn"), enabled=facing.turns, key="R"),
        )
    legal = rules.legal(state)
    can_draw, can_end = Draw() in legal, End() in legal
    third = state.draws == rules.MAX_DRAWS
    return (
        Button(
            "draw",
            _("Draw −5"),
            primary=can_draw and not rules.can_place(state.board, facing.rack),
            enabled=can_draw,
            tip=_why_no_draw(state),
            key="D",
        ),
        Button(
            "end",
            _("End turn −10") if third else _("Pass"),
            primary=can_end and not third,
            enabled=can_end,
            tip="" if can_end else _("Only when nothing fits, or after three draws"),
            key="T",
        ),
        Button("sort", _("Sort"), tip=_("The order of your rack"), key="S"),
        Button("shell.hint", _("Hint"), key="H"),
        Button("shell.undo", _("Take back"), enabled=facing.situation.undoable, key="Ctrl+Z"),
    )


def _why_no_draw(state: State) -> str:
    if not state.pool:
        return _("The pool is empty")
    if state.draws == rules.MAX_DRAWS:
        return _("Three tiles a turn at most")
    return _("Three tiles a turn at most, 5 points each")


def _sections(facing: Facing) -> tuple[Section, ...]:
    situation = facing.situation
    state = situation.state
    facts = [(_("Pool"), tiles_text(len(state.pool)))]
    if state.rules.play_to is not None:
        text = _("{n} (to {goal} points)").format(n=state.round, goal=state.rules.play_to)
        facts.append((_("Round"), text))
    sections: list[Section] = [Facts(tuple(facts))]
    if state.ending is not None:
        sections.append(Lines(_left_over(situation), title=_("Left on the racks")))
    if facing.lines:
        current = facing.lines[-1].round
        texts = [line_text(line, situation.names) for line in facing.lines if line.round == current]
        title = _("Score sheet, round {n}").format(n=current)
        sections.append(Lines(tuple(texts), title=title))
    if facing.unseen and state.ending is None:
        sections.append(_unseen(state, facing.rack))
    return tuple(sections)


def _left_over(situation: Situation[State, Action]) -> tuple[str, ...]:
    """The racks at the end of a round, a name and then four tiles a line."""
    lines = []
    for name, rack in zip(situation.names, situation.state.racks, strict=True):
        tiles = sorted(rules.known(rack))
        if tiles:
            lines.append(f"{name}: {rules.points(tiles)}")
        for at in range(0, len(tiles), 4):
            lines.append("  ".join(map(tile_text, tiles[at : at + 4])))
    return tuple(lines)


def _unseen(state: State, rack: Sequence[Tile]) -> Section:
    seen = state.board.tiles.union(rack)
    left = [tile for tile in TILES if tile not in seen]
    title = _("Not seen yet: {n}").format(n=len(left))
    return Lines(tuple(map(tile_text, left)), title=title, columns=4)
