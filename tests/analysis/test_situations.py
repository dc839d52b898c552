"""What is public and what is private, against what the rules of known games say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import game, load, profile, save, solve, uniform
from infoset.analysis import strategy_csv, unreached
from infoset.analysis.equilibria import strategy_summary
from infoset.analysis.public_states import public_states
from infoset.analysis.situations import merged, situations
from infoset.games import (
    battleships,
    beer_quiche,
    blind_tic_tac_toe,
    goofspiel,
    inspection,
    kuhn,
    leduc,
    oil_pricing,
    poker,
)
from infoset.objects import Deck
from infoset.strategy import pure
from infoset.text import ranked, text
from infoset.tree.files.efg import read_efg, write_efg
from tests.rules.random_games import random_rules


def seen(tree, player):
    return [(one.title, one.names) for one in situations(tree, player)]


CARDS = ["6", "7", "8", "9", "10", "J", "Q", "K"]


def test_koller_pfeffer_1997_figures_17_and_18():
    tree = poker(ranks=8).tree()
    assert seen(tree, "gambler") == [("at the start", CARDS), ("[pass], bet 1", CARDS)]
    assert seen(tree, "dealer") == [("pass", CARDS), ("bet 1", CARDS)]


def test_a_board_card_is_public_although_it_is_told_to_each_player_apart():
    groups = situations(leduc().tree(), "one")
    assert len(groups) == 3 + 6 * 5 * 3  # 3 in the first round; 5 ways into the second, 3 in it
    by_title = {one.title: one.names for one in groups}
    assert by_title["at the start"] == ["J♠", "J♥", "Q♠", "Q♥", "K♠", "K♥"]
    assert by_title["[raise], call, Q♥"] == ["J♠", "J♥", "Q♠", "K♠", "K♥"]


def test_simultaneous_bids_are_private_until_they_are_shown():
    assert all(names == ["nothing private"] for _, names in seen(goofspiel().tree(), "player 2"))
    hidden = dict(seen(goofspiel(cards=4, reveal="winner").tree(), "player 2"))
    assert hidden["player 1 wins 4"] == ["[1]", "[2]", "[3]"]


def test_sets_with_different_options_stand_together():
    tree = goofspiel(cards=4, reveal="winner").tree()
    one = next(one for one in situations(tree, "player 2") if one.title == "player 1 wins 4")
    assert one.actions == ("1", "2", "3", "4")


def test_a_type_is_private_and_what_it_ate_is_public():
    tree = beer_quiche().tree()
    assert seen(tree, "sender") == [("at the start", ["strong", "weak"])]
    assert seen(tree, "receiver") == [
        ("beer", ["nothing private"]),
        ("quiche", ["nothing private"]),
    ]


def test_inspections_are_public():
    assert [title for title, _ in seen(inspection().tree(), "inspector")] == [
        "at the start",
        "[wait]",
    ]


def test_own_moves_that_a_price_gives_away_are_public_and_others_are_not():
    by_title = dict(seen(oil_pricing().tree(), "north"))
    assert by_title["price 6"] == ["cost 1, [2]", "cost 1, [3]", "cost 3, [2]", "cost 3, [3]"]
    assert by_title["[2], price 7"] == ["cost 1", "cost 3"]


def test_a_hidden_fleet_is_a_later_move_of_ones_own():
    titles = [title for title, _ in seen(battleships().tree(), "first")]
    assert titles[:2] == ["at the start", "own move 2"]


@game(players=("one", "two"))
def told(g, how="both"):
    """Chance tosses a coin and tells one player, each of the two, or each with other words."""
    side = g.chance(("heads", "tails"))
    if how == "both":
        g.reveal(g.players, side)
    elif how == "each":
        g.reveal("one", side)
        g.reveal("two", f"it is {side}")
    else:
        g.reveal("one", side)
    g.choose("one", ("left", "right"))
    return g.win("one")


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("both", [("heads", ["nothing private"]), ("tails", ["nothing private"])]),
        ("each", [("heads", ["nothing private"]), ("tails", ["nothing private"])]),
        ("one", [("at the start", ["heads", "tails"])]),
    ],
)
def test_what_the_other_is_told_decides_even_if_it_never_moves(how, expected):
    assert seen(told(how=how).tree(), "one") == expected


@pytest.mark.parametrize("family", [kuhn, leduc, beer_quiche, goofspiel, inspection])
def test_a_file_that_knows_no_reveals_gives_the_same_situations(family):
    tree = family().tree()
    read = read_efg(write_efg(tree))
    assert read.knowing is None
    for player in tree.names:
        mine, theirs = (situations(one, player) for one in (tree, read))
        assert np.array_equal(mine.group, theirs.group)
        for one, two in zip(mine, theirs, strict=True):
            assert sorted(one.names) == sorted(two.names)


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(2, 3), st.booleans())
def test_every_set_is_in_one_situation_and_words_are_split_without_loss(seed, players, forgetful):
    tree = random_rules(seed, players, 5, forgetful)().tree()
    for player in tree.names:
        groups = situations(tree, player)
        found = np.concatenate([one.found for one in groups]) if len(groups) else []
        assert (
            sorted(found)
            == np.flatnonzero(tree.infoset_player == tree.player_number(player)).tolist()
        )
        for one in groups:
            for infoset, private in zip(one.infosets, one.private, strict=True):
                known = tree.knowing.words(int(tree.knowing.state[infoset.index]))
                assert sorted([*one.public, *private]) == sorted(map(str, known))


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(2, 3))
def test_nobody_takes_one_situation_for_another(seed, players):
    """What makes it common knowledge: wherever one may be, the situation is the same."""
    tree = random_rules(seed, players, 5)().tree()
    decisions = np.flatnonzero(tree.player >= 0)
    for player in tree.names:
        groups = situations(tree, player)
        of = dict(zip(groups.infosets.tolist(), groups.group.tolist(), strict=True))
        for agent in range(len(tree.knowing.agents)):
            by_state = {}
            for row, node in enumerate(decisions.tolist()):
                infoset = int(tree.infoset[node])
                mover = tree.knowing.agent[infoset]
                if tree.names[tree.player[node]] != player or mover == agent:
                    continue
                moves = sum(
                    word.own for word in tree.knowing.words(int(tree.knowing.state[infoset]))
                )
                key = (int(tree.knowing.at[row, agent]), moves, int(mover))
                assert by_state.setdefault(key, of[infoset]) == of[infoset]


def kuhn_with(house):
    """Kuhn's poker with a third player, who only looks on, or does not even that."""

    @game(players=("gambler", "dealer", "house"))
    def watched(g):
        mine, yours = g.deal(range(3), 1, 1)
        g.reveal("gambler", mine)
        g.reveal("dealer", yours)
        move = g.choose("gambler", ("pass", "bet"))
        g.reveal(("dealer", "house") if house else "dealer", move)
        g.choose("dealer", ("pass", "bet"))
        return (0, 0, 0)

    return watched().tree()


@pytest.mark.parametrize("house", [True, False])
def test_onlookers_change_nothing_whether_they_see_or_not(house):
    assert seen(kuhn_with(house), "dealer") == [("pass", ["0", "1", "2"]), ("bet", ["0", "1", "2"])]
    read = read_efg(write_efg(kuhn_with(house)))
    assert len(situations(read, "dealer")) == 2


def test_words_in_common_are_found_in_lists_of_any_length():
    @game(players=("a", "b"))
    def some(g):
        for card in range(g.chance((1, 2))):
            g.reveal("a", f"c{card}")
        g.reveal("a", g.choose("b", ("pass", "bet")))
        g.choose("a", ("l", "r"))
        return (0, 0)

    assert seen(some().tree(), "a") == [
        ("c0, pass", ["nothing private", "c1"]),
        ("c0, bet", ["nothing private", "c1"]),
    ]


def test_titles_tell_moves_agents_and_options():
    @game(players=("a", "b"))
    def forgets(g):
        card = g.chance((1, 2))
        g.reveal("a", card)
        g.choose("a", ("l", "r"))
        g.choose("b", ("l", "r"))
        g.choose("a", ("l", "r"), knowing=card)
        return (0, 0)

    assert [title for title, _ in seen(forgets().tree(), "a")] == ["at the start", "own move 2"]

    @game(players={"team": ("e", "w"), "foe": ()})
    def team(g):
        for who in ("e", "w", "foe"):
            g.choose(who, ("l", "r"))
        return g.win("team")

    assert [title for title, _ in seen(team().tree(), "team")] == [
        "e: at the start",
        "w: at the start",
    ]

    @game(players=("a", "b"))
    def menus(g):
        card = g.chance((0, 1))
        g.reveal("a", card)
        g.choose("b", ("l", "r") if card else ("u", "v"))
        g.choose("a", ("l", "r"))
        return (0, 0)

    titles = [title for title, _ in seen(menus().tree(), "b")]
    assert titles == ["at the start {u, v}", "at the start {l, r}"]
    read = read_efg(write_efg(menus().tree()))
    assert [title for title, _ in seen(read, "b")] == titles


def test_a_move_that_only_some_plays_have_is_no_title():
    @game(players=("a", "b", "c"))
    def some(g):
        card = g.chance(range(30))
        g.reveal("a", card)
        g.reveal(("a", "b"), g.choose("b", ("bet",) if card < 20 else ("pass",)))
        g.choose("c", ("l", "r"))
        g.choose("a", ("l", "r"))
        return (0, 0, 0)

    tree = some().tree()
    assert [one.title for one in situations(tree, "c")] == ["at the start"]


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(2, 3), st.booleans())
def test_no_two_situations_of_a_player_read_alike(seed, players, forgetful):
    tree = random_rules(seed, players, 5, forgetful)().tree()
    for player in tree.names:
        titles = [one.title for one in situations(tree, player)]
        assert len(set(titles)) == len(titles)


def test_cases_that_read_alike_are_numbered():
    titles = [one.title for one in situations(blind_tic_tac_toe().tree(), "nought")]
    assert len(set(titles)) == len(titles)
    assert [title for title in titles if title.startswith("taken")] == [
        f"taken (case {number})" for number in range(1, 11)
    ]


def test_menus_are_merged_in_no_time_at_all():
    menus = [tuple(map(str, range(size))) for size in range(1, 800)]
    assert merged(menus) == menus[-1]


def test_orders():
    assert list(ranked(["10", "9", "J"])) == ["9", "10", "J"]
    assert list(ranked(["10", "9", "-1.5"])) == ["-1.5", "9", "10"]
    assert list(ranked([(2, 1), (1, 2)])) == ["1 2", "2 1"]
    assert list(ranked(["3", "nan", "1"])) == ["3", "nan", "1"]
    assert list(ranked(["A♥ 2♠", "Q♠ K♠", "T♥ J♥", "9♣ A♣"])) == [
        "9♣ A♣",
        "T♥ J♥",
        "Q♠ K♠",
        "A♥ 2♠",
    ]
    assert merged([("a", "b"), ("b", "a")]) == ("a", "b")


def test_sets_are_in_the_order_of_their_members():
    deck = Deck()
    held = frozenset(deck[name] for name in ("K♠", "10♥", "A♣", "9♦", "J♠"))
    assert text(held) == "9♦ 10♥ J♠ K♠ A♣"
    assert text(frozenset({100, 20, 3, -1})) == "-1 3 20 100"
    assert text(frozenset({"pear", "apple", ("b", "a")})) == "apple b a pear"
    assert text(frozenset({1, "1", 2})) == "1 1 2"


@pytest.mark.parametrize("ranks", [("J", "Q", "K"), ("low", "middle", "high"), (9, 10, 11)])
def test_whoever_is_dealt_a_rank_has_it_shown_in_the_order_of_the_deck(ranks):
    """The second player meets the first rank last; neither texts nor tables show it there."""

    @game(players=("one", "two"))
    def dealt(g):
        first = g.chance(ranks)
        second = g.chance([rank for rank in ranks if rank != first])
        g.reveal("one", first)
        g.reveal("two", second)
        bets = g.choose("one", ("pass", "bet")) == "bet" and g.choose("two", ("pass", "bet"))
        return g.win("two" if (second > first) == (bets == "bet") else "one", 1)

    names = list(map(str, ranks))
    tree = dealt().tree()
    (only,) = situations(tree, "two")
    assert only.names == names
    line = strategy_summary(uniform(tree, "two"), profile([uniform(tree, p) for p in tree.names]))
    assert [part.split(" → ")[0] for part in line.split("; ")] == names
    rows = strategy_csv(uniform(tree, "two")).splitlines()[1::2]
    assert [row.split(",")[1] for row in rows] == names
    missed = unreached(
        profile([pure(tree, "one", dict.fromkeys(names, "pass")), uniform(tree, "two")])
    )
    assert [one.infoset.label for one in missed.sets] == names


def test_a_public_form_and_a_file_of_a_game_show_ranks_in_their_order(tmp_path):
    save(kuhn().tree(), tmp_path / "kuhn.efg")
    for groups in (
        situations(load(tmp_path / "kuhn.efg"), "dealer"),
        public_states(kuhn().public(), "dealer"),
    ):
        assert [one.names for one in groups] == [["J", "Q", "K"]] * 2
    rows = strategy_csv(solve(kuhn().public()).strategy["dealer"]).splitlines()[1::2]
    assert [row.split(",")[1].strip('"') for row in rows] == ["J", "Q", "K"] * 2
