"""Solutions as JSON objects, for programs: one function for each kind of result.

Exact numbers are texts ``p/q``; what was computed in floats or estimated are numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

from infoset.analysis.questions.supporting import support_words
from infoset.display.correlated import joint
from infoset.display.report import sampled_of
from infoset.display.searched import decisions, search_of
from infoset.forms.public import PublicForm
from infoset.rules import Position
from infoset.solvers import Solution
from infoset.solvers.evaluation import readable
from infoset.solvers.public_solution import PublicEvaluation
from infoset.solvers.sampling.exploitability import CONFIDENCE, Bracket, Estimate
from infoset.solvers.storage import strategy_record
from infoset.strategy.perfect_bayesian import Supporting
from infoset.text import spelled, text
from infoset.tree import Tree

MANY = 20_000  # information sets of a public form whose strategies are written out, at most


def tree_record(tree: Tree) -> dict[str, Any]:
    """What every object about a tree begins with."""
    return {
        "game": tree.name,
        "players": list(tree.names),
        "nodes": len(tree),
        "infosets": len(tree.infoset_player),
    }


def solution_record(
    solution: Solution, names: Iterable[str], building: float, among: Solution | None = None
) -> dict[str, Any]:
    """A solution of a tree; ``among`` has the other equilibria, if one was picked."""
    value, bounds = solution.value, solution.value_bounds
    strategies = solution.tree_evaluation.strategy
    return {
        **tree_record(solution.tree),
        "method": solution.method,
        "because": solution.because,
        "value": None if value is None else spelled(value),
        "value_bounds": None if bounds is None else [spelled(bound) for bound in bounds],
        "payoffs": _all_spelled(solution.payoffs),
        "regret": spelled(solution.regret),
        "regrets": _all_spelled(solution.regrets),
        "certificate": solution.certificate,
        "exact": solution.exact,
        "note": solution.note,
        "work": dict(solution.work),
        "seconds": round(solution.seconds, 6),
        **({} if solution.convergence is None else {"convergence": solution.convergence.record}),
        "seconds_building": round(building, 6),
        "strategies": [strategy_record(strategies[name]) for name in names],
        **_several_record(among or solution, names),
    }


def _several_record(solution: Solution, names: Iterable[str]) -> dict[str, Any]:
    """What only some methods find: all equilibria, their components, and beliefs."""
    found: dict[str, Any] = {}
    if solution.others or solution.complete:
        found["complete"] = solution.complete
        found["equilibria"] = [
            {
                "payoffs": _all_spelled(one.payoffs),
                "regret": spelled(one.regret),
                "strategies": [strategy_record(readable(one[name], one)) for name in names],
                **_supporting_record(supported),
            }
            for one, supported in zip(solution.equilibria, solution.supporting, strict=True)
        ]
        found["components"] = [component.record for component in solution.components]
    if solution.assessment is not None:
        sequential, beliefs = solution.sequential, solution.assessment.beliefs
        found["sequential"] = bool(sequential)
        found["sequential_because"] = "" if sequential is None else sequential.because
        found["beliefs"] = [
            [spelled(probability) for probability in own.values()] for own in beliefs
        ]
    return found


def _supporting_record(found: Supporting) -> dict[str, Any]:
    """Whether beliefs support an equilibrium: true, false, or null where it is not decided."""
    record: dict[str, Any] = {
        "sequential": found.sequential.holds,
        "sequential_because": support_words(found),
        "weak_perfect_bayesian": found.weak_perfect_bayesian.holds,
    }
    if found.assessment is not None:
        beliefs = found.assessment.beliefs
        record["beliefs"] = [[spelled(share) for share in own.values()] for own in beliefs]
    return record


def no_solution_record(tree: Tree, method: str | None, because: str) -> dict[str, Any]:
    """That there is no equilibrium of the kind."""
    none: dict[str, Any] = {"complete": True, "equilibria": []}
    return {**tree_record(tree), "method": method, "because": because, **none}


def safe_record(solution: Solution) -> dict[str, Any]:
    """A safe strategy against a known opponent."""
    found = solution.safety
    assert found is not None
    return {
        **tree_record(solution.tree),
        "method": solution.method,
        "player": found.player,
        "value": spelled(found.value),
        "epsilon": spelled(found.epsilon),
        "wins": spelled(found.wins),
        "sure": spelled(found.guarantee),
        "best": {"wins": spelled(found.best.wins), "sure": spelled(found.best.guarantee)},
        "exact": found.proved,
        "strategies": [strategy_record(solution.tree_evaluation.strategy[found.player])],
    }


def joint_record(solution: Solution) -> dict[str, Any]:
    """A correlated equilibrium."""
    found = joint(solution)
    return {
        **tree_record(found.tree),
        "method": solution.method,
        "payoffs": _all_spelled(found.payoffs),
        "value": None,
        "welfare": spelled(found.welfare),
        "weights": _all_spelled(found.weights),
        "regret": spelled(found.regret),
        "regrets": _all_spelled(found.regrets),
        "certificate": found.certificate,
        "exact": found.exact,
        "note": solution.note,
        "work": dict(solution.work),
        "seconds": round(solution.seconds, 6),
        "distribution": [
            {
                "probability": spelled(probability),
                "plans": [[list(pair) for pair in plan.chosen] for plan in plans],
            }
            for plans, probability in found.distribution.items()
        ],
        "plan": [[*pair, spelled(probability)] for pair, probability in found.given.items()],
    }


def searched_record(solution: Solution, position: Position | None = None) -> dict[str, Any]:
    """What a search found, and what to do at a position, the start if none is given."""
    search = search_of(solution)
    return {
        "game": solution.name,
        "players": list(solution.players),
        "nodes": solution.work.get("nodes", 0),
        "method": solution.method,
        "value": None if search.value is None else spelled(search.value),
        "value_bounds": [None if bound is None else spelled(bound) for bound in search.bounds],
        "error": search.error,
        "optimal": search.optimal,
        "because": search.reason,
        "depth": search.depth,
        "counts": dict(solution.work),
        "seconds": round(solution.seconds, 6),
        "seconds_in_programs": round(search.lp_seconds, 6),
        "note": solution.note,
        "decisions": [
            {**row, "plays": [[text(option), spelled(one)] for option, one in row["plays"]]}
            for row in decisions(search, position)
        ],
    }


def sampled_record(solution: Solution, names: Iterable[str]) -> dict[str, Any]:
    """What a sampled run found; infinite bounds, as before the first iteration, are null."""
    run = sampled_of(solution)
    bounds = {name: most if isfinite(most) else None for name, most in run.bound.items()}
    largest = max(run.bound.values())
    return {
        "game": solution.name,
        "players": list(solution.players),
        "method": solution.method,
        "iterations": run.iterations,
        "seconds": round(solution.seconds, 6),
        "seed": run.seed,
        "averaging": run.averaging,
        "sets": run.sets,
        "positions_walked": run.nodes,
        "payoffs": {
            name: {"mean": float(paid), "error": paid.error}
            for name, paid in run.payoffs.items()
            if isinstance(paid, Estimate)
        },
        "plays_simulated": run.simulation.plays,
        "regret_estimate": largest if isfinite(largest) else None,
        "regret_estimates": bounds,
        "exploitability": _bracket_record(run.estimated_exploitability),
        "note": solution.note,
        "convergence": None if solution.convergence is None else solution.convergence.record,
        "strategies": [
            {
                "player": name,
                "behaviour": [
                    {
                        "knows": seen.label,
                        "plays": [
                            [text(option), spelled(probability)]
                            for option, probability in zip(
                                seen.options, seen.probabilities, strict=True
                            )
                        ],
                        "reach": seen.reach,
                    }
                    for seen in run.seen(name)
                ],
            }
            for name in names
        ],
    }


def _bracket_record(bracket: Bracket) -> dict[str, Any]:
    """An estimate with its bounds; null where there is none."""
    return {
        "estimate": float(bracket),
        "error": bracket.error if isfinite(bracket.error) else None,
        "low": bracket.low,
        "high": bracket.high if isfinite(bracket.high) else None,
        "confidence": CONFIDENCE,
    }


def public_record(solution: Solution, names: Iterable[str], building: float) -> dict[str, Any]:
    """A solution of a public form; strategies are left out where they are very long."""
    form, names = form_of(solution), tuple(names)
    short = sum(form.infosets[form.player_number(name)] for name in names) <= MANY
    return {
        "game": form.name,
        "players": list(form.players),
        **form_record(form),
        "method": solution.method,
        "because": solution.because,
        "payoffs": {name: _number(paid) for name, paid in solution.payoffs.items()},
        "value": _number(solution.value),
        "value_bounds": [_number(bound) for bound in solution.value_bounds or ()],
        "regret": _number(solution.regret),
        "regrets": {name: _number(one) for name, one in solution.regrets.items()},
        "exploitability": _number(solution.exploitability),
        "certificate": solution.certificate,
        "exact": solution.exact,
        "work": dict(solution.work),
        "note": solution.note,
        "seconds": round(solution.seconds, 6),
        "seconds_building": round(building, 6),
        "convergence": None if solution.convergence is None else solution.convergence.record,
        "strategies": [_on_form(solution, name) for name in (names if short else ())],
    }


def _on_form(solution: Solution, player: str) -> dict[str, Any]:
    """A strategy as of a tree; probabilities are exact where the plan is."""
    assert isinstance(solution.evaluation, PublicEvaluation)
    form, profile = solution.evaluation.form, solution.evaluation.profile
    labels = iter(solution.strategy[player])  # in the order of the form
    seat = form.player_number(player)
    rows = []
    for number, one in enumerate(form.decisions[seat]):
        probabilities = profile.probabilities(seat, number).T.tolist()
        rows += [
            {
                "knows": label,
                "plays": [
                    [text(option), _number(probability)]
                    for option, probability in zip(one.menu, own, strict=True)
                ],
            }
            for own, label in zip(probabilities, labels, strict=False)
        ]
    return {"player": player, "behaviour": rows}


def form_of(solution: Solution) -> PublicForm:
    """The public form that a solution is on."""
    assert isinstance(solution.evaluation, PublicEvaluation)
    return solution.evaluation.form


def form_record(form: PublicForm) -> dict[str, Any]:
    """How large a public form is, and the tree that it represents."""
    counts = form.counts
    return {
        "nodes": counts.nodes,
        "infosets": sum(counts.infosets),
        "decisions": sum(counts.decisions),
        "chances": counts.chance,
        "leaves": counts.leaves,
        "sequences": list(counts.sequences),
        "folded": form.folded,
        "kept_infosets": list(form.infosets),
        "kept_sequences": list(form.sequences),
        "tables": len(form.tables),
        "entries": sum(block.entries.size for table in form.tables for block in table.blocks),
        "ends": len(form.leaves),
    }


def _all_spelled(amounts: Mapping[str, Any]) -> dict[str, str]:
    return {name: spelled(amount) for name, amount in amounts.items()}


def _number(amount: Any) -> Any:
    return amount if isinstance(amount, float) else spelled(amount)
