"""Chance: generators made from a seed and a place in the record, never global.

A chance action at place n of a record is drawn from the record's seed and n alone. Undoing and
playing on gives the same dice, a resumed game the same as an undisturbed one, and bots, which
draw from streams of their own, can neither see nor move them.
"""

from __future__ import annotations

import hashlib
import random

__all__ = ["generator", "new_seed"]


def generator(seed: int, *path: int | str) -> random.Random:
    """A generator of its own for each (seed, path), the same on every machine.

    Args:
        seed: The record's seed.
        path: What it is for, e.g. `("chance", 12)` or `("bot", 1, 40)`.
    """
    text = ":".join([str(int(seed)), *map(str, path)])
    return random.Random(int.from_bytes(hashlib.sha256(text.encode()).digest(), "big"))


def new_seed() -> int:
    """A fresh seed from the system's entropy, below 2**53 so that JSON carries it exactly."""
    return random.SystemRandom().randrange(2**53)
