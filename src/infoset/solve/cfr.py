"""Large games by regret minimization: play against oneself, and regret what one did not do.

At every information set a player keeps, for each action, how much more it would have got by always
taking it there; it then plays in proportion to what it regrets. Weighted by how much nature and the
others let the play come to a set, these regrets add up to no less than the regret of the whole
strategy: if all of them grow slower than time, the regret per iteration goes to zero. With two
players whose payoffs sum to a constant, the average strategies are then an equilibrium, up to twice
that; with more players, or other sums, the average of *joint* play is a coarse correlated
equilibrium, and what the average strategies are worth by themselves is measured, and proved.

An iteration costs one pass over the plays of the game, and memory for a few numbers a sequence. The
members of the family are rows of a table (:mod:`infoset.solve.regret.variants`), the loop is one
(:mod:`infoset.kernels.regret`), and :mod:`infoset.solve.regret.running` sees to it that a long run
can be watched, stopped and gone on with.

Sources: Zinkevich, Johanson, Bowling & Piccione 2007; Tammelin 2014 (CFR+); Brown & Sandholm 2019
(linear and discounted); Farina, Kroer & Sandholm 2021 (predictive).
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction

import numpy as np

from infoset.linear.numbers import Floats, Numbers
from infoset.solve.interrupt import interruptible
from infoset.solve.options import Found, Options
from infoset.solve.regret.layout import lay_out
from infoset.solve.regret.loop import Loop
from infoset.solve.regret.memory import check_memory
from infoset.solve.regret.running import BEYOND, Run
from infoset.solve.regret.settings import Settings
from infoset.solve.regret.variants import variant
from infoset.solve.text import decimal_above
from infoset.strategy import RealizationPlan, Strategy
from infoset.strategy.plan import plan_from_sketch
from infoset.tree import Tree, matrix_game

NEAR = 1e-4  # regret, as a part of what is at stake, at which a run ends that nobody limits
PROVABLE = 20_000_000  # leaves up to which the regret is proved unasked
SHARED = 300_000  # leaves from which two workers are faster than one


def find(tree: Tree, options: Options, method: str = "cfr+") -> Found:
    """The average strategies of a run."""
    settings = options.settings or Settings()
    row = variant(method)
    opposed = len(tree.players) == 1 or (len(tree.players) == 2 and bool(tree.constant_sum))
    updates = settings.updates or ("alternating" if opposed else "simultaneous")
    row = row.changed(updates=updates, averaging=settings.averaging, exponents=settings.exponents)
    coarse = not opposed and not row.alternating
    needed = check_memory(tree, settings.precision, coarse)
    options.tell(f"laying out {len(tree.ends):,} leaves, {needed / 2**20:,.0f} MiB at most")
    options = _loaded(options, settings)
    workers = 1 if uncompiled() else settings.workers or _workers(tree)
    layout = lay_out(tree, np.dtype(settings.precision), workers)
    loop = Loop(layout, row, coarse)
    run = Run(loop, settings, options, method, _goal(tree, options, settings, coarse), coarse)
    run.begin()
    with ExitStack() as stack:
        pressed = stack.enter_context(interruptible()) if options.stop is None else None
        reason = run.go(lambda: options.over() or (pressed is not None and pressed()))
    assert run.best is not None
    plan = loop.plan(run.best)
    strategies = tuple(
        _strategy(tree, player, own, settings)
        for player, own in zip(tree.names, loop.weights(plan), strict=True)
    )
    missed = settings.regret is not None and reason != "regret"
    short = missed or (reason == "stopped" and (options.left > 0 or not loop.done))
    return Found(
        strategies,
        {"iterations": loop.done, "sequences": layout.sequences, "entries": layout.entries},
        note=f"stopped after {loop.done:,} iteration{'s' * (loop.done != 1)}" if short else "",
        remark=_remark(run, opposed),
        course=run.course,
    )


def _loaded(options: Options, settings: Settings) -> Options:
    """Load the kernels, or compile them once; the time that this takes is not the run's."""
    options.tell("compiling, if this is the first time")
    began = time.perf_counter()
    least = matrix_game([[1, 0], [0, 1]]).tree()  # what they are tried on: it takes no time itself
    loop = Loop(lay_out(least, np.dtype(settings.precision)), variant("cfr"), coarse=True)
    loop.iterate(1)
    loop.measure()
    return replace(options, began=options.began + time.perf_counter() - began)


def uncompiled() -> bool:
    """Is compiling switched off, to look into the kernels? They cannot wait for each other then."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def _workers(tree: Tree) -> int:
    """One for each core where that pays, up to two."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(cores or 1, 2) if len(tree.ends) >= SHARED else 1


def _goal(tree: Tree, options: Options, settings: Settings, coarse: bool) -> float | None:
    """The regret at which to stop: what was asked for; else, if nothing limits the run, little.

    A limited run ends before its limit only where nothing is left to be gained. That joint play is
    a coarse correlated equilibrium does not show this: what players would gain by commitments is
    often less than nothing, long before their strategies are any good by themselves.
    """
    if settings.regret is not None:
        return settings.regret
    if settings.iterations is not None or options.seconds is not None:
        return None if coarse else 0.0
    # Exactly: of payoffs far from zero floats may not see what is at stake.
    spread = (
        Fraction(int(stake.numerators.max()) - int(stake.numerators.min()), stake.denominator)
        for stake in tree.stakes
    )
    # Payoffs beyond floats can be unlikely enough for what they come to.
    return NEAR * float(min(max(spread), Fraction(sys.float_info.max)))


def _strategy(tree: Tree, player: str, weights: Floats, settings: Settings) -> Strategy:
    """A plan, exact where its regret is to be proved."""
    prove = settings.prove if settings.prove is not None else len(tree.ends) <= PROVABLE
    if prove:
        return plan_from_sketch(tree, player, weights)
    return RealizationPlan(tree, player, Numbers(weights))


def _remark(run: Run, opposed: bool) -> str:
    """What the reader should know: what joint play is, and what could not be written."""
    parts = []
    last = run.points[-1]
    if last.coarse:
        own = ", ".join(
            f"{player} {decimal_above(max(amount, 0.0))}"
            for player, amount in zip(run.loop.layout.game.names, last.coarse, strict=True)
        )
        parts.append(
            "the average of joint play is a coarse correlated equilibrium up to"
            f" {decimal_above(max(*last.coarse, 0.0))} (by floats: {own})"
        )
    elif not opposed and run.loop.variant.alternating:
        parts.append("alternating updates say nothing about the average of joint play")
    if run.beyond:
        parts.append(BEYOND)
    parts += run.troubles.values()
    return "; ".join(parts)
