"""How trees, games, strategies, forms and solutions show themselves.

``print(solution)``, the last line of a notebook's cell, ``solution.plot()``: classes of the
packages below import from here when they are asked to show themselves, and not before. So imports
still point downwards, and ``import infoset`` stays quick.
"""

from __future__ import annotations

import inspect
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infoset.analysis.public_to_tree import public_strategies_on_tree
from infoset.analysis.strategy_tables import strategy_sheet
from infoset.analysis.table import NUMBER, PROBABILITY, Column, Sheet, Table
from infoset.display.plots.convergence import plot_convergence
from infoset.display.report import (
    facts,
    is_absent_minded,
    plot,
    report,
    solution_csv,
    solution_sheet,
    solution_text,
    strategy_html,
    strategy_text,
)
from infoset.display.report import report_html as solution_html
from infoset.errors import InfosetError, TooLarge
from infoset.rules.game import Family, Game
from infoset.strategy import Behaviour, Profile, Pure, RealizationPlan
from infoset.strategy.response import Response
from infoset.text import amount_text, history_text, named_amount, printable, text
from infoset.tree import Infoset, Node, Tree
from infoset.tree.views import Views

if TYPE_CHECKING:
    from infoset.display.drawing import Drawing
    from infoset.forms.dominance import Elimination
    from infoset.page.notebook import View
    from infoset.solvers import Solution
    from infoset.solvers.convergence import Convergence

__all__ = [
    "convergence_svg",
    "convergence_text",
    "draw",
    "elimination_html",
    "elimination_text",
    "facts",
    "family_html",
    "form_html",
    "game_html",
    "infoset_html",
    "node_html",
    "plan_html",
    "plot",
    "plot_convergence",
    "profile_html",
    "public_strategies_on_tree",
    "pure_html",
    "report",
    "response_html",
    "solution_csv",
    "solution_html",
    "solution_sheet",
    "solution_text",
    "strategy_html",
    "strategy_text",
    "tree_svg",
    "view",
]

DRAWN_BY_DEFAULT = 500_000  # nodes of a tree that is still drawn when it is only looked at
COUNTED_BY_DEFAULT = 5_000  # nodes of a game that is still built when it is only looked at


# ---------------------------------------------------------------------- pictures


def convergence_svg(convergence: Convergence) -> str | None:
    """The convergence of a run as the last line of a cell; nothing where there is no point yet."""
    from infoset.display.plots.style import drawn_figure

    return (
        drawn_figure(plot_convergence([convergence]), "svg").decode()
        if convergence.points
        else None
    )


POINTS = 40  # of a convergence that are listed


def convergence_text(convergence: Convergence) -> str:
    """The convergence of a run for a terminal, with the regret of each player where known."""
    known = any(point.regrets for point in convergence.points)
    players = convergence.players if known else ()
    nothing = (None,) * len(players)
    every = (
        -(-len(convergence.points) // POINTS) or 1
    )  # of many, each so-and-so-many-th, from the last
    rows = [
        (
            f"{point.seconds:.3g}",
            point.iterations,
            f"{point.regret:.2e}",
            *(None if own is None else f"{own:.2e}" for own in (point.regrets or nothing) * known),
        )
        for point in convergence.points[::-1][::every][::-1]
    ]
    names = ("seconds", "iterations", "regret", *(f"regret of {player}" for player in players))
    return str(Table(convergence.name, tuple(Column(name, NUMBER) for name in names), rows))


def draw(subject: Any, file: str | Path | None = None, **options: Any) -> Drawing:
    """A tree, plain or with what a solution does in it, as a drawing."""
    from infoset.display.drawing import draw as drawn

    drawing = drawn(subject, **options)
    if file is not None:
        drawing.save(file)
    return drawing


def view(solution: Solution, height: int) -> View:
    """A solution in a frame of a notebook, with the rules of the game where they are known."""
    from infoset.page.notebook import View

    return View(solution.game, solution, height)


def tree_svg(tree: Tree) -> str | None:
    """A tree as the last line of a cell; nothing for a tree that takes long to fold."""
    return draw(tree).svg if len(tree) <= DRAWN_BY_DEFAULT else None


# ---------------------------------------------------------------------- games and trees


def family_html(family: Family) -> str:
    """A family of games: what it is about, its parameters, its rules."""
    rows = [
        (name, text(one.default) if one.default is not one.empty else "must be given")
        for name, one in family.parameters.items()
    ]
    needs = ", ".join(family.requires)
    table = Table(
        "", (Column("parameter"), Column("default")), rows, note=needs and f"needs {needs}"
    )
    sheet = Sheet(family.name, [table] if rows else [], (("about", family.summary),))
    return sheet._repr_html_() + _source(family)


def game_html(game: Game) -> str:
    """A game: what it is about, who plays, how large it is, its rules."""
    said = [("about", game.family.summary), ("players", ", ".join(game.players))]
    try:
        tree = game.tree(max_nodes=COUNTED_BY_DEFAULT)
    except InfosetError as error:  # too large to be counted; or rules that describe() explains
        size = error.size if isinstance(error, TooLarge) else None
        more = f"not counted; more than {COUNTED_BY_DEFAULT:,} nodes, or not playable"
        said.append(("size", str(size or more)))
    else:
        said.append(("size", f"{len(tree):,} nodes, {len(tree.infosets):,} information sets"))
    if game.family.source:
        said.append(("source", game.family.source))
    return Sheet(repr(game), (), tuple(said))._repr_html_() + _source(game.family)


def _source(family: Family) -> str:
    """The rules themselves, folded away."""
    try:
        source = inspect.getsource(family.rules)
    except (OSError, TypeError):
        return ""
    lines = "\n".join(escape(printable(line)) for line in source.splitlines())
    return f"<details><summary>rules</summary><pre>{lines}</pre></details>"


def node_html(node: Node) -> str:
    """A node: how it came about, who moves, what may be done or was paid."""
    paid = ", ".join(named_amount(name, amount) for name, amount in node.payoffs.items())
    if node.is_leaf:
        said = [("play", history_text(node.history)), ("pays", paid)]
        return Sheet(f"end of {node.tree.name}", (), tuple(said))._repr_html_()
    chance = node.is_chance
    who = "chance" if chance else str(node.player)
    said = [("play", history_text(node.history)), ("moves", who)]
    if node.infoset is not None:
        said.append(("knows", node.infoset.label))
    rows: list[tuple[Any, ...]] = [(text(action),) for action in node.actions]
    columns: tuple[Column, ...] = (Column("outcome" if chance else "action"),)
    if chance:
        pairs = zip(rows, node.probabilities, strict=True)
        rows = [(*row, probability) for row, probability in pairs]
        columns = (*columns, Column("probability", PROBABILITY))
    sheet = Sheet(f"node {node.index} of {node.tree.name}", [Table("", columns, rows)], tuple(said))
    return sheet._repr_html_()


def infoset_html(infoset: Infoset) -> str:
    """An information set: what the player knows, what it may do, and its nodes."""
    said = (
        ("player", infoset.player),
        ("knows", infoset.label),
        ("may", ", ".join(map(text, infoset.actions))),
    )
    nodes = infoset.nodes
    rows = Views(lambda at: (nodes[at].index, history_text(nodes[at].history)), len(nodes))
    table = Table("nodes", (Column("node", NUMBER), Column("play")), rows)
    title = f"information set #{infoset.index + 1} of {infoset.tree.name}"
    return Sheet(title, [table], said)._repr_html_()


# ---------------------------------------------------------------------- strategies and forms


def profile_html(profile: Profile) -> str:
    """Strategies together: payoffs, regrets, and what each player does."""
    rows = [(name, profile.payoffs[name], profile.regrets[name]) for name in profile.tree.names]
    columns = (Column("player"), Column("expects", NUMBER), Column("regret", NUMBER))
    parts = [Sheet(f"profile of {profile.tree.name}", [Table("", columns, rows)])]
    parts += [
        strategy_sheet(one, None if is_absent_minded(one.tree, one.player) else profile)
        for one in profile
        if isinstance(one, Behaviour)
    ]
    others = [one for one in profile if not isinstance(one, Behaviour)]
    return "\n".join([part._repr_html_() for part in parts] + [_html(one) for one in others])


def _html(shown: Any) -> str:
    return str(shown._repr_html_())


def pure_html(pure: Pure) -> str:
    """A pure strategy: an action at each information set that it speaks of."""
    tree = pure.tree

    def row(at: int) -> tuple[str, str]:
        infoset = tree.infosets[pure.chosen[at][0]]
        return infoset.label, text(infoset.actions[pure.chosen[at][1]])

    columns = (Column("knows"), Column("does"))
    table = Table("", columns, Views(row, len(pure.chosen)))
    return Sheet(f"pure strategy of {pure.player}", [table])._repr_html_()


def plan_html(plan: RealizationPlan) -> str:
    """A realization plan: the weight of every sequence."""
    labels = plan.choices.labels
    rows = Views(lambda at: (labels[at], plan[at]), len(plan.weights))
    table = Table("", (Column("sequence"), Column("weight", PROBABILITY)), rows)
    return Sheet(f"realization plan of {plan.player}", [table])._repr_html_()


def response_html(response: Response) -> str:
    """A best response: its value, and what it does."""
    value = (("value", amount_text(response.value)),)
    title = f"best response of {response.player}"
    return Sheet(title, (), value)._repr_html_() + pure_html(response.strategy)


def elimination_text(done: Elimination) -> str:
    """Iterated dominance, round by round, for a terminal."""
    from infoset.analysis.matrices import elimination_table

    return str(elimination_table(done))


def elimination_html(done: Elimination) -> str:
    """Iterated dominance, round by round, for a notebook."""
    from infoset.analysis.matrices import elimination_table

    return elimination_table(done)._repr_html_()


def form_html(form: Any) -> str | None:
    """A normal or sequence form as a matrix; nothing if it is too large to look at."""
    from infoset.analysis.matrices import form_table

    try:
        return form_table(form)._repr_html_()
    except InfosetError:
        return None
