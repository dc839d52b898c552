"""Phantom games on a board, factored: positions in full sight, each with what a player may know.

Two players in turn put pieces on free cells of a board and do not see each other's. A cell is a bit
of a whole number. Who names a cell that the other has is refused: it knows of the piece from now
on, and names another one (the *classical* game) or has lost its turn (the *abrupt* one).

What a refusal tells does not touch the other player. So a play is a *line*, the pieces as they were
put down (and in the abrupt game also which turns were lost), and beside it, for each player by
itself, what it knows: of a line, the *states* of knowledge of one player that agree with it do not
depend on those of the other. With x and y the weights of the states (realization plans, as in the
sequence form), the expected payoff is

    sum over lines of  payoff(line) * X(line) * Y(line),    X(line) = sum of x over its states,

and so with Y and the other player. Lines are few: those of the perfect-information game.

A state is made once for all orders in which cells were refused within one turn, since these are
known in the same situations, and nothing that follows depends on the order. In the classical game
states thus form an acyclic graph, in which each comes after those that lead to it.

The arrays of a player's states, of which number 0 is the start:

    own, known      cells with own pieces, and cells at which it was refused
    first           where its edges begin: one for each cell in neither, in order of the cells;
                    one entry more than there are states
    orders          in how many orders of moves and refusals it may be reached
    decides         whether it has to move in some line
    free, taken     of an edge: the state that follows if the cell is free (-1: the game is over
                    whenever it is free, or it never is), and if it is taken (-1: it never is)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from infoset.kernels.compiling import compiled

FULL, DEEP = -1, -2  # what went wrong: no room for states or edges, for lists of states

_compiled = compiled(nogil=True, error_model="numpy")
_inlined = compiled(nogil=True, error_model="numpy", inline="always")


class States(NamedTuple):
    """What a player may know, as the module says."""

    own: npt.NDArray[np.int16]
    known: npt.NDArray[np.int16]
    first: npt.NDArray[np.int64]
    free: npt.NDArray[np.int32]
    taken: npt.NDArray[np.int32]
    orders: npt.NDArray[np.int64]
    decides: npt.NDArray[np.bool_]


@_inlined
def _bits(mask: Any) -> Any:
    """How many bits are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@_inlined
def _edge(own: Any, known: Any, first: Any, full: Any, state: Any, cell: Any) -> Any:
    """The edge of a state at a cell."""
    untried = full & ~(own[state] | known[state])
    return first[state] + _bits(untried & ((1 << cell) - 1))


@_compiled
def _new(
    own: Any, known: Any, first: Any, orders: Any, free: Any, taken: Any, sizes: Any,
    who: Any, full: Any, mine: Any, found: Any,
) -> Any:  # fmt: skip
    """A further state of a player; FULL if there is no room."""
    state = sizes[who, 0]
    edges = _bits(full & ~(mine | found))
    if state + 2 > own.shape[1] or first[who, state] + edges > free.shape[1]:
        return FULL
    own[who, state] = mine
    known[who, state] = found
    orders[who, state] = 0
    first[who, state + 1] = first[who, state] + edges
    for edge in range(first[who, state], first[who, state + 1]):
        free[who, edge] = -1
        taken[who, edge] = -1
    sizes[who, 0] += 1
    return state


@_compiled
def enumerate_states(
    full: Any, wins: Any, abrupt: Any, own: Any, known: Any, first: Any, orders: Any, decides: Any,
    free: Any, taken: Any, sizes: Any, stack: Any,
) -> Any:  # fmt: skip
    """Walk over all lines and make the states of both players on the way; the number of lines.

    All arrays have the player as their first index; ``sizes[who]`` will be the numbers of states
    and edges. ``wins[who, mask]`` says whether pieces on these cells win.
    """
    cells = _bits(full)
    depth = 4 * cells + 2
    pieces = np.zeros((depth, 2), np.int64)
    lists = np.zeros((depth, 2, 2), np.int64)  # [depth, player]: from, to in the stack
    action = np.zeros(depth, np.int64)
    turn = np.zeros(depth, np.int64)  # where the list of the mover within its turn ends
    subset = np.zeros(1 << cells, np.int64)
    for who in range(2):
        sizes[who, 0] = 0
        first[who, 0] = 0
        if _new(own, known, first, orders, free, taken, sizes, who, full, 0, 0) < 0:
            return FULL
        orders[who, 0] = 1
        lists[0, who] = who, who + 1
        stack[who] = 0
    top, at, lines = 2, 0, 0
    action[0] = -1
    while at >= 0:
        who = at % 2
        mine, theirs = pieces[at, who], pieces[at, 1 - who]
        if action[at] < 0:  # entered: the mover's states within its turn
            action[at] = 0
            turn[at] = lists[at, who, 1]
            if abrupt:
                for i in range(lists[at, who, 0], lists[at, who, 1]):
                    decides[who, stack[i]] = True
            else:
                begin = top
                for i in range(lists[at, who, 0], lists[at, who, 1]):
                    hidden = theirs & ~known[who, stack[i]]
                    subset[0] = stack[i]
                    part = 0
                    while True:  # all parts of the hidden pieces, each after its own parts
                        state = subset[part]
                        if part:
                            high = cells - 1
                            while not part >> high & 1:
                                high -= 1
                            above = subset[part & ~(1 << high)]
                            edge = _edge(own[who], known[who], first[who], full, above, high)
                            state = taken[who, edge]
                            if state < 0:
                                state = _new(
                                    own, known, first, orders, free, taken, sizes, who, full,
                                    mine, known[who, above] | 1 << high,
                                )  # fmt: skip
                                if state < 0:
                                    return FULL
                                for cell in range(cells):
                                    if part >> cell & 1:
                                        above = subset[part & ~(1 << cell)]
                                        edge = _edge(
                                            own[who], known[who], first[who], full, above, cell
                                        )
                                        taken[who, edge] = state
                                        orders[who, state] += orders[who, above]
                            subset[part] = state
                        if top >= len(stack):
                            return DEEP
                        decides[who, state] = True
                        stack[top] = state
                        top += 1
                        if part == hidden:
                            break
                        part = (part - hidden) & hidden
                lists[at, who, 0], turn[at] = begin, top
        top = max(turn[at], lists[at, 1 - who, 1])
        begin, end = lists[at, who, 0], turn[at]
        cell = action[at]
        action[at] += 1
        if cell > cells or (cell == cells and not abrupt):
            at -= 1
            continue
        if cell == cells:  # a lost turn
            start = top
            for i in range(begin, end):
                state = stack[i]
                hidden = theirs & ~known[who, state]
                for one in range(cells):
                    if hidden >> one & 1:
                        edge = _edge(own[who], known[who], first[who], full, state, one)
                        then = taken[who, edge]
                        if then < 0:
                            then = _new(
                                own, known, first, orders, free, taken, sizes, who, full,
                                mine, known[who, state] | 1 << one,
                            )  # fmt: skip
                            if then < 0:
                                return FULL
                            taken[who, edge] = then
                            orders[who, then] = orders[who, state]
                        if top >= len(stack):
                            return DEEP
                        stack[top] = then
                        top += 1
            if top == start:
                continue
            pieces[at + 1, who] = mine
        else:
            if (mine | theirs) >> cell & 1:
                continue
            after = mine | 1 << cell
            if wins[who, after] or after | theirs == full:
                lines += 1
                continue
            start = top
            if top + end - begin > len(stack):
                return DEEP
            for i in range(begin, end):
                state = stack[i]
                edge = _edge(own[who], known[who], first[who], full, state, cell)
                then = free[who, edge]
                if then < 0:
                    then = _new(
                        own, known, first, orders, free, taken, sizes, who, full,
                        after, known[who, state],
                    )  # fmt: skip
                    if then < 0:
                        return FULL
                    free[who, edge] = then
                    orders[who, then] = orders[who, state]
                stack[top] = then
                top += 1
            pieces[at + 1, who] = after
        pieces[at + 1, 1 - who] = theirs
        lists[at + 1, who, 0], lists[at + 1, who, 1] = start, top
        lists[at + 1, 1 - who] = lists[at, 1 - who]
        at += 1
        action[at] = -1
    for who in range(2):
        sizes[who, 1] = first[who, sizes[who, 0]]
    return lines


@_compiled
def gradient(
    full: Any, wins: Any, abrupt: Any, player: Any, states: Any, others: Any,
    weight: Any, edge_weight: Any, at_state: Any, at_edge: Any, stack: Any,
) -> Any:  # fmt: skip
    """What each state and edge of a player pays against the other's weights, where a play ends.

    ``weight`` and ``edge_weight`` are the other's; to ``at_state`` is added what is paid when the
    other's move ends the game, to ``at_edge`` what the player's own one gives. Lines that the other
    never plays are left out. Returns the number of lines that were visited, or DEEP.
    """
    cells = _bits(full)
    count = np.array([_bits(mask) for mask in range(1 << cells)])
    depth = 4 * cells + 2
    pieces = np.zeros((depth, 2), np.int64)
    lists = np.zeros((depth, 2, 2), np.int64)
    action = np.zeros(depth, np.int64)
    turn = np.zeros(depth, np.int64)
    paid = np.zeros(depth)  # the other's weight if the player moves, or else what the player gets
    subset = np.zeros(1 << cells, np.int64)
    lists[0, 0], lists[0, 1] = (0, 1), (1, 2)
    stack[0] = stack[1] = 0
    top, at, lines = 2, 0, 0
    action[0] = -1
    while at >= 0:
        who = at % 2
        moves = who == player
        here = states if moves else others
        known, first, free, taken = here.known, here.first, here.free, here.taken
        mine, theirs = pieces[at, who], pieces[at, 1 - who]
        untried = full & ~mine
        if action[at] < 0:
            action[at] = 0
            turn[at] = lists[at, who, 1]
            paid[at] = 0.0
            if moves:
                for i in range(lists[at, 1 - who, 0], lists[at, 1 - who, 1]):
                    paid[at] += weight[stack[i]]
            if not abrupt:
                begin = top
                if top + (lists[at, who, 1] - lists[at, who, 0]) * (1 << count[theirs]) > len(
                    stack
                ):
                    return DEEP
                for i in range(lists[at, who, 0], lists[at, who, 1]):
                    base = stack[i]
                    hidden = theirs & ~known[base]
                    subset[0] = base
                    stack[top] = base
                    top += 1
                    part = 0
                    while part != hidden:
                        part = (part - hidden) & hidden
                        below = (part & -part) - 1
                        above = subset[part & (part - 1)]
                        state = taken[first[above] + count[untried & ~known[above] & below]]
                        subset[part] = state
                        stack[top] = state
                        top += 1
                lists[at, who, 0], turn[at] = begin, top
        top = max(turn[at], lists[at, 1 - who, 1])
        begin, end = lists[at, who, 0], turn[at]
        cell = action[at]
        action[at] += 1
        if cell > cells or (cell == cells and not abrupt):
            if not moves and paid[at] != 0.0:
                for i in range(lists[at, player, 0], lists[at, player, 1]):
                    at_state[stack[i]] += paid[at]
            at -= 1
            continue
        start = top
        total = 0.0
        if cell == cells:  # a lost turn
            if top + (end - begin) * count[theirs] > len(stack):
                return DEEP
            for i in range(begin, end):
                state = stack[i]
                seen = known[state]
                hidden = theirs & ~seen
                while hidden:
                    below = (hidden & -hidden) - 1
                    hidden &= hidden - 1
                    then = taken[first[state] + count[untried & ~seen & below]]
                    stack[top] = then
                    top += 1
                    if not moves:
                        total += weight[then]
            if top == start:
                continue
            pieces[at + 1, who] = mine
        else:
            if (mine | theirs) >> cell & 1:
                continue
            after = mine | 1 << cell
            below = untried & ((1 << cell) - 1)
            won = wins[who, after]
            if won or after | theirs == full:
                lines += 1
                if not won:
                    continue
                if moves:
                    for i in range(begin, end):
                        state = stack[i]
                        at_edge[first[state] + count[below & ~known[state]]] += paid[at]
                else:
                    for i in range(begin, end):
                        state = stack[i]
                        paid[at] -= edge_weight[first[state] + count[below & ~known[state]]]
                continue
            if top + end - begin > len(stack):
                return DEEP
            for i in range(begin, end):
                state = stack[i]
                then = free[first[state] + count[below & ~known[state]]]
                stack[top] = then
                top += 1
                if not moves:
                    total += weight[then]
            pieces[at + 1, who] = after
        if not moves and total == 0.0:  # the other never plays this
            continue
        pieces[at + 1, 1 - who] = theirs
        lists[at + 1, who, 0], lists[at + 1, who, 1] = start, top
        lists[at + 1, 1 - who] = lists[at, 1 - who]
        at += 1
        action[at] = -1
    return lines


@_compiled
def weigh(states: Any, strategy: Any, weight: Any, edge_weight: Any) -> None:
    """The weights of states and edges, from the probabilities of the edges."""
    first, free, taken = states.first, states.free, states.taken
    weight[:] = 0.0
    weight[0] = 1.0
    for state in range(len(first) - 1):
        for edge in range(first[state], first[state + 1]):
            product = weight[state] * strategy[edge]
            edge_weight[edge] = product
            if free[edge] >= 0:
                weight[free[edge]] += product
            if taken[edge] >= 0:
                weight[taken[edge]] += product


@_compiled
def respond(states: Any, at_state: Any, at_edge: Any, best: Any) -> Any:
    """A best response's value; ``at_state`` and ``at_edge`` become values, ``best`` the choices."""
    first, free, taken = states.first, states.free, states.taken
    for state in range(len(first) - 2, -1, -1):
        begin, end = first[state], first[state + 1]
        most = -np.inf
        for edge in range(begin, end):
            if free[edge] >= 0:
                at_edge[edge] += at_state[free[edge]]
            if taken[edge] >= 0:
                at_edge[edge] += at_state[taken[edge]]
            best[edge] = 0.0
            if at_edge[edge] > most:
                most = at_edge[edge]
                choice = edge
        if end > begin:
            best[choice] = 1.0
            at_state[state] += most
    return at_state[0]


@_compiled
def learn(states: Any, at_state: Any, at_edge: Any, regret: Any, strategy: Any) -> Any:
    """One step of predictive regret matching+ at every state, the last first; the value before."""
    first, free, taken = states.first, states.free, states.taken
    for state in range(len(first) - 2, -1, -1):
        begin, end = first[state], first[state + 1]
        if begin == end:
            continue
        value = 0.0
        for edge in range(begin, end):
            if free[edge] >= 0:
                at_edge[edge] += at_state[free[edge]]
            if taken[edge] >= 0:
                at_edge[edge] += at_state[taken[edge]]
            value += strategy[edge] * at_edge[edge]
        total = 0.0
        for edge in range(begin, end):
            gain = at_edge[edge] - value
            regret[edge] = max(0.0, regret[edge] + gain)
            strategy[edge] = max(0.0, regret[edge] + gain)
            total += strategy[edge]
        if total > 0.0:
            for edge in range(begin, end):
                strategy[edge] /= total
        else:
            for edge in range(begin, end):
                strategy[edge] = 1.0 / (end - begin)
        at_state[state] += value
    return at_state[0]


@_compiled
def average(summed: Any, edge_weight: Any, share: Any) -> None:
    """Add weights to an average, which they make up to this share."""
    for edge in range(len(summed)):
        summed[edge] += share * (edge_weight[edge] - summed[edge])
