"""The score sheet, line by line, made from what happened; and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from carromsim.core.game import Event
from games.triominos.notation import score_text, tile_text

__all__ = ["Line", "sheet_csv", "sheet_lines"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the score sheet.

    Args:
        round: Number of the round.
        number: Number of the line in its round, from 1.
        seat: Whose line it is.
        kind: `placed`, `drawn`, `ended` (a turn without a placement), `out` or `stuck`.
        tile: The tile laid, as text, or "".
        figure: The figure completed, or "none".
        working: The sum as the rulebook writes it (`3+4+4+40=51`), or "".
        points: What the line adds.
        total: The seat's total after it.
    """

    round: int
    number: int
    seat: int
    kind: str
    tile: str
    figure: str
    working: str
    points: int
    total: int


def sheet_lines(
    events: Iterable[Sequence[Event]], seats: int, scores: Sequence[int] = ()
) -> tuple[Line, ...]:
    """The sheet of a game.

    Args:
        events: The events of each action, from the first on (`Session.events`).
        seats: How many play.
        scores: Totals to begin with, where a game goes on from a loaded state.
    """
    totals = list(scores) or [0] * seats
    lines: list[Line] = []
    number = 0
    current = 1

    def write(event: Event, seat: int, points: int, kind: str, working: str = "") -> None:
        nonlocal number
        number += 1
        totals[seat] += points
        tile = tile_text(event.data["tile"]) if kind == "placed" else ""
        figure = str(event.data.get("figure", "none")) if kind == "placed" else "none"
        lines.append(Line(current, number, seat, kind, tile, figure, working, points, totals[seat]))

    for group in events:
        for event in group:
            data = event.data
            if event.kind == "dealt":
                current, number = int(data["round"]), 0
            elif event.kind == "placed" and event.seat is not None:
                working = score_text(data["numbers"], data["bonus"], data["start"])
                write(event, event.seat, int(data["total"]), "placed", working)
            elif event.kind in ("drawn", "ended") and event.seat is not None:
                write(event, event.seat, int(data["points"]), event.kind)
            elif event.kind == "went_out" and event.seat is not None:
                working = f"{data['bonus']}+{data['tiles']}={data['points']}"
                write(event, event.seat, int(data["points"]), "out", working)
            elif event.kind == "stuck":
                for seat, points in enumerate(data["points"]):
                    write(event, seat, int(points), "stuck")
    return tuple(lines)


def sheet_csv(lines: Iterable[Line], names: Sequence[str]) -> str:
    """The sheet as CSV with a heading, one row a line, players by name."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ["round", "line", "player", "kind", "tile", "figure", "working", "points", "total"]
    )
    for line in lines:
        name = names[line.seat]
        # a spreadsheet must not take a player's name for a formula
        safe = f"'{name}" if name[:1] in ("=", "+", "-", "@", "\t", "\r") else name
        writer.writerow(
            [
                line.round,
                line.number,
                safe,
                line.kind,
                line.tile,
                line.figure,
                line.working,
                line.points,
                line.total,
            ]
        )
    return out.getvalue()
