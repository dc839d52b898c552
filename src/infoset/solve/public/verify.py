"""What plans on a public form are worth, computed anew from the form alone.

Nothing is shared with the kernels that found the plans: no layout, no compiled code. A pass over
the ends gives what each of a player's sequences gets against the other's plan; from the last
decision to the first, the better option at every set gives the most that the player could get.

The same lines compute in floats or exactly. A plan whose weights are whole multiples of 2^-52 is a
plan exactly, since floats have these: :func:`on_grid` moves a plan there, a little. Then weights,
entries and factors are whole numbers, Python's, over a common denominator.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.forms.public.record import PublicForm
from infoset.linear.numbers import Numbers

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


def faced(
    form: PublicForm, player: int, weights: Amounts, factors: Sequence[Any] | None = None
) -> Amounts:
    """What a player's sequences get by themselves, against these weights of the other's sequences.

    Player two is paid the opposite of player one. ``factors`` stand for those of the ends.
    """
    whole = weights.dtype == object
    scale = [float(end.factor) for end in form.ends] if factors is None else factors
    by_table: list[list[int]] = [[] for _ in form.tables]
    for number, end in enumerate(form.ends):
        by_table[end.table].append(number)
    found: Amounts = np.zeros(form.sequences[player], weights.dtype)
    for table, own in zip(form.tables, by_table, strict=True):
        last = [form.ends[number].last for number in own]
        mine = np.array([form.first(player, one[player]) for one in last], np.int64)
        yours = np.array([form.first(1 - player, one[1 - player]) for one in last], np.int64)
        times = np.array([scale[number] for number in own], weights.dtype)[:, None]
        for block in table.blocks:
            entries = block.entries.astype(object if whole else np.float64)
            rows, columns = block.rows, block.columns
            if player:
                rows, columns, entries = columns, rows, -entries.T
            there = weights[yours[:, None] + columns] * times
            np.add.at(found, mine[:, None] + rows, there @ entries.T)
    return found


def most_of(form: PublicForm, player: int, gets: Amounts) -> Any:
    """The most that a player can get of what its sequences get by themselves."""
    left = gets.copy()
    begins = form.begins[player]
    for number in range(len(begins) - 1, -1, -1):
        one = form.decisions[player][number]
        size = len(one) * len(one.menu)
        options = left[begins[number] : begins[number] + size].reshape(len(one.menu), len(one))
        before = form.first(player, (one.after, one.option)) + one.before
        np.add.at(left, before, options.max(axis=0))
    return left[0]


def verified(form: PublicForm, plans: tuple[Floats, Floats], exact: bool) -> Verified:
    """Payoffs and best responses; exactly, if plans are on the grid.

    >>> from infoset.solve.public.front import pennies
    >>> always_heads, even = np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.5, 0.5])
    >>> verified(pennies(), (always_heads, even), exact=True).regrets
    (Fraction(0, 1), Fraction(1, 1))
    """
    return _exactly(form, plans) if exact else _nearly(form, plans)


def _nearly(form: PublicForm, plans: tuple[Floats, Floats]) -> Verified:
    total = float(form.total)
    one, two = (faced(form, player, plans[1 - player]) for player in range(2))
    value = float(plans[0] @ one)
    most = float(most_of(form, 0, one)), total + float(most_of(form, 1, two))
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
    one, two = (faced(form, player, whole[1 - player], factors) for player in range(2))
    value = Fraction(int(whole[0] @ one), common * under[0] * under[1])
    most = (
        Fraction(int(most_of(form, 0, one)), common * under[1]),
        form.total + Fraction(int(most_of(form, 1, two)), common * under[0]),
    )
    return Verified((value, form.total - value), most, exact=True)


def on_grid(form: PublicForm, player: int, plan: Floats) -> Floats:
    """The same plan, nearly: weights that are whole multiples of 2^-52 and add up exactly.

    >>> from infoset.solve.public.front import pennies
    >>> on_grid(pennies(), 0, np.array([1.0, 0.1, 0.2])).tolist()
    [1.0, 0.33333333333333326, 0.6666666666666667]
    """
    found = np.zeros(len(plan), np.int64)
    found[0] = GRID
    for number, one in enumerate(form.decisions[player]):
        begin, options = int(form.begins[player][number]), len(one.menu)
        own = slice(begin, begin + options * len(one))
        shares = shares_of(plan[own].reshape(options, len(one)))
        before = found[form.first(player, (one.after, one.option)) + one.before]
        parts = (before * shares).astype(np.int64)
        largest = shares.argmax(axis=0)
        parts[largest, np.arange(len(one))] += before - parts.sum(axis=0)
        found[own] = parts.reshape(-1)
    return np.asarray(found / GRID)


def shares_of(weights: Floats) -> Floats:
    """[option, set] weights as shares of their sums; even ones where these are zero."""
    whole = weights.sum(axis=0)
    even = np.full_like(weights, 1 / len(weights))
    return np.asarray(np.divide(weights, whole, out=even, where=whole > 0))


def work(form: PublicForm) -> int:
    """Entries at all ends: what a pass over the form takes."""
    sizes = [sum(block.entries.size for block in table.blocks) for table in form.tables]
    return sum(sizes[end.table] for end in form.ends)
