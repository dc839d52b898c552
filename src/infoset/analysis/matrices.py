"""A game's normal form and sequence form as tables.

**Normal form.** Player one chooses the row, player two the column, and a cell has everyone's
payoff, marked if it is a best response to the others' strategies there. A cell with all its numbers
marked is an equilibrium in pure strategies. Dominated rows are faint, and the last column says by
what (:mod:`infoset.forms.dominance`); dominated columns are named in a last row and in the note.
With more than two players there is a table for each combination of the strategies of those after
the second. Both payoffs are given, zero-sum or not, so that all marks have a place. Iterated
dominance is a table of its rounds, with the matrix that is left, in which strategies keep their
names and numbers.

**Sequence form**, as Koller, Megiddo & von Stengel 1994 print it in figure 3: payoffs by pairs of
sequences, and the constraints E x = e and F y = f. Given strategies, each sequence has its weight x
(or y), and its best-response value against the other's plan: with v = A y, the payoffs of the
leaves at which it is the last one,

    value(s) = v(s) + sum over the player's information sets h that come next after s
                      of the largest value(s c), c a choice at h.

So the value of the empty sequence is that of a best response. A sequence belongs to some best
response if it and all sequences before it have the largest value at their information sets. In a
zero-sum game player two's payoffs would only repeat A, and are left out.

If names are long, a matrix has numbers in their place, and a :class:`Key` says what each number
stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from infoset.analysis.table import NUMBER, PROBABILITY, PROSE, Amounts, Column, Sheet, Table
from infoset.errors import ParameterError, StrategyError, TooLarge
from infoset.forms.dominance import PURE, WEAK, Dominance, Dominated, Elimination, dominated
from infoset.forms.normal import MOST_PROFILES, NormalForm, normal_form
from infoset.forms.sequence import SequenceForm, sequence_form
from infoset.linear.numbers import Numbers
from infoset.linear.sparse import Sparse
from infoset.solvers import Solution, Solvable, as_tree
from infoset.strategy import Profile, as_plan
from infoset.strategy import profile as one_for_each
from infoset.strategy.response import best_choices
from infoset.text import amount_text, brief, count_text, probability_text, text, times_text
from infoset.tree.choices import Choices
from infoset.tree.knowledge import in_order, infoset_words
from infoset.tree.views import Views

NARROW = 60  # characters that the heads of a matrix may take together; else they are numbers
MOST_COLUMNS = 2_000  # of a table; more are no table for people
DOMINATED = "dominated"


@dataclass(frozen=True, eq=False)
class StrategyNames:
    """What strategies or sequences are called: by their words, or by numbers where these are long.

    A number is what Python counts: ``#0`` is the first one.
    """

    labels: Sequence[str]  # in words
    short: Sequence[str]  # in heads, rows and sentences
    numbered: bool


def named(labels: Sequence[str]) -> StrategyNames:
    """By their words if these are few, else by number.

    >>> named(["heads", "tails"]).short, list(named(["pass/bet" * 9] * 2).short)
    (['heads', 'tails'], ['#0', '#1'])
    """
    if len(labels) <= NARROW and sum(map(len, labels)) <= NARROW:
        return StrategyNames(labels, labels, False)
    return StrategyNames(labels, Views(lambda at: f"#{at}", len(labels)), True)


@dataclass(frozen=True)
class Grid(Table):
    """A matrix: which of its columns and rows are strategies, and which are the margins."""

    across: range = range(0)  # the columns of strategies or sequences
    down: int = 0  # their rows, before those of the lower margin


@dataclass(frozen=True)
class Key(Table):
    """What the numbers of a player's strategies or sequences stand for."""

    across: bool = False  # those of the columns?


def key(
    words: StrategyNames,
    player: str,
    *,
    one: str,
    several: str,
    across: bool,
    found: Collection[int] = (),
    dominated: Callable[[int], str | None] = lambda at: None,
    order: Sequence[int] | None = None,
) -> Key:
    """The key to a player's numbers: its words come last, where there is room for a long line.

    ``found`` are the strategies that are dominated, and ``dominated`` says how. ``order`` has the
    numbers in the order of the rows.
    """

    def row(place: int) -> tuple[Any, ...]:
        at = place if order is None else order[place]
        return (words.short[at], *([dominated(at)] if found else []), words.labels[at])

    columns = [Column("number"), *([Column(DOMINATED, PROSE)] if found else []), Column(one, PROSE)]
    return Key(
        f"{several} of {player}",
        tuple(columns),
        Views(row, len(words.labels)),
        faint=frozenset(found),
        across=across,
    )


MOST_TABLES = 1_000  # one for each combination of the strategies of players three, four, …
LONG = 200  # characters of an action from which strategies have numbers, and it is cut


def normal_table(
    game: Solvable | NormalForm, *, reduced: bool = True, most: int = MOST_PROFILES
) -> Table | Sheet:
    """The normal form: one table, or a sheet of them.

    Strategies with long names are numbered, as in ``form.plans``, and keys at the end say what the
    numbers stand for. Rows are made when they are looked at.

    Parameters
    ----------
    game : Game, Tree or NormalForm
        What to tabulate.
    reduced : bool, optional
        Use the reduced normal form, in which equivalent strategies are one; by default it is.
    most : int, optional
        Combinations of strategies beyond which a form is refused, before anything is built.

    Returns
    -------
    Table or Sheet
        With three or more players a table for each combination of the strategies of those after the
        second.

    Raises
    ------
    TooLarge
        If the form has more combinations, columns or tables than can be shown.

    Examples
    --------
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


def matrix_of(form: NormalForm, words: tuple[StrategyNames, ...], title: str) -> Table | Sheet:
    """A normal form under a title, with these words for the strategies of each player."""
    tree, shape = form.tree, form.shape
    across, tables = shape[1] if len(shape) > 1 else 1, prod(shape[2:])
    if across > MOST_COLUMNS:
        _refuse(form, f"{across:,} columns, more than {MOST_COLUMNS:,}")
    if tables > MOST_TABLES:
        names = brief(", ".join(tree.names[2:]), NARROW)
        what = f"one for each combination of the strategies of {names}"
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
    return f"{kind}, {times_text(form.shape)}"


def words_of(form: NormalForm) -> tuple[StrategyNames, ...]:
    """[player] what its strategies are called."""
    return tuple(named(_names(form, player)) for player in range(len(form.shape)))


def _refuse(form: NormalForm, why: str) -> NoReturn:
    raise TooLarge(f"{form.tree.name}: {why}; in Python, normal_form() has all the numbers")


@dataclass(frozen=True, eq=False)
class _Marked:
    """A normal form and what is to be said of it, by player."""

    form: NormalForm
    words: tuple[StrategyNames, ...]
    best: tuple[npt.NDArray[np.bool_], ...]  # [player][profile] a best response?
    dominance: tuple[Dominance, ...]

    def dominated(self, player: int, strategy: int) -> str | None:
        """How, in words; None if it is not."""
        how = self.dominance[player].found.get(strategy)
        return None if how is None else dominated_text(how, self.words[player])


def dominated_text(how: Dominated, words: StrategyNames) -> str:
    """How a strategy is dominated: ``strictly by bet``, ``weakly by 1/2 × a + 1/2 × (1/3)``."""
    names = words.short
    parts = [
        names[at] if how.pure else f"{probability_text(probability)} × {_factor(names[at])}"
        for at, probability in how.by
    ]
    return f"{_how(how)} by {' + '.join(parts)}"


def _factor(name: str) -> str:
    """A strategy behind its probability; in brackets, if it is no word and no number as #3."""
    return name if name.isalpha() or name.startswith("#") else f"({name})"


def _how(how: Dominated) -> str:
    return "strictly" if how.strictly else "weakly"


def _marked(form: NormalForm, words: tuple[StrategyNames, ...]) -> _Marked:
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


def elimination_table(done: Elimination) -> Sheet:
    """The rounds of an elimination, and the normal form that is left.

    Parameters
    ----------
    done : Elimination
        As :func:`infoset.forms.dominance.eliminate` returns it.

    Returns
    -------
    Sheet
        A table of the strategies that were removed, with what dominates them, and the matrix that
        is left, in which strategies keep their names and numbers.

    Examples
    --------
    >>> from infoset.forms import normal_form
    >>> from infoset.forms.dominance import eliminate
    >>> from infoset.games import entry_game
    >>> sheet = elimination_table(eliminate(normal_form(entry_game().tree()), "weak"))
    >>> print(sheet.tables[0])
    what was removed
    round  player     strategy  dominated
        1  incumbent  fight     weakly by accommodate
        2  entrant    out       strictly by in
    """
    form, words = done.form, words_of(done.form)
    kept = tuple(_kept(own, left) for own, left in zip(words, done.left, strict=True))
    rest = matrix_of(done.rest, kept, "what is left")
    tables: list[Table] = [_rounds(done, words)] if done.rounds else []
    note = [_verdict(done), *([f"{done.note}."] if done.note else [])]
    facts = (
        ("eliminated", _removed(done)),
        ("left", times_text(map(len, done.left))),
    )
    title = f"{form.tree.name}: {form_title(form)}"
    if isinstance(rest, Table):
        return Sheet(title, [*tables, rest], facts, " ".join(note))
    both = Views(lambda at: [*tables, *rest.tables][at], len(tables) + len(rest))
    return Sheet(title, both, facts, " ".join([*note, rest.note]))


def _kept(words: StrategyNames, left: Sequence[int]) -> StrategyNames:
    """What the strategies that are left are called."""
    labels = Views(lambda at: words.labels[left[at]], len(left))
    return StrategyNames(labels, Views(lambda at: words.short[left[at]], len(left)), words.numbered)


def _rounds(done: Elimination, words: Sequence[StrategyNames]) -> Table:
    """A row for each strategy that went; with its words at the end where it has a number."""
    gone = [(number, one) for number, ones in enumerate(done.rounds, 1) for one in ones]
    names = [brief(name) for name in done.form.tree.names]
    spelled = any(words[one.player].numbered for _, one in gone)

    def row(at: int) -> tuple[Any, ...]:
        number, one = gone[at]
        own = words[one.player]
        cells = (number, names[one.player], own.short[one.strategy], dominated_text(one.how, own))
        return (*cells, own.labels[one.strategy]) if spelled else cells

    columns = [Column("round", NUMBER), Column("player"), Column("strategy")]
    columns += [Column(DOMINATED, PROSE)] + ([Column("in words", PROSE)] if spelled else [])
    return Table("what was removed", tuple(columns), Views(row, len(gone)))


def _removed(done: Elimination) -> str:
    count, rounds = len(done.removed), len(done.rounds)
    how = "strictly or weakly" if done.kind == WEAK else "strictly"
    means = " by pure strategies" if done.by == PURE else ""
    what = f"{how} dominated{means}"
    return f"{count:,} {what}, in {count_text(rounds, 'round')}" if count else f"none is {what}"


def _verdict(done: Elimination) -> str:
    if done.solvable:
        return "Dominance solvable: all that is left pays everyone the same."
    return "Not dominance solvable: what is left pays differently."


NEAR = 1e-9  # floats that differ less, next to the largest, are equal


def sequence_table(
    game: Solvable | SequenceForm, profile: Profile | Solution | Any = None
) -> Sheet:
    """The sequence form: payoffs by pairs of sequences, and the constraints of realization plans.

    Parameters
    ----------
    game : Game, Tree or SequenceForm
        What to tabulate.
    profile : Profile or Solution, optional
        A strategy for each player. With it the margins have the weights of the sequences and their
        best-response values, marked where a best response plays them; the rows of those that none
        plays are faint.

    Returns
    -------
    Sheet
        Payoffs, keys of the sequences if these are numbered, and the constraints.

    Raises
    ------
    TooLarge
        If there are more sequences than can be shown.

    Examples
    --------
    >>> from infoset.games import koller_megiddo_von_stengel
    >>> sheet = sequence_table(koller_megiddo_von_stengel())
    >>> [table.title for table in sheet]
    ['A: payoffs of one', 'sequences of one', 'sequences of two', 'E x = e: ...', 'F y = f: ...']
    >>> sheet[1].rows[3]
    ('#3', '[r], [L]')
    >>> sheet[0].rows[3]
    ('#3', None, Fraction(2, 1), Fraction(4, 1), None, None)
    """
    form = game if isinstance(game, SequenceForm) else sequence_form(as_tree(game))
    tree = form.tree
    if max(form.A.shape) > MOST_COLUMNS:
        size = times_text(form.A.shape)
        raise TooLarge(
            f"{tree.name}: the sequence form has {size} sequences, more than {MOST_COLUMNS:,};"
            " in Python, sequence_form() has its sparse matrices"
        )
    played = () if profile is None else _played(form, profile)
    words = [named(choices.labels) for choices in form.choices]
    tables: list[Table] = [_payoffs(form, words, played)]
    if len(words) > 1:
        tables += [
            key(
                own,
                brief(tree.names[at]),
                one="sequence",
                several="sequences",
                across=at == 1,
                order=_in_order(form.choices[at])[1],
            )
            for at, own in enumerate(words)
            if own.numbered
        ]
    for letters, matrix, choices, own in zip(
        (("E", "x", "e"), ("F", "y", "f")), (form.E, form.F), form.choices, words, strict=False
    ):
        tables.append(_constraints(letters, matrix, choices, own.short))
    return Sheet(f"{tree.name}: sequence form", tables, _facts(form, played))


def _in_order(choices: Choices) -> tuple[list[int], list[int]]:
    """A player's own sets and sequences in the order in which they are shown.

    Where all that the player knows begins with a fact, such as its hand, that is the order of the
    facts, else that of the tree. The sets are numbered from 1, as the rows of the constraints are;
    0 is the empty sequence.
    """
    own = {infoset: at for at, infoset in enumerate(choices.infosets.tolist())}
    words = (infoset_words(choices.tree, infoset)[:1] for infoset in own)
    informed = all(first and not first[0].own for first in words)
    shown = in_order(choices.tree, list(own)) if informed else list(own)
    sets = [own[infoset] for infoset in shown]
    blocks = zip(choices.first[sets].tolist(), choices.sizes[sets].tolist(), strict=True)
    sequences = [first + at for first, size in blocks for at in range(size)]
    return [0, *(at + 1 for at in sets)], [0, *sequences]


@dataclass(frozen=True, eq=False)
class _Played:
    """A player's plan, and the values of its sequences against the other's."""

    weights: Numbers  # [sequence]
    paid: Numbers  # [sequence] by the leaves at which it is the last one: A y
    values: Numbers  # [sequence] with the best that can follow
    best: list[bool]  # [sequence] in some best response?

    @property
    def payoff(self) -> Any:
        return self.weights.times(self.paid).total


def _played(form: SequenceForm, given: Any) -> tuple[_Played, ...]:
    found = given.verified if isinstance(given, Solution) else given
    found = found if isinstance(found, Profile) else one_for_each(found)
    if found.tree is not form.tree and found.tree.fingerprint != form.tree.fingerprint:
        raise StrategyError(
            f"{found!r} is not of this tree of {form.tree.name}; solve the tree that the form is of"
        )
    plans = [as_plan(strategy).weights for strategy in found]
    paid = [form.A.times(plans[1] if len(plans) > 1 else Numbers.of([1]))]
    if len(plans) > 1:
        paid.append(form.B.transposed.times(plans[0]))
    return tuple(map(_continued, form.choices, plans, paid))


def _continued(choices: Choices, weights: Numbers, paid: Numbers) -> _Played:
    """The best-response value of each sequence, and which belong to a best response."""
    values, _ = best_choices(choices, paid.numerators)
    near = 0 if paid.exact else NEAR * max(1.0, float(np.abs(values).max()))
    best = [True]
    if len(choices) > 1:
        most = np.repeat(np.maximum.reduceat(values, choices.first), choices.sizes)
        here = (values[1:] >= most - near).tolist()
        # A choice has a larger number than the one before it, which nodes meet earlier.
        for good, above in zip(here, choices.above[1:].tolist(), strict=True):
            best.append(good and best[above])
    return _Played(weights, paid, Numbers(values, paid.denominator), best)


def _payoffs(form: SequenceForm, words: Sequence[StrategyNames], played: Sequence[_Played]) -> Grid:
    """A and B in one table, with plans in its margins; blank where no play ends."""
    names, (rows, across) = [brief(name) for name in form.tree.names], form.A.shape
    alone = len(names) == 1
    both = not alone and not form.tree.zero_sum
    told = alone and words[0].numbered  # there is room for the words, and no key
    leaf_indices = [choices.last[form.tree.leaf_indices] for choices in form.choices]
    there = np.unique(leaf_indices[0] * across + (0 if alone else leaf_indices[1]))
    down, along = _in_order(form.choices[0])[1], [0] if alone else _in_order(form.choices[1])[1]

    def row(place: int) -> tuple[Any, ...]:
        if place >= rows:
            return _below(played[1], place - rows, along)
        at = down[place]
        start, stop = np.searchsorted(there, (at * across, (at + 1) * across))
        amounts = [_row(matrix, at) for matrix in (form.payoffs if both else form.payoffs[:1])]
        cells: list[Any] = [None] * across
        for column in (there[start:stop] - at * across).tolist():
            pays = tuple(amount.get(column, 0) for amount in amounts)
            cells[column] = Amounts(pays, (False, False)) if both else pays[0]
        margin = [played[0].weights[at], _value(played[0], at)] if played else []
        shown = [cells[column] for column in along]
        return (words[0].short[at], *margin, *shown, *([words[0].labels[at]] if told else []))

    columns = [Column(names[0] if alone else f"{names[0]} \\ {names[1]}")]
    columns += [Column("weight", PROBABILITY), Column("value", NUMBER)] if played else []
    first = len(columns)
    heads = ["payoff"] if alone else [words[1].short[at] for at in along]
    columns += [Column(head, NUMBER) for head in heads]
    columns += [Column("sequence", PROSE)] if told else []
    return Grid(
        f"A, B: payoffs of {names[0]}, {names[1]}" if both else f"A: payoffs of {names[0]}",
        tuple(columns),
        Views(row, rows + (2 if played and not alone else 0)),
        _legend(form, bool(played)),
        frozenset(place for place, at in enumerate(down) if not played[0].best[at])
        if played
        else frozenset(),
        range(first, first + across),
        rows,
    )


def _below(played: _Played, second: int, along: Sequence[int]) -> tuple[Any, ...]:
    """The two rows below: player two's weights, and the values of its sequences."""
    if second:
        return ("value", None, None, *(_value(played, at) for at in along))
    return ("weight", None, None, *(played.weights[at] for at in along))


def _value(played: _Played, at: int) -> Amounts:
    return Amounts((played.values[at],), (played.best[at],))


def _row(matrix: Sparse, at: int) -> dict[int, Any]:
    start, stop = np.searchsorted(matrix.rows, (at, at + 1))
    entries = matrix.entries[int(start) : int(stop)]
    return dict(zip(matrix.columns[start:stop].tolist(), entries, strict=True))


def _constraints(
    letters: tuple[str, str, str], matrix: Sparse, choices: Choices, heads: Sequence[str]
) -> Grid:
    """E and e, or F and f: a row for the empty sequence, and one for each information set."""
    big, weights, side = letters
    name, across = brief(choices.tree.names[choices.player]), matrix.shape[1]
    down, along = _in_order(choices)

    def row(place: int) -> tuple[Any, ...]:
        at = down[place]
        if at == 0:
            label = "empty sequence"
        else:
            infoset = choices.tree.infosets[int(choices.infosets[at - 1])]
            label = infoset.label or f"#{infoset.index + 1}"
        entries = _row(matrix, at)
        return (label, *(entries.get(column) for column in along), int(at == 0))

    shown = [Column(heads[at], NUMBER) for at in along]
    columns = [Column(name), *shown, Column(side, NUMBER)]
    title = f"{big} {weights} = {side}: what the weights {weights} of {name} obey"
    rows = matrix.shape[0]
    return Grid(title, tuple(columns), Views(row, rows), across=range(1, 1 + across), down=rows)


def _legend(form: SequenceForm, played: bool) -> str:
    names = form.tree.names
    said = ["A cell is empty where no play ends with its pair of sequences."]
    if len(names) == 2 and form.tree.zero_sum:
        said.append(f"{brief(names[1])} is paid the negative.")
    if played:
        said.append(
            "Weight: the product of the own choices' probabilities. Worth: what is paid from there"
            " on if the best follows, times the probability that all others do their part;"
            " marked: some best response plays this."
        )
    return " ".join(said)


def _facts(form: SequenceForm, played: Sequence[_Played]) -> tuple[tuple[str, str], ...]:
    names, constraints = form.tree.names, (form.E, form.F)[: len(form.choices)]
    facts = [
        ("sequences", times_text(map(len, form.choices))),
        ("constraints", " + ".join(f"{matrix.shape[0]:,}" for matrix in constraints)),
        ("entries", " + ".join(f"{len(matrix):,}" for matrix in form.payoffs[: len(names)])),
    ]
    for name, own in zip(names, played, strict=False):
        got, most = (amount_text(amount, own.paid.exact) for amount in (own.payoff, own.values[0]))
        facts.append((f"{brief(name)} gets", f"{got}, at best {most}"))
    return tuple(facts)


__all__ = ["elimination_table", "form_table", "normal_table", "sequence_table"]


def form_table(form: NormalForm | SequenceForm) -> Table | Sheet:
    """A form as a table, for notebooks; of one that is too large, its size and no table.

    >>> from infoset.forms import sequence_form
    >>> from infoset.games import kuhn
    >>> form_table(sequence_form(kuhn().tree())).title
    'kuhn(): sequence form'
    """
    try:
        return normal_table(form) if isinstance(form, NormalForm) else sequence_table(form)
    except TooLarge as error:
        return Sheet(repr(form).strip("<>"), (), note=str(error))
