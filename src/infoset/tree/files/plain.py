"""Labels in plain ASCII, for readers that take no other.

Gambit 16 refuses a file whose labels have other signs than printable ASCII, blanks at the ends or
two in a row. Suits become letters, accents are dropped, what is left is named by its code point.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace

from infoset.rules.moves import Lottery
from infoset.rules.story import text
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
    """Are all labels plain already?"""
    labels = [game.name, game.comment, *game.players, *game.outcome_names]
    if isinstance(game, MatrixGame):
        labels += [text(one) for own in game.strategies for one in own]
    else:
        labels += [*game.labels, *game.node_names.values()]
        labels += [text(one) for menu in game.menus for one in menu]
        labels += [text(one) for drawn in game.lotteries for one in drawn.outcomes]
    return all(label == plain(label) for label in labels)


def plain_labels(game: Tree | MatrixGame) -> Tree | MatrixGame:
    """The same game with all its labels plain."""
    if isinstance(game, MatrixGame):
        return replace(
            game,
            name=plain(game.name),
            comment=plain(game.comment),
            players=tuple(map(plain, game.players)),
            strategies=tuple(tuple(plain(text(one)) for one in own) for own in game.strategies),
            outcome_names=tuple(map(plain, game.outcome_names)),
        )
    return replace(
        game,
        name=plain(game.name),
        comment=plain(game.comment),
        players=tuple(map(plain, game.players)),
        menus=tuple(tuple(plain(text(one)) for one in menu) for menu in game.menus),
        labels=tuple(map(plain, game.labels)),
        lotteries=tuple(
            Lottery(tuple(plain(text(one)) for one in drawn.outcomes), drawn.probabilities)
            for drawn in game.lotteries
        ),
        outcome_names=tuple(map(plain, game.outcome_names)),
        node_names={node: plain(name) for node, name in game.node_names.items()},
    )
