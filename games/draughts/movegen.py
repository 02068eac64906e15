"""Move generation on bitboards for the family of draughts with diagonal moves.

`generator(rules)` builds, once per rule set, the functions that list captures and quiet moves.
They are closures over the board's constants, which is what makes them fast in plain Python.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple, TypeAlias, TypeVar

from games.draughts.board import BLACK, WHITE, geometry

__all__ = ["Capture", "Generator", "Kind", "Move", "generator"]


T = TypeVar("T")
Bits: TypeAlias = tuple[int, int, int]
"""Origin, target and captured pieces as bitboards."""


@dataclass(frozen=True, slots=True)
class Move:
    """A piece's move. Two are equal when origin, target and captured set are.

    Args:
        frm: Name of the square it leaves.
        to: Name of the square where it ends (may be `frm` after a round trip).
        captured: Names of the captured pieces' squares, in alphabetical order; empty when quiet.
        path: One route, origin and target included.
        bits: Origin, target and captured pieces as bitboards, where a generator made the move.
    """

    frm: str
    to: str
    captured: tuple[str, ...] = ()
    path: tuple[str, ...] = field(default=(), compare=False)
    bits: Bits = field(default=(0, 0, 0), compare=False, repr=False)

    def __str__(self) -> str:
        if self.captured:
            return f"{self.frm}x{self.to}"
        return f"{self.frm}-{self.to}"


class Kind(NamedTuple):
    """The points in which the games of the family differ, as far as moves go.

    Args:
        size: Squares a side.
        most: The capture that takes the most pieces is compulsory (else any complete one).
        flying: Kings move any distance (else one square).
        men_back: Men capture backward as well.
        crown_passing: A man that reaches the last row in a capture goes on as a king.
    """

    size: int = 8
    most: bool = True
    flying: bool = True
    men_back: bool = True
    crown_passing: bool = False


Capture: TypeAlias = tuple[int, int, int, tuple[int, ...], bool]
"""A complete capture: bits of origin, target and captured pieces, the path, crowned in passing."""

Captures: TypeAlias = Callable[[int, int, int], list[Capture]]
Quiets: TypeAlias = Callable[[int, int, int], list[Move]]
QuietBits: TypeAlias = Callable[[int, int, int], list[Bits]]


@dataclass(frozen=True, slots=True)
class Generator:
    """The moves of one kind of draughts; each pair of functions is for White and for Black.

    Every function takes three bitboards: own pieces, the opponent's, and the kings of both.

    Args:
        captures: The legal captures (rule of the most applied, each (from, to, set) once).
        quiets: The quiet moves, without asking whether a capture comes first.
        quiet_bits: The quiet moves as bare bits, for searches.
        promotion: The last row of each side.
        table: The moves with at most one captured piece, by their bits; captures join as they come.
        bit: The bit of a square's name.
        name: The name of a bit.
    """

    captures: tuple[Captures, Captures]
    quiets: tuple[Quiets, Quiets]
    quiet_bits: tuple[QuietBits, QuietBits]
    promotion: tuple[int, int]
    table: dict[Bits, Move] = field(repr=False, hash=False)
    bit: dict[str, int] = field(repr=False, hash=False)
    name: dict[int, str] = field(repr=False, hash=False)

    def move(self, capture: Capture) -> Move:
        """The move that a capture of `captures` is."""
        frm, to, taken, path, _crowned = capture
        key = frm, to, taken
        move = self.table.get(key)
        if move is None:
            name = self.name
            names = []
            left = taken
            while left:
                low = left & -left
                left ^= low
                names.append(name[low])
            names.sort()
            route = tuple([name[at] for at in path])
            move = Move(name[frm], name[to], tuple(names), route, key)
            if len(names) == 1:  # there are only some hundreds of these, and they come often
                self.table[key] = move
        return move


@cache
def generator(kind: Kind) -> Generator:
    """The generator of a kind of draughts, built once."""
    board = geometry(kind.size)
    table: dict[Bits, Move] = {}
    for low, rays in board.rays.items():
        for ray in rays:
            for far in ray:
                names = board.name[low], board.name[far]
                key = low, far, 0
                table[key] = Move(*names, (), names, key)
    bare = {key: key for key in table}
    promotion = board.rows[-1], board.rows[0]
    return Generator(
        (_captures(kind, WHITE, promotion[WHITE]), _captures(kind, BLACK, promotion[BLACK])),
        (_quiets(kind, WHITE, table), _quiets(kind, BLACK, table)),
        (_quiets(kind, WHITE, bare), _quiets(kind, BLACK, bare)),
        promotion,
        table,
        board.bit,
        board.name,
    )


def _quiets(kind: Kind, side: int, table: dict[Bits, T]) -> Callable[[int, int, int], list[T]]:
    geo = geometry(kind.size)
    full = geo.board
    left, right = geo.steps
    flying = kind.flying
    # a man's move by the bit where it ends
    by_left: dict[int, T] = {}
    by_right: dict[int, T] = {}
    ahead = (0, 1) if side == WHITE else (2, 3)
    for low, rays in geo.rays.items():
        for target, direction in ((by_left, ahead[0]), (by_right, ahead[1])):
            if rays[direction]:
                target[rays[direction][0]] = table[low, rays[direction][0], 0]
    rays_of = {
        low: tuple(
            tuple((far, table[low, far, 0]) for far in (ray if flying else ray[:1]))
            for ray in rays
            if ray
        )
        for low, rays in geo.rays.items()
    }

    def quiets(own: int, opponent: int, kings: int) -> list[T]:
        occupied = own | opponent
        empty = full ^ occupied
        men = own & ~kings
        moves: list[T] = []
        if side == WHITE:
            one = (men << left) & empty
            two = (men << right) & empty
        else:
            one = (men >> right) & empty
            two = (men >> left) & empty
        while one:
            low = one & -one
            one ^= low
            moves.append(by_left[low])
        while two:
            low = two & -two
            two ^= low
            moves.append(by_right[low])
        crowned = own & kings
        while crowned:
            low = crowned & -crowned
            crowned ^= low
            for ray in rays_of[low]:
                for far, move in ray:
                    if far & occupied:
                        break
                    moves.append(move)
        return moves

    return quiets


def _captures(kind: Kind, side: int, last_row: int) -> Captures:
    geo = geometry(kind.size)
    full = geo.board
    left, right = geo.steps
    left2, right2 = 2 * left, 2 * right
    most, flying, men_back, passing = kind.most, kind.flying, kind.men_back, kind.crown_passing
    forward = (0, 1) if side == WHITE else (2, 3)
    # (neighbour, square behind it) in the directions in which a man captures
    jumps = {
        low: tuple(
            (ray[0], ray[1])
            for direction, ray in enumerate(rays)
            if len(ray) > 1 and (men_back or direction in forward)
        )
        for low, rays in geo.rays.items()
    }
    # a king's rays: the squares as a set, whether bits rise along it, and the squares in order
    # behind each square on it
    king_rays = {}
    for low, rays in geo.rays.items():
        found = []
        for ray in rays:
            reach = ray if flying else ray[:2]
            if len(reach) > 1:
                behind = {
                    far: (reach[i + 1 :] if flying else reach[i + 1 : i + 2])
                    for i, far in enumerate(reach if flying else reach[:1])
                }
                found.append((sum(reach if flying else reach[:1]), ray[0] > low, behind))
        king_rays[low] = tuple(found)

    def man(
        at: int,
        remaining: int,
        occupied: int,
        taken: int,
        path: tuple[int, ...],
        out: list[Capture],
    ) -> bool:
        """Adds all completions of a man's capture; False if it cannot go on from `at`."""
        goes_on = False
        for victim, landing in jumps[at]:
            if victim & remaining and not landing & occupied:
                goes_on = True
                longer = (*path, landing)
                if passing and landing & last_row:
                    if not king(
                        landing, remaining ^ victim, occupied, taken | victim, longer, out, True
                    ):
                        out.append((path[0], landing, taken | victim, longer, True))
                elif not man(landing, remaining ^ victim, occupied, taken | victim, longer, out):
                    out.append((path[0], landing, taken | victim, longer, False))
        return goes_on

    def king(
        at: int,
        remaining: int,
        occupied: int,
        taken: int,
        path: tuple[int, ...],
        out: list[Capture],
        crowned: bool,
    ) -> bool:
        """The same for a king. Captured pieces stay in `occupied`: they block to the end."""
        goes_on = False
        for ray, rising, behind in king_rays[at]:
            blockers = ray & occupied
            if not blockers:
                continue
            victim = blockers & -blockers if rising else 1 << (blockers.bit_length() - 1)
            if not victim & remaining:
                continue
            after = taken | victim
            stops = []
            further = False
            for landing in behind[victim]:
                if landing & occupied:
                    break
                longer = (*path, landing)
                if king(landing, remaining ^ victim, occupied, after, longer, out, crowned):
                    further = True
                elif not further:
                    stops.append((path[0], landing, after, longer, crowned))
                goes_on = True
            # where one landing square allows another capture, the king has to land on such a one
            if not further:
                out += stops
        return goes_on

    def captures(own: int, opponent: int, kings: int) -> list[Capture]:
        occupied = own | opponent
        empty = full ^ occupied
        out: list[Capture] = []
        men = own & ~kings
        able = men & (
            ((opponent >> left) & (empty >> left2))
            | ((opponent >> right) & (empty >> right2))
            | ((opponent << left) & (empty << left2))
            | ((opponent << right) & (empty << right2))
        )
        while able:
            low = able & -able
            able ^= low
            man(low, opponent, occupied ^ low, 0, (low,), out)
        crowned = own & kings
        while crowned:
            low = crowned & -crowned
            crowned ^= low
            king(low, opponent, occupied ^ low, 0, (low,), out, False)
        if len(out) > 1:
            if most:
                best = max([found[2].bit_count() for found in out])
                out = [found for found in out if found[2].bit_count() == best]
            if len(out) > 1:
                merged: dict[tuple[int, int, int], Capture] = {}
                for found in out:
                    merged.setdefault(found[:3], found)
                if len(merged) < len(out):
                    out = list(merged.values())
        return out

    return captures
