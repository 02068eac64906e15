"""Colours and type by name: tokens from `assets/themes`, fonts from `assets/fonts`.

No module of the shell and no view holds an RGB value or a font size; they name tokens.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import pygame
import pygame.font

from carromsim.core.errors import CarromsimError, InvalidValue
from carromsim.core.fields import Fields, parse_json
from carromsim.core.resources import assets_folder, resource, resource_text

__all__ = ["THEMES", "Fonts", "Paint", "Rgba", "Theme", "Tint", "Weight", "contrast"]

Rgb: TypeAlias = tuple[int, int, int]
Rgba: TypeAlias = tuple[int, int, int, int]
Weight: TypeAlias = Literal["regular", "medium", "bold"]
Size: TypeAlias = Literal["small", "body", "title", "display"]

THEMES: Final = ("light", "dark")
SIZES: Final[Mapping[str, int]] = {"small": 12, "body": 15, "title": 20, "display": 32}
"""The four sizes of type, in pixels at 100 %."""
_FILES: Final[Mapping[str, str]] = {
    "regular": "fonts/CarromsimSans-Regular.otf",
    "medium": "fonts/CarromsimSans-Medium.otf",
    "bold": "fonts/CarromsimSans-SemiBold.otf",
}


@dataclass(frozen=True, slots=True)
class Tint:
    """A token changed: translucent, or lighter and darker.

    Args:
        token: Name of a colour.
        alpha: 0 unseen to 1 opaque.
        shade: −1 black, 0 as it is, 1 white.
        mix: Another token to mix in.
        amount: How much of it, 0 to 1.
    """

    token: str
    alpha: float = 1.0
    shade: float = 0.0
    mix: str = ""
    amount: float = 0.5


Paint: TypeAlias = "str | Tint"


def _rgb(text: object, field: str) -> Rgb:
    if not isinstance(text, str) or len(text) != 7 or text[0] != "#":
        raise InvalidValue(f'must be a colour like "#c79a63", not {text!r}', field=field)
    try:
        value = int(text[1:], 16)
    except ValueError:
        raise InvalidValue(f'must be a colour like "#c79a63", not {text!r}', field=field) from None
    return value >> 16, value >> 8 & 255, value & 255


def _tokens(name: str, theme: str) -> dict[str, Rgb]:
    try:
        fields = Fields(parse_json(resource_text(f"themes/{name}.json")), f"themes/{name}.json")
        table = fields.mapping("tokens")
    except CarromsimError as error:
        raise InvalidValue(f"the theme file {name}.json: {error}") from None
    prefix = "" if name == "room" else f"{name}."
    colours = {}
    for token, value in table.items():
        chosen = value.get(theme) if isinstance(value, Mapping) else value
        colours[prefix + token] = _rgb(chosen, f"themes/{name}.json: tokens.{token}.{theme}")
    return colours


class Theme:
    """The colours of one theme.

    Args:
        name: `light` or `dark`.
    """

    def __init__(self, name: str = "dark") -> None:
        if name not in THEMES:
            raise InvalidValue(f"must be one of {', '.join(THEMES)}, not {name!r}", field="theme")
        self.name = name
        self._colours = _tokens("room", name)
        self._read = {"room"}

    def rgb(self, token: str) -> Rgb:
        """The colour of a token.

        Raises:
            InvalidValue: There is none of that name.
        """
        colour = self._colours.get(token)
        if colour is None:
            game = token.partition(".")[0]
            if game not in self._read and (assets_folder() / "themes" / f"{game}.json").is_file():
                self._read.add(game)
                self._colours.update(_tokens(game, self.name))
                colour = self._colours.get(token)
        if colour is None:
            raise InvalidValue(f"the theme has no colour {token!r}", field="token")
        return colour

    def rgba(self, paint: Paint) -> Rgba:
        """The colour of a token or tint, with its alpha."""
        if isinstance(paint, str):
            return (*self.rgb(paint), 255)
        red, green, blue = self.rgb(paint.token)
        if paint.mix:
            other = self.rgb(paint.mix)
            share = paint.amount
            red, green, blue = (
                round(a + (b - a) * share) for a, b in zip((red, green, blue), other, strict=True)
            )
        if paint.shade:
            goal = 255 if paint.shade > 0 else 0
            share = abs(paint.shade)
            red, green, blue = (round(c + (goal - c) * share) for c in (red, green, blue))
        return red, green, blue, max(0, min(255, round(paint.alpha * 255)))

    def tokens(self) -> Mapping[str, Rgb]:
        """Every token read so far."""
        return dict(self._colours)


def _luminance(colour: Rgb) -> float:
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: Rgb, second: Rgb) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.1)."""
    bright, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


class Fonts:
    """Fonts by weight and pixel size, and texts already set, so that each is rendered once."""

    def __init__(self) -> None:
        if not pygame.font.get_init():
            pygame.font.init()
        self._fonts: dict[tuple[str, int], pygame.font.Font] = {}
        self._texts: OrderedDict[tuple[object, ...], pygame.Surface] = OrderedDict()

    def font(self, pixels: int, weight: Weight = "regular") -> pygame.font.Font:
        """The font of a weight whose em square has so many pixels."""
        key = (weight, max(4, pixels))
        font = self._fonts.get(key)
        if font is None:
            if len(self._fonts) > 64:
                self._fonts.clear()
            font = self._fonts[key] = pygame.font.Font(str(resource(_FILES[weight])), key[1])
        return font

    def size(self, text: str, pixels: int, weight: Weight = "regular") -> tuple[int, int]:
        """Width and height of a line, pixels."""
        return self.font(pixels, weight).size(text)

    def render(
        self, text: str, pixels: int, colour: Rgba, weight: Weight = "regular"
    ) -> pygame.Surface:
        """A line of text as a picture; it is shared, so do not draw on it."""
        key = (text, pixels, colour, weight)
        surface = self._texts.get(key)
        if surface is None:
            surface = self.font(pixels, weight).render(text, True, colour[:3])
            if colour[3] < 255:
                surface.set_alpha(colour[3])
            self._texts[key] = surface
            if len(self._texts) > 1500:
                self._texts.popitem(last=False)
        else:
            self._texts.move_to_end(key)
        return surface


def theme_files() -> list[str]:
    """Names of the theme files, `room` and one for each game that has one."""
    folder = assets_folder() / "themes"
    return sorted(
        path.stem for path in folder.glob("*.json") if "tokens" in json.loads(path.read_text())
    )
