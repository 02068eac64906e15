"""render: any game, any state, any layout as a picture, without a screen."""

from __future__ import annotations

import json

import pytest
from PIL import Image

from carromsim.core.match import play_bots
from carromsim.core.record import Seat, save_record
from carromsim.core.registry import game_names, load_game
from carromsim.core.session import Session


def picture(path, size):
    image = Image.open(path)
    assert image.format == "PNG"
    assert image.size == size
    assert len(image.convert("RGB").getcolors(2**24)) > 100, "nothing is drawn"
    return image


@pytest.mark.parametrize("name", game_names())
def test_every_game_is_drawn(cli, tmp_path, name):
    game = load_game(name)
    seats = tuple(Seat("bot", game.bot_levels[0]) for _ in range(game.seat_counts[0]))
    session = Session.start(game, seed=4, seats=seats)
    bots = [game.bot(game.bot_levels[0])] * len(seats)
    play_bots(session, bots, seed=1, stop=lambda: len(session) >= 9)
    save_record(session.record, tmp_path / "r.json")
    done = cli("render", "r.json", "--out", "end.png", "--size", "800x600")
    assert done.status == 0, done.err
    assert done.err == "end.png\n"
    assert done.out == ""
    end = picture(tmp_path / "end.png", (800, 600))
    cli("render", "r.json", "--out", "start.png", "--size", "800x600", "--at", 0)
    start = picture(tmp_path / "start.png", (800, 600))
    for part in ((0, 0, 540, 600), (580, 0, 800, 600)):  # the board, and the panel beside it
        assert start.crop(part).tobytes() != end.crop(part).tobytes(), part
    (tmp_path / "s.json").write_text(json.dumps(game.to_json(session.state)))
    done = cli("render", "s.json", "--game", name, "--out", "state.png", "--size", "640x480")
    assert done.status == 0, done.err
    picture(tmp_path / "state.png", (640, 480))


def test_layouts_and_results_of_simulate_are_drawn(cli, tmp_path):
    layout = [{"kind": "white", "x": 0.0, "y": 0.1}, {"kind": "queen", "x": 0.1, "y": 0.1}]
    (tmp_path / "layout.json").write_text(json.dumps(layout))
    assert cli("render", "layout.json", "--out", "a.png", "--size", "300x200").status == 0
    (tmp_path / "empty.json").write_text("[]")
    cli("render", "empty.json", "--out", "b.png", "--size", "300x200")
    a, b = (picture(tmp_path / f"{name}.png", (300, 200)) for name in "ab")
    assert a.tobytes() != b.tobytes()
    cli("simulate", "--shots", 1, "--out", "x.jsonl", "-q")
    (tmp_path / "row.json").write_text((tmp_path / "x.jsonl").read_text())
    assert cli("render", "row.json", "--out", "c.png").status == 0
    picture(tmp_path / "c.png", (1280, 720))


def test_the_same_record_gives_the_same_picture(cli, tmp_path):
    session = Session.start(load_game("carrom"), seed=4)
    session.roll()
    save_record(session.record, tmp_path / "r.json")
    for name in ("a.png", "b.png"):
        cli("render", "r.json", "--out", name, "--size", "400x300")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_what_cannot_be_drawn(cli, tmp_path):
    session = Session.start(load_game("carrom"), seed=4)
    save_record(session.record, tmp_path / "r.json")
    assert "at: must be at most 0" in cli("render", "r.json", "--out", "x.png", "--at", 3).error
    (tmp_path / "s.json").write_text(json.dumps(session.game.to_json(session.state)))
    assert "say whose state it is" in cli("render", "s.json", "--out", "x.png").error
    done = cli("render", "s.json", "--game", "draughts", "--out", "x.png")
    assert done.status == 1
    assert done.error
    done = cli("render", "r.json", "--out", "no/such/folder/x.png")
    assert "cannot write" in done.error
