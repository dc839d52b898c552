"""The same picture as SVG, TikZ, PNG and PDF."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from infoset import solve
from infoset.display.drawing import Drawing, draw
from infoset.display.drawing.lettering import drawn_text, shortened, width
from infoset.display.drawing.paint import pixels_per_unit
from infoset.display.drawing.scene import THEMES, Scene, TextLine
from infoset.display.drawing.tikz import escaped
from infoset.errors import FileError, ParameterError, TooLarge
from infoset.games import absent_minded, goofspiel, kuhn, leduc, prisoners_dilemma
from infoset.strategy import mixed, profile, pure, uniform
from infoset.text import compact_number
from infoset.tree.builder import Builder
from tests.display.drawing.reading import SVG, texts, words_of


def test_every_special_sign_of_latex_is_escaped() -> None:
    assert escaped("a_b^c~#&%$") == (r"a\_b\textasciicircum{}c\textasciitilde{}\#\&\%\$")
    assert escaped("\\{}") == r"\textbackslash{}\{\}"
    assert escaped("−2 … J♠") == r"$-$2 \dots{} J$\spadesuit$"


def test_all_payoffs_moves_and_names_are_there_as_text() -> None:
    tree = prisoners_dilemma().tree()
    found = texts(draw(tree))
    for node in tree.leaves:
        for paid in node.payoffs.values():
            assert compact_number(paid) in found
    assert sorted(text for text in found if text[0] in "−0123456789") == sorted(
        [compact_number(paid) for node in tree.leaves for paid in node.payoffs.values()]
        + ["1", "2", "2"]  # in the discs
        + ["1", "2"]  # in the legend
    )
    root = ElementTree.fromstring(draw(tree).svg)
    classes: dict[str, list[str]] = {}
    for element in root.iter(f"{SVG}text"):
        classes.setdefault(element.get("class", "").split()[0], []).append(words_of(element))
    assert sorted(classes["move"]) == sorted(["cooperate", "defect"] * 3)
    assert classes["legend"] == ["row", "column"]
    assert classes["title"] == ["prisoners_dilemma()"]


def test_an_equilibrium_is_written_at_the_moves() -> None:
    solution = solve(kuhn())
    picture = draw(solution)
    probabilities = {
        m.tag.node: m.text for m in picture.scene.of("probability") if isinstance(m, TextLine)
    }
    tree = solution.tree
    for node in tree.nodes:
        above = node.parent
        if above is None:
            continue
        if above.is_chance:
            assert probabilities[node.index] == "1/6"
        else:
            played = solution.strategy[above.player][above.infoset][node.action]
            assert probabilities[node.index] == compact_number(played)
    legend = [mark.text for mark in picture.scene.of("legend") if isinstance(mark, TextLine)]
    assert legend == ["gambler: −1/18", "dealer: 1/18", "chance"]


def test_what_is_never_played_is_faint_and_what_is_played_has_its_movers_colour() -> None:
    solution = solve(kuhn())
    reach = solution.profile.reach(list(range(len(solution.tree)))).values()
    for mark in draw(solution).scene.of("edge"):
        above = solution.tree.nodes[mark.tag.node].parent
        if reach[mark.tag.node] and above.player:
            assert mark.role == f"player-{solution.tree.player_number(above.player) + 1}"
        if not reach[mark.tag.node]:
            assert mark.width == 1


def test_a_branch_that_stands_for_all_moves_says_nothing_off_the_play() -> None:
    solution = solve(goofspiel(cards=4))
    reach = solution.profile.reach(list(range(len(solution.tree)))).values()
    scene = draw(solution).scene
    moves = {m.tag.node: m.text for m in scene.of("move") if isinstance(m, TextLine)}
    edges = {mark.tag.node: mark.role for mark in scene.of("edge")}
    off = [node for node, move in moves.items() if move.startswith("any of") and not reach[node]]
    assert off
    assert {edges[node] for node in off} == {"faint"}
    meant = [node for node, role in edges.items() if role != "faint" and not reach[node]]
    assert meant  # what would be done if it came to it


def test_a_mixed_strategy_that_is_no_behaviour_can_be_drawn() -> None:
    tree = absent_minded().tree()
    left, right = (pure(tree, "one", {"a or b": action}) for action in "LR")
    one = mixed(tree, "one", {left: Fraction(1, 3), right: Fraction(2, 3)})
    picture = draw(profile([one, uniform(tree, "two")]))
    probabilities = {
        m.tag.node: m.text for m in picture.scene.of("probability") if isinstance(m, TextLine)
    }
    assert probabilities[1] == "1/3"
    assert probabilities[2] == "1"  # it went left before, so it does again


def test_elements_say_what_they_stand_for() -> None:
    tree = kuhn().tree()
    root = ElementTree.fromstring(draw(tree).svg)
    nodes = [e for e in root.iter() if (e.get("class") or "").startswith("node")]
    assert len(nodes) == sum(not node.is_leaf for node in tree.nodes)
    assert {e.get("data-node") for e in nodes} == {
        str(node.index) for node in tree.nodes if not node.is_leaf
    }
    ties = [e for e in root.iter() if (e.get("class") or "?").split()[0] == "infoset"]
    assert {e.get("data-infoset") for e in ties} == set(map(str, range(12)))
    hints = [title.text for e in ties for title in e.iter(f"{SVG}title")]
    assert any("Q, [pass], bet" in (hint or "") for hint in hints)


def test_the_same_drawing_twice() -> None:
    for subject in (leduc(), solve(kuhn())):
        assert draw(subject).svg == draw(subject).svg
        assert draw(subject).tikz == draw(subject).tikz


def test_formats_by_the_names_ending(tmp_path: Path) -> None:
    picture = draw(solve(prisoners_dilemma()))
    needed = b"% \\usepackage{tikz}\n\\begin{tikzpicture}"
    heads = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "tex": needed}
    for ending, head in heads.items():
        path = tmp_path / f"kuhn.{ending.upper()}"
        picture.save(path)
        assert path.read_bytes().startswith(head)
    assert (tmp_path / "kuhn.SVG").read_text() == picture.svg == picture._repr_svg_()
    picture.save(tmp_path / "again.pdf")
    assert (tmp_path / "again.pdf").read_bytes() == (tmp_path / "kuhn.PDF").read_bytes()
    from matplotlib.image import imread

    high, wide, _ = imread(tmp_path / "kuhn.PNG", format="png").shape
    assert wide == pytest.approx(2 * picture.scene.width, abs=2)
    assert high == pytest.approx(2 * picture.scene.height, abs=2)


def test_a_bitmap_has_fewer_pixels_where_there_would_be_too_many(tmp_path: Path) -> None:
    for wide, high, fine in ((900, 600, 2), (900, 8000, 1.5), (6000, 6000, (60 / 36) ** 0.5)):
        assert pixels_per_unit(Scene(wide, high, (), "")) == pytest.approx(fine)
    for wide, high in ((900, 12_001), (9000, 9000)):
        huge = Drawing(Scene(wide, high, (), "huge()"))
        with pytest.raises(TooLarge, match=r"huge\(\): .* save it as \.svg or \.pdf") as caught:
            huge.save(tmp_path / "huge.png")
        assert "\n" not in str(caught.value)
        assert list(tmp_path.iterdir()) == []
    huge.save(tmp_path / "huge.pdf")
    assert (tmp_path / "huge.pdf").exists()


def test_words_have_paper_behind_them_in_tikz() -> None:
    """So that no branch shows between a move and its probability."""
    picture = draw(solve(kuhn()), orientation="down")
    lines = picture.tikz.splitlines()
    moves = [m for m in picture.scene.marks if isinstance(m, TextLine) and m.halo]
    papers = [at for at, line in enumerate(lines) if line.startswith(r"\fill[infoset-paper]")]
    assert len(papers) == len(moves) > 100
    assert all(lines[at + 1].startswith(r"\node") for at in papers)
    by_node = {(m.tag.node, m.tag.kind): m for m in moves}
    for (node, kind), probability in by_node.items():
        if kind == "probability":
            assert by_node[node, "move"].behind[3] >= probability.behind[1]  # nothing in between
    # Sizes that a font may not have are not asked for.
    assert picture.tikz.count(r"\fontsize") == 1


def test_a_probability_beside_a_number_is_in_parentheses() -> None:
    tree = goofspiel(cards=3).tree()  # the last cards are not a move
    played = profile(uniform(tree, player) for player in tree.names)
    probabilities = {
        m.text for m in draw(played).scene.of("probability") if isinstance(m, TextLine)
    }
    assert probabilities == {"(1/3)", "(1/2)"}
    b = Builder(players=("one",))
    for end in b.decide(0, "one", ("7", "stay")):
        b.pay(end, (1,))
    mixed_menu = profile([uniform(b.build(), "one")])
    probabilities = {
        m.text for m in draw(mixed_menu).scene.of("probability") if isinstance(m, TextLine)
    }
    assert probabilities == {"(1/2)"}  # both, or a reader would ask what the difference is


def notes(picture: Drawing) -> str:
    return " ".join(mark.text for mark in picture.scene.of("note") if isinstance(mark, TextLine))


def test_a_folded_picture_says_what_its_words_mean() -> None:
    told = notes(draw(leduc()))
    assert '"30 deals" (of chance), "6 sets" (information sets): drawn as one' in told
    assert "payoffs are ranges" in told
    assert "triangle" not in told
    tree = kuhn(ranks=13).tree()
    told = notes(draw(profile(uniform(tree, player) for player in tree.names)))
    assert '"156 deals" (of chance), "13 sets" (information sets): drawn as one' in told
    assert "numbers are averages" in told
    tree = leduc().tree()
    told = notes(draw(tree, most=20))
    assert "a triangle is a part that is not drawn" in told
    assert notes(draw(kuhn())) == ""


def test_what_cannot_be_saved_is_said_in_one_line(tmp_path: Path) -> None:
    picture = draw(kuhn())
    for name in ("kuhn.jpg", "kuhn", "kuhn.svg.gz"):
        with pytest.raises(FileError, match=r"saved as \.svg, \.png, \.pdf or \.tex") as caught:
            picture.save(tmp_path / name)
        assert "\n" not in str(caught.value)
    with pytest.raises(FileError, match="no such folder"):
        picture.save(tmp_path / "nowhere" / "kuhn.png")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"orientation": "up"},
        {"theme": "blue"},
        {"fold": "maybe"},
        {"fold": 2},
        {"most": 0},
        {"most": 10.5},
        {"most": True},
        {"orientation": ["down"]},
    ],
)
def test_bad_values_are_named(wrong: dict[str, object]) -> None:
    with pytest.raises(ParameterError, match=next(iter(wrong))) as caught:
        draw(kuhn(), **wrong)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(ParameterError, match="give a tree, a solution or a profile"):
        draw("kuhn")  # type: ignore[arg-type]


def test_themes() -> None:
    auto, light, dark = (draw(kuhn(), theme=theme).svg for theme in ("auto", "light", "dark"))
    assert "prefers-color-scheme: dark" in auto
    assert "style>" not in light + dark
    assert THEMES["dark"]["paper"] in dark
    assert THEMES["dark"]["paper"] not in light
    assert THEMES["dark"]["paper"][1:] in draw(kuhn(), theme="dark").tikz
    # What one theme names the other does, too.
    assert set(THEMES["light"]) == set(THEMES["dark"])


def brightness(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_read_on_their_paper(theme: str) -> None:
    colours = THEMES[theme]

    def contrast(one: str, two: str) -> float:
        high, low = sorted((brightness(colours[one]), brightness(colours[two])), reverse=True)
        return (high + 0.05) / (low + 0.05)

    for role in ["ink", "muted", *(f"words-{number}" for number in range(1, 7))]:
        assert contrast(role, "paper") >= 4.5, role
    for number in range(1, 7):
        assert contrast(f"on-player-{number}", f"player-{number}") >= 3, number


def test_matplotlib_is_not_loaded_before_it_paints() -> None:
    code = (
        "import sys; from infoset.games import kuhn; from infoset.display.drawing import draw;"
        "draw(kuhn()).svg; assert 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_words_are_measured_and_shortened() -> None:
    assert width("", 11) == 0
    assert shortened("pass", 11, 100) == "pass"
    cut = shortened("quite a long story", 11, 60)
    assert cut.endswith("…")
    assert width(cut, 11) <= 60
    assert drawn_text("a\n\tb") == "a b"
    assert compact_number(Fraction(10**5000, 3)).startswith("3.33e+4999")
