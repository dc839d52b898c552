"""Information sets by name, as a person writes them and as tables show them.

A set is ``player: label``, its label alone where nobody else has one that reads the same, or its
number, ``#12``, as trees and tables count them from 1. Where several sets of a player read alike,
label and number together (``bet #12``) say which is meant.

Names are compared as they are shown: on one line, with control codes spelled out, and long ones
with their middle left out. So what a table prints can be given back, and no label is too long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from infoset.errors import InfosetError, nearest
from infoset.examine.tables.safe import shown
from infoset.tree import Infoset, Tree

MOST_COMPARED = 3000  # names among which the nearest is looked for
MOST_NAMED = 6  # sets of one name that are listed in a message


def label_of(infoset: Infoset) -> str:
    """A set's label as it is shown; its number where it has none.

    >>> from infoset.games import kuhn
    >>> label_of(kuhn().tree().infosets[3])
    'Q, bet'
    """
    return shown(infoset.label) or f"#{infoset.index + 1}"


def name_of(infoset: Infoset) -> str:
    """Whose set it is, and its label."""
    return f"{shown(infoset.player)}: {label_of(infoset)}"


def sets_by_label(tree: Tree, spelled: Callable[[str], str] = shown) -> dict[str, list[int]]:
    """The numbers of the sets by their labels as they are shown; those without one are left out."""
    table: dict[str, list[int]] = {}
    for number, label in enumerate(tree.labels):
        if label:
            table.setdefault(spelled(label).strip(), []).append(number)
    return table


def place(tree: Tree, given: Infoset | str) -> Infoset:
    """The information set that is meant: a view of it, or its name.

    >>> from infoset.games import kuhn
    >>> tree = kuhn().tree()
    >>> place(tree, "dealer: Q, bet"), place(tree, "#4")
    (<Infoset #4: dealer: Q, bet, 2 nodes>, <Infoset #4: dealer: Q, bet, 2 nodes>)
    >>> place(tree, "dealer: Q, bte")
    Traceback (most recent call last):
    ...
    infoset.errors.InfosetError: kuhn(): no information set 'dealer: Q, bte'; did you mean
    'dealer: Q, bet'?
    """
    if isinstance(given, Infoset):
        if given.tree is not tree:
            raise InfosetError(
                f"{tree.name}: {shown(repr(given))} is of another tree; take it from this one,"
                " or give its name"
            )
        return given
    if not isinstance(given, str):
        raise InfosetError(
            f"{tree.name}: {shown(repr(given))} is no information set; write 'player: label',"
            " or its number as in '#12'"
        )
    words = given.strip()
    before, number = _numbered(words)
    if number is not None and not before:
        return _by_number(tree, number)
    table = sets_by_label(tree)
    found = _by_words(tree, table, words)
    if not found and number is not None:
        found = [at for at in _by_words(tree, table, before) if at == number - 1]
    if len(found) == 1:
        return tree.infosets[found[0]]
    raise InfosetError(f"{tree.name}: {_slip(tree, table, words, found)}")


def _numbered(words: str) -> tuple[str, int | None]:
    """What stands before a number, ``#12``, at the end, and the number; None if none does."""
    before, sign, digits = words.rpartition("#")
    if not (sign and digits.isascii() and digits.isdigit() and len(digits) < 10):
        return words, None
    if before and not before[-1].isspace():
        return words, None
    return before.strip(), int(digits)


def _by_number(tree: Tree, number: int) -> Infoset:
    count = len(tree.infosets)
    if not 1 <= number <= count:
        known = f"they are #1 to #{count:,}" if count else "it has none"
        raise InfosetError(f"{tree.name}: no information set #{number}; {known}")
    return tree.infosets[number - 1]


def _by_words(tree: Tree, table: dict[str, list[int]], words: str) -> list[int]:
    """The sets with this label, and those of a player who is named before it."""
    found = set(table.get(shown(words), ()))
    for number, player in enumerate(tree.names):
        label = _after_player(words, player)
        if label is not None:
            sets = table.get(shown(label), ())
            found |= {at for at in sets if tree.infoset_player[at] == number}
    return sorted(found)


def _after_player(words: str, player: str) -> str | None:
    """What is said after a player's name and a colon; None if the words do not begin so."""
    for name in (player, shown(player)):
        if words.startswith(f"{name}:"):
            return words[len(name) + 1 :].strip()
    return None


def _slip(tree: Tree, table: dict[str, list[int]], words: str, found: list[int]) -> str:
    """What is wrong with a name: nothing has it, or too much has."""
    if found:
        names = [f"'#{at + 1}' ({name_of(tree.infosets[at])})" for at in found[:MOST_NAMED]]
        more = ", …" * (len(found) > MOST_NAMED)
        return f"{len(found)} information sets read {shown(words)!r}; say {', '.join(names)}{more}"
    known = [
        f"{shown(player)}: {label}"
        for number, player in enumerate(tree.names)
        if _after_player(words, player) is not None
        for label, sets in table.items()
        if any(tree.infoset_player[at] == number for at in sets)
    ]
    if not known:  # of all names as many as of all labels, so that neither crowds out the other
        own = (name_of(tree.infosets[at]) for sets in table.values() for at in sets)
        known = [*islice(table, MOST_COMPARED // 2), *islice(own, MOST_COMPARED // 2)]
    return f"no information set {shown(words)!r}; {closest(words, known)}"


def closest(word: str, known: Iterable[str]) -> str:
    """A hint for a misspelt name, among the first few thousand names that there are.

    >>> closest("Q, bte", ["Q, bet", "K"])
    "did you mean 'Q, bet'?"
    """
    return nearest(shown(word), [shown(name) for name in islice(known, MOST_COMPARED)])
