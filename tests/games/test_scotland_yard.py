"""Scotland Yard: sizes by a walk of its own, exact values, and who sees what."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from infoset import solve
from infoset.errors import ParameterError
from infoset.games import scotland_yard
from infoset.rules import ReplayPosition
from infoset.tree.facts import perfect_information, recall, zero_sum

STEPS = {
    "wazir": [(0, 1), (1, 0), (0, -1), (-1, 0)],
    "king": [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y],
    "knight": [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)],
}
RIDES = {"rook": STEPS["wazir"], "queen": STEPS["king"]}


def near(at: Any, width: int, height: int, moves: str, blocked: tuple[Any, ...]) -> list[Any]:
    """Complex numbers; along a line until something is met."""
    found = []
    for x, y in STEPS.get(moves) or RIDES[moves]:
        to = at
        for _ in range(max(width, height) if moves in RIDES else 1):
            to += complex(x, y)
            if not (0 <= to.real < width and 0 <= to.imag < height) or to in blocked:
                break
            found.append(to)
    return found


def sizes(
    width: int, height: int, rounds: int, detectives: int, shown: int, moves: str
) -> tuple[int, tuple[int, int]]:
    """Nodes and information sets, from all histories."""
    seen: tuple[set[Any], set[Any]] = (set(), set())
    nodes = 0

    def walk(runs: Any, chase: tuple[Any, ...], turn: int, views: tuple[Any, Any]) -> None:
        nonlocal nodes
        done, who = divmod(turn, detectives + 1)
        if done == rounds:
            nodes += 1
            return
        one, two = views
        at = runs if who == 0 else chase[who - 1]
        blocked = chase if who == 0 else (*chase[: who - 1], *chase[who:])
        options = near(at, width, height, moves, blocked)
        if not options and who:
            walk(runs, chase, turn + 1, views)
            return
        nodes += 1
        if not options:
            return
        seen[min(who, 1)].add(views[min(who, 1)])
        for to in options:
            if who == 0:
                told = ("told", to) if shown and (done + 1) % shown == 0 else "hidden"
                walk(to, chase, turn + 1, ((*one, to), (*two, told)))
            elif to == runs:
                nodes += 1
            else:
                moved = (*chase[: who - 1], to, *chase[who:])
                walk(runs, moved, turn + 1, ((*one, (who, to)), (*two, (who, to))))

    corners = (0j, complex(width - 1, 0), complex(0, height - 1))[:detectives]
    walk(complex(width - 1, height - 1), corners, 0, ((), ()))
    return nodes, (len(seen[0]), len(seen[1]))


MEMBERS: list[tuple[dict[str, Any], Fraction | int]] = [
    ({}, 0),
    ({"shown": 0}, Fraction(1, 2)),
    ({"shown": 1}, -1),
    ({"rounds": 4}, 0),
    ({"width": 3, "height": 2, "moves": "rook", "rounds": 2}, 1),
    ({"width": 2, "moves": "king"}, -1),
    ({"moves": "knight"}, 1),
    ({"width": 4, "height": 2, "rounds": 3}, 0),
    ({"detectives": 2, "rounds": 2}, -1),
    ({"width": 2, "height": 2, "detectives": 3, "moves": "queen"}, -1),
]


@pytest.mark.parametrize(("params", "value"), MEMBERS, ids=str)
def test_sizes_and_values(params: dict[str, Any], value: Fraction | int) -> None:
    member = scotland_yard(**params)
    tree = member.tree()
    nodes, sets = sizes(**member.params)
    assert len(tree) == nodes
    assert tuple(np.bincount(tree.infoset_player, minlength=2)) == sets
    assert zero_sum(tree)
    assert all(recall(tree, player) for player in range(2))
    assert solve(tree).value == value


def played(member: Any, *moves: str) -> ReplayPosition:
    position = member.position()
    for move in moves:
        position = position.after(move)
    return position


def test_the_fugitive_is_seen_when_it_is_shown_only() -> None:
    hidden = [played(scotland_yard(), to).view("detectives") for to in ("b3", "c2")]
    assert hidden[0] == hidden[1]
    second = [played(scotland_yard(), "b3", "a2", to).view("detectives") for to in ("a3", "c3")]
    assert second[0] != second[1]
    assert ("saw", "seen on a3") in second[0]
    assert ("saw", "detective to a2") in played(scotland_yard(), "b3", "a2").view("fugitive")
    assert perfect_information(scotland_yard(shown=1).tree())


def test_a_catch_and_an_escape() -> None:
    caught = played(scotland_yard(), "b3", "a2", "a3", "a3")
    assert caught.payoffs == {"fugitive": -1, "detectives": 1}
    away = played(scotland_yard(rounds=2), "b3", "b1", "c3", "c1")
    assert away.payoffs == {"fugitive": 1, "detectives": -1}
    cornered = scotland_yard(width=2, height=2, detectives=3, moves="king")
    assert len(cornered.tree()) == 1


def test_two_detectives_say_which_of_them_moved_and_do_not_meet() -> None:
    position = played(scotland_yard(detectives=2), "b3", "b1")
    assert "b1" not in position.options("detectives")
    assert ("saw", "1 to b1") in position.view("fugitive")


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"width": 1}, "2 <= width <= 26"),
        ({"rounds": 0}, "rounds >= 1"),
        ({"detectives": 4}, "1 <= detectives <= 3"),
        ({"shown": -1}, "shown >= 0"),
        ({"moves": "pawn"}, "'wazir', 'king', 'knight', 'rook', 'queen'"),
    ],
)
def test_scotland_yard_minds_its_parameters(params: dict[str, Any], says: str) -> None:
    with pytest.raises(ParameterError, match="needs") as raised:
        scotland_yard(**params)
    assert says in str(raised.value)
