import unicodedata
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infoset.analysis.table import Amounts
from infoset.display.tables.cells import bar, cell_text, latex_text
from infoset.text import encodable, exact_text, label_text, number_text
from tests.display.tables.samples import labels, numbers


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0"),
        (-0.0, "0"),
        (9999, "9,999".replace(",", "")),
        (10_000, "10,000"),
        (Fraction(-10_000), "-10,000"),
        (10**15, "1e+15"),
        (Fraction(1, 3), "1/3"),
        (Fraction(12345, 67891), "0.1818"),
        (Fraction(10**9 + 1, 10), "100000000.1"),
        (Fraction(10**500, 3), "3.333e+499"),
        (Fraction(-1, 10**500), "-1e-500"),
        (1 - 1e-12, "1.0000"),
        (1e300, "1e+300"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (np.int64(3), "3"),
        (np.float32(0.5), "0.5000"),
    ],
)
def test_numbers_for_people_are_short(value, words):
    assert number_text(value) == words


@given(numbers)
def test_numbers_for_people_are_near_and_never_long(value):
    words = number_text(value)
    assert len(words) <= 20
    if value == value and abs(value) < 10**300:
        near = Fraction(words.replace(",", ""))
        assert abs(near - Fraction(value)) <= max(abs(Fraction(value)) / 2, 0)


@given(st.fractions() | st.integers(-(10**30), 10**30))
def test_exact_numbers_come_back(value):
    assert Fraction(exact_text(value)) == value


def test_exact_numbers_of_any_length():
    long = exact_text(Fraction(10**6000 + 1, 10**5999))
    assert long == "1" + "0" * 5999 + "1/1" + "0" * 5999
    assert float(exact_text(np.float64(0.1))) == 0.1


@given(st.fractions(0, 1))
def test_bars_grow_with_the_share(share):
    eighths = sum(" ▏▎▍▌▋▊▉█".index(sign) for sign in bar(share))
    assert eighths == max(int(share * 64), int(share > 0))


def test_bars_of_what_is_no_probability():
    assert bar(float("nan")) == bar(-1) == ""
    assert bar(float("inf")) == bar(10**400) == "█" * 8


@given(labels, st.integers(1, 100))
def test_labels_are_cut_to_one_printable_line(words, most):
    line = label_text(words, most)
    assert len(line) <= most
    assert line.isprintable()
    odd = any(sign == "…" or unicodedata.category(sign)[0] == "M" for sign in words)
    if words.isprintable() and not odd and len(words) <= most:
        assert line == words
    elif words.isprintable() and not odd:
        front, _, back = line.partition("…")
        assert words.startswith(front)
        assert words.endswith(back)


def test_accents_do_not_pile_up():
    assert label_text("e\u0301\u0323") == "e\u0301\u0323"
    line = label_text("e" + "\u0301" * 5000)
    assert sum(map(unicodedata.combining, line)) <= 4 * unicodedata.combining("\u0301")
    assert line.endswith(r"\u0301")


@given(labels)
def test_what_files_cannot_hold_is_spelled_out(words):
    encodable(words).encode()
    if not any("\ud800" <= sign <= "\udfff" for sign in words):
        assert encodable(words) == words


def test_runs_of_hyphens_stay_hyphens_in_latex():
    for count in range(1, 9):
        assert latex_text("-" * count).replace("{}", "") == "-" * count
        assert "--" not in latex_text("-" * count)


def test_cells_of_other_kinds():
    assert cell_text(True, 60) == "yes"
    assert cell_text((1, "K♠"), 60) == "1 K♠"
    assert cell_text(Amounts((None, "x", 10**5), (True, True)), 60) == "*, x*, 100000"
    assert len(cell_text(Amounts(tuple(range(10**6)), ()), 60)) <= 60


@pytest.mark.parametrize("count", [3, 25, 59, 60, 61, 200])
def test_a_cell_with_more_numbers_than_have_room_does_not_read_as_if_it_ended(count):
    values = tuple(range(count))
    shown = cell_text(Amounts(values, ()), 60)
    assert len(shown) <= 60
    *first, last = shown.split(", ")
    if len(", ".join(map(str, values))) <= 60:
        assert (*first, last) == tuple(map(str, values))
    else:
        assert last == "…"
        assert first == [str(value) for value in values[: len(first)]]
