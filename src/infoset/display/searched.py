"""A search for people: what it came to, what it took, and what to do at a position."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import floor, log10
from typing import TYPE_CHECKING, Any

from infoset.analysis.situations import menu_names
from infoset.analysis.table import PROBABILITY, Column, Sheet, Table
from infoset.rules import Position, ReplayPosition
from infoset.text import amount_text, decimal_near, named_amount, printable, text
from infoset.tree.knowledge import NOTHING, known
from infoset.tree.positions import TreePosition

if TYPE_CHECKING:
    from infoset.search.result import SearchEvaluation
    from infoset.solvers.solution import Solution

FEW_PLACES = 60  # positions whose decisions are shown where chance moves first
MOST_COLUMNS = 8  # options that have columns of their own

# Counts, in the order in which they are shown, in singular and plural.
WORDS = {
    "nodes": ("position", "positions"),
    "leaves": ("leaf", "leaves"),
    "chances": ("chance position", "chance positions"),
    "serialized": ("by turns", "by turns"),
    "sets": ("set", "sets"),
    "alternatives": ("alternative", "alternatives"),
    "matrices": ("matrix game", "matrix games"),
    "saddles": ("saddle point", "saddle points"),
    "programs": ("program", "programs"),
    "windows": ("window", "windows"),
    "responses": ("best response", "best responses"),
    "skipped": ("cell left out", "cells left out"),
    "transpositions": ("met again", "met again"),
    "information_set_cutoffs": ("information-set cutoff", "information-set cutoffs"),
    "immediate_cutoffs": ("immediate cutoff", "immediate cutoffs"),
    "alpha_beta_cutoffs": ("alpha-beta cutoff", "alpha-beta cutoffs"),
    "horizon": ("at the horizon", "at the horizon"),
    "glances": ("glance", "glances"),
}


def search_of(solution: Solution) -> SearchEvaluation:
    """The search of a solution."""
    from infoset.search.result import SearchEvaluation

    assert isinstance(solution.evaluation, SearchEvaluation)
    return solution.evaluation


def searched_facts(solution: Solution) -> tuple[tuple[str, str], ...]:
    """What stands above the decisions."""
    found = search_of(solution)
    clock = f"{solution.seconds:.2f} s"
    if found.lp_seconds:
        clock += f", {found.lp_seconds:.2f} s of it in linear programs"
    deep = "" if found.depth is None else f", {found.depth} deep"
    why = f"optimal: {found.reason}" if found.optimal else found.reason
    lines = [
        ("method", f"{solution.method}{deep}"),
        ("value", _value(found)),
        ("known", why),
        ("searched", counted(solution)),
        ("time", clock),
    ]
    return (*lines, *((("note", solution.note),) if solution.note else ()))


def _value(found: SearchEvaluation) -> str:
    first = printable(found.players[0])
    if found.value is None:
        low, high = ("not known" if one is None else _amount(one) for one in found.bounds)
        return f"{first} gets at least {low}, at most {high}"
    if found.rational or not found.optimal:
        about = "" if found.depth is None else "about "
        return named_amount(first, f"{about}{_amount(found.value)}")
    digits = max(1, -floor(log10(found.error))) if found.error else 12
    near = f"{round(float(found.value), digits) + 0.0:.10g}"
    return named_amount(first, f"{near}, off by {found.error:.1g} at most")


def _amount(value: Any) -> str:
    return decimal_near(value, 10) if isinstance(value, float) else amount_text(value)


def counted(solution: Solution) -> str:
    """The counts in words, those that are not nothing."""
    told = []
    for name, (one, many) in WORDS.items():
        count = solution.work.get(name, 0)
        if count:
            told.append(f"{count:,} {one if count == 1 else many}")
    if solution.work.get("searches", 1) > 1:
        told.append(f"in {solution.work['searches']} searches")
    return ", ".join(told) or "nothing"


def places(position: Position) -> list[Position]:
    """Where players decide next, after what chance does; the first few if they are many."""
    waiting = [position]
    there: list[Position] = []
    while waiting and len(there) < FEW_PLACES:
        here = waiting.pop(0)
        if here.over:
            continue
        if here.movers:
            there.append(here)
        else:
            waiting += [here.after(outcome) for outcome, _ in here.chances()[:FEW_PLACES]]
    return there


def decisions(found: SearchEvaluation, position: Position | None = None) -> list[dict[str, Any]]:
    """The decisions of the players who move next: who, knowing what, and each option's probability.

    Positions that look alike to the one who moves are one.
    """
    made: dict[tuple[str, Hashable], dict[str, Any]] = {}
    for here in places(found.source.start if position is None else position):
        for player, probabilities in found.decide(here).items():
            row = {
                "player": player,
                "knows": knows(here, player),
                "plays": list(probabilities.items()),
            }
            made.setdefault((player, here.view(player)), row)
    return list(made.values())


def knows(position: Position, player: str) -> str:
    """What a player knows, as a tree's label reads; nothing where a position does not say."""
    view: Any = position.view(player)
    if isinstance(position, ReplayPosition):
        return known(view)
    if isinstance(position, TreePosition):
        return position.tree.labels[view[1]] if view[0] == "at" else ""
    return text(view)


def searched_sheet(solution: Solution, position: Position | None = None) -> Sheet:
    """The facts, and for each player what it does at the positions that come next."""
    found = search_of(solution)
    made = decisions(found, position)
    players = list(dict.fromkeys(row["player"] for row in made))
    tables = [_table(name, [row for row in made if row["player"] == name]) for name in players]
    start = found.source.start if position is None else position
    note = f"after the first {FEW_PLACES} chance moves" * (len(places(start)) == FEW_PLACES)
    return Sheet(found.name, tables, searched_facts(solution), note)


def _table(player: str, rows: Sequence[dict[str, Any]]) -> Table:
    """With a column for each option where they are few; else a row for each that is taken."""
    menus = {tuple(option for option, _ in row["plays"]) for row in rows}
    silent = all(row["knows"] in ("", NOTHING) for row in rows)
    note = ""
    cells: list[tuple[Any, ...]]
    if len(menus) == 1 and len(next(iter(menus))) <= MOST_COLUMNS:
        names = menu_names(next(iter(menus)))
        columns = (Column("knows"), *(Column(name or "''", PROBABILITY) for name in names))
        cells = [(row["knows"], *(probability for _, probability in row["plays"])) for row in rows]
    else:
        columns = (Column("knows"), Column("option"), Column("probability", PROBABILITY))
        every = [(row["knows"], *play) for row in rows for play in row["plays"]]
        cells = [
            (knows, text(option), probability)
            for knows, option, probability in every
            if probability
        ]
        if len(cells) < len(every):
            note = f"{len(every) - len(cells):,} options are not taken"
    if silent and len(rows) == 1:
        columns, cells = columns[1:], [cell[1:] for cell in cells]
    return Table(printable(player), columns, cells, note=note)
