"""Games in files: which format a path names, reading and writing it; labels in plain ASCII.

Gambit 16 refuses a file whose labels have other characters than printable ASCII, blanks at the ends
or two in a row. :func:`plain_labels` makes them so: suits become letters, accents are dropped, what
is left is named by its code point.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from infoset.errors import FileError
from infoset.files import read_text, write_lines
from infoset.rules.game import Game
from infoset.rules.moves import Lottery
from infoset.text import printable, text
from infoset.tree.files.efg import efg_lines, read_efg
from infoset.tree.files.nfg import nfg_lines, read_nfg
from infoset.tree.matrix import MatrixGame
from infoset.tree.record import Tree

LETTERS = str.maketrans(
    {"♠": "s", "♥": "h", "♦": "d", "♣": "c", "×": "x", "·": ".", "−": "-", "–": "-", "…": "..."}
    | {"→": "->", "∅": "0", "“": '"', "”": '"', "‘": "'", "’": "'"}
)


def plain(label: str) -> str:
    r"""A label in printable ASCII, with single blanks inside.

    >>> plain("K♠,  naïve\n"), plain("♞")
    ('Ks, naive', 'U+265E')
    """
    letters = unicodedata.normalize("NFKD", label.translate(LETTERS))
    signs = [
        sign if sign.isascii() and (sign.isprintable() or sign.isspace()) else f"U+{ord(sign):04X}"
        for sign in letters
        if not unicodedata.combining(sign)
    ]
    return " ".join("".join(signs).split())


def is_plain(game: Tree | MatrixGame) -> bool:
    """Whether all labels are in plain ASCII already.

    Parameters
    ----------
    game
        A tree or a payoff table.

    Returns
    -------
    bool
        True if :func:`plain_labels` would change nothing.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> is_plain(kuhn().tree())
    True
    """
    labels = [game.name, game.comment, *game.players, *game.outcome_names]
    if isinstance(game, MatrixGame):
        labels += [text(one) for own in game.strategies for one in own]
    else:
        labels += [*game.labels, *game.node_names.values()]
        labels += [text(one) for menu in game.menus for one in menu]
        labels += [text(one) for drawn in game.lotteries for one in drawn.outcomes]
    return all(label == plain(label) for label in labels)


def plain_labels(game: Tree | MatrixGame) -> Tree | MatrixGame:
    """The same game with all its labels in plain ASCII.

    Parameters
    ----------
    game
        A tree or a payoff table.

    Returns
    -------
    Tree or MatrixGame
        Of the same kind.

    Examples
    --------
    >>> from infoset import matrix_game
    >>> plain_labels(matrix_game([[0]], players=("Zoë", "Max"))).players
    ('Zoe', 'Max')
    """
    game = replace(
        game,
        name=plain(game.name),
        comment=plain(game.comment),
        players=tuple(map(plain, game.players)),
        outcome_names=tuple(map(plain, game.outcome_names)),
    )
    if isinstance(game, MatrixGame):
        strategies = tuple(tuple(plain(text(one)) for one in own) for own in game.strategies)
        return replace(game, strategies=strategies)
    return replace(
        game,
        menus=tuple(tuple(plain(text(one)) for one in menu) for menu in game.menus),
        labels=tuple(map(plain, game.labels)),
        lotteries=tuple(
            Lottery(tuple(plain(text(one)) for one in drawn.outcomes), drawn.probabilities)
            for drawn in game.lotteries
        ),
        node_names={node: plain(name) for node, name in game.node_names.items()},
    )


EFG, NFG = ".efg", ".nfg"
T = TypeVar("T")


def load(path: str | os.PathLike[str]) -> Tree:
    """Read the tree of a game file.

    Parameters
    ----------
    path
        An ``.efg`` file; or an ``.nfg`` file, whose tree has the players choose one after the other
        without seeing the others' choices.

    Returns
    -------
    Tree
        With exact numbers.

    Raises
    ------
    FileError
        If the file cannot be read, with line and column.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from infoset.games import kuhn
    >>> with TemporaryDirectory() as folder:
    ...     save(kuhn(), Path(folder, "kuhn.efg"))
    ...     load(Path(folder, "kuhn.efg")) == kuhn().tree()
    True
    """
    if _suffix(path) == NFG:
        return load_table(path).tree()
    return _read(path, read_efg)


def load_table(path: str | os.PathLike[str]) -> MatrixGame:
    """Read the payoff table of an ``.nfg`` file.

    Parameters
    ----------
    path
        An ``.nfg`` file.

    Returns
    -------
    MatrixGame
        With exact payoffs.

    Raises
    ------
    FileError
        If the file cannot be read, with line and column.
    """
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

    Parameters
    ----------
    game
        A tree, a payoff table, or a game, whose tree is written.
    path
        Ends in ``.efg`` or ``.nfg``. The file is complete or, if anything goes wrong, as it was.

    Raises
    ------
    FileError
        If the format cannot hold the game, or the file cannot be written.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from infoset.games import kuhn
    >>> with TemporaryDirectory() as folder:
    ...     save(kuhn(), Path(folder, "kuhn.efg"))
    ...     Path(folder, "kuhn.efg").read_text("utf-8")[:15]
    'EFG 2 R "kuhn()'
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
