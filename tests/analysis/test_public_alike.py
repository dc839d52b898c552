"""What reads alike and is not: facts, suits of other decks, knowledge with other options."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from infoset import Play, game, solve
from infoset.analysis.public_states import public_states
from infoset.cli.records import public_record
from infoset.errors import FileError, NotApplicable
from infoset.objects import Deck
from infoset.solvers.public import solve_public
from infoset.solvers.solution import Solution
from infoset.strategy.convert import read_strategies
from infoset.tree.files import load, save
from infoset.vectorized.symmetry import Symmetry

PLAYERS = ("a", "b")
ALIKE = Deck(2, 2, alike=True)
OTHERS = Deck(3, 2)


@game(players=PLAYERS, vectorized=True)
def number_or_text(g: Play) -> object:
    """The number 1 and the text: who tells them apart wins."""
    drawn = g.chance((1, "1"))
    g.reveal("a", drawn)
    return _told(g, g.map(lambda one: one == 1, drawn))


@game(players=PLAYERS, vectorized=True)
def one_fact_or_two(g: Play) -> object:
    """Told "p" and then "q", or "p, q" at once."""
    first = g.chance((True, False))
    for fact in ("p", "q") if first else ("p, q",):
        g.reveal("a", fact)
    return _told(g, first)


@game(players=PLAYERS, vectorized=True)
def other_options(g: Play) -> object:
    """Nothing is revealed, and the options tell it all."""
    first = g.chance((True, False))
    taken = g.choose("a", ("x", "y") if first else ("y", "z"))
    won = 1 if (taken == "x") == first and taken != "z" else -1
    return won, -won


@game(players=PLAYERS, vectorized=True)
def two_decks(g: Play) -> object:
    """Suits of one deck are alike, those of another are not; the cards of both have the same."""
    mine = g.deal(ALIKE, 1)
    other = g.chance((OTHERS["J♠"], OTHERS["J♥"]))
    g.reveal("a", other)
    g.reveal("b", mine)
    won = _told(g, g.map(lambda card: card.suit == 0, other))
    g.choose("b", ("x", "y"))
    return won


def _told(g: Play, first: Any) -> object:
    """A wins by x in the first case, by y in the other."""
    taken = g.choose("a", ("x", "y"))
    won = g.map(lambda is_first: 1 if is_first == (taken == "x") else -1, first)
    return won, -won


GAMES = (number_or_text, one_fact_or_two, other_options, two_decks)


@cache
def solved(number: int) -> Solution:
    return solve_public(GAMES[number]().public())


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_on_the_tree_they_are_played_as_on_the_form(number: int) -> None:
    ours, theirs = solved(number), solved(number).on_tree(GAMES[number]())
    assert ours.value == 1
    assert ours.exact
    assert theirs.payoffs == ours.payoffs
    assert theirs.regrets == {"a": 0, "b": 0}


@pytest.mark.parametrize(
    ("number", "labels"),
    [
        (0, ["1 #1", "1 #2"]),
        (1, ["p, q #1", "p, q #2"]),
        (2, ["nothing yet {x, y}", "nothing yet {y, z}"]),
        (3, ["J♠", "J♥"]),
    ],
)
def test_every_set_has_a_label_of_its_own(number: int, labels: list[str]) -> None:
    solution = solved(number)
    strategy = solution.strategy["a"]
    assert [*strategy] == labels
    assert len(strategy) == 2
    plays = [[share for share in strategy[label].values() if share] for label in labels]
    assert plays == [[1.0], [1.0]]  # one option for certain at each, and not the same one
    assert strategy[labels[0]] != strategy[labels[1]]
    told = public_record(solution, ["a"], 0.0)["strategies"][0]["behaviour"]
    assert [one["knows"] for one in told] == labels
    rows = [*csv.DictReader(io.StringIO("".join(solution.csv("a"))))]
    assert [row["information set"] for row in rows] == [x for x in labels for _ in range(2)]
    numbers = ["#1", "#1", "#2", "#2"] if number < 2 else [""] * 4
    assert [row["number"] for row in rows] == numbers
    assert [float(row["probability"]) for row in rows] == [
        share for label in labels for share in strategy[label].values()
    ]


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_labels_are_those_of_the_tree_but_for_the_numbers(number: int) -> None:
    theirs: Any = solve(GAMES[number]()).strategy["a"]
    plain = [label.rpartition(" #")[0] or label for label in theirs]
    assert [label.rpartition(" #")[0] or label for label in solved(number).strategy["a"]] == plain


def test_numbers_of_a_form_are_not_taken_for_those_of_a_tree() -> None:
    """A tree counts sets otherwise, so that a file of the form must not be read as one of it."""
    content = "".join(solved(1).csv("a"))
    with pytest.raises(FileError, match="not what its row says"):
        read_strategies(content, one_fact_or_two().tree())


def test_rows_of_a_table_have_the_numbers_of_their_labels() -> None:
    (table,) = solved(0).table("a")
    assert table.title == "after 1"
    assert [row[0] for row in table] == ["nothing private #1", "nothing private #2"]
    assert table.column("x") == [1, 0]


def test_one_and_true_are_the_same_fact_however_they_read() -> None:
    """Rules compare facts by ``==``; the tree of one run a deal keeps whichever came first."""

    def rules(g: Play) -> object:
        """B is told True, and a the number 1 or 2."""
        g.reveal("b", True)
        drawn = g.chance((1, 2))
        g.reveal("a", drawn)
        return _told(g, g.map(lambda one: one == 1, drawn))

    late, plain = (game(players=PLAYERS, vectorized=one)(rules)() for one in (True, False))
    tree = plain.tree()
    assert {one.label for one in tree.infosets_of("a")} == {"True", "2"}
    solution = solve_public(late.public())
    assert [*solution.strategy["a"]] == ["1", "2"]
    assert solution.on_tree(tree).regrets == {"a": 0, "b": 0}


# ---------------------------------------------------------------------- what cannot be told


def test_a_tree_from_a_file_is_played_where_its_labels_are_enough(tmp_path: Path) -> None:
    for number, good in ((0, False), (1, False), (3, True)):
        file = tmp_path / "game.efg"
        save(GAMES[number]().tree(), file)
        whole = solve_public(GAMES[number]().public(fold=False))
        if good:
            assert whole.on_tree(load(file)).regrets == {"a": 0, "b": 0}
        else:
            with pytest.raises(NotApplicable, match="more information sets of a read") as problem:
                whole.on_tree(load(file))
            assert "\n" not in str(problem.value)


def test_a_file_may_have_a_comma_in_a_fact(tmp_path: Path) -> None:
    @game(players=PLAYERS, vectorized=True)
    def rules(g: Play) -> object:
        """Told one of two texts, one of which could be two facts."""
        drawn = g.chance(("p, q", "r"))
        g.reveal("a", drawn)
        return _told(g, g.map(lambda fact: fact == "r", drawn))

    save(rules().tree(), tmp_path / "game.efg")
    found = solve_public(rules().public()).on_tree(load(tmp_path / "game.efg"))
    assert found.payoffs == {"a": 1, "b": -1}


def test_a_form_in_which_two_sets_know_the_same_is_refused() -> None:
    form = number_or_text().public()
    (one,) = form.decisions[0]
    same = replace(one, words=[one.words[0], one.words[0]])
    wrong_form = replace(form, decisions=((same,), form.decisions[1]))
    found = solved(0)
    wrong = replace(found, evaluation=replace(found.evaluation, form=wrong_form))
    with pytest.raises(NotApplicable, match="has no information set '1' of a"):
        wrong.on_tree(number_or_text())


# ---------------------------------------------------------------------- suits


def test_cards_of_another_deck_are_not_exchanged() -> None:
    solution = solved(3)
    assert solution.evaluation.form.folded == "suits ♠ ♥ alike"
    assert solution.evaluation.form.infosets == (2, 2)
    assert solution.evaluation.form.counts.infosets == (2, 4)
    (state,) = public_states(solution.evaluation.form, "a")
    assert state.names == state.short_names == ["J♠", "J♥"]
    (table,) = solution.table("a", where="J♥")
    assert [row[0] for row in table] == ["J♥"]


def test_the_form_and_its_tables_exchange_suits_alike() -> None:
    form = two_decks().public()
    assert form.deck is ALIKE
    symmetry = Symmetry(form.deck)
    for order, cards in enumerate(public_states(form, "a").suits.orders):
        for card in (*ALIKE, *OTHERS):
            assert cards.get(card, card) == symmetry.moved(card, order)
    assert two_decks().public(fold=False).deck is None


GROUPS = Deck(2, 4, alike=(("♠", "♥"), ("♦", "♣")))


@game(players=PLAYERS, vectorized=True)
def beside_another(g: Play) -> object:
    """A card whose suit counts by its group only, beside one of another deck that both see."""
    mine = g.deal(GROUPS, 1)
    g.reveal("a", mine)
    other = g.chance((OTHERS["J♠"], OTHERS["J♥"]))
    g.reveal(PLAYERS, other)
    g.choose("b", ("x", "y"))
    return _told(g, g.map(lambda card: card.suit < 2, mine))


def test_suits_are_exchanged_within_their_group() -> None:
    suits = public_states(beside_another().public(), "a").suits
    assert [str(suits.blind[card]) for card in GROUPS] == [
        *("Q♠", "Q♠", "Q♦", "Q♦"),
        *("K♠", "K♠", "K♦", "K♦"),
    ]
    assert len(suits.orders) == 4


def test_a_suit_on_the_board_is_one_of_the_same_deck() -> None:
    """The spade of the other deck is none of these spades: suits are left out as beside a heart."""
    suits = public_states(beside_another().public(), "a").suits
    bare = suits.bare([OTHERS["J♠"]])
    assert [str(bare.get(card, card)) for card in GROUPS] == ["Q"] * 4 + ["K"] * 4
    bare = suits.bare([GROUPS["Q♠"]])
    assert [str(bare.get(card, card)) for card in GROUPS] == [
        *("Q♠", "Q", "Q", "Q"),
        *("K♠", "K", "K", "K"),
    ]


def test_groups_of_suits_on_the_tree() -> None:
    ours = solve_public(beside_another().public())
    assert ours.evaluation.form.infosets[0] == 8
    assert ours.on_tree(beside_another()).payoffs == ours.payoffs == {"a": 1, "b": -1}


@game(players=PLAYERS, vectorized=True)
def other_options_before(g: Play) -> object:
    """What is known is the same; only what was offered before tells the two apart."""
    first = g.chance((True, False))
    g.choose("a", ("x",) if first else ("x", "y"))
    return _told(g, first)


def test_options_of_long_ago_tell_sets_apart() -> None:
    solution = solve_public(other_options_before().public())
    assert (solution.value, solution.regret) == (1, 0)
    assert solution.on_tree(other_options_before()).regrets == {"a": 0, "b": 0}
    strategy = solution.strategy["a"]
    assert len([*strategy]) == len(strategy) == 5
    assert len([*csv.DictReader(io.StringIO("".join(solution.csv("a"))))]) == 9
