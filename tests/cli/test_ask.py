"""``infoset ask``, as a user meets it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from infoset.examine.edited import write_strategies
from infoset.games import kuhn, seltens_horse
from infoset.strategy import uniform
from tests.cli.test_command import out, refusal

F = Fraction


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    tree = kuhn().tree()
    write_strategies(tmp_path / "dealer.csv", uniform(tree, "dealer"))
    write_strategies(tmp_path / "both.csv", [uniform(tree, name) for name in tree.names])
    return tmp_path


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    facts: dict[str, Any] = json.loads(out(capsys, "ask", *arguments, "--json"))
    answers: list[dict[str, Any]] = facts["answers"]
    return answers


def test_an_overview_where_nothing_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    printed = out(capsys, "ask", "kuhn")
    assert printed.startswith("kuhn()\n")
    assert "-1/18 (-0.0555556)" in printed
    assert "never reached  1 of 12 information sets (1 by own choice)" in printed
    assert "chance: K J, gambler: bet, dealer: pass" in printed
    assert "--beliefs" in printed
    (answer,) = asked(capsys, "kuhn")
    assert answer["question"] == "overview"
    assert answer["numbers"]["value"] == "-1/18"
    assert answer["numbers"]["payoffs"] == {"gambler": "-1/18", "dealer": "1/18"}
    assert len(answer["tables"][0]["rows"]) == 10


def test_questions_about_sets(capsys: pytest.CaptureFixture[str]) -> None:
    printed = out(capsys, "ask", "kuhn", "--beliefs", "dealer: Q, bet", "--values", "#3")
    first, second = printed.rstrip().split("\n\n")
    assert first.startswith("beliefs of dealer: Q, bet\n")
    assert "chance: J Q        1/4" in first
    assert second.startswith("actions of gambler: J, [pass], bet\n")
    full = out(capsys, "ask", "kuhn", "--beliefs", "Q, bet", "--full")
    assert "chance: J Q, gambler: bet" in full


def test_several_questions_are_answered_in_turn(capsys: pytest.CaptureFixture[str]) -> None:
    answers = asked(
        capsys, "kuhn", "--unreached", "--plays", "--most", "2", "--from", "J Q, bet",
        "--from", "*, bet", "--deviate", "gambler: Q: bet",
        "--deviate", "dealer: K, bet: pass=1/2, bet=50%",
    )  # fmt: skip
    kinds = [answer["question"] for answer in answers]
    assert kinds == ["from", "from", "plays", "deviate", "deviate", "unreached"]
    assert answers[0]["numbers"]["probability"] == "1/18"
    assert answers[1]["numbers"]["payoffs"]["gambler"] == "5/8"
    assert answers[2]["numbers"] == {"count": 13, "rest": "13/18"}
    assert len(answers[2]["tables"][0]["rows"]) == 2
    assert answers[3]["numbers"]["change"] == "-1/18"
    assert answers[4]["numbers"] == {"reach": "1/18", "change_there": "-3/2", "change": "-1/12"}
    assert answers[5]["numbers"]["own"] == 1


def test_the_best_reply_to_a_file(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (answer,) = asked(capsys, "kuhn", "--reply", "dealer.csv")
    assert answer["about"] == "gambler"
    assert answer["numbers"] == {
        "value": "1/2",
        "own": "1/6",
        "equilibrium": "-1/18",
        "gain": "1/3",
    }
    both = asked(capsys, "kuhn", "--reply", "both.csv")
    assert [answer["about"] for answer in both] == ["gambler", "dealer"]
    assert "best reply of gambler" in out(capsys, "ask", "kuhn", "--reply", "dealer.csv")


def test_strategies_of_a_file(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (some,) = asked(capsys, "kuhn", "--strategy", "dealer.csv", "--from", "")
    assert some["numbers"]["payoffs"] == {"gambler": "1/6", "dealer": "-1/6"}
    (every,) = asked(capsys, "kuhn", "--strategy", "both.csv")
    assert every["numbers"]["payoffs"]["gambler"] == "1/8"
    assert every["facts"]["strategies"] == "both.csv (gambler, dealer)"
    text = (folder / "dealer.csv").read_text()
    (folder / "dealer.csv").write_text(text.replace("1/2", "0.4995", 1))
    assert out(capsys, "ask", "kuhn", "--strategy", "dealer.csv").startswith("note: dealer.csv:2: ")


def test_sets_that_a_file_leaves_out(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    lines = (folder / "dealer.csv").read_text().splitlines(keepends=True)
    (folder / "some.csv").write_text("".join(lines[:-2]))
    line = refusal(capsys, "ask", "kuhn", "--strategy", "some.csv")
    assert "some.csv: no rows of dealer: J, bet (#10); add them" in line
    (even,) = asked(capsys, "kuhn", "--strategy", "some.csv", "--missing", "uniform", "--from", "")
    assert even["numbers"]["payoffs"]["gambler"] == "1/6"
    (filled,) = asked(
        capsys, "kuhn", "--strategy", "some.csv", "--missing", "solution", "--values", "J, bet"
    )
    assert [row["probability"] for row in filled["tables"][0]["rows"]] == ["1", "0"]
    (reply,) = asked(capsys, "kuhn", "--reply", "some.csv", "--missing", "solution")
    assert F(reply["numbers"]["value"]) < F(1, 2)


def test_games_that_nothing_solves(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    tree = seltens_horse().tree()
    write_strategies(folder / "all.csv", [uniform(tree, name) for name in tree.names])
    write_strategies(folder / "one.csv", uniform(tree, "one"))
    (answer,) = asked(capsys, "seltens_horse", "--strategy", "all.csv", "--plays")
    assert sum(F(row["probability"]) for row in answer["tables"][0]["rows"]) == 1
    replies = asked(capsys, "seltens_horse", "--reply", "all.csv")
    assert [reply["numbers"]["equilibrium"] for reply in replies] == [None] * 3
    assert "no method applies" in refusal(capsys, "ask", "seltens_horse", "--plays")
    assert "no method applies" in refusal(capsys, "ask", "seltens_horse", "--reply", "one.csv")


def test_saved_solutions(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    out(capsys, "solve", "kuhn", "--save", "k.json")
    (answer,) = asked(capsys, "kuhn", "--load", "k.json", "--compare", "k.json")
    assert answer["numbers"]["apart"] == "0"
    assert answer["numbers"]["interchangeable"] is True
    (other,) = asked(capsys, "kuhn", "--strategy", "both.csv", "--compare", "k.json")
    assert other["numbers"]["equilibria"] == [False, True]
    assert "another game" in refusal(capsys, "ask", "kuhn", "ranks=4", "--load", "k.json")
    assert "--method cannot" in refusal(capsys, "ask", "kuhn", "--load", "k.json", "--method", "lp")


@pytest.mark.parametrize("name", ["a.csv", "a.tex", "a.html", "a.json", "a.txt"])
def test_answers_are_saved(capsys: pytest.CaptureFixture[str], folder: Path, name: str) -> None:
    out(capsys, "ask", "kuhn", "--values", "Q, bet", "--save", name)
    assert "2/3" in (folder / name).read_text() or "frac{2}{3}" in (folder / name).read_text()
    several = ("--beliefs", "Q, bet", "--from", "J Q, bet")
    out(capsys, "ask", "kuhn", *several, "--save", name)
    content = (folder / name).read_text()
    assert "outcome after" in content
    assert "beliefs of" in content


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("kunh",), "did you mean 'kuhn'"),
        (("kuhn", "--beliefs", "dealer: Q, bte"), "did you mean 'dealer: Q, bet'?"),
        (("kuhn", "--values", "#40"), "they are #1 to #12"),
        (("kuhn", "--from", "J Q, raise"), "there are pass, bet"),
        (("kuhn", "--deviate", "gambler: Q: rise"), "no action 'rise'"),
        (("kuhn", "--deviate", "gambler: X: bet"), "no information set 'gambler: X'"),
        (("kuhn", "--deviate", "gambler"), "names no action; write 'SET: ACTION'"),
        (("kuhn", "--deviate", "gambler: Q: bet=2"), "'2' is no probability"),
        (("kuhn", "--deviate", "gambler: Q: bet=1/2"), "sum to 1/2, not to 1"),
        (("kuhn", "--reply", "none.csv"), "none.csv: there is no such file"),
        (("kuhn", "--compare", "none.json"), "none.json: there is no such file"),
        (("kuhn", "--missing", "unifrom"), "did you mean 'uniform'?"),
        (("kuhn", "--most", "0"), "--most"),
        (("kuhn", "--method", "lqp"), "did you mean 'lp'"),
        (("kuhn", "--plays", "--save", "a.xlsx"), "a.xlsx: the name must end in"),
        (("kuhn", "--plays", "--save", "no/a.csv"), "there is no folder no"),
        (("absent_minded", "--values", "a or b"), "not well defined"),
    ],
)
def test_bad_input_gets_one_line(
    capsys: pytest.CaptureFixture[str], folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    assert message in refusal(capsys, "ask", *arguments)


def test_hostile_files(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (folder / "evil.efg").write_text(
        'EFG 2 R "t\x1b[2J" { "<a>\x1b" } '
        'p "" 1 1 "[red]\n\x1b[31m\u202e" { "x\r" "=y" } 0\n'
        't "" 1 "" { 1 } t "" 2 "" { 2 }'
    )
    for question in ((), ("--plays",), ("--values", "#1"), ("--deviate", "#1: =y")):
        printed = out(capsys, "ask", "evil.efg", *question)
        assert not set(printed) & set("\x1b\r\u202e")
        json.loads(out(capsys, "ask", "evil.efg", *question, "--json"))
    assert "\x1b" not in refusal(capsys, "ask", "evil.efg", "--values", "\x1b[31m")
