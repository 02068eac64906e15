"""The referee of carrom: the exact cases, and tables for what they do not cover."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carromsim.core.errors import CarromsimError, InvalidValue
from carromsim.core.fields import Fields
from games.carrom.requests import judge_request
from games.carrom.rules import (
    MEN,
    REASONS,
    BoardState,
    StrokeSummary,
    check_stroke,
    game_is_over,
    judge,
    rule_set,
)

CASES = json.loads(
    (Path(__file__).parent / "data" / "carrom_rulings.json").read_text(encoding="utf-8")
)["cases"]
ZERO_WHEN_MISSING = ("opponent_returned", "own_on_centre", "opponent_on_centre", "queen_on_centre")


def ask(rules: str, state: dict[str, Any], fell: dict[str, Any], **more: Any) -> dict[str, Any]:
    return dict(judge_request(None, Fields({"rules": rules, "state": state, "fell": fell, **more})))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_exact_case(case: dict[str, Any]) -> None:
    answer = ask(case["rules"], case["state"], case["fell"])
    ruling = answer["ruling"]
    expect = dict(case["expect"])
    if "turn" in expect:
        for name in ZERO_WHEN_MISSING:
            expect.setdefault(name, 0)
        assert "board_won_by" not in ruling
    else:
        assert "turn" not in ruling
    assert {name: ruling.get(name, 0) for name in expect} == expect
    assert answer["reasons"]
    assert set(answer["reasons"]) <= set(REASONS)


# Each row: rules, changes to the state, what fell, what the ruling must say. The state is a middle
# game: six men each, the queen on the board, the side has pocketed a man before.
MIDDLE = BoardState(own=6, opponent=6, queen="board", pocketed_own_before=True)
FULL = BoardState(own=9, opponent=9, queen="board")
BREAK = replace(FULL, break_try=1)

SCENARIOS: list[tuple[str, str, BoardState, StrokeSummary, dict[str, Any]]] = [
    # the break: three tries, then the other side breaks
    ("second try", "lattjo", replace(BREAK, break_try=2),
     StrokeSummary(striker_touched_a_man=False),
     {"turn": "retry", "break_try": 3, "reasons": ("break_missed",)}),
    ("third try missed", "lattjo", replace(BREAK, break_try=3),
     StrokeSummary(striker_touched_a_man=False),
     {"turn": "pass", "break_try": 1, "due": 0}),
    ("missed and off the board is a try as well", "lattjo", BREAK,
     StrokeSummary(striker_touched_a_man=False, striker_off_board=True),
     {"turn": "retry", "break_try": 2, "reasons": ("break_missed", "striker_off_board")}),
    ("broken and striker pocketed", "icf", BREAK, StrokeSummary(striker=True),
     {"turn": "pass", "due": 1, "break_try": None}),
    ("broken with a man", "lattjo", BREAK, StrokeSummary(own=1),
     {"turn": "keep", "break_try": None, "pocketed_own": True}),
    ("a missed break with old dues", "lattjo", replace(BREAK, due=1),
     StrokeSummary(striker=True, striker_touched_a_man=False),
     {"turn": "pass", "due": 2, "break_try": 1}),
    # the striker that stays on the base lines
    ("second try of a stroke", "lattjo", replace(MIDDLE, stroke_try=2),
     StrokeSummary(striker_touched_a_man=False, striker_left_base_lines=False),
     {"turn": "retry", "stroke_try": 3, "reasons": ("no_stroke",)}),
    ("third try of a stroke", "lattjo", replace(MIDDLE, stroke_try=3),
     StrokeSummary(striker_touched_a_man=False, striker_left_base_lines=False),
     {"turn": "pass", "stroke_try": 1}),
    ("a man touched on the base line counts", "lattjo", replace(MIDDLE, stroke_try=2),
     StrokeSummary(striker_left_base_lines=False), {"turn": "pass", "stroke_try": 1}),
    ("a miss that left the lines counts", "lattjo", MIDDLE,
     StrokeSummary(striker_touched_a_man=False), {"turn": "pass"}),
    ("pending queen waits for a retry", "lattjo", replace(MIDDLE, queen="pending"),
     StrokeSummary(striker_touched_a_man=False, striker_left_base_lines=False),
     {"turn": "retry", "queen": "pending", "queen_back": False}),
    ("pending queen after the third", "lattjo", replace(MIDDLE, queen="pending", stroke_try=3),
     StrokeSummary(striker_touched_a_man=False, striker_left_base_lines=False),
     {"turn": "pass", "queen": "board", "queen_back": True,
      "reasons": ("no_stroke", "queen_returned")}),
    # dues
    ("two owed, one man pays one", "lattjo", replace(FULL, due=2), StrokeSummary(own=1),
     {"turn": "keep", "own_returned": 1, "due": 1, "own_left": 9, "due_paid": 1,
      "reasons": ("own_pocketed", "due_paid")}),
    ("one owed, striker and a man", "lattjo", replace(FULL, due=1),
     StrokeSummary(own=1, striker=True),
     {"turn": "keep", "own_returned": 1, "due": 2, "own_left": 9,
      "reasons": ("own_pocketed", "striker_pocketed", "due_paid", "due_added")}),
    ("one down, striker and a man", "lattjo", replace(MIDDLE, own=9),
     StrokeSummary(own=1, striker=True),
     {"turn": "keep", "own_returned": 1, "due": 1,
      "reasons": ("own_pocketed", "striker_pocketed", "men_returned", "due_added")}),
    ("two men pay one due", "icf", replace(FULL, due=1), StrokeSummary(own=2),
     {"turn": "keep", "own_returned": 1, "due": 0, "own_left": 8}),
    ("opponent's due paid by us", "lattjo", replace(MIDDLE, opponent=9, opponent_due=1),
     StrokeSummary(opponent=1),
     {"turn": "pass", "opponent_returned": 1, "opponent_due": 0, "opponent_left": 9,
      "reasons": ("opponent_pocketed", "due_paid")}),
    ("opponent's due paid in part", "lattjo", replace(MIDDLE, opponent=9, opponent_due=3),
     StrokeSummary(opponent=2),
     {"turn": "pass", "opponent_returned": 2, "opponent_due": 1, "opponent_left": 9}),
    ("a due paid covers the queen", "lattjo", replace(FULL, due=1),
     StrokeSummary(own=1, queen=True),
     {"turn": "keep", "queen": "own", "own_returned": 1, "due": 0}),
    ("a due paid covers a pending queen", "icf",
     replace(FULL, queen="pending", pocketed_own_before=True, due=1), StrokeSummary(own=1),
     {"turn": "keep", "queen": "own", "own_returned": 1, "due": 0}),
    ("no queen while a man is owed", "icf", replace(FULL, due=1, pocketed_own_before=True),
     StrokeSummary(queen=True),
     {"turn": "pass", "queen": "board", "due": 1,
      "reasons": ("queen_too_early", "queen_returned")}),
    ("no queen while a man is owed, though men fall", "icf", replace(FULL, due=1),
     StrokeSummary(own=2, queen=True),
     {"turn": "pass", "queen": "board", "own_returned": 1, "due": 0}),
    ("queen while a man is owed", "lattjo", replace(FULL, due=1, pocketed_own_before=True),
     StrokeSummary(queen=True), {"turn": "keep", "queen": "pending", "due": 1}),
    # striker
    ("striker and two men", "lattjo", MIDDLE, StrokeSummary(own=2, striker=True),
     {"turn": "keep", "own_returned": 3, "own_left": 7}),
    ("striker, own and opponent's man", "lattjo", MIDDLE,
     StrokeSummary(own=1, opponent=1, striker=True), {"turn": "pass", "own_returned": 2}),
    ("striker, own and opponent's man", "icf", MIDDLE,
     StrokeSummary(own=1, opponent=1, striker=True), {"turn": "keep", "own_returned": 2}),
    ("queen with striker", "lattjo", MIDDLE, StrokeSummary(queen=True, striker=True),
     {"turn": "pass", "queen": "board", "own_returned": 1}),
    ("queen with striker", "icf", MIDDLE, StrokeSummary(queen=True, striker=True),
     {"turn": "keep", "queen": "board", "own_returned": 1}),
    ("queen with striker and an opponent's man", "icf", MIDDLE,
     StrokeSummary(queen=True, opponent=1, striker=True), {"turn": "pass", "queen": "board"}),
    ("queen with striker, all nine on the board", "icf", replace(FULL, pocketed_own_before=True),
     StrokeSummary(queen=True, striker=True), {"turn": "pass", "queen": "board", "due": 1}),
    ("pending, striker and a man", "lattjo", replace(MIDDLE, queen="pending"),
     StrokeSummary(own=1, striker=True),
     {"turn": "keep", "queen": "pending", "own_returned": 2, "queen_back": False}),
    ("pending, striker, a man and an opponent's", "lattjo", replace(MIDDLE, queen="pending"),
     StrokeSummary(own=1, opponent=1, striker=True),
     {"turn": "pass", "queen": "board", "own_returned": 2, "queen_back": True}),
    ("pending, striker, a man and an opponent's", "icf", replace(MIDDLE, queen="pending"),
     StrokeSummary(own=1, opponent=1, striker=True),
     {"turn": "keep", "queen": "pending", "own_returned": 2}),
    ("the last man comes back with the striker", "lattjo",
     replace(MIDDLE, own=1, queen="pending"), StrokeSummary(own=1, striker=True),
     {"turn": "keep", "queen": "pending", "own_returned": 2, "own_left": 2,
      "board_won_by": None}),
    ("last man, queen and striker", "lattjo", replace(MIDDLE, own=1),
     StrokeSummary(own=1, queen=True, striker=True),
     {"turn": "keep", "queen": "board", "own_returned": 2, "board_won_by": None}),
    # queen
    ("first man covers", "lattjo", FULL, StrokeSummary(own=1, queen=True),
     {"turn": "keep", "queen": "own", "reasons": ("own_pocketed", "queen_covered")}),
    ("one man does not cover from nine", "icf", FULL, StrokeSummary(own=1, queen=True),
     {"turn": "keep", "queen": "pending", "pocketed_own": True}),
    ("two men cover from nine", "icf", FULL, StrokeSummary(own=2, queen=True),
     {"turn": "keep", "queen": "own"}),
    ("queen, own and opponent's man", "lattjo", MIDDLE,
     StrokeSummary(own=1, opponent=1, queen=True), {"turn": "pass", "queen": "own"}),
    ("queen, own and opponent's man", "icf", MIDDLE,
     StrokeSummary(own=1, opponent=1, queen=True), {"turn": "keep", "queen": "own"}),
    ("queen and opponent's man", "icf", MIDDLE, StrokeSummary(opponent=1, queen=True),
     {"turn": "pass", "queen": "board"}),
    ("pending covered with an opponent's man", "lattjo", replace(MIDDLE, queen="pending"),
     StrokeSummary(own=1, opponent=1), {"turn": "pass", "queen": "own"}),
    ("queen off the board is on the board", "lattjo", MIDDLE,
     StrokeSummary(own=1, queen_off_board=True),
     {"turn": "keep", "queen": "board", "queen_on_centre": True}),
    ("own men that jump neither end nor keep the turn", "lattjo", MIDDLE,
     StrokeSummary(own_off_board=2, opponent_off_board=1, striker_off_board=True),
     {"turn": "pass", "own_on_centre": 2, "opponent_on_centre": 1, "own_left": 6,
      "reasons": ("nothing_pocketed", "off_board", "striker_off_board")}),
    # the board's end
    ("last man with the opponent's man", "lattjo", replace(MIDDLE, own=1, queen="own"),
     StrokeSummary(own=1, opponent=1), {"board_won_by": "own", "points": 8}),
    ("last man while the queen jumps off", "lattjo", replace(MIDDLE, own=1, opponent=4),
     StrokeSummary(own=1, queen_off_board=True), {"board_won_by": "opponent", "points": 7}),
    ("last man jumps off", "lattjo", replace(MIDDLE, own=1), StrokeSummary(own_off_board=1),
     {"turn": "pass", "board_won_by": None, "own_left": 1}),
    ("two left, one falls and one jumps", "lattjo", replace(MIDDLE, own=2, queen="own"),
     StrokeSummary(own=1, own_off_board=1), {"turn": "keep", "board_won_by": None, "own_left": 1}),
    ("queen covered with the last man at 21", "lattjo",
     replace(MIDDLE, own=1, opponent=2, queen="pending", score=21), StrokeSummary(own=1),
     {"board_won_by": "own", "points": 5, "score": 26, "game_over": True,
      "reasons": ("own_pocketed", "queen_covered", "board_won", "game_won")}),
    ("own last before the queen, opponent at 23", "icf",
     replace(MIDDLE, own=1, opponent_score=23), StrokeSummary(own=1),
     {"board_won_by": "opponent", "points": 1, "opponent_score": 24, "game_over": False}),
    ("own last before the queen, opponent at 23", "lattjo",
     replace(MIDDLE, own=1, opponent=4, opponent_score=23), StrokeSummary(own=1, opponent=1),
     {"board_won_by": "opponent", "points": 6, "opponent_score": 29, "game_over": True}),
    ("opponent's last, he is at 22", "icf", replace(MIDDLE, own=3, opponent=1, opponent_score=22),
     StrokeSummary(opponent=1), {"board_won_by": "opponent", "points": 3}),
    ("opponent's last with our cover", "icf", replace(MIDDLE, own=3, opponent=1, queen="pending"),
     StrokeSummary(own=1, opponent=1), {"board_won_by": "opponent", "points": 2}),
    ("opponent's last, the queen falls uncovered", "icf", replace(MIDDLE, own=3, opponent=1),
     StrokeSummary(queen=True, opponent=1), {"board_won_by": "opponent", "points": 6}),
    ("opponent's last dominates the own last", "lattjo",
     replace(MIDDLE, own=1, opponent=1, queen="own"), StrokeSummary(own=1, opponent=1),
     {"board_won_by": "opponent", "points": 3,
      "reasons": ("both_last", "opponents_last", "board_won")}),
    ("both last, queen falls with them", "icf", replace(MIDDLE, own=1, opponent=1),
     StrokeSummary(own=1, opponent=1, queen=True), {"board_won_by": "own", "points": 3}),
    ("both last, we had covered", "icf", replace(MIDDLE, own=1, opponent=1, queen="own"),
     StrokeSummary(own=1, opponent=1), {"board_won_by": "own", "points": 3}),
    ("both last, queen on the board, opponent at 22", "icf",
     replace(MIDDLE, own=1, opponent=1, opponent_score=22), StrokeSummary(own=1, opponent=1),
     {"board_won_by": "opponent", "points": 1}),
    ("both last and striker, queen pending", "icf",
     replace(MIDDLE, own=1, opponent=1, queen="pending"),
     StrokeSummary(own=1, opponent=1, striker=True), {"board_won_by": "opponent", "points": 3}),
    ("a clean board pays twelve", "icf", replace(MIDDLE, own=1, opponent=9, queen="own"),
     StrokeSummary(own=1), {"board_won_by": "own", "points": 12, "score": 12}),
    ("nine fall in one stroke", "lattjo", FULL, StrokeSummary(own=9, queen=True),
     {"board_won_by": "own", "points": 12}),
    ("all nine opponents fall in one stroke", "icf", FULL, StrokeSummary(opponent=9),
     {"board_won_by": "opponent", "points": 12}),
    ("eighth board decides", "lattjo",
     replace(MIDDLE, own=1, opponent=2, queen="opponent", score=3, board_number=8),
     StrokeSummary(own=1), {"points": 2, "score": 5, "game_over": True}),
    ("eighth board ties", "lattjo",
     replace(MIDDLE, own=1, opponent=2, queen="opponent", score=3, opponent_score=5,
             board_number=8),
     StrokeSummary(own=1), {"points": 2, "score": 5, "game_over": False}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "rules", "state", "fell", "expect"),
    SCENARIOS,
    ids=[f"{row[1]}: {row[0]}" for row in SCENARIOS],
)
def test_scenario(
    name: str, rules: str, state: BoardState, fell: StrokeSummary, expect: dict[str, Any]
) -> None:
    check_stroke(state, fell, rule_set(rules))
    ruling = judge(state, fell, rule_set(rules))
    assert {key: getattr(ruling, key) for key in expect} == expect


def test_no_room_leaves_the_man_due_and_the_board_unwon() -> None:
    state = replace(MIDDLE, own=1, due=1, queen="own")
    ruling = judge(state, StrokeSummary(own=1), rule_set("lattjo"), room=0)
    assert (ruling.own_returned, ruling.due, ruling.own_left) == (0, 1, 0)
    assert (ruling.board_won_by, ruling.turn) == (None, "keep")
    ruling = judge(MIDDLE, StrokeSummary(own=1, striker=True), rule_set("lattjo"), room=1)
    assert (ruling.own_returned, ruling.due) == (1, 1)


@pytest.mark.parametrize(
    ("score", "left"),
    [(10, 3), (3, 0), (2, 0), (0, 0)],
)
def test_loser_pays_and_never_falls_below_zero(score: int, left: int) -> None:
    rules = rule_set("lattjo", {"loser_pays": True})
    state = replace(MIDDLE, own=1, opponent=4, score=score, opponent_score=7)
    ruling = judge(state, StrokeSummary(own=1), rules)
    assert (ruling.board_won_by, ruling.points, ruling.score) == ("opponent", 0, left)
    assert (ruling.opponent_score, ruling.taken) == (7, score - left)
    won = judge(replace(state, queen="own"), StrokeSummary(own=1), rules)
    assert (won.points, won.score, won.taken) == (7, score + 7, 0)


@pytest.mark.parametrize(
    ("board", "scores", "drawn", "over"),
    [
        (1, (25, 0), False, True),
        (1, (24, 24), False, False),
        (8, (3, 4), False, True),
        (8, (4, 4), False, False),
        (8, (4, 4), True, False),
        (8, (3, 4), True, True),
        (9, (4, 4), False, True),  # a tie-break won where the loser pays changes no score
        (9, (4, 4), True, True),
    ],
)
def test_end_of_a_game(board: int, scores: tuple[int, int], drawn: bool, over: bool) -> None:
    assert game_is_over(rule_set("lattjo"), board, scores, drawn) is over


STATE = {
    "own": 9, "opponent": 9, "queen": "board", "due": 0, "opponent_due": 0, "score": 0,
    "opponent_score": 0, "pocketed_own_before": False, "break_try": None,
}  # fmt: skip
FELL: dict[str, Any] = {"own": 0, "opponent": 0, "queen": False, "striker": False}

REFUSED: list[tuple[str, dict[str, Any], dict[str, Any], str, str]] = [
    ("more own men than there are", {"own": 2}, {"own": 3}, "fell.own", "bad_value"),
    ("fallen and jumped", {"own": 2}, {"own": 1, "own_off_board": 2}, "fell.own", "bad_value"),
    ("more opponent's men", {"opponent": 1}, {"opponent": 2}, "fell.opponent", "bad_value"),
    ("no queen there", {"queen": "opponent"}, {"queen": True}, "fell.queen", "bad_value"),
    ("no queen to jump", {"queen": "opponent"}, {"queen_off_board": True},
     "fell.queen_off_board", "bad_value"),
    ("queen twice", {"pocketed_own_before": True}, {"queen": True, "queen_off_board": True},
     "fell.queen_off_board", "bad_value"),
    ("a due with eight on the board", {"own": 8, "due": 1}, {}, "state.due", "bad_value"),
    ("opponent's due with eight", {"opponent": 8, "opponent_due": 1}, {},
     "state.opponent_due", "bad_value"),
    ("ten men", {"own": 10}, {}, "state.own", "bad_value"),
    ("no men", {"own": 0}, {}, "state.own", "bad_value"),
    ("half a man", {}, {"own": 0.5}, "fell.own", "bad_type"),
    ("a man that is true", {}, {"own": True}, "fell.own", "bad_type"),
    ("unknown queen", {"queen": "gone"}, {}, "state.queen", "bad_value"),
    ("pending without a man before", {"queen": "pending"}, {}, "state.pocketed_own_before",
     "bad_value"),
    ("breaking with men gone", {"own": 8, "break_try": 1}, {}, "state.break_try", "bad_value"),
    ("a fourth try", {"break_try": 4}, {}, "state.break_try", "bad_value"),
    ("a fourth stroke try", {"stroke_try": 4}, {}, "state.stroke_try", "bad_value"),
    ("fallen untouched", {}, {"own": 1, "striker_touched_a_man": False},
     "fell.striker_touched_a_man", "bad_value"),
    ("striker gone twice", {}, {"striker": True, "striker_off_board": True},
     "fell.striker_off_board", "bad_value"),
    ("striker gone from where it lay", {}, {"striker": True, "striker_left_base_lines": False},
     "fell.striker_left_base_lines", "bad_value"),
    ("a word as number", {"score": "12"}, {}, "state.score", "bad_type"),
    ("negative score", {"score": -1}, {}, "state.score", "bad_value"),
    ("nan", {"score": float("nan")}, {}, "state.score", "bad_value"),
    ("misspelt", {}, {"stricker": True}, "fell.stricker", "bad_value"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "state", "fell", "field", "code"), REFUSED, ids=[row[0] for row in REFUSED]
)
def test_rule_refuses_what_cannot_be(
    name: str, state: dict[str, Any], fell: dict[str, Any], field: str, code: str
) -> None:
    with pytest.raises(CarromsimError) as refused:
        ask("lattjo", {**STATE, **state}, {**FELL, **fell})
    assert (refused.value.field, refused.value.code) == (field, code)


@pytest.mark.parametrize("missing", ["state", "fell", "own", "queen", "striker"])
def test_rule_names_a_missing_field(missing: str) -> None:
    request: dict[str, Any] = {"rules": "lattjo", "state": dict(STATE), "fell": dict(FELL)}
    if missing in request:
        del request[missing]
    else:
        for part in ("fell", "state"):
            if missing in request[part]:
                del request[part][missing]
    with pytest.raises(CarromsimError) as refused:
        judge_request(None, Fields(request))
    assert refused.value.code == "missing_field"
    assert (refused.value.field or "").endswith(missing)


def test_rule_takes_single_options_and_refuses_unknown_ones() -> None:
    fell = {**FELL, "own": 1, "opponent": 1}
    assert ask("lattjo", STATE, fell)["ruling"]["turn"] == "pass"
    changed = ask("lattjo", STATE, fell, options={"own_man_saves_turn": True})
    assert changed["ruling"]["turn"] == "keep"
    with pytest.raises(InvalidValue) as refused:
        ask("lattjo", STATE, fell, options={"own_man_saves": True})
    assert refused.value.field == "options.own_man_saves"
    with pytest.raises(InvalidValue) as refused:
        ask("club", STATE, fell)
    assert refused.value.field == "rules"


# Whatever happens in whatever state, under either set --------------------------------------


@st.composite
def strokes(draw: st.DrawFn) -> tuple[str, BoardState, StrokeSummary]:
    rules = draw(st.sampled_from(["lattjo", "icf"]))
    own, opponent = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    before = draw(st.booleans())
    queen = draw(st.sampled_from(["board", "opponent", *(["pending", "own"] if before else [])]))
    state = BoardState(
        own=own,
        opponent=opponent,
        queen=queen,
        due=draw(st.integers(0, 3)) if own == 9 else 0,
        opponent_due=draw(st.integers(0, 3)) if opponent == 9 else 0,
        score=draw(st.integers(0, 24)),
        opponent_score=draw(st.integers(0, 24)),
        pocketed_own_before=before,
        break_try=None
        if before or own < 9 or opponent < 9 or queen != "board"
        else draw(st.sampled_from([None, 1, 3])),
        stroke_try=draw(st.integers(1, 3)),
        board_number=draw(st.integers(1, 9)),
    )
    touched = draw(st.booleans())
    fallen = draw(st.integers(0, own)) if touched else 0
    theirs = draw(st.integers(0, opponent)) if touched else 0
    red = touched and queen == "board" and draw(st.booleans())
    striker = draw(st.booleans())
    fell = StrokeSummary(
        own=fallen,
        opponent=theirs,
        queen=red,
        striker=striker,
        striker_touched_a_man=touched,
        striker_left_base_lines=striker or draw(st.booleans()),
        own_off_board=draw(st.integers(0, own - fallen)) if touched else 0,
        opponent_off_board=draw(st.integers(0, opponent - theirs)) if touched else 0,
        queen_off_board=touched and queen == "board" and not red and draw(st.booleans()),
    )
    return rules, state, fell


@given(strokes(), st.none() | st.integers(0, 5))
def test_every_ruling_conserves_men_and_pays_once(
    stroke: tuple[str, BoardState, StrokeSummary], room: int | None
) -> None:
    name, state, fell = stroke
    rules = rule_set(name)
    check_stroke(state, fell, rules)
    ruling = judge(state, fell, rules, room=room)
    assert ruling.reasons
    assert len(set(ruling.reasons)) == len(ruling.reasons)
    assert set(ruling.reasons) <= set(REASONS)

    gained = ruling.score - state.score + ruling.opponent_score - state.opponent_score
    if ruling.board_won_by is None:
        assert gained == 0
        assert ruling.turn in ("keep", "pass", "retry")
    else:
        assert ruling.turn is None
        assert gained == ruling.points
        assert 1 <= ruling.points <= 12
        loser = (state.opponent_score, ruling.opponent_score)
        if ruling.board_won_by == "opponent":
            loser = (state.score, ruling.score)
        assert loser[0] == loser[1]
        return

    assert ruling.own_left == state.own - fell.own + ruling.own_returned <= MEN
    assert ruling.opponent_left == state.opponent - fell.opponent + ruling.opponent_returned <= MEN
    counts = (
        ruling.break_try is None and ruling.turn != "retry" and "no_stroke" not in (ruling.reasons)
    )
    cost = fell.own + 1 if fell.striker and (counts or rules.break_striker_costs) else 0
    assert ruling.due + ruling.own_returned == state.due + cost
    assert ruling.opponent_due + ruling.opponent_returned == state.opponent_due
    if room is None:
        # a side owes only while all nine are on the board
        assert ruling.due == 0 or ruling.own_left == MEN
        assert ruling.opponent_due == 0 or ruling.opponent_left == MEN
        assert ruling.own_left > 0
    assert ruling.opponent_left > 0
    # a queen is on the board after every stroke that passes the turn, unless somebody covered it
    if ruling.turn == "pass":
        assert ruling.queen != "pending"
    if state.queen in ("own", "opponent"):
        assert ruling.queen == state.queen
    if ruling.queen_back:
        assert ruling.queen == "board"
        assert fell.queen or state.queen == "pending"
    if fell.striker and ruling.queen == "own":
        assert state.queen == "own"
    if fell.opponent and not rules.own_man_saves_turn:
        assert ruling.turn == "pass"


@given(strokes())
def test_the_mirror_of_rulings_is_the_answer(
    stroke: tuple[str, BoardState, StrokeSummary],
) -> None:
    """The protocol's request and the game ask the same referee."""
    name, state, fell = stroke
    answer = ask(
        name,
        {
            **STATE,
            **{key: getattr(state, key) for key in (*STATE, "stroke_try", "board_number")},
        },
        fell.to_json(),
    )
    ruling = judge(state, fell, rule_set(name))
    assert answer["ruling"] == ruling.to_json()
    assert answer["reasons"] == list(ruling.reasons)
    json.dumps(answer, allow_nan=False)
