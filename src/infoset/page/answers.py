"""What a solution says, for a page: results, strategies, and what is asked about a node.

All numbers come from :mod:`infoset.analysis` and from the solution; here they are put into plain
values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from infoset.analysis.public_strategy import PublicStrategySource
from infoset.analysis.questions import ActionValue, action_values, beliefs
from infoset.analysis.review import public_action_values
from infoset.analysis.strategy_tables import Panel, Row, SituationRows, StrategySource, find
from infoset.display.report import strategy_source
from infoset.errors import InfosetError, NotApplicable, ParameterError
from infoset.page.locked import locked, number_on_form, played_on_tree
from infoset.page.opened import LABEL, OpenGame, address_of, number
from infoset.rules import Position
from infoset.solvers.evaluation import TreeEvaluation
from infoset.solvers.public_solution import PublicEvaluation
from infoset.solvers.registry import SOLVERS, Solver
from infoset.solvers.solution import Solution
from infoset.strategy import Profile
from infoset.strategy.equivalence import as_behaviour
from infoset.text import brief, history_text, text
from infoset.tree import Infoset, Tree
from infoset.tree.knowledge import in_order

PANELS = 12  # public histories of a page
ROWS = 60  # information sets of a page
BELIEFS = 40  # nodes of an information set
SUITS_ALIKE = (
    "Some suits are interchangeable. Reach is that of all information sets that differ in those"
    " suits only; in beliefs they are left out, or renamed."
)


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
        "lacks": lacks(solution),
    }


def offered(row: Solver) -> bool:
    """Is a method one that pages can show the answers of, and that needs no other program?"""
    alone = row.name != "gambit" and row.form != "positions"
    return alone and row.gives not in ("reply", "correlated")


def lacks(solution: Solution) -> dict[str, str]:
    """By method: what the game lacks for it, where that is known, which is on trees."""
    if not on_tree(solution):
        return {}
    found = {row.name: row.lacks(solution.tree) for row in SOLVERS if offered(row)}
    return {name: brief(why, 200) for name, why in found.items() if why}


def prepare(solution: Solution) -> None:
    """Compute what the first questions need, before anybody asks: it may take half a second."""
    answers = Answers(solution)
    with suppress(InfosetError):
        if on_tree(solution):
            answers.node(0)
            lacks(solution)
        elif isinstance(solution.evaluation, PublicEvaluation):
            answers.prepare_form(solution.evaluation)
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
        self._sources: dict[str, PublicStrategySource] = {}

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

    def actions(self, game: OpenGame, address: str) -> dict[str, Any]:
        """How likely each action is at a node of the same game, and no more: at once."""
        place = game.place(address)
        mover = game.mover(place)
        if mover is None:
            return {}
        if on_tree(self.solution):
            infoset = self.tree.nodes[game.node_number(self.tree, address)].infoset
            assert infoset is not None
            return {
                "actions": played_on_tree(as_behaviour(self.profile[infoset.player]), infoset)[
                    "actions"
                ]
            }
        if place.chosen:
            return {}
        row = self.solution.at(place.position, mover)
        return {"actions": [{"action": text(one), "probability": number(row[one])} for one in row]}

    def position(self, position: Position, chosen: Sequence[Any]) -> dict[str, Any]:
        """What is played at a position, if the solution is on no tree."""
        if not position.movers or chosen:
            return {}
        player, evaluation = position.movers[0], self.solution.evaluation
        if not isinstance(evaluation, PublicEvaluation):
            row = self.solution.at(position, player)
            plain = [ActionValue(one, share, None, None, False) for one, share in row.items()]
            return {"actions": _told(plain), "beliefs": [], "note": ""}
        place = evaluation.floats[player].place(position.view(player))
        if place is None:
            return {"actions": [], "beliefs": [], "note": "The solution has no such set."}
        return self.public_infoset(player, place)

    def public_infoset(self, player: str, place: tuple[int, int]) -> dict[str, Any]:
        """What is played at an information set of the public form, its values and beliefs."""
        evaluation, source = self.solution.evaluation, self._public_source(player)
        assert isinstance(evaluation, PublicEvaluation)
        _, reach, value = source.numbers(*place)
        believed = sorted((source.beliefs(*place) or {}).items(), key=lambda one: -one[1])
        return {
            "number": number_on_form(evaluation.form, source.seat, place),
            "set_reach": number(reach),
            "value": _finite(value),
            "actions": _told(public_action_values(evaluation, player, *place)),
            "beliefs": [
                {"at": None, "history": name[:LABEL], "probability": number(share), "value": None}
                for name, share in believed[:BELIEFS]
            ],
            "note": SUITS_ALIKE if evaluation.form.deck is not None else "",
        }

    def prepare_form(self, evaluation: PublicEvaluation) -> None:
        """Compute what all questions about information sets of the public form need."""
        for player, sets in zip(evaluation.players, evaluation.form.infosets, strict=True):
            if sets:
                first = self.public_infoset(player, (0, 0))
                locked(self.solution, {first["number"]: [1] * len(first["actions"])})
                evaluation.floats[player].place("")  # any label: all of them are sorted

    def _public_source(self, player: str) -> PublicStrategySource:
        """A player's strategy on the public form, in floats, kept with what it has computed."""
        if player not in self._sources:
            evaluation = self.solution.evaluation
            assert isinstance(evaluation, PublicEvaluation)
            self._sources[player] = PublicStrategySource(evaluation.floats, player)
        return self._sources[player]

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
            strategy = as_behaviour(self.profile[infoset.player])
            plain = [
                ActionValue(action, share, None, None, False)
                for action, share in zip(infoset.actions, strategy[infoset].values(), strict=True)
            ]
            return told | {"actions": _told(plain), "note": brief(str(error), LABEL)}
        told |= {
            "set_reach": number(found.reach),
            "value": None if found.value is None else number(found.value),
            "note": brief(found.note, LABEL),
            "actions": _told(found.actions),
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
        rows = []
        for at in own[first : first + ROWS]:
            infoset = self.tree.infosets[at]
            played = played_on_tree(strategy, infoset)
            rows.append(
                {
                    "number": at,
                    "label": played["infoset"]["label"],
                    "reach": number(self.profile.infoset_reach(infoset)),
                    "actions": played["actions"],
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


def _told(actions: Iterable[ActionValue]) -> list[dict[str, Any]]:
    """The actions at an information set."""
    return [
        {
            "action": text(one.action)[:LABEL],
            "probability": number(one.probability),
            "value": None if one.value is None else number(one.value),
            "regret": None if one.regret is None else number(one.regret),
            "best": one.best,
        }
        for one in actions
    ]


def _finite(value: Any) -> dict[str, Any] | None:
    return None if value is None or value != value else number(value)


def _row(situation: SituationRows, row: Row) -> dict[str, Any]:
    """An information set of a public history."""
    return {
        "number": None,
        "label": f"{row.name} ({situation.title})"[:LABEL],
        "reach": None,
        "actions": [
            {"action": action[:LABEL], "probability": number(share)}
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
        "actions": [action[:LABEL] for action in panel.actions],
        "probabilities": [[plain(one) for one in row] for row in panel.probabilities.tolist()],
        "reach": [plain(one) for one in panel.reach.tolist()],
        "ordered": panel.ordered,
        "private": panel.private,
    }
