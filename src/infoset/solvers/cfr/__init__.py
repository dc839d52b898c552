"""Counterfactual regret minimization, on trees and on public forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from infoset.solvers.options import Found, Options
    from infoset.tree import Tree


def find(tree: Tree, options: Options, method: str = "cfr+") -> Found:
    """The average strategies of a run on a tree; see :func:`infoset.solvers.cfr.solver.find`."""
    from infoset.solvers.cfr.solver import find

    return find(tree, options, method)
