"""Drawings: from a tree or a solution to a picture in every format, and to a file."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from infoset.display.drawing.compose import compose
from infoset.display.drawing.lettering import drawn_text
from infoset.display.drawing.plan import ACROSS, DOWN, Order, lengthened, ordered, plan
from infoset.display.drawing.scene import AUTO, DARK, LIGHT, Scene
from infoset.display.drawing.skeleton import Skeleton, skeleton
from infoset.display.drawing.svg import svg
from infoset.display.drawing.tikz import tikz
from infoset.errors import FileError, ParameterError
from infoset.files import as_path, write_bytes, write_lines
from infoset.rules.game import Game
from infoset.solvers.solution import Solution
from infoset.strategy import Profile
from infoset.text import printable, title_text
from infoset.tree import Tree

MOST = 200  # drawn nodes
PAGE = 900.0  # pixels of a page's width
SLIM = 2.4  # times as high as wide is a strip
ROOMS = (130.0, 110.0, 90.0, 75.0, 60.0)  # pixels of a move or a label, less where the page is full
TOO_WIDE = 1.3  # times the page is still readable when made smaller
MANY = 1000  # drawn nodes that no page has room for
LEAST = 3  # drawn nodes that ``most`` may ask for


@dataclass(frozen=True)
class Drawing:
    """A picture of a game.

    It shows itself in a notebook, and :meth:`save` writes it to a file.
    """

    scene: Scene
    theme: str = AUTO

    @cached_property
    def svg(self) -> str:
        """As SVG."""
        return svg(self.scene, self.theme)

    @cached_property
    def tikz(self) -> str:
        """As a ``tikzpicture`` for LaTeX, which needs the package tikz and no other."""
        return tikz(self.scene, DARK if self.theme == DARK else LIGHT)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Drawing of {self.scene.title}: {self.scene.width:g} by {self.scene.height:g}>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to a file, in the format that its name ends in: svg, png, pdf, tex.

        Parameters
        ----------
        path
            Where to write it.

        Raises
        ------
        FileError
            If the format is not known, or the file cannot be written.
        """
        save_drawing(self, path)


def draw(
    subject: Tree | Game | Solution | Profile,
    *,
    orientation: str = "auto",
    theme: str = AUTO,
    fold: bool | str = "auto",
    most: int = MOST,
    title: str | bool | None = None,
) -> Drawing:
    """Draw a tree; with a solution or a profile, also how it is played.

    Parameters
    ----------
    subject : Tree, Game, Solution or Profile
        What to draw.
    orientation : {"auto", "down", "across"}, optional
        By default down, if that fits the width of a page and is no long strip.
    theme : {"auto", "light", "dark"}, optional
        By default as the reader of an SVG prefers, and light elsewhere.
    fold : bool or "auto", optional
        Draw subtrees that differ in the deal only as one; by default those of trees of more than
        ``most`` nodes.
    most : int, optional
        Nodes of a folded picture.
    title : str or bool, optional
        What stands above it, by default the name of the game; nothing if it is False or "".

    Returns
    -------
    Drawing
        It has ``svg`` and ``tikz``, and ``save(file)`` for SVG, TikZ, PNG and PDF.

    Raises
    ------
    ParameterError
        If an option has no such value.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> picture = draw(kuhn())
    >>> len(list(picture.scene.of("edge"))), picture.svg.startswith("<svg")
    (54, True)
    >>> picture.save("kuhn.tex")  # doctest: +SKIP
    """
    _check("orientation", orientation, (DOWN, ACROSS, "auto"))
    _check("theme", theme, (LIGHT, DARK, AUTO))
    _check("fold", fold, (True, False, "auto"))
    if isinstance(most, bool) or not isinstance(most, int) or most < LEAST:
        raise ParameterError(f"most={most!r:.60}: give a whole number of nodes, {LEAST} or more")
    tree, profile = _parts(subject)
    folding = len(tree) > most if fold == "auto" else bool(fold)
    shape = skeleton(tree, profile, folding, most)
    shape = replace(shape, title=drawn_text(title_text(title, tree.name)))
    order = ordered(shape)
    chosen = _turned(shape, order) if orientation == "auto" else _fitted(shape, order, orientation)
    return Drawing(chosen, theme)


def _turned(shape: Skeleton, order: Order) -> Scene:
    """Downwards, unless that is too wide or makes a strip of what fits the page across."""
    down = _fitted(shape, order, DOWN) if _may_fit(shape, order) else None
    if down is not None and down.width <= PAGE and down.height <= SLIM * down.width:
        return down
    across = _fitted(shape, order, ACROSS)
    return down if down is not None and down.width <= PAGE < across.width else across


def _may_fit(shape: Skeleton, order: Order) -> bool:
    """Could the picture fit the width of a page, drawn downwards?"""
    return plan(shape, order, DOWN, ROOMS[-1]).spread <= PAGE


def _fitted(shape: Skeleton, order: Order, orientation: str) -> Scene:
    """The picture, its words shortened as much as it takes to fit the width of a page."""
    tries: list[Scene] = []
    for room in ROOMS if len(shape.nodes) <= MANY else ROOMS[-1:]:
        tries.append(compose(lengthened(plan(shape, order, orientation, room))))
        if tries[-1].width <= PAGE:
            return tries[-1]
    # None does: then better whole words on a page a little too wide.
    return next((found for found in tries if found.width <= TOO_WIDE * PAGE), tries[-1])


def _check(name: str, value: object, known: tuple[object, ...]) -> None:
    if not any(value is each or (isinstance(each, str) and value == each) for each in known):
        choices = ", ".join(repr(each) for each in known)
        raise ParameterError(f"{name}={value!r:.60}: choose one of {choices}")


def _parts(subject: Any) -> tuple[Tree, Profile | None]:
    """The tree, and how it is played where that is given."""
    if isinstance(subject, Tree):
        return subject, None
    if isinstance(subject, Game):
        return subject.tree(), None
    if isinstance(subject, Solution):
        return subject.tree, subject.profile
    if isinstance(subject, Profile):
        return subject.tree, subject
    raise ParameterError(f"{subject!r:.60} cannot be drawn; give a tree, a solution or a profile")


NEEDS = "% \\usepackage{tikz}\n"  # of the document that this becomes a part of
ENDINGS = (".svg", ".png", ".pdf", ".tex")


def save_drawing(drawing: Drawing, path: str | os.PathLike[str]) -> None:
    """Write a drawing in the format that the file's name ends in."""
    ending = as_path(path).suffix.lower()
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS[:-1]) + f" or {ENDINGS[-1]}"
        name = printable(os.fspath(path)[:200])
        raise FileError(f"{name}: a drawing is saved as {known}; end the name in one of these")
    if ending == ".svg":
        write_lines(path, (drawing.svg,))
    elif ending == ".tex":
        write_lines(path, (NEEDS, drawing.tikz))
    else:
        from infoset.display.drawing.paint import paint

        theme = DARK if drawing.theme == DARK else LIGHT
        write_bytes(path, (paint(drawing.scene, ending[1:], theme),))
