"""`simulate`: a shot from flick to rest."""

from __future__ import annotations

from carromsim.core.errors import CarromsimError, InvalidType, InvalidValue
from carromsim.physics.disc import Layout
from carromsim.physics.engine import Engine
from carromsim.physics.geometry import check_layout
from carromsim.physics.material import Material
from carromsim.physics.result import Events, Result
from carromsim.physics.shot import Shot
from carromsim.physics.table import Table

__all__ = ["set_up", "simulate"]

_MOST_DISCS = 500


def set_up(table: Table, layout: Layout, shot: Shot | None) -> Layout:
    """The layout at the start of a shot: checked, with the striker as its last disc.

    Raises:
        OverlappingDiscs: Discs overlap, also the striker with a man.
        InvalidValue, InvalidType: Anything else that cannot be, named.
    """
    if not isinstance(table, Table):
        raise InvalidType("must be a Table", field="table")
    if not isinstance(layout, Layout):
        try:
            layout = Layout(layout)
        except TypeError:
            raise InvalidType("must be a Layout", field="layout") from None
    if len(layout) > _MOST_DISCS:
        raise InvalidValue(f"must have at most {_MOST_DISCS} discs", field="discs")
    if shot is not None:
        if not isinstance(shot, Shot):
            raise InvalidType("must be a Shot or None", field="shot")
        try:
            striker = shot.disc(table)
            table.piece(shot.striker)
        except InvalidValue as error:
            name = "striker" if error.field == "kind" else error.field
            raise InvalidValue(error.message, field=f"shot.{name}") from None
        full = layout.add(striker)
        try:
            check_layout(table, full)
        except CarromsimError as error:
            check_layout(table, layout)  # is it the layout's fault or the striker's?
            raise type(error)(
                f"the striker does not fit there: {error.message}", field="shot.offset"
            ) from None
        return full
    check_layout(table, layout)
    return layout


def simulate(
    table: Table,
    layout: Layout,
    shot: Shot | None = None,
    material: Material | None = None,
) -> Result:
    """Simulates discs on a table until all rest.

    A pure function: the same arguments give the same result, bit for bit.

    Args:
        table: The table.
        layout: What lies (or already moves) on it. Discs that are pocketed or off the board
            stay so.
        shot: A striker to add and flick, or None to let the layout move by itself.
        material: Friction, restitution and limits; None for the defaults.

    Returns:
        Events, final layout and trajectory.

    Raises:
        CarromsimError: The layout or the shot cannot be; the message names the field.
    """
    start = set_up(table, layout, shot)
    if material is None:
        material = Material()
    elif not isinstance(material, Material):
        raise InvalidType("must be a Material", field="material")
    engine = Engine(table, start.discs, material)
    engine.run()
    return Result(
        layout=Layout(engine.final()),
        events=Events(engine.events, [disc.kind for disc in start]),
        time=engine.time,
        truncated=engine.truncated,
        trajectory=engine.trajectory(),
        table=table,
        shot=shot,
        material=material,
    )
