"""The reference names what there is: a renamed function would silently vanish from its page."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
DIRECTIVE = re.compile(r"^::: (?P<path>[\w.]+)\n(?P<options>(?:    .*\n)*)", re.MULTILINE)
MEMBERS = re.compile(r"members: \[(?P<names>[^\]]*)\]")


def found(path: str) -> Any:
    """The module, class or function at a dotted path."""
    module, rest = path, ""
    while True:
        try:
            value: Any = importlib.import_module(module)
            break
        except ModuleNotFoundError:
            module, _, name = module.rpartition(".")
            rest = f"{name}.{rest}" if rest else name
    for name in filter(None, rest.split(".")):
        value = getattr(value, name)
    return value


def has(owner: Any, name: str) -> bool:
    """Has it a member of this name? Fields of a record need not be attributes of its class."""
    return hasattr(owner, name) or name in getattr(owner, "__annotations__", {})


def rendered() -> list[tuple[str, str, tuple[str, ...]]]:
    """What each page renders: page, path, the members that it names."""
    listed = []
    for page in sorted(REFERENCE.glob("*.md")):
        for directive in DIRECTIVE.finditer(page.read_text("utf-8") + "\n"):
            members = MEMBERS.search(directive["options"])
            names = members["names"].replace(" ", "").split(",") if members else []
            listed.append((page.name, directive["path"], tuple(filter(None, names))))
    return listed


@pytest.mark.parametrize(("page", "path", "names"), rendered(), ids=lambda one: str(one)[:60])
def test_what_a_page_renders_exists(page: str, path: str, names: tuple[str, ...]) -> None:
    owner = found(path)
    assert [name for name in names if not has(owner, name)] == []
    if isinstance(owner, ModuleType):
        assert names or page == "errors.md"  # a whole module is not a reference


def test_the_reference_is_read() -> None:
    assert len(rendered()) > 50
    with pytest.raises(AttributeError):
        found("infoset.errors.NoSuchError")


PUBLIC = (
    "infoset",
    "infoset.analysis",
    "infoset.display",
    "infoset.forms",
    "infoset.forms.public",
    "infoset.objects",
    "infoset.rules",
    "infoset.search",
    "infoset.solvers",
    "infoset.strategy",
    "infoset.tree",
    "infoset.tree.files",
    "infoset.vectorized",
)


@pytest.mark.parametrize("package", PUBLIC)
def test_every_public_name_is_in_the_reference(package: str) -> None:
    """Functions and classes; the games are listed by their own page."""
    shown = set()
    for page, path, names in rendered():
        try:
            owner = found(path)
        except AttributeError:  # told by the test above
            continue
        if isinstance(owner, ModuleType):
            listed = names or (dir(owner) if page == "errors.md" else ())
            shown |= {id(getattr(owner, name, None)) for name in listed}
        else:
            shown.add(id(owner))
    module = importlib.import_module(package)
    public = {name: getattr(module, name) for name in getattr(module, "__all__", ())}
    missing = [name for name, one in public.items() if callable(one) and id(one) not in shown]
    assert missing == []


def test_the_files_that_contributors_are_sent_to_exist() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = set(re.findall(r"`([\w./-]+(?:\.py|\.toml|\.md|\.yaml|/))`", page))
    named |= set(re.findall(r"^ {6}([a-z]+/|\w+\.py) ", page, re.MULTILINE))
    package = ROOT / "src" / "infoset"
    missing = [
        name
        for name in sorted(named)
        if not any(place.exists() for place in (ROOT / name, package / name))
        and not any(package.glob(f"*/{name}"))
    ]
    assert len(named) > 40
    assert missing == []
