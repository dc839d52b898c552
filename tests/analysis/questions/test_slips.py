"""What is no argument gets one line, not an error of Python's; and names cost once a tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from infoset import solve
from infoset.analysis.questions import (
    action_values,
    beliefs,
    best_reply,
    compare,
    deviation,
    outcome,
    place,
    plays,
    unreached,
)
from infoset.analysis.questions.names import branch, name_of
from infoset.errors import InfosetError, ParameterError, StrategyError
from infoset.games import kuhn, leduc
from infoset.strategy import uniform
from infoset.strategy.convert import read_strategies
from infoset.strategy.files import strategy_csv, write_strategies
from infoset.tree import Builder
from tests.analysis.questions.by_hand import bluffing

WEIRD: tuple[Any, ...] = (
    *(5, 3.4, True, b"x", [[1]], {"a": [1]}, {5}, np.arange(3)),
    *(object(), len, kuhn, kuhn(), 10**5000, float("nan"), type),
)
PLAYED = bluffing()
TREE = PLAYED.tree
ROWS = "player,information set,action,probability\ngambler,J,bet,1\n"

QUESTIONS: dict[str, Callable[[Any], Any]] = {
    "beliefs": lambda it: beliefs(PLAYED, it),
    "action_values": lambda it: action_values(PLAYED, it),
    "outcome": lambda it: outcome(PLAYED, it),
    "deviation at": lambda it: deviation(PLAYED, it, "bet"),
    "deviation to": lambda it: deviation(PLAYED, "gambler: Q", [it]),  # type: ignore[arg-type]
    "deviation with": lambda it: deviation(PLAYED, "gambler: Q", {"bet": type(it)}),
    "best_reply to": lambda it: best_reply(it),
    "best_reply to one": lambda it: best_reply({"dealer": it}, "gambler"),
    "best_reply with": lambda it: best_reply(uniform(TREE, "dealer"), solution=it),
    "compare": lambda it: compare(it, PLAYED),
    "compare with": lambda it: compare(PLAYED, it),
    "unreached": lambda it: unreached(it),
    "plays": lambda it: plays(it),
    "place in": lambda it: place(it, "Q"),
    "place": lambda it: place(TREE, it),
    "strategy_csv": lambda it: strategy_csv(it),
    "read_strategies": lambda it: read_strategies(it, TREE),
    "read_strategies of": lambda it: read_strategies(ROWS, it),
    "read_strategies missing": lambda it: read_strategies(ROWS, TREE, missing=it),
    "write_strategies": lambda it: write_strategies(it, PLAYED),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_no_argument(question: str) -> None:
    for it in WEIRD:
        with pytest.raises(InfosetError) as caught:
            QUESTIONS[question](it)
        assert len(str(caught.value)) < 300
        assert "\n" not in str(caught.value)


def test_slips_say_what_to_do() -> None:
    with pytest.raises(InfosetError, match="None is no play; write its moves, as in 'J Q, bet'"):
        outcome(PLAYED, None)  # type: ignore[arg-type]
    with pytest.raises(InfosetError, match="is no play"):
        outcome(PLAYED, TREE.infosets[0])  # type: ignore[arg-type]
    with pytest.raises(StrategyError, match=r"gambler: Q: \['bet'\] is no action; give one, or a"):
        deviation(PLAYED, "gambler: Q", ["bet"])  # type: ignore[arg-type]
    with pytest.raises(StrategyError, match="5 has no strategies on a tree to ask about"):
        best_reply(uniform(TREE, "dealer"), solution=5)  # type: ignore[arg-type]
    with pytest.raises(
        InfosetError, match=r"kuhn\(\) is not a tree; give one, such as kuhn\(\)\.tree"
    ):
        read_strategies(ROWS, kuhn())  # type: ignore[arg-type]
    with pytest.raises(InfosetError, match="no player 5"):
        best_reply(PLAYED, 5)  # type: ignore[arg-type]
    for most in ("3", 2.0, True, -1, [3]):
        with pytest.raises(ParameterError, match="a whole number from 0, or None"):
            plays(PLAYED, most)  # type: ignore[arg-type]
    assert len(plays(PLAYED, np.int64(2)).plays) == 2  # type: ignore[arg-type]
    with pytest.raises(StrategyError, match="a number of about 5,001 digits, not to 1"):
        deviation(PLAYED, "gambler: Q", {"bet": 10**5000})


class Counted(Sequence[str]):
    """Labels that count how often one is asked for."""

    def __init__(self, labels: Sequence[str]) -> None:
        self.known = list(labels)
        self.asked = 0

    def __len__(self) -> int:
        return len(self.known)

    def __getitem__(self, at: Any) -> Any:
        self.asked += 1
        return self.known[at]


def test_labels_are_put_into_words_once_a_tree() -> None:
    labels = Counted(TREE.labels)
    tree = replace(TREE, labels=labels)
    for _ in range(5):
        assert place(tree, "dealer: Q, bet").index == 3
        assert place(tree, "Q, bet").index == 3
        assert tree.find("dealer", "Q, bet").index == 3
        assert "J" in read_strategies(ROWS, tree, missing="uniform")["gambler"]
        with pytest.raises(InfosetError, match="did you mean"):
            place(tree, "dealer: Q, bte")
    before = labels.asked
    place(tree, "dealer: Q, bet")
    read_strategies(ROWS, tree, missing="uniform")
    assert labels.asked == before
    assert tree.labelled()[1]["Q, bet"] == [3]
    assert tree.labelled(str.upper)[1]["Q, BET"] == [3]


def test_sets_without_a_label_are_found_by_what_is_shown() -> None:
    builder = Builder(players=("ann", "bob"))
    for at, node in enumerate(builder.decide(builder.root, "ann", ("l", "r"), label="")):
        for leaf in builder.decide(node, "bob", ("l", "r"), label=" " * at):
            builder.pay(leaf, (at, at))
    tree = builder.build()
    for infoset in tree.infosets:
        assert name_of(infoset).endswith(f": #{infoset.index + 1}")
        assert place(tree, name_of(infoset)) == infoset
    with pytest.raises(InfosetError, match="no information set 'bob: #1'"):
        place(tree, "bob: #1")
    with pytest.raises(InfosetError, match="no information set ''"):
        place(tree, "")


def test_a_solution_is_asked_by_name_as_by_number() -> None:
    solution = solve(kuhn())
    named, numbered = (action_values(solution, name) for name in ("dealer: Q, bet", "#4"))
    assert named.actions == numbered.actions


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("one: Kh", "one: K♥"),
        ("one: kH", "one: K♥"),
        ("Kh", "one: K♥"),
        ("One: K♥", None),  # players are named as they are
        ("two: Js, call", "two: J♠, call"),
        ("one: Kh, [call], raise, [raise], raise", None),
        ("one: Qs, [call], call, Jh", "one: Q♠, [call], call, J♥"),
        ("K♥ #409", None),
    ],
)
def test_suits_may_be_letters(typed: str, meant: str | None) -> None:
    if meant is None:
        with pytest.raises(InfosetError, match="no information set"):
            place(LEDUC, typed)
    else:
        assert name_of(place(LEDUC, typed)) == meant


LEDUC = leduc().tree()


def test_what_fits_as_it_is_typed_is_meant() -> None:
    builder = Builder(players=("ann",))
    for node in builder.decide(builder.root, "ann", ("l", "r"), label="K♥"):
        below = builder.decide(node, "ann", ("l", "r"), label=f"{node}")
        for label, leaf in zip(("Kh", "kh"), below, strict=True):
            for end in builder.decide(leaf, "ann", ("l", "r"), label=label, infoset=label):
                builder.pay(end, (end,))
    tree = builder.build()
    for label in ("K♥", "Kh", "kh"):
        assert place(tree, label).label == label
    with pytest.raises(InfosetError, match="3 information sets read 'KH'; say '#"):
        place(tree, "KH")


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("99", "numbers are written as '#1', up to '#12'"),
        ("9" * 5000, "numbers are written as '#1', up to '#12'"),
        ("4", "did you mean '#4' (dealer: Q, bet)?"),
        ("dealer: 4", "did you mean '#4' (dealer: Q, bet)?"),
        ("bet Q", "did you mean 'Q, bet'?"),
        ("dealer: bet, q", "did you mean 'dealer: Q, bet'?"),
        ("gambler: Q, bet", "did you mean 'gambler: Q, [pass], bet'?"),
        ("gambler: Jack", "did you mean 'gambler: J'?"),
        ("gambler: queen", "did you mean 'gambler: Q'?"),
        ("Q, bte", "did you mean 'Q, bet'?"),
    ],
)
def test_the_nearest_is_near_in_meaning(typed: str, hint: str) -> None:
    with pytest.raises(InfosetError) as caught:
        place(TREE, typed)
    assert str(caught.value).endswith(f"; {hint}")


def test_all_sets_are_listed_once() -> None:
    with pytest.raises(InfosetError) as caught:
        place(TREE, "zzz")
    said = str(caught.value)
    assert all(said.count(f"'{name_of(infoset)}'") == 1 for infoset in TREE.infosets)
    assert "more" not in said
    with pytest.raises(InfosetError, match=r"two: J♥, call.* and 924 more$"):
        place(LEDUC, "zzz")
    with pytest.raises(InfosetError, match=r"known: 'two: J♥, call'.* and 456 more$") as caught:
        place(LEDUC, "two: §")
    assert "one: " not in str(caught.value)


def test_suits_of_plays_may_be_letters() -> None:
    assert branch(LEDUC, "Kh Qs, raise").words == "chance: K♥ Q♠, one: raise"
    assert branch(LEDUC, ["Kh Qs", "raise"]).words == "chance: K♥ Q♠, one: raise"
    assert branch(LEDUC, "chance: Kh Qs, *").words == "chance: K♥ Q♠, any"
    with pytest.raises(InfosetError, match="no move 'Kh Kh' at the start"):
        branch(LEDUC, "Kh Kh, raise")


def test_whatever_has_a_profile_is_asked() -> None:
    """A result of any kind: what counts is that it has strategies on a tree."""

    @dataclass(frozen=True)
    class Result:
        profile: Any
        payoffs: Any
        regret: Any = 0
        exact: bool = True

    result = Result(PLAYED, PLAYED.payoffs)
    assert beliefs(result, "dealer: Q, bet").nodes == beliefs(PLAYED, "dealer: Q, bet").nodes
    assert compare(result, PLAYED).same
    with pytest.raises(StrategyError, match="has no strategies on a tree"):
        beliefs(Result(None, {}), "dealer: Q, bet")
