"""What games draw of a seat's view: nothing that it cannot know, and all that may be."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from infoset.games import LIBRARY, bidding_tic_tac_toe, bridge, n_game, p_game, scotland_yard
from infoset.games.p_game import known_moves, place, within
from infoset.games.scotland_yard import followed
from infoset.objects import Deck, Hand
from infoset.objects.card_table import table_seen

GAMES = [
    p_game(),
    p_game(branching=3, depth=3),
    n_game(),
    scotland_yard(width=4, height=3, detectives=3, rounds=4, shown=3, moves="rook"),
    scotland_yard(detectives=2, moves="knight", rounds=4),
    bidding_tic_tac_toe(width=2, height=2, chips=(3, 2)),
    LIBRARY["whist"](ranks=4, suits=2),
    bridge(ranks=4, suits=2),
]


def plays(game: Any, count: int = 12) -> Iterator[Any]:
    """All positions of some plays at random."""
    for seed in range(count):
        random, position = Random(seed), game.position()
        while not position.over:
            yield position
            menus = [position.options(one) for one in position.movers]
            if not menus:
                position = position.after(random.choice([one for one, _ in position.chances()]))
            else:
                taken = tuple(random.choice(menu) for menu in menus)
                position = position.after(taken if len(taken) > 1 else taken[0])


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_pictures_depend_on_views_alone_and_never_fail(game: Any) -> None:
    for position in plays(game, 4):
        for seat in game.seats.agents:
            view = position.view(seat)
            assert game.picture(view, seat) == game.picture(view, seat)


@pytest.mark.parametrize("game", GAMES[:3], ids=repr)
def test_what_is_left_is_among_what_may_be_left(game: Any) -> None:
    branching, depth = game.params["branching"], game.params["depth"]
    for position in plays(game):
        if not position.movers:
            continue
        kept = position.state if game.family is p_game else position.state.taken
        for player in game.players:
            moves = known_moves(position.view(player))
            assert all(known in (None, made) for known, made in zip(moves, kept, strict=True))
            assert place(kept, branching) in within(moves, branching, len(kept))
            rest = branching ** (depth - len(kept))
            unknown = branching ** moves.count(None)
            assert len(within(moves, branching, depth)) == rest * unknown


@pytest.mark.parametrize(
    "game",
    [
        scotland_yard(rounds=3, shown=2),
        scotland_yard(width=3, height=2, detectives=2, rounds=2, shown=0, moves="king"),
        scotland_yard(detectives=2, rounds=2, shown=0, moves="knight"),
    ],
    ids=repr,
)
def test_the_fugitive_may_be_wherever_it_is_in_some_play(game: Any) -> None:
    """All plays of the same view together are what the detectives know: counted over the tree."""
    names = ("width", "height", "detectives", "moves")
    places = [game.params[name] for name in names]
    found: dict[Any, set[str]] = {}
    waiting = [game.position()]
    while waiting:
        position = waiting.pop()
        if position.over:
            continue
        (mover,) = position.movers
        waiting += [position.after(move) for move in position.options(mover)]
        took = [what for word, what in position.view("fugitive") if word == "took"]
        alone = followed(position.view("fugitive"), "fugitive", *places)
        corner = "bc"[game.params["width"] - 2] + str(game.params["height"])
        assert alone.fugitives == {took[-1] if took else corner}
        if mover == "detectives":
            found.setdefault(position.view("detectives"), set()).add(took[-1])
            assert followed(position.view("detectives"), mover, *places).squares == alone.squares
    assert len(found) > 4
    for view, true in found.items():
        assert followed(view, "detectives", *places).fugitives == true


def test_chips_and_marks_are_those_of_the_table() -> None:
    game = bidding_tic_tac_toe(width=2, height=2, chips=(3, 2))
    for position in plays(game):
        if len(position.movers) < 2:
            continue
        table = position.state
        for seat in game.players:
            board, cross, nought = game.picture(position.view(seat), seat)
            assert [int(one.split()[1]) for one in (cross, nought)] == list(table.chips)
            assert ["advantage" in one for one in (cross, nought)].index(True) == table.holder
            for number, name in enumerate(game.players):
                drawn = {at for at, mark in board.squares.items() if mark.whose == name}
                assert drawn == table.marks[number]


def test_a_hand_loses_what_was_played_and_the_dummy_is_open() -> None:
    deck = Deck(4, 2)
    hand, dummy = Hand([deck["J♠"], deck["10♥"]]), Hand([deck["Q♠"], deck["K♥"]])
    view = (
        ("saw", hand),
        ("saw", ("west", deck["K♠"])),  # so that south declares
        ("saw", ("dummy", dummy)),
        ("offered", (deck["Q♠"],)),
        ("took", deck["Q♠"]),  # of the dummy
        ("saw", ("east", deck["10♠"])),
        ("saw", ("south", deck["J♠"])),  # the only card allowed
    )
    west, north, east, south = "west", "north", "east", "south"
    cards = (west, deck["K♠"], north, deck["Q♠"], east, deck["10♠"], south, deck["J♠"])
    assert table_seen(view, "south") == [
        ("on the table", *cards),
        ("dummy", deck["K♥"]),
        ("your hand", deck["10♥"]),
    ]
    calls = (("saw", hand), ("saw", ("north", "1NT")), ("took", "pass"))
    assert table_seen(calls, "east")[0] == ("calls", "north 1NT", "east pass")
