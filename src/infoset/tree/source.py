"""Anything that can be given as a game: where its plays begin, who plays, and its tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from infoset.errors import InfosetError
from infoset.objects.numbers import exact
from infoset.rules import Family, Game, Position, StagePosition
from infoset.rules.seats import Seats, seat
from infoset.tree.matrix import MatrixGame
from infoset.tree.openspiel import SpielGame, is_openspiel
from infoset.tree.positions import TreePosition, tree_of_position
from infoset.tree.record import Tree


@dataclass(frozen=True)
class Source:
    """A game with its first position, its players and its tree."""

    name: str
    seats: Seats
    start: Position
    tree: Callable[..., Tree]  # at most so many nodes, if a number is given; MAX_NODES if not
    bounds: tuple[Fraction, Fraction] | None = None  # of the first player's payoffs, if known
    stages: StagePosition | None = None  # the same game over integers, if it has them


def source(game: Any) -> Source:
    """What is given as a game, made walkable; else an error that says what can be."""
    if isinstance(game, Family):
        game = game()
    if isinstance(game, MatrixGame):
        game = game.tree()
    if isinstance(game, Tree):
        leaf_payoffs = game.leaf_payoffs[0]
        lowest, highest = leaf_payoffs.numerators.argmin(), leaf_payoffs.numerators.argmax()
        bounds = (Fraction(leaf_payoffs[int(lowest)]), Fraction(leaf_payoffs[int(highest)]))
        seats = seats_of_names(game.names)
        return Source(game.name, seats, TreePosition(game), lambda *_: game, bounds)
    if isinstance(game, Game):
        return Source(
            repr(game), game.seats, game.position(), game.tree, _bounds(game), game.stages
        )
    if is_openspiel(game):
        game = SpielGame(game)
    if isinstance(game, type) or not callable(getattr(game, "position", None)):
        raise InfosetError(
            "a game, a tree, a payoff table, a game of OpenSpiel or something with .position()"
            f" and .players can be walked, not {type(game).__name__} {game!r:.40}"
        )
    return _from_position(game)


def _bounds(game: Game) -> tuple[Fraction, Fraction] | None:
    """What the rules declare; else the bounds of their stages."""
    stages = game.stages
    if game.bounds is not None or stages is None:
        return game.bounds
    begins = stages.beginning
    return begins.unit * begins.low, begins.unit * begins.high


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
    given = getattr(game, "bounds", None)
    bounds = None if given is None else (exact(given[0]), exact(given[1]))
    tree = partial(tree_of_position, start, seats, name)
    return Source(name, seats, start, tree, bounds)


def seats_of_names(names: tuple[str, ...]) -> Seats:
    """The seats of a file's players, whose names may be ones that rules refuse."""
    number = {name: at for at, name in enumerate(names)}
    members: dict[str, tuple[int, ...]] = {name: (at,) for at, name in enumerate(names)}
    return Seats(
        players=names,
        agents=names,
        player_of=tuple(range(len(names))),
        agent_number=number,
        player_number=number,
        members=members,
        audiences=dict(members),
        others={},
        wins={},
    )
