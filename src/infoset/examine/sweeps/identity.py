"""Which rules a row was found with: a digest of their source.

A file of rows must not outlive its rules: after a change its values would still call themselves
exact. So each row has the digest of the source that its rules were read from, which is known before
anything is built:

- of rules in a file, the whole file, and the files of its folder from which it takes something,
  since rules call other functions;
- of the library's, the version of the package and the source of the game;
- of rules that were typed in, what Python kept of them.

Rules that are made by a function can differ in what that function was given, so plain values that
they hold on to count as well. Time and place of the file do not.
"""

from __future__ import annotations

import contextlib
import inspect
import sys
from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from infoset.rules import Family

DIGITS = 16  # of the digest that are kept
HERE = Path(__file__).resolve().parents[2]  # the package
INSTALLED = {"site-packages", "dist-packages"}
PLAIN = (bool, int, float, complex, Fraction, str, bytes, type(None))


def digest_of(family: Family) -> str:
    """A short text that is another one after any change of the rules.

    >>> from infoset.games import kuhn, leduc
    >>> digest_of(kuhn) == digest_of(kuhn) != digest_of(leduc)
    True
    """
    import infoset

    rules = inspect.unwrap(family.rules)
    own = str(family.__module__).startswith(f"{infoset.__name__}.")
    parts = [family.name.encode(), infoset.__version__.encode() if own else b""]
    parts += _sources(rules, sys.modules.get(str(family.__module__)))
    for name, value in sorted({**family.defaults, **_held(rules)}.items()):
        parts.append(f"{name}={value!r}".encode(errors="replace") if _is_plain(value) else b"")
    digest = sha256()
    for part in parts:
        digest.update(sha256(part).digest())  # so that it counts where a part ends
    return f"sha256:{digest.hexdigest()[:DIGITS]}"


def _sources(rules: Any, module: ModuleType | None) -> list[bytes]:
    """What the rules were read from."""
    file = _file(module)
    try:
        if module is not None and file is not None and Path(inspect.getfile(rules)).samefile(file):
            return [path.read_bytes() for path in sorted(_beside(module, file.parent))]
    except (TypeError, OSError, ValueError):  # a function that was typed in, or its file is gone
        pass
    return [_typed(rules)]


def _file(module: ModuleType | None) -> Path | None:
    """Where a module was read from."""
    name = getattr(module, "__file__", None)
    path = Path(name) if isinstance(name, str) else None
    return path.resolve() if path is not None and path.is_file() else None


def _beside(module: ModuleType, folder: Path) -> set[Path]:
    """The file of a module, those in its folder from which it has something, and so on."""
    found: set[Path] = set()
    left = [module]
    while left:
        one = left.pop()
        path = _file(one)
        if path is not None and path not in found and _is_own(path, folder):
            found.add(path)
            left += _used(one)
    return found


def _is_own(path: Path, folder: Path) -> bool:
    """Whether a file is in a folder, and of the same author: not installed there, and not ours."""
    if not path.is_relative_to(folder) or INSTALLED & set(path.relative_to(folder).parts):
        return False
    return folder.is_relative_to(HERE) or not path.is_relative_to(HERE)


def _used(module: ModuleType) -> Iterator[ModuleType]:
    """The modules that a module's names come from."""
    for value in list(vars(module).values()):
        name = value.__name__ if isinstance(value, ModuleType) else _module_of(value)
        source = sys.modules.get(name)
        if source is not None:
            yield source


def _module_of(value: Any) -> str:
    return str(getattr(value, "__module__", "")) if callable(value) else ""


def _held(rules: Any) -> dict[str, Any]:
    """What a function took from the one that made it."""
    names = getattr(getattr(rules, "__code__", None), "co_freevars", ())
    held = {}
    for name, cell in zip(names, getattr(rules, "__closure__", None) or (), strict=False):
        with contextlib.suppress(ValueError):  # nothing is in it yet
            held[name] = cell.cell_contents
    return held


def _typed(rules: Any) -> bytes:
    """The source of rules that are in no file, or what they were compiled to."""
    try:
        return inspect.getsource(rules).encode(errors="replace")
    except (OSError, TypeError):
        code = getattr(rules, "__code__", None)
        return b"" if code is None else _compiled(code)


def _compiled(code: Any) -> bytes:
    constants = [
        _compiled(constant) if inspect.iscode(constant) else repr(constant).encode(errors="replace")
        for constant in code.co_consts
    ]
    return b"\0".join([code.co_code, repr(code.co_names).encode(errors="replace"), *constants])


def _is_plain(value: object) -> bool:
    """Whether a value is written the same each time."""
    if isinstance(value, tuple | list):
        return all(map(_is_plain, value))
    return isinstance(value, PLAIN)
