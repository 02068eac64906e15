"""The rules of carrom: one stroke judged from what fell, without physics and without a board.

Everything here counts men; where they lie is the business of `placing`. A `RuleSet` is data, so
a house rule is an option and not code. `judge` is the one referee: play, bots and the protocol's
request `rule` all ask it.

Source: the LATTJO rulebook, and the Laws of the International Carrom Federation where the rule
set "icf" differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Final, Literal

from carromsim.core.errors import InvalidValue
from carromsim.core.fields import Json
from games.carrom.ruling import MEN, REASONS, BoardState, Queen, Ruling, StrokeSummary, Turn

__all__ = [
    "MEN",
    "REASONS",
    "RULE_SETS",
    "BoardState",
    "RuleSet",
    "Ruling",
    "StrokeSummary",
    "check_stroke",
    "game_is_over",
    "judge",
    "rule_set",
]

QUEEN_POINTS: Final = 3
QUEEN_LIMIT: Final = 22
"""From this score on the queen gives no points."""
MOST_POINTS: Final = 12
"""The most that one board can pay."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The options that make a rule set; the defaults are LATTJO's.

    Args:
        break_tries: Tries to break, and to get the striker off the base lines.
        forward_only: The striker is flicked away from the player.
        own_man_saves_turn: An own man keeps the turn although an opponent's man fell with it.
        queen_striker_keeps_turn: Queen with striker keeps the turn, unless all nine own men are
            on the board.
        first_man_covers: With all nine own men on the board one man covers the queen that fell
            with it (otherwise two).
        due_blocks_queen: A queen pocketed while the side owes a man goes back.
        break_striker_costs: A striker pocketed in the break without contact costs a man.
        off_centre_circle: Men that come back must not lie on the centre circle.
        last_opponent: What pocketing the opponent's last man gives him: 3 points, or one for
            each man left and 3 for a queen that the striking side has not covered.
        last_own: What pocketing the own last man before the queen gives the opponent: 3 and one
            for each of his men, or 3 (1 from 22 points up).
        both_last: Who gets the board when both last men fall at once.
        placing: Men that come back are placed by hand by the opponent, or by the program.
        base_circle: The striker may lie anywhere on the base lines, or must cover a base circle
            or clear it.
        loser_pays: A board lost by a foul takes its points from the loser.
        target: Points that win a game.
        boards: Boards of a game, at most (and one more after a tie).
        best_of: Games of a match.
        stroke_limit: Strokes after which a board is replayed, and drawn the second time.
        stroke_clock: Seconds for a stroke, or None.
    """

    break_tries: int = 3
    forward_only: bool = True
    own_man_saves_turn: bool = False
    queen_striker_keeps_turn: bool = False
    first_man_covers: bool = True
    due_blocks_queen: bool = False
    break_striker_costs: bool = True
    off_centre_circle: bool = False
    last_opponent: str = "flat3"
    last_own: str = "3_plus_men"
    both_last: str = "opponent"
    placing: str = "auto"
    base_circle: str = "free"
    loser_pays: bool = False
    target: int = 25
    boards: int = 8
    best_of: int = 1
    stroke_limit: int = 400
    stroke_clock: float | None = None

    @classmethod
    def of(cls, options: Mapping[str, Json]) -> RuleSet:
        """The rule set in resolved options, which may hold other things too."""
        return cls(**{field.name: options[field.name] for field in fields(cls)})


RULE_SETS: Final[Mapping[str, Mapping[str, Json]]] = MappingProxyType(
    {
        "lattjo": MappingProxyType({}),
        "icf": MappingProxyType(
            {
                "forward_only": False,
                "own_man_saves_turn": True,
                "queen_striker_keeps_turn": True,
                "first_man_covers": False,
                "due_blocks_queen": True,
                "break_striker_costs": False,
                "off_centre_circle": True,
                "last_opponent": "men_plus_queen",
                "last_own": "3_or_1",
                "both_last": "icf",
                "base_circle": "cover_or_clear",
                "best_of": 3,
            }
        ),
    }
)
"""The rule sets by name: what each sets beside the defaults."""


def rule_set(name: str, overrides: Mapping[str, Json] | None = None) -> RuleSet:
    """The rule set of that name, with single rules changed.

    Raises:
        InvalidValue: There is no such rule set.
    """
    if name not in RULE_SETS:
        raise InvalidValue(f"must be one of {', '.join(RULE_SETS)}, not {name!r}", field="rules")
    return RuleSet(**{**RULE_SETS[name], **(overrides or {})})


def check_stroke(
    state: BoardState,
    fell: StrokeSummary,
    rules: RuleSet,
    *,
    state_field: str = "state",
    fell_field: str = "fell",
) -> None:
    """Refuses a state that cannot be, and a stroke that cannot have happened in it.

    Raises:
        InvalidValue: It names the field.
    """

    def refuse(where: str, name: str, message: str) -> None:
        raise InvalidValue(message, field=f"{where}.{name}" if where else name)

    for name, men, due in (
        ("due", state.own, state.due),
        ("opponent_due", state.opponent, state.opponent_due),
    ):
        if due and men < MEN:
            refuse(
                state_field,
                name,
                f"must be 0: with {men} men on the board one in a pocket would have paid it",
            )
    if not state.pocketed_own_before and state.queen in ("pending", "own"):
        refuse(
            state_field,
            "pocketed_own_before",
            f'must be true: the queen is "{state.queen}", so the side has pocketed a man',
        )
    if state.break_try is not None:
        if state.own < MEN or state.opponent < MEN or state.queen != "board":
            refuse(state_field, "break_try", "must be null: men are missing, so it was broken")
        if state.pocketed_own_before:
            refuse(state_field, "break_try", "must be null: the side has pocketed a man")
        if state.break_try > rules.break_tries:
            refuse(state_field, "break_try", f"must be at most {rules.break_tries}")
    if state.stroke_try > rules.break_tries:
        refuse(state_field, "stroke_try", f"must be at most {rules.break_tries}")
    for name, men, gone in (
        ("own", state.own, fell.own + fell.own_off_board),
        ("opponent", state.opponent, fell.opponent + fell.opponent_off_board),
    ):
        if gone > men:
            refuse(fell_field, name, f"{gone} cannot have gone: only {men} were on the board")
    for name, gone_queen in (("queen", fell.queen), ("queen_off_board", fell.queen_off_board)):
        if gone_queen and state.queen != "board":
            refuse(fell_field, name, "must be false: the queen was not on the board")
    if fell.queen and fell.queen_off_board:
        refuse(fell_field, "queen_off_board", "must be false: the queen fell into a pocket")
    if fell.striker and fell.striker_off_board:
        refuse(fell_field, "striker_off_board", "must be false: the striker fell into a pocket")
    moved = (
        fell.own
        or fell.opponent
        or fell.queen
        or fell.own_off_board
        or fell.opponent_off_board
        or fell.queen_off_board
    )
    if moved and not fell.striker_touched_a_man:
        refuse(fell_field, "striker_touched_a_man", "must be true: men have gone")
    if (fell.striker or fell.striker_off_board) and not fell.striker_left_base_lines:
        refuse(fell_field, "striker_left_base_lines", "must be true: the striker has gone")


def game_is_over(rules: RuleSet, board_number: int, scores: tuple[int, int], drawn: bool) -> bool:
    """Whether a game ends with this board.

    Args:
        rules: The rule set.
        board_number: Which board it was, from 1.
        scores: Both scores after it.
        drawn: Nobody won the board.
    """
    if not drawn and max(scores) >= rules.target:
        return True
    if board_number < rules.boards:
        return False
    return board_number > rules.boards or scores[0] != scores[1]


def judge(
    state: BoardState, fell: StrokeSummary, rules: RuleSet, *, room: int | None = None
) -> Ruling:
    """Judges one stroke.

    The order is that of the rules: is it a stroke; is the board lost; what comes back; is the
    board won; the queen; the turn.

    Args:
        state: The board before the stroke.
        fell: What happened, possible in that state (see `check_stroke`).
        rules: The rule set.
        room: How many men that come back find room, or None: all. The others stay due.
    """
    gone = fell.own or fell.opponent or fell.queen
    if not fell.striker_touched_a_man and not gone:
        if state.break_try is not None:
            return _missed_break(state, fell, rules)
        if not fell.striker_left_base_lines and not fell.striker:
            return _no_stroke(state, fell, rules)
    lost = _lost(state, fell, rules)
    return lost if lost is not None else _played(state, fell, rules, room)


def _missed_break(state: BoardState, fell: StrokeSummary, rules: RuleSet) -> Ruling:
    reasons = ["break_missed"]
    due = state.due
    turn: Turn = "pass"
    next_try = 1
    if fell.striker:
        reasons.append("striker_pocketed")
        if rules.break_striker_costs:
            reasons.append("due_added")
            due += 1
    else:
        if fell.striker_off_board:
            reasons.append("striker_off_board")
        if (state.break_try or 1) < rules.break_tries:
            turn, next_try = "retry", (state.break_try or 1) + 1
    return _unchanged(state, fell, reasons, turn, due=due, break_try=next_try)


def _no_stroke(state: BoardState, fell: StrokeSummary, rules: RuleSet) -> Ruling:
    reasons = ["no_stroke"]
    if fell.striker_off_board:
        reasons.append("striker_off_board")
    if state.stroke_try < rules.break_tries:
        again = state.stroke_try + 1
        return _unchanged(state, fell, reasons, "retry", due=state.due, stroke_try=again)
    back = state.queen == "pending"
    if back:
        reasons.append("queen_returned")
    return _unchanged(state, fell, reasons, "pass", due=state.due, queen_back=back)


def _unchanged(
    state: BoardState,
    fell: StrokeSummary,
    reasons: list[str],
    turn: Turn,
    *,
    due: int,
    break_try: int | None = None,
    stroke_try: int = 1,
    queen_back: bool = False,
) -> Ruling:
    """A ruling that leaves men and scores as they are."""
    return Ruling(
        reasons=tuple(reasons),
        fell=fell,
        turn=turn,
        queen="board" if queen_back else state.queen,
        queen_back=queen_back,
        due=due,
        opponent_due=state.opponent_due,
        break_try=break_try,
        stroke_try=stroke_try,
        pocketed_own=state.pocketed_own_before,
        own_left=state.own,
        opponent_left=state.opponent,
        score=state.score,
        opponent_score=state.opponent_score,
    )


def _covers(state: BoardState, fell: StrokeSummary, rules: RuleSet) -> bool:
    """Whether this stroke covers a queen that it pocketed or that was pending."""
    if fell.striker or not fell.own:
        return False
    if state.queen == "pending":
        return True
    if not fell.queen or (rules.due_blocks_queen and state.due):
        return False
    return rules.first_man_covers or state.own < MEN or fell.own > 1


def _lost(state: BoardState, fell: StrokeSummary, rules: RuleSet) -> Ruling | None:
    """The board that a stroke loses (or wins, when both last men fell), or None."""
    opponents_last = 0 < fell.opponent == state.opponent
    own_last = 0 < fell.own == state.own
    own_left = state.own - fell.own
    opponent_left = state.opponent - fell.opponent
    queen_on_board = state.queen == "board" and not fell.queen

    def flat(score: int) -> int:
        return 1 if score >= QUEEN_LIMIT else QUEEN_POINTS

    if opponents_last and own_last and rules.both_last == "icf":
        if fell.striker:
            points = 1 if state.queen == "own" else flat(state.opponent_score)
            return _over(state, fell, rules, ["both_last"], "opponent", points)
        if queen_on_board or state.queen == "opponent":
            points = flat(state.opponent_score)
            return _over(state, fell, rules, ["both_last"], "opponent", points)
        return _over(state, fell, rules, ["both_last"], "own", flat(state.score))
    if opponents_last:
        reasons = ["both_last", "opponents_last"] if own_last else ["opponents_last"]
        if rules.last_opponent == "flat3":
            points = QUEEN_POINTS
        else:
            covered = state.queen == "own" or _covers(state, fell, rules)
            counts = not covered and state.opponent_score < QUEEN_LIMIT
            points = own_left + (QUEEN_POINTS if counts else 0)
        return _over(state, fell, rules, reasons, "opponent", points)
    if own_last and queen_on_board:
        if rules.last_own == "3_plus_men":
            points = QUEEN_POINTS + opponent_left
        else:
            points = flat(state.opponent_score)
        return _over(state, fell, rules, ["own_last_before_queen"], "opponent", points)
    return None


def _over(
    state: BoardState,
    fell: StrokeSummary,
    rules: RuleSet,
    reasons: list[str],
    winner: Literal["own", "opponent"],
    points: int,
    *,
    queen: Queen | None = None,
    own_left: int | None = None,
    opponent_left: int | None = None,
) -> Ruling:
    """The ruling that ends a board; a board lost by a foul may be paid by the loser."""
    points = min(points, MOST_POINTS)
    score, opponent_score, taken = state.score, state.opponent_score, 0
    foul = winner == "opponent"
    if foul and rules.loser_pays:
        taken = min(points, score)
        points, score = 0, score - taken
    elif foul:
        opponent_score += points
    else:
        score += points
    over = game_is_over(rules, state.board_number, (score, opponent_score), drawn=False)
    reasons = [*reasons, "board_won", *(["game_won"] if over else [])]
    return Ruling(
        reasons=tuple(reasons),
        fell=fell,
        turn=None,
        queen=queen or ("own" if _covers(state, fell, rules) else state.queen),
        due=state.due,
        opponent_due=state.opponent_due,
        pocketed_own=state.pocketed_own_before or fell.own > 0,
        own_left=state.own - fell.own if own_left is None else own_left,
        opponent_left=state.opponent - fell.opponent if opponent_left is None else opponent_left,
        board_won_by=winner,
        points=points,
        taken=taken,
        score=score,
        opponent_score=opponent_score,
        game_over=over,
    )


def _played(state: BoardState, fell: StrokeSummary, rules: RuleSet, room: int | None) -> Ruling:
    """A stroke that counts and has not lost the board."""
    cost = fell.own + 1 if fell.striker else 0
    own_free = MEN - state.own + fell.own
    opponent_free = MEN - state.opponent + fell.opponent
    room = 2 * MEN if room is None else room
    own_returned = min(state.due + cost, own_free, room)
    opponent_returned = min(state.opponent_due, opponent_free, room - own_returned)
    due = state.due + cost - own_returned
    opponent_due = state.opponent_due - opponent_returned
    own_left = state.own - fell.own + own_returned
    opponent_left = state.opponent - fell.opponent + opponent_returned

    keeps = _keeps_turn(state, fell, rules)
    covered = _covers(state, fell, rules)
    queen = _queen_after(state, fell, covered, keeps)
    fell_now = fell.queen or state.queen == "pending"
    queen_back = fell_now and queen == "board"

    reasons = _what_fell(fell)
    if fell.queen and _too_early(state, fell, rules):
        reasons.append("queen_too_early")
    if covered:
        reasons.append("queen_covered")
    elif queen == "pending":
        reasons.append("queen_pending")
    elif queen_back:
        reasons.append("queen_returned")
    own_paid = min(own_returned, state.due)
    paid = own_paid + opponent_returned
    if paid:
        reasons.append("due_paid")
    if own_returned > own_paid:
        reasons.append("men_returned")
    if due > state.due - own_paid:
        reasons.append("due_added")

    if own_left == 0 and due == 0 and queen in ("own", "opponent"):
        points = opponent_left
        if queen == "own" and state.score < QUEEN_LIMIT:
            points += QUEEN_POINTS
        return _over(
            state,
            fell,
            rules,
            reasons,
            "own",
            points,
            queen=queen,
            own_left=own_left,
            opponent_left=opponent_left,
        )
    return Ruling(
        reasons=tuple(reasons),
        fell=fell,
        turn="keep" if keeps else "pass",
        queen=queen,
        own_returned=own_returned,
        due=due,
        opponent_returned=opponent_returned,
        opponent_due=opponent_due,
        own_on_centre=fell.own_off_board,
        opponent_on_centre=fell.opponent_off_board,
        queen_on_centre=fell.queen_off_board,
        queen_back=queen_back,
        due_paid=paid,
        pocketed_own=state.pocketed_own_before or fell.own > 0,
        own_left=own_left,
        opponent_left=opponent_left,
        score=state.score,
        opponent_score=state.opponent_score,
    )


def _too_early(state: BoardState, fell: StrokeSummary, rules: RuleSet) -> bool:
    """Whether the side had no right to the queen that fell."""
    if rules.due_blocks_queen and state.due:
        return True
    return not state.pocketed_own_before and not fell.own


def _keeps_turn(state: BoardState, fell: StrokeSummary, rules: RuleSet) -> bool:
    if fell.opponent and not (rules.own_man_saves_turn and fell.own):
        return False
    if fell.queen and rules.due_blocks_queen and state.due:
        return False
    if fell.own:
        return True
    if not fell.queen:
        return False
    if fell.striker:
        return rules.queen_striker_keeps_turn and state.own < MEN
    return not _too_early(state, fell, rules)


def _queen_after(state: BoardState, fell: StrokeSummary, covered: bool, keeps: bool) -> Queen:
    if covered:
        return "own"
    if state.queen == "pending":
        # a cover that fell together with the striker comes back, so the queen waits for another
        return "pending" if fell.own and keeps else "board"
    if fell.queen:
        return "pending" if keeps and not fell.striker else "board"
    return state.queen


def _what_fell(fell: StrokeSummary) -> list[str]:
    reasons = []
    if fell.own:
        reasons.append("own_pocketed")
    if fell.opponent:
        reasons.append("opponent_pocketed")
    if fell.striker:
        reasons.append("striker_pocketed")
    if not (fell.own or fell.opponent or fell.striker or fell.queen):
        reasons.append("nothing_pocketed")
    if fell.own_off_board or fell.opponent_off_board or fell.queen_off_board:
        reasons.append("off_board")
    if fell.striker_off_board:
        reasons.append("striker_off_board")
    return reasons
