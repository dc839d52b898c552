"""What is asked of a run: the settings of all regret minimization, read as sampling reads them."""

from __future__ import annotations

from dataclasses import dataclass
from math import pow

from infoset.errors import ParameterError, nearest
from infoset.solve.regret.loop import counted_by
from infoset.solve.regret.settings import Settings
from infoset.solve.regret.variants import AVERAGING

METHODS = ("external", "outcome")
UNASKED = 10_000  # iterations, where nothing says when to stop
EXPLORATION = 0.6  # of outcome sampling, where nobody says another


@dataclass(frozen=True)
class Request:
    """How to sample, when to stop, and what to write."""

    method: str
    settings: Settings

    def __post_init__(self) -> None:
        if not isinstance(self.method, str) or self.method not in METHODS:
            raise ParameterError(f"no method {self.method!r:.60}; {nearest(self.method, METHODS)}")
        given = self.settings.exploration
        if given is not None and self.method != "outcome":
            raise ParameterError(
                f"exploration={given}: {self.method} sampling makes no random moves"
            )

    @property
    def seed(self) -> int:
        """Of the generator of random numbers."""
        return self.settings.seed or 0

    @property
    def exploration(self) -> float:
        """How often outcome sampling makes a random move."""
        return self.settings.exploration or EXPLORATION  # 0 is refused

    @property
    def averaging(self) -> str:
        """What an iteration counts, by its name."""
        return self.settings.averaging or "linear"

    def weight(self, iteration: int) -> float:
        """What an iteration counts, in regrets and averages alike; they are counted from 1."""
        return pow(float(iteration), AVERAGING[self.averaging])

    def weights(self, iterations: int) -> float:
        """What all iterations up to this one count together.

        >>> asked = Request("external", Settings(averaging="quadratic"))
        >>> asked.weights(3), asked.weight(1) + asked.weight(2) + asked.weight(3)
        (14.0, 14.0)
        """
        return counted_by(iterations + 1, AVERAGING[self.averaging])
