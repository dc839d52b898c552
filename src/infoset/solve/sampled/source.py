"""Whatever is given as a game: where its plays begin, who plays, and its tree if it is wanted."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import dedent
from typing import Any

from infoset.errors import InfosetError
from infoset.rules import Family, Game, Position
from infoset.rules.seats import Seats, seat
from infoset.solve.sampled.labels import (
    Labels,
    labels_of_engine,
    labels_of_rules,
    labels_of_tree,
)
from infoset.tree import MatrixGame, Tree
from infoset.tree.positions import tree_of_position
from infoset.tree.walking import TreePosition


@dataclass(frozen=True)
class Source:
    """A game that can be walked."""

    name: str
    seats: Seats
    start: Position
    tree: Callable[[], Tree]
    rules: Callable[[], str]  # a digest of what they say; empty where that cannot be told
    labels: Labels  # how information sets read, the same as in the tree


def source(game: Any) -> Source:
    """What is given as a game, made walkable; else an error that says what can be."""
    if isinstance(game, Family):
        game = game()
    if isinstance(game, MatrixGame):
        game = game.tree()
    if isinstance(game, Tree):
        return Source(
            game.name,
            _seats_of_names(game.names),
            TreePosition(game),
            lambda: game,
            lambda: game.fingerprint,
            labels_of_tree(game),
        )
    if isinstance(game, Game):
        return Source(
            repr(game),
            game.seats,
            game.position(),
            game.tree,
            lambda: _digest_of_rules(game.family.rules),
            labels_of_rules(game.seats),
        )
    if isinstance(game, type) or not callable(getattr(game, "position", None)):
        raise InfosetError(
            "a game, a tree, a payoff table or something with .position() and .players can be"
            f" sampled, not {type(game).__name__} {game!r:.40}"
        )
    return _from_position(game)


def _from_position(game: Any) -> Source:
    """A game on an engine of its own, which says where it starts and who plays."""
    players = getattr(game, "seats", None) or getattr(game, "players", None)
    if not isinstance(players, Seats | Sequence | Mapping) or isinstance(players, str):
        raise InfosetError(
            f"{type(game).__name__} {game!r:.40} does not say who plays; give it .players, names"
            " in order or teams with their agents"
        )
    seats = players if isinstance(players, Seats) else seat(players)
    start = game.position()
    name = str(getattr(game, "name", "") or type(game).__name__)
    return Source(
        name,
        seats,
        start,
        lambda: tree_of_position(start, seats, name),
        lambda: "",
        labels_of_engine(seats),
    )


def _seats_of_names(names: tuple[str, ...]) -> Seats:
    """Of a file's players, whatever they are called: rules would mind some names."""
    number = {name: at for at, name in enumerate(names)}
    members: dict[str, tuple[int, ...]] = {name: (at,) for at, name in enumerate(names)}
    return Seats(names, names, tuple(range(len(names))), number, number, members, {}, {})


def _digest_of_rules(rules: Callable[..., object]) -> str:
    """By the lines of the function, without what is no matter: blanks and comments."""
    try:
        lines = dedent(inspect.getsource(rules)).splitlines()
    except (OSError, TypeError):  # typed in, or made by a program
        return ""
    said = "\n".join(line.rstrip() for line in lines if line.strip() and line.strip()[0] != "#")
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
