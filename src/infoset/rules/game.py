"""A family of games is one function; a game is a member of it, its parameters chosen.

``@game(players=...)`` turns a rules function into a :class:`Family`. Calling the family with
parameters, ``kuhn(ranks=13)``, gives a :class:`Game`: a value that prints as what made it, compares
by it, and knows its tree and its positions.
"""

from __future__ import annotations

import inspect
import pickle
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property, partial
from numbers import Integral
from pathlib import Path
from types import FunctionType, MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Never
from uuid import uuid4
from weakref import WeakValueDictionary

from infoset.errors import ParameterError, RulesError, nearest
from infoset.memory import refused_beyond
from infoset.objects.numbers import exact
from infoset.rules.modules import is_loaded, loaded_module, module_name
from infoset.rules.play import Play
from infoset.rules.position import ReplayPosition
from infoset.rules.running import (
    MAX_MOVES,
    MAX_NODES,
    PROBES,
    SECONDS_OF_PROBES,
    SECONDS_PER_MOVE,
    Limits,
)
from infoset.rules.seats import Seats, seat
from infoset.rules.stages import StagePosition, Stages, stage_position
from infoset.rules.turns import TurnRules
from infoset.text import parameter_text

if TYPE_CHECKING:
    from infoset.forms.public import PublicForm
    from infoset.rules.estimate import TreeSize
    from infoset.solvers import Solution
    from infoset.tree import Tree

Rules = Callable[..., object]


class _Plain:
    """The default of ``state``: the rules run from the start of a play to its end."""

    def __repr__(self) -> str:
        return "PLAIN"

    __reduce__ = __repr__  # there is one in each process


PLAIN: Final = _Plain()

# Families of a notebook, of a script or of a function have no name that other processes know. They
# travel with their rules, and one that comes back is the one that left.
GIVEN = (
    "rules", "players", "requires", "source", "bounds", "stages", "vectorized", "state", "sampler",
    "picture", "evaluations",
)  # fmt: skip
UNNAMED: WeakValueDictionary[str, Family] = WeakValueDictionary()  # by token


def _family_by_value(token: str, given: bytes) -> Family:
    found = UNNAMED.get(token)
    if found is None:
        found = UNNAMED[token] = Family(**pickle.loads(given))
        found.__dict__["_token"] = token
    return found


def _family_in_file(path: str, name: str) -> Family:
    """A family of a user's file, which is run once in each process."""
    module = sys.modules.get(module_name(Path(path)))
    if module is None or _file(module) != path:
        module = loaded_module(Path(path))
    found: Family = _named(module, name)
    return found


def _file(module: object) -> str:
    return str(Path(getattr(module, "__file__", "")).resolve())


def _named(module: object, name: str) -> Any:
    """What a qualified name means in a module; None where it means nothing."""
    for part in name.split("."):
        module = getattr(module, part, None)
    return module


class Family:
    """All games that one rules function describes; made by :func:`game`.

    Attributes
    ----------
    rules
        The function.
    name
        The function's name.
    parameters
        By name, without the play and the state.
    requires, source, bounds, stages, vectorized, state, sampler, picture, evaluations
        As declared; see :func:`game`.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> kuhn.name, list(kuhn.parameters)[:1]
    ('kuhn', ['ranks'])
    >>> kuhn(ranks=4)
    kuhn(ranks=4)
    """

    def __init__(
        self,
        rules: Rules,
        players: object,
        requires: tuple[str, ...] = (),
        source: str = "",
        bounds: object = None,
        stages: Stages | None = None,
        vectorized: bool = False,
        state: object = PLAIN,
        sampler: Callable[..., Any] | None = None,
        picture: Callable[..., Any] | None = None,
        evaluations: Mapping[str, Callable[..., Any]] | None = None,
    ) -> None:
        """Read the function's name, parameters, defaults and docstring."""
        if not callable(rules) or not hasattr(rules, "__name__"):
            raise RulesError(f"@game goes above a function, not {rules!r}")
        if inspect.iscoroutinefunction(rules) or inspect.isgeneratorfunction(rules):
            raise RulesError(
                f"the rules {rules.__name__!r} must be a plain function, without yield"
            )
        self.rules = rules
        self.name = rules.__name__
        self.players = players
        self.requires = requires
        self.source = source
        self.bounds = bounds
        self.stages = stages
        self.vectorized = vectorized
        self.state = state
        self.sampler = sampler
        self.picture = picture
        self.evaluations = dict(evaluations or {})
        self.doc = inspect.cleandoc(rules.__doc__ or "")
        self.__doc__ = rules.__doc__
        self.__name__ = rules.__name__
        self.__module__ = rules.__module__
        signature = list(inspect.signature(rules).parameters.values())
        if not signature:
            raise RulesError(f"the rules {self.name!r} must take the play: def {self.name}(g):")
        own = 1 if state is PLAIN else 2  # the play and the state are no parameters
        if len(signature) < own:
            raise RulesError(
                f"the rules {self.name!r} must take the play and the state:"
                f" def {self.name}(g, state):"
            )
        for parameter in signature[own:]:
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                raise RulesError(f"the rules {self.name!r} must name all of their parameters")
        self.parameters = {parameter.name: parameter for parameter in signature[own:]}

    @property
    def summary(self) -> str:
        """The first paragraph of the docstring, on one line."""
        return self.doc.split("\n\n")[0].replace("\n", " ")

    @property
    def defaults(self) -> dict[str, Any]:
        """The parameters that have a default, with it."""
        return {
            name: parameter.default
            for name, parameter in self.parameters.items()
            if parameter.default is not parameter.empty
        }

    def __call__(self, /, *args: Any, **params: Any) -> Game:
        """The member of the family with these parameters.

        Parameters
        ----------
        args, params
            Values of the parameters, by position or by name.

        Returns
        -------
        Game
            With defaults filled in.

        Raises
        ------
        ParameterError
            If a parameter is unknown or missing, is of another type than its default, or breaks a
            condition.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> kuhn(ranks=13)
        kuhn(ranks=13)
        """
        if len(args) > len(self.parameters):
            raise ParameterError(
                f"{self.name} takes {len(self.parameters)} parameters, got {len(args)}"
            )
        given = dict(zip(self.parameters, args, strict=False))
        for name, value in params.items():
            if name not in self.parameters:
                raise ParameterError(
                    f"{self.name} has no parameter {name!r}; {nearest(name, self.parameters)}"
                )
            if name in given:
                raise ParameterError(f"{self.name}: parameter {name!r} is given twice")
            given[name] = value
        chosen = {**self.defaults, **given}
        missing = [name for name in self.parameters if name not in chosen]
        if missing:
            raise ParameterError(f"{self.name} needs a value for {', '.join(missing)}")
        return Game(self, {name: chosen[name] for name in self.parameters})

    def __reduce__(self) -> str | tuple[Any, ...]:
        """By name where another process finds it, as a function is; else with its rules."""
        name, module = self.rules.__qualname__, sys.modules.get(self.__module__)
        if self.__module__ == "__main__" or _named(module, name) is not self:
            from cloudpickle import dumps

            UNNAMED[self._token] = self
            return _family_by_value, (self._token, dumps({one: vars(self)[one] for one in GIVEN}))
        if is_loaded(self.__module__):
            return _family_in_file, (_file(module), name)
        return name

    @cached_property
    def _token(self) -> str:
        """Tells a family without a name from others, in any process."""
        return uuid4().hex

    def __repr__(self) -> str:
        return f"<family {self.name}({', '.join(map(str, self.parameters.values()))})>"

    def _repr_html_(self) -> str:
        from infoset.display.show import family_html

        return family_html(self)


class Game:
    """One game: a family with its parameters chosen.

    It prints as what made it, with fractions as ``3/10``, and is equal to any game of the same
    rules and parameters.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> game = kuhn(ranks=4)
    >>> game.name, game.players, game.params["ranks"]
    ('kuhn', ('gambler', 'dealer'), 4)
    >>> game == kuhn(4)
    True
    """

    def __init__(self, family: Family, params: Mapping[str, Any]) -> None:
        """Check the parameters and seat the players."""
        self.family = family
        plain = {
            name: int(value)
            if isinstance(value, Integral) and not isinstance(value, bool)
            else value
            for name, value in params.items()
        }
        self.params: Mapping[str, Any] = MappingProxyType(plain)  # a game is a value
        self._check_kinds()
        self._check_requirements()
        self.seats = self._seat()
        self.audited = False  # have some plays been run twice, to check that the rules repeat?
        self.checked: set[bool] = set()  # vectorized runs that were checked: not folded, folded

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuse changes: whoever holds a game, such as a player, shares it with all others."""
        if "checked" in vars(self) and name != "audited":
            raise AttributeError(f"{self!r} is a value: {name} cannot be set; make another game")
        super().__setattr__(name, value)

    @property
    def name(self) -> str:
        """The family's name."""
        return self.family.name

    @property
    def players(self) -> tuple[str, ...]:
        """Who is paid, in order."""
        return self.seats.players

    @cached_property
    def rules(self) -> Callable[[Play], object]:
        """The rules with the parameters filled in: a function of the play alone."""
        function = self._filled
        if self.family.state is PLAIN:
            return function
        try:
            return TurnRules(function, self._declared("state", self.family.state))
        except RulesError as error:
            raise RulesError(f"{self!r}: {str(error).removeprefix(f'{self!r}: ')}") from None

    @property
    def _filled(self) -> Rules:
        """The rules function with the parameters filled in."""
        function, parameters = self.family.rules, self.family.parameters
        if not self.params:
            return function
        named = {
            name: value
            for name, value in self.params.items()
            if parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
        }
        rest = tuple(value for name, value in self.params.items() if name not in named)
        plain = isinstance(function, FunctionType) and not hasattr(function, "__wrapped__")
        if not plain:
            return lambda *own: function(*own, *rest, **named)
        # The same function with other defaults, not a wrapper: it is called once per leaf.
        filled = FunctionType(
            function.__code__, function.__globals__, function.__name__, rest, function.__closure__
        )
        filled.__kwdefaults__ = named or None
        return filled

    @property
    def vectorized(self) -> bool:
        """Whether the rules are run once for all deals."""
        return self.family.vectorized

    @refused_beyond(lambda: "the tree", "take a smaller game")
    def tree(
        self,
        max_nodes: int = MAX_NODES,
        *,
        max_moves: int = MAX_MOVES,
        seconds_per_move: float = SECONDS_PER_MOVE,
        progress: Callable[[int], None] | None = None,
    ) -> Tree:
        """The extensive form: every play, with its information sets.

        Parameters
        ----------
        max_nodes
            Give up past this many nodes.
        max_moves
            Give up past this many moves in one play.
        seconds_per_move
            Seconds that the rules may compute between two moves.
        progress
            Called with the number of nodes so far, now and then.

        Returns
        -------
        Tree
            All of it, as arrays.

        Raises
        ------
        TooLarge
            Past ``max_nodes``, or if memory runs out.
        Endless
            If a play is too long, or the rules compute for too long.
        RulesError
            If the rules fail; ``NotRepeatable`` if two runs with the same choices differ.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> kuhn(ranks=4).tree()
        <Tree of kuhn(ranks=4): 109 nodes, 16 information sets, 2 players>

        """
        from infoset.tree import tree_of_game

        limits = Limits(max_nodes, max_moves, seconds_per_move, progress)
        return tree_of_game(self, limits)

    @refused_beyond(lambda: "the public form", "take a smaller game")
    def public(
        self,
        *,
        fold: bool = True,
        merge: bool = False,
        max_moves: int = MAX_MOVES,
        seconds_per_move: float = SECONDS_PER_MOVE,
        progress: Callable[[int], None] | None = None,
        expect: Callable[[TreeSize], None] | None = None,
    ) -> PublicForm:
        """The public form of vectorized rules for two players; no tree is made.

        Parameters
        ----------
        fold
            Treat suits that the deck declares interchangeable as one, wherever no player can
            distinguish them.
        merge
            Make one information set of those that are strategically identical.
        max_moves, seconds_per_move, progress
            As for :meth:`tree`.
        expect
            Called with an estimate of the tree's size, if the form takes longer to build.

        Returns
        -------
        PublicForm
            See :func:`infoset.forms.public.public_form`.

        Raises
        ------
        TooLarge
            If memory does not suffice.
        NotApplicable
            If the rules are not vectorized, or the game is not one of two players.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> kuhn(ranks=13).public()
        <Public form of kuhn(ranks=13): 1,405 nodes, 52 information sets, 3 tables>

        """
        from infoset.forms.public import public_form

        return public_form(
            self,
            fold=fold,
            merge=merge,
            max_moves=max_moves,
            seconds_per_move=seconds_per_move,
            progress=progress,
            expect=expect,
        )

    def solve(
        self,
        method: str | None = None,
        *,
        exact: bool | None = None,
        seconds: float | None = None,
    ) -> Solution:
        """An equilibrium of the game, verified.

        Parameters
        ----------
        method, exact, seconds
            As of :func:`infoset.solve`.

        Returns
        -------
        Solution
            With its regret and its certificate.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> kuhn().solve().value
        Fraction(-1, 18)
        """
        from infoset.solvers import solve

        return solve(self, method, exact=exact, seconds=seconds)

    def size(
        self, *, probes: int = PROBES, seconds: float = SECONDS_OF_PROBES, seed: int = 0
    ) -> TreeSize:
        """The size of the tree, which is not built: counted if it is small, else estimated.

        Random probes go down the tree, and each counts a few nodes for many; the mathematics is in
        :mod:`infoset.rules.estimate`.

        Parameters
        ----------
        probes
            How many are made.
        seconds
            End sooner, when the time is over.
        seed
            The same seed gives the same estimate, if the time suffices for all probes.

        Returns
        -------
        TreeSize
            Numbers of nodes, each with an interval.

        Raises
        ------
        RulesError
            If the rules fail where a probe comes.

        Examples
        --------
        >>> from infoset.games import kuhn, liars_dice
        >>> kuhn().size()
        <Size of kuhn(): 55 nodes>
        >>> round(liars_dice().size().nodes.estimate)
        294883
        """
        from infoset.rules.estimate import Probes, ground_of

        return Probes(repr(self), ground_of(self.position()), seed=seed).measure(probes, seconds)

    def position(self) -> ReplayPosition:
        """The start of the game, to be walked move by move without building the tree.

        Returns
        -------
        ReplayPosition
            The position before the first move.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> kuhn().position().after("J Q").after("bet").movers
        ('dealer',)
        """
        return ReplayPosition(self)

    @cached_property
    def bounds(self) -> tuple[Fraction, Fraction] | None:
        """The least and the most that any player may get, or None if not declared."""
        declared = self._declared("bounds", self.family.bounds)
        if declared is None:
            return None
        try:
            low, high = map(exact, declared)
        except (TypeError, ValueError):
            raise RulesError(
                f"{self!r}: bounds= are two numbers, the least and the most, not {declared!r:.60}"
            ) from None
        if low > high:
            raise RulesError(f"{self!r}: bounds= say at least {low} and at most {high}")
        return low, high

    @property
    def stages(self) -> StagePosition | None:
        """The start of the same game over integers, or None if the family has no stages."""
        return stage_position(self.family.stages, self.params, self.players, repr(self))

    @cached_property
    def sampler(self) -> Callable[..., Any] | None:
        """The family's sampler of histories with the parameters filled in, or None."""
        return self._filled_in("sampler", self.family.sampler, 3)

    @cached_property
    def picture(self) -> Callable[..., Any] | None:
        """The family's picture of what a seat knows with the parameters filled in, or None."""
        return self._filled_in("picture", self.family.picture, 2)

    def evaluation(self, name: str) -> Callable[..., Any]:
        """One of the family's evaluations of a state to a player, with the parameters filled in.

        Parameters
        ----------
        name
            Its name.

        Returns
        -------
        Callable
            A function of a state and a player.

        Raises
        ------
        ParameterError
            If the game has none of this name.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> kuhn().evaluation("material")
        Traceback (most recent call last):
        ...
        infoset.errors.ParameterError: kuhn() has no evaluation 'material'; there are none
        """
        known = self.family.evaluations
        if name not in known:
            raise ParameterError(f"{self!r} has no evaluation {name!r:.40}; {nearest(name, known)}")
        filled = self._filled_in("evaluations", known[name], 2)
        assert filled is not None
        return filled

    def _filled_in(
        self, what: str, given: Callable[..., Any] | None, own: int
    ) -> Callable[..., Any] | None:
        """A function of the family, whose parameters after its own are some of the game's."""
        if given is None:
            return None
        wanted = list(inspect.signature(given).parameters)[own:]
        unknown = [name for name in wanted if name not in self.params]
        if unknown:
            raise RulesError(f"{self!r}: {what}= asks for {unknown[0]!r}, which is no parameter")
        return partial(given, **{name: self.params[name] for name in wanted})

    def _seat(self) -> Seats:
        try:
            return seat(self._declared("players", self.family.players))
        except RulesError as error:
            raise RulesError(f"{self!r}: {str(error).removeprefix(f'{self!r}: ')}") from None

    def _declared(self, what: str, given: Any) -> Any:
        """What the family declares: a value, or the value of a function of some parameters."""
        if not callable(given):
            return given
        wanted = list(inspect.signature(given).parameters)
        unknown = [name for name in wanted if name not in self.params]
        if unknown:
            raise RulesError(f"{self!r}: {what}= asks for {unknown[0]!r}, which is not a parameter")
        try:
            return given(**{name: self.params[name] for name in wanted})
        except RulesError:
            raise
        except Exception as error:
            raise RulesError(f"{self!r}: {what}= raised {type(error).__name__}: {error}") from error

    def _check_kinds(self) -> None:
        """Check types: an integer, a number or a truth value where the default is one.

        Where the default is an integer, any number will do unless the parameter is annotated as an
        ``int``, and not as a ``Fraction`` as well. An annotation may admit other types:
        ``stack: int | tuple[int, ...] = 20``.
        """
        for name, value in self.params.items():
            parameter = self.family.parameters[name]
            default = parameter.default
            annotation = "" if parameter.annotation is parameter.empty else parameter.annotation
            if not isinstance(value, bool) and type(value).__name__ in str(annotation):
                continue
            if type(default) is int and (not annotation or "Fraction" in str(annotation)):
                default = Fraction(default)
            for kind, words in _KINDS.items():
                if type(default) is kind:
                    fits = isinstance(value, _TAKES[kind]) and (
                        kind is bool or not isinstance(value, bool)
                    )
                    if not fits:
                        raise ParameterError(
                            f"{self.name}: {name} must be {words}, not"
                            f" {parameter_text(value)} (its default is"
                            f" {parameter_text(parameter.default)})"
                        )

    def _check_requirements(self) -> None:
        for requirement in self.family.requires:
            try:
                holds = eval(requirement, {"__builtins__": _PLAIN, **self.params})
            except Exception as error:
                raise ParameterError(
                    f"{self!r}: {requirement!r} cannot be checked: {type(error).__name__}: {error}"
                ) from error
            if not holds:
                raise ParameterError(f"{self!r}: needs {requirement}")

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Game)
            and self.family.rules is other.family.rules
            and self.params == other.params
        )

    def __hash__(self) -> int:
        return hash(self.family.rules)  # equal parameters may print differently: 0.5, 1/2

    def __reduce__(self) -> tuple[Any, ...]:
        return Game, (self.family, dict(self.params))

    def __repr__(self) -> str:
        return self._shown

    def _repr_html_(self) -> str:
        from infoset.display.show import game_html

        return game_html(self)

    @cached_property
    def _shown(self) -> str:
        defaults = self.family.defaults
        changed = {
            name: value
            for name, value in self.params.items()
            if name not in defaults or value != defaults[name]
        }
        given = (f"{name}={parameter_text(value)}" for name, value in changed.items())
        return f"{self.name}({', '.join(given)})"


_KINDS = {int: "a whole number", float: "a number", Fraction: "a number", bool: "True or False"}
_TAKES: dict[type, tuple[type, ...]] = {
    int: (int,),
    float: (int, float, Fraction),
    Fraction: (int, float, Fraction),
    bool: (bool,),
}
_KEYWORDS = (
    "players", "requires", "source", "bounds", "sampler", "picture", "evaluations", "stages",
    "state", "vectorized",
)  # fmt: skip
_PLAIN = {
    function.__name__: function
    for function in (abs, all, any, callable, isinstance, int, len, max, min, range, set, str, sum)
}


def game(  # noqa: D417 - *args and **unknown are refused
    *args: object,
    players: object = None,
    requires: str | tuple[str, ...] = (),
    source: str = "",
    bounds: object = None,
    sampler: Callable[..., Any] | None = None,
    picture: Callable[..., Any] | None = None,
    evaluations: Mapping[str, Callable[..., Any]] | None = None,
    stages: Stages | None = None,
    state: object = PLAIN,
    vectorized: bool = False,
    **unknown: Never,
) -> Callable[[Rules], Family]:
    """Turn a rules function into a family of games; used as a decorator.

    Parameters
    ----------
    players
        Their names in order; or a mapping of teams to their agents; or a function of some of the
        family's parameters (by their names) that gives one of these.
    requires
        Conditions on the parameters, such as ``"ranks >= 2"``.
    source
        Where the game comes from.
    bounds
        The least and the most that any player may get, or a function of parameters that gives both.
        Searches prune by them.
    sampler
        A faster way to draw a history that a player's observations agree with, for search: a
        function of the view, the player and a generator of random numbers, and of some of the
        parameters by their names (:class:`infoset.search.Histories`).
    picture
        What the table in the browser draws for a seat, in place of what it finds in the facts by
        itself: a function of the view of the seat, as ``position.view(player)`` gives it, the
        player, and some of the parameters by their names. It returns a
        :class:`~infoset.objects.BoardPicture`, or a list of these and of values such as cards.
        Squares that are options are chosen on the first board.
    evaluations
        By name, what players that search may evaluate a state by where their look ahead ends
        (``overconfident:evaluate=NAME``), of rules written turn by turn: functions of the state,
        the player, and some of the parameters by their names. They return what the player may
        expect, between the least and the most that it may get.
    stages
        The same rules over whole numbers, to be compiled (:mod:`infoset.rules.stages`).
    state
        Write the rules turn by turn: the function takes the play and a state, and returns the next
        state or ends the game by ``g.win`` or ``g.end``. This is the first state, or a function of
        parameters that gives it (:mod:`infoset.rules.turns`). Only the turn in progress is then
        replayed, which makes long games fast.
    vectorized
        Run the rules once for all deals: chance moves return vectorized values, which stand for
        all outcomes, and a run splits only where the rules look at one
        (:mod:`infoset.vectorized`). The tree is the same.

    Returns
    -------
    Callable
        The decorator, which makes a :class:`Family` of the rules.

    Raises
    ------
    RulesError
        If the players are missing or not names, or a keyword is unknown.

    Examples
    --------
    >>> @game(players=("hider", "seeker"), requires="places >= 1")
    ... def hide(g, places=2):
    ...     '''Hide in one of some places; be sought in one of them.'''
    ...     spot, guess = g.together({"hider": range(places), "seeker": range(places)}).values()
    ...     return g.win("seeker" if spot == guess else "hider")
    >>> hide(places=3)
    hide(places=3)
    >>> hide(places=0)
    Traceback (most recent call last):
    ...
    infoset.errors.ParameterError: hide(places=0): needs places >= 1

    """
    if "late" in unknown:
        raise RulesError("@game has no late=; it is called vectorized=")
    for keyword in unknown:
        raise RulesError(f"@game has no {keyword}=; {nearest(keyword, _KEYWORDS)}")
    if args or players is None:
        raise RulesError('@game needs its players: @game(players=("first", "second"))')
    conditions = (requires,) if isinstance(requires, str) else requires
    if not isinstance(conditions, tuple | list) or not all(isinstance(c, str) for c in conditions):
        raise RulesError(f"requires= takes texts such as 'ranks >= 2', not {requires!r}")

    if picture is not None and not callable(picture):
        raise RulesError(f"picture= takes a function of a view and a player, not {picture!r:.60}")
    named = isinstance(evaluations, Mapping) and all(map(callable, evaluations.values()))
    if evaluations is not None and (not named or state is PLAIN):
        raise RulesError(
            "evaluations= takes functions of a state and a player by their names, of rules with"
            f" state=, not {evaluations!r:.60}"
        )
    if vectorized and state is not PLAIN:
        raise RulesError("vectorized=True takes rules from start to end, without state=")

    def family(rules: Rules) -> Family:
        made = Family(
            rules, players, tuple(conditions), source, bounds, stages, vectorized, state, sampler,
            picture, evaluations,
        )  # fmt: skip
        if not callable(players):
            seat(players)  # so that a slip is found where it is written
        return made

    return family
