"""The variants of counterfactual regret minimization: one loop, and a row of choices for each.

Every variant minimizes regret at each information set separately, weighted by counterfactual reach;
the regret of the whole strategy is at most the sum of these (Zinkevich, Johanson, Bowling &
Piccione 2007). They differ in how regrets are accumulated:

- after iteration t positive regrets are multiplied by t^A / (t^A + 1), negative ones by
  t^B / (t^B + 1), and the strategy of iteration t has the weight t^C in the average
  (discounted CFR, Brown & Sandholm 2019; the others are limits of it);
- a predictive variant expects the last regret again (Farina, Kroer & Sandholm 2021).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

from infoset.errors import ParameterError, nearest

AVERAGING = {"uniform": 0.0, "linear": 1.0, "quadratic": 2.0}
UPDATES = ("alternating", "simultaneous")


@dataclass(frozen=True)
class Variant:
    """A row of the table."""

    name: str
    about: str
    keep: float  # A: of the factor of positive regrets
    cut: float  # B: of the factor of negative regrets; -inf drops them
    averaging: float  # C: iteration t has the weight t^C in the average
    predictive: bool = False  # expect the last regret again?
    alternating: bool = True  # does each player meet the others' newest strategy?
    tunable: bool = False  # may the three exponents be chosen?

    @property
    def exponents(self) -> tuple[float, float, float]:
        """A, B and C."""
        return (self.keep, self.cut, self.averaging)

    def changed(
        self,
        *,
        updates: str | None = None,
        averaging: str | None = None,
        exponents: tuple[float, float, float] | None = None,
    ) -> Variant:
        """The row with other choices.

        >>> VARIANTS[1].changed(averaging="quadratic").exponents
        (inf, -inf, 2.0)
        """
        row = self
        if exponents is not None:
            if not self.tunable:
                raise ParameterError(f"exponents={exponents}: {self.name} has none to set")
            if averaging is not None:
                raise ParameterError(
                    "averaging= does not apply: the third of exponents= sets it already"
                )
            row = replace(row, keep=exponents[0], cut=exponents[1], averaging=exponents[2])
        if averaging is not None:
            row = replace(row, averaging=AVERAGING[averaging])
        if updates is not None:
            row = replace(row, alternating=updates == "alternating")
        return row


VARIANTS = (
    Variant(
        "cfr",
        "counterfactual regret minimization; all regrets count alike",
        keep=inf,
        cut=inf,
        averaging=0.0,
    ),
    Variant(
        "cfr+",
        "regrets below zero are forgotten at once; late iterations count more",
        keep=inf,
        cut=-inf,
        averaging=1.0,
    ),
    Variant(
        "linear-cfr",
        "iteration t counts t times, in regrets and in the average",
        keep=1.0,
        cut=1.0,
        averaging=1.0,
    ),
    Variant(
        "discounted-cfr",
        "old regrets fade, those below zero faster; late iterations count more",
        keep=1.5,
        cut=0.0,
        averaging=2.0,
        tunable=True,
    ),
    Variant(
        "predictive-cfr+",
        "CFR+ that expects to see its last regret once more",
        keep=inf,
        cut=-inf,
        averaging=2.0,
        predictive=True,
    ),
)


def variant(name: str) -> Variant:
    """The row of this name."""
    for row in VARIANTS:
        if row.name == name:
            return row
    raise ParameterError(f"no variant {name!r}; {nearest(name, (row.name for row in VARIANTS))}")
