"""What can go wrong, as one small family.

    InfosetError(ValueError)      anything that this package refuses, in one line
    ├── RulesError                the rules of a game, or an object used in them
    │   ├── NotRepeatable         two runs with the same choices differed
    │   └── Endless               a play that does not end
    ├── ParameterError            a parameter a game does not have, or a value it does not take
    ├── TooLarge                  a tree or a table past its limit
    │   └── OutOfTime             no answer within the time that was allowed
    ├── TreeError                 a tree placed by hand that is not a game
    ├── StrategyError             a strategy that is none, or of another game
    ├── NotApplicable             a method or a conversion that this game does not admit
    ├── NotProved                 an exact answer was asked for and could not be proved
    ├── NoEquilibrium             there is none of the kind asked for, and that was proved
    ├── NoHistory                 no play of the game agrees with what a player observed
    ├── TableauError              a system that pivoting cannot start from
    ├── WorkerLost                processes that died over and over with the same piece of work
    ├── NotReached                a cluster that does not answer
    ├── FileError                 a file that is not what its name says, with line and column
    └── UnknownGame               a name that no game answers to

Each message names the value, the place (the play, the line of the file) and what to do instead.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class InfosetError(ValueError):
    """Anything that this package refuses."""


class RulesError(InfosetError):
    """The rules of a game, or an object used in them, were used wrongly."""


class NotRepeatable(RulesError):
    """Two runs of the rules with the same choices did different things."""


class Endless(RulesError):
    """A play that does not come to an end."""


class ParameterError(InfosetError):
    """A parameter that the game does not have, or a value that it does not take."""


class TooLarge(InfosetError):
    """A tree or a table past its limit.

    ``size`` is the estimated size of the tree, where there is one (``infoset.rules.estimate``).
    """

    def __init__(self, *message: object, size: Any = None) -> None:
        """Say what is too large; with the size of a tree."""
        super().__init__(*message)
        self.size = size


class OutOfTime(TooLarge):
    """A game too large for the time that was allowed: there is no answer yet."""


class TreeError(InfosetError):
    """A tree placed by hand that is not a game."""


class StrategyError(InfosetError):
    """A strategy that is none, or that belongs to another game."""


class NotApplicable(InfosetError):
    """A method or a conversion that this game does not admit."""


class NotProved(InfosetError):
    """An exact answer was asked for, and none could be proved."""


class NoEquilibrium(InfosetError):
    """There is no equilibrium of the kind that was asked for, and that was proved."""


class NoHistory(InfosetError):
    """No play of the game agrees with what a player observed, or none was found."""


class TableauError(InfosetError):
    """A system of equations that pivoting cannot start from."""


class WorkerLost(InfosetError):
    """Processes died over and over with the same piece of work."""


class NotReached(InfosetError):
    """A cluster that does not answer."""


class FileError(InfosetError):
    """A file that is not what its name says."""


class UnknownGame(InfosetError):
    """A name that no game answers to."""


def nearest(word: object, known: Iterable[object]) -> str:
    """A hint for a misspelt word: the nearest known one, or all of them.

    >>> nearest("rank", ["ranks", "ante"])
    "did you mean 'ranks'?"
    >>> nearest("zzz", ["ranks", "ante"])
    "known: 'ante', 'ranks'"
    >>> nearest("zzz", [])
    'there are none'
    """
    names = sorted({str(name) for name in known})
    close = difflib.get_close_matches(str(word), names, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    if not names:
        return "there are none"
    shown = ", ".join(repr(name) for name in names[:12])
    return f"known: {shown}" + (f" and {len(names) - 12} more" if len(names) > 12 else "")
