"""`carromsim replay`: a record in the window, or checked without one."""

from __future__ import annotations

from pathlib import Path

import click

from carromsim.cli.common import need_display

__all__ = ["replay"]


@click.command(short_help="Replay a record in a window, or check it.")
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="No window: compute everything anew and compare.")
def replay(record: Path, check: bool) -> int:
    """Replay RECORD in a window.

    What the record stores rules; --check says where this machine computes another result, and
    ends with status 1 if it does.
    """
    from carromsim.core.record import load_record
    from carromsim.core.registry import load_game
    from carromsim.core.session import Session

    loaded = load_record(record)
    game = load_game(loaded.game)
    if not check:
        Session.resume(game, loaded)
        need_display()
        from carromsim.app.main import replay_game

        return replay_game(loaded)
    session = Session.resume(game, loaded, verify=True)
    outcome = session.outcome()
    ending = "not finished" if outcome is None else outcome.reason.replace("_", " ")
    click.echo(f"{game.name}: {len(session)} actions, {ending}")
    for drift in session.drifts:
        click.echo(f"carromsim: {drift}", err=True)
    if session.drifts:
        click.echo("carromsim: this machine computes another game", err=True)
        return 1
    click.echo("this machine computes the same game")
    return 0
