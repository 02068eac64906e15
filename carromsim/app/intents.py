"""Intents: what a view answers to an input. The shell carries them out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from carromsim.core.fields import Json

__all__ = [
    "Ask",
    "Copy",
    "Do",
    "Export",
    "Intent",
    "OpenRecord",
    "Paste",
    "Play",
    "Roll",
    "Say",
    "Scroll",
    "Set",
    "Sound",
    "StartFrom",
    "Work",
]


@dataclass(frozen=True, slots=True)
class Play:
    """Play this action of the acting seat (or, with manual dice, this chance action).

    If the rules refuse it, nothing changes and the reason is said as the panel's message.
    """

    action: Any


@dataclass(frozen=True, slots=True)
class Roll:
    """Let chance act now; only where `chance()` answers "ask"."""


@dataclass(frozen=True, slots=True)
class Say:
    """A line of feedback in place of the panel's message until the next input or action."""

    text: str
    tone: Literal["plain", "accent", "warning", "good", "muted"] = "plain"


@dataclass(frozen=True, slots=True)
class Sound:
    """Play a sound of `assets/sounds`, by family name.

    Families: click, place, slide, contact, frame, pocket, fall, dice, card, tile, capture, hit,
    crown, win, lose, refuse, turn. (Several variants each; never the same twice in a row.)

    Args:
        name: The family.
        volume: 0 to 1, on top of the player's volume; scale it by the impulse.
        pan: −1 left to 1 right.
    """

    name: str
    volume: float = 1.0
    pan: float = 0.0


@dataclass(frozen=True, slots=True)
class Do:
    """Run a command of the shell, e.g. `shell.undo`, `shell.hint`, `shell.reset` (see Button)."""

    command: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A question in a dialog; the answer comes back as `Command(command of the choice)`.

    Args:
        title: The question.
        text: What it means.
        choices: (command, label), the safe one first; Esc picks the first.
        entry: With a text field, whose default this is; the text comes as `Command.value`.
    """

    title: str
    choices: tuple[tuple[str, str], ...]
    text: str = ""
    entry: str | None = None


@dataclass(frozen=True, slots=True)
class Copy:
    """Put text on the clipboard; the shell says so."""

    text: str


@dataclass(frozen=True, slots=True)
class Paste:
    """Asks for the clipboard: comes back as `Text(text, pasted=True)`."""


@dataclass(frozen=True, slots=True)
class Export:
    """Save text as a file in the player's saves folder (score sheet as CSV, game as PDN).

    The shell finds a free name, writes it whole and says where it is.
    """

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class StartFrom:
    """Begin a new game of the same options and seats from this state (JSON), e.g. pasted."""

    state: Json


@dataclass(frozen=True, slots=True)
class OpenRecord:
    """Open this record (JSON) in place of the game, and play on from its end: a pasted PDN."""

    record: Json


@dataclass(frozen=True, slots=True)
class Work:
    """Compute something in the worker process; the answer comes to `View.worked(name, result)`.

    For hints' equities, odds, anything above a few milliseconds. A new Work of the same name, an
    action or an undo cancels it. The function is a module-level one (it must be picklable) and
    is called as `function(*args, budget)`; it asks `budget.over` at least every 50 ms.
    """

    name: str
    function: Callable[..., Any]
    args: tuple[Any, ...] = ()
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Set:
    """Change a setting of `View.offers` and keep it, as the settings page does.

    Args:
        name: Its name.
        value: Its new value.
    """

    name: str
    value: Json


@dataclass(frozen=True, slots=True)
class Scroll:
    """Move the board of a free view under the camera, as a drag of the table does.

    Args:
        dx: Board units to the right.
        dy: Board units upwards.
    """

    dx: float
    dy: float


Intent: TypeAlias = (
    Play
    | Roll
    | Say
    | Sound
    | Do
    | Ask
    | Copy
    | Paste
    | Export
    | StartFrom
    | OpenRecord
    | Work
    | Scroll
    | Set
)
