"""Players in processes of their own: nothing hidden can be reached, and no player can hang a match.

Code that runs in the referee's process can find the position, whatever it is handed: by the frames
that called it, or by the garbage collector's list of all objects. It can also sleep where nothing
interrupts it. A player that somebody else has written therefore gets a process of its own
(:class:`IsolatedPlayer`), which is sent what the player is told, and sends back its choices.

Messages to the player are pickles. What it answers is JSON and never a pickle, since reading a
pickle may run code: an option is named by its place in the menu. So a process that answers anything
else loses its game, and the referee is safe. Facts are collected and sent with the next question: a
decision costs one exchange.

A process that takes too long is killed, and a new one is started for the next game. A process ends
when its referee does, however that ends.

This keeps players apart as programs of one user are kept apart: one that attaches a debugger to the
referee, or that guesses the match's seed, which decides the deals, is not stopped.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import inf
from queue import Empty, SimpleQueue
from random import Random
from typing import IO, Any

from infoset.errors import InfosetError, OutOfTime
from infoset.play.player import SETTING_UP, Choice, Clock, Fault, Player
from infoset.text import brief

SERVE = "from infoset.play.isolation import serve; serve()"
STARTING = 60.0  # seconds within which a process has to be there
LENGTH = 8  # bytes that give the length of a message
LARGEST = 2**24  # bytes of an answer
AFTER = 0.2  # seconds after the end of its time at which a player is stopped


class _Illegal:
    """Stands for a choice that is no option; shown as the player's own text of it."""

    def __init__(self, shown: str) -> None:
        self.shown = shown

    def __repr__(self) -> str:
        return self.shown


class IsolatedPlayer:
    """A player that runs in a process of its own.

    Parameters
    ----------
    make
        Makes the player there: a class or a function without arguments.

    Raises
    ------
    InfosetError
        If no player is made.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.play import IsolatedPlayer, RandomPlayer, play_game
    >>> players = {"gambler": IsolatedPlayer(RandomPlayer), "dealer": RandomPlayer()}
    >>> play_game(kuhn(), players, seed=1).forfeit is None
    True
    """

    def __init__(self, make: Callable[[], Player]) -> None:
        """Start the process and make the player."""
        self.make = make
        self._process: _Process | None = _Process(make)
        self._waiting: list[tuple[str, Any]] = []
        self._game: Any = None
        self._clock = Clock()

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        process = self._process
        if process is None or not process.alive:
            self.close()
            process = self._process = _Process(self.make)
            self._game = None
        known = self._game is not None and self._game is game
        self._clock, self._waiting = clock, []
        clock.start()  # the start of the process does not count
        sent = None if known else game
        given = (sent, seat, clock.seconds, clock.random.getstate())
        self._exchange("begin", given, max(clock.left, SETTING_UP))
        self._game = game

    def told(self, fact: Hashable) -> None:
        """See :meth:`Player.told`."""
        self._waiting.append(("told", fact))

    def took(self, option: Hashable) -> None:
        """The option that was taken."""
        self._waiting.append(("took", option))

    def choose(self, options: Sequence[Hashable]) -> Choice:
        """See :meth:`Player.choose`."""
        answer = self._exchange("choose", tuple(options))
        try:
            return _choice(answer, options)
        except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError):
            raise Fault(f"its process answered {json.dumps(answer)!r:.60}") from None

    def finish(self) -> None:
        """See :meth:`Player.finish`."""
        self._exchange("finish", None)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
        self._process = None

    def _exchange(self, what: str, given: Any, seconds: float | None = None) -> Any:
        """Send what was told and a question; the answer, if it comes in time."""
        process, left = self._process, self._clock.left if seconds is None else seconds
        if process is None:
            raise Fault("its process has ended")
        messages = [*self._waiting, (what, given)]
        self._waiting = []
        try:
            process.send(messages)
            return process.answer(left)
        except OutOfTime:
            self.close()
            raise
        except (Fault, OSError):
            if not process.alive:
                self.close()
            raise


def _choice(answer: Any, options: Sequence[Hashable]) -> Choice:
    """What a process has answered, as a choice."""
    if "illegal" in answer:
        return _Illegal(str(answer["illegal"]))
    if "option" in answer:
        return options[_place(answer["option"])]
    return {options[_place(at)]: _number(part) for at, part in answer["probabilities"]}


def _place(at: Any) -> int:
    if not isinstance(at, int) or at < 0:
        raise ValueError
    return at


def _number(given: str) -> Any:
    """A probability; what is written with an exponent is a float, and anything else a fault."""
    try:
        return Fraction(float(given) if "e" in given.lower() else given)
    except (ValueError, OverflowError, ZeroDivisionError):
        return given


class _Process:
    """A player's process, and the thread that reads what it answers."""

    def __init__(self, make: Callable[[], Player]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", SERVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # a group of its own, with all that it starts
        )
        weakref.finalize(self, _end, self._process)
        self._answers: SimpleQueue[Any] = SimpleQueue()
        self._ended = False  # no answer will come any more
        self._reader = threading.Thread(
            target=_read_answers, args=(self._process.stdout, self._answers), daemon=True
        )
        self._reader.start()
        for message in (("path", sys.path), ("make", make)):  # which is found on the path
            self.send([message])
            self.answer(STARTING)

    @property
    def alive(self) -> bool:
        return not self._ended and self._reader.is_alive()

    def send(self, messages: list[tuple[str, Any]]) -> None:
        data = _pickled(messages)
        pipe = self._process.stdin
        assert pipe is not None
        try:
            pipe.write(len(data).to_bytes(LENGTH, "big") + data)
            pipe.flush()
        except OSError:
            raise Fault("its process has ended") from None

    def answer(self, seconds: float) -> Any:
        """The next answer."""
        wait = None if seconds == inf else max(seconds, 0.0) + AFTER
        try:
            answer = self._answers.get(timeout=wait)
        except Empty:
            raise OutOfTime("it was stopped") from None
        if isinstance(answer, Fault):
            self._ended = True
            raise answer
        if not isinstance(answer, dict):
            raise Fault(f"its process answered {json.dumps(answer)!r:.60}")
        if "refused" in answer:
            raise InfosetError(brief(str(answer["refused"])))
        if "error" in answer:
            raise Fault(f"raised {brief(str(answer['error']))}")
        return answer

    def kill(self) -> None:
        _end(self._process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with all that it has started.

    Its answers are closed by the thread that reads them: while something still holds their other
    end, closing them here would wait for that.
    """
    if process.returncode is None:  # nobody has waited for it, so that its number is its own
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
    if process.stdin is not None:
        with suppress(OSError):  # what it had not read
            process.stdin.close()


def _pickled(value: Any) -> bytes:
    """Pickled; functions and classes that are in no module are sent whole."""
    import cloudpickle

    try:
        data: bytes = cloudpickle.dumps(value)
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError) as error:
        raise InfosetError(
            f"this cannot be sent to a player's process: {brief(str(error))}; let the player be an"
            " object instead of a class in a file"
        ) from None
    return data


def _read_answers(pipe: IO[bytes], answers: SimpleQueue[Any]) -> None:
    """Read answers for as long as there are any; each is data, never code."""
    try:
        while head := pipe.read(LENGTH):
            length = int.from_bytes(head, "big")
            if length > LARGEST:
                answers.put(Fault("its process answered with too much"))
                return
            answers.put(json.loads(pipe.read(length)))
    except (OSError, ValueError, RecursionError):
        pass
    finally:
        answers.put(Fault("its process has ended"))
        pipe.close()


# ------------------------------------------------------------------------ in the player's process


class _Inside:
    """The player's side: makes the player, and passes on what it is sent."""

    def __init__(self) -> None:
        self.player: Any = None
        self.game: Any = None
        self.clock = Clock()

    def done(self, messages: list[tuple[str, Any]]) -> dict[str, Any]:
        """Do what the messages say; the answer to the last of them."""
        answer: dict[str, Any] = {}
        for what, given in messages:
            answer = getattr(self, what)(given) or {}
        return answer

    def make(self, make: Callable[[], Player]) -> dict[str, Any] | None:
        try:
            self.player = make()
        except InfosetError as error:
            return {"refused": str(error)}
        return None

    def path(self, places: list[str]) -> None:
        sys.path[:] = places

    def begin(self, given: tuple[Any, str, float, Any]) -> None:
        game, seat, seconds, state = given
        self.game = self.game if game is None else game
        luck = Random()
        luck.setstate(state)
        self.clock = Clock(seconds, luck)
        self.player.begin(self.game, seat, self.clock)

    def told(self, fact: Hashable) -> None:
        self.player.told(fact)

    def took(self, option: Hashable) -> None:
        _ = getattr(self.player, "took", _nothing)(option)

    def finish(self, _: None) -> None:
        getattr(self.player, "finish", _nothing)()

    def choose(self, options: tuple[Hashable, ...]) -> dict[str, Any]:
        self.clock.start()
        chosen = self.player.choose(options)
        try:
            if not isinstance(chosen, Mapping):
                return {"option": options.index(chosen)}
            pairs = [(options.index(option), str(part)) for option, part in chosen.items()]
        except ValueError:
            known = chosen if isinstance(chosen, Mapping) else [chosen]
            wrong = next(option for option in known if option not in options)
            return {"illegal": f"{wrong!r:.200}"}
        return {"probabilities": pairs}


def _nothing(*given: Any) -> None:
    """In place of a method that a player does not have."""


def serve() -> None:
    """Answer messages until there are none: the main function of a player's process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the referee's process decides when to end
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a player prints is no answer
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    waiting: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_receive, args=(incoming, waiting), daemon=True).start()
    inside, own = _Inside(), os.getpid()
    while True:
        try:
            answer = inside.done(pickle.loads(waiting.get()))
        except BaseException as error:  # whatever a player raises is its fault
            said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            answer = {"error": said[:1000]}
        if os.getpid() != own:  # a copy that the player has made by a fork: it answers nothing
            os._exit(0)
        data = json.dumps(answer).encode()
        outgoing.write(len(data).to_bytes(LENGTH, "big") + data)
        outgoing.flush()


def _receive(pipe: IO[bytes], waiting: SimpleQueue[bytes]) -> None:
    """Read messages; at their end end the process, whatever the player is doing."""
    while head := pipe.read(LENGTH):
        waiting.put(pipe.read(int.from_bytes(head, "big")))
    os._exit(0)
