"""Where everything lies on the table, in board units."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from games.risk_express.cards import Card, Deck
from games.risk_express.dice import DICE, GENERAL, Line

__all__ = ["CARD_H", "CARD_W", "DIE", "LOST", "Box", "Plan", "Slot", "plan_of"]

CARD_W, CARD_H, GAP = 28.4, 18.6, 1.7
HEADER, FOOTER = 5.0, 3.4
BOWL_H = 22.0
DIE = 9.2
LOST = 5.2


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle about its centre."""

    x: float
    y: float
    width: float
    height: float

    def holds(self, x: float, y: float) -> bool:
        """The point lies in it."""
        return abs(x - self.x) <= self.width / 2 and abs(y - self.y) <= self.height / 2


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of one battle line, relative to the middle of its card."""

    line: Line
    box: Box


def slots_of(card: Card, *, extra: bool) -> tuple[Slot, ...]:
    """The slots of a card's lines, the extra general last: one column up to three, else two."""
    lines = (*card.lines, GENERAL) if extra else card.lines
    columns = 1 if len(lines) <= 2 else 2
    rows = -(-len(lines) // columns)
    room = CARD_H - HEADER - FOOTER
    height = min(room / rows, 4.8)
    width = (CARD_W - 2.0) / columns
    top = CARD_H / 2 - HEADER - (room - height * rows) / 2
    slots = []
    for number, line in enumerate(lines):
        column, row = number % columns, number // columns
        last_alone = columns == 2 and number == len(lines) - 1 and column == 0
        x = 0.0 if columns == 1 or last_alone else (column - 0.5) * width
        box = Box(x, top - (row + 0.5) * height, width - 0.8, height - 0.6)
        slots.append(Slot(line, box))
    return tuple(slots)


@dataclass(frozen=True)
class Plan:
    """The table of one deck.

    Args:
        width: Board units; the origin is the lower left corner.
        height: Board units.
        cards: The box of each card by id.
        bowl: Where the dice lie.
        aside: Where the dice that were given up lie.
    """

    width: float
    height: float
    cards: dict[str, Box]
    bowl: Box
    aside: Box

    def die(self, number: int, count: int) -> tuple[float, float]:
        """The place of a die in the bowl, of `count`."""
        spread = min(DIE * 1.28, (self.bowl.width - DIE - 4) / max(1, DICE - 1))
        return self.bowl.x + (number - (count - 1) / 2) * spread, self.bowl.y - 0.6

    def lost(self, number: int) -> tuple[float, float]:
        """The place of a die that was given up."""
        column, row = number % 4, number // 4
        step = LOST * 1.12
        return self.aside.x + (column - 1.5) * step, self.aside.y - 1.6 - (row - 0.5) * step


@lru_cache(maxsize=8)
def plan_of(deck: Deck) -> Plan:
    """The table of a deck: cards in rows from the top, the bowl below."""
    count = len(deck.cards)
    columns = 4 if count <= 16 else 5 if count <= 20 else 6
    rows = -(-count // columns)
    width = columns * CARD_W + (columns + 1) * GAP
    height = rows * (CARD_H + GAP) + GAP + BOWL_H + GAP
    boxes: dict[str, Box] = {}
    for number, card in enumerate(deck.cards):
        row, column = divmod(number, columns)
        in_row = min(columns, count - row * columns)
        x = width / 2 + (column - (in_row - 1) / 2) * (CARD_W + GAP)
        y = height - GAP - CARD_H / 2 - row * (CARD_H + GAP)
        boxes[card.id] = Box(x, y, CARD_W, CARD_H)
    aside_w = 27.0
    bowl_w = width - 3 * GAP - aside_w
    y = GAP + BOWL_H / 2
    return Plan(
        width,
        height,
        boxes,
        Box(GAP + bowl_w / 2, y, bowl_w, BOWL_H),
        Box(width - GAP - aside_w / 2, y, aside_w, BOWL_H),
    )
