"""`carromsim best`: which shots are best on a layout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from carromsim.cli.common import (
    error_console,
    output_console,
    read_text,
    seed_number,
    show_path,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carromsim.physics import Layout, Table
    from carromsim.stats import BestShot

__all__ = ["best"]


@click.command(short_help="The best shots on a layout, with their chances.")
@click.argument("layout_name", metavar="LAYOUT")
@click.option("--top", type=click.IntRange(1, 1000), default=10, show_default=True)
@click.option(
    "--men", multiple=True, metavar="KIND", help="Men that count (all); several times if need be."
)
@click.option("--side", type=click.Choice(["south", "east", "north", "west"]), default="south")
@click.option(
    "--error",
    "aim",
    type=click.FloatRange(0.0, 45.0),
    default=0.5,
    show_default=True,
    metavar="DEGREES",
    help="Error of the direction (standard deviation).",
)
@click.option(
    "--speed-error",
    type=click.FloatRange(0.0, 100.0),
    default=5.0,
    show_default=True,
    metavar="PERCENT",
    help="Error of the speed.",
)
@click.option(
    "--place-error",
    type=click.FloatRange(0.0, 100.0),
    default=0.0,
    show_default=True,
    metavar="MM",
    help="Error of the striker's place.",
)
@click.option("--samples", type=click.IntRange(1, 10**6), default=200, show_default=True,
              help="Tries of each shot.")  # fmt: skip
@click.option("--seed", type=seed_number, metavar="N", default=0, show_default=True)
@click.option("--workers", type=click.IntRange(1, 512), help="Processes (one for each core).")
@click.option("--at", type=click.IntRange(0), help="Which layout of a file of several, from 0.")
@click.option("--table", "table_name", metavar="NAME|FILE", default="carrom", help="The board.")
@click.option("--json", "as_json", is_flag=True, help="Print the shots as JSON.")
@click.option("--out", type=click.Path(path_type=Path), help="Draw the best shot: x.png or x.svg.")
def best(
    layout_name: str,
    top: int,
    men: tuple[str, ...],
    side: str,
    aim: float,
    speed_error: float,
    place_error: float,
    samples: int,
    seed: int,
    workers: int | None,
    at: int | None,
    table_name: str,
    as_json: bool,
    out: Path | None,
) -> int:
    """Find the shots with the best chance to pocket a man without a foul.

    LAYOUT is a file (.json or .jsonl: a list of discs, a state, a record of carrom) or a layout
    of the table, such as rack. The chances are those of a hand that errs as given; the same seed
    gives the same answer for any number of workers.
    """
    import math
    import os

    from carromsim.batch import make_executor
    from carromsim.cli.simulate import load_table
    from carromsim.stats import Hand, analyse

    if out is not None:
        from carromsim.stats.style import check_out, need_matplotlib

        check_out(out)
        need_matplotlib()
        # pygame draws the board; it must not greet among our output
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    table = load_table(table_name)
    analysis = analyse(_layout(layout_name, table, side, at), table)
    hand = Hand(math.radians(aim), speed_error / 100, place_error / 1000)
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=error_console(), transient=True) as bar:
        task = bar.add_task("trying shots", total=None)
        found = analysis.best_shots(
            top,
            men=men,
            side=side,
            hand=hand,
            samples=samples,
            seed=seed,
            executor=make_executor(workers),
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    if as_json:
        click.echo(json.dumps([shot.to_json() for shot in found], indent=2))
    elif not found:
        click.echo("No shot was found that pockets a man.")
    else:
        _print(found)
    if out is not None and found:
        from carromsim.stats.shot_figure import draw_shot
        from carromsim.stats.style import save

        save(draw_shot(analysis, found[0], hand=hand, seed=seed), out)
        click.echo(show_path(out), err=True)
    return 0 if found else 1


def _print(found: Sequence[BestShot]) -> None:
    from rich.table import Table as Grid

    from carromsim.stats.shot_figure import describe_shot, falls_short

    grid = Grid(box=None, padding=(0, 1, 0, 0), header_style="dim", caption_style="dim")
    grid.caption = "chance: a man falls and no foul is made (95 % interval); NW: north-west pocket"
    grid.caption_justify = "left"
    grid.add_column("", justify="right")
    grid.add_column("striker's place, aim, speed", no_wrap=True)
    grid.add_column("chance", justify="right", no_wrap=True)
    grid.add_column("men", justify="right", no_wrap=True)
    grid.add_column("foul", justify="right", no_wrap=True)
    grid.add_column("what falls")
    for number, shot in enumerate(found, 1):
        interval = f"({100 * shot.chance.low:.0f}–{100 * shot.chance.high:.0f})"
        grid.add_row(
            str(number),
            describe_shot(shot.shot),
            f"{100 * shot.chance.share:.0f} % {interval:>7}",
            f"{shot.men:.2f}",
            f"{100 * shot.foul.share:.0f} %",
            falls_short(shot, 2),
        )
    output_console().print(grid)


def _layout(name: str, table: Table, side: str, at: int | None) -> Layout:
    """The layout of a name or file."""
    from carromsim.batch import FixedLayout, ListedLayouts, read_layouts
    from carromsim.core.errors import InvalidValue

    if not name.lower().endswith((".json", ".jsonl", ".ndjson")):
        if at is not None:
            raise InvalidValue("goes with a file of layouts", field="at")
        return table.layout(name, side)
    path = Path(name)
    source = read_layouts(read_text(path), path)
    layouts = source.given if isinstance(source, ListedLayouts) else ()
    if isinstance(source, FixedLayout) and source.given is not None:
        layouts = (source.given,)
    if at is None and len(layouts) > 1:
        raise InvalidValue(
            f"{path.name} holds {len(layouts)} layouts; say which with --at 0 to "
            f"{len(layouts) - 1}",
            field="layout",
        )
    if at is not None and at >= len(layouts):
        raise InvalidValue(f"must be 0 to {len(layouts) - 1}, not {at}", field="at")
    return layouts[at or 0]
