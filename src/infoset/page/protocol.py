"""The protocol between pages and the server: its version, what requests may hold, and the schema.

Every answer is a JSON object. Numbers are ``{"text": "-1/18", "value": -0.0555…}``: as they read,
and near enough to draw. A game is asked for by the parameters that are set, ``set=ranks=4``, as on
the command line; a node by its address, the numbers of the moves that lead there; a solution by the
number that the server has given it, and one of its equilibria by ``equilibrium=``, from 1.

    GET    /api/about                       the protocol, the game, the methods
    GET    /api/schema                      what every answer holds (:mod:`infoset.page.schema`)
    GET    /api/game?set=…                  a member of the family, or what is wrong with its rules
    GET    /api/node?set=…&at=0.3&first=0   a node and a page of those that follow;
           …&solution=1&equilibrium=1       with strategy, values and beliefs
           …&only=actions                   with the probabilities of actions alone: sooner
    POST   /api/solutions                   {"set": […], "method": …, "seconds": …, "client": …}:
                                            begin to solve, or wait for who has begun
    GET    /api/solutions/1?client=…        how far it is; the result once it is done
    DELETE /api/solutions/1                 stop with the best answer so far
           …?client=…                       wait no longer; it is stopped if nobody else waits
    GET    /api/solutions/1/strategy        ?player=…&where=…&first=…&as=panels or rows
    POST   /api/solutions/1/locked          {"locks": {"7": [1, 0]}}: play otherwise there
    GET    /api/solutions/1/tree.svg        also .png, .tex; strategies.csv, .svg, .png; page.html

What a client may ask for is bounded: the bytes of a request (here), the parameters of a game
(:mod:`infoset.page.members`) and what they may make it take (:mod:`infoset.page.trial`), the
seconds of an answer and how many are computed at a time (:mod:`infoset.page.lanes`), and the
solutions that wait (:mod:`infoset.page.jobs`).

Tables at which people play are in :mod:`infoset.page.tables`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse

from infoset.errors import ParameterError

VERSION = 1
LONGEST_QUERY = 16_000  # bytes
LONGEST_BODY = 200_000
MOST_LOCKS = 200
DIGITS = 18  # of a whole number
SECONDS = 60.0  # that a solution may take, unless more is asked for
MOST_SECONDS = 3600.0


class Answer(JSONResponse):
    """JSON in ASCII, so that there is no text that it cannot hold."""

    def render(self, content: Any) -> bytes:
        """The bytes of an answer."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


def parameters_of(asked: Request | Mapping[str, Any]) -> tuple[str, ...]:
    """The parameters that are set, as ``name=value``."""
    if isinstance(asked, Request):
        return tuple(asked.query_params.getlist("set"))
    given = asked.get("set", [])
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise ParameterError('give "set" as a list of texts such as "ranks=4"')
    return tuple(given)


def whole(given: Any, what: str) -> int:
    """A whole number from 0 on."""
    words = str(given)
    if not (words.isdecimal() and words.isascii() and len(words) <= DIGITS):
        raise ParameterError(f"{what}={words!r:.40}: give a whole number")
    return int(words)


def first_of(asked: Request) -> int:
    """Where a page begins."""
    return whole(asked.query_params.get("first", "0"), "first")


def equilibrium_of(asked: Request) -> int:
    """Which of several equilibria, from 1."""
    return whole(asked.query_params.get("equilibrium", "1"), "equilibrium")


def terms_of(asked: Request) -> tuple[str, ...]:
    """What labels have to contain."""
    return tuple(one for one in asked.query_params.getlist("where") if one.strip())


def client_of(given: Any) -> str:
    """What a client calls itself, to be told from others."""
    if not isinstance(given, str) or len(given) > 40:
        raise ParameterError(f"client={str(given)!r:.60}: give a text of 40 characters at most")
    return given


def seconds_of(body: Mapping[str, Any]) -> float:
    """How long a solution may take."""
    given = body.get("seconds", SECONDS)
    if isinstance(given, int | float) and not isinstance(given, bool) and 0 < given < MOST_SECONDS:
        return float(given)
    raise ParameterError(f"seconds={str(given)[:40]}: give a number up to {MOST_SECONDS:g}")


def locks_of(body: Mapping[str, Any]) -> dict[int, list[Fraction]]:
    """Probabilities by the number of an information set."""
    given = body.get("locks")
    if not isinstance(given, dict) or len(given) > MOST_LOCKS:
        raise ParameterError('give "locks": the number of an information set, its probabilities')
    return {whole(at, "information set"): _shares(row) for at, row in given.items()}


def _shares(row: Any) -> list[Fraction]:
    if not isinstance(row, list) or not 0 < len(row) <= 10_000:
        raise ParameterError("give a list of probabilities, one for each action")
    return [_share(one) for one in row]


def _share(given: Any) -> Fraction:
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        raise ParameterError(f"{given!r:.40} is no probability")
    try:
        words = str(given)
        if len(words) > 40 or "e" in words.lower():
            raise ValueError
        return Fraction(words)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise ParameterError(f"{given!r:.40} is no probability") from None
