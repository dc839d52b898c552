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
from infoset.play.automatic import AutomaticPlayer
from infoset.play.bots import openspiel_bot
from infoset.play.bridge import bridge_player
from infoset.play.isolation import IsolatedPlayer
from infoset.play.kriegspiel import EVALUATIONS, METHODS, OTHERS, KriegspielPlayer
from infoset.play.observed import RespondingPlayer
from infoset.play.player import Clock, Player, RandomPlayer, Seated, StrategyPlayer
from infoset.play.regret import RegretPlayer
from infoset.play.searching import (
    OF_SETS,
    SAMPLING,
    AlphaMuPlayer,
    InformationSetPlayer,
    PerfectInformationPlayer,
    ScoreBoundedPlayer,
    TreeSearchPlayer,
)
from infoset.rules.modules import loaded_module
from infoset.solvers.container import kind_of
from infoset.solvers.solution import Solution
from infoset.strategy import Behaviour, uniform
from infoset.text import brief
from infoset.tree import Tree
from infoset.tree.source import source

Known = Callable[[Any, Tree], Any]  # from a game and its tree to strategies, one for each player


@dataclass(frozen=True)
class Entrant:
    """Who takes part in a match: a name, and how a player is made of it in any process.

    ``known`` gives the probabilities by which it plays, where these can be known beforehand: those
    of a solution, a file or a mapping, and of whoever moves at random. Of a function, which may
    answer differently each time, they are not known.
    """

    name: str
    make: Callable[[], Player]
    known: Known | None = None
    reads: bool = False  # from a file, an evaluation by name, or of one game: it has to fit

    def check(self, game: Any) -> None:
        """Refuse what does not fit a game, a file or an evaluation, before any is played.

        Raises
        ------
        InfosetError
            Whatever keeps the player from beginning.
        """
        if not self.reads:
            return
        player = self.make()
        for seat in source(game).seats.agents:
            try:
                player.begin(game, seat, Clock())
            except InfosetError as error:
                raise type(error)(f"the player {brief(self.name)}: {error}") from None


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


def _without_settings(kind: str, make: Callable[[], Player], given: str) -> Callable[[], Player]:
    if given:
        raise ParameterError(f"the player {kind} takes no settings, but {given!r:.60} was given")
    return make


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
    known = {**SETTINGS, "evaluate": NAMED}
    return partial(InformationSetPlayer, model, **settings(model, given, known))


def settings(kind: str, given: str, known: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Settings of a player, ``name=value`` apart by commas.

    ``known`` has the words that a setting may be; where there are none, it is a whole number, and
    of :data:`NAMED` any name, which is looked for in the game.

    >>> settings("pimc", "samples=200,sampling=last", {"samples": (), "sampling": SAMPLING})
    {'samples': 200, 'sampling': 'last'}
    """
    found: dict[str, Any] = {}
    for word in given.split(",") if given else ():
        name, _, value = word.partition("=")
        if name not in known:
            raise ParameterError(
                f"the player {kind} has no setting {name!r:.40}; {nearest(name, known)}"
            )
        if name in found:
            raise ParameterError(f"the player {kind}: {word!r:.60}: give each setting once")
        found[name] = _value(kind, word, value, known[name])
    return found


def _value(kind: str, word: str, value: str, words: Sequence[str]) -> Any:
    """The value of a setting: one of some words, or a whole number."""
    if words == NAMED:
        if not value.isidentifier():
            raise ParameterError(f"the player {kind}: {word!r:.60}: give a name")
        return value
    if words:
        if value not in words:
            raise ParameterError(f"the player {kind}: {word!r:.60}: {nearest(value, words)}")
        return value
    if not value.isdecimal() or not 1 <= int(value) < 10**9:
        raise ParameterError(
            f"the player {kind}: {word!r:.60}: give a whole number from 1 on, below a billion"
        )
    return int(value)


def _tree_search(observers: str, given: str) -> Callable[[], Player]:
    known = {"iterations": (), "sampling": OF_SETS, "particles": ()}
    found = settings("ismcts" if observers == "single" else "mo-ismcts", given, known)
    return partial(TreeSearchPlayer, observers=observers, **found)


def _perfect(given: str) -> Callable[[], Player]:
    known = {**SETTINGS, "sampling": SAMPLING, "evaluate": NAMED}
    return partial(PerfectInformationPlayer, **settings("pimc", given, known))


def _alpha_mu(given: str) -> Callable[[], Player]:
    return partial(AlphaMuPlayer, **settings("alphamu", given, {**SETTINGS, "moves": ()}))


def _bridge(given: str) -> Callable[[], Player]:
    return partial(bridge_player, **settings("bridge", given, {"moves": (), "samples": ()}))


def _responding(given: str) -> Callable[[], Player]:
    path, _, rest = given.partition(",")
    known = {**SETTINGS, "entrant": (), "strength": ()}
    found = settings("responding", rest, known)
    if "entrant" in found:
        found["entrant"] -= 1  # entrants are counted from 1 where they are named
    return partial(RespondingPlayer, _file("responding", path, "games.jsonl"), **found)


def _regret(given: str) -> Callable[[], Player]:
    return partial(RegretPlayer, **settings("mccfr", given, {"iterations": ()}))


def _score_bounded(given: str) -> Callable[[], Player]:
    found = settings("sbmcts", given, {"iterations": (), "samples": ()})
    return partial(ScoreBoundedPlayer, **found)


def _kriegspiel(given: str) -> Callable[[], Player]:
    known = {
        "method": METHODS, "depth": (), "samples": (), "replies": (), "particles": (),
        "others": OTHERS, "evaluate": EVALUATIONS,
    }  # fmt: skip
    return partial(KriegspielPlayer, **settings("kriegspiel", given, known))


def _bot(given: str) -> Callable[[], Player]:
    name, _, rest = given.partition(",")
    known: Mapping[str, Sequence[str]] = (
        {"simulations": (), "exploration": ()} if name == "ismcts" else {}
    )
    make = partial(openspiel_bot, name, **settings(f"openspiel:{name}", rest, known))
    make()  # so that a name which is wrong is refused before the first game
    return make


NAMED = ("NAME",)
SETTINGS: Mapping[str, Sequence[str]] = {
    "depth": (), "samples": (), "plays": (), "sampling": OF_SETS, "particles": (),
}  # fmt: skip
KINDS: Mapping[str, Callable[[str], Callable[[], Player]]] = {
    "auto": partial(_without_settings, "auto", AutomaticPlayer),
    "random": partial(_without_settings, "random", RandomPlayer),
    "overconfident": partial(_search, "overconfident"),
    "paranoid": partial(_search, "paranoid"),
    "pimc": _perfect,
    "alphamu": _alpha_mu,
    "bridge": _bridge,
    "ismcts": partial(_tree_search, "single"),
    "mo-ismcts": partial(_tree_search, "multiple"),
    "kriegspiel": _kriegspiel,
    "mccfr": _regret,
    "responding": _responding,
    "sbmcts": _score_bounded,
    "openspiel": _bot,
    "solution": _solution,
    "strategy": _strategy,
}
READING = ("responding", "solution", "strategy")  # kinds that need a file
OF_ONE_GAME = {"bridge": "bridge", "kriegspiel": "kriegspiel"}  # kinds that play one, and which
ABOUT = {
    "auto": "an equilibrium of a game that is solved in seconds, else mo-ismcts; of bridge and"
    " kriegspiel their own",
    "random": "any option, all equally likely",
    "overconfident:depth=4,samples=100": "information-set search; the others move at random;"
    " evaluate=NAME: by an evaluation of the game's own, such as material",
    "paranoid:depth=4,samples=100": "information-set search; the others do their worst",
    "pimc:depth=4,samples=40": "perfect-information search of sampled positions;"
    " sampling=all, last, pool or hybrid",
    "alphamu:moves=2,samples=20": "one plan for all sampled positions; the others know where they"
    " are",
    "bridge:moves=3,samples=20": "for bridge: natural bids, and cards by alphamu over sampled deals"
    " that are solved double dummy",
    "ismcts:iterations=1000": "Monte Carlo tree search over information sets; mo-ismcts: several",
    "kriegspiel:method=informed,depth=2": "compiled search of kriegspiel;"
    " method=overconfident, paranoid, informed, mixed or pimc",
    "mccfr:iterations=200": "regret minimization by sampling, continued from move to move",
    "responding:FILE.jsonl,entrant=2": "information-set search; the others move as an entrant of a"
    " recorded match did",
    "sbmcts:iterations=1000,samples=20": "score-bounded tree search of sampled positions",
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
    known = known_strategy(given)
    if isinstance(given, str):
        kind = given.partition(":")[0]
        reads = kind in READING or kind in OF_ONE_GAME or "evaluate=" in given
        return Entrant(given, _named(given), known, reads)
    if isinstance(given, type):
        return Entrant(given.__name__, given, known)
    if isinstance(given, Player):
        return Entrant(f"{type(given).__name__} {at + 1}", partial(_itself, given), known)
    if isinstance(given, Solution):
        return Entrant(f"{given.method} {at + 1}", partial(StrategyPlayer, given), known)
    if callable(given) or isinstance(given, Mapping | Path) or hasattr(given, "tree"):
        name = getattr(given, "__name__", type(given).__name__)
        return Entrant(f"{name} {at + 1}", partial(StrategyPlayer, given), known)
    raise ParameterError(f"{given!r:.60} is no player: give a name, a player or a strategy")


def _itself(player: Player) -> Player:
    return player


def known_strategy(given: Any) -> Known | None:
    """The probabilities by which an entrant plays, if they are known; see :class:`Entrant`.

    >>> known_strategy("random") is not None, known_strategy("ismcts") is None
    (True, True)
    """
    if given is RandomPlayer or type(given) is RandomPlayer or given == "random":
        return _uniform
    if type(given) is StrategyPlayer:
        given = given.strategy
        given = Path(given) if isinstance(given, str) else given
    if isinstance(given, str):
        kind, _, file = given.partition(":")
        if kind == "solution":
            return partial(saved_solution, Path(file))
        return partial(_given, Path(file)) if kind == "strategy" else None
    if isinstance(given, Solution | Mapping | Path):
        return partial(_given, given)
    if isinstance(given, type | Player) or callable(given) or not hasattr(given, "tree"):
        return None
    return partial(_given, given)


def _given(given: Any, *_: Any) -> Any:
    return given


def _uniform(_: Any, tree: Tree) -> dict[str, Behaviour]:
    return {player: uniform(tree, player) for player in tree.names}


def saved_solution(path: Path, game: Any, tree: Tree) -> Solution:
    """A solution of any kind from a file, on the tree of its game."""
    return Solution.load(path, tree if kind_of(path) == "tree" else game).on_tree(tree)


def _named(name: str) -> Callable[[], Player]:
    kind, _, given = name.partition(":")
    if kind in KINDS:
        return KINDS[kind](given)
    if kind.endswith(".py"):
        return partial(IsolatedPlayer, partial(player_of_file, kind, given))
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
