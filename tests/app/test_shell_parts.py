"""Settings, saves, clocks, thinker, audio, loop, window: each part by itself."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st
from noughts import Noughts, Put, State, count_lines

from carromsim.app import audio as audio_module
from carromsim.app.audio import Audio, Silent, open_audio
from carromsim.app.clocks import ClockRules, Clocks, clock_text
from carromsim.app.input.raw import Closed, KeyDown, Raw
from carromsim.app.loop import LONGEST_FRAME, run_loop
from carromsim.app.saves import free_path, latest_save, list_saves, store
from carromsim.app.settings import Settings, load_settings, save_settings
from carromsim.app.thinker import Job, Worker, choose
from carromsim.app.window import Window, check_pygame, display_problem
from carromsim.bots.player import Budget
from carromsim.core.errors import CarromsimError, MissingDependency, NoDisplay, UnreadableFile
from carromsim.core.record import Seat
from carromsim.core.session import Session

# settings --------------------------------------------------------------------------------------


def test_settings_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    settings = Settings("light", 1.5, "de", 0.2, True, "off", True, (800, 600)).with_view(
        "carrom", "aim", False
    )
    assert save_settings(settings, path) == ""
    assert load_settings(path) == (settings, [])


def test_a_setting_that_does_not_fit_is_reset_and_named_the_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(
        json.dumps({"theme": "pink", "ui_scale": 99, "volume": 0.1, "window": [3, "x"], "new": 1})
    )
    settings, complaints = load_settings(path)
    assert settings == Settings(volume=0.1)
    assert [name for name in ("theme", "ui_scale", "window") if name in " ".join(complaints)] == [
        "theme",
        "ui_scale",
        "window",
    ]


def test_an_unreadable_settings_file_is_put_aside_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text("{theme: dark")
    settings, complaints = load_settings(path)
    assert settings == Settings() and len(complaints) == 1
    assert (tmp_path / "settings.broken.json").read_text() == "{theme: dark"


# saves -----------------------------------------------------------------------------------------


def play(cells: int) -> Session[Any, Any]:
    session = Session.start(Noughts(), seed=1, seats=(Seat(name="Ada"), Seat("bot", 2)))
    session.roll()
    for cell in range(cells):
        session.play(Put(cell))
    return session


def test_saves_are_listed_last_first_and_broken_ones_with_their_problem(tmp_path: Path) -> None:
    for index in range(3):
        path = tmp_path / f"noughts-{index}.json"
        store(play(index).record, path, {"over": index == 2})
        os.utime(path, (1000 + index, 1000 + index))
    (tmp_path / "broken.json").write_text("{")
    os.utime(tmp_path / "broken.json", (5000, 5000))
    saves = list_saves(tmp_path)
    assert [save.path.stem for save in saves] == ["broken", "noughts-2", "noughts-1", "noughts-0"]
    assert "JSON" in saves[0].problem and saves[1].over and saves[2].actions == 2
    assert latest_save(tmp_path).stem == "noughts-1"


def test_nothing_to_continue_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="no game to continue"):
        latest_save(tmp_path / "nowhere")


def test_a_new_file_never_takes_an_old_ones_name(tmp_path: Path) -> None:
    names = set()
    for _index in range(4):
        path = free_path("carrom", folder=tmp_path)
        assert path not in names
        names.add(path)
        path.write_text("")


# clocks ----------------------------------------------------------------------------------------


def test_a_fischer_clock_adds_after_each_turn() -> None:
    clocks = Clocks(ClockRules("fischer", 1, 5), 2)
    clocks.run(0, 0.0)
    clocks.run(0, 10.0)
    clocks.end_turn(10.0)
    clocks.run(1, 10.0)
    clocks.advance(13.0)
    assert clocks.left == pytest.approx([55.0, 57.0])


def test_a_delay_clock_gives_the_first_seconds_of_each_turn() -> None:
    clocks = Clocks(ClockRules("delay", 1, 5), 2)
    clocks.run(0, 0.0)
    clocks.advance(4.0)
    assert clocks.left[0] == 60.0
    clocks.advance(7.0)
    assert clocks.left[0] == pytest.approx(58.0)
    clocks.end_turn(7.0)
    clocks.run(0, 7.0)
    clocks.advance(11.0)
    assert clocks.left[0] == pytest.approx(58.0)


def test_a_clock_that_runs_out_stops_and_says_whose() -> None:
    clocks = Clocks(ClockRules("fischer", 0.1, 0), 2)
    clocks.run(1, 0.0)
    clocks.advance(7.0)
    assert clocks.flagged == 1 and clocks.left == [6.0, 0.0] and clocks.running is None
    clocks.play_on()
    clocks.run(1, 8.0)
    clocks.advance(99.0)
    assert clocks.flagged is None


@given(
    st.sampled_from(["fischer", "delay"]),
    st.lists(st.tuples(st.integers(0, 1), st.floats(0, 30)), max_size=30),
)
def test_time_only_runs_for_the_seat_whose_clock_runs(
    kind: str, turns: list[tuple[int, float]]
) -> None:
    clocks, now, spent = Clocks(ClockRules(kind, 600, 0), 2), 0.0, [0.0, 0.0]
    for seat, seconds in turns:
        clocks.run(seat, now)
        now += seconds
        spent[seat] += seconds
        clocks.run(None, now)
        now += 5.0  # a pause
    assert clocks.left == pytest.approx([36000 - used for used in spent])
    assert Clocks.from_json(clocks.to_json(), 2).left == pytest.approx(clocks.left, abs=2e-3)


def test_clock_texts() -> None:
    assert [clock_text(t) for t in (3725, 598.7, 60, 9.96, 0.04)] == [
        "1:02:05",
        "9:58",
        "1:00",
        "9.9",
        "0.0",
    ]


def test_a_clock_from_a_file_is_checked() -> None:
    good = Clocks(ClockRules("delay"), 2).to_json()
    for change, field in (
        ({"left": [1, -2]}, r"left\.1"),
        ({"left": [1]}, "left"),
        ({"kind": "sand"}, "kind"),
        ({"flagged": 7}, "flagged"),
    ):
        with pytest.raises(CarromsimError, match=field):
            Clocks.from_json({**good, **change}, 2)


def test_a_game_with_clocks_keeps_them_in_its_record_and_stops_them_in_a_pause(
    make_stage: Any,
) -> None:
    stage = make_stage()
    session = Session.start(Noughts(), seed=1)
    scene = stage.play(session, clock=ClockRules("fischer", 5, 2))
    stage.settle().run(3.0)
    mover = session.to_move()
    left = scene.flow.clocks.left[mover]
    assert left == pytest.approx(297.0, abs=0.2)
    stage.key("P").run(30.0).key("P")
    assert scene.flow.clocks.left[mover] == pytest.approx(left, abs=0.1)
    stage.tap(0.5, 0.5).settle()
    assert scene.flow.clocks.left[mover] == pytest.approx(left + 2.0, abs=0.2)
    stage.run(2.0)
    scene.leave()
    resumed = make_stage()
    from carromsim.core.record import load_record

    record = load_record(scene.flow.path)
    again = resumed.play(Session.resume(Noughts(), record), path=scene.flow.path)
    assert again.flow.clocks.left == pytest.approx(scene.flow.clocks.left, abs=0.2)
    stage.key("Ctrl+Z")
    assert scene.flow.clocks.left[mover] == pytest.approx(left, abs=0.2)


def test_a_fallen_flag_ends_play_until_the_players_go_on(make_stage: Any) -> None:
    stage = make_stage()
    scene = stage.play(Session.start(Noughts(), seed=1), clock=ClockRules("fischer", 0.05, 0))
    stage.settle().run(4.0)
    assert "Time is up" in scene.flow.note
    stage.tap(0.5, 0.5)
    assert len(scene.flow.session) == 1
    stage.press("Play on")
    stage.tap(0.5, 0.5).settle()
    assert len(scene.flow.session) == 2


# thinker ---------------------------------------------------------------------------------------


def wait(worker: Worker, done: Callable[[], Any], tries: int = 400) -> Any:
    """Polls with a clock of its own; the pauses are the pipe's."""
    now = 0.0
    for _try in range(tries):
        answer = worker.poll(now) or None
        if answer is not None or done():
            return answer
        worker._pipe.poll(0.05)
        now += 0.05
    raise AssertionError("no answer")


def stubborn(budget: Budget) -> int:
    while True:
        pass


def obedient(budget: Budget) -> str:
    while not budget.over:
        pass
    return "stopped"


def deadly(budget: Budget) -> None:
    os._exit(3)


@pytest.fixture
def worker() -> Any:
    made = Worker()
    yield made
    made.close()


def test_a_bot_chooses_in_its_own_process_as_it_would_here(worker: Worker) -> None:
    state = State(turn=0)
    worker.start(Job(choose, (Noughts, state, 0, 1, 5, 3)), 0.0)
    answer = wait(worker, lambda: False)
    assert answer.value == choose(Noughts, state, 0, 1, 5, 3, Budget())


def test_what_a_job_raises_comes_back_in_one_line(worker: Worker) -> None:
    worker.start(Job(choose, (Noughts, State(turn=0), 0, 7, 5, 3)), 0.0)
    assert wait(worker, lambda: False).error == "RuntimeError: out of paper"


def test_a_cancelled_job_stops_and_its_answer_is_dropped(worker: Worker) -> None:
    process = worker._process.pid
    worker.start(Job(obedient, ()), 0.0)
    worker.cancel(0.0)
    assert not worker.working
    wait(worker, lambda: not worker.stopping)
    worker.start(Job(count_lines, (State(), 0)), 0.0)
    assert wait(worker, lambda: False).value == 8
    assert worker._process.pid == process


def test_a_job_that_will_not_stop_is_ended_and_the_next_one_is_served(worker: Worker) -> None:
    process = worker._process.pid
    worker.start(Job(stubborn, ()), 0.0)
    wait(worker, lambda: worker._begun is not None)
    worker.start(Job(count_lines, (State(), 1)), 0.05)
    worker.poll(1e6)  # more than the 100 ms that it has
    assert worker._process.pid != process
    assert wait(worker, lambda: False).value == 8


def test_a_worker_that_dies_says_so_and_is_replaced(worker: Worker) -> None:
    worker.start(Job(deadly, ()), 0.0)
    assert "process ended" in wait(worker, lambda: False).error
    worker.start(Job(count_lines, (State(), 1)), 1.0)
    assert wait(worker, lambda: False).value == 8


# audio -----------------------------------------------------------------------------------------


def test_no_sound_device_mutes_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: Any, **_kw: Any) -> None:
        raise pygame.error("no available audio device")

    monkeypatch.setattr(audio_module.pygame.mixer, "init", refuse)
    silent = open_audio()
    assert isinstance(silent, Silent) and silent.problem.count("\n") == 0
    assert "without sound" in silent.problem


def test_what_sound_libraries_print_of_a_missing_device_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_args: Any, **_kw: Any) -> None:
        os.write(2, b"ALSA lib pcm.c: Unknown PCM default\n")
        raise pygame.error("no available audio device")

    monkeypatch.setattr(audio_module.pygame.mixer, "init", refuse)
    assert open_audio().problem
    os.write(2, b"afterwards\n")
    assert capfd.readouterr().err == "afterwards\n"


def test_no_sound_twice_in_a_row_and_quiet_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    audio = Audio()
    try:
        played: list[Any] = []

        class Channel:
            def set_volume(self, left: float, right: float) -> None:
                self.loud = (left, right)

            def play(self, sound: Any) -> None:
                played.append((sound, self.loud))

        monkeypatch.setattr(audio_module.pygame.mixer, "find_channel", Channel)
        audio.set_volume(Settings().volume, False)
        for _time in range(40):
            audio.play("contact", 0.9)
        sounds = [sound for sound, _loud in played]
        assert len(sounds) == 40 and len(set(map(id, sounds))) > 3
        assert all(a is not b for a, b in pairwise(sounds))
        assert max(max(loud) for _sound, loud in played) < 0.2
        played.clear()
        audio.play("contact", 1.0)
        loud = played[-1][1][0]
        audio.play("contact", 0.3)
        assert played[-1][1][0] < loud
        audio.set_volume(1.0, True)
        played.clear()
        audio.play("contact", 1.0)
        assert not played
    finally:
        audio.close()


def test_every_family_of_sounds_has_its_files() -> None:
    from carromsim.app.audio import family_of
    from carromsim.app.intents import Sound
    from carromsim.core.resources import assets_folder

    families: dict[str, int] = {}
    for path in (assets_folder() / "sounds").glob("*.wav"):
        families[family_of(path)] = families.get(family_of(path), 0) + 1
    assert Sound.__doc__ is not None
    named = Sound.__doc__.split("Families: ")[1].split(".")[0].replace("\n", " ").split(",")
    assert {name.strip() for name in named} == set(families)
    assert min(families.values()) >= 2


# loop ------------------------------------------------------------------------------------------


class FakeTimer:
    def __init__(self) -> None:
        self.time = 0.0
        self.frames = 0

    def now(self) -> float:
        return self.time

    def frame(self, rate: float) -> None:
        self.frames += 1
        self.time += 1 / rate


class Recorder:
    """A program that moves for a while, then rests."""

    rate = 50.0

    def __init__(self, moving: int) -> None:
        self.moving = moving
        self.running = True
        self.times: list[float] = []
        self.drawn = 0

    def input(self, raw: Raw, now: float) -> None:
        if isinstance(raw, Closed):
            self.running = False

    def update(self, now: float) -> None:
        self.times.append(now)

    def draw(self, now: float) -> bool:
        self.drawn += self.wait(now) <= 0
        return True

    def wait(self, now: float) -> float:
        return 0.0 if len(self.times) <= self.moving else 1.0


class Inputs:
    def __init__(self, timer: FakeTimer, stall_at: int, close_after: int) -> None:
        self.timer, self.stall_at, self.close_after = timer, stall_at, close_after
        self.polls: list[float] = []

    def poll(self, timeout: float = 0.0) -> list[Raw]:
        self.polls.append(timeout)
        self.timer.time += timeout
        if len(self.polls) == self.stall_at:
            self.timer.time += 3.0  # a window being dragged
        return [Closed()] if len(self.polls) >= self.close_after else [KeyDown("A")]


def test_a_late_frame_is_clamped_and_rest_is_waited_for() -> None:
    timer, program = FakeTimer(), Recorder(moving=10)
    inputs = Inputs(timer, stall_at=5, close_after=20)
    run_loop(program, inputs, timer)
    steps = [b - a for a, b in pairwise(program.times)]
    assert max(steps[:9]) == pytest.approx(LONGEST_FRAME)
    assert timer.frames == 10  # none while nothing moves
    assert inputs.polls[-1] == 1.0


# window ----------------------------------------------------------------------------------------


def test_both_pygames_installed_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.metadata

    check_pygame()
    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: object())
    with pytest.raises(MissingDependency, match="pip uninstall -y pygame pygame-ce"):
        check_pygame()
    monkeypatch.setattr(pygame, "IS_CE", False, raising=False)
    with pytest.raises(MissingDependency, match="old pygame"):
        check_pygame()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have a display")
def test_without_a_display_no_window_is_opened_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert "no display" in display_problem()
    with pytest.raises(NoDisplay):
        Window("test", (640, 480))
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    assert display_problem() == ""


def test_the_program_runs_in_a_window_and_saves_its_size() -> None:
    """In a process of its own: the start screen on SDL's dummy driver, closed by an event."""
    code = (
        "import pygame\n"
        "from carromsim.app import main\n"
        "from carromsim.app.input.source import PygameSource as S\n"
        "old, polls = S.poll, []\n"
        "def poll(self, timeout=0.0):\n"
        "    polls.append(1)\n"
        "    if len(polls) == 4: pygame.event.post(pygame.event.Event(pygame.KEYDOWN, "
        "key=pygame.K_q, mod=pygame.KMOD_CTRL, unicode=''))\n"
        "    return old(self, min(timeout, 0.05))\n"
        "S.poll = poll\n"
        "if __name__ == '__main__': raise SystemExit(main.open_start_screen())\n"
    )
    environment = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
