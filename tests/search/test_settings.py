"""Settings of the searches: one record for each family, from which keywords and errors derive."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from infoset.errors import ParameterError
from infoset.games import goofspiel, imp_model
from infoset.search import SEARCHES
from infoset.search.settings import (
    KEYWORDS,
    SIMULTANEOUS,
    ImpSettings,
    SimultaneousSettings,
    exact_bounds,
)

OWN = {"method", "name", "began"}  # fields that are no keywords


@pytest.mark.parametrize("method", SEARCHES)
def test_keywords_are_fields_of_the_record(method: str) -> None:
    record = SimultaneousSettings if method in SIMULTANEOUS else ImpSettings
    assert KEYWORDS[method] <= {field.name for field in fields(record)} - OWN


def test_every_field_is_a_keyword_of_some_search() -> None:
    for record, methods in (
        (SimultaneousSettings, SIMULTANEOUS),
        (ImpSettings, set(KEYWORDS) - set(SIMULTANEOUS)),
    ):
        taken = set().union(*(KEYWORDS[method] for method in methods))
        assert taken == {field.name for field in fields(record)} - OWN


@pytest.mark.parametrize(("method", "search"), SEARCHES.items())
def test_an_unknown_keyword_is_answered_with_the_nearest(method: str, search: Any) -> None:
    game = goofspiel(cards=3) if method in SIMULTANEOUS else imp_model()
    with pytest.raises(ParameterError, match=f"{method} has no setting 'dept'.*'depth'"):
        search(game, dept=3)


def test_a_keyword_of_another_method_is_refused() -> None:
    with pytest.raises(ParameterError, match="double-oracle has no setting 'order'"):
        SEARCHES["double-oracle"](goofspiel(cards=3), order="lexicographic")


def test_searches_with_windows_need_both_bounds() -> None:
    assert exact_bounds((None, 1)) == (None, 1)
    with pytest.raises(ParameterError, match="smab needs two numbers"):
        SimultaneousSettings("smab", bounds=(None, 1))
