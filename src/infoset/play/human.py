"""A person as a player: what it is shown, how it answers, and how it takes a move back.

**Answers.** An option is chosen by its number in the list or by its text. What reads like an option
is that option: before a number of the list, where options are numbers themselves, and before a
command, where one is called ``undo``. So that there is a way to everything in every list,
``#3`` is always the third of the list, and ``/undo`` always the command.

**Moves that are taken back.** The game is played again from its start with the same seed, and all
moves before that one are repeated: the person's, and everyone else's as long as they know the same
(:class:`Repeating`). Nobody is asked again for a move that is known, so that a search does not
search again; whoever has to know of it has ``passed`` (:class:`~infoset.play.player.Player`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from infoset.play.player import Choice, Clock, Forgot, Player, Seated
from infoset.rules import Game
from infoset.text import BRIEF, label_text, text, typed_label
from infoset.tree.positions import TreeView

UNDO, QUIT, HELP = ("undo", "u"), ("quit", "q"), ("help", "?")
COMMANDS = {word: words[0] for words in (UNDO, QUIT, HELP) for word in words}
DOES = {"undo": "takes your last move back", "quit": "ends the game", "help": "explains"}
ANSWERS = (
    "answer with the number of an option or with its text; undo takes your last move back, quit"
    " ends the game, ? explains"
)
EXPLAINED = (
    "an option is chosen by its number in the list or by its text",
    "where options are numbers, 3 is the option that reads 3; #3 is always the third of the list",
    "undo or u takes your last move back, quit or q ends the game",
    "where an option reads like that, it is the option; /undo and /quit are always the commands",
)
LONGEST = 2000  # characters of a fact
FEW = 12  # options that have a line each
WIDTH = 78  # of the lines of more options


class Undo(BaseException):
    """The person takes its last move back."""


class Quit(BaseException):
    """The person leaves."""


class Decision(NamedTuple):
    """A choice that a person made."""

    view: Any
    options: tuple[Hashable, ...]
    taken: Hashable


def shown(value: Hashable, most: int = BRIEF) -> str:
    r"""An option or a fact on one line; in quotes if blanks would not be seen.

    Examples
    --------
    >>> print(shown("bet"), shown(""), shown(" bet"), shown("\x1b[2J"))
    bet '' ' bet' \x1b[2J
    """
    words = text(value)
    line = label_text(words, most)
    return line if words and words == words.strip() else f"'{line}'"


class Answer(NamedTuple):
    """What an answer means: an option, by its place in the list; a command; or neither, and why."""

    option: int | None = None
    command: str = ""
    refused: str = ""


class Menu:
    """Options as a person sees them, and what answers mean.

    Parameters
    ----------
    options
        What can be chosen.

    Examples
    --------
    >>> cards = Menu((2, 3, 10))
    >>> cards.lines
    ['    2', '    3', '   10']
    >>> cards.read("3").option, cards.read("#1").option, cards.read("u").command
    (1, 0, 'undo')
    >>> cards.read("1").refused
    '1 is none of the options; #1 is 2, by its place in the list'
    """

    def __init__(self, options: Sequence[Hashable]) -> None:
        """Nothing is read yet."""
        self.options = tuple(options)
        self.words = [shown(option) for option in options]
        numerals = [word for word in self.words if word.isdecimal()]
        self.numerals = bool(numerals)  # which are meant by numbers
        self.plain = len(set(numerals)) == len(self.words)  # nothing else, and no two alike

    @property
    def lines(self) -> list[str]:
        """The list: what to type, and what it is; many options side by side."""
        if self.plain:
            rows = [f"{word:>3}" for word in self.words]
        else:
            sign = "#" * self.numerals
            rows = [f"{f'{sign}{at}':>3}  {word}" for at, word in enumerate(self.words, 1)]
        return [f"  {line}".rstrip() for line in side_by_side(rows)] + self._notes

    @property
    def _notes(self) -> list[str]:
        """Which commands are options here."""
        typed = {typed_label(word) for word in self.words}
        return [
            f"  ({word} is an option here; /{word} {DOES[name]})"
            for word, name in COMMANDS.items()
            if word in typed
        ]

    def read(self, said: str) -> Answer:
        """What an answer means."""
        words = said.strip()
        number, command = words.removeprefix("#"), words.removeprefix("/").lower()
        listed = number.isdecimal() and len(number) < 10 and 1 <= int(number) <= len(self.options)
        if words.startswith("#") and listed:
            return Answer(option=int(number) - 1)
        if words.startswith("/") and command in COMMANDS:
            return Answer(command=COMMANDS[command])
        meant = self._reading(said)
        if len(meant) == 1:
            return Answer(option=meant[0])
        if meant:
            numbers = " or ".join(f"#{at + 1}" for at in meant)
            several = f"{len(meant)} options read {label_text(words)}"
            return Answer(refused=f"{several}; answer {numbers}")
        if command in COMMANDS:
            return Answer(command=COMMANDS[command])
        if listed and not self.numerals:
            return Answer(option=int(number) - 1)
        return Answer(refused=self._refusal(words, listed))

    def _reading(self, said: str) -> list[int]:
        """The options that read like an answer: exactly; else but for blanks, or as typed."""
        if not said.strip():
            return []
        for spelled in (str, str.strip, typed_label):
            meant = [
                at
                for at, option in enumerate(self.options)
                if spelled(said) in (spelled(text(option)), spelled(self.words[at]))
            ]
            if meant:
                return meant
        return []

    def _refusal(self, words: str, listed: bool) -> str:
        example = f"{'#' * self.numerals}1 for {self.words[0]}, or with its text"
        advice = f"answer {'with one of them' if self.plain else example}; ? explains"
        if not words:
            return advice
        named = f"{label_text(words, 40)} is none of the options"
        if listed and not words.startswith("#"):
            return f"{named}; #{words} is {self.words[int(words) - 1]}, by its place in the list"
        return f"{named}; {advice}"


def side_by_side(rows: Sequence[str]) -> list[str]:
    """Few rows as they are, and more of them in columns, read downwards.

    Examples
    --------
    >>> side_by_side([f"{number:>3}" for number in range(1, 14)])[0]
    '  1    2    3    4    5    6    7    8    9   10   11   12   13'
    """
    if len(rows) <= FEW:
        return list(rows)
    width = max(map(len, rows)) + 2
    columns = max(1, WIDTH // width)
    height = -(-len(rows) // columns)
    return ["".join(f"{row:<{width}}" for row in rows[at::height]).rstrip() for at in range(height)]


class Person(Seated):
    """A person who reads and answers lines.

    Parameters
    ----------
    say
        Shows a line.
    ask
        Shows a prompt and returns the answer; raises EOFError when there are no more.
    repeated
        Choices of an earlier run, made again without a word.
    about
        Lines about the game, for who asks for help.
    """

    def __init__(
        self,
        say: Callable[[str], None],
        ask: Callable[[str], str],
        repeated: Sequence[Hashable] = (),
        about: Sequence[str] = (),
    ) -> None:
        """With nothing decided yet."""
        self.say = say
        self.ask = ask
        self.repeated = list(repeated)
        self.about = tuple(about)
        self.decisions: list[Decision] = []

    def told(self, fact: Hashable) -> None:
        """Show a fact."""
        super().told(fact)
        own = isinstance(fact, TreeView) and fact[0] == "after"  # its last move, which it knows
        if not self.repeated and not own:
            whole = isinstance(fact, Forgot) or not isinstance(self.game, Game)
            knows = fact.knows if isinstance(fact, Forgot) else fact
            said = "know only" if isinstance(fact, Forgot) else "know" if whole else "learn"
            self.say(f"  you {said}: {shown(knows, LONGEST)}")

    def decide(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """Repeat, or ask until the answer is one of the options."""
        taken = self.repeated.pop(0) if self.repeated else self._asked(Menu(options))
        self.decisions.append(Decision(view, options, taken))
        return taken

    def _asked(self, menu: Menu) -> Hashable:
        for line in menu.lines:
            self.say(line)
        while True:
            try:
                answer = menu.read(self.ask("your move: "))
            except EOFError:
                raise Quit from None
            if answer.option is not None:
                return menu.options[answer.option]
            if answer.command == "quit":
                raise Quit
            if answer.command == "undo" and self.decisions:
                raise Undo
            self._explain(answer)

    def _explain(self, answer: Answer) -> None:
        """Say why an answer was no move."""
        if answer.command == "help":
            for line in (*self.about, *EXPLAINED):
                self.say(f"  {line}")
        else:
            self.say(f"  {answer.refused or 'there is no move of yours to take back'}")


class Repeating:
    """A player that repeats its moves of an earlier run as long as it knows the same.

    Parameters
    ----------
    player
        Who chooses.
    """

    def __init__(self, player: Player) -> None:
        """Nothing is made yet."""
        self.player = player
        self.made: list[tuple[Any, Hashable]] = []  # what it was told and offered, and its move
        self.at = 0
        self.news: list[Hashable] = []

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        self.at, self.news = 0, []
        self.player.begin(game, seat, clock)

    def told(self, fact: Hashable) -> None:
        """See :meth:`Player.told`."""
        self.news.append(fact)
        self.player.told(fact)

    def choose(self, options: Sequence[Hashable]) -> Choice:
        """The same as before, or what the player chooses now."""
        self.asked = (*self.news, tuple(options))
        self.news = []
        if self.at < len(self.made) and self.made[self.at][0] == self.asked:
            getattr(self.player, "passed", self.player.choose)(options)
            return self.made[self.at][1]
        del self.made[self.at :]
        return self.player.choose(options)

    def took(self, option: Hashable) -> None:
        """Note the move, and pass it on."""
        if self.at == len(self.made):
            self.made.append((self.asked, option))
        self.at += 1
        getattr(self.player, "took", lambda option: None)(option)

    def finish(self) -> None:
        """Pass it on."""
        getattr(self.player, "finish", lambda: None)()
