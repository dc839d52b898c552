"""Games as environments for agents of other projects: PettingZoo and OpenSpiel.

Their packages are imported when an environment is made, and not before.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from infoset.errors import NotApplicable
from infoset.play.environments.encoding import MAX_NODES, Encoding, Observe

if TYPE_CHECKING:
    from infoset.play.environments.aec import GameEnvironment
    from infoset.play.environments.spiel import ExportedGame

__all__ = ["Encoding", "openspiel_game", "pettingzoo_env"]


def pettingzoo_env(
    game: Any,
    *,
    observation: str | Observe = "auto",
    actions: int | Sequence[Hashable] | None = None,
    max_cycles: int | None = None,
    render_mode: str | None = None,
    max_nodes: int = MAX_NODES,
) -> GameEnvironment:
    """Any game as an environment of PettingZoo, in which agents act one after the other.

    Parameters
    ----------
    game
        A game, a tree, a game of OpenSpiel, or whatever has positions.
    observation, actions, max_nodes
        How observations and actions are numbered; see :class:`Encoding`.
    max_cycles
        Truncate a game after so many moves of agents.
    render_mode
        ``"ansi"``: ``render()`` gives all moves as text.

    Returns
    -------
    pettingzoo.AECEnv
        Agents are the seats: players, or the agents of a team. An observation is a dictionary with
        a vector, ``observation``, and ``action_mask``. ``infos`` of the agent that moves has its
        ``information_state`` and ``legal_actions``. Rewards are the payoffs, when the game is over;
        each agent of a team gets the team's. Chance is drawn by ``reset(seed=...)``. Those who move
        simultaneously act in turn, and do not observe each other.

    Raises
    ------
    NotApplicable
        If PettingZoo is not installed.
    ParameterError
        If a setting is out of range.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.play import pettingzoo_env
    >>> env = pettingzoo_env(kuhn())
    >>> env.reset(seed=1)
    >>> observation, reward, over, cut, info = env.last()
    >>> env.agent_selection, observation["action_mask"]
    ('gambler', array([1, 1], dtype=int8))
    """
    try:
        from infoset.play.environments.aec import GameEnvironment
    except ImportError as error:
        raise not_installed("PettingZoo", "pettingzoo", error) from None
    encoding = Encoding(game, observation=observation, actions=actions, max_nodes=max_nodes)
    return GameEnvironment(encoding, max_cycles, render_mode)


def openspiel_game(
    game: Any,
    *,
    observation: str | Observe = "auto",
    actions: int | Sequence[Hashable] | None = None,
    max_nodes: int = MAX_NODES,
) -> ExportedGame:
    """Any game as a game of OpenSpiel's.

    Parameters
    ----------
    game
        A game, a tree, or whatever has positions.
    observation, actions, max_nodes
        How observations and actions are numbered; see :class:`Encoding`.

    Returns
    -------
    pyspiel.Game
        Its players are the seats, in their order: players, or the agents of a team, each of which
        gets the team's payoff. Chance nodes are explicit. Those who move simultaneously move in
        turn, and do not know of each other's move. Both tensors and both strings are those of the
        information state.

    Raises
    ------
    NotApplicable
        If OpenSpiel is not installed.
    ParameterError
        If a setting is out of range.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.play import openspiel_game
    >>> spiel = openspiel_game(kuhn())  # doctest: +SKIP
    >>> spiel.num_distinct_actions()  # doctest: +SKIP
    2
    """
    try:
        from infoset.play.environments.spiel import exported
    except ImportError as error:
        raise not_installed("OpenSpiel", "open_spiel", error) from None
    encoding = Encoding(game, observation=observation, actions=actions, max_nodes=max_nodes)
    return exported(encoding)


def not_installed(what: str, package: str, error: ImportError) -> NotApplicable:
    """What to say where a package is missing; any other error is raised."""
    if error.name is not None and error.name.startswith("infoset"):
        raise error
    return NotApplicable(
        f"this needs {what}, which is not installed; install it beside infoset: pip install"
        f" {package}"
    )
