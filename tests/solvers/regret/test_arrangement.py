"""However sets are dealt out to workers: each stands once, and after what is before it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infoset import games
from infoset.solvers.cfr.layout import Arranged, arrange
from infoset.tree import Tree
from infoset.tree.choices import Choices
from tests.rules.random_games import random_rules
from tests.solvers.regret.odd_games import ODD

WORKERS = (1, 2, 3, 5)
GAMES = {
    **ODD,
    "kuhn": lambda: games.kuhn(ranks=5).tree(),
    "leduc": lambda: games.leduc().tree(),
    "liars dice": lambda: games.liars_dice(sides=3).tree(),
}


def set_of_each_place(choices: Choices, arranged: Arranged) -> np.ndarray:
    """[set, in the new order] its number, from where its first action stands; checks the others."""
    found = np.full(len(choices.infosets), -1)
    at_place = np.argsort(arranged.place)
    for begin, end, sequence, actions, _ in arranged.runs.tolist():
        for new in range(begin, end):
            places = sequence + (new - begin) + np.arange(actions) * (end - begin)
            own = at_place[places]
            number = int(choices.owner[own[0]])
            assert int(choices.sizes[number]) == actions
            assert own.tolist() == list(range(own[0], own[0] + actions))
            assert own[0] == choices.first[number]
            assert arranged.before[new] == choices.before[number]
            found[new] = number
    return found


def check(tree: Tree, workers: int) -> None:
    for choices in tree.choices:
        arranged = arrange(choices, workers)
        assert sorted(arranged.place.tolist()) == list(range(len(choices)))
        assert arranged.place[0] == 0
        check_runs(choices, arranged, workers)
        order = set_of_each_place(choices, arranged)
        assert sorted(order.tolist()) == list(range(len(choices.infosets)))
        check_dealt_out(choices, arranged, order)


def check_runs(choices: Choices, arranged: Arranged, workers: int) -> None:
    runs = arranged.runs
    assert len(runs) == 0 or runs[0, :1].tolist() == [0]
    assert runs[1:, 0].tolist() == runs[:-1, 1].tolist()  # no set twice, none left out
    assert int(runs[-1, 1] if len(runs) else 0) == len(choices.infosets)
    assert (runs[:, 0] < runs[:, 1]).all()
    taken = np.cumsum((runs[:, 1] - runs[:, 0]) * runs[:, 3])
    assert runs[:, 2].tolist() == [1, *(1 + taken[:-1])][: len(runs)]
    borders = [*arranged.crown.tolist(), *arranged.parts[:, 1].tolist()]
    assert arranged.parts[:, 0].tolist() == borders[1:-1]
    assert borders[0] == 0
    assert borders[-1] == len(runs)
    assert borders == sorted(borders)
    assert arranged.parts.shape == (workers, 2)


def check_dealt_out(choices: Choices, arranged: Arranged, order: np.ndarray) -> None:
    """What a worker reads and writes is its own, or the crown's where it is meant to be."""
    part = np.full(len(order), -2)
    leaves = np.zeros(len(order), bool)
    for number, (first, end) in enumerate([arranged.crown.tolist(), *arranged.parts.tolist()], -1):
        for begin, stop, _, _, leave in arranged.runs[first:end].tolist():
            part[begin:stop], leaves[begin:stop] = number, leave
    stands = np.argsort(order)
    for new, number in enumerate(order.tolist()):
        above = int(choices.owner[choices.before[number]])
        if above < 0:
            continue
        assert stands[above] < new
        if part[stands[above]] != part[new]:
            assert part[stands[above]] == -1  # from the crown to a part, never between parts
            assert leaves[new]
    if len(arranged.parts) == 1:
        assert not leaves.any()
    else:
        assert leaves[part == -1].sum() == 0
    # Every value that is left behind is added, once.
    assert sorted(arranged.deferred.tolist()) == np.flatnonzero(leaves).tolist()


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("name", GAMES)
def test_every_set_stands_once_after_what_is_before_it(name: str, workers: int) -> None:
    check(GAMES[name](), workers)


@given(
    seed=st.integers(0, 10**6),
    players=st.integers(1, 3),
    workers=st.integers(1, 7),
)
def test_on_random_games_too(seed: int, players: int, workers: int) -> None:
    check(random_rules(seed, players, 5)().tree(), workers)


def test_work_is_dealt_out_where_there_is_enough() -> None:
    # Else what is said above about several workers would be said of one.
    for choices in games.leduc().tree().choices:
        for workers in (2, 3):
            arranged = arrange(choices, workers)
            sets = [
                sum(end - begin for begin, end, *_ in arranged.runs[first:stop].tolist())
                for first, stop in arranged.parts.tolist()
            ]
            assert min(sets) > len(choices.infosets) / workers / 2


def test_a_run_holds_sets_of_one_size() -> None:
    # 59 sets with one to five actions: bob's five are alike, ann's are of several sizes.
    ann, bob = ODD["lopsided"]().choices
    assert len(arrange(bob, 1).runs) == 1
    assert sorted(set(arrange(ann, 1).runs[:, 3].tolist())) == [1, 2, 3, 4, 5]
