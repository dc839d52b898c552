"""What ``infoset solve --json`` says, as one object."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from infoset.cli.showing import game_facts


def facts(solution: Any, building: float, player: str | None, among: Any = None) -> dict[str, Any]:
    """All that is said, as one JSON object; exact numbers as texts ``p/q``.

    ``among`` has the other equilibria, if one was picked.
    """
    from infoset.solve.store import spelled, strategy_record

    tree = solution.tree
    names = tree.names if player is None else (player,)
    value, bounds = solution.value, solution.value_bounds
    return {
        **game_facts(tree),
        "method": solution.method,
        "because": solution.because,
        "value": None if value is None else spelled(value),
        "value_bounds": None if bounds is None else [spelled(bound) for bound in bounds],
        "payoffs": {name: spelled(amount) for name, amount in solution.payoffs.items()},
        "regret": spelled(solution.regret),
        "regrets": {name: spelled(amount) for name, amount in solution.regrets.items()},
        "certificate": solution.certificate,
        "exact": solution.exact,
        "note": solution.note,
        "work": dict(solution.work),
        "seconds": round(solution.seconds, 6),
        **({} if solution.course is None else {"course": solution.course.record}),
        "seconds_building": round(building, 6),
        "strategies": [strategy_record(solution.strategy[name]) for name in names],
        **several_facts(among or solution, names),
    }


def several_facts(solution: Any, names: Iterable[str]) -> dict[str, Any]:
    """What only some methods find: all equilibria, how they hang together, and beliefs."""
    from infoset.solve.readable import readable
    from infoset.solve.store import spelled, strategy_record

    found: dict[str, Any] = {}
    if solution.others or solution.complete:
        found["complete"] = solution.complete
        found["equilibria"] = [
            {
                "payoffs": {name: spelled(amount) for name, amount in one.payoffs.items()},
                "regret": spelled(one.regret),
                "strategies": [strategy_record(readable(one[name], one)) for name in names],
            }
            for one in solution.equilibria
        ]
        found["components"] = [component.record for component in solution.components]
    if solution.assessment is not None:
        beliefs = solution.assessment.beliefs
        found["sequential"] = bool(solution.sequential)
        found["sequential_because"] = solution.sequential.because
        found["beliefs"] = [[spelled(share) for share in own.values()] for own in beliefs]
    return found


def no_facts(tree: Any, method: str | None, because: str) -> dict[str, Any]:
    """That there is no equilibrium of the kind, as one JSON object."""
    return {
        **game_facts(tree),
        "method": method,
        "because": because,
        "complete": True,
        "equilibria": [],
    }
