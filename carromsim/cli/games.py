"""`carromsim games`: what is installed, and a game's rule sets, options and bots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from carromsim.cli.common import output_console

if TYPE_CHECKING:
    from carromsim.core.game import Game, Option

__all__ = ["games"]


@click.command(short_help="List the games, or the options of one.")
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def games(game: str | None, as_json: bool) -> None:
    """List the installed games, or the options of GAME."""
    import json

    from carromsim.core.registry import game_names, load_game

    names = game_names() if game is None else (game,)
    if as_json:
        found = [_describe(load_game(name)) for name in names]
        click.echo(json.dumps(found if game is None else found[0], indent=2))
    elif game is None:
        _list(names)
    else:
        _show(load_game(game))


def _describe(game: Game[Any, Any]) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "seats": list(game.seat_counts),
        "rules": {name: dict(preset) for name, preset in game.rule_sets.items()},
        "bots": list(game.bot_levels),
        "options": [
            {"name": option.name, "default": option.default, "range": _range(option)}
            | ({"summary": option.summary} if option.summary else {})
            for option in game.options
        ],
        "formats": [
            {
                "name": form.name,
                "suffixes": list(form.suffixes),
                "reads": form.read is not None,
                "writes": form.write is not None,
            }
            for form in game.formats
        ],
        "requests": [request.name for request in game.requests],
    }


def _list(names: tuple[str, ...]) -> None:
    from rich.table import Table

    from carromsim.core.errors import CarromsimError
    from carromsim.core.registry import load_game

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for title in ("Game", "Seats", "Rules", "Bots"):
        table.add_column(title)
    for name in names:
        try:
            game = load_game(name)
        except CarromsimError as error:
            table.add_row(name, "", str(error), "")
            continue
        table.add_row(
            name,
            ", ".join(map(str, game.seat_counts)),
            ", ".join(game.rule_sets),
            ", ".join(map(str, game.bot_levels)) or "none",
        )
    output_console().print(table)


def _show(game: Game[Any, Any]) -> None:
    from rich.markup import escape
    from rich.table import Table

    console = output_console()
    bots = ", ".join(map(str, game.bot_levels)) or "none"
    console.print(f"[bold]{escape(game.title)}[/bold]")
    console.print("Seats: {seats}".format(seats=", ".join(map(str, game.seat_counts))))
    console.print("Rules: {rules}".format(rules=", ".join(game.rule_sets)))
    console.print(f"Bots: {bots}")
    if game.formats:
        names = ", ".join(f"{form.name} ({', '.join(form.suffixes)})" for form in game.formats)
        console.print(f"Formats: {names}", soft_wrap=True)
    if not game.options:
        return
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for title in ("Option", "Default", "Values", ""):
        table.add_column(title)
    for option in game.options:
        default = option.default
        text = str(default).lower() if default is None or isinstance(default, bool) else default
        summary = option.summary
        table.add_row(option.name, escape(str(text)), escape(_range(option)), escape(summary))
    console.print()
    console.print(table)


def _range(option: Option) -> str:
    """The values that an option takes, in short."""
    if option.choices:
        text = ", ".join(str(choice) for choice in option.choices)
    elif isinstance(option.default, bool):
        text = "true, false"
    elif option.low is not None and option.high is not None:
        text = f"{option.low:g} to {option.high:g}"
    elif option.low is not None:
        text = f"from {option.low:g}"
    elif option.high is not None:
        text = f"to {option.high:g}"
    else:
        kind = option.number or type(option.default)
        text = {int: "whole number", float: "number", str: "text"}.get(kind, "JSON")
    return f"{text}, none" if option.optional else text
