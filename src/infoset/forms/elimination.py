"""Iterated dominance: remove what is dominated, look again at what is left, and so on.

A player who is rational does not play a strictly dominated strategy. One who knows that the others
are rational knows that they do not, and so may find that more is dominated in the game that is
left; and so on (Luce & Raiffa 1957; Bernheim 1984; Pearce 1984). Let S be what is left:

    repeat    remove from S every strategy that is dominated in the game of S
    until     none is

*Strictly.* The order does not matter: what is left is the same in whatever order strategies are
removed, one at a time or all at once (Gilboa, Kalai & Zemel 1990). A strategy that is removed is
played in no equilibrium, mixed ones included, so the equilibria of the rest are those of the game.
With two players what is left are the *rationalizable* strategies. With more it is the correlated
kind of them, in which a player may believe that what two others do hangs together.

*Weakly.* Here the order does matter (Osborne & Rubinstein 1994, section 4.3, have an example),
and equilibria may get lost, though every equilibrium of the rest is one of the game. Unless told
otherwise, all weakly dominated strategies of all players are removed together, round by round
(Moulin 1979). Strategies that always pay the same do not dominate each other: both stay.

A game is *dominance solvable* if all that is left pays everyone the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from infoset.errors import NotApplicable, ParameterError, nearest
from infoset.forms.dominance import NO_MIXTURES, Dominance, Dominated, dominated
from infoset.forms.normal import NormalForm, restricted
from infoset.rules.story import brief

KINDS = STRICT, WEAK = "strict", "weak"
MEANS = PURE, MIXED = "pure", "mixed"

Strategy = tuple[int | str, int | str]  # a player and a strategy of it, by number or in words


@dataclass(frozen=True)
class Removed:
    """A strategy that was removed, and what dominated it then; numbers are those of the form."""

    player: int
    strategy: int
    how: Dominated


@dataclass(frozen=True, eq=False, repr=False)
class Elimination:
    """What was removed from a normal form, round by round, and what is left."""

    form: NormalForm
    kind: str  # "strict" or "weak"
    by: str  # "pure" or "mixed" strategies
    rounds: tuple[tuple[Removed, ...], ...]
    left: tuple[tuple[int, ...], ...]  # [player] numbers of strategies
    note: str = ""  # what was not looked at, and why: then more may be dominated

    @cached_property
    def rest(self) -> NormalForm:
        """The normal form of what is left."""
        return restricted(self.form, self.left)

    @property
    def solvable(self) -> bool:
        """Does all that is left pay everyone the same?"""
        return all(bool((paid == paid.flat[0]).all()) for paid in self.rest.numerators)

    @property
    def removed(self) -> tuple[Removed, ...]:
        """All that was removed, in order."""
        return tuple(one for several in self.rounds for one in several)

    def labels(self, player: int | str) -> tuple[str, ...]:
        """What is left to a player, in words."""
        number = self.form.tree.player_number(player) if isinstance(player, str) else player
        words = self.form.labels(number)
        return tuple(words[strategy] for strategy in self.left[number])

    def __str__(self) -> str:
        from infoset.examine.faces import elimination_text

        return elimination_text(self)

    def _repr_html_(self) -> str:
        from infoset.examine.faces import elimination_html

        return elimination_html(self)

    def __repr__(self) -> str:
        sizes = " × ".join(f"{len(own):,}" for own in self.left)
        rounds = f"{len(self.rounds)} round{'s' * (len(self.rounds) != 1)}"
        name = brief(self.form.tree.name)
        return f"<Elimination of {name}, {self.kind}: {rounds}, {sizes} left>"


def eliminate(
    form: NormalForm,
    kind: str = STRICT,
    *,
    by: str = MIXED,
    order: Iterable[int | str | Strategy] = (),
) -> Elimination:
    """Remove dominated strategies, round by round, until none is left.

    ``kind`` is "strict" or "weak" (which includes strict). Strategies are dominated ``by`` "pure"
    strategies alone, or by "mixed" ones, too. A round removes all of every player's. With an
    ``order`` of players, by number or name, a round looks at one of them alone, in turn; who is not
    named keeps everything. An order that begins with (player, strategy) pairs removes these first,
    one a round, each of which must be dominated by then; strategies go by number or in words.

    >>> from infoset.forms import normal_form
    >>> from infoset.games import prisoners_dilemma
    >>> done = eliminate(normal_form(prisoners_dilemma().tree()))
    >>> done
    <Elimination of prisoners_dilemma(), strict: 1 round, 1 × 1 left>
    >>> done.labels("row"), done.labels("column"), done.solvable
    (('defect',), ('defect',), True)
    """
    if not isinstance(form, NormalForm):
        raise ParameterError(f"{form!r:.60} is no normal form; normal_form(tree) makes one")
    if not isinstance(order, Iterable):
        raise ParameterError(f"order={order!r:.60}: players, or (player, strategy) pairs")
    for name, given, known in (("kind", kind, KINDS), ("by", by, MEANS)):
        if given not in known:
            raise ParameterError(f"{name}={given!r:.60}: {nearest(str(given), known)}")
    away = _Away(form, kind, by)
    turns: list[int] = []
    for entry in order:
        if isinstance(entry, tuple):
            if turns:
                raise ParameterError("order: strategies come first, then players in turn")
            away.one(*away.numbers(entry))
        else:
            turns.append(away.player(entry))
    away.in_turn(turns) if turns else away.together()
    note = "; ".join(f"{form.tree.names[at]}: {said}" for at, said in sorted(away.unseen.items()))
    left = tuple(tuple(own) for own in away.left)
    return Elimination(form, kind, by, tuple(away.rounds), left, note)


class _Away:
    """Strategies on their way out."""

    def __init__(self, form: NormalForm, kind: str, by: str) -> None:
        self.form = form
        self.kind = kind
        self.by = by
        self.left = [list(range(size)) for size in form.shape]
        self.rounds: list[tuple[Removed, ...]] = []
        self.unseen: dict[int, str] = {}  # by player: what was not looked at the last time

    def together(self) -> None:
        """Remove all that is dominated, whoever's it is, until there is no more."""
        everyone = range(len(self.left))
        while found := [one for player in everyone for one in self.found(player)]:
            self.remove(found)

    def in_turn(self, players: Sequence[int]) -> None:
        """Go round the players, and remove what is dominated of one at a time."""
        idle = at = 0
        while idle < len(players):
            found = self.found(players[at % len(players)])
            idle = 0 if found else idle + 1
            at += 1
            self.remove(found)

    def one(self, player: int, strategy: int) -> None:
        """Remove one strategy, if it is dominated."""
        found = [one for one in self.found(player) if one.strategy == strategy]
        if not found:
            words = self.form.labels(player)[strategy]
            gone = strategy not in self.left[player]
            why = "is gone already" if gone else f"is not dominated ({self.kind}) by then"
            place = f"{self.form.tree.name}: order: {brief(words)!r} of {self.name(player)}"
            raise NotApplicable(f"{place} {why}; leave it out, or put others before it")
        self.remove(found)

    def found(self, player: int) -> list[Removed]:
        """What is dominated of a player's strategies among those that are left."""
        rest = restricted(self.form, self.left)
        own = self.left[player]
        weakly = self.kind == WEAK
        if self.by == PURE:
            look = dominated(rest, player, weakly=weakly, few=0)
        else:
            look = dominated(rest, player, weakly=weakly)
        self._remember(player, look)
        return [
            Removed(player, own[at], _renamed(how, own)) for at, how in sorted(look.found.items())
        ]

    def _remember(self, player: int, look: Dominance) -> None:
        self.unseen.pop(player, None)
        if look.note and not (self.by == PURE and look.note.startswith(NO_MIXTURES)):
            self.unseen[player] = look.note

    def remove(self, found: Sequence[Removed]) -> None:
        """A round, if anything was found for it."""
        if not found:
            return
        self.rounds.append(tuple(found))
        for one in found:
            self.left[one.player].remove(one.strategy)

    def player(self, given: int | str) -> int:
        """A player's number."""
        if isinstance(given, str):
            return self.form.tree.player_number(given)
        if not isinstance(given, int) or not 0 <= given < len(self.left):
            count = len(self.left)
            raise ParameterError(
                f"order: no player {given!r:.60}; they are counted 0 to {count - 1}"
            )
        return given

    def name(self, player: int) -> str:
        """A player's name, in one line."""
        return brief(self.form.tree.names[player])

    def numbers(self, given: Strategy) -> tuple[int, int]:
        """The numbers of a player and of a strategy."""
        if len(given) != 2:
            raise ParameterError(f"order: {given!r:.60} is no pair of a player and a strategy")
        player, strategy = self.player(given[0]), given[1]
        if isinstance(strategy, int):
            self.form.plan(player, strategy)  # says which there are
            return player, strategy
        words = self.form.labels(player)
        if strategy not in words:
            hint = nearest(str(strategy), words)
            raise ParameterError(
                f"order: {self.name(player)} has no strategy {strategy!r:.60}; {hint}"
            )
        return player, words.index(strategy)


def _renamed(how: Dominated, own: Sequence[int]) -> Dominated:
    return Dominated(how.strictly, tuple((own[at], weight) for at, weight in how.by))
