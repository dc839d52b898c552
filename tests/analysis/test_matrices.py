"""Matrices as tables: what is in them, against figures and definitions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from infoset import solve
from infoset.analysis import matrices as normal
from infoset.analysis import matrices as sequence
from infoset.analysis.matrices import Grid, form_table, named, normal_table, sequence_table
from infoset.analysis.table import NUMBER, PROBABILITY, PROSE, Amounts, Sheet, Table
from infoset.display.matrices import excerpts
from infoset.errors import NotApplicable, StrategyError, TooLarge
from infoset.forms import NormalForm, normal_form, normal_size, sequence_form
from infoset.games import (
    absent_minded,
    blair_g1,
    koller_megiddo_von_stengel,
    kuhn,
    matching_pennies,
    prisoners_dilemma,
    seltens_horse,
)
from infoset.strategy import Pure, as_behaviour, behaviour, profile, uniform
from infoset.tree import MatrixGame, Tree, matrix_game
from tests.hostile_games import html_faults, tex_faults, unseen
from tests.rules.random_games import random_rules

F = Fraction


def one_table(shown: Table | Sheet) -> Table:
    assert isinstance(shown, Table)
    return shown


def sheet(shown: Table | Sheet) -> Sheet:
    assert isinstance(shown, Sheet)
    return shown


def heads(table: Table) -> list[str]:
    return [column.name for column in table.columns]


# ---------------------------------------------------------------------- the normal form


def test_prisoners_dilemma() -> None:
    table = one_table(normal_table(prisoners_dilemma()))
    assert table.title == "prisoners_dilemma(): reduced normal form, 2 × 2"
    assert heads(table) == ["row \\ column", "cooperate", "defect", "dominated"]
    assert [column.kind for column in table.columns[1:3]] == [NUMBER, NUMBER]
    assert list(table) == [
        (
            "cooperate",
            Amounts((F(-1), F(-1)), (False, False)),
            Amounts((F(-4), F(0)), (False, True)),
            "strictly by defect",
        ),
        (
            "defect",
            Amounts((F(0), F(-4)), (True, False)),
            Amounts((F(-3), F(-3)), (True, True)),
            None,
        ),
        ("dominated", "strictly", None, None),
    ]
    assert table.faint == {0}
    assert "Dominated strategies of column: cooperate, strictly by defect." in table.note


def test_nothing_is_said_of_dominance_where_there_is_none() -> None:
    table = one_table(normal_table(matching_pennies()))
    assert heads(table) == ["even \\ odd", "heads", "tails"]
    assert len(table) == 2
    assert not table.faint
    assert "ominated" not in table.note


def test_mixtures_are_written_out() -> None:
    table = one_table(normal_table(matrix_game([[4, 0], [1, 1], [0, 4]])))
    assert table.column("dominated") == [None, "strictly by 1/2 × (row 1) + 1/2 × (row 3)", None]
    turned = matrix_game([[0, 0, 0]] * 2, [[4, 1, 0], [0, 1, 4]])
    note = one_table(normal_table(turned)).note
    assert "column 2, strictly by 1/2 × (column 1) + 1/2 × (column 3)" in note


def is_best(form: NormalForm, at: tuple[int, ...], player: int) -> bool:
    others = [(*at[:player], own, *at[player + 1 :]) for own in range(form.shape[player])]
    paid = form.payoffs_of(at)[player]
    return all(form.payoffs_of(other)[player] <= paid for other in others)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.integers(1, 3), depth=st.integers(0, 4))
def test_every_cell_has_its_payoffs_marked_where_they_are_best(
    seed: int, players: int, depth: int
) -> None:
    tree = random_rules(seed, players, depth)().tree()
    sizes = normal_size(tree)
    assume(None not in sizes and max(size or 0 for size in sizes) <= 8)
    form = normal_form(tree)
    shown = normal_table(form)
    tables = [shown] if isinstance(shown, Table) else list(shown.tables)
    rest = list(product(*map(range, form.shape[2:])))
    across = range(form.shape[1]) if players > 1 else range(1)
    for others, table in zip(rest, tables, strict=False):
        for row in range(form.shape[0]):
            for column in across:
                at = (row, column, *others)[:players]
                cell = table.rows[row][1 + column]
                assert cell.values == form.payoffs_of(at)
                assert cell.marked == tuple(is_best(form, at, who) for who in range(players))


def test_three_players_have_a_table_for_each_strategy_of_the_third() -> None:
    shown = sheet(normal_table(seltens_horse()))
    assert [table.title for table in shown] == ["three: L", "three: R"]
    assert heads(shown[0]) == ["one \\ two", "across", "down"]
    assert shown[0].rows[0][2] == Amounts((F(4), F(4), F(0)), (True, True, False))
    assert all(shown[1].rows[0][1].marked)  # Selten's equilibrium
    assert shown.note.startswith("Payoffs of one, two, three")


def test_what_is_dominated_for_the_third_player_is_said_above_its_tables() -> None:
    two = (("u", "d"),) * 3
    payoffs = tuple((F(0), F(0), F(third)) for third in (0, 1) for _ in range(4))
    shown = sheet(normal_table(MatrixGame(("a", "b", "c"), two, payoffs)))
    assert shown[0].title == "c: u (dominated strictly by d)"
    assert shown[1].title == "c: d"
    assert "Dominated strategies of c: u, strictly by d." in shown.note


def test_one_player_has_a_list() -> None:
    table = one_table(normal_table(matrix_game([[3], [5]]).tree()))
    assert len(table.columns) == 3  # against someone with one strategy it is a table still
    alone = one_table(normal_table(blair_g1()))
    assert heads(alone) == ["player", "payoff", "dominated", "strategy"]
    best = ("#3", Amounts((F(1),), (True,)), None, "continue/right/continue/left")
    assert alone.rows[3] == best
    assert alone.rows[0][2] == "strictly by #3"
    assert sum(row[1].marked[0] for row in alone) == 1
    assert alone.faint == set(range(9)) - {3}


def test_long_strategies_are_numbered_and_a_key_says_what_they_are() -> None:
    form = normal_form(kuhn().tree())
    grid, gambler, dealer = sheet(normal_table(form)).tables
    assert heads(grid)[1:65] == [f"#{at}" for at in range(64)]
    assert [row[0] for row in grid] == [*(f"#{at}" for at in range(27)), "dominated"]
    for player, key in enumerate((gambler, dealer)):
        assert heads(key) == ["number", "dominated", "strategy"]
        assert [column.kind for column in key.columns[1:]] == [PROSE, PROSE]
        assert key.column("strategy") == list(form.labels(player))
        assert key.column("number") == [f"#{at}" for at in range(form.shape[player])]
        assert {at for at, row in enumerate(key) if row[1] is not None} == key.faint
    assert (gambler.title, dealer.title) == ("strategies of gambler", "strategies of dealer")
    assert "Dominated strategies" not in sheet(normal_table(form)).note


def test_where_strategies_are_numbered_the_margins_say_how_and_the_keys_by_what() -> None:
    grid, gambler, dealer = sheet(normal_table(kuhn())).tables
    assert gambler.rows[0][1] == "strictly by 2/3 × #2 + 1/3 × #20"
    assert dealer.rows[2][1] == "weakly by #14"
    for margin, key in (
        (grid.column("dominated")[:27], gambler),
        (grid.rows[27][1:65], dealer),
    ):
        assert list(margin) == [how and how.split()[0] for how in key.column("dominated")]


def test_the_third_players_long_strategies_are_numbered_above_their_tables() -> None:
    long = tuple(f"a strategy of many words, number {at}" for at in range(2))
    payoffs = tuple((F(0), F(0), F(third)) for third in (0, 1) for _ in range(4))
    shown = sheet(
        normal_table(MatrixGame(("a", "b", "c"), (("u", "d"), ("u", "d"), long), payoffs))
    )
    assert [table.title for table in shown] == [
        "c: #0 (dominated strictly by #1)",
        "c: #1",
        "strategies of c",
    ]
    assert shown[2].rows[0] == ("#0", "strictly by #1", long[0])


def test_whole_and_reduced() -> None:
    title = "kuhn(): normal form, 64 × 64"
    assert normal_table(kuhn(), reduced=False).title == title
    assert normal_table(normal_form(kuhn().tree(), reduced=False)).title == title
    with pytest.raises(TooLarge, match=r"27 × 64 entries, more than 1,000"):
        normal_table(kuhn(), most=1000)


def test_mixtures_that_were_not_looked_at_are_said() -> None:
    assert "dealer: mixtures were not looked at: 256 strategies" in (
        sheet(normal_table(kuhn(ranks=4))).note
    )


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The combinations of strategies whose payoffs were asked for."""
    asked: list[tuple[int, ...]] = []
    payoffs_of = NormalForm.payoffs_of

    def listed(form: NormalForm, combination: tuple[int, ...]) -> tuple[Fraction, ...]:
        asked.append(combination)
        return payoffs_of(form, combination)

    monkeypatch.setattr(NormalForm, "payoffs_of", listed)
    return asked


def test_rows_are_made_when_they_are_looked_at(made: list[tuple[int, ...]]) -> None:
    shown = sheet(normal_table(kuhn()))
    assert not made
    assert len(shown[0].rows[5]) == 66
    assert made == [(5, column) for column in range(64)]


def test_tables_that_nobody_could_read_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(normal, "MOST_TABLES", 1)
    with pytest.raises(
        TooLarge,
        match=r"2 tables, one for each combination of the strategies of three, more than 1",
    ):
        normal_table(seltens_horse())
    monkeypatch.setattr(normal, "MOST_COLUMNS", 2)
    monkeypatch.setattr(sequence, "MOST_COLUMNS", 2)
    with pytest.raises(TooLarge, match=r"kuhn\(\): 64 columns, more than 2; in Python"):
        normal_table(kuhn())
    with pytest.raises(
        TooLarge, match=r"the sequence form has 13 × 13 sequences, more than 2; in Python"
    ):
        sequence_table(kuhn())
    for form in (normal_form(kuhn().tree()), sequence_form(kuhn().tree())):
        shown = sheet(form_table(form))
        assert len(shown) == 0
        assert "more than 2" in shown.note
        assert "orm of kuhn(): " in shown.title


def test_forms_show_themselves() -> None:
    tree = prisoners_dilemma().tree()
    assert list(one_table(form_table(normal_form(tree)))) == list(one_table(normal_table(tree)))
    assert form_table(sequence_form(tree)).title == "prisoners_dilemma(): sequence form"


HOSTILE = ["<script>", "a\nb", "\u202eright", "\\end{x} & %", "\ud800", "", "[pass]", "\x1b[2J"]


def test_hostile_labels_pass_as_they_are() -> None:
    few = HOSTILE[:3]
    table = one_table(normal_table(matrix_game([[0] * 3] * 3, actions=(few, few))))
    assert heads(table)[1:] == few
    assert [row[0] for row in table] == few
    every = matrix_game([[0] * 8] * 8, actions=(HOSTILE, HOSTILE)).tree()
    for shown in (normal_table(every), sequence_table(every, solve(every))):
        assert unseen(shown.text(width=80)) == []
        assert html_faults(shown._repr_html_()) == []
        assert tex_faults(shown.latex()) == []
        assert "\u202eright" in shown.csv()


def test_a_megabyte_of_a_label_costs_little() -> None:
    long = ["x" * 10**6 + str(at) for at in range(20)]
    game = matrix_game([[0] * 20] * 20, actions=(long, long))
    tree = game.tree()
    shown = sheet(normal_table(tree))
    assert heads(shown[0])[1:] == [f"#{at}" for at in range(20)]
    assert shown[0].rows[3][0] == "#3"
    assert shown[1].rows[3] == ("#3", f"#1.4 {'x' * 200}…")
    assert len(shown.text(width=100)) < 10_000
    assert len(sequence_table(tree, solve(tree)).text(width=100)) < 20_000


# ---------------------------------------------------------------------- the sequence form


def figure(text: str) -> list[list[int | None]]:
    """A matrix as a figure prints it, dots for what it leaves out."""
    return [
        [None if word == "." else int(word) for word in line.split()] for line in text.split(";")
    ]


def test_koller_megiddo_von_stengel_1994_figure_3() -> None:
    shown = sequence_table(koller_megiddo_von_stengel())
    assert shown.facts[:2] == (("sequences", "7 × 5"), ("constraints", "4 + 3"))
    payoffs, one, two, constraints_one, constraints_two = shown.tables
    assert [list(row[1:]) for row in payoffs] == figure(
        "2 . . . .; 1 . . . .; . . . . .; . 2 4 . .; . 3 -1 . .; 2 . . 4 10; 4 . . 6 3"
    )
    assert [row[0] for row in payoffs] == [f"#{at}" for at in range(7)]
    assert one.column("sequence")[3:5] == ["[r], [L]", "[r], [R]"]
    assert [words.rpartition("[")[2] for words in two.column("sequence")][1:] == [
        *("p]", "q]", "s]", "t]")
    ]
    assert heads(payoffs)[1:] == ["#0", "#1", "#2", "#3", "#4"]
    assert [list(row[1:]) for row in constraints_one] == figure(
        "1 . . . . . . 1; -1 1 1 . . . . 0; . . -1 1 1 . . 0; -1 . . . . 1 1 0"
    )
    assert [list(row[1:]) for row in constraints_two] == figure(
        "1 . . . . 1; -1 1 1 . . 0; -1 . . 1 1 0"
    )
    assert heads(constraints_one)[-1] == "e"
    assert heads(constraints_two)[-1] == "f"
    assert constraints_one.rows[0][0] == "empty sequence"
    assert "two is paid the negative" in payoffs.note


def test_koller_megiddo_von_stengel_1994_solved() -> None:
    tree = koller_megiddo_von_stengel().tree()
    shown = sequence_table(tree, solve(tree))
    table = shown[0]
    assert [(column.name, column.kind) for column in table.columns[1:3]] == [
        ("weight", PROBABILITY),
        ("value", NUMBER),
    ]
    counterfactual_values = table.column("value")[:7]
    assert [cell.values[0] for cell in counterfactual_values] == [
        13,
        1,
        *[F(7, 3)] * 3,
        *[F(26, 3)] * 2,
    ]
    assert [cell.marked[0] for cell in counterfactual_values] == [True, False, *[True] * 5]
    assert table.faint == {1}
    weight, worth = table.rows[7:]
    assert weight[0] == "weight"
    assert weight[3] == 1
    assert sum(weight[4:6]) == sum(weight[6:8]) == 1
    assert [cell.values[0] for cell in worth[3:]] == [-13, *[F(-7, 3)] * 2, *[F(-16, 3)] * 2]
    assert ("one gets", "13, at best 13") in shown.facts


def test_both_payoffs_where_the_sum_is_not_zero() -> None:
    table = sequence_table(prisoners_dilemma())[0]
    assert heads(table) == ["row \\ column", "nothing yet", "[cooperate]", "[defect]"]
    assert table.rows[0][1:] == (None, None, None)
    assert table.rows[1][3] == Amounts((F(-4), F(0)), (False, False))
    assert "negative" not in table.note


def test_nothing_is_not_zero() -> None:
    """One player, who may end the game with nothing."""
    shown = sequence_table(blair_g1())
    assert heads(shown[0]) == ["player", "payoff", "sequence"]  # one list, and no key
    paid = shown[0].column("payoff")
    assert paid == [None, None, 0, -50, F(1, 2), None, 0, F(1, 2), -50]
    assert len(shown) == 2  # E, but no F


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    players=st.integers(1, 2),
    depth=st.integers(1, 5),
    best=st.booleans(),
)
def test_marked_is_what_some_best_response_plays(
    seed: int, players: int, depth: int, best: bool
) -> None:
    tree = random_rules(seed, players, depth)().tree()
    sizes = normal_size(tree)
    assume(None not in sizes and max(size or 0 for size in sizes) <= 12)
    given = solve(tree).verified if best else profile(uniform(tree, who) for who in tree.names)
    table = sequence_table(tree, given)[0]
    form = normal_form(tree)
    for player, choices in enumerate(tree.choices):
        played = best_responses(tree, form, given, player)
        expected = {0} | {
            int(choices.first[choices.infosets.tolist().index(infoset)]) + action
            for plan in played[1]
            for infoset, action in plan
        }
        names = list(named(choices.labels).short)
        if player == 0:
            count = len(choices)
            order = [names.index(row[0]) for row in table.rows[:count]]
            cells, weights = table.column("value")[:count], table.column("weight")[:count]
            assert {order[at] for at in table.faint} == set(range(count)) - expected
        else:
            order = [names.index(head) for head in heads(table)[3:]]
            weights, cells = (list(row[3:]) for row in table.rows[-2:])
        cells, weights = (
            [row[order.index(at)] for at in range(len(order))] for row in (cells, weights)
        )
        assert {at for at, cell in enumerate(cells) if cell.marked[0]} == expected
        assert cells[0].values[0] == played[0]
        assert weights == given.strategies[player].at(_anywhere(choices)).values()
        if best:  # in equilibrium only best responses are played
            assert {at for at, weight in enumerate(weights) if weight} <= expected


def _anywhere(choices: Any) -> Any:
    """A node for each sequence at which it is the player's last choice."""
    return np.array([int(np.argmax(choices.last == at)) for at in range(len(choices))])


def best_responses(
    tree: Tree, form: NormalForm, given: Any, player: int
) -> tuple[Fraction, list[Any]]:
    """By trying all reduced strategies: what the best are worth, and which they are."""
    worth = []
    for plan in form.plans[player]:
        tried = list(given.strategies)
        tried[player] = Pure(tree, tree.names[player], tuple(sorted(plan)))
        worth.append(profile(tried).payoffs[tree.names[player]])
    most = max(worth)
    pairs = zip(form.plans[player], worth, strict=True)
    return most, [plan for plan, amount in pairs if amount == most]


def test_floats_are_marked_up_to_rounding() -> None:
    tree = kuhn().tree()
    exact = solve(tree).verified
    floats = [as_behaviour(exact[who]).inexact() for who in tree.names]
    marked, rounded = (sequence_table(tree, given)[0] for given in (exact, floats))
    assert rounded.faint == marked.faint
    assert isinstance(rounded.column("weight")[0], float)


def test_strategies_are_taken_as_they_come() -> None:
    tree = kuhn().tree()
    by_player = {who: uniform(tree, who) for who in tree.names}
    assert sequence_table(tree, by_player).facts[-2:] == (
        ("gambler gets", "1/8 (0.125), at best 1/2 (0.5)"),
        ("dealer gets", "-1/8 (-0.125), at best 5/12 (0.416667)"),
    )
    bluff = behaviour(tree, "gambler", {"J": {"bet": 1}})
    weights = sequence_table(tree, [bluff, uniform(tree, "dealer")])[0].column("weight")
    assert weights[:5] == [1, 0, 1, 0, 0]


def test_what_cannot_be_shown_is_said() -> None:
    with pytest.raises(StrategyError, match=r"is not of this tree of kuhn\(\); solve the tree"):
        sequence_table(kuhn().tree(), solve(kuhn(ranks=4)))
    assert sequence_table(kuhn(), solve(kuhn())).facts[-2:] == (  # another tree of the same game
        ("gambler gets", "-1/18 (-0.0555556), at best -1/18 (-0.0555556)"),
        ("dealer gets", "1/18 (0.0555556), at best 1/18 (0.0555556)"),
    )
    with pytest.raises(NotApplicable, match="this game has 3"):
        sequence_table(seltens_horse())
    with pytest.raises(NotApplicable, match="needs perfect recall"):
        sequence_table(absent_minded())


# ---------------------------------------------------------------------- what a screen has room for


def words_of(seed: int, rows: int, columns: int) -> Table | Sheet:
    names = [f"strategy {seed}{'x' * (seed % 9)} {at}" for at in range(max(rows, columns))]
    numbers = [[(row * column * 7 + seed) % 5 for column in range(columns)] for row in range(rows)]
    return normal_table(matrix_game(numbers, actions=(names[:rows], names[:columns])))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 99),
    shape=st.tuples(st.integers(1, 9), st.integers(1, 9)),
    most=st.tuples(st.integers(1, 10), st.integers(1, 10)),
    width=st.none() | st.integers(60, 200),
)
def test_an_excerpt_is_the_first_rows_and_columns_with_all_margins(
    seed: int, shape: tuple[int, int], most: tuple[int, int], width: int | None
) -> None:
    matrix = words_of(seed, *shape)
    tables = list(matrix) if isinstance(matrix, Sheet) else [matrix]
    found = excerpts(matrix, *most, width)
    titles = [one.table.title for one in found if one.table.title]
    assert titles == [table.title for table in tables if table.title]  # and the keys
    blocks = [one for one in found if isinstance(one.table, Grid)]
    whole, last = tables[0], blocks[-1]
    assert [one.continued for one in blocks] == [True] * (len(blocks) - 1) + [False]
    assert width is not None or len(blocks) == 1
    columns = min(shape[1], most[1])
    assert (last.across, last.columns) == (columns, shape[1] - columns)
    kept = [at for at in range(1, len(whole.columns)) if not 1 + columns <= at <= shape[1]]
    assert [head for one in blocks for head in heads(one.table)[1:]] == [
        heads(whole)[at] for at in kept
    ]
    assert last.rows == max(shape[0] - most[0], 0)
    below = len(whole) - shape[0]
    assert {len(one.table) for one in blocks} == {min(shape[0], most[0]) + below}
    rows = [row for at, row in enumerate(whole) if at < most[0] or at >= shape[0]]
    for at, row in enumerate(rows):
        assert {one.table.rows[at][0] for one in blocks} == {row[0]}
        cells = [cell for one in blocks for cell in one.table.rows[at][1:]]
        assert cells == [row[place] for place in kept]
    for one in found:
        text = one.table.text(width=width, most=None)
        assert width is None or max(map(len, text.splitlines())) <= width
        assert "more column" not in text  # nothing is dropped after this


def test_strategies_can_be_told_apart_on_eighty_places() -> None:
    labels = [f"after a long history of many moves {at}" for at in range(4)]
    payoffs = [[row * 100 + column for column in range(4)] for row in range(4)]
    matrix = sheet(normal_table(matrix_game(payoffs, actions=(labels, labels))))
    grid, rows, columns = excerpts(matrix, width=80)
    assert "dominated" in heads(grid.table)
    assert [row[0] for row in grid.table][:4] == ["#0", "#1", "#2", "#3"]
    for key in (rows, columns):
        text = key.table.text(width=80, most=None)
        assert all(label in text for label in labels)
        assert "strictly by #" in text


def test_long_words_are_wrapped_within_the_line_and_nothing_is_lost() -> None:
    labels = [f"{at} {'bet/' * 49}" for at in range(3)]
    key = excerpts(normal_table(matrix_game([[0] * 3] * 3, actions=(labels, labels))), width=80)[1]
    lines = key.table.text(width=80, most=None).splitlines()[2:]
    assert 76 < max(map(len, lines)) <= 80
    assert all(line.endswith("/") for line in lines if "bet" in line)  # no action is broken
    assert [line.split()[:2] for line in lines if "#" in line] == [
        [f"#{n}", f"{n}"] for n in range(3)
    ]
    assert "".join(lines).replace(" ", "").count("bet/") == 3 * 49


def test_a_key_has_all_columns_that_are_in_sight() -> None:
    _, gambler, dealer = excerpts(normal_table(kuhn()), rows=2, columns=9)
    assert (len(gambler.table), gambler.rows) == (2, 25)
    assert (len(dealer.table), dealer.rows) == (9, 55)


def test_sequences_are_in_the_order_of_the_ranks() -> None:
    shown = sequence_table(kuhn(), solve(kuhn()))
    payoffs, _, dealer, _, constraints = shown.tables
    hands = [words[0] for words in dealer.column("sequence")][1:]
    assert hands == [*"JJJJQQQQKKKK"]
    assert heads(payoffs)[4:] == heads(constraints)[2:-1] == dealer.column("number")[1:]
    # A number is a column of the matrix still, wherever it stands.
    matrix = sequence_form(kuhn().tree()).A.dense()
    for row in payoffs.rows[:13]:
        for head, entry in zip(heads(payoffs)[3:], row[3:], strict=True):
            assert matrix[int(row[0][1:])][int(head[1:])] == (entry or 0)
    value = payoffs.rows[-1]
    assert value[0] == "value"
    assert [row[0] for row in constraints.rows[1:]] == [
        f"{hand}, {seen}" for hand in "JQK" for seen in ("pass", "bet")
    ]


def test_margins_below_are_kept() -> None:
    tree = kuhn().tree()
    payoffs = excerpts(sequence_table(tree, solve(tree)), rows=2, columns=4)[0]
    assert [row[0] for row in payoffs.table] == ["#0", "#1", "weight", "value"]
    assert heads(payoffs.table)[:4] == ["gambler \\ dealer", "weight", "value", "#0"]
    assert len(heads(payoffs.table)) == 7
    constraints = excerpts(sequence_table(tree), columns=4)[3]
    assert heads(constraints.table)[-1] == "e"
    assert constraints.columns == 9


def test_of_many_matrices_some_are_shown_and_all_keys() -> None:
    long = [f"a strategy of many words, number {at}" for at in range(50)]
    game = MatrixGame(("a", "b", "c"), (("u", "d"), ("u", "d"), tuple(long)), ((F(0),) * 3,) * 200)
    matrix = sheet(normal_table(game))
    assert len(matrix) == 51
    for rows, tables in ((1, 3), (8, 4), (40, 20), (1000, 50)):
        titles = [one.table.title for one in excerpts(matrix, rows)]
        assert titles == [*(f"c: #{at}" for at in range(tables)), "strategies of c"]


def test_only_rows_in_sight_are_made(made: list[tuple[int, ...]]) -> None:
    grid = excerpts(normal_table(kuhn()), rows=3, width=100)[0].table
    assert grid.text(width=100, most=None)
    assert {row for row, _ in made} == {0, 1, 2}


@pytest.mark.parametrize("width", [None, 80, 20, 1])
def test_excerpts_of_hostile_labels(width: int | None) -> None:
    every = matrix_game([[0] * 8] * 8, actions=(HOSTILE, HOSTILE)).tree()
    long = [*HOSTILE[:3], "x" * 10**6]
    for tree in (every, matrix_game([[0] * 4] * 4, actions=(long, long)).tree()):
        for matrix in (normal_table(tree), sequence_table(tree, solve(tree))):
            for one in excerpts(matrix, width=width):
                text = one.table.text(width=width, most=None)
                assert not set(text) & set("\u202e\x1b\ud800")
                assert len(text) < 10_000
