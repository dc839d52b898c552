"""Which search pays where: all four on four kinds of games, compiled, with and without memory."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from measure import duration, timed, verdict

from infoset.games import goofspiel, oshi_zumo, pursuit, stacked
from infoset.search import SEARCHES, Solution

METHODS = ("backward-induction", "smab", "double-oracle", "double-oracle-alphabeta")
HEADINGS = (
    "game", "search", "positions", "in turn", "of all", "programs", "time", "with memory",
)  # fmt: skip
DOMAINS: dict[str, tuple[Any, ...]] = {
    "goofspiel, win or lose": (
        goofspiel(cards=6, early_end=True),
        goofspiel(cards=7, early_end=True),
    ),
    "goofspiel, points": (goofspiel(cards=5, points=True), goofspiel(cards=6, points=True)),
    "goofspiel, random prizes": (
        goofspiel(cards=4, order="random", prizes_up=False),
        goofspiel(cards=5, order="random", prizes_up=False),
    ),
    "oshi-zumo": (oshi_zumo(coins=10, size=2, min_bid=1), oshi_zumo(coins=12, size=2, min_bid=1)),
    "oshi-zumo, bids from 0": (oshi_zumo(coins=5, size=1), oshi_zumo(coins=6, size=1)),
    "pursuit": (
        pursuit(rows=4, columns=4, turns=4, pursuers=2),
        pursuit(rows=5, columns=5, turns=5, pursuers=2),
    ),
    "stacked, correlated": (
        stacked(width=4, depth=4, points=False),
        stacked(width=5, depth=5, points=False),
    ),
    "stacked, correlated points": (stacked(width=4, depth=4), stacked(width=5, depth=5)),
    "stacked, not correlated": (
        stacked(width=4, depth=4, correlated=False),
        stacked(width=5, depth=5, correlated=False),
    ),
}
LONGEST = 60.0  # seconds
PAPER = 10_400  # positions a second: Saffidine, Finnsson & Buro 2012, table 2


def rows(quick: bool) -> Iterator[tuple[str, ...]]:
    for kind, sizes in DOMAINS.items():
        game, whole = sizes[0 if quick else 1], 0
        for method in METHODS:
            SEARCHES[method](sizes[0], depth=1)  # compiled before the clock starts
            seconds, found = timed(partial(searched, method, game, False))
            kept, _ = timed(partial(searched, method, game, True))
            whole = whole or found.work["nodes"]
            stopped = "> " if found.value is None else ""
            yield (
                kind if method == METHODS[0] else "",
                method,
                f"{found.work['nodes']:,}",
                f"{found.work['serialized']:,}" if found.work["serialized"] else "",
                f"{found.work['nodes'] / whole:.1%}",
                f"{found.work['programs']:,}",
                f"{stopped}{duration(seconds)}",
                duration(kept),
            )


def searched(method: str, game: Any, remember: bool) -> Solution:
    """A search that ends, at the latest, after a minute."""
    return SEARCHES[method](game, transpositions=remember, seconds=LONGEST, deepening=False)


SPEED = ("cards", "positions", "time", "a second", "paper's", "ratio", "")


def speed_rows(quick: bool) -> Iterator[tuple[str, ...]]:
    """Backward induction over the positions of table 2, against the paper's rate."""
    searched("backward-induction", goofspiel(cards=4), False)  # compiled before the clock starts
    for cards in (5, 6) if quick else (5, 6, 7):
        game = goofspiel(cards=cards, early_end=True)
        seconds, found = timed(partial(searched, "backward-induction", game, False))
        rate = found.work["nodes"] / seconds
        yield (
            str(cards),
            f"{found.work['nodes']:,}",
            duration(seconds),
            f"{rate:,.0f}",
            f"{PAPER:,}",
            f"{rate / PAPER:,.0f}×",
            verdict(rate >= 10 * PAPER) if cards > 5 else "",
        )


BEST = ("cards", *METHODS, "the best", "")
BARS = {7: 3.0, 8: 60.0}  # seconds


def best_rows(quick: bool) -> Iterator[tuple[str, ...]]:
    """Goofspiel with memory, by every method."""
    for name in METHODS:
        searched(name, goofspiel(cards=4), True)
    for cards in (6, 7) if quick else (7, 8, 9):
        game = goofspiel(cards=cards, early_end=True)
        taken = {name: timed(partial(searched, name, game, True))[0] for name in METHODS}
        best = min(taken, key=lambda name: taken[name])
        kept = verdict(taken[best] < BARS[cards]) if cards in BARS else ""
        yield (str(cards), *(duration(own) for own in taken.values()), best, kept)


GAIN = ("game", "search", "positions", "in Python", "by the rules", "compiled", "ratio", "")


def gain_rows(quick: bool) -> Iterator[tuple[str, ...]]:
    """The same search in Python, over whole numbers and by the rules, and compiled."""
    games = (
        goofspiel(cards=4 if quick else 5, early_end=True),
        oshi_zumo(coins=8, size=2, min_bid=1),
        stacked(width=4, depth=3 if quick else 4),
    )
    for game in games:
        for method in METHODS:
            search = partial(SEARCHES[method], game, transpositions=False)
            fast = min(search(compiled=True).seconds for _ in range(5))
            plain = search(compiled=False)
            slow = plain.seconds
            ruled = SEARCHES[method](ByRules(game), transpositions=False).seconds
            yield (
                repr(game) if method == METHODS[0] else "",
                method,
                f"{plain.work['nodes']:,}",
                duration(slow),
                duration(ruled),
                duration(fast),
                f"{slow / fast:,.0f}×",
                verdict(slow >= 20 * fast),
            )


class ByRules:
    """A game as its rules alone have it: walked by replay."""

    def __init__(self, game: Any) -> None:
        self.players, self.bounds, self.name = game.players, game.bounds, repr(game)
        self.position = game.position
