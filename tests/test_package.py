"""The package as a whole: what it exports, and how lightly it comes in."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import infoset
from infoset import analysis, objects, search
from infoset.analysis import questions

LAZY = (analysis, objects, questions, search)


def test_what_is_exported_is_importable() -> None:
    for name in infoset.__all__:
        assert getattr(infoset, name) is not None
    assert dir(infoset) == sorted(infoset.__all__)


EXPORTS = """
    EVERYTHING Behaviour Builder Family Game Infoset InfosetError MatrixGame Node Play Position
    Profile Solution Tree __version__ analysis assessment behaviour best_response compare correlated
    exploitability game games is_sequentially_rational is_subgame_perfect load matrix_game max_min
    objects profile regret safe sample save search solve start sweep uniform
"""


def test_the_list_of_exports() -> None:
    """What users guess; objects of games are in a namespace of their own."""
    assert infoset.__all__ == EXPORTS.split()
    code = (
        "import infoset; print(infoset.analysis.beliefs.__name__, infoset.games.kuhn.name,"
        " infoset.objects.Deck.__name__, infoset.search.smab.__name__, callable(infoset.solve))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["beliefs", "kuhn", "Deck", "smab", "True"]


def test_solve_and_profile_are_functions() -> None:
    """Importing a solver's module does not replace infoset.solve by a package."""
    import infoset.solvers.lp

    assert inspect.isfunction(infoset.solve)
    assert inspect.isfunction(infoset.profile)
    assert infoset.profile.__module__ == "infoset.strategy.profile"
    assert not hasattr(infoset, "Deck")


def test_import_loads_nothing_heavy() -> None:
    """Modules are counted, not seconds: what takes long to import is not imported."""
    code = (
        "import sys, infoset; print([m for m in ('numpy', 'scipy', 'numba', 'rich', 'click',"
        " 'matplotlib', 'pyspiel', 'statistics', 'infoset.objects.board', 'infoset.rules.estimate')"
        " if m in sys.modules], len(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy, count = done.stdout.split("]")
    assert heavy == "["
    assert int(count) < 220


def test_a_solution_is_printed_without_what_other_solutions_need() -> None:
    """Neither searches nor exact matrices, which take longer to load than a strategy to print."""
    code = (
        "import sys; from infoset import solve; from infoset.games import kuhn; str(solve(kuhn()));"
        " print([m for m in ('flint', 'infoset.search.simultaneous', 'matplotlib')"
        " if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("package", LAZY, ids=lambda package: package.__name__)
def test_names_that_are_imported_when_used(package: ModuleType) -> None:
    assert dir(package) == sorted(package.__all__)
    assert all(getattr(package, name) is not None for name in package.__all__)
    with pytest.raises(AttributeError, match=f"{package.__name__}.*'shuffle'"):
        package.shuffle  # noqa: B018


def test_make_quick_names_tests_that_exist() -> None:
    root = Path(__file__).parents[1]
    makefile = (root / "Makefile").read_text("utf-8").replace("\\\n", " ")
    (named,) = re.findall(r"^QUICK := (.+)$", makefile, re.MULTILINE)
    assert [path for path in named.split() if not (root / path).is_file()] == []


def test_the_citation_has_the_version_of_the_package() -> None:
    citation = (Path(__file__).parents[1] / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {infoset.__version__}\n" in citation
