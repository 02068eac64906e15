"""What moves on the board: tiles that fly in, scores and figures that fade, extra tiles shown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from carromsim.app.view import Extent, Situation, Sound
from games.triominos import rules
from games.triominos.grid import Cell, cell_at, centre, corners, ring
from games.triominos.notation import score_text
from games.triominos.state import Action, Board, Place, State, Tile
from games.triominos.tile_drawing import draw_bubble, draw_rim, draw_tile
from games.triominos.words import figure_name

if TYPE_CHECKING:
    from carromsim.app.canvas import Canvas

__all__ = ["Motion", "score_side"]

FLIGHT: Final = 0.24
SETTLE: Final = 0.12
EXTRA_TILES: Final = 1.6
DRAWN: Final = 0.2
BUBBLE: Final = 1.8


def score_side(canvas: Canvas, board: Board, cell: Cell) -> float:
    """How far above (or below) a cell's middle its score stands: on the emptier side."""
    x, y = centre(cell)
    away = 0.62 + canvas.px(14)

    def crowd(side: float) -> int:
        return sum(
            cell_at(x + dx, y + side * (0.8 + dy)) in board.cells
            for dx in (-0.5, 0, 0.5)
            for dy in (0, 0.4)
        )

    return away if crowd(1) <= crowd(-1) else -away


class Motion:
    """The animations of one view, begun by a situation; times are the view's own."""

    def __init__(self) -> None:
        self.sounds: list[Sound] = []
        self._busy_until = -math.inf
        self._flight: tuple[Place, tuple[float, float], float, float] | None = None
        self._bubble: tuple[str, Cell, float] | None = None
        self._figure: tuple[tuple[Cell, ...], float] | None = None
        self._extras: tuple[tuple[tuple[int, Tile], ...], tuple[int, ...]] | None = None
        self._drawn_at: float | None = None

    # begin and end -------------------------------------------------------------------------

    def begin(self, situation: Situation[State, Action], now: float, shown: Extent | None) -> None:
        """Begins what the events of a situation call for.

        Args:
            situation: Where the game stands; without `animate` only scores and sounds.
            now: The view's clock.
            shown: The part of the board in sight, from whose edge tiles fly in.
        """
        for event in situation.events:
            data = event.data
            if event.kind == "placed":
                place = Place(tuple(data["cell"]), tuple(data["tile"]), data["rotation"])
                working = score_text(data["numbers"], data["bonus"], data["start"])
                name = figure_name(str(data["figure"]))
                self._bubble = (f"{name}  {working}" if name else working, place.cell, now + BUBBLE)
                self.sounds.append(Sound("tile", 0.7))
                if data["bonus"]:
                    self.sounds.append(Sound("crown", 0.6))
                    self._figure = (_figure_cells(situation.state.board, place), now)
                if situation.animate:
                    self._fly(situation, place, event.seat, now, shown)
            elif event.kind == "extra" and situation.animate:
                drawn = tuple((seat, tuple(tile)) for seat, tile in data["tiles"])
                self._extras = (drawn, rules.contending(drawn))
                self._busy_until = now + EXTRA_TILES
                self.sounds.append(Sound("tile", 0.4))
            elif event.kind == "drawn":
                self.sounds.append(Sound("slide", 0.5))
                if situation.animate and event.seat == situation.perspective:
                    self._drawn_at = now
                    self._busy_until = now + DRAWN

    def _fly(
        self,
        situation: Situation[State, Action],
        place: Place,
        seat: int | None,
        now: float,
        shown: Extent | None,
    ) -> None:
        x, y = centre(place.cell)
        if seat is None or seat == situation.perspective or shown is None:
            start, seconds = (x, y + 0.25), SETTLE
        else:
            # seats sit clockwise round the table, the one that looks on at the bottom
            step = (seat - situation.perspective) / situation.state.seats
            angle = -math.pi / 2 - step * math.tau
            mx, my = shown.centre
            start = (
                mx + math.cos(angle) * shown.width * 0.6,
                my + math.sin(angle) * shown.height * 0.6,
            )
            seconds = FLIGHT
        self._flight = (place, start, now, seconds)
        self._busy_until = now + seconds

    def skip(self) -> None:
        """Everything lies where it belongs."""
        self._busy_until = -math.inf
        self._flight = self._extras = self._drawn_at = None

    def clear(self) -> None:
        """Nothing moves and nothing fades."""
        self.skip()
        self._bubble = self._figure = None

    # time ----------------------------------------------------------------------------------

    def busy(self, now: float) -> bool:
        """The game has to wait."""
        return now < self._busy_until

    def fading(self, now: float) -> bool:
        """A score or a figure's glow is still to be seen."""
        return self._bubble is not None and now < self._bubble[2]

    def fades_at(self) -> float | None:
        """When the last of it is gone."""
        return None if self._bubble is None else self._bubble[2]

    def expire(self, now: float) -> None:
        """Forgets what has faded."""
        if self._bubble is not None and now >= self._bubble[2]:
            self._bubble = self._figure = None

    def flying(self) -> Cell | None:
        """The cell whose tile is on its way."""
        return None if self._flight is None else self._flight[0].cell

    def arrival(self, now: float) -> float:
        """How far the tile just drawn has come to its place on the rack, 0 to 1."""
        if self._drawn_at is None or now >= self._busy_until:
            return 1.0
        return max(0.0, min(1.0, (now - self._drawn_at) / DRAWN))

    # drawing -------------------------------------------------------------------------------

    def draw_under(self, canvas: Canvas, now: float) -> None:
        """What lies under the tiles: the glow of a figure."""
        if self._figure is None:
            return
        cells, since = self._figure
        left = 1 - (now - since) / BUBBLE
        if left <= 0:
            return
        for cell in cells:
            draw_rim(canvas, cell, "triominos.figure", 0.06, alpha=min(1.0, 2 * left))

    def draw_over(
        self, canvas: Canvas, now: float, board: Board, names: tuple[str, ...], *, score: bool
    ) -> None:
        """What lies over the tiles: a tile in flight, the score, the extra tiles."""
        self._draw_flight(canvas, now)
        if score:
            self._draw_bubble(canvas, now, board)
        if self._extras is not None and self.busy(now):
            self._draw_extras(canvas, names)

    def _draw_flight(self, canvas: Canvas, now: float) -> None:
        if self._flight is None:
            return
        place, start, since, seconds = self._flight
        share = max(0.0, min(1.0, (now - since) / seconds))
        if share >= 1:
            self._flight = None
        share = 1 - (1 - share) ** 3
        x, y = centre(place.cell)
        draw_tile(
            canvas,
            start[0] + (x - start[0]) * share,
            start[1] + (y - start[1]) * share,
            place.numbers,
            down=bool(place.cell[2]),
            lift=0.06 if share < 1 else 0.0,
        )

    def _draw_bubble(self, canvas: Canvas, now: float, board: Board) -> None:
        if self._bubble is None:
            return
        text, cell, until = self._bubble
        left = until - now
        if left <= 0:
            return
        away = score_side(canvas, board, cell)
        rise = (1 - min(1.0, left / BUBBLE)) * canvas.px(10)
        x, y = centre(cell)
        y += away + math.copysign(rise, away)
        draw_bubble(canvas, x, y, text, alpha=min(1.0, left * 3))

    def _draw_extras(self, canvas: Canvas, names: tuple[str, ...]) -> None:
        if self._extras is None:
            return
        drawn, best = self._extras
        shown = canvas.visible()
        mx, my = shown.centre
        size = min(shown.width / (len(drawn) * 1.5 + 0.5), shown.height / 2.6, 1.6)
        for i, (seat, tile) in enumerate(drawn):
            x = mx + (i - (len(drawn) - 1) / 2) * 1.5 * size
            if seat in best:
                canvas.ring(x, my + 0.06 * size, 0.72 * size, canvas.px(3), "mark.legal")
            draw_tile(canvas, x, my, tile, scale=size, lift=0.06)
            text = f"{names[seat]}  {sum(tile)}"
            draw_bubble(canvas, x, my - 0.82 * size - canvas.px(12), text)


def _figure_cells(board: Board, place: Place) -> tuple[Cell, ...]:
    """The cells of the figure that a placement completed."""
    whole = [vertex for vertex in corners(place.cell) if board.counts.get(vertex, 0) == 6]
    cells = {cell for vertex in whole for cell in ring(vertex)}
    return tuple(cells) if cells else (place.cell,)
