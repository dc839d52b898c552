"""Players who tell less apart than they see: the quotient is the game of rules that show less."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from infoset import Game, Play, game, solve
from infoset.forms.public.merge import BLURRED, merged_by
from infoset.games import kuhn, leduc, rhode_island
from infoset.games.rhode_island import strength
from infoset.objects import Card, Deck
from infoset.strategy.public import public_profile
from infoset.tree.knowledge import Word

DECK = Deck(4, 1)


@cache
def outcome(*cards: Card) -> Hashable:
    """How often a card and a board win and tie; before, how often it comes to each of these."""
    rest = [card for card in DECK if card not in cards]
    if len(cards) < 3:
        return frozenset(Counter(outcome(*cards, card) for card in rest).items())
    own, others = strength(*cards), [strength(card, *cards[1:]) for card in rest]
    return sum(other < own for other in others), others.count(own)


def outcome_of(words: tuple[Word, ...]) -> Hashable:
    return outcome(*(word.value for word in words if isinstance(word.value, Card)))


class Shown:
    """The play, in which some players are shown outcomes instead of cards."""

    def __init__(self, play: Play, blurred: tuple[str, ...]) -> None:
        self.play, self.blurred = play, blurred
        self.cards: dict[str, tuple[Card, ...]] = dict.fromkeys(play.players, ())

    def __getattr__(self, word: str) -> Any:
        return getattr(self.play, word)

    def reveal(self, to: Any, fact: Any) -> None:
        for player in (to,) if isinstance(to, str) else to:
            if isinstance(fact, Card) and player in self.blurred:
                self.cards[player] += (fact,)
                self.play.reveal(player, outcome(*self.cards[player]))
            else:
                self.play.reveal(player, fact)


def shown(blurred: tuple[str, ...]) -> Game:
    """Rhode Island hold'em with four cards, as rules that show outcomes."""

    @game(players=("one", "two"))
    def outcomes_only(g: Play) -> object:
        return rhode_island.rules(Shown(g, blurred), ranks=4, suits=1, raises=1)

    return outcomes_only()


@pytest.mark.parametrize(
    ("players", "value"),
    [
        ((), Fraction(-1, 6)),
        ((0,), Fraction(-35, 144)),
        ((1,), Fraction(-5, 36)),
        ((0, 1), Fraction(-25, 132)),
    ],
)
def test_the_quotient_is_the_game_of_those_who_see_less(
    players: tuple[int, ...], value: Fraction
) -> None:
    whole = rhode_island(ranks=4, suits=1, raises=1).public()
    rough = merged_by(whole, outcome_of, players).form
    rules = shown(tuple(whole.players[player] for player in players)).tree()
    assert rough.infosets == tuple(
        int(np.count_nonzero(rules.infoset_player == player)) for player in range(2)
    )
    assert solve(rough).value == solve(rules).value == value


def test_one_who_sees_less_makes_sure_of_less() -> None:
    """A plan of the quotient is one of the whole: same payoff, and no smaller regret."""
    merging = merged_by(leduc().public(), lambda words: None)  # cards are not looked at
    assert merging.form.folded.endswith(BLURRED)
    answer = solve(merging.form)
    one, two = (
        plan[merging.sequences[player]] for player, plan in enumerate(answer.evaluation.plans)
    )
    found = public_profile(merging.whole, (one, two))
    assert found.payoffs[found.players[0]] == pytest.approx(float(answer.value))
    assert min(found.regrets.values()) > 0.5


def test_who_tells_all_apart_sees_all() -> None:
    form = kuhn(ranks=5).public()
    assert merged_by(form, lambda words: words).form is form
    assert merged_by(form, lambda words: None, players=()).form is form


def test_what_was_told_apart_is_not_forgotten() -> None:
    """A key that says nothing later on leaves what it said before."""
    form = leduc(ranks=3, suits=1).public()
    once = merged_by(form, lambda words: words[0] if len(words) == 1 else None)
    assert [len(one) for one in once.form.decisions[0][:2]] == [3, 3]
