"""`carromsim protocol`: the referee over standard input and output."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

import click

if TYPE_CHECKING:
    from carromsim.core.fields import Json

__all__ = ["lines", "protocol"]


@click.command(short_help="Referee a game over JSON lines, for bots.")
@click.argument("game", required=False)
@click.option("--rules", metavar="NAME", help="Rule set of games that do not name one.")
@click.option("--schema", is_flag=True, help="Print a JSON Schema of all requests and end.")
def protocol(game: str | None, rules: str | None, schema: bool) -> None:
    """Referee GAME over JSON lines, for bots and servers in any language.

    One request a line on standard input, one answer a line on standard output. With --schema
    and without GAME the schema covers every game.
    """
    from carromsim.core.registry import game_names, load_game

    if schema:
        import json

        from carromsim.core.schema import requests_schema

        names = game_names() if game is None else (game,)
        click.echo(json.dumps(requests_schema([load_game(name) for name in names]), indent=2))
        return
    if game is None:
        raise click.UsageError("name a game, or ask for --schema")
    from carromsim.core.referee import LINE_LIMIT, Referee, encode

    referee = Referee(load_game(game), rules=rules, games=game_names())
    answers = sys.stdout.buffer
    for line in lines(sys.stdin.buffer, LINE_LIMIT):
        try:
            answer = referee.answer(line)
        except Exception as error:  # a bug: said in the answer, written to the log, and on we go
            answer = _internal_error(line, error)
        answers.write(encode(answer).encode("ascii") + b"\n")
        answers.flush()


def _internal_error(line: bytes, error: Exception) -> dict[str, Json]:
    from carromsim.cli.bugs import report_bug
    from carromsim.core.fields import parse_json

    answer: dict[str, Json] = {
        "ok": False,
        "error": {"code": "internal_error", "message": report_bug(error), "field": None},
    }
    request = parse_json(line.decode())
    return answer | ({"id": request["id"]} if "id" in request else {})


def lines(stream: BinaryIO, limit: int) -> Iterator[bytes]:
    """The lines of a stream without their ends.

    Of one that is longer than `limit` only the first `limit + 1` bytes are kept, which are
    enough to see that it is too long, however long it is.
    """
    while line := stream.readline(limit + 2):
        if line.endswith(b"\n"):
            yield line.removesuffix(b"\n").removesuffix(b"\r")
            continue
        yield line[: limit + 1]
        if len(line) == limit + 2:
            while (rest := stream.readline(1 << 16)) and not rest.endswith(b"\n"):
                pass
