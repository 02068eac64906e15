"""What was played, turn by turn: the common ground of the match file formats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Json
from carromsim.core.record import Record
from carromsim.core.session import Session
from games.backgammon.state import (
    SIDES,
    Accept,
    Dice,
    Done,
    Double,
    Drop,
    GameResult,
    Position,
    Resign,
    Settings,
    State,
    Step,
    Take,
)

__all__ = ["Entry", "GameScript", "MatchScript", "scripts_of"]

Kind: TypeAlias = Literal["play", "double", "take", "drop", "resign"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One turn or cube action.

    Args:
        kind: What it is.
        side: Who did it.
        position: Where it began.
        dice: The throw of a play.
        steps: The steps of a play.
        value: The cube offered, or the level resigned.
    """

    kind: Kind
    side: int
    position: Position
    dice: tuple[int, int] = (0, 0)
    steps: tuple[Step, ...] = ()
    value: int = 0


@dataclass(frozen=True, slots=True)
class GameScript:
    """One game.

    Args:
        first: The state it began with.
        entries: What was played.
        result: How it ended, or None: it is going on.
    """

    first: State
    entries: tuple[Entry, ...] = ()
    result: GameResult | None = None


@dataclass(frozen=True, slots=True)
class MatchScript:
    """Games with what is around them."""

    settings: Settings
    names: tuple[str, str]
    games: tuple[GameScript, ...]
    meta: Mapping[str, Json] = field(default_factory=dict)


def scripts_of(game: Any, items: Sequence[Mapping[str, Json]]) -> list[MatchScript]:
    """The matches in records; records that carry one match on are put together.

    Raises:
        CarromsimError: A record cannot be played again.
    """
    matches: list[MatchScript] = []
    for item in items:
        record = Record.from_json(item)
        session: Session[State, Any] = Session.resume(game, record)
        games = _games(session)
        settings = session.states[0].settings
        names = _names(record)
        if matches and _carries_on(matches[-1], settings, games):
            before = matches[-1]
            matches[-1] = replace(before, games=(*before.games, *games))
        else:
            matches.append(MatchScript(settings, names, tuple(games), record.meta))
    return matches


def _names(record: Record) -> tuple[str, str]:
    white, black = (
        seat.name or (f"Level {seat.level}" if seat.level else default)
        for seat, default in zip(record.seats, ("White", "Black"), strict=True)
    )
    return white, black


def _carries_on(before: MatchScript, settings: Settings, games: Sequence[GameScript]) -> bool:
    if not settings.match or settings != before.settings or not games or not before.games:
        return False
    last = before.games[-1]
    if last.result is None:
        return False
    score = list(last.first.score)
    score[last.result.winner] += last.result.points
    return games[0].first.score == tuple(score) and max(score) < settings.match


def _games(session: Session[State, Any]) -> list[GameScript]:
    games: list[GameScript] = []
    first, entries = session.states[0], list[Entry]()
    begun: Entry | None = None
    if first.phase == "play" and first.dice:
        begun = Entry("play", first.turn, first.start, first.dice, first.steps)
    ended = False
    for before, action, events, after in zip(
        session.states, session.actions, session.events, session.states[1:], strict=False
    ):
        ended = False
        match action:
            case Dice():
                if after.phase == "play" and after.dice:
                    begun = Entry("play", after.turn, after.start, after.dice)
            case Step() if begun is not None:
                begun = replace(begun, steps=(*begun.steps, action))
            case Done() if begun is not None:
                entries.append(begun)
                begun = None
            case Double():
                entries.append(Entry("double", before.turn, before.position, value=2 * before.cube))
            case Take() | Drop():
                kind: Kind = "take" if isinstance(action, Take) else "drop"
                entries.append(Entry(kind, 1 - before.turn, before.position))
        won = [event for event in events if event.kind == "game_won"]
        if not won:
            continue
        if begun is not None and begun.steps:
            entries.append(begun)
        begun = None
        if isinstance(action, (Resign, Accept)):
            level = action.level if isinstance(action, Resign) else before.offer
            loser = 1 - won[0].seat if won[0].seat is not None else before.turn
            entries.append(Entry("resign", loser, before.position, value=level))
        games.append(GameScript(first, tuple(entries), after.last))
        first, entries, ended = after, [], True
    if not ended or not games:
        if begun is not None:
            entries.append(begun)
        games.append(GameScript(first, tuple(entries)))
    return games


def require_set_up(script: GameScript, format_name: str) -> None:
    """Refuses a game that does not begin with the set-up, for formats that know no other.

    Raises:
        InvalidValue: It begins in the middle.
    """
    if script.first.start != Position.start() or script.first.steps:
        raise InvalidValue(
            f"game {script.first.game} begins in the middle (mover {SIDES[script.first.turn]}); "
            f"{format_name} files begin with the set-up: use .sgf",
            field="to",
        )
