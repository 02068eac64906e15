"""Portable draughts notation (PDN 3.0) and FEN files, to and from records.

Read: tags, comments in braces and after semicolons, variations (nested), move numbers, marks and
numeric annotation glyphs, algebraic or numeric moves with `-`, `x` or `:`, every usual result, many
games in a file. The notation field of `GameType` says which corner is square 1. Written: algebraic
moves, the path where the ends of a capture are ambiguous, `GameType "26,W,8,8,A0,0"`.

Comments and variations are kept in a record's `meta` by the number of actions before them.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from carromsim.core.errors import CarromsimError, InvalidRecord, InvalidValue
from carromsim.core.fields import Json
from carromsim.core.record import Entry, Record, Seat
from games.draughts.board import BLACK, WHITE
from games.draughts.codec import (
    action_from_json,
    action_to_json,
    given_setting,
    state_from_json,
    state_to_json,
)
from games.draughts.notation import NUMBERINGS, fen, move_text, parse_fen, parse_move
from games.draughts.rules import apply, ending, initial
from games.draughts.state import (
    RULE_SETS,
    Action,
    Draw,
    Move,
    NextGame,
    Opening,
    Phase,
    Resign,
    RuleSet,
    Setting,
    State,
    Timeout,
)

__all__ = ["read_fen", "read_pdn", "write_fen", "write_pdn"]

RESULTS: Final[dict[str, tuple[int, int]]] = {
    "1-0": (2, 0),
    "0-1": (0, 2),
    "1/2-1/2": (1, 1),
    "2-0": (2, 0),
    "0-2": (0, 2),
    "1-1": (1, 1),
    "½-½": (1, 1),
}
_OPEN: Final = ("*", "0-0")
_WRITTEN: Final = {(2, 0): "1-0", (0, 2): "0-1", (1, 1): "1/2-1/2"}
_FORFEIT: Final = "time forfeit"
_GLUE: Final = "\x1f"
"""Between a number and its move, so that no line ends there; a space in the end."""
MOST_GAMES: Final = 100_000

_TOKEN: Final = re.compile(
    r"""\s+
    | (?P<tag>\[\s*(?P<name>\w+)\s+"(?P<value>(?:[^"\\]|\\.)*)"\s*\])
    | \{(?P<comment>[^}]*)\}
    | ;(?P<line>[^\n]*)
    | (?P<escape>(?<![^\n])%[^\n]*)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<glyph>\$[0-9]+ | [!?]+)
    | (?P<result>1/2-1/2 | ½-½ | [012]-[012](?![0-9\-x:]) | \*)
    | (?P<number>[0-9]+\.+ | \.+)
    | (?P<move>[A-La-l0-9][A-La-l0-9x:×–-]*)
    """,
    re.VERBOSE,
)


@dataclass
class _Game:
    """A game being read."""

    number: int
    tags: dict[str, str] = field(default_factory=dict)
    state: State | None = None
    start: State | None = None
    numbering: str | None = None
    actions: list[Action] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
    variations: dict[int, list[str]] = field(default_factory=dict)
    result: str | None = None

    @property
    def empty(self) -> bool:
        return not (self.tags or self.actions or self.comments or self.result)


# reading -----------------------------------------------------------------------------------


def read_pdn(
    text: str, *, numbering: str | None = None, rules: str | None = None
) -> list[Mapping[str, Json]]:
    """The games of a PDN file as records' JSON.

    Args:
        text: The whole file.
        numbering: One of `NUMBERINGS`, for numeric games whose GameType does not say.
        rules: Rule set of games without GameType; the default is Brazilian.

    Raises:
        CarromsimError: Something cannot be read or played; the message names game and move.
    """
    if numbering is not None and numbering not in NUMBERINGS:
        raise InvalidValue(f"must be one of {', '.join(NUMBERINGS)}", field="numbering")
    if rules is not None and rules not in RULE_SETS:
        raise InvalidValue(f"must be one of {', '.join(RULE_SETS)}", field="rules")
    records: list[Mapping[str, Json]] = []
    game = _Game(1)
    at = 0
    text = text.removeprefix("\ufeff")
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            line = text.count("\n", 0, at) + 1
            raise InvalidRecord(f"line {line}: {text[at : at + 20].strip()!r} is no PDN")
        at = token.end()
        if token["open"]:
            stop = _matching(text, at)
            inside = " ".join(text[at : stop - 1].split())
            game.variations.setdefault(len(game.actions), []).append(inside)
            at = stop
        elif token["close"]:
            line = text.count("\n", 0, at) + 1
            raise InvalidRecord(f"line {line}: a variation is closed that was not opened")
        elif token["tag"]:
            if game.actions or game.result:
                records.append(_finished(game, rules, numbering))
                game = _Game(len(records) + 1)
            game.tags[token["name"]] = re.sub(r"\\(.)", r"\1", token["value"])[:2000]
        elif token["comment"] is not None or token["line"] is not None:
            words = " ".join((token["comment"] or token["line"] or "").split())
            if words:
                place = len(game.actions)
                before = game.comments.get(place)
                game.comments[place] = f"{before} {words}" if before else words
        elif token["result"]:
            game.result = token["result"]
            records.append(_finished(game, rules, numbering))
            game = _Game(len(records) + 1)
        elif token["move"]:
            _play(game, token["move"], rules, numbering)
        if len(records) > MOST_GAMES:
            raise InvalidRecord(f"holds more than {MOST_GAMES:,} games; split the file")
    if game.tags or game.actions:
        records.append(_finished(game, rules, numbering))
    return records


def _matching(text: str, at: int) -> int:
    """The place behind the bracket that closes the one before `at`."""
    depth = 1
    begun = at
    while at < len(text):
        letter = text[at]
        if letter == "{":
            end = text.find("}", at)
            at = len(text) if end < 0 else end
        elif letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
            if not depth:
                return at + 1
        at += 1
    line = text.count("\n", 0, begun) + 1
    raise InvalidRecord(f"line {line}: a variation is opened and never closed")


def _begin(game: _Game, rules: str | None, numbering: str | None) -> State:
    """The start of a game, once its tags are known."""
    if game.state is None:
        chosen, own = _game_type(game.tags.get("GameType"), game.number)
        if chosen is None:
            chosen = RULE_SETS[rules or "brazilian"]
        game.numbering = own or numbering
        setting = Setting(chosen)
        if "FEN" in game.tags:
            try:
                game.start = parse_fen(game.tags["FEN"], setting, game.numbering)
            except CarromsimError as error:
                raise InvalidRecord(f"game {game.number}, FEN: {error.message}") from None
            game.state = game.start
        else:
            game.state = initial(setting)
    return game.state


def _game_type(text: str | None, number: int) -> tuple[RuleSet | None, str | None]:
    """Rule set and numbering of a GameType, as far as it says."""
    if text is None:
        return None, None
    parts = [part.strip() for part in text.split(",")]
    found = [rules for rules in RULE_SETS.values() if str(rules.game_type) == parts[0]]
    if not found:
        known = ", ".join(f"{rules.game_type} ({rules.name})" for rules in RULE_SETS.values())
        raise InvalidRecord(
            f"game {number}: GameType {parts[0][:20]!r} is not played here: {known}"
        )
    notation = parts[4].upper() if len(parts) > 4 else ""
    if re.fullmatch(r"N[0-3]", notation):
        return found[0], NUMBERINGS[int(notation[1])]
    if notation not in ("", "A", "A0", "S", "S0"):
        raise InvalidRecord(
            f"game {number}: notation {notation[:20]!r} of GameType is unknown; A0 and N0 to N3 are"
        )
    return found[0], None


def _play(game: _Game, text: str, rules: str | None, numbering: str | None) -> None:
    state = _begin(game, rules, numbering)
    try:
        move = parse_move(state, text, game.numbering)
        game.state, _events = apply(state, move)
    except CarromsimError as error:
        number = len(game.actions) // 2 + 1
        raise InvalidRecord(f"game {game.number}, move {number}: {error.message}") from None
    game.actions.append(move)


def _finished(game: _Game, rules: str | None, numbering: str | None) -> Mapping[str, Json]:
    """The record of a game; a result that the board does not show becomes an action."""
    state = _begin(game, rules, numbering)
    result = game.result or game.tags.get("Result", "*")
    if result not in RESULTS and result not in _OPEN:
        result = "*"
    if result in RESULTS and ending(state) is None:
        points = RESULTS[result]
        if points == (1, 1):
            game.actions += [Draw("offer"), Draw("accept")]
        else:
            loser = WHITE if points[WHITE] == 0 else BLACK
            late = game.tags.get("Termination", "").lower() == _FORFEIT
            game.actions.append(Timeout(loser) if late else Resign(loser))
    tags = {
        name: value
        for name, value in game.tags.items()
        if name not in ("GameType", "FEN", "SetUp", "White", "Black", "Result", "Termination")
        and value not in ("?", "????.??.??")
    }
    meta: dict[str, Json] = {}
    if tags:
        meta["tags"] = dict(tags)
    if game.comments:
        meta["comments"] = {str(place): words for place, words in game.comments.items()}
    if game.variations:
        meta["variations"] = {str(place): lines for place, lines in game.variations.items()}
    names = (game.tags.get("White", ""), game.tags.get("Black", ""))
    record = Record(
        "draughts",
        1,
        {"seats": 2, "rules": state.rules.name},
        tuple(Seat(name="" if name == "?" else name[:80]) for name in names),
        0,
        tuple(Entry(action_to_json(action)) for action in game.actions),
        start=None if game.start is None else state_to_json(game.start),
        meta=meta,
    )
    return record.to_json()


# writing -----------------------------------------------------------------------------------


@dataclass
class _Written:
    """A game being written: where it began, its moves in words, and how it ended."""

    start: State
    words: list[str] = field(default_factory=list)
    after: list[int] = field(default_factory=list)
    """Number of actions before each word's move."""
    last: State | None = None
    reason: str = ""


def write_pdn(records: Sequence[Mapping[str, Json]]) -> str:
    """The games of some records as PDN; each game of a match is one of its own.

    Raises:
        CarromsimError: A record cannot be played.
    """
    games: list[str] = []
    for item in records:
        record = Record.from_json(item)
        for number, game in enumerate(_games(record), 1):
            games.append(_game_text(record, game, number))
    return "\n".join(games)


def _games(record: Record) -> list[_Written]:
    state = _start(record)
    games = [_Written(state)]
    for place, entry in enumerate(record.entries):
        try:
            action = action_from_json(entry.action)
            before = state
            state, _events = apply(state, action)
        except CarromsimError as error:
            raise InvalidRecord(str(error), field=f"actions[{place}]") from None
        game = games[-1]
        if isinstance(action, Move):
            game.words.append(move_text(before, action))
            game.after.append(place)
        elif isinstance(action, Opening):
            at = initial(replace(before.setting, opening=()))
            at = replace(at, progress=replace(at.progress, phase=Phase.MOVE))
            _add_opening(game, at, action.moves, place)
        elif isinstance(action, NextGame):
            game.last = before
            game = _Written(initial(replace(state.setting, opening=(), drawn_openings=False)))
            _add_opening(game, game.start, state.setting.opening, place)
            games.append(game)
        games[-1].last = state
    return games


def _start(record: Record) -> State:
    if record.start is not None:
        return state_from_json(record.start)
    options = {
        "five_move_endings": False,
        "drawn_openings": False,
        "games": 1,
        "rules": "brazilian",
        **record.options,
    }
    return initial(given_setting(options))


def _add_opening(game: _Written, at: State, moves: Sequence[str], place: int) -> None:
    game.start = at
    for text in moves:
        move = parse_move(at, text)
        game.words.append(move_text(at, move))
        game.after.append(place)
        at, _events = apply(at, move)


def _game_text(record: Record, game: _Written, number: int) -> str:
    last = game.last or game.start
    end = ending(last)
    result = "*"
    if end is not None:
        points = (1, 1) if end.winner is None else ((2, 0) if end.winner == WHITE else (0, 2))
        result = _WRITTEN[points]
    rules = last.rules
    given = {str(key): str(value) for key, value in dict(record.meta.get("tags", {})).items()}
    seats = record.seats[:: 1 if last.setting.number % 2 else -1]
    tags: dict[str, str] = {
        "Event": given.pop("Event", "?"),
        "Site": given.pop("Site", "?"),
        "Date": given.pop("Date", "????.??.??"),
        "Round": given.pop("Round", str(number) if last.setting.games > 1 else "?"),
        "White": _seat_name(seats[0]),
        "Black": _seat_name(seats[1]),
        "Result": result,
        "GameType": f"{rules.game_type},W,{rules.kind.size},{rules.kind.size},A0,0",
    }
    if end is not None and end.reason == "timeout":
        tags["Termination"] = _FORFEIT
    if game.start.position != initial(Setting(rules)).position:
        tags["SetUp"] = "1"
        tags["FEN"] = fen(game.start)
    tags |= given
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
    body = textwrap.wrap(
        " ".join([*_movetext(record, game), result]),
        80,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join([*lines, "", *(line.replace(_GLUE, " ") for line in body), ""])


def _movetext(record: Record, game: _Written) -> list[str]:
    comments: Mapping[str, Any] = dict(record.meta.get("comments", {}))
    variations: Mapping[str, Any] = dict(record.meta.get("variations", {}))
    words: list[str] = []
    black = game.start.side == BLACK
    again = True  # a number is due: at the start, and after a comment

    def remarks(place: int) -> bool:
        said = False
        if str(place) in comments:
            words.append("{" + str(comments[str(place)]).replace("}", ")") + "}")
            said = True
        for line in variations.get(str(place), ()):
            words.append(f"({line})")
            said = True
        return said

    previous = -1
    for index, word in enumerate(game.words):
        place = game.after[index]
        if place != previous:
            again = remarks(place) or again
            previous = place
        count = index + (1 if black else 0)
        if count % 2 == 0:
            word = f"{count // 2 + 1}.{_GLUE}{word}"
        elif again:
            word = f"{count // 2 + 1}...{_GLUE}{word}"
        again = False
        words.append(word)
    if game.after:
        remarks(game.after[-1] + 1)
    else:
        remarks(0)
    return words


def _seat_name(seat: Seat) -> str:
    if seat.name:
        return seat.name
    if seat.kind == "bot":
        return "carromsim" if seat.level is None else f"carromsim level {seat.level}"
    return "?"


def _quoted(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


# FEN files ---------------------------------------------------------------------------------


def read_fen(
    text: str, *, numbering: str | None = None, rules: str | None = None
) -> list[Mapping[str, Json]]:
    """Positions, one a line, as records that begin there.

    Raises:
        CarromsimError: A line is no FEN; the message names it.
    """
    setting = Setting(RULE_SETS[rules or "brazilian"])
    records: list[Mapping[str, Json]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            state = parse_fen(line, setting, numbering)
        except CarromsimError as error:
            raise InvalidRecord(f"line {number}: {error.message}") from None
        record = Record(
            "draughts",
            1,
            {"seats": 2, "rules": setting.rules.name},
            (Seat(), Seat()),
            0,
            start=state_to_json(state),
        )
        records.append(record.to_json())
    return records


def write_fen(records: Sequence[Mapping[str, Json]]) -> str:
    """The last position of each record, one a line.

    Raises:
        CarromsimError: A record cannot be played.
    """
    lines = []
    for item in records:
        record = Record.from_json(item)
        game = _games(record)[-1]
        lines.append(fen(game.last or game.start))
    return "".join(f"{line}\n" for line in lines)
