"""The package as a whole: what it exports, and how lightly it comes in."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import infoset


def test_what_is_exported_is_importable() -> None:
    for name in infoset.__all__:
        assert getattr(infoset, name) is not None
    assert dir(infoset) == sorted(infoset.__all__)


def test_import_loads_nothing_heavy() -> None:
    """Modules are counted, not seconds: what takes long to import is not imported."""
    code = (
        "import sys, infoset; print([m for m in ('numpy', 'scipy', 'numba', 'rich', 'click',"
        " 'matplotlib', 'pyspiel') if m in sys.modules], len(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy, count = done.stdout.split("]")
    assert heavy == "["
    assert int(count) < 220


def test_make_quick_names_tests_that_exist() -> None:
    root = Path(__file__).parents[1]
    makefile = (root / "Makefile").read_text("utf-8").replace("\\\n", " ")
    (named,) = re.findall(r"^QUICK := (.+)$", makefile, re.MULTILINE)
    assert [path for path in named.split() if not (root / path).is_file()] == []


def test_the_citation_has_the_version_of_the_package() -> None:
    citation = (Path(__file__).parents[1] / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {infoset.__version__}\n" in citation
