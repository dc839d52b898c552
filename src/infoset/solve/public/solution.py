"""The answer on a public form: plans of both players, what they are worth, and how that is known.

Payoffs and regrets are computed anew from the form and the plans
(:mod:`infoset.solve.public.verify`): exactly where the form is small, in floats where it is not.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.errors import ParameterError
from infoset.forms.public.record import Decision, PublicForm
from infoset.linear.numbers import Numbers, nearest_float
from infoset.rules.story import brief
from infoset.solve.public.labels import Labelled
from infoset.solve.public.verify import Verified, faced, let_in, shares_of, worths
from infoset.solve.text import decimal_above, decimal_near

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from infoset.examine.tables import Sheet
    from infoset.solve.regret.course import Course
    from infoset.solve.solution import Solution

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class PublicSolution:
    """A plan for either player, with what was shown of it."""

    form: PublicForm
    plans: tuple[Floats, Floats]  # [player][sequence] weights, as the form numbers sequences
    verified: Verified
    method: str
    because: str = ""  # why this method
    work: Mapping[str, int] = field(default_factory=dict)  # counts: iterations, sequences, ...
    note: str = ""
    seconds: float = 0.0
    course: Course | None = None  # how its regret fell
    weights: tuple[Numbers, Numbers] | None = None  # the plans exactly, where they were found so

    # ------------------------------------------------------------------ what it is worth

    @property
    def payoffs(self) -> dict[str, Any]:
        """What each player expects."""
        return dict(zip(self.form.players, self.verified.payoffs, strict=True))

    @property
    def value(self) -> Any:
        """What player one gets."""
        return self.verified.payoffs[0]

    @property
    def regrets(self) -> dict[str, Any]:
        """What each player could gain at most by playing otherwise."""
        return dict(zip(self.form.players, self.verified.regrets, strict=True))

    @property
    def regret(self) -> Any:
        """The largest regret."""
        return max(self.verified.regrets)

    @property
    def exploitability(self) -> Any:
        """What both players could gain together, each against the other's plan."""
        return sum(self.verified.regrets)

    @property
    def value_bounds(self) -> tuple[Any, Any]:
        """Where the value of the game lies: what player one makes sure of, and what it can get."""
        one, two = self.verified.most
        total = self.form.total if self.proved else float(self.form.total)
        return total - two, one

    @property
    def proved(self) -> bool:
        """Do the regrets hold in rational arithmetic?"""
        return self.verified.exact

    @property
    def exact(self) -> bool:
        """Is this an equilibrium, proved in rational arithmetic?"""
        return self.proved and not self.regret

    @property
    def certificate(self) -> str:
        """``"exact"``, or the regret, and how it is known."""
        if self.exact:
            return "exact"
        if self.proved:
            return f"regret at most {decimal_above(self.regret)}, proved in rational arithmetic"
        return f"regret about {decimal_near(self.regret, 6)}, computed in floats"

    def __repr__(self) -> str:
        return f"<Solution of {brief(self.form.name)} by {self.method}: {self.certificate}>"

    # ------------------------------------------------------------------ how it shows itself

    def __str__(self) -> str:
        from infoset.examine.faces import public_text

        return public_text(self)

    def _repr_html_(self) -> str:
        from infoset.examine.faces import public_html

        return public_html(self)

    def table(
        self,
        player: str,
        *,
        where: str | Sequence[str] = (),
        fold: bool | None = None,
        rows: range | None = None,
    ) -> Sheet:
        """What a player does, a table for each public history: see :meth:`Solution.table`.

        Where suits are folded, a row stands for all information sets that differ in suits only, and
        ``where`` finds it by the label of any of them.
        """
        from infoset.examine.faces import public_sheet

        return public_sheet(self, player, where=where, fold=fold, rows=rows)

    def plot(
        self, player: str | None = None, file: str | Path | None = None, **options: Any
    ) -> Figure:
        """The probability of each action against what is private: see :meth:`Solution.plot`."""
        from infoset.examine.faces import public_plot

        return public_plot(self, player, file, **options)

    def csv(self, player: str | None = None) -> Iterator[str]:
        """The lines of a file: player, information set, action, probability; a block at a time."""
        from infoset.examine.faces import public_csv

        return public_csv(self, player)

    def on_tree(self, game: Any) -> Solution:
        """The same strategies on the game's tree, proved there; for games that fit into one."""
        from infoset.examine.faces import on_tree

        return on_tree(self, game)

    def save(self, path: str | Path) -> None:
        """Write to a file; :meth:`load` reads it again."""
        from infoset.solve.public.store import save_public

        save_public(self, Path(path))

    @classmethod
    def load(cls, path: str | Path, game: Any) -> PublicSolution:
        """Read a solution of this game, or of its public form, and verify it again."""
        from infoset.solve.public.store import load_public

        return load_public(Path(path), game)

    # ------------------------------------------------------------------ what is done where

    def shares(self, player: str | int, decision: int) -> Floats:
        """[option, set] how likely a player takes an option; even where it never comes there."""
        number, one = self._at(player, decision)
        begin = int(self.form.begins[number][decision])
        own = self.plans[number][begin : begin + len(one.menu) * len(one)]
        return shares_of(own.reshape(len(one.menu), len(one)))

    def reach(self, player: str | int, decision: int) -> Floats:
        """[set] how likely the play comes there."""
        number, one = self._at(player, decision)
        return np.asarray(self.plans[number][self.form.leading_to(one)] * self._let(number, one))

    def values(self, player: str | int, decision: int) -> Floats:
        """[set] what the player expects when it is there; NaN where the others never let it.

        And NaN where floats cannot say it, because payoffs are beyond them.
        """
        number, one = self._at(player, decision)
        let, worth = self._let(number, one), self._worths[number][decision]
        none = np.full(len(one), np.nan)
        paid = np.divide(worth, let, out=none, where=let > 0)
        paid += nearest_float(self.form.total) if number else 0.0
        return np.where(np.isfinite(paid), paid, np.nan)

    @cached_property
    def strategy(self) -> Mapping[str, Mapping[str, Mapping[Hashable, float]]]:
        """By player, by what it knows: how likely each option is."""
        made = {name: Labelled(self, number) for number, name in enumerate(self.form.players)}
        return MappingProxyType(made)

    def _at(self, player: str | int, decision: int) -> tuple[int, Decision]:
        number = player if player in (0, 1) else self.form.player_number(player)  # type: ignore[arg-type]
        own = self.form.decisions[number]
        if not 0 <= decision < len(own):
            raise ParameterError(
                f"decision={decision}: {self.form.players[number]} has {len(own):,}, counted from 0"
            )
        return number, own[decision]

    def _let(self, player: int, one: Decision) -> Floats:
        """[set] how likely nature and the other player let the play come there."""
        return let_in(self.form, player, one, self.plans[1 - player])

    @cached_property
    def _worths(self) -> tuple[list[Floats], list[Floats]]:
        """[player][decision][set] payoffs by the plans, times how likely the others let it come."""
        return self._worth(0), self._worth(1)

    def _worth(self, player: int) -> list[Floats]:
        gets = faced(self.form, player, self.plans[1 - player])
        gets[~np.isfinite(gets)] = np.nan  # beyond all floats; so is what it is a part of
        return worths(self.form, player, gets, self.shares)
