"""Results of every kind are shown by the same functions: tables, plots, files, reports."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from infoset import solve
from infoset.display.report import plot, report, solution_csv, solution_sheet, strategy_source
from infoset.errors import NotApplicable, ParameterError
from infoset.forms.public import public_form
from infoset.games import absent_minded, kuhn
from infoset.solvers.public import solve_public
from infoset.solvers.sampling import sample
from infoset.strategy.convert import read_strategies

KINDS = ("tree", "public", "sampled")


@cache
def result(kind: str) -> Any:
    if kind == "tree":
        return solve(kuhn())
    if kind == "public":
        return solve_public(public_form(kuhn()))
    return sample(kuhn(), iterations=500)


@pytest.mark.parametrize("kind", KINDS)
def test_tables_have_the_rows_of_their_source(kind: str) -> None:
    for player in ("gambler", "dealer"):
        source = strategy_source(result(kind), player)
        sheet = solution_sheet(result(kind), player)
        assert sum(map(len, sheet)) == source.infosets == 6
        rows = {line.label: line.probabilities for line in source.lines()}
        assert len(rows) == 6
        assert sorted(row[1:3] for table in sheet for row in table) == sorted(
            map(tuple, rows.values())
        )


def test_an_exact_plan_on_a_public_form_has_the_columns_and_types_of_the_tree() -> None:
    for player in ("gambler", "dealer"):
        public = solution_sheet(result("public"), player)
        tree = solution_sheet(result("tree"), player)
        assert [table.title for table in public] == [table.title for table in tree]
        for ours, theirs in zip(public, tree, strict=True):
            assert ours.columns[:5] == theirs.columns[:5]
            assert all(isinstance(cell, Fraction) for cell in ours.column("bet"))


@pytest.mark.parametrize("kind", KINDS)
def test_files_are_read_again(kind: str) -> None:
    tree = kuhn().tree()
    found = read_strategies("".join(solution_csv(result(kind))), tree)
    for player in tree.names:
        for line in strategy_source(result(kind), player).lines():
            read = [*found[player][line.label].values()]
            assert read == pytest.approx([*map(float, line.probabilities)])


@pytest.mark.parametrize("kind", KINDS)
def test_plots_have_the_panels_that_fit(kind: str) -> None:
    figure = plot(result(kind), "gambler", where="K", most=2)
    assert len(figure.subfigs[0].axes) == 2
    assert len(plot(result(kind)).subfigs) == 2
    with pytest.raises(ParameterError, match="'nowhere' in its label; one reads"):
        plot(result(kind), where="nowhere")


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_is_facts_and_strategies(kind: str) -> None:
    heading, *sheets = report(result(kind))
    assert {"method", "payoffs", "regret"} <= {name for name, _ in heading.facts}
    assert [sheet.title for sheet in sheets] == ["gambler", "dealer"]


def test_mixed_plans_have_no_information_sets() -> None:
    found = solve(absent_minded())
    mixing = [one.player for one in found.profile if not hasattr(one, "choices")]
    for player in mixing:
        with pytest.raises(NotApplicable, match="mixes whole plans"):
            strategy_source(found, player)
