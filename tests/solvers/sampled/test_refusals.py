"""What cannot be asked for is refused in one line that says what can be."""

from __future__ import annotations

from typing import Any

import pytest

from infoset import InfosetError, games
from infoset.errors import ParameterError, RulesError
from infoset.solvers.sampling import sample
from infoset.solvers.sampling.run import SamplingRequest
from infoset.solvers.settings import Settings


@pytest.mark.parametrize(
    ("options", "given", "remedy"),
    [
        ({"method": "externl"}, "'externl'", "'external'?"),
        ({"method": None}, "None", "'external', 'outcome'"),
        ({"iterations": 0}, "iterations=0:", "from 1"),
        ({"iterations": 2.5}, "iterations=2.5:", "whole number"),
        ({"iterations": True}, "iterations=True:", "whole number"),
        ({"seconds": -1}, "seconds=-1:", "0 or more"),
        ({"seconds": float("nan")}, "seconds=nan:", "0 or more"),
        ({"seconds": "5"}, "seconds='5':", "0 or more"),
        ({"regret": -0.1}, "regret=-0.1:", "from 0"),
        ({"every": -1}, "every=-1:", "from 0"),
        ({"exploration": 0}, "exploration=0:", "more than 0"),
        ({"exploration": 1.01}, "exploration=1.01:", "at most 1"),
        ({"exploration": 0.5}, "exploration=0.5:", "external sampling"),
        ({"averaging": "lineal"}, "averaging='lineal':", "'linear'?"),
        ({"seed": 0.5}, "seed=0.5:", "whole number"),
        ({"tick": "loudly"}, "tick='loudly':", "function"),
        ({"stop": 3}, "stop=3:", "function"),
        ({"watch": 3}, "watch=3:", "function"),
        ({"checkpoint": 3}, "checkpoint=3:", "name of a file"),
        ({"log": "x", "checkpoint": "x"}, "log='x':", "name another"),
    ],
)
def test_options(options: dict[str, Any], given: str, remedy: str) -> None:
    with pytest.raises(ParameterError) as refusal:
        sample(games.kuhn(), **options)
    before, _, after = str(refusal.value).partition(given)
    assert before in ("", "no method ")
    assert remedy in after
    assert "\n" not in after


class Silent:
    """Has positions, and nobody who plays."""

    def position(self) -> object:
        return None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("kuhn", "can be walked, not str 'kuhn'"),
        (None, "can be walked, not NoneType None"),
        (Silent, "can be walked, not type"),
        (Silent(), "does not say who plays; give it .players"),
    ],
)
def test_no_games(given: Any, said: str) -> None:
    with pytest.raises(InfosetError) as refusal:
        sample(given)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


class Stuck:
    """A position that is not over, and where nobody moves."""

    players = ("ann",)
    over, movers = False, ()

    def position(self) -> Stuck:
        return self

    def chances(self) -> tuple[()]:
        return ()


def test_a_game_that_is_stuck() -> None:
    with pytest.raises(RulesError, match="no player moves, and the game is not over"):
        sample(Stuck())


@pytest.mark.parametrize("averaging", ["uniform", "linear", "quadratic"])
def test_weights_add_up(averaging: str) -> None:
    asked = SamplingRequest("external", Settings(averaging=averaging))
    for count in (0, 1, 2, 17):
        assert asked.weights(count) == sum(asked.weight(at + 1) for at in range(count))
