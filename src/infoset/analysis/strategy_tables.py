"""A strategy as tables and panels: grouped by what is public, a row for each private knowledge.

Strategies are found on a tree, on a public form or by sampling, and are shown alike. What a kind of
result must know of a player's strategy is a :class:`StrategySource`: its public situations, each
with a heading, the actions, and for everything that the player may know in private the probability
of each action, the reach, the value, the beliefs. From that follow the tables, the panels of a plot
and the rows of a file, here and in :mod:`infoset.strategy.files`, for every kind.

A large strategy is folded: a row for each situation, with the frequencies of the actions over all
that the player may hold, the likeliest first. Situations are made when they are looked at, and rows
when they are shown.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from infoset.analysis.expectations import Expectations, NodeNames
from infoset.analysis.situations import (
    Longs,
    Situation,
    Situations,
    menu_names,
    merged,
    situations,
)
from infoset.analysis.table import FEW, NUMBER, PROBABILITY, PROSE, Column, Sheet, Table
from infoset.analysis.where import fits, terms_of
from infoset.errors import ParameterError, StrategyError
from infoset.strategy import Behaviour, Mixed, Profile
from infoset.strategy.assessment import Assessment
from infoset.strategy.files import Line, behaviour_lines
from infoset.text import brief, count_text, probabilities_text, probability_text
from infoset.tree import Infoset, Tree
from infoset.tree.views import Views

Floats = npt.NDArray[np.float64]

REACH_AND_VALUE = (Column("reach", NUMBER), Column("value", NUMBER))

FOLDED = 60  # information sets above which a strategy is folded, unless something was asked for
MOST_PANELS = 12  # of a player in one plot
LIKELIEST = 3  # beliefs, and actions of a folded strategy, that are named
HARDLY = 0.005  # frequencies below are not named: they would read 0%


# ---------------------------------------------------------------------- where a strategy is from


class Row(NamedTuple):
    """What a player does at one information set, and what is known of it."""

    name: str  # what is private
    probabilities: Sequence[Any]  # [action of the situation]; None where it is not offered
    beside: tuple[Any, ...] = ()  # a cell for each column beside them: reach, value, beliefs


@dataclass(frozen=True, eq=False)
class Panel:
    """What a plot shows of one public situation."""

    player: str
    title: str  # what is public
    names: tuple[str, ...]  # [row] what is private
    actions: tuple[str, ...]  # [column]
    probabilities: Floats  # [row, column]; not a number where an action is not offered
    reach: Floats  # [row] how likely the player is there
    ordered: bool  # do the names have an order, as ranks have?
    private: bool  # is there anything private, shown or not?
    breaks: tuple[int, ...] = ()  # rows at which a new order begins: another suit's ranks


@dataclass(frozen=True, eq=False)
class Panels:
    """The panels of one player that are shown."""

    player: str
    shown: tuple[Panel, ...]
    count: int  # how many there are


class SituationRows(ABC):
    """Those information sets of one public situation that are shown."""

    heading: str  # what is public, above a table or a panel
    title: str  # the same in a row
    actions: tuple[str, ...]

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def columns(self) -> tuple[Column, ...]:
        """The columns beside the probabilities."""

    @abstractmethod
    def row(self, at: int) -> Row:
        """The row of one information set, in the order of what is private."""

    @abstractmethod
    def frequencies(self) -> Floats | None:
        """[action] how often it is taken in the situation; None if no play comes there."""

    @abstractmethod
    def panel(self) -> Panel:
        """All rows as arrays."""

    def table(self) -> Table:
        """All rows as a table."""
        columns = (Column("private"), *action_columns(self.actions), *self.columns())

        def row(at: int) -> tuple[Any, ...]:
            name, probabilities, beside = self.row(at)
            return (name, *probabilities, *beside)

        rows = Views(lru_cache(FEW)(row), len(self))  # each is measured before it is drawn
        return Table(self.heading, columns, rows)


class Matches(ABC):
    """The public situations that have information sets with the labels that are looked for."""

    sizes: Sequence[int]  # [situation] how many of its information sets are shown

    def __len__(self) -> int:
        """The number of situations."""
        return len(self.sizes)

    @abstractmethod
    def __getitem__(self, at: int) -> SituationRows: ...

    @property
    @abstractmethod
    def reach(self) -> Floats:
        """[situation] how likely a play comes to the information sets that are shown."""

    @property
    @abstractmethod
    def actions(self) -> tuple[str, ...]:
        """The columns of a table with all situations; none if they would be too many."""


class StrategySource(ABC):
    """A player's strategy, with what is known of it: what tables, plots and files are made from."""

    player: str
    game: str  # its name
    infosets: int  # the player's
    widest: int  # information sets of one situation, at most; 1 if nothing is private
    beside: tuple[Column, ...]  # the columns beside the probabilities, if situations are rows
    folds: bool  # is it known how likely situations are, so that each may be one row?
    public = "public"  # the column of the situations, if these are rows
    note = ""  # below the tables
    flat_note = ""  # below the table, if situations are rows
    nothing = "nothing to choose"  # in their place
    among = ""  # which information sets are known, if not all

    @abstractmethod
    def find(self, terms: Sequence[str] = ()) -> Matches:
        """The situations that have labels with all of these texts; there may be none."""

    @abstractmethod
    def example(self) -> str | None:
        """The label of one information set."""

    @abstractmethod
    def lines(self) -> Iterator[Line]:
        """All information sets, as files have them."""


def find(source: StrategySource, where: str | Sequence[str] = ()) -> Matches:
    """The situations that have the labels that are looked for; refused if there are none."""
    ((_, found),) = find_all([source], where)
    return found


def find_all(
    sources: Sequence[StrategySource], where: str | Sequence[str] = ()
) -> list[tuple[StrategySource, Matches]]:
    """The same for those of several players in whose labels the texts are."""
    terms = terms_of(where)
    found = [(source, source.find(terms)) for source in sources]
    if not terms:
        return found
    kept = [(source, matches) for source, matches in found if len(matches)]
    if not kept:
        names = [source.player for source in sources]
        example = next(filter(None, (source.example() for source in sources)), None)
        raise no_such_label(sources[0].game, names, terms, example, sources[0].among)
    return kept


def no_such_label(
    game: str, players: Sequence[str], terms: Sequence[str], example: str | None, among: str = ""
) -> ParameterError:
    """That no label of these players has the texts, with a label that there is."""
    asked = " and ".join(map(repr, terms))
    hint = "" if example is None else f"; one reads {example!r:.80}"
    return ParameterError(
        f"{brief(game)}: no information set of {' or '.join(players)}{among} has {asked} in its"
        f" label{hint}"
    )


# ---------------------------------------------------------------------- tables


def sheet_of(
    source: StrategySource,
    *,
    where: str | Sequence[str] = (),
    fold: bool | None = None,
    rows: range | None = None,
) -> Sheet:
    """A strategy as tables, wherever it was found.

    Parameters
    ----------
    source
        The strategy, and what is known beside it.
    where
        Keep only information sets whose label has all of these texts in it: see
        :mod:`infoset.analysis.where`.
    fold
        One row for each situation, the likeliest first. By default where there are many and nothing
        was asked for.
    rows
        A page of a long strategy, counted over all its tables. Nothing else is made.

    Returns
    -------
    Sheet
        A table for each public situation; a single one if it is folded, or if nothing is private.

    Raises
    ------
    ParameterError
        If no label has the texts, if ``rows`` is no page, or if ``fold`` is asked for where it is
        not known how likely situations are.

    """
    check_rows(rows)
    if fold and not source.folds:
        raise ParameterError(
            f"{source.game}: {source.player}: fold=True takes a profile, to say how likely each"
            " line is"
        )
    if not source.infosets:
        return Sheet(source.player, (), note=source.nothing)
    found = find(source, where)
    if fold is None:
        fold = source.folds and not where and rows is None and source.infosets > FOLDED
    if fold or source.widest == 1:
        one = overview_table(found) if fold else _flat_table(source, found)
        kept = one if rows is None else one[rows.start : rows.stop]
        return Sheet(source.player, [kept] if len(kept) else [])
    if rows is not None:
        page = _page(found.sizes, lambda at: found[at].table(), rows)
        return Sheet(source.player, page, note=source.note)
    table = lru_cache(FEW)(lambda at: found[at].table())  # each is measured before it is drawn
    return Sheet(source.player, Views(table, len(found)), note=source.note)


def check_rows(rows: range | None) -> None:
    """Refuse what is no page of rows."""
    if rows is not None and (not isinstance(rows, range) or rows.step != 1 or rows.start < 0):
        raise ParameterError(f"rows={rows!r:.60}: give a range such as range(40, 80)")


def _page(sizes: Iterable[int], table: Callable[[int], Table], rows: range) -> list[Table]:
    """The tables, or the parts of them, that hold these rows; no others are made."""
    tables, above = [], 0
    for at, size in enumerate(sizes):
        first, last = max(rows.start - above, 0), min(rows.stop - above, size)
        if first < last:
            tables.append(table(at)[first:last])
        above += size
        if above >= rows.stop:
            break
    return tables


def action_columns(actions: Iterable[str]) -> list[Column]:
    """A column of probabilities for each action."""
    return [Column(action or "''", PROBABILITY, action=True) for action in actions]


def _flat_table(source: StrategySource, found: Matches) -> Table:
    """One table with a row for each situation, of a player to whom nothing is private."""
    actions = found.actions
    options = action_columns(actions) or [Column("does", PROSE)]

    def row(at: int) -> tuple[Any, ...]:
        one = found[at]
        _, probabilities, beside = one.row(0)
        if actions:
            offered = dict(zip(one.actions, probabilities, strict=True))
            cells = [offered.get(action) for action in actions]
        else:
            cells = [likeliest(one.actions, probabilities)]
        return (one.title, *cells, *beside[: len(source.beside)])

    columns = (Column(source.public), *options, *source.beside)
    rows = Views(lru_cache(FEW)(row), len(found))  # each is measured before it is drawn
    return Table("", columns, rows, note=source.flat_note)


def overview_table(found: Matches) -> Table:
    """A row for each situation that is reached, the likeliest first."""
    likely, sizes = found.reach, found.sizes
    order = np.argsort(-likely, kind="stable")
    order = order[likely[order] > 0] if likely.any() else order

    def row(at: int) -> tuple[Any, ...]:
        number = int(order[at])
        reached = min(1.0, round(float(likely[number]), 12))  # sums of floats
        one = found[number]
        often = one.frequencies()
        does = "never here" if often is None else frequencies(one.actions, often)
        return one.title, int(sizes[number]), reached, does

    unreached = len(sizes) - len(order)
    count = int(sum(sizes))
    note = f"{count_text(count, 'information set')} in {count_text(len(sizes), 'situation')}"
    if unreached:
        is_or_are = "is" if unreached == 1 else "are"
        note += f"; {count_text(unreached, 'situation')} {is_or_are} never reached"
    columns = (Column("situation"), Column("sets", NUMBER), Column("reach", PROBABILITY))
    rows = Views(lru_cache(FEW)(row), len(order))  # each is measured before it is drawn
    return Table("", (*columns, Column("does")), rows, note=note)


def frequencies(actions: Sequence[str], total: Floats) -> str:
    """The likeliest actions in their order, each with how often it is taken.

    >>> frequencies(("fold", "call", "raise"), np.array([0.25, 0.75, 0.0]))
    'fold: 25%, call: 75%'
    """
    often, more = _likeliest(total)
    return _percentages(actions, total, sorted(often), more)


def likeliest(actions: Sequence[str], probabilities: Sequence[Any]) -> str:
    """The likeliest actions, these first, each with its probability.

    >>> likeliest(("a", "b", "c"), (0.25, 0.75, 0.0)), likeliest("abcdefgh", (0.125,) * 8)
    ('b: 75%, a: 25%', '8 options alike')
    """
    count = len(probabilities)
    if count > LIKELIEST + 1 and max(probabilities) - min(probabilities) < HARDLY:
        return f"{count} options alike"
    floats = np.asarray(probabilities, np.float64)
    often, more = _likeliest(floats)
    return _percentages(actions, floats, often, more)


def _likeliest(total: Floats) -> tuple[list[int], bool]:
    """The actions that are named, the likeliest first; and whether there are more."""
    often = np.argsort(-total, kind="stable")
    often = often[total[often] >= HARDLY]
    named: list[int] = often[: LIKELIEST if len(often) > LIKELIEST + 1 else None].tolist()
    return named, len(named) < len(often)


def _percentages(actions: Sequence[str], total: Floats, named: list[int], more: bool) -> str:
    words = probabilities_text((actions[at], f"{total[at]:.0%}") for at in named)
    return words + (", …" if more else "")


def belief_words(beliefs: dict[str, Any] | None) -> str | None:
    """What the others may know and how likely that is; None if there is nothing to guess."""
    if beliefs is None:
        return "never here"
    if len(beliefs) < 2:
        return None
    ranked = sorted(beliefs, key=lambda name: -beliefs[name])
    ranked = [name for name in ranked if beliefs[name]]
    kept = set(ranked[: LIKELIEST if len(ranked) > LIKELIEST + 1 else None])
    words = [
        f"{name}: {probability_text(chance)}" for name, chance in beliefs.items() if name in kept
    ]
    return "; ".join(words) + ("" if len(kept) == len(ranked) else "; …")


def mixed_sheet(mixed: Mixed, rows: range | None = None) -> Sheet:
    """A mixed strategy: a row for each pure one, or a page of them."""
    lines = [(weight, plan.words) for plan, weight in mixed.items()]
    lines = lines if rows is None else lines[rows.start : rows.stop]
    columns = (Column("probability", PROBABILITY), Column("pure strategy", PROSE))
    return Sheet(mixed.player, [Table("", columns, lines)] if lines else [])


# ---------------------------------------------------------------------- panels of a plot


def panels_of(source: StrategySource, found: Matches, most: int = MOST_PANELS) -> Panels:
    """The panels of a plot: all of them, or the ``most`` likely of those that are reached.

    Raises
    ------
    ParameterError
        If ``most`` is no positive number.

    """
    if not isinstance(most, int) or most < 1:
        raise ParameterError(f"most={most!r:.60}: a plot has one panel or more")
    likely = found.reach
    kept = np.sort(np.argsort(-likely, kind="stable")[:most])
    if len(found) > most and likely.any():
        kept = kept[likely[kept] > 0]
    return Panels(source.player, tuple(found[int(at)].panel() for at in kept), len(found))


# ---------------------------------------------------------------------- strategies on a tree


def strategy_sheet(
    strategy: Behaviour,
    profile: Profile | None = None,
    *,
    assessment: Assessment | None = None,
    where: str | Sequence[str] = (),
    fold: bool | None = None,
    rows: range | None = None,
) -> Sheet:
    """A behaviour strategy on a tree, as tables.

    Parameters
    ----------
    strategy
        What the player does.
    profile
        What all do. With it the tables have reach, values and beliefs, too.
    assessment
        Beliefs where no play comes; with it values and beliefs stand there, too.
    where, fold, rows
        Which part: as for :func:`sheet_of`. To fold takes a profile.

    Returns
    -------
    Sheet
        A table for each public situation, with a row for each private knowledge.

    Raises
    ------
    StrategyError
        If it is no behaviour strategy, or the profile has another one for the player.
    ParameterError
        As :func:`sheet_of`.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> solution = solve(kuhn())
    >>> sheet = strategy_sheet(solution.strategy["dealer"], solution.profile)
    >>> [table.title for table in sheet]
    ['after pass', 'after bet']
    >>> sheet[1].column("believes")
    ['K: 1', 'J: 1/4; K: 3/4', 'J: 1']

    """
    source = TreeStrategySource(strategy, profile, assessment)
    return sheet_of(source, where=where, fold=fold, rows=rows)


def strategy_panels(
    strategy: Behaviour,
    profile: Profile,
    *,
    where: str | Sequence[str] = (),
    most: int = MOST_PANELS,
) -> Panels:
    """The panels of a plot of a strategy on a tree: see :func:`panels_of`.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> solution = solve(kuhn())
    >>> opening, answer = strategy_panels(solution.strategy["gambler"], solution.profile).shown
    >>> answer.title, answer.names, answer.actions
    ('after [pass], bet', ('J', 'Q', 'K'), ('pass', 'bet'))
    >>> answer.probabilities.round(2).tolist()
    [[1.0, 0.0], [0.33, 0.67], [0.0, 1.0]]

    """
    source = TreeStrategySource(strategy, profile)
    return panels_of(source, find(source, where), most)


class TreeStrategySource(StrategySource):
    """A behaviour strategy on a tree; with a profile also reach, values and beliefs."""

    def __init__(
        self,
        strategy: Behaviour,
        profile: Profile | None = None,
        assessment: Assessment | None = None,
        *,
        valued: bool = True,
    ) -> None:
        """Without values, reach and beliefs if ``valued`` is false: they may not be defined."""
        _check(strategy, profile)
        self.strategy, self.profile, self.assessment = strategy, profile, assessment
        self.player, self.game = strategy.player, strategy.tree.name
        self.tree = strategy.tree
        self.groups = situations(self.tree, self.player)
        self.infosets, self.widest = len(self.groups.infosets), self.groups.widest
        self.folds = valued and profile is not None
        start, _ = self.tree.members
        self.guesses = bool((np.diff(start)[self.groups.infosets] > 1).any())
        believes = (Column("believes", PROSE),) if self.guesses else ()
        self.beside = (*REACH_AND_VALUE, *believes) if self.folds else ()

    @cached_property
    def expectations(self) -> Expectations:
        """What the profile comes to."""
        assert self.profile is not None
        return Expectations(self.profile, self.assessment)

    def find(self, terms: Sequence[str] = ()) -> TreeMatches:
        """The situations that have labels with all of these texts; there may be none."""
        return TreeMatches(self, matching(self.groups, terms))

    def example(self) -> str | None:
        """The label of the player's first information set."""
        return self.tree.labels[int(self.groups.infosets[0])] if self.infosets else None

    def lines(self) -> Iterator[Line]:
        """The player's information sets, as the tree numbers them."""
        return behaviour_lines(self.strategy)


def _check(strategy: Behaviour, profile: Profile | None) -> None:
    if not isinstance(strategy, Behaviour):
        raise StrategyError(f"{strategy!r:.60} is no behaviour strategy; as_behaviour makes one")
    if profile is not None and (
        profile.tree is not strategy.tree
        or ((given := profile[strategy.player]) is not strategy and given != strategy)
    ):
        name = f"{strategy.tree.name}: {strategy.player}"
        raise StrategyError(f"{name}: the profile has another strategy for this player")


class TreeMatches(Matches):
    """Situations of a tree, each with the information sets that are shown; None for all."""

    def __init__(
        self, source: TreeStrategySource, found: Sequence[tuple[Situation, set[int] | None]]
    ) -> None:
        """As :func:`matching` found them."""
        self._source, self._found = source, found
        if isinstance(found, Views):  # all situations, none of which is made for that
            self.sizes = source.groups.sizes.tolist()
        else:
            self.sizes = [len(situation if only is None else only) for situation, only in found]

    def __getitem__(self, at: int) -> TreeSituation:
        return TreeSituation(self._source, *self._found[at])

    @cached_property
    def reach(self) -> Floats:
        """[situation] how likely a play comes to the information sets that are shown."""
        reach, groups = self._source.expectations.infoset_reach, self._source.groups
        if isinstance(self._found, Views):  # all situations
            sums = np.bincount(groups.group, reach[groups.infosets], len(self))
            return np.asarray(sums, np.float64)
        parts = (reach[_sets(*pair)].sum() for pair in self._found)
        return np.fromiter(parts, np.float64, len(self))

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions of all of the player's information sets."""
        tree = self._source.tree
        menus = np.unique(tree.infoset_menu[self._source.groups.infosets])
        return merged([menu_names(tree.menus[int(menu)]) for menu in menus])


def _sets(situation: Situation, only: set[int] | None) -> Longs:
    return situation.found if only is None else np.array(sorted(only), np.int64)


class TreeSituation(SituationRows):
    """One situation of a tree."""

    def __init__(
        self, source: TreeStrategySource, situation: Situation, only: set[int] | None
    ) -> None:
        """All of its information sets, or some."""
        self._source, self._situation, self._only = source, situation, only
        self.heading, self.title = situation.heading, situation.title
        self.actions = situation.actions

    def __len__(self) -> int:
        return len(self._situation if self._only is None else self._only)

    def columns(self) -> tuple[Column, ...]:
        """Reach, value and beliefs."""
        return self._source.beside

    @cached_property
    def _rows(self) -> list[tuple[str, Infoset]]:
        pairs = zip(self._situation.names, self._situation.infosets, strict=True)
        return [(name, at) for name, at in pairs if self._only is None or at.index in self._only]

    @cached_property
    def _node_names(self) -> NodeNames:
        return NodeNames(self._situation)

    def row(self, at: int) -> Row:
        """The row of one information set."""
        name, infoset = self._rows[at]
        probabilities = self._probabilities(infoset)
        if not self._source.folds:
            return Row(name, probabilities)
        here = self._source.expectations.at(infoset)
        guess: tuple[Any, ...] = ()
        if self._source.guesses:
            guess = (belief_words(here.beliefs(self._node_names)),)
        return Row(name, probabilities, (here.reach, here.value, *guess))

    def _probabilities(self, infoset: Infoset) -> list[Any]:
        """[action of the situation] None where the information set does not offer it."""
        strategy = self._source.strategy
        choices = strategy.choices
        first = int(choices.first[np.searchsorted(choices.infosets, infoset.index)])
        names = menu_names(infoset.actions)
        own = strategy.probabilities[first : first + len(names)].tolist()
        offered = dict(zip(names, own, strict=True))
        return [offered.get(action) for action in self.actions]

    def frequencies(self) -> Floats | None:
        """[action] how often it is taken, whatever the player holds."""
        kept = _sets(self._situation, self._only)
        weights = self._source.expectations.infoset_reach[kept]
        if not weights.sum():
            return None
        total = np.zeros(len(self.actions))
        for index, weight in zip(kept.tolist(), weights / weights.sum(), strict=True):
            own = self._probabilities(self._source.tree.infosets[index])
            total += weight * np.array([float(probability or 0) for probability in own])
        return total

    def panel(self) -> Panel:
        """All rows as arrays."""
        rows = [
            [np.nan if one is None else float(one) for one in self._probabilities(infoset)]
            for _, infoset in self._rows
        ]
        reach = self._source.expectations.infoset_reach
        return Panel(
            player=self._source.player,
            title=self.heading,
            names=tuple(name for name, _ in self._rows),
            actions=self.actions,
            probabilities=np.array(rows, np.float64),
            reach=reach[[infoset.index for _, infoset in self._rows]],
            ordered=self._situation.ordered,
            private=len(self._situation) > 1,
        )


def rows_of(strategy: Behaviour | Mixed, where: str | Sequence[str] = ()) -> int:
    """How many rows a strategy has in all its tables, which are not made for that."""
    if isinstance(strategy, Mixed):
        return len(strategy)
    players_with(strategy.tree, (strategy.player,), where)
    found = matching(situations(strategy.tree, strategy.player), terms_of(where))
    return sum(len(situation if only is None else only) for situation, only in found)


def matching(
    groups: Situations, terms: Sequence[str] = ()
) -> Sequence[tuple[Situation, set[int] | None]]:
    """The situations in which labels fit, each with the information sets that do; None for all."""
    if not terms:
        return Views(lambda at: (groups[at], None), len(groups))
    labels = groups.tree.labels
    kept: dict[int, set[int]] = {}
    for group, infoset in zip(groups.group.tolist(), groups.infosets.tolist(), strict=True):
        if fits(labels[infoset], terms):
            kept.setdefault(group, set()).add(infoset)
    return [(groups[group], kept[group]) for group in sorted(kept)]


def players_with(
    tree: Tree, names: Sequence[str], where: str | Sequence[str] = ()
) -> tuple[str, ...]:
    """Those of some players who have an information set whose label fits; refused if none has."""
    terms = terms_of(where)
    found = [name for name in names if not terms or _any_fits(tree, name, terms)]
    if not found:
        numbers = [tree.player_number(name) for name in names]
        mine = np.flatnonzero(np.isin(tree.infoset_player, numbers))
        raise no_such_label(
            tree.name, names, terms, tree.labels[int(mine[0])] if len(mine) else None
        )
    return tuple(found)


def _any_fits(tree: Tree, player: str, terms: Sequence[str]) -> bool:
    mine = np.flatnonzero(tree.infoset_player == tree.player_number(player)).tolist()
    return any(fits(tree.labels[at], terms) for at in mine)
