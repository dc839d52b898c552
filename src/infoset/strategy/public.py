"""What plans on a public form are worth, computed anew from the form alone.

Nothing is shared with the kernels that found the plans, no layout and no compiled code, but how
whole numbers too large for floats are rounded. A pass over the ends gives what each of a player's
sequences gets against the other's plan; from the last decision to the first, the better option at
every set gives the most that the player could get.

The same lines compute in floats or exactly. A plan whose weights are whole multiples of 2^-52 is a
plan exactly, since floats have these: :func:`rounded_plan` moves a plan there, a little. Then
weights, entries and factors are whole numbers, Python's, over a common denominator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.errors import NotApplicable
from infoset.forms.public.record import Block, Decision, PublicForm, Table
from infoset.linear.numbers import Numbers, as_floats, nearest_float
from infoset.text import brief

Floats = npt.NDArray[np.float64]
Amounts = npt.NDArray[Any]  # floats, or Python's integers

GRID = 2**52  # weights are whole multiples of its inverse where they are exact
PROVABLE = 200_000  # entries at all ends, up to which regrets are proved unasked


@dataclass(frozen=True)
class Verified:
    """What both players get by their plans, and what each could get at most."""

    payoffs: tuple[Any, Any]  # fractions if exact, else floats
    most: tuple[Any, Any]
    exact: bool

    @property
    def regrets(self) -> tuple[Any, Any]:
        """[player] what it could gain; in floats not less than nothing."""
        one, two = (best - gets for gets, best in zip(self.payoffs, self.most, strict=True))
        return (one, two) if self.exact else (max(one, 0.0), max(two, 0.0))


def payoff_gradient(
    form: PublicForm, player: int, weights: Amounts, factors: Sequence[Any] | None = None
) -> Amounts:
    """What a player's sequences get by themselves, against these weights of the other's sequences.

    Player two is paid the opposite of player one. ``factors`` stand for those of the ends.
    """
    by_table: list[list[int]] = [[] for _ in form.tables]
    for number, end in enumerate(form.ends):
        by_table[end.table].append(number)
    found: Amounts = np.zeros(form.sequences[player], weights.dtype)
    for table, own in zip(form.tables, by_table, strict=True):
        last = [form.ends[number].last for number in own]
        mine = np.array([form.first(player, one[player]) for one in last], np.int64)
        yours = np.array([form.first(1 - player, one[1 - player]) for one in last], np.int64)
        given = None if factors is None else [factors[number] for number in own]
        pieces = _in_floats(form, table, own) if given is None else _as_they_are(table, given)
        for block, entries, times in pieces:
            rows, columns = block.rows, block.columns
            if player:
                rows, columns, entries = columns, rows, -entries.T
            with np.errstate(invalid="ignore", over="ignore"):  # payoffs may be beyond all floats
                there = weights[yours[:, None] + columns] * times[:, None]
                np.add.at(found, mine[:, None] + rows, there @ entries.T)
    return found


def _as_they_are(table: Table, factors: Sequence[Any]) -> Iterator[tuple[Block, Amounts, Amounts]]:
    """The blocks of a table with their entries, Python's integers, and factors to multiply by."""
    times = np.array(factors, object)
    for block in table.blocks:
        yield block, block.entries.astype(object), times


def _in_floats(
    form: PublicForm, table: Table, ends: Sequence[int]
) -> Iterator[tuple[Block, Floats, Floats]]:
    """The blocks of a table with their entries and the factors of some ends, both as floats."""
    known: dict[int, Floats] = {}
    for block in table.blocks:
        entries, shared = in_floats(block.entries)
        if shared not in known:
            exact = [form.ends[number].factor * shared for number in ends]
            known[shared] = np.array([nearest_float(one) for one in exact])
        yield block, entries, known[shared]


def in_floats(entries: Amounts) -> tuple[Floats, int]:
    """Entries of a block as floats, and what a 1 among them stands for.

    That is 1 unless they are too large for int64. Entries may then be beyond all floats where what
    they come to, times a factor, is not: multiply the factor first, exactly.

    >>> in_floats(np.array([10**400, 5 * 10**399], object))[0].tolist()
    [2.0, 1.0]
    """
    if entries.dtype != object:
        return entries.astype(np.float64), 1
    values, shared = as_floats(entries.reshape(-1))
    return values.reshape(entries.shape), shared


def best_response_value(form: PublicForm, player: int, gets: Amounts) -> Any:
    """The most that a player can get of what its sequences get by themselves."""
    left = gets.copy()
    begins = form.begins[player]
    for number in range(len(begins) - 1, -1, -1):
        one = form.decisions[player][number]
        size = len(one) * len(one.menu)
        options = left[begins[number] : begins[number] + size].reshape(len(one.menu), len(one))
        np.add.at(left, form.leading_to(one), options.max(axis=0))
    return left[0]


def counterfactual_values(
    form: PublicForm, player: int, gets: Amounts, probabilities: Callable[[int, int], Amounts]
) -> list[Amounts]:
    """[decision][set] what is won there and below, by shares(player, decision), if let there."""
    left, found = gets.copy(), []
    for number in range(len(form.decisions[player]) - 1, -1, -1):
        one, begin = form.decisions[player][number], int(form.begins[player][number])
        taken = probabilities(player, number)
        paid = (taken * left[begin : begin + taken.size].reshape(taken.shape)).sum(axis=0)
        found.append(paid)
        np.add.at(left, form.leading_to(one), paid)
    return found[::-1]


def counterfactual_reach(
    form: PublicForm, player: int, decision: Decision, weights: Amounts
) -> Amounts:
    """[set] how likely nature and the other player, by these weights, let the play come there."""
    whole = weights.dtype == object
    found: Amounts = np.zeros(len(decision), weights.dtype)
    for meeting in decision.meetings:
        first = form.first(1 - player, meeting.last)
        for block in form.tables[meeting.table].blocks:
            entries, shared = (block.entries, 1) if whole else in_floats(block.entries)
            rows, columns = block.rows, block.columns
            if player:
                rows, columns, entries = columns, rows, entries.T
            there = entries @ weights[first + columns]
            factor: Any = meeting.factor * shared
            np.add.at(found, rows, (factor if whole else float(factor)) * there)
    return found


def verified(form: PublicForm, plans: tuple[Floats, Floats], exact: bool) -> Verified:
    """Payoffs and best responses; exactly, if plans are on the grid.

    >>> from infoset.solvers.public import pennies
    >>> always_heads, even = np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.5, 0.5])
    >>> verified(pennies(), (always_heads, even), exact=True).regrets
    (Fraction(0, 1), Fraction(1, 1))
    """
    return _exactly(form, plans) if exact else _nearly(form, plans)


def _nearly(form: PublicForm, plans: tuple[Floats, Floats]) -> Verified:
    total = nearest_float(form.total)
    one, two = (payoff_gradient(form, player, plans[1 - player]) for player in range(2))
    with np.errstate(invalid="ignore"):  # infinite less infinite; refused below
        value = float(plans[0] @ one)
        most = (
            float(best_response_value(form, 0, one)),
            total + float(best_response_value(form, 1, two)),
        )
    if not np.isfinite((value, *most)).all():
        raise NotApplicable(
            f"{brief(form.name)}: payoffs are beyond floats, which cannot say what plans are worth;"
            " ask for an exact answer, or solve its tree"
        )
    return Verified((value, total - value), most, exact=False)


def _exactly(form: PublicForm, plans: tuple[Floats, Floats]) -> Verified:
    one, two = (
        Numbers(np.array([int(one) for one in (plan * GRID).tolist()], object), GRID)
        for plan in plans
    )
    return verified_exactly(form, (one, two))


def verified_exactly(form: PublicForm, plans: tuple[Numbers, Numbers]) -> Verified:
    """Payoffs and best responses of plans that are exact."""
    whole = tuple(plan.numerators.astype(object) for plan in plans)
    under = tuple(plan.denominator for plan in plans)
    common = lcm(*(end.factor.denominator for end in form.ends))
    factors = [int(end.factor * common) for end in form.ends]
    one, two = (payoff_gradient(form, player, whole[1 - player], factors) for player in range(2))
    value = Fraction(int(whole[0] @ one), common * under[0] * under[1])
    most = (
        Fraction(int(best_response_value(form, 0, one)), common * under[1]),
        form.total + Fraction(int(best_response_value(form, 1, two)), common * under[0]),
    )
    return Verified((value, form.total - value), most, exact=True)


def rounded_plan(form: PublicForm, player: int, plan: Floats) -> Floats:
    """The same plan, nearly: weights that are whole multiples of 2^-52 and add up exactly.

    >>> from infoset.solvers.public import pennies
    >>> rounded_plan(pennies(), 0, np.array([1.0, 0.1, 0.2])).tolist()
    [1.0, 0.33333333333333326, 0.6666666666666667]
    """
    whole = np.full(len(plan), GRID)
    _share_out(form, player, plan, whole, _in_whole_numbers)
    return np.asarray(whole / GRID)


def nearest_plan(form: PublicForm, player: int, sketch: Floats) -> Floats:
    """The plan nearest in spirit to some floats that need be no plan at all.

    Weights below zero count as zero. At every set the weights are taken as shares, even ones where
    all are zero, of the weight that leads there.

    >>> from infoset.solvers.public import pennies
    >>> nearest_plan(pennies(), 0, np.array([np.nan, 0.5, 1.5])).tolist()
    [1.0, 0.25, 0.75]
    """
    given = np.where(np.isfinite(sketch) & (sketch > 0), sketch, 0.0)
    weights = np.ones(len(given))
    _share_out(form, player, given, weights, np.multiply)
    return weights


def _share_out(
    form: PublicForm,
    player: int,
    sketch: Floats,
    weights: npt.NDArray[Any],
    divided: Callable[[Any, Any], Any],
) -> None:
    """Divide the weight that leads to a set among its options, as a sketch does; in place."""
    for one, begin in zip(form.decisions[player], form.begins[player].tolist(), strict=True):
        own = slice(begin, begin + len(one.menu) * len(one))
        probabilities = conditional_probabilities(sketch[own].reshape(len(one.menu), len(one)))
        weights[own] = divided(weights[form.leading_to(one)], probabilities).reshape(-1)


def _in_whole_numbers(
    before: npt.NDArray[np.int64], probabilities: Floats
) -> npt.NDArray[np.int64]:
    """[option, set] whole numbers in these shares that add up; the largest takes what is left."""
    parts = (before * probabilities).astype(np.int64)
    parts[probabilities.argmax(axis=0), np.arange(len(before))] += before - parts.sum(axis=0)
    return parts


def conditional_probabilities(weights: Floats) -> Floats:
    """[option, set] weights as shares of their sums; even ones where these are zero."""
    whole = weights.sum(axis=0)
    even = np.full_like(weights, 1 / len(weights))
    return np.asarray(np.divide(weights, whole, out=even, where=whole > 0))


def work(form: PublicForm) -> int:
    """Entries at all ends: what a pass over the form takes."""
    sizes = [sum(block.entries.size for block in table.blocks) for table in form.tables]
    return sum(sizes[end.table] for end in form.ends)
