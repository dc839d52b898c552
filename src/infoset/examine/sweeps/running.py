"""One member of a sweep: built, measured and solved, as far as it goes.

Each step adds to the row what it has found. An error ends the steps and becomes the row's note, and
so a game that is built but not solved still has its size. The time of a member is for both steps
together; loading a solver is not counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from infoset.errors import InfosetError, TooLarge
from infoset.examine.sweeps.members import Plan, Row, Tick, name_of
from infoset.rules import Play, game
from infoset.rules.story import printable

if TYPE_CHECKING:
    from infoset.tree import Tree


def run_member(plan: Plan, name: str, values: tuple[Any, ...], tick: Tick) -> Row:
    """Build and solve one member, as far as it goes."""
    row = Row(name, values)
    try:
        tick("building")
        _warm("backward")
        began = time.perf_counter()
        member = plan.family(**plan.parameters(values))
        row = replace(row, players=member.players)
        tree = member.tree(plan.max_nodes, progress=_watch(plan, began, tick))
        row = replace(
            row,
            nodes=len(tree),
            infosets=len(tree.infoset_player),
            sequences=sum(map(tree.sequences, tree.names)),
            building=round(time.perf_counter() - began, 6),
        )
        if not plan.solving:
            return row
        left = None if plan.seconds is None else max(plan.seconds + began - time.perf_counter(), 0)
        return _solved(plan, row, tree, left, tick)
    except InfosetError as error:
        return replace(row, note=_note(plan, values, str(error)))
    except MemoryError:
        return replace(row, note="out of memory")


def _watch(plan: Plan, began: float, tick: Tick) -> Callable[[int], None]:
    """Say how many nodes there are so far, and give up when the time is over."""

    def watch(nodes: int) -> None:
        tick(f"building, {nodes:,} nodes")
        if plan.seconds is not None and time.perf_counter() - began > plan.seconds:
            raise TooLarge(f"not built in {plan.seconds:g} s ({nodes:,} nodes so far)")

    return watch


def _solved(plan: Plan, row: Row, tree: Tree, seconds: float | None, tick: Tick) -> Row:
    from infoset.solve import solve
    from infoset.solve.choice import choose
    from infoset.solve.text import decimal_above

    _warm(choose(tree, plan.method)[0].name)
    found = solve(tree, plan.method, exact=plan.exact, seconds=seconds, tick=tick)
    bound = f"regret at most {decimal_above(found.regret)}"
    floats = "" if found.proved else ", in floats"

    def shown(amount: Any) -> Any:
        return amount if found.exact or amount is None else _float(amount)

    return replace(
        row,
        method=found.method,
        value=shown(found.value),
        payoffs=tuple(shown(found.payoffs[player]) for player in tree.names),
        regret=shown(found.regret),
        certificate="exact" if found.exact else f"{bound}{floats}",
        solving=round(found.seconds, 6),
        note=_note(plan, row.parameters, found.note),
    )


@cache
def _warm(method: str) -> None:
    """Solve something tiny first, so that loading a solver is not counted as a member's time."""
    from infoset.solve import solve

    @game(players=("one", "two"))
    def tiny(g: Play) -> object:
        g.reveal("two", g.choose("one", (0, 1)))
        return g.win("one" if g.choose("two", (0, 1)) else "two")

    solve(tiny(), method)


def _float(amount: Any) -> Any:
    """The nearest float, where there is one: an answer that is near needs no long fractions."""
    try:
        return float(amount)
    except OverflowError:
        return amount


def _note(plan: Plan, values: tuple[Any, ...], words: str) -> str:
    """A message on one line, without the name of the game before it, which leaves defaults out."""
    defaults, chosen = plan.family.defaults, plan.parameters(values)
    other = {name: chosen[name] for name in chosen if chosen[name] != defaults.get(name)}
    plain = printable(" ".join(words.split()))
    return plain.removeprefix(f"{name_of(plan.family, other)}: ")
