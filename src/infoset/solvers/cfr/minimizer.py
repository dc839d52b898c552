"""Regret minimizers of one's own in place of regret matching, in plain numpy.

Counterfactual regret minimization runs one regret minimizer at every information set. In an
iteration each minimizer gives a mixed action, the tree is evaluated, and the minimizer observes the
counterfactual value of each action: what it pays with the others' and chance's probabilities of
reaching the set as weights (Zinkevich, Johanson, Bowling & Piccione 2007). Any minimizer whose
regret grows slower than the number of iterations leads to the same guarantee.

Minimizers are vectorized: one object serves all information sets of a player that have equally many
actions, with a row for each set. Payoffs are summed over the tree by compiled code, everything else
is numpy, so that an iteration costs a few array operations for each depth of the tree.

Order of the steps in iteration t, as in the compiled loop (:mod:`infoset.kernels.regret`): a player
observes its values, its minimizers give new strategies, and these enter the average with weight
w(t). With alternating updates the next player already meets the new strategies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from infoset.errors import StrategyError
from infoset.linear.threads import one_thread
from infoset.solvers.cfr.loop import LaidOut, Loop, PublicLoop
from infoset.solvers.cfr.public_layout import PublicLayout
from infoset.solvers.cfr.variants import Variant

Floats = npt.NDArray[np.float64]
Weight = Callable[[int], float]  # of an iteration, counted from 1: its weight in the average

ROUNDING = 1e-9  # by how much probabilities may miss a sum of 1


class Minimizer(Protocol):
    """Regret minimizers of many information sets with equally many actions.

    Made by calling ``factory(information_sets, actions)`` with two integers; usually the factory is
    the class itself. Rows of all arrays are information sets, columns are actions.

    Examples
    --------
    Regret matching (Hart & Mas-Colell 2000):

    >>> class RegretMatching:
    ...     def __init__(self, information_sets, actions):
    ...         self.regrets = np.zeros((information_sets, actions))
    ...
    ...     def strategy(self):
    ...         positive = np.maximum(self.regrets, 0)
    ...         total = positive.sum(axis=1, keepdims=True)
    ...         uniform = np.full_like(positive, 1 / positive.shape[1])
    ...         return np.divide(positive, total, out=uniform, where=total > 0)
    ...
    ...     def observe(self, utilities):
    ...         value = (self.strategy() * utilities).sum(axis=1, keepdims=True)
    ...         self.regrets += utilities - value
    >>> from infoset import start
    >>> from infoset.games import kuhn
    >>> run = start(kuhn(), minimizer=RegretMatching)
    >>> run.step(1000)
    >>> run.regret < 0.01
    True

    """

    def strategy(self) -> Floats:
        """Probabilities of the actions, an array of shape (information sets, actions).

        Called once before the first iteration and once after every call of :meth:`observe`. The
        array may be one that later calls change: it is copied.
        """

    def observe(self, utilities: Floats) -> None:
        """Learn the counterfactual value of every action against the others' current strategies.

        Parameters
        ----------
        utilities
            Shape (information sets, actions), in payoffs; of these the same constant may have been
            subtracted everywhere, which changes no regret. The array is reused: copy what is kept.

        """


Factory = Callable[[int, int], Minimizer]


@dataclass(frozen=True)
class _Batch:
    """One player's information sets with equally many actions, and their minimizer."""

    minimizer: Minimizer
    utilities: Floats  # [action, set]
    parts: tuple[tuple[slice, slice], ...]  # sequences of a run; its columns here

    def strategies(self) -> Floats:
        """[action, set] what the minimizer plays, checked."""
        name = type(self.minimizer).__name__
        given = np.asarray(self.minimizer.strategy(), np.float64)
        shape = self.utilities.shape[::-1]
        if given.shape != shape:
            raise StrategyError(
                f"{name}.strategy() has shape {given.shape}; {shape} is needed: a row for each"
                " information set, a column for each action"
            )
        total = given.sum(axis=1)
        wrong = ~(np.abs(total - 1) <= ROUNDING) | ~(given >= 0).all(axis=1)
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise StrategyError(
                f"{name}.strategy(), row {row}: {given[row].tolist()!r:.60} are no probabilities;"
                " they must be at least 0 and sum to 1"
            )
        return given.T


class MinimizerLoop(Loop):
    """Iterations with minimizers of the caller's on a tree or a public form."""

    def __init__(
        self, layout: LaidOut, factory: Factory, weight: Weight, *, alternating: bool
    ) -> None:
        name = getattr(factory, "__name__", type(factory).__name__)
        about = "a regret minimizer given by the caller"
        row = Variant(name, about, 0.0, 0.0, 0.0, alternating=alternating)
        super().__init__(layout, row)
        self.weight = weight
        form = layout.form
        ends = [*form.roots.tolist()[1:], layout.sequences]
        runs = form.runs[layout.run_order]
        self._runs: list[list[tuple[slice, slice, int]]] = []  # [player] sequences, sets, actions
        for root, end in zip(form.roots.tolist(), ends, strict=True):
            own = runs[(root < runs[:, 2]) & (runs[:, 2] < end)].tolist()
            self._runs.append(
                [
                    (slice(at, at + (last - first) * actions), slice(first, last), actions)
                    for first, last, at, actions, _ in own
                ]
            )
        self._batches = [_batches(own, factory) for own in self._runs]
        for batches in self._batches:
            self._take_strategies(batches)
        for player in range(len(self._batches)):
            self._descend(player, 0.0)

    def iterate(self, iterations: int) -> None:
        """Do more iterations."""
        for time in range(self.done + 1, self.done + iterations + 1):
            count = float(self.weight(time))
            for player, batches in enumerate(self._batches):
                self._climb(player)
                for batch in batches:
                    for sequences, columns in batch.parts:
                        own = self.state.pending[sequences].reshape(len(batch.utilities), -1)
                        batch.utilities[:, columns] = own * self.layout.units[player]
                    batch.minimizer.observe(batch.utilities.T)
                self._take_strategies(batches)
                if self.variant.alternating:
                    self._descend(player, count)
            if not self.variant.alternating:
                for player in range(len(self._batches)):
                    self._descend(player, count)
            self.done = time

    def _take_strategies(self, batches: Sequence[_Batch]) -> None:
        for batch in batches:
            strategies = batch.strategies()
            for sequences, columns in batch.parts:
                self.state.strategy[sequences] = strategies[:, columns].reshape(-1)

    def _climb(self, player: int) -> None:
        """Counterfactual values of a player's actions, the last information sets first."""
        pending, strategy, before = self.state.pending, self.state.strategy, self.layout.form.before
        _sum_payoffs(self.layout, player, self.state.weight, pending)
        for sequences, sets, actions in reversed(self._runs[player]):
            paid = (strategy[sequences] * pending[sequences]).reshape(actions, -1).sum(axis=0)
            np.add.at(pending, before[sets], paid)

    def _descend(self, player: int, count: float) -> None:
        """Realization weights of the new strategies, and their sums for the average."""
        state, root = self.state, self.layout.form.roots[player]
        for sequences, sets, actions in self._runs[player]:
            reach = np.tile(state.weight[self.layout.form.before[sets]], actions)
            state.weight[sequences] = reach * state.strategy[sequences]
            state.summed[sequences] += count * state.weight[sequences]
            state.pending[sequences] = 0
        state.summed[root] += count
        state.pending[root] = 0

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Refused: what the minimizers know is not known here."""
        raise StrategyError(
            f"{self.variant.name}: a run with a minimizer of one's own has no checkpoints"
        )


class PublicMinimizerLoop(MinimizerLoop, PublicLoop):
    """The same on a public form, where regret is measured as :class:`PublicLoop` does."""


def _batches(runs: Sequence[tuple[slice, slice, int]], factory: Factory) -> tuple[_Batch, ...]:
    """A player's information sets by their number of actions, with a minimizer each."""
    found = []
    for actions in sorted({run[2] for run in runs}):
        parts, sets = [], 0
        for sequences, own, _ in (run for run in runs if run[2] == actions):
            count = own.stop - own.start
            parts.append((sequences, slice(sets, sets + count)))
            sets += count
        found.append(_Batch(factory(sets, actions), np.zeros((actions, sets)), tuple(parts)))
    return tuple(found)


def _sum_payoffs(layout: LaidOut, player: int, weight: Floats, pending: Floats) -> None:
    """What a player's sequences that end a play pay against the others' weights; one thread."""
    if isinstance(layout, PublicLayout):
        from infoset.kernels.public import product

        tables = layout.tables
        given, paid = np.empty(tables.room), np.empty(tables.room)
        with one_thread():
            for wave in range(*tables.waves[player]):
                first, end = tables.worker_ranges[wave, 0].tolist()
                product(first, end, tables, weight, pending, given, paid)
        return
    from infoset.kernels.regret import product as sparse_product

    first, end = layout.form.worker_ranges[player, 0].tolist()
    sparse_product(first, end, layout.form, weight, pending)
