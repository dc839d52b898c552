"""Strategies as tables that a person can edit: CSV out, CSV in.

A file has a row for each action of each information set:

    player,information set,number,action,probability,exact
    gambler,J,#1,pass,0.666666666667,2 over 3
    gambler,J,#1,bet,0.333333333333,1 over 3

The probability is what to edit; ``exact`` counts only as long as the probability is what it rounds
to, and may be left out. Spreadsheets make dates of fractions, and leave it alone.

What spreadsheets make of a file is read as well: semicolons or tabs between the cells, a byte order
mark, blank lines, other columns and another order of them, ``0.25``, ``0,25``, ``25%``, ``1/4``. An
information set is known by its number, or by its label where that is enough; if both are there they
must agree. An action that is left out, or has an empty cell, has probability 0; but the
probabilities at a set must sum to one. Sums that miss it by at most 0.011, as of thirds that were
written 0.33, are divided out, and a note says so if it is not the last digits only. Where they sum
to 100, give or take 1, they are percentages, and a note says that. A set that is left out
altogether is refused, since a typing error must not pass for a wish, unless ``missing`` says what
to do there.

A cell that a spreadsheet would compute (``=...``, ``@...``) is written after an apostrophe, which
reading takes off again: labels come from files that anyone may have written. An action that is
nothing but blanks is written ``(blank)``.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from os import PathLike
from typing import Any

import numpy as np

from infoset.errors import FileError, ParameterError, StrategyError
from infoset.examine.questions.places import closest, name_of
from infoset.examine.questions.subject import listed, played, seen
from infoset.examine.spreadsheets import ASKED, COLUMNS, rows_of, written_cell, written_share
from infoset.examine.strategy_rows import Rows, action_names
from infoset.examine.tables.safe import shown
from infoset.solve.solution import Solution
from infoset.strategy import Behaviour, Profile, Strategy
from infoset.strategy.behaviour import even_shares
from infoset.strategy.kuhn import as_behaviour
from infoset.tree import Tree
from infoset.tree.files.atomic import read_text, write_lines

Source = str | PathLike[str]


class Edited(Mapping[str, Behaviour]):
    """The strategies in a file, by player, and what was done to make them strategies."""

    def __init__(self, strategies: Mapping[str, Behaviour], notes: tuple[str, ...]) -> None:
        """Strategies by player; the notes are for whoever wrote the file."""
        self._strategies = dict(strategies)
        self.notes = notes

    def __getitem__(self, player: str) -> Behaviour:
        return self._strategies[player]

    def __iter__(self) -> Iterator[str]:
        return iter(self._strategies)

    def __len__(self) -> int:
        return len(self._strategies)

    def __repr__(self) -> str:
        return f"<Strategies of {listed(self._strategies)}>"


# ---------------------------------------------------------------------- out


Several = Strategy | Mapping[str, Strategy] | Iterable[Strategy] | Solution | Profile


def strategy_csv(strategies: Several) -> str:
    """A strategy, or those of several players, as a table to be edited.

    :func:`read_strategies` gives the same strategies again, exactly if they are.

    >>> from infoset.games import matching_pennies
    >>> from infoset.strategy import uniform
    >>> print(strategy_csv(uniform(matching_pennies().tree(), "even")), end="")
    player,information set,number,action,probability,exact
    even,nothing yet,#1,heads,0.5,1 over 2
    even,nothing yet,#1,tails,0.5,1 over 2
    """
    return "".join(_lines(strategies))


def write_strategies(path: Source, strategies: Several) -> None:
    """Write :func:`strategy_csv` to a file; the file is complete or as it was before."""
    write_lines(_checked(path), _lines(strategies))


def _lines(strategies: Several) -> Iterator[str]:
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(COLUMNS)
    for own in map(as_behaviour, _listed(strategies)):
        for at, index in enumerate(own.choices.infosets.tolist()):
            infoset, first = own.tree.infosets[index], int(own.choices.first[at])
            head = (written_cell(own.player), written_cell(infoset.label), f"#{index + 1}")
            for action, name in enumerate(action_names(infoset)):
                told = written_share(own.shares[first + action])
                table.writerow((*head, written_cell(name), *told))
            yield written.getvalue()
            written.seek(0)
            written.truncate()
    yield written.getvalue()


def _listed(strategies: Any) -> list[Strategy]:
    if isinstance(strategies, Strategy):
        return [strategies]
    if isinstance(strategies, Solution | Profile):
        return list(played(strategies))
    several = strategies.values() if isinstance(strategies, Mapping) else strategies
    found = list(several) if isinstance(several, Iterable) else [several]
    for one in found:
        if not isinstance(one, Strategy):
            raise StrategyError(f"{seen(one)} is no strategy; solution.strategy has one a player")
    return found


# ---------------------------------------------------------------------- in


def read_strategy(source: Source, tree: Tree, *, missing: Any = "refuse") -> Behaviour:
    """The strategy in a file, which has one player's; see :func:`read_strategies`."""
    found = read_strategies(source, tree, missing=missing)
    if len(found) != 1:
        raise FileError(
            f"{_name(source)}: strategies of {listed(found)}, where one is wanted;"
            " read_strategies() reads them all"
        )
    return next(iter(found.values()))


def read_strategies(source: Source, tree: Tree, *, missing: Any = "refuse") -> Edited:
    r"""The strategies in a CSV file, or in a text of several lines, by player.

    ``missing`` is what becomes of information sets that a player's rows leave out: ``"refuse"``,
    ``"uniform"``, or strategies to take it from, as a Solution, a Profile or a mapping.

    >>> from infoset.games import matching_pennies
    >>> tree = matching_pennies().tree()
    >>> found = read_strategies("player;action;probability;number\n;heads;25%;1\n;tails;0,75;1\n",
    ...                         tree)
    >>> found["even"]["nothing yet"]
    {'heads': Fraction(1, 4), 'tails': Fraction(3, 4)}
    """
    file = Rows(_name(_checked(source)), tree)
    for line, cells in rows_of(file.name, _content(source)):
        file.take(line, cells)
    if not file.shares:
        raise FileError(f"{file.name}: no strategy is in it; a row is player,{','.join(ASKED[1:])}")
    fill = _filling(tree, missing)
    shares = {infoset: file.checked(infoset) for infoset in sorted(file.shares)}
    owners = {tree.infosets[infoset].player for infoset in shares}
    strategies = {}
    for player in tree.names:
        if player in owners:
            strategies[player] = _behaviour(file, player, shares, fill)
    return Edited(strategies, tuple(file.notes))


def _checked(source: Source) -> Source:
    if not isinstance(source, str | PathLike):
        raise ParameterError(f"{seen(source)} names no file; give a name or a path")
    return source


def _name(source: Source) -> str:
    return "the text" if isinstance(source, str) and "\n" in source else shown(str(source))


def _content(source: Source) -> str:
    if isinstance(source, str) and "\n" in source:
        return source.removeprefix("\ufeff")
    return read_text(source)


# ---------------------------------------------------------------------- what is left out


def _filling(tree: Tree, missing: Any) -> Any:
    """Strategies for what is left out: by player, None to refuse, or "uniform"."""
    if isinstance(missing, str):
        if missing in ("refuse", "uniform"):
            return None if missing == "refuse" else missing
        raise ParameterError(f"missing={missing!r}; {closest(missing, ('refuse', 'uniform'))}")
    if isinstance(missing, Solution | Profile):
        return {strategy.player: strategy for strategy in played(missing)}
    if isinstance(missing, Mapping):
        return missing
    raise ParameterError(f"missing={seen(missing)}: say 'refuse', 'uniform', or give strategies")


def _behaviour(
    file: Rows, player: str, given: Mapping[int, Mapping[int, Fraction]], fill: Any
) -> Behaviour:
    tree = file.tree
    choices = tree.choices[tree.player_number(player)]
    left = [at for at in choices.infosets.tolist() if at not in given]
    if left and (fill is None or (fill != "uniform" and player not in fill)):
        more = f", nor of {len(left) - 1:,} others" if len(left) > 1 else ""
        raise FileError(
            f"{file.name}: no rows of {name_of(tree.infosets[left[0]])} (#{left[0] + 1}){more};"
            " add them, or say what happens there: missing='uniform' or strategies (--missing"
            " uniform, --missing solution)"
        )
    shares = even_shares(choices)
    if left and fill != "uniform":
        strategy = fill[player]
        if not isinstance(strategy, Strategy) or strategy.tree is not tree:
            raise StrategyError(f"{tree.name}: {seen(strategy)} is no strategy of this tree")
        shares = np.array([Fraction(share) for share in as_behaviour(strategy).shares], object)
    for own, index in enumerate(choices.infosets.tolist()):
        if index in given:
            first, size = int(choices.first[own]), int(choices.sizes[own])
            shares[first : first + size] = [given[index].get(at, Fraction(0)) for at in range(size)]
    return Behaviour(tree, player, shares)
