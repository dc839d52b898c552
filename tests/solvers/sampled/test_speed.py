"""What is recommended for a game whose tree does not fit, by measurement."""

from __future__ import annotations

import json

import pytest

from infoset import Play, game, games, solve
from infoset.errors import TooLarge
from infoset.rules.estimate import TreeSize
from infoset.solvers.sampling.speed import SamplingSpeeds, sampling_speeds, without_tree
from tests.cli.test_command import out, refusal


def test_external_sampling_where_its_iterations_are_short() -> None:
    speeds = sampling_speeds(games.kuhn(), 0.05)
    assert speeds.recommended == "external"
    assert min(speeds.rates.values()) > 0


def test_outcome_sampling_where_an_iteration_of_the_other_does_not_end() -> None:
    """A player has over 10^20 sequences of moves in one play."""
    speeds = sampling_speeds(games.goofspiel(cards=13), 0.05)
    assert speeds.rates["external"] == 0
    assert speeds.recommended == "outcome"
    assert "external sampling: less than 1" in str(speeds)


def test_a_rate_of_100_decides() -> None:
    assert SamplingSpeeds({"external": 110.0, "outcome": 9e5}).recommended == "external"
    assert SamplingSpeeds({"external": 90.0, "outcome": 300.0}).recommended == "outcome"


def test_solve_refuses_with_a_recommendation() -> None:
    with pytest.raises(TooLarge, match=r"sample\(game, 'outcome'\) needs no tree") as refused:
        solve(games.liars_dice(dice=2))
    assert "more than 10,000,000 nodes: by random probes about" in str(refused.value)


def test_the_error_has_the_size() -> None:
    with pytest.raises(TooLarge) as refused:
        games.liars_dice(dice=2).tree()
    assert isinstance(refused.value.size, TreeSize)
    assert refused.value.size.nodes.low > 10_000_000


def test_teams_are_not_sampled() -> None:
    """Its agents forget what each other knows, and sampling needs perfect recall."""

    @game(players={"team": ("east", "west"), "foe": ("foe",)})
    def bridge(g: Play) -> object:
        return g.win(g.choose("east", ("team", "foe")))

    assert without_tree(bridge()) == ""


def test_games_with_another_way() -> None:
    assert "solve(game.public()) needs no tree" in without_tree(games.leduc())
    assert "infoset.search.smab(game)" in without_tree(games.goofspiel)


def test_describe_gives_the_estimate(capsys: pytest.CaptureFixture[str]) -> None:
    said = out(capsys, "describe", "liars_dice", "dice=2")
    assert "about 14,800,000,000 nodes" in said
    assert "recommended: --method outcome-sampling" in said
    found = json.loads(out(capsys, "describe", "liars_dice", "dice=2", "--json"))
    assert found["estimated"]["nodes"]["estimate"] == pytest.approx(21**2 * (2**25 - 1) + 22)
    assert found["recommended"] == "outcome-sampling"


def test_the_command_names_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(capsys, "solve", "liars_dice", "dice=2")
    assert "raise --max-nodes" in said
    assert "--method outcome-sampling needs no tree" in said
    assert "--tree" not in refusal(capsys, "describe", "liars_dice", "--max-nodes", "5000")
