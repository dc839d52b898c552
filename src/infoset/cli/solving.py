"""What ``infoset solve`` does for an answer: solving or loading, and refusing what cannot be."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from infoset.cli.advising import Asked
from infoset.cli.progress import status
from infoset.cli.running import Running, watching
from infoset.errors import ParameterError
from infoset.rules.story import printable
from infoset.solve.interrupt import interruptible


def solution_of(
    tree: Any,
    method: str | None,
    load: Path | None,
    asked: Asked,
    running: Running,
    exact: bool | None,
    seconds: float | None,
) -> Any:
    """The solution: loaded, or solved for now."""
    from infoset.solve import Solution
    from infoset.solve import solve as solved
    from infoset.solve.choice import choose
    from infoset.solve.regret.settings import TAKES

    if load is not None:
        if _is_public(load):
            raise ParameterError(
                f"{printable(str(load))}: a solution of a public form; --public loads it"
            )
        return Solution.load(load, tree)
    settings = running.settings
    row = None if asked.subgame_perfect else choose(tree, method, settings, exact)[0]
    wishes = {name: getattr(settings, name) for name in settings.chosen}
    with ExitStack() as stack:
        words, stop = f"solving {tree.name}", stack.enter_context(interruptible())
        watch = tick = None
        if row is not None and row.file in TAKES:
            watch = stack.enter_context(watching(words))
        else:
            tick = stack.enter_context(status(words))
        return solved(
            tree,
            method,
            exact=exact,
            seconds=seconds,
            most=asked.most,
            subgame_perfect=asked.subgame_perfect,
            tick=tick,
            stop=stop,
            watch=watch,
            **wishes,
        )


def _is_public(file: Path) -> bool:
    """Does a file say that it has a solution of a public form?"""
    from infoset.solve.public.store import MAGIC

    try:
        with file.open("rb") as opened:
            return opened.read(len(MAGIC)) == MAGIC
    except OSError:  # said by whoever reads all of it
        return False


def spare(written: Iterable[Path], read: Iterable[Path | None]) -> None:
    """Refuse to write over a file that is read, and two things into one file."""
    places = {os.path.realpath(file) for file in read if file is not None}
    taken: set[str] = set()
    for file in written:
        place = os.path.realpath(file)  # unlike Path.resolve, it does not mind links in a circle
        if place in places:
            raise ParameterError(f"{printable(str(file))}: it is read here, and would be lost")
        if place in taken:
            name = printable(str(file))
            raise ParameterError(f"{name}: two things cannot be written to one file")
        taken.add(place)


def alone(why: str, others: Iterable[tuple[str, Any]]) -> None:
    """Refuse what does not go with something else."""
    for name, value in others:
        if value is not None and value != []:
            raise ParameterError(f"{why}; {name} cannot change it")
