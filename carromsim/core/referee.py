"""The referee protocol: one JSON object in, one out, for any game.

This is the protocol's logic alone; reading and writing lines is the command line's part.
A request that is refused changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from carromsim._version import __version__
from carromsim.bots.player import Budget
from carromsim.core.chance import generator, new_seed
from carromsim.core.errors import (
    BadJson,
    CarromsimError,
    IllegalAction,
    InvalidValue,
    LineTooLong,
    NoGame,
    UnknownCommand,
)
from carromsim.core.fields import Fields, Json, parse_json
from carromsim.core.game import Game
from carromsim.core.session import Session

__all__ = ["LINE_LIMIT", "PROTOCOL", "Referee", "encode", "refusal"]

PROTOCOL: Final = 1
"""Version of the protocol."""
LINE_LIMIT: Final = 1 << 20
"""Longest line in bytes, its end not counted."""

Answer: TypeAlias = dict[str, Json]


def encode(answer: Mapping[str, Json]) -> str:
    """An answer as one line of plain ASCII, without its end."""
    return json.dumps(answer, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def refusal(error: CarromsimError) -> Answer:
    """The answer to a request that is refused."""
    return {
        "ok": False,
        "error": {"code": error.code, "message": error.message, "field": error.field},
    }


class Referee:
    """Answers requests about one game, and holds the game being played.

    Args:
        game: The rules.
        rules: Rule set of games that do not name one, or None for the game's first.
        games: Names of the games that `hello` lists.

    Raises:
        InvalidValue: There is no such rule set.
    """

    def __init__(
        self, game: Game[Any, Any], *, rules: str | None = None, games: Sequence[str] = ()
    ) -> None:
        if rules is not None and rules not in game.rule_sets:
            raise InvalidValue(
                f"must be one of {', '.join(game.rule_sets)}, not {rules!r}", field="rules"
            )
        self.game = game
        self.rules = rules
        self.games = tuple(games) or (game.name,)
        self.session: Session[Any, Any] | None = None
        self._own = {request.name: request for request in game.requests}
        self._known: dict[str, Callable[[Fields], Answer]] = {
            "hello": self._hello,
            "new": self._new,
            "load": self._load,
            "state": self._state,
            "legal": self._legal,
            "play": self._play,
            "roll": self._roll,
            "bot": self._bot,
            "undo": self._undo,
            "reset": self._reset,
            "record": self._record,
        }

    def answer(self, line: str | bytes) -> Answer:
        """The answer to one line, without its end.

        Everything that is wrong with the line is in the answer; nothing is raised for it.
        """
        request: Json = None
        try:
            request = _parse(line)
            answer = {"ok": True} | self._dispatch(Fields(self._ruled(request)))
        except CarromsimError as error:
            answer = refusal(error)
        except RecursionError:
            answer = refusal(InvalidValue("is nested too deep"))
        if isinstance(request, Mapping) and "id" in request:
            answer["id"] = request["id"]
        return answer

    def _ruled(self, request: Json) -> Json:
        """The request with the referee's rule set, where it asks for one before any game."""
        if self.rules is None or self.session is not None or not isinstance(request, Mapping):
            return request
        command = request.get("cmd")
        own = self._own.get(str(command))
        if own is None or "rules" not in own.schema.get("properties", {}):
            return request
        if command == "load" and "state" in request:  # a state brings its own
            return request
        return {"rules": self.rules, **request}

    def _dispatch(self, fields: Fields) -> Answer:
        fields.raw("id", None)
        command = fields.string("cmd")
        handler = self._known.get(command)
        if handler is not None:
            return handler(fields)
        own = self._own.get(command)
        if own is None:
            known = ", ".join([*self._known, *(name for name in self._own if name != "load")])
            raise UnknownCommand(
                f"there is no {command[:60]!r} in {self.game.name}; known are: {known}", field="cmd"
            )
        answer = dict(own.answer(self.session, fields))
        fields.done()
        return answer

    # beginning -----------------------------------------------------------------------------

    def _hello(self, fields: Fields) -> Answer:
        fields.done()
        return {
            "name": "carromsim",
            "version": __version__,
            "protocol": PROTOCOL,
            "games": list(self.games),
            "game": self.game.name,
        }

    def _new(self, fields: Fields) -> Answer:
        options = self._options(fields, {})
        seed = fields.integer("seed", None, low=0)
        fields.done()
        self.session = Session.start(self.game, options, seed=new_seed() if seed is None else seed)
        return self._position()

    def _load(self, fields: Fields) -> Answer:
        own = self._own.get("load")
        if own is not None and "state" not in fields:
            data = own.answer(self.session, fields)["state"]
        else:
            data = fields.raw("state")
        with _inside("state"):
            state = self.game.from_json(data)
        now = {} if self.session is None else dict(self.session.options)
        options = self._options(fields, now | dict(self.game.options_in(state)))
        seed = fields.integer("seed", None, low=0)
        if seed is None:
            seed = new_seed() if self.session is None else self.session.seed
        fields.done()
        self.session = Session.start(self.game, options, seed=seed, state=data)
        return self._position()

    def _options(self, fields: Fields, base: Mapping[str, Json]) -> dict[str, Json]:
        """Options of a request over those of `base`; a rule set that is named starts afresh."""
        given = dict(fields.mapping("options", {}))
        rules = fields.string("rules", None)
        if rules is not None:
            given["rules"] = rules
        seats = fields.raw("seats", None)
        if seats is not None:
            given["seats"] = seats
        if "rules" in given:
            base = {"seats": base["seats"]} if "seats" in base else {}
        elif self.rules is not None and "rules" not in base:
            given["rules"] = self.rules
        return {**base, **given}

    # the game in progress ------------------------------------------------------------------

    def _running(self) -> Session[Any, Any]:
        if self.session is None:
            raise NoGame("no game yet: send new or load first")
        return self.session

    def _position(self) -> Answer:
        session = self._running()
        return {"state": self.game.to_json(session.state), "to_move": session.to_move()}

    def _after(self, events: Sequence[Any]) -> Answer:
        outcome = self._running().outcome()
        return self._position() | {
            "events": [event.to_json() for event in events],
            "outcome": None if outcome is None else outcome.to_json(),
        }

    def _state(self, fields: Fields) -> Answer:
        session = self._running()
        seat = fields.integer("seat", None, low=0, high=len(session.seats) - 1)
        fields.done()
        state = session.state
        if seat is not None:
            state = self.game.observe(state, seat)
        outcome = session.outcome()
        return {
            "state": self.game.to_json(state),
            "to_move": session.to_move(),
            "outcome": None if outcome is None else outcome.to_json(),
        }

    def _legal(self, fields: Fields) -> Answer:
        session = self._running()
        fields.done()
        legal = self.game.legal(session.state)
        return {"to_move": session.to_move()} | self.game.legal_to_json(legal)

    def _play(self, fields: Fields) -> Answer:
        session = self._running()
        data = fields.raw("action")
        fields.done()
        with _inside("action"):
            action = self.game.action_from_json(data)
        _refuse_when_over(session)
        return self._after(session.play(action))

    def _roll(self, fields: Fields) -> Answer:
        session = self._running()
        fields.done()
        _refuse_when_over(session)
        action = session.draw()
        events = session.play(action)
        return {"action": self.game.action_to_json(action)} | self._after(events)

    def _bot(self, fields: Fields) -> Answer:
        session = self._running()
        levels = self.game.bot_levels
        level = fields.integer("level", levels[-1] if levels else 1)
        seed = fields.integer("seed", session.seed, low=0)
        seconds = fields.number("seconds", None, above=0, high=600)
        fields.done()
        bot = self.game.bot(level)
        _refuse_when_over(session)
        mover = session.to_move()
        if not isinstance(mover, int):
            raise IllegalAction("chance is to move: send roll")
        action = bot.choose(
            self.game.observe(session.state, mover),
            mover,
            generator(seed, "bot", mover, len(session)),
            Budget(seconds=seconds),
        )
        return {"action": self.game.action_to_json(action)}

    def _undo(self, fields: Fields) -> Answer:
        session = self._running()
        count = fields.integer("count", 1, low=1)
        fields.done()
        session.undo(count)
        return self._position()

    def _reset(self, fields: Fields) -> Answer:
        session = self._running()
        fields.done()
        action = self.game.reset_action(session.state)
        if action is None:
            self.session = Session.start(
                self.game, session.options, seed=session.seed, seats=session.seats
            )
            return self._position()
        return self._after(session.play(action))

    def _record(self, fields: Fields) -> Answer:
        session = self._running()
        fields.done()
        return {"record": session.record.to_json()}


class _inside:  # noqa: N801 (reads as a statement)
    """Names the fields of an object that a game reads by their place in the request."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if not isinstance(error, CarromsimError):
            return
        name, field = self._name, error.field
        if not field:
            error.field = name
        elif field != name and not field.startswith((f"{name}.", f"{name}[")):
            error.field = f"{name}{field}" if field.startswith("[") else f"{name}.{field}"


def _refuse_when_over(session: Session[Any, Any]) -> None:
    if session.to_move() is None:
        raise IllegalAction("the game is over")


def _parse(line: str | bytes) -> Json:
    size = len(line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass"))
    if size > LINE_LIMIT:
        raise LineTooLong(f"a line may have at most {LINE_LIMIT} bytes")
    if isinstance(line, bytes):
        try:
            line = line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise BadJson(f"not text in UTF-8 (byte {error.start})") from None
    return parse_json(line.removeprefix("\ufeff"))
