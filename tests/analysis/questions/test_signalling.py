"""The intuitive criterion and supporting beliefs, asked as questions: published answers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from infoset import Play, game, games, solve
from infoset.analysis import intuitive_criterion, supporting_beliefs
from infoset.errors import NotApplicable
from infoset.strategy import as_behaviour, profile

F = Fraction


@game(players=("worker", "firm"))
def spence(g: Play) -> object:
    """Spence's education game: wages 1 to 2 by expected ability, education e costs e or e/2."""
    able = g.chance(("low", "high"))
    g.reveal("worker", able)
    education = g.choose("worker", (0, 1, 2))
    g.reveal("firm", education)
    wage = g.choose("firm", (F(1), F(3, 2), F(2)))
    ability = 1 if able == "low" else 2
    cost = F(education) if able == "low" else F(education, 2)
    return wage - cost, -((wage - ability) ** 2)


def test_cho_and_kreps_1987_quiche_fails_and_beer_survives() -> None:
    solution = solve(games.beer_quiche(), "enumerate")
    answer = intuitive_criterion(solution)
    for one, judged in zip(solution.equilibria, answer.equilibria, strict=True):
        beer = one.payoffs["sender"] == F(29, 10)
        assert judged.survives == beer
        if beer:
            assert judged.unsent == ("quiche",)
            continue
        objection = judged.objection
        assert objection is not None
        assert (objection.message, objection.type) == ("beer", "strong")
        assert objection.excluded == ("weak",)
        assert (objection.gets, objection.would_get) == (2, 3)
    assert answer.numbers == {"equilibria": 4, "survive": 2}


def test_with_more_weak_guests_there_is_nothing_to_object_to() -> None:
    """Below one half both breakfasts are had, so that no message is unsent."""
    answer = intuitive_criterion(solve(games.beer_quiche(strong=F(1, 10)), "enumerate"))
    assert all(judged.survives for judged in answer.equilibria)
    assert {judged.unsent for judged in answer.equilibria} == {()}


def test_spence_1973_a_message_to_which_both_are_indifferent_excludes_nobody() -> None:
    """Education 1 separates, as a low worker would be indifferent to it: 2 - 1 = 1.

    For the same reason nobody may exclude a low worker there where only education 2 is sent.
    """
    solution = solve(spence(), "pure", most=1000)
    answer = intuitive_criterion(solution)
    high = solution.tree.find("worker", "high")
    low = solution.tree.find("worker", "low")
    seen = {}
    for one, judged in zip(solution.equilibria, answer.equilibria, strict=True):
        sent = tuple(
            next(action for action, share in as_behaviour(one["worker"])[place].items() if share)
            for place in (low, high)
        )
        seen.setdefault(sent, set()).add(judged.survives)
    assert seen[0, 1] == {True}
    assert seen[0, 2] == {True}


def test_cho_and_kreps_1987_section_5_only_the_cheapest_separation_survives() -> None:
    @game(players=("worker", "firm"))
    def strict(g: Play) -> object:
        able = g.chance(("low", "high"))
        g.reveal("worker", able)
        education = g.choose("worker", (0, 2, 3))
        g.reveal("firm", education)
        wage = g.choose("firm", (1, 2))
        ability = 1 if able == "low" else 2
        cost = F(education) if able == "low" else F(education, 4)
        return wage - cost, -abs(wage - ability)

    solution = solve(strict(), "pure", most=1000)
    answer = intuitive_criterion(solution)
    for one, judged in zip(solution.equilibria, answer.equilibria, strict=True):
        sent = [
            next(action for action, share in as_behaviour(one["worker"])[place].items() if share)
            for place in (solution.tree.find("worker", name) for name in ("low", "high"))
        ]
        if sent == [0, 2]:
            assert judged.survives
        if sent == [0, 3]:
            assert judged.objection is not None
            assert (judged.objection.message, judged.objection.type) == ("2", "high")
            assert judged.objection.excluded == ("low",)


@pytest.mark.parametrize(
    ("family", "why"),
    [
        (games.kuhn, "does not know what chance has drawn"),
        (games.entry_game, "chance does not begin"),
        (games.seltens_horse, "two players"),
        (games.matching_pennies, "chance does not begin"),
    ],
)
def test_games_that_are_no_signalling_games_are_refused_in_a_line(family: object, why: str) -> None:
    solution = solve(family())  # type: ignore[operator]
    with pytest.raises(NotApplicable, match=why) as problem:
        intuitive_criterion(solution)
    assert "\n" not in str(problem.value)


def test_a_receiver_who_knows_too_much_or_too_little_is_refused() -> None:
    @game(players=("sender", "receiver"))
    def told(g: Play, too_much: bool = True) -> object:
        kind = g.chance(("a", "b"))
        g.reveal("sender", kind)
        message = g.choose("sender", ("x", "y"))
        g.reveal("receiver", (kind, message) if too_much else "something")
        return 0, int(g.choose("receiver", ("a", "b")) == kind)

    with pytest.raises(NotApplicable, match="knows more than the message"):
        intuitive_criterion(solve(told()))
    with pytest.raises(NotApplicable, match="cannot tell two messages apart"):
        intuitive_criterion(solve(told(too_much=False)))


def test_floats_are_refused() -> None:
    found = solve(games.beer_quiche(), "enumerate").verified
    with pytest.raises(NotApplicable, match="floats"):
        intuitive_criterion(profile(as_behaviour(own).inexact() for own in found))


def test_beliefs_are_told_in_words() -> None:
    answer = supporting_beliefs(solve(games.beer_quiche(), "enumerate"))
    rows = list(answer.table)
    assert [row[:3] for row in rows] == [(at, "yes", "yes") for at in (1, 2, 3, 4)]
    assert rows[0][3] == "at quiche receiver believes weak: 1"
    assert answer.numbers == {"sequential": 4}
    threat = solve(games.entry_game(), "enumerate").equilibria[1]
    (only,) = supporting_beliefs(threat).table
    assert only[1:3] == ("no", "no")
    assert "accommodate" in only[3]
