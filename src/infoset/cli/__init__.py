"""The command ``infoset``: one module for each command.

Bad input gets one line on the error stream and exit status 2, an interrupt exit status 130. Nothing
else is printed on the error stream but progress.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys

from infoset.errors import InfosetError
from infoset.text import brief

STOPPED = 130  # the exit status after an interrupt
LONGEST = 1_000  # characters of a complaint


class NullStream(io.TextIOBase):
    """A stream that drops what is written to it, in place of one that the caller closed."""

    def write(self, words: str) -> int:
        """Drop them."""
        return len(words)


def main(arguments: list[str] | None = None) -> None:
    """Run the command and exit."""
    status = run(sys.argv[1:] if arguments is None else arguments)
    if status == STOPPED:  # a solver's thread may still be at work, and would not survive an exit
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(status)
    sys.exit(status)


def run(arguments: list[str]) -> int:
    """Run the command; the exit status."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever called
            setattr(sys, name, NullStream())
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # box characters where the terminal has none
            stream.reconfigure(errors="replace")
    try:
        from infoset.cli.app import call  # takes a moment, in which an interrupt may come

        status = call(arguments or ["--help"])
        if sys.stdout is not None:
            sys.stdout.flush()
        if status == STOPPED:
            raise KeyboardInterrupt
        return status
    except InfosetError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        return _complain("stopped", STOPPED)
    except BrokenPipeError:
        return _reader_left()
    except SystemExit as error:
        if isinstance(error.__context__, BrokenPipeError):  # as rich has it
            return _reader_left()
        raise
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        return _complain(f"{name}{error.strerror or error}")
    except MemoryError:
        return _complain("out of memory; choose smaller parameters")
    except Exception as error:
        if hasattr(error, "format_message"):  # a slip in the arguments, found by click
            return _complain(error.format_message().replace("\n", " "))
        if os.environ.get("INFOSET_DEBUG"):
            raise
        return _complain(
            f"internal error: {type(error).__name__}: {error}; INFOSET_DEBUG=1 shows the traceback"
        )


def _reader_left() -> int:
    """The reader closed the pipe: drop what is left to print."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _complain(message: str, status: int = 2) -> int:
    print(f"infoset: {brief(' '.join(message.split()), LONGEST)}", file=sys.stderr)
    return status
