"""The table as a person in a browser has it: by mouse, by keyboard, for two, and on a phone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.hostile_games import LABELS
from tests.page.conftest import DESKTOP, on_a_desktop

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

Serve = Callable[..., str]
BOARD_GAMES = Path(__file__).parent / "board_games.py"
BIRDS = """
from infoset import game

@game(players=("gambler", "dealer"))
def birds(g):
    '''Kuhn poker with cards that have names of their own.'''
    mine, yours = g.deal(("JACKDAW", "QUETZAL", "KESTREL"), 1, 1)
    g.reveal("gambler", mine)
    g.reveal("dealer", yours)
    for player in ("gambler", "dealer", "gambler"):
        move = g.choose(player, ("pass", "bet"))
        g.reveal(g.other(player), move)
    return g.win("gambler" if mine < yours else "dealer")
"""
DEALT = ("JACKDAW", "QUETZAL", "KESTREL")


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
    assert page.locator(".hands li").all_inner_texts()[0].startswith("gambler")
    assert page.locator(".hands .pcard").count() == 1
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
    assert "yours" not in said(page, "d4")  # one shot at it, and the ship there is not one's own
    assert fits(page)
    is_accessible(page)


@pytest.fixture
def another(browser: Any) -> Iterator[Any]:
    """A page of another browser, which shares nothing with the first."""
    width, scheme = DESKTOP
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


@on_a_desktop
def test_two_people_play_each_other(page: Any, another: Any, serve: Serve) -> None:
    page.goto(serve("play", "leduc", "--web", "--against", "human"))
    page.get_by_role("button", name="Another table").click()
    page.get_by_label("two", exact=True).select_option("human")
    first = page.url
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(lambda address: address != first)
    link = page.get_by_label("Link for two").input_value()
    is_accessible(page)
    other = another
    assert other.context != page.context
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
def test_the_keyboard_stays_at_the_options_when_a_move_is_taken_back(
    page: Any, serve: Serve, tmp_path: Path
) -> None:
    (tmp_path / "twice.py").write_text(
        "from infoset import game\n"
        "@game(players=('ann',))\ndef twice(g):\n"
        "    taken = [g.choose('ann', ('left', 'right')) for _ in range(2)]\n"
        "    return len(taken)\n"
    )
    sit_down(page, serve("play", f"{tmp_path / 'twice.py'}:twice", "--web"))
    page.keyboard.press("2")
    back = page.get_by_role("button", name="Take back")
    back.wait_for()
    back.focus()
    page.keyboard.press("Enter")
    back.wait_for(state="detached")
    assert page.locator(".option:focus").inner_text() == "1\nleft"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.locator(".event", has_text="right").wait_for()


@on_a_desktop
def test_a_table_that_is_closed_offers_nothing_but_another(page: Any, serve: Serve) -> None:
    game = ("dark_hex", "width=3", "height=3")
    sit_down(page, serve("play", *game, "--web", "--against", "random"))
    assert page.locator(".square.free").count() == 9
    gone = {"error": "this table is closed; start another one"}
    page.route("**/api/tables/*?*", lambda route: route.fulfill(status=404, json=gone))
    page.reload()
    page.get_by_text("This table is closed; start another one.").wait_for()
    page.unroute("**/api/tables/*?*")
    page.reload()
    page.locator(".turn.yours").wait_for()
    page.route("**/api/tables/*?*", lambda route: route.fulfill(status=404, json=gone))
    page.locator(".square.free").first.click()
    page.get_by_text("This table is closed; start another one.").wait_for()
    assert page.locator(".square.free").count() == 0
    assert page.locator(".primary:visible").all_inner_texts() == ["Another table"]


@on_a_desktop
def test_rules_that_fail_say_so_and_no_more(page: Any, serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "fails.py").write_text(
        "from infoset import game\n"
        "@game(players=('ann',))\ndef fails(g):\n"
        "    g.choose('ann', ('left', 'right'))\n"
        "    raise KeyError('no more')\n"
    )
    page.goto(serve("play", f"{tmp_path / 'fails.py'}:fails", "--web"))
    page.locator(".turn.yours").wait_for()
    page.keyboard.press("1")
    page.locator(".ending").wait_for()
    assert "no more" in page.locator(".ending").inner_text()
    assert page.locator(".review").count() == 0


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


# ---------------------------------------------------------------------- boards


def said(page: Any, square: str, board: int = 0) -> str:
    """What a screen reader says of a square."""
    found = page.locator(".board").nth(board).locator(f"[data-square='{square}']")
    return str(found.get_attribute("aria-label"))


def test_dark_hex_is_played_to_its_end(page: Any, serve: Serve) -> None:
    game = ("dark_hex", "width=5", "height=5")
    sit_down(page, serve("play", *game, "--web", "--against", "random"))
    assert page.locator(".hexes .square.free").count() == 25
    assert page.locator(".option").count() == 0
    lower, upper = (page.locator(f"[data-square='{one}']").bounding_box() for one in ("a1", "a2"))
    assert upper["x"] - lower["x"] == pytest.approx(lower["width"] / 2, abs=1)
    assert lower["width"] >= 24
    assert upper["y"] < lower["y"] < upper["y"] + upper["height"]  # rows reach into each other
    clip = "getComputedStyle(document.querySelector('.hexes .square')).clipPath"
    assert "polygon" in page.evaluate(clip)
    page.locator("[data-square='c3']").focus()
    for key, square in (("ArrowUp", "c4"), ("ArrowLeft", "b4"), ("ArrowDown", "b3")):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.square") == square
    page.keyboard.press("Enter")
    page.locator("[data-square='b3'].by-own").wait_for()
    assert said(page, "b3").startswith("b3, yours")
    assert "hidden from you" not in page.content()
    is_accessible(page)
    play_on(page, lambda: page.locator(".square.free").first.click())
    assert page.locator(".hidden-mark[data-square]").count() > 0
    hidden = page.locator(".hidden-mark[data-square]").first.get_attribute("aria-label")
    assert "of upwards, hidden from you" in hidden
    assert page.get_by_text("hidden from you until the end").is_visible()
    assert fits(page)
    is_accessible(page)


def test_chess_pieces_are_moved_by_two_squares(page: Any, serve: Serve) -> None:
    sit_down(page, serve("play", f"{BOARD_GAMES}:dark_chess", "--web", "--against", "random"))
    assert page.locator(".chequered .square").count() == 16
    assert page.locator(".options-box .option:visible").count() == 0
    assert said(page, "a1").startswith("a1, white king")
    assert said(page, "b3").startswith("b3, white pawn")
    assert page.get_by_label("white king").count() > 0  # in what was told, too
    page.locator("[data-square='a1']").click()
    assert "picked" in said(page, "a1")
    assert page.locator(".square.target").count() == 3
    page.keyboard.press("Escape")
    assert page.locator(".square.picked, .square.target").count() == 0
    assert page.evaluate("document.activeElement.dataset.square") == "a1"
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.locator("[data-square='a2'] .chess-white").wait_for()
    page.locator(".turn.yours").wait_for()
    assert page.locator("[data-square='a1'] .chess").count() == 0
    page.locator("[data-square='b3']").click()
    page.locator("[data-square='b4']").click()
    chooser = page.get_by_role("group", name="Which of these?")
    assert chooser.get_by_role("button").all_inner_texts() == ["b3b4q", "b3b4n"]
    assert page.evaluate("document.activeElement.textContent") == "b3b4q"
    is_accessible(page)
    chooser.get_by_role("button", name="b3b4q").click()
    page.locator(".ending").wait_for()
    assert said(page, "b4") == "b4, white queen"
    black = page.locator("[data-square] .chess-black")
    assert black.count() == 1
    assert "black king" in page.locator(".square:has(.chess-black)").get_attribute("aria-label")
    fills = [
        page.evaluate(f"getComputedStyle(document.querySelector('.square .chess-{one} svg')).fill")
        for one in ("white", "black")
    ]
    assert len(set(fills)) == 2
    assert fits(page)
    is_accessible(page)


@on_a_desktop
def test_what_a_board_leaves_open_is_asked_in_words(
    page: Any, serve: Serve, tmp_path: Path
) -> None:
    (tmp_path / "mixed.py").write_text(
        "from infoset import game\n"
        "OPTIONS = ('b2', 'pass', ('a1', 'b1', 'c1'), ('c1', 'b1', 'a1'), ('a1', 'a2', 'a3'), 7)\n"
        "@game(players=('ann',))\ndef mixed(g):\n"
        "    taken = [g.choose('ann', OPTIONS) for _ in range(3)]\n"
        "    return len(taken)\n"
    )
    sit_down(page, serve("play", f"{tmp_path / 'mixed.py'}:mixed", "--web"))
    assert page.locator(".options-box .option").all_inner_texts() == ["1\npass", "2\n7"]
    page.locator("[data-square='c1'].free").last.click()
    page.locator("[data-square='b1'].free").last.click()
    assert page.locator(".chooser").count() == 0
    page.locator("[data-square='a1'].free").last.click()
    chooser = page.get_by_role("group", name="Which of these?")
    assert chooser.get_by_role("button").all_inner_texts() == ["a1 b1 c1", "c1 b1 a1"]
    is_accessible(page)
    chooser.get_by_role("button", name="c1 b1 a1").click()
    page.locator(".event", has_text="c1 b1 a1").wait_for()
    page.locator(".turn.yours").wait_for()
    page.locator("[data-square='a3'].free").last.click()  # only one option has it
    page.locator(".event", has_text="a1 a2 a3").wait_for()
    page.locator(".turn.yours").wait_for()
    page.keyboard.press("1")
    page.locator(".ending").wait_for()
    assert page.locator(".moves li").last.inner_text().endswith("pass")


def test_a_picture_of_the_games_own_is_drawn(page: Any, serve: Serve) -> None:
    sit_down(page, serve("play", f"{BOARD_GAMES}:cave", "--web", "--against", "random"))
    assert page.locator(".board-title").inner_text() == "the cave"
    assert page.locator(".held .pcard").count() == 1
    assert said(page, "b2").startswith("b2, black knight")
    page.locator("[data-square='c1']").click()
    page.locator("[data-square='c1'].by-own").wait_for()
    assert said(page, "c1").startswith("c1, 1., yours")
    is_accessible(page)
    play_on(page, lambda: page.locator(".square.free").first.click())
    assert page.locator(".board-title").all_inner_texts() == ["the cave", "bob: the cave"]
    assert fits(page)
    is_accessible(page)


@on_a_desktop
def test_labels_on_pictures_stay_text(page: Any, serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "drawn.py").write_text(
        "from infoset import game\nfrom infoset.objects import BoardPicture, Mark\n"
        f"LABELS = {list(LABELS.values())!r}\n"
        "def drawn(view, player):\n"
        "    marks = {f'{at}1': Mark(one, one) for at, one in zip('abcdefghijklm', LABELS)}\n"
        "    return [*[BoardPicture(13, 1, marks, shape, title=one)\n"
        "        for one, shape in zip(LABELS[:5], ('square', 'hex') * 3)], *LABELS]\n"
        "@game(players=('<b>ann</b>', '<i>bob</i>'), picture=drawn)\ndef odd(g):\n"
        "    g.reveal(g.players, '<u>all</u>')\n"
        "    g.choose('<b>ann</b>', ('a1', '<img src=x onerror=alert(1)>'))\n"
        "    g.reveal(g.players, '<u>all</u>')\n"
        "    return 0, 0\n"
    )
    game = f"{tmp_path / 'drawn.py'}:odd"
    page.goto(serve("play", game, "--web", "--against", "random"))
    page.locator(".turn.yours").wait_for()
    assert page.locator(".board").count() == 5
    page.locator("[data-square='a1'].free").click()
    page.locator(".ending").wait_for()
    assert page.locator(".board").count() == 10
    assert page.locator(":is(.felt, .side, header) :is(b, i, u, script)").count() == 0
    assert page.locator("#app img:not([src='icon.svg'])").count() == 0
    assert fits(page)
    is_accessible(page)


@on_a_desktop
def test_a_picture_that_fails_is_said_in_a_line(page: Any, serve: Serve) -> None:
    game = (f"{BOARD_GAMES}:cave", "broken=raises")
    sit_down(page, serve("play", *game, "--web", "--against", "random"))
    line = page.get_by_text("the game's picture= cannot be drawn: KeyError: 'ann'")
    assert line.is_visible()
    page.locator("[data-square='b1'].free").click()  # the board that is found without it
    page.locator("[data-square='b1'].by-own").wait_for()
    is_accessible(page)


@on_a_desktop
def test_whoever_watches_sees_moves_as_they_are_made(page: Any, serve: Serve) -> None:
    page.goto(serve("play", "tic_tac_toe", "--web", "--as", "none", "--against", "random"))
    page.locator(".turn, .ending").first.wait_for()
    page.get_by_role("button", name="New deal").click()
    page.locator(".ending").wait_for(state="detached")
    page.locator(".by-public").nth(1).wait_for()
    assert page.locator(".ending").count() == 0
    assert page.get_by_role("heading", name="What is public").is_visible()
    assert page.locator(".by-public").first.inner_text().startswith("cross")
    assert page.locator(".square.by-told").count() >= 2
    is_accessible(page)
    page.locator(".ending").wait_for()
    assert page.locator(".by-public").count() >= page.locator(".moves li").count() - 1
    assert fits(page)


# ---------------------------------------------------------------------- all that is sent


def heard(response: Any) -> str:
    """All of an answer, and of the request that it answers."""
    asked = response.request
    parts = (asked.method, asked.url, asked.all_headers(), asked.post_data)
    return repr((*parts, response.status, response.all_headers(), response.body()))


@on_a_desktop
def test_all_that_is_sent_in_a_hand(page: Any, serve: Serve, tmp_path: Path) -> None:
    """The other's card is in nothing before the end: addresses, headers, bodies, or the page."""
    (tmp_path / "birds.py").write_text(BIRDS)
    answers: list[Any] = []
    sockets: list[Any] = []
    page.on("response", lambda one: answers.append(one))
    page.on("websocket", lambda one: sockets.append(one))
    page.on("popup", lambda one: sockets.append(one))
    game = f"{tmp_path / 'birds.py'}:birds"
    address = serve("play", game, "--web", "--coach", "--against", "random", "--seed", "7")
    page.goto(address)
    page.locator(".turn.yours").wait_for()
    while not page.locator(".ending").count():
        page.get_by_role("button", name="What would an equilibrium do?").click()
        page.locator(".advice tbody tr").first.wait_for()
        shown = page.content()
        (own,) = [bird for bird in DEALT if bird in shown]
        known = page.locator(".events li").count()
        page.get_by_role("button", name="bet", exact=True).click()
        page.wait_for_function(
            "known => document.querySelectorAll('.events li').length > known + 1"
            " || document.querySelector('.ending')",
            arg=known,
        )
    page.locator(".decision").first.wait_for()
    assert sockets == []
    bodies = [heard(one) for one in answers]
    polls = [at for at, one in enumerate(answers) if "/api/tables/" in one.url and ended(one)]
    before, after = bodies[: polls[0]], bodies[polls[0] :]
    others = [bird for bird in DEALT if bird != own]
    assert any(own in one for one in before)
    asked = [one.url.partition("?")[0].rpartition("/")[2] for one in answers]
    assert (asked.count("move"), asked.count("advice"), "about" in asked) == (2, 2, True)
    assert not [one for one in before if any(bird in one for bird in others)]
    assert sum(any(bird in one for one in after) for bird in others) == 1


def ended(response: Any) -> bool:
    """Is it what is sent when the game is over?"""
    if "json" not in response.headers.get("content-type", ""):
        return False
    return bool(json.loads(response.body()).get("over"))
