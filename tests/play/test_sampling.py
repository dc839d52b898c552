"""The regimes of sampling: which positions each of them draws, and how often."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import inf
from random import Random
from typing import Any

import pytest
from scipy.stats import chi2

from infoset import Play, game
from infoset.errors import NoHistory, ParameterError
from infoset.games import blind_tic_tac_toe, goofspiel, kuhn, leduc
from infoset.play import (
    Clock,
    InformationSetPlayer,
    PerfectInformationPlayer,
    RandomPlayer,
    TreeSearchPlayer,
    match,
    play_game,
)
from infoset.search import Histories, ParticleFilter
from tests.strategy.fake_openspiel import Kuhn as SpielKuhn

SIGNIFICANCE = 1e-4
Weights = dict[Any, Fraction]


def last_observation(view: Any) -> Any:
    """Own moves, and what was noted since the last of them."""
    own = [what for kind, what in view if kind == "took"]
    since: list[Any] = []
    for note in view:
        since = [] if note[0] == "took" else [*since, note]
    return own, since


def agreeing(start: Any, player: str, test: Any) -> Weights:
    """Positions whose view passes a test; chance and the others decide how probable they are."""
    found: Weights = {}
    waiting = [(start, Fraction(1))]
    while waiting:
        at, weight = waiting.pop()
        if at.over:
            continue
        if player in at.movers and test(at.view(player)):
            found[at] = weight
        if not at.movers:
            waiting += [(at.after(one), weight * chance) for one, chance in at.chances()]
            continue
        menus = [at.options(mover) for mover in at.movers]
        for joint in product(*menus):
            others = [
                len(menu) for menu, who in zip(menus, at.movers, strict=True) if who != player
            ]
            share = weight / (others[0] if others else 1)
            waiting.append((at.after(joint if len(joint) > 1 else joint[0]), share))
    whole = sum(found.values())
    return {position: weight / whole for position, weight in found.items()}


PLAYS: list[tuple[Any, str, Any]] = [
    (kuhn(), "gambler", ["Q K", "pass", "bet"]),
    (blind_tic_tac_toe(), "cross", ["b1", "a1", "a1", "c1", "d1"]),
    (goofspiel(cards=3), "player 1", [(1, 2)]),
    (leduc(ranks=2), "one", None),
]  # fmt: skip


def place(chosen: Any, moves: Any) -> Any:
    at = chosen.position()
    if moves is None:  # any play, to a decision in the second round
        luck = Random(3)
        while True:
            menu = at.options(at.movers[0]) if at.movers else [one for one, _ in at.chances()]
            below = at.after(luck.choice(menu))
            if below.over:
                at = chosen.position()
            elif below.movers == ("one",) and len(last_observation(below.view("one"))[0]) > 1:
                return below
            else:
                at = below
    for move in moves:
        at = at.after(move)
    return at


class Drawing(PerfectInformationPlayer):
    """Keeps what it has drawn, twice at each decision."""

    def search(self, view: Any, options: tuple[Any, ...]) -> Any:
        self.first, self.second = self.sample(view), self.sample(view)
        return options[0]


def drawing(player: Drawing, chosen: Any, at: Any, seat: str) -> Any:
    """Let a player sample where it has this view."""
    player.begin(chosen, seat, Clock(inf, Random(5)))
    player.decide(at.view(seat), tuple(at.options(seat)))
    return player.first


@pytest.mark.parametrize(("chosen", "seat", "moves"), PLAYS, ids=lambda one: repr(one)[:20])
def test_each_regime_draws_what_it_promises(chosen: Any, seat: str, moves: Any) -> None:
    at = place(chosen, moves)
    view = at.view(seat)
    known = agreeing(chosen.position(), seat, lambda one: one == view)
    last = last_observation(view)
    recent = agreeing(chosen.position(), seat, lambda one: last_observation(one) == last)
    assert set(known) <= set(recent)
    for sampling, expected in (("all", known), ("pool", known), ("last", recent)):
        player = Drawing(samples=1500, sampling=sampling, particles=1500)
        drawn = Counter(drawing(player, chosen, at, seat))
        assert set(drawn) <= set(expected)
        if sampling != "pool":  # whose samples are not independent
            assert fits(drawn, expected)
    last_ones = Histories(chosen, seat, observations="last").enumerate(view)
    assert dict(last_ones) == recent


def fits(drawn: Counter[Any], expected: Weights) -> bool:
    """Is a sample as the probabilities say, by χ²? Rare outcomes are taken together."""
    number = sum(drawn.values())
    rare = [one for one, weight in expected.items() if weight * number < 5]
    groups = [[one] for one in expected if one not in rare] + ([rare] if rare else [])
    statistic = 0.0
    for group in groups:
        wanted = float(sum(expected[one] for one in group) * number)
        statistic += (sum(drawn[one] for one in group) - wanted) ** 2 / wanted
    return len(groups) == 1 or statistic < chi2.isf(SIGNIFICANCE, len(groups) - 1)


def test_the_last_observation_forgets_the_earlier_ones() -> None:
    bet = kuhn().position().after("Q K").after("pass").after("bet")
    view = bet.view("gambler")
    cards = Histories(kuhn(), "gambler", observations="last").enumerate(view)
    assert sorted(str(position) for position, _ in cards) == [
        f"chance: {one} {two}, gambler: pass, dealer: bet"
        for one, two in ("JK", "JQ", "KJ", "KQ", "QJ", "QK")
    ]
    with pytest.raises(ParameterError, match="'all' or 'last'"):
        Histories(kuhn(), "gambler", observations="first")


class Counting(ParticleFilter):
    """Counts how often it was carried on."""

    updates = 0

    def update(self, view: Any, seconds: float = inf) -> None:
        Counting.updates += 1
        super().update(view, seconds)


def test_the_pool_is_carried_from_move_to_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infoset.play.searching.ParticleFilter", Counting)
    chosen = blind_tic_tac_toe(width=3, height=3)
    player = Drawing(sampling="pool", samples=20, particles=60)
    assert (player.particles, player.effective) == (0, 0.0)
    player.begin(chosen, "cross", Clock(inf, Random(1)))
    start = chosen.position()
    sizes = []
    for at in (start, start.after("b2").after("a1")):
        view = at.view("cross")
        player.decide(view, at.options("cross"))
        assert {one.view("cross") for one in [*player.first, *player.second]} == {view}
        sizes.append((player.particles, round(player.effective)))
    assert Counting.updates == 2  # once for a decision, however often samples are drawn
    assert sizes[0] == (60, 1)  # nothing was hidden yet
    assert sizes[1][0] == 60
    # The other may take one of eight squares at once, or after it has tried the ninth: 1/Σp² is 10.
    assert 7 <= sizes[1][1] <= 13


class Thin(ParticleFilter):
    """A pool that has only copies of one history."""

    def update(self, view: Any, seconds: float = inf) -> None:
        super().update(view, seconds)
        self._held, self.fresh = self._held[:1] * self.particles, 0


class Lost(ParticleFilter):
    """A pool that has lost the play."""

    def update(self, view: Any, seconds: float = inf) -> None:
        raise NoHistory("lost")


@pytest.mark.parametrize(("kind", "known"), [(ParticleFilter, 30), (Thin, 1), (Lost, 0)])
def test_hybrid_sampling_fills_up_what_the_pool_lacks(
    monkeypatch: pytest.MonkeyPatch, kind: Any, known: int
) -> None:
    monkeypatch.setattr("infoset.play.searching.ParticleFilter", kind)
    chosen = kuhn()
    at = place(chosen, ["Q K", "pass", "bet"])
    player = Drawing(samples=30, sampling="hybrid", particles=100)
    drawn = drawing(player, chosen, at, "gambler")
    assert len(drawn) == 30
    right = [one.view("gambler") == at.view("gambler") for one in drawn]
    assert all(right[:known])
    assert all(right) == (known == 30)
    assert {one.view("gambler")[-2:] for one in drawn} == {at.view("gambler")[-2:]}


@pytest.mark.parametrize("sampling", ["all", "last", "pool", "hybrid"])
@pytest.mark.parametrize(
    "chosen", [leduc(), SpielKuhn(), kuhn().tree()], ids=["rules", "engine", "tree"]
)
def test_every_regime_plays_every_game(chosen: Any, sampling: str) -> None:
    name = f"pimc:sampling={sampling},samples=5,depth=2,particles=20"
    assert not match(chosen, [name, "random"], games=6).faults()


@pytest.mark.parametrize(
    "name", ["overconfident:samples=20", "ismcts:iterations=60", "mo-ismcts:iterations=60"]
)
def test_searches_of_sets_take_a_pool(name: str) -> None:
    played = match(kuhn(), [f"{name},sampling=pool,particles=40", "random"], games=80)
    assert not played.faults()
    assert played.standings()[0].mean > 0
    with pytest.raises(ParameterError, match="known: 'all', 'pool'"):
        match(kuhn(), [f"{name},sampling=last", "random"])
    for kind in (InformationSetPlayer, TreeSearchPlayer):
        with pytest.raises(ParameterError, match="hybrid"):
            kind(sampling="hybrid")


def test_a_pool_depends_on_its_own_game_alone() -> None:
    def moves(player: Any, seed: int) -> Any:
        return play_game(leduc(), {"one": player, "two": RandomPlayer()}, seed=seed).moves

    used = PerfectInformationPlayer(sampling="pool", samples=5, particles=20)
    for seed in range(3):
        new = PerfectInformationPlayer(sampling="pool", samples=5, particles=20)
        assert moves(used, seed) == moves(new, seed)


def test_words_as_settings() -> None:
    for name, said in (
        ("pimc:sampling=hybird", "did you mean 'hybrid'"),
        ("pimc:sampling=3", "known: 'all', 'hybrid', 'last', 'pool'"),
        ("pimc:samples=pool", "whole number from 1 on"),
        ("pimc:sampling=all,sampling=all", "once"),
    ):
        with pytest.raises(ParameterError, match=said):
            match(kuhn(), [name, "random"])


@game(players=("one", "two"), bounds=(-1, 1))
def needle(g: Play, digits: int = 12) -> object:
    """A number that is drawn digit by digit, and told at the end: plays hardly ever agree."""
    drawn = tuple([g.chance(range(10)) for _ in range(digits)])
    g.reveal("one", drawn)
    g.choose("one", ("left", "right"))
    return g.win(g.choose("two", g.players))


@pytest.mark.parametrize("name", ["pimc:sampling=hybrid", "overconfident"])
def test_who_finds_nothing_keeps_its_time(name: str) -> None:
    assert not match(needle(), [name, "random"], games=1, seconds=1).faults()


def test_sampling_stops_in_time() -> None:
    at: Any = needle().position()
    for digit in range(12):
        at = at.after(digit % 10)
    with pytest.raises(NoHistory, match="seconds="):
        Histories(needle(), "one").sample(at.view("one"), 3, Random(1), seconds=0.01)
    with pytest.raises(NoHistory):
        ParticleFilter(needle(), "one").update(at.view("one"), seconds=0.01)
