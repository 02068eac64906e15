"""`carromsim match`: bots against bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carromsim.cli.common import (
    error_console,
    options_from_pairs,
    output_console,
    parse_seats,
    rules_and_options,
    seed_number,
)

if TYPE_CHECKING:
    from carromsim.core.fields import Json
    from carromsim.core.game import Game
    from carromsim.core.match import MatchGame, Standing

__all__ = ["match"]


@click.command(short_help="Let bots play against each other.")
@click.argument("game")
@click.option("--seats", required=True, metavar="bot:3,bot:1", help="The players, by level.")
@click.option("--games", type=click.IntRange(1, 10**6), default=20, show_default=True)
@click.option("--seed", type=seed_number, metavar="N", default=1, show_default=True)
@click.option("--workers", type=click.IntRange(1, 512), default=1, help="Processes.")
@click.option("--fixed", is_flag=True, help="The players keep their seats.")
@click.option("--records", type=click.Path(path_type=Path), help="A folder for the games' records.")
@click.option("--json", "as_json", is_flag=True, help="Print the standing as JSON.")
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
@rules_and_options
def match(
    game: str,
    seats: str,
    games: int,
    seed: int,
    workers: int,
    fixed: bool,
    records: Path | None,
    as_json: bool,
    quiet: bool,
    rules: str | None,
    pairs: tuple[str, ...],
) -> int:
    """Let bots play GAME against each other and count points with standard errors.

    The players change seats from game to game and share the dice of each round, so that neither
    seat nor luck decides. The same seed gives the same games for any number of workers.
    """
    from carromsim.core.errors import InvalidValue
    from carromsim.core.match import Standing
    from carromsim.core.record import save_record
    from carromsim.core.registry import load_game

    rules_of = load_game(game)
    chairs = parse_seats(rules_of, seats)
    if any(chair.kind != "bot" for chair in chairs):
        raise InvalidValue("must all be bots; people play with: carromsim play", field="seats")
    levels = [rules_of.bot_levels[0] if c.level is None else c.level for c in chairs]
    options = options_from_pairs(rules_of, rules, pairs, len(levels))
    if records is not None:
        _check_folder(records)
    standing = Standing(levels)
    digits = len(str(games))
    interrupted = False
    try:
        for played in _show(
            _play(rules_of, levels, games, workers, options, seed, fixed), games, quiet
        ):
            standing.add(played)
            if records is not None:
                name = f"{game}-{played.index + 1:0{digits}d}.json"
                save_record(played.record, records / name)
    except KeyboardInterrupt:
        interrupted = True
    if as_json:
        import json

        click.echo(json.dumps({"game": game, "seed": seed} | standing.to_json(), indent=2))
    elif standing.games:
        _print(rules_of, standing)
    if interrupted:
        click.echo(f"carromsim: stopped after {standing.games} of {games} games", err=True)
        return 130
    if standing.unfinished:
        click.echo(f"carromsim: {standing.unfinished} games came to no end", err=True)
        return 1
    return 0


def _check_folder(folder: Path) -> None:
    """Makes the folder of the records before hours of games are played for nothing.

    Raises:
        UnreadableFile: The system refuses.
    """
    from carromsim.core.errors import UnreadableFile
    from carromsim.core.record import make_folder

    try:
        make_folder(folder)
    except OSError as error:
        raise UnreadableFile(
            f"cannot write to {folder}: {error.strerror or error}", field="records"
        ) from None


def _play(
    game: Game[Any, Any],
    levels: Sequence[int],
    games: int,
    workers: int,
    options: Mapping[str, Json],
    seed: int,
    fixed: bool,
) -> Iterator[MatchGame]:
    from carromsim.core.match import play_match

    if workers == 1:
        yield from play_match(game, levels, games, options=options, seed=seed, rotate=not fixed)
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(
        workers, mp_context=multiprocessing.get_context("spawn"), initializer=_leave_ctrl_c
    )
    try:
        futures = [
            pool.submit(_play_one, game.name, levels, index, options, seed, not fixed)
            for index in range(games)
        ]
        for future in futures:
            yield future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _leave_ctrl_c() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play_one(
    name: str,
    levels: Sequence[int],
    index: int,
    options: Mapping[str, Json],
    seed: int,
    rotate: bool,
) -> MatchGame:
    from carromsim.core.match import play_game
    from carromsim.core.registry import load_game

    return play_game(load_game(name), levels, index, options=options, seed=seed, rotate=rotate)


def _show(played: Iterator[MatchGame], games: int, quiet: bool) -> Iterator[MatchGame]:
    """Passes the games on under a progress bar."""
    if quiet:
        yield from played
        return
    from rich.progress import track

    yield from track(played, "playing", total=games, console=error_console())


def _print(game: Game[Any, Any], standing: Standing) -> None:
    from rich.table import Table

    grid = Table(
        title=f"{game.name}: {standing.games:,} {'game' if standing.games == 1 else 'games'}",
        title_justify="left",
        box=None,
        padding=(0, 2),
    )
    for title in ("player", "won", "drawn", "lost", "points a game", "± standard error"):
        grid.add_column(title, justify="left" if title == "player" else "right")
    for line in standing.lines():
        lost = line.games - line.won - line.drawn
        grid.add_row(
            f"{line.player + 1}: bot:{line.level}",
            str(line.won),
            str(line.drawn),
            str(lost),
            f"{line.mean:+.3f}",
            f"{line.error:.3f}",
        )
    output_console().print(grid)
