"""How far it goes: poker grown until the time or the memory runs out.

The three lines are those of Figure 16 of Koller & Pfeffer 1997 (a larger deck, larger hands with
more cash, more cash), and leduc with more ranks. Along each line the tree about doubles from step
to step. A step is a process of its own, from the rules to the certificate, with a limit on its time
and on its memory (address space, which is a little more than what it uses). The line ends with the
first step that does not certify.

    python benchmarks/solve/limit.py poker ranks=127      one step, without limits: JSON
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from measure import duration, parted, show, timed

from infoset import solve
from infoset.games import kuhn, leduc, poker

HEADINGS = ["game", "nodes", "generating", "solving", "memory", "certificate", "of the solving"]
GIB = 1 << 30
MOST_NODES = 1 << 40  # the limits are time and memory
PATIENCE = 600.0  # seconds: a deal of millions of hands takes some
FAMILIES = {"poker": poker, "leduc": leduc}


@dataclass(frozen=True)
class Limits:
    """What one step may use."""

    seconds: float = 600
    memory: int = 24 * GIB

    @classmethod
    def here(cls) -> Limits:
        """Ten minutes and 24 GiB, or nine tenths of what the machine has, if that is less."""
        installed = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        return cls(memory=min(cls.memory, installed * 9 // 10))


def lines(quick: bool) -> dict[str, Iterator[str]]:
    """Games along four lines, each from a size that is known to work."""
    ranks, deck, hand, cash = (10, 5, 2, 5) if quick else (127, 11, 5, 12)
    return {
        "a larger deck": (f"poker ranks={round(ranks * 2 ** (n / 2))}" for n in count()),
        f"hands of {hand} out of {deck}": (
            f"poker ranks={deck} cards={hand} cash={n}" for n in count(4)
        ),
        "more cash": (f"poker ranks=3 cash={n}" for n in count(cash)),
        "leduc with more ranks": (f"leduc ranks={n}" for n in count(3)),
    }


def grow(games: Iterator[str], limits: Limits, steps: int | None = None) -> tuple[str, str]:
    """Go along one line and print it; the last game that certified, and what then ran out."""
    rows: list[list[str]] = []
    last, because = "none", "the line was left"
    for number, game in enumerate(games):
        if steps is not None and number >= steps:
            break
        told, failure = step(game, limits)
        rows.append(_row(game, told, failure))
        print(f"  {game}: {failure or told['certificate']}", file=sys.stderr, flush=True)
        if failure:
            because = f"{game}: {failure}"
            break
        last = game
    show(HEADINGS, rows)
    return last, because


def step(game: str, limits: Limits) -> tuple[dict[str, Any], str]:
    """Solve one game in a process of its own: what it told, and why it failed, if it did."""

    def confine() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))

    command = [sys.executable, __file__, *game.split()]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=confine
    ) as process:
        try:
            said, complaint = process.communicate(timeout=limits.seconds)
            late = False
        except subprocess.TimeoutExpired:
            process.kill()
            said, complaint = process.communicate()
            late = True
    told: dict[str, Any] = {}
    for line in said.splitlines():
        told |= json.loads(line)
    return told, _failure(told, process.returncode, complaint, late)


def _failure(told: dict[str, Any], status: int, complaint: str, late: bool) -> str:
    place = f"while {told.get('doing', 'starting')}"
    if late:
        return f"out of time {place}"
    last = complaint.strip().splitlines()[-1] if complaint.strip() else ""
    if status:
        memory = any(word in complaint.lower() for word in ("memory", "bad_alloc", "allocat"))
        if memory or status < 0:  # killed by a signal: an allocation failed outside of Python
            return f"out of memory {place}" + ("" if memory else f" (signal {-status})")
        return f"failed {place}: {last}"
    return "" if told.get("exact") else f"not certified: {told.get('certificate')}"


def _row(game: str, told: dict[str, Any], failure: str) -> list[str]:
    def cell(key: str, form: Any) -> str:
        return str(form(told[key])) if key in told else ""

    return [
        game,
        cell("nodes", "{:,}".format),
        cell("generating", duration),
        cell("solving", duration),
        cell("memory", lambda used: f"{used / GIB:.1f} GiB"),
        failure or told["certificate"],
        cell("shares", str),
    ]


def one(name: str, *settings: str) -> None:
    """A step itself: tell as JSON, a line at a time, how far it has come."""
    parameters = {key: int(value) for key, value in (pair.split("=") for pair in settings)}
    game = FAMILIES[name](**parameters)
    solve(kuhn())  # loads what would otherwise be loaded within the clock
    _tell(doing="generating")
    generating, tree = timed(lambda: game.tree(max_nodes=MOST_NODES, seconds_per_move=PATIENCE))
    _tell(doing="solving (form)", nodes=len(tree), generating=generating)
    solving, solution, parts = parted(tree, lambda part: _tell(doing=f"solving ({part})"))
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    _tell(
        solving=solving,
        memory=used,
        certificate=solution.certificate,
        exact=solution.exact,
        probabilities=parts.probabilities,
    )


def _tell(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)


def report(quick: bool) -> None:
    """All lines."""
    limits = Limits(seconds=20, memory=4 * GIB) if quick else Limits.here()
    print(f"Each step: at most {limits.seconds:g} s and {limits.memory / GIB:.1f} GiB.\n")
    steps = 2 if quick else None
    largest = {line: grow(games, limits, steps) for line, games in lines(quick).items()}
    show(
        ["line", "last that certified", "then"],
        [[line, last, because] for line, (last, because) in largest.items()],
    )


if __name__ == "__main__":
    one(*sys.argv[1:])
