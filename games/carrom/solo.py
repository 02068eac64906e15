"""`carromsim/CarromSolo-v0`: clear the board alone, in as few strokes as possible.

A gymnasium environment on the game's own board, placing and simulator. Every man counts the same,
the queen included; there is no opponent and no turn to lose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from carromsim.core.errors import InvalidValue
from carromsim.core.fields import check_number
from games.carrom.game import Carrom, carrom_field, carrom_table, layout_of, read_result
from games.carrom.placing import Round, is_free, nearest_place
from games.carrom.state import CarromState, Man, Stroke

__all__ = ["MEN", "CarromSolo"]

MEN = ("white",) * 9 + ("black",) * 9 + ("queen",)
"""The slots of the observation, in order."""

Observation = NDArray[np.float32]
Action = NDArray[np.float32]


class CarromSolo(gymnasium.Env[Observation, Action]):
    """Clear the board in as few strokes as possible.

    **Action**: three numbers from −1 to 1. Offset along the base line: −1 and 1 are its farthest
    legal places (22.23 cm left and right of the middle); a place that men occupy gives way to the
    nearest free one. Angle: −1 is 90° to the right, 0 straight ahead, 1 is 90° to the left.
    Strength: −1 the weakest flick (0.3 m/s), 1 the strongest (6 m/s).

    **Observation**: 57 numbers, three a man, 9 white, 9 black, the queen: x and y over half the
    board's side (37 cm), and 1 while it is on the board; 0, 0, 0 once it is pocketed.

    **Reward**: 1 for each man pocketed, −1 for each man that comes back (the striker pocketed: the
    last man pocketed comes back to the centre), and −`stroke_cost` each stroke.

    The episode ends (`terminated`) when the board is clear, and is `truncated` after
    `max_strokes`. `reset(options={"men": 3})` begins with that many men at random places,
    `reset(options={"layout": [{"kind": "white", "x": 0.1, "y": 0.2}]})` with a layout.

    Args:
        render_mode: `rgb_array`, `human` (a window), or None.
        men: Men at the start of an episode at random places; None: the full rack.
        max_strokes: Strokes after which an episode is truncated.
        stroke_cost: What a stroke costs.
        rules: Rule set whose striker places hold: `lattjo` or `icf`.
        options: Options of the game of carrom, such as the friction of the board.
        render_size: Side of the picture in pixels.

    Raises:
        CarromsimError: An argument does not fit; it names it.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": ["human", "rgb_array"],
        "render_fps": 30,
    }

    def __init__(
        self,
        render_mode: str | None = None,
        *,
        men: int | None = None,
        max_strokes: int = 100,
        stroke_cost: float = 0.1,
        rules: str = "lattjo",
        options: Mapping[str, Any] | None = None,
        render_size: int = 640,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InvalidValue(
                f"must be human or rgb_array, not {render_mode!r}", field="render_mode"
            )
        self._start_men = None if men is None else _count(men, "men")
        if not isinstance(max_strokes, int) or max_strokes < 1:
            raise InvalidValue(f"must be at least 1, not {max_strokes!r}", field="max_strokes")
        self._max_strokes = max_strokes
        self._stroke_cost = check_number(stroke_cost, "stroke_cost", low=0.0, high=100.0)
        if not isinstance(render_size, int) or not 64 <= render_size <= 4096:
            raise InvalidValue(f"must be 64 to 4096, not {render_size!r}", field="render_size")
        self._render_size = render_size
        self.render_mode = render_mode
        self._game = Carrom()
        resolved = self._game.resolve({**(options or {}), "rules": rules, "practice": True})
        self._first: CarromState = self._game.initial(resolved, 0)
        self._encoding = self._game.encoding(resolved)
        self._state = self._first
        self._down: list[str] = []
        self._strokes = 0
        self._viewer: Any = None
        self.action_space = spaces.Box(-1.0, 1.0, (3,), np.float32)
        self.observation_space = spaces.Box(-1.0, 1.0, (3 * len(MEN),), np.float32)

    # the environment -----------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new episode.

        Args:
            seed: Of the places of men.
            options: `men` or `layout`, see the class.

        Raises:
            CarromsimError: An option is unknown or does not fit.
        """
        super().reset(seed=seed)
        given = dict(options or {})
        layout = given.pop("layout", None)
        count = given.pop("men", self._start_men)
        if given:
            raise InvalidValue(
                f"unknown option {next(iter(given))!r}; known are: layout, men", field="options"
            )
        if layout is not None:
            men = self._men_from(layout)
        elif count is not None:
            men = self._random_men(_count(count, "options.men"))
        else:
            men = self._first.men
        self._state = _with_men(self._first, men)
        self._down = []
        self._strokes = 0
        if self.render_mode == "human":
            self._window().show(layout_of(self._state.men))
        return self._observation(), self._info(0, 0, False)

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One stroke, simulated to rest.

        Raises:
            CarromsimError: The action is not three finite numbers.
        """
        stroke = self.stroke(action)
        result = self._game.shoot(self._state, stroke)
        effect, men = read_result(result, "south")
        fell = [kind for kind in effect.pocketed if kind != "striker"]
        self._down += fell
        back = [kind for kind in effect.off_board if kind != "striker"]
        fouled = "striker" in effect.pocketed
        returned = 0
        if fouled and self._down:
            back.append(self._down.pop())
            returned = 1
        for kind in back:
            men = (*men, self._placed(kind, men))
        self._state = _with_men(self._state, men)
        self._strokes += 1
        reward = len(fell) - returned - self._stroke_cost
        terminated = not men
        truncated = not terminated and self._strokes >= self._max_strokes
        if self.render_mode == "human":
            window = self._window()
            window.play(result.trajectory)
            window.show(layout_of(self._state.men))
        info = self._info(len(fell), returned, fouled)
        return self._observation(), float(reward), terminated, truncated, info

    def stroke(self, action: Sequence[float] | Action) -> Stroke:
        """The stroke that an action stands for, on the board as it lies.

        Raises:
            CarromsimError: The action is not three finite numbers.
        """
        vector = np.asarray(action, dtype=np.float64).reshape(-1)
        if vector.shape != (3,) or not np.isfinite(vector).all():
            raise InvalidValue(
                "must be three finite numbers: offset, angle, strength", field="action"
            )
        values = [float(x) for x in np.clip(vector, -1.0, 1.0)]
        stroke = self._encoding.action(self._state, values)
        assert isinstance(stroke, Stroke)
        return stroke

    def render(self) -> NDArray[np.uint8] | None:
        """The board, shape (side, side, 3), in mode `rgb_array`; a window shows itself."""
        if self.render_mode != "rgb_array":
            return None
        from carromsim.app.board import render_array

        side = self._render_size
        return np.asarray(
            render_array(carrom_table(), layout_of(self._state.men), size=(side, side))
        )

    def close(self) -> None:
        """Closes the window, if there is one."""
        if self._viewer is not None:
            self._viewer.close()
            self._viewer = None

    # inside --------------------------------------------------------------------------------

    def _window(self) -> Any:
        if self._viewer is None:
            from carromsim.app.board_window import BoardWindow

            self._viewer = BoardWindow(carrom_table(), self._render_size)
        return self._viewer

    def _observation(self) -> Observation:
        half = carrom_field().half
        found = np.zeros((len(MEN), 3), dtype=np.float32)
        slots = {kind: iter([i for i, k in enumerate(MEN) if k == kind]) for kind in set(MEN)}
        for man in self._state.men:
            found[next(slots[man.kind])] = (man.x / half, man.y / half, 1.0)
        return found.reshape(-1)

    def _info(self, pocketed: int, returned: int, fouled: bool) -> dict[str, Any]:
        return {
            "strokes": self._strokes,
            "men": len(self._state.men),
            "pocketed": pocketed,
            "returned": returned,
            "striker_pocketed": fouled,
        }

    def _placed(self, kind: str, men: Sequence[Man]) -> Man:
        """Where a man comes back: the free place nearest the centre."""
        field = carrom_field()
        rounds = [(man.x, man.y, field.man) for man in men]
        place = nearest_place(field, rounds, away=(0.0, 1.0))
        assert place is not None, "twenty discs cannot fill the board"
        return Man(kind, *place)

    def _random_men(self, count: int) -> tuple[Man, ...]:
        """Men at random free places: whites first, then blacks, the queen last."""
        field = carrom_field()
        edge = field.half - field.man
        men: list[Man] = []
        rounds: list[Round] = []
        while len(men) < count:
            x, y = (float(v) for v in self.np_random.uniform(-edge, edge, 2))
            if is_free(field, x, y, rounds):
                men.append(Man(MEN[len(men)], x, y))
                rounds.append((x, y, field.man))
        return tuple(men)

    def _men_from(self, layout: Any) -> tuple[Man, ...]:
        data = self._game.to_json(self._first) | {"layout": layout}
        men: tuple[Man, ...] = self._game.from_json(data).men
        return men


def _with_men(state: CarromState, men: tuple[Man, ...]) -> CarromState:
    return replace(state, men=men, break_try=None)


def _count(value: Any, field: str) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise InvalidValue(f"must be a whole number, not {value!r}", field=field)
    if not 1 <= value <= len(MEN):
        raise InvalidValue(f"must be 1 to {len(MEN)}, not {value}", field=field)
    return int(value)
