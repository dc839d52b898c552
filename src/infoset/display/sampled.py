"""A sampled run for people: what it came to, and what the players do where it came most often.

There is no tree, and so nothing tells what is public. A strategy is one table with a row for each
information set that was met, the most visited first. Rows are made when they are looked at: a few
in a terminal or a notebook, all of them in a file.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from infoset.analysis.situations import menu_names, merged, numbered
from infoset.analysis.strategy_files import (
    BLANK,
    COLUMNS,
    label_cell,
    plain_text,
    probability_cells,
)
from infoset.analysis.strategy_tables import HARDLY, LIKELIEST, fits, terms_of
from infoset.analysis.table import NUMBER, PROBABILITY, PROSE, Column, Sheet, Table, several
from infoset.errors import ParameterError
from infoset.rules.moves import Menu
from infoset.text import brief, printable, text
from infoset.tree.views import Views

if TYPE_CHECKING:
    from infoset.solvers.sampling.result import Sampled, Seen

MOST_COLUMNS = 6  # options that have columns of their own; more are told in words
FEW_ROWS = 10  # of each player's strategy below the facts
PROOF = "solution() proves it where the tree fits"


def sampled_facts(found: Sampled, proof: str = PROOF) -> tuple[tuple[str, str], ...]:
    """What stands above the strategies: how it was found, payoffs, regret, all as estimated."""
    payoffs = ", ".join(f"{printable(player)} {paid}" for player, paid in found.payoffs.items())
    lines = [
        (
            "method",
            f"{found.method}-sampling, {several(found.iterations, 'iteration')} in"
            f" {found.seconds:.1f} s, seed {found.seed}, {found.averaging} averaging",
        ),
        ("seen", f"{found.sets:,} information sets; {found.nodes:,} positions walked"),
        ("payoffs", f"{payoffs} (simulated)"),
        ("regret", f"{_regret(found)} ({proof})"),
    ]
    return (*lines, *((("note", found.note),) if found.note else ()))


def _regret(found: Sampled) -> str:
    """The estimated bounds, as far as they say anything: some are beyond all that is at stake."""
    leaf_payoffs = zip(found.bound.items(), found.simulation.leaf_payoffs, strict=True)
    known = [(player, most) for (player, most), stake in leaf_payoffs if most < stake or not most]
    if not known:
        return "not known yet: its estimated bound is more than what is at stake"
    bounds = [f"{printable(player)} {most:.2g}" for player, most in known]
    if len(known) < len(found.bound):
        bounds.append("others not known yet")
    return f"at most about {', '.join(bounds)}, as estimated"


def sampled_sheet(
    found: Sampled, player: str, *, where: str | Sequence[str] = (), rows: range | None = None
) -> Sheet:
    """A player's average strategy, a row for each information set, the most visited first.

    ``where`` and ``rows`` are as for :func:`~infoset.analysis.strategy_tables.strategy_sheet`.
    """
    if rows is not None and (not isinstance(rows, range) or rows.step != 1 or rows.start < 0):
        raise ParameterError(f"rows={rows!r:.60}: give a range such as range(40, 80)")
    sets = found.seen(player)
    if not sets:
        return Sheet(player, (), note="nothing to choose, as far as it was seen")
    plays = found.simulation.plays
    if terms := terms_of(where):
        fits = _fitting(found, (player,), terms)[player]
        table = _table(fits, (seen.options for seen in fits), plays)
    else:
        table = _table(sets, sets.menus(), plays)
    kept = table if rows is None else table[rows.start : rows.stop]
    return Sheet(player, [kept] if len(kept) else [])


def fitting(found: Sampled, players: Sequence[str], where: str | Sequence[str]) -> tuple[str, ...]:
    """Those of some players in whose labels the texts are; refused if there are none."""
    terms = terms_of(where)
    return tuple(_fitting(found, players, terms)) if terms else tuple(players)


def _fitting(found: Sampled, players: Sequence[str], terms: Sequence[str]) -> dict[str, list[Seen]]:
    """By player: the information sets whose labels fit; refused if there are none at all."""
    kept: dict[str, list[Seen]] = {}
    example = ""
    for player in players:
        sets = found.seen(player)
        own = [sets[at] for at, label in enumerate(sets.labels()) if fits(label, terms)]
        if own:
            kept[player] = own
        elif sets and not example:
            example = f"; one reads {sets[0].label!r:.80}"
    if not kept:
        asked = " and ".join(map(repr, terms))
        raise ParameterError(
            f"{brief(found.name)}: no information set of {' or '.join(players)} that was met has"
            f" {asked} in its label{example}"
        )
    return kept


def _table(sets: Sequence[Seen], menus: Iterable[Menu], plays: int) -> Table:
    """With a column for each option where they are few; else what is done, in words."""
    names = {menu: menu_names(menu) for menu in dict.fromkeys(menus)}
    several = {name for menu in names.values() for name in menu}
    actions = merged(list(names.values())) if len(several) <= MOST_COLUMNS else ()

    def row(at: int) -> tuple[Any, ...]:
        seen = sets[at]
        if not actions:
            return seen.label, _done(names[seen.options], seen.probabilities), seen.reach
        probabilities = dict(zip(names[seen.options], seen.probabilities, strict=True))
        return seen.label, *(probabilities.get(action) for action in actions), seen.reach

    options = [Column(action or "''", PROBABILITY) for action in actions] or [Column("does", PROSE)]
    columns = (Column("knows"), *options, Column("reach", NUMBER))
    note = f"reach: the part of {plays:,} simulated plays that came there"
    return Table("", columns, Views(row, len(sets)), note=note)


def _done(names: Sequence[str], probabilities: Sequence[float]) -> str:
    """The likeliest options, each with its probability.

    >>> _done(("a", "b", "c"), (0.25, 0.75, 0.0)), _done("abcdefgh", (0.125,) * 8)
    ('b 75%, a 25%', '8 options alike')
    """
    if len(probabilities) > LIKELIEST + 1 and max(probabilities) - min(probabilities) < HARDLY:
        return f"{len(probabilities)} options alike"
    often = [at for at, share in enumerate(probabilities) if share >= HARDLY]
    often.sort(key=lambda at: -probabilities[at])
    shown = often[: LIKELIEST if len(often) > LIKELIEST + 1 else None]
    words = [f"{names[at]} {probabilities[at]:.0%}" for at in shown]
    return ", ".join(words) + ("" if len(shown) == len(often) else ", …")


def sampled_text(found: Sampled) -> str:
    """The facts, and a few lines of each player's strategy."""
    parts = [Sheet(found.name, (), sampled_facts(found)).text(most=None)]
    parts += [sampled_sheet(found, player).text(most=FEW_ROWS) for player in found.players]
    return "\n\n".join(parts)


def sampled_html(found: Sampled) -> str:
    """The facts, and the strategies, for a notebook."""
    sheets = [Sheet(found.name, (), sampled_facts(found))]
    sheets += [sampled_sheet(found, player) for player in found.players]
    return "\n".join(sheet._repr_html_() for sheet in sheets)


def sampled_csv(found: Sampled, player: str | None = None) -> Iterator[str]:
    """The lines of a file as :mod:`infoset.analysis.strategy_files` reads and writes them.

    Without a tree information sets have no numbers, and go by their labels.
    """
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(COLUMNS)
    for name in found.players if player is None else (player,):
        for seen in found.seen(name):
            number = "" if seen.number is None else f"#{seen.number}"
            head = (label_cell(name), label_cell(seen.label), number)
            actions = numbered(plain_text(text(option)) or BLANK for option in seen.options)
            for action, share in zip(actions, seen.probabilities, strict=True):
                table.writerow((*head, label_cell(action), *probability_cells(share)))
            yield written.getvalue()
            written.seek(0)
            written.truncate()
    yield written.getvalue()
