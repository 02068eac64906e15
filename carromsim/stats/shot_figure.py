"""A shot drawn on the board: where striker and men go, and how far a hand's error strays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from carromsim.physics import Contact, Layout, Result, Shot, simulate
from carromsim.stats.best import Analysis, BestShot, Hand
from carromsim.stats.figures import draw_board
from carromsim.stats.style import COLOURS, QUIET, new_figure, style, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["POCKETS", "describe_shot", "draw_shot", "falls_short", "falls_text"]

POCKETS = ("south-west", "south-east", "north-east", "north-west")
STRAYS = 24
"""Tries of the hand whose ways are drawn faintly."""
STRIKER_INK, MAN_INK = COLOURS["man"], COLOURS["foul"]


def pocket_name(number: int) -> str:
    """What a pocket is called."""
    return f"{POCKETS[number]} pocket" if number < len(POCKETS) else f"hole {number}"


def describe_shot(shot: Shot) -> str:
    """A shot in the units people use: `12 mm right, 31.5° left, 1.08 m/s`."""

    def way(value: float, unit: str, places: int) -> str:
        text = f"{abs(value):.{places}f}"
        if float(text) == 0:
            return f"0 {unit}".replace(" °", "°")
        return f"{text} {unit}".replace(" °", "°")

    place = 1000 * shot.offset
    angle = float(np.degrees(shot.angle))
    where = f"{way(place, 'mm', 0)}{' right' if place > 0.5 else ' left' if place < -0.5 else ''}"
    aim = f"{way(angle, '°', 1)}{' left' if angle > 0.05 else ' right' if angle < -0.05 else ''}"
    return f"{where}, {aim}, {shot.speed:.2f} m/s"


def falls_short(best: BestShot, most: int = 3) -> str:
    """What falls where, for a narrow column: `white NE 96 %`."""
    parts = []
    for fall in best.falls[:most]:
        name = f"hole {fall.pocket}"
        if fall.pocket < len(POCKETS):
            name = "".join(word[0].upper() for word in POCKETS[fall.pocket].split("-"))
        parts.append(f"{fall.kind} {name} {100 * fall.rate.share:.0f} %".replace(" ", "\u00a0"))
    return ", ".join(parts)


def falls_text(best: BestShot, most: int = 3) -> str:
    """What falls where: `white into the north-east pocket 96 %`."""
    parts = [
        f"{fall.kind} into the {pocket_name(fall.pocket)} {100 * fall.rate.share:.0f} %"
        for fall in best.falls[:most]
    ]
    return ", ".join(parts) or "nothing falls"


def draw_shot(
    analysis: Analysis, best: BestShot, *, hand: Hand | None = None, seed: int = 0
) -> Figure:
    """A best shot on the drawn board.

    Args:
        analysis: What was studied.
        best: One of its shots.
        hand: The execution error whose strays are drawn; None: `Hand()`.
        seed: Of the strays.

    Raises:
        MissingDependency: matplotlib is not installed.
    """
    table, layout, material = analysis.table, analysis.layout, analysis.material
    source = (Hand() if hand is None else hand).around(best.shot)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(7,)))
    strays = [
        simulate(table, layout, source.shot(table, layout, i, rng), material) for i in range(STRAYS)
    ]
    meant = simulate(table, layout, best.shot, material)
    drawn = Layout([*layout, best.shot.disc(table).at(*table.base_line(best.shot.side)
                    .place(best.shot.offset))])  # fmt: skip
    with style():
        figure = new_figure(6.6, 7.45)
        axes = figure.add_subplot()
        half = draw_board(axes, table, drawn, faded=0.0)
        for stray in strays:
            _ways(axes, stray, faint=True)
        _ways(axes, meant, faint=False)
        _ghost(axes, meant)
        share = 100 * best.chance.share
        low, high = 100 * best.chance.low, 100 * best.chance.high
        title = f"{describe_shot(best.shot)}: {share:.0f} %"
        titled(figure, title, falls_text(best))
        axes.text(
            0.0,
            -half * 1.02,
            f"chance {low:.0f} to {high:.0f} % (95 % interval of {best.chance.of:,} tries), "
            f"foul {100 * best.foul.share:.0f} %\n"
            "blue: the striker; orange, dashed: men; thin: with the hand's error",
            ha="center",
            va="top",
            fontsize=9.5,
            color=QUIET,
        )
        axes.set_ylim(-half * 1.1, half)
    return figure


def _ways(axes: Axes, result: Result, *, faint: bool) -> None:
    """The way of every disc that moved."""
    striker = len(result.layout) - 1
    for i, stretches in enumerate(result.trajectory.stretches):
        points = [(s.x, s.y) for s in stretches] + [(result.layout[i].x, result.layout[i].y)]
        x, y = zip(*points, strict=True)
        if max(x) - min(x) < 1e-6 and max(y) - min(y) < 1e-6:
            continue
        colour = STRIKER_INK if i == striker else MAN_INK
        if faint:
            axes.plot(x, y, color=colour, linewidth=0.8, alpha=0.22, zorder=2)
            continue
        axes.plot(x, y, color="white", linewidth=3.6, alpha=0.75, zorder=3)
        axes.plot(x, y, color=colour, linewidth=2.0, zorder=4,
                  linestyle="-" if i == striker else (0, (4, 1.2)))  # fmt: skip
        axes.plot(x[-1], y[-1], "o" if i == striker else "D", color=colour, markersize=5.5,
                  markeredgecolor="white", zorder=5)  # fmt: skip


def _ghost(axes: Axes, result: Result) -> None:
    """The outline of the striker where it first meets a man."""
    from matplotlib.patches import Circle

    striker = len(result.layout) - 1
    for event in result.events.of(Contact):
        if striker in event.discs:
            at = result.trajectory.at(event.t)[striker]
            radius = result.table.radius_of(result.layout[striker])
            axes.add_patch(Circle((at.x, at.y), radius, fill=False, edgecolor=STRIKER_INK,
                                  linewidth=1.6, linestyle=(0, (2, 1.5)), zorder=4))  # fmt: skip
            return
