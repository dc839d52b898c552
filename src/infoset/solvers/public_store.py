"""Solutions of public forms in files: facts as JSON, plans as compressed numbers.

The container is that of :mod:`infoset.solvers.container`. Facts are the game and its fingerprint,
the method, and the payoffs and best-response values. The array ``plans`` holds the bytes of both
players' realization weights, doubles, deflated; where the plans are exact, ``weights`` holds them
as JSON, integers of any length as text. Files of version 1, which had a container of their own, are
read, too.

What is read is verified as if it had just been found: it must be plans of this very form, with the
payoffs that the file says. There is no code in it, and no more is unpacked than the form has
sequences.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from infoset.errors import FileError, InfosetError, ParameterError
from infoset.files import file_name, system_errors
from infoset.forms.public import PublicForm, public_form
from infoset.forms.public.merge import MERGED, merged
from infoset.forms.public.plans import GRID
from infoset.linear.numbers import Numbers, fitted
from infoset.rules.game import Game
from infoset.solvers.container import (
    DIGEST,
    PUBLIC_SOLUTION,
    apart,
    read_container,
    refuse_others,
    write_container,
)
from infoset.solvers.convergence import Convergence
from infoset.solvers.public_solution import (
    Floats,
    PublicEvaluation,
    evaluate_plans,
    evaluate_weights,
)
from infoset.solvers.solution import Solution
from infoset.text import printable, read_number, spelled

VERSION_1 = PUBLIC_SOLUTION.magic + b"1\n"
LENGTH = 8  # bytes of the length of the facts, in version 1
LEVEL = 3  # of deflation: more takes longer and hardly saves
NEAR = 1e-9  # by how much weights may miss their sum, and payoffs what a file says, in floats
AGAIN = PUBLIC_SOLUTION.remedy


def save_public(solution: Solution, path: Path) -> None:
    """Write a solution; the file is complete or as it was before."""
    evaluation = solution.evaluation
    assert isinstance(evaluation, PublicEvaluation)
    form, found = evaluation.form, evaluation.verified
    weights = [own.plan for own in found.strategies]
    facts = {
        "game": form.name,
        "fingerprint": form.fingerprint,
        "folded": form.folded,
        "method": solution.method,
        "because": solution.because,
        "note": solution.note,
        "work": dict(solution.work),
        "seconds": round(solution.seconds, 6),
        "exact": found.exact,
        "payoffs": [spelled(amount) for amount in found.payoffs.values()],
        "most": [spelled(amount) for amount in found.best_response_values.values()],
        "course": None if solution.convergence is None else solution.convergence.record,
    }
    plans = b"".join(own.floats.astype("<f8").tobytes() for own in weights)
    arrays = {"plans": np.frombuffer(zlib.compress(plans, LEVEL), np.uint8)}
    if found.exact and not evaluation.rounded:
        exactly = json.dumps(list(map(_written, weights))).encode()
        arrays["weights"] = np.frombuffer(exactly, np.uint8)
    write_container(path, PUBLIC_SOLUTION, facts, arrays)


def load_public(path: Path, game: Any) -> Solution:
    """Read a solution of this form, or of a game's, and verify it."""
    name = file_name(path)
    facts, packed = _read(path)
    form = _form(facts, game)
    if not form.has_fingerprint(facts["fingerprint"]):
        raise FileError(f"{name}: {_difference(facts, form)}")
    try:
        exactly = _weights(form, facts.get("weights"))
        plans = _plans(form, packed, exactly is None and facts["exact"])
        return _solution(form, facts, plans, exactly)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as problem:
        said = problem if isinstance(problem, InfosetError) else "it is not as it was written"
        raise FileError(f"{name}: damaged: {said}; {AGAIN}") from None


def folded_as(path: str | Path) -> tuple[bool, bool]:
    """How the form was made that a saved solution is of: were suits folded, were sets merged?

    >>> from tempfile import TemporaryDirectory
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> with TemporaryDirectory() as folder:
    ...     solve(public_form(kuhn())).save(f"{folder}/kuhn")
    ...     folded_as(f"{folder}/kuhn")
    (False, False)
    """
    return _folding(_read(path)[0])


def _folding(facts: dict[str, Any]) -> tuple[bool, bool]:
    folded = str(facts["folded"])
    return bool(folded.removesuffix(MERGED)), folded.endswith(MERGED)


def _difference(facts: dict[str, Any], form: PublicForm) -> str:
    """In what a solution is of another form than this."""
    was, now = apart(facts["game"], form.name)
    if facts["folded"] != form.folded:
        was, now = (
            printable(f"{name} ({folded})" if folded else name)
            for name, folded in ((was, facts["folded"]), (now, form.folded))
        )
    if was == now:
        return f"both are called {now}, but the rules have changed since it was saved"
    return f"this is a solution of another game or form: it was saved for {was}, and this is {now}"


def _read(path: str | Path) -> tuple[dict[str, Any], bytes]:
    """The facts and the packed plans of a file, if it is whole, and a solution of a public form."""
    name = file_name(path)
    refuse_others(path, "public")
    with system_errors(name, "read"), open(path, "rb") as file:
        if file.read(len(VERSION_1)) == VERSION_1:
            return _version_1(name, file.read())
    facts, arrays = read_container(path, PUBLIC_SOLUTION)
    try:
        exactly = arrays.get("weights")
        facts["weights"] = None if exactly is None else json.loads(exactly.tobytes())
        return _checked(facts), arrays["plans"].tobytes()
    except (LookupError, ValueError, RecursionError):
        raise FileError(f"{name}: damaged: it is not as it was written; {AGAIN}") from None


def _version_1(name: str, rest: bytes) -> tuple[dict[str, Any], bytes]:
    """The same of a file of version 1: the length of the facts, facts, plans, and a checksum."""
    if hashlib.sha256(VERSION_1 + rest[:-DIGEST]).digest() != rest[-DIGEST:]:
        raise FileError(f"{name}: damaged: its checksum does not fit; {AGAIN}")
    end = LENGTH + int.from_bytes(rest[:LENGTH], "little")
    try:
        return _checked(json.loads(rest[LENGTH:end])), rest[end:-DIGEST]
    except (ValueError, AttributeError, RecursionError):
        raise FileError(f"{name}: damaged: it is not as it was written; {AGAIN}") from None


def _checked(facts: dict[str, Any]) -> dict[str, Any]:
    if not {"game", "fingerprint", "folded", "exact"} <= facts.keys():
        raise ValueError
    return facts


def _form(facts: dict[str, Any], game: Any) -> PublicForm:
    """The form that is given, or that of the game, folded as the file says."""
    if isinstance(game, PublicForm):
        return game
    if not isinstance(game, Game):
        raise ParameterError(f"{game!r:.60} is no game and no public form; give one of them")
    fold, merge = _folding(facts)
    form = public_form(game, fold=fold)
    return merged(form) if merge else form


def _plans(form: PublicForm, packed: bytes, exact: Any) -> tuple[Floats, Floats]:
    """The plans of both players, if they are plans of this form."""
    size = 8 * sum(form.sequences)
    unpacking = zlib.decompressobj()
    try:
        raw = unpacking.decompress(packed, size + 1)
    except zlib.error:
        raise FileError("its plans cannot be unpacked") from None
    if len(raw) != size:
        raise FileError(f"its plans are not of {sum(form.sequences):,} sequences")
    both = np.frombuffer(raw, "<f8").astype(np.float64)
    plans = both[: form.sequences[0]], both[form.sequences[0] :]
    for player, plan in enumerate(plans):
        _check_plan(form, player, plan, exact is True)
    return plans


def _written(weights: Numbers) -> dict[str, Any]:
    """Exact weights as JSON: whole numbers of any length, as texts."""
    return {"over": [str(one) for one in weights.numerators], "under": str(weights.denominator)}


def _weights(form: PublicForm, told_: Any) -> tuple[Numbers, Numbers] | None:
    """Exact weights of both players, if a file has them and they are plans of this form."""
    if told_ is None:
        return None
    one, two = (
        Numbers(fitted([int(over) for over in own["over"]]), int(own["under"])) for own in told_
    )
    for player, own in enumerate((one, two)):
        over = own.numerators.astype(object)
        if len(over) != form.sequences[player] or over[0] != own.denominator or min(over) < 0:
            raise FileError(f"the plan of {form.players[player]} has weights that are none")
        _check_sums(form, player, over, 0)
    return one, two


def _check_plan(form: PublicForm, player: int, plan: Floats, exact: bool) -> None:
    """Refuse what is no plan: weights below 0, or options that do not sum to what is before."""
    name = form.players[player]
    if not np.isfinite(plan).all() or (plan < 0).any() or plan[0] != 1:
        raise FileError(f"the plan of {name} has weights that are none")
    if exact and (plan * GRID % 1).any():
        raise FileError(f"the plan of {name} is not as exact as the file says")
    _check_sums(form, player, plan, 0 if exact else NEAR)


def _check_sums(form: PublicForm, player: int, plan: Any, room: float) -> None:
    """Refuse weights that do not add up to those before them."""
    for number_, one in enumerate(form.decisions[player]):
        begin, options = int(form.begins[player][number_]), len(one.menu)
        whole = plan[begin : begin + options * len(one)].reshape(options, len(one)).sum(axis=0)
        before = plan[form.leading_to(one)]
        if (np.abs(whole - before) > room).any():
            name = form.players[player]
            raise FileError(f"the weights of {name} do not sum to those before them")


def _solution(
    form: PublicForm,
    facts: dict[str, Any],
    plans: tuple[Floats, Floats],
    exactly: tuple[Numbers, Numbers] | None,
) -> Solution:
    if exactly is not None:
        evaluation = evaluate_weights(form, exactly)
    else:
        evaluation = evaluate_plans(form, plans, facts["exact"] is True)
    found = evaluation.verified
    room = 0 if found.exact else NEAR * max(1, float(form.spread))
    said = [read_number(amount) for amount in (*facts["payoffs"], *facts["most"])]
    known: tuple[Any, ...] = (*found.payoffs.values(), *found.best_response_values.values())
    for amount, told_ in zip(known, said, strict=True):
        if abs(amount - told_) > room:
            raise FileError("its payoffs or regrets are not those of its plans")
    convergence = None if facts["course"] is None else Convergence.from_record(facts["course"])
    return Solution(
        evaluation=evaluation,
        method=printable(str(facts["method"])),
        because=printable(str(facts["because"])),
        work=MappingProxyType({str(k): int(v) for k, v in facts["work"].items()}),
        note=printable(str(facts["note"])),
        seconds=float(facts["seconds"]),
        convergence=convergence,
    )
