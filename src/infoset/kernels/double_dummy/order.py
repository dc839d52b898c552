"""Which moves there are, the most promising one first.

The score of a move is a sum of weights, one from each of a few tables: of a lead, say, by who owns
the three top cards of its suit, and by the lengths of the suit in the four hands. The weights were
learnt on random deals (see :mod:`infoset.kernels.double_dummy.learning`) and are in order.npy.
"""

from __future__ import annotations

from typing import Any

from infoset.kernels.bits import highest, ones
from infoset.kernels.double_dummy.cards import (
    FULL,
    LENGTHS,
    NO_TRUMP,
    RANKS,
    SUIT,
    inlined,
    top,
)
from infoset.kernels.double_dummy.learning import note
from infoset.kernels.double_dummy.techniques import EQUAL, LEARN, MOVE, ORDER
from infoset.kernels.double_dummy.workspace import (
    BEST,
    FOLLOW,
    FOLLOW_OWNERS,
    GUESS_CARD,
    GUESS_SUIT,
    LEAD_LENGTHS,
    LEAD_OWNERS,
    LEAD_RUFFS,
    LED,
    LEFT,
    MOVES,
    PLAYER,
    RUFF,
    START,
    THROW,
    THROW_LENGTH,
    WINNER,
    Workspace,
)


@inlined
def generate(hands: Any, work: Workspace, ply: int, trump: int, flags: int, guess: int) -> int:
    """List the moves at this ply, the most promising one first; their number."""
    if ply & 3 == 0:
        return leads(hands, work, ply, trump, flags, guess)
    stack = work.stack
    mine = hands[stack[ply, PLAYER]] & stack[ply, LEFT]
    if mine >> (SUIT * stack[ply, LED]) & FULL:
        return follow(hands, work, ply, trump, flags)
    return discards(hands, work, ply, trump, flags)


@inlined
def insert_move(moves: Any, base: int, count: int, score: int, card: int, low: int) -> None:
    """Keep the moves in order, the greatest score first."""
    value = ((int(score) + (1 << 20)) << 16) | low << 8 | card
    at = base + count
    while at > base and moves[at - 1] < value:
        moves[at] = moves[at - 1]
        at -= 1
    moves[at] = value


@inlined
def equals(held: int, cards: int, card: int, flags: int) -> int:
    """The lowest card of the hand that is worth as much as this one."""
    low = card
    if flags & EQUAL:
        while True:
            below = cards & ((1 << low) - 1)
            if below & held == 0:
                return low
            following = highest(below)
            if held >> following & 1 == 0:
                return low
            low = following
    return low


@inlined
def owners_of(word: int, player: int) -> int:
    """Who has the three top cards, counted from the player: two bits each."""
    return (word - player) & 3 | ((word >> 2) - player & 3) << 2 | ((word >> 4) - player & 3) << 4


@inlined
def leads(hands: Any, work: Workspace, ply: int, trump: int, flags: int, guess: int) -> int:
    """The cards that may be led."""
    words, moves, weights, stack = work.words, work.moves, work.weights, work.stack
    player, left = stack[ply, PLAYER], stack[ply, LEFT]
    mine = hands[player] & left
    base, count = ply * MOVES, 0
    trumps = 0
    one_shift, mate_shift, two_shift = 4 * (player + 1 & 3), 4 * (player ^ 2), 4 * (player + 3 & 3)
    if trump != NO_TRUMP:
        lengths = words[trump << RANKS | (left >> (SUIT * trump) & FULL)] >> LENGTHS
        trumps = (
            int((lengths >> (4 * player) & 15) > 0) | int((lengths >> mate_shift & 15) > 0) << 1
        )
        trumps |= (
            int((lengths >> one_shift & 15) > 0) << 2 | int((lengths >> two_shift & 15) > 0) << 3
        )
    for suit in range(4):
        shift = SUIT * suit
        held = mine >> shift & FULL
        if held == 0:
            continue
        cards = left >> shift & FULL
        by_length, by_ruffs, by_owners, suit_score = 0, 0, 0, 0
        if flags & ORDER:
            word = words[suit << RANKS | cards]
            lengths = word >> LENGTHS
            kind = 0 if trump == NO_TRUMP else (2 if suit == trump else 1)
            own, his = lengths >> (4 * player) & 15, lengths >> mate_shift & 15
            one, two = lengths >> one_shift & 15, lengths >> two_shift & 15
            by_length = LEAD_LENGTHS + 320 * kind
            by_length += ((min(own, 4) - 1) * 5 + min(his, 4)) * 16 + min(one, 3) * 4 + min(two, 3)
            by_owners = LEAD_OWNERS + (kind * 64 + owners_of(word, player)) * 4
            suit_score = weights[by_length]
            if kind == 1:
                by_ruffs = LEAD_RUFFS + trumps * 16
                by_ruffs += (
                    int(his == 0) | int(one == 0) << 1 | int(two == 0) << 2 | int(own == 1) << 3
                )
                suit_score += weights[by_ruffs]
            if flags & MOVE and guess >> 4 == suit:
                suit_score += weights[GUESS_SUIT]
        rest, highest_run = held, True
        while rest:
            card = highest(rest)
            low = equals(held, cards, card, flags)
            rest &= (1 << low) - 1
            score = 0
            if flags & ORDER:
                part = (1 if rest else 3) if highest_run else (2 if rest else 0)
                score = suit_score + weights[by_owners + part] - card
                same = flags & MOVE and guess >= shift + low and guess <= shift + card
                if same:
                    score += weights[GUESS_CARD]
                if flags & LEARN:
                    note(
                        work,
                        ply,
                        shift + card,
                        by_length,
                        by_ruffs,
                        by_owners + part,
                        GUESS_SUIT if flags & MOVE and guess >> 4 == suit else 0,
                        GUESS_CARD if same else 0,
                    )
            highest_run = False
            insert_move(moves, base, count, score, shift + card, shift + low)
            count += 1
    return count


@inlined
def follow(hands: Any, work: Workspace, ply: int, trump: int, flags: int) -> int:
    """The cards of the suit that was led."""
    words, moves, weights, stack = work.words, work.moves, work.weights, work.stack
    player, left, suit, best = (
        stack[ply, PLAYER],
        stack[ply, LEFT],
        stack[ply, LED],
        stack[ply, BEST],
    )
    shift = SUIT * suit
    held = (hands[player] & left) >> shift & FULL
    cards = stack[ply, START] >> shift & FULL
    base, count, place = ply * MOVES, 0, ply & 3
    rank = best - shift if best // SUIT == suit else SUIT  # to be beaten
    context, by_owners, one, master = 0, 0, -1, 0
    if flags & ORDER:
        master = highest(cards)
        partner_wins = place >= 2 and (stack[ply, WINNER] ^ player) & 1 == 0
        ruffed_by_one = False
        if place < 3:
            next_cards = hands[player + 1 & 3] & left
            one = top(next_cards, suit)
            ruffed_by_one = (
                one < 0 and trump != NO_TRUMP and next_cards >> (SUIT * trump) & FULL > 0
            )
        if place == 1:
            mate_cards = hands[player ^ 2] & left
            mate = top(mate_cards, suit)
            mate_beats = mate > max(one, rank) and not ruffed_by_one
            if mate < 0 and trump != NO_TRUMP and not ruffed_by_one:
                mate_beats = mate_cards >> (SUIT * trump) & FULL > 0
            context = int(mate_beats) | int(one > rank or ruffed_by_one) << 1
        elif place == 2:
            context = 4 + (int(partner_wins) | int(one > rank or ruffed_by_one) << 1)
        else:
            context = 8 + int(partner_wins)
        kind = 0 if trump == NO_TRUMP else (2 if suit == trump else 1)
        context = FOLLOW + (context * 3 + kind) * 32
        by_owners = (
            FOLLOW_OWNERS + (place - 1) * 256 + owners_of(words[suit << RANKS | cards], player) * 4
        )
        if ruffed_by_one:
            one = SUIT
    rest, highest_run = held, True
    while rest:
        card = highest(rest)
        low = equals(held, cards, card, flags)
        rest &= (1 << low) - 1
        score = 0
        if flags & ORDER:
            wins = card > rank
            part = (1 if rest else 3) if highest_run else (2 if rest else 0)
            first = (
                context + part * 8 + (int(wins) | int(card > one) << 1 | int(card == master) << 2)
            )
            cheapest = wins and (rest == 0 or highest(rest) < rank)
            second = by_owners + (int(wins) | int(cheapest or rest == 0) << 1)
            score = weights[first] + weights[second] - card
            if flags & LEARN:
                note(work, ply, shift + card, first, second, 0, 0, 0)
        highest_run = False
        insert_move(moves, base, count, score, shift + card, shift + low)
        count += 1
    return count


@inlined
def discards(hands: Any, work: Workspace, ply: int, trump: int, flags: int) -> int:
    """Any cards, since the hand has none of the suit that was led."""
    words, moves, weights, stack = work.words, work.moves, work.weights, work.stack
    player, left, led, best = (
        stack[ply, PLAYER],
        stack[ply, LEFT],
        stack[ply, LED],
        stack[ply, BEST],
    )
    mine, start = hands[player] & left, stack[ply, START]
    base, count, place = ply * MOVES, 0, ply & 3
    context, over, rank = 0, -1, -1
    if flags & ORDER:
        next_cards = hands[player + 1 & 3] & left
        partner_wins = place >= 2 and (stack[ply, WINNER] ^ player) & 1 == 0
        if best // SUIT == trump:
            rank = best % SUIT
        next_top = top(next_cards, led)
        best_rank = best % SUIT if best // SUIT == led else SUIT
        if place == 1:
            context = int(top(hands[player ^ 2] & left, led) > max(best_rank, next_top))
        elif place == 2:
            context = 2 + (int(partner_wins) | int(next_top > best_rank) << 1)
        else:
            context = 6 + int(partner_wins)
        if place < 3 and trump != NO_TRUMP and next_top < 0:
            over = top(next_cards, trump)
            context += 8
    for suit in range(4):
        shift = SUIT * suit
        held = mine >> shift & FULL
        if held == 0:
            continue
        cards = start >> shift & FULL
        by_length, by_owners = 0, 0
        if flags & ORDER:
            if suit == trump:
                by_owners = RUFF + context * 16
            else:
                can_ruff = trump != NO_TRUMP and mine >> (SUIT * trump) & FULL > 0
                kind = 0 if trump == NO_TRUMP else 1
                word = words[suit << RANKS | cards]
                by_length = THROW_LENGTH + (context * 2 + int(can_ruff)) * 8 + min(ones(held), 7)
                by_owners = (
                    THROW
                    + (kind * 64 + owners_of(word, player)) * 16
                    + 4 * (min(ones(held), 4) - 1)
                )
        rest, highest_run = held, True
        while rest:
            card = highest(rest)
            low = equals(held, cards, card, flags)
            rest &= (1 << low) - 1
            score = 0
            if flags & ORDER:
                part = (1 if rest else 3) if highest_run else (2 if rest else 0)
                first = by_owners + part
                if suit == trump:
                    first += 4 * (int(card > rank) + int(card > rank and card > over))
                score = weights[first] + weights[by_length] - card
                if flags & LEARN:
                    note(work, ply, shift + card, first, by_length, 0, 0, 0)
            highest_run = False
            insert_move(moves, base, count, score, shift + card, shift + low)
            count += 1
    return count
