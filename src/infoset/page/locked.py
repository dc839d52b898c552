"""Strategies that are locked at some information sets: what follows if all else stays as it is.

Information sets have numbers: those of the tree; or on a public form the first player's sets first,
in the order of its decisions. The probabilities there are changed in the solution's profile, which
then has other payoffs and best replies: the profile computes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from infoset.errors import NotApplicable, ParameterError
from infoset.forms.public.labels import Place
from infoset.forms.public.record import PublicForm
from infoset.page.opened import LABEL, number
from infoset.solvers.evaluation import TreeEvaluation
from infoset.solvers.public_solution import PublicEvaluation
from infoset.solvers.solution import Solution
from infoset.strategy import Behaviour, Profile, profile
from infoset.strategy.equivalence import as_behaviour
from infoset.strategy.public import PublicProfile
from infoset.strategy.strategy import given_probability
from infoset.text import brief, text
from infoset.tree import Infoset

Locks = Mapping[int, Sequence[Any]]  # by number: the probabilities of its actions
Sets = list[dict[str, Any]]


def locked(solution: Solution, locks: Locks) -> dict[str, Any]:
    """What follows if some information sets are played otherwise, and the others reply.

    Raises
    ------
    InfosetError
        If there is no such information set, or a probability is none.
    """
    evaluation = solution.evaluation
    before: Profile | PublicProfile
    edited: Profile | PublicProfile
    if isinstance(evaluation, TreeEvaluation):
        before = solution.profile
        sets, edited = _on_tree(before, locks)
    elif isinstance(evaluation, PublicEvaluation):
        before = evaluation.profile
        sets, edited = _on_form(before, locks)
    else:
        raise NotApplicable(
            f"{brief(solution.name)} was solved by sampling or searching: only strategies on a tree"
            " or a public form can be locked"
        )
    usual, paid, gains = before.payoffs, edited.payoffs, edited.regrets
    return {
        "sets": sets,
        "payoffs": [
            {
                "player": text(one),
                "amount": number(paid[one]),
                "change": number(paid[one] - usual[one]),
            }
            for one in solution.players
        ],
        "replies": [
            {
                "player": text(one),
                "amount": number(paid[one] + gains[one]),
                "gain": number(gains[one]),
                "over": number(paid[one] + gains[one] - usual[one]),
            }
            for one in solution.players
        ],
    }


def played(
    at: int, player: str, label: str, actions: Iterable[Any], shares: Iterable[Any]
) -> dict[str, Any]:
    """An information set by its number, with what is done there."""
    return {
        "number": at,
        "infoset": {"player": text(player), "label": label[:LABEL]},
        "actions": [
            {"action": text(action)[:LABEL], "probability": number(share)}
            for action, share in zip(actions, shares, strict=True)
        ],
    }


def played_on_tree(strategy: Behaviour, infoset: Infoset) -> dict[str, Any]:
    """An information set of a tree, with what a strategy does there."""
    label = infoset.tree.labels[infoset.index]
    shares = strategy[infoset].values()
    return played(infoset.index, infoset.player, label, infoset.actions, shares)


def _on_tree(before: Profile, locks: Locks) -> tuple[Sets, Profile]:
    tree = before.tree
    changed = {one: as_behaviour(before[one]) for one in tree.names}
    sets, rows = [], dict[str, dict[int, list[Any]]]()
    for at, given in locks.items():
        if not 0 <= at < len(tree.infosets):
            raise ParameterError(f"{brief(tree.name)} has no information set {at}")
        infoset = tree.infosets[at]
        sets.append(played_on_tree(changed[infoset.player], infoset))
        row = _shares(given, len(infoset.actions), tree.labels[at])
        rows.setdefault(infoset.player, {})[at] = row
    for player, own in rows.items():
        changed[player] = changed[player].changed(own)
    return sets, profile(list(changed.values()))


def _on_form(before: PublicProfile, locks: Locks) -> tuple[Sets, PublicProfile]:
    form, sets = before.form, []
    rows = dict[str, dict[Place, list[Any]]]()
    for at, given in locks.items():
        seat, place = _numbered(form, at)
        actions = form.decisions[seat][place[0]].menu
        label = form.labels[seat].label(*place)
        shares = before.probabilities(seat, place[0])[:, place[1]].tolist()
        sets.append(played(at, form.players[seat], label, actions, shares))
        row = _shares(given, len(actions), label)
        rows.setdefault(form.players[seat], {})[place] = row
    return sets, before.changed(rows)


def number_on_form(form: PublicForm, seat: int, place: Place) -> int:
    """The number of an information set of a public form.

    >>> from infoset.games import kuhn
    >>> form = kuhn().public()
    >>> number_on_form(form, 1, (0, 2)), _numbered(form, 8)
    (8, (1, (0, 2)))
    """
    return int(form.labels[seat].numbers[place[0]]) - 1 + place[1]


def _numbered(form: PublicForm, at: int) -> tuple[int, Place]:
    """The player whose information set has this number, and its place."""
    if not 0 <= at < sum(form.infosets):
        raise ParameterError(f"{brief(form.name)} has no information set {at}")
    seat = int(at >= form.infosets[0])
    numbers = form.labels[seat].numbers
    decision = int(np.searchsorted(numbers, at + 1, side="right")) - 1
    return seat, (decision, at + 1 - int(numbers[decision]))


def _shares(given: Sequence[Any], actions: int, label: str) -> list[Any]:
    """Probabilities that sum to 1, in proportion to those that are given."""
    if len(given) != actions:
        raise ParameterError(f"give {actions} probabilities, one for each action")
    shares = [given_probability(one, brief(label)) for one in given]
    if sum(shares) <= 0 or min(shares) < 0:
        raise ParameterError("give probabilities of 0 or more, not all of them 0")
    return [one / sum(shares) for one in shares]
