"""Rules turn by turn: the same game as rules from start to end, with steps of constant cost."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import game, sample, solve
from infoset.errors import Endless, RulesError
from infoset.games import goofspiel, kuhn, liars_dice
from infoset.games.liars_dice import bids, judged, menu, showing
from infoset.objects import Deck
from infoset.rules import Family, Game, Play, Position
from infoset.rules.moves import Ending

# ------------------------------------------------------------------ games of the library, again


@game(players=("gambler", "dealer"), state=())
def kuhn_by_turns(g: Play, said: tuple[Any, ...]) -> object:
    if not said:
        cards = g.deal(Deck(3, 1), 1, 1)
        for player, card in zip(g.players, cards, strict=True):
            g.reveal(player, card)
        return (cards,)
    (mine, yours), *moves = said
    player = g.players[len(moves) % 2]
    move = g.choose(player, ("pass", "bet"))
    winner = "gambler" if mine > yours else "dealer"
    if moves[-1:] == ["bet"]:
        return g.win(winner, 2) if move == "bet" else g.win(g.other(player))
    if moves and move == "pass":
        return g.win(winner)
    g.reveal(g.other(player), move)
    return (*said, move)


@game(players=("one", "two"), state=None)
def liars_dice_by_turns(g: Play, state: Any, dice: int = 1, sides: int = 6) -> object:
    if state is None:
        mine = g.roll(sides, dice=dice)
        g.reveal("one", mine)
        yours = g.roll(sides, dice=dice)
        g.reveal("two", yours)
        return (mine, yours, -1, "one")
    mine, yours, made, player = state
    other = g.other(player)
    move = g.choose(player, menu(2 * dice, sides, made))
    if move == "liar":
        count, face = made // sides + 1, made % sides + 1
        return g.win(judged(showing(mine, yours, face, sides), count, other, player))
    g.reveal(other, move)
    return (mine, yours, bids(2 * dice, sides).index(move), other)


@game(players=("player 1", "player 2"), state=lambda cards: ((range(1, cards + 1),) * 2, cards, 0))
def goofspiel_by_turns(g: Play, state: Any, cards: int = 4) -> object:
    hands, prize, lead = state
    hands = tuple(map(tuple, hands))
    if prize == 0:
        return g.end([(lead > 0) - (lead < 0), (lead < 0) - (lead > 0)])
    if prize == 1:
        bid = [hand[0] for hand in hands]
    else:
        bid = list(g.together(dict(zip(g.players, hands, strict=True))).values())
        g.reveal(g.players, tuple(bid))
    lead += prize * ((bid[0] > bid[1]) - (bid[0] < bid[1]))
    left = tuple(
        tuple(card for card in hand if card != one) for hand, one in zip(hands, bid, strict=True)
    )
    return left, prize - 1, lead


@pytest.mark.parametrize(
    ("by_turns", "plain"),
    [
        (kuhn_by_turns(), kuhn()),
        (liars_dice_by_turns(sides=3), liars_dice(sides=3)),
        (goofspiel_by_turns(), goofspiel(cards=4)),
    ],
    ids=lambda one: one.name,
)
def test_games_of_the_library(by_turns: Game, plain: Game) -> None:
    turns, whole = by_turns.tree(), plain.tree()
    assert len(turns) == len(whole)
    assert solve(turns).value == solve(whole).value
    if by_turns.name != "goofspiel_by_turns":  # whose players are told in other words
        assert turns.fingerprint == whole.fingerprint


# ------------------------------------------------------------------ random rules


def random_turn(seed: int) -> Callable[[Play, tuple[int, int]], object]:
    """A turn with questions, facts and payments that depend on the state alone."""

    def turn(g: Play, state: tuple[int, int]) -> object:
        number, memory = state
        luck = Random(f"{seed} {state}")
        for _ in range(luck.randrange(4)):
            memory = (3 * memory + asked(g, luck, memory)) % 5
        if number == 3 or luck.random() < 0.2:
            return ended(g, luck, memory)
        return number + 1, memory

    def asked(g: Play, luck: Random, memory: int) -> int:
        player, options = luck.choice(g.players), range(luck.randrange(1, 4))
        kind = luck.randrange(6)
        if kind == 0:
            return int(g.chance(options, [each + 1 for each in options]))
        if kind == 1:
            return sum(g.together(dict.fromkeys(g.players, (0, 1))).values())
        if kind == 2:
            g.reveal(luck.choice([player, g.players]), memory)
            return 0
        if kind == 3:
            g.pay(player, luck.randrange(-2, 3))
            return 1
        if kind == 4 and luck.random() < 0.3:
            return int(g.choose(player, options, knowing=memory))
        return int(g.choose(player, options))

    def ended(g: Play, luck: Random, memory: int) -> object:
        kind = luck.randrange(3)
        if kind == 0:
            return g.win(luck.choice(g.players), memory)
        if kind == 1:
            return g.end({"one": memory, "two": luck.randrange(3)})
        g.pay("one", memory)
        return None

    return turn


def both(seed: int) -> tuple[Game, Game]:
    """The game turn by turn, and the same turns in a loop of plain rules."""
    turn = random_turn(seed)

    def by_turns(g: Play, state: tuple[int, int]) -> object:
        return turn(g, state)

    def plain(g: Play) -> object:
        returned: Any = (0, 0)
        while True:
            returned = turn(g, returned)
            if returned is None or isinstance(returned, Ending):
                return returned

    players = ("one", "two")
    return game(players=players, state=(0, 0))(by_turns)(), game(players=players)(plain)()


def same_play(one: Any, two: Any, luck: Random) -> None:
    """Walk both along one random play."""
    players = ("one", "two")
    while True:
        assert (one.over, one.movers, one.chances()) == (two.over, two.movers, two.chances())
        assert [one.view(player) for player in players] == [two.view(player) for player in players]
        assert one.moves == two.moves
        assert str(one) == str(two)
        if one.over:
            assert one.payoffs == two.payoffs
            return
        menus = [one.options(mover) for mover in one.movers] or [[m for m, _ in one.chances()]]
        moves = tuple(luck.choice(list(menu)) for menu in menus)
        move = moves if len(moves) > 1 else moves[0]
        one, two = one.after(move), two.after(move)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_random_rules_agree_node_by_node(seed: int) -> None:
    by_turns, plain = both(seed)
    turns, whole = by_turns.tree(), plain.tree()
    assert turns.fingerprint == whole.fingerprint  # shape, moves, information, payoffs
    luck = Random(seed)
    for _ in range(4):
        same_play(by_turns.position(), plain.position(), luck)
    assert by_turns.size(probes=40, seed=1).nodes.estimate == (
        plain.size(probes=40, seed=1).nodes.estimate
    )


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(["external", "outcome"]))
def test_sampling_draws_the_same_walks(seed: int, method: str) -> None:
    by_turns, plain = both(seed)
    found = [sample(one, method, iterations=30, seed=3).strategy for one in (by_turns, plain)]
    assert found[0] == found[1]


# ------------------------------------------------------------------ states


@game(players=("one", "two"), state=lambda sticks: (sticks, "one"))
def nim(g: Play, state: tuple[int, str], sticks: int = 7) -> object:
    left, player = state
    left -= g.choose(player, range(1, min(2, left) + 1))
    g.reveal(g.players, left)
    return (left, g.other(player)) if left else g.win(player)


def test_a_step_runs_one_turn() -> None:
    runs = [0]

    def counted(g: Play, left: int) -> object:
        runs[0] += 1
        return left - g.choose("one", (1,)) if left else g.win("one")

    at: Any = game(players=("one",), state=500)(counted)().position()
    while not at.over:
        before = runs[0]
        at = at.after(1)
        at.movers  # noqa: B018
        assert runs[0] - before <= 2  # the rest of a turn, and the next up to its question
    assert at.made == 500


def test_a_tree_replays_no_more_than_a_turn() -> None:
    runs = [0]

    def counted(g: Play, state: tuple[int, ...]) -> object:
        runs[0] += 1
        if len(state) == 8:
            return g.win("one", sum(state))
        return (*state, g.choose("one", (0, 1)))

    tree = game(players=("one",), state=())(counted)().tree()
    assert len(tree) == 2**9 - 1
    # Each node's turn once, once more for its second option, and what the audit runs again.
    assert runs[0] < 2 * len(tree) + 9 * 16


def test_positions_have_states() -> None:
    at = nim(sticks=500).position()
    assert at.state == (500, "one")
    assert at.after(2).state == (498, "two")
    assert at.after(2).after(1) == at.after(2).after(1)
    with pytest.raises(RulesError, match="have no states"):
        _ = kuhn().position().state


def test_searches_and_solvers_take_them() -> None:
    assert solve(nim()).value == 1
    assert solve(nim(sticks=6)).value == -1
    assert solve(goofspiel_by_turns(cards=3), "double-oracle-alphabeta").value == 0


# ------------------------------------------------------------------ mistakes


def made(turn: Callable[..., object], state: Any = 0) -> Family:
    return game(players=("one", "two"), state=state)(turn)


def steps(position: Position, count: int) -> Position:
    for _ in range(count):
        position = position.after(position.options(position.movers[0])[0])
    return position


def test_what_cannot_be_a_state() -> None:
    def lists(g: Play, state: Any) -> object:
        return [g.choose("one", (1, 2))]

    def payoffs(g: Play, state: Any) -> object:
        g.choose("one", (1, 2))
        return {"one": 1, "two": -1}

    for turn in (lists, payoffs):
        for run in (lambda one: one().tree(), lambda one: steps(one().position(), 1).over):
            with pytest.raises(RulesError, match=r"not hashable.*g\.end") as said:
                run(made(turn))
            assert "\n" not in str(said.value)
    with pytest.raises(RulesError, match="not hashable"):
        made(payoffs, state=[])().tree()


def test_a_win_that_is_dropped() -> None:
    def dropped(g: Play, state: int) -> object:
        g.win(g.players[g.choose("one", (0, 1))])
        return state + 1

    for run in (lambda: made(dropped)().tree(), lambda: steps(made(dropped)().position(), 1).over):
        with pytest.raises(RulesError, match=r"return g\.win"):
            run()


def test_turns_without_an_end() -> None:
    def idle(g: Play, state: int) -> object:
        return state + 1

    def asking(g: Play, state: int) -> object:
        return g.choose("one", (state + 1,))

    with pytest.raises(Endless, match="without asking"):
        made(idle)().tree(seconds_per_move=0.3)
    with pytest.raises(Endless, match="moves without an end"):
        made(asking)().tree()


def test_a_state_that_is_changed_is_found() -> None:
    class Board:
        def __init__(self) -> None:
            self.moves: list[int] = []

    def changes(g: Play, board: Board) -> object:
        board.moves.append(g.choose("one", (0, 1)))
        return g.win("one", sum(board.moves)) if len(board.moves) >= 3 else board

    for first in (Board(), (0, Board())):
        for run in (lambda one: one().tree(), lambda one: steps(one().position(), 1).over):
            with pytest.raises(RulesError, match="let a state be a value") as said:
                run(made(changes, state=first))
            assert str(said.value).count("made") <= 1

    class Colour(Enum):
        RED = 1

    def allowed(g: Play, state: Any) -> object:
        return g.win("one", g.choose("one", (0, 1))) if state is Colour.RED else Colour.RED

    assert len(made(allowed, state=(Board, len, None))().tree()) == 3


def test_how_it_is_declared() -> None:
    with pytest.raises(RulesError, match="the play and the state"):

        @game(players=("one",), state=0)
        def alone(g: Play) -> object:
            return 0

    with pytest.raises(RulesError, match=r"vectorized.*without state="):
        game(players=("one",), state=0, vectorized=True)

    with pytest.raises(RulesError, match=r"state= asks for 'size'"):
        _ = made(lambda g, state: None, state=lambda size: size)().rules
    with pytest.raises(RulesError, match=r"state= raised ZeroDivisionError"):
        _ = made(lambda g, state: None, state=lambda: 1 // 0)().rules


def test_errors_name_the_whole_play() -> None:
    def fails(g: Play, left: int) -> object:
        if not left:
            raise ValueError("broken")
        return left - g.choose("one", (1,))

    at = steps(made(fails, state=2)().position(), 2)
    with pytest.raises(RulesError, match=r"broken.*one: 1; one: 1|broken.*after"):
        _ = at.over


# ------------------------------------------------------------------ keys


def test_keys_are_states_and_the_moves_of_the_turn() -> None:
    @game(players=("one", "two"), state=0)
    def collecting(g: Play, state: int) -> object:
        player = g.players[state % 2]
        amount = g.choose(player, (1, 2))
        g.pay(player, amount)
        then = g.choose(g.other(player), ("stop", "go"))
        g.reveal(g.players, (amount, then))
        return state + 1 if then == "go" and state < 3 else None

    start = collecting().position()
    one, two = (start.after(amount).after("go") for amount in (1, 2))
    assert start.paid is None
    assert one.key == two.key != start.key
    assert (one.paid, two.paid) == ((1, 0), (2, 0))
    assert one.after(2).key == two.after(2).key != one.after(1).key
    assert one.after(2).paid == (1, 2)  # within a turn, too
    ended = [each.after(2).after("stop").payoffs for each in (one, two)]
    assert [payoffs["one"] for payoffs in ended] == [1, 2]


def test_what_is_paid_while_the_rules_clean_up_is_not_paid() -> None:
    @game(players=("one", "two"))
    def tidy(g: Play) -> object:
        try:
            g.choose("one", ("left", "right"))
        finally:
            g.pay("one", 5)
        return None

    start = tidy().position()
    assert start.key == ()
    assert start.paid is None
    assert start.after("left").payoffs["one"] == 5
