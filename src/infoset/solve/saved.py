"""Which of our files a file is, by its first bytes, and how the game in it differs from another.

A solution of a tree is JSON, one of a public form and a checkpoint each begin with a line of their
own. Whoever loads one of them may be handed another, or something that is none: that is said in so
many words, and not by the first byte that does not fit.
"""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path
from typing import Any

from infoset.errors import FileError
from infoset.rules.story import brief, printable
from infoset.solve.regret.checkpoint_header import MAGIC as CHECKPOINT
from infoset.tree.files.atomic import CONTROL, HEAD, file_name, refuse_special, told

PUBLIC = b"infoset public solution "  # how a solution of a public form begins
TREE = b'"infoset solution"'  # what stands in the first lines of a solution of a tree
LONGEST = 60  # signs of a game's name that are told in full
BEFORE = 20  # signs that are told before the first one that differs
MARKS = (b"\xff\xfe", b"\xfe\xff")  # of UTF-16, about which whoever reads texts has more to say


def kind_of(path: str | Path) -> str:
    """What a file says that it is: "public", "tree", "checkpoint", or nothing of ours.

    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile() as file:
    ...     _ = file.write(b"infoset checkpoint 1")
    ...     file.flush()
    ...     kind_of(file.name)
    'checkpoint'
    """
    head = _head(path)
    if head.startswith(PUBLIC):
        return "public"
    if head.startswith(CHECKPOINT):
        return "checkpoint"
    return "tree" if head.lstrip().startswith(b"{") and TREE in head else ""


def _head(path: str | Path) -> bytes:
    name = file_name(path)
    with told(name, "read"):
        refuse_special(name, path)
        with open(path, "rb") as file:
            return file.read(HEAD)


def refuse_others(path: str | Path, wanted: str) -> None:
    """Refuse a file that is not of the kind that is wanted: "public" or "tree".

    Of a tree's solution also texts of another kind pass: where they go wrong has a line.
    """
    name, kind = file_name(path), kind_of(path)
    if kind == wanted:
        return
    if kind == "checkpoint":
        raise FileError(
            f"{name}: a checkpoint, no saved solution; solve --checkpoint goes on with it"
        )
    if wanted == "public":
        other = "one of a tree is loaded without --public"
        writes = "`infoset solve GAME --public --save FILE` writes one"
        raise FileError(f"{name}: no solution of a public form; {other if kind else writes}")
    if kind == "public":
        raise FileError(
            f"{name}: a solution of a public form, and one of the tree is wanted; solve with"
            " --tree, and save that"
        )
    head = _head(path)
    if not head.startswith(MARKS) and any(byte in CONTROL for byte in head):
        raise FileError(
            f"{name}: no solution file, but a binary file of another kind; `infoset solve GAME"
            " --save FILE` writes one"
        )


# ---------------------------------------------------------------------- games by their names


def apart(saved: Any, now: Any) -> tuple[str, str]:
    """Two names of games, told so that one sees where they differ.

    Short ones are told in full. Of long ones only the parameters that differ are told, and of long
    parameters where they do.

    >>> apart("kuhn()", "kuhn(ranks=4)")
    ('kuhn()', 'kuhn(ranks=4)')
    >>> board = "board='Ks 7d 2c 9h', one='QQ+ AKs 65s', two='KQs 99-77'"
    >>> apart(f"holdem({board}, stack=100)", f"holdem({board}, stack=90)")
    ('holdem(…, stack=100)', 'holdem(…, stack=90)')
    """
    one, two = printable(str(saved)), printable(str(now))
    if max(len(one), len(two)) <= LONGEST:
        return one, two
    (head, first), (other, second) = _parameters(one), _parameters(two)
    if head != other:
        return brief(one, LONGEST), brief(two, LONGEST)
    if first == second:  # not as games write their names
        return _windows(one, two)
    differing = [key for key in {**first, **second} if first.get(key) != second.get(key)]
    pairs = {key: _windows(first.get(key, ""), second.get(key, "")) for key in differing}
    same = ["…"] if len({**first, **second}) > len(differing) else []
    told_ = (
        [f"{key}={pair[side]}" for key, pair in pairs.items() if key in own]
        for side, own in enumerate((first, second))
    )
    left, right = (f"{head}({', '.join([*same, *own])})" for own in told_)
    return left, right


def _parameters(name: str) -> tuple[str, dict[str, str]]:
    """What stands before the bracket, and by name the values in it, as they are written."""
    head, bracket, rest = name.partition("(")
    if not bracket or not rest.endswith(")"):
        return name, {}
    parts, depth, quote, escaped = [""], 0, "", False
    for sign in rest[:-1]:
        if quote:
            quote = "" if sign == quote and not escaped else quote
            escaped = sign == "\\" and not escaped
        elif sign in "'\"":
            quote = sign
        else:
            depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += sign
    pairs = [part.strip().partition("=") for part in parts if part.strip()]
    return head, {key: value for key, _, value in pairs}


def _windows(one: str, two: str) -> tuple[str, str]:
    """Two texts, of which long ones are told from shortly before where they part."""
    both = zip(one, two, strict=False)
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))
    start = max(0, alike - BEFORE)

    def window(words: str) -> str:
        if len(words) <= LONGEST:
            return words
        cut = words[start : start + LONGEST]
        return ("…" if start else "") + cut + ("…" if start + len(cut) < len(words) else "")

    return window(one), window(two)
