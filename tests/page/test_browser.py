"""The application in a real browser, as people use it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infoset.cli import run
from tests.hostile_games import LABELS
from tests.page.conftest import everywhere, on_a_desktop, shot

pytest.importorskip("playwright", reason="playwright is not installed")
pytest.importorskip("axe_playwright_python", reason="axe is not installed")

Serve = Callable[..., str]
SERIOUS = ("serious", "critical")
RULES = '''from infoset import game


@game(players=("one", "two"))
def coin(g, sides=2):
    """A guess at a side of a coin."""
    side = g.chance([f"side {number}" for number in range(sides)])
    guess = g.choose("one", [f"side {number}" for number in range(sides)])
    return g.win("one" if guess == side else "two")
'''
# The words of charts that do not fit into their picture.
CUT_OFF = """
    [...document.querySelectorAll("svg text")].filter((one) => {
        const [words, picture] = [one, one.ownerSVGElement].map((a) => a.getBoundingClientRect());
        return words.left < picture.left - 1 || words.right > picture.right + 1;
    }).map((one) => one.textContent)
"""


def solved(page: Any, words: str = "exact") -> None:
    """Wait until the line of the solution says so."""
    page.get_by_role("status").get_by_text(re.compile(words)).first.wait_for()


def accessible(page: Any) -> None:
    """Refuse what axe calls serious, and pages that have to be moved sideways."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    serious = [
        (one["id"], one["nodes"][0]["html"][:200]) for one in found if one["impact"] in SERIOUS
    ]
    assert serious == []
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0


def row(page: Any, words: str) -> Any:
    """A row of the tree."""
    return page.get_by_role("treeitem", name=re.compile(words)).first


def test_a_tree_is_expanded_and_a_node_is_chosen(page: Any, serve: Serve) -> None:
    page.goto(serve("view", "kuhn"))
    solved(page)
    assert "−1/18" in page.get_by_role("status").first.inner_text()
    deal = row(page, "J Q")
    bet = page.locator("[data-at='0.1']")
    bet.wait_for()  # small trees are expanded at once
    deal.locator(".move").first.click()
    page.keyboard.press("ArrowLeft")
    assert deal.get_attribute("aria-expanded") == "false"
    assert not bet.is_visible()
    page.keyboard.press("ArrowRight")
    bet.wait_for()
    assert deal.get_attribute("aria-expanded") == "true"
    for key in ("ArrowRight", "End", "Home", "ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    page.wait_for_url(re.compile("at=0.0"))
    details = page.get_by_role("region", name="Node")
    details.get_by_text("Q, pass").first.wait_for()
    assert "J, [pass]" in details.inner_text()
    accessible(page)


def test_deals_are_folded_as_in_drawings(page: Any, serve: Serve) -> None:
    """A row stands for all deals, and shows another one at a key or a click."""
    page.goto(serve("view", "kuhn") + "#at=0.1")
    solved(page)
    page.locator("[data-at='0.1'][aria-selected=true]").wait_for()
    assert page.get_by_role("treeitem").count() == 10  # as in folded drawings
    deal = page.locator("[aria-level='2']")
    assert deal.get_attribute("data-at") == "0"
    deal.locator(".dot.same").nth(1).wait_for()  # K Q, too, leads to the information set
    assert deal.locator(".dot").count() == 6
    page.get_by_role("button", name="Next outcome").click()
    page.wait_for_url(re.compile("at=1.1"))
    page.locator("[data-at='1.1'][aria-selected=true]").wait_for()
    assert page.get_by_role("treeitem").count() == 10
    page.locator("[data-at='1.1'] > .row").click()
    page.keyboard.press("PageUp")
    page.wait_for_url(re.compile("at=0.1"))
    page.get_by_role("button", name="Fold outcomes").click()
    page.locator("[aria-level='2']").nth(5).wait_for()
    page.wait_for_url(re.compile("outcomes=all"))
    page.locator("[data-at='5'] .twisty").first.click()
    page.locator("[data-at='5.1'].same").wait_for()
    assert page.locator("[data-at='0.1'][aria-selected=true]").count() == 1
    accessible(page)


@on_a_desktop
def test_rows_that_come_after_the_solution_say_what_is_played(page: Any, serve: Serve) -> None:
    """The solution is there while nodes are asked for that the page has begun to ask for before."""
    nodes: list[Any] = []
    solutions: list[Any] = []
    page.route(re.compile(r"node\?at=0\.0$"), lambda route: nodes.append(route))
    page.route("**/api/solutions", lambda route: solutions.append(route))
    with page.expect_request(re.compile(r"node\?at=0\.0$")):
        page.goto(serve("view", "kuhn"))
    solutions.pop().continue_()
    solved(page)
    nodes.pop().continue_()
    page.locator("[data-at='0.0.1'] > .row .likely-words").wait_for(timeout=5000)


@on_a_desktop
def test_a_link_opens_the_same_node(page: Any, serve: Serve) -> None:
    page.goto(serve("view", "kuhn") + "#at=1.1")
    solved(page)
    details = page.get_by_role("region", name="Node")
    details.get_by_text("K, bet").first.wait_for()
    assert "dealer" in details.inner_text()
    page.go_back()


@everywhere
def test_every_part_is_accessible(page: Any, serve: Serve, request: Any) -> None:
    page.goto(serve("view", "kuhn") + "#at=0")
    solved(page)
    for tab in ("Tree", "Strategies", "What if", "Rules", "Export"):
        page.get_by_role("tab", name=tab).click()
        page.get_by_role("tabpanel", name=tab).wait_for()
        accessible(page)
        shot(page, f"{request.node.name} {tab}")


def test_strategies_are_charts_and_a_table(page: Any, serve: Serve) -> None:
    page.goto(serve("view", "kuhn"))
    solved(page)
    page.get_by_role("tab", name="Strategies").click()
    panel = page.get_by_role("tabpanel", name="Strategies")
    panel.get_by_text("after [pass], bet").wait_for()
    assert panel.locator("svg").count() >= 2
    assert page.evaluate(CUT_OFF) == []
    panel.get_by_role("searchbox").fill("seven")
    panel.get_by_text("no information set of gambler has 'seven'").wait_for()
    panel.get_by_role("searchbox").fill("")
    panel.get_by_text("after [pass], bet").wait_for()
    assert page.get_by_text("has 'seven'").count() == 0
    panel.get_by_text("Table", exact=True).click()
    panel.get_by_role("table").wait_for()
    panel.get_by_role("searchbox").fill("K")
    panel.get_by_text("K, [pass], bet").first.wait_for()


def test_hands_of_two_cards_are_a_grid(page: Any, serve: Serve) -> None:
    spot = ("holdem", "bets=1", "raises=1", "one=22+ 65s", "two=KQs 88", "board=Ks 7d 2c 9h 3s")
    page.goto(serve("view", *spot) + "#tab=strategies")
    solved(page, "regret|exact")
    panel = page.get_by_role("tabpanel", name="Strategies")
    panel.get_by_role("gridcell").or_(panel.locator("td")).first.wait_for()
    assert panel.locator("table, [role=grid]").first.locator("tr, [role=row]").count() == 13
    accessible(page)


@on_a_desktop
def test_another_parameter(page: Any, serve: Serve) -> None:
    page.goto(serve("view", "kuhn"))
    solved(page)
    page.get_by_role("tab", name="What if").click()
    page.get_by_role("spinbutton", name="ranks").fill("4")
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("status").get_by_text("−1/24").first.wait_for()
    assert "ranks%3D4" in page.url
    page.go_back()
    page.get_by_role("status").get_by_text("−1/18").first.wait_for()


@on_a_desktop
def test_a_strategy_is_changed_and_replied_to(page: Any, serve: Serve) -> None:
    page.goto(serve("view", "kuhn") + "#at=0&tab=what-if")
    solved(page)
    page.get_by_role("button", name=re.compile("Lock gambler")).click()
    field = page.get_by_role("spinbutton", name="bet, percent")
    field.fill("100")
    field.blur()
    answer = page.get_by_role("region", name="Locked strategies")
    answer.get_by_text(re.compile("dealer")).last.wait_for()
    answer.locator(".answer").get_by_text("+2/9").first.wait_for()  # the best reply's gain
    page.wait_for_url(re.compile("lock=0%3A0%2C1"))
    page.reload()
    answer.locator(".answer").get_by_text("+2/9").first.wait_for()
    assert field.input_value() == "100"
    answer.get_by_role("button", name="Unlock all").click()
    page.wait_for_url(re.compile("tab=what-if$"))
    assert field.count() == 0


@on_a_desktop
def test_the_value_against_a_parameter(page: Any, serve: Serve) -> None:
    """The values of Kuhn's poker with 3, 4 and 5 cards; the address leads to the same plot."""
    page.goto(serve("view", "kuhn") + "#tab=what-if")
    solved(page)
    page.get_by_label("to", exact=True).fill("5")
    page.get_by_role("button", name="Solve each").click()
    values = page.get_by_role("region", name="Value against a parameter")
    values.locator("tbody tr").nth(2).wait_for()
    assert [cell.inner_text() for cell in values.locator("tbody td:nth-child(2)").all()] == [
        "−1/18", "−1/24", "−1/15",
    ]  # fmt: skip
    assert values.locator("svg circle").count() == 3
    page.wait_for_url(re.compile("vary=ranks%3A3..5"))
    other = page.context.new_page()
    other.goto(page.url)
    other.locator("[aria-labelledby='vary-heading'] tbody tr").nth(2).wait_for()


@on_a_desktop
def test_a_slider_solves_the_game_that_it_chooses(page: Any, serve: Serve) -> None:
    page.goto(serve("view", "kuhn") + "#tab=what-if")
    solved(page)
    page.get_by_role("slider", name="ranks, slider").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("status").get_by_text("−1/24").first.wait_for()
    assert "ranks%3D4" in page.url


@on_a_desktop
def test_one_of_several_equilibria(page: Any, serve: Serve) -> None:
    page.goto(serve("view", "matrix:2,1 0,0; 0,0 1,2") + "#method=enumerate&tab=what-if")
    solved(page, "3")
    methods = page.get_by_label("Solve by")
    assert methods.locator("option", has_text=re.compile("^lp – zero-sum")).is_disabled()
    assert methods.locator("option", has_text=re.compile("^lcp$")).is_enabled()
    page.get_by_role("button", name="Next equilibrium").click()
    page.wait_for_url(re.compile("equilibrium=2"))


@on_a_desktop
def test_rules_are_edited(page: Any, serve: Serve, tmp_path: Path) -> None:
    file = tmp_path / "coin.py"
    file.write_text(RULES)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(serve("view", str(file)))
    solved(page)
    row(page, "side 1").wait_for()
    file.write_text(RULES.replace("sides=2", "sides=3"))
    row(page, "side 2").wait_for()
    file.write_text(RULES.replace("return g.win", "retrun g.win"))
    page.get_by_role("alert").get_by_text(re.compile("line 9|:9")).first.wait_for()
    wrong = page.locator(".code-line.fails")  # the file as it is now
    wrong.get_by_text("retrun").wait_for()
    frame, line = page.locator(".code").bounding_box(), wrong.bounding_box()
    assert line["y"] + line["height"] <= frame["y"] + frame["height"]  # it is in sight
    file.write_text(RULES.replace('g.choose("one"', 'g.choose("ome"'))
    row(
        page, "side 0; .*the rules fail: .*no player 'ome'"
    ).wait_for()  # the rest of the tree is there
    page.get_by_role("alert").get_by_text(re.compile("line 9|:9")).first.wait_for(state="detached")
    row(page, "side 0").locator(".move").click()
    wrong.get_by_text('g.choose("ome"').wait_for()
    file.write_text(RULES)
    row(page, "side 1; .*end, one").wait_for()
    wrong.wait_for(state="detached")


@on_a_desktop
def test_a_page_works_from_disk(page: Any, tmp_path: Path) -> None:
    file = tmp_path / "kuhn.html"
    assert run(["view", "kuhn", "--out", str(file)]) == 0
    page.goto(file.as_uri())
    solved(page)
    page.get_by_role("button", name="Next outcome").click()
    row(page, "J K").wait_for()
    page.locator("[data-at='1.1'] > .row").click()
    page.get_by_role("region", name="Node").get_by_text("K, bet").first.wait_for()
    page.get_by_role("tab", name="Strategies").click()
    page.get_by_text("after [pass], bet").wait_for()
    accessible(page)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A game whose labels are markup."""
    rules = (
        f"from infoset import game\nLABELS = {list(LABELS.values())!r}\n"
        "@game(players=('<b>ann</b>', 'bob'))\ndef odd(g, words='<i>words</i>'):\n"
        "    '''<script>window.hurt = 1</script>'''\n"
        "    g.reveal('<b>ann</b>', g.chance(LABELS))\n"
        "    taken = g.choose('<b>ann</b>', LABELS)\n"
        "    return g.win('bob' if g.choose('bob', LABELS) == taken else '<b>ann</b>')\n"
    )
    file = tmp_path_factory.mktemp("odd") / "odd.py"
    file.write_text(rules)
    return f"{file}:odd"


def test_hostile_labels_stay_text_everywhere(page: Any, serve: Serve, odd: str) -> None:
    page.goto(serve("view", odd) + "#at=0.1&outcomes=all")
    solved(page)
    page.locator("[data-at='0.1'][aria-selected=true]").wait_for()
    assert page.get_by_role("treeitem").count() >= 2 * len(LABELS)
    for tab in ("Strategies", "What if", "Rules", "Tree"):
        page.get_by_role("tab", name=tab).click()
        page.get_by_role("tabpanel", name=tab).wait_for()
        if tab == "Strategies":
            page.locator(".chart").first.wait_for()
        assert (
            page.locator("#app b, #app i, #app script, #app img:not([src='icon.svg'])").count() == 0
        )
        assert page.evaluate("window.hurt") is None
    accessible(page)
