"""What can happen: the extensive form as flat arrays, views on it, what is true of it, files."""

from infoset.rules.moves import CHANCE, LEAF
from infoset.tree.builder import Builder
from infoset.tree.from_rules import tree_of_game
from infoset.tree.matrix import MatrixGame, matrix_game
from infoset.tree.record import Tree
from infoset.tree.views import Infoset, Node

__all__ = [
    "CHANCE",
    "LEAF",
    "Builder",
    "Infoset",
    "MatrixGame",
    "Node",
    "Tree",
    "matrix_game",
    "tree_of_game",
]
