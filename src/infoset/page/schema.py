"""The schema of the protocol: what every answer holds, as a JSON Schema.

``GET /api/schema`` gives it, and the tests hold all answers against it. A change that programs
would notice makes the version one higher (:data:`~infoset.page.protocol.VERSION`).
"""

from __future__ import annotations

from typing import Any

from infoset.page.protocol import VERSION

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
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
    "infoset": record(player=TEXT, label=TEXT, id=TEXT),
    "parameter": record(
        name=TEXT,
        value=TEXT,
        default=TEXT,
        kind=one_of("truth", "whole", "number", "text"),
        shown=TEXT,
    ),
    "failed at": record(message=TEXT, line=maybe(COUNT)),
    "rules": record(file=TEXT, first=COUNT, lines=each(TEXT)),
    "problem": record(message=TEXT, line=maybe(COUNT), rules=maybe(named("rules"))),
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
        rules=maybe(named("rules")),
        size=maybe(record(nodes=COUNT, infosets=COUNT)),
        revision=COUNT,
        problem={"type": "null"},
    ),
    "broken game": record(revision=COUNT, problem=named("problem")),
    "below": record(
        {
            "probability": NUMBER,
            "shape": TEXT,
            "payoffs": each(NUMBER),
            "count": COUNT,
            "failed": named("failed at"),
        },
        at=TEXT,
        move=TEXT,
        kind=one_of("decision", "chance", "end", "failed"),
        infoset=maybe(named("infoset")),
    ),
    "node": record(
        {
            "payoffs": each(NUMBER),
            "count": COUNT,
            "solved": named("solved"),
            "failed": named("failed at"),
        },
        at=TEXT,
        kind=one_of("decision", "chance", "end", "failed"),
        infoset=maybe(named("infoset")),
        first=COUNT,
        below=each(named("below")),
        history=each(record(who=TEXT, move=TEXT, at=TEXT)),
        knows=each(record(player=TEXT, label=TEXT)),
        line=maybe(COUNT),
    ),
    "action": record(
        {"value": maybe(NUMBER), "regret": maybe(NUMBER), "best": TRUTH},
        action=TEXT,
        probability=NUMBER,
    ),
    "belief": record(at=maybe(TEXT), history=TEXT, probability=maybe(NUMBER), value=maybe(NUMBER)),
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
        lacks={"type": "object", "additionalProperties": TEXT},
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
        sets=each(
            record(
                number=COUNT,
                infoset=record(player=TEXT, label=TEXT),
                actions=each(record(action=TEXT, probability=NUMBER)),
            )
        ),
        payoffs=each(record(player=TEXT, amount=NUMBER, change=NUMBER)),
        replies=each(record(player=TEXT, amount=NUMBER, gain=NUMBER, over=NUMBER)),
    ),
}
DRAWN: dict[str, Schema] = {  # what a value may have beside its text
    "rank": TEXT,
    "suit": TEXT,
    "cards": each(record(rank=TEXT, suit=TEXT)),
    "faces": each(TEXT),
    "square": TEXT,
    "squares": each(TEXT),
    "parts": each(named("value")),
    "colour": one_of("white", "black", ""),
    "piece": TEXT,
    "from": TEXT,
    "to": TEXT,
    "becomes": TEXT,
}
KIND = one_of(
    "text", "number", "card", "cards", "dice", "square", "squares", "parts", "piece", "move"
)
MARK = record(
    {
        "piece": record(colour=DRAWN["colour"], piece=TEXT),
        "text": TEXT,
        "whose": TEXT,
        "hidden": TRUTH,
    },
    by=one_of("own", "told", "none"),
    note=TEXT,
)

DEFINITIONS |= {
    "value": record(DRAWN, text=TEXT, kind=KIND),
    "event": record(
        {**DRAWN, "cost": named("cost"), "who": TEXT},
        text=TEXT,
        kind=KIND,
        by=one_of("own", "told", "knows", "forgot", "public"),
    ),
    "board": record(
        {"shape": one_of("hex"), "chequered": TRUTH},
        width=COUNT,
        height=COUNT,
        title=TEXT,
        squares={"type": "object", "additionalProperties": MARK},
    ),
    "advised": record(
        action=named("value"),
        probability=NUMBER,
        value=maybe(NUMBER),
        cost=maybe(NUMBER),
        best=TRUTH,
        taken=TRUTH,
    ),
    "advice": record(why=TEXT, actions=each(named("advised"))),
    "cost": record(amount=maybe(NUMBER), best=each(TEXT), why=TEXT, actions=each(named("advised"))),
    "ended": record(
        moves=each(record(who=TEXT, move=named("value"))),
        payoffs=PAID,
        forfeit=maybe(record(seat=TEXT, reason=TEXT)),
        seed=TEXT,
        hands=each(record(seat=TEXT, values=each(named("value")))),
        knew=each(record(seat=TEXT, label=TEXT)),
    ),
    "failed": record(failed=TEXT),
    "review": record(
        {
            "why": TEXT,
            "method": TEXT,
            "exact": TRUTH,
            "regrets": PAID,
            "moves": each(record(knew=TEXT, took=named("value"), cost=named("cost"))),
            "total": maybe(NUMBER),
            "unknown": COUNT,
        },
        state=one_of("working", "none", "done"),
    ),
    "seat": record(
        {"joined": TRUTH, "invite": TEXT, "away": TRUTH},
        seat=TEXT,
        player=TEXT,
        who=TEXT,
        you=TRUTH,
    ),
    "table": record(
        table=TEXT,
        version=COUNT,
        game=TEXT,
        seat=maybe(TEXT),
        seats=each(named("seat")),
        phase=TEXT,
        told=each(named("event")),
        options=maybe(each(named("value"))),
        count=COUNT,
        boards=each(named("board")),
        picture=maybe(record(values=each(named("value")), failed=TEXT)),
        undo=TRUTH,
        again=TRUTH,
        coach=maybe(record(state=one_of("working", "none", "ready"), why=TEXT)),
        over={"anyOf": [named("ended"), named("failed"), {"type": "null"}]},
        review=maybe(named("review")),
    ),
    "unchanged": record(version=COUNT, unchanged={"const": True}),
    "tables": record(game=TEXT, seats=each(TEXT), players=each(record(name=TEXT, about=TEXT))),
    "new table": record(
        table=TEXT, tokens={"type": "object", "additionalProperties": TEXT}, watch=maybe(TEXT)
    ),
    "moved": record(version=COUNT),
    "options": record(first=COUNT, count=COUNT, options=each(named("value"))),
    "table's game": record(
        game=TEXT, about=TEXT, parameters=each(record(name=TEXT, value=named("value")))
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
    "GET /api/tables": ("tables",),
    "POST /api/tables": ("new table",),
    "GET /api/tables/{table}": ("table", "unchanged"),
    "GET /api/tables/{table}/about": ("table's game",),
    "GET /api/tables/{table}/options": ("options",),
    "GET /api/tables/{table}/advice": ("advice",),
    "POST /api/tables/{table}/move": ("moved",),
    "POST /api/tables/{table}/undo": ("moved",),
    "POST /api/tables/{table}/again": ("moved",),
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
