"""The rows of a file with strategies, understood one by one.

Each row says which information set it is about, by number, by label or by both, which of its
actions, and how likely that is. Every slip is refused with its line and the nearest that exists.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from infoset.errors import FileError
from infoset.examine.questions.places import checked_tree, closest, name_of
from infoset.examine.spreadsheets import Share, plain_text, read_share, spellings
from infoset.examine.tables.safe import shown
from infoset.examine.wording import numbered
from infoset.rules.story import text
from infoset.strategy.strategy import distinct_actions
from infoset.tree import Infoset, Tree

NEAR = Fraction(11, 1000)  # by how much a sum may miss one
ROUNDED = Fraction(1, 10**9)  # by how much it may without a word
HUNDRED = 100  # what percentages sum to, give or take one
BLANK = "(blank)"  # an action that is nothing or blanks; cells are read without those
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
    return numbered(plain_text(text(action)) or BLANK for action in distinct_actions(infoset))


@dataclass(eq=False)
class Rows:
    """The rows of a file, as far as they were read: whose set, which action, what probability."""

    name: str
    tree: Tree

    def __post_init__(self) -> None:
        checked_tree(self.tree)
        self.shares: dict[int, dict[int, Share]] = {}  # by information set and action
        self.lines: dict[tuple[int, int], int] = {}  # where that was said
        self.notes: list[str] = []
        self._known: dict[tuple[str, str, str], Infoset] = {}
        self._actions: dict[int, dict[str, int]] = {}  # by information set: its actions' names

    def take(self, line: int, cells: Mapping[str, str]) -> None:
        """Note the probability that a row says."""
        place = f"{self.name}:{line}"
        key = (cells.get("player", ""), cells.get("information set", ""), cells.get("number", ""))
        if key not in self._known:
            self._known[key] = self._infoset(place, *key)
        infoset = self._known[key]
        names = self._names(infoset)
        said = cells.get("action", "")
        found = [names[word] for word in spellings(said or BLANK) if word in names]
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
        share = read_share(cells.get("probability", ""), cells.get("exact", ""), place)
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
        if not label:
            raise FileError(f"{place}: no information set is named; give its label or its number")
        tables = self.tree.labelled(plain_text)
        own = [tables[at] for at in owner] or tables
        mine = sorted(
            {at for table in own for word in spellings(label) for at in table.get(word, ())}
        )
        if len(mine) == 1:
            return self.tree.infosets[mine[0]]
        if mine:
            numbers = ", ".join(f"#{at + 1}" for at in mine[:MOST_NUMBERS])
            raise FileError(
                f"{place}: {len(mine)} information sets read {shown(label)!r}; give the number too:"
                f" {numbers}"
            )
        known = (word for table in own for word in table if word)
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
        """The probabilities at a set, made to sum to one if they nearly do, or are percentages."""
        shares = self.shares[index]
        found = {action: share.value for action, share in shares.items()}
        total = sum(found.values(), Fraction(0))
        if total == 1:
            return found
        if abs(total - 1) > NEAR:
            found, total = self._percentages(index, total)
            self._note(index, total, "; they were taken as percent")
        elif abs(total - 1) > ROUNDED:
            self._note(index, total, "; they were divided by that")
        return {action: share / total for action, share in found.items()}

    def _percentages(self, index: int, total: Fraction) -> tuple[dict[int, Fraction], Fraction]:
        """The numbers at a set as percentages, and their sum; refused if they are none."""
        shares = self.shares[index]
        found = {
            action: share.value * (HUNDRED if share.percent else 1)
            for action, share in shares.items()
        }
        hundred = sum(found.values(), Fraction(0))
        untouched = any(share.value and not share.edited for share in shares.values())
        if untouched or abs(hundred - HUNDRED) > 1:
            raise FileError(f"{self._sum(index, total)}, not to 1; correct them from this line on")
        return found, hundred

    def _note(self, index: int, total: Fraction, what: str) -> None:
        self.notes.append(self._sum(index, total) + what)

    def _sum(self, index: int, total: Fraction) -> str:
        line = min(self.lines[index, action] for action in self.shares[index])
        whose = name_of(self.tree.infosets[index])
        return f"{self.name}:{line}: the probabilities of {whose} sum to {float(total):.6g}"
