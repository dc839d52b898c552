"""Monte Carlo tree search over information sets."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from infoset import Play, game, solve
from infoset.errors import ParameterError
from infoset.games import goofspiel, kuhn, tic_tac_toe
from infoset.play import match
from infoset.search import InformationSetTreeSearch, ismcts
from infoset.search.consistent import Histories
from tests.search.test_information import look, won_or_lost


def grown(chosen: Any, player: str, position: Any, iterations: int, **settings: Any) -> Any:
    search = InformationSetTreeSearch(chosen, player, random=Random(1), **settings)
    view = position.view(player)
    for one in Histories(chosen, player).sample(view, iterations, Random(2)):
        search.iterate(one)
    return search


@pytest.mark.parametrize("observers", ["single", "multiple"])
@pytest.mark.parametrize("seed", range(5))
def test_where_nothing_is_hidden_it_finds_minimax(seed: int, observers: str) -> None:
    chosen = won_or_lost(seed=seed)
    start = chosen.position()
    search = grown(chosen, "max", start, 3000, observers=observers)
    after = start.after(search.best(start))
    value = solve(chosen).value
    # The move keeps what the position is worth.
    below = {move: _minimax(start.after(move), "min") for move in start.options("max")}
    assert max(below.values()) == value
    assert _minimax(after, "min") == value


def _minimax(position: Any, mover: str) -> int:
    if position.over:
        return int(position.payoffs["max"])
    other = "min" if mover == "max" else "max"
    values = [_minimax(position.after(move), other) for move in position.options(mover)]
    return max(values) if mover == "max" else min(values)


@pytest.mark.parametrize("observers", ["single", "multiple"])
def test_it_looks_before_it_guesses(observers: str) -> None:
    start = look().position().after("left")
    search = grown(look(), "seeker", start, 600, observers=observers)
    assert search.best(start) == "look"
    assert search.values(start)["look"] == pytest.approx(0.9, abs=0.15)


def test_certain_decisions_of_kuhn() -> None:
    start = kuhn().position()
    for deal, moves, player, best in (
        ("Q K", ["bet"], "dealer", "bet"),
        ("Q J", ["bet"], "dealer", "pass"),
        ("J K", ["pass", "bet"], "gambler", "pass"),
        ("K J", ["pass", "bet"], "gambler", "bet"),
    ):
        at: Any = start.after(deal)
        for move in moves:
            at = at.after(move)
        assert grown(kuhn(), player, at, 400).best(at) == best


def test_it_blocks_a_line() -> None:
    chosen = tic_tac_toe()
    at: Any = chosen.position()
    for move in ("a1", "b2", "a2"):
        at = at.after(move)
    mover = at.movers[0]
    assert grown(chosen, mover, at, 2000).best(at) == "a3"


def test_what_is_refused() -> None:
    with pytest.raises(ParameterError, match="single"):
        InformationSetTreeSearch(kuhn(), "gambler", observers="none")
    with pytest.raises(ParameterError, match="exploration"):
        InformationSetTreeSearch(kuhn(), "gambler", exploration=-1)


def test_simultaneous_moves_do_not_go_round_in_circles() -> None:
    """Against an equilibrium it was -0.4 when each mover took its greatest bound."""
    chosen = goofspiel(cards=4, reveal="winner")
    played = match(chosen, ["ismcts:iterations=300", solve(chosen)], games=20)
    assert played.standings()[0].mean > -0.15


@pytest.mark.parametrize("memory", [0, ismcts.MEMORY])
@pytest.mark.parametrize("observers", ["single", "multiple"])
def test_an_iteration_runs_the_rules_at_most_once(
    observers: str, memory: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = 0

    @game(players=("one", "two"))
    def counted(g: Play) -> object:
        nonlocal runs
        runs += 1
        coin = g.chance(("heads", "tails"))
        g.reveal("two", coin)
        bids = g.together({"one": (1, 2, 3), "two": (1, 2, 3)})
        g.reveal(g.players, bids["one"] > bids["two"])
        guess = g.choose("one", ("heads", "tails"))
        g.reveal("two", guess)
        if g.choose("two", ("accept", "challenge")) == "accept":
            return g.win("one", Fraction(bids["one"], 3))
        return g.win("one" if guess == coin else "two", 2)

    monkeypatch.setattr(ismcts, "MEMORY", memory)
    start = counted().position()
    drawn = [start.after("heads"), start.after("tails")]
    search = InformationSetTreeSearch(counted(), "one", observers=observers, random=Random(4))
    for position in drawn:
        search.iterate(position)
    runs = 0
    for number in range(400):
        search.iterate(drawn[number % 2])
    assert search.iterations == 402
    assert 0 < runs <= 400 if memory == 0 else 0 < runs < 160  # of 3 · 3 · 2 · 2 plays of each coin
    assert sum(search.visits(drawn[0]).values()) == 402


@game(players=("one", "two"))
def king(g: Play) -> object:
    """Kuhn poker's last decision but one with a king, and no bounds declared: a bet may gain 2."""
    other = g.chance(("jack", "queen"))
    g.reveal("two", other)
    if g.choose("one", ("pass", "bet")) == "pass":
        return g.win("one")
    g.reveal("two", "bet")
    return g.win("one", 2 if g.choose("two", ("call", "fold")) == "call" else 1)


@pytest.mark.parametrize("chosen", [kuhn(), king()], ids=["declared bounds", "no bounds"])
@pytest.mark.parametrize("seed", range(8))
def test_equal_payoffs_at_first_do_not_end_exploration(chosen: Any, seed: int) -> None:
    """If the opponent folds at first, both moves bring 1; a bet brings more once it calls."""
    declared = chosen == kuhn()
    player = "dealer" if declared else "one"
    start = chosen.position()
    position = start.after("Q K").after("pass") if declared else start.after("queen")
    search = InformationSetTreeSearch(chosen, player, observers="multiple", random=Random(seed))
    for one in Histories(chosen, player).sample(position.view(player), 500, Random(seed)):
        search.iterate(one)
    assert min(search.visits(position).values()) > 50
    assert search.best(position) == "bet"
