"""The colours of the roles, on light and on dark paper.

The players' colours are those of Okabe and Ito (2008), which people tell apart whatever colours
they see; words take a darker or lighter kin of them, so that they read on their paper (contrast of
4.5 to 1 and more). After the last colour the first comes again: the number in a player's disc
tells it for certain, and without any colour.
"""

from __future__ import annotations

from types import MappingProxyType

LIGHT, DARK, AUTO = "light", "dark", "auto"

_LIGHT_PLAYERS = ("#0072B2", "#D55E00", "#009E73", "#B5629A", "#E69F00", "#56B4E9")
_LIGHT_WORDS = ("#00609A", "#B34F00", "#00735A", "#9A4580", "#8A5F00", "#1F6F9E")
_LIGHT_ON = ("#FFFFFF", "#FFFFFF", "#FFFFFF", "#FFFFFF", "#1B1F24", "#1B1F24")
_DARK_PLAYERS = ("#56B4E9", "#F5813A", "#2DC99B", "#DE8FC0", "#E6B84A", "#F0E442")
_DARK_ON = ("#0E1216",) * 6

COLOURS = len(_LIGHT_PLAYERS)


def _theme(
    players: tuple[str, ...], words: tuple[str, ...], on: tuple[str, ...], **others: str
) -> MappingProxyType[str, str]:
    found = dict(others)
    for number in range(COLOURS):
        found[f"player-{number + 1}"] = players[number]
        found[f"words-{number + 1}"] = words[number]
        found[f"on-player-{number + 1}"] = on[number]
    return MappingProxyType(found)


THEMES = MappingProxyType(
    {
        LIGHT: _theme(
            _LIGHT_PLAYERS,
            _LIGHT_WORDS,
            _LIGHT_ON,
            paper="#FFFFFF",
            ink="#1B1F24",
            muted="#5B6470",
            edge="#7A838E",
            faint="#C3C8CE",
            chance="#3F4650",
        ),
        DARK: _theme(
            _DARK_PLAYERS,
            _DARK_PLAYERS,
            _DARK_ON,
            paper="#14181D",
            ink="#E8EAED",
            muted="#A3ABB5",
            edge="#8A939E",
            faint="#454C55",
            chance="#C9CED6",
        ),
    }
)


def of_player(player: int, part: str = "player") -> str:
    """The role of a player's colour: of its lines ("player"), "words", or what is "on-player".

    >>> of_player(0), of_player(1, "words"), of_player(COLOURS)
    ('player-1', 'words-2', 'player-1')
    """
    return f"{part}-{player % COLOURS + 1}"
