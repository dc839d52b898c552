"""What may be switched off in a search of a bridge deal, and what may be switched on."""

from __future__ import annotations

TECHNIQUES = (
    "table",
    "partition",
    "quick",
    "sure",
    "equal",
    "skip",
    "order",
    "move",
    "second",
)
TABLE, PARTITION, QUICK, SURE, EQUAL, SKIP, ORDER, MOVE, SECOND = (
    1 << bit for bit in range(len(TECHNIQUES))
)
ALL = (1 << len(TECHNIQUES)) - 1
LEARN = ALL + 1  # the weights of the order, in a workspace for learning
