"""Vectorized runs of the rules: replay with backtracking, once for all deals.

As in :mod:`infoset.rules.replay` the rules are run again and again along a script of choices. But
chance moves are not enumerated: they return vectorized values, and the run continues in all deals
together. A decision is then a *block* of nodes, one for each deal. Besides players' options, a run
branches on what the rules see when they look at a value: the deals are split, which makes no node,
and each part is explored in turn.

So poker takes as many runs as there are betting sequences, whatever the deck. Trees are made of the
blocks by :mod:`infoset.tree.vectorized`, public forms by :mod:`infoset.forms.public.build`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from infoset.errors import NotApplicable, NotRepeatable, RulesError
from infoset.objects.cards import Deck
from infoset.objects.numbers import exact
from infoset.objects.vectorized import VectorizedValue
from infoset.rules.knowledge import unhashable
from infoset.rules.moves import (
    CHANCE,
    LEAF,
    DealsByNumber,
    Lottery,
    Payoffs,
    as_lottery,
    check_menu,
    conclude,
    deal_lottery,
    end_payoffs,
    plain_terms,
    roll_lottery,
    win_payoffs,
)
from infoset.rules.play import EVERYTHING, Play, Playable, error_was_caught, not_together
from infoset.rules.running import CHECK_EVERY, Limits, TimeLimit, errors_located
from infoset.rules.seats import Seats
from infoset.text import place_text
from infoset.vectorized.chance import Draw, drawn
from infoset.vectorized.estimate import VectorizedOutlook
from infoset.vectorized.evaluation import Execution, Frame, NodeBlock, VectorizedEvaluation, key_of
from infoset.vectorized.knowledge import Partition, Pattern, clashes
from infoset.vectorized.symmetry import Symmetry
from infoset.vectorized.values import Deals, ValueColumn

_STAY = (
    tuple,
    range,
    frozenset,
    int,
    str,
    type(None),
)  # types of terms that cannot change between runs


class VectorizedPlay(VectorizedEvaluation):
    """A play in all deals at once."""

    __slots__ = (
        "_checkpoint",
        "_given",
        "_last",
        "_won_at",
        "blocks",
        "drawn",
        "fold",
        "found_late",
        "look_first",
        "nodes",
        "outlook",
        "paid",
        "patterns",
        "restarts",
        "runs",
        "starts",
        "symmetry",
    )

    def __init__(
        self,
        seats: Seats,
        limits: Limits,
        *,
        fold: bool = False,
        look_first: frozenset[Any] = frozenset(),
        symmetry: Symmetry | None = None,
        outlook: VectorizedOutlook | None = None,
    ) -> None:
        """Nothing explored yet.

        ``look_first`` are the patterns at which facts are looked at before they are revealed;
        ``symmetry`` is that of a deck which comes up after other moves, if it is known already;
        ``outlook`` is asked now and then whether to go on.
        """
        super().__init__(seats, limits)
        self.outlook = outlook
        self.fold = fold
        self.look_first = look_first
        self.symmetry = symmetry
        self.found_late = False  # did the deck with the symmetry come up after other moves?
        self.blocks: list[NodeBlock] = []
        self.nodes = 0  # of the whole game
        self.runs = 0
        start, agents = Partition(self.deals.histories, None, None), range(len(self.agents))
        self.starts = tuple(Pattern(agent, None, None, start) for agent in agents)
        self.restarts = tuple(Pattern(agent, None, "knows", start) for agent in agents)
        self.patterns: tuple[Pattern, ...] = self.starts
        self.paid: tuple[Any, ...] | None = None
        self.drawn: tuple[ValueColumn, ...] = ()  # the outcomes of chance so far
        self._given: list[Any] = []
        self._won_at = 0
        self._last: tuple[NodeBlock | None, int] = (
            None,
            -1,
        )  # the block above, and the option taken
        self._checkpoint = min(CHECK_EVERY, limits.max_nodes + 1)

    # -------------------------------------------------------------------- what the rules may say

    def choose(self, player: str, options: Iterable[Any], knowing: Any = EVERYTHING) -> Any:
        """See :meth:`Play.choose`."""
        agent = self.seats.agent(self.plain(player))
        menu = self.menu_of(options)
        patterns_before = self.patterns
        if knowing is not EVERYTHING:
            start, known = self.restarts[agent], self.packed(knowing)
            if start.path() in self.look_first:
                known = self.plain(known)
            self.patterns = self._with(agent, self._after_fact(start, known))
        depth = self._depth
        self._depth = depth + 1
        if depth < self.scripted:
            frame = self.frames[depth]
            if frame.kind != agent or frame.answers != menu:
                raise self.changed(frame, player, menu)
        else:
            check_menu(menu)
            if self.symmetry is not None and not self.symmetry.fixed(menu):
                raise NotApplicable(
                    "an option names a card; suits are folded only where none does: use fold=False"
                )
            block = self._block(agent, self.deals)
            block.menu, block.patterns_before = menu, patterns_before
            frame = self.step(Frame(agent, menu, self.deals, block))
        self._last = (frame.block, frame.at)
        self.patterns = self._with(agent, self.patterns[agent].took(menu, frame.at))
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
        audience = self.seats.audience(self.plain(self.packed(players)))
        known = self.packed(fact)
        if known.__class__ is VectorizedValue and self.look_first and self._clashed(audience):
            known = self.look(known)
        patterns = list(self.patterns)
        for agent in audience:
            patterns[agent] = self._after_fact(patterns[agent], known)
        self.patterns = tuple(patterns)

    def pay(self, player: str, amount: Any) -> None:
        """See :meth:`Play.pay`."""
        number = self.seats.player(self.plain(player))
        paid = list(self.paid or (0,) * len(self.players))
        paid[number] = paid[number] + self.lift(exact, amount)
        self.paid = tuple(paid)

    def win(self, player: str, amount: Any = 1) -> Payoffs:
        """See :meth:`Play.win`."""
        return self._given_out(self.lift(win_payoffs, self.seats, player, amount))

    def end(self, payoffs: Any) -> Payoffs:
        """See :meth:`Play.end`."""
        return self._given_out(self.lift(end_payoffs, self.seats, self.packed(payoffs)))

    def _given_out(self, payoffs: Payoffs) -> Payoffs:
        self._given.append(payoffs)
        self._won_at = self._depth
        return payoffs

    def map(self, function: Callable[..., Any], *values: Any) -> Any:
        """See :meth:`Play.map`."""
        return self.lift(function, *[self.packed(value) for value in values])

    # -------------------------------------------------------------------- along one run

    def _block(self, kind: int, deals: Deals) -> NodeBlock:
        block = NodeBlock(kind, deals, *self._last, self.patterns)
        self.blocks.append(block)
        self.nodes += deals.multiplicity
        if self.nodes >= self._checkpoint:
            self._check_limits()
        return block

    def _check_limits(self) -> None:
        """Compare the tree and the memory with their limits; called now and then."""
        if self.outlook is not None and self.nodes > self.outlook.until:
            self.outlook.look(self.nodes)
        self._limits.check(self.nodes)
        self._checkpoint = min(self.nodes + CHECK_EVERY, self._limits.max_nodes + 1)

    def _draw(self, make: Callable[..., Lottery], terms: Callable[..., Any], *given: Any) -> Any:
        """A chance move: vectorized values of its outcome."""
        given = tuple([self.packed(one) for one in given])
        packed = self.packed(given)
        frame = self._scripted_frame(CHANCE)
        if frame is not None:
            self._last = (frame.block, 0)
            self.drawn = frame.block.what.drawn if frame.block is not None else ()
            return self._answer(frame.answers)
        if self.fold and self.symmetry is None:
            self.symmetry = _declared(given)
            self.found_late = self.symmetry is not None and bool(self.blocks)
        key: Any = None
        if packed.__class__ is VectorizedValue:
            key = (make, id(packed._column))
        elif all(isinstance(one, _STAY) for one in given):  # others may change between runs
            key = key_of(make, list(given))
        known = self.deals.splits.get(key) if key is not None else None
        if known is None and self.outlook is not None:
            self.outlook.before_draw(self.nodes, len(self.deals) * _ways(make, given))
        draw: Draw = known or drawn(self, make, terms, packed)
        if key is not None:
            self.deals.splits[key] = draw
            self._looked_at.append((packed, given))
        hands = make is deal_lottery and len(given[1]) != 1
        answer = draw.entries if hands else draw.outcome
        block = self._block(CHANCE, self.deals)
        block.what = draw
        frame = self.step(Frame(CHANCE, answer, draw.after, block))
        self._last, self.drawn, self.deals = (block, 0), draw.drawn, draw.after
        return self._answer(answer)

    def _answer(self, drawn: ValueColumn | tuple[ValueColumn, ...]) -> Any:
        """What chance has drawn, as values of this execution of the rules."""
        if isinstance(drawn, ValueColumn):
            return VectorizedValue(self, drawn)
        return tuple([VectorizedValue(self, hand) for hand in drawn])

    def _after_fact(self, pattern: Pattern, fact: Any) -> Pattern:
        """A pattern after one more fact."""
        if fact.__class__ is VectorizedValue:
            after = pattern.saw_vectorized(fact._column.recoded(self.deals))
            after.partition.fill(self.deals, self.symmetry)
            self.note_progress()
            return after
        try:
            after = pattern.saw(fact)
        except TypeError:
            raise unhashable("the fact ", fact) from None
        if self.symmetry is not None and not self.symmetry.fixed(fact):
            raise NotApplicable(
                "the rules look at cards and then reveal them; suits are folded only where they"
                " are revealed without a look: use fold=False"
            )
        return after

    def _clashed(self, audience: Iterable[int]) -> bool:
        """Whether another run reveals the fact to one of these agents as a plain one."""
        return any(self.patterns[agent].path() in self.look_first for agent in audience)

    def _with(self, agent: int, pattern: Pattern) -> tuple[Pattern, ...]:
        return (*self.patterns[:agent], pattern, *self.patterns[agent + 1 :])

    def _called(self) -> None:
        super()._called()
        if self.outlook is not None:
            self.outlook.tick(self.nodes)

    def progress(self) -> int:
        """See :meth:`VectorizedEvaluation.progress`; probes count, too."""
        return self.steps_done + (self.outlook.steps if self.outlook is not None else 0)

    def place(self) -> str:
        """The history so far, for a message."""
        moves = [
            (self.agents[frame.kind], frame.answers[frame.at])
            for frame in self.frames[: self._depth]
            if frame.kind >= 0
        ]
        return place_text(moves)

    # -------------------------------------------------------------------- all runs

    def explore(self, rules: Callable[[Play], object]) -> None:
        """Run the rules until every play in every deal has been seen."""
        frames = self.frames
        while True:
            self.run(rules)
            if self.outlook is not None:
                self.outlook.tick(self.nodes)
            while frames and frames[-1].at == frames[-1].count - 1:
                frames.pop()
            if not frames:
                break
            frames[-1].at += 1

    def run(self, rules: Callable[[Play], object]) -> None:
        """Run the rules once, along the script and on to the end of the play."""
        self._depth, self.scripted = 0, len(self.frames)
        self.deals, self.patterns, self.paid, self.drawn = self._start, self.starts, None, ()
        self._last = (None, -1)
        self._given.clear()
        self.running, self.execution = True, Execution()
        try:
            result = rules(self)
            if self._depth != len(self.frames):
                raise self._astray()
            payoffs = self._final(result)
        finally:
            self.execution.deals = self.deals
            self.running, self.execution = False, None
        self._block(LEAF, self.deals).what = payoffs
        self.runs += 1
        self.steps_done += 1

    def _astray(self) -> RulesError:
        if self._depth < len(self.frames):
            return NotRepeatable("a run ended where another with the same choices went on")
        return error_was_caught()

    def _final(self, result: Any) -> Any:
        """The payoffs: plain, or as a column."""
        result, paid = self.packed(result), self.packed(self.paid)
        given, went_on = tuple(self._given), self._won_at != self._depth
        if not any(one.__class__ is VectorizedValue for one in (result, paid, *given)):
            return conclude(self.seats, result, paid, given, went_on)
        found = self.lift(_concluded, self.seats, went_on, result, paid, *given)
        return found._column if found.__class__ is VectorizedValue else found


def _ways(make: Callable[..., Lottery], given: tuple[Any, ...]) -> int:
    """How many outcomes a chance move has in every deal, or 1 if that is not known yet."""
    if make is not deal_lottery or any(one.__class__ is VectorizedValue for one in given):
        return 1
    deals = DealsByNumber(*given)
    return len(deals) if deals.apply else 1


def _concluded(seats: Seats, went_on: bool, result: Any, paid: Any, *given: Any) -> Payoffs:
    return conclude(seats, result, paid, given, went_on=went_on)


def _as_they_are(*terms: Any) -> Any:
    return terms


def _declared(given: Iterable[Any]) -> Symmetry | None:
    """The symmetry of the first deck among the terms that declares interchangeable suits."""
    decks = [one for one in given if isinstance(one, Deck) and one.alike]
    return Symmetry(decks[0]) if decks else None


def explore_vectorized(game: Playable, limits: Limits, *, fold: bool = False) -> VectorizedPlay:
    """Run the rules of a game for all deals at once, until every play has been seen.

    Nothing is checked against plain runs; :func:`infoset.vectorized.run_vectorized` does that.

    Parameters
    ----------
    game, limits
        As for :func:`infoset.rules.replay.replay_all`.
    fold
        Keep one of each class of deals that differ by a permutation of interchangeable suits. If
        the deck that declares them comes up after other moves, all is run again, with these moves
        held to the symmetry, too.

    Returns
    -------
    VectorizedPlay
        With the blocks of nodes.

    """
    look_first: frozenset[Any] = frozenset()
    symmetry: Symmetry | None = None
    outlook = VectorizedOutlook(game, limits, fold=fold)
    while True:
        run = VectorizedPlay(
            game.seats,
            limits,
            fold=fold,
            look_first=look_first,
            symmetry=symmetry,
            outlook=outlook,
        )
        seconds = limits.seconds_per_move
        limit = TimeLimit(seconds, run.progress)
        with errors_located(repr(game), run.place, seconds, limit, vectorized=True), limit:
            run.explore(game.rules)
        if run.found_late:
            symmetry = Symmetry(run.symmetry.deck) if run.symmetry is not None else None
            continue
        twice = [pattern.path() for pattern in clashes(_patterns(run))]
        if not twice:
            return run
        look_first |= set(twice)


def _patterns(run: VectorizedPlay) -> list[Pattern]:
    """All patterns of a run."""
    waiting, found = [*run.starts, *run.restarts], []
    while waiting:
        pattern = waiting.pop()
        found.append(pattern)
        waiting.extend(pattern.below())
    return found
