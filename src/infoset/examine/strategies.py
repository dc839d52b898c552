"""A strategy as tables: grouped by what is public, a row for each thing that may be private.

Beside the probabilities stand, where strategies of all players are known, how likely the player is
to be there, what it then expects, and what it believes about what the others know in private. A
large strategy is folded: a row for each situation, with the frequencies of the actions over all
that the player may hold, the likeliest first.

Tables are made of a situation only when it is looked at, and rows only when they are shown.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from infoset.errors import ParameterError
from infoset.examine.situations import Situation, Situations, situations
from infoset.examine.standing import Standings
from infoset.examine.tables import NUMBER, PROSE, SHARE, Column, Sheet, Table
from infoset.examine.wording import merged
from infoset.rules.story import text
from infoset.strategy import Behaviour, Mixed, Profile
from infoset.strategy.text import number
from infoset.tree import Infoset
from infoset.tree.views import Views

FOLDED = 60  # information sets above which a strategy is folded, unless something was asked for
LIKELIEST = 3  # beliefs that are named


def strategy_sheet(
    strategy: Behaviour,
    profile: Profile | None = None,
    *,
    where: str | Sequence[str] = (),
    fold: bool | None = None,
    rows: range | None = None,
) -> Sheet:
    """A behaviour strategy, a table for each situation; with a profile, values and beliefs too.

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
    ['K: 1', 'J: 1/4, K: 3/4', 'J: 1']
    """
    groups = situations(strategy.tree, strategy.player)
    shown = _Shown(strategy, profile, groups)
    found = matching(groups, where)
    asked = bool(where) or rows is not None
    folded = fold if fold is not None else not asked and len(groups.infosets) > FOLDED
    if folded and profile is not None:
        return Sheet(strategy.player, [shown.overview()])
    if len(groups) and groups.widest == 1:  # nothing is private anywhere
        flat = shown.flat(found)
        return Sheet(strategy.player, [flat if rows is None else flat[rows.start : rows.stop]])
    if rows is not None:
        return Sheet(strategy.player, _page(shown, found, rows))
    tables = Views(lambda at: shown.table(*found[at]), len(found))
    nothing = "" if len(groups) else "nothing to choose"
    return Sheet(strategy.player, tables, note=nothing)


def _page(
    shown: _Shown, found: Sequence[tuple[Situation, set[int] | None]], rows: range
) -> list[Table]:
    """The tables, or the parts of them, that hold these rows."""
    tables, above = [], 0
    for situation, only in found:
        size = len(situation) if only is None else len(only)
        first, last = max(rows.start - above, 0), min(rows.stop - above, size)
        if first < last:
            tables.append(shown.table(situation, only)[first:last])
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


def mixed_sheet(mixed: Mixed) -> Sheet:
    """A mixed strategy: a row for each pure one."""
    rows = [(weight, plan.words) for plan, weight in mixed.items()]
    columns = (Column("probability", SHARE), Column("pure strategy", PROSE))
    return Sheet(mixed.player, [Table("", columns, rows)])


def matching(
    groups: Situations, where: str | Sequence[str] = ()
) -> Sequence[tuple[Situation, set[int] | None]]:
    """The situations in which labels fit, each with the information sets that do; None for all."""
    terms = (where,) if isinstance(where, str) else tuple(where)
    terms = tuple(term for term in terms if term.strip())
    if not terms:
        return Views(lambda at: (groups[at], None), len(groups))
    labels = groups.tree.labels
    hit = np.array([_fits(labels[int(at)], terms) for at in groups.infosets], bool)
    if not hit.any():
        example = f"; one reads {labels[int(groups.infosets[0])]!r:.80}" if len(hit) else ""
        raise ParameterError(
            f"{groups.tree.name}: no information set of {groups.player} has"
            f" {' and '.join(map(repr, terms))} in its label{example}"
        )
    kept: dict[int, set[int]] = {}
    for group, infoset in zip(
        groups.group[hit].tolist(), groups.infosets[hit].tolist(), strict=True
    ):
        kept.setdefault(group, set()).add(infoset)
    return [(groups[group], kept[group]) for group in sorted(kept)]


def _fits(label: str, terms: Sequence[str]) -> bool:
    low = label.casefold()
    return all(
        fnmatch.fnmatchcase(low, _pattern(term))
        if set("*?") & set(term)
        else term.casefold() in low
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

    def table(self, situation: Situation, only: set[int] | None = None) -> Table:
        """The table of one situation, or of some of its information sets."""
        rows = [
            (name, infoset)
            for name, infoset in zip(situation.names, situation.infosets, strict=True)
            if only is None or infoset.index in only
        ]
        told_apart = None if self.standings is None else self.standings.words(situation)
        return Table(
            situation.heading,
            self._columns("private", situation.actions),
            Views(lambda at: self._row(situation, told_apart, *rows[at]), len(rows)),
        )

    def flat(self, found: Sequence[tuple[Situation, set[int] | None]]) -> Table:
        """One table for all situations of a player to whom nothing is private."""
        tree = self.strategy.tree
        menus = np.unique(tree.infoset_menu[self.groups.infosets])
        actions = merged([tuple(map(text, tree.menus[int(menu)])) for menu in menus])

        def row(at: int) -> tuple[Any, ...]:
            situation, _ = found[at]
            told_apart = None if self.standings is None else self.standings.words(situation)
            cells = self._row(situation, told_apart, situation.title, situation.infosets[0])
            shares = dict(zip(situation.actions, cells[1:], strict=False))
            beside = cells[1 + len(situation.actions) :]
            return (cells[0], *(shares.get(action) for action in actions), *beside)

        return Table("", self._columns("public", actions), Views(row, len(found)))

    def _columns(self, first: str, actions: Sequence[str]) -> tuple[Column, ...]:
        columns = [Column(first), *(Column(action or "''", SHARE) for action in actions)]
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
    def standings(self) -> Standings | None:
        """What the profile comes to, if there is one."""
        return None if self.profile is None else Standings(self.profile)

    def _row(
        self, situation: Situation, told_apart: Any, name: str, infoset: Infoset
    ) -> tuple[Any, ...]:
        shares = shares_at(self.strategy, situation, infoset)
        if self.standings is None:
            return (name, *shares)
        here = self.standings.at(infoset)
        guess = (_believes(here.beliefs(told_apart)),) if self._guesses else ()
        return (name, *shares, here.reach, here.value, *guess)

    def overview(self) -> Table:
        """A row for each situation, the likeliest first, with the frequencies of the actions."""
        assert self.standings is not None
        groups = self.groups
        reach = self.standings.infoset_reach[groups.infosets]
        likely = np.bincount(groups.group, reach, minlength=len(groups))
        order = np.argsort(-likely, kind="stable")
        sizes = np.bincount(groups.group, minlength=len(groups))
        columns = (
            Column("situation"),
            Column("sets", NUMBER),
            Column("reach", SHARE),
            Column("does"),
        )

        def row(at: int) -> tuple[Any, ...]:
            situation = groups[int(order[at])]
            does = self._frequencies(situation)
            reached = min(1.0, round(float(likely[order[at]]), 12))  # sums of floats
            return situation.title, int(sizes[order[at]]), reached, does

        unreached = int((likely <= 0).sum())
        note = f"{len(groups.infosets):,} information sets in {len(groups):,} situations"
        note += f", {unreached:,} of them never reached" if unreached else ""
        return Table("", columns, Views(row, len(groups)), note=note)

    def _frequencies(self, situation: Situation) -> str:
        """How often each action is taken in a situation, whatever the player holds."""
        assert self.standings is not None
        total: dict[str, float] = {}
        weights = self.standings.infoset_reach[situation.found]
        if not weights.sum():
            return "never here"
        for infoset, weight in zip(situation.found.tolist(), weights / weights.sum(), strict=True):
            view = self.strategy.tree.infosets[infoset]
            shares = shares_at(self.strategy, situation, view)
            for action, share in zip(situation.actions, shares, strict=True):
                total[action] = total.get(action, 0.0) + float(share or 0) * weight
        often = sorted(total, key=lambda action: -total[action])
        kept = set(often[: LIKELIEST if len(often) > LIKELIEST + 1 else None])
        words = [f"{action} {total[action]:.0%}" for action in situation.actions if action in kept]
        return ", ".join(words) + ("" if len(kept) == len(often) else ", …")


def shares_at(strategy: Behaviour, situation: Situation, infoset: Infoset) -> list[Any]:
    """The probability of each action of a situation; None where it is not offered."""
    choices = strategy.choices
    first = int(choices.first[np.searchsorted(choices.infosets, infoset.index)])
    offered: dict[str, Any] = {}
    for at, action in enumerate(map(text, infoset.actions)):
        share = strategy.shares[first + at]
        offered[action] = offered[action] + share if action in offered else share
    return [offered.get(action) for action in situation.actions]


def _believes(beliefs: dict[str, Any] | None) -> str | None:
    """What the others may know and how likely that is, in words."""
    if beliefs is None:
        return "never here"
    if len(beliefs) < 2:
        return None
    ranked = sorted(beliefs, key=lambda name: -beliefs[name])
    ranked = [name for name in ranked if beliefs[name]]
    kept = set(ranked[: LIKELIEST if len(ranked) > LIKELIEST + 1 else None])
    words = [f"{name}: {number(chance)}" for name, chance in beliefs.items() if name in kept]
    return ", ".join(words) + ("" if len(kept) == len(ranked) else ", …")
