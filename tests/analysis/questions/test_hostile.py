"""Labels and moves from anywhere: answers stay one line a row, and take no long time."""

from __future__ import annotations

import numpy as np
import pytest

from infoset.analysis.questions import (
    Answer,
    action_values,
    beliefs,
    best_reply,
    compare,
    deviation,
    outcome,
    place,
    plays,
    unreached,
)
from infoset.analysis.questions.names import name_of
from infoset.errors import InfosetError
from infoset.strategy import profile, pure, uniform
from infoset.strategy.continuation import continuation_values
from infoset.tree import Builder
from tests.analysis.questions.by_hand import HOSTILE, hostile_tree

NEVER = set("\x1b\u202e\u200f\ud800")


def answers() -> list[Answer]:
    tree = hostile_tree()
    played = profile(uniform(tree, player) for player in tree.names)
    found: list[Answer] = [
        plays(played),
        unreached(played),
        outcome(played),
        outcome(played, "any"),
    ]
    for infoset in tree.infosets:
        found += [beliefs(played, infoset), action_values(played, infoset)]
        found.append(deviation(played, infoset, infoset.actions[0]))
    found += [best_reply(played, tree.names[0]), compare(played, played)]
    return found


def test_answers_show_themselves_whatever_labels_say() -> None:
    for answer in answers():
        assert not NEVER & set(repr(answer))
        assert repr(answer).startswith(f"<{type(answer).__name__}: ")
        assert len(repr(answer)) < 250
        words, page = str(answer), answer._repr_html_()
        assert not NEVER & set(words)
        assert not NEVER & set(page)
        assert "<script>" not in page
        assert max(map(len, words.splitlines())) < 2000
        assert len(page) < 200_000


def test_sets_are_found_by_what_is_shown() -> None:
    tree = hostile_tree()
    for infoset in tree.infosets:
        assert place(tree, f"#{infoset.index + 1}") == infoset
        if infoset.label:
            assert place(tree, name_of(infoset)) == infoset
            assert place(tree, f"{infoset.player}: {infoset.label}") == infoset


@pytest.mark.parametrize("words", [*HOSTILE, "y" * 1_000_000])
def test_slips_are_told_in_one_short_line(words: str) -> None:
    tree = hostile_tree()
    played = profile(uniform(tree, player) for player in tree.names)
    for ask in (lambda: place(tree, f"nobody: {words}"), lambda: outcome(played, [words])):
        with pytest.raises(InfosetError) as caught:
            ask()
        assert len(str(caught.value)) < 3000
        assert "\n" not in str(caught.value)
        assert not NEVER & set(str(caught.value))


def test_more_movers_than_bits() -> None:
    """Of seventy players each second one keeps the play away; what follows is known."""
    names = [f"p{at}" for at in range(70)]
    builder = Builder(players=names)
    node = builder.root
    for name in names:
        node, out = builder.decide(node, name, ("on", "out"))
        builder.pay(out, [int(name == one) for one in names])
    builder.pay(node, [7] * 70)
    tree = builder.build()
    played = profile(
        pure(tree, name, {tree.infosets_of(name)[0]: ("on", "out")[at % 2]})
        for at, name in enumerate(names)
    )
    assert outcome(played).payoffs == {name: int(name == "p1") for name in names}
    assert outcome(played, ["on"] * 70).payoffs == dict.fromkeys(names, 7)
    nodes = np.array([tree.infosets_of(name)[0].nodes[0].index for name in names])
    assert continuation_values(played, nodes, 69) == [0] * 68 + [1, 1]
