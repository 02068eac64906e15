"""Every game as a PettingZoo AEC environment, by one adapter over the Game protocol.

Agents are `seat_0`, `seat_1` and so on. Chance (dice, draws, tosses) acts by itself between the
agents' turns, from the seed given to `reset`. Rewards come at the end: 1 shared by the winners, −1
shared by the others, 0 for a draw; with `reward="scores"` they are the game's own scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from carromsim.core.chance import new_seed
from carromsim.core.encoding import ContinuousEncoding, DiscreteEncoding
from carromsim.core.errors import CarromsimError, IllegalAction, InvalidValue
from carromsim.core.fields import Json
from carromsim.core.game import CHANCE, Game
from carromsim.core.registry import load_game
from carromsim.core.session import Session

__all__ = ["GameEnv", "game_env"]

Observation: TypeAlias = NDArray[np.float32] | dict[str, NDArray[Any]]


class GameEnv(AECEnv):  # type: ignore[misc]  # untyped package
    """A game of carromsim for PettingZoo.

    Observations are float32 vectors (see the game's `encoding`). In games with discrete actions
    they are dicts: `observation`, the vector, and `action_mask`, int8, 1 where an action is legal
    for the agent to act (all 0 for the others).

    Args:
        game: The rules.
        options: Options of the game, `seats` and `rules` among them.
        reward: `outcome` (1, 0, −1 at the end) or `scores` (the game's own scores at the end).
        max_turns: Actions of agents after which the game is truncated.
        render_mode: `ansi` (the state as JSON) or `rgb_array` (a picture), or None.
        render_size: Width and height of the picture in pixels.

    Raises:
        CarromsimError: Options do not fit, or the game has no encoding.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (PettingZoo reads it from class and object)
        "name": "carromsim_v0",
        "render_modes": ["ansi", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 30,
    }

    def __init__(
        self,
        game: Game[Any, Any],
        options: Mapping[str, Json] | None = None,
        *,
        reward: Literal["outcome", "scores"] = "outcome",
        max_turns: int = 2000,
        render_mode: str | None = None,
        render_size: tuple[int, int] = (960, 720),
    ) -> None:
        super().__init__()
        if reward not in ("outcome", "scores"):
            raise InvalidValue(f"must be outcome or scores, not {reward!r}", field="reward")
        if max_turns < 1:
            raise InvalidValue(f"must be at least 1, not {max_turns}", field="max_turns")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InvalidValue(
                f"must be ansi or rgb_array, not {render_mode!r}", field="render_mode"
            )
        self.game = game
        self.options = game.resolve(options)
        encoding = game.encoding(self.options)
        if encoding is None:
            raise CarromsimError(f"{game.name} has no encoding for environments", field="game")
        self.encoding = encoding
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "name": f"carromsim_{game.name}_v0"}
        self._reward = reward
        self._max_turns = max_turns
        self._render_size = render_size
        self.possible_agents = [f"seat_{seat}" for seat in range(int(self.options["seats"]))]
        self.agents: list[str] = []
        self._session: Session[Any, Any] | None = None
        self._turns = 0
        seen: spaces.Space[Any] = spaces.Box(
            encoding.low, encoding.high, (encoding.size,), np.float32
        )
        action: spaces.Space[Any]
        if isinstance(encoding, DiscreteEncoding):
            action = spaces.Discrete(encoding.actions)
            mask = spaces.Box(0, 1, (encoding.actions,), np.int8)
            observation: spaces.Space[Any] = spaces.Dict({"observation": seen, "action_mask": mask})
        else:
            assert isinstance(encoding, ContinuousEncoding)
            action = spaces.Box(-1.0, 1.0, (len(encoding.parameters),), np.float32)
            observation = seen
        self.action_spaces = dict.fromkeys(self.possible_agents, action)
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation)

    # the environment -----------------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same space object for an agent at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same space object for an agent at every call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game; the same seed gives the same dice."""
        if seed is None:
            seed = new_seed()
        elif seed < 0:
            raise InvalidValue(f"must be at least 0, not {seed}", field="seed")
        self._session = Session.start(self.game, self.options, seed=seed)
        self._turns = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._advance()

    def step(self, action: Any) -> None:
        """Plays the action of `agent_selection`.

        Raises:
            IllegalAction: The mask says so; nothing changes.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        session = self.session
        session.play(self._decoded(session.state, action))
        self._turns += 1
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._advance()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        """What that agent sees."""
        session = self.session
        seat = self.possible_agents.index(agent)
        state = session.state
        seen = self.game.observe(state, seat)
        vector = np.asarray(self.encoding.features(seen, seat), dtype=np.float32)
        if not isinstance(self.encoding, DiscreteEncoding):
            return vector
        mask = np.zeros(self.encoding.actions, dtype=np.int8)
        if self.game.to_move(state) == seat:
            mask[list(self.encoding.numbered(state))] = 1
        return {"observation": vector, "action_mask": mask}

    def render(self) -> str | NDArray[np.uint8] | None:
        """The state as JSON text, or a picture of shape (height, width, 3)."""
        if self.render_mode is None or self._session is None:
            return None
        if self.render_mode == "ansi":
            import json

            return json.dumps(self.game.to_json(self.session.state))
        return _pixels(self.session, self._render_size)

    def close(self) -> None:
        """Nothing is held open."""

    # inside --------------------------------------------------------------------------------

    @property
    def session(self) -> Session[Any, Any]:
        """The game being played.

        Raises:
            CarromsimError: `reset` was not called.
        """
        if self._session is None:
            raise CarromsimError("call reset() first")
        return self._session

    def _decoded(self, state: Any, action: Any) -> Any:
        if isinstance(self.encoding, DiscreteEncoding):
            return self.encoding.action(state, int(action))
        assert isinstance(self.encoding, ContinuousEncoding)
        vector = np.asarray(action, dtype=np.float64).reshape(-1)
        if vector.shape != (len(self.encoding.parameters),) or not np.isfinite(vector).all():
            raise IllegalAction(
                f"must be {len(self.encoding.parameters)} finite numbers: "
                f"{', '.join(self.encoding.parameters)}",
                field="action",
            )
        return self.encoding.action(state, [float(x) for x in np.clip(vector, -1.0, 1.0)])

    def _advance(self) -> None:
        """Chance acts; then the next agent is selected, or the game is over."""
        session = self.session
        while session.to_move() == CHANCE:
            session.roll()
        mover = session.to_move()
        outcome = session.outcome()
        if outcome is not None or mover is None:
            self.terminations = dict.fromkeys(self.agents, True)
            self._reward_end()
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[int(mover)]
            if self._turns >= self._max_turns:
                self.truncations = dict.fromkeys(self.agents, True)

    def _reward_end(self) -> None:
        outcome = self.session.outcome()
        if outcome is None:
            return
        count = len(self.possible_agents)
        for seat, agent in enumerate(self.possible_agents):
            if self._reward == "scores":
                self.rewards[agent] = float(outcome.scores[seat])
            elif not outcome.winners or len(outcome.winners) == count:
                self.rewards[agent] = 0.0
            elif seat in outcome.winners:
                self.rewards[agent] = 1.0 / len(outcome.winners)
            else:
                self.rewards[agent] = -1.0 / (count - len(outcome.winners))


def _pixels(session: Session[Any, Any], size: tuple[int, int]) -> NDArray[np.uint8]:
    from carromsim.app.picture import picture_array

    return picture_array(session, size=size)


def game_env(name: str, **keywords: Any) -> GameEnv:
    """The environment of an installed game; keywords as of `GameEnv`.

    Raises:
        UnknownGame: There is no such game.
    """
    return GameEnv(load_game(name), **keywords)
