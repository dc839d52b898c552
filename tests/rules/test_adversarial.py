"""Rules that are odd, sly or unlucky: the tree is right, or there is an error."""

from __future__ import annotations

import contextlib
import functools
import pickle
import random
from collections.abc import Callable, Iterator
from enum import IntEnum, StrEnum
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from infoset import Play, game
from infoset.errors import Endless, NotRepeatable, ParameterError, RulesError, TooLarge
from infoset.games import LIBRARY, kuhn, tricks
from infoset.objects.numbers import exact
from infoset.tree.positions import tree_of_position


class Shoe:
    """A deck that changes and stays the same object."""

    def __init__(self) -> None:
        self.cards = [1, 2, 3]

    def __iter__(self) -> Iterator[int]:
        return iter(self.cards)


@pytest.mark.parametrize("dealt", [False, True])
def test_a_deck_that_changes_is_looked_at_again(dealt: bool) -> None:
    @game(players=("a", "b"))
    def shoe(g: Play) -> object:
        deck = Shoe()
        first = g.deal(deck, 1) if dealt else g.chance(deck)
        deck.cards.remove(first)
        second = g.deal(deck, 1) if dealt else g.chance(deck)
        return g.win("a" if first > second else "b")

    tree = shoe().tree()
    assert len(tree) == 1 + 3 + 6
    assert all(len({move for _, move in leaf.history}) == 2 for leaf in tree.leaves)


def traced(rules: Callable[..., object]) -> Callable[..., object]:
    @functools.wraps(rules)
    def inner(*args: object, **named: object) -> object:
        return rules(*args, **named)

    return inner


def test_decorated_rules_keep_their_parameters() -> None:
    @game(players=("a",))
    @traced
    def hide(g: Play, places: int = 2, *, worth: int = 1) -> object:
        return worth * g.choose("a", range(places))

    assert len(hide(places=4).tree()) == 5
    assert max(leaf.payoffs["a"] for leaf in hide(worth=7).tree().leaves) == 7


def test_random_chances_are_found_out() -> None:
    @game(players=("a",))
    def weights(g: Play) -> object:
        g.chance((1, 2), (random.randint(1, 10**9), random.randint(1, 10**9)))
        return 0

    @game(players=("a",))
    def outcomes(g: Play) -> object:
        g.chance(random.sample(range(10**6), 3))
        return 0

    @game(players=("a",))
    def many(g: Play) -> object:  # too many to be compared at every turn: the audit finds it
        return g.chance([random.random() for _ in range(1000)])

    for family in (weights, outcomes, many):
        with pytest.raises(NotRepeatable):
            family().tree()


class Rank(IntEnum):
    JACK = 1
    QUEEN = 2


class Bet(StrEnum):
    BET = "bet"
    PASS = "pass"


def test_equal_values_of_other_types_are_not_mixed_up() -> None:
    @game(players=("a", "b"))
    def mixed(g: Play) -> object:
        plain, named = g.deal((1, 2), 1), g.deal((Rank.JACK, Rank.QUEEN), 1)
        assert type(plain) is int
        assert type(named) is Rank
        assert type(g.chance((0, 1))) is int
        assert type(g.chance((False, True))) is bool
        return (g.choose("a", tuple(Bet)).name == "BET", 0)

    assert len(mixed().tree()) == 1 + 2 * (1 + 2 * (1 + 2 * (1 + 2 * (1 + 2))))
    position = mixed().position()
    for _ in range(4):
        position = position.after(position.chances()[0][0])
    assert position.after("bet").payoffs["a"] == 1


def test_errors_that_the_rules_swallow_come_out_all_the_same() -> None:
    @game(players=("a",))
    def bare(g: Play) -> object:
        try:
            return g.choose("a", (1, 2))
        except:  # noqa: E722  what is tested
            return 1

    assert len(bare().tree()) == 3
    assert not bare().position().over

    @game(players=("a",))
    def quiet(g: Play) -> object:
        with contextlib.suppress(Exception):
            g.choose("a", [])
        return 0

    with pytest.raises(RulesError, match="caught an error that g raised"):
        quiet().tree()


def test_a_win_does_not_get_lost() -> None:
    @game(players=("a", "b"))
    def dropped(g: Play) -> object:
        g.win("a", 10)
        return (0, 0)

    for run in (lambda: dropped().tree(), lambda: dropped().position().over):
        with pytest.raises(RulesError, match="other payoffs were returned"):
            run()

    @game(players=("a", "b"))
    def picked(g: Play) -> object:
        wins = {"x": g.win("a"), "y": g.win("b"), "z": g.win("a")}
        return wins[g.choose("a", ("x", "y", "z"))]

    assert [leaf.payoffs["a"] for leaf in picked().tree().leaves] == [1, -1, 1]


def test_rules_that_end_the_process_do_not() -> None:
    @game(players=("a",))
    def leaves(g: Play) -> object:
        raise SystemExit(0)

    with pytest.raises(RulesError, match="SystemExit: 0"):
        leaves().tree()


def test_what_has_no_order_is_refused() -> None:
    @game(players=("a", "b"))
    def sets(g: Play) -> object:
        return {5, 1}

    with pytest.raises(RulesError, match="have no order"):
        sets().tree()
    with pytest.raises(RulesError, match="have no order"):
        game(players={"a", "b"})(sets.rules)


@pytest.mark.parametrize(
    "ask",
    [
        lambda g: g.deal(range(10**9), 1, 1),
        lambda g: g.chance(range(10**8)),
        lambda g: g.choose("a", range(10**8)),
        lambda g: g.roll(6, dice=10**4),
        lambda g: g.deal(range(52), 5, 5),
    ],
)
def test_moves_too_large_to_list_are_refused_at_once(ask: Callable[[Play], object]) -> None:
    huge = game(players=("a",))(lambda g: ask(g))
    with pytest.raises(TooLarge):
        huge().tree()


def test_a_word_that_g_does_not_have() -> None:
    @game(players=("a",))
    def slip(g: Play) -> object:
        return g.chose("a", (1, 2))

    with pytest.raises(RulesError, match="g has no 'chose'; did you mean 'choose'"):
        slip().tree()


def test_rules_must_be_plain_functions() -> None:
    def yields(g: Play) -> Iterator[int]:
        yield 1

    async def waits(g: Play) -> int:
        return 1

    for rules in (yields, waits, 5, functools.partial(print, 1)):
        with pytest.raises(RulesError, match=r"must be a? ?plain|goes above a function"):
            game(players=("a",))(rules)  # type: ignore[arg-type]


def test_requirements_see_all_parameters_and_say_when_they_are_wrong() -> None:
    def rules(g: Play, ships: tuple[int, ...] = (1, 2), most: int = 3) -> object:
        return 0

    fits = game(players=("a",), requires="all(ship <= most for ship in ships)")(rules)
    assert len(fits().tree()) == 1
    with pytest.raises(ParameterError, match="needs all"):
        fits(ships=(4,))
    with pytest.raises(ParameterError, match="cannot be checked: NameError"):
        game(players=("a",), requires="mast > 1")(rules)()
    with pytest.raises(RulesError, match="takes texts"):
        game(players=("a",), requires=lambda most: most > 1)(rules)  # type: ignore[arg-type]


def test_players_that_cannot_be_had() -> None:
    def rules(g: Play, seats: int = 2) -> object:
        return g.win("p0")

    for players, message in (
        (lambda chairs: ("a",), "asks for 'chairs'"),
        (lambda seats: 1 / 0, "ZeroDivisionError"),
    ):
        with pytest.raises(RulesError, match=message):
            game(players=players)(rules)()
    with pytest.raises(RulesError, match="chance moves"):
        game(players=("chance", "b"))(rules)


def test_numbers_of_numpy_are_exact_and_welcome() -> None:
    assert exact(np.int64(2**62)) * 4 == 2**64
    assert type(exact(np.int64(3)).numerator) is int
    assert exact(np.float32(0.1)) == Fraction(1, 10)
    assert kuhn(ranks=np.int64(4)) == kuhn(ranks=4)


def test_games_and_positions_are_values() -> None:
    assert kuhn().position() == kuhn().position()
    assert len({kuhn().tree(), kuhn().tree()}) == 1
    assert pickle.loads(pickle.dumps(kuhn(ranks=5))) == kuhn(ranks=5)


def test_a_long_play_is_no_slower_to_check_than_to_build() -> None:
    """The second look takes one step a move: at 4,000 moves a quadratic one takes half a minute."""

    @game(players=("a",))
    def corridor(g: Play) -> object:
        for _ in range(4000):
            g.choose("a", ("on",))
        return 0

    assert corridor().tree().counts.depth == 4000


def test_an_endless_position_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    from infoset.rules import position

    monkeypatch.setattr(position.ReplayPosition, "seconds", 0.3)

    @game(players=("a",))
    def stuck(g: Play) -> object:
        while True:
            pass

    with pytest.raises(Endless):
        assert stuck().position().over


def test_memory_of_rules_that_make_cycles_is_given_back() -> None:
    """A local recursive function refers to itself; a build must not keep one for every leaf."""
    import gc
    import weakref

    alive: list[weakref.ref[object]] = []

    @game(players=("a",))
    def cyclic(g: Play) -> object:
        def count(n: int) -> int:
            return 0 if n == 0 else 1 + count(n - 1)

        alive.append(weakref.ref(count))
        for _ in range(15):
            g.choose("a", (0, 1))
        return count(1)

    gc.collect()
    cyclic().tree()
    assert sum(one() is not None for one in alive) < len(alive) / 2


SMALLER: dict[str, dict[str, Any]] = {  # of games that are too large as they come
    "fog_of_war_chess": {"fen": "k1K5/7p/8/8/8/8/8/6R1 w - - 0 1", "moves": 2},
    "kriegspiel": {"fen": "k1K5/7p/8/8/8/8/8/6R1 w - - 0 1", "moves": 2},
    "bridge": {"ranks": 8, "suits": 1, "deal": "N:AJ QT K9 87"},
    "holdem": {"board": "2s 7d 9c 3h 5s", "one": "AA QQ", "two": "KK"},
    "rhode_island": {"ranks": 2, "suits": 2, "raises": 1},
    "whist": {"ranks": 4, "suits": 2, "deal": "N:AJ. - K.A -"},
}


@pytest.mark.parametrize(
    "name",
    [name for name in LIBRARY if name not in ("liars_dice", "tic_tac_toe", "blind_tic_tac_toe")],
)
def test_the_library_by_positions_is_the_library_by_replay(name: str) -> None:
    one = LIBRARY[name](**SMALLER.get(name, {}))
    tree = one.tree()
    walked = tree_of_position(one.position(), one.seats, repr(one))
    for column in ("parent", "action", "player", "infoset"):
        np.testing.assert_array_equal(getattr(tree, column), getattr(walked, column))


def test_teams_are_told_apart_in_labels() -> None:
    labels = [infoset.label for infoset in tricks().tree().infosets]
    assert all(label.split(":")[0] in ("north", "east", "south", "west") for label in labels)
