"""CFR+ by OpenSpiel and by LiteEFG, on the same games as ours, behind one small interface.

A *full iteration* updates each of the two players once, the second against what the first has just
become, and adds both strategies to the average. So do both peers, by their own defaults:

*OpenSpiel*, ``pyspiel.CFRPlusSolver``. One call of ``evaluate_and_update_policy`` is a full
iteration: for each player in turn a walk in C++ over the states of the whole game (made anew every
time, information sets found by their strings, a part left out that neither player reaches), then
regret matching plus. Iteration t adds t times each player's strategy *before* its update: the
uniform one counts, once. The exploitability is its C++ one, half the sum of what best responses
get; it takes as long as ten to thirty iterations.

*LiteEFG*, ``LiteEFG.baselines.CFRplus``. One full iteration is two calls: ``update_graph`` (which
is ``update`` for player 1, then for player 2) and ``update_strategy``, without which there is no
average. It keeps the plain and the linear average at once, and neither can be switched off.
Iteration t adds t times the strategies *after* both updates: the uniform ones never count. Its
``exploitability`` is each player's regret, and their sum is NashConv. It runs in C++ in one thread,
its default, from a tree in memory.

So the updates are the same: alternating, in doubles, with linear weights. The averages differ by
one iteration, and with them the exploitability after the same number. Neither delays its average.

OpenSpiel plays its own version of the game, by the name in ``GAMES``. LiteEFG is given *our* tree,
in a file of the kind that it writes for OpenSpiel's games: the same as from OpenSpiel, in as much
time an iteration (or less, where OpenSpiel deals card by card), and nothing is left in the user's
home directory, where its own converter keeps a copy of every game. Nothing of this is timed.

OpenSpiel's goofspiel is a game of simultaneous moves: CFR needs it one after the other. Only with
``imp_info=True`` is it a game that we have as well: ``goofspiel(reveal="winner")``. Without, its
information states hold the hands and who won, but not the order of the bids; with four cards they
are 135 for each player, where one who forgets nothing has 161.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from infoset.games import goofspiel, kuhn, leduc, liars_dice
from infoset.rules import Game
from infoset.rules.moves import CHANCE, LEAF
from infoset.tree import Tree


@dataclass(frozen=True)
class Same:
    """One game: ours, and OpenSpiel's name for it."""

    ours: Game
    openspiel: str
    deals: int = 0  # chance nodes that OpenSpiel has more: it deals card by card


def _goofspiel(cards: int) -> Same:
    theirs = f"num_cards={cards},imp_info=True,points_order=descending,returns_type=win_loss"
    return Same(
        goofspiel(cards=cards, reveal="winner"),
        f"turn_based_simultaneous_game(game=goofspiel({theirs}))",
    )


GAMES = {
    "kuhn": Same(kuhn(), "kuhn_poker(players=2)", deals=3),
    "leduc": Same(leduc(), "leduc_poker(players=2)", deals=6),
    "liars_dice": Same(liars_dice(), "liars_dice(players=2,numdice=1,dice_sides=6)"),
    "goofspiel 4": _goofspiel(4),
    "goofspiel 5": _goofspiel(5),
}


class Solver(Protocol):
    """What is timed: ours may be dressed like this, too."""

    name: str
    iterations: int  # done so far

    def iterate(self, count: int) -> None:
        """Do so many full iterations."""

    def exploitability(self) -> float:
        """NashConv / 2 of the average strategies, in the payoffs of the game."""


class OpenSpiel:
    """OpenSpiel's CFR+ in C++."""

    name = "OpenSpiel"

    def __init__(self, pyspiel: Any, game: Any) -> None:
        self.game, self.solver, self.iterations = game, pyspiel.CFRPlusSolver(game), 0
        self._exploitability = pyspiel.exploitability

    def iterate(self, count: int) -> None:
        """Do so many full iterations."""
        step = self.solver.evaluate_and_update_policy
        for _ in range(count):
            step()
        self.iterations += count

    def exploitability(self) -> float:
        """NashConv / 2 of the average strategies, uniform at the start."""
        return float(self._exploitability(self.game, self.solver.average_policy()))


class LiteEFG:
    """LiteEFG's CFR+ in C++."""

    name = "LiteEFG"

    def __init__(self, package: Any, tree: Tree) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.openspiel"
            write_litefg(tree, path)
            self.environment = package.FileEnv(str(path))
        with contextlib.redirect_stdout(io.StringIO()):  # it announces itself
            self.graph = package.baselines.CFRplus.graph()
        self.environment.set_graph(self.graph)
        self.iterations = 0

    def iterate(self, count: int) -> None:
        """Do so many full iterations."""
        graph, environment = self.graph, self.environment
        strategy = graph.current_strategy()
        for _ in range(count):
            graph.update_graph(environment)
            environment.update_strategy(strategy)
        self.iterations += count

    @property
    def average(self) -> str:
        """Its word for the strategies that are judged; without an average, it has the first."""
        return "linear-avg-iterate" if self.iterations else "default"

    def exploitability(self) -> float:
        """NashConv / 2 of the average strategies, uniform at the start."""
        strategy = self.graph.current_strategy()
        regrets: list[float] = self.environment.exploitability(strategy, self.average)
        return sum(regrets) / 2


def openspiel(game: str) -> OpenSpiel:
    """OpenSpiel's CFR+, about to begin; an ImportError where OpenSpiel is not installed."""
    pyspiel = importlib.import_module("pyspiel")
    return OpenSpiel(pyspiel, pyspiel.load_game(GAMES[game].openspiel))


def litefg(game: str) -> LiteEFG:
    """LiteEFG's CFR+, about to begin; an ImportError where LiteEFG is not installed."""
    package = importlib.import_module("LiteEFG")
    return LiteEFG(package, GAMES[game].ours.tree())


PEERS: dict[str, Callable[[str], Solver]] = {OpenSpiel.name: openspiel, LiteEFG.name: litefg}


def write_litefg(tree: Tree, path: Path) -> None:
    """Write a tree as a file that LiteEFG reads; node 7 is ``n7``, information set 3 ``i3``.

    It must be told that this is OpenSpiel's kind of file: in its other one the names have a
    meaning, and a reader that misses it asks for memory until there is none.
    """
    below: list[list[int]] = [[] for _ in range(len(tree))]
    for node, above in enumerate(tree.parent.tolist()):
        if above >= 0:
            below[above].append(node)
    together: dict[int, list[int]] = {}
    lines = ["# Opt {", "#     openspiel,", f"#     players: {len(tree.players)},", "# }", "#"]
    owners, infosets = tree.player.tolist(), tree.infoset.tolist()
    for node, (owner, infoset) in enumerate(zip(owners, infosets, strict=True)):
        if owner == LEAF:
            paid = enumerate(tree.payoffs[tree.outcome[node]], 1)
            said = [f"{number}={float(amount):.17g}" for number, amount in paid]
            lines.append(f"node n{node} leaf payoffs {' '.join(said)}")
        elif owner == CHANCE:
            drawn = zip(below[node], tree.lotteries[infoset].probabilities, strict=True)
            said = [f"n{child}={float(chance):.17g}" for child, chance in drawn]
            lines.append(f"node n{node} chance actions {' '.join(said)}")
        else:
            together.setdefault(infoset, []).append(node)
            said = [f"n{child}" for child in below[node]]
            lines.append(f"node n{node} player {owner + 1} actions {' '.join(said)}")
    for infoset, nodes in together.items():
        said = [f"n{node}" for node in nodes]
        lines.append(f"infoset i{infoset} nodes {' '.join(said)}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


# ---------------------------------------------------------------------- clocks


def per_iteration(peer: Solver, budget_seconds: float) -> float:
    """Median seconds of a full iteration, over some twenty batches that fill the budget.

    The first tenth of the budget is for warming up. Iterations are not all alike: OpenSpiel leaves
    out what nobody reaches, which is nothing in its first. At least three batches are run, of at
    least one iteration, whatever they take.
    """
    gc.collect()
    peer.iterate(1)
    warm, done = 0.0, 0
    while warm < budget_seconds / 10 or not done:
        batch = max(1, done)
        warm += _seconds(peer, batch)
        done += batch
    batch = max(1, round(budget_seconds / 20 * done / warm))
    taken: list[float] = []
    while len(taken) < 3 or sum(taken) < 0.9 * budget_seconds:
        taken.append(_seconds(peer, batch))
    return statistics.median(taken) / batch


class Check(NamedTuple):
    """Where a run stood when it was looked at."""

    seconds: float  # of iterating only
    iterations: int
    exploitability: float


class Reached(NamedTuple):
    """When a run came to its target, or how far it went without."""

    seconds: float
    iterations: int
    reached: bool


def convergence(
    peer: Solver, target: float, budget_seconds: float, growth: float = 1.25
) -> list[Check]:
    """Iterate until the exploitability is at most the target, or the budget is spent.

    It is looked at when there are ``growth`` times as many iterations as at the last look, so a
    target is overshot by no more than that; what looking takes is not counted, neither as time nor
    against the budget. The peer must be new: what it did before was not on the clock.
    """
    if peer.iterations:
        raise ValueError(f"{peer.name} has done {peer.iterations} iterations; begin with a new one")
    gc.collect()
    seconds, checks = 0.0, [Check(0.0, 0, peer.exploitability())]
    while checks[-1].exploitability > target and seconds < budget_seconds:
        done = peer.iterations
        batch = max(1, round(done * (growth - 1)))
        if done:  # no more than what fits
            batch = min(batch, max(1, int((budget_seconds - seconds) * done / seconds)))
        seconds += _seconds(peer, batch)
        checks.append(Check(seconds, peer.iterations, peer.exploitability()))
    return checks


def first_below(checks: list[Check], target: float) -> Reached:
    """The first look at which the target was reached; else the last one."""
    for check in checks:
        if check.exploitability <= target:
            return Reached(check.seconds, check.iterations, True)
    return Reached(checks[-1].seconds, checks[-1].iterations, False)


def time_to(peer: Solver, target: float, budget_seconds: float, growth: float = 1.25) -> Reached:
    """Seconds of iterating and iterations to an exploitability, and whether it was reached."""
    return first_below(convergence(peer, target, budget_seconds, growth), target)


def _seconds(peer: Solver, count: int) -> float:
    began = time.perf_counter()
    peer.iterate(count)
    return time.perf_counter() - began
