"""Messages of the library in the words of the command.

The library names its keywords and functions (``raise max_nodes= or choose smaller parameters``).
Who types a command needs the option (``raise --max-nodes``). A keyword is written with an equals
sign, with or without a value, so that it can be found and replaced.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

# What messages recommend in Python, and the commands that do the same.
COMMANDS = {
    "solve(game, checkpoint=file)": "infoset solve GAME --checkpoint FILE",
    "solve(game).save(file)": "infoset solve GAME --save FILE",
    "solve(game.tree()).save(file)": "infoset solve GAME --tree --save FILE",
    "solve(game.public()).save(file)": "infoset solve GAME --public --save FILE",
    "solve(game.public()) needs": "--public needs",
    "sample(game, 'external')": "--method external-sampling",
    "sample(game, 'outcome')": "--method outcome-sampling",
    "infoset.search.smab(game)": "--method smab",
    "load it for game.tree()": "leave out --public",
    "infoset.analysis.best_reply": "infoset ask --reply FILE.csv",
    "outcome() and plays() are": "--from and --plays are",
    "decide(position) says what to do at a position": "--after MOVE shows what to do there",
    "table() shows the plans": "--table FILE writes the plans",
    "leave it out to search in Python": "--interpreted searches in Python",
}

# A keyword with its value, if it has one; but no parameter of a game, which is game(a=1, b=2)
KEYWORD = (
    r"(?<![(\w.'\"])(?<!, )(?P<name>{names})="
    r"(?:(?P<switch>True|False)\b|'(?P<word>[^']*)'|(?P<number>-?\d[\d./e-]*|nan|-?inf)"
    r"|\((?P<some>[^()]*)\)|(?P<bare>[A-Za-z]\w*))?"
)


def in_options(message: str, flags: Mapping[str, str]) -> str:
    """A message in the words of the command.

    Parameters
    ----------
    message
        As the library says it.
    flags
        By keyword, the option: ``--time SECONDS``, or ``--exact/--floats`` for True and False.

    Examples
    --------
    >>> flags = {"depth": "--depth N", "bounds": "--bounds LOW,HIGH", "exact": "--exact/--floats"}
    >>> in_options("goofspiel(cards=4, depth=2): give bounds=(least, most)", flags)
    'goofspiel(cards=4, depth=2): give --bounds LOW,HIGH'
    >>> in_options("depth=0: too small; give depth= or exact=False", flags)
    '--depth 0: too small; give --depth or --floats'
    """
    for python, command in COMMANDS.items():
        message = message.replace(python, command)
    if not flags:
        return message
    names = "|".join(sorted(map(re.escape, flags), key=len, reverse=True))

    def typed(found: re.Match[str]) -> str:
        flag, _, metavar = flags[found["name"]].partition(" ")
        yes, _, no = flag.partition("/")
        if found["switch"] is not None:
            return no if no and found["switch"] == "False" else yes
        some = found["some"]
        if some is not None:
            numbers = re.fullmatch(r"[-\d., e]+", some)
            return f"{yes} {some.replace(' ', '') if numbers else metavar}"
        given = (found[kind] for kind in ("word", "number", "bare"))
        value = next((value for value in given if value is not None), None)
        return yes if value is None else f"{yes} {value}"

    return re.sub(KEYWORD.format(names=names), typed, message)
