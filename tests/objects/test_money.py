"""Cash, pot and debts."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infoset.errors import RulesError
from infoset.objects.money import Money

PLAYERS = ("north", "east", "south")
amounts = st.one_of(st.integers(0, 6), st.fractions(min_value=0, max_value=6, max_denominator=12))
payments = st.lists(st.tuples(st.sampled_from(PLAYERS), amounts), max_size=8)


@given(st.integers(6, 30), st.integers(0, 6), payments)
def test_nothing_is_made_or_lost(cash, ante, payments):
    money = Money(PLAYERS, cash, ante)
    for player, amount in payments:
        before = money.cash[player], money.paid[player], money.pot
        if amount > money.cash[player]:
            with pytest.raises(RulesError):
                money.pay(player, amount)
            assert (money.cash[player], money.paid[player], money.pot) == before
        else:
            money.pay(player, amount)
            assert money.paid[player] == before[1] + amount
        assert sum(money.cash.values()) + money.pot == len(PLAYERS) * cash
        assert sum(money.paid.values()) == money.pot
        assert all(money.cash[name] + money.paid[name] == cash for name in PLAYERS)


@given(payments, st.sets(st.sampled_from(PLAYERS), min_size=1))
def test_what_some_win_the_others_lose(payments, winners):
    money = Money(PLAYERS, None, 1)
    for player, amount in payments:
        money.pay(player, amount)
    net = money.win(*winners)
    assert list(net) == list(PLAYERS)
    assert sum(net.values()) == 0
    for player in PLAYERS:
        share = Fraction(money.pot) / len(winners) if player in winners else 0
        assert net[player] == share - money.paid[player]


@given(amounts, amounts, payments)
def test_whole_amounts_are_ints(cash, ante, payments):
    money = Money(PLAYERS, cash + ante + 48, ante)
    for player, amount in payments:
        money.pay(player, amount)
    debts = [money.owes(player) for player in PLAYERS]
    results = money.win("north", "south").values()
    for amount in (money.pot, *money.cash.values(), *money.paid.values(), *debts, *results):
        assert isinstance(amount, int) == (Fraction(amount).denominator == 1)


@given(payments)
def test_debts(payments):
    money = Money(PLAYERS, None)
    for player, amount in payments:
        money.pay(player, amount)
    debts = [money.owes(player) for player in PLAYERS]
    assert min(debts) == 0
    for player, debt in zip(PLAYERS, debts, strict=True):
        money.pay(player, debt)
    assert len(set(money.paid.values())) == 1


def test_kuhn_a_bet_and_a_call():
    money = Money(("gambler", "dealer"), 2, 1)
    assert (money.pot, money.cash, money.paid) == (
        2,
        {"gambler": 1, "dealer": 1},
        {"gambler": 1, "dealer": 1},
    )
    money.pay("gambler", 1)
    assert (money.owes("dealer"), money.owes("gambler")) == (1, 0)
    assert money.win("gambler") == {"gambler": 1, "dealer": -1}
    money.pay("dealer", money.owes("dealer"))
    assert money.win("dealer") == {"gambler": -2, "dealer": 2}
    assert money.win("gambler", "dealer") == {"gambler": 0, "dealer": 0}


def test_a_float_means_its_decimal_and_whole_amounts_are_ints():
    money = Money(("gambler", "dealer"), 1.5, 0.1)
    money.pay("gambler", 0.2)
    assert money.paid["gambler"] == Fraction(3, 10)
    money.pay("dealer", Fraction(2, 2))
    assert money.cash == {"gambler": Fraction(6, 5), "dealer": Fraction(2, 5)}
    assert type(Money(("gambler",), 2.0, Fraction(1)).cash["gambler"]) is int


def test_without_limit():
    money = Money(("gambler", "dealer"), None)
    money.pay("gambler", 10**9)
    assert money.owes("dealer") == 10**9
    assert str(money) == "pot 1000000000, gambler paid 1000000000, dealer paid 0"
    with pytest.raises(RulesError, match="cash=None"):
        _ = money.cash


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (((), 2), "not one or more"),
        ((("north", "north"), 2), "not one or more different"),
        ((("north",), 1, 2), "cash=1 does not cover ante=2"),
        ((("north",), 1, -1), "ante=-1"),
        ((("north",), -1), "cash=-1"),
        ((("north",), "much"), "'much' is not a number"),
        ((("north",), float("inf")), "inf is not a number"),
    ],
)
def test_bad_money(arguments, complaint):
    with pytest.raises(RulesError, match=complaint):
        Money(*arguments)


def test_bad_use():
    money = Money(("gambler", "dealer"), 2, 1)
    with pytest.raises(RulesError, match="gambler cannot pay 2 with 1 left"):
        money.pay("gambler", 2)
    with pytest.raises(RulesError, match="cannot pay -1"):
        money.pay("gambler", -1)
    for attempt in (lambda: money.pay("thief", 1), lambda: money.owes("thief")):
        with pytest.raises(RulesError, match=r"'thief' has no money; .*gambler, dealer"):
            attempt()
    with pytest.raises(RulesError, match="'thief' has no money"):
        money.win("thief")
    with pytest.raises(RulesError, match="winners"):
        money.win()
    with pytest.raises(RulesError, match="winners"):
        money.win("gambler", "gambler")
    assert repr(money) == "<Money: pot 2, gambler paid 1 has 1, dealer paid 1 has 1>"
