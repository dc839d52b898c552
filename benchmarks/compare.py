"""Two source trees on the same work, in one run: is anything slower than before?

    python benchmarks/compare.py BEFORE [AFTER]

BEFORE and AFTER are checkouts, such as ``git worktree add ../before HEAD~20`` makes; AFTER is this
one if it is left out. Each task runs in a process of its own with one checkout on its path, the two
in turn, several times over; the quickest of each counts, since other work on the machine only ever
adds. A first round, which compiles, is not measured. Tasks use names that both versions share.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROUNDS = 4

# Each is run as a script that ends with the seconds that its last part took, in a variable `took`.
START = "from time import perf_counter as clock\n"
GAME = "from infoset.games import {}\nfrom infoset import solve\n"
# Decisions of one player at the positions of three random plays, which all versions share.
DECIDE = """
from random import Random
from infoset.play import Clock, {player}
game, luck, asked = {game}, Random(7), []
for _ in range(3):
    at = game.position()
    while not at.over:
        seats = at.movers
        for seat in seats:
            if len(at.options(seat)) > 1:
                asked.append((seat, at.view(seat), at.options(seat)))
        menus = [at.options(seat) for seat in seats] or [[one for one, _ in at.chances()]]
        made = [luck.choice(menu) for menu in menus]
        at = at.after(tuple(made) if len(made) > 1 else made[0])
asked = asked[:{most}]
players = {{seat: {player}({settings}) for seat, _, _ in asked}}
for seat, player in players.items():
    player.begin(game, seat, Clock(random=Random(3)))
began = clock()
for seat, view, options in asked:
    players[seat].decide(view, options)
took = clock() - began
"""


def decide(game: str, player: str, settings: str, most: int = 12) -> str:
    """The script of a task: decisions of a player that searches."""
    name, dot, _ = game.partition("(")
    made = DECIDE.format(game=game, player=player, settings=settings, most=most)
    return GAME.format(name if dot else game) + made


TASKS = {
    "import infoset": "began = clock(); import infoset; took = clock() - began",
    "tree of leduc": GAME.format("leduc")
    + "leduc().tree(); began = clock(); leduc().tree(); took = clock() - began",
    "tree of liars_dice": GAME.format("liars_dice")
    + "began = clock(); liars_dice().tree(); took = clock() - began",
    "tree of kuhn(ranks=300), vectorized": GAME.format("kuhn")
    + "kuhn(ranks=9).tree(); began = clock(); kuhn(ranks=300).tree(); took = clock() - began",
    "public form of leduc": GAME.format("leduc")
    + "leduc().public(); began = clock(); leduc().public(); took = clock() - began",
    "lp on kuhn(ranks=40), exact": GAME.format("kuhn")
    + "solve(kuhn()); tree = kuhn(ranks=40).tree()\n"
    + "began = clock(); solve(tree, 'lp'); took = clock() - began",
    "lp on leduc, exact": GAME.format("leduc, kuhn")
    + "solve(kuhn()); tree = leduc().tree()\n"
    + "began = clock(); solve(tree, 'lp'); took = clock() - began",
    "cfr+ on leduc, 2,000 iterations": GAME.format("leduc, kuhn")
    + "solve(kuhn(), 'cfr+', iterations=9); tree = leduc().tree()\n"
    + "began = clock(); solve(tree, 'cfr+', iterations=2000, workers=1); took = clock() - began",
    "cfr+ on liars_dice, 200 iterations": GAME.format("liars_dice, kuhn")
    + "solve(kuhn(), 'cfr+', iterations=9); tree = liars_dice().tree()\n"
    + "began = clock(); solve(tree, 'cfr+', iterations=200, workers=1); took = clock() - began",
    "cfr+ on the public form of leduc, 2,000 iterations": GAME.format("leduc, kuhn")
    + "solve(kuhn().public(), 'cfr+', iterations=9); form = leduc().public()\n"
    + "began = clock(); solve(form, 'cfr+', iterations=2000, workers=1); took = clock() - began",
    "enumerate on centipede(rounds=6)": GAME.format("centipede, prisoners_dilemma")
    + "solve(prisoners_dilemma(), 'enumerate'); tree = centipede(rounds=6).tree()\n"
    + "began = clock(); solve(tree, 'enumerate'); took = clock() - began",
    "quasi-perfect on leduc": GAME.format("leduc, kuhn")
    + "solve(kuhn(), 'quasi-perfect'); tree = leduc().tree()\n"
    + "began = clock(); solve(tree, 'quasi-perfect'); took = clock() - began",
    "external sampling of leduc, 2,000 iterations": GAME.format("leduc")
    + "from infoset import sample; sample(leduc(), iterations=5)\n"
    + "began = clock(); sample(leduc(), iterations=2000); took = clock() - began",
    "smab on goofspiel(cards=7)": GAME.format("goofspiel")
    + "from infoset.search import smab; smab(goofspiel(cards=3))\n"
    + "began = clock(); smab(goofspiel(cards=7)); took = clock() - began",
    "smab on goofspiel(cards=4), exact": GAME.format("goofspiel")
    + "from infoset.search import smab; smab(goofspiel(cards=3), exact=True)\n"
    + "began = clock(); smab(goofspiel(cards=4), exact=True); took = clock() - began",
    "print a solution of leduc": GAME.format("leduc")
    + "solution = solve(leduc()); began = clock(); str(solution); took = clock() - began",
    "table of a public solution": GAME.format("leduc")
    + "solution = solve(leduc().public(), iterations=50)\n"
    + "began = clock(); str(solution.table('one')); took = clock() - began",
    "draw leduc": GAME.format("leduc")
    + "tree = leduc().tree(); began = clock(); tree.draw().svg; took = clock() - began",
    "save and load a solution of leduc": GAME.format("leduc")
    + "from tempfile import mkdtemp; from infoset import Solution\n"
    + "tree = leduc().tree(); solution = solve(tree); file = mkdtemp() + '/leduc'\n"
    + "began = clock(); solution.save(file); Solution.load(file, tree); took = clock() - began",
    "play leduc: ismcts, 500 iterations": decide("leduc()", "TreeSearchPlayer", "iterations=500"),
    "play liars_dice: ismcts, 500 iterations": decide(
        "liars_dice()", "TreeSearchPlayer", "iterations=500"
    ),
    "play goofspiel(cards=5): ismcts, 500 iterations": decide(
        "goofspiel(cards=5)", "TreeSearchPlayer", "iterations=500"
    ),
    "play blind_tic_tac_toe: ismcts, 500 iterations": decide(
        "blind_tic_tac_toe()", "TreeSearchPlayer", "iterations=500"
    ),
    "play battleships: ismcts, 100 iterations": decide(
        "battleships()", "TreeSearchPlayer", "iterations=100"
    ),
    "play leduc: overconfident": decide("leduc()", "InformationSetPlayer", "depth=4, samples=100"),
    "play liars_dice: overconfident": decide(
        "liars_dice()", "InformationSetPlayer", "depth=4, samples=20"
    ),
    "play blind_tic_tac_toe: overconfident": decide(
        "blind_tic_tac_toe()", "InformationSetPlayer", "depth=4, samples=10", 4
    ),
    "play leduc: pimc": decide("leduc()", "PerfectInformationPlayer", "depth=4, samples=20"),
    "play blind_tic_tac_toe: pimc": decide(
        "blind_tic_tac_toe()", "PerfectInformationPlayer", "depth=2, samples=10", 6
    ),
}


def seconds(checkout: Path, script: str) -> float:
    """How long the last part of a script takes with one checkout's package."""
    env = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    code = START + script + "\nprint(__import__('json').dumps(took))"
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{checkout}: {script}\n{done.stderr[-2000:]}")
    return float(json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path, nargs="?", default=Path(__file__).parents[1])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--only", default="", help="tasks with this text in their name")
    asked = parser.parse_args()
    print(f"{'task':52} {'before':>10} {'after':>10}  after / before")
    for name, script in TASKS.items():
        if asked.only not in name:
            continue
        best = {asked.before: float("inf"), asked.after: float("inf")}
        for checkout in best:
            seconds(checkout.resolve(), script)  # compiles, if it must
        for _ in range(asked.rounds):
            for checkout in best:
                best[checkout] = min(best[checkout], seconds(checkout.resolve(), script))
        one, two = best.values()
        print(f"{name:52} {one:9.4f}s {two:9.4f}s  {two / one:.2f}", flush=True)


if __name__ == "__main__":
    main()
