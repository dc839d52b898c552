"""From rules to columns: run all plays under watch, then run some of them again to be sure."""

from __future__ import annotations

import gc
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from infoset.errors import NotRepeatable, RulesError
from infoset.rules.blame import blamed
from infoset.rules.columns import LEAVES, Limits
from infoset.rules.knowledge import Knowledge
from infoset.rules.patience import Patience
from infoset.rules.play import Play
from infoset.rules.position import Asked, View, Walk
from infoset.rules.replay import Replay
from infoset.rules.seats import Seats
from infoset.rules.story import told

MOST_AUDITS = 16  # plays of a tree that are run once more
NODES_PER_AUDIT = 500


def grow(name: str, seats: Seats, rules: Callable[[Play], object], limits: Limits) -> Replay:
    """All plays of a game, as filled columns."""
    replay = Replay(seats, limits)
    collecting = gc.isenabled()
    gc.disable()  # millions of small tuples are made and none of them in a cycle
    try:
        with (
            blamed(name, replay.story, limits.patience),
            Patience(limits.patience, lambda: replay.nodes),
        ):
            replay.explore(rules)
    finally:
        if collecting:
            gc.enable()
    audit(name, replay, rules)
    return replay


def audit(name: str, replay: Replay, rules: Callable[[Play], object]) -> None:
    """Run some plays again; knowledge, menus and payoffs must come out as they did."""
    what = memoryview(replay.columns.packed()[2]).cast("i")
    count = min(MOST_AUDITS, 1 + len(what) // NODES_PER_AUDIT)
    for part in range(count):
        leaf = len(what) - 1 - part * len(what) // count
        while what[leaf] > LEAVES:  # the nodes below follow at once, so a leaf is near
            leaf += 1
        _audit_play(name, replay, rules, leaf)


def _audit_play(name: str, replay: Replay, rules: Callable[[Play], object], leaf: int) -> None:
    columns, knowledge = replay.columns, replay.knowledge
    parent, action, what = (memoryview(packed).cast("i") for packed in columns.packed())
    moves: list[Any] = []
    infosets: list[int] = []
    node = leaf
    while (above := parent[node]) >= 0:
        number = what[above]
        if number < 0:
            moves.append(columns.lotteries[-1 - number].outcomes[action[node]])
        else:
            moves.append(knowledge.infosets[number].menu[action[node]])
            infosets.append(number)
        node = above
    expected = tuple(map(Fraction, columns.payoffs[LEAVES - what[leaf]]))
    walk = Walk(replay.seats, moves[::-1])
    with blamed(name, lambda: told(walk.told)):
        try:
            same = walk.result(rules) == expected
        except (Asked, RulesError):
            same = False
        same = same and infosets[::-1] == [_infoset(knowledge, *seen) for seen in walk.decisions]
        if not same:
            raise NotRepeatable(_UNREPEATED)


_UNREPEATED = (
    "running the same play twice gave different knowledge, options or payoffs;"
    " rules must depend on nothing but their parameters and g's answers"
)


def _infoset(knowledge: Knowledge, agent: int, view: View) -> int:
    """The number of the information set with this view, or -1 if it was never met."""
    state = agent
    menu: Any = ()
    what: Any
    try:
        for kind, what in view:
            if kind == "knows":
                state = knowledge.steps[-1 - agent, what]
            elif kind == "saw":
                state = knowledge.steps[state, what]
            elif kind == "offered":
                menu = what
            else:
                state = knowledge.offers[state, menu].after + menu.index(what)
        return knowledge.offers[state, menu].number
    except KeyError:
        return -1
