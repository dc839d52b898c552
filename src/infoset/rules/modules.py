"""Python files of users, which hold rules, strategies or players: run, and errors located."""

from __future__ import annotations

import importlib.util
import sys
from contextlib import redirect_stdout
from pathlib import Path
from traceback import extract_tb
from types import ModuleType

from infoset.errors import FileError, RulesError


def loaded_module(path: Path) -> ModuleType:
    """A Python file, run; what goes wrong in it is reported with its line.

    Files beside it can be imported while it runs.
    """
    if not path.is_file():
        raise FileError(f"{path}: {'a folder' if path.is_dir() else 'no such file'}")
    spec = importlib.util.spec_from_file_location(module_name(path), path)
    if spec is None or spec.loader is None:
        raise FileError(f"{path}: not a Python file")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        with redirect_stdout(sys.stderr):  # the output is ours
            spec.loader.exec_module(module)
    except SyntaxError as error:
        raise FileError(f"{path}:{error.lineno or 1}: {error.msg}") from None
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None
    except (Exception, SystemExit) as error:
        raise trouble_in(path, error) from error
    finally:
        sys.path.pop(0)
    return module


FILE = "file "  # before the name of a module that no import finds


def module_name(path: Path) -> str:
    """What the module of a file is called."""
    return f"{FILE}{path.stem}"


def is_loaded(module: str) -> bool:
    """Is this the name of a file's module?

    >>> is_loaded(module_name(Path("mygame.py"))), is_loaded("infoset.games")
    (True, False)
    """
    return module.startswith(FILE)


def trouble_in(path: Path, error: BaseException) -> FileError:
    """What went wrong in a Python file, with the last of its lines that was involved."""
    lines = [f.lineno for f in extract_tb(error.__traceback__) if f.filename == str(path)]
    said = error if isinstance(error, RulesError) else f"{type(error).__name__}: {error}"
    return FileError(f"{path}:{lines[-1] if lines else 1}: {said}")
