"""One-line forms of a position and its match: XGID, GNU Backgammon's position and match IDs.

White is the bottom player: the upper case of an XGID, player 1 of a match ID. None of them knows
the opening throw; it is written as White on roll.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import replace
from typing import Final

from carromsim.core.errors import CarromsimError, InvalidValue
from games.backgammon.json_form import state_from_json, state_to_json
from games.backgammon.state import BLACK, CHECKERS, WHITE, Position, Settings, State

__all__ = [
    "gnubg_ids",
    "match_id",
    "position_from_id",
    "position_id",
    "read_position",
    "state_from_ids",
    "state_from_xgid",
    "xgid",
]

_LONGEST_CUBE: Final = 12
_MAX_LENGTH: Final = 99


# XGID -----------------------------------------------------------------------------------------


def xgid(state: State) -> str:
    """The state as an XGID; in the middle of a turn, the turn's beginning."""
    position = state.start if state.phase == "play" else state.position
    letters = [_letter(position.bar[BLACK], BLACK)]
    letters += [_letter(abs(count), WHITE if count > 0 else BLACK) for count in position.points]
    letters.append(_letter(position.bar[WHITE], WHITE))
    owner = {None: 0, WHITE: 1, BLACK: -1}[state.owner]
    turn = -1 if state.turn == BLACK else 1
    dice = "00"
    if state.phase == "play" and state.dice:
        dice = f"{state.dice[0]}{state.dice[1]}"
    elif state.phase == "doubled":
        dice = "D"
    settings = state.settings
    flag = int(state.crawford) if settings.match else int(settings.jacoby)
    score = state.score if settings.match else (0, 0)
    fields = [
        "".join(letters),
        state.cube.bit_length() - 1,
        owner,
        turn,
        dice,
        *score,
        flag,
        settings.match,
        10 if settings.cube else 0,
    ]
    return "XGID=" + ":".join(map(str, fields))


def _letter(count: int, side: int) -> str:
    return chr((ord("A") if side == WHITE else ord("a")) + count - 1) if count else "-"


def state_from_xgid(text: str) -> State:
    """The state that an XGID describes.

    A largest cube of 1 means that no cube is in play; missing fields at the end have defaults.

    Raises:
        InvalidValue: It is none; the message says which part is wrong.
    """
    body = text.strip()
    if body[:5].upper() == "XGID=":
        body = body[5:]
    parts = body.split(":")
    if len(parts[0]) != 26 or len(parts) > 10:
        raise InvalidValue(
            "must be 26 places and up to nine numbers, XGID=...:cube:owner:turn:dice:...",
            field="xgid",
        )
    points, bar = [0] * 24, [0, 0]
    for index, letter in enumerate(parts[0]):
        if letter == "-":
            continue
        side = WHITE if letter.isupper() else BLACK
        count = ord(letter.lower()) - ord("a") + 1
        if not 1 <= count <= CHECKERS or not letter.isascii():
            raise InvalidValue(f"{letter!r} at place {index} is no count from A to O", field="xgid")
        if index in (0, 25):
            if side != (WHITE if index else BLACK):
                who = "White's, in upper case" if index else "Black's, in lower case"
                raise InvalidValue(f"the bar at place {index} is {who}", field="xgid")
            bar[side] = count
        else:
            points[index - 1] = count if side == WHITE else -count
    cube = 1 << _whole(parts, 1, 0, 0, _LONGEST_CUBE)
    owner = {0: None, 1: WHITE, -1: BLACK}[_whole(parts, 2, 0, -1, 1)]
    turn = WHITE if _whole(parts, 3, 1, -1, 1) >= 0 else BLACK
    dice = parts[4].upper() if len(parts) > 4 else "00"
    white, black = _whole(parts, 5, 0, 0, 10**6), _whole(parts, 6, 0, 0, 10**6)
    length = _whole(parts, 8, 0, 0, _MAX_LENGTH)
    flag = _whole(parts, 7, 0, 0, 3)
    largest = _whole(parts, 9, 10, 0, _LONGEST_CUBE)
    if dice == "D" or dice == "00":
        thrown = None
    elif len(dice) == 2 and all(die in "123456" for die in dice):
        thrown = (int(dice[0]), int(dice[1]))
    else:
        raise InvalidValue(
            f"the dice must be 00, D or two numbers from 1 to 6, not {dice[:8]!r}", field="xgid"
        )
    try:
        position = Position.of(points, bar)
    except CarromsimError as error:
        raise InvalidValue(f"{error.field}: {error.message}", field="xgid") from None
    return _assembled(
        position,
        turn,
        thrown,
        "doubled" if dice == "D" else None,
        cube,
        owner,
        (white, black) if length else (0, 0),
        length,
        crawford=bool(length and flag & 1),
        jacoby=bool(not length and flag & 1),
        has_cube=largest > 0 or cube > 1 or dice == "D",
        field="xgid",
    )


def _whole(parts: list[str], index: int, default: int, low: int, high: int) -> int:
    if index >= len(parts) or not parts[index].strip():
        return default
    try:
        value = int(parts[index])
    except ValueError:
        value = low - 1
    if not low <= value <= high:
        names = ("", "cube", "cube's owner", "turn", "", "score", "score", "flag", "length", "cube")
        raise InvalidValue(
            f"the {names[index]} must be a whole number from {low} to {high}, "
            f"not {parts[index][:12]!r}",
            field="xgid",
        )
    return value


def _assembled(
    position: Position,
    turn: int,
    dice: tuple[int, int] | None,
    phase: str | None,
    cube: int,
    owner: int | None,
    score: tuple[int, int],
    length: int,
    *,
    crawford: bool,
    jacoby: bool,
    has_cube: bool,
    field: str,
) -> State:
    """The state of these parts, checked as a state from JSON is."""
    settings = Settings(cube=has_cube, jacoby=jacoby, match=length)
    near = length - 1 in score
    bare = State(
        settings=settings,
        position=position,
        start=position,
        turn=turn,
        cube=cube,
        owner=owner if cube > 1 else None,
        score=score,
        crawford=crawford,
        crawford_over=bool(length) and near and not crawford,
        phase="roll",
    )
    data = state_to_json(bare)
    for name in ("left", "required", "phase"):
        del data[name]
    data["dice"] = list(dice) if dice else None
    if phase is not None:
        data["phase"] = phase
    try:
        return state_from_json(data)
    except CarromsimError as error:
        raise InvalidValue(f"{error.field}: {error.message}", field=field) from None


# GNU Backgammon -------------------------------------------------------------------------------


def position_id(position: Position, on_roll: int) -> str:
    """GNU Backgammon's position ID, 14 characters.

    The other side's and then the roller's checkers: as many ones as stand on each point from the
    ace point to the bar, each followed by a zero; ten bytes, lowest bits first, in base 64.
    """
    bits, place = 0, 0
    for side in (1 - on_roll, on_roll):
        for count in position.counts(side)[1:]:
            bits |= ((1 << count) - 1) << place
            place += count + 1
    return base64.b64encode(bits.to_bytes(10, "little")).decode()[:14]


def position_from_id(text: str, on_roll: int) -> Position:
    """The position of a position ID.

    Raises:
        InvalidValue: It is none.
    """
    bits = int.from_bytes(_decode(text, 14, "position ID"), "little")
    planes = [0, 0]
    for side in (1 - on_roll, on_roll):
        placed = 0
        for number in range(1, 26):
            while bits & 1:
                planes[side] += 1 << 8 * number
                placed += 1
                bits >>= 1
                if placed > CHECKERS:
                    raise InvalidValue("a side has more than fifteen checkers", field="position_id")
            bits >>= 1
        planes[side] += CHECKERS - placed
    if bits:
        raise InvalidValue("holds more than a position", field="position_id")
    position = Position(planes[WHITE], planes[BLACK])
    for number in range(1, 25):
        if position.counts(WHITE)[number] and position.counts(BLACK)[25 - number]:
            raise InvalidValue(f"both sides have checkers on point {number}", field="position_id")
    return position


def match_id(state: State) -> str:
    """GNU Backgammon's match ID, 12 characters: cube, score, turn and dice in 67 bits."""
    settings = state.settings
    dice = state.dice if state.phase == "play" and state.dice else (0, 0)
    answering = state.phase in ("doubled", "resigned")
    turn_player = _player(1 - state.turn if answering else state.turn)
    playing = {"opening": 1, "over": 2}.get(state.phase, 1)
    owner = 3 if state.owner is None else _player(state.owner)
    score = state.score if settings.match else (0, 0)
    parts = (
        (state.cube.bit_length() - 1, 4),
        (owner, 2),
        (_player(state.turn), 1),
        (int(state.crawford), 1),
        (playing, 3),
        (turn_player, 1),
        (int(state.phase == "doubled"), 1),
        (state.offer, 2),
        (dice[0], 3),
        (dice[1], 3),
        (settings.match, 15),
        (score[BLACK], 15),
        (score[WHITE], 15),
        (int(not settings.jacoby or bool(settings.match)), 1),
    )
    bits, place = 0, 0
    for value, width in parts:
        bits |= (value & ((1 << width) - 1)) << place
        place += width
    return base64.b64encode(bits.to_bytes(9, "little")).decode()


def _player(side: int) -> int:
    """White is player 1."""
    return 1 - side


def gnubg_ids(state: State) -> str:
    """Position ID and match ID, with a colon between."""
    position = state.start if state.phase == "play" else state.position
    return f"{position_id(position, state.turn)}:{match_id(state)}"


def state_from_ids(text: str) -> State:
    """The state of `POSITION_ID:MATCH_ID`, or of a position ID alone (White on roll, no match).

    Raises:
        InvalidValue: They are none.
    """
    first, _, second = text.strip().partition(":")
    if not second:
        position = position_from_id(first, WHITE)
        return _assembled(
            position,
            WHITE,
            None,
            None,
            1,
            None,
            (0, 0),
            0,
            crawford=False,
            jacoby=False,
            has_cube=False,
            field="position_id",
        )
    bits = int.from_bytes(_decode(second, 12, "match ID"), "little")
    values = []
    for width in (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1):
        values.append(bits & ((1 << width) - 1))
        bits >>= width
    log, owner, mover, crawford, _, _, doubled, offer, one, two, length, black, white, no_jacoby = (
        values
    )
    if log > _LONGEST_CUBE or owner == 2 or one > 6 or two > 6 or length > _MAX_LENGTH:
        raise InvalidValue("holds a cube, dice or a length that cannot be", field="match_id")
    turn = 1 - mover
    position = position_from_id(first, turn)
    state = _assembled(
        position,
        turn,
        (one, two) if one and two else None,
        "doubled" if doubled else None,
        1 << log,
        None if owner == 3 else 1 - owner,
        (white, black) if length else (0, 0),
        length,
        crawford=bool(crawford),
        jacoby=not length and not no_jacoby,
        has_cube=True,
        field="match_id",
    )
    if offer and state.phase in ("cube", "roll", "play"):
        return replace(
            state, phase="resigned", offer=min(offer, 2), offered_by=turn, resume=state.phase
        )
    return state


def _decode(text: str, length: int, name: str) -> bytes:
    field = name.replace(" ", "_").lower()
    if len(text) != length:
        raise InvalidValue(f"a {name} has {length} characters, not {len(text)}", field=field)
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise InvalidValue(f"a {name} has letters, digits, + and / only", field=field) from None


def read_position(text: str) -> State:
    """A state from any of the one-line forms.

    Raises:
        InvalidValue: It is none of them.
    """
    line = text.strip()
    if line[:5].upper() == "XGID=" or (":" in line and len(line.split(":")[0]) == 26):
        return state_from_xgid(line)
    return state_from_ids(line)
