"""A fingerprint of a public form tells apart whatever plays differently, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from infoset.errors import FileError
from infoset.forms.public.record import (
    Block,
    Decision,
    Meeting,
    PayoffTable,
    PublicForm,
    PublicLeaf,
)
from infoset.games import kuhn, leduc
from infoset.solvers.cfr.public_layout import pennies
from infoset.solvers.public import solve_public
from infoset.solvers.solution import Solution

ONE = np.zeros(1, np.int64)


def table(*entries: int) -> PayoffTable:
    """A table of as many blocks as there are entries, all of the same sets."""
    return PayoffTable(tuple(Block(ONE, ONE, np.array([[one]], np.int64)) for one in entries))


def of_tables(*tables: PayoffTable) -> PublicForm:
    leaves = (
        PublicLeaf(((0, 0), (0, 0)), 0, Fraction(1)),
        PublicLeaf(((0, 1), (0, 1)), 1, Fraction(1)),
    )
    return replace(pennies(), tables=tables, leaves=leaves)


def changed(form: PublicForm, **fields: object) -> PublicForm:
    """Player one's first decision with other fields."""
    first, *more = form.decisions[0]
    return replace(form, decisions=((replace(first, **fields), *more), form.decisions[1]))


def test_where_a_table_ends_matters() -> None:
    one, two = of_tables(table(1, 2), table(3)), of_tables(table(1), table(2, 3))
    assert one.fingerprint != two.fingerprint
    assert solve_public(one, "lp").value != solve_public(two, "lp").value


def test_the_shape_of_a_block_matters() -> None:
    def shaped(rows: int, columns: int) -> PublicForm:
        block = Block(np.arange(rows), np.arange(columns), np.ones((rows, columns), np.int64))
        return replace(pennies(), tables=(PayoffTable((block,)),))

    assert shaped(1, 4).fingerprint != shaped(4, 1).fingerprint


def test_large_entries_are_told_apart() -> None:
    def of(amount: int) -> str:
        block = Block(ONE, ONE, np.array([[amount]], object))
        return replace(pennies(), tables=(PayoffTable((block,)),)).fingerprint

    assert of(10**30) != of(10**30 + 1)


def test_all_that_plays_a_part_is_in_it() -> None:
    form = kuhn().public()
    first: Decision = form.decisions[0][0]
    meeting: Meeting = first.meetings[0]
    others = [
        replace(form, total=Fraction(1)),
        replace(form, leaves=form.leaves[:-1]),
        replace(form, leaves=tuple(replace(end, factor=2 * end.factor) for end in form.leaves)),
        replace(
            form, leaves=(replace(form.leaves[0], table=form.leaves[1].table + 1), *form.leaves[1:])
        ),
        changed(form, menu=tuple(reversed(first.menu))),
        changed(form, stands_for=first.stands_for * 2),
        changed(form, meetings=()),
        changed(form, meetings=(replace(meeting, factor=meeting.factor / 2),)),
        changed(form, meetings=(replace(meeting, table=meeting.table + 1),)),
    ]
    prints = {one.fingerprint for one in others}
    assert len(prints) == len(others)
    assert form.fingerprint not in prints


def test_names_play_no_part() -> None:
    form = kuhn().public()
    other = replace(changed(form, words=[()] * 3), name="another", players=("x", "y"))
    assert other.fingerprint == form.fingerprint == kuhn().public().fingerprint
    assert kuhn(bet=2).public().fingerprint != form.fingerprint


def test_the_same_tables_with_other_stakes_are_another_game(tmp_path: Path) -> None:
    whole = leduc().public()
    dearer = replace(
        whole, leaves=tuple(replace(end, factor=end.factor * 3) for end in whole.leaves)
    )
    assert whole.tables is dearer.tables
    kept, saved = tmp_path / "checkpoint", tmp_path / "solution"
    solve_public(whole, "cfr+", iterations=3, checkpoint=kept).save(saved)
    with pytest.raises(FileError, match="rules have changed"):
        solve_public(dearer, "cfr+", iterations=6, checkpoint=kept)
    with pytest.raises(FileError, match="rules have changed"):
        Solution.load(saved, dearer)
    assert Solution.load(saved, whole).evaluation.form is whole
