"""Anything that maps an information set to probabilities is a strategy.

:func:`as_profile` and :func:`as_strategy` take, for a game given as a tree or as a public form,

    a strategy     a Behaviour, Mixed, Pure, RealizationPlan or PublicStrategy: of this game, or of
                   an equal one, whose information sets have the same labels
    a solution     whatever has a ``strategy`` by player, as ``solve`` returns it
    a mapping      from labels to probabilities, by action or in the order of the actions; or from
                   players to any of these
    a file         the path of a CSV file (:mod:`infoset.strategy.files`)
    a function     ``f(player, information_state, legal_actions)`` that returns probabilities, such
                   as a trained network behind a few lines
    a policy       of OpenSpiel: whatever has ``action_probabilities(state, player_id)``, on the
                   tree of an OpenSpiel game

and give strategies whose probabilities are rational. Numbers that are exact stay as they are, and a
float means the decimal that it prints as, if the probabilities at the information set then sum to
1. Floats that miss 1 by at most 10^-6, as those of a network do, are rounded to whole multiples of
2^-52 that sum to 1, as the plans of solvers are. What is then proved, is proved of these.

On a public form in which suits are folded, or equivalent information sets merged, a strategy is
asked at one information set of each class, and is taken to do the same at the others; probabilities
that are given for those do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import islice
from math import isfinite
from numbers import Rational
from os import PathLike
from typing import Any

from infoset.errors import FileError, ParameterError, RulesError, StrategyError, nearest
from infoset.forms.public.record import PublicForm
from infoset.objects.numbers import exact
from infoset.strategy.behaviour import Behaviour
from infoset.strategy.equivalence import as_behaviour
from infoset.strategy.files import FileRows, Source, read_rows
from infoset.strategy.infosets import Playable, as_tree_or_form, information_sets
from infoset.strategy.profile import Profile, profile
from infoset.strategy.public import PublicProfile, PublicStrategy
from infoset.strategy.strategy import NEARLY, Strategy
from infoset.text import (
    MOST_COMPARED,
    brief,
    closest,
    label_among,
    names_text,
    probability_text,
    repr_text,
    text,
)
from infoset.tree import Infoset, Tree
from infoset.tree.openspiel import policy_probabilities

PARTS = 1 << 52  # of which probabilities are whole multiples then
MISSING = ("error", "uniform")
KINDS = (
    "give a Behaviour, a mapping from labels to probabilities, the path of a CSV file, a Solution,"
    " or a function of (player, information_state, legal_actions)"
)
ROWS = "give a probability for each action, by action or in their order"

Row = Sequence[Fraction]  # [action]
Given = Any  # whatever the module's docstring lists
OURS = (Strategy, PublicStrategy, Profile, PublicProfile)


def as_profile(
    game: Playable, strategies: Given, *, missing: Given = "error"
) -> Profile | PublicProfile:
    """One strategy for each player, from anything that maps information sets to probabilities.

    Parameters
    ----------
    game : Game, Family, MatrixGame, Tree or PublicForm
        The game. A game is turned into its tree.
    strategies : object
        Strategies, a solution, a mapping, the path of a CSV file, a function or a policy; see
        :mod:`infoset.strategy.convert`.
    missing : {"error", "uniform"} or object
        What to do at information sets without probabilities: refuse, choose uniformly, or play
        other strategies, which are given in any of the same ways.

    Returns
    -------
    Profile or PublicProfile
        A PublicProfile if the game is a public form.

    Raises
    ------
    StrategyError
        If probabilities do not sum to 1, an action or an information set is unknown, an information
        set or a player has no probabilities, or a function raises.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> def cautious(player, state, actions):
    ...     return {"pass": 0.75, "bet": 0.25}
    >>> as_profile(kuhn(), cautious).payoffs["gambler"]
    Fraction(3, 64)
    """
    place = as_tree_or_form(game)
    if isinstance(strategies, Profile) and strategies.tree is place:
        return strategies
    if isinstance(strategies, PublicProfile) and strategies.form is place:
        return strategies
    reader = StrategyReader(place, missing)
    given = reader.by_player(strategies)
    lacking = [name for name in reader.players if name not in given]
    if lacking:
        raise StrategyError(
            f"{reader.name}: {brief(lacking[0])} has no strategy; give one for each player"
        )
    return joined(place, [reader.strategy(name, given[name]) for name in reader.players])


def as_strategy(
    game: Playable, player: str, strategy: Given, *, missing: Given = "error"
) -> Strategy | PublicStrategy:
    """One player's strategy, from anything that maps its information sets to probabilities.

    Parameters
    ----------
    game, missing
        As for :func:`as_profile`.
    player : str
        Whose strategy it is.
    strategy : object
        As for :func:`as_profile`; of what is given for several players, this player's part.

    Returns
    -------
    Strategy or PublicStrategy
        What was given, if it is a strategy of this tree or public form; else a
        :class:`~infoset.strategy.Behaviour` or a PublicStrategy.

    Raises
    ------
    StrategyError
        As :func:`as_profile`.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> dealer = as_strategy(kuhn(), "dealer", {"K, bet": {"bet": 1}}, missing="uniform")
    >>> dealer["K, bet"], dealer["Q, bet"]["bet"]
    ({'pass': Fraction(0, 1), 'bet': Fraction(1, 1)}, Fraction(1, 2))
    """
    place = as_tree_or_form(game)
    name = place.names[place.player_number(player)]
    reader = StrategyReader(place, missing)
    given = reader.by_player(strategy, name)
    if name not in given:
        raise StrategyError(
            f"{reader.name}: this is a strategy of {names_text(given)}, not of {name}"
        )
    found: Strategy | PublicStrategy = reader.strategy(name, given[name])
    return found


def joined(game: Tree | PublicForm, strategies: Sequence[Any]) -> Profile | PublicProfile:
    """The profile of strategies of one game, in the order of its players."""
    if isinstance(game, Tree):
        return profile(strategies)
    one, two = strategies
    return PublicProfile(game, (one, two))


class StrategyReader:
    """Reads strategies of one game, given as a tree or as a public form."""

    def __init__(self, game: Tree | PublicForm, missing: Given = "error") -> None:
        """``missing`` says what to do at sets without probabilities, as in :func:`as_profile`."""
        self.game, self.sets = game, information_sets(game)
        self.name, self.players = brief(game.name), self.sets.players
        self.notes: list[str] = []  # for the author of a file
        # Of the sets that were folded into one, the form has the label of one; others are skipped.
        self._folded = isinstance(game, PublicForm) and bool(game.folded)
        self._uniform = isinstance(missing, str) and missing == "uniform"
        self._others: dict[str, Given] = {}
        if isinstance(missing, str) and missing not in MISSING:
            raise ParameterError(f"missing={missing!r:.60}; {nearest(missing, MISSING)}")
        if not isinstance(missing, str):
            try:
                self._others = self.by_player(missing)
            except StrategyError as error:
                raise ParameterError(f"missing={repr_text(missing)}: {error}") from None

    # ------------------------------------------------------------------ whose strategies they are

    def by_player(self, given: Given, only: str | None = None) -> dict[str, Given]:
        """What was given, by player; labels are taken as those of ``only``, if that is said."""
        if not isinstance(given, OURS) and isinstance(getattr(given, "strategy", None), Mapping):
            given = given.strategy  # of a solution
        if isinstance(given, Strategy | PublicStrategy):
            return {self._known(given.player): given}
        if isinstance(given, Profile | PublicProfile):
            return {self._known(one.player): one for one in given}
        if isinstance(given, str | PathLike):
            return self._in_file(given)
        if isinstance(given, Mapping):
            if given and all(isinstance(key, str) and key in self.players for key in given):
                return self._named(given)
            return {only: given} if only is not None else self._by_owner(given)
        if callable(given) or _is_policy(given):
            return dict.fromkeys(self.players if only is None else (only,), given)
        return self._listed(given)

    def _known(self, player: str) -> str:
        if player not in self.players:
            raise StrategyError(
                f"{self.name}: no player {player!r:.60}; {nearest(player, self.players)}"
            )
        return player

    def _named(self, given: Mapping[str, Given]) -> dict[str, Given]:
        for name, one in given.items():
            if isinstance(one, Strategy | PublicStrategy) and one.player != name:
                raise StrategyError(
                    f"{self.name}: {name!r:.60} is given a strategy of {one.player!r:.60}"
                )
        return dict(given)

    def _listed(self, given: Given) -> dict[str, Given]:
        found: dict[str, Given] = {}
        if not isinstance(given, Iterable):
            raise StrategyError(f"{self.name}: {repr_text(given)} is not a strategy; {KINDS}")
        for one in given:
            if not isinstance(one, Strategy | PublicStrategy):
                raise StrategyError(f"{self.name}: {repr_text(one)} is not a strategy; {KINDS}")
            if one.player in found:
                raise StrategyError(f"{self.name}: {brief(one.player)} has two strategies")
            found[self._known(one.player)] = one
        if not found:
            raise StrategyError(f"{self.name}: no strategy was given")
        return found

    def _by_owner(self, given: Mapping[Any, Any]) -> dict[str, Given]:
        """A mapping of the labels of all players, divided among them."""
        found: dict[str, dict[Any, Any]] = {}
        for place, row in given.items():
            if isinstance(place, Infoset):
                owners = [place.player]
            else:
                tables = zip(self.players, self.sets.by_label, strict=True)
                owners = [name for name, own in tables if _known(place, own) is not None]
            if len(owners) > 1:
                raise StrategyError(
                    f"{self.name}: {' and '.join(owners)} both have an information set"
                    f" {place!r:.80}; give strategies by player, as in {{{owners[0]!r}: {{...}}}}"
                )
            if not owners and self._folded:
                continue
            if not owners:
                labels = (label for own in self.sets.by_label for label in own)
                raise StrategyError(f"{self.name}: {_unknown(place, labels)}")
            found.setdefault(owners[0], {})[place] = row
        if self._uniform or self._others:  # then a mapping may leave out whole players
            for name in self.players:
                found.setdefault(name, {})
        return dict(found)

    def _in_file(self, path: Source) -> dict[str, Given]:
        """The strategies in a file, by player; each remembers the file."""
        found = read_rows(path, self.sets)
        by_owner: dict[str, dict[int, Row]] = {}
        for index, row in found.rows.items():
            by_owner.setdefault(self.players[self.sets.owner(index)], {})[index] = row
        self.notes += found.notes
        return {
            name: FileRows(found.name, by_owner[name], ())
            for name in self.players
            if name in by_owner
        }

    # ------------------------------------------------------------------ one player's

    def strategy(self, player: str, given: Given) -> Any:
        """One player's strategy; what is one of this game already is left as it is."""
        if isinstance(given, Strategy) and given.tree is self.game:
            return given
        if isinstance(given, PublicStrategy) and given.form is self.game:
            return given
        number = self.players.index(player)
        sources = [self._row_at(number, given)]
        if player in self._others:
            sources.append(self._row_at(number, self._others[player]))
        rows: list[Row] = []
        absent, rounded = list[int](), False
        for index in self.sets.of(number):
            said = next((row for source in sources if (row := source(index)) is not None), None)
            if said is None:
                absent.append(index)
                size = len(self.sets.actions(index))
                said = [Fraction(1, size)] * size
            row, inexact = self._row(index, said)
            rows.append(row)
            rounded |= inexact
        if absent and not self._uniform:
            raise self._absent(given, absent)
        return self.sets.strategy(number, rows, rounded)

    def _absent(self, given: Given, absent: Sequence[int]) -> Exception:
        """What to say where probabilities are missing."""
        more = f", nor of {len(absent) - 1:,} more" if len(absent) > 1 else ""
        remedy = "add them, or say what to do there: missing='uniform', or other strategies"
        if isinstance(given, FileRows):
            where = f"{self.sets.name_at(absent[0])} (#{absent[0] + 1})"
            return FileError(f"{given.name}: no rows of {where}{more}; {remedy}")
        return StrategyError(f"{self._place(absent[0])}{more}: no probabilities; {remedy}")

    def _row_at(self, player: int, given: Given) -> Callable[[int], Any]:
        """What was given, as a function from an information set to its probabilities, or None."""
        if isinstance(given, Strategy):
            given = as_behaviour(given)  # of another tree: by its labels
        if isinstance(given, FileRows):
            return given.rows.get
        if isinstance(given, Mapping):
            return self._by_set(player, given).get
        if _is_policy(given):
            return self._policy(given)
        if callable(given):
            return partial(self._called, given)
        raise StrategyError(
            f"{self.name}: {repr_text(given)} is not a strategy of {brief(self.players[player])};"
            f" {KINDS}"
        )

    def _by_set(self, player: int, given: Mapping[Any, Any]) -> dict[int, Any]:
        """Probabilities by information set, from those by label."""
        known, found = self.sets.by_label[player], dict[int, Any]()
        for place, row in given.items():
            if isinstance(place, Infoset) and place.tree is self.game:
                found[place.index] = row
            elif (own := _known(place, known)) is not None:
                found[own] = row
            elif not (isinstance(place, str) and self._folded):
                name = brief(self.players[player])
                raise StrategyError(f"{self.name}: {name}: {_unknown(place, known)}")
        return found

    def _policy(self, policy: Any) -> Callable[[int], Any]:
        if not isinstance(self.game, Tree) or not self.game.name.startswith("openspiel:"):
            raise StrategyError(
                f"{self.name}: a policy of OpenSpiel needs the tree of an OpenSpiel game, as"
                " tree_of_openspiel('kuhn_poker') builds it; for other games give a function"
            )
        return partial(policy_probabilities, self.game, policy)

    def _called(self, function: Callable[..., Any], index: int) -> Any:
        state = self.sets.state(index)
        try:
            found = function(state.player, state, state.legal_actions)
        except Exception as error:
            said = " ".join(str(error).split())
            raise StrategyError(
                f"{self._place(index)}: the function raised {type(error).__name__}: {said:.200}"
            ) from error
        if found is None:
            raise StrategyError(f"{self._place(index)}: the function returned None; {ROWS}")
        return found

    def _place(self, index: int) -> str:
        player = brief(self.players[self.sets.owner(index)])
        return f"{self.name}: {player}, at {self.sets.label(index)!r:.80}"

    def _row(self, index: int, said: Any) -> tuple[Row, bool]:
        """[action] probabilities that sum to 1; and were floats rounded for it?"""
        return given_row(self.sets.actions(index), said, lambda: self._place(index))


# ---------------------------------------------------------------------- one information set's


def given_row(actions: Sequence[Hashable], said: Any, place: Callable[[], str]) -> tuple[Row, bool]:
    """[action] probabilities that sum to 1, from those that were given; and were floats rounded?

    Examples
    --------
    >>> given_row(("pass", "bet"), {"bet": 0.25, "pass": 0.75}, lambda: "at J")
    ([Fraction(3, 4), Fraction(1, 4)], False)
    """
    row, floats = list[Fraction](), False
    for action, value in zip(actions, _in_order(actions, said, place), strict=True):
        number, inexact = _rational(value)
        floats |= inexact
        if number is None or number < (-NEARLY if inexact else 0):
            raise StrategyError(
                f"{place()}: {text(action)!r:.60} has the probability"
                f" {repr_text(value)}; it must be a number from 0 to 1"
            )
        row.append(max(number, Fraction(0)))
    total = sum(row, Fraction(0))
    if total == 1:
        return row, False
    if not (floats and abs(total - 1) <= NEARLY):
        amount = probability_text(total)
        raise StrategyError(f"{place()}: the probabilities sum to {amount}, not to 1")
    return rounded_row(row), True


def _in_order(actions: Sequence[Hashable], said: Any, place: Callable[[], str]) -> Sequence[Any]:
    """[action] what was said of it."""
    if isinstance(said, Mapping):
        values: list[Any] = [Fraction(0)] * len(actions)
        names = [text(action) for action in actions]
        for action, value in said.items():
            if action in actions:
                values[actions.index(action)] = value
            elif isinstance(action, str) and action in names:
                values[names.index(action)] = value
            else:
                raise StrategyError(
                    f"{place()}: no action {text(action)!r:.60}; {nearest(text(action), names)}"
                )
        return values
    listed = said.tolist() if hasattr(said, "tolist") else said
    if isinstance(listed, str) or not isinstance(listed, Iterable):
        raise StrategyError(f"{place()}: {repr_text(said)} are not probabilities; {ROWS}")
    values = list(listed)
    if len(values) != len(actions):
        raise StrategyError(
            f"{place()}: {len(values)} probabilities for {len(actions)} actions"
            f" ({', '.join(text(action) for action in actions):.120})"
        )
    return values


def _rational(value: Any) -> tuple[Fraction | None, bool]:
    """A number as a fraction, or None; and was it inexact?"""
    try:
        if isinstance(value, str):
            return Fraction(value), False
        inexact = not isinstance(value, Rational | Decimal)
        return exact(value), inexact
    except (RulesError, ValueError, ZeroDivisionError):
        pass
    try:  # a tensor with one entry
        near = float(value)
    except (TypeError, ValueError):
        return None, True
    return (exact(near), True) if isfinite(near) else (None, True)


def rounded_row(row: Row) -> Row:
    """Probabilities as whole multiples of 2^-52 that sum to 1: the largest takes what is left.

    >>> rounded_row([Fraction(1, 3), Fraction(2, 3)])[0] * 2**52
    Fraction(1501199875790165, 1)
    """
    total = sum(row, Fraction(0))
    parts = [int(value * PARTS / total) for value in row]
    parts[parts.index(max(parts))] += PARTS - sum(parts)
    return [Fraction(part, PARTS) for part in parts]


def _is_policy(given: Any) -> bool:
    return callable(getattr(given, "action_probabilities", None))


def _known(place: object, labels: Mapping[str, int]) -> int | None:
    """The information set with this label; None if there is none."""
    return labels.get(label_among(place, labels)) if isinstance(place, str) else None


def _unknown(place: Any, labels: Iterable[str]) -> str:
    """That there is no such information set, and the nearest that there is."""
    if not isinstance(place, str):
        return f"{repr_text(place)} is not an information set of this game; give its label"
    return f"no information set {place!r:.80}; {closest(place, islice(labels, MOST_COMPARED))}"


# ---------------------------------------------------------------------- strategies in a file


class Edited(Mapping[str, Behaviour]):
    """The strategies in a file, by player, and what was done to make them strategies."""

    def __init__(self, strategies: Mapping[str, Behaviour], notes: tuple[str, ...]) -> None:
        """Strategies by player; the notes are for the author of the file."""
        self._strategies = dict(strategies)
        self.notes = notes

    def __getitem__(self, player: str) -> Behaviour:
        return self._strategies[player]

    def __iter__(self) -> Iterator[str]:
        return iter(self._strategies)

    def __len__(self) -> int:
        return len(self._strategies)

    def __repr__(self) -> str:
        return f"<Strategies of {names_text(self._strategies)}>"


def read_strategies(source: Source, tree: Tree, *, missing: Given = "error") -> Edited:
    r"""The strategies in a CSV file, by player.

    Parameters
    ----------
    source : str or path
        The name of a file, or a text of several lines.
    tree : Tree
        The tree of the game.
    missing : {"error", "uniform"} or object
        What to do at information sets that a player's rows leave out; see :func:`as_profile`.

    Returns
    -------
    Edited
        A mapping from those players who are in the file to their strategies.

    Raises
    ------
    FileError
        If the file cannot be read, or does not say what is needed.

    Examples
    --------
    >>> from infoset.games import matching_pennies
    >>> tree = matching_pennies().tree()
    >>> found = read_strategies("player;action;probability;number\n;heads;25%;1\n;tails;0,75;1\n",
    ...                         tree)
    >>> found["even"]["nothing yet"]
    {'heads': Fraction(1, 4), 'tails': Fraction(3, 4)}
    """
    if not isinstance(tree, Tree):
        raise StrategyError(f"{repr_text(tree)} is not a tree; give one, such as kuhn().tree()")
    reader = StrategyReader(tree, missing)
    given = reader.by_player(source) if isinstance(source, str | PathLike) else None
    if given is None:
        raise ParameterError(f"{repr_text(source)} names no file; give a name or a path")
    found = {name: reader.strategy(name, rows) for name, rows in given.items()}
    return Edited(found, tuple(reader.notes))


def read_strategy(source: Source, tree: Tree, *, missing: Given = "error") -> Behaviour:
    """The strategy in a file, which has one player's; see :func:`read_strategies`.

    Parameters
    ----------
    source, tree, missing
        As of :func:`read_strategies`.

    Returns
    -------
    Behaviour
        The strategy.

    Raises
    ------
    FileError
        If the file cannot be read, or has strategies of several players or none.
    """
    found = read_strategies(source, tree, missing=missing)
    if len(found) != 1:
        raise FileError(
            f"{repr_text(source)}: strategies of {names_text(found)}, where one is wanted;"
            " read_strategies() reads them all"
        )
    return next(iter(found.values()))
