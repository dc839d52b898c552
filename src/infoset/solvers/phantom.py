"""Regret minimization on a phantom form: predictive CFR+, whose bounds are proved apart from it.

Players take turns to learn: the gradient of one against the other's newest strategy, a step of
predictive regret matching+ at its states of knowledge, and its weights into an average in which
iteration t counts t². Source: G. Farina, C. Kroer & T. Sandholm, Faster game solving via predictive
Blackwell approachability, 2021. States in which only the order of refusals differs are one state
here (:mod:`infoset.forms.phantom`), which would have had the same regrets, anyway.

After a few iterations a player comes to less than a hundredth of its states, and nearly all of the
work is for the others. So this departs from the source in three respects:

1. Players begin with pure strategies, drawn at random, and keep what they play where nothing is
   regretted. A walk leaves out what the other never plays, which is most of it from the start.
2. Not all states learn each time. Those to which a player comes do in every iteration; those to
   which one departure from its strategy leads, in every third; and all in every twelfth. A state
   learns right regrets when it does, since the walk goes one departure further.
3. Very small probabilities may be left out of the averages.

None of this touches the bounds, of which the run knows nothing. :meth:`PhantomForm.bounds` computes
them by best responses, with all moves of the player who responds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from infoset.errors import ParameterError
from infoset.forms.phantom import PhantomForm
from infoset.kernels.phantom import average, departures, learn

__all__ = ["PhantomRun"]

Floats = npt.NDArray[np.float64]
BOTH: tuple[Literal[0, 1], Literal[0, 1]] = (0, 1)


class PhantomRun:
    """A run that can be stepped, saved and continued.

    Parameters
    ----------
    form
        The game.
    every
        All states learn in every so many iterations, the first among them.

    Examples
    --------
    >>> from infoset.forms.phantom import dark_hex_form
    >>> run = PhantomRun(dark_hex_form(2, 2, abrupt=True))
    >>> run.step(200)
    >>> lower, upper = run.form.bounds(*run.averages())
    >>> lower <= 1 / 2 <= upper, upper - lower < 0.001
    (True, True)
    """

    def __init__(self, form: PhantomForm, *, every: int = 12) -> None:
        self.form = form
        self.every = every
        self.iterations = 0
        random = np.random.default_rng(1)
        self.strategies = [
            form.purified(player, random.random(len(form.states[player].free))) for player in BOTH
        ]
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
                self._learn(player, share)

    def _learn(self, player: Literal[0, 1], share: float) -> None:
        of, mine = self.form.states[player], self.strategies[player]
        moves = np.zeros(len(of.own), np.int8)
        departures(of, mine, moves)
        if (self.iterations - 1) % self.every == 0:
            learns = wanted = moves >= 0
        else:
            least = 2 if self.iterations % 3 == 0 else 1
            learns, wanted = moves < least, moves <= least
        gradient = self.form.gradient(player, self.strategies[1 - player], wanted)
        learn(of, *gradient, learns, self.regrets[player], mine)
        average(self.sums[player], self.form.weights(player, mine)[1], share)

    def averages(self, least: float = 0.0) -> tuple[Floats, Floats]:
        """The average strategies of both players.

        Parameters
        ----------
        least
            Smaller probabilities are left out; at most the inverse of the number of cells.

        Returns
        -------
        tuple of arrays
            The probability of every edge; uniform where a player's own moves never lead.
        """
        one, two = [
            self.form.strategy(player, np.where(of < least, 0.0, of))
            for player in BOTH
            for of in [self.form.strategy(player, self.sums[player])]
        ]
        return one, two

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
            sizes = [saved[f"sum{player}"].shape for player in BOTH]
            if str(saved["name"]) != self.form.name or sizes != [one.shape for one in self.sums]:
                raise ParameterError(
                    f"{file} has a run of {saved['name']} with {sizes[0][0]:,} and {sizes[1][0]:,}"
                    f" edges, not of {self.form.name} with {len(self.sums[0]):,} and"
                    f" {len(self.sums[1]):,}; give another file"
                )
            self.iterations = int(saved["iterations"])
            for name, of in self._arrays().items():
                of[:] = [saved[f"{name}{player}"] for player in BOTH]

    def _arrays(self) -> dict[str, list[Floats]]:
        return {"strategy": self.strategies, "regret": self.regrets, "sum": self.sums}
