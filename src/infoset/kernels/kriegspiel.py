"""Kriegspiel: populations of positions that agree with what was observed, and searches of them.

**Population.** Positions at which a player may be, carried from one turn of the player to the next
(:mod:`infoset.objects.populations` has the idea). In between the other has moved once, and the
player has made some attempts. Of each position all legal moves of the other are tried against what
was announced and against the answers to all of these attempts; its weight is the part of them that
agree. Pairs of a position and a move that agrees are drawn, systematically. The other is believed
to move at random (*uniform*), or half of the time *sensibly*: then the probability of a move is
proportional to exp(E / T), where E is the evaluation of what it leads to for the other, and T 0.02.

Where too few are left, or none, positions are *displaced*: some of the other's men, at first one,
then more and at last all, are put on squares at random before its move is tried. With all men
displaced this is sampling by the last observation (Parker, Nau & Subrahmanian 2005).

**Information-set search.** For positions h_1, ..., h_n that the player cannot distinguish, with
weights w_i, let v(m, i) be the value of h_i after the attempt m, if it is legal there. In one turn
the only observation is that attempts are refused. So a plan for the turn is a list of attempts,
made until one is legal, and the search looks for the best of them,

    V(I) = max over m of  Σ_{i: m is legal} w_i v(m, i) + V({i : m is refused}).

Lists of three are searched; a history that refuses all three is worth the least of its v(m, i).
What follows a legal move: it is evaluated at depth 1; at a greater depth the other replies, any
legal move being equally likely (*overconfident*), or the worst one being made (*paranoid*), and
positions after that with equal announcements are a set, whose best plan is made. In the paranoid
model a set is worth its worst history, in place of the mean; the mean decides between equals. A
set is worth its mean in two further models: *informed*, the other replies by the worst for the
player, as if it saw the position; and *mixed*, it does so with probability 1/2, and else at random.

**Perfect-information Monte Carlo.** Each position is searched by itself, alpha-beta, as if it were
seen, and the values are averaged; a refused attempt leaves the value of the position as it is.

Random numbers are those of Marsaglia's xorshift generator, whose state is given.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from infoset.kernels.bits import lowest, ones
from infoset.kernels.chess import (
    BLACK,
    CAPTURE,
    CASTLING,
    CHECK,
    EDGES,
    KINGS,
    MOVES,
    PASSING,
    PAWNS,
    QUIET,
    TRIES,
    TURN,
    WHITE,
    WORDS,
    announced,
    any_legal,
    attempts,
    balance,
    bare,
    capture_on,
    checkers,
    directions,
    estimate,
    legal,
    legal_moves,
    make,
    pawn_tries,
    possible_moves,
)
from infoset.kernels.compiling import compiled

REFUSED = -1  # the answer to an attempt that is illegal
NOTHING = -1  # announced before the first move
# Models of the other, and perfect information.
OVERCONFIDENT, PARANOID, INFORMED, MIXED, PERFECT = range(5)
MATERIAL, MOBILITY, PROGRESS = 0, 1, 2
UNIFORM, SENSIBLE = 0, 1  # how the other is believed to have moved
SENSE = 0.02  # by so much worse a move is sensible with 1 / e of the probability
FIFTY = 100
TIE = 1e-6  # the part of the mean in the paranoid model: it decides between equals

_compiled = compiled(nogil=True, error_model="numpy")


class Search(NamedTuple):
    """What a search is told."""

    model: int
    replies: int  # drawn for each history and own move; all if there are not more
    evaluate: int
    limit: int  # half-moves without a capture or a pawn's move, then a draw
    tries: int  # whether captures by pawns are announced


@_compiled
def below(random: Any, number: int) -> Any:
    """A random number from 0 on, below a number."""
    x = random[0]
    x ^= x << 13
    x ^= (x >> 7) & ((np.int64(1) << 57) - 1)
    x ^= x << 17
    random[0] = x
    return ((x >> 20) & ((np.int64(1) << 43) - 1)) % number


# ---------------------------------------------------------------------- populations


@_compiled
def heard(position: Any, taken: int, said: int, tries: int, moves: Any) -> bool:
    """Would the umpire say this of the move that led to a position, and go on?"""
    if taken + 1 != said & CAPTURE:
        return False
    givers = checkers(position)
    if (directions(position, givers) if givers else 0) != said & CHECK:
        return False
    if not any_legal(position, givers, moves) or bare(position):
        return False
    return not tries or pawn_tries(position, moves) == said >> TRIES


@_compiled
def answered(position: Any, tried: Any, answers: Any, tries: int, moves: Any, after: Any) -> bool:
    """Would the umpire answer all attempts as it has? What follows is written to ``after``."""
    after[:] = position
    for at in range(len(tried)):
        if legal(position, tried[at]) != (answers[at] != REFUSED):
            return False
        if answers[at] != REFUSED:
            make(position, tried[at], after)
            taken = capture_on(position, tried[at])
            if not heard(after, taken, answers[at], tries, moves):
                return False
    return True


@_compiled
def sensible(position: Any, moves: Any, many: int, chances: Any, after: Any) -> None:
    """How probable legal moves are: half at random, half the better the more by the evaluation."""
    sign, best, total = 1.0 if position[TURN] else -1.0, -np.inf, 0.0
    for at in range(many):
        make(position, moves[at], after)
        chances[at] = sign * evaluated(after, PROGRESS, FIFTY)
        best = max(best, chances[at])
    for at in range(many):
        chances[at] = np.exp((chances[at] - best) / SENSE)
        total += chances[at]
    for at in range(many):
        chances[at] = 0.5 / many + 0.5 * chances[at] / total


@_compiled
def agreeing(
    position: Any,
    said: int,
    tried: Any,
    answers: Any,
    tries: int,
    others: int,
    found: Any,
    chances: Any,
    work: Any,
) -> Any:
    """Moves of the other that agree, their number first, and their chances; the sum of these."""
    moves, more = work[0], work[1]
    middle, after = work[2, :WORDS], work[3, :WORDS]
    found[0], total = 0, 0.0
    many = legal_moves(position, moves)
    if others == SENSIBLE:
        sensible(position, moves, many, chances, middle)
    for at in range(many):
        taken = capture_on(position, moves[at])
        if taken + 1 != said & CAPTURE:
            continue
        make(position, moves[at], middle)
        if not heard(middle, taken, said, tries, more):
            continue
        if answered(middle, tried, answers, tries, more, after):
            chances[found[0]] = chances[at] if others == SENSIBLE else 1.0 / many
            total += chances[found[0]]
            found[0] += 1
            found[found[0]] = moves[at]
    return total


@_compiled
def carry(
    held: Any,
    weights: Any,
    said: int,
    tried: Any,
    answers: Any,
    tries: int,
    others: int,
    out: Any,
    random: Any,
) -> int:
    """Draw positions after a step; how many there are: all of ``out``, or none.

    ``held`` are different positions with their weights, where the other is in turn, or the player
    if nothing is announced; after the step the player is, unless its last attempt was legal.
    """
    size, many = len(out), len(held)
    found, chances = np.empty((many, MOVES), np.int64), np.empty((many, MOVES))
    work = np.empty((4, MOVES), np.int64)
    bounds, total, last = np.empty(many), 0.0, 0
    for at in range(many):
        before = total
        if said == NOTHING:
            if answered(held[at], tried, answers, tries, work[1], work[3, :WORDS]):
                total += weights[at]
        else:
            total += weights[at] * agreeing(
                held[at], said, tried, answers, tries, others, found[at], chances[at], work
            )
        bounds[at] = total
        if total > before:
            last = at
    if total == 0.0:
        return 0
    step = total / size
    mark, at = step * below(random, 1 << 20) / (1 << 20), 0
    for number in range(size):
        while at < last and bounds[at] <= mark:
            at += 1
        position = held[at]
        if said != NOTHING:
            part = (mark - (bounds[at - 1] if at else 0.0)) / weights[at]
            one = 0
            while one < found[at, 0] - 1 and chances[at, one] <= part:
                part -= chances[at, one]
                one += 1
            make(held[at], found[at, 1 + one], work[2, :WORDS])
            position = work[2, :WORDS]
        answered(position, tried, answers, tries, work[1], out[number])
        mark += step
    return size


@_compiled
def merge(held: Any, size: int, out: Any, weights: Any, random: Any) -> tuple[int, int]:
    """Positions each once, with their weights; drawn if there are more than ``size``.

    Returns how many were written, and how many different ones there are.
    """
    many = len(held)
    marks = np.zeros(many, np.int64)
    for at in range(many):
        mark = np.int64(0)
        for word in range(WORDS - 1):
            mark = (mark ^ held[at, word]) * np.int64(-7046029254386353131)
            mark ^= mark >> 29
        marks[at] = mark
    order = np.argsort(marks)
    firsts, counts, different = np.empty(many, np.int64), np.empty(many), 0
    for at in range(many):
        if at == 0 or marks[order[at]] != marks[order[at - 1]]:
            firsts[different], counts[different] = order[at], 0.0
            different += 1
        counts[different - 1] += 1.0
    written, total = 0, 0.0
    passed, step = below(random, 1 << 20) / (1 << 20), many / size
    for at in range(different):
        share = counts[at]
        if different > size:
            total += counts[at]
            share = 0.0
            while passed * step < total:
                share += step
                passed += 1.0
        if share > 0.0:
            out[written], weights[written] = held[firsts[at]], share / many
            written += 1
    return written, different


@_compiled
def refuse(held: Any, move: int) -> int:
    """Keep the positions where an attempt is illegal, in front; how many there are."""
    kept = 0
    for at in range(len(held)):
        if not legal(held[at], move):
            held[kept] = held[at]
            kept += 1
    return kept


@_compiled
def kind_of(position: Any, bit: Any) -> int:
    """Which kind of man stands on a square where one does."""
    kind = 0
    while not position[kind] & bit:
        kind += 1
    return kind


@_compiled
def displace(position: Any, men: int, start: Any, random: Any) -> bool:
    """Put some men of the player in turn on squares at random; False if they can't stand there.

    Half of them, kings apart, are replaced by men of the start: which ones are left is not known.
    """
    turn = position[TURN]
    side = 7 - turn
    for _ in range(men):
        own = position[side]
        bit = np.int64(1) << nth(own, below(random, ones(own)))
        before = after = kind_of(position, bit)
        if before != KINGS and below(random, 2):
            first = start[side] & ~start[KINGS]
            if first:
                drawn = nth(first, below(random, ones(first)))
                after = kind_of(start, np.int64(1) << drawn)
        free = ~(position[WHITE] | position[BLACK])
        if after == PAWNS:
            free &= ~np.int64(0xFF) & ((np.int64(1) << 56) - 1)
        to = np.int64(1) << nth(free, below(random, ones(free)))
        position[before] ^= bit
        position[after] |= to
        position[side] ^= bit | to
        position[CASTLING] &= ~bit
        if before == KINGS:
            position[CASTLING] &= ~EDGES[turn]
    position[PASSING] = -1
    # The player who is not in turn must not be in check.
    position[TURN] = 1 - turn
    wrong = checkers(position) != 0
    position[TURN] = turn
    return not wrong


@_compiled
def nth(squares: int, number: int) -> int:
    """The square with a number, counted from the lowest."""
    for _ in range(number):
        squares &= squares - 1
    return lowest(squares)


@_compiled
def displaced(
    held: Any,
    said: int,
    tried: Any,
    answers: Any,
    tries: int,
    start: Any,
    out: Any,
    most: int,
    random: Any,
) -> int:
    """Draw positions after a step, with men of the other displaced before its move; how many.

    One man is displaced at first, then more, up to all; ``most`` tries are made in all. ``start``
    is the position at the start of the game.
    """
    work, found = np.empty((4, MOVES), np.int64), np.empty(MOVES, np.int64)
    chances = np.empty(MOVES)
    count, base = 0, np.empty(WORDS, np.int64)
    for number in range(most):
        base[:] = held[below(random, len(held))]
        own = ones(base[7 - base[TURN]])
        men = min(own, 1 + below(random, 1 + number * own * 2 // most))
        if not displace(base, men, start, random):
            continue
        part = agreeing(base, said, tried, answers, tries, UNIFORM, found, chances, work)
        if part == 0.0:
            continue
        make(base, found[1 + below(random, found[0])], work[2, :WORDS])
        answered(work[2, :WORDS], tried, answers, tries, work[1], out[count])
        count += 1
        if count == len(out):
            break
    return count


# ---------------------------------------------------------------------- evaluation


@_compiled
def centre(at: int) -> int:
    """How far a square is from the four in the middle, 0 to 6."""
    file, rank = at & 7, at >> 3
    return max(3 - file, file - 4) + max(3 - rank, rank - 4)


@_compiled
def advance(position: Any, side: int) -> float:
    """What a side's pawns are worth beyond one each, as they come near to the last row."""
    left, found = position[PAWNS] & position[side], 0.0
    while left:
        row = lowest(left) >> 3
        row = row if side == WHITE else 7 - row
        found += (row - 1) * (row - 1)
        left &= left - 1
    return found / 20


@_compiled
def driven(position: Any, side: int) -> float:
    """What it is worth to a side that the other's king stands near the edge, and its own near."""
    king = lowest(position[KINGS] & position[WHITE + BLACK - side])
    own = lowest(position[KINGS] & position[side])
    apart = abs((king & 7) - (own & 7)) + abs((king >> 3) - (own >> 3))
    return 0.4 * centre(king) + 0.1 * (14 - apart)


@_compiled
def evaluated(position: Any, evaluate: int, limit: int) -> Any:
    """White's estimate of a position."""
    ahead = float(balance(position))
    if evaluate == MATERIAL:
        return estimate(ahead)
    ahead += (possible_moves(position, 1) - possible_moves(position, 0)) / 20
    if evaluate == MOBILITY:
        return estimate(ahead)
    ahead += advance(position, WHITE) - advance(position, BLACK)
    if ahead > 3 and ones(position[BLACK]) <= 3:
        ahead += driven(position, WHITE)
    elif ahead < -3 and ones(position[WHITE]) <= 3:
        ahead -= driven(position, BLACK)
    spent = position[QUIET] / limit
    return estimate(ahead) * (1 - spent * spent)


@_compiled
def ending(position: Any, limit: int, moves: Any) -> int:
    """Is a game over? 0: no; 1: the player in turn is mated; 2: a draw."""
    givers = checkers(position)
    if not any_legal(position, givers, moves):
        return 1 if givers else 2
    return 2 if bare(position) or position[QUIET] >= limit else 0


# ---------------------------------------------------------------------- information sets


@_compiled
def total(values: Any, weights: Any, members: Any, paranoid: int) -> float:
    """What histories with these values are worth together."""
    found, least = 0.0, np.inf
    for at in range(len(members)):
        found += weights[members[at]] * values[at]
        least = min(least, values[at])
    return least + TIE * found if paranoid else found


@_compiled
def split(values: Any, attempt: int, members: Any, otherwise: int, mine: Any, rest: Any) -> int:
    """Values where an attempt is legal; where it is not, those of another row, and who they are."""
    left = 0
    for at in range(len(members)):
        mine[at] = values[attempt, members[at]]
        if np.isnan(mine[at]):
            mine[at] = values[otherwise, members[at]]
            rest[left] = members[at]
            left += 1
    return left


@_compiled
def replaced(mine: Any, members: Any, rest: Any, later: Any) -> None:
    """Put the values of some members in their places."""
    at = 0
    for one in range(len(rest)):
        while members[at] != rest[one]:
            at += 1
        mine[at] = later[one]


@_compiled
def last_plan(values: Any, weights: Any, members: Any, paranoid: int, out: Any) -> float:
    """The worth of the best attempt, and values by it: the least of a history that refuses it."""
    rows, best = len(values) - 2, -np.inf
    mine, rest = np.empty(len(members)), np.empty(len(members), np.int64)
    for attempt in range(rows):
        if split(values, attempt, members, rows, mine, rest) < len(members):
            worth = total(mine, weights, members, paranoid)
            if worth > best:
                best = worth
                out[:] = mine
    return best


@_compiled
def best_plan(values: Any, weights: Any, members: Any, paranoid: int, out: Any) -> float:
    """The same for the best list of two attempts."""
    rows, best, count = len(values) - 2, -np.inf, len(members)
    mine, rest, later = np.empty(count), np.empty(count, np.int64), np.empty(count)
    for attempt in range(rows):
        left = split(values, attempt, members, rows + 1, mine, rest)
        worth = total(mine, weights, members, paranoid)
        if left == count or worth <= best:
            continue  # not even if all were seen after a refusal
        if left:
            last_plan(values, weights, rest[:left], paranoid, later[:left])
            replaced(mine, members, rest[:left], later)
            worth = total(mine, weights, members, paranoid)
        if worth > best:
            best = worth
            out[:] = mine
    return best


@_compiled
def plan_from(values: Any, weights: Any, attempt: int, paranoid: int) -> float:
    """The worth of all histories by the best list of three attempts with a given first one."""
    count = values.shape[1]
    members = np.arange(count)
    mine, rest, later = np.empty(count), np.empty(count, np.int64), np.empty(count)
    left = split(values, attempt, members, len(values) - 2, mine, rest)
    if left == count:
        return -np.inf
    if left:
        best_plan(values, weights, rest[:left], paranoid, later[:left])
        replaced(mine, members, rest[:left], later)
    return total(mine, weights, members, paranoid)


@_compiled
def bounded(values: Any) -> None:
    """Write the least and the greatest value of each history in the last two rows."""
    many = len(values) - 2
    values[many], values[many + 1] = np.inf, -np.inf
    for attempt in range(many):
        for at in range(values.shape[1]):
            value = values[attempt, at]
            if not np.isnan(value):
                values[many, at] = min(values[many, at], value)
                values[many + 1, at] = max(values[many + 1, at], value)


@_compiled
def own_attempts(position: Any, barred: Any, moves: Any) -> int:
    """The attempts that were not refused in this turn; how many there are."""
    many, kept = attempts(position, moves), 0
    for at in range(many):
        known = False
        for one in barred:
            known = known or moves[at] == one
        if not known:
            moves[kept] = moves[at]
            kept += 1
    return kept


@_compiled
def draw_replies(position: Any, replies: int, random: Any, answers: Any) -> int:
    """Legal moves, so many that are drawn, in front; all if there are not more."""
    legals = legal_moves(position, answers)
    if replies >= legals:
        return legals
    for one in range(replies):
        other = one + below(random, legals - one)
        answers[one], answers[other] = answers[other], answers[one]
    return replies


@_compiled
def together(model: int, mean: float, worst: float) -> float:
    """The value where the other replies, from the mean and the worst of its replies."""
    if model == OVERCONFIDENT:
        return mean
    return (mean + worst) / 2 if model == MIXED else worst


@_compiled
def after_reply(
    middle: Any, answers: Any, replies: int, search: Search, after: Any, buffer: Any
) -> float:
    """The value for the other of a position where the player in turn replies, then evaluated."""
    sign = -1.0 if middle[TURN] else 1.0
    worst, mean = 1.0, 0.0
    for one in range(replies):
        make(middle, answers[one], after)
        over = ending(after, search.limit, buffer)
        if over:
            value = -1.0 if over == 1 else 0.0
        else:
            value = sign * evaluated(after, search.evaluate, search.limit)
        worst = min(worst, value)
        mean += value / replies
    return together(search.model, mean, worst)


@_compiled
def shallow(position: Any, move: int, depth: int, search: Search, random: Any, work: Any) -> Any:
    """The value of a history after an attempt, at depth 1 or 2; not a number if it is illegal."""
    if not legal(position, move):
        return np.nan
    middle, after, buffer, answers = work[0, :WORDS], work[1, :WORDS], work[2], work[3]
    make(position, move, middle)
    over = ending(middle, search.limit, buffer)
    if over:
        return 1.0 if over == 1 else 0.0
    if depth == 1:
        value = evaluated(middle, search.evaluate, search.limit)
        return value if position[TURN] else -value
    replies = draw_replies(middle, search.replies, random, answers)
    return after_reply(middle, answers, replies, search, after, buffer)


@_compiled
def set_values(held: Any, weights: Any, depth: int, search: Search, random: Any, out: Any) -> None:
    """The value of each history of a set by the best plan, at depth 1 or 2."""
    moves, work = np.empty(MOVES, np.int64), np.empty((4, MOVES), np.int64)
    many, count = attempts(held[0], moves), len(held)
    values = np.empty((many + 2, count))
    for attempt in range(many):
        for at in range(count):
            values[attempt, at] = shallow(held[at], moves[attempt], depth, search, random, work)
    bounded(values)
    best_plan(values, weights, np.arange(count), search.model == PARANOID, out)


@_compiled
def continued(
    held: Any, weights: Any, move: int, depth: int, search: Search, random: Any, row: Any
) -> None:
    """The values of histories after an attempt, at depth 3 or 4."""
    work = np.empty((4, MOVES), np.int64)
    middle, after, buffer, answers = work[0, :WORDS], work[1, :WORDS], work[2], work[3]
    room = len(held) * min(search.replies, MOVES)
    ahead, keys = np.empty((room, WORDS), np.int64), np.empty(room, np.int64)
    owners, shares, places = np.empty(room, np.int64), np.empty(room), 0
    worst = np.empty(len(held))
    for at in range(len(held)):
        row[at] = worst[at] = np.nan
        if not legal(held[at], move):
            continue
        make(held[at], move, middle)
        over = ending(middle, search.limit, buffer)
        row[at], worst[at] = 1.0 if over == 1 else 0.0, 1.0
        if over:
            worst[at] = row[at]
        if over:
            continue
        own = announced(middle, capture_on(held[at], move), search.tries == 1, buffer)
        replies = draw_replies(middle, search.replies, random, answers)
        for one in range(replies):
            make(middle, answers[one], after)
            over = ending(after, search.limit, buffer)
            if over:
                value = -1.0 if over == 1 else 0.0
                row[at], worst[at] = row[at] + value / replies, min(worst[at], value)
                continue
            said = announced(after, capture_on(middle, answers[one]), search.tries == 1, buffer)
            ahead[places], keys[places] = after, own << 32 | said
            owners[places], shares[places] = at, 1.0 / replies
            places += 1
    order, first = np.argsort(keys[:places]), 0
    while first < places:
        last = first
        while last < places and keys[order[last]] == keys[order[first]]:
            last += 1
        group = order[first:last]
        back_up(ahead, weights, owners, shares, group, depth, search, random, row, worst)
        first = last
    for at in range(len(held)):
        row[at] = together(search.model, row[at], worst[at])


@_compiled
def back_up(
    ahead: Any,
    weights: Any,
    owners: Any,
    shares: Any,
    group: Any,
    depth: int,
    search: Search,
    random: Any,
    row: Any,
    worst: Any,
) -> None:
    """Search the set of positions ahead with equal announcements, and add to what led there."""
    count = len(group)
    held, part, found = np.empty((count, WORDS), np.int64), np.empty(count), np.empty(count)
    for at in range(count):
        held[at] = ahead[group[at]]
        part[at] = weights[owners[group[at]]] * shares[group[at]]
    set_values(held, part / part.sum(), depth - 2, search, random, found)
    for at in range(count):
        owner = owners[group[at]]
        worst[owner] = min(worst[owner], found[at])
        row[owner] += shares[group[at]] * found[at]


@_compiled
def look(
    held: Any,
    weights: Any,
    depth: int,
    search: Search,
    barred: Any,
    random: Any,
    moves: Any,
    worths: Any,
) -> int:
    """What the attempts at an information set are worth.

    Parameters
    ----------
    held, weights
        The positions, in which the same player is in turn with the same men, and their weights,
        which add up to 1.
    depth
        Legal moves to look ahead, 1 to 4.
    search
        What else the search is told.
    barred
        Attempts that were refused in this turn.
    random
        The state of the generator.
    moves, worths
        The attempts and what each is worth are written there; -inf where all refuse it.

    Returns
    -------
    int
        How many attempts there are.
    """
    many, count = own_attempts(held[0], barred, moves), len(held)
    values, work = np.empty((many + 2, count)), np.empty((4, MOVES), np.int64)
    for attempt in range(many):
        if depth > 2:
            continued(held, weights, moves[attempt], depth, search, random, values[attempt])
            continue
        for at in range(count):
            values[attempt, at] = shallow(held[at], moves[attempt], depth, search, random, work)
    bounded(values)
    for attempt in range(many):
        worths[attempt] = plan_from(values, weights, attempt, search.model == PARANOID)
    return many


# ---------------------------------------------------------------------- perfect information


@_compiled
def order_captures(position: Any, moves: Any, many: int) -> None:
    """Captures first: of the greatest men."""
    kept = 0
    for kind in range(4, -1, -1):
        for at in range(kept, many):
            end = np.int64(1) << (moves[at] >> 6 & 63)
            if position[kind] & end & position[6 + position[TURN]]:
                moves[kept], moves[at] = moves[at], moves[kept]
                kept += 1


@_compiled
def resting(position: Any, depth: int, search: Search, moves: Any) -> Any:
    """The value for the player in turn where no move is searched; not a number elsewhere."""
    over = ending(position, search.limit, moves)
    if over:
        return -1.0 if over == 1 else 0.0
    if depth:
        return np.nan
    value = evaluated(position, search.evaluate, search.limit)
    return value if position[TURN] else -value


@_compiled
def minimax(stack: Any, depth: int, search: Search, moves: Any, frames: Any) -> Any:
    """The value of ``stack[depth]`` for the player in turn, by alpha-beta search to a depth.

    ``frames`` has for each depth that is left: the next move, the number of moves, and the best
    value and the bounds below and above.
    """
    left, value = depth, 0.0
    begins = True
    frames[left, 3], frames[left, 4] = -np.inf, np.inf
    while True:
        if begins:
            value = resting(stack[left], left, search, moves[left])
            if np.isnan(value):
                many = legal_moves(stack[left], moves[left])
                order_captures(stack[left], moves[left], many)
                frames[left, 0], frames[left, 1], frames[left, 2] = 0, many, -np.inf
            else:
                if left == depth:
                    return value
                left += 1
                frames[left, 2] = max(frames[left, 2], -value)
        begins = False
        frame = frames[left]
        low = max(frame[3], frame[2])
        if frame[0] == frame[1] or low >= frame[4]:
            if left == depth:
                return frame[2]
            left += 1
            frames[left, 2] = max(frames[left, 2], -frame[2])
            continue
        make(stack[left], moves[left, int(frame[0])], stack[left - 1])
        frame[0] += 1
        left -= 1
        frames[left, 3], frames[left, 4] = -frame[4], -low
        begins = True


@_compiled
def look_each(
    held: Any, weights: Any, depth: int, search: Search, barred: Any, moves: Any, worths: Any
) -> int:
    """What attempts are worth if every position is searched as if it were seen, as of look."""
    many = own_attempts(held[0], barred, moves)
    stack, room = np.empty((depth, WORDS), np.int64), np.empty((depth, MOVES), np.int64)
    frames, row, legals = np.empty((depth, 5)), np.empty(many), np.zeros(many, np.int64)
    worths[:many] = 0.0
    for at in range(len(held)):
        best = -np.inf
        for attempt in range(many):
            row[attempt] = np.nan
            if legal(held[at], moves[attempt]):
                legals[attempt] += 1
                make(held[at], moves[attempt], stack[depth - 1])
                row[attempt] = -minimax(stack, depth - 1, search, room, frames)
                best = max(best, row[attempt])
        for attempt in range(many):
            value = best if np.isnan(row[attempt]) else row[attempt]
            worths[attempt] += weights[at] * value
    for attempt in range(many):
        if legals[attempt] == 0:
            worths[attempt] = -np.inf
    return many
