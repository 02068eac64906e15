"""`carromsim convert`: records to and from the formats of other programs."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from carromsim.cli.common import read_text, show_path

__all__ = ["convert"]


@click.command(short_help="Convert games to and from other formats.")
@click.argument("source", metavar="IN", type=click.Path(path_type=Path, allow_dash=True))
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--from", "source_format", metavar="FORMAT", help="Format of IN, for its suffix.")
@click.option("--to", "target_format", metavar="FORMAT", help="Format of OUT, for its suffix.")
@click.option("--game", metavar="NAME", help="The game, where several have such files.")
@click.option(
    "--numbering",
    metavar="SQUARE",
    help="Draughts: the square that is number 1 in IN (a1, g1, b8 or h8), where it does not say.",
)
@click.option("--rules", metavar="NAME", help="Rule set of the games in IN, where it does not say.")
def convert(
    source: Path,
    target: Path,
    source_format: str | None,
    target_format: str | None,
    game: str | None,
    numbering: str | None,
    rules: str | None,
) -> None:
    """Convert the games in IN to the format of OUT (see carromsim games GAME for formats).

    The suffixes tell the formats, or --from and --to; - is standard input or output. A file with
    several games gives one record each (OUT-1.json, OUT-2.json ...), or one file of records
    (.jsonl).
    """
    from carromsim.core.convert import find_kind, read_records, write_records
    from carromsim.core.errors import CarromsimError, InvalidRecord
    from carromsim.core.record import write_whole
    from carromsim.core.registry import game_names, load_game

    games = [load_game(name) for name in ((game,) if game else game_names())]
    kind_in = find_kind(games, name=source_format, suffix=source.suffix, field="from")
    narrowed = games if kind_in.game is None else [kind_in.game]
    text = sys.stdin.read() if str(source) == "-" else read_text(source)
    try:
        records = read_records(text, kind_in, {"numbering": numbering, "rules": rules})
    except CarromsimError as error:
        raise InvalidRecord(f"{source}: {error}") from None
    if kind_in.game is None:
        narrowed = [load_game(records[0].game)]
    kind_out = find_kind(narrowed, name=target_format, suffix=target.suffix, field="to")
    if str(target) == "-":
        for record in records if kind_out.name == "record" else ():
            click.echo(write_records([record], kind_out), nl=False)
        if kind_out.name != "record":
            click.echo(write_records(records, kind_out), nl=False)
        return
    if kind_out.name != "record" or len(records) == 1:
        write_whole(target, write_records(records, kind_out))
        click.echo(f"{_games(len(records))}: {show_path(target)}", err=True)
        return
    digits = len(str(len(records)))
    names = [
        target.with_name(f"{target.stem}-{number:0{digits}d}{target.suffix}")
        for number in range(1, len(records) + 1)
    ]
    for name, record in zip(names, records, strict=True):
        write_whole(name, write_records([record], kind_out))
    first, last = show_path(names[0]), show_path(names[-1])
    click.echo(f"{_games(len(records))}: {first} to {last}", err=True)


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count:,} games"
