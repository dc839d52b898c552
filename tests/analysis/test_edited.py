"""Strategies out to spreadsheets and back, and everything that can go wrong on the way."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings

from infoset import solve
from infoset.errors import FileError, NotApplicable, ParameterError, StrategyError
from infoset.games import absent_minded, kuhn, scissors_paper_stone
from infoset.strategy import behaviour, mixed, profile, pure, uniform
from infoset.strategy.convert import read_strategies, read_strategy
from infoset.strategy.files import strategy_csv, write_strategies
from infoset.tree import Builder
from tests.analysis.questions.by_hand import bluffing, hostile_tree
from tests.strategy.random_strategies import SEEDS, random_behaviour, random_tree

F = Fraction

THIRD = "0.333333333333"
HEAD = "player,information set,number,action,probability\n"


def pennies() -> str:
    """A file of one player, edited in no way yet."""
    tree = scissors_paper_stone().tree()
    return strategy_csv(uniform(tree, tree.names[0]))


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS)
def test_round_trip(seed: int) -> None:
    tree = random_tree(seed, 2)
    random = Random(seed)
    own = {
        player: random_behaviour(tree, player, random)
        for player in tree.names
        if tree.infosets_of(player)
    }
    if not own:
        return
    found = read_strategies(strategy_csv(own), tree)
    assert dict(found) == own
    assert found.notes == ()


def test_exact_solutions_come_back(tmp_path: Path) -> None:
    solution = solve(kuhn(ranks=4))
    write_strategies(tmp_path / "both.csv", solution)
    found = read_strategies(tmp_path / "both.csv", solution.tree)
    assert profile(found).payoffs == solution.payoffs
    assert dict(found) == dict(solution.strategy)
    listed = [solution.strategy["dealer"]]
    assert list(read_strategies(strategy_csv(listed), solution.tree)) == ["dealer"]


def test_long_rationals_and_floats() -> None:
    tree = scissors_paper_stone().tree()
    one = tree.names[0]
    (place,) = tree.infosets_of(one)
    for tiny in (F(1, 3**2000), F(1, 7**5000)):
        rare = behaviour(tree, one, {place: {"scissors": tiny, "paper": 1 - tiny}})
        assert read_strategy(strategy_csv(rare), tree) == rare
    near = behaviour(tree, one, {place: {"scissors": 0.1, "paper": 0.9}}, floats=True)
    found = read_strategy(strategy_csv(near), tree)
    assert found[place] == {"scissors": F(1, 10), "paper": F(9, 10), "stone": 0}


def test_hostile_labels_come_back_and_compute_nothing() -> None:
    tree = hostile_tree()
    random = Random(3)
    own = {player: random_behaviour(tree, player, random) for player in tree.names}
    written = strategy_csv(own)
    assert dict(read_strategies(written, tree)) == own
    assert len(written) < 100_000
    assert not set(written) & set("\x1b\u202e\ud800")
    for row in csv.reader(io.StringIO(written)):
        for cell in row:
            assert not cell.startswith(("=", "@", "+"))


def test_what_a_spreadsheet_makes_of_it() -> None:
    tree = scissors_paper_stone().tree()
    one, _ = tree.names
    (place,) = tree.infosets_of(one)
    label = place.label
    expected = {"scissors": F(1, 2), "paper": F(1, 4), "stone": F(1, 4)}
    files = [
        f"\ufeff{HEAD}{one},{label},#1,scissors,1/2\n{one},{label},#1,paper,0.25\n,,1,stone,25%\n",
        f"Player;Information Set;Number;Action;Probability\r\n{one};{label};;scissors;0,5\r\n"
        f"\r\n{one};{label};;paper;,25\r\n;;;;\r\n{one};{label};#1;stone;25,0 %\r\n",
        "action\tprobability\tcomment\tnumber\n"
        "stone\t0.25\tas before\t1\nscissors\t 1 / 2 \t\t1\npaper\t2.5e-1\t\t1\n",
        'sep=;\nnumber;action;probability\n"1";"scissors";"0,50"\n1;paper;0.25;extra\n1;stone;1/4',
        f'{HEAD}"{one}","{label}",#1,"paper","0,25"\n,,#1,stone,.25\n,,#1,scissors,0.5\n',
    ]
    for file in files:
        found = read_strategies(file, tree)
        assert found[one][place] == expected, file
        assert found.notes == ()


def test_actions_left_out_have_no_probability() -> None:
    tree = scissors_paper_stone().tree()
    (place,) = tree.infosets_of(tree.names[0])
    for file in ("number,action,probability\n1,paper,1\n",
                 "number,action,probability\n1,paper,100%\n1,stone,\n1,scissors\n"):  # fmt: skip
        assert read_strategy(file, tree)[place] == {"scissors": 0, "paper": 1, "stone": 0}


@pytest.mark.parametrize(
    ("third", "total"), [("0.333", "0.999"), ("0,33", "0.99"), ("33%", "0.99"), ("0.337", "1.011")]
)
def test_thirds_are_divided_out_and_noted(third: str, total: str) -> None:
    tree = scissors_paper_stone().tree()
    found = read_strategies(pennies().replace(THIRD, f'"{third}"'), tree)
    assert set(found[tree.names[0]].probabilities.tolist()) == {1, F(1, 3)}
    (note,) = found.notes
    assert note.startswith("the text:2: ")
    assert note.endswith(f"sum to {total}; they were divided by that")


def test_what_misses_one_by_more_is_refused() -> None:
    tree = scissors_paper_stone().tree()
    for third, total in (("0.329", "0.987"), ("0.338", "1.014"), ("34", "102"), ("3", "9")):
        with pytest.raises(FileError, match=rf"sum to {total}, not to 1; correct them") as caught:
            read_strategies(pennies().replace(THIRD, third), tree)
        assert f"the text:2: the probabilities of {tree.names[0]}: " in str(caught.value)


@pytest.mark.parametrize(
    ("cells", "total", "probabilities"),
    [
        (("100", "0", "0"), "100", (F(1), F(0), F(0))),
        (("50", "25%", "25"), "100", (F(1, 2), F(1, 4), F(1, 4))),
        (("33,3", "33,3", "33,4"), "100", (F(333, 1000), F(333, 1000), F(334, 1000))),
        (("33", "33", "33"), "99", (F(1, 3), F(1, 3), F(1, 3))),
    ],
)
def test_hundreds_are_taken_as_percent_and_noted(
    cells: tuple[str, ...], total: str, probabilities: tuple[F, ...]
) -> None:
    tree = scissors_paper_stone().tree()
    words = pennies()
    for cell in cells:
        words = words.replace(THIRD, f'"{cell}"', 1)
    found = read_strategies(words, tree)
    assert tuple(found[tree.names[0]].probabilities[1:]) == probabilities
    (note,) = found.notes
    assert note.endswith(f"sum to {total}; they were taken as percent")


def test_what_was_left_as_it_was_is_no_percentage() -> None:
    """Of three thirds one was made 100, and the others were forgotten."""
    tree = scissors_paper_stone().tree()
    with pytest.raises(FileError, match=r"sum to 100\.667, not to 1"):
        read_strategies(pennies().replace(THIRD, "100", 1), tree)


def test_probabilities_survive_spreadsheets() -> None:
    """No cell reads as a date, a time or a formula; fewer digits that are shown are no edit."""
    solution = solve(kuhn())
    words = strategy_csv(solution)
    for row in csv.DictReader(io.StringIO(words)):
        assert float(row["probability"]) == pytest.approx(float(_exactly(row["exact"])), abs=1e-12)
        assert not set(row["exact"]) & set("/:-=.,")
    for digits in (12, 10, 6):
        short = words.replace("6" * 11 + "7", "6" * (digits - 1) + "7").replace(
            "3" * 12, "3" * digits
        )
        found = read_strategies(short, solution.tree)
        assert dict(found) == dict(solution.strategy)
        assert found.notes == ()


def _exactly(cell: str) -> F:
    return F(cell.replace(" over ", "/"))


def test_an_edited_decimal_counts_and_not_what_was_exact() -> None:
    solution = solve(kuhn())
    words = strategy_csv(solution.strategy["dealer"])
    edited = words.replace("0.666666666667,2 over 3", "0.67,2 over 3")
    edited = edited.replace("0.333333333333,1 over 3", "0.33,nonsense")
    found = read_strategy(edited, solution.tree)
    assert found["Q, bet"] == {"pass": F(67, 100), "bet": F(33, 100)}


def test_files_without_what_is_exact_and_old_ones_with_fractions() -> None:
    tree = scissors_paper_stone().tree()
    for old in (",exact", ",1 over 3"):
        assert old in pennies()
    plain = pennies().replace(",exact", "").replace(",1 over 3", "")
    for words in (plain, plain.replace(THIRD, "1/3"), plain.replace(THIRD, "1 over 3")):
        found = read_strategies(words, tree)
        assert found[tree.names[0]].probabilities.tolist() == [1, F(1, 3), F(1, 3), F(1, 3)]
        assert found.notes == ()


def test_actions_of_blanks() -> None:
    builder = Builder(("one",))
    for end in builder.decide(builder.root, "one", ("", " ", "a", "a ", "(blank)"), label="x"):
        builder.pay(end, (end,))
    tree = builder.build()
    own = random_behaviour(tree, "one", Random(1))
    words = strategy_csv(own)
    assert read_strategy(words, tree) == own
    assert (
        read_strategy("number,action,probability\n1,,1\n", tree).probabilities[1] == 1
    )  # an old file
    with pytest.raises(FileError, match="has no action ''"):
        read_strategies(pennies().replace("scissors", ""), scissors_paper_stone().tree())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("scissors", "scisors", ":2: one: nothing yet has no action 'scisors'; did you mean"),
        ("nothing yet", "nothing jet", ":2: #1 is one: nothing yet, not what its row says"),
        ("#1", "#7", ":2: no information set '#7'; they are #1 to #2"),
        ("#1", "#2", ":2: #2 is two: nothing yet, not what its row says"),
        ("#1", "one", ":2: no information set 'one'"),
        ("one,", "none,", ":2: no player 'none'; did you mean 'one'?"),
        (",#1,", ",,", None),
        ("nothing yet,#1", ",", ":2: no information set is named"),
        ("nothing yet,#1", "nothing jet,", "one has no information set 'nothing jet'; did you"),
        ("paper", "stone", ":4: one: nothing yet, stone has its probability in line 3 already"),
        (THIRD, "-1/3", "'-1/3' is no probability; write one as 2/3, 0.25 or 25%"),
        (THIRD, "4/3", "'4/3' is no probability"),
        (THIRD, "1/0", "'1/0' is no probability"),
        (THIRD, "nan", "'nan' is no probability"),
        (THIRD, "1e999999999", "is no probability"),
        (THIRD, "9" * 50_000, "is no probability"),
        (THIRD, "01-Mar", "a spreadsheet has made a date of it"),
        (THIRD, "1. Mrz", "a spreadsheet has made a date of it"),
        (THIRD, "03/01/2024", "a spreadsheet has made a date of it"),
        (THIRD, "1/2", "sum to 1.5, not to 1"),
        (",probability", ",chance", ":1: no column 'probability'; the first line is player,"),
        ("number,", "action,", ":1: two columns 'action'"),
        ("information set,number", "set,no", ":1: no column 'information set'"),
        (THIRD, "x" * 200_000, "not a table of cells"),
    ],
)
def test_slips(old: str, new: str, message: str | None) -> None:
    tree = scissors_paper_stone().tree()
    assert tree.names == ("one", "two")
    if message is None:
        assert len(read_strategies(pennies().replace(old, new), tree)) == 1
        return
    with pytest.raises(FileError) as caught:
        read_strategies(pennies().replace(old, new), tree)
    assert message in str(caught.value)
    assert str(caught.value).startswith("the text:")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_files_are_named(tmp_path: Path) -> None:
    tree = scissors_paper_stone().tree()
    path = tmp_path / "mine.csv"
    path.write_text(pennies().replace(THIRD, "1/2"))
    with pytest.raises(FileError, match=r"mine\.csv:2: "):
        read_strategy(path, tree)
    with pytest.raises(FileError, match="no such file"):
        read_strategy(str(tmp_path / "none.csv"), tree)
    path.write_bytes(pennies().encode("utf-16"))
    with pytest.raises(FileError, match="UTF-16"):
        read_strategy(path, tree)
    for empty in ("\n", HEAD, HEAD + ",,,,\n"):
        with pytest.raises(FileError, match="no strategy is in it"):
            read_strategies(empty, tree)


def test_sets_left_out() -> None:
    played = bluffing()
    tree = played.tree
    rows = [line for line in strategy_csv(played["gambler"]).splitlines() if ",K," not in line]
    rows = [line for line in rows if '"J, [pass], bet"' not in line]
    file = "\n".join(rows) + "\n"
    with pytest.raises(FileError, match=r"no rows of gambler: .*, nor of 1 more"):
        read_strategies(file, tree)
    even = read_strategy(file, tree, missing="uniform")
    assert even["K"] == {"pass": F(1, 2), "bet": F(1, 2)}
    assert even["J"] == {"pass": F(2, 3), "bet": F(1, 3)}
    for source in (played, {"gambler": played["gambler"]}):
        assert read_strategy(file, tree, missing=source) == played["gambler"]
    with pytest.raises(FileError, match="missing='uniform'"):
        read_strategies(file, tree, missing={"dealer": played["dealer"]})
    with pytest.raises(ParameterError, match="did you mean 'uniform'"):
        read_strategies(file, tree, missing="uniforn")
    with pytest.raises(ParameterError, match="missing=3"):
        read_strategies(file, tree, missing=3)
    other = {"gambler": uniform(kuhn().tree(), "gambler")}  # of an equal tree: by its labels
    assert read_strategy(file, tree, missing=other) == even
    with pytest.raises(StrategyError, match="no information set 'K1'"):
        read_strategies(file, tree, missing={"gambler": {"K1": {"bet": 1}}})


def test_one_strategy_where_one_is_wanted() -> None:
    played = bluffing()
    with pytest.raises(FileError, match="gambler and dealer, where one is wanted"):
        read_strategy(strategy_csv(played), played.tree)


def test_labels_that_several_sets_have() -> None:
    builder = Builder(players=("ann", "bob"))
    for at, node in enumerate(builder.decide(builder.root, "ann", ("l", "r"), label="x")):
        for leaf in builder.decide(node, "bob", ("l", "r"), label="x"):
            builder.pay(leaf, (at, at))
    tree = builder.build()
    file = "player,information set,action,probability\n{},x,l,1\n"
    assert read_strategy(file.format("ann"), tree)["x"] == {"l": 1, "r": 0}
    with pytest.raises(FileError, match="2 information sets read 'x'; give the number too: #2, #3"):
        read_strategy(file.format("bob"), tree)
    own = {player: random_behaviour(tree, player, Random(5)) for player in tree.names}
    assert dict(read_strategies(strategy_csv(own), tree)) == own


def test_what_cannot_be_written() -> None:
    tree = absent_minded().tree()
    left, right = (pure(tree, "one", {"a or b": action}) for action in "LR")
    with pytest.raises(NotApplicable, match="no behaviour strategy is equivalent"):
        strategy_csv(mixed(tree, "one", {left: F(1, 2), right: F(1, 2)}))
    with pytest.raises(StrategyError, match="no strategy"):
        strategy_csv([3])  # type: ignore[list-item]
