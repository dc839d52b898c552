"""A game as an environment of PettingZoo's kind: agents act one after the other (AEC).

J. Terry et al., PettingZoo: Gym for multi-agent reinforcement learning, 2021. Imported only where
PettingZoo is installed; :func:`infoset.play.pettingzoo_env` says what to install.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from infoset.errors import ParameterError
from infoset.play.environments.encoding import Encoding, Policy
from infoset.play.environments.serial import SerialPosition
from infoset.search.plays import drawn_move
from infoset.text import history_text


class GameEnvironment(AECEnv):  # type: ignore[misc]
    """See :func:`infoset.play.pettingzoo_env`."""

    def __init__(
        self, encoding: Encoding, max_cycles: int | None = None, render_mode: str | None = None
    ) -> None:
        """Of a game whose actions and observations have numbers."""
        super().__init__()
        if max_cycles is not None and max_cycles < 1:
            raise ParameterError(f"max_cycles= must be at least 1, not {max_cycles}")
        if render_mode not in (None, "ansi"):
            raise ParameterError(f"render_mode={render_mode!r:.40}: 'ansi', which is text, or None")
        self.metadata = {
            "render_modes": ["ansi"],
            "name": encoding.source.name,
            "is_parallelizable": False,
        }
        self.encoding = encoding
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.possible_agents = list(encoding.seats.agents)
        self.observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(encoding.count) for agent in self.possible_agents
        }
        self._random = Random()

    def _space(self) -> spaces.Dict:
        encoding = self.encoding
        binary = encoding.kind != "function"
        low, high = (0.0, 1.0) if binary else (-np.inf, np.inf)
        return spaces.Dict(
            {
                "observation": spaces.Box(low, high, (encoding.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (encoding.count,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        """A vector, and which actions are legal."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The numbers of the actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; chance and its generator are seeded if a seed is given."""
        if seed is not None:
            self._random = Random(seed)
        agents = self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self.cycles = 0
        self.moves: list[tuple[str | None, Any]] = []  # None is chance
        self.agent_selection = agents[0]
        self._here = SerialPosition(self.encoding.source.start)
        self._go_on()

    def step(self, action: Any) -> None:
        """The agent whose turn it is acts."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        option = self.encoding.option(self._here.options(), int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.infos[agent] = {}
        self.moves.append((agent, option))
        self._here = self._here.after(option)
        self.cycles += 1
        self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        """Draw the moves of chance, up to the next decision or the end."""
        here = self._here
        while not here.position.over and here.mover is None:
            drawn = drawn_move(here.position.chances(), self._random)
            self.moves.append((None, drawn))
            here = here.after(drawn)
        self._here = here
        if here.position.over:
            self._end()
            return
        mover = self.agent_selection = str(here.mover)
        menu = here.options()
        state = self.encoding.state(mover, here.view(mover), menu)
        self.infos[mover] = {"information_state": state, "legal_actions": menu}
        if self.cycles == self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)

    def _end(self) -> None:
        seats, paid = self.encoding.seats, self._here.position.payoffs
        for agent in self.agents:
            player = seats.players[seats.player_of[seats.agent_number[agent]]]
            self.rewards[agent] = float(paid[player])
            self.terminations[agent] = True

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent observes: a vector, and which actions are legal if it moves."""
        encoding, info = self.encoding, self.infos.get(agent, {})
        if "information_state" in info:
            state = info["information_state"]
        else:
            state = encoding.state(agent, self._here.view(agent))
        mask = encoding.mask(state.legal_actions)
        return {"observation": encoding.observation(state), "action_mask": mask}

    def strategy(self, policy: Policy) -> Any:
        """A policy that was trained here as a strategy; see :meth:`Encoding.strategy`."""
        return self.encoding.strategy(policy)

    def render(self) -> str | None:
        """All moves so far, if the mode is ``"ansi"``."""
        return history_text(self.moves) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""

    def __str__(self) -> str:
        return self.encoding.source.name
