"""Regret minimization on a phantom form: predictive CFR+, whose bounds are proved apart from it.

Players take turns to learn: the gradient of one against the other's newest strategy, a step of
predictive regret matching+ at each of its states of knowledge, and its weights into an average in
which iteration t counts t². Source: G. Farina, C. Kroer & T. Sandholm, Faster game solving via
predictive Blackwell approachability, 2021. States in which only the order of refusals differs are
one state here (:mod:`infoset.forms.phantom`), which would have had the same regrets, anyway.

The run knows no bounds. :meth:`PhantomForm.bounds` computes them from the average strategies, by
best responses.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from infoset.errors import ParameterError
from infoset.forms.phantom import PhantomForm
from infoset.kernels.phantom import average, learn

__all__ = ["PhantomRun"]

Floats = npt.NDArray[np.float64]
BOTH: tuple[Literal[0, 1], Literal[0, 1]] = (0, 1)


class PhantomRun:
    """A run that can be stepped, saved and continued.

    Parameters
    ----------
    form
        The game.

    Examples
    --------
    >>> from infoset.forms.phantom import dark_hex_form
    >>> run = PhantomRun(dark_hex_form(2, 2, abrupt=True))
    >>> run.step(200)
    >>> lower, upper = run.form.bounds(*run.averages())
    >>> lower <= 1 / 2 <= upper, upper - lower < 0.001
    (True, True)
    """

    def __init__(self, form: PhantomForm) -> None:
        self.form = form
        self.iterations = 0
        self.strategies = [form.uniform(player) for player in BOTH]
        self.regrets = [np.zeros(len(one)) for one in self.strategies]
        self.sums = [np.zeros(len(one)) for one in self.strategies]

    def step(self, iterations: int = 1) -> None:
        """Continue for so many iterations.

        Parameters
        ----------
        iterations
            Both players learn once in each.
        """
        for _ in range(iterations):
            self.iterations += 1
            t = self.iterations
            share = 6 * t / ((t + 1) * (2 * t + 1))  # of t² in 1 + 4 + 9 + … + t²
            for player in BOTH:
                mine = self.strategies[player]
                at_state, at_edge = self.form.gradient(player, self.strategies[1 - player])
                of = self.form.states[player]
                learn(of, at_state, at_edge, self.regrets[player], mine)
                average(self.sums[player], self.form.weights(player, mine)[1], share)

    def averages(self) -> tuple[Floats, Floats]:
        """The average strategies of both players.

        Returns
        -------
        tuple of arrays
            The probability of every edge; uniform where a player's own moves never lead.
        """
        made = []
        for player in BOTH:
            of, summed = self.form.states[player], self.sums[player]
            choices = np.diff(of.first)
            has = choices > 0
            totals = np.zeros(len(choices))
            totals[has] = np.add.reduceat(summed, of.first[:-1][has])
            total = np.repeat(totals, choices)
            reached = total > 0
            strategy = self.form.uniform(player)
            strategy[reached] = summed[reached] / total[reached]
            made.append(strategy)
        return made[0], made[1]

    def save(self, file: Path) -> None:
        """Keep the state of the run in a file.

        Parameters
        ----------
        file
            Its name; what it held is replaced once the new state is complete.
        """
        arrays = {
            f"{name}{player}": of[player] for name, of in self._arrays().items() for player in BOTH
        }
        written = file.with_suffix(".part.npz")
        np.savez(written, name=self.form.name, iterations=self.iterations, **arrays)  # type: ignore[arg-type]
        written.replace(file)

    def load(self, file: Path) -> None:
        """Continue where a saved run was.

        Parameters
        ----------
        file
            As :meth:`save` wrote it.

        Raises
        ------
        ParameterError
            If it is a run of another game.
        """
        with np.load(file) as saved:
            if str(saved["name"]) != self.form.name:
                raise ParameterError(
                    f"{file} has a run of {saved['name']}, not of {self.form.name}; give another"
                    " file"
                )
            self.iterations = int(saved["iterations"])
            for name, of in self._arrays().items():
                of[:] = [saved[f"{name}{player}"] for player in BOTH]

    def _arrays(self) -> dict[str, list[Floats]]:
        return {"strategy": self.strategies, "regret": self.regrets, "sum": self.sums}
