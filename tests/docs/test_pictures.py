"""The pictures of the pages are those that the code makes: `make gallery` would change nothing."""

from __future__ import annotations

import importlib.util
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from infoset import solve
from infoset.games import LIBRARY, kuhn, poker

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SMALL = 20_000  # nodes of a game that is built again here


def maker() -> Any:
    spec = importlib.util.spec_from_file_location("pictures", DOCS / "pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def sections() -> dict[str, str]:
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    parts = re.split(r"^## `(\w+)`.*$", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_game_has_its_picture_its_size_its_value_and_its_rules() -> None:
    assert set(sections()) == set(LIBRARY)
    for name, words in sections().items():
        assert f"gallery/{name}.svg" in words
        assert f"<!-- rules of {name} -->" in words
        assert re.search(r"[\d,]+ nodes, [\d,]+ information sets; ", words)
        assert ElementTree.parse(DOCS / "gallery" / f"{name}.svg").getroot().tag.endswith("svg")


@pytest.mark.parametrize("name", sorted(LIBRARY))
def test_what_the_page_says_is_what_the_code_makes(name: str, tmp_path: Path) -> None:
    told = sections()[name]
    nodes = re.search(r"([\d,]+) nodes", told)
    assert nodes is not None
    if int(nodes[1].replace(",", "")) > SMALL:
        pytest.skip("too large to be built for a picture")
    module = maker()
    (tmp_path / "gallery").mkdir()
    module.DOCS = tmp_path
    made = module.section(name, LIBRARY[name])
    assert made.partition("\n\n")[2] == told.strip()
    kept = (DOCS / "gallery" / f"{name}.svg").read_text(encoding="utf-8")
    assert (tmp_path / "gallery" / f"{name}.svg").read_text(encoding="utf-8") == kept


def test_the_pictures_of_the_readme(tmp_path: Path) -> None:
    module = maker()
    module.DOCS = tmp_path
    module.readme()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for path in (tmp_path / "pictures").iterdir():
        assert f"docs/pictures/{path.name}" in readme
        kept = (DOCS / "pictures" / path.name).read_text(encoding="utf-8")
        assert texts(path.read_text(encoding="utf-8")) == texts(kept)


def test_the_pictures_of_the_textbook(tmp_path: Path) -> None:
    module = maker()
    module.DOCS = tmp_path
    module.textbook()
    made, kept = tmp_path / "textbook" / "figures", DOCS / "textbook" / "figures"
    folded = [(folder / "kuhn-folded.svg").read_text(encoding="utf-8") for folder in (made, kept)]
    assert folded[0] == folded[1]
    swept = [(folder / "sweep-kuhn.svg").read_text(encoding="utf-8") for folder in (made, kept)]
    curves = [(folder / "own-solver.svg").read_text(encoding="utf-8") for folder in (made, kept)]
    for words in ("PDCFRPlus", "discounted-cfr", "Kuhn poker with 13 cards"):
        assert all(words in picture for picture in curves)
    for words in ("kuhn: all answers exact, regret 0", "information sets", "solving", "value"):
        assert all(words in picture for picture in swept)


def texts(picture: str) -> list[str]:
    """The words of a picture, in order; lines depend on the version of what draws them."""
    return [node.text or "" for node in ElementTree.fromstring(picture).iter() if node.text]


def test_the_bluff_is_in_the_picture() -> None:
    probabilities = solve(poker(ranks=8)).strategy["gambler"]
    assert probabilities["7"]["bet 1"] > 0 == probabilities["9"]["bet 1"]
    assert solve(kuhn()).strategy["gambler"]["J"]["bet"] > 0
