"""What is kept of an information set: sampled regrets, and the sum for the average strategy.

An information set is what its mover knows: the key ``(mover, view, options)``. It gets a row when a
play first comes there. In a file a row goes by the digest of its key (:mod:`.spelling`). Beside it
stands how the set reads, for those that no play meets again after the run was taken up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from infoset.errors import NotApplicable
from infoset.rules.story import brief
from infoset.solve.sampled.spelling import Key, Reading, digest, reread, written


class Row:
    """An information set that was met."""

    __slots__ = ("average", "key", "player", "regrets")

    def __init__(self, key: Key | None, player: int, size: int) -> None:
        """With nothing known of its options yet; no key if it comes from a file."""
        self.key = key
        self.player = player
        self.regrets = [0.0] * size  # [option] sampled regret, summed over weighted iterations
        self.average = [0.0] * size  # [option] the weights of the average strategy, not normalized


class Table:
    """The rows of a run, in the order in which they were met."""

    def __init__(self, *, digests: bool = False) -> None:
        """Empty; with digests if it is to be written to a file."""
        self.rows: list[Row] = []
        self.digests: dict[bytes, Row] | None = {} if digests else None
        self.forgiving = False  # is a row that no file can hold met late, and no reason to end?
        self.problem = ""  # why it cannot be written to a file any more
        self.readings: list[bytes] = []  # [row] how it reads, as far as a file had or has it
        self._known: dict[Key, Row] = {}

    def row(self, key: Key, player: int) -> Row:
        """The row of an information set, made if it is new."""
        found = self._known.get(key)
        if found is not None:
            return found
        name = self._digest(key)
        found = self._filed(key, name)
        if found is None:
            found = Row(key, player, len(key[2]))
            self.rows.append(found)
            self._known[key] = found
            if self.digests is not None and name:
                self.digests[name] = found
        return found

    def find(self, key: Key) -> Row | None:
        """The row of an information set, if it was met, in this run or before."""
        return self._known.get(key) or self._filed(key, self._digest(key))

    def _digest(self, key: Key) -> bytes:
        """What a file calls a key; nothing where there is no file, or it cannot be called so."""
        if self.digests is None:
            return b""
        try:
            return digest(key)
        except NotApplicable as problem:
            self._object(problem)
            return b""

    def _filed(self, key: Key, name: bytes) -> Row | None:
        """A row that came from a file, known by its key from now on."""
        found = self.digests.get(name) if self.digests is not None else None
        if found is None:
            return None
        if found.key is not None:  # and it is another, or it had been known
            alike = NotApplicable(
                f"{brief(key[0])}: two information sets read alike, {brief(repr(key[1]))}, so a"
                " checkpoint cannot tell them apart; give their facts a repr that differs"
            )
            self._object(alike)
            return None
        found.key = key
        self._known[key] = found
        return found

    def _object(self, problem: NotApplicable) -> None:
        """Say at once that no file can hold this table; late in a run, say it at its end."""
        if not self.forgiving:
            raise problem
        self.problem = self.problem or str(problem)

    def bound(self, players: int, weight: float) -> list[float]:
        """[player] the largest positive regrets of its sets, summed, over the weight of all."""
        total = [0.0] * players
        if not weight:
            return [float("inf")] * players
        for row in self.rows:
            most = max(row.regrets)
            if most > 0:
                total[row.player] += most
        return [part / weight for part in total]

    def columns(self, read: Callable[[Key], Reading]) -> dict[str, np.ndarray[Any, Any]]:
        """All rows as arrays, with how they read; for tables with digests."""
        assert self.digests is not None
        rows = self.rows
        for row in rows[len(self.readings) :]:  # the others came from a file, or went to one
            assert row.key is not None
            self.readings.append(written(read(row.key)))
        return {
            "digests": np.frombuffer(b"".join(self.digests), np.uint8).reshape(-1, 32),
            "players": np.array([row.player for row in rows], np.int16),
            "sizes": np.array([len(row.regrets) for row in rows], np.int32),
            "regrets": np.array([entry for row in rows for entry in row.regrets], np.float64),
            "averages": np.array([entry for row in rows for entry in row.average], np.float64),
            "readings": np.frombuffer(b"".join(self.readings), np.uint8),
            "lengths": np.array([len(reading) for reading in self.readings], np.int32),
        }

    def refill(self, columns: dict[str, np.ndarray[Any, Any]]) -> None:
        """Take the rows from arrays; their keys become known as plays come to them again."""
        assert self.digests is not None
        regrets, averages = columns["regrets"].tolist(), columns["averages"].tolist()
        if not len(regrets) == len(averages) == int(columns["sizes"].sum()):
            raise ValueError("the columns do not have the same number of options")
        at = 0
        for name, player, size in zip(
            columns["digests"], columns["players"].tolist(), columns["sizes"].tolist(), strict=True
        ):
            row = Row(None, player, size)
            row.regrets[:], row.average[:] = regrets[at : at + size], averages[at : at + size]
            self.rows.append(row)
            self.digests[name.tobytes()] = row
            at += size
        words, at = columns["readings"].tobytes(), 0
        for length in columns["lengths"].tolist():
            self.readings.append(words[at : at + length])
            at += length
        if not len(self.readings) == len(self.rows) or at != len(words):
            raise ValueError("the columns do not have the same number of information sets")

    def reading(self, at: int, read: Callable[[Key], Reading]) -> Reading:
        """How the information set of a row reads: by its key, or as the file had it."""
        key = self.rows[at].key
        return read(key) if key is not None else reread(self.readings[at])


def normalized(weights: Sequence[float]) -> list[float]:
    """Weights as probabilities; uniform where there are none.

    >>> normalized([1.0, 3.0]), normalized([0.0, 0.0])
    ([0.25, 0.75], [0.5, 0.5])
    """
    total = sum(weights)
    if total > 0:
        return [weight / total for weight in weights]
    return [1 / len(weights)] * len(weights)
