"""simulate, match, protocol, convert, replay and render do what they promise."""

from __future__ import annotations

import io
import json

import jsonschema
import pytest
from tiny_game import Race, RaceWithReset

from carromsim.cli.protocol import lines
from carromsim.core import registry
from carromsim.core.match import Standing, play_bots, play_game, play_match
from carromsim.core.record import load_record, save_record
from carromsim.core.referee import LINE_LIMIT
from carromsim.core.session import Session


@pytest.fixture
def race(monkeypatch):
    """The tiny game, installed."""

    class Point:
        value = "tiny_game:Race"

        def __init__(self, kind):
            self.kind = kind

        def load(self):
            return self.kind

    points = dict(registry._points()) | {
        "race": Point(Race),
        "race_with_reset": Point(RaceWithReset),
    }
    registry.load_game.cache_clear()
    monkeypatch.setattr(registry, "_points", lambda: points)
    yield registry.load_game("race")
    registry.load_game.cache_clear()


# simulate ----------------------------------------------------------------------------------


def test_simulate_prints_a_summary_and_progress(cli):
    done = cli("simulate", "--shots", 20, "--seed", 2)
    assert done.status == 0
    assert "20 shots" in done.out
    for words in ("white pocketed", "queen pocketed", "striker pocketed", "fouls", "shots/s"):
        assert words in done.out
    assert "20/20" in done.err
    assert "shots/s" in done.err


def test_quiet_says_nothing(cli, tmp_path):
    done = cli("simulate", "random", "--shots", 5, "--quiet", "--out", "x.csv")
    assert (done.status, done.out, done.err) == (0, "", "")
    assert len((tmp_path / "x.csv").read_text().splitlines()) == 6


def test_the_summary_as_json(cli):
    done = cli("simulate", "--shots", 8, "--json")
    data = json.loads(done.out)
    assert data["shots"] == 8
    assert set(data["pocketed"]) == {"white", "black", "queen", "striker"}
    assert data["failed"] == 0


def test_same_seed_same_bytes(cli, tmp_path):
    for name, workers, seed in (("a", 1, 7), ("b", 2, 7), ("c", 1, 8)):
        cli("simulate", "random", "--shots", 24, "--seed", seed, "--workers", workers, "-q",
            "--out", f"{name}.jsonl")  # fmt: skip
    a, b, c = ((tmp_path / f"{n}.jsonl").read_bytes() for n in "abc")
    assert a == b
    assert a != c


def test_listed_shots_on_a_given_layout(cli, tmp_path):
    (tmp_path / "shots.csv").write_text("offset,angle,speed\n0,0,2\n0.1,0,nan\n0,0.1,3\n")
    (tmp_path / "layout.json").write_text('[{"kind": "white", "x": 0, "y": 0.1}]')
    done = cli("simulate", "shots.csv", "--layout", "layout.json", "--out", "x.jsonl")
    assert done.status == 1
    assert "shot 1 left out: shots.csv line 3: speed: must be a finite number" in done.err
    rows = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    assert [row["shot"] for row in rows] == [0, 2]
    assert rows[0]["touched"]
    assert [disc["kind"] for disc in rows[0]["layout"]] == ["white", "striker"]


def test_parameters_reach_the_table(cli):
    def seconds(friction):
        done = cli("simulate", "--shots", 6, "--param", f"surface_friction={friction}", "--json")
        return json.loads(done.out)["simulated_seconds"]

    assert seconds(0.05) > 1.5 * seconds(0.2)
    assert cli("simulate", "--shots", 2, "--param", "hop_speed=none", "-q").status == 0


def test_the_list_is_not_overwritten_by_its_results(cli, tmp_path):
    (tmp_path / "shots.csv").write_text("speed\n2\n")
    done = cli("simulate", "shots.csv", "--out", "shots.csv")
    assert "out: must be another file" in done.error
    assert (tmp_path / "shots.csv").read_text() == "speed\n2\n"


# match -------------------------------------------------------------------------------------


def test_the_better_bot_wins_and_the_standing_says_so(cli, race):
    done = cli("match", "race", "--seats", "bot:2,bot:1", "--games", 30, "--seed", 5, "--json")
    assert done.status == 0
    data = json.loads(done.out)
    strong, weak = data["players"]
    assert (strong["level"], weak["level"]) == (2, 1)
    assert strong["won"] + weak["won"] + strong["drawn"] == 30
    assert strong["won"] > weak["won"]
    assert strong["standard_error"] > 0
    table = cli("match", "race", "--seats", "bot:2,bot:1", "--games", 30, "--seed", 5, "--quiet")
    assert "bot:2" in table.out
    assert f"{strong['mean_score']:+.3f}" in table.out


def test_matches_repeat_themselves_and_records_replay(cli, race, tmp_path):
    for name in ("one", "two"):
        done = cli("match", "race", "--seats", "bot:1,bot:1,bot:2", "--games", 4, "--records", name)
        assert done.status == 0
    files = sorted(p.name for p in (tmp_path / "one").iterdir())
    assert files == [f"race-{i}.json" for i in (1, 2, 3, 4)]
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
        session = Session.resume(race, load_record(tmp_path / "one" / name))
        assert session.outcome() is not None


def test_workers_play_the_same_games(cli):
    arguments = ["match", "triominos", "--seats", "bot:1,bot:2", "--games", 3, "--seed", 4, "-q"]
    one = cli(*arguments, "--json")
    two = cli(*arguments, "--json", "--workers", 2)
    assert one.status == two.status == 0
    assert one.out == two.out


def test_a_game_may_bring_verbs(cli, race, monkeypatch):
    done = cli("race", "length")
    assert "No such command 'race'" in done.error
    monkeypatch.setattr(Race, "commands", "tiny_verbs:verbs")
    assert cli("race", "length").out == "10 squares\n"
    assert "What one can do with a race" in cli("race", "--help").out


def test_seats_rotate_and_a_round_shares_its_dice():
    games = list(play_match(Race(), [1, 2], 4, seed=3))
    assert [game.lineup for game in games] == [(0, 1), (1, 0), (0, 1), (1, 0)]
    assert games[0].record.seed == games[1].record.seed != games[2].record.seed
    assert [seat.level for seat in games[1].record.seats] == [2, 1]
    again = play_game(Race(), [1, 2], 2, seed=3)
    assert again == games[2]
    fixed = list(play_match(Race(), [1, 2], 2, seed=3, rotate=False))
    assert [game.lineup for game in fixed] == [(0, 1), (0, 1)]


def test_a_game_that_does_not_end_is_given_up_and_said(cli, race, monkeypatch):
    import carromsim.core.match

    monkeypatch.setattr(carromsim.core.match.play_game, "__kwdefaults__", {
        "options": None, "seed": 0, "rotate": True, "most_actions": 4
    })  # fmt: skip
    done = cli("match", "race", "--seats", "bot:1,bot:1", "--games", 3, "--quiet")
    assert done.status == 1
    assert "3 games came to no end" in done.err


def test_a_bot_may_be_stopped():
    session = Session.start(Race(), seed=1)
    assert play_bots(session, [Race().bot(1)] * 2, seed=1, stop=lambda: True) is None
    assert len(session) == 0


def test_standing_of_known_games():
    standing = Standing([1, 2])
    assert [line.mean for line in standing.lines()] == [0, 0]
    games = list(play_match(Race(), [1, 2], 6, seed=3))
    for game in games:
        standing.add(game)
    scores = [game.score(0) for game in games]
    line = standing.lines()[0]
    assert line.mean == pytest.approx(sum(scores) / 6)
    assert line.won == sum(game.won(0) for game in games)
    variance = sum((s - line.mean) ** 2 for s in scores) / 5
    assert line.error == pytest.approx((variance / 6) ** 0.5)
    assert standing.actions == sum(len(game.record.entries) for game in games)


# protocol ----------------------------------------------------------------------------------


def test_lines_are_cut_where_they_are_too_long():
    text = b"one\r\n\n" + b"x" * 50 + b"\n" + b"y" * 10 + b"\n" + b"z" * 11 + b"\nend"
    found = list(lines(io.BytesIO(text), 10))
    assert found == [b"one", b"", b"x" * 11, b"y" * 10, b"z" * 11, b"end"]


def test_an_endless_line_fills_no_memory():
    class Endless(io.RawIOBase):
        served = 0

        def readable(self):
            return True

        def readinto(self, buffer):
            if self.served > 40 * LINE_LIMIT:
                return 0
            buffer[:] = b"x" * len(buffer)
            self.served += len(buffer)
            return len(buffer)

    (line,) = lines(io.BufferedReader(Endless()), LINE_LIMIT)
    assert len(line) == LINE_LIMIT + 1


def test_the_protocol_over_pipes(program):
    long = '{"cmd":"hello","pad":"' + "x" * (1 << 20) + '"}'
    text = "\n".join(
        [
            '{"cmd":"legal"}',
            '{"cmd":"new","seed":3,"id":"a"}',
            "rubbish",
            "",
            long,
            '{"cmd":"roll"}',
            '{"cmd":"hello","id":7}',
        ]
    )
    done = program("protocol", "carrom", text=text)
    assert done.status == 0
    assert done.err == ""
    answers = [json.loads(line) for line in done.out.splitlines()]
    codes = [None if a["ok"] else a["error"]["code"] for a in answers]
    assert codes == ["no_game", None, "bad_json", "bad_json", "too_long", None, None]
    assert answers[1]["id"] == "a"
    assert answers[-1]["games"] == list(registry.game_names())


def test_answers_come_at_once(tmp_path):
    import subprocess
    import sys

    process = subprocess.Popen(
        [sys.executable, "-m", "carromsim", "protocol", "carrom"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    for number in range(3):
        process.stdin.write(json.dumps({"cmd": "hello", "id": number}).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == number
    process.stdin.close()
    assert process.wait(30) == 0
    process.stdout.close()


def test_a_bug_in_a_game_does_not_end_the_protocol(cli, race, monkeypatch, home):
    import sys

    def broken(self, state):
        raise ZeroDivisionError

    monkeypatch.setattr(Race, "legal", broken)
    text = b'{"cmd":"new","seed":1}\n{"cmd":"legal","id":5}\n{"cmd":"state"}\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    done = cli("protocol", "race")
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, True]
    assert answers[1]["error"]["code"] == "internal_error"
    assert answers[1]["id"] == 5
    assert "Traceback" in next((home / "logs").iterdir()).read_text()


def test_the_schema_covers_every_game(cli):
    schema = json.loads(cli("protocol", "--schema").out)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert set(schema["$defs"]) == set(registry.game_names())
    one = json.loads(cli("protocol", "carrom", "--schema").out)
    assert set(one["$defs"]) == {"carrom"}
    titles = {request["title"] for request in one["$defs"]["carrom"]["anyOf"]}
    assert titles >= {"hello", "new", "load", "state", "legal", "play", "roll", "bot", "undo",
                      "reset", "record", "rule", "simulate"}  # fmt: skip


# convert and replay ------------------------------------------------------------------------


def played(race, path, walks=5):
    session = Session.start(race, seed=2)
    play_bots(session, [race.bot(2), race.bot(2)], seed=1)
    save_record(session.record, path)
    return session


def test_convert_between_records_and_a_games_own_format(cli, race, tmp_path):
    played(race, tmp_path / "a.json")
    done = cli("convert", "a.json", "b.race")
    assert done.status == 0
    assert (tmp_path / "b.race").read_text().startswith("{'roll':")
    assert "1 game: b.race" in done.err
    done = cli("convert", "b.race", "c.json")
    assert "can only be written" in done.error
    done = cli("convert", "a.json", "-", "--to", "racetext")
    assert done.out == (tmp_path / "b.race").read_text()


def test_records_join_and_part(cli, race, tmp_path):
    session = played(race, tmp_path / "a.json")
    text = (tmp_path / "a.json").read_text()
    (tmp_path / "many.jsonl").write_text(text * 12)
    done = cli("convert", "many.jsonl", "one.json")
    assert "12 games: one-01.json to one-12.json" in done.err
    for number in range(1, 13):
        assert load_record(tmp_path / f"one-{number:02d}.json") == session.record
    done = cli("convert", "many.jsonl", "x.race")
    assert len((tmp_path / "x.race").read_text().splitlines()) == 12


def test_a_record_that_cannot_be_played_is_not_converted(cli, race, tmp_path):
    played(race, tmp_path / "a.json")
    data = json.loads((tmp_path / "a.json").read_text())
    data["actions"][1]["action"] = {"roll": 2}
    (tmp_path / "many.jsonl").write_text((tmp_path / "a.json").read_text() + json.dumps(data))
    done = cli("convert", "many.jsonl", "x.race")
    assert "many.jsonl: game 2: actions[1]" in done.error
    assert not (tmp_path / "x.race").exists()


def test_replay_checks_without_a_window(cli, race, tmp_path):
    session = played(race, tmp_path / "a.json")
    done = cli("replay", "a.json", "--check")
    assert done.status == 0
    assert f"race: {len(session)} actions, goal reached" in done.out
    assert "no window can be opened" in cli("replay", "a.json").error
