"""Figures show what the rates say, on true scales, in files that depend on the data alone."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

from carromsim.core.errors import InvalidValue, UnreadableFile
from carromsim.physics import Table
from carromsim.stats import by, load
from carromsim.stats.figures import curve, draw_board, heatmap, scatter
from carromsim.stats.style import new_figure, save


@pytest.fixture(scope="module")
def results(batch_files):
    return load(batch_files["parquet"])


def words_of(figure) -> str:
    texts = figure.findobj(mpl.text.Text)
    return " | ".join(text.get_text() for text in texts if text.get_text())


def test_the_heatmap_shows_shares_over_angle_and_strength(results):
    figure = heatmap(results, "man", bins=6)
    axes, bar = figure.axes
    mesh = axes.collections[0]
    shares = mesh.get_array()
    assert shares.shape == (4, 6)
    left, right = axes.get_xlim()
    assert left > right  # the player's left is on the left
    chosen = (np.degrees(results.angle) >= 0) & (np.degrees(results.angle) < 30)
    chosen &= (results.strength >= 0.5) & (results.strength < 0.75)
    expected = (results.choose(chosen).men_pocketed > 0).mean()
    assert shares[2, 3] == pytest.approx(expected)
    text = words_of(figure)
    for words in ("angle", "strength", "share of shots that pocket a man", "160 shots"):
        assert words in text
    assert bar.yaxis.get_major_formatter()(0.25) == "25 %"
    assert bar.get_ylim()[1] <= 1.0


def test_cells_with_few_shots_stay_empty(results):
    figure = heatmap(results.choose(results.angle > 0), "man", bins=40)
    shares = figure.axes[0].collections[0].get_array()
    assert np.ma.getmaskarray(np.ma.masked_invalid(shares)).any()
    assert "fewer than" in words_of(figure)


def test_curves_carry_confidence_bands(results):
    figure = curve(results, "strength", ("man", "foul"), bins=4)
    axes = figure.axes[0]
    bins = by(results, "strength", bins=4)
    man, foul = axes.get_lines()
    assert man.get_ydata() == pytest.approx([part.rates.man.share for part in bins])
    assert foul.get_ydata() == pytest.approx([part.rates.foul.share for part in bins])
    band = axes.collections[0].get_paths()[0].vertices
    for part in bins:
        heights = band[np.isclose(band[:, 0], part.middle), 1]
        assert heights.min() == pytest.approx(part.rates.man.low)
        assert heights.max() == pytest.approx(part.rates.man.high)
    text = words_of(figure)
    for words in ("a man falls", "a foul", "95 % confidence", "strength of the shot", "m/s"):
        assert words in text
    # told apart by marks and labels too, not by colour alone
    assert man.get_marker() != foul.get_marker()


@pytest.mark.parametrize("axis", ["angle", "speed", "offset"])
def test_every_axis_has_its_unit(results, axis):
    label = curve(results, axis, bins=3).axes[0].get_xlabel()
    assert {"angle": "°", "speed": "m/s", "offset": "mm"}[axis] in label


def test_the_board_under_a_scatter_is_true_to_scale():
    table = Table.load("carrom")
    axes = new_figure(4, 4).add_subplot()
    half = draw_board(axes, table)
    assert half == pytest.approx(0.37 + 0.0635, rel=2e-3)
    picture = np.asarray(axes.images[0].get_array()).astype(float).mean(axis=2)
    pixels = len(picture)
    pocket = table.pockets[0]

    def tone(x, y):
        column, row = (x + half) / (2 * half) * pixels, (half - y) / (2 * half) * pixels
        return picture[int(row) - 2 : int(row) + 3, int(column) - 2 : int(column) + 3].mean()

    # the pocket's hole is dark where physics has it, wood is bright just beside it
    for sx, sy in ((1, 1), (-1, 1), (1, -1), (-1, -1)):
        assert tone(sx * pocket.x, sy * pocket.y) < 70
        assert tone(sx * (abs(pocket.x) - 0.04), sy * (abs(pocket.y) - 0.04)) > 150


def test_scatter_draws_discs_of_true_size_at_their_places(results):
    figure = scatter(results, ("queen",))
    axes = figure.axes[0]
    x, y = results.rests.lying("queen")
    circles = [patch for patch in axes.patches if isinstance(patch, mpl.patches.Circle)]
    assert [patch.center for patch in circles] == list(zip(x, y, strict=True))
    assert {patch.radius for patch in circles} == {0.0159}
    assert axes.get_aspect() == 1.0
    assert "queen" in words_of(figure)
    assert "20 cm" in words_of(figure)


def test_many_discs_become_a_density(results, monkeypatch):
    monkeypatch.setattr("carromsim.stats.figures.MANY", 50)
    figure = scatter(results, ("queen",))
    density = figure.axes[0].images[1].get_array()
    x, _ = results.rests.lying("queen")
    cell = (0.74 / len(density)) ** 2 * 100  # dm²
    assert density.sum() * cell == pytest.approx(100 * len(x) / len(results), rel=1e-6)
    assert "discs per dm² in 100 shots" in words_of(figure)


def test_a_file_without_rests_says_what_to_make(batch_files):
    with pytest.raises(InvalidValue, match=r"make a \.parquet or \.jsonl file"):
        scatter(load(batch_files["csv"]))
    with pytest.raises(InvalidValue, match="no blue lies on the board"):
        scatter(load(batch_files["jsonl"]), ("blue",))


def test_files_depend_on_the_figure_alone(results, tmp_path):
    for suffix in ("png", "svg"):
        save(curve(results, "strength", bins=3), tmp_path / f"a.{suffix}", 60)
        save(curve(results, "strength", bins=3), tmp_path / f"b.{suffix}", 60)
        assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()
    ET.parse(tmp_path / "a.svg")
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size == (480, 300)


def test_drawing_leaves_matplotlib_as_it_was(results):
    before = dict(mpl.rcParams)
    heatmap(results, bins=4)
    assert dict(mpl.rcParams) == before


def test_a_picture_that_cannot_be_written(results, tmp_path):
    figure = curve(results, "strength", bins=3)
    with pytest.raises(InvalidValue, match=r"out: must end in \.png, \.svg, \.pdf"):
        save(figure, tmp_path / "a.bmp")
    (tmp_path / "file").write_text("")
    with pytest.raises(UnreadableFile, match="cannot write"):
        save(figure, tmp_path / "file" / "a.png")
