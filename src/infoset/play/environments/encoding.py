"""A game as learners see it: actions and observations with numbers, in vectors of one size.

**Actions.** Where the tree of the game is small enough to be built, each distinct option of the
game has one number, for all agents and everywhere; the numbers follow the order of the menus as far
as there is one. Else an action is the position of an option in its menu, and there are as many as
the largest menu has that was met in random plays, or as is declared.

**Observations.** Two kinds, and functions:

    infoset     one entry for each information set of the game; 1 at the one where the agent is, and
                zeros where it does not move. What a table holds; it needs the tree.
    sequence    who observes, and then what it knows, step by step: for each step one entry for
                every fact that may be revealed and every option that may be taken. Nothing is lost
                where the tree was built. Else, and where there are many facts, those without an
                entry of their own share some by a hash, and of a long play the last steps are kept.
    a function  of an :class:`~infoset.strategy.infosets.InformationState`, to a vector; zeros where
                the agent does not move

The menus that were offered before are steps, too, if otherwise two information sets would look the
same; the menu that is offered now is the mask of actions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from random import Random
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from infoset.errors import ParameterError, StrategyError, TooLarge, nearest
from infoset.play.environments.serial import SerialPosition
from infoset.rules.moves import CHANCE, Menu
from infoset.rules.position import ReplayPosition, View
from infoset.rules.seats import Seats
from infoset.search.plays import drawn_move
from infoset.strategy.infosets import InformationState, TreeSets, state_of_view
from infoset.text import brief, repr_text, text
from infoset.tree.knowledge import BETWEEN, Word, known, menu_of_view
from infoset.tree.positions import TreePosition, distinct_moves
from infoset.tree.record import Tree
from infoset.tree.source import Source, source

MAX_NODES = 500_000  # of a tree that is built to number what there is
PLAYS = 200  # random plays that are looked at where there is no tree
FEW_SETS = 1000  # information sets up to which an observation is the number of one
WORDS = 256  # facts and options that have an entry of their own
SHARED = 16  # entries that all others share
KINDS = ("auto", "infoset", "sequence")

Vector = npt.NDArray[np.float32]
Mask = npt.NDArray[np.int8]
Observe = Callable[[InformationState], Any]
Policy = Callable[[Vector, Mask], Any]


@dataclass
class Survey:
    """What there is in a game: by its tree, or by random plays."""

    tree: Tree | None
    menus: list[Menu] = field(default_factory=list)
    views: list[tuple[str, View]] = field(default_factory=list)  # of agents who move
    payoffs: list[tuple[Fraction, ...]] = field(default_factory=list)  # by agent
    moves: int = 1  # of agents, in the longest play
    outcomes: int = 0  # of the largest chance move


def surveyed(game: Source, max_nodes: int) -> Survey:
    """What there is in a game."""
    try:
        tree = game.tree(max_nodes)
    except TooLarge:
        return _by_plays(game)
    seats, sets = game.seats, TreeSets(tree)
    found = Survey(tree, [distinct_moves(menu) for menu in tree.menus])
    for index in range(len(sets)):
        state = sets.state(index)
        found.views.append((acting(seats, state), state.notes))
    found.payoffs = [tuple(Fraction(row[at]) for at in seats.player_of) for row in tree.payoffs]
    decisions = np.zeros(len(tree), np.int64)
    for level in tree.levels[1:]:
        above = tree.parent[level]
        decisions[level] = decisions[above] + (tree.player[above] != CHANCE)
    found.moves = max(1, int(decisions.max()))
    found.outcomes = max((len(one.outcomes) for one in tree.lotteries), default=0)
    return found


def _by_plays(game: Source) -> Survey:
    """What is met in random plays."""
    found, luck, seats = Survey(None), Random(0), game.seats
    menus: dict[Menu, None] = {}
    views: dict[tuple[str, View], None] = {}
    for _ in range(PLAYS):
        here, moves = SerialPosition(game.start), 0
        while not here.position.over:
            mover = here.mover
            if mover is None:
                chances = here.position.chances()
                found.outcomes = max(found.outcomes, len(chances))
                here = here.after(drawn_move(chances, luck))
                continue
            menu = here.options()
            menus[menu] = None
            views[mover, state_of_view(mover, here.view(mover), menu).notes] = None
            here, moves = here.after(luck.choice(menu)), moves + 1
        found.moves = max(found.moves, moves)
        paid = here.position.payoffs
        found.payoffs.append(tuple(Fraction(paid[seats.players[at]]) for at in seats.player_of))
    found.menus, found.views = list(menus), list(views)
    return found


def acting(seats: Seats, state: InformationState) -> str:
    """The agent who acts at an information state; of a team's, its label may say."""
    for name in (state.agent, state.player, state.partition(": ")[0]):
        if name in seats.agent_number:
            return seats.agents[seats.agent_number[name]]
    raise StrategyError(f"{state.player!r:.60} has no seat; {nearest(state.player, seats.agents)}")


def in_one_order(menus: Iterable[Menu]) -> tuple[Hashable, ...]:
    """The distinct options of menus, in the order that all menus agree with, if there is one.

    Examples
    --------
    >>> in_one_order([("call", "raise"), ("fold", "call"), ("fold", "call", "raise")])
    ('fold', 'call', 'raise')
    """
    menus = list(menus)
    after: dict[Hashable, dict[Hashable, None]] = {}
    for menu in menus:
        for at, option in enumerate(menu):
            after.setdefault(option, {}).update(dict.fromkeys(menu[max(at - 1, 0) : at]))
    try:
        return tuple(TopologicalSorter(after).static_order())
    except CycleError:
        return tuple(after)


class Encoding:
    """Actions and observations of a game as numbers; see the module's docstring.

    Parameters
    ----------
    game
        Whatever can be given as a game.
    observation
        ``"infoset"``, ``"sequence"``, or a function of an information state that returns a vector;
        ``"auto"`` is the first of them, if there are at most 1,000 information sets, else the
        second.
    actions
        Options, to be numbered in this order; or how many there are at most in a menu, if they are
        to be numbered by their position there. If left out: see above.
    max_nodes
        Of a tree that is built to number what there is.

    Attributes
    ----------
    actions : tuple or None
        By number: the options; None if actions are positions in menus.
    size : int
        Of an observation.
    exact : bool
        Whether any two information sets have different observations, proved by the tree.

    Raises
    ------
    ParameterError
        If there is no such kind of observation, or the game is too large for it.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> encoding = Encoding(kuhn(), observation="sequence")
    >>> encoding.actions
    ('pass', 'bet')
    >>> dealt = kuhn().position().after("Q K")
    >>> state = encoding.state("gambler", dealt.view("gambler"), ("pass", "bet"))
    >>> encoding.observation(state).astype(int)
    array([1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    """

    def __init__(
        self,
        game: Any,
        *,
        observation: str | Observe = "auto",
        actions: int | Sequence[Hashable] | None = None,
        max_nodes: int = MAX_NODES,
    ) -> None:
        """Look at the game."""
        self.source: Source = source(game)
        self.seats = self.source.seats
        self.survey = surveyed(self.source, max_nodes)
        self.name = brief(self.source.name)
        self._tree_sets = None if self.survey.tree is None else TreeSets(self.survey.tree)
        self.actions, self.count = self._numbered(actions)
        self._number = {option: at for at, option in enumerate(self.actions or ())}
        self._observe, self.kind = self._observer(observation)

    # ------------------------------------------------------------------ actions

    def _numbered(
        self, given: int | Sequence[Hashable] | None
    ) -> tuple[tuple[Hashable, ...] | None, int]:
        menus = self.survey.menus
        if given is None and self.survey.tree is not None:
            given = in_one_order(menus)
        if given is None or isinstance(given, int):
            largest = max(map(len, menus), default=1)
            if given is not None and given < largest:
                raise ParameterError(f"{self.name}: actions={given}, but a menu has {largest}")
            return None, given or largest
        options = tuple(dict.fromkeys(given))
        return options, max(1, len(options))

    def legal(self, menu: Menu) -> list[int]:
        """The numbers of a menu's options, in their order.

        Raises
        ------
        ParameterError
            If an option has no number.
        """
        if self.actions is not None:
            try:
                return [self._number[option] for option in menu]
            except KeyError as error:
                said = text(error.args[0])
                raise ParameterError(
                    f"{self.name}: {said!r:.60} has no number; add it to actions="
                ) from None
        if len(menu) > self.count:
            raise ParameterError(
                f"{self.name}: a menu of {len(menu)} options, where {self.count} were expected;"
                f" give actions={len(menu)} or more"
            )
        return list(range(len(menu)))

    def mask(self, menu: Menu) -> Mask:
        """1 for each action that is legal, else 0."""
        made = np.zeros(self.count, np.int8)
        made[self.legal(menu)] = 1
        return made

    def option(self, menu: Menu, action: int) -> Hashable:
        """The option that an action means.

        Raises
        ------
        ParameterError
            If it is not legal.
        """
        numbers = self.legal(menu)
        if action not in numbers:
            shown = ", ".join(
                f"{at} {text(one)}" for at, one in zip(numbers[:8], menu, strict=False)
            )
            raise ParameterError(f"{self.name}: action {action!r:.40} is not among {shown}")
        return menu[numbers.index(action)]

    # ------------------------------------------------------------------ information states

    def state(self, agent: str, view: Any, menu: Menu = ()) -> InformationState:
        """What an agent knows who has this view; its label tells its information set.

        Parameters
        ----------
        agent, view
            Who, and what it knows as positions say it.
        menu
            Its options; none if it does not move.
        """
        start = self.source.start
        if isinstance(start, TreePosition) and view[0] == "at":
            assert self._tree_sets is not None
            found = self._tree_sets.state(view[1])
        elif isinstance(start, ReplayPosition) and not menu:
            return InformationState(known(view), agent, (), _words(view), agent, view)
        else:
            found = state_of_view(agent, view, menu)
        made = InformationState(self.label(agent, found), agent, menu, (), agent, found.notes)
        made.observations, made.past_actions = found.observations, found.past_actions
        return made

    def label(self, agent: str, state: InformationState) -> str:
        """A text that is different at different information sets of an agent."""
        index = self._set_of(agent, state.notes)
        if index is not None:
            return self._labels[index]
        menu = menu_of_view(state.notes)
        if self.survey.tree is not None or not menu:
            return str(state)
        said = [
            f"{{{', '.join(map(text, what))}}}"  # type: ignore[call-overload]
            if kind == "offered"
            else str(Word(what, own=kind == "took"))
            for kind, what in (*self._said(state.notes), ("offered", menu))
        ]
        return BETWEEN.join(said)

    @cached_property
    def _labels(self) -> dict[int, str]:
        """[information set] its label, with a number where several of a player read alike."""
        assert self._tree_sets is not None
        return {index: label for own in self._tree_sets.by_label for label, index in own.items()}

    @cached_property
    def _sets(self) -> dict[Hashable, int]:
        """The information sets of the tree, by agent and what it knows."""
        if self.survey.tree is None:
            return {}
        return {self._place(*view): index for index, view in enumerate(self.survey.views)}

    def _place(self, agent: str, notes: View) -> Hashable:
        return agent, tuple(self._said(notes)), notes[-1] if notes else None

    def _set_of(self, agent: str, notes: View) -> int | None:
        """The information set of the tree where an agent knows this; None if there is none."""
        return self._sets.get(self._place(agent, notes))

    # ------------------------------------------------------------------ observations

    def _observer(self, given: str | Observe) -> tuple[Callable[[InformationState], Any], str]:
        if callable(given):
            return given, "function"
        if given not in KINDS:
            raise ParameterError(f"observation={given!r:.60}; {nearest(given, KINDS)}")
        few = self.survey.tree is not None and len(self.survey.views) <= FEW_SETS
        if given == "infoset" and self.survey.tree is None:
            raise ParameterError(
                f"{self.name} is too large to number its information sets; take"
                " observation='sequence', or raise max_nodes="
            )
        if given == "infoset" or (given == "auto" and few):
            return self._one_hot, "infoset"
        return self._sequence, "sequence"

    @cached_property
    def size(self) -> int:
        """Of an observation."""
        if self.kind == "infoset":
            return max(1, len(self.survey.views))
        if self.kind == "sequence":
            return len(self.seats.agents) + self._steps * self._entries
        agent, notes = self.survey.views[0]
        menu = menu_of_view(notes) or ()
        first = InformationState(known(notes), agent, menu, _words(notes), agent, notes)
        return len(np.ravel(self._observe(first)))

    @property
    def exact(self) -> bool:
        """Whether any two information sets have different observations, proved by the tree."""
        if self.kind == "infoset":
            return True
        return self.kind == "sequence" and self.survey.tree is not None and not self._shared

    def observation(self, state: InformationState) -> Vector:
        """The vector that an agent observes; a function is asked only where the agent moves."""
        if self.kind == "function" and not state.legal_actions:
            return np.zeros(self.size, np.float32)
        made = np.asarray(self._observe(state), np.float32).ravel()
        if len(made) != self.size:
            raise ParameterError(
                f"{self.name}: observation= returned {len(made)} numbers at {state!r:.60}, and"
                f" {self.size} before"
            )
        return made

    def _one_hot(self, state: InformationState) -> Vector:
        made = np.zeros(self.size, np.float32)
        index = self._set_of(acting(self.seats, state), state.notes)
        if index is not None:
            made[index] = 1
        elif state.legal_actions:
            raise StrategyError(f"{self.name} has no information set {state!r:.80}")
        return made

    def _sequence(self, state: InformationState) -> Vector:
        agents = len(self.seats.agents)
        made = np.zeros(self.size, np.float32)
        made[self.seats.agent_number[acting(self.seats, state)]] = 1
        for step, word in enumerate(self._said(state.notes)[-self._steps :]):
            entry = self._entry(word)
            if entry is not None:
                made[agents + step * self._entries + entry] = 1
        return made

    def _said(self, notes: View) -> list[tuple[str, Hashable]]:
        """The steps of what is known: earlier menus only where they tell more."""
        before = notes[:-1] if notes and notes[-1][0] == "offered" else notes
        return [note for note in before if self._menus_tell or note[0] != "offered"]

    def _entry(self, word: tuple[str, Hashable]) -> int | None:
        """Where a step is noted; None if it comes after the last decision only."""
        at = self._words.get(word)
        if at is None and self._shared:
            return len(self._words) + crc32(repr(word).encode()) % SHARED
        return at

    @cached_property
    def _menus_tell(self) -> bool:
        """Would two information sets be the same without the menus that were offered before?"""
        said = set()
        for agent, notes in self.survey.views:
            told = tuple([note for note in notes[:-1] if note[0] != "offered"])
            said.add((agent, told, notes[-1]))
        return len(said) < len(self.survey.views)

    @cached_property
    def _every(self) -> dict[tuple[str, Hashable], None]:
        """All steps that were met."""
        return dict.fromkeys(word for _, notes in self.survey.views for word in self._said(notes))

    @cached_property
    def _words(self) -> dict[tuple[str, Hashable], int]:
        """The steps that have an entry of their own."""
        return {word: at for at, word in enumerate(list(self._every)[:WORDS])}

    @property
    def _shared(self) -> bool:
        return self.survey.tree is None or len(self._every) > WORDS

    @property
    def _entries(self) -> int:
        return len(self._words) + SHARED * self._shared

    @cached_property
    def _steps(self) -> int:
        return max([1, *(len(self._said(notes)) for _, notes in self.survey.views)])

    # ------------------------------------------------------------------ back to a strategy

    def strategy(self, policy: Policy) -> Callable[[str, InformationState, Menu], Any]:
        """A policy of observations as a strategy, for matches and to be measured.

        Parameters
        ----------
        policy
            A function of an observation and a mask of actions: to the number of an action, or to a
            weight for each action. Weights of actions that are not legal do not count.

        Returns
        -------
        Callable
            A function of (player, information state, legal actions), as ``match``,
            ``exploitability`` and all others take it.

        Examples
        --------
        >>> from infoset import exploitability
        >>> from infoset.games import kuhn
        >>> encoding = Encoding(kuhn())
        >>> first = encoding.strategy(lambda observation, mask: mask.argmax())
        >>> exploitability(kuhn(), first)
        Fraction(2, 1)
        """
        return Learned(self, policy)


def _words(notes: View) -> list[Word]:
    return [Word(what, own=kind == "took") for kind, what in notes if kind != "offered"]


@dataclass(frozen=True)
class Learned:
    """A policy of observations as a function of (player, information state, legal actions)."""

    encoding: Encoding
    policy: Policy

    def __call__(
        self, player: str, state: InformationState, actions: Menu
    ) -> Mapping[Hashable, float]:
        """The probabilities of the legal actions."""
        encoding, menu = self.encoding, tuple(actions)
        numbers = encoding.legal(menu)
        said = np.asarray(self.policy(encoding.observation(state), encoding.mask(menu)))
        if said.ndim == 0:
            return {encoding.option(menu, int(said)): 1}
        if said.shape != (encoding.count,):
            raise StrategyError(
                f"{encoding.name}: the policy returned {said.size} weights for {encoding.count}"
                f" actions at {state!r:.60}"
            )
        weights = said[numbers].astype(float)
        whole = float(weights.sum())
        if not (np.isfinite(whole) and whole > 0 and (weights >= 0).all()):
            raise StrategyError(
                f"{encoding.name}: the policy gives the legal actions the weights"
                f" {repr_text(weights.tolist())} at {state!r:.60}"
            )
        return dict(zip(menu, (weights / whole).tolist(), strict=True))
