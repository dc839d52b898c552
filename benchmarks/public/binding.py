"""Late binding: from rules to a tree, all deals at once, beside plain replay and OpenSpiel.

    late      game.tree(): the rules are run once for every way to bet, all deals together
    plain     the same rules run once for every play, as rules are run that say nothing of
              ``vectorized=True``; the tree is the same, which is asserted
    Python    OpenSpiel's states walked by ``child()``, nothing kept
    C++       OpenSpiel's ``expected_returns``, one call, nothing kept

Rates are nodes a second, each of its own tree, by the best of the rounds. Where plain replay would
take minutes its rate is that of a smaller deck, and so is OpenSpiel's where it has no deck as
large: the deck is named then. The first build of a game also runs some plays in the plain way, to
see that both ways agree; that one is not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from clocks import in_turn
from measure import verdict
from walks import MOST_RANKS, Walked, kuhn_states, leduc_states, missing

from infoset.games import kuhn, leduc
from infoset.rules import Game
from infoset.rules.replay import garbage_collection_paused, replay_all
from infoset.rules.running import Limits
from infoset.tree import Tree
from infoset.tree.from_rules import freeze
from infoset.tree.record import same_game
from infoset.vectorized import run_vectorized

HEADINGS = (
    "game", "nodes", "runs", "plain runs", "late (median)", "nodes/s", "plain/s", "late : plain",
    "Python/s", "late : Python", "C++/s", "late : C++",
)  # fmt: skip
PLAIN, WALK = 15.0, 10.0  # how many times as fast we want to be
MOST = 20_000_000  # nodes
COMPARED = 200_000  # nodes up to which two trees are compared


@dataclass(frozen=True)
class Case:
    """A deck, and the smaller ones for those who need them."""

    game: Game
    plain: Game
    peer: Game


def _leduc(ranks: int, suits: int, *plain: int) -> Case:
    own = leduc(ranks=ranks, suits=suits)
    return Case(own, leduc(ranks=plain[0], suits=plain[1]) if plain else own, own)


def _kuhn(ranks: int, plain: int = 0) -> Case:
    return Case(kuhn(ranks=ranks), kuhn(ranks=plain or ranks), kuhn(ranks=min(ranks, MOST_RANKS)))


CASES = (
    _leduc(3, 2), _leduc(13, 2), _leduc(13, 4, 10, 2), _kuhn(13), _kuhn(100), _kuhn(1000, 300),
)  # fmt: skip
QUICK = (_leduc(3, 2), _leduc(6, 2, 4, 2), _kuhn(13), _kuhn(100, 50))


def plainly(game: Game) -> Tree:
    """The tree by plain replay, deal by deal."""
    with garbage_collection_paused():
        return freeze(repr(game), replay_all(game, Limits(MOST)))


def rows(quick: bool) -> Iterator[tuple[str, ...]]:
    reason = missing()
    for case in QUICK if quick else CASES:
        yield _row(case, not reason, 3 if quick else 5)


def _row(case: Case, peers: bool, rounds: int) -> tuple[str, ...]:
    tree, small = case.game.tree(max_nodes=MOST), plainly(case.plain)
    nodes, plain_nodes, leaves = len(tree), len(small), len(tree.leaves)
    if nodes <= COMPARED and case.plain == case.game:
        assert same_game(tree, small), f"{case.game!r}: two ways, two trees"
    runs = run_vectorized(case.game, Limits(MOST)).runs
    del tree, small
    works: list[Callable[[], object]] = [
        partial(case.game.tree, max_nodes=MOST), partial(plainly, case.plain),
    ]  # fmt: skip
    walked = _states(case.peer) if peers else None
    if walked is not None:
        works += [walked.from_python, walked.in_one_call]
    taken = in_turn(works, rounds)
    rate, plain = nodes / taken[0].best, plain_nodes / taken[1].best
    cells = [repr(case.game), f"{nodes:,}", f"{runs:,}", f"{leaves:,}", str(taken[0])]
    cells += [f"{rate:,.0f}", f"{plain:,.0f}{_other(case.plain, case.game)}"]
    cells.append(_ratio(rate / plain, PLAIN))
    if walked is None:
        return (*cells, *[""] * 4)
    for theirs in taken[2:]:
        speed = walked.states / theirs.best
        cells += [f"{speed:,.0f}{_other(case.peer, case.game)}", _ratio(rate / speed, WALK)]
    return tuple(cells)


def _states(game: Game) -> Walked:
    nodes = len(game.tree(max_nodes=MOST))
    if game.name == "kuhn":
        return kuhn_states(game.params["ranks"], nodes)
    return leduc_states(game.params["ranks"], game.params["suits"], nodes)


def _other(game: Game, wanted: Game) -> str:
    return "" if game == wanted else f" at {game!r}"


def _ratio(ratio: float, bar: float) -> str:
    return f"{ratio:.1f}× {verdict(ratio >= bar)}"
