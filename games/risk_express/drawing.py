"""Cards, bowl and dice of Risk Express, drawn from vectors."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from carromsim.app.canvas import Tint
from carromsim.i18n import _
from games.risk_express.cards import Card, Deck
from games.risk_express.dice import Faces, Line
from games.risk_express.symbols import draw_face, draw_mark, draw_soldier
from games.risk_express.table_plan import (
    CARD_H,
    CARD_W,
    DIE,
    FOOTER,
    HEADER,
    LOST,
    Box,
    Plan,
    slots_of,
)
from games.risk_express.words import card_name, continent_name

if TYPE_CHECKING:
    from carromsim.app.canvas import Canvas
    from carromsim.app.theme import Paint

__all__ = ["SEAT_SHAPES", "CardLook", "draw_bowl", "draw_card", "draw_die", "draw_table"]

SEAT_SHAPES = ("disc", "square", "triangle", "diamond", "ring", "hexagon")
"""A seat's sign, so that its colour is not the only cue."""
CONTINENT_SHAPES = ("square", "triangle", "disc", "diamond", "hexagon", "ring")
_KNOWN = ("asia", "north_america", "europe", "africa", "south_america", "australia")


@dataclass(frozen=True, slots=True)
class CardLook:
    """How a card lies there: everything its picture depends on.

    Args:
        owner: Seat and name of who holds it, or None.
        whole: It lies face down: its continent is held whole.
        extra: It shows the extra general's line.
        filled: Dice on its lines.
        fillable: Lines that the roll can fill.
        chosen: The line that is selected.
        target: It is under attack.
        dim: It cannot be attacked now.
        lit: It is being counted.
    """

    owner: tuple[int, str] | None = None
    whole: bool = False
    extra: bool = False
    filled: tuple[tuple[int, Faces], ...] = ()
    fillable: frozenset[int] = frozenset()
    chosen: int | None = None
    target: bool = False
    dim: bool = False
    lit: bool = False


def _band(continent: str) -> str:
    return f"risk_express.{continent if continent in _KNOWN else 'other'}"


def _shape(deck: Deck, continent: str) -> str:
    order = [one.id for one in deck.continents]
    return CONTINENT_SHAPES[order.index(continent) % len(CONTINENT_SHAPES)]


def _fitted(canvas: Canvas, text: str, height: float, width: float) -> tuple[str, float]:
    """The text, smaller or at last cut, so that it fits the width."""
    for size in (height, height * 0.88, height * 0.76):
        if canvas.text_size(text, height=size, weight="bold")[0] <= width:
            return text, size
    size = height * 0.76
    while len(text) > 1 and canvas.text_size(text + "…", height=size, weight="bold")[0] > width:
        text = text[:-1]
    return text + "…", size


def draw_table(canvas: Canvas, plan: Plan) -> None:
    """The wooden table, with a fine grain of a fixed seed."""
    visible = canvas.visible()
    canvas.fill("risk_express.table")
    rng = random.Random(7)
    y = visible.bottom
    while y < visible.top:
        y += rng.uniform(0.5, 2.4)
        x1 = visible.left + rng.uniform(-60, visible.width)
        x2 = x1 + rng.uniform(20, 90)
        canvas.line(x1, y, x2, y + rng.uniform(-0.3, 0.3), rng.uniform(0.12, 0.4),
                    Tint("risk_express.table.grain", rng.uniform(0.15, 0.5)))  # fmt: skip


def draw_bowl(canvas: Canvas, plan: Plan, *, aside: bool = True) -> None:
    """The felt where the dice lie, and the place for those given up."""
    token = "risk_express.bowl"
    for box in (plan.bowl, plan.aside) if aside else (plan.bowl,):
        canvas.shadow_rect(box.x, box.y, box.width, box.height, radius=3, lift=0.8)
        canvas.rect(box.x, box.y, box.width, box.height, "risk_express.bowl.rim", radius=3)
        canvas.rect(box.x, box.y - 0.2, box.width - 1.4, box.height - 1.4, token, radius=2.4)
    if not aside:
        return
    canvas.text(
        plan.aside.x,
        plan.aside.y + plan.aside.height / 2 - 3.4,
        _("Given up"),
        "risk_express.bowl.text",
        height=3.0,
    )


def draw_die(canvas: Canvas, face: str | None, size: float, *, raised: bool = False) -> None:
    """A die round (0, 0); without a face it has not been thrown."""
    canvas.shadow_rect(0, 0, size, size, radius=size * 0.18, lift=size * (0.16 if raised else 0.07))
    canvas.rect(0, 0, size, size, "risk_express.die.edge", radius=size * 0.18)
    canvas.rect(
        -0.012 * size, 0.018 * size, size * 0.94, size * 0.94, "risk_express.die",
        radius=size * 0.16,
    )  # fmt: skip
    if raised:
        canvas.rect(
            0, 0, size * 1.06, size * 1.06, "accent", radius=size * 0.2, outline=size * 0.07
        )
    if face is not None:
        draw_face(canvas, face, 0, 0, size * 0.36, "risk_express.die.ink", "risk_express.die")


def draw_card(canvas: Canvas, deck: Deck, card: Card, look: CardLook) -> None:
    """A card round (0, 0)."""
    canvas.shadow_rect(0, 0, CARD_W, CARD_H, radius=1.6, lift=0.7)
    if look.whole:
        _back(canvas, deck, card, look)
    else:
        _front(canvas, deck, card, look)
    if look.dim:
        canvas.rect(0, 0, CARD_W, CARD_H, Tint("risk_express.table", 0.32), radius=1.6)
    if look.target or look.lit:
        canvas.rect(0, 0, CARD_W + 0.7, CARD_H + 0.7, "mark.legal", radius=1.9, outline=0.6)


def _owner_strip(canvas: Canvas, look: CardLook, ink: str, y: float) -> None:
    if look.owner is None:
        return
    seat, name = look.owner
    text, size = _fitted(canvas, name, 2.5, CARD_W - 7)
    width = canvas.text_size(text, height=size, weight="bold")[0]
    left = -(width + 3.2) / 2
    # a ring of ink keeps a light seat colour readable on light card stock
    draw_mark(canvas, SEAT_SHAPES[seat], left + 0.9, y, 1.25, ink)
    draw_mark(canvas, SEAT_SHAPES[seat], left + 0.9, y, 0.95, f"seat.{seat}")
    canvas.text(left + 3.0, y, text, ink, height=size, weight="bold", anchor="left")


def _back(canvas: Canvas, deck: Deck, card: Card, look: CardLook) -> None:
    canvas.rect(0, 0, CARD_W, CARD_H, "risk_express.card.edge", radius=1.6)
    canvas.rect(0, 0, CARD_W - 0.4, CARD_H - 0.4, "risk_express.back", radius=1.5)
    canvas.rect(0, 0, CARD_W - 2, CARD_H - 2, _band(card.continent), radius=1.0, outline=0.6)
    ink = "risk_express.back.ink"
    name, size = _fitted(canvas, continent_name(deck, card.continent), 3.2, CARD_W - 5)
    canvas.text(0, 5.6, name, ink, height=size, weight="bold")
    value = next(one.points for one in deck.continents if one.id == card.continent)
    canvas.text(0, 1.2, str(value), ink, height=6.0, weight="bold")
    canvas.text(0, -2.6, card_name(deck, card.id), Tint(ink, 0.85), height=2.2)
    _owner_strip(canvas, look, ink, -6.0)


def _front(canvas: Canvas, deck: Deck, card: Card, look: CardLook) -> None:
    canvas.rect(0, 0, CARD_W, CARD_H, "risk_express.card.edge", radius=1.6)
    canvas.rect(-0.05, 0.08, CARD_W - 0.35, CARD_H - 0.35, "risk_express.card", radius=1.5)
    band = _band(card.continent)
    top = CARD_H / 2 - 0.6 - (HEADER - 1.0) / 2
    canvas.rect(0, top, CARD_W - 1.2, HEADER - 1.0, band, radius=1.0)
    draw_mark(
        canvas, _shape(deck, card.continent), -CARD_W / 2 + 2.7, top, 0.95, "risk_express.card"
    )
    name, size = _fitted(canvas, card_name(deck, card.id), 2.9, CARD_W - 11)
    canvas.text(
        -CARD_W / 2 + 4.6, top, name, "risk_express.card", height=size, weight="bold", anchor="left"
    )
    canvas.disc(CARD_W / 2 - 2.8, top, 1.75, "risk_express.card")
    canvas.text(
        CARD_W / 2 - 2.8, top, str(card.points), "risk_express.card.ink", height=2.9, weight="bold"
    )
    filled = dict(look.filled)
    for index, slot in enumerate(slots_of(card, extra=look.extra)):
        _slot(canvas, slot.line, slot.box, filled.get(index), look, index)
    if look.owner is not None:
        _owner_strip(canvas, look, "risk_express.card.ink", -CARD_H / 2 + FOOTER / 2 + 0.2)
    else:
        canvas.text(
            0,
            -CARD_H / 2 + FOOTER / 2 + 0.2,
            continent_name(deck, card.continent),
            "risk_express.card.muted",
            height=2.2,
        )


def _slot(
    canvas: Canvas, line: Line, box: Box, faces: Faces | None, look: CardLook, index: int
) -> None:
    fill, edge = "risk_express.slot", "risk_express.slot.edge"
    ink: str = "risk_express.card.ink"
    width = 0.14
    if faces is not None:
        fill, edge, ink = (
            "risk_express.slot.filled",
            "risk_express.slot.filled",
            "risk_express.slot.filled.ink",
        )
    elif look.chosen == index:
        fill, edge, width = "risk_express.slot.chosen", "risk_express.slot.chosen.edge", 0.34
    elif index in look.fillable:
        fill, edge, width = "risk_express.slot.open", "risk_express.slot.chosen", 0.34
    canvas.rect(box.x, box.y, box.width, box.height, edge, radius=0.9)
    canvas.rect(box.x, box.y, box.width - 2 * width, box.height - 2 * width, fill, radius=0.8)
    size = min(box.height * 0.44, 2.0)
    if faces is not None:
        _row(canvas, faces, box, size, ink, fill)
        _tick(canvas, box.x + box.width / 2 - 1.5, box.y, 0.8, ink)
    elif line.symbols:
        _row(canvas, line.symbols, box, size, ink, fill)
    else:
        text = str(line.soldiers)
        wide = canvas.text_size(text, height=size * 1.9, weight="bold")[0]
        left = box.x - (wide + size * 1.3) / 2
        draw_soldier(canvas, left + size * 0.4, box.y, size, ink)
        canvas.text(
            left + size * 1.3, box.y, text, ink, height=size * 1.9, weight="bold", anchor="left"
        )


def _row(canvas: Canvas, faces: Faces, box: Box, size: float, ink: Paint, paper: Paint) -> None:
    step = min(size * 2.5, (box.width - 3.4) / max(1, len(faces)))
    size = min(size, step * 0.46)
    for number, face in enumerate(faces):
        x = box.x + (number - (len(faces) - 1) / 2) * step
        draw_face(canvas, face, x, box.y, size, ink, paper)


def _tick(canvas: Canvas, x: float, y: float, size: float, ink: Paint) -> None:
    canvas.polyline(
        [(x - size * 0.7, y), (x - size * 0.2, y - size * 0.5), (x + size * 0.7, y + size * 0.6)],
        size * 0.28,
        ink,
    )


def card_sprite(canvas: Canvas, deck: Deck, card: Card, box: Box, look: CardLook) -> None:
    """A card at its place, from the cache of pictures."""
    canvas.sprite(
        ("card", card, look, deck.name, card_name(deck, card.id)),
        box.x,
        box.y,
        CARD_W,
        CARD_H,
        lambda inner: draw_card(inner, deck, card, look),
        bleed=0.12,
    )


def die_sprite(
    canvas: Canvas,
    face: str | None,
    x: float,
    y: float,
    *,
    size: float = DIE,
    angle: float = 0.0,
    raised: bool = False,
    alpha: float = 1.0,
) -> None:
    """A die at its place, from the cache of pictures."""
    canvas.sprite(
        ("die", face, raised),
        x,
        y,
        size,
        size,
        lambda inner: draw_die(inner, face, size, raised=raised),
        angle=angle,
        alpha=alpha,
    )


def draw_lost(canvas: Canvas, plan: Plan, faces: Faces) -> None:
    """The dice given up this turn, dimmed, in sight."""
    for number, face in enumerate(faces):
        x, y = plan.lost(number)
        die_sprite(canvas, face, x, y, size=LOST, alpha=0.72)
