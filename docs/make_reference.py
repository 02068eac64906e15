"""Writes the README's reference of states and actions: `python docs/make_reference.py`.

The words stand here, the examples come from games that are played for it.
"""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

from carromsim import load_game
from carromsim.core.match import play_bots
from carromsim.core.session import Session

README = Path(__file__).resolve().parents[1] / "README.md"
BEGIN, END = "<!-- reference -->", "<!-- end of reference -->"

WORDS: dict[str, tuple[int, str, list[dict[str, Any]], str]] = {
    "carrom": (
        4,
        """
A seat counts in turn order from south; a side is the seat modulo 2 (with four players partners sit
opposite). `options` holds the resolved options, `phase` is `toss`, `stroke`, `place` (men that
come back are placed by hand, `to_place`) or `over`, `turn` the seat to strike and `breaker` who
breaks. `colours` says who plays white, `layout` where the men lie (m), `queen` whether it is on
the `board`, `pending` or `covered`, and `queen_side` by whom; `dues` are the men that each side
owes, `pocketed_own` whether it has pocketed an own man in this board. `break_try` and `stroke_try`
count tries, `strokes` the strokes of the board, `replayed` says that it was set up again after too
many. `board_number`, `first_breaker`, `scores`, `sheet` (a row for each board), `game_number` and
`games_won` keep the score of the match.
""",
        [
            {"type": "place", "x": 0.0, "y": 0.05},
            {"type": "reset"},
            {"type": "time_out"},
            {"type": "arrange", "layout": [{"kind": "white", "x": 0.1, "y": 0.0}]},
        ],
        """
A `stroke` has `offset` (m), `angle` (rad) and `strength` (0 to 1) or `speed` (m/s), as the player
of the striking side sees it. `toss` is an action of chance; `place` puts one man that comes back;
`reset` sets up a fresh rack. In practice `arrange` places the men freely; `time_out` ends a turn
whose `stroke_clock` has run out.
""",
    ),
    "draughts": (
        6,
        """
`rules` names the rule set and `fen` the position with the side to move (W or B), algebraic squares
and K before kings. `phase` says what is to be done. `kings_only` and `five_moves` count moves
towards a draw, `history` holds the positions that may repeat, `offer` the seat that offers a draw,
`end` how it ended, and `match` the number of games, points and opening.
""",
        [
            {"from": "c3", "to": "e5", "captured": ["d4"], "path": ["c3", "e5"]},
        ],
        """
A move has its squares, what it captures and one route. A draw is offered, accepted or declined and
a game resigned by the requests `draw` (`word`) and `resign` (`seat`).
""",
    ),
    "backgammon": (
        7,
        """
`points` are 24 numbers in White's numbering, positive for White's checkers and negative for
Black's; `bar` and `off` are White's and Black's. `phase` says what is to be done, `mover` is W or
B, `dice` the throw, `left` the dice still to be played and `required` how many of them have to be;
`start` and `steps` are the position before this turn and the steps since. `cube` has its value and
owner, `score`, `game`, `crawford` and `crawford_over` the state of the match, `settings` its
options.
""",
        [
            {"from": "bar", "to": 21, "die": 4},
            {"from": 4, "to": "off", "die": 4},
            {"roll": True},
            {"double": True},
            {"take": True},
            {"drop": True},
            {"resign": 1},
            {"accept": True},
            {"reject": True},
        ],
        """
A turn is played step by step, only by steps that belong to a complete legal play, and ended by
`done`. `dice` is an action of chance. With the cube, a player to roll may `double` or `roll`, and
the other answers with `take` or `drop`. A game is resigned (`resign`, never among the legal
actions) as 1 plain, 2 gammon or 3 backgammon, and the other accepts or rejects it.
""",
    ),
    "triominos": (
        8,
        """
`seats` play by the options in `rules`; `phase` is `deal`, `extra` (tiles drawn for the start),
`play`, `drawing` or `over`. `board` lists the tiles that lie: cell, tile and rotation. A cell is
(x, y, 0) for a triangle that points up and (x, y, 1) for one that points down; a tile is its
numbers read clockwise from the lowest, and the rotation the corner on which the first lies.
`racks` and `pool` are tiles, null where a seat may not see them. `round`, `turn`, `starter` and
`draws` say where the round stands, `scores` and `turns` the points, `contenders`, `extras` and
`first` how the start was found, and `ending` how the round ended.
""",
        [
            {"draw": True},
            {"end": True},
        ],
        """
A turn places a tile, draws one (which, chance says with `drawn`) or ends. `deal` and `extra` are
actions of chance.
""",
    ),
    "risk_express": (
        6,
        """
`seats` play by the options `strict`, `carry`, `first_round_steals` and `cards`. `phase` is `start`
(throws for who begins), `offer`, `roll`, `choose`, `doubt` or `over`, `current` the seat whose
turn it is. `attempt` is the card under attack with the dice on its lines, `dice` how many are left
in the bowl, `lost` those given up and `roll` those that lie there: 1, 2, 3 for soldiers, G
general, K cannon, C cavalry. `owner` gives the seat of each card taken, `offered` an attempt that
may be gone on with, `turns` how many are over, `contenders` and `start_rolls` the throws for the
start.
""",
        [],
        """
`roll` is an action of chance; the player then puts `dice` on a `line` of a card (`fill`) or gives
one up (`lose`).
""",
    ),
}


def compact(value: Any, width: int = 96, indent: str = "") -> str:
    """JSON that keeps short lists and objects on one line."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + len(indent) <= width or not isinstance(value, list | dict) or not value:
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(k)}: {compact(v, width, inner)}" for k, v in value.items()]
    else:
        parts = [compact(item, width, inner) for item in value]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    lines, line = [], inner
    for number, part in enumerate(parts):
        text = part + ("," if number < len(parts) - 1 else "")
        if "\n" in text or len(line) + len(text) > width:
            if line.strip():
                lines.append(line.rstrip())
            line = inner
        line += text + " "
        if "\n" in text:
            lines.append(line.rstrip())
            line = inner
    if line.strip():
        lines.append(line.rstrip())
    return "\n".join([opening, *lines, indent + closing])


def rounded(value: Any) -> Any:
    """Coordinates to a tenth of a millimetre, for the eye."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return value


def section(name: str) -> str:
    """A game's part of the reference."""
    actions, state_words, extra, action_words = WORDS[name]
    game = load_game(name)
    session = Session.start(game, seed=2)
    bots = [game.bot(game.bot_levels[0])] * len(session.seats)
    play_bots(session, bots, seed=1, stop=lambda: len(session) >= actions)
    state = rounded(game.to_json(session.state))
    forms: dict[tuple[str, ...], Any] = {}
    for action in session.actions:
        data = rounded(game.action_to_json(action))
        forms.setdefault(tuple(data), data)
    examples = [*forms.values(), *extra]
    for data in examples:
        game.action_from_json(data)
    game.from_json(state)
    lines = "\n".join(json.dumps(data) for data in examples)
    return textwrap.dedent(f"""
        ### {name}

        {{state_words}}

        <!-- {name} state -->
        ```json
        {{state}}
        ```

        {{action_words}}

        <!-- {name} actions -->
        ```text
        {{lines}}
        ```
        """).format(
        state_words=state_words.strip(),
        state=compact(state),
        action_words=action_words.strip(),
        lines=lines,
    )


def main() -> None:
    text = README.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    tail = rest.partition(END)[2] or "\n"
    body = "".join(section(name) for name in WORDS)
    README.write_text(f"{head}{BEGIN}\n{body}\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
