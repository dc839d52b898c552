"""Games of OpenSpiel: any sequential or simultaneous one, through the Position protocol.

What a player knows is OpenSpiel's information-state string. A game that has none but gives
observations is given perfect recall: a player knows its observations and its own actions, in order.
OpenSpiel's numbers are floats; a probability or payoff within 1e-9 of a fraction with a denominator
up to a million is taken to be that fraction, if the probabilities then sum to one.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property, lru_cache
from math import inf, isfinite
from typing import Any

from infoset.errors import InfosetError, UnknownGame, nearest
from infoset.objects.numbers import exact
from infoset.rules.moves import Menu
from infoset.rules.running import MAX_NODES
from infoset.tree.positions import tree_of_position
from infoset.tree.record import Tree

CLOSE = Fraction(1, 10**9)
LARGEST_DENOMINATOR = 10**6


class SpielGame:
    """A game of OpenSpiel's: its first position, its players, and its tree where that is wanted.

    Search and sampling walk its positions, and build no tree.

    Parameters
    ----------
    game
        Its name, as OpenSpiel has it: ``leduc_poker(players=2)``; or a ``pyspiel.Game``.

    Raises
    ------
    UnknownGame
        If OpenSpiel is not installed, has no such game, or the game has no finite tree.
    """

    def __init__(self, game: Any) -> None:
        """By its name, or loaded already."""
        self.game = load_openspiel(game) if isinstance(game, str) else game
        if not is_openspiel(self.game):
            raise UnknownGame(
                f"{game!r:.60} is not a game of OpenSpiel; give its name, such as 'kuhn_poker', or"
                " what pyspiel.load_game returns"
            )
        known_as = game if isinstance(game, str) else str(game).removesuffix("()")
        self.name = f"openspiel:{known_as}"
        _refuse_infinite(self.name, self.game)
        self._start = SpielPosition.start(self.game)
        self.players = self._start.players

    def position(self) -> SpielPosition:
        """The beginning of a play."""
        return self._start

    @property
    def bounds(self) -> tuple[Fraction, Fraction] | None:
        """Between which all payoffs are, if OpenSpiel says so; for a search."""
        least, most = (
            getattr(self.game, name, lambda: inf)() for name in ("min_utility", "max_utility")
        )
        return (_fraction(least), _fraction(most)) if isfinite(least + most) else None

    def tree(
        self, max_nodes: int = MAX_NODES, progress: Callable[[int], None] | None = None
    ) -> Tree:
        """The tree; see :func:`tree_of_openspiel`."""
        return tree_of_position(self._start, self.players, self.name, max_nodes, progress)

    def __repr__(self) -> str:
        return self.name


def is_openspiel(game: object) -> bool:
    """Is it a game object of OpenSpiel's?"""
    return hasattr(game, "new_initial_state") and hasattr(game, "get_type")


def tree_of_openspiel(
    game: Any, max_nodes: int = MAX_NODES, progress: Callable[[int], None] | None = None
) -> Tree:
    """The tree of an OpenSpiel game.

    Parameters
    ----------
    game
        Its name, as OpenSpiel has it: ``leduc_poker(players=2)``; or a ``pyspiel.Game``.
    max_nodes, progress
        As for :func:`~infoset.tree.positions.tree_of_position`.

    Returns
    -------
    Tree
        With exact numbers: a float is taken as the simple fraction that it is close to, if any.

    Raises
    ------
    UnknownGame
        If OpenSpiel is not installed, or has no such game.
    TooLarge
        Past ``max_nodes``.
    """
    return SpielGame(game).tree(max_nodes, progress)


def load_openspiel(name: str) -> Any:
    """Load OpenSpiel's own game object; see :func:`tree_of_openspiel` for names and errors."""
    try:
        import pyspiel
    except ImportError:
        raise UnknownGame(
            f"openspiel:{name} needs OpenSpiel; install it beside infoset: pip install open_spiel"
        ) from None
    short = name.partition("(")[0]
    if short.startswith("python_"):
        import open_spiel.python.games  # noqa: F401  registers them
    known = pyspiel.registered_names()
    if short not in known:
        raise UnknownGame(f"OpenSpiel has no game {short!r}; {nearest(short, known)}")
    try:
        with quiet():
            return pyspiel.load_game(name)
    except (pyspiel.SpielError, RuntimeError) as error:
        said = " ".join(str(error).split())
        raise UnknownGame(f"OpenSpiel refuses {name!r}: {said}") from None


def _refuse_infinite(name: str, game: Any) -> None:
    """Refuse games whose chance moves cannot be listed."""
    kind = game.get_type()
    if "MEAN_FIELD" in str(kind.dynamics):
        raise UnknownGame(f"{name} is a mean-field game: it has no finite tree")
    if "SAMPLED" in str(kind.chance_mode):
        raise UnknownGame(f"{name} samples its chance moves instead of listing them")


class SpielPosition:
    """An OpenSpiel state as a :class:`~infoset.rules.position.Position`."""

    def __init__(self, game: Any, state: Any, seen: tuple[tuple[Hashable, ...], ...]) -> None:
        """``seen`` are observations and actions by player, if there are no information states."""
        self._game = game
        self._state = state
        self._seen = seen

    @classmethod
    def start(cls, game: Any) -> SpielPosition:
        """The beginning of a game."""
        kind = game.get_type()
        if not kind.provides_information_state_string and not kind.provides_observation_string:
            raise InfosetError(
                f"openspiel:{kind.short_name} tells neither what players know nor what they see"
            )
        seen: tuple[tuple[Hashable, ...], ...] = ((),) * game.num_players()
        return cls(game, game.new_initial_state(), seen)

    @property
    def state(self) -> Any:
        """A copy of OpenSpiel's state."""
        return self._state.clone()

    @cached_property
    def players(self) -> tuple[str, ...]:
        """OpenSpiel's players have numbers."""
        return tuple(f"player {number}" for number in range(self._game.num_players()))

    @property
    def over(self) -> bool:
        """Whether the game has ended here."""
        return bool(self._state.is_terminal())

    @cached_property
    def _movers(self) -> tuple[int, ...]:
        state = self._state
        if state.is_terminal() or state.is_chance_node():
            return ()
        if state.is_simultaneous_node():
            return tuple(n for n in range(len(self.players)) if state.legal_actions(n))
        return (state.current_player(),)

    @property
    def movers(self) -> tuple[str, ...]:
        """Who moves here."""
        return tuple(self.players[number] for number in self._movers)

    @property
    def payoffs(self) -> dict[str, Fraction]:
        """What each player gets, if the game is over."""
        return {
            player: _fraction(value)
            for player, value in zip(self.players, self._state.returns(), strict=True)
        }

    def options(self, player: str) -> Menu:
        """The legal moves of a player who moves, as OpenSpiel writes them."""
        return tuple(self._actions(self.players.index(player)))

    def chances(self) -> tuple[tuple[Hashable, Fraction], ...]:
        """The outcomes of a chance move here, without those of probability 0."""
        if not self._state.is_chance_node():
            return ()
        words = {action: word for word, action in self._drawn.items()}
        drawn = [(words[action], chance) for action, chance in self._state.chance_outcomes()]
        chances = [_fraction(chance) for _, chance in drawn]
        whole = sum(chance * times for chance, times in Counter(chances).items())
        if whole != 1:
            chances = [chance / whole for chance in chances]
        return tuple(
            (word, chance) for (word, _), chance in zip(drawn, chances, strict=True) if chance
        )

    @cached_property
    def _drawn(self) -> dict[str, int]:
        actions = [action for action, _ in self._state.chance_outcomes()]
        return self._worded(-1, actions)

    def after(self, move: Any) -> SpielPosition:
        """The position after a move; after several at once, given as a tuple in movers' order."""
        state = self._state.clone()
        taken: dict[int, str] = {}
        if state.is_chance_node():
            state.apply_action(self._drawn[move])
        elif state.is_simultaneous_node():
            taken = dict(zip(self._movers, move if len(self._movers) > 1 else (move,), strict=True))
            joint = [
                self._actions(number)[taken[number]] if number in taken else 0
                for number in range(len(self.players))
            ]
            state.apply_actions(joint)
        else:
            taken = {self._movers[0]: move}
            state.apply_action(self._actions(self._movers[0])[move])
        return SpielPosition(self._game, state, self._observed(state, taken))

    def view(self, player: str) -> Hashable:
        """What a player knows."""
        number = self.players.index(player)
        if self._game.get_type().provides_information_state_string:
            words: str = self._state.information_state_string(number)
            return words
        return self._seen[number]

    def probabilities(self, policy: Any, player: str) -> dict[str, float]:
        """What a policy of OpenSpiel does here, in OpenSpiel's words."""
        number = self.players.index(player)
        given = dict(policy.action_probabilities(self._state, number))
        actions = self._actions(number)
        unknown = [action for action in given if given[action] and action not in actions.values()]
        if unknown:
            raise InfosetError(
                f"the policy of {player} gives {unknown[0]!r} a probability, which is not legal at"
                f" {self.view(player)!r:.80}"
            )
        return {word: given.get(action, 0.0) for word, action in actions.items()}

    def _observed(self, state: Any, taken: dict[int, str]) -> tuple[tuple[Hashable, ...], ...]:
        if self._game.get_type().provides_information_state_string:
            return self._seen
        seen = []
        for number, before in enumerate(self._seen):
            own: tuple[Hashable, ...] = (f"[{taken[number]}]",) if number in taken else ()
            sight = "" if state.is_terminal() else state.observation_string(number)
            seen.append((*before, *own, sight))
        return tuple(seen)

    def _actions(self, number: int) -> dict[str, int]:
        return self._worded(number, self._state.legal_actions(number))

    def _worded(self, number: int, actions: list[int]) -> dict[str, int]:
        """Actions by their text in OpenSpiel, numbered where two read the same."""
        words: dict[str, int] = {}
        for action in actions:
            word = self._state.action_to_string(number, action)
            words[word if word not in words else f"{word} #{action}"] = action
        return words


def policy_probabilities(tree: Tree, policy: Any, infoset: int) -> dict[str, float]:
    """What an OpenSpiel policy does at an information set of an OpenSpiel game's tree.

    Parameters
    ----------
    tree : Tree
        As :func:`tree_of_openspiel` builds it.
    policy : object
        With ``action_probabilities(state, player_id)``, and the game as ``game``, if it has one.
    infoset : int
        The information set, counted from 0.

    Returns
    -------
    dict
        By action, in OpenSpiel's words.
    """
    game = getattr(policy, "game", None)
    if not hasattr(game, "new_initial_state"):
        game = load_openspiel(tree.name.removeprefix("openspiel:"))
    node = tree.infosets[infoset].nodes[0]
    position, chosen = SpielPosition.start(game), list[Hashable]()
    for _, move in node.history:
        chosen.append(move)
        if len(chosen) >= len(position.movers):  # all who move at once have chosen
            position = position.after(tuple(chosen) if len(chosen) > 1 else move)
            chosen = []
    return position.probabilities(policy, tree.infosets[infoset].player)


@lru_cache(maxsize=100_000)  # games have few numbers and many positions
def _fraction(value: float) -> Fraction:
    precise = exact(value)
    near = precise.limit_denominator(LARGEST_DENOMINATOR)
    return near if abs(near - precise) < CLOSE else precise


@contextmanager
def quiet() -> Iterator[None]:
    """OpenSpiel's C++ code prints its errors before it raises them."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
