"""Pictures of tables: the same everywhere, at any size, without a screen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pygame
import pytest

from carromsim.app import board
from carromsim.app.board_plan import plan_of
from carromsim.core.errors import InvalidValue, UnreadableFile
from carromsim.physics import Disc, Layout, Table

DATA = Path(__file__).parent / "data"
CROKINOLE = {
    "name": "crokinole-like",
    "surface": {"shape": "round", "size": 0.66},
    "holes": [{"x": 0, "y": 0, "radius": 0.0175}],
    "pegs": [{"x": 0.1, "y": 0, "radius": 0.005, "repeat": 8}],
    "circles": [{"name": "inner", "x": 0, "y": 0, "radius": 0.1}],
}


@pytest.fixture(scope="module")
def table() -> Table:
    return Table.load("carrom")


@pytest.fixture(scope="module")
def opening(table: Table) -> Layout:
    return Layout([*table.layout("rack"), Disc("striker", 0.06, -0.2526)])


def pixels(surface: pygame.Surface) -> np.ndarray:
    """Height × width × RGB."""
    width, height = surface.get_size()
    data = np.frombuffer(pygame.image.tobytes(surface, "RGB"), dtype=np.uint8)
    return data.reshape(height, width, 3).astype(int)


def golden(surface: pygame.Surface, name: str) -> None:
    """Compares with the stored picture; small differences of arithmetic are let through."""
    stored = pixels(pygame.image.load(DATA / name))
    drawn = pixels(surface)
    assert drawn.shape == stored.shape
    difference = np.abs(drawn - stored)
    assert difference.mean() < 0.6, f"{name} differs by {difference.mean():.2f} on the mean"
    assert np.percentile(difference, 99.9) <= 12, name


@pytest.mark.parametrize("size", [(300, 300), (800, 600)])
def test_the_opening_looks_as_it_was_approved(
    table: Table, opening: Layout, size: tuple[int, int]
) -> None:
    surface = board.render_table(table, opening, size=size)
    golden(surface, f"board_opening_{size[0]}x{size[1]}.png")


def test_a_round_board_with_pegs_and_a_hole_looks_as_it_was_approved() -> None:
    crokinole = Table.from_json(CROKINOLE)
    layout = Layout([Disc("a", 0.05, 0.05, radius=0.015, mass=0.01)])
    surface = board.render_table(crokinole, layout, size=(360, 360))
    golden(surface, "board_round_360x360.png")


@pytest.mark.parametrize("size", [(300, 300), (640, 480), (480, 640), (1280, 720), (120, 400)])
def test_the_picture_has_the_size_asked_for_and_holds_the_whole_board(
    table: Table, opening: Layout, size: tuple[int, int]
) -> None:
    surface = board.render_table(table, opening, size=size)
    assert surface.get_size() == size
    drawn = pixels(surface)
    edge = np.concatenate([drawn[0], drawn[-1], drawn[:, 0], drawn[:, -1]])
    # nothing of the board touches the edge: only the room's even tone is there
    assert edge.max() < 85


@pytest.mark.parametrize("size", [(0, 300), (300, -1), (15, 300), (300, 9000), (300.5, 300)])
def test_a_size_that_is_none_is_refused_by_name(table: Table, size: tuple[int, int]) -> None:
    with pytest.raises(InvalidValue, match=r"width|height"):
        board.render_table(table, size=size)


def test_a_side_or_margin_that_is_none_is_refused_by_name(table: Table) -> None:
    with pytest.raises(InvalidValue, match="side"):
        board.render_table(table, side="top")
    with pytest.raises(InvalidValue, match="margin"):
        board.render_table(table, margin=0.5)
    with pytest.raises(InvalidValue, match="margin"):
        board.render_table(table, margin=float("nan"))


def test_discs_are_where_the_layout_says(table: Table) -> None:
    empty = pixels(board.render_table(table, size=(400, 400)))
    for x, y in [(0.2, 0.1), (-0.3, 0.25), (0.0, -0.33)]:
        layout = Layout([Disc("black", x, y)])
        changed = np.abs(pixels(board.render_table(table, layout, size=(400, 400))) - empty)
        weight = (changed.sum(axis=2) > 150).astype(float)
        rows, columns = np.nonzero(weight)
        scale = round(400 * 0.94) / 0.867
        assert columns.mean() + 0.5 == pytest.approx(200 + x * scale, abs=1.0)
        assert rows.mean() + 0.5 == pytest.approx(200 - y * scale, abs=1.0)


@pytest.mark.parametrize(
    ("side", "at"),
    [("south", (0.2, -0.3)), ("east", (0.3, 0.2)), ("north", (-0.2, 0.3)), ("west", (-0.3, -0.2))],
)
def test_each_side_can_be_at_the_bottom(table: Table, side: str, at: tuple[float, float]) -> None:
    """The same disc, seen from its own side, is at the lower right; the light does not turn."""
    layout = Layout([Disc("black", *at)])
    empty = pixels(board.render_table(table, size=(400, 400), side=side))
    drawn = pixels(board.render_table(table, layout, size=(400, 400), side=side))
    rows, columns = np.nonzero(np.abs(drawn - empty).sum(axis=2) > 150)
    scale = round(400 * 0.94) / 0.867
    assert columns.mean() == pytest.approx(200 + 0.2 * scale, abs=2)
    assert rows.mean() == pytest.approx(200 + 0.3 * scale, abs=2)
    # the left rail's shadow falls on the surface, the right rail's does not
    left, right = drawn[200, 42:46].mean(), drawn[200, -46:-42].mean()
    assert left < right


def test_what_has_left_the_board_is_not_drawn(table: Table) -> None:
    gone = Layout([Disc("white", 0.1, 0.1, pocketed=2), Disc("black", 0.0, 0.0, off_board=True)])
    assert np.array_equal(
        pixels(board.render_table(table, gone, size=(300, 300))),
        pixels(board.render_table(table, size=(300, 300))),
    )


def test_the_board_is_symmetric_as_its_data_are(table: Table) -> None:
    """Marks and pockets mirror: one source of geometry (wood and light do not)."""
    plan = plan_of(table)
    ends = {(round(line.x1, 9), round(line.y1, 9)) for line in plan.lines}
    ends |= {(round(line.x2, 9), round(line.y2, 9)) for line in plan.lines}
    spots = {(round(mark.x, 9), round(mark.y, 9)) for mark in plan.circles}
    holes = {(round(hole.x, 9), round(hole.y, 9)) for hole in plan.pockets}
    for points in (ends, spots, holes):
        assert points
        assert {(-x + 0.0, y) for x, y in points} == points
        assert {(-y + 0.0, x) for x, y in points} == points


def test_nothing_is_drawn_at_random(table: Table, opening: Layout) -> None:
    first = board.render_table(table, opening, size=(320, 240))
    board.board_picture.cache_clear()
    second = board.render_table(table, opening, size=(320, 240))
    assert np.array_equal(pixels(first), pixels(second))


def test_a_bare_table_of_sixty_metres_still_shows_its_disc() -> None:
    bare = Table.from_json({"name": "bare", "size": 60.0})
    empty = pixels(board.render_table(bare, size=(300, 300)))
    drawn = pixels(board.render_table(bare, Layout([Disc("white", 20, 0)]), size=(300, 300)))
    assert np.abs(drawn - empty).max() > 60


def test_png_and_array_agree_with_the_surface(table: Table, opening: Layout) -> None:
    data = board.png_bytes(table, opening, size=(200, 160))
    assert data.startswith(b"\x89PNG\r\n")
    import io

    from_png = pixels(pygame.image.load(io.BytesIO(data), "board.png"))
    array = board.render_array(table, opening, size=(200, 160))
    assert array.shape == (160, 200, 3)
    assert array.dtype == np.uint8
    assert array.std() > 30
    assert np.array_equal(from_png, array)


def test_save_png_writes_a_picture_or_says_why_not(
    table: Table, opening: Layout, tmp_path: Path
) -> None:
    path = tmp_path / "board.png"
    board.save_png(table, opening, path, size=(160, 90))
    assert pygame.image.load(path).get_size() == (160, 90)
    with pytest.raises(UnreadableFile, match="cannot write"):
        board.save_png(table, opening, tmp_path / "missing" / "board.png", size=(160, 90))


def test_a_see_through_room_is_clear_outside_the_board(table: Table) -> None:
    surface = board.render_table(table, size=(400, 200), room=None)
    assert surface.get_at((5, 100)).a == 0
    assert surface.get_at((200, 100)).a == 255


def test_paths_are_drawn_under_the_discs(table: Table) -> None:
    plain = pixels(board.render_table(table, size=(300, 300)))
    way = [(-0.3, 0.15), (0.3, 0.15)]
    drawn = pixels(board.render_table(table, size=(300, 300), paths=[way]))
    rows, _ = np.nonzero(np.abs(drawn - plain).sum(axis=2) > 60)
    assert len(rows) > 150
    assert rows.mean() == pytest.approx(150 - 0.15 * 282 / 0.867, abs=2)


def test_drawing_opens_neither_display_nor_mixer() -> None:
    code = (
        "import os\n"
        "os.environ.pop('DISPLAY', None); os.environ.pop('SDL_VIDEODRIVER', None)\n"
        "from carromsim.physics import Table\n"
        "from carromsim.app.board import png_bytes\n"
        "table = Table.load('carrom')\n"
        "assert png_bytes(table, table.layout('rack'), size=(64, 64))\n"
        "import pygame\n"
        "assert not pygame.display.get_init() and pygame.mixer.get_init() is None\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
