"""Parameters of a family as they are typed, ``name=value``: on command lines and in pages."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from infoset.errors import ParameterError
from infoset.text import brief

if TYPE_CHECKING:
    from infoset.rules.game import Family

DIGITS = 300  # of a number


def parse_parameters(family: Family, given: Sequence[str]) -> dict[str, Any]:
    """``name=value`` texts as values of the kinds that the family's defaults have."""
    values: dict[str, Any] = {}
    for word in given:
        name, sign, text = word.partition("=")
        if not sign or not name:
            raise ParameterError(f"{word!r} is not a parameter; write NAME=VALUE, as in ranks=4")
        if name in values:
            raise ParameterError(f"{family.name}: parameter {name!r} is given twice")
        parameter = family.parameters.get(name)
        default = parameter.default if parameter is not None else None
        values[name] = parse_value(text, default)
    return values


def parse_value(text: str, default: object) -> Any:
    """A text as a value like the default: a number, a truth value, a tuple, or the text itself.

    >>> parse_value("3", 1), parse_value("yes", False), parse_value("1/3", 0.5)
    (3, True, Fraction(1, 3))
    >>> parse_value("0.5", 1), parse_value("2.0", 1)
    (Fraction(1, 2), 2)
    >>> parse_value("6,8,7", (1, 2)), parse_value("random", "up"), parse_value("x", 3)
    ((6, 8, 7), 'random', 'x')
    >>> parse_value("up,down", ("left", "right"))
    ('up', 'down')
    """
    if isinstance(default, str):
        return text
    if isinstance(default, bool):
        return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(
            text.lower(), text
        )
    if isinstance(default, int | float | Fraction) and _is_long(text):
        raise ParameterError(f"{brief(text, 60)}: a number has {DIGITS} digits at most")
    if isinstance(default, int | float | Fraction) and not text.isdigit():
        try:
            number = Fraction(text)
            return int(number) if number.denominator == 1 else number
        except (ValueError, ZeroDivisionError):
            if not isinstance(default, int):
                return text
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        value = text
    if isinstance(default, tuple) and not isinstance(value, tuple):
        if isinstance(value, str) and "," in value:
            return tuple(parse_value(part.strip(), None) for part in value.split(","))
        value = (value,) if not isinstance(value, list) else tuple(value)
    return value


def _is_long(text: str) -> bool:
    """Would a number that is spelled like this have very many digits?

    >>> _is_long("1e400"), _is_long("2" * 301), _is_long("1e-3"), _is_long("1/3")
    (True, True, False, False)
    """
    power = re.search(r"[eE][+-]?(\d+)", text)
    return len(text) > DIGITS or (power is not None and int(power[1][:9]) > DIGITS)
