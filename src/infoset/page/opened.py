"""A game as the application shows it: nodes by address, what is known at each, and the rules.

Nothing is built to open a game. A node is a position that is walked to from the start, move by
move, so that a game of any size opens at once. Its *address* is the numbers of the moves that lead
there, ``0.3.1``; the start of the game has the empty address. Players who move at the same time
move one after the other, and none sees the moves before: the address is then the path in the tree
that is built from the same rules, and a node is found in either.
"""

from __future__ import annotations

import inspect
import sys
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple, Protocol

from infoset.errors import InfosetError, ParameterError
from infoset.rules import Family, Game, Position
from infoset.rules.moves import Menu
from infoset.rules.position import Asked, ReplayPosition, Walk
from infoset.text import brief, count_text, number_text, parameter_text, text
from infoset.tree import Tree
from infoset.tree.knowledge import known
from infoset.tree.source import Source, source

MOVES = 60  # of a node that are shown at a time
LONGEST = 2000  # moves of an address
KEPT = 5000  # places that are kept
LABEL = 2000  # characters of a label
LARGEST = 1e308  # stands for numbers that are larger


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
        self._places: OrderedDict[str, Place] = OrderedDict()
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
            place = self._places[_address(steps[:known])] if known else Place(self.source.start)
            for at in range(known, len(steps)):
                place = self._after(place, steps[at], address)
                self._keep(_address(steps[: at + 1]), place)
            return place

    def _keep(self, address: str, place: Place) -> None:
        self._places[address] = place
        while len(self._places) > KEPT:
            self._places.popitem(last=False)

    def _after(self, place: Place, number: int, address: str) -> Place:
        moves = self.moves(place)
        if not 0 <= number < len(moves):
            raise ParameterError(
                f"{brief(self.name)} has no node {address!r:.80}: there is no move {number} of"
                f" {count_text(len(moves), 'move')}"
            )
        chosen = (*place.chosen, moves[number])
        if len(chosen) < len(place.position.movers):
            return Place(place.position, chosen)
        return Place(place.position.after(chosen if len(chosen) > 1 else chosen[0]))

    def mover(self, place: Place) -> str | None:
        """Who moves; None at chance moves and at ends."""
        movers = place.position.movers
        return movers[len(place.chosen)] if movers else None

    def moves(self, place: Place) -> Menu:
        """The options or outcomes; none at an end."""
        position, mover = place.position, self.mover(place)
        if mover is not None:
            return tuple(position.options(mover))
        return () if position.over else tuple([outcome for outcome, _ in position.chances()])

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
        key = hash((mover, view, tuple(place.position.options(mover)))) & (2**64 - 1)
        return {"player": text(mover), "label": self._label(view), "id": f"{key:016x}"}

    def brief_node(self, place: Place) -> dict[str, Any]:
        """What a list of nodes says of one."""
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
        moves, prefix = self.moves(place), f"{address}." if address else ""
        chances = dict(place.position.chances()) if self.mover(place) is None and moves else {}
        below = []
        for at in range(first, min(first + MOVES, len(moves))):
            one: dict[str, Any] = {"at": f"{prefix}{at}", "move": text(moves[at])[:LABEL]}
            if chances:
                one["probability"] = number(chances[moves[at]])
            below.append({**one, **self.brief_node(self._after(place, at, address))})
        seats = self.source.seats
        return {
            "at": address,
            **self.brief_node(place),
            "first": first,
            "below": below,
            "history": self.history(address),
            "knows": [
                {"player": text(agent), "label": self.knows(place, agent)} for agent in seats.agents
            ],
            "line": self.line(place),
        }

    def history(self, address: str) -> list[dict[str, str]]:
        """The moves that lead to a node: who, what, and where that was."""
        steps, told = _steps(address), []
        for at, step in enumerate(steps):
            place = self.place(_address(steps[:at]))
            mover = self.mover(place)
            told.append(
                {
                    "who": "chance" if mover is None else text(mover),
                    "move": text(self.moves(place)[step])[:LABEL],
                    "at": _address(steps[: at + 1]),
                }
            )
        return told

    def line(self, place: Place) -> int | None:
        """The line of the rules that asks for the move; None where that is not known."""
        position = place.position
        if not isinstance(position, ReplayPosition) or position.over:
            return None
        begin, since = position.begin
        walk = _LocatedWalk(
            position.game.seats, [*since, *place.chosen], begin, self._rules_file or ""
        )
        try:
            walk.result(position.game.rules)
        except Asked:
            return walk.line
        except InfosetError:
            return None
        return None

    @cached_property
    def _rules_file(self) -> str | None:
        if not isinstance(self.game, Game):
            return None
        return getattr(getattr(self.game.family.rules, "__code__", None), "co_filename", None)

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


class _LocatedWalk(Walk):
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

    def together(self, menus: Any) -> dict[str, Any]:
        """See :meth:`Walk.together`; some of the moves may be given."""
        if self._at < len(self._moves) < self._at + len(menus):
            raise self._ask({}, None)
        return super().together(menus)


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


def _steps(address: str) -> list[int]:
    parts = address.split(".") if address else []
    if len(parts) > LONGEST or not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise ParameterError(f"{address!r:.80} is no address of a node, such as 0.3.1")
    return [int(part) for part in parts]


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
