"""Labels of the sets of a public form: those of the tree, and no two alike."""

from __future__ import annotations

import re
from typing import Any

import pytest

from infoset import Play, game, solve
from infoset.games import kuhn, leduc, poker
from infoset.rules import Game
from infoset.solvers.public import solve_public


def told(facts: tuple[Any, ...], *, menus: tuple[tuple[str, ...], ...] = (("x", "y"),)) -> Game:
    """A game in which a is told one of these facts, and may choose from one of these menus."""

    @game(players=("a", "b"), vectorized=True)
    def rules(g: Play) -> object:
        """A chooses, then b."""
        fact = g.chance(facts)
        g.reveal("a", fact)
        menu = menus[0] if len(menus) == 1 else menus[int(g.chance(tuple(range(len(menus)))))]
        taken = g.choose("a", menu)
        g.reveal("b", fact)
        other = g.choose("b", ("x", "y"))
        won = 1 if taken == other else -1
        return won, -won

    return rules()


def labels(rules: Game, player: int = 0) -> list[str]:
    """All of a form, decision by decision; the mapping has the same."""
    solution = solve_public(rules.public(fold=False), iterations=1)
    strategy = solution.strategy[solution.evaluation.form.players[player]]
    form = solution.evaluation.form
    every = [one for at in range(len(form.decisions[player])) for one in form.labels[player].at(at)]
    assert [*strategy] == every
    assert len({*every}) == len(every) == len(strategy) == solution.evaluation.form.infosets[player]
    return every


def bare(names: list[str]) -> list[str]:
    return sorted(re.sub(r" #\d+$", "", name) for name in names)


@pytest.mark.parametrize(
    "rules",
    [
        kuhn(),
        leduc(),
        poker(),
        told((1, "1", 2)),
        told((1, "1", 2), menus=(("x", "y"), ("y", "x"))),
        told(("p", ("p",), ("p", "q"), "p q")),
        told((-1, -2), menus=(("x",), ("y",))),
        told(("", "''", "nothing yet")),
    ],
    ids=lambda rules: None,
)
def test_labels_are_those_of_the_tree(rules: Game) -> None:
    tree = rules.tree()
    for player, name in enumerate(tree.names):
        theirs: Any = solve(tree, "cfr", iterations=1).strategy[name]
        assert bare(labels(rules, player)) == bare([*theirs])


def test_numbers_count_the_sets_of_player_one_and_then_of_player_two() -> None:
    rules = told((1, "1", 2))
    assert labels(rules) == ["1 #1", "1 #2", "2"]
    assert labels(rules, 1) == ["1 #4", "1 #5", "2"]
    form = rules.public()
    assert form.labels[0].numbers.tolist() == [1]
    assert form.labels[1].numbers.tolist() == [4]


def test_only_what_reads_alike_has_a_number() -> None:
    labelled = told((1, "1", 2)).public().labels[0]
    assert [labelled.number(0, at) for at in range(3)] == [1, 2, None]


def test_options_and_numbers_may_make_it_read_like_other_words() -> None:
    """Facts may be written as labels are, and still every set is there."""

    @game(players=("a", "b"), vectorized=True)
    def rules(g: Play) -> object:
        """Of those who are told p, some may choose from other options."""
        case = int(g.chance((0, 1, 2)))
        g.reveal("a", ("p", "p", "p {x, y}")[case])
        won = 1 if g.choose("a", (("x", "y"), ("u", "v"), ("x", "y"))[case]) == "x" else -1
        return won, -won

    assert sorted(labels(rules())) == ["p {u, v}", "p {x, y} #1", "p {x, y} #3"]
    theirs: Any = solve(rules()).strategy["a"]
    assert bare([*theirs]) == bare(labels(rules()))
    assert labels(told((1, "1", "1 #1"))) == ["1 #1 #1", "1 #2", "1 #1 #3"]


def test_what_is_equal_may_read_otherwise() -> None:
    """A label says what was told there: 1 in one decision, True in another."""

    @game(players=("a", "b"), vectorized=True)
    def rules(g: Play) -> object:
        """Told 1 or 0 before the first choice, True or False before the second."""
        drawn = g.chance((1, 0))
        g.reveal("a", drawn)
        g.choose("a", ("x", "y"))
        g.reveal("a", g.map(bool, drawn))
        won = 1 if g.choose("a", ("x", "y")) == "x" else -1
        return won, -won

    assert labels(rules()) == [
        "1",
        "0",
        "1, [x], True",
        "0, [x], False",
        "1, [y], True",
        "0, [y], False",
    ]
