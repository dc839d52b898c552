"""Bridge at a table: calls by a bidding system, cards by any player.

A *bidder* is a function of a hand and the calls so far that returns a call with its reason, as
:func:`~infoset.objects.natural_bidding.natural` does. :class:`BridgePlayer` calls by one and leaves
the cards to another player. The others' calls say something about their hands only to who knows
their system: :func:`infoset.games.bridge.draw_by_auction` draws deals in which a bidder makes the
calls that were made.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from infoset.objects.natural_bidding import Bidder, natural
from infoset.play.player import Choice, Clock, Player, RandomPlayer, Seated


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
            return self.cards.choose(options)
        if isinstance(self.cards, Seated):
            self.cards.notes.append(("offered", options))
        facts = [what for kind, what in view if kind != "offered"]
        calls = [fact if isinstance(fact, str) else fact[1] for fact in facts[1:]]
        return self.bidder(facts[0], calls).call
