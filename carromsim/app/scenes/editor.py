"""The position editor: a game's editor with its tools, shown by the shell."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import pygame

from carromsim.app.canvas import Camera, Canvas
from carromsim.app.editing import Editor, Tool
from carromsim.app.input import Semantic, Spot
from carromsim.app.input.board_input import BoardInput, Mapping2d
from carromsim.app.input.raw import KeyDown, PointerDown, PointerMoved, PointerUp, Raw
from carromsim.app.intents import Say, Sound
from carromsim.app.pen import Pen
from carromsim.app.scenes.base import PageScene, draw_tip
from carromsim.app.widgets import Button, Label, Page, Widget
from carromsim.core.errors import CarromsimError
from carromsim.i18n import _

if TYPE_CHECKING:
    from carromsim.app.desk import Desk
    from carromsim.app.scenes.game_commands import GameCommands

__all__ = ["EditorScene"]


class EditorScene(PageScene):
    """Edits a position and plays on from there.

    Args:
        desk: The desk.
        game: The game scene it was called from; playing on starts a new game in its place.
        editor: The game's editor.
    """

    def __init__(self, desk: Desk, game: GameCommands, editor: Editor) -> None:
        super().__init__(desk)
        self.game = game
        self.editor = editor
        self.message = ""
        self.board = pygame.Rect(0, 0, 1, 1)
        self.side = pygame.Rect(0, 0, 1, 1)
        self._inputs = BoardInput()
        self._on_board = False

    def build(self) -> Page:
        """The board and, beside or below it, the tools."""
        pen = self.desk.pen()
        width, height = self.desk.size
        margin = max(round(0.02 * min(width, height)), pen.s(8))
        beside = width >= height
        if beside:
            wide = max(pen.s(240), min(pen.s(360), width * 3 // 10))
            self.side = pygame.Rect(width - wide, 0, wide, height)
            board = pygame.Rect(0, 0, width - wide, height)
        else:
            low = max(pen.s(260), min(height * 2 // 5, height - width))
            self.side = pygame.Rect(0, height - low, width, low)
            board = pygame.Rect(0, 0, width, height - low)
        self.board = board.inflate(-2 * margin, -2 * margin)
        return self._tools(pen)

    def _tools(self, pen: Pen) -> Page:
        pad, gap, row = pen.s(16), pen.s(8), pen.s(36)
        side = self.side
        x, inner = side.left + pad, side.width - 2 * pad
        has_text = self.editor.copy_text() is not None
        foot_rows = 2 + (1 if has_text else 0)
        foot = foot_rows * (row + gap) + pad
        title = Label(
            "title",
            pen,
            pygame.Rect(x, side.top + pad, inner, 0),
            _("Edit position"),
            size="title",
            bold=True,
        )
        title.fixed = True
        head = title.rect.bottom + gap
        page = Page(
            pygame.Rect(side.left, head, side.width, side.bottom - foot - head), self.desk.scale
        )
        page.add(title)
        y = head + gap // 2
        problem = self.editor.problem()
        said = self.message or problem
        if said:
            note = Label(
                "note",
                pen,
                pygame.Rect(x, y, inner, 0),
                said,
                paint="warning" if problem or self.message else "text",
            )
            page.add(note)
            y = note.rect.bottom + gap
        half = (inner - gap) // 2
        y = self._groups(page, pen, x, y, inner)
        page.add(Widget("end", pygame.Rect(x, y, 1, 1)))
        y = side.bottom - foot + gap
        if has_text:
            for index, (name, label, act) in enumerate(
                (("copy", _("Copy"), self._copy), ("paste", _("Paste"), self._paste))
            ):
                rect = pygame.Rect(x + index * (half + gap), y, half, row)
                self._fixed(page, Button(name, rect, label, act))
            y += row + gap
        self._fixed(
            page,
            Button(
                "play",
                pygame.Rect(x, y, inner, row),
                _("Play on from here"),
                self._play,
                kind="primary",
                enabled=not problem,
                tip=problem,
            ),
        )
        y += row + gap
        self._fixed(page, Button("cancel", pygame.Rect(x, y, inner, row), _("Cancel"), self.back))
        return page

    def _groups(self, page: Page, pen: Pen, x: int, y: int, inner: int) -> int:
        """The tools group by group, each in as many columns as its longest label allows."""
        gap = pen.s(8)
        for group, members in groupby(self.editor.tools(), key=lambda tool: tool.group):
            tools = list(members)
            if group:
                caption = Label(
                    f"group {group}",
                    pen,
                    pygame.Rect(x, y, inner, 0),
                    group,
                    paint="text.muted",
                    size="small",
                )
                page.add(caption)
                y = caption.rect.bottom + gap // 2
            for tool, rect in zip(tools, self._places(pen, tools, x, y, inner), strict=True):
                act = partial(self._use, tool.command)
                name = f"tool {tool.command}"
                page.add(Button(name, rect, tool.label, act, pressed=tool.chosen))
                y = max(y, rect.bottom)
            y += gap
        return y

    @staticmethod
    def _places(pen: Pen, tools: Sequence[Tool], x: int, y: int, inner: int) -> list[pygame.Rect]:
        """Equal columns where all labels fit them, else halves and whole rows."""
        gap, row = pen.s(8), pen.s(36)
        needs = [pen.width(tool.label, weight="medium") + pen.s(18) for tool in tools]
        columns = max(1, min(len(tools), (inner + gap) // (max(needs) + gap)))
        columns = -(-len(tools) // -(-len(tools) // columns))  # as many rows, evenly filled
        if columns > 1 or len(tools) == 1:
            width = (inner - gap * (columns - 1)) // columns
            return [
                pygame.Rect(
                    x + index % columns * (width + gap),
                    y + index // columns * (row + gap),
                    width,
                    row,
                )
                for index in range(len(tools))
            ]
        half, places, column = (inner - gap) // 2, [], 0
        for need in needs:
            whole = need > half
            if whole and column:
                y, column = y + row + gap, 0
            places.append(pygame.Rect(x + column * (half + gap), y, inner if whole else half, row))
            column = 0 if whole else 1 - column
            if column == 0:
                y += row + gap
        return places

    @staticmethod
    def _fixed(page: Page, button: Button) -> None:
        button.fixed = True
        page.add(button)

    # doing ---------------------------------------------------------------------------------

    def _use(self, command: str) -> None:
        self.message = ""
        self.editor.use(command)
        self.layout()

    def _copy(self) -> None:
        text = self.editor.copy_text()
        if text is not None and self.desk.clipboard.set_clipboard(text):
            self.desk.say(_("Copied."), 2)

    def _paste(self) -> None:
        try:
            self.editor.paste_text(self.desk.clipboard.clipboard())
            self.message = ""
        except CarromsimError as error:
            self.message = str(error)
        self.layout()

    def _play(self) -> None:
        try:
            state = self.editor.state()
        except CarromsimError as error:
            self.message = str(error)
            self.layout()
            return
        self.desk.pop()
        self.game.start_from(state)

    # inputs --------------------------------------------------------------------------------

    def camera(self) -> Camera:
        """How the editor's board is shown."""
        return Camera.fit(self.board, self.editor.extent())

    def _mapping(self) -> Mapping2d:
        camera = self.camera()

        def spot(x: float, y: float) -> Spot:
            return Spot(*camera.to_board(x, y), "board", self.board.collidepoint(x, y))

        return Mapping2d(spot, camera.vector_to_board, min(self.board.size), self.desk.scale)

    def input(self, raw: Raw, now: float) -> bool:
        """The board, or the tools."""
        if isinstance(raw, PointerDown):
            self._on_board = not self.side.collidepoint(raw.x, raw.y)
        pointing = isinstance(raw, PointerMoved) and not self.side.collidepoint(raw.x, raw.y)
        if isinstance(raw, PointerDown | PointerUp) and self._on_board:
            self._give(self._inputs.pointer(raw, self._mapping(), now))
            return True
        if isinstance(raw, PointerMoved) and (self._inputs.held or pointing):
            self._give(self._inputs.pointer(raw, self._mapping(), now))
            return True
        if (
            isinstance(raw, KeyDown)
            and not self.page.focus_seen
            and raw.name not in ("Tab", "Shift+Tab", "Esc")
        ):
            return self._give(self._inputs.key(raw, {}, self._mapping(), self.board.center))
        return super().input(raw, now)

    def semantic(self, semantic: Semantic) -> bool:
        """A semantic input, from a script."""
        return self._give([semantic])

    def _give(self, inputs: list[Semantic]) -> bool:
        for semantic in inputs:
            answers = self.editor.input(semantic, self.desk.now)
            for intent in answers or ():
                if isinstance(intent, Say):
                    self.message = intent.text
                elif isinstance(intent, Sound):
                    self.desk.audio.play(intent.name, intent.volume, intent.pan)
            if answers is not None:
                self.layout()
        self.dirty = True
        return bool(inputs)

    def draw(self, pen: Pen, now: float) -> None:
        """Board and tools."""
        self.desk.room(pen)
        before = pen.surface.get_clip()
        pen.surface.set_clip(self.board.inflate(pen.s(8), pen.s(8)))
        canvas = Canvas(
            pen.surface,
            self.camera(),
            theme=pen.theme,
            fonts=pen.fonts,
            pictures=pen.pictures,
            ui_scale=pen.scale,
            name=f"{self.game.flow.game.name} editor",
        )
        self.editor.draw(canvas, now)
        pen.surface.set_clip(before)
        pen.box(self.side, "panel")
        self.page.draw(pen)
        draw_tip(pen, self.page.tip(now))
        self.dirty = False
