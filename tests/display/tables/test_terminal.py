import io
import sys
import unicodedata
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from infoset.analysis.table import NUMBER, PROBABILITY, Amounts, Column, Sheet, Table
from tests.display.tables.samples import (
    HANDS,
    HOSTILE,
    MATRIX,
    SHEET,
    Watched,
    hostile_sheet,
    tables,
)


def test_a_small_table():
    assert str(HANDS).splitlines() == [
        "gambler",
        "holds      [bet]          worth",
        "J          2/3 █████▎        -1",
        "K            1 ████████  0.1818",
        "Q, [pass]    0",
        "a note",
    ]


def test_marked_numbers_have_a_star_and_stand_below_one_another():
    assert str(MATRIX).splitlines() == [
        "payoffs",
        "       left     right",
        "top  1*, -1  10, -10*",
        "low  1/3, 0   2*, -2*",
    ]
    lone = Table(
        "", (Column("x", NUMBER),), [(Amounts((1,), (True,)),), (Amounts((100,), (False,)),)]
    )
    assert str(lone).splitlines() == ["   x", "  1*", "100"]


def test_a_sheet_has_its_facts_and_one_width_for_its_first_columns():
    assert str(SHEET).splitlines() == [
        "kuhn()",
        "method       lp",
        "certificate  exact",
        "",
        "gambler",
        "holds      [bet]          worth",
        "J          2/3 █████▎        -1",
        "K            1 ████████  0.1818",
        "Q, [pass]    0",
        "a note",
        "",
        "payoffs",
        "             left     right",
        "top        1*, -1  10, -10*",
        "low        1/3, 0   2*, -2*",
        "",
        "the end",
    ]


def test_rows_past_the_limit_are_counted_and_not_made():
    rows = Watched(10_000_000, lambda at: (f"set {at}", at))
    table = Table("", (Column("set"), Column("number", NUMBER)), rows)
    lines = table.text(most=42).splitlines()
    assert len(lines) == 1 + 42 + 1
    assert lines[-1] == "… 9,999,958 more rows"
    assert set(rows.asked) == set(range(42))
    assert len(rows.asked) == 84
    assert HANDS.text(most=2).splitlines()[-2] == "… 1 more row"
    assert HANDS.text(most=None).count("\n") == HANDS.text(most=3).count("\n") == 5


def test_a_sheet_shows_whole_tables_while_they_fit():
    sheet = Sheet("", [HANDS, MATRIX, HANDS, MATRIX])
    told = sheet.text(most=5)
    assert "payoffs" in told
    assert told.count("gambler") == 1
    assert told.splitlines()[-1] == "… 2 more tables of 5 rows"
    assert "more" not in sheet.text(most=10)
    cut = sheet.text(most=2)
    assert "… 1 more row\n" in cut
    assert cut.endswith("… 3 more tables of 7 rows")


def test_tables_past_the_limit_are_not_made():
    tables = Watched(1_000_000, lambda at: HANDS)
    told = Sheet("many", tables).text(most=9)
    assert told.endswith("… 999,997 more tables")
    assert max(tables.asked) <= 3
    assert len(tables.asked) <= 10
    empty = Watched(1_000_000, lambda at: Table("empty", (Column("x"),), ()))
    assert Sheet("", empty).text(most=9).count("empty") == 9


@pytest.mark.parametrize("width", [1, 2, 7, 12, 25, 33, 47, 60, 80, 200])
@pytest.mark.parametrize("content", [HANDS, MATRIX, SHEET, hostile_sheet(HOSTILE[12])])
def test_no_line_is_wider_than_the_terminal(content, width):
    for colour in (False, True):
        for line in content.text(width=width, colour=colour).splitlines():
            assert Text.from_ansi(line).cell_len <= width


def test_a_narrow_table_wraps_labels_then_gives_up_bars_then_continues_below():
    long = "a label that is much too long for a terminal of this size"
    columns = (Column("set"), *(Column(name, PROBABILITY) for name in "abc"))
    table = Table("", columns, [(long, Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))])
    assert long in table.text(width=100)
    assert "a label that is much too  1/3 ██▋       1/3" in table.text(width=66)
    assert table.text(width=50).splitlines() == [
        "set                         a    b    c",
        "a label that is much too  1/3  1/3  1/3",
        "  long for a terminal of",
        "  this size",
    ]
    narrow = table.text(width=22)
    head, *_ = narrow.splitlines()
    assert head == "set             a    b"
    _, second = narrow.split("\n\n")
    assert second.splitlines()[0].split() == ["set", "c"]
    assert "more column" not in narrow


def test_actions_that_are_never_played_are_named_below_a_table_that_has_no_room_for_them():
    names = [f"send {at} men" for at in range(20)]
    columns = (
        Column("public"),
        *(Column(name, PROBABILITY, action=True) for name in names),
        Column("value", NUMBER),
    )
    third = Fraction(1, 3)
    row = ("start", *(third if at in (3, 11, 17) else 0 for at in range(20)), 5)
    table = Table("", columns, [row, row], note="as found")
    narrow = table.text(width=70)
    assert narrow.splitlines()[0].split("  ")[0] == "public"
    assert [name for name in names if name in narrow.splitlines()[0]] == [
        "send 3 men",
        "send 11 men",
        "send 17 men",
    ]
    below = " ".join(narrow.partition("never played: ")[2].split())
    assert all(name in below for name in names if name not in narrow.splitlines()[0])
    assert "as found" in below
    assert "never played" not in str(table)
    assert table.csv().splitlines()[0].split(",")[1:-1] == names
    part = table.text(width=70, most=1)
    assert "never played in these rows: " in " ".join(part.split())


@pytest.mark.parametrize("width", [30, 60, 80])
def test_columns_that_have_no_room_are_continued_below(width):
    columns = (Column("row"), *(Column(f"c{at}", NUMBER) for at in range(30)))
    table = Table("", columns, [(name, *range(1000, 1030)) for name in ("one", "two")])
    told = table.text(width=width)
    assert all(told.count(str(number)) == 2 for number in range(1000, 1030))
    assert "more column" not in told


@given(tables(), st.integers(1, 120), st.booleans())
@settings(max_examples=60, deadline=None)
def test_any_table_at_any_width(table, width, colour):
    told = table.text(width=width, colour=colour)
    for line in told.split("\n"):
        plain = Text.from_ansi(line).plain if colour else line
        assert cell_len(plain) <= width
        assert not plain.endswith(" ")
        assert plain.isprintable()
    assert colour or "\x1b" not in told


@pytest.mark.parametrize("label", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_labels_are_text(label):
    told = str(hostile_sheet(label))
    assert len(told) < 60_000
    for sign in told:
        assert sign == "\n" or unicodedata.category(sign)[0] != "C"
    told.encode()


def test_labels_are_no_markup_and_no_emoji():
    told = str(Table("", (Column("[bold]x[/bold]"),), [(":smile:",), ("[/]",)]))
    assert told.splitlines() == ["[bold]x[/bold]", ":smile:", "[/]"]


def test_colour_adds_codes_and_changes_no_word():
    told = SHEET.text(width=80, colour=True)
    assert "\x1b[" in told
    assert "\n".join(Text.from_ansi(line).plain for line in told.splitlines()) == SHEET.text(
        width=80
    )
    faint = next(line for line in told.splitlines() if "0.1818" in line)
    assert faint.startswith("\x1b[2mK")


def test_the_width_is_the_terminals_only_where_there_is_one(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    label = "x" * 50
    table = Table("", (Column("a"), Column("b"), Column("c")), [(label, label, label)])
    monkeypatch.setenv("COLUMNS", "70")
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert max(map(len, table.text().splitlines())) <= 70
    assert max(map(len, str(table).splitlines())) == 154
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert max(map(len, table.text().splitlines())) == 154


def test_no_columns_no_rows_no_tables():
    assert str(Table("alone", (), [(), ()])) == "alone"
    assert str(Table("", (), [])) == ""
    assert str(Table("none", (Column("a"), Column("b", NUMBER)), [])) == "none\na  b"
    assert str(Sheet("nothing", [])) == "nothing"


def test_long_texts_are_wrapped_and_not_cut():
    """Labels that differ in their middle only are told apart, at any width."""
    labels = [
        f"{'a long beginning, ' * 4}here {at}, {'and a long end ' * 4}".strip() for at in "xy"
    ]
    table = Table("", (Column("label"), Column("value", "number")), [(one, 1) for one in labels])
    for width in (40, 60, 80, 10**6):
        told = " ".join(table.text(width=width).split())
        assert "here x," in told
        assert "here y," in told
        assert "…" not in told


def test_heads_are_wrapped():
    names = [f"defect in round {at} of nine" for at in range(3, 8)]
    table = Table("", (Column("row"), *(Column(name, "number") for name in names)), [(0,) * 6])
    told = table.text(width=80)
    assert max(map(len, told.splitlines())) <= 80
    assert "…" not in told
    assert [told.count(f"{at} of") for at in range(3, 8)] == [1] * 5


def test_lines_break_between_names_of_actions():
    """What is never played, and probabilities behind a colon."""
    columns = [Column(f"bet {at} of it", "probability", action=True) for at in range(10, 30)]
    table = Table("", (Column("private"), *columns), [("A", 1, *[0] * 19)])
    for width in (30, 44, 61):
        lines = table.text(width=width).partition("never played: ")[2].splitlines()
        assert all(line.endswith(" of it,") for line in lines[:-1])
    does = Table("", (Column("does", "prose"),), [(", ".join(f"{at}: 14%" for at in range(20)),)])
    for width in (20, 33, 47):
        lines = does.text(width=width).splitlines()[1:]
        assert all(line.endswith("14%,") for line in lines[:-1])
