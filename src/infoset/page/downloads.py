"""The files that a reader may download: drawings, charts, strategies, and the page itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, Any

from starlette.responses import Response, StreamingResponse

from infoset.display.show import solution_csv
from infoset.errors import FileError, NotApplicable, ParameterError
from infoset.page.answers import Answers, on_tree
from infoset.page.saved import page
from infoset.solvers.solution import Solution
from infoset.text import brief

PIECE = 1 << 20  # bytes of a file that are sent at a time
PICTURES = {"png": "image/png", "svg": "image/svg+xml"}


def exported(answers: Answers, game: Any, parameters: tuple[str, ...], name: str) -> Response:
    """A file to download.

    Parameters
    ----------
    answers
        About the solution.
    game, parameters
        What was solved, and how that was asked for.
    name
        Of the file, such as ``tree.svg``.

    Raises
    ------
    InfosetError
        If there is no such file, or it cannot be made.
    """
    solution = answers.solution
    what, _, kind = name.partition(".")
    if what == "tree" and not on_tree(solution):
        raise NotApplicable(f"{brief(solution.name)} was solved without its tree: none is drawn")
    if name == "strategies.csv":
        return _csv(solution, name)
    if name == "page.html":
        return _download(page(game, solution, parameters), "text/html; charset=utf-8", name)
    if name == "tree.svg":
        return _download(solution.draw().svg, PICTURES[kind], name)
    if name == "tree.tex":
        return _download(solution.draw().tikz, "application/x-tex; charset=utf-8", name)
    if what in ("tree", "strategies") and kind in PICTURES:
        return _download(_picture(solution, what, name), PICTURES[kind], name)
    raise ParameterError(f"there is no file {name!r:.40}")


def _picture(solution: Solution, what: str, name: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        if what == "tree":
            solution.draw().save(path)
        else:
            solution.plot(file=path)
        return path.read_bytes()


def _csv(solution: Solution, name: str) -> Response:
    """The strategies, which may take a gigabyte, from a file that has no name."""
    file = TemporaryFile()  # noqa: SIM115 - closed when it was sent
    try:
        for piece in solution_csv(solution, None):
            file.write(piece.encode())
        file.seek(0)
    except OSError as problem:
        file.close()
        raise FileError(f"{name}: there is no room to write it: {problem.strerror}") from None
    except BaseException:
        file.close()
        raise
    return StreamingResponse(
        _pieces(file), media_type="text/csv; charset=utf-8", headers=_named(name)
    )


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(PIECE):
            yield piece


def _download(content: str | bytes, media: str, name: str) -> Response:
    return Response(content, media_type=media, headers=_named(name))


def _named(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}
