"""Questions to an answer: what strategies mean, set by set and branch by branch.

    beliefs        the probability and the continuation value of each node of an information set
    action_values  the probability, the value and the regret of each action
    deviation      what it costs to play otherwise at one set
    outcome        what follows a branch: payoffs, their distribution
    plays          how the game goes, the likeliest plays first
    best_reply     the best against given strategies, and where it wins
    compare        two answers to one game
    intuitive_criterion  of equilibria of signalling games: the test of Cho and Kreps
    supporting_beliefs   of each equilibrium: do beliefs exist that support it
    unreached      the sets that no play comes to, and by whose choice

Each takes a :class:`~infoset.solvers.Solution` or a :class:`~infoset.strategy.Profile` and gives a
frozen record of numbers, exact where the strategies are, with a ``table`` that shows it.
"""

from typing import TYPE_CHECKING

from infoset.lazy import lazy_names

if TYPE_CHECKING:
    from infoset.analysis.questions.actions import (
        ActionValue,
        ActionValues,
        Deviation,
        action_values,
        deviation,
    )
    from infoset.analysis.questions.answer import Answer, Subject
    from infoset.analysis.questions.belief import Belief, Beliefs, beliefs
    from infoset.analysis.questions.comparison import Comparison, Difference, compare
    from infoset.analysis.questions.mistakes import Unreached, UnreachedInfoset, unreached
    from infoset.analysis.questions.names import place
    from infoset.analysis.questions.outcomes import LikelyPlay, Outcome, Plays, outcome, plays
    from infoset.analysis.questions.replies import BestReply, ReplyGain, best_reply
    from infoset.analysis.questions.signalling import (
        IntuitiveCriterion,
        Judgement,
        Objection,
        intuitive_criterion,
    )
    from infoset.analysis.questions.supporting import SupportedEquilibria, supporting_beliefs

__getattr__ = lazy_names(
    __name__,
    {
        "infoset.analysis.questions.actions": (
            "ActionValue",
            "ActionValues",
            "Deviation",
            "action_values",
            "deviation",
        ),
        "infoset.analysis.questions.answer": (
            "Answer",
            "Subject",
        ),
        "infoset.analysis.questions.belief": (
            "Belief",
            "Beliefs",
            "beliefs",
        ),
        "infoset.analysis.questions.comparison": (
            "Comparison",
            "Difference",
            "compare",
        ),
        "infoset.analysis.questions.mistakes": (
            "Unreached",
            "UnreachedInfoset",
            "unreached",
        ),
        "infoset.analysis.questions.names": ("place",),
        "infoset.analysis.questions.outcomes": (
            "LikelyPlay",
            "Outcome",
            "Plays",
            "outcome",
            "plays",
        ),
        "infoset.analysis.questions.replies": (
            "BestReply",
            "ReplyGain",
            "best_reply",
        ),
        "infoset.analysis.questions.signalling": (
            "IntuitiveCriterion",
            "Judgement",
            "Objection",
            "intuitive_criterion",
        ),
        "infoset.analysis.questions.supporting": (
            "SupportedEquilibria",
            "supporting_beliefs",
        ),
    },
)

__all__ = [
    "ActionValue",
    "ActionValues",
    "Answer",
    "Belief",
    "Beliefs",
    "BestReply",
    "Comparison",
    "Deviation",
    "Difference",
    "IntuitiveCriterion",
    "Judgement",
    "LikelyPlay",
    "Objection",
    "Outcome",
    "Plays",
    "ReplyGain",
    "Subject",
    "SupportedEquilibria",
    "Unreached",
    "UnreachedInfoset",
    "action_values",
    "beliefs",
    "best_reply",
    "compare",
    "deviation",
    "intuitive_criterion",
    "outcome",
    "place",
    "plays",
    "supporting_beliefs",
    "unreached",
]


def __dir__() -> list[str]:
    return sorted(__all__)
