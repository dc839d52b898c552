"""Solve a public form: a run of regret minimization, and the answer made of it, verified."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Unpack

import numpy as np

from infoset.errors import NotApplicable, ParameterError, nearest
from infoset.forms.public.record import (
    NOT_YET,
    Block,
    Counts,
    Decision,
    End,
    PublicForm,
    Table,
)
from infoset.rules.story import brief
from infoset.solve.cfr import NEAR, uncompiled
from infoset.solve.interrupt import interruptible
from infoset.solve.options import Options
from infoset.solve.public.layout import lay_out_public
from infoset.solve.public.loop import PublicLoop
from infoset.solve.public.memory import check_public_memory
from infoset.solve.public.solution import PublicSolution
from infoset.solve.public.stakes import at_stake
from infoset.solve.public.verify import PROVABLE, on_grid, verified, verified_exactly, work
from infoset.solve.regret.running import BEYOND, Moment, Run
from infoset.solve.regret.settings import TAKES, Settings, Wishes
from infoset.solve.regret.variants import VARIANTS, Variant, variant

if TYPE_CHECKING:
    from infoset.solve.public.verify import Floats

SHARED = 300_000  # entries at all ends from which two workers are faster than one
ASKED = "as asked"
LINEAR, USUAL = "lp", "discounted-cfr"
FEW, FEW_ENTRIES = 12_000, 500_000  # sequences and entries up to which the program takes seconds


def solve_public(
    form: PublicForm,
    method: str | None = None,
    *,
    exact: bool | None = None,
    seconds: float | None = None,
    tick: Callable[[str], None] | None = None,
    stop: Callable[[], bool] | None = None,
    watch: Callable[[Moment], None] | None = None,
    **wishes: Unpack[Wishes],
) -> PublicSolution:
    """Optimal strategies of both players, verified.

    ``method`` is "lp", the exact linear program, or a member of the family of counterfactual regret
    minimization; unasked the first for small forms. Settings are those of a run on a tree:
    iterations, regret, updates, averaging, exponents, precision, workers, checkpoint, every, log,
    prove. If nothing limits a run it ends when the regret is a ten-thousandth of what is at stake.
    The first Ctrl-C ends it with the best so far.

    >>> solution = solve_public(pennies(), "discounted-cfr", iterations=10)
    >>> solution
    <Solution of pennies by discounted-cfr: exact>
    >>> solution.shares("even", 0).tolist(), solution.value
    ([[0.5], [0.5]], Fraction(0, 1))
    """
    settings = Settings.of(wishes)
    options = Options(exact, seconds, tick, stop, settings=settings, watch=watch)
    method, because = _chosen(form, method, exact, settings)
    if method == LINEAR:
        return _by_program(form, options, because)
    if exact:
        raise ParameterError(f"exact: {method} comes near, and says how near; {LINEAR} is exact")
    row = variant(method)
    for name in settings.chosen:
        if name not in TAKES["cfr"]:
            raise ParameterError(f"{name}: {method} takes no {name}; leave it out")
    updates = settings.updates or "alternating"
    row = row.changed(updates=updates, averaging=settings.averaging, exponents=settings.exponents)
    run, reason = _run(form, row, options, settings)
    assert run.best is not None
    plan, first = run.loop.plan(run.best), form.sequences[0]
    plans = (plan[:first], plan[first:-1])
    prove = settings.prove if settings.prove is not None else work(form) <= PROVABLE
    if prove:
        plans = (on_grid(form, 0, plans[0]), on_grid(form, 1, plans[1]))
    options.tell("verifying")
    return _concluded(form, plans, prove, run, reason, options, because)


def _chosen(
    form: PublicForm, method: str | None, exact: bool | None, settings: Settings
) -> tuple[str, str]:
    """The method, and why."""
    if method is not None and method != LINEAR and method not in [one.name for one in VARIANTS]:
        hint = nearest(method, [LINEAR, *(one.name for one in VARIANTS)])
        raise NotApplicable(
            f"{brief(form.name)}: {method!r:.40} does not take public forms; {hint}"
        )
    if method == LINEAR and settings.particular:
        raise ParameterError(f"{settings.particular[0]}: {LINEAR} has no such setting")
    if method is not None:
        return method, ASKED
    if settings.particular:
        return USUAL, f"as asked: {settings.particular[0]}"
    size = f"{sum(form.sequences):,} sequences"
    if exact or (sum(form.sequences) <= FEW and form.nbytes <= 8 * FEW_ENTRIES):
        return LINEAR, f"two players, opposed interests, {size}"
    return USUAL, f"two players, opposed interests, too large for an exact method ({size})"


def _by_program(form: PublicForm, options: Options, because: str) -> PublicSolution:
    """The answer of the exact linear program."""
    from infoset.solve import public_lp

    found = public_lp.find(form, options)
    one, two = found.weights
    options.tell("verifying")
    shown = (
        verified_exactly(form, (one, two))
        if found.exact
        else verified(form, (one.floats, two.floats), exact=False)
    )
    return PublicSolution(
        form=form,
        plans=(one.floats, two.floats),
        verified=shown,
        method=LINEAR,
        because=because,
        work=MappingProxyType(dict(found.work)),
        note=found.note,
        seconds=time.perf_counter() - options.began,
        weights=found.weights if found.exact else None,
    )


def _run(form: PublicForm, row: Variant, options: Options, settings: Settings) -> tuple[Run, str]:
    """A run from its beginning, or from its checkpoint, to its end; and why it ended."""
    workers = 1 if uncompiled() else settings.workers or _workers(form)
    needed = check_public_memory(form, settings.precision)
    options.tell(f"laying out {sum(form.sequences):,} sequences, {needed / 2**20:,.0f} MiB at most")
    options = _loaded(options, settings)
    loop = PublicLoop(lay_out_public(form, np.dtype(settings.precision), workers), row)
    run = Run(loop, settings, options, row.name, _goal(form, options, settings), coarse=False)
    run.begin()
    with ExitStack() as stack:
        pressed = stack.enter_context(interruptible()) if options.stop is None else None
        reason = run.go(lambda: options.over() or (pressed is not None and pressed()))
    return run, reason


def _concluded(
    form: PublicForm,
    plans: tuple[Floats, Floats],
    prove: bool,
    run: Run,
    reason: str,
    options: Options,
    because: str,
) -> PublicSolution:
    """The answer: verify the plans, and say how they were come by."""
    found = verified(form, plans, prove)
    missed = run.settings.regret is not None and reason != "regret"
    short = missed or (reason == "stopped" and (run.options.left > 0 or not run.loop.done))
    several = "s" * (run.loop.done != 1)
    notes = [f"stopped after {run.loop.done:,} iteration{several}"] if short else []
    if run.beyond:
        notes.append(BEYOND)
    counts = {"iterations": run.loop.done, "sequences": sum(form.sequences), "entries": work(form)}
    return PublicSolution(
        form=form,
        plans=plans,
        verified=found,
        method=run.name,
        because=because,
        work=MappingProxyType(counts),
        note="; ".join([*notes, *run.troubles.values()]),
        seconds=time.perf_counter() - options.began,
        course=run.course,
    )


def _loaded(options: Options, settings: Settings) -> Options:
    """Load the kernels, or compile them once; the time that this takes is not the run's."""
    options.tell("compiling, if this is the first time")
    began = time.perf_counter()
    loop = PublicLoop(lay_out_public(pennies(), np.dtype(settings.precision)), variant("cfr"))
    loop.iterate(1)
    loop.measure()
    return replace(options, began=options.began + time.perf_counter() - began)


def _workers(form: PublicForm) -> int:
    """One for each core where that pays, up to two."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(cores or 1, 2) if work(form) >= SHARED else 1


def _goal(form: PublicForm, options: Options, settings: Settings) -> float | None:
    """The regret at which to stop: what was asked for; else, if nothing limits the run, little."""
    if settings.regret is not None:
        return settings.regret
    if settings.iterations is not None or options.seconds is not None:
        return 0.0
    return NEAR * at_stake(form)


def pennies() -> PublicForm:
    """The least game there is: both show a coin, and player one wins both if they are the same."""
    one, two = (
        Decision(player, ("heads", "tails"), NOT_YET, 0, _ONE, _ONE + 1, [()], ())
        for player in range(2)
    )
    table = Table((Block(_ONE, _ONE, np.ones((1, 1), np.int64)),))
    ends = tuple(
        End(((0, i), (0, j)), 0, Fraction(1 if i == j else -1)) for i in (0, 1) for j in (0, 1)
    )
    counts = Counts(7, 0, 4, (1, 2), (1, 1), (3, 3))
    players = ("even", "odd")
    return PublicForm("pennies", players, ((one,), (two,)), (table,), ends, Fraction(0), counts)


_ONE = np.zeros(1, np.int64)
