"""Bridge with all cards seen: alpha-beta search of a deal with a table of partitions.

**A position** at the beginning of a trick is the set of cards that are left, 52 bits, and who
leads; whose a card is never changes. The search asks whether North and South take at least t
more tricks, yes or no, and what is asked next follows from the answer (MTD); the table keeps
lower and upper bounds, and serves all t and all leaders of a strain.

**Partition search** (Ginsberg 1996). With every answer comes a set of *relevant* cards: the answer
would be the same in any position of the same leader and the same lengths of all suits in all hands
where, in each suit, the top cards down to the lowest relevant one are in the same hands as here,
*relatively*: as the first, second, third of those left. An answer is

- of a trick: the card that took it, if it beat another of its suit. If the answer is bad for the
  side that took it, then the lowest card equal to it, since it might have taken it with that one;
- of a cut: the top cards that were counted;
- of a choice that is good for the chooser: what is relevant after it;
- of a choice that is bad for the chooser: what is relevant after any of the moves.

An entry of the table has the owners of those top cards, and finds all positions that agree.

**Moves.** Of cards of a hand with no card of others in between (the trick in progress included),
one is tried. If a card is refuted and the lowest relevant card of its suit is higher, all
cards of the hand below that one are refuted by the same (Haglund).

**Cuts** at the beginning of a trick: the tricks that the leader's side can take at once (quick
tricks), by the leader's top cards of each suit, those of its partner that can be reached, and long
suits when the opponents have none left; and the tricks that the other side is sure to get: top
trumps in one hand, or in no trumps what it can take when every suit that can be led is its own.

**Order.** The move that the table has for the position first, then by rules of thumb (third hand
high, second hand low, the cheapest card that takes the trick). The numbers in these rules were
tuned on random deals.

What is relevant is compared with a table of each suit: for any set of the cards left in it, who
has the first, second, ... of them, two bits each, and how many are in each hand. A card is a bit,
13 · suit + rank. There is no recursion: a row of the stack for each card played.

Sources: M. Ginsberg, Partition search, 1996; M.-S. Chang, Building a fast double-dummy bridge
solver, 1996; B. Haglund, Search algorithms for a bridge double dummy solver, 2010.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from infoset.kernels.bits import highest, lowest, ones
from infoset.kernels.compiling import compiled

SUIT = 13  # bits of a suit
FULL = (1 << SUIT) - 1
NO_TRUMP = 4
PAIRS = 0x1555555  # the pattern of thirteen cards of the first hand, times the hand
PATTERN = (1 << 26) - 1
LENGTHS = 26  # where the lengths begin in a word

DONE, LIMIT = 0, 1  # status

# What may be switched off.
TECHNIQUES = (
    "table",
    "partition",
    "quick",
    "sure",
    "equal",
    "skip",
    "order",
    "move",
    "second",
)
TABLE, PARTITION, QUICK, SURE, EQUAL, SKIP, ORDER, MOVE, SECOND = (
    1 << bit for bit in range(len(TECHNIQUES))
)
ALL = (1 << len(TECHNIQUES)) - 1

COUNTERS = ("nodes", "tricks", "found", "quick", "sure", "used", "emptied", "stored", "second")
NODES, TRICKS, FOUND, QUICKS, SURES, USED, CLEARED, STORED, SECONDS = range(9)
PLIES = 56
MOVES = 16

_compiled = compiled(nogil=True, error_model="numpy")


class Workspace(NamedTuple):
    """What a search writes to."""

    words: Any
    heads: Any
    entries: Any
    stack: Any
    moves: Any
    counters: Any


@_compiled
def lay_out(hands: Any, words: Any) -> None:
    """For every set of cards that may be left of a suit: who owns them, and how many each."""
    owner = np.zeros(52, np.int64)
    for hand in range(4):
        for card in range(52):
            if hands[hand] >> card & 1:
                owner[card] = hand
    held = hands[0] | hands[1] | hands[2] | hands[3]
    for suit in range(4):
        base = suit << SUIT
        words[base] = 0
        present = held >> (SUIT * suit) & FULL
        for cards in range(1, FULL + 1):
            if cards & ~present:
                continue
            low = cards & -cards
            mine = owner[SUIT * suit + lowest(low)]
            rest = words[base | (cards ^ low)]
            words[base | cards] = (
                rest + (mine << (2 * (ones(cards) - 1))) + (1 << (LENGTHS + 4 * mine))
            )


@_compiled
def run(word: int, hand: int, count: int) -> int:
    """How many of the top cards one after the other this hand has."""
    return lowest((word ^ (hand * PAIRS)) | (1 << (2 * count))) >> 1


@_compiled
def relevant(left: int, tops: int) -> int:
    """The lowest card, as a set, of so many top cards of each suit: four bits for each."""
    cards = 0
    for suit in range(4):
        top = tops >> (4 * suit) & 15
        if top:
            rest = left >> (SUIT * suit) & FULL
            for _ in range(top - 1):
                rest ^= 1 << highest(rest)
            cards |= 1 << (SUIT * suit + highest(rest))
    return cards


@_compiled
def tops_of(left: int, cards: int) -> int:
    """How many top cards of each suit reach down to the lowest of these."""
    tops = 0
    for suit in range(4):
        mine = cards >> (SUIT * suit) & FULL
        if mine:
            tops |= ones((left >> (SUIT * suit) & FULL) >> lowest(mine)) << (4 * suit)
    return tops


@_compiled
def cash(words: Any, left: int, leader: int, trump: int, tricks: int, target: int) -> int:
    """Whether the leader's side can take so many tricks at once: the top cards needed, or -1."""
    mate, one, two = leader ^ 2, (leader + 1) & 3, (leader + 3) & 3
    own, tops = 0, 0
    mates, mate_tops = 0, 0
    entry = False
    stop_one, stop_two = False, False
    room, mate_room = 13, 13  # rounds of other suits before the mate or the leader has to ruff
    first = 0
    if trump != NO_TRUMP:
        first = -1
    own_side, mate_side = 0, 0
    for turn in range(first, 4):
        suit = trump if turn < 0 else turn
        if turn == trump:
            continue
        rest = left >> (SUIT * suit) & FULL
        if rest == 0:
            continue
        word = words[suit << SUIT | rest]
        lengths = word >> LENGTHS
        mine, his = lengths >> (4 * leader) & 15, lengths >> (4 * mate) & 15
        first_opp, second_opp = lengths >> (4 * one) & 15, lengths >> (4 * two) & 15
        if mine + his == 0:
            if turn < 0:
                stop_one, stop_two = first_opp > 0, second_opp > 0
            continue
        most = max(first_opp, second_opp)
        count = mine + his + first_opp + second_opp
        cap = 13
        if turn >= 0:
            if stop_one:
                cap = min(cap, first_opp)
            if stop_two:
                cap = min(cap, second_opp)
        rounds, need = 0, 0
        top = run(word, leader, count)
        if mine:
            rounds, need = top, top
            if top >= most:
                if his <= most:
                    rounds, need = mine, most
                elif his <= top:
                    rounds = mine
            if rounds > cap:
                rounds = cap
                need = min(need, rounds)
        # the mate's run after it
        if his > rounds:
            more = run(word >> (2 * top), mate, count - top) if rounds >= top or mine == 0 else 0
            gets = min(more, his - rounds)
            deep = top + gets
            if top + more >= most and mine <= top + more:
                gets = his - rounds
                deep = top + more
            if rounds + gets > cap:
                gets = max(0, cap - rounds)
            if gets > 0:
                mates += gets
                mate_tops |= deep << (4 * suit)
                if turn >= 0:
                    mate_side += gets
                if mine > rounds:
                    entry = True
        own += rounds
        if rounds:
            if own > target and need == rounds:
                need = max(0, need - own + target)  # as many as are asked for
            tops |= need << (4 * suit)
        if turn < 0:
            stop_one, stop_two = first_opp > rounds, second_opp > rounds
            if his > rounds:
                mate_room = tricks - his
            if mine > rounds:
                room = tricks - mine
        else:
            own_side += rounds
        if own >= target and own_side <= mate_room:
            return tops
    if entry and own + mates >= target and own_side + mate_side <= min(room, mate_room):
        for suit in range(4):
            deep = mate_tops >> (4 * suit) & 15
            if deep > (tops >> (4 * suit) & 15):
                tops = (tops & ~(15 << (4 * suit))) | deep << (4 * suit)
        return tops
    return -1


@_compiled
def surely(words: Any, left: int, leader: int, trump: int, tricks: int, target: int) -> int:
    """Whether the other side gets so many tricks at some time: the top cards needed, or -1."""
    one, two = (leader + 1) & 3, (leader + 3) & 3
    if trump != NO_TRUMP:
        rest = left >> (SUIT * trump) & FULL
        if rest:
            word = words[trump << SUIT | rest]
            count = ones(rest)
            best = max(run(word, one, count), run(word, two, count))
            if best >= target:
                return target << (4 * trump)
            return -1
    tops, runs_one, runs_two = 0, 0, 0
    has_one, has_two = False, False
    for suit in range(4):
        rest = left >> (SUIT * suit) & FULL
        if rest == 0:
            continue
        word = words[suit << SUIT | rest]
        top = word & 3
        if (word >> (LENGTHS + 4 * leader)) & 15:
            if (top ^ leader) & 1 == 0:
                return -1
            has_one |= top == one
            has_two |= top == two
        if (top ^ leader) & 1:
            long = run(word, top, ones(rest))
            tops |= long << (4 * suit)
            if top == one:
                runs_one += long
            else:
                runs_two += long
    best = 99
    if has_one:
        best = runs_one
    if has_two:
        best = min(best, runs_two)
    return tops if best != 99 and best >= target else -1


@_compiled
def cash_after_lead(
    hands: Any, words: Any, start: int, second: int, led: int, trump: int, target: int
) -> int:
    """Whether the side of the second hand can take the trick and so many: the top cards, or -1.

    Whoever of them has the highest card of the suit takes the trick with it, as if it had led
    that card, if nobody ruffs.
    """
    word = words[led << SUIT | (start >> (SUIT * led) & FULL)]
    top = word & 3
    if (top ^ second) & 1:
        return -1
    if trump != NO_TRUMP and led != trump:
        lengths = word >> LENGTHS
        for hand in range(4):
            void = lengths >> (4 * hand) & 15 == 0
            if void and hands[hand] & start & (FULL << (SUIT * trump)):
                return -1
    tops = cash(words, start, top, trump, ones(start) >> 2, target)
    if tops >= 0 and tops >> (4 * led) & 15 == 0:
        tops |= 1 << (4 * led)
    return tops


# Rows of the stack.
(
    LEFT,  # cards not yet played
    START,  # the same at the beginning of the trick
    PLAYER,
    LED,  # suit
    BEST,  # the card that takes the trick so far
    BEST_LOW,  # the lowest card equal to it
    WINNER,  # whose it is
    NEED,  # tricks that the first side has still to take
    WANTED,  # the relevant cards so far
    COUNT,
    AT,
    KEY,
    FIRST_PATTERN,
    SECOND_PATTERN,
    SKIPPED,  # four rows
) = range(15)
ROWS = 18


@_compiled
def beats(card: int, best: int, trump: int) -> bool:
    """Whether a card takes the trick from the best one so far."""
    suit = card // SUIT
    if suit == best // SUIT:
        return card > best
    return suit == trump


@_compiled
def generate(hands: Any, work: Workspace, ply: int, trump: int, flags: int, guess: int) -> int:
    """List the moves at this ply, the most promising one first; their number."""
    stack, moves = work.stack, work.moves
    player = stack[PLAYER, ply]
    left, start = stack[LEFT, ply], stack[START, ply]
    place = ply & 3
    mine = hands[player] & left
    led, best, winner = stack[LED, ply], stack[BEST, ply], stack[WINNER, ply]
    first_suit, end_suit = 0, 4
    following = False
    if place and mine >> (SUIT * led) & FULL:
        first_suit, end_suit = led, led + 1
        following = True
    others_one = hands[(player + 1) & 3] & left
    others_mate = hands[player ^ 2] & left
    others_two = hands[(player + 3) & 3] & left
    partner_wins = place >= 2 and (winner ^ player) & 1 == 0
    count = 0
    base = ply * MOVES
    for suit in range(first_suit, end_suit):
        shift = SUIT * suit
        held = mine >> shift & FULL
        if held == 0:
            continue
        all_cards = start >> shift & FULL
        one = highest(others_one >> shift & FULL | 0) if others_one >> shift & FULL else -1
        mate = highest(others_mate >> shift & FULL) if others_mate >> shift & FULL else -1
        two = highest(others_two >> shift & FULL) if others_two >> shift & FULL else -1
        length = ones(held)
        rest = held
        while rest:
            card = highest(rest)
            low = card
            rest ^= 1 << card
            if flags & EQUAL:
                while rest:
                    below = all_cards & ((1 << low) - 1)
                    following_card = highest(below)
                    if rest >> following_card & 1 == 0:
                        break
                    low = following_card
                    rest ^= 1 << low
            score = 0
            if flags & ORDER:
                if place == 0:
                    enemy = max(one, two)
                    score = 8 * length + 6 * ones(others_mate >> shift & FULL)
                    if suit == trump:
                        score -= 25
                    ruff_enemy = (
                        trump != NO_TRUMP
                        and suit != trump
                        and (
                            (one < 0 and others_one >> (SUIT * trump) & FULL)
                            or (two < 0 and others_two >> (SUIT * trump) & FULL)
                        )
                    )
                    if ruff_enemy:
                        score -= 40
                    elif card > enemy:
                        score += 20 + card
                    elif mate > enemy:
                        score += 85 - card
                    elif mate > one:
                        score += 20 - card
                    else:
                        score += -card
                        if two > card and two > mate and one < two:
                            score -= 10
                    if (
                        trump != NO_TRUMP
                        and suit != trump
                        and mate < 0
                        and others_mate >> (SUIT * trump) & FULL
                    ):
                        score += 30
                elif following:
                    wins = beats(shift + card, best, trump)
                    if place == 3:
                        if partner_wins:
                            score = 50 - card
                        elif wins:
                            score = 80 - card
                        else:
                            score = 40 - card
                    elif place == 2:
                        # the fourth hand is one
                        if partner_wins and (best // SUIT != suit or best - shift > one):
                            score = 60 - card - (30 if wins else 0)
                        elif wins and card > one:
                            score = 80 - card
                        elif wins:
                            score = 30 + card
                        else:
                            score = 50 - card
                    else:
                        # partner is fourth, one is third
                        if wins and card > one and mate < max(one, best - shift):
                            score = 80 - card
                        elif wins and card > one:
                            score = 45 - card
                        else:
                            score = 60 - card
                else:
                    if suit == trump:
                        wins = beats(shift + card, best, trump)
                        if partner_wins and place == 3:
                            score = -20 - card
                        elif wins:
                            over = (
                                place < 3 and others_one >> (SUIT * led) & FULL == 0 and one > card
                            )
                            score = (20 if over else 80) - card
                            if (
                                place == 1
                                and others_mate >> (SUIT * led) & FULL
                                and (highest(others_mate >> (SUIT * led) & FULL) + SUIT * led)
                                > best
                            ):
                                score -= 20
                        else:
                            score = -40 - card
                    else:
                        score = 2 * length + 10 - 3 * card
                        if card > max(one, two):
                            score -= 10
            if flags & MOVE and guess == shift + card:
                score += 1000
            # insertion, the greatest first
            value = ((score + 4096) << 16) | (shift + low) << 8 | (shift + card)
            at = base + count
            while at > base and moves[at - 1] < value:
                moves[at] = moves[at - 1]
                at -= 1
            moves[at] = value
            count += 1
    return count


@_compiled
def look_up(work: Workspace, ply: int, need: int) -> tuple[int, int, int]:
    """What the table knows: 1 enough, 0 not, -1 neither; the top cards; a move, or -1."""
    heads, entries, stack = work.heads, work.entries, work.stack
    key, one, two = stack[KEY, ply], stack[FIRST_PATTERN, ply], stack[SECOND_PATTERN, ply]
    at = heads[slot(key, len(heads))]
    guess = -1
    while at:
        entry = 4 * at
        info = entries[entry + 3]
        if entries[entry] == key:
            mask = ((1 << (2 * (info >> 46 & 15))) - 1) | ((1 << (2 * (info >> 50 & 15))) - 1) << 26
            if (one ^ entries[entry + 1]) & mask == 0:
                mask = ((1 << (2 * (info >> 54 & 15))) - 1) | (
                    (1 << (2 * (info >> 58 & 15))) - 1
                ) << 26
                if (two ^ entries[entry + 2]) & mask == 0:
                    if need <= (info >> 32 & 15):
                        return 1, info >> 46, guess
                    if need > (info >> 36 & 15):
                        return 0, info >> 46, guess
                    if guess < 0:
                        guess = info >> 40 & 63
        at = info & 0xFFFFFFFF
    return -1, 0, guess


@_compiled
def slot(key: int, size: int) -> int:
    """Where the entries of this key begin."""
    mixed = key * 0x9E3779B97F4A7C1
    mixed ^= mixed >> 29
    mixed *= 0x1B8735939
    return (mixed >> 20) & (size - 1)


@_compiled
def store(
    work: Workspace, ply: int, need: int, tricks: int, result: bool, tops: int, move: int
) -> None:
    """Keep an answer."""
    heads, entries, stack, counters = work.heads, work.entries, work.stack, work.counters
    key = stack[KEY, ply]
    mask = ((1 << (2 * (tops & 15))) - 1) | ((1 << (2 * (tops >> 4 & 15))) - 1) << 26
    one = stack[FIRST_PATTERN, ply] & mask
    mask = ((1 << (2 * (tops >> 8 & 15))) - 1) | ((1 << (2 * (tops >> 12 & 15))) - 1) << 26
    two = stack[SECOND_PATTERN, ply] & mask
    at_head = slot(key, len(heads))
    at = heads[at_head]
    while at:
        entry = 4 * at
        info = entries[entry + 3]
        if (
            entries[entry] == key
            and entries[entry + 1] == one
            and entries[entry + 2] == two
            and info >> 46 == tops
        ):
            low, high = info >> 32 & 15, info >> 36 & 15
            if result:
                low = max(low, need)
            else:
                high = min(high, need - 1)
            entries[entry + 3] = (
                (info & 0xFFFFFFFF) | low << 32 | high << 36 | move << 40 | tops << 46
            )
            return
        at = info & 0xFFFFFFFF
    if 4 * (counters[USED] + 2) > len(entries):
        heads[:] = 0
        counters[USED] = 0
        counters[CLEARED] += 1
    counters[USED] += 1
    counters[STORED] += 1
    at = counters[USED]
    entry = 4 * at
    low, high = (need, tricks) if result else (0, need - 1)
    entries[entry] = key
    entries[entry + 1] = one
    entries[entry + 2] = two
    entries[entry + 3] = heads[at_head] | low << 32 | high << 36 | move << 40 | tops << 46
    heads[at_head] = at


@_compiled
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
    stack[LEFT, ply], stack[START, ply], stack[PLAYER, ply] = left, start, player
    stack[LED, ply], stack[BEST, ply], stack[BEST_LOW, ply] = led, best, best
    stack[WINNER, ply], stack[NEED, ply] = winner, need
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
        stack[BEST_LOW, ply] = SUIT * suit + low
    result, cards = False, 0
    entering, returning = True, False
    while True:
        if entering:
            entering = False
            counters[NODES] += 1
            if counters[NODES] > limit:
                return LIMIT, False
            player, left = stack[PLAYER, ply], stack[LEFT, ply]
            guess = -1
            if ply & 3 == 0:
                stack[START, ply] = left
                tricks = ones(left) >> 2
                need = stack[NEED, ply]
                counters[TRICKS] += 1
                cards = 0
                known = False
                if need <= 0:
                    result, known = True, True
                elif need > tricks:
                    result, known = False, True
                elif tricks == 1:
                    best = lowest(hands[player] & left)
                    led = best // SUIT
                    winner = player
                    same = 0
                    for turn in range(1, 4):
                        other = (player + turn) & 3
                        card = lowest(hands[other] & left)
                        if beats(card, best, trump):
                            best, winner = card, other
                    same = ones(left >> (SUIT * (best // SUIT)) & FULL)
                    if same > 1:
                        cards = 1 << best
                    result, known = winner & 1 == 0, True
                else:
                    first_side = player & 1 == 0
                    target = need if first_side else tricks - need + 1
                    if flags & QUICK:
                        tops = cash(words, left, player, trump, tricks, target)
                        if tops >= 0:
                            counters[QUICKS] += 1
                            result, known = first_side, True
                            cards = relevant(left, tops)
                    if not known and flags & SURE:
                        tops = surely(words, left, player, trump, tricks, tricks - target + 1)
                        if tops >= 0:
                            counters[SURES] += 1
                            result, known = not first_side, True
                            cards = relevant(left, tops)
                    if not known and flags & TABLE:
                        one = words[left & FULL]
                        two = words[1 << SUIT | (left >> SUIT & FULL)]
                        three = words[2 << SUIT | (left >> 2 * SUIT & FULL)]
                        four = words[3 << SUIT | (left >> 3 * SUIT & FULL)]
                        stack[KEY, ply] = (
                            one >> LENGTHS
                            | two >> LENGTHS << 16
                            | three >> LENGTHS << 32
                            | (four >> LENGTHS & 0xFFF | player << 12) << 48
                        )
                        stack[FIRST_PATTERN, ply] = one & PATTERN | (two & PATTERN) << 26
                        stack[SECOND_PATTERN, ply] = three & PATTERN | (four & PATTERN) << 26
                        found, tops, guess = look_up(work, ply, need)
                        if found >= 0:
                            counters[FOUND] += 1
                            result, known = found == 1, True
                            cards = relevant(left, tops)
                if known:
                    if ply == root:
                        return DONE, result
                    returning = True
            elif ply & 3 == 1 and flags & SECOND and ply != root:
                start = stack[START, ply]
                target = stack[NEED, ply]
                if player & 1:
                    target = (ones(start) >> 2) - target + 1
                tops = cash_after_lead(hands, words, start, player, stack[LED, ply], trump, target)
                if tops >= 0:
                    counters[SECONDS] += 1
                    result = player & 1 == 0
                    cards = relevant(start, tops)
                    returning = True
            if not returning:
                stack[COUNT, ply] = generate(hands, work, ply, trump, flags, guess)
                stack[AT, ply] = 0
                stack[WANTED, ply] = 0
                for suit in range(4):
                    stack[SKIPPED + suit, ply] = 0
        while returning:
            ply -= 1
            player = stack[PLAYER, ply]
            card = moves[ply * MOVES + stack[AT, ply]] & 255
            if ply & 3 == 3:
                best, winner = stack[BEST, ply + 1], stack[WINNER, ply + 1]
                played = stack[START, ply] ^ stack[LEFT, ply + 1]
                if ones(played >> (SUIT * (best // SUIT)) & FULL) > 1:
                    if result == (winner & 1 == 0):
                        cards |= 1 << best
                    else:
                        cards |= 1 << stack[BEST_LOW, ply + 1]
            if result != (player & 1 == 0):
                cards_here = cards >> (SUIT * (card // SUIT)) & FULL
                if flags & SKIP:
                    bound = lowest(cards_here) if cards_here else SUIT
                    if card % SUIT < bound:
                        suit = card // SUIT
                        stack[SKIPPED + suit, ply] = max(stack[SKIPPED + suit, ply], bound)
                stack[WANTED, ply] |= cards
                stack[AT, ply] += 1
                returning = False
                break
            if ply & 3 == 0 and flags & TABLE:
                left = stack[LEFT, ply]
                tops = tops_of(left, cards if flags & PARTITION else left)
                store(work, ply, stack[NEED, ply], ones(left) >> 2, result, tops, card)
            if ply == root:
                return DONE, result
        # the next move at this ply
        player = stack[PLAYER, ply]
        at, count = stack[AT, ply], stack[COUNT, ply]
        move = 0
        while at < count:
            move = moves[ply * MOVES + at]
            card = move & 255
            if card % SUIT >= stack[SKIPPED + card // SUIT, ply]:
                break
            at += 1
        stack[AT, ply] = at
        if at == count:
            result = player & 1 == 1
            cards = stack[WANTED, ply]
            if ply & 3 == 0 and flags & TABLE:
                left = stack[LEFT, ply]
                tops = tops_of(left, cards if flags & PARTITION else left)
                card = moves[ply * MOVES] & 255
                store(work, ply, stack[NEED, ply], ones(left) >> 2, result, tops, card)
            if ply == root:
                return DONE, result
            returning = True
            # handled by the loop above in the next turn
            continue
        card, low = move & 255, move >> 8 & 255
        place = ply & 3
        after = ply + 1
        stack[LEFT, after] = stack[LEFT, ply] ^ (1 << card)
        if place == 0:
            stack[LED, after], stack[BEST, after] = card // SUIT, card
            stack[BEST_LOW, after], stack[WINNER, after] = low, player
        else:
            best = stack[BEST, ply]
            stack[LED, after] = stack[LED, ply]
            if beats(card, best, trump):
                stack[BEST, after], stack[BEST_LOW, after] = card, low
                stack[WINNER, after] = player
            else:
                stack[BEST, after], stack[BEST_LOW, after] = best, stack[BEST_LOW, ply]
                stack[WINNER, after] = stack[WINNER, ply]
        if place == 3:
            winner = stack[WINNER, after]
            stack[PLAYER, after] = winner
            stack[NEED, after] = stack[NEED, ply] - (winner & 1 == 0)
        else:
            stack[PLAYER, after] = (player + 1) & 3
            stack[START, after] = stack[START, ply]
            stack[NEED, after] = stack[NEED, ply]
        ply = after
        entering = True


def workspace(mebibytes: int = 64) -> Workspace:
    """With a table of so many MiB."""
    return Workspace(
        words=np.zeros(4 << SUIT, np.int64),
        heads=np.zeros(1 << 18, np.int64),
        entries=np.empty((mebibytes << 20) // 8, np.int64),
        stack=np.zeros((ROWS, PLIES), np.int64),
        moves=np.zeros(PLIES * MOVES, np.int64),
        counters=np.zeros(len(COUNTERS), np.int64),
    )


@_compiled
def clear(work: Workspace) -> None:
    """Forget what was found of another deal or strain."""
    work.heads[:] = 0
    work.counters[USED] = 0


@_compiled
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
