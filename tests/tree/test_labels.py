"""Labels of trees grown from rules: the same one by one and all at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from infoset import Game, Play, game
from infoset.games import absent_minded, goofspiel, kuhn, leduc, liars_dice, seltens_horse
from infoset.tree import knowledge


@game(players={"us": ("ann", "bob"), "them": ("them",)})
def partners(g: Play) -> Any:
    """Two partners who know different things, and different menus with the same knowledge."""
    drawn = g.chance((1, 2))
    g.reveal("ann", drawn)
    told = g.choose("ann", ("low", "high"))
    menu = ("a", "b") if drawn == 1 else ("a", "c")
    one, two = g.choose("bob", menu), g.choose("them", ("x", "y"))
    return (1, -1) if (told, one) == ("low", two) else (0, 0)


GAMES: list[Callable[[], Game]] = [
    partners, kuhn, leduc, goofspiel, absent_minded, seltens_horse, lambda: liars_dice(sides=3),
]  # fmt: skip


@pytest.mark.parametrize("make", GAMES)
def test_labels_are_the_same_one_by_one_and_all_at_once(
    make: Callable[[], Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, together = make().tree().labels, make().tree().labels
    one_by_one = [alone[at] for at in range(len(alone))]
    assert list(together) == one_by_one
    assert [together[at] for at in range(len(together))] == one_by_one
    monkeypatch.setattr(knowledge, "FEW_READ", 2)
    after_a_few = make().tree().labels
    assert [after_a_few[at] for at in range(len(after_a_few))] == one_by_one
    assert after_a_few[-1] == one_by_one[-1]
    assert after_a_few[1:3] == one_by_one[1:3]


def test_many_labels_take_a_step_a_state(monkeypatch: pytest.MonkeyPatch) -> None:
    walks = []
    words = knowledge.Knowing.words
    monkeypatch.setattr(
        knowledge.Knowing, "words", lambda self, state: walks.append(state) or words(self, state)
    )
    monkeypatch.setattr(knowledge, "FEW_READ", 10)
    labels = liars_dice(sides=4).tree().labels
    assert len({labels[at] for at in range(len(labels))}) > 400
    assert len(walks) <= 11
