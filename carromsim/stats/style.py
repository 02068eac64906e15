"""How figures look: one style for all, colours that everybody can tell apart."""

from __future__ import annotations

import functools
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carromsim.core.errors import InvalidValue, MissingDependency
from carromsim.core.record import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["COLOURS", "INK", "MAP", "QUIET", "new_figure", "save", "style"]

INK, QUIET, GRID, PAPER = "#2b2724", "#6f6761", "#e4dfd9", "#ffffff"
COLOURS = {
    "man": "#0072B2",
    "clean": "#009E73",
    "foul": "#D55E00",
    "white": "#E69F00",
    "black": "#2b2724",
    "queen": "#CC79A7",
    "striker": "#56B4E9",
}
"""Okabe and Ito's palette, which people tell apart whatever their colour vision."""
OTHERS = ("#0072B2", "#009E73", "#D55E00", "#E69F00", "#CC79A7", "#56B4E9")
MAP = "cividis"
"""Rises evenly in lightness, for all kinds of colour vision and in print."""
SUFFIXES = (".png", ".svg", ".pdf")

_STYLE: dict[str, Any] = {
    "figure.facecolor": PAPER,
    "savefig.facecolor": PAPER,
    "font.size": 11,
    "font.family": "DejaVu Sans",
    "text.color": INK,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.labelsize": 11,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
    "lines.linewidth": 2.0,
    "legend.frameon": False,
    "svg.hashsalt": "carromsim",
    "svg.fonttype": "path",
}


def need_matplotlib() -> Any:
    """Matplotlib, or one line that says how to get it.

    Raises:
        MissingDependency: It is not installed.
    """
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError:
        raise MissingDependency("matplotlib is needed: pip install 'carromsim[plot]'") from None
    return matplotlib


@contextmanager
def style() -> Iterator[None]:
    """Within it, matplotlib draws in our style; the caller's own settings are back afterwards."""
    with need_matplotlib().rc_context(_STYLE):
        yield


@functools.cache
def _figure_class() -> type[Figure]:
    """A figure that a notebook shows by itself, whatever backend is set."""
    need_matplotlib()
    from matplotlib.figure import Figure

    class NotebookFigure(Figure):
        def _repr_png_(self) -> bytes:
            return _drawn(self, "png", 90)

    return NotebookFigure


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of so many inches that opens no window and is known to nobody else."""
    return _figure_class()(figsize=(width, height), layout="constrained")


def titled(figure: Figure, title: str, remark: str, gap: float = 0.0) -> None:
    """Puts what is shown, and in smaller letters of what, over the figure; gap in inches."""
    width, height = figure.get_size_inches()
    left = 0.2 / width
    figure.text(left, 1 - 0.18 / height, title, ha="left", va="top", fontsize=14, weight="bold")
    figure.text(left, 1 - 0.48 / height, remark, ha="left", va="top", fontsize=10, color=QUIET)
    room = (0.12 / width, 0.1 / height, 1 - 0.28 / width, 1 - (0.85 + gap) / height)
    engine: Any = figure.get_layout_engine()
    engine.set(rect=room)


def percent_axis(axis: Any) -> None:
    """Shows shares in percent."""
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _place: f"{100 * value:.3g} %"))


def degree_axis(axes: Axes, low: float, high: float) -> None:
    """An angle axis in degrees: few round numbers, and which way is left."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    steps = [1, 1.5, 3, 4.5, 9] if high - low > 20 else None
    axes.xaxis.set_major_locator(MaxNLocator(9, **({"steps": steps} if steps else {})))
    axes.xaxis.set_major_formatter(
        FuncFormatter(lambda value, _place: f"{value:g}°".replace("-", "−"))
    )
    axes.set_xlabel("angle of the shot (0° straight ahead, positive to the left)")
    # the player's left is on the left of the picture
    axes.set_xlim(high, low)


def check_out(path: Path) -> None:
    """Refuses a name that no picture can have.

    Raises:
        InvalidValue: Another suffix.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise InvalidValue(f"must end in {', '.join(SUFFIXES)}, not {path.name!r}", field="out")


def save(figure: Figure, path: Path | str, dots: int = 150) -> None:
    """Writes a figure; the same figure gives the same bytes.

    Args:
        figure: The figure.
        path: x.png, x.svg or x.pdf.
        dots: Pixels an inch of a PNG, and of pictures inside an SVG or PDF.

    Raises:
        InvalidValue: Another suffix.
        UnreadableFile: The system refuses; a file that was there before stays.
    """
    path = Path(path)
    check_out(path)
    write_whole(path, _drawn(figure, path.suffix.lower().removeprefix("."), dots))


def _drawn(figure: Figure, kind: str, dots: int) -> bytes:
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
    stream = io.BytesIO()
    with style():
        figure.savefig(stream, format=kind, dpi=dots, metadata=metadata)
    return stream.getvalue()
