"""Figures of a batch: pot probability over angle and strength, curves, and where men come to rest.

Every function gives a matplotlib `Figure`; `carromsim.stats.style.save` writes it. Needs the extra
`plot`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from carromsim.core.errors import InvalidValue
from carromsim.physics import Layout, Table
from carromsim.stats.rates import axis_values, edges_of, happened, wilson
from carromsim.stats.results import STRIKER, Floats, Results
from carromsim.stats.style import (
    COLOURS,
    INK,
    MAP,
    OTHERS,
    QUIET,
    degree_axis,
    new_figure,
    percent_axis,
    style,
    titled,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["curve", "draw_board", "heatmap", "outcome_words", "scatter"]

FEW = 5
"""A cell of a heat map with fewer shots than this tells nothing and stays empty."""
SHOTS_A_CELL = 40
"""So many shots a cell keep its share within some 15 points of the truth."""
MARKS = ("o", "s", "^", "D", "v", "P")
BOARD_PIXELS = 900


def outcome_words(outcome: str) -> str:
    """What the share of an outcome is called on an axis."""
    words = {
        "man": "shots that pocket a man",
        "clean": "shots that pocket a man without a foul",
        "foul": "shots with a foul",
        STRIKER: "shots that pocket the striker",
        "queen": "shots that pocket the queen",
    }
    return words.get(outcome, f"shots that pocket a {outcome} man")


def _counted(results: Results) -> str:
    return f"{len(results):,} shots from {results.source}"


def _need_shots(results: Results) -> None:
    if not len(results):
        raise InvalidValue("holds no shots", field=results.source)


# heat map --------------------------------------------------------------------------------------


def heatmap(results: Results, outcome: str = "man", bins: int | None = None) -> Figure:
    """How likely an outcome is, over angle and strength of the shot.

    Args:
        results: The shots.
        outcome: "man", "clean", "foul", or a kind of disc.
        bins: Cells along the angle, two thirds as many along the strength; None: as fine as
            the number of shots allows.

    Raises:
        InvalidValue: No such outcome, or no shots.
        MissingDependency: matplotlib is not installed.
    """
    _need_shots(results)
    hits = happened(results, outcome)
    angle, strength = axis_values(results, "angle"), axis_values(results, "strength")
    if bins is None:
        bins = int(np.clip(np.sqrt(1.5 * len(results) / SHOTS_A_CELL), 6, 60))
    columns = edges_of(angle, bins, "angle")
    rows = edges_of(strength, max(1, round(bins * 2 / 3)), "strength")
    shots, _, _ = np.histogram2d(angle, strength, (columns, rows))
    scored, _, _ = np.histogram2d(angle[hits], strength[hits], (columns, rows))
    with np.errstate(invalid="ignore"):
        share = np.where(shots >= min(FEW, max(1, shots.max())), scored / shots, np.nan).T
    with style():
        figure = new_figure(8.0, 5.6)
        axes = figure.add_subplot()
        top = _round_up(float(np.nanmax(share)))
        mesh = axes.pcolormesh(columns, rows, share, cmap=MAP, vmin=0.0, vmax=top,
                               edgecolors="none", rasterized=False)  # fmt: skip
        axes.grid(False)
        axes.set_facecolor("#efece8")
        if np.isnan(share).any():
            axes.text(1.0, 1.015, f"grey: fewer than {FEW} shots", transform=axes.transAxes,
                      ha="right", va="bottom", fontsize=9, color=QUIET)  # fmt: skip
        degree_axis(axes, columns[0], columns[-1])
        axes.set_ylabel("strength (0 to 1 for 0.3 to 6.0 m/s)")
        bar = figure.colorbar(mesh, ax=axes, pad=0.02, aspect=28)
        bar.outline.set_visible(False)
        bar.set_label(f"share of {outcome_words(outcome)}")
        percent_axis(bar.ax.yaxis)
        remark = f"{_counted(results)}; by angle and strength"
        titled(figure, _title(outcome), remark)
    return figure


def _title(outcome: str) -> str:
    return {
        "man": "How often a man falls",
        "clean": "How often a man falls without a foul",
        "foul": "How often a foul is made",
        "queen": "How often the queen falls",
        STRIKER: "How often the striker falls",
    }.get(outcome, f"How often a {outcome} man falls")


def _round_up(share: float) -> float:
    """The next round share: the top of a scale."""
    for top in (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8):
        if share <= top:
            return top
    return 1.0


# curves ----------------------------------------------------------------------------------------


def curve(
    results: Results,
    axis: str = "strength",
    outcomes: Sequence[str] = (),
    bins: int = 12,
    confidence: float = 0.95,
) -> Figure:
    """How likely outcomes are over a parameter of the shot, with confidence bands (Wilson).

    Args:
        results: The shots.
        axis: "strength", "speed", "angle" or "offset".
        outcomes: As for `heatmap`; none: a man, the queen where she is in play, a foul.
        bins: How many points.
        confidence: Of the bands.

    Raises:
        InvalidValue: No such outcome or parameter, or no shots.
        MissingDependency: matplotlib is not installed.
    """
    _need_shots(results)
    if not outcomes:
        queen = "queen" in results.pocketed and bool((results.pocketed["queen"] > 0).any())
        outcomes = ("man", *(("queen",) if queen else ()), "foul")
    values = axis_values(results, axis)
    edges = edges_of(values, bins, axis)
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, bins - 1)
    shots = np.bincount(place, minlength=bins)
    middle = (edges[:-1] + edges[1:]) / 2
    known = shots > 0
    with style():
        figure = new_figure(8.0, 5.0)
        axes = figure.add_subplot()
        ends: list[tuple[float, str, str]] = []
        highest = 0.0
        for number, outcome in enumerate(outcomes):
            count = np.bincount(place[happened(results, outcome)], minlength=bins)
            low, high = wilson(count, shots, confidence)
            share = count[known] / shots[known]
            colour = COLOURS.get(outcome, OTHERS[number % len(OTHERS)])
            mark = MARKS[number % len(MARKS)]
            axes.fill_between(middle[known], low[known], high[known], color=colour, alpha=0.16,
                              linewidth=0)  # fmt: skip
            axes.plot(middle[known], share, color=colour, marker=mark, markersize=5.5,
                      markeredgecolor="white", markeredgewidth=0.8, clip_on=False,
                      zorder=3)  # fmt: skip
            last = -1 if axis != "angle" else 0
            ends.append((float(share[last]), outcome, colour))
            highest = max(highest, float(high[known].max()))
        axes.set_ylim(0.0, min(1.0, _round_up(highest * 1.02)))
        percent_axis(axes.yaxis)
        axes.set_ylabel("share of shots")
        axes.grid(axis="x", visible=False)
        _parameter_axis(axes, axis, edges)
        _label_ends(axes, ends, middle[known][-1 if axis != "angle" else 0])
        name = {"strength": "strength", "speed": "speed", "angle": "angle", "offset": "place"}
        remark = f"{_counted(results)}; bands: {100 * confidence:g} % confidence"
        titled(figure, f"What comes of a shot, by {name[axis]}", remark)
    return figure


def _parameter_axis(axes: Axes, axis: str, edges: Floats) -> None:
    if axis == "angle":
        degree_axis(axes, edges[0], edges[-1])
        return
    axes.set_xlim(edges[0], edges[-1])
    labels = {
        "strength": "strength of the shot (0 to 1 for 0.3 to 6.0 m/s)",
        "speed": "launch speed (m/s)",
        "offset": "place on the base line (mm from the middle, positive to the right)",
    }
    axes.set_xlabel(labels[axis])


def _label_ends(axes: Axes, ends: Sequence[tuple[float, str, str]], x: float) -> None:
    """Names each curve at its right end; labels that would touch are moved apart."""
    words = {"man": "a man falls", "clean": "without a foul", "foul": "a foul",
             "queen": "the queen falls", STRIKER: "the striker falls"}  # fmt: skip
    low, high = axes.get_ylim()
    least = 0.062 * (high - low)
    places = sorted(range(len(ends)), key=lambda i: ends[i][0])
    y = [ends[i][0] for i in places]
    for k in range(1, len(y)):
        y[k] = max(y[k], y[k - 1] + least)
    over = (y[-1] - high) if y else 0.0
    if over > 0:
        y[-1] = high
        for k in range(len(y) - 2, -1, -1):
            y[k] = min(y[k], y[k + 1] - least)
    for i, place in zip(places, y, strict=True):
        _, outcome, colour = ends[i]
        axes.annotate(words.get(outcome, f"{outcome} falls"), (1.0, place),
                      xycoords=("axes fraction", "data"), xytext=(8, 0),
                      textcoords="offset points", color=colour, va="center", fontsize=10.5,
                      weight="bold", annotation_clip=False)  # fmt: skip


# where men come to rest ------------------------------------------------------------------------


def draw_board(axes: Axes, table: Table, layout: Layout | None = None, *,
               faded: float = 0.0) -> float:  # fmt: skip
    """Lays the drawn board under some axes, in metres, true to scale.

    Args:
        axes: Where to.
        table: The board.
        layout: What lies on it.
        faded: From 0 to 1: how much paler than it is.

    Returns:
        Half of the board's side with its frame, m.
    """
    # loaded here: whoever does not draw boards needs no display library
    from carromsim.app.board import render_array
    from carromsim.app.board_plan import plan_of

    side = plan_of(table).side
    margin = 0.03  # as the picture has it on each side
    whole = side / (1 - 2 * margin)
    picture = render_array(table, layout, size=(BOARD_PIXELS, BOARD_PIXELS)).astype(np.float32)
    cut = round(BOARD_PIXELS * margin)
    picture = picture[cut : BOARD_PIXELS - cut, cut : BOARD_PIXELS - cut]
    half = whole * (0.5 - cut / BOARD_PIXELS)
    picture = picture * (1 - faded) + 255 * faded
    axes.imshow(picture.astype(np.uint8), extent=(-half, half, -half, half), zorder=0,
                interpolation="antialiased")  # fmt: skip
    axes.set_xlim(-half, half)
    axes.set_ylim(-half, half)
    axes.set_aspect("equal")
    axes.set_axis_off()
    return half


def scatter(results: Results, kinds: Sequence[str] = (), table: Table | None = None) -> Figure:
    """Where discs come to rest, on the drawn board, a picture for each kind.

    A few are drawn one by one, many as a density.

    Args:
        results: The shots, from a file with rests.
        kinds: Which discs; none: all that lie on the board somewhere.
        table: The board; None: the one the file names, or carrom's.

    Raises:
        InvalidValue: The file has no rests, or none of a kind.
        MissingDependency: matplotlib is not installed.
    """
    _need_shots(results)
    if results.rests is None:
        raise InvalidValue(
            "does not say where discs lie; make a .parquet or .jsonl file", field=results.source
        )
    board = table or results.table or Table.load("carrom")
    there = [kind for kind in results.rests.kinds if len(results.rests.lying(kind)[0])]
    for kind in kinds:
        if kind not in there:
            known = ", ".join(there) or "none"
            raise InvalidValue(f"no {kind} lies on the board at the end; there are: {known}",
                               field="of")  # fmt: skip
    order = {kind: place for place, kind in enumerate(results.pocketed)}
    chosen = list(kinds) or sorted(there, key=lambda kind: order.get(kind, 99))
    if not chosen:
        raise InvalidValue("no disc lies on the board at the end", field=results.source)
    columns = min(len(chosen), 2)
    rows = -(-len(chosen) // columns)
    with style():
        side = 4.4 if columns > 1 else 6.4
        figure = new_figure(side * columns + 0.4, (side + 0.75) * rows + 0.85)
        grid = figure.subplots(rows, columns, squeeze=False)
        for axes in grid.flat:
            axes.set_axis_off()
        for axes, kind in zip(grid.flat, chosen, strict=False):
            _rests_of(axes, results, kind, board)
        titled(figure, "Where discs come to rest", _counted(results), gap=0.1)
    return figure


MANY = 1500
"""From so many discs on, their density is drawn."""


def _rests_of(axes: Axes, results: Results, kind: str, table: Table) -> None:
    from matplotlib.patches import Circle

    assert results.rests is not None
    x, y = results.rests.lying(kind)
    radius = table.pieces[kind].radius if kind in table.pieces else 0.01
    half = draw_board(axes, table, faded=0.25)
    if len(x) <= MANY:
        alpha = float(np.clip(40.0 / max(len(x), 1), 0.12, 0.5))
        colour = COLOURS.get(kind, OTHERS[0])
        for px, py in zip(x, y, strict=True):
            axes.add_patch(Circle((px, py), radius, facecolor=(colour, alpha), linewidth=0.5,
                                  edgecolor=(colour, 0.9)))  # fmt: skip
        axes.plot(x, y, ".", color=INK, markersize=2.0, markeredgewidth=0)
        how = f"{len(x):,} discs in true size"
    else:
        _density(axes, x, y, table, len(results))
        how = f"{len(x):,} discs"
    axes.text(-half, half * 1.02, kind, ha="left", va="bottom", fontsize=11.5, weight="bold")
    axes.text(half, half * 1.02, how, ha="right", va="bottom", fontsize=9.5, color=QUIET)
    _scale_bar(axes, table, half)


def _scale_bar(axes: Axes, table: Table, half: float) -> None:
    """A length to measure by, under the board."""
    length = 0.2 if table.size > 0.4 else 0.05
    y = -half * 1.03
    axes.plot([-half, -half + length], [y, y], color=QUIET, linewidth=2.5, clip_on=False,
              solid_capstyle="butt")  # fmt: skip
    axes.text(-half + length + 0.02 * half, y, f"{100 * length:g} cm", ha="left", va="center",
              fontsize=9, color=QUIET)  # fmt: skip
    axes.set_ylim(-half * 1.06, half)


def _density(axes: Axes, x: Floats, y: Floats, table: Table, shots: int) -> None:
    """A smooth density over the board, clear where nothing lies, with its scale."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap, PowerNorm
    from matplotlib.ticker import FuncFormatter

    half, cells = table.half_size, 180
    cell = 2 * half / cells
    counts, _, _ = np.histogram2d(y, x, bins=cells, range=[[-half, half], [-half, half]])
    # the more discs, the finer: a good half of Scott's rule for a board covered evenly
    width = max(0.6, 0.17 * len(x) ** (-1 / 6) * half / cell)
    density = _blurred(counts, width) / cell**2 / 1e2 / shots * 100
    # places where men lie from the start would hide all others
    top = max(float(np.quantile(density, 0.98)), 0.02 * float(density.max()))
    colours = colormaps[MAP](np.linspace(0, 1, 256))
    colours[:, 3] = np.clip(np.linspace(0.0, 1.6, 256), 0.0, 0.75)
    picture = axes.imshow(density, extent=(-half, half, -half, half), origin="lower", zorder=1,
                          interpolation="bilinear", cmap=ListedColormap(colours),
                          norm=PowerNorm(0.5, 0.0, top, clip=True))  # fmt: skip
    figure = axes.figure
    bar = figure.colorbar(picture, ax=axes, orientation="horizontal", shrink=0.55, aspect=28,
                          pad=0.015, anchor=(1.0, 1.0),
                          extend="max" if density.max() > top else "neither")  # fmt: skip
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=9)
    bar.locator = _few_ticks(top)
    bar.formatter = FuncFormatter(lambda value, _place: f"{value:g}")
    bar.update_ticks()
    bar.set_label("discs per dm² in 100 shots", fontsize=9, color=QUIET)


def _few_ticks(top: float) -> Any:
    from matplotlib.ticker import FixedLocator

    step = 10 ** np.floor(np.log10(top))
    step *= next(s for s in (5, 2, 1, 0.5) if top / (s * step) >= 1)
    return FixedLocator([0.0, step / 4, step])


def _blurred(counts: NDArray[Any], width: float) -> Floats:
    """Convolved with a Gaussian of this many cells, mirrored at the frame."""
    reach = min(int(np.ceil(3 * width)), len(counts))
    line = np.exp(-0.5 * (np.arange(-reach, reach + 1) / width) ** 2)
    line /= line.sum()
    padded = np.pad(counts.astype(np.float64), reach, mode="symmetric")
    rows = np.apply_along_axis(np.convolve, 0, padded, line, "valid")
    return np.apply_along_axis(np.convolve, 1, rows, line, "valid")
