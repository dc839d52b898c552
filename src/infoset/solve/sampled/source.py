"""Whatever is given as a game, with what a run needs to be taken up again and to be read."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import dedent
from typing import Any

from infoset.rules import Family, Game
from infoset.search import source as search
from infoset.solve.sampled.labels import (
    Labels,
    labels_of_engine,
    labels_of_rules,
    labels_of_tree,
)
from infoset.tree import MatrixGame, Tree


@dataclass(frozen=True, kw_only=True)
class Source(search.Source):
    """A game that can be walked, and sampled."""

    rules: Callable[[], str]  # a digest of what they say; empty where that cannot be told
    labels: Labels  # how information sets read, the same as in the tree


def source(game: Any) -> Source:
    """What is given as a game, made walkable; else an error that says what can be."""
    if isinstance(game, Family):
        game = game()
    if isinstance(game, MatrixGame):
        game = game.tree()
    found = search.source(game)
    if isinstance(game, Tree):
        rules, labels = (lambda: game.fingerprint), labels_of_tree(game)
    elif isinstance(game, Game):
        rules, labels = (
            (lambda: _digest_of_rules(game.family.rules)),
            labels_of_rules(game.seats),
        )
    else:
        rules, labels = (lambda: ""), labels_of_engine(found.seats)
    return Source(**vars(found), rules=rules, labels=labels)


def _digest_of_rules(rules: Callable[..., object]) -> str:
    """By the lines of the function, without what is no matter: blanks and comments."""
    try:
        lines = dedent(inspect.getsource(rules)).splitlines()
    except (OSError, TypeError):  # typed in, or made by a program
        return ""
    said = "\n".join(line.rstrip() for line in lines if line.strip() and line.strip()[0] != "#")
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
