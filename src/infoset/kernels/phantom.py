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

The board may have symmetries, a group of permutations of its cells. Then one line stands for all
its images: of cells that the symmetries which leave the line so far as it is carry into each
other, only the lowest is walked. And one state stands for all its images. A list of the walk has
states as pairs of the state that stands for it and the symmetry that carries that one to it, and
an edge has the symmetries that carry the states that stand for those after it to these. A board
without symmetries has the one that changes nothing.

The arrays of a player's states, of which number 0 is the start:

    own, known      cells with own pieces, and cells at which it was refused
    first           where its edges begin: one for each cell in neither, in order of the cells;
                    one entry more than there are states
    fixed           the symmetries that leave it as it is, as bits
    orders          in how many orders of moves and refusals it may be reached
    decides         whether it has to move in some line
    free, taken     of an edge: the state that follows if the cell is free (-1: the game is over
                    whenever it is free, or it never is), and if it is taken (-1: it never is)
    turn_free, turn_taken
                    the symmetries that carry these to what really follows
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from infoset.kernels.compiling import compiled

FULL, DEEP = -1, -2  # what went wrong: no room for states or edges, for lists of states

_compiled = compiled(nogil=True, error_model="numpy")
_inlined = compiled(nogil=True, error_model="numpy", inline="always")


class Symmetries(NamedTuple):
    """A group of permutations of the cells, of which number 0 changes nothing."""

    cells: npt.NDArray[np.int64]  # [symmetry, cell]: where it goes
    masks: npt.NDArray[np.int64]  # [symmetry, set of cells]: where they go
    inverse: npt.NDArray[np.int64]
    product: npt.NDArray[np.int64]  # [one, other]: the other first
    fixing: npt.NDArray[np.int64]  # [cell]: the symmetries that leave it where it is, as bits
    lowering: npt.NDArray[np.int64]  # [cell]: those that carry it to a lower one
    shift: int  # so many bits hold the number of a symmetry


class States(NamedTuple):
    """What a player may know, as the module says."""

    own: npt.NDArray[np.int16]
    known: npt.NDArray[np.int16]
    first: npt.NDArray[np.int64]
    fixed: npt.NDArray[np.int64]
    free: npt.NDArray[np.int32]
    taken: npt.NDArray[np.int32]
    turn_free: npt.NDArray[np.int8]
    turn_taken: npt.NDArray[np.int8]
    orders: npt.NDArray[np.int64]
    decides: npt.NDArray[np.bool_]


class Trail(NamedTuple):
    """What is needed of states only while they are made."""

    begin: npt.NDArray[np.int32]  # the state at the beginning of its turn
    last: npt.NDArray[np.int32]  # the last that was made of those in the same turn; -1: none
    before: npt.NDArray[np.int32]  # of these the one before
    when: npt.NDArray[np.int64]  # at which turn each cell was tried, in four bits a cell


@_inlined
def _bits(mask: Any) -> Any:
    """How many bits are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@_inlined
def _edge(here: Any, full: Any, state: Any, cell: Any) -> Any:
    """The edge of a state at a cell."""
    untried = full & ~(here.own[state] | here.known[state])
    return here.first[state] + _bits(untried & ((1 << cell) - 1))


@_compiled
def _possible(
    wins: Any, abrupt: Any, full: Any, who: Any, mine: Any, found: Any, when: Any, turns: Any
) -> Any:
    """Whether a player may be where it is with the other's first so many turns, and play on.

    ``when`` has four bits for each cell: at which of its own turns the player tried it. What it
    found was put down by the other's first turns, or else by any later ones before it was found.
    In the abrupt game the other loses as many of its further turns as there are pieces for; what
    remains are pieces that the player does not know. The fewer, the less likely have they won.
    """
    hits, placed = 0, 0
    cells = _bits(full)
    at_turn = np.zeros((2, 17), np.int64)  # what was placed and what was found at a turn
    for cell in range(cells):
        at_turn[found >> cell & 1, when >> 4 * cell & 15] += 1
    for turn in range(1, 16):
        hits += at_turn[1, turn]
        if hits > turn - 1 + who:
            return False
    if hits > turns:
        return False
    unknown = turns - hits
    if abrupt:
        unknown, placed, turn = 0, 0, 1
        for other in range(hits + 1, turns + 1):
            while turn <= other - who:
                placed += at_turn[0, turn]
                turn += 1
            if placed > 0:
                placed -= 1
            else:
                unknown += 1
    untried = full & ~(mine | found)
    part = 0
    while True:
        theirs = found | part
        if _bits(part) == unknown and mine | theirs != full and not wins[1 - who, theirs]:
            return True
        if part == untried:
            return False
        part = (part - untried) & untried


@_compiled
def _new(
    here: Any, trail: Any, full: Any, sizes: Any, mine: Any, found: Any, fixed: Any, when: Any
) -> Any:
    """A further state of a player; FULL if there is no room."""
    state = sizes[0]
    edges = _bits(full & ~(mine | found))
    if state + 2 > len(here.own) or here.first[state] + edges > len(here.free):
        return FULL
    here.own[state] = mine
    here.known[state] = found
    here.fixed[state] = fixed
    here.first[state + 1] = here.first[state] + edges
    for edge in range(here.first[state], here.first[state + 1]):
        here.free[edge] = -1
        here.taken[edge] = -1
    trail.begin[state] = state
    trail.last[state] = -1
    trail.when[state] = when
    sizes[0] += 1
    return state


@_compiled
def _placed(
    here: Any, trail: Any, group: Any, full: Any, sizes: Any, state: Any, cell: Any, turn: Any
) -> Any:
    """Make the state that follows if a cell is free; FULL if there is no room."""
    least, by = cell, 0
    for one in range(len(group.inverse)):
        if here.fixed[state] >> one & 1 and group.cells[one, cell] < least:
            least, by = group.cells[one, cell], one
    main = _edge(here, full, state, least)
    if here.free[main] < 0:
        then = _new(
            here, trail, full, sizes, here.own[state] | 1 << least, here.known[state],
            here.fixed[state] & group.fixing[least], trail.when[state] | turn << 4 * least,
        )  # fmt: skip
        if then < 0:
            return FULL
        here.orders[then] = here.orders[state]
        here.free[main] = then
    edge = _edge(here, full, state, cell)
    here.free[edge] = here.free[main]
    here.turn_free[edge] = group.inverse[by]
    return edge


@_compiled
def _refused(
    here: Any, trail: Any, group: Any, full: Any, abrupt: Any, sizes: Any, state: Any, cell: Any,
    turn: Any,
) -> Any:  # fmt: skip
    """Make the state that follows if a cell is taken; FULL if there is no room."""
    begin = trail.begin[state]
    part = here.known[state] & ~here.known[begin] | 1 << cell
    least, by = part, 0
    for one in range(len(group.inverse)):
        if here.fixed[begin] >> one & 1 and group.masks[one, part] < least:
            least, by = group.masks[one, part], one
    known = here.known[begin] | least
    then = trail.last[begin]
    while then >= 0 and here.known[then] != known:
        then = trail.before[then]
    if then < 0:
        fixed, when, many = 0, trail.when[begin], 1
        for one in range(len(group.inverse)):
            if here.fixed[begin] >> one & 1 and group.masks[one, least] == least:
                fixed |= 1 << one
        for one in range(len(group.fixing)):
            if least >> one & 1:
                when |= turn << 4 * one
        then = _new(here, trail, full, sizes, here.own[begin], known, fixed, when)
        if then < 0:
            return FULL
        for number in range(2, _bits(least) + 1):
            many *= number
        here.orders[then] = here.orders[begin] * many
        trail.begin[then] = then if abrupt else begin
        trail.before[then] = trail.last[begin]
        trail.last[begin] = then
    edge = _edge(here, full, state, cell)
    here.taken[edge] = then
    here.turn_taken[edge] = group.inverse[by]
    return edge


@_compiled
def enumerate_states(
    full: Any, wins: Any, abrupt: Any, who: Any, group: Any, here: Any, trail: Any, sizes: Any
) -> Any:
    """Make all states of a player, those with fewer tries first; FULL if there is no room.

    ``here`` are arrays with room for the states, of which ``sizes`` will be the numbers of states
    and edges. ``wins[who, mask]`` says whether pieces on these cells win.
    """
    cells = _bits(full)
    sizes[0] = 0
    here.first[0] = 0
    if _new(here, trail, full, sizes, 0, 0, (1 << len(group.inverse)) - 1, 0) < 0:
        return FULL
    here.orders[0] = 1
    state = 0
    while state < sizes[0]:
        mine, found, when = here.own[state], here.known[state], trail.when[state]
        # how many of its turns are over: all that it placed, and in the abrupt game found
        turns = _bits(mine) + (_bits(found) if abrupt else 0)
        here.decides[state] = _possible(wins, abrupt, full, who, mine, found, when, turns + who)
        for cell in range(cells):
            if not here.decides[state] or (mine | found) >> cell & 1:
                continue
            one, after, made = 1 << cell, when | (turns + 1) << 4 * cell, 0
            if not wins[who, mine | one] and _possible(
                wins, abrupt, full, who, mine | one, found, after, turns + who
            ):
                made = _placed(here, trail, group, full, sizes, state, cell, turns + 1)
            if made >= 0 and _possible(
                wins, abrupt, full, who, mine, found | one, after, turns + who
            ):
                made = _refused(here, trail, group, full, abrupt, sizes, state, cell, turns + 1)
            if made < 0:
                return FULL
        state += 1
    sizes[1] = here.first[sizes[0]]
    return 0


@_compiled
def gradient(
    full: Any, wins: Any, abrupt: Any, group: Any, player: Any, states: Any, others: Any,
    wanted: Any, weight: Any, edge_weight: Any, at_state: Any, at_edge: Any, stack: Any,
) -> Any:  # fmt: skip
    """What each state and edge of a player pays against the other's weights, where a play ends.

    ``weight`` and ``edge_weight`` are the other's, of one of the states that a state stands for,
    times the number of symmetries; to ``at_state`` is added what is paid when the other's move ends
    the game, to ``at_edge`` what the player's own one gives, both for all that a state stands for,
    divided by the number of symmetries. What the other never plays is left out, and so are states
    that are not ``wanted``, with all that follow, and positions in which neither can win any more.
    Returns the number of lines that were visited, or DEEP.
    """
    cells = _bits(full)
    shift, low = group.shift, (1 << group.shift) - 1
    inverse, masks, product = group.inverse, group.masks, group.product
    count = np.array([_bits(mask) for mask in range(1 << cells)])
    depth = 4 * cells + 2
    pieces = np.zeros((depth, 2), np.int64)
    lists = np.zeros((depth, 2, 2), np.int64)
    action = np.zeros(depth, np.int64)
    turn = np.zeros(depth, np.int64)
    fixed = np.zeros(depth, np.int64)
    paid = np.zeros(depth)  # the other's weight if the player moves, or else what the player gets
    subset = np.zeros(1 << cells, np.int64)
    lists[0, 0], lists[0, 1] = (0, 1), (1, 2)
    stack[0] = stack[1] = 0
    top, at, lines = 2, 0, 0
    action[0] = -1
    fixed[0] = (1 << len(inverse)) - 1
    while at >= 0:
        who = at % 2
        moves = who == player
        here = states if moves else others
        own, known, first, free, taken = here.own, here.known, here.first, here.free, here.taken
        mine, theirs = pieces[at, who], pieces[at, 1 - who]
        if action[at] < 0:
            action[at] = 0
            turn[at] = lists[at, who, 1]
            paid[at] = 0.0
            if moves:
                for i in range(lists[at, 1 - who, 0], lists[at, 1 - who, 1]):
                    paid[at] += weight[stack[i] >> shift]
                paid[at] /= _bits(fixed[at]) * len(inverse)
            if not abrupt:
                begin = top
                if top + (lists[at, who, 1] - lists[at, who, 0]) * (1 << count[theirs]) > len(
                    stack
                ):
                    return DEEP
                for i in range(lists[at, who, 0], lists[at, who, 1]):
                    base, by = stack[i] >> shift, stack[i] & low
                    hidden = masks[inverse[by], theirs] & ~known[base]
                    subset[0] = base << shift
                    part = 0
                    while True:
                        state = subset[part] >> shift
                        if wanted[state] if moves else weight[state] > 0.0:
                            stack[top] = subset[part] & ~low | product[by, subset[part] & low]
                            top += 1
                        if part == hidden:
                            break
                        part = (part - hidden) & hidden
                        above = subset[part & (part - 1)]
                        state, to = above >> shift, above & low
                        named = masks[inverse[to], part & -part]
                        untried = full & ~(own[state] | known[state])
                        edge = first[state] + count[untried & (named - 1)]
                        to = product[to, here.turn_taken[edge]]
                        subset[part] = taken[edge] << shift | to
                lists[at, who, 0], turn[at] = begin, top
        top = max(turn[at], lists[at, 1 - who, 1])
        begin, end = lists[at, who, 0], turn[at]
        cell = action[at]
        action[at] += 1
        if cell > cells or (cell == cells and not abrupt):
            if not moves and paid[at] != 0.0:
                paid[at] /= _bits(fixed[at]) * len(inverse)
                for i in range(lists[at, player, 0], lists[at, player, 1]):
                    at_state[stack[i] >> shift] += paid[at]
            at -= 1
            continue
        start = top
        if cell == cells:  # a lost turn
            if top + (end - begin) * count[theirs] > len(stack):
                return DEEP
            for i in range(begin, end):
                state, by = stack[i] >> shift, stack[i] & low
                hidden = masks[inverse[by], theirs] & ~known[state]
                untried = full & ~(own[state] | known[state])
                while hidden:
                    edge = first[state] + count[untried & ((hidden & -hidden) - 1)]
                    hidden &= hidden - 1
                    if wanted[taken[edge]] if moves else weight[taken[edge]] > 0.0:
                        stack[top] = taken[edge] << shift | product[by, here.turn_taken[edge]]
                        top += 1
            if top == start:
                continue
            pieces[at + 1, who] = mine
            fixed[at + 1] = fixed[at]
        else:
            if (mine | theirs) >> cell & 1 or fixed[at] & group.lowering[cell]:
                continue
            after = mine | 1 << cell
            fixed[at + 1] = fixed[at] & group.fixing[cell]
            won = wins[who, after]
            if won or after | theirs == full:
                lines += 1
                if not won:
                    continue
                # of the cells that this one stands for, the line has one
                times = _bits(fixed[at]) / _bits(fixed[at + 1])
                for i in range(begin, end):
                    state = stack[i] >> shift
                    named = masks[inverse[stack[i] & low], 1 << cell]
                    untried = full & ~(own[state] | known[state])
                    edge = first[state] + count[untried & (named - 1)]
                    if moves:
                        at_edge[edge] += paid[at] * times
                    else:
                        paid[at] -= edge_weight[edge] * times
                continue
            if not wins[who, full & ~theirs] and not wins[1 - who, full & ~after]:
                continue
            if top + end - begin > len(stack):
                return DEEP
            for i in range(begin, end):
                state, by = stack[i] >> shift, stack[i] & low
                untried = full & ~(own[state] | known[state])
                named = masks[inverse[by], 1 << cell]
                edge = first[state] + count[untried & (named - 1)]
                if wanted[free[edge]] if moves else weight[free[edge]] > 0.0:
                    stack[top] = free[edge] << shift | product[by, here.turn_free[edge]]
                    top += 1
            if top == start:
                continue
            pieces[at + 1, who] = after
        pieces[at + 1, 1 - who] = theirs
        lists[at + 1, who, 0], lists[at + 1, who, 1] = start, top
        lists[at + 1, 1 - who] = lists[at, 1 - who]
        at += 1
        action[at] = -1
    return lines


@_compiled
def even_out(states: Any, group: Any, full: Any, at_state: Any, at_edge: Any) -> None:
    """Undo that a state or edge with symmetries has fewer images, and give equal edges their mean.

    What is summed over all images, divided by the number of symmetries, is then that of each image.
    """
    for state in range(len(states.own)):
        if states.fixed[state] == 1:
            continue
        times = _bits(states.fixed[state])
        at_state[state] *= times
        done = states.own[state] | states.known[state]
        for cell in range(len(group.fixing)):
            if done >> cell & 1:
                continue
            images, total = 0, 0.0
            for one in range(len(group.inverse)):
                image = group.cells[one, cell]
                if states.fixed[state] >> one & 1 and not images >> image & 1:
                    images |= 1 << image
                    total += at_edge[_edge(states, full, state, image)]
            done |= images
            for image in range(len(group.fixing)):
                if images >> image & 1:
                    mean = total / _bits(images)
                    at_edge[_edge(states, full, state, image)] = mean * times


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
def departures(states: Any, strategy: Any, least: Any) -> None:
    """In how many of its moves a player departs from its strategy to come to each state."""
    first, free, taken = states.first, states.free, states.taken
    least[:] = 100
    least[0] = 0
    for state in range(len(first) - 1):
        for edge in range(first[state], first[state + 1]):
            so_far = least[state] + (strategy[edge] == 0.0)
            if free[edge] >= 0:
                least[free[edge]] = min(least[free[edge]], so_far)
            if taken[edge] >= 0:
                least[taken[edge]] = min(least[taken[edge]], so_far)


@_compiled
def learn(
    states: Any, at_state: Any, at_edge: Any, learns: Any, regret: Any, strategy: Any
) -> Any:  # fmt: skip
    """One step of predictive regret matching+ at states, the last first; the value before.

    Only where it ``learns``; elsewhere, and where nothing is regretted, the strategy remains.
    """
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
        at_state[state] += value
        if not learns[state]:
            continue
        total = 0.0
        for edge in range(begin, end):
            gain = at_edge[edge] - value
            regret[edge] = max(0.0, regret[edge] + gain)
            total += max(0.0, regret[edge] + gain)
        if total > 0.0:
            for edge in range(begin, end):
                strategy[edge] = max(0.0, regret[edge] + (at_edge[edge] - value)) / total
    return at_state[0]


@_compiled
def average(summed: Any, edge_weight: Any, share: Any) -> None:
    """Add weights to an average, which they make up to this share."""
    for edge in range(len(summed)):
        summed[edge] += share * (edge_weight[edge] - summed[edge])
