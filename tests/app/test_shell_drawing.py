"""Canvas, theme, widgets, inputs, help pages: what the pictures and devices promise."""

import math
from typing import Any

import numpy as np
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carromsim.app import shapes
from carromsim.app.camera import Camera
from carromsim.app.canvas import Canvas, Tint
from carromsim.app.input import (
    Cancel,
    Command,
    Confirm,
    Drag,
    Flick,
    Navigate,
    Pan,
    Point,
    Press,
    Release,
    Spot,
    Turn,
    Zoom,
)
from carromsim.app.input.board_input import BoardInput, Mapping2d
from carromsim.app.input.raw import (
    DeviceGone,
    FingersMoved,
    KeyDown,
    PointerDown,
    PointerMoved,
    PointerUp,
    WheelTurned,
)
from carromsim.app.input.source import PygameSource
from carromsim.app.pen import Pen
from carromsim.app.pictures import Pictures
from carromsim.app.scenes.help import parse_markdown
from carromsim.app.theme import THEMES, Fonts, Theme, contrast, theme_files
from carromsim.app.view import Extent
from carromsim.app.widgets import Button, Choice, ListBox, Page, Slider, TextField, Toggle
from carromsim.core.errors import InvalidValue

# theme -----------------------------------------------------------------------------------------

GROUNDS = (
    "panel",
    "panel.raised",
    "panel.active",
    "room",
    "room.edge",
    "field",
    "button",
    "button.hover",
)
PAIRS = [("text", ground) for ground in GROUNDS]
PAIRS += [
    ("text.muted", ground)
    for ground in ("panel", "panel.raised", "panel.active", "room", "room.edge", "field")
]
PAIRS += [
    ("warning", "panel"),
    ("warning", "room"),
    ("good", "panel"),
    ("accent.text", "accent"),
    ("accent.text", "accent.hover"),
    ("text", "accent.soft"),
    ("text", "warning.soft"),
    ("text", "good.soft"),
    ("accent", "panel.raised"),
    ("accent", "panel.active"),
    ("paper", "scrim"),
]


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_text_stands_out_at_least_four_and_a_half_to_one(name: str, ink: str, ground: str) -> None:
    theme = Theme(name)
    assert contrast(theme.rgb(ink), theme.rgb(ground)) >= 4.5


@pytest.mark.parametrize("name", THEMES)
def test_focus_and_edges_can_be_seen(name: str) -> None:
    theme = Theme(name)
    for ink, ground in (("focus", "panel"), ("focus", "room"), ("button.edge", "panel")):
        assert contrast(theme.rgb(ink), theme.rgb(ground)) >= 3


def test_both_themes_know_the_same_tokens_and_unknown_ones_are_named() -> None:
    light, dark = Theme("light"), Theme("dark")
    for game in theme_files():
        for theme in (light, dark):
            with pytest.raises(InvalidValue, match=f"{game}.no_such"):
                theme.rgb(f"{game}.no_such")
    assert set(light.tokens()) == set(dark.tokens())
    with pytest.raises(InvalidValue, match="no colour 'mauve'"):
        light.rgb("mauve")


def test_tints() -> None:
    theme = Theme("light")
    assert theme.rgba(Tint("shadow", 0.5)) == (0, 0, 0, 128)
    assert theme.rgba(Tint("shadow", shade=1.0)) == (255, 255, 255, 255)
    assert theme.rgba(Tint("shadow", mix="light", amount=0.5))[:3] == (128, 128, 128)


def test_figures_are_tabular_in_every_weight() -> None:
    fonts = Fonts()
    for weight in ("regular", "medium", "bold"):
        for pixels in (12, 15, 20, 32, 23):
            widths = {fonts.size(figure * 8, pixels, weight)[0] for figure in "0123456789"}
            assert len(widths) == 1


def test_the_font_has_what_players_read() -> None:
    font = Fonts().font(20)
    missing = font.metrics("⁂")[0] if font.metrics("⁂") else None
    for sign in "ÄÖÜäöüßéåøæ×−½→←↑↓✓•…–„“”‚‘’«»‹›▲●◆◀▶%€":
        assert font.metrics(sign)[0] not in (None, missing), sign


# canvas ----------------------------------------------------------------------------------------

sizes = st.tuples(st.integers(40, 900), st.integers(40, 900))
numbers = st.floats(-50, 50)


@given(
    sizes,
    numbers,
    numbers,
    st.floats(0.1, 40),
    st.floats(0.1, 40),
    st.integers(-4, 4),
    numbers,
    numbers,
)
def test_pixels_and_board_points_are_inverse(
    size: tuple[int, int],
    left: float,
    bottom: float,
    width: float,
    height: float,
    turns: int,
    x: float,
    y: float,
) -> None:
    extent = Extent(left, bottom, left + width, bottom + height)
    camera = Camera.fit(pygame.Rect(7, 3, *size), extent, turns)
    px, py = camera.to_pixels(x, y)
    assert camera.to_board(px, py) == pytest.approx((x, y), abs=1e-6)
    dx, dy = camera.vector_to_board(10, -4)
    nx, ny = camera.to_board(px + 10, py - 4)
    assert (nx - x, ny - y) == pytest.approx((dx, dy), abs=1e-6)
    corners = [
        camera.to_pixels(cx, cy)
        for cx in (extent.left, extent.right)
        for cy in (extent.bottom, extent.top)
    ]
    assert min(cx for cx, _ in corners) >= 7 - 1e-6
    assert max(cy for _, cy in corners) <= 3 + size[1] + 1e-6


def canvas(size: int = 200, unit: float = 1.0, kept: bool = False) -> Canvas:
    surface = pygame.Surface((size, size), depth=32)
    camera = Camera.fit(surface.get_rect(), Extent(-unit, -unit, unit, unit))
    return Canvas(
        surface, camera, theme=Theme("light"), fonts=Fonts(), pictures=Pictures(), kept=kept
    )


def covered(surface: pygame.Surface) -> float:
    """White on black: how many pixels' worth is covered."""
    return float(pygame.surfarray.array3d(surface)[..., 0].sum()) / 255


@pytest.mark.parametrize("radius", [0.05, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("at", [(0.0, 0.0), (0.013, -0.027)])
def test_a_disc_covers_its_area_without_jags(radius: float, at: tuple[float, float]) -> None:
    drawn = canvas()
    drawn.disc(*(part * (1 - radius) for part in at), radius, "light")
    assert covered(drawn.surface) == pytest.approx(math.pi * (radius * 100) ** 2, rel=0.02)
    levels = set(np.unique(pygame.surfarray.array3d(drawn.surface)[..., 0]))
    assert len(levels) > 4  # an edge of several shades


@pytest.mark.parametrize("kept", [True, False])
def test_lines_polygons_rectangles_and_rings_cover_their_areas(kept: bool) -> None:
    tolerance = 0.02 if kept else 0.06
    drawn = canvas(kept=kept)
    drawn.line(-0.6, -0.4, 0.6, 0.4, 0.08, "light")
    area = math.hypot(120, 80) * 8 + math.pi * 16
    assert covered(drawn.surface) == pytest.approx(area, rel=tolerance)
    drawn = canvas(kept=kept)
    points = [(0.8 * math.cos(a), 0.8 * math.sin(a)) for a in (0.3, 1.5, 2.9, 4.4, 5.6)]
    drawn.polygon(points, "light")
    shoelace = (
        sum(
            x1 * y2 - x2 * y1
            for (x1, y1), (x2, y2) in zip(points, [*points[1:], points[0]], strict=True)
        )
        / 2
    )
    assert covered(drawn.surface) == pytest.approx(shoelace * 1e4, rel=tolerance)
    drawn = canvas(kept=kept)
    drawn.rect(0.05, 0.02, 0.9, 0.4, "light", angle=0.4)
    assert covered(drawn.surface) == pytest.approx(90 * 40, rel=0.02)
    drawn = canvas(kept=kept)
    drawn.arc(0, 0, 0.6, 0.0, math.pi, 0.1, "light")
    half = math.pi * 60 * 10
    assert half * 0.94 < covered(drawn.surface) < half * 1.08


def test_translucent_shapes_cover_evenly() -> None:
    drawn = canvas()
    drawn.line(-0.7, -0.7, 0.7, 0.7, 0.1, Tint("light", 0.5))
    drawn.polyline([(-0.8, 0.6), (-0.2, 0.8), (-0.4, 0.1)], 0.06, Tint("light", 0.5))
    values = pygame.surfarray.array3d(drawn.surface)[..., 0]
    assert values.max() <= 130  # nowhere painted twice


def test_a_quarter_turn_turns_the_board_but_not_the_text() -> None:
    surface = pygame.Surface((200, 200), depth=32)
    camera = Camera.fit(surface.get_rect(), Extent(-1, -1, 1, 1), 1)
    assert camera.to_pixels(1, 0) == pytest.approx((100, 0))
    assert camera.to_pixels(0, 1) == pytest.approx((0, 100))


def test_layers_and_sprites_are_drawn_once() -> None:
    drawn = canvas()
    calls: list[str] = []

    def layer(target: Canvas) -> None:
        calls.append("layer")
        target.fill("wood")

    def sprite(target: Canvas) -> None:
        calls.append("sprite")
        target.disc(0, 0, 0.1, "ebony")

    for _frame in range(5):
        drawn.layer("ground", layer)
        drawn.sprite("man", 0.3, 0.25, 0.2, 0.2, sprite)
        drawn.sprite("man", -0.3, 0.25, 0.2, 0.2, sprite)
    assert calls == ["layer", "sprite"]
    dark = drawn.theme.rgb("ebony")
    assert tuple(drawn.surface.get_at((130, 75)))[:3] == dark
    assert tuple(drawn.surface.get_at((70, 75)))[:3] == dark


def test_pictures_are_dropped_beyond_their_budget() -> None:
    kept = Pictures(budget=10_000)
    for index in range(20):
        kept.get(index, lambda: pygame.Surface((20, 20), depth=32))
    assert len(kept) <= 7


def test_shapes_respect_the_clip() -> None:
    surface = pygame.Surface((50, 50), depth=32)
    surface.set_clip(pygame.Rect(0, 0, 25, 50))
    shapes.paint(surface, shapes.disc(25, 25, 20), (5, 5, 45, 45), (255, 255, 255, 255))
    shapes.polygon(surface, [(5, 5), (45, 5), (45, 20)], (255, 255, 255, 128))
    shapes.strokes(surface, [(5, 40), (45, 45)], 4, (255, 255, 255, 128))
    assert pygame.surfarray.array3d(surface)[25:, :, 0].max() == 0


# text ------------------------------------------------------------------------------------------


@given(st.text(st.sampled_from("abc dWm.ÄÖ"), max_size=120), st.integers(20, 300))
def test_wrapped_text_fits_and_loses_nothing(text: str, width: int) -> None:
    pen = Pen(pygame.Surface((1, 1)), Theme("light"), Fonts(), Pictures(), 1.0)
    lines = pen.wrap(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(pen.width(line.strip()) <= width or len(line.strip()) == 1 for line in lines)
    cut = pen.cut(text, width)
    assert pen.width(cut) <= width or len(cut) <= 2


def test_simple_markdown_becomes_blocks() -> None:
    text = (
        "# Title\n\nA *short*\nline with `code`.\n\n- one\n- **two**\n  more\n1. first\n\n"
        "| A | B |\n| --- | --- |\n| x | [y](z) |\n"
    )
    assert parse_markdown(text) == [
        ("h1", "Title"),
        ("p", "A short line with code."),
        ("li", "•\tone"),
        ("li", "•\ttwo more"),
        ("li", "1.\tfirst"),
        ("row", "A\tB"),
        ("row", "x\ty"),
    ]


# widgets ---------------------------------------------------------------------------------------


def page() -> tuple[Page, list[Any]]:
    made: list[Any] = []
    built = Page(pygame.Rect(0, 0, 300, 200))
    rect = pygame.Rect(10, 10, 280, 40)
    built.add(Button("a", rect, "A", lambda: made.append("a")))
    built.add(Toggle("t", rect.move(0, 50), "T", False, made.append))
    built.add(Choice("c", rect.move(0, 100), "C", [(1, "one"), (2, "two")], 1, made.append))
    built.add(Slider("s", rect.move(0, 150), "S", 0.5, made.append, step=0.1))
    built.add(TextField("f", rect.move(0, 200), "F", "ab", made.append, longest=5))
    built.add(Button("x", rect.move(0, 250), "X", lambda: made.append("x"), enabled=False))
    built.keep(None)
    return built, made


def test_everything_by_keyboard_alone() -> None:
    built, made = page()
    order = []
    for _step in range(6):
        built.input(KeyDown("Tab"), 0)
        order.append(built.focus)
    assert order == ["t", "c", "s", "f", "a", "t"]  # never on what is switched off
    for key in ("Enter", "Down", "Right", "Down", "Right", "Left", "Home"):
        built.input(KeyDown(key), 0)
    assert made == [True, 2, 0.6, 0.5, 0.0]
    built.input(KeyDown("Down"), 0)
    for key in ("Left", "Backspace", "Delete", "X"):
        built.input(KeyDown(key), 0)
    assert built.focus == "f" and made[-2:] == ["b", ""]


def test_focus_scrolls_into_sight() -> None:
    built, _made = page()
    assert built.overflow == 100
    built.step(-1)
    assert built.focus == "f" and built.offset > 0
    assert built.area.contains(built.place(built.find("F")))


def test_a_press_let_go_elsewhere_does_nothing() -> None:
    built, made = page()
    built.input(PointerDown(20, 20), 0)
    built.input(PointerMoved(20, 190), 0)
    built.input(PointerUp(20, 190), 0)
    assert made == []
    built.input(PointerDown(20, 20), 0)
    built.input(PointerUp(25, 25), 0)
    assert made == ["a"]


def test_a_list_keeps_its_end_in_sight_and_picks() -> None:
    picked: list[int] = []
    lines = [str(number) for number in range(100)]
    box = ListBox("l", pygame.Rect(0, 0, 100, 100), lines, row=20, on_pick=picked.append)
    assert box.offset == 95
    box.press(5, 45)
    box.act()
    assert picked == [97]
    box.key(KeyDown("Up"))
    assert picked == [97, 98]
    assert box.wheel(1) and box.offset == 92


def test_wrapped_rows_of_a_list_belong_to_their_line() -> None:
    picked: list[int] = []
    box = ListBox(
        "l",
        pygame.Rect(0, 0, 100, 100),
        ["a", " b", "c", "d"],
        row=20,
        on_pick=picked.append,
        owners=[0, 0, 1, 2],
        selected=0,
    )
    box.press(5, 25)
    box.act()
    box.key(KeyDown("Down"))
    box.key(KeyDown("End"))
    assert picked == [0, 1, 2]


# inputs ----------------------------------------------------------------------------------------


def mapping(free: bool = False) -> Mapping2d:
    return Mapping2d(
        lambda x, y: Spot(x / 100, -y / 100, inside=0 <= x <= 400),
        lambda dx, dy: (dx / 100, -dy / 100),
        400.0,
        free=free,
    )


def test_a_tap_is_never_a_flick() -> None:
    inputs = BoardInput()
    out = inputs.pointer(PointerDown(100, 100), mapping(), 0.0)
    out += inputs.pointer(PointerMoved(103, 102), mapping(), 0.005)
    out += inputs.pointer(PointerUp(103, 102), mapping(), 0.01)
    assert [type(item) for item in out] == [Press, Release]
    assert out[1].tap and out[1].speed == 0


def test_a_flick_has_the_pointers_speed_at_release() -> None:
    inputs = BoardInput()
    inputs.pointer(PointerDown(100, 300), mapping(), 0.0)
    for step in range(1, 11):
        inputs.pointer(PointerMoved(100 + step, 300 - 20 * step), mapping(), 0.01 * step)
    (release,) = inputs.pointer(PointerUp(110, 100), mapping(), 0.1)
    assert isinstance(release, Flick) and not release.tap
    assert (release.vx, release.vy) == pytest.approx((1.0, 20.0), rel=0.01)
    assert release.start == Spot(1.0, -3.0)


@pytest.mark.parametrize("frame", [0.008, 0.016, 0.033, 0.05])
def test_a_flick_is_as_fast_at_every_rate_of_frames(frame: float) -> None:
    inputs = BoardInput()

    def seen(at: float) -> float:  # a frame gives all its inputs its own time
        return math.ceil(at / frame) * frame

    inputs.pointer(PointerDown(100, 300), mapping(), seen(0.001))
    for step in range(1, 101):
        inputs.pointer(PointerMoved(100, 300 - 2 * step), mapping(), seen(0.001 * (step + 1)))
    (release,) = inputs.pointer(PointerUp(100, 100), mapping(), seen(0.102))
    assert isinstance(release, Flick)
    assert 10 < release.vy < 40


def test_a_pull_that_rests_before_release_is_no_flick() -> None:
    inputs = BoardInput()
    inputs.pointer(PointerDown(100, 300), mapping(), 0.0)
    drags = inputs.pointer(PointerMoved(100, 380), mapping(), 0.1)
    assert isinstance(drags[0], Drag)
    (release,) = inputs.pointer(PointerUp(100, 380), mapping(), 0.5)
    assert type(release) is Release and release.speed == 0 and release.held == 0.5


def test_right_click_and_losing_the_window_let_go() -> None:
    inputs = BoardInput()
    inputs.pointer(PointerDown(100, 300), mapping(), 0.0)
    assert inputs.pointer(PointerDown(100, 300, button="second"), mapping(), 0.1) == [Cancel()]
    assert inputs.pointer(PointerUp(100, 300), mapping(), 0.2) == []
    inputs.pointer(PointerDown(100, 300), mapping(), 0.3)
    assert inputs.pointer(DeviceGone(), mapping(), 0.4) == [Cancel()]


def test_second_presses_in_time_are_double() -> None:
    inputs, doubles = BoardInput(), []
    for at in (0.0, 0.2, 0.4, 2.0):
        (press,) = inputs.pointer(PointerDown(50, 50), mapping(), at)
        inputs.pointer(PointerUp(50, 50), mapping(), at + 0.05)
        doubles.append(press.double)
    assert doubles == [False, True, False, False]


def test_two_fingers_pinch_and_pan_and_drop_what_one_held() -> None:
    inputs = BoardInput()
    inputs.pointer(PointerDown(100, 100, touch=True), mapping(), 0.0)
    began = inputs.pointer(FingersMoved(120, 100, 0, 0, 1.0, began=True), mapping(), 0.1)
    assert began == [Cancel()]
    out = inputs.pointer(FingersMoved(130, 100, 10, 0, 1.2), mapping(), 0.2)
    assert out == [Pan(0.1, 0.0), Zoom(1.2, Spot(1.3, -1.0))]


def test_wheel_and_keys() -> None:
    inputs = BoardInput()
    assert inputs.pointer(WheelTurned(0, 0, up=0.5), mapping(), 0) == []
    assert inputs.pointer(WheelTurned(0, 0, up=0.5), mapping(), 0) == [Turn(1)]
    (zoom,) = inputs.pointer(WheelTurned(100, 100, up=-1, ctrl=True), mapping(), 0)
    assert isinstance(zoom, Zoom) and zoom.factor < 1

    def key(name: str) -> list[Any]:
        return inputs.key(KeyDown(name), {"R": "rotate"}, mapping(), (200, 200))

    assert key("R") == [Command("rotate")]
    assert key("Shift+Left") == [Navigate(-1, 0, "fine")]
    assert key("Ctrl+Up") == [Navigate(0, 1, "coarse")]
    assert key("Enter") == [Confirm()] and key("Esc") == [Cancel()]
    assert key("Q") == [Turn(1)] and key("Shift+E") == [Turn(-1, fine=True)]
    assert key("+")[0].factor > 1 > key("-")[0].factor


def test_hovering_outside_sends_one_leave() -> None:
    inputs = BoardInput()
    kinds = [
        [type(item).__name__ for item in inputs.pointer(PointerMoved(x, 10), mapping(), 0)]
        for x in (100, 500, 600, 100)
    ]
    assert kinds == [["Point"], ["Leave"], [], ["Point"]]
    assert isinstance(Point(Spot(0, 0)).x, float | int)


@pytest.mark.parametrize(
    ("key", "modifiers", "text", "name"),
    [
        (pygame.K_z, pygame.KMOD_LCTRL, "\x1a", "Ctrl+Z"),
        (pygame.K_z, pygame.KMOD_LSHIFT, "Z", "Shift+Z"),
        (pygame.K_LEFT, pygame.KMOD_LSHIFT, "", "Shift+Left"),
        (pygame.K_RETURN, 0, "\r", "Enter"),
        (pygame.K_F11, 0, "", "F11"),
        (pygame.K_PLUS, 0, "+", "+"),
        (pygame.K_EQUALS, pygame.KMOD_LSHIFT, "+", "+"),
        (pygame.K_KP_MINUS, 0, "-", "-"),
        (pygame.K_0, 0, "0", "0"),
        (pygame.K_RETURN, pygame.KMOD_LALT, "\r", "Alt+Enter"),
        (pygame.K_LSHIFT, pygame.KMOD_LSHIFT, "", ""),
    ],
)
def test_keys_have_the_names_that_players_read(
    key: int, modifiers: int, text: str, name: str
) -> None:
    if name:
        assert PygameSource.key_name(key, modifiers, text) == name


def test_events_become_raw_inputs_in_surface_pixels() -> None:
    pygame.display.init()
    try:
        source = PygameSource(lambda: (2.0, 2.0), lambda: (1600, 1200))
        event = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(100, 50), button=1)
        (down,) = source.translate(event)
        assert (down.x, down.y, down.button) == (200, 100, "main")
        press = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_F12, mod=0, unicode="")
        let_go = pygame.event.Event(pygame.KEYUP, key=pygame.K_F12, mod=0, unicode="")
        keys = [source.translate(event) for event in (press, press, let_go, press)]
        assert keys == [[KeyDown("F12")], [KeyDown("F12", True)], [], [KeyDown("F12")]]
        pad = pygame.event.Event(
            pygame.CONTROLLERBUTTONDOWN, button=pygame.CONTROLLER_BUTTON_A, instance_id=0
        )
        assert source.translate(pad) == [KeyDown("Enter")]
        stick = [
            source.translate(pygame.event.Event(pygame.CONTROLLERAXISMOTION, axis=0, value=value))
            for value in (0, 20000, 32000, 0, -32768)
        ]
        assert stick == [[], [KeyDown("Right")], [], [], [KeyDown("Left")]]
        fingers = [
            pygame.event.Event(kind, finger_id=finger, x=x, y=0.5, dx=0, dy=0, touch_id=1)
            for kind, finger, x in (
                (pygame.FINGERDOWN, 1, 0.25),
                (pygame.FINGERDOWN, 2, 0.75),
                (pygame.FINGERMOTION, 2, 0.5),
            )
        ]
        moved = [source.translate(event) for event in fingers]
        assert moved[0] == [] and moved[1][0].began
        assert moved[2][0].factor == pytest.approx(0.5)
    finally:
        pygame.display.quit()
