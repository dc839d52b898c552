"""A strategy as tables: grouped by what is public, a row for each thing that may be private.

Beside the probabilities stand, where strategies of all players are known, how likely the player is
to be there, what it then expects, and what it believes about what the others know in private. A
large strategy is folded: a row for each situation, with the frequencies of the actions over all
that the player may hold, the likeliest first.

Tables are made of a situation only when it is looked at, and rows only when they are shown.

What a plot of a strategy shows: panels of numbers, a panel for each public history.

Nothing here draws. A panel has the probability of each action for everything that the player may
know in private; of many panels the likeliest are kept, in the order of the game.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.analysis.expectations import Expectations, NodeNames
from infoset.analysis.expectations import Floats as ExpectationsFloats
from infoset.analysis.situations import Longs, Situation, Situations, menu_names, merged, situations
from infoset.analysis.table import NUMBER, PROBABILITY, PROSE, Column, Sheet, Table, several
from infoset.errors import ParameterError, StrategyError
from infoset.strategy import Behaviour, Mixed, Profile
from infoset.strategy.assessment import Assessment
from infoset.text import number
from infoset.tree import Infoset, Tree
from infoset.tree.views import Views

FOLDED = 60  # information sets above which a strategy is folded, unless something was asked for
LIKELIEST = 3  # beliefs, and actions of a folded strategy, that are named
SUITS = str.maketrans("♠♥♦♣", "shdc")  # what keyboards have instead
HARDLY = 0.005  # frequencies below are not named: they would read 0%


def strategy_sheet(
    strategy: Behaviour,
    profile: Profile | None = None,
    *,
    assessment: Assessment | None = None,
    where: str | Sequence[str] = (),
    fold: bool | None = None,
    rows: range | None = None,
) -> Sheet:
    """A behaviour strategy, a table for each situation; with a profile, values and beliefs too.

    With an ``assessment``, those also where no play comes.

    ``where`` keeps only information sets whose label has all of the given texts in it; with ``*``
    or ``?`` a text is a pattern for the whole label. ``fold`` gives one line for each situation, by
    default where there are many and nothing was asked for; it takes a profile, which says how
    likely they are. ``rows`` keeps a page of a long strategy, counted over all its tables; what is
    not on it is never made.

    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> solution = solve(kuhn())
    >>> sheet = strategy_sheet(solution.strategy["dealer"], solution.profile)
    >>> [table.title for table in sheet]
    ['after pass', 'after bet']
    >>> sheet[1].column("believes")
    ['K: 1', 'J: 1/4; K: 3/4', 'J: 1']
    """
    _check(strategy, profile, fold, rows)
    groups = situations(strategy.tree, strategy.player)
    shown = _Shown(strategy, profile, groups, assessment)
    found = matching(groups, where)
    asked = bool(where) or rows is not None
    if fold is None:
        fold = profile is not None and not asked and len(groups.infosets) > FOLDED
    if not len(groups):
        return Sheet(strategy.player, (), note="nothing to choose")
    if fold or groups.widest == 1:  # in the second case nothing is private anywhere
        one = shown.overview(found) if fold else shown.flat(found)
        kept = one if rows is None else one[rows.start : rows.stop]
        return Sheet(strategy.player, [kept] if len(kept) else [])
    if rows is not None:
        sizes = (len(situation if only is None else only) for situation, only in found)
        return Sheet(strategy.player, page(sizes, lambda at: shown.table(*found[at]), rows))
    return Sheet(strategy.player, Views(lambda at: shown.table(*found[at]), len(found)))


def _check(
    strategy: Behaviour, profile: Profile | None, fold: bool | None, rows: range | None
) -> None:
    if not isinstance(strategy, Behaviour):
        raise StrategyError(f"{strategy!r:.60} is no behaviour strategy; as_behaviour makes one")
    name = f"{strategy.tree.name}: {strategy.player}"
    if profile is None and fold:
        raise ParameterError(f"{name}: fold=True takes a profile, to say how likely each line is")
    if profile is not None and (
        profile.tree is not strategy.tree
        or ((given := profile[strategy.player]) is not strategy and given != strategy)
    ):
        raise StrategyError(f"{name}: the profile has another strategy for this player")
    check_rows(rows)


def check_rows(rows: range | None) -> None:
    """Refuse what is no page of rows."""
    if rows is not None and (not isinstance(rows, range) or rows.step != 1 or rows.start < 0):
        raise ParameterError(f"rows={rows!r:.60}: give a range such as range(40, 80)")


def page(sizes: Iterable[int], table: Callable[[int], Table], rows: range) -> list[Table]:
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


def rows_of(strategy: Behaviour | Mixed, where: str | Sequence[str] = ()) -> int:
    """How many rows a strategy has in all its tables, which are not made for that."""
    if isinstance(strategy, Mixed):
        return len(strategy)
    found = matching(situations(strategy.tree, strategy.player), where)
    return sum(len(situation if only is None else only) for situation, only in found)


def mixed_sheet(mixed: Mixed, rows: range | None = None) -> Sheet:
    """A mixed strategy: a row for each pure one, or a page of them."""
    lines = [(weight, plan.words) for plan, weight in mixed.items()]
    lines = lines if rows is None else lines[rows.start : rows.stop]
    columns = (Column("probability", PROBABILITY), Column("pure strategy", PROSE))
    return Sheet(mixed.player, [Table("", columns, lines)] if lines else [])


def matching(
    groups: Situations, where: str | Sequence[str] = ()
) -> Sequence[tuple[Situation, set[int] | None]]:
    """The situations in which labels fit, each with the information sets that do; None for all."""
    terms = terms_of(where)
    if not terms:
        return Views(lambda at: (groups[at], None), len(groups))
    players_with(groups.tree, (groups.player,), terms)
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
        asked = " and ".join(map(repr, terms))
        numbers = [tree.player_number(name) for name in names]
        mine = np.flatnonzero(np.isin(tree.infoset_player, numbers))
        example = f"; one reads {tree.labels[int(mine[0])]!r:.80}" if len(mine) else ""
        raise ParameterError(
            f"{tree.name}: no information set of {' or '.join(names)} has {asked} in its"
            f" label{example}"
        )
    return tuple(found)


def _any_fits(tree: Tree, player: str, terms: Sequence[str]) -> bool:
    mine = np.flatnonzero(tree.infoset_player == tree.player_number(player)).tolist()
    return any(fits(tree.labels[at], terms) for at in mine)


def terms_of(where: str | Sequence[str]) -> tuple[str, ...]:
    """The texts to be looked for, from one or several; what is no text is refused."""
    terms = (where,) if isinstance(where, str) else where
    if not isinstance(terms, Iterable) or not all(isinstance(term, str) for term in terms):
        raise ParameterError(f"where={where!r:.60}: give a text, or several")
    return tuple(term for term in terms if term.strip())


def fits(label: str, terms: Sequence[str]) -> bool:
    """Has a label all of these texts in it? Suits may be letters, and case does not matter."""
    read = [label.casefold(), label.translate(SUITS).casefold()]
    return all(
        any(fnmatch.fnmatchcase(low, _pattern(term)) for low in read)
        if set("*?") & set(term)
        else any(term.casefold() in low for low in read)
        for term in terms
    )


def _pattern(term: str) -> str:
    """A pattern in which brackets are brackets."""
    return term.casefold().replace("[", "[[]")


@dataclass(frozen=True, eq=False)
class _Shown:
    """A strategy, and what else is known that belongs beside it."""

    strategy: Behaviour
    profile: Profile | None
    groups: Situations
    assessment: Assessment | None = None

    def table(self, situation: Situation, only: set[int] | None = None) -> Table:
        """The table of one situation, or of some of its information sets."""
        rows = [
            (name, infoset)
            for name, infoset in zip(situation.names, situation.infosets, strict=True)
            if only is None or infoset.index in only
        ]
        telling = NodeNames(situation)
        return Table(
            situation.heading,
            self._columns("private", situation.actions),
            Views(lambda at: self._row(situation, telling, *rows[at]), len(rows)),
        )

    def flat(self, found: Sequence[tuple[Situation, set[int] | None]]) -> Table:
        """One table for all situations of a player to whom nothing is private."""
        tree = self.strategy.tree
        menus = np.unique(tree.infoset_menu[self.groups.infosets])
        actions = merged([menu_names(tree.menus[int(menu)]) for menu in menus])

        def row(at: int) -> tuple[Any, ...]:
            situation, _ = found[at]
            here = situation.infosets[0]
            cells = self._row(situation, NodeNames(situation), situation.title, here)
            probabilities = dict(zip(situation.actions, cells[1:], strict=False))
            beside = cells[1 + len(situation.actions) :]
            return (cells[0], *(probabilities.get(action) for action in actions), *beside)

        return Table("", self._columns("public", actions), Views(row, len(found)))

    def _columns(self, first: str, actions: Sequence[str]) -> tuple[Column, ...]:
        columns = [Column(first), *(Column(action or "''", PROBABILITY) for action in actions)]
        if self.profile is not None:
            columns += [Column("reach", NUMBER), Column("value", NUMBER)]
            columns += [Column("believes", PROSE)] if self._guesses else []
        return tuple(columns)

    @cached_property
    def _guesses(self) -> bool:
        """Is there anything that the player has to guess?"""
        start, _ = self.strategy.tree.members
        return bool((np.diff(start)[self.groups.infosets] > 1).any())

    @cached_property
    def expectations(self) -> Expectations | None:
        """What the profile comes to, if there is one."""
        return None if self.profile is None else Expectations(self.profile, self.assessment)

    def _row(
        self, situation: Situation, telling: NodeNames, name: str, infoset: Infoset
    ) -> tuple[Any, ...]:
        probabilities = probabilities_at(self.strategy, situation, infoset)
        if self.expectations is None:
            return (name, *probabilities)
        here = self.expectations.at(infoset)
        guess = (believes(here.beliefs(telling)),) if self._guesses else ()
        return (name, *probabilities, here.reach, here.value, *guess)

    def overview(self, found: Sequence[tuple[Situation, set[int] | None]]) -> Table:
        """A row for each situation, the likeliest first, with the frequencies of the actions."""
        assert self.expectations is not None
        reach = self.expectations.infoset_reach
        sets = [sets_of(situation, only) for situation, only in found]
        likely = np.array([reach[kept].sum() for kept in sets])

        def told(at: int) -> tuple[str, str]:
            situation = found[at][0]
            return situation.title, self._frequencies(situation, sets[at])

        return overview_table(likely, list(map(len, sets)), told)

    def _frequencies(self, situation: Situation, kept: Longs) -> str:
        """How often each action is taken in a situation, whatever the player holds."""
        assert self.expectations is not None
        weights = self.expectations.infoset_reach[kept]
        if not weights.sum():
            return "never here"
        total = np.zeros(len(situation.actions))
        for infoset, weight in zip(kept.tolist(), weights / weights.sum(), strict=True):
            probabilities = probabilities_at(
                self.strategy, situation, self.strategy.tree.infosets[infoset]
            )
            total += weight * np.array([float(share or 0) for share in probabilities])
        return frequencies(situation.actions, total)


def overview_table(
    likely: ExpectationsFloats, sizes: Sequence[int], told: Callable[[int], tuple[str, str]]
) -> Table:
    """A row for each situation that is reached, the likeliest first.

    Of each: how likely it is, how many sets it has, and its title with what is done there.
    """
    order = np.argsort(-likely, kind="stable")
    order = order[likely[order] > 0] if likely.any() else order

    def row(at: int) -> tuple[Any, ...]:
        number = int(order[at])
        reached = min(1.0, round(float(likely[number]), 12))  # sums of floats
        title, does = told(number)
        return title, int(sizes[number]), reached, does

    unreached = len(sizes) - len(order)
    note = f"{several(sum(sizes), 'information set')} in {several(len(sizes), 'situation')}"
    if unreached:
        is_or_are = "is" if unreached == 1 else "are"
        note += f"; {several(unreached, 'situation')} {is_or_are} never reached"
    columns = (Column("situation"), Column("sets", NUMBER), Column("reach", PROBABILITY))
    return Table("", (*columns, Column("does")), Views(row, len(order)), note=note)


def frequencies(actions: Sequence[str], total: ExpectationsFloats) -> str:
    """The likeliest actions, each with how often it is taken.

    >>> frequencies(("fold", "call", "raise"), np.array([0.25, 0.75, 0.0]))
    'fold 25%, call 75%'
    """
    often = np.argsort(-total, kind="stable")
    often = often[total[often] >= HARDLY]
    shown = sorted(often[: LIKELIEST if len(often) > LIKELIEST + 1 else None].tolist())
    words = [f"{actions[at]} {total[at]:.0%}" for at in shown]
    return ", ".join(words) + ("" if len(shown) == len(often) else ", …")


def sets_of(situation: Situation, only: set[int] | None) -> Longs:
    """The information sets of a situation that are meant."""
    return situation.found if only is None else np.array(sorted(only), np.int64)


def probabilities_at(strategy: Behaviour, situation: Situation, infoset: Infoset) -> list[Any]:
    """The probability of each action of a situation; None where it is not offered."""
    choices = strategy.choices
    first = int(choices.first[np.searchsorted(choices.infosets, infoset.index)])
    names = menu_names(infoset.actions)
    offered = dict(
        zip(names, strategy.probabilities[first : first + len(names)].tolist(), strict=True)
    )
    return [offered.get(action) for action in situation.actions]


def believes(beliefs: dict[str, Any] | None) -> str | None:
    """What the others may know and how likely that is, in words."""
    if beliefs is None:
        return "never here"
    if len(beliefs) < 2:
        return None
    ranked = sorted(beliefs, key=lambda name: -beliefs[name])
    ranked = [name for name in ranked if beliefs[name]]
    kept = set(ranked[: LIKELIEST if len(ranked) > LIKELIEST + 1 else None])
    words = [f"{name}: {number(chance)}" for name, chance in beliefs.items() if name in kept]
    return "; ".join(words) + ("" if len(kept) == len(ranked) else "; …")


MOST = 12  # panels of a player in one picture

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Panel:
    """One public history of a player."""

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
    """All of them that are shown, of one player."""

    player: str
    shown: tuple[Panel, ...]
    count: int  # how many there are


def strategy_panels(
    strategy: Behaviour,
    profile: Profile,
    *,
    where: str | Sequence[str] = (),
    most: int = MOST,
) -> Panels:
    """The panels of a strategy: all of them, or the ``most`` likely of those that are reached.

    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> solution = solve(kuhn())
    >>> opening, answer = strategy_panels(solution.strategy["gambler"], solution.profile).shown
    >>> answer.title, answer.names, answer.actions
    ('after [pass], bet', ('J', 'Q', 'K'), ('pass', 'bet'))
    >>> answer.probabilities.round(2).tolist()
    [[1.0, 0.0], [0.33, 0.67], [0.0, 1.0]]
    """
    if not isinstance(most, int) or most < 1:
        raise ParameterError(f"most={most!r:.60}: a plot has one panel or more")
    groups = situations(strategy.tree, strategy.player)
    reach = Expectations(profile).infoset_reach
    found = matching(groups, where)
    likely = np.array([reach[sets_of(situation, only)].sum() for situation, only in found])
    kept = np.sort(np.argsort(-likely, kind="stable")[:most])
    if len(found) > most and likely.any():
        kept = kept[likely[kept] > 0]
    shown = tuple(_panel(strategy, reach, *found[int(at)]) for at in kept)
    return Panels(strategy.player, shown, len(found))


def _panel(
    strategy: Behaviour, reach: Floats, situation: Situation, only: set[int] | None
) -> Panel:
    rows = [
        (name, infoset)
        for name, infoset in zip(situation.names, situation.infosets, strict=True)
        if only is None or infoset.index in only
    ]
    probabilities = [
        [
            np.nan if share is None else float(share)
            for share in probabilities_at(strategy, situation, at)
        ]
        for _, at in rows
    ]
    return Panel(
        player=strategy.player,
        title=situation.heading,
        names=tuple(name for name, _ in rows),
        actions=situation.actions,
        probabilities=np.array(probabilities, np.float64),
        reach=reach[[infoset.index for _, infoset in rows]],
        ordered=situation.ordered,
        private=len(situation) > 1,
    )
