"""Monte Carlo regret minimization: equilibria of games whose trees do not fit into memory.

Counterfactual regret minimization traverses the whole tree in every iteration. Here every iteration
traverses a small random part of it, chosen so that what it finds has the right expectation;
positions are walked move by move, and no tree is built. Memory is needed only for information sets
that a walk has reached. The mathematics is in :mod:`infoset.solvers.sampling.walks`.

In two-player zero-sum games with perfect recall the average strategies come arbitrarily near to an
equilibrium, with a probability arbitrarily near to one, after enough iterations. (The theorem is
for simultaneous updates. Here players take turns, as is usual; without sampling that does no harm:
Burch, Moravčík & Schmid, Revisiting CFR+ and alternating updates, 2019.) In other games every
player's own regret vanishes, too, but the average strategies need not be an equilibrium;
:meth:`~infoset.Solution.on_tree` verifies them.

Source: Lanctot, Waugh, Zinkevich & Bowling 2009. Departure: the weight of an iteration applies to
regrets as to averages (as in Brown & Sandholm, Solving imperfect-information games via discounted
regret minimization, 2019), which keeps the bound: regret matching does not depend on the scale of
payoffs.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from math import inf
from typing import Any

from infoset.parallel import workers
from infoset.solvers.convergence import Progress
from infoset.solvers.interrupt import interruptible
from infoset.solvers.options import Found, Options
from infoset.solvers.sampling.exploitability import Bracket, Estimate
from infoset.solvers.sampling.parts import forget
from infoset.solvers.sampling.places import SampledGame, source
from infoset.solvers.sampling.result import SampledEvaluation, placed_strategies, sampled
from infoset.solvers.sampling.run import (
    ABANDONED,
    DEFAULT_ITERATIONS,
    GRACE,
    SHORTER,
    CheckpointWriter,
    SamplingRequest,
    SamplingRun,
    Watch,
)
from infoset.solvers.sampling.walks import Abandoned
from infoset.solvers.settings import EVERY, Settings
from infoset.solvers.solution import Solution
from infoset.tree import Tree

__all__ = ["Bracket", "Estimate", "SampledEvaluation", "sample"]


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
    parts: int | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    tick: Callable[[str], None] | None = None,
    stop: Callable[[], bool] | None = None,
    watch: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    every: float = EVERY,
    log: str | os.PathLike[str] | None = None,
) -> Solution:
    """Average strategies of a game by Monte Carlo regret minimization; its tree is never built.

    All players must have perfect recall. Without the tree that cannot be checked, and where it
    fails (teams whose agents know different things, ``knowing=``) nothing is guaranteed.

    Parameters
    ----------
    game
        A game, a tree, a payoff table, or anything with ``.position()`` and ``.players``.
    method
        "external" walks all moves of one player and samples the rest: the better choice unless a
        player has very many moves along a play. "outcome" samples single plays.
    iterations
        Stop after this many in all; 10,000 if nothing else limits the run.
    seconds
        Stop after this time, counted for this call.
    regret
        Stop when the largest estimated regret is at most this.
    seed
        The same seed gives the same run, bit for bit; the clock only decides where it ends.
    exploration
        In outcome sampling, the probability of a uniformly random move at each decision of the
        player whose regrets are updated; 0.6 by default.
    averaging
        The weight of an iteration: 1 ("uniform"), its number ("linear") or its square
        ("quadratic").
    parts
        Walk every iteration so many times, with other random numbers in each part; parts can be
        walked at the same time (:mod:`infoset.solvers.sampling.parts`). The run ends between two
        rounds, and so after up to a tenth more iterations. The result depends on the number of
        parts, and not on who walks them.
    jobs, cluster
        Who walks the parts: so many processes, or a cluster; see :func:`infoset.parallel.workers`.
    tick, watch
        Called with the progress, as text or as a record, at most ten times a second and at the end.
    stop
        Asked at most ten times a second whether to stop. Without it, Ctrl-C ends the run with what
        is known by then. A run ends between two iterations, unless the last one has not ended two
        seconds later: then the note says so.
    checkpoint
        A file to resume from if it exists; it is written every so often, and at the end. Facts that
        players know must then have the same repr in every process.
    every
        Seconds between two checkpoints.
    log
        A file for the convergence of the run (csv).

    Returns
    -------
    Solution
        Over the positions that were visited. If the information sets fill the memory, the run ends,
        and its note says so.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> found = sample(kuhn(), iterations=2000)
    >>> found.work["infosets"], found.regret < 0.05
    (12, True)
    """
    settings = Settings(
        iterations=iterations,
        regret=regret,
        averaging=averaging,
        checkpoint=checkpoint,  # type: ignore[arg-type]  # made a path there
        every=every,
        log=log,  # type: ignore[arg-type]
        seed=seed,
        exploration=exploration,
        parts=parts,
        jobs=jobs,
        cluster=cluster,
    )
    options = Options(seconds=seconds, tick=tick, stop=stop, settings=settings, watch=watch)
    # Who can stop it needs nothing else to end it.
    request = _limited(method, options) if stop is None else SamplingRequest(method, settings)
    return _sampled(source(game), request, options)


def _limited(method: str, options: Options) -> SamplingRequest:
    """What is asked for; a number of iterations, where nothing says when to end."""
    asked = options.settings or Settings()
    if asked.iterations is None and asked.regret is None and options.seconds is None:
        asked = replace(asked, iterations=DEFAULT_ITERATIONS)
    return SamplingRequest(method, asked)


def _sampled(game: SampledGame, request: SamplingRequest, options: Options) -> Solution:
    """A run from its beginning, or from its checkpoint, to its end."""
    run = SamplingRun(game, request)
    writer = CheckpointWriter(run)
    with ExitStack() as stack:
        asked = request.settings
        run.workers = stack.enter_context(workers(asked.jobs, asked.cluster))
        stack.callback(forget)
        pressed = stack.enter_context(interruptible()) if options.stop is None else None
        watch = Watch(run, replace(options, stop=options.stop or pressed))
        whole = _drive(run, writer, watch)
        if whole:
            writer.write()
        writer.write_log(run.convergence)
        watch.tell()
        broken = "interrupted" if pressed is not None and pressed() else ""
    shorter = SHORTER if request.method == "external" else ""
    notes = (watch.note or broken, "" if whole else ABANDONED + shorter, writer.note)
    return sampled(run, "; ".join(note for note in notes if note), whole=whole)


def _drive(run: SamplingRun, writer: CheckpointWriter, watch: Watch) -> bool:
    """Step the run until something says to stop; False if the last iteration was abandoned."""
    asked, clock = run.request.settings, time.perf_counter
    last, enough = asked.iterations or inf, -1.0 if asked.regret is None else asked.regret
    run.abandon = watch.impatient
    run.left = lambda: watch.deadline + GRACE - clock()
    while run.iterations < last and not watch.over():
        if run.estimated is not None and run.estimated <= enough:
            break
        began = clock()
        try:
            run.step()
        except Abandoned:
            return run.request.parts > 1  # a round is counted whole, or not at all
        writer.write_if_due(slow=clock() - began > GRACE)
    return True


def find_without_tree(game: Any, options: Options, method: str) -> Solution:
    """The same for what :func:`~infoset.solve` was asked for, where the tree is too large."""
    return _sampled(source(game), _limited(method.removesuffix("-sampling"), options), options)


def find(tree: Tree, options: Options, method: str = "external-sampling") -> Found:
    """The same on a tree that is there already: a solver like any other."""
    request = _limited(method.removesuffix("-sampling"), options)
    found = _sampled(source(tree), request, options)
    work = {name: found.work[name] for name in ("iterations", "nodes")}
    assert isinstance(found.evaluation, SampledEvaluation)
    prove = request.settings.prove is not False
    strategies = placed_strategies(found.evaluation.run, tree, prove=prove)
    return Found(strategies, work, note=found.note, convergence=found.convergence)
