"""A man in the player's hand: one that comes back, or, in practice, one that is moved about."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from carromsim.app.board import DiscAt
from carromsim.app.input import (
    Cancel,
    Confirm,
    Drag,
    Leave,
    Navigate,
    Point,
    Press,
    Release,
    Semantic,
)
from carromsim.app.view import Intent, Play, Say, Sound
from carromsim.i18n import _
from games.carrom.placing import Field, is_free, nearest_place
from games.carrom.state import Arrange, CarromState, Man, Place
from games.carrom.words import colour_name

if TYPE_CHECKING:
    from games.carrom.game import Carrom

__all__ = ["STEP", "Hand"]

STEP: Final = {"fine": 0.0005, "normal": 0.004, "coarse": 0.02}
"""How far an arrow key slides the striker or a man in hand (m)."""
MOST: Final = {"white": 9, "black": 9, "queen": 1}
"""Men of each kind that there are."""


class Hand:
    """What the hand holds.

    Args:
        carrom: The rules.
        field: The table as placing knows it.

    Attributes:
        disc: The man in hand, or None.
        index: Which man of the layout it is, in practice; None: one that comes back.
    """

    def __init__(self, carrom: Carrom, field: Field) -> None:
        self.carrom = carrom
        self.field = field
        self.disc: DiscAt | None = None
        self.index: int | None = None
        self._grip = (0.0, 0.0)

    def clear(self) -> None:
        """Lets go."""
        self.disc = self.index = None

    def come_back(self, state: CarromState) -> None:
        """Takes the next man that comes back, over the place where the program would put it."""
        actions = getattr(self.carrom.legal(state), "actions", ())
        place = next((action for action in actions if isinstance(action, Place)), Place(0.0, 0.0))
        self.index = None
        self.disc = DiscAt(state.to_place[0].kind, place.x, place.y, self.field.man)

    def take(self, state: CarromState, x: float, y: float) -> bool:
        """Takes up the man under the pointer; False if there is none."""
        for index, man in enumerate(state.men):
            if math.hypot(x - man.x, y - man.y) <= self.field.man:
                self.index = index
                self._grip = (man.x - x, man.y - y)
                self.disc = DiscAt(man.kind, man.x, man.y, self.field.man)
                return True
        return False

    def fits(self, state: CarromState) -> bool:
        """The man in hand may lie where it is held."""
        disc = self.disc
        if disc is None:
            return False
        if self.index is None:
            return self.carrom.may_place(state, disc.x, disc.y)
        return is_free(self.field, disc.x, disc.y, self._others(state, self.index))

    def _others(self, state: CarromState, without: int | None) -> list[tuple[float, float, float]]:
        return [
            (man.x, man.y, self.field.man)
            for index, man in enumerate(state.men)
            if index != without
        ]

    def move_to(self, x: float, y: float) -> None:
        """Holds the man elsewhere."""
        if self.disc is not None:
            self.disc = self.disc._replace(x=x, y=y)

    def input(
        self,
        semantic: Semantic,
        state: CarromState,
        step_of: Callable[[int, int, float], tuple[float, float]],
    ) -> Iterable[Intent] | None:
        """Moves the man in hand or puts it down.

        Args:
            semantic: What the player does.
            state: Where the game stands.
            step_of: A step seen on the screen (right, up, size) in board coordinates.
        """
        if self.index is not None:
            return self._drag(semantic, state)
        disc = self.disc
        assert disc is not None
        match semantic:
            case Release():
                self.move_to(semantic.x, semantic.y)
                return self.put_down(state)
            case Point() | Press() | Drag():
                self.move_to(semantic.x, semantic.y)
                return ()
            case Navigate(dx=dx, dy=dy, step=step):
                x, y = step_of(dx, dy, STEP[step])
                reach = self.field.half - self.field.man
                self.move_to(
                    max(-reach, min(reach, disc.x + x)), max(-reach, min(reach, disc.y + y))
                )
                return ()
            case Confirm():
                return self.put_down(state)
            case Leave():
                return ()
        return None

    def put_down(self, state: CarromState) -> Iterable[Intent]:
        """Puts down a man that comes back, if it may lie there."""
        disc = self.disc
        if disc is None or not self.fits(state):
            return (
                Say(_("Inside the circle, and on no other man, please."), "warning"),
                Sound("refuse", 0.5),
            )
        return (Sound("place", 0.6), Play(Place(disc.x, disc.y)))

    def _drag(self, semantic: Semantic, state: CarromState) -> Iterable[Intent]:
        """Practice: the man goes where the pointer goes, off the board too."""
        match semantic:
            case Drag() | Release():
                self.move_to(semantic.x + self._grip[0], semantic.y + self._grip[1])
                if isinstance(semantic, Release):
                    return self._drop(state, semantic.tap)
            case Cancel():
                self.clear()
        return ()

    def _drop(self, state: CarromState, tap: bool) -> Iterable[Intent]:
        disc, index = self.disc, self.index
        assert disc is not None and index is not None
        self.clear()
        if tap:
            return ()
        men = list(state.men)
        off = max(abs(disc.x), abs(disc.y)) > self.field.half
        if off or any(math.hypot(disc.x - x, disc.y - y) < r for x, y, r in self.field.pockets):
            del men[index]
        else:
            place = nearest_place(
                self.field, self._others(state, index), (0.0, 1.0), target=(disc.x, disc.y)
            )
            if place is None:
                return (Sound("refuse", 0.5),)
            men[index] = Man(disc.kind, *place)
        return (Sound("place", 0.6), Play(Arrange(tuple(men))))

    def add(self, kind: str, state: CarromState) -> Iterable[Intent]:
        """Practice: one more man, as near the middle as there is room."""
        if state.count(kind) >= MOST[kind]:
            return (Say(_("No more {kind} left.").format(kind=colour_name(kind)), "muted"),)
        place = nearest_place(self.field, self._others(state, None), (0.0, 1.0))
        if place is None:
            return (Sound("refuse", 0.5),)
        return (Sound("place", 0.6), Play(Arrange((*state.men, Man(kind, *place)))))
