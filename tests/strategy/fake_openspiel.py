"""Kuhn poker with as much of OpenSpiel's interface as is used, where it is not installed."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

CARDS = 3
ENDS = ("pp", "pbp", "pbb", "bp", "bb")


@dataclass
class State:
    """Two cards, and a history of passes (0) and bets (1)."""

    cards: list[int] = field(default_factory=list)
    moves: str = ""

    def is_terminal(self) -> bool:
        return self.moves in ENDS

    def is_chance_node(self) -> bool:
        return len(self.cards) < 2

    def is_simultaneous_node(self) -> bool:
        return False

    def current_player(self) -> int:
        return len(self.moves) % 2

    def legal_actions(self, player: int) -> list[int]:
        return [0, 1]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        left = [card for card in range(CARDS) if card not in self.cards]
        return [(card, 1 / len(left)) for card in left]

    def action_to_string(self, player: int, action: int) -> str:
        return f"Deal:{action}" if player < 0 else ("Pass", "Bet")[action]

    def clone(self) -> State:
        return State(list(self.cards), self.moves)

    def apply_action(self, action: int) -> None:
        if self.is_chance_node():
            self.cards.append(action)
        else:
            self.moves += "pb"[action]

    def returns(self) -> list[float]:
        stake = 2 if "bb" in self.moves else 1
        if self.moves.endswith("bp"):
            winner = (len(self.moves)) % 2
        else:
            winner = int(self.cards[1] > self.cards[0])
        won = float(stake if winner == 0 else -stake)
        return [won, -won]

    def information_state_string(self, player: int) -> str:
        return f"{self.cards[player]}{self.moves}"


class Kuhn:
    """The game."""

    def get_type(self) -> Any:
        return SimpleNamespace(
            provides_information_state_string=True,
            provides_observation_string=False,
            short_name="kuhn_poker",
            dynamics="SEQUENTIAL",
            chance_mode="EXPLICIT_STOCHASTIC",
        )

    def __str__(self) -> str:
        return "kuhn_poker()"

    def num_players(self) -> int:
        return 2

    def new_initial_state(self) -> State:
        return State()


class UniformPolicy:
    """Every legal action with the same probability."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def action_probabilities(self, state: State, player_id: int | None = None) -> dict[int, float]:
        assert player_id == state.current_player()
        legal = state.legal_actions(state.current_player())
        return {action: 1 / len(legal) for action in legal}

    def __call__(self, state: State, player_id: int | None = None) -> dict[int, float]:
        raise AssertionError("a policy is asked by action_probabilities")


class SpielError(Exception):
    """What OpenSpiel raises."""


def installed(**games: Any) -> Any:
    """The module, with these games by name."""
    return SimpleNamespace(
        registered_names=lambda: list(games),
        load_game=lambda name: games[name.partition("(")[0]],
        SpielError=SpielError,
    )
