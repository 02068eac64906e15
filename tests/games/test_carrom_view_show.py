"""What moves when: shots from their trajectory, falls, glides, turns; and what is heard."""

from __future__ import annotations

import math

import pytest

from carromsim.app.board import DiscAt
from carromsim.physics import Disc, Layout, Shot, Table, simulate
from games.carrom.view_show import FALL, GlideScene, ShotScene, Show, TossScene, TurnScene

TABLE = Table.load("carrom")
MAN = 0.0159


def shot(layout: Layout, **how) -> ShotScene:
    return ShotScene(simulate(TABLE, layout, Shot(**how)))


def test_discs_are_where_the_simulation_has_them() -> None:
    result = simulate(TABLE, TABLE.layout("rack"), Shot(speed=5.0))
    scene = ShotScene(result)
    for t in (0.0, 0.05, 0.2, 0.7):
        exact = [disc for disc in result.trajectory.at(t) if disc.on_board]
        shown = scene.frame(t).discs
        assert [disc.kind for disc in shown] == [disc.kind for disc in exact]
        for one, other in zip(shown, exact, strict=True):
            assert (one.x, one.y) == pytest.approx((other.x, other.y), abs=1e-12)


def test_a_shot_ends_as_its_result_says() -> None:
    result = simulate(TABLE, TABLE.layout("rack"), Shot(offset=0.03, speed=5.5))
    scene = ShotScene(result)
    last = scene.frame(scene.duration)
    assert not last.falling
    on_board = [disc for disc in result.layout if disc.on_board]
    for one, other in zip(last.discs, on_board, strict=True):
        assert (one.x, one.y) == pytest.approx((other.x, other.y), abs=1e-9)


def test_nobody_waits_for_discs_that_only_spin() -> None:
    layout = Layout([Disc("white", 0.0, 0.2, spin=300.0)])
    result = simulate(TABLE, layout, Shot(offset=0.1, speed=0.5))
    assert result.time > 0.8
    assert ShotScene(result).duration < result.time


def test_a_man_falls_into_its_pocket_and_is_gone() -> None:
    pocket = TABLE.pockets[2]
    layout = Layout([Disc("white", pocket.x - 0.05, pocket.y - 0.05, vx=0.6, vy=0.6)])
    result = simulate(TABLE, layout, None)
    fell = result.events[-1] if result.events[-1].type == "pocketed" else None
    fell = fell or next(event for event in result.events if event.type == "pocketed")
    scene = ShotScene(result)
    during = scene.frame(fell.t + FALL / 2)
    assert not during.discs
    assert during.falling[0].hole == (pocket.x, pocket.y)
    assert during.falling[0].progress == pytest.approx(0.5)
    assert not scene.frame(fell.t + FALL).falling
    assert scene.duration >= fell.t + FALL


def test_sounds_are_as_loud_as_the_impulse_and_heard_once() -> None:
    layout = Layout([Disc("white", 0.0, 0.0)])
    soft, hard = shot(layout, speed=1.0), shot(layout, speed=5.0)

    def first_contact(scene: ShotScene) -> float:
        sounds = Show(0.0, [scene]).sounds(scene.duration)
        return next(sound.volume for sound in sounds if sound.name == "contact")

    assert first_contact(hard) > 2 * first_contact(soft)
    show = Show(0.0, [hard])
    once = show.sounds(0.5)
    assert once
    assert show.sounds(0.5) == []
    names = {sound.name for sound in once} | {s.name for s in show.sounds(10.0)}
    assert names <= {"contact", "frame", "pocket", "fall"}


def test_sounds_pan_with_their_place() -> None:
    scene = shot(Layout([Disc("white", 0.25, 0.0)]), offset=0.22, angle=-0.1, speed=4.0)
    sounds = Show(0.0, [scene]).sounds(scene.duration)
    contact = next(sound for sound in sounds if sound.name == "contact")
    assert contact.pan > 0.5


def test_a_break_does_not_make_a_heap_of_sounds_in_one_frame() -> None:
    scene = shot(TABLE.layout("rack"), speed=6.0)
    show = Show(0.0, [scene])
    most = max(len(show.sounds(frame / 60)) for frame in range(120))
    assert 1 <= most <= 4


def test_a_glide_moves_only_what_has_to_move() -> None:
    stays = DiscAt("white", 0.1, 0.1, MAN)
    away, home = DiscAt("black", -0.2, 0.0, MAN), DiscAt("black", 0.0, 0.0, MAN)
    glide = GlideScene([stays, away], [stays, home], (-0.34, -0.34))
    half = {disc.kind: disc.x for disc in glide.frame(glide.duration / 2).discs}
    assert half == {"white": 0.1, "black": pytest.approx(-0.1)}
    assert set(glide.frame(glide.duration).discs) == {stays, home}
    assert GlideScene([stays], [stays], (0, 0)).moves_nothing


def test_a_man_that_comes_back_comes_out_of_a_pocket() -> None:
    home = DiscAt("white", 0.0, 0.0, MAN)
    glide = GlideScene([], [home], (-0.34, -0.34))
    (start,) = glide.frame(0.0).discs
    assert (start.x, start.y) == (-0.34, -0.34)
    assert glide.frame(glide.duration).discs == (home,)


def test_a_man_taken_off_fades_where_it_lies() -> None:
    gone = DiscAt("white", 0.2, 0.0, MAN)
    glide = GlideScene([gone], [], (0, 0))
    assert glide.frame(0.1).falling[0].disc == gone
    assert not glide.moves_nothing


@pytest.mark.parametrize(("quarters", "start"), [(-1, 90), (1, -90), (2, -180), (-2, -180)])
def test_the_board_turns_from_where_it_was(quarters: int, start: float) -> None:
    scene = TurnScene([], quarters)
    assert math.degrees(scene.frame(0.0).turned) == pytest.approx(start)
    assert scene.frame(scene.duration).turned == pytest.approx(0.0)
    turned = [abs(scene.frame(scene.duration * k / 20).turned) for k in range(21)]
    assert turned == sorted(turned, reverse=True)


def test_the_toss_lands_with_white_up() -> None:
    scene = TossScene([])
    over, height = scene.frame(scene.duration - 1e-6).toss
    assert math.cos(over) == pytest.approx(1.0)
    assert height == pytest.approx(0.0)
    assert scene.frame(0.3).toss[1] > 0.5
    assert scene.duration <= 1.0


def test_a_late_frame_loses_nothing() -> None:
    scene = shot(TABLE.layout("rack"), speed=4.0)
    show = Show(1.0, [scene, TurnScene([], 2)])
    assert show.at(1.0) is not None
    assert show.end == pytest.approx(1.0 + scene.duration + 0.35)
    assert show.at(show.end) is None
    assert show.at(1.0 + scene.duration + 0.01).turned != 0
    assert show.sounds(99.0)


def test_an_aim_scene_shows_the_shot_only_once_the_striker_lies() -> None:
    from games.carrom.view_aim import Flicked
    from games.carrom.view_show import BOT_SLIDE, AimScene

    start, end = DiscAt("striker", 0.0, -0.25, 0.02), DiscAt("striker", 0.1, -0.25, 0.02)
    scene = AimScene([], start, end, Flicked(0.1, 0.2, 0.5))
    assert scene.frame(0.0).aim is None
    assert scene.frame(0.0).discs[-1].x == 0.0
    assert scene.frame(BOT_SLIDE).aim == Flicked(0.1, 0.2, 0.5)
    assert scene.frame(BOT_SLIDE).discs[-1].x == pytest.approx(0.1)
