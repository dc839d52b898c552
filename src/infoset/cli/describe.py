"""``infoset describe``: how large a game is, and what is true of it."""

from __future__ import annotations

import json
import sys
import time
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from math import inf
from typing import Any

from infoset.cli.game_arguments import (
    GameArguments,
    LimitOptions,
    named_game,
    named_tree,
    public_form,
)
from infoset.cli.options import Command, group, option
from infoset.cli.output import JsonOption, terminal
from infoset.cli.records import form_record
from infoset.display.tables.terminal import wrapped
from infoset.errors import InfosetError, ParameterError, TooLarge
from infoset.forms.public.merge import merged
from infoset.rules import Game
from infoset.rules.estimate import Count, Probes, ground_of, rounded
from infoset.rules.running import MAX_NODES
from infoset.solvers.sampling.speed import rate_text, sampling_speeds
from infoset.text import count_text, printable
from infoset.tree import Tree
from infoset.tree.openspiel import SpielGame
from infoset.tree.subgames import subgames

MARGIN = 21  # places of the name of a fact
LEAST = 20  # places of what it says, however narrow a terminal is

LONGEST = 30  # digits of a count that are printed in full for people
LONGEST_JSON = 4000  # and for programs


@dataclass(frozen=True)
class CountOptions:
    """What is counted."""

    public: bool | None = option(
        "Count from the public form, without a tree (vectorized rules, two players).",
        flags="--public/--tree",
        unset="if the tree is too large",
    )


@dataclass(frozen=True)
class DescribeRequest:
    """All that is asked of ``infoset describe``."""

    game: GameArguments = group()
    form: CountOptions = group()
    output: JsonOption = group()
    limits: LimitOptions = group("Limits")


def describe(request: DescribeRequest) -> None:
    """Build a game's tree; say how large it is and which properties it has, and why."""
    limits, public, as_json = request.limits, request.form.public, request.output.as_json
    if public:
        if limits.max_nodes != MAX_NODES:
            raise ParameterError("--max-nodes needs the tree; leave out --public")
        describe_public(named_game(request.game, limits), limits, as_json)
        return
    began = time.perf_counter()
    try:
        tree = named_tree(request.game, limits)
    except TooLarge as large:
        if public is not None or limits.max_nodes != MAX_NODES:
            raise
        game = named_game(request.game, limits)
        if isinstance(game, Tree):
            raise
        if not isinstance(game, Game) or not game.vectorized or len(game.players) != 2:
            describe_estimate(game, large, as_json)
            return
        try:
            describe_public(game, limits, as_json)
        except TooLarge as larger:
            describe_estimate(game, larger, as_json)
        return
    seconds = time.perf_counter() - began
    if as_json:
        print(json.dumps(facts(tree, seconds)))
    else:
        _print(tree, seconds)


def facts(tree: Tree, seconds: float) -> dict[str, Any]:
    """All that is said, as one JSON object."""
    counts = tree.counts
    return {
        "game": tree.name,
        "players": list(tree.names),
        "nodes": counts.nodes,
        "infosets": counts.infosets,
        "decisions": counts.decisions,
        "chances": counts.chances,
        "leaves": counts.leaves,
        "depth": counts.depth,
        "widest": counts.widest,
        "branching": round(counts.branching, 6),
        "bytes": tree.nbytes,
        "perfect_information": _fact(tree.perfect_information),
        "perfect_recall": _fact(tree.perfect_recall),
        "absent_minded": _fact(tree.absent_minded),
        "zero_sum": _fact(tree.zero_sum),
        "constant_sum": _fact(tree.constant_sum),
        "subgames": len(subgames(tree)),
        "by_player": {player: _of_player(tree, player) for player in tree.names},
        "seconds": round(seconds, 6),
    }


def _fact(fact: Any) -> dict[str, Any]:
    return {
        "holds": fact.holds,
        "because": fact.because,
        "nodes": [node.index for node in fact.nodes],
    }


def _of_player(tree: Tree, player: str) -> dict[str, Any]:
    return {
        "infosets": len(tree.infosets_of(player)),
        "sequences": tree.sequences(player),
        "pure_strategies": large(tree.pure_strategies(player), LONGEST_JSON, grouped=False),
        "reduced_strategies": large(tree.reduced_strategies(player), LONGEST_JSON, grouped=False),
        "perfect_recall": bool(tree.recall(player)),
    }


def large(number: int | None, digits: int, *, grouped: bool = True) -> str | None:
    """A whole number in full while it is short, then its size.

    >>> large(1234567, 30), large(10**50, 30), large(None, 30)
    ('1,234,567', 'about 10^50', None)
    """
    if number is None:
        return None
    if number.bit_length() < digits * 3.32:
        return f"{number:,}" if grouped else str(number)
    exponent = int(number.bit_length() * 0.30103)
    while exponent > 1 and number < 10**exponent:
        exponent -= 1
    return f"about 10^{exponent}"


def _print(tree: Tree, seconds: float) -> None:
    counts = tree.counts
    kinds = (
        count_text(counts.decisions, "decision"),
        f"{counts.chances:,} chance",
        "1 leaf" if counts.leaves == 1 else f"{counts.leaves:,} leaves",
    )
    print(printable(tree.name))
    if tree.comment:
        print(printable(tree.comment))
    print(
        f"{count_text(counts.nodes, 'node')} ({', '.join(kinds)}),"
        f" {count_text(counts.infosets, 'information set')}"
    )
    print(
        f"depth {counts.depth}, at most {count_text(counts.widest, 'action')} at a node,"
        f" {counts.branching:.2f} on average"
    )
    print(f"built in {seconds:.2f} s, {tree.nbytes / counts.nodes:.0f} bytes a node")
    print()
    for line in _players(tree):
        print(line)
    print()
    for heading, fact in (
        ("perfect information", tree.perfect_information),
        ("perfect recall", tree.perfect_recall),
        ("absent-mindedness", tree.absent_minded),
        ("zero-sum", tree.zero_sum),
        ("constant-sum", tree.constant_sum),
    ):
        _print_fact(heading, str(fact))
    count = len(subgames(tree))
    others = "only the whole game" if count == 1 else f"{count:,}, the whole game included"
    _print_fact("subgames", others)


def _print_fact(heading: str, words: str) -> None:
    """A fact behind its name, wrapped where a terminal is narrow."""
    width, plain = terminal()["width"], printable(words)
    lines = [plain] if width is None else wrapped(plain, max(width - MARGIN, LEAST))
    print(f"{heading + ':':<{MARGIN}}" + f"\n{'':<{MARGIN}}".join(lines))


def _players(tree: Tree) -> list[str]:
    """A row for each player; no number is ever cut."""
    rows = [["player", "information sets", "sequences", "pure strategies", "reduced", "recall"]]
    rows += [
        [
            printable(player),
            f"{len(tree.infosets_of(player)):,}",
            f"{tree.sequences(player):,}",
            large(tree.pure_strategies(player), LONGEST) or "",
            large(tree.reduced_strategies(player), LONGEST) or "not counted",
            "perfect" if tree.recall(player) else "imperfect",
        ]
        for player in tree.names
    ]
    return aligned(rows, texts=1)


def describe_public(game: Game | Tree | SpielGame, limits: LimitOptions, as_json: bool) -> None:
    """How large a game is, counted from its public form; no tree is built."""
    began = time.perf_counter()
    form = public_form(game, limits)
    seconds = time.perf_counter() - began
    least = merged(form)
    if as_json:
        print(
            json.dumps(
                {
                    "game": form.name,
                    "players": list(form.players),
                    **form_record(form),
                    "merged_infosets": list(least.infosets),
                    "merged_sequences": list(least.sequences),
                    "seconds": round(seconds, 6),
                }
            )
        )
        return
    counts = form.counts
    print(printable(form.name))
    print(
        f"{counts.nodes:,} nodes ({sum(counts.decisions):,} decisions, {counts.chance:,} chance,"
        f" {counts.leaves:,} leaves), {sum(counts.infosets):,} information sets"
    )
    print(f"counted from the public form in {seconds:.2f} s; no tree was built")
    entries = sum(block.entries.size for table in form.tables for block in table.blocks)
    tables = f"{len(form.tables):,} payoff tables of {entries:,} entries"
    print(f"{len(form.leaves):,} public leaves share {tables}")
    print()
    rows = [["player", "information sets", "sequences"]]
    kinds = [("in the whole game", counts.infosets, counts.sequences)]
    kinds += [(form.folded, form.infosets, form.sequences)] if form.folded else []
    kinds += [("strategically identical ones merged", least.infosets, least.sequences)]
    for player, name in enumerate(form.players):
        for words, sets, sequences in kinds:
            rows.append(
                [f"{printable(name)}, {words}", f"{sets[player]:,}", f"{sequences[player]:,}"]
            )
    for line in aligned(rows):
        print(line)


def describe_estimate(game: Game | SpielGame, refused: TooLarge, as_json: bool) -> None:
    """How large a game is, estimated by random probes, and how to solve it without a tree."""
    name = repr(game)
    with redirect_stdout(sys.stderr):  # what rules print is no part of the answer
        size = refused.size or Probes(name, ground_of(game.position())).measure()
        speeds = None
        with suppress(InfosetError):  # a move alone is too large
            speeds = sampling_speeds(game)
    counts = {kind: getattr(size, kind) for kind in ("nodes", "decisions", "chances", "leaves")}
    if as_json:
        record = {
            "game": name,
            "players": list(game.players),
            "estimated": {kind: _interval(count) for kind, count in counts.items()},
            "probes": size.probes,
            "depth_seen": size.depth,
            "whole": size.whole,
        }
        if speeds is not None:
            rates = {f"{method}-sampling": rate for method, rate in speeds.rates.items()}
            record["iterations_per_second"] = {name: round(rate, 3) for name, rate in rates.items()}
            record["recommended"] = f"{speeds.recommended}-sampling"
        print(json.dumps(record))
        return
    print(printable(name))
    print(f"{size}")
    print(
        f"estimated by {count_text(size.probes, 'random probe')}; the tree is too large to be built"
    )
    print()
    rows = [["", "about", "at least", "probably at most"]]
    rows += [
        [kind, rounded(count.estimate), rounded(count.low), _at_most(count)]
        for kind, count in counts.items()
    ]
    print(*aligned(rows), sep="\n")
    print(f"plays of up to {count_text(size.depth, 'move')} were met")
    print()
    if speeds is None:
        print("recommended: smaller parameters; one move alone is too large to be listed")
        return
    rows = [["without a tree", "iterations a second"]]
    rows += [[f"{method}-sampling", rate_text(rate)] for method, rate in speeds.rates.items()]
    print(*aligned(rows), sep="\n")
    print(f"recommended: --method {speeds.recommended}-sampling")


def _interval(count: Count) -> dict[str, float | None]:
    high = None if count.high == inf else count.high
    return {"estimate": count.estimate, "low": count.low, "high": high}


def _at_most(count: Count) -> str:
    return "not known" if count.high == inf else rounded(count.high)


def aligned(rows: list[list[str]], texts: int = 0) -> list[str]:
    """Rows of text: the first column and the last ``texts`` of them to the left, numbers right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    left = {0, *range(len(widths) - texts, len(widths))}
    return [
        "  ".join(
            cell.ljust(width) if at in left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


command = Command("describe", DescribeRequest, describe)
