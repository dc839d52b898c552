"""Questions about strategies of any kind: with the game, a function, a mapping or a file do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from infoset import analysis, compare, profile, solve, uniform
from infoset.errors import StrategyError
from infoset.games import kuhn

TREE = kuhn().tree()
AT_RANDOM = profile(uniform(TREE, player) for player in TREE.names)


def at_random(player: str, state: str, actions: Sequence[Any]) -> list[float]:
    return [1 / len(actions)] * len(actions)


KINDS: dict[str, Any] = {
    "function": at_random,
    "mapping": {
        player: {label: {"pass": 0.5, "bet": 0.5} for label in own}
        for player, own in solve(TREE).strategy.items()
    },
    "profile": AT_RANDOM,
}
QUESTIONS: dict[str, Callable[..., Any]] = {
    "beliefs": lambda one, **game: analysis.beliefs(one, "dealer: Q, bet", **game),
    "action_values": lambda one, **game: analysis.action_values(one, "dealer: Q, bet", **game),
    "deviation": lambda one, **game: analysis.deviation(one, "dealer: Q, bet", "bet", **game),
    "outcome": lambda one, **game: analysis.outcome(one, **game),
    "plays": lambda one, **game: analysis.plays(one, **game),
    "best_reply": lambda one, **game: analysis.best_reply(one, "gambler", **game),
    "unreached": lambda one, **game: analysis.unreached(one, **game),
}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_question_takes_every_kind(kind: str, question: str) -> None:
    asked = QUESTIONS[question]
    assert str(asked(KINDS[kind], game=TREE)) == str(asked(AT_RANDOM))
    assert str(asked(KINDS[kind], game=kuhn())) == str(asked(AT_RANDOM))


def test_a_file(tmp_path: Path) -> None:
    solution, file = solve(TREE), tmp_path / "kuhn.csv"
    solution.save_csv(file)
    told = analysis.beliefs(file, "dealer: Q, bet", game=kuhn())
    assert str(told) == str(analysis.beliefs(solution, "dealer: Q, bet"))


@pytest.mark.parametrize("kind", KINDS)
def test_compared_with_a_solution(kind: str) -> None:
    solution = solve(TREE)
    assert str(compare(solution, KINDS[kind], game=TREE)) == str(compare(solution, AT_RANDOM))


def test_without_the_game_the_remedy_is_named() -> None:
    with pytest.raises(StrategyError, match=r"as_profile\(game, strategies\)"):
        analysis.beliefs(at_random, "dealer: Q, bet")
    with pytest.raises(StrategyError, match="no nodes to ask about; give the game itself"):
        analysis.beliefs(at_random, "dealer: Q, bet", game=kuhn().public())
