"""`carromsim simulate`: many shots without a screen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from carromsim.cli.common import error_console, output_console, read_text, seed_number, show_path

if TYPE_CHECKING:
    from rich.table import Table as Grid

    from carromsim.batch import (
        Chunk,
        Executor,
        LayoutSource,
        Plan,
        Report,
        ShotSource,
        Sink,
        Summary,
    )
    from carromsim.core.fields import Json
    from carromsim.physics import Table

__all__ = ["load_table", "run_with_progress", "simulate", "summary_grid"]


@click.command(short_help="Simulate many shots without a screen.")
@click.argument("kind", default="break", metavar="[break|random|FILE]")
@click.option("--shots", type=click.IntRange(0, 10**12), help="How many (1,000; all of a file).")
@click.option(
    "--seed", type=seed_number, metavar="N", default=0, show_default=True, help="Seed of the batch."
)
@click.option("--workers", type=click.IntRange(1, 512), help="Processes (one for each core).")
@click.option(
    "--executor",
    "executor_name",
    type=click.Choice(["serial", "processes", "dask"]),
    help="Who simulates (processes).",
)
@click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler that runs: tcp://HOST:PORT.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write x.csv, x.jsonl, x.parquet or x.npz."
)
@click.option("--resume", is_flag=True, help="Go on with a run of the same arguments.")
@click.option("--fresh", is_flag=True, help="Begin anew, though an unfinished run is there.")
@click.option(
    "--layout",
    metavar="NAME|FILE",
    default="rack",
    help="A layout of the table, random, endgame:MEN, or a .json or .jsonl file.",
)
@click.option("--table", "table_name", metavar="NAME|FILE", default="carrom", help="The board.")
@click.option("--side", type=click.Choice(["south", "east", "north", "west"]), default="south")
@click.option(
    "--param",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="A physical parameter, such as surface_friction=0.08.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option("--quiet", "-q", is_flag=True, help="No progress and no summary.")
def simulate(
    kind: str,
    shots: int | None,
    seed: int,
    workers: int | None,
    executor_name: str | None,
    scheduler: str | None,
    out: Path | None,
    resume: bool,
    fresh: bool,
    layout: str,
    table_name: str,
    side: str,
    parameters: tuple[str, ...],
    as_json: bool,
    quiet: bool,
) -> int:
    """Simulate break shots, random shots, or the shots of a FILE (.csv or .jsonl).

    The same seed gives the same file to the byte for any number of workers and every executor.
    Ctrl-C keeps the unbroken first part; --resume goes on, after it or after a crash.

    A FILE has the columns or fields side, offset (m), angle (rad) and speed (m/s) or strength
    (0 to 1), one shot a line.
    """
    from carromsim.batch import Plan, make_executor, open_sink
    from carromsim.core.errors import InvalidValue
    from carromsim.physics import Material

    table = load_table(table_name)
    plan = Plan(
        _shots(kind, side),
        shots if shots is not None or kind not in ("break", "random") else 1000,
        seed,
        _layout(layout, table, side),
        table,
        Material.from_json(_numbers(parameters), "param"),
        trajectories=out is not None and out.suffix.lower() == ".npz",
    )
    plan.check()
    if out is not None and Path(kind).exists() and out.exists() and out.samefile(kind):
        raise InvalidValue("must be another file than the list of shots", field="out")
    _check_unfinished(out, resume=resume, fresh=fresh)
    few = workers is None and executor_name is None and scheduler is None and len(plan) < 200
    executor = make_executor(1 if few else workers, executor_name, scheduler)
    sink = open_sink(out, plan, resume=resume)
    report, rate = run_with_progress(plan, executor, sink, quiet=quiet)
    if as_json:
        import json

        click.echo(json.dumps(report.summary.to_json() | {"failed": report.failed}, indent=2))
    elif not quiet and report.done:
        output_console().print(summary_grid(report.summary, rate))
    return _close(plan, report, out)


def _check_unfinished(out: Path | None, *, resume: bool, fresh: bool) -> None:
    """Refuses to write over what an unfinished run has kept.

    Raises:
        InvalidValue: It says how to go on.
    """
    from carromsim.core.errors import InvalidValue

    if resume and fresh:
        raise InvalidValue("give --resume or --fresh, not both", field="resume")
    part = None if out is None else out.with_name(out.name + ".part")
    if part is not None and part.exists() and not (resume or fresh):
        raise InvalidValue(
            f"{show_path(part)} is left of an unfinished run: give --resume to go on with it, or "
            "--fresh to begin anew",
            field="out",
        )


def _close(plan: Plan, report: Report, out: Path | None) -> int:
    """Says what went wrong and where the rest is; the exit status."""
    for failure in report.failures[:20]:
        click.echo(f"carromsim: shot {failure.index} left out: {failure.message}", err=True)
    if report.failed > 20:
        click.echo(f"carromsim: {report.failed} shots left out in all", err=True)
    where = "" if out is None else f" in {show_path(out)}"
    if report.trouble is not None:
        if not report.done:
            raise report.trouble
        kept = "lost" if out is None else f"kept in {show_path(out)}.part (--resume goes on)"
        click.echo(
            f"carromsim: error: {report.trouble}; "
            f"the first {report.done:,} of {len(plan):,} shots are {kept}",
            err=True,
        )
        return 1
    if report.interrupted:
        click.echo(
            f"carromsim: stopped; the first {report.done:,} of {len(plan):,} shots are "
            f"{f'kept{where} (--resume goes on)' if where else 'counted'}",
            err=True,
        )
        return 130
    return 1 if report.failed else 0


def run_with_progress(
    plan: Plan, executor: Executor, sink: Sink, *, quiet: bool = False
) -> tuple[Report, float]:
    """Runs a plan with a progress bar on standard error; the report and shots a second."""
    import time

    from carromsim.batch import run

    started = time.monotonic()
    if quiet:
        report = run(plan, executor, sink)
    else:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[failed]}"),
        )
        with Progress(*columns, console=error_console()) as bar:
            task = bar.add_task("simulating", total=len(plan), rate="", failed="")
            failed = 0

            def advance(chunk: Chunk) -> None:
                nonlocal failed
                failed += sum(1 for item in chunk if hasattr(item, "message"))
                bar.advance(task, len(chunk))
                done = bar.tasks[0].completed
                rate = done / max(time.monotonic() - started, 1e-9)
                words = f"{failed} failed" if failed else ""
                bar.update(task, rate=f"{rate:,.0f} shots/s", failed=words)

            report = run(plan, executor, sink, progress=advance)
    return report, report.done / max(time.monotonic() - started, 1e-9)


def summary_grid(summary: Summary, rate: float) -> Grid:
    """The summary as a table: pocketed by kind, fouls, speed."""
    from rich.table import Table as Grid

    grid = Grid(title=f"{summary.shots:,} shots", title_justify="left", box=None, padding=(0, 2))
    grid.add_column("")
    grid.add_column("count", justify="right")
    grid.add_column("a shot", justify="right")
    grid.add_column("in % of shots", justify="right")
    shots = max(summary.shots, 1)
    for kind in summary.pocketed:
        count, scored = summary.pocketed[kind], summary.scored[kind]
        grid.add_row(
            f"{kind} pocketed", f"{count:,}", f"{count / shots:.3f}", f"{100 * scored / shots:.1f}"
        )
    fouls = summary.fouls.total()
    grid.add_row("fouls", f"{fouls:,}", "", f"{100 * fouls / shots:.1f}", end_section=True)
    for code, count in sorted(summary.fouls.items()):
        grid.add_row(f"  {code.replace('_', ' ')}", f"{count:,}", "", f"{100 * count / shots:.1f}")
    grid.add_row("off the board", f"{summary.off_board:,}", f"{summary.off_board / shots:.3f}", "")
    grid.add_row("contacts", f"{summary.contacts:,}", f"{summary.contacts / shots:.1f}", "")
    grid.add_row("time on the board", f"{summary.time:,.0f} s", f"{summary.time / shots:.2f} s", "")
    if summary.truncated:
        grid.add_row("cut at max_time", f"{summary.truncated:,}", "", "")
    grid.add_row("speed", f"{rate:,.0f} shots/s", "", "")
    return grid


def load_table(name: str) -> Table:
    """A table by its name or from its .json file."""
    from carromsim.core.fields import parse_json
    from carromsim.physics import Table

    if name.endswith(".json"):
        return Table.from_json(parse_json(read_text(Path(name)), name), "table")
    return Table.load(name)


def _layout(name: str, table: Table, side: str) -> LayoutSource:
    from carromsim.batch import EndgameLayouts, FixedLayout, RandomLayouts, read_layouts
    from carromsim.core.errors import InvalidValue

    if name.lower().endswith((".json", ".jsonl", ".ndjson")):
        path = Path(name)
        return read_layouts(read_text(path), path)
    if name == "random":
        return RandomLayouts()
    kind, colon, men = name.partition(":")
    if kind == "endgame":
        if colon and not men.isdecimal():
            raise InvalidValue(f"must be endgame:MEN, not {name!r}", field="layout")
        return EndgameLayouts(int(men[:9]) if colon else 3)
    return FixedLayout(name, table.layout(name, side) if side != "south" else None)


def _shots(kind: str, side: str) -> ShotSource:
    from carromsim.batch import BreakShots, RandomShots, read_shots
    from carromsim.core.errors import InvalidValue

    if kind == "break":
        return BreakShots(side=side)
    if kind == "random":
        return RandomShots(side)
    path = Path(kind)
    if not path.suffix:
        raise InvalidValue(f"must be break, random or a file, not {kind!r}", field="shots")
    return read_shots(read_text(path), path)


def _numbers(pairs: tuple[str, ...]) -> dict[str, Json]:
    """`name=value` pairs as numbers, `none` as null."""
    from carromsim.core.errors import InvalidValue

    values: dict[str, Json] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise InvalidValue(f"must be NAME=VALUE, not {pair!r}", field="param")
        if text.strip().lower() in ("none", "off"):
            values[name] = None
            continue
        try:
            values[name] = float(text)
        except ValueError:
            raise InvalidValue(f"must be a number, not {text!r}", field=f"param.{name}") from None
    return values
