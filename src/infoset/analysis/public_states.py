"""Public states: a player's information sets on a public form, grouped by what both players know.

A decision of the form has all information sets of a player that differ in cards only, its own and
those on the board. Sets that can meet the same sets of the other player have the same board, and so
the tables in which they meet have a block for each board: a *public state*. What the other player
knows is known where it chooses; what was shown to both since its last choice it has seen by its
next one. So the tables that count are those of the other player's next decisions. If it does not
choose again, they are those with its last sets, and what was shown to both since then reads as if
it were private: the form does not say whether the other player has seen it.

What the sets of a decision know is a pattern with gaps, and a few values for every gap
(:mod:`infoset.forms.public.words`); labels are searched for in the values.

In a form in which suits are folded, a set stands for all that permutations of suits make of it, and
its words are those of one of them. In a state suits are permuted so that all sets have the same
cards on the board, the least ones, and then the least in hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from infoset.analysis.situations import NOTHING_PRIVATE, START, menu_names
from infoset.analysis.where import Term, reading, term_of
from infoset.forms.public.record import Decision, Longs, PublicForm, next_meetings
from infoset.forms.public.words import DecisionWords
from infoset.linear.graphs import connected_components
from infoset.objects.cards import Card
from infoset.text import has_order, ranked, text
from infoset.tree.knowledge import BETWEEN, NOTHING, Word
from infoset.tree.views import Views
from infoset.vectorized.symmetry import Cards, Symmetry, moved

Truths = npt.NDArray[np.bool_]

FIRST = 20  # decisions of a player at which it may learn something that has no order of its own
MOST_KEPT = 2048  # states of a player that are kept when they have been looked at


def fitting(told: DecisionWords, terms: Sequence[str], suits: Suits) -> Truths:
    """[set] has its label all of these texts in it, for any permutation of suits?"""
    found = np.zeros(len(told.codes), bool)
    for order in suits.orders:
        fit = ~found
        for term in map(term_of, terms):
            if fit.any():
                fit[fit] = _having(told, term, np.flatnonzero(fit), order, suits)
        found |= fit
    return found


Text = tuple[Sequence[str], Longs]  # at one place: the texts there, and which each set has


def _having(
    told: DecisionWords, term: Term, sets: Longs, order: Cards, suits: Suits
) -> Truths | list[bool]:
    """[one of some sets] has its label a text in it?"""
    columns = _texts(told, sets, order, suits)
    spread = any(BETWEEN in own for texts, _ in columns for own in texts)
    if not (term.patterns or term.ragged or spread):
        return _in_a_row(term, columns, len(sets))
    if not term.patterns:
        return [term.fits(one) for one in _labels(columns)]
    found = np.zeros(len(sets), bool)
    before: list[tuple[list[list[str]], str]] = []
    for name, pattern in term.patterns:
        read = [[getattr(reading(own), name) for own in texts] for texts, _ in columns]
        if (read, pattern.pattern) not in before:  # cards are often written like that already
            rest = np.flatnonzero(~found)
            parts = [(own, codes[rest]) for own, (_, codes) in zip(read, columns, strict=True)]
            found[rest] = [pattern.fullmatch(one) is not None for one in _labels(parts)]
        before.append((read, pattern.pattern))
    return found


def _texts(told: DecisionWords, sets: Longs, order: Cards, suits: Suits) -> list[Text]:
    """[place] the texts of some sets, with suits permuted."""
    found: list[Text] = []
    gaps = iter(enumerate(told.values))
    same = np.zeros(len(sets), np.int64)
    for word in told.pattern or (Word(NOTHING, own=False),):
        if word is not None:
            found.append(((str(word),), same))
        else:
            gap, values = next(gaps)
            found.append((suits.texts(values, order), told.codes[sets, gap]))
    return found


def _labels(columns: Sequence[Text]) -> Iterator[str]:
    """[set] labels, put together."""
    written = [[texts[code] for code in codes.tolist()] for texts, codes in columns]
    return map(BETWEEN.join, zip(*written, strict=True))


def _in_a_row(term: Term, columns: Sequence[Text], count: int) -> Truths:
    """[set] are the parts of a text in words in a row?"""
    found = np.zeros(count, bool)
    for one in term.alternatives:
        for first in one.places(len(columns)):
            fit = np.ones(count, bool)
            for at, part in enumerate(one.parts):
                texts, codes = columns[first + at]
                where = one.where(at)
                fit &= np.array([part.fits(own, where) for own in texts], bool)[codes]
            found |= fit
    return found


def label(words: Sequence[Word]) -> str:
    """What a player knows in one line, as in labels of information sets."""
    return BETWEEN.join(map(str, words)) or NOTHING


# ---------------------------------------------------------------------- suits


class Suits:
    """The suits that a form has folded, and their permutations."""

    def __init__(self, form: PublicForm) -> None:
        """Of a form."""
        self.deck = form.deck
        self._known: dict[tuple[int, int], tuple[Sequence[Hashable], Sequence[str]]] = {}

    def __bool__(self) -> bool:
        """Has it folded any?"""
        return self.deck is not None

    def texts(self, values: Sequence[Hashable], order: Cards) -> Sequence[str]:
        """[value] how it reads, if suits are permuted. Many decisions ask for the same."""
        key = (id(values), id(order))
        if key not in self._known:  # the values are kept, so that no others come to their address
            read = [str(Word(moved(value, order), own=False)) for value in values]
            self._known[key] = (values, read)
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
    place: int  # among the decision's states
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
        return self._public_text or self._unseen

    @property
    def heading(self) -> str:
        """What is public, as the heading of a table or a panel."""
        words = self._public_text
        return f"after {words}" if words else self._unseen

    @property
    def _public_text(self) -> str:
        return BETWEEN.join(map(str, self._split[0]))

    @property
    def _unseen(self) -> str:
        """What stands in for what is public, if that is nothing."""
        pattern = self.all.words(self.number).pattern
        moves = sum(word is not None and word.own for word in pattern)
        return f"own move {moves + 1}" if moves else START

    @cached_property
    def sets(self) -> Longs:
        """The sets, in the order of what is private."""
        return self.found[self._private.order]

    @cached_property
    def names(self) -> list[str]:
        """For each of the sets, what is private in one line."""
        return self._private.names if self._private.distinct else self._named(self._private.names)

    @cached_property
    def short_names(self) -> list[str]:
        """The same without suits that do not matter: those that no card on the board has.

        If this would make two sets read alike, suits stay.
        """
        public = (card for word in self._split[0] for card in cards_in(word.value))
        bare = self.all.suits.bare(public)
        if not bare:
            return self.names
        columns = self._private.columns
        short = self._private.rows(
            [[text(moved(value, bare)) for value in one.of.values] for one in columns]
        )
        return short if len(set(short)) == len(self) else self.names

    def _named(self, names: Sequence[str]) -> list[str]:
        """What is private; and the number of a set that reads like others."""
        often, first = Counter(names), self.all.numbers[self.number]
        return [
            f"{name} #{first + at}" if often[name] > 1 else name
            for name, at in zip(names, self.sets.tolist(), strict=True)
        ]

    @cached_property
    def ordered(self) -> bool:
        """Has what is private an order of its own, as ranks and numbers have?"""
        private = self._private.columns
        return len(private) == 1 and has_order(private[0].of.values)

    @cached_property
    def suits(self) -> list[int] | None:
        """For each of the sets, the suit of its card, if suits are folded; None if it has more.

        To compare ranks is to compare cards of one suit: others on the board may make a flush.
        """
        private = self._private.columns
        if not self.all.suits or len(private) != 1:
            return None
        values = private[0].of.values
        cards = [value for value in values if isinstance(value, Card)]
        if len(cards) < len(values):
            return None
        return [cards[code].suit for code in private[0].codes[self._private.order].tolist()]

    @property
    def _private(self) -> Private:
        return self._split[1]

    @cached_property
    def _split(self) -> tuple[list[Word], Private]:
        """The public words, and what is private."""
        if not self.all.suits:
            return self.all.split(self)
        told = self.all.words(self.number)
        lists = [told.words(at) for at in self.found.tolist()]
        places = public_places(lists, self.all.suits)
        columns = _columns([renamed(words, places, self.all.suits) for words in lists])
        public = [one for one in columns if isinstance(one, Word)]
        private = tuple(one for one in columns if isinstance(one, Column))
        return public, Private(private, len(self))


@dataclass(frozen=True, eq=False)
class Values:
    """What may be at one place, in the words of some sets."""

    values: Sequence[Hashable]
    met: Mapping[Hashable, int] = field(default_factory=dict)  # their order, if they have no other

    @cached_property
    def texts(self) -> list[str]:
        """[value] how it reads."""
        return [text(value) for value in self.values]

    @cached_property
    def ranks(self) -> Longs:
        """[value] its place in their order."""
        last = len(self.met)
        rank = ranked(sorted(self.values, key=lambda value: self.met.get(value, last)))
        return np.array([rank[read] for read in self.texts])

    @cached_property
    def alike(self) -> bool:
        """Do all of them read the same? Then they are public."""
        return len(set(self.texts)) == 1


class Column(NamedTuple):
    """One place in the words of some sets: what may be there, and which each set has."""

    of: Values
    codes: Longs  # [set]


@dataclass(frozen=True, eq=False)
class Private:
    """What is private to the player in a state: a column for each place."""

    columns: tuple[Column, ...]
    count: int  # of sets

    @cached_property
    def order(self) -> Longs:
        """The places of the sets in the order of what is private: by values that have an order."""
        ranks = [one.of.ranks[one.codes] for one in self.columns]
        return np.lexsort(ranks[::-1]) if ranks else np.arange(self.count)

    @cached_property
    def names(self) -> list[str]:
        """[set, in this order] what is private, in one line."""
        return self.rows([one.of.texts for one in self.columns])

    @cached_property
    def distinct(self) -> bool:
        """Do no two sets read alike?"""
        return len(set(self.names)) == self.count

    def rows(self, texts: Sequence[Sequence[str]]) -> list[str]:
        """The names, with these texts for the values of each column."""
        columns = [
            [own[code] or "''" for code in one.codes[self.order].tolist()]
            for own, one in zip(texts, self.columns, strict=True)
        ]
        if not columns:
            return [NOTHING_PRIVATE] * self.count
        return list(map(BETWEEN.join, zip(*columns, strict=True)))


def _columns(lists: Sequence[Sequence[Word]]) -> list[Word | Column]:
    """[place] what some lists of words have there: a word that they share, or a column."""
    found: list[Word | Column] = []
    for words in zip(*lists, strict=True):
        number: dict[Word, int] = {}
        codes = np.array([number.setdefault(word, len(number)) for word in words], np.int64)
        own = next(iter(number))
        values = Values([word.value for word in number])
        found.append(own if own.own else _word_or_column(values, codes))
    return found


def _word_or_column(values: Values, codes: Longs) -> Word | Column:
    return Word(values.values[0], own=False) if values.alike else Column(values, codes)


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
        self._sorted: dict[int, tuple[Longs, Longs]] = {}
        self._values: dict[tuple[int, bytes], Values] = {}
        self._alike: dict[tuple[int, int], int] = {}  # decisions with the same sets and states
        self._filled = lru_cache(MOST_KEPT)(self._fill)
        super().__init__(lru_cache(MOST_KEPT)(self._made), int(self.first[-1]))

    def _made(self, at: int) -> PublicState:
        number = int(np.searchsorted(self.first, at, side="right")) - 1
        own = at - int(self.first[number])
        return PublicState(self, number, own, self._members(number, own))

    def of(self, number: int, one: int) -> int:
        """The state in which a set of a decision is."""
        return int(self.first[number] + self.groups[number][one])

    def words(self, number: int) -> DecisionWords:
        """The words of a decision's sets."""
        return self.form.labels[self.seat].words(number)

    def split(self, state: PublicState) -> tuple[list[Word], Private]:
        """The public words of a state, and what is private; suits are not folded.

        What fills the gaps is the same in the states of many decisions: on one board, say,
        whatever was bet.
        """
        told, group = self.words(state.number), self.groups[state.number]
        alike = self._alike.setdefault((id(told.codes), id(group)), state.number)
        gaps, private = self._filled(alike, state.place)
        fillings = iter(gaps)
        words = [next(fillings) if word is None else word for word in told.pattern]
        return [word for word in words if word is not None], private

    def _fill(self, number: int, place: int) -> tuple[list[Word | None], Private]:
        """[gap] the word that all sets of a state have there, if they do; and the others."""
        told, sets = self.words(number), self._members(number, place)
        found: list[Word | Column] = []
        for gap, values in enumerate(told.values):
            codes, first, which = np.unique(
                told.codes[sets, gap], return_index=True, return_inverse=True
            )
            met = np.argsort(first)  # as they come: values without an order are shown like that
            order = np.empty(len(met), np.int64)
            order[met] = np.arange(len(met))
            found.append(_word_or_column(self._some(values, codes[met]), order[which]))
        private = Private(tuple(one for one in found if isinstance(one, Column)), len(sets))
        return [one if isinstance(one, Word) else None for one in found], private

    def _some(self, values: Sequence[Hashable], codes: Longs) -> Values:
        """Some of the values of a gap; the same in many states."""
        key = (id(values), codes.tobytes())
        if key not in self._values:
            some = [values[code] for code in codes.tolist()]
            self._values[key] = Values(some, {} if has_order(some) else self._met)
        return self._values[key]

    @cached_property
    def _met(self) -> dict[Hashable, int]:
        """What players learn in private at first, as it comes: player one's before the other's."""
        met: dict[Hashable, int] = {}
        for labels, decisions in zip(self.form.labels, self.form.decisions, strict=True):
            for number in range(min(len(decisions), FIRST)):
                for value in chain.from_iterable(labels.words(number).values):
                    met.setdefault(value, len(met))
        return met

    @cached_property
    def widest(self) -> int:
        """The sets of one state, at most."""
        sizes = [int(np.bincount(group).max(initial=0)) for group in self.groups]
        return max(sizes, default=0)

    def _members(self, number: int, place: int) -> Longs:
        """The sets of one of a decision's states."""
        group = self.groups[number]
        if id(group) not in self._sorted:  # many decisions are grouped alike
            start = np.concatenate(([0], np.cumsum(np.bincount(group))))
            self._sorted[id(group)] = (np.argsort(group, kind="stable"), start)
        order, start = self._sorted[id(group)]
        return order[start[place] : start[place + 1]]


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
