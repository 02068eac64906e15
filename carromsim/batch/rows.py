"""What is kept of one shot of a batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from carromsim.batch.plan import Failure, Plan, Task
from carromsim.core.errors import CarromsimError
from carromsim.core.fields import Fields, Json
from carromsim.physics import Contact, FrameHit, Layout, Result, Shot, Trajectory, simulate

__all__ = ["FOULS", "Row", "simulate_range", "simulate_task"]

FOULS = ("striker_pocketed", "no_man_touched", "striker_off_board", "man_off_board")
"""What counts as a foul without any rule set, in the order in which one is named."""


@dataclass(frozen=True, slots=True)
class Row:
    """One shot and what came of it.

    Args:
        index: Number of the shot in its plan.
        shot: The shot.
        kinds: Kinds of piece, in the table's order.
        pocketed: How many of each kind fell.
        off_board: How many discs left the board.
        touched: The striker touched another disc.
        foul: One of FOULS, or "".
        contacts: Collisions of two discs.
        frame_hits: Collisions with the frame.
        time: Until everything lay still, s.
        truncated: It was cut at `max_time`.
        layout: Where everything lay at the end, the striker last.
        trajectory: The whole motion, where the plan asks for it.
    """

    index: int
    shot: Shot
    kinds: tuple[str, ...]
    pocketed: tuple[int, ...]
    off_board: int
    touched: bool
    foul: str
    contacts: int
    frame_hits: int
    time: float
    truncated: bool
    layout: Layout
    trajectory: Trajectory | None = None

    def columns(self) -> dict[str, Json]:
        """The row as flat columns, in SI units: the order of a CSV file."""
        return {
            "shot": self.index,
            "side": self.shot.side,
            "offset": self.shot.offset,
            "angle": self.shot.angle,
            "speed": self.shot.speed,
            **{
                f"{kind}_pocketed": count
                for kind, count in zip(self.kinds, self.pocketed, strict=True)
            },
            "off_board": self.off_board,
            "touched": self.touched,
            "foul": self.foul,
            "contacts": self.contacts,
            "frame_hits": self.frame_hits,
            "time": self.time,
            "truncated": self.truncated,
        }

    def to_json(self) -> dict[str, Json]:
        """The columns and the layout at the end: a line of a JSON lines file."""
        layout = []
        for disc in self.layout:
            item: dict[str, Json] = {"kind": disc.kind, "x": disc.x, "y": disc.y}
            if disc.pocketed is not None:
                item["pocketed"] = disc.pocketed
            if disc.off_board:
                item["off_board"] = True
            layout.append(item)
        return self.columns() | {"layout": layout}

    @classmethod
    def from_json(cls, data: Mapping[str, Json], kinds: tuple[str, ...]) -> Row:
        """A row from its line; without a trajectory.

        Args:
            data: As `to_json` gives it.
            kinds: Kinds of piece, in the table's order.

        Raises:
            CarromsimError: A field is missing or of the wrong type.
        """
        fields = Fields(data)
        row = cls(
            index=fields.integer("shot", low=0),
            shot=Shot(
                fields.number("offset"),
                fields.number("angle"),
                fields.number("speed"),
                fields.string("side"),
            ),
            kinds=kinds,
            pocketed=tuple(fields.integer(f"{kind}_pocketed", low=0) for kind in kinds),
            off_board=fields.integer("off_board", low=0),
            touched=fields.boolean("touched"),
            foul=fields.string("foul", choices=("", *FOULS)),
            contacts=fields.integer("contacts", low=0),
            frame_hits=fields.integer("frame_hits", low=0),
            time=fields.number("time", low=0.0),
            truncated=fields.boolean("truncated"),
            layout=Layout.from_json(fields.raw("layout"), "layout"),
        )
        fields.done()
        return row


def simulate_task(plan: Plan, task: Task) -> Row:
    """Simulates one shot of a plan.

    Raises:
        CarromsimError: The shot cannot be made on this layout.
    """
    result = simulate(plan.table, task.layout, task.shot, plan.material)
    striker = len(result.layout) - 1
    contacts = frame_hits = 0
    touched = False
    for event in result.events:
        if isinstance(event, Contact):
            contacts += 1
            touched = touched or striker in event.discs
        elif isinstance(event, FrameHit):
            frame_hits += 1
    kinds = tuple(plan.table.pieces)
    fell = Counter(result.pocketed)
    off = [i for i, disc in enumerate(result.layout) if disc.off_board]
    return Row(
        index=task.index,
        shot=task.shot,
        kinds=kinds,
        pocketed=tuple(fell[kind] for kind in kinds),
        off_board=len(off),
        touched=touched,
        foul=_foul(result, striker, touched, off),
        contacts=contacts,
        frame_hits=frame_hits,
        time=result.time,
        truncated=result.truncated,
        layout=result.layout,
        trajectory=result.trajectory if plan.trajectories else None,
    )


def _foul(result: Result, striker: int, touched: bool, off: Sequence[int]) -> str:
    if result.layout[striker].pocketed is not None:
        return "striker_pocketed"
    if not touched:
        return "no_man_touched"
    if striker in off:
        return "striker_off_board"
    return "man_off_board" if off else ""


def simulate_range(plan: Plan, start: int, stop: int) -> list[Row | Failure]:
    """Simulates the shots from `start` up to `stop`, each to a row or to why there is none."""
    rows: list[Row | Failure] = []
    for index in range(start, stop):
        try:
            rows.append(simulate_task(plan, plan.task(index)))
        except CarromsimError as error:
            rows.append(Failure(index, str(error)))
    return rows
