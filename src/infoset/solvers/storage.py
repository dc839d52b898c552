"""Solutions in files: JSON, exact numbers as text, no code.

A file names its game by a fingerprint and has a checksum of itself. What is read is verified as if
a solver had just found it: payoffs and regrets are computed again, and must be what the file says.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from infoset.errors import FileError, InfosetError, StrategyError
from infoset.files import read_text, write_lines
from infoset.forms.public import PublicForm
from infoset.linear.numbers import Numbers
from infoset.solvers.container import apart, kind_of, refuse_others, sealed, unsealed
from infoset.solvers.convergence import Convergence
from infoset.solvers.evaluation import Evaluation, TreeEvaluation, readable
from infoset.solvers.solution import UNCHECKED, Solution
from infoset.strategy import Behaviour, Mixed, Profile, Pure, Strategy, mixed, profile
from infoset.strategy.assessment import Assessment, Trembles, assessment
from infoset.strategy.equivalence import as_mixed, as_plan
from infoset.text import printable, read_number, spelled, text
from infoset.tree import Infoset, Tree

if TYPE_CHECKING:
    from infoset.solvers.correlated.solver import JointEvaluation
    from infoset.solvers.safe.solver import Safety

FORMAT = "infoset solution"
VERSION = 1


def save_solution(solution: Solution, path: Path) -> None:
    """Write a solution; the file is complete or as it was before.

    One on a public form has a file of its own kind, and a sampled run its checkpoint. The decisions
    of a search are written as a solution on the tree, which is built for it.
    """
    kind = solution.evaluation.kind
    if kind == "sampled run":
        from infoset.solvers.sampling.store import save_sampled

        return save_sampled(solution, path)
    if kind == "public form":
        from infoset.solvers.public_store import save_public

        return save_public(solution, path)
    if kind == "joint distribution":
        joint = cast("JointEvaluation", solution.evaluation)
        record = _common(solution, joint.tree) | {"joint": _joint_record(joint)}
    else:
        placed = solution.on_tree()
        strategies = map(strategy_record, placed.tree_evaluation.strategy.values())
        record = _common(placed, placed.tree) | {"strategies": list(strategies)} | _more(placed)
    return write_lines(path, [json.dumps(sealed(record), indent=1) + "\n"])


def _common(solution: Solution, tree: Tree) -> dict[str, Any]:
    """What the file of every solution on a tree begins with."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": tree.name,
        "fingerprint": tree.fingerprint,
        "players": list(tree.names),
        "method": solution.method,
        "because": solution.because,
        "note": solution.note,
        "work": dict(solution.work),
        "seconds": round(solution.seconds, 6),
        "certificate": solution.certificate,
        "payoffs": {player: spelled(amount) for player, amount in solution.payoffs.items()},
        "regrets": {player: spelled(amount) for player, amount in solution.regrets.items()},
    }


def _joint_record(joint: JointEvaluation) -> dict[str, Any]:
    """The distribution of a correlated equilibrium as JSON has it."""
    return {
        "concept": joint.concept,
        "weights": {player: spelled(weight) for player, weight in joint.weights.items()},
        "how": joint.how,
        "optimal": joint.optimal,
        "distribution": [
            [spelled(probability), [[list(pair) for pair in plan.chosen] for plan in plans]]
            for plans, probability in joint.distribution.items()
        ],
        "plan": [[*pair, spelled(probability)] for pair, probability in joint.given.items()],
    }


def _read_joint(tree: Tree, record: dict[str, Any]) -> JointEvaluation:
    """The same again; whatever it claims to be, its regrets are computed from the distribution."""
    from infoset.solvers.correlated.solver import JointEvaluation

    drawn = {}
    for probability, plans in record["distribution"]:
        pairs = zip(tree.names, plans, strict=True)
        drawn[tuple(_read_pure(tree, player, plan) for player, plan in pairs)] = read_number(
            probability
        )
    return JointEvaluation(
        tree=tree,
        concept=record["concept"],
        weights={player: read_number(record["weights"][player]) for player in tree.names},
        distribution=drawn,
        how=printable(str(record["how"])),
        given={(one, two): read_number(probability) for one, two, probability in record["plan"]},
        optimal=_truth(record["optimal"]),
    )


def _more(solution: Solution) -> dict[str, Any]:
    """What only some methods find: further equilibria, and trembles or beliefs."""
    more: dict[str, Any] = {"anew": True} if solution.behavioural else {}
    more |= {} if solution.equilibrium else {"equilibrium": False}
    more |= {} if solution.convergence is None else {"course": solution.convergence.record}
    if solution.others or solution.complete:
        more["complete"] = solution.complete
        more["regret"] = spelled(max((one.regret for one in solution.others), default=0))
        more["others"] = [
            [strategy_record(readable(strategy, one)) for strategy in one]
            for one in solution.others
        ]
        more["components"] = [component.record for component in solution.components]
    if solution.safety is not None:
        more["safety"] = solution.safety.record
    known = solution.assessment
    if known is not None:
        more["beliefs"] = [
            [spelled(probability) for probability in own.values()] for own in known.beliefs
        ]
        more["trembles"] = [
            [[spelled(weight) for weight in power.values()] for power in own.powers]
            for own in known.trembles
        ]
    return more


def _read_more(tree: Tree, record: dict[str, Any], verified: Profile) -> dict[str, Any]:
    """The same again, as fields of a solution."""
    more: dict[str, Any] = {"behavioural": _truth(record.get("anew", False))}
    more["equilibrium"] = _truth(record.get("equilibrium", True))
    if "others" in record:
        from infoset.solvers.components import Component, components

        more["complete"] = _truth(record["complete"])
        more["others"] = tuple(_read_profile(tree, given) for given in record["others"])
        more["components"] = tuple(Component.read(given) for given in record["components"])
        if more["components"]:
            every = [verified, *more["others"]]
            sides = [_vectors([one.strategies[side] for one in every]) for side in (0, 1)]
            if more["components"] != components(list(zip(*sides, strict=True))):
                raise StrategyError("its components are not those of its equilibria")
    if "beliefs" in record:
        names = tree.names if record["trembles"] else ()
        trembles = tuple(
            Trembles(tree, player, tuple(_read_numbers(power) for power in powers))
            for player, powers in zip(names, record["trembles"], strict=True)
        )
        given = dict(zip(tree.infosets, map(_read_probabilities, record["beliefs"]), strict=True))
        found = assessment(verified, given)
        more["assessment"] = Assessment(found.profile, found.beliefs, trembles)
    return more


def _truth(given: Any) -> bool:
    if not isinstance(given, bool):
        raise StrategyError("true or false is wanted, and something else stands there")
    return given


def _vectors(strategies: list[Strategy]) -> list[Numbers]:
    """One player's strategies as weights: of sequences, or of all pure ones that any has."""
    if strategies[0].tree.recall(strategies[0].player):
        return [as_plan(strategy).weights for strategy in strategies]
    lotteries = [as_mixed(strategy) for strategy in strategies]
    every = dict.fromkeys(plan for lottery in lotteries for plan in lottery.support)
    return [Numbers.of(lottery.get(plan, 0) for plan in every) for lottery in lotteries]


def _read_probabilities(given: list[str]) -> list[Fraction]:
    return [read_number(probability) for probability in given]


def _read_numbers(given: list[str]) -> Numbers:
    return Numbers.of(_read_probabilities(given))


def _read_profile(tree: Tree, given: list[dict[str, Any]]) -> Profile:
    return profile(
        _read_strategy(tree, player, spelling)
        for player, spelling in zip(tree.names, given, strict=True)
    )


def load_solution(path: Path, game: Any) -> Solution:
    """Read a solution of this game, and verify it; the file says what kind it is."""
    from infoset.solvers import as_tree

    if kind_of(path) == "public" or isinstance(game, PublicForm):
        from infoset.solvers.public_store import load_public

        return load_public(path, game)
    if kind_of(path) == "sampled":
        from infoset.solvers.sampling.store import load_sampled

        return load_sampled(path, game)
    tree = as_tree(game)
    name = printable(str(path))
    refuse_others(path, "tree")
    record = _record(name, read_text(path))
    if record["fingerprint"] != tree.fingerprint:
        raise FileError(
            f"{name}: this is a solution of another game: {_difference(record['game'], tree.name)}"
        )
    try:
        evaluation, safety, note = _read_evaluation(tree, record)
        course = record.get("course")
        solution = Solution(
            evaluation=evaluation,
            method=printable(str(record["method"])),
            because=printable(str(record["because"])),
            work=MappingProxyType({str(k): int(v) for k, v in record["work"].items()}),
            note=note,
            seconds=_seconds(record["seconds"]),
            convergence=None if course is None else Convergence.from_record(course),
            safety=safety,
        )
        worst = max((one.regret for one in solution.others), default=0)
        if worst != read_number(record.get("regret", "0")):
            raise StrategyError("the regret of its further equilibria is not what it says")
        agrees = all(
            read_number(record[said][player]) == amount
            for said, found in (("payoffs", solution.payoffs), ("regrets", solution.regrets))
            for player, amount in found.items()
        )
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as problem:
        said = problem if isinstance(problem, InfosetError) else "it is not as it was written"
        raise FileError(f"{name}: damaged: {said}") from None
    if not agrees:
        raise FileError(f"{name}: damaged: its payoffs or regrets are not those of its strategies")
    return solution


def _read_evaluation(tree: Tree, record: dict[str, Any]) -> tuple[Evaluation, Safety | None, str]:
    """Strategies, or a joint distribution; what is known of a safe strategy; and the note."""
    note = printable(str(record["note"]))
    if "joint" in record:
        return _read_joint(tree, record["joint"]), None, note
    verified = _read_profile(tree, record["strategies"])
    evaluation = TreeEvaluation(tree, verified, **_read_more(tree, record, verified))
    if evaluation.complete and UNCHECKED not in note:
        note = f"{note}; {UNCHECKED}" if note else UNCHECKED
    if "safety" not in record:
        return evaluation, None, note
    from infoset.solvers.safe.solver import Safety

    return evaluation, Safety.read(verified, record["safety"]), note


def _difference(saved: Any, now: str) -> str:
    if saved == now:
        return f"both are called {printable(now)}, but the rules have changed since it was saved"
    was, name = apart(saved, now)
    return f"it was saved for {was}, and this is {name}"


def _seconds(given: Any) -> float:
    seconds = float(given)
    if not 0 <= seconds < float("inf"):
        raise StrategyError(f"it took {seconds} seconds")
    return seconds


def _record(name: str, content: str) -> dict[str, Any]:
    try:
        record = json.loads(content)
    except json.JSONDecodeError as problem:
        where = f"{name}:{problem.lineno}:{problem.colno}"
        raise FileError(
            f"{where}: no solution file, or a damaged one; solve(game).save(file) writes one"
        ) from None
    except ValueError:  # a whole number of more digits than Python reads
        raise FileError(f"{name}: no solution file, or a damaged one") from None
    except RecursionError:
        raise FileError(f"{name}: no solution file: it is nested too deeply") from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise FileError(f"{name}: no solution file; solve(game).save(file) writes one")
    if record.get("version") != VERSION:
        raise FileError(
            f"{name}: a solution file of version {printable(str(record.get('version')))};"
            f" this is Infoset for version {VERSION}"
        )
    plain = unsealed(record)
    if plain is None or "fingerprint" not in plain or "game" not in plain:
        raise FileError(f"{name}: damaged: its checksum does not fit; solve again and save")
    return plain


def strategy_record(strategy: Behaviour | Mixed) -> dict[str, Any]:
    """A strategy as JSON has it."""
    tree = strategy.tree
    if isinstance(strategy, Mixed):
        return {
            "player": strategy.player,
            "mixed": [
                {"probability": spelled(weight), "chooses": [list(pair) for pair in plan.chosen]}
                for plan, weight in strategy.items()
            ],
        }
    rows = []
    for own, index in enumerate(strategy.choices.infosets.tolist()):
        infoset = tree.infosets[index]
        first = int(strategy.choices.first[own])
        probabilities = strategy.probabilities[first : first + len(infoset.actions)].tolist()
        plays = [
            [text(action), spelled(probability)]
            for action, probability in zip(infoset.actions, probabilities, strict=True)
        ]
        rows.append({"knows": infoset.label, "plays": plays})
    return {"player": strategy.player, "behaviour": rows}


def _read_strategy(tree: Tree, player: str, spelling: dict[str, Any]) -> Strategy:
    if spelling["player"] != player:
        raise StrategyError(
            f"a strategy of {spelling['player']!r} stands in the place of {player!r}"
        )
    if "mixed" in spelling:
        plans = {
            _read_pure(tree, player, row["chooses"]): read_number(row["probability"])
            for row in spelling["mixed"]
        }
        return mixed(tree, player, plans)
    probabilities: list[Any] = [Fraction(1)]
    for infoset, row in zip(tree.infosets_of(player), spelling["behaviour"], strict=True):
        if (row["knows"], [a for a, _ in row["plays"]]) != (infoset.label, _words(infoset)):
            raise StrategyError(f"what {player} knows or may do is not what the game says")
        probabilities += [read_number(probability) for _, probability in row["plays"]]
    return Behaviour(tree, player, np.array(probabilities, object))  # also where no play comes


def _words(infoset: Infoset) -> list[str]:
    return [text(action) for action in infoset.actions]


def _read_pure(tree: Tree, player: str, pairs: list[list[int]]) -> Pure:
    own = tree.choices[tree.player_number(player)]
    sizes = dict(zip(own.infosets.tolist(), own.sizes.tolist(), strict=True))
    chosen: dict[int, int] = {}
    for infoset, action in pairs:
        if infoset in chosen or action not in range(sizes.get(infoset, 0)):
            raise StrategyError(f"{player} cannot choose {action} at set {infoset}, or does twice")
        chosen[infoset] = int(action)
    return Pure(tree, player, tuple(chosen.items()))
