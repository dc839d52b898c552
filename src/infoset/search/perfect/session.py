"""What all searches with perfect information share: settings, keys, leaves, evaluations, budget."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from time import perf_counter
from typing import Any

from infoset.errors import NotApplicable, ParameterError, nearest
from infoset.rules import Position, ReplayPosition
from infoset.search.limits import SearchStopped, evaluated, within
from infoset.search.plays import Evaluate, Playouts
from infoset.search.settings import Bounds, exact_bounds, is_real, is_whole
from infoset.text import brief
from infoset.tree.positions import TreePosition
from infoset.tree.source import Source

Alike = Callable[[Position], Hashable]  # equal where only what was paid before differs
Amount = int | Fraction

BACKUPS = ("minimax", "paranoid", "max-n")
SIZE = 1_000_000  # entries of a table


@dataclass(frozen=True)
class PerfectSettings:
    """Settings of a search with perfect information; see :class:`PerfectSearch`."""

    depth: int | None = None
    seconds: float | None = None
    max_nodes: int | None = None
    evaluate: Evaluate | None = None
    alike: Alike | None = None
    backup: str | None = None
    bounds: Any = None
    table_size: int = SIZE
    ordering: bool = True
    deepening: bool | None = None
    stop: Callable[[], bool] | None = None

    def __post_init__(self) -> None:
        for name in ("evaluate", "alike", "stop"):
            given = getattr(self, name)
            if given is not None and not callable(given):
                raise ParameterError(f"{name}={given!r:.60}: it must be a function")
        for name, least in (("depth", 1), ("max_nodes", 1), ("table_size", 0)):
            given = getattr(self, name)
            missing = given is None and name != "table_size"
            if not missing and not (is_whole(given) and given >= least):
                raise ParameterError(f"{name}={given!r:.60}: it must be a whole number, {least} up")
        if self.seconds is not None and not (is_real(self.seconds) and self.seconds >= 0):
            raise ParameterError(f"seconds={self.seconds!r:.60}: it must be 0 or more")
        if not isinstance(self.ordering, bool):
            raise ParameterError(f"ordering={self.ordering!r:.60}: it must be True or False")
        if not isinstance(self.deepening, bool | None):
            raise ParameterError(f"deepening={self.deepening!r:.60}: it must be True or False")
        if self.backup is not None and self.backup not in BACKUPS:
            raise ParameterError(f"backup={self.backup!r:.40}: {nearest(self.backup, BACKUPS)}")
        if self.bounds is not None:
            object.__setattr__(self, "bounds", exact_bounds(self.bounds))


class Session:
    """One game being searched: what is asked of its positions, and how much work is left."""

    def __init__(self, source: Source, settings: PerfectSettings) -> None:
        """Choose how values are backed up, and who evaluates."""
        self.source = source
        self.settings = settings
        self.players = source.seats.players
        self.backup = settings.backup or self._default_backup()
        self.player_of = source.seats.player_number  # by the player's name or an agent's
        own = getattr(source.start, "evaluate", None)
        self.evaluate = settings.evaluate or (None if own is None else _own_evaluation)
        self.plays_on = isinstance(self.evaluate, Playouts)  # evaluated unseen, see Playouts
        self.nodes = self.hits = 0
        self._total: Amount | None = None  # of all payoffs of a constant-sum game
        self._deadline = inf
        self._last_node = inf

    def _default_backup(self) -> str:
        if len(self.players) > 2:
            raise ParameterError(
                f"{self.source.name}: of {len(self.players)} players, say how they play:"
                " backup='max-n' (each for itself) or backup='paranoid' (all against one)"
            )
        return "minimax"

    # ------------------------------------------------------------------ positions

    def key(self, position: Position) -> Hashable:
        """What identifies the class of a position."""
        if self.settings.alike is not None:
            return self.settings.alike(position)
        itself: Any = position
        found: Hashable = getattr(position, "key", itself)
        return found

    def leaf(self, position: Position) -> tuple[Amount, ...]:
        """What the players get at an end of the game, in order."""
        return self._paid(position.payoffs)

    def played(self, position: Position) -> tuple[Amount, ...]:
        """The mean of what the players get in plays at random from a position, in order."""
        assert isinstance(self.evaluate, Playouts)
        paid = [self._paid(payoffs) for payoffs in self.evaluate.payoffs(position)]
        if len(paid) == 1:
            return paid[0]
        return tuple([plain(Fraction(sum(each), len(paid))) for each in zip(*paid, strict=True)])

    def _paid(self, payoffs: Mapping[str, Fraction]) -> tuple[Amount, ...]:
        paid = tuple([plain(payoffs[player]) for player in self.players])
        if self.backup == "minimax" and len(paid) == 2:
            total = paid[0] + paid[1]
            if self._total is None:
                self._total = total
            elif total != self._total:
                raise NotApplicable(
                    f"{self.source.name}: backup='minimax' takes two players only with a constant"
                    f" sum, but the payoffs sum to {self._total} and to {total}; give"
                    " backup='max-n' or backup='paranoid'"
                )
        return paid

    def checked_leaf(self, position: Position, seat: int, bounds: Bounds) -> Amount:
        """What one player gets at an end of the game, refused outside of the bounds."""
        amount, (low, high) = self.leaf(position)[seat], bounds
        if (low is not None and amount < low) or (high is not None and amount > high):
            player = self.players[seat]
            within(bounds, Fraction(amount), self.source.name, player, f"at {_shown(position)}")
        return amount

    def horizon(self, position: Position, seat: int, bounds: Bounds) -> Amount:
        """An estimate of what one player gets from a position at the horizon on."""
        evaluate, player, name = self.evaluate, self.players[seat], self.source.name
        if evaluate is None:
            raise ParameterError(
                f"{name}: depth={self.settings.depth} ends the search at {_shown(position)}, where"
                " the game goes on; give evaluate=, a function of a position and a player"
            )
        amount = plain(evaluated(lambda at: evaluate(at, player), position, name, "evaluate"))
        low, high = bounds
        if (low is not None and amount < low) or (high is not None and amount > high):
            raise ParameterError(
                f"{name}: evaluate= gave {amount} at {_shown(position)}, outside of the bounds"
                f" {low} to {high} of what {player} gets"
            )
        return amount

    def bounds(self, seat: int) -> Bounds:
        """Bounds of a player's payoff, None where they are not known."""
        start = self.source.start
        if self.settings.bounds is not None:
            given: Bounds = self.settings.bounds
            return given
        if seat == 0:
            return self.source.bounds or (None, None)
        if isinstance(start, TreePosition):
            amounts = start.tree.leaf_payoffs[seat]
            ends = int(amounts.numerators.argmin()), int(amounts.numerators.argmax())
            return Fraction(amounts[ends[0]]), Fraction(amounts[ends[1]])
        declared = (
            getattr(start.game, "bounds", None) if isinstance(start, ReplayPosition) else None
        )
        return declared or (None, None)

    def movers(self, position: Position, seat: int, first: str | None = None) -> tuple[str, ...]:
        """Who chooses, in order: the player whose value it is, then the others, who see it all."""
        movers = position.movers
        if len(movers) < 2:
            return movers
        return tuple(
            sorted(movers, key=lambda mover: (mover != first, self.player_of[mover] != seat))
        )

    # ------------------------------------------------------------------ the budget

    def begin(self) -> None:
        """Give the next search its time and its nodes."""
        settings = self.settings
        self._deadline = inf if settings.seconds is None else perf_counter() + settings.seconds
        self._last_node = inf if settings.max_nodes is None else self.nodes + settings.max_nodes

    def visit(self) -> None:
        """Count a position; stop where the budget is spent."""
        if self.nodes >= self._last_node or (
            self._deadline < inf and perf_counter() >= self._deadline
        ):
            raise SearchStopped
        self.nodes += 1
        if self.settings.stop is not None and self.nodes % 64 == 0 and self.settings.stop():
            raise SearchStopped

    @property
    def limited(self) -> bool:
        """May a search be stopped before it is done?"""
        settings = self.settings
        return not (settings.seconds is None and settings.max_nodes is None)

    @property
    def deepens(self) -> bool:
        """Is iterative deepening used?"""
        asked = self.settings.deepening
        if asked and self.evaluate is None:
            raise ParameterError(
                f"{self.source.name}: deepening=True needs evaluate=, a function of a position and"
                " a player"
            )
        return self.limited and self.evaluate is not None if asked is None else asked


def plain(amount: Any) -> Amount:
    """The same number, as an int if it is whole: these are faster."""
    if amount.denominator == 1:
        return int(amount.numerator)
    return amount  # type: ignore[no-any-return]


def offset(position: Position, seat: int) -> Amount:
    """What was paid to a player so far, if the position tells."""
    paid = getattr(position, "paid", None)
    return 0 if paid is None else plain(paid[seat])


def _own_evaluation(position: Position, player: str) -> Any:
    return position.evaluate(player)  # type: ignore[attr-defined]


def _shown(position: Position) -> str:
    return brief(repr(position), 100)
