"""What is at stake: what is paid over how likely it is, where tables of both fit together."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from infoset.forms.public.record import (
    NOT_YET,
    Block,
    Decision,
    Meeting,
    PayoffTable,
    PublicForm,
    PublicLeaf,
)
from infoset.solvers.cfr.public_layout import payoff_range, pennies

NOBODY = np.zeros(1, np.int64)


def form_of(paid: PayoffTable, likely: PayoffTable, factor: Fraction = Fraction(1)) -> PublicForm:
    """Player one, with three sets, moves once, and the game ends."""
    sets = np.zeros(3, np.int64)
    meeting = Meeting((NOT_YET, 0), 1, Fraction(1, 6))
    one = Decision(0, ("go",), NOT_YET, 0, sets, sets + 1, [()] * 3, (meeting,))
    end = PublicLeaf(((0, 0), (NOT_YET, 0)), 0, factor)
    return replace(pennies(), decisions=((one,), ()), tables=(paid, likely), leaves=(end,))


def column(rows: list[int], entries: list[int], kind: type = np.int64) -> Block:
    return Block(np.array(rows), NOBODY, np.array(entries, kind)[:, None])


LIKELY = PayoffTable((column([0, 1, 2], [1, 2, 3]),))


def test_the_same_blocks_say_what_is_paid_there() -> None:
    paid = PayoffTable((column([0, 1, 2], [2, -8, 3]),))  # 12, -24 and 6 sixths of a whole
    assert payoff_range(form_of(paid, LIKELY, Fraction(1, 6))) == 2 + 4


def test_as_many_blocks_with_other_rows_say_nothing_of_each_other() -> None:
    paid = PayoffTable((column([0, 2], [2, -3]),))
    other = PayoffTable((column([0, 1], [1, 5]),))  # set by set it would be 2 and -3/5
    assert payoff_range(form_of(paid, other, Fraction(1, 6))) == pytest.approx(2 * 5 / 6)
    shifted = PayoffTable((column([0, 1], [2, -3]),))
    assert payoff_range(form_of(shifted, other, Fraction(1, 6))) == pytest.approx(2 + 3 / 5)


@pytest.mark.parametrize("large", [1, 2**50, 2**60, 10**400], ids=["1", "2^50", "2^60", "10^400"])
def test_it_is_the_same_in_other_numbers(large: int) -> None:
    kind = np.int64 if large < 2**60 else object
    paid = PayoffTable((column([0, 1, 2], [2 * large, -8 * large, 3 * large], kind),))
    assert payoff_range(form_of(paid, LIKELY, Fraction(1, 6 * large))) == 6
    rare = PayoffTable((column([0, 1, 2], [large, 2 * large, 3 * large], kind),))
    small = PayoffTable((column([0, 1, 2], [2, -8, 3]),))
    assert payoff_range(form_of(small, rare, Fraction(large, 6))) == 6
