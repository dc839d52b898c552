"""The information sets of a game, whether it is given as a tree or as a public form.

Both number their information sets, know who moves there, what the player knows and what it may do.
Strategies, files and functions are read through this one interface, so that what works on a tree
works on a public form.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from infoset.errors import InfosetError
from infoset.forms.public.record import PublicForm
from infoset.rules import Family, Game
from infoset.rules.position import View
from infoset.strategy.behaviour import Behaviour
from infoset.strategy.public import PublicStrategy
from infoset.strategy.strategy import distinct_actions
from infoset.text import label_text, shown_label
from infoset.tree import MatrixGame, Tree
from infoset.tree.knowledge import Word, labels_of_view, menu_of_view
from infoset.tree.openspiel import SpielGame, is_openspiel

Playable = Game | Family | MatrixGame | Tree | PublicForm | SpielGame


def as_tree_or_form(game: Playable) -> Tree | PublicForm:
    """The tree of a game; a public form as it is.

    Raises
    ------
    InfosetError
        If this is no game.
    TooLarge
        If the tree is too large; :meth:`Game.public` may not be.
    """
    if isinstance(game, Tree | PublicForm):
        return game
    if isinstance(game, Family):
        game = game()
    if is_openspiel(game):
        game = SpielGame(game)
    if not isinstance(game, Game | MatrixGame | SpielGame):
        raise InfosetError(
            f"{game!r:.60} is not a game; give a Game, a Tree or a PublicForm first, such as"
            f" kuhn(),"
            " and the strategies second"
        )
    return game.tree()


class InformationState(str):
    """What a player knows at an information set: its label, with its parts as attributes.

    Attributes
    ----------
    player : str
        Who moves.
    legal_actions : tuple
        What it may do.
    observations : tuple
        What was revealed to it, in order: the objects that the rules gave. Of a tree that was read
        from a file or comes from OpenSpiel, the label is the only observation.
    past_actions : tuple
        What it did itself, in order.
    agent : str
        Who acts: of a team, the member.
    notes : tuple
        All of it in order, as the view of a position has it: ``("saw", fact)``, ``("offered",
        menu)``, ``("took", option)``; the last one is the menu. Of a tree that was read from a file
        or comes from an engine, the label and the menu.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> state = information_sets(kuhn().tree()).state(2)
    >>> state, state.player, state.legal_actions
    ('J, [pass], bet', 'gambler', ('pass', 'bet'))
    >>> [str(card) for card in state.observations], state.past_actions
    (['J', 'bet'], ('pass',))
    """

    player: str
    legal_actions: tuple[Hashable, ...]
    observations: tuple[Hashable, ...]
    past_actions: tuple[Hashable, ...]
    agent: str
    notes: View

    def __new__(
        cls,
        label: str,
        player: str,
        legal_actions: Sequence[Hashable],
        words: Sequence[Word],
        agent: str = "",
        notes: View = (),
    ) -> InformationState:
        """From its label and the words that a player knows."""
        made = super().__new__(cls, label)
        made.player = player
        made.legal_actions = tuple(legal_actions)
        made.observations = tuple(word.value for word in words if not word.own)
        made.past_actions = tuple(word.value for word in words if word.own)
        made.agent = agent or player
        spoken = [("took" if word.own else "saw", word.value) for word in words]
        made.notes = notes or (*spoken, ("offered", made.legal_actions))
        return made


def state_of_view(player: str, view: Hashable, menu: Sequence[Hashable]) -> InformationState:
    """What a player knows whose view of a position this is, where it chooses from a menu.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> dealt = kuhn().position().after("Q K")
    >>> state_of_view("gambler", dealt.view("gambler"), ("pass", "bet")).observations
    (Card(1, 0, 'Q', ''),)
    """
    label = labels_of_view(view)[0]
    notes: Any = view
    if menu_of_view(view) is None:  # of an engine
        notes = (("saw", label), ("offered", tuple(menu)))
        return InformationState(label, player, menu, [Word(view, own=False)], player, notes)
    words = [Word(what, own=kind == "took") for kind, what in notes if kind != "offered"]
    return InformationState(label, player, menu, words, player, notes)


class InformationSets(ABC):
    """The information sets of a game, numbered from 0."""

    name: str
    players: tuple[str, ...]

    @abstractmethod
    def __len__(self) -> int:
        """How many there are."""

    @abstractmethod
    def of(self, player: int) -> Sequence[int]:
        """The numbers of a player's information sets."""

    @abstractmethod
    def owner(self, index: int) -> int:
        """The player who moves there."""

    @abstractmethod
    def label(self, index: int) -> str:
        """What the player knows there, in words."""

    @abstractmethod
    def actions(self, index: int) -> Sequence[Hashable]:
        """What the player may do there; no two are equal."""

    @abstractmethod
    def words(self, index: int) -> Sequence[Word]:
        """What the player knows there, fact by fact."""

    @abstractmethod
    def strategy(self, player: int, rows: Sequence[Sequence[Fraction]], rounded: bool) -> Any:
        """A strategy from the probabilities at each of the player's sets, in order.

        ``rounded`` says that some of them are floats rounded to multiples of 2^-52.
        """

    def name_at(self, index: int) -> str:
        """Whose set it is and its label, on one line; its number where it has no label."""
        label = shown_label(self.label(index)) or f"#{index + 1}"
        return f"{label_text(self.players[self.owner(index)])}: {label}"

    def state(self, index: int) -> InformationState:
        """What the player knows there, for a function to choose by."""
        player = self.players[self.owner(index)]
        return InformationState(self.label(index), player, self.actions(index), self.words(index))

    def labelled(
        self, spelling: Callable[[str], str] = str
    ) -> Sequence[Mapping[str, Sequence[int]]]:
        """[player] information sets by label, in some spelling."""
        found: list[dict[str, list[int]]] = [{} for _ in self.players]
        for player, table in enumerate(found):
            for index in self.of(player):
                table.setdefault(spelling(self.label(index)), []).append(index)
        return found

    @cached_property
    def by_label(self) -> Sequence[Mapping[str, int]]:
        """[player] the set of each label; sets that read alike have their number behind it."""
        found = []
        for table in self.labelled():
            own: dict[str, int] = {}
            for label, sets in table.items():
                for index in sets:
                    own[label if len(sets) == 1 else f"{label} #{index + 1}".strip()] = index
            found.append(own)
        return found


class TreeSets(InformationSets):
    """Those of a tree."""

    def __init__(self, tree: Tree) -> None:
        """All of them."""
        self.tree = tree
        self.name, self.players = tree.name, tree.names

    def __len__(self) -> int:
        return len(self.tree.infoset_player)

    def of(self, player: int) -> Sequence[int]:
        """The numbers of a player's information sets."""
        found: list[int] = self.tree.choices[player].infosets.tolist()
        return found

    def owner(self, index: int) -> int:
        """The player who moves there."""
        return int(self.tree.infoset_player[index])

    def label(self, index: int) -> str:
        """What the player knows there, in words."""
        return self.tree.labels[index]

    def actions(self, index: int) -> Sequence[Hashable]:
        """What the player may do there; no two are equal."""
        return distinct_actions(self.tree.infosets[index])

    def words(self, index: int) -> Sequence[Word]:
        """What the player knows there, fact by fact."""
        known = self.tree.knowing
        if known is not None:
            return known.words(int(known.state[index]))
        return [Word(self.label(index), own=False)]

    def state(self, index: int) -> InformationState:
        """What the player knows there, for a function to choose by."""
        known, made = self.tree.knowing, super().state(index)
        if known is not None:
            made.agent = known.agents[int(known.agent[index])]
            made.notes = known.view(index)
        return made

    def labelled(
        self, spelling: Callable[[str], str] = str
    ) -> Sequence[Mapping[str, Sequence[int]]]:
        """[player] information sets by label, in some spelling."""
        return self.tree.labelled(spelling)

    def strategy(self, player: int, rows: Sequence[Sequence[Fraction]], rounded: bool) -> Behaviour:
        """A strategy from the probabilities at each of the player's sets, in order."""
        every = [Fraction(1), *(value for row in rows for value in row)]
        return Behaviour(self.tree, self.players[player], np.array(every, object))


class FormSets(InformationSets):
    """Those of a public form; one stands for all that were folded or merged into it."""

    def __init__(self, form: PublicForm) -> None:
        """All of them."""
        self.form = form
        self.name, self.players = form.name, form.players
        self._first = [(labels.numbers - 1).tolist() for labels in form.labels]

    def __len__(self) -> int:
        return sum(self.form.infosets)

    def of(self, player: int) -> Sequence[int]:
        """The numbers of a player's information sets."""
        first = self.form.infosets[0] if player else 0
        return range(first, first + self.form.infosets[player])

    def owner(self, index: int) -> int:
        """The player who moves there."""
        return int(index >= self.form.infosets[0])

    def place(self, index: int) -> tuple[int, int, int]:
        """The player, its decision, and the set there."""
        player = self.owner(index)
        decision = bisect_right(self._first[player], index) - 1
        return player, decision, index - self._first[player][decision]

    def label(self, index: int) -> str:
        """What the player knows there, in words."""
        player, decision, at = self.place(index)
        return self.form.labels[player].label(decision, at)

    def actions(self, index: int) -> Sequence[Hashable]:
        """What the player may do there; no two are equal."""
        player, decision, _ = self.place(index)
        return self.form.decisions[player][decision].menu

    def words(self, index: int) -> Sequence[Word]:
        """What the player knows there, fact by fact."""
        player, decision, at = self.place(index)
        return self.form.decisions[player][decision].words[at]

    def strategy(
        self, player: int, rows: Sequence[Sequence[Fraction]], rounded: bool
    ) -> PublicStrategy:
        """A strategy from the probabilities at each of the player's sets, in order."""
        form, at = self.form, 0
        local = np.ones(form.sequences[player], np.float64 if rounded else object)
        local[0] = 1.0 if rounded else Fraction(1)
        for one, begin in zip(form.decisions[player], form.begins[player].tolist(), strict=True):
            here = rows[at : at + len(one)]
            at += len(one)
            for option in range(len(one.menu)):
                first = begin + option * len(one)
                local[first : first + len(one)] = [row[option] for row in here]
        return PublicStrategy.from_probabilities(form, form.players[player], local)


def information_sets(game: Tree | PublicForm) -> InformationSets:
    """The information sets of a game."""
    return TreeSets(game) if isinstance(game, Tree) else FormSets(game)
