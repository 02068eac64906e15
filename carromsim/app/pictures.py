"""Pictures drawn once and copied often."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable

import pygame

__all__ = ["Pictures"]


class Pictures:
    """Pictures drawn once: layers and sprites, the least used dropped beyond a budget of bytes."""

    def __init__(self, budget: int = 192 * 1024 * 1024) -> None:
        self._budget = budget
        self._bytes = 0
        self._kept: OrderedDict[Hashable, pygame.Surface] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], pygame.Surface]) -> pygame.Surface:
        """The picture of that key; made now if it is not there."""
        surface = self._kept.get(key)
        if surface is None:
            surface = make()
            self._kept[key] = surface
            self._bytes += self._size(surface)
            while self._bytes > self._budget and len(self._kept) > 1:
                _, old = self._kept.popitem(last=False)
                self._bytes -= self._size(old)
        else:
            self._kept.move_to_end(key)
        return surface

    def clear(self) -> None:
        """Forgets all."""
        self._kept.clear()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._kept)

    @staticmethod
    def _size(surface: pygame.Surface) -> int:
        return surface.get_width() * surface.get_height() * surface.get_bytesize()
