"""The pictures of the README: `make gallery` copies them into the documentation."""

from __future__ import annotations

from typing import Any

from tests.page.conftest import SHOTS, serving


def picture(page: Any, name: str) -> None:
    """Keep what is on a page, once nothing moves any more."""
    page.wait_for_timeout(300)
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / name)


def test_a_solved_game(browser: Any) -> None:
    with serving("view", "kuhn") as address:
        page = browser.new_page(viewport={"width": 1280, "height": 860}, color_scheme="light")
        page.goto(f"{address}#at=0.1")
        page.get_by_role("status").get_by_text("exact").wait_for()
        page.locator("[data-at='0.1'][aria-selected=true]").wait_for()
        page.locator(".dot.same").nth(1).wait_for()
        assert page.get_by_role("region", name="Node").get_by_text("Q, bet").first.is_visible()
        picture(page, "view.png")
        page.close()


def test_a_game_in_progress(browser: Any) -> None:
    """A spot of hold'em, all hands against all, with a jack that an equilibrium sometimes bets."""
    with serving("play", "holdem", "--web", "--coach", "--seed", "9") as address:
        page = browser.new_page(viewport={"width": 1280, "height": 650}, color_scheme="light")
        page.goto(address)
        page.locator(".turn.yours").wait_for(timeout=60_000)  # it is solved at first
        page.get_by_role("button", name="What would an equilibrium do?").click()
        page.locator(".advice tbody tr").nth(3).wait_for()
        assert page.locator(".held .pcard").count() == 2
        assert page.locator(".seats").inner_text().endswith("nearly an equilibrium")
        picture(page, "play.png")
        page.close()


def test_what_white_knows(browser: Any) -> None:
    """Kriegspiel: one's own men, and what the umpire has announced."""
    against = ("--as", "white", "--against", "random", "--seed", "3")
    with serving("play", "kriegspiel", "--web", *against) as address:
        page = browser.new_page(viewport={"width": 1280, "height": 740}, color_scheme="light")
        page.goto(address)
        for number, (start, end) in enumerate((("e2", "e4"), ("d1", "h5"), ("h5", "f7")), 1):
            page.locator(f"[data-square='{start}'].free").click()
            page.locator(f"[data-square='{end}'].free").click()
            page.locator(".event", has_text="black moved").nth(number - 1).wait_for()
            page.locator(".turn.yours").wait_for()
        assert page.get_by_text("captured on f7, check by short diagonal").is_visible()
        assert page.locator(".board .by-told").count() == 0
        picture(page, "white.png")
        page.close()
