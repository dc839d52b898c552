"""What is done at a position, and strategies indexed by views: the same in every kind of result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from infoset import Position, Solution, games, sample, solve
from infoset.errors import InfosetError, ParameterError, StrategyError
from infoset.tree.positions import TreePosition
from tests.display.test_sampled import Engine


def decisions(position: Position) -> Iterator[Position]:
    """All positions at which somebody moves, one at a time."""
    if position.movers:
        yield position
    moves = [
        *(outcome for outcome, _ in position.chances()),
        *(option for mover in position.movers for option in position.options(mover)),
    ]
    for move in () if position.over else moves:
        yield from decisions(position.after(move))


def agrees(solution: Solution, start: Position, label_of: Any) -> None:
    for position in decisions(start):
        (mover,) = position.movers
        view = position.view(mover)
        expected = dict(solution.strategy[mover][label_of(position)])
        assert solution.at(position) == solution.at(position, mover) == expected
        assert solution.decide(position) == {mover: expected}
        assert dict(solution.strategy[mover][view]) == expected


KUHN = games.kuhn().tree()


def kuhn_label(position: Any) -> str:
    node = KUHN.root
    for move in position.moves:
        node = node.child(move)
    return node.infoset.label


@pytest.mark.parametrize(
    "solution",
    [
        solve(games.kuhn()),
        solve(games.kuhn().public()),
        sample(games.kuhn(), iterations=200),
        sample(games.kuhn(), iterations=200).on_tree(),
    ],
    ids=lambda one: type(one.evaluation).__name__,
)
def test_positions_of_rules(solution: Solution) -> None:
    agrees(solution, games.kuhn().position(), kuhn_label)


@pytest.mark.parametrize("solution", [solve(KUHN), sample(KUHN, iterations=200)], ids=repr)
def test_positions_of_a_tree(solution: Solution) -> None:
    agrees(solution, TreePosition(KUHN), lambda here: KUHN.labels[KUHN.infoset[here.node]])
    for infoset in KUHN.infosets_of("dealer"):
        own = solution.strategy["dealer"]
        assert dict(own[infoset]) == dict(own[infoset.label])


def test_positions_of_an_engine() -> None:
    found = sample(Engine(), iterations=50)
    for solution in (found, found.on_tree()):
        agrees(solution, Engine(), lambda here: f"sees {here.moves[0]}")


def test_options_that_tell_sets_apart() -> None:
    from infoset import Play, game

    @game(players=("ann",))
    def doors(g: Play) -> object:
        return (g.choose("ann", range(g.chance((2, 3)))),)

    for solution in (solve(doors()), sample(doors(), iterations=50)):
        for position in decisions(doors().position()):
            assert tuple(solution.at(position)) == position.options("ann")


def test_what_is_not_there() -> None:
    start = games.kuhn().position()
    for solution in (solve(games.kuhn()), sample(games.kuhn(), iterations=50)):
        with pytest.raises(InfosetError, match="chance moves"):
            solution.at(start)
        with pytest.raises(InfosetError, match="is over"):
            solution.at(start.after("Q K").after("bet").after("pass"))
        for nothing in (None, "Q", 3):
            with pytest.raises(ParameterError, match=r"is no position; game\.position"):
                solution.at(nothing)  # type: ignore[arg-type]
        with pytest.raises(InfosetError, match="dealer"):
            solution.at(start.after("Q K"), "dealer")
        with pytest.raises(InfosetError, match="'Z'"):
            solution.strategy["gambler"]["Z"]
        with pytest.raises(StrategyError) as refusal:
            solution.strategy["gambler"][("no", "such", "view")]
        assert "\n" not in str(refusal.value)
        assert "Z" not in solution.strategy["gambler"]
    with pytest.raises(StrategyError, match=r"give its label.*position\.view"):
        solve(games.kuhn()).strategy["gambler"][7]
