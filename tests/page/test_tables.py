"""Games in the browser: played to the end, and nothing told to anyone that it must not know."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest

from infoset import save
from infoset.cli.app import call
from infoset.games import (
    battleships,
    blind_tic_tac_toe,
    dark_hex,
    goofspiel,
    kuhn,
    matching_pennies,
    pursuit,
    tic_tac_toe,
)
from infoset.objects import Card, Hand, Roll, hex_neighbours
from infoset.page.boards import boards, events_of, final_boards
from infoset.page.facts import Event, described, has_hexagons, squares_of
from infoset.page.pieces import Move, move_of
from infoset.page.server import COOKIE, LOCAL, Pages
from infoset.page.solved import Solutions
from infoset.play import RandomPlayer
from infoset.play.public import PublicMoves
from infoset.play.referee import Referee
from infoset.rules import Game, Play, game
from infoset.rules.position import ReplayPosition
from infoset.text import text
from tests.cli.test_command import refusal
from tests.page.board_games import cave, dark_chess
from tests.page.clients import HOST, TestClient, pages, valid
from tests.page.conftest import serving

SECRETS = """
from infoset import game

@game(players=("ann", "bob"))
def stones(g):
    '''Everyone has a stone; they choose at once, and then in turn.'''
    mine, yours = g.chance(("ZIRKON", "QUARTZ")), g.chance(("INDIGO", "VIOLET"))
    g.reveal("ann", mine)
    g.reveal("bob", yours)
    said = g.together({"ann": ("KESTREL", "HERON"), "bob": ("TURBOT", "HADDOCK")})
    g.reveal(g.players, "both have chosen")
    last = g.choose("ann", ("left", "right"))
    g.reveal("bob", last)
    g.choose("bob", ("left", "right"))
    return g.win("ann", 3 if said["ann"] == "HERON" else 1)

@game(players=("ann", "bob"))
def breaks(g):
    g.choose("ann", ("left", "right"))
    raise KeyError("no more")
"""
COINCIDENCES = """
from infoset import game

@game(players=("ann", "bob"))
def echoes(g):
    '''Everybody is told the same words, one by one; and what bob is told, ann may have taken.'''
    word = g.chance(("ZIRKON", "QUARTZ"))
    g.reveal("ann", word)
    g.reveal("bob", word)
    taken = g.choose("ann", ("ZIRKON", "QUARTZ"))
    g.reveal("bob", word)
    both = g.together({"ann": ("KESTREL", "HERON"), "bob": ("KESTREL", "HERON")})
    g.reveal("ann", "KESTREL")
    g.reveal("bob", "KESTREL")
    coin = g.chance(("INDIGO", "VIOLET"))
    last = g.choose("ann", ("TURBOT", "HADDOCK"))
    if coin == "INDIGO":
        g.reveal("bob", last)
    g.reveal(g.players, "all have chosen")
    said = g.choose("bob", ("left", "right"))
    g.reveal("ann", said)
    g.choose("ann", ("left", "right"))
    return 0, 0
"""
WORDS = ("ZIRKON", "QUARTZ", "KESTREL", "HERON", "INDIGO", "VIOLET", "TURBOT", "HADDOCK")
BOARD_GAMES = Path(__file__).parent / "board_games.py"
ANNS, BOBS = ("ZIRKON", "QUARTZ", "KESTREL", "HERON"), ("INDIGO", "VIOLET", "TURBOT", "HADDOCK")


class Sitting:
    """A client at one seat, which keeps all that it was ever sent."""

    def __init__(self, asking: TestClient, table: str, token: str | None) -> None:
        self.asking, self.table, self.token = asking, table, token
        self.heard: list[str] = []
        self.state: dict[str, Any] = {"version": 0}

    def send(self, method: str, path: str = "", **given: Any) -> Any:
        answer = self.asking.request(method, f"/api/tables/{self.table}{path}", **given)
        self.heard.append(f"{answer.headers!r} {answer.text}")
        if answer.status_code == 200:
            valid(f"{method} /api/tables/{{table}}{path}", answer.json())
        return answer

    def look(self, *, now: bool = False) -> dict[str, Any]:
        """What is known; unless it is asked for now, once there is news."""
        since = 0 if now else self.state["version"]
        answer = self.send("GET", params={"token": self.token, "since": since})
        assert answer.status_code == 200, answer.text
        if "unchanged" not in answer.json():
            self.state = answer.json()
        return self.state

    def until(self, holds: Callable[[dict[str, Any]], Any], seconds: float = 20) -> dict[str, Any]:
        """The first state of which something holds."""
        end = time.monotonic() + seconds
        while self.state["version"] == 0 or not holds(self.state):
            assert time.monotonic() < end, self.state
            self.look()
        return self.state

    def turn(self) -> dict[str, Any]:
        """Wait to be asked, or for the end."""
        return self.until(lambda state: state["options"] or state["over"])

    def ended(self) -> dict[str, Any]:
        """Wait for the end, and the review."""
        return self.until(
            lambda one: one["over"] and (one["review"] or {}).get("state") != "working"
        )

    def post(self, what: str, **body: Any) -> Any:
        return self.send("POST", f"/{what}", json={"token": self.token, **body})

    def move(self, option: str | int) -> None:
        """Choose an option by its text or its place."""
        if isinstance(option, str):
            option = [one["text"] for one in self.state["options"]].index(option)
        answer = self.post("move", option=option, version=self.state["version"])
        assert answer.status_code == 200, answer.text
        self.state["options"] = None

    def take_back(self) -> dict[str, Any]:
        answer = self.post("undo")
        assert answer.status_code == 200, answer.text
        self.state["options"] = None
        return self.turn()

    def told(self) -> list[str]:
        return [one["text"] for one in self.state["told"]]


class Room:
    """A server with tables."""

    def __init__(self, made: Pages, asking: TestClient) -> None:
        self.pages, self.asking = made, asking

    def open(self, people: str, others: str = "auto", **settings: Any) -> list[Sitting]:
        """A table with these people, apart by commas; somebody who watches, if there are none."""
        persons = people.split(",") if people else []
        chosen = list(self.pages.first)
        offered = self.asking.get("/api/tables", params={"set": chosen}).json()["seats"]
        seats = {seat: "human" if seat in persons else others for seat in offered}
        answer = self.asking.post("/api/tables", json={"set": chosen, "seats": seats, **settings})
        assert answer.status_code == 200, answer.text
        made = valid("POST /api/tables", answer.json())
        tokens = [made["tokens"][seat] for seat in persons] or [made["watch"]]
        return [Sitting(self.asking, made["table"], token) for token in tokens]


@contextmanager
def room(name: str | Path, *parameters: str) -> Iterator[Room]:
    """A server with tables for a game."""
    made = pages(str(name), *parameters)
    made.tables.wait = 0.3
    with TestClient(made.app(LOCAL, warm=False), base_url=HOST) as asking:
        yield Room(made, asking)


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks at the games of computers."""
    monkeypatch.setattr("infoset.page.table.PACE", 0)


@pytest.fixture
def stones(tmp_path: Path) -> str:
    (tmp_path / "secret.py").write_text(SECRETS)
    return f"{tmp_path / 'secret.py'}:stones"


def threads() -> int:
    return sum(one.name == "infoset-table" for one in threading.enumerate())


def gone(count: int = 0, seconds: float = 10) -> bool:
    """Do the threads of tables end?"""
    end = time.monotonic() + seconds
    while threads() > count and time.monotonic() < end:
        time.sleep(0.02)
    return threads() == count


# ---------------------------------------------------------------------- whole games


@pytest.mark.parametrize(
    ("name", "parameters", "seat", "against"),
    [
        ("kuhn", (), "dealer", "auto"),
        ("leduc", ("suits=1",), "one", "random"),
        ("blind_tic_tac_toe", (), "nought", "random"),
        ("goofspiel", ("cards=3",), "player 2", "random"),
        ("liars_dice", ("sides=2",), "one", "auto"),
        ("tricks", ("ranks=4", "suits=1", "copies=2"), "south", "random"),
    ],
)
def test_a_game_is_played_to_its_end(
    name: str, parameters: tuple[str, ...], seat: str, against: str
) -> None:
    with room(name, *parameters) as there:
        (one,) = there.open(seat, against, seed=5)
        taken = []
        while one.turn()["options"]:
            taken.append(one.state["options"][-1]["text"])
            one.move(-1 + len(one.state["options"]))
        state = one.ended()
        assert [fact["text"] for fact in state["told"] if fact["by"] == "own"] == taken
        made = [move["move"]["text"] for move in state["over"]["moves"] if move["who"] == seat]
        assert made == taken
        assert state["over"]["forfeit"] is None
        assert abs(sum(paid["amount"]["value"] for paid in state["over"]["payoffs"])) < 1e-9
        assert [len(state["review"]["moves"]), state["review"]["state"]] == [len(taken), "done"]


def test_moves_cost_what_the_terminal_says() -> None:
    """Kuhn 1950: to call with the lowest card costs the bet."""
    with room("kuhn") as there:
        for seed in range(30):
            (one,) = there.open("gambler", seed=seed)
            if one.turn()["told"][0]["text"] != "J":
                continue
            one.move("pass")
            if one.turn()["options"]:
                break
        one.move("bet")
        review = one.ended()["review"]
        assert [move["knew"] for move in review["moves"]] == ["J", "J, [pass], bet"]
        assert [move["cost"]["amount"]["text"] for move in review["moves"]] == ["0", "1"]
        assert review["moves"][1]["cost"]["best"] == ["pass"]
        chances = [row["probability"]["text"] for row in review["moves"][1]["cost"]["actions"]]
        assert chances == ["1", "0"]
        assert review["total"]["text"] == "1"
        assert review["exact"]


def test_a_coach_says_what_moves_cost_as_they_are_made() -> None:
    with room("kuhn") as there:
        (one,) = there.open("gambler", seed=1, coach=True)
        one.turn()
        one.until(lambda state: state["coach"]["state"] == "ready")
        said = one.send("GET", "/advice", params={"token": one.token}).json()
        assert [row["action"]["text"] for row in said["actions"]] == ["pass", "bet"]
        assert sum(row["probability"]["value"] for row in said["actions"]) == pytest.approx(1)
        one.move("pass")
        first = one.turn()["told"][1]
        assert (first["text"], first["by"], "amount" in first["cost"]) == ("pass", "own", True)
        (other,) = there.open("gambler", seed=1)
        other.turn()
        assert other.send("GET", "/advice", params={"token": other.token}).status_code == 409
        other.move("pass")
        assert "cost" not in other.turn()["told"][1]


def test_the_first_move_does_not_wait_for_the_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who needs the solution waits: the automatic player, the coach, the review."""
    solved, find = threading.Event(), Solutions.of

    def late(*asked: Any) -> Any:
        assert solved.wait(20)
        return find(*asked)

    monkeypatch.setattr(Solutions, "of", late)
    with room("kuhn") as there:
        (one,) = there.open("gambler", "auto", seed=1, coach=True)
        state = one.turn()
        assert (state["phase"], state["coach"]["state"]) == ("playing", "working")
        assert one.send("GET", "/advice", params={"token": one.token}).json()["actions"] == []
        one.move("pass")
        state = one.until(lambda state: state["phase"] == "preparing")
        assert ([event["by"] for event in state["told"]], state["options"]) == (
            ["told", "own"],
            None,
        )
        one.send("POST", "/again", json={"token": one.token})
        assert one.turn()["phase"] == "playing"
        one.move("pass")
        solved.set()
        state = one.turn()
        assert (state["phase"], state["coach"]["state"]) != ("preparing", "working")
        assert "amount" in next(one for one in state["told"] if one["by"] == "own")["cost"]


def test_a_game_that_is_too_large_is_played_without_costs() -> None:
    with room("blind_tic_tac_toe", "width=3", "height=3") as there:
        there.pages.tables.wait = 2
        (one,) = there.open("cross", "random", seed=1)
        while one.turn()["options"]:
            one.move(0)
        assert one.ended()["review"] == {
            "state": "none",
            "why": "it is too large to be solved",
            "moves": [],
        }


def test_rules_that_fail_end_the_game(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text(SECRETS)
    with room(f"{tmp_path / 'secret.py'}:breaks") as there:
        (one,) = there.open("ann", "random")
        one.turn()
        one.move("left")
        over = one.until(lambda state: state["over"])["over"]
        assert "no more" in over["failed"]


FAILING = """
from infoset import game

class Option:
    def __str__(self):
        raise RuntimeError("two\\nlines")

@game(players=("ann", "bob"))
def fails(g, way=0):
    first = g.choose("ann", (Option(), "right") if way == 1 else ("left", "right"))
    if way == 2:
        raise KeyboardInterrupt
    if way == 3:
        raise GeneratorExit("two\\nlines")
    g.choose("bob", ("left", "right"))
    return g.win("ann")
"""


def test_options_that_cannot_be_shown_are_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "failing.py").write_text(FAILING)
    with room(str(tmp_path / "failing.py"), "way=1") as there:
        (one,) = there.open("ann", "random")
        told = one.send("GET", params={"token": one.token, "since": 1})
        while told.status_code == 200:
            told = one.send("GET", params={"token": one.token, "since": told.json()["version"]})
        assert told.status_code == 422
        assert told.json()["error"] == "RuntimeError: two lines"


@pytest.mark.parametrize(("way", "said"), [(2, "KeyboardInterrupt"), (3, "two lines")])
@pytest.mark.parametrize("seat", ["ann", ""])
def test_a_game_ends_whatever_its_rules_raise(
    way: int, said: str, seat: str, tmp_path: Path
) -> None:
    (tmp_path / "failing.py").write_text(FAILING)
    with room(str(tmp_path / "failing.py"), f"way={way}") as there:
        (one,) = there.open(seat, "random")
        if seat:
            one.turn()
            one.move("left")
        assert one.until(lambda state: state["over"], 8)["over"] == {"failed": said}


# ---------------------------------------------------------------------- secrets


def test_nothing_hidden_is_sent_before_the_end(stones: str) -> None:
    with room(stones) as there:
        (ann,) = there.open("ann", "random", coach=True)
        while ann.turn()["options"]:
            ann.send("GET", "/advice", params={"token": ann.token})
            ann.move(0)
        *before, last = ann.heard
        assert len(before) > 4
        assert not any(word in answer for word in BOBS for answer in before)
        assert sum(word in last for word in BOBS) == 2  # what bob was told, and what he took


def test_two_people_know_only_what_they_are_told(stones: str) -> None:
    with room(stones) as there:
        ann, bob = there.open("ann,bob")
        with TestClient(there.asking.app, base_url=HOST) as another:
            bob.asking = another
            assert bob.look(now=True)["options"] is None
            assert ann.turn()["told"][0]["text"] in ANNS
            assert bob.look()["told"] == []  # he is told when he is asked
            ann.move("HERON")
            bob.turn()
            assert set(bob.told()) & {"INDIGO", "VIOLET"}
            assert ann.look(now=True)["options"] is None
            bob.move("TURBOT")
            ann.turn()
            assert "both have chosen" in ann.told()
            ann.move("right")
            assert bob.turn()["told"][-1]["text"] == "right"
            heard = "".join(ann.heard), "".join(bob.heard)
            assert not any(word in heard[0] for word in BOBS)
            assert not any(word in heard[1] for word in ANNS)
            bob.move("left")
            for one in (ann, bob):
                moves = [move["move"]["text"] for move in one.ended()["over"]["moves"]]
                assert set(moves) & set(ANNS)
                assert set(moves) & set(BOBS)


def test_tries_that_the_other_is_not_told_of_change_nothing_for_it() -> None:
    with room("blind_tic_tac_toe") as there:
        cross, nought = there.open("cross,nought")
        cross.turn()
        cross.move("c1")
        nought.turn()
        cross.look()
        before = cross.look(now=True)["version"]
        nought.move("c1")
        assert nought.turn()["told"][-1]["text"] == "taken"
        assert cross.look(now=True)["version"] == before
        assert "taken" not in "".join(cross.heard)


# ---------------------------------------------------------------------- who watches


def test_whoever_watches_sees_the_moves_at_the_end() -> None:
    with room("leduc") as there:
        (one,) = there.open("", "random", seed=4)
        state = one.until(lambda state: state["over"])
        assert (state["options"], state["seat"]) == (None, None)
        assert [move["who"] for move in state["over"]["moves"]][:3] == ["chance", "one", "two"]
        assert one.post("move", option=0, version=1).status_code == 409


def test_whoever_watches_sees_what_is_public_as_it_happens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("infoset.page.table.PACE", 0.4)
    with room("leduc") as there:
        (one,) = there.open("", "random", seed=4)
        seen = []
        while not one.look()["over"]:
            seen.append(one.state["told"])
            assert one.state["options"] is None
        deal, *moves = one.state["over"]["moves"]
        cards = [card["rank"] + card["suit"] for card in deal["move"]["cards"]]
        assert not any(card in answer for card in cards for answer in one.heard[:-1])
        public = [(event["who"] or "chance", event["text"]) for event in one.state["told"]]
        made = [(move["who"], move["move"]["text"]) for move in moves]
        assert public == made[: len(public)]
        assert len(public) >= len(made) - 1 >= 2
        lengths = [len(told) for told in seen]
        assert lengths == sorted(lengths)
        assert len(set(lengths)) > 2
        assert {event["by"] for event in one.state["told"]} == {"public"}


@pytest.mark.parametrize("seed", range(4))
def test_what_is_the_same_by_coincidence_is_not_public(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr("infoset.page.table.PACE", 0.4)
    (tmp_path / "echoes.py").write_text(COINCIDENCES)
    with room(f"{tmp_path / 'echoes.py'}:echoes") as there:
        (one,) = there.open("", "random", seed=seed)
        state = one.until(lambda state: state["over"])
        *before, last = one.heard
        assert any("all have chosen" in answer for answer in before)
        assert not any(word in answer for word in WORDS for answer in before)
        told = [(event["who"], event["text"]) for event in state["told"]]
        assert told[0] == ("", "all have chosen")
        assert [who for who, _ in told] == ["", "bob"]
        assert sum(word in last for word in WORDS) >= 3


def followed(of: Game, seed: int) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """What was public at the end of a random game, and the moves of players."""
    public, seats = PublicMoves(of), of.seats.agents
    found: list[tuple[str, str]] = []

    def watch(position: Any) -> None:
        assert isinstance(position, ReplayPosition)
        told = [(one.who, text(one.what)) for one in public.after(position)]
        assert told[: len(found)] == found
        if of.family is goofspiel:  # of those who bid at once, both or none
            assert sum(bool(who) for who, _ in told) % 2 == 0
        found[:] = told

    players = {seat: RandomPlayer() for seat in seats}
    played = Referee(of).play(players, seed=seed, watch=watch)
    return found, [(seat, text(move)) for seat, move in played.moves if seat is not None]


@pytest.mark.parametrize("seed", range(4))
def test_what_is_public_in_games_of_the_library(seed: int) -> None:
    found, moves = followed(kuhn(), seed)
    assert found == moves[:-1]  # nobody is told of the last move
    found, moves = followed(tic_tac_toe(), seed)
    assert found == moves[: len(found)]
    assert len(found) >= len(moves) - 1
    found, moves = followed(goofspiel(cards=4), seed)
    bids = [one for one in found if one[0]]
    assert bids
    assert sorted(bids) == sorted(moves[: len(bids)])
    for hidden in (blind_tic_tac_toe(), dark_hex(), cave(), matching_pennies()):
        assert followed(hidden, seed)[0] == []


def test_a_move_counts_as_announced_only_if_the_mover_knows_that_it_is() -> None:
    @game(players=("ann", "bob"))
    def wires(g: Play, tapped: bool) -> object:
        coin = g.chance(("heads", "tails"))
        if not tapped:
            g.reveal("ann", coin)
        said = g.choose("ann", ("left", "right"))
        if coin == "heads":
            g.reveal("bob", said)
        g.choose("bob", ("left", "right"))
        return 0, 0

    for seed in range(8):
        assert followed(wires(tapped=True), seed)[0] == []
    told = [followed(wires(tapped=False), seed) for seed in range(8)]
    assert {len(found) for found, _ in told} == {0, 1}
    assert all(found == moves[: len(found)] for found, moves in told)


def test_watchers_see_a_board_in_full_sight() -> None:
    with room("tic_tac_toe") as there:
        (one,) = there.open("", "random", seed=1)
        state = one.until(lambda state: state["over"])
        (board,) = state["boards"]
        assert board["squares"] == {
            move["move"]["text"]: {"by": "told", "note": "", "whose": move["who"]}
            for move in state["over"]["moves"]
        }
    public = [Event("a1", who="cross"), Event("b2", who="nought")]
    (board,) = boards(tic_tac_toe(), public)
    assert [mark["whose"] for mark in board["squares"].values()] == ["cross", "nought"]


def test_ships_are_not_put_together_for_who_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shots are public, but not at whom: each has a board."""
    monkeypatch.setattr("infoset.page.table.PACE", 0.1)
    with room("battleships") as there:
        (one,) = there.open("", "random", seed=1)
        while not one.look()["over"]:
            assert one.state["boards"] == []
        assert len(one.state["boards"]) == 2
        assert one.state["told"]


def test_a_game_without_rules_shows_nothing_before_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infoset.page.table.PACE", 0.1)
    save(kuhn().tree(), tmp_path / "kuhn.efg")
    with room(tmp_path / "kuhn.efg") as there:
        (one,) = there.open("", "random", seed=1)
        state = one.until(lambda state: state["over"])
        assert (state["told"], state["boards"]) == ([], [])
        assert len(state["over"]["moves"]) >= 3


def test_a_table_that_is_watched_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infoset.page.table.PACE", 100)
    with room("kuhn") as there:
        (one,) = there.open("", "random", seed=1)
        first = one.until(lambda state: state["told"])["version"]
        assert one.post("again").status_code == 200
        assert gone(1, seconds=3)
        assert one.until(lambda state: state["told"] and state["version"] > first)
    assert gone(seconds=3)


def test_people_do_not_wait_for_watchers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infoset.page.table.PACE", 100)
    with room("kuhn") as there:
        (one,) = there.open("gambler", "random", seed=1)
        while one.turn()["options"]:
            one.move(0)
        assert one.ended()["over"]


# ---------------------------------------------------------------------- who may do what


def test_only_tokens_open_a_table() -> None:
    with room("kuhn") as there:
        gambler, dealer = there.open("gambler,dealer")
        gambler.turn()
        for token in (None, "", "wrong", "ü", dealer.token[:-1], gambler.table):
            stranger = Sitting(there.asking, gambler.table, token)
            given = {} if token is None else {"token": token}
            assert stranger.send("GET", params=given).status_code == 403
            assert stranger.send("GET", "/options", params=given).status_code == 403
            assert stranger.send("GET", "/advice", params=given).status_code == 403
            for what in ("move", "undo", "again"):
                assert stranger.post(what, option=0, version=9).status_code == 403
            assert not any(one in "".join(stranger.heard) for one in ('"J"', '"Q"', '"K"'))
        assert Sitting(there.asking, "nowhere", gambler.token).send("GET").status_code == 404
        assert dealer.post("move", option=0, version=9).status_code == 409  # not its turn
        assert gambler.look(now=True)["options"]


def test_links_are_given_to_the_first_seat_only() -> None:
    with room("kuhn") as there:
        gambler, dealer = there.open("gambler,dealer")
        (link,) = [one["invite"] for one in gambler.look()["seats"] if "invite" in one]
        assert link == f"#table={dealer.table}&token={dealer.token}"
        assert gambler.token not in str(dealer.look())
        assert not any("invite" in one for one in gambler.look(now=True)["seats"])  # it is there


def test_a_server_with_a_token_lets_seats_in_with_both() -> None:
    made = pages("kuhn")
    with TestClient(made.app(LOCAL, "key", warm=False), base_url=HOST) as asking:
        table = made.tables.create((), {"gambler": "human", "dealer": "human"})
        path, token = f"/api/tables/{table.name}", table.places[0].token
        refused = asking.get(path, params={"token": token})
        assert (refused.status_code, "set-cookie" in refused.headers) == (401, False)
        assert asking.get("/?token=key").cookies[f"{COOKIE}-8000"] == "key"
        found = asking.get(path, params={"token": token})
        assert found.status_code == 200
        assert [one["invite"] for one in found.json()["seats"] if "invite" in one] == [
            f"?token=key{table.places[1].link}"
        ]


# ---------------------------------------------------------------------- moves


def test_a_move_is_taken_back_and_all_else_is_as_before() -> None:
    with room("goofspiel", "cards=5") as there:
        (one,) = there.open("player 1", "random", seed=2)
        start = one.turn()["told"]
        assert not one.state["undo"]
        assert one.post("undo").status_code == 409
        one.move("1")
        second = one.turn()["told"]
        one.move("2")
        third = one.turn()["told"]
        assert one.take_back()["told"] == second
        one.move("2")
        assert one.turn()["told"] == third  # the other bids as before
        one.take_back()
        assert one.take_back()["told"] == start
        one.move("5")
        assert one.turn()["told"][1:] == second[1:]
        assert one.told()[0] == "5"


def test_people_see_that_the_other_has_left_and_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infoset.page.table.GONE", 0.2)
    monkeypatch.setattr("infoset.page.tables.LOOK", 0.05)

    def away(state: dict[str, Any]) -> list[bool]:
        return [one["away"] for one in state["seats"] if not one["you"]]

    with room("kuhn") as there:
        there.pages.tables.wait = 0.5
        one, two = there.open("gambler,dealer")
        one.look()
        assert away(one.until(lambda state: True)) == [False]  # who was not there has not left
        two.look()
        one.until(lambda state: away(state) == [True])
        assert "away" not in next(each for each in one.state["seats"] if each["you"])
        two.look(now=True)
        one.until(lambda state: away(state) == [False])


def test_people_cannot_take_moves_back_from_each_other() -> None:
    with room("kuhn") as there:
        gambler, dealer = there.open("gambler,dealer")
        gambler.turn()
        gambler.move("pass")
        dealer.turn()
        dealer.move("bet")
        assert not gambler.turn()["undo"]
        assert gambler.post("undo").status_code == 409
        assert gambler.post("again").status_code == 409  # the other still plays
        assert dealer.post("again").status_code == 409
        gambler.move("pass")
        dealer.ended()
        assert dealer.post("again").status_code == 200
        assert gambler.until(lambda state: state["options"])["over"] is None


@pytest.mark.parametrize("option", [2, -1, "bet", None, 1.5, 10**30, [], True])
def test_what_is_no_option_is_refused(option: Any) -> None:
    with room("kuhn") as there:
        (one,) = there.open("gambler", "random")
        version = one.turn()["version"]
        assert one.post("move", option=option, version=version).status_code == 422
        assert one.post("move", option=0, version="x").status_code == 422
        assert one.post("move", option=0).status_code == 422
        assert one.look(now=True)["options"]


def test_a_move_is_made_once() -> None:
    with room("kuhn") as there:
        gambler, _ = there.open("gambler,dealer")
        version = gambler.turn()["version"]
        assert gambler.post("move", option=0, version=1).status_code == 409
        assert gambler.post("move", option=0, version=version).status_code == 200
        assert gambler.post("move", option=1, version=version).status_code == 409


def test_new_deals_differ_and_end_the_game_before() -> None:
    with room("kuhn", "ranks=13") as there:
        (one,) = there.open("gambler", "random")
        cards = set()
        for _ in range(8):
            cards.add(one.until(lambda state: state["options"])["told"][0]["text"])
            assert one.post("again").status_code == 200
            one.state["options"] = None
        assert len(cards) > 1
        assert gone(1)


def test_the_same_seed_deals_the_same() -> None:
    with room("leduc") as there:
        first, second = (there.open("one", "random", seed=9)[0] for _ in range(2))
        assert first.turn()["told"] == second.turn()["told"]
        first.move("call")
        assert first.turn()["told"][1:]


# ---------------------------------------------------------------------- tables


@pytest.mark.parametrize(
    "body",
    [
        {"seats": {"nobody": "human"}},
        {"seats": {"gambler": "solution:kuhn.sol"}},
        {"seats": {"gambler": "strategy:/etc/passwd"}},
        {"seats": {"gambler": "mine.py:Cautious"}},
        {"seats": {"gambler": "ismcts:iterations=100000000"}},
        {"seats": {"gambler": ["human"]}},
        {"seats": ["human"]},
        {"seats": {"gambler": "human", "dealer": "human"}, "seed": 3},
        {"seats": {"gambler": "human"}, "seed": "now"},
        {"seats": {}, "coach": "yes"},
        {"set": ["ranks=1"]},
    ],
)
def test_tables_that_are_refused(body: Any) -> None:
    with room("kuhn") as there:
        answer = there.asking.post("/api/tables", json=body)
        assert answer.status_code == 422
        assert len(there.pages.tables) == 0
    assert gone()


def test_players_of_the_command_line_may_sit_down() -> None:
    with room("kuhn") as there:
        there.pages.tables.trusted = ("ismcts:iterations=5",)
        (one,) = there.open("gambler", "ismcts:iterations=5")
        assert one.turn()["options"]


def test_tables_that_nobody_asks_about_are_closed() -> None:
    with room("kuhn") as there:
        there.pages.tables.idle = 0.2
        (one,) = there.open("gambler", "random")
        one.turn()
        assert gone()
        assert len(there.pages.tables) == 0
        assert one.send("GET").status_code == 404


def test_threads_end_with_the_server() -> None:
    with room("kuhn") as there:
        for _ in range(3):
            there.open("gambler", "random")[0].turn()
        assert threads() == 3
    assert gone()


def test_pages_that_were_closed_wait_for_nothing() -> None:
    """A seat may be asked about by eight at a time; whoever has left does not count."""
    with serving("play", "kuhn", "--web", "--against", "random") as address:
        server, _, place = address.partition("#")
        given = {name: values[0] for name, values in parse_qs(place).items()}
        path = f"/api/tables/{given['table']}?token={given['token']}"
        with httpx.Client(base_url=server, timeout=20) as asking:
            version = 0
            while not (state := asking.get(f"{path}&since={version}").json())["options"]:
                version = state["version"]
            for _ in range(12):
                with pytest.raises(httpx.ReadTimeout):
                    asking.get(f"{path}&since={state['version']}", timeout=0.05)
            assert asking.get(path).status_code == 200


def test_there_are_not_too_many_tables() -> None:
    with room("kuhn") as there:
        for _ in range(40):
            there.open("gambler", "random")
        body = {"seats": {"gambler": "human", "dealer": "random"}}
        there.pages.tables.wait = 100
        assert there.asking.post("/api/tables", json=body).status_code == 429
        there.pages.tables.wait = 0  # now the one that was left longest makes room
        assert there.asking.post("/api/tables", json=body).status_code == 200
        assert len(there.pages.tables) == 40
    assert gone()


def test_many_options_come_in_pages(tmp_path: Path) -> None:
    (tmp_path / "wide.py").write_text(
        "from infoset import game\n@game(players=('ann',))\ndef wide(g):\n"
        "    return g.choose('ann', range(1000))\n"
    )
    with room(f"{tmp_path / 'wide.py'}:wide") as there:
        (one,) = there.open("ann")
        state = one.turn()
        assert (len(state["options"]), state["count"]) == (400, 1000)
        more = one.send("GET", "/options", params={"token": one.token, "first": 800}).json()
        assert [option["text"] for option in more["options"]] == [str(n) for n in range(800, 1000)]
        assert one.post("move", option=999, version=state["version"]).status_code == 200
        assert one.ended()["over"]["payoffs"][0]["amount"]["text"] == "999"


# ---------------------------------------------------------------------- the command


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("kuhn --coach", "--coach is for --web"),
        ("kuhn --web --as nobody", "no seat 'nobody'"),
        ("kuhn --web --against randon", "did you mean 'random'"),
        ("kuhn --web --against solution:none.sol", "none.sol: no such file"),
        ("kuhn --web --as none --against human", "--as none"),
        ("kuhn --web --against human --seed 1", "leave out the seed"),
        ("holdem --web one=XX", "'XX' in a range"),
        ("kuhn --port 0", "--port is for --web"),
        ("kuhn --host 127.0.0.1 --no-browser", "--no-browser is for --web"),
        ("kuhn --web --as none --coach", "--coach"),
    ],
)
def test_what_the_command_refuses(
    capsys: pytest.CaptureFixture[str], typed: str, told: str
) -> None:
    assert told in refusal(capsys, "play", *typed.split())
    assert gone()


def test_the_command_opens_a_table_that_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[tuple[Pages, str]] = []

    def serve(made: Pages, *, host: str, port: int, ready: Callable[[str], None]) -> None:
        monkeypatch.setattr("webbrowser.open", lambda address: served.append((made, address)))
        ready(f"http://{host}:{port}/")

    monkeypatch.setattr("infoset.page.server.serve", serve)
    assert call(["play", "leduc", "--web", "--as", "two", "--against", "random"]) == 0
    ((made, address),) = served
    assert made.start == "table"
    given = parse_qs(address.partition("#")[2])
    table = made.tables.table(given["table"][0])
    assert table.place(given["token"][0]).seat == "two"
    assert table.opened.name == "leduc()"
    made.close()
    assert gone()


# ---------------------------------------------------------------------- how values look


def test_values_say_what_they_are() -> None:
    king, queen = Card(2, 0, "K", "♠"), Card(1, 1, "Q", "♥")
    kinds = {
        king: "card",
        Hand([king, queen]): "cards",
        (queen, king): "cards",
        "K♠": "card",
        "K♠ Q♥": "cards",
        "Kate ♥ Bob": "text",
        Roll((1, 3)): "dice",
        "b2": "square",
        "2x3": "text",
        ("b2", "b3"): "squares",
        ("north", king): "parts",
        7: "number",
        True: "text",
        (): "text",
    }
    for value, kind in kinds.items():
        assert described(value)["kind"] == kind, value
    assert described(4, dice=True)["kind"] == "dice"
    assert described("\x1b[2J")["text"] == r"\x1b[2J"
    assert len(described("x" * 10**6)["text"]) < 3000


def test_boards_show_what_the_seat_knows() -> None:
    sea = tuple(f"{column}{row}" for row in (1, 2) for column in "abc")
    met = [
        Event(("a1", "b1"), True, options=(("a1", "b1"), ("a2", "b2"))),
        Event(("shot at", "b1")),
        Event("c2", True, options=sea),
        Event("hit"),
        Event(("shot at", "c1")),
    ]
    other, own = boards(battleships(width=3, height=2, ships=(2,), shots=3), met, sea)
    assert other["squares"] == {"c2": {"by": "own", "note": "hit"}}
    assert own["squares"] == {
        "a1": {"by": "own", "note": ""},
        "b1": {"by": "own", "note": "shot at"},
        "c1": {"by": "told", "note": "shot at"},
    }
    assert (own["width"], own["height"]) == (3, 2)
    (strip,) = boards(blind_tic_tac_toe(), [], ("a1", "b1"))
    assert (strip["width"], strip["height"], strip["squares"]) == (5, 1, {})
    moved = [
        Event("b3", True, options=("b3", "c2")),
        Event("pursuer to a2"),
        Event("c3", True, options=("b3",)),
    ]
    (field,) = boards(pursuit(), [*moved, Event("pursuer to b2")], ("b3", "c2"))
    assert sorted(field["squares"]) == ["b2", "c3"]
    assert squares_of("c2 or d10, not x1y") == ["c2", "d10"]
    assert boards(pursuit(), [], ("left", "right")) == []


def test_boards_of_hexagons_are_found_in_the_rules() -> None:
    assert has_hexagons(dark_hex())
    assert not has_hexagons(dark_chess())
    assert not has_hexagons(blind_tic_tac_toe())
    (board,) = boards(dark_hex(width=4, height=3), [], ("a1", "b1"))
    assert (board["shape"], board["width"], board["height"]) == ("hex", 4, 3)

    @game(players=("ann",))
    def through_another(g: Play) -> object:
        return len(g.choose("ann", joined_cells()))

    assert has_hexagons(through_another())


def joined_cells() -> tuple[str, ...]:
    """Rules of a test call this, which uses the library's board."""
    return tuple(hex_neighbours(2, 2))


def test_pieces_and_moves_are_read() -> None:
    knight = {"kind": "piece", "piece": "knight", "square": "f3"}
    kinds: dict[Any, dict[str, str]] = {
        "white knight on f3": {**knight, "colour": "white"},
        "knight f3": {**knight, "colour": ""},
        ("knight", "f3"): {**knight, "colour": ""},
        ("black", "knight", "f3"): {**knight, "colour": "black"},
        "♞ f3": {**knight, "colour": "black"},
        "♘f3": {**knight, "colour": "white"},
        "e2e4": {"kind": "move", "from": "e2", "to": "e4", "becomes": ""},
        "e2xe4": {"kind": "move", "from": "e2", "to": "e4", "becomes": ""},
        "Ng1-f3+": {"kind": "move", "from": "g1", "to": "f3", "becomes": ""},
        "e7e8=Q": {"kind": "move", "from": "e7", "to": "e8", "becomes": "queen"},
        ("e7", "e8", "♞"): {"kind": "move", "from": "e7", "to": "e8", "becomes": "knight"},
        "Nf3": {"kind": "text"},
        "knight takes f3": {"kind": "text"},
        "e2e2": {"kind": "text"},
        "b1 c1": {"kind": "text"},
    }
    for value, kind in kinds.items():
        assert {"text": described(value)["text"], **kind} == described(value), value
    assert described(("e2", "e4"))["kind"] == "squares"
    assert described(("e2", "e4"), pairs=True)["kind"] == "move"
    several = described(("white king on e1", "black king on e8"))
    assert [one["kind"] for one in several["parts"]] == ["piece", "piece"]
    assert move_of("a10b11") == Move("a10", "b11")


def standing(board: dict[str, Any]) -> dict[str, str]:
    """What stands where, as words."""
    return {
        at: " ".join(mark["piece"].values()) if "piece" in mark else mark["note"]
        for at, mark in board["squares"].items()
    }


def test_pieces_stand_where_they_were_told_to_be_and_go_where_they_are_moved() -> None:
    listing = "white king on e1, white pawn on e7, black rook on d8"
    first = ("e1e2", "e7e8q", "e7d8n")
    met = [Event(listing), Event("e7d8n", True, options=first)]
    (board,) = boards(kuhn(), met)
    assert standing(board) == {"e1": "white king", "d8": "white knight"}
    assert (board["width"], board["height"], board["chequered"]) == (8, 8, True)
    (refused,) = boards(kuhn(), [*met, Event("no")], ("e7e8q", "e1e2"))
    assert standing(refused) == {"e1": "white king", "e7": "white pawn", "d8": "black rook"}
    (moved,) = boards(kuhn(), [*met, Event("check on e1")], ("e1d2",))
    assert moved["squares"]["e1"]["note"] == "check on"
    (again,) = boards(kuhn(), [*met, Event(("white king on e1", "white pawn on a2"))])
    assert standing(again) == {"e1": "white king", "a2": "white pawn"}
    (answered,) = boards(kuhn(), [Event(listing), Event("d8-d7")])
    assert standing(answered)["d7"] == "black rook"
    (small,) = boards(dark_chess(), [Event("white king on a1")], ("a1b1",))
    assert (small["width"], small["height"]) == (4, 4)


def test_pairs_of_squares_are_moves_where_pieces_stand_on_the_first() -> None:
    with room(f"{BOARD_GAMES}:dark_chess") as there:
        (one,) = there.open("black", "random", seed=3)
        asked = 0
        while one.turn()["options"]:
            asked += 1
            assert {option["kind"] for option in one.state["options"]} == {"move"}
            stands = standing(one.state["boards"][0])
            assert {stands[option["from"]] for option in one.state["options"]} == {"black king"}
            one.move(0)
        one.ended()
        assert asked


# ---------------------------------------------------------------------- a game's own picture


def test_a_picture_is_drawn_in_place_of_what_is_found() -> None:
    with room(f"{BOARD_GAMES}:cave", "width=3") as there:
        (one,) = there.open("ann", "random", seed=2)
        (board,) = one.turn()["boards"]
        assert (board["shape"], board["title"], board["width"]) == ("hex", "the cave", 3)
        knight = {"colour": "black", "piece": "knight"}
        drawn = {"by": "none", "note": "", "text": "♞", "whose": "", "piece": knight}
        assert board["squares"] == {"b2": drawn}
        assert [value["kind"] for value in one.state["picture"]["values"]] == ["card"]
        one.move("c1")
        board = one.turn()["boards"][0]
        assert board["squares"]["c1"] == {"by": "own", "note": "", "text": "1.", "whose": "ann"}
        one.move(0)
        mine, others = one.ended()["boards"]
        assert [mine["title"], others["title"]] == ["the cave", "bob: the cave"]
        assert "hidden" not in str(mine)
        dug = [move["move"]["text"] for move in one.state["over"]["moves"] if move["who"] == "bob"]
        hidden = [at for at, mark in others["squares"].items() if mark.get("hidden")]
        assert sorted(hidden) == sorted(dug)


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("raises", "KeyError: 'ann'"),
        ("loops", "it computed for more than 0.2 s"),
        ("returns", "dict"),
        ("off", "there is no square 'z9'"),
    ],
)
def test_a_picture_that_fails_is_one_line(
    monkeypatch: pytest.MonkeyPatch, broken: str, told: str
) -> None:
    monkeypatch.setattr("infoset.page.table.PICTURE_SECONDS", 0.2)
    with room(f"{BOARD_GAMES}:cave", f"broken={broken}") as there:
        (one,) = there.open("ann", "random", seed=2)
        failed = one.turn()["picture"]["failed"]
        assert told in failed
        assert "\n" not in failed
        assert len(failed) < 320
        one.move("b1")
        assert one.turn()["boards"][0]["squares"] == {"b1": {"by": "own", "note": ""}}
        one.move(0)
        assert len(one.ended()["boards"]) == 1


def test_pictures_have_limits(tmp_path: Path) -> None:
    (tmp_path / "large.py").write_text(
        "from infoset import game\nfrom infoset.objects import BoardPicture, Mark\n"
        "def drawn(view, player, kind):\n"
        "    return {'boards': [BoardPicture(1, 1)] * 7, 'values': [1] * 99,\n"
        "        'list': [[1]], 'nothing': None, 'empty': [],\n"
        "        'long': BoardPicture(1, 1, {'a1': Mark('x' * 10**6, 'y' * 10**6)},\n"
        "            title='z' * 10**6)}[kind]\n"
        "@game(players=('ann',), picture=drawn)\ndef large(g, kind='boards'):\n"
        "    return g.choose('ann', (1, 2))\n"
    )
    for kind in ("boards", "values", "list", "nothing", "empty"):
        with room(f"{tmp_path / 'large.py'}:large", f"kind={kind}") as there:
            (one,) = there.open("ann")
            assert one.turn()["picture"]["failed"], kind
    with room(f"{tmp_path / 'large.py'}:large", "kind=long") as there:
        (one,) = there.open("ann")
        assert one.turn()["picture"]["failed"] == ""
        assert len(one.heard[-1]) < 5000


def test_a_picture_is_given_the_view_of_the_seat(tmp_path: Path) -> None:
    (tmp_path / "views.py").write_text(
        "from infoset import game\n"
        "@game(players=('ann', 'bob'), picture=lambda view, player: [player, repr(view)])\n"
        "def views(g):\n"
        "    said = g.together({'ann': ('x', 'y'), 'bob': ('x', 'y')})\n"
        "    g.reveal('ann', 'now')\n"
        "    g.choose('ann', ('u', 'v'))\n"
        "    g.choose('bob', ('u', 'v'))\n"
        "    g.choose('ann', ('p', 'q'), knowing='only this')\n"
        "    return 0, 0\n"
    )
    with room(f"{tmp_path / 'views.py'}:views") as there:
        (one,) = there.open("ann", "random", seed=1)
        seen = []
        while one.turn()["options"]:
            seen.append(one.state["picture"]["values"])
            one.move(0)
        assert {values[0]["text"] for values in seen} == {"ann"}
        position = there.pages.tables.table(one.table).opened.game.position()
        views = []
        moves = iter([move["move"]["text"] for move in one.ended()["over"]["moves"]])
        while not position.over:
            if "ann" in position.movers:
                views.append(repr(position.view("ann")))
            made = tuple([next(moves) for _ in position.movers])
            position = position.after(made if len(made) > 1 else made[0])
        assert [values[1]["text"] for values in seen] == views
        assert one.state["picture"]["values"][1]["text"] == repr(position.view("ann"))


def test_a_picture_shows_nothing_hidden_before_the_end(tmp_path: Path) -> None:
    rules = SECRETS.replace(
        '@game(players=("ann", "bob"))\ndef stones',
        "from infoset.objects import BoardPicture\n"
        "@game(players=('ann', 'bob'), picture=lambda view, player:\n"
        "    [repr(view), player, BoardPicture(1, 1, {'a1': str(view[0][1])})])\n"
        "def stones",
    )
    assert rules != SECRETS
    (tmp_path / "drawn.py").write_text(rules)
    with room(f"{tmp_path / 'drawn.py'}:stones") as there:
        (ann,) = there.open("ann", "random")
        while ann.turn()["options"]:
            ann.move(0)
        *before, last = ann.heard
        assert any("ZIRKON" in answer or "QUARTZ" in answer for answer in before)
        assert not any(word in answer for word in BOBS for answer in before)
        assert any(word in last for word in BOBS)
        mine, others = ann.state["boards"]
        assert mine["squares"]["a1"]["text"] in ANNS
        assert others["squares"]["a1"]["text"] in BOBS
        assert others["squares"]["a1"]["hidden"]


# ---------------------------------------------------------------------- the end


def final(of: Game, moves: tuple[Any, ...], viewer: str | None) -> list[dict[str, Any]]:
    """The boards after some moves."""
    position = of.position()
    made: list[tuple[str | None, Any]] = []
    for move in moves:
        made.append((position.movers[0], move))
        position = position.after(move)
    views = {seat: events_of(position.view(seat)) for seat in of.seats.agents}
    return final_boards(of, views, made, viewer)


def test_the_end_shows_what_was_hidden() -> None:
    of, moves = blind_tic_tac_toe(width=3, height=3), ("a1", "b2", "b2", "b1", "c3")
    (board,) = final(of, moves, "nought")
    hidden = {"by": "told", "note": "", "whose": "cross", "hidden": True}
    mine = {"by": "own", "note": "", "whose": "nought"}
    assert board["squares"] == {"a1": hidden, "b1": hidden, "b2": mine, "c3": mine}
    (board,) = final(of, moves, "cross")
    assert board["squares"]["b2"] == {"by": "told", "note": "", "whose": "nought"}  # it was told
    assert board["squares"]["c3"]["hidden"]
    assert board["squares"]["a1"] == {"by": "own", "note": "", "whose": "cross"}
    (board,) = final(of, moves, None)
    assert len(board["squares"]) == 4
    assert "hidden" not in str(board)


@pytest.mark.parametrize("people", ["gambler", "dealer", ""])
def test_the_end_shows_whose_cards_were_dealt(people: str) -> None:
    with room("kuhn") as there:
        (one,) = there.open(people, "random")
        while one.turn()["options"]:
            assert "hands" not in "".join(one.heard)
            one.move(0)
        over = one.ended()["over"]
        dealt = [card["rank"] for card in over["moves"][0]["move"]["cards"]]
        assert [one["seat"] for one in over["hands"]] == ["gambler", "dealer"]
        assert [[card["rank"] for card in one["values"]] for one in over["hands"]] == [
            [rank] for rank in dealt
        ]


def test_the_end_tells_what_each_seat_knew(tmp_path: Path) -> None:
    """Not cards alone; in games of files, too, which have no rules."""
    save(kuhn().tree(), tmp_path / "kuhn.efg")
    for name in ("kuhn", str(tmp_path / "kuhn.efg")):
        with room(name) as there:
            (one,) = there.open("gambler", "random", seed=3)
            assert one.turn()["over"] is None
            one.move("bet")
            state = one.until(lambda state: state["over"])
            deal, answer = (state["over"]["moves"][at]["move"]["text"] for at in (0, -1))
            told = {each["seat"]: each["label"] for each in state["over"]["knew"]}
            card = deal.split()[1]
            assert told["dealer"] in (f"{card}, bet, [{answer}]", f"{card}, bet"), name


def test_the_end_shows_dice_that_were_thrown_in_secret() -> None:
    with room("liars_dice") as there:
        one, two = there.open("one,two")
        one.turn()
        one.move("1x1")
        two.turn()
        two.move("liar")
        over = one.until(lambda state: state["over"])["over"]
        rolls = [move["move"]["faces"] for move in over["moves"][:2]]
        assert [hand["values"][0]["faces"] for hand in over["hands"]] == rolls


def test_the_end_shows_where_ships_lay() -> None:
    of = battleships(width=3, height=2, ships=(2,), shots=1)
    moves = (("a1", "b1"), ("a1", "a2"), "a1", "c2")
    theirs, mine = final(of, moves, "first")
    assert [theirs["title"], mine["title"]] == ["the side of second", "your side"]
    assert theirs["squares"]["a1"] == {"by": "told", "note": "hit", "whose": "second"}
    assert theirs["squares"]["a2"]["hidden"]
    assert mine["squares"]["a1"] == {"by": "own", "note": "", "whose": "first"}
    assert mine["squares"]["c2"] == {"by": "told", "note": "miss"}


def test_the_end_shows_pieces_where_their_owners_had_them() -> None:
    moves = ("a1a2", ("d3", "c4"), "b3b4n")
    (board,) = final(dark_chess(), moves, "white")
    assert standing(board) == {"a2": "white king", "b4": "white knight", "c4": "black king"}
    assert board["squares"]["c4"]["hidden"]
    assert "hidden" not in board["squares"]["a2"]
    (board,) = final(dark_chess(), moves, "black")
    assert standing(board)["b4"] == "white knight"
    assert board["squares"]["a2"]["hidden"]


def test_the_final_board_is_sent_at_the_end_only() -> None:
    with room("dark_hex", "width=3", "height=3") as there:
        across, upwards = there.open("across,upwards")
        across.turn()
        across.move("a1")
        upwards.turn()
        for cell in ("c1", "c2"):
            upwards.move(cell)
            across.turn()
            across.move("b1" if cell == "c1" else "c1")
            if cell == "c2":
                assert across.turn()["boards"][0]["squares"]["c1"]["note"] == "taken"
                across.move("b2")
            upwards.turn()
        assert not any("hidden" in answer for answer in (*across.heard, *upwards.heard))
        assert set(upwards.state["boards"][0]["squares"]) == {"c1", "c2"}
        upwards.move("b3")  # c1, c2 and b3 are a chain
        marks = upwards.ended()["boards"][0]["squares"]
        assert {at for at, mark in marks.items() if mark.get("hidden")} == {"a1", "b1", "b2"}
        assert {at for at, mark in marks.items() if mark["by"] == "own"} == {"c1", "c2", "b3"}
