"""Bridge at a table: calls by a bidding system, cards by any player.

A *bidder* is a function of a hand and the calls so far that returns a call with its reason, as
:func:`~infoset.objects.natural_bidding.natural` does. :class:`BridgePlayer` calls by one and leaves
the cards to another player. The others' calls say something about their hands only to who knows
their system: :func:`infoset.objects.bridge_records.draw_worlds` draws deals in which a bidder makes
the calls that were made. :class:`SingleDummyPlayer` plays cards by such deals, double dummy.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import inf
from time import perf_counter
from typing import Any

from infoset.errors import NotApplicable
from infoset.objects.bridge_records import draw_worlds, read_view
from infoset.objects.natural_bidding import Bidder, natural
from infoset.play.player import Choice, Clock, Player, RandomPlayer, Seated
from infoset.play.searching import at_least_one
from infoset.rules import Game
from infoset.search.single_dummy import SingleDummySearch

MOVES, SAMPLES = 3, 20
DRAWING = 0.2  # of its time for a card, to draw deals
SPARE = 0.6  # of it that is used at all: a position that is being solved is solved to its end
PATIENCE = 2.0  # seconds for a card, where there is no clock and somebody waits


class BridgePlayer(Seated):
    """Calls by a bidding system, and leaves the cards to another player.

    Parameters
    ----------
    bidder
        From a hand and the calls so far, the dealer's first, to a :class:`Call`.
    cards
        Who plays the cards; at random if left out.

    Examples
    --------
    >>> from infoset.games import bridge
    >>> from infoset.play import RandomPlayer, play_game
    >>> from infoset.play.bridge import BridgePlayer
    >>> seats = {seat: BridgePlayer() for seat in ("north", "east", "south", "west")}
    >>> played = play_game(bridge(), seats, seed=5)
    >>> [move for seat, move in played.moves if isinstance(move, str) and seat in seats]
    ['pass', '2♠', 'double', '4♠', 'pass', 'pass', 'pass']
    """

    def __init__(self, bidder: Bidder = natural, cards: Player | None = None) -> None:
        """Nothing is called yet."""
        self.bidder = bidder
        self.cards = RandomPlayer() if cards is None else cards

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        super().begin(game, seat, clock)
        self.cards.begin(game, seat, clock)

    def told(self, fact: Hashable) -> None:
        """See :meth:`Player.told`."""
        super().told(fact)
        self.cards.told(fact)

    def took(self, option: Hashable) -> None:
        """See :meth:`Seated.took`."""
        super().took(option)
        getattr(self.cards, "took", lambda option: None)(option)

    def decide(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """The system's call, or the other player's card."""
        if not isinstance(options[0], str):
            if isinstance(self.cards, Seated):  # whoever asks may have told it nothing but the view
                return self.cards.decide(view, options)
            return self.cards.choose(options)
        facts = [what for kind, what in view if kind != "offered"]
        calls = [fact if isinstance(fact, str) else fact[1] for fact in facts[1:]]
        return self.bidder(facts[0], calls).call

    def skip(self, view: Any, options: tuple[Hashable, ...]) -> None:
        """The other player keeps what it keeps."""
        if isinstance(self.cards, Seated) and not isinstance(options[0], str):
            self.cards.skip(view, options)


class SingleDummyPlayer(Seated):
    """Plays cards of bridge by double-dummy solutions of deals that agree with what was seen.

    See :mod:`infoset.search.single_dummy`. A declarer plans several of its cards alike for all
    deals, by αμ; defenders play by PIMC. What counts is the contract, and then tricks; in a game
    that pays tricks, these alone.

    Parameters
    ----------
    moves
        How many cards a declarer plans, this one included; 1 is PIMC.
    samples
        Deals that are drawn for a card.
    bidder
        The system by which the others bid, as is supposed.
    patience
        Seconds for a card where there is no clock. If it is left out, each card depends on the seed
        alone.

    Attributes
    ----------
    solved : int
        Deals that were solved for the last card.

    Examples
    --------
    >>> from infoset.games import bridge
    >>> from infoset.play import match
    >>> from infoset.play.bridge import SingleDummyPlayer
    >>> ending = bridge(
    ...     ranks=3, suits=4, contract="1NT", deal="N:AQ..Q. - .K.A.A -", pays="contract")
    >>> match(ending, [SingleDummyPlayer, "random"], games=40).standings()[0].mean > 0
    True
    """

    def __init__(
        self,
        *,
        moves: int = MOVES,
        samples: int = SAMPLES,
        bidder: Bidder = natural,
        patience: float = inf,
    ) -> None:
        """Check the settings."""
        self.moves = at_least_one("moves", moves)
        self.samples = at_least_one("samples", samples)
        self.bidder = bidder
        self.patience = patience
        self.solved = 0
        self._search: SingleDummySearch | None = None

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        if not plays_bridge(game):
            raise NotApplicable(
                "this player plays cards of bridge() only; for other games give pimc or alphamu"
            )
        super().begin(game, seat, clock)
        if self._search is None:
            self._search = SingleDummySearch()
            self._search.warm_up()  # no clock runs yet
        self._search.pays = "tricks" if game.params["pays"] == "tricks" else "contract"

    def decide(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """The card whose plan is the best over the deals; of calls any."""
        if isinstance(options[0], str):
            return self.clock.random.choice(options)
        assert self._search is not None
        known = read_view(view, self.seat, True, self.game.params)
        assert known.contract is not None
        clock = self.clock
        patience = min(self.patience, clock.seconds)
        worlds = draw_worlds(
            known,
            self.samples,
            clock.random,
            self.bidder,
            over=lambda: perf_counter() - clock.started > DRAWING * patience,
        )
        declares = known.contract.declarer == self.seat
        self._search.moves = self.moves if declares else 1
        seconds = SPARE * patience - (perf_counter() - clock.started)
        self._search.seconds = None if seconds == inf else max(seconds, 0.001)
        found = self._search.card(worlds, known.contract, known.cards)
        self.solved = found.worlds
        return found.card

    def skip(self, view: Any, options: tuple[Hashable, ...]) -> None:
        """Nothing is kept."""


def plays_bridge(game: Any) -> bool:
    """Is this the bridge of the library?

    >>> from infoset.games import bridge, kuhn
    >>> plays_bridge(bridge()), plays_bridge(kuhn())
    (True, False)
    """
    return isinstance(game, Game) and game.family.rules.__module__ == "infoset.games.bridge"


def bridge_player(
    moves: int = MOVES, samples: int = SAMPLES, patience: float = inf
) -> BridgePlayer:
    """Who bids by the natural system, and plays cards by :class:`SingleDummyPlayer`.

    Parameters
    ----------
    moves, samples, patience
        As of :class:`SingleDummyPlayer`.
    """
    cards = SingleDummyPlayer(moves=moves, samples=samples, patience=patience)
    return BridgePlayer(natural, cards)
