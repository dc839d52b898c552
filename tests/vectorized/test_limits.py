"""Limits of rules that are run for all deals at once: one line, as plain replay gives."""

from __future__ import annotations

import pytest

from infoset import Play
from infoset.errors import Endless, RulesError, TooLarge
from infoset.games import leduc
from infoset.rules.running import Limits
from tests.vectorized.compare import blocks_of, family


def test_nodes() -> None:
    assert blocks_of(leduc(), limits=Limits(max_nodes=9451)).nodes == 9451
    with pytest.raises(TooLarge, match="more than 9,450 nodes"):
        blocks_of(leduc(), limits=Limits(max_nodes=9450))


def test_looks_are_no_moves() -> None:
    def rules(g: Play) -> object:
        cards = [g.chance((0, 1)) for _ in range(2)]
        return sum(map(int, cards)), 0

    blocks_of(family(rules), limits=Limits(max_moves=2))
    with pytest.raises(Endless, match="1 moves without an end"):
        blocks_of(family(rules), limits=Limits(max_moves=1))


def test_rules_that_never_end() -> None:
    def asks(g: Play) -> object:
        card = g.chance((0, 1))
        while True:
            g.choose("ann", (card, 2))

    def computes(g: Play) -> object:
        return g.map(for_ever, g.chance((0, 1))), 0

    with pytest.raises(Endless, match="50 moves without"):
        blocks_of(family(asks), limits=Limits(max_moves=50))
    with pytest.raises(Endless, match=r"computed for 0\.1 s"):
        blocks_of(family(computes), limits=Limits(seconds_per_move=0.1))


def for_ever(value: int) -> int:
    while True:
        value += 1


def test_recursion_and_large_draws() -> None:
    def deeper(value: int) -> int:
        return deeper(value + 1)

    with pytest.raises(Endless, match="call themselves"):
        blocks_of(family(lambda g: (g.map(deeper, g.chance((0, 1))), 0)))
    with pytest.raises(TooLarge):
        blocks_of(family(lambda g: g.deal(range(10**9), 1, 1)))


def test_an_interrupt_gets_out() -> None:
    def interrupted(value: int) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        blocks_of(family(lambda g: (g.map(interrupted, g.chance((0, 1))), 0)))


def test_vectorized_values_that_functions_were_not_given() -> None:
    def inside(g: Play) -> object:
        held = [g.chance((0, 1))]
        return g.map(lambda other: other + held[0], g.chance((0, 1))), 0

    def given_back(g: Play) -> object:
        held = [g.chance((0, 1))]
        return g.map(lambda other: held[0], g.chance((0, 1))), 0

    for rules in (inside, given_back):
        with pytest.raises(RulesError, match=r"pass that to g\.map as an argument"):
            blocks_of(family(rules))


def test_facts_must_be_hashable() -> None:
    def rules(g: Play) -> object:
        g.reveal("ann", g.map(lambda card: [card], g.chance((0, 1))))
        return 0, 0

    with pytest.raises(RulesError, match=r"the fact \[0\] is not hashable"):
        blocks_of(family(rules))


def test_rules_that_compute_with_stand_ins_for_ever() -> None:
    def grows(g: Play) -> object:
        one, two = g.deal(range(3), 1, 1)
        while True:
            one = one + two

    with pytest.raises(Endless, match=r"computed for 0\.3 s"):
        blocks_of(family(grows), limits=Limits(seconds_per_move=0.3))


def test_many_facts_one_by_one() -> None:
    def rules(g: Play) -> object:
        for _ in range(12):
            g.reveal("ann", g.chance((0, 1)))
        return g.choose("ann", (0, 1)), 0

    assert len(blocks_of(family(rules)).blocks[-2].deals) == 4096
