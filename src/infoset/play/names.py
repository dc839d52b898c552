"""Players by name: ``random``, ``solution:kuhn.sol``, ``myplayer.py:Cautious``.

A name is a kind, and after a colon what it takes: a file, or settings, ``name=value`` apart by
commas. Whatever else is given in its place (a player, a class of players, a strategy) has a name
made from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from infoset.errors import FileError, InfosetError, ParameterError, nearest
from infoset.play.bots import openspiel_bot
from infoset.play.player import Clock, Player, RandomPlayer, Seated, StrategyPlayer
from infoset.play.searching import InformationSetPlayer, PerfectInformationPlayer, TreeSearchPlayer
from infoset.rules.modules import loaded_module
from infoset.solvers.solution import Solution


@dataclass(frozen=True)
class Entrant:
    """Who takes part in a match: a name, and how a player is made of it in any process."""

    name: str
    make: Callable[[], Player]


class SolutionPlayer(Seated):
    """Plays by a saved solution, which is loaded when the first game begins."""

    def __init__(self, path: str) -> None:
        """From this file."""
        self.path = path
        self._strategy: StrategyPlayer | None = None

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        super().begin(game, seat, clock)
        if self._strategy is None:
            self._strategy = StrategyPlayer(Solution.load(self.path, game))
        self._strategy.begin(game, seat, clock)

    def decide(self, view: Any, options: tuple[Any, ...]) -> Any:
        """The probabilities of the solution."""
        assert self._strategy is not None
        return self._strategy.decide(view, options)


def _random(given: str) -> Callable[[], Player]:
    if given:
        raise ParameterError(f"the player random takes no settings, but {given!r:.60} was given")
    return RandomPlayer


def _solution(given: str) -> Callable[[], Player]:
    return partial(SolutionPlayer, _file("solution", given, "kuhn.sol"))


def _strategy(given: str) -> Callable[[], Player]:
    return partial(StrategyPlayer, _file("strategy", given, "mine.csv"))


def _file(kind: str, given: str, example: str) -> str:
    if not given:
        raise ParameterError(f"the player {kind} needs a file, as in {kind}:{example}")
    if not Path(given).is_file():
        raise FileError(f"{given}: {'a folder' if Path(given).is_dir() else 'no such file'}")
    return given


def _search(model: str, given: str) -> Callable[[], Player]:
    return partial(InformationSetPlayer, model, **settings(model, given, SETTINGS))


def settings(kind: str, given: str, known: Sequence[str]) -> dict[str, int]:
    """Settings of a player, ``name=value`` apart by commas, whole numbers from 1 on.

    >>> settings("paranoid", "depth=2,samples=200", ("depth", "samples"))
    {'depth': 2, 'samples': 200}
    """
    found: dict[str, int] = {}
    for word in given.split(",") if given else ():
        name, _, value = word.partition("=")
        if name not in known:
            raise ParameterError(
                f"the player {kind} has no setting {name!r:.40}; {nearest(name, known)}"
            )
        if name in found or not value.isdecimal() or not 1 <= int(value) < 10**9:
            raise ParameterError(
                f"the player {kind}: {word!r:.60}: give each setting once, a whole number from 1 on"
            )
        found[name] = int(value)
    return found


def _tree_search(observers: str, given: str) -> Callable[[], Player]:
    found = settings("ismcts", given, ("iterations",))
    return partial(TreeSearchPlayer, observers=observers, **found)


def _perfect(given: str) -> Callable[[], Player]:
    return partial(PerfectInformationPlayer, **settings("pimc", given, SETTINGS))


def _bot(given: str) -> Callable[[], Player]:
    name, _, rest = given.partition(",")
    known = ("simulations", "exploration") if name == "ismcts" else ()
    make = partial(openspiel_bot, name, **settings(f"openspiel:{name}", rest, known))
    make()  # so that a name which is wrong is refused before the first game
    return make


SETTINGS = ("depth", "samples", "plays")
KINDS: Mapping[str, Callable[[str], Callable[[], Player]]] = {
    "random": _random,
    "overconfident": partial(_search, "overconfident"),
    "paranoid": partial(_search, "paranoid"),
    "pimc": _perfect,
    "ismcts": partial(_tree_search, "single"),
    "mo-ismcts": partial(_tree_search, "multiple"),
    "openspiel": _bot,
    "solution": _solution,
    "strategy": _strategy,
}
ABOUT = {
    "random": "any option, all equally likely",
    "overconfident:depth=4,samples=100": "information-set search; the others move at random",
    "paranoid:depth=4,samples=100": "information-set search; the others do their worst",
    "pimc:depth=4,samples=40": "perfect-information search of sampled positions",
    "ismcts:iterations=1000": "Monte Carlo tree search over information sets; mo-ismcts: several",
    "openspiel:ismcts,simulations=1000": "a bot of OpenSpiel's, where that is installed",
    "solution:FILE": "a saved solution",
    "strategy:FILE.csv": "probabilities by information set",
    "MODULE.py:CLASS": "a class of your own with begin, told and choose",
}


def entrant(given: Any, at: int = 0) -> Entrant:
    """An entrant of a match, from a name, a player, a class of players, or a strategy.

    Parameters
    ----------
    given
        What is given.
    at
        Its place among the entrants, for the name of what has none.

    Returns
    -------
    Entrant
        With its name.

    Raises
    ------
    ParameterError
        If it is none of these.

    Examples
    --------
    >>> entrant("random").name
    'random'
    >>> entrant("randon")
    Traceback (most recent call last):
    ...
    infoset.errors.ParameterError: no player 'randon'; did you mean 'random'?
    """
    if isinstance(given, Entrant):
        return given
    if isinstance(given, str):
        return Entrant(given, _named(given))
    if isinstance(given, type):
        return Entrant(given.__name__, given)
    if isinstance(given, Player):
        return Entrant(f"{type(given).__name__} {at + 1}", partial(_itself, given))
    if isinstance(given, Solution):
        return Entrant(f"{given.method} {at + 1}", partial(StrategyPlayer, given))
    if callable(given) or isinstance(given, Mapping | Path) or hasattr(given, "tree"):
        name = getattr(given, "__name__", type(given).__name__)
        return Entrant(f"{name} {at + 1}", partial(StrategyPlayer, given))
    raise ParameterError(f"{given!r:.60} is no player: give a name, a player or a strategy")


def _itself(player: Player) -> Player:
    return player


def _named(name: str) -> Callable[[], Player]:
    kind, _, given = name.partition(":")
    if kind in KINDS:
        return KINDS[kind](given)
    if kind.endswith(".py"):
        return partial(player_of_file, kind, given)
    raise ParameterError(f"no player {kind!r:.60}; {nearest(kind, KINDS)}")


def player_of_file(path: str, name: str) -> Player:
    """A player of a class in a Python file."""
    module = loaded_module(Path(path))
    found = {
        each: value
        for each, value in vars(module).items()
        if isinstance(value, type)
        and value.__module__ == module.__name__
        and callable(getattr(value, "choose", None))
    }
    if not name and len(found) == 1:
        name = next(iter(found))
    if name not in found:
        known = nearest(name, found) if found else "it has no class with begin, told and choose"
        raise ParameterError(f"{path}: no player {name!r:.60}; {known}")
    try:
        made = found[name]()
    except Exception as error:
        raise InfosetError(f"{path}:{name}: {type(error).__name__}: {error}") from error
    if not isinstance(made, Player):
        raise ParameterError(f"{path}:{name} is not a player: it needs begin, told and choose")
    return made
