"""Public states: a player's information sets on a public form, grouped by what both players know.

A decision of the form has all information sets of a player that differ in cards only, its own and
those on the board. Sets that can meet the same sets of the other player have the same board, and so
the tables in which they meet have a block for each board: a *public state*. What the other player
knows is known where it chooses; what was shown to both since its last choice it has seen by its
next one. So the tables that count are those of the other player's next decisions. If it does not
choose again, they are those with its last sets, and what was shown to both since then reads as if
it were private: the form does not say whether the other player has seen it.

All sets of a decision know the same facts in the same order, but for some places: gaps, filled with
a card, say, in each set its own. So the words of ten thousand sets are a pattern, a few values for
every gap, and a number for each set and gap; labels are searched for in the values.

In a form in which suits are folded, a set stands for all that permutations of suits make of it, and
its words are those of one of them. In a state suits are permuted so that all sets have the same
cards on the board, the least ones, and then the least in hand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.analysis.situations import (
    NOTHING_PRIVATE,
    START,
    menu_names,
    order_of_words,
    split_words,
    words_have_order,
)
from infoset.analysis.strategy_tables import fits
from infoset.forms.public.build import KnownWords
from infoset.forms.public.record import Decision, Longs, PublicForm, next_meetings
from infoset.linear.graphs import connected_components
from infoset.objects.cards import Card
from infoset.tree.knowledge import BETWEEN, NOTHING, Word
from infoset.tree.views import Views
from infoset.vectorized.symmetry import Cards, Symmetry, moved

Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class DecisionWords:
    """The words of all sets of a decision."""

    pattern: tuple[Word | None, ...]  # [place] None for a gap
    values: tuple[Sequence[Hashable], ...]  # [gap] what it may be filled with
    codes: Longs  # [set, gap] which of these it is

    def words(self, at: int) -> list[Word]:
        """What the player knows at a set, word by word."""
        filled = iter(self.codes[at].tolist())
        gaps = iter(self.values)
        return [
            Word(next(gaps)[next(filled)], own=False) if word is None else word
            for word in self.pattern
        ]

    def fitting(self, terms: Sequence[str], suits: Suits) -> Truths:
        """[set] has its label all of these texts in it, for any permutation of suits?"""
        pieces = [piece for term in terms for piece in _pieces(term)]
        whole = all(_pieces(term) == [term] for term in terms)
        found = np.zeros(len(self.codes), bool)
        for order in suits.orders:
            fit = ~found
            for piece in pieces:
                fit &= self._within(piece, order, suits)
            for at in () if whole else np.flatnonzero(fit).tolist():
                fit[at] = fits(label([_moved_word(word, order) for word in self.words(at)]), terms)
            found |= fit
        return found

    def _within(self, piece: str, order: Cards, suits: Suits) -> Truths:
        """[set] is the text in one of the words?"""
        if any(fits(str(word), (piece,)) for word in self.pattern if word is not None):
            return np.ones(len(self.codes), bool)
        found = np.zeros(len(self.codes), bool)
        for gap, values in enumerate(self.values):
            found |= suits.having(piece, values, order)[self.codes[:, gap]]
        if not self.pattern:
            found |= fits(NOTHING, (piece,))
        return found


def label(words: Sequence[Word]) -> str:
    """What a player knows in one line, as in labels of information sets."""
    return BETWEEN.join(map(str, words)) or NOTHING


def _pieces(term: str) -> list[str]:
    """The parts of a text that must each be in one word of a label that has it."""
    return [piece for part in re.split("[*?]", term) for piece in part.split(BETWEEN) if piece]


def decision_words(decision: Decision) -> DecisionWords:
    """The words of a decision: those that all of its sets share, and the others."""
    if isinstance(decision.words, KnownWords):
        return _by_line(decision.words)
    lists = [[*words] for words in decision.words]
    pattern: list[Word | None] = []
    values: list[list[Hashable]] = []
    codes: list[list[int]] = []
    for column in zip(*lists, strict=True):
        number: dict[Word, int] = {}
        own = [number.setdefault(word, len(number)) for word in column]
        pattern.append(column[0] if len(number) == 1 else None)
        if len(number) > 1:
            values.append([word.value for word in number])
            codes.append(own)
    table = np.array(codes, np.int64).reshape(len(codes), len(lists)).T
    return DecisionWords(tuple(pattern), tuple(values), table)


def _by_line(words: KnownWords) -> DecisionWords:
    """The same without making any words: a pattern has its gaps marked."""
    known, pattern = words.pattern, list[Word | None]()
    partition = known.partition
    while known.before is not None:
        kind, what = known.last
        if kind == "hidden":
            pattern.append(None)
        else:
            own = kind == "took"
            pattern.append(Word(what[0][what[1]] if own else what, own))
        known = known.before
    gaps = len(partition.facts)
    views = np.array(partition.views, np.int64).reshape(len(partition.views), gaps)
    tables = tuple(fact.table for fact in partition.facts)
    return DecisionWords(tuple(pattern[::-1]), tables, views[words.codes])


# ---------------------------------------------------------------------- suits


class Suits:
    """The suits that a form has folded, and their permutations."""

    def __init__(self, form: PublicForm) -> None:
        """Of a form."""
        self.deck = form.deck
        self._known: dict[tuple[str, int, int], tuple[Sequence[Hashable], Truths]] = {}

    def __bool__(self) -> bool:
        """Has it folded any?"""
        return self.deck is not None

    def having(self, piece: str, values: Sequence[Hashable], order: Cards) -> Truths:
        """[value] has it a text in it, if suits are permuted? Many decisions ask for the same."""
        key = (piece, id(values), id(order))
        if key not in self._known:  # the values are kept, so that no others come to their address
            texts = [str(Word(moved(value, order), own=False)) for value in values]
            self._known[key] = (values, np.array([fits(one, (piece,)) for one in texts], bool))
        return self._known[key][1]

    @cached_property
    def orders(self) -> Sequence[Cards]:
        """All permutations; the first is the identity."""
        return [{}] if self.deck is None else Symmetry(self.deck).cards

    @cached_property
    def blind(self) -> Cards:
        """No permutation: every card becomes the one of the first suit equivalent to its own."""
        deck = self.deck or ()
        first = {suit: group[0] for group in self._alike for suit in group}
        at = {(card.rank, card.suit): card for card in deck}
        return {card: at[card.rank, first.get(card.suit, card.suit)] for card in deck}

    def bare(self, public: Iterable[Card]) -> Cards:
        """No permutation: cards lose suits that are equivalent to others and not among these."""
        deck = self.deck or ()
        lost = {suit for group in self._alike for suit in group}
        lost -= {card.suit for card in public if card in deck}
        return {card: Card(card.rank, -1, card.rank_name) for card in deck if card.suit in lost}

    @property
    def _alike(self) -> tuple[tuple[int, ...], ...]:
        return () if self.deck is None else self.deck.alike


def cards_in(value: Any) -> Iterator[Card]:
    """All cards in a value, wherever they are."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, tuple | list | frozenset):
        for one in value:
            yield from cards_in(one)


def _moved_word(word: Word, order: Cards) -> Word:
    return Word(moved(word.value, order), word.own)


def renamed(words: Sequence[Word], places: Sequence[int], suits: Suits) -> list[Word]:
    """The least that permutations make of some words: at these places first, then elsewhere."""
    rest = [at for at in range(len(words)) if at not in places]

    def key(order: Cards) -> list[Any]:
        return [moved(words[at].value, order) for at in (*places, *rest)]

    best = min(suits.orders, key=key)
    return [_moved_word(word, best) for word in words]


def public_places(lists: Sequence[Sequence[Word]], suits: Suits) -> list[int]:
    """The places at which some lists of words are the same but for their suits."""
    columns = zip(*lists, strict=True)
    return [
        at
        for at, column in enumerate(columns)
        if len({moved(word.value, suits.blind) for word in column}) == 1
    ]


@dataclass(frozen=True, eq=False, repr=False)
class PublicState:
    """A player to move, as both players see it; with all that the player may know in private."""

    all: PublicStates
    number: int  # of the decision, among the player's
    found: Longs  # its sets there

    def __len__(self) -> int:
        """The number of sets."""
        return len(self.found)

    def __repr__(self) -> str:
        return f"<Public state of {self.all.player}: {self.title}, {len(self)} sets>"

    @property
    def decision(self) -> Decision:
        """Where it is."""
        return self.all.decisions[self.number]

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The texts of the actions."""
        return menu_names(self.decision.menu)

    @property
    def title(self) -> str:
        """What is public, in one line."""
        return BETWEEN.join(map(str, self._split[0])) or self._unseen

    @property
    def heading(self) -> str:
        """What is public, as the heading of a table or a panel."""
        words = BETWEEN.join(map(str, self._split[0]))
        return f"after {words}" if words else self._unseen

    @property
    def _unseen(self) -> str:
        """What stands in for what is public, if that is nothing."""
        moves = sum(word.own for word in self._words[0])
        return f"own move {moves + 1}" if moves else START

    @cached_property
    def sets(self) -> Longs:
        """The sets, in the order of what is private."""
        return self.found[self._order]

    @cached_property
    def names(self) -> list[str]:
        """For each of the sets, what is private in one line."""
        return self._named(self._split[1])

    @cached_property
    def short_names(self) -> list[str]:
        """The same without suits that do not matter: those that no card on the board has.

        If this would make two sets read alike, suits stay.
        """
        public = (card for word in self._split[0] for card in cards_in(word.value))
        bare = self.all.suits.bare(public)
        rows = [[Word(moved(word.value, bare), word.own) for word in row] for row in self._split[1]]
        read = {BETWEEN.join(map(str, row)) for row in rows}
        return self._named(rows) if len(read) == len(rows) else self.names

    def _named(self, rows: list[list[Word]]) -> list[str]:
        """What is private; and the number of a set that reads like others."""
        names = [BETWEEN.join(map(str, rows[at])) or NOTHING_PRIVATE for at in self._order]
        often, first = Counter(names), self.all.numbers[self.number]
        return [
            f"{name} #{first + at}" if often[name] > 1 else name
            for name, at in zip(names, self.sets.tolist(), strict=True)
        ]

    @cached_property
    def ordered(self) -> bool:
        """Has what is private an order of its own, as ranks and numbers have?"""
        return words_have_order(self._split[1])

    @cached_property
    def suits(self) -> list[int] | None:
        """For each of the sets, the suit of its card, if suits are folded; None if it has more.

        To compare ranks is to compare cards of one suit: others on the board may make a flush.
        """
        rows = [self._split[1][at] for at in self._order]
        cards = [row[0].value for row in rows if len(row) == 1 and isinstance(row[0].value, Card)]
        whole = self.all.suits and len(cards) == len(rows)
        return [card.suit for card in cards] if whole else None

    @cached_property
    def _words(self) -> list[list[Word]]:
        known, suits = self.all.words(self.number), self.all.suits
        lists = [known.words(at) for at in self.found.tolist()]
        if not suits:
            return lists
        places = public_places(lists, suits)
        return [renamed(words, places, suits) for words in lists]

    @cached_property
    def _split(self) -> tuple[list[Word], list[list[Word]]]:
        """The public words, and the private ones of each set."""
        return split_words(self._words)

    @cached_property
    def _order(self) -> list[int]:
        return order_of_words(self._split[1])


class PublicStates(Views[PublicState]):
    """All public states of a player, decision by decision; each is made when it is looked at."""

    def __init__(self, form: PublicForm, player: str) -> None:
        """Group the player's sets."""
        self.form = form
        self.player = player
        self.seat = form.player_number(player)
        self.decisions = form.decisions[self.seat]
        self.suits = Suits(form)
        self.groups = _grouped(form, self.seat)  # [decision][set] its state
        counts = [int(group.max(initial=-1)) + 1 for group in self.groups]
        self.first = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))  # [decision]
        self.numbers = form.labels[self.seat].numbers  # [decision] the number of its first set
        self._words: dict[int, DecisionWords] = {}
        self._sorted: dict[int, tuple[Longs, Longs]] = {}
        super().__init__(self._made, int(self.first[-1]))

    def _made(self, at: int) -> PublicState:
        number = int(np.searchsorted(self.first, at, side="right")) - 1
        order, start = self._members(number)
        own = at - int(self.first[number])
        return PublicState(self, number, order[start[own] : start[own + 1]])

    def of(self, number: int, one: int) -> int:
        """The state in which a set of a decision is."""
        return int(self.first[number] + self.groups[number][one])

    def words(self, number: int) -> DecisionWords:
        """The words of a decision's sets."""
        if number not in self._words:
            self._words[number] = decision_words(self.decisions[number])
        return self._words[number]

    @cached_property
    def widest(self) -> int:
        """The sets of one state, at most."""
        sizes = [int(np.bincount(group).max(initial=0)) for group in self.groups]
        return max(sizes, default=0)

    def _members(self, number: int) -> tuple[Longs, Longs]:
        """A decision's sets, state by state, and where each begins."""
        if number not in self._sorted:
            group = self.groups[number]
            start = np.concatenate(([0], np.cumsum(np.bincount(group))))
            self._sorted[number] = (np.argsort(group, kind="stable"), start)
        return self._sorted[number]


def public_states(form: PublicForm, player: str) -> PublicStates:
    """A player's sets, grouped by what is public.

    >>> from infoset.forms.public import public_form
    >>> from infoset.games import leduc
    >>> states = public_states(public_form(leduc(suits=3)), "one")
    >>> states[0].title, states[0].names
    ('at the start', ['J♠', 'Q♠', 'K♠'])
    >>> states[2].title, states[2].names
    ('[call], call, Q♠', ['J♠', 'J♥', 'Q♥', 'K♠', 'K♥'])
    """
    return PublicStates(form, player)


def _grouped(form: PublicForm, player: int) -> list[Longs]:
    """[decision][set] its public state, counted as they come."""
    after = next_meetings(form, player)
    known: dict[tuple[int, frozenset[int]], Longs] = {}
    found = []
    for number, one in enumerate(form.decisions[player]):
        tables = frozenset(meeting.table for _, meeting in after.get(number, ()))
        tables = tables or frozenset(meeting.table for meeting in one.meetings)
        key = (len(one), tables)
        if key not in known:
            known[key] = _connected(form, player, *key)
        found.append(known[key])
    return found


def _connected(form: PublicForm, player: int, size: int, tables: frozenset[int]) -> Longs:
    """[set] its component, if the sets of a block are connected, in any of the tables."""
    if not tables:
        return np.zeros(size, np.int64)
    blocks = [block for table in sorted(tables) for block in form.tables[table].blocks]
    members = [block.columns if player else block.rows for block in blocks]
    owners = np.repeat(np.arange(len(members)), [len(own) for own in members])
    least = connected_components(np.concatenate(members), owners, size)
    return np.unique(least, return_inverse=True)[1]
