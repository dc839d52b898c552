"""Strategies and what they come to: payoffs, reach, beliefs, best responses, regret.

    Pure               one action at each information set
    Mixed              a lottery over pure strategies, drawn before play
    Behaviour          a lottery at each information set, drawn when it comes up
    RealizationPlan    the weight of each sequence of own choices

:mod:`infoset.strategy.equivalence` goes from one to the other; :class:`Profile` has one for each
player.
"""

from infoset.strategy.behaviour import (
    Behaviour,
    RealizationPlan,
    behaviour,
    behaviour_of_plan,
    uniform,
)
from infoset.strategy.equivalence import as_behaviour, as_mixed, as_plan, equivalent
from infoset.strategy.mixed import Mixed, Pure, mixed, peel, pure, small_support
from infoset.strategy.profile import Profile, profile
from infoset.strategy.response import Response
from infoset.strategy.strategy import Strategy

__all__ = [
    "Behaviour",
    "Mixed",
    "Profile",
    "Pure",
    "RealizationPlan",
    "Response",
    "Strategy",
    "as_behaviour",
    "as_mixed",
    "as_plan",
    "behaviour",
    "behaviour_of_plan",
    "equivalent",
    "mixed",
    "peel",
    "profile",
    "pure",
    "small_support",
    "uniform",
]
