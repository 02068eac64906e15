"""Makes the README's pictures with the program itself: `python docs/make_pictures.py`."""

from __future__ import annotations

from pathlib import Path

from carromsim import load_game
from carromsim.app.picture import save_picture
from carromsim.core.match import play_bots
from carromsim.core.record import Seat
from carromsim.core.session import Session

IMAGES = Path(__file__).resolve().parent / "images"
SIZE = (1120, 680)
MOMENTS = {"carrom": 8, "draughts": 24, "backgammon": 60, "triominos": 30, "risk_express": 40}
"""After how many actions each game is shown."""


def main() -> None:
    for name, actions in MOMENTS.items():
        game = load_game(name)
        level = game.bot_levels[min(1, len(game.bot_levels) - 1)]
        session = Session.start(game, seed=11, seats=(Seat(), Seat("bot", level)))
        bots = [game.bot(level)] * 2
        play_bots(session, bots, seed=3, stop=lambda s=session, n=actions: len(s) >= n)
        IMAGES.mkdir(exist_ok=True)
        path = IMAGES / f"{name}.png"
        save_picture(session, path, size=SIZE)
        print(path.name)


if __name__ == "__main__":
    main()
