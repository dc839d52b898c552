"""Search with perfect information: the same values as backward induction, in fewer positions."""

from __future__ import annotations

import time
import zlib
from collections.abc import Hashable
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import game, solve
from infoset.errors import Endless, InfosetError, NotApplicable, ParameterError, RulesError
from infoset.games import (
    centipede,
    goofspiel,
    kuhn,
    matching_pennies,
    prisoners_dilemma,
    tic_tac_toe,
    tricks,
)
from infoset.games.tricks import Trick, alike
from infoset.objects import Deck, Hand
from infoset.rules import Game, Play, Position, ReplayPosition
from infoset.rules.turns import TurnStart
from infoset.search import PerfectSearch, search_perfect
from infoset.search.perfect.table import Entry, Table

NAMES = ("ann", "bob", "cy")
seeds = st.integers(0, 10**6)
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"table_size": 0},
    {"table_size": 3},
    {"ordering": False},
    {"table_size": 0, "ordering": False},
    {"bounds": (-60, 60)},
    {"bounds": (-60, None)},
)

# ------------------------------------------------------------------ random games


def random_game(seed: int, players: int = 2, zero_sum: bool = True) -> Game:
    """A game of perfect information, turn by turn, in which positions recur and turns pay."""
    names = NAMES[:players]

    def given_out(luck: Random) -> list[int]:
        amounts = [luck.randrange(-3, 4) for _ in names]
        if zero_sum and players == 2:
            amounts[1] = -amounts[0]
        return amounts

    @game(players=names, state=(0, 0))
    def random_turns(g: Play, state: tuple[int, int]) -> object:
        number, memory = state
        luck = Random(f"{seed} {state}")
        for _ in range(luck.randrange(3)):
            options = range(luck.randrange(1, 4))
            if luck.randrange(4) == 0:
                taken = g.chance(options, [each + 1 for each in options])
            else:
                taken = g.choose(luck.choice(names), options)
            g.reveal(names, taken)
            memory = (3 * memory + taken) % 5
        luck = Random(f"{seed} {state} {memory}")
        if luck.randrange(2):
            for name, amount in zip(names, given_out(luck), strict=True):
                g.pay(name, amount)
        if number == 3 or luck.random() < 0.15:
            return g.end(given_out(luck))
        return number + 1, memory

    return random_turns()


def plain_game(seed: int) -> Game:
    """The same from start to end, where no position recurs."""

    @game(players=NAMES[:2], bounds=(-5, 5))
    def random_plain(g: Play) -> object:
        history: tuple[object, ...] = (seed,)

        def pick(count: int, salt: str) -> int:
            return zlib.crc32(repr((history, salt)).encode()) % count

        for _ in range(5):
            options = range(1 + pick(3, "options"))
            if pick(4, "kind") == 0:
                move = g.chance(options, [1 + pick(3, f"weight {each}") for each in options])
            else:
                move = g.choose(NAMES[pick(2, "who")], options)
            g.reveal(NAMES[:2], move)
            history += (move,)
        paid = pick(11, "payoff") - 5
        return paid, -paid

    return random_plain()


def walked(position: Position, luck: Random, steps: int) -> Position:
    """A position some random moves further."""
    for _ in range(steps):
        if position.over:
            break
        options = [move for move, _ in position.chances()]
        following = position.after(luck.choice(options or position.options(position.movers[0])))
        if following.over:
            break
        position = following
    return position


def expanded(position: Position, player: str, depth: int, evaluate: Any) -> Fraction:
    """The value by minimax without any pruning, to a depth."""
    if position.over:
        return position.payoffs[player]
    if not position.movers:
        return sum(
            (
                chance * expanded(position.after(outcome), player, depth, evaluate)
                for outcome, chance in position.chances()
            ),
            Fraction(0),
        )
    if depth == 0:
        return Fraction(evaluate(position, player))
    mover = position.movers[0]
    values = [
        expanded(position.after(option), player, depth - 1, evaluate)
        for option in position.options(mover)
    ]
    return max(values) if mover == player else min(values)


# ------------------------------------------------------------------ values


@given(seeds)
@settings(max_examples=15, deadline=None)
def test_values_are_those_of_backward_induction(seed: int) -> None:
    for played in (random_game(seed), plain_game(seed)):
        value = solve(played.tree(), method="backward").value
        for chosen in SETTINGS:
            found = search_perfect(played, **chosen)
            assert found.value == value, (played, chosen)
            assert type(found.value) is Fraction
            assert found.complete
            assert search_perfect(played, player="bob", **chosen).value == -value


@given(seeds)
@settings(max_examples=25, deadline=None)
def test_a_table_that_stays_changes_no_value(seed: int) -> None:
    played = random_game(seed)
    searcher, luck = PerfectSearch(played, table_size=40), Random(seed)
    for _ in range(12):
        position = walked(played.position(), luck, luck.randrange(6))
        fresh = PerfectSearch(played)
        assert searcher.value(position) == fresh.value(position)
        values = searcher.moves(position)
        assert values == {
            move: PerfectSearch(played, table_size=0).value(position.after(move)) for move in values
        }
        if position.movers:
            best = max if position.movers == ("ann",) else min
            assert best(values.values()) == searcher.value(position)
            assert values[searcher.search(position).move] == searcher.value(position)


@given(seeds)
@settings(max_examples=40, deadline=None)
def test_the_line_is_one_of_best_moves(seed: int) -> None:
    played = plain_game(seed)
    found = search_perfect(played)
    searcher, position = PerfectSearch(played), played.position()
    assert found.move == (found.line[0] if found.line else None)
    for move in found.line:
        position = position.after(move)
        assert searcher.value(position) == found.value
    assert position.over or not position.movers


@given(seeds, st.integers(2, 3))
@settings(max_examples=40, deadline=None)
def test_max_n_is_backward_induction(seed: int, players: int) -> None:
    played = random_game(seed, players, zero_sum=False)
    payoffs = solve(played.tree(), method="backward").payoffs
    for chosen in SETTINGS:
        found = search_perfect(played, backup="max-n", **chosen)
        assert found.payoffs == payoffs
        assert found.value == payoffs["ann"]


@given(seeds)
@settings(max_examples=15, deadline=None)
def test_paranoid_is_minimax_against_all_others(seed: int) -> None:
    played = random_game(seed, 3)
    for player in NAMES:
        value = expanded(played.position(), player, 99, None)
        for chosen in SETTINGS:
            found = search_perfect(played, backup="paranoid", player=player, **chosen)
            assert found.value == value
            assert found.player == player


# ------------------------------------------------------------------ depth and budgets


def rough(position: Any, player: str) -> Fraction:
    """What was paid so far, and some noise that depends on the state."""
    paid = position.paid[position.game.players.index(player)] if position.paid else 0
    sign = 1 if player == "ann" else -1
    return Fraction(paid) + sign * Fraction(zlib.crc32(repr(position.key).encode()) % 7 - 3, 2)


@given(seeds, st.integers(1, 5))
@settings(max_examples=20, deadline=None)
def test_values_at_a_depth_do_not_depend_on_the_table(seed: int, depth: int) -> None:
    played = random_game(seed)
    searcher = PerfectSearch(played, depth=depth, evaluate=rough, table_size=100)
    luck = Random(seed)
    for _ in range(6):
        position = walked(played.position(), luck, luck.randrange(6))
        value = expanded(position, "ann", depth, rough)
        assert searcher.value(position) == value
        for chosen in SETTINGS:
            deepened = PerfectSearch(played, depth=depth, evaluate=rough, deepening=True, **chosen)
            assert deepened.value(position) == value


def test_depth_without_an_evaluator() -> None:
    with pytest.raises(ParameterError, match=r"tic_tac_toe.*depth=2.*evaluate="):
        search_perfect(tic_tac_toe(), depth=2)
    assert search_perfect(tic_tac_toe(size=2, line=2), depth=3).value == 1  # ends before


def test_time_and_nodes_are_respected() -> None:
    def even(position: Position, player: str) -> int:
        return 0

    played = tic_tac_toe(size=5, line=4)
    for chosen in ({"evaluate": even}, {}):
        began = time.process_time()
        found = search_perfect(played, seconds=0.2, **chosen)
        assert time.process_time() - began < 2
        assert not found.complete
        assert found.move in played.position().options("cross")
        counted = search_perfect(played, max_nodes=200, **chosen)
        assert counted.nodes <= 200
        assert (counted.value == 0 and counted.depth >= 1) if chosen else counted.value is None
    assert PerfectSearch(played, max_nodes=200).value() is None
    assert PerfectSearch(played, max_nodes=200).moves() == {}
    values = PerfectSearch(played, max_nodes=200, evaluate=even).moves()
    assert set(values.values()) == {0}
    assert len(values) == 25


def test_deepening_ends_with_the_game() -> None:
    found = search_perfect(sticks_game(9), seconds=60, evaluate=lambda position, player: 0)
    assert found.complete
    assert found.value == 1
    assert found.depth <= 9


def test_it_stops_when_asked() -> None:
    found = search_perfect(tic_tac_toe(size=4, line=4), stop=lambda: True)
    assert found.value is None
    assert found.nodes <= 64


# ------------------------------------------------------------------ games


def by_marks(position: Any) -> Hashable:
    """Who has marked which squares, in any order."""
    return frozenset(position.moves[::2]), frozenset(position.moves[1::2])


def up_to_symmetry(position: Any) -> Hashable:
    """The same, up to turning and reflecting the board."""
    squares = [("abc".index(name[0]), int(name[1]) - 1) for name in position.moves]
    pictures = []
    for _ in range(4):
        squares = [(y, 2 - x) for x, y in squares]
        both = (squares, [(y, x) for x, y in squares])
        pictures += [(sorted(picture[::2]), sorted(picture[1::2])) for picture in both]
    first, second = min(pictures)
    return tuple(first), tuple(second)


def test_tic_tac_toe_in_ever_fewer_positions() -> None:
    """Minimax visits 549,946 nodes, of 5,478 different positions; 765 up to symmetry."""
    plain = search_perfect(tic_tac_toe(), table_size=0, ordering=False)
    ordered = search_perfect(tic_tac_toe(), table_size=0)
    table = search_perfect(tic_tac_toe(), alike=by_marks)
    partition = search_perfect(tic_tac_toe(), alike=up_to_symmetry)
    searches = (plain, ordered, table, partition)
    assert [found.value for found in searches] == [0] * 4
    assert 549_946 > plain.nodes > ordered.nodes > table.nodes > partition.nodes
    assert table.hits > 0
    assert len(plain.line) == 9


def sticks_game(sticks: int) -> Game:
    @game(players=("one", "two"), state=(sticks, "one"), bounds=(-1, 1))
    def nim(g: Play, state: tuple[int, str]) -> object:
        left, player = state
        left -= g.choose(player, range(1, min(3, left) + 1))
        g.reveal(g.players, left)
        return (left, g.other(player)) if left else g.win(player)

    return nim()


def test_nim_turn_by_turn() -> None:
    for sticks in (1, 2, 3, 4, 5, 8, 9, 100, 101, 600):
        found = search_perfect(sticks_game(sticks))
        assert found.value == (-1 if sticks % 4 == 0 else 1)
        assert found.nodes <= 7 * sticks  # states recur
        if sticks % 4:
            assert found.move == sticks % 4


def test_hidden_cards_are_seen() -> None:
    """With open cards the better card wins the ante: no bet is called by the worse one."""
    assert search_perfect(kuhn()).value == Fraction(0)
    dealt = kuhn().position().after("K J")
    assert PerfectSearch(kuhn()).moves(dealt) == {"pass": 1, "bet": 1}


def test_a_team_is_one_player() -> None:
    position = tricks(ranks=2, suits=2, copies=2).position()
    for deal, _ in position.chances()[::40]:
        after = position.after(deal)
        value = search_perfect(after).value
        assert value == _open_value(after)
        assert search_perfect(after, player="east-west").value == -value
        assert search_perfect(after, player="north").value == value


def dealt(played: Game, seed: int) -> ReplayPosition:
    """A random deal of tricks, which chance would make one of too many."""
    params = played.params
    cards = list(Deck(params["ranks"], params["suits"]) * params["copies"])
    Random(seed).shuffle(cards)
    hands = tuple(Hand(cards[at::4]) for at in range(4))
    return ReplayPosition.within(
        played, TurnStart(Trick(hands, 0, ()), (None,) * 4, None, None, (), 0), ()
    )


@pytest.mark.parametrize(
    ("played", "deals"),
    [
        (tricks(ranks=3, suits=2, copies=2), 3),
        (tricks(ranks=4, suits=4, copies=1, trumps=False), 2),
        (tricks(ranks=12, suits=1, copies=1), 2),
    ],
)
def test_partition_search_of_tricks(played: Game, deals: int) -> None:
    """One entry for all positions in which the cards left compare in the same way."""
    without = PerfectSearch(played, table_size=0)
    table = PerfectSearch(played)
    partition = PerfectSearch(played, alike=alike)
    for seed in range(deals):
        position = dealt(played, seed)
        values = [searcher.value(position) for searcher in (without, table, partition)]
        assert values == [values[0]] * 3
    assert without.nodes >= table.nodes > partition.nodes
    position = dealt(played, 0)
    assert partition.moves(position) == without.moves(position)


def _open_value(position: Position) -> Fraction:
    if position.over:
        return position.payoffs["north-south"]
    (mover,) = position.movers
    best = max if mover in ("north", "south") else min
    return best(_open_value(position.after(option)) for option in position.options(mover))


# ------------------------------------------------------------------ simultaneous moves


def test_simultaneous_moves_are_resolved_against_the_player() -> None:
    for player in matching_pennies().players:
        found = search_perfect(matching_pennies(), player=player)
        assert found.value == -1  # the value is 0 with mixed strategies
        assert found.move in ("heads", "tails")
    searcher = PerfectSearch(matching_pennies())
    assert set(searcher.moves().values()) == {-1}


def test_pure_max_min_of_a_simultaneous_game() -> None:
    played = goofspiel(cards=4)
    for start in (played.position(), played.stages):
        found = search_perfect(start)
        assert found.value == _guaranteed(start)
        assert search_perfect(start, table_size=0, ordering=False).value == found.value
        move = PerfectSearch(played).moves(start)
        assert move[found.move] == found.value == max(move.values())


def _guaranteed(position: Position) -> Fraction:
    """What the first player can be sure of when the other sees each move before its own."""
    if position.over:
        return position.payoffs["player 1"]
    if not position.movers:
        return sum((p * _guaranteed(position.after(o)) for o, p in position.chances()), Fraction(0))
    if len(position.movers) == 1:
        (mover,) = position.movers
        best = max if mover == "player 1" else min
        return best(_guaranteed(position.after(option)) for option in position.options(mover))
    return max(
        min(_guaranteed(position.after((one, two))) for two in position.options("player 2"))
        for one in position.options("player 1")
    )


# ------------------------------------------------------------------ bad input


def test_what_is_refused() -> None:
    with pytest.raises(NotApplicable, match=r"constant sum.*max-n"):
        search_perfect(prisoners_dilemma())
    with pytest.raises(ParameterError, match=r"3 players.*max-n.*paranoid"):
        search_perfect(goofspiel(players=3, cards=2))
    with pytest.raises(ParameterError, match=r"backup='maxn'.*max-n"):
        search_perfect(centipede(), backup="maxn")
    with pytest.raises(ParameterError, match=r"dept=.*depth"):
        search_perfect(centipede(), dept=2)  # type: ignore[call-arg]
    for wrong in ({"depth": 0}, {"seconds": -1}, {"max_nodes": 0}, {"table_size": -1}):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            search_perfect(tic_tac_toe(), **wrong)
    with pytest.raises(ParameterError, match="evaluate"):
        search_perfect(tic_tac_toe(), depth=1, evaluate=lambda position, player: "much")
    with pytest.raises(ParameterError, match=r"evaluate= gave 7.*-1 to 1"):
        search_perfect(tic_tac_toe(), depth=1, evaluate=lambda position, player: 7)
    with pytest.raises(RulesError, match=r"bounds="):
        search_perfect(tic_tac_toe(), bounds=(0, 0))
    with pytest.raises(ParameterError, match=r"kuhn.*tic_tac_toe"):
        PerfectSearch(tic_tac_toe()).value(kuhn().position())
    with pytest.raises(ParameterError, match="evaluate="):
        search_perfect(tic_tac_toe(), deepening=True)
    with pytest.raises(InfosetError, match="nobody"):
        search_perfect(tic_tac_toe(), player="nobody")


def test_an_endless_game() -> None:
    @game(players=("one", "two"), state=0)
    def counting(g: Play, state: int) -> object:
        g.choose(g.players[state % 2], ("on", "further"))
        return state + 1

    with pytest.raises(Endless, match="depth="):
        search_perfect(counting())
    assert search_perfect(counting(), depth=5, evaluate=lambda position, player: 0).value == 0


# ------------------------------------------------------------------ engines


class Halves:
    """A game on an engine of its own: halve or decrement a number; who reaches 0 wins."""

    players = ("one", "two")
    bounds = (-1, 1)

    def position(self) -> HalvesPosition:
        return HalvesPosition(31, 0)


class HalvesPosition:
    def __init__(self, number: int, turn: int) -> None:
        self.key = (number, turn)
        self.over = number == 0
        self.movers = () if self.over else (Halves.players[turn],)
        self.payoffs = {player: Fraction(1 if player == Halves.players[1 - turn] else -1)
                        for player in Halves.players}  # fmt: skip

    def options(self, player: str) -> tuple[str, ...]:
        return ("halve", "less")

    def chances(self) -> tuple[()]:
        return ()

    def after(self, move: Hashable) -> HalvesPosition:
        number, turn = self.key
        return HalvesPosition(number // 2 if move == "halve" else number - 1, 1 - turn)

    def view(self, player: str) -> Hashable:
        return self.key

    def evaluate(self, player: str) -> int:
        return 0


def test_an_engine_with_keys_and_an_evaluation_of_its_own() -> None:
    found = search_perfect(Halves())
    assert found.value == expanded(Halves().position(), "one", 99, None)
    assert found.nodes <= 4 * 31 + 1
    assert search_perfect(Halves(), depth=1).value == 0
    with pytest.raises(NotApplicable, match="PerfectSearch"):
        search_perfect(Halves().position())


# ------------------------------------------------------------------ the table


def test_a_table_keeps_what_was_read_lately() -> None:
    table = Table(4)
    for key in range(20):
        table.put(key, Entry(1, 1, key, key, None, ()))
        assert table.get(0) is not None
        assert len(table) <= 4
    assert table.get(5) is None
