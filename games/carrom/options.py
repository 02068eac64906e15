"""Every option of the game: rules, table and mode, each with its range and one line of words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from carromsim.core.fields import Json
from carromsim.core.game import Option
from carromsim.i18n import N_
from games.carrom.rules import RuleSet

__all__ = ["OPTIONS", "SURFACES", "Options"]

SURFACES: Final[Mapping[str, float]] = MappingProxyType({"club": 0.12, "fast": 0.08, "slow": 0.18})
"""Surfaces by name, with their coefficient of friction."""

_RULES = RuleSet()

OPTIONS: Final = (
    Option(
        "practice",
        False,
        N_("Practice: no turns, no points; place men freely and shoot as often as you like."),
    ),
    Option("break_tries", _RULES.break_tries, N_("Tries to break."), low=1, high=9),
    Option("forward_only", _RULES.forward_only, N_("The striker must be flicked forward.")),
    Option(
        "own_man_saves_turn",
        _RULES.own_man_saves_turn,
        N_("An own man pocketed keeps the turn although an opponent's man fell with it."),
    ),
    Option(
        "queen_striker_keeps_turn",
        _RULES.queen_striker_keeps_turn,
        N_("Queen and striker pocketed together keep the turn."),
    ),
    Option(
        "first_man_covers",
        _RULES.first_man_covers,
        N_("The first man covers a queen that falls with it."),
    ),
    Option(
        "due_blocks_queen",
        _RULES.due_blocks_queen,
        N_("The queen may not be pocketed while a man is owed."),
    ),
    Option(
        "break_striker_costs",
        _RULES.break_striker_costs,
        N_("A striker pocketed in the break without contact costs a man."),
    ),
    Option(
        "off_centre_circle",
        _RULES.off_centre_circle,
        N_("Men that come back may not lie on the centre circle."),
    ),
    Option(
        "last_opponent",
        _RULES.last_opponent,
        N_("What pocketing the opponent's last man costs."),
        choices=("flat3", "men_plus_queen"),
    ),
    Option(
        "last_own",
        _RULES.last_own,
        N_("What pocketing the own last man before the queen costs."),
        choices=("3_plus_men", "3_or_1"),
    ),
    Option(
        "both_last",
        _RULES.both_last,
        N_("Who gets the board when both last men fall at once."),
        choices=("opponent", "icf"),
    ),
    Option(
        "placing",
        _RULES.placing,
        N_("Men that come back are placed by the opponent's hand or by the program."),
        choices=("auto", "hand"),
    ),
    Option(
        "base_circle",
        _RULES.base_circle,
        N_("Where the striker may lie: anywhere, or covering a base circle or clear of it."),
        choices=("free", "cover_or_clear"),
    ),
    Option(
        "loser_pays",
        _RULES.loser_pays,
        N_("A board lost by a foul takes its points from the loser."),
    ),
    Option("target", _RULES.target, N_("Points that win the game."), low=1, high=999),
    Option("boards", _RULES.boards, N_("Boards of a game, at most."), low=1, high=99),
    Option("best_of", _RULES.best_of, N_("Games of a match."), choices=(1, 3, 5, 7)),
    Option(
        "stroke_limit",
        _RULES.stroke_limit,
        N_("Strokes after which a board is replayed, and drawn the second time."),
        low=10,
        high=9999,
    ),
    Option(
        "stroke_clock",
        _RULES.stroke_clock,
        N_("Seconds for a stroke."),
        low=3,
        high=3600,
        optional=True,
        number=float,
    ),
    Option(
        "surface",
        "club",
        N_("How fast the board is powdered."),
        choices=tuple(SURFACES),
    ),
    Option(
        "surface_friction",
        None,
        N_("Friction of the surface, in place of the surface's own."),
        low=0,
        high=2,
        optional=True,
        number=float,
    ),
    Option("restitution_disc", 0.88, N_("How lively men rebound."), low=0, high=1),
    Option("restitution_frame", 0.75, N_("How lively the frame is."), low=0, high=1),
    Option("contact_friction", 0.12, N_("Friction of rim on rim and rim on frame."), low=0, high=2),
    Option(
        "capture_depth", 0.002, N_("How deep a man sinks until a pocket has it (m)."), low=0, high=1
    ),
    Option(
        "hop_speed",
        7.5,
        N_("Speed against the frame above which a man jumps off (m/s)."),
        low=0.001,
        high=1000,
        optional=True,
    ),
    Option("max_time", 60.0, N_("Longest simulated shot (s)."), low=0.001, high=600),
)
"""All options beside `seats` and `rules`; rule options are named as in `RuleSet`."""


@dataclass(frozen=True, slots=True)
class Options:
    """The resolved options of a game, typed; part of its state.

    Args:
        seats: 2 or 4.
        rules: Name of the rule set.
        rule: Its options.
        practice: No turns and no points.
        surface: Name of the surface.
        surface_friction: Friction in place of the surface's own, or None.
        restitution_disc: Of disc on disc.
        restitution_frame: Of disc on frame.
        contact_friction: Of rims.
        capture_depth: m.
        hop_speed: m/s, or None: nothing jumps off.
        max_time: s.
    """

    seats: int
    rules: str
    rule: RuleSet
    practice: bool
    surface: str
    surface_friction: float | None
    restitution_disc: float
    restitution_frame: float
    contact_friction: float
    capture_depth: float
    hop_speed: float | None
    max_time: float

    @classmethod
    def of(cls, resolved: Mapping[str, Json]) -> Options:
        """From resolved options."""
        return cls(
            rule=RuleSet.of(resolved),
            **{name: resolved[name] for name in cls.__dataclass_fields__ if name != "rule"},
        )

    def to_json(self) -> dict[str, Json]:
        """As resolved options."""
        data: dict[str, Json] = {"seats": self.seats, "rules": self.rules}
        for option in OPTIONS:
            owner = self.rule if hasattr(self.rule, option.name) else self
            data[option.name] = getattr(owner, option.name)
        return data

    @property
    def friction(self) -> float:
        """The coefficient of friction of the surface."""
        return SURFACES[self.surface] if self.surface_friction is None else self.surface_friction
