"""Whatever a file holds, it is a game or it is refused in one line."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset.errors import FileError
from infoset.tree.files import load, read_efg, read_nfg

DATA = Path(__file__).parent / "data"
TEXTS = {path.name: path.read_text() for path in sorted(DATA.iterdir())}
PIECES = [
    '"',
    "\\",
    "{",
    "}",
    ",",
    "0",
    "1",
    "-1",
    "1/0",
    "1e99999",
    "c",
    "p",
    "t",
    "\n",
    "\0",
    "é",
]
MESSAGE = re.compile(r"fuzz:[0-9]+:[0-9]+: [^\n]+")


def survives(text: str, name: str) -> bool:
    """Is the text a game? If not, it is refused properly."""
    read = read_nfg if name.endswith(".nfg") else read_efg
    message = ""
    try:
        read(text, name="fuzz")
    except FileError as problem:
        message = str(problem)
    assert not message or MESSAGE.fullmatch(message)
    return not message


@pytest.mark.parametrize("name", TEXTS)
def test_the_examples_are_games(name):
    assert survives(TEXTS[name], name)


@pytest.mark.parametrize("name", TEXTS)
def test_every_beginning_of_a_file_is_refused(name):
    text = TEXTS[name].rstrip()
    for length in range(len(text)):
        cut = text[:length]
        if survives(cut, name):  # only where a last number lost its last digits
            assert name.endswith(".nfg")
            assert text[length - 1 : length + 1].strip().isalnum()


@pytest.mark.parametrize("name", TEXTS)
def test_no_file_loses_a_token_unnoticed(name):
    """But for a comment, a node's name or a description told again, every token is needed."""
    text = TEXTS[name]
    kept = 0
    tokens = list(re.finditer(r'"(?:[^"\\]|\\.)*"|[{}]|[^\s"{},]+', text))
    for token in tokens:
        kept += survives(text[: token.start()] + text[token.end() :], name)
    assert kept <= len(tokens) // 3


@pytest.mark.parametrize("name", TEXTS)
def test_files_with_pieces_changed_moved_and_doubled(name):
    chance = random.Random(name)
    words = re.split(r"(\s+)", TEXTS[name])
    for _ in range(150):
        changed = list(words)
        for _ in range(chance.randrange(1, 4)):
            at, other = chance.randrange(len(changed)), chance.randrange(len(changed))
            kind = chance.randrange(4)
            if kind == 0:
                changed[at] = chance.choice(PIECES)
            elif kind == 1:
                changed[at] = changed[other]
            elif kind == 2:
                changed[at:at] = changed[other : other + chance.randrange(20)]
            else:
                del changed[at : at + chance.randrange(20)]
        survives("".join(changed), name)


@pytest.mark.parametrize("name", TEXTS)
def test_files_with_characters_changed(name):
    chance = random.Random(name)
    for _ in range(150):
        text = list(TEXTS[name])
        for _ in range(chance.randrange(1, 6)):
            text[chance.randrange(len(text))] = chance.choice(PIECES)
        survives("".join(text), name)


@settings(max_examples=80)
@given(st.lists(st.sampled_from([*PIECES, '"a"', 'EFG 2 R "t" { "a" }', "1 1", " "]), max_size=30))
def test_words_in_any_order(pieces):
    survives(" ".join(pieces), "x.efg")
    survives('EFG 2 R "t" { "a" "b" } ' + " ".join(pieces), "x.efg")
    survives('NFG 1 R "t" { "a" "b" } { ' + " ".join(pieces), "x.nfg")


@settings(max_examples=80)
@given(text=st.text())
def test_any_text(text):
    assert not survives(text, "x.efg")
    assert not survives(text, "x.nfg")


@settings(max_examples=40)
@given(data=st.binary(max_size=200), keep=st.integers(0, 60))
def test_any_bytes(tmp_path_factory, data, keep):
    path = tmp_path_factory.getbasetemp() / "fuzz.efg"
    path.write_bytes(TEXTS["stages.efg"].encode()[:keep] + data)
    with pytest.raises(FileError) as problem:
        load(path)
    assert str(problem.value).startswith(f"{path}:")
    assert "\n" not in str(problem.value)
