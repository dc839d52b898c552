"""Models of opponents: probabilities that sum to one, and are those that the formulas say."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import games
from infoset.errors import InfosetError, ParameterError
from infoset.strategy import Behaviour, as_mixed, behaviour, pure, uniform
from infoset.strategy.models import biased, erring, learned
from infoset.tree import Infoset
from tests.strategy.random_strategies import SEEDS, random_behaviour, random_tree

F = Fraction
RATES = st.fractions(0, 1, max_denominator=60)
TREE = games.kuhn().tree()
TIMID = behaviour(TREE, "dealer", {"J, bet": {"pass": 1}, "Q, bet": {"pass": 1}})


def checked(made: Behaviour) -> Behaviour:
    """The same, made again with all checks that were left out."""
    assert made.exact
    return Behaviour(made.tree, made.player, made.probabilities)


# ---------------------------------------------------------------------- what they are


def test_errors_are_uniform() -> None:
    made = checked(erring(TIMID, F(1, 5)))
    assert made["J, bet"] == {"pass": F(9, 10), "bet": F(1, 10)}
    assert made["K, bet"] == {"pass": F(1, 2), "bet": F(1, 2)}


def test_a_bias_draws_where_it_is_said_to() -> None:
    calls = checked(biased(TIMID, "bet", by=F(1, 4), where=", bet"))
    assert calls["J, bet"] == {"pass": F(3, 4), "bet": F(1, 4)}
    assert calls["K, bet"] == {"pass": F(3, 8), "bet": F(5, 8)}
    assert calls["K, pass"] == TIMID["K, pass"]


def test_a_bias_towards_several_keeps_their_proportions() -> None:
    tree = games.poker(cash=4).tree()
    place = tree.infosets_of("gambler")[0]
    names = list(place.actions)
    assert len(names) == 4
    probabilities = (F(1, 2), F(1, 3), F(1, 6), F(0))
    base = behaviour(tree, "gambler", {place: dict(zip(names, probabilities, strict=True))})
    made = checked(biased(base, names[1:], by=F(1, 2)))[place]
    assert list(made.values()) == [F(1, 4), F(1, 2), F(1, 4), 0]
    never = behaviour(tree, "gambler", {place: {names[0]: 1}})
    assert list(checked(biased(never, names[2:], by=F(1, 2)))[place].values()) == [
        *(F(1, 2), F(0), F(1, 4), F(1, 4))
    ]


def test_a_bias_by_a_function() -> None:
    def low(infoset: Infoset, action: Any) -> bool:
        return infoset.label.startswith("J") and action == "pass"

    made = checked(biased(uniform(TREE, "dealer"), low, by=1))
    assert made["J, pass"]["pass"] == made["J, bet"]["pass"] == 1
    assert made["Q, pass"]["pass"] == F(1, 2)


def test_what_is_learned_from_counts_and_from_plays_is_the_same() -> None:
    leaves = [leaf for leaf in TREE.leaves if "J" in str(leaf.history[0][1])]
    counts: dict[Infoset, dict[Any, int]] = {}
    for leaf in leaves:
        node = leaf
        while (above := node.parent) is not None:
            if above.player == "dealer" and above.infoset is not None:
                own = counts.setdefault(above.infoset, {})
                own[node.action] = own.get(node.action, 0) + 1
            node = above
    assert counts
    seen, told = (checked(learned(TREE, "dealer", plays)) for plays in (leaves, counts))
    assert seen == told


def test_a_stronger_prior_learns_more_slowly() -> None:
    seen = {"J, bet": {"bet": 6}}
    quick = checked(learned(TREE, "dealer", seen, TIMID, strength=2))
    slow = checked(learned(TREE, "dealer", seen, TIMID, strength=18))
    assert (quick["J, bet"]["bet"], slow["J, bet"]["bet"]) == (F(3, 4), F(1, 4))
    assert quick["J, pass"] == TIMID["J, pass"]


def test_nothing_seen_is_the_prior() -> None:
    assert learned(TREE, "dealer", [], TIMID) == TIMID
    assert learned(TREE, "dealer", {}) == uniform(TREE, "dealer")


# ---------------------------------------------------------------------- on all strategies


@settings(max_examples=40)
@given(seed=SEEDS, rate=RATES, players=st.integers(1, 3), forgetful=st.booleans())
def test_errors_on_random_strategies(
    seed: int, rate: Fraction, players: int, forgetful: bool
) -> None:
    tree = random_tree(seed, players, forgetful)
    player = tree.names[seed % players]
    base = random_behaviour(tree, player, Random(seed))
    made = checked(erring(base, rate))
    sizes = np.concatenate(([1], np.repeat(base.choices.sizes, base.choices.sizes)))
    for share, before, size in zip(
        made.probabilities[1:], base.probabilities[1:], sizes[1:], strict=True
    ):
        assert share - before == rate * (F(1, int(size)) - before)
    assert erring(base, 0) == base
    assert erring(base, 1) == uniform(tree, player)


@pytest.mark.parametrize("kind", ["pure", "mixed", "plan", "floats"])
def test_any_kind_of_strategy_will_do(kind: str) -> None:
    bold = {"J": "bet", "Q": "bet", "K": "bet"}
    chosen = pure(TREE, "gambler", bold)
    given_as = {
        "pure": chosen,
        "mixed": as_mixed(chosen),
        "plan": chosen.behaviour().plan,
        "floats": chosen.behaviour().inexact(),
    }[kind]
    assert checked(erring(given_as, 0.5))["J"] == {"pass": F(1, 4), "bet": F(3, 4)}


def test_floats_become_fractions_that_sum_to_one() -> None:
    thirds = behaviour(TREE, "dealer", {"J, bet": {"pass": 1 / 3, "bet": 2 / 3}}, floats=True)
    made = checked(erring(thirds, 0))["J, bet"]
    assert sum(made.values()) == 1
    assert abs(made["pass"] - F(1, 3)) < F(1, 10**15)


# ---------------------------------------------------------------------- what is refused


@pytest.mark.parametrize("rate", [-1, 1.5, "much", float("nan"), None])
def test_rates_that_are_none(rate: Any) -> None:
    with pytest.raises(ParameterError, match=r"^rate="):
        erring(TIMID, rate)
    with pytest.raises(ParameterError, match=r"^by="):
        biased(TIMID, "bet", by=rate)


HALF: Any = {"J, bet": {"bet": 0.5}}
BARE: Any = {"J, bet": 5}
CARDS: Any = ["J"]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: biased(TIMID, "bat", by=1), "did you mean 'bet'"),
        (lambda: biased(TIMID, "bet", by=1, where="A"), "no information set with 'A'"),
        (lambda: biased(TIMID, lambda place, action: False, by=1), "true of no action"),
        (lambda: biased(TIMID, ["call", "raise"], by=1), "no action"),
        (lambda: learned(TREE, "dealer", {"J, bet": {"bet": -1}}), "seen -1 times"),
        (lambda: learned(TREE, "dealer", HALF), "whole number"),
        (lambda: learned(TREE, "dealer", BARE), "5 does not say how often which action"),
        (lambda: learned(TREE, "dealer", {"J, bet": {"fold": 1}}), "no action 'fold'"),
        (lambda: learned(TREE, "dealer", {"J": {"bet": 1}}), "has no information set"),
        (lambda: learned(TREE, "dealer", CARDS), "no node of this tree"),
        (lambda: learned(TREE, "dealer", [games.kuhn().tree().root]), "no node of this tree"),
        (
            lambda: learned(TREE, "gambler", {}, TIMID),
            "this is a strategy of dealer, not of gambler",
        ),
        (lambda: learned(TREE, "dealer", {}, strength=0), "strength=0"),
        (lambda: learned(TREE, "nobody", {}), "nobody"),
    ],
)
def test_what_is_refused_in_one_line(make: Any, said: str) -> None:
    with pytest.raises(InfosetError, match=said) as refusal:
        make()
    assert "\n" not in str(refusal.value)
