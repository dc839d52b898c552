"""Searches over rules that are compiled: from a state to its value, without Python in between.

``enter`` of each module is the door: a game's functions come in as pointers. What was written for
one is written for all of them in Python first, in :mod:`infoset.search.simultaneous`; both count
and answer alike.

Each search is one function that calls itself. Functions that call each other in a circle cannot be
compiled for given types, since the first does not find the second yet; so each of them contains
what a search does at chance moves.
"""
