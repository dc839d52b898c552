"""What is read off a drawing's files, for tests."""

from __future__ import annotations

from xml.etree import ElementTree

from infoset.display.drawing import Drawing

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: Drawing) -> list[str]:
    """The words that are seen; those of hints are not."""
    root = ElementTree.fromstring(picture.svg)
    return [words_of(element) for element in root.iter(f"{SVG}text")]


def words_of(element: ElementTree.Element) -> str:
    return (element.text or "") + "".join(hint.tail or "" for hint in element)


def assert_tex(source: str) -> None:
    """Braces balance, nothing is active that was not meant to be, and no control signs are left."""
    depth = 0
    plain = source.replace(r"\{", "").replace(r"\}", "").replace(r"\%", "").replace(r"\$", "")
    for sign in plain:
        depth += (sign == "{") - (sign == "}")
        assert depth >= 0
    assert depth == 0
    assert "%" not in plain
    assert "&" not in plain.replace(r"\&", "")
    assert plain.count("$") % 2 == 0
    assert r"\input" not in source
    assert all(sign.isprintable() or sign == "\n" for sign in source)
    lines = source.splitlines()
    assert lines[0].startswith(r"\begin{tikzpicture}")
    assert lines[-1] == r"\end{tikzpicture}"
    assert all(line.startswith("\\") and line.endswith((";", "}", "]")) for line in lines)
