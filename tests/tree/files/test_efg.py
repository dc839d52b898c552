"""Extensive games in Gambit's format: what is read, what is refused, what is written."""

import itertools
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from infoset.errors import FileError
from infoset.games.kuhn import kuhn
from infoset.rules import game
from infoset.tree import Builder, Tree
from infoset.tree.files import efg_lines, load, read_efg, save, write_efg

DATA = Path(__file__).parent / "data"
HEAD = 'EFG 2 R "t" { "one" "two" }\n'


def refused(text: str) -> str:
    with pytest.raises(FileError) as problem:
        read_efg(text, name="x.efg")
    assert "\n" not in str(problem.value)
    return str(problem.value)


# ---------------------------------------------------------------------- published games


def test_selten_1975_figure_1():
    tree = load(DATA / "selten_horse.efg")
    assert (tree.name, tree.players) == ("Selten's horse", ("one", "two", "three"))
    assert tree.comment.startswith("R. Selten")
    assert len(tree) == 9
    assert [len(infoset) for infoset in tree.infosets] == [1, 1, 2]
    assert [tuple(leaf.payoffs.values()) for leaf in tree.leaves] == [
        (1, 1, 1),
        (4, 4, 0),
        (0, 0, 1),
        (3, 3, 2),
        (0, 0, 0),
    ]
    assert [action for _, action in list(tree.leaves)[3].history] == ["D", "L"]


def test_myerson_1991_figure_2_2():
    tree = load(DATA / "myerson_poker.efg")
    assert len(tree) == 11
    assert tree.root.probabilities == (Fraction(1, 2), Fraction(1, 2))
    assert tree.root.name == "deal"
    assert [(i.player, i.label, len(i)) for i in tree.infosets] == [
        ("Player 1", "red", 1),
        ("Player 2", "a raise", 2),
        ("Player 1", "black", 1),
    ]
    assert [leaf.payoffs["Player 1"] for leaf in tree.leaves] == [2, 1, 1, -2, 1, -1]
    assert tree.outcome_names == ("win two", "win one", "lose two", "lose one")
    assert tree.outcome.tolist() == [-1, -1, -1, 0, 1, 1, -1, -1, 2, 1, 3]


def test_piccione_rubinstein_1997_example_1():
    tree = load(DATA / "absent_minded_driver.efg")
    first, second = tree.infosets[0].nodes
    assert second.parent == first
    assert (first.name, second.name) == ("first exit", "second exit")
    assert [leaf.payoffs["driver"] for leaf in tree.leaves] == [0, 4, 1]


def test_payoffs_along_the_way_add_up():
    tree = load(DATA / "stages.efg")
    assert tree.outcome.tolist() == [0, -1, 1, 2, -1, 0, -1]
    assert tree.lotteries[0].probabilities == (Fraction(1, 4), Fraction(3, 4))
    plays = [tuple(leaf.payoffs.values()) for leaf in tree.leaves]
    assert plays == [(4, 5), (-1, 10), (-2, 0), (-1, 0)]
    assert read_efg(write_efg(tree)) == tree


# ---------------------------------------------------------------------- the format's freedoms


def test_white_space_means_nothing():
    spread = ' EFG\t2\v\fR"t"{"one"\r\n"two"}p""1\r1"x"{"a""b"}0\nt""1"w"{1,2}t""1{1 2}\n\n'
    plain = HEAD + 'p "" 1 1 "x" { "a" "b" } 0\nt "" 1 "w" { 1 2 }\nt "" 1\n'
    assert read_efg(spread) == read_efg(plain)


def test_byte_order_mark_and_line_ends(tmp_path):
    text = (DATA / "selten_horse.efg").read_text()
    other = tmp_path / "other.EFG"
    other.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert load(other) == load(DATA / "selten_horse.efg")
    assert read_efg("\ufeff" + text) == load(other)


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("3", 3),
        ("-3", -3),
        ("+3", 3),
        ("2/6", Fraction(1, 3)),
        ("-2/3", Fraction(-2, 3)),
        (".25", Fraction(1, 4)),
        ("-.5", Fraction(-1, 2)),
        ("5.", 5),
        ("0.1", Fraction(1, 10)),
        ("1e-3", Fraction(1, 1000)),
        ("2.5E+2", 250),
        ("12.34e-1", Fraction(617, 500)),
        ("1e30", 10**30),
        ("000", 0),
    ],
)
def test_numbers_are_exact(word, value):
    tree = read_efg(HEAD + f't "" 1 {{ {word}, 0 }}')
    assert tree.payoffs[0][0] == value


@pytest.mark.parametrize(
    "word",
    ["x", "1/", "/2", "1/2/3", "1.2.3", "1e", "e5", ".", "-", "--1", "1/-2", "0x1f", "١", "nan"],
)
def test_what_is_no_number(word):
    assert refused(HEAD + f't "" 1 {{ {word}, 0 }}').startswith(
        "x.efg:2:10: expected a payoff, found"
    )


def test_numbers_are_no_names_for_their_digits():
    tree = read_efg(
        HEAD + 'p "" 1 99 "" { "a" } 0 p "" 2 99 "" { "a" } 0 p "" 1 3 "" { "a" } 0 t "" 0'
    )
    assert tree.infoset.tolist() == [0, 1, 2, -1]
    assert tree.player.tolist()[:3] == [0, 1, 0]
    assert [line.split()[2:4] for line in efg_lines(tree) if line.startswith("p")] == [
        ["1", "1"],
        ["2", "1"],
        ["1", "2"],
    ]


def test_labels_may_be_empty_and_repeat():
    tree = read_efg(
        'EFG 2 R "" { "" "" } p "" 2 1 "" { "" "" } 0 c "" 1 { "" 1 "" 0 } 0 t "" 0 t "" 0 t "" 0'
    )
    assert tree.players == ("", "")
    assert tree.menus == (("", ""),)
    assert tree.lotteries[0].probabilities == (1, 0)
    assert read_efg(write_efg(tree)) == tree


@pytest.mark.parametrize(
    ("written", "label"),
    [
        (r'"say \"hi\""', 'say "hi"'),
        (r'"p\one"', r"p\one"),
        (r'"a\\b"', r"a\\b"),
        (r'"C:\\"', "C:\\"),
        (r'"\\\""', '\\"'),
        ('"two\nlines"', "two\nlines"),
        ('"ends\r\n"', "ends\r\n"),
        ('"♠ é 漢 🂡"', "♠ é 漢 🂡"),
    ],
)
def test_labels(written, label):
    tree = read_efg(f'EFG 2 R {written} {{ "one" }} t "" 0')
    assert tree.name == label
    assert read_efg(write_efg(tree)) == tree


@pytest.mark.parametrize("numbers", [(1, 1), (1, 2), (7, 3)])
def test_equal_lotteries_are_one_whatever_their_numbers(numbers):
    """Chance nodes that share a number, as older files have them, and those that do not."""
    event = 'c "" {} "" {{ "a" 1/2 "b" 1/2 }} 0 '
    first, second = map(event.format, numbers)
    tree = read_efg(HEAD + first + 't "" 0 ' + second + 't "" 0 t "" 0')
    assert len(tree.lotteries) == 1
    assert read_efg(write_efg(tree)) == tree


def test_every_chance_node_is_an_event_of_its_own():
    """Gambit takes chance nodes with one number for an information set: two on a path, and it
    answers that imperfect recall is not supported."""
    lines = [line for line in efg_lines(two_coins().tree()) if line.startswith("c")]
    assert [line.split()[2] for line in lines] == ["1", "2", "3"]


def test_a_path_of_a_hundred_thousand_moves():
    depth = 100_000
    tree = read_efg(HEAD + 'p "" 1 1 "" { "on" } 0\n' * depth + 't "" 1 { 1 2 }')
    assert len(tree) == depth + 1
    assert np.array_equal(tree.parent, np.arange(-1, depth))
    assert sum(1 for _ in efg_lines(tree)) == depth + 3


# ---------------------------------------------------------------------- what is refused, and where

NODE = 'p "" 1 1 "x" { "a" "b" } 0\nt "" 1 "w" { 1, 2 }\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", '1:1: the file ends; expected "EFG"'),
        ("hello", '1:1: expected "EFG", found "hello"'),
        ('NFG 1 R "t"', '1:1: expected "EFG", found "NFG"'),
        ("EFG 3", '1:5: expected "2", found "3"'),
        ("EFG 2 X", '1:7: expected "R" or "D", found "X"'),
        ("EFG 2 R 5", '1:9: expected the title, found "5"'),
        ('EFG 2 R "t" "a"', '1:13: expected "{" and a player\'s name, found the label "a"'),
        ('EFG 2 R "t" { }', '1:15: expected a player\'s name, found "}"'),
        ('EFG 2 R "t" { "a", "b" }', '1:18: expected a player\'s name or "}", found ","'),
        (HEAD, "2:1: the file ends; expected at least 1 more node"),
        (HEAD + "q", '2:1: expected a node: "c", "p" or "t", found "q"'),
        (HEAD + "t 0", '2:3: expected the node\'s name, found "0"'),
        (HEAD + 't "ab', "2:3: expected the node's name, found a label that is never closed"),
        (HEAD + 't "" x', '2:6: expected an outcome\'s number, found "x"'),
        (HEAD + 't "" -1', '2:6: expected an outcome\'s number, found "-1"'),
        (
            HEAD + 't "" 0 { 1 2 }',
            "2:8: outcome 0 stands for none; it has neither name nor payoffs",
        ),
        (HEAD + 't "" 1 "w"', '2:11: the file ends; expected "{" and a description of outcome 1'),
        (HEAD + 't "" 1 { 1 }', '2:12: expected a payoff, found "}"'),
        (HEAD + 't "" 1 { 1,, 2 }', '2:12: expected a payoff, found ","'),
        (HEAD + 't "" 1 { 1 2 3 }', '2:14: expected "}" after 2 payoffs, found "3"'),
        (HEAD + 't "" 1 { 1/0 2 }', "2:10: the number 1/0 divides by zero"),
        (
            HEAD + 't "" 0\nt "" 0',
            "3:1: expected the end of the file after a tree that is complete",
        ),
        (HEAD + NODE, "4:1: the file ends; expected at least 1 more node"),
        (HEAD + 'p "" 0 1', '2:6: expected a player\'s number, from 1 on, found "0"'),
        (HEAD + 'p "" 3 1', "2:6: there is no player 3, only 2"),
        (HEAD + 'p "" 1 0', '2:8: expected an information set\'s number, from 1 on, found "0"'),
        (
            HEAD + 'p "" 1 1 0',
            '2:10: expected "{" and a description of information set 1 of player 1',
        ),
        (HEAD + 'p "" 1 1 "" { } 0', '2:15: expected an action, found "}"'),
        (HEAD + NODE + 'p "" 1 1 "x" { "a" } 0', "4:10: information set 1 of player 1 is"),
        (HEAD + NODE + 'p "" 1 1 "y" { "a" "b" } 0', "4:10: information set 1 of player 1 is"),
        (
            HEAD + NODE + 't "" 1 "w" { 1, 3 }',
            '4:8: outcome 1 is "w" { 1, 3 } here, but was "w" { 1, 2 }',
        ),
        (HEAD + NODE + 't "" 1 "v"', '4:8: outcome 1 is "v" here, but was "w" { 1, 2 } in line 3'),
        (HEAD + 'c "" 1 0', '2:8: expected "{" and a description of chance event 1'),
        (HEAD + 'c "" 1 "" { "a" } 0', '2:17: expected a probability, found "}"'),
        (HEAD + 'c "" 1 "" { "a" 2 "b" -1 } 0', "2:23: the probability -1 is negative"),
        (
            HEAD + 'c "" 1 ""\n{ "a" .333 "b" .333 "c" .333 } 0',
            "2:1: the probabilities of this chance move sum to 999/1000, not to 1",
        ),
        (HEAD + 't "" 1 { 1e999999999 2 }', "2:10: the number 1e999999999 has too many digits"),
        (HEAD + 't "" 1 { 1e-' + "9" * 5000 + " 2 }", "2:10: the number 1e-999"),
        (HEAD + 't "" 1 { 1e4001 2 }', "2:10: the number 1e4001 has too many digits"),
        (HEAD + 't "" 1 { 1/' + "7" * 5000 + " 2 }", "2:10: the number 1/777"),
        (HEAD + 't "" 1 { ' + "7" * 10_000_000, "2:10: the number 777"),
        (HEAD + 't "a\0b" 0', "2:5: a NUL character"),
        (HEAD.replace("\n", "\r\n") + "q", "2:1: expected"),
        (HEAD.replace("\n", "\r") + "q", "2:1: expected"),
        ("\ufeffEFG x", '1:5: expected "2", found "x"'),
        ("EFG 2 R " + '"p" ' * 9, '1:13: expected "{"'),
        ('EFG 2 R "t" { ' + '"p" ' * 500 + "}", "1:13: expected a player's name 120 times at most"),
    ],
)
def test_errors_name_line_column_and_what_was_expected(text, message):
    assert refused(text).startswith(f"x.efg:{message}")


def test_messages_quote_only_the_beginning():
    assert len(refused("x" * 100_000)) < 100
    assert len(refused('EFG "' + "y" * 100_000 + '"')) < 100
    assert refused('EFG "a\nb"') == 'x.efg:1:5: expected "2", found the label "a b"'


def test_the_first_word_decides():
    """A hundred megabytes of nonsense are not looked at beyond it."""
    assert "expected" in refused("nonsense " * 11_000_000)


@pytest.mark.parametrize("rest", ["a" * 3_000_000, "\\a" * 1_500_000, "\\" * 3_000_001])
def test_labels_of_any_kind_take_time_in_proportion(rest):
    assert "never closed" in refused(f'{HEAD}t "{rest}')
    assert read_efg(f'{HEAD}t "{rest}x" 0').node_names[0] == rest + "x"


def test_a_repeated_event_does_not_fill_the_memory():
    """Ten thousand outcomes, mentioned ten thousand times in a few bytes each."""
    event = "".join(f'"{number}" 1/10000 ' for number in range(10_000))
    text = f'{HEAD}c "" 1 "" {{ {event} }} 0 ' + 'c "" 1 0 ' * 10_000
    assert "expected at least 100,000,000 more nodes" in refused(text)


def test_probabilities_whose_sum_would_take_for_ever():
    chances = " ".join(f'"" 1/{10**4200 + number}' for number in range(300))
    assert refused(f'{HEAD}c "" 1 "" {{ {chances} }} 0').endswith("too many digits")
    two = " ".join(f'"" 1/{10**4200 + number}' for number in range(2))
    assert "sum to a number of more than" in refused(f'{HEAD}c "" 1 "" {{ {two} }} 0')


# ---------------------------------------------------------------------- written and read again


@game(players=("one", "two"))
def two_coins(g):
    """Equal lotteries at the root and below it."""
    first, second = g.chance(("h", "t")), g.chance(("h", "t"))
    g.reveal("one", first)
    return g.win("one", (g.choose("one", ("same", "other")) == "same") == (first == second))


@game(players=("one", "two"))
def odd_texts(g):
    """Options and outcomes that are no texts, and some that read alike."""
    coin = g.chance((1, 2))
    other = g.chance(("1", "2"))
    g.reveal("one", (coin, frozenset({other})))
    taken = g.choose("one", (("a", 1), 'say "no"', "back\\", ""))
    g.reveal("two", taken)
    return g.win("one", g.choose("two", (1, "1", Fraction(1, 3), None)) == coin)


@pytest.mark.parametrize("rules", [kuhn(), kuhn(players=3, ranks=4), odd_texts(), two_coins()])
def test_a_tree_grown_from_rules_comes_back(rules):
    tree = rules.tree()
    again = read_efg(write_efg(tree))
    assert again == tree
    assert write_efg(again) == write_efg(tree)


def test_a_file_tells_what_the_players_know():
    lines = list(efg_lines(kuhn().tree()))
    assert lines[0] == 'EFG 2 R "kuhn()" { "gambler" "dealer" }\n'
    assert lines[2].startswith('c "" 1 "" { "J Q" 1/6 "J K" 1/6 ')
    assert 'p "" 1 2 "J, [pass], bet" { "pass" "bet" } 0\n' in lines
    assert 't "" 1 "" { -1, 1 }\n' in lines


@pytest.mark.parametrize("label", ["a\0b", "\ud800"])
def test_labels_that_no_file_can_hold(label):
    b = Builder(["one"], name=label)
    b.pay(b.root, [1])
    with pytest.raises(FileError, match="holds"):
        write_efg(b.build())


def test_numbers_that_no_file_can_hold():
    b = Builder(["one"])
    b.pay(b.root, [Fraction(1, 10**5000)])
    with pytest.raises(FileError, match="digits"):
        write_efg(b.build())
    longest = read_efg('EFG 2 R "" { "one" } t "" 1 { -1e-3999 }')
    assert read_efg(write_efg(longest)) == longest


labels = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6) | (
    st.text('"\\ {}\n\r,', max_size=6)
)
amounts = st.fractions(max_denominator=50) | st.integers(-(10**30), 10**30)


@st.composite
def lotteries(draw):
    weights = draw(st.lists(st.integers(0, 5), min_size=1, max_size=3).filter(any))
    return {number: Fraction(w, sum(weights)) for number, w in enumerate(weights)}


@st.composite
def trees(draw) -> Tree:
    """Any tree: several players, chance, payoffs anywhere, information sets met again on a path."""
    players = draw(st.lists(labels, min_size=1, max_size=4))
    b = Builder(players, draw(labels), draw(labels))
    menus = {
        (player, number): draw(st.lists(labels, min_size=1, max_size=3))
        for player, number in itertools.product(range(len(players)), range(2))
    }
    shared = [b.outcome([draw(amounts) for _ in players], draw(labels)) for _ in range(2)]
    waiting = [b.root]
    for kind in draw(st.lists(st.sampled_from("ddct"), max_size=12)):
        if not waiting:
            break
        node = waiting.pop(draw(st.integers(0, len(waiting) - 1)))
        name = draw(labels)
        if kind == "d":
            key = draw(st.sampled_from(list(menus)))
            label = f"{key}"
            waiting += b.decide(node, key[0], menus[key], infoset=key, label=label, name=name)
        elif kind == "c":
            waiting += b.chance(node, draw(lotteries()), name=name)
        else:
            b.name_node(node, name)
        paid = draw(st.sampled_from(["", "shared", "own"]))
        if paid == "shared":
            b.award(node, draw(st.sampled_from(shared)))
        elif paid == "own":
            b.pay(node, [draw(amounts) for _ in players], draw(labels))
    return b.build(unpaid=True)


@settings(max_examples=40)
@given(trees())
def test_any_tree_comes_back(tree):
    text = write_efg(tree)
    again = read_efg(text)
    assert again == tree
    assert write_efg(again) == text


@given(labels, labels)
@example("\\", '"')
@example('\\\\"\\', "\\")
def test_any_label_comes_back(one, two):
    b = Builder([one], two, comment=one + two)
    b.pay(b.root, [1], two + one)
    tree = b.build()
    assert read_efg(write_efg(tree)) == tree


def test_files_and_texts_agree(tmp_path):
    tree = odd_texts().tree()
    save(tree, tmp_path / "odd.efg")
    assert load(tmp_path / "odd.efg") == tree
    assert (tmp_path / "odd.efg").read_bytes() == write_efg(tree).encode()
