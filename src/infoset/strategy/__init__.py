"""Strategies and what follows from them: payoffs, reach, beliefs, best responses, regret.

    Pure               one action at each information set
    Mixed              a lottery over pure strategies, drawn before play
    Behaviour          a lottery at each information set, drawn when it is reached
    RealizationPlan    the weight of each sequence of own choices
    PublicStrategy     a behaviour strategy on a public form

:mod:`infoset.strategy.equivalence` converts between them; :class:`Profile` and
:class:`PublicProfile` have one for each player. :func:`as_strategy` and :func:`as_profile` make
them of anything that maps information sets to probabilities, and :func:`exploitability`,
:func:`regret` and :func:`best_response` say how good it is.
"""

from infoset.strategy.arrays import StrategyArrays, from_arrays, to_arrays
from infoset.strategy.behaviour import (
    Behaviour,
    RealizationPlan,
    behaviour,
    behaviour_of_plan,
    uniform,
)
from infoset.strategy.convert import as_profile, as_strategy
from infoset.strategy.equivalence import as_behaviour, as_mixed, as_plan, equivalent
from infoset.strategy.evaluation import best_response, exploitability, regret
from infoset.strategy.infosets import InformationState
from infoset.strategy.mixed import Mixed, Pure, mixed, peel, pure, small_support
from infoset.strategy.profile import Profile, profile
from infoset.strategy.public import PublicProfile, PublicResponse, PublicStrategy
from infoset.strategy.response import Response
from infoset.strategy.strategy import Strategy

__all__ = [
    "Behaviour",
    "InformationState",
    "Mixed",
    "Profile",
    "PublicProfile",
    "PublicResponse",
    "PublicStrategy",
    "Pure",
    "RealizationPlan",
    "Response",
    "Strategy",
    "StrategyArrays",
    "as_behaviour",
    "as_mixed",
    "as_plan",
    "as_profile",
    "as_strategy",
    "behaviour",
    "behaviour_of_plan",
    "best_response",
    "equivalent",
    "exploitability",
    "from_arrays",
    "mixed",
    "peel",
    "profile",
    "pure",
    "regret",
    "small_support",
    "to_arrays",
    "uniform",
]
