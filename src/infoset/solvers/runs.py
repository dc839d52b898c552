"""Iterative solvers one step at a time: the interface of a run, and the function that starts one.

``solve`` drives the same objects to an end. A run is for callers who want to read strategies and
regrets on the way, to decide when to stop, or to try a regret minimizer of one's own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from infoset.errors import NotApplicable, ParameterError
from infoset.forms.public import PublicForm
from infoset.memory import refused_beyond
from infoset.solvers.registry import SOLVERS, solver
from infoset.solvers.settings import TAKES, Settings

if TYPE_CHECKING:
    from infoset.solvers import Solvable
    from infoset.solvers.cfr.minimizer import Factory, Weight
    from infoset.solvers.convergence import Convergence


class Run(Protocol):
    """A run of an iterative method, as :func:`start` makes it.

    :class:`~infoset.solvers.cfr.run.CFRRun` and
    :class:`~infoset.solvers.sampling.run.SamplingRun` are the two kinds; each has more than this.
    """

    def step(self, iterations: int = 1) -> None:
        """Do more iterations."""

    @property
    def method(self) -> str:
        """The name of the method."""

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players."""

    @property
    def iterations(self) -> int:
        """How many iterations were done."""

    @property
    def seconds(self) -> float:
        """How long all steps took."""

    @property
    def strategy(self) -> Mapping[str, Mapping[str, Mapping[Any, Any]]]:
        """The average strategies: by player, by label, the probability of each action."""

    @property
    def regret(self) -> float:
        """The largest regret of a player: measured in floats, or in sampling an estimated bound."""

    @property
    def exploitability(self) -> float:
        """The sum of all players' regrets (NashConv)."""

    @property
    def convergence(self) -> Convergence:
        """How the regret fell, up to now: points, a table, a plot, CSV."""

    def solution(self) -> Any:
        """The answer so far, verified; the run is not changed."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a checkpoint."""

    def resume(self, path: str | os.PathLike[str]) -> None:
        """Continue from a checkpoint."""


@refused_beyond(lambda: "a run of regret minimization", "take a smaller game")
def start(
    game: Solvable | PublicForm | Any,
    method: str | None = None,
    *,
    minimizer: Factory | None = None,
    averaging: str | Weight | None = None,
    **settings: Any,
) -> Run:
    """Start a run of an iterative method, to be stepped.

    Parameters
    ----------
    game
        A game, a tree, a payoff table or a public form. For sampling also anything with
        ``.position()`` and ``.players``; no tree is built then.
    method
        A variant of counterfactual regret minimization ("cfr", "cfr+", "linear-cfr",
        "discounted-cfr", the default, "predictive-cfr+"), "external-sampling" or
        "outcome-sampling".
    minimizer
        In place of a variant, a regret minimizer of one's own: see
        :class:`~infoset.solvers.cfr.minimizer.Minimizer`.
    averaging
        The weight of iteration t in the average strategy: "uniform", "linear", "quadratic", or with
        a minimizer of one's own a function of t.
    **settings
        ``updates``, ``exponents``, ``precision`` and ``workers`` for counterfactual regret
        minimization; ``seed``, ``exploration`` and ``parts`` for sampling.

    Returns
    -------
    Run
        Before its first iteration.

    Raises
    ------
    NotApplicable
        If the method is not iterative, or does not apply to the game.
    ParameterError
        If a setting is unknown, or not one of the method's.

    Examples
    --------
    >>> from infoset import start
    >>> from infoset.games import kuhn
    >>> run = start(kuhn(), "cfr+")
    >>> while run.regret > 0.01:
    ...     run.step(10)
    >>> run.iterations, len(run.convergence.points)
    (20, 16)
    """
    if minimizer is None and method is not None and solver(method).family == "sampling":
        return _sampling(game, method, averaging, settings)
    if minimizer is None and method is not None and solver(method).family != "cfr":
        iterative = ", ".join(row.name for row in SOLVERS if row.family in TAKES)
        raise NotApplicable(f"{method} has no iterations to step; these have: {iterative}")
    from infoset.solvers.cfr.run import CFRRun

    _refuse(settings, ("updates", "exponents", "precision", "workers"), method or "a run")
    return CFRRun(game, method, minimizer=minimizer, averaging=averaging, **settings)


def _sampling(
    game: Any, method: str, averaging: str | Weight | None, settings: dict[str, Any]
) -> Run:
    from infoset.solvers.sampling.places import source
    from infoset.solvers.sampling.run import SamplingRequest, SamplingRun

    _refuse(settings, ("seed", "exploration", "parts"), method)
    if callable(averaging):
        raise ParameterError(
            f"averaging: {method} takes 'uniform', 'linear' or 'quadratic', and no function"
        )
    asked = Settings.of({**settings, "averaging": averaging})
    return SamplingRun(source(game), SamplingRequest(method.removesuffix("-sampling"), asked))


def _refuse(settings: dict[str, Any], known: tuple[str, ...], method: str) -> None:
    """Refuse settings of ``solve`` that a run does not have."""
    Settings.of(settings)  # says what is wrong with a name or a value
    for name in settings:
        if name not in known:
            raise ParameterError(
                f"{name}: {method} that is stepped has no such setting; it has"
                f" {', '.join(('averaging', *known))}"
            )
