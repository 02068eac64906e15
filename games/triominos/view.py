"""Triominos on the desktop: the growing board, the rack, and what a player does with them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from carromsim.app.input import (
    Cancel,
    Command,
    Confirm,
    Drag,
    Leave,
    Navigate,
    Point,
    Press,
    Release,
    Semantic,
    Spot,
    Turn,
)
from carromsim.app.panel import Panel
from carromsim.app.view import (
    Export,
    Extent,
    Intent,
    Play,
    Roll,
    Say,
    Scroll,
    Setting,
    Situation,
    Sound,
    View,
)
from carromsim.core.fields import Json
from carromsim.core.game import CHANCE, Game
from carromsim.core.outcome import Outcome
from carromsim.i18n import N_, _
from games.triominos import rules
from games.triominos.grid import ROOT3_2, Cell, centre, corners, position
from games.triominos.holding import Holding
from games.triominos.motion import Motion, score_side
from games.triominos.notation import score_text, tile_text
from games.triominos.rack_plan import ORDERS, RATIO, rack_plan, sorted_rack
from games.triominos.sheet import Line, sheet_csv, sheet_lines
from games.triominos.side_panel import Facing, compose
from games.triominos.state import (
    DEAL,
    OVER,
    Action,
    Board,
    Draw,
    End,
    Place,
    State,
    Tile,
)
from games.triominos.tile_drawing import (
    cloth,
    draw_bubble,
    draw_cell,
    draw_corner_conflict,
    draw_cross,
    draw_emblem,
    draw_rack,
    draw_rim,
    draw_rim_at,
    draw_table,
    draw_tile,
    tile_on_cell,
)
from games.triominos.tips import tip_for
from games.triominos.words import (
    points_text,
    refusal_text,
    tip_text,
)

if TYPE_CHECKING:
    from carromsim.app.canvas import Canvas

__all__ = ["TriominosView"]

MOST_DOTS: Final = 900
ORDER_NAMES: Final = {"taken": N_("As drawn"), "sum": N_("By sum"), "numbers": N_("By numbers")}


class TriominosView(View[State, Action]):
    """The table with its tiles, the rack below it."""

    hidden: ClassVar[bool] = True
    free: ClassVar[bool] = True
    has_hint: ClassVar[bool] = True
    offers: ClassVar[tuple[Setting, ...]] = (
        Setting(
            "order",
            N_("Order of the rack"),
            "sum",
            choices=tuple((order, ORDER_NAMES[order]) for order in ORDERS),
        ),
        Setting("show_legal", N_("Show where the tile in hand fits"), True),
        Setting("show_gaps", N_("Mark gaps that no tile can fill"), True),
        Setting("show_unseen", N_("Show the tiles not seen yet"), False),
        Setting(
            "confirm",
            N_("Confirm each placement"),
            True,
            tip=N_("Off: a tile lies as soon as you put it down."),
        ),
    )
    keys: ClassVar[Mapping[str, str]] = {
        "R": "turn",
        "D": "draw",
        "T": "end",
        "S": "sort",
        "Space": "act",
    }
    key_help: ClassVar[Mapping[str, str]] = {
        "←  →": N_("Choose a tile of your rack"),
        "↑  Enter": N_("Take it to the board; the arrows go through the cells where it fits"),
        "Space": N_("Place the tile, or go on"),
        "Esc": N_("Put it back"),
        "R": N_("Next way in which the tile fits"),
        "Wheel": N_("Turn the tile in hand"),
        "Ctrl+Wheel": N_("Zoom at the pointer"),
        "Drag": N_("Move the table"),
        "D": N_("Draw a tile"),
        "T": N_("End the turn"),
        "S": N_("Sort the rack"),
    }
    option_labels: ClassVar[Mapping[str, str]] = {
        "rules.alga": N_("Rulebook"),
        "rules.beginners": N_("Beginners"),
        "rules.classic": N_("Classic"),
        "play_to": N_("Points to play for"),
        "start": N_("Who begins"),
        "start.draw": N_("Draw extra tiles"),
        "start.triple": N_("Highest triple"),
        "figures": N_("Bridges and hexagons count"),
        "two_sides": N_("Two sides count 40"),
        "stuck": N_("Nobody can go on"),
        "stuck.subtract": N_("All lose their tiles"),
        "stuck.lowest": N_("Lowest rack gains"),
    }
    level_labels: ClassVar[Mapping[int, str]] = {
        1: N_("Beginner"),
        2: N_("Collector"),
        3: N_("Planner"),
    }

    def __init__(
        self, game: Game[State, Action], settings: Mapping[str, Json] | None = None
    ) -> None:
        super().__init__(game, settings)
        self._hand = Holding()
        self._on_board = False
        self._was_in_hand: Tile | None = None
        self._dragged: Literal["", "table", "tile"] = ""
        self._visible: Extent | None = None
        self._motion = Motion()
        self._gaps: tuple[Board, tuple[Cell, ...]] = (Board(), ())
        self._lines: tuple[int, int, tuple[Line, ...]] = (-1, 0, ())

    # what is shown -------------------------------------------------------------------------

    @property
    def _state(self) -> State | None:
        return None if self.situation is None else self.situation.state

    @property
    def _rack(self) -> tuple[Tile, ...]:
        """The perspective's tiles in the order wanted; empty if they cannot be seen."""
        if self.situation is None:
            return ()
        rack = rules.known(self.situation.state.racks[self.situation.perspective])
        return sorted_rack(rack, str(self.settings["order"]))

    def show(self, situation: Situation[State, Action], now: float) -> None:
        """Takes over a situation; animates what led to it."""
        keeps = situation.cause == "view" and (
            self.situation is not None
            and situation.perspective == self.situation.perspective
            and situation.state.board == self.situation.state.board
        )
        super().show(situation, now)
        if not keeps:
            self._hand.clear(situation.state.board)
            self._on_board = False
        if situation.cause != "view":
            self._motion.clear()
            self._lines = (-1, 0, ())
        if situation.cause == "action":
            self._motion.begin(situation, now, self._visible)

    # the board's extent --------------------------------------------------------------------

    def extent(self) -> Extent:
        """The tiles and the cells beside them, in whole steps, so that it seldom changes."""
        state = self._state
        cells: list[Cell] = []
        if state is not None and len(state.board):
            cells = [*state.board.cells, *state.board.frontier]
        points = [position(vertex) for cell in cells for vertex in corners(cell)] or [(0.5, 0.43)]
        left, right = min(x for x, _ in points), max(x for x, _ in points)
        low, high = min(y for _, y in points), max(y for _, y in points)
        mid_x, mid_y = (left + right) / 2, (low + high) / 2
        left, right = min(left, mid_x - 3), max(right, mid_x + 3)
        low, high = min(low, mid_y - 2), max(high, mid_y + 2)
        return Extent(
            math.floor(left - 0.1),
            math.floor(low - 0.1),
            math.ceil(right + 0.1),
            math.ceil(high + 0.1),
        )

    def must_see(self) -> Extent | None:
        """The tile that was laid last."""
        state = self._state
        if state is None or not len(state.board):
            return None
        x, y = centre(state.board.placed[-1].cell)
        return Extent(x - 0.6, y - 0.6, x + 0.6, y + 0.6)

    def tray_extent(self) -> Extent | None:
        """The rack; it keeps its shape, its tiles get smaller when there are many."""
        plan = rack_plan(len(self._rack))
        half = plan.width / 2
        return Extent(-half, -half / RATIO, half, half / RATIO)

    # drawing -------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        """The table, its tiles, and what is in hand."""
        self._visible = canvas.visible()
        state = self._state
        draw_table(canvas, self._grid(Board() if state is None else state.board))
        if state is None:
            return
        with canvas.clipped(*cloth(canvas)):
            self._draw_tiles(canvas, state, now)

    def _draw_tiles(self, canvas: Canvas, state: State, now: float) -> None:
        self._draw_marks(canvas, state)
        flying = self._motion.flying()
        if len(state.board) and state.phase != OVER:
            last = state.board.placed[-1].cell
            if last != flying:
                draw_rim(canvas, last, "mark.last", 0.03)
        self._motion.draw_under(canvas, now)
        for cell, place in state.board.cells.items():
            if cell != flying:
                tile_on_cell(canvas, cell, place.numbers)
        self._draw_ghost(canvas, state.board)
        names = self.situation.names if self.situation is not None else ()
        score = self._hand.ghost() is None
        self._motion.draw_over(canvas, now, state.board, names, score=score)

    def _grid(self, board: Board) -> Iterable[tuple[float, float]]:
        """The free vertices in sight; none when they would be too many to help."""
        shown = self._visible
        if shown is None or shown.width * shown.height > MOST_DOTS:
            return
        for y in range(math.floor(shown.bottom / ROOT3_2), math.ceil(shown.top / ROOT3_2) + 1):
            first = math.floor(shown.left - y / 2)
            for x in range(first, first + math.ceil(shown.width) + 2):
                if (x, y) not in board.numbers:
                    yield position((x, y))

    def _draw_marks(self, canvas: Canvas, state: State) -> None:
        if self.settings["show_gaps"] and len(state.board):
            if self._gaps[0] is not state.board:
                self._gaps = (state.board, rules.dead_gaps(state.board))
            for cell in self._gaps[1]:
                draw_cross(canvas, cell, "triominos.gap")
        if self.settings["show_legal"] and self.my_turn and self._hand.pending is None:
            for cell in self._hand.legal_cells:
                draw_cell(canvas, cell, "mark.legal", fill=0.22)

    def _draw_ghost(self, canvas: Canvas, board: Board) -> None:
        ghost = self._hand.ghost()
        if ghost is None or not self.my_turn:
            return
        x, y = centre(ghost.cell)
        fits = bool(self._hand.fits_on(ghost.cell))
        if not fits and ghost.cell in board.cells:
            return
        pending = self._hand.pending is not None
        if fits:
            draw_rim(canvas, ghost.cell, "mark.legal", 0.055)
        tile_on_cell(
            canvas,
            ghost.cell,
            ghost.numbers,
            alpha=1.0 if pending else 0.8 if fits else 0.45,
            lift=0.05 if pending else 0.0,
        )
        if not fits:
            draw_cell(canvas, ghost.cell, "mark.refused", fill=0.1)
            for corner, number, need in rules.mismatches(board, ghost):
                draw_corner_conflict(canvas, ghost.cell, corner)
                cx, cy = position(corners(ghost.cell)[corner])
                draw_bubble(canvas, cx + (cx - x) * 0.9, cy + (cy - y) * 0.9, f"{number} ≠ {need}")
            return
        if self._state is not None:
            earned = rules.score(board, ghost, self._state.rules)
            text = score_text(ghost.numbers, earned.bonus, earned.start)
            draw_bubble(canvas, x, y + score_side(canvas, board, ghost.cell), text)

    def draw_tray(self, canvas: Canvas, now: float) -> None:
        """The rack of the seat at the bottom."""
        rack = self._rack
        plan = rack_plan(len(rack))
        draw_rack(canvas, plan.width - 0.1, plan.height - 0.1)
        if self.situation is None:
            return
        arrival = self._motion.arrival(now)
        newest = self._newest() if arrival < 1 else None
        held = self._hand.tile if self.my_turn else None
        lifted = self._hand.pending is not None
        for tile, (x, y) in zip(rack, plan.places, strict=True):
            if tile == held and lifted:
                draw_tile(canvas, x, y, tile, alpha=0.3)
                continue
            if tile == newest:
                draw_tile(canvas, x, y + 0.4 * (1 - arrival), tile, alpha=max(0.05, arrival))
                continue
            if tile == held:
                y += 0.06
                draw_rim_at(canvas, x, y, "mark.legal", 0.06)
            draw_tile(canvas, x, y, tile)
        if not rack:
            canvas.text(0, 0, _("The rack is empty."), "paper", size="body")

    def _newest(self) -> Tile | None:
        if self.situation is None:
            return None
        rack = rules.known(self.situation.state.racks[self.situation.perspective])
        return rack[-1] if rack else None

    @classmethod
    def emblem(cls, canvas: Canvas) -> None:
        """Four tiles."""
        draw_emblem(canvas)

    # time ----------------------------------------------------------------------------------

    def busy(self, now: float) -> bool:
        """A tile flies, or the extra tiles are shown."""
        return self._motion.busy(now)

    def moving(self, now: float) -> bool:
        """A score or a figure's glow fades."""
        return self._motion.fading(now)

    def refresh_at(self) -> float | None:
        """When the fading score is gone."""
        return self._motion.fades_at()

    def tick(self, now: float) -> Iterable[Intent]:
        """Sounds that are due."""
        self._motion.expire(now)
        sounds, self._motion.sounds = self._motion.sounds, []
        return sounds

    def skip(self) -> None:
        """Everything lies where it belongs."""
        self._motion.skip()

    # acting --------------------------------------------------------------------------------

    def chance(self) -> Literal["auto", "ask"]:
        """Tiles are drawn at once; only the next round waits for a word."""
        state = self._state
        return "ask" if state is not None and state.phase == DEAL and state.round else "auto"

    def input(self, semantic: Semantic, now: float) -> Iterable[Intent] | None:
        """Takes tiles up, lays them down, draws, ends the turn."""
        match semantic:
            case Point(spot=spot):
                return self._hover(spot)
            case Leave():
                if self._hand.pending is None and not self._on_board:
                    self._hand.cell = None
                return ()
            case Press(double=double):
                return self._press(semantic.spot, double)
            case Drag():
                return self._drag(semantic)
            case Release():
                return self._release(semantic)
            case Turn(steps=steps):
                return [Sound("click", 0.3)] if self.my_turn and self._hand.turn(steps) else ()
            case Navigate(dx=dx, dy=dy):
                return self._navigate(dx, dy)
            case Confirm():
                return self._confirm()
            case Cancel():
                return self._cancel()
            case Command(name=name):
                return self._command(name)
        return ()

    def _hover(self, spot: Spot) -> Iterable[Intent]:
        if self.my_turn and self._hand.tile is not None and self._hand.pending is None:
            self._on_board = False
            self._hand.cell = self._hand.target(spot.x, spot.y) if spot.area == "board" else None
        return ()

    def _press(self, spot: Spot, double: bool) -> Iterable[Intent]:
        self._dragged = ""
        # a double click takes a tile, as a single one does; only a later click puts it back
        self._was_in_hand = None if double else self._hand.tile
        if spot.area != "tray" or not self.my_turn:
            return ()
        found = rack_plan(len(self._rack)).at(spot.x, spot.y)
        if found is None:
            return ()
        tile = self._rack[found]
        if tile != self._hand.tile or self._hand.pending is not None:
            self._hand.take(tile)
            self._on_board = False
        return [Sound("click", 0.4)]

    def _drag(self, drag: Drag) -> Iterable[Intent]:
        pending = self._hand.pending
        if not self._dragged:
            on_tile = drag.start.area == "tray" or (
                pending is not None
                and self._hand.target(drag.start.x, drag.start.y) == pending.cell
            )
            self._dragged = "tile" if on_tile and self._hand.tile is not None else "table"
            if self._dragged == "tile":
                self._hand.pending = None
        if self._dragged == "tile":
            inside = drag.spot.area == "board" and drag.spot.inside
            self._hand.cell = self._hand.target(drag.x, drag.y) if inside else None
            return ()
        if drag.start.area == "board" and drag.spot.area == "board":
            return [Scroll(drag.x - drag.start.x, drag.y - drag.start.y)]
        return ()

    def _release(self, release: Release) -> Iterable[Intent]:
        dragged, self._dragged = self._dragged, ""
        if not self.my_turn:
            return ()
        if release.area == "tray" or release.start.area == "tray":
            if release.tap or release.area == "tray":
                same = self._hand.tile is not None and self._hand.tile == self._was_in_hand
                found = rack_plan(len(self._rack)).at(release.x, release.y)
                if release.tap and same and found is not None:
                    self._hand.take(None)
                return ()
            return self._lay(self._hand.target(release.x, release.y)) if dragged else ()
        if release.tap or dragged == "tile":
            return self._lay(self._hand.target(release.x, release.y))
        return ()

    def _lay(self, cell: Cell) -> Iterable[Intent]:
        """Puts the tile in hand on a cell, or confirms what lies there already."""
        hand, state = self._hand, self._state
        if state is None:
            return ()
        if hand.pending is not None and cell == hand.pending.cell:
            return [Play(hand.pending)]
        if hand.tile is None:
            here = state.board.cells.get(cell)
            if here is not None:
                return [Say(_("Tile {tile}.").format(tile=tile_text(here.tile)), "muted")]
            return [Say(_("Take a tile from your rack first."), "muted")]
        if hand.prepare(cell) is None:
            hand.cell = cell
            shown = hand.ghost()
            text = refusal_text(state.board, shown) if shown is not None else ""
            return [Say(text, "warning"), Sound("refuse", 0.4)]
        self._on_board = True
        if not self.settings["confirm"] and hand.pending is not None:
            return [Play(hand.pending)]
        return [Sound("place", 0.5)]

    def _navigate(self, dx: int, dy: int) -> Iterable[Intent]:
        if not self.my_turn:
            return ()
        if not self._on_board:
            if dy > 0:
                return self._to_board()
            return self._choose(dx) if dx else ()
        cell = self._hand.step(dx, dy)
        if cell is None:
            if dy < 0:
                self._back_to_rack()
            return ()
        self._hand.prepare(cell)
        return [Sound("click", 0.2), *self._follow(cell)]

    def _choose(self, step: int) -> Iterable[Intent]:
        rack = self._rack
        if not rack:
            return ()
        if self._hand.tile in rack:
            index = (rack.index(self._hand.tile) + step) % len(rack)
        else:
            index = 0 if step > 0 else len(rack) - 1
        self._hand.take(rack[index])
        return [Sound("click", 0.3)]

    def _to_board(self) -> Iterable[Intent]:
        hand = self._hand
        if hand.tile is None:
            self._choose(1)
        if hand.tile is None:
            return ()
        cells = hand.legal_cells
        if not cells:
            return [
                Say(_("{tile} fits nowhere now.").format(tile=tile_text(hand.tile)), "warning"),
                Sound("refuse", 0.3),
            ]
        self._on_board = True
        hand.prepare(max(cells, key=self._worth))
        return [Sound("place", 0.4), *self._follow(hand.pending.cell if hand.pending else cells[0])]

    def _worth(self, cell: Cell) -> int:
        state = self._state
        if state is None or self._hand.tile is None:
            return 0
        place = Place(cell, self._hand.tile, self._hand.fits_on(cell)[0])
        return rules.score(state.board, place, state.rules).total

    def _follow(self, cell: Cell) -> list[Intent]:
        """Moves the table if the cell is out of sight."""
        shown = self._visible
        if shown is None:
            return []
        x, y = centre(cell)
        if shown.left + 0.5 < x < shown.right - 0.5 and shown.bottom + 0.5 < y < shown.top - 0.5:
            return []
        return [Scroll(shown.centre[0] - x, shown.centre[1] - y)]

    def _back_to_rack(self) -> None:
        self._hand.take(self._hand.tile)
        self._hand.cell = None
        self._on_board = False

    def _confirm(self) -> Iterable[Intent]:
        if self._asks_for_round():
            return [Roll()]
        if not self.my_turn:
            return ()
        if self._hand.pending is not None:
            return [Play(self._hand.pending)]
        return self._to_board()

    def _cancel(self) -> Iterable[Intent] | None:
        if self._hand.pending is not None:
            self._back_to_rack()
            return [Sound("click", 0.3)]
        if self._hand.tile is not None:
            self._hand.take(None)
            return [Sound("click", 0.3)]
        return None

    def _command(self, name: str) -> Iterable[Intent]:
        state = self._state
        match name:
            case "act":
                return self._confirm()
            case "next" if self._asks_for_round():
                return [Roll()]
            case "turn":
                return [Sound("click", 0.3)] if self.my_turn and self._hand.turn(1) else ()
            case "put_back":
                return self._cancel() or ()
            case "draw" if self.my_turn:
                return [Play(Draw())]
            case "end" if self.my_turn:
                return [Play(End())]
            case "sort":
                here = ORDERS.index(str(self.settings["order"]))
                order = ORDERS[(here + 1) % len(ORDERS)]
                self.settings["order"] = order
                return [Say(_("Rack: {order}.").format(order=_(ORDER_NAMES[order])), "muted")]
            case "csv" if state is not None and self.situation is not None:
                text = sheet_csv(self._sheet(), self.situation.names)
                return [Export("triominos-scores.csv", text)]
        return ()

    def _asks_for_round(self) -> bool:
        situation = self.situation
        return (
            situation is not None
            and situation.mover == CHANCE
            and situation.acting is not None
            and self.chance() == "ask"
        )

    def hinted(self, action: Action) -> Iterable[Intent]:
        """Shows what the best bot would do, and why."""
        state, situation = self._state, self.situation
        if state is None or situation is None or not self.my_turn:
            return ()
        tip = tip_for(state, situation.perspective, action)
        if isinstance(action, Place):
            self._hand.take(action.tile)
            self._hand.prepare(action.cell)
            self._hand.pending = action
            self._on_board = True
            lead = _("Hint: {tile} here.").format(tile=tile_text(action.tile))
            return [Say(f"{lead} {tip_text(tip)}", "accent"), *self._follow(action.cell)]
        lead = _("Hint: draw.") if isinstance(action, Draw) else _("Hint: end the turn.")
        return [Say(f"{lead} {tip_text(tip)}", "accent")]

    # words ---------------------------------------------------------------------------------

    def _sheet(self) -> tuple[Line, ...]:
        situation = self.situation
        if situation is None:
            return ()
        history = situation.history
        if self._lines[:2] != (id(history), situation.place):
            first = history.states[0]
            events = history.events[: situation.place]
            lines = sheet_lines(events, first.seats, first.scores)
            self._lines = (id(history), situation.place, lines)
        return self._lines[2]

    def panel(self) -> Panel:
        """Scores, what happened, what to do, and the sheet."""
        if self.situation is None:
            return Panel()
        pending = self._hand.pending
        return compose(
            Facing(
                self.situation,
                rack=self._rack,
                newest=self._newest(),
                mine=self.my_turn,
                between=self._asks_for_round(),
                pending=pending is not None,
                turns=pending is not None and len(self._hand.fits_on(pending.cell)) > 1,
                lines=self._sheet(),
                unseen=bool(self.settings["show_unseen"]),
            )
        )

    def menu(self) -> Sequence[tuple[str, str]]:
        """The score sheet as a file."""
        return (("csv", _("Save the score sheet")),)

    def outcome_text(self, outcome: Outcome) -> str:
        """Who won with how many points."""
        names = self.situation.names if self.situation else ()
        winners = [names[seat] for seat in outcome.winners if seat < len(names)]
        best = points_text(int(max(outcome.scores)))
        if len(winners) == 1:
            return _("{name} wins with {points} points.").format(name=winners[0], points=best)
        return _("{names} share the win with {points} points.").format(
            names=_(" and ").join(winners), points=best
        )
