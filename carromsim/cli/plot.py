"""`carromsim plot`: figures of a batch."""

from __future__ import annotations

from pathlib import Path

import click

from carromsim.cli.common import show_path

__all__ = ["plot"]


@click.command(short_help="Figures of a batch, as PNG or SVG.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--kind",
    required=True,
    type=click.Choice(["heatmap", "scatter", "strength", "angle", "speed", "offset"]),
    help="What to draw.",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="The picture: x.png, x.svg, x.pdf.",
)
@click.option(
    "--of",
    "outcomes",
    multiple=True,
    metavar="WHAT",
    help="man, clean, foul, or a kind of disc; for curves and scatter several times.",
)
@click.option("--bins", type=click.IntRange(1, 1000), help="Cells along the angle, or points.")
@click.option(
    "--table", "table_name", metavar="NAME|FILE", help="The board to draw, if FILE names none."
)
@click.option("--dots", type=click.IntRange(30, 600), default=150, show_default=True,
              help="Pixels an inch.")  # fmt: skip
def plot(
    file: Path,
    kind: str,
    out: Path,
    outcomes: tuple[str, ...],
    bins: int | None,
    table_name: str | None,
    dots: int,
) -> None:
    """Draw the shots in FILE (.csv, .jsonl or .parquet), as `carromsim simulate` wrote it.

    \b
    heatmap   how often a man falls, over angle and strength
    scatter   where discs come to rest, on the board (not from .csv)
    strength, angle, speed, offset
              how often a man falls and a foul is made, with 95 % bands
    """
    import os

    from carromsim.cli.simulate import load_table
    from carromsim.core.errors import InvalidValue
    from carromsim.stats import figures, load
    from carromsim.stats.style import check_out, need_matplotlib, save

    check_out(out)
    need_matplotlib()
    if kind == "heatmap" and len(outcomes) > 1:
        raise InvalidValue("a heatmap shows one outcome", field="of")
    table = None if table_name is None else load_table(table_name)
    results = load(file)
    if kind == "heatmap":
        figure = figures.heatmap(results, outcomes[0] if outcomes else "man", bins)
    elif kind == "scatter":
        # boards are drawn by pygame, which must not look for a display or greet
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        figure = figures.scatter(results, outcomes, table)
    else:
        figure = figures.curve(results, kind, outcomes, bins or 12)
    save(figure, out, dots)
    click.echo(show_path(out), err=True)
