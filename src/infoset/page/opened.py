"""A game as the application shows it: nodes by address, what is known at each, and the rules.

Nothing is built to open a game. A node is a position that is walked to from the start, move by
move, so that a game of any size opens at once. Its *address* is the numbers of the moves that lead
there, ``0.3.1``; the start of the game has the empty address. Players who move at the same time
move one after the other, and none sees the moves before: the address is then the path in the tree
that is built from the same rules, and a node is found in either.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import Any, NamedTuple, Protocol

from infoset.errors import InfosetError, ParameterError, TooLarge
from infoset.rules import Family, Game, Position
from infoset.rules.moves import DealsByNumber, Lottery
from infoset.rules.position import Asked, ReplayPosition, Walk
from infoset.text import brief, count_text, number_text, parameter_text, printable, text
from infoset.tree import Tree
from infoset.tree.knowledge import known
from infoset.tree.source import Source, source

MOVES = 60  # of a node that are shown at a time
LONGEST = 2000  # moves of an address
KEPT = 5000  # places that are kept
MOST_MOVES = 1_000_000  # that these know, all together
LABEL = 2000  # characters of a label
SECONDS = 4.0  # that rules may compute for one move: an answer may take 10
LARGEST = 1e308  # stands for numbers that are larger


Moves = Sequence[Hashable]


class Opener(Protocol):
    """Opens the members of a family of games, in any process."""

    @property
    def name(self) -> str:
        """What was asked for."""

    @property
    def file(self) -> Path | None:
        """The file of the rules, if there is one that may be edited."""

    def open(self, parameters: Sequence[str]) -> Any:
        """The game with these parameters, ``name=value`` each."""


class Place(NamedTuple):
    """A node: a position, and the choices of those who have moved there, unseen by the next."""

    position: Position
    chosen: tuple[Hashable, ...] = ()


class OpenGame:
    """One game that somebody looks at."""

    def __init__(self, game: Any) -> None:
        """Of anything that has positions."""
        self.game = game
        self.source: Source = source(game)
        self.name = self.source.name
        self.start: Position = ShownPosition(game) if isinstance(game, Game) else self.source.start
        self._places: OrderedDict[str, Place] = OrderedDict()
        self._held: dict[str, int] = {}  # moves that each knows: of the way there, and its own
        self._held_by_all = 0
        self._lock = RLock()

    # ------------------------------------------------------------------ about the game

    @property
    def players(self) -> tuple[str, ...]:
        """Who is paid."""
        return self.source.seats.players

    def described(self) -> dict[str, Any]:
        """What there is to know before anything is built."""
        family, seats = self.game.family if isinstance(self.game, Game) else None, self.source.seats
        return {
            "name": text(self.name),
            "family": text(family.name) if family else "",
            "about": family.doc if family else "",
            "source": family.source if family else "",
            "players": [text(one) for one in self.players],
            "agents": {
                text(one): text(self.players[player])
                for one, player in zip(seats.agents, seats.player_of, strict=True)
            },
            "parameters": _parameters(self.game) if family else [],
            "rules": self._rules,
            "size": _size(self.game) if isinstance(self.game, Tree) else None,
        }

    @property
    def file(self) -> str | None:
        """The name of the file with the rules."""
        return self._rules["file"] if self._rules is not None else None

    @cached_property
    def _rules(self) -> dict[str, Any] | None:
        """The lines of the rules, if there are any to read."""
        if not isinstance(self.game, Game):
            return None
        try:
            lines, first = inspect.getsourcelines(self.game.family.rules)
            file = inspect.getsourcefile(self.game.family.rules)
        except (OSError, TypeError):  # typed at a prompt
            return None
        return {
            "file": Path(file or "").name,
            "first": first,
            "lines": [line.rstrip("\n") for line in lines],
        }

    # ------------------------------------------------------------------ nodes

    def place(self, address: str) -> Place:
        """The node with this address.

        Raises
        ------
        ParameterError
            If there is none.
        """
        steps = _steps(address)
        with self._lock:
            known = len(steps)
            while known and _address(steps[:known]) not in self._places:
                known -= 1
            place = self._places[_address(steps[:known])] if known else Place(self.start)
            held = self._held.get(_address(steps[:known]), 0)
            for at in range(known, len(steps)):
                moves = self.moves(place)
                place = self._after(place, moves, steps[at], address)
                held = (held or _listed(moves)) + self._own(place)
                self._keep(_address(steps[: at + 1]), place, held)
            return place

    def _own(self, place: Place) -> int:
        with suppress(InfosetError):  # of rules that fail there
            return _listed(self.moves(place))
        return 0

    def _keep(self, address: str, place: Place, held: int) -> None:
        self._places[address], self._held[address] = place, held
        self._held_by_all += held
        while len(self._places) > (1 if self._held_by_all > MOST_MOVES else KEPT):
            first, _ = self._places.popitem(last=False)
            self._held_by_all -= self._held.pop(first, 0)

    def _after(self, place: Place, moves: Moves, number: int, address: str) -> Place:
        if not 0 <= number < len(moves):
            raise ParameterError(
                f"{brief(self.name)} has no node {address!r:.80}: there is no move {number} of"
                f" {count_text(len(moves), 'move')}"
            )
        chosen = (*place.chosen, moves[number])
        if len(chosen) < len(place.position.movers):
            return Place(place.position, chosen)
        if isinstance(place.position, ShownPosition):
            return Place(place.position.made_here(chosen))
        return Place(place.position.after(chosen if len(chosen) > 1 else chosen[0]))

    def mover(self, place: Place) -> str | None:
        """Who moves; None at chance moves and at ends."""
        movers = place.position.movers
        return movers[len(place.chosen)] if movers else None

    def moves(self, place: Place) -> Moves:
        """The options or outcomes; none at an end."""
        mover = self.mover(place)
        return self.lottery(place).outcomes if mover is None else place.position.options(mover)

    def lottery(self, place: Place) -> Lottery:
        """The outcomes of a chance move, and their probabilities; none elsewhere."""
        position = place.position
        if isinstance(position, ReplayPosition):
            return position.lottery or Lottery((), ())
        chances = () if position.over or position.movers else tuple(position.chances())
        return Lottery(tuple([one for one, _ in chances]), tuple([share for _, share in chances]))

    def knows(self, place: Place, agent: str) -> str:
        """What an agent knows, in one line."""
        return self._label(place.position.view(agent))

    def _label(self, view: Any) -> str:
        words = text(view) if not isinstance(self.game, Game) else known(view)
        return words[:LABEL]

    def infoset(self, place: Place) -> dict[str, Any] | None:
        """The information set of a decision: who, the label, and an id that only it has."""
        mover = self.mover(place)
        if mover is None:
            return None
        view = place.position.view(mover)
        key = _id(mover, view, tuple(place.position.options(mover)))
        return {"player": text(mover), "label": self._label(view), "id": key}

    def shape(self, place: Place) -> str:
        """An id that two nodes share if the next move is the same at both.

        It is if the same player has the same options, or chance as many outcomes, or if the game
        is over. Outcomes of chance with the same shape are shown as one row of the tree, as
        drawings show them; unlike there, what follows later is not compared, since that would mean
        to walk the whole subtree.
        """
        mover, moves = self.mover(place), self.moves(place)
        menu: Hashable = len(moves) if mover is None else tuple(map(text, moves))
        return _id(place.position.over, mover, menu)

    def brief_node(self, place: Place) -> dict[str, Any]:
        """What a list of nodes says of one; of one at which the rules fail, how they do."""
        try:
            return self._brief(place)
        except TooLarge:  # there is no more memory, for example: it is not for the rules alone
            raise
        except InfosetError as error:
            said = problem(error, self.file)
            return {"kind": "failed", "infoset": None, "failed": said}

    def _brief(self, place: Place) -> dict[str, Any]:
        mover, position = self.mover(place), place.position
        kind = "decision" if mover is not None else "end" if position.over else "chance"
        found: dict[str, Any] = {"kind": kind, "infoset": self.infoset(place)}
        if kind == "end":
            found["payoffs"] = [number(position.payoffs[one]) for one in self.players]
        else:
            found["count"] = len(self.moves(place))
        return found

    def node(self, address: str, first: int = 0) -> dict[str, Any]:
        """A node, with a page of the nodes that follow."""
        place = self.place(address)
        shown = self.brief_node(place)
        if shown["kind"] == "failed":
            history = self.history(address)
            line = shown["failed"]["line"]
            return {
                "at": address,
                **shown,
                "first": first,
                "below": [],
                "history": history,
                "knows": [],
                "line": line,
            }
        seats = self.source.seats
        return {
            "at": address,
            **shown,
            "first": first,
            "below": self._below(place, address, first),
            "history": self.history(address),
            "knows": [
                {"player": text(agent), "label": self.knows(place, agent)} for agent in seats.agents
            ],
            "line": self.line(place),
        }

    def _below(self, place: Place, address: str, first: int) -> list[dict[str, Any]]:
        """A page of the nodes that follow; those after one that computes too long are not run."""
        moves, prefix = self.moves(place), f"{address}." if address else ""
        chances = self.lottery(place).probabilities if self.mover(place) is None else ()
        below: list[dict[str, Any]] = []
        endless = None
        for at in range(first, min(first + MOVES, len(moves))):
            one: dict[str, Any] = {"at": f"{prefix}{at}", "move": text(moves[at])[:LABEL]}
            after, began = self._after(place, moves, at, address), monotonic()
            told = endless or self.brief_node(after)
            failed = told["kind"] == "failed"
            if failed and endless is None and monotonic() - began > ShownPosition.seconds:
                said = {**told["failed"], "message": f"not run after {told['failed']['message']}"}
                endless = {**told, "failed": said}
            if chances:
                one["probability"] = number(chances[at])
                one["shape"] = "" if failed else self.shape(after)
            below.append({**one, **told})
        return below

    def history(self, address: str) -> list[dict[str, str]]:
        """The moves that lead to a node: who, what, and where that was."""
        steps, told = _steps(address), []
        place = Place(self.start)
        for at, step in enumerate(steps):
            mover, moves = self.mover(place), self.moves(place)
            told.append(
                {
                    "who": "chance" if mover is None else text(mover),
                    "move": text(moves[step])[:LABEL],
                    "at": _address(steps[: at + 1]),
                }
            )
            known = self._places.get(_address(steps[: at + 1]))
            place = known or self._after(place, moves, step, address)
        return told

    def line(self, place: Place) -> int | None:
        """The line of the rules that asks for the move; None where that is not known."""
        return place.position.line if isinstance(place.position, ShownPosition) else None

    def node_number(self, tree: Tree, address: str) -> int:
        """The number of a node in the tree of the same game."""
        start, below = tree.children
        at = 0
        for step in _steps(address):
            first, last = int(start[at]), int(start[at + 1])
            if not first + step < last:
                raise ParameterError(f"{brief(tree.name)} has no node {address!r:.80}")
            at = int(below[first + step])
        return at


def address_of(tree: Tree, node: int) -> str:
    """The address of a node of a tree.

    >>> from infoset.games import kuhn
    >>> opened, tree = OpenGame(kuhn()), kuhn().tree()
    >>> address_of(tree, opened.node_number(tree, "3.1.0"))
    '3.1.0'
    """
    steps = []
    while node > 0:
        steps.append(int(tree.action[node]))
        node = int(tree.parent[node])
    return _address(steps[::-1])


class ShownPosition(ReplayPosition):
    """A position of rules with the line that asks for the next move; deals are not listed.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> start = ShownPosition(kuhn(ranks=10**5))
    >>> len(start.lottery.outcomes), len(start.lottery.outcomes[10**5])
    (9999900000, 2)
    """

    seconds = SECONDS

    def walk(self) -> Walk:
        """See :meth:`ReplayPosition.walk`."""
        family = getattr(self.game, "family", None)
        code = getattr(getattr(family, "rules", None), "__code__", None)
        turn, since = self.begin
        return _ShownWalk(self.game.seats, since, turn, getattr(code, "co_filename", ""))

    @property
    def line(self) -> int | None:
        """The line of the rules that asks for the move; None where that is not known."""
        walk = self._reached[0]
        return walk.line if isinstance(walk, _ShownWalk) else None


class _ShownWalk(Walk):
    """A run that notes at which line of the rules it was asked for the last move."""

    __slots__ = ("_file", "line")

    def __init__(self, seats: Any, moves: Sequence[Any], turn: Any, file: str) -> None:
        super().__init__(seats, moves, turn)
        self._file = file
        self.line: int | None = None

    def _ask(self, menus: Any, lottery: Any) -> Asked:
        if self.line is None:
            frame = sys._getframe(1)
            while frame is not None:
                if frame.f_code.co_filename == self._file:
                    self.line = frame.f_lineno
                    break
                frame = frame.f_back  # type: ignore[assignment]
        return super()._ask(menus, lottery)

    def deal(self, deck: Any, *sizes: int, hands: bool = False) -> Any:
        """See :meth:`Walk.deal`; of different cards all deals are equally likely."""
        if self._at == len(self._moves):
            deals = DealsByNumber(deck, sizes, hands)
            if deals.apply:
                raise self._ask({}, Lottery(deals, _Equal(len(deals))))  # type: ignore[arg-type]
        return super().deal(deck, *sizes, hands=hands)


class _Equal(Sequence[Fraction]):
    """The probabilities of so many equally likely outcomes."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: Any) -> Any:
        return Fraction(1, self._count)


def problem(error: InfosetError, file: str | None) -> dict[str, Any]:
    """An error of the rules as a page shows it, with its line in the file if it says one.

    >>> problem(InfosetError("coin(): no player 'ane' (at the start, at coin.py:7)"), "coin.py")
    {'message': "coin(): no player 'ane' (at the start, at coin.py:7)", 'line': 7}
    """
    said = plainly(error)
    found = re.search(re.escape(Path(file).name) + r":(\d+)", said) if file else None
    return {"message": said, "line": int(found[1]) if found else None}


IN_PYTHON = (  # what messages recommend in Python, and pages have no field for
    (" raise max_nodes= or choose smaller parameters", " choose smaller parameters"),
    ("; if they need that long, raise seconds_per_move=", ""),
)


def plainly(said: object, most: int = 2000) -> str:
    r"""A message of the library as a page shows it: on one line.

    >>> plainly("the tree has more than 9 nodes; raise max_nodes= or choose smaller parameters")
    'the tree has more than 9 nodes; choose smaller parameters'
    >>> plainly("the rules raised ValueError: two\nlines")
    'the rules raised ValueError: two lines'
    """
    words = printable(str(said))
    for python, page in IN_PYTHON:
        words = words.replace(python, page)
    return words[:most]


def number(value: Any) -> dict[str, Any]:
    """A number for a page: as it reads, and near enough to draw.

    >>> number(Fraction(-1, 18))
    {'text': '-1/18', 'value': -0.05555555555555555}
    """
    try:
        near = float(value)
    except OverflowError:
        near = LARGEST if value > 0 else -LARGEST
    return {"text": number_text(value), "value": near}


def _id(*parts: Hashable) -> str:
    """A short text for these parts, and in this process for no others."""
    return f"{hash(parts) & (2**64 - 1):016x}"


def _steps(address: str) -> list[int]:
    parts = address.split(".") if address else []
    if len(parts) > LONGEST or not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise ParameterError(f"{address!r:.80} is no address of a node, such as 0.3.1")
    return [int(part) for part in parts]


def _listed(moves: Moves) -> int:
    """How many moves are in memory: of large deals, none is."""
    return len(moves) if isinstance(moves, tuple) else 1


def _address(steps: Sequence[int]) -> str:
    return ".".join(map(str, steps))


def _size(tree: Tree) -> dict[str, int]:
    return {"nodes": len(tree), "infosets": len(tree.infoset_player)}


def _parameters(game: Game) -> list[dict[str, Any]]:
    """The parameters of a family, with what is chosen and what kind of field suits them."""
    family: Family = game.family
    return [
        {
            "name": name,
            "value": spelled_parameter(value),
            "default": spelled_parameter(family.defaults[name]) if name in family.defaults else "",
            "kind": _kind(value),
            "shown": parameter_text(value),
        }
        for name, value in game.params.items()
    ]


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int):
        return "whole"
    return "number" if isinstance(value, float | Fraction) else "text"


def spelled_parameter(value: Any) -> str:
    """A parameter as it is typed after ``name=``.

    >>> spelled_parameter((3, 2)), spelled_parameter(Fraction(1, 3)), spelled_parameter(True)
    ('3,2', '1/3', 'true')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple) and all(isinstance(one, int | str) for one in value):
        return ",".join(map(str, value)) + ("," if len(value) == 1 else "")
    return value if isinstance(value, str) else str(value)
