"""Monte Carlo regret minimization: equilibria of games whose trees do not fit.

Counterfactual regret minimization goes through the whole tree in every iteration. Here every
iteration goes through a small, random part of it, chosen so that what it finds has the right
expectation; positions are walked move by move, and no tree is built. Memory goes only into
information sets that a walk has met. The mathematics is in :mod:`infoset.solve.sampled.walks`.

In zero-sum games of two with perfect recall the average strategies come as near to an equilibrium
as one likes, with a probability as near to one as one likes, after enough iterations. In other
games every player's own regret vanishes, too, but the average strategies need be no equilibrium;
:meth:`Sampled.solution` proves what they are.

Source: Lanctot, Waugh, Zinkevich & Bowling 2009. Departure: an iteration's weight counts in regrets
as in averages (as in Brown & Sandholm, Solving imperfect-information games via discounted regret
minimization, 2019), which keeps the bound: regret matching does not mind what payoffs are times.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

from infoset.errors import ParameterError
from infoset.solve.options import Found, Options
from infoset.solve.regret.settings import Settings
from infoset.solve.sampled.on_tree import placed_strategies
from infoset.solve.sampled.record import Estimate, Sampled, sampled
from infoset.solve.sampled.request import (
    EXPLORATION,
    UNASKED,
    Request,
    check_callables,
    check_time,
)
from infoset.solve.sampled.resuming import Keeper
from infoset.solve.sampled.run import Run, next_look
from infoset.solve.sampled.source import source
from infoset.solve.sampled.walks import Abandoned
from infoset.solve.sampled.watch import ABANDONED, Watch
from infoset.tree import Tree

__all__ = ["Estimate", "Sampled", "sample"]


def sample(
    game: Any,
    method: str = "external",
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    regret: float | None = None,
    seed: int = 0,
    exploration: float | None = None,
    averaging: str = "linear",
    tick: Callable[[str], None] | None = None,
    stop: Callable[[], bool] | None = None,
    checkpoint: str | Path | None = None,
    every: float = 60.0,
) -> Sampled:
    """Average strategies of a game by Monte Carlo regret minimization, its tree never built.

    ``game`` is a game, a tree, a payoff table, or anything with ``.position()`` and ``.players``.
    All players must have perfect recall; without the tree that cannot be checked, and where it
    fails (teams whose agents know different things, ``knowing=``) nothing is promised.

    "external" walks all moves of one player and draws the rest: the better choice unless a player
    has very many moves along a play. "outcome" draws one play, with the probability ``exploration``
    (0.6 unless it is said) of a random move at each decision of the player whose regrets are
    updated.

    It ends after ``iterations`` in all, after ``seconds`` in this call, when the largest estimated
    regret is at most ``regret``, or when ``stop()`` is true; after 10,000 iterations if none of the
    four is given. An iteration weighs 1 ("uniform"), its number ("linear") or the square of it
    ("quadratic"). The same seed gives the same run, bit for bit; the clock only decides where it
    ends. ``stop`` is asked and ``tick`` told at most ten times a second. A run ends between two
    iterations, unless the last one has not ended two seconds later: then the note says so.

    ``checkpoint`` names a file that is written every so many seconds and at the end. If it is
    there, the run goes on from it. Facts that players know must then read the same in every run.
    Up to 200,000 positions near the root are kept in memory; what is found does not depend on it.
    If the information sets fill the memory, the run ends, and its note says so.

    >>> from infoset.games import kuhn
    >>> found = sample(kuhn(), iterations=2000)
    >>> found.sets, found.solution().regret < 0.05
    (12, True)
    """
    began = time.perf_counter()
    check_callables(tick=tick, stop=stop)
    check_time("every", every)
    if iterations is None and seconds is None and regret is None and stop is None:
        iterations = UNASKED
    often = EXPLORATION if exploration is None else exploration
    request = Request(method, iterations, seconds, regret, seed, often, averaging)
    if exploration is not None and method != "outcome":
        raise ParameterError(f"exploration={exploration}: {method} sampling makes no random moves")
    run = Run(source(game), request, digests=checkpoint is not None)
    keeper = Keeper(run, checkpoint)
    watch = Watch(run, began, tick, stop)
    whole = _iterate(run, keeper, watch, began, every)
    if whole:
        keeper.keep()
    notes = (watch.note, "" if whole else ABANDONED, keeper.note)
    return sampled(run, "; ".join(note for note in notes if note))


def _iterate(run: Run, keeper: Keeper, watch: Watch, began: float, every: float) -> bool:
    """Iterations until something says to stop; False if the last one was abandoned.

    The time is added to the run's.
    """
    asked, before, clock = run.request, run.seconds, time.perf_counter
    last = asked.iterations if asked.iterations is not None else inf
    kept, looks = began, next_look(run.iterations)
    largest = run.course[-1][2] if run.course else inf
    run.alarm = watch.impatient
    whole = True
    while run.iterations < last and not watch.over():
        if asked.regret is not None and largest <= asked.regret:
            break
        if keeper.path is not None and clock() - kept >= every and run.iterations:
            run.seconds = before + clock() - began
            keeper.keep()
            kept = clock()
        try:
            run.iterate()
        except Abandoned:
            whole = False
            break
        if run.iterations == looks:
            largest, looks = run.look(before + clock() - began), next_look(looks)
    run.seconds = before + clock() - began
    return whole


def find(tree: Tree, options: Options, method: str = "external-sampling") -> Found:
    """The same on a tree that is there already: a solver like any other."""
    asked = options.settings or Settings()
    given = {name: getattr(asked, name) for name in asked.chosen if name != "prove"}
    if options.seconds is None and not {"iterations", "regret"} & set(given):
        given["iterations"] = UNASKED  # also where it can be stopped
    found = sample(
        tree,
        method.removesuffix("-sampling"),
        seconds=options.seconds,
        tick=options.tick,
        stop=options.stop,
        **given,
    )
    work = {"iterations": found.iterations, "nodes": found.nodes}
    strategies = placed_strategies(found, tree, prove=asked.prove is not False)
    return Found(strategies, work, note=found.note)
