"""Questions to an answer: what strategies mean, set by set and branch by branch.

    beliefs        which node a player is at, how likely each is, what it is worth
    action_values  what each action is worth, how likely it is, its regret
    deviation      what it costs to play otherwise at one set
    outcome        what follows a branch: payoffs, their distribution
    plays          how the game goes, the likeliest plays first
    best_reply     the best against given strategies, and where it wins
    compare        two answers to one game
    unreached      the sets that no play comes to, and by whose choice

Each takes a :class:`~infoset.solve.Solution` or a :class:`~infoset.strategy.Profile` and gives a
frozen record of numbers, exact where the strategies are, with a ``table`` that shows it.
"""

from infoset.examine.questions.actions import (
    ActionValue,
    ActionValues,
    Deviation,
    action_values,
    deviation,
)
from infoset.examine.questions.believing import Belief, Beliefs, beliefs
from infoset.examine.questions.comparing import Comparison, Difference, compare
from infoset.examine.questions.gains import Replied
from infoset.examine.questions.likely import LikelyPlay, Plays, plays
from infoset.examine.questions.missed import Missed, Unreached, unreached
from infoset.examine.questions.outcomes import Outcome, outcome
from infoset.examine.questions.places import place
from infoset.examine.questions.replies import BestReply, best_reply
from infoset.examine.questions.subject import Answer, Subject

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
    "LikelyPlay",
    "Missed",
    "Outcome",
    "Plays",
    "Replied",
    "Subject",
    "Unreached",
    "action_values",
    "beliefs",
    "best_reply",
    "compare",
    "deviation",
    "outcome",
    "place",
    "plays",
    "unreached",
]
