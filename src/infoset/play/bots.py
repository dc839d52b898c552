"""Bots of OpenSpiel as players: whatever has ``step(state)``.

A bot is handed a state. A player knows no state, and must not: it knows what its seat has observed.
So before each move a state is drawn that agrees with all of that, by the probabilities of chance
and as if the others had moved uniformly, and the bot is handed this one. A bot whose choice depends
on its information state alone chooses as it would in the real state, since the information state is
the same: policies look it up, and IS-MCTS draws states anew from it, wherever it begins. A bot that
peeks at what is hidden sees a guess.

The state is one of OpenSpiel's own, where the game is; of any other game, and where OpenSpiel's
game has simultaneous moves, one of the exported game (:func:`infoset.play.openspiel_game`).

Bots are not informed of moves: a player is told facts, which need not say who did what. A bot that
keeps a record of the play by ``inform_action`` is restarted before each move, and informed of all
moves of the drawn history (``informed=True``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cached_property, partial
from math import inf
from random import Random
from time import perf_counter
from typing import Any

from infoset.errors import NoHistory, ParameterError, nearest
from infoset.memory import young_collections
from infoset.play.environments import not_installed
from infoset.play.environments.encoding import Encoding
from infoset.play.player import Choice, Clock, Seated
from infoset.search.consistent import Histories
from infoset.search.ismcts import EXPLORATION
from infoset.text import repr_text
from infoset.tree.openspiel import SpielGame, is_openspiel, quiet

FEW_NODES = 10_000  # of a tree that is built to number the actions of a game
KEPT = 4  # games that are kept for bots
MOST_STATES = 10_000  # that are kept
MOST_TRIED = 1000  # moves of chance before the first decision
SHARE = 0.4  # of its time that the first state may take
SPARE = 0.8  # of its time that a bot uses

MakeBot = Callable[[Any, int, Clock], Any]


class OpenSpielPlayer(Seated):
    """Plays as a bot of OpenSpiel does; see the module's docstring.

    Parameters
    ----------
    bot
        A bot, which is restarted for each game; or a function that makes one for a game, from the
        ``pyspiel.Game``, the number of the player and the :class:`Clock`.
    game
        The exported game that the bot was made for, if it was; see
        :func:`infoset.play.openspiel_game`.
    informed
        Inform the bot of all moves of the drawn history, from the start, before each move.
    resamples
        The bot draws states anew from an information state, as IS-MCTS does. OpenSpiel's games that
        cannot do that are then replaced by exported ones, which can.

    Raises
    ------
    NotApplicable
        When a game begins, if OpenSpiel is not installed.

    Examples
    --------
    >>> import pyspiel  # doctest: +SKIP
    >>> from infoset.games import kuhn
    >>> from infoset.play import OpenSpielPlayer, match
    >>> def uniform(game, player, clock):
    ...     return pyspiel.make_uniform_random_bot(player, clock.random.randrange(2**31))
    >>> match(kuhn(), [OpenSpielPlayer(uniform), "random"])  # doctest: +SKIP
    """

    def __init__(
        self,
        bot: Any | MakeBot,
        *,
        game: Any = None,
        informed: bool = False,
        resamples: bool = False,
    ) -> None:
        """Nothing is made before a game begins."""
        if not callable(bot) and not callable(getattr(bot, "step", None)):
            raise ParameterError(f"{bot!r:.60} is no bot: it has no step(state)")
        self._make: MakeBot = bot if callable(bot) else lambda game, player, clock: bot
        self._exported = game
        self._informed = informed
        self._resamples = resamples
        self._table: _Table | None = None

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        again = self._table is not None and self.game is game and self.seat == seat
        super().begin(game, seat, clock)
        if self._table is None or not again:
            self._table = _table(game, seat, self._exported, self._resamples)
        self._bot = self._make(self._table.game, self._table.player, clock)
        restart = getattr(self._bot, "restart", None)
        if restart is not None:
            restart()
        self._views: list[Any] = []

    def decide(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """What the bot does in a state that agrees with the view."""
        self._views.append(view)
        if len(options) == 1:
            return options[0]
        with young_collections():
            return self._chosen(view, options)

    def _chosen(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        assert self._table is not None
        try:
            state = self._state(view)
        except NoHistory:  # of a long game: any move is as good
            return self.clock.random.choice(options)
        if self._informed:
            _inform(self._bot, state, self._table.player)
        numbers = self._table.numbers(state, options)
        provides = getattr(self._bot, "provides_policy", None)
        if provides is None or not provides():
            return _option(options, numbers, self._bot.step(state))
        policy, _ = self._bot.step_with_policy(state)
        chosen = {_option(options, numbers, action): weight for action, weight in policy if weight}
        whole = sum(chosen.values())
        return {option: weight / whole for option, weight in chosen.items()}

    def _state(self, view: Any) -> Any:
        """A state that agrees with the view.

        For a bot that draws states anew, any one will do: it is drawn once for a view, by a
        generator that only the view decides, and kept.
        """
        assert self._table is not None
        seconds = self.clock.left * SHARE
        if not self._resamples:
            return self._table.sampled(view, self._views, self.clock.random, seconds)
        states = self._table.states
        if view not in states:
            if len(states) >= MOST_STATES:
                states.clear()
            luck = Random(repr_text(view))
            states[view] = self._table.sampled(view, self._views, luck, seconds)
        return states[view].clone()


def _option(options: tuple[Hashable, ...], numbers: list[int], action: Any) -> Hashable:
    if action not in numbers:
        raise ParameterError(f"the bot chose {action!r:.40}, which is not among {numbers}")
    return options[numbers.index(int(action))]


def _inform(bot: Any, state: Any, own: int) -> None:
    """Restart a bot, and inform it of the history of a state, move by move."""
    bot.restart()
    forces = bot.provides_force_action()
    before = state.get_game().new_initial_state()
    for made in state.full_history():
        if made.player != own:
            bot.inform_action(before, made.player, made.action)
        elif forces:
            bot.force_action(before, made.action)
        before.apply_action(made.action)


# ---------------------------------------------------------------------- states that agree


class _Table:
    """The game of OpenSpiel's that is played, and states that a seat may be in."""

    game: Any
    player: int

    @cached_property
    def states(self) -> dict[Hashable, Any]:
        """One for each view, as far as they are kept."""
        return {}

    def sampled(self, view: Any, views: list[Any], random: Random, seconds: float) -> Any:
        """A state that agrees with what the player knows, if one is found in time."""
        raise NotImplementedError

    def numbers(self, state: Any, options: tuple[Hashable, ...]) -> list[int]:
        """The actions that the options are."""
        raise NotImplementedError


class _Native(_Table):
    """A game of OpenSpiel's own."""

    def __init__(self, game: SpielGame, seat: str) -> None:
        self.game, self.player = game.game, game.players.index(seat)
        self._histories = Histories(game, seat)

    def sampled(self, view: Any, views: list[Any], random: Random, seconds: float) -> Any:
        seen: Any = views
        [position] = self._histories.sample(seen, 1, random, seconds=seconds)
        return position.state  # type: ignore[attr-defined]

    def numbers(self, state: Any, options: tuple[Hashable, ...]) -> list[int]:
        return list(state.legal_actions(self.player))


class _Exported(_Table):
    """A game of ours as one of OpenSpiel's."""

    def __init__(self, game: Any, seat: str) -> None:
        self.game, self.player, self._seat = game, game.number[seat], seat

    def sampled(self, view: Any, views: list[Any], random: Random, seconds: float) -> Any:
        seen = view if self.game.by_rules else views
        return self.game.sampled(self._seat, seen, random, seconds)

    def numbers(self, state: Any, options: tuple[Hashable, ...]) -> list[int]:
        numbers: list[int] = self.game.encoding.legal(options)
        return numbers


def _table(game: Any, seat: str, given: Any, resamples: bool) -> _Table:
    if given is not None:
        return _Exported(given, seat)
    if is_openspiel(game):
        game = SpielGame(game)
    if isinstance(game, SpielGame) and _serves(game.game, resamples):
        return _Native(game, seat)
    return _Exported(_export(game), seat)


def _serves(game: Any, resamples: bool) -> bool:
    """Can bots play OpenSpiel's game as it is?"""
    kind = game.get_type()
    if "SEQUENTIAL" not in str(kind.dynamics):
        return False
    if not resamples:
        return True
    if "IMPERFECT" not in str(kind.information) or not kind.provides_information_state_string:
        return False
    state, luck = game.new_initial_state(), Random(0)
    for _ in range(MOST_TRIED):
        if not state.is_chance_node():
            break
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(luck.choices(actions, chances)[0])
    try:
        with quiet():
            state.resample_from_infostate(state.current_player(), luck.random)
    except Exception:  # of OpenSpiel's, which says that it is not implemented
        return False
    return True


_kept: dict[int, tuple[Any, Any]] = {}  # by the id of a game: it, and what was exported


def _export(game: Any) -> Any:
    """The game for bots, once for all seats; its information counts as imperfect."""
    try:
        from infoset.play.environments.spiel import exported
    except ImportError as error:
        raise not_installed("OpenSpiel", "open_spiel", error) from None
    if id(game) not in _kept:
        while len(_kept) >= KEPT:
            del _kept[next(iter(_kept))]
        _kept[id(game)] = game, exported(Encoding(game, max_nodes=FEW_NODES), hidden=True)
    return _kept[id(game)][1]


# ---------------------------------------------------------------------- bots by name


def openspiel_bot(name: str, **settings: int) -> OpenSpielPlayer:
    """A player by the name of a bot of OpenSpiel's.

    Parameters
    ----------
    name
        ``"ismcts"``, ``"uniform"``, or the name of a bot that is registered with OpenSpiel.
    settings
        Of ismcts: ``simulations`` for a move, 1,000 if left out; with a clock, as many as there is
        time for. ``exploration``, the constant of UCT, in units of payoff; if left out, 0.7 times
        the range of payoffs.

    Returns
    -------
    OpenSpielPlayer
        IS-MCTS is OpenSpiel's in C++, on games of its own that can draw states from an information
        state; else its Python version.

    Raises
    ------
    NotApplicable
        If OpenSpiel is not installed.
    ParameterError
        If there is no such bot.
    """
    try:
        import pyspiel
    except ImportError as error:
        raise not_installed("OpenSpiel", "open_spiel", error) from None
    if name == "ismcts":
        return OpenSpielPlayer(partial(_ismcts, settings), resamples=True)
    if name == "uniform":
        return OpenSpielPlayer(_uniform)
    known = ("ismcts", "uniform", *pyspiel.registered_bots())
    if name not in known:
        raise ParameterError(f"OpenSpiel has no bot {name!r:.40}; {nearest(name, known)}")
    return OpenSpielPlayer(partial(_registered, name))


def _uniform(game: Any, player: int, clock: Clock) -> Any:
    import pyspiel

    return pyspiel.make_uniform_random_bot(player, clock.random.randrange(2**31))


def _registered(name: str, game: Any, player: int, clock: Clock) -> Any:
    import pyspiel

    return pyspiel.load_bot(name, game, player)


def _ismcts(settings: Mapping[str, int], game: Any, player: int, clock: Clock) -> Any:
    """IS-MCTS of OpenSpiel's: in C++ where it can be, else in Python."""
    import pyspiel

    from infoset.play.environments.spiel import ExportedGame

    constant = settings.get("exploration", EXPLORATION * (game.max_utility() - game.min_utility()))
    simulations, seed = settings.get("simulations", 1000), clock.random.randrange(2**31)
    if isinstance(game, ExportedGame):
        return _TimedSearch(game, constant, simulations, seed, clock)
    within = {} if clock.seconds == inf else {"max_wall_clock_time": clock.seconds * SPARE}
    return pyspiel.ISMCTSBot(
        seed,
        pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed),
        constant,
        simulations,
        -1,
        pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        False,
        False,
        **within,
    )


class _TimeIsUp(Exception):
    """Ends a search of OpenSpiel's, which has no clock in Python."""


class _TimedSearch:
    """OpenSpiel's IS-MCTS in Python, for as many simulations as are set or there is time for."""

    def __init__(
        self, game: Any, constant: float, simulations: int, seed: int, clock: Clock
    ) -> None:
        import numpy as np
        from open_spiel.python.algorithms import ismcts

        luck = np.random.RandomState(seed)
        most = simulations if clock.seconds == inf else 10**9
        self._bot = ismcts.ISMCTSBot(game, self, constant, most, random_state=luck)
        self._luck, self._array = luck, np.array
        self._bot.set_resampler(self._resampled)
        self._clock, self._until, self._drawn = clock, inf, 0

    def step(self, state: Any) -> int:
        """The action that was taken most often."""
        clock = self._clock  # which has run since the first state was drawn
        self._until, self._drawn = inf, 0
        if clock.seconds < inf:
            self._until = perf_counter() + clock.left - clock.seconds * (1 - SPARE)
        try:
            policy = self._bot.run_search(state)
        except _TimeIsUp:
            root = self._bot._root_node
            if root.total_visits < 1:  # not one simulation in time
                return int(clock.random.choice(state.legal_actions()))
            policy = self._bot.get_final_policy(state, root)
        return int(max(policy, key=lambda one: one[1])[0])

    def evaluate(self, state: Any) -> Any:
        """What everyone gets in a play at random; the evaluator that OpenSpiel's search asks."""
        played = state.clone()
        while not played.is_terminal():
            if perf_counter() > self._until:
                raise _TimeIsUp
            if played.is_chance_node():
                actions, chances = zip(*played.chance_outcomes(), strict=True)
                played.apply_action(self._luck.choice(actions, p=chances))
            else:
                played.apply_action(self._luck.choice(played.legal_actions()))
        return self._array(played.returns())

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """All actions alike."""
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]

    def _resampled(self, state: Any, player: int) -> Any:
        self._drawn += 1
        if self._drawn > 2 and perf_counter() > self._until:  # the first one takes no action
            raise _TimeIsUp
        seconds = max(self._until - perf_counter(), 0.0)
        try:
            return state.resample_from_infostate(player, self._bot.random_number, seconds)
        except NoHistory:
            raise _TimeIsUp from None
