"""Triominos on the desktop, played through the shell off-screen: by mouse, by keys, by meaning."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from carromsim.app import shapes
from carromsim.app.input import Cancel, Command, Drag, Point, Press, Release, Spot, Turn
from carromsim.app.panel import Facts, Lines
from carromsim.app.scenes.dialogs import Curtain
from carromsim.app.script import Stage
from carromsim.app.settings import Settings
from carromsim.app.view import Export, Play, Say
from carromsim.bots.player import Budget
from carromsim.core.game import CHANCE
from carromsim.core.record import Seat
from carromsim.core.registry import load_game
from carromsim.core.session import Session
from games.triominos import rules
from games.triominos.grid import cell_at, centre, corners, position
from games.triominos.notation import board_from_json, place_from_json, tile_text
from games.triominos.rack_plan import rack_plan, sorted_rack
from games.triominos.state import DEAL, OVER, PLAY, TILES, Board, Draw, End, Place, Rules, State
from games.triominos.tile_drawing import cell_outline, triangle
from games.triominos.tips import lost_gaps, tiles_to_keep, tip_for
from games.triominos.words import events_text, refusal_text, tip_text

GAME = load_game("triominos")
DATA = Path(__file__).parent / "data" / "triominos_cases.json"
CASES = {case["id"]: case for case in json.loads(DATA.read_text())["cases"]}
BOT = Seat("bot", 2)
HUMAN = Seat()


@pytest.fixture
def make(tmp_path):
    stages = []

    def stage(session, *, size=(1000, 700), theme="dark", animation="off", **view):
        settings = Settings(theme=theme, animation=animation, views={"triominos": view})
        made = Stage(size, settings=settings, games={"triominos": GAME}, folder=tmp_path)
        stages.append(made)
        made.play(session)
        return made

    yield stage
    for made in stages:
        made.close()


def begin(seats=(HUMAN, BOT), seed=5, **options):
    options = {"seats": len(seats), "play_to": None, **options}
    return Session.start(GAME, options, seed=seed, seats=seats)


def state_of(board, rack, *, others=1, pool=0, scores=(0, 0)):
    """A state with these tiles on the table and on the first rack."""
    rest = [tile for tile in TILES if tile not in board.tiles and tile not in rack]
    pool_tiles = rest[len(rest) - pool :] if pool else []
    rest = rest[: len(rest) - pool]
    return State(
        rules=Rules(play_to=None),
        racks=(tuple(rack), tuple(rest)),
        phase=PLAY,
        board=board,
        pool=tuple(sorted(pool_tiles)),
        scores=scores,
        round=1,
        starter=0,
    )


def at(state, seats=(HUMAN, BOT)):
    return Session.start(
        GAME, {"seats": 2, "play_to": None}, seed=1, seats=seats, state=GAME.to_json(state)
    )


def case_board(key):
    return board_from_json(CASES[key]["placed"])


def view_of(stage):
    return stage.game.view


def tray_pixel(stage, tile):
    view = view_of(stage)
    rack = view._rack
    x, y = rack_plan(len(rack)).places[rack.index(tile)]
    return stage.game.area.tray_camera().to_pixels(x, y)


# whole rounds ----------------------------------------------------------------------------------


def choose(state, seat):
    """A placement for the seat, or None."""
    found = rules.placements(state.board, rules.known(state.racks[seat]))
    return max(found, key=lambda p: rules.score(state.board, p, state.rules).total, default=None)


def play_by_mouse(stage):
    """The seat's turn with the pointer alone."""
    view, session = view_of(stage), stage.game.flow.session
    state, seat = session.state, session.to_move()
    place = choose(state, seat)
    if place is None:
        wanted = "draw" if Draw() in GAME.legal(state) else "end"
        stage.press(next(b.label for b in view.panel().buttons if b.command == wanted))
        return
    stage.click(*tray_pixel(stage, place.tile))
    assert view._hand.tile == place.tile
    spot = stage.pixel(*centre(place.cell))
    stage.click(*spot)
    assert view._hand.pending is not None
    assert session.state is state, "nothing is played before it is confirmed"
    stage.click(*spot)


def play_by_keys(stage):
    """The seat's turn with the keyboard alone."""
    view, session = view_of(stage), stage.game.flow.session
    state, seat = session.state, session.to_move()
    place = choose(state, seat)
    if place is None:
        stage.key("D" if Draw() in GAME.legal(state) else "T")
        return
    for _ in range(len(view._rack)):
        stage.key("Right")
        if view._hand.tile == place.tile:
            break
    stage.key("Up")
    assert view._hand.pending is not None
    stage.key("Enter")


@pytest.mark.parametrize(
    ("play", "seats", "seed"),
    [(play_by_mouse, (HUMAN, BOT), 3), (play_by_keys, (BOT, HUMAN, Seat("bot", 1)), 4)],
    ids=["mouse", "keys"],
)
def test_a_whole_round(make, play, seats, seed):
    session = begin(seats, seed)
    stage = make(session, size=(640, 480))
    for _turn in range(200):
        stage.settle()
        if stage.game.flow.over:
            break
        before = len(session)
        play(stage)
        assert len(session) > before, "every turn does something"
    assert session.outcome() is not None
    panel = view_of(stage).panel()
    assert [row.score for row in panel.seats] == [
        str(total).replace("-", "−") for total in session.state.scores
    ]
    assert [button.command for button in panel.buttons] == ["csv"]
    again = Session.resume(GAME, session.record)
    assert again.state == session.state


def test_a_round_of_people_behind_the_curtain(make):
    session = begin((HUMAN, HUMAN), 6)
    stage = make(session)
    turns = 0
    while turns < 6:
        stage.until(lambda: isinstance(stage.desk.scene, Curtain) or view_of(stage).my_turn)
        if isinstance(stage.desk.scene, Curtain):
            assert not stage.game.side.panel().seats, "the curtain hides everything"
            stage.key("Enter")
            continue
        mover = session.to_move()
        shown = view_of(stage).situation
        assert shown.perspective == mover
        assert set(shown.state.racks[1 - mover]) == {None}
        assert set(shown.state.pool) == {None}
        assert set(view_of(stage)._rack) == set(session.state.racks[mover])
        play_by_keys(stage)
        turns += session.to_move() != mover


def test_between_rounds_a_word_is_waited_for(make):
    state = state_of(Board([Place((0, 0, 0), (5, 5, 5))]), [(4, 5, 5)], pool=46)
    session = Session.start(
        GAME,
        {"seats": 2, "play_to": 1000},
        seed=1,
        seats=(HUMAN, Seat("bot", 1)),
        state=GAME.to_json(replace(state, rules=Rules(play_to=1000))),
    )
    stage = make(session)
    play_by_keys(stage)
    stage.settle()
    view = view_of(stage)
    stage.run(1.0)
    assert session.state.phase == DEAL
    panel = view.panel()
    assert [button.command for button in panel.buttons] == ["next", "csv"]
    titles = [section.title for section in panel.sections]
    assert "Left on the racks" in titles
    stage.press("Next round")
    stage.settle()
    assert session.state.round == 2
    assert view.my_turn or session.outcome() is not None


# the board: hit test, zoom, pan, fit -------------------------------------------------------------


def strip(direction):
    """The strip of 44 tiles, turned by so many sixths, far from the origin."""
    placed = [place_from_json(item) for item in CASES["T34"]["placed"]]
    for _ in range(direction):
        placed = [_turned(place) for place in placed]
    return Board(
        Place((p.cell[0] - 7000, p.cell[1] + 900, p.cell[2]), p.tile, p.rotation) for p in placed
    )


def _turned(place):
    x, y, down = place.cell
    if down:
        return Place((x + y + 1, -x - 1, 0), place.tile, (place.rotation + 1) % 3).normal()
    return Place((x + y, -x - 1, 1), place.tile, place.rotation).normal()


@pytest.mark.parametrize("direction", [0, 1, 2])
def test_the_strip_of_44_is_shown_whole_and_hit_exactly_at_every_zoom(make, direction):
    board = strip(direction)
    rest = [tile for tile in TILES if tile not in board.tiles]
    stage = make(at(state_of(board, rest[:9])), size=(800, 600))
    scene = stage.game
    area = pygame.Rect(scene.area.board)
    for cell in board.cells:
        for vertex in corners(cell):
            assert area.collidepoint(scene.camera().to_pixels(*position(vertex)))
    rng = random.Random(direction)
    hit = 0
    for zoom in range(8):
        for cell in rng.sample(list(board.cells), 20):
            # points of the cell a hundredth inside its edge, and its middle
            for px, py in [(0, 0), *triangle(bool(cell[2]), inset=0.01, radius=0.0)]:
                cx, cy = centre(cell)
                pixel = scene.camera().to_pixels(cx + px, cy + py)
                if not area.collidepoint(pixel):
                    continue
                hit += 1
                spot = scene.area.spot(*pixel)
                assert cell_at(spot.x, spot.y) == cell
        x, y = scene.camera().to_pixels(*centre(board.placed[zoom * 5].cell))
        stage.wheel(x, y, 1 if zoom < 6 else -3, ctrl=True)
    assert hit > 500


def test_zoom_at_the_pointer_pan_and_fit(make):
    board = case_board("T29")
    stage = make(at(state_of(board, [(1, 1, 2), (0, 0, 3)], pool=10)))
    scene = stage.game
    fitted = scene.camera().scale
    spot = stage.pixel(*centre((0, 0, 0)))
    before = scene.area.spot(*spot)
    stage.wheel(*spot, 3, ctrl=True)
    after = scene.area.spot(*spot)
    assert scene.camera().scale > fitted
    assert (after.x, after.y) == pytest.approx((before.x, before.y))
    middle = scene.area.board.center
    here = scene.area.spot(*middle)
    stage.drag([middle, (middle[0] + 90, middle[1] + 40)])
    there = scene.area.spot(middle[0] + 90, middle[1] + 40)
    assert (there.x, there.y) == pytest.approx((here.x, here.y), abs=0.02), "the table follows"
    assert view_of(stage)._hand.tile is None
    stage.key("0")
    assert scene.camera().scale == pytest.approx(fitted)


def test_a_tile_that_lands_out_of_sight_brings_the_whole_board_back(make):
    board = Board([Place((0, 0, 0), (5, 5, 5))])
    session = at(state_of(board, [(4, 5, 5), (0, 0, 0)], pool=30), seats=(HUMAN, HUMAN))
    stage = make(session)
    scene = stage.game
    if isinstance(stage.desk.scene, Curtain):
        stage.key("Enter")
    fitted = scene.camera().scale
    x, y = stage.pixel(*centre((0, 0, 0)))
    stage.wheel(x, y, 12, ctrl=True)
    stage.drag([(x, y), (x + 250, y + 150)])
    zoomed = scene.camera().scale
    assert zoomed > 2 * fitted
    place = rules.placements(board, [(4, 5, 5)])[0]
    scene.intents([Play(place)])
    assert scene.camera().scale < zoomed
    shown = scene.area.spot(*scene.area.board.center)
    assert abs(shown.x) < 4 and abs(shown.y) < 4


def test_a_tile_that_lands_in_sight_leaves_the_zoom_alone(make):
    board = Board([Place((0, 0, 0), (5, 5, 5))])
    session = at(state_of(board, [(4, 5, 5), (0, 0, 0)], pool=30), seats=(HUMAN, HUMAN))
    stage = make(session)
    if isinstance(stage.desk.scene, Curtain):
        stage.key("Enter")
    scene = stage.game
    stage.wheel(*stage.pixel(*centre((0, 0, 0))), 2, ctrl=True)
    zoomed = scene.camera().scale
    scene.intents([Play(rules.placements(board, [(4, 5, 5)])[0])])
    assert scene.camera().scale == pytest.approx(zoomed)


# the tile in hand --------------------------------------------------------------------------------


def test_the_ghost_snaps_and_turns_to_fit(make):
    board = Board([Place((0, 0, 0), (1, 2, 3))])
    stage = make(at(state_of(board, [(2, 3, 3), (0, 0, 0)], pool=20)))
    view = view_of(stage)
    stage.click(*tray_pixel(stage, (2, 3, 3)))
    legal = view._hand.legal_cells
    assert legal
    cell = legal[0]
    x, y = centre(cell)
    away = 0.3 if cell_at(x + 0.3, y) != (0, 0, 0) else -0.3
    stage.move(*stage.pixel(x + away, y))
    ghost = view._hand.ghost()
    assert ghost.cell == cell
    assert rules.misfit(board, ghost) is None
    stage.wheel(*stage.pixel(x, y), 1)
    assert rules.misfit(board, view._hand.ghost()) is None, "over a legal cell it stays fitting"


def test_the_wheel_turns_and_ctrl_wheel_zooms(make):
    board = Board([Place((0, 0, 0), (1, 2, 3))])
    stage = make(at(state_of(board, [(2, 3, 4), (0, 0, 0)], pool=20)))
    view, scene = view_of(stage), stage.game
    stage.click(*tray_pixel(stage, (2, 3, 4)))
    far = stage.pixel(1.9, 1.7)
    stage.move(*far)
    scale = scene.camera().scale
    seen = {view._hand.ghost().rotation}
    for _ in range(2):
        stage.wheel(*far, 1)
        seen.add(view._hand.ghost().rotation)
    assert seen == {0, 1, 2}
    assert scene.camera().scale == scale
    stage.wheel(*far, 1, ctrl=True)
    assert scene.camera().scale > scale
    for key, grows in (("+", True), ("-", False)):
        scale = scene.camera().scale
        stage.key(key)
        assert (scene.camera().scale > scale) is grows


def test_r_goes_through_the_rotations_that_fit(make):
    stage = make(at(state_of(Board(), [(1, 2, 3), (0, 0, 0)], pool=30)))
    view = view_of(stage)
    stage.click(*tray_pixel(stage, (1, 2, 3)))
    stage.click(*stage.pixel(*centre((0, 1, 1))))
    assert view._hand.pending.cell == (0, 1, 1), "an empty board takes a tile anywhere"
    seen = [view._hand.pending.rotation]
    for _ in range(3):
        stage.key("R")
        seen.append(view._hand.pending.rotation)
    assert seen in ([0, 1, 2, 0], [1, 2, 0, 1], [2, 0, 1, 2])
    panel = view.panel()
    assert [button.command for button in panel.buttons] == ["act", "put_back", "turn"]
    stage.key("Esc")
    assert view._hand.pending is None
    assert view._hand.tile == (1, 2, 3)


def test_why_a_placement_is_refused(make):
    board = Board([Place((0, 0, 0), (1, 2, 3))])
    stage = make(at(state_of(board, [(0, 0, 0), (2, 3, 4)], pool=20)))
    view, scene = view_of(stage), stage.game
    stage.click(*tray_pixel(stage, (0, 0, 0)))
    stage.click(*stage.pixel(*centre((0, 0, 1))))
    assert scene.side.said.text == "0-0-0 does not fit here: corner 0 ≠ 2, 0 ≠ 3."
    assert scene.side.said.tone == "warning"
    assert view._hand.pending is None
    stage.click(*stage.pixel(*centre((0, 0, 0))))
    assert scene.side.said.text == "A tile lies here already."
    stage.click(*stage.pixel(*centre((1, 0, 0))))
    assert "share a side" in scene.side.said.text
    stage.key("Esc", "Esc")


def test_a_tile_can_be_dragged_and_a_placement_taken_back(make):
    board = Board([Place((0, 0, 0), (1, 2, 3))])
    session = at(state_of(board, [(2, 3, 3), (0, 0, 0)], pool=20))
    stage = make(session)
    view = view_of(stage)
    cell = rules.placements(board, [(2, 3, 3)])[0].cell
    stage.drag([tray_pixel(stage, (2, 3, 3)), stage.pixel(*centre(cell))])
    assert view._hand.pending.cell == cell
    stage.board(Cancel())
    assert view._hand.pending is None
    assert len(session) == 0
    stage.drag([tray_pixel(stage, (2, 3, 3)), stage.pixel(*centre(cell))])
    stage.press("Place")
    assert len(session.state.board) >= 2


def test_without_confirmation_a_tile_lies_at_once(make):
    board = Board([Place((0, 0, 0), (1, 2, 3))])
    session = at(state_of(board, [(2, 3, 3), (0, 0, 0)], pool=20), seats=(HUMAN, HUMAN))
    stage = make(session, confirm=False)
    if isinstance(stage.desk.scene, Curtain):
        stage.key("Enter")
    cell = rules.placements(board, [(2, 3, 3)])[0].cell
    stage.click(*tray_pixel(stage, (2, 3, 3)))
    stage.click(*stage.pixel(*centre(cell)))
    assert len(session) == 1


def test_a_draw_cannot_be_taken_back(make):
    board = Board([Place((0, 0, 0), (1, 2, 3))])
    session = at(state_of(board, [(0, 0, 0), (0, 0, 1)], pool=20))
    stage = make(session)
    stage.key("D")
    stage.settle()
    assert len(session) == 2
    stage.key("Ctrl+Z")
    assert len(session) == 2
    panel = view_of(stage).panel()
    assert not next(b for b in panel.buttons if b.command == "shell.undo").enabled
    assert panel.message.startswith("You drew ")
    assert panel.seats[0].badges[0].text == "drew 1 of 3"


def test_clicks_during_a_bots_turn_move_nothing(make):
    board = Board([Place((0, 0, 0), (1, 2, 3))])
    state = state_of(board, [(2, 3, 3), (0, 0, 0)], pool=20)
    session = at(state, seats=(BOT, HUMAN))
    stage = make(session, animation="on")
    view = view_of(stage)
    view.input(Press(Spot(0, 0, "tray")), 0.0)
    assert list(view.input(Command("draw"), 0.0)) == []
    assert list(view.input(Turn(1), 0.0)) == []
    assert view._hand.tile is None


def test_keys_reach_every_cell_where_a_tile_fits(make):
    board = case_board("T29")
    rack = [tuple(tile) for tile in CASES["T29"]["rack"]]
    stage = make(at(state_of(board, rack, pool=20)))
    view = view_of(stage)
    tile = (1, 1, 2)
    view._hand.take(tile)
    cells = set(view._hand.legal_cells)
    assert len(cells) == 3
    stage.key("Up")
    seen = {view._hand.pending.cell}
    for key in ("Up", "Right", "Down", "Left") * 3:
        if view._hand.pending is None:
            view._hand.take(tile)
            stage.key("Up")
        stage.key(key)
        if view._hand.pending is not None:
            seen.add(view._hand.pending.cell)
    assert seen == cells
    view._hand.take((0, 2, 4))
    view._on_board = False
    stage.key("Up")
    assert "fits nowhere" in stage.game.side.said.text


# marks, panel, sheet -----------------------------------------------------------------------------


def test_gaps_that_no_tile_can_fill_are_marked(make):
    board = case_board("T25")
    stage = make(at(state_of(board, [(0, 0, 0), (1, 1, 1)], pool=20)))
    stage.frame()
    assert (0, 0, 0) in view_of(stage)._gaps[1]


def test_racks_can_be_sorted(make):
    rack = ((1, 2, 3), (0, 0, 5), (4, 4, 4))
    assert sorted_rack(rack, "taken") == rack
    assert sorted_rack(rack, "sum") == ((4, 4, 4), (1, 2, 3), (0, 0, 5))
    assert sorted_rack(rack, "numbers") == ((0, 0, 5), (1, 2, 3), (4, 4, 4))
    stage = make(at(state_of(Board([Place((0, 0, 0), (1, 1, 1))]), rack, pool=20)), order="taken")
    assert view_of(stage)._rack == rack
    stage.key("S")
    assert view_of(stage)._rack == sorted_rack(rack, "sum")


@pytest.mark.parametrize("count", range(1, 39))
def test_every_rack_has_a_place_for_each_tile(count):
    plan = rack_plan(count)
    assert len(plan.places) == count
    for i, (x, y) in enumerate(plan.places):
        assert plan.at(x, y) == i
        assert abs(x) + 0.5 <= plan.width / 2
        assert -plan.height / 2 <= y - 0.29 and y + 0.58 <= plan.height / 2


def test_panel_shows_counts_pool_and_unseen_tiles(make):
    board = case_board("T28")
    rack = [tuple(tile) for tile in CASES["T28"]["rack"]]
    stage = make(at(state_of(board, rack, pool=30)), show_unseen=True)
    panel = view_of(stage).panel()
    assert panel.seats[0].details == ("7 tiles",)
    assert panel.seats[1].details == ("7 tiles",)
    facts = next(section for section in panel.sections if isinstance(section, Facts))
    assert ("Pool", "30 tiles") in facts.rows
    unseen = next(s for s in panel.sections if isinstance(s, Lines) and "seen" in s.title)
    assert set(unseen.lines) == {
        tile_text(tile) for tile in TILES if tile not in board.tiles and tile not in rack
    }


def test_the_sheet_in_the_panel_and_as_csv(make):
    board = case_board("T13")
    session = at(state_of(board, [(3, 4, 4), (0, 0, 0)], pool=20, scores=(10, 5)))
    stage = make(session)
    stage.game.intents([Play(place_from_json(CASES["T13"]["move"]))])
    view = view_of(stage)
    panel = view.panel()
    sheet = next(s for s in panel.sections if isinstance(s, Lines))
    assert sheet.lines[0] == "South  3+4+4+40=51  ·  61"
    (export,) = view.input(Command("csv"), 0.0)
    assert isinstance(export, Export)
    assert export.name.endswith(".csv")
    assert export.text.splitlines()[1] == "1,1,South,placed,3-4-4,bridge,3+4+4+40=51,51,61"


def test_a_hint_is_shown_with_its_reason(make):
    board = case_board("T23")
    session = at(state_of(board, [(3, 4, 5), (0, 0, 0)], pool=20))
    stage = make(session)
    view = view_of(stage)
    place = place_from_json(CASES["T23"]["move"])
    said = [intent for intent in view.hinted(place) if isinstance(intent, Say)]
    assert said[0].text == "Hint: 3-4-5 here. Double hexagon: 60 points more."
    assert view._hand.pending == place
    assert len(session) == 0
    said = [intent for intent in view.hinted(Draw()) if isinstance(intent, Say)]
    assert said[0].text.startswith("Hint: draw.")
    stage.key("H")
    stage.until(lambda: stage.game.side.said is not None and "Hint" in stage.game.side.said.text)


def test_the_rulebooks_tips():
    five = board_from_json(CASES["T26"]["placed"])
    assert lost_gaps(five) == ((0, 0, 0),)
    four = case_board("T19")  # the hexagon round (0, 0) lacks two tiles
    free = [cell for cell in ((0, -1, 1), (0, 0, 0)) if cell not in four.cells]
    assert len(free) == 2
    closing = [t for cell in free for t, _ in rules.fitting(rules.needs(four, cell))]
    known = [
        t
        for cell in free
        if None not in rules.needs(four, cell)
        for t, _ in rules.fitting(rules.needs(four, cell))
    ]
    assert set(tiles_to_keep(four, TILES)) <= set(closing)
    assert set(known) <= set(tiles_to_keep(four, TILES))
    state = state_of(case_board("T23"), [(3, 4, 5)], pool=20)
    place = place_from_json(CASES["T23"]["move"])
    assert tip_for(state, 0, place).code == "go_out"
    board = Board([Place((0, 0, 0), (1, 2, 3))])
    state = state_of(board, [(2, 3, 3), (3, 3, 3), (0, 0, 0)], pool=20)
    tip = tip_for(state, 0, rules.placements(board, [(2, 3, 3)])[0])
    assert tip.code == "room"
    assert "1 of your other tiles fits" in tip_text(tip)
    assert tip_for(state, 0, End()).code == "draw"


def test_every_event_has_words():
    names = ("South", "North")
    told = set()
    for seed in range(12):
        session = Session.start(
            GAME, {"play_to": None, "start": "triple" if seed % 4 == 0 else "draw"}, seed=seed
        )
        rng = random.Random(seed)
        while session.to_move() is not None:
            if session.to_move() == CHANCE:
                session.roll()
            else:
                session.play(rng.choice(GAME.legal(session.state)))
            for event in session.events[-1]:
                told.add(event.kind)
                text = events_text([event], names)
                assert text or event.kind in ("draws", "round")
                assert "None" not in text and "{" not in text
    assert {"dealt", "starts", "placed", "drawn", "ended", "went_out"} <= told


def test_refusals_in_words():
    board = Board([Place((0, 0, 0), (1, 2, 3))])
    assert refusal_text(board, Place((0, 0, 1), (2, 3, 3))) == ""
    assert refusal_text(board, Place((0, 0, 1), (2, 3, 3), 1)).endswith("corner 3 ≠ 2.")
    assert "already" in refusal_text(board, Place((0, 0, 1), (1, 2, 3)))


# pictures ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "theme"),
    [((640, 480), "dark"), ((800, 600), "light"), ((1920, 1080), "dark"), ((600, 900), "light")],
)
def test_it_is_drawn_at_every_size(make, size, theme):
    session = begin((HUMAN, BOT, BOT, BOT), 7)
    for _ in range(20):
        if session.to_move() == CHANCE:
            session.roll()
        elif session.to_move() is not None:
            bot = GAME.bot(2)
            state = session.state
            session.play(bot.choose(state, state.turn, random.Random(1), Budget()))
    stage = make(session, size=size, theme=theme)
    stage.settle()
    surface, scene = stage.screen.surface, stage.game
    ivory = scene.desk.theme.rgb("triominos.tile")
    for cell in session.state.board.cells:
        x, y = scene.camera().to_pixels(*centre(cell))
        # plain ivory lies between the coloured corners and the dot in the middle
        near = [surface.get_at((round(x) + dx, round(y) + dy))[:3] for dx in (-3, 3) for dy in (0,)]
        apart = min(sum(abs(a - b) for a, b in zip(p, ivory, strict=True)) for p in near)
        assert apart < 90
    assert scene.area.tray.height > 40
    assert not scene.area.tray.colliderect(scene.area.board)


def test_a_picture_scaled_down_does_not_darken_at_its_edge():
    pygame.init()
    picture = pygame.Surface((90, 90), pygame.SRCALPHA)
    pygame.draw.circle(picture, (240, 230, 210, 255), (45, 45), 40)
    small = shapes.shrunk(picture, (31, 31))
    for x in range(31):
        for y in range(31):
            red, _green, blue, alpha = small.get_at((x, y))
            assert alpha < 16 or (red > 220 and blue > 190)


def test_tiles_stay_inside_their_cells():
    for cell in [(0, 0, 0), (3, -2, 1)]:
        for x, y in cell_outline(cell):
            assert cell_at(x, y) == cell


def test_animations_end_and_can_be_skipped(make):
    session = begin((HUMAN, BOT), 5)
    stage = make(session, animation="normal")
    stage.frame()
    view = view_of(stage)
    stage.until(lambda: view.busy(stage.game.now), 5)
    stage.key("Enter")
    assert not view.busy(stage.game.now), "any key ends what is shown"
    stage.settle()
    assert session.state.phase in (PLAY, OVER)


def test_pointing_and_leaving(make):
    board = Board([Place((0, 0, 0), (1, 2, 3))])
    stage = make(at(state_of(board, [(2, 3, 3), (0, 0, 0)], pool=20)))
    view = view_of(stage)
    stage.board(Point(Spot(0, 0)))
    assert view._hand.ghost() is None
    stage.click(*tray_pixel(stage, (2, 3, 3)))
    assert view._hand.tile == (2, 3, 3)
    stage.click(*tray_pixel(stage, (2, 3, 3)))
    assert view._hand.tile == (2, 3, 3), "a double click is no more than a click"
    stage.run(0.6)
    stage.click(*tray_pixel(stage, (2, 3, 3)))
    assert view._hand.tile is None, "a later click puts it back"
    start = Spot(0, 0)
    assert list(view.input(Drag(Spot(1, 1), start=start), 0.0)), "the table moves"
    view.input(Release(Spot(1, 1), start=start), 0.0)
