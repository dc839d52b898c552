"""Strategies that can be checked by hand, and labels that nobody would write with good intent."""

from __future__ import annotations

from fractions import Fraction

from infoset.games import beer_quiche, kuhn, seltens_horse
from infoset.strategy import Profile, behaviour, profile, pure
from infoset.tree import Builder, Tree

F = Fraction

HOSTILE = (
    "<script>alert(1)</script>",
    "x" * 1_000_000,
    "two\nlines\x1b[2J",
    "\u202eright to left\u200f",
    r"\input{/etc/passwd} $ % & _ # {",
    "\ud800",
    "=HYPERLINK(1)",
    "",
)


def bluffing() -> Profile:
    """Kuhn poker: the gambler bluffs with 1/3; the dealer has one equilibrium strategy only."""
    tree = kuhn().tree()

    def bets(*probabilities: tuple[str, Fraction | int]) -> dict[str, dict[str, Fraction | int]]:
        return {label: {"bet": share, "pass": 1 - share} for label, share in probabilities}

    gambler = bets(
        ("J", F(1, 3)),
        ("Q", 0),
        ("K", 1),
        ("J, [pass], bet", 0),
        ("Q, [pass], bet", F(2, 3)),
        ("K, [pass], bet", 1),
    )
    dealer = bets(
        ("J, pass", F(1, 3)),
        ("Q, pass", 0),
        ("K, pass", 1),
        ("J, bet", 0),
        ("Q, bet", F(1, 3)),
        ("K, bet", 1),
    )
    return profile([behaviour(tree, "gambler", gambler), behaviour(tree, "dealer", dealer)])


def pooling() -> Profile:
    """Beer and quiche: everyone has beer, and quiche would be answered with a duel."""
    tree = beer_quiche().tree()
    sender = pure(tree, "sender", {"strong": "beer", "weak": "beer"})
    receiver = pure(tree, "receiver", {"beer": "retreat", "quiche": "duel"})
    return profile([sender, receiver])


def horse(one: str, two: str, three: str) -> Profile:
    """Selten's horse: three pure strategies."""
    tree = seltens_horse().tree()
    chosen = dict(zip(tree.names, (one, two, three), strict=True))
    return profile(
        pure(tree, player, {tree.infosets_of(player)[0]: action})
        for player, action in chosen.items()
    )


def hostile_tree() -> Tree:
    """Two players, a set for each hostile label, and hostile actions."""
    builder = Builder(players=("<b>ann", "\u202ebob"), name="<i>evil")
    outcomes = [f"{at} {label[:5]}" for at, label in enumerate(HOSTILE)]
    for at, node in enumerate(builder.chance(builder.root, outcomes)):
        actions = HOSTILE[:3] if at % 2 else ("=1+1", "-1", "a, b")
        for below in builder.decide(node, 0, actions, f"a{at}", label=HOSTILE[at]):
            for leaf in builder.decide(below, 1, ("l", "r"), f"b{at}", label=HOSTILE[at]):
                builder.pay(leaf, (leaf % 3, leaf % 2))
    return builder.build()
