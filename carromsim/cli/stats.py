"""`carromsim stats`: what a batch came to, with confidence intervals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from carromsim.cli.common import output_console

if TYPE_CHECKING:
    from rich.table import Table as Grid

    from carromsim.stats import Bin, Rate, Rates, Results

__all__ = ["percent", "range_text", "stats"]


@click.command(short_help="Rates of a batch, with confidence intervals.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--by",
    "axis",
    type=click.Choice(["strength", "angle", "speed", "offset"]),
    help="In bins of this parameter.",
)
@click.option("--bins", type=click.IntRange(1, 1000), default=10, show_default=True)
@click.option(
    "--confidence",
    type=click.FloatRange(0.0, 1.0, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Of the intervals (Wilson).",
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def stats(file: Path, axis: str | None, bins: int, confidence: float, as_json: bool) -> None:
    """Rates of the shots in FILE (.csv, .jsonl or .parquet), as `carromsim simulate` wrote it.

    "man" is a shot that pocketed at least one man of any colour, "clean" one that did so without
    a foul. Angles are in degrees, positive to the left; offsets in mm.
    """
    from carromsim.core.errors import InvalidValue
    from carromsim.stats import by, load, rates

    results = load(file)
    if not len(results):
        raise InvalidValue("holds no shots", field=file.name)
    whole = rates(results, confidence)
    parts = () if axis is None else by(results, axis, bins, confidence)
    if as_json:
        data = {"file": results.source, "confidence": confidence, **whole.to_json()}
        if axis is not None:
            data |= {"by": axis, "bins": [part.to_json() for part in parts]}
        click.echo(json.dumps(data, indent=2))
        return
    console = output_console()
    if axis is None:
        console.print(_whole_grid(results, whole, confidence))
        if whole.rests:
            console.print()
            console.print(_rest_grid(whole))
    else:
        console.print(_bin_grid(results, axis, parts, confidence))


def percent(rate: Rate, width: int = 0) -> str:
    """A rate in words: `12.3 %`, or a dash for nothing."""
    return f"{100 * rate.share:.1f} %".rjust(width) if rate.of else "–".rjust(width)


def range_text(rate: Rate) -> str:
    """Its confidence interval: `10.1 – 14.9 %`."""
    return f"{100 * rate.low:.1f} – {100 * rate.high:.1f} %" if rate.of else "–"


def _new_grid(title: str) -> Grid:
    from rich.table import Table as Grid

    return Grid(
        title=title,
        title_justify="left",
        title_style="bold",
        box=None,
        padding=(0, 2, 0, 0),
        header_style="dim",
        caption_style="dim",
    )


def _whole_grid(results: Results, whole: Rates, confidence: float) -> Grid:
    grid = _new_grid(f"{results.source}: {whole.shots:,} shots")
    grid.add_column("shots in which")
    grid.add_column("count", justify="right")
    grid.add_column("share", justify="right")
    grid.add_column(f"{100 * confidence:g} % interval", justify="right")
    grid.add_column("a shot", justify="right")

    def add(words: str, rate: Rate, mean: float | None = None, *, last: bool = False) -> None:
        grid.add_row(
            words,
            f"{rate.count:,}",
            percent(rate),
            range_text(rate),
            "" if mean is None else f"{mean:.3f}",
            end_section=last,
        )

    men = [kind for kind in whole.scored if kind != "striker"]
    add("a man fell", whole.man, sum(whole.pocketed[kind] for kind in men))
    for kind in men:
        add(f"  {kind}", whole.scored[kind], whole.pocketed[kind])
    add("a man fell, without a foul", whole.clean)
    add("a foul was made", whole.foul)
    for code, rate in whole.fouls.items():
        add(f"  {code.replace('_', ' ')}", rate)
    add("the striker touched a man", whole.touched, last=True)
    grid.add_row("discs off the board", "", "", "", f"{whole.off_board:.3f}")
    grid.add_row("time until rest", "", "", "", f"{whole.time:.2f} s")
    if whole.truncated:
        grid.add_row("cut at max_time", f"{whole.truncated:,}", "", "", "")
    return grid


def _rest_grid(whole: Rates) -> Grid:
    grid = _new_grid("where discs lie at the end")
    grid.add_column("")
    for name in ("on the board", "mean x", "mean y", "scatter", "from the centre"):
        grid.add_column(name, justify="right")
    for kind, spread in whole.rests.items():
        grid.add_row(
            kind,
            f"{spread.count:,}",
            f"{1000 * spread.x:+.0f} mm",
            f"{1000 * spread.y:+.0f} mm",
            f"{1000 * spread.radius:.0f} mm",
            f"{1000 * spread.from_centre:.0f} mm",
        )
    return grid


def _bin_grid(results: Results, axis: str, parts: Sequence[Bin], confidence: float) -> Grid:
    from carromsim.stats import AXES

    unit = AXES[axis][1]
    grid = _new_grid(f"{results.source}: {len(results):,} shots by {axis}")
    grid.caption = f"in % of the shots of a line, with {100 * confidence:g} % intervals"
    grid.caption_justify = "left"
    grid.add_column(f"{axis}, {unit}" if unit else axis, justify="right", no_wrap=True)
    grid.add_column("shots", justify="right", no_wrap=True)
    names = {"man": "man fell", "clean": "no foul", "queen": "queen", "foul": "foul"}
    if "queen" not in results.pocketed:
        del names["queen"]
    for words in names.values():
        grid.add_column(words, justify="right", no_wrap=True)
    places = 0 if axis == "offset" else 1 if axis == "angle" else 2
    for part in parts:
        chosen = [
            part.rates.scored["queen"] if name == "queen" else getattr(part.rates, name)
            for name in names
        ]
        grid.add_row(
            f"{part.low:.{places}f} to {part.high:.{places}f}",
            f"{part.rates.shots:,}",
            *(_short(rate) for rate in chosen),
        )
    return grid


def _short(rate: Rate) -> str:
    if not rate.of:
        return "–"
    interval = f"({100 * rate.low:.0f}–{100 * rate.high:.0f})"
    return f"{100 * rate.share:.1f} {interval:>7}"
