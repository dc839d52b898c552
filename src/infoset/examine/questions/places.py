"""Information sets by name, as a person writes them and as tables show them.

A set is ``player: label``, its label alone where nobody else has one that reads the same, or its
number, ``#12``, as trees and tables count them from 1. Where several sets of a player read alike,
label and number together (``bet #12``) say which is meant, and where one has no label, player and
number (``dealer: #12``).

Names are compared as they are shown: on one line, with control codes spelled out, and long ones
with their middle left out. So what a table prints can be given back, and no label is too long.
Where none fits as it was typed, small letters and capitals are the same, and suits may be letters:
``kh`` is K♥.

The nearest to a name that there is not shares the most words with it, and then the most signs.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from heapq import nlargest
from itertools import islice

from infoset.errors import InfosetError, nearest
from infoset.examine.questions.subject import seen
from infoset.examine.strategies import SUITS
from infoset.examine.tables.safe import shown
from infoset.tree import Infoset, Tree

MOST_COMPARED = 3000  # names among which the nearest is looked for
MOST_NAMED = 6  # sets of one name that are listed in a message
MOST_LISTED = 12  # sets that are listed where nothing is near
WORDS_ALIKE = 0.5  # of the words of two names together, those that both have, to be near
SIGNS_ALIKE = 0.6
FEW_COMPARED = 100  # names that share the most words, whose signs are compared


def label_of(infoset: Infoset) -> str:
    """A set's label as it is shown; its number where it has none.

    >>> from infoset.games import kuhn
    >>> label_of(kuhn().tree().infosets[3])
    'Q, bet'
    """
    return as_read(infoset.label) or f"#{infoset.index + 1}"


def as_read(label: str) -> str:
    """A label as it is shown, without blanks around it."""
    return shown(label).strip()


def as_typed(words: str) -> str:
    """A label as a keyboard has it: small letters, suits as letters.

    >>> as_typed("K♥, [Raise]")
    'kh, [raise]'
    """
    return as_read(words).translate(SUITS).casefold()


def name_of(infoset: Infoset) -> str:
    """Whose set it is, and its label."""
    return f"{shown(infoset.player)}: {label_of(infoset)}"


def checked_tree(tree: Tree) -> Tree:
    """A tree; what is none is refused."""
    if not isinstance(tree, Tree):
        raise InfosetError(f"{seen(tree)} is no tree; give one, such as kuhn().tree()")
    return tree


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
    checked_tree(tree)
    if isinstance(given, Infoset):
        if given.tree is not tree:
            raise InfosetError(
                f"{tree.name}: {shown(repr(given))} is of another tree; take it from this one,"
                " or give its name"
            )
        return given
    if not isinstance(given, str):
        raise InfosetError(
            f"{tree.name}: {seen(given)} is no information set; write 'player: label',"
            " or its number as in '#12'"
        )
    words = given.strip()
    before, number = _numbered(words)
    if number is not None and not before:
        return _by_number(tree, number)
    found: list[int] = []
    for spelled in (as_read, as_typed):
        found = found or _by_words(tree, spelled, words)
        if not found and number is not None:
            found = [at for at in _by_words(tree, spelled, before) if at == number - 1]
    if len(found) == 1:
        return tree.infosets[found[0]]
    raise InfosetError(f"{tree.name}: {_slip(tree, words, found)}")


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


def _by_words(tree: Tree, spelled: Callable[[str], str], words: str) -> list[int]:
    """The sets with this label, and those of a player who is named before it."""
    found: set[int] = set()
    for player, table in zip(tree.names, tree.labelled(spelled), strict=True):
        label = _after_player(words, player)
        if label is not None:
            found |= set(table.get(spelled(label), ()))
        if words:
            found |= set(table.get(spelled(words), ()))
    return sorted(found)


def _after_player(words: str, player: str) -> str | None:
    """What is said after a player's name and a colon; None if the words do not begin so."""
    for name in (player, shown(player)):
        if words.startswith(f"{name}:"):
            return words[len(name) + 1 :].strip()
    return None


def _slip(tree: Tree, words: str, found: list[int]) -> str:
    """What is wrong with a name: nothing has it, or too much has."""
    if found:
        names = [f"'#{at + 1}' ({name_of(tree.infosets[at])})" for at in found[:MOST_NAMED]]
        more = ", …" * (len(found) > MOST_NAMED)
        return f"{len(found)} information sets read {shown(words)!r}; say {', '.join(names)}{more}"
    return f"no information set {shown(words)!r}; {_hint(tree, words)}"


def _hint(tree: Tree, words: str) -> str:
    """What may be meant by a name that there is not: the nearest one, or the first few."""
    owners = [at for at, name in enumerate(tree.names) if _after_player(words, name) is not None]
    said = _after_player(words, tree.names[owners[0]]) if owners else words
    count = len(tree.infosets)
    if said and said.isascii() and said.isdigit():
        if len(said) < 10 and 1 <= int(said) <= count:
            at = int(said)
            return f"did you mean '#{at}' ({name_of(tree.infosets[at - 1])})?"
        return f"numbers are written as '#1', up to '#{count}'"
    pairs = list(zip(tree.names, tree.labelled(as_read), strict=True))
    if owners:
        pairs = [pairs[at] for at in owners]
    full = (f"{shown(player)}: {label}" for player, table in pairs for label in table if label)
    bare = (label for _, table in pairs for label in table if label)
    # Of all names as many as of all labels, so that neither crowds out the other.
    known = [] if owners else list(islice(bare, MOST_COMPARED // 2))
    near = _near(words, [*known, *islice(full, MOST_COMPARED - len(known))])
    return f"did you mean {near!r}?" if near else _first_sets(tree, owners)


def _first_sets(tree: Tree, owners: list[int]) -> str:
    """The first sets of some players, or of all, and how many more there are."""
    mine = [
        at for at, owner in enumerate(tree.infoset_player.tolist()) if not owners or owner in owners
    ]
    names = [repr(name_of(tree.infosets[at])) for at in mine[:MOST_LISTED]]
    more = f" and {len(mine) - len(names):,} more" if len(mine) > len(names) else ""
    return f"known: {', '.join(names)}{more}" if names else "there are none"


def closest(word: str, known: Iterable[str]) -> str:
    """A hint for a misspelt name, among the first few thousand names that there are.

    >>> closest("Q, bte", ["Q, bet", "K"]), closest("bet, q", ["Q, bet", "bet"])
    ("did you mean 'Q, bet'?", "did you mean 'Q, bet'?")
    """
    names = [shown(name) for name in islice(known, MOST_COMPARED)]
    near = _near(word, names)
    return f"did you mean {near!r}?" if near else nearest(shown(word), names)


def _near(word: str, names: list[str]) -> str | None:
    """The name that shares the most words and signs with another; None if none is near."""
    typed = as_typed(word)
    spelled = {as_typed(name): name for name in reversed(names)}
    own = _words(typed)
    alike = {name: _share(own, _words(name)) for name in spelled}
    few = nlargest(FEW_COMPARED, alike, key=lambda name: alike[name])
    few += difflib.get_close_matches(typed, spelled, n=1, cutoff=SIGNS_ALIKE)
    signs = {name: difflib.SequenceMatcher(None, typed, name).ratio() for name in few}
    near = [name for name in few if alike[name] >= WORDS_ALIKE or signs[name] >= SIGNS_ALIKE]
    return spelled[max(near, key=lambda name: alike[name] + signs[name])] if near else None


def _words(typed: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", typed))


def _share(one: frozenset[str], two: frozenset[str]) -> float:
    """Of the words that either has, how many both have; half of one that is short for another."""
    short = sum(any(_begins(word, other) for other in two - one) for word in one - two)
    return (len(one & two) + short / 2) / max(len(one | two), 1)


def _begins(one: str, two: str) -> bool:
    return one.startswith(two) or two.startswith(one)
