"""The trials of the experiment, and the file that keeps them.

A trial is one board on which the two players meet twice, each in each seat; its score is the mean
of both games. There are two kinds.

*Exact*, where the whole tree can be built: both players search to the end, and the score is their
expected score over all moves that chance may hide. Nothing is left to luck but the board. Optimal
play, an equilibrium, meets both of them in the same way, and what each loses to an opponent who
knows it is its exploitability.

*Played*: kalah beyond that, by players who draw positions and look some moves ahead, all replies
and all that may be hidden, to positions that they value by the lead: the seeds in the own store
less those in the other's, as a part of all seeds. The board is always the same; trials differ in
what chance hides and in what the players draw.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from models import ROUNDING, overconfident, paranoid

from infoset import profile, solve
from infoset.games import LIBRARY
from infoset.games.kalah import Board
from infoset.play import SamplingPlayer, match
from infoset.rules import Position
from infoset.search import InformationSetSearch

EXACT, PLAYED = "exact", "played"


class Trial(NamedTuple):
    """What is played, and which of its trials this is."""

    kind: str
    game: str
    branching: int
    size: int  # the depth of P- and N-games; the seeds of kalah in each pit
    hidden: str  # a fraction
    number: int  # the seed of the board; of what is drawn, if it is played
    depth: int = 0  # that players look ahead, if it is played
    samples: int = 0

    def member(self) -> Any:
        """The game."""
        hidden = Fraction(self.hidden)
        if self.game == "kalah":
            return LIBRARY["kalah"](pits=self.branching, seeds=self.size, hidden=hidden)
        return LIBRARY[self.game](
            branching=self.branching, depth=self.size, hidden=hidden, seed=self.number
        )

    def run(self) -> dict[str, float]:
        """Play it."""
        return exact_scores(self.member()) if self.kind == EXACT else {"score": self.played()}

    def played(self) -> float:
        """What overconfident gets a game from paranoid, over both seats."""
        moves = 2 if 0 < Fraction(self.hidden) < 1 else 1  # chance moves after each
        players = [
            KalahPlayer(model, moves * self.depth, self.samples)
            for model in ("overconfident", "paranoid")
        ]
        return float(match(self.member(), players, games=2, seed=self.number).standings()[0].mean)


class KalahPlayer(SamplingPlayer):
    """Searches its information set in kalah, to some depth."""

    def __init__(self, model: str, depth: int, samples: int) -> None:
        """Of all positions with the same view, some are drawn as if all moves were random."""
        super().__init__(samples)
        self.model, self.depth = model, depth

    def search(self, view: Any, options: tuple[Hashable, ...]) -> Hashable:
        """The first of the best moves."""
        values = InformationSetSearch(
            self.game, self.seat, self.model, depth=self.depth, evaluate=lead
        ).values(self.belief(view))
        best = max(values.values()) - ROUNDING
        return next(move for move, value in values.items() if value >= best)


def lead(position: Position, player: str) -> float:
    """The seeds in the own store less those in the other's, as a part of all."""
    board: Board = position.state  # type: ignore[attr-defined]
    ahead = board.stores[0] - board.stores[1]
    whole = sum(board.stores) + sum(map(sum, board.rows))
    return (ahead if player == "first" else -ahead) / whole


def exact_scores(game: Any) -> dict[str, float]:
    """What each gets from each, over both seats, and what each can lose.

    ``score`` is overconfident against paranoid; ``optimal_overconfident`` and ``optimal_paranoid``
    are what optimal play gets from them; ``loss_overconfident`` and ``loss_paranoid`` are what they
    get less than the value of the game against an opponent who knows them.
    """
    tree = game.tree()
    play = {
        "overconfident": [overconfident(tree, player) for player in tree.names],
        "paranoid": [paranoid(tree, player) for player in tree.names],
        "optimal": list(solve(tree).profile.strategies),
    }

    def score(one: str, two: str) -> float:
        """The mean over both seats of what one gets."""
        first, second = tree.names
        as_first = profile([play[one][0], play[two][1]]).payoffs[first]
        as_second = profile([play[two][0], play[one][1]]).payoffs[second]
        return float(as_first + as_second) / 2

    def loss(one: str) -> float:
        return float(sum(profile(play[one]).regrets.values())) / 2

    return {
        "score": score("overconfident", "paranoid"),
        "optimal_overconfident": score("optimal", "overconfident"),
        "optimal_paranoid": score("optimal", "paranoid"),
        "loss_overconfident": loss("overconfident"),
        "loss_paranoid": loss("paranoid"),
    }


Scores = dict[Trial, dict[str, float]]


def recorded(file: Path) -> Scores:
    """The trials that a file has; a last line that was cut short is left out."""
    found: Scores = {}
    if not file.exists():
        return found
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            entry = json.loads(line)
            found[Trial(**entry["trial"])] = entry["scores"]
        except (ValueError, TypeError, KeyError):
            continue
    return found


def written(trial: Trial, scores: dict[str, float]) -> str:
    """The line of a trial."""
    return json.dumps({"trial": trial._asdict(), "scores": scores}) + "\n"


def exact_trials(
    games: Sequence[str], sizes: Sequence[tuple[int, int]], hidden: Sequence[str], boards: int
) -> Iterator[Trial]:
    """P- and N-games, with optimal play; sizes are moves and depths."""
    for number in range(boards):
        for game in games:
            for moves, depth in sizes:
                for fraction in hidden:
                    yield Trial(EXACT, game, moves, depth, fraction, number)


def kalah_trials(sizes: Sequence[tuple[int, int]], hidden: Sequence[str]) -> Iterator[Trial]:
    """Small kalah: one trial says everything."""
    for pits, seeds in sizes:
        for fraction in hidden:
            yield Trial(EXACT, "kalah", pits, seeds, fraction, 0)


def played_trials(
    branching: Sequence[int],
    hidden: Sequence[str],
    seeds: int,
    count: int,
    depth: int,
    samples: int,
) -> Iterator[Trial]:
    """Kalah as it is played."""
    for number in range(count):
        for pits in branching:
            for fraction in hidden:
                yield Trial(PLAYED, "kalah", pits, seeds, fraction, number, depth, samples)


def run(trial: Trial) -> tuple[Trial, dict[str, float]]:
    """For worker processes."""
    return trial, trial.run()


# ---------------------------------------------------------------------- curves


class Mean(NamedTuple):
    """The mean of some trials, and how far it may be off."""

    mean: float
    off: float
    count: int

    @classmethod
    def of(cls, scores: Sequence[float]) -> Mean:
        """With Student's t; one trial alone is taken to be exact."""
        from scipy.stats import t

        count = len(scores)
        if count < 2:
            return cls(scores[0], 0.0, count)
        spread = statistics.stdev(scores) / count**0.5
        return cls(statistics.fmean(scores), float(t.ppf(0.975, count - 1)) * spread, count)

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ± {self.off:.3f}" if self.count > 1 else f"{self.mean:+.3f}"


Line = tuple[str, str, int, int]  # kind, game, moves, size


def by_line(scores: Scores) -> dict[Line, dict[str, list[dict[str, float]]]]:
    """The scores of every curve, by the fraction of hidden moves in increasing order."""
    lines: dict[Line, dict[str, list[dict[str, float]]]] = {}
    for trial, found in sorted(scores.items(), key=lambda item: Fraction(item[0].hidden)):
        line = trial.kind, trial.game, trial.branching, trial.size
        lines.setdefault(line, {}).setdefault(trial.hidden, []).append(found)
    return dict(sorted(lines.items()))


def points(line: dict[str, list[dict[str, float]]], what: str) -> dict[str, Mean]:
    """A curve: by the fraction of hidden moves, the mean of something."""
    return {hidden: Mean.of([one[what] for one in found]) for hidden, found in line.items()}
