"""The table of partitions: which positions have been answered, by what is relevant in them.

A *group* are the positions of one leader and one length of each suit in each hand. An entry of a
group has the owners of its top cards in each suit, so many as were relevant, and two bounds of the
tricks of the first side. Entries of a group are divided by the suits of which they have any card,
and by who owns the highest ones. So a position looks into one *slot* for each set of suits that
occurs in its group.

The entries of a slot are a forest: below an entry is what agrees with it and has more top cards.
If an entry does not agree with a position, nothing below it does. What is found goes to the front.
"""

from __future__ import annotations

from typing import Any

from infoset.kernels.bits import lowest
from infoset.kernels.double_dummy.cards import inlined
from infoset.kernels.double_dummy.workspace import CLEARED, SLOTS, STEPS, STORED, USED, Workspace

LINK = (1 << 32) - 1  # the lower half of a pair of links


@inlined
def find_slot(slots: Any, key: int) -> int:
    """Where this key is, or will be."""
    size = len(slots) >> 1
    mixed = key * 0x9E3779B97F4A7C1
    mixed ^= mixed >> 29
    mixed *= 0x1B8735939
    at = (mixed >> 20) & (size - 1)
    while slots[2 * at + 1] and slots[2 * at] != key:
        at = (at + 1) & (size - 1)
    return 2 * at


@inlined
def bucket_key(group: int, suits: int, one: int, two: int) -> int:
    """The key of the entries with a relevant card in these suits, whose top cards are owned so."""
    owners = one & 3 | (one >> 26 & 3) << 2 | (two & 3) << 4 | (two >> 26 & 3) << 6
    spread = (suits & 1) * 3 | (suits & 2) * 6 | (suits & 4) * 12 | (suits & 8) * 24
    return 1 << 62 | group << 12 | suits << 8 | owners & spread


@inlined
def look_up(work: Workspace, group: int, one: int, two: int, need: int) -> tuple[int, int]:
    """What the table knows: 1 enough, 0 not, -1 neither; and the top cards."""
    slots = work.slots
    kinds = slots[group + 1] & 0xFFFF
    if kinds == 0:
        return -1, 0
    last = slots[group + 1] >> 16 & 15
    suits = last
    while True:
        slot = find_slot(slots, bucket_key(group, suits, one, two))
        if slots[slot + 1]:
            found, tops = look_into(work, slot, one, two, need)
            if found >= 0:
                slots[group + 1] = slots[group + 1] & ~0xF0000 | suits << 16
                return found, tops
        kinds &= ~(1 << suits)
        if kinds == 0:
            return -1, 0
        suits = lowest(kinds)


@inlined
def look_into(work: Workspace, slot: int, one: int, two: int, need: int) -> tuple[int, int]:
    """The same for the entries of one slot."""
    slots, entries, masks, trail = work.slots, work.entries, work.masks, work.trail
    at = slots[slot + 1]
    depth, before, parent, steps = 0, 0, 0, 0
    found, tops = -1, 0
    while True:
        if at == 0:
            if depth == 0:
                break
            depth -= 1
            before, parent = trail[2 * depth], trail[2 * depth + 1]
            at = entries[4 * before + 2] & LINK
        entry = 4 * at
        info, links = entries[entry + 3], entries[entry + 2]
        steps += 1
        following = links & LINK
        if (one ^ entries[entry]) & masks[info & 255] == 0 and (two ^ entries[entry + 1]) & masks[
            info >> 8 & 255
        ] == 0:
            enough = need <= (info >> 16 & 15)
            if enough or need > (info >> 20 & 15):
                found, tops = int(enough), info & 0xFFFF
                if before:  # to the front, since the next position is probably alike
                    entries[4 * before + 2] = entries[4 * before + 2] & ~LINK | following
                    if parent:
                        first = entries[4 * parent + 2]
                        entries[4 * parent + 2] = first & LINK | at << 32
                        entries[entry + 2] = links & ~LINK | first >> 32
                    else:
                        entries[entry + 2] = links & ~LINK | slots[slot + 1]
                        slots[slot + 1] = at
                break
            child = links >> 32
            if child:
                if following:
                    trail[2 * depth], trail[2 * depth + 1] = at, parent
                    depth += 1
                parent, before = at, 0
                at = child
                continue
        before = at
        at = following
    work.counters[STEPS] += steps
    return found, tops


@inlined
def store(
    work: Workspace,
    key: int,
    first: int,
    second: int,
    need: int,
    tricks: int,
    result: bool,
    tops: int,
    move: int,
) -> None:
    """Keep an answer."""
    slots, entries, masks, counters = work.slots, work.entries, work.masks, work.counters
    if 4 * (counters[USED] + 2) > len(entries) or counters[SLOTS] * 3 > len(slots):
        clear(work)
        counters[CLEARED] += 1
    group = find_slot(slots, key)
    suits = int(tops & 15 > 0) | int(tops & 0xF0 > 0) << 1
    suits |= int(tops & 0xF00 > 0) << 2 | int(tops & 0xF000 > 0) << 3
    if slots[group + 1] == 0:
        counters[SLOTS] += 1
        slots[group] = key
        slots[group + 1] = suits << 16
    slots[group + 1] = slots[group + 1] & 0xFFFFF | 1 << suits | (move + 1) << 32
    bucket = bucket_key(group, suits, first, second)
    slot = find_slot(slots, bucket)
    if slots[slot + 1] == 0:
        counters[SLOTS] += 1
        slots[slot] = bucket
    one, two = first & masks[tops & 255], second & masks[tops >> 8 & 255]
    low, high = (need, tricks) if result else (0, need - 1)
    insert(work, slot, one, two, tops, low, high)


@inlined
def insert(work: Workspace, slot: int, one: int, two: int, tops: int, low: int, high: int) -> None:
    """Put an entry below the narrowest one that is wider, and above those that are narrower."""
    slots, entries, masks, counters = work.slots, work.entries, work.masks, work.counters
    one_mask, two_mask = masks[tops & 255], masks[tops >> 8 & 255]
    head = slots[slot + 1]
    parent, at = 0, head
    while at:
        entry = 4 * at
        info, links = entries[entry + 3], entries[entry + 2]
        one_of, two_of = masks[info & 255], masks[info >> 8 & 255]
        if (
            (one_of & ~one_mask)
            | (two_of & ~two_mask)
            | ((one ^ entries[entry]) & one_of)
            | ((two ^ entries[entry + 1]) & two_of)
        ) == 0:
            if info & 0xFFFF == tops:
                low, high = max(low, info >> 16 & 15), min(high, info >> 20 & 15)
                entries[entry + 3] = tops | low << 16 | high << 20
                return
            parent, head = at, links >> 32
            at = head
        else:
            at = links & LINK
    counters[USED] += 1
    counters[STORED] += 1
    new = counters[USED]
    children = 0
    kept, at = 0, head
    while at:
        entry = 4 * at
        info, links = entries[entry + 3], entries[entry + 2]
        following = links & LINK
        one_of, two_of = masks[info & 255], masks[info >> 8 & 255]
        if (
            (one_mask & ~one_of)
            | (two_mask & ~two_of)
            | ((one ^ entries[entry]) & one_mask)
            | ((two ^ entries[entry + 1]) & two_mask)
        ) == 0:
            if kept:
                entries[4 * kept + 2] = entries[4 * kept + 2] & ~LINK | following
            else:
                head = following
            useless = links >> 32 == 0 and low >= (info >> 16 & 15) and high <= (info >> 20 & 15)
            if not useless:
                entries[entry + 2] = links & ~LINK | children
                children = at
        else:
            kept = at
        at = following
    entry = 4 * new
    entries[entry] = one
    entries[entry + 1] = two
    entries[entry + 2] = head | children << 32
    entries[entry + 3] = tops | low << 16 | high << 20
    if parent:
        entries[4 * parent + 2] = entries[4 * parent + 2] & LINK | new << 32
    else:
        slots[slot + 1] = new


@inlined
def clear(work: Workspace) -> None:
    """Empty the table."""
    work.slots[:] = 0
    work.counters[USED] = 0
    work.counters[SLOTS] = 0
