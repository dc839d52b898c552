"""A wheel is built from the working tree and installed into an environment of its own.

The tests run on the working tree, which has files that a wheel may lack. Here the package comes
from the wheel; what it depends on comes from the environment of the tests, so that no network is
needed.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

import infoset

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "infoset"

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("hatchling") is None,
    reason="hatchling, which builds the wheel, is not installed: make test",
)


def run(*command: str | Path, folder: Path) -> str:
    """What a command prints, run where the working tree cannot be imported by accident."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "PYTHONHOME") and not name.startswith("COV")
    }
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a copy of the working tree."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "source"
    copy.mkdir()
    shutil.copytree(
        ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
    )
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    options = ("--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check")
    run(
        *(sys.executable, "-m", "pip", "wheel", "--quiet", *options),
        *("--wheel-dir", folder, copy),
        folder=folder,
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of a new environment with the wheel in it."""
    place = tmp_path_factory.mktemp("clean") / "environment"
    venv.create(place, with_pip=False, symlinks=True)
    paths = sysconfig.get_paths("venv", vars={"base": str(place), "platbase": str(place)})
    packages = Path(paths["purelib"])
    run(
        *(sys.executable, "-m", "pip", "--python", Path(paths["scripts"]) / "python", "install"),
        *("--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", wheel),
        folder=place,
    )
    # Dependencies are those of this environment. A line of a path file only adds a folder: the path
    # files in that folder, such as the one of an editable install of this package, are not read.
    dependencies = dict.fromkeys([sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
    (packages / "dependencies.pth").write_text("\n".join(dependencies) + "\n", encoding="utf-8")
    return Path(paths["scripts"])


def test_the_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    """Modules, the mark for type checkers, and data files, whatever they are called."""
    expected = {
        path.relative_to(SOURCE.parent).as_posix()
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("infoset/")}
    assert "infoset/py.typed" in packed
    assert packed == expected


def test_the_package_comes_from_the_wheel(installed: Path) -> None:
    code = (
        "import infoset, json;"
        "from infoset import solve; from infoset.games import kuhn;"
        "print(json.dumps([infoset.__file__, infoset.__version__, str(solve(kuhn()).value)]))"
    )
    where, version, value = json.loads(run(installed / "python", "-c", code, folder=installed))
    assert Path(where).is_relative_to(installed.parent)
    assert version == infoset.__version__
    assert value == "-1/18"


def test_the_command_of_the_wheel_solves(installed: Path) -> None:
    printed = run(installed / "infoset", "solve", "kuhn", "--json", folder=installed)
    answer = json.loads(printed)
    assert (answer["value"], answer["certificate"]) == ("-1/18", "exact")
    shown = run(installed / "infoset", "--version", folder=installed)
    assert shown.strip() == f"infoset {infoset.__version__}"
