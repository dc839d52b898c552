"""What each agent knows, as an integer in a trie.

An agent's knowledge is the sequence of the facts revealed to it, the menus it was offered and the
options it took. A trie holds every such sequence that has occurred; a state of knowledge is the
number of its last step, and one more fact is one look-up: O(1), however long the play.

Two decision nodes are in one information set exactly if the chooser's knowledge and its menu agree.
So an information set is an entry ``(knowledge, menu)``; the states after taking its options are
numbered side by side, ``after + 0, after + 1, ...``, and need no look-up at all.
"""

from __future__ import annotations

from collections.abc import Hashable

from infoset.errors import RulesError
from infoset.rules.moves import Menu, check_menu
from infoset.rules.seats import Seats


class Offer:
    """An information set: an agent in some state of knowledge, offered a menu."""

    __slots__ = ("after", "agent", "menu", "number", "state")

    def __init__(self, menu: Menu, number: int, agent: int, state: int, after: int) -> None:
        """Taking option j leads from ``state`` to the state of knowledge ``after + j``."""
        self.menu = menu
        self.number = number
        self.agent = agent
        self.state = state
        self.after = after


class Knowledge:
    """The trie of everything that the agents of one game know.

    States ``0 .. agents-1`` are those in which an agent knows nothing. Every later state has the
    state that it continues in ``before``, and in ``step`` what was added: an index into ``facts``,
    or ``-1 - i`` if the agent took an option of information set ``i``. A state after forgetting
    (``knowing=``) continues none: its ``before`` is -1.
    """

    def __init__(self, seats: Seats) -> None:
        """Start with agents who know nothing."""
        self.seats = seats
        agents = len(seats.agents)
        self.before = [-1] * agents
        self.step = [0] * agents  # unread: these states have no last step
        self.steps: dict[tuple[int, Hashable], int] = {}
        self.facts: list[Hashable] = []
        self._fact_number: dict[Hashable, int] = {}
        self.infosets: list[Offer] = []
        self.menus: dict[Menu, int] = {}  # each menu that was ever offered, with its number
        # A state has mostly one menu; the others, if any, are looked up.
        self.first_offer: list[Offer | None] = [None] * agents  # [state]
        self._other_offers: dict[tuple[int, Menu], Offer] = {}

    def learn(self, start: int, fact: Hashable) -> int:
        """Add the state after a fact that was never learnt in the state ``start``.

        Call it only if ``steps`` has no ``(start, fact)``.
        """
        number = self._fact_number.setdefault(fact, len(self.facts))
        if number == len(self.facts):
            self.facts.append(fact)
        state = self.steps[start, fact] = len(self.before)
        self.before.append(start if start >= 0 else -1)
        self.step.append(number)
        self.first_offer.append(None)
        return state

    def only(self, agent: int, fact: Hashable) -> int:
        """The state of an agent who knows this one fact and has forgotten all else."""
        start = -1 - agent  # no state has a negative number
        try:
            known = self.steps.get((start, fact))
        except TypeError:
            raise unhashable("knowing=", fact) from None
        return self.learn(start, fact) if known is None else known

    def offer(self, agent: int, state: int, menu: Menu) -> Offer:
        """The information set of an agent in this state with this menu, added if it is new."""
        first = self.first_offer[state]
        if first is not None:
            known = self.find(state, menu)
            if known is not None:
                return known
        try:
            new = menu not in self.menus
        except TypeError:
            new = True
        if new:
            check_menu(menu)
            self.menus[menu] = len(self.menus)
        number, options = len(self.infosets), len(menu)
        made = Offer(menu, number, agent, state, len(self.before))
        self.before += [state] * options
        self.step += [-1 - number] * options
        self.first_offer += [None] * options
        self.infosets.append(made)
        if first is None:
            self.first_offer[state] = made
        else:
            self._other_offers[state, menu] = made
        return made

    def find(self, state: int, menu: Menu) -> Offer | None:
        """The information set with this knowledge and menu, or None."""
        first = self.first_offer[state]
        if first is None or first.menu == menu:
            return first
        try:
            return self._other_offers.get((state, menu))
        except TypeError:
            return None


def unhashable(what: str, value: object) -> RulesError:
    """The error for something that cannot be known because it cannot be compared."""
    return RulesError(f"{what}{value!r} is not hashable; use a tuple instead of a list or dict")
