"""Payoff tables: games in normal form, and their trees.

A table lists the payoffs of every profile of pure strategies, the first player's strategy running
fastest: the order of Gambit's ``.nfg`` files.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from infoset.errors import TreeError
from infoset.objects.numbers import exact
from infoset.rules.moves import text_for_list
from infoset.text import printable
from infoset.tree.builder import Builder
from infoset.tree.knowledge import NOTHING
from infoset.tree.record import Tree


@dataclass(frozen=True)
class MatrixGame:
    """A game in normal form.

    Parameters
    ----------
    players
        Their names.
    strategies
        Of each player.
    payoffs
        Of each profile, the first player's strategy running fastest, one for each player.
    name, comment
        Of the game.
    outcome_names
        Of each profile, or none.

    Raises
    ------
    TreeError
        If the shapes do not fit.

    Examples
    --------
    >>> pennies = matrix_game([[1, -1], [-1, 1]], actions=(("heads", "tails"),) * 2)
    >>> pennies.payoffs_of((0, 1))
    (Fraction(-1, 1), Fraction(1, 1))
    >>> pennies.tree()
    <Tree of matrix game: 7 nodes, 2 information sets, 2 players>
    """

    players: tuple[str, ...]
    strategies: tuple[tuple[Hashable, ...], ...]  # [player][strategy]
    payoffs: tuple[tuple[Fraction, ...], ...]  # [profile][player], first player's strategy fastest
    name: str = "matrix game"
    comment: str = ""
    outcome_names: tuple[str, ...] = ()  # [profile] or empty

    def __post_init__(self) -> None:
        if not self.players or len(self.players) != len(self.strategies):
            raise TreeError(
                f"{len(self.strategies)} lists of strategies for {len(self.players)} players"
            )
        for player, own in zip(self.players, self.strategies, strict=True):
            if not own:
                raise TreeError(f"the player {player!r} has no strategies")
        profiles = prod(map(len, self.strategies))
        if len(self.payoffs) != profiles:
            raise TreeError(f"{len(self.payoffs)} payoff vectors for {profiles} profiles")
        for vector in self.payoffs:
            if len(vector) != len(self.players):
                raise TreeError(f"{len(vector)} payoffs for {len(self.players)} players")
        if self.outcome_names and len(self.outcome_names) != profiles:
            raise TreeError(f"{len(self.outcome_names)} outcome names for {profiles} profiles")
        exactly = tuple(
            tuple(amount if type(amount) is Fraction else exact(amount) for amount in vector)
            for vector in self.payoffs
        )
        object.__setattr__(self, "payoffs", exactly)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many strategies each player has."""
        return tuple(map(len, self.strategies))

    def profile_number(self, profile: Sequence[int]) -> int:
        """The index of a profile in the table of payoffs.

        Parameters
        ----------
        profile
            [player] the number of its strategy, from 0.

        Returns
        -------
        int
            The first player's strategy varies fastest.

        Raises
        ------
        TreeError
            If there is no such strategy, or not one for each player.

        Examples
        --------
        >>> from infoset import matrix_game
        >>> pennies = matrix_game([[1, -1], [-1, 1]])
        >>> pennies.profile_number((1, 0)), pennies.profile_number((0, 1))
        (1, 2)
        """
        if len(profile) != len(self.players):
            raise TreeError(f"{len(profile)} strategies for {len(self.players)} players")
        number, step = 0, 1
        for strategy, size in zip(profile, self.shape, strict=True):
            if not 0 <= strategy < size:
                raise TreeError(
                    f"there is no strategy {strategy}; they are counted 0 to {size - 1}"
                )
            number, step = number + strategy * step, step * size
        return number

    def payoffs_of(self, profile: Sequence[int]) -> tuple[Fraction, ...]:
        """The payoffs of a profile of pure strategies.

        Parameters
        ----------
        profile
            [player] the number of its strategy, from 0.

        Returns
        -------
        tuple of Fraction
            [player] its payoff.

        Examples
        --------
        >>> from infoset import matrix_game
        >>> pennies = matrix_game([[1, -1], [-1, 1]])
        >>> pennies.payoffs_of((0, 1))
        (Fraction(-1, 1), Fraction(1, 1))
        """
        return self.payoffs[self.profile_number(profile)]

    def tree(self) -> Tree:
        """The extensive form: players choose in order, none knowing what others have chosen."""
        builder = Builder(self.players, self.name, self.comment)
        open_nodes: list[tuple[int, tuple[int, ...]]] = [(builder.root, ())]
        for player, own in enumerate(self.strategies):
            below = []
            for node, chosen in open_nodes:
                new = builder.decide(node, player, own, infoset="all", label=NOTHING)
                below += [(child, (*chosen, number)) for number, child in enumerate(new)]
            open_nodes = below
        for node, profile in open_nodes:
            number = self.profile_number(profile)
            name = self.outcome_names[number] if self.outcome_names else ""
            builder.pay(node, self.payoffs[number], name)
        return builder.build()


def matrix_game(
    first: Iterable[Iterable[Any]],
    second: Iterable[Iterable[Any]] | None = None,
    *,
    players: Sequence[str] = ("row", "column"),
    actions: Sequence[Sequence[Hashable]] | None = None,
    name: str = "matrix game",
) -> MatrixGame:
    """A two-player game from payoff matrices.

    Parameters
    ----------
    first
        The payoffs of the row player.
    second
        The payoffs of the column player; if left out, the game is zero-sum.
    players
        Their names.
    actions
        The names of the rows and of the columns.
    name
        Of the game.

    Returns
    -------
    MatrixGame
        With exact payoffs.

    Raises
    ------
    TreeError
        If the matrices are empty or of different shapes, or names are given as one text.

    Examples
    --------
    >>> matrix_game([[3, 0], [5, 1]], [[3, 5], [0, 1]]).payoffs_of((1, 0))
    (Fraction(5, 1), Fraction(0, 1))
    """
    rows = [[exact(entry) for entry in row] for row in first]
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise TreeError("a payoff matrix needs rows of equal length, and at least one of each")
    others = (
        [[-entry for entry in row] for row in rows]
        if second is None
        else [[exact(entry) for entry in row] for row in second]
    )
    if [len(row) for row in others] != [len(row) for row in rows]:
        raise TreeError("the two payoff matrices must have the same shape")
    for what, names in (("players", players), *(("actions", own) for own in actions or ())):
        if isinstance(names, str):
            raise TreeError(text_for_list(what, names))
    if actions is None:
        actions = (
            tuple(f"row {i + 1}" for i in range(len(rows))),
            tuple(f"column {j + 1}" for j in range(len(rows[0]))),
        )
    table = [(rows[i][j], others[i][j]) for j in range(len(rows[0])) for i in range(len(rows))]
    own = tuple(tuple(names) for names in actions)
    if [len(names) for names in own] != [len(rows), len(rows[0])]:
        raise TreeError(f"the names of actions do not fit {len(rows)} rows, {len(rows[0])} columns")
    return MatrixGame(tuple(players), own, tuple(table), name)


def parse_matrices(
    text: str,
    players: Sequence[str] = ("row", "column"),
    rows: Sequence[str] = (),
    columns: Sequence[str] = (),
) -> MatrixGame:
    """A two-player game from text, as one writes it on a line.

    Parameters
    ----------
    text
        Rows between semicolons, cells between blanks, in a cell the payoffs of both players with a
        comma between them, or one number, the row player's, for a zero-sum game. Numbers are exact:
        ``2``, ``-1/3``, ``0.25``.
    players, rows, columns
        Names; rows and columns are numbered if they have none.

    Returns
    -------
    MatrixGame
        With exact payoffs.

    Raises
    ------
    TreeError
        If the text is not a matrix, with the cell that is wrong, or names do not fit.

    Examples
    --------
    >>> parse_matrices("3,3 0,5; 5,0 1,1").payoffs_of((1, 0))
    (Fraction(5, 1), Fraction(0, 1))
    >>> parse_matrices("1 -1; -1 1").payoffs_of((0, 1))
    (Fraction(-1, 1), Fraction(1, 1))
    """
    lines = [line.split() for line in text.strip().removesuffix(";").split(";")]
    sizes = {len(line) for line in lines}
    if len(sizes) > 1 or 0 in sizes:
        raise TreeError(
            f"a matrix of rows with {' and '.join(map(str, sorted(sizes)))} cells; write rows of"
            " equal length, as in '3,3 0,5; 5,0 1,1'"
        )
    cells = [[_cell(cell, i, j) for j, cell in enumerate(line)] for i, line in enumerate(lines)]
    kinds = {len(cell) for row in cells for cell in row}
    if len(kinds) > 1:
        raise TreeError("some cells have one payoff and some have two; give one or two in all")
    if len(players) != 2:
        raise TreeError(f"{len(players)} names of players; a matrix has two players")
    own = (
        tuple(rows) or tuple(f"row {i + 1}" for i in range(len(cells))),
        tuple(columns) or tuple(f"column {j + 1}" for j in range(len(cells[0]))),
    )
    for names in (players, *own):
        if len(set(names)) < len(names):
            raise TreeError(f"a name is given twice: {printable(', '.join(names))}")
    first = [[cell[0] for cell in row] for row in cells]
    second = None if kinds == {1} else [[cell[1] for cell in row] for row in cells]
    return matrix_game(first, second, players=players, actions=own)


def _cell(cell: str, row: int, column: int) -> list[Fraction]:
    try:
        amounts = [Fraction(amount) for amount in cell.split(",")]
        if len(amounts) <= 2:
            return amounts
    except (ValueError, ZeroDivisionError):
        pass
    raise TreeError(
        f"row {row + 1}, column {column + 1}: {printable(cell)!r} is not a payoff or two with a"
        " comma between them, as 3 or 3,1/2"
    )
