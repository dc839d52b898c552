"""How likely it is that the other player chooses next, summed without overflow."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from infoset.forms.public.record import NOT_YET, Block, Meeting, PayoffTable
from infoset.strategy.public import PublicProfile, _MetDecision


@pytest.mark.parametrize("entry", [1, 2**53 + 1, 2**61, 2**62])
def test_masses_that_do_not_fit_are_summed_exactly(entry: int) -> None:
    sets = np.arange(2)
    block = Block(sets, sets, np.full((2, 2), entry, np.int64))
    form: Any = SimpleNamespace(tables=(PayoffTable((block, block)), PayoffTable((block,))))
    nothing: Any = None
    profile = PublicProfile(form, nothing)
    met = [_MetDecision(0, Meeting((NOT_YET, 0), 0, Fraction(1, 3)), None)]
    assert profile._mass(met) == Fraction(8 * entry, 3)
    also = _MetDecision(1, Meeting((NOT_YET, 0), 1, Fraction(1, 2)), None)
    assert profile._mass([*met, also]) == Fraction(8 * entry, 3) + 2 * entry
