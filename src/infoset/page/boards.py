"""Boards of a table: what a seat knows of them, what a game's own picture says, and how they ended.

A board is drawn where options are squares or moves, or facts name chess pieces. What is on it is
taken from what the seat knows, its own moves and the facts that it was told, and from nothing else.

**Squares.** A square that the seat took has its mark, with the answer that it got there ("taken",
"hit"); a square that a fact names is another's, with the words of the fact. Who has placed
something on several squares at once, such as a ship, has a board of its own for that, on which the
others' shots are shown. Where a square is offered again after it was taken, somebody moves over the
board, and only the last places count.

**Pieces and moves** (:mod:`infoset.page.pieces`). A piece is where it was told to be, until a move
goes from there. A fact that lists several is all that is seen then, and replaces what was told
before. A move of the seat's own is not made if the next options begin on its first square: it was
refused. Castling and captures in passing move what they name, and nothing else: a game with these
tells where the pieces are, or has a picture of its own.

**The end.** What everybody knew is put together: the marks of all seats, each as its owner had it,
and those that were *hidden* from whoever looks. Of a game with a picture, all seats' pictures.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from infoset.objects.pictures import MOST_COLUMNS, MOST_ROWS, BoardPicture, Mark
from infoset.page.facts import (
    WORD,
    Event,
    described,
    described_piece,
    has_hexagons,
    is_placing,
    is_square,
    squares_of,
)
from infoset.page.pieces import (
    COLOURS,
    Move,
    is_pair,
    move_of,
    pairs_move,
    piece_of,
    placements,
)
from infoset.play.human import shown
from infoset.play.player import Forgot
from infoset.rules import Game
from infoset.text import brief

WIDE, HIGH = ("width", "columns", "size"), ("height", "rows", "size")  # names of parameters
CHESS = 8  # squares of a side
REFUSED = "taken"  # of a square: it is the other's
MOST_BOARDS = 6  # of a picture
MOST_VALUES = 40  # likewise, such as cards

Board = dict[str, Any]
Marks = dict[str, dict[str, Any]]


# ---------------------------------------------------------------------- what a seat knows


def boards(game: Any, events: Sequence[Event], options: Sequence[Hashable] = ()) -> list[Board]:
    """The boards of a seat: none, one, or its own and the other side's.

    Parameters
    ----------
    game
        The game, for the size of the board and its shape.
    events
        All that the seat knows.
    options
        What it may choose from now.

    Returns
    -------
    list of dict
        Each with ``width``, ``height``, ``title``, and by the name of a square ``by`` ("own" or
        "told") and ``note``, with a ``piece`` if there is one. A board of hexagons has a ``shape``.

    Examples
    --------
    >>> from infoset.games import blind_tic_tac_toe
    >>> met = [Event("b1", True, options=("a1", "b1", "c1", "d1", "e1")), Event("taken")]
    >>> (board,) = boards(blind_tic_tac_toe(), met, ("a1", "c1", "d1", "e1"))
    >>> board["width"], board["height"], board["squares"]
    (5, 1, {'b1': {'by': 'own', 'note': 'taken'}})
    """
    every = [*options, *(one for event in events for one in event.options)]
    every += [event.what for event in events if event.who]  # of who watches
    pairs = moves_in_pairs(events, options)
    pieces = any(placements(event.what) for event in events)
    if pieces or any(move_of(one, pairs) for one in every):
        return _boards_of_pieces(game, events, options, pairs, pieces)
    single = [one for one in every if is_square(one)]
    placing = [one for one in every if is_placing(one)]
    if not single and not placing:
        return []
    named = [square for one in (*single, *placing) for square in squares_of(one)]
    size = _size(game, named)
    if size is None:
        return []
    if not placing:
        return [{**size, "title": "", "squares": _marks(events, _moves_over(events, options))}]
    theirs = [event for event in events if (event.own and is_square(event.what)) or _is_word(event)]
    ours = [event for event in events if event not in theirs]
    return [
        {**size, "title": "the other side", "squares": _marks(theirs, False)},
        {**size, "title": "your side", "squares": _marks(ours, False)},
    ]


def _is_word(event: Event) -> bool:
    return not event.own and not squares_of(event.what)


def _moves_over(events: Sequence[Event], options: Sequence[Hashable]) -> bool:
    """Is a square offered again after it was taken, and nothing said of it?"""
    taken: set[Hashable] = set()
    for offered, what in [*((one.options, one.what) for one in events if one.own), (options, None)]:
        if taken & set(offered):
            return True
        taken.add(what)
    return False


def _marks(events: Iterable[Event], moving: bool) -> Marks:
    """What is on each square."""
    found: Marks = {}
    last: list[str] = []
    for event in events:
        by, squares = ("own" if event.own else "told"), squares_of(event.what)
        if moving and squares:
            found = {name: mark for name, mark in found.items() if mark["by"] != by}
        if event.own:
            last = squares
        if squares:
            note = "" if event.own or is_square(event.what) else _words(event.what)
            whose = {"whose": brief(event.who)} if event.who else {}
            for square in squares:
                before = found.get(square, {"by": by, "note": ""})
                found[square] = {"by": before["by"], "note": note or before["note"], **whose}
        elif not event.own and len(last) == 1 and not moving:
            found[last[0]]["note"] = shown(event.what, 40)
            last = []
    return found


def _words(what: Hashable) -> str:
    """A fact without the squares in it."""
    return shown(" ".join(WORD.sub("", shown(what, 80)).split()), 40)


def _size(game: Any, squares: Iterable[str], least: int = 1) -> Board | None:
    """Columns, rows and shape: so that all squares are there, and as the parameters say."""
    given = game.params if isinstance(game, Game) else {}
    width, height = _whole(given, WIDE), _whole(given, HIGH)
    wide, high = max([*width, 1 if width else least]), max([*height, 1 if height else least])
    for square in squares:
        wide = max(wide, ord(square[0]) - ord("a") + 1)
        high = max(high, int(square[1:]))
    if wide > MOST_COLUMNS or high > MOST_ROWS:
        return None
    shape = {"shape": "hex"} if has_hexagons(game) else {}
    return {"width": wide, "height": high, **shape}


def _whole(given: Any, names: Sequence[str]) -> list[int]:
    return [given[name] for name in names if type(given.get(name)) is int]


# ---------------------------------------------------------------------- pieces and moves


def moves_in_pairs(events: Sequence[Event], options: Sequence[Hashable]) -> bool:
    """Are the pairs of squares that a seat is or was offered moves from one to the other?"""
    offers = [options, *(event.options for event in reversed(events) if event.own)]
    first = next((offer for offer in offers if any(map(is_pair, offer))), None)
    if first is None:
        return False
    standing = {square for event in events for _, square in placements(event.what)}
    # Where some pairs are moves, pieces also go to squares on which none was told to be.
    return any(pairs_move(offer, standing) for offer in offers)


def _boards_of_pieces(
    game: Any, events: Sequence[Event], options: Sequence[Hashable], pairs: bool, pieces: bool
) -> list[Board]:
    every = [*options, *(one for event in events for one in (*event.options, event.what))]
    squares = [square for one in every for _, square in placements(one)]
    squares += map(str, filter(is_square, every))
    for move in [move_of(one, pairs) for one in every]:
        squares += [] if move is None else [move.start, move.end]
    size = _size(game, squares, CHESS if pieces else 1)
    if size is None:
        return []
    chequered = {"chequered": True} if pieces and "shape" not in size else {}
    found = _followed(events, options, pairs)
    return [{**size, **chequered, "title": "", "squares": found}]


def _followed(events: Sequence[Event], options: Sequence[Hashable], pairs: bool) -> Marks:
    """What is on each square, after all that was told and moved."""
    found: Marks = {}
    notes: dict[str, str] = {}
    for at, event in enumerate(events):
        by = "own" if event.own else "told"
        there = placements(event.what)
        move = move_of(event.what, pairs)
        if event.own:
            notes = {}
        if len(there) > 1 and not event.own:
            found = {}
        for piece, square in there:
            found[square] = {"by": by, "note": "", "piece": described_piece(piece)}
        if there:
            continue
        if move is not None:
            if not (event.own and _was_refused(move, events[at + 1 :], options, pairs)):
                found = _moved(found, move, by)
        elif event.own and is_square(event.what):
            found[str(event.what)] = {"by": by, "note": ""}
        elif not event.own:
            notes |= dict.fromkeys(squares_of(event.what), _words(event.what))
    for square, note in notes.items():
        found[square] = {**found.get(square, {"by": "told"}), "note": note}
    return found


def _moved(found: Marks, move: Move, by: str) -> Marks:
    mark = found.get(move.start, {"by": by, "note": ""})
    piece = mark.get("piece")
    if piece and move.becomes:
        mark = {**mark, "piece": {**piece, "piece": move.becomes}}
    rest = {square: one for square, one in found.items() if square != move.start}
    return {**rest, move.end: {**mark, "by": by, "note": ""}}


def _was_refused(
    move: Move, later: Sequence[Event], options: Sequence[Hashable], pairs: bool
) -> bool:
    """Do the next options begin where the piece would have gone from?"""
    offered = next((event.options for event in later if event.own), options)
    return any(
        (next_move := move_of(one, pairs)) is not None and next_move.start == move.start
        for one in offered
    )


# ---------------------------------------------------------------------- a game's own picture


def pictured(drawn: Any, seat: str, player: str) -> dict[str, Any]:
    """What a game's picture holds, as plain values for a page.

    Parameters
    ----------
    drawn
        What the function of the game returned.
    seat, player
        For whom, and the player for whom the seat acts.

    Returns
    -------
    dict
        With ``boards`` and ``values``.

    Raises
    ------
    TypeError
        If it is no picture, or too large.

    Examples
    --------
    >>> found = pictured([BoardPicture(2, 1, {"a1": ("X", "cross")}), 7], "cross", "cross")
    >>> found["boards"][0]["squares"]["a1"]
    {'by': 'own', 'note': '', 'text': 'X', 'whose': 'cross'}
    >>> found["values"]
    [{'text': '7', 'kind': 'number'}]
    """
    several = list(drawn) if type(drawn) in (list, tuple) else [drawn]
    if len(several) > MOST_BOARDS + MOST_VALUES:
        raise TypeError(f"it returned {len(several)} things to draw")
    found = [one for one in several if isinstance(one, BoardPicture)]
    values = [one for one in several if not isinstance(one, BoardPicture)]
    if len(found) > MOST_BOARDS:
        raise TypeError(f"it returned {len(found)} boards, and {MOST_BOARDS} can be drawn")
    if not several or None in values:
        raise TypeError("it returned nothing to draw")
    for one in values:
        hash(one)  # a fact is hashable: a list within a list is a slip
    return {
        "boards": [_pictured_board(one, seat, player) for one in found],
        "values": [described(one) for one in values[:MOST_VALUES]],
    }


def _pictured_board(board: BoardPicture, seat: str, player: str) -> Board:
    kind: dict[str, Any] = {"shape": "hex"} if board.shape == "hex" else {}
    if board.chequered:
        kind["chequered"] = True
    squares = {name: _pictured_mark(mark, (seat, player)) for name, mark in board.squares.items()}
    size = {"width": board.width, "height": board.height}
    return {**size, **kind, "title": brief(str(board.title)), "squares": squares}


def _pictured_mark(mark: Mark, own: tuple[str, str]) -> dict[str, Any]:
    words = "" if mark.text == "" else shown(mark.text, 40)
    by = "own" if mark.whose in own else "told" if mark.whose else "none"
    found: dict[str, Any] = {"by": by, "note": "", "text": words, "whose": brief(mark.whose)}
    piece = piece_of(words)
    return found if piece is None else {**found, "piece": described_piece(piece)}


# ---------------------------------------------------------------------- the end


def events_of(view: Any) -> list[Event]:
    """A view of a position as events."""
    found: list[Event] = []
    offered: tuple[Hashable, ...] = ()
    for kind, what in view:
        if kind == "saw":
            found.append(Event(what))
        elif kind == "offered":
            offered = what
        elif kind == "took":
            found.append(Event(what, True, options=offered))
        elif kind == "knows":
            found = [Event(Forgot(what))]
    return found


def final_boards(
    game: Any,
    views: Mapping[str, Sequence[Event]],
    moves: Sequence[tuple[str | None, Hashable]],
    viewer: str | None,
) -> list[Board]:
    """The boards when the game is over: what all seats had there.

    Parameters
    ----------
    game
        The game.
    views
        By seat: all that it knew.
    moves
        All moves, with who made them.
    viewer
        The seat that looks; None for who has only watched.

    Returns
    -------
    list of dict
        As of :func:`boards`. Each mark has ``whose`` it is, and ``hidden`` if the viewer did not
        know of it.

    Examples
    --------
    >>> from infoset.games import blind_tic_tac_toe
    >>> position = blind_tic_tac_toe().position().after("c1").after("e1")
    >>> views = {seat: events_of(position.view(seat)) for seat in ("cross", "nought")}
    >>> final_boards(blind_tic_tac_toe(), views, (), "cross")[0]["squares"]["e1"]
    {'by': 'told', 'note': '', 'whose': 'nought', 'hidden': True}
    """
    known = {seat: boards(game, events) for seat, events in views.items()}
    drawn = [one for one in known.values() if one]
    if not drawn:
        return []
    if max(map(len, drawn)) > 1:
        return _final_sides(known, viewer)
    size = {name: given for name, given in drawn[0][0].items() if name != "squares"}
    size["width"] = max(one[0]["width"] for one in drawn)
    size["height"] = max(one[0]["height"] for one in drawn)
    marks = {seat: one[0]["squares"] if one else {} for seat, one in known.items()}
    pieces = any("piece" in mark for one in marks.values() for mark in one.values())
    found = _final_pieces(marks, views, moves) if pieces else _final_marks(marks, moves)
    seen = None if viewer is None else marks.get(viewer, {})
    return [{**size, "squares": {at: _seen(one, at, seen, viewer) for at, one in found.items()}}]


def _seen(mark: dict[str, Any], at: str, seen: Marks | None, viewer: str | None) -> dict[str, Any]:
    """A mark as a seat sees it at the end."""
    mine = mark.get("whose") == viewer and viewer is not None
    found = {**mark, "by": "own" if mine else "told"}
    before = (seen or {}).get(at)
    known = before is not None and before.get("piece") == mark.get("piece")
    return found if mine or known or seen is None else {**found, "hidden": True}


def _final_marks(marks: Mapping[str, Marks], moves: Sequence[tuple[str | None, Hashable]]) -> Marks:
    """Marks of all seats; of several on one square, that of who was first and was not refused."""
    found: Marks = {}
    first = {(seat, what): at for at, (seat, what) in reversed(list(enumerate(moves)))}
    for seat, of_seat in marks.items():
        for at, mark in of_seat.items():
            if mark["by"] != "own" or mark["note"] == REFUSED:
                continue
            rival = found.get(at, {}).get("whose")
            if rival is None or first.get((seat, at), 0) < first.get((rival, at), 0):
                found[at] = {**mark, "whose": seat}
    for of_seat in marks.values():  # what is nobody's, such as squares that chance has named
        for at, mark in of_seat.items():
            if at not in found and mark["by"] == "told":
                found[at] = mark
    return found


def _final_pieces(
    marks: Mapping[str, Marks],
    views: Mapping[str, Sequence[Event]],
    moves: Sequence[tuple[str | None, Hashable]],
) -> Marks:
    """Pieces as those who move them know them; others as anybody does."""
    landed = {move.end: seat for seat, what in moves if (move := move_of(what, True)) is not None}
    owners = {colour: _owner(colour, marks, views) for colour in (*COLOURS, "")}
    found: Marks = {}
    for seat, of_seat in marks.items():
        for at, mark in of_seat.items():
            owner = owners[mark["piece"]["colour"]] if "piece" in mark else seat
            if owner not in (None, seat):
                continue
            before = found.get(at)
            if before is None or landed.get(at) == seat:
                found[at] = {**mark, **({} if owner is None else {"whose": owner})}
    return found


def _owner(
    colour: str, marks: Mapping[str, Marks], views: Mapping[str, Sequence[Event]]
) -> str | None:
    """The seat whose pieces have a colour: it is called so, or has moved one of them."""
    if not colour:
        return None
    called = [seat for seat in marks if colour in seat.lower().split()]
    if called:
        return called[0]
    for seat, of_seat in marks.items():
        for mark in of_seat.values():
            if mark["by"] == "own" and mark.get("piece", {}).get("colour") == colour:
                return seat
    return None


def _final_sides(known: Mapping[str, Sequence[Board]], viewer: str | None) -> list[Board]:
    """What each seat has placed, with the shots of the others; that of who looks comes last."""
    seats = sorted(known, key=lambda seat: seat == viewer)
    shots: dict[str | None, Marks] = {
        seat: several[0]["squares"] if several else {} for seat, several in known.items()
    }
    seen = shots.get(viewer) if viewer is not None else None
    found = []
    for seat in seats:
        if len(known[seat]) < 2:
            continue
        side = known[seat][1]
        answered = [one for other, one in shots.items() if other != seat]
        answers = {at: mark["note"] for one in answered for at, mark in one.items() if mark["note"]}
        squares = {}
        for at, mark in side["squares"].items():
            placed = mark["by"] == "own"
            told = {**mark, "note": answers.get(at, mark["note"])}
            told |= {"by": "own" if placed and seat == viewer else "told"}
            told |= {"whose": seat} if placed else {}
            hidden = placed and seen is not None and seat != viewer and at not in seen
            squares[at] = {**told, "hidden": True} if hidden else told
        title = "your side" if seat == viewer else f"the side of {brief(seat)}"
        found.append({**side, "title": title, "squares": squares})
    return found


def final_pictures(
    pictures: Mapping[str, Sequence[Board]], viewer: str | None, player: str | None
) -> list[Board]:
    """The pictures of all seats when the game is over: that of who looks, and then the others'."""
    own = list(pictures.get(viewer, ())) if viewer is not None else []
    found = [{**board, "title": board["title"] or "what you knew"} for board in own]
    for seat, several in pictures.items():
        if seat == viewer:
            continue
        for number, board in enumerate(several):
            before = own[number]["squares"] if number < len(own) else {}
            squares = {}
            for at, mark in board["squares"].items():
                mine = mark["whose"] and mark["whose"] in (viewer, player)
                one = {**mark, "by": "own" if mine else "told" if mark["whose"] else "none"}
                same = viewer is None or all(
                    before.get(at, {}).get(what) == mark[what] for what in ("text", "whose")
                )
                squares[at] = one if same else {**one, "hidden": True}
            title = board["title"] and f"{brief(seat)}: {board['title']}"
            found.append(
                {**board, "title": title or f"what {brief(seat)} knew", "squares": squares}
            )
    return found
