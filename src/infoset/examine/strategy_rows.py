"""The rows of a file with strategies, understood one by one.

Each row says which information set it is about, by number, by label or by both, which of its
actions, and how likely that is. Every slip is refused with its line and the nearest that exists.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from infoset.errors import FileError
from infoset.examine.questions.places import closest, name_of, sets_by_label
from infoset.examine.spreadsheets import plain_text, probability, spellings
from infoset.examine.tables.safe import shown
from infoset.rules.story import text
from infoset.strategy.strategy import distinct_actions
from infoset.tree import Infoset, Tree

NEAR = Fraction(1, 1000)  # by how much a sum may miss one
NUMBER = re.compile(r"#?([0-9]{1,9})")
MOST_NUMBERS = 6  # of sets that read alike, in a message


def action_names(infoset: Infoset) -> list[str]:
    """The actions of a set as files have them: no two read the same.

    >>> from infoset.tree import Builder
    >>> builder = Builder(("one",))
    >>> _ = builder.decide(builder.root, "one", (1, "1", "2"))
    >>> action_names(builder.build(unpaid=True).infosets[0])
    ['1', '1 (2)', '2']
    """
    names: dict[str, None] = {}
    for action in distinct_actions(infoset):
        name = plain = plain_text(text(action))
        count = 1
        while name in names:
            count += 1
            name = f"{plain} ({count})"
        names[name] = None
    return list(names)


@dataclass(eq=False)
class Rows:
    """The rows of a file, as far as they were read: whose set, which action, what probability."""

    name: str
    tree: Tree

    def __post_init__(self) -> None:
        self.shares: dict[int, dict[int, Fraction]] = {}  # by information set and action
        self.lines: dict[tuple[int, int], int] = {}  # where that was said
        self.notes: list[str] = []
        self._known: dict[tuple[str, str, str], Infoset] = {}
        self._actions: dict[int, dict[str, int]] = {}  # by information set: its actions' names

    @cached_property
    def labels(self) -> dict[str, list[int]]:
        """The numbers of the sets by their labels, as files have them."""
        return sets_by_label(self.tree, plain_text)

    def take(self, line: int, cells: Mapping[str, str]) -> None:
        """Note the probability that a row says."""
        place = f"{self.name}:{line}"
        key = (cells.get("player", ""), cells.get("information set", ""), cells.get("number", ""))
        if key not in self._known:
            self._known[key] = self._infoset(place, *key)
        infoset = self._known[key]
        names = self._names(infoset)
        said = cells.get("action", "")
        found = [names[word] for word in spellings(said) if word in names]
        if not found:
            hint = closest(said, names)
            raise FileError(f"{place}: {name_of(infoset)} has no action {shown(said)!r}; {hint}")
        where = (infoset.index, found[0])
        if where in self.lines:
            raise FileError(
                f"{place}: {name_of(infoset)}, {shown(said)} has its probability in line"
                f" {self.lines[where]} already"
            )
        self.lines[where] = line
        share = probability(cells.get("probability", ""), place)
        self.shares.setdefault(infoset.index, {})[found[0]] = share

    def _names(self, infoset: Infoset) -> dict[str, int]:
        if infoset.index not in self._actions:
            names = action_names(infoset)
            self._actions[infoset.index] = {name: at for at, name in enumerate(names)}
        return self._actions[infoset.index]

    def _infoset(self, place: str, player: str, label: str, number_: str) -> Infoset:
        names = [plain_text(name) for name in self.tree.names]
        owner = [at for at, name in enumerate(names) if name in spellings(player)]
        if player and not owner:
            raise FileError(f"{place}: no player {shown(player)!r}; {closest(player, names)}")
        if number_:
            return self._numbered(place, label, number_, owner)
        found = {at for word in spellings(label) for at in self.labels.get(word, ())}
        mine = [at for at in sorted(found) if not owner or self.tree.infoset_player[at] in owner]
        if len(mine) == 1:
            return self.tree.infosets[mine[0]]
        if mine:
            numbers = ", ".join(f"#{at + 1}" for at in mine[:MOST_NUMBERS])
            raise FileError(
                f"{place}: {len(mine)} information sets read {shown(label)!r}; give the number too:"
                f" {numbers}"
            )
        if not label:
            raise FileError(f"{place}: no information set is named; give its label or its number")
        known = (
            word
            for word, sets in self.labels.items()
            if not owner or any(self.tree.infoset_player[at] in owner for at in sets)
        )
        whose = f"{shown(player)} has no information set" if player else "no information set"
        raise FileError(f"{place}: {whose} {shown(label)!r}; {closest(label, known)}")

    def _numbered(self, place: str, label: str, number_: str, owner: list[int]) -> Infoset:
        count = len(self.tree.infoset_player)
        read = NUMBER.fullmatch(number_)
        if read is None or not 1 <= int(read[1]) <= count:
            raise FileError(
                f"{place}: no information set {shown(number_)!r}; they are #1 to #{count:,}"
            )
        infoset = self.tree.infosets[int(read[1]) - 1]
        known = plain_text(infoset.label)
        same = not label or known in spellings(label)
        if not same or (owner and self.tree.infoset_player[infoset.index] not in owner):
            raise FileError(
                f"{place}: #{infoset.index + 1} is {name_of(infoset)}, not what its row says;"
                " correct one of them, or leave the number out"
            )
        return infoset

    def checked(self, index: int) -> dict[int, Fraction]:
        """The probabilities at a set, made to sum to one if they nearly do."""
        shares = self.shares[index]
        total = sum(shares.values(), Fraction(0))
        if total == 1:
            return shares
        line = min(self.lines[index, action] for action in shares)
        sums = f"{self.name}:{line}: the probabilities of {name_of(self.tree.infosets[index])} sum"
        near = f"to {float(total):.6g}"
        if abs(total - 1) > NEAR:
            raise FileError(f"{sums} {near}, not to 1; correct them from this line on")
        self.notes.append(f"{sums} {near}; they were divided by that")
        return {action: share / total for action, share in shares.items()}
