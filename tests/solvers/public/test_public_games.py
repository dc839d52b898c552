"""Games of the library by what is public: the same games as their trees, the same answers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from infoset import solve
from infoset.errors import NotApplicable, ParameterError, TooLarge
from infoset.forms.public import public_form
from infoset.forms.public.merge import merged, merging
from infoset.games import holdem, kuhn, leduc, liars_dice, poker, rhode_island
from infoset.linear.numbers import Numbers
from infoset.objects import Deck
from infoset.rules import Game, Play, game
from infoset.solvers.cfr.variants import VARIANTS
from infoset.strategy.public import public_profile

SPOT = {"one": "AA:0.5 KK 99 22", "two": "KQs TT 98s 55"}
GAMES = [
    kuhn(),
    kuhn(ranks=7, ante=2, bet=3),
    leduc(),
    leduc(ranks=2, suits=3, raises=1),
    poker(),
    poker(ranks=3, suits=2, cards=2, cash=3),
    poker(ranks=4, cash=3, rounds=2),
    rhode_island(ranks=2, suits=2, raises=1),
    holdem(raises=1, bets=(1,), **SPOT),
    holdem(board="Ks 7d 2c 9h", raises=1, bets=(1,), one="AA", two="KK QJs"),
]


@pytest.mark.parametrize("one", GAMES, ids=repr)
def test_it_stands_for_the_tree(one: Game) -> None:
    tree, form = one.tree(), one.public()
    counts = form.counts
    assert counts.nodes == len(tree)
    assert counts.chance == tree.counts.chances
    assert counts.leaves == tree.counts.leaves
    assert sum(counts.decisions) == tree.counts.decisions
    assert counts.infosets == tuple(len(tree.infosets_of(player)) for player in tree.names)
    assert counts.sequences == tuple(tree.sequences(player) for player in tree.names)
    whole = one.public(fold=False)
    assert whole.infosets == counts.infosets
    assert whole.sequences == counts.sequences


@pytest.mark.parametrize("one", GAMES, ids=repr)
def test_the_value_is_the_same_exactly_on_the_tree_folded_and_merged(one: Game) -> None:
    expected = solve(one, "lp").value
    folded = one.public()
    for form in (one.public(fold=False), folded, merged(folded)):
        found = solve(form, "lp")
        assert found.exact
        assert found.value == expected


@pytest.mark.parametrize("one", [kuhn(), leduc(), poker(ranks=4, cash=3, rounds=2)], ids=repr)
@pytest.mark.parametrize("method", [row.name for row in VARIANTS])
def test_every_variant_takes_the_course_that_it_takes_on_the_tree(one: Game, method: str) -> None:
    by_tree = solve(one, method, iterations=30)
    by_form = solve(one.public(fold=False), method, iterations=30)
    assert by_tree.convergence is not None
    assert by_form.convergence is not None
    pairs = zip(by_tree.convergence.points, by_form.convergence.points, strict=True)
    for there, here in pairs:
        assert there.iterations == here.iterations
        assert np.allclose(there.regrets, here.regrets, rtol=1e-9, atol=1e-12)


def test_folded_play_is_as_good_in_the_whole_game() -> None:
    one = leduc(ranks=3, suits=3, raises=1)
    form = one.public()
    found = solve(form, "cfr+", iterations=200)
    least = merging(form)
    lifted = solve(least.form, "cfr+", iterations=200)
    plans = tuple(
        least.lift(player, Numbers(plan)).floats
        for player, plan in enumerate(lifted.evaluation.plans)
    )
    assert public_profile(form, plans).regrets == pytest.approx(
        public_profile(least.form, lifted.evaluation.plans).regrets
    )
    low, high = found.value_bounds
    assert low <= solve(one, "lp").value <= high


def test_rhode_island_at_full_size_is_counted_and_not_made() -> None:
    """Gilpin & Sandholm 2007: the linear program of the whole game has 91,224,226 rows."""
    counts = rhode_island().public().counts
    assert counts.nodes == 6_705_372_493
    assert counts.sequences[0] + counts.infosets[1] + 1 == 91_224_226


def test_a_river_with_all_hands_is_near_an_equilibrium_after_a_few_iterations() -> None:
    """A few hundred iterations, some seconds, on 41,738,492 nodes; the pot is 10."""
    form = holdem().public()
    assert form.counts.nodes == 41_738_492
    assert form.decisions[0][0].before.shape == (1081,)
    found = solve(form, iterations=150)
    assert found.exploitability < 0.03


def test_what_does_not_fit_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotApplicable, match=r"two players, and this game has 3 players; solve its"):
        kuhn(players=3).public()
    with pytest.raises(NotApplicable, match=r"with @game\(vectorized=True\), or solve the tree"):
        liars_dice().public()
    with pytest.raises(NotApplicable, match=r"'backward' does not take public forms"):
        solve(kuhn().public(), "backward")
    with pytest.raises(ParameterError, match=r"exact=True: cfr\+ approximates"):
        solve(kuhn().public(), "cfr+", exact=True)
    from infoset import memory

    monkeypatch.setattr(memory, "available", lambda: memory.KEEP_FREE + 10_000)
    with pytest.raises(TooLarge, match=r"721 sequences and a table of 8,100 entries, which take 0"):
        kuhn(ranks=90).public()
    monkeypatch.setattr(memory, "available", lambda: memory.KEEP_FREE + (1 << 27))
    with pytest.raises(TooLarge, match=r"2,248,500 outcomes.* GiB.*0\.\d GiB are free"):
        public_form(kuhn(ranks=1500))


@game(players=("one", "two"), vectorized=True)
def general(g: Play) -> object:
    """Both like to choose the same, whatever they hold."""
    card = g.deal(Deck(3, 1), 1)
    g.reveal("one", card)
    first, second = g.choose("one", ("a", "b")), g.choose("two", ("a", "b"))
    return (1, 1) if first == second else (0, 0)


def test_interests_that_are_not_opposed_are_refused() -> None:
    with pytest.raises(NotApplicable, match=r"constant-sum games; here both together get 0 or 2"):
        general().public()


@game(players=("one", "two"), vectorized=True)
def constant(g: Play) -> tuple[object, object]:
    """Ten to share: who has the higher card gets seven of it, unless the other folds."""
    one, two = g.deal(Deck(4, 1), 1, 1)
    g.reveal("one", one)
    g.reveal("two", two)
    if g.choose("one", ("show", "fold")) == "fold":
        return Fraction(9, 2), Fraction(11, 2)
    share = g.map(lambda ahead: 7 if ahead else 3, one > two)
    return share, 10 - share


def test_a_constant_sum_is_as_good_as_zero() -> None:
    found, expected = solve(constant().public()), solve(constant())
    assert found.payoffs == expected.payoffs
    assert sum(found.payoffs.values()) == 10
