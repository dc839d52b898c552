"""Costs on a public form are those on the tree."""

import pytest

from infoset import solve
from infoset.analysis.review import Seat, advice, cost
from infoset.games import kuhn, leduc


@pytest.mark.parametrize("game", [kuhn(), leduc()], ids=repr)
def test_costs_on_a_public_form_are_those_on_the_tree(game: object) -> None:
    solution = solve(game.public(fold=False), "discounted-cfr", iterations=50)
    placed, seen = solution.on_tree(), 0
    for infoset in placed.tree.infosets:
        seat = Seat(game, repr(game), infoset.player, infoset.player)
        view = placed.tree.knowing.view(infoset.index)
        here, there = (advice(one, seat, view) for one in (solution, placed))
        for action in infoset.actions:
            one, other = (cost(said, seat, action) for said in (here, there))
            if other.amount is not None:
                assert one.amount == pytest.approx(float(other.amount), abs=1e-6)
                seen += 1
            else:
                assert one.amount is None
                assert one.why
    assert seen > 10
    assert "knows no action" in cost(here, seat, "jump").why
    assert "does not know where" in advice(solution, seat, (("offered", ("x",)),)).why


def test_views_are_found_whatever_their_suits_are() -> None:
    """A form with folded suits knows one information set of each class, and answers for all."""
    game = leduc(suits=2)
    folded = solve(game.public(), "discounted-cfr", iterations=50)
    placed, strategy = folded.on_tree(), folded.strategy["one"]
    for infoset in placed.tree.infosets_of("one"):
        view = placed.tree.knowing.view(infoset.index)
        exact = placed.profile["one"][infoset.label]
        assert strategy[view] == pytest.approx({one: float(share) for one, share in exact.items()})
        said = advice(folded, Seat(game, repr(game), "one", "one"), view)
        assert [one.probability for one in said.actions] == list(strategy[view].values())
