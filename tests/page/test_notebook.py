"""The application in a notebook: live by its kernel, and as a page that stays."""

from __future__ import annotations

import base64
import json
import pickle
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from infoset import game, solve
from infoset.games import kuhn
from infoset.page.kernel import Kernel, answer_page
from infoset.page.notebook import View
from infoset.page.saved import static_files, whole
from tests.page.clients import valid
from tests.page.conftest import on_a_desktop

NOTEBOOK = """
<!doctype html><meta charset="utf-8"><body data-jp-theme-light="false"><div id="cell"></div>
<script type="module">
%s
const listeners = [];
const about = %s;
const model = {
  get: (name) => about[name],
  on: (name, listener) => listeners.push(listener),
  off: () => {},
  async send(asked) {
    const [answer, content] = await window.toKernel(asked);
    const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
    for (const listener of listeners) listener(answer, [new DataView(bytes.buffer)]);
  },
};
render({ model, el: document.getElementById("cell") });
</script>
"""  # what anywidget does with the module, and notebooks with its messages


@pytest.fixture
def kernel() -> Iterator[Kernel]:
    solution = solve(kuhn())
    started = Kernel(solution.game, solution)
    yield started
    started.close()


def told(kernel: Kernel, how: str, path: str, **body: Any) -> Any:
    reply = kernel.ask(how, path, json.dumps(body)).result(60)
    return reply.status, reply.json


def test_a_kernel_answers_with_the_solution_that_is_known(kernel: Kernel) -> None:
    status, about = told(kernel, "GET", "/api/about")
    assert (status, about["asked"], about["start"]) == (200, "kuhn()", "view")
    valid("GET /api/about", about)
    wanted = {"set": [], "method": None, "seconds": 60, "client": "page"}
    _, job = told(kernel, "POST", "/api/solutions", **wanted)
    assert (job["state"], job["result"]["value"]["text"]) == ("done", "-1/18")
    _, node = told(kernel, "GET", f"/api/node?at=0&solution={job['solution']}")
    assert node["solved"]["set_reach"]["text"] == "1/3"
    reply = kernel.ask("GET", f"/api/solutions/{job['solution']}/strategies.csv").result(60)
    assert reply.media_type.startswith("text/csv")
    assert reply.content.startswith(b"player,")


def test_a_kernel_opens_other_members_of_the_family(kernel: Kernel) -> None:
    _, found = told(kernel, "GET", "/api/game?set=ranks%3D4")
    assert found["name"] == "kuhn(ranks=4)"
    _, wrong = told(kernel, "GET", "/api/game?set=rank%3D4")
    assert "no parameter 'rank'" in wrong["problem"]["message"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("PUT", "/api/about", 400),
        ("GET", "/main.js", 400),
        ("GET", "", 400),
        ("GET", "/api/nothing", 404),
        ("GET", "/api/node?at=\udcff", 422),
        ("GET", "/api/node?at=" + "1." * 20_000, 400),
        ("GET", "/api/solutions/77", 422),
    ],
)
def test_what_is_no_request_is_refused_in_one_line(
    kernel: Kernel, method: str, path: str, status: int
) -> None:
    reply = kernel.ask(method, path).result(60)
    assert reply.status == status
    assert "\n" not in reply.json["error"]


def test_messages_of_others_are_not_answered(kernel: Kernel) -> None:
    sent: list[Any] = []
    for asked in (None, "x", {}, {"number": 7}, {"event": "click"}):
        answer_page(kernel, asked, lambda *answer: sent.append(answer))
    assert kernel.ask("GET", "/api/about").result(60).status == 200
    assert sent == []


def test_a_solution_remembers_its_rules() -> None:
    @game(players=("ann", "bob"))
    def coins(g: Any, stake: int = 1) -> Any:
        first, second = g.choose("ann", ("h", "t")), g.choose("bob", ("h", "t"))
        return g.win("ann" if first == second else "bob", stake)

    assert solve(coins(stake=2)).game == coins(stake=2)
    tree = coins().tree()
    assert solve(tree).game is tree.game
    elsewhere = pickle.loads(pickle.dumps(tree))
    assert solve(elsewhere).game is elsewhere


def test_a_view_without_anywidget_is_the_page_that_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "infoset.page.widget", raising=False)
    bundle, _ = solve(kuhn()).view()._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/html"].startswith("<iframe sandbox=")


def test_a_view_with_anywidget_is_live() -> None:
    pytest.importorskip("anywidget")
    shown = solve(kuhn()).view(height=300)
    bundle, _ = shown._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/html"].startswith("<iframe sandbox=")
    assert (shown.widget.height, shown.widget.name) == (300, "kuhn()")
    assert "infosetInNotebook = true" in shown.widget.page
    shown.widget.close()


# ---------------------------------------------------------------------- in a browser


@on_a_desktop
def test_a_live_view(page: Any, kernel: Kernel, tmp_path: Path) -> None:
    def to_kernel(asked: Any) -> Any:
        answers: list[Any] = []
        answer_page(kernel, asked, lambda *answer: answers.append(answer))
        while not answers:
            page.wait_for_timeout(5)
        answer, (content,) = answers[0]
        return [answer, base64.b64encode(content).decode()]

    page.expose_function("toKernel", to_kernel)
    about = json.dumps(
        {"name": "kuhn", "height": 700, "page": whole("window.infosetInNotebook = true;")}
    )
    module = static_files()["notebook.js"].decode().replace("export default", "const exported =")
    file = tmp_path / "notebook.html"
    file.write_text(NOTEBOOK % (module, about.replace("</", "<\\/")))
    page.goto(file.as_uri())
    frame = page.frame_locator("iframe")
    frame.get_by_role("status").get_by_text("exact").first.wait_for()
    assert frame.locator("html").get_attribute("data-theme") == "dark"  # as the notebook
    frame.get_by_role("tab", name="What if").click()
    frame.get_by_label("ranks", exact=True).fill("4")
    frame.get_by_role("button", name="Apply").click()
    frame.get_by_role("status").get_by_text("181 nodes").or_(
        frame.get_by_role("status").get_by_text("−1/24")
    ).first.wait_for()


@on_a_desktop
def test_a_view_that_stays(page: Any, tmp_path: Path) -> None:
    file = tmp_path / "notebook.html"
    view = View(kuhn(), solve(kuhn()))
    file.write_text(f"<!doctype html><body>{view._repr_html_()}</body>")
    page.goto(file.as_uri())
    frame = page.frame_locator("iframe")
    frame.get_by_role("status").get_by_text("exact").first.wait_for()
    frame.get_by_role("treeitem", name=re.compile("J Q")).locator(".row").first.click()
    frame.get_by_role("tab", name="Strategies").click()
    frame.get_by_text("after [pass], bet").wait_for()
