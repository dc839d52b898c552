"""The intuitive criterion of Cho and Kreps, for equilibria of signalling games.

In a *signalling game* chance draws a type t, which the sender alone is told; the sender chooses a
message m; the receiver sees m and not t, and responds; the game is over. The types that can send m
are T(m). A response is in BR(T, m) if it is optimal for the receiver with *some* belief over the
types T. Let u*(t) be what type t gets in an equilibrium. The equilibrium fails the criterion at a
message m that nobody sends if the following argument holds (Cho & Kreps 1987, section IV.2):

1. Let J be the types that cannot gain by m, whatever the receiver, with any belief, does then:
   u*(t) > max u(t, m, r) over r in BR(T(m), m).
2. The receiver should not believe in a type of J. With J excluded, some type t gains in any case:
   u*(t) < min u(t, m, r) over r in BR(T(m) - J, m).

If J is all of T(m), the criterion says nothing about m. Maximum and minimum over mixed best
responses are those over pure ones, as each of these is a mixture of responses that are optimal with
one belief. Whether a response is optimal with some belief is a system of linear inequalities, and
is decided exactly (:mod:`infoset.linear.cones`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NoReturn

from infoset.analysis.questions.answer import Answer, Subject, asked_about, played
from infoset.analysis.table import NUMBER, PROSE, Column, Table
from infoset.errors import NotApplicable
from infoset.linear.cones import cone_point
from infoset.rules.moves import CHANCE, LEAF
from infoset.solvers.solution import Solution
from infoset.strategy import Profile
from infoset.strategy.convert import Given
from infoset.strategy.infosets import Playable
from infoset.strategy.perfect_bayesian import Supporting, supporting
from infoset.text import names_text, printable, probability_text, text
from infoset.tree import Infoset, Node, Tree
from infoset.tree.views import Views

Payoffs = tuple[Fraction, Fraction]  # of the sender and of the receiver


@dataclass(frozen=True)
class Objection:
    """Why an equilibrium fails: a message that nobody sends, and the type that would send it."""

    message: str
    excluded: tuple[str, ...]  # the types that cannot gain by it
    type: str  # one that gains in any case, once the receiver excludes those
    gets: Fraction  # what it gets in equilibrium
    would_get: Fraction  # and by the message, at least

    def __str__(self) -> str:
        gets, more = probability_text(self.gets), probability_text(self.would_get)
        if not self.excluded:
            return f"{self.type} gets {gets}, and at least {more} by {self.message}"
        return (
            f"{names_text(self.excluded)} cannot gain by {self.message}; if the receiver excludes"
            f" {'that' if len(self.excluded) == 1 else 'them'}, {self.type} gets {more} there"
            f" instead of {gets}"
        )


@dataclass(frozen=True)
class Judgement:
    """Whether one equilibrium satisfies the criterion, and the objection if not."""

    unsent: tuple[str, ...]  # the messages that nobody sends
    objection: Objection | None = None

    @property
    def survives(self) -> bool:
        """Does it satisfy the criterion?"""
        return self.objection is None

    def __bool__(self) -> bool:
        return self.survives

    @property
    def because(self) -> str:
        """The argument, in a line."""
        if self.objection is not None:
            return str(self.objection)
        if not self.unsent:
            return "every message is sent"
        return f"no type is sure to gain by {names_text(self.unsent, 'or')}"


@dataclass(frozen=True, repr=False)
class IntuitiveCriterion(Answer):
    """For each equilibrium of a signalling game: does it satisfy the intuitive criterion?"""

    game: SignallingGame
    equilibria: Sequence[Judgement]
    supported: Sequence[Supporting]  # the same equilibria: is there a belief at all?

    @property
    def numbers(self) -> dict[str, Any]:
        """How many satisfy it."""
        return {"equilibria": len(self.equilibria), "survive": sum(map(bool, self.equilibria))}

    @property
    def table(self) -> Table:
        """A row for each equilibrium."""

        def row(at: int) -> tuple[Any, ...]:
            judged = self.equilibria[at]
            word = "survives" if judged else "fails"
            return at + 1, self.supported[at].kind, word, judged.because

        columns = (
            Column("equilibrium", NUMBER),
            Column("kind"),
            Column("intuitive criterion"),
            Column("because", PROSE),
        )
        return Table("intuitive criterion", columns, Views(row, len(self.equilibria)))


def intuitive_criterion(
    subject: Subject | Given, *, game: Playable | None = None
) -> IntuitiveCriterion:
    """Do equilibria of a signalling game satisfy the intuitive criterion?

    Parameters
    ----------
    subject : Solution, Profile, or anything with ``game``
        Equilibria as a method found them, or strategies for both players; exact ones.
    game : Game, Family, Tree or MatrixGame, optional
        The game, where the strategies do not know it.

    Returns
    -------
    IntuitiveCriterion
        A :class:`Judgement` for each equilibrium; one that fails names the message, the types that
        cannot gain by it, the one that does, and the amounts.

    Raises
    ------
    NotApplicable
        If this is no signalling game, or the strategies are not exact.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import beer_quiche
    >>> answer = intuitive_criterion(solve(beer_quiche(), "enumerate"))
    >>> [judged.survives for judged in answer.equilibria]
    [True, True, False, False]
    >>> print(answer.equilibria[2].because)
    weak cannot gain by beer; if the receiver excludes that, strong gets 3 there instead of 2
    """
    subject = asked_about(subject, game)
    if isinstance(subject, Solution):
        every: Sequence[Profile] = subject.equilibria
        supported = subject.supporting
    else:
        every = (played(subject),)
        supported = Views(lambda at: supporting(every[at]), 1)
    found = SignallingGame(every[0].tree)
    return IntuitiveCriterion(found, tuple(map(found.judged, every)), supported)


class SignallingGame:
    """A tree read as a signalling game.

    Raises
    ------
    NotApplicable
        If it is none; the message says where it departs.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._best: dict[tuple[str, tuple[str, ...]], list[int]] = {}  # the same for all equilibria
        root = tree.root
        if len(tree.names) != 2 or not root.is_chance:
            self._refuse("chance does not begin, with two players")
        self.types: dict[str, Node] = {}  # by name: the sender's node
        for node, chance in zip(root.children, root.probabilities, strict=True):
            if chance:
                self.types[text(node.action)] = self._sender(node)
        senders = [name for name in tree.names if all(self._chooses(name))]
        if not senders:
            self._refuse("not one player chooses after every draw of chance")
        self.sender = senders[0]
        self.receiver = next(name for name in tree.names if name != self.sender)
        self.responses: dict[str, Infoset] = {}  # by message: where the receiver is then
        for node in self.types.values():
            self._read(node)
        self._check_sets()

    def __repr__(self) -> str:
        return f"<SignallingGame {self.tree.name}: {len(self.types)} types>"

    def _refuse(self, why: str) -> NoReturn:
        raise NotApplicable(
            f"{self.tree.name}: the intuitive criterion is for signalling games (chance draws a"
            f" type, its sender chooses a message, the receiver responds), and here {why}"
        )

    def _sender(self, node: Node) -> Node:
        infoset = node.infoset
        if infoset is None:
            self._refuse(f"no player chooses after {node}")
        if len([one for one in infoset if self.tree.chance_reach[one.index]]) > 1:
            self._refuse(f"{infoset.player} does not know what chance has drawn")
        return node

    def _chooses(self, player: str) -> Iterator[bool]:
        return (node.player == player for node in self.types.values())

    def _read(self, node: Node) -> None:
        """The messages of a type, and where they lead."""
        for after in node.children:
            message, infoset = text(after.action), after.infoset
            if infoset is None or infoset.player != self.receiver:
                self._refuse(f"{self.receiver} does not respond after {after}")
            if self.responses.setdefault(message, infoset) != infoset:
                self._refuse(f"{self.receiver} knows more than the message {message!r}")
            if not all(self._is_over(end) for end in after.children):
                self._refuse(f"the game goes on after the response to {message!r}")

    def _check_sets(self) -> None:
        if len(set(self.responses.values())) < len(self.responses):
            self._refuse(f"{self.receiver} cannot tell two messages apart")

    def _is_over(self, node: Node) -> bool:
        """Does nobody choose any more?"""
        kinds = self.tree.player
        return bool(kinds[node.index] == LEAF) or (
            bool(kinds[node.index] == CHANCE) and all(map(self._is_over, node.children))
        )

    # ------------------------------------------------------------------ payoffs and responses

    @cached_property
    def payoffs(self) -> dict[tuple[str, str], list[Payoffs]]:
        """By type and message: [response] what sender and receiver get."""
        return {
            (name, text(after.action)): [self._expected(end) for end in after.children]
            for name, node in self.types.items()
            for after in node.children
        }

    def _expected(self, node: Node) -> Payoffs:
        if node.is_leaf:
            paid = node.payoffs
            return Fraction(paid[self.sender]), Fraction(paid[self.receiver])
        below = [
            (share, self._expected(child))
            for share, child in zip(node.probabilities, node.children, strict=True)
        ]
        one, two = (sum((w * paid[at] for w, paid in below), Fraction(0)) for at in (0, 1))
        return one, two

    def best_responses(self, message: str, types: Sequence[str]) -> list[int]:
        """The responses that are optimal for the receiver with some belief over these types."""
        key = (message, tuple(types))
        if key not in self._best:
            self._best[key] = self._supported_responses(message, types)
        return self._best[key]

    def _supported_responses(self, message: str, types: Sequence[str]) -> list[int]:
        """The same, by a linear program for each response."""
        rows = [[paid[1] for paid in self.payoffs[name, message]] for name in types]
        found = []
        for response in range(len(rows[0])):
            gains = [
                {at: row[response] - row[other] for at, row in enumerate(rows)}
                for other in range(len(rows[0]))
                if other != response
            ]
            everyone = dict.fromkeys(range(len(rows)), 1)
            if cone_point(len(rows), gains, [everyone]) is not None:
                found.append(response)
        return found

    # ------------------------------------------------------------------ the criterion

    def judged(self, equilibrium: Profile) -> Judgement:
        """Does an equilibrium satisfy the criterion?"""
        if not equilibrium.exact:
            raise NotApplicable(
                f"{self.tree.name}: the intuitive criterion compares exact payoffs, and these"
                " strategies are floats; method enumerate is exact"
            )
        gets = self._equilibrium_payoffs(equilibrium)
        unsent = tuple(
            message
            for message, infoset in self.responses.items()
            if not equilibrium.infoset_reach(infoset)
        )
        for message in unsent:
            objection = self._objection(message, gets)
            if objection is not None:
                return Judgement(unsent, objection)
        return Judgement(unsent)

    def _equilibrium_payoffs(self, equilibrium: Profile) -> dict[str, Fraction]:
        """By type: what the sender gets."""
        infosets = {name: node.infoset for name, node in self.types.items()}
        return {
            name: Fraction(equilibrium.infoset_value(infoset))
            for name, infoset in infosets.items()
            if infoset is not None
        }

    def _objection(self, message: str, gets: dict[str, Fraction]) -> Objection | None:
        able = [name for name in self.types if (name, message) in self.payoffs]
        sent = {name: [paid[0] for paid in self.payoffs[name, message]] for name in able}
        possible = self.best_responses(message, able)
        excluded = [name for name in able if gets[name] > max(sent[name][at] for at in possible)]
        left = [name for name in able if name not in excluded]
        if not left:
            return None
        expected = self.best_responses(message, left)
        for name in left:
            least = min(sent[name][at] for at in expected)
            if gets[name] < least:
                words = tuple(map(printable, excluded))
                return Objection(printable(message), words, printable(name), gets[name], least)
        return None
