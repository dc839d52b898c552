"""Everything shows itself well as the last line of a cell, and takes no harm from labels."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import pytest

from infoset import game, matrix_game, solve
from infoset.display import show
from infoset.forms import normal_form, sequence_form
from infoset.games import kuhn, leduc, liars_dice, prisoners_dilemma, tic_tac_toe
from infoset.strategy import mixed, pure, uniform

SOLUTION = solve(kuhn())
TREE = SOLUTION.tree


class Words(HTMLParser):
    """The texts of a page, its tags in order, and whether they are balanced."""

    EMPTY = ("br", "hr", "img", "col", "meta")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self):
        return " ".join(self.words)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (kuhn, ["One-card poker", "ranks", "ante", "def kuhn("]),
        (kuhn(ranks=4), ["kuhn(ranks=4)", "gambler, dealer", "109 nodes, 16 information sets"]),
        (leduc(), ["about ", " nodes ("]),
        (liars_dice(), ["about 295,000 nodes"]),
        (TREE.root, ["node 0", "chance", "J Q", "1/6"]),
        (TREE.nodes[2], ["chance: J Q, gambler: pass", "dealer", "Q, pass", "bet"]),
        (next(TREE.leaves), ["end of kuhn()", "gambler -1, dealer 1"]),
        (TREE.find("dealer", "Q, bet"), ["Q, bet", "pass, bet", "chance: J Q", "chance: K Q"]),
        (
            SOLUTION,
            ["-1/18", "exact", "gambler", "after [pass], bet", "believes", "J: 1/4; K: 3/4"],
        ),
        (SOLUTION.strategy["dealer"], ["dealer", "after bet", "2/3"]),
        (SOLUTION.profile, ["regret", "gambler", "-1/18", "after pass"]),
        (SOLUTION.profile.best_response("dealer"), ["1/18", "Q, bet"]),
        (SOLUTION.strategy["gambler"].plan, ["J, [pass]", "2/3"]),
        (pure(TREE, "gambler", dict.fromkeys("JQK", "bet")), ["J", "bet"]),
        (normal_form(prisoners_dilemma().tree()), ["cooperate", "defect", "-3"]),
        (sequence_form(TREE), ["J, [pass]"]),
    ],
    ids=lambda shown: type(shown).__name__,
)
def test_as_the_last_line_of_a_cell(shown, expected):
    words = Words(shown._repr_html_())
    for text in expected:
        assert text in words.text


def test_mixed_strategies_and_games_given_as_tables():
    plan = pure(TREE, "gambler", dict.fromkeys("JQK", "bet"))
    assert (
        "J → bet; Q → bet; K → bet" in Words(mixed(TREE, "gambler", {plan: 1})._repr_html_()).text
    )
    assert str(uniform(TREE, "gambler")).startswith("gambler\n")
    picture = ElementTree.fromstring(matrix_game([[1, 0], [0, 1]]).tree()._repr_svg_())
    assert {"matrix game", "row 1", "column 2"} <= {node.text for node in picture.iter()}


def test_trees_and_solutions_draw_themselves(tmp_path):
    picture = ElementTree.fromstring(TREE._repr_svg_())
    texts = [text for node in picture.iter() for text in (node.text or "",)]
    assert "kuhn()" in texts
    for suffix in ("svg", "png", "pdf", "tex"):
        SOLUTION.draw(tmp_path / f"kuhn.{suffix}")
        assert (tmp_path / f"kuhn.{suffix}").stat().st_size > 1000


def test_a_tree_too_large_to_be_drawn_by_default_is_named(monkeypatch):
    monkeypatch.setattr(show, "DRAWN_BY_DEFAULT", 10)
    assert TREE._repr_svg_() is None


def test_a_game_is_not_built_in_full_to_be_looked_at(monkeypatch):
    built = []
    original = type(tic_tac_toe()).tree
    monkeypatch.setattr(
        type(tic_tac_toe()),
        "tree",
        lambda self, **limits: built.append(limits) or original(self, **limits),
    )
    assert re.search(r"about \d+,000 nodes", tic_tac_toe()._repr_html_())
    assert built == [{"max_nodes": show.COUNTED_BY_DEFAULT}]


HOSTILE = "<script>alert(1)</script>\n\u202e$\\%{}&" + "x" * 100_000


@game(players=("<b>one</b>", "two & three"))
def hostile(g):
    """<script>alert(2)</script>"""
    g.reveal(g.players[0], g.chance((HOSTILE, "plain")))
    g.choose(g.players[0], (HOSTILE, "<i>"))
    g.choose(g.players[1], ("l", "r"))
    return (0, 0)


def test_hostile_labels_are_text_everywhere():
    solution = solve(hostile())
    tree = solution.tree
    pages = [
        hostile,
        hostile(),
        tree.root,
        tree.nodes[1],
        tree.infosets[0],
        solution,
        solution.profile,
        solution.strategy["<b>one</b>"],
        solution.profile.best_response("<b>one</b>"),
        normal_form(tree),
        sequence_form(tree),
    ]
    for shown in pages:
        page = shown._repr_html_()
        assert "script" not in Words(page).tags
        assert "i" not in Words(page).tags
        assert "\u202e" not in page
        assert len(page) < 200_000
    picture = tree._repr_svg_()
    assert "script" not in {
        node.tag.rpartition("}")[2] for node in ElementTree.fromstring(picture).iter()
    }
    assert "\u202e" not in picture
    text = str(solution)
    assert "\u202e" not in text
    assert max(map(len, text.splitlines())) < 2_000
    sheet = solution.table("<b>one</b>")
    assert "\\$" in sheet.latex()
    assert HOSTILE not in sheet.latex()
