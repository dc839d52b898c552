"""Kriegspiel: how large information sets become, and how well players that search play.

    python benchmarks/kriegspiel sizes [--games 2] [--plies 50] [--plot FILE]
    python benchmarks/kriegspiel random | pimc | hybrid | models [--games 20] [--seed 0]

``sizes``   The number of histories in White's information set along games, counted while there are
            at most 20,000 different positions, and estimated from there on.
``random``  Information-set search against play at random: the share of games won, at least 95 %?
``pimc``    Against perfect-information Monte Carlo at equal time, which is measured.
``hybrid``  Table 1 of the slides: both models of the other against hybrid sampling (HS). That is
            perfect-information Monte Carlo with the game's own sampler: plays that agree with all
            observations while there are any, and boards by the last observation from there on.
``models``  Table 2 of the slides: overconfident against paranoid.

All matches are recorded below build/kriegspiel, game by game: an interrupted command goes on where
it was, and one with more ``--games`` adds to those that were played. Every line has its interval of
95 %. ``--seconds`` ends a command after the game in which so much time is over; ``--depths`` are
those of the tables.

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
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from infoset.games import kriegspiel
from infoset.games.kriegspiel import Step, after, agreeing, steps_of
from infoset.objects.chessboard import Men
from infoset.play import MatchResult, Referee, Seated, Standing, entrant, match

FOLDER = Path("build/kriegspiel")
COUNTED = 20_000  # positions of which all are kept
POPULATION = 300
SEARCH = "evaluate=mobility,samples=12"
TABLE_1 = {  # d: paranoid, overconfident against HS, as in the slides
    1: ("-0.066 ± 0.020", "+0.194 ± 0.038"),
    2: ("+0.032 ± 0.035", "+0.122 ± 0.040"),
    3: ("+0.024 ± 0.038", "+0.012 ± 0.042"),
}
TABLE_2 = {  # overconfident's depth: against paranoid at depths 1, 2, 3
    1: ("+0.084", "+0.186", "+0.190"),
    2: ("+0.140", "+0.120", "+0.156"),
    3: ("+0.170", "+0.278", "+0.154"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=COMMANDS)
    parser.add_argument("--games", type=int, default=20, help="of each pairing")
    parser.add_argument("--plies", type=int, default=80, help="of a game whose sets are counted")
    parser.add_argument("--moves", type=int, default=400, help="of both players, then a draw")
    parser.add_argument("--depths", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--search", default=SEARCH, help="settings of all that search")
    parser.add_argument("--pimc", help="of perfect-information Monte Carlo, if they differ")
    parser.add_argument("--seconds", type=float, default=math.inf, help="for the command")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plot", type=Path)
    asked = parser.parse_args()
    asked.until = time.monotonic() + asked.seconds
    FOLDER.mkdir(parents=True, exist_ok=True)
    COMMANDS[asked.what](asked)


# ---------------------------------------------------------------------- matches


class Enough(Exception):
    """The time is over."""


def played(asked: argparse.Namespace, first: str, second: str) -> MatchResult | None:
    """A match, continued from its record; None if no round of it is over."""
    game = kriegspiel(moves=asked.moves)
    name = f"{first} {second} {asked.moves} {asked.seed}".translate(str.maketrans(":,= ", "----"))
    kept: list[MatchResult] = []

    def watch(result: MatchResult, _: int) -> None:
        kept[:] = [result]
        if time.monotonic() > asked.until and len(result.games) >= 2:
            raise Enough

    record = FOLDER / f"{name}.jsonl"
    try:
        return match(
            game, [first, second], games=asked.games, seed=asked.seed, record=record, watch=watch
        )
    except Enough:
        return kept[0]


def line(title: str, asked: argparse.Namespace, first: str, second: str, original: str) -> None:
    """One pairing: the mean and its interval, beside the original."""
    result = played(asked, first, second)
    assert result is not None
    one: Standing = result.standings()[0]
    outcomes = Counter(won(game) for game in result.games)
    print(
        f"{title:38}{one.mean:+8.3f}  [{one.low:+.3f}, {one.high:+.3f}]"
        f"  {outcomes[1]:3} won {outcomes[0]:3} drawn {outcomes[-1]:3} lost   {original}",
        flush=True,
    )


def won(game: Any) -> int:
    """1 if the first entrant has won, -1 if it has lost."""
    seat = next(name for name, number in game.seats.items() if number == 0)
    return int(game.record.payoffs[seat])


def against_random(asked: argparse.Namespace) -> None:
    """How much is won from whoever moves at random."""
    for depth in asked.depths:
        player = f"overconfident:depth={depth},{asked.search}"
        line(f"overconfident, depth {depth}, random", asked, player, "random", "")
        times(player, "random", asked)


def against_pimc(asked: argparse.Namespace) -> None:
    """Perfect-information Monte Carlo; choose samples so that both take as long."""
    for depth in asked.depths:
        player = f"overconfident:depth={depth},{asked.search}"
        other = f"pimc:depth={depth},{asked.pimc or asked.search}"
        times(player, other, asked)
        line(f"overconfident, pimc, depth {depth}", asked, player, other, "")


def table_1(asked: argparse.Namespace) -> None:
    """Both models against hybrid sampling."""
    print(f"{'against HS':38}{'mean':>8}  interval of 95 %{'':31}slides")
    for depth in asked.depths:
        for at, model in enumerate(("paranoid", "overconfident")):
            player = f"{model}:depth={depth},{asked.search}"
            other = f"pimc:depth={depth},{asked.pimc or asked.search}"
            line(f"{model}, depth {depth}", asked, player, other, TABLE_1[depth][at])


def table_2(asked: argparse.Namespace) -> None:
    """Overconfident against paranoid."""
    print(f"{'overconfident against paranoid':38}{'mean':>8}  interval of 95 %{'':31}slides")
    for depth in asked.depths:
        for against in asked.depths:
            first = f"overconfident:depth={depth},{asked.search}"
            second = f"paranoid:depth={against},{asked.search}"
            title = f"depth {depth} against depth {against}"
            line(title, asked, first, second, TABLE_2[depth][against - 1])


class Timed(Seated):
    """A player with a stopwatch."""

    def __init__(self, player: Any) -> None:
        self.player, self.decisions, self.seconds = player, 0, 0.0

    def begin(self, game: Any, seat: str, clock: Any) -> None:
        """See Player.begin."""
        self.player.begin(game, seat, clock)

    def told(self, fact: Any) -> None:
        """See Player.told."""
        self.player.told(fact)

    def took(self, option: Any) -> None:
        """See Player."""
        getattr(self.player, "took", lambda option: None)(option)

    def choose(self, options: Any) -> Any:
        """The player's choice, timed."""
        began = time.perf_counter()
        chosen = self.player.choose(options)
        self.seconds += time.perf_counter() - began
        self.decisions += 1
        return chosen


def times(first: str, second: str, asked: argparse.Namespace) -> None:
    """The time that both take for an attempt, in one game of at most 40 moves."""
    pair = [Timed(entrant(name).make()) for name in (first, second)]
    game = kriegspiel(moves=40)
    Referee(game).play(dict(zip(game.players, pair, strict=True)), seed=asked.seed)
    spent = " and ".join(f"{one.seconds / max(one.decisions, 1):.3f} s" for one in pair)
    print(f"an attempt took {spent}", flush=True)


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
    player = f"overconfident:depth=1,{asked.search}"
    pair = {seat: entrant(player).make() for seat in game.players}
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


COMMANDS = {
    "sizes": sizes, "random": against_random, "pimc": against_pimc, "hybrid": table_1,
    "models": table_2,
}  # fmt: skip


if __name__ == "__main__":
    main()
