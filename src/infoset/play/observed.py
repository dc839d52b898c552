"""An opponent learned from its games, and a player that responds to it.

At an information set where an opponent was seen n times, and took the action c n(c) times, its
strategy is estimated as

    (s / |C| + n(c)) / (s + n),

the mean of a Dirichlet distribution that begins with s uniform observations; so where it was never
seen, all actions are equally likely, and none is ever excluded. The same is
:func:`infoset.strategy.models.learned`, for trees. Here the information sets are those that the
games have come to, by their labels, so that a game may be of any size.

Whoever searches its information set against such a model (:mod:`infoset.search.information`)
responds to what it has seen: both when it weighs where it may be and when it looks ahead. With many
games and full depth this tends to a best response; with few, it trusts what may be chance.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from infoset.errors import FileError, ParameterError
from infoset.play.player import Clock
from infoset.play.records import MatchGame, read_records, steps
from infoset.play.searching import InformationSetPlayer
from infoset.search.consistent.particles import PARTICLES
from infoset.strategy.models import rational
from infoset.text import brief, text
from infoset.tree.knowledge import labels_of_view
from infoset.tree.source import Source, source

Place = tuple[str, str, tuple[str, ...]]  # who moves, what it knows, the options


class ObservedStrategy:
    """The strategy that an entrant of recorded games seems to have: a function, as models are.

    Parameters
    ----------
    game
        The game that was played: any, of any size.
    games
        Games of a match, or the path of its record.
    entrant
        Whose moves are counted, by its number as :attr:`MatchGame.seats` has it, from 0 on; the
        moves of everyone if left out.
    strength
        How many observations at each information set the uniform strategy counts for: the larger,
        the slower one learns.

    Attributes
    ----------
    observations : int
        Moves that were counted.
    places : int
        Information sets at which there are any.

    Raises
    ------
    FileError
        If the record cannot be read, or a game of it is not of this game.
    ParameterError
        If the entrant has played none of the games.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.play import ObservedStrategy, StrategyPlayer, match
    >>> def timid(player, state, actions):
    ...     return {"bet": 1} if "K" in state else {"pass": 1}
    >>> played = match(kuhn(), [StrategyPlayer(timid), "random"], games=400)
    >>> seen = ObservedStrategy(kuhn(), played.games, entrant=0)
    >>> {move: round(float(chance), 2) for move, chance in
    ...     seen("dealer", "K, bet", ("pass", "bet")).items()}
    {'pass': 0.01, 'bet': 0.99}
    >>> seen("dealer", "A, bet", ("pass", "bet"))  # there is no ace
    {'pass': Fraction(1, 2), 'bet': Fraction(1, 2)}
    """

    def __init__(
        self,
        game: Any,
        games: str | Path | Sequence[MatchGame],
        entrant: int | None = None,
        strength: Any = 1,
    ) -> None:
        """Count the moves of all games."""
        self.game = game
        self.strength = rational("strength", strength, most=None)
        if not self.strength:
            raise ParameterError("strength=0: it must be positive, for sets without observations")
        self.observations = 0
        self._counts: dict[Place, dict[str, int]] = {}
        recorded = read_records(games) if isinstance(games, str | Path) else games
        played = source(game)
        for one in recorded:
            self._count(played, one, entrant)
        if not self.observations:
            entrants = sorted({number for one in recorded for number in one.seats.values()})
            known = (
                f"those there are: {', '.join(map(str, entrants))}" if entrants else "it is empty"
            )
            raise ParameterError(
                f"entrant {entrant} has no moves in the record; {known} (counted from 0 in Python,"
                " and from 1 in names of players)"
            )

    @property
    def places(self) -> int:
        """Information sets at which a move was counted."""
        return len(self._counts)

    def _count(self, game: Source, played: MatchGame, entrant: int | None) -> None:
        seats = game.seats
        players = [player for player, one in played.seats.items() if entrant in (None, one)]
        try:
            for position, moves in steps(game.start, played.record):
                for mover, move in zip(position.movers, moves, strict=False):
                    if seats.players[seats.player_of[seats.agent(mover)]] in players:
                        label = labels_of_view(position.view(mover))[0]
                        menu = position.options(mover)
                        counts = self._counts.setdefault(_place(mover, label, menu), {})
                        counts[text(move)] = counts.get(text(move), 0) + 1
                        self.observations += 1
        except FileError as error:
            raise FileError(
                f"game {played.number} of the record is not one of {brief(game.name)}: {error}"
            ) from None

    def __call__(
        self, player: str, state: str, legal_actions: Sequence[Hashable]
    ) -> dict[Hashable, Fraction]:
        """The probability of each action at an information set.

        Parameters
        ----------
        player
            Who moves.
        state
            The label of the information set; of a team, with the agent as ``state.player``.
        legal_actions
            What may be done there.
        """
        mover = getattr(state, "player", player)
        counts = self._counts.get(_place(mover, str(state), legal_actions), {})
        prior = self.strength / len(legal_actions)
        whole = self.strength + sum(counts.values())
        return {action: (prior + counts.get(text(action), 0)) / whole for action in legal_actions}


def _place(mover: str, label: str, menu: Sequence[Hashable]) -> Place:
    """What identifies an information set: where several menus are offered, labels do not."""
    return mover, label, tuple(map(text, menu))


class RespondingPlayer(InformationSetPlayer):
    """Searches its information set against opponents who move as in recorded games.

    Parameters
    ----------
    games
        Games of a match, or the path of its record. What they teach is counted when the first game
        begins.
    entrant, strength
        As of :class:`ObservedStrategy`.
    depth, samples, plays, sampling, particles
        As of :class:`InformationSetPlayer`.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.play import RespondingPlayer, StrategyPlayer, match
    >>> def timid(player, state, actions):
    ...     return {"bet": 1} if "K" in state else {"pass": 1}
    >>> before = match(kuhn(), [StrategyPlayer(timid), "random"], games=200).games
    >>> players = [RespondingPlayer(before, entrant=0, samples=40), StrategyPlayer(timid)]
    >>> match(kuhn(), players, games=200).standings()[0].low > 0
    True
    """

    def __init__(
        self,
        games: str | Path | Sequence[MatchGame],
        *,
        entrant: int | None = None,
        strength: Any = 1,
        depth: int = 4,
        samples: int = 100,
        plays: int = 1,
        sampling: str = "all",
        particles: int = PARTICLES,
    ) -> None:
        """Read the record; what it means is known when a game begins."""
        super().__init__(
            depth=depth, samples=samples, plays=plays, sampling=sampling, particles=particles
        )
        self.games = read_records(games) if isinstance(games, str | Path) else list(games)
        self.entrant, self.strength = entrant, strength
        self.learned: ObservedStrategy | None = None

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        if self.learned is None or self.learned.game is not game:
            self.learned = ObservedStrategy(game, self.games, self.entrant, self.strength)
            self.model = self.believed = self.learned
            self._histories = None
        super().begin(game, seat, clock)
