"""Do beliefs exist that support an equilibrium? Weak perfect Bayesian and sequential equilibria.

    rational      a continuation from an information set, and the beliefs that make it optimal
    weak          weak perfect Bayesian equilibrium: beliefs set by set, over completions
    mixed         mixed behaviour where an equilibrium says nothing
    consistent    sequential equilibrium: beliefs that are the limit of trembles, by their orders
    supporting    both for one equilibrium, each answer verified: what the others come to

>>> from infoset import solve
>>> from infoset.games import entry_game
>>> enter, threat, _ = solve(entry_game(), "enumerate").equilibria
>>> supporting(enter).kind, supporting(threat).kind
('sequential', 'Nash')
"""

from infoset.strategy.perfect_bayesian.rational import may_be_unreached
from infoset.strategy.perfect_bayesian.supporting import (
    Supporting,
    Verdict,
    not_examined,
    supporting,
)

__all__ = ["Supporting", "Verdict", "may_be_unreached", "not_examined", "supporting"]
