"""Suits that are folded at any time of a play, and stakes of games that pay nothing somewhere."""

from __future__ import annotations

from infoset import Play, game, solve
from infoset.games import leduc
from infoset.objects import Deck
from infoset.solvers.cfr.public_layout import payoff_range

ALIKE = Deck(2, 2, alike=True)


@game(players=("one", "two"), vectorized=True)
def found_late(g: Play) -> object:
    """A card by plain chance, and only then one from the deck whose suits are alike."""
    first = g.chance(tuple(Deck(2, 2)))
    g.reveal("one", first)
    if g.choose("one", ("stay", "go")) == "stay":
        return g.win("one", g.map(lambda card: 3 if card.rank else 1, first))
    second = g.deal(ALIKE, 1)
    g.reveal("two", second)
    if g.choose("two", ("call", "fold")) == "fold":
        return g.win("one", 2)
    return g.win("one", g.map(lambda a, b: 4 if a.rank > b.rank else 1, first, second))


def test_suits_that_are_folded_late_were_alike_before() -> None:
    whole, folded = found_late().public(fold=False), found_late().public()
    assert solve(found_late(), "lp").value == 2
    assert solve(folded, "lp").value == solve(whole, "lp").value == 2
    assert sum(folded.infosets) == sum(whole.infosets) // 2


@game(players=("one", "two"), vectorized=True)
def seek(g: Play) -> object:
    """One finds two, or nobody gets anything."""
    places = ("attic", "cellar", "yard")
    return g.win("one", 1) if g.choose("one", places) == g.choose("two", places) else (0, 0)


def test_to_get_nothing_is_at_stake_too() -> None:
    form = seek().public()
    assert payoff_range(form) == 1
    assert solve(form, "discounted-cfr").regret <= 1e-4


def test_an_exact_answer_is_exact_on_the_tree() -> None:
    one = leduc(raises=1)
    placed = solve(one.public(), "lp").on_tree(one)
    assert placed.exact
    assert placed.value == solve(one, "lp").value
