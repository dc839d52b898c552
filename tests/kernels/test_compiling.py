"""Kernels where there is no place to keep them."""

from __future__ import annotations

import numba
import pytest

from infoset.kernels.compiling import compiled


@pytest.fixture(autouse=True)
def numba_is_loaded() -> None:
    """Parts of numba are imported when it first compiles, and they use the njit replaced here."""
    assert numba.njit(lambda number: number)(1) == 1


def test_without_a_place_every_process_compiles_for_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[dict[str, object]] = []
    usual = numba.njit

    def njit(**options: object) -> object:
        given.append(options)
        if options.get("cache"):
            raise RuntimeError("cannot cache function 'twice': no locator available")
        return usual(**options)

    monkeypatch.setattr(numba, "njit", njit)

    def twice(number: int) -> int:
        return 2 * number

    twice.__module__ = "infoset.kernels.somewhere"
    assert compiled(nogil=True)(twice)(21) == 42
    assert given == [{"cache": True, "nogil": True}, {"nogil": True}]


def test_what_others_wrote_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game in a user's file goes by one name at the command and by another when imported."""
    given: list[dict[str, object]] = []
    usual = numba.njit

    def njit(**options: object) -> object:
        given.append(options)
        return usual(**options)

    monkeypatch.setattr(numba, "njit", njit)

    @compiled()
    def twice(number: int) -> int:
        return 2 * number

    assert twice(21) == 42
    assert given == [{}]
