"""OpenSpiel's games with the decks of ours, and two ways to walk over all of their states.

*From Python*: ``child()`` of every state, nothing kept but the number of states; benchmarks/tree
has the walk that fills the arrays of a tree, and takes longer.

*In C++*: ``pyspiel.expected_returns`` of the uniform policy, one call that visits all states and
keeps none. It is the quickest pass in C++ that Python can call: an iteration of ``CFRSolver``, with
a pass for either player, takes twice as long, ``TabularBestResponse`` and ``exploitability``, which
keep what they visit, take eight and twenty times as long (leduc_poker).

``leduc_poker`` and ``kuhn_poker`` have 6 and 3 cards. ``universal_poker`` takes a deck of up to 13
ranks and 4 suits, with the betting of either game, and is quicker on the small decks as well. It
deals card by card, so it has a chance node more for every first card. What is below one first card
is the same number of states as below any other: where the deck is large, only that is walked.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

MOST_RANKS = 13
LARGE = 1_000_000  # states from which only those below one first card are walked


def missing() -> str:
    """Why there is no OpenSpiel to compare with; empty if there is."""
    try:
        pyspiel = importlib.import_module("pyspiel")
    except ImportError as problem:
        return f"OpenSpiel is left out, it cannot be imported ({problem}); `make bench` installs it"
    if "universal_poker" not in pyspiel.registered_names():
        return "OpenSpiel is left out: it was compiled without universal_poker"
    return ""


@dataclass(frozen=True)
class Walked:
    """States to be walked over, in either way."""

    start: Any  # a state
    states: int

    def from_python(self) -> int:
        """All states by their children; how many there are."""
        waiting, count = [self.start], 0
        while waiting:
            state = waiting.pop()
            count += 1
            if state.is_terminal():
                continue
            if state.is_chance_node():
                waiting += [state.child(move) for move, _ in state.chance_outcomes()]
            else:
                waiting += [state.child(move) for move in state.legal_actions()]
        return count

    def in_one_call(self) -> list[float]:
        """What both players expect if they choose at random."""
        pyspiel = importlib.import_module("pyspiel")
        found: list[float] = pyspiel.expected_returns(
            self.start, pyspiel.UniformPolicy(), -1, False
        )
        return found


def leduc_states(ranks: int, suits: int, nodes: int) -> Walked:
    """Those of leduc, of which our tree has so many nodes."""
    return _walked(
        ranks * suits,
        nodes,
        numRounds=2, blind="1 1", raiseSize="2 4", firstPlayer="1 1", maxRaises="2 2",
        numRanks=ranks, numSuits=suits, numHoleCards=1, numBoardCards="0 1",
    )  # fmt: skip


def kuhn_states(ranks: int, nodes: int) -> Walked:
    """Those of kuhn, of which our tree has so many nodes."""
    return _walked(
        ranks,
        nodes,
        numRounds=1, blind="1 1", raiseSize="1", firstPlayer="1", maxRaises="1",
        numRanks=ranks, numSuits=1, numHoleCards=1, numBoardCards="0",
    )  # fmt: skip


def _walked(cards: int, nodes: int, **parameters: Any) -> Walked:
    """The states of a game, or of a part; it is checked that they are as many as our nodes."""
    pyspiel = importlib.import_module("pyspiel")
    rules = {"betting": "limit", "numPlayers": 2, "stack": "1000 1000"}
    start = pyspiel.load_game("universal_poker", {**rules, **parameters}).new_initial_state()
    states = nodes + cards  # a node for every first card
    if states >= LARGE:
        start, states = start.child(start.legal_actions()[0]), (states - 1) // cards
    walked = Walked(start, states)
    count = walked.from_python()
    if count != states:
        raise AssertionError(f"OpenSpiel has {count:,} states where we have {states:,}")
    return walked
