"""The sequence form as Koller, Megiddo & von Stengel 1994 print it in figure 3.

Payoffs by pairs of sequences, and the constraints E x = e and F y = f. Given strategies, each
sequence has its weight x (or y), and what it is worth against the other's plan: with v = A y, the
payoffs of the leaves at which it is the last one,

    worth(s) = v(s) + sum over the player's information sets h that come next after s
                      of the largest worth(s c), c a choice at h.

So the empty sequence is worth what a best response gets. A sequence belongs to some best response
if it and all sequences before it are worth the most at their information sets. In a zero-sum game
player two's payoffs would only repeat A, and are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from infoset.errors import StrategyError, TooLarge
from infoset.examine.matrices.words import MOST_COLUMNS, Grid, Words, key, named
from infoset.examine.tables.record import NUMBER, PROSE, SHARE, Amounts, Column, Sheet, Table
from infoset.forms.sequence import SequenceForm, sequence_form
from infoset.linear.numbers import Numbers
from infoset.linear.sparse import Sparse
from infoset.rules.story import brief
from infoset.solve import Solution, Solvable, as_tree
from infoset.solve.text import amount_text
from infoset.strategy import Profile, as_plan
from infoset.strategy import profile as one_for_each
from infoset.strategy.response import climb
from infoset.tree.choices import Choices
from infoset.tree.views import Views

NEAR = 1e-9  # floats that differ less, next to the largest, are equal


def sequence_table(
    game: Solvable | SequenceForm, profile: Profile | Solution | Any = None
) -> Sheet:
    """The sequence form: payoffs by pairs of sequences, and what realization plans obey.

    With a strategy for each player, a solution for example, the margins have the weights of the
    sequences and what they are worth, marked where a best response plays them; the rows of those
    that none plays are faint. Where sequences take many words, they are numbered, and keys below
    the payoffs say what the numbers stand for.

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
        size = " × ".join(f"{count:,}" for count in form.A.shape)
        raise TooLarge(
            f"{tree.name}: the sequence form has {size} sequences, more than {MOST_COLUMNS:,};"
            " in Python, sequence_form() has its sparse matrices"
        )
    played = () if profile is None else _played(form, profile)
    words = [named(choices.labels) for choices in form.choices]
    tables: list[Table] = [_payoffs(form, words, played)]
    if len(words) > 1:
        tables += [
            key(own, brief(tree.names[at]), one="sequence", several="sequences", across=at == 1)
            for at, own in enumerate(words)
            if own.numbered
        ]
    for letters, matrix, choices, own in zip(
        (("E", "x", "e"), ("F", "y", "f")), (form.E, form.F), form.choices, words, strict=False
    ):
        tables.append(_constraints(letters, matrix, choices, own.short))
    return Sheet(f"{tree.name}: sequence form", tables, _facts(form, played))


@dataclass(frozen=True, eq=False)
class _Played:
    """A player's plan, and what its sequences are worth against the other's."""

    weights: Numbers  # [sequence]
    paid: Numbers  # [sequence] by the leaves at which it is the last one: A y
    worth: Numbers  # [sequence] with the best that can follow
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
    """What each sequence is worth, and which are best all the way."""
    worth, _ = climb(choices, paid.numerators)
    near = 0 if paid.exact else NEAR * max(1.0, float(np.abs(worth).max()))
    best = [True]
    if len(choices) > 1:
        most = np.repeat(np.maximum.reduceat(worth, choices.first), choices.sizes)
        here = (worth[1:] >= most - near).tolist()
        # A choice has a larger number than the one before it, which nodes meet earlier.
        for good, above in zip(here, choices.above[1:].tolist(), strict=True):
            best.append(good and best[above])
    return _Played(weights, paid, Numbers(worth, paid.denominator), best)


def _payoffs(form: SequenceForm, words: Sequence[Words], played: Sequence[_Played]) -> Grid:
    """A and B in one table, with plans in its margins; blank where no play ends."""
    names, (rows, across) = [brief(name) for name in form.tree.names], form.A.shape
    alone = len(names) == 1
    both = not alone and not form.tree.zero_sum
    told = alone and words[0].numbered  # there is room for the words, and no key
    ends = [choices.last[form.tree.ends] for choices in form.choices]
    there = np.unique(ends[0] * across + (0 if alone else ends[1]))

    def row(at: int) -> tuple[Any, ...]:
        if at >= rows:
            return _below(played[1], at - rows)
        start, stop = np.searchsorted(there, (at * across, (at + 1) * across))
        amounts = [_row(matrix, at) for matrix in (form.payoffs if both else form.payoffs[:1])]
        cells: list[Any] = [None] * across
        for column in (there[start:stop] - at * across).tolist():
            pays = tuple(amount.get(column, 0) for amount in amounts)
            cells[column] = Amounts(pays, (False, False)) if both else pays[0]
        margin = [played[0].weights[at], _worth(played[0], at)] if played else []
        return (words[0].short[at], *margin, *cells, *([words[0].labels[at]] if told else []))

    columns = [Column(names[0] if alone else f"{names[0]} \\ {names[1]}")]
    columns += [Column("weight", SHARE), Column("worth", NUMBER)] if played else []
    first = len(columns)
    columns += [Column(head, NUMBER) for head in (["payoff"] if alone else words[1].short)]
    columns += [Column("sequence", PROSE)] if told else []
    return Grid(
        f"A, B: payoffs of {names[0]}, {names[1]}" if both else f"A: payoffs of {names[0]}",
        tuple(columns),
        Views(row, rows + (2 if played and not alone else 0)),
        _legend(form, bool(played)),
        frozenset(at for at, best in enumerate(played[0].best) if not best)
        if played
        else frozenset(),
        range(first, first + across),
        rows,
    )


def _below(played: _Played, second: int) -> tuple[Any, ...]:
    """The two rows below: player two's weights, and what its sequences are worth."""
    every = range(len(played.best))
    if second:
        return ("worth", None, None, *(_worth(played, at) for at in every))
    return ("weight", None, None, *played.weights.values())


def _worth(played: _Played, at: int) -> Amounts:
    return Amounts((played.worth[at],), (played.best[at],))


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

    def row(at: int) -> tuple[Any, ...]:
        if at == 0:
            label = "empty sequence"
        else:
            infoset = choices.tree.infosets[int(choices.infosets[at - 1])]
            label = infoset.label or f"#{infoset.index + 1}"
        entries = _row(matrix, at)
        return (label, *(entries.get(column) for column in range(across)), int(at == 0))

    columns = [Column(name), *(Column(head, NUMBER) for head in heads), Column(side, NUMBER)]
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
        ("sequences", " × ".join(f"{len(choices):,}" for choices in form.choices)),
        ("constraints", " + ".join(f"{matrix.shape[0]:,}" for matrix in constraints)),
        ("entries", " + ".join(f"{len(matrix):,}" for matrix in form.payoffs[: len(names)])),
    ]
    for name, own in zip(names, played, strict=False):
        got, most = (amount_text(amount, own.paid.exact) for amount in (own.payoff, own.worth[0]))
        facts.append((f"{brief(name)} gets", f"{got}, at best {most}"))
    return tuple(facts)
