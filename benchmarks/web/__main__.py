"""How quick the application is: in a real browser, and with many clients at one server.

    python benchmarks/web [--clients 50] [--requests 10000]

In the browser (chromium): the first contentful paint of liar's dice (294,883 nodes), of Leduc
hold'em with 27 ranks (11,193,985 nodes) and of Rhode Island hold'em (its public form), and how long
it takes from a click to the screen that shows its answer: expanding nodes, another deal in their
place, choosing nodes, locking a strategy, turning to other tabs. The first and the last are solved
before that; Leduc hold'em is being solved meanwhile. With many clients: the median and the slowest
answers, how many were lost, and the server's memory before and after. ``make browser`` installs
chromium, the development tools have Playwright and httpx.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PATHS = (
    "/api/about", "/api/game", "/api/node", "/api/node?at=0", "/api/node?at=1.0",
    "/api/node?at=3.1.0", "/", "/main.js",
)  # fmt: skip
CLICK = """
([selector, until]) => new Promise(resolve => {
  const began = performance.now();
  const answer = () => resolve(performance.now() - began);
  const shown = () => requestAnimationFrame(() => setTimeout(answer));
  const look = () => document.querySelector(until) ? shown() : requestAnimationFrame(look);
  document.querySelector(selector).click();
  look();
})
"""  # milliseconds from a click to the frame that shows what was clicked for
CLOSED = """
most => [...document.querySelectorAll('[role=treeitem][aria-expanded=false]')]
  .filter(one => one.offsetParent && !one.querySelector('.badge.chance')).slice(0, most)
  .map(one => one.dataset.at)
"""  # addresses of decisions that are not expanded
LOCK = ".details-body > button"
MOVE = """
share => new Promise(resolve => {
  const began = performance.now();
  const answer = document.querySelector(".answer");
  const seen = new MutationObserver(() => requestAnimationFrame(() => setTimeout(
    () => { seen.disconnect(); resolve(performance.now() - began); })));
  seen.observe(answer, { childList: true });
  const slider = document.querySelector(".lock input[type=range]");
  slider.value = share;
  slider.dispatchEvent(new Event("input"));
})
"""  # milliseconds from moving a locked probability to the frame with its best replies
MOST = 12  # nodes of which each is expanded and chosen


@contextmanager
def server(*game: str) -> Iterator[tuple[str, int]]:
    """The address of a server, and its process."""
    command = [sys.executable, "-m", "infoset", "view", *game, "--no-browser", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found is not None
    try:
        yield found[0].rstrip("/"), process.pid
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(10)


def memory(process: int) -> float:
    """MiB that a process holds."""
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) / 1024 if found else 0.0


# ---------------------------------------------------------------------- in the browser


def in_the_browser() -> None:
    """Paint and interactions."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        print("there is no chromium; `make browser` installs it")
        return
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        for name, *parameters in (("liars_dice",), ("leduc", "ranks=27"), ("rhode_island",)):
            with server(name, *parameters) as (address, _):
                measure(opened, " ".join((name, *parameters)), address, wait=not parameters)
        opened.close()


def measure(browser: Any, name: str, address: str, wait: bool) -> None:
    """One game: how quickly it is there, and how quickly it answers, while or once it is solved."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(address, wait_until="load")
    page.wait_for_selector("[role=treeitem]")
    there = page.evaluate("performance.now()")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    print(f"{name}: first paint {paint:.0f} ms, the tree {there:.0f} ms")
    if wait:
        proof = page.get_by_role("status").get_by_text(re.compile("exact|regret at most"))
        proof.first.wait_for(timeout=600_000)
    page.wait_for_timeout(1000)

    def click(what: str, *steps: tuple[str, str]) -> None:
        took = [page.evaluate(CLICK, list(step)) for step in steps]
        print(f"  {what}: median {statistics.median(took):.0f} ms, slowest {max(took):.0f} ms")

    nodes = page.evaluate(CLOSED, MOST)
    click("expand a node", *((f'[data-at="{at}"] .twisty', f'[data-at="{at}.0"]') for at in nodes))
    click("choose a node", *((f'[data-at="{at}"] .row', here(at)) for at in nodes))
    if wait:
        page.wait_for_selector(LOCK)
        click("lock a strategy", (LOCK, ".answer tbody tr"))
        took = [page.evaluate(MOVE, share) for share in range(5, 100, 10)]
        slow = f"median {statistics.median(took):.0f} ms, slowest {max(took):.0f} ms"
        print(f"  move its slider: {slow}")
        click("turn to tree", ("#tab-tree", "#panel-tree:not([hidden])"))
    another = '[aria-level="2"] > .row [data-by="1"]'
    deals = [(another, f'[aria-level="2"][data-at="{deal}"]') for deal in range(1, 6)]
    click("another deal", *deals)
    for name in ("strategies", "what-if", "rules", "export", "tree"):
        chart = " .chart" if wait and name == "strategies" else ""
        click(f"turn to {name}", (f"#tab-{name}", f"#panel-{name}:not([hidden]){chart}"))
    page.close()


def here(at: str) -> str:
    """What is on the page once the details of a node are shown."""
    return f'a[aria-current="location"][href*="at={at}"]'


# ---------------------------------------------------------------------- many clients


async def many(address: str, clients: int, requests: int) -> list[float]:
    """Seconds of the answers to so many requests of so many clients at the same time."""
    import httpx

    took: list[float] = []

    async def one(number: int) -> None:
        async with httpx.AsyncClient(base_url=address, timeout=30) as asking:
            for at in range(requests // clients):
                began = time.perf_counter()
                answer = await asking.get(PATHS[(number + at) % len(PATHS)])
                assert answer.status_code == 200, answer.text
                took.append(time.perf_counter() - began)

    await asyncio.gather(*(one(number) for number in range(clients)))
    return took


def load(clients: int, requests: int) -> None:
    """The table of a server under load."""
    with server("leduc") as (address, process):
        asyncio.run(many(address, clients, clients * 4))
        before, began = memory(process), time.perf_counter()
        took = sorted(asyncio.run(many(address, clients, requests)))
        seconds = time.perf_counter() - began
        print(
            f"{clients} clients, {len(took):,} answers to {requests:,} requests in {seconds:.1f} s:"
            f" median {1000 * took[len(took) // 2]:.0f} ms,"
            f" 99% below {1000 * took[int(0.99 * len(took))]:.0f} ms,"
            f" slowest {1000 * took[-1]:.0f} ms;"
            f" memory {before:.0f} to {memory(process):.0f} MiB"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--requests", type=int, default=10_000)
    asked = parser.parse_args()
    in_the_browser()
    load(asked.clients, asked.requests)


if __name__ == "__main__":
    main()
