"""What ``infoset solve --public`` shows of a strategy, and what programs are told."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_public import no_tree, out, refusal, screen

__all__ = ["no_tree", "screen"]  # fixtures


# ---------------------------------------------------------------------- what is shown of it


def test_a_player_is_shown_whole_and_by_pages() -> None:
    whole = out("solve", "kuhn", "ranks=25", "--public", "--player", "dealer")
    assert whole.count("\nafter ") == 2
    assert whole.count("████") >= 50  # a row for each card, after a pass and after a bet
    assert "more" not in whole
    base = ("solve", "kuhn", "ranks=25", "--public", "--player", "dealer")
    pages = [out(*base, "--page", str(page), "--rows", "20") for page in (1, 2, 3)]
    assert pages[1].endswith("page 2 of 3\n")
    table = [line for line in whole.splitlines() if "█" in line]
    paged = [line for page in pages for line in page.splitlines() if "█" in line]
    assert [line.split()[0] for line in paged] == [line.split()[0] for line in table]
    assert "--page 4: there are only 3 pages" in refusal(*base, "--page", "4", "--rows", "20")
    assert "… " in out(*base, "--rows", "30")


def test_unasked_it_is_told_by_situations_where_it_is_long() -> None:
    told = out("solve", "leduc", "--public", "--iterations", "3")
    assert "\nsituation " in told
    assert "--player NAME shows all, --where TEXT looks inside, --page N turns pages" in told
    short = out("solve", "kuhn", "--public")
    assert "--player NAME" not in short
    assert short.count("\nafter ") == 3


def test_what_nobody_would_read_is_told_by_situations(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("infoset.cli.records.MANY", 100)
    base = ("solve", "leduc", "--public", "--iterations", "3", "--player", "one")
    table = tmp_path / "t.json"
    told = out(*base, "--table", str(table))
    assert "234 information sets are too many to list; --where TEXT looks inside" in told
    (rows,) = (one["rows"] for one in json.loads(table.read_text())["tables"])
    assert rows[0]["situation"] == "at the start"
    assert "\nsituation " not in out(*base, "--page", "6")
    assert "\nsituation " not in out(*base, "--rows", "3")
    assert "\nsituation " not in out(*base, "--where", "[raise], raise, [call]")


@pytest.mark.usefixtures("no_tree")
def test_labels_are_looked_for_before_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def solve(*given: Any, **how: Any) -> Any:
        raise AssertionError("it was solved")

    with monkeypatch.context() as patch:
        patch.setattr("infoset.solvers.solve", solve)
        said = refusal("solve", "kuhn", "--public", "--where", "zzz")
        assert "no information set of gambler or dealer has 'zzz' in its label" in said
        said = refusal("solve", "kuhn", "--public", "--player", "dealer", "--page", "9")
        assert "--page 9: there is only one page" in said
    told = out("solve", "kuhn", "--public", "--where", "[pass]")  # which the dealer never does
    assert "\ngambler\n" in told
    assert "\ndealer\n" not in told


# ---------------------------------------------------------------------- what programs are told


def test_exact_numbers_are_texts_for_programs() -> None:
    keys = ("value", "value_bounds", "payoffs", "regret", "regrets", "certificate", "exact")
    tree = json.loads(out("solve", "kuhn", "--json"))
    public = json.loads(out("solve", "kuhn", "--public", "--json"))
    assert {key: public[key] for key in keys} == {key: tree[key] for key in keys}
    assert not set(tree) - set(public)  # whoever reads one reads the other
    probabilities = {
        row["knows"]: dict(row["plays"]) for own in public["strategies"] for row in own["behaviour"]
    }
    assert probabilities["Q, bet"] == {"pass": "2/3", "bet": "1/3"}
    assert probabilities["J, bet"] == {"pass": "1", "bet": "0"}


def test_exact_numbers_are_shown_as_such(tmp_path: Path) -> None:
    file, other = tmp_path / "a.csv", tmp_path / "b.csv"
    told = out("solve", "kuhn", "--public", "--csv", str(file))
    rows = [line.split() for line in told.splitlines()]
    assert ["Q", "2/3", "█████▎", "1/3", "██▋", "2/9", "-1", "J:", "1/4;", "K:", "3/4"] in rows
    assert not any("." in cell for row in rows[10:-2] for cell in row)
    out("solve", "kuhn", "--csv", str(other))
    public, tree = (
        {(row["probability"], row["exact"]) for row in csv.DictReader(text.splitlines())}
        for text in (path.read_text(encoding="utf-8") for path in (file, other))
    )
    assert ("0.666666666667", "2 over 3") in public
    assert public == tree


def test_values_are_whole_where_floats_nearly_are() -> None:
    """After one iteration everybody still tosses coins; by floats 2 is then 1.9999999999999998."""
    asked = ("--method", "cfr+", "--iterations", "1", "--player", "one")
    told = out("solve", "leduc", "--public", *asked)
    rows = [line.split() for line in told.splitlines() if "█" in line]
    assert rows
    assert not any(cell == "2.0000" for row in rows for cell in row)


def test_floats_are_numbers_for_programs() -> None:
    found = json.loads(
        out("solve", "kuhn", "--public", "--iterations", "9", "--no-prove", "--json")
    )
    assert isinstance(found["value"], float)
    assert found["exact"] is False
    assert found["value_bounds"][0] <= found["value"] <= found["value_bounds"][1]
    proved = json.loads(out("solve", "kuhn", "--public", "--iterations", "9", "--json"))
    assert isinstance(proved["value"], str)  # of plans that are a little off, but exactly known
    share = proved["strategies"][0]["behaviour"][0]["plays"][0][1]
    assert isinstance(share, float)


def test_exact_shares_are_those_of_the_floats() -> None:
    import numpy as np

    from infoset import games, solve

    found = solve(games.leduc().public())
    exactly = found.evaluation.profile
    assert exactly is not None
    form = found.evaluation.form
    for player in (0, 1):
        for number, one in enumerate(form.decisions[player]):
            probabilities, reach = (
                exactly.probabilities(player, number),
                exactly.reach(player, number),
            )
            values = exactly.values(player, number)
            assert (probabilities.sum(axis=0) == 1).all()
            assert probabilities.astype(float) == pytest.approx(
                found.evaluation.floats.probabilities(player, number)
            )
            assert reach.astype(float) == pytest.approx(
                found.evaluation.floats.reach(player, number)
            )
            assert values.astype(float) == pytest.approx(
                found.evaluation.floats.values(player, number), nan_ok=True
            )
            if one.after < 0 and all(meeting.last[0] < 0 for meeting in one.meetings):
                known = np.array([value is not None for value in values])
                assert (reach[known] * values[known]).sum() == found.payoffs[form.players[player]]


# ---------------------------------------------------------------------- words


def test_csv_of_a_folded_form_says_that_ask_cannot_read_it(tmp_path: Path) -> None:
    file = str(tmp_path / "a.csv")
    base = ("solve", "leduc", "--public", "--iterations", "3", "--csv", file)
    told = out(*base)
    assert "as folded (suits ♠ ♥ alike); --no-fold writes what infoset ask --strategy reads" in told
    assert "as folded" not in out(*base, "--no-fold")
    assert "never reached" in out("ask", "leduc", "--strategy", file)  # which is true
    assert "--no-fold, and no --merge, writes" in out(*base, "--merge")


@pytest.mark.parametrize("where", ["--public", "--tree"])
def test_a_plot_of_the_course_is_a_reason_and_has_a_title(tmp_path: Path, where: str) -> None:
    file = tmp_path / "a.svg"
    told = out("solve", "kuhn", where, "--log-plot", str(file), "--time", "0.1")
    assert "discounted-cfr: as asked: log-plot" in told
    assert "kuhn()" in file.read_text(encoding="utf-8")


def test_one_is_one() -> None:
    told = out("solve", "leduc", "--public", "--iterations", "1", "--regret", "0")
    assert "stopped after 1 iteration\n" in told
    assert "1 iterations" not in out("solve", "kuhn", "--iterations", "1")


def test_words_of_a_program_and_moments_of_a_run_have_one_bar(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import io

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for words, seen in (
        ((), "solving kuhn(): "),
        (("--iterations", "30000"), "iterations, "),
    ):
        screen = Terminal()
        monkeypatch.setattr("sys.stderr", screen)
        from infoset.cli import run

        assert run(["solve", "kuhn", "--public", *words]) == 0
        assert seen in screen.getvalue(), words
