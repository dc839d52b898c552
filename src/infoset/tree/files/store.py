"""Games in files: which format a path names, reading and writing it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from infoset.errors import FileError
from infoset.rules.game import Game
from infoset.rules.story import printable
from infoset.tree.files.atomic import read_text, write_lines
from infoset.tree.files.efg import read_efg
from infoset.tree.files.efg_writer import efg_lines
from infoset.tree.files.nfg import nfg_lines, read_nfg
from infoset.tree.matrix import MatrixGame
from infoset.tree.record import Tree

EFG, NFG = ".efg", ".nfg"
T = TypeVar("T")


def load(path: str | os.PathLike[str]) -> Tree:
    """The tree of a game file: an ``.efg``, or an ``.nfg``, whose players choose unseen in turn."""
    if _suffix(path) == NFG:
        return load_table(path).tree()
    return _read(path, read_efg)


def load_table(path: str | os.PathLike[str]) -> MatrixGame:
    """The payoff table of an ``.nfg`` file, as it stands there."""
    if _suffix(path) != NFG:
        raise FileError(f"{printable(os.fspath(path))}: a payoff table is in an {NFG} file")
    return _read(path, read_nfg)


def _read(path: str | os.PathLike[str], reader: Callable[..., T]) -> T:
    name, text = os.fspath(path), read_text(path)
    try:
        return reader(text, name=name)
    except MemoryError:
        raise FileError(f"{printable(name)}: too large for the memory") from None


def save(game: Tree | MatrixGame | Game, path: str | os.PathLike[str]) -> None:
    """Write a tree to an ``.efg`` file, or a payoff table to an ``.nfg`` file.

    The file is complete or, if anything goes wrong, as it was before.
    """
    if isinstance(game, Game):
        game = game.tree()
    if _suffix(path) == EFG:
        write_lines(path, efg_lines(game.tree() if isinstance(game, MatrixGame) else game))
    elif isinstance(game, MatrixGame):
        write_lines(path, nfg_lines(game))
    else:
        raise FileError(f"{printable(os.fspath(path))}: a tree is written to an .efg file")


def _suffix(path: str | os.PathLike[str]) -> str:
    suffix = os.path.splitext(os.fspath(path))[1].lower()
    if suffix not in (EFG, NFG):
        found = f"the suffix {printable(suffix)!r} is not known" if suffix else "there is no suffix"
        raise FileError(f"{printable(os.fspath(path))}: {found}; game files end in {EFG} or {NFG}")
    return suffix
