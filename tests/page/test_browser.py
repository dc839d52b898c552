"""The application in a real browser, as people use it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from infoset import solve
from infoset.cli import run
from infoset.games import kuhn
from tests.page.conftest import on_a_desktop

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
    deal.click()
    page.keyboard.press("ArrowRight")
    row(page, "bet").wait_for()
    assert deal.get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("at=0"))
    details = page.get_by_role("region", name="Node")
    details.get_by_text("knows").first.wait_for()
    assert "J" in details.inner_text()
    assert page.locator("[role=treeitem].same").count() >= 1  # others of the information set
    accessible(page)


@on_a_desktop
def test_a_link_opens_the_same_node(page: Any, serve: Serve) -> None:
    page.goto(serve("view", "kuhn") + "#at=1.1")
    solved(page)
    details = page.get_by_role("region", name="Node")
    details.get_by_text("K, bet").first.wait_for()
    assert "dealer" in details.inner_text()
    page.go_back()


@pytest.mark.parametrize("tab", ["Strategies", "What if", "Rules", "Export"])
def test_every_part_is_accessible(page: Any, serve: Serve, tab: str) -> None:
    page.goto(serve("view", "kuhn") + "#at=0")
    solved(page)
    page.get_by_role("tab", name=tab).click()
    page.get_by_role("tabpanel", name=tab).wait_for()
    accessible(page)


def test_strategies_are_charts_and_a_table(page: Any, serve: Serve) -> None:
    page.goto(serve("view", "kuhn"))
    solved(page)
    page.get_by_role("tab", name="Strategies").click()
    panel = page.get_by_role("tabpanel", name="Strategies")
    panel.get_by_text("after [pass], bet").wait_for()
    assert panel.locator("svg").count() >= 2
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
    page.get_by_role("button", name=re.compile("Change gambler")).click()
    field = page.get_by_role("spinbutton", name="bet, percent")
    field.fill("100")
    field.blur()
    answer = page.get_by_role("region", name="Play otherwise")
    answer.get_by_text(re.compile("dealer")).last.wait_for()
    gain = answer.locator(".answer").get_by_text(re.compile(r"\d/\d"))
    gain.first.wait_for()  # what the best reply to it gains


@on_a_desktop
def test_one_of_several_equilibria(page: Any, serve: Serve) -> None:
    page.goto(serve("view", "matrix:2,1 0,0; 0,0 1,2") + "#method=enumerate&tab=what-if")
    solved(page, "3")
    page.get_by_role("button", name="Next equilibrium").click()
    page.wait_for_url(re.compile("equilibrium=2"))


@on_a_desktop
def test_rules_are_edited(page: Any, serve: Serve, tmp_path: Path) -> None:
    file = tmp_path / "coin.py"
    file.write_text(RULES)
    page.goto(serve("view", str(file)))
    solved(page)
    row(page, "side 1").wait_for()
    file.write_text(RULES.replace("sides=2", "sides=3"))
    row(page, "side 2").wait_for()
    file.write_text(RULES.replace("return g.win", "retrun g.win"))
    page.get_by_text(re.compile("line 9|:9")).first.wait_for()
    file.write_text(RULES)
    page.get_by_text(re.compile("line 9|:9")).first.wait_for(state="detached")
    row(page, "side 1").wait_for()


@on_a_desktop
def test_a_page_works_from_disk(page: Any, tmp_path: Path) -> None:
    file = tmp_path / "kuhn.html"
    assert run(["view", "kuhn", "--out", str(file)]) == 0
    page.goto(file.as_uri())
    solved(page)
    row(page, "J Q").click()
    page.keyboard.press("ArrowRight")
    row(page, "bet").wait_for()
    page.get_by_role("tab", name="Strategies").click()
    page.get_by_text("after [pass], bet").wait_for()
    accessible(page)


@on_a_desktop
def test_a_solution_in_a_notebook(page: Any, tmp_path: Path) -> None:
    shown = solve(kuhn()).view()
    file = tmp_path / "notebook.html"
    file.write_text(f"<!doctype html><body>{shown._repr_html_()}</body>")
    page.goto(file.as_uri())
    frame = page.frame_locator("iframe")
    frame.get_by_role("status").get_by_text("exact").first.wait_for()
    frame.get_by_role("treeitem", name=re.compile("J Q")).first.click()
    frame.get_by_role("tab", name="Strategies").click()
    frame.get_by_text("after [pass], bet").wait_for()
