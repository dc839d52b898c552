"""Published games in normal form: the answer is one of their equilibria."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import pytest

from infoset import solve
from infoset.linear.pivoting import follow
from infoset.solvers import lcp, lemke_howson
from infoset.solvers.solution import Solution
from tests.oracles.independent import equilibria
from tests.oracles.published import BIMATRIX, CIRCLES, Bimatrix, Circle

METHODS = ("lcp", "lemke-howson")


def played(solution: Solution) -> tuple[tuple[Fraction, ...], ...]:
    """Both players' probabilities, as vectors."""
    return tuple(
        tuple(probabilities.values())
        for own in solution.strategy.values()
        for probabilities in own.values()
    )


@pytest.mark.parametrize("known", BIMATRIX, ids=str)
def test_the_published_equilibria_are_all_there_are(known: Bimatrix) -> None:
    found = [(tuple(x), tuple(y)) for x, y in equilibria(known.first, known.second)]
    published = {(tuple(x), tuple(y)) for x, y in known.equilibria}
    assert len(found) == len(published)
    assert set(found) == published, known.source


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("known", BIMATRIX, ids=str)
def test_the_answer_is_a_published_equilibrium(known: Bimatrix, method: str) -> None:
    solution = solve(known.game, method)
    assert solution.regret == 0
    assert solution.certificate == "exact"
    assert played(solution) in [(tuple(x), tuple(y)) for x, y in known.equilibria], known.source


@pytest.mark.parametrize("method", METHODS)
def test_von_stengel_2007_degenerate(method: str) -> None:
    """With 3 in place of 2 a whole segment of equilibria has x = (1, 0, 0)."""
    solution = solve(
        Bimatrix("degenerate", "", [[3, 3], [2, 5], [0, 6]], [[3, 3], [2, 6], [3, 1]], []).game,
        method,
    )
    assert solution.certificate == "exact"
    x, y = map(list, played(solution))
    if x == [1, 0, 0]:
        assert y[0] >= Fraction(2, 3)
    else:
        assert x == [0, Fraction(1, 3), Fraction(2, 3)]
        assert y == [Fraction(1, 3), Fraction(2, 3)]


@pytest.mark.parametrize("circle", CIRCLES)
def test_ties_broken_carelessly_lead_nowhere(
    circle: Circle, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (lcp, lemke_howson):
        monkeypatch.setattr(module, "follow", partial(follow, rule="first"))
    astray = solve(circle.game, circle.method)
    assert astray.note.startswith(circle.note)


@pytest.mark.parametrize("circle", CIRCLES)
@pytest.mark.parametrize("method", METHODS)
def test_ties_broken_lexicographically_do_not(circle: Circle, method: str) -> None:
    for exact in (None, False):
        solution = solve(circle.game, method, exact=exact)
        assert solution.note == ""
        assert solution.regret <= (0 if exact is None else Fraction(1, 10**9))
