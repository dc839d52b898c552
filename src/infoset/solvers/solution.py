"""The answer: strategies, their values, and the proof. One type for every method.

A :class:`Solution` is an :class:`~infoset.solvers.evaluation.Evaluation`, that is strategies with
their payoffs and regrets on a tree, on a public form or over positions, together with how it was
found: method, reason, counts of work, seconds, convergence. Every operation works on every kind.
Where one needs the tree (drawing it, questions about its nodes), the tree is built when it is asked
for; where that is infeasible or the operation has no meaning, one line says so and what to use.

No answer leaves unverified. Whatever solver found the strategies, :func:`conclude` computes their
payoffs and regrets from the tree and the strategies alone; the certificate says what this showed.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import is_
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from infoset.errors import NotProved, OutOfTime, ParameterError
from infoset.files import as_path
from infoset.linear.numbers import Number
from infoset.solvers.evaluation import Evaluation, Probabilities, TreeEvaluation
from infoset.solvers.options import (
    LATEST_ANSWER,
    LATEST_PROOF,
    Found,
    Options,
    finished_in_time,
)
from infoset.strategy import Profile, Strategy, profile
from infoset.text import brief
from infoset.tree import Tree
from infoset.tree.facts import Fact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from infoset.analysis.table import Sheet
    from infoset.display.drawing import Drawing
    from infoset.page.notebook import View
    from infoset.rules import Game, Position
    from infoset.solvers.components import Component
    from infoset.solvers.convergence import Convergence
    from infoset.solvers.safe.solver import Safety
    from infoset.strategy.assessment import Assessment
    from infoset.strategy.perfect_bayesian import Supporting

NONE_FOUND = "no equilibrium was found in time; this is uniform play"
UNCHECKED = "that these are all equilibria is stated by the file, and was not checked"
AMONG_MIXED = (
    "exact among mixed strategies: with absent-mindedness a behaviour strategy may do better"
    " (method behaviour)"
)


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """A strategy for every player, with its proof.

    Attributes
    ----------
    evaluation : Evaluation
        The strategies with their payoffs and regrets, on a tree, a public form or positions. What
        only one kind of result has is found there: ``solution.evaluation.distribution`` of a
        correlated equilibrium, ``solution.evaluation.bound`` of a sampled one.
    method : str
        The method that found it, as :data:`~infoset.solvers.registry.SOLVERS` calls it.
    because : str
        Why this method was used.
    work : Mapping[str, int]
        Counts: iterations, pivots, nodes.
    note : str
        What a reader should know beside the numbers; often empty.
    seconds : float
        How long it took.
    convergence : Convergence or None
        How the regret fell, where it was measured on the way.
    safety : Safety or None
        For strategies against a model of the opponent: what they win and what they guarantee.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> solution = solve(kuhn())
    >>> solution.value, solution.certificate
    (Fraction(-1, 18), 'exact')
    >>> solution.strategy["dealer"]["K, bet"]
    {'pass': Fraction(0, 1), 'bet': Fraction(1, 1)}

    """

    evaluation: Evaluation
    method: str
    because: str = ""
    work: Mapping[str, int] = field(default_factory=dict)
    note: str = ""
    seconds: float = 0.0
    convergence: Convergence | None = None
    safety: Safety | None = None

    # ------------------------------------------------------------------ values

    @property
    def name(self) -> str:
        """The game's name, with its parameters."""
        return self.evaluation.name

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, in order."""
        return self.evaluation.players

    @property
    def game(self) -> Game | Tree:
        """What was solved: the rules where they are known, else the tree."""
        known: Game | None = getattr(self.evaluation, "game", None)
        return known or self.tree.game or self.tree

    @property
    def strategy(self) -> Mapping[str, Mapping[str, Probabilities]]:
        """By player, by the label of an information set: the probability of each action."""
        return self.evaluation.strategy

    @property
    def payoffs(self) -> dict[str, Number]:
        """By player: its expected payoff."""
        return self.evaluation.payoffs

    @property
    def value(self) -> Number | None:
        """The first player's payoff where the game has a value; None in games without one.

        Games of one player, and games of two whose payoffs have a constant sum, have one.
        """
        return self.evaluation.value

    @property
    def value_bounds(self) -> tuple[Number, Number] | None:
        """Where the value of the game certainly lies; None for games that have no value.

        The first number is what player one's strategy guarantees, the second what player two's
        concedes at most.
        """
        return self.evaluation.value_bounds

    @property
    def regrets(self) -> dict[str, Number]:
        """By player: the most that it could gain by another strategy of its own."""
        return self.evaluation.regrets

    @property
    def regret(self) -> Number:
        """The largest regret; 0 exactly in equilibrium."""
        return max(self.regrets.values())

    @property
    def exploitability(self) -> Number:
        """The sum of all regrets; of two players with constant sum, what best responses gain.

        Of a sampled run whose tree has more than 100,000 nodes, a float with ``low``, ``high`` and
        ``error``: a :class:`~infoset.solvers.sampling.exploitability.Bracket`.
        """
        return self.evaluation.exploitability

    @property
    def exact(self) -> bool:
        """Is this, with any further equilibria, proved in rational arithmetic to be what it is?"""
        return self.evaluation.exact if self.safety is None else self.safety.proved

    @property
    def proved(self) -> bool:
        """Are the regrets computed in rational arithmetic, all of them?"""
        return self.evaluation.proved

    @property
    def certificate(self) -> str:
        """``"exact"``, or the regret and how it is known; of safe strategies, what is proved."""
        return self.evaluation.certificate if self.safety is None else self.safety.certificate

    @property
    def equilibrium(self) -> bool:
        """Is it meant to be an equilibrium? Max-min and safe strategies are not."""
        return self.evaluation.equilibrium

    # ------------------------------------------------------------------ on the tree

    def on_tree(self, game: Any = None) -> Solution:
        """The same strategies on the game's tree, verified there.

        Parameters
        ----------
        game : Game or Tree, optional
            The game, where the solution does not know it (one that was read from a file).

        Returns
        -------
        Solution
            Itself, if it is on a tree already.

        Raises
        ------
        NotApplicable
            If the tree is too large, or the solution is no profile of strategies.

        Examples
        --------
        >>> from infoset.games import goofspiel
        >>> from infoset.search import double_oracle
        >>> double_oracle(goofspiel(cards=3)).on_tree().tree
        <Tree of goofspiel(): 67 nodes, 20 information sets, 2 players>

        """
        if isinstance(self.evaluation, TreeEvaluation):
            return self
        if game is not None:
            return replace(self, evaluation=self.evaluation.with_game(game).feasible_tree())
        return self._on_tree

    @cached_property
    def _on_tree(self) -> Solution:
        return replace(self, evaluation=self.evaluation.feasible_tree())

    @property
    def tree_evaluation(self) -> TreeEvaluation:
        """The strategies on the game's tree, which is built if need be."""
        found = self.on_tree().evaluation
        assert isinstance(found, TreeEvaluation)
        return found

    @property
    def tree(self) -> Tree:
        """The game's tree, built if need be."""
        return self.tree_evaluation.tree

    @property
    def profile(self) -> Profile:
        """The strategies together, on the tree: beliefs, action values, best responses."""
        return self.tree_evaluation.profile

    @property
    def verified(self) -> Profile:
        """The strategies as they were found, on the tree: all numbers are computed from them."""
        return self.tree_evaluation.verified

    # ------------------------------------------------------------------ several equilibria, beliefs

    @property
    def equilibria(self) -> tuple[Profile, ...]:
        """All equilibria that were found, each verified by itself; usually one."""
        return self.tree_evaluation.equilibria

    @property
    def others(self) -> tuple[Profile, ...]:
        """Further equilibria, where a method finds several."""
        return self._of_tree.others if self._of_tree else ()

    @property
    def complete(self) -> bool:
        """Are these all equilibria of the kind that the method finds?"""
        return self._of_tree.complete if self._of_tree else False

    @property
    def components(self) -> tuple[Component, ...]:
        """Connected components of the set of equilibria, where they are known."""
        return self._of_tree.components if self._of_tree else ()

    @property
    def assessment(self) -> Assessment | None:
        """Strategies with beliefs at every information set, where the method finds them."""
        return self._of_tree.assessment if self._of_tree else None

    @property
    def sequential(self) -> Fact | None:
        """Is the assessment a sequential equilibrium? None where no beliefs are known."""
        return self._of_tree.sequential if self._of_tree else None

    @property
    def supporting(self) -> Sequence[Supporting]:
        """[equilibrium] do beliefs exist that make it sequential, or weakly perfect Bayesian?

        Examined when it is looked at: the verdicts, yes, no or not decided, with the reason, and
        strategies with beliefs that show a yes.

        Examples
        --------
        >>> from infoset import solve
        >>> from infoset.games import entry_game
        >>> [one.kind for one in solve(entry_game(), "enumerate").supporting]
        ['sequential', 'Nash', 'Nash']

        """
        return self.tree_evaluation.supporting

    @property
    def behavioural(self) -> bool:
        """Is regret measured against behaviour strategies, not pure ones?"""
        return self._of_tree.behavioural if self._of_tree else False

    @property
    def picked(self) -> int:
        """The number that this equilibrium had among several; 0 if it was not picked."""
        return self._of_tree.picked if self._of_tree else 0

    @property
    def _of_tree(self) -> TreeEvaluation | None:
        found = self.evaluation
        return found if isinstance(found, TreeEvaluation) else None

    def pick(self, number: int) -> Solution:
        """One of several equilibria, as a solution of its own.

        Parameters
        ----------
        number : int
            From 1, in the order of :attr:`equilibria`.

        Returns
        -------
        Solution
            With the same method and work; its payoffs and regrets are those of the equilibrium.

        Raises
        ------
        ParameterError
            If there is no equilibrium of this number.

        Examples
        --------
        >>> from infoset import matrix_game, solve
        >>> battle = matrix_game([[2, 0], [0, 1]], [[1, 0], [0, 2]])
        >>> every = solve(battle, "enumerate")
        >>> [str(every.pick(number).payoffs["row"]) for number in (1, 2, 3)]
        ['2', '1', '2/3']

        """
        known = self._of_tree.equilibria if self._of_tree else (None,)
        whole = isinstance(number, int) and not isinstance(number, bool)
        if not whole or not 1 <= number <= len(known):
            several = f"there are {len(known):,}" if self.others else "there is only one"
            raise ParameterError(f"no equilibrium {number!r:.40}; {several}, counted from 1")
        if self._of_tree is None:
            return self
        chosen = replace(
            self._of_tree,
            verified=self.equilibria[number - 1],
            picked=number,
            others=(),
            complete=False,
            components=(),
            assessment=self.assessment if number == 1 else None,
        )
        return replace(self, evaluation=chosen)

    def decide(self, position: Position | None = None) -> dict[str, dict[Hashable, Number]]:
        """What the players to move do at a position of the game.

        Results on a tree or a public form have no start of their own: give them a position.

        Parameters
        ----------
        position : Position, optional
            By default the start of the game.

        Returns
        -------
        dict
            By player, by option: its probability.

        Raises
        ------
        NotApplicable
            If the result is not one over positions.

        Examples
        --------
        >>> from infoset.games import goofspiel
        >>> from infoset.search import double_oracle
        >>> double_oracle(goofspiel(cards=3)).decide()["player 1"]
        {1: 0.0, 2: 0.0, 3: 1.0}

        """
        return self.evaluation.decide(position)

    def at(self, position: Position, player: str | None = None) -> dict[Hashable, Number]:
        """What one player does at a position of the game: the probability of each of its options.

        Parameters
        ----------
        position : Position
            As ``game.position()`` and ``after`` give it.
        player : str, optional
            Who; it may be left out where only one player moves.

        Raises
        ------
        InfosetError
            If the player does not move there.

        Examples
        --------
        >>> from infoset import solve
        >>> from infoset.games import kuhn
        >>> solve(kuhn()).at(kuhn().position().after("J K").after("bet"))
        {'pass': Fraction(0, 1), 'bet': Fraction(1, 1)}
        """
        return self.evaluation.at(position, player)

    # ------------------------------------------------------------------ how it is shown

    def __repr__(self) -> str:
        return f"<Solution of {brief(self.name)} by {self.method}: {self.certificate}>"

    def __str__(self) -> str:
        from infoset.display.show import solution_text

        return solution_text(self)

    def _repr_html_(self) -> str:
        from infoset.display.show import solution_html

        return solution_html(self)

    def table(
        self,
        player: str | None = None,
        *,
        where: str | Sequence[str] = (),
        fold: bool | None = None,
        rows: range | None = None,
    ) -> Sheet:
        """What a player does, grouped by what is public: a table for each public history.

        Beside the probabilities: the probability of reaching the information set, the player's
        expected payoff there, and its beliefs about the others' private information.

        Parameters
        ----------
        player : str, optional
            The player; all players, one after the other, if none is named.
        where : str or sequence of str
            Keep the information sets whose label contains these texts; cards and ranges as
            ``AhKh``, ``AKs``, ``66+``; with ``*`` or ``?``, patterns for the whole label.
        fold : bool, optional
            One line for each public history; the default where there are many.
        rows : range, optional
            A page of the rows.

        Returns
        -------
        Sheet
            It shows itself, and has ``csv()``, ``latex()`` and ``save(file)``.

        Examples
        --------
        >>> from infoset import solve
        >>> from infoset.games import kuhn
        >>> print(solve(kuhn()).table("gambler", where="K"))
        gambler
        <BLANKLINE>
        at the start
        private  pass          bet           reach  value  believes
        K        0             1 ████████      1/3    7/6  J: 1/2; Q: 1/2
        <BLANKLINE>
        after [pass], bet
        private  pass          bet           reach  value  believes
        K        0             1 ████████        0      2  J: 1

        """
        from infoset.display.show import solution_sheet

        return solution_sheet(self, player, where=where, fold=fold, rows=rows)

    def plot(
        self, player: str | None = None, file: str | Path | None = None, **options: Any
    ) -> Figure:
        """The probability of each action against private information, by public history.

        Parameters
        ----------
        player : str, optional
            One player; all of them if none is named.
        file : path, optional
            Where to write the figure: png, svg or pdf.
        **options
            ``where`` as for :meth:`table`; ``kind`` ("lines", "bars", "areas"); ``theme``
            ("light", "dark"); ``most``, the number of panels; ``title``, a text or False for none.

        Returns
        -------
        matplotlib.figure.Figure

        """
        from infoset.display.show import plot

        return plot(self, player, file, **options)

    def draw(self, file: str | Path | None = None, **options: Any) -> Drawing:
        """The tree with the strategies in it.

        Parameters
        ----------
        file : path, optional
            Where to write it: svg, png, pdf or tex, by its suffix.
        **options
            As for :meth:`Tree.draw`.

        Returns
        -------
        Drawing
            Which notebooks display.

        Examples
        --------
        >>> from infoset import solve
        >>> from infoset.games import kuhn
        >>> solution = solve(kuhn())
        >>> solution.draw(theme="dark").svg[:4]
        '<svg'

        """
        from infoset.display.show import draw

        return draw(self.on_tree(), file, **options)

    def view(self, height: int = 720) -> View:
        """The game's tree and the strategies in a frame of a notebook, to click through.

        Where anywidget is installed (``pip install 'infoset[notebook]'``) the kernel answers: other
        parameters are solved there, and strategies changed. Without it, and wherever the notebook
        is read later, the frame shows what was found.

        Parameters
        ----------
        height : int, optional
            Of the frame, in pixels.

        Returns
        -------
        View
            Which notebooks display; :meth:`~infoset.page.notebook.View.save` writes it as a page
            that works from disk.

        Examples
        --------
        >>> from infoset import solve
        >>> from infoset.games import kuhn
        >>> solve(kuhn()).view().html[:15]
        '<!doctype html>'

        """
        from infoset.display.show import view

        return view(self, height)

    def csv(self, player: str | None = None) -> str:
        """The strategies, or one player's, as CSV: player, information set, action, probability.

        The text can be edited, and given as a file wherever a strategy is expected.

        Parameters
        ----------
        player : str, optional
            One player; all of them if none is named.

        Returns
        -------
        str
            With a header, and a row for each action.

        Examples
        --------
        >>> from infoset import solve
        >>> from infoset.games import kuhn
        >>> solution = solve(kuhn())
        >>> solution.csv("dealer").splitlines()[0]
        'player,information set,number,action,probability,exact'

        """
        from infoset.display.show import solution_csv

        return "".join(solution_csv(self, player))

    def save_csv(self, path: str | Path, player: str | None = None) -> None:
        """Write :meth:`csv` to a file, piece by piece; the file is complete or as it was before.

        Parameters
        ----------
        path : path
            Where to write it.
        player : str, optional
            One player; all of them if none is named.

        Raises
        ------
        FileError
            If the file cannot be written.

        """
        from infoset.display.show import solution_csv
        from infoset.files import write_lines

        write_lines(as_path(path), solution_csv(self, player))

    # ------------------------------------------------------------------ files

    def save(self, path: str | Path) -> None:
        """Write to a file, which :meth:`load` reads.

        A sampled run is written as a checkpoint, from which sampling can go on. The decisions of a
        search are placed on the tree, which is built for it.

        Parameters
        ----------
        path : path
            Where to write it. The file is complete or as it was before.

        Raises
        ------
        FileError
            If the file cannot be written.
        NotApplicable
            If the result is one of a search, and its tree is too large; or if what a player knows
            in a sampled run reads differently in every process.

        Examples
        --------
        >>> from infoset import solve
        >>> from infoset.games import kuhn
        >>> solution = solve(kuhn())
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     solution.save(Path(folder, "kuhn.solution"))
        ...     Solution.load(Path(folder, "kuhn.solution"), kuhn()).value
        Fraction(-1, 18)

        """
        from infoset.solvers.storage import save_solution

        save_solution(self, as_path(path))

    @classmethod
    def load(cls, path: str | Path, game: Any) -> Solution:
        """Read a solution of this game from a file, and verify it.

        Parameters
        ----------
        path : path
            A file that :meth:`save` wrote, of any kind of solution.
        game : Game, Family, Tree, MatrixGame or PublicForm
            The game; it must be the one that was solved.

        Returns
        -------
        Solution
            With its regrets computed again from the strategies in the file.

        Raises
        ------
        FileError
            If the file is damaged, is none of ours, or belongs to another game.

        """
        from infoset.solvers.storage import load_solution

        return load_solution(as_path(path), game)


def conclude(tree: Tree, found: Found, method: str, because: str, options: Options) -> Solution:
    """Make a solution of what a solver found: verify it, and record how it was found."""
    options.tell("verifying")
    evaluation, left_out = _verified(tree, found, options)
    if options.exact and not evaluation.exact and found.equilibrium:
        said = f" ({found.note})" if found.note else ""
        raise NotProved(
            f"{tree.name}: an exact answer was asked for, and {method} found none{said}; its answer"
            f" has a {evaluation.certificate}"
        )
    return Solution(
        evaluation=evaluation,
        method=found.method or method,
        because=f"{method} was stopped" if found.method else because,
        work=MappingProxyType(dict(found.work)),
        note=_note(evaluation, found, left_out),
        seconds=time.perf_counter() - options.began,
        convergence=found.convergence,
    )


def _verified(tree: Tree, found: Found, options: Options) -> tuple[TreeEvaluation, str]:
    """What a solver found, with payoffs and regrets; and what there was no time for, in words."""
    try:
        with finished_in_time(options, LATEST_PROOF):
            evaluation = _evaluated(tree, found, options)
    except OutOfTime:
        with finished_in_time(options, LATEST_ANSWER):
            floats = _evaluated(tree, _in_floats(found), options)
        return floats, "no time was left to verify in rational arithmetic"
    if len(evaluation.others) < len(found.others):
        many = len(found.others) + 1
        return evaluation, f"{many:,} equilibria were found; no time was left to verify the others"
    if found.assessment is None:
        return evaluation, ""
    late = options.seconds is not None and options.over()  # checking beliefs may take long
    try:
        with finished_in_time(options, LATEST_PROOF):
            believed = replace(evaluation, assessment=None if late else found.assessment)
            _ = believed.sequential
    except OutOfTime:
        late = True
    return (evaluation, "no time was left to check beliefs") if late else (believed, "")


def _evaluated(tree: Tree, found: Found, options: Options) -> TreeEvaluation:
    """What a solver found, but for beliefs, with payoffs and regrets; they are part of the time."""
    first = _verifiable(found)
    _ = first.regrets
    others = tuple(_regretted(found.others))
    every = len(others) == len(found.others)
    evaluation = TreeEvaluation(
        tree=tree,
        verified=first,
        others=others,
        complete=found.complete and every,
        components=found.components if every else (),
        behavioural=found.behavioural,
        equilibrium=found.equilibrium,
    )
    if found.behavioural and tree.absent_minded:
        from infoset.strategy.absentminded.response import behaviour_regrets

        # Proofs may take long: what is proved when time is over is a bound, too.
        proofs = behaviour_regrets(evaluation.verified, over=options.over)
        evaluation.__dict__["behaviour_regrets"] = proofs
    _ = evaluation.certificate
    return evaluation


def _regretted(found: Sequence[Sequence[Strategy]]) -> Iterator[Profile]:
    """Profiles with their regrets, as many as there is time for."""
    with suppress(OutOfTime):
        for strategies in found:
            one = profile(strategies)
            _ = one.regrets
            yield one


def _in_floats(found: Found) -> Found:
    """The same with strategies in floats, which are verified in no time."""
    return replace(
        found,
        strategies=tuple(strategy.inexact() for strategy in found.strategies),
        others=tuple(tuple(one.inexact() for one in strategies) for strategies in found.others),
    )


def _verifiable(found: Found) -> Profile:
    """The strategies together; with beliefs they are already, and regrets may be known there."""
    given = found.assessment.profile if found.assessment is not None else None
    same = given is not None and all(map(is_, given.strategies, found.strategies))
    return given if given is not None and same else profile(found.strategies)


def _note(evaluation: TreeEvaluation, found: Found, left_out: str) -> str:
    """What a reader should know. That something was stopped does not matter where it is exact."""
    note = found.note
    if evaluation.exact:
        mixed_only = bool(evaluation.tree.absent_minded) and not found.behavioural
        note = AMONG_MIXED if mixed_only else ""
    return "; ".join(part for part in (found.remark, note, left_out) if part)
