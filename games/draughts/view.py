"""Draughts on the desktop: pick up, put down, by click, drag, touch or keys."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

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
    Text,
)
from carromsim.app.panel import Panel
from carromsim.app.view import (
    Ask,
    Copy,
    Editor,
    Export,
    Extent,
    Intent,
    Paste,
    Play,
    Say,
    Setting,
    Situation,
    Sound,
    View,
)
from carromsim.core.fields import Json
from carromsim.core.game import Game
from carromsim.core.outcome import Outcome
from carromsim.i18n import N_, _
from games.draughts.board import BLACK, geometry
from games.draughts.notation import fen, move_text
from games.draughts.rules import Refusal, ending
from games.draughts.selection import Selection, neighbour
from games.draughts.state import Action, Draw, Move, NextGame, Phase, Resign, State, Timeout
from games.draughts.view_editor import DraughtsEditor
from games.draughts.view_files import opened, pdn_of
from games.draughts.view_motion import Motion
from games.draughts.view_paint import (
    BOARD,
    Marks,
    Piece,
    centre_of,
    draw_board,
    draw_emblem,
    draw_marks_above,
    draw_marks_below,
    draw_piece,
    pieces_of,
    square_at,
)
from games.draughts.view_panel import panel_of, winner_and_loser
from games.draughts.words import LEVELS, OPTIONS, end_text, refusal_text

if TYPE_CHECKING:
    from carromsim.app.canvas import Canvas

__all__ = ["DraughtsView"]

FLASH = 1.2
"""Seconds that the pieces which have to move stay lit after a refused click."""


BETWEEN_GAMES = 3.0
"""Seconds that the end of a game is shown before a bot begins the next game of a match."""


class DraughtsView(View[State, Action]):
    """The desktop's view of draughts; one unit is one square, a1's corner at (0, 0)."""

    offers: ClassVar[tuple[Setting, ...]] = (
        Setting("labels", N_("Coordinates"), True),
        Setting("numbers", N_("Name every square"), False),
        Setting("movable", N_("Mark the pieces that may move"), True),
        Setting(
            "follow",
            N_("Turn the board to the player"),
            False,
            tip=N_("With two people at one screen, the side to move sits at the bottom."),
        ),
    )
    keys: ClassVar[Mapping[str, str]] = {"F": "flip", "Space": "confirm"}
    key_help: ClassVar[Mapping[str, str]] = {
        N_("Click, click"): N_("Pick up a piece and put it down; or drag it"),
        N_("Arrows, Enter"): N_("The same by keys: go to a square, pick up, put down"),
        N_("Right click, Esc"): N_("Put the piece back"),
        "F": N_("Turn the board"),
        "D": N_("Offer a draw"),
        "H": N_("Hint"),
        N_("Page up, Page down"): N_("Look through the moves"),
    }
    has_hint: ClassVar[bool] = True
    option_labels: ClassVar[Mapping[str, str]] = OPTIONS
    level_labels: ClassVar[Mapping[int, str]] = LEVELS

    def __init__(
        self, game: Game[State, Action], settings: Mapping[str, Json] | None = None
    ) -> None:
        super().__init__(game, settings)
        self._selection: Selection | None = None
        self._motion: Motion | None = None
        self._hand: tuple[float, float] | None = None
        self._pressed_anew = False
        self._hover: str | None = None
        self._cursor: str | None = None
        self._flipped = False
        self._refused: tuple[tuple[str, ...], float] = ((), -10.0)
        self._hint: tuple[str, ...] = ()
        self._dropped: tuple[str, ...] = ()
        self._sounds: list[tuple[float, Sound]] = []
        self._held_until = -10.0

    # showing -------------------------------------------------------------------------------

    def show(self, situation: Situation[State, Action], now: float) -> None:
        """Takes over a situation; a move runs along its path."""
        super().show(situation, now)
        if situation.cause == "view":
            return
        self._selection = Selection(situation.state)
        self._hand = None
        self._hint = ()
        self._motion = None
        self._refused = ((), -10.0)
        dropped, self._dropped = self._dropped, ()
        action, before = situation.action, situation.before
        if situation.cause != "action" or before is None or not isinstance(action, Move):
            return
        crowned = any(event.data.get("crowned") for event in situation.events)
        path = self._path(action)
        done = len(dropped) if dropped and path[: len(dropped)] == dropped else 1
        motion = Motion(before, path, crowned, begin=now, done=done)
        self._sounds = [] if not situation.animate and done == 1 else motion.sounds()
        if situation.animate:
            self._motion = motion
            mover = situation.mover
            if isinstance(mover, int) and ending(situation.state) is not None:
                bot = situation.seats[mover].kind == "bot"
                self._held_until = motion.end + BETWEEN_GAMES if bot else -10.0
        else:
            self._sounds = [(now, sound) for _at, sound in self._sounds[-1:]]

    @staticmethod
    def _path(move: Move) -> tuple[str, ...]:
        return move.path or (move.frm, move.to)

    def extent(self) -> Extent:
        """The board with its frame."""
        return BOARD

    def quarter_turns(self) -> int:
        """Half a turn where Black sits at the bottom."""
        return 2 if self._bottom() == BLACK else 0

    def _bottom(self) -> int:
        situation = self.situation
        if situation is None:
            return 0
        setting = situation.state.setting
        people = [seat for seat, who in enumerate(situation.seats) if who.kind == "human"]
        if self.settings["follow"] and len(people) == 2:
            side = setting.side(situation.perspective)
        elif len(people) == 1:
            side = setting.side(people[0])
        else:
            side = 0
        return 1 - side if self._flipped else side

    def draw(self, canvas: Canvas, now: float) -> None:
        """Board, marks and pieces."""
        draw_board(
            canvas, labels=bool(self.settings["labels"]), numbers=bool(self.settings["numbers"])
        )
        situation = self.situation
        if situation is None:
            return
        motion = self._motion
        if motion is not None and not motion.over(now):
            draw_marks_below(canvas, Marks(last=motion.path), frozenset())
            for piece in motion.pieces(now):
                draw_piece(canvas, piece)
            return
        marks = self._marks(now)
        pieces = self._pieces()
        occupied = frozenset(geometry(8).squares(situation.state.white | situation.state.black))
        draw_marks_below(canvas, marks, occupied)
        held = None
        for piece in pieces:
            if piece.raised:
                held = piece
            else:
                draw_piece(canvas, piece)
        draw_marks_above(canvas, marks)
        if held is not None:
            draw_piece(canvas, held)

    def _pieces(self) -> list[Piece]:
        """The pieces as they lie, the one in the hand where the hand is."""
        situation, selection = self.situation, self._selection
        assert situation is not None and selection is not None
        state = situation.state
        geo = geometry(8)
        kings = frozenset(geo.squares(state.kings))
        found = []
        for piece in pieces_of(geo.squares(state.white), geo.squares(state.black), kings):
            square = square_at(piece.x, piece.y)
            if square == selection.picked:
                at = self._hand or centre_of(selection.path[-1])
                piece = Piece(*at, piece.black, piece.king, raised=True)
            elif square in selection.taken:
                piece = Piece(piece.x, piece.y, piece.black, piece.king, alpha=0.4)
            found.append(piece)
        return found

    def _marks(self, now: float) -> Marks:
        situation, selection = self.situation, self._selection
        assert situation is not None and selection is not None
        mine = self.my_turn and situation.live
        way: tuple[str, ...] = ()
        victims: tuple[str, ...] = ()
        if mine and selection.picked and self._hover in selection.targets:
            found = selection.look(self._hover)
            if found is not None:
                way, victims = found
        squares, since = self._refused
        age = now - since
        strength = 0.0
        if 0 <= age < FLASH:
            strength = 0.5 - 0.5 * math.cos(age / FLASH * 4 * math.pi)
            strength = max(strength, 0.25) if age < FLASH * 0.9 else strength
        show_movable = mine and self.settings["movable"] and not selection.partial
        return Marks(
            last=self._last_path(),
            movable=selection.movable if show_movable else frozenset(),
            chosen=selection.picked if mine else None,
            targets=selection.targets if mine else frozenset(),
            steps=selection.steps if mine else frozenset(),
            victims=tuple(name for name in victims if name not in selection.taken),
            way=way,
            refused=(squares, strength),
            hint=self._hint,
            cursor=self._cursor,
        )

    def _last_path(self) -> tuple[str, ...]:
        """The path of the last move before what is shown."""
        situation = self.situation
        assert situation is not None
        actions = situation.history.actions
        for place in range(situation.place - 1, -1, -1):
            action = actions[place]
            if isinstance(action, Move):
                return self._path(action)
            if not isinstance(action, Draw):
                return ()
        return ()

    def panel(self) -> Panel:
        """Seats, moves, buttons."""
        assert self.situation is not None
        partial = self._selection is not None and self._selection.partial
        return panel_of(self.situation, partial=partial)

    @classmethod
    def emblem(cls, canvas: Canvas) -> None:
        """A king and a man on a corner of the board."""
        draw_emblem(canvas)

    # time ----------------------------------------------------------------------------------

    def busy(self, now: float) -> bool:
        """A piece is on its way, or the end of a game is shown before a bot sets up the next."""
        if now < self._held_until:
            return True
        return self._motion is not None and not self._motion.over(now)

    def moving(self, now: float) -> bool:
        """The marks of a refusal fade."""
        return 0 <= now - self._refused[1] < FLASH + 0.05

    def tick(self, now: float) -> Iterable[Intent]:
        """Sounds that are due."""
        due = [sound for at, sound in self._sounds if at <= now]
        self._sounds = [(at, sound) for at, sound in self._sounds if at > now]
        return due

    def skip(self) -> None:
        """The move has ended."""
        self._motion = None
        self._held_until = -10.0
        self._sounds = []

    # acting --------------------------------------------------------------------------------

    def input(self, semantic: Semantic, now: float) -> Iterable[Intent] | None:
        """Answers an input."""
        match semantic:
            case Command(name=name, value=value):
                return self._command(name, value, now)
            case Text(text=text, pasted=True):
                return () if self.situation is None else opened(text, self.situation)
            case Point():
                self._hover = square_at(semantic.x, semantic.y)
                return ()
            case Leave():
                self._hover = None
                return ()
            case Cancel():
                return self._cancel()
            case Navigate(dx=dx, dy=dy):
                return self._navigate(dx, dy)
            case Confirm():
                return self._confirm(now)
            case Press():
                self._cursor = None
                return self._press(semantic, now)
            case Drag():
                return self._drag(semantic)
            case Release():
                return self._release(semantic, now)
        return None

    def _press(self, press: Press, now: float) -> Iterable[Intent]:
        self._hint = ()
        square = square_at(press.x, press.y)
        self._hover = square
        selection = self._selection
        if square is None or selection is None or not self._may_move():
            return self._idle(square)
        self._pressed_anew = False
        if selection.picked is None:
            return self._pick(square, now)
        if square == selection.path[-1] and square not in selection.targets:
            # a second press on the piece in hand: it may be dragged on, or is put back on release
            return ()
        if (
            square in selection.movable
            and not selection.partial
            and square not in (selection.targets | selection.steps)
        ):
            return self._pick(square, now)
        return self._go(square, now)

    def _idle(self, square: str | None) -> Iterable[Intent]:
        """A press while nothing can be moved here."""
        situation = self.situation
        if situation is None or square is None or not situation.live:
            return ()
        if self.my_turn and situation.state.progress.phase == Phase.ANSWER:
            return (Say(_("Accept the draw, or decline it.")),)
        return ()

    def _may_move(self) -> bool:
        situation = self.situation
        return (
            situation is not None
            and self.my_turn
            and situation.live
            and situation.state.progress.phase == Phase.MOVE
            and situation.outcome is None
        )

    def _pick(self, square: str, now: float) -> Iterable[Intent]:
        selection = self._selection
        assert selection is not None
        held = selection.picked
        refusal = selection.pick(square)
        if refusal is None:
            self._pressed_anew = True
            return (Sound("click", 0.5),)
        if refusal.code == "empty":
            if held is None:
                return ()
            return (Sound("click", 0.3),)
        return self._refuse(refusal, now)

    def _go(self, square: str, now: float) -> Iterable[Intent]:
        selection = self._selection
        assert selection is not None
        before = selection.path
        found = selection.go(square)
        if isinstance(found, Move):
            self._dropped = before
            return (Play(found),)
        if found is None:
            self._pressed_anew = True
            return (Sound("place", 0.7),)
        return self._refuse(found, now)

    def _refuse(self, refusal: Refusal, now: float) -> Iterable[Intent]:
        self._refused = (refusal.squares, now)
        return (Say(refusal_text(refusal), "warning"), Sound("refuse", 0.6))

    def _drag(self, drag: Drag) -> Iterable[Intent]:
        selection = self._selection
        if selection is None or selection.picked is None or not self._may_move():
            return ()
        if square_at(drag.start.x, drag.start.y) == selection.path[-1]:
            self._hand = (drag.x, drag.y)
            self._hover = square_at(drag.x, drag.y)
        return ()

    def _release(self, release: Release, now: float) -> Iterable[Intent]:
        selection, hand = self._selection, self._hand
        self._hand = None
        if selection is None or selection.picked is None or not self._may_move():
            return ()
        square = square_at(release.x, release.y)
        start = square_at(release.start.x, release.start.y)
        if hand is not None:
            if square is None or (square == selection.path[-1] and square not in selection.targets):
                return ()
            before = selection.path
            found = selection.go(square)
            if isinstance(found, Move):
                # the hand has carried it: what is left of the way runs by itself
                self._dropped = found.path
                return (Play(found),)
            if found is None:
                return (Sound("place", 0.7),)
            if len(before) == 1:
                selection.drop()
            return self._refuse(found, now)
        if start == square == selection.path[-1] and not self._pressed_anew:
            selection.drop()
            return (Sound("click", 0.3),)
        return ()

    def _cancel(self) -> Iterable[Intent] | None:
        selection = self._selection
        self._hand = None
        if self._hint:
            self._hint = ()
            return ()
        if selection is not None and selection.picked is not None:
            selection.drop()
            return (Sound("click", 0.3),)
        return None

    def _navigate(self, dx: int, dy: int) -> Iterable[Intent]:
        sign = -1 if self.quarter_turns() == 2 else 1
        if self._cursor is None:
            selection = self._selection
            movable = sorted(selection.movable) if selection is not None else []
            near = movable[0] if movable and self._may_move() else "c3"
            self._cursor = selection.picked if selection and selection.picked else near
        else:
            self._cursor = neighbour(self._cursor, sign * dx, sign * dy)
        self._hover = self._cursor
        return ()

    def _confirm(self, now: float) -> Iterable[Intent]:
        selection = self._selection
        if self._cursor is None:
            return self._navigate(0, 0)
        self._hint = ()
        if selection is None or not self._may_move():
            return self._idle(self._cursor)
        square = self._cursor
        if selection.picked is None:
            return self._pick(square, now)
        if square == selection.path[-1] and square not in selection.targets:
            selection.drop()
            return (Sound("click", 0.3),)
        if (
            square in selection.movable
            and not selection.partial
            and square not in (selection.targets | selection.steps)
        ):
            return self._pick(square, now)
        return self._go(square, now)

    # commands ------------------------------------------------------------------------------

    def _command(self, name: str, value: object, now: float) -> Iterable[Intent] | None:
        situation = self.situation
        if situation is None:
            return None
        match name:
            case "flip":
                self._flipped = not self._flipped
                return ()
            case "confirm":
                return self._confirm(now)
            case "drop":
                if self._selection is not None:
                    self._selection.drop()
                return ()
            case "offer":
                return (Play(Draw("offer")),)
            case "accept" | "decline":
                return (Play(Draw(name)),)
            case "next_game":
                return (Play(NextGame()),)
            case "resign":
                return (
                    Ask(
                        _("Resign this game?"),
                        (("keep", _("Play on")), ("resign_now", _("Resign"))),
                        _("The point goes to your opponent."),
                    ),
                )
            case "resign_now":
                seat = situation.acting
                return () if seat is None else (Play(Resign(seat)),)
            case "copy_fen":
                return (Copy(fen(situation.state)),)
            case "copy_pdn":
                return (Copy(pdn_of(situation)),)
            case "save_pdn":
                return (Export("draughts.pdn", pdn_of(situation)),)
            case "paste":
                return (Paste(),)
        return None

    def menu(self) -> Sequence[tuple[str, str]]:
        """Copying, saving and opening games and positions."""
        return (
            ("flip", _("Turn the board")),
            ("copy_fen", _("Copy the position (FEN)")),
            ("copy_pdn", _("Copy the game (PDN)")),
            ("save_pdn", _("Save the game as PDN")),
            ("paste", _("Open a copied game or position")),
        )

    # the rest ------------------------------------------------------------------------------

    def hinted(self, action: Action) -> Iterable[Intent]:
        """Shows a bot's proposal."""
        situation = self.situation
        if situation is None:
            return ()
        if isinstance(action, Move):
            self._hint = self._path(action)
            return (Say(_("Try {move}.").format(move=move_text(situation.state, action))),)
        if isinstance(action, Draw):
            if action.word == "accept":
                return (Say(_("Accepting looks right.")),)
            return (Say(_("You stand well: decline.")),)
        return ()

    def timeout(self, seat: int) -> Action | None:
        """Whoever oversteps the time loses."""
        return Timeout(seat)

    def outcome_text(self, outcome: Outcome) -> str:
        """How it ended."""
        situation = self.situation
        assert situation is not None
        if situation.state.setting.games > 1:
            names = situation.names
            score = "{:g} : {:g}".format(*outcome.scores)
            if outcome.drawn:
                return _("The match is drawn, {score}.").format(score=score)
            return _("{name} wins the match, {score}.").format(
                name=names[outcome.winners[0]], score=score
            )
        winner, loser = winner_and_loser(outcome, situation.names)
        return end_text(outcome.reason, loser, winner, situation.state.rules.kings_only_moves)

    def editor(self) -> Editor | None:
        """A position editor."""
        if self.situation is None:
            return None
        return DraughtsEditor(self.situation.state, labels=bool(self.settings["labels"]))
