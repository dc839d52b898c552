"""A page that works from disk: the application, and its answers to what may be asked of it.

The answers that the server would give are recorded: the game, its solution, both players'
strategies, and nodes, those that are likeliest to be reached first, up to ``NODES`` of them. The
modules of the application are put into one script, one function each, so that the page needs no
server, loads nothing, and runs no script but this one, which its content security policy names by
its digest.
"""

from __future__ import annotations

import base64
import hashlib
import heapq
import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from infoset.errors import InfosetError
from infoset.page.answers import PANELS, ROWS, Answers, summary
from infoset.page.jobs import DONE
from infoset.page.opened import MOVES, OpenGame
from infoset.page.protocol import VERSION
from infoset.solvers.solution import Solution

NODES = 2000  # that are recorded with what follows them
PAGES = 20  # of a player's strategy
SOLUTION = 1  # its number in the page
ANSWERS = (
    'window.infosetRecorded = JSON.parse(document.getElementById("infoset-recorded").textContent);'
)
KINDS = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
LOADED = (  # what the start page of a server loads
    re.compile(r"\s*<link [^>]*>"),
    re.compile(r'\s*<script type="module" src=[^>]*></script>'),
)
USUAL = {"first": "0", "equilibrium": "1", "at": "", "as": "panels"}  # as if it were not said


def static_files() -> dict[str, bytes]:
    """All files of the application, by name."""
    folder = files("infoset.page") / "static"
    return {
        one.name: one.read_bytes()
        for one in folder.iterdir()
        if one.name.rpartition(".")[2] in KINDS
    }


def page(
    game: Any,
    solution: Solution | None,
    parameters: tuple[str, ...] = (),
    nodes: int = NODES,
) -> str:
    """A page with a game and, if it is solved, its solution.

    Parameters
    ----------
    game
        Anything that has positions.
    solution
        Of this game.
    parameters
        As they were set, ``name=value`` each.
    nodes
        How many are recorded with what follows them.

    Returns
    -------
    str
        The page, complete in itself.
    """
    answers = dict(_recorded(OpenGame(game), solution, parameters, nodes))
    number = None if solution is None else SOLUTION
    data = json.dumps({"solution": number, "answers": answers}, separators=(",", ":"))
    data = data.replace("<", "\\u003c")  # so that no label looks like the end of a script
    return whole(ANSWERS, f'<script type="application/json" id="infoset-recorded">{data}</script>')


def whole(begin: str, data: str = "") -> str:
    """The application as one page that loads nothing.

    Parameters
    ----------
    begin
        What its script does first.
    data
        What it reads, as an element of the page.
    """
    pages = static_files()
    icon = f'"data:image/svg+xml;base64,{base64.b64encode(pages["icon.svg"]).decode()}"'
    script = f"{begin}\n{bundled(pages)}".replace('"icon.svg"', icon)
    html, style = pages["index.html"].decode(), pages["app.css"].decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{_digest(script)}';"
        f" style-src 'sha256-{_digest(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    head = f'<meta http-equiv="content-security-policy" content="{policy}">\n<style>{style}</style>'
    body = f'{data}\n<script type="module">{script}</script>'
    for loaded in LOADED:
        html = loaded.sub("", html)
    return html.replace("</head>", f"{head}\n</head>").replace("</body>", f"{body}\n</body>")


def _digest(content: str) -> str:
    """As a content security policy names what it allows."""
    return base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


# ---------------------------------------------------------------------- what is recorded


def _recorded(
    game: OpenGame, solution: Solution | None, parameters: tuple[str, ...], most: int
) -> Iterator[tuple[str, Any]]:
    chosen = [("set", one) for one in parameters]
    about = {"protocol": VERSION, "asked": game.name, "set": list(parameters), "start": "view"}
    yield asked("/api/about"), {**about, "revision": 1, "methods": []}
    yield asked("/api/game", *chosen), {**game.described(), "revision": 1, "problem": None}
    answers = None if solution is None else Answers(solution)
    if answers is not None:
        yield (
            f"GET /api/solutions/{SOLUTION}",
            {
                "solution": SOLUTION,
                "state": DONE,
                "before": 0,
                "said": "",
                "error": "",
                "result": summary(answers.solution),
            },
        )
        yield from _strategies(answers)
    yield from _nodes(game, answers, chosen, most)


def asked(path: str, *query: tuple[str, str]) -> str:
    """A request as pages look it up: in the order of the names, without what goes without saying.

    >>> asked("/api/node", ("first", "0"), ("set", "ranks=4"), ("at", "0.1"))
    'GET /api/node?at=0.1&set=ranks=4'
    """
    words = sorted(f"{name}={value}" for name, value in query if value != USUAL.get(name))
    return f"GET {path}?{'&'.join(words)}" if words else f"GET {path}"


def _strategies(answers: Answers) -> Iterator[tuple[str, Any]]:
    path = f"/api/solutions/{SOLUTION}/strategy"
    for player in answers.solution.players:
        for kind, form, size in (("panels", answers.panels, PANELS), ("rows", answers.rows, ROWS)):
            for number in range(PAGES):
                found = form(player, (), number * size)
                query = [("player", player), ("as", kind), ("first", str(number * size))]
                yield asked(path, *query), found
                if (number + 1) * size >= found["count"]:
                    break


def _nodes(
    game: OpenGame, answers: Answers | None, chosen: list[tuple[str, str]], most: int
) -> Iterator[tuple[str, Any]]:
    """Nodes, those that are reached with the greatest probability first."""
    waiting: list[tuple[float, int, str]] = [(-1.0, 0, "")]  # the least first: the likeliest
    found = 0
    while waiting and found < most:
        reach, depth, address = heapq.heappop(waiting)
        node = game.node(address)
        solved = None if answers is None else _solved(game, answers, address)
        if solved is not None:
            node["solved"] = solved
        query = [*chosen, ("at", address), ("first", "0")]
        if answers is not None:
            query.append(("solution", str(SOLUTION)))
        yield asked("/api/node", *query), node
        found += 1
        for number, below in enumerate(node["below"][:MOVES]):
            likely = _likely(node, solved, number)
            heapq.heappush(waiting, (reach * likely, depth + 1, below["at"]))


def _solved(game: OpenGame, answers: Answers, address: str) -> dict[str, Any] | None:
    try:
        return answers.at(game, address)
    except InfosetError:
        return None


def _likely(node: dict[str, Any], solved: dict[str, Any] | None, number: int) -> float:
    """How likely the move of this number is made; if nothing is known, as likely as any other."""
    if "probability" in node["below"][number]:
        return float(node["below"][number]["probability"]["value"])
    actions = (solved or {}).get("actions")
    return float(actions[number]["probability"]["value"]) if actions else 1 / node["count"]


# ---------------------------------------------------------------------- one script

IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.-]+)";\n', re.MULTILINE)
EXPORT = re.compile(
    r"^export (?=(?:async )?function\*? (\w+)|const (\w+)|class (\w+))", re.MULTILINE
)


def bundled(pages: dict[str, bytes], first: str = "saved.js") -> str:
    """The modules that a page needs as one script, those that others import before them."""
    made: list[str] = []
    known: dict[str, str] = {}

    def add(name: str) -> None:
        source = pages[name].decode()
        known[name] = f"module{len(known)}"
        for _, other in IMPORT.findall(source):
            if other not in known:
                add(other)
        made.append(_as_function(source, known[name], known))

    add(first)
    return "\n".join(made)


def _as_function(source: str, name: str, known: dict[str, str]) -> str:
    """A module as a function that is called once, and gives what the module exports."""

    def imported(found: re.Match[str]) -> str:
        names = found[1].replace(" as ", ": ").strip().rstrip(",")
        return f"const {{ {' '.join(names.split())} }} = {known[found[2]]};\n"

    given = [one or two or three for one, two, three in EXPORT.findall(source)]
    body = EXPORT.sub("", IMPORT.sub(imported, source))
    return f"const {name} = (() => {{\n{body}\nreturn {{ {', '.join(given)} }};\n}})();"
