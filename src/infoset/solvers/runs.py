"""Solvers that are stepped: one interface for iterative methods, and one function to start a run.

``solve`` drives the same objects to an end. A run is for whoever wants to look at strategies and
regret on the way, decide when to stop, or compare methods.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from infoset.solvers.convergence import Convergence

DEFAULT = "discounted-cfr"


class Run(Protocol):
    """What every run of an iterative method can do."""

    def step(self, iterations: int = 1) -> None:
        """Do more iterations."""

    @property
    def iterations(self) -> int:
        """How many iterations were done."""

    @property
    def seconds(self) -> float:
        """How long they took."""

    @property
    def strategy(self) -> Mapping[str, Mapping[Any, Mapping[Any, float]]]:
        """The average strategies: by player, by label, the probability of each action."""

    @property
    def regret(self) -> float:
        """The largest regret of a player: measured, or estimated in sampling."""

    @property
    def convergence(self) -> Convergence:
        """How the regret fell, up to now."""

    def solution(self) -> Any:
        """The answer so far, verified."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a checkpoint."""
