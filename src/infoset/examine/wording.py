"""The words that players know: in order, sorted, split into what all share and what they do not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise
from math import isfinite
from typing import Any

from infoset.rules.moves import Menu
from infoset.rules.story import text
from infoset.tree import Tree
from infoset.tree.knowing import Word
from infoset.tree.labels import BETWEEN, NOTHING

DIGITS = re.compile(r"[0-9]{1,15}")
LONG = 400  # signs of a text that are looked at for numbers


def infoset_words(tree: Tree, infoset: int) -> list[Word]:
    """What the player knows at an information set, word by word."""
    known = tree.knowing
    if known is not None:
        return known.words(int(known.state[infoset]))
    label = tree.labels[infoset]
    if label == NOTHING or label.startswith(f"{NOTHING} {{"):  # and the options, told elsewhere
        return []
    return [Word(part, own=False) for part in (label or f"#{infoset + 1}").split(BETWEEN)]


def split_words(lists: Sequence[list[Word]]) -> tuple[list[Word], list[list[Word]]]:
    """What several lists of words have in common, and what each has besides.

    Lists of one length are compared place by place. Of others, the longest common subsequence is
    what they share, found list by list.
    """
    first = lists[0]
    read = [[*map(str, words)] for words in lists]
    if all(len(words) == len(first) for words in lists):
        same = {at for at, head in enumerate(zip(*read, strict=True)) if len(set(head)) == 1}
        return [first[at] for at in sorted(same)], [
            [word for at, word in enumerate(words) if at not in same] for words in lists
        ]
    common = read[0]
    for texts in read[1:]:
        common = [common[at] for at in _shared_places(common, texts)]
    private = []
    for words, texts in zip(lists, read, strict=True):
        shared = set(_shared_places(texts, common))
        private.append([word for at, word in enumerate(words) if at not in shared])
    return [first[at] for at in _shared_places(read[0], common)], private


def _shared_places(one: list[str], two: list[str]) -> list[int]:
    """The places in one list of a longest subsequence that it shares with another."""
    best = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]
    for i in reversed(range(len(one))):
        for j in reversed(range(len(two))):
            skipped = max(best[i + 1][j], best[i][j + 1])
            best[i][j] = best[i + 1][j + 1] + 1 if one[i] == two[j] else skipped
    places, i, j = [], 0, 0
    while i < len(one) and j < len(two):
        if one[i] == two[j]:
            places.append(i)
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return places


def ranked(values: Sequence[Any]) -> dict[Any, int]:
    """The order in which values are shown: their own if they have one, else that of their coming.

    >>> ranked(["10", "9", "9", "K"]), ranked(["10", "9"]), ranked([3, 1, 2])
    ({'10': 0, '9': 1, 'K': 2}, {'9': 0, '10': 1}, {'1': 0, '2': 1, '3': 2})
    >>> ranked(["bid 10", "bid 9"])
    {'bid 9': 0, 'bid 10': 1}
    """
    seen = {text_key(value): value for value in values}
    keys = list(seen)
    numbers = _numbers(keys)
    if numbers is not None:
        keys = [key for _, key in sorted(zip(numbers, keys, strict=True))]
    elif has_order(list(seen.values())):
        keys = sorted(seen, key=lambda key: seen[key])
    return {key: rank for rank, key in enumerate(keys)}


def has_order(values: Sequence[Any]) -> bool:
    """Do these values have an order: numbers, alone or in like words, or things that compare?"""
    if _numbers([text_key(value) for value in values]) is not None:
        return True
    if any(isinstance(value, str | frozenset) for value in values):
        return False
    try:
        sorted(values)
    except TypeError:  # no order, or none between these
        return False
    return True


def _numbers(texts: Sequence[str]) -> list[tuple[float, ...]] | None:
    """What texts that differ in their numbers only have for numbers; None for other texts."""
    plain = [_number(words) for words in texts]
    if None not in plain:
        return [(number,) for number in plain if number is not None]
    patterns = {DIGITS.sub("0", words[:LONG]) for words in texts}
    if len(patterns) != 1 or "0" not in next(iter(patterns), ""):
        return None
    return [tuple(map(float, DIGITS.findall(words[:LONG]))) for words in texts]


def menu_names(menu: Menu) -> tuple[str, ...]:
    """The options of a menu as they read, numbered where two read the same.

    >>> menu_names((1, "1", "bet"))
    ('1', '1 (2)', 'bet')
    """
    return tuple(numbered(text(option) for option in menu))


def numbered(texts: Iterable[str]) -> list[str]:
    """Texts with a number behind those that stand there before."""
    names: dict[str, None] = {}
    for plain in texts:
        name = plain
        count = 1
        while name in names:
            count += 1
            name = f"{plain} ({count})"
        names[name] = None
    return list(names)


def merged(menus: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """One menu with the options of all, in an order that keeps to theirs as far as they agree.

    >>> merged([("b", "c"), ("a", "c"), ("a", "b")]), merged([("2", "10"), ("1", "2")])
    (('a', 'b', 'c'), ('1', '2', '10'))
    """
    rank = ranked([option for menu in menus for option in menu])
    after: dict[str, set[str]] = {option: set() for option in rank}
    before = dict.fromkeys(rank, 0)
    for menu in menus:
        for one, two in pairwise(menu):
            if two not in after[one]:
                after[one].add(two)
                before[two] += 1
    ready = [(rank[option], option) for option, count in before.items() if not count]
    heapify(ready)
    found: dict[str, None] = {}
    while len(found) < len(rank):
        if not ready:  # menus that disagree: whichever comes first
            ready = [min((rank[option], option) for option in rank if option not in found)]
        _, option = heappop(ready)
        if option in found:
            continue
        found[option] = None
        for other in after[option]:
            before[other] -= 1
            if not before[other]:
                heappush(ready, (rank[other], other))
    return tuple(found)


def text_key(value: Any) -> str:
    """By what two values are told apart: how they read."""
    return text(value)


def _number(words: str) -> float | None:
    try:
        number = float(words)
    except ValueError:
        return None
    return number if isfinite(number) else None
