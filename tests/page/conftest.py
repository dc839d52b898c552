"""A browser, and servers as the command starts them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

SHOTS = Path(__file__).parents[2] / "build" / "screenshots"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, without a window."""
    if CHROMIUM is None:
        reason = "there is no chromium; `make browser` installs it"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


def shot(page: Any, name: str) -> None:
    """Keep a picture of a page, to be looked at."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    file = "".join(sign if sign.isalnum() else "-" for sign in name)
    page.screenshot(path=SHOTS / f"{file}.png")


@contextmanager
def serving(*arguments: str) -> Iterator[str]:
    """The address of a server that the command has started."""
    command = [sys.executable, "-m", "infoset", *arguments, "--no-browser", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = next(word for word in line.split() if word.startswith("http://"))
        yield address
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        finally:
            process.stdout.close()


@pytest.fixture(scope="module")
def serve() -> Iterator[Callable[..., str]]:
    """Starts servers, which run until the module's tests are over; one for the same arguments."""
    with ExitStack() as running:
        known: dict[tuple[str, ...], str] = {}

        def start(*arguments: str) -> str:
            if arguments not in known:
                known[arguments] = running.enter_context(serving(*arguments))
            return known[arguments]

        yield start


DESKTOP, PHONE = (1280, "light"), (390, "dark")
# For tests of what does not depend on the width.
on_a_desktop = pytest.mark.parametrize("page", [DESKTOP], indirect=True, ids=["desktop light"])
# For tests of how things look: every width in every theme.
everywhere = pytest.mark.parametrize(
    "page",
    [DESKTOP, PHONE, (1280, "dark"), (390, "light")],
    indirect=True,
    ids=["desktop light", "phone dark", "desktop dark", "phone light"],
)


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop light", "phone dark"])
def page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A page of a browser of some width and theme; errors in its scripts fail the test."""
    width, scheme = request.param
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    context.set_default_timeout(20_000)
    opened = context.new_page()
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on(
        "console",
        lambda told: problems.append(told.text) if "Content Security Policy" in told.text else None,
    )
    yield opened
    shot(opened, request.node.name)
    context.close()
    assert problems == []
