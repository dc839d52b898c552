"""What a solution says, for a page: results, strategies, and what is asked about a node.

All numbers come from :mod:`infoset.analysis` and from the solution; here they are put into plain
values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from infoset.analysis.questions import action_values, beliefs
from infoset.analysis.strategy_tables import Panel, Row, SituationRows, StrategySource, find
from infoset.display.report import strategy_source
from infoset.errors import InfosetError, NotApplicable, ParameterError
from infoset.page.opened import LABEL, OpenGame, address_of, number
from infoset.rules import Position
from infoset.solvers.evaluation import TreeEvaluation
from infoset.solvers.solution import Solution
from infoset.strategy import Behaviour, Profile, profile
from infoset.strategy.behaviour import unchecked
from infoset.strategy.equivalence import as_behaviour
from infoset.strategy.strategy import given_probability
from infoset.text import brief, history_text, text
from infoset.tree import Infoset, Tree
from infoset.tree.knowledge import in_order

PANELS = 12  # public histories of a page
ROWS = 60  # information sets of a page
BELIEFS = 40  # nodes of an information set


def summary(solution: Solution) -> dict[str, Any]:
    """What was found, and how it is proved."""
    value = solution.value
    return {
        "method": solution.method,
        "because": text(solution.because),
        "value": None if value is None else number(value),
        "payoffs": [
            {"player": text(one), "amount": number(amount)}
            for one, amount in solution.payoffs.items()
        ],
        "regrets": [
            {"player": text(one), "amount": number(amount)}
            for one, amount in solution.regrets.items()
        ],
        "certificate": solution.certificate,
        "note": brief(solution.note, LABEL),
        "equilibria": len(solution.others) + 1,
        "complete": solution.complete,
        "nodes": len(solution.tree) if on_tree(solution) else None,
        "infosets": len(solution.tree.infosets) if on_tree(solution) else None,
        "seconds": solution.seconds,
    }


def prepare(solution: Solution) -> None:
    """Compute what the first questions need, before anybody asks: it may take half a second."""
    answers = Answers(solution)
    with suppress(InfosetError):
        if on_tree(solution):
            answers.node(0)
        else:
            for player in solution.players:
                with suppress(KeyError):  # there is no such view, but now they are all known
                    _ = solution.strategy[player][(("offered", ()),)]  # type: ignore[index]
        for player in solution.players:
            answers.panels(player)


def on_tree(solution: Solution) -> bool:
    """Is it one on a tree, and not on a public form?"""
    return isinstance(solution.evaluation, TreeEvaluation)


class Answers:
    """Answers about one solution, or one of its equilibria."""

    def __init__(self, solution: Solution) -> None:
        """What is computed once is kept."""
        self.solution = solution

    @property
    def tree(self) -> Tree:
        """The tree, where the solution is on one.

        Raises
        ------
        NotApplicable
            If it is not.
        """
        if not on_tree(self.solution):
            raise NotApplicable(
                f"{brief(self.solution.name)} was solved without a tree: of a node its strategies"
                " are known, and no more"
            )
        return self.solution.tree

    @property
    def profile(self) -> Profile:
        """The strategies together, on the tree."""
        return self.solution.profile

    def source(self, player: str) -> StrategySource:
        """A player's strategy, grouped by what is public."""
        if player not in self.solution.players:
            raise ParameterError(f"{brief(self.solution.name)} has no player {player!r:.80}")
        return strategy_source(self.solution, player)

    # ------------------------------------------------------------------ a node

    def at(self, game: OpenGame, address: str) -> dict[str, Any]:
        """What is known of a node of the same game."""
        if on_tree(self.solution):
            return self.node(game.node_number(self.tree, address))
        return self.position(*game.place(address))

    def position(self, position: Position, chosen: Sequence[Any]) -> dict[str, Any]:
        """What is played at a position, if the solution is on no tree."""
        if not position.movers or chosen:
            return {}
        row = self.solution.at(position, position.movers[0])
        actions = [
            {
                "action": text(action),
                "probability": number(share),
                "value": None,
                "regret": None,
                "best": False,
            }
            for action, share in row.items()
        ]
        return {"actions": actions, "beliefs": [], "note": ""}

    def node(self, at: int) -> dict[str, Any]:
        """What is played at a node, what that is worth, and what its mover believes."""
        node = self.tree.nodes[at]
        reach = self.profile.reach(np.array([at]))
        found: dict[str, Any] = {"reach": number(reach[0])}
        values = self.profile.continuation_values
        found["values"] = [
            _or_none(lambda seat=seat: values(np.array([at]), seat)[0])
            for seat in range(len(self.tree.names))
        ]
        infoset = node.infoset
        if infoset is not None:
            found |= self.infoset(infoset)
        return found

    def infoset(self, infoset: Infoset) -> dict[str, Any]:
        """What is played at an information set."""
        told: dict[str, Any] = {"number": infoset.index, "actions": [], "beliefs": []}
        try:
            found = action_values(self.solution, infoset)
        except InfosetError as error:
            told["note"] = str(error)
            return told
        told |= {
            "set_reach": number(found.reach),
            "value": None if found.value is None else number(found.value),
            "note": brief(found.note, LABEL),
            "actions": [
                {
                    "action": text(one.action),
                    "probability": number(one.probability),
                    "value": None if one.value is None else number(one.value),
                    "regret": None if one.regret is None else number(one.regret),
                    "best": one.best,
                }
                for one in found.actions
            ],
        }
        if len(infoset.node_indices) <= BELIEFS:
            guess = beliefs(self.solution, infoset)
            told["beliefs"] = [
                {
                    "at": address_of(self.tree, one.node.index),
                    "history": history_text(one.moves or one.node.history)[:LABEL],
                    "probability": None if one.probability is None else number(one.probability),
                    "value": None if one.value is None else number(one.value),
                }
                for one in guess.nodes
            ]
        else:
            told["many"] = len(infoset.node_indices)
        return told

    # ------------------------------------------------------------------ strategies

    def panels(self, player: str, where: Sequence[str] = (), first: int = 0) -> dict[str, Any]:
        """A page of a player's public histories: of more than a page the likeliest first."""
        found = find(self.source(player), where)
        order = np.arange(len(found))
        if len(found) > PANELS:
            order = np.argsort(-found.reach, kind="stable")
        shown = order[first : first + PANELS].tolist()
        return {
            "player": player,
            "count": len(found),
            "first": first,
            "panels": [_panel(found[at].panel()) for at in shown],
        }

    def rows(self, player: str, where: Sequence[str] = (), first: int = 0) -> dict[str, Any]:
        """A page of a player's information sets, as a table."""
        if not on_tree(self.solution):
            return self._rows_of_panels(player, where, first)
        terms = [one for one in where if one]
        own = np.flatnonzero(self.tree.infoset_player == self.tree.player_number(player)).tolist()
        if terms:
            from infoset.analysis.where import fits, terms_of

            asked, labels = terms_of(terms), self.tree.labels
            own = [at for at in own if fits(labels[at], asked)]
        else:
            own = in_order(self.tree, own)
        strategy = as_behaviour(self.profile[player])
        choices = strategy.choices
        rows = []
        for at in own[first : first + ROWS]:
            infoset = self.tree.infosets[at]
            start = int(choices.first[np.searchsorted(choices.infosets, at)])
            many = len(infoset.actions)
            probabilities = strategy.probabilities[start : start + many].tolist()
            rows.append(
                {
                    "number": at,
                    "label": self.tree.labels[at][:LABEL],
                    "reach": number(self.profile.infoset_reach(infoset)),
                    "actions": [
                        {"action": text(action), "probability": number(probability)}
                        for action, probability in zip(infoset.actions, probabilities, strict=True)
                    ],
                }
            )
        return {"player": player, "count": len(own), "first": first, "rows": rows}

    def _rows_of_panels(self, player: str, where: Sequence[str], first: int) -> dict[str, Any]:
        """The same of a solution that is on no tree: public history by public history."""
        found = find(self.source(player), where)
        rows: list[dict[str, Any]] = []
        above = 0
        for at, size in enumerate(found.sizes):
            here = range(max(first - above, 0), min(first + ROWS - above, size))
            if here:
                one = found[at]
                rows += [_row(one, one.row(place)) for place in here]
            above += size
        return {"player": player, "count": above, "first": first, "rows": rows}

    # ------------------------------------------------------------------ what if

    def locked(self, locks: Mapping[int, Sequence[Any]]) -> dict[str, Any]:
        """What follows if some information sets are played otherwise, and the others reply.

        Parameters
        ----------
        locks
            By the number of an information set: the probabilities of its actions.
        """
        changed = {one: as_behaviour(self.profile[one]) for one in self.tree.names}
        for at, probabilities in locks.items():
            if not 0 <= at < len(self.tree.infosets):
                raise ParameterError(f"{brief(self.tree.name)} has no information set {at}")
            infoset = self.tree.infosets[at]
            changed[infoset.player] = _with(changed[infoset.player], infoset, probabilities)
        edited = profile(list(changed.values()))
        before, after = self.profile.payoffs, edited.payoffs
        return {
            "payoffs": [
                {
                    "player": text(one),
                    "amount": number(after[one]),
                    "change": number(after[one] - before[one]),
                }
                for one in self.tree.names
            ],
            "replies": [
                {
                    "player": text(one),
                    "amount": number(edited.responses[one].value),
                    "gain": number(edited.regrets[one]),
                    "over": number(edited.responses[one].value - before[one]),
                }
                for one in self.tree.names
            ],
        }


def _with(strategy: Behaviour, infoset: Infoset, probabilities: Sequence[Any]) -> Behaviour:
    """A strategy that does otherwise at one information set."""
    if len(probabilities) != len(infoset.actions):
        raise ParameterError(f"give {len(infoset.actions)} probabilities, one for each action")
    shares = [given_probability(one, text(infoset.label)) for one in probabilities]
    whole = sum(shares)
    if whole <= 0 or min(shares) < 0:
        raise ParameterError("give probabilities of 0 or more, not all of them 0")
    found = strategy.probabilities.copy()
    first = int(strategy.choices.first[np.searchsorted(strategy.choices.infosets, infoset.index)])
    for at, share in enumerate(shares):
        part = share / whole
        found[first + at] = part if strategy.exact else float(part)
    return unchecked(infoset.tree, infoset.player, found)


def _row(situation: SituationRows, row: Row) -> dict[str, Any]:
    """An information set of a public history."""
    return {
        "number": None,
        "label": f"{row.name} ({situation.title})"[:LABEL],
        "reach": None,
        "actions": [
            {"action": action, "probability": number(share)}
            for action, share in zip(situation.actions, row.probabilities, strict=True)
            if share is not None
        ],
    }


def _or_none(compute: Any) -> Any:
    try:
        value = compute()
    except InfosetError:
        return None
    return None if value is None else number(value)


def _panel(panel: Panel) -> dict[str, Any]:
    def plain(value: float) -> float | None:
        return None if np.isnan(value) else round(float(value), 9)

    return {
        "title": panel.title[:LABEL],
        "names": [name[:LABEL] for name in panel.names],
        "actions": list(panel.actions),
        "probabilities": [[plain(one) for one in row] for row in panel.probabilities.tolist()],
        "reach": [plain(one) for one in panel.reach.tolist()],
        "ordered": panel.ordered,
        "private": panel.private,
    }
