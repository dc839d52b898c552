"""A game as a Python game of OpenSpiel's, with states that wrap our positions.

M. Lanctot et al., OpenSpiel: a framework for reinforcement learning in games, 2019. Imported only
where OpenSpiel is installed; :func:`infoset.play.openspiel_game` says what to install.

OpenSpiel copies a Python state by copying its attributes one by one, and stores it by pickling
them. So a state has one attribute, a :class:`PlayLine`: the numbers of all actions so far and the
position that they lead to. It never changes, is not copied, and is stored as the numbers alone.
All exported games are registered as ``infoset(key=...)``; a key is known in the process that
exported its game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import inf
from random import Random
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import pyspiel

from infoset.errors import ParameterError
from infoset.play.environments.encoding import Encoding, Survey
from infoset.play.environments.serial import RecordedGame, SerialPosition
from infoset.rules.moves import Menu
from infoset.rules.position import ReplayPosition
from infoset.rules.running import MAX_MOVES
from infoset.search.consistent import Histories
from infoset.text import history_text, text

NAME = "infoset"
# Weak: OpenSpiel keeps what is registered for as long as the process lives, and longer.
_exported: WeakValueDictionary[str, ExportedGame] = WeakValueDictionary()


class PlayLine:
    """A line of play: the actions so far, and where they lead."""

    __slots__ = ("actions", "here", "key", "menu", "moves")

    def __init__(
        self,
        key: str,
        here: SerialPosition,
        actions: tuple[int, ...] = (),
        moves: tuple[tuple[str | None, Any], ...] = (),
    ) -> None:
        """In the game of this key; the moves are what the actions mean, and whose they are."""
        self.key, self.here, self.actions, self.moves = key, here, actions, moves
        self.menu: Menu | None = None  # of the mover or of chance, when it was asked for

    def __deepcopy__(self, memo: object) -> PlayLine:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _line, (self.key, self.actions)


def _line(key: str, actions: tuple[int, ...]) -> PlayLine:
    """The line of some actions in a game that this process has exported."""
    game = _known(key)
    line = PlayLine(key, SerialPosition(game.encoding.source.start))
    for action in actions:
        line = game.after(line, action)
    return line


def _known(key: str) -> ExportedGame:
    game = _exported.get(key)
    if game is None:
        raise ParameterError(f"this process has exported no game as {key!r:.60}, or has dropped it")
    return game


class ExportedGame(pyspiel.Game):  # type: ignore[misc]
    """See :func:`infoset.play.openspiel_game`."""

    def __init__(self, key: str, encoding: Encoding, hidden: bool | None = None) -> None:
        """``hidden`` says whether information is imperfect; None: as the tree has it."""
        self.key, self.encoding = key, encoding
        self.number = dict(encoding.seats.agent_number)
        self._histories: dict[str, Histories] = {}
        survey = encoding.survey
        if hidden is None:
            hidden = survey.tree is None or not survey.tree.perfect_information
        super().__init__(_game_type(encoding, hidden), _game_info(encoding), {"key": key})

    @property
    def by_rules(self) -> bool:
        """Whether the game is given by its rules, so that a view tells all views before it."""
        return isinstance(self.encoding.source.start, ReplayPosition)

    def new_initial_state(self) -> GameState:
        """The beginning of a game."""
        return GameState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> GameObserver:
        """What players observe: always all that they know."""
        if params:
            raise ParameterError(f"observers of this game take no parameters, not {params!r:.60}")
        return GameObserver(self.encoding)

    def after(self, line: PlayLine, action: int) -> PlayLine:
        """The line after an action."""
        menu, mover = self.menu(line), line.here.mover
        move = menu[action] if mover is None else self.encoding.option(menu, int(action))
        actions = (*line.actions, int(action))
        return PlayLine(self.key, line.here.after(move), actions, (*line.moves, (mover, move)))

    def menu(self, line: PlayLine) -> Menu:
        """The outcomes of chance, or the options of the mover."""
        if line.menu is None:
            here = line.here
            if here.mover is None:
                line.menu = tuple(outcome for outcome, _ in here.position.chances())
            else:
                line.menu = here.options()
        return line.menu

    def state_of(self, moves: tuple[Any, ...]) -> GameState:
        """The state after some moves of ours, those of chance included."""
        state = self.new_initial_state()
        for move in moves:
            menu = self.menu(state.line)
            at = menu.index(move)
            drawn = state.line.here.mover is None
            state.apply_action(at if drawn else self.encoding.legal(menu)[at])
        return state

    def sampled(self, agent: str, view: Any, random: Random, seconds: float = inf) -> GameState:
        """A state that agrees with what an agent, who moves, has observed.

        Parameters
        ----------
        agent
            Who moves.
        view
            What it knows; of an engine, the list of what it knew whenever it moved.
        random
            The generator.
        seconds
            How long it may take.

        Raises
        ------
        NoHistory
            If none was found.
        """
        if agent not in self._histories:
            start: Any = self.encoding.source.start
            game = start.game if self.by_rules else RecordedGame(self.encoding.source)
            self._histories[agent] = Histories(game, agent)
        [position] = self._histories[agent].sample(view, 1, random, seconds=seconds)
        state = self.state_of(position.moves)  # type: ignore[attr-defined]
        while state.line.here.mover != agent:  # those who move simultaneously, and before it
            state.apply_action(random.choice(state.legal_actions()))
        return state


class GameState(pyspiel.State):  # type: ignore[misc]
    """A state of an exported game."""

    def __init__(self, game: ExportedGame) -> None:
        """At the beginning."""
        super().__init__(game)
        self.line = PlayLine(game.key, SerialPosition(game.encoding.source.start))

    @property
    def _game(self) -> ExportedGame:
        return _exported[self.line.key]

    def current_player(self) -> int:
        """Who moves: its number, chance, or nobody at the end."""
        here = self.line.here
        if here.position.over:
            return int(pyspiel.PlayerId.TERMINAL)
        mover = here.mover
        return int(pyspiel.PlayerId.CHANCE) if mover is None else self._game.number[mover]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.line.here.position.over

    def returns(self) -> list[float]:
        """What each player gets, at the end."""
        here, seats = self.line.here, self._game.encoding.seats
        if not here.position.over:
            return [0.0] * len(seats.agents)
        paid = here.position.payoffs
        return [float(paid[seats.players[player]]) for player in seats.player_of]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The numbers of the outcomes, with their probabilities."""
        chances = self.line.here.position.chances()
        return [(at, float(chance)) for at, (_, chance) in enumerate(chances)]

    def _legal_actions(self, player: int) -> list[int]:
        game = self._game
        return sorted(game.encoding.legal(game.menu(self.line)))

    def _apply_action(self, action: int) -> None:
        self.line = self._game.after(self.line, action)

    def _action_to_string(self, player: int, action: int) -> str:
        game, here = self._game, self.line.here
        encoding = game.encoding
        if player == pyspiel.PlayerId.CHANCE:
            return text(game.menu(self.line)[action]) if here.mover is None else str(action)
        if encoding.actions is not None:
            return text(encoding.actions[action])
        menu = game.menu(self.line)
        return text(menu[action]) if action < len(menu) else str(action)

    def resample_from_infostate(
        self, player: int, random: Callable[[], float], seconds: float = inf
    ) -> GameState:
        """A state at which the player, who moves, knows the same; NoHistory if time is over.

        It is drawn by the probabilities of chance, and as if the others had moved uniformly.
        """
        game, agent = self._game, self._game.encoding.seats.agents[player]
        return game.sampled(agent, self._views(agent), _Numbers(random), seconds)

    def _views(self, agent: str) -> Any:
        """The view of an agent; of an engine, all that it had when it moved."""
        here, game = self.line.here, self._game
        if game.by_rules:
            return here.position.view(agent)
        line, views = _line(game.key, ()), []
        for action in (*self.line.actions, None):
            if line.here.mover == agent:
                views.append(line.here.position.view(agent))
            if action is not None:
                line = game.after(line, action)
        return views

    def __str__(self) -> str:
        return history_text(self.line.moves) or "start"


class GameObserver:
    """Observes all that a player knows."""

    def __init__(self, encoding: Encoding) -> None:
        """With an empty tensor."""
        self.encoding = encoding
        self.tensor = np.zeros(encoding.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: GameState, player: int) -> None:
        """Fill the tensor."""
        self.tensor[:] = self.encoding.observation(self._state(state, player))

    def string_from(self, state: GameState, player: int) -> str:
        """What is known, in words."""
        return str(self._state(state, player))

    def _state(self, state: GameState, player: int) -> Any:
        here, agent = state.line.here, self.encoding.seats.agents[player]
        moves = not here.position.over and here.mover == agent
        return self.encoding.state(agent, here.view(agent), here.options() if moves else ())


class _Numbers(Random):
    """Random numbers from a function of OpenSpiel's."""

    def __new__(cls, draw: Callable[[], float]) -> _Numbers:
        return super().__new__(cls)

    def __init__(self, draw: Callable[[], float]) -> None:
        super().__init__(0)
        self._draw = draw

    def random(self) -> float:
        return min(self._draw(), 1 - 2**-53)


def _game_type(encoding: Encoding, hidden: bool) -> pyspiel.GameType:
    kind, survey = pyspiel.GameType, encoding.survey
    players = len(encoding.seats.agents)
    return kind(
        short_name=NAME,
        long_name=encoding.source.name,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=(
            kind.ChanceMode.EXPLICIT_STOCHASTIC
            if survey.outcomes or survey.tree is None
            else kind.ChanceMode.DETERMINISTIC
        ),
        information=(
            kind.Information.IMPERFECT_INFORMATION
            if hidden
            else kind.Information.PERFECT_INFORMATION
        ),
        utility=_utility(survey)[0],
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"key": ""},
        default_loadable=False,
    )


def _utility(survey: Survey) -> tuple[Any, float | None]:
    """The kind of payoffs, and their sum if it is always the same; as the tree proves."""
    kind = pyspiel.GameType.Utility
    sums = {sum(paid) for paid in survey.payoffs}
    if survey.tree is not None and len(sums) == 1:
        whole = float(next(iter(sums)))
        return (kind.CONSTANT_SUM if whole else kind.ZERO_SUM), whole
    if survey.tree is not None and all(len(set(paid)) == 1 for paid in survey.payoffs):
        return kind.IDENTICAL, None
    return kind.GENERAL_SUM, None


def _game_info(encoding: Encoding) -> pyspiel.GameInfo:
    survey = encoding.survey
    amounts = [amount for paid in survey.payoffs for amount in paid]
    least, most = float(min(amounts)), float(max(amounts))
    whole = _utility(survey)[1]
    sums = {} if whole is None else {"utility_sum": whole}
    return pyspiel.GameInfo(
        num_distinct_actions=encoding.count,
        max_chance_outcomes=survey.outcomes,
        num_players=len(encoding.seats.agents),
        min_utility=least,
        max_utility=most,
        max_game_length=MAX_MOVES if survey.tree is None else survey.moves,
        **sums,
    )


def exported(encoding: Encoding, hidden: bool | None = None) -> ExportedGame:
    """The game of OpenSpiel's, under a key that no other has."""
    plain = re.sub(r"\W+", "_", encoding.source.name).strip("_") or "game"
    key, number = plain, 1
    while key in _exported:
        number += 1
        key = f"{plain}_{number}"
    made = _exported[key] = ExportedGame(key, encoding, hidden)
    return made


class _Loaded:
    """What OpenSpiel calls to load a game by its key.

    A class, since OpenSpiel lets go of it after the interpreter has ended, when nothing may be
    freed any more: a class refers to itself, and is not.
    """

    def __new__(cls, parameters: Mapping[str, Any]) -> ExportedGame:
        return _known(str(parameters.get("key", "")))


pyspiel.register_game(
    pyspiel.GameType(
        short_name=NAME,
        long_name="Games of Infoset",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=120,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"key": ""},
        default_loadable=False,
    ),
    _Loaded,
)
