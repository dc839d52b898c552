"""One game in a process of its own, so that its memory is its own: told as JSON, line by line.

    python benchmarks/public/child.py grow leduc ranks=13 suits=4
    python benchmarks/public/child.py solve holdem regret=0.03 one=QQ+

``grow`` builds the public form some times and iterates for a while; ``solve`` is one run from the
rules to the verified answer, which tells its regret as it goes.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

ROUNDS = 3
LONG = 5.0  # seconds: a build that takes longer is done once


def tell(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)


def peak() -> int:
    """The most bytes of memory that this process has had.

    Linux counts what the parent had when it started the process as the process's own in
    ``getrusage``; its status does not.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def game_of(name: str, settings: list[str]) -> Any:
    """A game of the library by its name and its parameters."""
    import infoset.games

    pairs = (setting.split("=", 1) for setting in settings)
    parameters = {key: int(value) if value.isdigit() else value for key, value in pairs}
    return getattr(infoset.games, name)(**parameters)


def grow(name: str, *settings: str) -> None:
    """Build the form, lay it out, iterate; with one worker, and with as many as there are cores."""
    import numpy as np
    from clocks import cores, iterations

    from infoset.forms.public import public_form
    from infoset.forms.public.plans import work
    from infoset.solvers.cfr.loop import PublicLoop
    from infoset.solvers.cfr.public_layout import lay_out_public, pennies, public_bytes_needed
    from infoset.solvers.cfr.variants import variant

    row, game = variant("discounted-cfr"), game_of(name, list(settings))
    PublicLoop(lay_out_public(pennies()), row).iterate(1)  # compiled, or loaded
    tell(start=peak())
    built: list[float] = []
    form: Any = None
    while len(built) < ROUNDS and sum(built) < LONG:
        form = None  # two forms at once would be the most memory
        began = time.perf_counter()
        form = public_form(game)
        built.append(time.perf_counter() - began)
    tell(
        built=built,
        nodes=form.counts.nodes,
        whole=sum(form.counts.infosets),
        sets=sum(form.infosets),
        sequences=sum(form.sequences),
        leaves=len(form.leaves),
        entries=2 * work(form),
        tables=form.nbytes,
        needed=public_bytes_needed(form, "float64"),
        after_build=peak(),
    )
    for key, crew in (("one", 1), ("all", cores())):
        loop = PublicLoop(lay_out_public(form, np.float64, crew), row)
        tell(**{key: iterations([loop], ROUNDS)[0], f"{key}_peak": peak()})
        del loop
    tell(peak=peak())


def solve(name: str, *settings: str) -> None:
    """From the rules to a regret."""
    from infoset.forms.public import public_form
    from infoset.solvers.public import solve_public

    goal = next(float(one.split("=")[1]) for one in settings if one.startswith("regret="))
    game = game_of(name, [one for one in settings if not one.startswith("regret=")])
    began = time.perf_counter()
    form = public_form(game)
    tell(built=time.perf_counter() - began, nodes=form.counts.nodes, sets=sum(form.infosets))
    told = 0

    def watch(moment: Any) -> None:
        nonlocal told
        for point in moment.points[told:]:
            tell(iterations=point.iterations, seconds=point.seconds, regrets=point.regrets)
        told = len(moment.points)

    solution = solve_public(form, regret=goal, prove=False, watch=watch)
    convergence = solution.convergence
    assert convergence is not None
    for point in convergence.points[told:]:
        tell(iterations=point.iterations, seconds=point.seconds, regrets=point.regrets)
    regrets = list(map(float, solution.regrets.values()))
    tell(solved=time.perf_counter() - began, verified=regrets, value=float(solution.value))
    tell(peak=peak(), done=solution.work["iterations"])


def facts(
    mode: str,
    game: str,
    *,
    cold: bool = False,
    each: Callable[[dict[str, Any]], None] | None = None,
) -> dict[str, Any]:
    """What a process of its own tells, all lines together; ``process`` are all of its seconds.

    A ``cold`` one finds nothing compiled.
    """
    found: dict[str, Any] = {}
    with ExitStack() as stack:
        environment = dict(os.environ)
        if cold:
            environment["NUMBA_CACHE_DIR"] = stack.enter_context(tempfile.TemporaryDirectory())
        began = time.perf_counter()
        command = [sys.executable, __file__, mode, *game.split()]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=environment
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                told = json.loads(line)
                found |= told
                if each is not None:
                    each(told)
        if process.returncode:
            raise RuntimeError(f"{' '.join(command)}: status {process.returncode}")
        found["process"] = time.perf_counter() - began
    return found


if __name__ == "__main__":
    {"grow": grow, "solve": solve}[sys.argv[1]](*sys.argv[2:])
