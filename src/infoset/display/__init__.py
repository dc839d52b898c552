"""How results look: tables in all formats, plots, drawings, notebooks, reports.

What is shown are the records of :mod:`infoset.analysis`; nothing of game theory is computed here.

    show       how trees, strategies, solutions and forms show themselves; imported when asked
    report     solutions of every kind: facts, tables, plots, files
    tables/    the formats of tables: terminal, HTML, LaTeX, CSV, JSON
    plots/     figures of matplotlib
    drawing/   trees as pictures: SVG, TikZ, PNG, PDF
    matrices   the part of a matrix that fits on a screen
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from infoset.lazy import lazy_names

if TYPE_CHECKING:
    from infoset.display.drawing import Drawing, draw

__all__ = ["Drawing", "draw"]

__getattr__ = lazy_names(__name__, {"infoset.display.drawing": ("Drawing", "draw")})
