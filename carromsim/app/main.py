"""Entry points of the desktop: what the command line calls.

Each opens a window, runs until it is closed, and gives the exit status. They raise `NoDisplay`
where no window can be opened, and other CarromsimErrors for what the caller asked wrongly, before
a window is opened.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from carromsim.core.chance import new_seed
from carromsim.core.fields import Json
from carromsim.core.record import Record, Seat, load_record
from carromsim.core.registry import load_game
from carromsim.core.session import Session

__all__ = ["open_start_screen", "play_game", "replay_game", "resume_game"]


def open_start_screen() -> int:
    """Opens the start screen."""
    from carromsim.app.desk import Desk
    from carromsim.app.scenes.start import StartScene

    def begin(desk: Desk) -> None:
        desk.push(StartScene(desk))

    return _run(begin)


def play_game(
    name: str,
    *,
    seats: Sequence[Seat] = (),
    options: Mapping[str, Json] | None = None,
    seed: int | None = None,
    state: Json = None,
    clock: Mapping[str, Json] | None = None,
) -> int:
    """Starts a game at once.

    Args:
        name: The game.
        seats: Who sits where; empty: a person against bots of the middle level.
        options: What differs from the defaults, `rules` and `seats` included.
        seed: Of chance; None: a fresh one.
        state: Begin from this state (JSON).
        clock: `{"kind": "fischer", "minutes": 10, "seconds": 5}`, or None.

    Raises:
        CarromsimError: What is asked does not fit; NoDisplay: there is no window.
    """
    from carromsim.app.clocks import ClockRules
    from carromsim.app.desk import Desk, view_class
    from carromsim.app.flow import default_level
    from carromsim.app.scenes.game import GameScene

    game = load_game(name)
    options = {**view_class(game).desktop_options, **(options or {})}
    resolved = game.resolve(options)
    chairs = tuple(seats)
    if not chairs:
        level = default_level(game)
        other = Seat() if level is None else Seat("bot", level)
        chairs = (Seat(), *(other for _index in range(int(resolved["seats"]) - 1)))
    session = Session.start(
        game, options, seed=new_seed() if seed is None else seed, seats=chairs, state=state
    )
    rules = None if clock is None else ClockRules.from_json(clock)

    def begin(desk: Desk) -> None:
        _start_screen(desk)
        desk.push(GameScene(desk, session, clock=rules))

    return _run(begin)


def resume_game(path: Path | None = None) -> int:
    """Goes on with a saved game.

    Args:
        path: Its file; None: the unfinished game last played.

    Raises:
        CarromsimError: There is none, or it cannot be read.
    """
    from carromsim.app.desk import Desk, view_class
    from carromsim.app.saves import latest_save
    from carromsim.app.scenes.game import GameScene

    path = latest_save() if path is None else Path(path)
    record = load_record(path)
    game = load_game(record.game)
    view_class(game)
    session = Session.resume(game, record)

    def begin(desk: Desk) -> None:
        _start_screen(desk)
        desk.push(GameScene(desk, session, path=path))

    return _run(begin)


def replay_game(record: Record | Path) -> int:
    """Shows a record step by step, with controls.

    Args:
        record: A record, or the file of one.

    Raises:
        CarromsimError: It cannot be read or replayed.
    """
    from carromsim.app.desk import Desk, view_class
    from carromsim.app.scenes.game import GameScene

    if not isinstance(record, Record):
        record = load_record(Path(record))
    game = load_game(record.game)
    view_class(game)
    session = Session.resume(game, record)

    def begin(desk: Desk) -> None:
        _start_screen(desk)
        desk.push(GameScene(desk, session, replay=True))

    return _run(begin)


def _start_screen(desk: object) -> None:
    """What lies beneath, so that leaving the game does not end the program."""
    from carromsim.app.desk import Desk
    from carromsim.app.scenes.start import StartScene

    assert isinstance(desk, Desk)
    desk.push(StartScene(desk))


def _run(begin: Callable[..., None]) -> int:
    import pygame

    from carromsim.app.audio import open_audio
    from carromsim.app.desk import Desk
    from carromsim.app.input.source import PygameSource
    from carromsim.app.loop import RealTime, run_loop
    from carromsim.app.settings import load_settings
    from carromsim.app.thinker import Worker
    from carromsim.app.window import Window

    settings, complaints = load_settings()
    window = Window("carromsim", settings.window, full_screen=settings.full_screen)
    audio = open_audio()
    source = PygameSource(window.factor, window.pixel_size)
    desk = Desk(window, settings=settings, audio=audio, thinker=Worker, clipboard=source)
    try:
        if audio.problem:
            print(audio.problem, file=sys.stderr)
        if complaints:
            desk.say("\n".join(complaints[:3]), 8)
        begin(desk)
        run_loop(desk, source, RealTime())
    finally:
        if desk.scenes:
            desk.quit()
        if not desk.settings.full_screen and window.size != desk.settings.window:
            desk.change(window=window.size)
        desk.close()
        window.close()
        pygame.quit()
    return 0
