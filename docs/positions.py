"""A picture of one position of a game, as each player sees it: ``docs/pictures.py --positions``.

Every position is a list of moves, those of chance among them. Of each seat, its view of the
position goes the way that it goes at a table of the application: events, boards, and the picture
that the game supplies. The page of the application draws them in a browser, and what it has drawn
for the seats is put side by side.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from infoset import page as application
from infoset.games import LIBRARY
from infoset.objects.deals import deck_of, owners_of
from infoset.objects.pbn import parse_deal
from infoset.page.boards import boards, events_of, pictured
from infoset.page.facts import described_event
from infoset.rules import ReplayPosition

STATIC = Path(application.__file__).parent / "static"
KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
ADDRESS = "http://positions.invalid/"
COLOURS = 64  # of a picture
STYLE = """
body { background: white }
.positions { display: inline-grid; width: max-content; gap: 8px 28px; padding: 10px 14px }
.positions h2 { margin: 0 0 6px; font-size: 18px }
.positions .boards { --room: 17rem !important; gap: 0 }
.positions .board-frame { overflow: visible }
.positions .held > div { flex-direction: column; gap: 6px }
.positions .held .pcard { font-size: 1.05rem; box-shadow: none; animation: none; min-width: 1.9em }
.positions .held .parts > :first-child { min-width: 5.6em; font-weight: 600 }
.positions .events { list-style: none; margin: 6px 0 0; padding: 0; max-width: 20rem }
.positions .event { padding: 3px 0; font-size: 14px }
.positions .event .pcard { font-size: 0.9em }
"""


class Position(NamedTuple):
    """Which position of a game, and who looks at it."""

    moves: tuple[Hashable, ...]
    seats: tuple[str, ...] = ()  # none: all
    given: dict[str, Any] = {}  # noqa: RUF012 - the game's parameters; nobody changes them
    facts: int = 0  # how many of the last facts and moves are shown, too
    columns: int = 2


def dealt(deal: str) -> tuple[str, ...]:
    """The moves of chance that deal four whole hands."""
    return tuple(owners_of(parse_deal(deal), (None,) * 4, deck_of(13, 4)))


POSITIONS = {
    "bidding_tic_tac_toe": Position(
        ((1, 1), "use", "b2", (1, 2), "a1", (2, 2), "keep", "c1"),
        given={"width": 3, "height": 3, "line": 3, "chips": (4, 4)},
        facts=5,
    ),
    "blind_tic_tac_toe": Position(
        ("b2", "b2", "a3", "a3", "c1", "c3"), given={"width": 3, "height": 3}
    ),
    "bridge": Position(
        (
            *dealt("N:AQ5.K743.KJ4.J82 T842.QT8.T765.Q3 KJ7.A52.AQ3.K974 963.J96.982.AT65"),
            *("3♠", "5♠"),
        ),
        seats=("south", "east"),
        given={"contract": "3NT"},
        columns=1,
    ),
    "dark_hex": Position(("b2", "b2", "c1", "a2", "c2"), given={"width": 3, "height": 3}),
    "fog_of_war_chess": Position(("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5")),
    "kalah": Position(
        (2, "hidden", 1, "shown", 1, "hidden"), given={"pits": 3, "seeds": 3}, facts=4
    ),
    "king_rook_king": Position(
        ("a3", "Kb2", "Rd2", "Ka2"),
        given={"width": 4, "height": 4, "king": "c3", "rook": "d1", "moves": 3},
        facts=4,
    ),
    "kriegspiel": Position(("e2e4", "d7d5", "e4f5", "e4d5", "d8d5", "b1c3", "d5e5"), facts=4),
    "n_game": Position((2, "hidden", 1, "shown"), facts=2, columns=1),
    "p_game": Position((1, "hidden", 2, "shown"), facts=2, columns=1),
    "scotland_yard": Position(
        ("d5", "b1", "d1", "c5", "b2", "d2", "d5", "c2", "d3", "e5", "c3", "d4", "e4"),
        given={"width": 5, "height": 5, "rounds": 8, "detectives": 2, "shown": 3},
        facts=5,
    ),
    "whist": Position(
        (
            *dealt("N:AQ5.K743.KJ4.J82 T842.QT8.T765.Q3 KJ7.A52.AQ3.K974 963.J96.982.AT65"),
            *("9♦", "3♥", "Q♥", "A♥", "J♥", "K♠"),
        ),
        seats=("west", "north"),
        columns=1,
    ),
}


def position_of(name: str) -> ReplayPosition:
    """The position of a game that is drawn."""
    position = LIBRARY[name](**POSITIONS[name].given).position()
    for move in POSITIONS[name].moves:
        position = position.after(move)
    return position


def state_of(position: ReplayPosition, seat: str) -> dict[str, Any]:
    """What a seat knows, in the words of the application's server."""
    game, view = position.game, position.view(seat)
    events = events_of(view)
    picture: dict[str, Any] | None = None
    if game.picture is not None:
        picture = pictured(game.picture(view, seat), seat, seat)
    options = view[-1][1] if view and view[-1][0] == "offered" else ()
    return {
        "version": 1,
        "game": game.family.name,
        "seat": seat,
        "seats": [
            {"seat": one, "player": one, "who": "human", "you": one == seat, "joined": True}
            for one in game.seats.agents
        ],
        "phase": "playing",
        "told": [described_event(one, False) for one in events],
        "options": None,
        "count": 0,
        "boards": boards(game, events, options) if picture is None else picture["boards"],
        "picture": picture and {"values": picture["values"], "failed": ""},
        "undo": False,
        "again": False,
        "coach": None,
        "over": None,
        "review": None,
    }


class Answers:
    """What the page asks of a server."""

    def __init__(self, position: ReplayPosition) -> None:
        """For a position; nothing else is ever asked about."""
        self.position = position

    def __call__(self, route: Any) -> None:
        """Answer a request; who waits for news waits for ever."""
        asked = urlsplit(route.request.url)
        given = parse_qs(asked.query)
        if asked.path == "/api/about":
            route.fulfill(json={"start": "table", "asked": "a game", "set": []})
        elif asked.path.endswith("/about"):
            route.fulfill(json={"game": "a game", "about": "", "parameters": []})
        elif asked.path.startswith("/api/"):
            if given["since"] == ["0"]:
                route.fulfill(
                    body=json.dumps(state_of(self.position, given["token"][0])),
                    content_type="application/json",
                )
        else:
            file = STATIC / (asked.path.strip("/") or "index.html")
            route.fulfill(path=file, content_type=KINDS[file.suffix])


def parts(page: Any, seats: Sequence[str], facts: int) -> Iterator[str]:
    """What the page draws for each seat, as markup."""
    for seat in seats:
        page.goto("about:blank")
        page.goto(f"{ADDRESS}#table=one&token={seat}")
        page.wait_for_function("document.querySelectorAll('.felt:not([hidden])').length === 1")
        drawn = [page.locator(one).evaluate("one => one.outerHTML") for one in (".boards", ".held")]
        rows = page.locator(".events li").evaluate_all("all => all.map((one) => one.outerHTML)")
        told = "".join(rows[max(0, len(rows) - facts) :])
        yield f"<section><h2>{seat}</h2>{''.join(drawn)}<ol class='events'>{told}</ol></section>"


def draw(page: Any, name: str, file: Path) -> None:
    """The picture of one game."""
    wanted, position = POSITIONS[name], position_of(name)
    page.unroute_all()
    page.route(f"{ADDRESS}**", Answers(position))
    seats = wanted.seats or tuple(position.game.seats.agents)
    markup = "".join(parts(page, seats, wanted.facts))
    columns = f".positions {{ grid-template-columns: repeat({wanted.columns}, max-content) }}"
    page.evaluate(
        "markup => { document.getElementById('app').innerHTML ="
        " `<div class='positions'>${markup}</div>` }",
        markup,
    )
    page.add_style_tag(content=STYLE + columns)
    page.wait_for_timeout(100)
    write(page.locator(".positions").screenshot(), file)


def write(picture: bytes, file: Path) -> None:
    """Keep a picture, with few colours."""
    from PIL import Image

    image = Image.open(BytesIO(picture)).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)


def draw_all(folder: Path, names: Sequence[str] = ()) -> None:
    """All pictures, or some."""
    import shutil

    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-gpu"]
        )
        context = browser.new_context(
            viewport={"width": 1280, "height": 1000},
            bypass_csp=True,
            color_scheme="light",
            reduced_motion="reduce",
            device_scale_factor=1.5,
        )
        page = context.new_page()
        for name in names or sorted(POSITIONS):
            draw(page, name, folder / f"{name}.png")
            print(name)
        browser.close()
