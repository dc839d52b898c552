"""The bridge to Gambit: what it sends, what it takes back, what it refuses."""

from __future__ import annotations

import sys
from fractions import Fraction
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from infoset import Play, game, games, matrix_game
from infoset.errors import InfosetError, NotApplicable, NotProved
from infoset.solvers import gambit
from infoset.solvers.options import Options
from infoset.strategy import Mixed, Pure, profile
from infoset.tree import Tree
from infoset.tree.files import read_efg

F = Fraction

installed = pytest.mark.skipif(
    find_spec("pygambit") is None, reason="pygambit (the extra `gambit`) is not installed"
)


# ---------------------------------------------------------------------- without Gambit


class Player:
    """As in pygambit 16.7: information sets with numbers, strategies with actions."""

    def __init__(self, sizes: list[int], strategies: list[dict[int, int]]) -> None:
        self.infosets = [
            SimpleNamespace(number=number, actions=[(self, number, at) for at in range(size)])
            for number, size in reversed(list(enumerate(sizes)))  # in any order
        ]
        self.strategies = [Plan(chosen) for chosen in strategies]


class Plan:
    """A reduced strategy: what it chooses, by the number of the information set."""

    def __init__(self, chosen: dict[int, int]) -> None:
        self.chosen = chosen

    def action(self, infoset: Any) -> Any:
        at = self.chosen.get(infoset.number)
        return None if at is None else SimpleNamespace(number=at)


class MixedProfile(dict[Any, Any]):
    """Probabilities of strategies."""

    def as_behavior(self) -> None:
        raise AssertionError("the bridge does without")


def fake(monkeypatch: pytest.MonkeyPatch, players: list[Player], *answers: Any) -> list[str]:
    """Put a module in Gambit's place that gives these answers; what it reads is listed."""
    read: list[str] = []

    def read_efg(file: Any) -> Any:
        read.append(file.read())
        return SimpleNamespace(players=players, mixed_strategy_profile=lambda rational: None)

    def answered(*given: Any, **asked: Any) -> Any:
        del given, asked
        if answers and isinstance(answers[0], Exception):
            raise answers[0]
        return SimpleNamespace(equilibria=list(answers))

    module = ModuleType("pygambit")
    names = [f"{name}_solve" for name in gambit.METHODS]
    module.__dict__.update(
        read_efg=read_efg, Rational=F, nash=SimpleNamespace(**dict.fromkeys(names, answered))
    )
    monkeypatch.setitem(sys.modules, "pygambit", module)
    return read


def pennies() -> tuple[Tree, list[Player]]:
    tree = matrix_game([[1, -1], [-1, 1]]).tree()
    return tree, [Player([2], [{0: 0}, {0: 1}]) for _ in range(2)]


def even(players: list[Player], first: Any, second: Any) -> MixedProfile:
    probabilities = {players[0].strategies[0]: first, players[0].strategies[1]: 1 - first}
    probabilities |= {players[1].strategies[0]: second, players[1].strategies[1]: 1 - second}
    return MixedProfile(probabilities)


def test_a_true_answer_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, players = pennies()
    read = fake(monkeypatch, players, even(players, F(1, 2), F(1, 2)))
    found = gambit.find(tree, Options(), "enummixed")
    assert profile(found.strategies).regret == 0
    assert all(isinstance(strategy, Mixed) for strategy in found.strategies)
    sent = read_efg(read[0])
    assert sent.players == ("player 1", "player 2")
    assert [stake.values() for stake in sent.leaf_payoffs] == [
        stake.values() for stake in tree.leaf_payoffs
    ]


def test_a_false_answer_is_refused_with_both_regrets(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, players = pennies()
    fake(monkeypatch, players, even(players, F(1, 2), F(1, 2)), even(players, F(1, 2), F(3, 4)))
    with pytest.raises(NotProved) as refusal:
        gambit.find(tree, Options(), "lcp")
    said = str(refusal.value)
    assert "claims a regret of at most 0, but its answer has 5.00e-1" in said
    assert "\n" not in said


def test_a_regret_within_what_was_claimed_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, players = pennies()
    near = even(players, 0.5, 0.5 + 1e-7)
    fake(monkeypatch, players, near)
    assert 0 < profile(gambit.find(tree, Options(), "gnm").strategies).regret < 1e-6
    with pytest.raises(NotProved, match="enumpure claims a regret of at most 0,"):
        gambit.find(tree, Options(), "enumpure")


def test_all_equilibria_are_kept_or_as_many_as_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = matrix_game([[2, 0], [0, 1]], [[1, 0], [0, 2]]).tree()
    players = [Player([2], [{0: 0}, {0: 1}]) for _ in range(2)]
    both = even(players, 1, 1), even(players, 0, 0)
    fake(monkeypatch, players, *both)
    found = gambit.find(tree, Options(), "enumpure")
    assert len(found.others) == 1
    assert all(isinstance(strategy, Pure) for strategy in found.strategies)
    payoffs = [[*profile(one).payoffs.values()] for one in (found.strategies, *found.others)]
    assert payoffs == [[2, 1], [1, 2]]
    assert not gambit.find(tree, Options(most=1), "enumpure").others


def test_behaviour_comes_back_by_the_numbers_of_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kuhn's own equilibrium with α = 0, through sets that Gambit lists in another order."""
    tree = games.kuhn().tree()
    players = [Player([2] * 6, []) for _ in range(2)]
    probabilities = {
        (player, at, action): share
        for number, player in enumerate(players)
        for at, own in enumerate(tree.choices[number].infosets.tolist())
        for action, share in enumerate(_kuhn(tree, own))
    }
    fake(monkeypatch, players, probabilities)
    found = gambit.find(tree, Options(), "lp")
    assert profile(found.strategies).payoffs["gambler"] == F(-1, 18)


def _kuhn(tree: Tree, infoset: int) -> tuple[Fraction, Fraction]:
    """H. W. Kuhn, A simplified two-person poker, 1950: probabilities of pass and bet."""
    bets: dict[str, int | Fraction] = {
        "J": 0, "Q": 0, "K": 0, "J, [pass], bet": 0, "Q, [pass], bet": F(1, 3),
        "K, [pass], bet": 1, "J, pass": F(1, 3), "Q, pass": 0, "K, pass": 1, "J, bet": 0,
        "Q, bet": F(1, 3), "K, bet": 1,
    }  # fmt: skip
    bet = F(bets[tree.infosets[infoset].label])
    return 1 - bet, bet


def test_what_gambit_refuses_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, players = pennies()
    fake(monkeypatch, players, RuntimeError("Method only valid\n for constant-sum games."))
    with pytest.raises(NotApplicable) as refusal:
        gambit.find(tree, Options(), "lp")
    assert str(refusal.value).endswith(
        "Gambit's lp does not apply: Method only valid for constant-sum games."
    )


def test_nothing_found_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, players = pennies()
    fake(monkeypatch, players)
    with pytest.raises(NotProved, match=r"found no equilibrium, .* try pure or qre$"):
        gambit.find(tree, Options(), "enumpure")


def test_the_extra_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygambit", None)
    with pytest.raises(NotApplicable, match=r"pip install 'infoset\[gambit\]'$"):
        gambit.find(games.kuhn().tree(), Options(), "logit")


@pytest.mark.parametrize(
    ("method", "said"),
    [
        ("simpdif", "no method 'gambit:simpdif'; did you mean 'simpdiv'?"),
        ("zzz", "no method 'gambit:zzz'; known: 'enummixed', 'enumpoly'"),
        ("", "gambit: which method? gambit:logit, say; known: enumpure, enummixed, lcp"),
    ],
)
def test_methods_that_there_are_not(method: str, said: str) -> None:
    with pytest.raises(InfosetError) as refusal:
        gambit.find(games.kuhn().tree(), Options(), method)
    assert str(refusal.value).startswith(said)


def test_probabilities_are_made_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three floats near 1/3 do not sum to 1, and one is below 0 by rounding."""
    tree = matrix_game([[0, -1, 1, 9], [1, 0, -1, 9], [-1, 1, 0, 9], [-9, -9, -9, 0]]).tree()
    players = [Player([4], [{0: at} for at in range(4)]) for _ in range(2)]
    shares = [1 / 3, 1 / 3, 1 / 3, -1e-18]
    played = [pair for own in players for pair in zip(own.strategies, shares, strict=True)]
    fake(monkeypatch, players, MixedProfile(played))
    for strategy in gambit.find(tree, Options(), "gnm").strategies:
        assert isinstance(strategy, Mixed)
        assert sum(strategy.values()) == 1
        *large, small = strategy.values()
        assert small == 0
        assert large == pytest.approx([1 / 3] * 3)


@game(players=("one", "two"))
def ended(g: Play) -> tuple[int, int]:
    """It is best to end at once; otherwise two chooses."""
    if g.choose("one", ("end", "go on")) == "end":
        return 2, 0
    return (1, 0) if g.choose("two", ("left", "right")) == "left" else (0, 0)


def test_where_no_play_comes_all_actions_are_as_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gambit gives no probabilities there."""
    players = [Player([2], []) for _ in range(2)]
    first, second = ((own, 0) for own in players)
    shares = {(*first, 0): 1, (*first, 1): 0, (*second, 0): 0, (*second, 1): 0}
    fake(monkeypatch, players, shares)
    found = gambit.find(ended().tree(), Options(), "lcp").strategies
    assert [list(own.probabilities[1:]) for own in found] == [[1, 0], [F(1, 2), F(1, 2)]]


# ---------------------------------------------------------------------- with it


@installed
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", ["enumpure", "enumpoly", "logit", "simpdiv", "ipa", "gnm"])
def test_seltens_horse(method: str) -> None:
    """Selten 1975: two kinds of equilibria, of payoffs (1, 1, 1) and (3, 3, 2)."""
    found = gambit.find(games.seltens_horse().tree(), Options(), method)
    for one in (found.strategies, *found.others):
        payoffs = [float(amount) for amount in profile(one).payoffs.values()]
        assert payoffs in (pytest.approx([1, 1, 1], abs=1e-3), pytest.approx([3, 3, 2], abs=1e-3))


@installed
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", ["lcp", "lp"])
def test_kuhn_is_worth_the_same(method: str) -> None:
    found = gambit.find(games.kuhn().tree(), Options(), method)
    assert profile(found.strategies).payoffs["gambler"] == F(-1, 18)


@installed
@pytest.mark.filterwarnings("ignore")
def test_three_equilibria_of_von_stengel_2007() -> None:
    tree = matrix_game([[3, 3], [2, 5], [0, 6]], [[3, 2], [2, 6], [3, 1]]).tree()
    found = gambit.find(tree, Options(), "enummixed")
    assert len(found.others) == 2
    assert {profile(one).regret for one in (found.strategies, *found.others)} == {0}
