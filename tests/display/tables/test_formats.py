import csv
import io
import json
import re
from collections import Counter
from fractions import Fraction
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from infoset.analysis.table import NUMBER, PROBABILITY, Amounts, Column, Sheet, Table
from infoset.display.tables.html import sheet_html, table_html
from infoset.errors import FileError
from infoset.text import encodable
from tests.display.tables.samples import (
    HANDS,
    HOSTILE,
    MATRIX,
    SHEET,
    Watched,
    hostile_sheet,
    hostile_table,
    tables,
)

each_label = pytest.mark.parametrize("label", HOSTILE, ids=range(len(HOSTILE)))


def read(text):
    usual = csv.field_size_limit(10**7)
    try:
        return list(csv.reader(io.StringIO(text, newline="")))
    finally:
        csv.field_size_limit(usual)


class TestCsv:
    def test_a_small_table(self):
        assert HANDS.csv() == ('holds,[bet],worth\nJ,2/3,-1\nK,1,12345/67891\n"Q, [pass]",0.0,\n')
        assert MATRIX.csv() == ",left,right\ntop,1; -1,10; -10\nlow,1/3; 0,2; -2\n"

    def test_a_sheet_is_one_table(self):
        assert read(SHEET.csv()) == [
            ["table", "holds", "[bet]", "worth", "", "left", "right"],
            ["gambler", "J", "2/3", "-1", "", "", ""],
            ["gambler", "K", "1", "12345/67891", "", "", ""],
            ["gambler", "Q, [pass]", "0.0", "", "", "", ""],
            ["payoffs", "", "", "", "top", "1; -1", "10; -10"],
            ["payoffs", "", "", "", "low", "1/3; 0", "2; -2"],
        ]

    def test_columns_of_one_name_stay_apart(self):
        twice = Table("t", (Column("a"), Column("a")), [("x", "y")])
        assert read(Sheet("", [twice, twice]).csv())[1:] == [["t", "x", "y"]] * 2

    @each_label
    def test_labels_come_back_as_they_were(self, label):
        rows = read(hostile_table(label).csv())
        assert rows == [[encodable(label)] * 2, [encodable(label)] * 2, ["", "1"]]

    def test_a_column_of_nothing_keeps_its_rows(self):
        assert read(Table("", (Column("a"),), [(None,), ("",)]).csv()) == [["a"], [""], [""]]

    @given(tables())
    @settings(max_examples=40, deadline=None)
    def test_every_row_has_every_column(self, table):
        rows = read(table.csv())
        assert len(rows) == 1 + len(table)
        assert all(len(row) == len(table.columns) for row in rows)


class TestJson:
    def test_a_small_table(self):
        assert HANDS.records() == [
            {"holds": "J", "[bet]": "2/3", "worth": -1},
            {"holds": "K", "[bet]": 1, "worth": "12345/67891"},
            {"holds": "Q, [pass]", "[bet]": 0.0, "worth": None},
        ]
        assert MATRIX.records()[1] == {"": "low", "left": ["1/3", 0], "right": [2, -2]}

    def test_numbers_that_json_has_not_are_texts(self):
        cells = (float("nan"), float("inf"), 2**53, Fraction(3), True)
        table = Table("", tuple(Column(name) for name in "abcde"), [cells])
        assert list(table.records()[0].values()) == ["nan", "inf", str(2**53), "3", True]

    def test_columns_of_one_name_stay_apart(self):
        names = ("a", "a (2)", "a", "a")
        table = Table("", tuple(map(Column, names)), [(1, 2, 3, 4)])
        assert table.records() == [{"a": 1, "a (2)": 2, "a (3)": 3, "a (4)": 4}]

    @given(tables())
    @settings(max_examples=40, deadline=None)
    def test_what_is_saved_is_what_the_records_say(self, table):
        from infoset.display.tables.files import sheet_json_lines, table_json_lines

        saved = json.loads("".join(table_json_lines(table)), parse_constant=pytest.fail)
        assert saved["rows"] == table.records()
        assert all(len(row) == len(table.columns) for row in saved["rows"])
        sheet = Sheet(table.title, [table, table], ((table.title, "x"), (table.title, "y")))
        assert json.loads("".join(sheet_json_lines(sheet))) == sheet.records()
        assert len(sheet.records()["facts"]) == 2


class TestLatex:
    def test_a_small_table(self):
        assert HANDS.latex().splitlines() == [
            "% gambler",
            r"\begin{tabular}{lrr}",
            r"\hline",
            r"holds & {[}bet{]} & worth \\",
            r"\hline",
            r"J & $2/3$ & $-1$ \\",
            r"K & $1$ & $0.1818$ \\",
            r"Q, {[}pass{]} & $0$ &  \\",
            r"\hline",
            r"\end{tabular}",
            "% a note",
        ]

    def test_marked_numbers_are_underlined(self):
        assert r"top & \underline{$1$}, $-1$ & $10$, \underline{$-10$} \\" in MATRIX.latex()

    def test_large_and_tiny_numbers_are_mathematics(self):
        row = (294883, 1e-7, float("-inf"))
        table = Table("", tuple(Column(name, NUMBER) for name in "abc"), [row])
        assert r"$294{,}883$ & $1\cdot 10^{-7}$ & $-\infty$ \\" in table.latex()

    def test_rows_and_tables_past_the_limit_are_counted(self):
        assert r"\multicolumn{3}{l}{\ldots{} 1 more row} \\" in HANDS.latex(most=2)
        assert r"\ldots{} 1 more table\par" in SHEET.latex(most=1)
        assert "more" not in SHEET.latex(most=None)

    @each_label
    def test_labels_are_text(self, label):
        written = hostile_sheet(label).latex()
        assert len(written) < 200_000
        is_plain(written)

    @given(tables())
    @settings(max_examples=40, deadline=None)
    def test_every_row_has_every_column(self, table):
        written = table.latex()
        is_plain(written)
        body = written[written.index(r"\begin") :].splitlines()
        rows = [line for line in body if line.endswith(r" \\")]
        assert len(rows) == 1 + len(table)
        for row in rows:
            assert len(re.findall(r"(?<!\\)&", row)) == len(table.columns) - 1


KNOWN = frozenset(
    re.findall(
        r"\w+",
        """begin end hline underline textbf textit noindent par medskip multicolumn textbackslash
    textasciitilde textasciicircum textendash textemdash ldots cdot infty spadesuit heartsuit
    diamondsuit clubsuit to leftarrow times le ge ne emptyset""",
    )
)


def is_plain(written):
    """Braces and dollars are balanced, and there are no commands but our own."""
    lines = [line for line in written.split("\n") if not line.startswith("%")]
    for line in lines:
        assert set(re.findall(r"\\([a-zA-Z]+)", line.replace("\\\\", ""))) <= KNOWN
        depth = dollars = 0
        rest = re.sub(r"\\[^a-zA-Z]", "", line)  # without what is escaped
        for sign in rest:
            depth += (sign == "{") - (sign == "}")
            dollars += sign == "$"
            assert depth >= 0
            assert sign not in "#%~"
            assert sign not in "^_" or dollars % 2 == 1
        assert depth == 0
        assert dollars % 2 == 0
    for before, after in pairwise(lines):
        assert not (before.endswith("\\\\") and after.lstrip().startswith(("[", "*")))


class Tags(HTMLParser):
    """What a page has in it, as a browser would read it."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.open, self.text = Counter(), [], []
        self.attributes = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        self.attributes += [(tag, *pair) for pair in attrs]
        self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags[tag] += 1

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text.append(data)


def rows_of(page):
    root = ElementTree.fromstring(page)
    return [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]


class TestHtml:
    def test_a_small_table(self):
        assert rows_of(table_html(HANDS)) == [
            ["holds", "[bet]", "worth"],
            ["J", "2/3", "", "-1"],
            ["K", "1", "", "0.1818"],
            ["Q, [pass]", "0", "", ""],
        ]
        root = ElementTree.fromstring(table_html(HANDS))
        bars = [bar.get("style") for bar in root.findall(".//span[@class='infoset-bar']/span")]
        assert bars == ["width:66.67%", "width:100%", "width:0%"]
        assert [row.get("class") for row in root.iter("tr")] == [None, None, "infoset-faint", None]
        assert root.find(".//span[@title='12345/67891']").text == "0.1818"
        assert len(root.findall(".//span[@title]")) == 1
        assert HANDS._repr_html_() == table_html(HANDS)

    def test_marked_numbers(self):
        root = ElementTree.fromstring(table_html(MATRIX))
        assert [mark.text for mark in root.findall(".//b[@class='infoset-marked']")] == [
            "1",
            "-10",
            "2",
            "-2",
        ]
        assert rows_of(table_html(MATRIX))[1] == ["top", "1, -1", "10, -10"]

    def test_sheets_of_many_tables_are_folded(self):
        assert Tags(sheet_html(Sheet("", [HANDS] * 6))).tags["details"] == 0
        many = Tags(sheet_html(Sheet("", [HANDS] * 9)))
        assert many.tags["details"] == many.tags["summary"] == 9
        assert many.attributes.count(("details", "open", "")) == 6

    def test_numbers_too_long_to_be_told(self):
        table = Table("", (Column("x", NUMBER),), [(Fraction(1, 3**9000),)])
        assert "a fraction of 4,295 digits" in table_html(table)
        assert len(table_html(table)) < 10_000

    def test_rows_and_tables_past_the_limit_are_not_made(self):
        rows = Watched(10**7, lambda at: (at,))
        page = table_html(Table("", (Column("x", NUMBER),), rows))
        assert "… 9,999,960 more rows" in page
        assert rows.asked == list(range(40))
        made = Watched(10**6, lambda at: HANDS)
        assert "… 999,960 more tables" in sheet_html(Sheet("", made))
        assert made.asked == list(range(40))
        rows.asked.clear()
        assert "9,999,960 more rows" in Table("", (Column("x"),), rows).latex()
        assert rows.asked == list(range(40))

    @each_label
    def test_labels_are_text(self, label):
        page = sheet_html(hostile_sheet(label))
        assert len(page) < 200_000
        ElementTree.fromstring(page)
        plain = sheet_html(hostile_sheet("x"))
        seen = Tags(page)
        assert not seen.open
        kinds = {"paragraphs": "p", "captions": "caption", "labels": "bdi"}.values()
        for tag, count in Tags(plain).tags.items():  # an empty label has no element of its own
            assert seen.tags[tag] == count or (not label and tag in kinds)
        assert set(seen.tags) <= set(Tags(plain).tags)

    @given(tables())
    @settings(max_examples=40, deadline=None)
    def test_any_table_is_well_formed(self, table):
        rows = rows_of(table_html(table))
        assert len(rows) == 1 + len(table)
        probabilities = sum(column.kind == PROBABILITY for column in table.columns)
        assert all(len(row) == len(table.columns) + probabilities for row in rows[1:])

    def test_the_style_stays_within(self):
        style = re.search("<style>(.*)</style>", table_html(HANDS), re.DOTALL).group(1)
        plain = re.sub(r"@media[^{]*\{(.*)\}", r"\1", style)
        for selectors in re.findall(r"([^{}]+)\{", plain):
            assert all(one.strip().startswith("div.infoset ") for one in selectors.split(",")) or (
                selectors.strip() == "div.infoset"
            )


class TestFiles:
    @pytest.mark.parametrize("content", [HANDS, SHEET, hostile_table(HOSTILE[8])])
    def test_each_format_by_its_name(self, content, tmp_path):
        for suffix in ("csv", "tex", "html", "json", "txt"):
            content.save(tmp_path / f"table.{suffix}")
        written = {path.suffix: path.read_text("utf-8") for path in tmp_path.iterdir()}
        assert written[".csv"] == content.csv()
        assert written[".tex"] == content.latex(most=None)
        assert written[".txt"] == content.text(width=10**6, most=None) + "\n"
        assert content._repr_html_() in written[".html"]
        assert '<meta charset="utf-8"/>' in written[".html"]
        ElementTree.fromstring(written[".html"].removeprefix("<!DOCTYPE html>\n"))
        saved = json.loads(written[".json"])
        records = content.records()
        assert saved["rows"] == records if isinstance(content, Table) else saved == records

    def test_every_row_is_written_a_row_at_a_time(self, tmp_path):
        rows = Watched(20_000, lambda at: ("x", at))
        table = Table("", (Column("name"), Column("number", NUMBER)), rows)
        table.save(str(tmp_path / "long.csv"))
        assert (tmp_path / "long.csv").read_text().count("\n") == 20_001
        assert len(rows.asked) == 20_000
        from infoset.display.tables.files import table_csv_lines

        rows.asked.clear()
        lines = table_csv_lines(table)
        assert [next(lines), next(lines)] == ["name,number\n", "x,0\n"]
        assert rows.asked == [0]

    def test_other_endings_and_missing_folders_are_refused(self, tmp_path):
        with pytest.raises(FileError, match=r"x\.xlsx: .* \.xlsx; end the name in \.csv, .*\.txt$"):
            HANDS.save(tmp_path / "x.xlsx")
        with pytest.raises(FileError, match="without a format; end the name in"):
            HANDS.save(tmp_path / "x")
        with pytest.raises(FileError, match=r"there is no folder .*none; make it first"):
            HANDS.save(tmp_path / "none" / "x.csv")
        assert not list(tmp_path.iterdir())
        HANDS.save(tmp_path / "X.CSV")
        assert (tmp_path / "X.CSV").read_text() == HANDS.csv()

    def test_a_table_that_breaks_off_leaves_the_old_file(self, tmp_path):
        def broken(at):
            if at == 3:
                raise RuntimeError("broken rules")
            return (at,)

        file = tmp_path / "old.csv"
        file.write_text("old")
        with pytest.raises(RuntimeError):
            Table("", (Column("x"),), Watched(5, broken)).save(file)
        assert file.read_text() == "old"
        assert len(list(tmp_path.iterdir())) == 1


def test_a_megabyte_is_quick_in_every_format():
    table = hostile_table("\u202e&" * 10**6)
    for told in (str(table), table_html(table), table.latex()):
        assert len(told) < 20_000


def test_amounts_without_end_are_cut():
    cell = Amounts(tuple(range(10**5)), ())
    table = Table("", (Column("x", NUMBER),), [(cell,)])
    for told in (str(table), table_html(table), table.latex()):
        assert len(told) < 10_000
        assert re.search(r"59.*…|, …$|ldots", told)  # the last of sixty, or as many as have room
        assert "61" not in told
    assert table.csv().count(";") == 10**5 - 1
