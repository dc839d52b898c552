"""A solution as text: what it is worth, how sure that is, and what to do."""

from __future__ import annotations

from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    ROUND_CEILING,
    ROUND_FLOOR,
    ROUND_HALF_EVEN,
    Context,
    Decimal,
)
from fractions import Fraction
from typing import Any

from infoset.rules.story import printable
from infoset.solve.solution import Solution, decimal_above
from infoset.strategy import Behaviour, Mixed
from infoset.strategy.text import table

FEW = 30  # information sets of a player that are shown where nobody asked for all of them
LONG = 24  # signs of a rational that is shown as it is


def report(solution: Solution, player: str | None = None) -> str:
    """The whole answer: the facts, then every player's strategy, or one player's in full.

    >>> from infoset import solve
    >>> from infoset.games import matching_pennies
    >>> print(report(solve(matching_pennies()), player="even"))
    matching_pennies()
    method       lp: 2 players, zero sum, perfect recall
    value        0
    payoffs      even 0, odd 0
    regret       0
    certificate  exact
    <BLANKLINE>
    even         heads  tails
    nothing yet    1/2    1/2
    """
    names = solution.tree.names if player is None else (player,)
    blocks = ["\n".join([printable(solution.tree.name), *facts(solution)])]
    most = FEW if player is None else None
    blocks += [_shown(solution.strategy[name], most) for name in names]
    return "\n\n".join(blocks)


def _shown(strategy: Behaviour | Mixed, most: int | None) -> str:
    """A strategy as a table, of its first lines only if it is long and nobody asked for it."""
    if isinstance(strategy, Mixed):
        return str(strategy)
    left = len(strategy) - (most or len(strategy))
    if left <= 0:
        return table(strategy)
    hint = f"... and {left:,} more information sets; --player {strategy.player!r} shows all of them"
    return f"{table(strategy, most)}\n{hint}"


def facts(solution: Solution) -> list[str]:
    """The lines above the strategies."""
    payoffs = ", ".join(
        f"{printable(name)} {amount_text(amount, solution.exact)}"
        for name, amount in solution.payoffs.items()
    )
    lines = [("method", printable(f"{solution.method}: {solution.because}"))]
    if solution.value is not None:
        lines.append(("value", amount_text(solution.value, solution.exact)))
        if not solution.exact and solution.value_bounds is not None:
            low, high = solution.value_bounds
            low_text = decimal_near(low, 10, ROUND_FLOOR)
            high_text = decimal_near(high, 10, ROUND_CEILING)
            lines.append(("", f"certainly between {low_text} and {high_text}"))
    lines += [
        ("payoffs", payoffs),
        ("regret", decimal_above(solution.regret)),
        ("certificate", solution.certificate),
    ]
    if solution.note:
        lines.append(("note", printable(solution.note)))
    return [f"{name:<11}  {value}" for name, value in lines]


def amount_text(amount: Any, exact: bool = True) -> str:
    """A payoff for people: exact while that is short, with a decimal where it is no whole number.

    >>> amount_text(Fraction(-1, 18)), amount_text(Fraction(3)), amount_text(Fraction(1, 3**60))
    ('-1/18 (-0.0555556)', '3', '2.358982488e-29 (a fraction of 29 digits)')
    """
    near = decimal_near(amount, 6)
    if isinstance(amount, Fraction) and _short(amount):
        return str(amount) if amount.denominator == 1 else f"{amount} ({near})"
    if exact:
        kind = "whole number" if amount.denominator == 1 else "fraction"
        longer = max(abs(amount.numerator), amount.denominator)
        digits = int(longer.bit_length() * 0.30103) + 1
        return f"{decimal_near(amount, 10)} (a {kind} of {digits:,} digits)"
    return f"about {decimal_near(amount, 10)}"


def decimal_near(number: Any, digits: int, rounding: str = ROUND_HALF_EVEN) -> str:
    """A decimal near a number, or on one side of it; also of one that floats have no room for.

    >>> decimal_near(Fraction(2, 3), 4), decimal_near(Fraction(2, 3 * 10**400), 4)
    ('0.6667', '6.667e-401')
    >>> decimal_near(Fraction(2, 3), 4, ROUND_FLOOR), decimal_near(Fraction(-2, 3), 4, ROUND_FLOOR)
    ('0.6666', '-0.6667')
    """
    exact = Fraction(number)
    wide = Context(prec=digits, rounding=rounding, Emax=MAX_EMAX, Emin=MIN_EMIN)
    near = wide.divide(Decimal(exact.numerator), Decimal(exact.denominator))
    plain = near.normalize(wide)
    return f"{plain:f}" if -5 <= plain.adjusted() < digits else f"{plain:e}".replace("E", "e")


def _short(amount: Fraction) -> bool:
    most = max(abs(amount.numerator), amount.denominator)
    return most.bit_length() < 4 * LONG and len(str(amount)) <= LONG
