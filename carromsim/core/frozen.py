"""A mapping that cannot be changed, for the states of games: hashable and picklable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

__all__ = ["FrozenMap"]

K = TypeVar("K")
V = TypeVar("V")


class FrozenMap(Mapping[K, V]):
    """A dict that is a value: `with_item` and `without` give new ones.

    Args:
        items: A mapping, or pairs; their order is kept.
    """

    __slots__ = ("_data", "_hash")

    def __init__(self, items: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> None:
        self._data: dict[K, V] = dict(items)
        self._hash: int | None = None

    def __getitem__(self, key: K) -> V:
        return self._data[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._data.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        if isinstance(other, FrozenMap):
            return self._data == other._data
        if isinstance(other, Mapping):
            return self._data == dict(other)
        return NotImplemented

    def __repr__(self) -> str:
        return f"FrozenMap({self._data!r})"

    def __reduce__(self) -> tuple[type[FrozenMap[K, V]], tuple[tuple[tuple[K, V], ...]]]:
        return FrozenMap, (tuple(self._data.items()),)

    def with_item(self, key: K, value: V) -> FrozenMap[K, V]:
        """The same with one item set."""
        return FrozenMap({**self._data, key: value})

    def without(self, key: K) -> FrozenMap[K, V]:
        """The same without one item."""
        return FrozenMap((k, v) for k, v in self._data.items() if k != key)
