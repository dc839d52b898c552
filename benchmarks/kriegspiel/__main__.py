"""Kriegspiel: how large information sets become, and how well players that search play.

    python benchmarks/kriegspiel sizes [--games 2] [--plies 50] [--plot FILE]
    python benchmarks/kriegspiel random | pimc | hybrid | models [--games 200] [--plot FILE]
    python benchmarks/kriegspiel ending

``sizes``   The number of histories in White's information set along games, counted while there are
            at most 20,000 different positions, and estimated from there on.
``random``  The player against play at random: the share of games won, at least 95 %?
``pimc``    The player against perfect-information Monte Carlo at equal time, which is measured.
``hybrid``  Table 1 of the slides: both models of the other against hybrid sampling (HS). That is
            perfect-information Monte Carlo with positions that agree with all observations while
            there are any, and boards by the last observation from there on.
``models``  Table 2 of the slides: overconfident against paranoid.
``ending``  King and rook against king on small boards: what players that search reach against an
            opponent who knows how they play, beside the exact value.

All games are recorded below build/kriegspiel, one by one, with the processor time and the attempts
of both: an interrupted command goes on where it was, and one with more ``--games`` adds to those
that were played. Every two games have one seed, and the colours changed; every line has Student's
interval of 95 % over these pairs. ``--seconds`` begins no game after so long; whenever a command
ends, all pairings have about as many games.

The size of an information set is the number of histories, sequences of legal moves, that agree with
all that the player was told. While positions are few, their histories are counted exactly. Beyond,
with a population of N histories, the number grows at each move of the other by the mean over the
population of the number of moves that agree with what was told until the next, and the population
is drawn anew, each history by that number. The product is an unbiased estimate (P. Del Moral,
Feynman-Kac formulae, 2004, of such products in general).
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from infoset import best_response, solve
from infoset.games import king_rook_king, kriegspiel
from infoset.games.kriegspiel import Step, after, agreeing, steps_of
from infoset.objects.chessboard import Men
from infoset.play import PlayerStrategy, Referee, Seated, entrant
from infoset.play.standings import interval

FOLDER = Path("build/kriegspiel")
COUNTED = 20_000  # positions of which all are kept
POPULATION = 300
PLAYER = "kriegspiel:method=informed,depth=2,samples=24,replies=300,particles=200,others=sensible"
AS_LONG = PLAYER.replace("samples=24", "samples=22")  # takes as long as PIMC
PIMC = "kriegspiel:method=pimc,depth=2,samples=17,particles=200,others=uniform"
# Of all players of the tables.
SEARCH = "samples=12,replies=2,particles=200,others=uniform,evaluate=mobility"
SIZES = "overconfident:depth=1,evaluate=mobility,samples=12"
TABLE_1 = {  # d: paranoid, overconfident against HS, in the slides, with half the interval
    1: ((-0.066, 0.020), (0.194, 0.038)),
    2: ((0.032, 0.035), (0.122, 0.040)),
    3: ((0.024, 0.038), (0.012, 0.042)),
}
TABLE_2 = {  # overconfident's depth: against paranoid at depths 1, 2, 3
    1: (0.084, 0.186, 0.190),
    2: (0.140, 0.120, 0.156),
    3: (0.170, 0.278, 0.154),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=COMMANDS)
    parser.add_argument("--games", type=int, default=200, help="of each pairing")
    parser.add_argument("--plies", type=int, default=80, help="of a game whose sets are counted")
    parser.add_argument("--moves", type=int, default=400, help="of both players, then a draw")
    parser.add_argument("--depths", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--search", default=SEARCH, help="settings of all players of the tables")
    parser.add_argument("--player", help="of random and pimc")
    parser.add_argument("--pimc", default=PIMC, help="perfect-information Monte Carlo of pimc")
    parser.add_argument("--seconds", type=float, default=math.inf, help="for the command")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plot", type=Path)
    asked = parser.parse_args()
    asked.until = time.monotonic() + asked.seconds
    FOLDER.mkdir(parents=True, exist_ok=True)
    COMMANDS[asked.what](asked)


# ---------------------------------------------------------------------- games


class Pairing(NamedTuple):
    """Two players, and what was found elsewhere for the first of them: mean, half the interval."""

    title: str
    first: str
    second: str
    original: tuple[float, float | None] | None = None


class Trial(NamedTuple):
    """One game; two in a row have the same seed, and the colours changed."""

    first: str
    second: str
    moves: int
    seed: int
    number: int


class Found(NamedTuple):
    """How it ended for the first player, and what both have spent."""

    paid: float
    attempts: tuple[int, int]
    seconds: tuple[float, float]  # of the processor


Games = dict[Trial, Found]


class Timed(Seated):
    """A player with a stopwatch."""

    def __init__(self, player: Any) -> None:
        self.player, self.attempts, self.seconds = player, 0, 0.0

    def begin(self, game: Any, seat: str, clock: Any) -> None:
        """See Player.begin."""
        self.player.begin(game, seat, clock)

    def told(self, fact: Any) -> None:
        """See Player.told."""
        self.player.told(fact)

    def took(self, option: Any) -> None:
        """See Player."""
        self.player.took(option)

    def choose(self, options: Any) -> Any:
        """The player's choice, timed."""
        began = time.process_time()
        chosen = self.player.choose(options)
        self.seconds += time.process_time() - began
        self.attempts += 1
        return chosen


def run(trial: Trial) -> tuple[Trial, Found]:
    """Play a game."""
    game = kriegspiel(moves=trial.moves)
    pair = [Timed(entrant(name).make()) for name in (trial.first, trial.second)]
    seats = dict(zip(game.players, pair if trial.number % 2 == 0 else pair[::-1], strict=True))
    record = Referee(game).play(seats, seed=f"{trial.seed} {trial.number // 2}")
    if record.forfeit is not None:
        raise RuntimeError(f"{trial}: {record.forfeit}")
    mine = game.players[trial.number % 2]
    spent = [(one.attempts, round(one.seconds, 4)) for one in pair]
    attempts, seconds = zip(*spent, strict=True)
    return trial, Found(float(record.payoffs[mine]), attempts, seconds)


def warm(players: Sequence[str]) -> None:
    """Compile, so that no game's time contains that."""
    for first in players:
        run(Trial(first, "random", 4, 0, 0))


def recorded(file: Path) -> Games:
    """The games of a file; lines that were cut short are left out."""
    found: Games = {}
    for line in file.read_text().splitlines() if file.exists() else ():
        try:
            trial, (paid, attempts, seconds) = json.loads(line)
        except ValueError:
            continue
        found[Trial(*trial)] = Found(paid, tuple(attempts), tuple(seconds))
    return found


def played(asked: argparse.Namespace, pairings: Sequence[Pairing]) -> list[tuple[Pairing, Games]]:
    """The games of all pairings, from the record and new ones."""
    file = FOLDER / f"{asked.what}.jsonl"
    known = recorded(file)
    wanted = [
        Trial(one.first, one.second, asked.moves, asked.seed, number)
        for number in range(asked.games + asked.games % 2)
        for one in pairings
    ]
    left = [trial for trial in wanted if trial not in known]
    if left:
        warm(sorted({one for trial in left for one in trial[:2]}))
    with file.open("a") as out:
        if out.tell():
            out.write("\n")  # after a line that was cut short
        try:
            for trial, found in finished(left, asked.jobs, asked.until):
                known[trial] = found
                out.write(json.dumps([trial, found]) + "\n")
                out.flush()
        except KeyboardInterrupt:
            print("stopped; the same command goes on from here", file=sys.stderr)
    return [
        (one, {trial: known[trial] for trial in wanted
               if trial in known and trial[:2] == one[1:3]})
        for one in pairings
    ]  # fmt: skip


def finished(left: Sequence[Trial], jobs: int, until: float) -> Iterator[tuple[Trial, Found]]:
    """Games as they end."""
    if jobs == 1:
        for trial in left:
            if time.monotonic() > until:
                return
            yield run(trial)
        return
    alone = signal.SIGINT, signal.SIG_IGN  # Ctrl-C is for this process, which ends the others
    with multiprocessing.Pool(jobs, initializer=signal.signal, initargs=alone) as pool:
        for one in pool.imap_unordered(run, left):
            yield one
            if time.monotonic() > until:
                return


class Line(NamedTuple):
    """What the games of a pairing say."""

    pairing: Pairing
    mean: float
    half: float
    counts: Counter[float]
    milliseconds: tuple[float, float]  # an attempt, of both
    seconds: tuple[float, float]  # a game


def summary(pairing: Pairing, games: Games) -> Line:
    """The mean over pairs of games of one seed, with Student's interval of 95 %."""
    pairs: dict[int, list[float]] = {}
    for trial, found in games.items():
        pairs.setdefault(trial.number // 2, []).append(found.paid)
    whole = [sum(paid) / 2 for paid in pairs.values() if len(paid) == 2]
    mean, half = interval(whole)
    spent = [sum(found.seconds[at] for found in games.values()) for at in (0, 1)]
    tried = [sum(found.attempts[at] for found in games.values()) for at in (0, 1)]
    return Line(
        pairing,
        mean,
        half,
        Counter(found.paid for found in games.values()),
        tuple([1000 * spent[at] / max(tried[at], 1) for at in (0, 1)]),
        tuple([spent[at] / max(len(games), 1) for at in (0, 1)]),
    )


def report(asked: argparse.Namespace, pairings: Sequence[Pairing]) -> None:
    """Play, print, and draw."""
    lines = [summary(*one) for one in played(asked, pairings)]
    print(
        f"{'':36}{'mean':>7}  interval of 95 %   won drawn  lost   slides           ms an attempt"
        "   s a game"
    )
    for one in lines:
        low, high = one.mean - one.half, one.mean + one.half
        said = ""
        if one.pairing.original:
            mean, half = one.pairing.original
            said = f"{mean:+.3f}" + ("" if half is None else f" ± {half:.3f}")
        spent = f"{one.milliseconds[0]:.2f}, {one.milliseconds[1]:.2f}"
        spent += f"       {one.seconds[0]:.2f}, {one.seconds[1]:.2f}"
        print(
            f"{one.pairing.title:36}{one.mean:+7.3f}  [{low:+.3f}, {high:+.3f}]  "
            f"{one.counts[1.0]:5} {one.counts[0.0]:5} {one.counts[-1.0]:5}   {said:15}  {spent}"
        )
    if asked.plot:
        plot_lines(lines, asked.plot)


def against_random(asked: argparse.Namespace) -> None:
    """How much is won from whoever moves at random."""
    report(asked, [Pairing("the player, random", asked.player or PLAYER, "random")])


def against_pimc(asked: argparse.Namespace) -> None:
    """Perfect-information Monte Carlo; its samples are chosen so that both take as long."""
    report(asked, [Pairing("the player, pimc", asked.player or AS_LONG, asked.pimc)])


def table_1(asked: argparse.Namespace) -> None:
    """Both models against hybrid sampling."""
    report(asked, [
        Pairing(f"{model} against HS, depth {depth}", named(model, depth, asked),
                named("pimc", depth, asked), TABLE_1[depth][at])
        for depth in asked.depths for at, model in enumerate(("paranoid", "overconfident"))
    ])  # fmt: skip


def table_2(asked: argparse.Namespace) -> None:
    """Overconfident against paranoid."""
    report(asked, [
        Pairing(f"depth {depth} against depth {other}", named("overconfident", depth, asked),
                named("paranoid", other, asked), (TABLE_2[depth][other - 1], None))
        for depth in asked.depths for other in asked.depths
    ])  # fmt: skip


def named(method: str, depth: int, asked: argparse.Namespace) -> str:
    """A player of the tables."""
    return f"kriegspiel:method={method},depth={depth},{asked.search}"


def plot_lines(lines: Sequence[Line], file: Path) -> None:
    """Our means with intervals, and those of the slides beside them."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 1.2 + 0.32 * len(lines)), layout="constrained")
    axes = figure.subplots()
    for at, one in enumerate(lines):
        new = at == 0
        axes.errorbar(one.mean, -at, xerr=one.half, fmt="o", color="C0", capsize=3,
                      label="here, with intervals of 95 %" if new else None)  # fmt: skip
        if one.pairing.original:
            mean, half = one.pairing.original
            axes.errorbar(mean, -at - 0.25, xerr=half, fmt="s", color="C1", capsize=3,
                          markersize=4, label="the slides" if new else None)  # fmt: skip
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set_yticks([-at for at in range(len(lines))], [one.pairing.title for one in lines])
    axes.set_xlabel("mean of won (1), drawn (0) and lost (−1)")
    axes.legend(fontsize=8)
    figure.savefig(file)


# ---------------------------------------------------------------------- sizes


def sizes(asked: argparse.Namespace) -> None:
    """Information sets along games, and their figure."""
    file = FOLDER / f"sizes {asked.plies} {asked.seed}.jsonl"
    found = [json.loads(one) for one in file.read_text().splitlines()] if file.exists() else []
    for number in range(len(found), asked.games):
        if time.monotonic() > asked.until and found:
            break
        found.append(game_sizes(asked, asked.seed + number))
        with file.open("a") as out:
            out.write(json.dumps(found[-1]) + "\n")
    print("White's move   histories in its information set, by game")
    for at in range(0, max(map(len, found)), 5):
        row = "".join(size_text(one[at]) if at < len(one) else " " * 12 for one in found)
        print(f"{at + 1:12}   {row}")
    known = [size for one in found for size in one if not math.isnan(size)]
    print(f"the largest of all: {10 ** max(known):.3g}; the slides: 1e+14")
    if asked.plot:
        plot(found, asked.plot)


def size_text(size: float) -> str:
    """A size; "lost" where no history of the population agrees any more."""
    return "        lost" if math.isnan(size) else f"{10**size:12.3g}"


def game_sizes(asked: argparse.Namespace, seed: int) -> list[float]:
    """The decimal logarithms of the sizes at White's moves of one game."""
    game = kriegspiel(moves=asked.plies)
    pair = {seat: entrant(SIZES).make() for seat in game.players}
    record = Referee(game).play(pair, seed=seed)
    position, views = game.position(), []
    for _, move in record.moves:
        if position.movers == ("white",) and not position.state.refused:
            views.append(position.view("white"))
        position = position.after(move)
    counted, steps = Size(game.position().state.men, Random(seed)), ()
    found = []
    for view in views:
        every = steps_of(view, "white") or ()
        found.append(counted.at(every))
        steps = every
    print(f"game {seed}: {len(found)} moves of White, {len(steps)} steps", flush=True)
    return found


class Size:
    """The number of histories of an information set, carried from step to step."""

    def __init__(self, start: Men, random: Random) -> None:
        self.random = random
        self.held: dict[Men, int] = {start: 1}  # all positions, with their histories
        self.drawn: list[Men] = []  # a population, once there are too many
        self.log = 0.0
        self.done = 0

    def at(self, steps: tuple[Step, ...]) -> float:
        """The decimal logarithm of the number at the last step, which may be in progress."""
        while self.done < len(steps) - 1:
            self._carry(steps[self.done])
            self.done += 1
        men = self.drawn or list(self.held)
        ways = [len(agreeing(one, steps[-1], "white", False)[0]) for one in men]
        if self.drawn:
            return self.log + math.log10(sum(ways) / len(ways)) if sum(ways) else math.nan
        return math.log10(sum(way * self.held[one] for way, one in zip(ways, men, strict=True)))

    def _carry(self, step: Step) -> None:
        if self.drawn:
            return self._carry_drawn(step)
        after_it: Counter[Men] = Counter()
        for men, histories in self.held.items():
            for moves in agreeing(men, step, "white", False)[0]:
                after_it[ended(men, moves)] += histories
        self.held = dict(after_it)
        if len(self.held) > COUNTED:
            total = sum(self.held.values())
            self.log = math.log10(total)
            self.drawn = self.random.choices(
                list(self.held), list(self.held.values()), k=POPULATION
            )
        return None

    def _carry_drawn(self, step: Step) -> None:
        ways = [agreeing(men, step, "white", False)[0] for men in self.drawn]
        counts = [len(way) for way in ways]
        if not sum(counts):
            self.log = math.nan
            return
        self.log += math.log10(sum(counts) / len(counts))
        chosen = self.random.choices(range(len(ways)), counts, k=POPULATION)
        self.drawn = [ended(self.drawn[at], self.random.choice(ways[at])) for at in chosen]


def ended(men: Men, moves: tuple[str, ...]) -> Men:
    """The position after attempts; those that are illegal change nothing."""
    for move in moves:
        made = after(men, move)
        men = men if made is None else made.men
    return men


def plot(found: list[list[float]], file: Path) -> None:
    """The figure: sizes on a logarithmic scale, and those that the slides name."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for number, one in enumerate(found):
        axes.plot(range(1, len(one) + 1), [10**size for size in one], label=f"game {number + 1}")
    for name, size in (("kriegspiel", 1e14), ("bridge", 1e7), ("Texas hold'em", 1e3)):
        axes.axhline(size, color="grey", linewidth=0.8, linestyle="--")
        axes.annotate(f"{name}, by the slides", (1, size), va="bottom", fontsize=8, color="grey")
    axes.set_yscale("log")
    axes.set_xlabel("move of White")
    axes.set_ylabel("histories in White's information set")
    axes.legend(fontsize=8)
    figure.savefig(file)


# ---------------------------------------------------------------------- an ending that is solved


def ending(asked: argparse.Namespace) -> None:
    """What players guarantee in king and rook against king, beside the optimum."""
    file = FOLDER / "ending.jsonl"
    known = dict(map(json.loads, file.read_text().splitlines())) if file.exists() else {}
    rows = []
    for title, sizes in BOARDS.items():
        game = king_rook_king(**sizes)
        for player in ENDING:
            key = f"{title}; {player}"
            if key not in known and time.monotonic() < asked.until:
                known[key] = guaranteed(game, player)
                with file.open("a") as out:
                    out.write(json.dumps([key, known[key]]) + "\n")
            if key in known:
                rows.append((key, *known[key]))
    print(f"{'':62}{'White':>8}{'Black':>8}   guaranteed payoffs")
    for key, white, black in rows:
        print(f"{key:62}{white:+8.3f}{black:+8.3f}")


def guaranteed(game: Any, player: str) -> tuple[float, float]:
    """What White and Black get at least if a player moves for them; of "optimal" the value."""
    if player == "optimal":
        value = float(solve(game).value)
        return value, -value
    plays = PlayerStrategy(game, entrant(player).make)
    worst = [-best_response(game, plays, other).value for other in ("black", "white")]
    return float(worst[0]), float(worst[1])


BOARDS: dict[str, dict[str, Any]] = {
    "3 by 3": {},
    "4 by 4": {"width": 4, "height": 4, "king": "c3", "rook": "d1"},
}
ENDING = (
    "optimal",
    "overconfident:depth=40,samples=10",
    "paranoid:depth=40,samples=10",
    "pimc:depth=40,samples=10",
    "ismcts:iterations=200",
    "random",
)

COMMANDS = {
    "sizes": sizes, "random": against_random, "pimc": against_pimc, "hybrid": table_1,
    "models": table_2, "ending": ending,
}  # fmt: skip


if __name__ == "__main__":
    main()
