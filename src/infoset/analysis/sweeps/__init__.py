"""Sweeps: size, time, value and regret of the members of a family, against its parameters.

    parameters ──► plan ──► rows ──► sweep ──► table, plot
                              │
                              ▼
                            file ──► rows, the next time

A :class:`SweepPlan` says which members are meant and what is done with each; it gives one
:class:`SweepRow`
after the other. A :class:`Sweep` is the rows that are there, as a table and as a plot.
What is followed through it, probabilities and values of chosen actions, are :class:`Quantity`.
:func:`kept` keeps them in a file while they are found, so that a sweep can be resumed.
"""

from infoset.analysis.sweeps.files import kept
from infoset.analysis.sweeps.members import MOST, SweepPlan, SweepRow, name_of, plan, refuse_many
from infoset.analysis.sweeps.results import Sweep, sweep
from infoset.analysis.sweeps.tracked import Quantity, quantities
from infoset.text import is_number

__all__ = [
    "MOST",
    "Quantity",
    "Sweep",
    "SweepPlan",
    "SweepRow",
    "is_number",
    "kept",
    "name_of",
    "plan",
    "quantities",
    "refuse_many",
    "sweep",
]
