"""What players read: rulings, events and strokes in words."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from carromsim.core.game import Event
from games.carrom.notation import action_text
from games.carrom.rules import REASONS, BoardState, StrokeSummary, judge, rule_set
from games.carrom.state import Arrange, Place, Reset, Stroke, TimeOut, Toss
from games.carrom.words import colour_name, describe, describe_ruling, reason_words

MIDDLE = BoardState(own=6, opponent=6, queen="board", pocketed_own_before=True)
FULL = BoardState(own=9, opponent=9, queen="board")

SENTENCES: list[tuple[str, BoardState, StrokeSummary, tuple[str, ...]]] = [
    ("lattjo", MIDDLE, StrokeSummary(), ("Nothing pocketed: the turn passes.",)),
    ("lattjo", MIDDLE, StrokeSummary(own=1), ("Man pocketed.",)),
    ("lattjo", MIDDLE, StrokeSummary(own=2), ("2 men pocketed.",)),
    ("lattjo", MIDDLE, StrokeSummary(striker=True), ("Striker pocketed: one man goes back.",)),
    ("lattjo", MIDDLE, StrokeSummary(own=1, striker=True),
     ("Striker pocketed: 2 men go back.",)),
    ("lattjo", FULL, StrokeSummary(striker=True),
     ("Striker pocketed: one man is owed to the board.",)),
    ("lattjo", FULL, StrokeSummary(own=1, striker=True),
     ("Striker pocketed: one man goes back.", "One man is owed to the board.")),
    ("lattjo", replace(FULL, due=1), StrokeSummary(own=1),
     ("A man that was owed is paid and goes back.",)),
    ("icf", replace(FULL, break_try=1),
     StrokeSummary(striker=True, striker_touched_a_man=False),
     ("No man touched: the break passes to the other side.", "Striker pocketed: the turn passes.")),
    ("lattjo", replace(FULL, break_try=1), StrokeSummary(striker_touched_a_man=False),
     ("No man touched: break again, try 2.",)),
    ("lattjo", MIDDLE,
     StrokeSummary(striker_touched_a_man=False, striker_left_base_lines=False),
     ("The striker did not leave the base lines: try again.",)),
    ("lattjo", MIDDLE, StrokeSummary(opponent=1),
     ("Opponent's man pocketed: it stays down and the turn passes.",)),
    ("icf", MIDDLE, StrokeSummary(own=1, opponent=1),
     ("Man pocketed.", "Opponent's man pocketed with an own one: the turn goes on.")),
    ("lattjo", MIDDLE, StrokeSummary(queen=True),
     ("Queen pocketed: cover her with the next stroke.",)),
    ("lattjo", replace(MIDDLE, queen="pending"), StrokeSummary(),
     ("Queen not covered: she goes back to the centre.",)),
    ("lattjo", replace(MIDDLE, queen="pending"), StrokeSummary(own=1),
     ("Man pocketed.", "Queen covered.")),
    ("lattjo", FULL, StrokeSummary(queen=True),
     ("Too early for the queen: she goes back to the centre.",)),
    ("lattjo", MIDDLE, StrokeSummary(queen=True, striker=True),
     ("Queen and striker pocketed: the queen goes back to the centre.",
      "Striker pocketed: one man goes back.")),
    ("lattjo", replace(MIDDLE, own=1, queen="own"), StrokeSummary(own=1),
     ("Man pocketed.", "Board won: 9 points.")),
    ("lattjo", replace(MIDDLE, own=1, opponent=4), StrokeSummary(own=1),
     ("The last man pocketed before the queen: the board is lost.",
      "The opponent gets 7 points.")),
    ("lattjo", replace(MIDDLE, opponent=1), StrokeSummary(opponent=1),
     ("The opponent's last man pocketed: the board is lost.", "The opponent gets 3 points.")),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "state", "fell", "lines"), SENTENCES)
def test_a_ruling_in_words(
    rules: str, state: BoardState, fell: StrokeSummary, lines: tuple[str, ...]
) -> None:
    assert describe_ruling(judge(state, fell, rule_set(rules))) == lines


def test_every_reason_has_words() -> None:
    texts = [reason_words(code) for code in REASONS]
    assert len(set(texts)) == len(REASONS)
    assert all(text.endswith(".") for text in texts)


def test_every_event_that_matters_has_words() -> None:
    row = {"winner": None, "totals": [3, 4]}
    events = [
        Event("toss", 0),
        Event("placing", 1, {"men": ["white", "white"]}),
        Event("no_room", None, {"man": "white"}),
        Event("board_replayed", 0, {"reason": "no_place"}),
        Event("board_replayed", 0, {"reason": "stroke_limit"}),
        Event("board_over", None, row),
        Event("tie_break", None, {"board": 9}),
        Event("game_over", None, {"winner": None}),
        Event("game_over", None, {"winner": 1}),
        Event("reset", 0),
        Event("arranged"),
        Event("board_started", 1, {"board": 2, "game": 1}),
    ]
    lines = describe(events, lambda seat: ("Ada", "Ben")[seat])
    assert "Ada wins the toss and breaks with white." in lines
    assert "Ben places 2 men inside the outer circle." in lines
    assert "Ben wins the game." in lines
    assert "Score 3 : 4." in lines
    assert len(lines) == len(events) + 1
    assert describe([Event("time_out", 0)], lambda seat: "Ada") == (
        "Time is up: Ada loses the turn.",
    )
    assert [colour_name(kind) for kind in ("white", "black", "queen", "striker")] == [
        "white", "black", "queen", "striker",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Stroke(0.05, math.radians(12.34), strength=0.64), "5.0 cm right, 12.3° left, 64 %"),
        (Stroke(-0.1, math.radians(-30), speed=7.25), "10.0 cm left, 30.0° right, 7.2 m/s"),
        (Stroke(0.0, 0.0, strength=1.0), "middle, straight ahead, 100 %"),
        (Toss(0), "toss"),
        (Place(0.01, -0.02), "man placed at 1.0, -2.0 cm"),
        (Reset(), "board set up again"),
        (TimeOut(), "time is up"),
        (Arrange(()), "men arranged"),
    ],
)
def test_an_action_in_one_line(action: object, text: str) -> None:
    assert action_text(action) == text  # type: ignore[arg-type]
