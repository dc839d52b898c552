"""αμ: Pareto fronts by hand and by trying every plan; strategy fusion, non-locality, cuts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from random import Random
from typing import Any

import pytest

from infoset import Game, Play, game
from infoset.errors import ParameterError, TooLarge
from infoset.games import kuhn, leduc, tricks
from infoset.play import (
    AlphaMuPlayer,
    PerfectInformationPlayer,
    RandomPlayer,
    match,
    play_game,
)
from infoset.search import AlphaMuSearch, Histories, PerfectSearch, Playouts
from tests.play.test_searching import in_time
from tests.rules.random_games import random_rules
from tests.search.test_information import look

HALF = Fraction(1, 2)


def worlds_of(chosen: Game, player: str, *moves: Any) -> Any:
    """What a player may be at after these moves, with probabilities."""
    at: Any = chosen.position()
    for move in moves:
        at = at.after(move)
    return Histories(chosen, player).enumerate(at.view(player))


# ------------------------------------------------------------------ by hand


@game(players=("max", "min"), bounds=(0, 1))
def fusion(g: Play) -> object:
    """A coin falls unseen. Take 3/4, or guess: with the coin in sight, who guesses is right."""
    coin = g.chance(("heads", "tails"))
    g.reveal("min", coin)
    if g.choose("max", ("guess", "sure")) == "sure":
        return Fraction(3, 4), 0
    return int(g.choose("max", ("heads", "tails")) == coin), 0


def test_strategy_fusion_is_repaired() -> None:
    worlds = worlds_of(fusion(), "max", "heads")
    one = AlphaMuSearch(fusion(), "max", moves=1)
    assert one.values(worlds) == {"guess": 1, "sure": Fraction(3, 4)}
    two = AlphaMuSearch(fusion(), "max", moves=2)
    assert two.fronts(worlds) == {
        "guess": [(1, 0), (0, 1)],
        "sure": [(Fraction(3, 4), Fraction(3, 4))],
    }
    assert two.values(worlds) == {"guess": HALF, "sure": Fraction(3, 4)}
    assert (one.best(worlds), two.best(worlds)) == ("guess", "sure")


def test_its_player_repairs_what_perfect_information_gets_wrong() -> None:
    def paid(player: Any) -> set[Any]:
        seats = {"max": player, "min": RandomPlayer()}
        return {play_game(fusion(), seats, seed=seed).payoffs["max"] for seed in range(12)}

    assert paid(PerfectInformationPlayer()) == {0, 1}
    assert paid(AlphaMuPlayer(moves=1)) == {0, 1}
    assert paid(AlphaMuPlayer(moves=2)) == {Fraction(3, 4)}
    # Looking is worth its price only for who would not know otherwise.
    seats = {"seeker": AlphaMuPlayer(moves=2), "nature": RandomPlayer()}
    assert ("seeker", "look") in play_game(look(), seats, seed=1).moves


@game(players=("max", "min"), bounds=(0, 2))
def far(g: Play) -> object:
    """Min sees the coin and goes left or right. Max sees where, and bets on the coin."""
    coin = g.chance(("heads", "tails"))
    g.reveal("min", coin)
    if g.choose("max", ("play", "leave")) == "leave":
        return Fraction(2, 5), 0
    side = g.choose("min", ("left", "right"))
    g.reveal("max", side)
    bet = g.choose("max", ("heads", "tails"))
    if bet != coin:
        return 0, 0
    return (Fraction(6, 5) if (side, bet) == ("right", "tails") else 1), 0


def test_non_locality_is_repaired() -> None:
    # Left: (1, 0) or (0, 1). Right: (1, 0) or (0, 6/5), of which the second has the better mean.
    # But with heads on the left and tails on the right, Min goes where the bet is lost: (0, 0).
    worlds = worlds_of(far(), "max", "heads")
    search = AlphaMuSearch(far(), "max", moves=2)
    assert search.fronts(worlds) == {
        "play": [(1, 0), (0, 1)],
        "leave": [(Fraction(2, 5), Fraction(2, 5))],
    }
    assert search.values(worlds) == {"play": HALF, "leave": Fraction(2, 5)}


@game(players=("max", "min"), bounds=(-9, 9))
def useful(g: Play) -> object:
    """Min may announce red, but only with a red card: then just one world is left."""
    card = g.chance(("red", "black", "blue"))
    g.reveal("min", card)
    g.choose("max", ("go",))
    said = g.choose("min", ("pass", "red") if card == "red" else ("pass",))
    g.reveal("max", said)
    guess = g.choose("max", ("red", "black"))
    if said == "red":
        return (5 if guess == "red" else -5), 0
    return (3 if guess == card else 0), 0


def test_worlds_that_cannot_be_where_max_is_do_not_count() -> None:
    # After "red": (5) or (-5) in the red world alone. After "pass": (3, 0, 0) or (0, 3, 0).
    worlds = worlds_of(useful(), "max", "red")
    search = AlphaMuSearch(useful(), "max", moves=2)
    assert search.fronts(worlds) == {"go": [(3, 0, 0), (0, 3, 0)]}


@game(players=("max", "min"), bounds=(0, 4))
def weather(g: Play, seen: bool = False) -> object:
    """A coin that nobody sees yet, then the weather: chance, between two moves of Max."""
    coin = g.chance(("heads", "tails"))
    g.reveal("min", coin)
    g.choose("max", ("wait",))
    sun = g.chance(("sun", "rain"), (3, 1))
    if seen:
        g.reveal("max", sun)
    bet = g.choose("max", ("heads", "tails"))
    return (4 if bet == coin else 0) if sun == "sun" else (0 if bet == coin else 4), 0


def test_chance_moves_are_means_within_a_world() -> None:
    search = AlphaMuSearch(weather(), "max", moves=2)
    assert search.fronts(worlds_of(weather(), "max", "heads")) == {"wait": [(3, 1), (1, 3)]}
    chosen = weather(seen=True)  # one plan for sun, one for rain
    found = AlphaMuSearch(chosen, "max", moves=2).fronts(worlds_of(chosen, "max", "heads"))
    assert {move: set(front) for move, front in found.items()} == {
        "wait": {(4, 0), (3, 1), (1, 3), (0, 4)}
    }


@game(players={"us": ("north", "south"), "them": ("east",)}, bounds=(0, 1))
def team(g: Play) -> object:
    """South sees the coin and says heads or tails, for the team of north; or east does."""
    coin = g.chance(("heads", "tails"))
    g.reveal(("south", "east"), coin)
    asked = g.choose("north", ("south", "east"))
    g.reveal(("south", "east"), asked)
    said = g.choose(asked, ("heads", "tails"))
    g.reveal("north", "said")
    g.choose("north", ("on",))
    return int(said == coin), 0


def test_partners_help_and_others_do_not() -> None:
    search = AlphaMuSearch(team(), "north", moves=2)
    fronts = search.fronts(worlds_of(team(), "north", "heads"))
    assert fronts == {"south": [(1, 1)], "east": [(0, 0)]}
    assert not match(team(), ["alphamu:samples=4", "random"], games=2).faults()


# ------------------------------------------------------------------ by trying every plan


def every_plan(chosen: Any, player: str, worlds: Sequence[Any], moves: int) -> set[Any] | None:
    """The undominated vectors of all pure plans for so many own moves, found one by one."""
    perfect = PerfectSearch(chosen, backup="paranoid")
    sets: dict[Any, Any] = {}

    def collect(at: Any, left: int) -> None:
        if at.over or (not left and player not in at.movers):
            return
        if player in at.movers:
            if not left:
                return
            sets[at.view(player)] = at.options(player)
        for after, mine in steps(at):
            collect(after, left - mine)

    def steps(at: Any) -> Any:
        if not at.movers:
            return [(at.after(one), False) for one, chance in at.chances()]
        menus = [at.options(mover) for mover in at.movers]
        return [
            (at.after(joint if len(joint) > 1 else joint[0]), player in at.movers)
            for joint in product(*menus)
        ]

    def value(at: Any, left: int, plan: dict[Any, Any]) -> Any:
        if at.over:
            return at.payoffs[player]
        if not left:
            return perfect.value(at, player)
        if not at.movers:
            return sum(chance * value(at.after(one), left, plan) for one, chance in at.chances())
        mine = player in at.movers
        menus = [
            (plan[at.view(player)],) if mover == player else at.options(mover)
            for mover in at.movers
        ]
        return min(
            value(at.after(joint if len(joint) > 1 else joint[0]), left - mine, plan)
            for joint in product(*menus)
        )

    for world in worlds:
        collect(world, moves)
    if prod(map(len, sets.values())) > 300:
        return None
    vectors = {
        tuple(value(world, moves, dict(zip(sets, plan, strict=True))) for world in worlds)
        for plan in product(*sets.values())
    }
    return undominated(vectors)


def undominated(vectors: set[Any]) -> set[Any]:
    return {one for one in vectors if not any(o != one and covers(o, one) for o in vectors)}


def covers(one: Any, other: Any) -> bool:
    return all(a >= b for a, b in zip(one, other, strict=True))


def first_beliefs(chosen: Any, player: str) -> list[Any]:
    """The first information sets of a player."""
    found: dict[Any, Any] = {}
    waiting = [chosen.position()]
    while waiting:
        at = waiting.pop()
        if at.over:
            continue
        if player in at.movers:
            found.setdefault(at.view(player), None)
            continue
        menus = [at.options(mover) for mover in at.movers]
        joint: Any = [one for one, _ in at.chances()] or [
            moves if len(moves) > 1 else moves[0] for moves in product(*menus)
        ]
        waiting += [at.after(one) for one in joint]
    histories = Histories(chosen, player)
    return [histories.enumerate(view) for view in found]


@game(players=("max", "min"))
def tangled(g: Play, seed: int = 0, plies: int = 5) -> object:
    """A world that Min knows; then moves, some seen by Max and some not, chance among them."""
    luck = Random(seed)
    path: list[Any] = [g.chance(range(2 + luck.randrange(2)))]
    g.reveal("min", path[0])
    mover = [luck.choice(("max", "max", "min", "min", None, "both")) for _ in range(plies)]
    shown = [luck.random() < 0.6 for _ in range(plies)]
    mover[0], mover[-1] = "max", "max"
    for who, seen in zip(mover, shown, strict=True):
        if who is None:
            path.append(g.chance(("up", "down"), (1, 2)))
        elif who == "both":
            path.append(tuple(g.together(dict.fromkeys(g.players, ("l", "r"))).values()))
        else:
            path.append(g.choose(who, ("a", "b")))
        if seen and who != "max":
            g.reveal("max", path[-1])
    return Random(f"{seed} {path}").randrange(6), 0


@pytest.mark.parametrize("moves", [1, 2, 3])
def test_fronts_are_those_of_all_plans(moves: int) -> None:
    searched = fused = 0
    for seed in range(20):
        chosen = tangled(seed=seed, plies=5 if moves < 3 else 4)
        (belief,) = first_beliefs(chosen, "max")
        worlds = [position for position, _ in belief]
        expected = every_plan(chosen, "max", worlds, moves)
        if expected is None:  # too many to try
            continue
        search = AlphaMuSearch(chosen, "max", moves=moves)
        fronts = search.fronts(belief)
        assert undominated({vector for front in fronts.values() for vector in front}) == expected
        values = search.values(belief)
        assert values[search.best(belief)] == max(values.values())
        searched += 1
        fused += len(expected) > 1
    assert searched > 6
    assert moves == 1 or fused > 3


@pytest.mark.parametrize("seed", range(12))
def test_fronts_of_random_games(seed: int) -> None:
    chosen = random_rules(seed, depth=5)()
    for belief in first_beliefs(chosen, "ann")[:3]:
        expected = every_plan(chosen, "ann", [position for position, _ in belief], 2)
        if expected is not None:
            fronts = AlphaMuSearch(chosen, "ann", moves=2).fronts(belief)
            found = {vector for front in fronts.values() for vector in front}
            assert undominated(found) == expected


def test_with_one_move_it_is_perfect_information_monte_carlo() -> None:
    for chosen, player in ((kuhn(), "dealer"), (leduc(ranks=2), "one")):
        for belief in first_beliefs(chosen, player):
            perfect = PerfectSearch(chosen)
            expected: dict[Any, Any] = {}
            for position, weight in belief:
                for move, value in perfect.moves(position, player).items():
                    expected[move] = expected.get(move, 0) + weight * value
            search = AlphaMuSearch(chosen, player, moves=1)
            assert search.values(belief) == expected
            assert search.best(belief) == max(expected, key=expected.__getitem__)


def test_values_fall_with_the_moves_that_are_planned() -> None:
    chosen = leduc(ranks=2)
    for belief in first_beliefs(chosen, "two")[:4]:
        values = [AlphaMuSearch(chosen, "two", moves=moves).values(belief) for moves in (1, 2, 3)]
        for less, more in pairwise(values):
            assert all(more[move] <= less[move] for move in less)
        for moves, known in enumerate(values, 1):
            best = AlphaMuSearch(chosen, "two", moves=moves).best(belief)
            assert known[best] == max(known.values())


def test_the_root_cut_saves_work_and_loses_nothing() -> None:
    quick = slow = 0
    for seed in range(12):
        chosen = tangled(seed=seed)
        (belief,) = first_beliefs(chosen, "max")
        cutting, whole = (AlphaMuSearch(chosen, "max", moves=3) for _ in range(2))
        whole.exact = False  # as if there were an evaluation
        values = whole.values(belief)
        assert values[cutting.best(belief)] == values[whole.best(belief)]
        quick, slow = quick + cutting.searched, slow + whole.searched
    assert quick < slow


@game(players=("max", "min"), bounds=(0, 9))
def hopeless(g: Play, replies: int = 5) -> object:
    """A guess at 6 or 4, or a game whose first reply is worth nothing, whatever follows others."""
    coin = g.chance(("heads", "tails"))
    g.reveal("min", coin)
    if g.choose("max", ("guess", "try")) == "guess":
        return (6 if g.choose("max", ("heads", "tails")) == coin else 4), 0
    reply = g.choose("min", range(replies))
    g.reveal("max", reply)
    for _ in range(2):
        g.choose("max", range(4))
    return (9 if reply else 0), 0


def test_the_early_cut_leaves_sets_out() -> None:
    def searched(replies: int) -> int:
        chosen = hopeless(replies=replies)
        search = AlphaMuSearch(chosen, "max", moves=3)
        assert search.best(worlds_of(chosen, "max", "heads")) == "guess"
        return search.searched

    # With one reply more, two positions more are met, one in each world, and none after these.
    assert searched(9) - searched(8) == 2


# ------------------------------------------------------------------ limits


def test_limits() -> None:
    chosen = leduc()
    belief = worlds_of(chosen, "one", "J♠ Q♠")
    for settings, said in (
        ({"positions": 50}, "50 positions"),
        ({"seconds": 1e-6}, "no time left"),
        ({"vectors": 1}, "1 vectors"),
    ):
        with pytest.raises(TooLarge, match=said):
            AlphaMuSearch(chosen, "one", moves=3, **settings).values(belief)
    narrow = AlphaMuSearch(chosen, "one", moves=3, vectors=1)
    assert narrow.best(belief) in belief[0][0].options("one")
    assert narrow.reached == 1  # the last that was finished
    for settings in ({"moves": 0}, {"positions": 0}, {"vectors": 0}):
        with pytest.raises(ParameterError, match="at least 1"):
            AlphaMuSearch(chosen, "one", **settings)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="at least one position"):
        AlphaMuSearch(chosen, "one").values([])


def test_with_an_evaluation_nothing_is_cut_at_the_root() -> None:
    worlds = worlds_of(fusion(), "max", "heads")
    search = AlphaMuSearch(fusion(), "max", moves=2, depth=1, evaluate=Playouts(20, Random(1)))
    assert search.best(worlds) == "sure"


def test_it_keeps_its_time() -> None:
    player = AlphaMuPlayer(moves=6, samples=30, depth=6)
    assert in_time(player, 0.2)
    assert player.reached >= 1


@pytest.mark.parametrize(
    "chosen",
    [leduc(), kuhn(players=3), tricks(), kuhn().tree()],
    ids=["leduc", "three", "tricks", "tree"],
)
def test_every_game_is_played(chosen: Any) -> None:
    seats = 3 if repr(chosen) == "kuhn(players=3)" else 2
    players = ["alphamu:moves=2,samples=4,depth=2", *["random"] * (seats - 1)]
    assert not match(chosen, players, games=seats).faults()


def test_it_beats_chance() -> None:
    played = match(kuhn(), ["alphamu:samples=10,sampling=pool,particles=30", "random"], games=100)
    assert played.standings()[0].low > 0
