"""Monte Carlo regret minimization: equilibria of games whose trees do not fit.

Counterfactual regret minimization goes through the whole tree in every iteration. Here every
iteration goes through a small, random part of it, chosen so that what it finds has the right
expectation; positions are walked move by move, and no tree is built. Memory goes only into
information sets that a walk has met. The mathematics is in :mod:`infoset.solvers.sampling.walks`.

In zero-sum games of two with perfect recall the average strategies come as near to an equilibrium
as one likes, with a probability as near to one as one likes, after enough iterations. (The theorem
is for players who are updated at once. Here they take turns, as is usual; without sampling that
does no harm: Burch, Moravčík & Schmid, Revisiting CFR+ and alternating updates, 2019.) In other
games every player's own regret vanishes, too, but the average strategies need be no equilibrium;
:meth:`~infoset.Solution.on_tree` verifies them.

Source: Lanctot, Waugh, Zinkevich & Bowling 2009. Departure: an iteration's weight counts in regrets
as in averages (as in Brown & Sandholm, Solving imperfect-information games via discounted regret
minimization, 2019), which keeps the bound: regret matching does not mind what payoffs are times.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from math import inf
from typing import Any

from infoset.solvers.convergence import Progress
from infoset.solvers.interrupt import interruptible
from infoset.solvers.options import Found, Options
from infoset.solvers.sampling.places import Source, source
from infoset.solvers.sampling.result import Estimate, SampledEvaluation, placed_strategies, sampled
from infoset.solvers.sampling.run import (
    ABANDONED,
    GRACE,
    UNASKED,
    CheckpointWriter,
    Request,
    SamplingRun,
    Watch,
)
from infoset.solvers.sampling.walks import Abandoned
from infoset.solvers.settings import EVERY, Settings
from infoset.solvers.solution import Solution
from infoset.tree import Tree

__all__ = ["Estimate", "SampledEvaluation", "sample"]


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
    watch: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    every: float = EVERY,
    log: str | os.PathLike[str] | None = None,
) -> Solution:
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
    four is given. Without ``stop``, Ctrl-C ends it with what is known by then. An iteration weighs
    1 ("uniform"), its number ("linear") or the square of it ("quadratic"). The same seed gives the
    same run, bit for bit; the clock only decides where it ends. ``stop`` is asked, and ``tick`` and
    ``watch`` are told, at most ten times a second. A run ends between two iterations, unless the
    last one has not ended two seconds later: then the note says so.

    ``checkpoint`` names a file that is written every so many seconds and at the end. If it is
    there, the run goes on from it. Facts that players know must then read the same in every run.
    ``log`` names one for the course of the run (csv). Up to 200,000 positions near the root are
    kept in memory; what is found does not depend on it. If the information sets fill the memory,
    the run ends, and its note says so.

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
    )
    options = Options(seconds=seconds, tick=tick, stop=stop, settings=settings, watch=watch)
    # Who can stop it needs nothing else to end it.
    request = _limited(method, options) if stop is None else Request(method, settings)
    return _sampled(source(game), request, options)


def _limited(method: str, options: Options) -> Request:
    """What is asked for; a number of iterations, where nothing says when to end."""
    asked = options.settings or Settings()
    if asked.iterations is None and asked.regret is None and options.seconds is None:
        asked = replace(asked, iterations=UNASKED)
    return Request(method, asked)


def _sampled(game: Source, request: Request, options: Options) -> Solution:
    """A run from its beginning, or from its checkpoint, to its end."""
    run = SamplingRun(game, request)
    writer = CheckpointWriter(run)
    with ExitStack() as stack:
        pressed = stack.enter_context(interruptible()) if options.stop is None else None
        watch = Watch(run, replace(options, stop=options.stop or pressed))
        whole = _drive(run, writer, watch)
        if whole:
            writer.write()
        writer.write_log(run.convergence)
        watch.tell()
        broken = "interrupted" if pressed is not None and pressed() else ""
    notes = (watch.note or broken, "" if whole else ABANDONED, writer.note)
    return sampled(run, "; ".join(note for note in notes if note))


def _drive(run: SamplingRun, writer: CheckpointWriter, watch: Watch) -> bool:
    """Step the run until something says to stop; False if the last iteration was abandoned."""
    asked, clock = run.request.settings, time.perf_counter
    last, enough = asked.iterations or inf, -1.0 if asked.regret is None else asked.regret
    run.abandon = watch.impatient
    while run.iterations < last and not watch.over():
        if run.estimated is not None and run.estimated <= enough:
            break
        began = clock()
        try:
            run.step()
        except Abandoned:
            return False
        writer.write_if_due(slow=clock() - began > GRACE)
    return True


def find(tree: Tree, options: Options, method: str = "external-sampling") -> Found:
    """The same on a tree that is there already: a solver like any other."""
    request = _limited(method.removesuffix("-sampling"), options)
    found = _sampled(source(tree), request, options)
    work = {name: found.work[name] for name in ("iterations", "nodes")}
    assert isinstance(found.evaluation, SampledEvaluation)
    prove = request.settings.prove is not False
    strategies = placed_strategies(found.evaluation.run, tree, prove=prove)
    return Found(strategies, work, note=found.note, convergence=found.convergence)
