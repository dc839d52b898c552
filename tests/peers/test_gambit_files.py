"""Gambit reads what we write, and means the same game."""

from pathlib import Path

import pytest

from infoset import Play, game, solve
from infoset.games import kuhn, leduc
from infoset.tree import Tree
from infoset.tree.files import load, plain_labels, read_nfg, save, write_nfg

pygambit = pytest.importorskip("pygambit", reason="pygambit (the extra `gambit`) is not installed")

pytestmark = pytest.mark.filterwarnings("ignore")  # Gambit warns about labels that repeat

DATA = Path(__file__).parent.parent / "tree" / "files" / "data"
TREES = {path.stem: load(path) for path in sorted(DATA.glob("*.efg"))}
TREES |= {"kuhn": kuhn().tree(), "kuhn for three": kuhn(players=3, ranks=4).tree()}
TREES["leduc"] = plain_labels(leduc().tree())


def entries(collection):
    """What Gambit lists, as an attribute or a method by version."""
    return list(collection() if callable(collection) else collection)


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_trees(tree: Tree, tmp_path):
    save(tree, tmp_path / "x.efg")
    game = pygambit.read_efg(str(tmp_path / "x.efg"))
    assert game.title == tree.name
    assert len(entries(game.nodes)) == len(tree)
    assert sum(node.is_terminal for node in entries(game.nodes)) == len(list(tree.leaves))
    for number, player in enumerate(entries(game.players)):
        own = entries(player.infosets)
        assert len(own) == int((tree.infoset_player == number).sum())
        nodes = sorted(len(entries(infoset.members)) for infoset in own)
        mine = [i for i in tree.infosets if tree.infoset_player[i.index] == number]
        assert nodes == sorted(map(len, mine))


@pytest.mark.parametrize("outcomes", [False, True])
@pytest.mark.parametrize("path", sorted(DATA.glob("*.nfg")), ids=lambda path: path.stem)
def test_tables(path: Path, outcomes: bool, tmp_path):
    mine = read_nfg(path.read_text())
    (tmp_path / "x.nfg").write_text(write_nfg(mine, outcomes=outcomes), encoding="utf-8")
    game = pygambit.read_nfg(str(tmp_path / "x.nfg"))
    assert game.title == mine.name
    sizes = tuple(len(entries(player.strategies)) for player in entries(game.players))
    assert sizes == mine.shape


@game(players=("one", "two"), requires="1 <= coins <= 3")
def coins_between(g: Play, coins: int = 2) -> object:
    """Fair coins, the same lottery each time, at the root, between the moves and after them."""
    seen = g.chance(("heads", "tails"))
    g.reveal("one", seen)
    score = seen == "heads"
    for _ in range(coins):
        raised = g.choose("one", ("call", "raise")) == "raise"
        g.reveal("two", raised)
        tossed = g.chance(("heads", "tails"))
        g.reveal(("one", "two"), tossed)
        if g.choose("two", ("stay", "leave")) == "leave":
            return g.win("one", 1 + raised)
        score += raised if tossed == seen else -raised
    return g.win("one", 2 * score + (g.chance(("heads", "tails")) == "heads") - coins)


@pytest.mark.parametrize("method", ["lp", "lcp"])
@pytest.mark.parametrize("coins", [1, 2])
def test_exported_games_with_chance_at_several_depths_are_solved(coins, method, tmp_path):
    """Gambit refused them when chance nodes with equal lotteries shared a number."""
    rules = coins_between(coins=coins)
    save(rules.tree(), tmp_path / "x.efg")
    theirs = pygambit.read_efg(str(tmp_path / "x.efg"))
    getattr(pygambit.nash, f"{method}_solve")(theirs, rational=True)
    found = solve(load(tmp_path / "x.efg"), f"gambit:{method}")
    assert found.value == solve(rules).value
    assert found.regret == 0
