"""Who plays: players, and the agents who act for them.

A player is paid; an agent acts and remembers. Mostly they are the same. A team is one player with
several agents, each of whom remembers only its own part, so that the team has imperfect recall
(bridge: what West saw, East does not know).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from infoset.errors import RulesError, nearest

MOST_PLAYERS = 120  # a tree keeps the player of a node in one signed byte
MOST_AUDIENCES = 1000  # that are cached


@dataclass(frozen=True)
class Seats:
    """The players of a game and their agents, each with its number."""

    players: tuple[str, ...]
    agents: tuple[str, ...]
    player_of: tuple[int, ...]  # [agent] the player for whom it acts
    agent_number: dict[str, int]  # also by the player's name, where it has one agent
    player_number: dict[str, int]  # by the player's name or an agent's
    members: dict[str, tuple[int, ...]]  # the agents behind a name: of a team, all of them
    audiences: dict[Any, tuple[int, ...]]  # the agents behind a name or a tuple of names, cached
    others: dict[str, tuple[str, ...]]  # by an agent's name: everyone else who acts, in turn
    wins: dict[Any, tuple[Fraction | int, ...]]  # payoffs of wins, by (winner, amount), kept

    def agent(self, name: object) -> int:
        """The number of the agent who acts under this name."""
        try:
            return self.agent_number[name]  # type: ignore[index]
        except (KeyError, TypeError):
            raise self._unknown(name) from None

    def player(self, name: object) -> int:
        """The number of the player who is paid under this name, its own or an agent's."""
        try:
            return self.player_number[name]  # type: ignore[index]
        except (KeyError, TypeError):
            raise self._unknown(name) from None

    def audience(self, names: object) -> tuple[int, ...]:
        """The agents meant by a name or by several: a player's name means all of its agents."""
        try:
            return self.audiences[names]
        except (KeyError, TypeError):
            found = self._heard(names)
        if type(names) is tuple and len(self.audiences) < MOST_AUDIENCES:
            self.audiences[names] = found
        return found

    def _heard(self, names: object) -> tuple[int, ...]:
        if isinstance(names, str) or not isinstance(names, Iterable):
            raise self._unknown(names)
        found: dict[int, None] = {}
        for name in names:
            if not isinstance(name, str) or name not in self.members:
                raise self._unknown(name)
            found.update(dict.fromkeys(self.members[name]))
        return tuple(found)

    def _unknown(self, name: object) -> RulesError:
        if isinstance(name, str) and name in self.members:
            agents = ", ".join(repr(self.agents[agent]) for agent in self.members[name])
            return RulesError(f"{name!r} is a team: name the agent who acts ({agents})")
        return RulesError(f"no player {name!r}; {nearest(name, self.members)}")


def seat(players: object) -> Seats:
    """The seats that a game declares.

    Parameters
    ----------
    players
        Names in order, or a mapping of teams to their agents.

    Returns
    -------
    Seats
        Players and agents, numbered.

    Raises
    ------
    RulesError
        If a name is no text, occurs twice or is ``"chance"``.

    Examples
    --------
    >>> seat(("gambler", "dealer")).agents
    ('gambler', 'dealer')
    >>> seat({"team": ("east", "west"), "dealer": ()}).agents
    ('east', 'west', 'dealer')
    """
    if isinstance(players, str):
        players = (players,)
    if isinstance(players, Set) and not isinstance(players, Mapping):
        raise RulesError(f"players as a set, {players!r}, have no order; list them")
    if not isinstance(players, Iterable):
        raise RulesError(f"players must be names, or teams with their agents, not {players!r}")
    names = list(players)
    teams = {name: _agents(name, players) for name in names}
    agents = [agent for team in teams.values() for agent in team]
    for name in (*names, *agents):
        if not isinstance(name, str) or not name:
            raise RulesError(f"a player's name must be text that is not empty, not {name!r}")
    if "chance" in (*names, *agents):
        raise RulesError("no player can be called 'chance': that is the name of chance moves")
    for name in names:
        if names.count(name) > 1:
            raise RulesError(f"two players are called {name!r}")
    for agent in agents:
        if agents.count(agent) > 1 or (agent in teams and teams[agent] != (agent,)):
            raise RulesError(f"the name {agent!r} is used twice among players and agents")
    if not 1 <= len(agents) <= MOST_PLAYERS:
        raise RulesError(f"a game has 1 to {MOST_PLAYERS} players, not {len(agents)}")
    return _numbered(teams)


def _agents(name: str, players: Iterable[object]) -> tuple[str, ...]:
    if not isinstance(players, Mapping):
        return (name,)
    agents = players[name]
    if isinstance(agents, str):
        return (agents,)
    if agents is None:
        return (name,)
    return tuple(agents) or (name,)


def _numbered(teams: dict[str, tuple[str, ...]]) -> Seats:
    agents = tuple(agent for team in teams.values() for agent in team)
    number = {agent: index for index, agent in enumerate(agents)}
    members: dict[str, tuple[int, ...]] = {agent: (at,) for agent, at in number.items()}
    player_number: dict[str, int] = {}
    player_of: list[int] = []
    for player, (name, team) in enumerate(teams.items()):
        members[name] = tuple(number[agent] for agent in team)
        player_number |= dict.fromkeys((name, *team), player)
        player_of += [player] * len(team)
    others = {agent: agents[at + 1 :] + agents[:at] for agent, at in number.items()}
    alone = {name: own[0] for name, own in members.items() if len(own) == 1}
    return Seats(
        players=tuple(teams),
        agents=agents,
        player_of=tuple(player_of),
        agent_number=alone,
        player_number=player_number,
        members=members,
        audiences=dict(members),
        others=others,
        wins={},
    )
