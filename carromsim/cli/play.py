"""`carromsim play`: straight into a game."""

from __future__ import annotations

from pathlib import Path

import click

from carromsim.cli.common import (
    need_display,
    options_from_pairs,
    parse_seats,
    rules_and_options,
    seed_number,
)

__all__ = ["play"]


@click.command(short_help="Play a game in a window.")
@click.argument("game", required=False)
@click.option("--seats", metavar="human,bot:2", help="Who plays, south first, in turn order.")
@click.option("--seed", type=seed_number, metavar="N", help="Seed of tosses, dice and draws.")
@click.option("--resume", is_flag=True, help="Go on with the last game, of GAME if one is named.")
@rules_and_options
def play(
    game: str | None,
    seats: str | None,
    seed: int | None,
    resume: bool,
    rules: str | None,
    pairs: tuple[str, ...],
) -> int:
    """Play GAME in a window."""
    from carromsim.core.registry import load_game

    if game is None and not resume:
        raise click.UsageError("name a game, or ask to --resume")
    rules_of = None if game is None else load_game(game)
    if resume:
        if seats or rules or pairs or seed is not None:
            raise click.UsageError("--resume goes on as it was: no seats, rules, options or seed")
        need_display()
        from carromsim.app.main import resume_game

        return resume_game(None if game is None else _latest(game))
    assert rules_of is not None
    chairs = parse_seats(rules_of, seats)
    options = options_from_pairs(rules_of, rules, pairs, len(chairs) or None)
    need_display()
    from carromsim.app.main import play_game

    return play_game(rules_of.name, seats=chairs, options=options, seed=seed)


def _latest(game: str) -> Path:
    """The unfinished game of that name last played."""
    from carromsim.app.saves import list_saves
    from carromsim.core.errors import UnreadableFile

    for save in list_saves():
        if save.game == game and not save.over and not save.problem:
            return save.path
    raise UnreadableFile(
        f"there is no game of {game} to continue; start one: carromsim play {game}"
    )
