"""The parts a board's picture is made of: shapes, wood, discs."""

from __future__ import annotations

import math

import numpy as np
import pygame
import pytest

from carromsim.app import board_raster as shapes
from carromsim.app.board_discs import FINE, STYLES, DiscSprites, style_of
from carromsim.app.board_raster import Raster, to_surface
from carromsim.app.board_wood import plywood, value_noise


def area(shape: shapes.Distance, scale: float = 400.0) -> float:
    """Area (m²) that a shape covers on a raster of 1 m × 1 m."""
    raster = Raster(int(scale), int(scale), scale)
    x, y = raster.axes()
    return float(raster.coverage(shape(x, y)).sum()) / scale**2


@pytest.mark.parametrize("scale", [150.0, 400.0, 1000.0])
@pytest.mark.parametrize(
    ("shape", "exact"),
    [
        (shapes.circle(0.01, -0.02, 0.3), math.pi * 0.09),
        (shapes.ring(0, 0, 0.3, 0.02), math.tau * 0.3 * 0.02),
        (shapes.segment((-0.3, -0.2), (0.3, 0.2), 0.03), math.hypot(0.6, 0.4) * 0.03),
        (shapes.box(0.2, 0.1, 0.05), 0.08 - (4 - math.pi) * 0.0025),
        (shapes.polygon([(-0.3, -0.3), (0.3, -0.3), (0, 0.4)]), 0.6 * 0.7 / 2),
        (
            shapes.arc(0, 0, 0.3, 0.02, math.radians(30), math.radians(90)),
            0.3 * math.pi / 2 * 0.02 + math.pi * 0.0001,
        ),
    ],
)
def test_shapes_cover_their_area_at_any_scale(
    shape: shapes.Distance, exact: float, scale: float
) -> None:
    assert area(shape, scale) == pytest.approx(exact, rel=0.01)


def test_an_arc_is_where_its_angles_say() -> None:
    quarter = shapes.arc(0, 0, 0.3, 0.02, 0.0, math.pi / 2)
    on = np.array([[math.sqrt(0.045)]], dtype=np.float32)
    assert quarter(on, on)[0, 0] < 0
    assert quarter(-on, on)[0, 0] > 0.1
    assert quarter(on, -on)[0, 0] > 0.1


def test_a_shape_outside_the_picture_changes_nothing() -> None:
    raster = Raster(40, 40, 40.0)
    raster.lay(shapes.circle(3, 3, 0.1), (2.9, 2.9), (3.1, 3.1), (1.0, 1.0, 1.0))
    assert not raster.rgb.any()


def test_a_shape_at_the_edge_is_cut_and_not_lost() -> None:
    raster = Raster(100, 100, 100.0)
    raster.lay(shapes.circle(0.5, 0.0, 0.2), (0.3, -0.2), (0.7, 0.2), (1.0, 1.0, 1.0))
    assert raster.rgb[..., 0].sum() == pytest.approx(math.pi * 400 / 2, rel=0.02)


def test_noise_is_the_same_each_time_and_the_same_wood_at_any_size() -> None:
    large = value_noise((400, 400), (0.4, 0.4), (0.05, 0.05), 3)
    again = value_noise((400, 400), (0.4, 0.4), (0.05, 0.05), 3)
    small = value_noise((100, 100), (0.4, 0.4), (0.05, 0.05), 3)
    assert np.array_equal(large, again)
    reduced = large.reshape(100, 4, 100, 4).mean(axis=(1, 3))
    assert np.abs(reduced - small).max() < 0.05
    assert not np.array_equal(large, value_noise((400, 400), (0.4, 0.4), (0.05, 0.05), 4))


def test_noise_finer_than_a_pixel_fades_to_its_mean() -> None:
    fine = value_noise((50, 50), (1.0, 1.0), (0.001, 0.001), 5)
    coarse = value_noise((50, 50), (1.0, 1.0), (0.1, 0.1), 5)
    assert fine.std() < coarse.std() / 4


def test_grain_runs_from_left_to_right() -> None:
    wood = plywood((300, 300), (0.3, 0.3), (1, 1, 1), (0, 0, 0), 1)[..., 0]
    along = np.abs(np.diff(wood, axis=1)).mean()
    across = np.abs(np.diff(wood, axis=0)).mean()
    assert across > 4 * along


@pytest.mark.parametrize("kind", ["white", "black", "queen", "striker", "puck"])
@pytest.mark.parametrize("scale", [300.0, 1153.7, 2400.0])
def test_a_disc_has_its_size_and_place_to_a_fraction_of_a_pixel(kind: str, scale: float) -> None:
    sprites = DiscSprites(scale)
    x, y, radius = 40.37, 51.8, 0.0159
    surface, (left, top) = sprites.disc(kind, radius, x, y)
    alpha = pygame.surfarray.array_alpha(surface).astype(float) / 255
    across, down = np.mgrid[0 : alpha.shape[0], 0 : alpha.shape[1]] + 0.5
    total = alpha.sum()
    assert total == pytest.approx(math.pi * (radius * scale) ** 2, rel=0.03)
    assert left + (across * alpha).sum() / total == pytest.approx(x, abs=0.5 / FINE + 0.03)
    assert top + (down * alpha).sum() / total == pytest.approx(y, abs=0.5 / FINE + 0.03)


def test_a_creeping_disc_never_jumps_by_more_than_a_quarter_pixel() -> None:
    sprites = DiscSprites(1000.0)
    places = []
    for step in range(60):
        surface, (left, _) = sprites.disc("white", 0.0159, 50 + step / 30, 50.0)
        alpha = pygame.surfarray.array_alpha(surface).astype(float)
        across = np.arange(alpha.shape[0]) + 0.5
        places.append(left + (across[:, None] * alpha).sum() / alpha.sum())
    steps = np.diff(places)
    assert steps.min() > -0.01
    assert steps.max() < 1 / FINE + 0.03


def test_sprites_are_made_once() -> None:
    sprites = DiscSprites(900.0)
    first, _ = sprites.disc("white", 0.0159, 10.1, 20.2)
    second, _ = sprites.disc("white", 0.0159, 310.1, 220.2)
    assert first is second


def test_kinds_differ_without_colour() -> None:
    """Brightness taken to a common mean, the pictures still differ: rings and marks tell."""
    sprites = DiscSprites(1500.0)
    pictures = {}
    for kind in STYLES:
        surface, _ = sprites.disc(kind, 0.0159, 40.0, 40.0)
        grey = pygame.surfarray.array3d(surface).mean(axis=2)
        inside = grey[12:-12, 12:-12]
        pictures[kind] = (inside - inside.mean()) / inside.std()
    kinds = list(pictures)
    for index, one in enumerate(kinds):
        for other in kinds[index + 1 :]:
            likeness = float((pictures[one] * pictures[other]).mean())
            assert abs(likeness) < 0.8, (one, other, likeness)


def test_the_light_comes_from_the_upper_left() -> None:
    sprites = DiscSprites(1500.0)
    surface, _ = sprites.disc("black", 0.0159, 40.0, 40.0)
    grey = pygame.surfarray.array3d(surface).mean(axis=2)
    middle = surface.get_width() // 2
    rim = round(0.0159 * 1500 * 0.95 * math.sqrt(0.5))
    assert grey[middle - rim, middle - rim] > 2 * grey[middle + rim, middle + rim]
    shadow, _ = sprites.shadow(0.0159, 40.0, 40.0)
    dark = pygame.surfarray.array_alpha(shadow).astype(float)
    across, down = np.mgrid[0 : dark.shape[0], 0 : dark.shape[1]] + 0.5
    assert (across * dark).sum() / dark.sum() > dark.shape[0] / 2 + 1
    assert (down * dark).sum() / dark.sum() > dark.shape[1] / 2 + 1


def test_a_falling_disc_shrinks_darkens_and_is_gone() -> None:
    sprites = DiscSprites(1500.0)
    weights, widths = [], []
    for progress in (0.0, 0.4, 0.8, 1.0):
        surface = sprites.falling("white", 0.0159, progress)
        widths.append(surface.get_width())
        weights.append(float(pygame.surfarray.array_alpha(surface).sum()))
    assert widths == sorted(widths, reverse=True)
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] == 0


def test_unknown_kinds_get_a_style_of_their_own_by_name() -> None:
    assert style_of("button") == style_of("button")
    assert len({style_of(name) for name in ("a", "b", "c", "d")}) > 2


def test_surfaces_need_no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not pygame.display.get_init()
    surface = to_surface(np.full((3, 5, 3), 0.5, dtype=np.float32))
    assert surface.get_size() == (5, 3)
    assert not pygame.display.get_init()
