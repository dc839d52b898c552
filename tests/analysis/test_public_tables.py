"""Solutions on public forms as people read them: what the tree's tables say, and folded suits."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from infoset import Play, game
from infoset.analysis.public_states import Suits, public_states
from infoset.analysis.situations import situations
from infoset.analysis.strategy_tables import find, panels_of
from infoset.display.report import facts, solution_csv, strategy_source
from infoset.errors import InfosetError, NotApplicable, ParameterError
from infoset.forms.public import public_form
from infoset.forms.public.merge import merged
from infoset.forms.public.words import decision_words
from infoset.games import holdem, kuhn, leduc, poker
from infoset.objects import Card, Deck, Hand
from infoset.rules import Game
from infoset.solvers import solve
from infoset.solvers.public import solve_public
from infoset.solvers.solution import Solution

METHOD = "cfr+"
GAMES = {"kuhn": kuhn(ranks=4), "leduc": leduc(), "poker": poker()}


@cache
def unfolded(name: str) -> Solution:
    return solve_public(public_form(GAMES[name], fold=False), METHOD, iterations=40)


@cache
def folded(suits: int = 3) -> Solution:
    return solve_public(public_form(leduc(suits=suits)), iterations=60)


@cache
def on_its_tree(name: str) -> Solution:
    """The same plans on the tree, which says what they come to in its own way."""
    return unfolded(name).on_tree(GAMES[name])


def numbers(row: tuple[Any, ...]) -> list[float]:
    return [float(cell) for cell in row if cell is not None and not isinstance(cell, str)]


# ---------------------------------------------------------------------- as the tree has it


@pytest.mark.parametrize("name", GAMES)
def test_public_states_are_the_situations_of_the_tree(name: str) -> None:
    tree, form = GAMES[name].tree(), unfolded(name).evaluation.form
    for player in tree.names:
        ours = {one.title: one.names for one in public_states(form, player)}
        theirs = {one.title: one.names for one in situations(tree, player)}
        assert ours == theirs


@pytest.mark.parametrize("name", GAMES)
def test_tables_are_those_of_the_tree(name: str) -> None:
    for player in GAMES[name].players:
        ours = {one.title: one for one in unfolded(name).table(player, fold=False)}
        theirs = {one.title: one for one in on_its_tree(name).table(player, fold=False)}
        assert ours.keys() == theirs.keys()
        for title, table in theirs.items():
            assert [column.name for column in table.columns] == [
                column.name for column in ours[title].columns
            ]
            for row, other in zip(table, ours[title], strict=True):
                assert row[0] == other[0]
                if row[-3]:  # where no play comes, the tree may know more: a single node's value
                    assert numbers(row) == pytest.approx(numbers(other), abs=1e-9)


def test_a_run_on_the_tree_gives_the_same_table() -> None:
    by_tree = solve(kuhn(), "discounted-cfr", iterations=50)
    ours = solve_public(public_form(kuhn(), fold=False), "discounted-cfr", iterations=50)
    for player in by_tree.tree.names:
        pairs = zip(by_tree.table(player), ours.table(player), strict=True)
        for row, other in (both for one, two in pairs for both in zip(one, two, strict=True)):
            assert numbers(row) == pytest.approx(numbers(other), abs=1e-9)


def believed(words: str | None) -> dict[str, float]:
    """What a cell says, if it says all; of many the likeliest are named, and some are as likely."""
    if words is None or "…" in words or words == "never here":
        return {}
    parts = (part.rsplit(": ", 1) for part in words.split("; "))
    return {name: float(Fraction(chance)) for name, chance in parts}


@pytest.mark.parametrize("name", GAMES)
def test_beliefs_are_those_of_the_tree(name: str) -> None:
    compared = 0
    for player in GAMES[name].players:
        ours = {one.title: one for one in unfolded(name).table(player, fold=False)}
        for table in on_its_tree(name).table(player, fold=False):
            columns = (table.column("believes"), ours[table.title].column("believes"))
            for one, two in zip(*columns, strict=True):
                assert believed(one) == pytest.approx(believed(two), abs=1e-4)
                compared += bool(believed(one))
    assert compared >= 12


def cells(solution: Solution, player: str) -> dict[tuple[str, Any], dict[str, Any]]:
    """By situation and private information: what the table of a player says, column by column."""
    found = {}
    for table in solution.table(player, fold=False):
        names = [column.name for column in table.columns]
        for row in table.rows:
            said = dict(zip(names, row, strict=True))
            found[table.title, said.pop("private", None)] = said
    return found


RIVER = holdem(bets=(1, 2), raises=2, one="AA 65s KQs", two="KQs KJs QJs 99")


@pytest.mark.parametrize("game", [kuhn(), leduc(ranks=2), poker(), RIVER], ids=str)
def test_exact_tables_are_those_of_the_tree_cell_by_cell(game: Game) -> None:
    """Sets that a player or its opponent avoids are among them."""
    ours = solve(public_form(game, fold=False))
    for player in ours.players:
        said, expected = cells(ours, player), cells(ours.on_tree(), player)
        assert said == expected
    never = [one for player in ours.players for one in cells(ours, player).values()]
    assert any(one.get("believes") == "never here" and one["value"] is None for one in never)


def test_beliefs_before_the_other_player_has_chosen() -> None:
    start = unfolded("kuhn").table("gambler", where="K")[0]
    assert start.column("believes") == ["10: 0.3333; J: 0.3333; Q: 0.3333"]


def test_the_overview_is_that_of_the_tree() -> None:
    ours = unfolded("leduc").table("one")[0]
    theirs = on_its_tree("leduc").table("one")[0]
    assert ours.note == theirs.note
    assert sorted(map(str, ours.column("situation"))) == sorted(
        map(str, theirs.column("situation"))
    )
    assert ours.column("reach") == pytest.approx(theirs.column("reach"), abs=1e-9)
    told = dict(zip(ours.column("situation"), ours.column("does"), strict=True))
    assert told == dict(zip(theirs.column("situation"), theirs.column("does"), strict=True))


# ---------------------------------------------------------------------- folded suits


def test_a_row_of_a_folded_form_stands_for_several_sets() -> None:
    start, flop, *_ = folded().table("one", fold=False)
    assert [row[0] for row in start] == ["J♠", "Q♠", "K♠"]
    assert start.column("stands for") == [3, 3, 3]
    assert flop.title == "after [call], call, J♠"
    assert [row[0] for row in flop] == ["J♥", "Q♠", "Q♥", "K♠", "K♥"]
    assert flop.column("stands for") == [6, 3, 6, 3, 6]
    assert start.column("believes") == [
        "J: 0.2500; Q: 0.3750; K: 0.3750",
        "J: 0.3750; Q: 0.2500; K: 0.3750",
        "J: 0.3750; Q: 0.3750; K: 0.2500",
    ]


def test_all_sets_are_in_some_row_and_reach_adds_up() -> None:
    solution = folded()
    for player in solution.evaluation.form.players:
        tables = [*solution.table(player, fold=False)]
        seat = solution.evaluation.form.player_number(player)
        assert sum(map(len, tables)) == solution.evaluation.form.infosets[seat]
        counts = sum(sum(table.column("stands for")) for table in tables)
        assert counts == solution.evaluation.form.counts.infosets[seat]
    one = solution.table("one", fold=False)
    assert sum(one[0].column("reach")) == pytest.approx(1)
    told = [table for table in one if table.title.startswith("after [call], call, ")]
    told = [table for table in told if table.title.count(",") == 2]
    overview = {row[0]: row[2] for row in solution.table("one")[0]}
    whole = sum(sum(table.column("reach")) for table in told)
    assert len(told) == 3
    assert whole == pytest.approx(sum(overview[t.title.removeprefix("after ")] for t in told))


def test_folded_probabilities_are_those_of_the_tree() -> None:
    """Every information set that a row stands for is played alike, and the proof is the same."""
    ours, theirs = folded(), folded().on_tree(leduc(suits=3))
    assert theirs.regrets == ours.regrets
    assert theirs.payoffs == ours.payoffs
    strategy: Any = theirs.strategy["two"]
    for table in [*ours.table("two", fold=False)][:6]:
        for name, *probabilities in ((row[0], *row[1 : len(row) - 4]) for row in table):
            words = table.title.removeprefix("after ")
            played = strategy[f"{name}, {words}"]
            assert [float(share) for share in played.values()] == pytest.approx(probabilities)


def test_where_finds_a_row_by_any_set_that_it_stands_for() -> None:
    solution = folded()
    found = solution.table("one", where="Kd")
    assert [row[0] for row in found[0]] == ["K♠"]
    exact = solution.table("one", where="Q♥, [call], call, Q♦")
    assert all([row[0] for row in table] == ["Q♥"] for table in exact)
    assert {table.title for table in exact} == {
        "after [call], call, Q♠",
        "after [call], call, Q♠, [call], raise",
        "after [call], call, Q♠, [raise], raise",
    }
    whole = solution.table("one", where="K?, [call], raise")
    assert [(table.title, [row[0] for row in table]) for table in whole] == [
        ("after [call], raise", ["K♠"])
    ]


def test_where_finds_what_the_labels_of_the_tree_have() -> None:
    for where in ("raise, [call]", ("Kh", "q"), "*[raise]*K♠*"):
        ours = unfolded("leduc").table("two", where=where)
        theirs = on_its_tree("leduc").table("two", where=where)
        read = {(table.title, row[0]) for table in ours for row in table}
        assert read == {(table.title, row[0]) for table in theirs for row in table}
        assert read


def test_patterns_are_the_words() -> None:
    for form in (
        folded().evaluation.form,
        unfolded("leduc").evaluation.form,
        merged(unfolded("leduc").evaluation.form),
    ):
        for decision in form.decisions[1]:
            told = decision_words(decision.words)
            assert [told.words(at) for at in range(len(decision))] == [
                list(words) for words in decision.words
            ]


def test_exchanges_of_suits() -> None:
    first, *others = Suits(folded().evaluation.form).orders
    assert len(others) == 5
    assert all(card == to for card, to in first.items())
    assert len({tuple(order.values()) for order in others}) == 5
    assert Suits(unfolded("leduc").evaluation.form).orders == [{}]


@game(players=("one", "two"), vectorized=True)
def two_cards(g: Play) -> object:
    """Two cards each, a bet, a card that both see, a call; most cards of its suit win."""
    deck = Deck(3, 3, alike=True)
    one, two = g.deal(deck, 2, 2)
    g.reveal("one", one)
    g.reveal("two", two)
    bet = g.choose("one", ("check", "bet"))
    g.reveal("two", bet)
    shown = g.chance(deck.without(one, two))
    g.reveal(g.players, shown)
    if g.choose("two", ("fold", "see")) == "fold":
        return g.win("one", 1)
    g.reveal("one", "seen")
    if g.choose("one", ("fold", "show")) == "fold":
        return g.win("two", 2)
    won = (4 if bet == "bet" else 2) * g.map(suited, one, two, shown)
    return won, -won


def suited(one: Hand[Card], two: Hand[Card], shown: Card) -> int:
    mine, yours = (sum(card.suit == shown.suit for card in hand) for hand in (one, two))
    return (mine > yours) - (mine < yours)


def test_hands_of_several_cards_are_renamed_as_a_whole() -> None:
    whole, small = two_cards().public(fold=False), two_cards().public()
    opening = public_states(small, "one")[0]
    assert opening.names[:4] == ["J♠ J♥", "J♠ Q♠", "J♠ Q♥", "J♠ K♠"]
    assert opening.short_names == opening.names  # without suits J♠ Q♠ and J♠ Q♥ would read alike
    assert opening.suits is None
    for player in small.players:
        found = {state.title: state for state in public_states(small, player)}
        every = {state.title: state for state in public_states(whole, player)}
        assert found.keys() < every.keys()
        for title, state in found.items():
            assert set(state.names) <= set(every[title].names)
            boards = 3 if "♠" in title else 1
            stands = state.decision.stands_for[state.found].sum()
            assert stands == boards * len(every[title])


def test_a_folded_form_of_hands_on_the_tree() -> None:
    ours = solve_public(two_cards().public(), iterations=20)
    theirs = ours.on_tree(two_cards())
    assert theirs.regrets == ours.regrets
    two = {one.title: one for one in ours.table("two", fold=False)}
    for state in public_states(ours.evaluation.form, "two"):
        for name, share in zip(state.names, two[state.heading].column("see"), strict=True):
            strategy: Any = theirs.strategy["two"]
            assert float(strategy[f"{name}, {state.title}"]["see"]) == pytest.approx(share)


# ---------------------------------------------------------------------- pages, files, pictures


def test_pages_and_folding() -> None:
    solution = unfolded("leduc")
    rows = [row for table in solution.table("two", fold=False) for row in table]
    page = solution.table("two", rows=range(4, 13))
    assert [row for table in page for row in table] == rows[4:13]
    lines = [*solution.table("two")[0]]
    assert [*solution.table("two", fold=True, rows=range(2, 5))[0]] == lines[2:5]
    assert len(solution.table("two", rows=range(5000, 5010))) == 0


def test_csv_has_every_probability() -> None:
    solution = unfolded("kuhn")
    rows = [*csv.DictReader(io.StringIO("".join(solution_csv(solution, "dealer"))))]
    assert len(rows) == 16
    for row in rows:
        played = solution.strategy["dealer"][row["information set"]]
        assert float(row["probability"]) == played[row["action"]]
    both = "".join(solution.csv())
    assert len(both.splitlines()) == 1 + 2 * 16


def test_panels_have_what_the_table_has() -> None:
    source = strategy_source(unfolded("kuhn"), "gambler")
    panels = panels_of(source, find(source))
    tables = unfolded("kuhn").table("gambler")
    for panel, table in zip(panels.shown, tables, strict=True):
        assert panel.title == table.title
        assert panel.ordered
        assert not panel.breaks
        assert [*panel.names] == [row[0] for row in table]
        assert np.allclose(panel.probabilities, [row[1:3] for row in table])
        assert np.allclose(panel.reach, table.column("reach"))


def test_panels_of_folded_suits_go_suit_by_suit() -> None:
    source = strategy_source(folded(), "one")
    panels = panels_of(source, find(source, "call], call"), most=3)
    assert panels.count == 9
    opening = {panel.title: panel for panel in panels.shown}["after [call], call, K♠"]
    assert opening.names == ("J♠", "Q♠", "J", "Q", "K")
    assert opening.breaks == (2,)
    table = {one.title: one for one in folded().table("one", fold=False)}[opening.title]
    assert opening.probabilities[:, 1].tolist() == [
        table.column("raise")[at] for at in (0, 2, 1, 3, 4)
    ]


def test_a_plot_is_written(tmp_path: Any) -> None:
    file = tmp_path / "plot.svg"
    figure = folded().plot("one", file, most=2)
    assert file.read_text().startswith("<?xml")
    lines = figure.subfigs[0].axes[0].get_lines()
    assert np.asarray(lines[0].get_xdata()).tolist() == [0, 1, 2]


def test_it_prints_itself() -> None:
    solution = folded()
    text = str(solution)
    assert text.startswith("leduc(suits=3)\n")
    assert "38,881 nodes, 2,214 information sets, folded to 468: suits ♠ ♥ ♦ alike" in text
    told = dict(facts(solution))
    assert told["certificate"] == solution.certificate
    assert told["exploitability"].endswith("of both together")
    assert told[""].startswith("certainly between -0.")
    assert "<table" in solution._repr_html_()
    assert "folded to" not in str(unfolded("kuhn"))


def test_what_cannot_be_had_is_said_in_a_line(tmp_path: Any) -> None:
    solution: Any = folded()
    for wrong, said in (
        (lambda: solution.table("three"), "no player 'three'"),
        (lambda: solution.table("one", where="ace"), "no information set of one has 'ace' in its"),
        (lambda: solution.table("one", where=3), "where=3: give a text"),
        (lambda: solution.table("one", rows=5), "rows=5: give a range"),
        (lambda: solution.plot(where="ace"), "no information set of one or two has 'ace'"),
        (lambda: solution.plot("one", most=0), "most=0: a plot has one panel or more"),
        (lambda: solution.plot("plot.png"), "is no player; if it is a file"),
        (lambda: solution.plot(file=tmp_path / "plot.txt"), "plot.txt"),
        (lambda: [*solution.csv("three")], "no player 'three'"),
        (lambda: solution.on_tree(leduc()), "other players or information sets"),
    ):
        with pytest.raises(InfosetError, match=said) as problem:
            wrong()
        assert "\n" not in str(problem.value)
    small = merged(unfolded("leduc").evaluation.form)
    with pytest.raises(NotApplicable, match="not merged, or with fold=False"):
        solve_public(small, iterations=2).on_tree(leduc())
    with pytest.raises(ParameterError, match="in its label; one reads 'J♠'"):
        solution.table("one", where="ace")
