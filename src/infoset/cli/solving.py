"""What ``infoset solve`` does for an answer: solving or loading, and refusing what cannot be."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from infoset.cli.advising import Asked
from infoset.cli.progress import status
from infoset.cli.running import Running, watching
from infoset.errors import ParameterError
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


def alone(why: str, others: Iterable[tuple[str, Any]]) -> None:
    """Refuse what does not go with something else."""
    for name, value in others:
        if value is not None and value != []:
            raise ParameterError(f"{why}; {name} cannot change it")
