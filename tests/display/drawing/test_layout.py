"""Where things are: on which level, in which order, and never on each other."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import solve
from infoset.display.drawing import draw
from infoset.display.drawing.compose import compose
from infoset.display.drawing.layout import levels, ties
from infoset.display.drawing.plan import ACROSS, DOWN, lengthened, ordered, plan
from infoset.display.drawing.scene import Capsule, Disc, Square, Stroke
from infoset.display.drawing.skeleton import skeleton, together
from infoset.games import (
    absent_minded,
    beer_quiche,
    centipede,
    entry_game,
    goofspiel,
    inspection,
    koller_megiddo_von_stengel,
    kuhn,
    leduc,
    liars_dice,
    oil_pricing,
    oshi_zumo,
    prisoners_dilemma,
    seltens_horse,
    tricks,
)
from infoset.strategy import profile, uniform
from infoset.tree import Tree
from infoset.tree.builder import Builder
from tests.display.drawing.overlaps import outside, overlaps
from tests.rules.random_games import random_rules

GAMES = (
    kuhn(),
    beer_quiche(),
    seltens_horse(),
    koller_megiddo_von_stengel(),
    prisoners_dilemma(),
    inspection(),
    absent_minded(),
    centipede(),
    entry_game(),
    leduc(),
    goofspiel(cards=4),
    liars_dice(sides=2),
    oil_pricing(),
    tricks(),
)


def both(tree: Tree):
    yield tree
    yield profile(uniform(tree, player) for player in tree.names)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_no_words_overlap_and_nothing_is_cut_off(game) -> None:
    for subject in both(game.tree()):
        for orientation in (DOWN, ACROSS):
            scene = draw(subject, orientation=orientation).scene
            assert overlaps(scene) == []
            assert outside(scene) == []


@settings(max_examples=15, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(1, 3),
    st.booleans(),
    st.booleans(),
    st.sampled_from((DOWN, ACROSS)),
)
def test_random_trees(seed: int, players: int, forgetful: bool, fold: bool, way: str) -> None:
    tree = random_rules(seed, players=players, depth=3, forgetful=forgetful)().tree()
    for subject in both(tree):
        scene = draw(subject, orientation=way, fold=fold).scene
        assert overlaps(scene) == []
        assert outside(scene) == []
        if not fold:
            assert_complete(tree, scene)


def assert_complete(tree: Tree, scene) -> None:
    """Every inner node has a mark, every edge a line, every set of several a tie."""
    inner = [node.index for node in tree.nodes if not node.is_leaf]
    assert sorted(mark.tag.node for mark in scene.of("node")) == inner
    assert sorted(mark.tag.node for mark in scene.of("edge")) == list(range(1, len(tree)))
    for mark in scene.of("node"):
        assert isinstance(mark, Square if tree.nodes[mark.tag.node].is_chance else Disc)
    tied = {mark.tag.infoset for mark in scene.of("infoset")}
    assert tied == {infoset.index for infoset in tree.infosets if len(infoset) > 1}


@pytest.mark.parametrize("game", GAMES[:9], ids=repr)
def test_everything_is_drawn_once(game) -> None:
    assert_complete(game.tree(), draw(game, orientation=DOWN).scene)


def test_ovals_and_links_reach_every_member() -> None:
    tree = kuhn().tree()
    scene = draw(tree, orientation=DOWN).scene
    discs = {mark.tag.node: mark for mark in scene.of("node")}
    for infoset in tree.infosets:
        marks = [mark for mark in scene.of("infoset") if mark.tag.infoset == infoset.index]
        members = [discs[node.index] for node in infoset.nodes]
        if isinstance(marks[0], Capsule):
            left, top, right, bottom = marks[0].box
            assert all(
                left <= disc.box[0]
                and disc.box[2] <= right
                and top <= disc.box[1]
                and disc.box[3] <= bottom
                for disc in members
            )
        else:
            assert len(marks) == len(members) - 1
            endpoints = [point for mark in marks for point in (mark.points[0], mark.points[-1])]
            for disc in members:
                assert any(
                    (x - disc.centre[0]) ** 2 + (y - disc.centre[1]) ** 2 <= disc.radius**2 + 0.1
                    for x, y in endpoints
                )


def test_the_members_of_a_set_share_a_level() -> None:
    shape = skeleton(seltens_horse().tree(), None, False, 200)
    level = ordered(shape).level
    for one in shape.sets:
        assert len({level[at] for at in one.members}) == 1
    assert max(level) == 3  # three's set stands on level 2, though one of its nodes could on 1


@given(st.data())
def test_what_is_tied_together_stands_side_by_side(data) -> None:
    count = data.draw(st.integers(1, 14))
    parents = [-1]
    for at in range(1, count):  # depth first: below the last node or one of those above it
        above = at - 1
        for _ in range(data.draw(st.integers(0, 3))):
            above = parents[above] if parents[above] >= 0 else above
        parents.append(above)
    some = st.frozensets(st.integers(0, 4), min_size=1, max_size=3)
    inside = {at: data.draw(some) for at in range(count) if data.draw(st.booleans())}
    groups = together(parents, inside)
    assert sorted(at for group in groups for at in group) == sorted(inside)
    level = levels(parents, [group for group in groups if len(group) > 1])
    forgetful = any(
        len({inside[at] for at in group}) == 1 and len({level[at] for at in group}) > 1
        for group in groups
    )
    for group in groups:
        assert group == sorted(group)
        if not forgetful:  # those may be met in either order with any other
            assert len({level[at] for at in group}) == 1
    same = {sets: {at for at in inside if inside[at] == sets} for sets in inside.values()}
    if len(same) == len({one for sets in same for one in sets}) == sum(map(len, same)):
        assert sorted(map(sorted, same.values())) == groups  # nothing folded: as the sets are


def test_a_tie_that_leads_over_another_level_is_none() -> None:
    # 1 and 4 have nothing in common but with 3, which comes after another one of them.
    parents = [-1, 0, 0, 2, 0]
    inside = {1: {1}, 2: {9}, 3: {1, 2, 9}, 4: {2}}
    found = together(parents, {at: frozenset(sets) for at, sets in inside.items()})
    assert found == [[1], [2], [3], [4]]


def test_a_set_on_two_levels_is_tied_on_each_and_once_between() -> None:
    """What a player who forgets may come to: its nodes are side by side, and below each other."""
    b = Builder(players=("one", "two"), name="forgetful")
    for above in b.decide(0, "two", ("l", "m", "r")):
        for first in b.decide(above, "one", ("x", "y"), infoset=1):
            for end in b.decide(first, "one", ("x", "y"), infoset=1):
                b.pay(end, (1, 0))
    marks = list(draw(b.build(), orientation=DOWN).scene.of("infoset"))
    assert sum(isinstance(mark, Capsule) for mark in marks) == 2
    assert sum(isinstance(mark, Stroke) for mark in marks) == 1


def test_a_folded_picture_has_no_ties_from_level_to_level() -> None:
    shape = skeleton(tricks().tree(), None, True, 120)
    level = ordered(shape).level
    assert any(len(one.members) > 2 for one in shape.sets)
    for one in shape.sets:
        assert len({level[at] for at in one.members}) == 1
    scene = draw(tricks(), most=120, orientation=DOWN).scene
    discs = [mark for mark in scene.of("node") if isinstance(mark, Disc)]
    assert sum(isinstance(mark, Capsule) for mark in scene.of("infoset")) >= 5
    for link in (mark for mark in scene.of("infoset") if isinstance(mark, Stroke)):
        endpoints = {link.points[0], link.points[-1]}
        for x, y in set(link.points) - endpoints:  # it runs beside the nodes, not through them
            assert all((x - d.centre[0]) ** 2 + (y - d.centre[1]) ** 2 > 64 for d in discs)


@pytest.mark.parametrize("way", [DOWN, ACROSS])
def test_labels_are_as_long_as_there_is_room(way: str) -> None:
    answer = solve(oshi_zumo())
    shape = skeleton(answer.tree, answer.profile, True, 200)
    short = plan(shape, ordered(shape), way, 60.0)
    long = lengthened(short)
    grown = 0
    for before, after in zip(short.captions, long.captions, strict=True):
        assert replace(after, label=before.label) == before
        assert len(after.label) >= len(before.label)
        grown += after.label != before.label
    assert grown > 5
    scene = compose(long)
    assert overlaps(scene) == []
    assert outside(scene) == []
    assert (scene.width, scene.height) == (compose(short).width, compose(short).height)


def test_absent_mindedness_gives_the_level_up() -> None:
    tree = absent_minded().tree()
    shape = skeleton(tree, None, False, 200)
    assert ordered(shape).level == [0, 1, 2, 2, 1, 2, 2]
    curves = [mark for mark in draw(tree).scene.of("infoset") if isinstance(mark, Stroke)]
    assert len(curves) == 1


def test_sets_that_are_met_in_either_order_do_not_loop() -> None:
    #        0            1 and 4 are one set, 2 and 3 another: each is above the other once
    parents = [-1, 0, 1, 0, 3]
    found = levels(parents, [(1, 4), (2, 3)])
    assert all(found[node] > found[above] for node, above in enumerate(parents) if above >= 0)
    assert found[1] == found[4] or found[2] == found[3]


@given(st.data())
def test_levels_are_below_parents_and_shared_where_they_are_kept(data) -> None:
    count = data.draw(st.integers(1, 12))
    parents = [-1] + [data.draw(st.integers(0, at - 1)) for at in range(1, count)]
    owner = [data.draw(st.integers(0, 3)) for _ in range(count)]
    sets = [[at for at in range(count) if owner[at] == one] for one in range(4)]
    found = levels(parents, [members for members in sets if len(members) > 1])
    assert found[0] == 0
    assert all(found[at] > found[parents[at]] for at in range(1, count))


def test_kuhn_has_no_crossing_links_and_the_cards_of_the_first_player_in_ovals() -> None:
    order = ordered(skeleton(kuhn().tree(), None, False, 200))
    assert sum(tied.crossings for tied in order.ties.values()) == 0
    assert len(order.ties[1].ovals) == len(order.ties[3].ovals) == 3


def turns_left(a, b, c) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])


def meet(one: Stroke, two: Stroke) -> bool:
    """Do two links cross, as they are drawn? Their control points are near enough to the curves."""
    return any(
        turns_left(a, b, c) != turns_left(a, b, d) and turns_left(c, d, a) != turns_left(c, d, b)
        for a, b in pairwise(one.points)
        for c, d in pairwise(two.points)
    )


@pytest.mark.parametrize("way", [DOWN, ACROSS])
def test_the_links_of_kuhn_do_not_cross_on_the_page(way: str) -> None:
    links = [m for m in draw(kuhn(), orientation=way).scene.of("infoset") if isinstance(m, Stroke)]
    assert len(links) == 6  # what the dealer knows after a pass, and after a bet
    assert not any(meet(one, two) for at, one in enumerate(links) for two in links[:at])


def test_only_chance_branches_change_places() -> None:
    shape = skeleton(liars_dice(sides=2).tree(), None, False, 200)
    arrangement = ordered(shape).arrangement
    moved = [
        drawn
        for drawn, below in zip(shape.nodes, arrangement.children, strict=True)
        if below != sorted(below)
    ]
    assert moved
    assert all(drawn.kind < 0 for drawn in moved)


@given(st.lists(st.integers(0, 4), min_size=2, max_size=14))
def test_links_that_overlap_have_different_tracks(owners: list[int]) -> None:
    row = [(one, [at for at, owner in enumerate(owners) if owner == one]) for one in range(5)]
    places = dict(entry for entry in row if len(entry[1]) > 1)
    found = ties(list(places.items()))
    assert sorted((*found.ovals, *(link.number for link in found.links))) == sorted(places)
    for one in found.links:
        for two in found.links:
            if one.number < two.number and (one.side, one.track) == (two.side, two.track):
                first, second = places[one.number], places[two.number]
                assert first[-1] <= second[0] or second[-1] <= first[0]


def test_parents_are_centred_and_leaves_evenly_spaced() -> None:
    shape = skeleton(prisoners_dilemma().tree(), None, False, 200)
    found = plan(shape, ordered(shape), ACROSS)
    assert found.across[0] == pytest.approx((found.across[1] + found.across[4]) / 2)
    assert found.across[1] == pytest.approx((found.across[2] + found.across[3]) / 2)
    assert found.across[3] - found.across[2] == pytest.approx(found.across[6] - found.across[5])


def test_a_page_wide_at_most_where_that_can_be_had() -> None:
    assert draw(kuhn()).scene.width <= 900
    assert draw(kuhn(ranks=5)).scene.width <= 900
    assert draw(centipede()).scene.height < draw(centipede()).scene.width  # no long strip


def test_lines_thicken_with_reach() -> None:
    tree = beer_quiche().tree()
    played = profile(uniform(tree, player) for player in tree.names)
    reach = played.reach(list(range(len(tree)))).floats
    lines = sorted((reach[mark.tag.node], mark.width) for mark in draw(played).scene.of("edge"))
    for (less, thin), (more, thick) in pairwise(lines):
        assert thin < thick if less < more - 1e-9 else thin == pytest.approx(thick)
    assert all(1 <= width <= 7 for _, width in lines)
