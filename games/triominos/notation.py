"""Triominos in writing: tiles and score lines as text, placements and states as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from carromsim.core.errors import InvalidType, InvalidValue
from carromsim.core.fields import Fields, Json, join
from games.triominos.grid import LIMIT, Cell, corners, neighbours
from games.triominos.rules import MAX_DRAWS, highest, known, outcome, stuck
from games.triominos.state import (
    DEAL,
    DRAWING,
    EXTRA,
    OVER,
    PHASES,
    PLAY,
    TILES,
    Action,
    Board,
    Deal,
    Draw,
    Drawn,
    End,
    Ending,
    Extra,
    Place,
    Rack,
    Rules,
    State,
    Tile,
)

__all__ = [
    "action_from_json",
    "action_to_json",
    "board_from_json",
    "place_from_json",
    "rules_from_options",
    "rules_to_json",
    "score_text",
    "state_from_json",
    "state_to_json",
    "tile_text",
]

_TILE_SET = frozenset(TILES)


# text --------------------------------------------------------------------------------------


def tile_text(tile: Sequence[int]) -> str:
    """A tile as people write it: `3-4-4`."""
    return "-".join(map(str, tile))


def score_text(tile: Sequence[int], bonus: int = 0, start: int = 0) -> str:
    """A placement's points as the rulebook writes them: `3+4+4+40=51`."""
    parts = [*tile, *(extra for extra in (bonus, start) if extra)]
    return f"{'+'.join(map(str, parts))}={sum(parts)}"


# reading -----------------------------------------------------------------------------------


def _numbers(data: Json, where: str, count: int, low: int, high: int) -> tuple[int, ...]:
    if not isinstance(data, (list, tuple)):
        raise InvalidType(f"must be a list of {count} whole numbers", field=where)
    if len(data) != count:
        raise InvalidValue(f"must have {count} numbers, not {len(data)}", field=where)
    numbers = []
    for i, value in enumerate(data):
        holder = Fields({str(i): value})
        try:
            numbers.append(holder.integer(str(i), low=low, high=high))
        except (InvalidType, InvalidValue) as error:
            raise type(error)(error.message, field=join(where, i)) from None
    return tuple(numbers)


def cell_from_json(data: Json, where: str = "cell") -> Cell:
    """A cell `[x, y, 0 or 1]`."""
    x, y, down = _numbers(data, where, 3, -LIMIT, LIMIT)
    if down not in (0, 1):
        raise InvalidValue(f"must be 0 (up) or 1 (down), not {down}", field=join(where, 2))
    return x, y, down


def tile_from_json(data: Json, where: str = "tile", *, exists: bool = True) -> Tile:
    """A tile `[a, b, c]`, a ≤ b ≤ c; with `exists` one of the 56."""
    a, b, c = _numbers(data, where, 3, -LIMIT, LIMIT)
    if exists and (a, b, c) not in _TILE_SET:
        raise InvalidValue(
            f"no such tile: give three numbers from 0 to 5, lowest first, not {[a, b, c]}",
            field=where,
        )
    return a, b, c


def place_from_json(data: Json, where: str = "place", *, exists: bool = True) -> Place:
    """A placement `[cell, tile, rotation]`."""
    if not isinstance(data, (list, tuple)):
        raise InvalidType("must be a list [cell, tile, rotation]", field=where)
    if len(data) != 3:
        raise InvalidValue(f"must be [cell, tile, rotation], not {len(data)} items", field=where)
    rotation = Fields({"2": data[2]}, "")
    try:
        turn = rotation.integer("2", low=0, high=2)
    except (InvalidType, InvalidValue) as error:
        raise type(error)(error.message, field=join(where, 2)) from None
    cell = cell_from_json(data[0], join(where, 0))
    return Place(cell, tile_from_json(data[1], join(where, 1), exists=exists), turn)


def place_to_json(place: Place) -> list[Json]:
    """A placement `[cell, tile, rotation]`."""
    return [list(place.cell), list(place.tile), place.rotation]


def board_from_json(data: Json, where: str = "board", *, connected: bool = False) -> Board:
    """A board from a list of placements in any order.

    Tiles and cells may stand in it once, numbers that meet must be equal, and, with
    `connected`, all tiles hang together by their sides, as play always leaves them.
    """
    if not isinstance(data, (list, tuple)):
        raise InvalidType("must be a list of [cell, tile, rotation]", field=where)
    if len(data) > len(TILES):
        raise InvalidValue(f"must have at most {len(TILES)} tiles, not {len(data)}", field=where)
    placed = [place_from_json(item, join(where, i)) for i, item in enumerate(data)]
    cells: set[Cell] = set()
    tiles: set[Tile] = set()
    numbers: dict[tuple[int, int], int] = {}
    for i, place in enumerate(placed):
        if place.cell in cells:
            raise InvalidValue("lies on a cell that is taken", field=join(where, i))
        if place.tile in tiles:
            raise InvalidValue("is a tile that lies there already", field=join(where, i))
        cells.add(place.cell)
        tiles.add(place.tile)
        for vertex, number in zip(corners(place.cell), place.numbers, strict=True):
            if numbers.setdefault(vertex, number) != number:
                raise InvalidValue(
                    f"corner {number} meets a {numbers[vertex]}", field=join(where, i)
                )
    if connected and placed:
        _check_connected([place.cell for place in placed], where)
    return Board(placed)


def _check_connected(cells: Sequence[Cell], where: str) -> None:
    reached = {cells[0]}
    waiting = [cells[0]]
    every = set(cells)
    while waiting:
        for other in neighbours(waiting.pop()):
            if other in every and other not in reached:
                reached.add(other)
                waiting.append(other)
    for i, cell in enumerate(cells):
        if cell not in reached:
            raise InvalidValue("shares no side with the others", field=join(where, i))


def _rack_from_json(data: Json, where: str) -> Rack:
    if not isinstance(data, (list, tuple)):
        raise InvalidType("must be a list of tiles", field=where)
    if len(data) > len(TILES):
        raise InvalidValue(f"must have at most {len(TILES)} tiles, not {len(data)}", field=where)
    return tuple(
        None if item is None else tile_from_json(item, join(where, i))
        for i, item in enumerate(data)
    )


# actions -----------------------------------------------------------------------------------


def action_to_json(action: Action) -> dict[str, Json]:
    """An action as JSON, an object with one field that names it."""
    if isinstance(action, Place):
        return {"place": place_to_json(action)}
    if isinstance(action, Deal):
        return {"deal": [[list(tile) for tile in rack] for rack in action.racks]}
    if isinstance(action, Extra):
        return {"extra": [list(tile) for tile in action.tiles]}
    if isinstance(action, Drawn):
        return {"drawn": list(action.tile)}
    return {"draw" if isinstance(action, Draw) else "end": True}


def action_from_json(data: Json) -> Action:
    """An action from JSON; whether it is legal, the rules say."""
    fields = Fields(data, "action")
    kinds = [name for name in ("place", "draw", "end", "deal", "extra", "drawn") if name in fields]
    if len(kinds) != 1:
        raise InvalidValue(
            "must have exactly one of place, draw, end, deal, extra, drawn", field="action"
        )
    kind = kinds[0]
    value = fields.raw(kind)
    fields.done()
    where = f"action.{kind}"
    if kind == "place":
        return place_from_json(value, where).normal()
    if kind == "drawn":
        return Drawn(tile_from_json(value, where))
    if kind in ("draw", "end"):
        if value is not True:
            raise InvalidValue("must be true", field=where)
        return Draw() if kind == "draw" else End()
    rows = Fields({kind: value}, "action").sequence(kind, longest=len(TILES))
    if kind == "extra":
        return Extra(tuple(tile_from_json(row, join(where, i)) for i, row in enumerate(rows)))
    racks = [_rack_from_json(row, join(where, i)) for i, row in enumerate(rows)]
    for i, rack in enumerate(racks):
        if None in rack:
            raise InvalidValue("a deal names every tile", field=join(where, i))
    return Deal(tuple(known(rack) for rack in racks))


# states ------------------------------------------------------------------------------------


def rules_from_options(options: Mapping[str, Json]) -> Rules:
    """The options that the rules read, out of a game's resolved options."""
    names = Rules.__dataclass_fields__
    return Rules(**{name: options[name] for name in names if name in options})


def rules_to_json(rules: Rules) -> dict[str, Json]:
    """The options that the rules read, by name."""
    return {name: getattr(rules, name) for name in Rules.__dataclass_fields__}


def _rack_to_json(rack: Rack) -> list[Json]:
    return [None if tile is None else list(tile) for tile in rack]


def state_to_json(state: State) -> dict[str, Json]:
    """A state as JSON; hidden tiles are null."""
    return {
        "seats": state.seats,
        "rules": rules_to_json(state.rules),
        "phase": state.phase,
        "round": state.round,
        "turn": state.turn,
        "draws": state.draws,
        "scores": list(state.scores),
        "board": [place_to_json(place) for place in state.board.placed],
        "racks": [_rack_to_json(rack) for rack in state.racks],
        "pool": _rack_to_json(state.pool),
        "starter": state.starter,
        "contenders": list(state.contenders),
        "extras": [[seat, list(tile)] for seat, tile in state.extras],
        "first": None if state.first is None else list(state.first),
        "turns": [[draws, laid] for draws, laid in state.turns],
        "ending": None
        if state.ending is None
        else {
            "kind": state.ending.kind,
            "seat": state.ending.seat,
            "points": list(state.ending.deltas),
        },
    }


def state_from_json(data: Json, options: Any) -> State:
    """A state from JSON, checked field by field.

    Args:
        data: As `state_to_json` gives it.
        options: The game's `resolve`, which checks the options.

    Raises:
        CarromsimError: It names the field: a state that cannot be is refused.
    """
    fields = Fields(data, "state")
    seats = fields.integer("seats", low=2, high=6)
    resolved = options({"seats": seats, **fields.mapping("rules", {})})
    state = State(
        rules=rules_from_options(resolved),
        phase=fields.string("phase", choices=PHASES),
        round=fields.integer("round", low=0, high=100_000),
        turn=fields.integer("turn", 0, low=0, high=seats - 1),
        draws=fields.integer("draws", 0, low=0, high=MAX_DRAWS),
        scores=tuple(
            _numbers(fields.raw("scores"), "state.scores", seats, -10_000_000, 10_000_000)
        ),
        board=board_from_json(fields.raw("board"), "state.board", connected=True),
        racks=tuple(
            _rack_from_json(rack, join("state.racks", i))
            for i, rack in enumerate(fields.sequence("racks", length=seats))
        ),
        pool=_sorted_pool(_rack_from_json(fields.raw("pool"), "state.pool")),
        starter=fields.integer("starter", None, low=0, high=seats - 1),
        contenders=_seat_list(fields.raw("contenders", []), "state.contenders", seats),
        extras=_extras_from_json(fields.sequence("extras", [], longest=10_000), seats),
        first=None
        if fields.raw("first", None) is None
        else tile_from_json(fields.raw("first"), "state.first"),
        turns=_turns_from_json(fields.sequence("turns", [], longest=10_000)),
        ending=_ending_from_json(fields.raw("ending", None), seats),
    )
    fields.done()
    _check_state(state)
    return state


def _sorted_pool(pool: Rack) -> Rack:
    return (*sorted(known(pool)), *(None for tile in pool if tile is None))


def _seat_list(data: Json, where: str, seats: int) -> tuple[int, ...]:
    if not isinstance(data, (list, tuple)) or len(data) > seats:
        raise InvalidType(f"must be a list of at most {seats} seats", field=where)
    chosen = _numbers(data, where, len(data), 0, seats - 1)
    if list(chosen) != sorted(set(chosen)):
        raise InvalidValue("must be seats in ascending order, each once", field=where)
    return chosen


def _extras_from_json(items: Sequence[Json], seats: int) -> tuple[tuple[int, Tile], ...]:
    extras = []
    for i, item in enumerate(items):
        where = join("state.extras", i)
        if not isinstance(item, (list, tuple)) or len(item) != 2:
            raise InvalidType("must be [seat, tile]", field=where)
        (seat,) = _numbers(item[:1], where, 1, 0, seats - 1)
        extras.append((seat, tile_from_json(item[1], join(where, 1))))
    return tuple(extras)


def _turns_from_json(items: Sequence[Json]) -> tuple[tuple[int, bool], ...]:
    turns = []
    for i, item in enumerate(items):
        where = join("state.turns", i)
        if not isinstance(item, (list, tuple)) or len(item) != 2:
            raise InvalidType("must be [tiles drawn, true or false]", field=where)
        (draws,) = _numbers(item[:1], where, 1, 0, MAX_DRAWS)
        if not isinstance(item[1], bool):
            raise InvalidType("must be true or false: was a tile laid?", field=join(where, 1))
        turns.append((draws, item[1]))
    return tuple(turns)


def _ending_from_json(data: Json, seats: int) -> Ending | None:
    if data is None:
        return None
    fields = Fields(data, "state.ending")
    kind = fields.string("kind", choices=("out", "stuck"))
    seat = fields.integer("seat", None, low=0, high=seats - 1)
    if (seat is None) != (kind == "stuck"):
        raise InvalidValue(
            "must be the seat that went out, and null for a stuck round", field="state.ending.seat"
        )
    deltas = _numbers(fields.raw("points"), "state.ending.points", seats, -100_000, 100_000)
    fields.done()
    return Ending(kind, seat, deltas)


def _check_state(state: State) -> None:
    held = [tile for rack in state.racks for tile in rack]
    everything = [*(place.tile for place in state.board.placed), *held, *state.pool]
    seen = [tile for tile in everything if tile is not None]
    if len(seen) != len(set(seen)):
        double = next(tile for tile in seen if seen.count(tile) > 1)
        raise InvalidValue(f"tile {tile_text(double)} is there twice", field="state")
    if len(everything) != len(TILES):
        raise InvalidValue(
            f"board, racks and pool must hold {len(TILES)} tiles, not {len(everything)}",
            field="state",
        )
    checks = {DEAL: _check_deal, EXTRA: _check_extra, PLAY: _check_play, DRAWING: _check_play}
    if state.phase in checks:
        checks[state.phase](state)
    if (state.phase in (EXTRA, PLAY, DRAWING, OVER)) and state.round < 1:
        raise InvalidValue("must be at least 1 once a round is dealt", field="state.round")
    if (state.ending is not None) != (state.phase == OVER or (state.phase == DEAL and state.round)):
        raise InvalidValue("must be given between rounds and at the end only", field="state.ending")
    if state.turns:
        _check_turns(state)
    if state.phase == OVER and state.rules.play_to is not None:
        _check_target(state, reached=True)
    if state.phase == DEAL and state.round:
        _check_target(state, reached=False)
    if state.phase == OVER and outcome(state) is None:
        raise InvalidValue("must say how the last round ended", field="state.ending")


def _check_turns(state: State) -> None:
    laid = sum(placed for _, placed in state.turns)
    if laid != len(state.board):
        raise InvalidValue(
            f"tell of {laid} tiles laid, but {len(state.board)} lie there", field="state.turns"
        )
    seats = state.seats
    if state.starter is None or (
        state.phase in (PLAY, DRAWING) and (state.starter + len(state.turns)) % seats != state.turn
    ):
        raise InvalidValue("do not lead from the starter to the seat to move", field="state.turns")


def _check_target(state: State, *, reached: bool) -> None:
    goal = state.rules.play_to
    if goal is None:
        raise InvalidValue("one round is played, no second one is dealt", field="state.phase")
    if (max(state.scores) >= goal) != reached:
        what = "nobody has" if reached else "somebody has"
        raise InvalidValue(f"does not go with the scores: {what} {goal}", field="state.phase")


def _check_deal(state: State) -> None:
    if not state.round and (len(state.board) or any(state.racks)):
        raise InvalidValue("must be empty before the first deal", field="state.board")


def _check_extra(state: State) -> None:
    if not state.contenders:
        raise InvalidValue("must name the seats that draw", field="state.contenders")
    if len(state.board):
        raise InvalidValue("must be empty while the start is drawn for", field="state.board")
    if state.rules.start != "draw":
        raise InvalidValue("no extra tiles are drawn with start = triple", field="state.phase")


def _check_play(state: State) -> None:
    for seat, rack in enumerate(state.racks):
        if not rack:
            raise InvalidValue("is empty: the round would be over", field=f"state.racks[{seat}]")
    if state.phase == DRAWING and (not state.pool or state.draws >= MAX_DRAWS):
        raise InvalidValue("no tile can be drawn now", field="state.phase")
    if state.first is not None:
        if len(state.board) or state.rules.start != "triple" or state.draws:
            raise InvalidValue("names the opening tile of a round", field="state.first")
        mine = state.racks[state.turn]
        if state.first not in mine and None not in mine:
            raise InvalidValue("must be on the rack of the seat to move", field="state.first")
        racks = [known(rack) for rack in state.racks]
        if all(None not in rack for rack in state.racks) and highest(racks)[1] != state.first:
            raise InvalidValue("must be the highest triple or sum", field="state.first")
    elif state.rules.start == "triple" and not len(state.board):
        raise InvalidValue("must name the tile that opens the round", field="state.first")
    if state.phase == PLAY and stuck(state):
        raise InvalidValue("the pool is empty and nothing fits: the round is over", field="state")
