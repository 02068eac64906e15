"""`carromsim render`: a picture without a screen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carromsim.cli.common import picture_size, read_text, show_path

if TYPE_CHECKING:
    from carromsim.core.fields import Json
    from carromsim.core.game import Game

__all__ = ["render"]


@click.command(short_help="Draw a state, record or layout as a PNG file.")
@click.argument("source", metavar="STATE|RECORD", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The picture, x.png.")
@click.option("--size", type=picture_size, default="1280x720", metavar="WxH", show_default=True)
@click.option("--at", type=click.IntRange(0), help="After so many actions of a record (all).")
@click.option("--game", metavar="NAME", help="The game of a bare state.")
@click.option("--table", default="carrom", metavar="NAME", help="The board of a bare layout.")
def render(
    source: Path,
    out: Path,
    size: tuple[int, int],
    at: int | None,
    game: str | None,
    table: str,
) -> None:
    """Draw a STATE, a RECORD or a layout of discs as a PNG file, without a screen.

    A file holds a record, a state as the referee protocol gives it (with --game, or bare inside
    {"game": ..., "state": ...}), or a list of discs.
    """
    from carromsim.core.errors import InvalidValue
    from carromsim.core.fields import parse_json

    if out.suffix.lower() != ".png":
        raise InvalidValue(f"must end in .png, not {out.name!r}", field="out")
    data = parse_json(read_text(source), str(source))
    _quiet_pygame()
    if isinstance(data, list):
        _draw_layout(data, table, out, size)
    elif isinstance(data, dict) and data.get("format") == "carromsim-record":
        _draw_record(data, at, out, size)
    elif isinstance(data, dict):
        if game is None and _holds_layout(data):
            _draw_layout(data["layout"], table, out, size)
        else:
            _draw_state(data, game, out, size)
    else:
        raise InvalidValue("holds neither a record, a state nor a layout", field=str(source))
    click.echo(show_path(out), err=True)


def _quiet_pygame() -> None:
    """No greeting on standard output, no window even where there is a display.

    Raises:
        MissingDependency: pygame-ce cannot be used.
    """
    import os

    os.environ["SDL_VIDEODRIVER"] = "dummy"
    os.environ["SDL_AUDIODRIVER"] = "dummy"
    from carromsim.app.probe import pygame_problem
    from carromsim.core.errors import MissingDependency

    problem = pygame_problem()
    if problem is not None:
        raise MissingDependency(problem)


def _holds_layout(data: dict[str, Json]) -> bool:
    """A line of `simulate --out x.jsonl`, a result of the physics, or {"layout": [...]}."""
    return "layout" in data and (len(data) == 1 or "shot" in data or "events" in data)


def _draw_layout(data: Json, table: str, out: Path, size: tuple[int, int]) -> None:
    from carromsim.app.board import save_png
    from carromsim.physics import Layout, Table

    board = Table.load(table)
    layout = Layout.from_json(data, "layout")
    layout.check(board, "layout")
    save_png(board, layout, out, size=size)


def _draw_record(data: Json, at: int | None, out: Path, size: tuple[int, int]) -> None:
    from carromsim.core.errors import InvalidValue
    from carromsim.core.record import Record
    from carromsim.core.registry import load_game
    from carromsim.core.session import Session

    record = Record.from_json(data)
    if at is not None:
        if at > len(record.entries):
            raise InvalidValue(f"must be at most {len(record.entries)}, not {at}", field="at")
        record = record.with_entries(record.entries[:at])
    session = Session.resume(load_game(record.game), record)
    from carromsim.app.picture import save_picture

    save_picture(session, out, size=size)


def _draw_state(data: Json, name: str | None, out: Path, size: tuple[int, int]) -> None:
    from carromsim.core.errors import MissingField
    from carromsim.core.registry import load_game
    from carromsim.core.session import Session

    named = data.get("game")
    if name is None and not isinstance(named, str):
        raise MissingField("say whose state it is: --game NAME", field="game")
    game: Game[Any, Any] = load_game(name if name is not None else str(named))
    state = data.get("state", data)
    options = game.options_in(game.from_json(state))
    session = Session.start(game, options, seed=0, state=state)
    from carromsim.app.picture import save_picture

    save_picture(session, out, size=size)
