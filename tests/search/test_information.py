"""Information-set search: best responses, worst cases, and moves that gather information."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Game, Play, best_response, game, solve
from infoset.errors import NoHistory, NotApplicable, ParameterError, TooLarge
from infoset.games import inspection, kuhn, leduc, liars_dice
from infoset.search import InformationSetSearch, Playouts
from infoset.search.consistent import Histories
from infoset.strategy import Behaviour, behaviour, profile, uniform
from infoset.tree import Tree
from tests.rules.random_games import random_rules


def at_node(start: Any, history: Any) -> Any:
    """The position of a node of the tree; a simultaneous move is several moves there."""
    position, waiting = start, []
    for _, move in history:
        waiting.append(move)
        if len(waiting) == max(len(position.movers), 1):
            position = position.after(tuple(waiting) if len(waiting) > 1 else waiting[0])
            waiting = []
    return position


def searched(chosen: Game, tree: Tree, player: str, model: Any, search: Any) -> Behaviour:
    """A player's strategy by the search at each of its information sets."""
    histories = Histories(chosen, player, model)
    rows: dict[Any, dict[Any, int]] = {}
    for infoset in tree.infosets_of(player):
        view = at_node(chosen.position(), infoset.nodes[0].history).view(player)
        try:
            best = search.best(histories.enumerate(view))
        except NoHistory:  # the others do not let it come to that
            best = infoset.actions[0]
        rows[infoset] = {best: 1}
    return behaviour(tree, player, rows)


@pytest.mark.parametrize("chosen", [kuhn(), liars_dice(sides=2), leduc(ranks=2)], ids=repr)
def test_to_full_depth_it_is_a_best_response(chosen: Game) -> None:
    tree = chosen.tree()
    solution = solve(tree)
    for player, other in (tree.names, tree.names[::-1]):
        for strategy in (uniform(tree, other), solution.profile[other]):
            search = InformationSetSearch(chosen, player, strategy)
            own = searched(chosen, tree, player, strategy, search)
            assert profile([own, strategy]).payoffs[player] == (
                best_response(tree, {other: strategy}, player=player).value
            )


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_overconfident_play_is_a_best_response_to_uniform_play(seed: int) -> None:
    chosen = random_rules(seed, depth=5)()
    tree = chosen.tree()
    player, other = tree.names
    search = InformationSetSearch(chosen, player)
    own = searched(chosen, tree, player, "uniform", search)
    against = uniform(tree, other)
    found = profile([own, against]).payoffs[player]
    assert found == best_response(tree, {other: against}, player=player).value


@game(players=("max", "min"), bounds=(-9, 9))
def perfect(g: Play, seed: int = 0, plies: int = 4) -> object:
    """Alternating moves that everyone sees, and payoffs of a table."""
    path: tuple[int, ...] = ()
    for ply in range(plies):
        move = g.choose(g.players[ply % 2], (0, 1, 2)[: 2 + (seed + ply) % 2])
        g.reveal(g.players, move)
        path += (move,)
    return g.win("max", Random(f"{seed} {path}").randrange(-9, 10))


@pytest.mark.parametrize("seed", range(6))
def test_paranoia_is_minimax_where_nothing_is_hidden(seed: int) -> None:
    chosen = perfect(seed=seed)
    start = chosen.position()
    search = InformationSetSearch(chosen, "max", "paranoid")
    assert max(search.values([(start, 1)]).values()) == solve(chosen).value


@game(players=("one", "two"), bounds=(-1, 1))
def gamble(g: Play) -> object:
    """A certain -1/2, or a gamble that loses only to an opponent who finds the right move."""
    if g.choose("one", ("safe", "gamble")) == "safe":
        return g.win("two", Fraction(1, 2))
    g.reveal("two", "gamble")
    return g.win("two" if g.choose("two", ("right", "wrong", "worse")) == "right" else "one")


def test_overconfidence_is_not_minimax() -> None:
    start = [(gamble().position(), 1)]
    assert InformationSetSearch(gamble(), "one", "paranoid").best(start) == "safe"
    found = InformationSetSearch(gamble(), "one").values(start)
    assert found == {"safe": Fraction(-1, 2), "gamble": Fraction(1, 3)}
    assert solve(gamble()).value == Fraction(-1, 2)


@game(players=("max", "min"), bounds=(-1, 1))
def won_or_lost(g: Play, seed: int = 0, plies: int = 5) -> object:
    """The same, but every play is won or lost."""
    path: tuple[int, ...] = ()
    for ply in range(plies):
        move = g.choose(g.players[ply % 2], (0, 1, 2)[: 2 + (seed + ply) % 2])
        g.reveal(g.players, move)
        path += (move,)
    return g.win(Random(f"{seed} {path}").choice(g.players))


@pytest.mark.parametrize("seed", range(12))
def test_overconfidence_is_minimax_where_plays_are_won_or_lost(seed: int) -> None:
    chosen = won_or_lost(seed=seed)
    tree = chosen.tree()
    for player in tree.names:
        own = searched(chosen, tree, player, "uniform", InformationSetSearch(chosen, player))
        value = solve(tree).payoffs[player]
        worst = best_response(tree, {player: own}).value
        assert -worst == value


@game(players=("seeker", "nature"), bounds=(-2, 2))
def look(g: Play) -> object:
    """Look at a small price, or guess. Who knows the place already never looks."""
    place = g.chance(("left", "right"))
    if g.choose("seeker", ("look", "guess")) == "look":
        g.pay("seeker", Fraction(-1, 10))
        g.pay("nature", Fraction(1, 10))
        g.reveal("seeker", place)
    return g.win("seeker" if g.choose("seeker", ("left", "right")) == place else "nature")


def test_moves_that_gather_information_keep_their_value() -> None:
    view = look().position().after("left").view("seeker")
    belief = Histories(look(), "seeker").enumerate(view)
    search = InformationSetSearch(look(), "seeker")
    assert search.values(belief) == {"look": Fraction(9, 10), "guess": 0}
    # World by world, as if the place were known, looking is a waste.
    worlds = [search.values([(position, 1)]) for position, _ in belief]
    assert {max(world, key=world.__getitem__) for world in worlds} == {"guess"}
    drawn = InformationSetSearch(look(), "seeker", drawn=True, random=Random(1))
    sampled = [
        (position, 1) for position in Histories(look(), "seeker").sample(view, 200, Random(2))
    ]
    assert drawn.best(sampled) == "look"


def test_the_inspector_of_gala() -> None:
    chosen = inspection()
    tree = chosen.tree()
    for player in tree.names:
        other = next(name for name in tree.names if name != player)
        strategy = solve(tree).profile[other]
        own = searched(
            chosen, tree, player, strategy, InformationSetSearch(chosen, player, strategy)
        )
        found = profile([own, strategy]).payoffs[player]
        assert found == best_response(tree, {other: strategy}, player=player).value


def test_depth_and_evaluation() -> None:
    chosen = kuhn()
    belief = Histories(chosen, "gambler").enumerate(chosen.position().after("K J").view("gambler"))
    with pytest.raises(NotApplicable, match=r"evaluate=") as said:
        InformationSetSearch(chosen, "gambler", depth=1).values(belief)
    assert "\n" not in str(said.value)
    deep = InformationSetSearch(chosen, "gambler", depth=9).values(belief)
    assert deep == InformationSetSearch(chosen, "gambler").values(belief)
    rough = InformationSetSearch(
        chosen, "gambler", depth=1, evaluate=Playouts(200, Random(1))
    ).values(belief)
    assert all(0 < value < 2 for value in rough.values())


def test_what_is_refused() -> None:
    with pytest.raises(ParameterError, match="paranoid"):
        InformationSetSearch(kuhn(), "gambler", "brave")
    with pytest.raises(ParameterError, match="at least 1"):
        InformationSetSearch(kuhn(), "gambler", depth=0)
    with pytest.raises(ParameterError, match="at least one position"):
        InformationSetSearch(kuhn(), "gambler").values([])
    chosen = leduc()
    start = chosen.position()
    dealt = start.after(start.chances()[0][0])
    belief = Histories(chosen, "one").enumerate(dealt.view("one"))
    with pytest.raises(TooLarge, match="100 positions"):
        InformationSetSearch(chosen, "one", positions=100).values(belief)
    with pytest.raises(TooLarge, match="no time left"):
        InformationSetSearch(chosen, "one", seconds=1e-6).values(belief)
