"""Every code block of the documentation is run, and what it shows is compared with what happens.

A page is read from top to bottom in a folder of its own. Its fenced blocks are of these kinds:

    python                   run; the blocks of a page share their names; ``>>>`` lines are checked
    python title="game.py"   written to that file
    console                  ``$ infoset …``, ``$ cat FILE``, ``$ make TARGET``, with their output

A command that complains is shown with its line of complaint and must exit with status 2. In what a
command prints, ``...`` stands for any text within a line, or alone on a line for any lines, but
never for an error: neither for a complaint nor for a line that reports one. A
``make`` is not run: its target must exist. ``<!-- needs: module -->`` before a block leaves it out
where that module is not installed, and ``<!-- not run: reason -->`` leaves it out always. Any other
kind of block is an error.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import importlib.util
import io
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from infoset.cli import run

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>```+)(?P<info>.*)$")
TITLE = re.compile(r'title="(?P<title>[^"]+)"')
MARK = re.compile(r"^ *<!-- (?P<kind>needs|not run): (?P<what>.+) -->$")
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


ERROR = re.compile(r"^infoset: |Traceback|\b(error|failed|RulesError|SolverError)\b", re.M | re.I)


class PageError(AssertionError):
    """A block that does not do what the page says."""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str
    line: int  # of its first line of code
    kind: str
    title: str
    needs: str  # a module without which it is left out
    not_run: str  # why it is never run
    code: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(page: str, text: str) -> Iterator[Block]:
    """The blocks of a page in order."""
    lines = text.splitlines()
    marks: dict[str, str] = {}
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if mark := MARK.match(line):
            marks[mark["kind"]] = mark["what"]
        elif fence := FENCE.match(line):
            start = at
            while at < len(lines) and lines[at].strip() != fence["ticks"]:
                at += 1
            if at == len(lines):
                raise PageError(f"{page}:{start}: the block is not closed")
            code = "\n".join(one.removeprefix(fence["indent"]) for one in lines[start:at]) + "\n"
            at += 1
            words = fence["info"].split()
            title = TITLE.search(fence["info"])
            yield Block(
                page,
                start + 1,
                words[0] if words else "",
                title["title"] if title else "",
                marks.pop("needs", ""),
                marks.pop("not run", ""),
                code,
            )


class Shown(doctest.OutputChecker):
    """Compares as doctest does, but lets no ellipsis stand for an error."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        hidden = ERROR.search(got) and not ERROR.search(want)
        return super().check_output(want, got, optionflags) and not hidden


class Page:
    """The state in which a page's blocks run: a folder, and the names of its Python."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "page"}

    def do(self, block: Block) -> None:
        """Run one block."""
        if block.kind == "python" and block.title:
            (self.folder / block.title).write_text(block.code, encoding="utf-8")
        elif block.kind == "python":
            self.python(block)
        elif block.kind == "console":
            self.console(block)
        else:
            raise PageError(f"{block.place}: a block of unknown kind {block.kind!r}")

    def python(self, block: Block) -> None:
        importlib.invalidate_caches()  # a file may have been written a moment ago
        if ">>> " in block.code:
            self.examples(block)
            return
        lines = "\n" * (block.line - 1)  # so that an error names the line of the page
        exec(compile(lines + block.code, block.page, "exec"), self.names)

    def examples(self, block: Block) -> None:
        test = doctest.DocTestParser().get_doctest(
            block.code, {}, block.page, block.page, block.line - 1
        )
        test.globs = self.names
        told = io.StringIO()
        runner = doctest.DocTestRunner(Shown(), verbose=False, optionflags=doctest.ELLIPSIS)
        if runner.run(test, out=told.write, clear_globs=False).failed:
            raise PageError(f"{block.place}\n{told.getvalue()}")

    def console(self, block: Block) -> None:
        for line, command, expected in commands(block):
            place = f"{block.page}:{line}: {command}"
            words, typed = shlex.split(command), ""
            if words[0] == "printf" and words[2] == "|":
                words, typed = words[3:], words[1].replace("\\n", "\n")
            if words[0] == "infoset":
                status, printed, complaint = call(words[1:], typed)
                if status != (2 if complaint else 0):
                    raise PageError(f"{place}\nexit status {status}: {complaint}")
                if complaint and not shows_complaint(expected):
                    raise PageError(f"{place}\ncomplains, and the page does not: {complaint}")
                printed += complaint
            elif words[0] == "cat":
                printed = "".join((self.folder / name).read_text("utf-8") for name in words[1:])
            elif words[0] == "make":
                check_targets(place, words[1:])
                continue
            else:
                raise PageError(f"{place}\nis a command that is not known here")
            hidden = left_out(expected, printed)
            if hidden is None:
                raise PageError(f"{place}\nexpected:\n{expected}\ngot:\n{printed}")
            if ERROR.search(hidden):
                raise PageError(f"{place}\nan ellipsis hides an error:\n{hidden}")


def commands(block: Block) -> Iterator[tuple[int, str, str]]:
    """The commands of a console block: the line of the page, the command, its output."""
    shown: list[str] = []
    line, command = 0, ""
    for at, text in enumerate([*block.code.splitlines(), "$ "], block.line):
        if not text.startswith("$ "):
            shown.append(text)
            continue
        if command:
            yield line, command, "\n".join(shown)
        elif shown:
            raise PageError(f"{block.place}: output before the first command")
        line, command, shown = at, text.removeprefix("$ "), []


def call(arguments: list[str], typed: str = "") -> tuple[int, str, str]:
    """Run the command here: exit status, what it prints, what it complains of."""
    printed, complaint = io.StringIO(), io.StringIO()
    before, sys.stdin = sys.stdin, io.StringIO(typed)
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complaint):
            status = run(arguments)
    finally:
        sys.stdin = before
    return status, COLOURS.sub("", printed.getvalue()), COLOURS.sub("", complaint.getvalue())


def shows_complaint(expected: str) -> bool:
    """Does a page show some words of a complaint, and not only an ellipsis?"""
    return any(
        line.startswith("infoset: ") and len(line.replace("...", "").split()) > 3
        for line in expected.splitlines()
    )


def left_out(expected: str, printed: str) -> str | None:
    """What ``...`` stands for, if this is what was printed but for that and blanks at line ends."""
    pattern = ""
    for line in expected.rstrip().splitlines():
        if line.strip() == "...":
            pattern += r"((?:.*\n)*?)"
        else:
            pattern += "(.*?)".join(re.escape(part.rstrip()) for part in line.split("...")) + r"\n"
    plain = "".join(f"{line.rstrip()}\n" for line in printed.rstrip().splitlines())
    found = re.fullmatch(pattern, plain)
    return None if found is None else "\n".join(found.groups())


def check_targets(place: str, targets: list[str]) -> None:
    """Has the Makefile these targets?"""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in targets:
        if "=" not in target and not re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE):
            raise PageError(f"{place}\nthere is no target {target!r} in the Makefile")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A page's own folder, from which Python imports; nothing of it is left behind."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setenv("COLUMNS", "100")
    known = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - known:
        where = getattr(sys.modules[name], "__file__", None) or ""
        if where.startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_page(path: Path, folder: Path) -> None:
    page = Page(folder)
    left_out = set()
    for block in blocks(path.name, path.read_text("utf-8")):
        if block.not_run:
            continue
        if block.needs and importlib.util.find_spec(block.needs) is None:
            left_out.add(block.needs)
            continue
        page.do(block)
    if left_out:
        pytest.skip(f"all but the blocks that need {', '.join(sorted(left_out))} were run")


# ------------------------------------------------------------------ the harness itself


def do_all(text: str, page: Page) -> Page:
    for block in blocks("page.md", text):
        page.do(block)
    return page


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("```\nplain\n```", "unknown kind ''"),
        ("```rust\nfn main() {}\n```", "unknown kind 'rust'"),
        ("```python\n>>> 1 + 1\n3\n```", "Expected"),
        ("```console\n$ infoset --version\ninfoset 7\n```", "got:"),
        ("```console\n$ infoset describe kunh\n```", "did you mean 'kuhn'"),
        ("```console\n$ infoset describe kunh\n...\n```", "did you mean 'kuhn'"),
        ("```console\n$ infoset describe kunh\ninfoset: ...\n```", "the page does not"),
        ("```python\n>>> print('solved', '1 error', 2)\nsolved ... 2\n```", "Expected"),
        ("```console\n$ rm -r x\n```", "not known here"),
        ("```console\n$ make nonsense\n```", "no target 'nonsense'"),
        ("```console\nlost\n$ make test\n```", "before the first command"),
        ("```python\n1 + 1\n", "not closed"),
    ],
)
def test_a_page_that_is_wrong_is_found_out(text: str, complaint: str, folder: Path) -> None:
    with pytest.raises(PageError, match=re.escape(complaint)):
        do_all(text, Page(folder))


def test_errors_in_python_name_the_line_of_the_page(folder: Path) -> None:
    (block,) = blocks("page.md", "words\n\n```python\nfine = 1\n1 / 0\n```\n")
    with pytest.raises(ZeroDivisionError) as caught:
        Page(folder).do(block)
    assert caught.traceback[-1].lineno + 1 == 5


def test_blocks_share_names_and_files(folder: Path) -> None:
    text = (
        '```python title="hen.py"\neggs = 3\n```\n'
        "    ```python\n    from hen import eggs\n    ```\n"
        "```python\n>>> eggs + 1\n4\n```\n"
        "```console\n$ cat hen.py\neggs = 3\n```\n"
    )
    assert do_all(text, Page(folder)).names["eggs"] == 3


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("built in ... s", "built in 0.31 s  \n", True),
        ("one\n...\nfour", "one\ntwo\nthree\nfour\n", True),
        ("one\n...\nfour", "one\ntwo\n", False),
        ("one", "one\ntwo\n", False),
        ("a ... b", "a 1\n2 b\n", False),
        ("", "", True),
    ],
)
def test_ellipsis(expected: str, printed: str, same: bool) -> None:
    assert (left_out(expected, printed) is not None) is same


# ------------------------------------------------------------------ what the site is built with


def script(name: str) -> ModuleType:
    """A Python file beside the pages."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_library_page_has_every_game_with_its_parameters_and_source() -> None:
    from infoset.games import LIBRARY

    page = (ROOT / "docs" / "reference" / "games.md").read_text("utf-8")
    filled = script("hooks").on_page_markdown(page)
    for family in LIBRARY.values():
        section = filled.split(f"{{ #{family.name} }}")[1].split("\n## ")[0]
        assert family.summary in section.replace("\n", " ")
        assert family.source in section
        for name in family.parameters:
            assert f"`{name}" in section


def test_command_page_has_every_command_and_option() -> None:
    hooks = script("hooks")
    page = (ROOT / "docs" / "reference" / "command.md").read_text("utf-8")
    filled = hooks.on_page_markdown(page)
    for name, command in hooks.commands().items():
        section = filled.split(f"\n## infoset {name}")[1].split("\n## ")[0]
        for option in command.params:
            words = option.opts[0] if option.param_type_name == "option" else option.metavar
            assert f"`{words}" in section


def test_docstrings_become_markdown() -> None:
    written = "See :meth:`Play.win`.\n\n    >>> 1 + 1\n    2\n\nEnd."
    fenced = "See `Play.win`.\n\n    ```pycon\n    >>> 1 + 1\n    2\n    ```\n\nEnd.\n"
    assert script("docstrings").as_markdown(written) == fenced
