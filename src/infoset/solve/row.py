"""A row of the table of solvers: what a solver takes, and what it gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module

from infoset.forms.normal import MOST_PROFILES, normal_size
from infoset.forms.sequence import usual_payoff
from infoset.rules.story import brief
from infoset.solve.options import Found, Options
from infoset.tree import Tree
from infoset.tree.together import hidden


@dataclass(frozen=True)
class Solver:
    """A row of the table."""

    name: str
    about: str
    players: tuple[int, int | None]  # at least, at most
    constant_sum: bool = False  # must two players' payoffs sum to a constant?
    perfect_recall: bool = False  # must everyone remember?
    perfect_information: bool = False  # must everyone see everything?
    at_once: bool = False  # the same, but for moves that are made at once?
    gives: str = "one"  # equilibrium; or "several", "correlated", "sure", "play"
    unasked: bool = False  # may it be chosen when nobody says which?
    alone: bool = False  # unasked only for one player, who remembers: else it is a heuristic
    takes_most: bool = False  # may one say how many equilibria are wanted?
    taught: str = ""  # the textbook's page, if it is not that of its name
    exact: str = "certified"  # "always"; or "certified" where exact arithmetic succeeds; or not
    form: str = "sequence form"  # what it works on
    outgrown: tuple[int, int] | None = None  # more sequences and payoffs than these take too long
    file: str = ""  # where it is, if not in the file of its name; it is then told which it is

    @property
    def find(self) -> Callable[[Tree, Options], Found]:
        """The solver's function; its file is loaded when it is first wanted."""
        family, _, member = self.name.partition(":")
        if self.file:
            family, member = self.file, self.name
        module = import_module(f"infoset.solve.{family.replace('-', '_')}")
        found: Callable[[Tree, Options], Found] = module.find
        return partial(module.find, method=member) if member else found

    def lacks(self, tree: Tree) -> str:
        """What a game lacks for this solver, in words; empty if nothing."""
        least, most = self.players
        count = len(tree.players)
        if count < least or (most is not None and count > most):
            many = least != most and count > least
            said = f"at most {most} players" if many else self.players_text
            return f"{said}, but this game has {count}"
        if self.constant_sum and count == 2 and not tree.constant_sum:
            return f"zero-sum games only, but {tree.constant_sum.because}"
        if self.perfect_recall and not tree.perfect_recall:
            return f"perfect recall is needed, but {tree.perfect_recall.because}"
        if self.perfect_information and not tree.perfect_information:
            return f"perfect information is needed, but {tree.perfect_information.because}"
        if self.at_once:
            dark = hidden(tree)
            if dark is not None:
                seen = f"{brief(dark.player)} cannot tell where it is at {brief(dark.label)!r}"
                return f"nothing may be hidden but moves made at once, but {seen}"
        return ""

    def has_room(self, tree: Tree, exact: bool | None = None) -> bool:
        """Is the form that it works on small enough, to be written down and for a program?

        Who asks for an exact answer will wait for it.
        """
        if self.outgrown is not None and exact is not True:
            sequences, payoffs = self.outgrown
            if (
                sum(map(tree.sequences, tree.names)) > sequences
                and payoffs_that_count(tree) > payoffs
            ):
                return False
        if self.form != "normal form":
            return True
        profiles = 1
        for size in normal_size(tree):
            profiles *= size if size is not None else MOST_PROFILES + 1
        return profiles <= MOST_PROFILES

    def is_for(self, tree: Tree) -> bool:
        """May it be chosen for a game when nobody says which?"""
        alone = len(tree.players) == 1 and bool(tree.perfect_recall)
        return self.unasked and (alone or not self.alone) and not self.lacks(tree)

    def suits(self, other: Solver) -> bool:
        """Could this one be named in place of another? It gives a like answer, and asks nothing."""
        if other.gives in ("correlated", "several"):
            same = self.gives == other.gives and self.name != "gambit"
            return same or (self.unasked and other.gives == "several")
        return self.unasked and not self.file  # regret minimization is for where these end

    @property
    def players_text(self) -> str:
        """How many players, in words."""
        least, most = self.players
        if most is None:
            return "any number of players"
        if least == most:
            return f"{least} players"
        return f"{least} to {most} players" if most - least > 1 else f"{least} or {most} players"

    @property
    def gives_text(self) -> str:
        """What it gives, in words."""
        return {
            "one": "one equilibrium",
            "several": "several equilibria, or all",
            "correlated": "a correlated equilibrium",
            "sure": "a pure strategy each, and what it is sure of",
            "play": "a strategy against a known opponent",
        }[self.gives]

    @property
    def takes(self) -> str:
        """All that it takes, in words."""
        words = [self.players_text]
        if self.constant_sum:
            words.append("zero or constant sum")
        if self.perfect_information:
            words.append("perfect information")
        elif self.at_once:
            words.append("nothing hidden but moves made at once")
        elif self.perfect_recall:
            words.append("perfect recall")
        else:
            words.append("any recall")
        return ", ".join(words)


def payoffs_that_count(tree: Tree) -> int:
    """How many leaves pay anything but what is paid most often: about the entries of a matrix."""
    return len(tree.ends) - usual_payoff(tree.stakes[0])[1]
