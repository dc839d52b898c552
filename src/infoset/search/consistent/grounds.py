"""How a history is continued until a player's observations disagree with a view, or agree with it.

**Rules.** A view is the list of the player's notes: what it saw, was offered and took, in order.
The notes of a history that leads to the view are a prefix of it at any moment. So
:class:`NotesWalk` compares each note when it is made, in the middle of a turn if need be, and the
run of the rules ends with the first that differs; own moves are read off the view. A player who
forgets (``knowing=``) notes from then on anew: while a view that begins with such a note may still
come, nothing can be excluded, and own moves are left to the model: other ones may be forgotten.

**Engines.** The views of a game on an engine of its own can only be compared where the player
moves. Given as a list of all views that it had so far, they exclude a history at the first of its
decisions that differs. Given as one view, nothing is excluded before the play is over.

**The last observation.** :class:`LastGround` looks for less than a view: own moves as the view has
them, and all that was noted since the last of them; whatever was noted before may be anything.

**Meetings.** With imperfect recall, a play can meet the same view more than once. All such
positions belong to the information set, each with the probability of reaching it. One of them is
looked for by its number, ``skip``: that many meetings are passed on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from infoset.errors import Endless, InfosetError, RulesError
from infoset.rules.moves import Menu
from infoset.rules.play import Playable
from infoset.rules.position import Position, ReplayPosition, TurnMoves, View
from infoset.rules.running import MAX_MOVES
from infoset.rules.seats import Seats
from infoset.rules.turns import State, TurnStart
from infoset.search.consistent.models import Model
from infoset.search.consistent.tried import Match, Tried, node
from infoset.solvers.sampling.places import ChanceMoves, Chances, LiveWalk, cumulated
from infoset.text import repr_text
from infoset.tree.knowledge import menu_of_view

LOST = -1  # of notes: no prefix of the view, which may still come if the player forgets

# Called at each question that has no answer yet; returns the number of the move, or -1: give up.
Ask = Callable[[Tried], int]


class Ground(Protocol):
    """Where histories are tried."""

    recurs: bool  # may a play meet the view more than once?

    def begin(self, position: Position) -> Any:
        """Where to go on from a position; its notes agree with the view so far."""

    def go_on(self, start: Any, moves: tuple[Hashable, ...], skip: int, ask: Ask) -> Match | None:
        """Continue after some moves, asking for more, until the view agrees or disagrees."""


class NotesStart(NamedTuple):
    """Where a run of the rules begins."""

    turn: TurnStart | None
    since: tuple[Any, ...]  # moves
    seen: int  # notes of the view that were made before the turn, or LOST
    met: int  # meetings before the turn


class NotesWalk(LiveWalk):
    """A run of the rules that ends when a player's notes differ from a view."""

    __slots__ = ("_met_before", "_own", "_seen_before", "_view", "agrees", "met", "seen", "skip")

    def __init__(
        self, ground: RulesGround, start: NotesStart, moves: tuple[Any, ...], skip: int, answer: Any
    ) -> None:
        """Along these moves, and then along those that ``answer`` returns."""
        begin: TurnMoves = (start.turn, (*start.since, *moves))
        super().__init__(ground.game, begin, ground.chances, answer)
        self._own, self._view = ground.agent, ground.view
        self.seen = self._seen_before = start.seen
        self.met = self._met_before = start.met
        self.skip = skip
        self.agrees = False

    def start(self) -> NotesStart:
        """Where to begin, to come here again."""
        since = tuple(self.moves[self._before :])
        return NotesStart(self.turn, since, self._seen_before, self._met_before)

    def meets(self, menu: Menu) -> bool:
        """Does the player, offered this menu, have the view?"""
        return self.seen == len(self._view) - 1 and self._view[self.seen][1] == menu

    def own_move(self, menu: Menu) -> int:
        """The number of the move that the view says was taken; the walk ends if it says none."""
        at, view = self.seen, self._view
        if at + 1 < len(view) and view[at] == ("offered", menu):
            word, option = view[at + 1]
            return menu.index(option) if word == "took" and option in menu else -1
        return -1

    def _next_turn(self, turn: TurnStart, state: State) -> TurnStart:
        self._seen_before, self._met_before = self.seen, self.met
        return super()._next_turn(turn, state)

    def _learn(self, agents: tuple[int, ...], fact: Hashable) -> None:
        super()._learn(agents, fact)
        if self.seen >= 0 and self._own in agents:
            self._saw(fact)

    def _saw(self, fact: Hashable) -> None:
        if self._view[self.seen] == ("saw", fact):
            self.seen += 1
        else:
            self._differs()

    def _know(self, agent: int, knowing: Hashable) -> None:
        super()._know(agent, knowing)
        if agent == self._own:
            if self._view[0] == ("knows", knowing):
                self.seen = 1
            else:
                self._differs()

    def _moved(self, agent: int, menu: Menu, option: Hashable) -> None:
        super()._moved(agent, menu, option)
        if self.seen >= 0 and agent == self._own:
            self._took(menu, option)

    def _took(self, menu: Menu, option: Hashable) -> None:
        at, view = self.seen, self._view
        if at + 1 < len(view) and view[at : at + 2] == (("offered", menu), ("took", option)):
            self.seen += 2
        else:
            self.met += self.meets(menu)
            self._differs()

    def _differs(self) -> None:
        """End the run, unless the view may still come."""
        if self._view[0][0] != "knows":
            raise self._ask({}, None)
        self.seen = LOST


class LastWalk(NotesWalk):
    """The same, but the view has own moves, and then only what was noted since the last of them."""

    __slots__ = ()

    def own_move(self, menu: Menu) -> int:
        """The number of the move that was taken here; the walk ends if it is not offered."""
        word, option = self._view[self.seen]
        return menu.index(option) if word == "took" and option in menu else -1

    def _saw(self, fact: Hashable) -> None:
        if self._view[self.seen][0] != "took":
            super()._saw(fact)

    def _took(self, menu: Menu, option: Hashable) -> None:
        if self._view[self.seen] == ("took", option):
            self.seen += 1
        else:
            self._differs()


class RulesGround:
    """A game given by its rules."""

    walk: type[NotesWalk] = NotesWalk

    def __init__(
        self, game: Playable, seats: Seats, player: str, view: Any, model: Model | None
    ) -> None:
        """With the view that is looked for."""
        self.game = game
        self.agent = seats.agent(player)
        self.own = seats.agents[self.agent]
        self.model = model
        self.chances = ChanceMoves()
        self.look_for(view)

    def look_for(self, view: Any) -> None:
        """Look for this view from now on."""
        if menu_of_view(view) is None:
            raise InfosetError(
                f"{self.game!r}: {repr_text(view)} is no view of {self.own} when it moves; give"
                f" position.view({self.own!r}), of a position where it does"
            )
        self.view: View = view
        self.recurs = view[0][0] == "knows"

    def extends(self, view: Any) -> bool:
        """Does a view continue the one that was looked for until now?"""
        known = self.view
        return not self.recurs and len(view) > len(known) and view[: len(known)] == known

    def begin(self, position: Position) -> NotesStart:
        """Where to go on from a position; its notes agree with the view so far."""
        assert isinstance(position, ReplayPosition)
        turn, since = position.begin
        seen = LOST if self.recurs else 0
        earlier = None if turn is None else turn.notes[self.agent]
        while earlier is not None:
            seen, earlier = seen + len(earlier.turn), earlier.before
        return NotesStart(turn, since, seen, 0)

    def go_on(
        self, start: NotesStart, moves: tuple[Hashable, ...], skip: int, ask: Ask
    ) -> Match | None:
        """Continue after some moves, asking for more, until the view agrees or disagrees."""
        own, model = self.own, self.model

        def answer(
            walk: NotesWalk, mover: str, menus: Mapping[str, Menu], chances: Chances | None
        ) -> int:
            if walk.before + len(walk.moves) > MAX_MOVES:
                raise Endless(
                    f"{self.game!r}: a play has gone on for {MAX_MOVES:,} moves without an end"
                )
            if chances is not None:
                outcomes, cumulative, probabilities = chances
                return ask(Tried(outcomes, probabilities, cumulative, walk.start()))
            if own in menus and walk.seen >= 0:
                if walk.meets(menus[own]) and walk.met == walk.skip:
                    walk.agrees = True
                    return -1
                if mover == own and not self.recurs:
                    return walk.own_move(menus[own])
            menu = menus[mover]
            row = None if model is None else model(mover, walk.offered(mover, menu), menu)
            return ask(node(menu, row, walk.start()))

        walk = self.walk(self, start, moves, skip, answer)
        walk.carry_on()
        if not walk.agrees:
            return None
        position = ReplayPosition.within(self.game, walk.turn, walk.path)
        return Match(position, walk.start())


class LastGround(RulesGround):
    """A game given by its rules, of whose view only the last observation is looked for.

    A view that begins with what a player knows since it has forgotten all else is looked for as it
    is: how many moves it made before is not known.
    """

    def look_for(self, view: Any) -> None:
        """Look for the last observation of this view from now on."""
        super().look_for(view)
        if self.recurs:
            return
        self.walk = LastWalk
        own = [note for note in view if note[0] == "took"]
        last = max((at for at, note in enumerate(view) if note[0] == "took"), default=-1)
        self.view = (*own, *view[last + 1 :])

    def extends(self, view: Any) -> bool:
        """Never: what disagrees with one observation may agree with the next."""
        return False


class EngineStart(NamedTuple):
    """Where a game on an engine of its own goes on."""

    position: Position
    chosen: tuple[Hashable, ...]  # by those who move simultaneously, so far
    seen: int  # decisions of the player before this position
    met: int  # meetings before


class EngineGround:
    """A game on an engine of its own, or a tree: positions are followed step by step."""

    def __init__(
        self, name: str, seats: Seats, player: str, view: Any, model: Model | None
    ) -> None:
        """With the views that the player had so far, or its last one."""
        self.name = name
        self.own = seats.agents[seats.agent(player)]
        self.model = model
        self.look_for(view)

    def look_for(self, view: Any) -> None:
        """Look for this view from now on."""
        self.recurs = not isinstance(view, list)
        self.views: Sequence[Hashable] = list(view) if isinstance(view, list) else [view]
        if not self.views:
            raise InfosetError(f"{self.name}: no view of {self.own} was given")

    def extends(self, view: Any) -> bool:
        """Does a list of views continue the one that was looked for until now?"""
        known = self.views
        continued = isinstance(view, list) and len(view) > len(known)
        return continued and not self.recurs and view[: len(known)] == known

    def begin(self, position: Position) -> EngineStart:
        """At the start of the game."""
        return EngineStart(position, (), 0, 0)

    def go_on(
        self, start: EngineStart, moves: tuple[Hashable, ...], skip: int, ask: Ask
    ) -> Match | None:
        """Continue after some moves, asking for more, until the view agrees or disagrees."""
        own, at, made = self.own, start, 0
        waiting = list(moves)
        while True:
            position, chosen, seen, met = at
            movers = position.movers
            if position.over:
                return None
            if own in movers and not chosen and not waiting:
                view = position.view(own)
                if self.recurs:
                    if view == self.views[0] and met == skip:
                        return Match(position, at)
                elif seen == len(self.views) or view != self.views[seen]:
                    return None
                elif seen == len(self.views) - 1:
                    return Match(position, at)
            if not waiting:
                made += 1
                if made > MAX_MOVES:
                    raise Endless(f"{self.name}: a play has gone on for {MAX_MOVES:,} moves")
                question = self._question(at)
                move = ask(question)
                if move < 0:
                    return None
                waiting.append(question.moves[move])
            chosen = (*chosen, waiting.pop(0))
            if len(chosen) < len(movers):
                at = at._replace(chosen=chosen)
                continue
            if own in movers:
                seen += 1
                met += self.recurs and position.view(own) == self.views[0]
            at = EngineStart(
                position.after(chosen if len(movers) > 1 else chosen[0]), (), seen, met
            )

    def _question(self, at: EngineStart) -> Tried:
        position, chosen = at.position, at.chosen
        if position.movers:
            mover = position.movers[len(chosen)]
            menu = tuple(position.options(mover))
            view = position.view(mover)
            row = None if self.model is None else self.model(mover, view, menu)
            return node(menu, row, at)
        chances = position.chances()
        if not chances:
            raise RulesError(
                f"{self.name}: no player moves, and the game is not over: {position!r}"
            )
        outcomes, row = zip(*chances, strict=True)
        fractions = [Fraction(one) for one in row]
        return Tried(outcomes, fractions, cumulated(fractions), at)
