"""Tricks that need no search: what can be taken at once, and what nobody can take away.

The top cards that were counted are four bits for each suit.
"""

from __future__ import annotations

from typing import Any

from infoset.kernels.bits import highest, ones
from infoset.kernels.double_dummy.cards import (
    FULL,
    LENGTHS,
    NO_TRUMP,
    PAIRS,
    RANKS,
    SUIT,
    compact,
    inlined,
    run,
    side_run,
)


@inlined
def rounds_of(
    word: int, leader: int, mine: int, his: int, most: int, count: int, cap: int
) -> tuple[int, int, int, int]:
    """What can be cashed of a suit: rounds of the leader, and then tricks of its mate.

    With each go the top cards of the suit that must be theirs. The opponents have ``most`` cards
    of it at most in a hand, and ruff after ``cap`` rounds.
    """
    every = (1 << (2 * side_run(word, leader, count))) - 1
    others = (word ^ (leader * PAIRS)) >> 1 & PAIRS & every
    his_top, both = ones(others), ones(every) >> 1
    top = both - his_top
    rounds, need, gets, deep = 0, 0, 0, 0
    if top and his_top and his - his_top >= top:
        # the mate plays low cards under the leader's
        rounds = top
        need = (highest(others ^ PAIRS & every) >> 1) + 1
        if top >= most and his - his_top >= mine:
            rounds = mine
        if rounds > cap:
            rounds = cap
        elif his > rounds:
            gets, deep = his_top, both
            if both >= most and mine <= both:
                gets = his - rounds
    else:
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
        if his > rounds:  # the mate's run after it
            more = 0
            if rounds >= top or mine == 0:
                more = run(word >> (2 * top), leader ^ 2, count - top)
            gets, deep = min(more, his - rounds), top + min(more, his - rounds)
            if top + more >= most and mine <= top + more:
                gets, deep = his - rounds, top + more
    if rounds + gets > cap:
        gets = max(0, cap - rounds)
    return rounds, need, gets, deep


@compact
def cash(words: Any, left: int, leader: int, trump: int, tricks: int, target: int) -> int:
    """Whether the leader's side can take so many tricks at once: the top cards needed, or -1."""
    mate, one, two = leader ^ 2, (leader + 1) & 3, (leader + 3) & 3
    own, tops = 0, 0
    mates, mate_tops = 0, 0
    entry = False
    stop_one, stop_two = False, False
    room, mate_room = 13, 13  # rounds of other suits before the mate or the leader has to ruff
    own_side, mate_side = 0, 0
    spare, trumps_one, trumps_two = 0, 0, 0  # with spare trumps the mate ruffs, and is on lead
    for turn in range(0 if trump == NO_TRUMP else -1, 4):
        suit = trump if turn < 0 else turn
        if turn == trump:
            continue
        rest = left >> (SUIT * suit) & FULL
        if rest == 0:
            continue
        word = words[suit << RANKS | rest]
        lengths = word >> LENGTHS
        mine, his = lengths >> (4 * leader) & 15, lengths >> (4 * mate) & 15
        first_opp, second_opp = lengths >> (4 * one) & 15, lengths >> (4 * two) & 15
        if mine + his == 0:
            if turn < 0:
                stop_one, stop_two = first_opp > 0, second_opp > 0
            continue
        if turn < 0:
            trumps_one, trumps_two = first_opp, second_opp
        most = max(first_opp, second_opp)
        count = mine + his + first_opp + second_opp
        cap = 13
        if turn >= 0:
            if stop_one:
                cap = min(cap, first_opp)
            if stop_two:
                cap = min(cap, second_opp)
        rounds, need, gets, deep = rounds_of(word, leader, mine, his, most, count, cap)
        if gets > 0:
            mates += gets
            mate_tops |= deep << (4 * suit)
            if turn >= 0:
                mate_side += gets
            if mine > rounds:
                entry = True
        if turn < 0:
            spare = his - rounds - gets
        elif (
            spare > 0
            and his == 0
            and mine > rounds
            and (first_opp > rounds or trumps_one == 0)
            and (second_opp > rounds or trumps_two == 0)
        ):
            mates += 1
            spare = 0
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


@inlined
def sure_trumps(word: int, leader: int, tricks: int, target: int, shift: int) -> int:
    """The same with trumps; less than -1 if it is sure that the leader's side prevents it.

    A side with the top trumps takes a trick with each, up to the length of its longer hand: it can
    always play one of them and a low card of the other hand, or the other hand has winners only.
    """
    lengths, one, two = word >> LENGTHS, (leader + 1) & 3, (leader + 3) & 3
    mine, his = lengths >> (4 * leader) & 15, lengths >> (4 * (leader ^ 2)) & 15
    first, second = lengths >> (4 * one) & 15, lengths >> (4 * two) & 15
    count = mine + his + first + second
    other = tricks - target + 1
    if min(side_run(word, leader, count), max(mine, his)) >= other:
        return -2 - (other << shift)
    if min(side_run(word, one, count), max(first, second)) >= target:
        return target << shift
    # One more, if the only trump in between is in the hand that plays just before. Before this
    # side leads, which it need not have done otherwise, it has taken a trick.
    for hand in (one, two):
        own = run(word, hand, count)
        behind = word >> (2 * own) & 15 == (hand + 3) & 3 | hand << 2
        if behind and own + 1 >= target and (lengths >> (4 * hand) & 15) >= own + 2:
            return (own + 2) << shift
    return -1


@compact
def surely(words: Any, left: int, leader: int, trump: int, tricks: int, target: int) -> int:
    """Whether the other side gets so many tricks at some time: the top cards needed, or -1.

    Without trumps, it does if each suit that the leader has is headed by that side, which then
    cashes the top cards of the hand that comes to the lead.
    """
    one, two = (leader + 1) & 3, (leader + 3) & 3
    if trump != NO_TRUMP and left >> (SUIT * trump) & FULL:
        word = words[trump << RANKS | (left >> (SUIT * trump) & FULL)]
        return sure_trumps(word, leader, tricks, target, 4 * trump)
    tops, runs_one, runs_two = 0, 0, 0
    has_one, has_two = False, False
    for suit in range(4):
        rest = left >> (SUIT * suit) & FULL
        if rest == 0:
            continue
        word = words[suit << RANKS | rest]
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


@compact
def cash_after_lead(
    hands: Any, words: Any, start: int, second: int, led: int, trump: int, target: int
) -> int:
    """Whether the side of the second hand can take the trick and so many: the top cards, or -1.

    Whoever of them has the highest card of the suit takes the trick with it, as if it had led
    that card, if nobody ruffs.
    """
    word = words[led << RANKS | (start >> (SUIT * led) & FULL)]
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
