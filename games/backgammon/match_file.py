""".mat match files, as Jellyfish and GNU Backgammon write them, out and in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from carromsim.core.errors import CarromsimError, InvalidRecord
from carromsim.core.fields import Json
from carromsim.core.record import Seat
from carromsim.core.session import Session
from games.backgammon.json_form import settings_to_json, state_to_json
from games.backgammon.notation import parse_play
from games.backgammon.rules import apply_step
from games.backgammon.state import (
    BLACK,
    WHITE,
    Accept,
    Dice,
    Done,
    Double,
    Drop,
    Resign,
    Roll,
    Settings,
    State,
    Take,
    number_of,
)
from games.backgammon.transcript import Entry, GameScript, require_set_up, scripts_of

__all__ = ["read_mat", "write_mat"]

_COLUMN: Final = 28
_LENGTH: Final = re.compile(r"\s*(\d+)\s+point\s+match", re.I)
_GAME: Final = re.compile(r"\s*Game\s+(\d+)\s*$", re.I)
_NAMES: Final = re.compile(r"\s*(.*?)\s*:\s*(\d+)\s{2,}(.*?)\s*:\s*(\d+)\s*$")
_TURN: Final = re.compile(r"\s*(\d+)\)(.*)$")
_ENTRY: Final = re.compile(
    r"(?P<dice>[1-6][1-6]):|(?P<double>(?:re)?doubles?\b(?:\s*=>\s*\d+)?)|(?P<take>takes?\b)"
    r"|(?P<drop>drops?\b|passes\b)|(?P<wins>wins\s+(?P<points>\d+)\s+points?)",
    re.I,
)
_LINES: Final = 500_000


# writing --------------------------------------------------------------------------------------


def write_mat(game: Any, items: Sequence[Mapping[str, Json]]) -> str:
    """The text of a .mat file with one match, or games for points one after the other.

    Raises:
        CarromsimError: A game cannot be written; the message says why.
    """
    matches = scripts_of(game, items)
    length = matches[0].settings.match if matches else 0
    if any(match.settings.match != length for match in matches) or (length and len(matches) > 1):
        raise InvalidRecord("a .mat file holds one match: give each a file of its own", field="to")
    lines = []
    if matches and isinstance(date := matches[0].meta.get("date"), str):
        lines += [f'; [EventDate "{date}"]', ""]
    lines += [f" {length} point match", ""]
    number, total = 0, [0, 0]
    for match in matches:
        names = [_clean(name) for name in match.names]
        for script in match.games:
            require_set_up(script, ".mat")
            number += 1
            score = script.first.score if length else (total[WHITE], total[BLACK])
            left = f"{names[WHITE]} : {score[WHITE]}"
            lines.append(f" Game {number}")
            lines.append(f" {left:<{_COLUMN + 4}} {names[BLACK]} : {score[BLACK]}")
            lines += _game_lines(script)
            lines.append("")
            if script.result is not None:
                total[script.result.winner] += script.result.points
    return "\n".join(lines) + "\n"


def _clean(name: str) -> str:
    return " ".join(name.replace(":", " ").split()) or "?"


def _game_lines(script: GameScript) -> list[str]:
    cells: list[tuple[int, str]] = [(entry.side, _entry_text(entry)) for entry in script.entries]
    cells = [(side, text) for side, text in cells if text]
    if script.result is not None:
        points = script.result.points
        cells.append((script.result.winner, f" Wins {points} point{'s' if points > 1 else ''}"))
    lines: list[str] = []
    number, waiting = 0, ""
    ended = script.result is not None
    for index, (side, text) in enumerate(cells):
        last = ended and index == len(cells) - 1
        if last:
            if waiting and side == BLACK:  # beside a drop, where readers look for it
                lines.append(waiting + text)
            else:
                lines += [waiting.rstrip()] if waiting else []
                lines.append(" " * (5 if side == WHITE else _COLUMN + 5) + text)
            waiting = ""
        elif side == WHITE:
            if waiting:
                lines.append(waiting.rstrip())
            number += 1
            waiting = f"{number:3d}) {text + '  ':<{_COLUMN}}"
        else:
            if not waiting:
                number += 1
                waiting = f"{number:3d}) {'':<{_COLUMN}}"
            lines.append(waiting + text)
            waiting = ""
    if waiting:
        lines.append(waiting.rstrip())
    return lines


def _entry_text(entry: Entry) -> str:
    match entry.kind:
        case "double":
            return f" Doubles => {entry.value}"
        case "take":
            return " Takes"
        case "drop":
            return " Drops"
        case "resign":
            return ""
    parts, here = [], entry.position
    for step in entry.steps:
        here, hit = apply_step(here, entry.side, step)
        source, target = number_of(entry.side, step.source), number_of(entry.side, step.target)
        parts.append(f"{source}/{target}{'*' if hit else ''}")
    return f"{entry.dice[0]}{entry.dice[1]}: {' '.join(parts)}"


# reading --------------------------------------------------------------------------------------


@dataclass
class _Found:
    """A game of a file as it stands there."""

    number: int
    line: int
    names: tuple[str, str] = ("", "")
    score: tuple[int, int] = (0, 0)
    entries: list[tuple[int, int, re.Match[str], str]] = field(default_factory=list)
    """Line, side, the entry's head, the text behind it."""


def read_mat(game: Any, text: str) -> list[Mapping[str, Json]]:
    """The games of a .mat file as records, one each.

    A match's games carry its score, so that each can be played on; games for points stand alone.

    Raises:
        InvalidRecord: A line cannot be read or played; the message gives its number.
    """
    length, found = _scan(text)
    items: list[Mapping[str, Json]] = []
    crawford_over = False
    for index, one in enumerate(found):
        settings = Settings(cube=True, match=length)
        crawford = bool(length) and length - 1 in one.score and not crawford_over
        first = State(
            settings=settings,
            score=one.score if length else (0, 0),
            game=index + 1 if length else 1,
            crawford=crawford,
            crawford_over=crawford_over,
        )
        if crawford and any(entry[2]["double"] for entry in one.entries):
            crawford = False  # the match was played without the Crawford rule
            settings = Settings(cube=True, match=length, crawford=False)
            first = State(settings=settings, score=one.score, game=index + 1)
        crawford_over = crawford_over or crawford
        items.append(_played(game, first, one))
    return items


def _scan(text: str) -> tuple[int, list[_Found]]:
    length, found = 0, list[_Found]()
    lines = text.replace("\t", "    ").splitlines()
    if len(lines) > _LINES:
        raise InvalidRecord(f"has more than {_LINES} lines")
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        if not stripped or stripped[0] in ";#":
            continue
        if match := _LENGTH.match(line):
            length = int(match[1])
            if length > 99:
                raise InvalidRecord(f"line {number}: a match of at most 99 points, not {length}")
        elif match := _GAME.match(line):
            found.append(_Found(int(match[1]), number))
        elif match := _TURN.match(line):
            if not found:
                raise InvalidRecord(f'line {number}: a turn before the first "Game 1"')
            _turn(found[-1], number, match[2])
        elif found and not found[-1].entries and (match := _NAMES.match(line)):
            found[-1].names = (match[1], match[3])
            found[-1].score = (int(match[2]), int(match[4]))
        elif found and (match := _ENTRY.search(line)) and match["wins"]:
            side = WHITE if match.start() < _COLUMN - 4 else BLACK
            found[-1].entries.append((number, side, match, ""))
        else:
            raise InvalidRecord(f"line {number} is none of a .mat file: {stripped[:40]!r}")
    if not found:
        raise InvalidRecord('holds no game: a .mat file has a line " Game 1"')
    return length, found


def _turn(one: _Found, number: int, rest: str) -> None:
    heads = list(_ENTRY.finditer(rest))
    if not heads:
        raise InvalidRecord(
            f"line {number}: no dice, double, take or drop in {rest.strip()[:40]!r}"
        )
    if len(heads) > 3:
        raise InvalidRecord(f"line {number} has more than two turns")
    for index, head in enumerate(heads):
        end = heads[index + 1].start() if index + 1 < len(heads) else len(rest)
        # the first column begins right after the number; a line may have the second one alone
        side = WHITE if index == 0 and head.start() < 12 else BLACK
        if head["wins"]:
            side = WHITE if head.start() < _COLUMN - 8 else BLACK
        one.entries.append((number, side, head, rest[head.end() : end].strip()))


def _played(game: Any, first: State, one: _Found) -> Mapping[str, Json]:
    names = one.names
    seats = tuple(Seat("human", None, name[:80]) for name in names)
    start = None if first == State(settings=first.settings) else state_to_json(first)
    session: Session[State, Any] = Session.start(
        game, settings_to_json(first.settings), seed=0, seats=seats, state=start
    )
    for line, side, head, rest in one.entries:
        try:
            _entry(session, side, head, rest)
        except CarromsimError as error:
            raise InvalidRecord(f"line {line}: {error.message}") from None
    return session.record.to_json()


def _entry(session: Session[State, Any], side: int, head: re.Match[str], rest: str) -> None:
    state = session.state
    if head["wins"]:
        _won(session, side, int(head["points"]))
        return
    if state.phase == "over" or (state.last is not None and state.phase == "opening"):
        raise InvalidRecord("the game is over before this")
    if head["double"]:
        if state.phase == "cube" and state.turn == side:
            session.play(Double())
            return
        raise InvalidRecord("the cube cannot be turned here")
    if head["take"] or head["drop"]:
        session.play(Take() if head["take"] else Drop())
        return
    dice = (int(head["dice"][0]), int(head["dice"][1]))
    if state.phase == "opening":
        high, low = max(dice), min(dice)
        session.play(Dice(high, low) if side == WHITE else Dice(low, high))
    else:
        if state.phase == "cube" and state.turn == side:
            session.play(Roll())
        if session.state.turn != side or session.state.phase != "roll":
            raise InvalidRecord("it is the other side's turn")
        session.play(Dice(*dice))
    state = session.state
    if re.match(r"(cannot|can't|no)\s+move|\?+", rest, re.I):
        rest = ""
    for step in parse_play(rest, state.position, side, dice):
        session.play(step)
    if session.state.phase == "play" and session.state.turn == side:
        session.play(Done())


def _won(session: Session[State, Any], side: int, points: int) -> None:
    """A game that ends on paper and not on the board was resigned."""
    state = session.state
    last = state.last
    if state.phase == "over" or (state.phase == "opening" and last is not None):
        if last is not None and last.winner != side:
            raise InvalidRecord("the other side has won on the board")
        return
    if state.phase == "doubled":
        session.play(Drop())
        return
    most = 3 if state.settings.gammons else 1
    session.play(Resign(max(1, min(most, round(points / state.cube))), 1 - side))
    if session.state.phase == "resigned":
        session.play(Accept())
