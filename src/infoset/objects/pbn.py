"""Portable Bridge Notation: boards with their deals, auctions and play, read and written.

A file is a row of boards, apart by empty lines. A board is a list of tag pairs such as
``[Dealer "N"]``; the tags ``Auction`` and ``Play`` are followed by a section, the calls and the
cards. Of the standard (T. Veugen, PBN 2.1, 2004) this module reads the import format: comments in
braces and after semicolons, lines escaped by ``%``, notes (``=1=``), suffixes (``!?``, ``$1``),
``AP`` for the passes that end an auction, ``-`` for a card that is not known and ``*`` for the end
of an unfinished section, and ``#`` for a value that is that of the board before. Tables other than
these two are kept as text. What a board says twice must agree: all hands have different cards, and
calls, contract, and cards are legal.

    [Deal "N:KQ.2 - A3.4 -"]    hands clockwise from the seat named, ♠ . ♥ . ♦ . ♣; ``-`` is hidden

It writes the export format: the tags in their order, four calls and four cards a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, NoReturn, TypeVar

from infoset.errors import FileError, RulesError
from infoset.objects.bridge import (
    DOUBLE,
    LETTERS,
    NOTRUMP,
    PASS,
    REDOUBLE,
    Contract,
    auction_over,
    final_contract,
    is_bid,
    legal_calls,
    parse_contract,
    strains_of,
)
from infoset.objects.cards import Card, Deck, Hand
from infoset.objects.tricks import RANKS, SUITS, TABLE, Turns, followers

__all__ = ["PbnBoard", "deal_text", "load_pbn", "parse_deal", "parse_pbn", "pbn_text", "save_pbn"]

T = TypeVar("T")

SEATS = dict(zip("NESW", TABLE, strict=True))
LETTER_OF = {seat: letter for letter, seat in SEATS.items()}
VULNERABLE = {
    "none": "none", "love": "none", "-": "none", "ns": "north-south", "ew": "east-west",
    "all": "both", "both": "both",
}  # fmt: skip
VULNERABLE_TAG = {"none": "None", "north-south": "NS", "east-west": "EW", "both": "All"}
OWN_TAGS = ("Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Result", "Auction", "Play")
LEADING = ("Event", "Site", "Date", "Board", "West", "North", "East", "South")
FULL = Deck(RANKS, SUITS)
STRAINS = strains_of(4)
SCANNER = re.compile(
    r"""(?P<escaped>(?m:^)%[^\n]*)
      | (?P<blank>\n[ \t\r]*(?=\n))
      | (?P<space>\s)
      | (?P<comment>;[^\n]*|\{[^}]*\})
      | (?P<tag>\[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\\x00-\x1f]|\\[^\x00-\x1f])*)"\s*\])
      | (?P<word>"[^"\n]*"|[^\s;{}\[\]"]+)""",
    re.VERBOSE,
)

Hands = tuple[Hand[Card] | None, ...]


@dataclass(frozen=True)
class PbnBoard:
    """A board: the deal, and as much as is known of the auction and the play.

    Parameters
    ----------
    hands
        In the order north, east, south, west; None if hidden.
    dealer
        A seat.
    vulnerable
        ``"none"``, ``"both"``, ``"north-south"`` or ``"east-west"``.
    calls
        The dealer's first.
    contract
        None if there is none, or it is not known.
    cards
        In the order in which they were played.
    taken
        Tricks of the declarer's side; None if not known.
    tags
        All other tags, such as ``Event``.

    Examples
    --------
    >>> board = PbnBoard(parse_deal("E:86.KT2.K85.Q9742 KJT932.97.942.86 54.8653.AQJT73.5"
    ...     " AQ7.AQJ4.6.AKJT3"), "east", "none", ("pass", "pass"))
    >>> text = pbn_text([board])
    >>> parse_pbn(text) == [board]
    True
    """

    hands: Hands
    dealer: str
    vulnerable: str
    calls: tuple[str, ...] = ()
    contract: Contract | None = None
    cards: tuple[Card, ...] = ()
    taken: int | None = None
    tags: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


# ---------------------------------------------------------------------- deals


def parse_deal(text: str, deck: Deck = FULL) -> Hands:
    """The hands of a deal as PBN writes it.

    Parameters
    ----------
    text
        A seat's letter, a colon, and four hands clockwise from there: the ranks of each suit of
        the deck with points between, or ``-`` for a hidden hand.
    deck
        All cards; each hand has a quarter of them.

    Returns
    -------
    tuple
        In the order north, east, south, west; None for a hidden hand.

    Raises
    ------
    RulesError
        If it is no such text, a card is given twice, or a hand has too many cards or too few.

    Examples
    --------
    >>> from infoset.objects import Deck
    >>> [str(hand) for hand in parse_deal("S:KQ. - .AJ -", Deck("JQKA", "♠♥"))]
    ['J♥ A♥', 'None', 'Q♠ K♠', 'None']
    """
    if not isinstance(text, str):
        raise RulesError(f"a deal is a text such as 'N:AKQ.J.. - - -', not {text!r:.60}")
    first, colon, rest = text.strip().partition(":")
    parts = rest.split()
    if first.upper() not in SEATS or not colon or len(parts) != 4:
        raise RulesError(
            f"the deal {text!r:.80} is not a seat, a colon and four hands, such as"
            " 'N:AKQ.J.. - - -', a hand that is hidden being '-'"
        )
    at = TABLE.index(SEATS[first.upper()])
    hands = [None if part == "-" else _hand(part, deck) for part in parts]
    given = [card for hand in hands if hand is not None for card in hand]
    for card in given:
        if given.count(card) > 1:
            raise RulesError(f"the deal {text!r:.80} has {card} twice; a card has one place")
    return tuple([hands[(seat - at) % 4] for seat in range(4)])


def _hand(text: str, deck: Deck) -> Hand[Card]:
    suits = text.split(".")
    if len(suits) != len(deck.suits):
        raise RulesError(
            f"the hand {text!r:.40} has {len(suits)} suits between its points; the deck has"
            f" {len(deck.suits)}: {' '.join(deck.suits)}"
        )
    cards = []
    for suit, ranks in zip(deck.suits, suits, strict=True):
        for rank in ranks.upper().replace("10", "T"):
            try:
                cards.append(deck[f"{rank}{suit}"])
            except RulesError:
                raise RulesError(
                    f"the hand {text!r:.40}: no card {rank}{suit} in the deck, whose ranks are"
                    f" {' '.join(deck.ranks)}"
                ) from None
    if len(cards) != len(deck) // 4:
        raise RulesError(f"the hand {text!r:.40} has {len(cards)} cards; each has {len(deck) // 4}")
    return Hand(cards)


def deal_text(hands: Hands, first: str = "north", suits: Sequence[str] = SUITS) -> str:
    """Four hands as PBN writes a deal, clockwise from a seat.

    Examples
    --------
    >>> deal_text(parse_deal("S:KQ. - .AJ -", Deck("JQKA", "♠♥")), suits="♠♥")
    'N:.AJ - KQ. -'
    """
    at = TABLE.index(first)
    parts = []
    for seat in range(4):
        hand = hands[(at + seat) % 4]
        held = [] if hand is None else sorted(hand, reverse=True)
        groups = ["".join(_rank(card) for card in held if card.suit_name == suit) for suit in suits]
        parts.append("-" if hand is None else ".".join(groups))
    return f"{LETTER_OF[first]}:{' '.join(parts)}"


def _rank(card: Card) -> str:
    return "T" if card.rank_name == "10" else card.rank_name


# ---------------------------------------------------------------------- reading


class Token(NamedTuple):
    """A tag pair, a word or an empty line, and where it is."""

    kind: str
    text: str
    name: str
    at: int


class Tagged(NamedTuple):
    """A tag's value and the words after it, each with its place."""

    value: str
    at: int
    words: list[Token]


def load_pbn(path: str | Path) -> list[PbnBoard]:
    """The boards of a file; see :func:`parse_pbn`."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # the character set of the standard
    return parse_pbn(text, str(path))


def parse_pbn(text: str, name: str = "PBN") -> list[PbnBoard]:
    r"""The boards of a text in Portable Bridge Notation.

    Parameters
    ----------
    text
        The text.
    name
        What to call it in errors.

    Returns
    -------
    list of PbnBoard
        In order.

    Raises
    ------
    FileError
        With line and column, if it is malformed, or a board is inconsistent.

    Examples
    --------
    >>> parse_pbn('[Dealer "N"]\n[Vulnerable "None"]\n[Deal "X:"]')
    Traceback (most recent call last):
    ...
    infoset.errors.FileError: PBN:3:1: the deal 'X:' is not a seat, a colon and four hands, ...
    """
    if not isinstance(text, str):
        raise FileError(
            f"{name}: PBN is a text, not {type(text).__name__}; read files with load_pbn"
        )
    reader = _Reader(text.replace("\r\n", "\n").replace("\r", "\n"), name)
    return reader.boards()


class _Reader:
    """Reads one text, and says where it is wrong."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name

    def fail(self, at: int, message: str) -> NoReturn:
        line = self.text.count("\n", 0, at) + 1
        column = at - self.text.rfind("\n", 0, at)
        raise FileError(f"{self.name}:{line}:{column}: {message}")

    def tokens(self) -> Iterator[Token]:
        at = 0
        while at < len(self.text):
            found = SCANNER.match(self.text, at)
            if found is None:
                what = {"{": "a comment without its }", "[": 'no tag such as [Dealer "N"]'}
                sign = self.text[at]
                self.fail(at, what.get(sign, f"{sign!r} has no meaning here"))
            if found["tag"]:
                yield Token("tag", re.sub(r"\\(.)", r"\1", found["value"]), found["name"], at)
            elif found["word"] or found["blank"]:
                yield Token("word" if found["word"] else "blank", found[0], "", at)
            at = found.end()

    def boards(self) -> list[PbnBoard]:
        boards: list[PbnBoard] = []
        tags: dict[str, Tagged] = {}
        before: dict[str, Tagged] = {}
        words: list[Token] | None = None
        for token in (*self.tokens(), Token("blank", "", "", len(self.text))):
            if token.kind == "word":
                if words is None:
                    self.fail(token.at, f"{token.text!r:.40} stands before any tag")
                words.append(token)
            elif token.kind == "tag":
                if token.name in tags:
                    self.fail(token.at, f"the tag {token.name} is given twice in one board")
                value = token.text
                if value == "#":
                    value = before[token.name].value if token.name in before else ""
                tags[token.name] = Tagged(value, token.at, words := [])
            elif tags:
                boards.append(_Board(self, tags).read())
                before, tags, words = tags, {}, None
        return boards


class _Board:
    """Reads one board."""

    def __init__(self, reader: _Reader, tags: dict[str, Tagged]) -> None:
        self.reader = reader
        self.tags = tags
        self.start = min(tag.at for tag in tags.values())

    def read(self) -> PbnBoard:
        dealer = self.seat("Dealer", self.required("Dealer"))
        said = self.required("Vulnerable")
        if said.value.lower() not in VULNERABLE:
            self.reader.fail(said.at, f"Vulnerable {said.value!r:.40}: None, NS, EW or All")
        deal = self.required("Deal")
        hands = self.located(deal.at, lambda: parse_deal(deal.value))
        calls = self.calls(dealer)
        contract = self.contract(calls, dealer)
        cards = self.cards(hands, contract)
        rest = {name: tag.value for name, tag in self.tags.items() if name not in OWN_TAGS}
        return PbnBoard(
            hands, dealer, VULNERABLE[said.value.lower()], calls, contract, cards,
            self.result(contract, cards), MappingProxyType(rest),
        )  # fmt: skip

    def required(self, name: str) -> Tagged:
        if name not in self.tags:
            self.reader.fail(self.start, f'this board has no tag {name}; add [{name} "..."]')
        return self.tags[name]

    def known(self, name: str) -> Tagged | None:
        """A tag with a value."""
        tag = self.tags.get(name)
        return None if tag is None or tag.value in ("", "?", "-") else tag

    def seat(self, name: str, tag: Tagged) -> str:
        letter = tag.value.upper().removeprefix("^")
        if letter not in SEATS:
            self.reader.fail(tag.at, f"{name} {tag.value!r:.40} is no seat: N, E, S or W")
        return SEATS[letter]

    def located(self, at: int, make: Callable[[], T]) -> T:
        try:
            return make()
        except RulesError as error:
            self.reader.fail(at, str(error))

    def words(self, name: str) -> Iterator[Token]:
        """The words of a section, without notes and suffixes."""
        for word in self.tags[name].words if name in self.tags else ():
            if re.fullmatch(r"=\d+=|\$\d+|[!?]+", word.text) is None:
                yield word._replace(text=word.text.rstrip("!?").upper())

    def calls(self, dealer: str) -> tuple[str, ...]:
        calls: list[str] = []
        if (tag := self.known("Auction")) is not None and self.seat("Auction", tag) != dealer:
            self.reader.fail(tag.at, f"the auction begins with {tag.value}, but {dealer} deals")
        for word in self.words("Auction"):
            if word.text in ("*", "+"):
                break
            if word.text == "AP":
                calls += [PASS] * (4 - len(calls) if not any(map(is_bid, calls)) else 3)
                calls = _closed(calls)
                continue
            call = _call(word.text)
            legal = () if auction_over(calls) else legal_calls(calls, 7, STRAINS)
            if call not in legal:
                why = "after the auction has ended" if not legal else "here"
                self.reader.fail(word.at, f"{word.text!r:.20} is no legal call {why}")
            calls.append(call)
        return tuple(calls)

    def contract(self, calls: Sequence[str], dealer: str) -> Contract | None:
        """By the auction and by the tags, which must agree."""
        bid = final_contract(calls, dealer) if auction_over(calls) else None
        said, by = self.known("Contract"), self.known("Declarer")
        if said is None:
            return bid
        passed = said.value.upper() in ("PASS", "P")
        if passed:
            found = None
        elif by is None:
            self.reader.fail(said.at, f"Contract {said.value!r:.40} without a tag Declarer")
        else:
            declarer = self.seat("Declarer", by)
            found = self.located(said.at, lambda: parse_contract(said.value, declarer, 7, STRAINS))
        if auction_over(calls) and found != bid:
            auction = "all passed" if bid is None else f"the auction ends in {bid}"
            self.reader.fail(said.at, f"the contract is {found or 'pass'}, but {auction}")
        return found

    def cards(self, hands: Hands, contract: Contract | None) -> tuple[Card, ...]:
        """The cards in the order of play; in a line they are in the order of the seats."""
        words = list(self.words("Play"))
        if not words:
            return ()
        tag = self.tags["Play"]
        if contract is None:
            self.reader.fail(tag.at, "cards are played, but there is no contract")
        leader = self.seat("Play", tag)
        if leader != contract.leader:
            self.reader.fail(tag.at, f"{leader} leads, but {contract.leader} should: {contract}")
        return self._played(words, hands, contract, TABLE.index(leader))

    def _played(
        self, words: list[Token], hands: Hands, contract: Contract, first: int
    ) -> tuple[Card, ...]:
        turns, cards = Turns(first, contract.trump), list[Card]()
        left = [None if hand is None else list(hand) for hand in hands]
        at = 0
        while at < len(words) and words[at].text != "*":
            line: list[Token] = []
            while len(line) < 4 and at < len(words) and words[at].text != "*":
                line.append(words[at])
                at += 1
            order = [(turns.turn + later - first) % 4 for later in range(4)]
            said = [line[column] for column in order if column < len(line)]
            given = [word for word in said if word.text not in ("-", "+")]
            for word, expected in zip(given, order, strict=False):
                if expected >= len(line) or line[expected] is not word:
                    self.reader.fail(word.at, f"{word.text}: a card before it is missing")
                cards.append(self._card(word, left[turns.turn], turns, cards))
                turns.play(cards[-1])
            if len(given) < 4:
                if at < len(words) and words[at].text != "*":
                    self.reader.fail(words[at].at, "a trick after one that is not complete")
                break
        return tuple(cards)

    def _card(self, word: Token, hand: list[Card] | None, turns: Turns, before: list[Card]) -> Card:
        text, seat = word.text, TABLE[turns.turn]
        if len(text) < 2 or text[0] not in LETTERS:
            self.reader.fail(word.at, f"{text!r:.20} is no card, such as SA or HT")
        card = self.located(word.at, lambda: FULL[f"{text[1:]}{LETTERS[text[0]]}"])
        if card in before:
            self.reader.fail(word.at, f"{card} is played twice")
        if hand is not None:
            if card not in hand:
                self.reader.fail(word.at, f"{seat} does not have {card}")
            if card not in followers(hand, turns.cards):
                self.reader.fail(word.at, f"{seat} plays {card}, but can follow suit")
            hand.remove(card)
        return card

    def result(self, contract: Contract | None, cards: Sequence[Card]) -> int | None:
        """The tricks of the declarer's side: as said, or as played."""
        said = self.known("Result")
        played = None if contract is None else tricks_taken(contract, cards)
        if said is None or contract is None:
            return played
        text = said.value.removeprefix("^")
        if not (text.isascii() and text.isdigit() and int(text) <= 13):
            self.reader.fail(said.at, f"Result {said.value!r:.40}: a number of tricks, 0 to 13")
        if played is not None and played != int(text):
            self.reader.fail(said.at, f"Result {text}, but {played} tricks were taken in the play")
        return int(text)


def _closed(calls: list[str]) -> list[str]:
    """An auction whose last passes are three, or four if there is nothing else."""
    while len(calls) > 4 and auction_over(calls[:-1]):
        calls = calls[:-1]
    return calls


def _call(text: str) -> str:
    """A call as the game has it."""
    fixed = {"PASS": PASS, "P": PASS, "X": DOUBLE, "XX": REDOUBLE}
    strain = LETTERS.get(text[1:], {"N": NOTRUMP}.get(text[1:], text[1:]))
    return fixed.get(text, f"{text[:1]}{strain}")


def tricks_taken(contract: Contract, cards: Sequence[Card]) -> int | None:
    """The tricks of the declarer's side, if all cards are played."""
    if len(cards) < len(FULL):
        return None
    turns = Turns(TABLE.index(contract.leader), contract.trump)
    for card in cards:
        turns.play(card)
    return sum((seat - TABLE.index(contract.declarer)) % 2 == 0 for seat in turns.taken)


# ---------------------------------------------------------------------- writing


def save_pbn(boards: Iterable[PbnBoard], path: str | Path) -> None:
    """Write boards to a file; see :func:`pbn_text`."""
    text = pbn_text(boards)
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None


def pbn_text(boards: Iterable[PbnBoard]) -> str:
    """Boards in Portable Bridge Notation, with an empty line after each.

    Raises
    ------
    RulesError
        If a tag has a name or a value that the format does not admit, or hands are no deal.
    """
    return "".join("\n".join(_lines(board)) + "\n\n" for board in boards)


def _lines(board: PbnBoard) -> Iterator[str]:
    contract = board.contract
    parse_deal(deal_text(board.hands))  # what would be refused when it is read
    for name in (*LEADING, *[name for name in board.tags if name not in LEADING]):
        if name in board.tags:
            yield _tag(name, board.tags[name])
    yield _tag("Dealer", LETTER_OF[board.dealer])
    yield _tag("Vulnerable", VULNERABLE_TAG[board.vulnerable])
    yield _tag("Deal", deal_text(board.hands))
    if contract is not None:
        risk = {1: "", 2: "X", 4: "XX"}[contract.risk]
        yield _tag("Declarer", LETTER_OF[contract.declarer])
        yield _tag("Contract", f"{contract.level}{_strain(contract.strain)}{risk}")
    elif auction_over(board.calls):
        yield _tag("Contract", "Pass")
    if board.taken is not None:
        yield _tag("Result", str(board.taken))
    if board.calls:
        yield _tag("Auction", LETTER_OF[board.dealer])
        words = [_call_text(call) for call in board.calls]
        words += [] if auction_over(board.calls) else ["*"]
        yield from _in_fours(words)
    if contract is not None and board.cards:
        yield _tag("Play", LETTER_OF[contract.leader])
        yield from _in_fours(_columns(contract, board.cards))


def _columns(contract: Contract, cards: Sequence[Card]) -> list[str]:
    """The cards trick by trick, each trick in the order of the seats from the leader on."""
    first = TABLE.index(contract.leader)
    turns, words, line = Turns(first, contract.trump), list[str](), ["-"] * 4
    for card in cards:
        line[(turns.turn - first) % 4] = f"{_strain(card.suit_name)}{_rank(card)}"
        turns.play(card)
        if not turns.cards:
            words, line = words + line, ["-"] * 4
    if turns.cards:
        words += line
    return words if len(cards) == len(FULL) else [*words, "*"]


def _in_fours(words: Sequence[str]) -> Iterator[str]:
    for at in range(0, len(words), 4):
        yield " ".join(words[at : at + 4])


def _tag(name: str, value: str) -> str:
    if not re.fullmatch(r"\w+", name) or any(ord(sign) < 32 for sign in value) or value == "#":
        raise RulesError(f"the tag {name!r:.40} with the value {value!r:.40} cannot be written")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _call_text(call: str) -> str:
    fixed = {PASS: "Pass", DOUBLE: "X", REDOUBLE: "XX"}
    return fixed.get(call) or f"{call[0]}{_strain(call[1:])}"


def _strain(name: str) -> str:
    return name if name == NOTRUMP else "SHDC"[SUITS.index(name)]
