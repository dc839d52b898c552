"""Games that nobody writes with good intent, and what must hold of the files that show them.

A label stands wherever a game file can have one: title, comment, players, chance outcomes, actions,
information sets, outcomes. What is read off a file is told as a list of faults, empty if there are
none, so that a test says what is wrong and not only that something is.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from xml.etree import ElementTree

import pytest

from infoset.cli import run
from infoset.tree import Builder, Tree
from infoset.tree.files.lexer import quoted

LONG = "x" * 30_000

# Labels that a game file can hold.
LABELS = {
    "script": "<script>alert(1)</script>",
    "end of data": "]]>",
    "comment": "--><svg onload=x>",
    "long": LONG,
    "lines": "two\nlines\r\nthree\rfour\tfive",
    "control": "\x1b[2J\x07\x08\x9b31m",
    "direction": "\u202egnp.exe\u200f\u2066a",
    "joiner": "a\u200d\u200b\ufeffb",
    "pile": "e" + "\u0301" * 500,
    "emoji": "\N{WOMAN}\u200d\N{GIRL}\N{PARTY POPPER}",
    "wide": "模倣ゲーム한국어",
    "separators": "a\u2028b\u2029c\x85d",
    "nobody's": "\ufffe\uffff\U000e0041",
    "empty": "",
    "blank": "   ",
    "input": r"\input{/etc/passwd}",
    "document": r"\end{document}",
    "mathematics": "$x$",
    "percent": "50% off",
    "hats": "a^^Mb^^5c",
    "special": "a&b#c_d~e{f}g\\",
    "markup": "[red]x[/red]",
    "closing": "[/]",
    "formula": "=cmd|'/C calc'!A0",
    "braces": "{0} {x!r} %s %(a)d",
    "low line": "_hidden",
    "option": "--player",
    "path": "../../etc/passwd",
    "quotes": "a\"b'c`d",
    "entity": "&lt;b&gt;&#0;&amp;",
    "number": "1/2",
    "set": "#1",
    "colons": "a: b: c",
    "commas": "a, b, #1",
    "any": "*",
}
# Labels that rules can hold as well.
UNFILED = {"half": "\ud800 half \udfff", "nothing": "a\x00b", "bell": "\x1b]0;title\x07"}

UNSEEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)

# ---------------------------------------------------------------------- games


def efg(*labels: str) -> str:
    """An extensive game of chance and two players, with the labels everywhere.

    Each is an outcome of chance, an information set, and three actions that are nearly alike; the
    first is also the title, the comment, and the name of players, nodes, events and outcomes.
    """
    own = quoted(labels[0])
    outcome = count(1)

    def end(amount: int) -> str:
        return f"t {own} {next(outcome)} {own} {{ {amount}, {-amount} }}"

    probabilities = " ".join(f"{quoted(label)} 1/{len(labels)}" for label in labels)
    lines = [
        f"EFG 2 R {own} {{ {own} {quoted(labels[0] + '2')} }} {own}",
        f"c {own} 1 {own} {{ {probabilities} }} 0",
    ]
    for dealt, label in enumerate(labels):
        alike = " ".join(map(quoted, (label, label + " ", "  " + label)))
        lines.append(f"p {own} 1 {dealt + 1} {quoted(label)} {{ {alike} }} 0")
        for taken in range(2):
            lines.append(f'p {own} 2 {taken + 1} {own} {{ {own} "b" }} 0')
            lines += [end((dealt * 3 + taken + 2 * reply) % 5 - 2) for reply in range(2)]
        lines.append(end(dealt % 3))
    return "\n".join(lines) + "\n"


def nfg(label: str) -> str:
    """A normal form game, the label everywhere."""
    own, nearly = quoted(label), quoted(label + " ")
    payoffs = " ".join(f"{{ {own} {amount}, {-amount} }}" for amount in (1, 0, 2, -3))
    players = f"{{ {own} {quoted(label + '2')} }}"
    return f'NFG 1 R {own} {players} {{ {{ {own} {nearly} }} {{ {own} "b" }} }} {own}\n' + (
        f"{{ {payoffs} }}\n1 2 3 4\n"
    )


def spread(*, title: str = "t", player: str = "one", action: str = "l", sets: int = 100) -> str:
    """A game file that says each name once, of many nodes that all have to do with it."""
    lines = [
        f'EFG 2 R {quoted(title)} {{ {quoted(player)} "two" }} ""',
        'c "" 1 "" { ' + " ".join(f'"c{at}" 1/{sets}' for at in range(sets)) + " } 0",
    ]
    outcome = count(1)
    for at in range(sets):
        lines.append(f'p "" 1 {at + 1} "s{at}" {{ "l" "r" }} 0')
        for taken in range(2):
            first = f' "known" {{ {quoted(action)} "b" }}' if at + taken == 0 else ""
            lines.append(f'p "" 2 1{first} 0')
            for reply in range(2):
                amount = (7 * at + 3 * taken + 5 * reply) % 5 - 2
                lines.append(f't "" {next(outcome)} "" {{ {amount}, {-amount} }}')
    return "\n".join(lines) + "\n"


def crowd(players: int = 120) -> str:
    """A game file of many players, of whom the last one moves."""
    names = " ".join(f'"p{number}"' for number in range(players))
    payoffs = " ".join(str(number) for number in range(players))
    leaves = "".join(f't "" {number} "" {{ {payoffs} }}\n' for number in (1, 2))
    return f'EFG 2 R "crowd" {{ {names} }} ""\np "" {players} 1 "" {{ "a" "a" }} 0\n{leaves}'


def tree(*labels: str) -> Tree:
    """A tree placed by hand with the labels everywhere; also those that no file can hold."""
    first = labels[0]
    b = Builder(players=(first if first.strip() else "one", "two"), name=first)
    for number, node in enumerate(b.chance(0, labels)):
        label = labels[number]
        for below in b.decide(node, 0, (label, "b", "c"), infoset=number, label=label):
            for end in b.decide(below, 1, (first, "z"), infoset="last", label=first):
                b.pay(end, (end % 3, -(end % 3)))
    return b.build()


# ---------------------------------------------------------------------- what is wrong with a file


def unseen(words: str) -> list[str]:
    """Signs that cannot be seen, or that move others about."""
    found = UNSEEN.search(words)
    return [f"raw {found[0]!r} after {words[: found.start()][-30:]!r}"] if found else []


class _Page(HTMLParser):
    KNOWN = re.compile(
        "html|head|meta|title|style|body|div|table|thead|tbody|tr|th|td|bdi|p|span|b|caption"
        "|details|summary|pre"
    )

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self.KNOWN.fullmatch(tag):
            self.faults.append(f"<{tag}>")
        self.faults += [f"{tag} {name}" for name, _ in attrs if name.startswith(("on", "href"))]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self.KNOWN.fullmatch(tag):
            self.faults.append(f"<{tag}/>")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_comment(self, data: str) -> None:
        self.faults.append(f"comment {data[:40]!r}")


def html_faults(page: str) -> list[str]:
    """Tags that are not ours, tags that do not close, signs that are not seen."""
    parser = _Page()
    parser.feed(page)
    parser.close()
    return parser.faults + [f"<{tag}> is open" for tag in parser.open] + unseen(page)


DRAWN = re.compile(
    "svg|title|style|rect|text|tspan|path|circle|polygon|line|g|defs|use|clipPath|pattern|metadata|RDF"
    "|Work|type|format|creator|Agent|date"
)


def svg_faults(picture: str) -> list[str]:
    """Not well-formed, elements that are not ours, attributes that do something."""
    try:
        root = ElementTree.fromstring(picture)
    except ElementTree.ParseError as problem:
        return [str(problem)]
    faults = unseen(picture)
    for element in root.iter():
        if not DRAWN.fullmatch(tag := element.tag.rpartition("}")[2]):
            faults.append(f"<{tag}>")
        for name, value in element.attrib.items():
            outside = name.endswith("href") and not value.startswith("#")
            if name.startswith("on") or outside:
                faults.append(f"{tag} {name}={value[:40]}")
    return faults


COMMANDS = re.compile(
    r"""begin|end|hline|medskip|noindent|par|multicolumn|underline|textbf|textit|text(less|greater|bar)
    |text(backslash|asciitilde|asciicircum|endash|emdash)|l?dots|(spade|heart|diamond|club)suit
    |to|leftarrow|times|cdot|le|ge|ne|infty|emptyset|definecolor|path|fill|node|draw|char|tikzset
    |fontsize|sffamily|bfseries|itshape|selectfont|[{}$&\#_%`\\]""",
    re.VERBOSE,
)


def tex_faults(source: str) -> list[str]:
    """Commands that are not ours, braces and formulas that do not close, bare special signs."""
    body = "\n".join(line for line in source.split("\n") if not line.startswith("%"))
    used = set(re.findall(r"\\([A-Za-z]+|.)", body, re.DOTALL))
    plain = re.sub(r"\\([A-Za-z]+|.)", "", body, flags=re.DOTALL)
    faults = [f"\\{command}" for command in sorted(used) if not COMMANDS.fullmatch(command)]
    faults += unseen(source)
    depth = 0
    for sign in plain:
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            break
    faults += ["braces"] * (depth != 0) + ["formulas"] * (plain.count("$") % 2)
    faults += [f"bare {sign}" for sign in "%#~" if sign in plain]
    faults += ["bare ^"] * ("^" in plain.replace("^{", ""))
    kinds = re.findall(r"\\(begin|end)\{(\w+)\}", body)
    faults += ["environments"] * (len(kinds) % 2 or kinds.count(("end", "document")))
    return faults


def file_faults(path: Path) -> list[str]:
    """What is wrong with a text file, by the end of its name."""
    words = path.read_text(encoding="utf-8")
    kind = path.suffix
    if kind in (".svg", ".html", ".tex"):
        return {".svg": svg_faults, ".html": html_faults, ".tex": tex_faults}[kind](words)
    return unseen(words)


# ---------------------------------------------------------------------- the command

MESSAGE = 3000  # signs of a line on the error stream
Capture = pytest.CaptureFixture[str]


def filed(words: str, name: str = "game.efg") -> str:
    """A game in a file, its line breaks as they are."""
    Path(name).write_bytes(words.encode())
    return name


def printed(capsys: Capture, *arguments: str) -> str:
    """What a command prints; it must succeed, in silence, with nothing that is not seen."""
    status = run(list(arguments))
    said = capsys.readouterr()
    assert (status, said.err) == (0, "")
    assert not unseen(said.out)
    return said.out


def refused(capsys: Capture, *arguments: str, late: bool = False) -> str:
    """What a command complains of: one line, not long, and no fault of its own.

    What can only be known after the work is done, as of a disk, comes after the answer.
    """
    status = run(list(arguments))
    said = capsys.readouterr()
    assert status == 2
    assert late or said.out == ""
    assert said.err.startswith("infoset: ")
    assert said.err.count("\n") == 1
    assert "internal error" not in said.err
    assert not unseen(said.err)
    assert len(said.err) < MESSAGE
    return said.err
