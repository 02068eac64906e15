"""The side panel as data: what a view wants said beside the board. The shell lays it out.

Everything is already in the player's language (`_()`); the shell wraps, cuts and scrolls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

__all__ = [
    "Badge",
    "Bars",
    "Button",
    "Facts",
    "Gauge",
    "Lines",
    "Mark",
    "Panel",
    "SeatRow",
    "Section",
    "Sheet",
]

Shape: TypeAlias = Literal["disc", "ring", "square", "diamond", "triangle", "hexagon", "star"]
Tone: TypeAlias = Literal["plain", "accent", "warning", "good", "muted"]
MAX_BUTTONS = 6


@dataclass(frozen=True, slots=True)
class Mark:
    """A player's sign: a shape filled with a colour token, so that colour is not the only cue."""

    shape: Shape
    token: str


@dataclass(frozen=True, slots=True)
class Badge:
    """A short label in a pill beside a seat: "Queen", "Crawford", "1 due"."""

    text: str
    tone: Tone = "plain"
    tip: str = ""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat in the panel.

    The shell adds what it knows itself: the name where `name` is empty, "bot level 3", the clock,
    "thinking", and the mark of the seat to move.

    Args:
        seat: Its number.
        score: In tabular figures at the right, e.g. "12".
        details: Short lines under the name: "5 men left", "Pips 142".
        badges: Pills.
        mark: Shape and colour of its pieces.
        name: Only to replace the seat's own name.
    """

    seat: int
    score: str = ""
    details: tuple[str, ...] = ()
    badges: tuple[Badge, ...] = ()
    mark: Mark | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Button:
    """A button of the panel; pressed, the view gets `Command(command)`.

    Names beginning with `shell.` are the shell's own: `shell.undo`, `shell.hint`, `shell.reset`,
    `shell.skip`, `shell.menu`, `shell.new`, `shell.help`, `shell.editor`, `shell.first`,
    `shell.back`, `shell.forward`, `shell.last`, `shell.pause`, `shell.fit`, `shell.roll`.

    Args:
        command: Name of the command.
        label: One or two words.
        primary: The thing to do now (accent); at most one.
        enabled: False greys it out; it keeps its place.
        tip: Tooltip: what it does, or why it is greyed out.
        key: A key of its own, as in `View.keys` ("R", "Ctrl+Z"); shown in the tooltip.
        pressed: A switch that is on.
    """

    command: str
    label: str
    primary: bool = False
    enabled: bool = True
    tip: str = ""
    key: str = ""
    pressed: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """Label and value, line by line: ("Strength", "62 %")."""

    rows: tuple[tuple[str, str], ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Lines:
    """A scrolling list: move list, log. The end stays in sight unless a line is selected.

    Args:
        lines: One text each.
        title: Above it.
        selected: Index of the line shown as current, or None.
        command: A click on a line sends `Command(command, index)`; "" makes it plain text.
            `shell.step` moves the position shown to `steps[index]` (see below).
        steps: With `shell.step`: for each line the number of actions after which it stands.
        columns: Lines flow in that many columns, row by row (2 for a move list of two sides).
    """

    lines: tuple[str, ...]
    title: str = ""
    selected: int | None = None
    command: str = ""
    steps: tuple[int, ...] = ()
    columns: int = 1


@dataclass(frozen=True, slots=True)
class Sheet:
    """A small table: score sheet. The first column is left, the others right aligned.

    Args:
        header: Column titles.
        rows: Cells, as many as columns.
        title: Above it.
        total: A last row set off by a line.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    total: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bars:
    """A small bar chart: dice histogram. Values are shown as numbers as well."""

    labels: tuple[str, ...]
    values: tuple[float, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Gauge:
    """One bar from 0 to 1 with its value in words: strength, winning chance."""

    title: str
    value: float
    text: str
    tone: Tone = "accent"


Section: TypeAlias = Facts | Lines | Sheet | Bars | Gauge


@dataclass(frozen=True, slots=True)
class Panel:
    """What the side panel shows.

    Args:
        seats: One row a seat, in turn order.
        message: What happened last, in words: "Striker pocketed: one man goes back."
        tone: `warning` for a refusal or foul, `good` for a success.
        status: What is expected now: "White places the striker." Empty: the shell writes whose
            turn it is.
        buttons: At most six, by phase. The shell adds "Menu" itself; "Undo" and "Hint" stand in
            the panel only if the view asks for them (`shell.undo`, `shell.hint`).
        sections: Below, in order of weight; what does not fit scrolls.
    """

    seats: tuple[SeatRow, ...] = ()
    message: str = ""
    tone: Tone = "plain"
    status: str = ""
    buttons: tuple[Button, ...] = ()
    sections: tuple[Section, ...] = field(default=())

    def __post_init__(self) -> None:
        if len(self.buttons) > MAX_BUTTONS:
            raise ValueError(
                f"a panel shows at most {MAX_BUTTONS} buttons at a time, not {len(self.buttons)}"
            )

    def find(self, kind: type[Section]) -> Sequence[Section]:
        """The sections of a kind, for tests."""
        return [section for section in self.sections if isinstance(section, kind)]
