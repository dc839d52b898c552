"""Gambit's catalogue of games from the literature, read by us, and solved by both."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from infoset import solve
from infoset.errors import NotApplicable, NotProved
from infoset.forms.normal import normal_form
from infoset.solvers import gambit
from infoset.solvers.options import Options
from infoset.solvers.qre import solver as qre
from infoset.strategy import profile
from infoset.tree import Tree
from infoset.tree.files import load

pygambit = pytest.importorskip("pygambit", reason="pygambit (the extra `gambit`) is not installed")

pytestmark = pytest.mark.filterwarnings("ignore")  # Gambit warns about labels that repeat

FOLDER = Path(pygambit.__file__).parent / "catalog_data"
FILES = sorted(path for kind in ("efg", "nfg") for path in FOLDER.rglob(f"*.{kind}"))
NAMES = [str(path.relative_to(FOLDER)) for path in FILES]
PROFILES = 5_000  # of pure strategies, up to which they are all looked at
ACTIONS = 60  # up to which both branches are followed
IRRATIONAL = ("sec4.nfg",)  # Nau, Gomez Canovas & Hansen 2004: a unique, irrational equilibrium
HAIR = Fraction(1, 10**30)
# Games that look the same after a change of names: there the branch forks, Gambit turns off, and we
# go straight ahead, to an equilibrium that looks the same, too.
FORKED = ("fig5_10.efg", "sec3.nfg", "shapley1974/fig3.nfg", "6x6_game_with_75_eq")

catalogue = pytest.mark.parametrize("path", FILES, ids=NAMES)


def read(path: Path) -> Tree:
    game: Any = load(path)
    return game if isinstance(game, Tree) else game.tree()


def profiles(tree: Tree) -> int:
    return int(np.prod([float(tree.pure_strategies(player)) for player in tree.names]))


def test_there_is_a_catalogue() -> None:
    assert len(FILES) >= 30


@catalogue
def test_both_read_the_same_game(path: Path) -> None:
    """What we read, written again, is to Gambit what it reads itself: the payoffs agree."""
    tree = read(path)
    theirs = pygambit.read_efg(str(path)) if path.suffix == ".efg" else pygambit.read_nfg(str(path))
    assert len(list(theirs.players)) == len(tree.players)
    paid = [amount for stake in tree.leaf_payoffs for amount in stake.values()]
    assert (Fraction(theirs.min_payoff), Fraction(theirs.max_payoff)) == (min(paid), max(paid))


@catalogue
def test_our_equilibria_are_exact(path: Path) -> None:
    tree = read(path)
    try:
        solution = solve(tree)
    except NotApplicable as refusal:
        pytest.skip(str(refusal))
    if path.name in IRRATIONAL:
        assert 0 < solution.regret < HAIR
    else:
        assert solution.exact


@catalogue
def test_the_same_pure_equilibria(path: Path) -> None:
    tree = read(path)
    if profiles(tree) > PROFILES:
        pytest.skip(f"{profiles(tree):,} profiles of pure strategies")
    try:
        found = gambit.find(tree, Options(), "enumpure")
        theirs = {payoffs(entry) for entry in (found.strategies, *found.others)}
    except NotProved:
        theirs = set()
    except NotApplicable as refusal:
        pytest.skip(str(refusal))
    assert theirs == set(pure_equilibria(tree))


def payoffs(entry: Any) -> tuple[Fraction, ...]:
    return tuple(profile(entry).payoffs.values())


def pure_equilibria(tree: Tree) -> list[tuple[Fraction, ...]]:
    """What the equilibria in pure strategies pay, found by looking at all profiles."""
    form = normal_form(tree)
    shape = form.shape
    table = {place: form.payoffs_of(place) for place in product(*map(range, shape))}
    return [
        paid
        for place, paid in table.items()
        if all(
            table[(*place[:player], other, *place[player + 1 :])][player] <= paid[player]
            for player, size in enumerate(shape)
            for other in range(size)
        )
    ]


@catalogue
def test_the_same_value(path: Path) -> None:
    tree = read(path)
    if len(tree.players) != 2 or not tree.constant_sum or not tree.perfect_recall:
        pytest.skip("no game of two with constant sum and perfect recall")
    theirs = payoffs(gambit.find(tree, Options(), "lp").strategies)
    assert theirs[0] == solve(tree).value


@catalogue
def test_the_same_end_of_the_branch(path: Path) -> None:
    tree = read(path)
    if not tree.perfect_recall or int(tree.menu_sizes.sum()) > ACTIONS:
        pytest.skip("imperfect recall, or many actions")
    if any(name in str(path) for name in FORKED):
        pytest.skip("a symmetric game: the branch forks")
    try:
        theirs = payoffs(gambit.find(tree, Options(), "logit").strategies)
    except NotProved as refusal:
        pytest.skip(str(refusal))
    ours = payoffs(qre.find(tree, Options()).strategies)
    span = float(max(amount for stake in tree.leaf_payoffs for amount in map(abs, stake.values())))
    assert [*map(float, ours)] == pytest.approx([*map(float, theirs)], abs=1e-2 * span)
