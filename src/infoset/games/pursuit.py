"""Pursuit on a grid: one or more units chase an evader, and everyone moves at once.

Two who must move along the lines of a grid keep the parity of their distance: from squares of one
colour they can meet on a square and never pass each other, and from squares of two colours it is
the other way round. They come nearer by at most two squares a turn. So a pursuer that is further
away than twice the turns that are left has lost.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from infoset.errors import ParameterError
from infoset.objects import square_name
from infoset.rules import OVER, PLAYERS, Beginning, Play, Stages, game
from infoset.rules.stages import State


class Step(int):
    """Where the units of one player go: square numbers as the digits of one whole number.

    >>> step = Step((1, 5), rows=2, columns=3)
    >>> print(step, int(step))
    b1 c2 11
    """

    squares: tuple[int, ...]
    board: tuple[int, int]

    def __new__(cls, squares: tuple[int, ...], rows: int, columns: int) -> Step:
        """The squares, from 0, are counted row by row."""
        number = 0
        for square in squares:
            number = number * rows * columns + square
        step = super().__new__(cls, number)
        step.squares = squares
        step.board = (rows, columns)
        return step

    def __getnewargs__(self) -> tuple[tuple[int, ...], int, int]:  # type: ignore[override]
        return self.squares, *self.board

    def __str__(self) -> str:
        _, columns = self.board
        return " ".join(square_name((at % columns, at // columns)) for at in self.squares)

    def __repr__(self) -> str:
        return f"<{self}>"


@lru_cache(maxsize=1 << 14)
def steps(units: tuple[int, ...], rows: int, columns: int, stay: bool) -> tuple[Step, ...]:
    """Where units may go together from where they stand, in the order of the squares.

    >>> print(*steps((0, 5), rows=2, columns=3, stay=False), sep=", ")
    b1 c1, b1 b2, a2 c1, a2 b2
    """
    reached = []
    for at in units:
        x, y = at % columns, at // columns
        near = [(x, y - 1), (x - 1, y), (x, y), (x + 1, y), (x, y + 1)]
        if not stay:
            near.remove((x, y))
        reached.append([b * columns + a for a, b in near if 0 <= a < columns and 0 <= b < rows])
    return tuple(Step(squares, rows, columns) for squares in product(*reached))


@lru_cache(maxsize=64)
def placed(rows: int, columns: int, pursuers: int, starts: tuple[str, ...]) -> tuple[int, ...]:
    """The squares on which all begin, the evader last."""
    if not starts:
        left, right, top = 0, columns - 1, (rows - 1) * columns
        return (*(left, right, top)[:pursuers], top + right)
    names = {square_name((x, y)): y * columns + x for y in range(rows) for x in range(columns)}
    unknown = [name for name in starts if name not in names]
    if unknown:
        raise ParameterError(
            f"starts={starts!r}: there is no square {unknown[0]!r} on the board from a1 to"
            f" {square_name((columns - 1, rows - 1))}"
        )
    if starts[-1] in starts[:-1]:
        raise ParameterError(f"starts={starts!r}: the evader begins on a pursuer's square")
    return tuple(names[name] for name in starts)


# The same over whole numbers. In a state, before the squares of the pursuers:
EVADER, LEFT, CAUGHT, ROWS, COLUMNS, STAY, UNITS, FIRST = range(8)


def beginning(
    rows: int, columns: int, turns: int, pursuers: int, stay: bool, starts: tuple[str, ...]
) -> Beginning:
    """All members can be stated over integers."""
    *units, evader = placed(rows, columns, pursuers, tuple(starts))
    return Beginning(
        (evader, turns, 0, rows, columns, int(stay), pursuers, *units),
        widest=(4 + stay) ** pursuers,
        longest=turns,
        low=-1,
        high=1,
    )


def turn(state: State) -> int:
    """Over once the evader is caught, and when no turns are left."""
    return OVER if state[CAUGHT] or state[LEFT] == 0 else PLAYERS


def options(state: State, who: int, menu: State) -> int:
    """All ways to move the units of a player: down, left, not at all, right or up."""
    rows, columns = state[ROWS], state[COLUMNS]
    units = state[UNITS] if who == 0 else 1
    count = 1
    menu[0] = 0
    for unit in range(units):
        at = state[FIRST + unit] if who == 0 else state[EVADER]
        x, y = at % columns, at // columns
        ways = (y > 0) + (x > 0) + state[STAY] + (x + 1 < columns) + (y + 1 < rows)
        for made in range(count - 1, -1, -1):  # from behind: each becomes several, in its place
            others = menu[made] * rows * columns
            way = made * ways
            for step in range(5):
                to_x, to_y = x + (step == 3) - (step == 1), y + (step == 4) - (step == 0)
                on_board = 0 <= to_x < columns and 0 <= to_y < rows
                if on_board and (step != 2 or state[STAY]):
                    menu[way] = others + to_y * columns + to_x
                    way += 1
        count *= ways
    return count


def after(state: State, first: int, second: int, then: State) -> None:
    """All go where they go; who meets the evader there, or on the way, has caught it."""
    for at in range(FIRST):
        then[at] = state[at]
    squares = state[ROWS] * state[COLUMNS]
    then[EVADER] = second
    then[LEFT] = state[LEFT] - 1
    for back in range(state[UNITS]):
        unit = FIRST + state[UNITS] - 1 - back
        then[unit] = first % squares
        first //= squares
        if then[unit] == second or (then[unit] == state[EVADER] and state[unit] == second):
            then[CAUGHT] = 1


def payoff(state: State) -> int:
    """1 for a catch."""
    return 1 if state[CAUGHT] else -1


def within(state: State, pair: State) -> None:
    """A catch, a loss if all are too far away, or else either."""
    columns = state[COLUMNS]
    pair[0], pair[1] = -1, -1
    for unit in range(FIRST, FIRST + state[UNITS]):
        sideways = abs(state[unit] % columns - state[EVADER] % columns)
        upwards = abs(state[unit] // columns - state[EVADER] // columns)
        if sideways + upwards <= 2 * state[LEFT]:
            pair[1] = 1
    if state[CAUGHT]:
        pair[0], pair[1] = 1, 1


@game(
    players=("pursuer", "evader"),
    requires=(
        "2 <= rows <= 1000",
        "2 <= columns <= 1000",
        "turns >= 1",
        "1 <= pursuers <= 3",
        "len(starts) in (0, pursuers + 1)",
    ),
    source="B. Bošanský, V. Lisý, M. Lanctot, J. Čermák & M. H. M. Winands, Algorithms for"
    " computing strategies in two-player simultaneous move games, 2016, pursuit-evasion games",
    bounds=(-1, 1),
    stages=Stages(beginning, turn, options, after, payoff, bounds=within),
)
def pursuit(
    g: Play,
    rows: int = 3,
    columns: int = 3,
    turns: int = 3,
    pursuers: int = 1,
    stay: bool = False,
    starts: tuple[str, ...] = (),
) -> object:
    """A pursuer chases an evader over a board, both moving at once, until a catch or time is up.

    Everybody goes to a neighbouring square, up, down, left or right, or may also ``stay`` put. One
    player moves all ``pursuers``, which may share a square. All is seen. The pursuer wins if one of
    them stands on the evader's square after a move, or has changed squares with it; after so many
    ``turns`` without that the evader wins. They begin in the corners, the evader at the upper
    right and the pursuers at the lower left, the lower right and the upper left; or on the squares
    in ``starts``, such as a1,b3,c2, the evader's last.

    Two pursuers, as Bošanský and others have, can be moved in up to 16 ways. On the board of 3 by 3
    one pursuer gives 315 nodes in three turns and two give 2,689; two are sure of a catch.
    """
    *units, evader = placed(rows, columns, pursuers, tuple(starts))
    for _ in range(turns):
        chase, flight = g.together(
            {
                "pursuer": steps(tuple(units), rows, columns, stay),
                "evader": steps((evader,), rows, columns, stay),
            }
        ).values()
        g.reveal("evader", f"pursuer to {chase}")
        g.reveal("pursuer", f"evader to {flight}")
        for unit, to in zip(units, chase.squares, strict=True):
            if to == flight or (to, flight) == (evader, unit):
                return g.win("pursuer")
        units, evader = list(chase.squares), int(flight)
    return g.win("evader")
