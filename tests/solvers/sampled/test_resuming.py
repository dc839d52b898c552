"""Runs in files: taken up again bit for bit, refused where they are another's, never in the way."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from infoset import Game, Play, game, games
from infoset.errors import FileError, InfosetError, NotApplicable, ParameterError, RulesError
from infoset.solvers import container as files
from infoset.solvers.convergence import Convergence
from infoset.solvers.sampling import sample
from infoset.solvers.sampling.infosets import Reading, digest, reread, written
from infoset.solvers.sampling.result import Simulation, VisitedSets
from infoset.solvers.solution import Solution

METHODS = ("external", "outcome")


def tables(found: Solution) -> list[tuple[int, list[float], list[float]]]:
    return [(row.player, row.regrets, row.average) for row in found.evaluation.run.table.rows]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "made",
    [games.kuhn(), games.goofspiel(cards=3), games.kuhn(players=3), games.seltens_horse().tree()],
    ids=str,
)
def test_a_broken_run_is_as_a_whole_one(tmp_path: Path, made: Any, method: str) -> None:
    whole = sample(made, method, iterations=90, seed=4)
    path = tmp_path / "run"
    for iterations in (1, 20, 20, 90):
        part = sample(made, method, iterations=iterations, seed=4, checkpoint=path)
        assert part.evaluation.iterations == iterations
        assert part.note == ""
    assert tables(part) == tables(whole)
    assert (part.evaluation.nodes, part.evaluation.sets, part.evaluation.bound) == (
        whole.evaluation.nodes,
        whole.evaluation.sets,
        whole.evaluation.bound,
    )
    assert [(point.iterations, point.regrets) for point in part.convergence.points] == [
        (point.iterations, point.regrets) for point in whole.convergence.points
    ]
    assert part.payoffs == whole.payoffs
    assert part.on_tree().payoffs == whole.on_tree().payoffs


def test_a_row_that_no_walk_met_again_is_still_known(tmp_path: Path) -> None:
    made = games.kuhn()
    whole = sample(made, iterations=200, checkpoint=tmp_path / "run")
    again = sample(made, iterations=200, checkpoint=tmp_path / "run")  # nothing left to do
    dealt = made.position().after(made.position().chances()[0][0])
    assert again.evaluation.at(dealt) == whole.evaluation.at(dealt) != {"pass": 0.5, "bet": 0.5}
    assert again.seconds >= whole.seconds


def test_written_on_the_way_and_when_stopped(tmp_path: Path, monkeypatch: Any) -> None:
    path, written = tmp_path / "run", []
    real = files.write_checkpoint

    def write(path: Any, facts: Any, arrays: Any) -> None:
        written.append(facts["iterations"])
        real(path, facts, arrays)

    monkeypatch.setattr(files, "write_checkpoint", write)
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) == 4

    found = sample(games.kuhn(), stop=stop, checkpoint=path, every=0)
    assert written == sorted(set(written))
    assert written[0] == 1
    assert written[-1] == found.evaluation.iterations


def test_what_was_known_stays_when_the_rules_fail(tmp_path: Path) -> None:
    fails = False

    @game(players=("ann", "bob"))
    def fragile(g: Play) -> object:
        if fails:
            raise OSError("gone")
        return (1, -1) if g.choose("ann", ("left", "right")) == "left" else (0, 0)

    path = tmp_path / "run"
    sample(fragile(), iterations=10, checkpoint=path)
    before = path.read_bytes()
    fails = True
    with pytest.raises(RulesError, match="gone"):
        sample(fragile(), iterations=20, checkpoint=path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("made", "options", "difference"),
    [
        (games.kuhn(ranks=4), {}, "has game kuhn(), not kuhn(ranks=4)"),
        (games.kuhn().tree(), {}, "the rules of this game have changed since"),
        (games.kuhn(), {"method": "external"}, "has method outcome, not external"),
        (games.kuhn(), {"seed": 1}, "has seed 0, not 1"),
        (games.kuhn(), {"averaging": "uniform"}, "has averaging linear, not uniform"),
        (games.kuhn(), {"exploration": 0.5}, "has exploration 0.6, not 0.5"),
    ],
)
def test_another_run_is_refused_and_kept(
    tmp_path: Path, made: Any, options: dict[str, Any], difference: str
) -> None:
    path = tmp_path / "run"
    sample(games.kuhn(), "outcome", iterations=10, checkpoint=path)
    before = path.read_bytes()
    with pytest.raises(ParameterError) as refusal:
        sample(made, **{"method": "outcome", **options}, iterations=20, checkpoint=path)
    assert difference in str(refusal.value)
    assert str(refusal.value).startswith(f"{path}: ")
    assert "\n" not in str(refusal.value)
    assert path.read_bytes() == before


def test_a_file_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "run"
    files.write_checkpoint(path, {"kind": "cfr"}, {})
    with pytest.raises(FileError, match="no checkpoint of a sampled run"):
        sample(games.kuhn(), iterations=5, checkpoint=path)
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(FileError, match="run: this is no checkpoint"):
        sample(games.kuhn(), iterations=5, checkpoint=path)
    with pytest.raises(FileError, match="there is no such folder"):
        sample(games.kuhn(), iterations=5, checkpoint=tmp_path / "nowhere" / "run")


@pytest.mark.parametrize("missing", ["random", "iterations", "course"])
def test_a_checkpoint_that_lacks_something(tmp_path: Path, missing: str) -> None:
    path = tmp_path / "run"
    sample(games.kuhn(), iterations=5, checkpoint=path)
    facts, arrays = files.read_checkpoint(path)
    del facts[missing]
    files.write_checkpoint(path, facts, arrays)
    with pytest.raises(FileError, match=f"damaged: KeyError: '{missing}'"):
        sample(games.kuhn(), iterations=9, checkpoint=path)


def test_a_checkpoint_whose_columns_do_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "run"
    sample(games.kuhn(), iterations=5, checkpoint=path)
    facts, arrays = files.read_checkpoint(path)
    files.write_checkpoint(path, facts, {**arrays, "regrets": arrays["regrets"][1:]})
    with pytest.raises(FileError, match=r"damaged: .*same number of options"):
        sample(games.kuhn(), iterations=9, checkpoint=path)


def filling(monkeypatch: Any, room: int) -> None:
    """A disk that has room for so many checkpoints."""
    real, written = files.write_checkpoint, []

    def write(*given: Any) -> None:
        if len(written) == room:
            raise FileError("run: No space left on device")
        written.append(given)
        real(*given)

    monkeypatch.setattr(files, "write_checkpoint", write)


def test_a_disk_that_is_full_from_the_start_is_said_at_once(
    tmp_path: Path, monkeypatch: Any
) -> None:
    filling(monkeypatch, 0)
    with pytest.raises(FileError, match="No space left on device"):
        sample(games.kuhn(), iterations=100, checkpoint=tmp_path / "run")


def test_a_full_disk_does_not_end_a_run(tmp_path: Path, monkeypatch: Any) -> None:
    filling(monkeypatch, 1)
    found = sample(games.kuhn(), iterations=50, checkpoint=tmp_path / "run")
    assert files.read_checkpoint(tmp_path / "run")[0]["iterations"] == 1
    assert found.evaluation.iterations == 50
    assert "No space left on device" in found.note
    assert found.note in str(found)
    assert found.note in found.on_tree().note


def test_slow_iterations_are_kept_one_by_one(tmp_path: Path, monkeypatch: Any) -> None:
    """The next may be abandoned, and what was done before is not to be lost with it."""
    monkeypatch.setattr("infoset.solvers.sampling.GRACE", 0.0)
    real, written = files.write_checkpoint, []

    def write(path: Any, facts: Any, arrays: Any) -> None:
        written.append(facts["iterations"])
        real(path, facts, arrays)

    monkeypatch.setattr(files, "write_checkpoint", write)
    sample(games.kuhn(), iterations=4, checkpoint=tmp_path / "run")
    assert written == [1, 2, 3, 4]


def test_no_iteration_is_a_run_too(tmp_path: Path) -> None:
    path = tmp_path / "run"
    assert sample(games.kuhn(), seconds=0, checkpoint=path).note == ""
    found = sample(games.kuhn(), iterations=30, checkpoint=path)
    assert tables(found) == tables(sample(games.kuhn(), iterations=30))


# ------------------------------------------------------------------ the log


def test_a_log_is_the_course(tmp_path: Path) -> None:
    log, path = tmp_path / "run.csv", tmp_path / "run"
    part = sample(games.kuhn(), iterations=23, log=log, checkpoint=path)
    assert Convergence.read(log, part.convergence.name) == part.convergence
    assert [point.iterations for point in part.convergence.points][-3:] == [20, 22, 23]
    rest = sample(games.kuhn(), iterations=30, log=log, checkpoint=path)
    assert Convergence.read(log, rest.convergence.name) == rest.convergence
    # The last point of a part is where it ended, and not where a whole run looks.
    assert [point.iterations for point in rest.convergence.points][-5:] == [22, 24, 26, 28, 30]
    assert rest.on_tree().convergence == rest.convergence


def test_a_log_that_cannot_be_written(tmp_path: Path, monkeypatch: Any) -> None:
    with pytest.raises(FileError, match="nowhere"):
        sample(games.kuhn(), iterations=100, log=tmp_path / "nowhere" / "run.csv")
    log = tmp_path / "run.csv"
    real, written = Convergence.save, []

    def save(convergence: Convergence, path: Any) -> None:
        if written:
            raise FileError("run.csv: No space left on device")
        written.append(path)
        real(convergence, path)

    monkeypatch.setattr(Convergence, "save", save)
    found = sample(games.kuhn(), iterations=50, log=log)
    assert found.evaluation.iterations == 50
    assert found.note == "the log was not written: run.csv: No space left on device"


# ------------------------------------------------------------------ facts that do not read alike


class Nameless:
    """A fact that every run calls otherwise."""


class Secretive:
    """Facts that differ and read alike."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secretive) and self.number == other.number

    def __hash__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return "a secret"


def told(facts: tuple[Any, ...], late: bool = False) -> Game:
    @game(players=("ann", "bob"))
    def telling(g: Play) -> object:
        if late and g.chance((False, True), (999, 1)) is False:
            return (0, 0)
        fact = g.chance(range(len(facts)))
        g.reveal("ann", facts[fact])
        return g.win("ann" if g.choose("ann", (0, 1)) == fact else "bob")

    return telling()


def test_facts_that_have_no_name(tmp_path: Path) -> None:
    made = told((Nameless(), Nameless()))
    assert sample(made, iterations=5).evaluation.sets == 2  # no matter, unless it goes to a file
    with pytest.raises(NotApplicable, match=r"ann knows .*repr differs in every process") as error:
        sample(made, iterations=5, checkpoint=tmp_path / "run")
    assert "\n" not in str(error.value)
    assert not (tmp_path / "run").exists()


def test_facts_that_read_alike(tmp_path: Path) -> None:
    with pytest.raises(NotApplicable, match="two information sets read alike"):
        sample(told((Secretive(0), Secretive(1))), iterations=9, checkpoint=tmp_path / "run")


def test_facts_that_come_late_do_not_end_a_long_run(tmp_path: Path) -> None:
    made, path = told((Secretive(0), Secretive(1)), late=True), tmp_path / "run"
    sample(made, iterations=1, checkpoint=path)
    found = sample(made, iterations=4_000, checkpoint=path)
    assert found.evaluation.sets == 2
    assert "no checkpoint was written any more: " in found.note
    assert "read alike" in found.note


def test_facts_that_are_equal_and_read_otherwise(tmp_path: Path) -> None:
    """1, 1.0 and True are one fact, in a run that was broken off as in a whole one."""

    @game(players=("ann", "bob"))
    def numbers(g: Play) -> object:
        one = g.chance((1, 1.0, True, Fraction(1), Decimal(1)), (96, 1, 1, 1, 1))
        g.reveal("ann", (one, Text("x") if one is True else "x"))
        return g.win("ann" if g.choose("ann", (0, 1)) else "bob")

    path = tmp_path / "run"
    for iterations in (1, 10, 400):
        part = sample(numbers(), iterations=iterations, checkpoint=path)
        assert (part.evaluation.sets, part.note) == (1, "")
    assert tables(part) == tables(sample(numbers(), iterations=400))


class Text(str):
    """A text that prints otherwise."""

    def __repr__(self) -> str:
        return f"Text({self!s})"


def test_how_sets_read_is_in_the_file(tmp_path: Path) -> None:
    """Also where nothing was walked since: everything can be read as before."""
    for made in (games.leduc(ranks=3, suits=1, raises=1), games.goofspiel(cards=3).tree()):
        path = tmp_path / made.name
        whole = sample(made, iterations=60, checkpoint=path)
        again = sample(made, iterations=60, checkpoint=path)
        assert all(row.key is None for row in again.evaluation.run.table.rows)
        for player in whole.players:
            assert dict(again.strategy[player]) == dict(whole.strategy[player])
        assert again.csv() == whole.csv()
        assert sample(made, iterations=61, checkpoint=path).note == ""


def test_options_that_files_have_no_words_for() -> None:
    reading = Reading("nothing yet", (3, "three", (1, "\ud800"), Fraction(1, 3), True))
    options = (3, "three", (1, "\ud800"), "1/3", True)
    assert reread(written(reading)) == ("nothing yet", options, None, None)


def test_options_tell_sets_apart_also_in_files(tmp_path: Path) -> None:
    """Where one of two such sets is known from the file alone, and the other was just met."""

    @game(players=("ann", "bob"))
    def doors(g: Play) -> object:
        many = g.chance((2, 3), (1, 30))
        return (g.choose("ann", range(many)), 0)

    path = tmp_path / "run"
    names = {"nothing yet {0, 1}", "nothing yet {0, 1, 2}"}
    assert sample(doors(), iterations=400, checkpoint=path).evaluation.sets == 2
    again = sample(doors(), iterations=400, checkpoint=path)
    again.evaluation.run.table.row(("ann", (("offered", (0, 1, 2)),), (0, 1, 2)), 0)
    assert [row.key is None for row in again.evaluation.run.table.rows].count(True) == 1
    sets = VisitedSets(again.evaluation.run, 0, 2, Simulation(1, [], [], [], Counter()))
    assert set(sets.labels()) == names
    assert set(again.strategy["ann"]) == names


def test_sets_read_the_same_in_every_run() -> None:
    words = [f"word {number}" for number in range(50)]
    one, two = frozenset(words), frozenset(reversed(words))
    keys = [("ann", (("saw", fact),), ("x",)) for fact in (one, two, one - {"word 7"})]
    assert digest(keys[0]) == digest(keys[1]) != digest(keys[2])
    assert digest(("ann", ("a", "b"), ("x",))) != digest(("ann", ("a, b",), ("x",)))
    with pytest.raises(InfosetError, match="repr differs"):
        digest(("ann", ({1: frozenset({"a"})}.get, 0), ("x",)))
