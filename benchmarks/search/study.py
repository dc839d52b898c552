"""How much of the IMP-model IMP-alpha-beta looks at, on average: Blair and others 1996, section 7.

    python benchmarks/search/study.py              the tables
    python benchmarks/search/study.py --quick      fewer and smaller trees
    python benchmarks/search/study.py --plot FILE  and the picture of the three trends

The paper reports, without figures, that αβ/mm, leaves examined by IMP-alpha-beta against those of
IMP-minimax, falls with the depth d, falls with the moves b and grows with the signals k; that less
than 20% of the nodes are examined at b = 10, k = 2, and about 96% at b = 2, k = 10. It says neither
how payoffs are drawn nor how deep the trees are. Here payoffs are whole numbers, each equally
likely and independent of the others, and the largest is the bound. How many numbers there are
matters much, so that the two extremes are shown for several. Elsewhere they are 0 to 9: of those
tried, the ones with which both of the paper's figures come out, at depth 5.

Intervals are those of Student's t at 95%, over random trees.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from infoset.games import imp_model
from infoset.search.imp import imp_alphabeta, imp_minimax
from infoset.tree import Tree

sys.path.append(str(Path(__file__).parents[1] / "solve"))

from measure import show, verdict

VALUES = 10  # whole numbers that a payoff may be
RANGE = range(2, 11)
Size = tuple[int, int, int]  # k, b, d


@dataclass(frozen=True)
class Mean:
    """The mean of some figures, and how far it may be off."""

    mean: float
    off: float

    @classmethod
    def of(cls, figures: Sequence[float]) -> Mean:
        """Of random trees' figures."""
        from scipy.stats import t

        count = len(figures)
        if count < 2:
            return cls(figures[0], 0.0)
        spread = statistics.stdev(figures) / count**0.5
        return cls(statistics.fmean(figures), float(t.ppf(0.975, count - 1)) * spread)

    def __str__(self) -> str:
        return f"{self.mean:.1%} ± {self.off:.1%}"


@dataclass(frozen=True)
class Study:
    """How many trees of a size are searched, and how large they may be."""

    trees: int
    most: int  # leaves

    def count(self, size: Size) -> int:
        """How many trees of a size: of large ones fewer, as they differ less."""
        k, b, d = size
        return self.trees if (k * b) ** (d - 1) <= 20_000 else max(self.trees // 3, 3)

    def fits(self, size: Size) -> bool:
        """Is a tree of this size small enough?"""
        k, b, d = size
        return (k * b) ** (d - 1) <= self.most


@cache
def probabilities(study: Study, size: Size, values: int = VALUES) -> tuple[Mean, Mean]:
    """The shares of leaves and of nodes that are examined."""
    tree = shape(size)
    drawn = np.random.default_rng([*size, values])
    leaves, nodes = [], []
    for _ in range(study.count(size)):
        counts = imp_alphabeta(paying(tree, drawn, values), bounds=(0, values - 1)).work
        leaves.append(counts["leaves"] / len(tree.leaf_indices))
        nodes.append(counts["nodes"] / len(tree))
    return Mean.of(leaves), Mean.of(nodes)


@cache
def shape(size: Size) -> Tree:
    """A tree of the IMP-model whose leaves all have payoffs of their own."""
    k, b, d = size
    tree = imp_model(k=k, b=b, d=d, payoffs=lambda leaf: leaf).tree()
    gc.freeze()  # kept to the end: the collector need not look at it again and again
    return tree


def paying(tree: Tree, drawn: np.random.Generator, values: int) -> Tree:
    """The same tree with payoffs drawn anew."""
    payoffs = drawn.integers(0, values, len(tree.payoffs)).tolist()
    return replace(tree, payoffs=tuple((amount,) for amount in payoffs))


# ---------------------------------------------------------------------- tables


def grid(study: Study, d: int) -> Iterator[tuple[str, ...]]:
    for k in RANGE:
        cells = [
            probabilities(study, (k, b, d))[0] if study.fits((k, b, d)) else None for b in RANGE
        ]
        yield (f"k = {k}", *("" if cell is None else f"{cell.mean:.0%}" for cell in cells))


def extremes(study: Study) -> Iterator[tuple[str, ...]]:
    for k, b in ((2, 10), (10, 2)):
        for values in (2, 5, 10, 100):
            sizes = [(k, b, d) for d in (3, 4, 5) if study.fits((k, b, d))]
            found = [probabilities(study, size, values)[1] for size in sizes]
            cells = [str(share) for share in found] + [""] * (3 - len(found))
            yield (f"b = {b}, k = {k}", f"{values:,}", *cells)


def lines(study: Study) -> dict[str, dict[str, list[tuple[int, Mean]]]]:
    """The three trends: by what changes, by what is fixed, the shares of leaves."""
    made: dict[str, tuple[Sequence[Any], Callable[[Any, int], Size], Callable[[Any], str]]] = {
        "d": (
            [(2, 2), (3, 3), (5, 5), (2, 10), (10, 2)],
            lambda fixed, d: (*fixed, d),
            lambda fixed: f"k = {fixed[0]}, b = {fixed[1]}",
        ),
        "b": ([2, 3, 5], lambda k, b: (k, b, 4), lambda k: f"k = {k}"),
        "k": ([2, 3, 5], lambda b, k: (k, b, 4), lambda b: f"b = {b}"),
    }
    found: dict[str, dict[str, list[tuple[int, Mean]]]] = {}
    for what, (fixed, size, name) in made.items():
        found[what] = {
            name(each): [
                (at, probabilities(study, size(each, at))[0])
                for at in RANGE
                if study.fits(size(each, at))
            ]
            for each in fixed
        }
    return found


def trends(study: Study) -> Iterator[tuple[str, ...]]:
    """Each line from its start to its end, and steps against the trend that are no accident."""
    for what, by_name in lines(study).items():
        for name, line in by_name.items():
            sign = 1 if what == "k" else -1
            against = sum(
                sign * (two.mean - one.mean) + one.off + two.off < 0
                for (_, one), (_, two) in pairwise(line)
            )
            (first, one), (last, two) = line[0], line[-1]
            fixed = name if what == "d" else f"{name}, d = 4"
            range_text = f"{what} = {first} to {last}"
            yield (fixed, range_text, str(one), str(two), f"{against} of {len(line) - 1}")


def seconds(study: Study, size: Size) -> tuple[float, float]:
    """Seconds of IMP-minimax, and IMP-alpha-beta's against them, on the same trees in turn.

    Of the processor's time, so that others on the machine do not count; medians over the trees.
    """
    drawn = np.random.default_rng([*size, 0])
    full, ratios = [], []
    for _ in range(max(study.trees // 3, 3)):
        tree = paying(shape(size), drawn, VALUES)
        imp_minimax(tree, bounds=(0, VALUES - 1))  # whatever a tree finds out once
        taken = []
        for search in (imp_minimax, imp_alphabeta):
            began = time.process_time()
            search(tree, bounds=(0, VALUES - 1))
            taken.append(time.process_time() - began)
        full.append(taken[0])
        ratios.append(taken[1] / taken[0])
    return statistics.median(full), statistics.median(ratios)


def times(study: Study) -> Iterator[tuple[str, ...]]:
    sizes = [(2, 10, 4), (2, 6, 4), (3, 8, 4), (4, 4, 4), (8, 3, 4), (6, 2, 4), (10, 2, 4)]
    for size in sizes:
        full, ratio = seconds(study, size)
        k, b, d = size
        half = "favourable" if b > k else "even" if b == k else "unfavourable"
        looked = probabilities(study, size)[1]
        nodes = len(shape(size))
        yield (
            f"k = {k}, b = {b}, d = {d}",
            half,
            f"{full / nodes * 1e6:.2f} µs",
            str(looked),
            f"{ratio:.2f}×",
            verdict(ratio < (1.0 if b > k else 1.3)),
        )


# ---------------------------------------------------------------------- the picture


def plot(study: Study, file: Path) -> None:
    """The three trends side by side, each line with its interval."""
    from matplotlib.ticker import PercentFormatter

    from infoset.display.plots.style import colour, marker, new_figure, save_figure, styled

    titles = {"d": "deeper trees", "b": "more moves (d = 4)", "k": "more signals (d = 4)"}
    names = {"d": "depth d", "b": "moves b", "k": "signals k"}
    with styled():
        figure = new_figure(8.4, 3.2)
        axes = figure.subplots(1, 3, sharey=True)
        for panel, (what, by_name) in zip(axes, lines(study).items(), strict=True):
            for number, (name, line) in enumerate(by_name.items()):
                at = [x for x, _ in line]
                means = np.array([share.mean for _, share in line])
                off = np.array([share.off for _, share in line])
                panel.plot(at, means, color=colour(number), marker=marker(number), label=name)
                panel.fill_between(
                    at, means - off, means + off, color=colour(number), alpha=0.2, lw=0
                )
            panel.set(title=titles[what], xlabel=names[what], ylim=(0, 1.02))
            panel.set_xticks(range(2, 11, 2))
            panel.legend(loc="best")
        axes[0].set_ylabel("leaves examined")
        axes[0].yaxis.set_major_formatter(PercentFormatter(1.0))
        save_figure(figure, file)


def main() -> None:
    parser = argparse.ArgumentParser(description="IMP-alpha-beta on average.")
    parser.add_argument("--quick", action="store_true", help="fewer and smaller trees")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="the three trends")
    asked = parser.parse_args()
    report(asked.quick, asked.plot)


def report(quick: bool, picture: Path | None) -> None:
    study = Study(4, 2_000) if quick else Study(18, 170_000)
    print(f"Leaves examined in the IMP-model, d = 3; {study.trees} trees each, payoffs 0 to 9\n")
    show(["", *(f"b = {b}" for b in RANGE)], list(grid(study, 3)))
    print("The two extremes: nodes examined, by how many numbers a payoff may be\n")
    show(["", "numbers", "d = 3", "d = 4", "d = 5"], list(extremes(study)))
    print("The three trends: leaves examined fall with d and b, and grow with k\n")
    show(["fixed", "from, to", "at first", "at last", "steps against"], list(trends(study)))
    print("Seconds: IMP-minimax a node, and IMP-alpha-beta against it\n")
    show(["", "half", "IMP-minimax", "nodes", "time", ""], list(times(study)))
    if picture is not None:
        plot(study, picture)


if __name__ == "__main__":
    main()
