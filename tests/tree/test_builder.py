"""Trees placed by hand, and payoff tables."""

from __future__ import annotations

from fractions import Fraction

import pytest

from infoset.errors import TreeError
from infoset.rules.moves import Lottery
from infoset.tree import Builder, MatrixGame, matrix_game


def test_kuhn_poker_by_hand_is_kuhn_poker() -> None:
    """Placed breadth first and with other names: the builder numbers nodes depth first."""
    from infoset.games import kuhn

    grown = kuhn().tree()
    builder = Builder(grown.players, "by hand")
    placed = {0: builder.root}
    for level in grown.levels:
        for index in level.tolist():
            node = grown.nodes[index]
            if node.is_leaf:
                builder.pay(placed[index], node.payoffs)
                continue
            below = (
                builder.chance(placed[index], node.actions)
                if node.is_chance
                else builder.decide(
                    placed[index], node.player, node.actions, infoset=node.infoset.label
                )
            )
            placed |= {c.index: b for c, b in zip(node.children, below, strict=True)}
    tree = builder.build()
    assert list(tree.labels) == list(grown.labels)
    for column in ("parent", "action", "player", "infoset"):
        assert getattr(tree, column).tolist() == getattr(grown, column).tolist()
    assert [n.payoffs for n in tree.leaves] == [n.payoffs for n in grown.leaves]


def test_slips_are_told() -> None:
    builder = Builder(("a", "b"))
    left, right = builder.decide(builder.root, "a", ("l", "r"), infoset="x")
    with pytest.raises(TreeError, match="node 0 has its move already"):
        builder.decide(builder.root, "b", ("l",))
    with pytest.raises(TreeError, match=r"information set 'x' of 'a' offers \('l', 'r'\)"):
        builder.decide(left, "a", ("l", "m"), infoset="x")
    with pytest.raises(TreeError, match="no player 'c'; there are a, b"):
        builder.decide(left, "c", ("l",))
    with pytest.raises(TreeError, match="no player number 2"):
        builder.decide(left, 2, ("l",))
    with pytest.raises(TreeError, match="there is no node 9"):
        builder.pay(9, (0, 0))
    with pytest.raises(TreeError, match="at least one action"):
        builder.decide(left, "a", ())
    with pytest.raises(TreeError, match="1 payoffs for 2 players"):
        builder.pay(left, (0,))
    with pytest.raises(TreeError, match="pay a, b, not"):
        builder.pay(left, {"a": 1, "c": 2})
    builder.pay(left, {"b": 1, "a": 2})
    with pytest.raises(TreeError, match="node 1 has payoffs already"):
        builder.pay(left, (0, 0))
    with pytest.raises(TreeError, match="the leaf 2 pays nothing"):
        builder.build()
    assert builder.build(unpaid=True).nodes[right].payoffs == {"a": 0, "b": 0}
    with pytest.raises(TreeError, match="1 to 120 names"):
        Builder("ab")
    with pytest.raises(TreeError, match="there is no node -1"):
        builder.decide(-1, "a", ("l",))
    with pytest.raises(TreeError, match="there is no outcome -1"):
        builder.award(right, -1)


def test_a_node_s_number_is_no_name_of_an_infoset() -> None:
    builder = Builder(("a", "b"))
    left, right = builder.decide(builder.root, "a", ("l", "r"))
    below = builder.decide(left, "b", ("u", "d")) + builder.decide(
        right, "b", ("u", "d"), infoset=left
    )
    for node in below:
        builder.pay(node, (0, 0))
    assert len(builder.build().infosets) == 3


def test_one_infoset_twice_on_a_path() -> None:
    builder = Builder(("solo",))
    on, off = builder.decide(builder.root, "solo", ("on", "off"), infoset="exit")
    end, late = builder.decide(on, "solo", ("on", "off"), infoset="exit")
    for node, amount in ((off, 0), (end, 1), (late, 4)):
        builder.pay(node, (amount,))
    assert builder.build().absent_minded


def test_lotteries_as_they_stand() -> None:
    builder = Builder(("solo",))
    lottery = Lottery(("x", "x"), (Fraction(1, 3), Fraction(2, 3)))
    for node, amount in zip(builder.draw(builder.root, lottery), (1, 2), strict=True):
        builder.pay(node, (amount,))
    assert builder.build().root.actions == ("x", "x")


def test_matrix_games_of_any_number_of_players() -> None:
    table = MatrixGame(
        ("a", "b", "c"),
        (("x", "y"), ("l", "m", "r"), ("u", "d")),
        tuple((Fraction(n), Fraction(-n), Fraction(0)) for n in range(12)),
    )
    tree = table.tree()
    assert tree.counts.leaves == 12
    assert [len(infoset) for infoset in tree.infosets] == [1, 2, 6]
    leaf = tree.root.child("y").child("r").child("d")
    assert leaf.payoffs["a"] == table.payoffs_of((1, 2, 1))[0] == 1 + 2 * 2 + 6


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: matrix_game([]), "rows of equal length"),
        (lambda: matrix_game([[1], [1, 2]]), "rows of equal length"),
        (lambda: matrix_game([[1]], [[1, 2]]), "the same shape"),
        (lambda: matrix_game([[1]], players=("a",)), "2 lists of strategies for 1 players"),
        (lambda: matrix_game([[1, 2]], actions=(("u", "d"), ("l",))), "names of actions"),
        (lambda: matrix_game([[1]]).payoffs_of((-1, 0)), "no strategy -1"),
        (lambda: matrix_game([[1]]).payoffs_of((0,)), "1 strategies for 2 players"),
        (lambda: MatrixGame(("a",), (("x",),), ((1,),), outcome_names=("u", "v")), "outcome names"),
        (lambda: MatrixGame(("a",), ((),), ()), "'a' has no strategies"),
        (lambda: MatrixGame(("a",), (("x",),), ()), "0 payoff vectors for 1 profiles"),
        (lambda: MatrixGame(("a",), (("x",),), ((),)), "0 payoffs for 1 players"),
    ],
)
def test_tables_that_are_none(make: object, message: str) -> None:
    with pytest.raises(TreeError, match=message):
        make()  # type: ignore[operator]
