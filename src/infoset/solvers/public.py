"""Solve a public form, with no tree: by the exact linear program, or by regret minimization."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Unpack

from infoset.errors import NotApplicable, ParameterError, TooLarge, nearest
from infoset.forms.public.plans import work
from infoset.forms.public.record import PublicForm
from infoset.memory import refused_beyond
from infoset.solvers.cfr.variants import VARIANTS
from infoset.solvers.cost import approximates_sooner
from infoset.solvers.lp import (
    FALLBACK,
    HANDED_OVER,
    STOPPED,
    both_works,
    find_public,
    in_reserved_time,
)
from infoset.solvers.options import Options
from infoset.solvers.public_solution import evaluate_plans, evaluate_weights
from infoset.solvers.settings import TAKES, RunKeywords, Settings
from infoset.solvers.solution import Solution
from infoset.text import brief

if TYPE_CHECKING:
    from infoset.solvers.cfr.run import CFRRun
    from infoset.solvers.convergence import Progress

ASKED = "as asked"
LINEAR, USUAL = "lp", "discounted-cfr"
FEW, FEW_ENTRIES = 12_000, 500_000  # sequences and entries up to which the program takes seconds


@refused_beyond(lambda: "the solution of the public form", "take a smaller game")
def solve_public(
    form: PublicForm,
    method: str | None = None,
    *,
    exact: bool | None = None,
    seconds: float | None = None,
    tick: Callable[[str], None] | None = None,
    stop: Callable[[], bool] | None = None,
    watch: Callable[[Progress], None] | None = None,
    **keywords: Unpack[RunKeywords],
) -> Solution:
    """Optimal strategies of both players, verified.

    Parameters
    ----------
    form
        A public form: a two-player zero-sum game.
    method
        "lp", the exact linear program, or a variant of counterfactual regret minimization; by
        default the program for small forms, unless a regret is asked for that is reached sooner.
    exact, seconds, tick, stop, watch
        As for :func:`infoset.solve`.
    **keywords
        Settings of a run: iterations, regret, updates, averaging, exponents, precision, workers,
        checkpoint, every, log, prove. A run without a limit ends when the regret is a
        ten-thousandth of the range of payoffs. The first Ctrl-C ends it with the best so far.

    Examples
    --------
    >>> from infoset.solvers.cfr.public_layout import pennies
    >>> solution = solve_public(pennies(), "discounted-cfr", iterations=10)
    >>> solution
    <Solution of pennies by discounted-cfr: exact>
    >>> solution.strategy["even"]["nothing yet"], solution.value
    ({'heads': 0.5, 'tails': 0.5}, Fraction(0, 1))

    """
    settings = Settings.of(keywords)
    options = Options(exact, seconds, tick, stop, settings=settings, watch=watch)
    method, because = _chosen(form, method, exact, settings)
    if method == LINEAR:
        return _by_program(form, options, because)
    if exact:
        raise ParameterError(
            f"exact=True: {method} approximates, and bounds its regret; {LINEAR} is exact"
        )
    for name in settings.chosen:
        if name not in TAKES["cfr"]:
            raise ParameterError(f"{name}: {method} takes no {name}; leave it out")
    from infoset.solvers.cfr.solver import driven

    driver = driven(form, options, method)
    notes = (driver.note, *driver.troubles.values())
    return concluded(driver.run, options, prove=settings.prove, because=because, notes=notes)


def concluded(
    run: CFRRun,
    options: Options,
    *,
    prove: bool | None = None,
    because: str = ASKED,
    notes: tuple[str, ...] = (),
) -> Solution:
    """The solution that a run on a public form has come to, verified."""
    from infoset.solvers.cfr.run import BEYOND

    assert isinstance(run.game, PublicForm)
    one, two, prove = run.plans(prove=prove)
    options.tell("verifying")
    stopped, *troubles = notes or ("",)
    every = (stopped, BEYOND if run.overflowed else "", *troubles)
    evaluation = evaluate_plans(run.game, (one, two), prove)
    _ = evaluation.certificate  # computed now: it is part of the time
    return Solution(
        evaluation=evaluation,
        method=run.method,
        because=because,
        work=MappingProxyType(run.work),
        note="; ".join(note for note in every if note),
        seconds=time.perf_counter() - options.began,
        convergence=run.convergence,
    )


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
    count, payoffs = sum(form.sequences), work(form)
    size = f"{count:,} sequences"
    if exact or (count <= FEW and form.nbytes <= 8 * FEW_ENTRIES):
        if not exact and approximates_sooner(form, count, payoffs, settings.regret):
            sooner = f"reaches regret {settings.regret:g} before {LINEAR} ends"
            return USUAL, f"two players, zero sum, {sooner} ({size}, {payoffs:,} payoffs)"
        return LINEAR, f"two players, zero sum, {size}"
    return USUAL, f"two players, zero sum, too large for an exact method ({size})"


def _by_program(form: PublicForm, options: Options, because: str) -> Solution:
    """The answer of the exact linear program; if it is stopped, that of regret minimization."""
    found = find_public(form, options)
    if found.note == STOPPED:
        with suppress(NotApplicable, TooLarge):
            return _by_regret_minimization(form, options, found.work)
    options.tell("verifying")
    one, two = found.weights
    weights = (one, two) if found.exact else (one.inexact(), two.inexact())
    evaluation = evaluate_weights(form, weights)
    _ = evaluation.certificate  # computed now: it is part of the time
    return Solution(
        evaluation=evaluation,
        method=LINEAR,
        because=because,
        work=MappingProxyType(dict(found.work)),
        note=found.note,
        seconds=time.perf_counter() - options.began,
    )


def _by_regret_minimization(
    form: PublicForm, options: Options, work: Mapping[str, int]
) -> Solution:
    """What regret minimization comes to in the time that a stopped program has left for it."""
    from infoset.solvers.cfr.solver import driven

    run = driven(form, in_reserved_time(options), FALLBACK).run
    solution = concluded(run, options, because=f"{LINEAR} was stopped", notes=(HANDED_OVER,))
    return replace(solution, work=MappingProxyType(both_works(work, solution.work)))
