"""Overconfident against paranoid where moves are hidden: the experiment of Nau's slides.

    python benchmarks/hidden_moves                          all of it, within an hour on two cores
    python benchmarks/hidden_moves --boards 10 --trials 10  a first look, in minutes
    python benchmarks/hidden_moves --plot docs/textbook/figures   and the figures

Every move is hidden from the other player with probability h. P-games and N-games with b moves, and
small kalah with b pits, are computed exactly on their trees, with optimal play beside the two
searches; larger kalah is played. Every trial is appended to a file (``--file``) when it is done;
run the command again to go on where it was stopped, by ``--seconds`` or by Ctrl-C. Intervals are
Student's t at 95 %, over boards or played pairs of games.
"""

from __future__ import annotations

import argparse
import multiprocessing
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "solve"))

from measure import show
from trials import (
    EXACT,
    PLAYED,
    Mean,
    Scores,
    Trial,
    by_line,
    exact_trials,
    kalah_trials,
    played_trials,
    recorded,
    run,
    written,
)

GAMES = ("p_game", "n_game", "kalah", "small_kalah")
HIDDEN = ("0", "1/10", "1/4", "1/2", "3/4", "1")
DEPTHS = {2: 6, 3: 6, 4: 5}  # of P- and N-games: by moves, so that trees fit
SMALL_KALAH = ((2, 2), (2, 3), (2, 4), (2, 5), (3, 1))  # pits and seeds: those whose trees fit
NAMES = {"p_game": "P-games", "n_game": "N-games", "kalah": "kalah"}
QUANTITIES = (
    "score", "optimal_overconfident", "optimal_paranoid", "loss_overconfident", "loss_paranoid",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--branching", nargs="+", type=positive, default=[2, 3, 4], metavar="B")
    parser.add_argument("--hidden", nargs="+", type=fraction, default=list(HIDDEN), metavar="H")
    parser.add_argument(
        "--depth", nargs="+", type=positive, default=[], help="of P- and N-games, for each b"
    )
    parser.add_argument("--boards", type=positive, default=72, help="P- and N-games, a point")
    parser.add_argument("--seeds", type=positive, default=4, help="in a pit, kalah that is played")
    parser.add_argument("--trials", type=positive, default=125, help="pairs of games, a point")
    parser.add_argument("--ahead", type=positive, default=3, help="moves that players look ahead")
    parser.add_argument("--samples", type=positive, default=10, help="positions that they draw")
    parser.add_argument("--file", type=Path, default=Path("build/hidden-moves.jsonl"))
    parser.add_argument("--seconds", type=positive, help="begin no trial after so long")
    parser.add_argument("--jobs", type=positive, default=2)
    parser.add_argument("--plot", type=Path, metavar="FOLDER", help="draw the figures there")
    asked = parser.parse_args()
    if min(asked.branching) < 2:
        parser.error(f"--branching {min(asked.branching)}: a choice has at least 2 moves")
    asked.depth = asked.depth or [DEPTHS.get(moves, 4) for moves in asked.branching]
    if len(asked.depth) != len(asked.branching):
        parser.error(
            f"--depth: {len(asked.depth)} given, for {len(asked.branching)} numbers of moves"
        )
    # Whenever the run ends, all points have about as many trials.
    wanted = sorted(wanted_trials(asked), key=lambda trial: trial.number)
    scores = recorded(asked.file)
    try:
        go_on(wanted, scores, asked.file, asked.jobs, asked.seconds)
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here")
    found = {trial: scores[trial] for trial in wanted if trial in scores}
    print(f"{len(found):,} of {len(wanted):,} trials, in {asked.file}\n")
    report(found)
    if asked.plot is not None and found:
        from figures import draw_all

        draw_all(found, asked.plot)


def positive(text: str) -> int:
    """A whole number from 1."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def fraction(text: str) -> str:
    """A number from 0 to 1, as a fraction."""
    try:
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise argparse.ArgumentTypeError(f"{text!r} is no number; write 1/2 or 0.5") from None
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text}: a fraction of moves is from 0 to 1")
    return str(number)


def wanted_trials(asked: Any) -> Iterator[Trial]:
    """All trials of a run."""
    if "small_kalah" in asked.games:
        sizes = [size for size in SMALL_KALAH if size[0] in asked.branching]
        yield from kalah_trials(sizes, asked.hidden)
    if "kalah" in asked.games:
        yield from played_trials(
            asked.branching, asked.hidden, asked.seeds, asked.trials, asked.ahead, asked.samples
        )
    games = [name for name in ("p_game", "n_game") if name in asked.games]
    sizes = list(zip(asked.branching, asked.depth, strict=True))
    yield from exact_trials(games, sizes, asked.hidden, asked.boards)


def go_on(
    wanted: Sequence[Trial], scores: Scores, file: Path, jobs: int, seconds: int | None
) -> None:
    """Run the trials that the file does not have."""
    left = [trial for trial in wanted if trial not in scores]
    if not left:
        return
    began = time.perf_counter()
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as record:
        if record.tell():
            record.write("\n")  # after a line that was cut short
        for done, (trial, found) in enumerate(finished(left, jobs), 1):
            scores[trial] = found
            record.write(written(trial, found))
            record.flush()
            if sys.stderr.isatty():
                print(f"\r{done:,} of {len(left):,}", end="", file=sys.stderr, flush=True)
            if seconds is not None and time.perf_counter() - began > seconds:
                break
    if sys.stderr.isatty():
        print(file=sys.stderr)


def finished(left: Sequence[Trial], jobs: int) -> Iterator[tuple[Trial, dict[str, float]]]:
    """Trials as they end."""
    if jobs == 1:
        yield from map(run, left)
        return
    alone = signal.SIGINT, signal.SIG_IGN  # Ctrl-C is for this process, which ends the others
    with multiprocessing.Pool(jobs, initializer=signal.signal, initargs=alone) as pool:
        yield from pool.imap_unordered(run, left)


# ---------------------------------------------------------------------- tables


def report(scores: Scores) -> None:
    """All curves, as tables."""
    headings = ["", "h", "trials", "overconfident against paranoid"]
    more = ["optimal against o.", "optimal against p.", "o. can lose", "p. can lose"]
    for kind in (PLAYED, EXACT):
        rows = []
        for (of, game, moves, size), line in by_line(scores).items():
            if of != kind:
                continue
            sized = f"{size} seeds" if game == "kalah" else f"depth {size}"
            for hidden, found in line.items():
                means = [
                    str(Mean.of([one[what] for one in found]))
                    for what in QUANTITIES
                    if what in found[0]
                ]
                name = f"{NAMES[game]}, b = {moves}, {sized}"
                rows.append([name, hidden, str(len(found)), *means])
        if rows:
            print("by exact play to the end\n" if kind == EXACT else "as played\n")
            show([*headings, *more] if kind == EXACT else headings, rows)


if __name__ == "__main__":
    main()
