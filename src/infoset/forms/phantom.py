"""The phantom form: board games in which one does not see the other's pieces, without their tree.

In phantom tic-tac-toe and dark hex a player names a cell; if the other has it, it is refused, and
otherwise takes it. A refusal tells the one player something and leaves the other player as it was.
So what the players know depends on each other only through the *line*, the sequence of the pieces
as they were put down. Given a line, each state of knowledge of one player that agrees with it goes
together with each such state of the other, and the payoff matrix A of the sequence form, which has
an entry for each of billions of plays, is a product of three matrices:

    A = M' D N,      M, N: zeros and ones, lines by the states of player one, of player two;
                     D: the payoffs of the lines, on the diagonal.

No entry of M and N is stored. One walk over the lines with the lists of the states that agree with
them gives A y for all of player one's sequences (:func:`PhantomForm.gradient`). On the board of 3
by 3 there are 255,168 lines of phantom tic-tac-toe where the tree has 19,934,533,171 nodes.

In the abrupt game a refusal ends the turn, and a line includes which turns were lost, not where. It
has many more lines: 534,830,448.

A board may have *symmetries*, permutations of its cells that leave alone what wins: the square has
eight, the board of Hex the half turn. Then one state stands for all its images, and of lines that
are images of each other one is walked, and counts as often as there are. What is played is then
invariant: the same in a state as in its images, carried along. Nothing is lost by that. Let g be a
symmetry, and gx the plan that plays in gs as x does in s. The payoff of gx against gy is that of x
against y, so the least that x may get is also the least for gx. The mean of all gx is invariant,
and the least of a mean is no less than the mean of what is least for each:

    min over y of (mean of gx)' A y  >=  mean over g of min over y of (gx)' A y  =  min x' A y.

So of the best plans of a player one is invariant, and the value of the game is that among invariant
plans. Against an invariant plan a response gets the same as its images do, and so as their mean: a
best response may be sought among invariant ones, and the bounds by it hold for all.

States differ from information sets in one respect: the order of refusals within one turn, which
tells nothing that matters, is left out. Nothing is lost: of each strategy with the order there is
one without it that pays the same against everybody, namely the mean of its choices, weighted by the
probabilities of the orders. The information sets are still counted (:attr:`PhantomForm.infosets`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from infoset.errors import ParameterError, TooLarge
from infoset.kernels.phantom import (
    FULL,
    States,
    Symmetries,
    Trail,
    enumerate_states,
    even_out,
    gradient,
    respond,
    weigh,
)
from infoset.objects import hex_joined, hex_neighbours, lines_through

__all__ = ["PhantomForm", "dark_hex_form", "phantom_form", "tic_tac_toe_form"]

Floats = npt.NDArray[np.float64]
MOST_CELLS = 12  # winning positions are a table of 2 to the power of this
MOST_SYMMETRIES = 60  # sets of them are bits of a whole number
MOST_PLAYS = 1 << 40  # whole numbers of plays so large are exact in floats, and sums of them
STACK = 1 << 24  # room for the lists of a walk; what is not used takes no memory
ROUNDING = 1e-9
"""More than rounding can change a value: every term of the sums goes through less than a million
operations, each within 2^-53 of exact, and the absolute values of all terms sum to at most 1."""


@dataclass(frozen=True)
class PhantomForm:
    """A phantom game: its cells, what wins, and all that each player may know."""

    name: str
    cells: tuple[str, ...]
    abrupt: bool
    wins: npt.NDArray[np.bool_]  # [player, set of cells as bits]
    states: tuple[States, States]
    group: Symmetries

    def __repr__(self) -> str:
        one, two = self.infosets
        return (
            f"<PhantomForm of {self.name}: {self.lines:,} lines, {one:,} and {two:,}"
            " information sets>"
        )

    @property
    def infosets(self) -> tuple[int, int]:
        """The number of information sets of each player, as the game's tree has them."""
        one, two = [
            int((of.orders * len(self.group.inverse) // _bits(of.fixed))[of.decides].sum())
            for of in self.states
        ]
        return one, two

    @cached_property
    def lines(self) -> int:
        """The number of lines, as a recursion counts them."""
        return int(self._recursion(sum, 1, 1, lines=True))

    def nodes(self) -> int:
        """The number of nodes of the game's tree, as a recursion counts them.

        Returns
        -------
        int
            The number; it takes a second on 3 by 3 cells.

        Examples
        --------
        >>> tic_tac_toe_form(2, 2, 2).nodes()
        153
        """
        return int(self._recursion(lambda below: 1 + sum(below), 1, 1))

    def uniform_value(self) -> Fraction:
        """Player one's expected payoff if both name every cell with the same probability, exactly.

        Returns
        -------
        Fraction
            By the same recursion.

        Examples
        --------
        >>> dark_hex_form(2, 2, abrupt=True).uniform_value()
        Fraction(11, 24)
        """

        def mean(below: list[Fraction]) -> Fraction:
            return sum(below, Fraction(0)) / len(below)

        value: Fraction = self._recursion(mean, Fraction(1), Fraction(0))
        return value

    def _recursion(
        self, combine: Callable[[list[Any]], Any], won: Any, drawn: Any, *, lines: bool = False
    ) -> Any:
        """Over what both have on the board, and how many of the other's pieces each knows.

        Of pieces that a player does not know, it does not matter which they are: all are refused
        once. So a node is given by the pieces and two numbers. ``won`` is for player one; that
        player two wins is worth minus that to it, but as a count the same.
        """
        full = (1 << len(self.cells)) - 1
        counting = isinstance(won, int)

        @cache
        def at(mine: int, theirs: int, met: int, met_by: int, who: int) -> Any:
            below = []
            for cell in range(len(self.cells)):
                after = mine | 1 << cell
                if (mine | theirs) >> cell & 1:
                    continue
                if self.wins[who, after]:
                    below.append(won if counting or who == 0 else -won)
                elif after | theirs == full:
                    below.append(drawn)
                else:
                    below.append(at(theirs, after, met_by, met, 1 - who))
            hidden = theirs.bit_count() - met
            if lines:  # in which one turn that is lost is like the other
                hidden = min(hidden, int(self.abrupt))
            if hidden:
                then = (
                    at(theirs, mine, met_by, met + 1, 1 - who)
                    if self.abrupt
                    else at(mine, theirs, met + 1, met_by, who)
                )
                below += [then] * hidden
            return combine(below)

        return at(0, 0, 0, 0, 0)

    def uniform(self, player: Literal[0, 1]) -> Floats:
        """The strategy that names every cell with the same probability.

        Parameters
        ----------
        player
            0 or 1.

        Returns
        -------
        array
            The probability of every edge.
        """
        choices = np.diff(self.states[player].first)
        return np.repeat(1 / np.maximum(choices, 1), choices)

    def state(self, player: Literal[0, 1], tried: Sequence[tuple[str, bool]]) -> int:
        """The number of the state in which a player has had these answers.

        Parameters
        ----------
        player
            0 or 1.
        tried
            The cells that it named, in order, and of each whether it was taken.

        Returns
        -------
        int
            The state; if the form is symmetric, the one that stands for it.

        Raises
        ------
        ParameterError
            If the player cannot have had these answers and still be in the game.
        """
        return self._found(player, tried)[0]

    def named(self, player: Literal[0, 1], tried: Sequence[tuple[str, bool]]) -> dict[str, int]:
        """The cells that a player may name after these answers, each with the number of its edge.

        Parameters
        ----------
        player, tried
            As of :meth:`state`.

        Returns
        -------
        dict
            By the name of a cell, in order.
        """
        state, by = self._found(player, tried)
        there = self.choices(player, state)
        moved = {
            cell: self.cells[self.group.cells[self.group.inverse[by], bit]]
            for bit, cell in enumerate(self.cells)
        }
        return {cell: there[at] for cell, at in moved.items() if at in there}

    def _found(self, player: Literal[0, 1], tried: Sequence[tuple[str, bool]]) -> tuple[int, int]:
        """The state that stands for what a player knows, and the symmetry that carries it there."""
        of, group = self.states[player], self.group
        at, by = 0, 0
        for cell, refused in tried:
            bit = self.cells.index(cell) if cell in self.cells else -1
            there = self.cells[group.cells[group.inverse[by], bit]]
            edge = None if bit < 0 else self.choices(player, at).get(there)
            if edge is not None:
                at = int((of.taken if refused else of.free)[edge])
                by = int(group.product[by, (of.turn_taken if refused else of.turn_free)[edge]])
            if edge is None or at < 0:
                answers = [f"{one} {'taken' if no else 'free'}" for one, no in tried]
                raise ParameterError(
                    f"tried={', '.join(answers)}: player {player} of {self.name} has no such state;"
                    f" look at {cell!r}, which is tried already, off the board or never so answered"
                )
        return at, by

    def choices(self, player: Literal[0, 1], state: int) -> dict[str, int]:
        """The cells that a player may name in a state, each with the number of its edge.

        If the form is symmetric, the cells are those of the state as it is kept; :meth:`named` has
        those of what a player really knows.

        Parameters
        ----------
        player
            0 or 1.
        state
            A number of :meth:`state`.

        Returns
        -------
        dict
            By the name of a cell, in order.
        """
        of = self.states[player]
        tried = int(of.own[state]) | int(of.known[state])
        open_cells = [cell for bit, cell in enumerate(self.cells) if not tried >> bit & 1]
        return {cell: int(of.first[state]) + at for at, cell in enumerate(open_cells)}

    def weights(self, player: Literal[0, 1], strategy: Floats) -> tuple[Floats, Floats]:
        """A strategy's realization plan.

        Parameters
        ----------
        player
            0 or 1.
        strategy
            The probability of every edge, in each state summing to 1.

        Returns
        -------
        tuple of arrays
            The weight of every state, and of every edge: the product of the player's own
            probabilities, summed over the orders of refusals.
        """
        of = self.states[player]
        weight, edge_weight = np.empty(len(of.own)), np.empty(len(of.free))
        weigh(of, strategy, weight, edge_weight)
        return weight, edge_weight

    def strategy(self, player: Literal[0, 1], edge_weight: Floats) -> Floats:
        """The strategy that has the weights of a realization plan.

        Parameters
        ----------
        player
            0 or 1.
        edge_weight
            Of every edge, as of :meth:`weights`; in a state only their proportions count.

        Returns
        -------
        array
            The probability of every edge; uniform in states where all weights are zero.
        """
        first = self.states[player].first
        choices = np.diff(first)
        has = choices > 0
        totals = np.zeros(len(choices))
        totals[has] = np.add.reduceat(edge_weight, first[:-1][has])
        total = np.repeat(totals, choices)
        made = self.uniform(player)
        np.divide(edge_weight, total, out=made, where=total > 0)
        return made

    def gradient(
        self,
        player: Literal[0, 1],
        strategy: Floats,
        wanted: npt.NDArray[np.bool_] | None = None,
    ) -> tuple[Floats, Floats]:
        """What a player's states and edges pay against a strategy of the other, where a play ends.

        Parameters
        ----------
        player
            0 or 1.
        strategy
            Of the other player.
        wanted
            The states for which to find it; all by default. States that follow others are wanted
            only where those are.

        Returns
        -------
        tuple of arrays
            For every state, what is paid when the other ends the game by its next move; for every
            edge, what is paid when this move ends it. Each times the other's weights.
        """
        return self._gradient(player, self.weights(1 if player == 0 else 0, strategy), wanted)

    def _gradient(
        self,
        player: Literal[0, 1],
        plan: tuple[Floats, Floats],
        wanted: npt.NDArray[np.bool_] | None,
    ) -> tuple[Floats, Floats]:
        """Against the other's weights of states and edges, which are used up."""
        of, others = self.states[player], self.states[1 - player]
        full = (1 << len(self.cells)) - 1
        if wanted is None:
            wanted = np.ones(len(of.own), np.bool_)
        even_out(others, self.group, full, *plan)
        at_state, at_edge = np.zeros(len(of.own)), np.zeros(len(of.free))
        walked = gradient(
            full, self.wins, self.abrupt, self.group, player, of, others, wanted, *plan,
            at_state, at_edge, np.empty(STACK, np.int32),
        )  # fmt: skip
        if walked < 0:
            raise TooLarge(f"{self.name}: a line has too many states; take a smaller board")
        even_out(of, self.group, full, at_state, at_edge)
        return at_state, at_edge

    def value(self, one: Floats, two: Floats) -> float:
        """Player one's expected payoff.

        Parameters
        ----------
        one, two
            Strategies: probabilities of all edges.

        Returns
        -------
        float
            The value, but for rounding.
        """
        at_state, at_edge = self.gradient(0, two)
        weight, edge_weight = self.weights(0, one)
        return float(weight @ at_state + edge_weight @ at_edge)

    def response(self, player: Literal[0, 1], strategy: Floats) -> tuple[float, Floats]:
        """A best response to a strategy of the other, and what the player gets by it.

        Parameters
        ----------
        player
            0 or 1, who responds.
        strategy
            Of the other player.

        Returns
        -------
        tuple
            The expected payoff of the player, and its pure strategy.
        """
        return self._response(player, self.weights(1 if player == 0 else 0, strategy))

    def _response(self, player: Literal[0, 1], plan: tuple[Floats, Floats]) -> tuple[float, Floats]:
        at_state, at_edge = self._gradient(player, plan, None)
        best = np.empty(len(at_edge))
        return float(respond(self.states[player], at_state, at_edge, best)), best

    def guaranteed(self, player: Literal[0, 1], plays: npt.NDArray[np.int64]) -> Fraction:
        """What a player gets at least if it plays each edge in so many of some number of plays.

        Parameters
        ----------
        player
            0 or 1.
        plays
            A realization plan in whole numbers: of every edge, in how many plays it is taken.

        Returns
        -------
        Fraction
            The expected payoff of the player against a best response, exactly: all sums are of
            whole numbers, divided by powers of two, and below 2^53.

        Raises
        ------
        ParameterError
            If the numbers are not those of a plan: those of the edges of a state must sum to those
            of the edges that lead to it.
        TooLarge
            If there are too many plays, or symmetries by which floats do not divide exactly.
        """
        of, order = self.states[player], len(self.group.inverse)
        starts = np.flatnonzero(np.diff(of.first))
        leaving = np.zeros(len(of.own), np.int64)
        leaving[starts] = np.add.reduceat(plays, of.first[:-1][starts])
        total = int(leaving[0])
        if total <= 0 or total * order**3 > MOST_PLAYS or order & (order - 1):
            raise TooLarge(
                f"{self.name}: {total:,} plays and {order} symmetries are too many to be exact"
            )
        coming = np.zeros(len(of.own), np.int64)
        coming[0] = total
        for then in (of.free, of.taken):
            np.add.at(coming, then[then >= 0], plays[then >= 0])
        wrong = np.flatnonzero((coming != leaving) & (coming > 0) & of.decides | (leaving > coming))
        if (plays < 0).any() or len(wrong):
            raise ParameterError(f"plays= of {self.name} are no plan, at state {wrong[:1]}")
        response = self._response(
            1 if player == 0 else 0, (coming.astype(np.float64), plays.astype(np.float64))
        )[0]
        return -Fraction(response) / total

    def purified(self, player: Literal[0, 1], strategy: Floats) -> Floats:
        """The pure strategy that takes the most probable cell of a strategy in every state.

        Parameters
        ----------
        player
            0 or 1.
        strategy
            Probabilities of all edges.

        Returns
        -------
        array
            Zeros and ones. Values against it that are whole numbers come without rounding. If the
            form is symmetric, the images of what is chosen are played equally often.
        """
        of = self.states[player]
        choices = np.diff(of.first)
        starts = of.first[:-1][choices > 0]
        most = np.zeros(len(choices))
        most[choices > 0] = np.maximum.reduceat(strategy, starts)
        best = np.flatnonzero(strategy == np.repeat(most, choices))
        state = np.repeat(np.arange(len(choices)), choices)[best]
        pure = np.zeros(len(strategy))
        pure[best[np.unique(state, return_index=True)[1]]] = 1
        return pure

    def bounds(self, one: Floats, two: Floats) -> tuple[float, float]:
        """Two numbers between which the value of the game lies, proved by best responses.

        Player one gets at least what its strategy gets against a best response, and at most what a
        best response gets against that of player two. Both are moved outwards by ``ROUNDING``.

        Parameters
        ----------
        one, two
            Strategies: probabilities of all edges.

        Returns
        -------
        tuple of floats
            The lower and the upper bound.
        """
        lower, upper = -self.response(1, one)[0], self.response(0, two)[0]
        return lower - ROUNDING, upper + ROUNDING


def phantom_form(
    name: str,
    cells: Sequence[str],
    wins: Sequence[Callable[[frozenset[str]], bool]],
    *,
    abrupt: bool = False,
    symmetries: Sequence[Sequence[str]] = (),
    max_states: int = 100_000_000,
) -> PhantomForm:
    """A phantom game on any board, where who has certain cells wins, and a full board is a draw.

    Parameters
    ----------
    name
        What it is called in messages.
    cells
        The names of the cells, at most 12.
    wins
        For each of the two players, whether pieces on a set of cells win. With more pieces that
        must remain so.
    abrupt
        Whether a refusal ends the turn.
    symmetries
        Permutations of the cells that leave alone which sets of them win, each as the cells to
        which those of ``cells`` go. They and what they generate are made use of; by default none.
    max_states
        The most states of a player; about 60 bytes are taken for each at the end.

    Returns
    -------
    PhantomForm
        The form.

    Raises
    ------
    ParameterError
        If there are too many cells, or if what is given is no symmetry.
    TooLarge
        If there are too many states.
    """
    if not 1 <= len(cells) <= MOST_CELLS:
        raise ParameterError(
            f"{name} has {len(cells)} cells; a phantom form takes from 1 to {MOST_CELLS}"
        )
    sets = [
        frozenset([cell for bit, cell in enumerate(cells) if mask >> bit & 1])
        for mask in range(1 << len(cells))
    ]
    table = np.array([[wins[who](one) for one in sets] for who in range(2)], np.bool_)
    group = _generated(name, tuple(cells), symmetries, table)
    most = 1 << 14
    while most <= 2 * max_states:
        made = [_enumerated(len(cells), table, abrupt, who, group, most) for who in range(2)]
        if made[0] and made[1]:
            return PhantomForm(name, tuple(cells), abrupt, table, (made[0], made[1]), group)
        most *= 4
    raise TooLarge(
        f"{name} has more than {max_states:,} states of knowledge; take a smaller board, or raise"
        " max_states="
    )


def _enumerated(
    cells: int,
    wins: npt.NDArray[np.bool_],
    abrupt: bool,
    who: int,
    group: Symmetries,
    most: int,
) -> States | None:
    """The states of a player; none if there is no room."""
    of = States(
        own=np.zeros(most, np.int16),
        known=np.zeros(most, np.int16),
        first=np.zeros(most + 1, np.int64),
        fixed=np.zeros(most, np.int64),
        free=np.empty(3 * most, np.int32),
        taken=np.empty(3 * most, np.int32),
        turn_free=np.zeros(3 * most, np.int8),
        turn_taken=np.zeros(3 * most, np.int8),
        orders=np.zeros(most, np.int64),
        decides=np.zeros(most, np.bool_),
    )
    trail = Trail(
        begin=np.zeros(most, np.int32),
        last=np.zeros(most, np.int32),
        before=np.zeros(most, np.int32),
        when=np.zeros(most, np.int64),
    )
    sizes = np.zeros(2, np.int64)
    if enumerate_states((1 << cells) - 1, wins, abrupt, who, group, of, trail, sizes) == FULL:
        return None
    states, edges = sizes.tolist()
    ends = dict.fromkeys(("free", "taken", "turn_free", "turn_taken"), edges)
    ends["first"] = states + 1
    return States(*[one[: ends.get(name, states)].copy() for name, one in of._asdict().items()])


def _bits(masks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """How many bits are set, of whole numbers of at most 62 bits."""
    found = np.zeros(len(masks), np.int64)
    for bit in range(int(masks.max(initial=0)).bit_length()):
        found += masks >> bit & 1
    return found


def _generated(
    name: str,
    cells: tuple[str, ...],
    symmetries: Sequence[Sequence[str]],
    wins: npt.NDArray[np.bool_],
) -> Symmetries:
    """The group of all symmetries that come from some by carrying out one after the other."""
    masks = np.arange(1 << len(cells))
    given = []
    for one in symmetries:
        if sorted(one) != sorted(cells):
            raise ParameterError(f"{name}: {' '.join(one)!r} is no permutation of the cells")
        given.append(tuple(map(cells.index, one)))
        moved = sum((masks >> cell & 1) << to for cell, to in enumerate(given[-1]))
        if (wins[:, moved] != wins).any():
            raise ParameterError(
                f"{name}: {' '.join(one)!r} is no symmetry: what wins does not win there"
            )
    found = [tuple(range(len(cells)))]
    for element in found:  # which grows
        images = [tuple(after[cell] for cell in element) for after in given]
        found += [image for image in dict.fromkeys(images) if image not in found]
        if len(found) > MOST_SYMMETRIES:
            raise ParameterError(
                f"{name}: symmetries= generate more than {MOST_SYMMETRIES}; give fewer"
            )
    return _group(np.array(found), masks)


def _group(images: npt.NDArray[np.int64], masks: npt.NDArray[np.int64]) -> Symmetries:
    """The tables of permutations that are a group."""
    numbers = {tuple(one): number for number, one in enumerate(images.tolist())}
    cells = np.arange(images.shape[1])
    moved = np.zeros((len(images), len(masks)), np.int64)
    for cell in cells:
        moved += (masks >> cell & 1) << images[:, cell, None]
    bits = 1 << np.arange(len(images))
    return Symmetries(
        cells=images,
        masks=moved,
        inverse=np.array([numbers[tuple(np.argsort(one).tolist())] for one in images]),
        product=np.array([[numbers[tuple(one[two].tolist())] for two in images] for one in images]),
        fixing=bits @ (images == cells),
        lowering=bits @ (images < cells),
        shift=(len(images) - 1).bit_length(),
    )


def dark_hex_form(
    width: int = 3, height: int = 3, *, abrupt: bool = False, symmetric: bool = False
) -> PhantomForm:
    """The phantom form of ``dark_hex``.

    Parameters
    ----------
    width, height, abrupt
        As of the game.
    symmetric
        Whether to make use of the half turn of the board.

    Returns
    -------
    PhantomForm
        The form.

    Examples
    --------
    >>> dark_hex_form(2, 2)
    <PhantomForm of dark_hex(width=2, height=2): 24 lines, 17 and 53 information sets>
    """
    cells = list(hex_neighbours(width, height))
    return phantom_form(
        _name("dark_hex", {"width": width, "height": height}, abrupt),
        cells,
        [
            lambda stones: hex_joined(width, height, stones, across=True),
            lambda stones: hex_joined(width, height, stones, across=False),
        ],
        abrupt=abrupt,
        symmetries=[cells[::-1]] * symmetric,
    )


def tic_tac_toe_form(
    width: int = 3,
    height: int = 3,
    line: int = 3,
    *,
    abrupt: bool = False,
    symmetric: bool = False,
) -> PhantomForm:
    """The phantom form of ``blind_tic_tac_toe``.

    Parameters
    ----------
    width, height, line, abrupt
        As of the game.
    symmetric
        Whether to make use of the symmetries of the board: eight if it is a square.

    Returns
    -------
    PhantomForm
        The form.

    Examples
    --------
    >>> tic_tac_toe_form(2, 2, 2, abrupt=True).infosets
    (17, 5)
    """
    through = lines_through(width, height, line)
    winning = {one for lines in through.values() for one in lines}

    def wins(marks: frozenset[str]) -> bool:
        return any(one <= marks for one in winning)

    sizes = {"width": width, "height": height, "line": line}
    name = _name("blind_tic_tac_toe", sizes, abrupt)
    cells = list(through)
    rows = [cells[width * row : width * (row + 1)] for row in range(height)]
    symmetries = [[cell for row in rows for cell in reversed(row)], cells[::-1]]
    if width == height:
        symmetries.append([cell for column in zip(*rows, strict=True) for cell in column])
    return phantom_form(
        name, cells, [wins, wins], abrupt=abrupt, symmetries=symmetries if symmetric else ()
    )


def _name(family: str, sizes: dict[str, int], abrupt: bool) -> str:
    told = [f"{key}={size}" for key, size in sizes.items()] + ["abrupt=True"] * abrupt
    return f"{family}({', '.join(told)})"
