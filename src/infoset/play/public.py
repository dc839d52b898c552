"""What is public in a game while it is played: what all players know that all players know.

Two things are, by the rules:

- a fact that they reveal to everybody at once;
- an option that a player took, if they then reveal the same to everybody else at once, alone or as
  a part of a fact, before anyone moves again. So in Kuhn poker "bet" is revealed to the dealer.

That a fact equals the option which somebody took may be a coincidence: what is told was something
else, of the same name. And the others may be told of a move without the mover's knowing that they
are. So the rules are run again, and the option counts only if

- where the mover takes something else instead, the others are told that, or nothing;
- where an earlier or simultaneous move is another one, and the mover cannot tell the difference,
  the others are told the option all the same.

Moves are replaced one at a time, and not all of them in a long game: this is a check of the rules,
and no proof. What is told to players one by one is never public, whether it is the same or not.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

from infoset.rules import Game
from infoset.rules.moves import Lottery, Menu
from infoset.rules.position import Asked, ReplayPosition, Walk
from infoset.rules.running import SECONDS_PER_MOVE, OutOfTime, TimeLimit

MOST_FOLLOWED = 1000  # moves of a game, of which it is found out what is public
MOST_REPLACED = 16  # of the moves before one, that are replaced to check it
MOST_TRIED = 24  # moves in place of each
SECONDS = 1.0  # of computing, for the checks of one move


class Public(NamedTuple):
    """Something that everybody knows: a fact, or an option and who took it."""

    what: Hashable
    who: str = ""


class Said(NamedTuple):
    """A fact as the rules told it."""

    at: int  # moves that were made before
    told: frozenset[int]  # agents
    fact: Hashable
    moved: Mapping[int, int]  # by agent, of those who moved last: the number of the move


class PublicMoves:
    """What is public in one game, as it goes on."""

    def __init__(self, game: Game) -> None:
        """Nothing yet."""
        self.game = game
        self.everyone = frozenset(range(len(game.seats.agents)))
        self.found: list[Public] = []
        self.menus: tuple[Menu, ...] = ()  # that were offered, in order
        self._read = 0  # facts that were told, whether they are public or not
        self._outcomes: dict[int, tuple[Hashable, ...]] = {}  # by the number of a chance move

    def after(self, position: ReplayPosition) -> tuple[Public, ...]:
        """All that is public at a position, which follows those that were asked about before."""
        if position.made <= MOST_FOLLOWED:
            try:
                with TimeLimit(SECONDS_PER_MOVE, lambda: 0):
                    run = self._run(position.moves)
            except (
                Exception,
                OutOfTime,
            ):  # the same moves lead elsewhere now; the game will say so
                return tuple(self.found)
            for said in run.said[self._read :]:
                self.found += self._public(run, said)
            self._read = len(run.said)
            self.menus = tuple([one for one in run.offered if isinstance(one, tuple)])
        return tuple(self.found)

    def _run(self, moves: Sequence[Any], looked_at: int | None = None) -> _Heard:
        run = _Heard(self.game.seats, moves, looked_at)
        with suppress(Asked):
            run.result(self.game.rules)
        return run

    def _public(self, run: _Heard, said: Said) -> Iterator[Public]:
        agents = self.game.seats.agents
        moves = run.made
        for agent, number in said.moved.items():
            if said.told | {agent} == self.everyone and _names(said.fact, moves[number]):
                try:
                    with TimeLimit(SECONDS, lambda: 0):
                        announced = self._announced(run, said, agent, number)
                except (Exception, OutOfTime):  # of the rules, on moves that were not made
                    announced = False
                if announced:
                    whole = said.told == self.everyone and said.fact != moves[number]
                    yield Public(said.fact) if whole else Public(moves[number], agents[agent])
                    return
        if said.told == self.everyone:
            yield Public(said.fact)

    def _announced(self, run: _Heard, said: Said, agent: int, number: int) -> bool:
        """Do the rules reveal to all others what this agent took, whatever it is?"""
        moves = run.made[: said.at]
        looked = self._run(moves, number).looked
        before = [at for at in range(said.at) if at != number][-MOST_REPLACED:]
        for at in (number, *reversed(before)):
            for other in self._others(run, at):
                tried = (*moves[:at], other, *moves[at + 1 :])
                with suppress(Exception):  # moves that are illegal now
                    again = self._run(tried, number)
                    told = again.announced(said.at, agent, self.everyone)
                    if told and not any(_names(fact, tried[number]) for fact in told):
                        return False
                    if at != number and again.looked == looked and not told:
                        return False
        return True

    def _others(self, run: _Heard, at: int) -> tuple[Hashable, ...]:
        """Some moves in place of one that was made."""
        if at not in self._outcomes:
            offered = run.offered[at]
            menu: Iterable[Hashable] = offered().outcomes if callable(offered) else offered
            self._outcomes[at] = tuple(islice(menu, MOST_TRIED))
        return tuple([one for one in self._outcomes[at] if one != run.made[at]])


class _Heard(Walk):
    """A run that notes what is told to whom, and what one move was made from."""

    __slots__ = ("looked", "looked_at", "moved", "offered", "said")

    def __init__(self, seats: Any, moves: Sequence[Any], looked_at: int | None) -> None:
        super().__init__(seats, moves)
        self.looked_at = looked_at
        self.looked: object = None  # who made that move, and all that it knew
        self.offered: list[Menu | Callable[[], Lottery]] = []  # by the number of a move
        self.moved: dict[int, int] = {}
        self.said: list[Said] = []

    @property
    def made(self) -> tuple[Any, ...]:
        """All moves."""
        return tuple([move for _, move in self.history])

    def announced(self, at: int, agent: int, everyone: frozenset[int]) -> list[Hashable]:
        """What was told to all but an agent after so many moves, the last one being its own."""
        return [
            said.fact
            for said in self.said
            if said.at == at and agent in said.moved and said.told | {agent} == everyone
        ]

    def choose(self, *given: Any, **named: Any) -> Any:
        """See :meth:`Walk.choose`."""
        self.moved = {}
        return super().choose(*given, **named)

    def together(self, menus: Any) -> dict[str, Any]:
        """See :meth:`Walk.together`."""
        self.moved = {}
        return super().together(menus)

    def _drawn(self, make: Callable[..., Lottery], *terms: Any) -> Any:
        self.moved = {}
        self.offered.append(lambda: make(*terms))
        return super()._drawn(make, *terms)

    def _moved(self, agent: int, menu: Menu, option: Hashable) -> None:
        number = len(self.history)
        if number == self.looked_at:
            self.looked = agent, self.view(agent), menu, option
        self.offered.append(menu)
        self.moved[agent] = number
        super()._moved(agent, menu, option)

    def _learn(self, agents: tuple[int, ...], fact: Hashable) -> None:
        self.said.append(Said(len(self.history), frozenset(agents), fact, dict(self.moved)))
        super()._learn(agents, fact)


def _names(fact: Hashable, option: Hashable) -> bool:
    """Is a fact an option, or one that has it as a part?"""
    return fact == option or (isinstance(fact, tuple) and option in fact)
