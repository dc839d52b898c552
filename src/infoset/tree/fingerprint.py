"""A short name for exactly this game: two trees that are the same have the same one."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from infoset.rules.columns import CHANCE
from infoset.rules.story import text

if TYPE_CHECKING:
    from infoset.tree.record import Tree


def fingerprint(tree: Tree) -> str:
    """A digest of shape, moves, information, chances and payoffs, as they read; 64 hex digits."""
    digest = hashlib.sha256()

    def put(*words: object) -> None:
        digest.update(("\x1f".join(map(str, words)) + "\x1e").encode("utf-8", "surrogatepass"))

    put("players", *tree.names)
    for column in (tree.parent, tree.action, tree.player.astype(np.int32)):
        digest.update(np.ascontiguousarray(column, "<i4").tobytes())
    place = np.where(tree.player >= 0, tree.infoset, -1)
    digest.update(np.ascontiguousarray(place, "<i4").tobytes())
    menus = ["\x1d".join(map(text, menu)) for menu in tree.menus]
    for label, menu in zip(tree.labels, tree.infoset_menu.tolist(), strict=True):
        put(label, menus[menu])
    drawn = [
        "\x1d".join(f"{text(outcome)}={_spelled(p)}" for outcome, p in zip(*lottery, strict=True))
        for lottery in tree.lotteries
    ]
    for lottery in tree.infoset[tree.player == CHANCE].tolist():
        put(drawn[lottery])
    settled = tree.settled
    paid = ["\x1d".join(map(_spelled, payoffs)) for payoffs in settled.payoffs]
    for outcome in settled.outcome[tree.ends].tolist():
        put(paid[outcome])
    return digest.hexdigest()


def _spelled(number: Fraction | int) -> str:
    """In base 16: Python does not spell out decimals of more than 4,300 digits."""
    return f"{number.numerator:x}/{number.denominator:x}"
