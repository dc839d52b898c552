"""Words from hostile files, and trees that nobody thinks of."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from infoset.display.drawing import draw
from infoset.strategy import profile, uniform
from infoset.tree import Tree
from infoset.tree.builder import Builder
from tests.display.drawing.overlaps import outside, overlaps
from tests.display.drawing.reading import SVG, assert_tex, texts

HOSTILE = (
    "<script>alert(1)</script>",
    "x" * 1_000_000,
    "two\nlines\r\nand\ttabs",
    "\x00\x1b[2J\x07",
    "\u202egnp.exe\u200f\u2066",
    "\\input{/etc/passwd} $x^2$ 50% & #1 _{a} ~ {",
    "\ud800 alone",
    "",
    "]]>&amp;\"'`--",
    "e" + "\u0301" * 500,
    "שלום עולם",
    "模" * 200,
    "\ufffe\uffff",
)


def hostile() -> Tree:
    b = Builder(players=HOSTILE[:6], name=HOSTILE[0] + HOSTILE[4])
    for number, node in enumerate(b.chance(0, HOSTILE)):
        label = HOSTILE[number]
        for end in b.decide(node, number % 6, HOSTILE[:4], infoset=number % 5, label=label):
            b.pay(end, (10**400, Fraction(1, 10**400), -1, 0, Fraction(-22, 7), number))
    return b.build()


@pytest.mark.parametrize("fold", [True, False])
def test_hostile_words_are_words(fold: bool, tmp_path: Path) -> None:
    tree = hostile()
    played = profile(uniform(tree, player) for player in tree.names)
    for orientation in ("down", "across"):
        picture = draw(played, orientation=orientation, fold=fold)
        root = ElementTree.fromstring(picture.svg)
        assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
            "svg", "title", "style", "rect", "text", "path", "circle", "polygon",
        }  # fmt: skip
        assert overlaps(picture.scene) == []
        assert outside(picture.scene) == []
        assert len(picture.svg) < 400_000
        assert_tex(picture.tikz)
    if fold:  # painting takes its time
        picture.save(tmp_path / "hostile.png")


def test_odd_trees(tmp_path: Path) -> None:
    lone = Builder(players=("one",), name="")
    lone.pay(0, (3,))
    crowd = Builder(players=[f"player {number}" for number in range(120)])
    for node in crowd.decide(0, 119, ("", "")):
        crowd.pay(node, range(120))
    inside = Builder(players=("one", "two"))
    inside.pay(0, (1, Fraction(-1, 3)))
    inside.decide(inside.decide(0, 0, ("on",))[0], 1, ("on",))
    for number, builder in enumerate((lone, crowd, inside)):
        for orientation in ("down", "across"):
            picture = draw(builder.build(), orientation=orientation)
            assert overlaps(picture.scene) == []
            assert outside(picture.scene) == []
            assert_tex(picture.tikz)
            picture.save(tmp_path / f"{number}.png")
    assert "3" in texts(draw(lone.build()))
    found = texts(draw(crowd.build()))
    assert any("and 108 more players" in text for text in found)
    assert any("action 2" in text for text in found)
    assert any("+ 1, −1/3" in text for text in texts(draw(inside.build())))


def test_ten_thousand_moves_deep() -> None:
    b = Builder(players=("one", "two"))
    at = 0
    for number in range(10_000):
        out, at = b.decide(at, number % 2, ("stop", "go"))
        b.pay(out, (number, -number))
    b.pay(at, (0, 0))
    picture = draw(b.build())
    assert len(list(picture.scene.of("edge"))) == 198
    assert "19,803 nodes" in picture.svg  # how many nodes the last triangle stands for
