"""What the referee of carrom is told and what it answers: counts of men, never places.

"Own" is always the side that strikes. The JSON of all three is that of the exact cases in
`tests/games/data/carrom_rulings.json`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from carromsim.core.fields import Fields, Json

__all__ = ["MEN", "REASONS", "BoardState", "Queen", "Ruling", "StrokeSummary", "Turn"]

MEN: Final = 9
"""Men a side."""
Queen = Literal["board", "pending", "own", "opponent"]
Turn = Literal["keep", "pass", "retry"]

REASONS: Final = (
    "no_stroke",
    "break_missed",
    "own_pocketed",
    "nothing_pocketed",
    "opponent_pocketed",
    "striker_pocketed",
    "queen_pending",
    "queen_covered",
    "queen_returned",
    "queen_too_early",
    "due_added",
    "due_paid",
    "men_returned",
    "off_board",
    "striker_off_board",
    "opponents_last",
    "own_last_before_queen",
    "both_last",
    "board_won",
    "board_drawn",
    "game_won",
)
"""Every code that explains a ruling."""


@dataclass(frozen=True, slots=True)
class BoardState:
    """A board before a stroke, as rules see it; "own" is the side to move.

    Args:
        own: Own men on the board.
        opponent: The opponent's men on the board.
        queen: On the board, pending (pocketed by the side to move in its last stroke), or
            covered by either side.
        due: Men the side owes the board.
        opponent_due: Men the opponent owes.
        score: Points of the side to move, before this board.
        opponent_score: The opponent's points.
        pocketed_own_before: The side to move has pocketed an own man earlier in this board.
        break_try: Which try to break this is, or None after the break.
        stroke_try: Which try this stroke is, after strokes that did not count.
        board_number: Which board of the game this is, from 1.
    """

    own: int
    opponent: int
    queen: Queen
    due: int = 0
    opponent_due: int = 0
    score: int = 0
    opponent_score: int = 0
    pocketed_own_before: bool = False
    break_try: int | None = None
    stroke_try: int = 1
    board_number: int = 1

    @classmethod
    def from_fields(cls, data: Fields) -> BoardState:
        """From JSON, in the form of `state` in the exact cases."""
        state = cls(
            own=data.integer("own", low=1, high=MEN),
            opponent=data.integer("opponent", low=1, high=MEN),
            queen=data.string("queen", choices=("board", "pending", "own", "opponent")),  # type: ignore[arg-type]
            due=data.integer("due", low=0, high=999),
            opponent_due=data.integer("opponent_due", low=0, high=999),
            score=data.integer("score", low=0, high=999),
            opponent_score=data.integer("opponent_score", low=0, high=999),
            pocketed_own_before=data.boolean("pocketed_own_before"),
            break_try=None
            if data.raw("break_try") is None
            else data.integer("break_try", low=1, high=99),
            stroke_try=data.integer("stroke_try", 1, low=1, high=99),
            board_number=data.integer("board_number", 1, low=1, high=999),
        )
        data.done()
        return state


@dataclass(frozen=True, slots=True)
class StrokeSummary:
    """What a stroke did, as rules see it; "own" is the side that struck.

    Args:
        own: Own men pocketed.
        opponent: Opponent's men pocketed.
        queen: The queen was pocketed.
        striker: The striker was pocketed.
        striker_touched_a_man: It met a man (or the queen).
        striker_left_base_lines: At some moment it lay on neither base line.
        own_off_board: Own men that jumped off the board.
        opponent_off_board: Opponent's men that did.
        queen_off_board: The queen did.
        striker_off_board: The striker did.
    """

    own: int = 0
    opponent: int = 0
    queen: bool = False
    striker: bool = False
    striker_touched_a_man: bool = True
    striker_left_base_lines: bool = True
    own_off_board: int = 0
    opponent_off_board: int = 0
    queen_off_board: bool = False
    striker_off_board: bool = False

    @classmethod
    def from_fields(cls, data: Fields) -> StrokeSummary:
        """From JSON, in the form of `fell` in the exact cases."""
        fell = cls(
            own=data.integer("own", low=0, high=MEN),
            opponent=data.integer("opponent", low=0, high=MEN),
            queen=data.boolean("queen"),
            striker=data.boolean("striker"),
            striker_touched_a_man=data.boolean("striker_touched_a_man", True),
            striker_left_base_lines=data.boolean("striker_left_base_lines", True),
            own_off_board=data.integer("own_off_board", 0, low=0, high=MEN),
            opponent_off_board=data.integer("opponent_off_board", 0, low=0, high=MEN),
            queen_off_board=data.boolean("queen_off_board", False),
            striker_off_board=data.boolean("striker_off_board", False),
        )
        data.done()
        return fell

    def to_json(self) -> dict[str, Json]:
        """As JSON, in the form of `fell`; what did not happen off the board is left out."""
        data: dict[str, Json] = {
            "own": self.own,
            "opponent": self.opponent,
            "queen": self.queen,
            "striker": self.striker,
            "striker_touched_a_man": self.striker_touched_a_man,
            "striker_left_base_lines": self.striker_left_base_lines,
        }
        for name in (
            "own_off_board",
            "opponent_off_board",
            "queen_off_board",
            "striker_off_board",
        ):
            if getattr(self, name):
                data[name] = getattr(self, name)
        return data


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a stroke means; "own" is the side that struck.

    Args:
        reasons: Codes, in the order in which they were found.
        fell: What happened in the stroke.
        turn: The side keeps the turn, passes it, or takes the stroke again; None after a board.
        queen: Where the queen is afterwards.
        own_returned: Own men put back from the pockets, this stroke's included.
        due: Men owed afterwards.
        opponent_returned: Opponent's men put back from the pockets, to pay his dues.
        opponent_due: Men the opponent owes afterwards.
        own_on_centre: Own men put back from off the board.
        opponent_on_centre: Opponent's men put back from off the board.
        queen_on_centre: The queen is put back from off the board.
        queen_back: The queen is put back from a pocket.
        due_paid: Old dues paid by men of either side.
        break_try: The try to break that comes next, of whoever has it, or None.
        stroke_try: The try of the next stroke.
        pocketed_own: The side has pocketed an own man in this board.
        own_left: Own men on the board afterwards.
        opponent_left: Opponent's men on the board afterwards.
        board_won_by: "own" or "opponent" when the board is over.
        points: What the winner gets.
        taken: What the loser pays instead, where the rules say so.
        score: Points of the side that struck, afterwards.
        opponent_score: The opponent's, afterwards.
        game_over: The game is decided.
    """

    reasons: tuple[str, ...]
    fell: StrokeSummary
    turn: Turn | None
    queen: Queen
    own_returned: int = 0
    due: int = 0
    opponent_returned: int = 0
    opponent_due: int = 0
    own_on_centre: int = 0
    opponent_on_centre: int = 0
    queen_on_centre: bool = False
    queen_back: bool = False
    due_paid: int = 0
    break_try: int | None = None
    stroke_try: int = 1
    pocketed_own: bool = False
    own_left: int = MEN
    opponent_left: int = MEN
    board_won_by: Literal["own", "opponent"] | None = None
    points: int = 0
    taken: int = 0
    score: int = 0
    opponent_score: int = 0
    game_over: bool = False

    def to_json(self) -> dict[str, Json]:
        """As JSON, in the form of `expect` in the exact cases."""
        if self.board_won_by is not None:
            won = self.board_won_by == "own"
            data: dict[str, Json] = {
                "board_won_by": self.board_won_by,
                "points": self.points,
                "score": self.score if won else self.opponent_score,
                "game_over": self.game_over,
            }
            if self.taken:
                data["taken"] = self.taken
                data["loser_score"] = self.opponent_score if won else self.score
            return data
        data = {
            "turn": self.turn,
            "queen": self.queen,
            "own_returned": self.own_returned,
            "due": self.due,
            "opponent_due": self.opponent_due,
        }
        for name in ("opponent_returned", "own_on_centre", "opponent_on_centre", "queen_on_centre"):
            if getattr(self, name):
                data[name] = getattr(self, name)
        if self.turn == "retry" and self.break_try is not None:
            data["break_try"] = self.break_try
        return data
