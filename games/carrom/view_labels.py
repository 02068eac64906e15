"""What the shell shows of carrom as lists: options, levels, settings, keys."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from carromsim.app.view import Setting
from carromsim.i18n import N_

__all__ = ["KEYS", "KEY_HELP", "LEVELS", "OFFERS", "OPTIONS"]

OPTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "rules.lattjo": N_("LATTJO"),
        "rules.icf": N_("ICF"),
        "practice": N_("Practice"),
        "break_tries": N_("Tries to break"),
        "forward_only": N_("Forward only"),
        "own_man_saves_turn": N_("Own man saves the turn"),
        "queen_striker_keeps_turn": N_("Queen with striker keeps the turn"),
        "first_man_covers": N_("First man covers"),
        "due_blocks_queen": N_("A due blocks the queen"),
        "break_striker_costs": N_("Striker lost in the break costs"),
        "off_centre_circle": N_("Keep off the centre circle"),
        "last_opponent": N_("Opponent's last man"),
        "last_opponent.flat3": N_("3 points"),
        "last_opponent.men_plus_queen": N_("Men left, and the queen"),
        "last_own": N_("Last man before the queen"),
        "last_own.3_plus_men": N_("3 points and 1 a man"),
        "last_own.3_or_1": N_("3 points, 1 from 22 up"),
        "both_last": N_("Both last men at once"),
        "both_last.opponent": N_("Opponent wins"),
        "both_last.icf": N_("As the ICF rules"),
        "placing": N_("Men that come back"),
        "placing.auto": N_("Placed by the program"),
        "placing.hand": N_("Placed by hand"),
        "base_circle": N_("Striker at the base circle"),
        "base_circle.free": N_("Anywhere"),
        "base_circle.cover_or_clear": N_("Cover it or clear it"),
        "loser_pays": N_("Loser pays"),
        "target": N_("Points to win"),
        "boards": N_("Boards"),
        "best_of": N_("Games of a match"),
        "stroke_limit": N_("Strokes a board"),
        "stroke_clock": N_("Seconds a stroke"),
        "surface": N_("Surface"),
        "surface.fast": N_("Fast"),
        "surface.club": N_("Club"),
        "surface.slow": N_("Slow"),
        "surface_friction": N_("Friction"),
        "restitution_disc": N_("Bounce of men"),
        "restitution_frame": N_("Bounce of the frame"),
        "contact_friction": N_("Friction of rims"),
        "capture_depth": N_("Depth until caught"),
        "hop_speed": N_("Speed that jumps the frame"),
        "max_time": N_("Longest shot"),
    }
)
"""Labels of options, their values and rule sets."""
LEVELS: Final[Mapping[int, str]] = MappingProxyType(
    {1: N_("Beginner"), 2: N_("Club player"), 3: N_("Expert")}
)
"""Names of the bots' levels."""
OFFERS: Final[tuple[Setting, ...]] = (
    Setting(
        "aim_line",
        N_("Aim line"),
        True,
        tip=N_("Shows where the striker meets something first, and what follows."),
    ),
    Setting(
        "bot_aim",
        N_("Show how bots aim"),
        True,
        tip=N_("A bot's aim is shown for a moment before its shot."),
    ),
    Setting(
        "turn_board",
        N_("Turn the board"),
        True,
        tip=N_("The seat to move sits at the bottom; switched off, the board stays."),
    ),
    Setting(
        "flick_gain",
        N_("Strength of flicks"),
        1.5,
        low=0.5,
        high=4.0,
        step=0.1,
        tip=N_("How fast the striker goes for the speed of the pointer."),
    ),
)
"""Settings of the view."""
KEYS: Final[Mapping[str, str]] = {
    "Space": "shoot",
    "R": "again",
    "A": "aim_line",
    "B": "same",
    "S": "side",
    "N": "reset",
    "C": "centre",
    "1": "add.white",
    "2": "add.black",
    "3": "add.queen",
    "Delete": "clear",
}
"""Keys and the commands they give."""
KEY_HELP: Final[Mapping[str, str]] = {
    N_("Drag sideways"): N_("Slide the striker along the base line"),
    N_("Drag back and let go"): N_("Shoot; the farther back, the harder"),
    N_("Quick drag forward"): N_("Flick: as hard as the hand is fast"),
    N_("Right click, Esc"): N_("Let go without shooting"),
    "← →": N_("Slide the striker (Shift: finely, Ctrl: in long steps)"),
    "↑ ↓": N_("More or less strength"),
    N_("Q, E, wheel"): N_("Turn the aim (Shift: finely)"),
    N_("Enter, Space"): N_("Show the aim, then shoot"),
    "C": N_("Aim straight ahead from the middle"),
    "A": N_("Aim line on or off"),
    "R": N_("Show the last shot again"),
    "N": N_("Set up the board again"),
    "B": N_("Practice: the same shot again"),
    "S": N_("Practice: shoot from the next side"),
    "1, 2, 3": N_("Practice: add a white man, a black man, the queen"),
    N_("Delete"): N_("Practice: take all men off"),
}
"""What the help says of keys and hand."""
