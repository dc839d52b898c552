"""Backward induction: no one gains by one other move, anywhere in the tree."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from infoset import solve
from infoset.games import centipede, entry_game, tic_tac_toe
from infoset.tree import Builder, Node, Tree

F = Fraction


def seen_tree(draw: st.DrawFn, players: int, depth: int, most: int) -> Tree:
    """A random tree in which every node is its own information set."""
    names = tuple("abc"[:players])
    b = Builder(names, "seen")

    def grow(node: int, left: int) -> None:
        kind = draw(st.integers(-2, players - 1)) if left else -2
        if kind == -2:
            b.pay(node, [draw(st.integers(-most, most)) for _ in names])
            return
        size = draw(st.integers(1, 3))
        if kind == -1:
            weights = [draw(st.integers(0, 3)) for _ in range(size)]
            weights[0] = max(weights[0], 1)
            below = b.chance(node, range(size), weights)
        else:
            below = b.decide(node, kind, range(size))
        for child in below:
            grow(child, left - 1)

    grow(b.root, depth)
    return b.build()


@st.composite
def seen_trees(draw: st.DrawFn, most: int = 3) -> Tree:
    players, depth = draw(st.integers(1, 3)), draw(st.integers(0, 4))
    return seen_tree(draw, players, depth, most)


def payoffs_below(node: Node, chosen: dict[int, int]) -> tuple[Fraction, ...]:
    """What everyone gets from a node on, by walking down."""
    if node.is_leaf:
        return tuple(node.payoffs.values())
    values = [payoffs_below(child, chosen) for child in node.children]
    if node.is_chance:
        weighed = zip(node.probabilities, values, strict=True)
        terms = [[p * amount for amount in value] for p, value in weighed]
        return tuple(sum(column, F(0)) for column in zip(*terms, strict=True))
    assert node.infoset is not None
    return values[chosen[node.infoset.index]]


@settings(max_examples=120, deadline=None)
@given(seen_trees())
def test_no_single_deviation_pays_at_any_node(tree: Tree) -> None:
    solution = solve(tree, "backward")
    assert solution.certificate == "exact"
    chosen: dict[int, int] = {}
    for infoset in tree.infosets:
        row = solution.strategy[infoset.player][infoset]  # type: ignore[index]
        assert sorted(row.values()) == [0] * (len(row) - 1) + [1]
        chosen[infoset.index] = list(row.values()).index(1)
    assert tuple(solution.payoffs.values()) == payoffs_below(tree.root, chosen)
    for infoset in tree.infosets:
        (node,) = infoset.nodes
        number = tree.player_number(infoset.player)
        values = [payoffs_below(child, chosen)[number] for child in node.children]
        taken = chosen[infoset.index]
        assert values[taken] == max(values)
        assert taken == values.index(max(values))  # of equals, the first


@settings(max_examples=60, deadline=None)
@given(seen_trees())
def test_it_agrees_with_the_others_on_zero_sum_games(tree: Tree) -> None:
    assume(len(tree.players) == 2)
    b = Builder(tree.names, "zero sum")

    def grow(node: Node, at: int) -> None:
        if node.is_leaf:
            amount = node.payoffs["a"]
            b.pay(at, (amount, -amount))
            return
        below = (
            b.chance(at, range(len(node.children)), node.probabilities)
            if node.is_chance
            else b.decide(at, node.player or "", node.actions)
        )
        for child, place in zip(node.children, below, strict=True):
            grow(child, place)

    grow(tree.root, b.root)
    same = b.build()
    values = {name: solve(same, name).value for name in ("backward", "lp", "lcp")}
    assert len(set(values.values())) == 1, values


def test_where_the_answer_is_one_the_others_find_it() -> None:
    """Rosenthal 1981; Selten 1978: the subgame-perfect outcome."""
    for game, payoffs in ((centipede(), [1, 1]), (entry_game(), [2, 2])):
        for name in ("backward", "lcp"):
            assert list(solve(game, name).payoffs.values()) == payoffs


def test_a_threat_that_is_empty_is_not_made() -> None:
    """The entrant stays out in another equilibrium, for fear of a fight that nobody wants."""
    b = Builder(("entrant", "owner"), "entry")
    out, into = b.decide(b.root, "entrant", ("out", "in"))
    b.pay(out, (0, 2))
    fight, share = b.decide(into, "owner", ("fight", "share"))
    b.pay(fight, (-1, -1))
    b.pay(share, (1, 1))
    assert list(solve(b.build()).payoffs.values()) == [1, 1]


def test_two_in_a_row_is_won_by_whoever_begins() -> None:
    solution = solve(tic_tac_toe(size=2, line=2))
    assert (solution.method, solution.value) == ("backward", 1)
    assert solution.value_bounds == (1, 1)
