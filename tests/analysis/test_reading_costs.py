"""What is read of a solution costs what was asked for, not what the game has: counts, not times."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from infoset import Play, Solution, game
from infoset.analysis import beliefs, public_to_tree, strategy_tables
from infoset.analysis.strategy_tables import SituationRows
from infoset.errors import NotApplicable
from infoset.games import rhode_island
from infoset.solvers.public import solve_public
from infoset.strategy.public import PublicProfile

TOKENS = 24
SETS = TOKENS * (TOKENS - 1)  # a token of one's own, and one that both see


class Token:
    """Something to hold, which counts how often anything is written."""

    written = 0

    def __init__(self, rank: int) -> None:
        self.rank = rank

    def __str__(self) -> str:
        Token.written += 1
        return f"t{self.rank}"


BAG = tuple(map(Token, range(TOKENS)))


@game(players=("one", "two"), vectorized=True)
def tokens(g: Play) -> Any:
    """Each holds a token, a third is shown, one may bet, two may call; the higher rank wins."""
    mine, yours, shown = g.deal(BAG, 1, 1, 1)
    g.reveal("one", mine)
    g.reveal("two", yours)
    g.reveal(g.players, shown)
    won = g.map(lambda one, two: 1 if one.rank > two.rank else -1, mine, yours)
    if g.choose("one", ("check", "bet")) == "check":
        return won, -won
    g.reveal("two", "bet")
    if g.choose("two", ("fold", "call")) == "fold":
        return g.win("one", 1)
    return 2 * won, -2 * won


@cache
def form() -> Any:
    return tokens().public()


def solution() -> Solution:
    """Solved a little, with nothing read of it yet."""
    return solve_public(form(), "cfr+", iterations=2)


def counted(monkeypatch: pytest.MonkeyPatch, *names: str, of: type = PublicProfile) -> Counter[str]:
    """How often methods, of profiles of public forms, are called from now on."""
    calls: Counter[str] = Counter()
    for name in names:
        method = getattr(of, name)

        def counting(*given: Any, _name: str = name, _method: Any = method) -> Any:
            calls[_name] += 1
            return _method(*given)

        monkeypatch.setattr(of, name, counting)
    return calls


def words_read(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the words of an information set are read from now on."""
    kind = type(form().decisions[0][0].words)
    return counted(monkeypatch, "__getitem__", of=kind)


def test_one_information_set_reads_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    found = solve_public(tokens().public(), "cfr+", iterations=2)
    assert found.evaluation.form.infosets == (SETS, SETS)
    calls = words_read(monkeypatch)
    Token.written = 0
    assert set(found.strategy["one"]["t3, t5"]) == {"check", "bet"}
    assert "t3, t3" not in found.strategy["one"]
    assert Token.written <= 2 * TOKENS
    assert calls["__getitem__"] <= 1


def test_a_file_is_written_without_the_words_of_every_set(monkeypatch: pytest.MonkeyPatch) -> None:
    found, calls = solution(), words_read(monkeypatch)
    Token.written = 0
    assert found.csv().count("\n") == 1 + 4 * SETS
    assert Token.written <= 8 * TOKENS  # to be put in order, and to be written
    assert calls["__getitem__"] <= 1


def test_a_table_evaluates_the_rows_that_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    found = solution()
    calls = counted(monkeypatch, "belief_arrays", "values")
    (table,) = found.table("two", where="t3, t5, bet")
    assert len(table) == 1
    assert str(table)
    assert calls["belief_arrays"] <= 4
    assert calls["values"] == 1


def test_an_overview_asks_for_no_beliefs_and_values(monkeypatch: pytest.MonkeyPatch) -> None:
    found = solution()
    calls = counted(monkeypatch, "belief_arrays", "values", "action_values")
    assert str(found)
    assert not calls


def test_a_sheet_makes_each_of_its_tables_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy_tables, "FEW", 2)  # tables that are kept
    sheet = solution().table("one", where="t3")
    assert len(sheet.tables) == TOKENS
    calls = counted(monkeypatch, "table", of=SituationRows)
    assert sheet.text(most=None).count("t3") >= TOKENS - 1
    assert calls["table"] == len(sheet.tables)


def test_a_question_that_needs_a_tree_too_large_runs_no_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = solve_public(rhode_island(ranks=3, suits=2).public(), "cfr+", iterations=2)
    monkeypatch.setattr(public_to_tree, "MAX_NODES", 1000)
    monkeypatch.setattr(public_to_tree, "as_tree", lambda game: pytest.fail("a tree is built"))
    with pytest.raises(
        NotApplicable, match=r"[\d,]+ nodes.*1,000.*max_nodes=.*table.*need no tree"
    ):
        beliefs(found, "one: J♠")
