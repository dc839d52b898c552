"""The table as a person in a browser has it: by mouse, by keyboard, for two, and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.hostile_games import LABELS
from tests.page.conftest import on_a_desktop

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

Serve = Callable[..., str]


def is_accessible(page: Any) -> None:
    """No serious violations."""
    found = Axe().run(page).response["violations"]
    serious = [one for one in found if one["impact"] in ("serious", "critical")]
    said = [(one["id"], [node["html"] for node in one["nodes"]][:4]) for one in serious]
    assert not said, said


def fits(page: Any) -> bool:
    """Is nothing wider than the window?"""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def play_on(page: Any, choose: Callable[[], None]) -> None:
    """Choose whenever it is the seat's turn, until the game is over."""
    ready = page.locator(".turn.yours, .ending").first
    while True:
        ready.wait_for()
        if page.locator(".ending").count():
            return
        known = page.locator(".events li").count()
        choose()
        page.wait_for_function(
            "known => document.querySelectorAll('.events li').length !== known"
            " || document.querySelector('.ending')",
            arg=known,
        )


def sit_down(page: Any, address: str) -> None:
    """Open a table, and deal anew, since it may have been played at before."""
    page.goto(address)
    page.locator(".turn.yours, .ending").first.wait_for()
    deal = page.get_by_role("button", name="New deal")
    if page.locator(".ending, .event.by-own").count() and deal.count():
        deal.click()
        page.locator(".ending, .event.by-own").first.wait_for(state="detached")
    page.locator(".turn.yours").wait_for()


def test_a_game_is_played_with_the_keyboard_and_reviewed(page: Any, serve: Serve) -> None:
    sit_down(page, serve("play", "kuhn", "--web", "--as", "dealer", "--seed", "3"))
    assert page.locator(".held .pcard").count() == 1
    is_accessible(page)
    play_on(page, lambda: page.keyboard.press("2"))
    page.locator(".decision").first.wait_for()
    assert "you: bet" in page.locator(".decision-head").first.inner_text().replace("\n", " ")
    assert page.locator(".moves li").first.inner_text().startswith("chance")
    assert page.locator(".moves .pcard").count() == 2
    assert fits(page)
    is_accessible(page)
    page.get_by_role("button", name="New deal").click()
    page.locator(".turn.yours").wait_for()
    assert page.locator(".ending").count() == 0


def test_a_board_is_played_by_clicks_and_arrows(page: Any, serve: Serve) -> None:
    game = ("blind_tic_tac_toe", "width=3", "height=3")
    sit_down(page, serve("play", *game, "--web", "--against", "random"))
    assert page.locator(".square.free").count() == 9
    assert page.locator(".option").count() == 0
    page.locator(".square.free").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.square") == "b3"
    page.keyboard.press("Enter")
    page.locator("[data-square='b3'].by-own").wait_for()
    is_accessible(page)
    play_on(page, lambda: page.locator(".square.free").last.click())
    assert fits(page)


@on_a_desktop
def test_a_spot_of_holdem_is_played(page: Any, serve: Serve) -> None:
    spot = ("holdem", "bets=1", "raises=1", "one=AA 65s", "two=KQs 88", "board=Ks 7d 2c 9h 3s")
    sit_down(page, serve("play", *spot, "--web", "--against", "random", "--seed", "1"))
    assert page.locator(".held .pcard").count() >= 2
    play_on(page, lambda: page.locator(".option").first.click())
    page.locator(".decision, .review").first.wait_for()
    assert fits(page)
    is_accessible(page)


@on_a_desktop
def test_ships_are_placed_square_by_square(page: Any, serve: Serve) -> None:
    game = ("battleships", "width=4", "height=4", "ships=3")
    sit_down(page, serve("play", *game, "--web", "--against", "random"))
    page.locator("[data-square='a1'].free").click()
    page.locator("[data-square='a1'].picked").wait_for()
    page.locator("[data-square='a2'].free").click()
    page.locator(".board").last.locator("[data-square='a3'].by-own").wait_for()
    page.locator(".board").nth(0).locator("[data-square='d4'].free").click()
    page.locator(".board").nth(0).locator("[data-square='d4'].noted, .ending").first.wait_for()
    assert fits(page)
    is_accessible(page)


@on_a_desktop
def test_two_people_play_each_other(page: Any, serve: Serve) -> None:
    page.goto(serve("play", "leduc", "--web", "--against", "human"))
    page.get_by_role("button", name="Another table").click()
    page.get_by_label("two", exact=True).select_option("human")
    first = page.url
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(lambda address: address != first)
    link = page.get_by_label("Link for two").input_value()
    is_accessible(page)
    other = page.context.new_page()
    other.goto(link)
    other.get_by_text("Waiting for the others").wait_for()
    page.locator(".invite").wait_for(state="detached")
    for _ in range(4):
        for one in (page, other):
            one.locator(".turn.yours").wait_for()
            one.get_by_role("button", name="call").click()
            one.locator(".turn.yours").wait_for(state="detached")
        if (
            page.locator(".ending").or_(page.locator(".turn.yours")).first.inner_text()
            != "Your turn"
        ):
            break
    other.locator(".ending").wait_for()
    page.locator(".ending").wait_for()
    assert page.locator(".moves").inner_text() == other.locator(".moves").inner_text()


@on_a_desktop
def test_a_coach_advises(page: Any, serve: Serve) -> None:
    sit_down(page, serve("play", "kuhn", "--web", "--coach", "--seed", "1"))
    page.get_by_role("button", name="What would an equilibrium do?").click()
    page.locator(".advice tbody tr").nth(1).wait_for()
    is_accessible(page)
    page.get_by_role("button", name="pass").click()
    page.locator(".event .cost").wait_for()


def test_a_table_is_made_on_the_page(page: Any, serve: Serve) -> None:
    address = serve("play", "kuhn", "--web", "--as", "none")
    page.goto(address)
    page.locator(".ending").wait_for()
    page.get_by_role("button", name="Another table").click()
    page.get_by_label("dealer", exact=True).select_option("random")
    page.get_by_label("gambler", exact=True).select_option("human")
    is_accessible(page)
    page.get_by_role("button", name="Start").click()
    page.locator(".turn.yours").wait_for()
    assert "random" in page.locator(".seats").inner_text()


def test_labels_stay_text(page: Any, serve: Serve, tmp_path: Path) -> None:
    rules = (
        f"from infoset import game\nLABELS = {list(LABELS.values())!r}\n"
        "@game(players=('<b>ann</b>', 'bob'))\ndef odd(g):\n"
        "    for label in LABELS:\n        g.reveal('<b>ann</b>', label)\n"
        "    g.choose('<b>ann</b>', LABELS)\n    return 0, 0\n"
    )
    (tmp_path / "odd.py").write_text(rules)
    page.goto(serve("play", f"{tmp_path / 'odd.py'}:odd", "--web", "--against", "random"))
    page.locator(".turn.yours").wait_for()
    assert page.locator(".events li").count() == len(LABELS)
    assert page.locator("#app b, #app script, #app img:not([src='icon.svg'])").count() == 0
    assert fits(page)
    page.locator(".option").first.click()
    page.locator(".ending").wait_for()
    assert fits(page)
