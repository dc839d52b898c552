"""Vectorized runs and public forms: estimates against exact counts, and early refusals."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from infoset import Play, games, memory
from infoset.errors import TooLarge
from infoset.rules import Game
from infoset.rules.estimate import TreeSize
from infoset.rules.moves import DealsByNumber, deal_lottery
from infoset.rules.running import Limits
from infoset.vectorized.estimate import FormProbes
from infoset.vectorized.explore import VectorizedPlay
from tests.vectorized.compare import blocks_of, family

FORMS = [
    games.kuhn(ranks=30),
    games.leduc(),
    games.leduc(ranks=5, suits=3),
    games.poker(cash=6),
    games.poker(ranks=6, cards=2, cash=4),
    games.rhode_island(ranks=3, suits=2),
    games.holdem(one="AA KK QQ", two="KK 99 87s"),
    games.holdem(board="Td9d6hQc", one="AA KK", two="KK 99", bets=(1,)),
]


def rows(run: VectorizedPlay) -> int:
    """All rows of chance histories that the blocks of a run have."""
    histories = {id(block.deals.histories): block.deals.histories for block in run.blocks}
    return sum(map(len, histories.values()))


@pytest.mark.parametrize("fold", [False, True])
@pytest.mark.parametrize("member", FORMS, ids=repr)
def test_lower_ends_are_below_the_exact_numbers(member: Game, fold: bool) -> None:
    probes = FormProbes(member, Limits(), fold=fold)
    probes.add(64, 60.0)
    deals, blocks, sequences = probes.held()
    run = blocks_of(member, fold=fold)
    exact = sum(member.public(fold=fold).sequences) - 2
    assert deals.number.low <= rows(run)
    assert blocks.number.low <= len(run.blocks)
    assert sequences.number.low <= exact
    if not fold:  # they are estimates, not only bounds
        assert deals.number.estimate == pytest.approx(rows(run), rel=0.1)
        assert blocks.number.estimate == pytest.approx(len(run.blocks), rel=0.3)
        assert 0.5 * exact <= sequences.number.high


def test_hidden_moves_are_not_counted_as_sequences() -> None:
    def hidden(g: Play) -> object:
        card = g.deal(range(50), 1)
        g.reveal("ann", card)
        for _ in range(3):
            g.choose("ann", range(20))
        return g.choose("bob", (0, 1)), 0

    probes = FormProbes(family(hidden), Limits())
    probes.add(16, 60.0)
    _, blocks, sequences = probes.held()
    own = 50 * (20 + 20**2 + 20**3)
    assert sequences.number.estimate == pytest.approx(own + 2, rel=0.001)
    assert blocks.number.estimate == pytest.approx(1 + 1 + 20 + 400 + 3 * 8000, rel=0.001)


@pytest.mark.parametrize("sizes", [(1, 1), (2, 2), (0, 2, 1), (3,)])
@pytest.mark.parametrize("as_hands", [False, True])
def test_deals_by_their_number(sizes: tuple[int, ...], as_hands: bool) -> None:
    deck = tuple("abcdef")
    assert list(DealsByNumber(deck, sizes, as_hands)) == list(
        deal_lottery(deck, sizes, as_hands).outcomes
    )


@pytest.mark.parametrize(
    ("member", "nodes"),
    [
        (games.kuhn(ranks=2000), 9 * 2000 * 1999 + 1),
        (games.poker(ranks=13, suits=4, cards=2), 1_326 * 1_225 * 9 + 1),
        (games.kuhn(ranks=100_000), 9 * 100_000 * 99_999 + 1),
    ],
    ids=repr,
)
def test_large_deals_are_estimated_without_being_listed(member: Game, nodes: int) -> None:
    began = time.thread_time()
    size = member.size()
    assert size.nodes.low <= nodes <= size.nodes.high
    assert time.thread_time() - began < 10  # listing them takes minutes, or never ends


def refused(build: Callable[[], object]) -> TooLarge:
    """The refusal of a build, which comes soon."""
    began = time.thread_time()
    with pytest.raises(TooLarge) as found:
        build()
    assert time.thread_time() - began < 10
    return found.value


HUGE_TURN = games.holdem(board="Td9d6hQc", stack=9000, bets=(0.1, 0.2, 0.5, 1, 2), raises=9)


@pytest.mark.parametrize(
    "member", [games.kuhn(ranks=2000), games.poker(cash=30), HUGE_TURN], ids=repr
)
def test_trees_are_refused_before_they_are_built(member: Game) -> None:
    large = refused(member.tree)
    assert "more than 10,000,000 nodes: by random probes about" in str(large)
    assert large.size.nodes.low > 10_000_000


@pytest.mark.parametrize(
    "member", [games.kuhn(ranks=20_000), games.poker(cash=30), HUGE_TURN], ids=repr
)
def test_public_forms_are_refused_before_they_are_built(
    member: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "available", lambda: 3 * 2**30)
    large = refused(member.public)
    assert str(large).count(repr(member)) == 1
    assert "GiB are free" in str(large)
    assert large.size.nodes.estimate > 10_000_000


def test_what_fits_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[TreeSize] = []
    monkeypatch.setattr("infoset.vectorized.estimate.SLOW", 0.0)
    monkeypatch.setattr("infoset.rules.estimate.SLOW", 0.0)
    form = games.leduc().public(expect=told.append)
    assert form.counts.nodes == 9451
    assert told[-1].nodes.low <= 9451 <= told[-1].nodes.high
    assert len(games.leduc().tree(9451)) == 9451


def test_small_games_make_no_probe() -> None:
    runs = [0]

    def rules(g: Play) -> object:
        runs[0] += 1
        card = g.deal(range(100), 1)
        g.reveal("ann", card)
        return g.choose("ann", (0, 1)) * card, 0

    assert blocks_of(family(rules)).runs == runs[0] == 2
