"""Gambit reads what we write, and means the same game."""

from pathlib import Path

import pytest

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
