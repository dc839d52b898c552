"""What a run came to: average strategies, how good they seem, and how to have them proved."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from infoset.errors import InfosetError, nearest
from infoset.rules.story import brief
from infoset.solve.regret.course import Course
from infoset.solve.sampled.run import Run
from infoset.solve.sampled.seen import SeenSets
from infoset.solve.sampled.simulation import Simulation, simulated
from infoset.solve.sampled.table import normalized

if TYPE_CHECKING:
    from infoset.examine.tables import Sheet
    from infoset.rules import Position
    from infoset.solve.solution import Solution
    from infoset.tree import Tree


class Estimate(NamedTuple):
    """A mean over simulated plays, and its standard error."""

    mean: float
    error: float

    def __str__(self) -> str:
        return f"{self.mean:.4g} ± {self.error:.2g}"


@dataclass(frozen=True, eq=False, repr=False)
class Sampled:
    """The average strategies of a run of :func:`infoset.solve.sampling.sample`."""

    name: str
    players: tuple[str, ...]
    method: str  # "external" or "outcome"
    iterations: int  # in all, those before a checkpoint included
    seconds: float  # likewise
    seed: int
    averaging: str
    sets: int  # information sets seen
    nodes: int  # positions walked, as often as they were
    bound: Mapping[str, float]  # by player: an estimated bound on its average regret
    course: Course  # how the bounds fell: a table, a file, a plot
    note: str = ""  # what went wrong on the way, if anything
    run: Run = field(kw_only=True)  # the tables themselves

    @cached_property
    def simulation(self) -> Simulation:
        """Simulated plays of the average strategies, made when they are first needed.

        By a generator of their own: 10,000 plays, or as many as come to a tenth of the positions
        that were walked, but at least 100.
        """
        return simulated(self.run)

    @property
    def payoffs(self) -> Mapping[str, Estimate]:
        """By player: what it gets when all play their average strategies, by simulated plays."""
        pairs = zip(self.simulation.means, self.simulation.errors, strict=True)
        return {
            player: Estimate(mean, error)
            for player, (mean, error) in zip(self.players, pairs, strict=True)
        }

    def at(self, position: Position, player: str | None = None) -> dict[Hashable, float]:
        """The average strategy of a mover: the probability of each of its options.

        Uniform where no walk came. ``player`` may be left out where only one moves.
        """
        movers = position.movers
        if player is None and len(movers) == 1:
            player = movers[0]
        if player not in movers:
            said = nearest(player, movers) if movers else "nobody moves there"
            raise InfosetError(f"{self.name}: {player!r} does not move at {position!r:.80}; {said}")
        options = tuple(position.options(player))
        row = self.run.table.find((player, position.view(player), options))
        weights = row.average if row is not None else [0.0] * len(options)
        return dict(zip(options, normalized(weights), strict=True))

    def seen(self, player: str) -> SeenSets:
        """A player's information sets that were met, the most visited first, with what it does."""
        if player not in self.players:
            hint = nearest(player, self.players)
            raise InfosetError(f"{brief(self.name)}: no player {player!r:.60}; {hint}")
        number = self.players.index(player)
        if number not in self._seen:
            self._seen[number] = SeenSets(self.run, number, self.sets, self.simulation)
        return self._seen[number]

    @cached_property
    def _seen(self) -> dict[int, SeenSets]:
        """By player: what was looked at already."""
        return {}

    def strategy(self, player: str) -> Mapping[str, dict[Hashable, float]]:
        """A player's average strategy: the probabilities of its options, by label.

        Labels are those of the tree: what the player knows, in brackets what it did. Only
        information sets that were met are there, the most visited first. After a run was taken up
        from a file, options that are neither numbers nor texts are there as they read, where no
        play met them again.

        >>> from infoset.games import kuhn
        >>> from infoset.solve.sampling import sample
        >>> jack = sample(kuhn(), iterations=20_000).strategy("dealer")["J, bet"]
        >>> {option: round(share, 2) for option, share in jack.items()}
        {'pass': 1.0, 'bet': 0.0}
        """
        return MappingProxyType(self.seen(player).by_label())

    def table(
        self, player: str, *, where: str | Sequence[str] = (), rows: range | None = None
    ) -> Sheet:
        """What a player does, the information sets where plays come most often first.

        ``where`` keeps the information sets whose label has these texts in it, ``rows`` a page. The
        sheet shows itself, a few rows of a long one, and has ``csv()``, ``latex()`` and
        ``save(file)``.

        >>> from infoset.games import kuhn
        >>> from infoset.solve.sampling import sample
        >>> print(sample(kuhn(), iterations=20_000).table("gambler", where="[pass]"))
        gambler
        <BLANKLINE>
        knows           pass             bet               reach
        Q, [pass], bet  0.3855 ███       0.6145 ████▉     0.2238
        J, [pass], bet  1.0000 ███████▉   1e-07 ▏         0.1221
        K, [pass], bet       0                1 ████████  0.0111
        reach: the part of 5,773 simulated plays that came there
        """
        from infoset.examine.faces import sampled_sheet

        return sampled_sheet(self, player, where=where, rows=rows)

    def csv(self, player: str | None = None) -> str:
        """The strategies, or one player's, as ``infoset solve --csv`` writes them, to be edited.

        Information sets that were not met are not there: who reads it says what happens there, as
        in ``read_strategies(file, tree, missing="uniform")`` or ``infoset ask --missing uniform``.
        """
        from infoset.examine.faces import sampled_csv

        return "".join(sampled_csv(self, player))

    def save_csv(self, path: str | Path, player: str | None = None) -> None:
        """Write :meth:`csv` to a file; the file is complete or as it was before."""
        from infoset.examine.faces import sampled_csv
        from infoset.tree.files.atomic import write_lines

        write_lines(path, sampled_csv(self, player))

    def solution(self, tree: Tree | None = None) -> Solution:
        """The average strategies on the tree, with their payoffs and regrets, as any solution.

        The tree is built if it is not given, which must be possible. Regrets are proved in rational
        arithmetic, whatever the run estimated.
        """
        from infoset.solve.sampled.on_tree import placed

        return placed(self, tree)

    def __repr__(self) -> str:
        return (
            f"<Sampled {brief(self.name)}: {self.iterations:,} iterations of {self.method}"
            f" sampling, {self.sets:,} information sets>"
        )

    def __str__(self) -> str:
        from infoset.examine.faces import sampled_text

        return sampled_text(self)

    def _repr_html_(self) -> str:
        from infoset.examine.faces import sampled_html

        return sampled_html(self)


def sampled(run: Run, note: str) -> Sampled:
    """The record of a run as it stands."""
    asked, players = run.request, run.source.seats.players
    run.table.forgiving = True  # simulated plays may meet more of the game, and go to no file
    return Sampled(
        name=run.source.name,
        players=players,
        method=asked.method,
        seed=asked.seed,
        iterations=run.iterations,
        seconds=run.seconds,
        averaging=asked.averaging,
        sets=len(run.table.rows),
        nodes=run.nodes,
        bound=dict(zip(players, run.bounds, strict=True)),
        course=run.course,
        note=note,
        run=run,
    )
