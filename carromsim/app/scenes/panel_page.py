"""The side panel laid out: a view's Panel and what the shell knows beside it, as widgets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from carromsim.app.panel import (
    Bars,
    Facts,
    Gauge,
    Lines,
    Panel,
    SeatRow,
    Section,
    Sheet,
)
from carromsim.app.panel import (
    Button as ButtonData,
)
from carromsim.app.pen import Pen
from carromsim.app.theme import Tint
from carromsim.app.widgets import Button, ListBox, Look, Page, Widget
from carromsim.i18n import _

__all__ = ["SeatFacts", "build_panel"]

_TONES = {
    "plain": ("text", None),
    "accent": ("text", "accent"),
    "warning": ("warning", "warning"),
    "good": ("good", "good"),
    "muted": ("text.muted", None),
}


MOST_LINES = 7
"""Lines of a message; a longer one is cut, and told in full where the pointer rests on it."""


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """What the shell adds to a seat's row.

    Args:
        name: Its name.
        kind: "Level 3" for a bot, "" for a person.
        clock: Time left, or "".
        active: It is to move.
        thinking: Its bot thinks.
        low: Its time runs out.
    """

    name: str
    kind: str = ""
    clock: str = ""
    active: bool = False
    thinking: bool = False
    low: bool = False


class SeatWidget(Widget):
    """One seat: mark, name, details, badges, score, clock."""

    def __init__(self, rect: pygame.Rect, row: SeatRow, facts: SeatFacts, compact: bool) -> None:
        super().__init__(f"seat {row.seat}", rect)
        self.row = row
        self.facts = facts
        self.compact = compact
        self.tip = "  ".join(badge.tip for badge in row.badges if badge.tip)

    @staticmethod
    def second_line(row: SeatRow, facts: SeatFacts) -> str:
        """What stands under the name."""
        first = _("thinking…") if facts.thinking else facts.kind
        return " · ".join(part for part in (first, *row.details) if part)

    @classmethod
    def height(cls, pen: Pen, row: SeatRow, facts: SeatFacts, width: int, compact: bool) -> int:
        """The height it needs."""
        badges = pen.line_height("small") + pen.s(8) if row.badges else 0
        if compact:
            return pen.line_height() + pen.s(10) + badges
        lines = 1 if cls.second_line(row, facts) else 0
        return pen.line_height() + lines * pen.line_height("small") + badges + pen.s(18)

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws the row."""
        row, facts = self.row, self.facts
        pad = pen.s(10)
        if facts.active:
            pen.box(rect, "panel.active", radius=8, edge=Tint("accent", 0.8))
            bar = pygame.Rect(rect.left, rect.top + pen.s(8), pen.s(4), rect.height - pen.s(16))
            pen.box(bar, "accent", radius=2)
        else:
            pen.box(rect, "panel.raised", radius=8)
        x, y = rect.left + pad + pen.s(2), rect.top + pen.s(5 if self.compact else 8)
        right = rect.right - pad
        if row.mark is not None:
            side = pen.s(16)
            spot = pygame.Rect(x, y + (pen.line_height() - side) // 2, side, side)
            pen.mark(row.mark, spot)
            x += side + pen.s(8)
        if row.score:
            right -= pen.text(
                row.score, right, y - pen.s(3), size="title", weight="bold", align="right"
            )
            right -= pen.s(10)
        if facts.clock:
            ink = "warning" if facts.low else "text" if facts.active else "text.muted"
            right -= pen.text(facts.clock, right, y, ink, weight="medium", align="right")
            right -= pen.s(10)
        name = row.name or facts.name
        second = self.second_line(row, facts)
        if self.compact:
            used = pen.text(name, x, y, weight="bold", width=max(10, right - x))
            room = right - x - used - pen.s(8)
            if room > pen.s(40):
                pen.text(second, x + used + pen.s(8), y, "text.muted", size="small", width=room)
            second = ""
        else:
            pen.text(name, x, y, weight="bold", width=max(10, right - x))
        y += pen.line_height()
        if second:
            ink = "accent" if facts.thinking else "text.muted"
            pen.text(second, x, y, ink, size="small", width=rect.right - pad - x)
            y += pen.line_height("small")
        y += pen.s(4)
        for badge in row.badges:
            ink, _edge = _TONES[badge.tone]
            width = pen.width(badge.text, "small", "medium") + pen.s(14)
            if x + width > rect.right - pad:
                break
            pill = pygame.Rect(x, y, width, pen.line_height("small") + pen.s(2))
            face = {"warning": "warning.soft", "good": "good.soft", "accent": "accent.soft"}
            pen.box(pill, face.get(badge.tone, "button"), radius=9)
            pen.text_in(pill, badge.text, "text", size="small", weight="medium")
            x += width + pen.s(6)


class MessageWidget(Widget):
    """What happened, and what is expected now."""

    def __init__(
        self, pen: Pen, x: int, y: int, width: int, message: str, tone: str, status: str
    ) -> None:
        super().__init__("message", pygame.Rect(x, y, width, 0), message or status)
        self.message, self.tone, self.status = message, tone, status
        inner = width - pen.s(14)
        self._message = pen.wrap(message, inner) if message else []
        if len(self._message) > MOST_LINES:
            rest = " ".join(self._message[MOST_LINES - 1 :])
            self._message[MOST_LINES - 1 :] = [pen.cut(rest, inner)]
            self.tip = message
        self._status = pen.wrap(status, inner, "body", "medium")[:3] if status else []
        lines = len(self._message) + len(self._status)
        gap = pen.s(6) if self._message and self._status else 0
        self.rect.height = lines * pen.line_height() + gap

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws both, the message with a bar in its tone."""
        ink, edge = _TONES[self.tone]
        y, x = rect.top, rect.left + pen.s(12)
        if self._message:
            height = len(self._message) * pen.line_height()
            bar = pygame.Rect(rect.left, y + pen.s(3), pen.s(3), height - pen.s(6))
            pen.box(bar, edge or "button.edge", radius=1.5)
            for line in self._message:
                pen.text(line, x, y, ink)
                y += pen.line_height()
            y += pen.s(6)
        for line in self._status:
            pen.text(line, x, y, weight="medium")
            y += pen.line_height()


class SectionTitle(Widget):
    """The title of a section."""

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws a hairline and the title."""
        pen.line(rect.left, rect.top, rect.right, rect.top, "panel.line")
        pen.text(
            self.label,
            rect.left,
            rect.top + pen.s(8),
            "text.muted",
            size="small",
            weight="medium",
            width=rect.width,
        )


class FactsWidget(Widget):
    """Labels and values."""

    def __init__(self, name: str, rect: pygame.Rect, facts: Facts) -> None:
        super().__init__(name, rect)
        self.facts = facts

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws them line by line."""
        y = rect.top
        for label, value in self.facts.rows:
            used = pen.text(
                value, rect.right, y, weight="medium", align="right", width=rect.width * 2 // 3
            )
            pen.text(label, rect.left, y, "text.muted", width=rect.width - used - pen.s(8))
            y += pen.line_height()


class GaugeWidget(Widget):
    """A bar with its value in words."""

    def __init__(self, name: str, rect: pygame.Rect, gauge: Gauge) -> None:
        super().__init__(name, rect)
        self.gauge = gauge

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws it."""
        gauge = self.gauge
        used = pen.text(gauge.text, rect.right, rect.top, weight="medium", align="right")
        pen.text(gauge.title, rect.left, rect.top, "text.muted", width=rect.width - used - pen.s(8))
        bar = pygame.Rect(rect.left, rect.top + pen.line_height() + pen.s(2), rect.width, pen.s(8))
        pen.box(bar, "field", radius=4, edge=Tint("button.edge", 0.6))
        share = max(0.0, min(1.0, gauge.value))
        full = pygame.Rect(bar.left, bar.top, round(bar.width * share), bar.height)
        tone = {"warning": "warning", "good": "good"}.get(gauge.tone, "accent")
        pen.box(full, tone, radius=4)


class SheetWidget(Widget):
    """A small table."""

    def __init__(self, name: str, rect: pygame.Rect, sheet: Sheet) -> None:
        super().__init__(name, rect)
        self.sheet = sheet

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws header, rows and total; columns as wide as they need, the first takes the rest."""
        sheet = self.sheet
        rows = [sheet.header, *sheet.rows, *([sheet.total] if sheet.total else [])]
        count = max((len(row) for row in rows), default=0)
        if not count:
            return
        gap = pen.s(10)
        widths = [
            max((pen.width(row[i], "body", "medium") for row in rows if i < len(row)), default=0)
            for i in range(count)
        ]
        spare = rect.width - sum(widths) - gap * (count - 1)
        if spare < 0:
            widths[0] = max(pen.s(24), widths[0] + spare)
        y = rect.top
        for number, row in enumerate(rows):
            total = bool(sheet.total) and number == len(rows) - 1
            head = number == 0
            if total:
                pen.line(rect.left, y, rect.right, y, "panel.line")
                y += pen.s(2)
            right = rect.right
            for index in range(count - 1, 0, -1):
                text = row[index] if index < len(row) else ""
                pen.text(
                    text,
                    right,
                    y,
                    "text.muted" if head else "text",
                    align="right",
                    size="small" if head else "body",
                    weight="medium" if total else "regular",
                )
                right -= widths[index] + gap
            pen.text(
                row[0] if row else "",
                rect.left,
                y,
                "text.muted" if head else "text",
                size="small" if head else "body",
                weight="medium" if total else "regular",
                width=max(pen.s(10), right - rect.left),
            )
            y += pen.line_height()


class BarsWidget(Widget):
    """A small bar chart."""

    def __init__(self, name: str, rect: pygame.Rect, bars: Bars) -> None:
        super().__init__(name, rect)
        self.bars = bars

    def draw(self, pen: Pen, rect: pygame.Rect, look: Look) -> None:
        """Draws bars with their values above and labels below."""
        bars = self.bars
        count = len(bars.values)
        if not count:
            return
        most = max(*bars.values, 1e-9) if count > 1 else max(bars.values[0], 1e-9)
        small = pen.line_height("small")
        width = rect.width / count
        room = rect.height - 2 * small
        for index, value in enumerate(bars.values):
            left = rect.left + round(index * width)
            cell = pygame.Rect(left, rect.top, round(width) - pen.s(4), rect.height)
            high = round(room * value / most)
            bar = pygame.Rect(cell.left, rect.top + small + room - high, cell.width, high)
            if high:
                pen.box(bar, "accent", radius=2)
            pen.text(f"{value:g}", cell.centerx, bar.top - small, size="small", align="center")
            pen.text(
                bars.labels[index],
                cell.centerx,
                rect.bottom - small,
                "text.muted",
                size="small",
                align="center",
            )


def build_panel(
    pen: Pen,
    area: pygame.Rect,
    panel: Panel,
    seats: Sequence[SeatFacts],
    *,
    message: str,
    tone: str,
    status: str,
    foot: Sequence[ButtonData],
    on_command: Callable[[str, object], None],
    columns: int = 1,
) -> Page:
    """The panel as a page.

    Args:
        pen: For measuring.
        area: Where, device pixels.
        panel: The view's.
        seats: What the shell knows of each seat.
        message: What happened.
        tone: Of the message.
        status: What is expected.
        foot: The shell's own buttons, at the foot.
        on_command: Takes a button's command or a list's line.
        columns: Two where the panel lies below the board.
    """
    pad, gap = pen.s(16), pen.s(8)
    foot_height = pen.s(36)
    inner = pygame.Rect(
        area.left + pad, area.top + pad, area.width - 2 * pad, area.height - 2 * pad
    )
    body = pygame.Rect(
        area.left, area.top + pad // 2, area.width, area.height - pad // 2 - foot_height - pad - gap
    )
    page = Page(body, pen.scale)
    column = (inner.width - pad) // 2 if columns == 2 else inner.width
    x, y = inner.left, inner.top
    rows = panel.seats or tuple(SeatRow(index) for index in range(len(seats)))
    wide = sum(SeatWidget.height(pen, row, seats[row.seat], column, False) + gap for row in rows)
    said = MessageWidget(pen, x, y, column, message, tone, status)
    room = body.height * 0.45 if columns == 1 else body.height - said.rect.height - 2 * pad
    compact = wide > room
    for row in rows:
        height = SeatWidget.height(pen, row, seats[row.seat], column, compact)
        page.add(SeatWidget(pygame.Rect(x, y, column, height), row, seats[row.seat], compact))
        y += height + (pen.s(4) if compact else gap)
    y += gap
    if message or status:
        said.rect.top = y
        page.add(said)
        y += said.rect.height + pad
    if columns == 2:
        x, y = inner.left + column + pad, inner.top
    y = _buttons(page, pen, panel.buttons, x, y, column, on_command)
    left = body.bottom - y
    for index, section in enumerate(panel.sections):
        y = _section(page, pen, section, index, x, y, column, left, on_command)
    _foot(page, pen, foot, inner, foot_height, on_command)
    return page


def _buttons(
    page: Page,
    pen: Pen,
    buttons: Sequence[ButtonData],
    x: int,
    y: int,
    width: int,
    on_command: Callable[[str, object], None],
) -> int:
    """The view's buttons: two by two where both fit, else one to a row; the primary one leads."""
    height, gap = pen.s(40), pen.s(8)
    half = (width - gap) // 2

    def narrow(data: ButtonData) -> bool:
        return not data.primary and pen.width(data.label, weight="medium") + pen.s(12) <= half

    waiting = sorted(buttons, key=lambda button: not button.primary)
    while waiting:
        data = waiting.pop(0)
        beside = bool(waiting) and narrow(data) and narrow(waiting[0])
        page.add(_button(data, pygame.Rect(x, y, half if beside else width, height), on_command))
        if beside:
            right = pygame.Rect(x + width - half, y, half, height)
            page.add(_button(waiting.pop(0), right, on_command))
        y += height + gap
    return y + (gap if buttons else 0)


def _button(
    data: ButtonData, rect: pygame.Rect, on_command: Callable[[str, object], None]
) -> Button:
    tip = data.tip
    if data.key:
        tip = f"{tip} ({data.key})" if tip else _("Key: {key}").format(key=data.key)
    return Button(
        f"button {data.command}",
        rect,
        data.label,
        lambda: on_command(data.command, None),
        kind="primary" if data.primary else "plain",
        pressed=data.pressed,
        enabled=data.enabled,
        tip=tip,
    )


def _section(
    page: Page,
    pen: Pen,
    section: Section,
    index: int,
    x: int,
    y: int,
    width: int,
    left: int,
    on_command: Callable[[str, object], None],
) -> int:
    name = f"section {index}"
    if section.title and not isinstance(section, Gauge):
        head = pen.line_height("small") + pen.s(12)
        page.add(SectionTitle(f"{name} title", pygame.Rect(x, y, width, head), section.title))
        y += head
    gap = pen.s(16)
    if isinstance(section, Facts):
        height = len(section.rows) * pen.line_height()
        page.add(FactsWidget(name, pygame.Rect(x, y, width, height), section))
    elif isinstance(section, Gauge):
        height = pen.line_height() + pen.s(14)
        page.add(GaugeWidget(name, pygame.Rect(x, y, width, height), section))
    elif isinstance(section, Sheet):
        rows = 1 + len(section.rows) + bool(section.total)
        height = rows * pen.line_height() + pen.s(2)
        page.add(SheetWidget(name, pygame.Rect(x, y, width, height), section))
    elif isinstance(section, Bars):
        height = pen.s(96)
        page.add(BarsWidget(name, pygame.Rect(x, y, width, height), section))
    else:
        row = pen.line_height() + pen.s(2)
        lines, owners = _wrapped(pen, section, width - pen.s(20))
        rows = max(1, -(-len(lines) // section.columns))
        most = max(4, min(14, (page.area.bottom - y - gap) // row))
        rect = pygame.Rect(x, y, width, min(rows, most) * row)
        height = rect.height
        page.add(_lines(name, rect, section, lines, owners, row, on_command))
    return y + height + gap


def _wrapped(pen: Pen, section: Lines, width: int) -> tuple[list[str], list[int]]:
    """The rows of a list in one column, long lines wrapped, and the line each belongs to."""
    if section.columns > 1:
        return list(section.lines), []
    rows: list[str] = []
    owners: list[int] = []
    for index, line in enumerate(section.lines):
        parts = pen.wrap(line, width)
        rows += [parts[0], *(f"   {part}" for part in parts[1:])]
        owners += [index] * len(parts)
    return rows, owners


def _lines(
    name: str,
    rect: pygame.Rect,
    section: Lines,
    lines: Sequence[str],
    owners: Sequence[int],
    row: int,
    on_command: Callable[[str, object], None],
) -> ListBox:
    def pick(index: int) -> None:
        if section.command == "shell.step":
            if index < len(section.steps):
                on_command("shell.step", section.steps[index])
        else:
            on_command(section.command, index)

    return ListBox(
        name,
        rect,
        lines,
        row=row,
        selected=section.selected,
        on_pick=pick if section.command else None,
        columns=section.columns,
        owners=owners,
    )


def _foot(
    page: Page,
    pen: Pen,
    foot: Sequence[ButtonData],
    inner: pygame.Rect,
    height: int,
    on_command: Callable[[str, object], None],
) -> None:
    if not foot:
        return
    gap = pen.s(8)
    top = inner.bottom - height + pen.s(4)
    needs = [max(pen.s(36), pen.width(data.label, weight="medium") + pen.s(20)) for data in foot]
    room = inner.width - gap * (len(foot) - 1)
    spare = room - sum(needs)
    widths = [need + spare * need // max(1, sum(needs)) for need in needs]
    x = inner.left
    for data, width in zip(foot, widths, strict=True):
        button = _button(data, pygame.Rect(x, top, width, height), on_command)
        button.fixed = True
        page.add(button)
        x += width + gap
