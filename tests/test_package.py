"""The package as a whole: what it exports, and how lightly it comes in."""

from __future__ import annotations

import subprocess
import sys

import infoset


def test_what_is_exported_is_importable() -> None:
    for name in infoset.__all__:
        assert getattr(infoset, name) is not None
    assert dir(infoset) == sorted(infoset.__all__)


def test_import_loads_nothing_heavy() -> None:
    """Modules are counted, not seconds: what takes long to import is not imported."""
    code = (
        "import sys, infoset; print([m for m in ('numpy', 'scipy', 'numba', 'rich', 'typer',"
        " 'matplotlib', 'pyspiel') if m in sys.modules], len(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy, count = done.stdout.split("]")
    assert heavy == "["
    assert int(count) < 220
