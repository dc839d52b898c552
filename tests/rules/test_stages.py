"""The rules of games over whole numbers say what their rules say, and a slip in them is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play, Position, game
from infoset.errors import RulesError
from infoset.games import LIBRARY, goofspiel, kuhn, oshi_zumo, pursuit, stacked
from infoset.rules import CHANCE, OVER, PLAYERS, Beginning, Game, StagePosition, Stages
from infoset.rules.stages import State, check_stages

SQUARES = ["a1", "b1", "a2", "b2", "c1", "c2"]


def start_of(member: Game) -> StagePosition:
    assert member.stages is not None
    return member.stages


def moves_at(position: Position) -> list[Any]:
    """All that may happen: pairs of moves, moves of one, or outcomes."""
    if not position.movers:
        return [outcome for outcome, _ in position.chances()]
    menus = [position.options(mover) for mover in position.movers]
    return list(product(*menus)) if len(menus) > 1 else list(menus[0])


def plays(position: Position, told: tuple[Any, ...] = ()) -> Iterator[tuple[Any, Fraction]]:
    """All plays, as moves with what the first player gets."""
    if position.over:
        yield told, next(iter(position.payoffs.values()))
        return
    for move in moves_at(position):
        yield from plays(position.after(move), (*told, (position.movers, move)))


# ---------------------------------------------------------------- the library


@st.composite
def members(draw: st.DrawFn) -> Game:
    """Any game of the library that is also said over whole numbers."""

    def whole(low: int, high: int) -> int:
        return draw(st.integers(low, high))

    def either() -> bool:
        return draw(st.booleans())

    family = draw(st.sampled_from(["goofspiel", "oshi_zumo", "stacked", "pursuit"]))
    if family == "goofspiel":
        order = draw(st.sampled_from(["descending", "ascending", "random"]))
        points = either()
        early = not points and either()
        return goofspiel(
            whole(2, 7), order=order, prizes_up=order != "random", points=points, early_end=early
        )
    if family == "oshi_zumo":
        coins = whole(1, 9)
        horizon = draw(st.none() | st.integers(1, 12))
        return oshi_zumo(coins, whole(0, 3), whole(0, coins), horizon)
    if family == "stacked":
        height, spread = draw(st.none() | st.integers(2, 5)), draw(st.none() | st.integers(1, 9))
        chances = draw(st.sampled_from([0, 2, 3]))
        seed = whole(-(2**70), 2**70)
        return stacked(whole(2, 5), height, whole(1, 6), seed, either(), either(), spread, chances)
    units = whole(1, 3)
    free = draw(st.permutations(SQUARES))
    starts = tuple(free[: units + 1]) if either() else ()
    return pursuit(whole(2, 4), whole(3, 5), whole(1, 5), units, either(), starts)


@given(member=members(), seed=st.integers(0, 1000))
@settings(max_examples=300)
def test_random_plays_agree(member: Game, seed: int) -> None:
    check_stages(member.position(), start_of(member), plays=4, seed=seed)


def test_every_game_with_stages_is_drawn_above() -> None:
    having = {name for name, family in LIBRARY.items() if family.stages is not None}
    assert having == {"goofspiel", "oshi_zumo", "stacked", "pursuit"}


SMALL = [
    goofspiel(cards=4),
    goofspiel(cards=4, order="ascending", points=True),
    goofspiel(cards=3, order="random", prizes_up=False),
    goofspiel(cards=4, early_end=True),
    oshi_zumo(),
    oshi_zumo(coins=7, min_bid=2),
    oshi_zumo(coins=5, size=0, min_bid=1, horizon=2),
    oshi_zumo(coins=5, min_bid=2, horizon=1),
    oshi_zumo(coins=3, min_bid=3),
    stacked(depth=3),
    stacked(width=2, height=3, chances=2, points=False),
    stacked(correlated=False, seed=5),
    pursuit(),
    pursuit(rows=2, pursuers=2, turns=2, stay=True),
]


@pytest.mark.parametrize("member", SMALL, ids=repr)
def test_all_plays_are_the_same(member: Game) -> None:
    by_rules = Counter(plays(member.position()))
    assert by_rules == Counter(plays(start_of(member)))
    assert sum(by_rules.values()) == len(list(member.tree().leaves))


def settled(position: StagePosition) -> tuple[Fraction, Fraction]:
    """The least and the most below a position; on the way, its bounds are held against them."""
    if position.over:
        paid = position.payoffs[position.players[0]]
        low = high = paid
    else:
        below = [settled(position.after(move)) for move in moves_at(position)]
        low, high = min(pair[0] for pair in below), max(pair[1] for pair in below)
    least, most = position.bounds
    assert least <= low <= high <= most, position
    assert not position.over or least == most, position  # then nothing is open any more
    return low, high


@pytest.mark.parametrize("member", SMALL, ids=repr)
def test_bounds_hold_everywhere(member: Game) -> None:
    low, high = settled(start_of(member))
    assert member.bounds is not None
    assert member.bounds[0] <= low <= high <= member.bounds[1]


@pytest.mark.parametrize(
    ("state", "pair"),
    [
        (start_of(oshi_zumo(coins=6)).after((1, 6)), (-1, 1)),
        (start_of(oshi_zumo(coins=6, size=2)).after((0, 6)).after(5), (0, 1)),
        (start_of(stacked(depth=3, points=False, seed=1)), (-1, 1)),
        (start_of(goofspiel(cards=4, points=True)).after((4, 1)), (-2, 10)),
        (start_of(pursuit(turns=1)), (-1, -1)),  # four squares away: too far
        (start_of(pursuit(turns=2)), (-1, 1)),
    ],
)
def test_bounds_that_are_narrower(state: StagePosition, pair: tuple[int, int]) -> None:
    assert list(state.bounds) == list(pair)


def test_bounds_of_stacked_narrow_by_twice_the_spread_a_stage() -> None:
    position = start_of(stacked(depth=4, spread=3))
    for left in (4, 3, 2, 1, 0):
        low, high = position.bounds
        assert high - low == 2 * 3 * left
        position = position if position.over else position.after((1, 2))
    assert position.over


def histories(position: Position) -> int:
    """In how many places somebody chooses, those with the same state counted apart."""
    if position.over:
        return 0
    return bool(position.movers) + sum(histories(position.after(m)) for m in moves_at(position))


@pytest.mark.parametrize(("cards", "positions"), [(4, 109), (5, 1926)])
def test_goofspiel_has_the_positions_of_saffidine_finnsson_and_buro(
    cards: int, positions: int
) -> None:
    """Table 2 of their paper, without pruning."""
    assert histories(start_of(goofspiel(cards=cards, early_end=True))) == positions


def test_rounds_without_an_end_are_not_counted() -> None:
    """From a least bid of 1 on the coins end the game: other rounds, same place, same state."""
    start = start_of(oshi_zumo(coins=6, min_bid=1))
    assert start.after((1, 1)).after((1, 1)) == start.after((2, 2))
    assert start.after((1, 2)).after((1, 1)) != start.after((1, 2)).after((1, 2))
    counted = start_of(oshi_zumo(coins=6, min_bid=1, horizon=5))
    assert counted.after((1, 1)).after((1, 1)) != counted.after((2, 2))


@pytest.mark.parametrize("family", [goofspiel, oshi_zumo, stacked, pursuit], ids=lambda f: f.name)
def test_stages_stand_alone(family: Any) -> None:
    """So that they can be compiled one by one: no names but numbers and four functions."""
    stages = family.stages
    functions = [stages.turn, stages.options, stages.after, stages.payoff, stages.bounds]
    for function in functions + ([stages.weight] if stages.weight else []):
        assert function.__closure__ is None
        for name in function.__code__.co_names:
            known = function.__globals__.get(name)
            assert name in ("abs", "min", "max", "range") or type(known) is int, (function, name)


# ---------------------------------------------------------------- games that cannot be said so


def test_no_stages_where_the_game_cannot_be_said_over_whole_numbers() -> None:
    assert kuhn().stages is None
    assert goofspiel(reveal="winner").stages is None
    assert goofspiel(players=3).stages is None
    assert goofspiel(order="random").stages is None  # one order is drawn, of six
    assert goofspiel(order="random", prizes_up=False).stages is not None


# ---------------------------------------------------------------- positions


def test_positions_are_equal_where_the_state_is() -> None:
    start = start_of(goofspiel(cards=4))
    one, two = start.after((4, 4)).after((1, 1)), start.after((1, 1)).after((4, 4))
    assert one == two
    assert hash(one) == hash(two)
    assert len({one, two, start}) == 2
    assert one != start.after((4, 4)).after((1, 2))
    assert one != one.state
    assert one.view("player 1") == one.view("player 2") == one.state


def test_one_who_has_no_choice_is_not_asked() -> None:
    position = start_of(oshi_zumo(coins=3, size=3)).after((0, 3))
    assert position.movers == ("left",)
    assert position.options("left") == (0, 1, 2, 3)
    assert position.after(2).state[:3] == (1, 0, 0)


def test_chance_weighs_its_outcomes() -> None:
    position = start_of(stacked(chances=3)).after((1, 1))
    assert (position.movers, position.over) == ((), False)
    assert position.chances() == tuple((n, Fraction(n, 6)) for n in (1, 2, 3))
    assert position.after(2).chances() == ()


def test_no_payoffs_before_the_end() -> None:
    start = start_of(pursuit())
    with pytest.raises(RulesError, match="not over"):
        _ = start.payoffs
    assert repr(start) == f"<Position of pursuit(): state {start.state}>"


# ---------------------------------------------------------------- slips


def draw_turn(state: State) -> int:
    return (PLAYERS, CHANCE, OVER)[min(state[0], 2)]


def draw_options(state: State, who: int, menu: State) -> int:
    menu[0], menu[1] = 0, 1
    return 2


def draw_after(state: State, first: int, second: int, then: State) -> None:
    then[0] = state[0] + 1
    then[1] = state[1] + (first if state[0] else first - second)


def draw_payoff(state: State) -> int:
    paid: int = state[1]
    return paid


def draw_weight(state: State, outcome: int) -> int:
    return 1 + 2 * outcome


RIGHT = Stages(
    lambda: Beginning((0, 0), widest=2, longest=2, low=-1, high=2, unit=Fraction(1, 2)),
    draw_turn,
    draw_options,
    draw_after,
    draw_payoff,
    draw_weight,
)


def drawing(stages: Stages) -> Game:
    """Both say 0 or 1 at once, chance adds 0 or 1; the first gets half of the sum."""

    @game(players=("left", "right"), stages=stages)
    def drawing(g: Play) -> object:
        left, right = g.together({"left": (0, 1), "right": (0, 1)}).values()
        g.reveal(g.players, (left, right))
        more = g.chance((0, 1), (1, 3))
        return g.win("left", Fraction(left - right + more, 2))

    return drawing()


def test_payoffs_are_counted_in_units() -> None:
    member = drawing(RIGHT)
    start = start_of(member)
    check_stages(member.position(), start)
    assert start.bounds == (Fraction(-1, 2), Fraction(1))
    assert start.after((1, 0)).after(1).payoffs == {"left": 1, "right": -1}
    assert Counter(plays(member.position())) == Counter(plays(start))


def one_option_less(state: State, who: int, menu: State) -> int:
    draw_options(state, who, menu)
    return 1 if who == 1 else 2


def options_turned(state: State, who: int, menu: State) -> int:
    menu[0], menu[1] = (1, 0) if who == 0 else (0, 1)
    return 2


SLIPS: dict[str, tuple[dict[str, Any], str]] = {
    "the sign of a payoff": (
        {"payoff": lambda state: -state[1]},
        r"left gets .* or .*",
    ),
    "the order of options": (
        {"options": options_turned},
        r"after nothing: left's options are \(0, 1\) or \(1, 0\)",
    ),
    "one has no choice": (
        {"options": one_option_less},
        r"after nothing: the movers are \('left', 'right'\) or \('left',\)",
    ),
    "an end too soon": (
        {"turn": lambda state: PLAYERS if state[0] == 0 else OVER},
        r"after [01] [01]: the game is over in only one of them",
    ),
    "an end too late": (
        {"turn": lambda state: (PLAYERS, CHANCE, PLAYERS)[state[0]]},
        r"after [01] [01]; [01]: the game is over in only one of them",
    ),
    "chance weights": (
        {"weight": lambda state, outcome: 1},
        r"after [01] [01]: the outcomes of chance differ",
    ),
    "chance is a player": (
        {"turn": lambda state: (PLAYERS, PLAYERS, OVER)[state[0]]},
        r"after [01] [01]: the movers are \(\) or \('left', 'right'\)",
    ),
    "what follows": (
        {"after": lambda state, first, second, then: draw_after(state, second, first, then)},
        r"left gets .* or .*",
    ),
    "what it may be": (
        {"beginning": lambda: Beginning((0, 0), 2, 2, low=-1, high=1, unit=Fraction(1, 2))},
        "bounds of -1/2 to 1/2, and then left gets 1",
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_found(slip: str) -> None:
    changed, message = SLIPS[slip]
    member = drawing(replace(RIGHT, **changed))
    with pytest.raises(RulesError, match=r"drawing\(\): its rules and its stages differ") as found:
        check_stages(member.position(), start_of(member), plays=30)
    assert found.match(message)
