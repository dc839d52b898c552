"""``infoset solve`` beyond one equilibrium: several, none, picked, correlated, against someone."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from infoset import games, solve
from infoset.cli import run
from infoset.strategy.files import write_strategies
from infoset.strategy.models import biased

F = Fraction
Says = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def says(capsys: pytest.CaptureFixture[str], folder: Path) -> Says:
    """What the command prints; it must succeed."""

    def call(*arguments: str) -> str:
        status = run(["solve", *arguments])
        printed = capsys.readouterr()
        assert (status, printed.err) == (0, ""), printed.err
        return printed.out

    return call


@pytest.fixture
def complains(capsys: pytest.CaptureFixture[str], folder: Path) -> Says:
    """What it complains about, in one line."""

    def call(*arguments: str) -> str:
        status = run(["solve", *arguments])
        printed = capsys.readouterr()
        assert status == 2
        assert printed.err.count("\n") == 1
        return printed.err

    return call


def objects(says: Says, *arguments: str) -> Any:
    return json.loads(says(*arguments, "--json"))


# ---------------------------------------------------------------------- several


def test_all_of_them_with_their_components(says: Says) -> None:
    facts = objects(says, "beer_quiche", "--method", "enumerate")
    assert facts["complete"]
    assert [one["payoffs"]["sender"] for one in facts["equilibria"]] == ["29/10"] * 2 + [
        "21/10"
    ] * 2
    assert {one["regret"] for one in facts["equilibria"]} == {"0"}
    assert [(one["members"], one["dimension"]) for one in facts["components"]] == [
        ([0, 1], 1),
        ([2, 3], 1),
    ]
    told = says("beer_quiche", "--method", "enumerate")
    assert "equilibria   4, all that there are" in told
    assert "component 2: 2 extreme equilibria, dimension 1" in told


def test_at_most_so_many(says: Says) -> None:
    facts = objects(says, "beer_quiche", "--method", "enumerate", "--most", "2")
    assert (len(facts["equilibria"]), facts["complete"]) == (2, False)
    assert "2, there may be more" in says("beer_quiche", "--method", "enumerate", "--most", "2")
    one = says("beer_quiche", "--method", "enumerate", "--most", "1")
    assert "equilibria   1, there may be more" in one


def test_one_is_picked_everywhere(says: Says, folder: Path) -> None:
    asked = ("beer_quiche", "--method", "enumerate", "--pick", "3")
    told = says(*asked, "--csv", "three.csv")
    assert "payoffs      sender 21/10 (2.1)" in told
    assert "equilibrium 3 in full" in told
    facts = objects(says, *asked)
    assert facts["payoffs"]["sender"] == "21/10"
    assert len(facts["equilibria"]) == 4
    assert "sender,strong,#1,quiche,1,1" in (folder / "three.csv").read_text()
    says("beer_quiche", "--method", "enumerate", "--save", "all.json")
    again = says("beer_quiche", "--load", "all.json", "--pick", "3")
    assert "payoffs      sender 21/10 (2.1)" in again
    assert "4, all, as the file says" in again


def test_none_is_an_answer(says: Says, complains: Says, folder: Path) -> None:
    told = says("matching_pennies", "--method", "pure")
    assert told.startswith("matching_pennies(): no equilibrium in pure strategies: all 4 profiles")
    facts = objects(says, "matching_pennies", "--method", "pure", "--all")
    assert (facts["equilibria"], facts["complete"]) == ([], True)
    assert "no solution to write to a file" in complains(
        "matching_pennies", "--method", "pure", "--save", "none.json"
    )
    assert not (folder / "none.json").exists()


def test_pure_ones_are_shown_as_pure(says: Says) -> None:
    """Also where the reduced plan is silent."""
    facts = objects(says, "entry_game", "markets=2", "--method", "pure", "--all")
    probabilities = {
        share
        for one in facts["equilibria"]
        for strategy in one["strategies"]
        for row in strategy["behaviour"]
        for _, share in row["plays"]
    }
    assert probabilities == {"0", "1"}
    assert len(facts["equilibria"]) == 28


def test_how_many_pure_ones_there_are_is_said_once(says: Says) -> None:
    told = says("three_partition", "--method", "pure")
    assert "1 of 12 in pure strategies" in told
    assert "there may be more" not in told


def test_subgame_by_subgame(says: Says, complains: Says) -> None:
    told = says("entry_game", "--subgame-perfect")
    assert "subgame-perfect: 2 subgames, the last ones first" in told
    assert "entrant 2, incumbent 2" in told
    assert "such as lcp, not enumerate" in complains(
        "entry_game", "--subgame-perfect", "--method", "enumerate"
    )


def test_beliefs_where_no_play_comes(says: Says) -> None:
    facts = objects(says, "beer_quiche", "--method", "quasi-perfect")
    assert facts["sequential"] is True
    assert facts["beliefs"][2] == ["1/2", "1/2"]
    told = says("beer_quiche", "--method", "quasi-perfect")
    assert "never here" not in told


# ---------------------------------------------------------------------- correlated, and against


def test_a_mediator(says: Says, complains: Says, folder: Path) -> None:
    facts = objects(says, "prisoners_dilemma", "--method", "ce", "--welfare", "2 row - column")
    assert facts["weights"] == {"row": "2", "column": "-1"}
    assert (facts["certificate"], facts["regret"]) == ("exact", "0")
    says("kuhn", "--method", "efce", "--table", "advice.html")
    assert "<table" in (folder / "advice.html").read_text()
    assert "--player does not go with --method ce" in complains(
        "prisoners_dilemma", "--method", "ce", "--player", "row"
    )
    assert "no player at 'you'" in complains("kuhn", "--method", "efce", "--welfare", "you")


@pytest.fixture
def dealer(folder: Path) -> Path:
    """A dealer who calls too often, and everyone's strategies."""
    solution = solve(games.kuhn())
    write_strategies(folder / "dealer.csv", biased(solution.strategy["dealer"], "bet", by=0.4))
    solution.save(folder / "all.json")
    return folder / "dealer.csv"


def test_against_someone(says: Says, dealer: Path) -> None:
    asked = ("kuhn", "--method", "safe", "--against", dealer.name)
    facts = objects(says, *asked, "--epsilon", "1/20")
    assert (facts["wins"], facts["sure"], facts["player"]) == ("23/450", "-19/180", "gambler")
    assert F(facts["sure"]) >= F(facts["value"]) - F(facts["epsilon"])
    cautious = objects(says, *asked)
    assert (cautious["sure"], cautious["epsilon"]) == ("-1/18", "0")
    told = says(*asked, "--epsilon", ".05", "--csv", "mine.csv")
    assert "written: the strategies to mine.csv" in told
    assert (dealer.parent / "mine.csv").read_text().count("\n") == 13
    by_name = objects(
        says, "kuhn", "--method", "safe", "--against", "all.json", "--player", "dealer"
    )
    assert by_name["player"] == "dealer"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("kuhn --most 3", "--most goes with --method enumerate, pure"),
        ("kuhn --method lp --all", "it goes with enumerate, pure"),
        ("kuhn --pick 2", "--pick goes with --method"),
        ("kuhn --method enumerate --most 0", "--most"),
        ("kuhn --method enumerate --most 2 --all", "contradict"),
        ("beer_quiche --method enumerate --pick 5", "no equilibrium 5; there are 4"),
        ("kuhn --method lp --welfare gambler", "it goes with ce, cce, efce, efcce"),
        ("kuhn --method safe", "needs --against FILE"),
        ("kuhn --method safe --against nowhere.csv", "nowhere.csv"),
        ("kuhn --method safe --against dealer.csv --epsilon -1", "it must be 0 or more"),
        ("kuhn --method safe --against dealer.csv --epsilon 1/0", "give a number"),
        ("kuhn --method safe --against dealer.csv --epsilon 1e9", "give a number"),
        (
            "kuhn --method safe --against dealer.csv --csv dealer.csv",
            "it is an input of this command",
        ),
        (
            "kuhn --method safe --against dealer.csv --table dealer.csv",
            "it is an input of this command",
        ),
        ("kuhn --load all.json --table all.json", "it is an input of this command"),
        ("beer_quiche --method enumerate --time 0 --exact", "no equilibrium was found"),
        ("entry_game --subgame-perfect --method max-min", "such as lcp, not max-min"),
        ("entry_game --subgame-perfect --method quasi-perfect", "subgame perfect by itself"),
        ("kuhn --method safe --against all.json", "say who you are"),
        ("kuhn --method safe --against dealer.csv --player dealer", "no strategy of dealer's"),
        ("kuhn ranks=4 --method safe --against dealer.csv", "dealer.csv"),
        ("kuhn --method safe --against dealer.csv --public", "it is solved on the tree"),
        ("kuhn --method efce --draw x.svg", "no strategy of each player"),
        ("seltens_horse --method enumerate", "enumerate does not apply: 2 players"),
        ("seltens_horse --method efce", "efce does not apply"),
        ("blair_g2 --method qre", "perfect recall is needed"),
        ("kuhn --load all.json --subgame-perfect", "--subgame-perfect cannot change it"),
        ("kuhn --save a.csv --csv a.csv", "two things cannot be written to one file"),
        ("kuhn --method gambit", "which method?"),
        ("kuhn --method gambit:zzz", "no method 'gambit:zzz'"),
        ("leduc --method enumerate", "too large to enumerate"),
    ],
)
def test_what_does_not_go_together_gets_one_line(
    complains: Says, dealer: Path, arguments: str, message: str
) -> None:
    assert message in complains(*arguments.split())
