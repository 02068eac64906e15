"""What triominos says to players: events, refusals, lines of the score sheet, tips."""

from __future__ import annotations

from collections.abc import Sequence

from carromsim.core.game import Event
from carromsim.i18n import N_, _, ngettext
from games.triominos.notation import score_text, tile_text
from games.triominos.rules import misfit, mismatches
from games.triominos.sheet import Line
from games.triominos.state import Board, Place
from games.triominos.tips import Tip

__all__ = [
    "event_text",
    "events_text",
    "figure_name",
    "line_text",
    "points_text",
    "refusal_text",
    "tiles_text",
    "tip_text",
]

_FIGURES = {
    "bridge": N_("Bridge"),
    "hexagon": N_("Hexagon"),
    "double_hexagon": N_("Double hexagon"),
    "triple_hexagon": N_("Triple hexagon"),
    "two_sides": N_("Two sides"),
}


def figure_name(figure: str) -> str:
    """A figure's name, "" for none."""
    return _(_FIGURES.get(figure, ""))


def refusal_text(board: Board, place: Place) -> str:
    """Why a placement is refused, "" if it is allowed: "Corner 3 ≠ 4"."""
    reason = misfit(board, place)
    if reason is None:
        return ""
    if reason == "corner mismatch":
        pairs = ", ".join(
            f"{number} ≠ {need}" for _corner, number, need in mismatches(board, place)
        )
        return _("{tile} does not fit here: corner {pairs}.").format(
            tile=tile_text(place.tile), pairs=pairs
        )
    if reason == "no common side":
        return _("A tile has to share a side with another; a corner alone is not enough.")
    if reason == "cell occupied":
        return _("A tile lies here already.")
    return _("This tile is on the board already.")


def event_text(event: Event, names: Sequence[str]) -> str:
    """One event in words, "" if there is nothing to say."""
    data = event.data
    name = names[event.seat] if event.seat is not None and event.seat < len(names) else ""
    match event.kind:
        case "dealt":
            return _("Round {round}: {tiles} tiles each.").format(
                round=data["round"], tiles=data["tiles"]
            )
        case "extra":
            drawn = ", ".join(f"{names[seat]} {tile_text(tile)}" for seat, tile in data["tiles"])
            return _("Drawn for the start: {drawn}.").format(drawn=drawn)
        case "tied":
            who = _(" and ").join(names[seat] for seat in data["seats"])
            return _("{names} are level and draw again.").format(names=who)
        case "starts":
            return _starts(name, data["why"], tile_text(data["tile"]))
        case "placed":
            working = score_text(data["numbers"], data["bonus"], data["start"])
            figure = figure_name(str(data["figure"]))
            if figure:
                return _("{figure}! {name}: {working}.").format(
                    figure=figure, name=name, working=working
                )
            return f"{name}: {working}."
        case "drawn":
            return _("{name} draws a tile: {points}.").format(
                name=name, points=_signed(data["points"])
            )
        case "ended":
            if data["points"]:
                return _("{name} places nothing after three draws: {points}.").format(
                    name=name, points=_signed(data["points"])
                )
            return _("{name} cannot place and passes.").format(name=name)
        case "went_out":
            return _("Out: {bonus} and the others' {tiles} make {points}.").format(
                bonus=data["bonus"], tiles=data["tiles"], points=data["points"]
            )
        case "stuck":
            return _("Nobody can place any more and the pool is empty.")
    return ""


def _starts(name: str, why: str, tile: str) -> str:
    if why == "triple":
        return _("{name} holds the highest triple and opens with {tile}.").format(
            name=name, tile=tile
        )
    if why == "sum":
        return _("No triples: {name} opens with {tile}, the highest sum.").format(
            name=name, tile=tile
        )
    return _("{name} drew {tile} and begins.").format(name=name, tile=tile)


def events_text(events: Sequence[Event], names: Sequence[str]) -> str:
    """What an action brought, in one line."""
    return " ".join(text for event in events if (text := event_text(event, names)))


def _signed(points: int) -> str:
    return f"−{-points}" if points < 0 else f"+{points}"


def line_text(line: Line, names: Sequence[str]) -> str:
    """A line of the score sheet: "South 3+4+4+40=51 · 96"."""
    what = {
        "placed": line.working,
        "drawn": _("draws {points}").format(points=_signed(line.points)),
        "ended": _("no tile {points}").format(points=_signed(line.points))
        if line.points
        else _("passes"),
        "out": _("out {working}").format(working=line.working),
        "stuck": _("left over {points}").format(points=_signed(line.points)),
    }[line.kind]
    return f"{names[line.seat]}  {what}  ·  {points_text(line.total)}"


def points_text(points: int) -> str:
    """A total with a proper minus sign."""
    return f"−{-points}" if points < 0 else str(points)


def tiles_text(count: int) -> str:
    """So many tiles."""
    return ngettext("{n} tile", "{n} tiles", count).format(n=count)


def tip_text(tip: Tip) -> str:
    """Why a move is proposed, in words."""
    tile = tile_text(tip.tile) if tip.tile else ""
    match tip.code:
        case "figure":
            return _("{figure}: {points} points more.").format(
                figure=figure_name(tip.figure), points=tip.points
            )
        case "room":
            return ngettext(
                "Lay it where there is room: {n} of your other tiles fits beside it.",
                "Lay it where there is room: {n} of your other tiles fit beside it.",
                tip.points,
            ).format(n=tip.points)
        case "keep":
            return _(
                "Keep {tile}: it alone can close a hexagon, once somebody fills the gap before it."
            ).format(tile=tile)
        case "gone":
            return _("Look out: the tile for the gap marked × lies elsewhere already.")
        case "go_out":
            return _("Your last tile: {points} points and all that the others hold.").format(
                points=tip.points
            )
        case "draw":
            return _("Nothing of yours fits well: draw a tile.")
        case "end":
            return _("Nothing to gain now: end the turn.")
    return ngettext("{n} point.", "{n} points.", tip.points).format(n=tip.points)
