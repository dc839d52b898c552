"""The server of the application: what it answers, what it refuses, and that nothing is lost."""

from __future__ import annotations

import asyncio
import io
import json
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from infoset import InfosetError, solve
from infoset.games import absent_minded, goofspiel, kuhn, leduc, seltens_horse
from infoset.page.lanes import LANES, Lane, Lanes
from infoset.page.opened import OpenGame
from infoset.page.schema import schema
from infoset.page.server import serve
from infoset.page.trial import Trial
from infoset.page.worker import WarmProcess
from tests.hostile_games import LABELS, efg
from tests.page.clients import HOST, client, completed, finished, pages, solved, valid


def test_a_game_opens_without_being_built() -> None:
    with client("rhode_island") as asking:
        about = asking.get("/api/game").json()
        assert about["name"] == "rhode_island()"
        assert about["players"]
        assert about["problem"] is None
        start = asking.get("/api/node").json()
        assert (start["kind"], len(start["below"])) == ("chance", 60)
        assert start["count"] == 52 * 51
        later = asking.get("/api/node?first=60").json()
        assert later["below"][0]["at"] == "60"


@pytest.mark.parametrize("game", [kuhn(), leduc(suits=1), goofspiel()], ids=repr)
def test_addresses_lead_to_the_same_nodes_as_in_the_tree(game: Any) -> None:
    tree, opened = game.tree(), OpenGame(game)
    waiting = [("", 0)]
    while waiting:
        address, at = waiting.pop()
        assert opened.node_number(tree, address) == at
        node, shown = tree.nodes[at], opened.node(address)
        kinds = {"end": not node.children, "chance": node.player is None and bool(node.children)}
        assert [kind for kind, holds in kinds.items() if holds] == (
            [shown["kind"]] if shown["kind"] != "decision" else []
        )
        if shown["infoset"] is not None:
            assert shown["infoset"]["player"] == node.player
            assert node.infoset.label.startswith(shown["infoset"]["label"])
        waiting += [
            (one["at"], below.index)
            for one, below in zip(shown["below"], node.children, strict=True)
        ]


def test_ids_are_equal_where_the_mover_cannot_distinguish_nodes() -> None:
    opened = OpenGame(kuhn())
    ids: dict[str, set[str]] = {}
    for deal in range(6):
        shown = opened.node(f"{deal}")
        ids.setdefault(shown["infoset"]["label"], set()).add(shown["infoset"]["id"])
    assert sorted(ids) == ["J", "K", "Q"]
    assert [len(each) for each in ids.values()] == [1, 1, 1]


def test_a_solution_and_what_it_says() -> None:
    with client("kuhn") as asking:
        number = solved(asking)
        result = asking.get(f"/api/solutions/{number}").json()["result"]
        assert result["value"]["text"] == "-1/18"
        assert result["certificate"] == "exact"
        node = asking.get(f"/api/node?at=0&solution={number}").json()["solved"]
        assert [one["probability"]["text"] for one in node["actions"]] == ["2/3", "1/3"]
        assert [one["probability"]["text"] for one in node["beliefs"]] == ["1/2", "1/2"]
        panels = asking.get(f"/api/solutions/{number}/strategy?player=dealer").json()
        assert [one["title"] for one in panels["panels"]] == ["after pass", "after bet"]
        rows = asking.get(f"/api/solutions/{number}/strategy?as=rows&where=K").json()
        assert [one["label"] for one in rows["rows"]] == ["K", "K, [pass], bet"]
        tree = asking.get(f"/api/solutions/{number}/tree.svg")
        assert tree.text.startswith("<svg")
        assert "attachment" in tree.headers["content-disposition"]
        assert asking.get(f"/api/solutions/{number}/tree.png").content[:4] == b"\x89PNG"
        assert asking.get(f"/api/solutions/{number}/strategies.csv").text == solve(kuhn()).csv()
        page = asking.get(f"/api/solutions/{number}/page.html")
        assert "attachment" in page.headers["content-disposition"]
        assert '"text":"-1/18"' in page.text
        assert asking.get(f"/api/solutions/{number}/page.exe").status_code == 422


def test_a_locked_set_and_the_reply_to_it() -> None:
    """A gambler who never bluffs with a jack gives the dealer's best reply 1/18 more at most."""
    with client("kuhn") as asking:
        number = solved(asking)
        jack = asking.get(f"/api/node?at=0&solution={number}").json()["solved"]["number"]
        body = {"locks": {str(jack): [0, 1]}}
        told = asking.post(f"/api/solutions/{number}/locked", json=body).json()
        replies = {one["player"]: one for one in told["replies"]}
        assert replies["dealer"]["gain"]["value"] > 0
        assert {one["player"] for one in told["payoffs"]} == {"gambler", "dealer"}


def test_a_set_of_a_public_form_is_locked() -> None:
    """Both hearts and spades are that set, where suits are folded."""
    with client("leduc", solution=solve(leduc().public())) as asking:
        number = solved(asking)
        for deal in (0, 2):
            node = asking.get(f"/api/node?at={deal}&solution={number}").json()
            body = {"locks": {str(node["solved"]["number"]): [0, 1]}}
            told = asking.post(f"/api/solutions/{number}/locked", json=body)
            told = valid("POST /api/solutions/{number}/locked", told.json())
            assert told["sets"][0]["infoset"]["player"] == "one"
            assert {one["player"]: one["gain"]["value"] > 0 for one in told["replies"]}["two"]
        body = {"locks": {"100000": [0, 1]}}
        told = asking.post(f"/api/solutions/{number}/locked", json=body)
        assert (told.status_code, "no information set" in told.text) == (422, True)


def test_files_of_a_game_that_was_solved_on_its_public_form() -> None:
    solution = solve(leduc().public())
    with client("leduc", solution=solution) as asking:
        path = f"/api/solutions/{solved(asking)}"
        assert asking.get(f"{path}/strategies.csv").text == solution.csv()
        assert asking.get(f"{path}/strategies.svg").text.startswith("<?xml")
        assert "infoset-recorded" in asking.get(f"{path}/page.html").text
        refused = asking.get(f"{path}/tree.svg")
        assert (refused.status_code, "max_nodes" in refused.text) == (422, False)
        assert "without its tree" in refused.json()["error"]


def test_a_file_for_which_there_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.BytesIO):
        def write(self, _: Any) -> int:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("infoset.page.downloads.TemporaryFile", Full)
    with client("kuhn", solution=solve(kuhn())) as asking:
        refused = asking.get(f"/api/solutions/{solved(asking)}/strategies.csv")
        assert refused.status_code == 422
        assert "no room to write it: No space left" in refused.json()["error"]


def test_probabilities_are_told_where_values_are_not_defined() -> None:
    """An absent-minded player does not know whether it has moved before."""
    with client("absent_minded", solution=solve(absent_minded())) as asking:
        solved_at = asking.get(f"/api/node?at=0&solution={solved(asking)}").json()["solved"]
        assert sum(one["probability"]["value"] for one in solved_at["actions"]) == pytest.approx(1)
        assert {one["value"] for one in solved_at["actions"]} == {None}
        assert "not well defined" in solved_at["note"]


def test_labels_of_any_length_take_little_room(tmp_path: Path) -> None:
    (tmp_path / "long.py").write_text(
        "from infoset import game\nLONG = ('x' * 10**6, 'y' * 10**6)\n"
        "@game(players=('ann', 'bob'))\ndef long(g):\n"
        "    return g.win('ann' if g.choose('ann', LONG) == g.choose('bob', LONG) else 'bob')\n"
    )
    with client(tmp_path / "long.py") as asking:
        number = solved(asking)
        path = f"/api/solutions/{number}"
        for asked in (f"/api/node?solution={number}", f"{path}/strategy", f"{path}/page.html"):
            assert len(asking.get(asked).content) < 500_000, asked
        told = asking.post(f"{path}/locked", json={"locks": {"0": [1, 0]}})
        assert (told.status_code, len(told.content) < 20_000) == (200, True)


def test_methods_that_a_game_is_not_for_are_named() -> None:
    for of, lacking in ((kuhn(), {"backward"}), (seltens_horse(), {"backward", "lp", "enumerate"})):
        with client(of.family.name, solution=solve(of)) as asking:
            told = asking.get(f"/api/solutions/{solved(asking)}").json()["result"]["lacks"]
            assert lacking <= set(told)
            assert "qre" not in told
            for name, why in told.items():
                with pytest.raises(InfosetError, match=re.escape(why[:30])):
                    solve(of, name)


def test_one_of_several_equilibria() -> None:
    with client("matrix:2,1 0,0; 0,0 1,2") as asking:
        number = solved(asking, method="enumerate")
        result = asking.get(f"/api/solutions/{number}").json()["result"]
        assert result["equilibria"] == 3
        seen = set()
        for one in (1, 2, 3):
            path = f"/api/node?at=&solution={number}&equilibrium={one}"
            actions = asking.get(path).json()["solved"]["actions"]
            seen.add(tuple(each["probability"]["text"] for each in actions))
        assert seen == {("1", "0"), ("0", "1"), ("2/3", "1/3")}
        assert asking.get(f"/api/node?solution={number}&equilibrium=4").status_code == 422


def test_answers_are_as_the_schema_says(tmp_path: Path) -> None:
    told = schema()
    Draft202012Validator.check_schema(told)

    def check(asking: Any, path: str, request: str, method: str = "GET", body: Any = None) -> Any:
        answer = asking.request(method, path, json=body)
        assert answer.status_code == 200, answer.text
        return valid(f"{method} {request}", answer.json())

    file = tmp_path / "broken.py"
    file.write_text("from infoset import game\n1 / 0\n")
    games: list[tuple[str, ...]] = [
        ("kuhn",), ("goofspiel", "cards=3"), ("matrix:2,1 0,0; 0,0 1,2",), ("blair",), (str(file),),
    ]  # fmt: skip
    for name, *parameters in games:
        with client(name, *parameters) as asking:
            assert asking.get("/api/schema").json() == told
            check(asking, "/api/about", "/api/about")
            found = check(asking, "/api/game", "/api/game")
            if found["problem"]:
                continue
            body = {"set": parameters}
            number = check(asking, "/api/solutions", "/api/solutions", "POST", body)["solution"]
            finished(asking, number)
            path = f"/api/solutions/{number}"
            check(asking, path, "/api/solutions/{number}")
            for more in ("", "?as=rows"):
                check(asking, f"{path}/strategy{more}", "/api/solutions/{number}/strategy")
            locks = {"locks": {"0": [1] * len(_first_menu(asking, number))}}
            check(asking, f"{path}/locked", "/api/solutions/{number}/locked", "POST", locks)
            for at in ("", "0", "0.0"):
                check(asking, f"/api/node?at={at}", "/api/node")
                check(asking, f"/api/node?at={at}&solution={number}", "/api/node")
            check(asking, path, "/api/solutions/{number}", "DELETE")


def _first_menu(asking: Any, number: int) -> list[Any]:
    """The actions of the first information set."""
    rows = asking.get(f"/api/solutions/{number}/strategy?as=rows").json()["rows"]
    found: list[Any] = next(one for one in rows if one["number"] == 0)["actions"]
    return found


# ---------------------------------------------------------------------- jobs


def test_the_same_request_is_the_same_job_and_others_wait() -> None:
    with client("liars_dice", "sides=3") as asking:
        first = [asking.post("/api/solutions", json={"set": ["sides=3"]}).json() for _ in range(3)]
        assert {one["solution"] for one in first} == {first[0]["solution"]}
        others = [
            asking.post("/api/solutions", json={"set": [f"sides={sides}"], "method": "cfr+"}).json()
            for sides in (2, 4, 5)
        ]
        assert [one["before"] for one in others][-1] >= 2
        assert {one["state"] for one in others[1:]} == {"queued"}
        for one in others[1:]:
            told = asking.delete(f"/api/solutions/{one['solution']}").json()
            assert told["state"] == "stopped"
        assert finished(asking, first[0]["solution"])["state"] == "done"


def test_a_long_solution_is_stopped_with_what_it_has() -> None:
    with client("leduc") as asking:
        number = asking.post("/api/solutions", json={"method": "cfr+", "seconds": 60}).json()
        path = f"/api/solutions/{number['solution']}"
        until = time.monotonic() + 30
        while "iteration" not in asking.get(path).json()["said"]:
            assert time.monotonic() < until
            time.sleep(0.05)
        asking.delete(path)
        told = finished(asking, number["solution"], 20)
        assert told["state"] == "done"
        assert told["result"]["certificate"] != "exact"


def test_a_job_goes_on_for_those_who_still_wait() -> None:
    with client("leduc") as asking:
        body = {"method": "cfr+", "seconds": 30}
        numbers = {
            asking.post("/api/solutions", json={**body, "client": name}).json()["solution"]
            for name in ("one", "two")
        }
        (number,) = numbers
        left = asking.delete(f"/api/solutions/{number}?client=one").json()
        assert left["state"] in ("queued", "running")
        asking.delete(f"/api/solutions/{number}?client=two")
        assert finished(asking, number, 20)["state"] in ("done", "stopped")
        again = asking.post("/api/solutions", json=body).json()["solution"]
        assert again != number  # which has an answer that was cut short
        asking.delete(f"/api/solutions/{again}")


def test_what_nobody_waits_for_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infoset.page.jobs.ABANDONED", 0.2)
    with client("leduc") as asking:
        number = asking.post("/api/solutions", json={"method": "cfr+", "seconds": 300}).json()
        job = asking.jobs.job(number["solution"])  # asked about for the last time
        assert job.finished.wait(60)
        assert job.state in ("done", "failed", "stopped")


def test_too_many_requests_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infoset.page.jobs.MOST_WAITING", 2)
    with client("leduc") as asking:
        answers = [
            asking.post("/api/solutions", json={"method": "cfr+", "seconds": 30 + more})
            for more in range(5)
        ]
        refused = [one.json()["error"] for one in answers if one.status_code == 422]
        assert refused
        assert "waiting" in refused[0]


def test_a_client_has_its_part_of_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infoset.page.jobs.MOST_OF_A_CLIENT", 2)
    with client("leduc") as asking:

        def solve_for(name: str, seconds: int) -> Any:
            body = {"method": "cfr+", "seconds": seconds, "client": name}
            return asking.post("/api/solutions", json=body)

        running = solve_for("greedy", 100).json()["solution"]
        until = time.monotonic() + 30
        while asking.get(f"/api/solutions/{running}").json()["state"] == "queued":
            assert time.monotonic() < until
        answers = [solve_for("greedy", 200 + more) for more in range(4)]
        assert [one.status_code for one in answers] == [200, 200, 422, 422]
        assert "wait for them, or stop one" in answers[-1].json()["error"]
        assert solve_for("greedy", 201).status_code == 200  # which it has asked for before
        assert solve_for("modest", 300).json()["before"] == 3
        asking.delete(f"/api/solutions/{answers[0].json()['solution']}")
        assert solve_for("greedy", 400).status_code == 200


def test_ten_clients_are_told_how_many_come_before() -> None:
    with client("leduc") as asking:
        names = [f"client {number}" for number in range(10)]
        body = {"method": "cfr+", "seconds": 300}
        numbers = []
        for at, name in enumerate(names):
            asked = {**body, "seconds": 300 + at, "client": name}
            told = asking.post("/api/solutions", json=asked).json()
            assert told["before"] == at
            assert told["state"] == "queued" or at == 0
            numbers.append(told["solution"])

        def before() -> list[int]:
            told = [
                asking.get(f"/api/solutions/{number}?client={name}").json()
                for number, name in zip(numbers, names, strict=True)
            ]
            return [one["before"] for one in told if one["state"] in ("queued", "running")]

        assert before() == list(range(10))
        asking.delete(f"/api/solutions/{numbers[4]}?client=client 4")
        assert before() == list(range(9))  # those behind have come nearer
        until = time.monotonic() + 30
        first = f"/api/solutions/{numbers[0]}?client={names[0]}"
        while "iteration" not in asking.get(first).json()["said"]:
            assert time.monotonic() < until
            time.sleep(0.05)
        asking.delete(first)
        assert finished(asking, numbers[0], 20)["state"] == "done"
        assert before() == list(range(8))


def test_a_game_that_cannot_be_solved_says_why() -> None:
    with client("kuhn") as asking:
        number = asking.post("/api/solutions", json={"method": "backward"}).json()["solution"]
        told = finished(asking, number)
        assert told["state"] == "failed"
        assert "backward" in told["error"]


def test_a_stop_does_not_end_the_next_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infoset.page.worker.GRACE", 1.0)
    with client("leduc") as asking:
        first = asking.post("/api/solutions", json={"method": "cfr+", "seconds": 60}).json()
        until = time.monotonic() + 30
        while "iteration" not in asking.get(f"/api/solutions/{first['solution']}").json()["said"]:
            assert time.monotonic() < until
            time.sleep(0.05)
        asking.delete(f"/api/solutions/{first['solution']}")
        assert finished(asking, first["solution"], 20)["state"] == "done"
        body = {"method": "cfr", "seconds": 2, "set": ["ranks=4"]}
        second = asking.post("/api/solutions", json=body).json()["solution"]
        assert finished(asking, second, 30)["state"] == "done"


def test_options_that_no_other_process_knows(tmp_path: Path) -> None:
    file = tmp_path / "local.py"
    file.write_text(RULES.replace("range(sides)", "[type('Side', (str,), {})(k) for k in 'ab']"))
    with client(file) as asking:
        number = asking.post("/api/solutions", json={}).json()["solution"]
        told = finished(asking, number)
        assert told["state"] in ("done", "failed")
        assert "has ended" not in told["error"]
        again = asking.post("/api/solutions", json={"method": "lp"}).json()["solution"]
        assert "has ended" not in finished(asking, again)["error"]


# ---------------------------------------------------------------------- rules in a file

RULES = '''from infoset import game


@game(players=("one", "two"))
def coin(g, sides=2):
    """A guess."""
    side = g.chance(range(sides))
    return g.win("one" if g.choose("one", range(sides)) == side else "two")
'''


def test_a_file_is_opened_again_when_it_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "coin.py"
    file.write_text(RULES)
    with client(file) as asking:
        before = asking.get("/api/game").json()
        assert before["parameters"][0]["name"] == "sides"
        file.write_text(RULES.replace("range(sides)", "range(sides + 1)"))
        assert asking.get("/api/about").json()["revision"] == before["revision"] + 1
        assert asking.get("/api/node").json()["count"] == 3
        file.write_text(RULES.replace("return", "retrun"))
        broken = asking.get("/api/game").json()["problem"]
        assert broken["line"] == 8
        file.write_text(RULES)
        assert asking.get("/api/game").json()["problem"] is None


@pytest.mark.parametrize(
    "line",
    [
        "raise KeyboardInterrupt",
        "import sys; sys.exit(3)",
        "raise GeneratorExit",
        "g.pay('one', 10**400)",
        "raise ValueError('half \\ud800')",
        "raise ValueError('two\\nlines')",
    ],
)
def test_whatever_rules_do_is_one_line(line: str, tmp_path: Path) -> None:
    file = tmp_path / "coin.py"
    file.write_text(RULES.replace("    side = ", f"    {line}\n    side = "))
    with client(file) as asking:
        for at in ("", "0", "0.0"):
            answer = asking.get(f"/api/node?at={at}")
            assert answer.status_code in (200, 422)
            assert "\\n" not in answer.text
        assert asking.get("/api/about").status_code == 200


def test_a_file_that_computes_for_ever_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infoset.page.members.LOADING", 0.5)
    file = tmp_path / "coin.py"
    file.write_text(RULES)
    with client(file) as asking:
        file.write_text(f"while True:\n    pass\n{RULES}")
        problem = asking.get("/api/game").json()["problem"]
        assert "computing" in problem["message"]
        assert problem["line"] in (1, 2)
        began = time.monotonic()
        assert asking.get("/api/node").status_code == 422
        assert time.monotonic() - began < 0.4  # it is not read again
        file.write_text(RULES)
        assert asking.get("/api/game").json()["problem"] is None


def test_the_line_that_asks_is_named() -> None:
    with client("kuhn") as asking:
        rules = asking.get("/api/game").json()["rules"]
        line = asking.get("/api/node?at=0").json()["line"]
        assert 'g.choose("gambler"' in rules["lines"][line - rules["first"]]


# ---------------------------------------------------------------------- how much games may take

GREEDY = '''import os
from infoset import game


@game(players=("one", "two"))
def greedy(g, appetite=0):
    """What a parameter can do."""
    if appetite == 1:
        os._exit(3)
    if appetite == 2:
        held = bytearray(1 << 29)
    if appetite == 3:
        sum(range(10**12))
    if g.choose("one", ("stop", "go")) == "go":
        while appetite == 4:
            pass
    return g.win("one")
'''


@pytest.fixture
def greedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A game that is opened with little room, and little time."""
    monkeypatch.setattr("infoset.page.trial.ROOM", 1 << 28)
    monkeypatch.setattr("infoset.page.trial.SECONDS", 2.0)
    file = tmp_path / "greedy.py"
    file.write_text(GREEDY)
    with client(file, warm=True) as found:
        yield found


@pytest.mark.parametrize(
    ("appetite", "said"), [(1, "status 3"), (2, "0.2 GiB"), (3, "more than 2 s")]
)
def test_what_a_parameter_does_is_found_in_a_process_that_may_die(
    greedy: Any, appetite: int, said: str
) -> None:
    for path in ("game", "node", "tables"):
        answer = greedy.get(f"/api/{path}?set=appetite={appetite}").json()
        refused = answer["problem"]["message"] if path == "game" else answer["error"]
        assert "greedy.py" in refused
        assert f"appetite={appetite}" in refused
        assert said in refused
        assert "choose other parameters" in refused
        if appetite == 3:
            break  # which takes a while
    body = {"set": [f"appetite={appetite}"]}
    assert appetite == 3 or greedy.post("/api/solutions", json=body).status_code == 422
    assert greedy.get("/api/game?set=appetite=5").json()["problem"] is None
    assert greedy.get("/api/game").json()["problem"] is None


def test_a_trial_is_remembered_until_the_rules_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Any] = []
    ask = WarmProcess.ask

    def noted(self: Any, request: Any, *more: Any, **named: Any) -> Any:
        if isinstance(request, Trial):
            tried.append(request.parameters)
        return ask(self, request, *more, **named)

    monkeypatch.setattr(WarmProcess, "ask", noted)
    monkeypatch.setattr("infoset.page.members.KEPT", 2)
    file = tmp_path / "coin.py"
    file.write_text(RULES)
    with client(file, "sides=3", warm=True) as asking:
        for sides in (3, 4, 5, 6, 7, 4, 5, 4, 3):
            assert asking.get(f"/api/node?set=sides={sides}").json()["count"] == sides
        assert tried[1:] == [(f"sides={sides}",) for sides in (4, 5, 6, 7)]
        assert tried[0] == ("sides=3",)  # by which the process is made warm
        file.write_text(RULES + "\n# changed\n")
        assert asking.get("/api/node?set=sides=4").json()["count"] == 4
        assert tried[5:] == [("sides=4",)]


def test_a_trial_takes_a_moment() -> None:
    with client("oshi_zumo", warm=True) as asking:
        assert asking.get("/api/game?set=coins=9").status_code == 200  # the process is there
        took = []
        for coins in range(10, 20):
            began = time.perf_counter()
            assert asking.get(f"/api/game?set=coins={coins}").json()["problem"] is None
            took.append(time.perf_counter() - began)
        assert min(took) < 0.05


def test_a_node_without_an_end_does_not_hold_up_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LANES, "games", Lane(4, 2.5))
    file = tmp_path / "greedy.py"
    file.write_text(GREEDY.replace("appetite == 4", "appetite == 0"))
    with client(file) as asking, ThreadPoolExecutor(12) as threads:
        began = time.monotonic()
        slow = [threads.submit(asking.get, "/api/node?at=1") for _ in range(9)]
        time.sleep(0.3)
        for path in ("/api/about", "/api/schema", "/", "/api/solutions/1"):
            assert asking.get(path).status_code < 500
        assert time.monotonic() - began < 2.5  # all of them before the others
        told = asking.get("/api/node?at=0")
        assert told.status_code in (200, 422, 429)  # it may have waited as long as one may
        assert time.monotonic() - began < 10
        for one in slow:
            assert one.result().status_code in (422, 429)
            assert len(one.result().json()["error"].splitlines()) == 1
        assert any("2.5 s" in one.result().json()["error"] for one in slow)
        assert asking.get("/api/node?at=0").status_code == 200


def test_large_solutions_are_not_all_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infoset.page.jobs.MOST_HELD", 1, raising=False)
    with client("kuhn") as asking:
        numbers = [solved(asking, set=[f"ranks={ranks}"]) for ranks in (3, 4, 5)]
        told = [asking.get(f"/api/solutions/{number}").status_code for number in numbers]
        assert told == [422, 422, 200]
        assert asking.get(f"/api/solutions/{numbers[-1]}/strategy").status_code == 200


def test_what_cannot_be_broken_off_is_answered_and_keeps_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("infoset.page.lanes.GRACE", 0.1)
    monkeypatch.setitem(LANES, "games", Lane(1, 0.3))

    async def asked() -> None:
        lanes = Lanes()
        lanes.begin()
        with pytest.raises(InfosetError, match=r"more than 0.3 s"):
            await lanes.done("games", lambda: time.sleep(1.5))
        with pytest.raises(InfosetError, match="at work for others"):
            await lanes.done("games", lambda: None)
        await asyncio.sleep(1)
        assert await lanes.done("games", lambda: 7) == 7

    completed(asked())


def test_what_is_computed_is_broken_off_at_the_end() -> None:
    async def stopped() -> None:
        lanes = Lanes()
        lanes.begin()
        asyncio.get_running_loop().call_later(0.3, lanes.close)
        await lanes.done("games", endless)

    def endless() -> None:
        while True:
            pass

    began = time.monotonic()
    with pytest.raises(InfosetError, match="stopped"):
        completed(stopped())
    assert time.monotonic() - began < LANES["games"].seconds / 2


# ---------------------------------------------------------------------- who may ask, and how much


@pytest.mark.parametrize("host", ["\udcff", "a\0b", "x" * 300, "a..b", "192.0.2.7"])
def test_where_nothing_can_listen_is_said_in_one_line(host: str) -> None:
    made = pages("kuhn")
    with pytest.raises(InfosetError, match="can listen") as refused:
        serve(made, host=host)
    made.close()
    assert len(str(refused.value).splitlines()) == 1


def test_other_hosts_and_pages_are_refused() -> None:
    with client("kuhn") as asking:
        assert asking.get("/api/about", headers={"host": "evil.example:8000"}).status_code == 421
        assert (
            asking.get("/api/about", headers={"origin": "http://evil.example"}).status_code == 403
        )
        assert asking.get("/api/about", headers={"origin": HOST}).status_code == 200
        assert asking.get("/api/about", headers={"host": "localhost:8000"}).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_pages_load_from_here_without_saying_so_is_refused(site: str) -> None:
    """An image of another page is asked for without an origin."""
    with client("kuhn") as asking:
        headers = {"sec-fetch-site": site}
        assert asking.get("/api/game", headers=headers).status_code == 403
        assert asking.get("/", headers=headers).status_code == 200  # by a link


@pytest.mark.parametrize("number", ["1e100000000", "1e-100000000", "1e5000", "9" * 400, "1/3e999"])
def test_numbers_without_end_are_refused(number: str) -> None:
    with client("kuhn") as asking:
        told = asking.get(f"/api/game?set=ante={number}").json()["problem"]["message"]
        assert "digits" in told
        for path in ("/api/node?first=", "/api/node?solution="):
            assert asking.get(path + "0" * 12 + "9" * 4999).status_code == 422
        body = '{"seconds": ' + "9" * 400 + "}"
        assert asking.post("/api/solutions", content=body).status_code == 422
        assert asking.get("/api/game?set=self=1").json()["problem"]


def test_a_token_is_needed_where_there_is_one() -> None:
    with client("kuhn", token="secret") as asking:
        for path in ("/", "/api/about", "/api/about?token=guess"):
            assert asking.get(path).status_code == 401
        assert asking.get("/?token=secret").status_code == 200
        by_number = {"host": "192.0.2.7:8000"}  # as another machine calls this one
        assert asking.get("/api/about?token=secret", headers=by_number).status_code == 200
        by_name = {"host": "evil.example:8000"}
        assert asking.get("/api/about?token=secret", headers=by_name).status_code == 421
        assert asking.get("/api/about").status_code == 200  # by the cookie


def test_without_a_token_other_numbers_are_refused() -> None:
    with client("kuhn") as asking:
        for host in ("192.0.2.7:8000", "[2001:db8::1]:8000", "", "x:y:z", "127.0.0.1:"):
            assert asking.get("/api/about", headers={"host": host}).status_code == 421, host
        for host in ("[::1]:8000", "127.0.0.1", "LOCALHOST:1"):
            assert asking.get("/api/about", headers={"host": host}).status_code == 200, host


def test_no_path_reaches_the_file_system() -> None:
    with client("kuhn") as asking:
        for path in (
            "/../pyproject.toml", "/..%2f..%2fpyproject.toml", "//etc/passwd", "/%2e%2e/server.py",
            "/static/../server.py", "/server.py", "/main.js%00.html", "/.git/config",
        ):  # fmt: skip
            assert asking.get(path).status_code == 404, path


def test_pages_may_load_nothing_from_elsewhere() -> None:
    with client("kuhn") as asking:
        policy = asking.get("/").headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert asking.get("/api/about").headers["x-content-type-options"] == "nosniff"


def test_large_requests_are_refused() -> None:
    with client("kuhn") as asking:
        assert asking.get("/api/node?at=" + "0." * 20_000).status_code == 414
        body = json.dumps({"set": ["x" * 300_000]})
        assert asking.post("/api/solutions", content=body).status_code == 413
        chunks = (b" " * 10_000 for _ in range(40))
        assert asking.post("/api/solutions", content=chunks).status_code in (413, 422)
        deep = asking.post("/api/solutions", content="[" * 100_000)
        assert deep.status_code == 422


@pytest.mark.parametrize("label", LABELS.values(), ids=list(LABELS))
def test_hostile_labels_are_sent_as_text(label: str, tmp_path: Path) -> None:
    file = tmp_path / "hostile.efg"
    file.write_text(efg(label), "utf-8")
    with client(file) as asking:
        answer = asking.get("/api/node")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/json"
        assert len(answer.content) < 3_000_000


PATHS = st.sampled_from(
    ["/api/about", "/api/game", "/api/node", "/api/solutions", "/api/solutions/1",
     "/api/solutions/1/strategy", "/api/solutions/1/locked", "/api/solutions/1/tree.svg",
     "/api/solutions/x", "/api/tables", "/api/tables/T", "/api/tables/T/about",
     "/api/tables/T/options", "/api/tables/T/advice", "/api/tables/T/move", "/api/tables/T/undo",
     "/api/tables/T/again", "/api/tables/x/move", "/api", "/x"]
)  # fmt: skip
METHODS = st.sampled_from(["GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"])
WORDS = st.text(st.characters(codec="utf-8"), max_size=30) | st.sampled_from(
    ["1", "0.1", "-1", "ranks=3", "ranks=x", "1e9", "9" * 30, "human", "auto", "gambler", "token"]
)
QUERIES = st.dictionaries(
    st.sampled_from(
        ["set", "at", "first", "solution", "equilibrium", "player", "where", "as", "token",
         "client"]
    ),
    WORDS,
    max_size=4,
)  # fmt: skip
BODIES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["set", "method", "seconds", "locks", "0", "1", "x", "client", "seats", "gambler",
                 "seed", "coach", "token", "option", "version"]
            ),
            below,
            max_size=4,
        )
    ),
    max_leaves=8,
)  # fmt: skip
CONTENTS = st.binary(max_size=60) | BODIES.map(
    lambda body: json.dumps(body).encode("utf-8", "surrogatepass")
)
VALUES = st.text(st.characters(codec="latin-1", exclude_categories=["Cc"]), max_size=30)
HEADINGS = st.dictionaries(
    st.sampled_from(
        ["host", "origin", "content-length", "content-type", "cookie", "sec-fetch-site",
         "transfer-encoding", "accept", "range", "x"]
    ),
    VALUES
    | st.sampled_from(
        ["", "localhost", "[::1]:8000", "null", HOST, "http://", "-1", "1e9", "99999999999999999",
         "0", "text/html", "multipart/form-data", "chunked", "same-site", "a=b; c", "²", "bytes=0-"]
    ),
    max_size=3,
)  # fmt: skip


@pytest.fixture(scope="module")
def asking() -> Any:
    with client("kuhn", raise_server_exceptions=False) as found:
        solved(found)
        seats = {"gambler": "human", "dealer": "random"}
        made = found.post("/api/tables", json={"seats": seats, "coach": True}).json()
        found.known = made["table"], made["tokens"]["gambler"]
        yield found


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(METHODS, PATHS, QUERIES, BODIES | CONTENTS, HEADINGS | st.just({}), st.booleans())
def test_no_request_breaks_the_server(
    asking: Any,
    method: str,
    path: str,
    query: dict[str, str],
    body: Any,
    headings: dict[str, str],
    seated: bool,
) -> None:
    table, token = asking.known
    path = path.replace("/T", f"/{table}")
    if seated:  # who has the token comes further
        query = {**query, "token": token}
        body = {**body, "token": token} if isinstance(body, dict) else body
    if path == f"/api/tables/{table}":
        query["since"] = "0"  # so that nobody waits for news
    if isinstance(body, dict):
        body = {**body, "seconds": 1}  # so that no solution takes long
    content = body if isinstance(body, bytes) else json.dumps(body).encode("utf-8", "surrogatepass")
    answer = asking.request(
        method,
        path,
        params=query,
        content=content if method in ("POST", "PUT", "PATCH") else None,
        headers={name: value.encode("latin-1") for name, value in headings.items()},
    )
    assert answer.status_code < 500
    assert len(answer.text.splitlines()) <= 1 or path.endswith(".svg")
    if answer.status_code >= 400 and path.startswith("/api/") and answer.status_code != 405:
        if method == "HEAD":
            return
        said = answer.json()["error"]
        assert said
        assert "Traceback" not in said
