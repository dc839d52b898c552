"""Bad rules get one clear line: the game, what is wrong, where in the play, what to do."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from infoset import Builder, InfosetError, Play, game, matrix_game
from infoset.errors import Endless, NotRepeatable, RulesError, TooLarge, TreeError

Rules = Callable[[Play], object]
BAD: list[tuple[Rules, type[InfosetError], str]] = []


def bad(kind: type[InfosetError], message: str) -> Callable[[Rules], Rules]:
    def listed(rules: Rules) -> Rules:
        BAD.append((rules, kind, message))
        return rules

    return listed


@bad(RulesError, r"no options to choose from.*\(at the start, at test_bad_rules.py:\d+\)")
def no_options(g: Play) -> object:
    return g.choose("a", [])


@bad(RulesError, r"option \[1\] is not hashable; use a tuple.*after chance: 1")
def unhashable_option(g: Play) -> object:
    g.chance((1, 2))
    return g.choose("a", [[1], [2]])


@bad(RulesError, "option 'x' is offered twice")
def repeated_option(g: Play) -> object:
    return g.choose("a", ("x", "y", "x"))


@bad(RulesError, r"options are the text 'bet'; list them, or write \('bet',\)")
def text_for_options(g: Play) -> object:
    return g.choose("a", ("bet"))


@bad(RulesError, "options must be a sequence, not 3")
def number_for_options(g: Play) -> object:
    return g.choose("a", 3)  # type: ignore[arg-type]


@bad(RulesError, "no player 'anna'; did you mean 'ann'")
def unknown_player(g: Play) -> object:
    return g.choose("anna", (1, 2))


@bad(RulesError, r"no player \['a'\]")
def player_as_list(g: Play) -> object:
    return g.choose(["a"], (1, 2))  # type: ignore[arg-type]


@bad(RulesError, "no player 'c'")
def reveal_to_nobody(g: Play) -> object:
    return g.reveal(("a", "c"), 1)


@bad(RulesError, r"fact \[1\] is not hashable")
def unhashable_fact(g: Play) -> object:
    return g.reveal("a", [1])  # type: ignore[arg-type]


@bad(RulesError, r"knowing=\[1\] is not hashable")
def unhashable_memory(g: Play) -> object:
    return g.choose("a", (1, 2), knowing=[1])


@bad(RulesError, "weight -1 is negative")
def negative_weight(g: Play) -> object:
    return g.chance((1, 2), (-1, 2))


@bad(RulesError, "all zero")
def zero_weights(g: Play) -> object:
    return g.chance((1, 2), (0, 0))


@bad(RulesError, "3 weights for 2 outcomes")
def too_many_weights(g: Play) -> object:
    return g.chance((1, 2), (1, 1, 1))


@bad(RulesError, "'x' is not a number")
def weight_that_is_no_number(g: Play) -> object:
    return g.chance((1, 2), ("x", 1))


@bad(RulesError, "at least one outcome")
def no_outcomes(g: Play) -> object:
    return g.chance(())


@bad(RulesError, "5 cards to deal, but only 3 in the deck")
def deck_too_small(g: Play) -> object:
    return g.deal(range(3), 2, 3)


@bad(TooLarge, "outcomes")
def deal_too_large(g: Play) -> object:
    return g.deal(range(52), 13, 13, 13, 13)


@bad(RulesError, "ended without payoffs")
def no_payoffs(g: Play) -> object:
    return None


@bad(RulesError, r"no payoff for 'b' in \{'a': 1\}")
def payoff_missing(g: Play) -> object:
    return {"a": 1}


@bad(RulesError, r"3 payoffs returned for 2 players \(ann, b\)|3 payoffs returned for 2 players")
def payoffs_too_many(g: Play) -> object:
    return (1, 2, 3)


@bad(RulesError, "no player 'z'")
def payoff_for_a_stranger(g: Play) -> object:
    return {"a": 1, "b": 1, "z": 1}


@bad(RulesError, "None is not a number")
def payoff_that_is_none(g: Play) -> object:
    return (1, None)


@bad(RulesError, "nan is not a number")
def payoff_that_is_nan(g: Play) -> object:
    return (1, float("nan"))


@bad(RulesError, "payoffs must be a mapping or a sequence")
def payoff_for_whom(g: Play) -> object:
    return 5


@bad(RulesError, "no player 'c'")
def win_of_a_stranger(g: Play) -> object:
    return g.win("c")


@bad(RulesError, "no player 'c'")
def pay_a_stranger(g: Play) -> object:
    g.pay("c", 1)
    return None


@bad(RulesError, "'much' is not a number")
def pay_much(g: Play) -> object:
    g.pay("a", "much")
    return None


@bad(RulesError, "went on after g.win")
def played_on(g: Play) -> object:
    g.win("a")
    g.choose("a", (1, 2))
    return None


@bad(RulesError, r"raised ZeroDivisionError: division by zero \(after ann: 1, at test_bad_rules.py")
def faulty(g: Play) -> object:
    g.choose("ann", (1, 2))
    return (1 / 0, 0)


@bad(Endless, "gone on for .* moves without an end")
def endless_choices(g: Play) -> object:
    while True:
        g.choose("a", ("on", "on and on"))


@bad(Endless, "gone on for .* moves without an end")
def endless_chances(g: Play) -> object:
    while True:
        g.chance((1, 2))


@bad(Endless, "without asking for a move or ending")
def endless_thought(g: Play) -> object:
    g.choose("a", (1, 2))
    while True:
        pass


@bad(Endless, "without asking for a move or ending")
def endless_turns(g: Play) -> object:
    for _ in g.turns():
        pass
    return None


@bad(Endless, "call themselves without an end")
def endless_recursion(g: Play) -> object:
    return endless_recursion(g)


@bad(NotRepeatable, "one run asked .* another with the same choices asked")
def moody_menu(g: Play) -> object:
    for _ in range(6):
        g.choose("a", tuple(random.sample("uvwxyz", 3)))
    return (0, 0)


@bad(NotRepeatable, "one run asked '[ab]' .* another with the same choices asked '[ab]'")
def moody_mover(g: Play) -> object:
    for _ in range(8):
        g.choose(random.choice("ab"), ("x", "y"))
    return (0, 0)


@bad(NotRepeatable, "ended where another with the same choices went on|same play twice")
def moody_length(g: Play) -> object:
    for _ in range(random.randint(2, 9)):
        g.choose("a", ("x", "y"))
    return (0, 0)


@bad(NotRepeatable, "running the same play twice gave different knowledge")
def moody_facts(g: Play) -> object:
    g.choose("a", ("x", "y"))
    g.reveal("b", random.random())
    g.choose("b", ("x", "y"))
    return (0, 0)


@bad(
    NotRepeatable,
    "running the same play twice gave different knowledge, options, chances or payoffs",
)
def moody_payoffs(g: Play) -> object:
    g.choose("a", ("x", "y"))
    return (random.random(), 0)


@pytest.mark.parametrize(
    ("rules", "kind", "message"), BAD, ids=lambda x: getattr(x, "__name__", "")
)
def test_bad_rules_get_one_line(rules: Rules, kind: type[InfosetError], message: str) -> None:
    players = ("ann", "b") if "ann" in rules.__code__.co_consts or "anna" in message else ("a", "b")
    made = game(players=players)(rules)()
    with pytest.raises(kind, match=message) as caught:
        made.tree(seconds_per_move=0.3)
    assert type(caught.value) is kind
    assert str(caught.value).startswith(f"{rules.__name__}(")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (("a", "a"), "two players are called 'a'"),
        ((), "1 to 120 players"),
        (("",), "text that is not empty"),
        ((1, 2), "text that is not empty"),
        (5, "players must be names"),
        ({"t": ("x", "y"), "u": ("x",)}, "'x' is used twice"),
        ([f"p{n}" for n in range(121)], "1 to 120 players"),
    ],
)
def test_bad_players(players: object, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        game(players=players)(faulty)


def test_a_team_cannot_act_as_one() -> None:
    @game(players={"team": ("east", "west")})
    def team(g: Play) -> object:
        return g.choose("team", (1, 2))

    with pytest.raises(RulesError, match=r"'team' is a team: name the agent .*'east', 'west'"):
        team().tree()


def test_game_without_players_says_so() -> None:
    with pytest.raises(RulesError, match="@game needs its players"):
        game(faulty)


def test_memory_that_runs_out_stops_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    from infoset import memory
    from infoset.games import liars_dice

    monkeypatch.setattr(memory, "available", lambda: 1000)
    with pytest.raises(TooLarge, match="memory"):
        liars_dice().tree()


def test_too_large_says_how_large_it_is_and_how_to_go_on() -> None:
    from infoset.games import liars_dice

    with pytest.raises(
        TooLarge, match=r"more than 100,000 nodes: by random probes about .*; raise max_nodes="
    ):
        liars_dice().tree(100_000)


@pytest.mark.parametrize(
    "ask",
    [
        lambda g: g.choose("one", "ht"),
        lambda g: g.together({"one": "ht", "two": "ht"}),
        lambda g: g.chance("ht"),
        lambda g: g.chance("ht", (1, 2)),
        lambda g: g.deal("AKQ", 1, 1),
        lambda g: g.roll("ht"),
    ],
)
@pytest.mark.parametrize("vectorized", [False, True])
def test_text_is_refused_wherever_a_list_is_wanted(ask: Any, vectorized: bool) -> None:
    @game(players=("one", "two"), vectorized=vectorized)
    def letters(g: Play) -> tuple[int, int]:
        ask(g)
        return 0, 0

    with pytest.raises(RulesError, match=r"are the text '\w+'; list them, or write \('\w+',\)"):
        letters().tree()


def test_text_is_refused_as_the_actions_of_matrices_and_trees_by_hand() -> None:
    remedy = r"are the text 'ht'; list them, or write \('ht',\)"
    with pytest.raises(TreeError, match=remedy):
        matrix_game([[1, 0], [0, 1]], actions=("ht", "ht"))
    with pytest.raises(TreeError, match=remedy):
        matrix_game([[1, 0], [0, 1]], players="ht")
    builder = Builder(("one", "two"))
    with pytest.raises(TreeError, match=remedy):
        builder.decide(builder.root, "one", "ht")
