import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
sys.path.insert(0, str(Path(__file__).parent / "demo"))

from carromsim.app.script import Stage
from carromsim.app.settings import Settings
from carromsim.i18n import set_language


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test touches the player's folders or depends on the system's language."""
    monkeypatch.setenv("CARROMSIM_HOME", str(tmp_path / "home"))
    set_language("en")
    yield
    set_language("en")


@pytest.fixture
def games() -> dict[str, Any]:
    from noughts import Asking, Hidden, Noughts, Wide

    return {game.name: game for game in (Noughts(), Asking(), Hidden(), Wide())}


@pytest.fixture
def make_stage(tmp_path: Path, games: dict[str, Any]) -> Iterator[Any]:
    stages: list[Stage] = []

    def make(
        size: tuple[int, int] = (1280, 720), settings: Settings | None = None, **keywords: Any
    ) -> Stage:
        keywords.setdefault("games", games)
        keywords.setdefault("folder", tmp_path / "saves")
        stage = Stage(size, settings=settings or Settings(language="en"), **keywords)
        stages.append(stage)
        return stage

    yield make
    for stage in stages:
        stage.close()


@pytest.fixture
def stage(make_stage: Any) -> Stage:
    result: Stage = make_stage()
    return result
