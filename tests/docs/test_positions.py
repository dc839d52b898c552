"""The positions that pages show, as each player sees them: `docs/pictures.py --positions`."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def load() -> Any:
    spec = importlib.util.spec_from_file_location("positions", DOCS / "positions.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKER = load()


@pytest.mark.parametrize("name", sorted(MAKER.POSITIONS))
def test_every_position_is_on_a_page_and_in_play(name: str) -> None:
    pages = [page.read_text("utf-8") for page in (DOCS / "textbook").glob("*.md")]
    assert sum(f"../pictures/positions/{name}.png" in page for page in pages) == 1
    picture = (DOCS / "pictures" / "positions" / f"{name}.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < 60_000
    position = MAKER.position_of(name)
    assert position.movers
    for seat in position.game.seats.agents:
        state = MAKER.state_of(position, seat)
        assert len(state["told"]) == len(
            [one for one in position.view(seat) if one[0] != "offered"]
        )
        assert state["boards"] or state["picture"]["values"]


SECRETS = {  # of a seat: what only the other knows there
    "kriegspiel": ("white", "black", "queen"),
    "blind_tic_tac_toe": ("cross", "c3", "c3"),
    "dark_hex": ("across", "c2", "c2"),
    "king_rook_king": ("black", "white", "rook"),
    "scotland_yard": ("detectives", '"F"', '"F"'),
}


@pytest.mark.parametrize("name", sorted(SECRETS))
def test_no_seat_is_shown_what_it_cannot_know(name: str) -> None:
    seat, *secret = SECRETS[name]
    position = MAKER.position_of(name)
    marks = MAKER.state_of(position, seat)["boards"][0]["squares"].items()
    assert not [one for one in marks if all(words in json.dumps(one) for words in secret)]


def test_south_and_east_see_no_hand_but_their_own_and_the_dummy() -> None:
    position = MAKER.position_of("bridge")
    for seat, card in (("south", "K♠"), ("east", "Q♣")):
        rows = [one["parts"] for one in MAKER.state_of(position, seat)["picture"]["values"]]
        assert [row[0]["text"] for row in rows] == ["on the table", "dummy", "your hand"]
        assert [any(one["text"] == card for one in row) for row in rows] == [False, False, True]
        assert [len(row) for row in rows] == [5, 13, 14]
