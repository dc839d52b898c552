"""What is at stake in a public form: the scale against which a regret is small or large.

An entry of a table is a probability times a payoff, summed over plays; nature's part of it is an
entry of the meeting at the decision that was last before the end. Where both tables have the same
blocks, one over the other is what is paid there. Where they have not (sets that are paid nothing
may be left out of a table), the amount that the end pays on average stands for it. Ends that pay
nothing are left out of a form; so nothing always counts as paid somewhere.

Solve a public form: a run of regret minimization, and the answer made of it, verified.
"""

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
    Meeting,
    PublicForm,
    Table,
)
from infoset.linear.numbers import Array, integer_sum, nearest_float
from infoset.solvers.cfr.loop import PublicLoop
from infoset.solvers.cfr.public_layout import check_public_memory, lay_out_public
from infoset.solvers.cfr.run import BEYOND, NEAR, Progress, Run, jit_disabled
from infoset.solvers.cfr.variants import VARIANTS, Variant, variant
from infoset.solvers.interrupt import interruptible
from infoset.solvers.options import Options
from infoset.solvers.public_solution import PublicSolution
from infoset.solvers.settings import TAKES, RunKeywords, Settings
from infoset.strategy.public import PROVABLE, rounded_plan, verified, verified_exactly, work
from infoset.text import brief

if TYPE_CHECKING:
    from infoset.strategy.public import Floats


def payoff_range(form: PublicForm) -> float:
    """How far apart the most and the least are that player one is paid, and nothing.

    >>> from infoset.solvers.public import pennies
    >>> payoff_range(pennies())
    2.0
    """
    known: dict[tuple[int, int], tuple[Fraction, Fraction]] = {}
    low = high = Fraction(0)
    for end in form.ends:
        meeting = _last_meeting(form, end)
        if meeting is None:
            amount = abs(end.factor) * _amount(form.tables[end.table])
            paid = [-amount, amount]
        else:
            pair = end.table, meeting.table
            if pair not in known:
                known[pair] = _paid(form.tables[pair[0]], form.tables[pair[1]])
            paid = [one * (end.factor / meeting.factor) for one in known[pair]]
        low, high = min(low, *paid), max(high, *paid)
    return nearest_float(high - low)


def _last_meeting(form: PublicForm, end: End) -> Meeting | None:
    """The meeting at the decision that was last before an end."""
    for player in range(2):
        number, _ = end.last[player]
        if number == NOT_YET:
            continue
        for meeting in form.decisions[player][number].meetings:
            if meeting.last == end.last[1 - player]:
                return meeting
    return None


def _paid(table: Table, likely: Table) -> tuple[Fraction, Fraction]:
    """The least and the most of a table's entries over nature's."""
    if not _alike(table, likely):
        whole = sum(integer_sum(block.entries) for block in likely.blocks)
        mean = Fraction(_amount(table), whole)
        return -mean, mean
    found: list[Fraction] = []
    for block, chance in zip(table.blocks, likely.blocks, strict=True):
        there = chance.entries > 0
        if there.any():
            found += _extremes(block.entries[there], chance.entries[there])
    return min(found), max(found)


def _extremes(over: Array, under: Array) -> tuple[Fraction, Fraction]:
    """The least and the greatest of some quotients, or one as near to it as floats can tell."""
    if over.dtype == object or under.dtype == object:
        every = [Fraction(int(one), int(two)) for one, two in zip(over, under, strict=True)]
        return min(every), max(every)
    near = over / under
    low, high = (Fraction(int(over[at]), int(under[at])) for at in (near.argmin(), near.argmax()))
    return low, high


def _alike(one: Table, two: Table) -> bool:
    """Have two tables the same blocks, but for their entries?"""
    return len(one.blocks) == len(two.blocks) and all(
        np.array_equal(a.rows, b.rows) and np.array_equal(a.columns, b.columns)
        for a, b in zip(one.blocks, two.blocks, strict=True)
    )


def _amount(table: Table) -> int:
    """All entries of a table, without their signs."""
    return sum(integer_sum(np.abs(block.entries)) for block in table.blocks)


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
    watch: Callable[[Progress], None] | None = None,
    **wishes: Unpack[RunKeywords],
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
    >>> solution.probabilities("even", 0).tolist(), solution.value
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
        plans = (rounded_plan(form, 0, plans[0]), rounded_plan(form, 1, plans[1]))
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
    from infoset.solvers import public_lp

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
    workers = 1 if jit_disabled() else settings.workers or _workers(form)
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
        convergence=run.convergence,
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
    return NEAR * payoff_range(form)


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
