"""The search itself: a row of the stack for each card played, and no recursion."""

from __future__ import annotations

from typing import Any

from infoset.kernels.bits import highest, lowest, ones
from infoset.kernels.double_dummy.cards import (
    FULL,
    LENGTHS,
    PATTERN,
    RANKS,
    SUIT,
    beats,
    compact,
    inlined,
    relevant,
    tops_of,
)
from infoset.kernels.double_dummy.cuts import cash, cash_after_lead, surely
from infoset.kernels.double_dummy.learning import begin, learn, shuffle
from infoset.kernels.double_dummy.order import generate
from infoset.kernels.double_dummy.table import find_slot, look_up, store
from infoset.kernels.double_dummy.techniques import (
    LEARN,
    PARTITION,
    QUICK,
    SECOND,
    SKIP,
    SURE,
    TABLE,
)
from infoset.kernels.double_dummy.workspace import (
    AT,
    BEST,
    BEST_LOW,
    COUNT,
    FIRST_PATTERN,
    FOUND,
    KEY,
    LED,
    LEFT,
    MOVES,
    NEED,
    NODES,
    PLAYER,
    QUICKS,
    SECOND_PATTERN,
    SECONDS,
    SKIPPED,
    START,
    SURES,
    TRICKS,
    WANTED,
    WINNER,
    Workspace,
)

DONE, LIMIT = 0, 1  # status


@inlined
def note_key(words: Any, stack: Any, ply: int, left: int, player: int) -> None:
    """Keep what the table knows a position by."""
    one = words[left & FULL]
    two = words[1 << RANKS | (left >> SUIT & FULL)]
    three = words[2 << RANKS | (left >> 2 * SUIT & FULL)]
    four = words[3 << RANKS | (left >> 3 * SUIT & FULL)]
    stack[ply, KEY] = (
        one >> LENGTHS
        | two >> LENGTHS << 16
        | three >> LENGTHS << 32
        | (four >> LENGTHS & 0xFFF | player << 12) << 48
    )
    stack[ply, FIRST_PATTERN] = one & PATTERN | (two & PATTERN) << 26
    stack[ply, SECOND_PATTERN] = three & PATTERN | (four & PATTERN) << 26


@inlined
def last_trick(hands: Any, left: int, leader: int, trump: int) -> tuple[int, int]:
    """Who takes it, and the relevant card."""
    best, winner = lowest(hands[leader] & left), leader
    for turn in range(1, 4):
        hand = (leader + turn) & 3
        card = lowest(hands[hand] & left)
        if beats(card, best, trump):
            best, winner = card, hand
    alone = ones(left >> (SUIT * (best // SUIT)) & FULL) == 1
    return winner, 0 if alone else 1 << best


@compact
def keep(work: Workspace, ply: int, flags: int, result: bool, cards: int, move: int) -> None:
    """Store the answer to the position at the beginning of a trick."""
    stack = work.stack
    left = stack[ply, LEFT]
    tops = tops_of(left, cards if flags & PARTITION else left)
    key, first, second = stack[ply, KEY], stack[ply, FIRST_PATTERN], stack[ply, SECOND_PATTERN]
    store(work, key, first, second, stack[ply, NEED], ones(left) >> 2, result, tops, move)


@compact
def search(
    hands: Any,
    work: Workspace,
    trump: int,
    flags: int,
    root: int,
    start: int,
    left: int,
    player: int,
    best: int,
    winner: int,
    led: int,
    need: int,
    limit: int,
) -> tuple[int, bool]:
    """Whether the first side takes so many tricks, the one in progress included."""
    words, stack, moves, counters = work.words, work.stack, work.moves, work.counters
    ply = root
    stack[ply, LEFT], stack[ply, START], stack[ply, PLAYER] = left, start, player
    stack[ply, LED], stack[ply, BEST], stack[ply, BEST_LOW] = led, best, best
    stack[ply, WINNER], stack[ply, NEED] = winner, need
    if root and best >= 0:
        # a card that may be named by any equal one: the lowest of its hand's run
        suit = best // SUIT
        low = best - SUIT * suit
        own = (hands[winner] & start) >> (SUIT * suit) & FULL
        cards = start >> (SUIT * suit) & FULL
        while cards & ((1 << low) - 1):
            below = highest(cards & ((1 << low) - 1))
            if own >> below & 1 == 0:
                break
            low = below
        stack[ply, BEST_LOW] = SUIT * suit + low
    result, cards = False, 0
    entering, returning = True, False
    while True:
        if entering:
            entering = False
            counters[NODES] += 1
            if counters[NODES] > limit:
                return LIMIT, False
            player, left = stack[ply, PLAYER], stack[ply, LEFT]
            guess = -1
            if ply & 3 == 0:
                stack[ply, START] = left
                tricks = ones(left) >> 2
                need = stack[ply, NEED]
                counters[TRICKS] += 1
                cards = 0
                known = False
                if need <= 0:
                    result, known = True, True
                elif need > tricks:
                    result, known = False, True
                elif tricks == 1:
                    winner, cards = last_trick(hands, left, player, trump)
                    result, known = winner & 1 == 0, True
                else:
                    first_side = player & 1 == 0
                    target = need if first_side else tricks - need + 1
                    group = 0
                    if flags & TABLE:
                        # found now, since memory is slow and the cuts need time
                        note_key(words, stack, ply, left, player)
                        group = find_slot(work.slots, stack[ply, KEY])
                    if flags & QUICK:
                        tops = cash(words, left, player, trump, tricks, target)
                        if tops >= 0:
                            counters[QUICKS] += 1
                            result, known = first_side, True
                            cards = relevant(left, tops)
                    if not known and flags & SURE:
                        tops = surely(words, left, player, trump, tricks, tricks - target + 1)
                        if tops != -1:
                            counters[SURES] += 1
                            result, known = (not first_side) == (tops >= 0), True
                            cards = relevant(left, tops if tops >= 0 else -2 - tops)
                    if not known and flags & TABLE:
                        found, tops = look_up(
                            work, group, stack[ply, FIRST_PATTERN], stack[ply, SECOND_PATTERN], need
                        )
                        guess = (work.slots[group + 1] >> 32) - 1
                        if found >= 0:
                            counters[FOUND] += 1
                            result, known = found == 1, True
                            cards = relevant(left, tops)
                if known:
                    if ply == root:
                        return DONE, result
                    returning = True
            elif ply & 3 == 1 and flags & SECOND and ply != root:
                start = stack[ply, START]
                target = stack[ply, NEED]
                if player & 1:
                    target = (ones(start) >> 2) - target + 1
                tops = cash_after_lead(hands, words, start, player, stack[ply, LED], trump, target)
                if tops >= 0:
                    counters[SECONDS] += 1
                    result = player & 1 == 0
                    cards = relevant(start, tops)
                    returning = True
            if not returning:
                stack[ply, COUNT] = generate(hands, work, ply, trump, flags, guess)
                if flags & LEARN:
                    shuffle(work, ply, stack[ply, COUNT])
                stack[ply, AT] = 0
                stack[ply, WANTED] = 0
                for suit in range(4):
                    stack[ply, SKIPPED + suit] = 0
        while returning:
            ply -= 1
            player = stack[ply, PLAYER]
            card = moves[ply * MOVES + stack[ply, AT]] & 255
            if ply & 3 == 3:
                best, winner = stack[ply + 1, BEST], stack[ply + 1, WINNER]
                played = stack[ply, START] ^ stack[ply + 1, LEFT]
                if ones(played >> (SUIT * (best // SUIT)) & FULL) > 1:
                    if result == (winner & 1 == 0):
                        cards |= 1 << best
                    else:
                        cards |= 1 << stack[ply + 1, BEST_LOW]
            if result != (player & 1 == 0):
                cards_here = cards >> (SUIT * (card // SUIT)) & FULL
                if flags & SKIP:
                    bound = lowest(cards_here) if cards_here else SUIT
                    if card % SUIT < bound:
                        suit = card // SUIT
                        stack[ply, SKIPPED + suit] = max(stack[ply, SKIPPED + suit], bound)
                stack[ply, WANTED] |= cards
                stack[ply, AT] += 1
                returning = False
                break
            if flags & LEARN:
                learn(work, ply)
            if ply & 3 == 0 and flags & TABLE:
                keep(work, ply, flags, result, cards, card)
            if ply == root:
                return DONE, result
        # the next move at this ply
        player = stack[ply, PLAYER]
        at, count = stack[ply, AT], stack[ply, COUNT]
        move = 0
        while at < count:
            move = moves[ply * MOVES + at]
            card = move & 255
            if card % SUIT >= stack[ply, SKIPPED + card // SUIT]:
                break
            at += 1
        stack[ply, AT] = at
        if at == count:
            result = player & 1 == 1
            cards = stack[ply, WANTED]
            if ply & 3 == 0 and flags & TABLE:
                keep(work, ply, flags, result, cards, moves[ply * MOVES] & 255)
            if ply == root:
                return DONE, result
            returning = True
            # handled by the loop above in the next turn
            continue
        card, low = move & 255, move >> 8 & 255
        place = ply & 3
        after = ply + 1
        stack[after, LEFT] = stack[ply, LEFT] ^ (1 << card)
        if place == 0:
            stack[after, LED], stack[after, BEST] = card // SUIT, card
            stack[after, BEST_LOW], stack[after, WINNER] = low, player
        else:
            best = stack[ply, BEST]
            stack[after, LED] = stack[ply, LED]
            if beats(card, best, trump):
                stack[after, BEST], stack[after, BEST_LOW] = card, low
                stack[after, WINNER] = player
            else:
                stack[after, BEST], stack[after, BEST_LOW] = best, stack[ply, BEST_LOW]
                stack[after, WINNER] = stack[ply, WINNER]
        if place == 3:
            winner = stack[after, WINNER]
            stack[after, PLAYER] = winner
            stack[after, NEED] = stack[ply, NEED] - (winner & 1 == 0)
        else:
            stack[after, PLAYER] = (player + 1) & 3
            stack[after, START] = stack[ply, START]
            stack[after, NEED] = stack[ply, NEED]
        if flags & LEARN:
            begin(work, ply)
        ply = after
        entering = True


@compact
def value(
    hands: Any,
    work: Workspace,
    trump: int,
    flags: int,
    root: int,
    start: int,
    left: int,
    player: int,
    best: int,
    winner: int,
    led: int,
    guess: int,
    limit: int,
) -> tuple[int, int]:
    """Tricks that the first side takes from here."""
    low, high = 0, ones(start) >> 2
    while low < high:
        need = min(max(guess, low + 1), high)
        status, taken = search(
            hands, work, trump, flags, root, start, left, player, best, winner, led, need, limit
        )
        if status:
            return status, -1
        if taken:
            low, guess = need, need + 1
        else:
            high, guess = need - 1, need - 1
    return DONE, low
