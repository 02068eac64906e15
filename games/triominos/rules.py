"""The rules of triominos: what fits, what it scores, and how turns, rounds and games go.

Source: the rulebook of Alga Triominos (Swedish and Danish); options come from other editions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from carromsim.core.errors import IllegalAction
from carromsim.core.game import CHANCE, Event, Mover
from carromsim.core.outcome import Outcome
from games.triominos.grid import Cell, corners, neighbours
from games.triominos.state import (
    DEAL,
    DRAWING,
    EXTRA,
    OVER,
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
    is_triple,
    turned,
)

__all__ = [
    "BRIDGE",
    "DRAW_COST",
    "FIGURES",
    "GOING_OUT",
    "HEXAGONS",
    "MAX_DRAWS",
    "RACK_SIZES",
    "UNPLACED_COST",
    "Score",
    "apply",
    "can_place",
    "contending",
    "dead_gaps",
    "extras_left",
    "figure",
    "fitting",
    "highest",
    "initial",
    "known",
    "legal",
    "misfit",
    "mismatches",
    "needs",
    "outcome",
    "placements",
    "points",
    "rotations_that_fit",
    "score",
    "settle_out",
    "settle_stuck",
    "stuck",
    "to_move",
]

RACK_SIZES: Final = {2: 9, 3: 7, 4: 7, 5: 6, 6: 6}
MAX_DRAWS: Final = 3
DRAW_COST: Final = 5
UNPLACED_COST: Final = 10
GOING_OUT: Final = 25
BRIDGE: Final = 40
HEXAGONS: Final = {1: 50, 2: 60, 3: 70}
FIGURES: Final = ("none", "bridge", "hexagon", "double_hexagon", "triple_hexagon")
TRIPLE_START: Final = 10
ZEROS_START: Final = 40
ORIGIN: Final[Cell] = (0, 0, 0)

_TILE_SET: Final = frozenset(TILES)


# placing -----------------------------------------------------------------------------------


@cache
def fitting(numbers: tuple[int | None, int | None, int | None]) -> tuple[tuple[Tile, int], ...]:
    """The tiles, each with its rotation, that agree with the numbers at a cell's corners.

    None is a corner where nothing lies yet. A triple is listed with rotation 0 only.
    """
    found = []
    for tile in TILES:
        for rotation in range(1 if is_triple(tile) else 3):
            laid = turned(tile, rotation)
            if all(need is None or need == got for need, got in zip(numbers, laid, strict=True)):
                found.append((tile, rotation))
    return tuple(found)


def needs(board: Board, cell: Cell) -> tuple[int | None, int | None, int | None]:
    """The numbers that already lie at a cell's corners, clockwise."""
    a, b, c = corners(cell)
    get = board.numbers.get
    return get(a), get(b), get(c)


def misfit(board: Board, place: Place) -> str | None:
    """Why a placement is not allowed, or None: the first reason that holds.

    `no such tile`, `tile already on the board`, `cell occupied`, `no common side`,
    `corner mismatch`.
    """
    if place.tile not in _TILE_SET:
        return "no such tile"
    if any(place.tile == other.tile for other in board.placed):
        return "tile already on the board"
    if place.cell in board.cells:
        return "cell occupied"
    if len(board) and not any(other in board.cells for other in neighbours(place.cell)):
        return "no common side"
    if mismatches(board, place):
        return "corner mismatch"
    return None


def mismatches(board: Board, place: Place) -> tuple[tuple[int, int, int], ...]:
    """The corners that disagree: (corner, number of the tile, number that lies there)."""
    return tuple(
        (corner, number, need)
        for corner, (number, need) in enumerate(
            zip(place.numbers, needs(board, place.cell), strict=True)
        )
        if need is not None and need != number
    )


def rotations_that_fit(board: Board, cell: Cell, tile: Tile) -> tuple[int, ...]:
    """The rotations in which a tile may be laid on a cell (a triple: 0 at most)."""
    return tuple(
        rotation
        for rotation in range(1 if is_triple(tile) else 3)
        if misfit(board, Place(cell, tile, rotation)) is None
    )


def placements(board: Board, tiles: Iterable[Tile]) -> tuple[Place, ...]:
    """Every allowed placement of some tiles, by cell, tile and rotation.

    On an empty board any cell is as good as another: the list names the cell (0, 0, 0) alone.
    """
    wanted = frozenset(tiles) - board.tiles
    cells = board.frontier if len(board) else (ORIGIN,)
    return tuple(
        Place(cell, tile, rotation)
        for cell in sorted(cells)
        for tile, rotation in fitting(needs(board, cell))
        if tile in wanted
    )


def can_place(board: Board, tiles: Iterable[Tile]) -> bool:
    """Whether any of these tiles may be laid anywhere."""
    wanted = frozenset(tiles) - board.tiles
    if not len(board):
        return bool(wanted)
    return any(tile in wanted for cell in board.frontier for tile, _ in fitting(needs(board, cell)))


def dead_gaps(board: Board) -> tuple[Cell, ...]:
    """The free cells beside tiles that no tile still missing from the board can fill."""
    left = _TILE_SET - board.tiles
    return tuple(
        cell
        for cell in board.frontier
        if not any(tile in left for tile, _ in fitting(needs(board, cell)))
    )


# scoring -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Score:
    """What a placement earns.

    Args:
        tile: Sum of the three numbers.
        bonus: For the figure, or for two sides where that is an option.
        figure: One of FIGURES, or `two_sides`.
        start: Extra points of a triple that opens the round (option).
    """

    tile: int
    bonus: int = 0
    figure: str = "none"
    start: int = 0

    @property
    def total(self) -> int:
        """All of it."""
        return self.tile + self.bonus + self.start


def points(tiles: Iterable[Tile]) -> int:
    """Sum of the numbers on some tiles."""
    return sum(a + b + c for a, b, c in tiles)


def figure(board: Board, cell: Cell) -> str:
    """The figure that a tile on this free cell completes; it hangs on the cell alone.

    A bridge shares exactly one side and touches a tile with the opposite corner; a hexagon has
    all six cells round a corner filled. A hexagon goes before everything else.
    """
    points_at = corners(cell)
    hexagons = sum(board.counts.get(vertex, 0) == 5 for vertex in points_at)
    if hexagons:
        return FIGURES[hexagons + 1]
    shared = [i for i, other in enumerate(neighbours(cell)) if other in board.cells]
    if len(shared) == 1 and board.counts.get(points_at[(shared[0] + 2) % 3]):
        return "bridge"
    return "two_sides" if len(shared) >= 2 else "none"


def score(board: Board, place: Place, rules: Rules) -> Score:
    """What an allowed placement earns under these rules; never more than one figure."""
    tile = points([place.tile])
    start = 0
    if not len(board) and rules.start == "triple" and is_triple(place.tile):
        start = ZEROS_START if tile == 0 else TRIPLE_START
    if not rules.figures:
        return Score(tile, start=start)
    name = figure(board, place.cell)
    if name == "two_sides":
        if not rules.two_sides:
            return Score(tile, start=start)
        return Score(tile, BRIDGE, name, start)
    if name == "bridge":
        return Score(tile, BRIDGE, name, start)
    bonus = HEXAGONS.get(FIGURES.index(name) - 1, 0)
    return Score(tile, bonus, name, start)


def settle_out(racks: Sequence[Iterable[Tile]], seat: int) -> tuple[int, ...]:
    """What each seat gets when one laid its last tile: 25 and all the opponents' tiles."""
    gain = GOING_OUT + sum(points(rack) for i, rack in enumerate(racks) if i != seat)
    return tuple(gain if i == seat else 0 for i in range(len(racks)))


def settle_stuck(racks: Sequence[Iterable[Tile]], rule: str = "subtract") -> tuple[int, ...]:
    """What each seat gets when nobody can go on.

    `subtract`: minus one's own tiles. `lowest`: the lowest rack gains the others' tiles less its
    own; equal lowest racks gain nothing.
    """
    own = [points(rack) for rack in racks]
    if rule == "subtract":
        return tuple(-value for value in own)
    low = min(own)
    if own.count(low) > 1:
        return (0,) * len(own)
    return tuple(sum(own) - 2 * low if value == low else 0 for value in own)


def contending(drawn: Sequence[tuple[int, Tile]]) -> tuple[int, ...]:
    """The seats with the highest sum among extra tiles drawn together."""
    best = max(points([tile]) for _, tile in drawn)
    return tuple(seat for seat, tile in drawn if points([tile]) == best)


def highest(racks: Sequence[Iterable[Tile]]) -> tuple[int, Tile]:
    """The seat and the tile that open a round by the highest triple.

    Without a triple it is the highest sum; of equal sums the one with the higher single number
    (3-5-5 goes before 4-4-5), so that it is never in doubt.
    """
    held = [(seat, tile) for seat, rack in enumerate(racks) for tile in rack]
    return max(held, key=lambda entry: (is_triple(entry[1]), points([entry[1]]), entry[1][::-1]))


# the game ----------------------------------------------------------------------------------


def initial(seats: int, rules: Rules) -> State:
    """A game in which the first round is still to be dealt."""
    return State(rules=rules, racks=((),) * seats, scores=(0,) * seats)


def to_move(state: State) -> Mover:
    """The seat to act, chance, or None."""
    if state.phase == OVER:
        return None
    return state.turn if state.phase == PLAY else CHANCE


def known(rack: Rack) -> tuple[Tile, ...]:
    """The tiles of a rack that can be seen."""
    return tuple(tile for tile in rack if tile is not None)


def legal(state: State) -> tuple[Action, ...]:
    """What the mover may do.

    Of chance actions the single draws are listed; deals and extra tiles are too many to list,
    the answer is empty and `draw` gives one.
    """
    if state.phase == DRAWING:
        return tuple(Drawn(tile) for tile in known(state.pool))
    if state.phase != PLAY:
        return ()
    if state.first is not None:
        return placements(state.board, [state.first])
    actions: tuple[Action, ...] = placements(state.board, known(state.racks[state.turn]))
    if _may_draw(state):
        return (*actions, Draw())
    if state.draws == MAX_DRAWS or not actions:
        return (*actions, End())
    return actions


def _may_draw(state: State) -> bool:
    return bool(state.pool) and state.draws < MAX_DRAWS and state.first is None


def apply(state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after an action, and what happened.

    Raises:
        IllegalAction: It is not allowed; the message says why.
    """
    if state.phase == OVER:
        raise IllegalAction("the game is over")
    if isinstance(action, Deal):
        return _deal(state, action)
    if isinstance(action, Extra):
        return _extra(state, action)
    if isinstance(action, Drawn):
        return _drawn(state, action)
    if state.phase != PLAY:
        raise IllegalAction(f"chance is to move ({state.phase}), not a seat")
    if isinstance(action, Place):
        return _place(state, action.normal())
    if isinstance(action, Draw):
        return _draw(state)
    return _end(state)


def outcome(state: State) -> Outcome | None:
    """The end of the game: the highest total wins, equal totals share."""
    if state.phase != OVER or state.ending is None:
        return None
    best = max(state.scores)
    winners = tuple(seat for seat, total in enumerate(state.scores) if total == best)
    reason = "target_reached" if state.rules.play_to is not None else state.ending.kind
    return Outcome(
        winners,
        tuple(float(total) for total in state.scores),
        reason,
        {"rounds": state.round, "last_round": state.ending.kind},
    )


# chance ------------------------------------------------------------------------------------


def _need_phase(state: State, phase: str, what: str) -> None:
    if state.phase != phase:
        raise IllegalAction(f"{what} cannot be played now (phase {state.phase})")


def _deal(state: State, action: Deal) -> tuple[State, tuple[Event, ...]]:
    _need_phase(state, DEAL, "a deal")
    size = RACK_SIZES[state.seats]
    tiles = [tile for rack in action.racks for tile in rack]
    if [len(rack) for rack in action.racks] != [size] * state.seats:
        raise IllegalAction(f"deal {size} tiles to each of {state.seats} seats")
    if len(set(tiles)) != len(tiles) or not _TILE_SET.issuperset(tiles):
        raise IllegalAction("every tile of the set can be dealt once only")
    dealt = replace(
        state,
        racks=action.racks,
        pool=tuple(sorted(_TILE_SET.difference(tiles))),
        board=Board(),
        draws=0,
        round=state.round + 1,
        starter=None,
        contenders=(),
        extras=(),
        first=None,
        turns=(),
        ending=None,
    )
    told = Event("dealt", None, {"round": dealt.round, "tiles": size, "pool": len(dealt.pool)})
    if state.rules.start == "triple":
        seat, tile = highest(action.racks)
        why = "triple" if is_triple(tile) else "sum"
        begun = replace(dealt, phase=PLAY, starter=seat, turn=seat, first=tile)
        return begun, (told, Event("starts", seat, {"why": why, "tile": list(tile)}))
    return replace(dealt, phase=EXTRA, contenders=tuple(range(state.seats))), (told,)


def extras_left(state: State) -> tuple[Tile, ...]:
    """The tiles among which the next extra tiles are drawn.

    Those shown before stay face up beside the pool until the starter is known; should too few
    be left (after a long row of ties), they are mixed in again.
    """
    shown = {tile for _, tile in state.extras}
    left = tuple(tile for tile in known(state.pool) if tile not in shown)
    return left if len(left) >= len(state.contenders) else known(state.pool)


def _extra(state: State, action: Extra) -> tuple[State, tuple[Event, ...]]:
    _need_phase(state, EXTRA, "drawing for the start")
    tiles = action.tiles
    if len(tiles) != len(state.contenders):
        raise IllegalAction(f"{len(state.contenders)} seats draw an extra tile each")
    if len(set(tiles)) != len(tiles) or not set(extras_left(state)).issuperset(tiles):
        raise IllegalAction("extra tiles come from the pool, each once")
    drawn = tuple(zip(state.contenders, tiles, strict=True))
    told = Event("extra", None, {"tiles": [[seat, list(tile)] for seat, tile in drawn]})
    best = contending(drawn)
    shown = replace(state, extras=state.extras + drawn, contenders=best)
    if len(best) > 1:
        return shown, (told, Event("tied", None, {"seats": list(best)}))
    starter = best[0]
    begun = replace(shown, phase=PLAY, contenders=(), starter=starter, turn=starter)
    tile = dict(drawn)[starter]
    return begun, (told, Event("starts", starter, {"why": "draw", "tile": list(tile)}))


def _drawn(state: State, action: Drawn) -> tuple[State, tuple[Event, ...]]:
    _need_phase(state, DRAWING, "a drawn tile")
    if action.tile not in state.pool:
        hidden = " (the pool is hidden in this state)" if None in state.pool else ""
        raise IllegalAction(f"that tile is not in the pool{hidden}")
    seat = state.turn
    racks = _with_rack(state.racks, seat, (*state.racks[seat], action.tile))
    pool = tuple(tile for tile in state.pool if tile != action.tile)
    taken = replace(
        state,
        phase=PLAY,
        racks=racks,
        pool=pool,
        draws=state.draws + 1,
        scores=_add(state.scores, seat, -DRAW_COST),
    )
    told = Event("drawn", seat, {"draw": taken.draws, "points": -DRAW_COST, "pool": len(pool)})
    return _stuck_or(taken, (told,))


# turns -------------------------------------------------------------------------------------


def _place(state: State, place: Place) -> tuple[State, tuple[Event, ...]]:
    seat = state.turn
    rack = state.racks[seat]
    reason = misfit(state.board, place)
    if reason in ("no such tile", "tile already on the board"):
        raise IllegalAction(reason)
    if place.tile not in rack:
        raise IllegalAction("that tile is not on your rack")
    if state.first is not None and place.tile != state.first:
        raise IllegalAction(f"the round opens with {'-'.join(map(str, state.first))}")
    if reason is not None:
        raise IllegalAction(reason)
    earned = score(state.board, place, state.rules)
    left = tuple(tile for tile in rack if tile != place.tile)
    laid = replace(
        state,
        board=state.board.with_tile(place),
        racks=_with_rack(state.racks, seat, left),
        scores=_add(state.scores, seat, earned.total),
        first=None,
        turns=(*state.turns, (state.draws, True)),
    )
    told = Event(
        "placed",
        seat,
        {
            "cell": list(place.cell),
            "tile": list(place.tile),
            "numbers": list(place.numbers),
            "rotation": place.rotation,
            "points": earned.tile,
            "bonus": earned.bonus,
            "figure": earned.figure,
            "start": earned.start,
            "total": earned.total,
            "tiles_left": len(left),
        },
    )
    if not left:
        return _went_out(laid, (told,))
    return _stuck_or(_next_seat(laid), (told,))


def _draw(state: State) -> tuple[State, tuple[Event, ...]]:
    if state.first is not None:
        raise IllegalAction(f"the round opens with {'-'.join(map(str, state.first))}")
    if state.draws >= MAX_DRAWS:
        raise IllegalAction("three tiles a turn at most: place one, or end the turn")
    if not state.pool:
        raise IllegalAction("the pool is empty")
    return replace(state, phase=DRAWING), (Event("draws", state.turn, {}),)


def _end(state: State) -> tuple[State, tuple[Event, ...]]:
    seat = state.turn
    if state.first is not None:
        raise IllegalAction(f"the round opens with {'-'.join(map(str, state.first))}")
    cost = 0
    if state.draws == MAX_DRAWS:
        cost = UNPLACED_COST
    elif state.pool:
        raise IllegalAction("the turn ends after a placement or the third draw: place or draw")
    elif can_place(state.board, known(state.racks[seat])):
        raise IllegalAction("the pool is empty and a tile fits: it must be placed")
    ended = replace(
        _next_seat(state),
        scores=_add(state.scores, seat, -cost),
        turns=(*state.turns, (state.draws, False)),
    )
    return _stuck_or(ended, (Event("ended", seat, {"points": -cost, "draws": state.draws}),))


def _next_seat(state: State) -> State:
    return replace(state, turn=(state.turn + 1) % state.seats, draws=0)


def _with_rack(racks: tuple[Rack, ...], seat: int, rack: Rack) -> tuple[Rack, ...]:
    return (*racks[:seat], rack, *racks[seat + 1 :])


def _add(scores: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*scores[:seat], scores[seat] + value, *scores[seat + 1 :])


# the end of a round ------------------------------------------------------------------------


def stuck(state: State) -> bool:
    """The pool is empty and no rack fits anywhere; unknown while a rack is hidden."""
    if state.pool or any(None in rack for rack in state.racks):
        return False
    return not can_place(state.board, [tile for rack in state.racks for tile in known(rack)])


def _stuck_or(state: State, events: tuple[Event, ...]) -> tuple[State, tuple[Event, ...]]:
    if not stuck(state):
        return state, events
    deltas = settle_stuck([known(rack) for rack in state.racks], state.rules.stuck)
    told = Event("stuck", None, {"racks": _rack_points(state), "points": list(deltas)})
    return _end_round(state, Ending("stuck", None, deltas), (*events, told))


def _went_out(state: State, events: tuple[Event, ...]) -> tuple[State, tuple[Event, ...]]:
    if any(None in rack for rack in state.racks):
        raise IllegalAction("the round ends here, and its count needs racks that are hidden")
    seat = state.turn
    deltas = settle_out([known(rack) for rack in state.racks], seat)
    told = Event(
        "went_out",
        seat,
        {
            "bonus": GOING_OUT,
            "tiles": deltas[seat] - GOING_OUT,
            "racks": _rack_points(state),
            "points": deltas[seat],
        },
    )
    return _end_round(state, Ending("out", seat, deltas), (*events, told))


def _rack_points(state: State) -> list[int]:
    return [points(known(rack)) for rack in state.racks]


def _end_round(
    state: State, ending: Ending, events: tuple[Event, ...]
) -> tuple[State, tuple[Event, ...]]:
    scores = tuple(a + b for a, b in zip(state.scores, ending.deltas, strict=True))
    goal = state.rules.play_to
    over = goal is None or max(scores) >= goal
    done = replace(state, phase=OVER if over else DEAL, scores=scores, ending=ending, draws=0)
    told = Event("round", None, {"round": state.round, "scores": list(scores), "last": over})
    return done, (*events, told)
