"""The notebooks run from top to bottom and draw what they say."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from PIL import Image

NOTEBOOKS = Path(__file__).parents[2] / "docs" / "notebooks"


def pictures(notebook) -> list[np.ndarray]:
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {}).get("image/png")
            if data is not None:
                image = Image.open(io.BytesIO(base64.b64decode(data)))
                found.append(np.asarray(image.convert("RGB")))
    return found


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs(path, monkeypatch, tmp_path):
    monkeypatch.setenv("CARROMSIM_NOTEBOOK_SHOTS", "150")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "keep it without outputs"
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    drawn = pictures(notebook)
    assert len(drawn) == 2
    for picture in drawn:
        assert min(picture.shape[:2]) > 200
        assert picture.std() > 20
    text = " ".join(str(output.get("text", "")) for cell in notebook.cells
                    for output in cell.get("outputs", ()))  # fmt: skip
    assert "150 shots: a man fell in" in text
    assert "Shot(offset=" in text


def test_there_is_one():
    assert list(NOTEBOOKS.glob("*.ipynb"))
