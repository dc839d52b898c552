"""The schema of the protocol: what every answer holds, as a JSON Schema.

``GET /api/schema`` gives it, and the tests hold all answers against it. A change that programs
would notice makes the version one higher (:data:`~infoset.page.protocol.VERSION`).
"""

from __future__ import annotations

from typing import Any

from infoset.page.protocol import VERSION

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
TRUTH: Schema = {"type": "boolean"}


def named(name: str) -> Schema:
    """One of the definitions."""
    return {"$ref": f"#/$defs/{name}"}


def record(optional: dict[str, Schema] | None = None, /, **fields: Schema) -> Schema:
    """An object with these fields and no others."""
    return {
        "type": "object",
        "properties": {**fields, **(optional or {})},
        "required": list(fields),
        "additionalProperties": False,
    }


def each(of: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": of}


def maybe(of: Schema) -> Schema:
    """The same, or null."""
    return {"anyOf": [of, {"type": "null"}]}


def one_of(*words: str) -> Schema:
    """One of some words."""
    return {"enum": list(words)}


NUMBER = named("number")
PAID = each(record(player=TEXT, amount=NUMBER))

DEFINITIONS: dict[str, Schema] = {
    "number": record(text=TEXT, value={"type": "number"}),
    "infoset": record(player=TEXT, label=TEXT, sign=TEXT),
    "parameter": record(
        name=TEXT,
        value=TEXT,
        default=TEXT,
        kind=one_of("truth", "whole", "number", "text"),
        shown=TEXT,
    ),
    "problem": record(message=TEXT, line=maybe(COUNT)),
    "error": record(error=TEXT),
    "about": record(
        protocol={"const": VERSION},
        asked=TEXT,
        set=each(TEXT),
        start=one_of("view", "table"),
        revision=COUNT,
        methods=each(record(name=TEXT, about=TEXT)),
    ),
    "game": record(
        name=TEXT,
        family=TEXT,
        about=TEXT,
        source=TEXT,
        players=each(TEXT),
        agents={"type": "object", "additionalProperties": TEXT},
        parameters=each(named("parameter")),
        rules=maybe(record(file=TEXT, first=COUNT, lines=each(TEXT))),
        size=maybe(record(nodes=COUNT, infosets=COUNT)),
        revision=COUNT,
        problem={"type": "null"},
    ),
    "broken game": record(revision=COUNT, problem=named("problem")),
    "below": record(
        {"probability": NUMBER, "payoffs": each(NUMBER), "count": COUNT},
        at=TEXT,
        move=TEXT,
        kind=one_of("decision", "chance", "end"),
        infoset=maybe(named("infoset")),
    ),
    "node": record(
        {"payoffs": each(NUMBER), "count": COUNT, "solved": named("solved")},
        at=TEXT,
        kind=one_of("decision", "chance", "end"),
        infoset=maybe(named("infoset")),
        first=COUNT,
        below=each(named("below")),
        history=each(record(who=TEXT, move=TEXT, at=TEXT)),
        knows=each(record(player=TEXT, label=TEXT)),
        line=maybe(COUNT),
    ),
    "action": record(
        action=TEXT, probability=NUMBER, value=maybe(NUMBER), regret=maybe(NUMBER), best=TRUTH
    ),
    "belief": record(history=TEXT, probability=maybe(NUMBER), value=maybe(NUMBER)),
    "solved": record(
        {
            "reach": NUMBER,
            "values": each(maybe(NUMBER)),
            "number": COUNT,
            "set_reach": NUMBER,
            "value": maybe(NUMBER),
            "note": TEXT,
            "actions": each(named("action")),
            "beliefs": each(named("belief")),
            "many": COUNT,
        }
    ),
    "result": record(
        method=TEXT,
        because=TEXT,
        value=maybe(NUMBER),
        payoffs=PAID,
        regrets=PAID,
        certificate=TEXT,
        note=TEXT,
        equilibria=COUNT,
        complete=TRUTH,
        nodes=maybe(COUNT),
        infosets=maybe(COUNT),
        seconds={"type": "number"},
    ),
    "solution": record(
        solution=COUNT,
        state=one_of("queued", "running", "done", "failed", "stopped"),
        before=COUNT,
        said=TEXT,
        error=TEXT,
        result=maybe(named("result")),
    ),
    "panels": record(
        player=TEXT,
        count=COUNT,
        first=COUNT,
        panels=each(
            record(
                title=TEXT,
                names=each(TEXT),
                actions=each(TEXT),
                probabilities=each(each(maybe({"type": "number"}))),
                reach=each(maybe({"type": "number"})),
                ordered=TRUTH,
                private=TRUTH,
            )
        ),
    ),
    "rows": record(
        player=TEXT,
        count=COUNT,
        first=COUNT,
        rows=each(
            record(
                number=maybe(COUNT),
                label=TEXT,
                reach=maybe(NUMBER),
                actions=each(record(action=TEXT, probability=NUMBER)),
            )
        ),
    ),
    "locked": record(
        payoffs=each(record(player=TEXT, amount=NUMBER, change=NUMBER)),
        replies=each(record(player=TEXT, amount=NUMBER, gain=NUMBER, over=NUMBER)),
    ),
}
ANSWERS = {  # by request
    "GET /api/about": ("about",),
    "GET /api/game": ("game", "broken game"),
    "GET /api/node": ("node",),
    "POST /api/solutions": ("solution",),
    "GET /api/solutions/{number}": ("solution",),
    "DELETE /api/solutions/{number}": ("solution",),
    "GET /api/solutions/{number}/strategy": ("panels", "rows"),
    "POST /api/solutions/{number}/locked": ("locked",),
}


def schema() -> Schema:
    """The whole schema; ``answers`` says which definitions an answer to a request may be."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The application's protocol",
        "version": VERSION,
        "answers": {one: [named(name) for name in names] for one, names in ANSWERS.items()},
        "$defs": DEFINITIONS,
    }
