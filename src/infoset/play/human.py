"""A person as a player: what it is shown, how it answers, and how it takes a move back.

To take a move back, the game is played again from its start with the same seed, all moves before
that one repeated: the person's and everyone else's (:class:`Repeating`). So players that depend on
time or on numbers of their own repeat theirs, too.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from infoset.play.player import Choice, Clock, Forgot, Player, Seated
from infoset.text import text

UNDO, QUIT, HELP = ("undo", "u"), ("quit", "q"), ("help", "?")
ANSWERS = (
    "answer with the number of an option or with its text; undo takes your last move back, quit"
    " ends the game"
)


class Undo(BaseException):
    """The person takes its last move back."""


class Quit(BaseException):
    """The person leaves."""


class Decision(NamedTuple):
    """A choice that a person made."""

    view: Any
    options: tuple[Hashable, ...]
    taken: Hashable


class Person(Seated):
    """A person who reads and answers lines.

    Parameters
    ----------
    say
        Shows a line.
    ask
        Shows a prompt and returns the answer; raises EOFError when there are no more.
    repeated
        Choices of an earlier run, made again without asking.
    """

    def __init__(
        self,
        say: Callable[[str], None],
        ask: Callable[[str], str],
        repeated: Sequence[Hashable] = (),
    ) -> None:
        """With nothing decided yet."""
        self.say = say
        self.ask = ask
        self.repeated = list(repeated)
        self.decisions: list[Decision] = []

    def told(self, fact: Hashable) -> None:
        """Show a fact."""
        super().told(fact)
        if isinstance(fact, Forgot):
            self.say(f"  you know only: {text(fact.knows)}")
        else:
            self.say(f"  you learn: {text(fact)}")

    def decide(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """Repeat, or ask until the answer is one of the options."""
        if self.repeated:
            taken = self.repeated.pop(0)
            self.say(f"  you take: {text(taken)}")
        else:
            taken = self._asked(options)
        self.decisions.append(Decision(view, options, taken))
        return taken

    def _asked(self, options: tuple[Hashable, ...]) -> Hashable:
        words = [text(option) for option in options]
        numbered = not any(word.isdecimal() for word in words)  # else a number is its own text
        for number, word in enumerate(words, 1):
            self.say(f"  {number:>3}  {word}" if numbered else f"  {word:>5}")
        while True:
            try:
                said = self.ask("your move: ").strip()
            except EOFError:
                raise Quit from None
            if said.lower() in UNDO:
                if self.decisions:
                    raise Undo
                self.say("  there is no move of yours to take back")
            elif said.lower() in QUIT:
                raise Quit
            elif said.lower() in HELP:
                self.say(f"  {ANSWERS}")
            elif said in words:
                return options[words.index(said)]
            elif numbered and said.isdecimal() and 1 <= int(said) <= len(options):
                return options[int(said) - 1]
            else:
                self.say(f"  {said!r:.40} is none of the options; {ANSWERS}")


class Repeating:
    """A player that repeats its moves of an earlier run as long as the options are the same."""

    def __init__(self, player: Player, made: list[Hashable]) -> None:
        """``made`` has its moves so far, and is added to."""
        self.player = player
        self.made = made
        self.at = 0

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        self.at = 0
        self.player.begin(game, seat, clock)

    def told(self, fact: Hashable) -> None:
        """See :meth:`Player.told`."""
        self.player.told(fact)

    def choose(self, options: Sequence[Hashable]) -> Choice:
        """The same as before, or what the player chooses now."""
        chosen = self.player.choose(options)
        if self.at < len(self.made) and self.made[self.at] in options:
            return self.made[self.at]
        del self.made[self.at :]
        return chosen

    def took(self, option: Hashable) -> None:
        """Note the move, and pass it on."""
        if self.at == len(self.made):
            self.made.append(option)
        self.at += 1
        took = getattr(self.player, "took", None)
        if took is not None:
            took(option)
