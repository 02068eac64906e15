"""What a position is worth: patterns of men in bands of two rows, kings, tempo, known draws.

Men are looked up in seven overlapping bands of two rows, eight squares each: every state of a
band (3^8: empty, white, black) has a weight of its own, so a weight can know pairs that protect
each other, holes, bridges and outposts, and every neighbourhood of two squares lies in a band.
`benchmarks/draughts_tune.py` finds the weights by self-play; they are kept in `weights.bin`.

Scores are in hundredths of a man, from the side to move.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from games.draughts.board import WHITE, geometry

__all__ = ["BANDS", "WIN", "Weights", "default_weights", "evaluator", "hand_made", "load_weights"]

WIN: Final = 30_000
"""Score of a won game; the number of moves to it is taken off."""

BANDS: Final = tuple((row, row + 1) for row in range(7))
"""The rows of each band, counted from 0."""
STATES: Final = 3**8
KING_SQUARES: Final = 32

# bit positions: band b begins at this bit; bands that begin on an odd row have no gap inside
_SHIFTS: Final = (0, 5, 9, 14, 18, 23, 27)


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the evaluation, in hundredths of a man, for White.

    Args:
        bands: For each band the weight of each state: sum over its squares, in order of the bits,
            of 3^i times 0 (empty), 1 (a white man) or 2 (a black man).
        kings: A white king's worth by square, in order of the bits; Black's is turned round.
        tempo: Worth of having the move.
    """

    bands: tuple[Sequence[int], ...]
    kings: tuple[int, ...]
    tempo: int

    def to_bytes(self) -> bytes:
        """As `load_weights` reads them."""
        flat = [self.tempo, *self.kings, *(weight for band in self.bands for weight in band)]
        return zlib.compress(struct.pack(f"<{len(flat)}h", *flat), 9)


def load_weights(path: Path) -> Weights:
    """Reads weights as `Weights.to_bytes` writes them (little-endian 16-bit, zlib)."""
    size = 1 + KING_SQUARES + len(BANDS) * STATES
    flat = struct.unpack(f"<{size}h", zlib.decompress(path.read_bytes()))
    first = 1 + KING_SQUARES
    bands = tuple(
        flat[first + STATES * band : first + STATES * (band + 1)] for band in range(len(BANDS))
    )
    return Weights(bands, flat[1:first], flat[0])


def band_squares(band: int) -> tuple[int, ...]:
    """The bits of a band's eight squares in the order of its states' digits."""
    geo = geometry(8)
    low, high = BANDS[band]
    return tuple(geo.bit[name] for name in geo.squares(geo.rows[low] | geo.rows[high]))


def hand_made() -> Weights:
    """The weights from which tuning starts: material, advance, centre, the last row."""
    geo = geometry(8)
    worth: dict[int, float] = {}
    covered: dict[int, int] = {}
    for rank, row in enumerate(geo.rows):
        for name in geo.squares(row):
            file = "abcdefgh".index(name[0])
            value = 100 + 2.5 * rank + (4 if 2 <= file <= 5 else 0) + (6 if rank in (3, 4) else 0)
            if rank == 0:
                value += 8 if name in ("c1", "e1") else 3
            worth[geo.bit[name]] = value
            covered[geo.bit[name]] = 1 if rank in (0, 7) else 2
    turned = dict(zip(geo.bit.values(), reversed(list(geo.bit.values())), strict=True))
    bands = []
    for band in range(len(BANDS)):
        squares = band_squares(band)
        states = []
        for state in range(STATES):
            total = 0.0
            for i, low in enumerate(squares):
                digit = state // 3**i % 3
                if digit == 1:
                    total += worth[low] / covered[low]
                elif digit == 2:
                    total -= worth[turned[low]] / covered[low]
            states.append(round(total))
        bands.append(tuple(states))
    kings = tuple(
        330 + (25 if low & geo.long_diagonal else 0) + (8 if 1 < y < 6 else 0)
        for y, row in enumerate(geo.rows)
        for low in (geo.bit[name] for name in geo.squares(row))
    )
    return Weights(tuple(bands), kings, 3)


@cache
def default_weights() -> Weights:
    """The tuned weights that come with the program."""
    return load_weights(Path(__file__).with_name("weights.bin"))


def _thirds(width: int, gap: int | None) -> tuple[int, ...]:
    """For each value of a band's bits its squares as digits to the base 3."""
    places = [bit for bit in range(width) if bit != gap]
    return tuple(
        sum(3**i for i, bit in enumerate(places) if value >> bit & 1) for value in range(1 << width)
    )


def evaluator(weights: Weights) -> Callable[[int, int, int, int], int]:
    """The function (own, opponent, kings, side) -> score for the side to move."""
    even = _thirds(9, 4)
    odd = _thirds(8, None)
    even2, odd2 = tuple(2 * v for v in even), tuple(2 * v for v in odd)
    b0, b1, b2, b3, b4, b5, b6 = (tuple(band) for band in weights.bands)
    tempo = weights.tempo
    geo = geometry(8)
    order = list(geo.bit.values())
    king = dict(zip(order, weights.kings, strict=True))
    king_black = dict(zip(order, reversed(weights.kings), strict=True))
    diagonal = geo.long_diagonal

    def evaluate(own: int, opponent: int, kings: int, side: int) -> int:
        if side == WHITE:
            white, black = own, opponent
        else:
            white, black = opponent, own
        if kings:
            wk, bk = white & kings, black & kings
            wm, bm = white ^ wk, black ^ bk
        else:
            wk = bk = 0
            wm, bm = white, black
        score = (
            b0[even[wm & 511] + even2[bm & 511]]
            + b1[odd[wm >> 5 & 255] + odd2[bm >> 5 & 255]]
            + b2[even[wm >> 9 & 511] + even2[bm >> 9 & 511]]
            + b3[odd[wm >> 14 & 255] + odd2[bm >> 14 & 255]]
            + b4[even[wm >> 18 & 511] + even2[bm >> 18 & 511]]
            + b5[odd[wm >> 23 & 255] + odd2[bm >> 23 & 255]]
            + b6[even[wm >> 27] + even2[bm >> 27]]
        )
        if kings:
            left = wk
            while left:
                low = left & -left
                left ^= low
                score += king[low]
            left = bk
            while left:
                low = left & -left
                left ^= low
                score -= king_black[low]
            # a lone king cannot be caught by two, nor by three while it holds the long diagonal
            if score > 0:
                if bk and black == bk and not bk & (bk - 1):
                    strong = white.bit_count()
                    if strong < 3:
                        score >>= 4
                    elif bk & diagonal:
                        score >>= 3
                    elif not wm:
                        score += 200
                elif bk and wm.bit_count() + wk.bit_count() <= black.bit_count():
                    score >>= 1
            elif score < 0:
                if wk and white == wk and not wk & (wk - 1):
                    strong = black.bit_count()
                    if strong < 3:
                        score = -(-score >> 4)
                    elif wk & diagonal:
                        score = -(-score >> 3)
                    elif not bm:
                        score -= 200
                elif wk and bm.bit_count() + bk.bit_count() <= white.bit_count():
                    score = -(-score >> 1)
        return score + tempo if side == WHITE else tempo - score

    return evaluate
