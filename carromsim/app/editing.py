"""The position editor's contract: a game's view may bring one, the shell shows it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from carromsim.app.input import Semantic
from carromsim.app.intents import Intent
from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Json
from carromsim.i18n import _

if TYPE_CHECKING:
    from carromsim.app.canvas import Canvas
    from carromsim.app.view import Extent

__all__ = ["Editor", "Tool"]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool of a position editor: a piece to place, clear, a side to move, a die.

    Args:
        command: Given to `Editor.use`.
        label: Its name.
        group: Tools of a group stand together under this title.
        chosen: It is the one in hand, or the value set.
    """

    command: str
    label: str
    group: str = ""
    chosen: bool = False


class Editor(ABC):
    """A position editor of a game; the shell shows it with its tools and buttons.

    The shell adds: Play on from here, Copy, Paste, Cancel.
    """

    @abstractmethod
    def extent(self) -> Extent:
        """What of the board is shown."""

    @abstractmethod
    def draw(self, canvas: Canvas, now: float) -> None:
        """Draws the position being edited."""

    @abstractmethod
    def input(self, semantic: Semantic, now: float) -> Iterable[Intent] | None:
        """Places, moves or clears; only Say and Sound are useful answers."""

    @abstractmethod
    def tools(self) -> Sequence[Tool]:
        """The tools, in order."""

    @abstractmethod
    def use(self, command: str) -> None:
        """A tool was chosen."""

    @abstractmethod
    def problem(self) -> str:
        """What keeps the position from being played, naming the place ("" if nothing does)."""

    @abstractmethod
    def state(self) -> Json:
        """The position as state JSON, fit for `Session.start(state=...)`.

        Raises:
            CarromsimError: It cannot be played; the message names the square.
        """

    def copy_text(self) -> str | None:
        """The position in its usual notation (FEN, XGID), or None: no copy and paste."""
        return None

    def paste_text(self, text: str) -> None:
        """Takes a position from text.

        Raises:
            CarromsimError: It is none.
        """
        raise InvalidValue(_("This game has no text form of a position."))
