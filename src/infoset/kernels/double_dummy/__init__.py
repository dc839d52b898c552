"""Bridge with all cards seen: alpha-beta search of a deal with a table of partitions.

**A position** at the beginning of a trick is the set of cards that are left, 52 bits, and who
leads; whose a card is never changes. The search asks whether North and South take at least t
more tricks, yes or no, and what is asked next follows from the answer (MTD); the table keeps
lower and upper bounds, and serves all t and all leaders of a strain.

**Partition search** (Ginsberg 1996). With every answer comes a set of *relevant* cards: the answer
would be the same in any position of the same leader and the same lengths of all suits in all hands
where, in each suit, the top cards down to the lowest relevant one are in the same hands as here,
*relatively*: as the first, second, third of those left. An answer is

- of a trick: the card that took it, if it beat another of its suit. If the answer is bad for the
  side that took it, then the lowest card equal to it, since it might have taken it with that one;
- of a cut: the top cards that were counted;
- of a choice that is good for the chooser: what is relevant after it;
- of a choice that is bad for the chooser: what is relevant after any of the moves.

An entry of the table has the owners of those top cards, and finds all positions that agree.

**Moves.** Of cards of a hand with no card of others in between (the trick in progress included),
one is tried. If a card is refuted and the lowest relevant card of its suit is higher, all
cards of the hand below that one are refuted by the same (Haglund). Which is tried first is in
:mod:`~infoset.kernels.double_dummy.order`, the cuts at the beginning of a trick in
:mod:`~infoset.kernels.double_dummy.cuts`, and the table of answers in
:mod:`~infoset.kernels.double_dummy.table`.

Sources: M. Ginsberg, Partition search, 1996; M.-S. Chang, Building a fast double-dummy bridge
solver, 1996; B. Haglund, Search algorithms for a bridge double dummy solver, 2010.
"""

from __future__ import annotations

from infoset.kernels.double_dummy.cards import (
    FULL,
    NO_TRUMP,
    RANKS,
    SUIT,
    beats,
    lay_out,
)
from infoset.kernels.double_dummy.learning import seed
from infoset.kernels.double_dummy.search import DONE, LIMIT, search, value
from infoset.kernels.double_dummy.table import clear
from infoset.kernels.double_dummy.techniques import ALL, LEARN, TECHNIQUES
from infoset.kernels.double_dummy.workspace import (
    COUNTERS,
    NODES,
    POWER,
    RATE,
    SCALE,
    SHARE,
    Workspace,
    workspace,
)

__all__ = [
    "ALL",
    "COUNTERS",
    "DONE",
    "FULL",
    "LEARN",
    "LIMIT",
    "NODES",
    "NO_TRUMP",
    "POWER",
    "RANKS",
    "RATE",
    "SCALE",
    "SHARE",
    "SUIT",
    "TECHNIQUES",
    "Workspace",
    "beats",
    "clear",
    "lay_out",
    "search",
    "seed",
    "value",
    "workspace",
]
