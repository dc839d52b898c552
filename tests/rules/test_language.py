"""What the rules may say, word by word."""

from __future__ import annotations

from fractions import Fraction

import pytest

from infoset import Play, game
from infoset.errors import ParameterError, RulesError
from infoset.objects import Deck


def leaves(rules: object, players: object = ("a", "b")) -> list[tuple[Fraction, ...]]:
    tree = game(players=players)(rules)().tree()  # type: ignore[arg-type]
    return [tuple(node.payoffs.values()) for node in tree.leaves]


def test_deal_gives_cards_or_hands() -> None:
    seen = []

    def rules(g: Play) -> object:
        seen.append(g.deal("JQK".replace("", " ").split(), 1, 2))
        return (0, 0)

    leaves(rules)
    assert set(seen) == {("J", ("Q", "K")), ("Q", ("J", "K")), ("K", ("J", "Q"))}


def test_deal_of_one_hand_and_of_hands_always() -> None:
    @game(players=("a",))
    def one(g: Play) -> object:
        hand = g.deal(Deck(3, 1), 1, hands=True)
        assert len(hand) == 1
        return g.deal(Deck(3, 1), 1).rank

    tree = one().tree()
    assert len(tree) == 1 + 3 + 9
    assert {node.payoffs["a"] for node in tree.leaves} == {0, 1, 2}


def test_equal_cards_are_dealt_with_their_weight() -> None:
    @game(players=("a",))
    def twins(g: Play) -> object:
        return len(set(g.deal(["J", "Q", "J"], 2)))

    tree = twins().tree()
    assert dict(zip(tree.root.actions, tree.root.probabilities, strict=True)) == {
        ("J", "J"): Fraction(1, 3),
        ("J", "Q"): Fraction(2, 3),
    }


def test_roll_one_die_and_several() -> None:
    @game(players=("a",))
    def dice(g: Play) -> object:
        return g.roll(3) + sum(g.roll(2, dice=2))

    tree = dice().tree()
    assert tree.root.actions == (1, 2, 3)
    pair = tree.root.children[0]
    assert pair.actions == ((1, 1), (1, 2), (2, 2))
    assert pair.probabilities == (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))


def test_chance_weights_are_exact_decimals_and_impossible_outcomes_are_left_out() -> None:
    @game(players=("a",))
    def weather(g: Play) -> object:
        return {"rain": 1, "sun": 2, "snow": 3}[g.chance({"rain": 0.1, "sun": 0.9, "snow": 0})]

    tree = weather().tree()
    assert tree.root.actions == ("rain", "sun")
    assert tree.root.probabilities == (Fraction(1, 10), Fraction(9, 10))


def test_together_hides_the_choices_and_reveal_shows_them() -> None:
    @game(players=("a", "b"))
    def both(g: Play) -> object:
        bids = g.together({"a": (1, 2), "b": (1, 2)})
        g.reveal(g.players, (bids["a"], bids["b"]))
        g.choose("b", ("stop",))
        return (bids["a"], bids["b"])

    tree = both().tree()
    assert len(tree.infosets_of("a")) == 1
    assert len(tree.infosets_of("b")) == 1 + 4
    position = both().position()
    assert position.movers == ("a", "b")
    assert position.after((1, 2)).movers == ("b",)


def test_win_is_zero_sum_for_any_number_of_players() -> None:
    assert leaves(lambda g: g.win("b", 6), ("a", "b", "c", "d")) == [(-2, 6, -2, -2)]
    assert leaves(lambda g: g.win("b")) == [(-1, 1)]
    assert leaves(lambda g: g.win("a", 5), ("a",)) == [(5,)]


def test_one_player_may_return_a_number() -> None:
    assert leaves(lambda g: 0.25, ("a",)) == [(Fraction(1, 4),)]


def test_turns() -> None:
    def rules(g: Play) -> object:
        order = [player for player, _ in zip(g.turns(start="b"), range(4), strict=False)]
        assert order == ["b", "c", "a", "b"]
        assert list(g.turns(rounds=2)) == ["a", "b", "c"] * 2
        assert list(g.turns("c", "a", rounds=1)) == ["c", "a"]
        assert g.left("c") == "a"
        assert g.right("a") == "c"
        assert g.others("b") == ("c", "a")
        return (0, 0, 0)

    leaves(rules, ("a", "b", "c"))


def test_other_is_for_two() -> None:
    with pytest.raises(RulesError, match="games of two"):
        leaves(lambda g: g.other("a"), ("a", "b", "c"))
    assert leaves(lambda g: g.win(g.other("a"))) == [(-1, 1)]


def test_agents_of_a_team_remember_only_their_own_part() -> None:
    @game(players={"team": ("east", "west"), "dealer": ()})
    def signals(g: Play) -> object:
        card = g.chance(("red", "black"))
        g.reveal("east", card)
        g.choose("east", ("left", "right"))
        guess = g.choose("west", ("red", "black"))
        return {"team": int(guess == card), "dealer": 0}

    tree = signals().tree()
    assert tree.players == ("team", "dealer")
    assert [i.label for i in tree.infosets] == ["east: red", "west: nothing yet", "east: black"]
    fact = tree.recall("team")
    assert not fact
    assert "west: nothing yet" in fact.because
    assert tree.recall("dealer")


def test_a_team_is_told_and_paid_as_one() -> None:
    @game(players={"team": ("east", "west"), "dealer": None})
    def told(g: Play) -> object:
        g.reveal("team", "hello")
        g.choose("east", ("on",))
        g.choose("west", ("on",))
        g.pay("east", 1)
        g.pay("team", 1)
        return g.win("dealer", 0)

    tree = told().tree()
    assert [i.label for i in tree.infosets] == ["east: hello", "west: hello"]
    assert next(tree.leaves).payoffs == {"team": 2, "dealer": 0}


def test_knowing_replaces_what_the_chooser_knows_from_there_on() -> None:
    @game(players=("a",))
    def forget(g: Play) -> object:
        g.reveal("a", g.chance(("x", "y")))
        g.choose("a", ("l", "r"), knowing="only this")
        g.choose("a", ("l", "r"))
        return 0

    tree = forget().tree()
    labels = {infoset.label for infoset in tree.infosets}
    assert labels == {"only this", "only this, [l]", "only this, [r]"}
    assert tree.perfect_recall  # x and y were never used


def test_knowing_nothing_is_not_knowing_everything() -> None:
    @game(players=("a",))
    def blank(g: Play) -> object:
        g.reveal("a", g.chance(("x", "y")))
        g.choose("a", ("l", "r"), knowing=None)
        return 0

    assert len(blank().tree().infosets) == 1


def test_options_and_facts_are_any_hashable_values() -> None:
    @game(players=("a",))
    def odd(g: Play) -> object:
        g.reveal("a", frozenset({1}))
        return int(g.choose("a", [(1, 2), None, frozenset(), 3.5, "x"]) is None)

    tree = odd().tree()
    assert tree.root.child(None).payoffs == {"a": 1}
    assert tree.infosets[0].label == "1"


def test_sets_are_put_in_order() -> None:
    @game(players=("a",))
    def loose(g: Play) -> object:
        return len(g.choose("a", {"pear", "fig", "apple"}))

    assert loose().tree().root.actions == ("apple", "fig", "pear")


def test_families_members_and_their_names() -> None:
    @game(players=("a", "b"), requires=("size >= 1", "size < 10"))
    def fam(g: Play, size: int = 2, *, deep: bool = False) -> object:
        """A family. Of games."""
        for _ in range(size):
            g.choose("a", ("l", "r"))
        return (int(deep), 0)

    assert repr(fam()) == "fam()"
    assert repr(fam(3, deep=True)) == "fam(size=3, deep=True)"
    assert eval(repr(fam(size=3))) == fam(3)
    assert hash(fam(size=3)) == hash(fam(3))
    assert fam(3) != fam(4)
    assert len(fam(3).tree()) == 15
    assert next(fam(1, deep=True).tree().leaves).payoffs["a"] == 1
    assert fam.summary == "A family. Of games."


def test_fractions_in_the_name_of_a_game_read_as_numbers():
    @game(players=["one"])
    def fam(g, p=Fraction(1, 2), spread=()):
        return 0

    third = Fraction(1, 3)
    assert repr(fam(p=Fraction(3, 10))) == "fam(p=3/10)"
    assert repr(fam(spread=(third, (1, [third])))) == "fam(spread=(1/3, (1, [1/3])))"
    assert repr(fam(spread=(third,))) == "fam(spread=(1/3,))"
    assert fam(p=third).tree().name == "fam(p=1/3)"


def test_players_may_follow_from_parameters() -> None:
    @game(players=lambda seats: [f"p{n}" for n in range(seats)])
    def table(g: Play, seats: int = 2, stake: int = 1) -> object:
        return g.win("p0", stake)

    assert table(seats=4).players == ("p0", "p1", "p2", "p3")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"sise": 2}, "did you mean 'size'"),
        ({"size": "two"}, "must be a whole number, not 'two'"),
        ({"size": True}, "must be a whole number, not True"),
        ({"size": 1.5}, "must be a whole number"),
        ({"deep": 3}, "must be True or False"),
        ({"size": 0}, r"fam\(size=0\): needs size >= 1"),
    ],
)
def test_wrong_parameters(call: dict[str, object], message: str) -> None:
    @game(players=("a", "b"), requires="size >= 1")
    def fam(g: Play, size: int = 2, deep: bool = False) -> object:
        return (0, 0)

    with pytest.raises(ParameterError, match=message):
        fam(**call)


def test_a_parameter_that_may_be_a_fraction_takes_any_number() -> None:
    @game(players=("a",))
    def fam(g: Play, size: int | Fraction = 1) -> object:
        return size

    assert fam(size=1.5).tree().payoffs == ((Fraction(3, 2),),)
    with pytest.raises(ParameterError, match="must be a number, not 'x'"):
        fam(size="x")


def test_parameters_missing_or_too_many() -> None:
    @game(players=("a",))
    def fam(g: Play, size: int) -> object:
        return size

    with pytest.raises(ParameterError, match="needs a value for size"):
        fam()
    with pytest.raises(ParameterError, match="takes 1 parameters, got 2"):
        fam(1, 2)
    with pytest.raises(ParameterError, match="given twice"):
        fam(1, size=2)
    assert next(fam(4).tree().leaves).payoffs == {"a": 4}


@pytest.mark.parametrize(
    ("keyword", "hint"),
    [("late", "@game has no late=; it is called vectorized="), ("bound", "did you mean 'bounds'")],
)
def test_unknown_keywords_of_a_game_name_the_right_one(keyword: str, hint: str) -> None:
    with pytest.raises(RulesError, match=hint):
        game(players=("a", "b"), **{keyword: True})  # type: ignore[arg-type]
