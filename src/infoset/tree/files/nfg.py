"""Gambit's strategic games, ``.nfg``: a header, then the table, the first strategy running fastest.

    NFG 1 R "title" { "one" "two" } { { "up" "down" } { "left" "right" } } "comment"

Where strategies have no names, their numbers stand instead: ``{ 2 2 }``. The table comes in two
versions. The payoff version lists the payoffs of each profile, one for each player:

    1 -1  -1 1  -1 1  1 -1

The outcome version lists outcomes with their names, then the number of each profile's outcome;
number 0 pays nothing:

    { { "win" 1, -1 } { "lose" -1, 1 } }
    1 2 2 1

Source: Gambit's documentation, "The strategic game (.nfg) file format".
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import prod

from infoset.text import text
from infoset.tree.files.efg import braces, read_header, read_payoffs
from infoset.tree.files.lexer import Reader, numeral, quoted
from infoset.tree.matrix import MatrixGame

Strategies = tuple[tuple[str, ...], ...]
Vector = tuple[Fraction, ...]


def read_nfg(text: str, *, name: str = "file") -> MatrixGame:
    """Read a payoff table from the text of an ``.nfg`` file.

    Parameters
    ----------
    text, name
        As for :func:`~infoset.tree.files.efg.read_efg`.

    Returns
    -------
    MatrixGame
        With exact payoffs.

    Raises
    ------
    FileError
        At the first mistake, with line and column.

    Examples
    --------
    >>> game = read_nfg('NFG 1 R "pennies" { "one" "two" } { 2 2 } 1 -1 -1 1 -1 1 1 -1')
    >>> game.strategies[0], game.payoffs_of((1, 0))
    (('1', '2'), (Fraction(-1, 1), Fraction(1, 1)))
    >>> read_nfg('NFG 1 R "pennies" { "one" "two" } { 2 2 } 1 -1 -1')
    Traceback (most recent call last):
    ...
    infoset.errors.FileError: file:1:50: the file ends; expected a payoff, one of 8
    """
    reader = Reader(text, name)
    title, players = read_header(reader, "NFG", "1")
    strategies = _strategies(reader, len(players))
    comment = reader.label() if reader.is_label else ""
    profiles = prod(map(len, strategies))
    if reader.maybe("{"):
        table, names = _by_outcome(reader, len(players), profiles)
    else:
        table, names = _by_payoff(reader, len(players), profiles), ()
    return MatrixGame(players, strategies, table, title, comment, names)


def _strategies(reader: Reader, players: int) -> Strategies:
    """The strategies of each player, given by their names or by how many there are."""
    reader.mark("{", '"{" and the strategies')
    at = reader.at
    if reader.is_mark("{"):
        named = tuple([reader.names("a strategy") for _ in range(players)])
        reader.mark("}", f'"}}" after the strategies of {players} players')
        return named
    sizes = [reader.whole("a number of strategies", 1) for _ in range(players)]
    reader.mark("}", f'"}}" after the numbers of strategies of {players} players')
    profiles = prod(sizes)
    if profiles > reader.left:  # before names are made for them
        raise reader.error(f"the file is too short for {profiles:,} profiles of strategies", at)
    return tuple(tuple(str(number) for number in range(1, size + 1)) for size in sizes)


def _by_payoff(reader: Reader, players: int, profiles: int) -> tuple[Vector, ...]:
    count = players * profiles
    what = f"a payoff, one of {count:,}"
    table = [tuple([reader.number(what) for _ in range(players)]) for _ in range(profiles)]
    reader.end(f"{count:,} payoffs")
    return tuple(table)


def _by_outcome(
    reader: Reader, players: int, profiles: int
) -> tuple[tuple[Vector, ...], tuple[str, ...]]:
    outcomes: list[tuple[str, Vector]] = [("", (Fraction(0),) * players)]
    while not reader.maybe("}"):
        reader.mark("{", 'an outcome in braces, or "}"')
        outcomes.append((reader.label("an outcome's name"), read_payoffs(reader, players)))
    what = f"an outcome's number, one of {profiles:,}"
    table = []
    for _ in range(profiles):
        at = reader.at
        number = reader.whole(what, 0)
        if number >= len(outcomes):
            raise reader.error(f"there is no outcome {number}, only {len(outcomes) - 1}", at)
        table.append(outcomes[number])
        reader.maybe(",")
    reader.end(f"the outcomes of {profiles:,} profiles")
    names = tuple([name for name, _ in table])
    return tuple([payoffs for _, payoffs in table]), names if any(names) else ()


def write_nfg(game: MatrixGame, *, outcomes: bool | None = None) -> str:
    """Write a payoff table as the text of an ``.nfg`` file; reading it gives an equal game.

    Parameters
    ----------
    game
        The payoff table.
    outcomes
        Write the outcome version, or the payoff version, which drops names of outcomes. If left
        out, the outcome version is written where outcomes have names.

    Returns
    -------
    str
        The contents of the file.

    Examples
    --------
    >>> from infoset.tree.matrix import matrix_game
    >>> print(write_nfg(matrix_game([[1, -1]], actions=(["show"], ["heads", "tails"]))))
    NFG 1 R "matrix game" { "row" "column" }
    <BLANKLINE>
    { { "show" }
    { "heads" "tails" } }
    <BLANKLINE>
    1 -1
    -1 1
    <BLANKLINE>
    """
    return "".join(nfg_lines(game, outcomes=outcomes))


def nfg_lines(game: MatrixGame, *, outcomes: bool | None = None) -> Iterator[str]:
    """The lines of a game's ``.nfg`` file one by one.

    Parameters
    ----------
    game
        The payoff table.
    outcomes
        As of :func:`write_nfg`.

    Yields
    ------
    str
        The next lines, with their ends.

    Examples
    --------
    >>> from infoset import matrix_game
    >>> next(nfg_lines(matrix_game([[1, -1], [-1, 1]]))).strip()
    'NFG 1 R "matrix game" { "row" "column" }'
    """
    yield f"NFG 1 R {quoted(game.name)} {braces(map(quoted, game.players))}\n\n"
    lists = (braces(quoted(text(one)) for one in own) for own in game.strategies)
    yield f"{braces(lists, chr(10))}\n"
    yield f"{quoted(game.comment)}\n\n" if game.comment else "\n"
    if outcomes is None:
        outcomes = any(game.outcome_names)
    if not outcomes:
        for payoffs in game.payoffs:
            yield f"{' '.join(map(numeral, payoffs))}\n"
        return
    names = game.outcome_names or ("",) * len(game.payoffs)
    profiles = list(zip(names, game.payoffs, strict=True))
    number = {outcome: at for at, outcome in enumerate(dict.fromkeys(profiles), 1)}
    yield "{\n"
    for name, payoffs in number:
        yield f"{{ {quoted(name)} {', '.join(map(numeral, payoffs))} }}\n"
    yield "}\n"
    for outcome in profiles:
        yield f"{number[outcome]}\n"
