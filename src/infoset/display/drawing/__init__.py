"""Drawings of game trees.

A drawing is made in steps, each with a record of its own:

    tree ──► bundles ──► skeleton ──► plan ──► scene ──► svg, tikz, png, pdf
             what is     what is      where    simple
             one         shown        it is    marks

Levels, order, places and links are found by small functions over plain numbers; only the last step
knows a format.
"""

from infoset.display.drawing.drawing import Drawing, draw

__all__ = ["Drawing", "draw"]
