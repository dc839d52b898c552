"""Every play of a game, by running its rules again and again: replay with backtracking.

The rules are run once for each leaf. A run is fed the choices of a *script*, the path to where the
last run left something untried; from its end on, the run takes the first option of whatever it is
asked and so extends the path down to a leaf. Then the last choice with an option left is advanced,
everything after it is dropped, and the rules run again. No state of the game is ever copied.

Work. While the script lasts, a question is answered by one look-up, and ``reveal`` and ``pay`` do
nothing: what the agents know at the end of the script is kept with its last choice. So the replayed
prefix costs little more than the rules' own code, and what is built costs O(1) a step. Rules turn
by turn are replayed from the beginning of the turn in which that choice is made.

Rules must repeat themselves. At the last choice of every script, who is asked and from what must be
what it was, and a run must not end before its script. The rest is left to an audit of some plays.

A game without an end is found out early. Each run repeats the play so far, so that to come to a
depth of d moves by backtracking takes d² / 2 answers. Where plays get long, one run tries whether
they go on as they have so far (:func:`~infoset.rules.estimate.goes_on`), past the limit on moves.

The columns that come out are those of :class:`infoset.tree.Tree`, nodes in depth-first order.
"""

from __future__ import annotations

import gc
import struct
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from fractions import Fraction
from functools import partial
from typing import Any

from infoset.errors import Endless, NotRepeatable, RulesError
from infoset.objects.numbers import exact
from infoset.rules.estimate import Outlook, Probes, goes_on, ground_of
from infoset.rules.knowledge import Knowledge, unhashable
from infoset.rules.moves import (
    CHANCE,
    FEW_OUTCOMES,
    Lotteries,
    Lottery,
    Menu,
    Payoffs,
    as_lottery,
    as_menu,
    conclude,
    deal_lottery,
    plain_terms,
    roll_lottery,
    win_payoffs,
)
from infoset.rules.play import EVERYTHING, Play, Playable, error_was_caught, not_together
from infoset.rules.position import ReplayPosition
from infoset.rules.running import CHECK_EVERY, Limits, TimeLimit, errors_located
from infoset.rules.seats import Seats
from infoset.rules.turns import TurnRules, dropped_win, next_state
from infoset.text import place_text, question_text

LEAVES = -(2**30)  # in the column `what`: payoffs number 0; the next are counted downwards

LONG = 100  # moves of a play, from which on it is tried whether plays go on without an end

# A choice on the way: how many of its options are not done with yet; the menu; the node; what the
# agents know there; what is paid so far; the agent or CHANCE; and the state of knowledge after
# option 0, or the number of the lottery.
Frame = list[Any]


class Columns:
    """What a depth-first walk over all plays writes down, and the payoffs that it points to.

    ``what`` has one entry a node, its kind: an information set's number at a decision;
    ``-1 - lottery`` at a chance node; ``LEAVES - payoffs`` where the game is over. A run of the
    rules goes from where it leaves the runs before it straight down to a leaf, by first options.
    So the shape of the tree needs only two entries a run: ``above`` and ``taken``, the node and the
    option below which its first new node hangs. ``known`` has, for every decision, the states of
    knowledge that the agents are in.

    New entries are appended to lists, which Python does fast, and packed away into four bytes each
    now and then.
    """

    __slots__ = ("_packed", "above", "known", "payoffs", "taken", "what")

    def __init__(self) -> None:
        """No nodes."""
        self.what: list[int] = []
        self.above = [-1]  # nothing is above the root
        self.taken = [-1]
        self.known: list[int] = []
        self.payoffs: list[Payoffs] = []
        self._packed = (bytearray(), bytearray(), bytearray(), bytearray())

    def pack(self) -> None:
        """Move the lists' entries into packed storage."""
        if not self.what:  # the storage may be in use by then
            return
        fresh_entries = (self.what, self.above, self.taken, self.known)
        for stored, fresh in zip(self._packed, fresh_entries, strict=True):
            stored += struct.pack(f"{len(fresh)}i", *fresh)
            fresh.clear()

    def packed(self) -> tuple[bytearray, ...]:
        """All of what, above, taken and known, as 32-bit integers in the machine's order."""
        self.pack()
        return self._packed


class Replay(Play):
    """A play that follows a script, then writes the tree's columns as it goes on."""

    __slots__ = (
        "_agent",
        "_audience",
        "_checkpoint",
        "_depth",
        "_first_offer",
        "_frames",
        "_given",
        "_joint",
        "_known",
        "_last",
        "_limits",
        "_menu",
        "_mover",
        "_paid",
        "_payoff_number",
        "_result_number",
        "_script",
        "_scripted",
        "_steps",
        "_turns",
        "_what",
        "_wins",
        "_won_at",
        "columns",
        "knowledge",
        "lotteries",
        "nodes",
    )

    def __init__(self, seats: Seats, limits: Limits) -> None:
        """An empty script and no nodes."""
        super().__init__(seats)
        self.columns = Columns()
        self.knowledge = Knowledge(seats)
        self.lotteries = Lotteries()
        self._limits = limits
        self._checkpoint = min(CHECK_EVERY, limits.max_moves)
        self._agent = seats.agent_number
        self._what = self.columns.what
        self._joint = self.columns.known
        self.nodes = 0
        self._audience: dict[Any, tuple[int, ...]] = {
            **seats.members,
            seats.players: tuple(range(len(seats.agents))),
        }
        self._first_offer = self.knowledge.first_offer
        self._steps = self.knowledge.steps
        # The script: its answers, and for each what is needed to go back there.
        self._script: list[Any] = []
        self._frames: list[Frame] = []
        # Where this run is. Answers before `_last` come from the script unchecked.
        self._depth = 0
        self._scripted = 0
        self._last = -1
        self._mover = CHANCE  # who was asked at `_last`, and from what
        self._menu: Menu = ()
        # What holds at the end of the script.
        self._known = list(range(len(seats.agents)))
        self._paid: Payoffs | None = None
        self._given: list[Payoffs] = []  # what g.win has given out in this run
        self._won_at = 0
        self._turns: list[tuple[int, Any]] = []  # moves before each turn, and its state
        # Numbers already given, by what the rules said.
        self._result_number: dict[Any, int] = {}
        self._payoff_number: dict[Payoffs, int] = {}
        self._wins = seats.wins

    # -------------------------------------------------------------------- what the rules may say

    def choose(self, player: str, options: Iterable[Any], knowing: Any = EVERYTHING) -> Any:
        """See :meth:`Play.choose`. Hot: all that happens at a decision node happens here."""
        depth = self._depth
        self._depth = depth + 1
        if depth < self._last:
            return self._script[depth]
        try:
            agent = self._agent[player]
        except (KeyError, TypeError):
            agent = self.seats.agent(player)  # says what is wrong with it
        if depth == self._last:
            menu = self._menu
            if agent != self._mover or (
                options is not menu and len(menu) <= FEW_OUTCOMES and as_menu(options) != menu
            ):
                raise self._changed(player, as_menu(options))
            return self._script[depth]
        menu = options if type(options) is tuple else as_menu(options)
        known = self._known
        state = known[agent] if knowing is EVERYTHING else self.knowledge.only(agent, knowing)
        offer = self._first_offer[state]
        if offer is None or (offer.menu is not menu and offer.menu != menu):
            offer = self.knowledge.offer(agent, state, menu)
        self._what.append(offer.number)
        self._joint += known
        node = self.nodes
        self.nodes = node + 1
        after = offer.after
        self._frames.append([len(menu), menu, node, known, self._paid, agent, after])
        option = menu[0]
        self._script.append(option)
        self._known = known = [*known]
        known[agent] = after
        if node >= self._checkpoint:
            self._check_limits()
        return option

    def together(self, menus: Mapping[str, Iterable[Any]]) -> dict[str, Any]:
        """See :meth:`Play.together`."""
        if not isinstance(menus, Mapping):
            raise not_together(menus)
        return {player: self.choose(player, options) for player, options in menus.items()}

    def chance(self, outcomes: Iterable[Any], weights: Iterable[Any] | None = None) -> Any:
        """See :meth:`Play.chance`."""
        depth = self._depth
        if depth < self._last:
            self._depth = depth + 1
            return self._script[depth]
        return self._draw(as_lottery, *plain_terms(outcomes, weights))

    def deal(self, deck: Iterable[Any], *sizes: int, hands: bool = False) -> Any:
        """See :meth:`Play.deal`."""
        depth = self._depth
        if depth < self._last:
            self._depth = depth + 1
            return self._script[depth]
        return self._draw(deal_lottery, deck, sizes, hands)

    def roll(self, sides: Any = 6, *, dice: int = 1) -> Any:
        """See :meth:`Play.roll`."""
        depth = self._depth
        if depth < self._last:
            self._depth = depth + 1
            return self._script[depth]
        return self._draw(roll_lottery, sides, dice)

    def reveal(self, players: str | Iterable[str], fact: Hashable) -> None:
        """See :meth:`Play.reveal`."""
        if self._depth < self._scripted:
            return
        try:
            audience = self._audience[players]
        except (KeyError, TypeError):
            audience = self.seats.audience(players)
            if type(players) is tuple:
                self._audience[players] = audience
        known, steps = self._known, self._steps
        for agent in audience:
            state = known[agent]
            try:
                told = steps.get((state, fact))
            except TypeError:
                raise unhashable("the fact ", fact) from None
            known[agent] = self.knowledge.learn(state, fact) if told is None else told

    def pay(self, player: str, amount: Any) -> None:
        """See :meth:`Play.pay`."""
        if self._depth < self._scripted:
            return
        number = self.seats.player(player)
        paid = list(self._paid or (0,) * len(self.players))
        paid[number] += amount if type(amount) is int else exact(amount)
        self._paid = tuple(paid)

    def win(self, player: str, amount: Any = 1) -> Payoffs:
        """See :meth:`Play.win`."""
        try:
            won = self._wins[player, amount]
        except (KeyError, TypeError):
            won = win_payoffs(self.seats, player, amount)
            if type(amount) is int:  # 0.1 is 1/10 and equals a fraction that is not
                self._wins[player, amount] = won
        self._given.append(won)
        self._won_at = self._depth
        return won

    def _given_out(self, payoffs: Payoffs) -> Payoffs:
        self._given.append(payoffs)
        self._won_at = self._depth
        return payoffs

    # -------------------------------------------------------------------- along one play

    def _changed(self, player: str | None, options: Iterable[Any]) -> NotRepeatable:
        before = question_text(self._name(self._mover), self._menu)
        now = question_text(player, options)
        return NotRepeatable(f"one run {before}, another with the same choices {now}")

    def _draw(self, lottery: Callable[..., Lottery], *terms: Any) -> Any:
        """A chance move."""
        depth = self._depth
        self._depth = depth + 1
        if depth == self._last:
            if self._mover != CHANCE or self.lotteries.changed(self._frames[-1][6], lottery, terms):
                raise self._changed(None, ())
            return self._script[depth]
        number, outcomes = self.lotteries.number(lottery, terms)
        self._what.append(-1 - number)
        node = self.nodes
        self.nodes = node + 1
        count = len(outcomes)
        self._frames.append([count, outcomes, node, self._known, self._paid, CHANCE, number])
        self._script.append(outcomes[0])
        self._known = [*self._known]
        if node >= self._checkpoint:
            self._check_limits()
        return outcomes[0]

    def _check_limits(self) -> None:
        """Compare the tree, the play and the memory with their limits; called now and then."""
        limits, node = self._limits, self.nodes
        self.columns.pack()
        if len(self._frames) > limits.max_moves:
            raise endless(limits.max_moves)
        limits.check_memory(node)
        gc.collect(0)  # cycles that the rules' own functions make; only what is new is looked at
        # A node makes a play longer by one move at most, so that none is overlooked.
        moves = limits.max_moves - len(self._frames)
        self._checkpoint = node + min(CHECK_EVERY, moves)

    @property
    def moves(self) -> list[tuple[str, Menu, Any]]:
        """The play so far: who moved ("" for chance), the menu, and the move."""
        path = zip(self._frames, self._script, strict=True)
        return [(self._name(frame[5]) or "", frame[1], move) for frame, move in path]

    def _name(self, agent: int) -> str | None:
        return None if agent == CHANCE else self.agents[agent]

    def place(self) -> str:
        """The history so far, for a message."""
        moves = zip(self._frames, self._script, strict=False)
        return place_text([(self._name(frame[5]), move) for frame, move in moves])

    # -------------------------------------------------------------------- all plays

    def explore(self, rules: Callable[[Play], object], until: int) -> bool:
        """Run the rules until every play has been seen, or there are more nodes than so many.

        Returns whether every play has been seen; if not, the next call goes on.
        """
        frames, script = self._frames, self._script
        what, numbers, given = self._what, self._result_number, self._given
        above, taken = self.columns.above, self.columns.taken
        if isinstance(rules, TurnRules):
            rules = partial(self._take_turns, rules)
        while self.nodes <= until:
            self._depth = 0
            result = rules(self)
            if self._depth != len(script):
                raise self._astray()
            if self._paid is not None:
                result = self._final(result)
            elif given and given[-1] is not result:
                self._check_won(result)
            try:
                number = numbers[result]
            except (KeyError, TypeError):
                number = self._payoffs(result)
            what.append(LEAVES - number)
            self.nodes += 1
            # Back to the last choice that has an option left, and on with it.
            while frames and frames[-1][0] == 1:
                frames.pop()
                script.pop()
            if not frames:
                return True
            frame = frames[-1]
            left, menu, node, known, self._paid, agent, after = frame
            frame[0] = left = left - 1
            option = len(menu) - left
            script[-1] = menu[option]
            above.append(node)
            taken.append(option)
            self._known = state = [*known]
            if agent >= 0:
                state[agent] = after + option
            self._menu = menu
            self._mover = agent
            self._scripted = length = len(script)
            self._last = length - 1
            if given:
                given.clear()
        return False

    def _take_turns(self, rules: TurnRules, _: Play) -> object:
        """Continue from the turn with the last choice of the script: those before it stand."""
        turns = self._turns or [(0, rules.first)]
        while turns[-1][0] > max(self._last, 0):
            turns.pop()
        self._turns = turns
        self._depth, state = turns[-1]
        while True:
            state, ended = next_state(rules.turn(self, state))
            if ended:
                return state
            if self._given:
                raise dropped_win()
            turns.append((self._depth, state))

    def _astray(self) -> RulesError:
        if self._depth < len(self._script):
            return NotRepeatable("a run ended where another with the same choices went on")
        return error_was_caught()

    def _check_won(self, result: Any) -> None:
        """A win must not get lost: what is returned is one of the wins, or nothing at all."""
        if result is not None:
            self._final(result)

    def _final(self, result: Any) -> Payoffs:
        """What the rules returned, won and paid on the way, together."""
        went_on = self._won_at != self._depth
        return conclude(self.seats, result, self._paid, self._given, went_on)

    def _payoffs(self, result: Any) -> int:
        """The number in their table of payoffs that were not returned before in this form.

        Whole numbers are found at once the next time. Others are looked up with their types: 0.1 is
        1/10, and equals a fraction that is not. What may change under us is not kept.
        """
        items = tuple(result.items()) if type(result) is dict else result
        if isinstance(items, tuple):
            plain = all(type(amount) is int for amount in items)
            key = items if plain else (items, *map(_kind, items))
        else:
            plain, key = type(items) is int, (items, type(items))
        with suppress(TypeError):
            if key in self._result_number:
                return self._result_number[key]
        number = self._number(result)
        if plain or isinstance(items, tuple | float | Fraction):
            with suppress(TypeError):
                self._result_number[items if plain else key] = number
        return number

    def _number(self, result: Any) -> int:
        won = self._given and result is self._given[-1]
        payoffs = result if won or self._paid is not None else self._final(result)
        number = self._payoff_number.setdefault(payoffs, len(self.columns.payoffs))
        if number == len(self.columns.payoffs):
            self.columns.payoffs.append(payoffs)
        return number


def endless(moves: int) -> Endless:
    """The error of a play that has gone on for so many moves."""
    return Endless(
        f"a play has gone on for {moves:,} moves without an end; if the game is that long, raise"
        " max_moves="
    )


def _kind(entry: Any) -> Any:
    """The type of an amount, or of the amount in a pair of name and amount."""
    return type(entry[1]) if type(entry) is tuple and len(entry) == 2 else type(entry)


def replay_all(game: Playable, limits: Limits) -> Replay:
    """Run the rules of a game until every play has been seen.

    Parameters
    ----------
    game
        Players and rules; its ``repr`` names it in messages.
    limits
        How far to go.

    Returns
    -------
    Replay
        With filled columns, from which :func:`infoset.tree.tree_of_game` makes a tree.

    Raises
    ------
    RulesError
        If the rules fail, or are not repeatable, or a play does not end.
    TooLarge
        Past a limit.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> replay_all(kuhn(), Limits()).nodes
    55

    """
    replay = Replay(game.seats, limits)
    outlook = Outlook(Probes(repr(game), ground_of(ReplayPosition(game)), limits))
    while True:
        limit = TimeLimit(limits.seconds_per_move, lambda: replay.nodes)
        with errors_located(repr(game), replay.place, limits.seconds_per_move, limit), limit:
            done = replay.explore(game.rules, outlook.until)
        if not done:
            _refuse_endless(game, replay, limits)
        if not done or replay.nodes > limits.max_nodes:
            outlook.look(replay.nodes)
        if done:
            return replay


def _refuse_endless(game: Playable, replay: Replay, limits: Limits) -> None:
    """Where plays are long, refuse rules by which they go on past the limit as they have so far."""
    moves = replay.moves
    with errors_located(repr(game), replay.place, limits.seconds_per_move):
        if len(moves) >= LONG and goes_on(game, moves, limits):
            raise endless(limits.max_moves)


@contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """Leave reference cycles alone: a build makes millions of small tuples and none of them.

    Those that the rules' own functions make are collected by the build itself, now and then.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
