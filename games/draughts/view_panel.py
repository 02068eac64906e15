"""The side panel of draughts: pieces left, whose move, the moves so far, buttons by phase."""

from __future__ import annotations

from typing import Any

from carromsim.app.panel import Badge, Button, Facts, Lines, Mark, Panel, SeatRow, Section
from carromsim.app.view import Situation
from carromsim.core.outcome import Outcome
from carromsim.i18n import _, ngettext
from games.draughts.board import BLACK, WHITE
from games.draughts.notation import move_text
from games.draughts.rules import ending, legal_moves, match_over, points
from games.draughts.state import Action, Draw, Move, NextGame, Opening, Phase, Resign, State
from games.draughts.words import end_text, side_name

__all__ = ["panel_of", "said_of", "winner_and_loser"]


def panel_of(situation: Situation[State, Action], *, partial: bool) -> Panel:
    """The panel for a situation; `partial`: a capture is begun by hand."""
    return Panel(
        seats=tuple(_seat_row(situation.state, seat) for seat in (0, 1)),
        message=said_of(situation),
        status=_status(situation, partial),
        buttons=_buttons(situation, partial),
        sections=_sections(situation),
    )


def _seat_row(state: State, seat: int) -> SeatRow:
    side = state.setting.side(seat)
    own = state.own(side)
    kings = (own & state.kings).bit_count()
    men = own.bit_count() - kings
    parts = [ngettext("{count} man", "{count} men", men).format(count=men)]
    if kings:
        parts.append(ngettext("{count} king", "{count} kings", kings).format(count=kings))
    score = ""
    badges: tuple[Badge, ...] = ()
    if state.setting.games > 1:
        won = points(state)[seat]
        score = f"{won // 2}½" if won % 2 else str(won // 2)
        badges = (Badge(side_name(side)),)
    return SeatRow(
        seat,
        score=score,
        details=(", ".join(parts),),
        badges=badges,
        mark=Mark("disc", "draughts.black" if side == BLACK else "draughts.white"),
    )


def said_of(situation: Situation[State, Action]) -> str:
    """What happened last, in words."""
    action, before = situation.action, situation.before
    history = situation.history
    if action is None and situation.place > 0:
        action = history.actions[situation.place - 1]
        before = history.states[situation.place - 1]
    if action is None or before is None:
        return ""
    if isinstance(action, Move):
        who = side_name(before.side)
        text = move_text(before, action)
        count = len(action.captured)
        if count:
            said = ngettext(
                "{who}: {move}, taking {count} piece.",
                "{who}: {move}, taking {count} pieces.",
                count,
            ).format(who=who, move=text, count=count)
        else:
            said = _("{who}: {move}.").format(who=who, move=text)
        if any(event.kind == "move" and event.data.get("crowned") for event in situation.events):
            said += " " + _("Crowned!")
        return said
    if isinstance(action, Draw):
        names = situation.names
        seat = before.setting.seat(before.side)
        offerer, other = names[seat], names[1 - seat]
        if action.word == "offer":
            return _("{name} offers a draw.").format(name=offerer)
        if action.word == "decline":
            return _("{name} declines the draw.").format(name=other)
        return _("{name} accepts the draw.").format(name=other)
    if isinstance(action, Resign):
        return _("{name} resigns.").format(name=situation.names[action.seat])
    if isinstance(action, Opening):
        return _("Opening drawn by lot: {moves}.").format(moves=", ".join(action.moves))
    if isinstance(action, NextGame):
        return _("Game {number}: colours are swapped.").format(
            number=situation.state.setting.number
        )
    return ""


def _status(situation: Situation[State, Action], partial: bool) -> str:
    state = situation.state
    if situation.outcome is not None or situation.mover is None:
        return ""
    if ending(state) is not None and not match_over(state):
        over = _("Game {number} of {games} is over.").format(
            number=state.setting.number, games=state.setting.games
        )
        return f"{_how_it_ended(situation)} {over}"
    if state.progress.phase == Phase.ANSWER:
        name = situation.names[state.setting.seat(1 - state.side)]
        return _("{name}: accept the draw?").format(name=name)
    if state.progress.phase != Phase.MOVE:
        return ""
    if partial:
        return _("Go on with the capture.")
    who = side_name(state.side)
    best = max((len(move.captured) for move in legal_moves(state)), default=0)
    if not best:
        return _("{who} to move.").format(who=who)
    if state.rules.kind.most:
        return ngettext(
            "{who} to move: {count} piece has to be taken.",
            "{who} to move: {count} pieces have to be taken.",
            best,
        ).format(who=who, count=best)
    return _("{who} to move: a capture is compulsory.").format(who=who)


def _how_it_ended(situation: Situation[State, Action]) -> str:
    """The end of a game within a match."""
    state = situation.state
    end = ending(state)
    if end is None:
        return ""
    seat = state.setting.seat(end.winner or 0)
    winner, loser = situation.names[seat], situation.names[1 - seat]
    return end_text(end.reason, loser, winner, state.rules.kings_only_moves)


def _buttons(situation: Situation[State, Action], partial: bool) -> tuple[Button, ...]:
    state = situation.state
    flip = Button("flip", _("Turn board"), key="F", tip=_("Show the board from the other side"))
    undo = Button("shell.undo", _("Take back"), enabled=situation.undoable, key="Ctrl+Z")
    if not situation.live:
        return (
            Button("shell.back", _("Back"), enabled=situation.place > 0),
            Button("shell.forward", _("Forward")),
            Button("shell.last", _("To the end"), primary=True),
            flip,
        )
    if situation.outcome is not None:
        return (Button("shell.new", _("New game")), undo, flip)
    mine = situation.acting is not None and situation.mover == situation.acting
    if ending(state) is not None:
        following = Button("next_game", _("Next game"), primary=True, enabled=mine)
        return (following, undo, flip)
    if state.progress.phase == Phase.ANSWER:
        return (
            Button("accept", _("Accept"), enabled=mine),
            Button("decline", _("Decline"), enabled=mine),
            undo,
            flip,
        )
    if partial:
        return (
            Button("drop", _("Start over"), tip=_("Put the piece back where it stood")),
            flip,
        )
    offered = state.progress.offer == state.side
    return (
        undo,
        Button("shell.hint", _("Hint"), enabled=mine, key="H"),
        Button(
            "offer",
            _("Offer draw"),
            enabled=mine and not offered,
            tip=_("Once a move") if offered else "",
            key="D",
        ),
        Button("resign", _("Resign"), enabled=mine),
        flip,
    )


def _sections(situation: Situation[State, Action]) -> tuple[Section, ...]:
    state = situation.state
    sections: list[Section] = []
    limit = state.rules.kings_only_moves
    full = state.progress.quiet // 2
    if full >= 3:
        sections.append(
            Facts(
                (
                    (
                        _("Kings only, no capture"),
                        _("{count} of {limit} moves").format(count=full, limit=limit),
                    ),
                )
            )
        )
    if state.setting.games > 1:
        sections.append(Facts(((_("Match"), f"{state.setting.number} / {state.setting.games}"),)))
    sections.append(move_list(situation))
    return tuple(sections)


def move_list(situation: Situation[State, Action]) -> Lines:
    """The numbered moves, White's left and Black's right; a click looks the position up."""
    history = situation.history
    lines: list[str] = []
    steps: list[int] = []
    number = 0
    selected: int | None = None
    actions: Any = history.actions
    states: Any = history.states
    for place, action in enumerate(actions):
        before: State = states[place]
        if isinstance(action, NextGame):
            if len(lines) % 2:
                lines.append("")
                steps.append(place)
            number = 0
            continue
        if isinstance(action, Opening):
            texts = list(action.moves)
            side = WHITE
        elif isinstance(action, Move):
            texts = [move_text(before, action)]
            side = before.side
        else:
            continue
        for text in texts:
            if side == WHITE:
                number += 1
                lines.append(f"{number}. {text}")
            else:
                if len(lines) % 2 == 0:
                    number += 1
                    lines.append(f"{number}. …")
                    steps.append(place)
                lines.append(text)
            steps.append(place + 1)
            if place + 1 <= situation.place:
                selected = len(lines) - 1
            side = 1 - side
    return Lines(
        tuple(lines),
        _("Moves"),
        selected=selected,
        command="shell.step",
        steps=tuple(steps),
        columns=2,
    )


def winner_and_loser(outcome: Outcome, names: tuple[str, ...]) -> tuple[str, str]:
    """Names of the seats that won and lost the last game."""
    seat = outcome.winners[0] if outcome.winners else 0
    return names[seat], names[1 - seat]
