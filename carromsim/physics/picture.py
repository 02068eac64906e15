"""Pictures of tables for notebooks; the drawing itself is the desktop's."""

from __future__ import annotations

from carromsim.physics.disc import Layout
from carromsim.physics.table import Table

__all__ = ["png"]


def png(table: Table, layout: Layout, size: tuple[int, int] = (480, 480)) -> bytes:
    """A PNG of a table with a layout, drawn without a screen.

    Args:
        table: The table.
        layout: What lies on it.
        size: Width and height in pixels.
    """
    # loaded here, since whoever only simulates must not pay for a display library
    from carromsim.app.board import png_bytes

    return png_bytes(table, layout, size=size)
