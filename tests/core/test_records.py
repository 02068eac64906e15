"""Records: what is written comes back, what is broken is named, a crash loses nothing."""

from __future__ import annotations

import json
import os
import string
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carromsim.core.errors import CarromsimError, InvalidRecord, UnreadableFile
from carromsim.core.record import Entry, Record, Seat, load_record, save_record, write_whole

NAMES = st.text(string.ascii_letters + "äß_ ", min_size=1, max_size=12)
JSON = st.recursive(
    st.booleans() | st.integers(-1000, 1000) | st.floats(-1e6, 1e6) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
SEATS = st.builds(
    Seat,
    st.sampled_from(["human", "bot"]),
    st.none() | st.integers(0, 9),
    st.text(max_size=20),
)
RECORDS = st.builds(
    Record,
    game=NAMES,
    game_version=st.integers(1, 9),
    options=st.dictionaries(NAMES, JSON, max_size=3),
    seats=st.lists(SEATS, min_size=1, max_size=4).map(tuple),
    seed=st.integers(0, 2**64),
    entries=st.lists(st.builds(Entry, JSON, st.none() | JSON), max_size=6).map(tuple),
    start=st.none() | JSON,
    desk=st.dictionaries(NAMES, JSON, max_size=2),
    meta=st.dictionaries(NAMES, JSON, max_size=2),
)


@given(RECORDS)
def test_a_record_comes_back_from_json(record):
    text = json.dumps(record.to_json(), allow_nan=False)
    assert Record.from_json(json.loads(text)) == record


@given(RECORDS)
def test_a_record_comes_back_from_disk(tmp_path_factory, record):
    path = tmp_path_factory.mktemp("records") / "r.json"
    save_record(record, path)
    assert load_record(path) == record
    assert [entry.name for entry in path.parent.iterdir()] == ["r.json"]


@pytest.fixture
def record() -> Record:
    return Record("race", 1, {"seats": 2}, (Seat(), Seat("bot", 2)), 7, (Entry({"roll": 1}),))


BROKEN = [
    ({"format": "other"}, "format"),
    ({"record_version": 2}, "record_version"),
    ({"record_version": "1"}, "record_version"),
    ({"game": 4}, "game"),
    ({"game_version": 0}, "game_version"),
    ({"options": []}, "options"),
    ({"seats": "two"}, "seats"),
    ({"seats": [{"kind": "robot"}]}, "seats[0].kind"),
    ({"seats": [{"kind": "bot", "level": -1}]}, "seats[0].level"),
    ({"seats": [{"kind": "human", "hat": 1}]}, "seats[0].hat"),
    ({"seed": -1}, "seed"),
    ({"seed": 1.5}, "seed"),
    ({"seed": None}, "seed"),
    ({"actions": {}}, "actions"),
    ({"actions": [7]}, "actions[0]"),
    ({"actions": [{}]}, "actions[0].action"),
    ({"actions": [{"action": 1, "extra": 2}]}, "actions[0].extra"),
    ({"actions": [{"action": 1}] * 200_001}, "actions"),
    ({"desk": 5}, "desk"),
    ({"meta": "x"}, "meta"),
    ({"colour": "red"}, "colour"),
]


@pytest.mark.parametrize(("change", "field"), BROKEN, ids=[str(b[0])[:40] for b in BROKEN])
def test_a_broken_record_names_the_field(record, change, field):
    with pytest.raises(CarromsimError) as caught:
        Record.from_json(record.to_json() | change)
    assert caught.value.field == field
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\x00", b"[1]", b"null", b'{"a": NaN}'])
def test_a_file_that_is_no_record_names_the_file(tmp_path, content):
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    with pytest.raises(InvalidRecord, match=r"broken\.json"):
        load_record(path)


def test_a_truncated_file_never_loads(tmp_path, record):
    path = tmp_path / "r.json"
    save_record(record, path)
    whole = path.read_bytes()
    for length in range(len(whole.rstrip())):
        path.write_bytes(whole[:length])
        with pytest.raises(CarromsimError):
            load_record(path)


def test_missing_files_and_folders_in_the_way(tmp_path, record):
    with pytest.raises(UnreadableFile, match="cannot read"):
        load_record(tmp_path / "none.json")
    with pytest.raises(UnreadableFile, match="cannot read"):
        load_record(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(UnreadableFile, match="cannot write"):
        save_record(record, tmp_path / "file" / "r.json")


def test_a_write_that_fails_leaves_the_old_file_and_no_litter(tmp_path, monkeypatch):
    path = tmp_path / "r.json"
    write_whole(path, "old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UnreadableFile, match="No space left"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_crash_at_any_moment_leaves_a_whole_record(tmp_path):
    """A process is killed while it writes again and again: what lies there always loads."""
    path = tmp_path / "r.json"
    code = (
        "import sys, pathlib\n"
        "from carromsim.core.record import *\n"
        "entries = tuple(Entry({'n': i, 'pad': 'x' * 50}) for i in range(2000))\n"
        "record = Record('race', 1, {}, (Seat(),), 1, entries)\n"
        "save_record(record, pathlib.Path(sys.argv[1]))\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        "    save_record(record, pathlib.Path(sys.argv[1]))\n"
    )
    for _ in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout.readline() == "ready\n"
        process.stdout.close()
        process.kill()
        process.wait()
        assert len(load_record(path).entries) == 2000


@pytest.mark.parametrize(
    ("text", "seat"),
    [
        ("human", Seat()),
        (" human ", Seat()),
        ("bot", Seat("bot")),
        ("bot:0", Seat("bot", 0)),
        ("bot:12", Seat("bot", 12)),
    ],
)
def test_seats_of_a_command_line(text, seat):
    assert Seat.parse(text) == seat


@pytest.mark.parametrize("text", ["", "bot:", "bot:x", "human:2", "Bot", "robot:1", "bot:-1"])
def test_seats_that_are_none(text):
    if text == "bot:":
        assert Seat.parse(text) == Seat("bot")
        return
    with pytest.raises(CarromsimError, match="must be human, bot or bot:LEVEL"):
        Seat.parse(text)
