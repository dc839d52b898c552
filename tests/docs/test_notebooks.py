"""The notebooks run from top to bottom, and show what they showed when they were kept."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


def kinds(cell: Any) -> list[tuple[str, ...]]:
    return [tuple(sorted(output.get("data", ()))) for output in cell["outputs"]]


@pytest.mark.filterwarnings("default")  # those of the notebook's own machinery
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path) -> None:
    spec = importlib.util.spec_from_file_location("run", DOCS / "notebooks" / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    kept = json.loads(path.read_text(encoding="utf-8"))
    ran = module.run(path)
    for old, new in zip(kept["cells"], ran.cells, strict=True):
        if old["cell_type"] != "code":
            continue
        assert kinds(old) == kinds(new)
        for before, after in zip(old["outputs"], new["outputs"], strict=True):
            for form in ("text/html", "image/svg+xml"):
                if form in before["data"]:
                    assert "".join(before["data"][form]) == "".join(after["data"][form])


def test_there_is_one() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["from-rules-to-bluff"]
