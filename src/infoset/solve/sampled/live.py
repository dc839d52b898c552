"""A play carried on within one run of the rules, where nothing of it is kept.

To step from position to position is to run the rules again at every step. A walk that only passes
through need not: whenever the rules ask, they are told the move at once, and go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from infoset.rules.blame import blamed
from infoset.rules.columns import PATIENCE
from infoset.rules.moves import (
    Lottery,
    Menu,
    Payoffs,
    as_lottery,
    deal_lottery,
    plain_terms,
    roll_lottery,
)
from infoset.rules.patience import OutOfPatience, Patience
from infoset.rules.play import EVERYTHING, not_together
from infoset.rules.position import Walkable
from infoset.rules.story import told
from infoset.rules.walk import Asked, View, Walk
from infoset.solve.sampled.chance import Chances, Nature

# What is asked: the walk, who is asked (nobody: nature draws), and the movers with their menus, or
# nature's chances. The answer is the number of the move; below 0: stop here.
Answer = Callable[["LiveWalk", str, Mapping[str, Menu], Chances | None], int]


class LiveWalk(Walk):
    """A walk along given moves, and then along those that it is told."""

    __slots__ = ("_answer", "_failed", "_game", "_nature", "moves")

    def __init__(
        self, game: Walkable, moves: Iterable[Any], nature: Nature, answer: Answer
    ) -> None:
        """Begin with these moves; ``answer`` tells the ones after them."""
        self.moves = list(moves)
        super().__init__(game.seats, self.moves)
        self._game = game
        self._nature = nature
        self._answer = answer
        self._failed: BaseException | None = None

    def choose(self, player: str, options: Iterable[Any], knowing: Any = EVERYTHING) -> Any:
        """See :meth:`Play.choose`."""
        agent, menu = self._menu(player, options)
        if knowing is not EVERYTHING:
            self._note(agent, "knows", knowing)
        if self._at == len(self.moves):
            name = self.agents[agent]
            self.moves.append(menu[self._told(name, {name: menu}, None)])
        return self._take(agent, menu)

    def together(self, menus: Mapping[str, Iterable[Any]]) -> dict[str, Any]:
        """See :meth:`Play.together`; some of the moves may be given, and the others told."""
        if not isinstance(menus, Mapping):
            raise not_together(menus)
        asked = {player: self._menu(player, options) for player, options in menus.items()}
        named = {self.agents[agent]: menu for agent, menu in asked.values()}
        for turn, (name, menu) in enumerate(named.items()):
            if self._at + turn == len(self.moves):
                self.moves.append(menu[self._told(name, named, None)])
        return {player: self._take(agent, menu) for player, (agent, menu) in asked.items()}

    def chance(self, outcomes: Iterable[Any], weights: Iterable[Any] | None = None) -> Any:
        """See :meth:`Play.chance`."""
        if self._at < len(self.moves):
            return self._drawn()
        return self._drawn(as_lottery, *plain_terms(outcomes, weights))

    def deal(self, deck: Iterable[Any], *sizes: int, hands: bool = False) -> Any:
        """See :meth:`Play.deal`."""
        return self._drawn(deal_lottery, deck, sizes, hands)

    def roll(self, sides: Any = 6, *, dice: int = 1) -> Any:
        """See :meth:`Play.roll`."""
        return self._drawn(roll_lottery, sides, dice)

    def _drawn(self, make: Callable[..., Lottery] = as_lottery, *terms: Any) -> Any:
        """Nature's move: the one that is given, or told when there is none."""
        if self._at == len(self.moves):
            chances = self._nature.chances(make, *terms)
            self.moves.append(chances.outcomes[self._told("", {}, chances)])
        move = self.moves[self._at]
        self._at += 1
        self.told.append((None, move))
        return move

    def _told(self, mover: str, menus: dict[str, Menu], chances: Chances | None) -> int:
        """The answer; whatever keeps it from coming is raised again once the rules are left."""
        if self._asked is not None:
            raise self._asked
        try:
            move = self._answer(self, mover, menus, chances)
        except BaseException as error:
            self._failed = error
            raise self._ask(menus, None) from None
        if move < 0:
            raise self._ask(menus, None)
        return move

    def offered(self, mover: str, menu: Menu) -> View:
        """What a mover knows who is asked, as its position would say."""
        return (*self.view(self.seats.agent(mover)), ("offered", menu))

    @property
    def made(self) -> int:
        """How many of the moves the rules have been told; the others are made at once with more."""
        return self._at

    def carry_on(self) -> Payoffs | None:
        """Run to the end of the game, and give its payoffs; None if it was stopped before."""
        with (
            blamed(repr(self._game), lambda: told(self.told), PATIENCE),
            Patience(PATIENCE, lambda: self._at),
        ):
            try:
                return self.result(self._game.rules)
            except Asked:
                if self._failed is None:
                    return None
                if isinstance(self._failed, OutOfPatience):
                    raise self._failed from None
        raise self._failed
