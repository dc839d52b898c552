"""A search for people: what it came to, what it took, and what to do at a position."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from infoset.examine.tables import SHARE, Column, Sheet, Table
from infoset.examine.wording import menu_names
from infoset.rules import Position, ReplayPosition
from infoset.rules.story import printable, text
from infoset.tree.labels import NOTHING, known
from infoset.tree.walking import TreePosition

if TYPE_CHECKING:
    from infoset.search.result import Searched

FEW_PLACES = 12  # positions whose decisions are shown where nature moves first
MOST_COLUMNS = 8  # options that have columns of their own

# What is counted, in the order in which it is told, and how it reads.
WORDS = {
    "nodes": ("position", "positions"),
    "leaves": ("leaf", "leaves"),
    "chances": ("nature's move", "nature's moves"),
    "sets": ("information set", "information sets"),
    "alternatives": ("alternative", "alternatives"),
    "matrices": ("matrix game", "matrix games"),
    "saddles": ("with a saddle point", "with saddle points"),
    "programs": ("linear program", "linear programs"),
    "serialized": ("position taken one after the other", "positions taken one after the other"),
    "responses": ("best response", "best responses"),
    "skipped": ("cell never looked at", "cells never looked at"),
    "transpositions": ("position met again", "positions met again"),
}


def searched_facts(found: Searched) -> tuple[tuple[str, str], ...]:
    """What stands above the decisions."""
    clock = f"{found.seconds:.2f} s"
    if found.lp_seconds:
        clock += f", {found.lp_seconds:.2f} s of it in linear programs"
    deep = "" if found.depth is None else f", {found.depth} moves deep"
    why = f"optimal: {found.because}" if found.optimal else found.because
    lines = [
        ("method", f"{found.method}{deep}"),
        ("value", _value(found)),
        ("known", why),
        ("searched", counted(found)),
        ("time", clock),
    ]
    return (*lines, *((("note", found.note),) if found.note else ()))


def _value(found: Searched) -> str:
    first = printable(found.players[0])
    if found.value is None:
        low, high = ("not known" if one is None else number(one) for one in found.bounds)
        return f"{first} gets at least {low}, at most {high}"
    about = f" (floats, off by {found.error:.1g} at most)" if not found.exact else ""
    return f"{first} {number(found.value)}{about}"


def number(amount: Any) -> str:
    """A number, as a decimal too if it is a fraction.

    >>> from fractions import Fraction
    >>> number(Fraction(1, 3)), number(Fraction(2)), number(0.25)
    ('1/3 (0.333333)', '2', '0.25')
    """
    if isinstance(amount, float):
        return f"{amount:.10g}"
    whole = amount.denominator == 1
    return str(amount) if whole else f"{amount} ({float(amount):.6g})"


def counted(found: Searched) -> str:
    """The counts in words, those that are not nothing."""
    told = []
    names = [*WORDS, *(name for name in found.counts if name not in WORDS)]
    for name in names:
        count = found.counts.get(name, 0)
        if count:
            one, many = WORDS.get(name, (name, name))
            told.append(f"{count:,} {one if count == 1 else many}")
    return ", ".join(told) or "nothing"


def places(position: Position) -> list[Position]:
    """Where players decide next, after what nature does; the first few if they are many."""
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


def decisions(found: Searched, position: Position | None = None) -> list[dict[str, Any]]:
    """What is done where players decide next: who, knowing what, and each option with its share.

    Positions that look alike to the one who moves are one.
    """
    made: dict[tuple[str, Hashable], dict[str, Any]] = {}
    for here in places(found.source.start if position is None else position):
        for player, shares in found.decide(here).items():
            row = {"player": player, "knows": knows(here, player), "plays": list(shares.items())}
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


def searched_sheet(found: Searched, position: Position | None = None) -> Sheet:
    """The facts, and for each player what it does at the positions that come next."""
    made = decisions(found, position)
    players = list(dict.fromkeys(row["player"] for row in made))
    tables = [_table(name, [row for row in made if row["player"] == name]) for name in players]
    return Sheet(found.name, tables, searched_facts(found))


def _table(player: str, rows: Sequence[dict[str, Any]]) -> Table:
    menus = {tuple(option for option, _ in row["plays"]) for row in rows}
    if len(menus) == 1 and len(next(iter(menus))) <= MOST_COLUMNS:
        names = menu_names(next(iter(menus)))
        columns = (Column("knows"), *(Column(name or "''", SHARE) for name in names))
        cells = [(row["knows"], *(share for _, share in row["plays"])) for row in rows]
        if len(rows) == 1 and not rows[0]["after"]:
            columns, cells = columns[1:], [cells[0][1:]]
        return Table(printable(player), columns, cells)
    columns = (Column("knows"), Column("option"), Column("probability", SHARE))
    cells = [(row["knows"], text(option), share) for row in rows for option, share in row["plays"]]
    if all(row["knows"] in ("", NOTHING) for row in rows):
        columns, cells = columns[1:], [cell[1:] for cell in cells]
    return Table(printable(player), columns, cells)
