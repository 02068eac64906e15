"""Drawing the carrom board on the desktop's canvas: board, discs, aim, marks for the hand.

Everything here is given a `Frame` and draws it; what moves when is decided in `view_show`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from carromsim.app.board import BoardPicture, DiscAt, board_picture
from carromsim.app.board_plan import Plan, plan_of
from carromsim.app.canvas import Canvas, Tint
from carromsim.i18n import _
from games.carrom.view_aim import Aim
from games.carrom.view_show import Frame

if TYPE_CHECKING:
    from carromsim.physics import Table

__all__ = ["AimMarks", "BoardPainter", "Path", "angle_text", "marks_from"]

SETTLE: Final = 0.18
"""Seconds that the size has to stay the same before the board is drawn anew for it."""
TOSSED: Final = 3.6
"""How much larger a tossed man is drawn at the height of its flight."""
BOUNCES: Final = 1
"""Cushions over which the aim line is shown."""
Point = tuple[float, float]
Path = Sequence[Point]


@dataclass(frozen=True, slots=True)
class AimMarks:
    """Where a shot goes first.

    Args:
        way: The striker's centre from its place over bounces to the first contact (m).
        radius: The striker's radius.
        hit: The disc it meets, or None.
        pocket: It falls into a pocket at the end of the way.
        striker_way: The striker's first centimetres after the contact.
        target_way: The other disc's.
    """

    way: Path
    radius: float
    hit: DiscAt | None = None
    pocket: bool = False
    striker_way: Path = ()
    target_way: Path = ()


class Contact(Protocol):
    """What is read of the simulator's first contact of a shot."""

    @property
    def path(self) -> Sequence[Point]:
        """Corners of the striker's way (m)."""

    @property
    def disc(self) -> int | None:
        """Index of the disc it meets."""

    @property
    def striker_velocity(self) -> Point:
        """Just after the contact (m/s)."""

    @property
    def disc_velocity(self) -> Point:
        """Just after the contact (m/s)."""

    @property
    def pocketed(self) -> bool:
        """It falls before it meets a disc."""


def marks_from(
    found: Contact, radius: float, men: Sequence[DiscAt], deceleration: float
) -> AimMarks:
    """What the aim line shows of a simulated first contact.

    Args:
        found: The first contact.
        radius: The striker's radius (m).
        men: The discs, in the order of the contact's indices.
        deceleration: Of a sliding disc (m/s²).
    """
    way = list(found.path)
    if len(way) > BOUNCES + 2:
        # beyond the second cushion an aim line promises more than a hand can hold
        return AimMarks(tuple(way[: BOUNCES + 2]), radius)
    if found.disc is None:
        return AimMarks(tuple(way), radius, pocket=found.pocketed)
    hit = men[found.disc]
    return AimMarks(
        tuple(way),
        radius,
        hit,
        striker_way=_onward(way[-1], found.striker_velocity, radius, 0.04, deceleration),
        target_way=_onward((hit.x, hit.y), found.disc_velocity, hit.radius, 0.06, deceleration),
    )


def _onward(place: Point, velocity: Point, radius: float, most: float, deceleration: float) -> Path:
    """From the rim of a disc on its way, as far as it would slide but no farther than `most`."""
    speed = math.hypot(*velocity)
    if speed < 1e-6:
        return ()
    far = min(most, speed * speed / (2 * max(deceleration, 1e-6)))
    ux, uy = velocity[0] / speed, velocity[1] / speed
    return (
        (place[0] + ux * radius, place[1] + uy * radius),
        (place[0] + ux * (radius + far), place[1] + uy * (radius + far)),
    )


def angle_text(angle: float) -> str:
    """An angle from straight ahead in words: "12.5° left"."""
    degrees = abs(math.degrees(angle))
    if degrees < 0.05:
        return _("straight")
    if angle > 0:
        return _("{degrees:.1f}° left").format(degrees=degrees)
    return _("{degrees:.1f}° right").format(degrees=degrees)


def _shortened(way: Path, first: float, last: float) -> list[Point]:
    """A way without its first and last stretch, which the discs themselves cover."""
    points = list(way)
    for cut in (first, last):
        while len(points) > 1 and cut > 0:
            (x1, y1), (x2, y2) = points[0], points[1]
            length = math.hypot(x2 - x1, y2 - y1)
            if length > cut:
                points[0] = (x1 + (x2 - x1) * cut / length, y1 + (y2 - y1) * cut / length)
                break
            cut -= length
            del points[0]
        points.reverse()
    return points


class BoardPainter:
    """Draws one table on canvases of any size.

    Args:
        table: The table.
    """

    def __init__(self, table: Table) -> None:
        self.plan: Plan = plan_of(table)
        self._kinds = [(kind, piece.radius) for kind, piece in table.pieces.items()]
        self._picture: BoardPicture | None = None
        self._wanted = 0
        self._changed = -1e9
        self.refresh: float | None = None
        """When the board is to be drawn again, or None."""

    # board and discs --------------------------------------------------------------------------

    def draw(self, canvas: Canvas, frame: Frame, quarter: int, now: float) -> None:
        """The board with everything that lies on it.

        Args:
            canvas: Where to.
            frame: What is to be seen.
            quarter: Quarter turns of the board, clockwise.
            now: The view's clock.
        """
        pixels = max(24, round(canvas.scale * self.plan.side))
        picture = self._for(pixels, quarter, now)
        corner = self._corner(canvas, pixels)
        if picture.pixels != pixels:
            sheet, pad = picture.enlarged(pixels, frame.discs)
            canvas.surface.blit(sheet, (corner[0] - pad, corner[1] - pad))
            return
        picture.draw_board(canvas.surface, corner, frame.turned)
        for falling in frame.falling:
            picture.draw_falling(
                canvas.surface, falling.disc, falling.hole, falling.progress, corner
            )
        discs = frame.discs
        if frame.turned:
            cos, sin = math.cos(frame.turned), math.sin(frame.turned)
            discs = tuple(
                disc._replace(x=disc.x * cos - disc.y * sin, y=disc.x * sin + disc.y * cos)
                for disc in discs
            )
        picture.draw_discs(canvas.surface, discs, corner)

    def draw_more(self, canvas: Canvas, discs: Sequence[DiscAt]) -> None:
        """More discs on the board just drawn."""
        if self._picture is not None:
            corner = self._corner(canvas, self._picture.pixels)
            self._picture.draw_discs(canvas.surface, discs, corner)

    @staticmethod
    def _corner(canvas: Canvas, pixels: int) -> tuple[int, int]:
        px, py = canvas.to_pixels(0.0, 0.0)
        return round(px - pixels / 2), round(py - pixels / 2)

    def _for(self, pixels: int, quarter: int, now: float) -> BoardPicture:
        """The picture for that size; while the window is being resized, the last one."""
        self.refresh = None
        old = self._picture
        if old is not None and (old.pixels, old.quarter) == (pixels, quarter % 4):
            return old
        if pixels != self._wanted:
            first = self._wanted == 0
            self._wanted, self._changed = pixels, -1e9 if first else now
        waits = now - self._changed < SETTLE
        if old is not None and old.quarter == quarter % 4 and waits:
            self.refresh = self._changed + SETTLE
            return old
        self._picture = board_picture(self.plan, pixels, quarter)
        self._picture.sprites.prepare(self._kinds)
        return self._picture

    # aim ------------------------------------------------------------------------------------------

    def draw_spans(self, canvas: Canvas, aim: Aim) -> None:
        """Where the striker may lie: a line on the base lines' middle."""
        width = max(0.0022, canvas.px(2))
        for low, high in aim.spans:
            canvas.line(*aim.line.place(low), *aim.line.place(high), width, "carrom.legal")

    def draw_misfit(self, canvas: Canvas, aim: Aim) -> None:
        """The striker may not lie here: a ring and a bar across, in the warning colour."""
        x, y = aim.place
        r = aim.striker
        width = max(0.003, canvas.px(2.5))
        canvas.ring(x, y, r + width, width, "carrom.refused")
        cos, sin = math.cos(math.pi / 4) * r, math.sin(math.pi / 4) * r
        canvas.line(x - cos, y - sin, x + cos, y + sin, width, "carrom.refused")

    def draw_aim(self, canvas: Canvas, marks: AimMarks) -> None:
        """The line of the striker, its ghost where it meets something, and what follows."""
        tone = "carrom.refused" if marks.pocket else "carrom.aim"
        fine = max(0.0018, canvas.px(1.6))
        way = _shortened(marks.way, marks.radius + fine, marks.radius)
        if len(way) > 1:
            canvas.polyline(way, fine, Tint(tone, 0.9), dash=(0.009, 0.0065))
        x2, y2 = marks.way[-1]
        canvas.disc(x2, y2, marks.radius, Tint(tone, 0.20))
        canvas.ring(x2, y2, marks.radius - fine / 2, fine, Tint(tone, 0.95))
        if marks.hit is not None:
            hit = marks.hit
            edge = Tint("carrom.target.edge", 0.75)
            canvas.ring(hit.x, hit.y, hit.radius + fine, fine * 2.6, edge)
            canvas.ring(hit.x, hit.y, hit.radius + fine, fine, "carrom.target")
        if len(marks.target_way) > 1:
            (ax, ay), (bx, by) = marks.target_way[0], marks.target_way[-1]
            canvas.line(ax, ay, bx, by, fine * 3.4, Tint("carrom.target.edge", 0.75))
            canvas.arrow(ax, ay, bx, by, fine * 1.6, "carrom.target")
        if len(marks.striker_way) > 1:
            canvas.polyline(marks.striker_way, fine, Tint(tone, 0.8))

    def draw_pull(self, canvas: Canvas, aim: Aim) -> None:
        """A band from the striker back to the hand: as long as the pull."""
        x, y = aim.place
        ux, uy = aim.line.direction(aim.angle)
        back = aim.striker * 1.15 + aim.strength * 0.085
        fine = max(0.002, canvas.px(2))
        start = aim.striker * 1.05
        canvas.line(
            x - ux * start, y - uy * start, x - ux * back, y - uy * back, fine, "carrom.aim"
        )
        canvas.disc(x - ux * back, y - uy * back, fine * 2.2, "carrom.aim")

    def draw_gauge(self, canvas: Canvas, aim: Aim, quarter: int) -> None:
        """Strength as a bar on the near rail, with strength and angle as numbers beside it."""

        def at(right: float, up: float) -> Point:
            for _turn in range(quarter % 4):
                right, up = -up, right
            return right, up

        up = -(self.plan.size / 2 + self.plan.frame * 0.58)
        half, height = 0.105, max(0.009, canvas.px(7))
        canvas.line(*at(-half, up), *at(half, up), height, Tint("carrom.gauge.bed", 0.85))
        full = -half + 2 * half * aim.strength
        if full > -half + 1e-4:
            canvas.line(*at(-half, up), *at(full, up), height * 0.62, "carrom.gauge")
        for share in (0.25, 0.5, 0.75):
            u = -half + 2 * half * share
            canvas.line(
                *at(u, up - height * 0.28),
                *at(u, up + height * 0.28),
                canvas.px(1),
                Tint("carrom.gauge.bed", 0.9),
            )
        gap = 0.016
        strength = _("{percent:.0f} %").format(percent=aim.strength * 100)
        x, y = at(-half - gap, up)
        canvas.text(x, y, strength, "carrom.gauge.text", size="body", anchor="right")
        x, y = at(half + gap, up)
        canvas.text(x, y, angle_text(aim.angle), "carrom.gauge.text", size="body", anchor="left")

    # the hand ------------------------------------------------------------------------------

    def draw_hand(self, canvas: Canvas, disc: DiscAt, fits: bool, circle: float) -> None:
        """A man held over the board, and the circle in which it may be put (0: anywhere)."""
        fine = max(0.002, canvas.px(2))
        if circle > 0:
            canvas.ring(0.0, 0.0, circle, fine, "carrom.legal")
        self.draw_more(canvas, [disc])
        tone = "carrom.legal" if fits else "carrom.refused"
        canvas.ring(disc.x, disc.y, disc.radius + fine * 1.5, fine, tone)
        if not fits:
            r = disc.radius * math.sqrt(0.5)
            canvas.line(disc.x - r, disc.y - r, disc.x + r, disc.y + r, fine, tone)

    def draw_toss(self, canvas: Canvas, over: float, height: float, radius: float) -> None:
        """A man in the air: white on one side, black on the other."""
        if self._picture is None:
            return
        side = math.cos(over)
        disc = DiscAt("white" if side >= 0 else "black", 0.0, 0.0, radius * TOSSED)
        corner = self._corner(canvas, self._picture.pixels)
        self._picture.draw_tossed(canvas.surface, disc, abs(side), height, corner)
