"""Short labels of carrom's options for the start screen."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from carromsim.i18n import N_

__all__ = ["LEVELS", "OPTIONS"]

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
