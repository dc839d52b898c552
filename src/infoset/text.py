"""Values, labels, histories and numbers as text: one place for the whole package.

Labels come from files that anyone may have written. :func:`label_text` puts them on one line, with
control codes and marks of writing direction spelled out, and cuts them to a length; what is cut is
not looked at, so that a label of a megabyte costs as much as a short one.

Numbers, by where they are read:

    number_text       in a table: ``2/3``, ``0.1818``, ``294,883``
    amount_text       in a sentence, with a decimal: ``-1/18 (-0.0555556)``
    probability_text  in four digits, or as a short fraction
    compact_number    in a drawing, with a true minus sign: ``−2/3``
    exact_text        for programs: all digits, as it was; spelled: in base 16, if it is very long
    bounded_number    in a message: exact, unless it has thousands of digits
    decimal_near, decimal_above   a decimal that is rounded, or not below
"""

from __future__ import annotations

import difflib
import math
import re
import unicodedata
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from heapq import nlargest
from itertools import islice
from numbers import Rational, Real
from typing import Any

from infoset.errors import ParameterError, nearest
from infoset.objects.cards import Card, Deck, Hand
from infoset.objects.dice import Roll
from infoset.objects.ranges import read_cards

MOST_FACTORS = 6  # of a product that are all written
LONGEST = 12  # moves of a history that are listed in full
BRIEF = 200  # characters of a name or a move that are written in full
LABEL = 80  # characters of a label that are shown
ACCENTS = 4  # marks upon one letter; a pile of them would cover the lines above it
REPR = 60  # characters of a value in a message
SUITS = str.maketrans("♠♥♦♣", "shdc")  # what keyboards have instead
TEN, SHORT_TEN = re.compile("(?<![0-9])10(?=[♠♥♦♣])"), re.compile(r"\bT(?=[♠♥♦♣])")
DIGITS = re.compile(r"[0-9]{1,15}")
SEARCHED = 400  # characters of a text that are searched for numbers and cards
RANKS = {"T": 8} | {name: rank for rank, name in enumerate(Deck(13).ranks)}

MOST_COMPARED = 3000  # names among which the nearest is looked for
WORDS_ALIKE = 0.5  # of the words of two names together, those that both have, to be near
SIGNS_ALIKE = 0.6
FEW_COMPARED = 100  # names that share the most words, whose characters are compared

LONG = 24  # characters of a rational that a sentence has as it is
SHORT = 7  # characters of a rational that a table has as it is
COMPACT = 10**4  # numerators and denominators below are written out in a drawing
TINY = 1e-4  # below this, decimals of four digits would not tell it from zero
LARGE = 10**6  # from here on, decimals have ten digits in all and not four after the point
WHOLE = 10**15  # from here on, integers are rounded
GROUPED = 10**4  # from here on, integers have commas
BITS = 900  # powers of two beyond which there is no float
STRING_BITS = 14_000  # of an integer that Python turns into text: 4,300 digits
MOST_DIGITS = 4000  # of a decimal text; Python limits them
OLD_FRACTION = re.compile(r"Fraction\((-?[0-9]{1,1000}), ([1-9][0-9]{0,999})\)")
SPELLING = re.compile(r"-?[0-9]+(/[0-9]+)?|-?0x[0-9a-f]+/0x[0-9a-f]+")


# ---------------------------------------------------------------------- values and labels


def text(value: object) -> str:
    """A value as a person reads it: texts bare, tuples joined, everything else as it prints.

    Sets are in the order of :func:`ranked`.

    >>> text(("K♠", 3)), text("bet"), text(frozenset({10, 2})), text(())
    ('K♠ 3', 'bet', '2 10', 'none')
    >>> text(((1, 2), (3, 4)))
    '1 2 | 3 4'
    """
    if isinstance(value, str):
        return value
    return _text(value, text, _members)


def digest_text(value: object) -> str:
    """The same with sets in the order of their texts, for digests: it never changes.

    >>> digest_text(frozenset({10, 2}))
    '10 2'
    """
    return _text(value, digest_text, lambda members: sorted(map(digest_text, members)))


def _text(
    value: object,
    spelled: Callable[[object], str],
    members: Callable[[frozenset[Any]], Iterable[str]],
) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple) and type(value).__str__ in (tuple.__str__, object.__str__):
        several = any(_is_list(entry) for entry in value)
        return (" | " if several else " ").join(map(spelled, value)) or "none"
    if isinstance(value, frozenset):
        return " ".join(members(value)) or "none"
    return str(value)


def _members(values: frozenset[Any]) -> list[str]:
    """The texts of a set's members, in their order; by their texts, if they have none."""
    members = sorted(values, key=text)
    rank = ranked(members)
    return sorted(map(text, members), key=lambda words: rank[words])


def _is_list(value: object) -> bool:
    return isinstance(value, tuple) and len(value) > 1 and type(value) in (tuple, Hand, Roll)


def printable(words: str) -> str:
    r"""A text that is safe to print on one line: line breaks as blanks, control codes spelled out.

    >>> print(printable("two\nlines \x1b[2J"))
    two lines \x1b[2J
    """
    if words.isprintable():
        return words
    signs = (" " if sign.isspace() else ascii(sign)[1:-1] for sign in words)
    return "".join(
        sign if sign.isprintable() else shown for sign, shown in zip(words, signs, strict=True)
    )


def brief(words: str, most: int = BRIEF) -> str:
    r"""A text on one printable line, of a bounded length: its start and its end if it is long.

    >>> brief("a" * 50 + "z" * 50, most=9), brief("two\nlines")
    ('aaaa…zzzz', 'two lines')
    """
    if len(words) > most:
        half = (most - 1) // 2
        words = f"{words[: most - 1 - half]}…{words[len(words) - half :]}"
    return printable(words)


def bounded_text(words: str) -> str:
    r"""A text as it is, unless it is long; for a name that many rows of a table repeat.

    >>> bounded_text("two\nlines"), len(bounded_text("x" * 30_000))
    ('two\nlines', 200)
    """
    return words if len(words) <= BRIEF else brief(words)


def label_text(words: str, most: int = LABEL) -> str:
    """A text as it is shown: :func:`one_line`, and the ten of a suit as T.

    >>> label_text("9♠ 10♥, bet 10"), one_line("9♠ 10♥, bet 10")
    ('9♠ T♥, bet 10', '9♠ 10♥, bet 10')
    """
    return one_line(short_tens(words), most)


def short_tens(words: str) -> str:
    """A text in which a ten of a suit is as wide as other cards: T♠, not 10♠.

    Labels have 10, in files and as keys of strategies; what is shown has T.
    """
    return TEN.sub("T", words) if "10" in words else words


def label_among(words: str, labels: Container[str]) -> str:
    """A label as it was shown, or as it is, spelled as labels are.

    >>> label_among("9♠ T♥, bet", {"9♠ 10♥, bet"}), label_among("T♥", {"T♥"})
    ('9♠ 10♥, bet', 'T♥')
    """
    return words if "T" not in words or words in labels else SHORT_TEN.sub("10", words)


def one_line(words: str, most: int = LABEL) -> str:
    r"""A text on one line, of at most so many characters: its start and its end, if it is longer.

    Labels of information sets often differ at their ends only, so the middle is left out. Control
    codes, marks of direction, halves of surrogate pairs and piles of accents are spelled out.

    >>> print(one_line("two\nlines \u202e"), one_line("abcdefghijklmnopqrstuvwxyz", 9))
    two lines \u202e abcde…xyz
    """
    if len(words) <= most and len(line := _one_line(words)) <= most:
        return line
    front, back = split_length(most)
    tail = _one_line(words[-most:])  # longer than ``back``, whatever is spelled out in it
    return f"{_one_line(words[:most])[:front]}…{tail[len(tail) - back :]}"


def _one_line(words: str) -> str:
    line = printable(words)
    if line.isascii() or not any(map(_is_accent, set(line))):
        return line
    signs, pile = [], 0
    for sign in line:
        pile = pile + 1 if _is_accent(sign) else 0
        signs.append(sign if pile <= ACCENTS else ascii(sign)[1:-1])
    return "".join(signs)


@lru_cache(maxsize=1 << 12)
def _is_accent(sign: str) -> bool:
    """Is it a mark on the character before it?"""
    return unicodedata.category(sign) in ("Mn", "Me")


def split_length(most: int) -> tuple[int, int]:
    """How many characters are kept before and after the … where only so many have room.

    >>> split_length(9), split_length(1)
    ((5, 3), (0, 0))
    """
    back = (most - 1) * 2 // 5
    return most - 1 - back, back


def repr_text(value: object) -> str:
    """A value that is refused, in a message: on one line, and not long.

    >>> repr_text([1] * 100), repr_text(10**5000)
    ('[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,…1, 1, 1, 1, 1, 1, 1, 1]', 'an int')
    """
    try:
        return label_text(repr(value), REPR)
    except Exception:  # whatever was given, it is not worth another error
        return f"an {type(value).__name__}"


def encodable(words: str) -> str:
    r"""A text as it is, but for halves of surrogate pairs, which no file can hold: spelled out.

    >>> encodable("K♠"), encodable("\ud800")
    ('K♠', '\\ud800')
    """
    return words.encode(errors="backslashreplace").decode()


def names_text(names: Iterable[str], last: str = "and") -> str:
    """Names as a sentence lists them.

    >>> names_text(["ann"]), names_text(["ann", "bob", "cy"])
    ('ann', 'ann, bob and cy')
    """
    words = [label_text(name) for name in names]
    return f" {last} ".join(", ".join(part) for part in (words[:-1], words[-1:]) if part)


def count_text(count: int, what: str) -> str:
    """So many of something.

    >>> count_text(1, "more row"), count_text(9958, "more row")
    ('1 more row', '9,958 more rows')
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def times_text(sizes: Iterable[int | None]) -> str:
    """How many each has, as the factors of a product; None is not known.

    >>> times_text([27, 64]), times_text([10**15, None]), times_text([2] * 30)
    ('27 × 64', 'about 2^49 × ?', '2^30')
    >>> times_text([3, 3, 2, 4, 5, 6, 7])
    '3 × 3 × … × 7 (7 factors)'
    """
    factors = ["?" if size is None else _factor(size) for size in sizes]
    if len(factors) <= MOST_FACTORS:
        return " × ".join(factors)
    if len(set(factors)) == 1 and factors[0].isdigit():
        return f"{factors[0]}^{len(factors)}"
    return f"{factors[0]} × {factors[1]} × … × {factors[-1]} ({len(factors)} factors)"


def _factor(size: int) -> str:
    return f"{size:,}" if size < WHOLE else f"about 2^{size.bit_length() - 1}"


def named_amount(name: str, amount: object) -> str:
    """What a player gets, in a list; after a name that ends in a digit with a colon.

    >>> named_amount("dealer", "1/18"), named_amount("player 1", "1/18")
    ('dealer 1/18', 'player 1: 1/18')
    """
    return f"{name}: {amount}" if name[-1:].isdigit() else f"{name} {amount}"


def probabilities_text(pairs: Iterable[tuple[str, str]]) -> str:
    """What is played, each with its probability; a blank alone would read as a mixed fraction.

    >>> probabilities_text([("0", "1/3"), ("1", "2/3")])
    '0: 1/3, 1: 2/3'
    """
    return ", ".join(f"{name}: {probability}" for name, probability in pairs)


def title_text(title: object, name: str) -> str:
    """What stands above a picture: a name, unless a title is given; nothing for "" and False.

    >>> title_text(None, "kuhn()"), title_text("Poker", "kuhn()"), title_text(False, "kuhn()")
    ('kuhn()', 'Poker', '')
    """
    if title is None or title is True:
        return name
    if title is False:
        return ""
    if not isinstance(title, str):
        raise ParameterError(f"title={repr_text(title)}: give a text; title=False leaves it out")
    return title


def distinct_texts(texts: Iterable[str]) -> list[str]:
    """Texts with a number behind those that came before.

    >>> distinct_texts(["bet", "pass", "bet"])
    ['bet', 'pass', 'bet (2)']
    """
    names: dict[str, None] = {}
    for plain in texts:
        name = plain
        count = 1
        while name in names:
            count += 1
            name = f"{plain} ({count})"
        names[name] = None
    return list(names)


# ---------------------------------------------------------------------- the order of values


def ranked(values: Iterable[Any]) -> dict[str, int]:
    """The order in which values are shown, wherever they are shown, by their texts.

    Numbers, and texts that differ in numbers only, by size; values that compare, such as cards, as
    they do; texts that name cards or ranks as a deck has them; all others as they are given.

    >>> ranked([3, 1, 2]), ranked(["10", "9"]), ranked(["bid 10", "bid 9"])
    ({'1': 0, '2': 1, '3': 2}, {'9': 0, '10': 1}, {'bid 9': 0, 'bid 10': 1})
    >>> ranked(["Q", "K", "10"]), ranked(["A♠ K♥", "10♥ J♥"]), ranked(["low", "high"])
    ({'10': 0, 'Q': 1, 'K': 2}, {'10♥ J♥': 0, 'A♠ K♥': 1}, {'low': 0, 'high': 1})
    """
    seen = {text(value): value for value in values}
    keys = list(seen)
    places = _numbers(keys)
    if places is None and _compare(seen.values()):
        return {key: rank for rank, key in enumerate(sorted(seen, key=lambda key: seen[key]))}
    if places is None:
        places = _cards(keys)
    if places is not None:
        keys = [key for _, key in sorted(zip(places, keys, strict=True), key=lambda pair: pair[0])]
    return {key: rank for rank, key in enumerate(keys)}


def has_order(values: Iterable[Any]) -> bool:
    """Have these values an order, other than the one in which they are given?

    >>> has_order(["bid 10", "bid 9"]), has_order(["Q", "K"]), has_order(["low", "high"])
    (True, True, False)
    """
    kept = list(values)
    texts = [text(value) for value in kept]
    return _numbers(texts) is not None or _compare(kept) or _cards(texts) is not None


def _compare(values: Collection[Any]) -> bool:
    """Do values that are neither texts nor sets compare with each other?"""
    if any(isinstance(value, str | frozenset) for value in values):
        return False
    try:
        sorted(values)
    except TypeError:  # no order, or none between these
        return False
    return True


def _numbers(texts: Sequence[str]) -> list[tuple[float, ...]] | None:
    """The numbers in texts that differ in nothing else; None for other texts."""
    plain = [_number(words) for words in texts]
    if None not in plain:
        return [(number,) for number in plain if number is not None]
    patterns = {DIGITS.sub("0", words[:SEARCHED]) for words in texts}
    if len(patterns) != 1 or "0" not in next(iter(patterns), ""):
        return None
    return [tuple(map(float, DIGITS.findall(words[:SEARCHED]))) for words in texts]


def _number(words: str) -> float | None:
    try:
        number = float(words)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _cards(texts: Sequence[str]) -> list[tuple[float, ...]] | None:
    """The ranks and suits in texts that name nothing but cards or ranks; None for other texts."""
    found: list[tuple[float, ...]] = []
    for words in texts:
        cards = read_cards(words[:SEARCHED])
        if cards is not None:
            found.append(tuple(place for card in cards for place in (card.rank, card.suit)))
        elif (names := words[:SEARCHED].split()) and all(name in RANKS for name in names):
            found.append(tuple(place for name in names for place in (RANKS[name], -1)))
        else:
            return None
    return found


# ---------------------------------------------------------------------- names of games


def parameter_text(value: object) -> str:
    """A parameter in the name of a game, as the command takes it: fractions as ``3/10``.

    >>> parameter_text((Fraction(3, 10), ["x", 1])), parameter_text((Fraction(2),))
    ("(3/10, ['x', 1])", '(2,)')
    """
    if isinstance(value, Fraction):
        return str(value)
    if type(value) is dict:
        pairs = (f"{parameter_text(key)}: {parameter_text(own)}" for key, own in value.items())
        return f"{{{', '.join(pairs)}}}"
    if type(value) is list:
        return f"[{', '.join(map(parameter_text, value))}]"
    if type(value) is tuple:
        inner = ", ".join(map(parameter_text, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return repr(value)


def present_name(name: object) -> object:
    """The name of a game in a file, as it is now written; files of old have ``Fraction(3, 10)``.

    >>> present_name("coin(p=Fraction(3, 10), bet=Fraction(2, 1))")
    'coin(p=3/10, bet=2)'
    """
    if not isinstance(name, str):
        return name
    return OLD_FRACTION.sub(lambda found: str(Fraction(int(found[1]), int(found[2]))), name)


# ---------------------------------------------------------------------- the nearest name


def shown_label(label: str) -> str:
    """A label as it is shown, without blanks around it."""
    return label_text(label).strip()


def typed_label(words: str) -> str:
    """A label as a keyboard has it: small letters, suits as letters, cards in their order.

    >>> typed_label("K♥ 10♥, [Raise]") == typed_label("ThKh, [raise]")
    True
    """
    return ", ".join(map(_typed_word, shown_label(words).split(", ")))


@lru_cache(maxsize=1 << 14)
def _typed_word(word: str) -> str:
    cards = read_cards(word)
    if cards is None:
        return word.translate(SUITS).casefold()
    return " ".join(map(card_letters, sorted(cards)))


def card_letters(card: Card) -> str:
    """A card in two small letters.

    >>> card_letters(Card(8, 0, "10", "♠"))
    'ts'
    """
    rank = "t" if card.rank_name == "10" else card.rank_name
    return f"{rank}{card.suit_name.translate(SUITS)}".casefold()


def closest(word: str, known: Iterable[str]) -> str:
    """A hint for a misspelt name, among the first few thousand names that there are.

    >>> closest("Q, bte", ["Q, bet", "K"]), closest("bet, q", ["Q, bet", "bet"])
    ("did you mean 'Q, bet'?", "did you mean 'Q, bet'?")
    """
    names = [label_text(name) for name in islice(known, MOST_COMPARED)]
    near = nearest_name(word, names)
    return f"did you mean {near!r}?" if near else nearest(label_text(word), names)


def nearest_name(word: str, names: list[str]) -> str | None:
    """The name that shares the most words and signs with another; None if none is near."""
    typed = typed_label(word)
    spelled = {typed_label(name): name for name in reversed(names)}
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


# ---------------------------------------------------------------------- histories


def place_text(moves: Sequence[tuple[str | None, object]]) -> str:
    """Where in a play something happened, for a message.

    >>> place_text([]), place_text([("gambler", "bet")])
    ('at the start', 'after gambler: bet')
    """
    return f"after {history_text(moves)}" if moves else "at the start"


def history_text(moves: Sequence[tuple[str | None, object]]) -> str:
    """A play in one line; ``None`` stands for chance.

    >>> history_text([(None, ("J", "Q")), ("gambler", "bet")])
    'chance: J Q, gambler: bet'
    """
    shown = list(moves)
    cut = len(shown) - 2 * (LONGEST // 2)
    if len(shown) > LONGEST:
        shown = [*shown[: LONGEST // 2], *shown[len(shown) - LONGEST // 2 :]]
    parts = [f"{brief(who or 'chance')}: {brief(text(move))}" for who, move in shown]
    if len(moves) > LONGEST:
        parts.insert(LONGEST // 2, f"… {cut:,} moves …")
    return ", ".join(parts) or "at the start"


def question_text(who: str | None, menu: Iterable[object]) -> str:
    """What a run asked, for a message.

    >>> question_text("dealer", ("pass", "bet"))
    "asked 'dealer' to choose from (pass, bet)"
    """
    if who is None:
        return "made a chance move"
    options = [text(option) for option in menu]
    listed = ", ".join(options[:8]) + (", …" if len(options) > 8 else "")
    return f"asked {who!r} to choose from ({listed})"


# ---------------------------------------------------------------------- numbers


def is_number(value: object) -> bool:
    """Is a value a number? Truth values are not."""
    return isinstance(value, Real) and not isinstance(value, bool)


def number_text(value: Any, *, commas: bool = True) -> str:
    """A number in a table, in few characters.

    >>> [number_text(value) for value in (Fraction(2, 3), -3, 294883, 2.0, 1 / 3, 10**40)]
    ['2/3', '-3', '294,883', '2', '0.3333', '1e+40']
    >>> number_text(Fraction(1, 10**400)), number_text(294883, commas=False)
    ('1e-400', '294883')
    """
    if not isinstance(value, Rational) and not math.isfinite(value):
        return str(float(value))
    exact = _exact(value)
    if exact.denominator == 1 and abs(exact.numerator) < WHOLE:
        whole = exact.numerator
        return f"{whole:,}" if commas and abs(whole) >= GROUPED else str(whole)
    if abs(exact.numerator.bit_length() - exact.denominator.bit_length()) > BITS:
        return decimal_near(exact, 4)
    if abs(exact) >= LARGE:
        return decimal_near(exact, 10)
    return probability_text(exact if isinstance(value, Rational) else float(value))


def _exact(value: Any) -> Fraction:
    """A number as what it is exactly, with Python's integers inside, not numpy's."""
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    return Fraction(float(value))


def exact_text(value: Any) -> str:
    """A number for programs, from which it can be read back as it was.

    >>> exact_text(Fraction(2, 3)), exact_text(3), exact_text(0.1), exact_text(Fraction(4, 2))
    ('2/3', '3', '0.1', '2')
    """
    if not isinstance(value, Rational):
        return repr(float(value))
    exact = _exact(value)
    top = _digits(exact.numerator)
    return top if exact.denominator == 1 else f"{top}/{_digits(exact.denominator)}"


def _digits(whole: int) -> str:
    if whole.bit_length() < STRING_BITS:
        return str(whole)
    from flint import fmpz

    return str(fmpz(whole))  # which knows no limit, and needs no quadratic time


def spelled(value: Any) -> str:
    """An exact number as text.

    >>> spelled(Fraction(-1, 18)), spelled(Fraction(3))
    ('-1/18', '3')
    """
    exact = Fraction(value)
    if max(abs(exact.numerator), exact.denominator).bit_length() > 3 * MOST_DIGITS:
        return f"{exact.numerator:#x}/{exact.denominator:#x}"
    return str(exact)


def read_number(spelling: str) -> Fraction:
    """The exact number that a text spells, as :func:`spelled` writes it.

    >>> read_number("-1/18"), read_number("-0x10/0x3")
    (Fraction(-1, 18), Fraction(-16, 3))
    """
    if not SPELLING.fullmatch(spelling):  # 1e999999999 would be a number, and take for ever
        raise ValueError(f"{printable(spelling[:40])!r} is not a number such as -1/18")
    if "0x" not in spelling:
        return Fraction(spelling)
    over, _, under = spelling.partition("/")
    return Fraction(int(over, 16), int(under, 16))


def probability_text(value: Any) -> str:
    """A probability, in few signs.

    >>> pairs = ((2, 3), (1, 1), (12345, 67891), (1, 10**12))
    >>> [probability_text(Fraction(*pair)) for pair in pairs]
    ['2/3', '1', '0.1818', '1e-12']
    >>> probability_text(1 / 3), probability_text(1.0), probability_text(0.0)
    ('0.3333', '1', '0')
    >>> probability_text(Fraction(10**400, 3))
    '3.3333e+399'
    """
    if isinstance(value, Fraction) and value.denominator < 10**SHORT and len(str(value)) <= SHORT:
        return str(value)
    try:
        near = float(value)
    except OverflowError:
        wide = Context(prec=5, Emax=MAX_EMAX)
        return f"{wide.divide(Decimal(value.numerator), Decimal(value.denominator)):.4e}"
    if near in (0.0, 1.0) and value == near:
        return str(int(near))
    return f"{near:.0e}" if 0 < abs(near) < TINY else f"{near:.4f}"


def amount_text(amount: Any, exact: bool = True) -> str:
    """A payoff in a sentence: exact while that is short, with a decimal if it is no integer.

    What is not ``exact`` is "about" so. Strategies of a solver in floats are Fractions, too, and
    long ones; then ``exact`` is false.

    >>> amount_text(Fraction(-1, 18)), amount_text(Fraction(3)), amount_text(Fraction(1, 3**60))
    ('-1/18 (-0.0555556)', '3', '2.358982488e-29 (a fraction of 29 digits)')
    >>> amount_text(0.25), amount_text(Fraction(1, 3**60), exact=False)
    ('about 0.25', 'about 2.358982488e-29')
    """
    if not isinstance(amount, int | Fraction):
        return f"about {decimal_near(amount, 10)}"
    whole = amount.denominator == 1
    if _is_short(amount):
        return str(amount) if whole else f"{amount} ({decimal_near(amount, 6)})"
    if not exact:
        return f"about {decimal_near(amount, 10)}"
    kind = "whole number" if whole else "fraction"
    return f"{decimal_near(amount, 10)} (a {kind} of {_digit_count(amount):,} digits)"


def _is_short(amount: Fraction | int) -> bool:
    most = max(abs(amount.numerator), amount.denominator)
    return most.bit_length() < 4 * LONG and len(str(amount)) <= LONG


def _digit_count(number: Fraction | int) -> int:
    """The digits of the longer of numerator and denominator, or one more."""
    longer = max(abs(number.numerator), number.denominator)
    return int(longer.bit_length() * 0.30103) + 1


def bounded_number(number: Fraction | int) -> str:
    """An exact number in a message: in full while that is possible, else by its length.

    >>> bounded_number(Fraction(1, 3)), bounded_number(10**5000)
    ('1/3', 'a number of about 5,001 digits')
    """
    digits = _digit_count(number)
    return str(number) if digits < MOST_DIGITS else f"a number of about {digits:,} digits"


def compact_number(value: Any) -> str:
    """A number in a drawing: in few characters, with a true minus sign.

    >>> numbers = (Fraction(-2, 3), 1 / 3, 10**400, Fraction(1, 10**9))
    >>> [compact_number(one) for one in numbers]
    ['−2/3', '0.333', '1e+400', '1e-9']
    """
    exact = Fraction(value)
    if max(abs(exact.numerator), exact.denominator) < COMPACT:
        words = str(exact)
    else:
        words = decimal_near(exact, 3)
    return "−" + words[1:] if words.startswith("-") else words


def decimal_near(number: Any, digits: int, rounding: str = ROUND_HALF_EVEN) -> str:
    """A decimal near a number, or on one side of it; also of one that floats have no room for.

    >>> decimal_near(Fraction(2, 3), 4), decimal_near(Fraction(2, 3 * 10**400), 4)
    ('0.6667', '6.667e-401')
    >>> from decimal import ROUND_FLOOR
    >>> decimal_near(Fraction(2, 3), 4, ROUND_FLOOR), decimal_near(Fraction(-2, 3), 4, ROUND_FLOOR)
    ('0.6666', '-0.6667')
    """
    exact = Fraction(number)
    wide = Context(prec=digits, rounding=rounding, Emax=MAX_EMAX, Emin=MIN_EMIN)
    near = wide.divide(Decimal(exact.numerator), Decimal(exact.denominator))
    plain = near.normalize(wide)
    return f"{plain:f}" if -5 <= plain.adjusted() < digits else f"{plain:e}".replace("E", "e")


def decimal_above(number: Any) -> str:
    """A short decimal that is not below the number.

    >>> decimal_above(Fraction(1, 3)), decimal_above(Fraction(1, 10**20)), decimal_above(0)
    ('3.34e-1', '1.00e-20', '0')
    """
    exact = Fraction(number)
    if exact <= 0:
        return "0"
    power = 0
    while exact >= 10:
        exact, power = exact / 10, power + 1
    while exact < 1:
        exact, power = exact * 10, power - 1
    digits = -(-exact * 100 // 1)
    if digits == 1000:
        digits, power = 100, power + 1
    return f"{int(digits) // 100}.{int(digits) % 100:02d}e{power}"
