"""Make the pictures of the documentation: ``make gallery``.

For every game of the library its tree, solved where a method applies, into docs/gallery, and the
page docs/gallery.md with sizes and values; the pictures of the README into docs/pictures; those of
the textbook that the drawings and sweeps make; and, for which ``make browser`` installs a browser,
the application (``--application``: these alone) and positions of games as each player sees them
(``--positions``: these alone).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from infoset import solve, start
from infoset.analysis import sweep
from infoset.display.drawing import draw
from infoset.display.plots.convergence import plot_convergence
from infoset.errors import InfosetError
from infoset.games import LIBRARY, kuhn, poker
from infoset.rules import Family
from infoset.solvers import Solution
from infoset.text import amount_text
from infoset.tree import Tree

DOCS = Path(__file__).parent
SMALLER: dict[str, dict[str, Any]] = {  # members that are drawn where the family's own is too large
    "fog_of_war_chess": {"fen": "k1K5/7p/8/8/8/8/8/6R1 w - - 0 1", "moves": 2},
    "kriegspiel": {"fen": "k1K5/7p/8/8/8/8/8/6R1 w - - 0 1", "moves": 2},
    "bridge": {"ranks": 4, "suits": 2, "contract": "1NT", "deal": "N:AJ. - K.A -"},
    "holdem": {"bets": (1,), "raises": 1, "one": "AA 65s", "two": "KQs"},
    "rhode_island": {"ranks": 4, "suits": 1, "raises": 1},
    "whist": {"ranks": 4, "suits": 2, "deal": "N:AJ. - K.A -"},
}
MOST = 120  # nodes of a picture: less than the library draws by itself, for a page of many
HEAD = """# Gallery

Every game of the [library](reference/games.md), drawn by the library itself (`make gallery`):
players by colour, information sets as ovals or dashed links, what is played thick. Of large trees,
branches that differ only in what was dealt are drawn once, and what is still too much is a triangle
with the number of its nodes. Each picture is what `infoset solve NAME --nodes 120 --draw FILE`
makes, or `infoset tree` with the same options where no method applies. Of poker at full size, whose
tree would have millions or billions of nodes, a small member of the family is drawn; and of chess
without sight of the other's men, an ending of two moves.
"""


def answer(tree: Tree) -> Solution | str:
    """The solution of a game, or why there is none."""
    try:
        return solve(tree)
    except InfosetError as error:
        return str(error).partition(": ")[2].partition(" (")[0]


def value_of(found: Solution | str) -> str:
    """The value of a game, in words."""
    if isinstance(found, str):
        return f"not solved: {found}"
    if found.value is not None:
        return f"value {amount_text(found.value)}, {found.certificate} (`{found.method}`)"
    paid = ", ".join(f"{name} {amount_text(amount)}" for name, amount in found.payoffs.items())
    return f"an equilibrium pays {paid}, {found.certificate} (`{found.method}`)"


def section(name: str, family: Family) -> str:
    """A game's part of the page; its picture is written on the way."""
    shown = family(**SMALLER.get(name, {}))
    tree = shown.tree()
    found = answer(tree)
    drawing = draw(tree if isinstance(found, str) else found, most=MOST)
    drawing.save(DOCS / "gallery" / f"{name}.svg")
    sizes = f"{len(tree):,} nodes, {len(tree.infosets):,} information sets"
    return "\n\n".join(
        [
            f"## `{name}` {{ #{name} }}",
            family.summary,
            f"![The tree of {name}](gallery/{name}.svg)",
            f"`{shown!r}`: {sizes}; {value_of(found)}."
            f" [In the library](reference/games.md#{name}).",
            f"<details markdown><summary>rules</summary>\n\n<!-- rules of {name} -->\n\n</details>",
        ]
    )


def gallery() -> None:
    """All games, and the page."""
    (DOCS / "gallery").mkdir(exist_ok=True)
    parts = [HEAD.strip()]
    for name, family in sorted(LIBRARY.items()):
        parts.append(section(name, family))
        print(name)
    (DOCS / "gallery.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def readme() -> None:
    """The pictures of the README."""
    folder = DOCS / "pictures"
    folder.mkdir(exist_ok=True)
    solve(poker(ranks=8)).plot("gambler", folder / "bluff.svg")
    solve(kuhn()).draw(folder / "kuhn.svg")


def textbook() -> None:
    """The pictures of the textbook and the how-to pages; times in them are of this run."""
    folder = DOCS / "textbook" / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    solve(kuhn(ranks=13)).draw(folder / "kuhn-folded.svg")
    sweep(kuhn, ranks=range(3, 31)).plot(folder / "sweep-kuhn.svg")
    own_solver(folder / "own-solver.svg")


def own_solver(file: Path) -> None:
    """The regret minimizer that the how-to page writes, against four variants of the library."""
    page = (Path(__file__).parent / "how-to" / "own-solver.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec(page.partition('title="pdcfr.py"\n')[2].partition("```")[0], names)
    tree = kuhn(ranks=13).tree()
    runs = [start(tree, minimizer=names["PDCFRPlus"], averaging=lambda t: t**5)]
    runs += [start(tree, name) for name in ("cfr", "cfr+", "discounted-cfr", "predictive-cfr+")]
    for run in runs:
        run.step(300)
    title = "Kuhn poker with 13 cards"
    plot_convergence([run.convergence for run in runs], file, against="iterations", title=title)


def application() -> None:
    """The application in a browser, as its tests show it: a solved game, and two in progress."""
    tests = DOCS.parent / "tests" / "page" / "test_pictures.py"
    subprocess.run([sys.executable, "-m", "pytest", "-q", str(tests)], check=True)
    for name in ("view.png", "play.png", "white.png"):
        shutil.copy(DOCS.parent / "build" / "screenshots" / name, DOCS / "pictures" / name)


def positions() -> None:
    """A position of each game with hidden moves, cards or men, as each player sees it."""
    from positions import draw_all

    draw_all(DOCS / "pictures" / "positions")


if __name__ == "__main__":
    alone = {"--application", "--positions"}.intersection(sys.argv)
    if not alone:
        gallery()
        readme()
        textbook()
    if "--positions" not in alone:
        application()
    if "--application" not in alone:
        positions()
