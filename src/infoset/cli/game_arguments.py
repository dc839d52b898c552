"""A game named on the command line.

kuhn ranks=13            of the library, with parameters
mygame.py:rules size=4   a rules function in a file (the function may be left out if alone)
horse.efg, table.nfg     a file of Gambit's
"matrix:3,3 0,5; 5,0 1,1"   a game of two by its payoffs: cells by blanks, rows by semicolons
openspiel:leduc_poker    a game of OpenSpiel's, where that is installed
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infoset.cli.options import argument, option
from infoset.cli.progress import progress
from infoset.errors import (
    NotApplicable,
    ParameterError,
    TooLarge,
    UnknownGame,
    nearest,
)
from infoset.forms.public import PublicForm
from infoset.games import family
from infoset.rules import Family, Game
from infoset.rules.modules import loaded_module
from infoset.rules.parameters import parse_parameters
from infoset.rules.running import MAX_MOVES, MAX_NODES, SECONDS_PER_MOVE, Limits
from infoset.text import brief
from infoset.tree import Tree, tree_of_game
from infoset.tree.files import load
from infoset.tree.matrix import MatrixGame, parse_matrices
from infoset.tree.openspiel import SpielGame

TREES = (".efg", ".nfg")  # files that are trees already
MATRIX = "matrix:"
OPENSPIEL = "openspiel:"  # what the names of OpenSpiel's games begin with
ONE_GAME = (OPENSPIEL, MATRIX)  # what begins like this is one game, not a family of them


@dataclass(frozen=True)
class GameArguments:
    """Which game is meant."""

    name: str = argument(
        "A library game, FILE.py:FUNCTION, FILE.efg, FILE.nfg, openspiel:NAME or 'matrix:CELLS'.",
        "GAME",
    )
    parameters: tuple[str, ...] = argument(
        "Parameters of the game, as in ranks=13.", "[NAME=VALUE]...", default=()
    )

    @property
    def is_tree(self) -> bool:
        """Is it a tree already: in a file, or by its matrix?"""
        if self.openspiel:
            return False
        return self.name.startswith(MATRIX) or self.name.lower().endswith(TREES)

    @property
    def openspiel(self) -> str:
        """Its name in OpenSpiel, if it is a game from there; else nothing."""
        return self.name.removeprefix(OPENSPIEL) if self.name.startswith(OPENSPIEL) else ""

    @property
    def has_rules(self) -> bool:
        """Is it given by rules, in the library or in a file?"""
        return not self.is_tree and not self.openspiel

    @property
    def file(self) -> Path:
        """The file that it is read from, if there is one."""
        return Path(self.name.rpartition(":")[0] if ".py:" in self.name else self.name)


def max_nodes_option() -> Any:
    """``--max-nodes N``, of every command that builds trees."""
    return option("Give up on trees with more nodes.", default=MAX_NODES, minimum=1)


@dataclass(frozen=True)
class LimitOptions:
    """How large a game may be."""

    max_nodes: int = max_nodes_option()
    max_moves: int = option("Give up on longer plays.", default=MAX_MOVES, minimum=1)
    seconds_per_move: float = option(
        "Time that the rules may take for one move.",
        metavar="SECONDS",
        default=SECONDS_PER_MOVE,
        minimum=0.1,
    )


def named_tree(game: GameArguments, limits: LimitOptions) -> Tree:
    """The tree of the game."""
    name = game.name
    if game.openspiel:
        with progress(name) as bar:
            return _spiel_game(game).tree(limits.max_nodes, None if bar is None else bar.tick)
    if name.startswith(MATRIX):
        return _named_matrix(game).tree()
    if game.is_tree:
        _refuse_parameters(game)
        tree = load(Path(name))
        if len(tree) > limits.max_nodes:
            raise TooLarge(
                f"{name}: {len(tree):,} nodes, more than {limits.max_nodes:,}; raise --max-nodes"
            )
        return tree
    chosen = _chosen(game)
    with progress(repr(chosen)) as bar, redirect_stdout(sys.stderr):
        watched = () if bar is None else (bar.tick, bar.expect)
        within = Limits(limits.max_nodes, limits.max_moves, limits.seconds_per_move, *watched)
        return tree_of_game(chosen, within)


def named_game(game: GameArguments, limits: LimitOptions) -> Game | Tree | SpielGame:
    """The game; what is a tree already, within the limits, as it is."""
    if game.openspiel:
        return _spiel_game(game)
    return named_tree(game, limits) if game.is_tree else _chosen(game)


def _spiel_game(game: GameArguments) -> SpielGame:
    _refuse_parameters(game)
    return SpielGame(game.openspiel)


def _chosen(game: GameArguments) -> Game:
    family = named_family(game.name)
    return family(**parse_parameters(family, game.parameters))


def _named_matrix(game: GameArguments) -> MatrixGame:
    """A matrix game by its payoffs; parameters name players, rows and columns."""
    names: dict[str, tuple[str, ...]] = {}
    for word in game.parameters:
        name, sign, text = word.partition("=")
        if not sign or name not in ("players", "rows", "columns") or name in names:
            raise ParameterError(
                f"{word!r} is not a parameter of a matrix; name players=ANN,BOB, rows=TOP,BOTTOM"
                " or columns=LEFT,RIGHT, each once"
            )
        names[name] = tuple(part.strip() for part in text.split(","))
    return parse_matrices(game.name.removeprefix(MATRIX), **names)


def _refuse_parameters(game: GameArguments) -> None:
    if game.parameters:
        raise ParameterError(
            f"{game.name} takes no parameters, but {game.parameters[0]!r} was given"
        )


def public_form(
    game: Game | Tree | SpielGame, limits: LimitOptions, *, fold: bool = True, merge: bool = False
) -> PublicForm:
    """The public form of a game, with a word about how far it is."""
    if not isinstance(game, Game):
        what = "a tree" if isinstance(game, Tree) else "a game of OpenSpiel"
        raise NotApplicable(
            f"{brief(game.name)}: a public form is built from rules, and this is {what}; leave"
            " out --public"
        )
    with (
        redirect_stdout(sys.stderr),  # what rules print is no part of the answer
        progress(f"the public form of {brief(repr(game))}") as bar,
    ):
        return game.public(
            fold=fold,
            merge=merge,
            max_moves=limits.max_moves,
            seconds_per_move=limits.seconds_per_move,
            progress=None if bar is None else bar.tick,
            expect=None if bar is None else bar.expect,
        )


def named_family(name: str) -> Family:
    """The family of games of this name: of the library, or in a file."""
    path, _, function = name.rpartition(":") if ".py:" in name else (name, "", "")
    if path.endswith(".py"):
        return _family_in_file(Path(path), function)
    try:
        return family(name.replace("-", "_"))
    except UnknownGame as error:
        files = "a file is named FILE.py:FUNCTION, FILE.efg or FILE.nfg, a matrix 'matrix:1 0; 0 1'"
        raise UnknownGame(f"{error} ({files})") from None


def _family_in_file(path: Path, function: str) -> Family:
    module = loaded_module(path)
    found = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, Family) and value.rules.__module__ == module.__name__
    }
    if function in found:
        return found[function]
    if function and hasattr(module, function):
        raise UnknownGame(f"{path}: {function!r} is not a game; put @game(players=...) above it")
    if not found:
        raise UnknownGame(f"{path}: no game here; put @game(players=...) above a rules function")
    if function:
        raise UnknownGame(f"{path}: no game {function!r}; {nearest(function, found)}")
    if len(found) > 1:
        raise UnknownGame(f"{path} has several games: say {path}:{' or '.join(found)}")
    return next(iter(found.values()))
