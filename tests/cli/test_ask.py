"""``infoset ask``, as a user meets it."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from infoset.games import kuhn, seltens_horse
from infoset.solvers.storage import strategy_record
from infoset.strategy import profile, uniform
from infoset.strategy.convert import read_strategies
from infoset.strategy.files import write_strategies
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
    assert "chance: J Q  1/4" in first
    assert second.startswith("actions of gambler: J, [pass], bet\n")
    full = out(capsys, "ask", "kuhn", "--beliefs", "Q, bet", "--full")
    assert "chance: J Q, gambler: bet" in full


def test_several_questions_are_answered_in_turn(capsys: pytest.CaptureFixture[str]) -> None:
    answers = asked(
        capsys, "kuhn", "--unreached", "--plays", "--from", "J Q, bet",
        "--from", "*, bet", "--deviate", "gambler: Q: bet",
        "--deviate", "dealer: K, bet: pass=1/2, bet=50%",
    )  # fmt: skip
    kinds = [answer["question"] for answer in answers]
    assert kinds == ["from", "from", "plays", "deviate", "deviate", "unreached"]
    assert answers[0]["numbers"]["probability"] == "1/18"
    assert answers[1]["numbers"]["payoffs"]["gambler"] == "5/8"
    assert answers[2]["numbers"] == {"count": 13, "rest": "0"}
    assert len(answers[2]["tables"][0]["rows"]) == 13  # files have all, however many are printed
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
    printed = out(capsys, "ask", "kuhn", "--reply", "dealer.csv")
    assert "best reply of gambler" in printed
    assert "\nequilibrium strategy gets  1/6 (0.166667)\n" in printed


def test_a_reply_is_held_against_the_files_own_strategy(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    one, two = asked(capsys, "kuhn", "--reply", "both.csv")
    assert [one["about"], two["about"]] == ["gambler", "dealer"]
    assert one["numbers"] == {
        "value": "1/2",
        "own": "1/8",
        "equilibrium": "-1/18",
        "gain": "3/8",
    }
    assert two["numbers"]["gain"] == "13/24"
    assert one["facts"]["strategy in both.csv gets"] == "1/8 (0.125)"
    assert "own strategy gets" not in one["facts"]


def test_the_rest_is_as_in_the_other_file(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    tree = kuhn().tree()
    write_strategies(folder / "gambler.csv", uniform(tree, "gambler"))
    (answer,) = asked(capsys, "kuhn", "--strategy", "gambler.csv", "--reply", "dealer.csv")
    assert answer["about"] == "gambler"
    assert answer["facts"]["strategy in gambler.csv gets"] == "1/8 (0.125)"
    horse = seltens_horse().tree()
    write_strategies(folder / "two.csv", uniform(horse, "two"))
    everyone = [uniform(horse, name) for name in horse.names]
    write_strategies(folder / "all.csv", everyone)
    # Nothing solves it, so that the third player's strategy can only be the first file's.
    replies = asked(capsys, "seltens_horse", "--strategy", "all.csv", "--reply", "two.csv")
    assert [reply["about"] for reply in replies] == ["one", "three"]
    assert [F(reply["numbers"]["value"]) for reply in replies] == [
        profile(everyone).best_response(name).value for name in ("one", "three")
    ]


def test_a_reply_is_shown_and_written_whatever_it_gains(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    out(capsys, "solve", "kuhn", "--player", "gambler", "--csv", "gambler.csv")
    printed = out(capsys, "ask", "kuhn", "--reply", "gambler.csv", "--csv", "reply.csv")
    assert "gain                       0\n" in printed
    assert "the reply, after pass\nprivate  pass        bet" in printed
    assert "the reply, after bet\n" in printed
    assert printed.rstrip().endswith("written: the reply to reply.csv")
    (answer,) = asked(capsys, "kuhn", "--reply", "gambler.csv")
    titles = [table["title"] for table in answer["tables"]]
    assert titles == ["the reply, after pass", "the reply, after bet"]
    rows = answer["tables"][1]["rows"]
    assert [(row["private"], row["pass"], row["bet"]) for row in rows][0::2] == [
        ("J", "1", "0"), ("K", "0", "1"),
    ]  # fmt: skip
    written = read_strategies(folder / "reply.csv", kuhn().tree())["dealer"]
    assert answer["strategy"] == json.loads(json.dumps(strategy_record(written)))
    (again,) = asked(capsys, "kuhn", "--strategy", "reply.csv", "--reply", "gambler.csv")
    assert again["facts"]["strategy in reply.csv gets"] == answer["facts"]["best reply gets"]
    out(capsys, "ask", "kuhn", "--reply", "gambler.csv", "--table", "t.csv")
    assert (folder / "t.csv").read_text().count("the reply, after") == 6
    out(capsys, "ask", "kuhn", "--reply", "both.csv", "--csv", "replies.csv")
    assert len(read_strategies(folder / "replies.csv", kuhn().tree())) == 2


def test_how_exploitable_strategies_are(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (answer,) = asked(capsys, "kuhn", "--strategy", "both.csv")
    assert answer["numbers"]["regrets"] == {"gambler": "3/8", "dealer": "13/24"}
    assert answer["facts"]["gambler"] == (
        "1/8 (0.125); its best reply gets 1/2 (0.5), which gains 3/8 (0.375)"
    )
    assert answer["facts"]["equilibrium"] == "no: the regret is 13/24 (0.541667)"
    out(capsys, "solve", "kuhn", "--csv", "equilibrium.csv")
    (settled,) = asked(capsys, "kuhn", "--strategy", "equilibrium.csv")
    assert settled["facts"]["equilibrium"] == "yes"
    assert settled["facts"]["dealer"] == "1/18 (0.0555556); its best reply gains nothing"


def test_plays_are_wrapped_where_a_terminal_is_narrow(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infoset.cli.ask.terminal", lambda: {"width": 60, "colour": False})
    printed = out(capsys, "ask", "kuhn", "--plays")
    assert re.search(
        r"\nchance: J K, .*\n  gambler: pass,\n  dealer: bet,\n  gambler: pass\n", printed
    )
    assert "…" not in printed
    assert max(map(len, printed.splitlines())) <= 60
    printed = out(capsys, "ask", "kuhn")
    assert max(map(len, printed.splitlines())) <= 60
    assert "--compare" in printed


def test_strategies_of_a_file(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (some,) = asked(capsys, "kuhn", "--strategy", "dealer.csv", "--from", "")
    assert some["numbers"]["payoffs"] == {"gambler": "1/6", "dealer": "-1/6"}
    (every,) = asked(capsys, "kuhn", "--strategy", "both.csv")
    assert every["numbers"]["payoffs"]["gambler"] == "1/8"
    assert every["facts"]["strategies"] == "both.csv (gambler, dealer)"
    text = (folder / "dealer.csv").read_text()
    (folder / "dealer.csv").write_text(text.replace("0.5", "0.4995", 1))
    assert out(capsys, "ask", "kuhn", "--strategy", "dealer.csv").startswith("note: dealer.csv:2: ")


def test_sets_that_a_file_leaves_out(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    lines = (folder / "dealer.csv").read_text().splitlines(keepends=True)
    (folder / "some.csv").write_text("".join(line for line in lines if "J, bet" not in line))
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


def test_games_of_three(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    tree = seltens_horse().tree()
    write_strategies(folder / "all.csv", [uniform(tree, name) for name in tree.names])
    write_strategies(folder / "one.csv", uniform(tree, "one"))
    (answer,) = asked(capsys, "seltens_horse", "--strategy", "all.csv", "--plays")
    assert sum(F(row["probability"]) for row in answer["tables"][0]["rows"]) == 1
    replies = asked(capsys, "seltens_horse", "--reply", "all.csv")
    assert [reply["numbers"]["equilibrium"] for reply in replies] == ["1"] * 3
    (answer,) = asked(capsys, "seltens_horse", "--plays")
    assert [row["probability"] for row in answer["tables"][0]["rows"]] == ["1"]


def test_saved_solutions(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    out(capsys, "solve", "kuhn", "--save", "k.json")
    (answer,) = asked(capsys, "kuhn", "--load", "k.json", "--compare", "k.json")
    assert answer["numbers"]["total_variation"] == "0"
    assert answer["numbers"]["interchangeable"] is True
    (other,) = asked(capsys, "kuhn", "--strategy", "both.csv", "--compare", "k.json")
    assert other["numbers"]["equilibria"] == [False, True]
    assert "another game" in refusal(capsys, "ask", "kuhn", "ranks=4", "--load", "k.json")
    assert "--method cannot" in refusal(capsys, "ask", "kuhn", "--load", "k.json", "--method", "lp")


@pytest.mark.parametrize("name", ["a.csv", "a.tex", "a.html", "a.json", "a.txt"])
def test_answers_are_saved(capsys: pytest.CaptureFixture[str], folder: Path, name: str) -> None:
    out(capsys, "ask", "kuhn", "--values", "Q, bet", "--table", name)
    assert "2/3" in (folder / name).read_text()
    several = ("--beliefs", "Q, bet", "--from", "J Q, bet")
    out(capsys, "ask", "kuhn", *several, "--table", name)
    content = (folder / name).read_text()
    assert "outcome after" in content
    assert "beliefs of" in content


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("kunh",), "did you mean 'kuhn'"),
        (("kuhn", "--beliefs", "dealer: Q, bte"), "did you mean 'dealer: Q, bet'?"),
        (("kuhn", "--values", "#40"), "they are #1 to #12"),
        (("kuhn", "--values", "40"), "numbers are written as '#1', up to '#12'"),
        (("kuhn", "--from", "J Q, raise"), "there are pass, bet"),
        (("kuhn", "--deviate", "gambler: Q: rise"), "no action 'rise'"),
        (("kuhn", "--deviate", "gambler: X: bet"), "no information set 'gambler: X'"),
        (("kuhn", "--deviate", "gambler"), "names no action; write 'SET: ACTION'"),
        (("kuhn", "--deviate", "gambler: Q: bet=2"), "'2' is no probability"),
        (("kuhn", "--deviate", "gambler: Q: bet=1/2"), "sum to 1/2, not to 1"),
        (("kuhn", "--reply", "none.csv"), "none.csv: there is no such file"),
        (("kuhn", "--compare", "none.json"), "none.json: there is no such file"),
        (("kuhn", "--missing", "unifrom"), "did you mean 'uniform'?"),
        (("kuhn", "--missing", "uniform"), "--missing goes with --strategy or --reply"),
        (("kuhn", "--plays", "--missing", "refuse"), "--missing goes with --strategy or --reply"),
        (("kuhn", "--full"), "--full goes with --beliefs"),
        (("kuhn", "--csv", "r.csv"), "--csv writes the best reply; add --reply FILE.csv"),
        (("kuhn", "--reply", "both.csv", "--csv", "r.txt"), "r.txt: the name must end in .csv"),
        (("kuhn", "--save", "a.html"), "--save"),
        (("kuhn", "--most", "3"), "--most"),
        (("kuhn", "--values", "#1", "--full"), "--full goes with --beliefs"),
        (("kuhn", "--values", "#1", "--rows", "3", "--json"), "--json has every row"),
        (
            ("kuhn", "--strategy", "both.csv", "--method", "lp"),
            "both.csv has everyone's strategy, so that nothing is solved; leave --method out",
        ),
        (("kuhn", "--strategy", "both.csv", "--time", "3"), "leave --time out"),
        (("kuhn", "--rows", "0"), "--rows"),
        (("kuhn", "ranks=50", "--max-nodes", "99", "--plays"), "infoset solve --public --where"),
        (("kuhn", "--method", "lqp"), "did you mean 'lp'"),
        (("kuhn", "--plays", "--table", "a.xlsx"), "a.xlsx: the name must end in"),
        (("kuhn", "--plays", "--table", "no/a.csv"), "there is no folder no"),
        (("absent_minded", "--values", "a or b"), "not well defined"),
    ],
)
def test_bad_input_gets_one_line(
    capsys: pytest.CaptureFixture[str], folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    assert message in refusal(capsys, "ask", *arguments)


def test_options_that_do_something_are_taken(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    out(capsys, "solve", "kuhn", "--save", "k.json")
    for arguments in (
        ("--strategy", "dealer.csv", "--method", "lcp"),
        ("--strategy", "both.csv", "--missing", "solution", "--method", "lcp"),
        ("--strategy", "both.csv", "--reply", "dealer.csv", "--load", "k.json"),
        ("--beliefs", "#1", "--full"),
        ("--reply", "dealer.csv", "--missing", "uniform"),
    ):
        assert asked(capsys, "kuhn", *arguments)
    line = refusal(capsys, "ask", "kuhn", "--strategy", "both.csv", "--load", "k.json")
    assert "leave --load out" in line


def test_a_solution_in_floats_is_about_so(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    out(capsys, "solve", "kuhn", "--floats", "--save", "near.json")
    printed = out(capsys, "ask", "kuhn", "--load", "near.json")
    assert "about -0.05555555556" in printed
    printed += out(capsys, "ask", "kuhn", "--load", "near.json", "--values", "gambler: J")
    for more in (("dealer.csv",), ("both.csv", "--missing", "solution")):
        told = out(capsys, "ask", "kuhn", "--load", "near.json", "--from", "", "--strategy", *more)
        assert "about" in told
        printed += told
    assert "digits)" not in printed


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


# ---------------------------------------------------------------------- about the game itself


def test_questions_about_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    table = "matrix:2,1 4,0; 1,0 3,1"
    words = (table, "--commitment", "row", "--pareto", "--minimax-regret", "column")
    commitment, pareto, regret = asked(capsys, *words)
    assert commitment["numbers"] == {"reply": "column 2", "row": "7/2", "column": "1/2"}
    assert commitment["about"] == "row"
    assert pareto["numbers"] == {"optimal": 2, "profiles": 4}
    assert regret["numbers"] == {"regret": "1/2"}
    printed = out(capsys, "ask", table, "--commitment", "row")
    assert "row gets         7/2" in printed


def test_evolutionary_stability_of_a_mixture(capsys: pytest.CaptureFixture[str]) -> None:
    hawk_dove = ("matrix:-2,-2 2,0; 0,2 1,1", "rows=hawk,dove", "columns=hawk,dove")
    words = ("--stable", "hawk=1/3, dove=2/3", "--stable", "dove")
    mixed, pure = asked(capsys, *hawk_dove, *words)
    assert mixed["numbers"] == {"stable": True}
    assert pure["numbers"] == {"stable": False}
    assert pure["tables"][0]["rows"][0] == {"strategy": "hawk", "population": "0", "mutant": "1"}
    for mixture, said in {
        "hawk=1/3": "probability, with sum 1",
        "howk=1": "did you mean 'hawk'",
        "hawk=1/2, hawk=1/2": "named twice",
        "hawk=much": "much",
    }.items():
        assert said in refusal(capsys, "ask", *hawk_dove, "--stable", mixture)


def test_repeated_games(capsys: pytest.CaptureFixture[str]) -> None:
    game = "prisoners_dilemma"
    (answer,) = asked(capsys, game, "--grim-trigger", "cooperate, cooperate")
    assert answer["numbers"] == {"discount": "1/3"}
    assert "'defct'" in refusal(capsys, "ask", game, "--grim-trigger", "defct, defect")
    assert "simultaneous" in refusal(capsys, "ask", "kuhn", "--grim-trigger", "bet, bet")


def test_nothing_is_solved_for_the_game_itself(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_solution(*given: Any, **how: Any) -> Any:
        raise AssertionError("a game was solved")

    monkeypatch.setattr("infoset.cli.ask.solved", no_solution)
    assert "Pareto optimal" in out(capsys, "ask", "prisoners_dilemma", "--pareto")
    said = refusal(capsys, "ask", "prisoners_dilemma", "--pareto", "--method", "lcp")
    assert "leave --method out" in said
    assert "'rowe'" in refusal(capsys, "ask", "prisoners_dilemma", "--commitment", "rowe")
