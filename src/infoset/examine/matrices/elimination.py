"""Iterated dominance as tables: what went in which round and why, and the matrix that is left.

Strategies are called in the matrix of what is left as they are in the whole one, by their words or
by their numbers, so that a number means the same strategy everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from infoset.examine.matrices.normal import dominated_text, form_title, matrix_of, words_of
from infoset.examine.matrices.words import DOMINATED, Words
from infoset.examine.tables.cells import several
from infoset.examine.tables.record import NUMBER, PROSE, Column, Sheet, Table
from infoset.forms.elimination import PURE, WEAK, Elimination
from infoset.rules.story import brief
from infoset.tree.views import Views


def elimination_table(done: Elimination) -> Sheet:
    """The rounds of an elimination, and the normal form that is left.

    >>> from infoset.forms import normal_form
    >>> from infoset.forms.elimination import eliminate
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
        ("left", " × ".join(f"{len(own):,}" for own in done.left)),
    )
    title = f"{form.tree.name}: {form_title(form)}"
    if isinstance(rest, Table):
        return Sheet(title, [*tables, rest], facts, " ".join(note))
    both = Views(lambda at: [*tables, *rest.tables][at], len(tables) + len(rest))
    return Sheet(title, both, facts, " ".join([*note, rest.note]))


def _kept(words: Words, left: Sequence[int]) -> Words:
    """What the strategies that are left are called."""
    labels = Views(lambda at: words.labels[left[at]], len(left))
    return Words(labels, Views(lambda at: words.short[left[at]], len(left)), words.numbered)


def _rounds(done: Elimination, words: Sequence[Words]) -> Table:
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
    return f"{count:,} {what}, in {several(rounds, 'round')}" if count else f"none is {what}"


def _verdict(done: Elimination) -> str:
    if done.solvable:
        return "Dominance solvable: all that is left pays everyone the same."
    return "Not dominance solvable: what is left pays differently."
