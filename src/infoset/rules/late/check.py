"""Plain plays against late ones: rules that see through stand-ins are found out.

Some plays of the blocks, each with the outcomes of nature in one of its worlds, are run once more
by themselves, with plain values. Everything is compared: who was told what, the options, the
chances, what is paid. Where they differ the rules have seen that a stand-in is no card: they
compared it by ``is``, asked for its type, or handed it to C code. To name the line both runs are
followed step by step of the interpreter; they part just after it.

Suits that are said to be alike are checked the same way (:mod:`infoset.rules.late.exchange`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from infoset.errors import NotRepeatable, RulesError
from infoset.rules.columns import CHANCE, Limits
from infoset.rules.late.blocks import LOOK, Frame
from infoset.rules.late.exchange import check_symmetry
from infoset.rules.late.explore import Late
from infoset.rules.late.plays import Plain, Played, Rules, plays
from infoset.rules.story import told
from infoset.rules.walk import Asked, Walk

PLAYS = 256  # that are run again, at most
AGAIN = 8  # times that a play is run where it went wrong, to see whether it repeats

_LANGUAGE = str(Path(__file__).parent.parent)  # where g itself is


def check(name: str, late: Late, rules: Rules) -> None:
    """Run some plays again, deal by deal; the same ones every time."""
    for played in plays(late, PLAYS):
        walk, same = _walked(late, rules, played)
        if not same:
            others = [_walked(late, rules, played)[0] for _ in range(AGAIN)]
            if any((one.told, one.came_to) != (walk.told, walk.came_to) for one in others):
                raise NotRepeatable(
                    f"{name}: the same play, run twice, went two ways ({told(walk.told)}); rules"
                    " must depend on nothing but their parameters and g's answers"
                )
            line = _parting(late, rules, played)
            where = f"at {line} " if line else ""
            raise RulesError(
                f"{name}: the rules do otherwise for all deals at once than deal by deal"
                f" ({told(walk.told)}); {where}they see that a stand-in is no card: by `is`, its"
                " type, or C code, or a function given to g.map depends on more than its values;"
                " use ==, or g.map(f, ...), or leave out late=True"
            )
    if late.symmetry is not None:
        check_symmetry(name, late, rules, late.symmetry)


def _walked(late: Late, rules: Rules, played: Played) -> tuple[Plain, bool]:
    """The play once more with plain values, and whether it is the same."""
    walk = Plain(late.seats, played.moves)
    try:
        paid = walk.result(rules)
    except (Exception, Asked):  # the rules ask for something else, or fail where they did not
        return walk, False
    views = tuple(walk.view(agent) for agent in range(len(late.agents)))
    walk.came_to = (paid, views, tuple(walk.lotteries))
    return walk, walk.came_to == (played.payoffs, played.views, played.lotteries)


# -------------------------------------------------------------------- the line


def _parting(late: Late, rules: Rules, played: Played) -> str:
    """The line of the rules after which a plain run and a late one part; empty if unknown."""
    again = Late(late.seats, Limits(max_nodes=1 << 60), looking=late.looking)
    again.guide = _Guide(played)
    walk = Walk(late.seats, played.moves)
    with _steps(rules) as plain:
        _quietly(lambda: walk.result(rules))
    with _steps(rules) as together:
        _quietly(lambda: again.run(rules))
    common = 0
    while common < min(len(plain), len(together)) and plain[common][:2] == together[common][:2]:
        common += 1
    if not common or common == len(plain) == len(together):
        return ""
    file, line = plain[common - 1][2:]
    return f"{Path(file).name}:{line}"


def _quietly(run: Callable[[], object]) -> None:
    try:
        run()
    except (Exception, Asked):
        return  # how it ends is known; here only the way there matters


class _Guide:
    """Leads a late run along one play in one world."""

    def __init__(self, played: Played) -> None:
        self.moves = list(played.moves)
        self.outcomes = list(played.outcomes)
        self.row = 0

    def __call__(self, frame: Frame) -> int:
        if frame.kind == LOOK:
            parts = [at for at, part in enumerate(frame.after) if self.row in part.rows]
            return parts[0]
        move = self.moves.pop(0)
        if frame.kind != CHANCE:
            found: int = frame.answers.index(move)
            return found
        field, outcome = frame.after.field, self.outcomes.pop(0)
        here = (field.above == self.row) & (field.outcome == outcome)
        self.row = int(np.argmax(here))
        return 0


Step = tuple[int, int, str, int]  # which code, where in it; the file and the line


@contextmanager
def _steps(rules: Rules) -> Iterator[list[Step]]:
    """The interpreter's steps through the rules, and through what they call themselves."""
    steps: list[Step] = []
    inside: set[int] = set()
    first = getattr(rules, "__code__", None)

    def trace(frame: Any, event: str, _: Any) -> Any:
        code = frame.f_code
        if event == "call":
            own = id(frame.f_back) in inside and not code.co_filename.startswith(_LANGUAGE)
            if code is not first and not own:
                return None
            inside.add(id(frame))
            frame.f_trace_opcodes = True
        elif event == "opcode":
            steps.append((id(code), frame.f_lasti, code.co_filename, frame.f_lineno))
        elif event == "return":
            inside.discard(id(frame))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield steps
    finally:
        sys.settrace(before)
