"""Plain `carromsim`: the start screen, or a demonstration where there is no display."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from carromsim.cli.common import output_console, show_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from carromsim.batch import Plan

__all__ = ["demonstrate", "start"]

SHOTS = 1000
PICTURE = "carromsim-demo.png"


def start() -> int:
    """Opens the start screen; with no display it says so and simulates instead."""
    from carromsim.app.probe import display_problem

    problem = display_problem()
    if problem is None:
        from carromsim.app.main import open_start_screen

        return open_start_screen()
    click.echo(f"No window: {problem}. Here is what the simulator does without one.")
    demonstrate(SHOTS)
    return 0


def demonstrate(shots: int) -> None:
    """Simulates break shots, prints the summary and draws one of the boards."""
    from carromsim.batch import BreakShots, NullSink, Plan, make_executor
    from carromsim.cli.simulate import run_with_progress, summary_grid

    plan = Plan(BreakShots(), shots, seed=1)
    report, rate = run_with_progress(plan, make_executor(), NullSink())
    if report.trouble is not None:
        raise report.trouble
    if report.interrupted:
        raise KeyboardInterrupt
    output_console().print(summary_grid(report.summary, rate))
    _draw(plan, (Path.cwd(), Path(tempfile.gettempdir())))
    click.echo(
        "Next: carromsim simulate --help, or carromsim play carrom where there is a display."
    )


def _draw(plan: Plan, folders: Iterable[Path]) -> None:
    """Draws the board after the first shot, in the first folder that takes it."""
    from carromsim.app.probe import pygame_problem

    problem = pygame_problem()
    if problem is not None:
        click.echo(f"No picture: {problem}")
        return
    from carromsim.app.board import save_png
    from carromsim.batch import simulate_task
    from carromsim.core.errors import UnreadableFile

    layout = simulate_task(plan, plan.task(0)).layout
    reason = ""
    for folder in folders:
        path = folder / PICTURE
        try:
            save_png(plan.table, layout, path, size=(1280, 960))
        except UnreadableFile as error:
            reason = str(error)
            continue
        click.echo(f"The board after the first break: {show_path(path)}")
        return
    click.echo(f"No picture: {reason}")
