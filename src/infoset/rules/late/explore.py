"""One run of the rules for all deals at once: replay with backtracking, nature bound late.

As in :mod:`infoset.rules.replay` the rules are run again and again along a script of choices. But
nature's moves are no choices: they hand out stand-ins, and the run goes on in all worlds together.
A decision then is a *block* of nodes, one for each world. What a run may have to choose from beside
players' options is what the rules see when they look: then the worlds are split, which makes no
node, and each part is explored in turn.

So poker takes as many runs as there are ways to bet, whatever the deck. The tree is made of the
blocks by :mod:`infoset.tree.late`, the public form by :mod:`infoset.forms.public.build`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from types import FunctionType
from typing import Any

from infoset.errors import Endless, NotApplicable, NotRepeatable, RulesError, TooLarge
from infoset.rules import memory, story
from infoset.rules.cards import Card, Deck
from infoset.rules.columns import CHANCE, CHECK_EVERY, LEAF, Limits
from infoset.rules.exact import exact
from infoset.rules.knowledge import unhashable
from infoset.rules.late.draw import Draw, drawn
from infoset.rules.late.hidden import Hidden, deepest, fill, loose
from infoset.rules.late.lines import Line, Part
from infoset.rules.late.standin import Standin
from infoset.rules.late.symmetry import Symmetry
from infoset.rules.late.worlds import Worlds, first_field
from infoset.rules.lotteries import Lotteries
from infoset.rules.moves import (
    Lottery,
    Menu,
    Payoffs,
    as_lottery,
    as_menu,
    check_menu,
    conclude,
    deal_lottery,
    plain_terms,
    roll_lottery,
    win_payoffs,
)
from infoset.rules.play import EVERYTHING, Play, not_together
from infoset.rules.seats import Seats

_STAY = (tuple, range, frozenset, int, str, type(None))  # terms of a draw that do not change

LOOK = -3  # a step of the script that makes no node


class Block:
    """Nodes that one run makes at once, one for each of its worlds."""

    __slots__ = ("kind", "lines", "menu", "minds", "option", "parent", "what", "worlds")

    def __init__(
        self, kind: int, worlds: Worlds, parent: Block | None, option: int, lines: tuple[Line, ...]
    ) -> None:
        self.kind = kind  # the agent who moves; CHANCE; or LEAF
        self.worlds = worlds
        self.parent = parent
        self.option = option  # of a decision above: the one that leads here
        self.lines = lines  # [agent] what everyone knows
        self.minds = lines  # [agent] the same before the mover forgets (``knowing=``)
        self.menu: Menu = ()
        self.what: Any = None  # of chance: the draw; of a leaf: payoffs, plain or hidden


class Frame:
    """A step of the script."""

    __slots__ = ("after", "answers", "at", "block", "count", "kind")

    def __init__(self, kind: int, answers: Any, after: Any, block: Block | None) -> None:
        self.kind = kind  # the agent; CHANCE; or LOOK
        self.answers = answers  # [option] what the rules are told
        self.after = after  # [option] the worlds then; one for all, unless it is a look
        self.at = 0
        self.count = 1 if kind == CHANCE else len(answers)
        self.block = block

    @property
    def worlds(self) -> Worlds:
        """Those after what was chosen."""
        found: Worlds = self.after[self.at] if self.kind == LOOK else self.after
        return found


class Late(Play):
    """A play in all worlds at once."""

    __slots__ = (
        "_cache",
        "_checkpoint",
        "_depth",
        "_given",
        "_last",
        "_limits",
        "_looked_at",
        "_mapping",
        "_start",
        "_won_at",
        "anew",
        "blocks",
        "drawn",
        "fold",
        "frames",
        "guide",
        "lines",
        "looking",
        "lotteries",
        "nodes",
        "paid",
        "running",
        "runs",
        "scripted",
        "starts",
        "symmetry",
        "worked",
        "worlds",
    )

    def __init__(
        self,
        seats: Seats,
        limits: Limits,
        *,
        fold: bool = False,
        looking: frozenset[Any] = frozenset(),
    ) -> None:
        """Nothing explored yet; ``looking`` are the lines at which facts are looked at first."""
        super().__init__(seats)
        self.fold = fold
        self.looking = looking
        self.symmetry: Symmetry | None = None
        self.lotteries = Lotteries()
        self.blocks: list[Block] = []
        self.nodes = 0  # of the whole game
        self.runs = 0
        self.worked = 0  # signs of life
        self.running = False
        self.guide: Callable[[Frame], int] | None = (
            None  # which way, where the script is at its end
        )
        self._limits = limits
        start = Part(first_field(), None, None)
        self.starts = tuple(Line(agent, None, None, start) for agent in range(len(self.agents)))
        self.anew = tuple(Line(agent, None, "knows", start) for agent in range(len(self.agents)))
        self._start = self.worlds = Worlds(start.field)
        self.lines: tuple[Line, ...] = self.starts
        self.paid: tuple[Any, ...] | None = None
        self.frames: list[Frame] = []
        self.scripted = 0
        self._depth = 0
        self._given: list[Any] = []
        self._mapping = False  # is a function of the rules computed for all worlds just now?
        self._won_at = 0
        self.drawn: tuple[Hidden, ...] = ()  # nature's outcomes so far
        self._last: tuple[Block | None, int] = (None, -1)  # the block above, and the option taken
        self._checkpoint = min(CHECK_EVERY, limits.max_nodes + 1)
        self._cache: dict[Any, Any] = {}
        self._looked_at: list[Any] = []  # kept alive, so that what they are known by stays theirs

    # -------------------------------------------------------------------- what the rules may say

    def choose(self, player: str, options: Iterable[Any], knowing: Any = EVERYTHING) -> Any:
        """See :meth:`Play.choose`."""
        agent = self.seats.agent(self._plain(player))
        menu = self._menu(options)
        minds = self.lines
        if knowing is not EVERYTHING:
            anew, known = self.anew[agent], self._packed(knowing)
            if anew.path() in self.looking:
                known = self._plain(known)
            self.lines = self._with(agent, self._told(anew, known))
        depth = self._depth
        self._depth = depth + 1
        if depth < self.scripted:
            frame = self.frames[depth]
            if frame.kind != agent or frame.answers != menu:
                raise self._changed(frame, player, menu)
        else:
            check_menu(menu)
            if self.symmetry is not None and not self.symmetry.fixed(menu):
                raise NotApplicable("an option names a card; suits are folded only where none does")
            block = self._block(agent, self.worlds)
            block.menu, block.minds = menu, minds
            frame = self._step(Frame(agent, menu, self.worlds, block))
        self._last = (frame.block, frame.at)
        self.lines = self._with(agent, self.lines[agent].took(menu, frame.at))
        return frame.answers[frame.at]

    def together(self, menus: Mapping[str, Iterable[Any]]) -> dict[str, Any]:
        """See :meth:`Play.together`."""
        if not isinstance(menus, Mapping):
            raise not_together(menus)
        return {player: self.choose(player, options) for player, options in menus.items()}

    def chance(self, outcomes: Iterable[Any], weights: Iterable[Any] | None = None) -> Any:
        """See :meth:`Play.chance`."""
        return self._draw(as_lottery, plain_terms, outcomes, weights)

    def deal(self, deck: Iterable[Any], *sizes: int, hands: bool = False) -> Any:
        """See :meth:`Play.deal`."""
        return self._draw(deal_lottery, _as_they_are, deck, tuple(sizes), hands)

    def roll(self, sides: Any = 6, *, dice: int = 1) -> Any:
        """See :meth:`Play.roll`."""
        return self._draw(roll_lottery, _as_they_are, sides, dice)

    def reveal(self, players: str | Iterable[str], fact: Hashable) -> None:
        """See :meth:`Play.reveal`."""
        audience = self.seats.audience(self._plain(players))
        packed = self._packed(fact)
        known = packed._hidden if packed.__class__ is Standin else None
        if known is not None and self.looking and self._clashed(audience):
            fact, known = self.look(Standin(self, known)), None
        lines = list(self.lines)
        for agent in audience:
            lines[agent] = self._told(lines[agent], fact if known is None else known)
        self.lines = tuple(lines)

    def pay(self, player: str, amount: Any) -> None:
        """See :meth:`Play.pay`."""
        number = self.seats.player(self._plain(player))
        paid = list(self.paid or (0,) * len(self.players))
        paid[number] = paid[number] + self.lift(exact, amount)
        self.paid = tuple(paid)

    def win(self, player: str, amount: Any = 1) -> Payoffs:
        """See :meth:`Play.win`."""
        won = self.lift(win_payoffs, self.seats, player, amount)
        self._given.append(won)
        self._won_at = self._depth
        return won  # type: ignore[no-any-return]

    def map(self, function: Callable[..., Any], *values: Any) -> Any:
        """See :meth:`Play.map`."""
        return self.lift(function, *[self._packed(value) for value in values])

    # -------------------------------------------------------------------- values for all worlds

    def lift(self, function: Callable[..., Any], *operands: Any) -> Any:
        """A function of values, some of which may be stand-ins: then so is what it gives."""
        for operand in operands:
            if operand.__class__ is Standin:
                break
        else:
            return function(*operands)
        self._check_mapping()
        terms = [one._hidden if one.__class__ is Standin else one for one in operands]
        hidden = [term for term in terms if term.__class__ is Hidden]
        alike = all(one.codes is hidden[0].codes for one in hidden)
        if not alike:
            terms = [
                one.tightened(self.worlds) if one.__class__ is Hidden else one for one in terms
            ]
        key = _key(function, terms)
        made = self._cache.get(key) if key is not None else None
        if made is None:
            base = hidden[0].base or hidden[0]
            made = Standin(self, Hidden(base.field, base) if alike else Hidden(deepest(hidden)))
            if key is not None:
                self._cache[key] = made
                self._looked_at.append((function, operands))
        self._mapping = True
        try:
            if alike:
                loose(made._hidden, function, terms, self.worlds)
            else:
                fill(made._hidden, function, terms, self.worlds, self._worked)
        finally:
            self._mapping = False
        return made

    def _check_mapping(self) -> None:
        if self._mapping:
            raise RulesError("a function given to g.map uses a stand-in; hand it in as a value")

    def look(self, value: Any) -> Any:
        """What a stand-in is: the worlds are split by it, unless it is the same in all of them."""
        if value.__class__ is not Standin:
            return value
        if not self.running:
            raise RulesError("a value that was dealt is looked at when the play is over")
        self._check_mapping()
        hidden = value._hidden.tightened(self.worlds)
        codes = hidden.seen_in(self.worlds)
        if len(codes) == 1:
            return hidden.table[codes[0]]
        depth = self._depth
        self._depth = depth + 1
        if depth < self.scripted:
            frame = self.frames[depth]
            if frame.kind != LOOK:
                raise self._changed(frame, None, ())
            self.worlds = frame.worlds
            return frame.answers[frame.at]
        parts = hidden.split(self.worlds)
        answers, after = [seen for seen, _ in parts], [worlds for _, worlds in parts]
        frame = self._step(Frame(LOOK, answers, after, None))
        self.worlds = frame.worlds
        return frame.answers[frame.at]

    def _worked(self) -> None:
        self.worked += 1

    def signs(self) -> int:
        """Signs of life so far: a number that grows."""
        return self.worked

    def _plain(self, value: Any) -> Any:
        return self.look(value) if value.__class__ is Standin else value

    def _packed(self, value: Any) -> Any:
        """A tuple with stand-ins in it as one stand-in; a list, a set and a dict likewise."""
        kind = type(value)
        if kind is Deck or kind is Card:
            return value
        if issubclass(kind, tuple) or kind is list or kind is frozenset:
            entries = [self._packed(entry) for entry in value]
            if any(entry.__class__ is Standin for entry in entries):
                make = getattr(kind, "_make", kind)
                return self.lift(_held, make, *entries)
        elif kind is dict:
            entries = [self._packed(entry) for entry in value.values()]
            if any(entry.__class__ is Standin for entry in entries):
                return self.lift(_dict, tuple(value), *entries)
        return value

    def _menu(self, options: Any) -> Menu:
        """The options, looked at where they depend on what was dealt."""
        menu = as_menu(self._plain(options))
        packed = [self._packed(option) for option in menu]
        if any(option.__class__ is Standin for option in packed):
            return tuple([self._plain(option) for option in packed])
        return menu

    # -------------------------------------------------------------------- along one run

    def _step(self, frame: Frame) -> Frame:
        """One more step, after the end of the script."""
        moves = len(self.frames)
        if moves >= self._limits.max_moves:  # a look is none
            moves = sum(one.kind != LOOK for one in self.frames)
        if frame.kind != LOOK and moves >= self._limits.max_moves:
            raise Endless(
                f"a play has gone on for {self._limits.max_moves:,} moves without an end;"
                " if the game is that long, raise max_moves (--max-moves)"
            )
        if self.guide is not None:
            frame.at = self.guide(frame)
        self.frames.append(frame)
        self.scripted = self._depth
        return frame

    def _block(self, kind: int, worlds: Worlds) -> Block:
        block = Block(kind, worlds, *self._last, self.lines)
        self.blocks.append(block)
        self.nodes += worlds.stands_for
        if self.nodes >= self._checkpoint:
            self._look_around()
        return block

    def _look_around(self) -> None:
        """Now and then: is the tree or the memory at its end?"""
        limits = self._limits
        if self.nodes > limits.max_nodes:
            raise TooLarge(
                f"the tree has more than {limits.max_nodes:,} nodes; raise max_nodes"
                " (--max-nodes), or choose smaller parameters"
            )
        room = memory.available()
        if room is not None and room < memory.KEEP_FREE:
            raise TooLarge(
                f"memory is running out at {self.nodes:,} nodes; choose smaller parameters"
            )
        if limits.progress is not None:
            limits.progress(self.nodes)
        self._checkpoint = min(self.nodes + CHECK_EVERY, limits.max_nodes + 1)

    def _draw(self, make: Callable[..., Lottery], terms: Callable[..., Any], *given: Any) -> Any:
        """Nature's move: a stand-in for its outcome."""
        packed = self._packed(given)
        depth = self._depth
        self._depth = depth + 1
        if depth < self.scripted:
            frame = self.frames[depth]
            if frame.kind != CHANCE:
                raise self._changed(frame, None, ())
            self.worlds = frame.worlds
            self._last = (frame.block, 0)
            self.drawn = frame.block.what.drawn if frame.block is not None else ()
            return frame.answers
        if self.fold and self.symmetry is None:
            self.symmetry = _declared(given)
        key: Any = None
        if packed.__class__ is Standin:
            key = (make, id(packed._hidden))
        elif all(isinstance(one, _STAY) for one in given):  # others may change between runs
            key = _key(make, list(given))
        known = self.worlds.splits.get(key) if key is not None else None
        draw: Draw = known or drawn(self, make, terms, packed)
        if key is not None:
            self.worlds.splits[key] = draw
            self._looked_at.append((packed, given))
        hands = make is deal_lottery and len(given[1]) != 1
        answer = (
            tuple([Standin(self, one) for one in draw.entries])
            if hands
            else Standin(self, draw.outcome)
        )
        block = self._block(CHANCE, self.worlds)
        block.what = draw
        frame = self._step(Frame(CHANCE, answer, draw.after, block))
        self._last, self.drawn, self.worlds = (block, 0), draw.drawn, draw.after
        return answer

    def _told(self, line: Line, fact: Any) -> Line:
        """A line after one more fact."""
        hidden = fact._hidden if fact.__class__ is Standin else fact
        if hidden.__class__ is Hidden:
            after = line.saw_hidden(hidden.tightened(self.worlds))
            after.part.fill(self.worlds, self.symmetry)
            return after
        try:
            after = line.saw(fact)
        except TypeError:
            raise unhashable("the fact ", fact) from None
        if self.symmetry is not None and not self.symmetry.fixed(fact):
            raise NotApplicable(
                "the rules look at cards and then reveal them; suits are folded only where they"
                " are revealed unseen"
            )
        return after

    def _clashed(self, audience: Iterable[int]) -> bool:
        """Is what one of these is told now told to it in plain words in another run?"""
        return any(self.lines[agent].path() in self.looking for agent in audience)

    def _with(self, agent: int, line: Line) -> tuple[Line, ...]:
        return (*self.lines[:agent], line, *self.lines[agent + 1 :])

    def _changed(self, frame: Frame, player: str | None, options: Iterable[Any]) -> NotRepeatable:
        who = self.agents[frame.kind] if frame.kind >= 0 else None
        before = story.question(who, frame.answers if who else ())
        now = story.question(player, options)
        return NotRepeatable(f"one run {before}, another with the same choices {now}")

    def story(self) -> str:
        """The play so far, for a message."""
        moves = [
            (self.agents[frame.kind], frame.answers[frame.at])
            for frame in self.frames[: self._depth]
            if frame.kind >= 0
        ]
        return story.told(moves)

    # -------------------------------------------------------------------- all runs

    def explore(self, rules: Callable[[Play], object]) -> None:
        """Run the rules until every play in every world has been seen."""
        frames = self.frames
        while True:
            self.run(rules)
            while frames and frames[-1].at == frames[-1].count - 1:
                frames.pop()
            if not frames:
                break
            frames[-1].at += 1

    def run(self, rules: Callable[[Play], object]) -> None:
        """Run the rules once, along the script and on to the end of the play."""
        self._depth, self.scripted = 0, len(self.frames)
        self.worlds, self.lines, self.paid, self.drawn = self._start, self.starts, None, ()
        self._last = (None, -1)
        self._given.clear()
        self.running = True
        try:
            result = rules(self)
            if self._depth != len(self.frames):
                raise self._astray()
            payoffs = self._final(result)
        finally:
            self.running = False
        self._block(LEAF, self.worlds).what = payoffs
        self.runs += 1
        self.worked += 1

    def _astray(self) -> RulesError:
        if self._depth < len(self.frames):
            return NotRepeatable("a run ended where another with the same choices went on")
        return RulesError("the rules have caught an error of g's and went on; let it pass")

    def _final(self, result: Any) -> Any:
        """The payoffs: plain, or hidden."""
        result, paid = self._packed(result), self._packed(self.paid)
        given, went_on = tuple(self._given), self._won_at != self._depth
        if not any(one.__class__ is Standin for one in (result, paid, *given)):
            return conclude(self.seats, result, paid, given, went_on)
        if result is None and given:
            if went_on:
                raise RulesError("the rules went on after g.win(...); write: return g.win(...)")
            result = given[-1]
        found = self.lift(_concluded, self.seats, result, paid)
        return found._hidden if found.__class__ is Standin else found


def _concluded(seats: Seats, result: Any, paid: Any) -> Payoffs:
    return conclude(seats, result, paid, (), went_on=False)


def _as_they_are(*terms: Any) -> Any:
    return terms


def _held(kind: Callable[[Any], Any], *entries: Any) -> Any:
    return kind(entries)


def _dict(names: tuple[Any, ...], *values: Any) -> dict[Any, Any]:
    return dict(zip(names, values, strict=True))


def _declared(given: Iterable[Any]) -> Symmetry | None:
    """The suits that a deck says are alike, if there is one among what nature draws from."""
    decks = [one for one in given if isinstance(one, Deck) and one.alike]
    return Symmetry(decks[0]) if decks else None


def _kind(value: Any) -> Any:
    """A value's type, and of a tuple those of its entries: (1,) is not (True,)."""
    return tuple(map(_kind, value)) if value.__class__ is tuple else value.__class__


def _key(function: Callable[..., Any], terms: list[Any]) -> Any:
    """What a function of some values is known by; None if it cannot be known again.

    A function that the rules make anew in every run is known by its code and what it encloses.
    """
    if function.__class__ is FunctionType:
        cells = function.__closure__ or ()
        try:
            enclosed = tuple([cell.cell_contents for cell in cells])
        except ValueError:
            return None
        by_name = tuple((function.__kwdefaults__ or {}).items())
        named: Any = (function.__code__, function.__defaults__, by_name, enclosed)
        plain = [*enclosed, *(function.__defaults__ or ()), *[value for _, value in by_name]]
    else:
        named, plain = function, []
    key = (
        named,
        tuple([_kind(one) for one in plain]),
        tuple([(_kind(one), id(one) if one.__class__ is Hidden else one) for one in terms]),
    )
    if any(one.__class__ is Standin for one in plain):
        raise RulesError("a function given to g.map encloses a stand-in; hand it in as a value")
    try:
        hash(key)
    except TypeError:
        return None
    return key
