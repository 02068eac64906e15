"""Games of bots against bots, over seeds: who is stronger, and by how much."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from carromsim.bots.player import Budget
from carromsim.core.chance import generator
from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Json
from carromsim.core.game import CHANCE, Game
from carromsim.core.outcome import Outcome
from carromsim.core.record import Record, Seat
from carromsim.core.session import Session

__all__ = ["Line", "MatchGame", "Standing", "play_bots", "play_game", "play_match"]

S = TypeVar("S")
A = TypeVar("A")

MOST_ACTIONS = 100_000
"""A game of bots that is longer is given up; none should be."""


@dataclass(frozen=True, slots=True)
class MatchGame:
    """One game of a match.

    Args:
        index: Its number, from 0.
        lineup: Which player of the match sat on each seat.
        record: The whole game.
        outcome: How it ended, or None if it was given up.
    """

    index: int
    lineup: tuple[int, ...]
    record: Record
    outcome: Outcome | None

    def score(self, player: int) -> float:
        """The points of a player of the match in the game's own points."""
        if self.outcome is None:
            return 0.0
        return self.outcome.scores[self.lineup.index(player)]

    def won(self, player: int) -> bool:
        """Whether that player won or shared the win."""
        return self.outcome is not None and self.lineup.index(player) in self.outcome.winners


def play_bots(
    session: Session[S, A],
    bots: Sequence[Any],
    *,
    seed: int,
    stop: Callable[[], bool] | None = None,
    most_actions: int = MOST_ACTIONS,
) -> Outcome | None:
    """Plays a session to its end by one bot a seat; each sees what its seat may see.

    Args:
        session: The game; its own seed draws the chance actions.
        bots: A Player for each seat.
        seed: Of the bots' generators, one a seat and action.
        stop: Asked after every action; True gives the game up.
        most_actions: A longer game is given up.

    Returns:
        The outcome, or None if the game was given up.
    """
    game = session.game
    while (mover := session.to_move()) is not None:
        if len(session) >= most_actions or (stop is not None and stop()):
            return None
        if mover == CHANCE:
            session.roll()
            continue
        rng = generator(seed, "bot", mover, len(session))
        budget = Budget() if stop is None else Budget(stop=stop)
        session.play(bots[mover].choose(game.observe(session.state, mover), mover, rng, budget))
    return session.outcome()


def play_game(
    game: Game[S, A],
    levels: Sequence[int],
    index: int,
    *,
    options: Mapping[str, Json] | None = None,
    seed: int = 0,
    rotate: bool = True,
    most_actions: int = MOST_ACTIONS,
) -> MatchGame:
    """Game number `index` of a match, the same whenever and wherever it is played.

    With `rotate` the players change seats from game to game; the games of one round, in which
    each player sits everywhere once, share their seed and so their dice.
    """
    count = len(levels)
    round_number, shift = divmod(index, count) if rotate else (index, 0)
    lineup = tuple((seat + shift) % count for seat in range(count))
    dice = generator(seed, "match", round_number).randrange(2**53)
    seats = tuple(Seat("bot", levels[player]) for player in lineup)
    session = Session.start(game, {**(options or {}), "seats": count}, seed=dice, seats=seats)
    bots = [game.bot(levels[player]) for player in lineup]
    thoughts = generator(seed, "thoughts", index).randrange(2**53)
    outcome = play_bots(session, bots, seed=thoughts, most_actions=most_actions)
    return MatchGame(index, lineup, session.record, outcome)


def play_match(
    game: Game[S, A],
    levels: Sequence[int],
    games: int,
    *,
    options: Mapping[str, Json] | None = None,
    seed: int = 0,
    rotate: bool = True,
) -> Iterator[MatchGame]:
    """Plays the games of a match one after the other.

    Args:
        game: The rules.
        levels: Level of each player's bot.
        games: How many.
        options: Options of the game.
        seed: Of the whole match.
        rotate: Change seats from game to game.

    Raises:
        CarromsimError: Levels, options or the number of players do not fit; before any game.
    """
    game.resolve({**(options or {}), "seats": len(levels)})
    for level in levels:
        game.bot(level)
    if games < 0:
        raise InvalidValue(f"must be at least 0, not {games}", field="games")
    for index in range(games):
        yield play_game(game, levels, index, options=options, seed=seed, rotate=rotate)


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line of the standing.

    Args:
        player: Number of the player in the match.
        level: Its bot's level.
        games: Games played.
        won: Games won or shared with a partner.
        drawn: Games without a winner, given-up ones included.
        mean: Mean of its points.
        error: Standard error of the mean, 0 for fewer than two games.
    """

    player: int
    level: int
    games: int
    won: int
    drawn: int
    mean: float
    error: float


class Standing:
    """Adds up a match.

    Args:
        levels: Level of each player's bot.
    """

    def __init__(self, levels: Sequence[int]) -> None:
        self.levels = tuple(levels)
        self.unfinished = 0
        self.actions = 0
        self._scores: list[list[float]] = [[] for _ in levels]
        self._won = [0] * len(levels)
        self._drawn = 0

    @property
    def games(self) -> int:
        """Games counted."""
        return len(self._scores[0])

    def add(self, played: MatchGame) -> None:
        """Counts a game."""
        self.actions += len(played.record.entries)
        self.unfinished += played.outcome is None
        self._drawn += played.outcome is None or played.outcome.drawn
        for player in range(len(self.levels)):
            self._scores[player].append(played.score(player))
            self._won[player] += played.won(player)

    def lines(self) -> tuple[Line, ...]:
        """A line for each player, in their order."""
        return tuple(
            Line(player, level, self.games, self._won[player], self._drawn, *_mean(scores))
            for player, (level, scores) in enumerate(zip(self.levels, self._scores, strict=True))
        )

    def to_json(self) -> dict[str, Json]:
        """The standing as JSON."""
        return {
            "games": self.games,
            "unfinished": self.unfinished,
            "actions": self.actions,
            "players": [
                {
                    "level": line.level,
                    "won": line.won,
                    "drawn": line.drawn,
                    "mean_score": line.mean,
                    "standard_error": line.error,
                }
                for line in self.lines()
            ],
        }


def _mean(scores: Sequence[float]) -> tuple[float, float]:
    count = len(scores)
    if not count:
        return 0.0, 0.0
    mean = math.fsum(scores) / count
    if count < 2:
        return mean, 0.0
    variance = math.fsum((score - mean) ** 2 for score in scores) / (count - 1)
    return mean, math.sqrt(variance / count)
