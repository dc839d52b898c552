"""Histories that agree with what a player has observed, for every game.

:class:`Histories` enumerates, counts and samples them, exactly. :class:`ParticleFilter` follows a
play that is too long for that, from decision to decision.
"""

from __future__ import annotations

from infoset.search.consistent.histories import Histories
from infoset.search.consistent.particles import ParticleFilter

__all__ = ["Histories", "ParticleFilter"]
