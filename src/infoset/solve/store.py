"""Solutions in files: JSON, exact numbers as text, no code.

A file names its game by a fingerprint and carries a checksum of itself. What is read is verified
as if a solver had just found it: payoffs and regrets are computed anew, and must be what it says.
"""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from infoset.errors import FileError, InfosetError, StrategyError
from infoset.linear.numbers import Numbers
from infoset.rules.story import printable, text
from infoset.solve.readable import readable
from infoset.solve.saved import apart, refuse_others
from infoset.solve.solution import UNCHECKED, Solution
from infoset.strategy import Behaviour, Mixed, Profile, Pure, Strategy, mixed, profile
from infoset.strategy.assessment import Assessment, assessment
from infoset.strategy.kuhn import as_mixed, as_plan
from infoset.strategy.trembles import Trembles
from infoset.tree import Infoset, Tree
from infoset.tree.files.atomic import read_text, write_lines

FORMAT = "infoset solution"
VERSION = 1
SPELLING = re.compile(r"-?[0-9]+(/[0-9]+)?|-?0x[0-9a-f]+/0x[0-9a-f]+")
LONG = 4000  # digits from which numbers are written in base 16: Python limits decimal texts


def save_solution(solution: Solution, path: Path) -> None:
    """Write a solution; the file is complete or as it was before."""
    record = {
        "format": FORMAT,
        "version": VERSION,
        "game": solution.tree.name,
        "fingerprint": solution.tree.fingerprint,
        "players": list(solution.tree.names),
        "method": solution.method,
        "because": solution.because,
        "note": solution.note,
        "work": dict(solution.work),
        "seconds": round(solution.seconds, 6),
        "certificate": solution.certificate,
        "payoffs": {player: spelled(amount) for player, amount in solution.payoffs.items()},
        "regrets": {player: spelled(amount) for player, amount in solution.regrets.items()},
        "strategies": [strategy_record(strategy) for strategy in solution.strategy.values()],
    }
    record |= _more(solution)
    record["checksum"] = _checksum(record)
    write_lines(path, [json.dumps(record, indent=1) + "\n"])


def _more(solution: Solution) -> dict[str, Any]:
    """What only some methods find: further equilibria, and trembles or beliefs."""
    more: dict[str, Any] = {"anew": True} if solution.anew else {}
    more |= {} if solution.equilibrium else {"equilibrium": False}
    more |= {} if solution.course is None else {"course": solution.course.record}
    if solution.others or solution.complete:
        more["complete"] = solution.complete
        more["regret"] = spelled(max((one.regret for one in solution.others), default=0))
        more["others"] = [
            [strategy_record(readable(strategy, one)) for strategy in one]
            for one in solution.others
        ]
        more["components"] = [component.record for component in solution.components]
    known = solution.assessment
    if known is not None:
        more["beliefs"] = [[spelled(share) for share in own.values()] for own in known.beliefs]
        more["trembles"] = [
            [[spelled(weight) for weight in power.values()] for power in own.powers]
            for own in known.trembles
        ]
    return more


def _read_more(tree: Tree, record: dict[str, Any], verified: Profile) -> dict[str, Any]:
    """The same again, as fields of a solution."""
    more: dict[str, Any] = {"anew": _truth(record.get("anew", False))}
    more["equilibrium"] = _truth(record.get("equilibrium", True))
    if "course" in record:
        from infoset.solve.regret.course import Course

        more["course"] = Course.from_record(record["course"])
    if "others" in record:
        from infoset.solve.extremes.components import Component, components

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
        given = dict(zip(tree.infosets, map(_read_shares, record["beliefs"]), strict=True))
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


def _read_shares(given: list[str]) -> list[Fraction]:
    return [number(share) for share in given]


def _read_numbers(given: list[str]) -> Numbers:
    return Numbers.of(_read_shares(given))


def _read_profile(tree: Tree, given: list[dict[str, Any]]) -> Profile:
    return profile(
        _read_strategy(tree, player, spelling)
        for player, spelling in zip(tree.names, given, strict=True)
    )


def load_solution(path: Path, game: Any) -> Solution:
    """Read a solution of this game, and verify it."""
    from infoset.solve import as_tree

    tree = as_tree(game)
    name = printable(str(path))
    refuse_others(path, "tree")
    record = _record(name, read_text(path))
    if record["fingerprint"] != tree.fingerprint:
        raise FileError(
            f"{name}: this is a solution of another game: {_difference(record['game'], tree.name)}"
        )
    try:
        verified = _read_profile(tree, record["strategies"])
        solution = Solution(
            tree=tree,
            verified=verified,
            method=printable(str(record["method"])),
            because=printable(str(record["because"])),
            work=MappingProxyType({str(k): int(v) for k, v in record["work"].items()}),
            note=printable(str(record["note"])),
            seconds=_seconds(record["seconds"]),
            **_read_more(tree, record, verified),
        )
        if solution.complete and UNCHECKED not in solution.note:
            note = f"{solution.note}; {UNCHECKED}" if solution.note else UNCHECKED
            object.__setattr__(solution, "note", note)
        worst = max((one.regret for one in solution.others), default=0)
        if worst != number(record.get("regret", "0")):
            raise StrategyError("the regret of its further equilibria is not what it says")
        agrees = all(
            number(record[said][player]) == amount
            for said, found in (("payoffs", solution.payoffs), ("regrets", solution.regrets))
            for player, amount in found.items()
        )
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as problem:
        said = problem if isinstance(problem, InfosetError) else "it is not as it was written"
        raise FileError(f"{name}: damaged: {said}") from None
    if not agrees:
        raise FileError(f"{name}: damaged: its payoffs or regrets are not those of its strategies")
    return solution


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
            f"{where}: no solution file, or a damaged one; solve again with --save"
        ) from None
    except ValueError:  # a whole number of more digits than Python reads
        raise FileError(f"{name}: no solution file, or a damaged one") from None
    except RecursionError:
        raise FileError(f"{name}: no solution file: it is nested too deeply") from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise FileError(f"{name}: no solution file; `infoset solve GAME --save FILE` writes one")
    if record.get("version") != VERSION:
        raise FileError(
            f"{name}: a solution file of version {printable(str(record.get('version')))};"
            f" this is Infoset for version {VERSION}"
        )
    checksum = record.pop("checksum", None)
    if checksum != _checksum(record) or "fingerprint" not in record or "game" not in record:
        raise FileError(f"{name}: damaged: its checksum does not fit; solve again and save")
    return record


def _checksum(record: dict[str, Any]) -> str:
    plain = json.dumps(record, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode()).hexdigest()


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
        shares = strategy.shares[first : first + len(infoset.actions)].tolist()
        plays = [
            [text(action), spelled(share)]
            for action, share in zip(infoset.actions, shares, strict=True)
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
            _read_pure(tree, player, row["chooses"]): number(row["probability"])
            for row in spelling["mixed"]
        }
        return mixed(tree, player, plans)
    shares: list[Any] = [Fraction(1)]
    for infoset, row in zip(tree.infosets_of(player), spelling["behaviour"], strict=True):
        if (row["knows"], [a for a, _ in row["plays"]]) != (infoset.label, _words(infoset)):
            raise StrategyError(f"what {player} knows or may do is not what the game says")
        shares += [number(share) for _, share in row["plays"]]
    return Behaviour(tree, player, np.array(shares, object))  # also where no play comes


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


def spelled(value: Any) -> str:
    """An exact number as text.

    >>> spelled(Fraction(-1, 18)), spelled(Fraction(3))
    ('-1/18', '3')
    """
    exact = Fraction(value)
    if max(abs(exact.numerator), exact.denominator).bit_length() > 3 * LONG:
        return f"{exact.numerator:#x}/{exact.denominator:#x}"
    return str(exact)


def number(spelling: str) -> Fraction:
    """The number that a text spells.

    >>> number("-1/18"), number("-0x10/0x3")
    (Fraction(-1, 18), Fraction(-16, 3))
    """
    if not SPELLING.fullmatch(spelling):  # 1e999999999 would be a number, and take for ever
        raise ValueError(f"{printable(spelling[:40])!r} is no number as they are written here")
    if "0x" not in spelling:
        return Fraction(spelling)
    over, _, under = spelling.partition("/")
    return Fraction(int(over, 16), int(under, 16))
