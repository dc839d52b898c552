"""Merging what is alike: how much there is, and that nothing is lost, seen slowly and plainly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from infoset import Game, Play, game
from infoset.forms.public.merge import MERGED, Merging, merged, merged_table, merging
from infoset.forms.public.record import (
    NOT_YET,
    Block,
    Decision,
    Meeting,
    PayoffTable,
    PublicCounts,
    PublicForm,
    PublicLeaf,
    sequence_matrices,
)
from infoset.games import kuhn, leduc
from infoset.linear.numbers import Numbers
from infoset.solvers.lp import find_public
from tests.oracles.public import public_form_of_tree
from tests.rules.random_games import random_rules

F = Fraction


class Told:
    """A play in which the players are told something else than the rules say."""

    def __init__(self, play: Play, tell: Callable[[Any], Any]) -> None:
        self.play, self.tell = play, tell

    def __getattr__(self, name: str) -> Any:
        return getattr(self.play, name)

    def reveal(self, players: Any, fact: Any) -> None:
        self.play.reveal(players, self.tell(fact))


def by_rank(suits: int, raises: int) -> Game:
    """Leduc hold'em in which a card is told by its rank."""

    @game(players=("one", "two"))
    def ranks(g: Play) -> object:
        told: Any = Told(g, lambda fact: getattr(fact, "rank", fact))
        return leduc.rules(told, suits=suits, raises=raises)

    return ranks()


def with_coins(rules: Any, seen: tuple[str, ...], names: tuple[str, ...]) -> Game:
    """The same rules after fair coins that do not matter, each seen by one player or by both."""

    @game(players=names)
    def coins(g: Play) -> object:
        for who in seen:
            coin = g.chance(("heads", "tails"))
            g.reveal(g.players if who == "both" else who, coin)
        return rules(g)

    return coins()


def form_of(one: Game) -> PublicForm:
    return public_form_of_tree(one.tree())


def best_reply(form: PublicForm, player: int, other: Numbers) -> Fraction:
    """The most that a player gets against a plan, set by set from the last to the first."""
    payoffs = sequence_matrices(form)[0]
    gains = (payoffs if player == 0 else payoffs.transposed).times(other).values()
    own, begins = form.decisions[player], form.begins[player].tolist()
    gains = [gain if player == 0 else -gain for gain in gains]
    for at in reversed(range(len(own))):
        decision = own[at]
        for s in range(len(decision)):
            best = max(gains[begins[at] + o * len(decision) + s] for o in range(len(decision.menu)))
            above = 0
            if decision.after != NOT_YET:
                size = len(own[decision.after])
                above = begins[decision.after] + decision.option * size + int(decision.before[s])
            gains[above] += best
    return F(gains[0])


def some_plan(form: PublicForm, player: int, seed: int) -> Numbers:
    """A plan with random shares, some of them zero."""
    random = np.random.default_rng(seed)
    weights = [F(1)] * form.sequences[player]
    own, begins = form.decisions[player], form.begins[player].tolist()
    for decision, begin in zip(own, begins, strict=True):
        size = len(decision)
        for s in range(size):
            probabilities = random.integers(0, 4, len(decision.menu)).tolist()
            probabilities = probabilities if any(probabilities) else [1] * len(probabilities)
            above = 0
            if decision.after != NOT_YET:
                above = begins[decision.after] + decision.option * len(own[decision.after])
                above += int(decision.before[s])
            for o, share in enumerate(probabilities):
                weights[begin + o * size + s] = weights[above] * F(share, sum(probabilities))
    return Numbers.of(weights)


def classes_by_definition(form: PublicForm) -> dict[tuple[int, int, int], int]:
    """The coarsest partition, by dictionaries of everything that a set has to do with."""
    sets = [
        (player, at, s)
        for player, own in enumerate(form.decisions)
        for at, decision in enumerate(own)
        for s in range(len(decision))
    ]
    crossings = [(end.last[0][0], end.last[1][0], end.table) for end in form.leaves]
    for player, own in enumerate(form.decisions):
        for at, decision in enumerate(own):
            for meeting in decision.meetings:
                met = (at, meeting.last[0]) if player == 0 else (meeting.last[0], at)
                crossings.append((*met, meeting.table))
    classes: dict[tuple[int, int, int], Any] = {one: one[:2] for one in sets}
    while True:
        sums: dict[Any, dict[Any, int]] = defaultdict(lambda: defaultdict(int))
        for number, (one, two, table) in enumerate(crossings):
            for block in form.tables[table].blocks:
                for (i, j), entry in np.ndenumerate(block.entries):
                    row, column = (0, one, int(block.rows[i])), (1, two, int(block.columns[j]))
                    sums[row][number, classes.get(column)] += int(entry)
                    sums[column][number, classes.get(row)] += int(entry)
        below: dict[Any, Counter[Any]] = defaultdict(Counter)
        for player, at, s in sets:
            decision = form.decisions[player][at]
            above = (player, decision.after, int(decision.before[s]))
            below[above][at, classes[player, at, s]] += 1
        marks = {}
        for player, at, s in sets:
            one, decision = (player, at, s), form.decisions[player][at]
            above = classes.get((player, decision.after, int(decision.before[s])))
            seen = frozenset((key, value) for key, value in sums[one].items() if value)
            marks[one] = (classes[one], above, frozenset(below[one].items()), seen)
        names: dict[Any, int] = {}
        finer = {one: names.setdefault(marks[one], len(names)) for one in sets}
        if len(names) == len(set(classes.values())):
            return finer
        classes = finer


def is_that_partition(found: Merging, classes: dict[tuple[int, int, int], int]) -> bool:
    pairs = {
        ((player, at, int(number)), classes[player, at, s])
        for player, own in enumerate(found.classes)
        for at, numbers in enumerate(own)
        for s, number in enumerate(numbers)
    }
    return len(pairs) == len({one for one, _ in pairs}) == len({two for _, two in pairs})


def nothing_is_lost(found: Merging, seed: int) -> None:
    """Any plans of the quotient earn and can gain in the whole what they earn and gain in it."""
    plans = [some_plan(found.form, player, seed + player) for player in (0, 1)]
    lifted = [found.lift(player, plan) for player, plan in enumerate(plans)]
    for form, (x, y) in ((found.form, plans), (found.whole, lifted)):
        payoffs, own, other = sequence_matrices(form)
        for weights, constraints in ((x, own), (y, other)):
            assert constraints.times(weights).values()[0] == 1
            assert not any(constraints.times(weights).values()[1:])
        earned = payoffs.times(y).times(x).total
        gained = best_reply(form, 0, y) - earned, best_reply(form, 1, x) + earned
        if form is found.form:
            expected = earned, gained
    assert (earned, gained) == expected
    assert min(gained) >= 0


def test_kuhn_has_nothing_to_merge() -> None:
    form = form_of(kuhn(ranks=4))
    assert merged(form) is form
    assert not merged(form).folded


def test_leduc_has_288_information_sets_by_rank() -> None:
    """936 sets with suits (the docstring of the game), 144 a player if ranks alone are told."""
    whole = form_of(leduc())
    assert whole.infosets == (468, 468)
    assert merged(whole).infosets == form_of(by_rank(2, raises=2)).infosets == (144, 144)
    assert merged(whole).counts == whole.counts


@pytest.mark.parametrize("suits", [2, 3])
def test_suits_of_leduc_merge_to_its_ranks(suits: int) -> None:
    found = merging(form_of(leduc(suits=suits, raises=1)))
    ranks = form_of(by_rank(suits, raises=1))
    assert found.whole.infosets == {2: (192, 192), 3: (450, 450)}[suits]
    assert found.form.infosets == ranks.infosets == (60, 60)
    assert merged(ranks) is ranks
    assert (
        find_public(found.form).value == find_public(ranks).value == find_public(found.whole).value
    )
    nothing_is_lost(found, seed=suits)


def test_two_ranks_that_only_pairs_tell_apart_are_one() -> None:
    """With two ranks both cards pair, or one of them does: which rank it is does not matter."""
    form = form_of(leduc(ranks=2, raises=1))
    assert form.infosets == (80, 80)
    assert merged(form).infosets == (14, 14)
    assert find_public(merged(form)).value == find_public(form).value


def test_what_is_merged_stands_for_what_it_was_and_keeps_its_words() -> None:
    whole = replace(form_of(leduc(raises=1)), folded="nothing of note")
    form = merged(whole)
    assert form.folded == f"nothing of note; {MERGED}"
    for own, before in zip(form.decisions, whole.decisions, strict=True):
        for new, old in zip(own, before, strict=True):
            assert new.stands_for.sum() == len(old)
            assert set(new.words) <= set(old.words)
            assert (new.menu, new.after, new.option) == (old.menu, old.after, old.option)
    first = form.decisions[0][0]
    assert first.stands_for.tolist() == [2, 2, 2]
    again = merged(replace(form, folded=""))
    assert not again.folded  # what is merged has nothing more to merge


def test_chance_meets_as_often_as_before() -> None:
    found = merging(form_of(leduc(raises=1)))
    for new, old in zip(found.form.decisions[1], found.whole.decisions[1], strict=True):
        for met, before in zip(new.meetings, old.meetings, strict=True):
            summed = [
                sum(int(block.entries.sum()) for block in form.tables[one.table].blocks)
                for form, one in ((found.form, met), (found.whole, before))
            ]
            assert summed[0] == summed[1]
            assert (met.last, met.factor) == (before.last, before.factor)


@pytest.mark.parametrize("seen", [("gambler",), ("gambler", "dealer"), ("both",)])
def test_a_coin_that_does_not_matter_is_forgotten(seen: tuple[str, ...]) -> None:
    plain = form_of(kuhn())
    found = merging(form_of(with_coins(kuhn.rules, seen, ("gambler", "dealer"))))
    assert found.whole.infosets != plain.infosets
    assert found.form.infosets == plain.infosets
    assert find_public(found.form).value == F(-1, 18)
    nothing_is_lost(found, seed=7)


def test_a_coin_that_is_paid_for_is_not_forgotten() -> None:
    @game(players=("gambler", "dealer"))
    def paid(g: Play) -> object:
        coin = g.chance((0, 1))
        g.reveal("gambler", coin)
        move = g.choose("gambler", ("stay", "go"))
        guess = g.choose("dealer", ("stay", "go"))
        return g.win("gambler", 1 + coin if move == guess else -1)

    assert merging(form_of(paid())).infosets == (2, 1)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), depth=st.integers(2, 5), coins=st.integers(0, 3))
def test_random_games(seed: int, depth: int, coins: int) -> None:
    names = ("ann", "bob")
    family = random_rules(seed, 2, depth)
    seen = ((), ("ann",), ("ann", "bob"), ("both",))[coins]
    one = with_coins(family.rules, seen, names)
    assume(one.tree().perfect_recall and one.tree().counts.nodes < 2_000)
    found = merging(form_of(one))
    assert is_that_partition(found, classes_by_definition(found.whole))
    assert found.form.infosets == merged(form_of(family())).infosets
    assert find_public(found.form).value == find_public(found.whole).value
    nothing_is_lost(found, seed)


def test_the_classes_are_those_of_the_definition() -> None:
    form = form_of(leduc(raises=1))
    assert is_that_partition(merging(form), classes_by_definition(form))


def alone(player: int, sets: int, options: int) -> Decision:
    """A decision before which there is none."""
    zeros = np.zeros(sets, np.int64)
    return Decision(player, tuple(range(options)), NOT_YET, 0, zeros, zeros + 1, [()] * sets, ())


def patchwork(seed: int) -> PublicForm:
    """No game's form, but a form: sets have colours, and mostly what they meet goes by colour."""
    random = np.random.default_rng(seed)
    colours: dict[tuple[int, int], Any] = {(player, NOT_YET): [0] for player in (0, 1)}
    decisions: tuple[list[Decision], list[Decision]] = ([], [])
    for player, own in enumerate(decisions):
        for at in range(random.integers(1, 4)):
            size, after = int(random.integers(1, 7)), int(random.integers(-1, at)) if at else -1
            before = np.zeros(size, np.int64)
            if after >= 0:
                before = np.arange(size) % len(own[after])
                before = random.permutation(before) if random.integers(2) else before
            made = replace(alone(player, size, 2), after=after, before=before)
            own.append(replace(made, option=int(random.integers(2)) if after >= 0 else 0))
            colours[player, at] = np.sort(random.integers(0, 2, size)).tolist()
    tables = []

    def table(one: int, two: int) -> int:
        coloured = random.integers(-1, 2, (2, 2))
        rows, columns = colours[0, one], colours[1, two]
        blocks = []
        for _ in range(random.integers(1, 3)):
            parts = [np.flatnonzero(random.integers(0, 4, len(sets))) for sets in (rows, columns)]
            entries = [[coloured[rows[i], columns[j]] for j in parts[1]] for i in parts[0]]
            shape = (len(parts[0]), len(parts[1]))
            blocks.append(Block(*parts, np.array(entries, np.int64).reshape(shape)))
        tables.append(PayoffTable(tuple(blocks)))
        return len(tables) - 1

    def some(player: int) -> int:
        return int(random.integers(-1, len(decisions[player])))

    leaves = [
        PublicLeaf(((one, int(one >= 0)), (two, int(two >= 0))), table(one, two), F(1, 3))
        for one, two in ((some(0), some(1)) for _ in range(random.integers(1, 4)))
    ]
    for player, own in enumerate(decisions):
        for at in range(len(own)):
            if random.integers(3) == 0:
                last = some(1 - player)
                met = table(*((at, last) if player == 0 else (last, at)))
                own[at] = replace(own[at], meetings=(Meeting((last, 0), met, F(1, 5)),))
    counts = PublicCounts(0, 0, 0, (0, 0), (0, 0), (0, 0))
    made = (tuple(decisions[0]), tuple(decisions[1]))
    return PublicForm("cloth", ("one", "two"), made, tuple(tables), tuple(leaves), F(0), counts)


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_forms_of_no_game(seed: int) -> None:
    """Where chance probabilities do not say already what follows what, and how often."""
    found = merging(patchwork(seed))
    assert is_that_partition(found, classes_by_definition(found.whole))
    nothing_is_lost(found, seed)


def test_what_follows_different_sets_is_different() -> None:
    first, later = alone(0, 2, 2), replace(alone(0, 2, 2), after=0, before=np.arange(2))
    paid = PayoffTable((Block(np.arange(2), np.zeros(1, np.int64), np.array([[1], [2]])),))
    form = PublicForm(
        name="two steps",
        players=("one", "two"),
        decisions=((first, later), ()),
        tables=(paid,),
        leaves=(PublicLeaf(((0, 1), (NOT_YET, 0)), 0, F(1)),),
        total=F(0),
        counts=PublicCounts(0, 0, 0, (0, 0), (0, 0), (0, 0)),
    )
    assert merging(form).infosets == (4, 0)
    again = replace(later, before=np.zeros(2, np.int64))
    assert merging(replace(form, decisions=((first, again), ()))).infosets == (3, 0)


def test_sets_that_more_sets_follow_are_different() -> None:
    later = replace(alone(0, 3, 2), after=0, before=np.array([0, 0, 1]))
    form = replace(patchwork(0), decisions=((alone(0, 2, 2), later), ()), tables=(), leaves=())
    assert merging(form).infosets == (4, 0)
    level = replace(later, before=np.array([1, 0, 1, 0]), stands_for=np.ones(4, np.int64))
    assert merging(replace(form, decisions=((alone(0, 2, 2), level), ()))).infosets == (2, 0)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_blocks_of_the_same_sets_add_up(seed: int) -> None:
    random = np.random.default_rng(seed)
    form = form_of(leduc(ranks=2, raises=1))

    def in_parts(block: Block) -> tuple[Block, Block]:
        part = random.integers(-5, 6, block.entries.shape)
        order = random.permutation(len(block.rows))
        rest = (block.entries - part)[order]
        return replace(block, entries=part), replace(block, rows=block.rows[order], entries=rest)

    tables = tuple(
        PayoffTable(tuple(part for block in table.blocks for part in in_parts(block)))
        for table in form.tables
    )
    found = merging(replace(form, tables=tables))
    assert found.form.infosets == (14, 14)
    assert find_public(found.form).value == find_public(form).value


@pytest.mark.parametrize("scale", [1 << 57, 1 << 61, 1 << 64, 3 << 70])
def test_entries_that_do_not_fit_are_summed_exactly(scale: int) -> None:
    form = form_of(leduc(ranks=2, raises=1))

    def large(entries: Any) -> Any:
        whole = entries.astype(object) * scale
        return whole.astype(np.int64) if np.abs(whole).max() < 1 << 63 else whole

    tables = tuple(
        PayoffTable(tuple(replace(block, entries=large(block.entries)) for block in table.blocks))
        for table in form.tables
    )
    leaves = tuple(replace(end, factor=end.factor / scale) for end in form.leaves)
    scaled = replace(form, tables=tables, leaves=leaves)
    plain, found = merging(form), merging(scaled)
    assert found.form.infosets == (14, 14)
    assert found.form.infosets == plain.form.infosets
    assert find_public(found.form).value == find_public(form).value


def test_rows_that_are_equal_modulo_a_word_are_told_apart() -> None:
    """Random weights are blind to multiples of 2^64; exact sums are not."""
    entries = np.array([[0, 1], [1 << 64, 1], [0, 1]], object)
    form = PublicForm(
        name="large",
        players=("one", "two"),
        decisions=((alone(0, 3, 2),), ()),
        tables=(PayoffTable((Block(np.arange(3), np.zeros(2, np.int64), entries),)),),
        leaves=(PublicLeaf(((0, 1), (NOT_YET, 0)), 0, F(1)),),
        total=F(0),
        counts=PublicCounts(0, 0, 0, (0, 0), (0, 0), (0, 0)),
    )
    assert [part.tolist() for part in merging(form).classes[0]] == [[0, 1, 0]]
    assert merged(form).tables[0].blocks[0].entries.tolist() == [[2], [(1 << 64) + 1]]


def test_sums_beyond_int64_become_python_integers() -> None:
    large = 1 << 62
    block = Block(np.arange(2), np.arange(2), np.full((2, 2), large))
    table = merged_table(PayoffTable((block, block)), np.zeros(2, np.int64), np.zeros(2, np.int64))
    assert [part.entries.tolist() for part in table.blocks] == [[[8 * large]]]


def regrets_matched(form: PublicForm, rounds: int) -> list[np.ndarray]:
    """The last plans of plain counterfactual regret minimization, both players at a time."""
    payoffs = sequence_matrices(form)[0].floats
    probabilities = [
        [np.full((len(d.menu), len(d)), 1 / len(d.menu)) for d in own] for own in form.decisions
    ]
    regrets = [[np.zeros((len(d.menu), len(d))) for d in own] for own in form.decisions]
    plans = [np.ones(size) for size in form.sequences]
    for _ in range(rounds):
        for player, own in enumerate(form.decisions):
            for at, d in enumerate(own):
                here = form.begins[player][at]
                above = np.zeros(len(d), np.int64)
                if d.after != NOT_YET:
                    size = len(own[d.after])
                    above = form.begins[player][d.after] + d.option * size + d.before
                weights = probabilities[player][at] * plans[player][above]
                plans[player][here : here + weights.size] = weights.ravel()
        gains = [payoffs @ plans[1], -(payoffs.T @ plans[0])]
        for player, own in enumerate(form.decisions):
            for at in reversed(range(len(own))):
                d, here = own[at], form.begins[player][at]
                values = gains[player][here : here + len(d) * len(d.menu)].reshape(-1, len(d))
                mean = (values * probabilities[player][at]).sum(axis=0)
                regrets[player][at] += values - mean
                good = np.maximum(regrets[player][at], 0)
                total = good.sum(axis=0)
                even = np.full_like(good, 1 / len(good))
                probabilities[player][at] = np.where(
                    total > 1e-12, good / np.maximum(total, 1e-12), even
                )
                if d.after != NOT_YET:
                    above = form.begins[player][d.after] + d.option * len(own[d.after]) + d.before
                    np.add.at(gains[player], above, mean)
    return plans


def test_regret_minimization_goes_the_same_way_on_both() -> None:
    """Regrets of a class are those of a member times their number: the same shares follow."""
    found = merging(form_of(leduc(raises=1)))
    small, large = regrets_matched(found.form, 12), regrets_matched(found.whole, 12)
    for player in (0, 1):
        lifted = small[player][found.sequences[player]]
        assert lifted == pytest.approx(large[player], abs=1e-9)
        assert len(set(np.round(lifted, 6))) > 10
