"""The normal form as textbooks print it.

Player one chooses the row, player two the column, and a cell has what each of them is paid, marked
where it is the most that the player can get against what the others do there. A cell with all its
numbers marked is an equilibrium in pure strategies. Rows that are dominated are faint, and the last
column says by what (:mod:`infoset.forms.dominance`); dominated columns are said in a last row
and in the note. Where strategies have numbers, the margins say how they are dominated, and the keys
below say by what. With more players there is such a table for each combination of the strategies of
those after the second. Both payoffs are given, zero-sum or not, so that all marks have a place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from infoset.errors import ParameterError, TooLarge
from infoset.examine.matrices.words import DOMINATED, MOST_COLUMNS, Grid, Words, key, named
from infoset.examine.tables.record import NUMBER, PROSE, Amounts, Column, Sheet, Table
from infoset.forms.dominance import Dominance, Dominated, dominated
from infoset.forms.normal import MOST_PROFILES, NormalForm, normal_form
from infoset.rules.story import brief, text
from infoset.solve import Solvable, as_tree
from infoset.strategy.text import number
from infoset.tree.views import Views

MOST_TABLES = 1_000  # one for each combination of the strategies of players three, four, …
LONG = 200  # signs of an action from which strategies have numbers, and it is cut


def normal_table(
    game: Solvable | NormalForm, *, reduced: bool = True, most: int = MOST_PROFILES
) -> Table | Sheet:
    """The normal form: one table, or a sheet of them.

    With three players and more there is a table for each combination of the strategies of those
    after the second. Where strategies take many words, they are numbered, as in ``form.plans``;
    rows and columns have their numbers, and keys at the end say what these stand for. Rows are made
    when they are looked at. A form of more than ``most`` combinations of strategies is refused
    before anything is built, ``reduced`` or whole.

    >>> from infoset.games import prisoners_dilemma
    >>> table = normal_table(prisoners_dilemma())
    >>> table.column("dominated"), sorted(table.faint)
    (['strictly by defect', None, None], [0])
    >>> table.rows[1][2]
    Amounts(values=(Fraction(-3, 1), Fraction(-3, 1)), marked=(True, True))
    """
    if not isinstance(most, int) or most < 1:
        raise ParameterError(f"most={most!r:.60}: a whole number of combinations, 1 or more")
    form = game if isinstance(game, NormalForm) else normal_form(as_tree(game), reduced, most)
    return matrix_of(form, words_of(form), f"{form.tree.name}: {form_title(form)}")


def matrix_of(form: NormalForm, words: tuple[Words, ...], title: str) -> Table | Sheet:
    """A normal form under a title, with these words for the strategies of each player."""
    tree, shape = form.tree, form.shape
    across, tables = shape[1] if len(shape) > 1 else 1, prod(shape[2:])
    if across > MOST_COLUMNS:
        _refuse(form, f"{across:,} columns, more than {MOST_COLUMNS:,}")
    if tables > MOST_TABLES:
        what = f"one for each combination of the strategies of {', '.join(tree.names[2:])}"
        _refuse(form, f"{tables:,} tables, {what}, more than {MOST_TABLES:,}")
    marked = _marked(form, words)
    keys = [_key(marked, player) for player, own in enumerate(marked.words) if own.numbered]
    if len(shape) == 1 or (len(shape) == 2 and not keys):
        return _grid(marked, (), title, _note(marked))
    others = list(product(*map(range, shape[2:])))

    def table(at: int) -> Table:
        if at >= tables:
            return keys[at - tables]
        return _grid(marked, others[at], _place(marked, others[at]), "")

    return Sheet(title, Views(table, tables + len(keys)), note=_note(marked))


def form_title(form: NormalForm) -> str:
    """Which normal form, and how large."""
    kind = "reduced normal form" if form.reduced else "normal form"
    return f"{kind}, {' × '.join(f'{size:,}' for size in form.shape)}"


def words_of(form: NormalForm) -> tuple[Words, ...]:
    """[player] what its strategies are called."""
    return tuple(named(_names(form, player)) for player in range(len(form.shape)))


def _refuse(form: NormalForm, why: str) -> NoReturn:
    raise TooLarge(f"{form.tree.name}: {why}; in Python, normal_form() has all the numbers")


@dataclass(frozen=True, eq=False)
class _Marked:
    """A normal form and what is to be said of it, by player."""

    form: NormalForm
    words: tuple[Words, ...]
    best: tuple[npt.NDArray[np.bool_], ...]  # [player][profile] a best response?
    dominance: tuple[Dominance, ...]

    def dominated(self, player: int, strategy: int) -> str | None:
        """How, in words; None if it is not."""
        how = self.dominance[player].found.get(strategy)
        return None if how is None else dominated_text(how, self.words[player])


def dominated_text(how: Dominated, words: Words) -> str:
    """How a strategy is dominated: ``strictly by bet``, ``weakly by 1/2 a + 1/2 b``."""
    names = words.short
    parts = [names[at] if how.pure else f"{number(share)} {names[at]}" for at, share in how.by]
    return f"{_how(how)} by {' + '.join(parts)}"


def _how(how: Dominated) -> str:
    return "strictly" if how.strictly else "weakly"


def _marked(form: NormalForm, words: tuple[Words, ...]) -> _Marked:
    players = range(len(form.shape))
    best = [
        amounts == amounts.max(axis=own, keepdims=True)
        for own, amounts in enumerate(form.numerators)
    ]
    return _Marked(
        form,
        words,
        tuple(np.asarray(one, np.bool_) for one in best),
        tuple(dominated(form, player) for player in players),
    )


def _names(form: NormalForm, player: int) -> Sequence[str]:
    """Strategies in words. A very long action would be in many of them, so it is cut."""
    menus = {int(menu) for menu in form.tree.infoset_menu[form.tree.infoset_player == player]}
    actions = [text(action) for menu in menus for action in form.tree.menus[menu]]
    if all(len(action) <= LONG for action in actions):
        return form.labels(player)

    def name(strategy: int) -> str:
        plan = form.plans[player][strategy]
        chosen = ((h, a, text(form.tree.infosets[h].actions[a])) for h, a in plan)
        return "/".join(
            f"#{h + 1}.{a + 1} {action[:LONG]}{'…' * (len(action) > LONG)}"
            for h, a, action in chosen
        )

    return Views(name, form.shape[player])


def _key(marked: _Marked, player: int) -> Table:
    """What the numbers of a player's strategies stand for, and which of them are dominated."""
    return key(
        marked.words[player],
        brief(marked.form.tree.names[player]),
        one="strategy",
        several="strategies",
        across=player == 1,
        found=marked.dominance[player].found,
        dominated=lambda at: marked.dominated(player, at),
    )


def _place(marked: _Marked, rest: tuple[int, ...]) -> str:
    """Which strategies of players three, four, … a table is for."""
    said = []
    for player, strategy in enumerate(rest, 2):
        how = marked.dominated(player, strategy)
        name, words = brief(marked.form.tree.names[player]), marked.words[player].short[strategy]
        said.append(f"{name}: {words}" + (f" ({DOMINATED} {how})" if how else ""))
    return ", ".join(said)


def _grid(marked: _Marked, rest: tuple[int, ...], title: str, note: str) -> Grid:
    """The table of players one and two, with the others' strategies fixed."""
    form, own = marked.form, marked.words[0]
    players = [brief(name) for name in form.tree.names]
    rows, alone = form.shape[0], len(form.shape) == 1
    heads = ["payoff"] if alone else marked.words[1].short
    places = [rest] if alone else [(column, *rest) for column in range(form.shape[1])]
    down = marked.dominance[0].found
    across = {} if alone else marked.dominance[1].found
    told = alone and own.numbered  # there is room for the words, and no key

    def row(at: int) -> tuple[Any, ...]:
        if at == rows:
            kinds = [across.get(column) for column in range(len(places))]
            return (DOMINATED, *(how and _how(how) for how in kinds), *([None] if down else []))
        cells = (_cell(marked, (at, *place)) for place in places)
        how = down.get(at)
        words = how and _how(how) if own.numbered and not alone else marked.dominated(0, at)
        margin = (*([words] if down else []), *([own.labels[at]] if told else []))
        return (own.short[at], *cells, *margin)

    columns = [Column(players[0] if alone else f"{players[0]} \\ {players[1]}")]
    columns += [Column(head, NUMBER) for head in heads]
    columns += [Column(DOMINATED, PROSE)] if down else []
    columns += [Column("strategy", PROSE)] if told else []
    made = Views(row, rows + bool(across))
    shown = range(1, 1 + len(places))
    return Grid(title, tuple(columns), made, note, frozenset(down), shown, rows)


def _cell(marked: _Marked, profile: tuple[int, ...]) -> Amounts:
    return Amounts(
        marked.form.payoffs_of(profile), tuple(bool(best[profile]) for best in marked.best)
    )


def _note(marked: _Marked) -> str:
    """What a cell is, what is dominated where no row says it, what was not looked at."""
    players = [brief(name) for name in marked.form.tree.names]
    said = [f"Payoffs of {', '.join(players)}; marked: a best response to the others' strategies."]
    if len(players) == 1:
        said = ["Marked: the largest payoff."]
    for player, words in enumerate(marked.words):
        found = list(marked.dominance[player].found)
        if player == 0 or not found or words.numbered:
            continue
        listed = [f"{words.short[at]}, {marked.dominated(player, at)}" for at in found]
        said.append(f"Dominated strategies of {players[player]}: {'; '.join(listed)}.")
    for name, dominance in zip(players, marked.dominance, strict=True):
        said += [f"{name}: {dominance.note}."] if dominance.note else []
    return " ".join(said)
