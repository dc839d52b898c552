"""The words that players know: in order, sorted, split into what all share and what they do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from infoset.rules.story import text
from infoset.tree import Tree
from infoset.tree.knowing import Word
from infoset.tree.labels import BETWEEN, NOTHING


def infoset_words(tree: Tree, infoset: int) -> list[Word]:
    """What the player knows at an information set, word by word."""
    known = tree.knowing
    if known is not None:
        return known.words(int(known.state[infoset]))
    label = tree.labels[infoset]
    if label == NOTHING:
        return []
    return [Word(part, own=False) for part in (label or f"#{infoset + 1}").split(BETWEEN)]


def split_words(lists: Sequence[list[Word]]) -> tuple[list[Word], list[list[Word]]]:
    """What several lists of words have in common, place by place, and what each has besides.

    Lists of different lengths have in common what they begin with.
    """
    first = lists[0]
    heads = list(zip(*([*map(str, words)] for words in lists), strict=False))
    alike = [at for at, head in enumerate(heads) if len(set(head)) == 1]
    if any(len(words) != len(first) for words in lists):
        alike = [at for rank, at in enumerate(alike) if rank == at]
    same = set(alike)
    private = [[word for at, word in enumerate(words) if at not in same] for words in lists]
    return [word for at, word in enumerate(first) if at in same], private


def ranked(values: Sequence[Any]) -> dict[Any, int]:
    """The order in which values are shown: their own if they have one, else that of their coming.

    >>> ranked(["10", "9", "9", "K"]), ranked(["10", "9"]), ranked([3, 1, 2])
    ({'10': 0, '9': 1, 'K': 2}, {'9': 0, '10': 1}, {'1': 0, '2': 1, '3': 2})
    """
    seen = {text_key(value): value for value in values}
    if has_order(list(seen.values())):
        numbers = {key: _number(key) for key in seen}
        plain = None not in numbers.values()
        keys = sorted(seen, key=lambda key: numbers[key] if plain else seen[key])
    else:
        keys = list(seen)
    return {key: rank for rank, key in enumerate(keys)}


def has_order(values: Sequence[Any]) -> bool:
    """Do these values have an order: numbers, in whatever form, or things that compare?"""
    if all(_number(text_key(value)) is not None for value in values):
        return True
    if any(isinstance(value, str | frozenset) for value in values):
        return False
    try:
        sorted(values)
    except TypeError:  # no order, or none between these
        return False
    return True


def merged(menus: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """One menu with the options of all, in an order that keeps to theirs as far as they agree.

    >>> merged([("b", "c"), ("a", "c"), ("a", "b")]), merged([("2", "10"), ("1", "2")])
    (('a', 'b', 'c'), ('1', '2', '10'))
    """
    left = ranked([option for menu in menus for option in menu])
    found: list[str] = []
    while left:
        waiting = [[option for option in menu if option in left] for menu in menus]
        later = {option for menu in waiting for option in menu[1:]}
        first = next((option for option in left if option not in later), next(iter(left)))
        found.append(first)
        del left[first]
    return tuple(found)


def text_key(value: Any) -> str:
    """By what two values are told apart: how they read."""
    return text(value)


def _number(words: str) -> Any:
    try:
        return float(words)
    except ValueError:
        return None
