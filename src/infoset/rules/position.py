"""Positions: a game walked move by move, without building its tree.

:class:`Position` is what search and play require of any game. A game with an engine of its own
implements it. A game written as rules has :class:`ReplayPosition`, which runs the rules along the
moves made so far and stops at the next question; a step costs one run up to that point. Of rules
turn by turn it runs the turn in progress, from the state that the turn before has returned.
:class:`Walk` is that run: it follows given moves and records what every agent knows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain
from typing import Any, ClassVar, Protocol, Self

from infoset.errors import RulesError
from infoset.objects.numbers import exact
from infoset.rules.knowledge import unhashable
from infoset.rules.moves import (
    Lottery,
    Menu,
    Payoffs,
    as_lottery,
    as_menu,
    check_menu,
    conclude,
    deal_lottery,
    roll_lottery,
    win_payoffs,
)
from infoset.rules.play import EVERYTHING, Play, Playable, not_together
from infoset.rules.running import SECONDS_PER_MOVE, TimeLimit, errors_located
from infoset.rules.seats import Seats
from infoset.rules.turns import (
    Note,
    Notes,
    State,
    TurnRules,
    TurnStart,
    dropped_win,
    next_state,
)
from infoset.text import history_text, place_text, text

# The beginning of a turn and the moves since then; None is the start of a game.
TurnMoves = tuple[TurnStart | None, tuple[Any, ...]]
View = tuple[tuple[str, Hashable], ...]  # ("saw", fact), ("offered", menu), ("took", option), ...


class Asked(BaseException):
    """Raised when the moves are used up and the rules ask for the next one."""

    def __init__(self, menus: dict[str, Menu], lottery: Lottery | None) -> None:
        """The menus of those who are asked; or the lottery of chance."""
        self.menus = menus
        self.lottery = lottery


class Walk(Play):
    """A play along given moves, which records what every agent knows."""

    __slots__ = (
        "_asked", "_at", "_before", "_moves", "_noted", "_notes", "_paid", "_wins", "_won_at",
        "history", "turn",
    )  # fmt: skip

    def __init__(self, seats: Seats, moves: Sequence[Any], turn: TurnStart | None = None) -> None:
        """With the moves to make, from the start of the game or of a turn.

        A simultaneous move is several moves, in order.
        """
        super().__init__(seats)
        self._moves = moves
        self._at = 0
        self._paid = None if turn is None else turn.paid
        self._wins: list[Payoffs] = []
        self._won_at = 0
        self._asked: Asked | None = None
        self._noted = None if turn is None else turn.notes  # before this turn
        self._notes: list[list[Note]] = [[] for _ in seats.agents]
        self._before = 0  # moves of this walk that were made before the turn in progress
        self.turn = turn  # where it began; None where rules are run from start to end
        self.history: list[tuple[str | None, object]] = []

    def view(self, agent: int) -> View:
        """All that an agent knows."""
        if self._noted is None or self._noted[agent] is None:
            return tuple(self._notes[agent])
        parts, earlier = [tuple(self._notes[agent])], self._noted[agent]
        while earlier is not None:
            parts.append(earlier.turn)
            earlier = earlier.before
        return tuple(chain.from_iterable(reversed(parts)))

    def choose(self, player: str, options: Iterable[Any], knowing: Any = EVERYTHING) -> Any:
        """See :meth:`Play.choose`."""
        agent, menu = self._menu(player, options)
        if knowing is not EVERYTHING:
            self._forget(agent, knowing)
        if self._at == len(self._moves):
            raise self._ask({self.agents[agent]: menu}, None)
        return self._take(agent, menu)

    def together(self, menus: Mapping[str, Iterable[Any]]) -> dict[str, Any]:
        """See :meth:`Play.together`."""
        if not isinstance(menus, Mapping):
            raise not_together(menus)
        asked = {player: self._menu(player, options) for player, options in menus.items()}
        if asked and self._at == len(self._moves):
            raise self._ask({self.agents[agent]: menu for agent, menu in asked.values()}, None)
        return {player: self._take(agent, menu) for player, (agent, menu) in asked.items()}

    def chance(self, outcomes: Iterable[Any], weights: Iterable[Any] | None = None) -> Any:
        """See :meth:`Play.chance`."""
        return self._drawn(as_lottery, outcomes, weights)

    def deal(self, deck: Iterable[Any], *sizes: int, hands: bool = False) -> Any:
        """See :meth:`Play.deal`."""
        return self._drawn(deal_lottery, deck, sizes, hands)

    def roll(self, sides: Any = 6, *, dice: int = 1) -> Any:
        """See :meth:`Play.roll`."""
        return self._drawn(roll_lottery, sides, dice)

    def reveal(self, players: str | Iterable[str], fact: Hashable) -> None:
        """See :meth:`Play.reveal`."""
        audience = self.seats.audience(players)
        if self._asked is not None:  # the rules are cleaning up: that is no part of the play
            return
        try:
            hash(fact)
        except TypeError:
            raise unhashable("the fact ", fact) from None
        self._learn(audience, fact)

    def pay(self, player: str, amount: Any) -> None:
        """See :meth:`Play.pay`."""
        number = self.seats.player(player)
        if self._asked is not None:  # the rules are cleaning up, as in reveal
            return
        paid = list(self._paid or (Fraction(0),) * len(self.players))
        paid[number] += exact(amount)
        self._paid = tuple(paid)

    def win(self, player: str, amount: Any = 1) -> Payoffs:
        """See :meth:`Play.win`."""
        return self._given_out(win_payoffs(self.seats, player, amount))

    def _given_out(self, payoffs: Payoffs) -> Payoffs:
        self._wins.append(payoffs)
        self._won_at = self._at
        return payoffs

    @property
    def paid(self) -> Payoffs | None:
        """What was paid so far, by player; None if nothing was."""
        return self._paid

    def result(self, rules: Callable[[Play], object]) -> Payoffs:
        """Run the rules along all the moves to the end of the game."""
        try:
            returned = self._take_turns(rules) if isinstance(rules, TurnRules) else rules(self)
        finally:
            if self._asked is not None:  # whatever the rules did when they were interrupted
                raise self._asked
        if self._at < len(self._moves):
            raise RulesError("the game ends before these moves do")
        went_on = self._won_at != self._at
        final = conclude(self.seats, returned, self._paid, self._wins, went_on)
        return tuple(Fraction(amount) for amount in final)

    def _take_turns(self, rules: TurnRules) -> object:
        """Run turn after turn to the end of the game, or to the next question."""
        if self.turn is None:
            self.turn = TurnStart(rules.first, (None,) * len(self.agents), None, None, (), 0)
        while True:
            returned, ended = next_state(rules.turn(self, self.turn.state))
            if ended or self._asked is not None:
                return returned
            if self._wins:
                raise dropped_win()
            self.turn = self._next_turn(self.turn, returned)

    def _next_turn(self, turn: TurnStart, state: State) -> TurnStart:
        """The beginning of the next turn; notes, moves and payments of this one are kept there."""
        noted = self._noted or turn.notes
        self._noted = tuple(
            [Notes(noted[agent], tuple(new)) if new else noted[agent]
             for agent, new in enumerate(self._notes)]
        )  # fmt: skip
        self._notes = [[] for _ in self.agents]
        history = tuple(self.history[self._before :])
        self._before = len(self.history)
        made = turn.made + len(history)
        return TurnStart(state, self._noted, self._paid, turn, history, made)

    @property
    def path(self) -> tuple[Any, ...]:
        """The moves that were made in the turn in progress, or from start to end."""
        return tuple(self._moves[self._before : self._at])

    def _ask(self, menus: dict[str, Menu], lottery: Lottery | None) -> Asked:
        if self._asked is None:
            self._asked = Asked(menus, lottery)
        return self._asked

    def _menu(self, player: str, options: Iterable[Any]) -> tuple[int, Menu]:
        if self._asked is not None:
            raise self._asked
        agent, menu = self.seats.agent(player), as_menu(options)
        if self._at >= len(self._moves):  # a menu that a move was taken from has been checked
            check_menu(menu)
        return agent, menu

    def _take(self, agent: int, menu: Menu) -> Any:
        player, move = self.agents[agent], self._moves[self._at]
        try:
            option = menu[menu.index(move)]  # equal to the move, and what the rules expect
        except ValueError:
            raise RulesError(
                f"{text(move)!r} is not among {player!r}'s options, {listed(menu)}"
            ) from None
        self._moved(agent, menu, option)
        self._at += 1
        self.history.append((player, option))
        return option

    def _drawn(self, make: Callable[..., Lottery], *terms: Any) -> Any:
        if self._at == len(self._moves):
            raise self._ask({}, make(*terms))
        move = self._moves[self._at]  # not searched for among the outcomes: there may be many
        self._at += 1
        self.history.append((None, move))
        return move

    def _forget(self, agent: int, knowing: Hashable) -> None:
        """Replace all that an agent knows."""
        try:
            hash(knowing)
        except TypeError:
            raise unhashable("knowing=", knowing) from None
        self._know(agent, knowing)

    # What is recorded of each agent's knowledge; subclasses may record it otherwise.

    def _learn(self, agents: tuple[int, ...], fact: Hashable) -> None:
        note = ("saw", fact)
        for agent in agents:
            self._notes[agent].append(note)

    def _know(self, agent: int, knowing: Hashable) -> None:
        self._notes[agent] = [("knows", knowing)]
        if self._noted is not None:
            self._noted = (*self._noted[:agent], None, *self._noted[agent + 1 :])

    def _moved(self, agent: int, menu: Menu, option: Hashable) -> None:
        self._notes[agent] += (("offered", menu), ("took", option))


def _no_progress() -> int:
    return 0


def listed(menu: Menu) -> str:
    """A menu for a message: the first options, if there are many."""
    return ", ".join(map(text, menu[:8])) + (", …" if len(menu) > 8 else "")


class Position(Protocol):
    """A state of a game, as search and play see it.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> deal = kuhn().position()
    >>> deal.movers, deal.chances()[0][1]
    ((), Fraction(1, 6))
    >>> first = deal.after("J Q")
    >>> first.movers, first.options("gambler")
    (('gambler',), ('pass', 'bet'))
    """

    @property
    def over(self) -> bool:
        """Whether the game has ended here."""

    @property
    def movers(self) -> tuple[str, ...]:
        """Who moves: no player at chance moves and at the end; several at a simultaneous move."""

    @property
    def payoffs(self) -> Mapping[str, Fraction]:
        """What each player gets, if the game is over."""

    def options(self, player: str) -> Sequence[Hashable]:
        """The legal moves of a player who moves.

        Parameters
        ----------
        player
            One of :attr:`movers`.

        Returns
        -------
        sequence
            The options, in the order of the rules.
        """

    def chances(self) -> Sequence[tuple[Hashable, Fraction]]:
        """The outcomes of a chance move, each with its probability."""

    def after(self, move: Hashable) -> Position:
        """The position after a move.

        Parameters
        ----------
        move
            An option of the mover or an outcome of chance; a simultaneous move is a tuple, in the
            order of the movers.

        Returns
        -------
        Position
            Where the move leads.
        """

    def view(self, player: str) -> Hashable:
        """All that a player knows.

        Parameters
        ----------
        player
            Any player, whether it moves here or not.

        Returns
        -------
        hashable
            Equal at two positions exactly if the player cannot distinguish them.
        """


class ReplayPosition:
    """A position in a game given by its rules; equal when reached by the same moves.

    Parameters
    ----------
    game
        Players and rules, such as a :class:`~infoset.rules.game.Game`.
    moves
        The moves so far; a simultaneous move is several, in the order of the movers.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> start = kuhn().position()
    >>> start.movers, len(start.chances())
    ((), 6)
    >>> dealt = start.after(start.chances()[0][0])
    >>> dealt.movers, dealt.options("gambler")
    (('gambler',), ('pass', 'bet'))
    """

    seconds: ClassVar[float] = SECONDS_PER_MOVE  # that a run may compute

    def __init__(self, game: Playable, moves: tuple[Any, ...] = ()) -> None:
        """The position after some moves."""
        self.game = game
        self._turn: TurnStart | None = None  # where to begin, and the moves since then
        self._since = moves

    @classmethod
    def within(cls, game: Playable, turn: TurnStart | None, since: tuple[Any, ...]) -> Self:
        """The position after some moves since the beginning of a turn, if there is one."""
        made = cls(game, since)
        made._turn = turn
        return made

    @cached_property
    def moves(self) -> tuple[Any, ...]:
        """All moves from the start of the game; a simultaneous move is several."""
        return self._since if self._turn is None else (*self._turn.moves_before(), *self._since)

    @property
    def plain(self) -> bool:
        """Whether the rules run from start to end, and not turn by turn."""
        return not isinstance(self.game.rules, TurnRules)

    @property
    def made(self) -> int:
        """The number of moves from the start of the game."""
        return len(self._since) + (0 if self._turn is None else self._turn.made)

    @property
    def begin(self) -> TurnMoves:
        """Where a run to this position may begin, and the moves to make since then."""
        return self._turn, self._since

    @property
    def state(self) -> State:
        """The state at the beginning of the turn in progress, of rules turn by turn.

        Raises
        ------
        RulesError
            If the rules are plain: they have no states.
        """
        turn = self._reached[0].turn
        if turn is None:
            raise RulesError(f"{self.name}: its rules run from start to end, and have no states")
        return turn.state

    @property
    def key(self) -> Hashable:
        """What identifies the rest of the game: positions with equal keys continue in the same way.

        Of rules turn by turn it is the state and the moves of the turn in progress: a turn is a
        function of the state, so that equal keys have the same moves, and the same payoffs but for
        what was :attr:`paid` before. Of plain rules it is all moves.

        Examples
        --------
        >>> from infoset import game
        >>> @game(players=("one", "two"), state=(7, "one"))
        ... def nim(g, state):
        ...     left, player = state
        ...     left -= g.choose(player, range(1, min(3, left) + 1))
        ...     g.reveal(g.players, left)
        ...     return (left, g.other(player)) if left else g.win(player)
        >>> start = nim().position()
        >>> start.after(1).after(2).key == start.after(2).after(1).key
        True
        """
        walk = self._reached[0]
        return self.moves if walk.turn is None else (walk.turn.state, walk.path)

    @property
    def paid(self) -> Payoffs | None:
        """What was paid by ``g.pay`` up to here, in the order of the players; None if nothing."""
        return self._reached[0].paid

    @property
    def name(self) -> str:
        """The name of the game."""
        return repr(self.game)

    def walk(self) -> Walk:
        """The run that leads here; subclasses may record more of it."""
        return Walk(self.game.seats, self._since, self._turn)

    @cached_property
    def _reached(self) -> tuple[Walk, dict[str, Menu], Lottery | None, Payoffs | None]:
        walk = self.walk()
        limit = TimeLimit(self.seconds, _no_progress)
        place, rules = partial(self._place_of, walk), self.game.rules
        with errors_located(self.name, place, self.seconds, limit), limit:
            try:
                return walk, {}, None, walk.result(rules)
            except Asked as asked:
                asked.__traceback__ = None  # it is kept, and would keep the frames of all callers
                return walk, asked.menus, asked.lottery, None

    @property
    def over(self) -> bool:
        """Whether the game has ended here."""
        return self._reached[3] is not None

    @property
    def movers(self) -> tuple[str, ...]:
        """Who moves: no player at chance moves and at the end; several at a simultaneous move."""
        return tuple(self._reached[1])

    @property
    def payoffs(self) -> dict[str, Fraction]:
        """What each player gets, if the game is over."""
        final = self._reached[3]
        if final is None:
            raise RulesError(f"{self.name}: no payoffs yet, the game is not over {self._when}")
        return {
            name: Fraction(pay) for name, pay in zip(self.game.seats.players, final, strict=True)
        }

    def options(self, player: str | None = None) -> Menu:
        """The legal moves of a player who moves.

        Parameters
        ----------
        player
            May be left out where only one moves.

        Returns
        -------
        tuple
            The options, in the order of the rules.

        Raises
        ------
        RulesError
            If the player does not move here.
        """
        menus = self._reached[1]
        if player is None and len(menus) == 1:
            return next(iter(menus.values()))
        player = self._agent(player)
        if player not in menus:
            movers = ", ".join(menus) or "no player"
            raise RulesError(f"{self.name}: {player!r} does not move here, {movers} does")
        return menus[player]

    @property
    def lottery(self) -> Lottery | None:
        """The outcomes of a chance move here, and apart from them their probabilities."""
        return self._reached[2]

    def chances(self) -> tuple[tuple[Hashable, Fraction], ...]:
        """The outcomes of a chance move here, each with its probability; else nothing."""
        lottery = self.lottery
        if lottery is None:
            return ()
        return tuple(zip(lottery.outcomes, lottery.probabilities, strict=True))

    def after(self, move: Any) -> Self:
        """The position after a move.

        Parameters
        ----------
        move
            An option or an outcome, itself or as it reads; a tuple of them, in the order of the
            movers, at a simultaneous move.

        Returns
        -------
        ReplayPosition
            Where the move leads.

        Raises
        ------
        RulesError
            If the move is not legal, or the game is over.
        """
        _, menus, lottery, final = self._reached
        if final is not None:
            raise RulesError(f"{self.name}: the game is over {self._when}")
        moves = (move,)
        menu_of: list[Menu] = [lottery.outcomes] if lottery else list(menus.values())
        if len(menu_of) > 1:
            if not isinstance(move, tuple) or len(move) != len(menu_of):
                raise RulesError(f"{self.name}: give a tuple of moves, for {', '.join(menus)}")
            moves = move
        made = tuple(self._found(one, menu) for one, menu in zip(moves, menu_of, strict=True))
        return self.made_here(made)

    def made_here(self, moves: tuple[Hashable, ...]) -> Self:
        """The position after moves that are known to be legal here, with nothing checked."""
        walk = self._reached[0]
        return self.within(self.game, walk.turn, walk.path + moves)

    def _found(self, move: Any, menu: Menu) -> Hashable:
        """A move in a menu, given as it is or as it reads."""
        if move in menu:
            return menu[menu.index(move)]
        for known in menu:
            if text(known) == move:
                return known
        raise RulesError(f"{self.name}: {move!r} is not among {listed(menu)} {self._when}")

    def view(self, player: str) -> View:
        """All that a player knows: facts seen, menus offered, options taken, in order.

        Parameters
        ----------
        player
            Any player or agent.

        Returns
        -------
        tuple
            Equal at two positions exactly if the player cannot distinguish them.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> start = kuhn().position()
        >>> start.after("J Q").view("gambler") == start.after("J K").view("gambler")
        True
        """
        walk, menus, _, _ = self._reached
        seen = walk.view(self.game.seats.agent(player))
        player = self._agent(player)
        return (*seen, ("offered", menus[player])) if player in menus else seen

    def _agent(self, player: str | None) -> str:
        """The agent's own name, where a player of one agent is called by the team's."""
        seats = self.game.seats
        return seats.agents[seats.agent(player)] if player in seats.agent_number else str(player)

    @property
    def _when(self) -> str:
        return self._place_of(self._reached[0])

    def _place_of(self, walk: Walk) -> str:
        earlier = [] if self._turn is None else self._turn.history_before()
        return place_text([*earlier, *walk.history])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ReplayPosition) and (self.game, self.moves) == (
            other.game,
            other.moves,
        )

    def __hash__(self) -> int:
        return hash((self.game, self.moves))

    def __str__(self) -> str:
        earlier = [] if self._turn is None else self._turn.history_before()
        return history_text([*earlier, *self._reached[0].history])

    def __repr__(self) -> str:
        return f"<Position of {self.name}: {self}>"
