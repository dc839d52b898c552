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

from infoset.cli.app import call
from infoset.games import battleships, blind_tic_tac_toe, pursuit
from infoset.objects import Card, Hand, Roll
from infoset.page.facts import Event, boards, described, squares_of
from infoset.page.server import COOKIE, LOCAL, Pages
from tests.cli.test_command import refusal
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
    with TestClient(made.app(LOCAL), base_url=HOST) as asking:
        yield Room(made, asking)


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


def test_whoever_watches_sees_the_moves_at_the_end() -> None:
    with room("leduc") as there:
        (one,) = there.open("", "random", seed=4)
        state = one.until(lambda state: state["over"])
        assert (state["told"], state["options"], state["seat"]) == ([], None, None)
        assert [move["who"] for move in state["over"]["moves"]][:3] == ["chance", "one", "two"]
        assert one.post("move", option=0, version=1).status_code == 409


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
    with TestClient(made.app(LOCAL, "key"), base_url=HOST) as asking:
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
