"""What a game brings to the desktop: one `View`.

A view draws in board units on a `Canvas`, gets semantic inputs in board coordinates, and answers
with intents; its panel is data. Everything else is the shell's: the session, seats, bots, chance,
clocks, the curtain, undo, saving, menu, buttons, sound, the camera.

A game names its view in `Game.view = "games.X.view:XView"`. The order of calls:

1. `View(game, settings)` once for each game scene;
2. `show(situation)` after every action, undo, step through the record, change of perspective;
3. in each frame `tick(now)`, then, if something moves or was asked for, `draw(canvas, now)`
   (and `draw_tray`), `panel()`;
4. `input(semantic, now)` for each input while no dialog is open.

`now` is the view's clock in seconds: it runs with the display, faster while the player speeds the
animation up, and stands still in a pause. Take animation times from it and from nothing else, so
that scripts can play with a fake clock. Views never sleep, never start threads, and never read
files in `draw`.

While `busy(now)` the shell holds back bots, chance, the curtain and the next `show`, and any
press or Confirm calls `skip()`. When nothing moves (`busy` and `moving` false) nothing is drawn
until an input, a `show` or `refresh_at()` comes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

from carromsim.app.editing import Editor, Tool
from carromsim.app.input import Semantic
from carromsim.app.intents import (
    Ask,
    Copy,
    Do,
    Export,
    Intent,
    OpenRecord,
    Paste,
    Play,
    Roll,
    Say,
    Scroll,
    Set,
    Sound,
    StartFrom,
    Work,
)
from carromsim.app.panel import Panel
from carromsim.core.fields import Json
from carromsim.core.game import Event, Game, Mover
from carromsim.core.outcome import Outcome
from carromsim.core.record import Seat
from carromsim.i18n import _

if TYPE_CHECKING:
    from carromsim.app.canvas import Canvas

__all__ = [
    "Ask",
    "Copy",
    "Do",
    "Editor",
    "Export",
    "Extent",
    "History",
    "Intent",
    "OpenRecord",
    "Paste",
    "Play",
    "Roll",
    "Say",
    "Scroll",
    "Set",
    "Setting",
    "Situation",
    "Sound",
    "StartFrom",
    "Tool",
    "View",
    "Work",
]

S = TypeVar("S")
A = TypeVar("A")


# what a view is shown ----------------------------------------------------------------------


class History(ABC):
    """The game so far, lazily: for move lists, logs, histograms.

    States are complete ones: a view with hidden hands shows of them only what is public.
    """

    @abstractmethod
    def __len__(self) -> int:
        """Number of actions."""

    @property
    @abstractmethod
    def actions(self) -> Sequence[Any]:
        """The actions."""

    @property
    @abstractmethod
    def states(self) -> Sequence[Any]:
        """The states; `states[i]` is before `actions[i]`, one more than there are actions."""

    @property
    @abstractmethod
    def events(self) -> Sequence[tuple[Event, ...]]:
        """What happened in each action."""


@dataclass(frozen=True, slots=True)
class Situation(Generic[S, A]):
    """Everything a view needs to show where the game stands.

    Args:
        state: The state to show: what `perspective` may see (`Game.observe`) in a game with
            `View.hidden` while it goes on, else the complete state.
        cause: Why it is shown: `start` (new or resumed game, nothing to animate), `action`
            (`action` just led here from `before`), `undo`, `step` (looking through the record),
            `view` (only perspective, seats, settings or thinking changed).
        before: The state before the action, seen as `state` is, or None.
        action: The action that led here, or None.
        events: What happened in it, with their attachments (also kept after an undo or step, so
            that the last move can be marked).
        mover: Who acts next: a seat, CHANCE or None at the end.
        acting: The seat for which inputs are taken now: a person's turn, the game shown at its
            end and no pause; else None. With `chance()` answering "ask" it is the seat that
            `roller()` names while chance is to move.
        perspective: The seat at the bottom of the screen.
        seats: Who sits where.
        names: Names to show, one a seat.
        animate: False: show the result at once (animations off, jump, undo).
        thinking: The seat of the bot that thinks, or None.
        outcome: The result, once it is over.
        place: After how many actions this stands.
        history: The whole game.
        options: The resolved options.
        seed: The record's seed.
        undoable: Undo has something to take back.
    """

    state: S
    cause: Literal["start", "action", "undo", "step", "view"]
    before: S | None
    action: A | None
    events: tuple[Event, ...]
    mover: Mover
    acting: int | None
    perspective: int
    seats: tuple[Seat, ...]
    names: tuple[str, ...]
    animate: bool
    thinking: int | None
    outcome: Outcome | None
    place: int
    history: History
    options: Mapping[str, Json]
    seed: int
    undoable: bool = False

    @property
    def live(self) -> bool:
        """The newest position is shown, not one looked up in the record."""
        return self.place == len(self.history)


@dataclass(frozen=True, slots=True)
class Extent:
    """A rectangle in board units, y up."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        """Board units."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Board units."""
        return self.top - self.bottom

    @property
    def centre(self) -> tuple[float, float]:
        """The middle."""
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2


@dataclass(frozen=True, slots=True)
class Setting:
    """Something a player may set for this game's view; kept in the settings file.

    A bool default makes a toggle, `choices` a choice, a number with `low` and `high` a slider.

    Args:
        name: Key in `View.settings`.
        label: A gettext message id (mark it with `N_`).
        default: Its value at first.
        choices: (value, label message id).
        low: Least number.
        high: Greatest number.
        step: Of the slider.
        tip: One line more, a message id.
    """

    name: str
    label: str
    default: Json
    choices: tuple[tuple[Json, str], ...] = ()
    low: float = 0.0
    high: float = 1.0
    step: float = 0.1
    tip: str = ""


# the view ----------------------------------------------------------------------------------


class View(ABC, Generic[S, A]):
    """What a game's `view.py` implements. One object lives as long as its game scene.

    Attributes:
        game: The rules.
        settings: Values of `offers`, by name; read them when needed, they change.
        situation: The last one shown (set by the base `show`; call `super().show(...)` first).
    """

    hidden: ClassVar[bool] = False
    """Seats have something to hide: states are observed, and a curtain comes between people."""
    free: ClassVar[bool] = False
    """The board may be zoomed and panned (`extent` is then what "fit" shows)."""
    offers: ClassVar[tuple[Setting, ...]] = ()
    """Settings of this view."""
    keys: ClassVar[Mapping[str, str]] = {}
    """Key to command name: {"R": "rotate", "Shift+R": "rotate_back", "Space": "roll"}. Taken
    keys: Esc, Enter, Tab, arrows, F1–F12, Ctrl+Z (undo), Ctrl+N, Ctrl+Q, Q and E (turn), + − 0
    (zoom and fit, free views), M (mute), P (pause), H (hint), X (speed up). All listed in
    the help with `key_help`."""
    key_help: ClassVar[Mapping[str, str]] = {}
    """Key (as shown: "R", "Wheel") to what it does, message ids; shown on the help page."""
    has_hint: ClassVar[bool] = False
    """`shell.hint` makes sense: it asks the strongest bot and gives its action to `hinted`."""
    desktop_options: ClassVar[Mapping[str, Json]] = {}
    """What differs from the game's own defaults where a game is set up with a screen: carrom's
    men are placed by hand."""
    option_labels: ClassVar[Mapping[str, str]] = {}
    """Short labels (message ids) of options, option values and rule sets on the start screen:
    {"target": "Points to win", "rules.icf": "ICF", "placing.hand": "By hand"}."""
    level_labels: ClassVar[Mapping[int, str]] = {}
    """Names of bot levels (message ids); else "Level 3"."""

    def __init__(self, game: Game[S, A], settings: Mapping[str, Json] | None = None) -> None:
        self.game = game
        self.settings: dict[str, Json] = {offer.name: offer.default for offer in self.offers}
        self.settings.update(
            (name, value) for name, value in (settings or {}).items() if name in self.settings
        )
        self.situation: Situation[S, A] | None = None

    # showing -------------------------------------------------------------------------------

    def show(self, situation: Situation[S, A], now: float) -> None:
        """Takes over a new situation; with `situation.animate` begins to animate it at `now`.

        Let go of whatever was held or prepared unless `cause` is `view`.
        """
        self.situation = situation

    @abstractmethod
    def extent(self) -> Extent:
        """The board's rectangle in board units: fitted into the board area, aspect kept.

        For a free view: what "fit all" shows, at least (margins are the view's own).
        """

    def must_see(self) -> Extent | None:
        """What has to be in sight after an action on a zoomed free view (the tile that landed).

        If it is not, the shell shows the whole board. None: all of `extent`.
        """
        return None

    def quarter_turns(self) -> int:
        """By how many quarter turns (counter-clockwise) the shell shows the board.

        Inputs come back turned accordingly, text stays upright, shadows stay lower right. The
        default shows the perspective's seat at the bottom for boards whose seats 0, 1, 2, 3 sit
        south, east, north, west if a view wants that: return -seat. Default: 0.
        """
        return 0

    @abstractmethod
    def draw(self, canvas: Canvas, now: float) -> None:
        """Draws the board. Static parts belong in `canvas.layer`, pieces in `canvas.sprite`."""

    def tray_extent(self) -> Extent | None:
        """A strip below the board that neither zooms nor pans (a rack, a bowl), or None.

        In units of its own. It takes the board area's width and at most 30 % of its height,
        aspect kept.
        """
        return None

    def draw_tray(self, canvas: Canvas, now: float) -> None:
        """Draws the tray."""

    @abstractmethod
    def panel(self) -> Panel:
        """What the side panel shows now. Asked once after each show, input and tick that did
        something, so it may be composed anew each time."""

    @classmethod
    def emblem(cls, canvas: Canvas) -> None:
        """Draws the game's picture for the start screen's card: units −1 … 1 in both
        directions, the card's background already there. The default is a plain disc."""
        canvas.disc(0, 0, 0.7, "accent")

    # time ----------------------------------------------------------------------------------

    def busy(self, now: float) -> bool:
        """An animation runs that the game has to wait for."""
        return False

    def moving(self, now: float) -> bool:
        """Something moves that nobody waits for (a mark that fades): draw each frame."""
        return False

    def refresh_at(self) -> float | None:
        """Draw once at this time of the view's clock, or None."""
        return None

    def tick(self, now: float) -> Iterable[Intent]:
        """Called each frame before drawing: sounds that are due, mostly."""
        return ()

    def skip(self) -> None:
        """Ends every animation at once; `busy` is false afterwards."""

    # acting --------------------------------------------------------------------------------

    @abstractmethod
    def input(self, semantic: Semantic, now: float) -> Iterable[Intent] | None:
        """Answers an input with intents. None: it means nothing here (Esc then opens the menu).

        Inputs come as well when it is nobody's turn here (`situation.acting is None`), so that a
        board can be looked at; the shell refuses a Play then.
        """

    def set(self, name: str, value: Json) -> None:
        """The player changed a setting of `offers`."""
        self.settings[name] = value

    def chance(self) -> Literal["auto", "ask"]:
        """How the chance action that comes now is made: `auto` the shell draws it at once, `ask`
        the view lets the player throw (intent `Roll`) or type it in (`Play`)."""
        return "auto"

    def roller(self) -> int | None:
        """The seat that throws, when `chance()` answers "ask"; None: any person."""
        return None

    def hinted(self, action: A) -> Iterable[Intent]:
        """A bot's proposal for the acting seat: show it."""
        return ()

    def worked(self, name: str, result: Any) -> Iterable[Intent]:
        """The result of a Work intent; an exception if it failed."""
        return ()

    def timeout(self, seat: int) -> A | None:
        """The action that ends the game when a seat's clock has run out (a resignation), or None:
        the shell then records the flag and asks whether to play on."""
        return None

    # words ---------------------------------------------------------------------------------

    def outcome_text(self, outcome: Outcome) -> str:
        """How it ended, in words. The default names the winners."""
        names = self.situation.names if self.situation else ()
        winners = [names[seat] for seat in outcome.winners if seat < len(names)]
        if not winners:
            return _("A draw.")
        if len(winners) == 1:
            return _("{name} wins.").format(name=winners[0])
        return _("{names} win.").format(names=_(" and ").join(winners))

    def asks_before_reset(self) -> bool:
        """`shell.reset` asks first (a scored game); False: nothing is lost (practice)."""
        return True

    def menu(self) -> Sequence[tuple[str, str]]:
        """More commands for the menu: (command, label). They come as `Command(command)`."""
        return ()

    def editor(self) -> Editor | None:
        """A position editor that begins with the position shown, or None: there is none."""
        return None

    @property
    def my_turn(self) -> bool:
        """A person acts now (not chance)."""
        situation = self.situation
        return (
            situation is not None
            and situation.acting is not None
            and situation.mover == situation.acting
        )
